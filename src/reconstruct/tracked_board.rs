//! One board that is tracked: what it says goes to its session, and its own log, when it sends that, is taken in.
//!
//! A log is heard by a session of its own if it begins with the start mark; what that session knows better then
//! replaces what was made out without it. Of a log without its beginning, what is new is heard by the session. In the same
//! way a position that disagrees replaces what was made out, if one change that was misread explains it far better.

use std::rc::Rc;

use super::{limits, log::IncomingLog, misread::Told, options::Options, session::Session, update::Update};
use crate::record::{BoardEvent, BoardPosition, BoardRecord, EndReason, GameEvent, Placement, Time};

/// See the module.
pub struct TrackedBoard {
    session: Session,
    log: Option<IncomingLog>,
    told: Told,
}

impl TrackedBoard {
    /// A board of which nothing is known.
    pub fn new(options: &Rc<Options>) -> TrackedBoard {
        TrackedBoard { session: Session::new(options), log: None, told: Told::nothing() }
    }

    /// Takes in one record of this board.
    pub fn record(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        if let Some(log) = &mut self.log {
            let belongs = log.take(record);
            if !belongs || log.is_in() {
                self.end_log(updates);
            }
            if belongs {
                return;
            }
        }
        if let BoardEvent::Position(position) = &record.event {
            self.put_right(&position.placement, record, updates);
        }
        self.session.record(record, updates);
        self.told.record(record);
        if self.session.stands_at_start() {
            self.told.begins(*self.session.stands());
        }
        if let BoardEvent::History(history) = &record.event {
            self.log = IncomingLog::announced(history);
        }
    }

    /// How the board stands.
    pub fn stands(&self) -> Placement {
        *self.session.stands()
    }

    /// How the board stands, if a game is in play on it.
    pub fn in_play(&self) -> Option<Placement> {
        let played = self.session.game.as_ref().is_some_and(|game| game.plies() > 0);
        played.then(|| self.stands())
    }

    /// Its game, if any, was none, or ends here.
    pub fn give_up(&mut self, updates: &mut Vec<Update>) {
        self.log = None;
        self.told.forget();
        self.session.close_at_once(EndReason::NewGame, updates);
    }

    /// Whether squares changed on it and nothing was ever published.
    pub fn has_changes_and_no_game(&self) -> bool {
        self.session.games == 0 && self.session.game.is_none() && self.session.last_seen.any_change()
    }

    /// The source begins anew: what was coming in will not go on.
    pub fn source_begins(&mut self, updates: &mut Vec<Update>) {
        self.end_log(updates);
        self.session.source_begins();
    }

    /// See [`Session::tick`].
    pub fn tick(&mut self, now: Option<Time>, updates: &mut Vec<Update>) {
        self.session.tick(now, updates);
    }

    /// See [`Session::deadline`].
    pub fn deadline(&self) -> Option<Time> {
        self.session.deadline()
    }

    /// The input is over.
    pub fn finish(&mut self, updates: &mut Vec<Update>) {
        self.session.end_listing(None, updates);
        self.source_begins(updates);
        self.session.close_at_once(EndReason::InputEnd, updates);
    }

    /// The log is in, or will not come in whole.
    fn end_log(&mut self, updates: &mut Vec<Update>) {
        let Some(log) = self.log.take() else { return };
        self.told.forget();
        if log.is_whole() {
            self.merge_whole(&log.records, updates);
        } else {
            for record in self.session.last_seen.unseen(&log.records) {
                self.session.record(record, updates);
            }
        }
    }

    /// The board stands otherwise than it told. If one change that was misread explains that far better than anything
    /// else, that is what happened.
    fn put_right(&mut self, stands: &Placement, record: &BoardRecord, updates: &mut Vec<Update>) {
        let Some(begin) = self.told.begin else { return };
        let instead = self.told.instead(self.session.stands(), stands);
        if instead.is_empty() {
            return;
        }
        let told = self.heard(begin, &self.told.records, record);
        let Some(game) = &told.game else { return };
        // What explains nothing is not dear yet.
        let most = game.rank() + if game.explains_position() { -limits::MISREAD } else { limits::MISREAD };
        let explained = |records: Vec<BoardRecord>| {
            let session = self.heard(begin, &records, record);
            let rank = session.game.as_ref().filter(|game| game.explains_position())?.rank();
            Some((rank, session, records))
        };
        let best = instead.into_iter().filter_map(explained).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, mut session, records)) = best.filter(|&(rank, ..)| rank < most) else {
            return;
        };
        self.told.records = records;
        self.session.adopt_board(&session);
        if let (Some(new), Some(old)) = (session.game.take(), &mut self.session.game) {
            old.continue_from(new, updates);
        }
    }

    /// A session that has heard this from the beginning of the game, and a last record.
    fn heard(&self, begin: Placement, records: &[BoardRecord], last: &BoardRecord) -> Session {
        let (mut session, mut unused) = (Session::new(&self.session.options), Vec::new());
        let event = BoardEvent::Position(BoardPosition { placement: begin, result: None });
        let time = records.first().and_then(|record| record.time);
        for record in [&BoardRecord::new(time, None, event)].into_iter().chain(records).chain([last]) {
            session.record(record, &mut unused);
        }
        session
    }

    /// A log from its start mark has everything: it replaces what was made out without it.
    fn merge_whole(&mut self, records: &[BoardRecord], updates: &mut Vec<Update>) {
        let (mut logged, mut found) = (Session::new(&self.session.options), Vec::new());
        for record in records {
            logged.record(record, &mut found);
        }
        // A log may end within a listing.
        logged.end_listing(None, &mut found);
        self.session.adopt_board(&logged);
        self.merge_closed(&mut logged, &found, updates);
        let session = &mut self.session;
        match (logged.game.take(), &mut session.game) {
            (Some(new), Some(old)) => old.continue_from(new, updates),
            // The last game over: its log knows of no rests, and cannot tell that it ended.
            (Some(new), None) if session.closed.back().is_some_and(|last| last.is_logged_as(&new.line())) => {
            }
            (Some(mut new), none) => {
                new.publish_anew(session.games + 1, updates);
                *none = Some(new);
            }
            (None, _) => {}
        }
        session.tick(records.last().and_then(|r| r.time), updates);
    }

    /// Games that the log closed, as `found` has them: those already published are skipped, the one in play is
    /// completed.
    fn merge_closed(&mut self, logged: &mut Session, found: &[Update], updates: &mut Vec<Update>) {
        let session = &mut self.session;
        let first = logged.games - logged.closed.len() as u32 + 1;
        for (number, line) in (first..).zip(std::mem::take(&mut logged.closed)) {
            if session.closed.iter().any(|closed| closed.is_logged_as(&line)) {
                continue;
            }
            let game: Vec<Update> = found.iter().filter(|update| update.game == number).cloned().collect();
            session.games += 1;
            let end = game.iter().rev().find_map(|update| match &update.event {
                GameEvent::End(end) => Some(end.clone()),
                _ => None,
            });
            match (session.game.take().filter(|game| !game.is_unpublished()), end) {
                (Some(begun), Some(end)) => begun.complete_from(&game, end, updates),
                _ => updates.extend(game.into_iter().map(|update| Update { game: session.games, ..update })),
            }
            session.remember(line);
        }
    }
}
