//! Russian draughts, by [`crate::draughts`].
//!
//! Boards are read by colour alone: which piece is a king follows from the moves, whatever figure stands for it. So the
//! codes of this game are those of a white and of a black pawn, for men and kings alike, and [`sets`] maps the codes of
//! a board to them.

pub mod sets;

use arrayvec::ArrayVec;

use self::sets::{BLACK, Set, WHITE};
use super::{Candidate, Colour, Ends, Game, Squares, bit};
use crate::{
    draughts::{Claim, Counts, Move, Piece, Position, Square},
    record::{self, EndReason, Outcome, Placement, Rules},
};

/// A position of Russian draughts with its placement.
#[derive(Debug, Clone)]
pub struct RussianGame {
    position: Position,
    placement: Placement,
    counts: Counts,
    claim: Option<Claim>,
}

impl RussianGame {
    /// The start position.
    pub fn start() -> RussianGame {
        RussianGame::from_position(Position::start())
    }

    /// A game that starts from this position.
    pub fn from_position(position: Position) -> RussianGame {
        let mut codes = [0; 64];
        for (square, piece) in position.pieces() {
            codes[square.field() as usize] = code(piece.colour);
        }
        let placement = Placement::from_codes(codes);
        RussianGame { position, placement, counts: Counts::default(), claim: None }
    }

    /// The position, with kings and the side to move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position after a legal move.
    pub fn play(&self, mv: &Move) -> RussianGame {
        let left = mv.captured().chain([mv.from()]).map(|square| (square.field(), 0));
        let placed = (mv.to().field(), code(self.position.turn()));
        let mut counts = self.counts;
        let claim = counts.play(&self.position, mv);
        let placement = self.placement.changed(left.chain([placed]));
        RussianGame { position: self.position.play(mv), placement, counts, claim }
    }

    /// A game that starts from this placement, with this set, White to move; a figure of unknown rank is a man wherever
    /// a man can stand. None for what is no position.
    pub fn from_placement(placement: &Placement, set: Set) -> Option<RussianGame> {
        RussianGame::with_turn(placement, set, Colour::White)
    }

    /// The same with this side to move.
    pub fn with_turn(placement: &Placement, set: Set, turn: Colour) -> Option<RussianGame> {
        let mut pieces = Vec::new();
        for (field, &figure) in (0..).zip(placement.codes()).filter(|(_, code)| **code != 0) {
            let colour = set.colour(figure);
            pieces.push((
                Square::from_field(field)?,
                Piece { colour, king: set.is_king(figure) == Some(true) || on_last_rank(field, colour) },
            ));
        }
        let position = Position::new(pieces, turn).ok()?;
        position.has_moves().then(|| RussianGame::from_position(position))
    }
}

/// Whether a man of this colour on this field has become a king.
fn on_last_rank(field: u8, colour: Colour) -> bool {
    field / 8 == if colour == Colour::White { 0 } else { 7 }
}

fn code(colour: Colour) -> u8 {
    [WHITE, BLACK][colour.index()]
}

/// A legal move as a record without a ply.
pub fn describe(before: &Position, m: &Move) -> record::Move {
    record::Move {
        notation: Some(m.to_string()),
        path: m.path().map(|square| square.to_string()).collect(),
        captured: m.captured().map(|square| square.to_string()).collect(),
        fen: before.play(m).to_string(),
        ..record::Move::default()
    }
}

/// A side without moves has lost: the result, if that is so.
pub fn lost(position: &Position) -> Option<Outcome> {
    let winner = match position.turn() {
        Colour::White => Outcome::BlackWins,
        Colour::Black => Outcome::WhiteWins,
    };
    (!position.has_moves()).then_some(winner)
}

/// The squares between two on one diagonal.
fn between(from: Square, to: Square) -> Squares {
    let (from, to) = (from.field() as i8, to.field() as i8);
    let rows = to / 8 - from / 8;
    let step = rows.signum() * 8 + (to % 8 - from % 8).signum();
    (1..rows.abs()).fold(0, |set, n| set | bit((from + n * step) as u8))
}

impl Game for RussianGame {
    type Move = Move;

    fn rules(&self) -> Rules {
        Rules::Russian
    }

    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn turn(&self) -> Colour {
        self.position.turn()
    }

    fn legal<T>(&self, of: impl FnMut(&Move) -> T) -> Vec<T> {
        self.position.legal_moves().iter().map(of).collect()
    }

    fn candidate(&self, mv: &Move) -> Candidate<Move> {
        let piece = code(self.position.turn());
        let Ends { from, to, .. } = RussianGame::ends(mv);
        let mut own = mv.captured_set();
        let mut placed = ArrayVec::new();
        // A king that captures in a ring ends where it began.
        if from != to {
            own |= bit(from) | bit(to);
            placed.push((to, piece));
        }
        let path: ArrayVec<Square, 16> = mv.path().collect();
        let stops = path.iter().fold(0, |set, square| set | square.bit()) & !own;
        let passed = path.windows(2).fold(0, |set, pair| set | between(pair[0], pair[1]));
        Candidate {
            mv: *mv,
            changed: own,
            placed,
            transit: (stops | passed) & !own,
            stops,
            captured_standing: mv.captured_set(),
            vanishes_when_captured: true,
            from,
            to,
            piece,
            capture: mv.is_capture(),
        }
    }

    fn ends(mv: &Move) -> Ends {
        let (from, to) = (mv.from().field(), mv.to().field());
        Ends { from, to, change: from != to }
    }

    fn may_pass(_: &Move, _: u8) -> bool {
        true
    }

    fn stops(mv: &Move) -> ArrayVec<u8, 16> {
        let path = mv.path().map(Square::field);
        path.skip(1).take(mv.path().len() - 2).collect()
    }

    fn after(&self, candidate: &Candidate<Move>) -> RussianGame {
        self.play(&candidate.mv)
    }

    fn resumed(&self, board: &[u8; 64], turn: Colour) -> Option<RussianGame> {
        let stood = |square: Square| self.position.get(square);
        let shows = |field: u8| Colour::of(board[field as usize]);
        // A king that has left its square is where its colour is new.
        let gone = self.position.pieces().filter(|(at, piece)| shows(at.field()) != Some(piece.colour));
        let mut kings: Vec<Colour> =
            gone.filter(|(_, piece)| piece.king).map(|(_, piece)| piece.colour).collect();
        let mut pieces = Vec::new();
        for field in 0..64 {
            let Some(colour) = shows(field) else { continue };
            let square = Square::from_field(field)?;
            let king = match stood(square).filter(|piece| piece.colour == colour) {
                Some(piece) => piece.king,
                None => match kings.iter().position(|king| *king == colour) {
                    Some(at) => {
                        kings.swap_remove(at);
                        true
                    }
                    None => on_last_rank(field, colour),
                },
            };
            pieces.push((square, Piece { colour, king }));
        }
        let position = Position::new(pieces, turn).ok()?;
        Some(RussianGame::from_position(position))
    }

    fn read_fen(&self, fen: &str) -> Option<RussianGame> {
        fen.parse().ok().map(RussianGame::from_position)
    }

    fn fen(&self) -> String {
        self.position.to_string()
    }

    fn describe(&self, mv: &Move) -> record::Move {
        describe(&self.position, mv)
    }

    fn ending(&self) -> Option<(EndReason, Option<Outcome>)> {
        lost(&self.position).map(|winner| (EndReason::NoMoves, Some(winner)))
    }

    fn signal(_: &[u8; 64], _: Squares) -> Option<(Outcome, Squares)> {
        // There is no signal by kings.
        None
    }

    fn step_to_signal(_: &Move, _: &[u8; 64]) -> bool {
        false
    }

    fn can_win(&self, _: Colour) -> bool {
        // A side whose opponent's flag falls has won: any piece can become a king, and any king can capture.
        true
    }

    const CAPTURES_BY_JUMPING: bool = true;
    const ANNOUNCED_ON: Squares = 0;

    fn repeats(&self, other: &RussianGame) -> bool {
        self.position == other.position
    }

    fn reversible(&self) -> u32 {
        self.counts.reversible()
    }

    fn claim(&self) -> Option<&'static str> {
        self.claim.map(Claim::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{draughts, rules::claim};

    fn game(fen: &str) -> RussianGame {
        RussianGame::from_position(fen.parse().unwrap())
    }

    fn squares(set: Squares) -> String {
        let names: Vec<_> = draughts::squares(set).map(|square| square.to_string()).collect();
        names.join(" ")
    }

    #[test]
    fn a_capture_changes_its_ends_and_captured_squares() {
        let game = game("W:Wb6,d2:Bc7,e7,g5");
        let moves = game.moves();
        assert_eq!(moves.len(), 1);
        assert_eq!(game.describe(&moves[0].mv).notation.as_deref(), Some("b6:d8:f6:h4"));
        assert_eq!(squares(moves[0].changed), "c7 e7 b6 g5 h4");
        assert_eq!(squares(moves[0].transit), "d8 f6");
        let after = game.after(&moves[0]);
        assert_eq!(after.fen(), "B:WKh4,d2:B");
        assert_eq!(after.placement().to_string(), "8/8/8/8/7P/8/3P4/8", "kings show the colour alone");
        assert_eq!(after.ending(), Some((EndReason::NoMoves, Some(Outcome::WhiteWins))));
    }

    #[test]
    fn a_game_begins_as_a_board_shows_it() {
        assert_eq!(Set::of_start(RussianGame::start().placement()), Some(Set::Pawns));
    }

    #[test]
    fn a_king_passes_the_squares_between() {
        let game = game("W:WKa1:Bh6");
        let moves = game.moves();
        let far = moves.iter().find(|c| c.mv.to_string() == "a1-d4").unwrap();
        assert_eq!((squares(far.changed), squares(far.transit)), ("d4 a1".into(), "c3 b2".into()));
    }

    /// The number of the first move after which a draw can be claimed, and its rule; `round` is repeated.
    fn first_claim(fen: &str, first: &[&str], round: &[&str]) -> Option<(usize, &'static str)> {
        let mut games = vec![game(fen)];
        for (n, text) in first.iter().chain(round.iter().cycle().take(150)).enumerate() {
            let now = &games[games.len() - 1];
            let mv = now.position().read_move(text, draughts::Numbering::B8).unwrap().m;
            let after = now.play(&mv);
            if let Some(claim) = claim(&after, games.iter().rev()) {
                return Some((n + 1, claim));
            }
            games.push(after);
        }
        None
    }

    #[test]
    fn a_threefold_position_can_be_claimed() {
        // The position before the first move counts.
        let round = ["b8-a7", "g1-h2", "a7-b8", "h2-g1"];
        assert_eq!(first_claim("W:WKb8,a3:BKg1,h6", &[], &round), Some((8, "threefold")));
        // A man has moved: the first position that can occur three times is the one after that.
        let round = ["b8-a7", "h2-g1", "a7-b8", "g1-h2"];
        let first = ["a3-b4", "g1-h2"];
        assert_eq!(first_claim("W:WKb8,a3:BKg1,h6", &first, &round), Some((9, "threefold")));
    }

    #[test]
    fn a_resumed_position_keeps_its_kings() {
        let before = game("W:WKa1,c3:Bh6,Kb8");
        let mut codes = *before.placement().codes();
        let field = |name: &str| name.parse::<Square>().unwrap().field() as usize;
        codes.swap(field("a1"), field("c5"));
        codes[field("c3")] = 0;
        let after = before.resumed(&codes, Colour::Black).unwrap();
        assert_eq!(after.fen(), "B:WKc5:BKb8,h6");
        // A light square is none to play on.
        codes[0] = WHITE;
        assert!(before.resumed(&codes, Colour::Black).is_none());
    }
}
