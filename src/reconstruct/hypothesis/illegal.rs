//! A hypothesis whose side to move has made an illegal move and pressed: its price, and how it is put back.
//!
//! [`Hypothesis`] notes such a move at presses; a proposer detects that it was put back.
//!
//! Circle: it is a part of the effect of a press, a change and a rest, and a subject of its own.

use super::Hypothesis;
use crate::{
    reconstruct::{
        costs::{Account, Deviation},
        observe::{BoardState, event::Event},
    },
    rules::{Colour, Game, bit, squares},
};

impl<G: Game> Hypothesis<G> {
    /// The cost before the side to move pressed after an illegal move, which is still there or was just put back.
    pub fn illegal(&self) -> Option<f32> {
        self.illegal
    }

    /// A side pressed: keeps the cost before this press if that side is to move and has made an illegal move.
    pub(super) fn note_illegal(&mut self, side: Colour, state: &BoardState) {
        let is_due = self.node.game.turn() == side && !self.presses.is_ahead(side.other());
        if is_due && self.stands_illegally(state) {
            self.illegal = Some(self.account.total());
        }
    }

    /// Whether a piece of the side to move stands where no legal move takes it, and nothing else is mismatched.
    fn stands_illegally(&self, state: &BoardState) -> bool {
        // A capture of several men may be pressed wherever it turns.
        if G::CAPTURES_BY_JUMPING {
            return false;
        }
        let mover = Some(self.node.game.turn());
        let moved = self.moved(state).filter(|&(from, _)| Colour::of(self.expected(from)) == mover);
        moved.is_some_and(|(from, to)| !self.position.leads(from, to))
    }

    /// A square changes: unless it is the piece of the illegal move sliding back, play goes on from the illegal move.
    pub(super) fn goes_on_from_illegal(&mut self, event: &Event) {
        if self.illegal.is_some() && self.mismatched & bit(event.square) == 0 && !self.slides(event) {
            self.illegal = None;
        }
    }

    /// Whether a piece of the side to move that is off its square may have passed here.
    fn slides(&self, event: &Event) -> bool {
        let piece = event.old | event.new;
        (event.old == 0 || event.new == 0)
            && self.expected(event.square) == 0
            && Colour::of(piece) == Some(self.node.game.turn())
            && squares(self.mismatched).any(|at| self.expected(at) == piece)
    }

    /// Charges mismatched squares: after an illegal move, altogether up to the price of that move.
    pub fn charge_open(&mut self, deviation: Deviation, times: f32) {
        self.charge_times(deviation, times);
        if let Some(paid) = self.illegal
            && self.cost() > paid + Deviation::IllegalPressed.price()
        {
            self.account = self.with_illegal(paid);
        }
    }

    /// The account with this cost before an illegal move, and the price of that.
    fn with_illegal(&self, paid: f32) -> Account {
        let mut account = self.account.at(paid);
        account.take_charges();
        account.charge(Deviation::IllegalPressed);
        account
    }

    /// The same game after an illegal move was pressed and put back: with the cost before, the price of that, and
    /// without its changes, which begin with the one numbered `lift`.
    pub fn put_back(&self, paid: f32, lift: u32) -> Box<Hypothesis<G>> {
        let account = self.with_illegal(paid);
        let mut put_back = Box::new(Hypothesis { account, illegal: None, is_ranked: false, ..self.clone() });
        put_back.unexplained.retain(|e| e.index < lift);
        let (ply, mover) = (self.node.ply, self.node.game.turn());
        put_back.presses.void(mover, ply + 1);
        put_back.presses.void(mover.other(), ply + 2);
        put_back
    }
}

#[cfg(test)]
mod tests {
    use super::{super::apply_move::tests::Seen, *};
    use crate::rules::chess::ChessGame;

    /// The hypothesis in which White's pawn went from d4 to h4, which was pressed, after these changes.
    fn after(words: &str) -> Hypothesis<ChessGame> {
        let illegal = Seen::new("8/4k1p1/6P1/3pq3/3P4/8/5PK1/8 w - - 0 54").see("-d4 Pg4 -g4 Ph4");
        illegal.press(Colour::White).see(words).hypothesis
    }

    #[test]
    fn an_illegal_piece_may_slide_back() {
        // In the order of scans: the new square before the one that the piece left, or after it.
        for home in ["", "-h4 Pd4", "Pg4 -h4 Pf4 -g4 Pe4 -f4 Pd4 -e4", "-h4 Pg4 -g4 Pd4"] {
            let after = after(home);
            assert_eq!((after.illegal().is_some(), after.mismatched != 0), (true, home.is_empty()), "{home}");
        }
    }

    #[test]
    fn another_move_continues_from_the_illegal_one() {
        for on in ["-e7", "-f2", "-f2 Pf4", "qe4"] {
            assert!(after(on).illegal().is_none(), "{on}");
        }
    }
}
