//! Where a game begins: its tags to rules and a position.

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, PositionError, Setup, fen::Fen};

use super::fen::{Ranks, text};
use crate::record::{CHESS_START, Rules, Tags};

/// The position and the rules that tags ask for.
pub(super) struct Begin {
    pub pos: Chess,
    pub rules: Rules,
    /// The position as FEN.
    pub fen: String,
    /// Why no moves can be read, when they cannot.
    pub problem: Option<String>,
}

/// What stands in the Variant tag of games that are not played by the rules of chess.
const FOREIGN: [&str; 9] = [
    "crazyhouse",
    "atomic",
    "antichess",
    "giveaway",
    "suicide",
    "losers",
    "horde",
    "racingkings",
    "bughouse",
];

impl Begin {
    pub fn of(tags: &Tags) -> Begin {
        Begin::read(tags).unwrap_or_else(|problem| Begin { problem: Some(problem), ..Begin::of_chess() })
    }

    fn read(tags: &Tags) -> Result<Begin, String> {
        let variant = tags.get("Variant").unwrap_or_default().to_lowercase().replace(['-', ' '], "");
        let fischer = ["960", "fischerandom", "fischerrandom"].iter().any(|name| variant.contains(name));
        if let Some(foreign) = FOREIGN.iter().find(|foreign| variant.starts_with(**foreign)) {
            return Err(format!("the rules of {foreign} are not known here"));
        }
        let Some(fen) = tags.get("FEN").map(str::trim).filter(|fen| !fen.is_empty()) else {
            if !fischer {
                return Ok(Begin::of_chess());
            }
            let mode = CastlingMode::Chess960;
            return Ok(Begin::at(position(Setup::initial(), mode)?, mode));
        };
        let read = fen.parse::<Fen>().map_err(|e| format!("FEN \"{fen}\" cannot be read: {e}"))?;
        let setup = read.into_setup();
        let mode = if fischer { CastlingMode::Chess960 } else { CastlingMode::detect(&setup) };
        let pos = position(setup, mode).map_err(|e| format!("FEN \"{fen}\" is no position: {e}"))?;
        Ok(Begin::at(pos, mode))
    }

    fn at(pos: Chess, mode: CastlingMode) -> Begin {
        let mut fen = Vec::new();
        Ranks::new(&pos).push_fen(&pos, &mut fen);
        let rules = if mode.is_chess960() { Rules::Chess960 } else { Rules::Chess };
        Begin { pos, rules, fen: text(&fen), problem: None }
    }

    fn of_chess() -> Begin {
        Begin { pos: Chess::default(), rules: Rules::Chess, fen: CHESS_START.to_owned(), problem: None }
    }
}

/// A position as lenient as the rules allow: studies set up what no game leads to.
fn position(setup: Setup, mode: CastlingMode) -> Result<Chess, String> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|e| e.to_string())
}

/// The same position with the other side to move, a null move later; none where the side to move is in check.
pub(super) fn passed(pos: &Chess) -> Option<Chess> {
    use shakmaty::Position;
    if pos.is_check() {
        return None;
    }
    let mut setup = pos.to_setup(EnPassantMode::Always);
    setup.swap_turn();
    setup.halfmoves += 1;
    if setup.turn.is_white() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    position(setup, pos.castles().mode()).ok()
}
