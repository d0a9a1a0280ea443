//! The games of a hall in their present state, each board's in the order in which they began; pairings of tables
//! without a game, and games whose plies were put away.

use std::{collections::BTreeMap, fmt, io};

use super::game::{Game, Kept, Key};
use crate::record::{GameEvent, GameRecord, GameStart, Move, Rules};

/// The plies of a game that were put away, so that only games in play are in memory.
pub trait Away<P>: fmt::Debug {
    /// Reads them again.
    fn bring_back(&self) -> io::Result<Vec<P>>;
}

/// The plies of finished games, which are stored elsewhere.
type AllAway<P> = BTreeMap<(Key, usize), Box<dyn Away<P>>>;

fn bring_back<P>(away: &mut AllAway<P>, game: &mut Game<P>, nth: usize) -> io::Result<()> {
    let place = (game.key.clone(), nth);
    if let Some(plies) = away.get(&place) {
        game.moves = plies.bring_back()?;
        away.remove(&place);
    }
    Ok(())
}

/// The games of a hall, each board's in the order in which they began.
#[derive(Debug)]
pub struct Games<P = Move> {
    boards: BTreeMap<Key, Vec<Game<P>>>,
    /// The pairings of boards without records, or without a game. A table of no line belongs to any board with its
    /// address.
    pairings: BTreeMap<Key, Game<P>>,
    away: AllAway<P>,
    records: u64,
}

impl<P> Default for Games<P> {
    fn default() -> Games<P> {
        Games { boards: BTreeMap::new(), pairings: BTreeMap::new(), away: BTreeMap::new(), records: 0 }
    }
}

impl<P: Kept> Games<P> {
    /// Applies an event on any board; returns its game, and the index of the game on its board, from 0. An impossible
    /// record is refused with the reason.
    pub fn apply(&mut self, record: GameRecord) -> Result<(usize, &mut Game<P>), String> {
        self.records += 1;
        let games = self.boards.entry((record.line.clone(), record.board)).or_default();
        let at = games.iter().rposition(|game| game.number == record.game);
        if let GameEvent::Game(start) = &record.event {
            let mut game = Game::new(&record, start.clone());
            // A stream read twice has the same game again; a new stream counts from 1 again.
            let at = at.filter(|&at| games[at].time == record.time).unwrap_or(games.len());
            if let Some(same) = games.get_mut(at) {
                self.away.remove(&(same.key.clone(), at));
                if let Some(id) = same.start.tags.get("GameId").filter(|_| same.is_of_board()) {
                    game.start.tags.set("GameId", id);
                }
                game.revision = same.revision + 1;
                *same = game;
            } else {
                games.push(game);
            }
            set_up(&mut self.pairings, start);
            revise(&mut self.pairings, &mut games[at]);
            return Ok((at, &mut games[at]));
        }
        let Some(at) = at else {
            return Err(format!("a {} of game {}, which has not begun", record.event.kind(), record.game));
        };
        let game = &mut games[at];
        // The record that closed the game was not its last.
        let lost = |e| format!("game {} is over, and its moves could not be read again: {e}", record.game);
        bring_back(&mut self.away, game, at).map_err(lost)?;
        game.apply(record.event, record.time)?;
        revise(&mut self.pairings, game);
        Ok((at, game))
    }

    /// Sets the pairings of boards without a game, instead of the previous ones.
    pub fn set_pairings(&mut self, pairings: Vec<Game<P>>) {
        let mut before = std::mem::take(&mut self.pairings);
        let (count, mut is_news) = (before.len(), false);
        let stands = before.values().next().map(|pairing| (pairing.start.rules, pairing.start.fen.clone()));
        for mut pairing in pairings {
            let same = before.remove(&pairing.key);
            let is_other = same.as_ref().is_none_or(|same| same.start.tags != pairing.start.tags);
            pairing.revision = same.map_or(0, |same| same.revision + u64::from(is_other));
            if let Some((rules, fen)) = &stands {
                (pairing.start.rules, pairing.start.fen) = (*rules, fen.clone());
            }
            is_news |= is_other;
            self.pairings.insert(pairing.key.clone(), pairing);
        }
        self.records += u64::from(is_news || count > self.pairings.len());
    }

    /// The key of the pairing for this board; the board itself where there is none.
    pub fn table<'a>(&'a self, board: &'a Key) -> &'a Key {
        table(&self.pairings, board).map_or(board, |pairing| &pairing.key)
    }

    /// The place of a board among the others: a pairing of no line has that of its game.
    pub fn place(&self, board: &Key) -> Key {
        let awaited =
            board.0.is_none() && self.pairings.contains_key(board) && !self.boards.contains_key(board);
        let line = || self.boards.keys().find_map(|(line, _)| line.clone());
        (board.0.clone().or_else(|| awaited.then(line)?), board.1)
    }

    /// The pairings whose games have not begun.
    fn awaited(&self) -> impl Iterator<Item = &Game<P>> {
        let is_played = |pairing: &&Game<P>| {
            self.boards.iter().any(|(key, games)| {
                key.1 == pairing.key.1
                    && *self.table(key) == pairing.key
                    && games.iter().any(|game| !game.is_void())
            })
        };
        self.pairings.values().filter(move |pairing| !is_played(pairing))
    }

    /// Puts the plies of a closed game away; a later record of the game brings them back.
    pub fn put_away(
        &mut self,
        key: &Key,
        nth: usize,
        put: impl FnOnce(&[P]) -> io::Result<Box<dyn Away<P>>>,
    ) -> io::Result<()> {
        let game = self.boards.get_mut(key).and_then(|games| games.get_mut(nth));
        let Some(game) = game.filter(|game| game.is_closed() && !game.moves.is_empty()) else {
            return Ok(());
        };
        self.away.insert((key.clone(), nth), put(&game.moves)?);
        game.moves = Vec::new();
        Ok(())
    }

    /// Brings back the plies of a game.
    pub fn bring_back(&mut self, key: &Key, nth: usize) -> io::Result<()> {
        let game = self.boards.get_mut(key).and_then(|games| games.get_mut(nth));
        game.map_or(Ok(()), |game| bring_back(&mut self.away, game, nth))
    }

    /// Dresses every game again, even void ones; `dress` gets each with its index on its board. A game with other tags
    /// gets its plies back, as for a record; where they cannot be read it keeps its tags.
    pub fn dress_again(&mut self, mut dress: impl FnMut(&mut Game<P>, usize)) -> io::Result<()> {
        let (mut done, mut is_news) = (Ok(()), false);
        for (nth, game) in self.boards.values_mut().flat_map(|games| games.iter_mut().enumerate()) {
            let before = game.start.tags.clone();
            dress(game, nth);
            if game.start.tags == before {
                continue;
            }
            match bring_back(&mut self.away, game, nth) {
                Ok(()) => (game.revision, is_news) = (game.revision + 1, true),
                Err(e) => (game.start.tags, done) = (before, done.and(Err(e))),
            }
        }
        self.records += u64::from(is_news);
        done
    }

    /// The number of records and of changes of names: as long as it is the same, so are the games.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.in_order().next().is_none()
    }

    /// All games: the first of every board, or its pairing, in the order of lines and boards, then the second, …; so a
    /// game that begins later moves no other. Void games are left out, without renumbering.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, &Game<P>)> {
        let most = self.boards.values().map(Vec::len).max().unwrap_or(0);
        let all = |nth: usize| self.boards.values().filter_map(move |games| games.get(nth));
        let mut firsts: Vec<&Game<P>> = all(0).chain(self.awaited()).collect();
        if !self.pairings.is_empty() {
            firsts.sort_by_cached_key(|game| self.place(&game.key));
        }
        let firsts = firsts.into_iter().map(|game| (0, game));
        let others = (1..most).flat_map(move |nth| all(nth).map(move |game| (nth, game)));
        firsts.chain(others).filter(|(_, game)| !game.is_void())
    }
}

fn table<'a, P>(pairings: &'a BTreeMap<Key, Game<P>>, board: &Key) -> Option<&'a Game<P>> {
    pairings.get(board).or_else(|| pairings.get(&(None, board.1)))
}

/// A set-up other than chess on one board counts for all.
fn set_up<P>(pairings: &mut BTreeMap<Key, Game<P>>, start: &GameStart) {
    let other = |pairing: &&mut Game<P>| start.rules != Rules::Chess && pairing.start.rules != start.rules;
    for pairing in pairings.values_mut().filter(other) {
        (pairing.start.rules, pairing.start.fen) = (start.rules, start.fen.clone());
        pairing.revision += 1;
    }
}

/// A game and its pairing must differ in their revision, so that a change between them is detected.
fn revise<P: Kept>(pairings: &mut BTreeMap<Key, Game<P>>, game: &mut Game<P>) {
    let Some(key) = table(pairings, &game.key).map(|pairing| pairing.key.clone()) else { return };
    let Some(pairing) = pairings.get_mut(&key) else { return };
    if game.is_void() {
        pairing.revision = game.revision + 1;
    } else {
        game.revision = game.revision.max(pairing.revision + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CHESS_START, Record, parse};

    fn pairing(board: u16, white: &str) -> Game {
        let mut pairing = Game::pairing((None, Some(board)), Rules::Chess);
        pairing.start.tags.set("White", white);
        pairing
    }

    /// A record of the first game of a board on line `a`.
    fn record(board: u16, what: &str) -> GameRecord {
        let text = format!("{{\"line\":\"a\",\"board\":{board},\"game\":1,{what}}}");
        match parse(text.as_bytes()) {
            Ok(Record::Game(record)) => record,
            other => panic!("{other:?}"),
        }
    }

    fn begin(board: u16) -> GameRecord {
        record(board, &format!("\"type\":\"game\",\"rules\":\"chess\",\"fen\":\"{CHESS_START}\""))
    }

    /// Boards with White's name, `-` for a game.
    fn listed<'a>(games: &'a Games) -> Vec<(u16, &'a str)> {
        let name = |(_, game): (usize, &'a Game)| {
            let white = game.start.tags.get("White").filter(|_| game.is_pairing);
            (game.key.1.unwrap_or(0), white.unwrap_or("-"))
        };
        games.in_order().map(name).collect()
    }

    #[test]
    fn new_pairings_replace_pairings_only() {
        let mut games = Games::default();
        games.set_pairings(vec![pairing(1, "A"), pairing(2, "B"), pairing(3, "C")]);
        assert_eq!(listed(&games), [(1, "A"), (2, "B"), (3, "C")]);
        games.apply(begin(2)).unwrap();
        let (records, revision) = (games.records(), games.in_order().next().unwrap().1.revision);
        games.set_pairings(vec![pairing(1, "A"), pairing(2, "B"), pairing(3, "C")]);
        assert_eq!(games.records(), records, "nothing is new");
        // 1 has another player, 2 and 3 are gone, 4 is new.
        games.set_pairings(vec![pairing(1, "D"), pairing(4, "E")]);
        assert_eq!(listed(&games), [(1, "D"), (2, "-"), (4, "E")]);
        assert!(games.records() > records && games.in_order().next().unwrap().1.revision > revision);
    }

    #[test]
    fn pairings_and_games_differ_in_revision() {
        let mut games = Games::default();
        games.set_pairings(vec![pairing(1, "A")]);
        let first = |games: &Games| {
            let (_, game) = games.in_order().next().unwrap();
            (game.is_pairing, game.revision)
        };
        let mut seen = vec![first(&games)];
        let void = "\"type\":\"ruling\",\"void\":true";
        let withdraw = "\"type\":\"ruling\",\"withdraw\":true";
        for record in [begin(1), record(1, void), record(1, withdraw), record(1, void)] {
            games.apply(record).unwrap();
            seen.push(first(&games));
        }
        assert_eq!(seen.iter().map(|(is, _)| *is).collect::<Vec<_>>(), [true, false, true, false, true]);
        assert!(seen.is_sorted_by(|(_, before), (_, after)| before < after), "{seen:?}");
    }

    #[test]
    fn an_evaluation_is_withdrawn_with_its_move() {
        let mut games = Games::<Move>::default();
        let mv = |ply, uci| record(1, &format!(r#""type":"move","ply":{ply},"uci":"{uci}","fen":"x""#));
        let evaluation = |ply, cp| record(1, &format!(r#""type":"evaluation","ply":{ply},"cp":{cp}"#));
        let back = record(1, r#""type":"takeback","ply":1"#);
        let end = record(1, r#""type":"end","result":"*","reason":"input-end""#);
        let mut stands = |record: GameRecord| {
            let (_, game) = games.apply(record)?;
            let scores = game.evaluations.values().map(|of| (of.ply, of.score.text())).collect::<Vec<_>>();
            Ok::<_, String>((scores, game.end.is_some()))
        };
        let scores = |all: &[(u32, &str)]| all.iter().map(|(ply, text)| (*ply, (*text).into())).collect();
        stands(begin(1)).unwrap();
        assert!(stands(evaluation(1, 7)).is_err(), "of a ply that was not played");
        for ply in 1..4 {
            stands(mv(ply, "e2e4")).unwrap();
            stands(evaluation(ply, 7)).unwrap();
        }
        let all = scores(&[(1, "0.07"), (2, "-0.12"), (3, "0.07")]);
        stands(end).unwrap();
        assert_eq!(stands(evaluation(2, -12)), Ok((all, true)));
        assert_eq!(stands(mv(2, "d2d4")), Ok((scores(&[(1, "0.07"), (3, "0.07")]), false)));
        assert_eq!(stands(back), Ok((scores(&[(1, "0.07")]), false)));
        assert_eq!(stands(mv(2, "e2e4")), Ok((scores(&[(1, "0.07")]), false)));
    }
}
