//! Squares that never report a piece.
//!
//! A dead square shows in three ways. A board is set up but for that square and stays so when the game begins; if several
//! squares are missing, it must also be played on. A game continues with a piece on that square which the board does not
//! show. Or, whatever the game records show, pieces are lifted and do not come down while the others play on: they went to squares
//! that never reported, and one such square explains many of them.

use super::{
    game::Expected,
    lifted::{Journey, Vanished},
    limits::{self, Enough},
    reach::{reach, reach_back},
    squares::{all_of, holds, set_of},
};
use crate::record::{CHESS_MEN, DRAUGHTS_HOME, Piece, Placement, Square, Time};

/// The evidence that a square is dead.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    /// How many plies a piece stood there unseen, how many games began without one, or how many pieces vanished there.
    pub count: u32,
    /// Since when.
    pub since: Option<Time>,
    /// The board stood set up but for this square, perhaps with others.
    set_up: bool,
    /// Other squares that explain everything as well, bit n for field n: one of them is dead.
    pub alternatives: u64,
}

impl Evidence {
    /// A piece stood there unseen for this many plies.
    pub fn of_plies(count: u32, since: Option<Time>) -> Evidence {
        Evidence { count, since, set_up: false, alternatives: 0 }
    }
}

/// The squares of a board that have never reported a piece.
#[derive(Debug, Clone)]
pub struct DeadSquares {
    /// Squares that have reported a piece, bit n for field n.
    reported: u64,
    evidence: [Evidence; 64],
    /// The squares but for which the board is set up, bit n for field n, and since when.
    set_up: Option<(u64, Option<Time>)>,
    /// The squares without which the board is played on and that have not reported since.
    without: Option<Without>,
    /// Squares that should be occupied, bit n for field n.
    expected: u64,
    /// Pieces that may have stood on a silent square.
    vanished: Vec<Unseen>,
    /// Clocks were pressed.
    with_presses: bool,
    /// Games were reported: a piece that vanished and is not explained by them weighs more.
    with_games: bool,
    /// The last of `vanished` that landed, with its state before that.
    came_down: Option<Unseen>,
}

/// Several squares but for which a board stood set up. A row of them fails together; as long as no game is reported, only play
/// distinguishes them from pieces that are not set up yet.
#[derive(Debug, Clone, Copy)]
struct Without {
    squares: u64,
    since: Option<Time>,
    /// How many changes of other squares have come since.
    changes: u64,
}

/// A piece that may have stood on a silent square.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    piece: Vanished,
    /// Where it may have stood, bit n for field n.
    on: u64,
    /// Its weight as evidence.
    weight: u32,
    /// How many presses must follow before it is certain that the game went on.
    pending: u32,
    /// The game went on without it, and the board stood as the game did.
    explained: bool,
    /// It landed again, so it had not been captured.
    came_back: bool,
}

impl Default for DeadSquares {
    fn default() -> DeadSquares {
        DeadSquares {
            reported: 0,
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
    /// Marks each occupied square (bit n for field n) of a whole position as working.
    pub fn stands(&mut self, occupied: u64) {
        self.reported |= occupied;
    }

    /// A square reports a piece, so it works.
    pub fn reports(&mut self, square: Square) {
        self.reported |= set_of([square]);
    }

    /// The pieces rest.
    pub fn rests(&mut self, stands: &Placement, time: Option<Time>) {
        match self.missing(stands) {
            0 => self.set_up = None,
            missing if self.set_up.is_some_and(|(squares, _)| squares == missing) => {}
            missing => self.set_up = Some((missing, time)),
        }
    }

    /// The squares without which this is a start position, bit n for field n, if none of them has ever reported.
    fn missing(&self, stands: &Placement) -> u64 {
        match stands.count() {
            31 | 23 => self.missing_one(stands).map_or(0, |square| set_of([square])),
            count if count + limits::MAX_MISSING >= 32 => self.missing_several(stands),
            _ => 0,
        }
    }

    fn missing_one(&self, stands: &Placement) -> Option<Square> {
        missing_of(stands, self.silent())
    }

    /// Whether a board is set up, or would be but for one square.
    pub fn is_set_up(stands: &Placement) -> bool {
        stands.is_start() || missing_of(stands, !0).is_some()
    }

    fn missing_several(&self, stands: &Placement) -> u64 {
        let there = stands.occupied();
        // The men of chess cover the squares of those of draughts.
        if CHESS_MEN & !there & self.reported != 0 {
            return 0;
        }
        let starts = [Placement::start(), Placement::start().turned()];
        let but_for = |start: &Placement| {
            let alike = |square: Square| !holds(there, square) || stands.get(square) == start.get(square);
            Square::all().all(alike).then(|| start.occupied() & !there)
        };
        starts.iter().find_map(but_for).unwrap_or(0)
    }

    /// A square changes. If the board was set up but for one square, the game begins without it; its first move may be
    /// that of the unseen piece, which is only seen to land. If but for several, the game must go on for a while.
    pub fn begins(&mut self, time: Option<Time>) {
        self.without = self.without.filter(|without| without.squares & self.reported == 0);
        if let Some(without) = &mut self.without {
            without.changes += 1;
            let Without { squares, since, changes } = *without;
            if changes == limits::GAME_CHANGES {
                self.count_missing(squares, since);
            }
        }
        let Some((squares, since)) = self.set_up.take() else { return };
        let stood = since.zip(time).map_or(0.0, |(since, time)| since.seconds_until(time));
        if stood < limits::SETTLED_SECONDS {
            return;
        }
        match self.without {
            _ if squares.count_ones() == 1 => self.count_missing(squares, since),
            Some(without) if without.squares == squares => {
                if without.changes >= limits::GAME_CHANGES {
                    self.count_missing(squares, since);
                }
            }
            _ => self.without = Some(Without { squares, since, changes: 0 }),
        }
    }

    /// The board stood set up but for these squares and was played on.
    fn count_missing(&mut self, squares: u64, since: Option<Time>) {
        for square in all_of(squares) {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.set_up = true;
            evidence.count += 1;
            evidence.since = evidence.since.or(since);
        }
    }

    /// A ply was played, after which `expected` should stand, and `occupied` (bit n for field n) does.
    pub fn played(&mut self, expected: Option<Expected>, occupied: u64, time: Option<Time>) {
        self.with_games = true;
        let expected = expected.map_or(0, |expected| expected.occupied);
        // A piece that was missing after the previous ply too is not merely in a hand.
        let before = std::mem::replace(&mut self.expected, expected);
        let unseen = expected & before & !occupied & !self.reported;
        // If much else differs, the pieces are being set up or another game is played.
        if ((expected ^ occupied) & !unseen).count_ones() as usize > limits::MAX_DIFFERENCES {
            return;
        }
        for square in all_of(unseen) {
            let evidence = &mut self.evidence[usize::from(square.field())];
            evidence.count += 1;
            evidence.since = evidence.since.or(time);
        }
    }

    /// Squares that have never reported a piece, bit n for field n.
    pub fn silent(&self) -> u64 {
        !self.reported
    }

    /// A clock was pressed: the game goes on.
    pub fn press(&mut self) {
        self.with_presses = true;
        self.vanished.iter_mut().for_each(|unseen| unseen.pending = unseen.pending.saturating_sub(1));
    }

    /// The pieces are set up for a game. Pieces that vanished after the last press were put away; without presses, those that
    /// vanished recently were.
    pub fn set_up(&mut self, pressed: bool, time: Option<Time>) {
        let recent = |at: Option<Time>| {
            at.zip(time).is_some_and(|(at, now)| at.seconds_until(now) <= limits::SWEPT_SECONDS)
        };
        let swept = |unseen: &Unseen| !self.with_presses && recent(unseen.piece.at);
        self.vanished.retain(|unseen| (unseen.pending == 0 || !pressed) && !swept(unseen));
        self.vanished.iter_mut().for_each(|unseen| unseen.pending = 0);
    }

    /// The board matches its game, which explains all that it showed after `since`: pieces that vanished may have been captured.
    pub fn explained(&mut self, since: Time) {
        let later = |unseen: &&mut Unseen| unseen.piece.at.is_some_and(|at| at > since);
        self.vanished.iter_mut().filter(later).for_each(|unseen| unseen.explained = true);
    }

    /// A piece vanished from this position.
    pub fn vanished(&mut self, piece: &Vanished, stands: &Placement) {
        let on = piece.reach | reach(&piece.walker(), piece.from, stands);
        self.add(piece, on);
    }

    /// A piece landed in this position. If it had vanished, or cannot have come in one move although the game went on, it stood
    /// somewhere in between.
    pub fn came_down(&mut self, journey: &Journey, stands: &Placement) {
        let Journey { piece, to, reported, at_once, read_late } = *journey;
        self.came_down = None;
        let between = || if to == piece.from { !0 } else { reach_back(&piece.walker(), to, stands) };
        if read_late {
            self.vanished.retain(|unseen| unseen.piece != piece);
        } else if reported {
            if let Some(unseen) = self.vanished.iter_mut().find(|unseen| unseen.piece == piece) {
                self.came_down = Some(*unseen);
                unseen.on &= between();
                unseen.weight = limits::STOOD_UNSEEN_WEIGHT;
                unseen.came_back = true;
            }
        } else if to != piece.from && !at_once && !piece.walker().may_go(piece.from, to) {
            self.add(&piece, reach(&piece.walker(), piece.from, stands) & between());
        }
    }

    /// The last landing was that of another piece.
    pub fn did_not_come_down(&mut self) {
        let Some(before) = self.came_down.take() else { return };
        let same = |unseen: &&mut Unseen| unseen.piece == before.piece;
        self.vanished.iter_mut().filter(same).for_each(|unseen| *unseen = before);
    }

    fn add(&mut self, piece: &Vanished, on: u64) {
        // Pieces that no silent square can explain any more give way to those that one can.
        self.vanished.retain(|unseen| unseen.on & !self.reported != 0);
        if on & !self.reported != 0 && self.vanished.len() < limits::MAX_PENDING {
            // A piece put away with the clock is followed by no second press.
            let pending = u32::from(piece.presses < 2);
            self.vanished.push(Unseen {
                piece: *piece,
                on,
                // Hands in blitz hold pieces, and captures are not always recognised, so one piece is weak evidence.
                weight: 1,
                pending,
                explained: false,
                came_back: false,
            });
        }
    }

    /// The dead squares with their evidence, given how much is enough. What the squares `others` (bit n for field n), already
    /// found dead, explain is no evidence for another.
    pub fn verdicts(&self, enough: &Enough, others: u64) -> Vec<(Square, Evidence)> {
        let silent = |square: &Square| holds(self.silent(), *square);
        let sure = |(_, evidence): &(Square, Evidence)| {
            evidence.set_up && evidence.count >= enough.set_ups || evidence.count >= enough.plies
        };
        let mut dead: Vec<(Square, Evidence)> =
            Square::all().zip(self.evidence).filter(|(square, _)| silent(square)).filter(sure).collect();
        let left = self.vanished.iter().filter(|unseen| unseen.on & others == 0 && !unseen.is_explained());
        let mut left: Vec<Unseen> = left.map(|unseen| self.weighed(unseen)).collect();
        let same: Vec<(Square, Evidence)> =
            dead.iter_mut().flat_map(|dead| self.alternatives(dead, &left)).collect();
        dead.extend(same);
        let mut explained = set_of(dead.iter().map(|(square, _)| *square));
        left.retain(|unseen| unseen.on & explained == 0);
        loop {
            let most = self.explain_most(&left, explained, enough.weight);
            if most.is_empty() {
                break;
            }
            explained |= set_of(most.iter().map(|(square, _)| *square));
            left.retain(|unseen| unseen.on & explained == 0);
            // A game reconstructed on a board with one dead square explains less.
            left.iter_mut().for_each(|unseen| unseen.weight = unseen.weight.min(limits::STOOD_UNSEEN_WEIGHT));
            dead.extend(most);
        }
        dead.sort_by_key(|(square, _)| *square);
        dead
    }

    /// Marks the squares that explain the vanished pieces as well as the square on which the game had them, and returns
    /// them: the game had to choose among silent squares.
    fn alternatives(
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
        if evidence.set_up || on().next().is_none() || alike.count_ones() as usize > limits::FEW_SQUARES {
            return Vec::new();
        }
        let others = |square: Square| alike & !set_of([square]);
        evidence.alternatives = others(*square);
        let with = |other| (other, Evidence { alternatives: others(other), ..*evidence });
        all_of(evidence.alternatives).map(with).collect()
    }

    /// A vanished piece with its weight as of now.
    fn weighed(&self, unseen: &Unseen) -> Unseen {
        let moved = unseen.piece.pressed && self.with_games;
        let weight = match unseen.pending {
            0 if unseen.piece.rested => limits::DEAD_WEIGHT,
            0 if moved => limits::PRESSED_WEIGHT.max(unseen.weight),
            _ => unseen.weight,
        };
        Unseen { on: unseen.on & !self.reported, weight, ..*unseen }
    }

    /// The square that explains most of the unseen pieces, if it has `enough` weight, or two or three that explain them
    /// equally well. `found`: squares already found dead, bit n for field n.
    fn explain_most(&self, unseen: &[Unseen], found: u64, enough: u32) -> Vec<(Square, Evidence)> {
        let is_silent = |square: &Square| holds(self.silent() & !found, *square);
        let silent: Vec<Square> = Square::all().filter(is_silent).collect();
        let on = |square: Square| unseen.iter().filter(move |unseen| holds(unseen.on, square));
        let used = u32::from(self.with_presses && silent.len() <= limits::FEW_SQUARES);
        let weight = |square: Square| {
            let pieces: u32 = on(square).map(|unseen| unseen.weight).sum();
            // With one dead square known, a ply or two with a piece on another were wrong and have been withdrawn.
            let plies = if found == 0 { self.evidence[usize::from(square.field())].count } else { 0 };
            let plies = plies * limits::STOOD_UNSEEN_WEIGHT;
            let found = pieces + plies;
            if found > 0 { found + used } else { 0 }
        };
        // A pawn changes its file only to capture, and the captured piece would have been unseen too.
        let straight = |square: Square| on(square).filter(|unseen| unseen.goes_straight_to(square)).count();
        // On many boards no piece comes to a rim square all day, so of two alternatives the inner one is more likely.
        let inside = |square: Square| (1..7).contains(&(square.field() % 8)) && on(square).count() >= 2;
        let all = silent.iter().map(|&square| ((weight(square), straight(square), inside(square)), square));
        let all: Vec<((u32, usize, bool), Square)> = all.collect();
        // A square to which only capturing pawns may have gone needs twice the evidence.
        let wanted = |straight: usize| if straight == 0 { enough * 2 } else { enough };
        let most = all.iter().map(|(rank, _)| *rank).max();
        let Some(most) = most.filter(|&(weight, straight, _)| weight >= wanted(straight)) else {
            return Vec::new();
        };
        let best: Vec<Square> =
            all.iter().filter(|(rank, _)| *rank == most).map(|(_, square)| *square).collect();
        if best.len() > limits::FEW_SQUARES {
            return Vec::new();
        }
        let set = set_of(best.iter().copied());
        let each = |square: &Square| {
            let plies = self.evidence[usize::from(square.field())];
            let (count, since) = (on(*square).count() as u32, on(*square).find_map(|unseen| unseen.piece.at));
            let alternatives = set & !set_of([*square]);
            let since = since.or(plies.since);
            (*square, Evidence { count: count.max(1), since, set_up: false, alternatives })
        };
        best.iter().map(each).collect()
    }
}

/// The only one of `squares` (bit n for field n) without which this is a start position.
fn missing_of(stands: &Placement, squares: u64) -> Option<Square> {
    // All other pieces must be at home: this is quick to check on hundreds of positions per game.
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
    /// Whether the game explains it by a capture, and it did not stand anywhere in between.
    fn is_explained(&self) -> bool {
        self.explained && !self.came_back && !self.piece.rested
    }

    /// Whether it is no pawn, or a pawn that reaches this square without a capture.
    fn goes_straight_to(&self, square: Square) -> bool {
        !self.piece.walker().is_pawn() || self.piece.from.field() % 8 == square.field() % 8
    }
}
