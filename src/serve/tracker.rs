//! The game that a client has set up on a board: its moves, each published once and for good.
//!
//! The reconstruction publishes a move as soon as its board rests, and withdraws moves that turn out to be others; here
//! a move waits until it is [`certain`](super::certain). Where the reconstruction finds another game than was
//! published, nothing more is published until the board has the position of the published game: the game continues from
//! there.

use super::{certain, hall::Board};
use crate::{
    reconstruct::{Options, Reconstructor, Start},
    record::{
        BoardEvent, BoardPosition, BoardRecord, Change, GameEvent, GameRecord, Move, Placement, Square,
        Stream, Time,
    },
    rules::{Candidate, Game, chess::ChessGame, squares},
};

/// The reconstruction publishes a move after this many seconds of rest; whether it is certain is decided here.
const SETTLE_SECONDS: f64 = 0.25;
/// The position that was set up counts as this many seconds older than the board's current position.
const SET_UP_SECONDS_BEFORE: f64 = 60.0;
/// A board without a change for this many seconds counts as at rest, where no poll has reported that.
const REST_SECONDS: f64 = 1.0;
/// The greatest number of pieces that an incomplete move has lifted: the piece and its victim, or king and rook.
const LIFTED_MAX: usize = 2;

/// Tracks the game of a set-up.
pub struct Tracker {
    /// The board.
    pub board: usize,
    /// The position that was set up.
    pub fen: String,
    /// The moves that were published, in SAN.
    pub san: Vec<String>,
    /// The position after them.
    position: ChessGame,
    games: Reconstructor,
    /// The moves of the reconstruction, from the beginning of its game, each with the time at which it was complete.
    reported: Vec<(Move, Option<Time>)>,
    /// How many games it has published: a second game is not the one that was set up.
    begun: u32,
    rotated: bool,
    /// The board was further than one move from the position: its changes count only once it is not.
    waits: bool,
    /// The moves among `reported` that were published, in UCI.
    published: Vec<String>,
    /// The number of feeds that follow it.
    pub feeds: usize,
}

impl Tracker {
    /// Follows a board from a position; changes that are on the board already count.
    ///
    /// # Errors
    /// Why the text is no position of chess.
    pub fn new(at: usize, board: &Board, fen: &str) -> Result<Tracker, String> {
        let position = ChessGame::from_fen(fen)?;
        let mut tracker = Tracker {
            board: at,
            fen: fen.to_owned(),
            san: Vec::new(),
            position,
            games: Reconstructor::default(),
            reported: Vec::new(),
            begun: 0,
            rotated: board.flipped,
            waits: false,
            published: Vec::new(),
            feeds: 0,
        };
        tracker.begin(board);
        Ok(tracker)
    }

    /// Begins the reconstruction from the published position, with the changes that are on the board already.
    fn begin(&mut self, board: &Board) {
        let start = Some(Start::Chess(self.position.clone()));
        let options = Options { settle: SETTLE_SECONDS, start, ..Options::default() };
        self.games = Reconstructor::new(options);
        (self.begun, self.published, self.waits) = (0, Vec::new(), false);
        self.reported.clear();
        let now = board.time.unwrap_or(Time(0));
        let changed = board.changed.unwrap_or(now).min(now);
        let expected = *self.position.placement();
        let expected = if board.flipped { expected.turned() } else { expected };
        self.report(board, changed.after(-SET_UP_SECONDS_BEFORE), position(expected));
        // The changes may be one move, or a part of one. Otherwise the last move of the game may still have to be made
        // on the board, and the tracker waits for that.
        let beyond: Vec<Square> = board.stands.differing(&expected).collect();
        let is_lifted = |square: &Square| board.stands.get(*square).is_none();
        let in_the_making = beyond.len() <= LIFTED_MAX && beyond.iter().all(is_lifted);
        self.waits = !in_the_making && !self.is_a_move_to(self.stands(board));
        if self.waits {
            return;
        }
        let (landed, lifted): (Vec<Square>, Vec<Square>) =
            beyond.into_iter().partition(|&square| board.stands.get(square).is_some());
        for square in lifted.into_iter().chain(landed) {
            let piece = board.stands.get(square);
            self.report(board, changed, BoardEvent::Change(Change { square, piece, quick: None }));
        }
        if board.rests || now > changed {
            self.report(board, now, BoardEvent::Quiet {});
        }
    }

    /// Whether one legal move leads to this position.
    fn is_a_move_to(&self, stands: Placement) -> bool {
        let leads = |played: &Candidate<_>| *self.position.after(played).placement() == stands;
        self.position.moves().iter().any(leads)
    }

    fn report(&mut self, board: &Board, time: Time, event: BoardEvent) {
        let record =
            BoardRecord { line: board.name.0.clone(), ..BoardRecord::new(Some(time), board.name.1, event) };
        self.record(&record);
    }

    /// Adds a stream record.
    pub fn stream(&mut self, stream: &Stream) {
        let mut reported = Vec::new();
        let Ok(()) = self.games.stream(stream, |record| keep(&mut reported, record));
        reported.into_iter().for_each(|record| self.take(record));
    }

    /// Adds a record of the board.
    pub fn record(&mut self, record: &BoardRecord) {
        // A player on a server presses no clock, though one may run beside the board.
        if self.waits || matches!(record.event, BoardEvent::Clock(_) | BoardEvent::Press(_)) {
            return;
        }
        let mut reported = Vec::new();
        let Ok(()) = self.games.record(record, |record| keep(&mut reported, record));
        reported.into_iter().for_each(|record| self.take(record));
    }

    fn take(&mut self, record: GameRecord) {
        match record.event {
            GameEvent::Game(start) => {
                self.begun = self.begun.max(record.game);
                if record.game == 1 {
                    self.rotated = start.rotated;
                    self.reported.clear();
                }
            }
            GameEvent::Move(mv) if record.game == 1 => {
                let Some(at) = mv.ply.and_then(|ply| (ply as usize).checked_sub(1)) else { return };
                match self.reported.get_mut(at) {
                    // The move was published again with its certainty.
                    Some((known, _)) if known.uci == mv.uci => *known = *mv,
                    _ => {
                        self.reported.truncate(at);
                        self.reported.push((*mv, record.time));
                    }
                }
            }
            GameEvent::Takeback(back) if record.game == 1 => self.reported.truncate(back.ply as usize),
            _ => {}
        }
    }

    /// The position of the board, from the side of the game.
    fn stands(&self, board: &Board) -> Placement {
        if self.rotated { board.stands.turned() } else { board.stands }
    }

    /// Whether the board has the position of the published game.
    pub fn matches(&self, board: &Board) -> bool {
        let stands = self.stands(board);
        stands == *self.position.placement() || self.position.shown_as(stands.codes()).is_some()
    }

    /// Whether the moves of the reconstruction continue the published moves.
    fn continues(&self) -> bool {
        !self.waits
            && self.begun <= 1
            && self.reported.len() >= self.published.len()
            && self
                .reported
                .iter()
                .zip(&self.published)
                .all(|((mv, _), known)| mv.uci.as_ref() == Some(known))
    }

    /// Whether a client that sets up the same position now may share this tracker: it has published no move, and the
    /// game may begin from here.
    pub fn may_be_shared(&self, board: &Board) -> bool {
        let may_begin = || self.matches(board) || !self.reported.is_empty() || !board.rests;
        self.san.is_empty() && (self.waits || self.continues() && may_begin())
    }

    /// Publishes the next move, if it is certain at this record time, and has stood for `seconds_min` or was replied to;
    /// else returns when to check again.
    pub fn publish(&mut self, board: &Board, seconds_min: f64, now: Time) -> Result<(), Option<Time>> {
        if !self.continues() {
            // Of a piece that was on its way at the setup, the move may be complete by now.
            let is_made = self.waits && self.is_a_move_to(self.stands(board));
            if !is_made && !self.matches(board) {
                return Err(None);
            }
            let is_moving = !self.waits && !board.rests;
            let stands_since = board.changed.filter(|_| is_moving).map(|changed| changed.after(REST_SECONDS));
            if stands_since.is_some_and(|due| due > now) {
                return Err(stands_since);
            }
            self.begin(board);
            return Err(None);
        }
        let next = self.published.len();
        let Some((mv, time)) = self.reported.get(next) else { return Err(None) };
        if mv.certainty.is_some_and(|certainty| certainty < certain::CERTAINTY_MIN) {
            return Err(None);
        }
        let is_it = |uci: Option<String>| uci.is_some() && uci == mv.uci;
        let moves = self.position.moves();
        let Some(played) = moves.into_iter().find(|c| is_it(self.position.describe(&c.mv).uci)) else {
            return Err(None);
        };
        let (stands, after) = (self.stands(board), self.position.after(&played));
        if certain::shows_result(&played, &stands) {
            return Err(None);
        }
        // After a king that comes to the centre, a step of the other king may be its way there: it counts as no reply.
        let may_show = certain::goes_to_centre(&played);
        let is_step = |mv: &Move| mv.san.as_ref().is_some_and(|san| san.starts_with('K'));
        let is_replied = self.reported.get(next + 1).is_some_and(|(reply, _)| !(may_show && is_step(reply)));
        if !is_replied {
            let goes_on = may_show && certain::is_answered(&after, &stands);
            let seconds = if goes_on { 0.0 } else { certain::stands_for(&self.position, &played) };
            let due = time.map(|time| time.after(seconds.max(seconds_min)));
            if due.is_some_and(|due| due > now) {
                return Err(due);
            }
            let stands_so =
                |at| stands.codes()[usize::from(at)] == after.placement().codes()[usize::from(at)];
            if !squares(played.changed).all(stands_so) || may_show && !certain::both_kings_stand(&stands) {
                return Err(None);
            }
        }
        self.san.extend(mv.san.clone());
        self.published.extend(mv.uci.clone());
        self.position = after;
        Ok(())
    }
}

fn keep(reported: &mut Vec<GameRecord>, record: GameRecord) -> Result<(), std::convert::Infallible> {
    reported.push(record);
    Ok(())
}

fn position(placement: Placement) -> BoardEvent {
    BoardEvent::Position(BoardPosition { placement, result: None })
}
