//! Which piece stands on which square, derived from changes alone. A piece is identified by its home: the square on which it
//! stood when its game began.

use std::collections::VecDeque;

use super::{
    exchanged::exchanged,
    lifted::{Journey, Lifted, Vanished},
    limits,
    reach::{Walker, is_pawn, is_white, reach, reach_back},
    sides::{Sides, index_of},
};
use crate::record::{Change, Piece, Placement, Side, Square, Time};

/// How many lifted pieces, and how many moved ones, are remembered.
const MAX_LIFTED: usize = 16;
/// A piece seen on its new square before it left its old one leaves within this time, in seconds.
const SEEN_TWICE_SECONDS: f64 = 5.0;

/// A piece that landed elsewhere than where it was lifted.
#[derive(Debug, Clone, Copy)]
struct Moved {
    lifted: Lifted,
    to: Square,
    /// It can have gone there in one move; if not, an identical piece is expected to leave its square.
    plausible: bool,
}

/// A piece that was seen to land: where, which and when.
type Seen = (Square, Piece, Option<Time>);

/// A piece that left a square, if it was identified: its type, its home and when.
type Left = (Piece, Square, Option<Time>);

/// A piece disappeared from its square and returned, which was no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropOut {
    /// The square.
    pub square: Square,
    /// The type of the piece.
    pub piece: Piece,
    /// The home of the piece, if known.
    pub home: Option<Square>,
    /// It was back within one or two scans.
    pub quick: bool,
}

/// The pieces of a board.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// The position.
    pub stands: Placement,
    /// The home of the piece on each field, if known.
    homes: [Option<Square>; 64],
    /// A square whose piece was identified differently by the last change, until somebody takes it.
    reidentified: Option<Square>,
    /// The square that changed last.
    last_changed: Option<Square>,
    /// Which identified piece left each field last, and when.
    left: [Option<Left>; 64],
    lifted: VecDeque<Lifted>,
    /// Pieces that landed elsewhere, the latest first.
    moved: VecDeque<Moved>,
    /// When the last moved piece landed, if it had been reported as vanished and was not found to be another piece.
    came_back: Option<Option<Time>>,
    /// When the last moved piece landed, if no piece has landed since.
    came_down: Option<Option<Time>>,
    /// The piece that came back turned out to be another.
    did_not_come_back: bool,
    /// How many pieces have landed.
    landings: u32,
    /// The same of Black and of White.
    own_landings: [u32; 2],
    /// At which side of the clock each player sits.
    sides: Sides,
    /// The last piece that landed, until somebody takes it.
    journey: Option<Journey>,
    /// The current game is chess, where a piece is captured on the square on which another lands.
    chess: bool,
    /// The last piece of Black and of White that landed without having been lifted.
    unknown: [Option<Seen>; 2],
    /// Where the same piece was seen just before that.
    passed: Option<Seen>,
    /// Where the moving piece was seen before it was seen back on its old square.
    between: Option<Seen>,
    /// A piece that landed without having been lifted and is taken for the one that last left that square.
    back: Option<Seen>,
    /// The position at the last rest.
    rested: Option<Placement>,
    /// The square of a piece that appeared from nowhere on a board at rest.
    ghost: Option<Square>,
    /// Position and homes before the board began to list its pieces.
    before_list: Option<Box<(Placement, [Option<Square>; 64])>>,
    /// The position is known.
    known: bool,
}

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces {
            stands: Placement::EMPTY,
            homes: [None; 64],
            reidentified: None,
            last_changed: None,
            left: [None; 64],
            lifted: VecDeque::new(),
            moved: VecDeque::new(),
            came_back: None,
            came_down: None,
            did_not_come_back: false,
            landings: 0,
            own_landings: [0; 2],
            sides: Sides::default(),
            journey: None,
            chess: false,
            unknown: [None; 2],
            passed: None,
            between: None,
            back: None,
            rested: None,
            ghost: None,
            before_list: None,
            known: false,
        }
    }
}

impl Pieces {
    /// Whether the position is known.
    pub fn are_known(&self) -> bool {
        self.known
    }

    /// Where the piece with this home stands now.
    pub fn place_of(&self, home: Square) -> Option<Square> {
        Square::all().find(|square| self.homes[usize::from(square.field())] == Some(home))
    }

    /// The piece on a square, and its home if known.
    pub fn on(&self, square: Square) -> Option<(Piece, Option<Square>)> {
        Some((self.stands.get(square)?, self.homes[usize::from(square.field())]))
    }

    /// The board reports its whole position.
    pub fn stand(&mut self, placement: &Placement) {
        for square in Square::all() {
            if self.stands.get(square) != placement.get(square) {
                self.homes[usize::from(square.field())] = None;
            }
        }
        self.stands = *placement;
        self.known = true;
        self.settle();
        self.lifted.clear();
    }

    /// The pieces rest.
    pub fn rest(&mut self, time: Option<Time>) {
        self.end_list();
        let own = self.own_landings;
        for lifted in self.lifted.iter_mut().filter(|lifted| !lifted.reported) {
            let white = usize::from(is_white(lifted.piece));
            // A piece that landed after the press may be the moved one, and one of the other colour may have captured it.
            let none = own[white] == lifted.own_landings && own[1 - white] == lifted.others_landings;
            for (rested, pressed) in lifted.rested.iter_mut().zip(lifted.pressed_at) {
                let since = pressed.zip(time).map_or(0.0, |(at, now)| at.seconds_until(now));
                *rested |= since >= limits::REST_AFTER_PRESS_SECONDS && none;
            }
        }
        self.settle();
    }

    fn settle(&mut self) {
        self.rested = self.known.then_some(self.stands);
        self.ghost = None;
        if self.is_start() {
            self.begin();
        }
    }

    /// Whether this is a start position.
    pub fn is_start(&self) -> bool {
        self.stands.is_start()
    }

    /// The exchanged pieces in words, if the board is set up but for them.
    pub fn exchanged(&self) -> Option<String> {
        exchanged(&self.stands).filter(|_| self.known)
    }

    /// A game begins with this position: each piece is identified by its square from here on.
    pub fn begin(&mut self) {
        self.homes = self.stands.codes().map(|_| None);
        for square in Square::all().filter(|&square| self.stands.get(square).is_some()) {
            self.homes[usize::from(square.field())] = Some(square);
        }
        self.lifted.clear();
        self.moved.clear();
        self.came_back = None;
        // The players may have changed sides.
        self.sides = Sides::default();
        (self.unknown, self.left) = ([None; 2], [None; 64]);
        self.chess = self.stands.count() == 32;
    }

    /// A list of all pieces follows, starting from an empty board.
    pub fn list(&mut self) {
        self.before_list = Some(Box::new((self.stands, self.homes)));
        self.stands = Placement::EMPTY;
        self.homes = [None; 64];
        self.lifted.clear();
        (self.known, self.ghost) = (true, None);
    }

    /// Whether a list is being read.
    pub fn is_being_listed(&self) -> bool {
        self.before_list.is_some()
    }

    /// The list is complete.
    pub fn end_list(&mut self) {
        if self.before_list.take().is_some() && self.is_start() {
            self.begin();
        }
    }

    /// An entry of a list, or of a log that repeats what was already reported.
    pub fn repeat_change(&mut self, change: &Change) {
        let at = usize::from(change.square.field());
        self.stands.set(change.square, change.piece);
        let known = self.before_list.as_deref().filter(|before| before.0.get(change.square) == change.piece);
        self.homes[at] = known.and_then(|before| before.1[at]);
    }

    /// A clock was pressed.
    pub fn press(&mut self, side: Side, time: Option<Time>) {
        self.sides.press(side, time);
        let own = self.own_landings;
        for lifted in self.lifted.iter_mut().filter(|lifted| !lifted.reported) {
            let white = is_white(lifted.piece);
            lifted.presses += 1;
            if lifted.own_landings == own[usize::from(white)] {
                lifted.pressed = true;
                let at = &mut lifted.pressed_at[index_of(side)];
                *at = at.or(time);
            }
        }
    }

    /// A square changed on a board where the squares `silent` (bit n for field n) have never reported a piece. Returns the
    /// drop-out that ends with this change, if any.
    pub fn change(&mut self, change: &Change, silent: u64, time: Option<Time>) -> Option<DropOut> {
        let Change { square, piece, quick } = *change;
        let at = usize::from(square.field());
        // `quick` belongs to the previous change, on whichever square that was.
        let (quick, just_now) = (quick == Some(true), self.last_changed.replace(square) == Some(square));
        let is_quick = |left: Option<Time>| quick && (just_now || left == time);
        let piece = piece.filter(|piece| piece.letter().is_some());
        let before = self.stands.get(square);
        if self.known && before == piece {
            // A board may overwrite its last entry, so that the piece left and returned unread.
            return piece.map(|piece| DropOut { square, piece, home: self.homes[at], quick: true });
        }
        let ghost = self.ghost.take();
        let came_to_rest = self.rested == Some(self.stands);
        if let Some(before) = before {
            self.lift(square, before, time);
        }
        self.stands.set(square, piece);
        self.homes[at] = None;
        let Some(piece) = piece else {
            let vanished = before.filter(|_| ghost == Some(square) && self.rested == Some(self.stands));
            return vanished.map(|piece| DropOut { square, piece, home: None, quick: quick && just_now });
        };
        // An identified piece that left before another landed here was captured or has moved on.
        self.left[at] = self.left[at].filter(|(left, ..)| *left == piece);
        let landed = self.land(square, piece, silent, time);
        self.homes[at] = landed.and_then(|lifted| lifted.home);
        match landed {
            Some(lifted) if lifted.from == square => {
                let quick = is_quick(lifted.at);
                is_soon(lifted.at, time).then_some(DropOut { square, piece, home: lifted.home, quick })
            }
            Some(_) => None,
            None if self.is_back(square, piece, time) => {
                let quick = is_quick(self.left[at].and_then(|(_, _, left)| left));
                Some(DropOut { square, piece, home: self.homes[at], quick })
            }
            None => {
                let before = self.unknown[usize::from(is_white(piece))].replace((square, piece, time));
                self.passed = before.filter(|(_, seen, when)| *seen == piece && is_just_now(*when, time));
                self.ghost = came_to_rest.then_some(square);
                None
            }
        }
    }

    /// Whether a piece that was not lifted is the one that last left this square; if so it is identified as that one.
    fn is_back(&mut self, square: Square, piece: Piece, time: Option<Time>) -> bool {
        let at = usize::from(square.field());
        let Some((_, home, _)) =
            self.left[at].filter(|(left, _, when)| *left == piece && is_soon(*when, time))
        else {
            return false;
        };
        let is_it = self.place_of(home).is_none();
        if is_it {
            self.homes[at] = Some(home);
            self.back = Some((square, piece, time));
        }
        is_it
    }

    fn lift(&mut self, from: Square, piece: Piece, at: Option<Time>) {
        let home = self.homes[usize::from(from.field())];
        if let Some(home) = home {
            self.left[usize::from(from.field())] = Some((piece, home, at));
        }
        // The piece passes this square: it was seen on the next one before it was seen to leave its own.
        if home.is_none() && self.slid_on(from, piece, at) {
            return;
        }
        // The piece was seen on its new square before it left this one.
        let white = usize::from(is_white(piece));
        if let Some((square, seen, when)) = self.unknown[white]
            && seen == piece
            && square != from
            && self.stands.get(square) == Some(piece)
            && is_just_now(when, at)
        {
            self.reidentify(square, home);
            self.unknown[white] = None;
            return;
        }
        if self.slid_on(from, piece, at)
            || self.went_back(from, piece, home, at)
            || self.came_down_before(from, piece, home, at)
            || self.is_passed(from, piece, home)
        {
            return;
        }
        let reach = reach(&Walker { piece, home }, from, &self.stands);
        // The piece landed and slides on: the press was read before the last square of its move.
        let slides_on =
            self.came_down == Some(at) && self.moved.front().is_some_and(|moved| moved.to == from);
        let pressed_at =
            self.sides.pressed_at(is_white(piece), at).map(|pressed| pressed.filter(|_| slides_on));
        self.remember_lifted(Lifted {
            piece,
            home,
            from,
            at,
            reach,
            landings: self.landings,
            own_landings: self.own_landings[white],
            others_landings: self.own_landings[1 - white],
            reported: false,
            presses: 0,
            pressed: pressed_at != [None; 2],
            pressed_at,
            rested: [false; 2],
        });
    }

    fn remember_lifted(&mut self, lifted: Lifted) {
        if self.lifted.len() == MAX_LIFTED {
            self.lifted.pop_front();
        }
        self.lifted.push_back(lifted);
    }

    /// Whether a piece that leaves this square was seen on it and on the next of its way before it left its own.
    fn slid_on(&mut self, from: Square, piece: Piece, at: Option<Time>) -> bool {
        let is_it = |&(square, seen, when): &Seen| square == from && seen == piece && is_just_now(when, at);
        self.passed.take_if(|seen| is_it(seen)).is_some()
    }

    /// Whether a piece that leaves this square was just seen back on another square before it left this one.
    fn went_back(&mut self, from: Square, piece: Piece, home: Option<Square>, at: Option<Time>) -> bool {
        // The piece returned to its old square, and there was only one such piece.
        let between = |&(square, seen, when): &Seen| square == from && seen == piece && is_just_now(when, at);
        // The piece came from here, and was not the one that had left that square.
        let another = |&(square, seen, when): &Seen| {
            let plausible = || Walker { piece, home }.may_go(from, square);
            square != from && seen == piece && when == at && at.is_some() && plausible()
        };
        let was_between = self.between.take_if(|seen| between(seen)).is_some();
        if was_between {
            self.unknown[usize::from(is_white(piece))] = None;
        }
        was_between || self.back.take_if(|seen| another(seen)).is_some()
    }

    /// Whether a piece is the one that was just seen to land before it left, rather than the identical one that had
    /// vanished and is still where it was.
    fn came_down_before(
        &mut self,
        from: Square,
        piece: Piece,
        home: Option<Square>,
        at: Option<Time>,
    ) -> bool {
        let Some(Moved { lifted: other, to, plausible }) = self.moved.front().copied() else { return false };
        let walker = Walker { piece, home };
        let doubtful = self.came_back.or_else(|| self.came_down.filter(|_| !plausible));
        let is_it = doubtful.is_some_and(|when| is_just_now(when, at))
            && other.piece == piece
            && from != to
            && self.stands.get(to) == Some(piece)
            && walker.may_go(from, to);
        if is_it {
            self.moved.pop_front();
            self.remember_lifted(other);
            self.reidentify(to, home);
            self.did_not_come_back = self.came_back.take().is_some();
            self.came_down = None;
        }
        is_it
    }

    /// Whether this is a pawn that another has just captured en passant.
    fn is_passed(&self, from: Square, piece: Piece, home: Option<Square>) -> bool {
        let Some(Moved { lifted: other, to, .. }) = self.moved.front() else { return false };
        let (row, file) = (to.field() / 8, to.field() % 8);
        let captured = other.from.field() % 8 != file && from.field() % 8 == file;
        is_pawn(piece)
            && is_pawn(other.piece)
            && is_white(piece) != is_white(other.piece)
            && captured
            && from.field() / 8 == other.from.field() / 8
            && home.is_none_or(|home| home.field() / 8 + from.field() / 8 == 2 * row)
    }

    /// The game explains all pieces lifted after `since`: those off the board were captured.
    pub fn explained(&mut self, since: Time) {
        self.lifted.retain(|lifted| lifted.reported || lifted.at.is_some_and(|at| at <= since));
    }

    /// Whether the last piece that landed after it had vanished turned out to be another; reported once.
    pub fn did_not_come_down(&mut self) -> bool {
        std::mem::take(&mut self.did_not_come_back)
    }

    /// The lifted piece that has landed: one that returns to its square, else a plausible one, else the last lifted.
    fn land(&mut self, square: Square, piece: Piece, silent: u64, time: Option<Time>) -> Option<Lifted> {
        self.landings += 1;
        self.own_landings[usize::from(is_white(piece))] += 1;
        self.sides.land(is_white(piece), time);
        (self.came_back, self.came_down) = (None, None);
        let captures = self.remove_captured(square, piece);
        // A piece that stands unseen may do so for a long time.
        let longest = 10.0 * limits::DROP_OUT_SECONDS;
        let recent =
            |lifted: &Lifted| lifted.at.zip(time).is_none_or(|(at, now)| at.seconds_until(now) <= longest);
        let stands = self.stands;
        let between = |lifted: &Lifted| {
            let walker = lifted.walker();
            let gone = lifted.reach | reach(&walker, lifted.from, &stands);
            lifted.from == square || gone & reach_back(&walker, square, &stands) & silent != 0
        };
        let late = |lifted: &Lifted| is_read_late(lifted, square, time);
        let fits = |lifted: &Lifted| {
            lifted.piece == piece
                && if lifted.reported { between(lifted) || late(lifted) } else { recent(lifted) }
        };
        let plausible = |lifted: &Lifted| lifted.walker().may_come(lifted.from, square, captures);
        let back = self.lifted.iter().rposition(|lifted| fits(lifted) && lifted.from == square);
        let likely = || self.lifted.iter().rposition(|lifted| fits(lifted) && plausible(lifted));
        let at = back.or_else(likely).or_else(|| self.lifted.iter().rposition(fits));
        let Some(lifted) = at.and_then(|at| self.lifted.remove(at)) else {
            return self.mistaken_for_arriving(square, piece, time);
        };
        if lifted.from == square {
            self.journey = self.journey_of(&lifted, square, time);
            return Some(lifted);
        }
        if let Some(dropped_out) = self.mistaken_for_other(square, &lifted) {
            return Some(dropped_out);
        }
        self.moved.truncate(MAX_LIFTED - 1);
        self.moved.push_front(Moved { lifted, to: square, plausible: plausible(&lifted) });
        self.came_down = Some(time);
        self.came_back = lifted.reported.then_some(time);
        self.journey = self.journey_of(&lifted, square, time);
        Some(lifted)
    }

    fn journey_of(&self, lifted: &Lifted, to: Square, time: Option<Time>) -> Option<Journey> {
        let at_once = lifted.presses == 0 && self.landings == lifted.landings + 1;
        let read_late = is_read_late(lifted, to, time);
        let piece = lifted.vanished(&self.sides);
        self.chess.then_some(Journey { piece, to, reported: lifted.reported, at_once, read_late })
    }

    /// The piece on a square is identified differently.
    fn reidentify(&mut self, square: Square, home: Option<Square>) {
        self.homes[usize::from(square.field())] = home;
        self.reidentified = Some(square);
    }

    /// The square whose piece the last change identified differently; reported once.
    pub fn take_reidentified(&mut self) -> Option<Square> {
        self.reidentified.take()
    }

    /// The last piece of a chess game that landed; reported once.
    pub fn journey(&mut self) -> Option<Journey> {
        self.journey.take()
    }

    /// Two identical pieces were lifted and one landed elsewhere. Now one returns here, so the other had moved.
    fn mistaken_for_other(&mut self, square: Square, other: &Lifted) -> Option<Lifted> {
        let alike = |Moved { lifted, to, .. }: &Moved| {
            lifted.from == square && lifted.piece == other.piece && self.stands.get(*to) == Some(other.piece)
        };
        let moved = self.moved.iter_mut().find(|moved| alike(moved))?;
        let to = moved.to;
        moved.plausible = other.walker().may_go(other.from, to);
        let lifted = std::mem::replace(&mut moved.lifted, *other);
        self.reidentify(to, other.home);
        Some(lifted)
    }

    /// A piece was lifted when an identical one landed elsewhere before it was seen to leave; now the first returns here.
    fn mistaken_for_arriving(&mut self, square: Square, piece: Piece, time: Option<Time>) -> Option<Lifted> {
        let here = |Moved { lifted, to, .. }: &Moved| {
            lifted.from == square
                && lifted.piece == piece
                && self.stands.get(*to) == Some(piece)
                && is_soon(lifted.at, time)
        };
        let at = self.moved.iter().position(here)?;
        let Moved { lifted, to, .. } = self.moved.remove(at)?;
        self.reidentify(to, None);
        self.between = Some((to, piece, time));
        self.unknown[usize::from(is_white(piece))] = self.between;
        Some(lifted)
    }

    /// Removes pieces captured on the square on which another lands, en passant too; returns whether there were any.
    fn remove_captured(&mut self, square: Square, piece: Piece) -> bool {
        let (before, sides) = (self.lifted.len(), self.sides);
        let (row, file) = (square.field() / 8, square.field() % 8);
        self.lifted.retain(|lifted| {
            let (from_row, from_file) = (lifted.from.field() / 8, lifted.from.field() % 8);
            // En passant a pawn has moved two rows and the other lands in between; a pawn farther on has not been passed.
            let between = lifted.home.is_none_or(|home| home.field() / 8 + from_row == 2 * row);
            let passed = is_pawn(piece)
                && is_pawn(lifted.piece)
                && from_file == file
                && from_row.abs_diff(row) == 1
                && between;
            // A piece that rested elsewhere was not captured here.
            is_white(lifted.piece) == is_white(piece)
                || lifted.has_rested(&sides)
                || lifted.from != square && !passed
        });
        self.lifted.len() < before
    }

    /// Chess pieces that were lifted and did not land while the game went on; each is reported once.
    pub fn vanished(&mut self, now: Option<Time>) -> Vec<Vanished> {
        let (seconds, others) = (limits::SETTLED_SECONDS, limits::VANISHED_LANDINGS);
        let (stands, landings, sides) = (self.stands, self.landings, self.sides);
        let gone = |lifted: &&mut Lifted| {
            let long = lifted.at.zip(now).is_some_and(|(at, now)| at.seconds_until(now) >= seconds);
            let captured =
                stands.get(lifted.from).is_some_and(|there| is_white(there) != is_white(lifted.piece));
            let elsewhere = lifted.has_rested(&sides) && landings > lifted.landings;
            elsewhere || long && !captured && landings - lifted.landings >= others
        };
        // Pieces that were reported may stand unseen for the rest of the game.
        let new = self.lifted.iter_mut().filter(|lifted| !lifted.reported).filter(gone);
        let mut new: Vec<&mut Lifted> = new.collect();
        if !self.chess || new.len() > limits::FEW_SQUARES {
            return Vec::new();
        }
        new.iter_mut().for_each(|lifted| lifted.reported = true);
        new.into_iter().map(|lifted| lifted.vanished(&sides)).collect()
    }
}

/// Whether a piece seen at `seen` on its new square may be the one that leaves its old one at `leaves`.
fn is_just_now(seen: Option<Time>, leaves: Option<Time>) -> bool {
    seen.zip(leaves).is_none_or(|(seen, leaves)| seen.seconds_until(leaves) <= SEEN_TWICE_SECONDS)
}

/// Whether a piece reported as vanished may have stood off the centre of this square since.
fn is_read_late(lifted: &Lifted, square: Square, now: Option<Time>) -> bool {
    let recently =
        lifted.at.zip(now).is_some_and(|(at, now)| at.seconds_until(now) <= limits::READ_LATE_SECONDS);
    recently && lifted.reported && lifted.from != square && lifted.walker().may_go(lifted.from, square)
}

/// Whether a piece was away no longer than one that drops out.
fn is_soon(left: Option<Time>, comes: Option<Time>) -> bool {
    left.zip(comes).is_none_or(|(left, comes)| left.seconds_until(comes) <= limits::DROP_OUT_SECONDS)
}
