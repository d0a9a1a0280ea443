//! How much of a game a record holds: readers of records take no line of more than 16 MiB, and what nobody can read again
//! would be lost.

/// So many bytes of JSON a record of a game or of a ply may get from the text: half of what readers take, for what waits for
/// a ply may go to another record.
const MOST: usize = 7 << 20;

/// So much text a record quotes. As JSON it is twice as long at most.
const QUOTED: usize = 4 << 20;

/// How much of the record in hand is taken.
#[derive(Debug, Default)]
pub(super) struct Room {
    taken: usize,
}

impl Room {
    /// Takes room for a text, with the name of its field and what must be escaped in it; false when there is not so much.
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

/// A text in pieces of which each fits a record; one of nothing for nothing.
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
    fn pieces_are_the_text_and_none_is_too_long() {
        for text in ["", "e4", &"½".repeat(QUOTED)] {
            let all: Vec<&str> = pieces(text).collect();
            assert_eq!(all.concat(), text);
            assert!(!all.is_empty() && all.iter().all(|piece| piece.len() <= QUOTED));
        }
    }
}
