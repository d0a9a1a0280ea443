//! Players look at their game, where no clock shows it: they go back through many moves, and try others.
//!
//! Who plays takes back a move or two at most. From the first time that the board goes back further on, the game is held to have
//! ended where it had come to, until moves follow each other for so long, as slowly as before, that play has surely gone on.
//! The first moves that are tried may lead on from the last position, before anything is taken back: they come much faster
//! than those of the game. For the publisher, which asks before it withdraws, and for the tracked game.

use std::rc::Rc;

use super::{
    phase::{Evidence, Phase, Run, Stopped},
    published::PublishedMove,
    state::{CameTo, TrackedGame},
};
use crate::{
    reconstruct::{limits, tree::node::Node, update::Update},
    record::TakebackReason,
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// The board goes back: only the first `stand` of the published moves stand, and these follow them. Whether the
    /// players look at the game, so that nothing of that is published.
    pub(super) fn looks_back(
        &mut self,
        stand: usize,
        others: &[Rc<Node<G>>],
        updates: &mut Vec<Update>,
    ) -> bool {
        if self.search.state().clock_in_use() || !matches!(self.phase, Phase::InPlay) {
            return false;
        }
        let mut back = self.published.moves[stand..].to_vec();
        let mut came = CameTo { stand, taken_back: back.len(), moves: Vec::new() };
        if let Some(mut before) = self.came_to.take() {
            back.truncate(before.stand.saturating_sub(stand));
            back.append(&mut before.moves);
            (came.stand, came.taken_back) = (stand.min(before.stand), came.taken_back + before.taken_back);
        }
        came.moves = back;
        if came.taken_back < limits::LOOKED_BACK || self.is_play(others) {
            self.came_to = Some(came);
            return false;
        }
        let now = self.stillness.now;
        if self.published.moves.len() != came.stand + came.moves.len() {
            self.published.tell_instead(came.stand, came.moves, TakebackReason::LookedAt, now, updates);
        }
        let played = self.published.moves.len() - self.steps_back();
        let stand = played - self.tried_after(played);
        self.published.withdraw(stand, TakebackReason::LookedAt, now, updates);
        let Some(stood) = self.published.moves.last().map(|last| last.node.clone()) else { return false };
        let best = &self.search.best().node;
        let run = Some(Run { from: best.clone(), to: best.clone() });
        self.went_back = None;
        self.move_on(Evidence::WentBack(Stopped { since: now, stood, examined: None, run }));
        true
    }

    /// How many of the last published moves were steps on the way back: all their squares read as they do there.
    fn steps_back(&self) -> usize {
        let codes = *self.search.best().node.game.placement().codes();
        let is_step = |step: &&PublishedMove<G>| step.node.game.differing(&codes) & step.node.changed == 0;
        self.published.moves.iter().rev().take_while(is_step).count()
    }

    /// How many of the first `played` published moves were tried at their end, after the game, as likely as not: they came as fast
    /// as moves that are tried, and not as those before them.
    fn tried_after(&self, played: usize) -> usize {
        let times =
            self.published.moves[..played].iter().map(|published| published.node.completed_by.stamp.time());
        let times: Vec<_> = times.collect();
        let spent = times.windows(2).map(|pair| Some(pair[0]?.seconds_until(pair[1]?)));
        let spent: Vec<f64> = spent.map_while(|spent| spent).collect();
        let mut sorted = spent.clone();
        sorted.sort_by(f64::total_cmp);
        let Some(median) = sorted.get(sorted.len() / 2).filter(|_| spent.len() + 1 == times.len()) else {
            return 0;
        };
        // Of times that are spread as those of rare events: how much likelier one is where moves are tried, and before them.
        let density = |spent: f64, mean: f64| (-spent / mean).exp() / mean;
        let played = |spent| density(spent, median / std::f64::consts::LN_2).max(f64::MIN_POSITIVE);
        let faster = |spent| {
            let tried = 0.9 * density(spent, limits::TRIED_WITHIN) + 0.1 * density(spent, limits::TALKED_FOR);
            (tried / played(spent)).ln()
        };
        let mut likelier = 0.0;
        let (mut most, mut tried) = (limits::TRIED_ON.ln(), 0);
        for (count, &spent) in (1..).zip(spent.iter().rev().take(limits::TRIED_AT_MOST)) {
            // Before the first of them they may have talked for a while.
            let first = likelier + faster(spent).max(0.0);
            if first > most || (tried > 0 && first == most) {
                (most, tried) = (first, count);
            }
            likelier += faster(spent);
        }
        tried
    }

    /// Notes how far moves have followed each other since something was taken back; they are play when there are so many.
    pub(super) fn note_run(&mut self) {
        let best = &self.search.best().node;
        let Phase::LookedAt(Stopped { run: Some(run), stood, .. }) = &mut self.phase else { return };
        if self.search.best().mismatched != 0 || !self.stillness.settled() {
            return;
        }
        let common = best.walk_back().find(|node| run.to.leads_from(node)).unwrap_or(best);
        // What is explained otherwise was not taken back.
        let first = best.at(common.ply + 1);
        let is_back = first.is_none_or(|first| first.completed_by.index > run.to.completed_by.index);
        // Nor is played what is put back as the game had it.
        if best.guess || stood.leads_from(best) {
            run.from = best.clone();
        } else if (is_back && common.line_hash != run.to.line_hash) || common.ply < run.from.ply {
            run.from = common.clone();
        }
        run.to = best.clone();
        let mut nodes: Vec<_> =
            best.walk_back().take_while(|node| node.ply > run.from.ply).cloned().collect();
        nodes.reverse();
        if self.is_play(&nodes) {
            self.move_on(Evidence::WentOnForLong);
            self.search.is_news();
        }
    }

    /// Forgets that the board went back when what was published since was surely played.
    pub(super) fn note_gone_on(&mut self) {
        let Some(came) = &self.came_to else { return };
        let since = self.published.moves.iter().skip(came.stand).map(|published| published.node.clone());
        let since: Vec<_> = since.collect();
        if since.len() >= came.moves.len() && self.is_play(&since) {
            self.came_to = None;
        }
    }

    /// Whether these moves are play: enough of them, and the more the faster they came than those of the game.
    pub(super) fn is_play(&self, nodes: &[Rc<Node<G>>]) -> bool {
        let played = pace(self.published.moves.iter().map(|published: &PublishedMove<G>| &published.node));
        let pace = pace(nodes.iter()).zip(played).map_or(1.0, |(now, then)| (now / then).min(1.0));
        nodes.len() as f64 * pace >= limits::RESUMED_BY
    }
}

/// How many seconds a ply of these took.
fn pace<'a, G: Game + 'a>(mut moves: impl Iterator<Item = &'a Rc<Node<G>>>) -> Option<f64> {
    let landed = |node: &Node<G>| node.completed_by.stamp.time();
    let first = moves.next()?;
    let (plies, last) = moves.fold((0u32, first), |(plies, _), node| (plies + 1, node));
    let took = landed(first).zip(landed(last)).map(|(from, to)| from.seconds_until(to));
    took.filter(|_| plies > 0).map(|took| took / f64::from(plies))
}
