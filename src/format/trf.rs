//! TRF16 and TRF26, FIDE's tournament report file: the pairings of a round, to seats.
//!
//! A name is shown only where its player is certain. The columns of each player's line are checked (`line`); a pairing
//! counts when both its lines name each other, with opposite colours; and the order of the tables must be certain
//! (`order`). Otherwise no pairing of the round is used.

mod cells;
mod line;
mod matches;
mod order;
mod points;
mod report;
mod teams;
mod time_control;

use super::roster::{Read, Seat};
pub use line::{Pair, Pairing, Player};
pub use order::Order;
pub use report::Report;

/// The seats of a round: its pairings in the order of the tables, assigned to these boards one by one; tables are
/// numbered from 1.
///
/// # Errors
/// The reason why no pairing of the round is used, with the number of the line where it is in one.
pub fn seats(text: &str, round: usize, boards: &[u16], order: Option<Order>) -> Result<Read, String> {
    let mut notes = Vec::new();
    let report = Report::read(text, &mut notes)?;
    let tables = order::tables(&report, round, &report.pairs(round)?, order)?;
    let (many, of) = (tables.len(), boards.len());
    if many > of {
        let what = "those of the first tables have names";
        notes.push(format!("round {round}: {many} pairings for {of} boards: {what}"));
    }
    let seats = tables.iter().zip(boards).enumerate();
    let seats = seats.map(|(at, (pair, board))| seat(&report, round, at + 1, *board, *pair));
    Ok(Read { seats: seats.collect(), notes })
}

/// The starting ranks of White and Black at each table of a round, the first table first.
///
/// # Errors
/// The reason why they are unknown, as for [`seats`].
pub fn ranks(text: &str, round: usize, order: Option<Order>) -> Result<Vec<[u32; 2]>, String> {
    let report = Report::read(text, &mut Vec::new())?;
    let tables = order::tables(&report, round, &report.pairs(round)?, order)?;
    Ok(tables.into_iter().map(|(white, black)| [white.rank, black.rank]).collect())
}

fn seat(report: &Report, round: usize, table: usize, board: u16, (white, black): Pair<'_>) -> Seat {
    let of_all = report.tags.iter().map(|(name, value)| (name.to_string(), value.clone()));
    let of = |player: &Player| {
        let team = report.teams.name_of(player.rank).to_owned();
        let Player { name, title, rating, fide_id, federation, .. } = player.clone();
        [name, title, rating, fide_id, federation, team]
    };
    Seat { line: None, board, tags: tags(of_all, round, table, [of(white), of(black)]) }
}

/// The tags of a table: those of all games, the round, the table, and of White and Black the name, title, rating, FIDE
/// id, federation and team, where the report has them.
pub fn tags(
    of_all: impl Iterator<Item = (String, String)>,
    round: usize,
    table: usize,
    [white, black]: [[String; 6]; 2],
) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = of_all.collect();
    tags.extend([("Round".into(), round.to_string()), ("Board".into(), table.to_string())]);
    let what = ["", "Title", "Elo", "FideId", "Federation", "Team"];
    for ((what, white), black) in what.into_iter().zip(white).zip(black) {
        tags.extend([(format!("White{what}"), white), (format!("Black{what}"), black)]);
    }
    let titles = tags.iter_mut().filter(|(name, _)| name.ends_with("Title"));
    titles.for_each(|(_, title)| *title = full_title(title).to_owned());
    tags.retain(|(_, value)| !["", "0"].contains(&value.as_str()));
    tags
}

/// Abbreviations of titles, as some TRF16 files write them, and as in PGN.
const TITLES: [&str; 8] = ["G GM", "M IM", "F FM", "C CM", "WG WGM", "WM WIM", "WF WFM", "WC WCM"];

/// A title, as in PGN.
pub fn full_title(title: &str) -> &str {
    let is_it = |names: &&&str| names.split(' ').any(|name| name.eq_ignore_ascii_case(title));
    TITLES.iter().find(is_it).and_then(|names| names.split(' ').next_back()).unwrap_or(title)
}

#[cfg(test)]
mod tests;
