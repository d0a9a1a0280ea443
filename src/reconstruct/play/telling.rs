//! What of a game in play can be told by now, and what has to be withdrawn.

use std::rc::Rc;

use super::{Play, Shown};
use crate::{
    reconstruct::{Options, Update, hypothesis::Hypothesis, last_word::LastWord, limits, tree::node::Node},
    record::{End, EndReason, GameEvent, GameStart, Move, Seconds, Takeback, Time},
    rules::Game,
};

impl<G: Game> Play<G> {
    /// What was told at a ply.
    pub(super) fn told_at(&self, ply: u32) -> Option<usize> {
        self.shown.binary_search_by_key(&ply, |shown| shown.node.ply).ok()
    }

    /// How many plies were told.
    pub(super) fn plies_told(&self) -> u32 {
        self.shown.last().map_or(0, |shown| shown.node.ply)
    }

    /// Where this very node was told, if it was.
    pub(super) fn told(&self, node: &Node<G>) -> Option<usize> {
        self.told_at(node.ply).filter(|&at| self.shown[at].node.line_hash == node.line_hash)
    }

    /// The nodes on the way to `last` that were not told, and how many of those told stand.
    pub(super) fn untold(&self, last: &Rc<Node<G>>) -> (Vec<Rc<Node<G>>>, usize) {
        let mut nodes = Vec::new();
        let mut node = Some(last.clone());
        let mut stand = 0;
        while let Some(n) = node.filter(|n| n.ply > 0) {
            if let Some(at) = self.told(&n) {
                stand = at + 1;
                break;
            }
            node = n.parent.clone();
            nodes.push(n);
        }
        nodes.reverse();
        (nodes, stand)
    }

    /// Tells corrections, then the plies that are ready.
    pub(super) fn tell(&mut self, updates: &mut Vec<Update>, options: &Options) {
        let best = self.search.best();
        let (nodes, stand) = self.untold(&best.node);
        let at_home = self.go_home(&nodes);
        if stand < self.shown.len() {
            // The search has changed its mind; so do we, once it is sure, or nothing else speaks for what we said.
            let (ply, line) = self.shown.last().map_or((0, 0), |said| (said.node.ply, said.node.line_hash));
            let still = |h: &&Hypothesis<G>| h.node.at(ply).is_some_and(|node| node.line_hash == line);
            let better = self
                .search
                .hypotheses()
                .find(still)
                .is_none_or(|h| h.rank() - best.rank() >= limits::SURE_WHEN_REPLIED);
            if !better && !self.quiet {
                return;
            }
            // What makes no sense at all is no correction: the pieces may be being set up.
            let meant = self.shown[stand..]
                .iter()
                .any(|shown| shown.node.seen_at_rest.get() && shown.told.seconds.is_some());
            let sense = best.mismatched.count_ones() < if meant { 1 } else { limits::NO_SENSE };
            let tried = self.shown.len() == stand + 1 && self.shown[stand].told.seconds.is_none();
            // What was more than tried is withdrawn when play goes on otherwise.
            let instead = match nodes.first() {
                Some(node) => self.ready(node, at_home == nodes.len(), options),
                None => tried,
            };
            if !sense || !instead {
                return;
            }
            let back = self.shown.len() - stand > nodes.len();
            let withdrawn = self.withdraw(stand, updates);
            if back {
                self.undo(stand, withdrawn);
            }
        }
        let played = nodes.len() - at_home;
        for (number, node) in nodes.iter().enumerate() {
            if !self.ready(node, number >= played, options) {
                break;
            }
            self.show(node, updates);
        }
        self.refresh_clocks(updates);
    }

    /// Whether the move to `node`, on the best line, can be told. `at_home`: from there on the pieces of all moves go
    /// home, so that it may be the first that is set up for the next game.
    pub(super) fn ready(&self, node: &Node<G>, at_home: bool, options: &Options) -> bool {
        let best = self.search.best();
        let lead = self.search.lead(node.ply);
        // With a clock only a reply that was pressed is one: pieces that are set up again reply to each other.
        let clock = self.search.clock_in_use();
        let replied = best.node.ply > node.ply && (!clock || best.pressed(node.ply + 1).is_some());
        let long = |seconds| self.passed(node.completed_by.stamp.time(), seconds);
        let replied = replied && (!at_home || (!clock && long(limits::PUBLISH_LATEST)));
        let latest =
            long(if clock && at_home { limits::PUBLISH_LATEST_AT_HOME } else { limits::PUBLISH_LATEST });
        if (replied && lead >= limits::SURE_WHEN_REPLIED) || (latest && lead > 0.0 && best.mismatched == 0) {
            return true;
        }
        let settled = self.quiet || self.passed(self.changed, options.settle.max(limits::TICK));
        if clock {
            let Some(press) = best.pressed(node.ply) else {
                // Who mates need not press.
                return settled
                    && best.mismatched == 0
                    && lead >= limits::SURE
                    && !at_home
                    && node.game.ending().is_some();
            };
            // What the board contradicts may have been put back: the press was for another move.
            if best.node.ply == node.ply && best.mismatched & node.changed != 0 {
                return false;
            }
            // Who sets up the pieces may clear the clock meanwhile.
            if at_home && best.mismatched != 0 {
                return false;
            }
            // Where the piece could still go on the next look at the board decides, unless it was first seen there
            // after the press.
            let looked = self.quiet
                || self.now > press.stamp.time().max(node.completed_by.stamp.time())
                || node.hand.landing.is_some_and(|landing| press.index < landing.index)
                || node.onward == 0;
            looked && lead >= limits::SURE
        } else {
            best.mismatched == 0 && settled && !at_home && lead >= limits::SURE
        }
    }

    pub(super) fn begin(&mut self, updates: &mut Vec<Update>) {
        if !self.begun {
            self.begun = true;
            let start = GameStart {
                rules: self.start.rules(),
                fen: self.start.fen(),
                rotated: self.rotated,
                tags: Default::default(),
                comment: None,
            };
            updates.push(Update { game: self.number, time: self.began, event: GameEvent::Game(start) });
        }
    }

    pub(super) fn show(&mut self, node: &Rc<Node<G>>, updates: &mut Vec<Update>) {
        self.begin(updates);
        let mut told = Move::default();
        let time = node.completed_by.stamp.time();
        // Where play went on from a position that no move explains, the anomaly was told when it stood.
        if let (Some(parent), Some(mv)) = (&node.parent, &node.mv) {
            told = parent.game.describe(mv);
            told.ply = Some(node.ply);
            told.fen = node.game.fen();
            told.seconds = self.search.best().pressed(node.ply).map(|press| Seconds(press.seconds));
            told.guess = node.guess;
            told.claim = claim(node).map(str::to_owned);
            updates.push(Update { game: self.number, time, event: GameEvent::Move(Box::new(told.clone())) });
        }
        self.note_played(node, &told);
        self.shown.push(Shown { node: node.clone(), told, time });
    }

    /// Tells moves again whose clock time has become known, or another, after they were told.
    pub(super) fn refresh_clocks(&mut self, updates: &mut Vec<Update>) {
        let best = self.search.best();
        // A press is understood for good when the board is.
        let Some(first) = best.presses.oldest().filter(|_| best.mismatched == 0) else { return };
        for Shown { node, told, time } in self.shown.iter_mut().rev().take_while(|s| s.node.ply >= first.ply)
        {
            let seconds = best.pressed(node.ply).map(|press| Seconds(press.seconds));
            if seconds != told.seconds && told.ply.is_some() && best.node.leads_from(node) {
                told.seconds = seconds;
                let event = GameEvent::Move(Box::new(told.clone()));
                updates.push(Update { game: self.number, time: *time, event });
            }
        }
    }

    /// Withdraws all but the first moves told.
    pub(super) fn withdraw(&mut self, stand: usize, updates: &mut Vec<Update>) -> Vec<Shown<G>> {
        let withdrawn = self.shown.split_off(stand);
        let ply = self.plies_told();
        updates.push(Update {
            game: self.number,
            time: self.now,
            event: GameEvent::Takeback(Takeback { ply }),
        });
        withdrawn
    }

    /// The same game from the board's own log: a better search, and more of it that can be told, with its clock times.
    pub fn replace(&mut self, mut other: Play<G>, updates: &mut Vec<Update>) {
        self.search = other.search;
        self.gap = false;
        self.stuck = None;
        let mut alike = self.shown.iter().zip(&other.shown);
        if alike.all(|(told, other)| told.node.line_hash == other.node.line_hash)
            && self.shown.len() < other.shown.len()
        {
            self.begin(updates);
            let more = other.shown.split_off(self.shown.len());
            self.show_again(more, updates);
        }
    }

    /// Tells what was told of this game elsewhere, under this number.
    pub fn tell_again(&mut self, number: u32, updates: &mut Vec<Update>) {
        self.number = number;
        self.undone = None;
        if std::mem::take(&mut self.begun) {
            self.begin(updates);
        }
        let shown = std::mem::take(&mut self.shown);
        self.show_again(shown, updates);
    }

    /// Tells moves once more.
    pub(super) fn show_again(&mut self, moves: Vec<Shown<G>>, updates: &mut Vec<Update>) {
        for shown in moves {
            // Where play went on from an anomaly there is no move.
            if shown.told.ply.is_some() {
                let event = GameEvent::Move(Box::new(shown.told.clone()));
                updates.push(Update { game: self.number, time: shown.time, event });
            }
            self.shown.push(shown);
        }
    }

    /// The board's own log told this game to its end, under a number of its own: tells what was not told.
    pub fn complete_from<'a>(
        mut self,
        game: impl Iterator<Item = &'a Update>,
        end: End,
        updates: &mut Vec<Update>,
    ) {
        let mut last_word = LastWord::default();
        game.cloned().for_each(|told| last_word.add(told));
        let moves: Vec<(&Move, Option<Time>)> = last_word.moves().collect();
        let same = |(shown, (mv, _)): &(&Shown<G>, &(&Move, _))| {
            (&shown.told.uci, &shown.told.path) == (&mv.uci, &mv.path)
        };
        let common = self.shown.iter().zip(&moves).take_while(same).count();
        let mut stand = common;
        if end.reason == EndReason::NewGame && common == moves.len() {
            // A log knows of no rests: it may take for setting up what is known to have been played.
            let last = self.last_played();
            stand = stand.max(self.told_at(last.ply).map_or(0, |at| at + 1));
        }
        if stand < self.shown.len() {
            self.withdraw(stand, updates);
        }
        for &(mv, time) in &moves[common..] {
            updates.push(Update { game: self.number, time, event: GameEvent::Move(Box::new(mv.clone())) });
        }
        updates.push(Update { game: self.number, time: self.now, event: GameEvent::End(end) });
    }
}

/// A draw that could be claimed in this position.
fn claim<G: Game>(node: &Rc<Node<G>>) -> Option<&'static str> {
    let mut times = 1;
    let mut earlier = node.parent.clone();
    let mut left = node.game.reversible();
    while let Some(n) = earlier.filter(|_| left > 0) {
        left -= 1;
        if n.game.repeats(&node.game) {
            times += 1;
        }
        earlier = n.parent.clone();
    }
    if times >= 3 { Some("threefold") } else { node.game.claim() }
}
