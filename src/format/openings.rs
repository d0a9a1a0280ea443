//! Names of openings by the position, whichever moves led to it.
//!
//! The table is a packed collection in the public domain; `openings/SOURCE` names it, `scripts/openings` makes it.

use std::{io::Read, sync::LazyLock};

use flate2::read::DeflateDecoder;

use crate::record::Tags;

/// The table as the script writes it.
const PACKED: &[u8] = include_bytes!("openings/table.bin");

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::unpacked(PACKED).unwrap_or_default());

#[derive(Default)]
struct Table {
    /// The ECO code and the name of each opening, separated by a tab.
    names: Vec<String>,
    /// Numbers of positions in ascending order, each with the place of its name.
    positions: Vec<(u64, u16)>,
}

impl Table {
    fn unpacked(packed: &[u8]) -> Option<Table> {
        let mut all = Vec::new();
        DeflateDecoder::new(packed).read_to_end(&mut all).ok()?;
        let end = memchr::memmem::find(&all, b"\n\n")?;
        let names: Vec<String> = str::from_utf8(&all[..end]).ok()?.lines().map(str::to_owned).collect();
        let numbers = all[end + 2..].chunks_exact(8).filter_map(|bytes| bytes.try_into().ok());
        let mut positions: Vec<(u64, u16)> = numbers.map(u64::from_le_bytes).zip(0..).collect();
        positions.sort_unstable();
        (positions.len() == names.len()).then_some(Table { names, positions })
    }
}

/// An opening with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening(u16);

impl Opening {
    /// Its ECO code.
    pub fn eco(self) -> &'static str {
        self.parts().0
    }

    /// Its name: "Ruy Lopez: Berlin Defense, Rio Gambit Accepted".
    pub fn name(self) -> &'static str {
        self.parts().1
    }

    fn parts(self) -> (&'static str, &'static str) {
        TABLE.names.get(usize::from(self.0)).and_then(|name| name.split_once('\t')).unwrap_or_default()
    }

    /// The tags ECO, Opening and Variation, without those that a game already has: tags of a file are kept.
    pub fn tags_beside(self, own: &Tags) -> Vec<(&'static str, &'static str)> {
        let has_tag = |name: &str| own.get(name).is_some_and(|value| !matches!(value, "" | "?"));
        let (opening, variation) = self.name().split_once(": ").unwrap_or((self.name(), ""));
        let mut tags = Vec::new();
        if !has_tag("ECO") {
            tags.push(("ECO", self.eco()));
        }
        if !has_tag("Opening") && !has_tag("Variation") {
            tags.push(("Opening", opening));
            tags.extend((!variation.is_empty()).then_some(("Variation", variation)));
        }
        tags
    }
}

/// The opening with this position; its FEN has an en passant square only where a pawn may capture there.
pub fn of(fen: &str) -> Option<Opening> {
    let end =
        fen.bytes().enumerate().filter(|(_, byte)| *byte == b' ').nth(3).map_or(fen.len(), |(at, _)| at);
    let number = fnv(&fen.as_bytes()[..end]);
    let at = TABLE.positions.binary_search_by_key(&number, |(number, _)| *number).ok()?;
    Some(Opening(TABLE.positions[at].1))
}

/// FNV-1a in 64 bits.
fn fnv(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |number, byte| {
        (number ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_agree_with_the_collection() {
        // Lines of the collection, with their positions as python-chess writes them.
        for (fen, eco, name) in [
            ("rnbqkbnr/pppppppp/8/8/8/7N/PPPPPP1P/RNBQKB1R b KQkq - 1 1", "", ""),
            ("rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq - 1 1", "A00", "Amar Opening"),
            (
                "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
                "C65",
                "Ruy Lopez: Berlin Defense",
            ),
            // The same pieces with another side to move, or without castling rights, are other positions.
            ("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 4 4", "", ""),
            ("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w - - 4 4", "", ""),
            ("W:Wa1:Bb8", "", ""),
            ("", "", ""),
        ] {
            let found = of(fen).map_or(("", ""), |opening| (opening.eco(), opening.name()));
            assert_eq!(found, (eco, name), "{fen}");
        }
    }

    #[test]
    fn an_opening_adds_missing_tags() {
        let berlin = of("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -").unwrap();
        let beside = |own: &[(&str, &str)]| {
            let mut tags = Tags::default();
            own.iter().for_each(|(name, value)| tags.set(name, *value));
            berlin.tags_beside(&tags)
        };
        let (eco, opening) = (("ECO", "C65"), ("Opening", "Ruy Lopez"));
        let variation = ("Variation", "Berlin Defense");
        assert_eq!(beside(&[]), [eco, opening, variation]);
        assert_eq!(beside(&[("ECO", "C67"), ("Variation", "?")]), [opening, variation]);
        assert_eq!(beside(&[("Opening", "Spanish")]), [eco]);
        let amar = of("rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq -").unwrap();
        assert_eq!(amar.tags_beside(&Tags::default()), [("ECO", "A00"), ("Opening", "Amar Opening")]);
    }

    #[test]
    fn the_table_is_small_and_has_no_collisions() {
        assert!(PACKED.len() < 150_000);
        assert!(TABLE.positions.len() > 3500 && TABLE.positions.is_sorted_by(|a, b| a.0 < b.0));
    }
}
