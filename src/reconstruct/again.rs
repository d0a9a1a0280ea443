//! Looking again: when the best explanation has become dear within a few changes, something was not thought of.
//!
//! The search then goes back to where it was sound and hears the same once more, with wider limits and with what
//! came after in view: a piece may have landed where no one saw it, if what follows shows where that was.

use std::collections::VecDeque;

use super::{
    costs,
    event::Event,
    hypothesis::Hypothesis,
    search::{Boxes, Limits, Search, Seen},
    sides::Sides,
};
use crate::{
    record::Time,
    rules::{Candidate, Colour, Game, Squares, bit},
};

/// Changes between two places to go back to.
const STEP: u32 = 8;
/// So many of the best hypotheses are kept at each.
const LIKELY: usize = 12;
/// Places to go back to.
const STANDS: usize = 5;
/// No more is kept to be heard again: who plays with the lever of a clock makes no changes.
const LONGEST: usize = 512;
/// So many changes later at the earliest it is looked again, and after that, in vain, at the latest.
const WAIT: (u32, u32) = (4, 64);
/// So many replies are tried for what a piece did next.
const REPLIES: usize = 2;
/// How many changes a look ahead takes in.
const WINDOW: u32 = 16;

/// What a search hears of.
#[derive(Debug, Clone, Copy)]
pub enum Heard {
    /// See [`Search::change`].
    Change { square: u8, new: u8, quick: Option<bool>, time: Option<Time> },
    /// See [`Search::found`].
    Found { square: u8, new: u8, one_move: bool, time: Option<Time> },
    /// See [`Search::press`].
    Press { side: Colour, seconds: f64, time: Option<Time> },
    /// See [`Search::rest`].
    Rest,
    /// See [`Search::rest_long`].
    LongRest,
}

/// A place to go back to: what the search knew then.
struct Stand<G: Game> {
    /// What was heard up to here, counted as in [`Past::forgotten`].
    heard: u64,
    hypotheses: Boxes<G>,
    seen: Seen,
    rank: f32,
}

/// What was heard of late, and from where it can be heard again.
pub struct Past<G: Game> {
    heard: VecDeque<Heard>,
    /// How much was heard before the first of them.
    forgotten: u64,
    stands: VecDeque<Stand<G>>,
    /// From which change on it may be looked again.
    next: u32,
    wait: u32,
}

impl<G: Game> Past<G> {
    /// Nothing.
    pub fn new() -> Past<G> {
        Past { heard: VecDeque::new(), forgotten: 0, stands: VecDeque::new(), next: 0, wait: WAIT.0 }
    }

    /// What was heard cannot be heard again: the search learned of something else.
    pub fn forget(&mut self) {
        self.forgotten += self.heard.len() as u64;
        self.heard.clear();
        self.stands.clear();
    }
}

/// The pieces that come to squares from here on.
#[derive(Debug, Default)]
pub struct Ahead {
    landings: Vec<Landing>,
    /// So many more moves may be thought of that no one saw land.
    left: u32,
}

#[derive(Debug)]
struct Landing {
    index: u32,
    square: u8,
    code: u8,
}

impl Ahead {
    /// Whether a piece comes to a square soon after the change numbered `index`.
    fn lands(&self, square: u8, code: u8, index: u32) -> bool {
        self.soon(index).any(|l| l.square == square && l.code == code)
    }

    /// Whether another piece comes to a square.
    fn taken(&self, square: u8, code: u8, index: u32) -> bool {
        self.soon(index).any(|l| l.square == square && l.code != code)
    }

    fn soon(&self, index: u32) -> impl Iterator<Item = &Landing> {
        self.landings.iter().filter(move |l| l.index > index && l.index <= index + WINDOW)
    }
}

impl<G: Game> Search<G> {
    /// Takes in what was heard, and looks again where that makes no sense.
    pub(super) fn hear(&mut self, heard: Heard) {
        if self.past.heard.len() == LONGEST {
            self.past.forget();
        }
        if self.past.stands.is_empty() {
            self.stand();
        }
        self.take_in(heard);
        self.past.heard.push_back(heard);
        if self.sides.swapped() != self.sides.seem_swapped() {
            self.try_other_sides();
        }
        let rank = self.best().rank();
        let past = &self.past;
        let lately = past.stands.iter().rev().find(|stand| self.seen.index >= stand.seen.index + STEP);
        if self.seen.index >= past.next && lately.is_some_and(|stand| rank > stand.rank + costs::DEAR) {
            self.look_again();
        }
        if self.past.stands.back().is_none_or(|stand| self.seen.index >= stand.seen.index + STEP) {
            self.stand();
        }
    }

    /// Makes this a place to go back to.
    fn stand(&mut self) {
        let rank = self.best().rank();
        let past = &mut self.past;
        let stand = Stand {
            heard: past.forgotten + past.heard.len() as u64,
            hypotheses: self.hypotheses.iter().take(LIKELY).map(|h| Box::new(h.bare())).collect(),
            seen: self.seen,
            rank,
        };
        past.stands.push_back(stand);
        if past.stands.len() > STANDS {
            past.stands.pop_front();
            let old = past.stands[0].heard - past.forgotten;
            past.heard.drain(..old as usize);
            past.forgotten += old;
        }
    }

    /// What the search would be had it known, from the oldest place to go back to, what it knows now.
    fn again(&self, limits: Limits, sides: Sides) -> Option<Search<G>> {
        let past = &self.past;
        let stand = past.stands.front()?;
        let heard = past.heard.iter().skip((stand.heard - past.forgotten) as usize);
        let ahead = ahead(stand, heard.clone());
        let mut again = Search::of(stand.seen, stand.hypotheses.clone());
        (again.sides, again.limits, again.ahead) = (sides, limits, ahead);
        for &heard in heard {
            again.take_in(heard);
        }
        Some(again)
    }

    /// Hears again what was heard of late, wider, and takes what it makes of it if that is better; or any that makes
    /// something of the board as it stands, when nothing else does.
    pub(super) fn look_again(&mut self) {
        let Some(again) = self.again(Limits::wide(), self.sides) else { return };
        let stands = |search: &Search<G>| search.hypotheses().any(|h| h.mismatched == 0);
        let better = again.best().rank() + costs::BETTER_AGAIN < self.best().rank()
            || (stands(&again) && !stands(self));
        self.past.wait = if better { WAIT.0 } else { (2 * self.past.wait).min(WAIT.1) };
        self.past.next = self.seen.index + self.past.wait;
        if better {
            self.hypotheses = again.hypotheses;
            self.prune();
        }
    }

    /// The presses say that the clock stands the other way round: so it does if the game from its start makes more sense
    /// then.
    fn try_other_sides(&mut self) {
        let other = self.sides.turned();
        let again = if self.past.forgotten == 0 { self.again(Limits::usual(), other) } else { None };
        match again.filter(|again| again.best().rank() + costs::OTHER_SIDES <= self.best().rank()) {
            Some(again) => {
                (self.hypotheses, self.sides) = (again.hypotheses, other);
                self.prune();
                self.past.forget();
            }
            None => self.sides.undecided(),
        }
    }

    /// Adds the hypotheses in which a piece of the side to move that has left one of the squares `left` has landed
    /// where no one saw it, if what follows shows that: another piece comes there, or it goes on from there.
    pub(super) fn speculate(&mut self, parent: &Hypothesis<G>, event: &Event, left: Squares) {
        let left = left & parent.mismatched;
        let cost = costs::DEBT_RECAPTURE.min(costs::DEBT_WENT_ON);
        if self.ahead.left == 0 || left == 0 || parent.cost + cost > self.cost_limit {
            return;
        }
        let turn = parent.node.game.turn();
        for (number, first) in parent.moves().iter().enumerate() {
            let (from, to) = (bit(first.from), bit(first.to));
            let others = |(at, code): (u8, u8)| {
                bit(at) & (from | to) != 0 || parent.read_right(at, code, &self.seen.board)
            };
            if from & left == 0
                || Colour::of(self.seen.board[first.from as usize]) == Some(turn)
                || first.changed & !(from | to) & !parent.mismatched != 0
                || !first.changes().all(others)
            {
                continue;
            }
            let code = first.code_at(first.to).unwrap_or(first.piece);
            let cost = if self.ahead.taken(first.to, code, event.index) {
                costs::DEBT_RECAPTURE
            } else if self.goes_on(parent, number, first, code, event.index) {
                let choice = parent.position.after(number).moves().len().max(1) as f32;
                let en_prise = parent.position.after(number).game.en_prise(first.to);
                costs::DEBT_WENT_ON
                    + costs::CHOICE * choice.ln()
                    + if en_prise { costs::EN_PRISE } else { 0.0 }
            } else {
                continue;
            };
            if parent.cost + cost > self.cost_limit {
                continue;
            }
            self.ahead.left = self.ahead.left.saturating_sub(1);
            let mut child = parent.apply_move(number, event, &self.seen.board, self.clock_in_use());
            child.cost += cost;
            if child.cost > self.cost_limit {
                continue;
            }
            if self.seen.board[first.to as usize] != code {
                child.mismatched |= to;
            }
            self.expand(&child, event, !0, 1);
            self.children.push(child);
        }
    }

    /// Whether what is heard was heard before.
    pub(super) fn looks_again(&self) -> bool {
        !self.ahead.landings.is_empty()
    }

    /// The same for the hypotheses just found.
    pub(super) fn speculate_further(&mut self, event: &Event) {
        if self.ahead.left == 0 {
            return;
        }
        let mut found = std::mem::take(&mut self.children);
        for hypothesis in &mut found {
            hypothesis.update_rank();
            self.cost_limit = self.cost_limit.min(hypothesis.rank() + self.limits.margin);
        }
        let mut at = 0;
        while at < found.len() {
            self.speculate(&found[at], event, !0);
            found.append(&mut self.children);
            at += 1;
        }
        self.children = found;
    }

    /// Whether, after an unseen first move, a reply and the next move of the same piece will be seen.
    fn goes_on(
        &self,
        parent: &Hypothesis<G>,
        number: usize,
        first: &Candidate<G::Move>,
        code: u8,
        index: u32,
    ) -> bool {
        if !self.ahead.soon(index).any(|l| l.code == code && G::may_go(code, first.to, code, l.square)) {
            return false;
        }
        let after = parent.position.after(number);
        let shown = |mv: &Candidate<G::Move>, code: u8| {
            self.ahead.lands(mv.to, code, index)
                || (parent.mismatched & bit(mv.to) != 0 && self.seen.board[mv.to as usize] == code)
        };
        let replies = after.moves().iter().enumerate().filter(|(_, second)| {
            second.to != first.to && shown(second, second.code_at(second.to).unwrap_or(second.piece))
        });
        // One reply is as good as another for where the piece can go then.
        replies.take(REPLIES).any(|(number, _)| {
            let next = after.after(number).moves();
            next.iter().any(|third| third.from == first.to && shown(third, code))
        })
    }
}

/// The pieces that come to squares in what is heard after a stand.
fn ahead<'a, G: Game>(stand: &Stand<G>, heard: impl Iterator<Item = &'a Heard>) -> Ahead {
    let (mut board, mut index) = (stand.seen.board, stand.seen.index);
    let mut landings = Vec::new();
    for heard in heard {
        if let Heard::Change { square, new, .. } | Heard::Found { square, new, .. } = *heard
            && board[square as usize] != new
        {
            board[square as usize] = new;
            index += 1;
            if new != 0 {
                landings.push(Landing { index, square, code: new });
            }
        }
    }
    Ahead { landings, left: costs::SPECULATIONS }
}
