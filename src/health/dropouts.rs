//! Pieces that drop out: whether it is the square, the piece, or hands.

use std::collections::BTreeMap;

use super::{limits, pieces::DropOut, series::Series};
use crate::record::{Square, Time};

/// So many of the latest are kept.
const LATEST: usize = 12;
/// In the place of the square on which a piece began its game, where that is not known.
const UNKNOWN: u8 = 64;

/// What drops out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Culprit {
    /// Whatever stands there.
    Square(Square),
    /// The piece that began its game there.
    Piece(Square),
}

/// A culprit with what speaks against it.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Who it is.
    pub culprit: Culprit,
    /// How often,
    pub count: u32,
    /// and since when.
    pub since: Option<Time>,
}

/// How often a piece dropped out on a square, and how often of those it was back quickly.
type Count = (u16, u16);

/// Drop-outs of a board, by square and by piece. Most squares have none.
#[derive(Debug, Clone, Default)]
pub struct DropOuts {
    /// By square and piece.
    cells: BTreeMap<(u8, u8), Count>,
    squares: BTreeMap<u8, Lately>,
    pieces: BTreeMap<u8, Lately>,
    /// Of pieces alike, by their code: which dropped out last.
    last_alike: BTreeMap<u8, u8>,
}

/// The drop-outs of one square, or of one piece.
#[derive(Debug, Clone, Default)]
struct Lately {
    series: Series,
    /// For how long something stood there, in seconds, since the first: up to the last look, and since when it does again.
    stood: f64,
    stands: Option<Time>,
    /// The same at the latest drop-outs, the last first.
    stood_at: [f64; LATEST],
    /// They came closer together than hands cause.
    many: bool,
    /// So often another piece alike had dropped out before.
    turns: u32,
}

impl Lately {
    fn add(&mut self, time: Option<Time>) {
        self.look(true, time);
        if time.is_none() {
            self.stood += limits::UNTIMED;
        }
        self.series.add(time);
        self.stood_at.rotate_right(1);
        self.stood_at[0] = self.stood;
        self.many |= limits::NO_HANDS.iter().any(|&(many, seconds)| {
            self.series.count as usize >= many && self.stood - self.stood_at[many - 1] <= seconds
        });
    }

    /// Something stands there from now on, or nothing.
    fn look(&mut self, stands: bool, time: Option<Time>) {
        let passed = self.stands.zip(time).map_or(0.0, |(since, now)| since.seconds_until(now).max(0.0));
        self.stood += passed;
        self.stands = time.filter(|_| stands);
    }
}

impl DropOuts {
    /// A piece dropped out and came back.
    pub fn add(&mut self, dropped: DropOut, time: Option<Time>) {
        let square = dropped.square.field();
        let piece = dropped.home.map_or(UNKNOWN, |home| home.field());
        let (count, quick) = self.cells.entry((square, piece)).or_default();
        *count = count.saturating_add(1);
        *quick = quick.saturating_add(dropped.quick.into());
        self.squares.entry(square).or_default().add(time);
        let of_piece = self.pieces.entry(piece).or_default();
        of_piece.add(time);
        if self.last_alike.insert(dropped.piece.code(), piece) != Some(piece) {
            of_piece.turns += 1;
        }
    }

    /// Something stands on a square now, or nothing.
    pub fn look(&mut self, square: Square, stands: bool, time: Option<Time>) {
        if let Some(lately) = self.squares.get_mut(&square.field()) {
            lately.look(stands, time);
        }
    }

    fn of(&self, culprit: Culprit) -> Option<&Lately> {
        match culprit {
            Culprit::Square(square) => self.squares.get(&square.field()),
            Culprit::Piece(home) => self.pieces.get(&home.field()),
        }
    }

    /// Those that came closer together than hands cause.
    fn suspects(&self) -> Vec<Culprit> {
        let many = |(field, lately): (&u8, &Lately)| Square::from_field(*field).filter(|_| lately.many);
        let squares = self.squares.iter().filter_map(many).map(Culprit::Square);
        squares.chain(self.pieces.iter().filter_map(many).map(Culprit::Piece)).collect()
    }

    /// Who drops out more than hands cause; of squares and pieces that share what speaks against them the likelier.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let suspects = self.suspects();
        let mut cells = self.cells.clone();
        let mut found: Vec<Verdict> = Vec::new();
        while let Some((culprit, count)) = worst(&suspects, &cells) {
            cells.retain(|cell, _| !is_of(culprit, *cell));
            // Where one is found, what hands may have done is no second one.
            cells.retain(|_, (count, _)| u32::from(*count) >= limits::HANDS);
            let lately = self.of(culprit);
            let takes_turns = lately.is_some_and(|lately| {
                lately.turns >= limits::TURNS && lately.turns * limits::IN_A_ROW >= count
            });
            let is_piece = |culprit: &Culprit| matches!(culprit, Culprit::Piece(_));
            if is_piece(&culprit) && !takes_turns && found.iter().any(|found| is_piece(&found.culprit)) {
                continue;
            }
            found.push(Verdict { culprit, count, since: lately.and_then(|lately| lately.series.first) });
        }
        found
    }

    /// Whether this drops out now.
    pub fn is_at_it(&self, culprit: Culprit, now: Time) -> bool {
        self.of(culprit).is_some_and(|lately| lately.series.within(now, limits::NOW.1) >= limits::NOW.0)
    }
}

/// Whether drop-outs of this piece on this square speak against one.
fn is_of(culprit: Culprit, (square, piece): (u8, u8)) -> bool {
    match culprit {
        Culprit::Square(own) => own.field() == square,
        Culprit::Piece(home) => home.field() == piece,
    }
}

/// The suspect with the most drop-outs of those that are left, if those are too many for hands.
fn worst(suspects: &[Culprit], cells: &BTreeMap<(u8, u8), Count>) -> Option<(Culprit, u32)> {
    let sum = |culprit: Culprit| {
        let own = cells.iter().filter(|(cell, _)| is_of(culprit, **cell));
        own.fold((0, 0), |all, (_, cell)| (all.0 + u32::from(cell.0), all.1 + u32::from(cell.1)))
    };
    // Of one piece on one square both have about the same count: quick drop-outs are bad contacts.
    let likelihood = |&(culprit, (count, quick)): &(Culprit, (u32, u32))| {
        let fits = matches!(culprit, Culprit::Square(_)) == (2 * quick >= count);
        if fits { count + 2 + count / 8 } else { count }
    };
    let all = suspects.iter().map(|&culprit| (culprit, sum(culprit)));
    let too_many = all.filter(|(_, (count, _))| *count as usize >= limits::NO_HANDS[0].0);
    too_many.max_by_key(likelihood).map(|(culprit, (count, _))| (culprit, count))
}
