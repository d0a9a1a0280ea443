//! A hall that is checked: its health, and the games reconstructed from what its boards report.

use std::{collections::HashSet, convert::Infallible, sync::Arc};

use crate::{
    health::Health,
    reconstruct::{Options, Reconstructor},
    record::{
        BoardName, BoardRecord, End, EndReason, Finding, FindingKind, GameEvent, GameRecord, Square, Stream,
        Time, Zone,
    },
};

/// The interval of checks for new findings while a journal is followed, in seconds of record time.
const CHECK_SECONDS: f64 = 5.0;

/// The identity of a finding: kind, line, board, square.
type Name = (FindingKind, Option<Arc<str>>, Option<u16>, Option<Square>);

/// An item of the input.
#[derive(Clone)]
pub enum Item {
    /// A source begins.
    Stream(Stream),
    /// A record of a board.
    Board(BoardRecord),
    /// A record of a game.
    Game(GameRecord),
    /// The input has games of its own: none are reconstructed.
    HasGames,
}

/// The health of a hall, and the games in it.
pub struct Hall {
    /// The health of its boards and lines.
    pub health: Health,
    games: Option<Reconstructor>,
    /// The record time of the last check for new findings.
    last_check: Option<Time>,
    /// The findings that were reported.
    reported: HashSet<Name>,
}

impl Hall {
    /// Nothing read yet. `games` are the options by which games are reconstructed; none for no games.
    pub fn new(games: Option<Options>, zone: Zone) -> Hall {
        let health = if games.is_some() { Health::with_games() } else { Health::new() }.with_zone(zone);
        let games = games.map(Reconstructor::new);
        Hall { health, games, last_check: None, reported: HashSet::new() }
    }

    /// Boards that were played on without a game, where games are reconstructed.
    pub fn without_game(&self) -> Vec<BoardName> {
        self.games.as_ref().map(Reconstructor::without_game).unwrap_or_default()
    }

    /// Adds an item of the input.
    pub fn add(&mut self, item: Item) {
        let made = self.games_of(&item);
        self.take(item, made);
    }

    /// Ends the input: games that begin only in a log that was cut off count too. Records that are published only
    /// because the input ended do not count for a board's health.
    pub fn finish(&mut self) {
        let Some(games) = &mut self.games else { return };
        let mut made = Vec::new();
        let Ok(()) = games.finish(|game| {
            made.push(game);
            Ok::<(), Infallible>(())
        });
        let of = |game: &GameRecord| (game.line.clone(), game.board);
        let begun: HashSet<BoardName> =
            made.iter().filter(|game| matches!(game.event, GameEvent::Game(_))).map(of).collect();
        let is_of_end =
            |event: &GameEvent| matches!(event, GameEvent::End(End { reason: EndReason::InputEnd, .. }));
        let counted = made.iter().filter(|game| begun.contains(&of(game)) && !is_of_end(&game.event));
        counted.for_each(|game| self.health.game(game));
    }

    /// Adds several items: reconstructs games from all of them first and updates the health afterwards, because the
    /// code of both together does not fit into the processor's cache.
    pub fn add_all(&mut self, items: Vec<Item>) {
        let made: Vec<Vec<GameRecord>> = items.iter().map(|item| self.games_of(item)).collect();
        items.into_iter().zip(made).for_each(|(item, made)| self.take(item, made));
    }

    /// The games reconstructed from an item, where the input has none of its own.
    fn games_of(&mut self, item: &Item) -> Vec<GameRecord> {
        let Some(games) = &mut self.games else { return Vec::new() };
        let mut made = Vec::new();
        let mut keep = |game| {
            made.push(game);
            Ok::<(), Infallible>(())
        };
        match item {
            Item::Board(record) => {
                let Ok(()) = games.record(record, keep);
            }
            Item::Stream(stream) => {
                let Ok(()) = games.stream(stream, keep);
            }
            // `reconstruct` reports why a ruling does not hold.
            Item::Game(record) if record.event.is_ruling() => {
                let Ok(_) = games.ruling(record, &mut keep);
            }
            Item::Game(_) | Item::HasGames => self.games = None,
        }
        made
    }

    /// Updates the health with an item, and with the games reconstructed from it.
    fn take(&mut self, item: Item, made: Vec<GameRecord>) {
        match item {
            Item::Board(record) => self.health.board(&record),
            Item::Stream(stream) => self.health.stream(&stream),
            // A ruling among records of boards is followed by the reconstruction, and published with its games.
            Item::Game(record) if self.games.is_none() => self.health.game(&record),
            Item::Game(_) | Item::HasGames => {}
        }
        made.iter().for_each(|game| self.health.game(game));
    }

    /// Whether the next check for new findings is due.
    pub fn is_due(&mut self, item: &Item) -> bool {
        let Item::Board(record) = item else { return false };
        let due = match (self.last_check, record.time) {
            (Some(last_check), Some(now)) => !(0.0..CHECK_SECONDS).contains(&last_check.seconds_until(now)),
            _ => true,
        };
        if due {
            self.last_check = record.time;
        }
        due
    }

    /// The findings that were not reported yet.
    pub fn new_findings(&mut self) -> Vec<Finding> {
        let (health, reported) = (&self.health, &mut self.reported);
        let name = |finding: &Finding| (finding.kind, finding.line.clone(), finding.board, finding.square);
        health.findings().into_iter().filter(|finding| reported.insert(name(finding))).collect()
    }
}
