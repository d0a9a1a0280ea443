//! A change that was misread: one packet in some thousands on a bad line passes its checksum with a wrong square or a wrong
//! piece, and a look at the board at rest shows it later.
//!
//! For the tracked board, which tries the game again with that change put right; and, of a game that began with pieces exchanged,
//! as if they had stood right.

use super::{limits, observe::event::Stamp};
use crate::record::{BoardEvent, BoardPosition, BoardRecord, Change, Clock, Piece, Placement, Press, Square};

/// A record as it is kept, for a hall keeps those of all its games in play: what most of them say, and all else in a box.
#[derive(Clone)]
struct Said {
    at: Stamp,
    what: What,
}

/// What it says.
#[derive(Clone)]
enum What {
    Change(Change),
    Press(Press),
    Rests,
    Else(Box<BoardEvent>),
}

// There are thousands of them for each board.
const _: () = assert!(size_of::<Said>() <= 24);

impl Said {
    /// Whether this and a record that follows it are readings of the clock that differ in their times alone.
    fn is_reading_alike(&self, record: &BoardEvent) -> bool {
        let (What::Else(said), BoardEvent::Clock(clock)) = (&self.what, record) else { return false };
        let BoardEvent::Clock(before) = &**said else { return false };
        let state = |clock: &Clock| {
            let flags = [clock.left, clock.right].map(|side| side.map(|side| side.flag));
            (clock.connected, clock.running, clock.turn, clock.low_battery, flags)
        };
        state(before) == state(clock)
    }

    fn record(&self) -> BoardRecord {
        let event = match &self.what {
            What::Change(change) => BoardEvent::Change(change.clone()),
            What::Press(press) => BoardEvent::Press(press.clone()),
            What::Rests => BoardEvent::Quiet {},
            What::Else(event) => BoardEvent::clone(event),
        };
        BoardRecord::new(self.at.time(), None, event)
    }
}

/// A change that may have been another one than was told.
#[derive(Debug, Clone, Copy)]
pub struct Misread {
    /// Which of the records.
    at: usize,
    /// The square that it meant,
    square: Square,
    /// and what stood there then.
    piece: Option<Piece>,
}

/// What a board told of the game in play, from the position that stood before it.
pub struct Told {
    /// What stood then; none while that is not known.
    pub begin: Option<Placement>,
    /// What should have stood then, where pieces stood exchanged.
    pub meant: Option<Placement>,
    /// What it told since.
    said: Vec<Said>,
    /// How often something was tried instead.
    tried: usize,
}

impl Told {
    /// Nothing is told yet.
    pub fn nothing() -> Told {
        Told { begin: None, meant: None, said: Vec::new(), tried: 0 }
    }

    /// A game may begin from what stands.
    pub fn begins(&mut self, stands: Placement, meant: Option<Placement>) {
        *self = Told { begin: Some(stands), meant, ..Told::nothing() };
    }

    /// What was told is not all.
    pub fn forget(&mut self) {
        *self = Told::nothing();
    }

    /// The board told something.
    pub fn record(&mut self, record: &BoardRecord) {
        if self.said.len() == limits::RECORDS_OF_GAME {
            self.forget();
        }
        if self.begin.is_some() {
            // A clock that runs is told of every second. Of readings that follow each other the first and the last tell all
            // that matters: how long it was looked at, and what it came to.
            if let [.., before, last] = &self.said[..]
                && [before, last].into_iter().all(|said| said.is_reading_alike(&record.event))
            {
                self.said.pop();
            }
            let what = match &record.event {
                BoardEvent::Change(change) => What::Change(change.clone()),
                BoardEvent::Press(press) => What::Press(press.clone()),
                BoardEvent::Quiet {} => What::Rests,
                event => What::Else(Box::new(event.clone())),
            };
            self.said.push(Said { at: record.time.into(), what });
        }
    }

    /// What it told, with nothing of whose board it is.
    pub fn records(&self) -> impl Iterator<Item = BoardRecord> {
        self.said.iter().map(Said::record)
    }

    /// The same, but for one of them.
    pub fn records_with(&self, other: &Misread) -> impl Iterator<Item = BoardRecord> {
        self.records().enumerate().map(|(at, mut record)| {
            if let (true, BoardEvent::Change(change)) = (at == other.at, &mut record.event) {
                (change.square, change.piece) = (other.square, other.piece);
            }
            record
        })
    }

    /// Whether the game may be gone through once more, which counts.
    pub fn may_be_tried(&mut self) -> bool {
        let may_be = self.tried < limits::MISREAD_TRIED;
        self.tried += usize::from(may_be);
        may_be
    }

    /// The same from what was meant to stand at the start: where a piece that stood exchanged was put back, that was one which
    /// stood right; none once it was gone through often enough.
    pub fn as_meant(&mut self) -> Option<Told> {
        let (begin, meant) = (self.begin?, self.meant?);
        if !self.may_be_tried() {
            return None;
        }
        let right = |change: &Change| {
            let back = change.piece.is_some() && change.piece == begin.get(change.square);
            let piece = if back { meant.get(change.square) } else { change.piece };
            Change { piece, ..change.clone() }
        };
        let rights = |placement: &Placement| {
            let mut stands = *placement;
            for square in begin.differing(&meant).filter(|&at| placement.get(at) == begin.get(at)) {
                stands.set(square, meant.get(square));
            }
            stands
        };
        let said = self.said.iter().map(|said| {
            let what = match &said.what {
                What::Change(change) => What::Change(right(change)),
                What::Else(event) => match &**event {
                    BoardEvent::Position(position) => {
                        let placement = rights(&position.placement);
                        What::Else(Box::new(BoardEvent::Position(BoardPosition {
                            placement,
                            ..position.clone()
                        })))
                    }
                    _ => What::Else(event.clone()),
                },
                what => what.clone(),
            };
            Said { what, ..*said }
        });
        Some(Told { begin: Some(meant), meant: None, said: said.collect(), tried: self.tried })
    }

    /// That it was told so from now on.
    pub fn put_right(&mut self, other: &Misread) {
        if let Some(Said { what: What::Change(change), .. }) = self.said.get_mut(other.at) {
            (change.square, change.piece) = (other.square, other.piece);
        }
    }

    /// What it may have told instead, if by that it `seems` to stand so and `stands` otherwise: the same with one change on
    /// another square, or of another piece.
    pub fn instead(&mut self, seems: &Placement, stands: &Placement) -> Vec<Misread> {
        let differ: Vec<Square> = seems.differing(stands).collect();
        if self.tried == limits::MISREAD_TRIED || !matches!(differ.len(), 1 | 2) {
            return Vec::new();
        }
        let of_piece = match differ[..] {
            [at] => self.last(at).map(|last| Misread { at: last, square: at, piece: stands.get(at) }),
            _ => None,
        };
        let of_square = self.on_other_square(seems, stands, &differ);
        let instead: Vec<_> = of_piece.into_iter().chain(of_square).take(limits::MISREAD_INSTEAD).collect();
        self.tried += usize::from(!instead.is_empty());
        instead
    }

    /// Changes of a square that were of another one, the last first: all that differs must be that the one did not change
    /// then and the other did. Squares that changed again since stand as they were told anyway. Where that leaves but one
    /// that differs, any of many squares may be the other: it is one whose field is wrong by one bit.
    fn on_other_square<'a>(
        &'a self,
        seems: &'a Placement,
        stands: &'a Placement,
        differ: &'a [Square],
    ) -> impl Iterator<Item = Misread> + 'a {
        let is_last = |at, square| self.last(square).is_none_or(|last| last <= at);
        self.changes().rev().flat_map(move |(at, change)| {
            let read = change.square;
            let others: Vec<Square> = match differ {
                [_] => (0..6).filter_map(|bit| Square::from_field(read.field() ^ 1 << bit)).collect(),
                _ => differ.to_vec(),
            };
            let may_be = move |meant: &Square| {
                *meant != read && differ.iter().all(|square| *square == read || square == meant)
            };
            let fits = move |meant: &Square| {
                let untold = if is_last(at, read) { self.before(at, read) } else { Some(seems.get(read)) };
                let told = if is_last(at, *meant) { change.piece } else { seems.get(*meant) };
                untold == Some(stands.get(read)) && told == stands.get(*meant)
            };
            let meant = others.into_iter().filter(may_be).filter(fits);
            meant.map(move |square| Misread { at, square, piece: change.piece })
        })
    }

    /// What stood on a square before one of its changes; none where that is not known.
    fn before(&self, at: usize, square: Square) -> Option<Option<Piece>> {
        let earlier = self.changes().rfind(|&(other, change)| other < at && change.square == square);
        earlier.map(|(_, change)| change.piece).or_else(|| Some(self.begin?.get(square)))
    }

    /// The last change of a square.
    fn last(&self, square: Square) -> Option<usize> {
        self.changes().rfind(|(_, change)| change.square == square).map(|(at, _)| at)
    }

    fn changes(&self) -> impl DoubleEndedIterator<Item = (usize, &Change)> {
        self.said.iter().enumerate().filter_map(|(at, said)| match &said.what {
            What::Change(change) => Some((at, change)),
            _ => None,
        })
    }
}
