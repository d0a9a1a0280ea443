//! A hypothesis whose side to move has made an illegal move and pressed: what that costs, and how it is put back.
//!
//! For [`Hypothesis`], which notes it at presses, and for the proposal that puts it back.
//!
//! Circle: it is a part of what a press, a change and a rest do to a hypothesis, and a subject of its own.

use super::Hypothesis;
use crate::{
    reconstruct::{
        costs::{Account, Deviation},
        observe::{BoardState, event::Event},
    },
    rules::{Colour, Game, bit, squares},
};

impl<G: Game> Hypothesis<G> {
    /// What it had paid when who is to move pressed after an illegal move, which stands or was just put back.
    pub fn illegal(&self) -> Option<f32> {
        self.illegal
    }

    /// This side pressed: notes what was paid until then, if it is to move and has made an illegal move.
    pub(super) fn note_illegal(&mut self, side: Colour, state: &BoardState) {
        let is_due = self.node.game.turn() == side && !self.presses.is_ahead(side.other());
        if is_due && self.stands_illegally(state) {
            self.illegal = Some(self.account.total());
        }
    }

    /// Whether a piece of who is to move stands where no legal move takes it from where it should, and all else is right.
    fn stands_illegally(&self, state: &BoardState) -> bool {
        // Who captures several men may press wherever the capture turns.
        if G::CAPTURES_BY_JUMPING {
            return false;
        }
        let mover = Some(self.node.game.turn());
        let moved = self.moved(state).filter(|&(from, _)| Colour::of(self.expected(from)) == mover);
        moved.is_some_and(|(from, to)| !self.position.leads(from, to))
    }

    /// A square changes: what else moves than what stands illegally, or slides home, goes on from there.
    pub(super) fn goes_on_from_illegal(&mut self, event: &Event) {
        if self.illegal.is_some() && self.mismatched & bit(event.square) == 0 && !self.slides(event) {
            self.illegal = None;
        }
    }

    /// Whether a piece of who is to move that is off its square may have passed here.
    fn slides(&self, event: &Event) -> bool {
        let piece = event.old | event.new;
        (event.old == 0 || event.new == 0)
            && self.expected(event.square) == 0
            && Colour::of(piece) == Some(self.node.game.turn())
            && squares(self.mismatched).any(|at| self.expected(at) == piece)
    }

    /// Charges a board that stands otherwise than it says: whose illegal move was pressed pays for that, and no more.
    pub fn charge_open(&mut self, deviation: Deviation, times: f32) {
        self.charge_times(deviation, times);
        if let Some(paid) = self.illegal
            && self.cost() > paid + Deviation::IllegalPressed.price()
        {
            self.account = self.with_illegal(paid);
        }
    }

    /// The account of one that had paid so much before an illegal move: for that it pays once.
    fn with_illegal(&self, paid: f32) -> Account {
        let mut account = self.account.at(paid);
        account.take_charges();
        account.charge(Deviation::IllegalPressed);
        account
    }

    /// The same game after a move that was none, pressed and put back: it had paid so much when that was pressed, and pays
    /// once for all that came since the change with this number.
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

    /// What becomes of a hypothesis in which White's pawn went from d4 to h4, which was pressed, when squares change so.
    fn after(words: &str) -> Hypothesis<ChessGame> {
        let illegal = Seen::new("8/4k1p1/6P1/3pq3/3P4/8/5PK1/8 w - - 0 54").see("-d4 Pg4 -g4 Ph4");
        illegal.press(Colour::White).see(words).hypothesis
    }

    #[test]
    fn what_stands_illegally_may_slide_home() {
        // As scans find it: the square that it comes to before the one that it leaves, or after.
        for home in ["", "-h4 Pd4", "Pg4 -h4 Pf4 -g4 Pe4 -f4 Pd4 -e4", "-h4 Pg4 -g4 Pd4"] {
            let after = after(home);
            assert_eq!((after.illegal().is_some(), after.mismatched != 0), (true, home.is_empty()), "{home}");
        }
    }

    #[test]
    fn who_moves_something_else_plays_on_from_what_stands_illegally() {
        for on in ["-e7", "-f2", "-f2 Pf4", "qe4"] {
            assert!(after(on).illegal().is_none(), "{on}");
        }
    }
}
