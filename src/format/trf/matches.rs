//! The tables of a team event: match by match, the boards of a match in the order of its teams.

use std::collections::BTreeMap;

use super::{
    line::Player,
    report::{Pair, Report},
    score::{place, points_before},
};

/// A table of a match, behind the places of its players in their teams; none where they have none.
type Table<'a> = ([Option<usize>; 2], Pair<'a>);

/// The tables of a round match by match; the boards of a match as its teams sit: the first of a team that plays meets the first of
/// the other, and so on.
///
/// # Errors
/// Why they cannot be known.
pub fn tables<'a>(report: &Report, round: usize, pairs: &[Pair<'a>]) -> Result<Vec<Pair<'a>>, String> {
    let teams = &report.teams;
    let mut matches: BTreeMap<[usize; 2], Vec<Table<'a>>> = BTreeMap::new();
    for &(white, black) in pairs {
        let at = |problem: &str| format!("{}: {}, round {round}: {problem}", white.line, white.name);
        // The team of a player and his place in it.
        let seat = |player: &Player| {
            let team = teams.of(player.rank).ok_or_else(|| at("a player without a team"))?;
            let place = teams.order(team, round).iter().position(|rank| *rank == player.rank);
            Ok::<_, String>((team, place))
        };
        let mut seats = [seat(white)?, seat(black)?];
        seats.sort_unstable();
        let [(first, _), (second, _)] = seats;
        if first == second {
            return Err(at("two players of one team"));
        }
        let places = seats.map(|(_, place)| place);
        matches.entry([first, second]).or_default().push((places, (white, black)));
    }
    let mut met: Vec<usize> = matches.keys().flatten().copied().collect();
    met.sort_unstable();
    if let Some(twice) = met.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("round {round}: {} meets more than one team", teams.teams[twice[0]].name));
    }
    let most = matches.values().map(Vec::len).max();
    if matches.values().any(|tables| Some(tables.len()) != most) {
        return Err(format!(
            "round {round}: not all matches have as many games: which boards stand empty is not known"
        ));
    }
    for ([a, b], tables) in &mut matches {
        tables.sort_by_key(|(places, _)| *places);
        let is_known = tables.iter().all(|(places, _)| places.iter().all(Option::is_some));
        if !is_known || !tables.windows(2).all(|pair| pair[0].0[1] < pair[1].0[1]) {
            return Err(format!(
                "round {round}: the players of {} and {} do not sit in the order of their teams",
                teams.teams[*a].name, teams.teams[*b].name
            ));
        }
    }
    let strength = match_points(report, round, pairs)?;
    let mut in_order: Vec<_> = matches.into_iter().collect();
    in_order.sort_by_key(|(both, _)| place(both.map(|team| (strength[team], team))));
    Ok(in_order.into_iter().flat_map(|(_, tables)| tables).map(|(_, pair)| pair).collect())
}

/// The match points of each team before a round: two for a match won, one for one drawn.
fn match_points(report: &Report, round: usize, pairs: &[Pair<'_>]) -> Result<Vec<u32>, String> {
    let teams = &report.teams;
    let mut points = vec![0; teams.teams.len()];
    // What results are worth must be known.
    let _ = points_before(report, round, pairs)?;
    for before in 0..round.saturating_sub(1) {
        let mut games: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for player in report.players.values() {
            let Some(pairing) = player.rounds.get(before) else { continue };
            let Some(team) = teams.of(player.rank) else { continue };
            let Some(other) = pairing.opponent.and_then(|rank| teams.of(rank)) else { continue };
            *games.entry((team, other)).or_default() += report.scoring.of(pairing.result);
        }
        for (&(team, other), scored) in &games {
            let lost = games.get(&(other, team)).copied().unwrap_or_default();
            points[team] += 1 + u32::from(*scored > lost) - u32::from(*scored < lost);
        }
    }
    Ok(points)
}
