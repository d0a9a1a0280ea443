//! One board: its position, its last records, and the game in play on it.

use std::collections::VecDeque;

use super::{ply::Game, stand, words};
use crate::record::{
    Answers, BoardEvent, BoardFound, BoardRecord, EndReason, FaultKind, GameEvent, GameRecord, MarkKind,
    Mode, Placement, ShownClock, Tags, Time,
};

/// The number of a board's last records kept as text: more than a screen has room for.
const KEPT: usize = 64;

/// On a bus every board is reported at least once a minute, by its answers. A board without records for this long, in
/// seconds, is not polled any more: five reports are not missed by chance, and the time on its clock is unknown from
/// there.
pub const UNHEARD: f64 = 300.0;

/// A board of the hall.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// Its position as reported, before it is turned.
    pub stands: Option<Placement>,
    /// Its clock.
    pub clock: ShownClock,
    /// Its last `board` record.
    pub found: Option<BoardFound>,
    /// The time of its last record.
    pub heard: Option<Time>,
    /// The time of its last change.
    pub moved: Option<Time>,
    /// The time since when it does not answer.
    pub lost: Option<Option<Time>>,
    /// Faults, in the order of [`FaultKind::ALL`].
    pub faults: [u64; FaultKind::ALL.len()],
    /// Its last report of answers.
    pub answers: Option<Answers>,
    /// Its last records as text, the newest last.
    pub said: VecDeque<(Option<Time>, String)>,
    /// The game in play or the last one.
    pub game: Option<Game>,
    /// The game before it, which may continue if the later one comes to nothing; or the one that came to nothing.
    pub other: Option<Game>,
    /// Whether it is the later one.
    pub other_is_later: bool,
    /// The number of games before that.
    pub earlier: usize,
    /// The players there, before a game has begun.
    pub seats: Tags,
}

impl Board {
    /// Reads a board record.
    pub fn record(&mut self, record: &BoardRecord) {
        let time = record.time;
        self.heard = time.or(self.heard);
        if record.event.is_of_now() {
            self.lost = None;
        }
        match &record.event {
            BoardEvent::Board(found) => self.found = Some(found.clone()),
            BoardEvent::Position(position) => self.stands = Some(position.placement),
            BoardEvent::Change(change) => {
                let stands = self.stands.get_or_insert(Placement::EMPTY);
                stands.set(change.square, change.piece);
                self.moved = time.or(self.moved);
            }
            BoardEvent::Press(press) => self.clock.press(press, time),
            BoardEvent::Clock(clock) => self.clock.read(clock, time),
            BoardEvent::Mark(mark) => self.mark(mark.mark, mark.listing),
            BoardEvent::History(_) => self.stands = Some(Placement::EMPTY),
            BoardEvent::Lost(_) => self.lost = Some(time),
            BoardEvent::Found(_) => self.lost = None,
            BoardEvent::Fault(fault) => self.faults[fault.kind as usize] += 1,
            BoardEvent::Answers(answers) => self.answers = Some(answers.clone()),
            BoardEvent::Quiet {} | BoardEvent::Calibration(_) | BoardEvent::Readings(_) => {}
        }
        if !matches!(record.event, BoardEvent::Answers(_) | BoardEvent::Readings(_)) {
            if self.said.len() == KEPT {
                self.said.pop_front();
            }
            self.said.push_back((time, words::record(&record.event)));
        }
    }

    /// The clock of the recording machine was put back from one time to another; its earlier records had the first.
    pub fn clock_is_put_back(&mut self, from: Option<Time>, to: Time) {
        let by_then = |time: &mut Option<Time>| *time = time.map(|time| time.min(to));
        by_then(&mut self.heard);
        by_then(&mut self.moved);
        self.lost.iter_mut().for_each(by_then);
        self.clock.is_put_back(from, to);
    }

    fn mark(&mut self, mark: MarkKind, listing: bool) {
        if let Some(stands) = mark.stands() {
            self.stands = Some(stands);
        } else if listing {
            self.stands = Some(Placement::EMPTY);
        }
    }

    /// Reads a game record; returns whether a game began.
    ///
    /// # Errors
    /// What is wrong with an impossible record.
    pub fn play(&mut self, record: GameRecord) -> Result<bool, String> {
        if let GameEvent::Game(start) = &record.event {
            let again = self.game.as_ref().is_some_and(|game| game.number == record.game);
            self.earlier += usize::from(self.game.is_some() && !again);
            let before = self.game.replace(Game::new(&record, start.clone()));
            if !again {
                (self.other, self.other_is_later) = (before, false);
            }
            return Ok(true);
        }
        let is_of = |game: &Option<Game>| game.as_ref().is_some_and(|game| game.number == record.game);
        let of_other = !is_of(&self.game) && is_of(&self.other);
        let Some(game) = (if of_other { &mut self.other } else { &mut self.game }).as_mut() else {
            return Ok(false);
        };
        if game.number != record.game {
            return Ok(false);
        }
        // An end by the end of the input is not final.
        let ends = matches!(&record.event, GameEvent::End(end) if end.reason != EndReason::InputEnd);
        if ends && !of_other {
            self.clock.halt(record.time);
        }
        let plays = of_other && matches!(record.event, GameEvent::Move(_) | GameEvent::Takeback(_));
        let applied = game.apply(record.event, record.time);
        self.choose(plays);
        applied.map(|()| false)
    }

    /// Shows the later of the last two games, unless it is void, or has no move while the other one `plays` on.
    fn choose(&mut self, plays: bool) {
        let (Some(shown), Some(other)) = (&self.game, &self.other) else { return };
        let is_in_play_again = self.other_is_later && !other.moves.is_empty();
        let is_nothing = shown.is_void() || plays && shown.moves.is_empty();
        if !other.is_void() && (is_in_play_again || is_nothing) {
            self.earlier = self.earlier.saturating_add_signed(if self.other_is_later { 1 } else { -1 });
            self.other_is_later = !self.other_is_later;
            std::mem::swap(&mut self.game, &mut self.other);
        }
    }

    /// Whether a game is in play.
    pub fn in_play(&self) -> bool {
        self.game.as_ref().is_some_and(|game| !game.is_closed() && !game.is_void())
    }

    /// Whether the board shows the start of the game.
    pub fn stands_as_begins(&self, game: &Game) -> bool {
        let stands = self.stands.map(|stands| stand::standing(&stands, Some(game)));
        stands
            .zip(stand::expected(game, 0))
            .is_some_and(|(stands, begins)| stand::differing(&stands, &begins) == 0)
    }

    /// For how long it had no record, in seconds, where it would have had one in any case: a board alone on its cable
    /// sends nothing while no piece moves.
    pub fn unheard(&self, now: Time) -> Option<f64> {
        let heard = self.heard.filter(|_| self.mode() == Some(Mode::Bus))?;
        Some(heard.seconds_until(now))
    }

    /// The time for which its clock is known: for a lost board the time at which it was lost.
    pub fn clock_time(&self, now: Time) -> Time {
        match (self.lost, self.unheard(now)) {
            (Some(lost), _) => lost.or(self.heard).map_or(now, |lost| lost.min(now)),
            (None, Some(seconds)) if seconds > UNHEARD => now.after(UNHEARD - seconds),
            _ => now,
        }
    }

    /// The tags of its game: players, place, date.
    pub fn tags(&self) -> &Tags {
        self.game.as_ref().map_or(&self.seats, |game| &game.start.tags)
    }

    /// The mode in which it answers.
    pub fn mode(&self) -> Option<Mode> {
        self.found.as_ref()?.spoken()
    }
}
