//! A ply of a game that is read from files and written as PGN without being kept: most have only a move and clocks, and
//! are small. With whole moves to-pgn would take twice as long.

use std::sync::LazyLock;

use super::quick::{Name, QuickPly};
use crate::{
    format::{
        game::Kept,
        openings::{self, Opening},
    },
    record::{Move, Seconds, Time},
};

/// A ply that is to be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Ply {
    /// Only its SAN, the mover's clock and the time used.
    Plain(Name, Option<Seconds>, Option<Seconds>),
    /// Anything else.
    Whole(Box<Move>),
}

/// The parts of a ply for the writer of PGN.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The move in SAN.
    pub san: Option<&'a [u8]>,
    /// The mover's clock.
    pub seconds: Option<Seconds>,
    /// The time used.
    pub elapsed: Option<Seconds>,
    /// A move with everything else that belongs to it.
    pub rest: &'a Move,
}

/// The other parts of a ply that has none.
static NOTHING: LazyLock<Move> = LazyLock::new(Move::default);

/// A ply that can be written as PGN.
pub trait Write: Kept {
    /// Its parts.
    fn written(&self) -> Written<'_>;

    /// Its SAN, where it has nothing else.
    fn bare(&self) -> Option<&Name> {
        None
    }
}

impl Write for Move {
    fn written(&self) -> Written<'_> {
        Written {
            san: self.san.as_deref().map(str::as_bytes),
            seconds: self.seconds,
            elapsed: self.elapsed,
            rest: self,
        }
    }
}

impl Write for Ply {
    fn written(&self) -> Written<'_> {
        match self {
            Ply::Plain(san, seconds, elapsed) => {
                Written { san: Some(san), seconds: *seconds, elapsed: *elapsed, rest: &NOTHING }
            }
            Ply::Whole(m) => m.written(),
        }
    }

    fn bare(&self) -> Option<&Name> {
        match self {
            Ply::Plain(san, None, None) => Some(san),
            _ => None,
        }
    }
}

impl Default for Ply {
    fn default() -> Ply {
        Ply::Whole(Box::default())
    }
}

impl Kept for Ply {
    fn keep(mut m: Move, _: Option<Time>) -> Ply {
        forget_positions(&mut m);
        Ply::Whole(Box::new(m))
    }

    fn is_guess(&self) -> bool {
        matches!(self, Ply::Whole(m) if m.guess)
    }
}

/// A ply with the name of its position, for writers of openings.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Named {
    ply: Ply,
    opening: Option<Opening>,
}

impl Kept for Named {
    fn keep(m: Move, time: Option<Time>) -> Named {
        Named { opening: m.opening(), ply: Ply::keep(m, time) }
    }

    fn is_guess(&self) -> bool {
        self.ply.is_guess()
    }

    fn opening(&self) -> Option<Opening> {
        self.opening
    }
}

impl From<QuickPly<'_>> for Named {
    fn from(quick: QuickPly<'_>) -> Named {
        Named { opening: openings::of(quick.fen()), ply: quick.into() }
    }
}

impl Write for Named {
    fn written(&self) -> Written<'_> {
        self.ply.written()
    }

    fn bare(&self) -> Option<&Name> {
        self.ply.bare()
    }
}

/// PGN has neither positions nor moves in UCI: in a game with very many variations they would take most of the memory.
fn forget_positions(m: &mut Move) {
    (m.fen, m.uci) = (String::new(), None);
    for variation in &mut m.variations {
        variation.iter_mut().for_each(forget_positions);
        // Most are short: a buffer of the right size is allocated, since a partly used one could not be reused.
        let mut moves = Vec::with_capacity(variation.len());
        moves.append(variation);
        *variation = moves;
    }
}

impl From<QuickPly<'_>> for Ply {
    fn from(quick: QuickPly<'_>) -> Ply {
        Ply::Plain(quick.san, quick.seconds, quick.elapsed)
    }
}
