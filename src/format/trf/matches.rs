//! The tables of a team event: match by match, the boards of a match in the order of its teams.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{line::Player, report::Report, score::points_before, teams::Teams};

/// White and Black of a table.
type Pair<'a> = (&'a Player, &'a Player);

/// The tables of a round match by match.
///
/// # Errors
/// Why they cannot be known.
pub fn tables<'a>(report: &Report, round: usize, pairs: &[Pair<'a>]) -> Result<Vec<Pair<'a>>, String> {
    let teams = &report.teams;
    let mut matches: BTreeMap<(usize, usize), Vec<Pair<'a>>> = BTreeMap::new();
    for &(white, black) in pairs {
        let at = |problem: &str| format!("{}: {}, round {round}: {problem}", white.line, white.name);
        let both =
            [white, black].map(|player| teams.of(player.rank).ok_or_else(|| at("a player without a team")));
        let [white_team, black_team] = both;
        let (a, b) = (white_team?, black_team?);
        if a == b {
            return Err(at("two players of one team"));
        }
        matches.entry((a.min(b), a.max(b))).or_default().push((white, black));
    }
    let mut met: Vec<usize> = matches.keys().flat_map(|&(a, b)| [a, b]).collect();
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
    for (&(a, b), tables) in &mut matches {
        sort_boards(teams, a, b, round, tables)?;
    }
    let strength = match_points(report, round, pairs)?;
    let mut in_order: Vec<_> = matches.into_iter().collect();
    in_order.sort_by_key(|&((a, b), _)| {
        let of = |team: usize| (Reverse(strength[team]), team);
        let (higher, lower) = if of(a) <= of(b) { (a, b) } else { (b, a) };
        (Reverse(strength[higher]), Reverse(strength[lower]), higher)
    });
    Ok(in_order.into_iter().flat_map(|(_, tables)| tables).collect())
}

/// The boards of a match: the first of a team that plays meets the first of the other, and so on.
fn sort_boards(
    teams: &Teams,
    a: usize,
    b: usize,
    round: usize,
    tables: &mut [Pair<'_>],
) -> Result<(), String> {
    let seat = |player: &Player| {
        let team = if teams.teams[a].players.contains(&player.rank) { a } else { b };
        teams.order(team, round).iter().position(|rank| *rank == player.rank)
    };
    let of_first = |&(white, black): &Pair<'_>| {
        let [first, second] =
            if teams.teams[a].players.contains(&white.rank) { [white, black] } else { [black, white] };
        (seat(first), seat(second))
    };
    tables.sort_by_key(|pair| of_first(pair));
    let in_order = tables.windows(2).all(|pair| of_first(&pair[0]).1 < of_first(&pair[1]).1);
    if tables.iter().any(|pair| of_first(pair).0.is_none() || of_first(pair).1.is_none()) || !in_order {
        return Err(format!(
            "round {round}: the players of {} and {} do not sit in the order of their teams",
            teams.teams[a].name, teams.teams[b].name
        ));
    }
    Ok(())
}

/// The match points of each team before a round: two for a match won, one for one drawn.
fn match_points(report: &Report, round: usize, pairs: &[Pair<'_>]) -> Result<Vec<u32>, String> {
    let teams = &report.teams;
    let mut points = vec![0; teams.teams.len()];
    if round > 1 {
        // What results are worth must be known.
        let _ = points_before(report, round, pairs)?;
    }
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
