//! Positions as text: FEN of chess and of draughts, and placements of boards.

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

/// Reads any text as a position.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(placement) = text.parse::<Placement>() {
        assert_eq!(placement.to_string().parse(), Ok(placement));
        assert_eq!(placement.turned().turned(), placement);
        stands(&placement);
    }
    if let Ok(game) = ChessGame::from_fen(text) {
        moves_change_what_they_report(&game);
        let again = ChessGame::from_fen(&game.fen()).unwrap_or_else(|e| panic!("{}: {e}", game.fen()));
        assert_eq!(again.fen(), game.fen());
        stands(game.placement());
    }
    for numbering in [Numbering::B8, Numbering::A1] {
        if let Ok(position) = Position::from_fen(text, numbering) {
            assert_eq!(position.to_string().parse::<Position>().map_err(|e| e.to_string()), Ok(position));
            moves_change_what_they_report(&RussianGame::from_position(position));
        }
    }
    let _ = Start::from_fen(text);
}

/// A placement may be the start of a game.
fn stands(placement: &Placement) {
    if let Some(game) = ChessGame::from_placement(placement) {
        assert_eq!(game.placement(), placement);
        moves_change_what_they_report(&game);
    }
    if let Some(game) = RussianGame::from_placement(placement, Set::guess(placement)) {
        moves_change_what_they_report(&game);
    }
}

/// Asserts that each legal move has the changes on the board that it reports.
fn moves_change_what_they_report<G: Game>(game: &G) {
    for candidate in game.moves() {
        let after = game.after(&candidate);
        assert_eq!(*after.placement(), game.placement().changed(candidate.changes()), "{:?}", candidate.mv);
        game.describe(&candidate.mv);
    }
}
