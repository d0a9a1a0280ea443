//! The greatest size of a record of a game: readers of records refuse lines of more than 16 MiB, and the data would be
//! lost.

/// How many bytes of JSON a record of a game or a ply may get from the text: half of the readers' limit, since text
/// that waits for a ply may go to another record.
const MOST: usize = 7 << 20;

/// How many bytes of text a record quotes; as JSON it has at most twice as many.
const QUOTED: usize = 4 << 20;

/// The used room in the current record.
#[derive(Debug, Default)]
pub(super) struct Room {
    taken: usize,
}

impl Room {
    /// Reserves room for a text, with the name of its field and its escapes; false when there is not enough.
    pub fn take(&mut self, text: usize) -> bool {
        let needed = 2 * text + 24;
        let fits = self.taken + needed <= MOST;
        if fits {
            self.taken += needed;
        }
        fits
    }

    /// Begins the next record, with this much text in it already.
    pub fn begin(&mut self, text: usize) {
        self.taken = 2 * text;
    }
}

/// A text in parts that each fit into a record; one empty part for an empty text.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (piece, behind) = text.split_at(text.floor_char_boundary(QUOTED));
        rest = Some(behind).filter(|behind| !behind.is_empty());
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_of_pieces_within_the_limit() {
        for text in ["", "e4", &"½".repeat(QUOTED)] {
            let all: Vec<&str> = pieces(text).collect();
            assert_eq!(all.concat(), text);
            assert!(!all.is_empty() && all.iter().all(|piece| piece.len() <= QUOTED));
        }
    }
}
