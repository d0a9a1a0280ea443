//! The pieces are set up for the next game: which of the moves that seem to be played then were none.
//!
//! Pieces go home one by one, and on the way the board passes through positions of the game, and through others
//! to which legal moves lead. A press tells what was played; without a clock, that a piece went elsewhere than home.

use std::rc::Rc;

use super::{Play, Shown};
use crate::{
    reconstruct::{Update, limits, tree::node::Node},
    record::{EndReason, Move},
    rules::{Game, squares},
};

/// What was told and then withdrawn because the board went back to an earlier position of the game, as long as
/// nothing was surely played since.
pub(super) struct Undone<G: Game> {
    /// How many of the moves told come before it.
    stand: usize,
    moves: Vec<Shown<G>>,
    /// The number of the last change then.
    index: u32,
}

impl<G: Game> Play<G> {
    /// Whether all that the best explanation leaves wrong is as it was at the start, and more than one piece has come
    /// home; or only one where the board has gone back before.
    pub(super) fn is_being_set_up(&self) -> bool {
        let (board, wrong) = (self.search.board(), self.search.best().mismatched);
        let start = self.start.placement().codes();
        let came = squares(wrong).filter(|&at| board[at as usize] != 0).count();
        let went_back = self.undone.is_some() || self.plies_told() > self.search.best().node.ply;
        came > usize::from(!went_back)
            && squares(wrong).all(|at| board[at as usize] == 0 || board[at as usize] == start[at as usize])
    }

    /// Whether a move may be of setting up the pieces: its piece comes to where one like it stood at the start, or no
    /// one saw where it came. Men of draughts only go forward, and often to where others stood.
    pub(super) fn goes_home(&self, node: &Node<G>) -> bool {
        let code = |game: &G| game.placement().codes()[node.to as usize];
        let home = !G::CAPTURES_BY_JUMPING && code(&node.game) == code(&self.start);
        node.changed != 0 && (home || (node.hand.landing.is_none() && !node.guess))
    }

    /// How many of these moves, the last of the game, may be of setting up the pieces; without a clock one alone that
    /// goes home is a move.
    pub(super) fn go_home(&self, nodes: &[Rc<Node<G>>]) -> usize {
        let last = nodes.iter().rev().take_while(|node| self.goes_home(node)).count();
        let before = self.shown.last().filter(|_| last == nodes.len());
        let alone = last == 1 && !before.is_some_and(|before| self.goes_home(&before.node));
        if alone && !self.search.clock_in_use() { 0 } else { last }
    }

    /// Forgets what was undone when a move is told that is surely played: with a clock it is pressed, without one
    /// its piece came elsewhere than home since then.
    pub(super) fn note_played(&mut self, node: &Node<G>, told: &Move) {
        let Some(undone) = &self.undone else { return };
        let played = match self.search.clock_in_use() {
            true => told.seconds.is_some(),
            false => {
                node.hand.landing.is_some_and(|landing| landing.index > undone.index) && !self.goes_home(node)
            }
        };
        if played {
            self.undone = None;
        }
    }

    /// Keeps what was withdrawn, all but the first `stand` moves told, because the board went back.
    pub(super) fn undo(&mut self, stand: usize, mut moves: Vec<Shown<G>>) {
        let pressed = |shown: &Shown<G>| shown.told.seconds.is_some();
        match &mut self.undone {
            Some(undone) if undone.stand > stand => {
                moves.truncate(undone.stand - stand);
                moves.append(&mut undone.moves);
                (undone.stand, undone.moves) = (stand, moves);
            }
            Some(_) => {}
            // One player may take back what he tried and did not press.
            None if moves.len() == 1 && self.search.clock_in_use() && !moves.iter().any(pressed) => {}
            None => self.undone = Some(Undone { stand, moves, index: self.search.state().index }),
        }
    }

    /// What seems to be undone was not, now that the game is over for this reason.
    pub(super) fn redo(&mut self, reason: EndReason, updates: &mut Vec<Update>) {
        let Some(Undone { stand, moves, .. }) = self.undone.take() else { return };
        // One move may have been taken back, and nothing played instead so far.
        if reason == EndReason::Kings || (reason != EndReason::NewGame && moves.len() == 1) {
            return;
        }
        if stand < self.shown.len() {
            self.withdraw(stand, updates);
        }
        self.show_again(moves, updates);
    }

    /// The last position of the game: that of the best explanation, unless that only goes back to an earlier one.
    pub(super) fn furthest(&self) -> Rc<Node<G>> {
        let best = &self.search.best().node;
        if let Some(last) = self.undone.as_ref().and_then(|undone| undone.moves.last()) {
            return last.node.clone();
        }
        match self.shown.last() {
            Some(last) if last.node.ply > best.ply && last.node.leads_from(best) => last.node.clone(),
            _ => best.clone(),
        }
    }

    /// The last move of a game whose pieces are set up again.
    pub(super) fn last_played(&self) -> Rc<Node<G>> {
        if self.search.clock_in_use() { self.last_told() } else { self.before_setting_up() }
    }

    /// The same with a clock: what was told stands, it was pressed, or the board rested. Only the last move of a game may lack its press; two that lack it are of the setting up,
    /// and so is one that takes a piece home.
    fn last_told(&self) -> Rc<Node<G>> {
        let pressed = |at: usize| self.shown.get(at).is_some_and(|shown| shown.told.seconds.is_some());
        let mut told = self.shown.len();
        while told >= 2 && !pressed(told - 1) && !pressed(told - 2) {
            told -= 1;
        }
        while told >= 1 && !pressed(told - 1) && self.goes_home(&self.shown[told - 1].node) {
            told -= 1;
        }
        let best = self.search.best();
        match told.checked_sub(1) {
            Some(last) => self.shown[last].node.clone(),
            None => best.node.at(0).unwrap_or_else(|| best.node.clone()),
        }
    }

    /// With a clock: the last move if the game is over where pieces may be being put away. One that was not pressed
    /// and took its piece home, or after which the board was in disorder, was none.
    pub(super) fn before_disorder(&self, furthest: Rc<Node<G>>) -> Rc<Node<G>> {
        let best = self.search.best();
        let disorder = best.mismatched.count_ones() >= limits::DISORDER_AT_END;
        let may_be = |node: &Node<G>| disorder || (self.goes_home(node) && !node.stood_long.get());
        let mut node = furthest;
        while let Some(parent) = node.parent.clone().filter(|_| {
            self.search.clock_in_use()
                && best.pressed(node.ply).is_none()
                && self.told(&node).is_none()
                && may_be(&node)
        }) {
            node = parent;
        }
        node
    }

    /// The same without a clock: the last move of which the piece was seen to rest where it went, if that is not
    /// home; and what went home from there if it stood for long.
    fn before_setting_up(&self) -> Rc<Node<G>> {
        let best = &self.search.best().node;
        let told = self.shown.last().map(|shown| &shown.node).filter(|told| !best.leads_from(told));
        let furthest = told.unwrap_or(best).clone();
        let rested = |node: &Node<G>| {
            (node.seen_at_rest.get() || !self.search.state().knows_rests_after(node.completed_by.index))
                && node.hand.landing.is_some()
        };
        let mut went_home = Vec::new();
        let mut node = furthest;
        while let Some(parent) = node.parent.clone().filter(|_| !rested(&node) || self.goes_home(&node)) {
            went_home.push(std::mem::replace(&mut node, parent));
        }
        let stood = |home: &&Rc<Node<G>>| rested(home) && home.stood_long.get();
        went_home.iter().rev().take_while(stood).last().unwrap_or(&node).clone()
    }
}
