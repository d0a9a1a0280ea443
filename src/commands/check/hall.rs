//! A hall that is checked: its health, and the games that are made of what its boards report.

use std::{collections::HashSet, convert::Infallible, sync::Arc};

use crate::{
    health::Health,
    reconstruct::{Options, Reconstructor},
    record::{
        BoardName, BoardRecord, End, EndReason, Finding, FindingKind, GameEvent, GameRecord, Square, Stream,
        Time, Zone,
    },
};

/// While a journal is followed it is looked for news so often, in seconds of record time.
const LOOK: f64 = 5.0;

/// By which a finding is known again: kind, line, board, square.
type Name = (FindingKind, Option<Arc<str>>, Option<u16>, Option<Square>);

/// What is heard of a hall.
#[derive(Clone)]
pub enum Heard {
    /// A source begins.
    Stream(Stream),
    /// What a board reported.
    Board(BoardRecord),
    /// What was played.
    Game(GameRecord),
    /// The input tells of games itself: they are not made once more.
    GamesAreTold,
}

/// The health of a hall, and the games in it.
pub struct Hall {
    /// What is known of its health.
    pub health: Health,
    games: Option<Reconstructor>,
    /// When it was last looked at whether anything is new.
    looked: Option<Time>,
    /// What was told already.
    told: HashSet<Name>,
}

impl Hall {
    /// Nothing heard yet; with games, made by these options, or without.
    pub fn new(games: Option<Options>, zone: Zone) -> Hall {
        let health = if games.is_some() { Health::with_games() } else { Health::new() }.with_zone(zone);
        let games = games.map(Reconstructor::new);
        Hall { health, games, looked: None, told: HashSet::new() }
    }

    /// Boards that were played on without a game, where games are made.
    pub fn without_game(&self) -> Vec<BoardName> {
        self.games.as_ref().map(Reconstructor::without_game).unwrap_or_default()
    }

    /// Takes what is heard.
    pub fn hear(&mut self, heard: Heard) {
        let made = self.games_of(&heard);
        self.take(heard, made);
    }

    /// The input is over: games that begin only in a log that was cut off are games too. What is published of others because the
    /// input ended says nothing of a board's health.
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
        let news = made.iter().filter(|game| begun.contains(&of(game)) && !is_of_end(&game.event));
        news.for_each(|game| self.health.game(game));
    }

    /// The same of many: first their games are made and then their health is looked at, for a processor has no room for the code of
    /// both.
    pub fn hear_all(&mut self, heard: Vec<Heard>) {
        let made: Vec<Vec<GameRecord>> = heard.iter().map(|heard| self.games_of(heard)).collect();
        heard.into_iter().zip(made).for_each(|(heard, made)| self.take(heard, made));
    }

    /// What is made of it, where the input does not tell of games itself.
    fn games_of(&mut self, heard: &Heard) -> Vec<GameRecord> {
        let Some(games) = &mut self.games else { return Vec::new() };
        let mut made = Vec::new();
        let mut keep = |game| {
            made.push(game);
            Ok::<(), Infallible>(())
        };
        match heard {
            Heard::Board(record) => {
                let Ok(()) = games.record(record, keep);
            }
            Heard::Stream(stream) => {
                let Ok(()) = games.stream(stream, keep);
            }
            // Why a ruling cannot be held is for `reconstruct` to say.
            Heard::Game(record) if record.event.is_ruling() => {
                let Ok(_) = games.ruling(record, &mut keep);
            }
            Heard::Game(_) | Heard::GamesAreTold => self.games = None,
        }
        made
    }

    /// What it says of the health of the hall, and what is made of it.
    fn take(&mut self, heard: Heard, made: Vec<GameRecord>) {
        match heard {
            Heard::Board(record) => self.health.board(&record),
            Heard::Stream(stream) => self.health.stream(&stream),
            // One among records of boards is obeyed, and told with the games.
            Heard::Game(record) if self.games.is_none() => self.health.game(&record),
            Heard::Game(_) | Heard::GamesAreTold => {}
        }
        made.iter().for_each(|game| self.health.game(game));
    }

    /// Whether some time has passed since it was last looked for news.
    pub fn is_time_to_look(&mut self, heard: &Heard) -> bool {
        let Heard::Board(record) = heard else { return false };
        let due = match (self.looked, record.time) {
            (Some(looked), Some(now)) => !(0.0..LOOK).contains(&looked.seconds_until(now)),
            _ => true,
        };
        if due {
            self.looked = record.time;
        }
        due
    }

    /// What was not told yet.
    pub fn news(&mut self) -> Vec<Finding> {
        let (health, told) = (&self.health, &mut self.told);
        let name = |finding: &Finding| (finding.kind, finding.line.clone(), finding.board, finding.square);
        health.findings().into_iter().filter(|finding| told.insert(name(finding))).collect()
    }
}
