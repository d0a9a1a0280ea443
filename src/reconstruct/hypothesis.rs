//! A hypothesis: a legal position, how it came about, and what it has not explained yet.

use std::{cell::Cell, rc::Rc};

use arrayvec::ArrayVec;

use super::{
    costs,
    event::{Event, Stamp},
    node::Node,
    position::Position,
    timing::Hand,
};
use crate::{
    record::Time,
    rules::{Candidate, Colour, Game, Squares, bit, squares},
};

/// How many unexplained changes a hypothesis carries before the oldest are charged.
const UNEXPLAINED_AT_MOST: usize = 24;

/// A press, as a hypothesis understands it.
#[derive(Debug, Clone, Copy)]
pub struct Press {
    /// The ply it ended.
    pub ply: u32,
    /// What the clock showed.
    pub seconds: f64,
    /// The number of the last change before it.
    pub index: u32,
    /// See [`Event::rests`].
    pub rests: u32,
    /// When the host received it.
    pub stamp: Stamp,
}

/// See the module.
pub struct Hypothesis<G: Game> {
    /// The position, and the game up to it.
    pub node: Rc<Node<G>>,
    /// What all that was explained cost.
    pub cost: f32,
    rank: f32,
    /// The squares on which the board differs from the position, but for those of [`Hypothesis::late`].
    pub mismatched: Squares,
    /// The squares on which captured men still stand.
    pub captured_standing: Squares,
    /// Changes that no move has explained, oldest first.
    pub unexplained: ArrayVec<Event, UNEXPLAINED_AT_MOST>,
    /// The number of the last change.
    pub now: u32,
    /// Presses received less moves made, for each side: -1 made and not pressed, 1 pressed and not yet seen.
    pub press_balance: [i8; 2],
    /// The presses of the last plies.
    pub presses: ArrayVec<Press, 6>,
    /// The position of the node, with what may follow.
    pub position: Rc<Position<G>>,
}

impl<G: Game> Clone for Hypothesis<G> {
    fn clone(&self) -> Self {
        Hypothesis {
            node: self.node.clone(),
            cost: self.cost,
            rank: self.rank,
            mismatched: self.mismatched,
            captured_standing: self.captured_standing,
            unexplained: self.unexplained.clone(),
            now: self.now,
            press_balance: self.press_balance,
            presses: self.presses.clone(),
            position: self.position.clone(),
        }
    }
}

impl<G: Game> Hypothesis<G> {
    /// The start: nothing played.
    pub fn start(game: G, index: u32, time: Option<Time>) -> Hypothesis<G> {
        let done = Event { index, square: 0, old: 0, new: 0, rests: 0, seen: true, stamp: time.into() };
        let position = Position::new(game);
        let node = Node {
            parent: None,
            game: position.game.clone(),
            mv: None,
            ply: 0,
            placement_hash: position.hash,
            line_hash: 0,
            cost: 0.0,
            hand: Hand::default(),
            completed_by: done,
            changed: 0,
            to: 0,
            onward: 0,
            guess: false,
            seen_at_rest: Cell::new(true),
            stood_long: Cell::new(false),
        };
        Hypothesis::stand(Rc::new(node), position, 0.0)
    }

    /// A hypothesis that stands at `node` with nothing unexplained, as a guess or a correction.
    pub fn stand_at(node: Rc<Node<G>>, cost: f32) -> Hypothesis<G> {
        let position = Position::new(node.game.clone());
        Hypothesis::stand(node, position, cost)
    }

    fn stand(node: Rc<Node<G>>, position: Rc<Position<G>>, cost: f32) -> Hypothesis<G> {
        Hypothesis {
            node,
            cost,
            rank: cost,
            mismatched: 0,
            captured_standing: 0,
            unexplained: ArrayVec::new(),
            now: 0,
            press_balance: [0, 0],
            presses: ArrayVec::new(),
            position,
        }
    }

    /// The same without what was worked out of its position: it takes far less room.
    pub fn bare(&self) -> Hypothesis<G> {
        Hypothesis { position: Position::new(self.node.game.clone()), ..self.clone() }
    }

    /// The code that should stand on a square.
    pub fn expected(&self, square: u8) -> u8 {
        self.position.code(square)
    }

    /// The legal moves.
    pub fn moves(&self) -> &[Candidate<G::Move>] {
        self.position.moves()
    }

    /// What it ranks by: its cost and what it will have to pay for the unexplained, as last weighed.
    pub fn rank(&self) -> f32 {
        self.rank
    }

    /// Weighs it after its cost or what it leaves unexplained has changed.
    pub fn update_rank(&mut self) {
        // A move's changes come close together: what stays unexplained grows old.
        let now = self.now;
        let old = |e: &Event| now.saturating_sub(e.index + costs::FRESH) as f32 * costs::AGEING;
        // A piece that is off its square may have passed wherever it was seen since.
        let lifted = |e: &Event| {
            e.new == 0 && self.mismatched & bit(e.square) != 0 && self.expected(e.square) == e.old
        };
        let under_way = self.unexplained.iter().filter(|e| lifted(e)).fold(0u16, |set, e| set | 1 << e.old);
        let weight = |e: &Event| {
            let passed = self.mismatched & bit(e.square) == 0 && under_way >> (e.old | e.new) & 1 != 0;
            if passed && (e.old == 0 || e.new == 0) {
                costs::PASSED
            } else {
                costs::UNEXPLAINED + old(e).min(costs::STRAY)
            }
        };
        self.rank = self.cost + self.unexplained.iter().map(weight).sum::<f32>();
    }

    /// Takes note of a change of the board.
    pub fn observe(&mut self, event: &Event) {
        self.now = event.index;
        let right = event.new == self.expected(event.square);
        let late = self.captured_standing & bit(event.square) != 0;
        self.captured_standing &= !bit(event.square);
        if right && late {
            self.update_rank();
            return;
        }
        if right {
            self.mismatched &= !bit(event.square);
            if !self.unexplained.iter().any(|e| e.square == event.square) {
                // It was wrong without an unexplained change: the end of a transit.
                self.cost += costs::TRANSIT;
                self.update_rank();
                return;
            }
        } else {
            self.mismatched |= bit(event.square);
        }
        if self.unexplained.is_full() {
            self.forget_oldest();
        }
        self.unexplained.push(*event);
        self.update_rank();
    }

    /// Charges the oldest square's changes as strays, to make room.
    fn forget_oldest(&mut self) {
        let square = self.unexplained[0].square;
        self.settle_square(square);
    }

    /// Charges all changes of a square as adjusting or straying.
    fn settle_square(&mut self, square: u8) {
        let mover = self.node.game.turn();
        let (mut count, mut colour) = (0, None);
        self.unexplained.retain(|e| {
            if e.square == square {
                count += 1;
                colour = e.colour();
            }
            e.square != square
        });
        let pairs = (count as f32 / 2.0).ceil();
        let closed = self.mismatched & bit(square) == 0;
        let pair = match colour {
            _ if !closed => costs::STRAY,
            Some(colour) if colour == mover => costs::ADJUST_OWN,
            _ => costs::ADJUST_OTHER,
        };
        self.cost += pair * pairs;
    }

    /// Whether a piece of `side` that is not on its square, one of `from`, may have come to one of `to`, by what these
    /// read or have read; `wrong` are the squares that are not as they should be. Of most positions that tells, far
    /// sooner than their legal moves, that no move can be complete.
    pub fn may_have_moved(
        &self,
        side: Colour,
        mismatched: Squares,
        from: Squares,
        to: Squares,
        board: &[u8; 64],
    ) -> bool {
        if G::JUMPS {
            return true;
        }
        let of = |code: u8| Colour::of(code) == Some(side);
        let reads = squares(mismatched & to).map(|at| (at, board[at as usize]));
        let have_read =
            self.unexplained.iter().filter(|e| to & bit(e.square) != 0).map(|e| (e.square, e.old));
        let mut gone =
            squares(mismatched & from).map(|at| (self.expected(at), at)).filter(|&(piece, _)| of(piece));
        gone.any(|(piece, from)| {
            let mut come = reads.clone().chain(have_read.clone()).filter(|&(_, code)| of(code));
            come.any(|(at, code)| G::may_go(piece, from, code, at))
        })
    }

    /// Whether a candidate's squares read as they should after it, or did so before a reply changed them, or
    /// still show a captured man.
    pub fn is_complete(&self, candidate: &Candidate<G::Move>, board: &[u8; 64]) -> bool {
        let stands = candidate.captured_standing & !self.mismatched;
        candidate.changed & !stands & !self.mismatched & !self.captured_standing == 0
            && candidate.changes().all(|(at, code)| stands & bit(at) != 0 || self.read_right(at, code, board))
    }

    /// Whether a square reads `code`, or did so before a reply changed it.
    pub fn read_right(&self, at: u8, code: u8, board: &[u8; 64]) -> bool {
        board[at as usize] == code || self.overwritten(at, code).is_some()
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

    /// The hypothesis that the move of this number was played, completed by `event`. Squares of it that are not as
    /// they should be (`debt`) stay wrong.
    pub fn apply_move(
        &self,
        number: usize,
        event: &Event,
        board: &[u8; 64],
        clock_in_use: bool,
    ) -> Box<Hypothesis<G>> {
        let candidate = &self.moves()[number];
        let mover = self.node.game.turn();
        let previous = &self.node.completed_by;
        let mut cost = self.cost;
        let mut pending: ArrayVec<Event, UNEXPLAINED_AT_MOST> = ArrayVec::new();
        // How often the own squares changed beyond what the move needs, and how much came too early.
        let (mut changes, mut early, mut early_slow, mut unseen) = (0u32, 0u32, false, true);
        let (mut first, mut last) = (*event, None::<Event>);
        let (mut detours, mut reply): (Squares, Squares) = (0, 0);
        let replied = |e: &Event| {
            let code = candidate.code_at(e.square).filter(|&code| board[e.square as usize] != code);
            code.and_then(|code| self.overwritten(e.square, code)).is_some_and(|from| e.index >= from)
        };
        for e in &self.unexplained {
            let at = bit(e.square);
            let own = candidate.changed & at != 0;
            if own && replied(e) {
                reply |= at;
                pending.push(*e);
                continue;
            }
            let by_mover = e.colour() == Some(mover);
            if own || (by_mover && candidate.transit & at != 0) {
                if own && !passes(candidate, e) {
                    changes += 1;
                    // Once lifted a piece is not seen on its square again.
                    if e.square == candidate.from && e.new == candidate.piece {
                        cost += costs::HESITATE_FROM;
                    }
                } else if candidate.stops & at == 0 {
                    cost += costs::TRANSIT;
                    if !own && e.new != 0 && self.stood(e, event) {
                        cost += costs::STOOD;
                    }
                }
                if self.node.ply > 0 && e.index < previous.index && e.seen {
                    early += 1;
                    early_slow |= e.rests + 1 < previous.rests;
                }
                if own {
                    unseen &= !e.seen;
                    if e.index < first.index {
                        first = *e;
                    }
                    if last.is_none_or(|l| l.index < e.index) {
                        last = Some(*e);
                    }
                }
            } else if by_mover && self.is_detour(e, candidate.piece) && e.index > previous.index {
                detours |= at;
            } else {
                pending.push(*e);
            }
        }
        cost += costs::DETOUR * detours.count_ones() as f32;
        let needed = candidate.changed.count_ones() + u32::from(candidate.capture);
        cost += costs::HESITATE * (changes.saturating_sub(needed).div_ceil(2)) as f32;
        if early > 0 {
            cost += costs::OVERLAP + costs::OVERLAP_MORE * (early - 1).min(costs::OVERLAPS) as f32;
            if early_slow {
                cost += costs::OVERLAP_SLOW;
            }
        }
        let mut done = last.unwrap_or(*event);
        let hand = self.hand(candidate);
        let (mut owed, mut presses) = (self.press_balance, self.presses.clone());
        let (mine, theirs) = (mover.index(), mover.other().index());
        let ply = self.node.ply + 1;
        // A hand is back from the clock before it lifts the next piece: the press was this move's, and the one
        // of the move before was lost.
        if let Some(press) = presses
            .iter_mut()
            .rev()
            .find(|press| press.ply + 2 == ply && !self.presses.iter().any(|p| p.ply == ply))
            && hand.lift.is_some_and(|lift| press.index >= lift.index)
        {
            press.ply = ply;
            cost += costs::LIFTED_BEFORE_PRESS;
            owed[mine] = (owed[mine] + 1).min(1);
        }
        let pressed = presses.iter().rev().find(|press| press.ply == ply);
        cost += self.out_of_order(&hand) + pressed.map_or(0.0, |press| self.long_pressed(candidate, press));
        for e in &pending {
            if e.index < first.index && self.mismatched & bit(e.square) != 0 && e.seen {
                cost += if e.colour() == Some(mover) { costs::LEFT_OPEN_OWN } else { costs::LEFT_OPEN };
            }
        }
        if done.index < previous.index {
            done = Event { index: previous.index, rests: previous.rests, ..done };
        }
        if clock_in_use {
            if owed[mine] < 0 {
                cost += costs::NO_PRESS;
            }
            if owed[theirs] < 0 {
                cost += costs::REPLY_BEFORE_PRESS;
            }
        }
        owed[mine] = (owed[mine] - 1).max(-1);
        cost += self.went_on(candidate, &first);
        let late = candidate.captured_standing & !self.mismatched;
        cost += costs::LATE * late.count_ones() as f32;
        let after = self.position.after(number);
        let node = {
            let guess = (unseen && last.is_some()) || self.path_open(candidate);
            let mut node = Node::child(&self.node, candidate, after, done, guess);
            (node.cost, node.hand, node.onward) = (cost, hand, self.position.onward(number));
            node
        };
        let mut child = Box::new(Hypothesis {
            node: Rc::new(node),
            cost,
            rank: cost,
            mismatched: self.mismatched & !(candidate.changed & !reply),
            captured_standing: self.captured_standing & !candidate.changed | late,
            unexplained: pending,
            now: self.now,
            press_balance: owed,
            presses,
            position: after.clone(),
        });
        // A detour's square that is still wrong must have its end explained later.
        child.mismatched |= detours & self.mismatched;
        child.settle_before(mover);
        child
    }

    /// Whether the last move was pressed and stood: it is not withdrawn any more.
    pub fn is_confirmed(&self) -> bool {
        self.node.seen_at_rest.get() && self.pressed(self.node.ply).is_some()
    }

    /// The hypothesis that the last move was withdrawn: its squares read again as before it.
    pub fn without_last_move(&self, board: &[u8; 64]) -> Option<Box<Hypothesis<G>>> {
        let node = &self.node;
        if node.changed == 0 || node.changed & !self.mismatched != 0 || self.is_confirmed() {
            return None;
        }
        let before = node.parent.as_ref()?;
        let codes = before.game.placement().codes();
        if squares(node.changed).any(|at| board[at as usize] != codes[at as usize]) {
            return None;
        }
        let mover = before.game.turn();
        let piece =
            codes[squares(node.changed).find(|&at| Colour::of(codes[at as usize]) == Some(mover))? as usize];
        let cost = if self.pressed(node.ply).is_some() { costs::WITHDRAWN_PRESSED } else { costs::WITHDRAWN };
        let mut withdrawn = Box::new(Hypothesis::stand_at(before.clone(), self.cost + cost));
        withdrawn.mismatched = self.mismatched & !node.changed;
        withdrawn.captured_standing = self.captured_standing;
        let others = |e: &&Event| node.changed & bit(e.square) == 0 && e.old != piece && e.new != piece;
        withdrawn.unexplained.extend(self.unexplained.iter().filter(others).copied());
        (withdrawn.now, withdrawn.press_balance) = (self.now, self.press_balance);
        withdrawn.presses = self.presses.clone();
        let owed = &mut withdrawn.press_balance[mover.index()];
        *owed = (*owed + 1).min(1);
        Some(withdrawn)
    }

    /// Whether another path leads to the same position and nothing was seen that speaks for this one.
    fn path_open(&self, candidate: &Candidate<G::Move>) -> bool {
        if candidate.stops == 0 {
            return false;
        }
        let mover = self.node.game.turn();
        let seen = self.unexplained.iter().filter(|e| e.colour() == Some(mover));
        let seen = seen.fold(0, |set, e| set | bit(e.square)) & !candidate.changed;
        let odd = |c: &Candidate<G::Move>| ((seen & !c.transit).count_ones(), (seen & !c.stops).count_ones());
        let same = |c: &&Candidate<G::Move>| {
            (c.changed, c.from, c.to) == (candidate.changed, candidate.from, candidate.to)
                && c.mv != candidate.mv
        };
        self.moves().iter().filter(same).any(|other| odd(other) <= odd(candidate))
    }

    /// Whether this change is of the moving piece set down where it does not belong, or leaving from there.
    fn is_detour(&self, event: &Event, piece: u8) -> bool {
        let expected = self.expected(event.square);
        expected != piece && (event.new == piece || event.old == piece)
    }

    /// After a move of `mover`: what was his and is over is charged now; the other's may belong to the reply.
    fn settle_before(&mut self, mover: Colour) {
        let mut squares: Squares = 0;
        for e in &self.unexplained {
            if e.colour() == Some(mover) && self.mismatched & bit(e.square) == 0 {
                squares |= bit(e.square);
            }
        }
        while squares != 0 {
            let square = squares.trailing_zeros() as u8;
            squares &= squares - 1;
            let before = self.cost;
            self.settle_square(square);
            // Settled after the turn has passed: the piece was the mover's own.
            if self.cost - before == costs::ADJUST_OTHER {
                self.cost += costs::ADJUST_OWN - costs::ADJUST_OTHER;
            }
        }
    }

    /// The board rests.
    pub fn rest(&mut self) {
        self.cost += costs::REST_WRONG * self.mismatched.count_ones() as f32;
        if self.mismatched == 0 {
            self.node.seen_at_rest.set(true);
        }
    }

    /// A side's clock was halted and shows `seconds`.
    pub fn press(&mut self, side: Colour, seconds: f64, index: u32, rests: u32, time: Option<Time>) {
        let (mine, theirs) = (side.index(), side.other().index());
        let turn = self.node.game.turn();
        let ply = if self.press_balance[mine] < 0 {
            // The last move of this side: one or two plies back.
            if turn == side { self.node.ply.saturating_sub(1) } else { self.node.ply }
        } else {
            if self.press_balance[mine] > 0 {
                self.cost += costs::PRESS_TWICE;
            } else if self
                .unexplained
                .iter()
                .any(|e| e.colour() == Some(side) && self.mismatched & bit(e.square) != 0)
            {
                self.cost += costs::PRESS_EARLY;
            } else {
                self.cost += costs::PRESS_FIRST;
            }
            if turn == side { self.node.ply + 1 } else { self.node.ply + 2 }
        };
        if self.press_balance[theirs] < 0 && self.press_balance[mine] < 0 && turn == side {
            // The reply's press came first: two presses may arrive swapped, more is odd.
            self.cost += costs::REPLY_BEFORE_PRESS;
        }
        self.press_balance[mine] = (self.press_balance[mine] + 1).min(1);
        if self.presses.is_full() {
            self.presses.remove(0);
        }
        self.presses.push(Press { ply, seconds, index, rests, stamp: time.into() });
    }

    /// The press of a ply, if it is known here.
    pub fn pressed(&self, ply: u32) -> Option<Press> {
        self.presses.iter().rev().find(|press| press.ply == ply).copied()
    }
}

/// Whether a change on one of a move's own squares is a piece of the move passing: a castling king or rook on
/// the other's square, a pawn on the square where it is swapped.
fn passes<M>(candidate: &Candidate<M>, event: &Event) -> bool {
    let code = if event.new != 0 { event.new } else { event.old };
    let stays = candidate.code_at(event.square);
    let moved = candidate.piece == code || candidate.placed.iter().any(|&(_, after)| after == code);
    moved && event.square != candidate.from && stays != Some(0) && stays != Some(code)
}
