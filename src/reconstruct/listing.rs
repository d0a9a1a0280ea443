//! A board's own list of its pieces, which comes in one by one behind its mark.
//!
//! For whoever needs to know how a board stands: half a list is no position.

use crate::record::{Change, MarkKind, Placement};

/// A list behind a start mark that has named so many pieces by rising fields, or by falling ones, names all so: no file has as
/// many squares.
const IN_ORDER: usize = 9;

/// What a list has named so far.
#[derive(Debug, Clone, Copy)]
pub struct Listing {
    /// The mark behind which it stands.
    pub mark: MarkKind,
    /// The pieces that it has named.
    pub pieces: Placement,
    /// The field named last, and whether they all came by rising numbers, and by falling ones.
    last: Option<u8>,
    rises: bool,
    falls: bool,
}

impl Listing {
    /// The list behind this mark, of which nothing came in yet.
    pub fn of(mark: MarkKind) -> Listing {
        Listing { mark, pieces: Placement::EMPTY, last: None, rises: true, falls: true }
    }

    /// Whether a change belongs to the list, which names each square once, and no empty one. The first move may come to its square
    /// before the one that it left is told of: a start position is a whole list, and one of a game that begins goes on in order.
    /// (A board that is switched on may be being set up: what comes then is no move.)
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

    /// Takes a change in, if it belongs to the list.
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

    /// What a list makes of these pieces, in words: `Pe4`; and how many of them it takes.
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

    /// The pieces of a placement, by rising fields.
    fn words(placement: &Placement) -> Vec<String> {
        let word =
            |square: Square| placement.get(square).map(|piece| format!("{}{}", piece.text(), square.text()));
        Square::all().filter_map(word).collect()
    }

    #[test]
    fn what_comes_behind_a_whole_start_is_played_in_whatever_order_it_was_listed() {
        let start = Placement::start();
        let mut listed_by_files = words(&start);
        listed_by_files.sort_by_key(|word| word[1..].to_owned());
        for list in [words(&start), listed_by_files] {
            let played = list.iter().map(String::as_str).chain(["Pe4", "Nf3"]);
            assert_eq!(listed(MarkKind::Start, played), (start, 32));
        }
    }

    #[test]
    fn a_list_that_was_in_order_goes_on_in_order() {
        // A board with a dead square on e2, and an endgame that is played from its own start.
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
                // Where it was switched on they may be set up.
                let set_up = listed(MarkKind::PowerUp, played).1;
                assert_eq!(set_up, number + 2, "{fen}");
            }
        }
    }

    #[test]
    fn a_list_in_no_order_names_what_it_will() {
        let pieces = ["Pe4", "pe5", "Nf3", "nc6", "Bb5", "pa6", "Ke1", "ke8", "Qd1", "qd8", "Ra1"];
        assert_eq!(listed(MarkKind::Start, pieces.into_iter()).1, pieces.len());
    }
}
