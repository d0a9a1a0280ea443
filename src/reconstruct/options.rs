//! The user's options: which games are possible, where they start, how soon moves are published.
//!
//! For the command, and for everything that follows a board from game to game.

use super::limits;
use crate::{
    record::Rules,
    rules::{
        Game,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
};

/// How soon a move beside a clock is published: each later look at the board makes it later and more certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Show {
    /// At its press: the move that is likeliest then
    Early,
    /// At its press, unless its piece may still have been on its way or another move is likely too
    #[default]
    Usual,
    /// When a poll after its press has found it on the board
    Sure,
}

/// How many explanations of a game are kept: a bench compares the result with that of a far wider search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Width {
    /// Hypotheses kept.
    pub beam: usize,
    /// A hypothesis this much worse than the best is given up.
    pub margin: f32,
}

impl Width {
    /// The width of a replay, which is rare and may take longer.
    pub(super) fn for_replay(self) -> Width {
        let Width { beam, margin } = self;
        Width { beam: beam.max(limits::REPLAY_BEAM_WIDTH), margin: margin.max(limits::REPLAY_BEAM_MARGIN) }
    }
}

impl Default for Width {
    fn default() -> Width {
        Width { beam: limits::BEAM_WIDTH, margin: limits::BEAM_MARGIN }
    }
}

/// The user's options.
#[derive(Debug, Clone)]
pub struct Options {
    /// Seconds of record time after which a move that nothing confirms is published, without a clock.
    pub settle: f64,
    /// How soon a move beside a clock is published.
    pub show: Show,
    /// Publish each game once, when it is over: only its final moves.
    pub final_only: bool,
    /// Publish the charges of each move and what else it might have been.
    pub explain: bool,
    /// The only rules allowed; `Chess` includes Chess960.
    pub rules: Option<Rules>,
    /// The pieces that stand for the men of draughts, where that is known.
    pub set: Option<Set>,
    /// The only start position allowed.
    pub start: Option<Start>,
    /// A game may have begun before its board was found, even without a running clock.
    pub midgame: bool,
    /// Games on the first address of each pair continue on the second.
    pub continued: Vec<(u16, u16)>,
    /// How many explanations are kept.
    pub width: Width,
}

impl Options {
    /// Whether a game under these rules is allowed.
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
    /// Reads a FEN of chess, or of draughts in the form of PDN.
    pub fn from_fen(text: &str) -> Result<Start, String> {
        // Only a draughts FEN has colons.
        if !text.contains(':') {
            return ChessGame::from_fen(text).map(Start::Chess);
        }
        let position = text.parse().map_err(|e| format!("`{text}`: {e}"))?;
        Ok(Start::Russian(RussianGame::from_position(position)))
    }

    /// The position as a FEN.
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
