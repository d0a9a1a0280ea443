//! Who plays where: rosters and reports of tournaments.

use boardbus::format::{roster, trf};

use super::bytes::Bytes;

/// A roster.
pub fn roster(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(roster::Read { seats, .. }) = roster::parse(&text) {
        for seat in &seats {
            ["White", "Black", "Round", "Board"].iter().for_each(|name| {
                seat.tag(name);
            });
        }
        assert!(seats.len() <= text.lines().count());
    }
    let _ = roster::tag_name(&text);
}

/// A report of a tournament as FIDE has it.
pub fn trf(data: &[u8]) {
    let mut input = Bytes::new(data);
    let round = input.below(12);
    let boards: Vec<u16> = (0..input.below(8) as u16).map(|n| 1025 + n).collect();
    let text = String::from_utf8_lossy(input.rest()).into_owned();
    if let Ok(roster::Read { seats, .. }) = trf::seats(&text, round, &boards, None) {
        assert!(seats.len() <= text.lines().count());
    }
}
