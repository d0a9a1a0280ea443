//! The results of a round, table by table: what of them is sure, and the files in which pairing programs take them.
//!
//! A wrong result is worse than one that is missing: what is not sure stays empty, and why is answered in words.

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

/// Which of a program's files the results are put into; none where the whole is written.
pub fn place(program: Program, files: &[File]) -> Option<&File> {
    match program {
        Program::SwissManager => draw(files),
        Program::Report => files.first(),
        Program::Vega | Program::Pgn => None,
    }
}

/// The file of results that a pairing program takes back, made of its own files; the text of each is as its bytes are, but for
/// letters that are no UTF-8. Only these results are put in, by tables.
///
/// # Errors
/// Why there is none, with the line where it is one.
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

/// The sure results by the tables of the pairings, and which tables have other players there.
///
/// # Errors
/// Why the pairings cannot be read.
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
