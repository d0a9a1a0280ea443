//! The points that players have before a round, and the order that follows from points.

use std::cmp::Reverse;

use super::{
    line::Player,
    report::{Pair, Report},
};

/// The points of each player before a round, in tenths.
///
/// # Errors
/// That they cannot be known.
pub fn points_before<'a>(
    report: &'a Report,
    round: usize,
    pairs: &[Pair<'_>],
) -> Result<impl Fn(&Player) -> u32 + use<'a>, String> {
    let all = |player: &Player, rounds: usize| -> u32 {
        player.rounds.iter().take(rounds).map(|round| report.scoring.of(round.result)).sum()
    };
    let is_played = |player: &Player| player.rounds.get(round - 1).is_some_and(|round| round.result != ' ');
    let is_next = !pairs.iter().any(|(white, black)| is_played(white) || is_played(black));
    // Columns 81 to 84 are what the tournament counts, whatever its results are worth.
    let is_counted = report.players.values().all(|player| player.points.is_some());
    if !is_next && is_counted && round > 1 {
        // Byes of a round to come may be written already, and not be counted yet.
        let is_over = |at: &usize| {
            let is_result = |player: &Player| {
                player.rounds.get(*at).is_some_and(|round| round.opponent.is_some() && round.result != ' ')
            };
            report.players.values().any(is_result)
        };
        let rounds = report.players.values().map(|player| player.rounds.len()).max().unwrap_or_default();
        let over = (0..rounds).rev().find(is_over).map_or(0, |at| at + 1);
        let differs = |rounds: usize| {
            report.players.values().find(move |player| Some(all(player, rounds)) != player.points)
        };
        if let (Some(player), Some(_)) = (differs(over), differs(rounds)) {
            return Err(format!(
                "{}: {} has {} points in columns 81 to 84, and {} by the results: what they are worth (line 162) is not known, so the \
                 order of round {round} is not",
                player.line,
                player.name,
                decimal(player.points.unwrap_or_default()),
                decimal(all(player, over))
            ));
        }
    }
    let scoring = &report.scoring;
    Ok(move |player: &Player| match player.points {
        Some(points) if is_next && is_counted => points,
        _ => player.rounds.iter().take(round - 1).map(|round| scoring.of(round.result)).sum(),
    })
}

/// By what tables are in order, and matches, of players or teams with these points and numbers: FIDE C.04.2, the points of the
/// higher ranked of both, who has more of them or, with as many, the smaller number; those of the other; the number of the higher
/// ranked.
pub fn place<N: Ord + Copy>(both: [(u32, N); 2]) -> impl Ord + use<N> {
    let mut ranked = both.map(|(points, number)| (Reverse(points), number));
    ranked.sort_unstable();
    let [(higher, number), (lower, _)] = ranked;
    (higher, lower, number)
}

fn decimal(tenths: u32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}
