//! The position of a board and the expected one: both as the players see them, so that they can be compared and drawn.

use super::ply::Game;
use crate::{
    draughts,
    record::{Placement, Rules, Square},
    rules::{Colour, russian::sets::Set},
};

/// A piece on a square, of any set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Man {
    /// Its FEN letter in lower case; of draughts `m` for a man and `d` for a king.
    pub kind: char,
    /// Whether it is White's.
    pub white: bool,
}

/// The 64 squares from a8 to h1, as the players see them.
pub type Squares = [Option<Man>; 64];

/// The position that a board reports, by the set of its game.
pub fn standing(placement: &Placement, game: Option<&Game>) -> Squares {
    let turned = game.is_some_and(|game| game.start.rotated);
    let placement = if turned { placement.turned() } else { *placement };
    if game.is_none_or(|game| game.start.rules != Rules::Russian) {
        return chessmen(&placement);
    }
    let set = Set::guess(&placement);
    let man = |code: u8| {
        let kind = if set.is_king(code) == Some(true) { 'd' } else { 'm' };
        (code != 0).then(|| Man { kind, white: set.colour(code) == Colour::White })
    };
    placement.codes().map(man)
}

fn chessmen(placement: &Placement) -> Squares {
    let mut squares = [None; 64];
    for (at, square) in squares.iter_mut().zip(Square::all()) {
        let letter = placement.get(square).and_then(|piece| piece.letter());
        *at = letter
            .map(|letter| Man { kind: letter.to_ascii_lowercase(), white: letter.is_ascii_uppercase() });
    }
    squares
}

/// The expected position after this many plies of a game; none where it is unknown.
pub fn expected(game: &Game, plies: usize) -> Option<Squares> {
    let fen = match plies.checked_sub(1) {
        Some(last) => &*game.moves.get(last)?.stands,
        None => &game.start.fen,
    };
    if game.start.rules != Rules::Russian {
        return Placement::of_fen(fen).map(|placement| chessmen(&placement));
    }
    let position: draughts::Position = fen.parse().ok()?;
    let mut squares = [None; 64];
    for (square, piece) in position.pieces() {
        let kind = if piece.king { 'd' } else { 'm' };
        squares[usize::from(square.field())] =
            Some(Man { kind, white: piece.colour == draughts::Colour::White });
    }
    Some(squares)
}

/// The squares on which two positions differ, a bit each. Draughts sets do not always show which piece is a king.
pub fn differing(a: &Squares, b: &Squares) -> u64 {
    let same = |a: Option<Man>, b: Option<Man>| match (a, b) {
        (Some(a), Some(b)) if "md".contains(a.kind) && "md".contains(b.kind) => a.white == b.white,
        (a, b) => a == b,
    };
    let differs = (0..64).filter(|&at| !same(a[at], b[at]));
    differs.fold(0, |squares, at| squares | 1 << at)
}

/// The squares that the last of this many plies of a game left and reached, a bit each.
pub fn moved(game: &Game, plies: usize) -> u64 {
    plies.checked_sub(1).and_then(|last| game.moves.get(last)).map_or(0, |ply| ply.moved)
}

/// The ply after which the board differs from the moves of its game: a square changed there that no move explains, and
/// the later moves follow the board. None where it does not differ, or not any more.
pub fn gone_on_otherwise(game: &Game) -> Option<usize> {
    let mut plies: Vec<usize> = game.anomalies.iter().map(|anomaly| anomaly.ply as usize).collect();
    plies.dedup();
    let (mut squares, mut since) = (0, None);
    for ply in plies {
        let before = squares;
        squares ^= unexplained(game, ply);
        since = match (before, squares) {
            (_, 0) => None,
            (0, _) => Some(ply),
            _ => since,
        };
    }
    since
}

/// The squares that the next ply changes without explaining them, a bit each.
fn unexplained(game: &Game, plies: usize) -> u64 {
    let with_position = game.moves.iter().enumerate().skip(plies).find(|(_, ply)| !ply.stands.is_empty());
    let (Some((at, next)), Some(before)) = (with_position, expected(game, plies)) else { return 0 };
    let Some(after) = expected(game, at + 1) else { return 0 };
    let different = differing(&before, &after) & !next.moved;
    // The rook of a castling, and a piece captured elsewhere than on the square reached.
    let captures = next.name().contains([':', 'x']);
    let explained = (0..64).filter(|&at| match (before[at], after[at]) {
        _ if next.name().starts_with("O-O") => true,
        (Some(man), None) => captures && matches!(man.kind, 'p' | 'm' | 'd'),
        _ => false,
    });
    explained.fold(different, |squares, at| squares & !(1 << at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameEvent, Record, parse};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    /// A game of these plies (name, from and to, position after it), with anomalies after some.
    fn since(plies: &[(&str, &str, &str)], anomalies: &[u32]) -> Option<usize> {
        let event = |rest: String| {
            let line = format!("{{\"board\":1,\"game\":1,{rest}}}");
            let Ok(Record::Game(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            record
        };
        let begins = event(format!(r#""type":"game","rules":"chess","fen":"{START} w KQkq - 0 1""#));
        let GameEvent::Game(start) = begins.event.clone() else { panic!() };
        let mut game = Game::new(&begins, start);
        let mut apply = |rest: String| game.apply(event(rest).event, None).unwrap();
        for (at, (san, uci, stands)) in plies.iter().enumerate() {
            apply(format!(
                r#""type":"move","ply":{},"san":"{san}","uci":"{uci}","fen":"{stands} w - - 0 1""#,
                at + 1
            ));
        }
        for ply in anomalies {
            apply(format!(r#""type":"anomaly","ply":{ply},"kind":"unexplained","detail":"x""#));
        }
        gone_on_otherwise(&game)
    }

    #[test]
    fn an_unexplained_change_lasts_until_undone() {
        let e4 = ("e4", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
        let e5 = ("e5", "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
        // The rook of a8 fell over.
        let without = ("e5", "e7e5", "1nbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
        let still = ("Nf3", "g1f3", "1nbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R");
        let back = ("Nf3", "g1f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R");
        assert_eq!(since(&[e4, without, still], &[1]), Some(1));
        assert_eq!(since(&[e4, without, back], &[1, 2]), None);
        // A change that was undone, such as an illegal move taken back, is explained.
        assert_eq!(since(&[e4, e5, back], &[1]), None);
        // No move was played since.
        assert_eq!(since(&[e4], &[1]), None);
    }

    #[test]
    fn castling_and_en_passant_are_explained() {
        let before = ("Bc5", "f8c5", "4k3/8/8/3pP3/8/8/8/4K2R");
        let castles = ("O-O", "e1g1", "4k3/8/8/3pP3/8/8/8/5RK1");
        let takes = ("exd6", "e5d6", "4k3/8/3P4/8/8/8/8/4K2R");
        assert_eq!(since(&[before, castles], &[1]), None);
        assert_eq!(since(&[before, takes], &[1]), None);
    }
}
