//! The clock is stopped during the game: an arbiter was called, or the game is over and the players analyse it.
//!
//! Changes on the board are no play then: they are not published, and the game ends with the moves before. When the
//! clock runs again, or is pressed, play continues from the position on the board: usually the same as before, or an
//! earlier position of the game, at a low price here. The tracked game uses this.

use std::rc::Rc;

use super::{
    phase::{ClockState, Evidence, Phase, Stopped},
    state::{Stood, TrackedGame},
};
use crate::{
    reconstruct::{costs::Deviation, limits, observe::Observation, tree::node::Node},
    record::Time,
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// Reads a report of the clock: whether it is there, whether it runs, and the seconds it shows for each side.
    pub fn clock(
        &mut self,
        connected: bool,
        running: Option<bool>,
        shows: [Option<f64>; 2],
        time: Option<Time>,
    ) {
        self.clock_reported = time;
        let (before, used) = (self.clock_state, self.search.state().presses > 0);
        self.clock_state = before.after_report(connected, running, used);
        if (self.clock_state == ClockState::Unplugged) != (before == ClockState::Unplugged) {
            self.search.observe(Observation::Clock { gone: self.clock_state == ClockState::Unplugged });
        }
        if !self.clock_state.is_stopped() {
            self.play_goes_on();
        } else if self.clock_state == ClockState::Stopped && before != ClockState::Stopped {
            self.move_on(Evidence::ClockStops(self.ran_until(shows).min(time).or(time)));
            // A change reported meanwhile may have happened after the clock was stopped.
            self.note_touched(self.stillness.changed);
        }
    }

    /// Takes the clock for removed where it reports nothing any more, and moves are played in turn without presses: it
    /// has died, or was taken away when it was stopped.
    pub(super) fn note_unpressed(&mut self) {
        let best = self.search.best();
        let unpressed = |node: &&Rc<Node<G>>| {
            let done = node.completed_by.stamp.time();
            node.ply > 0 && best.pressed(node.ply).is_none() && done.is_some() && self.clock_reported < done
        };
        let is_asked = self.search.state().clock_in_use() && matches!(self.phase, Phase::InPlay);
        if !is_asked || best.mismatched != 0 || !self.stillness.settled() {
            return;
        }
        let mut nodes: Vec<_> = best.node.walk_back().take_while(unpressed).cloned().collect();
        nodes.reverse();
        if self.is_play(&nodes) {
            self.clock_state = ClockState::Unplugged;
            self.search.observe(Observation::Clock { gone: true });
        }
    }

    /// The time until which the clock ran, judged by what it shows now: the side to move has used the difference since
    /// the last press.
    fn ran_until(&self, shows: [Option<f64>; 2]) -> Option<Time> {
        let (side, pressed) = self.last_press?;
        let of = side.other().index();
        let used = self.clock_readings[of]?.1 - shows[of]?;
        (used >= 0.0).then(|| pressed.after(used))
    }

    /// The clock is not known to be stopped any more.
    pub(super) fn play_goes_on(&mut self) {
        match self.phase {
            // A running clock is reported every second.
            Phase::InPlay => return,
            Phase::Analysis(_) => self.search.mark_changed(),
            _ => {}
        }
        self.move_on(Evidence::ClockRuns);
    }

    /// Whether a change at this time is too late to belong to a move made while the clock ran, which it did until
    /// `since`.
    fn is_over(&self, since: Option<Time>, time: Option<Time>) -> bool {
        let still_played = self.stillness.report_delay().max(limits::POLLED_WITHIN_SECONDS);
        since.zip(time).is_some_and(|(since, time)| since.seconds_until(time) > still_played)
    }

    /// A square changes at this time.
    pub(super) fn note_touched(&mut self, time: Option<Time>) {
        let Phase::Interrupted { since } = self.phase else { return };
        if self.is_over(since, time) {
            let stood = self.played_until(since);
            self.move_on(Evidence::Touched(Stopped { since, stood, examined: None, run: None }));
        }
    }

    /// Beside a clock: keeps the position of an explained board, once the poll is over.
    pub(super) fn note_stood(&mut self) {
        if !self.search.state().clock_in_use() || !self.stillness.poll_is_over() {
            return;
        }
        let (best, changed) = (self.search.best(), self.stillness.changed);
        if let Some(last) = self.stood.back_mut() {
            let stands = last.node.game.differing(&self.search.state().board) == 0;
            last.until = if stands { None } else { last.until.or(changed) };
        }
        let (node, before) = (&best.node, self.stood.back().map(|before| &before.node));
        if best.mismatched != 0 || before.is_some_and(|before| before.line_hash == node.line_hash) {
            return;
        }
        let goes_on = before.is_none_or(|before| node.ply > before.ply);
        let since = if goes_on { node.completed_by.stamp.time() } else { changed };
        if self.stood.len() == limits::STOOD_POSITIONS_KEPT {
            self.stood.pop_front();
        }
        self.stood.push_back(Stood { node: node.clone(), since, until: None });
    }

    /// The move after `played` that stood when the clock was stopped and was not pressed: it may have been taken back
    /// by the time of the report.
    fn stood_unpressed(&self, since: Option<Time>, played: &Node<G>) -> Option<Rc<Node<G>>> {
        let then = since?;
        let last = self.stood.iter().rfind(|stood| !self.is_over(since, stood.since))?;
        let (before, stood) = (last.node.parent.as_ref()?, last.until.is_none_or(|until| until > then));
        (stood && before.line_hash == played.line_hash).then(|| last.node.clone())
    }

    /// The last position of play before the clock was stopped: no pressed move is dropped for what happened since.
    fn played_until(&self, since: Option<Time>) -> Rc<Node<G>> {
        let best = self.search.best();
        let is_since = |node: &Node<G>| {
            node.ply > 0
                && best.pressed(node.ply).is_none()
                && self.is_over(since, node.completed_by.stamp.time())
        };
        let furthest = self.furthest();
        let mut played = furthest.clone();
        while is_since(&played)
            && let Some(before) = played.parent.clone()
        {
            played = before;
        }
        // Only the last move of a game may lack its press: two unpressed moves since the stop are none, nor is one by
        // which a piece returns to its start square.
        let stopped_by = |node: &Node<G>| node.completed_by.stamp.time() <= since;
        let unpressed = |node: &Node<G>| {
            node.ply > 0 && !self.published.has_published_press(node) && best.pressed(node.ply).is_none()
        };
        let mut both = false;
        while let Some(before) = played.parent.clone()
            && unpressed(&played)
            && !stopped_by(&played)
            && (both || unpressed(&before) || self.goes_home(&played))
        {
            (played, both) = (before, true);
        }
        // A player who mates stops the clock; a clock with a delay shows less than was used.
        let delayed = |node: &Node<G>| {
            let passed = since.zip(node.completed_by.stamp.time());
            passed.is_some_and(|(stopped, done)| stopped.seconds_until(done) <= limits::MATES_WITHIN_SECONDS)
        };
        if let Some(next) =
            furthest.at(played.ply + 1).filter(|next| delayed(next) && next.ending().is_some())
        {
            return next.clone();
        }
        let back = self.went_back.iter().flat_map(|back| &back.moves);
        let pressed = self.published.moves.iter().chain(back).rfind(|published| published.is_pressed());
        let played = match pressed {
            Some(pressed) if !played.leads_from(&pressed.node) => pressed.node.clone(),
            _ => played,
        };
        self.stood_unpressed(since, &played).unwrap_or(played)
    }

    /// The board rests while the clock is stopped: where it shows the position at the stop or an earlier one, play may
    /// go on from there.
    pub(super) fn explain_rest_of_stopped(&mut self) {
        let board = self.search.state().board;
        let Phase::Analysis(Stopped { stood, examined, .. }) = &mut self.phase else { return };
        if examined.replace(board) == Some(board) {
            return;
        }
        let mut earlier = stood.walk_back().take(limits::TAKEBACK_MAX_PLIES + 1);
        let Some(node) = earlier.find(|node| node.game.differing(&board) == 0).cloned() else { return };
        let (cost, best) = (stood.cost, self.search.best());
        if best.node.line_hash != node.line_hash {
            let again = best.instead(node, cost, Deviation::StoppedAndBack, 1.0);
            self.search.add(again);
        }
    }
}
