//! One board that is tracked: what it says goes to its session, and its own log, when it sends that, is taken in.
//!
//! A log is heard by a session of its own if it begins with the start mark; what that session knows better then
//! replaces what was made out without it. Of a log without its beginning, what is new is heard by the session. In the same
//! way a position that disagrees replaces what was made out, if one change that was misread explains it far better.

use std::{cmp::Ordering, rc::Rc};

use super::{
    any_game::AnyGame,
    game_line::GameLine,
    limits,
    log::{self, IncomingLog},
    misread::{Misread, Told},
    options::Options,
    retold,
    rulings::{GameRulings, Rulings},
    session::Session,
    shown_result::ShownResult,
    start,
    update::Update,
};
use crate::record::{
    BoardEvent, BoardPosition, BoardRecord, End, EndReason, GameEvent, GameStart, Placement, Ruled, Ruling,
    Takeback, TakebackReason, Time,
};

/// Why a ruling cannot be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The game is closed, and what its board said is not here any more.
    Closed,
    /// Not all that its board said of the game is known.
    Incomplete,
    /// No explanation of what the board said comes to a position in which that could be played.
    Impossible,
    /// The game has no such ply.
    NoPly,
    /// There is no such game.
    NoGame,
}

/// See the module.
pub struct TrackedBoard {
    session: Session,
    log: Option<IncomingLog>,
    told: Told,
    /// The end of the last game, while the kings that show its result may be put otherwise.
    shown: ShownResult,
    /// Rulings that turned out to hold for nothing: the game of each, and why.
    refused: Vec<(u32, Rc<Ruling>, Refused)>,
}

impl TrackedBoard {
    /// A board of which nothing is known.
    pub fn new(options: &Rc<Options>) -> TrackedBoard {
        TrackedBoard {
            session: Session::new(options),
            log: None,
            told: Told::nothing(),
            shown: ShownResult::default(),
            refused: Vec::new(),
        }
    }

    /// Takes in one record of this board.
    pub fn record(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let from = updates.len();
        self.hear(record, updates);
        self.shown.pass(record.time, self.session.stands(), updates, from);
    }

    fn hear(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
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
        self.refuse_what_cannot_be(updates);
        if self.session.stands_at_start() {
            let stands = *self.session.stands();
            self.told.begins(stands, start::meant(&stands, &self.session.options));
        } else {
            self.look_for_put_right(record, updates);
            self.look_for_unseen(record, updates);
        }
        if let BoardEvent::History(history) = &record.event {
            self.log = IncomingLog::announced(history);
        }
    }

    /// An arbiter ruled, of a game that is to come, in play or closed.
    pub fn rule(
        &mut self,
        number: u32,
        ruling: &Ruling,
        time: Option<Time>,
        updates: &mut Vec<Update>,
    ) -> Result<(), Refused> {
        self.shown.release(updates);
        let before = self.session.rulings.clone();
        let was_void = before.is_void(number);
        // Of a game in play it holds from now on, whatever the arbiter's clock says.
        let time = if self.session.now().is_some() {
            time.min(self.session.now()).or(self.session.now())
        } else {
            time
        };
        self.session.rulings.add(number, ruling, time);
        let ruled = match number.cmp(&(self.session.games + 1)) {
            Ordering::Less => self.rule_closed(number, ruling, was_void, time, updates),
            Ordering::Equal if self.session.game.is_some() => self.rule_in_play(ruling, was_void, updates),
            Ordering::Equal | Ordering::Greater => Ok(()),
        };
        if ruled.is_err() {
            self.session.rulings = before;
        }
        ruled
    }

    /// Of a closed game nothing is left to reconstruct; of the last one its end is known until the next begins.
    fn rule_closed(
        &mut self,
        game: u32,
        ruling: &Ruling,
        was_void: bool,
        time: Option<Time>,
        updates: &mut Vec<Update>,
    ) -> Result<(), Refused> {
        let is_last = game == self.session.games && ruling.ply.is_none();
        let shown = if is_last { self.session.last_is_ruled() } else { None };
        let end = match (&ruling.ruled, shown) {
            (Ruled::Void, _) => None,
            (&Ruled::Result { result, forfeit }, shown) if !was_void || shown.is_some() => {
                Some(GameEvent::End(GameRulings::ended(result, forfeit)))
            }
            (Ruled::Withdraw, Some(shown)) => Some(GameEvent::End(shown)),
            _ => return Err(Refused::Closed),
        };
        let events = [GameEvent::Ruling(Box::new(ruling.clone()))].into_iter().chain(end);
        updates.extend(events.map(|event| Update { game, time, event }));
        Ok(())
    }

    /// Reconstructs the game in play anew, and tells what is otherwise.
    fn rule_in_play(
        &mut self,
        ruling: &Ruling,
        was_void: bool,
        updates: &mut Vec<Update>,
    ) -> Result<(), Refused> {
        let Some(game) = &self.session.game else { return Ok(()) };
        let (number, now) = (self.session.games + 1, self.session.now());
        if ruling.ruled == Ruled::Void {
            if !was_void && !game.is_unpublished() {
                let end = End::BY_THE_NEXT;
                let said = [
                    GameEvent::Takeback(Takeback::to(0, TakebackReason::Ruled)),
                    GameEvent::End(end),
                    GameEvent::Ruling(Box::new(ruling.clone())),
                ];
                updates.extend(said.map(|event| Update { game: number, time: now, event }));
            }
            return Ok(());
        }
        self.reconstruct_anew(was_void, ruling.ply, updates)
    }

    /// Reconstructs the game in play by what is ruled now, and tells what is otherwise; it has to come to this ply if it did.
    fn reconstruct_anew(
        &mut self,
        was_void: bool,
        ply: Option<u32>,
        updates: &mut Vec<Update>,
    ) -> Result<(), Refused> {
        let Some(game) = &self.session.game else { return Ok(()) };
        let (number, now) = (self.session.games + 1, self.session.now());
        let begun = !was_void && !game.is_unpublished();
        let moves = if was_void { Vec::new() } else { game.told() };
        let begin = self.told.begin.ok_or(Refused::Incomplete)?;
        let mut found = Vec::new();
        let mut session = self.heard(begin, self.told.records(), None, &mut found);
        let reaches = |session: &Session, ply| session.game.as_ref().is_none_or(|game| game.plies() >= ply);
        if ply.is_some_and(|ply| reaches(&self.session, ply) && !reaches(&session, ply)) {
            return Err(Refused::Impossible);
        }
        session.tick(now, &mut found);
        session.end_if_ruled(now, &mut found);
        let of_game = found.iter().filter(|update| update.game == number);
        if begun && beginning(of_game).is_some_and(|start| !game.begins_from(start)) {
            return Err(Refused::Incomplete);
        }
        let told = retold::Told { game: number, begun, moves };
        told.put_right(now, &found, updates);
        updates.extend(found.into_iter().filter(|update| update.game > number));
        let mut closed = std::mem::take(&mut self.session.closed);
        closed.append(&mut session.closed);
        session.closed = closed;
        self.session = session;
        Ok(())
    }

    /// Takes back what was ruled of the game in play before its moves were known, and no explanation comes to.
    fn refuse_what_cannot_be(&mut self, updates: &mut Vec<Update>) {
        while let Some(ply) = self.session.game.as_mut().and_then(AnyGame::take_impossible) {
            let number = self.session.games + 1;
            let Some(ruling) = self.session.rulings.refuse(number, ply) else { return };
            self.refused.push((number, ruling, Refused::Impossible));
            // Where not all is known that the board said, the game goes on from here as well as it can.
            let _ = self.reconstruct_anew(false, None, updates);
        }
    }

    /// The rulings that turned out to hold for nothing since this was last asked: the game of each, and why.
    pub fn take_refused(&mut self) -> impl Iterator<Item = (u32, Rc<Ruling>, Refused)> {
        let beyond = self.session.beyond.drain(..).map(|(game, ruling)| (game, ruling, Refused::NoPly));
        self.refused.drain(..).chain(beyond)
    }

    /// What arbiters ruled of its games.
    pub fn rulings(&self) -> &Rulings {
        &self.session.rulings
    }

    /// How the board stands.
    pub fn stands(&self) -> Placement {
        *self.session.stands()
    }

    /// Whether moves that were missed do not lead there from what stands.
    pub fn stands_far_from(&self, stands: &Placement) -> bool {
        self.stands().differing(stands).count() > limits::EXCHANGED
    }

    /// See [`Session::settles`].
    pub fn settles(&self, record: &BoardRecord) -> Option<(Placement, bool)> {
        self.session.settles(&record.event).filter(|_| self.log.is_none())
    }

    /// Whether a game is in play on it.
    pub fn is_in_play(&self) -> bool {
        self.session.game.as_ref().is_some_and(|game| game.plies() > 0)
    }

    /// See [`Session::goes_on_from`].
    pub fn goes_on_from(&self, stands: &Placement) -> Option<bool> {
        self.session.goes_on_from(stands)
    }

    /// Its game goes on on another board, on which this stands.
    pub fn go_on(&mut self, stands: Placement, time: Option<Time>, updates: &mut Vec<Update>) {
        self.log = None;
        self.session.go_on(&stands, time, updates);
        let event = BoardEvent::Position(BoardPosition { placement: stands, result: None });
        self.told.record(&BoardRecord::new(time, None, event));
    }

    /// Its game, if any, ends here. What was played of it behind this moment, and never pressed, was how the pieces of another
    /// game were set up.
    pub fn give_up(&mut self, since: Option<Time>, updates: &mut Vec<Update>) {
        self.shown.release(updates);
        self.log = None;
        self.told.forget();
        let is_set_up =
            |game: &AnyGame| !game.was_pressed() && since.is_some_and(|since| game.moved_behind(since));
        if self.session.game.as_ref().is_some_and(is_set_up) {
            self.session.take_all_back(TakebackReason::SetUp, updates);
        } else {
            self.session.close_at_once(EndReason::NewGame, updates);
        }
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
        let from = updates.len();
        self.session.tick(now, updates);
        self.shown.pass(now, self.session.stands(), updates, from);
    }

    /// See [`Session::deadline`].
    pub fn deadline(&self) -> Option<Time> {
        [self.session.deadline(), self.shown.deadline()].into_iter().flatten().min()
    }

    /// The input is over.
    pub fn finish(&mut self, updates: &mut Vec<Update>) {
        self.shown.release(updates);
        self.session.end_listing(None, updates);
        self.source_begins(updates);
        self.session.close_at_once(EndReason::InputEnd, updates);
        let of_none = self.session.rulings.after(self.session.games);
        self.refused.extend(of_none.map(|(game, ruling)| (game, ruling.clone(), Refused::NoGame)));
    }

    /// The log is in, or will not come in whole.
    fn end_log(&mut self, updates: &mut Vec<Update>) {
        let Some(log) = self.log.take() else { return };
        self.told.forget();
        if log.is_whole() && !self.is_listed_wrong(&log.records) {
            self.merge_whole(&log.records, updates);
        } else {
            for record in self.session.last_seen.unseen(&log.records) {
                self.session.record(record, updates);
            }
        }
    }

    /// Whether a log begins from pieces from which no game does, and nearly from those of the game in play: it was misread, and
    /// is no other game.
    fn is_listed_wrong(&self, records: &[BoardRecord]) -> bool {
        let Some(game) = self.session.game.as_ref().filter(|game| !game.is_unpublished()) else {
            return false;
        };
        let Some(begin) = Placement::of_fen(&game.beginning().fen) else { return false };
        let listed = log::listed(records);
        let near = begin.differing(&listed).count().min(begin.differing(&listed.turned()).count());
        (1..=limits::LISTED_WRONG).contains(&near)
            && start::standing(&listed, true, &self.session.options).is_none()
    }

    /// The board stands otherwise than it told. If one change that was misread explains that far better than anything
    /// else, that is what happened.
    fn put_right(&mut self, stands: &Placement, record: &BoardRecord, updates: &mut Vec<Update>) {
        let Some(begin) = self.told.begin else { return };
        let instead = self.told.instead(self.session.stands(), stands);
        if instead.is_empty() {
            return;
        }
        let told = self.heard(begin, self.told.records(), Some(record), &mut Vec::new());
        let Some(game) = &told.game else { return };
        // What explains nothing is not dear yet.
        let most = game.rank() + if game.explains_position() { -limits::MISREAD } else { limits::MISREAD };
        let explained = |misread: Misread| {
            let records = self.told.records_with(&misread);
            let session = self.heard(begin, records, Some(record), &mut Vec::new());
            let rank = session.game.as_ref().filter(|game| game.explains_position())?.rank();
            Some((rank, session, misread))
        };
        let best = instead.into_iter().filter_map(explained).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, mut session, misread)) = best.filter(|&(rank, ..)| rank < most) else {
            return;
        };
        if session.game.as_ref().is_some_and(|new| self.session.has_told_otherwise(new.beginning())) {
            return;
        }
        self.told.put_right(&misread);
        self.session.adopt_board(&session);
        if let (Some(new), Some(_)) = (session.game.take(), &self.session.game) {
            self.session.go_on_with(new, updates);
        }
    }

    /// Pieces that stood exchanged when the game began are put right: it is told anew, from where they should have stood.
    fn look_for_put_right(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let comes =
            matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_) | BoardEvent::Quiet {});
        let (Some(begin), Some(meant)) = (self.told.begin, self.told.meant) else { return };
        let stands = self.session.stands();
        if !comes || begin.differing(&meant).any(|square| stands.get(square) != meant.get(square)) {
            return;
        }
        if explains(&self.session) {
            return;
        }
        let Some(told) = self.told.as_meant() else { return };
        let session = self.heard(meant, told.records(), None, &mut Vec::new());
        if self.is_explained_by(&session) {
            self.told = told;
            self.go_on_otherwise(session, updates);
        }
    }

    /// Pieces that were missing from the start stand unseen, or came late: the game is reconstructed again from the whole start, where that
    /// explains what nothing else does.
    fn look_for_unseen(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let rests = matches!(record.event, BoardEvent::Position(_) | BoardEvent::Quiet {});
        let Some(begin) = self.told.begin.filter(|_| rests && self.session.may_stand_unseen()) else {
            return;
        };
        if !self.told.may_be_tried() {
            return;
        }
        let session = self.session.anew(self.session.games).with_unseen();
        let session = heard_by(session, begin, self.told.records(), None, &mut Vec::new());
        if self.is_explained_by(&session) {
            self.go_on_otherwise(session, updates);
        }
    }

    /// Whether another session explains what stands, and better than this, by the same game.
    fn is_explained_by(&self, other: &Session) -> bool {
        let plies = |session: &Session| session.game.as_ref().map_or(0, AnyGame::plies);
        let dear = |session: &Session| session.game.as_ref().map_or(f32::INFINITY, AnyGame::rank);
        // What is set up for the next game explains none of this.
        let is_this =
            other.games == self.session.games && plies(other) + limits::BARELY_BEGUN >= plies(&self.session);
        explains(other) && is_this && dear(other) < dear(&self.session)
    }

    /// The game in play is that of another session: what was published of it is withdrawn.
    fn go_on_otherwise(&mut self, mut session: Session, updates: &mut Vec<Update>) {
        self.session.take_all_back(TakebackReason::Corrected, updates);
        self.session.adopt_board(&session);
        if let Some(new) = session.game.take() {
            self.session.go_on_with(new, updates);
        }
    }

    /// A session that has heard this from the beginning of the game, and a last record.
    fn heard(
        &self,
        begin: Placement,
        records: impl Iterator<Item = BoardRecord>,
        last: Option<&BoardRecord>,
        found: &mut Vec<Update>,
    ) -> Session {
        heard_by(self.session.anew(self.session.games), begin, records, last, found)
    }

    /// A log from its start mark has everything: it replaces what was made out without it.
    fn merge_whole(&mut self, records: &[BoardRecord], updates: &mut Vec<Update>) {
        let (mut logged, mut found) = self.logged(records, 0);
        // Rulings name games by their numbers: the last one of the log is the one in play.
        if let Some(first) = self.session.games.checked_sub(logged.games).filter(|&first| first > 0) {
            (logged, found) = self.logged(records, first);
        }
        self.session.adopt_board(&logged);
        self.merge_closed(&mut logged, &found, updates);
        let session = &mut self.session;
        // The last game over: its log knows of no rests, and cannot tell that it ended.
        let is_over = |line: GameLine| session.closed.back().is_some_and(|last| last.is_logged_as(&line));
        match logged.game.take() {
            Some(new) if session.game.is_none() && is_over(new.line()) => {}
            Some(new) => session.go_on_with(new, updates),
            None => {}
        }
        session.tick(records.last().and_then(|r| r.time), updates);
    }

    /// A session that has heard a log of games after the first so many.
    fn logged(&self, records: &[BoardRecord], games: u32) -> (Session, Vec<Update>) {
        let heard = |mut logged: Session| {
            let mut found = Vec::new();
            for record in records {
                logged.record(record, &mut found);
            }
            // A log may end within a listing.
            logged.end_listing(None, &mut found);
            (logged, found)
        };
        let (logged, found) = heard(self.session.anew(games));
        if logged.may_stand_unseen() {
            let unseen = heard(self.session.anew(games).with_unseen());
            if explains(&unseen.0) {
                return unseen;
            }
        }
        (logged, found)
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
            if beginning(&game).is_some_and(|start| session.has_told_otherwise(start)) {
                session.make_way(updates);
            }
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

/// A session that has heard this, of a game that begins from what stood, and a last record.
fn heard_by(
    mut session: Session,
    begin: Placement,
    records: impl Iterator<Item = BoardRecord>,
    last: Option<&BoardRecord>,
    found: &mut Vec<Update>,
) -> Session {
    let mut records = records.peekable();
    let event = BoardEvent::Position(BoardPosition { placement: begin, result: None });
    let time = records.peek().and_then(|record| record.time);
    session.record(&BoardRecord::new(time, None, event), found);
    records.for_each(|record| session.record(&record, found));
    last.into_iter().for_each(|record| session.record(record, found));
    session
}

/// Whether the game in play leads to what stands.
fn explains(session: &Session) -> bool {
    session.game.as_ref().is_some_and(AnyGame::explains_position)
}

/// How a game begins of which this is published.
fn beginning<'a>(published: impl IntoIterator<Item = &'a Update>) -> Option<&'a GameStart> {
    published.into_iter().find_map(|update| match &update.event {
        GameEvent::Game(start) => Some(start),
        _ => None,
    })
}
