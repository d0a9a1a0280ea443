//! Standings of teams that play matches on several tables: their match points and board points.
//!
//! A match won gives two match points and a match drawn one, once all its games are over. Board points are those of all
//! games that are over.

use std::collections::BTreeMap;

use crate::format::pairings::letters;

/// A game between players of two teams.
#[derive(Debug, Clone)]
pub struct Table<'t> {
    /// The teams of White and Black.
    pub teams: [&'t str; 2],
    /// The points of both in tenths; none while the game is not over.
    pub tenths: Option<[u32; 2]>,
}

/// A team with a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedTeam {
    pub place: u32,
    pub name: String,
    pub match_points: u32,
    /// The board points in tenths.
    pub tenths: u32,
}

/// The points of a team.
#[derive(Debug, Default)]
struct Scored<'t> {
    name: &'t str,
    match_points: u32,
    tenths: u32,
}

/// A match: the board points of both teams in tenths.
#[derive(Debug, Default)]
struct Match {
    tenths: [u32; 2],
    tables: usize,
    is_in_play: bool,
}

/// The teams with their places by these rounds: by match points, then by board points; teams equal in both share a
/// place. Empty where a round does not consist of matches, none has more than one table, or no team has a point.
pub fn placed<'t>(rounds: impl IntoIterator<Item = Vec<Table<'t>>>) -> Vec<PlacedTeam> {
    let mut scored: BTreeMap<String, Scored<'t>> = BTreeMap::new();
    let mut is_of_teams = false;
    for tables in rounds {
        for team in tables.iter().flat_map(|table| table.teams) {
            scored.entry(letters(team)).or_default().name = team;
        }
        let Some(matches) = matches(&tables) else { return Vec::new() };
        for (teams, Match { tenths, tables, is_in_play }) in matches {
            is_of_teams |= tables > 1;
            let compared = [tenths[0].cmp(&tenths[1]), tenths[1].cmp(&tenths[0])];
            for ((team, tenths), compared) in teams.iter().zip(tenths).zip(compared) {
                let scored = scored.entry(team.clone()).or_default();
                scored.tenths += tenths;
                scored.match_points += if is_in_play { 0 } else { (compared as i32 + 1) as u32 };
            }
        }
    }
    let mut scored: Vec<Scored<'_>> = scored.into_values().collect();
    let key = |one: &Scored<'_>| (one.match_points, one.tenths);
    if !is_of_teams || scored.iter().all(|one| key(one) == (0, 0)) {
        return Vec::new();
    }
    scored.sort_by(|a, b| key(b).cmp(&key(a)).then_with(|| a.name.cmp(b.name)));
    let places = shared_places(scored.iter().map(key));
    let row = |(one, place)| {
        let Scored { name, match_points, tenths } = one;
        PlacedTeam { place, name: name.to_owned(), match_points, tenths }
    };
    scored.into_iter().zip(places).map(row).collect()
}

/// The matches of a round, by the letters of both names; none where a team plays itself or more than one other.
fn matches(tables: &[Table<'_>]) -> Option<BTreeMap<[String; 2], Match>> {
    let mut opponents: BTreeMap<String, String> = BTreeMap::new();
    let mut matches: BTreeMap<[String; 2], Match> = BTreeMap::new();
    for Table { teams, tenths } in tables {
        let [white, black] = teams.map(letters);
        for (team, other) in [(&white, &black), (&black, &white)] {
            let met = opponents.entry(team.clone()).or_insert_with(|| other.clone());
            if met != other || team == other {
                return None;
            }
        }
        let is_turned = white > black;
        let found = matches.entry(if is_turned { [black, white] } else { [white, black] }).or_default();
        found.tables += 1;
        found.is_in_play |= tenths.is_none();
        let mut tenths = tenths.unwrap_or_default();
        if is_turned {
            tenths.reverse();
        }
        found.tenths = [found.tenths[0] + tenths[0], found.tenths[1] + tenths[1]];
    }
    Some(matches)
}

/// The places of teams or players with these keys, the best one first, from 1: equal keys share a place.
pub fn shared_places<K: PartialEq>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut before: Option<(K, u32)> = None;
    let place = |(key, nth)| {
        let place = before.take().filter(|(other, _)| *other == key).map_or(nth, |(_, place)| place);
        before = Some((key, place));
        place
    };
    keys.zip(1..).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game: White's team, Black's team and the result.
    type Game = (&'static str, &'static str, &'static str);

    fn table((white, black, result): &Game) -> Table<'static> {
        let tenths = match *result {
            "1-0" => Some([10, 0]),
            "0-1" => Some([0, 10]),
            "1/2" => Some([5, 5]),
            _ => None,
        };
        Table { teams: [white, black], tenths }
    }

    fn rows(rounds: &[&[Game]]) -> Vec<String> {
        let rows = placed(rounds.iter().map(|games| games.iter().map(table).collect())).into_iter();
        rows.map(|one| format!("{} {} {} {}", one.place, one.name, one.match_points, one.tenths)).collect()
    }

    #[test]
    fn matches_count_when_all_games_are_over() {
        let first: &[Game] = &[
            ("Riga 1", "Oslo", "1-0"),
            ("Oslo", "Riga 1", "1/2"),
            ("Turin", "Riga 2", "1/2"),
            ("Riga 2", "Turin", "1/2"),
        ];
        assert_eq!(rows(&[first]), ["1 Riga 1 2 15", "2 Riga 2 1 10", "2 Turin 1 10", "4 Oslo 0 5"]);
        // Turin leads against Riga 1, and one game is in play.
        let second: &[Game] = &[
            ("riga-1", "Turin", "0-1"),
            ("Turin", "Riga 1", "*"),
            ("Oslo", "Riga 2", "1-0"),
            ("Riga 2", "Oslo", "1/2"),
        ];
        assert_eq!(rows(&[first, second]), ["1 Oslo 2 20", "2 Riga 1 2 15", "3 Turin 1 20", "4 Riga 2 1 15"]);
        let drawn = &[("Riga", "Oslo", "1-0"), ("Riga", "Oslo", "0-1"), ("Bonn", "Turin", "*")];
        assert_eq!(rows(&[drawn]), ["1 Oslo 1 10", "1 Riga 1 10", "3 Bonn 0 0", "3 Turin 0 0"]);
    }

    #[test]
    fn rounds_without_matches_give_no_table() {
        let won: Game = ("Riga", "Oslo", "1-0");
        assert_eq!(rows(&[&[won, ("Riga", "Bonn", "1-0")]]), [""; 0]);
        assert_eq!(rows(&[&[won, won, ("Bonn", "Bonn", "1-0")]]), [""; 0]);
        // Players of clubs, one each.
        assert_eq!(rows(&[&[won, ("Bonn", "Turin", "1-0")]]), [""; 0]);
        assert_eq!(rows(&[&[("Riga", "Oslo", "*"), ("Oslo", "Riga", "*")]]), [""; 0]);
        assert_eq!(rows(&[]), [""; 0]);
    }
}
