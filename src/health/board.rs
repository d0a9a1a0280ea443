//! All that is known of one board.

use std::collections::BTreeMap;

use super::{
    clock::ClockWatch, dropouts::DropOuts, game::GameWatch, lately::SilentSquares, limits, link::Link,
    pieces::Pieces,
};
pub use crate::record::BoardName as Name;
use crate::record::{
    AnomalyKind, BoardEvent, BoardRecord, GameEvent, GameRecord, Mark, MarkKind, RING, Square, Time,
};

/// The boards of a hall, each in a box: a map keeps room for more than it holds, and of these each takes kilobytes.
pub type Boards = BTreeMap<Name, Box<BoardHealth>>;

/// A board's health.
#[derive(Debug, Clone, Default)]
pub struct BoardHealth {
    /// The link to it.
    pub link: Link,
    /// Its clock.
    pub clock: ClockWatch,
    /// Its pieces.
    pub pieces: Pieces,
    /// Pieces that drop out.
    pub drop_outs: DropOuts,
    /// Squares that say nothing.
    pub dead: SilentSquares,
    /// The games on it.
    pub games: GameWatch,
    /// Firmware.
    pub version: Option<String>,
    /// When anything was told of it.
    pub last: Option<Time>,
    /// When its pieces last moved, and how often they did.
    pub moved: Option<Time>,
    /// How many changes there were.
    pub changes: u64,
    /// As long as no game was told of: how many there were since it stood at a start or without a piece, for who sets up plays
    /// none, and when the first was.
    pub untold: (u64, Option<Time>),
    /// A clock was pressed since the pieces were set up last.
    pressed: bool,
    /// So many records tell again what was told.
    told_again: u64,
}

impl BoardHealth {
    /// A source begins: a list or a log that was coming in does not go on.
    pub fn source_begins(&mut self) {
        self.pieces.end_list();
        self.told_again = 0;
    }

    /// Whether a game is in play.
    fn in_play(&self, now: Option<Time>) -> bool {
        let moved = self.moved.zip(now).map(|(moved, now)| moved.seconds_until(now));
        match (self.games.in_play(), self.clock.runs_on()) {
            (Some(open), Some(runs)) => open && runs,
            // One that was left without a result is over at some time.
            (Some(open), None) => open && moved.is_none_or(|moved| moved <= limits::IN_PLAY),
            (None, Some(runs)) => runs,
            (None, None) => {
                let lately = moved.is_some_and(|moved| moved <= limits::IN_PLAY);
                lately && !self.pieces.is_start() && self.pieces.stands.count() > 0
            }
        }
    }

    /// A record of the board, or of the link to it.
    pub fn record(&mut self, record: &BoardRecord) {
        let time = record.time;
        self.last = self.last.max(time);
        self.link.settle_by(time);
        if !matches!(record.event, BoardEvent::Fault(_) | BoardEvent::Lost(_) | BoardEvent::Answers(_)) {
            self.link.speaks();
        }
        if record.event.is_of_now() {
            // A recorder that was started again need not say that it found the board.
            self.link.found(time);
        }
        if self.told_again > 0 {
            if record.event.is_logged() {
                self.told_again -= 1;
                return self.tell_again(&record.event);
            }
            // It was cut short.
            self.told_again = 0;
            self.pieces.end_list();
        }
        if self.pieces.are_listed() && !matches!(record.event, BoardEvent::Change(_) | BoardEvent::Fault(_)) {
            self.pieces.end_list();
        }
        match &record.event {
            BoardEvent::Board(found) => self.version.clone_from(&found.version),
            BoardEvent::Position(position) => {
                self.pieces.stand(&position.placement);
                for square in Square::all() {
                    self.drop_outs.look(square, self.pieces.on(square), time);
                }
                self.rests(time);
            }
            BoardEvent::Change(_) => self.change(record),
            BoardEvent::Quiet {} => {
                self.pieces.rest(time);
                self.rests(time);
            }
            BoardEvent::Press(press) => {
                self.clock.press(press.seconds, time);
                self.games.press(time);
                self.pieces.press(press.side, time);
                self.dead.press();
                self.pressed = true;
                self.vanished(time);
            }
            BoardEvent::Clock(clock) => {
                let in_play = self.in_play(time);
                self.clock.reading(clock, time, in_play);
                if self.games.in_play().is_none() {
                    // No moves are told that would say so.
                    self.clock.goes_on();
                }
            }
            BoardEvent::Mark(mark) => self.mark(mark, time),
            BoardEvent::History(history) => {
                self.told_again = history.count.min(RING as u64);
                self.pieces.list();
            }
            BoardEvent::Lost(link) => self.lost(&link.reason, time),
            BoardEvent::Found(_) => self.link.found(time),
            BoardEvent::Fault(fault) => self.link.fault(fault, time),
            BoardEvent::Answers(answers) => self.link.told(answers, time),
        }
    }

    fn tell_again(&mut self, event: &BoardEvent) {
        match event {
            BoardEvent::Change(change) => {
                self.pieces.told_again(change);
                if change.piece.is_some() {
                    self.dead.speaks(change.square);
                }
            }
            BoardEvent::Mark(Mark { listing: true, .. }) => self.pieces.list(),
            _ => {}
        }
        if self.told_again == 0 {
            self.pieces.end_list();
        }
    }

    fn change(&mut self, record: &BoardRecord) {
        let BoardEvent::Change(change) = &record.event else { return };
        let time = record.time;
        if change.piece.is_some() {
            self.dead.speaks(change.square);
        }
        if self.pieces.are_listed() {
            if change.piece.is_some() && self.pieces.stands.get(change.square).is_none() {
                return self.pieces.told_again(change);
            }
            self.pieces.end_list();
        }
        self.changes += 1;
        self.moved = time.or(self.moved);
        self.clock.moved(time);
        self.dead.begins(time);
        let dropped = self.pieces.change(change, self.dead.silent(), time);
        self.count_untold(time);
        if self.pieces.did_not_come_down() {
            self.dead.did_not_come_down();
        }
        if let Some(journey) = self.pieces.journey()
            && self.plays(time)
        {
            self.dead.came_down(&journey, &self.pieces.stands);
        }
        self.drop_outs.look(change.square, self.pieces.on(change.square), time);
        if let Some(square) = self.pieces.known_anew() {
            self.drop_outs.is_another(square, self.pieces.on(square));
        }
        if let Some(dropped) = dropped {
            self.drop_outs.add(dropped, time);
        }
        self.games.look(&self.pieces.stands, time, false, self.dead.unheard());
    }

    fn count_untold(&mut self, time: Option<Time>) {
        if self.games.games > 0 {
            return;
        }
        let pieces = &self.pieces;
        let (changes, first) = self.untold;
        let set_up = pieces.are_known() && (pieces.is_start() || pieces.stands.count() == 0);
        self.untold = if set_up { (0, None) } else { (changes + 1, first.or(time)) };
    }

    /// It cannot be reached any more. Without a clock nothing but its moves says whether a game is in play: a few may have been
    /// tried behind the last.
    fn lost(&mut self, reason: &str, time: Option<Time>) {
        let with_clock = self.clock.is_known();
        let still = self.moved.zip(time).map_or(0.0, |(moved, time)| moved.seconds_until(time));
        let begun = self.games.in_play() != Some(true) || self.games.plies() >= limits::RESET_PLAYED_ON;
        let in_play = self.in_play(time) && (with_clock || still <= limits::STILL && begun);
        self.link.lost(reason, time, in_play, with_clock);
    }

    /// Whether its pieces are moved by players, as far as anything says so.
    fn plays(&self, time: Option<Time>) -> bool {
        self.clock.runs().unwrap_or_else(|| self.in_play(time)) && !self.is_looked_at()
    }

    /// Whether the game is over, and they only look at it.
    fn is_looked_at(&self) -> bool {
        self.games.looked_at.is_so(self.clock.is_known())
    }

    /// Looks for pieces that vanished.
    fn vanished(&mut self, time: Option<Time>) {
        let plays = self.plays(time);
        let vanished = self.pieces.vanished(time);
        for piece in vanished.iter().filter(|_| plays) {
            self.dead.vanished(piece, &self.pieces.stands);
        }
    }

    fn rests(&mut self, time: Option<Time>) {
        self.vanished(time);
        if self.pieces.is_start() {
            self.dead.set_up(std::mem::take(&mut self.pressed), time);
            self.clock.another_begins();
        }
        if self.pieces.are_known() {
            self.dead.stands(self.pieces.stands.occupied());
            self.dead.rests(&self.pieces.stands, time);
            self.games.look(&self.pieces.stands, time, true, self.dead.unheard());
            self.explained();
        }
    }

    /// What the game explains vanished rightly.
    fn explained(&mut self) {
        if let Some(since) = self.games.explains(&self.pieces.stands) {
            self.pieces.explained(since);
            self.dead.explained(since);
        }
    }

    fn mark(&mut self, mark: &Mark, time: Option<Time>) {
        // What a board says first is that it was switched on, before anybody looked.
        let known = self.pieces.are_known();
        if mark.listing {
            self.pieces.list();
        }
        match mark.mark {
            MarkKind::PowerUp | MarkKind::Watchdog => {
                let in_play = self.in_play(time);
                if known || in_play {
                    let plies = (self.games.in_play() == Some(true)).then(|| self.games.plies());
                    self.link.reset(time, in_play, plies, self.clock.is_known());
                }
            }
            kind => {
                if let Some(stands) = kind.stands().filter(|_| !mark.listing) {
                    self.pieces.stand(&stands);
                    // The board has seen all of it, though nobody may have heard it rest so.
                    self.dead.stands(stands.occupied());
                }
            }
        }
    }

    /// A record of a game on it.
    pub fn game(&mut self, record: &GameRecord) {
        // What an engine thinks of a position is no news of its board.
        if !self.games.is_of_the_last(record) || matches!(record.event, GameEvent::Evaluation(_)) {
            return;
        }
        let stands = self.pieces.are_known().then_some(&self.pieces.stands);
        let plies = self.games.plies();
        self.games.record(record, stands, self.dead.unheard(), &self.clock);
        match &record.event {
            GameEvent::Move(_) => {
                self.link.played(self.games.plies(), record.time);
                if let Some(stands) = stands {
                    self.clock.played(record.time);
                    if !self.is_looked_at() {
                        self.dead.played(self.games.expected(), stands.occupied(), record.time);
                    }
                }
            }
            GameEvent::End(_) => {
                self.clock.game_is_over();
                self.link.game_is_over(record.time);
            }
            GameEvent::Game(_) => {
                self.dead.is_illegal(None);
                self.link.game_is_over(None);
                self.clock.another_begins();
            }
            GameEvent::Takeback(_) if plies >= self.games.plies() + limits::WENT_BACK => {
                self.dead.went_back()
            }
            GameEvent::Anomaly(anomaly) if anomaly.kind == AnomalyKind::Illegal => {
                self.dead.is_illegal(Some(self.games.missing(stands)));
            }
            _ => {}
        }
        if self.pieces.are_known() {
            self.explained();
        }
    }
}
