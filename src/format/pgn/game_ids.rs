//! GameIds, by which broadcast servers recognise a game. An id made of event, round and table exists before the first
//! move, and stays the same when the players change.

use std::collections::{BTreeMap, HashSet};

use crate::{
    format::game::{Game, Kept, Key},
    record::Tags,
};

/// The GameIds of the games of boards, each from the beginning of its game.
#[derive(Debug, Default)]
pub struct GameIds {
    of: BTreeMap<(Key, usize), String>,
    taken: HashSet<String>,
}

impl GameIds {
    /// Gives the `nth` game of its board its earlier GameId, or else a new one: another game at the same table has a
    /// number after it.
    pub fn fix<P: Kept>(&mut self, game: &mut Game<P>, nth: usize) {
        let Some(id) = game.start.tags.get("GameId").filter(|_| game.key.1.is_some()) else { return };
        let place = (game.key.clone(), nth);
        let id = self
            .of
            .entry(place)
            .or_insert_with(|| numbered(id).find(|id| self.taken.insert(id.clone())).unwrap_or_default());
        game.start.tags.set("GameId", id.as_str());
    }

    /// Gives a pairing the GameId that its game has, or will get when it begins.
    pub fn foresee<P: Kept>(&self, pairing: &mut Game<P>) {
        let Some(id) = pairing.start.tags.get("GameId") else { return };
        let (line, board) = &pairing.key;
        let is_of =
            |(key, nth): &(Key, usize)| *nth == 0 && key.1 == *board && (line.is_none() || key.0 == *line);
        let had = self.of.iter().find(|(place, _)| is_of(place)).map(|(_, id)| id.clone());
        let id = had.or_else(|| numbered(id).find(|id| !self.taken.contains(id))).unwrap_or_default();
        pairing.start.tags.set("GameId", id);
    }
}

/// A GameId, and those of other games at the same table.
fn numbered(id: &str) -> impl Iterator<Item = String> {
    std::iter::once(id.to_owned()).chain((2..).map(move |n| format!("{id}-{n}")))
}

/// The GameId of the game at a table, from the tags of the game; none where one of them is unknown.
pub fn of_table(tags: &Tags) -> Option<String> {
    let part = |name: &str| Some(words(tags.get(name)?)).filter(|part| !part.is_empty());
    let parts = [part("Event")?, part("Round")?, part("Board")?];
    Some(parts.map(|words| words.join("-")).join("."))
}

/// The part of a GameId from the value of a tag.
pub fn words(value: &str) -> Vec<String> {
    let words = value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Move, Rules};

    #[test]
    fn game_ids_are_made_of_event_round_and_table() {
        let of = |event: &str, round: &str, board: &str| {
            let mut tags = Tags::default();
            for (name, value) in [("Event", event), ("Round", round), ("Board", board)] {
                tags.set(name, value);
            }
            of_table(&tags)
        };
        assert_eq!(of("Łódź Open, \"A\" 2026", "3", "12").unwrap(), "łódź-open-a-2026.3.12");
        // Round 1.2 differs from round 1, table 2.
        assert_eq!(of("Open", "1.2", "3").unwrap(), "open.1-2.3");
        assert_eq!(of("?", "1", "3"), None);
        assert_eq!(of("Open", "-", "3"), None);
    }

    #[test]
    fn games_have_different_and_constant_ids() {
        let mut ids = GameIds::default();
        let mut fixed = |line: &str, nth, id: &str| {
            let mut game: Game<Move> = Game::pairing((Some(line.into()), Some(7)), Rules::Chess);
            game.start.tags.set("GameId", id);
            ids.fix(&mut game, nth);
            game.start.tags.get("GameId").unwrap().to_owned()
        };
        assert_eq!(fixed("a", 0, "open.3.1"), "open.3.1");
        assert_eq!(fixed("a", 1, "open.3.1"), "open.3.1-2");
        assert_eq!(fixed("b", 0, "open.3.1"), "open.3.1-3");
        assert_eq!(fixed("a", 0, "closed.3.1"), "open.3.1");
        assert_eq!(fixed("a", 1, "open.3.1"), "open.3.1-2");
    }
}
