//! One board from game to game: when a game begins, which records belong to it, when it is over.

use std::collections::VecDeque;

use super::{
    Options, Update,
    history::{Lines, Replay},
    in_play::InPlay,
    limits,
    start::{self, Standing},
};
use crate::{
    record::{
        BoardEvent, BoardRecord, Change, Clock, End, EndReason, Mark, MarkKind, Outcome, Piece, Placement,
        Press, Side, Square, Time,
    },
    rules::Colour,
};

/// What is known of one board.
pub struct Session {
    /// As the board stands.
    board: Placement,
    /// The board's list of its pieces is coming in: what it has named so far.
    listing: Option<(MarkKind, Placement)>,
    /// The board's own log is coming in.
    pub(super) replay: Option<Replay>,
    pub(super) play: Option<InPlay>,
    /// Board turned by 180°, as found at the last start.
    rotated: bool,
    /// The last game's players sat at the other sides of the clock than [`Session::side`] says.
    sides_swapped: bool,
    /// Games told so far.
    pub(super) games: u32,
    /// The last games closed, to know them when a log tells them again.
    pub(super) closed: VecDeque<Lines>,
    /// A side whose flag has fallen, and when that became known.
    flag: Option<(Side, Option<Time>)>,
    /// The last changes.
    pub(super) recent: VecDeque<(Square, Option<Piece>)>,
    /// The presses since the last of them.
    pub(super) pressed: Vec<Press>,
}

impl Session {
    /// A board of which nothing is known.
    pub fn new() -> Session {
        Session {
            board: Placement::EMPTY,
            listing: None,
            replay: None,
            play: None,
            rotated: false,
            sides_swapped: false,
            games: 0,
            closed: VecDeque::new(),
            flag: None,
            recent: VecDeque::new(),
            pressed: Vec::new(),
        }
    }

    /// Takes in one record of this board.
    pub fn record(&mut self, record: &BoardRecord, options: &Options, updates: &mut Vec<Update>) {
        if self.replayed(record, options, updates) {
            return;
        }
        let time = record.time;
        let touches = matches!(record.event, BoardEvent::Change(_) | BoardEvent::Position(_));
        if touches && self.play.as_mut().is_some_and(|play| play.had_rested(time)) {
            // What stood for long is told before hands change it.
            self.tick(time, options, updates);
        }
        if let Some(play) = &mut self.play {
            play.hear(time);
        }
        if !self.continues_listing(&record.event) {
            self.end_listing(time, options, updates);
        }
        match &record.event {
            BoardEvent::Change(change) => self.change(change, time, options, updates),
            BoardEvent::Position(position) => {
                self.position(&position.placement, time, options, updates);
                self.announce(position.result);
            }
            BoardEvent::Press(press) => {
                if self.pressed.len() < limits::LOG_RECENT {
                    self.pressed.push(press.clone());
                }
                let side = self.side(press.side);
                if let Some(play) = &mut self.play {
                    play.press(side, press.seconds.0, time);
                    self.flag = None;
                }
            }
            BoardEvent::Quiet {} => {
                if let Some(play) = &mut self.play {
                    play.quiet();
                }
            }
            BoardEvent::Clock(clock) => self.clock(clock, time),
            BoardEvent::Mark(mark) => self.mark(mark, time, options, updates),
            BoardEvent::History(history) => self.replay = Replay::begin(history),
            BoardEvent::Lost(_) => {
                if let Some(play) = &mut self.play {
                    play.lose();
                }
            }
            BoardEvent::Board(_) | BoardEvent::Found(_) | BoardEvent::Fault(_) => {}
        }
        self.tick(time, options, updates);
    }

    /// The source begins anew: a log or a list of pieces that was coming in will not go on.
    pub fn source_begins(&mut self, options: &Options, updates: &mut Vec<Update>) {
        if let Some(replay) = self.replay.take() {
            self.join(replay, options, updates);
        }
        // Half a list of the pieces is no position.
        self.listing = None;
    }

    /// Time passes: what only waited for it is told.
    pub fn tick(&mut self, now: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        let Some(play) = &mut self.play else { return };
        play.advance(now, options, updates);
        play.look_for_anomaly(options, updates);
        let flag = self.flag.filter(|(_, since)| match (since, now) {
            (Some(since), Some(now)) => since.seconds_until(now) >= limits::FLAG_STANDS,
            _ => false,
        });
        let over = play.over(true).or_else(|| self.flag_result(flag?.0));
        if let Some(end) = over {
            self.close(end, updates);
        }
    }

    /// The input is over: a game that was begun is closed.
    pub fn finish(&mut self, options: &Options, updates: &mut Vec<Update>) {
        self.end_listing(None, options, updates);
        self.source_begins(options, updates);
        let Some(play) = &self.play else { return };
        let end = play
            .over(false)
            .or_else(|| self.flag_result(self.flag?.0))
            .unwrap_or(End { result: None, reason: EndReason::InputEnd });
        self.close(end, updates);
    }

    /// When, in record time, [`Session::tick`] has something to do though nothing comes in.
    pub fn deadline(&self) -> Option<Time> {
        let play = self.play.as_ref()?;
        let flag = self.flag.and_then(|(_, since)| since).map(|fell| fell.after(limits::FLAG_STANDS));
        [play.deadline(), flag].into_iter().flatten().min()
    }

    /// Who sits at a side of the clock unless it stands the other way round: its sides are not turned with the board.
    fn side(&self, side: Side) -> Colour {
        if (side == Side::Left) != self.rotated { Colour::White } else { Colour::Black }
    }

    fn flag_result(&self, fallen: Side) -> Option<End> {
        let play = self.play.as_ref().filter(|play| play.plies() > 0)?;
        let sits = self.side(fallen);
        let loser = if play.sides_swapped() { sits.other() } else { sits };
        let result = match (play.can_win(loser.other()), loser) {
            (false, _) => Outcome::Draw,
            (true, Colour::White) => Outcome::BlackWins,
            (true, Colour::Black) => Outcome::WhiteWins,
        };
        Some(End { result: Some(result), reason: EndReason::Flag })
    }

    fn clock(&mut self, clock: &Clock, time: Option<Time>) {
        if clock.running == Some(true) {
            return;
        }
        for (side, reading) in [(Side::Left, clock.left), (Side::Right, clock.right)] {
            if reading.is_some_and(|r| r.flag && r.seconds.0 == 0.0) {
                self.flag.get_or_insert((side, time));
            }
        }
    }

    fn change(&mut self, change: &Change, time: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        let Change { square, piece, quick } = *change;
        if let Some((_, listed)) = &mut self.listing {
            listed.set(square, piece);
            return;
        }
        self.announce(piece.and_then(Piece::outcome));
        self.board.set(square, piece);
        if self.recent.len() == limits::LOG_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((square, piece));
        self.pressed.clear();
        if let Some(play) = &mut self.play {
            let seen = if self.rotated { square.turned() } else { square };
            play.change(seen.field(), self.board.get(square).map_or(0, Piece::code), quick, time);
        }
        self.look_for_start(false, time, options, updates);
    }

    /// A whole position: the squares that differ changed unseen.
    fn position(
        &mut self,
        placement: &Placement,
        time: Option<Time>,
        options: &Options,
        updates: &mut Vec<Update>,
    ) {
        let missed = *placement != self.board;
        self.board = *placement;
        // A start position is a new game, not a gap in the old one.
        self.look_for_start(false, time, options, updates);
        if let Some(play) = self.play.as_mut().filter(|_| missed) {
            play.jump(&if self.rotated { placement.turned() } else { *placement }, time);
        }
    }

    fn mark(&mut self, mark: &Mark, time: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        if mark.listing {
            self.listing = Some((mark.mark, Placement::EMPTY));
            return;
        }
        let start = Placement::start();
        let stands = match mark.mark {
            MarkKind::Begin => start,
            MarkKind::BeginRotated => start.turned(),
            MarkKind::Empty => Placement::EMPTY,
            MarkKind::FourRows => {
                self.look_for_start(true, time, options, updates);
                return;
            }
            MarkKind::Start => {
                self.start_mark(time, options, updates);
                return;
            }
            _ => return,
        };
        // The board knows better than a stream that may have holes.
        if self.board != stands {
            self.position(&stands, time, options, updates);
        }
    }

    /// A board's list of its pieces names each square once, and no empty one.
    fn continues_listing(&self, event: &BoardEvent) -> bool {
        match (event, &self.listing) {
            (BoardEvent::Change(change), Some((_, listed))) => {
                change.piece.is_some() && listed.get(change.square).is_none()
            }
            _ => false,
        }
    }

    /// A log may end within a listing.
    pub(super) fn finish_listing(&mut self, options: &Options, updates: &mut Vec<Update>) {
        self.end_listing(None, options, updates);
    }

    fn end_listing(&mut self, time: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        if let Some((mark, listed)) = self.listing.take() {
            self.position(&listed, time, options, updates);
            self.look_for_start(true, time, options, updates);
            if mark == MarkKind::Start {
                self.start_mark(time, options, updates);
            }
        }
    }

    /// The host wrote a start mark: what stands may be a start position that is not the usual one. A game in
    /// play goes on: marks are written to a whole hall at once.
    fn start_mark(&mut self, time: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        self.look_for_start(true, time, options, updates);
        if self.play.as_ref().is_none_or(|play| play.untouched() && play.is_another_position())
            && let Some(from) = start::marked(&self.board, options)
        {
            self.begin(from, time);
        }
    }

    /// Begins a game when a start position stands. `marked`: the board or the host says that one may.
    fn look_for_start(
        &mut self,
        marked: bool,
        time: Option<Time>,
        options: &Options,
        updates: &mut Vec<Update>,
    ) {
        let Some(from) = start::standing(&self.board, marked, options) else { return };
        if let Some(play) = &self.play {
            if from.rotated == self.rotated && (play.explains_board() || play.barely_begun()) {
                return;
            }
            if play.plies() > 0 || !play.untouched() {
                let end = play
                    .over(false)
                    .or_else(|| self.flag_result(self.flag?.0))
                    .unwrap_or(End { result: None, reason: EndReason::NewGame });
                self.close(end, updates);
            }
        }
        self.flag = None;
        self.begin(from, time);
    }

    fn begin(&mut self, from: Standing, time: Option<Time>) {
        self.rotated = from.rotated;
        let mut play = InPlay::new(from, self.games + 1, time);
        play.expect_sides_swapped(self.sides_swapped);
        self.play = Some(play);
    }

    fn announce(&mut self, result: Option<Outcome>) {
        if let (Some(play), Some(result)) = (&mut self.play, result) {
            play.announce(result);
        }
    }

    /// Ends the game in play; nothing is told of one in which nothing was played.
    fn close(&mut self, end: End, updates: &mut Vec<Update>) {
        let Some(play) = self.play.take() else { return };
        self.flag = None;
        self.sides_swapped = play.sides_swapped();
        if let Some(lines) = play.close(end, updates) {
            self.games += 1;
            self.remember(lines);
        }
    }

    pub(super) fn remember(&mut self, lines: Lines) {
        if self.closed.len() == limits::LOG_GAMES {
            self.closed.pop_front();
        }
        self.closed.push_back(lines);
    }

    /// What stands, and how the board stands, as a log that was told again has it.
    pub(super) fn adopt_board(&mut self, from: &Session) {
        self.board = from.board;
        self.rotated = from.rotated;
    }
}
