//! The tables of a team event: match by match, the boards of a match in the order of its teams.

use std::collections::{BTreeMap, BTreeSet};

use super::{line::Pair, points::place, report::Report};

/// The tables of a round match by match; the boards of a match in the order of the teams: the first player of a team
/// meets the first of the other, and so on.
///
/// # Errors
/// Why they are unknown.
pub fn tables<'a>(report: &Report, round: usize, pairs: &[Pair<'a>]) -> Result<Vec<Pair<'a>>, String> {
    let teams = &report.teams;
    // The tables after the places of both players in their teams, by the numbers and names of the teams.
    let mut matches: BTreeMap<[(u32, &str); 2], Vec<_>> = BTreeMap::new();
    for &(white, black) in pairs {
        let at = |problem: &str| format!("{}: {}, round {round}: {problem}", white.line, white.name);
        let [Some(a), Some(b)] = [white, black].map(|player| {
            let (number, team) = teams.of(player.rank)?;
            Some(((number, &*team.name), teams.place(player.rank, round)))
        }) else {
            return Err(at("a player without a team"));
        };
        let [(first, at_first), (second, at_second)] = if a < b { [a, b] } else { [b, a] };
        if first == second {
            return Err(at("two players of one team"));
        }
        matches.entry([first, second]).or_default().push(([at_first, at_second], (white, black)));
    }
    let mut met = BTreeSet::new();
    if let Some((_, twice)) = matches.keys().flatten().find(|team| !met.insert(*team)) {
        return Err(format!("round {round}: {twice} meets more than one team"));
    }
    let most = matches.values().map(Vec::len).max();
    if matches.values().any(|tables| Some(tables.len()) != most) {
        return Err(format!(
            "round {round}: not all matches have as many games: which boards stand empty is not known"
        ));
    }
    for ([(_, a), (_, b)], tables) in &mut matches {
        tables.sort_by_key(|(places, _)| *places);
        let is_known = tables.iter().all(|(places, _)| !places.contains(&None));
        if !is_known || !tables.is_sorted_by(|(before, _), (behind, _)| before[1] < behind[1]) {
            return Err(format!(
                "round {round}: the players of {a} and {b} do not sit in the order of their teams"
            ));
        }
    }
    let strength = match_points(report, round, pairs)?;
    let mut in_order: Vec<_> = matches.into_iter().collect();
    let points = |number: u32| strength.get(&number).copied().unwrap_or_default();
    in_order.sort_by_key(|(both, _)| place(both.map(|(number, _)| (points(number), number))));
    Ok(in_order.into_iter().flat_map(|(_, tables)| tables).map(|(_, pair)| pair).collect())
}

/// The match points of each team before a round, by its number: two for a match won, one for one drawn.
fn match_points(report: &Report, round: usize, pairs: &[Pair<'_>]) -> Result<BTreeMap<u32, u32>, String> {
    // The points of results must be known.
    let _ = report.scoring.before(round, &report.players, pairs)?;
    let number = |rank: u32| report.teams.of(rank).map(|(number, _)| number);
    // The points of a team against another in a round.
    let mut scores: BTreeMap<(usize, u32, u32), u32> = BTreeMap::new();
    for player in report.players.values() {
        for (at, pairing) in player.rounds.iter().take(round - 1).enumerate() {
            if let (Some(team), Some(other)) = (number(player.rank), pairing.opponent.and_then(number)) {
                *scores.entry((at, team, other)).or_default() += report.scoring.of(pairing.result);
            }
        }
    }
    let mut points = BTreeMap::new();
    for (&(at, team, other), scored) in &scores {
        let lost = scores.get(&(at, other, team)).unwrap_or(&0);
        *points.entry(team).or_default() += 1 + u32::from(scored > lost) - u32::from(scored < lost);
    }
    Ok(points)
}
