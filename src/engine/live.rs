//! Positions of boards in play: the order of evaluation.
//!
//! First come the newest positions of the boards, each with a short evaluation; then these are evaluated deeper and
//! deeper; then positions that were passed over meanwhile; then games that are over. A position is recognised from
//! whichever board or game it was evaluated for, and dropped when no game has it any more.

#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::{
    behind::Behind,
    pool::{Desk, Job, Outcome},
    position::Position,
    uci::{Aim, Limit},
};
use crate::record::{BoardName, Evaluation, GameEvent, GameRecord, Ruled, Rules};

/// The duration of the first evaluation of a position,
const FIRST: Duration = Duration::from_millis(100);
/// and its least duration where many wait for theirs,
const SHORTEST: Duration = Duration::from_millis(40);
/// so that all have one within this time.
const ALL_SEEN: Duration = Duration::from_millis(1500);
/// The depths of the further evaluations of a current position, and the time limit of each.
const DEEPER: [(u32, Duration); 2] = [(18, Duration::from_secs(8)), (22, Duration::from_secs(30))];
/// Up to this many positions of earlier games are recognised.
const KNOWN: usize = 20_000;
/// Up to this many plies of a game may be missing.
const LARGEST_HOLE: usize = 600;

/// How far positions of games in play are evaluated.
#[derive(Debug)]
pub struct Plan {
    /// The number of engines.
    engines: usize,
    /// The first evaluation.
    first: Duration,
    /// The limits of further evaluations of the newest positions, step by step.
    deeper: Vec<Limit>,
    /// The limit for all others.
    rest: Limit,
}

impl Plan {
    /// To this depth; where none is given, deeper and deeper, and positions that were passed over to the `usual` limit.
    pub fn new(asked: Option<Limit>, usual: Limit, engines: usize) -> Plan {
        let steps = DEEPER.map(|(depth, time)| Limit::of(Aim::Depth(depth)).at_most(time));
        let first = match asked.map(|limit| limit.aim) {
            Some(Aim::Time(time)) => time.min(FIRST),
            _ => FIRST,
        };
        let deeper = asked.map_or(steps.to_vec(), |limit| vec![limit]);
        Plan { engines, first, deeper, rest: asked.unwrap_or(usual) }
    }

    /// The first evaluation, where this many others wait for theirs.
    fn first(&self, waiting: usize) -> Limit {
        let share = ALL_SEEN.mul_f64(self.engines as f64 / (waiting + 1) as f64);
        Limit::of(Aim::Time(share.max(SHORTEST).min(self.first)))
    }
}

/// Positions of boards in play.
#[derive(Debug)]
pub struct Live {
    plan: Plan,
    /// The output.
    ready: Vec<u8>,
    games: HashMap<(BoardName, u32), Game>,
    /// The game in play of each board, or the last one.
    last: HashMap<BoardName, u32>,
    positions: HashMap<u64, KnownPosition>,
    /// The numbers of the positions, by their keys.
    known: HashMap<String, u64>,
    /// Positions in the order of evaluation.
    queue: BTreeSet<(Turn, u64)>,
    /// Positions being evaluated.
    at_work: HashMap<u64, AtWork>,
    /// Positions that no game has any more, the oldest first.
    left: VecDeque<u64>,
    count: u64,
    is_given_up: bool,
}

/// A game, as far as needed here.
#[derive(Debug)]
struct Game {
    rules: Rules,
    /// The numbers of the positions after its plies; none where there is nothing to evaluate.
    plies: Vec<Option<u64>>,
    is_over: bool,
    is_void: bool,
}

/// A position that games have, or had.
#[derive(Debug)]
struct KnownPosition {
    position: Arc<Position>,
    /// The plies of games that led to it.
    plies: Vec<Behind>,
    found: Option<Evaluation>,
    /// The number of evaluations as a current position.
    looks: usize,
    /// It was evaluated to the last limit.
    is_done: bool,
    /// Engines failed on it.
    is_left_out: bool,
    /// Its place in the order of evaluation, if it has one.
    turn: Option<Turn>,
}

/// The place of a position in the order of evaluation: the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// The newest of its board, not evaluated yet: in the order of arrival.
    Newest(u64),
    /// The newest of its board: those with the fewest evaluations first.
    Deeper(usize, u64),
    /// Its board has gone on before an evaluation: the last first.
    PassedOver(Reverse<u64>),
    /// Its game is over: those without an evaluation first.
    Over(bool, u64),
}

/// A position being evaluated.
#[derive(Debug)]
struct AtWork {
    turn: Turn,
    /// The engine was asked to end with the result so far.
    is_ending: bool,
}

impl Live {
    /// Nothing read yet.
    pub fn new(plan: Plan) -> Live {
        let (ready, games, last, positions, known) = Default::default();
        let (queue, at_work, left) = Default::default();
        Live {
            plan,
            ready,
            games,
            last,
            positions,
            known,
            queue,
            at_work,
            left,
            count: 0,
            is_given_up: false,
        }
    }

    /// Reads a record of a game.
    fn happened(&mut self, record: &GameRecord) {
        let key = ((record.line.clone(), record.board), record.game);
        match &record.event {
            GameEvent::Game(start) => self.begins(key, start.rules),
            GameEvent::Move(m) => {
                let Some(ply) = m.ply.filter(|ply| *ply > 0) else { return };
                let Some(game) = self.games.get(&key) else { return };
                if ply as usize <= game.plies.len() + LARGEST_HOLE {
                    let position = Position::of(&m.fen, game.rules);
                    self.played(&key, Behind::new(record, ply), position);
                }
            }
            GameEvent::Takeback(back) => {
                let Some(game) = self.games.get_mut(&key) else { return };
                let from = (back.ply as usize).min(game.plies.len());
                let withdrawn: Vec<_> = (from as u32 + 1..).zip(game.plies.drain(from..)).collect();
                for (ply, position) in withdrawn {
                    position.into_iter().for_each(|position| self.leave(position, &key, ply));
                }
                self.set_over(&key, false);
            }
            GameEvent::End(_) => self.set_over(&key, true),
            GameEvent::Ruling(ruling) if ruling.ply.is_none() => {
                if let Some(game) = self.games.get_mut(&key) {
                    game.is_void = ruling.ruled == Ruled::Void;
                    self.queue_all(&key);
                }
            }
            GameEvent::Anomaly(_) | GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {}
        }
    }

    fn begins(&mut self, key: (BoardName, u32), rules: Rules) {
        let before = self.last.insert(key.0.clone(), key.1).filter(|before| *before != key.1);
        if let Some(before) = before.map(|before| (key.0.clone(), before)) {
            self.set_over(&before, true);
            self.forget_if_done(&before);
        }
        self.forget(&key);
        let game = Game { rules, plies: Vec::new(), is_over: false, is_void: false };
        self.games.insert(key, game);
    }

    fn played(&mut self, key: &(BoardName, u32), behind: Behind, position: Option<Position>) {
        let at = behind.ply as usize - 1;
        let Some(game) = self.games.get_mut(key) else { return };
        let newest = game.plies.last().copied().flatten();
        let plies = game.plies.len().max(at + 1);
        game.plies.resize(plies, None);
        if let Some(before) = game.plies[at].take() {
            self.leave(before, key, behind.ply);
        }
        let position = position.map(|position| self.number_or_insert(position));
        if let (Some(position), Some(game)) = (position, self.games.get_mut(key)) {
            game.plies[at] = Some(position);
            if let Some(wanted) = self.positions.get_mut(&position) {
                if let Some(found) = &wanted.found {
                    behind.write(found, &mut self.ready);
                }
                wanted.plies.push(behind);
            }
        }
        self.set_over(key, false);
        newest.into_iter().chain(position).for_each(|position| self.queue(position));
    }

    /// The number of a position, which is assigned when it first occurs.
    fn number_or_insert(&mut self, position: Position) -> u64 {
        let key = position.key();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.count += 1;
        let wanted = KnownPosition {
            position: Arc::new(position),
            plies: Vec::new(),
            found: None,
            looks: 0,
            is_done: false,
            is_left_out: false,
            turn: None,
        };
        self.positions.insert(self.count, wanted);
        self.known.insert(key, self.count);
        self.count
    }

    fn set_over(&mut self, key: &(BoardName, u32), is_over: bool) {
        let Some(game) = self.games.get_mut(key) else { return };
        if std::mem::replace(&mut game.is_over, is_over) != is_over {
            self.queue_all(key);
        } else if let Some(position) = game.plies.last().copied().flatten() {
            self.queue(position);
        }
    }

    fn queue_all(&mut self, key: &(BoardName, u32)) {
        let positions = self.games.get(key).map(|game| game.plies.clone()).unwrap_or_default();
        positions.into_iter().flatten().for_each(|position| self.queue(position));
    }

    /// A ply does not lead to a position any more.
    fn leave(&mut self, position: u64, (board, game): &(BoardName, u32), ply: u32) {
        let Some(wanted) = self.positions.get_mut(&position) else { return };
        let is_it = |behind: &Behind| behind.ply == ply && behind.game == *game && behind.board() == *board;
        wanted.plies.retain(|behind| !is_it(behind));
        let (is_left, is_known) = (wanted.plies.is_empty(), wanted.found.is_some());
        self.queue(position);
        match (is_left, is_known) {
            (true, true) => self.left.push_back(position),
            (true, false) => self.drop_if_left(position),
            (false, _) => {}
        }
        if self.left.len() > KNOWN
            && let Some(oldest) = self.left.pop_front()
        {
            self.drop_if_left(oldest);
        }
    }

    fn drop_if_left(&mut self, position: u64) {
        let is_left = self.positions.get(&position).is_some_and(|wanted| wanted.plies.is_empty());
        if is_left && !self.at_work.contains_key(&position) {
            self.dequeue(position);
            if let Some(wanted) = self.positions.remove(&position) {
                self.known.remove(&wanted.position.key());
            }
        }
    }

    /// Drops a game that is over for good and completely evaluated.
    fn forget_if_done(&mut self, key: &(BoardName, u32)) {
        let is_last = self.last.get(&key.0) == Some(&key.1);
        let is_done = |position: &u64| {
            self.positions.get(position).is_none_or(|wanted| wanted.is_done || wanted.is_left_out)
        };
        let is_over = self.games.get(key).is_some_and(|game| game.is_over);
        if !is_last && is_over && self.games[key].plies.iter().flatten().all(is_done) {
            self.forget(key);
        }
    }

    fn forget(&mut self, key: &(BoardName, u32)) {
        let Some(game) = self.games.get_mut(key) else { return };
        for (ply, position) in (1..).zip(std::mem::take(&mut game.plies)) {
            position.into_iter().for_each(|position| self.leave(position, key, ply));
        }
    }

    fn dequeue(&mut self, position: u64) {
        let turn = self.positions.get_mut(&position).and_then(|wanted| wanted.turn.take());
        if let Some(turn) = turn {
            self.queue.remove(&(turn, position));
        }
    }

    /// Adds a position to the queue.
    fn queue(&mut self, position: u64) {
        self.dequeue(position);
        let is_at_work = self.at_work.contains_key(&position) || self.is_given_up;
        let Some(turn) = self.turn(position).filter(|_| !is_at_work) else { return };
        self.queue.insert((turn, position));
        if let Some(wanted) = self.positions.get_mut(&position) {
            wanted.turn = Some(turn);
        }
    }

    /// The place in the order of evaluation of a position that is due.
    fn turn(&self, position: u64) -> Option<Turn> {
        let wanted = self.positions.get(&position).filter(|wanted| !wanted.is_left_out)?;
        let turn = |behind: &Behind| {
            let board = behind.board();
            let is_last = self.last.get(&board) == Some(&behind.game);
            let game = self.games.get(&(board, behind.game)).filter(|game| !game.is_void)?;
            if game.is_over || !is_last {
                return (!wanted.is_done).then_some(Turn::Over(wanted.found.is_some(), position));
            }
            let is_newest = behind.ply as usize == game.plies.len();
            match wanted.looks {
                0 if is_newest => Some(Turn::Newest(position)),
                looks if is_newest && looks <= self.plan.deeper.len() => Some(Turn::Deeper(looks, position)),
                0 => Some(Turn::PassedOver(Reverse(position))),
                _ => None,
            }
        };
        wanted.plies.iter().filter_map(turn).min()
    }

    /// The number of positions that wait for their first evaluation, counted up to `most`.
    fn newest_waiting(&self, most: usize) -> usize {
        self.queue.iter().take(most).filter(|(turn, _)| matches!(turn, Turn::Newest(_))).count()
    }
}

impl Desk for Live {
    fn line(&mut self, line: &[u8], record: Option<&GameRecord>) {
        let is_evaluated = |record: &GameRecord| {
            let game = self.games.get(&((record.line.clone(), record.board), record.game));
            game.is_some_and(|game| matches!(game.rules, Rules::Chess | Rules::Chess960)) && !self.is_given_up
        };
        let is_evaluation = |record: &&GameRecord| matches!(record.event, GameEvent::Evaluation(_));
        // The engine's own evaluation replaces it.
        if record.filter(is_evaluation).is_some_and(is_evaluated) {
            return;
        }
        self.ready.extend_from_slice(line);
        self.ready.push(b'\n');
        if let Some(record) = record.filter(|_| !self.is_given_up) {
            self.happened(record);
        }
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.ready)
    }

    fn is_full(&self) -> bool {
        false
    }

    fn waits(&self) -> bool {
        !(self.is_given_up || self.queue.is_empty() && self.at_work.is_empty())
    }

    fn give_up(&mut self) {
        self.is_given_up = true;
        self.queue.clear();
    }

    fn next(&mut self) -> Option<Job> {
        let (turn, id) = self.queue.pop_first()?;
        let limit = match turn {
            Turn::Newest(_) => self.plan.first(self.newest_waiting(256)),
            Turn::Deeper(looks, _) => self.plan.deeper[looks - 1],
            Turn::PassedOver(_) | Turn::Over(..) => self.plan.rest,
        };
        self.at_work.insert(id, AtWork { turn, is_ending: false });
        let wanted = self.positions.get_mut(&id)?;
        wanted.turn = None;
        Some(Job { id, position: wanted.position.clone(), limit })
    }

    fn ends_early(&mut self, id: u64) -> bool {
        let Some(AtWork { turn, is_ending: false }) = self.at_work.get(&id) else { return true };
        let is_left = self.positions.get(&id).is_none_or(|wanted| wanted.plies.is_empty());
        let is_behind = matches!(turn, Turn::Deeper(..)) && self.turn(id).is_none();
        let ending = self.at_work.values().filter(|at_work| at_work.is_ending).count();
        let is_first = matches!(turn, Turn::Newest(_));
        let gives_way = !is_first && self.newest_waiting(ending + 1) > ending;
        let ends = is_left || is_behind && !self.queue.is_empty() || gives_way;
        if let Some(at_work) = self.at_work.get_mut(&id).filter(|_| ends) {
            at_work.is_ending = true;
        }
        ends
    }

    fn store(&mut self, job: Job, outcome: Outcome) {
        let at_work = self.at_work.remove(&job.id);
        let Some(wanted) = self.positions.get_mut(&job.id) else { return };
        match outcome {
            Outcome::NotAsked => {}
            Outcome::LeftOut => wanted.is_left_out = true,
            Outcome::Found(found) => {
                let is_whole = at_work.as_ref().is_some_and(|at_work| !at_work.is_ending);
                let is_first = matches!(at_work.map(|at_work| at_work.turn), Some(Turn::Newest(_)));
                wanted.looks = (wanted.looks + usize::from(is_whole)).max(1);
                wanted.is_done |= is_whole && !is_first;
                if is_better(&found, wanted.found.as_ref()) {
                    wanted.plies.iter().for_each(|behind| behind.write(&found, &mut self.ready));
                    wanted.found = Some(found);
                }
            }
        }
        let games: Vec<_> = wanted.plies.iter().map(|behind| (behind.board(), behind.game)).collect();
        self.queue(job.id);
        games.iter().for_each(|key| self.forget_if_done(key));
        if self.positions.get(&job.id).is_some_and(|wanted| wanted.found.is_none()) {
            self.drop_if_left(job.id);
        }
    }
}

/// Whether an evaluation should replace an earlier one: one that was interrupted may be worse.
fn is_better(found: &Evaluation, before: Option<&Evaluation>) -> bool {
    let rank = |evaluation: &Evaluation| (evaluation.bound.is_none(), evaluation.depth);
    before.is_none_or(|before| rank(found) >= rank(before))
}
