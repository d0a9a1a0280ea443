//! In which order a round's pairings sit at its tables.

use std::cmp::Reverse;

use super::{line::Player, matches, report::Report, score::points_before};

/// An order of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Order {
    /// FIDE's for single events, by points and starting ranks
    Ranking,
    /// That of the file
    File,
    /// Match by match, of a team event
    Match,
}

/// White and Black of a table.
type Pair<'a> = (&'a Player, &'a Player);

/// The pairings of a round by tables, in the order that was asked for or that the report shows.
///
/// # Errors
/// Why the order cannot be known.
pub fn tables<'a>(
    report: &'a Report,
    round: usize,
    pairs: Vec<Pair<'a>>,
    asked: Option<Order>,
) -> Result<Vec<Pair<'a>>, String> {
    let remedy = "--order ranking, file or match says it, or a roster";
    match asked {
        Some(Order::File) => return Ok(pairs),
        Some(Order::Ranking) => return by_ranking(report, round, pairs),
        Some(Order::Match) => return matches::tables(report, round, &pairs),
        None => {}
    }
    match report.teams.is_team_event() {
        Some(false) => by_ranking(report, round, pairs).map_err(|why| format!("{why}: {remedy}")),
        Some(true) => matches::tables(report, round, &pairs).map_err(|why| format!("{why}: {remedy}")),
        None => {
            let by_match = matches::tables(report, round, &pairs);
            let by_ranking = by_ranking(report, round, pairs).map_err(|why| format!("{why}: {remedy}"))?;
            // Teams of a single event meet each other now and then.
            if by_match.is_ok_and(|by_match| by_match != by_ranking) {
                return Err(format!(
                    "round {round}: the report does not say whether this is a team event, and its tables would stand in another \
                     order: {remedy}"
                ));
            }
            Ok(by_ranking)
        }
    }
}

/// FIDE C.04.2: the points of the higher ranked player, who has more of them or, with as many, the smaller starting rank; those of
/// the other; the starting rank of the higher ranked player.
fn by_ranking<'a>(report: &Report, round: usize, pairs: Vec<Pair<'a>>) -> Result<Vec<Pair<'a>>, String> {
    let before = points_before(report, round, &pairs)?;
    let mut tables = pairs;
    tables.sort_by_key(|&(white, black)| {
        let of = |player: &Player| (Reverse(before(player)), player.rank);
        let (higher, lower) = if of(white) <= of(black) { (white, black) } else { (black, white) };
        (Reverse(before(higher)), Reverse(before(lower)), higher.rank)
    });
    Ok(tables)
}
