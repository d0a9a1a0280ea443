//! A change that was misread: on a bad line about one packet in some thousands passes its checksum with a wrong square
//! or a wrong piece, and a later position of the board shows it.
//!
//! The tracked board replays the game with that change corrected; and a game that began with pieces on each other's
//! squares, as if they had been right.

use super::{limits, observe::event::Stamp};
use crate::record::{BoardEvent, BoardPosition, BoardRecord, Change, Clock, Piece, Placement, Press, Square};

/// A record as it is kept for all games in play of a hall: frequent types unboxed, others boxed.
#[derive(Clone)]
struct KeptRecord {
    at: Stamp,
    kept: Kept,
}

/// The event of a kept record.
#[derive(Clone)]
enum Kept {
    Change(Change),
    Press(Press),
    Rests,
    Else(Box<BoardEvent>),
}

impl KeptRecord {
    /// Whether this and a following record are readings of the clock that differ in their times alone.
    fn is_reading_alike(&self, record: &BoardEvent) -> bool {
        let (Kept::Else(last), BoardEvent::Clock(clock)) = (&self.kept, record) else { return false };
        let BoardEvent::Clock(before) = &**last else { return false };
        let state = |clock: &Clock| {
            let flags = [clock.left, clock.right].map(|side| side.map(|side| side.flag));
            (clock.connected, clock.running, clock.turn, clock.low_battery, flags)
        };
        state(before) == state(clock)
    }

    fn record(&self) -> BoardRecord {
        let event = match &self.kept {
            Kept::Change(change) => BoardEvent::Change(change.clone()),
            Kept::Press(press) => BoardEvent::Press(press.clone()),
            Kept::Rests => BoardEvent::Quiet {},
            Kept::Else(event) => BoardEvent::clone(event),
        };
        BoardRecord::new(self.at.time(), None, event)
    }
}

/// A change that may have been another one than was read.
#[derive(Debug, Clone, Copy)]
pub struct Misread {
    /// The number of the record.
    at: usize,
    /// The square that it should have,
    square: Square,
    /// and the piece.
    piece: Option<Piece>,
}

/// The records of the game in play, from the position before it.
pub struct GameRecords {
    /// The position before it; none while it is not known.
    pub start: Option<Placement>,
    /// The position that was meant, where pieces stood on each other's squares.
    pub meant: Option<Placement>,
    /// The records since.
    kept: Vec<KeptRecord>,
    /// How often a replay was tried.
    tried: usize,
}

impl GameRecords {
    /// No records yet.
    pub fn none() -> GameRecords {
        GameRecords { start: None, meant: None, kept: Vec::new(), tried: 0 }
    }

    /// A game may begin from this position.
    pub fn begins(&mut self, stands: Placement, meant: Option<Placement>) {
        *self = GameRecords { start: Some(stands), meant, ..GameRecords::none() };
    }

    /// Drops everything: some records are missing.
    pub fn forget(&mut self) {
        *self = GameRecords::none();
    }

    /// Adds a record.
    pub fn record(&mut self, record: &BoardRecord) {
        if self.kept.len() == limits::GAME_MAX_RECORDS {
            self.forget();
        }
        if self.start.is_some() {
            // A running clock is reported every second. Of consecutive readings the first and the last are enough: they
            // have the duration and the result.
            if let [.., before, last] = &self.kept[..]
                && [before, last].into_iter().all(|kept| kept.is_reading_alike(&record.event))
            {
                self.kept.pop();
            }
            let kept = match &record.event {
                BoardEvent::Change(change) => Kept::Change(change.clone()),
                BoardEvent::Press(press) => Kept::Press(press.clone()),
                BoardEvent::Quiet {} => Kept::Rests,
                event => Kept::Else(Box::new(event.clone())),
            };
            // Each board has thousands of them.
            const { assert!(size_of::<KeptRecord>() <= 24) }
            self.kept.push(KeptRecord { at: record.time.into(), kept });
        }
    }

    /// The records, without the name of the board.
    pub fn records(&self) -> impl Iterator<Item = BoardRecord> {
        self.kept.iter().map(KeptRecord::record)
    }

    /// The same records, with one of them corrected.
    pub fn records_with(&self, other: &Misread) -> impl Iterator<Item = BoardRecord> {
        self.records().enumerate().map(|(at, mut record)| {
            if let (true, BoardEvent::Change(change)) = (at == other.at, &mut record.event) {
                (change.square, change.piece) = (other.square, other.piece);
            }
            record
        })
    }

    /// Whether the game may be replayed once more; counts the replay.
    pub fn may_be_tried(&mut self) -> bool {
        let may_be = self.tried < limits::MISREAD_MAX_REPLAYS;
        self.tried += usize::from(may_be);
        may_be
    }

    /// The same records from the position that was meant: a misplaced piece that was put back is then the right one.
    /// None once enough replays were tried.
    pub fn as_meant(&mut self) -> Option<GameRecords> {
        let (begin, meant) = (self.start?, self.meant?);
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
        let kept = self.kept.iter().map(|record| {
            let kept = match &record.kept {
                Kept::Change(change) => Kept::Change(right(change)),
                Kept::Else(event) => match &**event {
                    BoardEvent::Position(position) => {
                        let placement = rights(&position.placement);
                        Kept::Else(Box::new(BoardEvent::Position(BoardPosition {
                            placement,
                            ..position.clone()
                        })))
                    }
                    _ => Kept::Else(event.clone()),
                },
                kept => kept.clone(),
            };
            KeptRecord { kept, ..*record }
        });
        Some(GameRecords { start: Some(meant), meant: None, kept: kept.collect(), tried: self.tried })
    }

    /// Keeps this correction.
    pub fn correct(&mut self, other: &Misread) {
        if let Some(KeptRecord { kept: Kept::Change(change), .. }) = self.kept.get_mut(other.at) {
            (change.square, change.piece) = (other.square, other.piece);
        }
    }

    /// The corrections that would turn the position `seems`, which the records lead to, into `stands`: another square,
    /// or another piece, in one change.
    pub fn instead(&mut self, seems: &Placement, stands: &Placement) -> Vec<Misread> {
        let differ: Vec<Square> = seems.differing(stands).collect();
        if self.tried == limits::MISREAD_MAX_REPLAYS || !matches!(differ.len(), 1 | 2) {
            return Vec::new();
        }
        let of_piece = match differ[..] {
            [at] => self.last(at).map(|last| Misread { at: last, square: at, piece: stands.get(at) }),
            _ => None,
        };
        let of_square = self.on_other_square(seems, stands, &differ);
        let instead: Vec<_> =
            of_piece.into_iter().chain(of_square).take(limits::MISREAD_MAX_CORRECTIONS).collect();
        self.tried += usize::from(!instead.is_empty());
        instead
    }

    /// Changes that may belong to another square, the last one first: of the two squares that differ, one did not
    /// change then and the other one did. Squares that changed again later are excluded: that change shows what was
    /// there. Where only one square differs, the other may be any whose field number differs in one bit.
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
                let unchanged = if is_last(at, read) { self.before(at, read) } else { Some(seems.get(read)) };
                let changed = if is_last(at, *meant) { change.piece } else { seems.get(*meant) };
                unchanged == Some(stands.get(read)) && changed == stands.get(*meant)
            };
            let meant = others.into_iter().filter(may_be).filter(fits);
            meant.map(move |square| Misread { at, square, piece: change.piece })
        })
    }

    /// The piece on a square before one of its changes; none where that is not known.
    fn before(&self, at: usize, square: Square) -> Option<Option<Piece>> {
        let earlier = self.changes().rfind(|&(other, change)| other < at && change.square == square);
        earlier.map(|(_, change)| change.piece).or_else(|| Some(self.start?.get(square)))
    }

    /// The number of the last change of a square.
    fn last(&self, square: Square) -> Option<usize> {
        self.changes().rfind(|(_, change)| change.square == square).map(|(at, _)| at)
    }

    fn changes(&self) -> impl DoubleEndedIterator<Item = (usize, &Change)> {
        self.kept.iter().enumerate().filter_map(|(at, record)| match &record.kept {
            Kept::Change(change) => Some((at, change)),
            _ => None,
        })
    }
}
