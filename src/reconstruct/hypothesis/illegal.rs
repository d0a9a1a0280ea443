//! A hypothesis whose side to move has made an illegal move and pressed: what that costs, and how it is put back.
//!
//! For [`Hypothesis`], which notes it at presses, and for the proposal that puts it back.

use super::Hypothesis;
use crate::{
    reconstruct::{
        costs::{Account, Deviation},
        observe::BoardState,
    },
    rules::{Colour, Game},
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
