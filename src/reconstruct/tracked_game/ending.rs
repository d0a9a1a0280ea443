//! The end of a game: by the rules, by a signal on the board, by the next game, by the end of the input.
//!
//! The session asks after each record whether the game is over, and closes it.

use std::rc::Rc;

use super::{
    phase::Phase,
    published::PublishedMove,
    state::{Announced, Signalled, TrackedGame},
};
use crate::{
    reconstruct::{game_line::GameLine, limits, observe::Observation, tree::node::Node, update::Update},
    record::{End, EndReason, GameEvent, Outcome, Ruling, TakebackReason, Time},
    rules::{Game, squares},
};

impl<G: Game> TrackedGame<G> {
    /// The end of the game, if it is over. Unless it `waits`, no more records will come and the position counts at
    /// once.
    pub fn over(&self, waits: bool) -> Option<End> {
        if let Some(ended) = self.resumed_for_analysis() {
            return Some(ended.end.clone());
        }
        if let Some(announced) = &self.announced
            && (!waits || self.is_meant(announced))
        {
            return Some(End::of(Some(announced.result), EndReason::ResultPiece));
        }
        if let Some((outcome, since)) = self.signal
            && (!waits
                || match self.is_forfeit() {
                    true => self.stillness.passed(since, limits::RESULT_STANDS_SECONDS),
                    false => {
                        self.stillness.passed(since, limits::HALF_SIGNAL_STANDS_SECONDS)
                            || self.signal_is_complete(since)
                    }
                })
        {
            return Some(End::of(Some(outcome), EndReason::Kings));
        }
        if let Some(signalled) = self.signalled.as_ref().filter(|_| !waits) {
            return Some(End::of(Some(signalled.result), EndReason::Kings));
        }
        if let Some(stopped) = self.phase.stopped() {
            return if waits { None } else { end_by_rules(&stopped.stood) };
        }
        let best = self.search.best();
        let done = best.node.completed_by.stamp.time();
        let stood = || self.stillness.passed(done, limits::MEANT_SECONDS) || best.is_confirmed();
        let last = self.published.moves.last();
        let published = || last.is_some_and(|last| last.node.line_hash == best.node.line_hash);
        // Mate or stalemate by an unseen queen may be neither with the piece that is fetched.
        let shown = || !best.node.is_unshown();
        let stands = best.mismatched == 0 && (!waits || (shown() && stood() && published()));
        if stands { end_by_rules(&best.node) } else { None }
    }

    /// Publishes the result that is shown by now after the end of a game, which is followed, and returns it; unless it
    /// `waits`, the position counts at once.
    pub fn look_for_result(&mut self, waits: bool, updates: &mut Vec<Update>) -> Option<End> {
        let shown = self.over(waits).filter(|end| self.is_followed() && end.result.is_some())?;
        self.published.event(GameEvent::End(shown.clone()), self.stillness.now, updates);
        if let Phase::Over(ended) = &mut self.phase {
            ended.end = shown.clone();
        }
        Some(shown)
    }

    /// In a log, keeps the result that kings signal and the game before it once the kings are moved on: a log does not
    /// show how long they stood there.
    pub(super) fn note_signalled(&mut self) {
        let Some((result, _)) = self.signal.filter(|_| self.stillness.is_timeless()) else { return };
        // While the kings stay there other pieces are set up.
        if self.signalled.as_ref().is_none_or(|signalled| signalled.result != result) {
            self.signalled = Some(Signalled { result, last: self.before_signal() });
        }
    }

    /// Whether play has gone on after a signal, which therefore was none.
    pub(super) fn went_on_after(&self, signalled: &Signalled<G>) -> bool {
        let best = self.search.best();
        best.mismatched == 0 && best.node.ply >= signalled.last.ply + limits::PLAY_PLIES
    }

    /// Whether a result piece is meant: no other square is mismatched, or the piece has stood for long.
    fn is_meant(&self, announced: &Announced) -> bool {
        self.search.best().mismatched == 0
            || (announced.presses == 0
                && self.stillness.passed(self.stillness.changed, limits::CONTINUED_WITHIN_SECONDS))
    }

    /// Whether the signal that has stood since then is complete: each of its pieces came for it.
    fn signal_is_complete(&self, since: Option<Time>) -> bool {
        let board = &self.search.state().board;
        let Some((_, pieces)) = G::signal(board, self.search.best().position.game.dead()) else {
            return false;
        };
        let last = self.before_signal();
        let before = last.game.placement().codes();
        (self.stillness.at_rest() || self.stillness.passed(since, limits::WHOLE_REST_SECONDS))
            && squares(pieces).all(|at| before[at as usize] != board[at as usize])
    }

    /// Whether no move was made, and only the kings, which show the result, have left the start position, which was
    /// seen at rest: a player did not come.
    fn is_forfeit(&self) -> bool {
        let (board, start) = (&self.search.state().board, &self.start);
        let Some((_, pieces)) = G::signal(board, start.dead()) else { return false };
        let is_start = start.placement().is_start() || !self.is_held_back();
        is_start
            && self.start_stood
            && !self.published.begun
            && squares(start.differing(board)).all(|at| self.is_of_signal(at, pieces, start))
            && self.before_signal().ply == 0
    }

    /// The same, where the kings have stood there for this many seconds.
    fn is_forfeit_for(&self, seconds: f64) -> bool {
        self.signal.is_some_and(|(_, since)| self.stillness.passed(since, seconds)) && self.is_forfeit()
    }

    /// The line of the best explanation.
    pub fn line(&self) -> GameLine {
        GameLine::of(&self.search.best().node)
    }

    /// With a clock in use, keeps the first move after the last press that stands for long: it may be the last of the
    /// game.
    pub(super) fn note_stood_unpressed(&mut self) {
        let best = self.search.best();
        let is_pressed = |ply| ply == 0 || best.pressed(ply).is_some();
        let before = |node: &Node<G>| node.parent.as_ref().map(|before| before.line_hash);
        let is_first = !is_pressed(best.node.ply) && is_pressed(best.node.ply - 1);
        let known = self.stood_unpressed.as_ref().is_some_and(|stood| before(stood) == before(&best.node));
        if self.search.state().clock_in_use() && best.mismatched == 0 && is_first && !known {
            self.stood_unpressed = Some(best.node.clone());
        }
    }

    /// With a clock in use, keeps the move that was pressed last, once the board rests and is explained.
    pub(super) fn note_last_pressed(&mut self) {
        let best = self.search.best();
        if !self.search.state().clock_in_use() || best.mismatched != 0 || !self.stillness.settled() {
            return;
        }
        let mut pressed = best.node.walk_back().take(2).map(|node| (node, best.pressed(node.ply)));
        if let Some((node, Some(press))) = pressed.find(|(_, press)| press.is_some())
            && self.last_pressed.as_ref().is_none_or(|(_, index)| press.index > *index)
        {
            self.last_pressed = Some((node.clone(), press.index));
        }
    }

    /// Closes the game: publishes the rest of it and its end, unless nothing was played and nobody has lost because of
    /// that; returns the last node. `by_flag`: kings only show what a fallen flag has decided.
    pub fn close(&mut self, mut end: End, by_flag: bool, updates: &mut Vec<Update>) -> Option<Rc<Node<G>>> {
        let why = self.phase.why_withdrawn(end.reason);
        let is_forfeit = end.reason == EndReason::Kings && self.is_forfeit_for(limits::RESULT_STANDS_SECONDS);
        end.forfeit |= is_forfeit && end.result != Some(Outcome::Draw);
        if end.reason == EndReason::InputEnd {
            // No more records will come: the position was meant.
            self.search.observe(Observation::LongRest);
        }
        let furthest = self.furthest();
        let reached = furthest.clone();
        let signalled =
            self.signalled.take().filter(|_| end.reason == EndReason::Kings && self.signal.is_none());
        let analysed = self.resumed_for_analysis().map(|over| over.last.clone());
        let (is_analysed, went_back) = (analysed.is_some(), self.went_back.is_some());
        let last = match (signalled, analysed.or(self.phase.stopped().map(|stopped| stopped.stood.clone()))) {
            (Some(signalled), _) => {
                self.restore_withdrawn(end.reason, updates);
                // No press has followed.
                let pressed = self.published.moves.iter().rfind(|published| published.is_pressed());
                let pressed = pressed.filter(|published| published.node.leads_from(&signalled.last));
                pressed.map_or(signalled.last, |published| published.node.clone())
            }
            (None, Some(stood)) => {
                self.restore_withdrawn(EndReason::NewGame, updates);
                if end.reason == EndReason::Kings { self.without_steps(stood) } else { stood }
            }
            (None, None) => {
                let pressed = self.pressed_and_withdrawn();
                self.restore_withdrawn(end.reason, updates);
                pressed.unwrap_or_else(|| self.last_node(end.reason, furthest))
            }
        };
        let last = match is_analysed {
            true => last,
            false => self.furthest_played(last, updates),
        };
        let last = self.without_tried(last, went_back);
        let last = self.with_ruled(last, &reached);
        if !is_forfeit && (self.may_not_have_begun(end.reason) || (last.ply == 0 && !self.published.begun)) {
            return None;
        }
        if matches!(end.reason, EndReason::NewGame | EndReason::InputEnd) {
            end = end_by_rules(&last).unwrap_or(end);
        }
        end.reason = if by_flag { EndReason::Flag } else { end.reason };
        let end = self.search.rulings().end(end);
        let (nodes, stand) = self.published.missing(&last);
        let now = self.stillness.now;
        self.published.withdraw(stand, why, now, updates);
        for node in &nodes {
            match self.awaiting.take_if(|awaiting| awaiting.node.line_hash == node.line_hash) {
                Some(awaiting) => self.published.republish(awaiting, updates),
                None => self.published.publish(node, &[], &self.search, updates),
            }
        }
        // Where pieces are put away or set up by now, the search has no evidence about the game.
        if self.search.best().node.leads_from(&last) {
            self.published.refresh_clocks(self.search.best(), updates);
            if self.makes_sense() {
                self.published.refresh_certainty(&self.search, updates);
            }
        }
        if let Some(ruling) = self.search.rulings().result() {
            self.published.event(GameEvent::Ruling(Box::new(Ruling::clone(ruling))), now, updates);
        }
        self.published.event(GameEvent::End(end.clone()), now, updates);
        self.end_at(&last, end, is_analysed);
        Some(last)
    }

    /// Whether a game that is over for this reason may never have begun.
    fn may_not_have_begun(&self, reason: EndReason) -> bool {
        match &self.phase {
            // Where misplaced pieces were corrected, the game may be played again from its start.
            Phase::BeingSetUp(held_back) => match self.own_plies(held_back) {
                Some(plies) => plies == 0,
                None => !held_back.begun || reason == EndReason::NewGame,
            },
            _ => false,
        }
    }

    /// The last position, or the last published one where the players analysed a finished game: they went back far from
    /// there and not as far on again. With a clock, they went back past pressed moves and nothing was pressed since.
    /// Some of the moves may be withdrawn already.
    fn furthest_played(&mut self, last: Rc<Node<G>>, updates: &mut Vec<Update>) -> Rc<Node<G>> {
        let (nodes, stand) = self.published.missing(&last);
        let count = self.published.moves.len();
        let withdrawn =
            self.first_back.take().filter(|came| came.stand == count).map_or(Vec::new(), |came| came.moves);
        let back = count - stand + withdrawn.len();
        let looked = match self.search.state().clock_in_use() {
            true => {
                // Only the last move of a game may lack its press.
                (nodes.len() < back || nodes.len() > 1)
                    && self.published.moves[stand..].iter().any(PublishedMove::is_pressed)
                    && !nodes.iter().any(|node| self.is_pressed_since(node))
            }
            false => {
                back >= limits::ANALYSIS_MIN_BACK && nodes.len() < back.max(limits::RESUME_MIN_PLIES as usize)
            }
        };
        if !looked {
            return last;
        }
        self.published.publish_instead(
            count,
            withdrawn,
            TakebackReason::LookedAt,
            self.stillness.now,
            updates,
        );
        self.published.moves.last().map_or(last, |published| published.node.clone())
    }

    /// With a clock in use, the last position without moves that were tried after the last press: only the last move of
    /// a game may lack its press, and no move may once a pressed one was taken back. A player who mates need not press.
    fn without_tried(&self, last: Rc<Node<G>>, went_back: bool) -> Rc<Node<G>> {
        let Some((pressed, index)) = self.last_pressed.as_ref().filter(|_| last.ending().is_none()) else {
            return last;
        };
        let leads = last.leads_from(pressed);
        let since = self.search.best().presses.newest().is_some_and(|press| press.index > *index);
        // The press may belong to the move in its place in a better explanation.
        let best = self.search.best();
        let explained = best.node.leads_from(&last) && best.pressed(pressed.ply).is_some();
        let is_tried = match leads {
            true => !since && last.ply - pressed.ply >= if went_back { 1 } else { 2 },
            false => !since && !self.goes_home(pressed) && (!explained || last.ply < pressed.ply),
        };
        if !is_tried || !self.search.state().clock_in_use() {
            return last;
        }
        // A move that stood for long before anything was tried was the last one.
        let follows = |stood: &&Rc<Node<G>>| {
            stood.parent.as_ref().is_some_and(|before| before.line_hash == pressed.line_hash)
        };
        self.stood_unpressed.as_ref().filter(follows).unwrap_or(pressed).clone()
    }

    /// Whether the press of a move came with it, and does not belong to another one in whose place it was made.
    fn is_pressed_since(&self, node: &Node<G>) -> bool {
        let lifted = node.hand.lift.unwrap_or(node.completed_by).index;
        self.search.best().pressed(node.ply).is_some_and(|press| press.index + 1 >= lifted)
    }

    /// The last position, or that of the last ruled ply, if the game had `reached` it: a ruled move is not a part of
    /// setting up.
    fn with_ruled(&self, last: Rc<Node<G>>, reached: &Rc<Node<G>>) -> Rc<Node<G>> {
        let rulings = self.search.rulings();
        let ruled = |node: &&Rc<Node<G>>| rulings.rules_ply(node.ply);
        let ruled = reached.walk_back().take_while(|node| node.ply > last.ply).find(ruled);
        ruled.filter(|node| node.leads_from(&last)).cloned().unwrap_or(last)
    }
}

/// The end by the rules in the position of a node.
fn end_by_rules<G: Game>(last: &Node<G>) -> Option<End> {
    let (reason, result) = last.ending()?;
    Some(End::of(result, reason))
}
