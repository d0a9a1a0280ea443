//! Positions as text: FEN of chess, of draughts, what stands on a board.

use boardbus::{
    draughts::{Numbering, Position},
    reconstruct::Start,
    record::Placement,
    rules::{
        Game,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
};

/// Any text as a position.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(placement) = text.parse::<Placement>() {
        assert_eq!(placement.to_string().parse(), Ok(placement));
        assert_eq!(placement.turned().turned(), placement);
        stands(&placement);
    }
    if let Ok(game) = ChessGame::from_fen(text) {
        moves_are_what_they_say(&game);
        let again = ChessGame::from_fen(&game.fen()).unwrap_or_else(|e| panic!("{}: {e}", game.fen()));
        assert_eq!(again.fen(), game.fen());
        stands(game.placement());
    }
    for numbering in [Numbering::B8, Numbering::A1] {
        if let Ok(position) = Position::from_fen(text, numbering) {
            assert_eq!(position.to_string().parse::<Position>().map_err(|e| e.to_string()), Ok(position));
            moves_are_what_they_say(&RussianGame::from_position(position));
        }
    }
    let _ = Start::from_fen(text);
}

/// A placement as a game may begin with it.
fn stands(placement: &Placement) {
    if let Some(game) = ChessGame::from_placement(placement) {
        assert_eq!(game.placement(), placement);
        moves_are_what_they_say(&game);
    }
    if let Some(game) = RussianGame::from_placement(placement, Set::guess(placement)) {
        moves_are_what_they_say(&game);
    }
}

/// Holds that each legal move changes on the board what it says it does.
fn moves_are_what_they_say<G: Game>(game: &G) {
    for candidate in game.moves() {
        let after = game.after(&candidate);
        assert_eq!(*after.placement(), game.placement().changed(candidate.changes()), "{:?}", candidate.mv);
        game.describe(&candidate.mv);
    }
}
