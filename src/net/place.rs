//! The place of a record in the run of its line, and which of two runs is newer.

use std::{fmt, str::FromStr};

use crate::record::Stream;

/// The place of a record in the run of its line. The stream record is first, then records follow by number; those
/// without a number, such as rulings, follow the numbered one before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The number of the record, or of the last one before it that has one; 0 for none.
    pub seq: u64,
    /// The number of records without a number since.
    pub part: u32,
}

impl Place {
    /// The place of the next record, with this number.
    pub fn next(self, seq: Option<u64>) -> Place {
        match seq {
            Some(seq) => Place { seq, part: 0 },
            None => Place { part: self.part.saturating_add(1), ..self },
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.seq, self.part)
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Place, ()> {
        let (seq, part) = text.split_once('.').ok_or(())?;
        Ok(Place { seq: seq.parse().map_err(|_| ())?, part: part.parse().map_err(|_| ())? })
    }
}

/// Whether the run `a` is newer than `b`: our runs begin with the second in which they began, `20261121T100000`; other
/// names cannot be compared. Of two runs of the same records the one shaped by rulings is newer, if the other one has
/// none of them or others.
pub fn is_newer(a: &str, b: &str) -> bool {
    match (second(a), second(b)) {
        (Some(of_a), Some(of_b)) if of_a == of_b => a != b && Stream::is_ruled(a) && unruled(a) == unruled(b),
        (Some(of_a), Some(of_b)) => of_a > of_b,
        _ => false,
    }
}

/// The name of a run without its rulings.
fn unruled(run: &str) -> &str {
    run.split(Stream::RULED).next().unwrap_or(run).trim_end_matches("-games")
}

fn second(run: &str) -> Option<&str> {
    let second = run.get(..15)?;
    let is_digit = |at: usize, byte: u8| if at == 8 { byte == b'T' } else { byte.is_ascii_digit() };
    second.bytes().enumerate().all(|(at, byte)| is_digit(at, byte)).then_some(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_ordered_like_records() {
        let mut place = Place::default();
        let places = [Some(1), None, None, Some(7)].map(|seq| {
            place = place.next(seq);
            place.to_string()
        });
        assert_eq!(places, ["1.0", "1.1", "1.2", "7.0"]);
        assert!(places.windows(2).all(|two| two[0].parse::<Place>() < two[1].parse::<Place>()));
        assert!(["", "1", "1.", "x.0", "1.-1"].iter().all(|text| text.parse::<Place>().is_err()));
    }

    #[test]
    fn a_run_is_newer_when_it_began_later() {
        assert!(is_newer("20261121T100001-1", "20261121T100000-ffff"));
        assert!(!is_newer("20261121T100000-2", "20261121T100000-1"));
        assert!(!is_newer("simulate-2", "simulate-1") && !is_newer("zzz", "20261121T100000-1"));
        assert!(is_newer("20270101T000000-1-games", "20261121T100000-1-games"));
        let runs = ["-games", "-ruled-a-after-150-games", "-ruled-a-games", "-ruled-b-games"];
        let [plain, after, ruled, otherwise] = runs.map(|of| format!("20261121T100000-1{of}"));
        assert!(is_newer(&ruled, &plain) && is_newer(&ruled, &after) && is_newer(&otherwise, &ruled));
        assert!(!is_newer(&plain, &ruled) && !is_newer(&ruled, &ruled));
        assert!(!is_newer(&ruled, "20261121T100000-2-games"));
    }
}
