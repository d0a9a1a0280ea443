//! PGN of pairings: a game without moves for each board.

use super::{
    files::File,
    seat::{Once, Player, letters, seat, table},
};
use crate::{
    format::{
        pgn::{self, Cutter, Flaw, GameText, Names, Sink},
        roster::Read,
    },
    record::{End, GameStart, Move, Tags},
};

/// A game without moves, with the line in which it begins.
struct Pairing {
    line: usize,
    tags: Tags,
}

/// The seats of a round.
pub(super) fn seats(file: &File, round: u32) -> Result<Read, String> {
    let all = games(file)?;
    let mut rounds = Vec::new();
    let mut of_round = Vec::new();
    for Pairing { line, tags } in all {
        let of_game = tags.get("Round").unwrap_or_default();
        let number = of_game.split('.').next().unwrap_or_default().trim().to_owned();
        if number == round.to_string() {
            of_round.push((line, tags));
        } else if !rounds.contains(&number) {
            rounds.push(number);
        }
    }
    if of_round.is_empty() {
        let what = format!("no game here is of round {round}, but of `{}`", rounds.join("`, `"));
        return Err(file.at(1, what));
    }
    let (mut tables, mut players) = (Once::default(), Once::default());
    let (mut seats, mut counted) = (Vec::new(), None);
    for (line, tags) in &of_round {
        let names = ["White", "Black"].map(|tag| tags.get(tag).unwrap_or_default().trim());
        if names.contains(&"") {
            return Err(file.at(*line, "a player without a name"));
        }
        if names.iter().any(|name| is_nobody(name)) {
            continue;
        }
        let own = own_table(tags);
        if *counted.get_or_insert(own.is_none()) != own.is_none() {
            return Err(file.at(*line, "some games have a number of their board, and some do not"));
        }
        let number = own.map_or_else(|| (seats.len() + 1).to_string(), str::to_owned);
        let number = table(file, *line, &number)?;
        tables.take(file, *line, number, format_args!("board {number}"))?;
        for (name, colour) in names.iter().zip(["White", "Black"]) {
            let id = tags.get(&format!("{colour}FideId")).unwrap_or_default();
            let key = (letters(name), id.trim_matches('0').to_owned());
            players.take(file, *line, key, format_args!("`{name}`"))?;
        }
        let of = |colour: &str| player(tags, colour);
        let of_game: Vec<(&str, &str)> = ["Event", "Site", "TimeControl", "Group"]
            .into_iter()
            .filter_map(|tag| Some((tag, tags.get(tag).filter(|value| !["?", ""].contains(value))?)))
            .collect();
        seats.push(seat(number, round, &of_game, &of("White"), &of("Black")));
    }
    if seats.is_empty() {
        return Err(file.at(1, format_args!("no board of round {round} has two players")));
    }
    Ok(Read { seats, notes: Vec::new() })
}

/// All games of the file. A game with moves, or one that cannot be read, is no pairing.
fn games(file: &File) -> Result<Vec<Pairing>, String> {
    let (mut found, mut cutter) = (Vec::new(), Cutter::default());
    let mut take = |game: GameText<'_>| {
        let line = usize::try_from(game.line).unwrap_or_default();
        let mut reading = Reading { tags: None, problem: None, line };
        pgn::read(game, 1, &mut reading);
        let Reading { tags, problem, .. } = reading;
        if let Some((line, problem)) = problem {
            return Err(file.at(line, problem));
        }
        let tags = tags.ok_or_else(|| file.at(line, "this is no game of PGN"))?;
        if let Some(missing) = ["Round", "White", "Black"].iter().find(|tag| tags.get(tag).is_none()) {
            return Err(file.at(line, format_args!("a game without the tag {missing}")));
        }
        found.push(Pairing { line, tags });
        Ok(())
    };
    cutter.push(file.text.as_bytes(), &mut take)?;
    cutter.push(&[], &mut take)?;
    Ok(found)
}

/// A game that is being read: its tags, and its first part that a pairing does not have.
struct Reading {
    line: usize,
    tags: Option<Tags>,
    problem: Option<(usize, String)>,
}

impl Reading {
    fn problem(&mut self, line: u64, problem: String) {
        self.problem.get_or_insert((usize::try_from(line).unwrap_or_default(), problem));
    }
}

impl Sink for Reading {
    fn game(&mut self, start: &GameStart) {
        self.tags = Some(start.tags.clone());
    }

    fn ply(&mut self, _: &Names, _: Option<&Move>) {
        let what = "a game with moves: these are no pairings of a round to come";
        self.problem(self.line as u64, what.into());
    }

    fn doubt(&mut self, line: u64, problem: String) {
        self.problem(line, problem);
    }

    fn flaw(&mut self, flaw: Flaw) {
        self.problem(flaw.line, flaw.problem);
    }

    fn end(&mut self, _: End) {}

    fn no_game(&mut self, line: u64, begin: &str) {
        self.problem(line, format!("`{begin}` is no game of PGN"));
    }
}

/// The number of the table, where the game has one.
fn own_table(tags: &Tags) -> Option<&str> {
    let is_given = |value: &&str| !["", "?", "-"].contains(&value.trim());
    let tag = |name: &str| tags.get(name).filter(is_given);
    tag("Board").or_else(|| tag("Table")).or_else(|| Some(tag("Round")?.split_once('.')?.1))
}

fn is_nobody(name: &str) -> bool {
    ["?", "-"].contains(&name) || ["bye", "spielfrei"].contains(&name.to_lowercase().as_str())
}

fn player(tags: &Tags, colour: &str) -> Player {
    let tag = |what: &str| {
        let value = tags.get(&format!("{colour}{what}")).unwrap_or_default().trim();
        if ["?", "-"].contains(&value) { String::new() } else { value.to_owned() }
    };
    let first =
        |names: [&str; 2]| names.map(tag).into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    Player {
        name: tag(""),
        title: tag("Title"),
        rating: tag("Elo"),
        fide_id: tag("FideId"),
        federation: first(["Federation", "Country"]),
        team: tag("Team"),
    }
}
