//! One board: how it stands, what it said last, and the game in play on it.

use std::collections::VecDeque;

use super::{ply::Game, stand, words};
use crate::record::{
    Answers, BoardEvent, BoardFound, BoardRecord, EndReason, FaultKind, GameEvent, GameRecord, MarkKind,
    Mode, Placement, ShownClock, Tags, Time,
};

/// So many of a board's last records are kept in words: more than a screen has room for.
const KEPT: usize = 64;

/// On a bus every board is told of once a minute at least, by how it answered, whatever it says. One that is not for so long,
/// in seconds, was not asked any more: five of those are not missed by chance, and what its clock shows is known no longer.
pub const UNHEARD: f64 = 300.0;

/// A board of the hall.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// What stands on it by its own word, before it is turned.
    pub stands: Option<Placement>,
    /// Its clock.
    pub clock: ShownClock,
    /// Where and as what it answered.
    pub found: Option<BoardFound>,
    /// When it was last heard of.
    pub heard: Option<Time>,
    /// When its pieces last moved.
    pub moved: Option<Time>,
    /// Since when it cannot be reached.
    pub lost: Option<Option<Time>>,
    /// Faults, in the order of [`FaultKind::ALL`].
    pub faults: [u64; FaultKind::ALL.len()],
    /// How its answers came, when that was last told.
    pub answers: Option<Answers>,
    /// Its last records, the newest last.
    pub said: VecDeque<(Option<Time>, String)>,
    /// The game in play or played last.
    pub game: Option<Game>,
    /// The game before it, which may go on where nothing comes of that; or that of which nothing came.
    pub other: Option<Game>,
    /// It is the latter.
    pub other_is_later: bool,
    /// Games before that.
    pub earlier: usize,
    /// Who sits there, as long as no game has begun.
    pub seats: Tags,
}

impl Board {
    /// What the board reported, or the link to it.
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
            BoardEvent::Clock(clock) => self.clock.told(clock, time),
            BoardEvent::Mark(mark) => self.mark(mark.mark, mark.listing),
            BoardEvent::History(_) => self.stands = Some(Placement::EMPTY),
            BoardEvent::Lost(_) => self.lost = Some(time),
            BoardEvent::Found(_) => self.lost = None,
            BoardEvent::Fault(fault) => self.faults[fault.kind as usize] += 1,
            BoardEvent::Answers(answers) => self.answers = Some(answers.clone()),
            BoardEvent::Quiet {} => {}
        }
        if !matches!(record.event, BoardEvent::Answers(_)) {
            if self.said.len() == KEPT {
                self.said.pop_front();
            }
            self.said.push_back((time, words::record(&record.event)));
        }
    }

    /// The clock of those who record was put back from one moment to another, by which all was said that was said.
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

    /// What was played on it; whether a game began.
    ///
    /// # Errors
    /// What is wrong with a record that cannot be.
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
        // What only the end of an input ended goes on somewhere.
        let ends = matches!(&record.event, GameEvent::End(end) if end.reason != EndReason::InputEnd);
        if ends && !of_other {
            self.clock.halt(record.time);
        }
        let plays = of_other && matches!(record.event, GameEvent::Move(_) | GameEvent::Takeback(_));
        let applied = game.apply(record.event, record.time);
        self.choose(plays);
        applied.map(|()| false)
    }

    /// Shows the later of the last two games, but where nothing came of it: it never was, or nobody moved in it and the other
    /// `plays` on.
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

    /// Whether it stands as a game begins.
    pub fn stands_as_begins(&self, game: &Game) -> bool {
        let stands = self.stands.map(|stands| stand::standing(&stands, Some(game)));
        stands
            .zip(stand::expected(game, 0))
            .is_some_and(|(stands, begins)| stand::differing(&stands, &begins) == 0)
    }

    /// For how long nothing was heard of it, in seconds, where it would be heard of whatever it does: a board alone on its cable
    /// says nothing while nobody moves.
    pub fn unheard(&self, now: Time) -> Option<f64> {
        let heard = self.heard.filter(|_| self.mode() == Some(Mode::Bus))?;
        Some(heard.seconds_until(now))
    }

    /// The moment whose clock is known, at this one: of a board that is lost that at which it went.
    pub fn clock_time(&self, now: Time) -> Time {
        match (self.lost, self.unheard(now)) {
            (Some(lost), _) => lost.or(self.heard).map_or(now, |lost| lost.min(now)),
            (None, Some(seconds)) if seconds > UNHEARD => now.after(UNHEARD - seconds),
            _ => now,
        }
    }

    /// What is known of who plays, where and when.
    pub fn tags(&self) -> &Tags {
        self.game.as_ref().map_or(&self.seats, |game| &game.start.tags)
    }

    /// As what it answers: one of many, or alone.
    pub fn mode(&self) -> Option<Mode> {
        self.found.as_ref()?.spoken()
    }
}
