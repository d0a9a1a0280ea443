//! Which piece stands where, followed by the changes alone: a piece is known by the square on which it stood when its
//! game began.

use std::collections::VecDeque;

use super::{
    exchanged::exchanged,
    lifted::{Journey, Lifted, Vanished},
    limits,
    reach::{Walker, is_pawn, is_white, reach, reach_back},
    sides::{Sides, place},
};
use crate::record::{Change, Piece, Placement, Side, Square, Time};

/// So many lifted pieces are remembered.
const LIFTED: usize = 16;
/// A piece seen on its new square before it left the old one leaves it so soon, in seconds.
const SEEN_TWICE: f64 = 5.0;

/// A piece that came down elsewhere than where it was lifted.
#[derive(Debug, Clone, Copy)]
struct Moved {
    lifted: Lifted,
    to: Square,
    /// It may have gone there in one move; if not, another alike is to be seen to leave its square.
    may_be: bool,
}

/// Where a piece was seen to come, and when.
type Seen = (Square, Piece, Option<Time>);

/// A piece that is known, and when it left a square.
type Left = (Piece, Square, Option<Time>);

/// A piece went and came back to its square, and nobody can have moved it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropOut {
    /// Where.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// The square on which the piece began its game, if that is known.
    pub home: Option<Square>,
    /// It was back within a scan or two.
    pub quick: bool,
}

/// The pieces of a board.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// What stands.
    pub stands: Placement,
    homes: [Option<Square>; 64],
    /// Where the last of them was changed though nothing moved there, if nobody has asked.
    known_anew: Option<Square>,
    /// The square that changed last.
    last_changed: Option<Square>,
    /// Which piece left each square last, and when.
    left: [Option<Left>; 64],
    lifted: VecDeque<Lifted>,
    /// Pieces that came down elsewhere, the last first.
    moved: VecDeque<Moved>,
    /// When the last of them came down, if it had vanished, and whether it has turned out to be another.
    came_back: Option<Option<Time>>,
    /// When the last of them came down, if nothing has come down since.
    came_down: Option<Option<Time>>,
    did_not_come_back: bool,
    landings: u32,
    /// Those of Black, those of White.
    own_landings: [u32; 2],
    /// Whose side of the clock is whose.
    sides: Sides,
    /// The last of them, if nobody has asked.
    journey: Option<Journey>,
    /// The game that began is one of chess, in which a piece that is captured is captured where another comes down.
    chess: bool,
    /// A piece of each colour that came from nowhere, as in `own_landings`,
    unknown: [Option<Seen>; 2],
    /// and where it had come just before that.
    passed: Option<Seen>,
    /// Where another alike was seen, when this one came back to its old square.
    between: Option<Seen>,
    /// A piece that came from nowhere and is taken for the one that left there last.
    back: Option<Seen>,
    /// What stood when the pieces rested last.
    rested: Option<Placement>,
    /// A piece that came to a board at rest, from nowhere.
    ghost: Option<Square>,
    /// What stood before the board began to list its pieces, and which pieces those were.
    before_list: Option<Box<(Placement, [Option<Square>; 64])>>,
    /// Nothing says yet what stood before.
    known: bool,
}

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces {
            stands: Placement::EMPTY,
            homes: [None; 64],
            known_anew: None,
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
    /// Whether it is known what stands.
    pub fn are_known(&self) -> bool {
        self.known
    }

    /// Where a piece stands now that began its game on a square.
    pub fn place_of(&self, home: Square) -> Option<Square> {
        Square::all().find(|square| self.homes[usize::from(square.field())] == Some(home))
    }

    /// The piece on a square, and where it began its game, if that is known.
    pub fn on(&self, square: Square) -> Option<(Piece, Option<Square>)> {
        Some((self.stands.get(square)?, self.homes[usize::from(square.field())]))
    }

    /// The board says what stands.
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
        for lifted in self.lifted.iter_mut().filter(|lifted| !lifted.told) {
            let white = usize::from(is_white(lifted.piece));
            // What came down behind the press may be what was pressed for, and what the other moves may have captured it.
            let none = own[white] == lifted.own_landings && own[1 - white] == lifted.others_landings;
            for (rested, pressed) in lifted.rested.iter_mut().zip(lifted.pressed_at) {
                let since = pressed.zip(time).map_or(0.0, |(at, now)| at.seconds_until(now));
                *rested |= since >= limits::RESTED && none;
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

    /// Whether a game may begin so.
    pub fn is_start(&self) -> bool {
        self.stands.is_start()
    }

    /// In words which of them stand exchanged on a board that is set up but for that.
    pub fn exchanged(&self) -> Option<String> {
        exchanged(&self.stands).filter(|_| self.known)
    }

    /// A game begins as the pieces stand: each is known by its square from here on.
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

    /// A list of all pieces follows, onto an empty board.
    pub fn list(&mut self) {
        self.before_list = Some(Box::new((self.stands, self.homes)));
        self.stands = Placement::EMPTY;
        self.homes = [None; 64];
        self.lifted.clear();
        (self.known, self.ghost) = (true, None);
    }

    /// Whether a list is coming in.
    pub fn are_listed(&self) -> bool {
        self.before_list.is_some()
    }

    /// The list is whole.
    pub fn end_list(&mut self) {
        if self.before_list.take().is_some() && self.is_start() {
            self.begin();
        }
    }

    /// An entry of a list, or of a log that tells again what was told.
    pub fn told_again(&mut self, change: &Change) {
        let at = usize::from(change.square.field());
        self.stands.set(change.square, change.piece);
        let known = self.before_list.as_deref().filter(|before| before.0.get(change.square) == change.piece);
        self.homes[at] = known.and_then(|before| before.1[at]);
    }

    /// A clock was pressed.
    pub fn press(&mut self, side: Side, time: Option<Time>) {
        self.sides.press(side, time);
        let own = self.own_landings;
        for lifted in self.lifted.iter_mut().filter(|lifted| !lifted.told) {
            let white = is_white(lifted.piece);
            lifted.presses += 1;
            if lifted.own_landings == own[usize::from(white)] {
                lifted.pressed = true;
                let at = &mut lifted.pressed_at[place(side)];
                *at = at.or(time);
            }
        }
    }

    /// A square changed, of a board on which so many squares have never said anything (bit n for field n). A piece that
    /// dropped out, if this is its coming back.
    pub fn change(&mut self, change: &Change, silent: u64, time: Option<Time>) -> Option<DropOut> {
        let Change { square, piece, quick } = *change;
        let at = usize::from(square.field());
        // That is said of the last change, whichever square's that was.
        let (quick, just_now) = (quick == Some(true), self.last_changed.replace(square) == Some(square));
        let is_quick = |left: Option<Time>| quick && (just_now || left == time);
        let piece = piece.filter(|piece| piece.letter().is_some());
        let before = self.stands.get(square);
        if self.known && before == piece {
            // A board may write over its last entry: what left and came back unread.
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
        // Whoever left here before another came was captured, or has moved on.
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

    /// Whether a piece that came from nowhere is the one that left this square last, and stands nowhere else; it is known
    /// again then.
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
        // It leaves a square of its way before it was seen to leave its own, and stands on the next.
        if home.is_none() && self.slid_on(from, piece, at) {
            return;
        }
        // It was seen on its new square before it left this one.
        let white = usize::from(is_white(piece));
        if let Some((square, seen, when)) = self.unknown[white]
            && seen == piece
            && square != from
            && self.stands.get(square) == Some(piece)
            && is_just_now(when, at)
        {
            self.know_anew(square, home);
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
        // It was put down and slides on: the press was told before the last square of its move.
        let slides_on =
            self.came_down == Some(at) && self.moved.front().is_some_and(|moved| moved.to == from);
        let pressed_at =
            self.sides.pressed_at(is_white(piece), at).map(|pressed| pressed.filter(|_| slides_on));
        self.keep(Lifted {
            piece,
            home,
            from,
            at,
            reach,
            landings: self.landings,
            own_landings: self.own_landings[white],
            others_landings: self.own_landings[1 - white],
            told: false,
            presses: 0,
            pressed: pressed_at != [None; 2],
            pressed_at,
            rested: [false; 2],
        });
    }

    fn keep(&mut self, lifted: Lifted) {
        if self.lifted.len() == LIFTED {
            self.lifted.pop_front();
        }
        self.lifted.push_back(lifted);
    }

    /// Whether a piece was seen on this square and on the next of its way before it was seen to leave its own.
    fn slid_on(&mut self, from: Square, piece: Piece, at: Option<Time>) -> bool {
        let is_it = |&(square, seen, when): &Seen| square == from && seen == piece && is_just_now(when, at);
        self.passed.take_if(|seen| is_it(seen)).is_some()
    }

    /// Whether a piece that leaves this square is the one that was just seen back on a square, before it was seen to leave
    /// this one.
    fn went_back(&mut self, from: Square, piece: Piece, home: Option<Square>, at: Option<Time>) -> bool {
        // It has gone back to where it came from, and there were no two.
        let between = |&(square, seen, when): &Seen| square == from && seen == piece && is_just_now(when, at);
        // It came from elsewhere, and was not the one that had left there.
        let another = |&(square, seen, when): &Seen| {
            let may_be = || Walker { piece, home }.may_go(from, square);
            square != from && seen == piece && when == at && at.is_some() && may_be()
        };
        let was_between = self.between.take_if(|seen| between(seen)).is_some();
        if was_between {
            self.unknown[usize::from(is_white(piece))] = None;
        }
        was_between || self.back.take_if(|seen| another(seen)).is_some()
    }

    /// Whether a piece is the one that was seen to come down just now, before it was seen to leave, and not the one alike
    /// that had vanished: that stays where it is.
    fn came_down_before(
        &mut self,
        from: Square,
        piece: Piece,
        home: Option<Square>,
        at: Option<Time>,
    ) -> bool {
        let Some(Moved { lifted: other, to, may_be }) = self.moved.front().copied() else { return false };
        let walker = Walker { piece, home };
        let doubtful = self.came_back.or_else(|| self.came_down.filter(|_| !may_be));
        let is_it = doubtful.is_some_and(|when| is_just_now(when, at))
            && other.piece == piece
            && from != to
            && self.stands.get(to) == Some(piece)
            && walker.may_go(from, to);
        if is_it {
            self.moved.pop_front();
            self.keep(other);
            self.know_anew(to, home);
            self.did_not_come_back = self.came_back.take().is_some();
            self.came_down = None;
        }
        is_it
    }

    /// Whether a pawn is lifted that another has just passed by.
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

    /// All that was lifted since then is explained: what is off the board was captured.
    pub fn explained(&mut self, since: Time) {
        self.lifted.retain(|lifted| lifted.told || lifted.at.is_some_and(|at| at <= since));
    }

    /// Whether the piece that was last said to have come down after it had vanished was another, once.
    pub fn did_not_come_down(&mut self) -> bool {
        std::mem::take(&mut self.did_not_come_back)
    }

    /// Which of the lifted pieces has landed: one that comes back, else the last that was lifted.
    fn land(&mut self, square: Square, piece: Piece, silent: u64, time: Option<Time>) -> Option<Lifted> {
        self.landings += 1;
        self.own_landings[usize::from(is_white(piece))] += 1;
        self.sides.land(is_white(piece), time);
        (self.came_back, self.came_down) = (None, None);
        let captures = self.captured(square, piece);
        // One that stands unseen may do so for long.
        let recent = |lifted: &Lifted| {
            lifted.at.zip(time).is_none_or(|(at, now)| at.seconds_until(now) <= 10.0 * limits::GONE)
        };
        let stands = self.stands;
        let between = |lifted: &Lifted| {
            let walker = lifted.walker();
            let gone = lifted.reach | reach(&walker, lifted.from, &stands);
            lifted.from == square || gone & reach_back(&walker, square, &stands) & silent != 0
        };
        let late = |lifted: &Lifted| is_read_late(lifted, square, time);
        let fits = |lifted: &Lifted| {
            lifted.piece == piece
                && if lifted.told { between(lifted) || late(lifted) } else { recent(lifted) }
        };
        let may_be = |lifted: &Lifted| lifted.walker().may_come(lifted.from, square, captures);
        let back = self.lifted.iter().rposition(|lifted| fits(lifted) && lifted.from == square);
        let likely = || self.lifted.iter().rposition(|lifted| fits(lifted) && may_be(lifted));
        let at = back.or_else(likely).or_else(|| self.lifted.iter().rposition(fits));
        let Some(lifted) = at.and_then(|at| self.lifted.remove(at)) else {
            return self.taken_for_one_to_come(square, piece, time);
        };
        if lifted.from == square {
            self.journey = self.journey_of(&lifted, square, time);
            return Some(lifted);
        }
        if let Some(dropped_out) = self.taken_for_another(square, &lifted) {
            return Some(dropped_out);
        }
        self.moved.truncate(LIFTED - 1);
        self.moved.push_front(Moved { lifted, to: square, may_be: may_be(&lifted) });
        self.came_down = Some(time);
        self.came_back = lifted.told.then_some(time);
        self.journey = self.journey_of(&lifted, square, time);
        Some(lifted)
    }

    fn journey_of(&self, lifted: &Lifted, to: Square, time: Option<Time>) -> Option<Journey> {
        let at_once = lifted.presses == 0 && self.landings == lifted.landings + 1;
        let read_late = is_read_late(lifted, to, time);
        let piece = lifted.vanished(&self.sides);
        self.chess.then_some(Journey { piece, to, told: lifted.told, at_once, read_late })
    }

    /// The piece on a square is another than was thought.
    fn know_anew(&mut self, square: Square, home: Option<Square>) {
        self.homes[usize::from(square.field())] = home;
        self.known_anew = Some(square);
    }

    /// The square of a piece that the last change showed to be another, once.
    pub fn known_anew(&mut self) -> Option<Square> {
        self.known_anew.take()
    }

    /// The last piece that came down elsewhere than where it was lifted, once; of a game of chess.
    pub fn journey(&mut self) -> Option<Journey> {
        self.journey.take()
    }

    /// Two alike were gone, one came down elsewhere, and now one comes back here: then it was the other that moved.
    fn taken_for_another(&mut self, square: Square, other: &Lifted) -> Option<Lifted> {
        let alike = |Moved { lifted, to, .. }: &Moved| {
            lifted.from == square && lifted.piece == other.piece && self.stands.get(*to) == Some(other.piece)
        };
        let moved = self.moved.iter_mut().find(|moved| alike(moved))?;
        let to = moved.to;
        moved.may_be = other.walker().may_go(other.from, to);
        let lifted = std::mem::replace(&mut moved.lifted, *other);
        self.know_anew(to, other.home);
        Some(lifted)
    }

    /// One was gone when another alike, which is not seen to have left its square yet, came down elsewhere; now it comes
    /// back here.
    fn taken_for_one_to_come(&mut self, square: Square, piece: Piece, time: Option<Time>) -> Option<Lifted> {
        let here = |Moved { lifted, to, .. }: &Moved| {
            lifted.from == square
                && lifted.piece == piece
                && self.stands.get(*to) == Some(piece)
                && is_soon(lifted.at, time)
        };
        let at = self.moved.iter().position(here)?;
        let Moved { lifted, to, .. } = self.moved.remove(at)?;
        self.know_anew(to, None);
        self.between = Some((to, piece, time));
        self.unknown[usize::from(is_white(piece))] = self.between;
        Some(lifted)
    }

    /// Whoever stood there before another piece came down was captured, and a pawn that another passes by; whether one was.
    fn captured(&mut self, square: Square, piece: Piece) -> bool {
        let (before, sides) = (self.lifted.len(), self.sides);
        let (row, file) = (square.field() / 8, square.field() % 8);
        self.lifted.retain(|lifted| {
            let (from_row, from_file) = (lifted.from.field() / 8, lifted.from.field() % 8);
            // It came two squares, and the other comes down between: a pawn that stands before it has not passed it.
            let between = lifted.home.is_none_or(|home| home.field() / 8 + from_row == 2 * row);
            let passed = is_pawn(piece)
                && is_pawn(lifted.piece)
                && from_file == file
                && from_row.abs_diff(row) == 1
                && between;
            // One that stood elsewhere meanwhile was not.
            is_white(lifted.piece) == is_white(piece)
                || lifted.has_rested(&sides)
                || lifted.from != square && !passed
        });
        self.lifted.len() < before
    }

    /// Pieces of a game of chess that were lifted and came down nowhere while the game went on, each once.
    pub fn vanished(&mut self, now: Option<Time>) -> Vec<Vanished> {
        let (seconds, others) = limits::VANISHED;
        let (stands, landings, sides) = (self.stands, self.landings, self.sides);
        let gone = |lifted: &&mut Lifted| {
            let long = lifted.at.zip(now).is_some_and(|(at, now)| at.seconds_until(now) >= seconds);
            let captured =
                stands.get(lifted.from).is_some_and(|there| is_white(there) != is_white(lifted.piece));
            let elsewhere = lifted.has_rested(&sides) && landings > lifted.landings;
            elsewhere || long && !captured && landings - lifted.landings >= others
        };
        // Those that were told may stand unseen, for the rest of the game too.
        let new = self.lifted.iter_mut().filter(|lifted| !lifted.told).filter(gone);
        let mut new: Vec<&mut Lifted> = new.collect();
        if !self.chess || new.len() > limits::VANISHED_AT_ONCE {
            return Vec::new();
        }
        new.iter_mut().for_each(|lifted| lifted.told = true);
        new.into_iter().map(|lifted| lifted.vanished(&sides)).collect()
    }
}

/// Whether a piece that was seen on its new square then may be the one that is seen to leave its old one now.
fn is_just_now(seen: Option<Time>, leaves: Option<Time>) -> bool {
    seen.zip(leaves).is_none_or(|(seen, leaves)| seen.seconds_until(leaves) <= SEEN_TWICE)
}

/// Whether a piece that was said to have vanished may have stood on this square since, off its centre.
fn is_read_late(lifted: &Lifted, square: Square, now: Option<Time>) -> bool {
    let lately = lifted.at.zip(now).is_some_and(|(at, now)| at.seconds_until(now) <= limits::READ_LATE);
    lately && lifted.told && lifted.from != square && lifted.walker().may_go(lifted.from, square)
}

/// Whether what left then and comes now was away for no longer than a piece that drops out.
fn is_soon(left: Option<Time>, comes: Option<Time>) -> bool {
    left.zip(comes).is_none_or(|(left, comes)| left.seconds_until(comes) <= limits::GONE)
}
