//! The search: what was most plausibly played on one board since the start of its game.
//!
//! A beam of hypotheses. Every change of the board is shown to all of them; where it completes a legal move,
//! a child is made and the parent stays, so that a stop on the way is undone by its better sibling.

use super::{
    again::{Ahead, Heard, Past},
    costs,
    event::Event,
    hypothesis::Hypothesis,
    sides::Sides,
};
use crate::{
    record::Time,
    rules::{Colour, Game, Squares, bit},
};

/// A piece that is lifted so many seconds after a press may have been on its way then.
const AT_ONCE: f64 = 1.0;
/// How many further moves one change can complete.
const CHAIN: usize = 3;

/// Hypotheses are large and sorted at each change: only their addresses are moved.
pub(super) type Boxes<G> = Vec<Box<Hypothesis<G>>>;

/// How far the search looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Hypotheses kept.
    pub beam: usize,
    /// A hypothesis this much worse than the best is given up.
    pub margin: f32,
}

impl Limits {
    /// The limits for what comes in.
    pub fn usual() -> Limits {
        Limits { beam: costs::BEAM, margin: costs::MARGIN }
    }

    /// The limits for looking again.
    pub fn wide() -> Limits {
        Limits { beam: costs::BEAM_AGAIN, margin: costs::MARGIN_AGAIN }
    }
}

/// What was seen of a game, whatever it means.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// What stands on the board.
    pub board: [u8; 64],
    /// The number of the last change.
    pub index: u32,
    /// See [`Event::rests`].
    pub rests: u32,
    /// The board says which changes were quick.
    pub tells_quick: bool,
    /// How many presses there were.
    pub presses: u32,
    /// The number of the change after which the board was first seen to rest.
    pub rested: Option<u32>,
}

/// The hypotheses about one game.
pub struct Search<G: Game> {
    pub(super) seen: Seen,
    pub(super) hypotheses: Boxes<G>,
    pub(super) sides: Sides,
    pub(super) limits: Limits,
    /// What was heard of late, for looking again.
    pub(super) past: Past<G>,
    /// What is known to come: only when looking again.
    pub(super) ahead: Ahead,
    /// The last press while the game's start stood: its side, its seconds and its time.
    started: Option<(Colour, f64, Option<Time>)>,
    /// What the hypotheses kept stand for: position, ply, wrong squares.
    kept: Vec<(u64, u32, Squares)>,
    pub(super) children: Boxes<G>,
    /// What costs more will not be kept: costs never fall.
    pub(super) cost_limit: f32,
}

impl<G: Game> Search<G> {
    /// A game that starts now, from `game`, on a board that shows its placement.
    pub fn new(game: G, time: Option<Time>) -> Search<G> {
        let board = *game.placement().codes();
        let seen = Seen { board, index: 0, rests: 0, tells_quick: false, presses: 0, rested: None };
        Search::of(seen, vec![Box::new(Hypothesis::start(game, 0, time))])
    }

    /// These hypotheses of what was seen.
    pub(super) fn of(seen: Seen, hypotheses: Boxes<G>) -> Search<G> {
        Search {
            seen,
            hypotheses,
            sides: Sides::default(),
            limits: Limits::usual(),
            past: Past::new(),
            ahead: Ahead::default(),
            started: None,
            kept: Vec::new(),
            children: Vec::new(),
            cost_limit: f32::INFINITY,
        }
    }

    /// What stands on the board.
    pub fn board(&self) -> &[u8; 64] {
        &self.seen.board
    }

    /// The hypotheses, best first; never empty.
    pub fn hypotheses(&self) -> impl Iterator<Item = &Hypothesis<G>> {
        self.hypotheses.iter().map(Box::as_ref)
    }

    /// The best hypothesis.
    pub fn best(&self) -> &Hypothesis<G> {
        &self.hypotheses[0]
    }

    /// Whether the players sit at the other sides of the clock than presses say.
    pub fn sides_swapped(&self) -> bool {
        self.sides.swapped()
    }

    /// What was learned of it before this game.
    pub fn expect_sides_swapped(&mut self, swapped: bool) {
        self.sides = Sides::expected(swapped);
    }

    /// Whether a clock is in use: the game has had a press.
    pub fn clock_in_use(&self) -> bool {
        self.seen.presses > 0
    }

    /// How much worse than the best the best hypothesis is that does not have the best's game up to `ply`.
    pub fn lead(&self, ply: u32) -> f32 {
        let best = self.best();
        let Some(line) = best.node.at(ply).map(|node| node.line_hash) else { return 0.0 };
        let other = |h: &&Hypothesis<G>| h.node.at(ply).is_none_or(|node| node.line_hash != line);
        self.hypotheses().find(other).map_or(f32::INFINITY, |rival| rival.rank() - best.rank())
    }

    /// A square changed. `quick`: within 250 ms of the change before; none: not said.
    pub fn change(&mut self, square: u8, new: u8, quick: Option<bool>, time: Option<Time>) {
        self.hear(Heard::Change { square, new, quick, time });
    }

    /// A square was found to have changed unseen. `one_move`: all that was missed can be one move.
    pub fn found(&mut self, square: u8, new: u8, one_move: bool, time: Option<Time>) {
        self.hear(Heard::Found { square, new, one_move, time });
    }

    /// A side's clock was halted and shows `seconds`.
    pub fn press(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        self.hear(Heard::Press { side, seconds, time });
    }

    /// Whether the board would have been seen to rest after the change of this number: a log knows of no rests.
    pub fn knows_rests_after(&self, index: u32) -> bool {
        self.seen.rested.is_some_and(|first| first < index)
    }

    /// The board rests as it stands.
    pub fn rest(&mut self) {
        self.hear(Heard::Rest);
    }

    /// The board has rested so long that no hand is at work: what stands was meant.
    pub fn rest_long(&mut self) {
        self.hear(Heard::LongRest);
    }

    /// Takes in what was heard.
    pub(super) fn take_in(&mut self, heard: Heard) {
        match heard {
            Heard::Change { square, new, quick, time } => {
                self.observe(self.event(square, new, time), quick, true);
            }
            Heard::Found { square, new, one_move, time } => {
                self.observe(Event { seen: false, ..self.event(square, new, time) }, None, one_move);
            }
            Heard::Press { side, seconds, time } if self.start_stands() => {
                self.started = Some((side, seconds, time));
            }
            Heard::Press { side, seconds, time } => self.pressed(side, seconds, time),
            Heard::Rest => {
                let index = self.seen.index;
                self.seen.rested = self.seen.rested.or((index > 0).then_some(index));
                for hypothesis in &mut self.hypotheses {
                    hypothesis.rest();
                }
                self.prune();
                self.keep_what_was_meant();
            }
            Heard::LongRest => self.rested_long(),
        }
    }

    fn pressed(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        let side = self.sides.pressed(side);
        self.seen.presses += 1;
        for hypothesis in &mut self.hypotheses {
            hypothesis.press(side, seconds, self.seen.index, self.seen.rests, time);
        }
        self.prune();
    }

    /// Nothing is played and all pieces are in their places.
    fn start_stands(&self) -> bool {
        self.best().node.ply == 0 && self.best().mismatched == 0
    }

    /// Clocks are tried and started before the first move: of presses before it only one counts that the side to
    /// move makes with its hand still at the first piece.
    fn press_at_the_start(&mut self, time: Option<Time>) {
        if let Some((side, seconds, then)) = self.started.take()
            && side == self.best().node.game.turn()
            && then.zip(time).is_none_or(|(then, time)| then.seconds_until(time) <= AT_ONCE)
        {
            self.pressed(side, seconds, then);
        }
    }

    fn rested_long(&mut self) {
        for hypothesis in self.hypotheses.iter().filter(|h| h.mismatched == 0) {
            hypothesis.node.stood_long.set(true);
        }
        if self.hypotheses.iter().all(|h| h.mismatched != 0) {
            return;
        }
        self.keep_what_was_meant();
        // Without a press to confirm it a move may still be withdrawn.
        for hypothesis in self.hypotheses.iter_mut().filter(|h| h.mismatched != 0) {
            hypothesis.cost += costs::LONG_WRONG;
        }
        self.prune();
    }

    /// A pressed move that stands on a board at rest was no stop on the way, nor the one before the last.
    fn keep_what_was_meant(&mut self) {
        let best = &self.hypotheses[0];
        let pressed = |h: &Hypothesis<G>| h.pressed(h.node.ply).is_some();
        if best.mismatched == 0 && pressed(best) {
            let unlikely = best.rank() + costs::UNPRESSED_AT_REST;
            self.hypotheses.retain(|h| h.mismatched == 0 && (pressed(h) || h.rank() < unlikely));
        }
    }

    /// The next change, as the board tells it.
    fn event(&self, square: u8, new: u8, time: Option<Time>) -> Event {
        let old = self.seen.board[square as usize];
        Event {
            index: self.seen.index + 1,
            square,
            old,
            new,
            rests: self.seen.rests,
            seen: true,
            stamp: time.into(),
        }
    }

    /// `completes`: whether moves may be complete with it.
    fn observe(&mut self, mut event: Event, quick: Option<bool>, completes: bool) {
        let Event { square, old, new, seen, .. } = event;
        // A board that says at times that a change was quick says of the others that they were not.
        self.seen.tells_quick |= quick.is_some();
        if seen && self.seen.tells_quick && quick != Some(true) {
            self.seen.rests += 1;
        }
        if old == new {
            return;
        }
        self.press_at_the_start(event.stamp.time());
        self.seen.board[square as usize] = new;
        self.seen.index = event.index;
        event.rests = self.seen.rests;
        self.sides.moved(event.colour());
        for hypothesis in &mut self.hypotheses {
            hypothesis.observe(&event);
        }
        let best = self.hypotheses().map(Hypothesis::rank).fold(f32::INFINITY, f32::min);
        let hopeless = best + self.limits.margin;
        self.cost_limit = hopeless;
        let parents = std::mem::take(&mut self.hypotheses);
        for parent in parents.iter().filter(|h| completes && h.rank() < hopeless) {
            // What was not seen to happen gives no order of several moves: one may have been hidden before what is seen.
            let in_order = parent.unexplained.iter().all(|e| e.seen);
            let (touched, chain) = match in_order {
                true => (bit(square), CHAIN),
                false if seen => (!0, 1),
                false => (bit(square), 0),
            };
            self.expand(parent, &event, touched, chain);
            self.children.extend(parent.without_last_move(&self.seen.board));
            if seen {
                if !self.looks_again() {
                    self.expand_debts(parent, &event, best);
                }
                self.expand_exchanges(parent, &event, best);
                self.speculate(parent, &event, bit(square));
            }
        }
        self.hypotheses = parents;
        self.speculate_further(&event);
        self.prune();
    }

    /// Puts a hypothesis that was found by other means beside the others.
    pub fn add(&mut self, hypothesis: Hypothesis<G>) {
        self.children.push(Box::new(hypothesis));
        self.prune();
        self.past.forget();
    }

    /// What stands is what counts: hypotheses that leave squares wrong give way to those that do not.
    pub fn prefer_standing(&mut self) {
        let standing = self
            .hypotheses()
            .filter(|h| h.mismatched == 0)
            .map(Hypothesis::rank)
            .fold(f32::INFINITY, f32::min);
        if standing == f32::INFINITY {
            return;
        }
        for hypothesis in &mut self.hypotheses {
            if hypothesis.mismatched != 0 && hypothesis.rank() <= standing {
                hypothesis.cost += standing - hypothesis.rank() + 1.0;
            }
        }
        self.prune();
        self.past.forget();
    }

    /// What leaves squares wrong is given up.
    pub fn keep_standing(&mut self) {
        if self.hypotheses.iter().any(|h| h.mismatched == 0) {
            self.hypotheses.retain(|h| h.mismatched == 0);
            self.past.forget();
        }
    }

    /// How many changes were seen.
    pub fn changes(&self) -> u32 {
        self.seen.index
    }

    /// Makes a child for every legal move whose squares all read right and one of which is `touched`.
    pub(super) fn expand(&mut self, parent: &Hypothesis<G>, event: &Event, touched: Squares, chain: usize) {
        let turn = parent.node.game.turn();
        let wrong = parent.mismatched | parent.captured_standing;
        if parent.mismatched.count_ones() < 2 || !parent.may_have_moved(turn, wrong, !0, !0, &self.seen.board)
        {
            return;
        }
        for (number, candidate) in parent.moves().iter().enumerate() {
            if candidate.changed & touched != 0 && parent.is_complete(candidate, &self.seen.board) {
                let child = parent.apply_move(number, event, &self.seen.board, self.clock_in_use());
                if child.cost > self.cost_limit {
                    continue;
                }
                if chain > 0 {
                    self.expand(&child, event, !0, chain - 1);
                }
                self.children.push(child);
            }
        }
    }

    pub(super) fn prune(&mut self) {
        self.hypotheses.append(&mut self.children);
        for hypothesis in &mut self.hypotheses {
            hypothesis.update_rank();
        }
        let limit =
            self.hypotheses().map(Hypothesis::rank).fold(f32::INFINITY, f32::min) + self.limits.margin;
        self.hypotheses.retain(|h| h.rank() <= limit);
        // Ranks are not negative, so their bits sort as they do.
        self.hypotheses.sort_by_cached_key(|h| h.rank().to_bits());
        // Two ways to the same position that leave the same over have the same future: the better one is enough.
        self.kept.clear();
        let (kept, beam) = (&mut self.kept, self.limits.beam);
        self.hypotheses.retain(|h| {
            let what = (h.node.placement_hash, h.node.ply, h.mismatched | h.captured_standing);
            let keep = kept.len() < beam && !kept.contains(&what);
            if keep {
                kept.push(what);
            }
            keep
        });
    }
}
