//! Plans games of Russian draughts, move by move, with the figures they are played with.

use super::{FromTo, Jump, PlannedGame, PlannedPly, four_of};
use crate::{
    draughts::{self, Colour, Move, Position},
    record::{Outcome, Piece, Placement, Square},
};

/// The figures for men and kings on the simulated boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Figures {
    /// Draughts disks: codes 01 and 04 are White's and Black's men, 07 and 0a their kings
    #[default]
    Disks,
    /// Draughts disks of older boards, whose codes 04 and 07 are exchanged
    DisksOld,
    /// Chess pawns; a queen is a king
    Pawns,
    /// Eight pawns, two bishops and two knights a side; a king stays the figure it was
    Colour,
}

/// The figures of [`Figures::Colour`], a side's squares in the order of the board's fields.
const CHESS_MEN: &[u8; 12] = b"NBPPPPPPPPBN";
/// One in this number of crowned men is not replaced by a king.
const UNCROWNED_ONE_IN: usize = 4;

impl Figures {
    /// The `n`-th man or king of a side.
    fn figure(self, colour: Colour, king: bool, n: usize) -> Option<Piece> {
        let chess = |white: u8| (white, white.to_ascii_lowercase());
        let (white, black) = match (self, king) {
            (Figures::Disks, false) => (b'P', b'B'),
            (Figures::Disks, true) => (b'p', b'b'),
            (Figures::DisksOld, true) => chess(b'B'),
            (Figures::Pawns, true) => chess(b'Q'),
            (Figures::DisksOld | Figures::Pawns, false) => chess(b'P'),
            (Figures::Colour, _) => chess(CHESS_MEN[n % CHESS_MEN.len()]),
        };
        Piece::from_letter(if colour == Colour::White { white } else { black })
    }
}

/// Builds a [`PlannedGame`] of Russian draughts move by move.
#[derive(Debug, Clone)]
pub struct RussianPlanner {
    game: PlannedGame,
    position: Position,
    figures: Figures,
    stands: Placement,
}

impl RussianPlanner {
    /// A game from this position, with these figures.
    pub fn new(position: Position, figures: Figures) -> RussianPlanner {
        let mut stands = Placement::EMPTY;
        let mut count = [0; 2];
        for (at, piece) in position.pieces() {
            let n = &mut count[usize::from(piece.colour == Colour::Black)];
            stands.set(square(at), figures.figure(piece.colour, piece.king, *n));
            *n += 1;
        }
        RussianPlanner { game: PlannedGame::new(position.to_string(), stands), position, figures, stands }
    }

    /// Plays the move over these squares (`c3`, `d4`), with the seconds on the clock after it.
    ///
    /// # Errors
    /// Why the move cannot be played.
    pub fn play(&mut self, path: &[String], seconds: Option<f64>) -> Result<(), String> {
        let parsed: Result<Vec<draughts::Square>, _> = path.iter().map(|name| name.parse()).collect();
        let over = parsed.map_err(|e| format!("{}: {e}", path.join(":")))?;
        let played = self.position.find(&over).map_err(|e| e.to_string())?.m;
        let (from, to) = (square(played.from()), square(played.to()));
        let Some(piece) = self.stands.get(from) else { return Err(format!("{played}: no piece to move")) };
        let jumps = played.captured().zip(played.path().skip(1));
        let jumps = jumps.map(|(over, to)| Jump { over: square(over), to: square(to) }).collect();
        let hash = hash(&self.position);
        let crowned = self.figures.figure(self.position.turn(), true, 0);
        let swapped =
            played.crowned() && self.figures != Figures::Colour && !hash.is_multiple_of(UNCROWNED_ONE_IN);
        let (quiet_alternatives, illegal_alternatives) = alternatives(&self.position, &played);
        self.stands.set(from, None);
        played.captured().for_each(|at| self.stands.set(square(at), None));
        let promotion = crowned.filter(|_| swapped);
        self.stands.set(to, promotion.or(Some(piece)));
        self.game.plies.push(PlannedPly {
            name: played.to_string(),
            white: self.position.turn() == Colour::White,
            piece,
            from,
            to,
            victim: None,
            jumps,
            rook: None,
            promotion,
            after: self.stands,
            seconds,
            quiet_alternatives,
            illegal_alternatives,
        });
        self.position = self.position.play(&played);
        Ok(())
    }

    /// The game, with its result and time control, if known.
    pub fn finish(self, result: Option<Outcome>, control: Option<(f64, f64)>) -> PlannedGame {
        self.game.ended(result, control, false)
    }
}

/// Alternatives to the move played: up to four quiet legal moves and up to four illegal ones, such as quiet moves although a
/// capture is compulsory.
fn alternatives(position: &Position, played: &Move) -> (Vec<FromTo>, Vec<FromTo>) {
    let legal = position.legal_moves();
    let ends = |m: &Move| (square(m.from()), square(m.to()));
    let quiet: Vec<FromTo> =
        legal.iter().filter(|m| !m.is_capture() && *m != played && !m.crowned()).map(ends).collect();
    let mut illegal = Vec::new();
    for from in draughts::squares(position.of(position.turn())) {
        for to in draughts::Square::all().filter(|to| position.get(*to).is_none()) {
            let (a, b) = (from.field(), to.field());
            let near = (a / 8).abs_diff(b / 8) <= 2 && (a % 8).abs_diff(b % 8) <= 2;
            // A landing on the way of a legal move is not illegal.
            let begun = |m: &Move| m.from() == from && m.path().any(|at| at == to);
            if near && !legal.iter().any(begun) {
                illegal.push((square(from), square(to)));
            }
        }
    }
    let hash = hash(position);
    (four_of(&quiet, hash), four_of(&illegal, hash))
}

/// A number that follows from the position alone.
fn hash(position: &Position) -> usize {
    (position.occupied().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

fn square(square: draughts::Square) -> Square {
    Square::from_field(square.field()).expect("a field below 64")
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A plan of these moves, their squares parted by `:` or `-`.
    pub fn planned(fen: &str, figures: Figures, moves: &[&str]) -> PlannedGame {
        let mut planner = RussianPlanner::new(fen.parse().unwrap(), figures);
        for name in moves {
            let path: Vec<String> = name.split([':', '-']).map(str::to_owned).collect();
            planner.play(&path, None).unwrap();
        }
        planner.finish(None, None)
    }

    #[test]
    fn a_capture_names_the_captured_and_its_landings() {
        let ply = planned("W:Wb4,h2:Bc5,e7,a3", Figures::Disks, &["b4:d6:f8"]).plies.pop().unwrap();
        let jumps: Vec<_> = ply.jumps.iter().map(|jump| format!("{}{}", jump.over, jump.to)).collect();
        assert_eq!((ply.name.as_str(), jumps.join(" ").as_str()), ("b4:d6:f8", "c5d6 e7f8"));
    }

    #[test]
    fn each_set_has_its_own_men_and_kings() {
        let after = |figures| {
            let game = planned("W:Wc7,e1:Bf8,h2", figures, &["c7-b8", "h2-g1"]);
            game.last().to_string()
        };
        // The king on g1 was swapped, or b8's was: one in four is not.
        assert_eq!(after(Figures::Disks), "1p3B2/8/8/8/8/8/8/4P1b1");
        assert_eq!(after(Figures::DisksOld), "1B3p2/8/8/8/8/8/8/4P1b1");
        assert_eq!(after(Figures::Pawns), "1Q3p2/8/8/8/8/8/8/4P1q1");
        let start = RussianPlanner::new(Position::start(), Figures::Colour).finish(None, None).start;
        assert_eq!(start.to_string(), "1n1b1p1p/p1p1p1p1/1p1p1b1n/8/8/N1B1P1P1/1P1P1P1P/P1P1B1N1");
    }

    #[test]
    fn an_impossible_move_is_named() {
        let mut planner = RussianPlanner::new(Position::start(), Figures::Disks);
        let error = planner.play(&["c3".into(), "c5".into()], None).unwrap_err();
        assert!(error.contains("c5"), "{error}");
    }
}
