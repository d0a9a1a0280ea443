//! What is known of one game that is being tracked. The files beside this one act on it, each with one question; none
//! of them needs another but those named in its first lines.

use std::{collections::VecDeque, rc::Rc};

use super::{
    phase::{ClockState, Evidence, Phase},
    published::{Published, PublishedMove},
    stillness::Stillness,
};
use crate::{
    reconstruct::{
        backtrack::Search,
        observe::event::Event,
        options::{Options, Show},
        rulings::GameRulings,
        tree::node::Node,
    },
    record::{Outcome, Time},
    rules::{Colour, Game, Squares},
};

/// One game that is being tracked: the search for what is played, and what was published of it.
pub struct TrackedGame<G: Game> {
    /// Where it begins.
    pub(super) start: G,
    pub(super) search: Search<G>,
    pub(super) published: Published<G>,
    /// By when of [`Search::learned`] all moves of the best explanation were published, with their clock times.
    pub(super) all_published: Option<u64>,
    /// By when of [`Search::learned`] what it says of clock and course was noted, and whether the board was let go of then.
    pub(super) noted: Option<(u64, bool)>,
    /// By when of [`Search::learned`] it looked again because something that was published seemed not to have been played.
    pub(super) looked_again: u64,
    /// By when of it a piece was looked for that was changed for another.
    pub(super) looked_for_changed: u64,
    pub(super) went_back: Option<WentBack<G>>,
    /// Without a clock: how far the game was told to have come when it first went back, until it has gone on from there for
    /// longer: who goes back through many moves looks at a game that is over.
    pub(super) came_to: Option<CameTo<G>>,
    /// With a clock in use: the move after all that was published, which stood on the board and awaits its press or a look at the
    /// board. If the game is over then, it was played.
    pub(super) awaiting: Option<PublishedMove<G>>,
    /// With a clock in use: the move that was pressed last, and the number of the last change before that.
    pub(super) last_pressed: Option<(Rc<Node<G>>, u32)>,
    /// With a clock in use: the first move behind the last press that stood for long.
    pub(super) stood_unpressed: Option<Rc<Node<G>>>,
    pub(super) stillness: Stillness,
    /// The position from which it begins stood at rest, and nothing was played.
    pub(super) start_stood: bool,
    /// What it is doing,
    pub(super) phase: Phase<G>,
    /// and the clock beside it.
    pub(super) clock_state: ClockState,
    /// When the clock last reported anything but a press.
    pub(super) clock_reported: Option<Time>,
    /// Beside a clock: the positions that stood on the board one after the other, of late.
    pub(super) stood: VecDeque<Stood<G>>,
    pub(super) show: Show,
    /// It is not known yet that the poll that told of the last press, or without a clock of the last change, is over.
    pub(super) poll_open: bool,
    /// What each side's clock showed at its first press and at its last.
    pub(super) clock_readings: [Option<(f64, f64)>; 2],
    /// Who pressed last, and when.
    pub(super) last_press: Option<(Colour, Time)>,
    /// How often a clock was pressed since a move was told.
    pub(super) presses_untold: u32,
    /// What came to the square that changed last; none where it became empty.
    pub(super) last_landed: u8,
    /// The result piece that stands on the board.
    pub(super) announced: Option<Announced>,
    /// The result that pieces on the board signal, and since when.
    pub(super) signal: Option<(Outcome, Option<Time>)>,
    /// The result that pieces signalled in a log, which does not say how long they stood so.
    pub(super) signalled: Option<Signalled<G>>,
    /// Changes were missed: moves may be bridged.
    pub(super) missed_changes: bool,
    /// A gap that several ways bridge, of which nothing was published yet.
    pub(super) gap: Option<Gap>,
    /// The board at rest that was last looked at for a takeback or a gap.
    pub(super) examined: Option<[u8; 64]>,
    /// The ply of which something is ruled that no explanation comes to.
    pub(super) cannot_be: Option<u32>,
    /// The board that an anomaly was published of.
    pub(super) anomalous: Option<[u8; 64]>,
    /// The last anomaly in words, while the board stands otherwise than the best explanation.
    pub(super) told_of: String,
    /// Captured men left standing that were published.
    pub(super) left_standing: Squares,
}

/// Moves that nobody saw.
pub struct Gap {
    /// The ply that they came after.
    pub behind: u32,
    /// How many there are.
    pub plies: u32,
    /// In how many ways they may have been played, as far as that was counted.
    pub ways: usize,
}

/// A result piece that was told of. It may be a piece of the game that was misread: one bit makes it of most of them.
pub struct Announced {
    /// What it announces.
    pub result: Outcome,
    /// Where it was seen to be put; a look at the board does not say.
    pub on: Option<u8>,
    /// How often a clock was pressed since.
    pub presses: u8,
}

/// What was published and then withdrawn because the board went back to an earlier position of the game, as long as
/// nothing was surely played since: pieces may be being set up, and then it stands.
pub struct WentBack<G: Game> {
    /// How many of the published moves come before it.
    pub stand: usize,
    pub moves: Vec<PublishedMove<G>>,
    /// The number of the last change then.
    pub index: u32,
}

/// How far a game had come when it first went back, until it has surely gone on.
pub struct CameTo<G: Game> {
    /// How many of its moves come before what was taken back.
    pub stand: usize,
    /// Its moves after these.
    pub moves: Vec<PublishedMove<G>>,
    /// How many plies were taken back since, one time and another.
    pub taken_back: usize,
}

/// A result that pieces signalled, and behind which nothing was played.
pub struct Signalled<G: Game> {
    pub result: Outcome,
    /// The last position of the game that it ended.
    pub last: Rc<Node<G>>,
}

/// A position of the game that stood on the board.
pub struct Stood<G: Game> {
    pub node: Rc<Node<G>>,
    /// From when on,
    pub since: Option<Time>,
    /// and until when, if it does no more.
    pub until: Option<Time>,
}

impl<G: Game> TrackedGame<G> {
    /// A game with this number that may begin from `game`, held to what arbiters ruled of it.
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
            looked_again: 0,
            looked_for_changed: 0,
            start: game,
            went_back: None,
            came_to: None,
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
            presses_untold: 0,
            last_landed: 0,
            announced: None,
            signal: None,
            signalled: None,
            missed_changes: false,
            gap: None,
            examined: None,
            cannot_be: None,
            anomalous: None,
            told_of: String::new(),
            left_standing: 0,
        }
    }

    /// Takes in what moves it on from its phase.
    pub(super) fn move_on(&mut self, evidence: Evidence<G>) {
        self.phase = std::mem::take(&mut self.phase).after(evidence);
    }

    /// An event that stands for what was not seen.
    pub(super) fn unseen(&self) -> Event {
        let done = self.search.best().node.completed_by;
        Event { index: self.search.state().index, stamp: self.stillness.changed.into(), seen: false, ..done }
    }
}
