//! Which pieces chips are in that nobody named: where all stand as at the start of a game, their squares show it.

use std::collections::BTreeSet;

use crate::{
    record::{Chip, Chips, Piece, Placement},
    wire::certabo::Squares,
};

/// Where a spare queen of White's and of Black's may stand in a start position from which chips are learnt: d3 and d6.
const SPARE_QUEENS: [(usize, &str); 2] = [(43, "Q"), (19, "q")];

/// The pieces of chips without a name, where a start position stands in which all others are where they should be.
///
/// A board may be turned. Spare queens show that, and chips that are known do; where there are neither it is taken for one that
/// is not.
pub fn of_start_position(
    stands: &Squares,
    known: &Chips,
    is_steady: impl Fn(usize) -> bool,
) -> Option<Chips> {
    let unknown = |chip: &Chip| known.piece(*chip) == Piece::UNKNOWN;
    if !stands.iter().flatten().any(unknown) {
        return None;
    }
    let stands_all = |pieces: &[Option<Piece>; 64]| {
        (0..64).all(|field| match (stands[field], pieces[field]) {
            (None, piece) => piece.is_none() || is_spare(field),
            (Some(chip), Some(piece)) => unknown(&chip) || known.piece(chip) == piece,
            (Some(_), None) => false,
        })
    };
    let pieces = [false, true].map(expected).into_iter().find(stands_all)?;
    let mut seen = BTreeSet::new();
    // On an empty square others are seen again and again.
    let sound =
        |(field, chip): (usize, &Option<Chip>)| chip.is_none_or(|chip| is_steady(field) && seen.insert(chip));
    if !stands.iter().enumerate().all(sound) {
        return None;
    }
    let new = stands.iter().zip(pieces).filter_map(|(chip, piece)| Some(((*chip).filter(&unknown)?, piece?)));
    Some(Chips(new.collect()))
}

fn is_spare(field: usize) -> bool {
    SPARE_QUEENS.iter().any(|&(spare, _)| field == spare || 63 - field == spare)
}

/// What stands at the start on a board, which may be turned; the spare queens with it.
fn expected(turned: bool) -> [Option<Piece>; 64] {
    let codes = *Placement::start().codes();
    let mut pieces = codes.map(Piece::from_code);
    for (field, letter) in SPARE_QUEENS {
        pieces[field] = letter.parse().ok();
    }
    if turned {
        pieces.reverse();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chip(field: usize) -> Chip {
        Chip([3, 0, 84, 1, field as u8])
    }

    /// Chips on these squares, each of its own.
    fn chips_on(fields: impl IntoIterator<Item = usize>) -> Squares {
        let mut squares = [None; 64];
        fields.into_iter().for_each(|field| squares[field] = Some(chip(field)));
        squares
    }

    fn start() -> Squares {
        chips_on((0..16).chain(48..64))
    }

    fn named(stands: &Squares, known: &Chips) -> Option<Chips> {
        of_start_position(stands, known, |_| true)
    }

    fn letter(chips: &Chips, field: usize) -> &str {
        chips.piece(chip(field)).text()
    }

    #[test]
    fn the_start_position_names_all_chips() {
        let chips = named(&start(), &Chips::default()).unwrap();
        assert_eq!(chips.0.len(), 32);
        // a8, d8, e8, h7, a2, b1, e1.
        let letters = [0, 3, 4, 15, 48, 57, 60].map(|field| letter(&chips, field));
        assert_eq!(letters, ["r", "q", "k", "p", "P", "N", "K"]);
        assert_eq!(named(&start(), &chips), None, "all are known");
        assert_eq!(
            of_start_position(&start(), &Chips::default(), |field| field != 8),
            None,
            "one is not steady"
        );
    }

    #[test]
    fn spare_queens_are_named_and_show_a_turned_board() {
        let mut stands = start();
        // On d3 and d6; of a turned board e6 and e3.
        for (white, black, king, queen) in [(43, 19, 60, 59), (20, 44, 3, 4)] {
            stands = start();
            (stands[white], stands[black]) = (Some(chip(white)), Some(chip(black)));
            let chips = named(&stands, &Chips::default()).unwrap();
            assert_eq!([white, black, king, queen].map(|field| letter(&chips, field)), ["Q", "q", "K", "Q"]);
        }
        stands[30] = Some(chip(30));
        assert_eq!(named(&stands, &Chips::default()), None, "a piece too many");
        let missing = chips_on((0..16).chain(48..63));
        assert_eq!(named(&missing, &Chips::default()), None);
    }

    #[test]
    fn known_sets_are_extended_on_turned_boards() {
        let known = named(&start(), &Chips::default()).unwrap();
        let mut stands = start();
        stands.reverse();
        // The board is turned, and a spare queen of White's stands on the players' d3.
        stands[20] = Some(chip(20));
        let more = named(&stands, &known).unwrap();
        assert_eq!((more.0.len(), letter(&more, 20)), (1, "Q"));
    }

    #[test]
    fn known_pieces_elsewhere_give_no_names() {
        let known = named(&start(), &Chips::default()).unwrap();
        let mut stands = start();
        stands.swap(59, 60);
        stands[43] = Some(chip(43));
        assert_eq!(named(&stands, &known), None, "king and queen are exchanged");
        let mut doubled = start();
        doubled[8] = doubled[9];
        assert_eq!(named(&doubled, &Chips::default()), None, "one chip on two squares");
    }
}
