//! A move was not seen to land: a later move shows that it did.
//!
//! A square shows the first of two pieces only if a scan falls between them. Where the reply captures at once, or the
//! same hand moves on at once, the square never reads right after the first move. Looked for only where two squares or
//! more are mismatched; where later changes are known, `foreseen_landing` does better.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{
        costs::{Deviation, price_of},
        hypothesis::Hypothesis,
        limits,
        observe::event::Event,
    },
    rules::{Candidate, Colour, Game, Squares, bit, set_of, squares},
};

/// See the module.
pub struct UnseenLandings;

impl<G: Game> Proposer<G> for UnseenLandings {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        if event.seen
            && !expansion.lookahead.is_known()
            && parent.rank() <= expansion.best + limits::UNSEEN_MAX_DEARER
            && parent.mismatched.count_ones() >= 2
            && (G::CAPTURES_BY_JUMPING || parent.mismatched.count_ones() < limits::UNSEEN_BELOW_SQUARES)
        {
            expansion.first_moves(parent, event, None, limits::HIDDEN_MAX_MOVES);
        }
    }
}

/// How the square of an unseen landing may have come to its present code.
struct Since {
    /// The reply captured the piece: at once, or (`recaptured`) after a capture of the same kind.
    captured: bool,
    recaptured: bool,
    /// The piece went on from there.
    went_on: bool,
}

impl<G: Game> Expansion<G> {
    /// The squares that the side to move has left, and those that the other side has.
    fn left_by_each(&self, hypothesis: &Hypothesis<G>) -> (Squares, Squares) {
        let turn = hypothesis.node.game.turn();
        let (mut mine, mut theirs) = (0, 0);
        for square in squares(hypothesis.mismatched) {
            let stands = Colour::of(self.state.code(square));
            match Colour::of(hypothesis.expected(square)) {
                None => {}
                expected if stands == expected => {}
                expected if expected == Some(turn) => mine |= bit(square),
                _ => theirs |= bit(square),
            }
        }
        (mine, theirs)
    }

    /// Tries first moves of two or three: all squares of such a move read right except the one on which it landed,
    /// which is `on` if it is known.
    fn first_moves(&mut self, parent: &Hypothesis<G>, event: &Event, on: Option<u8>, hidden: usize) {
        let (mine, theirs) = self.left_by_each(parent);
        if mine == 0 || theirs == 0 {
            return;
        }
        let (from, to) = self.between_unseen(parent, mine, event, hidden);
        for first in parent.position.moves_between(from, to) {
            if parent.position.game.dead() & bit(first.to) != 0
                || on.is_some_and(|on| on != first.to)
                || !self.landed_unseen(parent, &first)
            {
                continue;
            }
            let Some(since) = self.since(parent, &first, event, hidden) else { continue };
            let charges = since.went_on.then(|| assumed(parent, &first));
            let still = if since.captured || since.recaptured {
                Deviation::UnseenRecapture.price()
            } else {
                // An assumed landing has a lower limit than others: the difference is added to its cost.
                let excess = self.cost_limit - self.most_for_assumed();
                charges.map_or(f32::INFINITY, |charges| price_of(&charges)) + excess
            };
            let Some(mut between) = self.played(parent, &first, event, still) else { continue };
            if self.state.code(first.to) != between.expected(first.to) {
                between.mismatched |= bit(first.to);
            }
            if since.captured {
                self.captured(&between, &first, event);
            }
            if since.recaptured {
                let mut between = between.clone();
                between.charge_times(Deviation::UnseenRecapture, 1.0);
                self.first_moves(&between, event, Some(first.to), hidden - 1);
            }
            if let Some(charges) = charges {
                self.went_on(parent, between, &first, &charges, event);
            }
        }
    }

    /// The squares from and to which such a first move may go, if it left one of the squares `left`: the piece now on
    /// its last square has captured it, or it is elsewhere.
    fn between_unseen(
        &self,
        parent: &Hypothesis<G>,
        left: Squares,
        event: &Event,
        hidden: usize,
    ) -> (Squares, Squares) {
        if G::CAPTURES_BY_JUMPING {
            return (left, !0);
        }
        let turn = parent.node.game.turn();
        let [own, others] = [turn, turn.other()].map(|side| self.state.pieces(side));
        let taken = self.may_be_taken_back(parent, if hidden > 1 { own | others } else { others });
        // A piece that captured en passant, or replied before this one went on, is somewhere else.
        let mismatched = parent.mismatched | parent.captured_standing;
        let replied = parent.may_have_come(turn.other(), mismatched, &self.state) != 0;
        let went_on = |at: u8, code: u8| {
            event.new != 0
                && (G::may_promote(code, at)
                    || squares(parent.mismatched & own).any(|stands| self.state.code(stands) == code))
        };
        let castles = left & parent.position.game.may_castle();
        let (mut from, mut to) = (castles, castles);
        for at in squares(left).filter(|&at| parent.read_right(at, 0, &self.state)) {
            let code = parent.expected(at);
            let empty = replied && (G::may_vanish(code) || went_on(at, code));
            from |= bit(at);
            to |= if empty { taken | !(own | others) } else { taken };
        }
        (from, to)
    }

    /// Those of the squares `among` on which a piece and then its captor may have been captured: a square that reads as
    /// before was recaptured by a piece of the same kind, which has left its own square.
    fn may_be_taken_back(&self, parent: &Hypothesis<G>, among: Squares) -> Squares {
        let off = parent.mismatched | parent.captured_standing;
        let promotes = |at: u8| G::may_promote(parent.expected(at), at);
        if parent.position.game.dead() != 0 || squares(off).any(promotes) {
            return among;
        }
        let codes = squares(off).fold(0u16, |codes, at| codes | 1 << parent.expected(at));
        let changed = off | set_of(parent.unexplained.iter().map(|e| e.square));
        let by_none = |&at: &u8| codes >> self.state.code(at) & 1 == 0;
        among & !set_of(squares(among & !changed).filter(by_none))
    }

    /// How the square of this move may have come to its present code; none where it cannot. Cheap check first: after
    /// most such moves nothing could follow.
    fn since(
        &self,
        parent: &Hypothesis<G>,
        first: &Candidate<G::Move>,
        event: &Event,
        hidden: usize,
    ) -> Option<Since> {
        let turn = parent.node.game.turn();
        let stands = self.state.code(first.to);
        let vanished = stands == 0 && first.vanishes_when_captured;
        let captured = vanished || Colour::of(stands) == Some(turn.other());
        let recaptured = Colour::of(stands) == Some(turn) && hidden > 1;
        let went_on = stands == 0 && event.new != 0 && self.stands_elsewhere(parent, first);
        let mismatched = parent.mismatched | bit(first.to);
        let followed = |takes: bool| {
            let to = match takes {
                true if vanished => !0,
                true => bit(first.to),
                false => !bit(first.to),
            };
            let follows = |second: &Candidate<G::Move>| {
                (second.changed & bit(first.to) != 0) == takes
                    && self.may_complete(parent, second, mismatched)
            };
            let left = mismatched | parent.captured_standing;
            let came = to & parent.may_have_come(turn.other(), left, &self.state);
            came != 0 && parent.position.after(first).moves_within(left, came).any(|second| follows(&second))
        };
        let (captured, went_on) = (captured && followed(true), went_on && followed(false));
        (captured || recaptured || went_on).then_some(Since { captured, recaptured, went_on })
    }

    /// Whether a move may be complete on this board, some moves after `parent`, when the squares `mismatched` are, and
    /// perhaps others.
    fn may_complete(
        &self,
        parent: &Hypothesis<G>,
        candidate: &Candidate<G::Move>,
        mismatched: Squares,
    ) -> bool {
        candidate.changed & !candidate.captured_standing & !mismatched & !parent.captured_standing == 0
            && candidate.changes().all(|(at, code)| {
                self.state.code(at) == code
                    || candidate.captured_standing & bit(at) != 0
                    || parent.unexplained.iter().any(|e| e.square == at && e.old == code)
            })
    }

    /// Whether all squares of a move read right but the one it ended on.
    fn landed_unseen(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        first.changed & !bit(first.to) & !parent.mismatched == 0
            && first.changes().all(|(at, code)| match at == first.to {
                true => self.state.code(at) != code,
                false => parent.read_right(at, code, &self.state),
            })
    }

    /// Whether the moving piece is seen on its way to where it ended, or on its way from there, on a square where this
    /// hypothesis does not expect it.
    fn stands_elsewhere(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let code = first.code_at(first.to).unwrap_or(first.piece);
        squares(parent.mismatched & !bit(first.to)).any(|at| {
            self.state.code(at) == code
                && (first.transit & bit(at) != 0 || G::may_go(code, first.to, code, at))
        })
    }

    /// Whether the moving piece is still seen on its way when the reply comes: it would have left that square and
    /// landed before the reply.
    fn stands_on_its_way(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>, event: &Event) -> bool {
        let code = first.code_at(first.to).unwrap_or(first.piece);
        squares(parent.mismatched & first.transit & !bit(event.square)).any(|at| self.state.code(at) == code)
    }

    /// Adds the hypotheses in which the reply captured where the first move had landed.
    fn captured(&mut self, between: &Hypothesis<G>, first: &Candidate<G::Move>, event: &Event) {
        let price = Deviation::UnseenRecapture.price();
        for second in between.nearly_complete(&self.state, bit(first.to)) {
            if second.changed & bit(first.to) != 0 && between.is_complete(&second, &self.state) {
                let Some(mut child) = self.played(between, &second, event, price) else { continue };
                child.charge_move(&[(Deviation::UnseenRecapture, 1.0)]);
                if first.vanishes_when_captured && second.to != first.to {
                    child.charge_move(&[(Deviation::UnseenEnPassant, 1.0)]);
                }
                self.keep_with_next(child, event);
            }
        }
    }

    /// The highest cost at which a piece may be assumed to have landed unseen and to have gone on from there.
    fn most_for_assumed(&self) -> f32 {
        // Without a clock there is less later evidence against the expensive ones.
        let within = if self.state.clock_in_use() { limits::ASSUMED_MAX_DEARER } else { self.margin };
        self.cost_limit.min(self.best + within)
    }

    /// Adds the hypotheses in which the same piece went on after the reply.
    fn went_on(
        &mut self,
        parent: &Hypothesis<G>,
        mut between: Box<Hypothesis<G>>,
        first: &Candidate<G::Move>,
        charges: &[(Deviation, f32); 3],
        event: &Event,
    ) {
        let price = Deviation::UnseenWentOn.price();
        for &(deviation, times) in &charges[1..] {
            between.charge_times(deviation, times);
        }
        if self.stands_on_its_way(parent, first, event) {
            between.charge_times(Deviation::Inverted, 1.0);
        }
        if between.cost() + price > self.most_for_assumed() {
            return;
        }
        for second in between.nearly_complete(&self.state, !0) {
            if second.changed & bit(first.to) != 0 || !between.is_complete(&second, &self.state) {
                continue;
            }
            let goes_on = |third: &Candidate<G::Move>| self.may_complete(&between, third, between.mismatched);
            let completes = second.changed & bit(event.square) != 0;
            let may_go_on = || {
                let after = between.position.after(&second);
                let to = between.mismatched | between.captured_standing;
                after.moves_between(bit(first.to), to).any(|third| goes_on(&third))
            };
            if !completes && !may_go_on() {
                continue;
            }
            let after = self.played(&between, &second, event, price);
            let Some(mut after) = after else { continue };
            let to = after.mismatched | after.captured_standing;
            for third in after.position.moves_between(bit(first.to), to) {
                if after.is_complete(&third, &self.state) && !came_too_soon(parent, first, &second, &third) {
                    let Some(mut child) = self.played(&after, &third, event, price) else {
                        continue;
                    };
                    child.charge_move(&[(Deviation::UnseenWentOn, 1.0)]);
                    self.keep_with_next(child, event);
                }
            }
            if completes {
                after.charge_move(&[(Deviation::UnseenWentOn, 1.0)]);
                self.add(after);
            }
        }
    }

    /// Keeps a new hypothesis, and those with a further move that is complete too.
    fn keep_with_next(&mut self, child: Box<Hypothesis<G>>, event: &Event) {
        if !self.is_hopeless(child.cost()) {
            self.complete(&child, event, !0, 1);
            self.add(child);
        }
    }
}

/// Whether the piece that went on with `third`, after the reply `second`, was seen there too early: on its way in the
/// `first` move, or in a poll well before that of the reply, and not seen to leave since.
fn came_too_soon<G: Game>(
    parent: &Hypothesis<G>,
    first: &Candidate<G::Move>,
    second: &Candidate<G::Move>,
    third: &Candidate<G::Move>,
) -> bool {
    let last_on = |square: u8| parent.unexplained.iter().rev().find(|e| e.square == square && e.seen);
    let (Some(stood), Some(replied)) = (last_on(third.to), last_on(second.to)) else { return false };
    let begun = parent.unexplained.iter().find(|e| e.square == second.from && e.index > stood.index);
    let told_before =
        || begun.is_some_and(|begun| stood.stamp.is_before(begun.stamp, limits::POLLED_APART_SECONDS));
    stood.new != 0 && stood.index < replied.index && (first.transit & bit(third.to) != 0 || told_before())
}

/// The deviations of an unseen landing of this move from which the piece went on: cheaper where a player would put it,
/// and where the reply had little choice.
pub fn assumed<G: Game>(parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> [(Deviation, f32); 3] {
    let after = parent.position.after(first);
    let replies = after.count().max(1) as f32;
    let en_prise = (1.0 + after.game.en_prise(first.to)).ln();
    [(Deviation::UnseenWentOn, 1.0), (Deviation::EnPrise, en_prise), (Deviation::Choice, replies.ln())]
}
