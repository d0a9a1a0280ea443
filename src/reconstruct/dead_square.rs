//! Dead squares: sensors that never report, in changes and in dumps alike, whatever stands above them.
//!
//! A position [`OnBoard`] has the set of squares that are taken for dead on its board. It behaves as any other, but its
//! moves do not show what happens on these squares: a move that ends there is complete when its piece has left, one
//! from there when its piece has come, and a capture there is a piece that left. The rest of the search does not depend
//! on this.
//!
//! A square is taken for dead if a piece comes from there though none stood there at the start (`start`), or if a piece
//! that left its square came nowhere and can have gone to a square that has never reported (`propose::dead_landing`). The
//! The first time is expensive, each further one is cheap. A square that reports is no longer dead. The next game on
//! the board begins with what this one has shown ([`Senses`]).

use arrayvec::ArrayVec;

use crate::{
    record::{EndReason, Move, Outcome, Placement, Rules},
    rules::{Candidate, Colour, Ends, Game, Promotion, Squares, bit, squares},
};

/// What the squares of a board have shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Senses {
    /// The squares that have reported a piece.
    pub reported: Squares,
    /// The squares that are taken for dead.
    pub dead: Squares,
}

impl Senses {
    /// The same of the board turned by 180°.
    pub fn turned(self) -> Senses {
        Senses { reported: self.reported.reverse_bits(), dead: self.dead.reverse_bits() }
    }

    /// These squares reported something.
    pub fn mark_reported(&mut self, squares: Squares) {
        self.reported |= squares;
        self.dead &= !squares;
    }
}

/// A position of a game on a board with its dead squares.
#[derive(Debug, Clone)]
pub struct OnBoard<G> {
    game: G,
    dead: Squares,
}

impl<G: Game> OnBoard<G> {
    /// A position on a board of which these squares are dead.
    pub fn new(game: G, dead: Squares) -> OnBoard<G> {
        OnBoard { game, dead }
    }

    /// The same position on a board without dead squares.
    pub fn on_sound_board(&self) -> G {
        self.game.clone()
    }

    /// Whether a move ends on a dead square and shows the same as the previous one: it differs only in the piece that a
    /// pawn became, which is not seen. The queen comes first.
    #[cold]
    fn is_unseen(&self, mv: &G::Move, before: &mut Option<(u8, u8, Squares)>) -> bool {
        let ends = G::ends(mv);
        let shows = (self.dead & bit(ends.to) != 0).then(|| (ends.from, ends.to, self.candidate(mv).changed));
        let same = std::mem::replace(before, shows) == shows;
        same && shows.is_some()
    }

    /// A move without the changes on dead squares.
    #[cold]
    fn shown_of(&self, mv: &G::Move) -> Candidate<G::Move> {
        let mut candidate = self.game.candidate(mv);
        candidate.changed &= !self.dead;
        candidate.transit &= !self.dead;
        candidate.stops &= !self.dead;
        candidate.captured_standing &= !self.dead;
        candidate
    }
}

impl<G: Game> Game for OnBoard<G> {
    type Move = G::Move;

    fn legal<T>(&self, mut of: impl FnMut(&G::Move) -> T) -> Vec<T> {
        if self.dead == 0 {
            return self.game.legal(of);
        }
        let mut before = None;
        let seen = |mv: &G::Move| (!self.is_unseen(mv, &mut before)).then(|| of(mv));
        self.game.legal(seen).into_iter().flatten().collect()
    }

    fn legal_between(&self, from: Squares, to: Squares, mut found: impl FnMut(&G::Move)) -> bool {
        if self.dead == 0 {
            return self.game.legal_between(from, to, found);
        }
        let mut before = None;
        self.game.legal_between(from, to, |mv| {
            if !self.is_unseen(mv, &mut before) {
                found(mv);
            }
        })
    }

    fn count(&self) -> usize {
        if self.dead == 0 {
            return self.game.count();
        }
        let mut count = 0;
        let listed = self.legal_between(!0, !0, |_| count += 1);
        if listed { count } else { self.legal(|_| ()).len() }
    }

    fn beyond(from: u8, passed: u8) -> Squares {
        G::beyond(from, passed)
    }

    #[inline]
    fn candidate(&self, mv: &G::Move) -> Candidate<G::Move> {
        if self.dead == 0 { self.game.candidate(mv) } else { self.shown_of(mv) }
    }

    fn ends(mv: &G::Move) -> Ends {
        G::ends(mv)
    }

    fn may_pass(mv: &G::Move, field: u8) -> bool {
        G::may_pass(mv, field)
    }

    fn after(&self, candidate: &Candidate<G::Move>) -> OnBoard<G> {
        let whole = (self.dead != 0).then(|| self.game.candidate(&candidate.mv));
        OnBoard { game: self.game.after(whole.as_ref().unwrap_or(candidate)), dead: self.dead }
    }

    fn resumed(&self, board: &[u8; 64], turn: Colour) -> Option<OnBoard<G>> {
        let mut stands = *board;
        for at in squares(self.dead) {
            stands[at as usize] = self.placement().codes()[at as usize];
        }
        Some(OnBoard { game: self.game.resumed(&stands, turn)?, dead: self.dead })
    }

    fn read_fen(&self, fen: &str) -> Option<OnBoard<G>> {
        Some(OnBoard { game: self.game.read_fen(fen)?, dead: self.dead })
    }

    fn dead(&self) -> Squares {
        self.dead
    }

    fn with_dead(&self, dead: Squares) -> OnBoard<G> {
        OnBoard { game: self.game.clone(), dead }
    }

    fn rules(&self) -> Rules {
        self.game.rules()
    }

    fn placement(&self) -> &Placement {
        self.game.placement()
    }

    fn turn(&self) -> Colour {
        self.game.turn()
    }

    fn fen(&self) -> String {
        self.game.fen()
    }

    fn describe(&self, mv: &G::Move) -> Move {
        self.game.describe(mv)
    }

    fn ending(&self) -> Option<(EndReason, Option<Outcome>)> {
        self.game.ending()
    }

    fn signal(board: &[u8; 64], dead: Squares) -> Option<(Outcome, Squares)> {
        G::signal(board, dead)
    }

    fn step_to_signal(mv: &G::Move, board: &[u8; 64]) -> bool {
        G::step_to_signal(mv, board)
    }

    fn can_win(&self, side: Colour) -> bool {
        self.game.can_win(side)
    }

    fn en_prise(&self, field: u8) -> f32 {
        self.game.en_prise(field)
    }

    fn may_promote(piece: u8, from: u8) -> bool {
        G::may_promote(piece, from)
    }

    fn stops(mv: &G::Move) -> ArrayVec<u8, 16> {
        G::stops(mv)
    }

    fn promotion(mv: &G::Move) -> Option<Promotion> {
        G::promotion(mv)
    }

    fn shown_as(&self, board: &[u8; 64]) -> Option<OnBoard<G>> {
        let mut sound = *board;
        for at in squares(self.dead) {
            sound[usize::from(at)] = self.game.placement().codes()[usize::from(at)];
        }
        Some(OnBoard::new(self.game.shown_as(&sound)?, self.dead))
    }

    fn announces(piece: u8) -> bool {
        G::announces(piece)
    }

    fn may_vanish(piece: u8) -> bool {
        G::may_vanish(piece)
    }

    fn may_castle(&self) -> Squares {
        self.game.may_castle()
    }

    fn may_change_beside(&self, field: u8) -> bool {
        self.game.may_change_beside(field)
    }

    fn may_go(piece: u8, from: u8, becomes: u8, to: u8) -> bool {
        G::may_go(piece, from, becomes, to)
    }

    fn can_go(&self, from: u8, to: Squares) -> bool {
        self.game.can_go(from, to)
    }

    const CAPTURES_BY_JUMPING: bool = G::CAPTURES_BY_JUMPING;
    const ANNOUNCED_ON: Squares = G::ANNOUNCED_ON;

    fn repeats(&self, other: &OnBoard<G>) -> bool {
        self.game.repeats(&other.game)
    }

    fn reversible(&self) -> u32 {
        self.game.reversible()
    }

    fn claim(&self) -> Option<&'static str> {
        self.game.claim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::ChessGame;

    #[test]
    fn legal_between_agrees_with_legal_on_dead_squares() {
        let [b7, b8, c8, e4] = [9, 1, 2, 36].map(bit);
        // A pawn that promotes on two squares, with and without a capture; a check; en passant and castling.
        for fen in [
            "2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
            "2r1k3/1P6/8/8/4q3/8/8/4K3 w - - 0 1",
            "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 1",
        ] {
            for dead in [0, b8, b8 | c8, e4, !0] {
                let game = OnBoard::new(ChessGame::from_fen(fen).unwrap(), dead);
                let all = game.legal(|mv| *mv);
                for (from, to) in [(!0, !0), (b7, !0), (!0, b8), (!0, b8 | c8), (e4, !e4)] {
                    let mut found = Vec::new();
                    assert!(game.legal_between(from, to, |mv| found.push(*mv)));
                    // Moves of two pieces are listed whatever their squares, if any others can be.
                    let asked = |ends: Ends| match ends.change {
                        true => bit(ends.from) & from != 0 && bit(ends.to) & to != 0,
                        false => from == !0,
                    };
                    let listed: Vec<_> =
                        all.iter().copied().filter(|mv| asked(ChessGame::ends(mv))).collect();
                    found.retain(|mv| asked(ChessGame::ends(mv)));
                    assert_eq!(found, listed, "{fen} {dead:x} {from:x} {to:x}");
                }
            }
        }
        let pawn =
            |dead| OnBoard::new(ChessGame::from_fen("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1").unwrap(), dead);
        // Five moves of the king. On a dead square a pawn becomes one piece; elsewhere, beside a dead one, five: the
        // fifth is a queen that is not fetched yet, which is no move of its own on a sound board.
        assert_eq!([0, b8, b8 | c8].map(|dead| pawn(dead).count()), [5 + 4 + 4, 5 + 1 + 5, 5 + 1 + 1]);
    }
}
