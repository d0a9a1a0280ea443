//! The game that a client has set up on a board: what was played from there, move by move, each published once and for good.
//!
//! The reconstruction publishes a move as soon as its board rests, and takes back what later turns out otherwise; here a move waits
//! until [`certain`](super::certain) says that it will stay. Where the reconstruction comes to another game than was published,
//! nothing more is published until the board stands as the published game does: from there it goes on.

use super::{certain, hall::Board};
use crate::{
    reconstruct::{Options, Reconstructor, Start},
    record::{
        BoardEvent, BoardPosition, BoardRecord, Change, GameEvent, GameRecord, Move, Placement, Square,
        Stream, Time,
    },
    rules::{Candidate, Game, chess::ChessGame, squares},
};

/// The reconstruction publishes a move when its board was found at rest so long after it, in seconds; what is sure of it is decided here.
const SETTLE: f64 = 0.25;
/// Before a board shows what it shows, it stood as was set up: so many seconds.
const BEFORE: f64 = 60.0;
/// A board that shows no change for so many seconds stands, where no poll has said so.
const STANDS: f64 = 1.0;
/// A move in the making has lifted so many pieces, at most: the mover and its victim, or king and rook.
const LIFTED: usize = 2;

/// See the module.
pub struct Tracker {
    /// The board.
    pub board: usize,
    /// What was set up.
    pub fen: String,
    /// The moves that were published.
    pub san: Vec<String>,
    /// Where they lead.
    position: ChessGame,
    games: Reconstructor,
    /// What the reconstruction publishes of the game, from where it began, each move with the time at which it was complete.
    reported: Vec<(Move, Option<Time>)>,
    /// How many games it has published: one that begins again is none of ours.
    begun: u32,
    rotated: bool,
    /// The board stood otherwise than a move from the position: nothing counts before it stands there.
    waits: bool,
    /// Of `reported` so many were published, by their names in UCI.
    published: Vec<String>,
    /// Feeds that follow it.
    pub feeds: usize,
}

impl Tracker {
    /// Follows a board from a position; what stands there already is looked at.
    ///
    /// # Errors
    /// Why that is no position of chess.
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

    /// Has the reconstruction begin from the published position, and look at what stands.
    fn begin(&mut self, board: &Board) {
        let start = Some(Start::Chess(self.position.clone()));
        self.games = Reconstructor::new(Options { settle: SETTLE, start, ..Options::default() });
        (self.begun, self.published, self.waits) = (0, Vec::new(), false);
        self.reported.clear();
        let now = board.time.unwrap_or(Time(0));
        let changed = board.changed.unwrap_or(now).min(now);
        let expected = *self.position.placement();
        let expected = if board.flipped { expected.turned() } else { expected };
        self.say(board, changed.after(-BEFORE), position(expected));
        // What is there beyond is one move, or one in the making. Else the last move of the game may still be to be made on the
        // board: it waits for that.
        let beyond: Vec<Square> = board.stands.differing(&expected).collect();
        let is_lifted = |square: &Square| board.stands.get(*square).is_none();
        let in_the_making = beyond.len() <= LIFTED && beyond.iter().all(is_lifted);
        self.waits = !in_the_making && !self.is_a_move_to(self.stands(board));
        if self.waits {
            return;
        }
        let (landed, lifted): (Vec<Square>, Vec<Square>) =
            beyond.into_iter().partition(|&square| board.stands.get(square).is_some());
        for square in lifted.into_iter().chain(landed) {
            let piece = board.stands.get(square);
            self.say(board, changed, BoardEvent::Change(Change { square, piece, quick: None }));
        }
        if board.rests || now > changed {
            self.say(board, now, BoardEvent::Quiet {});
        }
    }

    /// Whether one legal move leads there.
    fn is_a_move_to(&self, stands: Placement) -> bool {
        let leads = |played: &Candidate<_>| *self.position.after(played).placement() == stands;
        self.position.moves().iter().any(leads)
    }

    fn say(&mut self, board: &Board, time: Time, event: BoardEvent) {
        let record =
            BoardRecord { line: board.name.0.clone(), ..BoardRecord::new(Some(time), board.name.1, event) };
        self.record(&record);
    }

    /// A source begins.
    pub fn stream(&mut self, stream: &Stream) {
        let mut reported = Vec::new();
        let Ok(()) = self.games.stream(stream, |record| keep(&mut reported, record));
        reported.into_iter().for_each(|record| self.take(record));
    }

    /// The board reported this.
    pub fn record(&mut self, record: &BoardRecord) {
        // Who plays on a server presses no clock, though one may run there.
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
                    // How sure it is was published again.
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

    /// What stands on the board, as the players of the game see it.
    fn stands(&self, board: &Board) -> Placement {
        if self.rotated { board.stands.turned() } else { board.stands }
    }

    /// Whether the board stands as the published game does.
    pub fn matches(&self, board: &Board) -> bool {
        let stands = self.stands(board);
        stands == *self.position.placement() || self.position.shown_as(stands.codes()).is_some()
    }

    /// Whether what the reconstruction publishes goes on from what was published.
    fn goes_on(&self) -> bool {
        !self.waits
            && self.begun <= 1
            && self.reported.len() >= self.published.len()
            && self
                .reported
                .iter()
                .zip(&self.published)
                .all(|((mv, _), known)| mv.uci.as_ref() == Some(known))
    }

    /// Whether the game may still go on there: who sets it up again may follow it too.
    pub fn is_alive(&self, board: &Board) -> bool {
        self.goes_on() && (self.matches(board) || self.reported.len() > self.published.len() || !board.rests)
    }

    /// Whether the board stands as was set up.
    pub fn stands_at_start(&self, board: &Board) -> bool {
        Placement::of_fen(&self.fen).is_some_and(|start| self.stands(board) == start)
    }

    /// Publishes the next move, if it is sure at this moment of record time; else when to look again.
    pub fn publish(&mut self, board: &Board, now: Time) -> Result<(), Option<Time>> {
        if !self.goes_on() {
            if !self.matches(board) {
                return Err(None);
            }
            let is_moving = !self.waits && !board.rests;
            let stands_since = board.changed.filter(|_| is_moving).map(|changed| changed.after(STANDS));
            if stands_since.is_some_and(|due| due > now) {
                return Err(stands_since);
            }
            self.begin(board);
            return Err(None);
        }
        let next = self.published.len();
        let Some((mv, time)) = self.reported.get(next) else { return Err(None) };
        if mv.certainty.is_some_and(|certainty| certainty < certain::SURE) {
            return Err(None);
        }
        let is_it = |uci: Option<String>| uci.is_some() && uci == mv.uci;
        let moves = self.position.moves();
        let Some(played) = moves.into_iter().find(|c| is_it(self.position.describe(&c.mv).uci)) else {
            return Err(None);
        };
        if certain::shows_result(&played, &self.stands(board)) {
            return Err(None);
        }
        // After a king that comes to the centre, a step of the other one may be its way there: it is no reply.
        let may_show = certain::goes_to_centre(&played);
        let is_step = |mv: &Move| mv.san.as_ref().is_some_and(|san| san.starts_with('K'));
        let is_replied = self.reported.get(next + 1).is_some_and(|(reply, _)| !(may_show && is_step(reply)));
        if !is_replied {
            let due = time.map(|time| time.after(certain::stands_for(&self.position, &played)));
            if due.is_some_and(|due| due > now) {
                return Err(due);
            }
            let (stands, after) = (self.stands(board), self.position.after(&played));
            let stands_so =
                |at| stands.codes()[usize::from(at)] == after.placement().codes()[usize::from(at)];
            if !squares(played.changed).all(stands_so) || may_show && !certain::both_kings_stand(&stands) {
                return Err(None);
            }
        }
        self.san.extend(mv.san.clone());
        self.published.extend(mv.uci.clone());
        self.position = self.position.after(&played);
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
