//! Rosters and reports of tournaments: who plays where.

use std::collections::{BTreeMap, BTreeSet};

use boardbus::{
    format::{
        pairings::{self, File},
        results::{self, Shown},
        roster, trf,
    },
    record::Outcome,
};

use super::bytes::Bytes;

/// Reads a roster.
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

/// Reads a tournament report in the format of FIDE.
pub fn trf(data: &[u8]) {
    let mut input = Bytes::new(data);
    let round = input.below(12);
    let boards: Vec<u16> = (0..input.below(8) as u16).map(|n| 1025 + n).collect();
    let text = String::from_utf8_lossy(input.rest()).into_owned();
    if let Ok(roster::Read { seats, .. }) = trf::seats(&text, round, &boards, None) {
        assert!(seats.len() <= text.lines().count());
    }
}

/// Reads the files of a pairing program, separated by a zero byte, and writes results into them.
pub fn pairings(data: &[u8]) {
    let mut input = Bytes::new(data);
    let round = input.below(12) as u32;
    let files = input
        .rest()
        .split(|byte| *byte == 0)
        .enumerate()
        .map(|(at, text)| File { name: at.to_string(), text: String::from_utf8_lossy(text).into_owned() });
    let files: Vec<File> = files.collect();
    let Ok(roster::Read { seats, .. }) = pairings::read(&files, round, None) else { return };
    let boards: BTreeSet<u16> = seats.iter().map(|seat| seat.board).collect();
    assert_eq!(boards.len(), seats.len(), "a board twice");
    let Ok(program) = pairings::program(&files) else { return };
    let shown = Shown { outcome: Outcome::Draw, forfeit: false, reason: "kings" };
    let results: BTreeMap<u16, Shown> = boards.into_iter().map(|board| (board, shown.clone())).collect();
    if let Ok(filled) = results::filled(program, &files, round, None, &results) {
        assert!(
            filled.has.iter().all(|table| results.contains_key(table)),
            "a result of a table that has none"
        );
    }
}
