//! Pieces that drop out: whether it is the square, the piece, or hands.

use super::{limits, pieces::DropOut, series::Series};
use crate::record::{Square, Time};

/// Pieces by the square on which they began their games, and one for those of which that is not known.
const PIECES: usize = 65;

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

/// Drop-outs of a board, by square and by piece.
#[derive(Debug, Clone)]
pub struct DropOuts {
    /// By square and piece: how often, and how often of those quickly.
    cells: Vec<[(u16, u16); PIECES]>,
    squares: Vec<Lately>,
    pieces: Vec<Lately>,
}

/// The drop-outs of one square, or of one piece.
#[derive(Debug, Clone, Default)]
struct Lately {
    series: Series,
    /// They came closer together than hands cause.
    many: bool,
}

impl Default for DropOuts {
    fn default() -> DropOuts {
        DropOuts {
            cells: vec![[(0, 0); PIECES]; 64],
            squares: vec![Lately::default(); 64],
            pieces: vec![Lately::default(); PIECES],
        }
    }
}

impl Lately {
    fn add(&mut self, time: Option<Time>) {
        self.series.add(time);
        self.many |= self.series.came_within(limits::BURST) || self.series.came_within(limits::OFTEN);
    }
}

impl DropOuts {
    /// A piece dropped out and came back.
    pub fn add(&mut self, dropped: DropOut, time: Option<Time>) {
        let square = usize::from(dropped.square.field());
        let piece = dropped.home.map_or(PIECES - 1, |home| usize::from(home.field()));
        let (count, quick) = &mut self.cells[square][piece];
        *count = count.saturating_add(1);
        *quick = quick.saturating_add(dropped.quick.into());
        self.squares[square].add(time);
        self.pieces[piece].add(time);
    }

    /// Who drops out more than hands cause; of squares and pieces that share what speaks against them the likelier.
    pub fn verdicts(&self) -> Vec<Verdict> {
        if !self.squares.iter().chain(&self.pieces).any(|lately| lately.many) {
            return Vec::new();
        }
        let mut cells = self.cells.clone();
        let mut found = Vec::new();
        while let Some((culprit, count)) = self.worst(&cells) {
            let series = match culprit {
                Culprit::Square(square) => {
                    cells[usize::from(square.field())] = [(0, 0); PIECES];
                    &self.squares[usize::from(square.field())].series
                }
                Culprit::Piece(home) => {
                    let piece = usize::from(home.field());
                    cells.iter_mut().for_each(|of_square| of_square[piece] = (0, 0));
                    &self.pieces[piece].series
                }
            };
            found.push(Verdict { culprit, count, since: series.first });
        }
        found
    }

    /// The square or piece with the most drop-outs of those that are left.
    fn worst(&self, cells: &[[(u16, u16); PIECES]]) -> Option<(Culprit, u32)> {
        let counts = |cell: &(u16, u16)| if u32::from(cell.0) < limits::HANDS { (0, 0) } else { *cell };
        let sum = |all: (u32, u32), cell: (u16, u16)| (all.0 + u32::from(cell.0), all.1 + u32::from(cell.1));
        let squares =
            Square::all().filter(|square| self.squares[usize::from(square.field())].many).map(|square| {
                let of_square = &cells[usize::from(square.field())];
                (Culprit::Square(square), of_square.iter().map(counts).fold((0, 0), sum))
            });
        let pieces = Square::all().filter(|home| self.pieces[usize::from(home.field())].many).map(|home| {
            let of_piece = cells.iter().map(|of_square| counts(&of_square[usize::from(home.field())]));
            (Culprit::Piece(home), of_piece.fold((0, 0), sum))
        });
        // Of one piece on one square both have the same count: quick drop-outs are bad contacts.
        let likelihood = |&(culprit, (count, quick)): &(Culprit, (u32, u32))| {
            let fits = matches!(culprit, Culprit::Square(_)) == (2 * quick >= count);
            (count, fits)
        };
        let worst = squares.chain(pieces).max_by_key(likelihood)?;
        let (culprit, (count, _)) = worst;
        (count as usize >= limits::BURST.0).then_some((culprit, count))
    }

    /// Whether this drops out now.
    pub fn is_at_it(&self, culprit: Culprit, now: Time) -> bool {
        let lately = match culprit {
            Culprit::Square(square) => &self.squares[usize::from(square.field())],
            Culprit::Piece(home) => &self.pieces[usize::from(home.field())],
        };
        lately.series.within(now, limits::NOW.1) >= limits::NOW.0
    }
}
