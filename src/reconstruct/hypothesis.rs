//! A hypothesis: a game that may have been played, and what it leaves unexplained.
//!
//! It stands at a node of the tree of games. What the board shows otherwise than the node's position is in
//! [`Hypothesis::mismatched`] and [`Hypothesis::captured_standing`]; the changes that came since and that no move has
//! explained are in [`Hypothesis::unexplained`]. At all times: a mismatched square has changed since it was
//! right, one that is neither mismatched nor of a captured man reads as the position has it; costs never fall; and the rank is the cost with a
//! price for each change not explained.
//!
//! * this file: what a hypothesis is, and what a change, a press and a rest do to it;
//! * [`apply_move`]: what it becomes when a legal move was played; [`order`]: what order and time say about that;
//! * [`presses`]: its presses of the clock; [`ruled`]: what an arbiter ruled instead; [`illegal`]: its illegal move that was pressed;
//!   [`displaced`]: what stands aside.
//!
//! The beam shows it what is observed, the proposals make children of it, the tracked game reads it.
//!
//! Circle: what a change, a press and a rest do to it hangs on an illegal move that it may have made, a subject of its own.

mod apply_move;
mod displaced;
mod illegal;
mod order;
pub mod presses;
mod ruled;

use std::rc::Rc;

use self::presses::{Press, PressLedger};
use super::{
    costs::{Account, Deviation},
    limits,
    observe::{BoardState, event::Event},
    tree::{node::Node, position::Position},
};
use crate::{
    record::Time,
    rules::{Candidate, Colour, Game, Squares, bit, set_of, squares},
};

/// The changes that a hypothesis has not explained, oldest first: mostly a few, never more than
/// [`limits::UNEXPLAINED`].
type Unexplained = Vec<Event>;

/// See the module.
#[derive(Clone)]
pub struct Hypothesis<G: Game> {
    /// The position, and the game up to it.
    pub node: Rc<Node<G>>,
    /// The position of the node, with what may follow.
    pub position: Rc<Position<G>>,
    /// What all that was explained cost.
    account: Account,
    rank: f32,
    /// The rank is that of what it has paid and leaves unexplained by now.
    is_ranked: bool,
    /// The squares on which the board differs from the position, but for those of [`Hypothesis::captured_standing`].
    pub mismatched: Squares,
    /// The squares on which captured men still stand, and those that the board shows otherwise because an arbiter ruled so, or a
    /// piece was knocked aside.
    pub captured_standing: Squares,
    /// Changes that no move has explained, oldest first.
    pub unexplained: Unexplained,
    /// The number of the last change.
    last_change: u32,
    /// The presses of the last plies.
    pub presses: PressLedger,
    /// What it had paid when who is to move pressed after an illegal move, which stands; none where nobody did.
    illegal: Option<f32>,
    /// It goes back to an earlier position by moves that came by turns, as legal ones do, and were not pressed; and nobody has
    /// pressed since.
    pub went_back_by_turns: bool,
    /// The piece of a move that was withdrawn, by its square before that, and from where it was taken up to be put elsewhere.
    pub taken_up: Option<(u8, u8)>,
    /// It goes back by agreement behind what was pressed and stood, and nobody has pressed since: who looks at a game that is over
    /// does not.
    pub awaits_press: bool,
    /// Other games of late that led to the same, none where there are none.
    merged: Option<Rc<Vec<Merged<G>>>>,
}

/// A game that led to the same position and left the same over: it has the same future, and was given up for the better one.
#[derive(Clone)]
pub struct Merged<G: Game> {
    /// Where it led.
    pub node: Rc<Node<G>>,
    /// By how much it was dearer.
    pub dearer: f32,
}

impl<G: Game> Hypothesis<G> {
    /// The start: nothing played. `itemised`: it keeps what it pays for.
    pub fn start(game: G, itemised: bool, time: Option<Time>) -> Hypothesis<G> {
        let node = Rc::new(Node::root(&Position::new(game), time));
        Hypothesis::stand_at(node, Account::new(itemised))
    }

    /// A hypothesis that stands at `node` with nothing unexplained, as a guess or a correction.
    pub fn stand_at(node: Rc<Node<G>>, account: Account) -> Hypothesis<G> {
        Hypothesis {
            position: Position::new(node.game.clone()),
            node,
            rank: account.total(),
            is_ranked: false,
            account,
            mismatched: 0,
            captured_standing: 0,
            unexplained: Vec::new(),
            last_change: 0,
            presses: PressLedger::default(),
            illegal: None,
            went_back_by_turns: false,
            taken_up: None,
            awaits_press: false,
            merged: None,
        }
    }

    /// Remembers a hypothesis that was given up for this one because it has the same future.
    pub fn merge(&mut self, node: Rc<Node<G>>, dearer: f32) {
        if node.line_hash == self.node.line_hash || dearer > limits::MERGED_WITHIN {
            return;
        }
        let mut merged: Vec<Merged<G>> = Vec::with_capacity(limits::MERGED);
        let of_late = |m: &&Merged<G>| {
            m.node.ply + limits::DOUBTED as u32 >= self.node.ply && m.node.line_hash != node.line_hash
        };
        merged.extend(self.merged().filter(of_late).take(limits::MERGED - 1).cloned());
        merged.insert(0, Merged { node, dearer });
        self.merged = Some(Rc::new(merged));
    }

    /// The games of late that were given up for this one, the last one first.
    pub fn merged(&self) -> impl Iterator<Item = &Merged<G>> {
        self.merged.iter().flat_map(|merged| merged.iter())
    }

    /// The same without what was worked out of its position: it takes far less room.
    pub fn bare(&self) -> Hypothesis<G> {
        Hypothesis { position: Position::new(self.position.game.clone()), ..self.clone() }
    }

    /// A move by which what is left over was explained, and nobody knew it before: no guess where its piece was seen to come to
    /// where it stands, and the move before it was none.
    pub fn as_seen_to_land(&self, mut last: Rc<Node<G>>) -> Rc<Node<G>> {
        let stands = last.game.placement().codes()[usize::from(last.to)];
        let seen =
            self.unexplained.iter().any(|event| event.seen && (event.square, event.new) == (last.to, stands));
        let surely = seen && last.parent.as_ref().is_none_or(|before| !before.guess);
        if let Some(last) = Rc::get_mut(&mut last).filter(|_| surely) {
            last.guess = false;
        }
        last
    }

    /// A hypothesis that stands at `node` instead, with nothing unexplained and all
    /// squares right: it begins at this cost, and pays this deviation.
    pub fn instead(
        &self,
        node: Rc<Node<G>>,
        begins_at: f32,
        deviation: Deviation,
        times: f32,
    ) -> Hypothesis<G> {
        let mut instead = Hypothesis::stand_at(node, self.account.at(begins_at));
        instead.charge_times(deviation, times);
        instead
    }

    /// A hypothesis that stands at an earlier node of this one's game, with the same presses.
    pub fn back_at(&self, node: Rc<Node<G>>, account: Account) -> Box<Hypothesis<G>> {
        Box::new(Hypothesis {
            captured_standing: self.captured_standing,
            last_change: self.last_change,
            presses: self.presses.clone(),
            went_back_by_turns: self.went_back_by_turns,
            awaits_press: self.awaits_press,
            merged: self.merged.clone(),
            ..Hypothesis::stand_at(node, account)
        })
    }

    /// The code that should stand on a square.
    pub fn expected(&self, square: u8) -> u8 {
        self.position.code(square)
    }

    /// The moves that may be complete on what stands, and change one of the squares that are `touched`: all their squares read
    /// otherwise. A few that do not touch these may be among them.
    pub fn nearly_complete<'a>(
        &'a self,
        state: &BoardState,
        touched: Squares,
    ) -> impl Iterator<Item = Candidate<G::Move>> + use<'a, G> {
        let left = self.mismatched | self.captured_standing;
        let came = self.may_have_come(self.node.game.turn(), left, state);
        self.position.moves_touching(touched, left, came)
    }

    /// What it ranks by: its cost and what it will have to pay for the unexplained, as last weighed.
    pub fn rank(&self) -> f32 {
        self.rank
    }

    /// What it has paid.
    pub fn cost(&self) -> f32 {
        self.account.total()
    }

    /// What it has paid, for one that takes its place.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Charges a deviation that is not of its last move.
    pub fn charge_times(&mut self, deviation: Deviation, times: f32) {
        self.is_ranked = false;
        self.account.charge_times(deviation, times);
    }

    /// Charges deviations of its last move, before anything else has followed from it.
    pub fn charge_move(&mut self, together: &[(Deviation, f32)]) {
        self.is_ranked = false;
        self.account.charge_all(together);
        if let Some(node) = Rc::get_mut(&mut self.node) {
            node.charges.extend(self.account.take_charges());
        }
    }

    /// Ranks it anew after its cost or what it leaves unexplained has changed.
    pub fn update_rank(&mut self) {
        if std::mem::replace(&mut self.is_ranked, true) {
            return;
        }
        // A move's changes come close together: what stays unexplained grows old.
        let now = self.last_change;
        let old = |e: &Event| now.saturating_sub(e.index + limits::FRESH) as f32 * Deviation::Ageing.price();
        // A piece that is off its square may have passed wherever it was seen since.
        let lifted = |e: &Event| {
            e.new == 0 && self.mismatched & bit(e.square) != 0 && self.expected(e.square) == e.old
        };
        let is_under_way = |code: u8| self.unexplained.iter().any(|e| e.old == code && lifted(e));
        let weight = |e: &Event| {
            let right = self.mismatched & bit(e.square) == 0 && (e.old == 0 || e.new == 0);
            // What was lifted from its own square and put back did not pass there: it was touched, twice a change.
            if right && self.expected(e.square) == e.old | e.new {
                Deviation::AdjustOwn.price() / 2.0
            } else if right && is_under_way(e.old | e.new) {
                Deviation::PassedBy.price()
            } else {
                Deviation::Unexplained.price() + old(e).min(Deviation::Stray.price())
            }
        };
        self.rank = self.cost() + self.unexplained.iter().map(weight).sum::<f32>();
    }

    /// Takes note of a change of the board.
    pub fn observe(&mut self, event: &Event) {
        self.is_ranked = false;
        self.last_change = event.index;
        self.goes_on_from_illegal(event);
        if self.position.game.dead() & bit(event.square) != 0 {
            self.speaks(event.square, event.new);
        }
        let right = event.new == self.expected(event.square);
        let captured_stood = self.captured_standing & bit(event.square) != 0;
        self.captured_standing &= !bit(event.square);
        if right && captured_stood {
            self.update_rank();
            return;
        }
        if right {
            self.mismatched &= !bit(event.square);
            if !self.unexplained.iter().any(|e| e.square == event.square) {
                // It was wrong without an unexplained change: the end of a transit.
                self.account.charge(Deviation::Transit);
                self.update_rank();
                return;
            }
        } else {
            self.mismatched |= bit(event.square);
        }
        if self.unexplained.len() == limits::UNEXPLAINED {
            // To make room.
            let oldest = self.unexplained[0].square;
            let (deviation, pairs) = self.give_up(oldest, self.node.game.turn());
            self.account.charge_times(deviation, pairs);
        }
        self.unexplained.push(*event);
        self.update_rank();
    }

    /// A square that was taken for dead tells of a piece, or of none.
    fn speaks(&mut self, square: u8, new: u8) {
        let game = &self.position.game;
        let read_late = new != 0 && game.placement().codes()[square as usize] == new;
        self.position = Position::new(game.with_dead(game.dead() & !bit(square)));
        self.account.charge(if read_late { Deviation::ReadLate } else { Deviation::DeadSpoke });
        if self.expected(square) != 0 {
            self.mismatched |= bit(square);
        }
    }

    /// A square that is empty tells that it became empty.
    pub fn emptied_again(&mut self, square: u8) {
        if self.position.game.dead() & bit(square) != 0 {
            self.is_ranked = false;
            // It does so of the piece that was thought to stand there unheard.
            self.speaks(square, self.position.game.placement().codes()[square as usize]);
        }
    }

    /// Takes a square for dead: its last move ended there, or its piece is not seen any more.
    pub fn take_for_dead(&mut self, square: u8) {
        let game = &self.position.game;
        let game = game.with_dead(game.dead() | bit(square));
        self.mismatched &= !bit(square);
        if let Some(node) = Rc::get_mut(&mut self.node) {
            node.game = game.clone();
        }
        self.position = Position::new(game);
    }

    /// The same game on a board of which the one square that reads otherwise, and was seen to become empty, has died under its
    /// piece.
    pub fn died_under(&self, state: &BoardState) -> Option<Box<Hypothesis<G>>> {
        let square = self.mismatched.trailing_zeros() as u8;
        // Men of draughts are taken off when their captor has landed elsewhere.
        if G::CAPTURES_BY_JUMPING
            || self.mismatched.count_ones() != 1
            || self.expected(square) == 0
            || state.code(square) != 0
            || !self.unexplained.iter().any(|e| e.square == square && e.new == 0 && e.seen)
        {
            return None;
        }
        // A king that is gone from where it began may be castling, and read late where it went.
        let begins_there = || {
            let start = self.node.walk_back().last();
            start
                .is_some_and(|start| start.game.placement().codes()[square as usize] == self.expected(square))
        };
        if G::announces(self.expected(square)) && begins_there() {
            return None;
        }
        let mut died = self.clone();
        died.take_for_dead(square);
        died.unexplained.retain(|e| e.square != square);
        died.charge_times(Deviation::DeadSquare, 1.0);
        Some(Box::new(died))
    }

    /// Whether its last move was complete only after the square that reads otherwise had changed: the game went on.
    pub fn went_on_without(&self) -> bool {
        let since = self.unexplained.iter().rev().find(|e| self.mismatched & bit(e.square) != 0);
        since.is_some_and(|e| e.index < self.node.completed_by.index)
    }

    /// Gives up explaining all changes of a square, which `mover` may have made: what they were instead, adjusting or
    /// straying, and how often.
    fn give_up(&mut self, square: u8, mover: Colour) -> (Deviation, f32) {
        let (mut count, mut colour) = (0, None);
        self.unexplained.retain(|e| {
            if e.square == square {
                count += 1;
                colour = e.colour();
            }
            e.square != square
        });
        let right = self.mismatched & bit(square) == 0;
        let deviation = match colour {
            _ if !right => Deviation::Stray,
            Some(colour) if colour == mover => Deviation::AdjustOwn,
            _ => Deviation::AdjustOther,
        };
        (deviation, (count as f32 / 2.0).ceil())
    }

    /// The squares that a piece of `side` may have come to, by what they read or have read; `mismatched` are those that are not
    /// as they should be.
    pub fn may_have_come(&self, side: Colour, mismatched: Squares, state: &BoardState) -> Squares {
        if G::CAPTURES_BY_JUMPING || self.position.game.dead() != 0 {
            return !0;
        }
        let have_read = self.unexplained.iter().filter(|e| Colour::of(e.old) == Some(side));
        mismatched & state.pieces(side) | set_of(have_read.map(|e| e.square))
    }

    /// Whether the side that has moved may be done: the board shows nothing of its pieces otherwise.
    pub fn may_be_meant(&self, state: &BoardState) -> bool {
        let moved = Some(self.node.game.turn().other());
        let of_moved = |at| Colour::of(self.expected(at)) == moved || Colour::of(state.code(at)) == moved;
        !squares(self.mismatched).any(of_moved)
    }

    /// Whether a piece of a side stands where it should not.
    pub fn has_misplaced(&self, side: Colour, state: &BoardState) -> bool {
        squares(self.mismatched).any(|at| Colour::of(state.code(at)) == Some(side))
    }

    /// Whether a move's squares read as they should after it, or did so before a reply changed them, or still show a
    /// captured man.
    pub fn is_complete(&self, candidate: &Candidate<G::Move>, state: &BoardState) -> bool {
        let stands = candidate.captured_standing & !self.mismatched;
        let gone_on = self.gone_on(candidate);
        let done = stands | gone_on;
        candidate.changed & !done & !self.mismatched & !self.captured_standing == 0
            && candidate.changes().all(|(at, code)| {
                let right = done & bit(at) != 0 || self.read_right(at, code, state);
                right || at == candidate.from && self.refilled(candidate).is_some()
            })
    }

    /// The number of the change with which another piece of the mover's came to the square that this move had left: his next
    /// move, before it was known that this one, or the one before it, had landed on a square that was read late.
    fn refilled(&self, candidate: &Candidate<G::Move>) -> Option<u32> {
        let on = |at: u8| self.unexplained.iter().filter(move |e| e.square == at);
        let came = on(candidate.from).next_back()?;
        let left = on(candidate.from).any(|e| e.old == candidate.piece && e.new == 0);
        let landed = on(candidate.to).next_back()?;
        let late = landed.index > came.index && Some(landed.new) == candidate.code_at(candidate.to);
        let own = came.old == 0 && Colour::of(came.new) == Some(self.node.game.turn());
        let known_late = late || self.node.completed_by.index > came.index;
        (left && own && known_late).then_some(came.index)
    }

    /// The square of a move on which a castling rook was seen to stand, and which it has left: the next move of its side may
    /// begin before the scan has found the king, or the rook where it was.
    fn gone_on(&self, candidate: &Candidate<G::Move>) -> Squares {
        let rooks =
            candidate.placed.iter().filter(|&&(at, _)| at != candidate.to && candidate.placed.len() > 1);
        let gone_on = rooks.filter(|&&(at, code)| self.went_on_from(at, code).is_some());
        set_of(gone_on.map(|&(at, _)| at))
    }

    /// The number of the last change of a square, if with it a piece left on which it had been seen to stand.
    fn went_on_from(&self, at: u8, code: u8) -> Option<u32> {
        let last = self.unexplained.iter().rev().find(|e| e.square == at)?;
        let came = self.unexplained.iter().any(|e| e.square == at && e.new == code);
        (came && last.old == code && last.new == 0).then_some(last.index)
    }

    /// Whether a square reads `code`, or did so before a reply changed it.
    pub fn read_right(&self, at: u8, code: u8, state: &BoardState) -> bool {
        state.code(at) == code || self.overwritten(at, code).is_some()
    }

    /// The number of the change with which the reply took a square that had read `code` and where its piece stands.
    fn overwritten(&self, at: u8, code: u8) -> Option<u32> {
        let reply = self.node.game.turn().other();
        let mut later = self.unexplained.iter().rev().filter(|e| e.square == at).peekable();
        let last = *later.peek()?;
        // A piece that comes to a square which another has just left may leave no scan to see it empty.
        let left = |e: &Event| code == 0 && e.new != 0 && e.old == self.expected(at);
        if Colour::of(last.new) != Some(reply) && !left(last) {
            return None;
        }
        later.find(|e| e.old == code || left(e)).map(|e| e.index)
    }

    /// The board rests, or has rested for a further part of what makes a rest. `seen`: by now for so long that what stands was
    /// seen at rest.
    pub fn rest(&mut self, part: f32, seen: bool) {
        self.charge_open(Deviation::RestMismatched, part * self.mismatched.count_ones() as f32);
        if seen && self.mismatched == 0 {
            self.node.seen_at_rest.set(true);
        }
    }

    /// The poll that told of a press of `side` is over: who presses has let go, so that a piece of theirs which is not where it
    /// should be is odd.
    pub fn told_press(&mut self, side: Colour, odd: f32, state: &BoardState) {
        // The scan may find an illegal move only after its press.
        if self.illegal.is_none() && self.presses.is_ahead(side) {
            self.note_illegal(side, state);
        }
        let missing = |at| Colour::of(self.expected(at)) == Some(side);
        if self.has_misplaced(side, state) || squares(self.mismatched).any(missing) {
            self.charge_open(Deviation::PressedOpen, odd);
        }
    }

    /// The poll that told of the last changes is over: mostly no hand is at work then, and no square is as it should not be.
    pub fn told_changes(&mut self, odd: f32) {
        if self.mismatched != 0 {
            self.charge_times(Deviation::PolledOpen, odd);
        }
    }

    /// A side's clock was halted and shows `seconds`.
    pub fn press(&mut self, side: Colour, seconds: f64, state: &BoardState, time: Option<Time>) {
        (self.is_ranked, self.awaits_press) = (false, false);
        if std::mem::take(&mut self.went_back_by_turns) {
            // Who looks at a game again presses no clock, and who plays on with it seldom took back what was pressed.
            self.account.charge(Deviation::Takeback);
        }
        let turn = self.node.game.turn();
        if !self.presses.lacks(side) && !self.presses.is_ahead(side) {
            self.note_illegal(side, state);
        }
        let ply = if self.presses.lacks(side) {
            // The last move of this side: one or two plies back.
            if turn == side { self.node.ply.saturating_sub(1) } else { self.node.ply }
        } else {
            let seen = |e: &Event| e.colour() == Some(side) && self.mismatched & bit(e.square) != 0;
            self.account.charge(if self.presses.is_ahead(side) {
                Deviation::PressTwice
            } else if self.unexplained.iter().any(seen) {
                Deviation::PressEarly
            } else {
                Deviation::PressFirst
            });
            if turn == side { self.node.ply + 1 } else { self.node.ply + 2 }
        };
        if self.presses.lacks(side.other()) && self.presses.lacks(side) && turn == side {
            // The reply's press came first: two presses may arrive swapped, more is odd.
            self.account.charge(Deviation::ReplyBeforePress);
        }
        let (index, rests) = (state.index, state.rests);
        self.presses.add(side, Press { ply, seconds, index, rests, stamp: time.into() });
    }

    /// From where to where one piece went, if that is all that reads otherwise.
    pub fn moved(&self, state: &BoardState) -> Option<(u8, u8)> {
        let mut otherwise = squares(self.mismatched);
        let (one, other) = (otherwise.next()?, otherwise.next()?);
        if otherwise.next().is_some() {
            return None;
        }
        let went = |&(from, to): &(u8, u8)| {
            let piece = self.expected(from);
            piece != 0 && state.code(from) == 0 && state.code(to) == piece
        };
        [(one, other), (other, one)].into_iter().find(went)
    }

    /// The press of a ply, if it is known here.
    pub fn pressed(&self, ply: u32) -> Option<Press> {
        self.presses.of(ply)
    }

    /// Whether the last move was pressed and stood: it is not withdrawn any more.
    pub fn is_confirmed(&self) -> bool {
        self.confirms(&self.node)
    }

    /// The same of a move of its game.
    pub fn confirms(&self, node: &Node<G>) -> bool {
        node.seen_at_rest.get() && self.pressed(node.ply).is_some()
    }
}
