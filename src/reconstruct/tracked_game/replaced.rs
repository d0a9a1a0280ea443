//! One of the last moves was another than was told, and those behind it were played as they were.
//!
//! A piece that is read late, on a square that has spoken before, leaves its move to be told otherwise: a rook's, for castling
//! whose king nobody sees yet. When it is read the game stands besides it by two squares, and all that follows is told from a
//! wrong position; or it was told to have gone elsewhere, and on from there. For a board at rest, where no way leads on from the
//! best explanation. And what a pawn has become may be
//! changed when an arbiter sees it: for the tracked game whenever a poll is over.

use std::rc::Rc;

use super::state::TrackedGame;
use crate::{
    reconstruct::{
        costs::Deviation,
        gap::{self, Bridge},
        limits,
        observe::event::Event,
        tree::{node::Node, position::Position},
    },
    rules::{Candidate, Colour, Game, Squares, bit, squares},
};

impl<G: Game> TrackedGame<G> {
    /// The board stands as after the best explanation but for one move of the last: the latest that may be it, if no other
    /// could stand in its place.
    pub(super) fn replace_one(&mut self) {
        let best = self.search.best();
        let line: Vec<Rc<Node<G>>> = best.node.walk_back().take(limits::REPLACED + 1).cloned().collect();
        if let Some(square) = self.changed_for() {
            self.change_for(square, &line);
        } else if let Some(last) = self.told_otherwise(&line) {
            self.search.add(best.instead(last, best.rank(), Deviation::Takeback, 1.0));
        }
    }

    /// The piece on this square was changed for another of its side.
    fn change_for(&mut self, square: u8, line: &[Rc<Node<G>>]) {
        let (best, board) = (self.search.best(), &self.search.state().board);
        // What the other side holds meanwhile is its next move.
        let in_hands = best.mismatched & !bit(square);
        let mut shown = *best.node.game.placement().codes();
        shown[usize::from(square)] = board[usize::from(square)];
        let shown = best.node.shown_as(&shown).map(Rc::new);
        let Some(last) = shown.or_else(|| self.replaced(line, in_hands, |_, _| true)) else { return };
        let mut changed = best.back_at(last, best.account().at(best.rank()));
        changed.charge_times(Deviation::ChangedFor, 1.0);
        changed.mismatched = in_hands;
        let is_held = |e: &&Event| in_hands & bit(e.square) != 0;
        changed.unexplained = best.unexplained.iter().filter(is_held).copied().collect();
        self.search.add(*changed);
        // No hand is at work that puts one piece in the place of another of its side.
        self.search.keep_standing();
    }

    /// The game with one of these moves, the last one first, otherwise than it was told. What has just changed may be the beginning
    /// of a move: a ply must have come behind it, or a piece from nowhere, with which nothing begins: it is read at last.
    fn told_otherwise(&self, line: &[Rc<Node<G>>]) -> Option<Rc<Node<G>>> {
        let best = self.search.best();
        if best.unexplained.iter().all(|change| change.index <= best.node.completed_by.index) {
            // Before the last two plies what was seen to land there did.
            let landed = |told: &Node<G>| Some(told.game.placement().codes()[usize::from(told.to)]);
            let late = |told: &Node<G>| told.ply + 2 > best.node.ply || told.hand.landing.is_none();
            return self
                .replaced(line, 0, |told, other| late(told) || other.code_at(told.to) == landed(told));
        }
        let read = squares(best.mismatched).next();
        match read.filter(|&at| best.mismatched == bit(at) && best.expected(at) == 0) {
            Some(at) => self.replaced(line, 0, |told, other| told.hand.landing.is_none() && other.to == at),
            None => self.read_late(line),
        }
    }

    /// The game with another move in the place of one of these, the last one first: of the latest in whose place any `may_be`, if
    /// that is but one.
    fn replaced(
        &self,
        line: &[Rc<Node<G>>],
        in_hands: Squares,
        may_be: impl Fn(&Node<G>, &Candidate<G::Move>) -> bool,
    ) -> Option<Rc<Node<G>>> {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let replaced = (1..line.len()).find_map(|back| {
            let (earlier, later) = (&line[back], &line[..back]);
            let (told, position) = (&later[back - 1], Position::new(earlier.game.clone()));
            let touched = later.iter().fold(best.mismatched, |set, node| set | node.changed);
            let others = position.moves().filter(|other| {
                other.changed & best.mismatched != 0
                    && other.changed & !touched == 0
                    && Some(&other.mv) != told.mv.as_ref()
                    && may_be(told, other)
            });
            let ways = others.filter_map(|other| self.replay(&position, &other, later));
            let mut ways = ways.filter(|last| last.game.differing(board) & !in_hands == 0);
            ways.next().map(|way| ways.next().is_none().then_some(way))
        });
        replaced.flatten()
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

    /// A piece whose landing nobody saw was told to have gone to one square, and on from there behind the reply, which nobody
    /// pressed: it was read late on the square to which it had gone at once, if then one move leads to the board.
    fn read_late(&self, line: &[Rc<Node<G>>]) -> Option<Rc<Node<G>>> {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let went_on = line.first()?;
        // What was pressed behind the changes that came then was pressed for them.
        let then = best.unexplained.iter().find(|change| change.index > went_on.completed_by.index)?;
        let alone = best.pressed(went_on.ply).is_some_and(|press| press.index < then.index);
        if !self.search.state().clock_in_use() || alone {
            return None;
        }
        (3..line.len()).step_by(2).find_map(|back| {
            let (earlier, later) = (&line[back], &line[1..back]);
            let unseen = &line[back - 1];
            let from = unseen.changed & !bit(unseen.to);
            // A square that seems dead tells nobody that it was left.
            let stands = |node: &Node<G>| node.game.placement().codes()[usize::from(unseen.to)];
            let left = went_on.parent.as_deref().is_some_and(|before| stands(before) != stands(went_on));
            if !left || unseen.hand.landing.is_some() {
                return None;
            }
            let position = Position::new(earlier.game.clone());
            let at_once = |mv: &Candidate<G::Move>| mv.to == went_on.to && from & bit(mv.from) != 0;
            let last = self.replay(&position, &position.moves().find(at_once)?, later)?;
            let position = Position::new(last.game.clone());
            let rulings = self.search.rulings();
            match gap::bridge(&last, &position, board, self.unseen(), 1, 2, rulings) {
                Bridge::One(last) => Some(best.as_seen_to_land(last)),
                Bridge::Many(..) | Bridge::None => None,
            }
        })
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
        // What a pawn has become instead was put there by somebody.
        if G::promotion(&other.mv).is_none() {
            last = self.search.best().as_seen_to_land(last);
        }
        for node in behind.iter().rev() {
            // What it captured may stand elsewhere by now.
            let promoted = node.mv.as_ref().and_then(G::promotion);
            let is_same = |mv: &Candidate<G::Move>| {
                (mv.to, mv.changed) == (node.to, node.changed) && G::promotion(&mv.mv) == promoted
            };
            let same = position.moves().find(is_same)?;
            position = position.after(&same);
            last = Rc::new(Node::child(&last, &same, &position, node.completed_by, node.guess));
        }
        Some(last)
    }
}
