//! What the user may choose: which games there may be, where they start, how soon moves are published.
//!
//! For the command, and for all that follows a board from game to game.

use super::limits;
use crate::{
    record::Rules,
    rules::{
        Game,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
};

/// How soon a move beside a clock is published: every look at the board that it waits for makes it later and surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Show {
    /// At its press, whatever is likeliest then
    Early,
    /// At its press, unless its piece may have been on its way or another move is likely too
    #[default]
    Usual,
    /// When a look at the board after its press has found it there
    Sure,
}

/// How many explanations of a game are kept: so that a bench can hold what is found against what a far wider search finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Width {
    /// Hypotheses kept.
    pub beam: usize,
    /// A hypothesis this much worse than the best is given up.
    pub margin: f32,
}

impl Width {
    /// For looking again: wider, it seldom happens.
    pub(super) fn again(self) -> Width {
        let Width { beam, margin } = self;
        Width { beam: beam.max(limits::BEAM_AGAIN), margin: margin.max(limits::MARGIN_AGAIN) }
    }
}

impl Default for Width {
    fn default() -> Width {
        Width { beam: limits::BEAM, margin: limits::MARGIN }
    }
}

/// What the user may choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// Seconds of record time after which a move that nothing confirms is published, without a clock.
    pub settle: f64,
    /// How soon a move beside a clock is published.
    pub show: Show,
    /// Publish each game once, when it is over: only what stands then.
    pub final_only: bool,
    /// Say of each move what it was charged with and what else it might have been.
    pub explain: bool,
    /// The only game there is; `Chess` stands for Chess960 too.
    pub rules: Option<Rules>,
    /// What stands for the men of draughts, where that is known.
    pub set: Option<Set>,
    /// The only start position there is.
    pub start: Option<Start>,
    /// A game may be on that began before its board was heard of, though no clock runs beside it.
    pub midgame: bool,
    /// Games on the first of each two addresses go on on the second.
    pub continued: Vec<(u16, u16)>,
    /// How many explanations are kept.
    pub width: Width,
}

impl Options {
    /// Whether a game of these rules may be what is played.
    pub fn plays(&self, rules: Rules) -> bool {
        self.rules.is_none_or(|only| only == rules)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            settle: 1.5,
            show: Show::default(),
            final_only: false,
            explain: false,
            rules: None,
            set: None,
            start: None,
            midgame: false,
            continued: Vec::new(),
            width: Width::default(),
        }
    }
}

/// A position that a game starts from.
#[derive(Debug, Clone)]
pub enum Start {
    /// Of chess or Chess960.
    Chess(ChessGame),
    /// Of Russian draughts.
    Russian(RussianGame),
}

impl Start {
    /// Reads a FEN of chess, or of draughts as PDN has it.
    pub fn from_fen(text: &str) -> Result<Start, String> {
        // Only a draughts FEN has colons.
        if !text.contains(':') {
            return ChessGame::from_fen(text).map(Start::Chess);
        }
        let position = text.parse().map_err(|e| format!("`{text}`: {e}"))?;
        Ok(Start::Russian(RussianGame::from_position(position)))
    }

    /// It as a FEN.
    pub fn fen(&self) -> String {
        match self {
            Start::Chess(game) => game.fen(),
            Start::Russian(game) => game.fen(),
        }
    }

    /// The name of its rules.
    pub fn rules(&self) -> Rules {
        match self {
            Start::Chess(game) => game.rules(),
            Start::Russian(game) => game.rules(),
        }
    }
}
