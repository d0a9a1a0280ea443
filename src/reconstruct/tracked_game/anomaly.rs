//! Anomalies: a board at rest that no move explains, and captured men left on the board. Each is published once.
//!
//! The session asks after each record. Play may go on from such a position.

use std::rc::Rc;

use super::state::{Gap, TrackedGame};
use crate::{
    reconstruct::{limits, tree::node::Node, update::Update},
    record::{Anomaly, AnomalyKind, GameEvent, Piece, Placement, Square},
    rules::{Colour, Game, Squares, squares},
};

/// How the board differs from the best explanation.
struct Mismatch {
    squares: Squares,
    /// No piece is on a wrong square: somebody may hold the missing ones.
    only_missing: bool,
    /// One piece went from the first to the second square, and nothing else is mismatched.
    moved: Option<(u8, u8)>,
    /// So many squares are mismatched that no move was meant.
    disorder: bool,
}

impl<G: Game> TrackedGame<G> {
    /// Publishes a position that nothing explains, if the board has rested in it for long.
    pub fn look_for_anomaly(&mut self, updates: &mut Vec<Update>) {
        if !self.phase.is_published() {
            return;
        }
        self.look_for_men_left(updates);
        let board = self.search.state().board;
        if self.search.best().mismatched == 0 {
            self.anomalous = None;
            self.anomaly_detail.clear();
            return;
        }
        if self.signal.is_some() || self.anomalous == Some(board) || !self.stillness.all_pieces_rest() {
            return;
        }
        let mismatch = self.mismatch();
        let long = mismatch.only_missing || mismatch.disorder;
        let wait = if long { limits::CONTINUED_WITHIN_SECONDS } else { limits::ANOMALY_SECONDS };
        if !self.stillness.passed(self.stillness.changed, wait)
            || (mismatch.disorder && self.anomalous.is_some())
        {
            return;
        }
        self.anomalous = Some(board);
        // A replay first: it may explain the position.
        self.search.replay_wider();
        if self.search.hypotheses().any(|h| h.mismatched == 0) {
            // An unlikely explanation fits after all, and no likelier one was found.
            self.search.prefer_standing();
            return;
        }
        let (kind, detail) = self.describe(&mismatch);
        let ply = self.search.best().node.ply;
        if !mismatch.disorder {
            self.resume(kind, &mismatch);
        }
        // Pieces on wrong squares may stay there for the rest of the game.
        if self.anomaly_detail != detail {
            self.anomaly_detail.clone_from(&detail);
            self.publish_anomaly(ply, kind, detail, updates);
        }
    }

    fn mismatch(&self) -> Mismatch {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let only_missing = squares(best.mismatched).all(|at| board[at as usize] == 0);
        let moved = best.moved(self.search.state());
        let many = best.mismatched.count_ones() >= limits::DISORDER_SQUARES;
        let disorder = many || self.is_being_set_up();
        Mismatch { squares: best.mismatched, only_missing, moved, disorder }
    }

    fn describe(&self, mismatch: &Mismatch) -> (AnomalyKind, String) {
        if let Some((from, to)) = mismatch.moved {
            let piece = Piece::from_code(self.search.state().code(to));
            let piece = piece.map_or(String::new(), |piece| piece.to_string());
            let detail = format!("{piece} from {} to {} is no legal move", name(from), name(to));
            (AnomalyKind::Illegal, detail)
        } else {
            (AnomalyKind::Unexplained, format!("no legal move explains {}", names(mismatch.squares)))
        }
    }

    /// Publishes, once, that captured men were left on the board: it has rested so, or play has gone on.
    fn look_for_men_left(&mut self, updates: &mut Vec<Update>) {
        if !G::CAPTURES_BY_JUMPING {
            return;
        }
        let best = self.search.best();
        self.left_standing &= best.captured_standing;
        // Only after the published moves: a reader has to have the capture first.
        let last = self.published.moves.last();
        let Some(node) = best.node.at(last.map_or(best.node.ply, |last| last.node.ply)) else { return };
        let changed = |from: &Rc<Node<G>>, to: u32| {
            from.walk_back().take_while(|node| node.ply > to).fold(0, |set, node| set | node.changed)
        };
        let standing = best.captured_standing & !changed(&best.node, node.ply);
        let recent = changed(node, node.ply.saturating_sub(limits::STANDING_MIN_PLIES));
        let rested = self.stillness.passed(self.stillness.changed, limits::ANOMALY_SECONDS);
        let due = if rested { standing } else { standing & !recent };
        if due & !self.left_standing != 0 {
            self.left_standing |= standing;
            let detail = format!("captured and still standing: {}", names(standing));
            self.publish_anomaly(node.ply, AnomalyKind::Illegal, detail, updates);
        }
    }

    /// Publishes that moves were not seen and may have been others.
    pub(super) fn publish_gap(&mut self, updates: &mut Vec<Update>) {
        if !self.before_gap.is_empty() {
            return;
        }
        let Some(Gap { after_ply, bridged }) = self.gap.take() else { return };
        let detail = match bridged {
            Some((plies, ways)) => {
                let more = if ways < limits::WAYS_MAX { "" } else { " or more" };
                format!("{plies} plies were not seen, and {ways}{more} ways lead to this position")
            }
            None => {
                "the moves that led to this position were not seen, and too many may be missing".to_owned()
            }
        };
        self.publish_anomaly(after_ply, AnomalyKind::Gap, detail, updates);
    }

    pub(super) fn publish_anomaly(
        &mut self,
        ply: u32,
        kind: AnomalyKind,
        detail: String,
        updates: &mut Vec<Update>,
    ) {
        let placement = Some(Placement::from_codes(self.search.state().board));
        let anomaly = Anomaly { placement, ..Anomaly::new(ply, kind, detail) };
        self.published.event(GameEvent::Anomaly(anomaly), self.stillness.changed, updates);
    }

    /// Lets play go on from a position that no move explains: after an illegal move with the other side, else with
    /// either.
    fn resume(&mut self, kind: AnomalyKind, mismatch: &Mismatch) {
        let (best, state) = (self.search.best(), self.search.state());
        let turn = best.node.game.turn();
        // Where the last mover moved more than a move does, all of it was that ply.
        let of_last = |&(_, to): &(u8, u8)| Colour::of(state.code(to)) == Some(turn.other());
        let before = mismatch.moved.filter(of_last).and(best.node.parent.as_ref());
        let mut found: Vec<_> =
            before.and_then(|before| self.resumed(best, before, turn)).into_iter().collect();
        let turns = if kind == AnomalyKind::Illegal { &[turn.other()][..] } else { &[turn.other(), turn] };
        found.extend(turns.iter().filter_map(|&turn| self.resumed(best, &best.node, turn)));
        // That a piece is no longer seen is likelier than that play goes on without it.
        let died = best.died_under(state).map(|died| *died);
        let displaced = best.swapped(state).or_else(|| best.displaced(state));
        found.extend(died.into_iter().chain(displaced));
        found.into_iter().for_each(|hypothesis| self.search.add(hypothesis));
    }
}

/// The name of a field.
fn name(field: u8) -> String {
    Square::from_field(field).map_or(String::new(), |square| square.to_string())
}

/// The names of fields.
fn names(fields: Squares) -> String {
    squares(fields).map(name).collect::<Vec<_>>().join(", ")
}
