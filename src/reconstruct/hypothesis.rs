//! A hypothesis: a game that may have been played, with the observations that it leaves unexplained.
//!
//! It stands at a node of the tree of games. Squares on which the board differs from the node's position are in
//! [`Hypothesis::mismatched`] and [`Hypothesis::captured_standing`]; changes since then that no move has explained are
//! in [`Hypothesis::unexplained`]. Invariants: a mismatched square has changed since it was right; a square in neither
//! set reads as in the position; costs never fall; the rank is the cost plus a price for each unexplained change.
//!
//! - this file: the data of a hypothesis, and the effect of a change, a press and a rest;
//! - [`apply_move`]: the child after a legal move; [`order`]: deviations in order and time;
//! - [`presses`]: its presses of the clock; [`ruled`]: a ruling against the board; [`illegal`]: a pressed illegal move;
//!   [`displaced`]: pieces beside their squares.
//!
//! The beam passes it observations, the proposers make children of it, the tracked game reads it.
//!
//! Circle: the effect of a change, a press and a rest depends on an illegal move made before, a subject of its own.

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

/// The changes that a hypothesis has not explained, oldest first: usually a few, up to [`limits::UNEXPLAINED_MAX`].
type Unexplained = Vec<Event>;

/// See the module.
#[derive(Clone)]
pub struct Hypothesis<G: Game> {
    /// The node of the current position, with the game up to it.
    pub node: Rc<Node<G>>,
    /// The position of the node, with its legal moves.
    pub position: Rc<Position<G>>,
    /// The cost of everything that was explained.
    account: Account,
    rank: f32,
    /// Whether `rank` is up to date.
    is_ranked: bool,
    /// The squares on which the board differs from the position, but for those of [`Hypothesis::captured_standing`].
    pub mismatched: Squares,
    /// The squares with captured men still on the board, and those that differ because of a ruling or of a piece that
    /// was knocked aside.
    pub captured_standing: Squares,
    /// The changes that no move has explained, oldest first.
    pub unexplained: Unexplained,
    /// The number of the last change.
    last_change: u32,
    /// The presses of the last plies.
    pub presses: PressLedger,
    /// The cost before the side to move pressed after an illegal move, which is still on the board; none where there is
    /// no such move.
    illegal: Option<f32>,
    /// It went back to an earlier position by legal moves in turn that were not pressed, and no press has followed.
    pub went_back_by_turns: bool,
    /// The piece of a withdrawn move: its square before that move, and the square from which it was lifted to be put
    /// elsewhere.
    pub taken_up: Option<(u8, u8)>,
    /// It went back by agreement past a move that was pressed and stood, and no press has followed: players who analyse
    /// a finished game do not press.
    pub awaits_press: bool,
    /// Other recent games with the same position, none where there are none.
    merged: Option<Rc<Vec<Merged<G>>>>,
}

/// A game with the same position and the same open squares, hence the same future, that was dropped for a better one.
#[derive(Clone)]
pub struct Merged<G: Game> {
    /// Its last node.
    pub node: Rc<Node<G>>,
    /// Its rank less that of the better one.
    pub dearer: f32,
}

impl<G: Game> Hypothesis<G> {
    /// The start of a game. `itemised` accounts keep their charges.
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

    /// Remembers a hypothesis with the same future that was dropped for this one.
    pub fn merge(&mut self, node: Rc<Node<G>>, dearer: f32) {
        if node.line_hash == self.node.line_hash || dearer > limits::BEAM_MARGIN {
            return;
        }
        let mut merged: Vec<Merged<G>> = Vec::with_capacity(limits::MERGED_KEPT);
        let of_late = |m: &&Merged<G>| {
            m.node.ply + limits::RECENT_PLIES as u32 >= self.node.ply && m.node.line_hash != node.line_hash
        };
        merged.extend(self.merged().filter(of_late).take(limits::MERGED_KEPT - 1).cloned());
        merged.insert(0, Merged { node, dearer });
        self.merged = Some(Rc::new(merged));
    }

    /// The recent games that were dropped for this one, the last one first.
    pub fn merged(&self) -> impl Iterator<Item = &Merged<G>> {
        self.merged.iter().flat_map(|merged| merged.iter())
    }

    /// A copy without what was computed for its position, which takes far less memory.
    pub fn bare(&self) -> Hypothesis<G> {
        Hypothesis { position: Position::new(self.position.game.clone()), ..self.clone() }
    }

    /// The last node of an explanation found for the mismatched squares. It is no guess if its piece was seen to land
    /// there.
    pub fn as_seen_to_land(&self, mut last: Rc<Node<G>>) -> Rc<Node<G>> {
        let stands = last.game.placement().codes()[usize::from(last.to)];
        let seen =
            self.unexplained.iter().any(|event| event.seen && (event.square, event.new) == (last.to, stands));
        if let Some(last) = Rc::get_mut(&mut last).filter(|_| seen) {
            last.guess = false;
        }
        last
    }

    /// A hypothesis that stands at `node` instead, with nothing unexplained and no mismatched squares: it starts with
    /// this cost, and pays this deviation.
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

    /// The moves that may be complete on the board and change one of the squares `touched`: all their squares are
    /// mismatched. A few others may be among them.
    pub fn nearly_complete<'a>(
        &'a self,
        state: &BoardState,
        touched: Squares,
    ) -> impl Iterator<Item = Candidate<G::Move>> + use<'a, G> {
        let left = self.mismatched | self.captured_standing;
        let came = self.may_have_come(self.node.game.turn(), left, state);
        self.position.moves_touching(touched, left, came)
    }

    /// The rank, as last updated.
    pub fn rank(&self) -> f32 {
        self.rank
    }

    /// The cost.
    pub fn cost(&self) -> f32 {
        self.account.total()
    }

    /// The account, for a hypothesis that replaces this one.
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

    /// Updates the rank after a change of the cost or of the unexplained changes.
    pub fn update_rank(&mut self) {
        if std::mem::replace(&mut self.is_ranked, true) {
            return;
        }
        // The changes of a move come close together: what stays unexplained ages.
        let now = self.last_change;
        let old = |e: &Event| {
            now.saturating_sub(e.index + limits::FRESH_CHANGES) as f32 * Deviation::Ageing.price()
        };
        // A piece that is off its square may have passed wherever it was seen since.
        let lifted = |e: &Event| {
            e.new == 0 && self.mismatched & bit(e.square) != 0 && self.expected(e.square) == e.old
        };
        let is_under_way = |code: u8| self.unexplained.iter().any(|e| e.old == code && lifted(e));
        let weight = |e: &Event| {
            let right = self.mismatched & bit(e.square) == 0 && (e.old == 0 || e.new == 0);
            // A piece lifted and put back on its square did not pass there but was touched, which makes two changes.
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

    /// Adds a change of the board.
    pub fn observe(&mut self, event: &Event) {
        self.is_ranked = false;
        self.last_change = event.index;
        self.goes_on_from_illegal(event);
        if self.position.game.dead() & bit(event.square) != 0 {
            self.dead_square_reports(event.square, event.new);
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
                // The square was wrong without an unexplained change: the end of a transit.
                self.account.charge(Deviation::Transit);
                self.update_rank();
                return;
            }
        } else {
            self.mismatched |= bit(event.square);
        }
        if self.unexplained.len() == limits::UNEXPLAINED_MAX {
            // Room for the new change.
            let oldest = self.unexplained[0].square;
            let (deviation, pairs) = self.give_up(oldest, self.node.game.turn());
            self.account.charge_times(deviation, pairs);
        }
        self.unexplained.push(*event);
        self.update_rank();
    }

    /// A square that was taken for dead reports a piece, or that it is empty.
    fn dead_square_reports(&mut self, square: u8, new: u8) {
        let game = &self.position.game;
        let read_late = new != 0 && game.placement().codes()[square as usize] == new;
        self.position = Position::new(game.with_dead(game.dead() & !bit(square)));
        self.account.charge(if read_late { Deviation::ReadLate } else { Deviation::DeadReported });
        if self.expected(square) != 0 {
            self.mismatched |= bit(square);
        }
    }

    /// A square that reads empty reports that it became empty.
    pub fn emptied_again(&mut self, square: u8) {
        if self.position.game.dead() & bit(square) != 0 {
            self.is_ranked = false;
            // The report is about the piece that was assumed there.
            self.dead_square_reports(square, self.position.game.placement().codes()[square as usize]);
        }
    }

    /// Takes a square for dead: the last move ended there, or its piece is not seen any more.
    pub fn take_for_dead(&mut self, square: u8) {
        let game = &self.position.game;
        let game = game.with_dead(game.dead() | bit(square));
        self.mismatched &= !bit(square);
        if let Some(node) = Rc::get_mut(&mut self.node) {
            node.game = game.clone();
        }
        self.position = Position::new(game);
    }

    /// The same game with one more dead square: the only mismatched one, which was seen to become empty, died under its
    /// piece.
    pub fn died_under(&self, state: &BoardState) -> Option<Box<Hypothesis<G>>> {
        let square = self.mismatched.trailing_zeros() as u8;
        // Men of draughts that were captured are removed after their captor has landed elsewhere.
        if G::CAPTURES_BY_JUMPING
            || self.mismatched.count_ones() != 1
            || self.expected(square) == 0
            || state.code(square) != 0
            || !self.unexplained.iter().any(|e| e.square == square && e.new == 0 && e.seen)
        {
            return None;
        }
        // A king that has left its start square may be castling, and its landing may be read late.
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

    /// Whether the mismatched square changed before the last move was complete: the game went on without its piece.
    pub fn went_on_without(&self) -> bool {
        let since = self.unexplained.iter().rev().find(|e| self.mismatched & bit(e.square) != 0);
        since.is_some_and(|e| e.index < self.node.completed_by.index)
    }

    /// Removes the unexplained changes of a square, of which `mover` may be the cause: returns the deviation to charge
    /// for them, and its number.
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

    /// The squares that a piece of `side` may have come to, by their present and past codes; `mismatched` are the open
    /// squares.
    pub fn may_have_come(&self, side: Colour, mismatched: Squares, state: &BoardState) -> Squares {
        if G::CAPTURES_BY_JUMPING || self.position.game.dead() != 0 {
            return !0;
        }
        let have_read = self.unexplained.iter().filter(|e| Colour::of(e.old) == Some(side));
        mismatched & state.pieces(side) | set_of(have_read.map(|e| e.square))
    }

    /// Whether the side that has moved may be done: no mismatched square is about its pieces.
    pub fn may_be_meant(&self, state: &BoardState) -> bool {
        let moved = Some(self.node.game.turn().other());
        let of_moved = |at| Colour::of(self.expected(at)) == moved || Colour::of(state.code(at)) == moved;
        !squares(self.mismatched).any(of_moved)
    }

    /// Whether a piece of a side is on a mismatched square.
    pub fn has_misplaced(&self, side: Colour, state: &BoardState) -> bool {
        squares(self.mismatched).any(|at| Colour::of(state.code(at)) == Some(side))
    }

    /// Whether the squares of a move read as they should after it, or did so before a reply changed them, or still have
    /// a captured man.
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

    /// The number of the change with which another piece of the mover came to the square that this move had left: the
    /// mover's next move, seen before the late landing of this one or of the reply.
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

    /// The square of a castling rook that was seen there and has left: the next move of its side may begin before the
    /// scan has found the king, or the rook's own square.
    fn gone_on(&self, candidate: &Candidate<G::Move>) -> Squares {
        let rooks =
            candidate.placed.iter().filter(|&&(at, _)| at != candidate.to && candidate.placed.len() > 1);
        let gone_on = rooks.filter(|&&(at, code)| self.went_on_from(at, code).is_some());
        set_of(gone_on.map(|&(at, _)| at))
    }

    /// The number of the last change of a square, if a piece left with it that had been seen there.
    fn went_on_from(&self, at: u8, code: u8) -> Option<u32> {
        let last = self.unexplained.iter().rev().find(|e| e.square == at)?;
        let came = self.unexplained.iter().any(|e| e.square == at && e.new == code);
        (came && last.old == code && last.new == 0).then_some(last.index)
    }

    /// Whether a square reads `code`, or did so before a reply changed it.
    pub fn read_right(&self, at: u8, code: u8, state: &BoardState) -> bool {
        state.code(at) == code || self.overwritten(at, code).is_some()
    }

    /// The number of the change with which the reply changed a square that had read `code`.
    fn overwritten(&self, at: u8, code: u8) -> Option<u32> {
        let reply = self.node.game.turn().other();
        let mut later = self.unexplained.iter().rev().filter(|e| e.square == at).peekable();
        let last = *later.peek()?;
        // A piece that comes to a square just left by another may leave no scan in which it is empty.
        let left = |e: &Event| code == 0 && e.new != 0 && e.old == self.expected(at);
        if Colour::of(last.new) != Some(reply) && !left(last) {
            return None;
        }
        later.find(|e| e.old == code || left(e)).map(|e| e.index)
    }

    /// The board rests, or has rested for a further `part` of a complete rest. `seen`: long enough for its position to
    /// count as seen at rest.
    pub fn rest(&mut self, part: f32, seen: bool) {
        self.charge_open(Deviation::RestMismatched, part * self.mismatched.count_ones() as f32);
        if seen && self.mismatched == 0 {
            self.node.seen_at_rest.set(true);
        }
    }

    /// The poll that reported a press of `side` is over: a player who presses has let go, so that a mismatched piece of
    /// that side is charged.
    pub fn press_poll_over(&mut self, side: Colour, odd: f32, state: &BoardState) {
        // The scan may find an illegal move only after its press.
        if self.illegal.is_none() && self.presses.is_ahead(side) {
            self.note_illegal(side, state);
        }
        let missing = |at| Colour::of(self.expected(at)) == Some(side);
        if self.has_misplaced(side, state) || squares(self.mismatched).any(missing) {
            self.charge_open(Deviation::PressedOpen, odd);
        }
    }

    /// The poll that reported the last changes is over: usually no hand is at work then, and no square is mismatched.
    pub fn change_poll_over(&mut self, odd: f32) {
        if self.mismatched != 0 {
            self.charge_times(Deviation::PolledOpen, odd);
        }
    }

    /// A side's clock was halted and shows `seconds`.
    pub fn press(&mut self, side: Colour, seconds: f64, state: &BoardState, time: Option<Time>) {
        (self.is_ranked, self.awaits_press) = (false, false);
        if std::mem::take(&mut self.went_back_by_turns) {
            // Players who analyse a game press no clock, and players who go on with it rarely took back a pressed move.
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
            // The reply's press came first: two presses may arrive swapped, more is unusual.
            self.account.charge(Deviation::ReplyBeforePress);
        }
        let (index, rests) = (state.index, state.rests);
        self.presses.add(side, Press { ply, seconds, index, rests, stamp: time.into() });
    }

    /// The squares that one piece left and reached, if nothing else is mismatched.
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

    /// The press of a ply, if it is remembered here.
    pub fn pressed(&self, ply: u32) -> Option<Press> {
        self.presses.of(ply)
    }

    /// Whether the last move was pressed and stood at rest, so that it is final.
    pub fn is_confirmed(&self) -> bool {
        self.confirms(&self.node)
    }

    /// The same for a move of its game.
    pub fn confirms(&self, node: &Node<G>) -> bool {
        node.seen_at_rest.get() && self.pressed(node.ply).is_some()
    }
}
