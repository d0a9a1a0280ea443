//! How a game ends: by the rules, by a signal on the board, by the next game; and which move was its last.

use std::rc::Rc;

use super::Play;
use crate::{
    reconstruct::{Update, history::Lines, hypothesis::Hypothesis, limits, tree::node::Node},
    record::{End, EndReason, GameEvent, Time},
    rules::{Game, squares},
};

impl<G: Game> Play<G> {
    /// How the game is over, if it is. Without `now` the input is at its end and nothing waits.
    pub fn over(&self, waits: bool) -> Option<End> {
        if let Some(result) = self.announced {
            return Some(End { result: Some(result), reason: EndReason::ResultPiece });
        }
        if let Some((outcome, since)) = self.signalled
            && (!waits || self.passed(since, limits::HALF_SIGNAL_STANDS) || self.signal_is_complete(since))
        {
            return Some(End { result: Some(outcome), reason: EndReason::Kings });
        }
        let best = self.search.best();
        let stood = || {
            self.passed(best.node.completed_by.stamp.time(), limits::NATURAL_END_STANDS)
                || best.is_confirmed()
        };
        let stands = best.mismatched == 0 && (!waits || stood());
        let told =
            !waits || self.shown.last().is_some_and(|shown| shown.node.line_hash == best.node.line_hash);
        if stands && told { self.natural_end() } else { None }
    }

    /// The end that the rules put to the best explanation.
    pub fn natural_end(&self) -> Option<End> {
        let (reason, result) = self.search.best().node.game.ending()?;
        Some(End { result, reason })
    }

    /// Whether the signal that has stood since then is all that hands will do: each of its pieces came for it.
    fn signal_is_complete(&self, since: Option<Time>) -> bool {
        let board = self.search.board();
        let Some((_, pieces)) = G::signal(board) else { return false };
        let last = self.before_signal();
        let before = last.game.placement().codes();
        (self.quiet || self.passed(since, limits::SIGNAL_STANDS))
            && squares(pieces).all(|at| before[at as usize] != board[at as usize])
    }

    /// The last position of the game: without the steps of a signal, and without what came after the game.
    fn last_node(&self, reason: EndReason, furthest: Rc<Node<G>>) -> Rc<Node<G>> {
        match reason {
            EndReason::Kings => self.before_signal(),
            EndReason::NewGame => self.last_played(),
            EndReason::Flag | EndReason::InputEnd => self.before_disorder(furthest),
            _ => furthest,
        }
    }

    /// Without moves at the end that led to the signal that stands, and that nothing confirms as moves: with a
    /// clock a press does, without one that the board rested.
    fn before_signal(&self) -> Rc<Node<G>> {
        let board = self.search.board();
        let clock = self.search.clock_in_use();
        let step = |node: &Node<G>| node.mv.as_ref().is_some_and(|mv| G::step_to_signal(mv, board));
        let stays =
            |node: &Node<G>| board[node.to as usize] == node.game.placement().codes()[node.to as usize];
        // A step to where the piece stands now that was seen long after the press: the press was for another move,
        // after which the signal began.
        let early = |h: &Hypothesis<G>, node: &Node<G>| {
            stays(node)
                && !node.seen_at_rest.get()
                && h.pressed(node.ply).is_some_and(|press| node.completed_by.rests > press.rests + 1)
        };
        let left_alone = |h: &Hypothesis<G>, node: &Node<G>| {
            let next = h.unexplained.iter().find(|e| e.index > node.completed_by.index);
            let next = next.and_then(|next| next.stamp.time()).zip(node.completed_by.stamp.time());
            next.is_some_and(|(next, done)| done.seconds_until(next) >= limits::KING_LEFT_ALONE)
        };
        let confirmed = |h: &Hypothesis<G>, node: &Node<G>| match h.pressed(node.ply) {
            Some(_) => !early(h, node),
            // Where the king stands now it was more often put to signal than moved, unless the other king was
            // left alone for a while.
            None => node.seen_at_rest.get() && (!stays(node) || (!clock && left_alone(h, node))),
        };
        let sound = |h: &&Hypothesis<G>| !step(&h.node) || !early(h, &h.node);
        let best = self.search.hypotheses().find(sound).unwrap_or(self.search.best());
        let mut node = best.node.clone();
        while let Some(parent) = node.parent.clone().filter(|_| step(&node) && !confirmed(best, &node)) {
            node = parent;
        }
        node
    }

    /// The lines after each ply of what was made out so far.
    pub fn lines(&self) -> Lines {
        lines(&self.search.best().node)
    }

    /// Closes the game. Tells the rest of it and its end, unless nothing was played; answers its lines.
    pub fn close(mut self, mut end: End, updates: &mut Vec<Update>) -> Option<Lines> {
        if end.reason == EndReason::InputEnd {
            // Nothing more will come: what stands was meant.
            self.search.rest_long();
        }
        let furthest = self.furthest();
        self.redo(end.reason, updates);
        let last = self.last_node(end.reason, furthest);
        if last.ply == 0 && !self.begun {
            return None;
        }
        if matches!(end.reason, EndReason::NewGame | EndReason::InputEnd)
            && let Some((reason, result)) = last.game.ending()
        {
            end = End { result, reason };
        }
        let (nodes, stand) = self.untold(&last);
        if stand < self.shown.len() {
            self.withdraw(stand, updates);
        }
        self.begin(updates);
        for node in &nodes {
            self.show(node, updates);
        }
        self.refresh_clocks(updates);
        updates.push(Update { game: self.number, time: self.now, event: GameEvent::End(end) });
        Some(lines(&last))
    }
}

fn lines<G: Game>(last: &Rc<Node<G>>) -> Lines {
    let mut lines = Vec::new();
    let mut node = Some(last);
    while let Some(n) = node.filter(|n| n.ply > 0) {
        lines.push(n.line_hash);
        node = n.parent.as_ref();
    }
    lines.reverse();
    Lines(lines)
}
