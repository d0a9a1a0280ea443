//! Points by a tournament report: those before a round, and the results of that round since.

use super::{Person, Played, Scored};
use crate::format::{
    pairings::{letters, spaced},
    trf::{Report, full_title},
};

/// The players of a report with their points: by its results before a round, and in that round by the finished games,
/// or else by the report. Where these are the points that the report has, its own places count.
///
/// # Errors
/// Why the points are unknown, with the number of the line of the problem.
pub fn of_report(text: &str, round: usize, played: &[Played]) -> Result<Vec<Scored>, String> {
    let report = Report::read(text, &mut Vec::new())?;
    let pairs = report.pairs(round)?;
    let before = report.scoring.before(round, &report.players, &pairs)?;
    let noted = |rank: u32| report.players.get(&rank)?.rounds.get(round - 1).map(|noted| noted.result);
    let mut scored: Vec<(u32, Scored)> = Vec::new();
    for player in report.players.values() {
        let team = report.teams.name_of(player.rank);
        let from = if team.is_empty() { player.federation.clone() } else { team.to_owned() };
        let (name, title) = (spaced(&player.name), full_title(&player.title).to_owned());
        let person = Person { name, title, rating: player.rating.clone(), from };
        scored.push((player.rank, Scored { person, tenths: before(player), own_place: player.place }));
    }
    let mut add = |rank: u32, tenths: u32| {
        let of_rank = scored.iter_mut().find(|(other, _)| *other == rank);
        of_rank.into_iter().for_each(|(_, one)| one.tenths += tenths);
    };
    let mut in_pairs = Vec::new();
    for &(white, black) in &pairs {
        in_pairs.extend([white.rank, black.rank]);
        let both = [letters(&white.name), letters(&black.name)];
        let is_it = |game: &&Played| game.players.each_ref().map(|person| letters(&person.name)) == both;
        let over = played.iter().find(is_it).and_then(|game| outcome(&game.result));
        let results =
            over.map_or_else(|| [noted(white.rank), noted(black.rank)], |results| results.map(Some));
        for (rank, result) in [white.rank, black.rank].into_iter().zip(results) {
            add(rank, result.filter(|result| *result != ' ').map_or(0, |result| report.scoring.of(result)));
        }
    }
    // The players with a bye.
    for rank in report.players.keys().filter(|rank| !in_pairs.contains(rank)) {
        let result = noted(*rank).filter(|result| *result != ' ');
        add(*rank, result.map_or(0, |result| report.scoring.of(result)));
    }
    let is_its = scored
        .iter()
        .all(|(rank, one)| report.players.get(rank).and_then(|player| player.points) == Some(one.tenths));
    let own = |(_, one): (u32, Scored)| Scored { own_place: one.own_place.filter(|_| is_its), ..one };
    Ok(scored.into_iter().map(own).collect())
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
    use crate::format::standings::{Placed, placed};

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

    fn standings(text: &str, played: &[(&str, &str, &str)]) -> Vec<(u32, String, String)> {
        let person = |name: &str| Person { name: name.into(), ..Person::default() };
        let played: Vec<Played> = played
            .iter()
            .map(|(white, black, result)| Played {
                players: [person(white), person(black)],
                result: (*result).into(),
            })
            .collect();
        let rows = placed(of_report(text, 3, &played).unwrap()).into_iter();
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
    fn reports_without_points_give_no_standings() {
        assert!(of_report("", 3, &[]).is_err() && of_report(&report(), 4, &[]).is_err());
        assert!(of_report(&report(), 0, &[]).is_err());
    }
}
