//! Reads what Certabo boards send: dumps of the chips on their squares, as text.
//!
//! A dump is `:` and 320 decimal numbers from 0 to 255 with spaces between them, five for each square from a8 to h1, and a line
//! end. The text may be wrapped anywhere, even inside a number, so line ends within a dump mean nothing. Boards that
//! sense only whether a piece stands there send eight numbers. A line of `L` or `D` answers a command for lights.

use crate::record::Chip;

/// Numbers of a dump: five for each square.
const NUMBERS: usize = 5 * 64;
/// Numbers of a dump of a board that senses only whether squares are occupied: a bit for each square.
const OCCUPANCY: usize = 8;

/// The chips on the squares, field 0 as a8.
pub type Squares = [Option<Chip>; 64];

/// A dump, complete or broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dump {
    /// The chip on each square.
    Chips(Box<Squares>),
    /// Only whether pieces stand on the squares.
    Occupancy,
    /// A broken dump: the count of numbers before the error, and the error.
    Broken(usize, &'static str),
}

/// Finds dumps in bytes, in chunks of any size.
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    /// Whether a dump has begun.
    is_open: bool,
    numbers: Vec<u8>,
    /// The value of the incomplete number, if any.
    digits: Option<u16>,
}

impl Decoder {
    /// Takes bytes and passes each dump that ends in them to `found`.
    pub fn push(&mut self, bytes: &[u8], mut found: impl FnMut(Dump)) {
        for &byte in bytes {
            if let Some(dump) = self.take(byte) {
                found(dump);
            }
        }
    }

    fn take(&mut self, byte: u8) -> Option<Dump> {
        match byte {
            b':' => {
                let dump = self.end();
                self.is_open = true;
                return dump;
            }
            _ if !self.is_open => return None,
            b'0'..=b'9' if self.numbers.len() == NUMBERS => return self.broken("too many numbers"),
            b'0'..=b'9' => {
                let number = self.digits.unwrap_or(0) * 10 + u16::from(byte - b'0');
                if number > u16::from(u8::MAX) {
                    return self.broken("a number above 255");
                }
                self.digits = Some(number);
            }
            b' ' => self.end_number(),
            b'\r' | b'\n' if self.numbers.len() == NUMBERS => return self.end(),
            b'\r' | b'\n' | b'L' | b'D' => {}
            _ => return self.broken("bytes that are no numbers"),
        }
        None
    }

    fn end_number(&mut self) {
        // `digits` is at most 255.
        self.numbers.extend(self.digits.take().and_then(|number| u8::try_from(number).ok()));
    }

    fn broken(&mut self, why: &'static str) -> Option<Dump> {
        let numbers = self.numbers.len();
        *self = Decoder::default();
        Some(Dump::Broken(numbers, why))
    }

    fn end(&mut self) -> Option<Dump> {
        self.end_number();
        let dump = match self.numbers.len() {
            0 => None,
            NUMBERS => {
                let chips = self.numbers.as_chunks::<5>().0;
                Some(Dump::Chips(Box::new(std::array::from_fn(|field| chip(chips[field])))))
            }
            OCCUPANCY => Some(Dump::Occupancy),
            _ => return self.broken("a dump has 320 numbers"),
        };
        *self = Decoder::default();
        dump
    }
}

/// The chip with these numbers; none if the square is empty (all are 0). A single number that is not 0 is a reading error.
fn chip(numbers: [u8; 5]) -> Option<Chip> {
    (numbers.iter().filter(|&&number| number != 0).count() > 1).then_some(Chip(numbers))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(bytes: &[u8], piece: usize) -> Vec<Dump> {
        let (mut decoder, mut dumps) = (Decoder::default(), Vec::new());
        bytes.chunks(piece.max(1)).for_each(|bytes| decoder.push(bytes, |dump| dumps.push(dump)));
        dumps
    }

    /// A dump with one chip on a8, one on h1 and none between them.
    fn text() -> String {
        format!(":3 0 84 252 153 {}3 0 85 0 16 \r\n", "0 ".repeat(62 * 5))
    }

    fn squares() -> Dump {
        let mut squares = [None; 64];
        (squares[0], squares[63]) = (Some(Chip([3, 0, 84, 252, 153])), Some(Chip([3, 0, 85, 0, 16])));
        Dump::Chips(Box::new(squares))
    }

    #[test]
    fn a_dump_is_read_in_chunks_of_any_size() {
        for piece in [1, 2, 7, 64, 5000] {
            assert_eq!(decoded(text().as_bytes(), piece), [squares()], "{piece}");
        }
    }

    #[test]
    fn text_may_be_wrapped_inside_a_number() {
        let text = text();
        for width in [1, 3, 64, 65] {
            let lines: Vec<&[u8]> = text.trim_end().as_bytes().chunks(width).collect();
            // The last number ends with its space, or with the next dump.
            let wrapped = [&lines.join(&b"\r\n"[..]), &b" \r\n:"[..]].concat();
            assert_eq!(decoded(&wrapped, 64), [squares()], "{width}");
        }
    }

    #[test]
    fn a_broken_dump_does_not_hide_the_next() {
        let text = text();
        let cut = &text[..200];
        let bytes = format!("0 0 17 \r\n{cut}{text}L\r\n\r\n{text}");
        let dumps = decoded(bytes.as_bytes(), 100);
        assert!(matches!(dumps[0], Dump::Broken(numbers, _) if numbers < 320), "{:?}", dumps[0]);
        assert_eq!(dumps[1..], [squares(), squares()]);
        for spoilt in
            [text.replacen("84", "841", 1), text.replacen("84", "8\u{7f}", 1), text.replacen("84", "8 4", 1)]
        {
            let dumps = decoded(format!("{spoilt}{text}").as_bytes(), 100);
            assert!(matches!(dumps[..], [Dump::Broken(..), Dump::Chips(_)]), "{spoilt}: {dumps:?}");
        }
    }

    #[test]
    fn eight_numbers_are_a_dump_of_occupied_squares() {
        let start = ":255 255 0 0 0 0 255 255\r\n";
        assert_eq!(decoded(start.repeat(3).as_bytes(), 10), [Dump::Occupancy, Dump::Occupancy]);
    }

    proptest! {
        #[test]
        fn noise_hides_at_most_one_dump(
            rubbish in prop::collection::vec(
                prop_oneof![any::<u8>(), Just(b':'), Just(b' '), b'0'..=b'9', Just(b'\r'), Just(b'\n')],
                0..2000,
            ),
            piece in 1..100usize,
        ) {
            let text = text();
            let bytes = [&rubbish[..], text.as_bytes(), text.as_bytes()].concat();
            let dumps = decoded(&bytes, piece);
            prop_assert_eq!(dumps.last(), Some(&squares()));
        }
    }
}
