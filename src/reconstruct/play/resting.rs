//! A board at rest on which something is left over: moves taken back, gaps, anomalies.

use std::rc::Rc;

use super::Play;
use crate::{
    reconstruct::{
        Options, Update,
        costs::Deviation,
        gap::{self, Bridge},
        hypothesis::Hypothesis,
        limits,
        observe::event::Event,
        tree::{node::Node, position::Position},
    },
    record::{Anomaly, AnomalyKind, GameEvent, Piece, Placement, Square},
    rules::{Game, squares},
};

impl<G: Game> Play<G> {
    /// The board rests and the best explanation leaves something over: a takeback or a gap.
    pub(super) fn explain_rest(&mut self) {
        let board = *self.search.board();
        if self.stuck == Some(board) {
            return;
        }
        self.stuck = Some(board);
        if self.search.hypotheses().any(|h| h.mismatched == 0) {
            // One of them explains all of it; which is right will show.
            return;
        }
        let best = self.search.best();
        let mut node = best.node.parent.clone();
        if best.is_confirmed() && best.node.ply > 1 {
            // Not by one player alone, unless the game begins anew.
            node = node.and_then(|node| node.parent.clone());
        }
        for _ in 0..limits::TAKEBACK_PLIES {
            let Some(earlier) = node else { break };
            if *earlier.game.placement().codes() == board {
                let back = best.instead(earlier, best.rank(), Deviation::Takeback, 1.0);
                self.search.add(back);
                self.search.prefer_standing();
                return;
            }
            node = earlier.parent.clone();
        }
        let only_missing = squares(best.mismatched).all(|at| board[at as usize] == 0);
        if self.gap {
            self.bridge();
        } else if !only_missing && !self.is_being_set_up() && !self.bridge() {
            self.play_otherwise();
        }
    }

    /// Moves by which both players come back to an earlier position, and which neither pressed, are none.
    pub(super) fn look_for_takeback(&mut self) {
        let board = *self.search.board();
        if !self.search.clock_in_use() || self.stuck == Some(board) {
            return;
        }
        let best = self.search.best();
        let ply = best.node.ply;
        let unpressed = (0..ply).take_while(|back| best.pressed(ply - back).is_none()).count() as u32;
        if unpressed < 2 {
            return;
        }
        let found = (2..=unpressed).find_map(|back| {
            let earlier = best.node.at(ply.checked_sub(2 * back)?)?;
            let before = best.node.at(ply - back)?.cost;
            let same = *earlier.game.placement().codes() == board;
            same.then(|| best.instead(earlier, before, Deviation::WentBack, 1.0))
        });
        self.stuck = Some(board);
        if let Some(found) = found {
            self.search.add(found);
        }
    }

    /// The last moves may have been taken back and others played.
    fn play_otherwise(&mut self) {
        let (board, event) = (*self.search.board(), self.unseen());
        let best = self.search.best();
        let mut node = best.node.parent.clone();
        for back in 1..=limits::BRIDGE_OTHERWISE {
            let Some(earlier) = node else { return };
            let position = Position::new(earlier.game.clone());
            for plies in 1..=back {
                if let Bridge::One(last) = gap::bridge(&earlier, &position, &board, event, plies) {
                    let otherwise = best.instead(last, best.rank(), Deviation::Takeback, 1.0);
                    self.search.add(otherwise);
                    return;
                }
            }
            node = earlier.parent.clone();
        }
    }

    /// Looks for the moves that lead from the best explanations to the board as it stands; whether there is an answer.
    pub(super) fn bridge(&mut self) -> bool {
        let board = *self.search.board();
        let event = self.unseen();
        let longest = if self.gap { limits::BRIDGE_HIDDEN } else { limits::BRIDGE_SEEN };
        let mut from: Vec<&Hypothesis<G>> = Vec::new();
        for hypothesis in self.search.hypotheses() {
            if from.len() < limits::BRIDGED_FROM
                && from.iter().all(|h| h.node.line_hash != hypothesis.node.line_hash)
            {
                from.push(hypothesis);
            }
        }
        // The shortest way is the likeliest, from whichever of them.
        let ways = (1..=longest).flat_map(|plies| from.iter().map(move |&h| (h, plies)));
        let mut bridged = None;
        for (hypothesis, plies) in ways {
            match gap::bridge(&hypothesis.node, &hypothesis.position, &board, event, plies) {
                Bridge::One(node) => {
                    let hidden = (plies as f32).min(limits::BRIDGED_AT_MOST);
                    bridged = Some(hypothesis.instead(node, hypothesis.cost(), Deviation::Bridged, hidden));
                    break;
                }
                Bridge::Many if self.gap => return true,
                Bridge::Many | Bridge::None => {}
            }
        }
        let found = bridged.is_some();
        if let Some(bridged) = bridged {
            self.search.add(bridged);
            self.gap = false;
        }
        found
    }

    /// An event that stands for what was not seen.
    fn unseen(&self) -> Event {
        let done = self.search.best().node.completed_by;
        Event { index: self.search.state().index, stamp: self.changed.into(), seen: false, ..done }
    }

    /// Tells, once, that the board stands in a way nothing explains.
    pub fn look_for_anomaly(&mut self, options: &Options, updates: &mut Vec<Update>) {
        self.look_for_men_left(updates);
        let best = self.search.best();
        let board = *self.search.board();
        if best.mismatched == 0 {
            self.reported = None;
        }
        if best.mismatched == 0
            || self.signalled.is_some()
            || self.reported == Some(board)
            || !self.rests(options)
        {
            return;
        }
        let codes = best.node.game.placement().codes();
        let wrong: Vec<u8> = squares(best.mismatched).collect();
        let (gone, come): (Vec<u8>, Vec<u8>) = wrong.iter().partition(|&&at| board[at as usize] == 0);
        let one_moved =
            gone.len() == 1 && come.len() == 1 && codes[gone[0] as usize] == board[come[0] as usize];
        let disorder = !self.gap && (wrong.len() >= limits::DISORDER || self.is_being_set_up());
        let after = if come.is_empty() || disorder { limits::ANOMALY_MISSING } else { limits::ANOMALY };
        if !self.passed(self.changed, after) || (disorder && self.reported.is_some()) {
            return;
        }
        self.reported = Some(board);
        // Before it is given up as inexplicable.
        self.search.look_again();
        let best = self.search.best();
        if self.search.hypotheses().any(|h| h.mismatched == 0) {
            // Something unlikely explains it after all, and nothing likelier has come.
            self.search.prefer_standing();
            return;
        }
        let (kind, detail) = if one_moved {
            let piece = Piece::from_code(board[come[0] as usize]).map_or(String::new(), |p| p.to_string());
            (
                AnomalyKind::Illegal,
                format!("{piece} from {} to {} is no legal move", name(gone[0]), name(come[0])),
            )
        } else if self.gap {
            (AnomalyKind::Gap, "moves are missing and no single way leads to this position".to_owned())
        } else {
            let at: Vec<String> = wrong.iter().copied().map(name).collect();
            (AnomalyKind::Unexplained, format!("no legal move explains {}", at.join(", ")))
        };
        let ply = best.node.ply;
        if !disorder {
            self.resume(kind);
        }
        let anomaly = Anomaly { ply, kind, placement: Some(Placement::from_codes(board)), detail };
        self.begin(updates);
        updates.push(Update { game: self.number, time: self.changed, event: GameEvent::Anomaly(anomaly) });
    }

    /// Tells, once, that captured men were left standing: the board has rested so, or play has gone on.
    fn look_for_men_left(&mut self, updates: &mut Vec<Update>) {
        let best = self.search.best();
        self.left &= best.captured_standing;
        // After the moves told: who reads of the men shall know of their capture.
        let told = self.shown.last();
        let Some(node) = best.node.at(told.map_or(best.node.ply, |shown| shown.node.ply)) else { return };
        let own = |from: &Rc<Node<G>>, to: u32| {
            let mut set = 0;
            let mut node = Some(from);
            while let Some(n) = node.filter(|n| n.ply > to) {
                set |= n.changed;
                node = n.parent.as_ref();
            }
            set
        };
        let late = best.captured_standing & !own(&best.node, node.ply);
        let recent = own(&node, node.ply.saturating_sub(limits::STANDING_PLIES));
        let due = if self.passed(self.changed, limits::ANOMALY) { late } else { late & !recent };
        if due & !self.left != 0 {
            let ply = node.ply;
            self.left |= late;
            let names: Vec<String> = squares(late).map(name).collect();
            let detail = format!("captured and still standing: {}", names.join(", "));
            let placement = Some(Placement::from_codes(*self.search.board()));
            self.begin(updates);
            let anomaly = Anomaly { ply, kind: AnomalyKind::Illegal, placement, detail };
            updates.push(Update {
                game: self.number,
                time: self.changed,
                event: GameEvent::Anomaly(anomaly),
            });
        }
    }

    /// Play may go on from a position that no move explains: after an illegal move with the other side, after
    /// a gap with either.
    fn resume(&mut self, kind: AnomalyKind) {
        let (board, event) = (*self.search.board(), self.unseen());
        let best = self.search.best();
        let turn = best.node.game.turn();
        let turns = if kind == AnomalyKind::Illegal { &[turn.other()][..] } else { &[turn.other(), turn] };
        let resumed = |&turn| Some(Rc::new(Node::resumed(&best.node, &board, turn, event)?));
        let instead = |node| best.instead(node, best.rank(), Deviation::Resumed, 1.0);
        let found: Vec<_> = turns.iter().filter_map(resumed).map(instead).collect();
        for resumed in found {
            self.search.add(resumed);
        }
        if kind == AnomalyKind::Gap {
            self.search.prefer_standing();
        }
    }
}

/// The name of a field.
fn name(field: u8) -> String {
    Square::from_field(field).map_or(String::new(), |square| square.to_string())
}
