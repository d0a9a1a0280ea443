//! When a move is certain enough to be published for good: clients play it immediately, and it cannot be withdrawn.
//!
//! A player on a server presses no clock, so only time shows that the player has let go of the piece: the squares of
//! the move must not have changed for some seconds of record time. How many depends on what else the move may become;
//! the numbers are from simulated players of rapid chess without clocks (`man boardbus-serve` gives how often they are
//! wrong).

use crate::{
    record::Placement,
    rules::{Candidate, Colour, Game, bit, chess::ChessGame},
};

/// Seconds for a move whose piece can go no further, and with which no other move begins.
const PLAIN: f64 = 0.6;
/// Seconds for a move whose piece may be on its way to a square beyond: a player who stops there continues sooner.
const MAY_GO_ON: f64 = 1.6;
/// Seconds for a rook that may castle: the king is still to be lifted and put down.
const MAY_CASTLE: f64 = 3.5;
/// Seconds for a pawn that has reached the last rank: another piece may replace it.
const PROMOTES: f64 = 1.8;
/// Seconds for a king that comes to the centre, which may show a result: the second king is lifted within this time.
const KING_IN_THE_CENTRE: f64 = 4.6;
/// A move with a lower certainty is not published: another explanation is too likely.
pub const CERTAINTY_MIN: f64 = 0.95;

/// The codes of both kings.
const KINGS: [u8; 2] = [5, 11];
/// The central squares, on which kings show a result.
const CENTRE: u64 = bit(27) | bit(28) | bit(35) | bit(36);

/// Whether a move may be a king that is put in the centre to show a result, as the other king does: then it is no move.
pub fn shows_result(played: &Candidate<<ChessGame as Game>::Move>, stands: &Placement) -> bool {
    goes_to_centre(played) && ChessGame::signal(stands.codes(), 0).is_some()
}

/// Whether a king comes to the centre, which may be the first half of a result.
pub fn goes_to_centre<M>(played: &Candidate<M>) -> bool {
    // A player who shows a result captures nothing.
    let is_king = KINGS.contains(&played.piece) && !played.capture;
    is_king && bit(played.to) & CENTRE != 0
}

/// Whether no king is in a hand, which may carry it to the centre.
pub fn both_kings_stand(stands: &Placement) -> bool {
    KINGS.iter().all(|king| stands.codes().contains(king))
}

/// Whether the side to move has lifted a piece that makes no room for its king in the centre: no result is shown.
pub fn is_answered(after: &ChessGame, stands: &Placement) -> bool {
    let expected = (0..).zip(after.placement().codes()).filter(|(at, _)| CENTRE & bit(*at) == 0);
    let is_other = |code: u8| Colour::of(code) == Some(after.turn()) && !KINGS.contains(&code);
    expected.into_iter().any(|(at, &code)| is_other(code) && stands.codes()[usize::from(at)] == 0)
}

/// For how many seconds the squares of a move must not have changed.
pub fn stands_for(before: &ChessGame, played: &Candidate<<ChessGame as Game>::Move>) -> f64 {
    if goes_to_centre(played) {
        return KING_IN_THE_CENTRE;
    }
    if ChessGame::promotion(&played.mv).is_some() {
        return PROMOTES;
    }
    let (mut waits, moves) = (PLAIN, before.moves());
    for other in moves.iter().filter(|other| other.changed != played.changed) {
        // If the king castles later, the squares of the rook do not change any more.
        let is_part = other.changed & played.changed == played.changed;
        if is_part && other.placed.contains(&(played.to, played.piece)) {
            return MAY_CASTLE;
        }
        // The square that a castling king passes is that of its rook, which counts as changed.
        if other.from == played.from && (other.transit | other.changed) & bit(played.to) != 0 {
            waits = MAY_GO_ON;
        }
    }
    waits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(fen: &str, uci: &str) -> f64 {
        let game = ChessGame::from_fen(fen).unwrap();
        let is_it = |c: &Candidate<_>| game.describe(&c.mv).uci.as_deref() == Some(uci);
        let played = game.moves().into_iter().find(is_it).unwrap_or_else(|| panic!("{uci} is legal"));
        stands_for(&game, &played)
    }

    #[test]
    fn what_may_be_another_move_waits_longer() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(["e2e4", "e2e3", "g1f3"].map(|uci| waits(start, uci)), [PLAIN, MAY_GO_ON, PLAIN]);
        let open = "r3k2r/8/8/8/3p4/8/8/R3K2R w KQkq - 0 1";
        // Castling may begin with the rook; a rook on the edge, or that captures, can go no further.
        assert_eq!(
            ["h1f1", "h1g1", "h1h8", "a1a7"].map(|uci| waits(open, uci)),
            [MAY_CASTLE, MAY_GO_ON, PLAIN, MAY_GO_ON]
        );
        // So does a king that stops on its way.
        assert_eq!(["e1f1", "e1d1", "e1e2"].map(|uci| waits(open, uci)), [MAY_GO_ON, MAY_GO_ON, PLAIN]);
        assert_eq!(waits("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), PROMOTES);
        assert_eq!(waits("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "e3d4"), KING_IN_THE_CENTRE);
        assert_eq!(waits("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "e3d3"), PLAIN);
    }

    #[test]
    fn a_lifted_piece_answers_unless_it_makes_room() {
        let after = ChessGame::from_fen("8/1r6/4k3/4n3/3K4/8/8/R7 b - - 1 1").unwrap();
        let stands = |board: &str| Placement::of_fen(board).unwrap();
        let answered = |board: &str| is_answered(&after, &stands(&format!("{board} w - - 0 1")));
        assert!(answered("8/8/4k3/4n3/3K4/8/8/R7"));
        // The king itself, a piece of the other side, and a knight whose square the king may want.
        assert!(!answered("8/1r6/8/4n3/3K4/8/8/R7"));
        assert!(!answered("8/1r6/4k3/4n3/3K4/8/8/8"));
        assert!(!answered("8/1r6/4k3/8/3K4/8/8/R7"));
    }
}
