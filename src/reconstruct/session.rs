//! One board from game to game: when a game begins, which records belong to it, when it is over.
//!
//! The tracked board passes it all records except those of a log, and a log once it is complete.
//!
//! Circle: `beginning`, `joined` and `continued` are steps of the session and subjects of their own.

mod beginning;
mod clock_sides;
mod continued;
mod joined;
mod last_game;
mod other_board;

use std::{collections::VecDeque, rc::Rc};

use self::{beginning::Beginning, joined::Joined, last_game::LastGame};
use super::{
    adjourned::Adjourned,
    any_game::AnyGame,
    dead_square::Senses,
    game_line::GameLine,
    limits,
    listing::Listing,
    log::LastSeen,
    options::Options,
    rulings::Rulings,
    start::{self, HeldBack, Standing},
    update::Update,
};
use crate::{
    record::{
        BoardEvent, BoardRecord, Change, Clock, ClockSide, End, EndReason, GameStart, Mark, MarkKind,
        Outcome, Piece, Placement, Ruling, Side, TakebackReason, Time,
    },
    rules::{Colour, Squares, bit},
};

/// The state of one board.
pub struct Session {
    /// The user's options.
    pub options: Rc<Options>,
    /// The position of the board.
    board: Placement,
    /// The board's list of its pieces, while it is being sent.
    listing: Option<Listing>,
    /// The game in play.
    pub game: Option<AnyGame>,
    /// The game before it, while it may continue.
    last_game: Option<LastGame>,
    /// The state of a game that was in play when the board was found.
    joined: Joined,
    /// Where the game began, if that was a position with a start mark: the next one may begin there too.
    marked: Option<Standing>,
    /// The squares of the board on which pieces were missing when the game began.
    missing: Squares,
    /// Whether those pieces are taken to stand there unseen, or to have come late.
    assumes_unseen: bool,
    /// The position when the game began, where it was a start.
    seen_at_start: Option<Placement>,
    /// The board is turned by 180°, as found at the last start.
    pub(super) rotated: bool,
    /// The players of the last game sat at the other sides of the clock than [`Session::side`] returns.
    sides_swapped: bool,
    /// Games published so far.
    pub games: u32,
    /// The last closed games, to recognise them when a log contains them.
    pub closed: VecDeque<Rc<GameLine>>,
    /// A side whose flag has fallen, and the time when that was reported.
    flag: Option<(Side, Option<Time>)>,
    /// A flag was down before the game had a move: it belongs to the game before, or to none.
    old_flag: bool,
    /// The same when the first move of the game in play was made.
    old_flag_then: bool,
    /// Games that may be continued.
    adjourned: Adjourned,
    /// Whether there is a clock, as last reported.
    has_clock: Option<bool>,
    /// The clock was stopped before the game in play began, and in every report since.
    clock_stood: bool,
    /// The last events of the board.
    pub last_seen: LastSeen,
    /// The rulings on its games.
    pub rulings: Rulings,
    /// Rulings on plies that their games do not have, with the number of each game.
    pub beyond: Vec<(u32, Rc<Ruling>)>,
    /// What its squares have shown.
    senses: Senses,
}

impl Session {
    /// A session of a board without records.
    pub fn new(options: &Rc<Options>) -> Session {
        Session {
            options: options.clone(),
            board: Placement::EMPTY,
            listing: None,
            game: None,
            last_game: None,
            joined: Joined::found(),
            marked: None,
            missing: 0,
            assumes_unseen: false,
            seen_at_start: None,
            rotated: false,
            sides_swapped: false,
            games: 0,
            closed: VecDeque::new(),
            flag: None,
            old_flag: false,
            old_flag_then: false,
            adjourned: Adjourned::default(),
            has_clock: None,
            clock_stood: false,
            last_seen: LastSeen::default(),
            rulings: Rulings::default(),
            beyond: Vec::new(),
            senses: Senses::default(),
        }
    }

    /// A session without records that has the rulings, the number of games and what earlier games have shown.
    pub fn fresh(&self, games: u32) -> Session {
        Session {
            games,
            sides_swapped: self.sides_swapped,
            rulings: self.rulings.clone(),
            senses: self.senses,
            assumes_unseen: self.assumes_unseen,
            joined: Joined::default(),
            old_flag: self.old_flag_then,
            adjourned: self.adjourned.clone(),
            has_clock: self.has_clock,
            clock_stood: self.clock_stood,
            ..Session::new(&self.options)
        }
    }

    /// The record time of the last look at the game in play.
    pub fn now(&self) -> Option<Time> {
        self.game.as_ref()?.now()
    }

    /// Reads one record of this board.
    pub fn record(&mut self, record: &BoardRecord, updates: &mut Vec<Update>) {
        let time = record.time;
        self.rejoin_pressed(time);
        let touches = matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_));
        if let Some(over) = self.game.as_ref().and_then(|game| game.poll_over_before(time)) {
            self.tick(Some(over), updates);
        }
        // A signal is due when it has stood for a while, with or without a record; nothing else waits so long.
        let stood = |time: Time| self.now().is_some_and(|now| time >= now.after(limits::WHOLE_REST_SECONDS));
        if touches && time.is_some_and(stood) {
            let due = self.deadline().filter(|&due| Some(due) < time);
            due.into_iter().for_each(|due| self.tick(Some(due), updates));
        }
        if touches && self.game.as_mut().is_some_and(|game| game.rested_before(time)) {
            // A position that stood for long is published before hands change it.
            self.tick(time, updates);
        }
        if let Some(game) = &mut self.game {
            game.note_record(time);
        }
        if !self.continues_listing(&record.event) {
            self.end_listing(time, updates);
        }
        match &record.event {
            BoardEvent::Change(change) => self.change(change, time, updates),
            BoardEvent::Position(position) => {
                self.position(&position.placement, time, updates);
                self.game.iter_mut().for_each(|game| game.announce(position.result));
            }
            BoardEvent::Press(press) => {
                self.last_seen.press(press);
                self.joined.press(press.side, time);
                let side = self.side(press.side);
                if let Some(game) = &mut self.game {
                    game.press(side, press.seconds.0, time);
                    self.flag = None;
                }
            }
            BoardEvent::Quiet {} => {
                self.game.iter_mut().for_each(AnyGame::quiet);
                self.look_for_adjourned(time, updates);
                self.joined.is_moved = false;
                self.look_for_joined(time);
            }
            BoardEvent::Clock(clock) => {
                self.clock(clock, time);
                self.joined.clock(clock, time);
                self.look_for_joined(time);
            }
            BoardEvent::Found(_) => self.joined.is_found = true,
            BoardEvent::Mark(mark) => self.mark(mark, time, updates),
            BoardEvent::Lost(_) => self.game.iter_mut().for_each(AnyGame::note_lost),
            BoardEvent::Board(_)
            | BoardEvent::Fault(_)
            | BoardEvent::Answers(_)
            | BoardEvent::Calibration(_)
            | BoardEvent::Readings(_)
            | BoardEvent::History(_) => {}
        }
        self.tick(time, updates);
        if self.last_game.is_some() {
            self.follow_last_game(record, updates);
        }
    }

    /// The source begins again: an incomplete list of the pieces is no position.
    pub fn source_begins(&mut self) {
        self.listing = None;
        self.joined.is_found = true;
    }

    /// The position of the board.
    pub fn board_position(&self) -> &Placement {
        &self.board
    }

    /// Publishes what only waited for this time.
    pub fn tick(&mut self, now: Option<Time>, updates: &mut Vec<Update>) {
        let Some(game) = &mut self.game else { return };
        game.advance(now, updates);
        game.look_for_anomaly(updates);
        let flag = self.flag.filter(|(_, since)| {
            since
                .zip(now)
                .is_some_and(|(since, now)| since.seconds_until(now) >= limits::CONTINUED_WITHIN_SECONDS)
        });
        let over = game.over(true).or_else(|| self.flag_result(flag?.0));
        // A record with the time of the ruling still belongs to the game.
        if let Some(end) =
            over.or_else(|| self.ruled_over(now.map(|now| now.after(-limits::SHORTEST_WAIT_SECONDS))))
        {
            self.close(end, updates);
        }
    }

    /// Ends the game in play if its result was ruled by now; all records up to now have been read.
    pub fn end_if_ruled(&mut self, now: Option<Time>, updates: &mut Vec<Update>) {
        if let Some(end) = self.ruled_over(now) {
            self.close(end, updates);
        }
    }

    /// The record time at which [`Session::tick`] has something to do even without a record.
    pub fn deadline(&self) -> Option<Time> {
        let game = self.game.as_ref()?;
        let flag =
            self.flag.and_then(|(_, since)| since).map(|fell| fell.after(limits::CONTINUED_WITHIN_SECONDS));
        let ruled =
            self.rulings.of(self.games + 1).and_then(|rulings| rulings.ends()).map(|(since, _)| since);
        let ruled = ruled.map(|since| since.after(limits::SHORTEST_WAIT_SECONDS));
        let ruled = ruled.filter(|&due| game.now().is_none_or(|now| now < due));
        [game.deadline(), flag, ruled].into_iter().flatten().min()
    }

    /// The player at a side of the clock, unless the clock stands the other way round: its sides are not turned with
    /// the board.
    fn side(&self, side: Side) -> Colour {
        clock_sides::player_at(side, self.rotated)
    }

    fn flag_result(&self, fallen: Side) -> Option<End> {
        let game = self.game.as_ref().filter(|game| game.plies() > 0)?;
        let flagged = self.side(fallen);
        let loser = if game.sides_swapped() { flagged.other() } else { flagged };
        let result = match (game.can_win(loser.other()), loser) {
            (false, _) => Outcome::Draw,
            (true, Colour::White) => Outcome::BlackWins,
            (true, Colour::Black) => Outcome::WhiteWins,
        };
        Some(End::of(Some(result), EndReason::Flag))
    }

    /// The end of the game in play, if an arbiter has ruled its result by now.
    fn ruled_over(&self, now: Option<Time>) -> Option<End> {
        let game = self.game.as_ref().filter(|game| game.plies() > 0)?;
        let (since, end) = self.rulings.of(self.games + 1)?.ends()?;
        (now >= Some(since) && game.began() <= Some(since)).then_some(end)
    }

    fn clock(&mut self, clock: &Clock, time: Option<Time>) {
        self.has_clock = Some(clock.connected);
        let down = |reading: Option<ClockSide>| reading.is_some_and(|r| r.flag && r.seconds.0 == 0.0);
        let fallen = [(Side::Left, clock.left), (Side::Right, clock.right)].map(|(side, r)| (side, down(r)));
        let fallen = fallen.into_iter().find_map(|(side, down)| down.then_some(side));
        let is_played = self.game.as_ref().is_some_and(|game| game.plies() > 0);
        self.old_flag = fallen.is_some() && (self.old_flag || !is_played);
        if !is_played {
            self.old_flag_then = self.old_flag;
        }
        self.clock_stood =
            clock.connected && clock.running == Some(false) && (self.clock_stood || !is_played);
        // Once a flag is down the flag decides, not whether the clock runs.
        let running = clock.running.filter(|_| clock.connected && fallen.is_none());
        let shows = clock_sides::seconds_shown(clock, self.rotated);
        self.game.iter_mut().for_each(|game| game.clock(clock.connected, running, shows, time));
        if let Some(side) = fallen.filter(|_| !self.old_flag && clock.running != Some(true)) {
            self.flag.get_or_insert((side, time));
        }
    }

    fn change(&mut self, change: &Change, time: Option<Time>, updates: &mut Vec<Update>) {
        let Change { square, piece, quick } = *change;
        if self.listing.as_mut().is_some_and(|listing| listing.takes(change)) {
            return;
        }
        self.board.set(square, piece);
        self.last_seen.change(square, piece);
        self.joined.change(change, time);
        self.senses.mark_reported(bit(square.field()));
        if let Some(game) = &mut self.game {
            let seen = if self.rotated { square.turned() } else { square };
            game.change(seen.field(), self.board.get(square).map_or(0, Piece::code), quick, time);
            if let Some(result) = piece.and_then(Piece::outcome) {
                game.announce_on(seen.field(), result);
            }
        }
        self.look_for_turned(time);
        self.look_for_start(false, time, updates);
    }

    /// If the board shows the game in play turned by 180°, another board was put in its place.
    fn look_for_turned(&mut self, time: Option<Time>) {
        let turned = self.board.turned();
        let [stands, other] = if self.rotated { [&turned, &self.board] } else { [&self.board, &turned] };
        let Some(game) = &mut self.game else { return };
        // A move may lead to its own position turned: it changes two squares, a turned board nearly all.
        let is_other = || stands.differing(other).count() > 2;
        if game.stands_as_published(other) && !game.stands_as_published(stands) && is_other() {
            self.rotated = !self.rotated;
            game.continue_as_published(other, time);
        }
    }

    /// Reads a complete position: the squares that differ changed unseen.
    fn position(&mut self, placement: &Placement, time: Option<Time>, updates: &mut Vec<Update>) {
        let missed = *placement != self.board;
        self.board = *placement;
        self.senses.mark_reported(placement.occupied());
        self.look_for_last_game(time);
        // A start position is a new game, not a gap in the old one.
        self.look_for_start(false, time, updates);
        self.look_for_turned(time);
        let seen = self.seen(placement);
        if let Some(game) = self.game.as_mut().filter(|_| missed) {
            game.jump(&seen, time);
        }
        self.look_for_adjourned(time, updates);
        self.joined.is_moved = false;
        self.look_for_joined(time);
    }

    fn mark(&mut self, mark: &Mark, time: Option<Time>, updates: &mut Vec<Update>) {
        if mark.listing {
            self.listing = Some(Listing::of(mark.mark));
            return;
        }
        match mark.mark {
            MarkKind::FourRows => self.look_for_start(true, time, updates),
            MarkKind::Start => self.start_mark(time, updates),
            // The mark of the board is right, and the stream may have gaps.
            kind => match kind.stands() {
                Some(stands) if stands != self.board => self.position(&stands, time, updates),
                _ => {}
            },
        }
    }

    /// Whether the board's list of its pieces continues.
    fn continues_listing(&self, event: &BoardEvent) -> bool {
        match (event, &self.listing) {
            (BoardEvent::Change(change), Some(listing)) => listing.goes_on_with(change),
            _ => false,
        }
    }

    /// A placement as the players see it.
    fn seen(&self, placement: &Placement) -> Placement {
        if self.rotated { placement.turned() } else { *placement }
    }

    /// The board's list of its pieces is complete, or will not continue.
    pub fn end_listing(&mut self, time: Option<Time>, updates: &mut Vec<Update>) {
        if let Some(Listing { mark, pieces, .. }) = self.listing.take() {
            self.position(&pieces, time, updates);
            self.look_for_start(true, time, updates);
            if mark == MarkKind::Start {
                self.start_mark(time, updates);
            }
        }
    }

    /// Reads a start mark of the host: the position may be a start other than the usual one. A game in play continues,
    /// since marks are written to all boards of a hall at once.
    fn start_mark(&mut self, time: Option<Time>, updates: &mut Vec<Update>) {
        self.look_for_start(true, time, updates);
        if self.game.as_ref().is_none_or(|game| game.is_unpublished() && game.is_another_position())
            && let Some(from) = start::marked(&self.board, &self.options, |_| Colour::White)
        {
            self.begin(from.clone(), time);
            self.marked = Some(from);
        }
    }

    /// Begins a game when the board shows a start position. `marked`: the board or the host marked it as one.
    fn look_for_start(&mut self, marked: bool, time: Option<Time>, updates: &mut Vec<Update>) {
        let Some(Beginning { from, dead, missing, nearly }) = self.start_that_stands(marked) else { return };
        if let Some(game) = &self.game {
            let tried_out = self.was_tried_out(game);
            let begun = !game.is_held_back() && (game.explains_board() || game.barely_begun());
            let same = || from.rotated == self.rotated && from.start.fen() == game.beginning().fen;
            if begun && !(tried_out && game.explains_board()) && same() {
                return;
            }
            if tried_out {
                self.withdraw_all(TakebackReason::SetUp, updates);
            } else if game.plies() > 0 || !game.is_unpublished() {
                self.close_at_once(EndReason::NewGame, updates);
            }
        }
        self.last_game.iter_mut().for_each(|last| last.look_for_result(false, updates));
        self.old_flag |= self.flag.take().is_some();
        let known = self.senses;
        self.senses.dead |= dead;
        self.begin(from, time);
        (self.seen_at_start, self.missing) = (Some(self.board), missing);
        if let Some(held_back) = nearly {
            self.senses = known;
            if let Some(game) = &mut self.game {
                game.hold_back(held_back);
            }
        }
    }

    /// Whether the moves were tried before a round: a clock is there, was stopped all the time, and was not pressed.
    fn was_tried_out(&self, game: &AnyGame) -> bool {
        self.clock_stood
            && !game.was_pressed()
            && (1..limits::RESUME_MIN_PLIES).contains(&game.plies())
            && game.over(false).is_none()
    }

    /// If the board rests in the last position of an earlier game, and in no position of the game in play, that game
    /// continues.
    fn look_for_adjourned(&mut self, time: Option<Time>, updates: &mut Vec<Update>) {
        let is_last = self.last_game.as_ref().is_some_and(|last| last.game.is_followed());
        if self.options.start.is_some() || is_last || self.is_being_replayed() {
            return;
        }
        let Some((from, clock)) = self.adjourned.game_at(&self.board) else { return };
        if let Some(game) = &self.game {
            // Players who reach the last position of an earlier game by play have pressed the clock.
            let is_played = game.plies() == 0 || game.was_pressed() || !clock;
            if game.explains_position() && is_played {
                return;
            }
            if game.was_pressed() {
                self.close_at_once(EndReason::NewGame, updates);
            } else {
                self.withdraw_all(TakebackReason::SetUp, updates);
            }
        }
        self.begin(from, time);
    }

    /// Withdraws all of the game in play: pieces were set up, or it was another game.
    pub fn withdraw_all(&mut self, why: TakebackReason, updates: &mut Vec<Update>) {
        let Some(mut game) = self.game.take() else { return };
        self.assumes_unseen = false;
        let begun = game.withdraw_all(why, updates);
        self.games += u32::from(begun);
    }

    fn begin(&mut self, from: Standing, time: Option<Time>) {
        (self.rotated, self.old_flag_then) = (from.rotated, self.old_flag);
        self.marked.take_if(|known| known.start.fen() != from.start.fen());
        let number = self.games + 1;
        let rulings = self.rulings.of(number).cloned().unwrap_or_default();
        let is_start = start::standing(&self.board, true, &self.options).is_some();
        let mut game = AnyGame::new(from, number, &self.options, &rulings, self.senses, time);
        game.expect_clock(self.sides_swapped, self.clock_stood);
        let replayed = self.last_game.as_ref().and_then(|last| last.open.clone());
        let held_back = self.adjourned.held_back_for(self.has_clock);
        let held_back = held_back.or(replayed.is_some().then(|| HeldBack::until(1)));
        if let Some(held_back) = held_back.filter(|_| is_start) {
            game.hold_back(HeldBack { replayed, ..held_back });
        }
        self.game = Some(game);
        (self.seen_at_start, self.missing) = (None, 0);
        self.joined.forget();
    }

    /// Ends the game in play as it stands; `reason` holds where nothing else has ended it.
    pub fn close_at_once(&mut self, reason: EndReason, updates: &mut Vec<Update>) {
        self.last_game.iter_mut().for_each(|last| last.look_for_result(false, updates));
        let Some(game) = &self.game else { return };
        let over = game.over(false).or_else(|| self.flag_result(self.flag?.0));
        self.close(over.unwrap_or(End::of(None, reason)), updates);
    }

    /// Ends the game in play; nothing is published of a game without moves.
    fn close(&mut self, end: End, updates: &mut Vec<Update>) {
        let (dead, now) = (self.dead_of_game(), self.now());
        let Some(mut game) = self.game.take() else { return };
        self.assumes_unseen = false;
        let by_flag = self.flag.is_some() && matches!(end.reason, EndReason::Kings | EndReason::ResultPiece);
        self.old_flag |= self.flag.take().is_some();
        self.sides_swapped = game.sides_swapped();
        self.senses.dead |= dead;
        // Earlier reports of such a square do not count in the next game.
        self.senses.reported &= !dead;
        let (number, plies) = (self.games + 1, game.plies());
        if let Some(closed) = game.close(end, by_flag, updates) {
            self.adjourned.remember(&closed, self.rotated);
            let ruled = self.rulings.of(number).into_iter().flat_map(|rulings| rulings.beyond(plies));
            self.beyond.extend(ruled.map(|ruling| (number, ruling.clone())));
            self.games += 1;
            self.joined.is_found = false;
            let is_void = self.rulings.is_void(number);
            let is_ruled = self.rulings.of(number).is_some_and(|rulings| rulings.result().is_some());
            // After a forfeit the moves played from the start belong to the next game.
            let is_open = closed.end.result.is_none();
            let least = if is_open { limits::PLAY_PLIES } else { 1 };
            let line = Rc::new(closed.line);
            let last_game = LastGame {
                game,
                rotated: self.rotated,
                open: is_open.then(|| line.clone()),
                end: closed.end,
                pieces: self.board.occupied().count_ones(),
                has_clock: self.has_clock == Some(true),
                is_ruled,
            };
            self.last_game = (!is_ruled && !is_void && closed.plies >= least).then_some(last_game);
            self.remember(line);
            self.look_for_last_game(now);
        }
    }

    /// Replaces the game in play by a better reconstruction of it. A game with another start is another game: what was
    /// published of the one in play ends.
    pub fn go_on_with(&mut self, mut better: AnyGame, updates: &mut Vec<Update>) {
        match &mut self.game {
            Some(game) if game.begins_from(better.beginning()) => return game.continue_from(better, updates),
            Some(game) if !game.is_unpublished() => self.end_published(updates),
            _ => {}
        }
        better.publish_again(self.games + 1, updates);
        self.game = Some(better);
        self.joined.forget();
    }

    /// Whether something was published of the game in play, and it has another start.
    pub fn has_published_other_start(&self, start: &GameStart) -> bool {
        self.game.as_ref().is_some_and(|game| !game.is_unpublished() && !game.begins_from(start))
    }

    /// Keeps the line of a closed game.
    pub fn remember(&mut self, line: Rc<GameLine>) {
        if self.closed.len() == limits::GAMES_KEPT {
            self.closed.pop_front();
        }
        self.closed.push_back(line);
    }

    /// Takes the position, the turn of the board and the missing pieces from the session of its log.
    pub fn adopt_board(&mut self, from: &Session) {
        (self.missing, self.assumes_unseen) = (from.missing, from.assumes_unseen);
        self.board = from.board;
        self.rotated = from.rotated;
    }
}
