//! Positions of files: each evaluation follows its move, so that the same input always gives the same bytes, whatever
//! the number of engines and the order in which they finish.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, OnceLock},
};

use super::{
    behind::Behind,
    pool::{Desk, Job, Outcome},
    position::Position,
    uci::Limit,
};
use crate::record::{BoardName, Evaluation, GameEvent, GameRecord, Rules};

/// Up to this many evaluations are awaited before more is read.
const AWAITED: usize = 1024;
/// Up to this many lines are held.
const HELD: usize = 64 * AWAITED;
/// Up to this many positions are recognised.
const KNOWN: usize = 50_000;

/// The evaluation of a position, once it is known, if it has one.
type Answer = Arc<OnceLock<Option<Evaluation>>>;

/// Positions of files.
#[derive(Debug)]
pub struct InOrder {
    limit: Limit,
    /// The output, in order.
    items: VecDeque<Item>,
    /// The positions to evaluate, in order.
    jobs: VecDeque<Job>,
    /// The awaited evaluations, by the number of their job.
    awaited: HashMap<u64, Answer>,
    known: HashMap<String, Answer>,
    /// The keys of known positions, the oldest first.
    oldest: VecDeque<String>,
    /// The rules of each board's game.
    games: HashMap<BoardName, (u32, Rules)>,
    count: u64,
    is_given_up: bool,
}

#[derive(Debug)]
enum Item {
    /// A line of the input.
    Line(Vec<u8>),
    /// The evaluation after a move.
    Behind(Box<Behind>, Answer),
}

impl InOrder {
    /// Nothing read yet; each position is evaluated to this limit.
    pub fn new(limit: Limit) -> InOrder {
        InOrder {
            limit,
            items: VecDeque::new(),
            jobs: VecDeque::new(),
            awaited: HashMap::new(),
            known: HashMap::new(),
            oldest: VecDeque::new(),
            games: HashMap::new(),
            count: 0,
            is_given_up: false,
        }
    }

    /// The rules of the game of a record.
    fn rules(&mut self, record: &GameRecord) -> Option<Rules> {
        let board = (record.line.clone(), record.board);
        if let GameEvent::Game(start) = &record.event {
            self.games.insert(board, (record.game, start.rules));
            return Some(start.rules);
        }
        self.games.get(&board).filter(|(game, _)| *game == record.game).map(|(_, rules)| *rules)
    }

    /// The evaluation of a position, known or awaited.
    fn answer(&mut self, position: Position) -> Answer {
        let key = position.key();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let answer = Answer::default();
        self.count += 1;
        self.jobs.push_back(Job { id: self.count, position: Arc::new(position), limit: self.limit });
        self.awaited.insert(self.count, answer.clone());
        self.known.insert(key.clone(), answer.clone());
        self.oldest.push_back(key);
        if self.oldest.len() > KNOWN
            && let Some(oldest) = self.oldest.pop_front()
        {
            self.known.remove(&oldest);
        }
        answer
    }
}

impl Desk for InOrder {
    fn line(&mut self, line: &[u8], record: Option<&GameRecord>) {
        let rules = record.and_then(|record| self.rules(record));
        let is_asked = rules.is_some_and(|rules| matches!(rules, Rules::Chess | Rules::Chess960));
        match record.map(|record| (record, &record.event)) {
            // The engine's own evaluation replaces it.
            Some((_, GameEvent::Evaluation(_))) if is_asked && !self.is_given_up => {}
            Some((record, GameEvent::Move(m))) if !self.is_given_up => {
                self.items.push_back(Item::Line([line, b"\n"].concat()));
                let (Some(ply), Some(rules)) = (m.ply, rules) else { return };
                let Some(position) = Position::of(&m.fen, rules) else { return };
                let answer = self.answer(position);
                self.items.push_back(Item::Behind(Box::new(Behind::new(record, ply)), answer));
            }
            _ => self.items.push_back(Item::Line([line, b"\n"].concat())),
        }
    }

    fn take(&mut self) -> Vec<u8> {
        let mut ready = Vec::new();
        while let Some(item) = self.items.front() {
            match item {
                Item::Line(line) => ready.extend_from_slice(line),
                Item::Behind(behind, answer) => match answer.get() {
                    Some(Some(found)) => behind.write(found, &mut ready),
                    Some(None) => {}
                    None if self.is_given_up => {}
                    None => break,
                },
            }
            self.items.pop_front();
        }
        ready
    }

    fn is_full(&self) -> bool {
        !self.is_given_up && (self.awaited.len() >= AWAITED || self.items.len() >= HELD)
    }

    fn waits(&self) -> bool {
        !self.items.is_empty()
    }

    fn give_up(&mut self) {
        self.is_given_up = true;
    }

    fn next(&mut self) -> Option<Job> {
        self.jobs.pop_front()
    }

    fn ends_early(&mut self, _: u64) -> bool {
        false
    }

    fn store(&mut self, job: Job, outcome: Outcome) {
        let found = match outcome {
            Outcome::Found(evaluation) => Some(evaluation),
            Outcome::LeftOut => None,
            Outcome::NotAsked => return self.jobs.push_front(job),
        };
        if let Some(answer) = self.awaited.remove(&job.id) {
            _ = answer.set(found);
        }
    }
}
