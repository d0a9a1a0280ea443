//! The figures on a board that stand for the men and kings of draughts.
//!
//! The codes of a board are those of chess pieces; a draughts set reuses some of them for its own pieces, and a chess
//! set can be used as it is.

use crate::{record::Placement, rules::Colour};

/// The code of White's pieces in this game, whatever the board reports.
pub const WHITE: u8 = 1;
/// The code of Black's pieces in this game.
pub const BLACK: u8 = 7;

/// The sets draughts can be played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Set {
    /// Draughts disks: codes 01 and 04 are White's and Black's men, 07 and 0a their kings
    Disks,
    /// Draughts disks by the older table, which has 04 and 07 exchanged
    DisksOld,
    /// Chess pawns for men, any other figure for a king
    Pawns,
    /// Any figures of a chess set, distinguished by colour alone
    Colour,
}

impl Set {
    /// The side of a code.
    pub fn colour(self, code: u8) -> Colour {
        match (self, code) {
            (Set::Disks, 1 | 7) => Colour::White,
            (Set::Disks, 4 | 10) => Colour::Black,
            // 01 and 04, 07 and 0a: the older table follows the colours of chess.
            _ => Colour::of(code).unwrap_or(Colour::White),
        }
    }

    /// Whether a code is that of a king; none where the set does not show it.
    pub fn is_king(self, code: u8) -> Option<bool> {
        match self {
            Set::Disks => Some(!matches!(code, 1 | 4)),
            Set::DisksOld | Set::Pawns => Some(!matches!(code, 1 | 7)),
            Set::Colour => None,
        }
    }

    /// A board's code as this game's code: its colour; 0 stays 0.
    pub fn read(self, code: u8) -> u8 {
        match code {
            0 => 0,
            _ if self.colour(code) == Colour::White => WHITE,
            _ => BLACK,
        }
    }

    /// A board's placement in this game's codes.
    pub fn read_all(self, placement: &Placement) -> Placement {
        Placement::from_codes(placement.codes().map(|code| self.read(code)))
    }

    /// The set with which a board shows the start position: figures of one kind for the men decide, otherwise the
    /// colours.
    pub fn of_start(placement: &Placement) -> Option<Set> {
        let only = |men: [u8; 2]| placement.codes().iter().all(|code| *code == 0 || men.contains(code));
        let set = if only([1, 4]) {
            Set::Disks
        } else if only([1, 7]) {
            Set::Pawns
        } else {
            Set::Colour
        };
        placement.is_start_of_draughts().then_some(set)
    }

    /// The likeliest set of a board with any draughts position: disks where only their codes stand.
    pub fn guess(placement: &Placement) -> Set {
        let mut codes = placement.codes().iter().filter(|code| **code != 0);
        let disks = codes.clone().all(|code| matches!(code, 1 | 4 | 7 | 10));
        if disks && codes.any(|code| *code == 4) { Set::Disks } else { Set::Pawns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_start(placement: &str) -> Option<Set> {
        Set::of_start(&placement.parse().unwrap())
    }

    #[test]
    fn the_set_is_found_from_the_start_position() {
        let disks = "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1";
        assert_eq!(of_start(disks), Some(Set::Disks));
        assert_eq!(of_start(&disks.replace('B', "p")), Some(Set::Pawns));
        assert_eq!(of_start("1r1b1k1r/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/Q1N1K1R1"), Some(Set::Colour));
        // White's men on the wrong side, one missing, one too many, one on a light square, a figure of the other
        // colour among them.
        for none in [
            "1P1P1P1P/P1P1P1P1/1P1P1P1P/8/8/B1B1B1B1/1B1B1B1B/B1B1B1B1",
            "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P3",
            "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/1P6/P1P1P1P1/1P1P1P1P/P1P1P1P1",
            "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P2P",
            "1p1p1p1p/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/P1P1P1p1",
        ] {
            assert_eq!(of_start(none), None, "{none}");
        }
    }

    #[test]
    fn codes_are_read_by_their_set() {
        let read = |set: Set| [1, 4, 7, 10].map(|code| (set.colour(code), set.is_king(code) == Some(true)));
        let (white, black) = (Colour::White, Colour::Black);
        assert_eq!(read(Set::Disks), [(white, false), (black, false), (white, true), (black, true)]);
        assert_eq!(read(Set::DisksOld), [(white, false), (white, true), (black, false), (black, true)]);
        assert_eq!((Set::Pawns.is_king(6), Set::Pawns.colour(12)), (Some(true), black));
        assert_eq!((Set::Colour.is_king(6), Set::Colour.read(6), Set::Colour.read(12)), (None, WHITE, BLACK));
    }
}
