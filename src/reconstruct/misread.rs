//! A change that was misread: one packet in some thousands on a bad line passes its checksum with a wrong square or a wrong
//! piece, and a look at the board at rest shows it later.
//!
//! For the tracked board, which tries the game again with that change put right.

use super::limits;
use crate::record::{BoardEvent, BoardRecord, Change, Piece, Placement, Square};

/// What a board told of the game in play, from the position that stood before it.
pub struct Told {
    /// What stood then; none while that is not known.
    pub begin: Option<Placement>,
    /// What it told since.
    pub records: Vec<BoardRecord>,
    /// How often something was tried instead.
    tried: usize,
}

impl Told {
    /// Nothing is told yet.
    pub fn nothing() -> Told {
        Told { begin: None, records: Vec::new(), tried: 0 }
    }

    /// A game may begin from what stands.
    pub fn begins(&mut self, stands: Placement) {
        *self = Told { begin: Some(stands), ..Told::nothing() };
    }

    /// What was told is not all.
    pub fn forget(&mut self) {
        *self = Told::nothing();
    }

    /// The board told something.
    pub fn record(&mut self, record: &BoardRecord) {
        if self.records.len() as u64 == limits::LOG_RECORDS {
            self.forget();
        }
        if self.begin.is_some() {
            self.records.push(record.clone());
        }
    }

    /// What it may have told instead, if by that it `seems` to stand so and `stands` otherwise: the same with one change on
    /// another square, or of another piece.
    pub fn instead(&mut self, seems: &Placement, stands: &Placement) -> Vec<Vec<BoardRecord>> {
        if self.tried == limits::MISREAD_TRIED {
            return Vec::new();
        }
        let differ: Vec<Square> = Square::all().filter(|&at| seems.get(at) != stands.get(at)).collect();
        let put_right = match differ[..] {
            [at] => vec![self.last(at).map(|last| (last, at, stands.get(at)))],
            [a, b] => {
                vec![self.on_other_square(a, b, seems, stands), self.on_other_square(b, a, seems, stands)]
            }
            _ => vec![],
        };
        let corrected = |(at, square, piece): (usize, Square, Option<Piece>)| {
            let mut records = self.records.clone();
            if let BoardEvent::Change(change) = &mut records[at].event {
                (change.square, change.piece) = (square, piece);
            }
            records
        };
        let instead: Vec<_> = put_right.into_iter().flatten().map(corrected).collect();
        self.tried += usize::from(!instead.is_empty());
        instead
    }

    /// Which change told of `read` was one of `meant`, if one can have been: without it both squares are as they stand.
    fn on_other_square(
        &self,
        read: Square,
        meant: Square,
        seems: &Placement,
        stands: &Placement,
    ) -> Option<(usize, Square, Option<Piece>)> {
        let last = self.last(read)?;
        let before = self.changes().rfind(|&(at, change)| at < last && change.square == read);
        let before = before.map_or(self.begin?.get(read), |(_, change)| change.piece);
        let piece = seems.get(read);
        let fits = before == stands.get(read)
            && piece == stands.get(meant)
            && self.last(meant).is_none_or(|other| other < last);
        fits.then_some((last, meant, piece))
    }

    /// The last change of a square.
    fn last(&self, square: Square) -> Option<usize> {
        self.changes().rfind(|(_, change)| change.square == square).map(|(at, _)| at)
    }

    fn changes(&self) -> impl DoubleEndedIterator<Item = (usize, &Change)> {
        self.records.iter().enumerate().filter_map(|(at, record)| match &record.event {
            BoardEvent::Change(change) => Some((at, change)),
            _ => None,
        })
    }
}
