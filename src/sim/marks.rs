//! The marks a board writes into its log by itself: the start position, four full rows, no piece left.

use crate::record::{MarkKind, Placement, Square};

/// Finds positions that get a mark, by the board's own rule: after a mark, more than two pieces must have left the marked
/// position (or, after that of an empty board, come) before the next.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    marked: Option<Placement>,
}

impl Marks {
    /// The mark of this new position, if it gets one.
    pub fn see(&mut self, placement: &Placement) -> Option<MarkKind> {
        if let Some(marked) = &self.marked {
            let gone = |s: &Square| marked.get(*s).is_some() && marked.get(*s) != placement.get(*s);
            let left =
                Square::all().filter(gone).count().max(placement.count().saturating_sub(marked.count()));
            if left <= 2 {
                return None;
            }
            self.marked = None;
        }
        let mark = mark_of(placement)?;
        self.marked = Some(*placement);
        Some(mark)
    }
}

/// The mark for a position, without the rule of repetition.
fn mark_of(placement: &Placement) -> Option<MarkKind> {
    if *placement == Placement::EMPTY {
        return Some(MarkKind::Empty);
    }
    if *placement == Placement::start() {
        return Some(MarkKind::Begin);
    }
    if *placement == Placement::start().turned() {
        return Some(MarkKind::BeginRotated);
    }
    let full = |row: usize| placement.codes()[row * 8..row * 8 + 8].iter().all(|&code| code != 0);
    let four_rows = placement.count() == 32 && [0, 1, 6, 7].into_iter().all(full);
    four_rows.then_some(MarkKind::FourRows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(changes: &[(&str, Option<u8>)]) -> Placement {
        let mut placement = Placement::start();
        for (square, piece) in changes {
            placement.set(square.parse().unwrap(), piece.and_then(crate::record::Piece::from_letter));
        }
        placement
    }

    #[test]
    fn two_moved_pieces_cause_no_second_mark() {
        let mut marks = Marks::default();
        assert_eq!(marks.see(&Placement::start()), Some(MarkKind::Begin));
        assert_eq!(marks.see(&with(&[("e2", None), ("e4", Some(b'P')), ("d2", None)])), None);
        assert_eq!(marks.see(&Placement::start()), None);
        assert_eq!(marks.see(&with(&[("e2", None), ("d2", None), ("c2", None)])), None);
        assert_eq!(marks.see(&Placement::start()), Some(MarkKind::Begin));
    }

    #[test]
    fn other_marked_positions_have_their_own_marks() {
        assert_eq!(mark_of(&Placement::start().turned()), Some(MarkKind::BeginRotated));
        assert_eq!(mark_of(&Placement::EMPTY), Some(MarkKind::Empty));
        let swapped = with(&[("b1", Some(b'B')), ("c1", Some(b'N'))]);
        assert_eq!(mark_of(&swapped), Some(MarkKind::FourRows));
        assert_eq!(mark_of(&with(&[("e2", None), ("e4", Some(b'P'))])), None);
    }
}
