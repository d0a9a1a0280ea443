//! TRF16 and TRF26, FIDE's tournament report file: the pairings of a round, to seats.
//!
//! A name is shown only where it is beyond doubt whose it is. Each player's line is checked by its columns (`line`); a pairing
//! counts when both its lines name each other, with opposite colours; and the order of the tables must be known (`order`).
//! Otherwise no pairing of the round is used.

mod cells;
mod line;
mod matches;
mod order;
mod points;
mod report;
mod score;
mod teams;
mod time_control;

use super::roster::{Read, Seat};
use line::Player;
pub use order::Order;
use report::Report;

/// The seats of a round: its pairings in the order of the tables, onto these boards one by one; tables are numbered from 1.
///
/// # Errors
/// Why no pairing of the round is used, with the number of the line where it is one.
pub fn seats(text: &str, round: usize, boards: &[u16], order: Option<Order>) -> Result<Read, String> {
    let mut notes = Vec::new();
    let report = Report::read(text, &mut notes)?;
    let tables = order::tables(&report, round, &report.pairs(round)?, order)?;
    if tables.len() > boards.len() {
        notes.push(format!(
            "round {round}: {} pairings for {} boards: those of the first tables have names",
            tables.len(),
            boards.len()
        ));
    }
    let seats = tables.iter().zip(boards).enumerate();
    let seats =
        seats.map(|(at, (&(white, black), &board))| seat(&report, round, at + 1, board, white, black));
    Ok(Read { seats: seats.collect(), notes })
}

fn seat(report: &Report, round: usize, table: usize, board: u16, white: &Player, black: &Player) -> Seat {
    let (table, round) = (table.to_string(), round.to_string());
    let time_control = report.time_control.as_deref().unwrap_or_default();
    let game = [
        ("Event", &*report.event),
        ("Site", &report.city),
        ("Round", &round),
        ("Board", &table),
        ("TimeControl", time_control),
    ];
    let of = |colour: &str, player: &Player| {
        [
            ("", &*player.name),
            ("Title", full_title(&player.title)),
            ("Elo", &player.rating),
            ("FideId", &player.fide_id),
            ("Federation", &player.federation),
            ("Team", report.teams.name_of(player.rank)),
        ]
        .map(|(what, value)| (format!("{colour}{what}"), value.to_owned()))
    };
    let players =
        of("White", white).into_iter().zip(of("Black", black)).flat_map(|(white, black)| [white, black]);
    let game = game.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let tags = game.into_iter().chain(players).filter(|(_, value)| !["", "0"].contains(&value.as_str()));
    Seat { line: None, board, tags: tags.collect() }
}

/// Titles as PGN has them; TRF16 writes some with one or two small letters.
fn full_title(title: &str) -> &str {
    match title.to_ascii_lowercase().as_str() {
        "g" | "gm" => "GM",
        "m" | "im" => "IM",
        "f" | "fm" => "FM",
        "c" | "cm" => "CM",
        "wg" | "wgm" => "WGM",
        "wm" | "wim" => "WIM",
        "wf" | "wfm" => "WFM",
        "wc" | "wcm" => "WCM",
        _ => title,
    }
}

#[cfg(test)]
mod tests;
