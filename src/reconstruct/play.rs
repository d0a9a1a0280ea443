//! One game in play: the search for what is played, and what of it can be told.
//!
//! A move is told once it cannot reasonably be a stop on the way; when the search learns better, the game is
//! taken back to where it was right and told again.

mod ending;
mod resting;
mod setting_up;
mod telling;

use std::rc::Rc;

use super::{Options, Update, backtrack::Search, limits, tree::node::Node};
use crate::{
    record::{Move, Outcome, Placement, Time},
    rules::{Colour, Game, Squares},
};
use setting_up::Undone;

/// A move that was told.
struct Shown<G: Game> {
    node: Rc<Node<G>>,
    told: Move,
    time: Option<Time>,
}

/// See the module.
pub struct Play<G: Game> {
    start: G,
    rotated: bool,
    began: Option<Time>,
    number: u32,
    search: Search<G>,
    begun: bool,
    shown: Vec<Shown<G>>,
    /// What was withdrawn and may not have been.
    undone: Option<Undone<G>>,
    /// Of the last change, of the last record of this board, and of the last of any.
    changed: Option<Time>,
    heard: Option<Time>,
    now: Option<Time>,
    /// The board rests: an empty poll since the last change.
    quiet: bool,
    /// The board has rested so long since the last change that its position was meant.
    held: bool,
    /// The board does not answer: nothing is known to rest.
    lost: bool,
    /// What each side's clock showed at its first press and at its last.
    readings: [Option<(f64, f64)>; 2],
    announced: Option<Outcome>,
    /// Since when the board has shown a result.
    signalled: Option<(Outcome, Option<Time>)>,
    /// Changes were missed: moves may be bridged.
    gap: bool,
    /// The board that an anomaly was told of, or that could not be bridged.
    stuck: Option<[u8; 64]>,
    reported: Option<[u8; 64]>,
    /// Captured men left standing that were told of.
    left: Squares,
}

impl<G: Game> Play<G> {
    /// A game with this number that may begin from `game`.
    pub fn new(game: G, rotated: bool, number: u32, time: Option<Time>) -> Play<G> {
        Play {
            search: Search::new(game.clone(), false, time),
            start: game,
            rotated,
            began: time,
            number,
            begun: false,
            shown: Vec::new(),
            undone: None,
            changed: None,
            heard: time,
            now: time,
            quiet: false,
            held: false,
            lost: false,
            readings: [None; 2],
            announced: None,
            signalled: None,
            gap: false,
            stuck: None,
            reported: None,
            left: 0,
        }
    }

    /// Plies of the best explanation.
    pub fn plies(&self) -> u32 {
        self.search.best().node.ply
    }

    /// Whether the mating side could still win.
    pub fn can_win(&self, side: Colour) -> bool {
        self.search.best().node.game.can_win(side)
    }

    /// Whether a start position that now stands belongs to this game: the moves explain it.
    pub fn explains_board(&self) -> bool {
        let best = self.search.best();
        // Its own press is still to come.
        let played = !self.search.clock_in_use() || best.pressed(best.node.ply.saturating_sub(1)).is_some();
        best.mismatched == 0
            && best.node.ply > 0
            && played
            && best.node.game.placement() == self.start.placement()
    }

    /// Whether a start position that now stands is this game taken back to its beginning.
    pub fn barely_begun(&self) -> bool {
        match self.furthest().ply.max(self.plies_told()) {
            0 => self.begun,
            plies => plies <= limits::BARELY_BEGUN,
        }
    }

    /// Whether the board shows another position than this game's start: not a first move, nor one in the making,
    /// which a start mark may find.
    pub fn is_another_position(&self) -> bool {
        let best = self.search.best();
        best.node.ply == 0 && best.mismatched.count_ones() >= limits::ANOTHER_POSITION
    }

    /// See [`Search::sides_swapped`].
    pub fn sides_swapped(&self) -> bool {
        self.search.sides_swapped()
    }

    /// See [`Search::expect_sides_swapped`].
    pub fn expect_sides_swapped(&mut self, swapped: bool) {
        self.search.expect_sides_swapped(swapped);
    }

    /// Whether nothing was told of this game.
    pub fn untouched(&self) -> bool {
        self.shown.is_empty() && !self.begun
    }

    /// A square changed.
    pub fn change(&mut self, field: u8, code: u8, quick: Option<bool>, time: Option<Time>) {
        self.search.change(field, code, quick, time);
        self.note_change(time);
    }

    fn note_change(&mut self, time: Option<Time>) {
        self.changed = time;
        (self.quiet, self.held, self.lost) = (false, false, false);
        self.signalled = G::signal(self.search.board()).map(|(outcome, _)| match self.signalled {
            Some((same, since)) if same == outcome => (same, since),
            _ => (outcome, time),
        });
    }

    /// The board was found to stand so: changes were missed.
    pub fn jump(&mut self, placement: &Placement, time: Option<Time>) {
        self.lost = false;
        let now = *self.search.board();
        let (mut lifted, mut landed) = (Vec::new(), Vec::new());
        for (at, (&code, &old)) in placement.codes().iter().zip(&now).enumerate() {
            if code != old {
                if code == 0 { &mut lifted } else { &mut landed }.push((at as u8, code));
            }
        }
        self.gap |= !(lifted.is_empty() && landed.is_empty());
        // More than a move's two squares may hide several moves, in any order: a bridge knows whether there is but one.
        let one_move = lifted.len() + landed.len() <= 2;
        for (at, code) in lifted.into_iter().chain(landed) {
            self.search.found(at, code, one_move, time);
            self.note_change(time);
        }
        if self.gap && self.search.best().mismatched != 0 {
            self.bridge();
            if !self.gap {
                // What comes later comes after what the board shows.
                self.search.keep_standing();
            }
        }
    }

    /// A side's clock was halted.
    pub fn press(&mut self, side: Colour, seconds: f64, time: Option<Time>) {
        let reading = &mut self.readings[side.index()];
        let (first, last) = reading.unwrap_or((seconds, seconds));
        *reading = Some((first, seconds));
        // Set for another game it shows as much as at the beginning of this one; cleared, nothing.
        if (seconds >= first && seconds > last + limits::CLOCK_GAINED)
            || (seconds == 0.0 && last > limits::CLOCK_GAINED)
        {
            return;
        }
        self.search.press(side, seconds, time);
    }

    /// The board had nothing to tell.
    pub fn quiet(&mut self) {
        self.lost = false;
        if !self.quiet {
            self.quiet = true;
            self.search.rest();
        }
    }

    /// The board does not answer any more.
    pub fn lose(&mut self) {
        self.lost = true;
    }

    /// A result piece was put on the board.
    pub fn announce(&mut self, result: Outcome) {
        self.announced = Some(result);
    }

    /// The board says something at record time `now`.
    pub fn hear(&mut self, now: Option<Time>) {
        self.heard = now.max(self.heard);
    }

    /// A record comes at record time `now`: whether the board had rested for long before it.
    pub fn had_rested(&mut self, now: Option<Time>) -> bool {
        self.now = now.max(self.now);
        let long = self.passed(self.changed, limits::PUBLISH_LATEST);
        if long && !self.held {
            self.held = true;
            self.search.rest_long();
        }
        long
    }

    /// Looks at what is known at record time `now` and tells what can be told.
    pub fn advance(&mut self, now: Option<Time>, options: &Options, updates: &mut Vec<Update>) {
        self.now = now.max(self.now);
        if self.rests(options) {
            match self.search.best().mismatched {
                0 => self.look_for_takeback(),
                _ => self.explain_rest(),
            }
        }
        self.tell(updates, options);
    }

    /// Record time since `then`.
    fn since(&self, then: Option<Time>) -> Option<f64> {
        Some(then?.seconds_until(self.now?))
    }

    fn passed(&self, then: Option<Time>, seconds: f64) -> bool {
        !self.lost && self.since(then).is_some_and(|passed| passed >= seconds)
    }

    /// The pieces rest: a poll found nothing new, or it was long after the last change that the board said
    /// something else.
    fn rests(&self, options: &Options) -> bool {
        let long = |(changed, heard): (Time, Time)| {
            changed.seconds_until(heard) >= options.settle + limits::RESTS_UNPOLLED
        };
        self.quiet || (!self.lost && self.changed.zip(self.heard).is_some_and(long))
    }

    /// When, in record time, something is due though nothing comes in.
    pub fn deadline(&self) -> Option<Time> {
        let later = |time: Option<Time>, seconds: f64| time.map(|time| time.after(seconds));
        let best = self.search.best();
        let unshown = self.plies_told() < best.node.ply;
        // When another board speaks, this one has no more to say of what it said with the press.
        let press = best.pressed(best.node.ply).filter(|_| unshown);
        let looked = press.map(|press| (best.node.completed_by.stamp.time(), press.stamp.time())).filter(
            |&(done, press)| {
                done.zip(press).is_some_and(|(done, press)| done.seconds_until(press) >= limits::LOOKED_AGAIN)
            },
        );
        let due = [
            looked.and_then(|(_, press)| later(press, limits::TICK)),
            self.signalled.and_then(|(_, since)| later(since, limits::SIGNAL_STANDS)),
            self.signalled.and_then(|(_, since)| later(since, limits::HALF_SIGNAL_STANDS)),
            if unshown { later(best.node.completed_by.stamp.time(), limits::PUBLISH_LATEST) } else { None },
            if unshown {
                later(best.node.completed_by.stamp.time(), limits::PUBLISH_LATEST_AT_HOME)
            } else {
                None
            },
            if best.node.ply > 0 && best.mismatched == 0 {
                later(best.node.completed_by.stamp.time(), limits::NATURAL_END_STANDS)
            } else {
                None
            },
            if best.mismatched | best.captured_standing != 0 {
                later(self.changed, limits::ANOMALY)
            } else {
                None
            },
            if best.mismatched != 0 { later(self.changed, limits::ANOMALY_MISSING) } else { None },
        ];
        due.into_iter().flatten().filter(|&due| self.now.is_none_or(|now| due > now)).min()
    }
}
