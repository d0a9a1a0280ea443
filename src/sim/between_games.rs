//! The touches on a board between games: setting pieces up, showing the result, analysing the game.
//!
//! For a [`SimulatedDay`](super::simulated_day::SimulatedDay), which plays the games between.

use super::{
    Micros,
    gesture::{Gesture, Touch},
    planned_game::PlannedGame,
    round::{Ending, Study},
    seconds,
    simulated_player::{SimulatedPlayer, distance},
};
use crate::record::{Outcome, Piece, Placement, Square};

/// Seconds for which fallen pieces lie before the first is picked up.
const FALLEN: (f64, f64) = (0.5, 3.0);
/// Seconds between two moves of a game that is played through again.
const PLAYED_THROUGH: (f64, f64) = (0.5, 3.0);

/// The touches so far, and the position after them.
#[derive(Debug)]
pub struct BetweenGames {
    /// All touches, in order of time.
    pub touches: Vec<Touch>,
    /// When the last is over.
    pub now: Micros,
    /// The position then.
    pub stands: Placement,
}

impl BetweenGames {
    /// No touches yet.
    pub fn new(now: Micros, stands: Placement) -> BetweenGames {
        BetweenGames { touches: Vec::new(), now, stands }
    }

    /// Moves a piece from one square to another; a piece in the way is lifted off.
    pub fn place(&mut self, player: &mut SimulatedPlayer<'_>, from: Square, to: Square, slide: bool) {
        let gesture = player.place(&self.stands, from, to, slide);
        self.make(gesture);
    }

    /// Appends a gesture, in the board's numbering.
    pub(super) fn make(&mut self, Gesture { touches, free, .. }: Gesture) {
        for touch in touches {
            self.stands.set(touch.square, touch.piece);
            self.touches.push(Touch { at: touch.at + self.now, ..touch });
        }
        self.now += free;
    }

    /// Puts a piece on a square, or takes it off.
    pub fn put(&mut self, player: &mut SimulatedPlayer<'_>, square: Square, piece: Option<Piece>) {
        self.now += player.time((0.2, 1.2));
        self.touches.push(Touch { at: self.now, square, piece });
        self.stands.set(square, piece);
    }

    /// Sets up `target` in random order, with the pieces on the board and others from the box.
    pub fn set_up(&mut self, player: &mut SimulatedPlayer<'_>, target: &Placement) {
        loop {
            let stands = self.stands;
            let misplaced: Vec<Square> = Square::all()
                .filter(|&s| stands.get(s).is_some() && stands.get(s) != target.get(s))
                .collect();
            let homes: Vec<Square> = Square::all()
                .filter(|&s| target.get(s).is_some() && stands.get(s) != target.get(s))
                .collect();
            if misplaced.is_empty() && homes.is_empty() {
                return;
            }
            if !misplaced.is_empty() && (homes.is_empty() || player.random.chance(0.7)) {
                let from = misplaced[player.random.below(misplaced.len())];
                let own: Vec<Square> =
                    homes.iter().copied().filter(|&h| target.get(h) == stands.get(from)).collect();
                match player.random.pick(&own) {
                    Some(&home) => {
                        self.now += player.time((0.1, 1.0));
                        self.place(player, from, home, false);
                    }
                    None => self.put(player, from, None),
                }
            } else {
                let home = homes[player.random.below(homes.len())];
                if stands.get(home).is_some() {
                    self.put(player, home, None);
                }
                self.put(player, home, target.get(home));
            }
        }
    }

    /// Restores the position `target`: first pieces on other squares return, then those that were taken off.
    pub fn put_back(&mut self, player: &mut SimulatedPlayer<'_>, target: &Placement) {
        loop {
            let stands = self.stands;
            let wrong = |s: &Square| stands.get(*s) != target.get(*s);
            let astray = || Square::all().filter(wrong).filter(|&s| stands.get(s).is_some());
            let homes = || Square::all().filter(wrong).filter(|&s| stands.get(s).is_none());
            let own = |from: Square| homes().filter(move |&s| target.get(s) == stands.get(from));
            let ways: Vec<(Square, Square)> =
                astray().flat_map(|from| own(from).map(move |to| (from, to))).collect();
            if let Some(&(from, to)) = player.random.pick(&ways) {
                self.now += player.time((0.1, 1.5));
                self.place(player, from, to, false);
            } else if let Some(square) = astray().next() {
                self.put(player, square, None);
            } else if let Some(&home) = player.random.pick(&homes().collect::<Vec<_>>()) {
                self.put(player, home, target.get(home));
            } else {
                return;
            }
        }
    }

    /// This number of pieces fall within half a second, onto neighbouring squares or off the board.
    pub fn shake(&mut self, player: &mut SimulatedPlayer<'_>, pieces: usize) {
        let mut standing: Vec<Square> = Square::all().filter(|&s| self.stands.get(s).is_some()).collect();
        player.random.shuffle(&mut standing);
        for &square in standing.iter().take(pieces) {
            let piece = self.stands.get(square);
            self.now += player.time((0.0, 0.5)) / pieces as Micros;
            self.touches.push(Touch { at: self.now, square, piece: None });
            self.stands.set(square, None);
            let beside: Vec<Square> =
                Square::all().filter(|&s| self.stands.get(s).is_none() && distance(s, square) == 1).collect();
            if player.random.chance(0.4)
                && let Some(&lies) = player.random.pick(&beside)
            {
                self.touches.push(Touch { at: self.now, square: lies, piece });
                self.stands.set(lies, piece);
            }
        }
        self.now += player.time(FALLEN);
    }

    /// Sets the game up again and plays through this number of its plies.
    pub fn play_through(&mut self, player: &mut SimulatedPlayer<'_>, game: &PlannedGame, plies: usize) {
        self.set_up(player, &game.start);
        self.now += player.time((2.0, 20.0));
        for (n, ply) in game.plies.iter().enumerate().take(plies) {
            self.now += player.time(PLAYED_THROUGH);
            let gesture = player.ply(&game.after(n), ply);
            self.make(gesture);
        }
    }

    /// Shows a result on the board. Returns the square of the result piece, if one is used.
    pub fn show(
        &mut self,
        player: &mut SimulatedPlayer<'_>,
        ending: Ending,
        result: Outcome,
    ) -> Option<Square> {
        match ending {
            Ending::None => None,
            // The four squares of the centre are their own turned images, colours and all.
            Ending::Kings => {
                self.kings(player, result);
                None
            }
            Ending::Piece => self.result_piece(player, result),
        }
    }

    /// Puts the kings in the centre: both on light squares 1-0, on dark ones 0-1, one of each a draw.
    fn kings(&mut self, player: &mut SimulatedPlayer<'_>, result: Outcome) {
        const LIGHT: [&str; 2] = ["e4", "d5"];
        const DARK: [&str; 2] = ["d4", "e5"];
        let mut ways: Vec<(&str, &str)> = match result {
            Outcome::WhiteWins => vec![(LIGHT[0], LIGHT[1]), (LIGHT[1], LIGHT[0])],
            Outcome::BlackWins => vec![(DARK[0], DARK[1]), (DARK[1], DARK[0])],
            Outcome::Draw => {
                LIGHT.iter().flat_map(|&l| DARK.iter().flat_map(move |&d| [(l, d), (d, l)])).collect()
            }
            // Kings cannot show a result that only an arbiter can give.
            Outcome::BothLose | Outcome::HalfToWhite | Outcome::HalfToBlack => Vec::new(),
        };
        player.random.shuffle(&mut ways);
        let (white, black) = (Piece::from_letter(b'K'), Piece::from_letter(b'k'));
        let square = |name: &str| name.parse::<Square>().expect("a square of the centre");
        // A king is not put on the square of the other king.
        let free = |(w, b): &&(&str, &str)| {
            self.stands.get(square(w)) != black && self.stands.get(square(b)) != white
        };
        let Some(&(w, b)) = ways.iter().find(free) else { return };
        let mut pair = [(white, square(w)), (black, square(b))];
        player.random.shuffle(&mut pair);
        for (king, to) in pair {
            let Some(from) = Square::all().find(|&s| self.stands.get(s) == king) else { continue };
            if from == to {
                continue;
            }
            self.now += player.time((0.3, 4.0));
            let slide = player.profile.slide > 0.0 && player.random.chance(0.3);
            self.place(player, from, to, slide);
        }
    }

    /// Puts the result piece on an empty square of the centre, and returns that square.
    fn result_piece(&mut self, player: &mut SimulatedPlayer<'_>, result: Outcome) -> Option<Square> {
        let centre = 16..48;
        let free: Vec<Square> =
            centre.filter_map(Square::from_field).filter(|&s| self.stands.get(s).is_none()).collect();
        let &square = player.random.pick(&free)?;
        let piece = result.text().parse().ok();
        self.put(player, square, piece);
        Some(square)
    }

    /// The players analyse the end of the game: they take moves back, try others and move pieces freely.
    pub fn analyse(&mut self, player: &mut SimulatedPlayer<'_>, game: &PlannedGame, turned: bool) {
        let view = |p: Placement| if turned { p.turned() } else { p };
        let seen = |s: Square| if turned { s.turned() } else { s };
        let plies = game.plies.len();
        for _ in 0..1 + player.random.below(3) {
            let from = plies - player.random.below(plies.min(8) + 1);
            self.set_up(player, &view(game.after(from)));
            for ply in game.plies.iter().skip(from).take(1 + player.random.below(4)) {
                if let Some(&(a, b)) = player.random.pick(&ply.quiet_alternatives) {
                    for (a, b) in [(a, b), (b, a)] {
                        self.now += player.time((0.5, 8.0));
                        self.place(player, seen(a), seen(b), false);
                    }
                }
                self.now += player.time((0.5, 8.0));
                self.set_up(player, &view(ply.after));
            }
        }
    }

    /// The players restore the final position and try lines, and leave each line move by move or by restoring a position.
    pub fn study(
        &mut self,
        player: &mut SimulatedPlayer<'_>,
        game: &PlannedGame,
        study: &Study,
        turned: bool,
    ) {
        let view = |p: &Placement| if turned { p.turned() } else { *p };
        self.put_back(player, &view(&game.last()));
        let until = self.now + seconds(study.lasts);
        // The positions that led to the current one, from that of the game on.
        let mut path: Vec<Placement> = (0..=game.plies.len()).map(|n| game.after(n)).collect();
        let mut of_game = game.plies.len();
        for line in &study.lines {
            if self.now >= until {
                return;
            }
            let fork = of_game.min(line.from);
            let back = path.drain(fork..).rev().skip(1).collect::<Vec<_>>();
            let steps = back.into_iter().chain((fork..=line.from).map(|n| game.after(n)));
            let steps: Vec<Placement> = steps.collect();
            let first = if player.random.chance(0.5) { 0 } else { steps.len() - 1 };
            for step in &steps[first..] {
                self.now += player.time((0.5, 4.0));
                self.put_back(player, &view(step));
            }
            path.extend((fork..=line.from).map(|n| game.after(n)));
            of_game = line.from;
            for ply in &line.plies {
                self.now += player.time((0.5, 8.0));
                let before = path[path.len() - 1];
                let mut gesture = player.ply_with_detours(&before, ply);
                if turned {
                    gesture.touches.iter_mut().for_each(|touch| touch.square = touch.square.turned());
                }
                self.make(gesture);
                path.push(ply.after);
            }
        }
    }
}
