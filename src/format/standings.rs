//! Standings of an event: the points of the players and teams, and their places.
//!
//! Points come from a tournament report (`report`), or from the results of rounds in pages. A game that is not over
//! counts for neither player.

mod report;
mod teams;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer, ser::SerializeSeq};

use super::{
    game::{Game, Kept},
    pairings::letters,
};
use crate::record::Outcome;
pub use report::of_report;
pub use teams::PlacedTeam;
use teams::{Table, shared_places};

/// A player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Person {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rating: String,
    /// The team, or else the federation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub from: String,
}

/// A game of a round: White and Black, and its result if it is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    pub players: [Person; 2],
    /// In PGN's form; `*` for none.
    pub result: String,
    /// The players have teams: `from` is no federation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_teams: bool,
}

/// The results of a round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The title of its pages.
    pub title: String,
    /// The Event and the Round, where all its games have the same.
    #[serde(default)]
    pub event: String,
    #[serde(default)]
    pub round: String,
    pub games: Vec<Played>,
}

/// The standings as pages have them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// The players.
    pub rows: Vec<Placed>,
    /// The teams, where teams play matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<PlacedTeam>,
}

/// A player with his points, in tenths.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Scored {
    person: Person,
    tenths: u32,
    /// The player's place in the report, where these are the report's points.
    own_place: Option<u32>,
}

/// A player with a place, written as a list: place, title, name, team or federation, rating, points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub place: u32,
    pub person: Person,
    pub points: String,
}

impl Serialize for Placed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Person { name, title, rating, from } = &self.person;
        let mut list = serializer.serialize_seq(Some(6))?;
        list.serialize_element(&self.place)?;
        [title, name, from, rating, &self.points]
            .into_iter()
            .try_for_each(|text| list.serialize_element(text))?;
        list.end()
    }
}

/// A list: place, name, match points, board points.
impl Serialize for PlacedTeam {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.place, &self.name, self.match_points, points(self.tenths)).serialize(serializer)
    }
}

impl Person {
    /// Adds the data from another round to a player; values that are missing there stay.
    fn learn(&mut self, known: &Person) {
        let Person { name, title, rating, from } = known;
        let Person { name: own_name, title: own_title, rating: own_rating, from: own_from } = self;
        let pairs = [(own_name, name), (own_title, title), (own_rating, rating), (own_from, from)];
        pairs
            .into_iter()
            .filter(|(_, known)| !known.is_empty())
            .for_each(|(own, known)| own.clone_from(known));
    }
}

impl Played {
    /// The state of a game, without its result where that is hidden.
    pub fn of<P: Kept>(game: &Game<P>, hide_results: bool) -> Played {
        let tag = |name: String| {
            game.start.tags.get(&name).filter(|value| *value != "?").unwrap_or_default().to_owned()
        };
        let of_teams = ["White", "Black"].iter().all(|side| !tag(format!("{side}Team")).is_empty());
        let person = |side: &str| {
            let team = tag(format!("{side}Team"));
            let from = if team.is_empty() { tag(format!("{side}Federation")) } else { team };
            Person {
                name: tag(side.into()),
                title: tag(format!("{side}Title")),
                rating: tag(format!("{side}Elo")),
                from,
            }
        };
        let result =
            game.end.as_ref().filter(|_| game.is_closed() && !hide_results).and_then(|end| end.result);
        Played {
            players: [person("White"), person("Black")],
            result: result.map_or("*", Outcome::text).to_owned(),
            of_teams,
        }
    }

    /// The points of both players, in tenths; none while the game is not over.
    pub fn tenths(&self) -> Option<[u32; 2]> {
        let of = |points: &str| match points {
            "1" => Some(10),
            "1/2" => Some(5),
            "0" => Some(0),
            _ => None,
        };
        let (white, black) = self.result.split_once('-')?;
        Some([of(white)?, of(black)?])
    }

    /// The game as a table of a match, where the players have teams.
    fn table(&self) -> Option<Table<'_>> {
        let teams = self.players.each_ref().map(|person| &*person.from);
        self.of_teams.then(|| Table { teams, tenths: self.tenths() })
    }
}

/// The standings by the results of rounds alone: one point for a win, a half for a draw. A player is recognised by the
/// letters of the name; the data of the last round count.
pub fn of_rounds<'r>(rounds: impl Iterator<Item = &'r Round> + Clone) -> Standings {
    let of_teams = |round: &'r Round| round.games.iter().filter_map(Played::table).collect();
    Standings { rows: placed(players(rounds.clone())), teams: teams::placed(rounds.map(of_teams)) }
}

fn players<'r>(rounds: impl Iterator<Item = &'r Round>) -> Vec<Scored> {
    let mut people: BTreeMap<String, Scored> = BTreeMap::new();
    for game in rounds.flat_map(|round| &round.games) {
        let tenths = game.tenths().unwrap_or_default();
        for (person, tenths) in game.players.iter().zip(tenths).filter(|(person, _)| !person.name.is_empty())
        {
            let none = || Scored { person: person.clone(), tenths: 0, own_place: None };
            let scored = people.entry(letters(&person.name)).or_insert_with(none);
            scored.person.learn(person);
            scored.tenths += tenths;
        }
    }
    people.into_values().collect()
}

/// Players with their places, the first one first. Equal points share a place, unless the report gives each player a
/// different one. Empty before anybody has a point.
fn placed(mut scored: Vec<Scored>) -> Vec<Placed> {
    if scored.iter().all(|one| one.tenths == 0) {
        return Vec::new();
    }
    let rating = |one: &Scored| one.person.rating.parse::<u32>().unwrap_or_default();
    let is_own = scored.iter().all(|one| one.own_place.is_some());
    scored.sort_by(|a, b| {
        let own = if is_own { a.own_place.cmp(&b.own_place) } else { std::cmp::Ordering::Equal };
        let by_points = b.tenths.cmp(&a.tenths).then(rating(b).cmp(&rating(a)));
        own.then(by_points).then_with(|| a.person.name.cmp(&b.person.name))
    });
    let shared = shared_places(scored.iter().map(|one| one.tenths));
    let placed = scored.into_iter().zip(shared).map(|(one, shared)| {
        let place = one.own_place.filter(|_| is_own).unwrap_or(shared);
        Placed { place, points: points(one.tenths), person: one.person }
    });
    placed.collect()
}

/// Points in words: 5, 5½, ½; others with their decimal.
fn points(tenths: u32) -> String {
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        (0, 5) => "½".into(),
        (whole, 5) => format!("{whole}½"),
        (whole, tenth) => format!("{whole}.{tenth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, result: &str) -> Played {
        let person = |name: &str| Person { name: name.into(), ..Person::default() };
        Played { players: [person(white), person(black)], result: result.into(), of_teams: false }
    }

    fn standings(rounds: &[&[Played]]) -> Vec<(u32, String, String)> {
        let rounds: Vec<Round> =
            rounds.iter().map(|games| Round { games: games.to_vec(), ..Round::default() }).collect();
        of_rounds(rounds.iter())
            .rows
            .into_iter()
            .map(|one| (one.place, one.person.name, one.points))
            .collect()
    }

    #[test]
    fn equal_points_share_a_place() {
        let first = [game("Ann", "Bob", "1-0"), game("Cid", "Dan", "1/2-1/2"), game("Eve", "", "1-0")];
        let second = [game("Bob", "Ann", "1-0"), game("Dan", "Eve", "*"), game("cid", "Fay", "0-0")];
        let row = |place, name: &str, points: &str| (place, name.to_owned(), points.to_owned());
        assert_eq!(
            standings(&[&first, &second]),
            [
                row(1, "Ann", "1"),
                row(1, "Bob", "1"),
                row(1, "Eve", "1"),
                row(4, "Dan", "½"),
                row(4, "cid", "½"),
                row(6, "Fay", "0")
            ]
        );
        // Data of a player that another round does not have are kept.
        let mut known = game("Ann", "Bob", "1-0");
        known.players[0].title = "GM".into();
        let rounds =
            [known, game("Ann", "Cid", "1-0")].map(|game| Round { games: vec![game], ..Round::default() });
        assert_eq!(of_rounds(rounds.iter()).rows[0].person.title, "GM");
        // Odd results: half a point to one side.
        assert_eq!(standings(&[&[game("A", "B", "1/2-0")]]), [row(1, "A", "½"), row(2, "B", "0")]);
        assert_eq!(standings(&[&[game("A", "B", "*")]]), []);
        assert_eq!(points(133), "13.3");
    }
}
