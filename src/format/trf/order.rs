//! The order of a round's pairings at its tables.

use super::{line::Pair, matches, points::place, report::Report};

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

/// The pairings of a round by tables, in the order asked for or the one that the report shows.
///
/// # Errors
/// Why the order is unknown.
pub fn tables<'a>(
    report: &'a Report,
    round: usize,
    pairs: &[Pair<'a>],
    asked: Option<Order>,
) -> Result<Vec<Pair<'a>>, String> {
    let by = |order: Order| match order {
        Order::File => Ok(pairs.to_vec()),
        Order::Ranking => by_ranking(report, round, pairs),
        Order::Match => matches::tables(report, round, pairs),
    };
    if let Some(asked) = asked {
        return by(asked);
    }
    let tables = match report.teams.is_team_event() {
        Some(true) => by(Order::Match),
        Some(false) => by(Order::Ranking),
        // Teams of a single event meet each other now and then.
        None => match (by(Order::Ranking), by(Order::Match)) {
            (Ok(by_ranking), Ok(by_match)) if by_ranking != by_match => Err(format!(
                "round {round}: the report does not show whether this is a team event, whose tables would be in another order"
            )),
            (by_ranking, _) => by_ranking,
        },
    };
    tables.map_err(|why| format!("{why}: give --order ranking, file or match, or a roster"))
}

fn by_ranking<'a>(report: &Report, round: usize, pairs: &[Pair<'a>]) -> Result<Vec<Pair<'a>>, String> {
    let before = report.scoring.before(round, &report.players, pairs)?;
    let mut tables = pairs.to_vec();
    tables.sort_by_key(|&(white, black)| place([white, black].map(|player| (before(player), player.rank))));
    Ok(tables)
}
