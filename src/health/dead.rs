//! Squares that never say that anything stands on them.
//!
//! Such a square shows in three ways. A board is set up but for that square, and stays so when the game begins (but for
//! several, and is played on all the same). A game
//! goes on with a piece there, which the board shows nowhere. Or, whatever is made of the game, pieces are lifted and come
//! down nowhere while the others play on: they went to squares that never spoke, and one such square explains many of
//! them.

use super::{
    game::Expected,
    lifted::{Journey, Vanished},
    limits::{self, Enough},
    reach::{reach, reach_back},
    squares::{all_of, holds, set_of},
};
use crate::record::{CHESS_MEN, DRAUGHTS_HOME, Piece, Placement, Square, Time};

/// So many pieces that vanished are remembered.
const KEPT: usize = 64;

/// What speaks for a square's being dead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    /// How many plies a piece stood there unseen, or games began without one.
    pub count: u32,
    /// Since when.
    pub since: Option<Time>,
    /// The board stood set up but for this square, or this and others.
    set_up: bool,
    /// Other squares that explain all as well, bit n for field n: one of them is it.
    pub or: u64,
}

impl Evidence {
    /// A piece stood there unseen for so many plies.
    pub fn of_plies(count: u32, since: Option<Time>) -> Evidence {
        Evidence { count, since, set_up: false, or: 0 }
    }
}

/// What is known of the squares of a board that have never said anything.
#[derive(Debug, Clone)]
pub struct DeadSquares {
    /// Squares that said at some time that something stands there, bit n for field n.
    spoke: u64,
    evidence: [Evidence; 64],
    /// The board stands set up but for these squares, and since when.
    set_up: Option<(u64, Option<Time>)>,
    /// It was played on without these, which did not speak since.
    without: Option<Without>,
    expected: u64,
    /// Pieces that may have stood where nothing is seen.
    vanished: Vec<Unseen>,
    /// Clocks were pressed.
    with_presses: bool,
    /// Games were told of: what vanished and is not explained by them says more.
    with_games: bool,
    /// What was known of the last of them that came down, before it did.
    came_down: Option<Unseen>,
}

/// Several squares without which a board stood set up: a row of them fails together, and so long as nobody knows of a game
/// there, only that it is played on tells them from pieces that are not out yet.
#[derive(Debug, Clone, Copy)]
struct Without {
    squares: u64,
    since: Option<Time>,
    /// Changes of other squares since.
    changes: u64,
}

/// A piece that may have stood where nothing is seen.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    piece: Vanished,
    /// Where that may have been, bit n for field n.
    on: u64,
    /// What it says: more, if it vanished and came back.
    weight: u32,
    /// So many presses are to follow before it is sure that the game went on.
    pending: u32,
    /// The game went on without it, and the board stood as the game did.
    explained: bool,
    /// It came down again, so nobody had captured it.
    came_back: bool,
}

impl Default for DeadSquares {
    fn default() -> DeadSquares {
        DeadSquares {
            spoke: 0,
            evidence: [Evidence::default(); 64],
            set_up: None,
            without: None,
            expected: 0,
            vanished: Vec::new(),
            with_presses: false,
            with_games: false,
            came_down: None,
        }
    }
}

impl DeadSquares {
    /// All of this stands, so these squares are alive.
    pub fn stands(&mut self, occupied: u64) {
        self.spoke |= occupied;
    }

    /// Something stands on a square, so it is alive.
    pub fn speaks(&mut self, square: Square) {
        self.spoke |= set_of([square]);
    }

    /// The pieces rest.
    pub fn rests(&mut self, stands: &Placement, time: Option<Time>) {
        match self.missing(stands) {
            0 => self.set_up = None,
            missing if self.set_up.is_some_and(|(squares, _)| squares == missing) => {}
            missing => self.set_up = Some((missing, time)),
        }
    }

    /// The squares without which this is a start position, if none of them ever spoke.
    fn missing(&self, stands: &Placement) -> u64 {
        match stands.count() {
            31 | 23 => self.missing_one(stands).map_or(0, |square| set_of([square])),
            count if count + limits::MISSING >= 32 => self.missing_several(stands),
            _ => 0,
        }
    }

    fn missing_one(&self, stands: &Placement) -> Option<Square> {
        missing_of(stands, self.silent())
    }

    /// Whether a board stands set up so, or would but for one square.
    pub fn is_set_up(stands: &Placement) -> bool {
        stands.is_start() || missing_of(stands, !0).is_some()
    }

    fn missing_several(&self, stands: &Placement) -> u64 {
        let there = stands.occupied();
        // The one is on the squares of the other.
        if CHESS_MEN & !there & self.spoke != 0 {
            return 0;
        }
        let starts = [Placement::start(), Placement::start().turned()];
        let but_for = |start: &Placement| {
            let alike = |square: Square| !holds(there, square) || stands.get(square) == start.get(square);
            Square::all().all(alike).then(|| start.occupied() & !there)
        };
        starts.iter().find_map(but_for).unwrap_or(0)
    }

    /// A square changes: where the board stood set up but for one square, the game begins all the same. Its first move may be
    /// that of the piece which nobody sees, and only come down. Where it was for several, it must go on for a while.
    pub fn begins(&mut self, time: Option<Time>) {
        self.without = self.without.filter(|without| without.squares & self.spoke == 0);
        if let Some(without) = &mut self.without {
            without.changes += 1;
            let Without { squares, since, changes } = *without;
            if changes == limits::CHANGES {
                self.lacks(squares, since);
            }
        }
        let Some((squares, since)) = self.set_up.take() else { return };
        let stood = since.zip(time).map_or(0.0, |(since, time)| since.seconds_until(time));
        if stood < limits::SET_UP {
            return;
        }
        match self.without {
            _ if squares.count_ones() == 1 => self.lacks(squares, since),
            Some(without) if without.squares == squares => {
                if without.changes >= limits::CHANGES {
                    self.lacks(squares, since);
                }
            }
            _ => self.without = Some(Without { squares, since, changes: 0 }),
        }
    }

    /// The board stood set up but for these squares, and was played on.
    fn lacks(&mut self, squares: u64, since: Option<Time>) {
        for square in all_of(squares) {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.set_up = true;
            evidence.count += 1;
            evidence.since = evidence.since.or(since);
        }
    }

    /// A ply was played, after which this should stand, and this does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        self.with_games = true;
        let expected = expected.map_or(0, |expected| expected.occupied);
        // Those of which the ply before said so already: no hand is on its way there.
        let before = std::mem::replace(&mut self.expected, expected);
        let unseen = expected & before & !occupied & !self.spoke;
        // Where much else stands otherwise they set up, or the game is not the one that is told.
        if ((expected ^ occupied) & !unseen).count_ones() as usize > limits::OTHERWISE {
            return;
        }
        for square in all_of(unseen) {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.count += 1;
            evidence.since = evidence.since.or(time);
        }
    }

    /// Squares that have never said anything, bit n for field n.
    pub fn silent(&self) -> u64 {
        !self.spoke
    }

    /// A clock was pressed: the game goes on.
    pub fn press(&mut self) {
        self.with_presses = true;
        self.vanished.iter_mut().for_each(|unseen| unseen.pending = unseen.pending.saturating_sub(1));
    }

    /// The pieces are set up for a game. What vanished when nobody pressed a clock any more was put away, and where nobody
    /// ever does what vanished lately.
    pub fn set_up(&mut self, pressed: bool, time: Option<Time>) {
        let lately =
            |at: Option<Time>| at.zip(time).is_some_and(|(at, now)| at.seconds_until(now) <= limits::SWEPT);
        let swept = |unseen: &Unseen| !self.with_presses && lately(unseen.piece.at);
        self.vanished.retain(|unseen| (unseen.pending == 0 || !pressed) && !swept(unseen));
        self.vanished.iter_mut().for_each(|unseen| unseen.pending = 0);
    }

    /// The board stands as its game does, which explains all that it showed since then: what vanished may have been captured.
    pub fn explained(&mut self, since: Time) {
        let later = |unseen: &&mut Unseen| unseen.piece.at.is_some_and(|at| at > since);
        self.vanished.iter_mut().filter(later).for_each(|unseen| unseen.explained = true);
    }

    /// A piece vanished from a board that stands so.
    pub fn vanished(&mut self, piece: &Vanished, stands: &Placement) {
        let on = piece.reach | reach(&piece.walker(), piece.from, stands);
        self.add(piece, on);
    }

    /// A piece came down, and the board stands so: if it had vanished, or cannot have come there in one move though the game
    /// went on meanwhile, it was somewhere between.
    pub fn came_down(&mut self, journey: &Journey, stands: &Placement) {
        let Journey { piece, to, told, at_once, read_late } = *journey;
        self.came_down = None;
        let between = || if to == piece.from { !0 } else { reach_back(&piece.walker(), to, stands) };
        if read_late {
            self.vanished.retain(|unseen| unseen.piece != piece);
        } else if told {
            if let Some(unseen) = self.vanished.iter_mut().find(|unseen| unseen.piece == piece) {
                self.came_down = Some(*unseen);
                unseen.on &= between();
                unseen.weight = limits::CAME_BACK_WEIGHT;
                unseen.came_back = true;
            }
        } else if to != piece.from && !at_once && !piece.walker().may_go(piece.from, to) {
            self.add(&piece, reach(&piece.walker(), piece.from, stands) & between());
        }
    }

    /// It was another that came down.
    pub fn did_not_come_down(&mut self) {
        let Some(before) = self.came_down.take() else { return };
        let same = |unseen: &&mut Unseen| unseen.piece == before.piece;
        self.vanished.iter_mut().filter(same).for_each(|unseen| *unseen = before);
    }

    fn add(&mut self, piece: &Vanished, on: u64) {
        // What was seen at some time is not thought of, so that those are kept that say something.
        self.vanished.retain(|unseen| unseen.on & !self.spoke != 0);
        if on & !self.spoke != 0 && self.vanished.len() < KEPT {
            let pending = (1 + limits::PRESSES_AFTER).saturating_sub(piece.presses);
            let (weight, pending) = (limits::VANISHED_WEIGHT, pending.min(limits::PRESSES_AFTER));
            self.vanished.push(Unseen {
                piece: *piece,
                on,
                weight,
                pending,
                explained: false,
                came_back: false,
            });
        }
    }

    /// The squares that are dead, with what speaks for it, where so much of that is enough. Of others, bit n for field n, it
    /// is known that they are: what they explain speaks for none.
    pub fn verdicts(&self, enough: &Enough, others: u64) -> Vec<(Square, Evidence)> {
        let silent = |square: &Square| holds(self.silent(), *square);
        let sure = |(_, evidence): &(Square, Evidence)| {
            evidence.set_up && evidence.count >= enough.set_ups || evidence.count >= enough.plies
        };
        let mut dead: Vec<(Square, Evidence)> =
            Square::all().zip(self.evidence).filter(|(square, _)| silent(square)).filter(sure).collect();
        let left = self.vanished.iter().filter(|unseen| unseen.on & others == 0 && !unseen.is_explained());
        let mut left: Vec<Unseen> = left.map(|unseen| self.weighed(unseen)).collect();
        let or: Vec<(Square, Evidence)> = dead.iter_mut().flat_map(|dead| self.or(dead, &left)).collect();
        dead.extend(or);
        let mut explained = set_of(dead.iter().map(|(square, _)| *square));
        left.retain(|unseen| unseen.on & explained == 0);
        loop {
            let most = self.explain_most(&left, explained, enough.weight);
            if most.is_empty() {
                break;
            }
            explained |= set_of(most.iter().map(|(square, _)| *square));
            left.retain(|unseen| unseen.on & explained == 0);
            // A game on a board with one of them explains less.
            left.iter_mut().for_each(|unseen| unseen.weight = unseen.weight.min(limits::CAME_BACK_WEIGHT));
            dead.extend(most);
        }
        dead.sort_by_key(|(square, _)| *square);
        dead
    }

    /// Squares that explain the pieces which vanished as well as one on which a game had them, each with that: of squares that
    /// never spoke it chose one.
    fn or(
        &self,
        (square, evidence): &mut (Square, Evidence),
        vanished: &[Unseen],
    ) -> Vec<(Square, Evidence)> {
        let on = || vanished.iter().filter(|unseen| holds(unseen.on, *square));
        let as_well = |other: &Square| {
            let same = |unseen: &Unseen| unseen.goes_straight_to(*other) || !unseen.goes_straight_to(*square);
            on().all(|unseen| holds(unseen.on, *other) && same(unseen))
        };
        let alike = set_of(Square::all().filter(as_well));
        if evidence.set_up || on().next().is_none() || alike.count_ones() as usize > limits::ONE_OF {
            return Vec::new();
        }
        let or_of = |square: Square| alike & !set_of([square]);
        evidence.or = or_of(*square);
        all_of(evidence.or).map(|other| (other, Evidence { or: or_of(other), ..*evidence })).collect()
    }

    /// A piece that vanished with what that says by now.
    fn weighed(&self, unseen: &Unseen) -> Unseen {
        let moved = unseen.piece.pressed && self.with_games;
        let weight = match unseen.pending {
            0 if unseen.piece.rested => limits::RESTED_WEIGHT,
            0 if moved => limits::PRESSED_WEIGHT.max(unseen.weight),
            _ => unseen.weight,
        };
        Unseen { on: unseen.on & !self.spoke, weight, ..*unseen }
    }

    /// The square that explains most of the pieces that were unseen, if it explains enough of them; where two or three explain
    /// them alike, each of those.
    fn explain_most(&self, unseen: &[Unseen], found: u64, enough: u32) -> Vec<(Square, Evidence)> {
        let is_silent = |square: &Square| holds(self.silent() & !found, *square);
        let silent: Vec<Square> = Square::all().filter(is_silent).collect();
        let on = |square: Square| unseen.iter().filter(move |unseen| holds(unseen.on, square));
        let used = u32::from(self.with_presses && silent.len() <= limits::FEW_SILENT);
        let says = |square: Square| {
            let pieces: u32 = on(square).map(|unseen| unseen.weight).sum();
            // Where one is dead, a ply or two in which a piece stood on another were told wrongly, and taken back.
            let plies = if found == 0 { self.evidence[usize::from(square.field())].count } else { 0 };
            let plies = plies * limits::UNSEEN_PLY_WEIGHT;
            let found = pieces + plies;
            if found > 0 { found + used } else { 0 }
        };
        // A pawn goes straight on, but for captures, and what it captures there would be unseen too.
        let straight = |square: Square| on(square).filter(|unseen| unseen.goes_straight_to(square)).count();
        // On many boards nothing comes to a square at the rim all day.
        let inside =
            |square: Square| (1..7).contains(&(square.field() % 8)) && on(square).count() >= limits::RIM;
        let all = silent.iter().map(|&square| ((says(square), straight(square), inside(square)), square));
        let all: Vec<((u32, usize, bool), Square)> = all.collect();
        // That pawns captured there what nobody sees is not said by as little.
        let wanted = |straight: usize| if straight == 0 { enough * limits::UNSEEN_CAPTURE } else { enough };
        let most = all.iter().map(|(says, _)| *says).max();
        let Some(most) = most.filter(|&(says, straight, _)| says >= wanted(straight)) else {
            return Vec::new();
        };
        let best: Vec<Square> =
            all.iter().filter(|(says, _)| *says == most).map(|(_, square)| *square).collect();
        if best.len() > limits::ONE_OF {
            return Vec::new();
        }
        let set = set_of(best.iter().copied());
        let each = |square: &Square| {
            let plies = self.evidence[usize::from(square.field())];
            let (count, since) = (on(*square).count() as u32, on(*square).find_map(|unseen| unseen.piece.at));
            let or = set & !set_of([*square]);
            (*square, Evidence { count: count.max(1), since: since.or(plies.since), set_up: false, or })
        };
        best.iter().map(each).collect()
    }
}

/// The one of these squares, without which this is a start position.
fn missing_of(stands: &Placement, squares: u64) -> Option<Square> {
    // All that stands is at home, in one game or the other: that is quickly seen, of hundreds of positions in each game.
    let there = stands.occupied();
    let home = [CHESS_MEN, DRAUGHTS_HOME].into_iter().find(|home| (home ^ there).count_ones() == 1)?;
    all_of(home & !there & squares).find(|&square| {
        (1..=12).filter_map(Piece::from_code).any(|piece| {
            let mut whole = *stands;
            whole.set(square, Some(piece));
            whole.is_start()
        })
    })
}

impl Unseen {
    /// Whether the game says what became of it: it was captured, and never stood anywhere meanwhile.
    fn is_explained(&self) -> bool {
        self.explained && !self.came_back && !self.piece.rested
    }

    /// Whether it is no pawn that would have captured there.
    fn goes_straight_to(&self, square: Square) -> bool {
        !self.piece.walker().is_pawn() || self.piece.from.field() % 8 == square.field() % 8
    }
}
