//! One of the last moves differed from the published one, and those after it were played as published.
//!
//! A piece that is read late makes its move look like another one: castling, for example, like a move of the rook as
//! long as the king is not seen. When it is read the game is wrong by two squares, and all later moves follow a wrong
//! position; or the piece was published to have gone elsewhere, and on from there. Used for a board at rest, where no
//! moves lead on from the best explanation. And an arbiter may have the piece of a promotion replaced: the tracked game
//! looks for that whenever a poll is over.

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
    /// Looks for a move that explains the board in the place of one of the last moves: the latest such place, if only
    /// one move fits there.
    pub(super) fn replace_one(&mut self) {
        let best = self.search.best();
        let line: Vec<Rc<Node<G>>> =
            best.node.walk_back().take(limits::REPLACED_MAX_PLIES + 1).cloned().collect();
        if let Some(square) = self.changed_for() {
            self.change_for(square, &line);
        } else if let Some(last) = self.with_other_move(&line) {
            self.search.add(best.instead(last, best.rank(), Deviation::Takeback, 1.0));
        }
    }

    /// The piece on this square was changed for another of its side.
    fn change_for(&mut self, square: u8, line: &[Rc<Node<G>>]) {
        let (best, board) = (self.search.best(), &self.search.state().board);
        // A piece that the other side holds meanwhile is its next move.
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
        // No hand at work puts one piece in the place of another of its side.
        self.search.keep_standing();
    }

    /// The game with another move in the place of one of these, the last one first. The last changes may be the
    /// beginning of a move: a ply must have come after them, or they are a piece from nowhere, which begins no move and
    /// was read late.
    fn with_other_move(&self, line: &[Rc<Node<G>>]) -> Option<Rc<Node<G>>> {
        let best = self.search.best();
        if best.unexplained.iter().all(|change| change.index <= best.node.completed_by.index) {
            // A piece that was seen to land before the last two plies did land there.
            let landed =
                |published: &Node<G>| Some(published.game.placement().codes()[usize::from(published.to)]);
            let late =
                |published: &Node<G>| published.ply + 2 > best.node.ply || published.hand.landing.is_none();
            return self.replaced(line, 0, |published, other| {
                late(published) || other.code_at(published.to) == landed(published)
            });
        }
        let read = squares(best.mismatched).next();
        match read.filter(|&at| best.mismatched == bit(at) && best.expected(at) == 0) {
            Some(at) => {
                self.replaced(line, 0, |published, other| published.hand.landing.is_none() && other.to == at)
            }
            None => self.read_late(line),
        }
    }

    /// The game with another move in the place of one of these, the last one first: at the latest place where any move
    /// `may_be`, if only one is possible there.
    fn replaced(
        &self,
        line: &[Rc<Node<G>>],
        in_hands: Squares,
        may_be: impl Fn(&Node<G>, &Candidate<G::Move>) -> bool,
    ) -> Option<Rc<Node<G>>> {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let replaced = (1..line.len()).find_map(|back| {
            let (earlier, later) = (&line[back], &line[..back]);
            let (published, position) = (&later[back - 1], Position::new(earlier.game.clone()));
            let touched = later.iter().fold(best.mismatched, |set, node| set | node.changed);
            let others = position.moves().filter(|other| {
                other.changed & best.mismatched != 0
                    && other.changed & !touched == 0
                    && Some(&other.mv) != published.mv.as_ref()
                    && may_be(published, other)
            });
            let ways = others.filter_map(|other| self.replay(&position, &other, later));
            let mut ways = ways.filter(|last| last.game.differing(board) & !in_hands == 0);
            ways.next().map(|way| ways.next().is_none().then_some(way))
        });
        replaced.flatten()
    }

    /// Looks for a piece that was changed for another of its side, as soon as a poll is over.
    pub(super) fn look_for_changed(&mut self) {
        let revision = self.search.revision();
        let is_over = self.stillness.polled_empty || self.stillness.poll_is_over();
        if is_over && self.looked_for_changed != revision {
            self.looked_for_changed = revision;
            if self.changed_for().is_some() {
                self.replace_one();
            }
        }
    }

    /// The square on which a piece was changed for another of its side, if nothing else is mismatched but a piece that
    /// may be in a hand.
    pub(super) fn changed_for(&self) -> Option<u8> {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let mut otherwise = squares(best.mismatched).filter(|&at| board[at as usize] != 0);
        let square = otherwise.next().filter(|_| otherwise.next().is_none())?;
        let [should, stands] = [best.expected(square), board[square as usize]].map(Colour::of);
        (should.is_some() && should == stands && best.mismatched.count_ones() <= 2).then_some(square)
    }

    /// The game in which a piece went at once to its present square, where it was read late, instead of to another one
    /// and on from there after the reply, without a press; if one more move then leads to the board.
    fn read_late(&self, line: &[Rc<Node<G>>]) -> Option<Rc<Node<G>>> {
        let (best, board) = (self.search.best(), &self.search.state().board);
        let went_on = line.first()?;
        // A press after the later changes belongs to those.
        let then = best.unexplained.iter().find(|change| change.index > went_on.completed_by.index)?;
        let alone = best.pressed(went_on.ply).is_some_and(|press| press.index < then.index);
        if !self.search.state().clock_in_use() || alone {
            return None;
        }
        (3..line.len()).step_by(2).find_map(|back| {
            let (earlier, later) = (&line[back], &line[1..back]);
            let unseen = &line[back - 1];
            let from = unseen.changed & !bit(unseen.to);
            // A square that seems dead does not report that it was left.
            let stands = |node: &Node<G>| node.game.placement().codes()[usize::from(unseen.to)];
            let left = went_on.parent.as_deref().is_some_and(|before| stands(before) != stands(went_on));
            if !left || unseen.hand.landing.is_some() {
                return None;
            }
            let position = Position::new(earlier.game.clone());
            let at_once = |mv: &Candidate<G::Move>| mv.to == went_on.to && from & bit(mv.from) != 0;
            let last = self.replay(&position, &position.moves().find(at_once)?, later)?;
            let position = Position::new(last.game.clone());
            let (rulings, mut budget) = (self.search.rulings(), limits::BRIDGE_MAX_MOVES);
            match gap::bridge(&last, &position, board, self.unseen(), 1, rulings, &mut budget) {
                Bridge::One(last) => Some(best.as_seen_to_land(last)),
                Bridge::Many(..) | Bridge::None => None,
            }
        })
    }

    /// The game with another move in the place of the first of these (the last one first), and the others after it, if
    /// they are legal then.
    fn replay(
        &self,
        position: &Rc<Position<G>>,
        other: &Candidate<G::Move>,
        later: &[Rc<Node<G>>],
    ) -> Option<Rc<Node<G>>> {
        let (replaced, later) = later.split_last()?;
        let rulings = self.search.rulings();
        if !rulings.allow_move(replaced.ply, &position.game, other) {
            return None;
        }
        let mut position = position.after(other);
        let earlier = replaced.parent.as_ref()?;
        let mut last = Rc::new(Node::child(earlier, other, &position, replaced.completed_by, true));
        // Another piece for a promotion was put there on purpose.
        if G::promotion(&other.mv).is_none() {
            last = self.search.best().as_seen_to_land(last);
        }
        for node in later.iter().rev() {
            // A piece that it captured may be elsewhere by now.
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
