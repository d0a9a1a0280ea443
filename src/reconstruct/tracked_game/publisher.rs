//! Publishes the moves of a game that can be published, and withdraws those that the best explanation does not have.
//!
//! The tracked game calls it after each record. `ready` has the rules; this gathers the evidence.

use super::{
    published::PublishedMove,
    ready::{Evidence, Verdict, verdict},
    state::TrackedGame,
};
use crate::{
    reconstruct::{
        hypothesis::{Hypothesis, presses::Press},
        limits,
        observe::event::Event,
        options::Show,
        tree::node::Node,
        update::Update,
    },
    record::TakebackReason,
    rules::{Game, Squares, bit, set_of, squares},
};

impl<G: Game> TrackedGame<G> {
    /// Publishes a correction if there is one, then the moves that are ready, then clock times that became known.
    pub(super) fn publish(&mut self, updates: &mut Vec<Update>) {
        // Most records change nothing in the search.
        let published = match self.all_published == Some(self.search.revision()) {
            true => false,
            false => {
                let Some(published) = self.publish_moves(updates) else { return };
                self.published.refresh_clocks(self.search.best(), updates);
                published
            }
        };
        // Not after each change: differences show only when the board rests or play has gone on.
        if (self.stillness.at_rest() || published) && self.makes_sense() && self.search.take_changed() {
            self.published.refresh_certainty(&self.search, updates);
        }
    }

    /// Whether the best explanation explains most of the board: none does while pieces are put away or set up.
    pub(super) fn makes_sense(&self) -> bool {
        self.search.best().mismatched.count_ones() < limits::NONSENSE_SQUARES
    }

    /// Publishes a correction if there is one, then the moves that are ready; returns whether it published any. None
    /// while a published move is in doubt and remains.
    fn publish_moves(&mut self, updates: &mut Vec<Update>) -> Option<bool> {
        let (nodes, stand) = self.published.missing(&self.search.best().node);
        let played = nodes.len() - self.homeward(&nodes);
        let doubtful = self.published.moves.len() - stand;
        let mut clocks = Vec::new();
        if doubtful > 0 {
            // Only moves tried before the round are withdrawn without other play.
            let tried = self.is_at_its_start();
            let instead = || match nodes.first() {
                Some(node) => self.is_ready(node, played == 0),
                None => (doubtful == 1 && !self.published.moves[stand].is_pressed()) || tried,
            };
            if self.search.best().awaits_press
                || !self.is_corrected(stand)
                || self.goes_back_to_signal()
                || !instead()
            {
                return None;
            }
            // Before a published move is withdrawn, a replay looks for an explanation that keeps it.
            if self.replayed_at != self.search.revision() {
                self.search.replay_wider();
                self.replayed_at = self.search.revision();
                return self.publish_moves(updates);
            }
            // A move completed before the last published one is only explained in another way: play has not gone on.
            let since = |node: &Node<G>, last: &PublishedMove<G>| {
                node.completed_by.index > last.node.completed_by.index
            };
            let goes_back =
                nodes.first().zip(self.published.moves.last()).is_none_or(|(node, last)| since(node, last));
            if goes_back && self.starts_analysis(stand, &nodes, updates) {
                return None;
            }
            // A piece that went on from where it stood, for example, was not taken back.
            let changed = self.published.moves[stand].node.changed;
            let is_same_hand = doubtful == 1 && nodes.first().is_some_and(|node| node.changed & changed != 0);
            let why = match (tried, goes_back && !is_same_hand) {
                (true, _) => TakebackReason::SetUp,
                (false, true) => TakebackReason::TakenBack,
                (false, false) => TakebackReason::Corrected,
            };
            let withdrawn = self.published.withdraw(stand, why, self.stillness.now, updates);
            clocks.extend(withdrawn.iter().map(|before| (before.node.clone(), before.seconds)));
            let went_back = doubtful > nodes.len() && !tried;
            if went_back || withdrawn.iter().any(PublishedMove::is_pressed) {
                self.note_went_back(stand, withdrawn);
            }
        }
        let mut ready = 0;
        for (number, node) in nodes.iter().enumerate() {
            if !self.is_ready(node, number >= played) {
                break;
            }
            self.published.publish(node, &clocks, &self.search, updates);
            self.note_played();
            self.presses_since_published = 0;
            ready += 1;
        }
        self.all_published = (ready == nodes.len()).then(|| self.search.revision());
        Some(ready > 0)
    }

    /// Whether the board rests in the start position beside a stopped clock, and only a few moves without presses were
    /// published: they were tried before the round.
    fn is_at_its_start(&self) -> bool {
        let (best, published) = (self.search.best(), &self.published);
        let tried = || {
            published.plies() <= limits::BARELY_BEGUN_PLIES
                && !published.moves.iter().any(PublishedMove::is_pressed)
        };
        self.clock_state.is_stopped()
            && best.node.ply == 0
            && best.mismatched == 0
            && self.stillness.at_rest()
            && tried()
    }

    /// Whether the best explanation, which has only the first `stand` of the published moves, corrects the others: it
    /// is much better than any explanation that has them, or there is none, or the board rests.
    fn is_corrected(&self, stand: usize) -> bool {
        let best = self.search.best();
        let Some(last) = self.published.moves.last() else { return false };
        let keeps = |h: &&Hypothesis<G>| h.node.leads_from(&last.node);
        let rival = self.search.hypotheses().find(keeps);
        let better = rival.is_none_or(|h| h.rank() - best.rank() >= limits::LEAD);
        // A worthless explanation is no correction: the pieces may be being set up.
        let mut doubtful = self.published.moves[stand..].iter();
        let meant = doubtful.any(|published| published.node.seen_at_rest.get() && published.is_pressed());
        let sense = if meant { best.mismatched == 0 } else { self.makes_sense() };
        (better || self.stillness.at_rest()) && sense
    }

    /// Whether the move to `node`, on the best line, can be published. `homeward`: from there on the pieces of all
    /// moves return to their start squares.
    fn is_ready(&self, node: &Node<G>, homeward: bool) -> bool {
        if !self.is_dead_square_sure(node) || node.is_unshown() && !self.is_surely_left(node) {
            return false;
        }
        let mut evidence = self.evidence(node, homeward);
        // Cheap check first: a move that is not ready even without rivals needs no comparison with them.
        if verdict(&evidence) == Verdict::Wait {
            return false;
        }
        let leads = self.search.leads(node.ply);
        (evidence.lead, evidence.over_others, evidence.over_meant) =
            (leads.over_all, leads.over_others, leads.over_meant);
        match verdict(&evidence) {
            Verdict::Ready => true,
            Verdict::ReadyIfMate => node.ending().is_some() && !node.is_unshown(),
            Verdict::Wait => false,
        }
    }

    /// Whether a pawn on the last rank remains there, and no piece is fetched for it: it was pressed or replied to, or
    /// stood for long.
    fn is_surely_left(&self, node: &Node<G>) -> bool {
        let (best, clock) = (self.search.best(), self.search.state().clock_in_use());
        let long = if clock { limits::CONTINUED_WITHIN_SECONDS } else { limits::PUBLISH_LATEST_SECONDS };
        best.pressed(node.ply).is_some()
            || best.node.ply > node.ply
            || self.stillness.passed(node.completed_by.stamp.time(), long)
    }

    /// Whether no explanation without new dead squares is likely, if the move to `node` ended on a square that is taken
    /// for dead and has not reported since: it may only be read late.
    fn is_dead_square_sure(&self, node: &Node<G>) -> bool {
        let (best, known) = (self.search.best(), self.start.dead());
        if node.game.dead() & best.position.game.dead() & bit(node.to) & !known == 0 {
            return true;
        }
        let alive = self.search.hypotheses().find(|h| h.position.game.dead() & !known == 0);
        alive.is_none_or(|alive| alive.rank() - best.rank() >= limits::LEAD_OF_DEAD_SQUARE)
    }

    /// The evidence for a move, without its rivals.
    fn evidence(&self, node: &Node<G>, homeward: bool) -> Evidence {
        let best = self.search.best();
        // A player who had the clock started will press it at the first moves.
        let started = self.last_press.is_some()
            && node.ply <= limits::BARELY_BEGUN_PLIES
            && !self.clock_state.is_stopped();
        let clock = self.search.state().clock_in_use() || started;
        let done = node.completed_by.stamp.time();
        let press = best.pressed(node.ply);
        let (sure_of_others, sure_of_meant) = match self.show {
            Show::Early => (0.0, 0.0),
            Show::Usual | Show::Sure => (limits::LEAD_AT_PRESS, limits::LEAD),
        };
        let stood = !clock && self.stood(node);
        Evidence {
            clock,
            lead: f32::INFINITY,
            over_others: f32::INFINITY,
            sure_of_others,
            over_meant: f32::INFINITY,
            sure_of_meant,
            age: self.stillness.since(done),
            replied: self.is_replied_to(node),
            pressed: press.is_some(),
            position_read: press.is_some_and(|press| self.stands_since(node, &press)),
            settled: stood || self.stillness.settled(),
            homeward,
            explained: best.mismatched == 0 || (stood && !self.may_have_gone_on(node)),
            contradicted: best.mismatched & node.changed & !self.changed_since(node) != 0
                || press.is_some_and(|press| self.is_not_done(node, &press)),
            moves_on: self.moves_on(node),
        }
    }

    /// Whether the best line goes on after a move, so that its piece was not on its way.
    fn is_replied_to(&self, node: &Node<G>) -> bool {
        let (best, state, last_record) =
            (self.search.best(), self.search.state(), self.stillness.last_record());
        let Some(reply) = best.node.at(node.ply + 1) else { return false };
        // One poll may report the reply before the piece slides on, where these are less than a scan apart.
        let may_slide = state.reports_quick()
            && state.rests == node.completed_by.rests
            && last_record == node.completed_by.stamp.time()
            && !self.stillness.poll_is_over()
            && node.onward() != 0;
        let counts = match state.clock_in_use() {
            // If a later move was pressed, one whose press was forgotten was played too, and so was a reply that could
            // not be pressed.
            true => (reply.ply..=best.node.ply).any(|ply| best.pressed(ply).is_some()),
            // Later records of this poll may be a press, or show that the piece goes on.
            false => reply.ply > limits::BARELY_BEGUN_PLIES || last_record > reply.completed_by.stamp.time(),
        };
        counts && !may_slide
    }

    /// Whether the board was polled again so long after a move that its piece was let go of, and that poll is over.
    fn stood(&self, node: &Node<G>) -> bool {
        self.stillness.poll_is_over() && self.stillness.was_polled_long_after(node.completed_by.stamp.time())
    }

    /// Whether a piece of the same kind as this move's has since come to a square, unexplained by the best line: it may
    /// be the same piece, after a stop on its way.
    fn may_have_gone_on(&self, node: &Node<G>) -> bool {
        let stands = node.game.placement().codes();
        let put = |code: u8| code != 0 && squares(node.changed).any(|at| stands[at as usize] == code);
        self.search.best().unexplained.iter().any(|e| put(e.new))
    }

    /// Whether the piece of a move goes on in a later move of the best line, and neither that nor any later move of its
    /// side was pressed.
    fn moves_on(&self, node: &Node<G>) -> bool {
        let best = self.search.best();
        let unpressed = |ply| (ply..=best.node.ply).step_by(2).all(|ply| best.pressed(ply).is_none());
        let mut later = best.node.walk_back().take_while(|later| later.ply > node.ply);
        later.any(|later| later.from() == Some(node.to) && unpressed(later.ply))
    }

    /// The squares that moves after this one changed.
    fn changed_since(&self, node: &Node<G>) -> Squares {
        let later = self.search.best().node.walk_back().take_while(|later| later.ply > node.ply);
        later.fold(0, |changed, later| changed | later.changed)
    }

    /// Whether the mover is still at work: another piece of that side is on a mismatched square, or had left its square
    /// before the press; a player who presses holds nothing.
    fn is_not_done(&self, node: &Node<G>, press: &Press) -> bool {
        let (best, state) = (self.search.best(), self.search.state());
        let mover = node.game.turn().other();
        let last = best.node.ply == node.ply;
        let in_hand = |e: &Event| e.index <= press.index && e.new == 0 && (last || e.colour() == Some(mover));
        let left = set_of(best.unexplained.iter().filter(|e| in_hand(e)).map(|e| e.square));
        best.mismatched & left != 0 || (last && best.has_misplaced(mover, state))
    }

    /// Whether the piece of a pressed move surely stood where it ended, and was not on its way when it was reported.
    fn stands_since(&self, node: &Node<G>, press: &Press) -> bool {
        let state = self.search.state();
        let (early, sure) = (self.show == Show::Early, self.show == Show::Sure);
        let over = self.stillness.poll_is_over();
        let lifted_before = |landing: Event| node.hand.lift.is_some_and(|lift| lift.index < landing.index);
        // A player who presses has let go, or does so at once: a piece first seen after the press stands, unless it
        // slides, and then the same poll may have more changes of it. A sliding piece is seen somewhere in every scan;
        // one that goes on is seen to do so before anything that comes a scan later.
        let stood = |landing: Event| {
            let carried = landing.slow && lifted_before(landing);
            (press.index < landing.index && (carried || over || early) && !sure)
                || (carried && (over || early) && !sure)
                || state.rests > landing.rests
        };
        if node.game.dead() & bit(node.to) != 0 {
            // Its landing is not seen: it may still be in the hand.
            return self.stillness.polled_empty
                || node.hand.lift.is_some_and(|lift| state.rests > lift.rests + 1);
        }
        self.stillness.polled_empty
            || (early && over)
            || (node.onward() == 0 && !sure)
            || node.hand.landing.is_some_and(stood)
            || (over && (!sure || !state.reports_quick()) && self.was_polled_since(node, press))
    }

    /// Whether the press came with a later poll than the piece, or more records came since: the piece stood there from
    /// one poll to the next, which is all the evidence where the board does not report quick changes.
    fn was_polled_since(&self, node: &Node<G>, press: &Press) -> bool {
        let (done, pressed) = (node.completed_by.stamp.time(), press.stamp.time());
        done < pressed || self.stillness.last_record() > pressed
    }
}
