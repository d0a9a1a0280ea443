//! The state of one board.

use std::collections::BTreeMap;

use super::{
    clock::ClockWatch, dropouts::DropOuts, game::GameWatch, limits, link::Link, pieces::Pieces,
    silent_squares::SilentSquares,
};
pub use crate::record::BoardName as Name;
use crate::record::{
    AnomalyKind, BoardEvent, BoardRecord, GameEvent, GameRecord, Mark, MarkKind, RING, Square, Time,
};

/// The boards of a hall. Each is boxed, as it takes kilobytes and a map reserves room for more entries than it holds.
pub type Boards = BTreeMap<Name, Box<BoardHealth>>;

/// The state of a board.
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
    /// Squares that do not report pieces.
    pub dead: SilentSquares,
    /// The games on it.
    pub games: GameWatch,
    /// The firmware version.
    pub version: Option<String>,
    /// The time of the latest record.
    pub last: Option<Time>,
    /// When its pieces last moved.
    pub moved: Option<Time>,
    /// How many changes it reported.
    pub changes: u64,
    /// The number of changes before the first game and after the board was last set up or empty, as setting up is no
    /// play; and the time of the first of them.
    pub changes_without_game: (u64, Option<Time>),
    /// A clock was pressed since the pieces were last set up.
    pressed: bool,
    /// How many further records repeat changes of the board's log.
    repeats_left: u64,
}

impl BoardHealth {
    /// A source begins: a list or log that was incomplete does not continue.
    pub fn source_begins(&mut self) {
        self.pieces.end_list();
        self.repeats_left = 0;
    }

    /// Whether a game is in play.
    fn in_play(&self, now: Option<Time>) -> bool {
        let moved = self.moved.zip(now).map(|(moved, now)| moved.seconds_until(now));
        match (self.games.in_play(), self.clock.runs_on()) {
            (Some(open), Some(runs)) => open && runs,
            // A game left without a result is over at some time.
            (Some(open), None) => open && moved.is_none_or(|moved| moved <= limits::LONG_THINK_SECONDS),
            (None, Some(runs)) => runs,
            (None, None) => {
                let recently = moved.is_some_and(|moved| moved <= limits::LONG_THINK_SECONDS);
                recently && !self.pieces.is_start() && self.pieces.stands.count() > 0
            }
        }
    }

    /// Takes a record of the board or of the link to it.
    pub fn record(&mut self, record: &BoardRecord) {
        let time = record.time;
        self.last = self.last.max(time);
        self.link.settle_by(time);
        if !matches!(record.event, BoardEvent::Fault(_) | BoardEvent::Lost(_) | BoardEvent::Answers(_)) {
            self.link.responded();
        }
        if record.event.is_of_now() {
            // A recorder that was restarted may find the board without publishing a record of that.
            self.link.found(time);
        }
        if self.repeats_left > 0 {
            if record.event.is_logged() {
                self.repeats_left -= 1;
                return self.repeat_logged(&record.event);
            }
            // The log was cut short.
            self.repeats_left = 0;
            self.pieces.end_list();
        }
        if self.pieces.is_being_listed()
            && !matches!(record.event, BoardEvent::Change(_) | BoardEvent::Fault(_))
        {
            self.pieces.end_list();
        }
        match &record.event {
            BoardEvent::Board(found) => self.version.clone_from(&found.version),
            BoardEvent::Position(position) => {
                self.pieces.stand(&position.placement);
                for square in Square::all() {
                    self.drop_outs.set_piece(square, self.pieces.on(square), time);
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
                self.report_vanished(time);
            }
            BoardEvent::Clock(clock) => {
                let in_play = self.in_play(time);
                self.clock.reading(clock, time, in_play);
                if self.games.in_play().is_none() {
                    // Without game records nothing else shows that the game goes on.
                    self.clock.continues();
                }
            }
            BoardEvent::Mark(mark) => self.mark(mark, time),
            BoardEvent::History(history) => {
                self.repeats_left = history.count.min(RING as u64);
                self.pieces.list();
            }
            BoardEvent::Lost(link) => self.lost(&link.reason, time),
            BoardEvent::Found(_) => self.link.found(time),
            BoardEvent::Fault(fault) => self.link.fault(fault, time),
            BoardEvent::Answers(answers) => self.link.add_answers(answers, time),
            BoardEvent::Readings(readings) => self.link.read(readings, time),
            BoardEvent::Calibration(_) => {}
        }
    }

    fn repeat_logged(&mut self, event: &BoardEvent) {
        match event {
            BoardEvent::Change(change) => {
                self.pieces.repeat_change(change);
                if change.piece.is_some() {
                    self.dead.reports(change.square);
                }
            }
            BoardEvent::Mark(Mark { listing: true, .. }) => self.pieces.list(),
            _ => {}
        }
        if self.repeats_left == 0 {
            self.pieces.end_list();
        }
    }

    fn change(&mut self, record: &BoardRecord) {
        let BoardEvent::Change(change) = &record.event else { return };
        let time = record.time;
        if change.piece.is_some() {
            self.dead.reports(change.square);
        }
        if self.pieces.is_being_listed() {
            if change.piece.is_some() && self.pieces.stands.get(change.square).is_none() {
                return self.pieces.repeat_change(change);
            }
            self.pieces.end_list();
        }
        self.changes += 1;
        self.moved = time.or(self.moved);
        self.clock.moved(time);
        self.dead.begins(time);
        let dropped = self.pieces.change(change, self.dead.silent(), time);
        self.count_change_without_game(time);
        if self.pieces.did_not_come_down() {
            self.dead.did_not_come_down();
        }
        if let Some(journey) = self.pieces.journey()
            && self.plays(time)
        {
            self.dead.came_down(&journey, &self.pieces.stands);
        }
        self.drop_outs.set_piece(change.square, self.pieces.on(change.square), time);
        if let Some(square) = self.pieces.take_reidentified() {
            self.drop_outs.reidentify(square, self.pieces.on(square));
        }
        if let Some(dropped) = dropped {
            self.drop_outs.add(dropped, time);
        }
        self.games.compare(&self.pieces.stands, time, false, self.dead.not_reporting());
    }

    fn count_change_without_game(&mut self, time: Option<Time>) {
        if self.games.games > 0 {
            return;
        }
        let pieces = &self.pieces;
        let (changes, first) = self.changes_without_game;
        let set_up = pieces.are_known() && (pieces.is_start() || pieces.stands.count() == 0);
        self.changes_without_game = if set_up { (0, None) } else { (changes + 1, first.or(time)) };
    }

    /// The board cannot be reached any more. Without a clock only moves show whether a game is in play, and a few of
    /// them may have been tried after the last game.
    fn lost(&mut self, reason: &str, time: Option<Time>) {
        let with_clock = self.clock.is_known();
        let still = self.moved.zip(time).map_or(0.0, |(moved, time)| moved.seconds_until(time));
        let begun = self.games.in_play() != Some(true) || self.games.plies() >= limits::PLAYED_ON_PLIES;
        let in_play = self.in_play(time) && (with_clock || still <= limits::PUT_AWAY_SECONDS && begun);
        self.link.lost(reason, time, in_play, with_clock);
    }

    /// Whether players move its pieces, as far as known.
    fn plays(&self, time: Option<Time>) -> bool {
        self.clock.runs().unwrap_or_else(|| self.in_play(time)) && !self.is_analysis()
    }

    /// Whether the game is over and the players analyse it.
    fn is_analysis(&self) -> bool {
        self.games.analysis.is_analysis(self.clock.is_known())
    }

    /// Passes pieces that vanished on to the search for dead squares.
    fn report_vanished(&mut self, time: Option<Time>) {
        let plays = self.plays(time);
        let vanished = self.pieces.vanished(time);
        for piece in vanished.iter().filter(|_| plays) {
            self.dead.vanished(piece, &self.pieces.stands);
        }
    }

    fn rests(&mut self, time: Option<Time>) {
        self.report_vanished(time);
        if self.pieces.is_start() {
            self.dead.set_up(std::mem::take(&mut self.pressed), time);
            self.clock.another_begins();
        }
        if self.pieces.are_known() {
            self.dead.stands(self.pieces.stands.occupied());
            self.dead.rests(&self.pieces.stands, time);
            self.games.compare(&self.pieces.stands, time, true, self.dead.not_reporting());
            self.explained();
        }
    }

    /// Pieces that the game explains did not vanish.
    fn explained(&mut self) {
        if let Some(since) = self.games.explains(&self.pieces.stands) {
            self.pieces.explained(since);
            self.dead.explained(since);
        }
    }

    fn mark(&mut self, mark: &Mark, time: Option<Time>) {
        // The first power-up that a board reports happened before the recording.
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
                    // The board reported all these pieces, though no rest in this position may have been recorded.
                    self.dead.stands(stands.occupied());
                }
            }
        }
    }

    /// Takes a record of a game on it.
    pub fn game(&mut self, record: &GameRecord) {
        // An evaluation by an engine concerns no board.
        if !self.games.is_of_last_game(record) || matches!(record.event, GameEvent::Evaluation(_)) {
            return;
        }
        let stands = self.pieces.are_known().then_some(&self.pieces.stands);
        let plies = self.games.plies();
        self.games.record(record, stands, self.dead.not_reporting(), &self.clock);
        match &record.event {
            GameEvent::Move(_) => {
                self.link.played(self.games.plies(), record.time);
                if let Some(stands) = stands {
                    self.clock.played(record.time);
                    if !self.is_analysis() {
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
            GameEvent::Takeback(_) if plies >= self.games.plies() + limits::ANALYSIS_TAKEBACK_PLIES => {
                self.dead.withdraw_plies()
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
