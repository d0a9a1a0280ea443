//! The data of a tracked game. The files beside this one act on it, each on one question; none of them needs another
//! but those that its first lines name.

use std::{collections::VecDeque, rc::Rc};

use super::{
    phase::{ClockState, Evidence, Phase},
    published::{Published, PublishedMove},
    stillness::Stillness,
};
use crate::{
    reconstruct::{
        backtrack::Search,
        hypothesis::Hypothesis,
        observe::event::Event,
        options::{Options, Show},
        rulings::GameRulings,
        tree::node::Node,
    },
    record::{Outcome, Placement, Time},
    rules::{Colour, Game, Squares},
};

/// A tracked game: the search for its moves, and what was published of them.
pub struct TrackedGame<G: Game> {
    /// The start position.
    pub(super) start: G,
    /// The position to which pieces are set up after it: a game that began from another position than a usual start is
    /// followed by one from the start of chess.
    pub(super) home: Placement,
    pub(super) search: Search<G>,
    pub(super) published: Published<G>,
    /// The [`Search::revision`] at which all moves of the best explanation were published, with their clock times.
    pub(super) all_published: Option<u64>,
    /// The [`Search::revision`] at which clock and course of the game were last noted, and whether the board was
    /// settled then.
    pub(super) noted: Option<(u64, bool)>,
    /// The [`Search::revision`] of the last replay that was made because a published move seemed not to have been
    /// played.
    pub(super) replayed_at: u64,
    /// The [`Search::revision`] of the last search for a piece that was changed for another.
    pub(super) looked_for_changed: u64,
    pub(super) went_back: Option<WentBack<G>>,
    /// Without a clock: the game as published when the board first went back, until play has gone on long enough:
    /// players who go back many moves analyse a finished game.
    pub(super) first_back: Option<FirstBack<G>>,
    /// With a clock in use: the move after all published ones, which stood on the board and awaits its press or another
    /// poll. If the game is over then, it was played.
    pub(super) awaiting: Option<PublishedMove<G>>,
    /// With a clock in use: the move that was pressed last, and the number of the last change before the press.
    pub(super) last_pressed: Option<(Rc<Node<G>>, u32)>,
    /// With a clock in use: the first move after the last press that stood for long.
    pub(super) stood_unpressed: Option<Rc<Node<G>>>,
    pub(super) stillness: Stillness,
    /// The start position stood at rest before any move.
    pub(super) start_stood: bool,
    /// The phase of the game,
    pub(super) phase: Phase<G>,
    /// and the state of its clock.
    pub(super) clock_state: ClockState,
    /// The time of the last report of the clock other than a press.
    pub(super) clock_reported: Option<Time>,
    /// Beside a clock: the recent positions on the board, in order.
    pub(super) stood: VecDeque<Stood<G>>,
    pub(super) show: Show,
    /// The poll that reported the last press, or without a clock the last change, is not over yet.
    pub(super) poll_open: bool,
    /// The seconds on each side's clock at its first press and at its last.
    pub(super) clock_readings: [Option<(f64, f64)>; 2],
    /// The side that pressed last, and the time.
    pub(super) last_press: Option<(Colour, Time)>,
    /// The number of presses since a move was published.
    pub(super) presses_since_published: u32,
    /// The code on the square that changed last; 0 where it became empty.
    pub(super) last_landed: u8,
    /// The result piece on the board.
    pub(super) announced: Option<Announced>,
    /// The result that kings on the board signal, and the time since when they do.
    pub(super) signal: Option<(Outcome, Option<Time>)>,
    /// A result signalled in a log, which does not show how long the kings stood so.
    pub(super) signalled: Option<Signalled<G>>,
    /// Changes were missed: moves may be bridged,
    pub(super) missed_changes: bool,
    /// from these hypotheses, where the game was resumed for now, until it goes on from there.
    pub(super) before_gap: Vec<Hypothesis<G>>,
    /// A gap with several possible bridges, or with none, that was not published yet.
    pub(super) gap: Option<Gap>,
    /// The board at rest that was last examined for a takeback or a gap.
    pub(super) examined: Option<[u8; 64]>,
    /// A ruled ply that no explanation reaches.
    pub(super) impossible_ply: Option<u32>,
    /// The board of the last anomaly.
    pub(super) anomalous: Option<[u8; 64]>,
    /// The text of the last anomaly, until the best explanation explains the board again.
    pub(super) anomaly_detail: String,
    /// Captured men on the board that were published.
    pub(super) left_standing: Squares,
}

/// Moves that were not seen.
pub struct Gap {
    /// The ply before them.
    pub after_ply: u32,
    /// How many there are, and the number of possible sequences, up to [`super::super::limits::WAYS_MAX`]; none where
    /// they are too many to be bridged.
    pub bridged: Option<(u32, usize)>,
}

/// A reported result piece. It may be a misread piece of the game: one bit makes the difference for most pieces.
pub struct Announced {
    /// The result.
    pub result: Outcome,
    /// The field where it was seen to be put; none where it was found in a position.
    pub on: Option<u8>,
    /// The number of presses since.
    pub presses: u8,
}

/// Moves that were published and then withdrawn because the board went back to an earlier position of the game, until a
/// move was surely played: if pieces are being set up, those moves were the end of the game.
pub struct WentBack<G: Game> {
    /// The number of published moves before these.
    pub stand: usize,
    pub moves: Vec<PublishedMove<G>>,
    /// The number of the last change at that time.
    pub index: u32,
}

/// The published game when its board first went back, until it has surely gone on.
pub struct FirstBack<G: Game> {
    /// The number of its moves before those that were taken back.
    pub stand: usize,
    /// The moves that were taken back.
    pub moves: Vec<PublishedMove<G>>,
    /// The number of plies taken back since, in total.
    pub taken_back: usize,
}

/// A result that kings signalled, after which nothing was played.
pub struct Signalled<G: Game> {
    pub result: Outcome,
    /// The last position of the game before it.
    pub last: Rc<Node<G>>,
}

/// A position of the game that was on the board.
pub struct Stood<G: Game> {
    pub node: Rc<Node<G>>,
    /// The time of its beginning,
    pub since: Option<Time>,
    /// and that of its end, if it is over.
    pub until: Option<Time>,
}

impl<G: Game> TrackedGame<G> {
    /// A game with this number that may begin from `game`, bound by its rulings.
    pub fn new(
        game: G,
        rotated: bool,
        number: u32,
        options: &Options,
        rulings: &Rc<GameRulings>,
        time: Option<Time>,
    ) -> TrackedGame<G> {
        TrackedGame {
            search: Search::new(game.clone(), rotated, options, rulings, time),
            published: Published::new(&game, rotated, number, time),
            all_published: None,
            noted: None,
            replayed_at: 0,
            looked_for_changed: 0,
            home: if game.placement().is_start() { *game.placement() } else { Placement::start() },
            start: game,
            went_back: None,
            first_back: None,
            awaiting: None,
            last_pressed: None,
            stood_unpressed: None,
            stillness: Stillness::new(options.settle, time),
            start_stood: false,
            phase: Phase::default(),
            clock_state: ClockState::default(),
            clock_reported: None,
            stood: VecDeque::new(),
            show: options.show,
            poll_open: false,
            clock_readings: [None; 2],
            last_press: None,
            presses_since_published: 0,
            last_landed: 0,
            announced: None,
            signal: None,
            signalled: None,
            missed_changes: false,
            before_gap: Vec::new(),
            gap: None,
            examined: None,
            impossible_ply: None,
            anomalous: None,
            anomaly_detail: String::new(),
            left_standing: 0,
        }
    }

    /// Changes the phase by this evidence.
    pub(super) fn move_on(&mut self, evidence: Evidence<G>) {
        self.phase = std::mem::take(&mut self.phase).after(evidence);
    }

    /// An event that stands for an unseen change.
    pub(super) fn unseen(&self) -> Event {
        let done = self.search.best().node.completed_by;
        Event { index: self.search.state().index, stamp: self.stillness.changed.into(), seen: false, ..done }
    }
}
