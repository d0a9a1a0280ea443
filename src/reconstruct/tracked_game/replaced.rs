//! One of the last moves was another than was told, and those behind it were played as they were.
//!
//! A piece that is read late, on a square that has spoken before, leaves its move to be told otherwise: a rook's, for castling
//! whose king nobody sees yet. When it is read the game stands besides it by two squares, and all that follows is told from a
//! wrong position. For a board at rest, where no way leads on from the best explanation. And what a pawn has become may be
//! changed when an arbiter sees it: for the tracked game whenever a poll is over.

use std::rc::Rc;

use super::state::TrackedGame;
use crate::{
    reconstruct::{
        costs::Deviation,
        limits,
        observe::event::Event,
        tree::{node::Node, position::Position},
    },
    rules::{Candidate, Colour, Game, bit, squares},
};

impl<G: Game> TrackedGame<G> {
    /// The board stands as after the best explanation but for one move of the last: the latest that may be it, if no other
    /// could stand in its place. What has just changed may be the beginning of a move: a ply must have come behind it, but where
    /// one piece was changed for another of its side.
    pub(super) fn replace_one(&mut self) {
        let changed_for = self.changed_for();
        let (best, board) = (self.search.best(), &self.search.state().board);
        // What the other side holds meanwhile is its next move.
        let in_hands = changed_for.map_or(0, |square| best.mismatched & !bit(square));
        if changed_for.is_none()
            && best.unexplained.iter().any(|change| change.index > best.node.completed_by.index)
        {
            return;
        }
        let line: Vec<Rc<Node<G>>> = best.node.walk_back().take(limits::REPLACED + 1).cloned().collect();
        let shown = changed_for.and_then(|square| {
            let mut shown = *best.node.game.placement().codes();
            shown[usize::from(square)] = board[usize::from(square)];
            best.node.shown_as(&shown)
        });
        let replaced = || {
            (1..line.len()).find_map(|back| {
                let (earlier, later) = (&line[back], &line[..back]);
                let position = Position::new(earlier.game.clone());
                let touched = later.iter().fold(best.mismatched, |set, node| set | node.changed);
                let others = position.moves().filter(|other| {
                    other.changed & best.mismatched != 0
                        && other.changed & !touched == 0
                        && Some(&other.mv) != later[back - 1].mv.as_ref()
                });
                let ways = others.filter_map(|other| self.replay(&position, &other, later));
                let mut ways = ways.filter(|last| last.game.differing(board) & !in_hands == 0);
                ways.next().map(|way| ways.next().is_none().then_some(way))
            })
        };
        let Some(last) = shown.map(Rc::new).or_else(|| replaced().flatten()) else { return };
        if changed_for.is_some() {
            let mut changed = best.back_at(last, best.account().at(best.rank()));
            changed.charge_times(Deviation::ChangedFor, 1.0);
            changed.mismatched = in_hands;
            let is_held = |e: &&Event| in_hands & bit(e.square) != 0;
            changed.unexplained = best.unexplained.iter().filter(is_held).copied().collect();
            self.search.add(*changed);
            // No hand is at work that puts one piece in the place of another of its side.
            self.search.keep_standing();
        } else {
            let replaced = best.instead(last, best.rank(), Deviation::Takeback, 1.0);
            self.search.add(replaced);
        }
    }

    /// One piece was changed for another of its side, and all else is right: looked at as soon as a poll is over.
    pub(super) fn look_for_changed(&mut self) {
        let learned = self.search.learned();
        let is_over = self.stillness.polled_empty || self.stillness.all_is_told();
        if is_over && self.looked_for_changed != learned {
            self.looked_for_changed = learned;
            if self.changed_for().is_some() {
                self.replace_one();
            }
        }
    }

    /// The square on which a piece was changed for another of its side, if nothing else is otherwise than it should be but what
    /// may be in a hand.
    pub(super) fn changed_for(&self) -> Option<u8> {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let mut otherwise = squares(best.mismatched).filter(|&at| board[at as usize] != 0);
        let square = otherwise.next().filter(|_| otherwise.next().is_none())?;
        let [should, stands] = [best.expected(square), board[square as usize]].map(Colour::of);
        (should.is_some() && should == stands && best.mismatched.count_ones() <= 2).then_some(square)
    }

    /// The game with another move in the place of the first of these (the last one first), and the others behind it, if they
    /// are legal then.
    fn replay(
        &self,
        position: &Rc<Position<G>>,
        other: &Candidate<G::Move>,
        later: &[Rc<Node<G>>],
    ) -> Option<Rc<Node<G>>> {
        let (replaced, behind) = later.split_last()?;
        let rulings = self.search.rulings();
        if !rulings.allow_move(replaced.ply, &position.game, other) {
            return None;
        }
        let mut position = position.after(other);
        let earlier = replaced.parent.as_ref()?;
        let mut last = Rc::new(Node::child(earlier, other, &position, replaced.completed_by, true));
        for node in behind.iter().rev() {
            let same = position.moves().find(|candidate| Some(&candidate.mv) == node.mv.as_ref())?;
            position = position.after(&same);
            last = Rc::new(Node::child(&last, &same, &position, node.completed_by, node.guess));
        }
        Some(last)
    }
}
