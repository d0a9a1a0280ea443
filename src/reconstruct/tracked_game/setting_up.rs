//! The pieces are set up for the next game: which of the moves that seem to be played then were none.
//!
//! Pieces go home one by one, and on the way the board passes through positions of the game, and through others
//! to which legal moves lead. A press says what was played; without a clock, that a piece went elsewhere than home.
//! For the publisher, which is not to withdraw a game whose pieces go home, and for the end of a game.

use std::rc::Rc;

use super::{
    phase::{Evidence, Phase},
    published::PublishedMove,
    state::{TrackedGame, WentBack},
};
use crate::{
    reconstruct::{start::HeldBack, tree::node::Node, update::Update},
    record::{End, EndReason, GameEvent, TakebackReason, Time},
    rules::{Game, bit, squares},
};

impl<G: Game> TrackedGame<G> {
    /// It may never have begun: the position from which it is to begin is not quite a start, or pieces are put over to another.
    pub fn hold_back(&mut self, held_back: HeldBack) {
        self.move_on(Evidence::MayNotBegin(held_back));
    }

    /// Whether nothing is told of it because it may never have begun.
    pub fn is_held_back(&self) -> bool {
        matches!(self.phase, Phase::BeingSetUp(_))
    }

    /// Publishes it from here on if it has surely begun: with a clock a move was pressed, without one some were played.
    pub(super) fn note_begun(&mut self) {
        let Phase::BeingSetUp(held_back) = &self.phase else { return };
        let best = self.search.best();
        let begun = held_back.begun
            || match self.search.state().clock_in_use() {
                true => best.node.ply > 0 && best.pressed(best.node.ply).is_some(),
                // The first of its own may be a stop on the way, in the midst of the same moves.
                false => match self.own_plies(held_back) {
                    Some(plies) => {
                        plies > 1 || (plies > 0 && plies == best.node.ply && self.stillness.settled())
                    }
                    None => best.node.ply >= held_back.plies && best.mismatched == 0,
                },
            };
        let is_told = begun && best.node.ply >= held_back.told_from;
        if let Phase::BeingSetUp(held_back) = &mut self.phase {
            held_back.begun = begun;
        }
        if is_told {
            self.move_on(Evidence::Begun);
            self.search.is_news();
        }
    }

    /// How many plies were played behind those that the last game of the board has, too; none so far where too few were played.
    /// Nothing where it is held back for another reason.
    pub(super) fn own_plies(&self, held_back: &HeldBack) -> Option<u32> {
        let best = self.search.best();
        let own = best.node.ply - held_back.again.as_ref()?.common(&best.node);
        let counts = best.node.ply >= held_back.plies && best.mismatched == 0;
        Some(if counts { own } else { 0 })
    }

    /// Whether the last game of the board is played through once more, and not to its end so far.
    pub fn is_played_through(&self) -> bool {
        let Phase::BeingSetUp(HeldBack { again: Some(line), .. }) = &self.phase else { return false };
        let node = &self.search.best().node;
        (1..line.plies()).contains(&node.ply) && line.common(node) == node.ply
    }

    /// Whether any of its moves was pressed.
    pub fn was_pressed(&self) -> bool {
        self.search.state().presses > 0
    }

    /// Whether all that was published of it was played behind this moment.
    pub fn moved_behind(&self, moment: Time) -> bool {
        self.published.first_moved().is_none_or(|first| first > moment)
    }

    /// Nothing of it was played: what was published is withdrawn, and whether that was anything.
    pub fn take_all_back(&mut self, why: TakebackReason, updates: &mut Vec<Update>) -> bool {
        if self.published.begun {
            let now = self.stillness.now;
            self.published.withdraw(0, why, now, updates);
            self.published.event(GameEvent::End(End::BY_THE_NEXT), now, updates);
        }
        self.published.begun
    }

    /// Whether all squares that mismatch the best explanation are as they were at the start, and more than one piece
    /// has come home; or only one where the board has gone back before.
    pub(super) fn is_being_set_up(&self) -> bool {
        let (board, mismatched) = (&self.search.state().board, self.search.best().mismatched);
        let start = self.start.placement().codes();
        let came = squares(mismatched).filter(|&at| board[at as usize] != 0).count();
        let went_back = self.went_back.is_some() || self.published.plies() > self.search.best().node.ply;
        let home = |at: u8| board[at as usize] == 0 || board[at as usize] == start[at as usize];
        came > usize::from(!went_back) && squares(mismatched).all(home)
    }

    /// Whether a move may be of setting up the pieces: its piece comes to where one like it stood at the start, or no
    /// one saw where it came. Men of draughts only go forward, and often to where others stood.
    pub(super) fn goes_home(&self, node: &Node<G>) -> bool {
        let code = |game: &G| game.placement().codes()[node.to as usize];
        let home = !G::CAPTURES_BY_JUMPING && code(&node.game) == code(&self.start);
        let unseen = node.hand.landing.is_none() && !node.guess && node.game.dead() & bit(node.to) == 0;
        node.changed != 0 && (home || unseen)
    }

    /// How many of these moves, the last of the game, may be of setting up the pieces; without a clock one alone that
    /// goes home is a move.
    pub(super) fn homeward(&self, nodes: &[Rc<Node<G>>]) -> usize {
        let last = nodes.iter().rev().take_while(|node| self.goes_home(node)).count();
        let before = self.published.moves.last().filter(|_| last == nodes.len());
        let alone = last == 1 && !before.is_some_and(|before| self.goes_home(&before.node));
        if alone && !self.search.state().clock_in_use() { 0 } else { last }
    }

    /// Forgets that the board went back when the move published last was surely played: with a clock it is pressed,
    /// without one its piece came elsewhere than home since then.
    pub(super) fn note_played(&mut self) {
        self.note_gone_on();
        let (Some(back), Some(last)) = (&self.went_back, self.published.moves.last()) else { return };
        let since = || last.node.hand.landing.is_some_and(|landing| landing.index > back.index);
        let played = match self.search.state().clock_in_use() {
            true => last.is_pressed(),
            false => since() && !self.goes_home(&last.node),
        };
        if played {
            self.went_back = None;
        }
    }

    /// Keeps what was withdrawn, all but the first `stand` moves published, because the board went back.
    pub(super) fn note_went_back(&mut self, stand: usize, mut moves: Vec<PublishedMove<G>>) {
        match &mut self.went_back {
            Some(back) if back.stand > stand => {
                moves.truncate(back.stand - stand);
                moves.append(&mut back.moves);
                (back.stand, back.moves) = (stand, moves);
            }
            Some(_) => {}
            // One player may take back what he tried and did not press.
            None if moves.len() == 1 && self.search.state().clock_in_use() && !moves[0].is_pressed() => {}
            None => self.went_back = Some(WentBack { stand, moves, index: self.search.state().index }),
        }
    }

    /// The last move that was pressed of those that were withdrawn, and in whose place nothing was surely played.
    pub(super) fn pressed_and_withdrawn(&self) -> Option<Rc<Node<G>>> {
        let back = self.went_back.as_ref()?;
        if self.published.moves.iter().skip(back.stand).any(PublishedMove::is_pressed) {
            return None;
        }
        back.moves.iter().rfind(|told| told.is_pressed()).map(|told| told.node.clone())
    }

    /// Publishes again what was withdrawn because pieces were set up, now that the game is over for this reason.
    pub(super) fn restore_withdrawn(&mut self, reason: EndReason, updates: &mut Vec<Update>) {
        let pressed = self.pressed_and_withdrawn().is_some();
        let Some(WentBack { stand, moves, .. }) = self.went_back.take() else { return };
        // One move may have been taken back, and nothing played instead so far.
        if !pressed && (reason == EndReason::Kings || (reason != EndReason::NewGame && moves.len() == 1)) {
            return;
        }
        let why = self.phase.why_withdrawn(EndReason::NewGame);
        self.published.tell_instead(stand, moves, why, self.stillness.now, updates);
    }
}
