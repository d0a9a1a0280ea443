//! The child of a hypothesis after a legal move.
//!
//! Three steps. **Classify**: the role of each unexplained change in the move ([`Role`]). **Price**: deviations in the
//! move's own changes, their order and the clock. **Child**: the hypothesis after the move, with the changes that
//! remain unexplained. The proposers call [`Hypothesis::apply_move`] once they have checked that the move fits the
//! board.

use std::{cell::OnceCell, rc::Rc};

use super::{Hypothesis, Unexplained, presses::PressLedger};
use crate::{
    reconstruct::{
        costs::{Account, Deviation},
        limits,
        observe::{BoardState, event::Event, hand::Hand},
        tree::node::Node,
    },
    rules::{Candidate, Colour, Game, Promotion, Squares, bit, set_of, squares},
};

/// Spare capacity for this many changes, which most kept hypotheses soon need.
const SPARE_CHANGES: usize = 3;

/// The role of a change in a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A change on a square of the move.
    Move,
    /// A piece of the move passes here.
    OnTheWay,
    /// The moving piece was set down off its way, or left from there.
    Detour,
    /// The reply changed a square of the move after the move had, or a castling rook went on from there.
    Reply,
    /// A change of another move: it stays unexplained.
    Foreign,
}

/// The classified changes of a move.
struct Changes {
    /// Those that stay unexplained: bit n for the nth.
    left: u32,
    /// The number of changes on the move's own squares.
    own: u32,
    /// The number that came before the last change of the previous move, and whether one of them came long before.
    early: u32,
    early_slow: bool,
    /// None of the move's own squares was seen to change.
    unseen: bool,
    /// The first and the last change on the move's own squares.
    first: Event,
    last: Option<Event>,
    /// The squares of detours, those of them on which the piece stood, and those that the reply changed.
    detours: Squares,
    stood: Squares,
    replied: Squares,
}

impl<G: Game> Hypothesis<G> {
    /// The child after this move, completed by `event`; none where its cost is `too_dear`. Mismatched squares of the
    /// move that the reply changed stay mismatched.
    pub fn apply_move(
        &self,
        candidate: &Candidate<G::Move>,
        event: &Event,
        state: &BoardState,
        too_dear: impl Fn(f32) -> bool,
    ) -> Option<Box<Hypothesis<G>>> {
        // Costs never fall, and most are too high: so they are checked before each expensive step.
        if too_dear(self.cost()) {
            return None;
        }
        let mover = self.node.game.turn();
        let mut account = self.account.clone();
        let changes = self.classify(candidate, event, state, &mut account);
        self.charge_changes(candidate, &changes, state, &mut account);
        if too_dear(account.total()) {
            return None;
        }
        let (mut presses, hand) = (self.presses.clone(), self.hand(candidate));
        self.charge_clock(candidate, &changes, &hand, state, &mut presses, &mut account);
        account.charge_times(Deviation::WentOn, self.went_on(candidate, &changes.first, state));
        account.charge_times(Deviation::StopsInverted, self.stops_inverted(candidate) as f32);
        match G::promotion(&candidate.mv) {
            Some(Promotion::Less(_)) if hand.landing.is_none() => account.charge(Deviation::PromotedToLess),
            Some(Promotion::Unshown) => account.charge(Deviation::PawnLeft),
            _ => {}
        }
        let standing = candidate.captured_standing & !self.mismatched;
        account.charge_times(Deviation::CapturedStanding, standing.count_ones() as f32);
        if self.position.game.dead() & (bit(candidate.from) | bit(candidate.to)) != 0 {
            account.charge(Deviation::DeadAgain);
        }
        presses.count_move(mover);
        if too_dear(account.total()) {
            return None;
        }

        let mut unexplained = Unexplained::with_capacity(changes.left.count_ones() as usize + SPARE_CHANGES);
        unexplained.extend(self.left_by(&changes));
        let after = self.position.after(candidate);
        let guess = (changes.unseen && changes.last.is_some()) || self.path_is_open(candidate);
        let mut node = Node::child(&self.node, candidate, &after, self.completed_by(event, &changes), guess);
        node.cost = account.total();
        node.charges = account.take_charges();
        node.hand = hand;
        node.last_detour = self.last_detour(candidate, &changes);
        node.onward = OnceCell::new();
        let mut child = Box::new(Hypothesis {
            node: Rc::new(node),
            position: after,
            rank: account.total(),
            is_ranked: false,
            account,
            // A detour's square that is still wrong needs its end to be explained later.
            mismatched: self.mismatched & !(candidate.changed & !changes.replied)
                | changes.detours & self.mismatched
                | self.gone_on(candidate),
            captured_standing: self.captured_standing & !candidate.changed | standing,
            unexplained,
            last_change: self.last_change,
            presses,
            illegal: None,
            went_back_by_turns: self.went_back_by_turns,
            taken_up: None,
            awaits_press: self.awaits_press,
            merged: self.merged.clone(),
        });
        child.charge_touched_by(mover);
        Some(child)
    }

    /// The last square off the way of this move on which its piece was set down, or from which it was lifted for it.
    fn last_detour(&self, candidate: &Candidate<G::Move>, changes: &Changes) -> Option<u8> {
        let set_down = |e: &&Event| changes.detours & bit(e.square) != 0 && e.new == candidate.piece;
        let taken_up = || self.taken_up.filter(|&(before, _)| before == candidate.from).map(|(_, up)| up);
        self.unexplained.iter().rev().find(set_down).map(|e| e.square).or_else(taken_up)
    }

    /// The role of a change in a move that is complete on this board.
    fn role(&self, candidate: &Candidate<G::Move>, event: &Event, state: &BoardState) -> Role {
        let at = bit(event.square);
        let by_mover = event.colour() == Some(self.node.game.turn());
        if candidate.changed & at != 0 {
            let code = candidate.code_at(event.square).filter(|&code| state.code(event.square) != code);
            let gone_on =
                |code| self.went_on_from(event.square, code).filter(|_| self.gone_on(candidate) & at != 0);
            let refilled = || self.refilled(candidate).filter(|_| event.square == candidate.from);
            let taken = code.and_then(|code| {
                let taken = || self.taken_unseen(candidate, event.square);
                self.overwritten(event.square, code)
                    .or_else(|| gone_on(code))
                    .or_else(refilled)
                    .or_else(taken)
            });
            if taken.is_some_and(|from| event.index >= from) {
                Role::Reply
            } else if passes(candidate, event) {
                Role::OnTheWay
            } else {
                Role::Move
            }
        } else if by_mover && candidate.transit & at != 0 {
            Role::OnTheWay
        } else if by_mover
            && self.is_detour(event, candidate.piece)
            && event.index > self.node.completed_by.index
        {
            Role::Detour
        } else {
            Role::Foreign
        }
    }

    /// The number of the change with which a piece of the reply came to where this move landed unseen.
    fn taken_unseen(&self, candidate: &Candidate<G::Move>, at: u8) -> Option<u32> {
        let last = self.unexplained.iter().rev().find(|e| e.square == at)?;
        let is_reply = Colour::of(last.new) == Some(self.node.game.turn().other());
        (at == candidate.to && is_reply).then_some(last.index)
    }

    /// Sorts the unexplained changes by their roles, and charges each for itself.
    fn classify(
        &self,
        candidate: &Candidate<G::Move>,
        event: &Event,
        state: &BoardState,
        account: &mut Account,
    ) -> Changes {
        let mut changes = Changes {
            left: 0,
            own: 0,
            early: 0,
            early_slow: false,
            unseen: true,
            first: *event,
            last: None,
            detours: 0,
            stood: 0,
            replied: 0,
        };
        let previous = &self.node.completed_by;
        for (number, e) in self.unexplained.iter().enumerate() {
            let at = bit(e.square);
            let own = candidate.changed & at != 0;
            match self.role(candidate, e, state) {
                Role::Reply => {
                    changes.replied |= at;
                    changes.left |= 1 << number;
                    continue;
                }
                Role::Foreign => {
                    changes.left |= 1 << number;
                    continue;
                }
                Role::Detour => {
                    changes.detours |= at;
                    if e.new != 0 && self.stood(e, event) {
                        changes.stood |= at;
                    }
                    continue;
                }
                Role::Move => {
                    changes.own += 1;
                    self.charge_own(candidate, e, account);
                }
                // At a turning point of a capture the piece may be set down.
                Role::OnTheWay if candidate.stops & at != 0 => {}
                Role::OnTheWay => {
                    account.charge(Deviation::Transit);
                    if !own && e.new != 0 && self.stood(e, event) {
                        account.charge(Deviation::Stood);
                    }
                }
            }
            if self.node.ply > 0 && e.index < previous.index && e.seen {
                changes.early += 1;
                changes.early_slow |= e.rests + 1 < previous.rests;
            }
            if own {
                changes.unseen &= !e.seen;
                if e.index < changes.first.index {
                    changes.first = *e;
                }
                if changes.last.is_none_or(|last| last.index < e.index) {
                    changes.last = Some(*e);
                }
            }
        }
        changes
    }

    /// The changes that a move leaves unexplained.
    fn left_by(&self, changes: &Changes) -> impl Iterator<Item = &Event> {
        const { assert!(limits::UNEXPLAINED_MAX <= u32::BITS as usize) }
        let left = changes.left;
        self.unexplained.iter().enumerate().filter(move |(number, _)| left >> number & 1 != 0).map(|(_, e)| e)
    }

    /// Charges deviations in one change on the move's own squares.
    fn charge_own(&self, candidate: &Candidate<G::Move>, event: &Event, account: &mut Account) {
        // A lifted piece that is seen on its square again was put back.
        if event.square == candidate.from && event.new == candidate.piece {
            account.charge(Deviation::HesitateFrom);
        }
        if self.is_of_captured_in_passing(candidate, event) {
            account.charge(Deviation::Stray);
        }
    }

    /// Whether a piece of the other side was seen where a capture en passant ends, before its captor: the captured pawn
    /// never stands there.
    fn is_of_captured_in_passing(&self, candidate: &Candidate<G::Move>, event: &Event) -> bool {
        let lands = |e: &Event| {
            e.square == event.square && e.index > event.index && Some(e.new) == candidate.code_at(e.square)
        };
        candidate.capture
            && event.square == candidate.to
            && self.expected(event.square) == 0
            && Colour::of(event.new) == Some(self.node.game.turn().other())
            && self.unexplained.iter().any(lands)
    }

    /// Charges detours, hesitation, and a beginning before the previous move was over.
    fn charge_changes(
        &self,
        candidate: &Candidate<G::Move>,
        changes: &Changes,
        state: &BoardState,
        account: &mut Account,
    ) {
        // On its way to where it stood, and on from there, the piece passes the other squares. Without a clock it may
        // have been published there.
        let [detours, stood] = [changes.detours, changes.stood].map(u64::count_ones);
        let down = if stood > 0 && state.clock_in_use() { stood } else { detours };
        account.charge_times(Deviation::Detour, down as f32);
        account.charge_times(Deviation::Transit, (detours - down) as f32);
        let needed = candidate.changed.count_ones() + u32::from(candidate.capture);
        let more = changes.own.saturating_sub(needed).div_ceil(2);
        account.charge_times(Deviation::Hesitate, more as f32);
        if changes.early > 0 {
            let more = (changes.early - 1).min(limits::OVERLAP_MAX_CHANGES);
            account.charge_all(&[(Deviation::Overlap, 1.0), (Deviation::OverlapMore, more as f32)]);
            if changes.early_slow {
                account.charge(Deviation::OverlapSlow);
            }
        }
    }

    /// Charges deviations of the presses and of the order of hands; a press may turn out to belong to this move.
    fn charge_clock(
        &self,
        candidate: &Candidate<G::Move>,
        changes: &Changes,
        hand: &Hand,
        state: &BoardState,
        presses: &mut PressLedger,
        account: &mut Account,
    ) {
        let mover = self.node.game.turn();
        let ply = self.node.ply + 1;
        if presses.belongs_to_lifted(mover, ply, hand.lift.map(|lift| lift.index)) {
            account.charge(Deviation::LiftedBeforePress);
        }
        let press = presses.of(ply);
        let for_nothing = press.is_some_and(|press| self.was_for_nothing(hand, &press));
        if for_nothing {
            presses.void(mover, ply);
        }
        let long = for_nothing || press.is_some_and(|press| self.was_pressed_long_before(candidate, &press));
        let [inverted, slow, own] = self.out_of_order(hand);
        account.charge_all(&[inverted, slow, own, (Deviation::LongPressed, if long { 1.0 } else { 0.0 })]);
        for e in self.left_by(changes) {
            if e.index < changes.first.index && self.mismatched & bit(e.square) != 0 && e.seen {
                let own = e.colour() == Some(mover);
                account.charge(if own { Deviation::LeftOpenOwn } else { Deviation::LeftOpen });
            }
        }
        if state.clock_in_use() {
            if presses.lacks(mover) {
                account.charge(Deviation::NoPress);
            }
            if presses.lacks(mover.other()) {
                account.charge(Deviation::ReplyBeforePress);
            }
        }
    }

    /// The change that completed the move: its own last one, but not before the previous move was complete.
    fn completed_by(&self, event: &Event, changes: &Changes) -> Event {
        let previous = &self.node.completed_by;
        let done = changes.last.unwrap_or(*event);
        if done.index < previous.index {
            return Event { index: previous.index, rests: previous.rests, ..done };
        }
        done
    }

    /// How often a capturing piece was seen on its turning points in another order than that of its way.
    fn stops_inverted(&self, candidate: &Candidate<G::Move>) -> usize {
        if candidate.stops == 0 {
            return 0;
        }
        let (way, mover) = (G::stops(&candidate.mv), self.node.game.turn());
        let came = self.unexplained.iter().filter(|e| e.new != 0 && e.colour() == Some(mover));
        let seen: Vec<usize> = came.filter_map(|e| way.iter().position(|&stop| stop == e.square)).collect();
        seen.windows(2).filter(|pair| pair[0] > pair[1]).count()
    }

    /// Whether another path leads to the same position and no evidence prefers this one.
    fn path_is_open(&self, candidate: &Candidate<G::Move>) -> bool {
        if candidate.stops == 0 {
            return false;
        }
        let mover = self.node.game.turn();
        let seen = self.unexplained.iter().filter(|e| e.colour() == Some(mover));
        let seen = set_of(seen.map(|e| e.square)) & !candidate.changed;
        let odd = |c: &Candidate<G::Move>| {
            ((seen & !c.transit).count_ones(), (seen & !c.stops).count_ones(), self.stops_inverted(c))
        };
        let same = |c: &Candidate<G::Move>| {
            (c.changed, c.from, c.to) == (candidate.changed, candidate.from, candidate.to)
                && c.mv != candidate.mv
        };
        let mut others = self.position.moves_from(bit(candidate.from)).filter(same);
        others.any(|other| odd(&other) <= odd(candidate))
    }

    /// Whether this change is of the moving piece set down off its way, or leaving from there.
    fn is_detour(&self, event: &Event, piece: u8) -> bool {
        let expected = self.expected(event.square);
        expected != piece && (event.new == piece || event.old == piece)
    }

    /// After a move of `mover`: charges the pieces of that side that were touched and put back; those of the other side
    /// may belong to the reply.
    fn charge_touched_by(&mut self, mover: Colour) {
        let touched = self.unexplained.iter().filter(|e| e.colour() == Some(mover));
        let put_back = set_of(touched.map(|e| e.square)) & !self.mismatched;
        for square in squares(put_back) {
            let (deviation, pairs) = self.give_up(square, mover);
            self.charge_move(&[(deviation, pairs)]);
        }
    }
}

/// Whether a change on one of a move's own squares is a piece of the move passing: a castling king or rook on the
/// other's square, a pawn on the promotion square.
fn passes<M>(candidate: &Candidate<M>, event: &Event) -> bool {
    let code = if event.new != 0 { event.new } else { event.old };
    let stays = candidate.code_at(event.square);
    let moved = candidate.piece == code || candidate.placed.iter().any(|&(_, after)| after == code);
    moved && event.square != candidate.from && stays != Some(0) && stays != Some(code)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        reconstruct::costs::Charge,
        record::{Piece, Square, Time},
        rules::chess::ChessGame,
    };

    /// A hypothesis and its board.
    pub struct Seen {
        pub hypothesis: Hypothesis<ChessGame>,
        state: BoardState,
    }

    impl Seen {
        fn start() -> Seen {
            Seen::new("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        }

        pub fn new(fen: &str) -> Seen {
            let game = ChessGame::from_fen(fen).unwrap();
            let state = BoardState::new(*game.placement().codes(), false);
            Seen { hypothesis: Hypothesis::start(game, true, Some(Time(0))), state }
        }

        /// Changes in words: `-e2` the square became empty, `Pe4` a piece came; `|` the board rested between.
        pub fn see(mut self, words: &str) -> Seen {
            for word in words.split_whitespace() {
                if word == "|" {
                    self.state.rests += 1;
                    continue;
                }
                let (piece, square) = word.split_at(word.len() - 2);
                let new = if piece == "-" { 0 } else { piece.parse::<Piece>().unwrap().code() };
                let square: Square = square.parse().unwrap();
                let event = self.state.set(square.field(), new, true, None);
                self.hypothesis.observe(&event);
            }
            self
        }

        pub fn press(mut self, side: Colour) -> Seen {
            self.state.presses += 1;
            self.hypothesis.press(side, 60.0, &self.state, None);
            self
        }

        fn legal(&self, uci: &str) -> Candidate<<ChessGame as Game>::Move> {
            let position = &self.hypothesis.position;
            let is = |c: &Candidate<_>| position.game.describe(&c.mv).uci.as_deref() == Some(uci);
            position.moves().find(is).expect("a legal move")
        }

        /// The role of each change in a move.
        fn roles(&self, uci: &str) -> Vec<Role> {
            let candidate = &self.legal(uci);
            let role = |e| self.hypothesis.role(candidate, e, &self.state);
            self.hypothesis.unexplained.iter().map(role).collect()
        }

        fn play(self, uci: &str) -> Seen {
            let last = *self.hypothesis.unexplained.last().expect("a change");
            let candidate = self.legal(uci);
            let child = self.hypothesis.apply_move(&candidate, &last, &self.state, |_| false);
            Seen { hypothesis: *child.expect("nothing is too dear"), state: self.state }
        }

        /// The charges of the last move.
        fn charges(&self) -> Vec<(Deviation, f32)> {
            let charge = |charge: &Charge| (charge.deviation, charge.cost);
            self.hypothesis.node.charges.iter().map(charge).collect()
        }
    }

    #[test]
    fn a_plain_move_costs_nothing() {
        let seen = Seen::start().see("-e2 Pe4");
        assert_eq!(seen.roles("e2e4"), [Role::Move, Role::Move]);
        let played = seen.play("e2e4");
        assert_eq!(played.charges(), []);
        assert_eq!((played.hypothesis.mismatched, played.hypothesis.unexplained.len()), (0, 0));
        assert_eq!(played.hypothesis.node.ply, 1);
    }

    #[test]
    fn a_stop_on_the_way_costs_more() {
        let fen = "4k3/8/8/8/8/8/8/2Q1K3 w - - 0 1";
        let slid = Seen::new(fen).see("-c1 Qc2 -c2 Qc4");
        assert_eq!(slid.roles("c1c4"), [Role::Move, Role::OnTheWay, Role::OnTheWay, Role::Move]);
        let transit = (Deviation::Transit, 0.05);
        assert_eq!(slid.play("c1c4").charges(), [transit, transit]);
        let stood = Seen::new(fen).see("-c1 Qc2 | -c2 Qc4");
        assert_eq!(stood.play("c1c4").charges(), [transit, (Deviation::Stood, 2.0), transit]);
    }

    #[test]
    fn a_piece_put_back_did_not_pass() {
        // Another pawn is under way: an adjusted pawn must rank like an adjusted knight.
        let rank = |words: &str| Seen::start().see(words).hypothesis.rank();
        assert_eq!(rank("-a2 Pa2 -e2 Pe4"), rank("-b1 Nb1 -e2 Pe4"));
    }

    #[test]
    fn a_piece_set_down_elsewhere_is_a_detour() {
        let seen = Seen::new("4k3/8/8/8/8/8/8/2Q1K3 w - - 0 1").see("-c1 Qf5 -f5 Qc4");
        assert_eq!(seen.roles("c1c4"), [Role::Move, Role::Detour, Role::Detour, Role::Move]);
        assert_eq!(seen.play("c1c4").charges(), [(Deviation::Detour, 3.5)]);
    }

    #[test]
    fn only_the_movers_touched_pieces_are_charged() {
        let seen = Seen::start().see("-g8 -e2 Pe4");
        assert_eq!(seen.roles("e2e4"), [Role::Foreign, Role::Move, Role::Move]);
        let played = seen.play("e2e4");
        assert_eq!(played.hypothesis.unexplained.len(), 1);
        assert_eq!(played.charges(), [(Deviation::LeftOpen, 0.5)]);
        let adjusted = Seen::start().see("-b1 Nb1 -e2 Pe4").play("e2e4");
        assert_eq!(adjusted.hypothesis.unexplained.len(), 0);
        assert_eq!(adjusted.hypothesis.cost(), Deviation::AdjustOwn.price());
    }

    #[test]
    fn a_capturing_reply_leaves_the_move_complete() {
        let fen = "4k3/8/4b3/3p4/8/4N3/8/4K3 w - - 0 1";
        let seen = Seen::new(fen).see("-e3 -d5 Nd5 -e6 bd5");
        let roles = [Role::Move, Role::Move, Role::Move, Role::Foreign, Role::Reply];
        assert_eq!(seen.roles("e3d5"), roles);
        let played = seen.play("e3d5");
        assert_eq!(played.hypothesis.mismatched, bit(20) | bit(27), "e6 and d5");
        let replied = played.play("e6d5");
        assert_eq!((replied.hypothesis.mismatched, replied.charges()), (0, vec![]));
    }

    #[test]
    fn a_captor_of_an_unseen_piece_has_its_own_landing() {
        let seen = Seen::new("4k3/8/4b3/3p4/8/4N3/8/4K3 w - - 0 1").see("-e3 -d5 | -e6 | bd5");
        assert_eq!(seen.roles("e3d5"), [Role::Move, Role::Move, Role::Foreign, Role::Reply]);
        let replied = seen.play("e3d5").play("e6d5");
        assert_eq!((replied.hypothesis.mismatched, replied.charges()), (0, vec![]));
        let (lift, landing) = (replied.hypothesis.node.hand.lift, replied.hypothesis.node.hand.landing);
        assert_eq!([lift, landing].map(|event| event.map(|e| e.square)), [Some(20), Some(27)]);
    }

    #[test]
    fn an_early_move_is_charged_an_overlap() {
        let seen = Seen::start().see("-e2 -e7 Pe4 pe5").play("e2e4").play("e7e5");
        assert_eq!(seen.charges(), [(Deviation::Overlap, 0.8)]);
    }

    #[test]
    fn missing_presses_are_charged() {
        let pressed = Seen::start().see("-e2 Pe4").play("e2e4").press(Colour::White);
        let replied = pressed.see("-e7 pe5").play("e7e5");
        assert_eq!(replied.charges(), []);
        let unpressed = replied.see("-d2 Pd4").play("d2d4");
        assert_eq!(unpressed.charges(), [(Deviation::ReplyBeforePress, 0.4)], "Black has not pressed");
        let early = Seen::start().see("-e2").press(Colour::White).see("Pe4").play("e2e4");
        assert_eq!(early.charges(), [(Deviation::PressEarly, 0.3)]);
    }
}
