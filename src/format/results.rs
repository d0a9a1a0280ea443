//! The results of a round, table by table: those that are certain, and the files in which pairing programs read them.
//!
//! A wrong result is worse than a missing one: uncertain results stay empty, and the reason is reported.

mod began;
mod filled;
mod listing;
mod report;
mod swiss_manager;
mod vega;
mod verdict;

use std::collections::BTreeMap;

use super::{
    pairings::{File, Program, draw, letters, read},
    roster::Seat,
    trf::Order,
};
pub use began::Began;
pub use filled::Filled;
pub use listing::{csv, html, text};
pub use verdict::{Beside, Line, Shown, Verdict, lines, without_seat};

/// The file of a pairing program into which the results are written; none where the whole file is written.
pub fn place(program: Program, files: &[File]) -> Option<&File> {
    match program {
        Program::SwissManager => draw(files),
        Program::Report => files.first(),
        Program::Vega | Program::Pgn => None,
    }
}

/// The file of results for a pairing program, made from its own files; their texts have the same letters as their
/// bytes, except where these are not UTF-8. Only these results are written, by tables.
///
/// # Errors
/// The reason why there is none, with the line of the problem.
pub fn filled(
    program: Program,
    files: &[File],
    round: u32,
    order: Option<Order>,
    results: &BTreeMap<u16, Shown>,
) -> Result<Filled, String> {
    match program {
        Program::SwissManager => swiss_manager::filled(files, round, results),
        Program::Vega => vega::filled(files, round, results),
        Program::Report => report::filled(&files[0], round, order, results),
        Program::Pgn => Err("PGN of pairings takes no results back: --format csv has them".into()),
    }
}

/// The certain results by table of the pairings, and the tables that have other players there.
///
/// # Errors
/// The reason why the pairings cannot be read.
pub fn by_table(
    lines: &[Line],
    files: &[File],
    round: u32,
    order: Option<Order>,
    with_doubtful: bool,
) -> Result<(BTreeMap<u16, Shown>, Vec<String>), String> {
    let paired = read(files, round, order)?.seats;
    let (mut results, mut left, mut twice) = (BTreeMap::new(), Vec::new(), Vec::new());
    for line in lines {
        let Some(shown) = line.verdict.shown(with_doubtful) else { continue };
        let table = line.number();
        let seat = table.and_then(|table| paired.iter().find(|seat| seat.board == table));
        let same = |name: &str, seat: &Seat| {
            let [ours, theirs] = [line.seat.tag(name), seat.tag(name)].map(|name| name.map(letters));
            ours == theirs
        };
        match (table, seat) {
            (Some(table), Some(seat)) if same("White", seat) && same("Black", seat) => {
                if results.insert(table, shown.clone()).is_some() {
                    twice.push(table);
                }
            }
            _ => left.push(format!(
                "{}: no board of the pairings has these players: {} is left out",
                line.words(),
                shown.text()
            )),
        }
    }
    for table in twice {
        results.remove(&table);
        left.push(format!("table {table}: two boards have a result for it: it is left out"));
    }
    Ok((results, left))
}
