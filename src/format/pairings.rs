//! The pairings of a round, from files of pairing programs to seats by tables. The content of a file shows its program;
//! several files of one round may be given in any order.
//!
//! A name is used only where it is beyond doubt: files that contradict each other, a missing number and a player at two
//! boards are refused with the line.

mod files;
mod pgn;
mod seat;
mod swiss_manager;
mod vega;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    roster::{Read, Seat},
    trf,
};
pub use files::File;
use files::Kind;
pub use seat::{TABLES, letters, spaced};
pub use swiss_manager::draw;
pub use vega::{Bench, bench};

/// The program that wrote the pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Swiss-Manager: its two text files.
    SwissManager,
    /// Vega: the list of pairings in its folder.
    Vega,
    /// Any program that writes a tournament report of FIDE.
    Report,
    /// Any program that writes PGN of pairings.
    Pgn,
}

/// The program that wrote these files.
///
/// # Errors
/// What the files contain instead, or which other file is missing.
pub fn program(files: &[File]) -> Result<Program, String> {
    let kinds = files.iter().map(|file| file.kind().map(|kind| (file, kind)));
    let kinds: Vec<(&File, Kind)> = kinds.collect::<Result<_, _>>()?;
    let of = |kind: Kind| kinds.iter().filter(|(_, other)| *other == kind).count();
    let is = |kinds_of_one: &[Kind]| kinds.iter().all(|(_, kind)| kinds_of_one.contains(kind));
    let (name, last) =
        (|at: usize| kinds.get(at).map_or("", |(file, _)| &file.name), kinds.len().saturating_sub(1));
    if is(&[Kind::Players, Kind::Draw]) {
        return match (of(Kind::Players), of(Kind::Draw)) {
            (1, 1) => Ok(Program::SwissManager),
            (0, _) => Err(format!("{}:1: the names are missing: give Spielerdaten (Text-File) too", name(0))),
            (_, 0) => {
                Err(format!("{}:1: the boards are missing: give Spielerauslosung (Text-File) too", name(0)))
            }
            _ => Err(format!("{}:1: one file of players and one of boards, no more", name(last))),
        };
    }
    if of(Kind::SortedPairs) == 1 && is(&[Kind::SortedPairs, Kind::Report, Kind::CrossTable]) {
        return Ok(Program::Vega);
    }
    match &kinds[..] {
        [(_, Kind::Report)] => Ok(Program::Report),
        [(_, Kind::Pgn)] => Ok(Program::Pgn),
        _ if is(&[Kind::CrossTable, Kind::Report]) && of(Kind::CrossTable) > 0 => {
            Err(format!("{}:1: the boards are missing: give SortedPairs.txt too", name(0)))
        }
        [] => Err("no file of pairings".into()),
        _ => Err(format!("{}:1: it does not belong to {}: give the files of one round", name(last), name(0))),
    }
}

/// The seats of a round by tables: `board` is the number of the table, the program's own where it has one.
///
/// # Errors
/// Why no pairing of the round is used, with file and line of a pairing.
pub fn read(files: &[File], round: u32, order: Option<trf::Order>) -> Result<Read, String> {
    match program(files)? {
        Program::SwissManager => swiss_manager::seats(files, round),
        Program::Vega => vega::seats(files, round),
        Program::Pgn => pgn::seats(&files[0], round),
        Program::Report => {
            let tables: Vec<u16> = TABLES.collect();
            let name = &files[0].name;
            let read = trf::seats(&files[0].text, round as usize, &tables, order);
            let Read { mut seats, notes } = read.map_err(|problem| format!("{name}:{problem}"))?;
            for (tag, value) in seats.iter_mut().flat_map(|seat| &mut seat.tags) {
                if ["White", "Black"].contains(&&tag[..]) {
                    *value = spaced(value);
                }
            }
            Ok(Read { seats, notes: notes.into_iter().map(|note| format!("{name}:{note}")).collect() })
        }
    }
}

/// Whether the bytes are those of a file of players without a round.
pub fn has_players_alone(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).into_owned();
    File { name: String::new(), text }.kind() == Ok(Kind::Players)
}

/// Assigns tables to addresses: table 1 to the first of them, and so on. Without addresses a table has its own number.
pub fn lay(read: Read, boards: Option<&[u16]>) -> Read {
    let Some(boards) = boards else { return read };
    let Read { seats, mut notes } = read;
    let many = seats.len();
    let on = |seat: Seat| boards.get(usize::from(seat.board) - 1).map(|&board| Seat { board, ..seat });
    let seats: Vec<Seat> = seats.into_iter().filter_map(on).collect();
    if seats.len() < many {
        notes.push(format!(
            "{many} pairings for {} boards: those of the first tables have names",
            boards.len()
        ));
    }
    Read { seats, notes }
}

/// Merges pairings with a roster, which takes precedence. A line of it without names moves a table to its board.
pub fn under(paired: Vec<Seat>, roster: Vec<Seat>) -> Vec<Seat> {
    let is_named = |seat: &Seat| seat.tag("White").or(seat.tag("Black")).is_some();
    let mut seats: Vec<Seat> = Vec::new();
    for given in &roster {
        let table = given.tag("Board");
        match paired.iter().find(|seat| table.is_some() && seat.tag("Board") == table) {
            Some(seat) if !is_named(given) => {
                seats.push(Seat { line: given.line.clone(), board: given.board, tags: seat.tags.clone() });
            }
            _ => seats.push(given.clone()),
        }
    }
    let has_own = |seat: &Seat| {
        roster.iter().any(|given| {
            given.board == seat.board
                || given.tag("Board").is_some() && given.tag("Board") == seat.tag("Board")
        })
    };
    seats.extend(paired.into_iter().filter(|seat| !has_own(seat)));
    seats
}

/// The boards with other players now, each as text.
pub fn moved(before: &[Seat], now: &[Seat]) -> Vec<String> {
    type Board<'a> = (u16, Option<&'a str>);
    fn by_board(seats: &[Seat]) -> BTreeMap<Board<'_>, String> {
        seats.iter().map(|seat| ((seat.board, seat.line.as_deref()), seat::words(seat))).collect()
    }
    let (before, now) = (by_board(before), by_board(now));
    let nobody = || "nobody".to_owned();
    let all: BTreeSet<&Board<'_>> = before.keys().chain(now.keys()).collect();
    all.into_iter()
        .filter(|board| before.get(board) != now.get(board))
        .map(|board| {
            let of = |seats: &BTreeMap<Board<'_>, String>| seats.get(board).cloned().unwrap_or_else(nobody);
            let line = board.1.map_or(String::new(), |line| format!("line {line}, "));
            format!("{line}board {}: {}; before: {}", board.0, of(&now), of(&before))
        })
        .collect()
}

#[cfg(test)]
mod tests;
