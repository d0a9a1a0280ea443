//! Publishes what of a game can be published by now, and withdraws what the search no longer believes.
//!
//! For the tracked game, after each record. When a move is ready says `ready`; this gathers the evidence.

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
        // Of most records the search learns nothing.
        let published = match self.all_published == Some(self.search.learned()) {
            true => false,
            false => {
                let Some(published) = self.publish_moves(updates) else { return };
                self.published.refresh_clocks(self.search.best(), updates);
                published
            }
        };
        // Not after each change: what comes of it shows when the board rests, or play has gone on.
        if (self.stillness.at_rest() || published) && self.makes_sense() && self.search.take_news() {
            self.published.refresh_certainty(&self.search, updates);
        }
    }

    /// Whether the best explanation makes sense of what stands: none does while pieces are put away or set up.
    pub(super) fn makes_sense(&self) -> bool {
        self.search.best().mismatched.count_ones() < limits::NO_SENSE
    }

    /// Publishes a correction if there is one, then the moves that are ready: whether there were any. None where what was
    /// published is in doubt, and stays so.
    fn publish_moves(&mut self, updates: &mut Vec<Update>) -> Option<bool> {
        let (nodes, stand) = self.published.missing(&self.search.best().node);
        let played = nodes.len() - self.homeward(&nodes);
        let doubtful = self.published.moves.len() - stand;
        let mut clocks = Vec::new();
        if doubtful > 0 {
            // What was more than tried is withdrawn when play goes on otherwise.
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
            // Nothing that was told is given up before all is thought of that it may be kept by.
            if self.looked_again != self.search.learned() {
                self.search.look_again();
                self.looked_again = self.search.learned();
                return self.publish_moves(updates);
            }
            // What is explained anew was not played since.
            let since = |node: &Node<G>, last: &PublishedMove<G>| {
                node.completed_by.index > last.node.completed_by.index
            };
            let goes_back =
                nodes.first().zip(self.published.moves.last()).is_none_or(|(node, last)| since(node, last));
            if goes_back && self.looks_back(stand, &nodes, updates) {
                return None;
            }
            // A piece that went on from where it stood, say, was not taken back.
            let told = self.published.moves[stand].node.changed;
            let is_same_hand = doubtful == 1 && nodes.first().is_some_and(|node| node.changed & told != 0);
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
            self.presses_untold = 0;
            ready += 1;
        }
        self.all_published = (ready == nodes.len()).then(|| self.search.learned());
        Some(ready > 0)
    }

    /// Whether the pieces stand where the game began, at rest, beside a clock that stands, and all that was told of it are some
    /// moves that nobody pressed: they were tried before the round.
    fn is_at_its_start(&self) -> bool {
        let (best, told) = (self.search.best(), &self.published);
        let tried =
            || told.plies() <= limits::BARELY_BEGUN && !told.moves.iter().any(PublishedMove::is_pressed);
        self.clock_state.stands()
            && best.node.ply == 0
            && best.mismatched == 0
            && self.stillness.at_rest()
            && tried()
    }

    /// Whether the best explanation, which has only the first `stand` of the published moves, corrects them: it is
    /// much better than what was published, or nothing speaks for that any more, or the board rests.
    fn is_corrected(&self, stand: usize) -> bool {
        let best = self.search.best();
        let Some(last) = self.published.moves.last() else { return false };
        let keeps = |h: &&Hypothesis<G>| h.node.leads_from(&last.node);
        let rival = self.search.hypotheses().find(keeps);
        let better = rival.is_none_or(|h| h.rank() - best.rank() >= limits::SURE_WHEN_REPLIED);
        // What makes no sense at all is no correction: the pieces may be being set up.
        let mut doubtful = self.published.moves[stand..].iter();
        let meant = doubtful.any(|published| published.node.seen_at_rest.get() && published.is_pressed());
        let sense = if meant { best.mismatched == 0 } else { self.makes_sense() };
        (better || self.stillness.at_rest()) && sense
    }

    /// Whether the move to `node`, on the best line, can be published. `homeward`: from there on the pieces of all
    /// moves go home.
    fn is_ready(&self, node: &Node<G>, homeward: bool) -> bool {
        if !self.is_surely_silent(node) || node.is_unshown() && !self.is_surely_left(node) {
            return false;
        }
        let mut evidence = self.evidence(node, homeward);
        // What has to wait without any rival waits beside them, and they are many to ask.
        if verdict(&evidence) == Verdict::Wait {
            return false;
        }
        [evidence.lead, evidence.over_others, evidence.over_meant] = self.search.leads(node.ply);
        match verdict(&evidence) {
            Verdict::Ready => true,
            Verdict::ReadyIfMate => node.ending().is_some() && !node.is_unshown(),
            Verdict::Wait => false,
        }
    }

    /// Whether a pawn that stands on the last rank is left there, and nobody fetches what it becomes: it was pressed or replied to,
    /// or stood for long.
    fn is_surely_left(&self, node: &Node<G>) -> bool {
        let (best, clock) = (self.search.best(), self.search.state().clock_in_use());
        let long = if clock { limits::PUBLISH_LATEST_AT_HOME } else { limits::PUBLISH_LATEST };
        best.pressed(node.ply).is_some()
            || best.node.ply > node.ply
            || self.stillness.passed(node.completed_by.stamp.time(), long)
    }

    /// Whether nothing is likely in which no square is dead, if one is taken for dead on which the move to `node` ended, and
    /// was not heard of since: then it was only read late.
    fn is_surely_silent(&self, node: &Node<G>) -> bool {
        let (best, known) = (self.search.best(), self.start.dead());
        if node.game.dead() & best.position.game.dead() & bit(node.to) & !known == 0 {
            return true;
        }
        let alive = self.search.hypotheses().find(|h| h.position.game.dead() & !known == 0);
        alive.is_none_or(|alive| alive.rank() - best.rank() >= limits::SURE_OF_SILENCE)
    }

    /// What is known of a move, as if nothing rivalled it.
    fn evidence(&self, node: &Node<G>, homeward: bool) -> Evidence {
        let best = self.search.best();
        // Who had the clock started will press it at the first moves.
        let started =
            self.last_press.is_some() && node.ply <= limits::PRESSED_BY && !self.clock_state.stands();
        let clock = self.search.state().clock_in_use() || started;
        let done = node.completed_by.stamp.time();
        let press = best.pressed(node.ply);
        let (sure_of_others, sure_of_meant) = match self.show {
            Show::Early => (0.0, 0.0),
            Show::Usual | Show::Sure => (limits::SURE, limits::SURE_OF_MEANT),
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
            looked_at: press.is_some_and(|press| self.stands_since(node, &press)),
            settled: stood || self.stillness.settled(),
            homeward,
            explained: best.mismatched == 0 || (stood && !self.may_have_gone_on(node)),
            contradicted: best.mismatched & node.changed & !self.changed_since(node) != 0
                || press.is_some_and(|press| self.is_not_done(node, &press)),
            goes_on: self.goes_on(node),
        }
    }

    /// Whether the best line goes on behind a move, so that it was not on its way.
    fn is_replied_to(&self, node: &Node<G>) -> bool {
        let (best, state, heard) = (self.search.best(), self.search.state(), self.stillness.heard());
        let Some(reply) = best.node.at(node.ply + 1) else { return false };
        // One poll may tell of the reply before it tells that the piece slides on, where they are not a scan apart.
        let may_slide = state.tells_quick()
            && state.rests == node.completed_by.rests
            && heard == node.completed_by.stamp.time()
            && !self.stillness.all_is_told()
            && node.onward() != 0;
        let counts = match state.clock_in_use() {
            // Who forgot the clock, and whose reply could not be pressed, are known to have played by what was pressed behind it.
            true => (reply.ply..=best.node.ply).any(|ply| best.pressed(ply).is_some()),
            // What else the board says at this poll may be a press, and that the piece goes on.
            false => reply.ply > limits::PRESSED_BY || heard > reply.completed_by.stamp.time(),
        };
        counts && !may_slide
    }

    /// Whether the board was polled again so long after it told of a move that its piece was let go of, and all that it had to
    /// say by then is told.
    fn stood(&self, node: &Node<G>) -> bool {
        self.stillness.all_is_told() && self.stillness.was_polled_long_after(node.completed_by.stamp.time())
    }

    /// Whether a piece as one that this move put somewhere has come to a square since, for no reason that the best line knows: it
    /// may be that one, which had stopped on its way.
    fn may_have_gone_on(&self, node: &Node<G>) -> bool {
        let stands = node.game.placement().codes();
        let put = |code: u8| code != 0 && squares(node.changed).any(|at| stands[at as usize] == code);
        self.search.best().unexplained.iter().any(|e| put(e.new))
    }

    /// Whether the piece of a move goes on from its square in a later one of the best line that nobody has pressed, nor any of
    /// that side's since.
    fn goes_on(&self, node: &Node<G>) -> bool {
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

    /// Whether the mover was not done with his last move: another piece of his stands where it should not, or had left its
    /// square when he pressed, for who presses has nothing in hand.
    fn is_not_done(&self, node: &Node<G>, press: &Press) -> bool {
        let (best, state) = (self.search.best(), self.search.state());
        let mover = node.game.turn().other();
        let last = best.node.ply == node.ply;
        let in_hand = |e: &Event| e.index <= press.index && e.new == 0 && (last || e.colour() == Some(mover));
        let left = set_of(best.unexplained.iter().filter(|e| in_hand(e)).map(|e| e.square));
        best.mismatched & left != 0 || (last && best.has_misplaced(mover, state))
    }

    /// Whether the piece of a pressed move surely stood where it ended, and was not on its way when the board told of it.
    fn stands_since(&self, node: &Node<G>, press: &Press) -> bool {
        let state = self.search.state();
        let (early, sure) = (self.show == Show::Early, self.show == Show::Sure);
        let told = self.stillness.all_is_told();
        let lifted_before = |landing: Event| node.hand.lift.is_some_and(|lift| lift.index < landing.index);
        // Who presses has let go, or does so at once: a piece that is first seen after the press stands, unless it slides, and
        // then the same poll may have more to say of it. One that slides is seen somewhere in every scan; and one that goes on
        // is seen to do so before anything that comes a scan later.
        let stood = |landing: Event| {
            let carried = landing.slow && lifted_before(landing);
            (press.index < landing.index && (carried || told || early) && !sure)
                || (carried && (told || early) && !sure)
                || state.rests > landing.rests
        };
        if node.game.dead() & bit(node.to) != 0 {
            // Nobody sees it land: it may still be in the hand.
            return self.stillness.polled_empty
                || node.hand.lift.is_some_and(|lift| state.rests > lift.rests + 1);
        }
        self.stillness.polled_empty
            || (early && told)
            || (node.onward() == 0 && !sure)
            || node.hand.landing.is_some_and(stood)
            || (told && (!sure || !state.tells_quick()) && self.looked_since(node, press))
    }

    /// Whether the press came with a later look at the board than the piece, or the board said more since: the piece stood there
    /// from one look to the next, and all there is where the board does not say which changes were quick.
    fn looked_since(&self, node: &Node<G>, press: &Press) -> bool {
        let (done, pressed) = (node.completed_by.stamp.time(), press.stamp.time());
        done < pressed || self.stillness.heard() > pressed
    }
}
