//! Points by a tournament report: those before a round, and the results of that round since.

use super::{Person, Played, Scored, Standings, Table, placed, teams};
use crate::format::{
    pairings::{letters, spaced},
    trf::{Pair, Player, Report, full_title},
};

/// The standings by a report: by its results before a round, and in that round by the finished games, or else by the
/// report. Where these are the points that the report has, its own places count.
///
/// # Errors
/// Why the points are unknown, with the number of the line of the problem.
pub fn of_report(text: &str, round: usize, played: &[Played]) -> Result<Standings, String> {
    let report = Report::read(text, &mut Vec::new())?;
    let players = players(&report, round, played)?;
    // Without the results of each earlier round the points of the teams are unknown.
    let rounds: Result<Vec<_>, String> =
        (1..=round).map(|at| matches(&report, at, played, at == round)).collect();
    Ok(Standings { rows: placed(players), teams: teams::placed(rounds.unwrap_or_default()) })
}

fn players(report: &Report, round: usize, played: &[Played]) -> Result<Vec<Scored>, String> {
    let pairs = report.pairs(round)?;
    let before = report.scoring.before(round, &report.players, &pairs)?;
    let mut scored: Vec<(u32, Scored)> = Vec::new();
    for player in report.players.values() {
        let team = report.teams.name_of(player.rank);
        let from = if team.is_empty() { player.federation.clone() } else { team.to_owned() };
        let (name, title) = (spaced(&player.name), full_title(&player.title).to_owned());
        let person = Person { name, title, rating: player.rating.clone(), from };
        scored.push((player.rank, Scored { person, tenths: before(player), own_place: player.place }));
    }
    let mut add = |rank: u32, result: Option<char>| {
        let of_rank = scored.iter_mut().find(|(other, _)| *other == rank);
        let tenths = result.map_or(0, |result| report.scoring.of(result));
        of_rank.into_iter().for_each(|(_, one)| one.tenths += tenths);
    };
    let mut in_pairs = Vec::new();
    for &pair in &pairs {
        let results = since(pair, played).unwrap_or_else(|| noted(pair, round));
        for (player, result) in [pair.0, pair.1].into_iter().zip(results) {
            in_pairs.push(player.rank);
            add(player.rank, result);
        }
    }
    // The players with a bye.
    for player in report.players.values().filter(|player| !in_pairs.contains(&player.rank)) {
        add(player.rank, result(player, round));
    }
    let is_its = scored
        .iter()
        .all(|(rank, one)| report.players.get(rank).and_then(|player| player.points) == Some(one.tenths));
    let own = |(_, one): (u32, Scored)| Scored { own_place: one.own_place.filter(|_| is_its), ..one };
    Ok(scored.into_iter().map(own).collect())
}

/// The games of a round between players of teams. Those of the last round may be over since.
fn matches<'r>(
    report: &'r Report,
    round: usize,
    played: &[Played],
    is_last: bool,
) -> Result<Vec<Table<'r>>, String> {
    if report.teams.is_team_event() == Some(false) {
        return Ok(Vec::new());
    }
    let table = |pair: Pair<'r>| {
        let teams = [pair.0, pair.1].map(|player| report.teams.name_of(player.rank));
        let since = since(pair, played).filter(|_| is_last);
        let tenths = match since.unwrap_or_else(|| noted(pair, round)) {
            [Some(white), Some(black)] => Some([white, black].map(|result| report.scoring.of(result))),
            _ => None,
        };
        (!teams.contains(&"")).then_some(Table { teams, tenths })
    };
    Ok(report.pairs(round)?.into_iter().filter_map(table).collect())
}

/// The result of a player in a round by the report, if there is one.
fn result(player: &Player, round: usize) -> Option<char> {
    player.rounds.get(round - 1).map(|noted| noted.result).filter(|result| *result != ' ')
}

/// The results of both players in a round by the report.
fn noted(pair: Pair<'_>, round: usize) -> [Option<char>; 2] {
    [pair.0, pair.1].map(|player| result(player, round))
}

/// The results of both players by their game, if it is over.
fn since(pair: Pair<'_>, played: &[Played]) -> Option<[Option<char>; 2]> {
    let both = [pair.0, pair.1].map(|player| letters(&player.name));
    let is_it = |game: &&Played| game.players.each_ref().map(|person| letters(&person.name)) == both;
    Some(outcome(&played.iter().find(is_it)?.result)?.map(Some))
}

/// The result of a game in the form of a report, for White and for Black.
fn outcome(result: &str) -> Option<[char; 2]> {
    let of = |points: &str| match points {
        "1" => Some('1'),
        "1/2" => Some('='),
        "0" => Some('0'),
        _ => None,
    };
    let (white, black) = result.split_once('-')?;
    Some([of(white)?, of(black)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::standings::{Placed, PlacedTeam};

    /// A player's line by the columns of the standard, with the place after the points.
    fn line(rank: u32, name: &str, points: &str, place: u32, rounds: &str) -> String {
        format!(
            "001 {rank:>4} m    {name:<33} 2000 NOR {rank:>11} {:>10} {points:>4} {place:>4}{rounds}\n",
            "1990/11/30"
        )
    }

    /// Two rounds were played, the third is paired; Eve withdrew after the first, Fay has a bye of half a point.
    fn report() -> String {
        [
            line(1, "Ann", "1.5", 2, "     2 w 1     3 b =     4 w  "),
            line(2, "Bob", "1.0", 3, "     1 b 0     4 w 1     3 b  "),
            line(3, "Cid", "1.5", 1, "     4 b 1     1 w =     2 w  "),
            line(4, "Dan", "0.0", 6, "     3 w 0     2 b 0     1 b  "),
            line(5, "Eve", "0.5", 5, "  0000 - H  0000 - Z  0000 - Z"),
            line(6, "Fay", "1.0", 4, "  0000 - H  0000 - H  0000 - H"),
        ]
        .concat()
    }

    fn played(games: &[(&str, &str, &str)]) -> Vec<Played> {
        let person = |name: &str| Person { name: name.into(), ..Person::default() };
        let game = |(white, black, result): &(&str, &str, &str)| Played {
            players: [person(white), person(black)],
            result: (*result).into(),
            of_teams: false,
        };
        games.iter().map(game).collect()
    }

    fn standings(text: &str, games: &[(&str, &str, &str)]) -> Vec<(u32, String, String)> {
        let rows = of_report(text, 3, &played(games)).unwrap().rows.into_iter();
        rows.map(|Placed { place, person, points }| (place, person.name, points)).collect()
    }

    fn rows(rows: &[(u32, &str, &str)]) -> Vec<(u32, String, String)> {
        rows.iter().map(|(place, name, points)| (*place, (*name).into(), (*points).into())).collect()
    }

    #[test]
    fn round_results_are_added_to_earlier_points() {
        // Cid has beaten Bob; Ann's game is not over; Fay's bye counts.
        let expected = [
            (1, "Cid", "2½"),
            (2, "Ann", "1½"),
            (2, "Fay", "1½"),
            (4, "Bob", "1"),
            (5, "Eve", "½"),
            (6, "Dan", "0"),
        ];
        assert_eq!(standings(&report(), &[("Cid", "BOB", "1-0"), ("Ann", "Dan", "*")]), rows(&expected));
        // Another pairing of these players is not of this round.
        let before = standings(&report(), &[]);
        assert_eq!(standings(&report(), &[("Dan", "Ann", "1-0"), ("Ann", "Cid", "1-0")]), before);
    }

    #[test]
    fn report_places_hold_for_their_round_only() {
        let own = report().replace("  0000 - H\n", "           \n");
        let expected = [
            (1, "Cid", "1½"),
            (2, "Ann", "1½"),
            (3, "Bob", "1"),
            (4, "Fay", "1"),
            (5, "Eve", "½"),
            (6, "Dan", "0"),
        ];
        assert_eq!(standings(&own, &[]), rows(&expected));
        let later = [
            (1, "Ann", "2½"),
            (2, "Cid", "1½"),
            (3, "Bob", "1"),
            (3, "Fay", "1"),
            (5, "Eve", "½"),
            (6, "Dan", "0"),
        ];
        assert_eq!(standings(&own, &[("Ann", "Dan", "1-0")]), rows(&later));
    }

    #[test]
    fn teams_have_match_points_of_all_rounds() {
        let people = [
            line(1, "P1", "1.0", 1, "     3 w 1     7 b  "),
            line(2, "P2", "0.5", 2, "     4 b =     8 w  "),
            line(3, "P3", "0.0", 3, "     1 b 0     5 w  "),
            line(4, "P4", "0.5", 4, "     2 w =     6 b  "),
            line(5, "P5", "0.0", 5, "     7 w 0     3 b  "),
            line(6, "P6", "0.0", 6, "     8 b 0     4 w  "),
            line(7, "P7", "1.0", 7, "     5 b 1     1 w  "),
            line(8, "P8", "1.0", 8, "     6 w 1     2 b  "),
        ];
        let team = |name: &str, ranks: &str| format!("013 {name:<32}{ranks}\n");
        let teams = team("Alpha", "   1    2") + &team("Bravo", "   3    4") + &team("Cedar", "   5    6");
        let report = people.concat() + &teams + &team("Delta", "   7    8");
        let games = [("P7", "P1", "0-1"), ("P2", "P8", "1/2-1/2"), ("P3", "P5", "1-0"), ("P6", "P4", "*")];
        let rows = |text: &str, round| {
            let teams = of_report(text, round, &played(&games)).unwrap().teams.into_iter();
            let row = |PlacedTeam { place, name, match_points, tenths }| {
                format!("{place} {name} {match_points} {tenths}")
            };
            teams.map(row).collect::<Vec<_>>()
        };
        // Bravo and Cedar still play.
        assert_eq!(rows(&report, 2), ["1 Alpha 4 30", "2 Delta 2 25", "3 Bravo 0 15", "4 Cedar 0 0"]);
        assert_eq!(rows(&report, 1), ["1 Delta 2 20", "2 Alpha 2 15", "3 Bravo 0 5", "4 Cedar 0 0"]);
        assert_eq!(rows(&format!("092 Individual Swiss\n{report}"), 2), [""; 0]);
    }

    #[test]
    fn reports_without_points_give_no_standings() {
        assert!(of_report("", 3, &[]).is_err() && of_report(&report(), 4, &[]).is_err());
        assert!(of_report(&report(), 0, &[]).is_err());
    }
}
