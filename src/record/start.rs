//! Start positions as boards show them: the one place that defines them.

use std::sync::LazyLock;

use super::{board::MarkKind, value::Placement};

/// The start position of chess as a FEN.
pub const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The start squares of White's and Black's men of Russian draughts, bit n for field n.
pub const DRAUGHTS_MEN: [u64; 2] = [0x55aa_5500_0000_0000, 0x00aa_55aa];

/// The start squares of both sides.
pub const DRAUGHTS_HOME: u64 = DRAUGHTS_MEN[0] | DRAUGHTS_MEN[1];

/// The start squares of the pieces of chess: the first two rows of either side.
pub const CHESS_MEN: u64 = 0xffff_0000_0000_ffff;

impl Placement {
    /// The start position of chess, board not turned.
    pub fn start() -> Placement {
        static START: LazyLock<Placement> = LazyLock::new(|| {
            let (pieces, _) = CHESS_START.split_once(' ').expect("a FEN has six fields");
            pieces.parse().expect("a placement")
        });
        *START
    }

    /// Whether this is a start position of Chess960, that of chess among them: pawns on their rows, behind them
    /// mirrored pieces with the king between the rooks and the bishops on different colours.
    pub fn is_start_of_chess960(&self) -> bool {
        let codes = self.codes();
        // Codes: 1 pawn, 2 rook, 3 knight, 4 bishop, 5 king, 6 queen; 6 more for Black.
        let home = &codes[56..];
        let at = |code: u8| (0..8).filter(move |&file: &usize| home[file] == code);
        let (Some(left), Some(right)) = (at(2).next(), at(2).next_back()) else { return false };
        codes[8..16].iter().all(|&code| code == 7)
            && codes[16..48].iter().all(|&code| code == 0)
            && codes[48..56].iter().all(|&code| code == 1)
            && home.iter().zip(codes).all(|(&ours, &theirs)| ours + 6 == theirs)
            && [(2, 2), (3, 2), (4, 2), (5, 1), (6, 1)].iter().all(|&(code, n)| at(code).count() == n)
            && at(4).map(|file| file % 2).sum::<usize>() == 1
            && at(5).all(|king| left < king && king < right)
    }

    /// Whether this is the start position of Russian draughts: with draughts disks (P and B), or with any figures
    /// whose colours are those of chess.
    pub fn is_start_of_draughts(&self) -> bool {
        let stand = |white: [u8; 2], black: [u8; 2]| {
            self.codes().iter().enumerate().all(|(field, code)| {
                let [least, most] = match DRAUGHTS_MEN.map(|men| men >> field & 1) {
                    [1, _] => white,
                    [_, 1] => black,
                    _ => [0, 0],
                };
                (least..=most).contains(code)
            })
        };
        stand([1, 1], [4, 4]) || stand([1, 6], [7, 12])
    }

    /// The start that is meant where all pieces of chess are on their rows, the board turned or not, and some of a
    /// side's first row are on each other's squares; also for Chess960.
    pub fn meant_start(&self) -> Option<Placement> {
        if self.occupied() != CHESS_MEN {
            return None;
        }
        let pieces = |placement: &Placement, row: usize| {
            let mut pieces = [0; 8];
            pieces.copy_from_slice(&placement.codes()[8 * row..8 * row + 8]);
            pieces.sort_unstable();
            pieces
        };
        let ways = [Placement::start(), Placement::start().turned()].into_iter();
        let mut meant = ways.filter(|meant| (0..8).all(|row| pieces(self, row) == pieces(meant, row)));
        meant.next().filter(|meant| meant != self)
    }

    /// Whether a game under either rules may begin here, the board turned or not.
    pub fn is_start(&self) -> bool {
        match self.occupied() {
            CHESS_MEN => self.is_start_of_chess960() || self.turned().is_start_of_chess960(),
            DRAUGHTS_HOME => self.is_start_of_draughts() || self.turned().is_start_of_draughts(),
            _ => false,
        }
    }
}

impl MarkKind {
    /// The position when a board makes this mark, where the mark determines it.
    pub fn stands(self) -> Option<Placement> {
        match self {
            MarkKind::Begin => Some(Placement::start()),
            MarkKind::BeginRotated => Some(Placement::start().turned()),
            MarkKind::Empty => Some(Placement::EMPTY),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_of_chess960_are_recognised() {
        let is_start = |text: &str| text.parse::<Placement>().unwrap().is_start_of_chess960();
        let yes =
            ["bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"];
        let no = [
            "krnbqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRNBQBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
            "rnqbkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNQBKBNR",
            "rbqnkbnr/pppppppp/8/8/8/8/PPPPPPPP/RQBNKBNR",
        ];
        assert_eq!(yes.map(is_start), [true; 2]);
        assert_eq!(no.map(is_start), [false; 4]);
        assert_eq!(Placement::start().to_string(), yes[1]);
    }

    #[test]
    fn swapped_pieces_have_a_meant_start() {
        let meant = |text: &str| text.parse::<Placement>().unwrap().meant_start();
        let usual = Placement::start();
        assert_eq!(meant("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR"), Some(usual));
        assert_eq!(meant("RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr"), Some(usual.turned()));
        assert_eq!(meant(&usual.to_string()), None);
        assert_eq!(meant(&usual.turned().to_string()), None);
        // One row has a queen too many, a pawn has moved, or the colours are swapped too.
        assert_eq!(meant("rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), None);
        assert_eq!(meant("rnbkqbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), None);
        assert_eq!(meant("rnbkqbnr/ppppPppp/8/8/8/8/PPPPpPPP/RNBQKBNR"), None);
    }
}
