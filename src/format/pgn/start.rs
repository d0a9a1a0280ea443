//! The beginning of a game: from tags to rules and a position.

use shakmaty::{
    Castles, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, Position,
    PositionError, Role, Setup, Square, fen::Fen,
};

use super::{
    fen::{Ranks, text},
    short::Short,
};
use crate::{
    format::words::short,
    record::{CHESS_START, Rules, Tags},
};

/// The position and the rules from the tags.
pub(super) struct Begin {
    pub pos: Chess,
    pub rules: Rules,
    /// The position as FEN; the value of the tag where that is none.
    pub fen: String,
    /// Why no moves can be read, when they cannot.
    pub problem: Option<String>,
    /// The guesses that were made.
    pub guess: Option<String>,
}

/// Values of the Variant tag for games of chess.
const CHESS: [&str; 8] =
    ["", "standard", "chess", "normal", "orthodox", "classical", "regular", "fromposition"];

/// Values for games with the moves of chess, though not its ends.
const LIKE_CHESS: [&str; 5] = ["kingofthehill", "threecheck", "3check", "fivecheck", "5check"];

/// Values for games with other moves than chess, or other start positions.
const FOREIGN: [&str; 17] = [
    "crazyhouse",
    "atomic",
    "antichess",
    "giveaway",
    "suicide",
    "losers",
    "horde",
    "racingkings",
    "bughouse",
    "xiangqi",
    "shogi",
    "makruk",
    "capablanca",
    "seirawan",
    "duck",
    "fogofwar",
    "hostage",
];

impl Begin {
    pub fn of(tags: &Tags) -> Begin {
        let unknown = |problem| Begin {
            pos: Chess::default(),
            rules: Rules::Other,
            fen: tags.get("FEN").unwrap_or_default().trim().to_owned(),
            problem: Some(problem),
            guess: None,
        };
        Begin::read(tags).unwrap_or_else(unknown)
    }

    fn read(tags: &Tags) -> Result<Begin, String> {
        let named = tags.get("Variant").unwrap_or_default();
        let variant: String = named.to_lowercase().replace(['-', '_', ' '], "");
        let fischer =
            ["960", "fischerandom", "fischerrandom", "freestyle"].iter().any(|name| variant.contains(name));
        if FOREIGN.iter().any(|foreign| variant.starts_with(foreign)) {
            return Err(format!("the rules of {} are not known here", short(named)));
        }
        let begin = Begin::position(tags, fischer)?;
        let variant = variant.as_str();
        if fischer || CHESS.contains(&variant) {
            return Ok(begin);
        }
        let guess = (!LIKE_CHESS.contains(&variant)).then(|| {
            format!("the variant {} is not known here: its moves are read as those of chess", short(named))
        });
        Ok(Begin { rules: Rules::Other, guess, ..begin })
    }

    fn position(tags: &Tags, fischer: bool) -> Result<Begin, String> {
        let Some(fen) = tags.get("FEN").map(str::trim).filter(|fen| !fen.is_empty()) else {
            if !fischer {
                return Ok(Begin::of_chess());
            }
            let mode = CastlingMode::Chess960;
            return Ok(Begin::at(position(Setup::initial(), mode)?, mode));
        };
        let name = short(fen);
        let without_counters = without_counters(fen);
        let (read, guess) = match (fen.parse::<Fen>(), without_counters.map(str::parse::<Fen>)) {
            (Err(_), Some(Ok(read))) => (
                Ok(read),
                Some(format!("the numbers behind the position of the FEN \"{name}\" cannot be read")),
            ),
            (read, _) => (read, None),
        };
        let setup = read.map_err(|e| format!("FEN \"{name}\" cannot be read: {e}"))?.into_setup();
        let is_960 = fischer || (is_960(&setup) && (names_files(fen) || may_be_of_960(&setup)));
        let mode = if is_960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let pos = position(setup, mode).map_err(|e| format!("FEN \"{name}\" is no position: {e}"))?;
        Ok(Begin { guess, ..Begin::at(pos, mode) })
    }

    fn at(pos: Chess, mode: CastlingMode) -> Begin {
        let mut fen = Short::new();
        Ranks::new(&pos).push_fen(&pos, pos.legal_ep_square(), &mut fen);
        let rules = if mode.is_chess960() { Rules::Chess960 } else { Rules::Chess };
        Begin { pos, rules, fen: text(&fen), problem: None, guess: None }
    }

    fn of_chess() -> Begin {
        let (pos, fen) = (Chess::default(), CHESS_START.to_owned());
        Begin { pos, rules: Rules::Chess, fen, problem: None, guess: None }
    }
}

/// A FEN up to its counters; none where it has none.
fn without_counters(fen: &str) -> Option<&str> {
    let (at, _) = fen.match_indices(' ').nth(3)?;
    Some(&fen[..at])
}

/// Whether castling rights of a FEN are named by the files of rooks.
fn names_files(fen: &str) -> bool {
    let rights = fen.split_ascii_whitespace().nth(2).unwrap_or_default();
    rights.bytes().any(|right| matches!(right.to_ascii_lowercase(), b'a'..=b'h'))
}

/// Whether castling rights are impossible in chess.
fn is_960(setup: &Setup) -> bool {
    CastlingMode::detect(setup).is_chess960()
}

/// Whether a position in which no file of a rook is named may be of Chess960, or has rights that were not removed when
/// a king castled. In these, kings, and the rooks of one side, begin on one file, and a king that has castled is beside
/// its rook.
fn may_be_of_960(setup: &Setup) -> bool {
    let Ok(castles) = Castles::from_setup(setup, CastlingMode::Chess960) else { return false };
    let king = |colour| setup.board.king_of(colour);
    let rook = |colour, side| castles.rook(colour, side);
    let differ = |white: Option<Square>, black: Option<Square>| {
        white.zip(black).is_some_and(|(white, black)| white.file() != black.file())
    };
    let moved = |colour: Color| {
        let (Some(king), short, long) =
            (king(colour), rook(colour, CastlingSide::KingSide), rook(colour, CastlingSide::QueenSide))
        else {
            return true;
        };
        let beside = |file| Square::from_coords(file, king.rank());
        let stands = |square| setup.board.piece_at(square) == Some(Role::Rook.of(colour));
        match (short, long) {
            (None, Some(_)) => king.file() == File::G && stands(beside(File::F)),
            (Some(_), None) => king.file() == File::C && stands(beside(File::D)),
            _ => false,
        }
    };
    let has_rights = |colour| CastlingSide::ALL.into_iter().any(|side| rook(colour, side).is_some());
    let both = Color::ALL.into_iter().all(has_rights);
    let apart = both && differ(king(Color::White), king(Color::Black))
        || CastlingSide::ALL
            .into_iter()
            .any(|side| differ(rook(Color::White, side), rook(Color::Black, side)))
        || Color::ALL.into_iter().any(|colour| has_rights(colour) && moved(colour));
    !apart
}

/// A position, as lenient as the rules allow: studies have positions that no game leads to.
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
