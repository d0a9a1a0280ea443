//! A board's own list of its pieces, which is sent piece by piece after its mark.
//!
//! A position of the board is known only once the list is complete.

use crate::record::{Change, MarkKind, Placement};

/// If the first nine pieces listed after a start mark come in rising or falling order of fields, the whole list does:
/// no file has nine squares.
const IN_ORDER: usize = 9;

/// The pieces listed so far.
#[derive(Debug, Clone, Copy)]
pub struct Listing {
    /// The mark before the list.
    pub mark: MarkKind,
    /// The pieces listed so far.
    pub pieces: Placement,
    /// The last field, and whether all fields came in rising order, and in falling order.
    last: Option<u8>,
    rises: bool,
    falls: bool,
}

impl Listing {
    /// An empty list after this mark.
    pub fn of(mark: MarkKind) -> Listing {
        Listing { mark, pieces: Placement::EMPTY, last: None, rises: true, falls: true }
    }

    /// Whether a change belongs to the list, which has each occupied square once. The first move may reach its square
    /// before the square that it left is reported: a start position is a complete list, and a list in order stays in
    /// order. (After power-up the pieces may be being set up, so that no change is a move.)
    pub fn goes_on_with(&self, change: &Change) -> bool {
        let field = change.square.field();
        let in_order = (self.rises && self.last < Some(field)) || (self.falls && self.last > Some(field));
        let of_game = self.mark == MarkKind::Start && self.pieces.count() >= IN_ORDER;
        let any = !of_game || !(self.rises || self.falls);
        change.piece.is_some()
            && self.pieces.get(change.square).is_none()
            && (any || in_order)
            && !self.pieces.is_start()
    }

    /// Adds a change, if it belongs to the list.
    pub fn takes(&mut self, change: &Change) -> bool {
        let belongs = self.goes_on_with(change);
        if belongs {
            let field = change.square.field();
            self.rises &= self.last.is_none_or(|last| last < field);
            self.falls &= self.last.is_none_or(|last| last > field);
            self.last = Some(field);
            self.pieces.set(change.square, change.piece);
        }
        belongs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Piece, Square};

    /// The list made of these pieces, written as `Pe4`; and how many of them belong to it.
    fn listed<'a>(mark: MarkKind, words: impl Iterator<Item = &'a str>) -> (Placement, usize) {
        let mut listing = Listing::of(mark);
        let takes = |word: &str| {
            let (piece, square) = word.split_at(1);
            let (piece, square): (Piece, Square) = (piece.parse().unwrap(), square.parse().unwrap());
            listing.takes(&Change { square, piece: Some(piece), quick: None })
        };
        let taken = words.map(takes).filter(|takes| *takes).count();
        (listing.pieces, taken)
    }

    /// The pieces of a placement in rising order of fields.
    fn words(placement: &Placement) -> Vec<String> {
        let word =
            |square: Square| placement.get(square).map(|piece| format!("{}{}", piece.text(), square.text()));
        Square::all().filter_map(word).collect()
    }

    #[test]
    fn changes_after_a_complete_list_are_moves() {
        let start = Placement::start();
        let mut listed_by_files = words(&start);
        listed_by_files.sort_by_key(|word| word[1..].to_owned());
        for list in [words(&start), listed_by_files] {
            let played = list.iter().map(String::as_str).chain(["Pe4", "Nf3"]);
            assert_eq!(listed(MarkKind::Start, played), (start, 32));
        }
    }

    #[test]
    fn a_list_in_order_stays_in_order() {
        // A board with a dead square on e2, and an endgame from its own start.
        for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR", "4k3/pppp4/8/8/8/8/PPPP4/4K3"] {
            let stands: Placement = fen.parse().unwrap();
            for turned in [false, true] {
                let mut list = words(&stands);
                if turned {
                    list.reverse();
                }
                let number = list.len();
                let played = list.iter().map(String::as_str).chain(["Pb4", "pd5"]);
                assert_eq!(listed(MarkKind::Start, played.clone()), (stands, number), "{fen}");
                // After power-up the pieces may be being set up.
                let set_up = listed(MarkKind::PowerUp, played).1;
                assert_eq!(set_up, number + 2, "{fen}");
            }
        }
    }

    #[test]
    fn a_list_in_no_order_accepts_any_square() {
        let pieces = ["Pe4", "pe5", "Nf3", "nc6", "Bb5", "pa6", "Ke1", "ke8", "Qd1", "qd8", "Ra1"];
        assert_eq!(listed(MarkKind::Start, pieces.into_iter()).1, pieces.len());
    }
}
