//! One game in play: when each hand lifts and lands pieces and presses the clock.
//!
//! Gestures have times of their own; they are placed in the time of the game so that no hand does two things at the same time
//! and no square is touched by both. For a [`SimulatedDay`](super::simulated_day::SimulatedDay), which does the rest of a
//! round.

use super::{
    Micros, SECOND,
    between_games::BetweenGames,
    clock::{ClockFace, GameClock},
    gesture::{Gesture, Touch},
    planned_game::{PlannedGame, PlannedPly},
    played_round::Signal,
    round::{Incident, Interruption, Round, Study},
    seconds,
    simulated_player::SimulatedPlayer,
};
use crate::record::{Piece, Placement, Square};

/// Of two presses closer than this the board may log one.
const PRESSES_APART: Micros = 250_000;
/// Seconds that it takes to give a player more time.
const TIME_ADDED: (f64, f64) = (20.0, 180.0);
/// Seconds after which a player takes a king that was left in check.
const KING_TAKEN: (f64, f64) = (1.0, 8.0);
/// Seconds after the other hand's press before a hand that waits at the clock presses.
const BETWEEN_PRESSES: (f64, f64) = (0.2, 0.5);

/// A game while it is played.
#[derive(Debug)]
pub struct SimulatedGame<'a> {
    round: &'a Round,
    /// The clock beside the board.
    pub clock: GameClock,
    /// The displays of the clock, in order of time.
    pub clock_faces: Vec<ClockFace>,
    /// Presses of the clock that the board detected, in order of time.
    pub presses: Vec<Signal>,
    /// The touches, in the board's own numbering; in any order.
    pub touches: Vec<Touch>,
    /// When the last piece of each ply landed.
    pub landings: Vec<Micros>,
    /// When the clock was pressed after each ply, if the board detected that.
    pub noticed: Vec<Option<Micros>>,
    /// When each square was last touched.
    last_touched: [Micros; 64],
    /// When White's and Black's hand are free again.
    hand_free: [Micros; 2],
    /// When the hand of the last ply first lifted a piece,
    lifted: Micros,
    /// when its last piece landed,
    landed: Micros,
    /// when it pressed the clock,
    pressed: Micros,
    /// and when it had corrected everything.
    tidy: Micros,
    /// Captured men that are still on the board, each with the ply before which it is taken off.
    forgotten: Vec<(Square, usize)>,
    /// The clock ran on in an interruption, so the times of the game no longer hold.
    ran_on: bool,
    /// The final position, in the players' view.
    pub stands: Placement,
    /// Whether the clock runs.
    runs: bool,
}

impl<'a> SimulatedGame<'a> {
    /// A game whose clock is started at `begin`.
    pub fn new(round: &'a Round, clock: GameClock, clock_faces: Vec<ClockFace>, begin: Micros) -> Self {
        SimulatedGame {
            round,
            clock,
            clock_faces,
            presses: Vec::new(),
            touches: Vec::new(),
            landings: Vec::new(),
            noticed: Vec::new(),
            last_touched: [0; 64],
            hand_free: [begin; 2],
            lifted: begin,
            landed: begin,
            pressed: begin,
            tidy: begin,
            forgotten: Vec::new(),
            ran_on: false,
            stands: round.game.last(),
            runs: true,
        }
    }

    /// Plays all plies. Returns when the last clock was pressed and everything was corrected.
    pub fn play(&mut self, player: &mut SimulatedPlayer<'_>) -> Micros {
        for (n, ply) in self.round.game.plies.iter().enumerate() {
            if let Some(interruption) = self.interruption(n) {
                self.interrupt(player, interruption, ply.white);
            }
            self.play_ply(player, n, ply);
        }
        let plies = &self.round.game.plies;
        if let Some(interruption) = self.interruption(plies.len()) {
            self.interrupt(player, interruption, plies.last().is_none_or(|ply| !ply.white));
        }
        for (square, _) in std::mem::take(&mut self.forgotten) {
            self.tidy = self.tidy.max(self.pressed) + player.time((0.5, 3.0));
            self.set(&Gesture::taking_off(square), self.tidy);
        }
        self.tidy.max(self.pressed)
    }

    /// Stops the clock if it runs; `white` is to move.
    pub fn stop_clock(&mut self, at: Micros, white: bool) {
        if self.runs {
            self.clock_faces.push(self.clock.stop(at, white));
        }
        self.runs = false;
    }

    /// The interruption after this number of plies, if any.
    fn interruption(&self, plies: usize) -> Option<&'a Interruption> {
        self.round.interruption.as_ref().filter(|it| it.ply == plies)
    }

    /// Plays an interruption while `white` is to move.
    fn interrupt(&mut self, player: &mut SimulatedPlayer<'_>, it: &Interruption, white: bool) {
        let stands = self.round.game.after(it.ply);
        let mut begin = self.tidy.max(self.pressed) + player.time((1.0, 8.0));
        if let Incident::TimeAdded(_) = it.incident {
            begin += seconds(self.clock.has(white));
        }
        let mut around = BetweenGames::new(begin, stands);
        // It ends before a running clock has no more time.
        let most = if it.stops_clock { f64::INFINITY } else { self.clock.has(white) / 3.0 };
        // A move that will be withdrawn is pressed before the clock is stopped.
        let pressed = matches!(it.incident, Incident::KingTaken { .. } | Incident::Withdrawn(..));
        if it.stops_clock && !pressed {
            self.stop_clock(begin, white);
        }
        self.ran_on |= pressed || !it.stops_clock || matches!(it.incident, Incident::TimeAdded(_));
        self.incident(player, it, &mut around, white, most);
        if it.stops_clock {
            self.stop_clock(around.now, !white);
        }
        if it.puts_back {
            around.put_back(player, &stands);
        }
        self.stands = around.stands;
        self.set(&Gesture { touches: around.touches, ..Gesture::default() }, 0);
        let resumed = around.now + player.time((0.5, 10.0));
        if it.ply < self.round.game.plies.len() && !self.runs {
            self.clock_faces.push(self.clock.face(resumed, white, true));
            self.runs = true;
        }
        self.tidy = resumed;
        self.hand_free = [resumed; 2];
    }

    /// Plays an incident while `white` is to move, within a number of seconds if its length is free.
    fn incident(
        &mut self,
        player: &mut SimulatedPlayer<'_>,
        it: &Interruption,
        around: &mut BetweenGames,
        white: bool,
        most: f64,
    ) {
        let game = &self.round.game;
        match &it.incident {
            Incident::Shown { ending, result, lasts } => {
                around.show(player, *ending, *result);
                around.now += seconds(lasts.min(most));
            }
            Incident::Withdrawn(ply, lasts) => {
                let gesture = player.ply(&around.stands, ply);
                around.make(gesture);
                let at = around.now + player.time(player.profile.press);
                self.press(player, white, None, at);
                if it.stops_clock {
                    self.stop_clock(at + SECOND, !white);
                }
                around.now = at + seconds(lasts.max(1.0));
            }
            Incident::TimeAdded(more) => {
                around.now += player.time(TIME_ADDED);
                self.clock.set(white, *more);
            }
            Incident::Shaken(pieces) => around.shake(player, *pieces),
            Incident::Studied(study) => {
                let so_far = PlannedGame { plies: game.plies[..it.ply].to_vec(), ..PlannedGame::clone(game) };
                let study = Study { lasts: study.lasts.min(most), ..study.clone() };
                around.study(player, &so_far, &study, false);
            }
            Incident::PlayedThrough => around.play_through(player, game, it.ply),
            Incident::KingTaken { illegal: (from, to), by } => {
                let king = |white: bool| Piece::from_letter(if white { b'K' } else { b'k' });
                around.place(player, *from, *to, false);
                let at = around.now + player.time(player.profile.press);
                self.press(player, white, None, at);
                let square = Square::all().find(|&s| around.stands.get(s) == king(white));
                around.now = at + player.time(KING_TAKEN);
                if let Some(square) = square {
                    around.place(player, *by, square, false);
                }
            }
            Incident::KingBeside { white, lasts } => {
                let king = Piece::from_letter(if *white { b'K' } else { b'k' });
                if let Some(square) = Square::all().find(|&s| around.stands.get(s) == king) {
                    around.put(player, square, None);
                }
                around.now += seconds(lasts.min(most));
            }
        }
    }

    /// The seconds on the mover's clock after this ply, if the game has them.
    fn shows(&self, ply: &PlannedPly) -> Option<f64> {
        ply.seconds.filter(|_| !self.ran_on)
    }

    fn play_ply(&mut self, player: &mut SimulatedPlayer<'_>, n: usize, ply: &PlannedPly) {
        let before = self.round.game.after(n);
        let overlaps = n > 0 && player.random.chance(player.profile.overlap);
        let gesture = if overlaps { player.ply(&before, ply) } else { player.ply_with_detours(&before, ply) };
        let to_clock = player.time(player.profile.press);
        let mut lift = if overlaps {
            let early = player.time((0.0, 0.35));
            self.landed.saturating_sub(early).max(self.lifted + 50_000)
        } else {
            let used = self.thought(player, n, ply);
            (self.clock.began + used)
                .saturating_sub(gesture.landed + to_clock)
                .max(self.tidy.max(self.pressed) + player.time((0.05, 0.3)))
        };
        let hand = usize::from(!ply.white);
        // A reply that begins early still ends after the move before it.
        lift = lift
            .max(self.hand_free[hand] + 100_000)
            .max((self.landed + 50_000).saturating_sub(gesture.landed));
        for touch in &gesture.touches {
            let last = self.last_touched[usize::from(touch.square.field())];
            lift = lift.max((last + 1_000).saturating_sub(touch.at));
        }
        if !overlaps {
            self.adjust_while_thinking(player, &before, lift);
        }
        // A captured man in the way is taken off before this ply.
        let needed = |s: Square| s == ply.to || gesture.touches_square(s);
        let taken_off = self.forgotten.extract_if(.., |(square, due)| *due <= n || needed(*square));
        for (square, _) in taken_off.collect::<Vec<_>>() {
            let at = (self.landed + 10_000).max(lift.saturating_sub(player.time((0.2, 1.0))));
            self.set(&Gesture::taking_off(square), at);
            lift = lift.max(at + 100_000);
        }
        self.set(&gesture, lift);
        self.forgotten
            .extend(gesture.forgotten.iter().map(|&square| (square, n + 2 + player.random.below(6))));
        self.lifted = lift;
        self.landed = lift + gesture.landed;
        self.landings.push(self.landed);
        self.tidy = self.tidy.max(lift + gesture.free);
        let after_theirs = player.time(BETWEEN_PRESSES);
        let at = (self.landed + to_clock).max(self.pressed + after_theirs);
        let noticed = self.press(player, ply.white, self.shows(ply), at);
        self.noticed.push(noticed);
        self.hand_free[hand] = self.pressed.max(lift + gesture.free);
    }

    /// How long the mover of ply `n` thinks, from the turn's beginning to the press.
    fn thought(&self, player: &mut SimulatedPlayer<'_>, n: usize, ply: &PlannedPly) -> Micros {
        let has = self.clock.has(ply.white);
        let used = match self.shows(ply) {
            // The displays show whole seconds, so the fraction is random.
            Some(shows) => has + self.clock.increment - shows - player.random.unit(),
            None => {
                let (median, sigma) = player.profile.think;
                let known = if n < 12 { 0.3 } else { 1.0 };
                player.random.log_normal(median * known, sigma).min(has * 0.2)
            }
        };
        seconds(used.max(0.0))
    }

    /// A player may adjust a piece while thinking, if there is time before the `lift`.
    fn adjust_while_thinking(&mut self, player: &mut SimulatedPlayer<'_>, before: &Placement, lift: Micros) {
        if !player.random.chance(player.profile.adjust) {
            return;
        }
        let gesture = player.adjust(before);
        let room = lift.saturating_sub(self.tidy).saturating_sub(gesture.free);
        if room < SECOND {
            return;
        }
        let at = self.tidy + 50_000 + (player.random.unit() * (room - 100_000) as f64) as Micros;
        self.set(&gesture, at);
    }

    /// Places a gesture in the time of the game, in the board's numbering.
    fn set(&mut self, gesture: &Gesture, lift: Micros) {
        for touch in &gesture.touches {
            let at = lift + touch.at;
            let last = &mut self.last_touched[usize::from(touch.square.field())];
            *last = at.max(*last);
            let square = if self.round.rotated { touch.square.turned() } else { touch.square };
            self.touches.push(Touch { at, square, piece: touch.piece });
        }
    }

    /// `white` presses the clock, which then shows `known` if the game has it. Returns when, if the board detects the press.
    fn press(
        &mut self,
        player: &mut SimulatedPlayer<'_>,
        white: bool,
        known: Option<f64>,
        at: Micros,
    ) -> Option<Micros> {
        let seconds = self.clock.press(at, white, known);
        // By the makers' header a board may not log presses of very fast moves.
        let skipped = at.saturating_sub(self.pressed) < PRESSES_APART && player.random.chance(0.5);
        if !skipped {
            self.presses.push(Signal::Press { at, side: self.clock.side(white), seconds });
        }
        self.clock_faces.push(self.clock.face(at, !white, true));
        self.pressed = at;
        (!skipped).then_some(at)
    }
}
