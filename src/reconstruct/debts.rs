//! Moves that ended where no one saw them: a debt that a later move pays.
//!
//! A square shows the first piece of two plies only if a scan falls between them. Where the reply captures at
//! once, or the same hand moves on at once, the square never reads right after the first move.

use super::{costs, event::Event, hypothesis::Hypothesis, search::Search};
use crate::rules::{Candidate, Colour, Game, Squares, bit, squares};

/// How many captures on one square may be hidden by the next.
const HIDDEN: usize = 2;

/// What changed on the board, seen from one hypothesis.
struct Changed {
    /// Squares that the side to move has left, and that the other side has.
    mine: Squares,
    theirs: Squares,
}

impl<G: Game> Search<G> {
    /// Adds the hypotheses in which a move before the one that `event` completes was not seen to land.
    pub(super) fn expand_debts(&mut self, parent: &Hypothesis<G>, event: &Event, best: f32) {
        if parent.rank() <= best + costs::DEBT_WITHIN && parent.mismatched.count_ones() >= 2 {
            self.expand_debt(parent, event, None, HIDDEN);
        }
    }

    fn changed(&self, hypothesis: &Hypothesis<G>) -> Changed {
        let turn = hypothesis.node.game.turn();
        let mut changed = Changed { mine: 0, theirs: 0 };
        for square in squares(hypothesis.mismatched) {
            let (stands, expected) = (self.seen.board[square as usize], hypothesis.expected(square));
            match Colour::of(expected) {
                Some(colour) if Colour::of(stands) == Some(colour) => {}
                Some(colour) if colour == turn => changed.mine |= bit(square),
                Some(_) => changed.theirs |= bit(square),
                None => {}
            }
        }
        changed
    }

    /// The first of two or three moves: all its squares read right but the one it landed on. `on` is that
    /// square when it is known.
    fn expand_debt(&mut self, parent: &Hypothesis<G>, event: &Event, on: Option<u8>, hidden: usize) {
        let Changed { mine, theirs } = self.changed(parent);
        if mine == 0 || theirs == 0 {
            return;
        }
        let turn = parent.node.game.turn();
        for (number, first) in parent.moves().iter().enumerate() {
            if bit(first.from) & mine == 0
                || on.is_some_and(|on| on != first.to)
                || !self.landed_unseen(parent, first)
            {
                continue;
            }
            let stands = self.seen.board[first.to as usize];
            let captured = Colour::of(stands) == Some(turn.other());
            let went_on = stands == 0 && self.stands_elsewhere(parent, first);
            let recaptured = Colour::of(stands) == Some(turn) && hidden > 1;
            let passing = stands == 0 && first.vanishes_when_captured;
            if !(captured || recaptured || went_on || passing) {
                continue;
            }
            // Most such moves leave nothing that could follow: a look at the position is cheaper than the move.
            let after = parent.position.after(number);
            let wrong = parent.mismatched | bit(first.to);
            let followed = |takes: bool| {
                let to = match takes {
                    true if passing => !0,
                    true => bit(first.to),
                    false => !bit(first.to),
                };
                let moved = parent.may_have_moved(
                    turn.other(),
                    wrong | parent.captured_standing,
                    !0,
                    to,
                    &self.seen.board,
                );
                moved
                    && after.moves().iter().any(|second| {
                        (second.changed & bit(first.to) != 0) == takes
                            && self.may_complete(parent, second, wrong)
                    })
            };
            let captured = (captured || passing) && followed(true);
            let went_on = went_on && event.new != 0 && followed(false);
            if !(captured || recaptured || went_on) {
                continue;
            }
            let mut between = parent.apply_move(number, event, &self.seen.board, self.clock_in_use());
            if between.cost > self.cost_limit {
                continue;
            }
            if stands != between.expected(first.to) {
                between.mismatched |= bit(first.to);
            }
            if captured {
                self.expand_captured(&between, first, event);
            }
            if recaptured {
                let mut between = between.clone();
                between.cost += costs::DEBT_RECAPTURE;
                self.expand_debt(&between, event, Some(first.to), hidden - 1);
            }
            if went_on {
                // Nobody saw where it went: where a player would put it, and where the reply had little choice.
                if between.node.game.en_prise(first.to) {
                    between.cost += costs::EN_PRISE;
                }
                between.cost += costs::CHOICE * (after.moves().len() as f32).ln();
                self.expand_went_on(&between, first, event);
            }
        }
    }

    /// Whether a move may be complete on this board, some moves after `parent`, when `wrong` holds at least the
    /// squares that are wrong then.
    fn may_complete(&self, parent: &Hypothesis<G>, candidate: &Candidate<G::Move>, wrong: Squares) -> bool {
        candidate.changed & !candidate.captured_standing & !wrong & !parent.captured_standing == 0
            && candidate.changes().all(|(at, code)| {
                self.seen.board[at as usize] == code
                    || candidate.captured_standing & bit(at) != 0
                    || parent.unexplained.iter().any(|e| e.square == at && e.old == code)
            })
    }

    /// All squares of a move read right but the one it ended on.
    fn landed_unseen(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let seen = first.changed & !bit(first.to);
        seen & !parent.mismatched == 0
            && first.changes().all(|(at, code)| {
                let reads_right = self.seen.board[at as usize] == code;
                if at == first.to { !reads_right } else { parent.read_right(at, code, &self.seen.board) }
            })
    }

    /// Whether the moving piece stands on a square where this hypothesis does not expect it, on its way to where it
    /// ended or from there.
    fn stands_elsewhere(&self, parent: &Hypothesis<G>, first: &Candidate<G::Move>) -> bool {
        let code = first.code_at(first.to).unwrap_or(first.piece);
        squares(parent.mismatched & !bit(first.to)).any(|at| {
            let on_its_way = first.transit & bit(at) != 0 || G::may_go(code, first.to, code, at);
            self.seen.board[at as usize] == code && on_its_way
        })
    }

    /// The reply captured where the first move had landed.
    fn expand_captured(&mut self, between: &Hypothesis<G>, first: &Candidate<G::Move>, event: &Event) {
        for (number, second) in between.moves().iter().enumerate() {
            if second.changed & bit(first.to) != 0 && between.is_complete(second, &self.seen.board) {
                let mut child = between.apply_move(number, event, &self.seen.board, self.clock_in_use());
                child.cost += costs::DEBT_RECAPTURE;
                if first.vanishes_when_captured && second.to != first.to {
                    child.cost += costs::DEBT_EN_PASSANT;
                }
                if child.cost <= self.cost_limit {
                    self.expand(&child, event, !0, 1);
                    self.children.push(child);
                }
            }
        }
    }

    /// The same piece went on after the reply.
    fn expand_went_on(&mut self, between: &Hypothesis<G>, first: &Candidate<G::Move>, event: &Event) {
        if between.cost + costs::DEBT_WENT_ON > self.cost_limit {
            return;
        }
        let turn = between.node.game.turn().other();
        for (number, second) in between.moves().iter().enumerate() {
            if second.changed & bit(first.to) != 0 || !between.is_complete(second, &self.seen.board) {
                continue;
            }
            let goes_on = |third: &Candidate<G::Move>| {
                third.from == first.to && self.may_complete(between, third, between.mismatched)
            };
            let completes = second.changed & bit(event.square) != 0;
            if !completes && !between.position.after(number).moves().iter().any(goes_on) {
                continue;
            }
            let mut after = between.apply_move(number, event, &self.seen.board, self.clock_in_use());
            if after.cost + costs::DEBT_WENT_ON > self.cost_limit {
                continue;
            }
            let further = after.may_have_moved(turn, after.mismatched, bit(first.to), !0, &self.seen.board);
            for (number, third) in after.moves().iter().enumerate().filter(|_| further) {
                if third.from == first.to && after.is_complete(third, &self.seen.board) {
                    let mut child = after.apply_move(number, event, &self.seen.board, self.clock_in_use());
                    child.cost += costs::DEBT_WENT_ON;
                    if child.cost <= self.cost_limit {
                        self.expand(&child, event, !0, 1);
                        self.children.push(child);
                    }
                }
            }
            if completes {
                after.cost += costs::DEBT_WENT_ON;
                self.children.push(after);
            }
        }
    }
}
