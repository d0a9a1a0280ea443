//! Pieces are set up for the next game: which apparent moves belong to that.
//!
//! Pieces return to their start squares one by one, and the board passes through positions of the game, and through
//! others that legal moves lead to. A press is evidence of a move; without a clock, a piece that went elsewhere is. The
//! publisher must not withdraw a game whose pieces are set up; the end of a game uses this too.

use std::rc::Rc;

use super::{
    phase::{Evidence, Phase},
    published::PublishedMove,
    state::{TrackedGame, WentBack},
};
use crate::{
    reconstruct::{start::HeldBack, tree::node::Node, update::Update},
    record::{End, EndReason, GameEvent, Placement, TakebackReason, Time},
    rules::{Game, bit, squares},
};

impl<G: Game> TrackedGame<G> {
    /// The game may never have begun: its position is not quite a start, or pieces are being moved to another one.
    pub fn hold_back(&mut self, held_back: HeldBack) {
        self.move_on(Evidence::MayNotBegin(held_back));
    }

    /// Whether nothing of it is published because it may never have begun.
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
                // The first ply of its own may be a stop on the way of one of the moves that both games share.
                false => match self.own_plies(held_back) {
                    Some(plies) => {
                        plies > 1 || (plies > 0 && plies == best.node.ply && self.stillness.settled())
                    }
                    None => best.node.ply >= held_back.plies && best.mismatched == 0,
                },
            };
        let is_published = begun && best.node.ply >= held_back.publish_from_ply;
        if let Phase::BeingSetUp(held_back) = &mut self.phase {
            held_back.begun = begun;
        }
        if is_published {
            self.move_on(Evidence::Begun);
            self.search.mark_changed();
        }
    }

    /// The number of plies played after those that it shares with the last game of the board; 0 where too few were
    /// played. None where it is held back for another reason.
    pub(super) fn own_plies(&self, held_back: &HeldBack) -> Option<u32> {
        let best = self.search.best();
        let own = best.node.ply - held_back.replayed.as_ref()?.common(&best.node);
        let counts = best.node.ply >= held_back.plies && best.mismatched == 0;
        Some(if counts { own } else { 0 })
    }

    /// Whether the last game of the board is being played through again, and is not complete yet.
    pub fn is_being_replayed(&self) -> bool {
        let Phase::BeingSetUp(HeldBack { replayed: Some(line), .. }) = &self.phase else { return false };
        let node = &self.search.best().node;
        (1..line.plies()).contains(&node.ply) && line.common(node) == node.ply
    }

    /// Whether any of its moves was pressed.
    pub fn was_pressed(&self) -> bool {
        self.search.state().presses > 0
    }

    /// Whether all published moves were played after this moment.
    pub fn moved_after(&self, moment: Time) -> bool {
        self.published.first_moved().is_none_or(|first| first > moment)
    }

    /// Withdraws everything, since nothing was played; returns whether anything was published.
    pub fn withdraw_all(&mut self, why: TakebackReason, updates: &mut Vec<Update>) -> bool {
        if self.published.begun {
            let now = self.stillness.now;
            self.published.withdraw(0, why, now, updates);
            self.published.event(GameEvent::End(End::BY_THE_NEXT), now, updates);
        }
        self.published.begun
    }

    /// Whether all mismatched squares are as at the start, and more than one piece has returned there; one is enough
    /// where the board has gone back before.
    pub(super) fn is_being_set_up(&self) -> bool {
        let (board, mismatched) = (&self.search.state().board, self.search.best().mismatched);
        let start = self.start.placement().codes();
        let came = squares(mismatched).filter(|&at| board[at as usize] != 0).count();
        let went_back = self.went_back.is_some() || self.published.plies() > self.search.best().node.ply;
        let home = |at: u8| board[at as usize] == 0 || board[at as usize] == start[at as usize];
        came > usize::from(!went_back) && squares(mismatched).all(home)
    }

    /// Whether a move may belong to setting up the pieces: its piece comes to where one like it stands at the start of a
    /// game, or was not seen to land. Men of draughts only go forward, often to where others stood.
    pub(super) fn goes_home(&self, node: &Node<G>) -> bool {
        let code = |placement: &Placement| placement.codes()[node.to as usize];
        let home = !G::CAPTURES_BY_JUMPING && code(node.game.placement()) == code(&self.home);
        let unseen = node.hand.landing.is_none() && !node.guess && node.game.dead() & bit(node.to) == 0;
        node.changed != 0 && (home || unseen)
    }

    /// How many of the last of these moves may belong to setting up the pieces; without a clock a single one is a move.
    pub(super) fn homeward(&self, nodes: &[Rc<Node<G>>]) -> usize {
        let last = nodes.iter().rev().take_while(|node| self.goes_home(node)).count();
        let before = self.published.moves.last().filter(|_| last == nodes.len());
        let alone = last == 1 && !before.is_some_and(|before| self.goes_home(&before.node));
        if alone && !self.search.state().clock_in_use() { 0 } else { last }
    }

    /// Drops the withdrawn moves once the last published move was surely played: with a clock it is pressed, without
    /// one its piece came elsewhere than to its start square since then.
    pub(super) fn note_played(&mut self) {
        self.forget_first_back();
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

    /// Keeps the moves that were withdrawn, all but the first `stand` published ones, because the board went back.
    pub(super) fn note_went_back(&mut self, stand: usize, mut moves: Vec<PublishedMove<G>>) {
        match &mut self.went_back {
            Some(back) if back.stand > stand => {
                moves.truncate(back.stand - stand);
                moves.append(&mut back.moves);
                (back.stand, back.moves) = (stand, moves);
            }
            Some(_) => {}
            // One player may take back a move that was tried and not pressed.
            None if moves.len() == 1 && self.search.state().clock_in_use() && !moves[0].is_pressed() => {}
            None => self.went_back = Some(WentBack { stand, moves, index: self.search.state().index }),
        }
    }

    /// The last pressed move of the withdrawn ones, if nothing was surely played in their place.
    pub(super) fn pressed_and_withdrawn(&self) -> Option<Rc<Node<G>>> {
        let back = self.went_back.as_ref()?;
        if self.published.moves.iter().skip(back.stand).any(PublishedMove::is_pressed) {
            return None;
        }
        back.moves.iter().rfind(|published| published.is_pressed()).map(|published| published.node.clone())
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
        self.published.publish_instead(stand, moves, why, self.stillness.now, updates);
    }
}
