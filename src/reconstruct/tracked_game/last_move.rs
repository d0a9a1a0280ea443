//! The last move of a game: the positions after it, be it a signal, setting up or putting away, can often be reached by
//! legal moves too.
//!
//! Used at the end of a game, and for a log that contains it.

use std::rc::Rc;

use super::{published::PublishedMove, state::TrackedGame};
use crate::{
    reconstruct::{hypothesis::Hypothesis, limits, observe::event::Event, tree::node::Node},
    record::EndReason,
    rules::{Game, Squares, bit, squares},
};

impl<G: Game> TrackedGame<G> {
    /// Keeps a move that explains the board and is not published yet: it was pressed, or stands at rest.
    pub(super) fn note_awaiting(&mut self) {
        let best = self.search.best();
        let node = &best.node;
        if best.mismatched != 0 || !self.search.state().clock_in_use() {
            return;
        }
        if node.ply <= self.published.plies() {
            self.awaiting = None;
            return;
        }
        let over = self.stillness.poll_is_over() || self.stillness.is_timeless();
        let pressed = best.pressed(node.ply).is_some() && over;
        let known = |awaiting: &PublishedMove<G>| {
            awaiting.node.line_hash == node.line_hash && (awaiting.is_pressed() || !pressed)
        };
        if (pressed || self.stillness.at_rest()) && !self.awaiting.as_ref().is_some_and(known) {
            self.awaiting = Some(PublishedMove::new(node, &self.search));
        }
    }

    /// The last position of the game: that of the best explanation, or a later one that it went back from.
    pub(super) fn furthest(&self) -> Rc<Node<G>> {
        let (best, awaits) = (&self.search.best().node, self.search.best().awaits_press);
        if let Some(last) = self.went_back.as_ref().and_then(|back| back.moves.last()) {
            return last.node.clone();
        }
        match self.published.moves.last() {
            Some(last) if awaits || last.node.ply > best.ply && last.node.leads_from(best) => {
                last.node.clone()
            }
            _ => best.clone(),
        }
    }

    /// The last position of a game that is over for this reason: without the steps of a signal, and without what came
    /// after the game. `furthest` is the furthest position.
    pub(super) fn last_node(&self, reason: EndReason, furthest: Rc<Node<G>>) -> Rc<Node<G>> {
        match reason {
            EndReason::Kings => self.before_signal(),
            EndReason::NewGame => self.last_played(),
            EndReason::Flag | EndReason::InputEnd => self.with_awaiting(self.before_disorder(furthest)),
            _ => furthest,
        }
    }

    /// The last position of a game whose pieces are set up again.
    pub(super) fn last_played(&self) -> Rc<Node<G>> {
        if self.search.state().clock_in_use() { self.last_published() } else { self.before_setting_up() }
    }

    /// The last position of a game after which kings signal a result.
    pub(super) fn before_signal(&self) -> Rc<Node<G>> {
        let last = self.before_steps();
        self.published_before_signal(&last).unwrap_or(last)
    }

    /// Whether the last published move remains though its piece went back, because it did so to signal the result.
    pub(super) fn goes_back_to_signal(&self) -> bool {
        let best = &self.search.best().node;
        let went_back = |last: &PublishedMove<G>| last.node.leads_from(best) && last.node.ply > best.ply;
        self.signal.is_some()
            && self.published.moves.last().is_some_and(went_back)
            && self.published_before_signal(&self.before_steps()).is_some()
    }

    /// The last published position, if the signal explains all mismatched squares, and a game that ended with `last`
    /// instead is no likelier. That it makes a step of the signal legal is no evidence for it.
    fn published_before_signal(&self, last: &Rc<Node<G>>) -> Option<Rc<Node<G>>> {
        let board = &self.search.state().board;
        let published = self.published.moves.last()?;
        let node = &published.node;
        let (_, pieces) = G::signal(board, node.game.dead())?;
        let no_step = self.is_no_step(self.search.best(), node);
        let may_be_step = node.mv.as_ref().is_some_and(|mv| G::step_to_signal(mv, board))
            && !published.is_pressed()
            && (!node.seen_at_rest.get() || self.stays(node))
            && !no_step;
        // A press is evidence that it was played, even where the signalling pieces stand as before it.
        let likelier = match node.leads_from(last) {
            true => published.is_pressed() || no_step,
            false => node.cost <= last.cost,
        };
        let explained =
            squares(node.game.differing(board)).all(|at| self.is_of_signal(at, pieces, &node.game));
        (!last.leads_from(node) && explained && !may_be_step && likelier).then(|| node.clone())
    }

    /// Whether the difference from `game` on a square belongs to a signal of these pieces.
    pub(super) fn is_of_signal(&self, at: u8, pieces: Squares, game: &G) -> bool {
        let (board, codes) = (&self.search.state().board, game.placement().codes());
        pieces & bit(at) != 0 || squares(pieces).any(|to| board[to as usize] == codes[at as usize])
    }

    /// Without a clock: whether a move of a piece that signals the result now was no step on its way there. It took the
    /// piece no nearer, or stood while something else moved.
    fn is_no_step(&self, h: &Hypothesis<G>, node: &Node<G>) -> bool {
        let piece = node.landed_code();
        let board = &self.search.state().board;
        let (Some(signals), Some(from)) = (
            board.iter().position(|&code| code == piece),
            squares(node.changed & !bit(node.to)).next().filter(|_| node.changed.count_ones() == 2),
        ) else {
            return false;
        };
        let steps = |at: u8| {
            let (at, to) = (usize::from(at), signals);
            (at % 8).abs_diff(to % 8).max((at / 8).abs_diff(to / 8))
        };
        let done = node.completed_by;
        let left = h.unexplained.iter().find(|e| e.square == node.to && e.index > done.index);
        let stood = |left: &Event| {
            let stood = done.stamp.time().zip(left.stamp.time()).map(|(from, to)| from.seconds_until(to));
            left.index > done.index + 1 && stood.is_some_and(|stood| stood >= limits::WHOLE_REST_SECONDS)
        };
        !self.search.state().clock_in_use()
            && steps(node.to) > 0
            && node.hand.landing.is_some()
            && (steps(node.to) >= steps(from) || left.is_some_and(stood))
    }

    /// Whether the piece of this move is where it ended, as far as the board shows.
    fn stays(&self, node: &Node<G>) -> bool {
        let stood = node.landed_code();
        self.search.state().board[node.to as usize] == stood || node.game.dead() & bit(node.to) != 0
    }

    /// The last position without moves at the end that led to the signal and that nothing confirms as moves: with a
    /// clock a press does, without one a rest of the board.
    fn before_steps(&self) -> Rc<Node<G>> {
        let board = &self.search.state().board;
        let clock = self.search.state().clock_in_use();
        let step = |node: &Node<G>| node.mv.as_ref().is_some_and(|mv| G::step_to_signal(mv, board));
        // A step seen long after its press, to where the piece still stands: the press belongs to another move, after
        // which the signal began.
        let early = |h: &Hypothesis<G>, node: &Node<G>| {
            self.stays(node)
                && !node.seen_at_rest.get()
                && h.pressed(node.ply).is_some_and(|press| node.completed_by.rests > press.rests + 1)
        };
        let left_alone = |h: &Hypothesis<G>, node: &Node<G>| {
            let next = h.unexplained.iter().find(|e| e.index > node.completed_by.index);
            let next = next.and_then(|next| next.stamp.time()).zip(node.completed_by.stamp.time());
            next.is_some_and(|(next, done)| done.seconds_until(next) >= limits::HALF_SIGNAL_STANDS_SECONDS)
        };
        let takes = |node: &Node<G>| {
            node.parent.as_ref().is_some_and(|before| before.game.placement().codes()[node.to as usize] != 0)
        };
        let confirmed = |h: &Hypothesis<G>, node: &Node<G>| match h.pressed(node.ply) {
            Some(_) => !early(h, node),
            // A king that is still there was more often put there to signal than moved, unless the other king followed
            // only after a while, or it captured something and there is no clock.
            None => {
                let moved = || !clock && (takes(node) || left_alone(h, node));
                (node.seen_at_rest.get() && (!self.stays(node) || moved())) || self.is_no_step(h, node)
            }
        };
        let sound = |h: &&Hypothesis<G>| !step(&h.node) || !early(h, &h.node);
        let best = self.search.hypotheses().find(sound).unwrap_or(self.search.best());
        back_while(best.node.clone(), |node| step(node) && !confirmed(best, node))
    }

    /// The same for a game that stood at `stood` when its clock was stopped: the first king may go to the centre at
    /// once.
    pub(super) fn without_steps(&self, stood: Rc<Node<G>>) -> Rc<Node<G>> {
        let (board, best) = (&self.search.state().board, self.search.best());
        let stopped = self.phase.stopped().and_then(|stopped| stopped.since);
        let stood_before = |node: &Node<G>| {
            let stood = node.completed_by.stamp.time().zip(stopped);
            stood.is_some_and(|(from, to)| from.seconds_until(to) >= limits::MEANT_SECONDS)
        };
        back_while(stood, |node| {
            let pressed = self.published.has_published_press(node)
                || (best.node.leads_from(node) && best.pressed(node.ply).is_some());
            let step = node.mv.as_ref().is_some_and(|mv| G::step_to_signal(mv, board));
            step && !pressed && !stood_before(node)
        })
    }

    /// With a clock, after setting up: the last published move that was pressed, or after which the board rested, and a
    /// move after that which stood there. Only the last move of a game may lack its press; two without a press belong
    /// to the setting up, and so does one that takes a piece to its start square, unless it stood for long.
    fn last_published(&self) -> Rc<Node<G>> {
        let mut moves = &self.published.moves[..];
        while let [rest @ .., before, last] = moves
            && !last.is_pressed()
            && !before.is_pressed()
        {
            moves = &moves[..rest.len() + 1];
        }
        while let [rest @ .., last] = moves
            && !last.is_pressed()
            && self.is_set_up_by(&last.node)
            && !last.node.stood_long.get()
        {
            moves = rest;
        }
        let best = &self.search.best().node;
        let last = moves.last().map_or_else(|| best.at(0).unwrap_or(best), |last| &last.node);
        self.with_awaiting(last.clone())
    }

    /// Whether a move may belong to setting up the pieces as they stand by now: the next game may begin from another
    /// position.
    fn is_set_up_by(&self, node: &Node<G>) -> bool {
        let (board, codes) = (&self.search.state().board, node.game.placement().codes());
        let stands = node.changed != 0 && board[usize::from(node.to)] == codes[usize::from(node.to)];
        self.goes_home(node) || (stands && !G::CAPTURES_BY_JUMPING)
    }

    /// With a clock: `last`, or the unpublished move after it with which the board stood. Only the last move of a game
    /// may lack its press.
    fn with_awaiting(&self, last: Rc<Node<G>>) -> Rc<Node<G>> {
        let follows = |awaiting: &&PublishedMove<G>| {
            let published = self.published.find(&last).map(|at| &self.published.moves[at]);
            awaiting.node.parent.as_ref().is_some_and(|before| before.line_hash == last.line_hash)
                && published.is_some_and(|published| published.is_pressed() || awaiting.is_pressed())
                && !self.goes_home(&awaiting.node)
        };
        self.awaiting.as_ref().filter(follows).map_or(last, |awaiting| awaiting.node.clone())
    }

    /// With a clock: the last move of a game that is over, where pieces may be being put away. A move without a press
    /// that took its piece to its start square, or after which the board was in disorder, was none.
    fn before_disorder(&self, furthest: Rc<Node<G>>) -> Rc<Node<G>> {
        let best = self.search.best();
        let disorder = best.mismatched.count_ones() >= limits::DISORDER_AT_END_SQUARES;
        let may_be = |node: &Node<G>| disorder || (self.goes_home(node) && !node.stood_long.get());
        back_while(furthest, |node| {
            self.search.state().clock_in_use()
                && best.pressed(node.ply).is_none()
                && self.published.find(node).is_none()
                && may_be(node)
        })
    }

    /// Without a clock, after setting up: the last move whose piece was seen to rest on its square, unless that is its
    /// start square; or a published one after another one to a square other than its start square; with a move from
    /// there to a start square if it stood for long.
    fn before_setting_up(&self) -> Rc<Node<G>> {
        let best = &self.search.best().node;
        let published = self.published.moves.last().map(|last| &last.node);
        let furthest = published.filter(|last| !best.leads_from(last)).unwrap_or(best).clone();
        let rested = |node: &Node<G>| {
            (node.seen_at_rest.get() || !self.search.state().reports_rests_after(node.completed_by.index))
                && node.hand.landing.is_some()
        };
        // Pieces that are set up are seen on their way, but rarely in turns so that they are published as moves.
        let elsewhere = |node: &Node<G>| node.hand.landing.is_some() && !self.is_set_up_by(node);
        let in_play = |node: &Node<G>| {
            elsewhere(node)
                && node.parent.as_ref().is_some_and(|before| elsewhere(before))
                && self.published.find(node).is_some()
        };
        let mut went_home = Vec::new();
        let node = back_while(furthest, |node| {
            let home = (!rested(node) || self.is_set_up_by(node)) && !in_play(node);
            if home && node.parent.is_some() {
                went_home.push(node.clone());
            }
            home
        });
        let stood = |home: &&Rc<Node<G>>| rested(home) && home.stood_long.get();
        went_home.iter().find(stood).unwrap_or(&node).clone()
    }
}

/// The first node from here backwards that is not left out, or the start.
fn back_while<G: Game>(mut node: Rc<Node<G>>, mut left_out: impl FnMut(&Rc<Node<G>>) -> bool) -> Rc<Node<G>> {
    while left_out(&node)
        && let Some(parent) = node.parent.clone()
    {
        node = parent;
    }
    node
}
