//! Pieces that their board cannot name (`?`): most often a queen that came from a box, whose chip nobody has named.
//!
//! The tracked board takes such a piece for a pawn of its side: a pawn on the last rank stands for a queen, there and
//! wherever it goes then, and one that began the game in place of a pawn is one. Its side follows from its earlier
//! squares, or from the half of the board on which it was first put down; on the last rank it is the side that promotes
//! there. Most are queens, but nothing shows it: the certainty of such a promotion is limited.

use std::borrow::Cow;

use super::Update;
use crate::record::{BoardEvent, BoardRecord, GameEvent, Piece, Placement, Square};

/// A board with more unknown pieces than this is not read: nobody has named its chips.
const UNKNOWN_MAX_PIECES: usize = 8;

/// The highest certainty that an unknown piece on the last rank is a queen: of 354 promotions in tournament games nine were
/// to a rook, bishop or knight.
const QUEEN_MAX: f64 = 0.97;

/// What the unknown pieces of a board are taken for.
#[derive(Default)]
pub struct UnknownPieces {
    /// The square of each, and the pawn that it is taken for.
    standing: Vec<(Square, Piece)>,
    /// The pawn for which the piece that was lifted last was taken.
    lifted: Option<Piece>,
    /// The squares of the last ranks, in the board's own view, on which one was put down since the last game began.
    promoted: Vec<Square>,
}

impl UnknownPieces {
    /// The record with pawns in place of unknown pieces, of a board that may be turned.
    pub fn taken_for_pawns<'a>(&mut self, record: &'a BoardRecord, rotated: bool) -> Cow<'a, BoardRecord> {
        match &record.event {
            BoardEvent::Change(change) => {
                let square = change.square;
                let stood = self.standing.iter().position(|&(at, _)| at == square);
                let stood = stood.map(|at| self.standing.swap_remove(at).1);
                if change.piece != Some(Piece::UNKNOWN) {
                    self.lifted = stood.filter(|_| change.piece.is_none()).or(self.lifted);
                    return Cow::Borrowed(record);
                }
                let pawn = stood.or_else(|| self.lifted.take()).unwrap_or_else(|| pawn_of(square, rotated));
                self.standing.push((square, pawn));
                self.note_promotion(square);
                let mut record = record.clone();
                if let BoardEvent::Change(change) = &mut record.event {
                    change.piece = Some(pawn);
                }
                Cow::Owned(record)
            }
            BoardEvent::Position(position) => match self.standing(&position.placement, rotated) {
                None => Cow::Borrowed(record),
                Some(placement) => {
                    let mut record = record.clone();
                    if let BoardEvent::Position(position) = &mut record.event {
                        position.placement = placement;
                    }
                    Cow::Owned(record)
                }
            },
            _ => Cow::Borrowed(record),
        }
    }

    fn note_promotion(&mut self, square: Square) {
        if matches!(square.field() / 8, 0 | 7) && !self.promoted.contains(&square) {
            self.promoted.push(square);
        }
    }

    /// Limits the certainty of promotions to a queen on squares where an unknown piece was put down, but for moves that
    /// an arbiter ruled.
    pub fn limit_certainty(
        &mut self,
        updates: &mut [Update],
        rotated: bool,
        is_ruled: impl Fn(u32, Option<u32>) -> bool,
    ) {
        for Update { game, event, .. } in updates {
            match event {
                GameEvent::Game(_) => {
                    self.promoted.retain(|square| self.standing.iter().any(|(at, _)| at == square))
                }
                GameEvent::Move(mv) => {
                    let to = mv
                        .uci
                        .as_deref()
                        .and_then(|uci| uci.strip_suffix('q')?.get(2..)?.parse::<Square>().ok());
                    let to = to.map(|to| if rotated { to.turned() } else { to });
                    if to.is_some_and(|to| self.promoted.contains(&to)) && !is_ruled(*game, mv.ply) {
                        mv.certainty =
                            Some(mv.certainty.map_or(QUEEN_MAX, |certainty| certainty.min(QUEEN_MAX)));
                    }
                }
                _ => {}
            }
        }
    }

    /// The placement with pawns in place of unknown pieces; none where it has none of them.
    fn standing(&mut self, placement: &Placement, rotated: bool) -> Option<Placement> {
        let is_unknown = |&square: &Square| placement.get(square) == Some(Piece::UNKNOWN);
        let unknown: Vec<Square> = Square::all().filter(is_unknown).collect();
        let before = std::mem::take(&mut self.standing);
        if unknown.is_empty() {
            return None;
        }
        let mut named = *placement;
        let is_read = unknown.len() <= UNKNOWN_MAX_PIECES;
        for square in unknown {
            let stood = before.iter().find(|&&(at, _)| at == square).map(|&(_, pawn)| pawn);
            let pawn = stood.unwrap_or_else(|| pawn_of(square, rotated));
            named.set(square, Some(pawn).filter(|_| is_read));
            if is_read {
                self.standing.push((square, pawn));
                self.note_promotion(square);
            }
        }
        Some(named)
    }
}

/// The pawn for which an unknown piece is taken that is first put down on this square.
fn pawn_of(square: Square, rotated: bool) -> Piece {
    let row = if rotated { square.turned() } else { square }.field() / 8;
    // Only the other side promotes on a last rank; elsewhere a piece is first put down on its own side's half.
    let is_white = matches!(row, 0 | 4..=6);
    Piece::from_code(if is_white { 1 } else { 7 }).unwrap_or(Piece::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{BoardPosition, Change};

    /// What changes are taken for: `e8?`, `e8-` for a square that becomes empty.
    fn taken_for(changes: &str, rotated: bool) -> String {
        let mut unknown = UnknownPieces::default();
        let mut taken = Vec::new();
        for change in changes.split(' ') {
            let (square, piece) = change.split_at(2);
            let change = Change { square: square.parse().unwrap(), piece: piece.parse().ok(), quick: None };
            let record = BoardRecord::new(None, None, BoardEvent::Change(change));
            let BoardEvent::Change(change) = &unknown.taken_for_pawns(&record, rotated).event else {
                panic!()
            };
            taken.push(format!("{square}{}", change.piece.map_or("-", Piece::text)));
        }
        taken.join(" ")
    }

    #[test]
    fn an_unknown_piece_keeps_its_side_on_its_way() {
        assert_eq!(taken_for("e7- e8? d1- e8- e1? e1q", false), "e7- e8P d1- e8- e1P e1q");
        assert_eq!(taken_for("e2- e1? e1- e8?", false), "e2- e1p e1- e8p");
        assert_eq!(taken_for("e2- e1? e1- e8?", true), "e2- e1P e1- e8P");
        assert_eq!(taken_for("e2? e2- e4? d7? d7- e4- e4?", false), "e2P e2- e4P d7p d7- e4- e4P");
    }

    #[test]
    fn a_board_of_unknown_pieces_is_not_read() {
        let named = |text: &str| {
            let position = BoardPosition { placement: text.parse().unwrap(), result: None };
            let record = BoardRecord::new(None, None, BoardEvent::Position(position));
            let record = UnknownPieces::default().taken_for_pawns(&record, false).into_owned();
            let BoardEvent::Position(position) = record.event else { panic!() };
            position.placement.to_string()
        };
        assert_eq!(named("????????/????????/8/8/8/8/????????/????????"), "8/8/8/8/8/8/8/8");
        assert_eq!(named("4?2k/8/8/8/8/8/8/4K2?"), "4P2k/8/8/8/8/8/8/4K2p");
    }
}
