//! Players analyse their game without a clock: they go back many moves, and try others.
//!
//! During play, players take back one or two moves at most. Once the board goes back further, the game is taken to have
//! ended at its furthest point, until enough moves follow each other, as slowly as before, to show that play has gone
//! on. Moves may also be tried from the last position before anything is taken back: they come much faster than those
//! of the game. The publisher asks before it withdraws, and the tracked game after each record.

use std::rc::Rc;

use super::{
    phase::{Evidence, Phase, Run, Stopped},
    published::PublishedMove,
    state::{FirstBack, TrackedGame},
};
use crate::{
    reconstruct::{limits, tree::node::Node, update::Update},
    record::TakebackReason,
    rules::Game,
};

impl<G: Game> TrackedGame<G> {
    /// Whether the players have begun to analyse, of which nothing is published: the board goes back, only the first
    /// `stand` of the published moves remain, and `others` follow them.
    pub(super) fn starts_analysis(
        &mut self,
        stand: usize,
        others: &[Rc<Node<G>>],
        updates: &mut Vec<Update>,
    ) -> bool {
        if self.search.state().clock_in_use() || !matches!(self.phase, Phase::InPlay) {
            return false;
        }
        let mut back = self.published.moves[stand..].to_vec();
        let mut came = FirstBack { stand, taken_back: back.len(), moves: Vec::new() };
        if let Some(mut before) = self.first_back.take() {
            back.truncate(before.stand.saturating_sub(stand));
            back.append(&mut before.moves);
            (came.stand, came.taken_back) = (stand.min(before.stand), came.taken_back + before.taken_back);
        }
        came.moves = back;
        if came.taken_back < limits::ANALYSIS_MIN_BACK || self.is_play(others) {
            self.first_back = Some(came);
            return false;
        }
        let now = self.stillness.now;
        if self.published.moves.len() != came.stand + came.moves.len() {
            self.published.publish_instead(came.stand, came.moves, TakebackReason::LookedAt, now, updates);
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

    /// How many of the last published moves were steps on the way back: their squares read as in the best explanation.
    fn steps_back(&self) -> usize {
        let codes = *self.search.best().node.game.placement().codes();
        let is_step = |step: &&PublishedMove<G>| step.node.game.differing(&codes) & step.node.changed == 0;
        self.published.moves.iter().rev().take_while(is_step).count()
    }

    /// How many of the first `played` published moves were probably tried after the game: they came as fast as tried
    /// moves do, unlike those before them.
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
        // Times between moves are taken to be exponentially distributed; the logarithm of the ratio for tried and for
        // played moves.
        let density = |spent: f64, mean: f64| (-spent / mean).exp() / mean;
        let played = |spent| density(spent, median / std::f64::consts::LN_2).max(f64::MIN_POSITIVE);
        let faster = |spent| {
            let tried = 0.9 * density(spent, limits::TRIED_MEAN_SECONDS)
                + 0.1 * density(spent, limits::TALKED_MEAN_SECONDS);
            (tried / played(spent)).ln()
        };
        let mut likelier = 0.0;
        let (mut most, mut tried) = (limits::TRIED_ONE_GAME_IN.ln(), 0);
        for (count, &spent) in (1..).zip(spent.iter().rev().take(limits::TRIED_MAX_PLIES)) {
            // Players may talk for a while before the first of them.
            let first = likelier + faster(spent).max(0.0);
            if first > most || (tried > 0 && first == most) {
                (most, tried) = (first, count);
            }
            likelier += faster(spent);
        }
        tried
    }

    /// Follows moves in a row since something was taken back; enough of them are play.
    pub(super) fn note_moves_in_a_row(&mut self) {
        let best = &self.search.best().node;
        let Phase::Analysis(Stopped { run: Some(run), stood, .. }) = &mut self.phase else { return };
        if self.search.best().mismatched != 0 || !self.stillness.settled() {
            return;
        }
        let common = best.walk_back().find(|node| run.to.leads_from(node)).unwrap_or(best);
        // A move that is only explained in another way was not taken back.
        let first = best.at(common.ply + 1);
        let is_back = first.is_none_or(|first| first.completed_by.index > run.to.completed_by.index);
        // Moves that put pieces back as the game had them are no play either.
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
            self.search.mark_changed();
        }
    }

    /// Forgets that the board went back, once the moves published since are surely play.
    pub(super) fn forget_first_back(&mut self) {
        let Some(came) = &self.first_back else { return };
        let since = self.published.moves.iter().skip(came.stand).map(|published| published.node.clone());
        let since: Vec<_> = since.collect();
        if since.len() >= came.moves.len() && self.is_play(&since) {
            self.first_back = None;
        }
    }

    /// Whether these moves are play: enough of them, and more if they came faster than those of the game.
    pub(super) fn is_play(&self, nodes: &[Rc<Node<G>>]) -> bool {
        let played = pace(self.published.moves.iter().map(|published: &PublishedMove<G>| &published.node));
        let pace = pace(nodes.iter()).zip(played).map_or(1.0, |(now, then)| (now / then).min(1.0));
        nodes.len() as f64 * pace >= f64::from(limits::PLAY_PLIES)
    }
}

/// The mean number of seconds for a ply of these moves.
fn pace<'a, G: Game + 'a>(mut moves: impl Iterator<Item = &'a Rc<Node<G>>>) -> Option<f64> {
    let landed = |node: &Node<G>| node.completed_by.stamp.time();
    let first = moves.next()?;
    let (plies, last) = moves.fold((0u32, first), |(plies, _), node| (plies + 1, node));
    let took = landed(first).zip(landed(last)).map(|(from, to)| from.seconds_until(to));
    took.filter(|_| plies > 0).map(|took| took / f64::from(plies))
}
