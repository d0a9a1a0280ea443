//! One tracked board: its records go to its session, and its own log is merged when the board sends it.
//!
//! A log with a start mark is read by a session of its own, whose better result replaces what was reconstructed without
//! it. Of a log without its beginning, the new records are read by the session. In the same way a position that
//! disagrees replaces the result, if one misread change explains it far better.

mod unknown;

use std::{cmp::Ordering, rc::Rc};

use super::{
    any_game::AnyGame,
    differences,
    game_line::GameLine,
    limits,
    log::{self, IncomingLog},
    misread::{GameRecords, Misread},
    options::Options,
    rulings::{GameRulings, Rulings},
    session::Session,
    shown_result::ShownResult,
    start,
    update::Update,
};
use unknown::UnknownPieces;

use crate::record::{
    BoardEvent, BoardPosition, BoardRecord, End, EndReason, GameEvent, GameStart, Placement, Ruled, Ruling,
    Takeback, TakebackReason, Time,
};

/// Why a ruling cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The game is closed, and its records are not kept any more.
    Closed,
    /// Some records of the game are missing.
    Incomplete,
    /// No explanation of the records comes to a position in which that could be played.
    Impossible,
    /// The game has no such ply.
    NoPly,
    /// There is no such game.
    NoGame,
}

/// See the module.
pub struct TrackedBoard {
    unknown: UnknownPieces,
    session: Session,
    log: Option<IncomingLog>,
    game_records: GameRecords,
    /// The end of the last game, while the kings that show its result may still be corrected.
    shown: ShownResult,
    /// Rulings that could not be applied: the game of each, and why.
    refused: Vec<(u32, Rc<Ruling>, Refused)>,
}

impl TrackedBoard {
    /// A board without records.
    pub fn new(options: &Rc<Options>) -> TrackedBoard {
        TrackedBoard {
            unknown: UnknownPieces::default(),
            session: Session::new(options),
            log: None,
            game_records: GameRecords::none(),
            shown: ShownResult::default(),
            refused: Vec::new(),
        }
    }

    /// Reads one record of this board.
    pub fn record(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let from = updates.len();
        let record = &*self.unknown.taken_for_pawns(record, self.session.rotated);
        self.read(record, updates);
        self.shown.pass(record.time, self.session.board_position(), updates, from);
    }

    /// See [`UnknownPieces::limit_certainty`].
    pub fn limit_certainty(&mut self, updates: &mut [Update]) {
        let rulings = &self.session.rulings;
        let is_ruled =
            |game, ply| rulings.of(game).zip(ply).is_some_and(|(rulings, ply)| rulings.rules_ply(ply));
        self.unknown.limit_certainty(updates, self.session.rotated, is_ruled);
    }

    fn read(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        if let Some(log) = &mut self.log {
            let belongs = log.take(record);
            if !belongs || log.is_received() {
                self.end_log(updates);
            }
            if belongs {
                return;
            }
        }
        if let BoardEvent::Position(position) = &record.event {
            self.correct_misread(&position.placement, record, updates);
        }
        self.session.record(record, updates);
        self.game_records.record(record);
        self.refuse_impossible(updates);
        if self.session.stands_at_start() {
            let stands = *self.session.board_position();
            self.game_records.begins(stands, start::meant(&stands, &self.session.options));
        } else {
            self.look_for_misplaced(record, updates);
            self.look_for_unseen(record, updates);
        }
        if let BoardEvent::History(history) = &record.event {
            self.log = IncomingLog::announced(history);
        }
    }

    /// Reads an arbiter's ruling on a game that is to come, in play or closed.
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
        // On a game in play it holds from now on, whatever the arbiter's clock shows.
        let time = if self.session.now().is_some() {
            time.min(self.session.now()).or(self.session.now())
        } else {
            time
        };
        self.session.rulings.add(number, ruling, time);
        let ruled = match number.cmp(&(self.session.games + 1)) {
            Ordering::Less => self.apply_ruling_to_closed_game(number, ruling, was_void, time, updates),
            Ordering::Equal if self.session.game.is_some() => self.rule_in_play(ruling, was_void, updates),
            Ordering::Equal | Ordering::Greater => Ok(()),
        };
        if ruled.is_err() {
            self.session.rulings = before;
        }
        ruled
    }

    /// A closed game cannot be reconstructed again; only the end of the last one is kept, until the next game begins.
    fn apply_ruling_to_closed_game(
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

    /// Reconstructs the game in play again, and publishes the differences.
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
                let events = [
                    GameEvent::Takeback(Takeback::to(0, TakebackReason::Ruled)),
                    GameEvent::End(end),
                    GameEvent::Ruling(Box::new(ruling.clone())),
                ];
                updates.extend(events.map(|event| Update { game: number, time: now, event }));
            }
            return Ok(());
        }
        self.reconstruct_again(was_void, ruling.ply, updates)
    }

    /// Reconstructs the game in play with the rulings as they are now, and publishes the differences; the game must
    /// reach this ply if it did so before.
    fn reconstruct_again(
        &mut self,
        was_void: bool,
        ply: Option<u32>,
        updates: &mut Vec<Update>,
    ) -> Result<(), Refused> {
        let Some(game) = &self.session.game else { return Ok(()) };
        let (number, now) = (self.session.games + 1, self.session.now());
        let begun = !was_void && !game.is_unpublished();
        let moves = if was_void { Vec::new() } else { game.published_moves() };
        let begin = self.game_records.start.ok_or(Refused::Incomplete)?;
        let mut found = Vec::new();
        let mut session = self.replay(begin, self.game_records.records(), None, &mut found);
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
        let published = differences::PublishedGame { game: number, begun, moves };
        published.updates_to(now, &found, updates);
        updates.extend(found.into_iter().filter(|update| update.game > number));
        let mut closed = std::mem::take(&mut self.session.closed);
        closed.append(&mut session.closed);
        session.closed = closed;
        self.session = session;
        Ok(())
    }

    /// Withdraws rulings on plies of the game in play that were not played yet, where no explanation fits them any
    /// more.
    fn refuse_impossible(&mut self, updates: &mut Vec<Update>) {
        while let Some(ply) = self.session.game.as_mut().and_then(AnyGame::take_impossible) {
            let number = self.session.games + 1;
            let Some(ruling) = self.session.rulings.refuse(number, ply) else { return };
            self.refused.push((number, ruling, Refused::Impossible));
            // Where records of the game are missing, it continues from here as well as it can.
            let _ = self.reconstruct_again(false, None, updates);
        }
    }

    /// Takes the rulings that could not be applied since the last call: the game of each, and why.
    pub fn take_refused(&mut self) -> impl Iterator<Item = (u32, Rc<Ruling>, Refused)> {
        let beyond = self.session.beyond.drain(..).map(|(game, ruling)| (game, ruling, Refused::NoPly));
        self.refused.drain(..).chain(beyond)
    }

    /// The rulings on its games.
    pub fn rulings(&self) -> &Rulings {
        &self.session.rulings
    }

    /// The position of the board.
    pub fn board_position(&self) -> Placement {
        *self.session.board_position()
    }

    /// Whether the board differs from this position by more than missed moves explain.
    pub fn stands_far_from(&self, stands: &Placement) -> bool {
        self.board_position().differing(stands).count() > limits::EXCHANGED_ABOVE_SQUARES
    }

    /// See [`Session::settles`].
    pub fn settles(&self, record: &BoardRecord) -> Option<(Placement, bool)> {
        self.session.settles(&record.event).filter(|_| self.log.is_none())
    }

    /// Whether a game is in play on it.
    pub fn is_in_play(&self) -> bool {
        self.session.game.as_ref().is_some_and(|game| game.plies() > 0)
    }

    /// See [`Session::continues_from`].
    pub fn continues_from(&self, stands: &Placement) -> Option<bool> {
        self.session.continues_from(stands)
    }

    /// Its game continues on another board, which shows this position.
    pub fn continue_at(&mut self, stands: Placement, time: Option<Time>, updates: &mut Vec<Update>) {
        self.log = None;
        self.session.continue_at(&stands, time, updates);
        let event = BoardEvent::Position(BoardPosition { placement: stands, result: None });
        self.game_records.record(&BoardRecord::new(time, None, event));
    }

    /// Its game, if any, ends here. Moves after `since` that were never pressed come from setting up the pieces of
    /// another game.
    pub fn give_up(&mut self, since: Option<Time>, updates: &mut Vec<Update>) {
        self.shown.release(updates);
        self.log = None;
        self.game_records.forget();
        let is_set_up =
            |game: &AnyGame| !game.was_pressed() && since.is_some_and(|since| game.moved_after(since));
        if self.session.game.as_ref().is_some_and(is_set_up) {
            self.session.withdraw_all(TakebackReason::SetUp, updates);
        } else {
            self.session.close_at_once(EndReason::NewGame, updates);
        }
    }

    /// Whether squares changed on it and nothing was ever published.
    pub fn has_changes_and_no_game(&self) -> bool {
        self.session.games == 0 && self.session.game.is_none() && self.session.last_seen.any_change()
    }

    /// The source begins again: a log that was being sent is not continued.
    pub fn source_begins(&mut self, updates: &mut Vec<Update>) {
        self.end_log(updates);
        self.session.source_begins();
    }

    /// See [`Session::tick`].
    pub fn tick(&mut self, now: Option<Time>, updates: &mut Vec<Update>) {
        let from = updates.len();
        self.session.tick(now, updates);
        self.shown.pass(now, self.session.board_position(), updates, from);
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

    /// The log is complete, or will not be.
    fn end_log(&mut self, updates: &mut Vec<Update>) {
        let Some(log) = self.log.take() else { return };
        self.game_records.forget();
        if log.is_whole() && !self.is_listed_wrong(&log.records) {
            self.merge_whole(&log.records, updates);
        } else {
            for record in self.session.last_seen.unseen(&log.records) {
                self.session.record(record, updates);
            }
        }
    }

    /// Whether a log begins with pieces that are no start position but nearly that of the game in play: its list was
    /// misread, and it is no other game.
    fn is_listed_wrong(&self, records: &[BoardRecord]) -> bool {
        let Some(game) = self.session.game.as_ref().filter(|game| !game.is_unpublished()) else {
            return false;
        };
        let Some(begin) = Placement::of_fen(&game.beginning().fen) else { return false };
        let listed = log::listed(records);
        let near = begin.differing(&listed).count().min(begin.differing(&listed.turned()).count());
        (1..=limits::LISTING_MAX_WRONG).contains(&near)
            && start::standing(&listed, true, &self.session.options).is_none()
    }

    /// The board shows another position than its changes. If one misread change explains that far better than anything
    /// else, it is corrected.
    fn correct_misread(&mut self, stands: &Placement, record: &BoardRecord, updates: &mut Vec<Update>) {
        let Some(begin) = self.game_records.start else { return };
        let instead = self.game_records.instead(self.session.board_position(), stands);
        if instead.is_empty() {
            return;
        }
        let published = self.replay(begin, self.game_records.records(), Some(record), &mut Vec::new());
        let Some(game) = &published.game else { return };
        // A game that explains nothing was charged little so far.
        let most =
            game.rank() + if game.explains_position() { -limits::MISREAD_LEAD } else { limits::MISREAD_LEAD };
        let explained = |misread: Misread| {
            let records = self.game_records.records_with(&misread);
            let session = self.replay(begin, records, Some(record), &mut Vec::new());
            let rank = session.game.as_ref().filter(|game| game.explains_position())?.rank();
            Some((rank, session, misread))
        };
        let best = instead.into_iter().filter_map(explained).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, mut session, misread)) = best.filter(|&(rank, ..)| rank < most) else {
            return;
        };
        if session.game.as_ref().is_some_and(|new| self.session.has_published_other_start(new.beginning())) {
            return;
        }
        self.game_records.correct(&misread);
        self.session.adopt_board(&session);
        if let (Some(new), Some(_)) = (session.game.take(), &self.session.game) {
            self.session.go_on_with(new, updates);
        }
    }

    /// Pieces that stood on each other's squares when the game began were corrected: it is reconstructed again from the
    /// intended start.
    fn look_for_misplaced(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let comes =
            matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_) | BoardEvent::Quiet {});
        let (Some(begin), Some(meant)) = (self.game_records.start, self.game_records.meant) else { return };
        let stands = self.session.board_position();
        if !comes || begin.differing(&meant).any(|square| stands.get(square) != meant.get(square)) {
            return;
        }
        if explains(&self.session) {
            return;
        }
        let Some(corrected) = self.game_records.as_meant() else { return };
        let session = self.replay(meant, corrected.records(), None, &mut Vec::new());
        if self.is_explained_by(&session) {
            self.game_records = corrected;
            self.go_on_otherwise(session, updates);
        }
    }

    /// Pieces that were missing from the start stand unseen, or came late: the game is reconstructed again from the
    /// complete start, where only that explains it.
    fn look_for_unseen(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let rests = matches!(record.event, BoardEvent::Position(_) | BoardEvent::Quiet {});
        let Some(begin) = self.game_records.start.filter(|_| rests && self.session.may_stand_unseen()) else {
            return;
        };
        if !self.game_records.may_be_tried() {
            return;
        }
        let session = self.session.fresh(self.session.games).with_unseen();
        let session = read_all(session, begin, self.game_records.records(), None, &mut Vec::new());
        if self.is_explained_by(&session) {
            self.go_on_otherwise(session, updates);
        }
    }

    /// Whether another session explains the position, with the same game, at a lower rank.
    fn is_explained_by(&self, other: &Session) -> bool {
        let plies = |session: &Session| session.game.as_ref().map_or(0, AnyGame::plies);
        let dear = |session: &Session| session.game.as_ref().map_or(f32::INFINITY, AnyGame::rank);
        // Pieces that are set up for the next game explain nothing of this one.
        let is_this = other.games == self.session.games
            && plies(other) + limits::BARELY_BEGUN_PLIES >= plies(&self.session);
        explains(other) && is_this && dear(other) < dear(&self.session)
    }

    /// The game in play is that of another session: what was published of it is withdrawn.
    fn go_on_otherwise(&mut self, mut session: Session, updates: &mut Vec<Update>) {
        self.session.withdraw_all(TakebackReason::Corrected, updates);
        self.session.adopt_board(&session);
        if let Some(new) = session.game.take() {
            self.session.go_on_with(new, updates);
        }
    }

    /// A session that has read these records from the beginning of the game, and a last one.
    fn replay(
        &self,
        begin: Placement,
        records: impl Iterator<Item = BoardRecord>,
        last: Option<&BoardRecord>,
        found: &mut Vec<Update>,
    ) -> Session {
        read_all(self.session.fresh(self.session.games), begin, records, last, found)
    }

    /// A log from its start mark is complete: it replaces what was reconstructed without it.
    fn merge_whole(&mut self, records: &[BoardRecord], updates: &mut Vec<Update>) {
        let (mut logged, mut found) = self.logged(records, 0);
        // Rulings refer to games by number: the last game of the log is the one in play.
        if let Some(first) = self.session.games.checked_sub(logged.games).filter(|&first| first > 0) {
            (logged, found) = self.logged(records, first);
        }
        self.session.adopt_board(&logged);
        self.merge_closed(&mut logged, &found, updates);
        let session = &mut self.session;
        // The last game is over: its log has no rests, so that it does not show the end.
        let is_over = |line: GameLine| session.closed.back().is_some_and(|last| last.is_logged_as(&line));
        match logged.game.take() {
            Some(new) if session.game.is_none() && is_over(new.line()) => {}
            Some(new) => session.go_on_with(new, updates),
            None => {}
        }
        session.tick(records.last().and_then(|r| r.time), updates);
    }

    /// A session that has read a log; its games come after the first `games`.
    fn logged(&self, records: &[BoardRecord], games: u32) -> (Session, Vec<Update>) {
        let read = |mut logged: Session| {
            let mut found = Vec::new();
            for record in records {
                logged.record(record, &mut found);
            }
            // A log may end within a listing.
            logged.end_listing(None, &mut found);
            (logged, found)
        };
        let (logged, found) = read(self.session.fresh(games));
        if logged.may_stand_unseen() {
            let unseen = read(self.session.fresh(games).with_unseen());
            if explains(&unseen.0) {
                return unseen;
            }
        }
        (logged, found)
    }

    /// Merges the games that the log closed, with their updates in `found`: those already published are skipped, the
    /// one in play is completed.
    fn merge_closed(&mut self, logged: &mut Session, found: &[Update], updates: &mut Vec<Update>) {
        let session = &mut self.session;
        let first = logged.games - logged.closed.len() as u32 + 1;
        for (number, line) in (first..).zip(std::mem::take(&mut logged.closed)) {
            if session.closed.iter().any(|closed| closed.is_logged_as(&line)) {
                continue;
            }
            let game: Vec<Update> = found.iter().filter(|update| update.game == number).cloned().collect();
            if beginning(&game).is_some_and(|start| session.has_published_other_start(start)) {
                session.end_published(updates);
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

/// A session that has read these records, of a game that begins from `begin`, and a last one.
fn read_all(
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

/// Whether the game in play leads to the position on the board.
fn explains(session: &Session) -> bool {
    session.game.as_ref().is_some_and(AnyGame::explains_position)
}

/// The start of the game with these updates.
fn beginning<'a>(published: impl IntoIterator<Item = &'a Update>) -> Option<&'a GameStart> {
    published.into_iter().find_map(|update| match &update.event {
        GameEvent::Game(start) => Some(start),
        _ => None,
    })
}
