//! Draws that a player could claim: reported, never enforced.
//!
//! Federations apply different lists, so nothing here ends a game. The counts are those of the FMJD's rules for
//! draughts-64 (articles 7.2.3 to 7.2.8), in plies. A draw by repetition needs the earlier positions of the game:
//! `rules::claim` counts it.

use super::{
    moves::Move,
    position::{Colour, Position},
};

/// A rule by which a draw could be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Three kings or more could not catch a single king in 15 moves.
    ThreeKings,
    /// 15 moves by both sides with kings only, none captured.
    KingsOnly,
    /// Both sides have kings, and nothing was captured or crowned for 30 moves (four or five pieces in all)
    /// or 60 moves (six or seven).
    Balance,
    /// Three pieces could not catch a single king on the main road, a1 to h8, in 5 moves.
    MainRoad,
    /// Two kings, a king and a man, or a king could not catch a single king in 5 moves.
    FewPieces,
}

impl Claim {
    /// Its name in the records.
    pub fn name(self) -> &'static str {
        match self {
            Claim::ThreeKings => "three-kings",
            Claim::KingsOnly => "kings-only",
            Claim::Balance => "balance",
            Claim::MainRoad => "main-road",
            Claim::FewPieces => "few-pieces",
        }
    }
}

/// The squares of the main road, a1 to h8.
const MAIN_ROAD: u64 = 0x0102_0408_1020_4080;

/// The counts of one game: small enough to be kept with every position of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    kings_only: u32,
    balance: u32,
    three_kings: u32,
    main_road: u32,
    few_pieces: u32,
}

impl Counts {
    /// Counts a legal move at `before`; returns the first rule of the list by which a draw could now be claimed.
    pub fn play(&mut self, before: &Position, m: &Move) -> Option<Claim> {
        let after = before.play(m);
        let man_moved = before.kings() & m.from().bit() == 0;
        self.kings_only = if m.is_capture() || man_moved { 0 } else { self.kings_only + 1 };

        // A count begins with the move after the one that created the balance.
        let count = |counter: &mut u32, holds: bool, arose: bool| {
            *counter = if holds && !arose { *counter + 1 } else { 0 };
            *counter
        };
        let changed = m.is_capture() || m.crowned();
        let hunt = Hunt::of(&after);
        let stood = Hunt::of(before);

        let both = [Colour::White, Colour::Black].iter().all(|&side| after.of(side) & after.kings() != 0);
        let limit = match after.occupied().count_ones() {
            4 | 5 => 60,
            6 | 7 => 120,
            _ => u32::MAX,
        };
        let balance = count(&mut self.balance, both, changed);
        let three = count(&mut self.three_kings, hunt.is_some_and(|h| h.kings >= 3), changed);
        let on_road = |h: Option<Hunt>| h.is_some_and(|h| h.pieces == 3 && h.kings > 0 && h.on_road);
        let road = count(&mut self.main_road, on_road(hunt), !on_road(stood));
        let few = |h: Option<Hunt>| h.is_some_and(|h| h.pieces <= 2 && h.kings > 0);
        // Crowning the second piece, or losing it, does not restart this count.
        let few = count(&mut self.few_pieces, few(hunt), !few(stood));

        let rules = [
            (three >= 30, Claim::ThreeKings),
            (road >= 10, Claim::MainRoad),
            (few >= 10, Claim::FewPieces),
            (self.kings_only >= 30, Claim::KingsOnly),
            (balance >= limit, Claim::Balance),
        ];
        rules.into_iter().find_map(|(claimable, rule)| claimable.then_some(rule))
    }

    /// The number of plies since the last capture or move of a man: a position can repeat within these.
    pub fn reversible(&self) -> u32 {
        self.kings_only
    }
}

/// A side against a single king.
#[derive(Debug, Clone, Copy)]
struct Hunt {
    /// Pieces of the hunters.
    pieces: u32,
    /// Kings among them.
    kings: u32,
    /// Whether the single king holds the main road.
    on_road: bool,
}

impl Hunt {
    /// The hunt in a position; with a single king on either side both hunt, and White counts as the hunter.
    fn of(position: &Position) -> Option<Hunt> {
        [Colour::White, Colour::Black].into_iter().find_map(|hunter| {
            let (many, one) = (position.of(hunter), position.of(hunter.other()));
            let single_king = one.count_ones() == 1 && one & position.kings() != 0;
            single_king.then(|| Hunt {
                pieces: many.count_ones(),
                kings: (many & position.kings()).count_ones(),
                on_road: one & MAIN_ROAD != 0,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Numbering;

    /// The claim after each move.
    fn claims(fen: &str, moves: &[&str]) -> Vec<Option<Claim>> {
        let mut position: Position = fen.parse().unwrap();
        let mut counts = Counts::default();
        moves
            .iter()
            .map(|text| {
                let m = position.read_move(text, Numbering::B8).unwrap().m;
                let claim = counts.play(&position, &m);
                position = position.play(&m);
                claim
            })
            .collect()
    }

    #[test]
    fn king_against_king_can_be_claimed_after_five_moves() {
        let moves =
            ["a1-b2", "h4-g5", "b2-c3", "g5-h6", "c3-d4", "h6-g5", "d4-c5", "g5-h4", "c5-b6", "h4-g5"];
        let claims = claims("W:WKa1:BKh4", &moves);
        assert_eq!(claims[8..], [None, Some(Claim::FewPieces)]);
    }

    #[test]
    fn main_road_draws_can_be_claimed_after_five_moves() {
        let moves =
            ["c1-b2", "h4-e1", "b2-c1", "e1-h4", "c1-b2", "h4-d8", "b2-c1", "d8-a5", "g1-h2", "a5-d8"];
        let off_it = claims("W:WKc1,Ka3,Kg1:BKh4", &moves);
        assert!(off_it.iter().all(Option::is_none));
        let moves =
            ["c1-a3", "a1-h8", "a3-c1", "h8-g7", "c1-a3", "g7-h8", "a3-b4", "h8-a1", "b4-c5", "a1-h8"];
        let on_it = claims("W:WKc1,Ke1,Kg1:BKa1", &moves);
        assert_eq!(on_it[8..], [None, Some(Claim::MainRoad)]);
    }

    #[test]
    fn fifteen_king_moves_can_be_claimed() {
        // Rounds of five and of four moves, so that no position stands three times.
        let white = ["c1-b2", "b2-a3", "a3-b4", "b4-d2", "d2-c1"];
        let black = ["b8-a7", "a7-b6", "b6-c7", "c7-b8"];
        let white = white.iter().copied().cycle();
        let alternate = |white: &mut dyn Iterator<Item = &'static str>| -> Vec<&str> {
            white.zip(black.iter().cycle()).flat_map(|(w, b)| [w, *b]).take(32).collect()
        };
        let quiet = claims("W:WKc1,g1,h4:BKb8,h6,h8", &alternate(&mut white.clone()));
        assert_eq!(quiet.iter().position(Option::is_some), Some(29));
        assert_eq!(quiet[29], Some(Claim::KingsOnly));
        let man_first = alternate(&mut ["g1-h2"].into_iter().chain(white));
        let quiet = claims("W:WKc1,g1,h4:BKb8,h6,h8", &man_first);
        assert_eq!(quiet.iter().position(Option::is_some), Some(30));
    }
}
