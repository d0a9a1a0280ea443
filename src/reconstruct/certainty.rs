//! The certainty of a move: the costs of the explanations as probabilities.
//!
//! Costs are meant as logarithms of probabilities, but the prices were set by what explains played games best, so that
//! a difference of costs has to be scaled: the scale is the **temperature**. Something that no explanation has may have
//! been played: its probability is the **rest**, which falls with the time that the players take. `scripts/accuracy
//! FOLDER --certainty` plays games and counts how often a move that was published with some lead was wrong; both values
//! are fitted to that. The man page of `reconstruct` gives the result.
//!
//! The publisher uses it. A move is published again only when its certainty has come into another of the [`BANDS`].

use std::rc::Rc;

use super::{backtrack::Search, hypothesis::Hypothesis, tree::node::Node};
use crate::{
    record::{Alternative, Move},
    rules::Game,
};

/// The borders of the bands of certainty.
pub const BANDS: [f64; 4] = [0.5, 0.9, 0.99, 0.9999];
/// Up to this many alternatives are published with a move whose certainty is below the third border, each at least
/// [`ALTERNATIVE_MIN`] likely.
const ALTERNATIVES_MAX: usize = 3;
const ALTERNATIVE_MIN: f64 = 0.005;

/// The number of units of cost that makes an explanation e times less likely: with a clock in use, whose presses are
/// stronger evidence than their prices, and without one.
const TEMPERATURE: [f64; 2] = [0.17, 0.3];
/// The same for games that led to the same position and differ only in what was not seen, or in which of two squares is
/// dead: later evidence hardly separates these.
const TEMPERATURE_MERGED: f64 = 0.9;
/// Added to the cost of an explanation that has no move for the ply yet.
const NO_MOVE_YET_COST: f64 = 4.0;
/// The probability that no explanation has what was played, for a move that took one second. It is divided by the
/// seconds of slower moves to the power of [`REST_EXPONENT`].
const REST_AT_ONE_SECOND: f64 = 0.016;
const REST_EXPONENT: f64 = 1.5;
/// The highest rest: faster hands do not hide more.
const REST_MAX: f64 = 0.005;
/// The part of the rest that remains when the game has gone on from the move.
const REST_LEFT_WHEN_CONFIRMED: f64 = 0.1;
/// An explanation that many temperatures dearer than the best one changes no published digit.
const NEGLIGIBLE_TEMPERATURES: f64 = 25.0;
/// The number of plies over which the pace is measured.
const PACE_PLIES: u32 = 8;

/// The certainty of a move, with its alternatives.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Certainty {
    /// The probability that it was played; none above the highest of the [`BANDS`].
    pub certainty: Option<f64>,
    /// Moves that fit nearly as well, the likeliest first.
    pub alternatives: Vec<Alternative>,
}

/// The weights of a move and of the others at its ply, before publication.
pub struct Weighed<'a, G: Game> {
    node: &'a Rc<Node<G>>,
    /// The probability of the move.
    probability: f64,
    /// The other moves that may have been played at its ply, each with its probability.
    others: Vec<(&'a Rc<Node<G>>, f64)>,
    /// All explanations with a noticeable weight share the game up to this move.
    pub agreed: bool,
}

impl<'a, G: Game> Weighed<'a, G> {
    /// Weighs the move that led to `node`; `rest` is its [`rest`], which does not change.
    pub fn of(node: &'a Rc<Node<G>>, rest: f64, search: &'a Search<G>) -> Weighed<'a, G> {
        let best = search.best();
        if search.rulings().rules_ply(node.ply) {
            return Weighed { node, probability: 1.0, others: Vec::new(), agreed: false };
        }
        let temperature = temperature(search);
        let (lowest, best_dead) = (f64::from(best.rank()), best.node.game.dead());
        let (mut own, mut all) = (0.0, 0.0);
        let mut others: Vec<(&Rc<Node<G>>, f64)> = Vec::new();
        let mut agreed = true;
        let mut count = |at: Option<&'a Rc<Node<G>>>, weight: f64| {
            all += weight;
            match at {
                // Two games may differ before this ply and have the same move here.
                Some(same) if same.line_hash == node.line_hash || same.mv == node.mv => own += weight,
                Some(other) => {
                    match others.iter_mut().find(|(known, _)| known.line_hash == other.line_hash) {
                        Some((_, known)) => *known += weight,
                        None => others.push((other, weight)),
                    }
                }
                None => {}
            }
        };
        // The hypotheses come in the order of their ranks.
        let dearer = |hypothesis: &Hypothesis<G>| f64::from(hypothesis.rank()) - lowest;
        // The higher temperature applies only where squares are taken for dead.
        let hottest = if best_dead == 0 { temperature } else { TEMPERATURE_MERGED };
        let counts = |hypothesis: &&Hypothesis<G>| dearer(hypothesis) <= NEGLIGIBLE_TEMPERATURES * hottest;
        for hypothesis in search.sound().take_while(counts) {
            let dearer = dearer(hypothesis);
            let at = hypothesis.node.at(node.ply);
            let to_pay = if at.is_none() && dearer > 0.0 { NO_MOVE_YET_COST } else { 0.0 };
            let dead = hypothesis.node.game.dead();
            let on_another_square = dead & !best_dead != 0 && best_dead & !dead != 0;
            let temperature = if on_another_square { TEMPERATURE_MERGED } else { temperature };
            let weight = (-(dearer + to_pay) / temperature).exp();
            let here = at.map(|at| at.line_hash);
            agreed &= here == Some(node.line_hash);
            count(at, weight);
            for merged in hypothesis.merged() {
                let other = merged.node.at(node.ply);
                // The merged game may have ended before this ply, and may differ earlier.
                agreed &= other.is_some_and(|other| Some(other.line_hash) == here);
                if other.is_some_and(|other| Some(other.line_hash) != here) {
                    count(other, weight * (-f64::from(merged.dearer) / TEMPERATURE_MERGED).exp());
                }
            }
        }
        others.iter_mut().for_each(|(_, weight)| *weight /= all);
        Weighed { node, probability: own / all * probability(rest, node, search), others, agreed }
    }

    /// Weighs a move before one for which `agreed` holds: there is no other move to weigh.
    pub fn before_agreed(node: &'a Rc<Node<G>>, rest: f64, search: &'a Search<G>) -> Weighed<'a, G> {
        let ruled = search.rulings().rules_ply(node.ply);
        let probability = if ruled { 1.0 } else { probability(rest, node, search) };
        Weighed { node, probability, others: Vec::new(), agreed: true }
    }

    /// The probability as it is published; none above the highest of the [`BANDS`].
    fn certainty(&self) -> Option<f64> {
        (self.probability <= BANDS[3]).then(|| digits(self.probability))
    }

    /// The number of its band, 0 to 4.
    pub fn band(&self) -> usize {
        band(self.certainty())
    }

    /// The certainty to publish, with alternatives where it is low.
    pub fn certainty_to_publish(mut self) -> Certainty {
        let wanted = if self.probability < BANDS[2] { ALTERNATIVES_MAX } else { 0 };
        self.others.sort_by(|a, b| b.1.total_cmp(&a.1));
        let others = self.others.iter();
        let alternatives = others.filter_map(|(other, weight)| alternative(self.node, other, *weight));
        Certainty { certainty: self.certainty(), alternatives: alternatives.take(wanted).collect() }
    }
}

/// The probability of a move that all explanations share: at most its share of the ways through a gap, less what
/// remains of its [`rest`].
fn probability<G: Game>(rest: f64, node: &Node<G>, search: &Search<G>) -> f64 {
    let confirmed = search.best().node.ply > node.ply + 1;
    (1.0 - rest * if confirmed { REST_LEFT_WHEN_CONFIRMED } else { 1.0 }).min(f64::from(node.share))
}

fn temperature<G: Game>(search: &Search<G>) -> f64 {
    TEMPERATURE[usize::from(!search.state().clock_in_use())]
}

/// The number of the band of a published certainty, 0 to 4.
pub fn band(certainty: Option<f64>) -> usize {
    certainty.map_or(BANDS.len(), |certainty| BANDS.iter().filter(|&&from| certainty >= from).count())
}

/// The probability that none of the explanations has what was played, which is higher for faster hands.
pub fn rest<G: Game>(node: &Rc<Node<G>>) -> f64 {
    let plies = node.ply.min(PACE_PLIES);
    let began = node.at(node.ply - plies).and_then(|earlier| earlier.completed_by.stamp.time());
    let spent = began.zip(node.completed_by.stamp.time()).map(|(from, to)| from.seconds_until(to));
    let pace = spent.map_or(1.0, |spent| spent.max(0.0) / f64::from(plies.max(1)));
    (REST_AT_ONE_SECOND / pace.max(0.1).powf(REST_EXPONENT)).min(REST_MAX)
}

/// The move of another node with its probability, if both moves start from the same game and it is likely enough.
fn alternative<G: Game>(node: &Node<G>, other: &Node<G>, certainty: f64) -> Option<Alternative> {
    let (before, parent) = (node.parent.as_ref()?, other.parent.as_ref()?);
    if before.line_hash != parent.line_hash || certainty < ALTERNATIVE_MIN {
        return None;
    }
    let Move { san, uci, notation, .. } = parent.game.describe(other.mv.as_ref()?);
    Some(Alternative { san, uci, notation, certainty: digits(certainty) })
}

/// Rounds down to two to four digits, so that a certainty stays in its band.
fn digits(certainty: f64) -> f64 {
    let scale = match certainty {
        sure if sure >= 0.99 => 10_000.0,
        sure if !(0.1..0.9).contains(&sure) => 1000.0,
        _ => 100.0,
    };
    ((certainty * scale).floor() / scale).max(0.001)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounded_certainty_stays_in_its_band() {
        for (certainty, rounded) in [
            (0.98999, 0.989),
            (0.8999, 0.89),
            (0.99989, 0.9998),
            (0.4999, 0.49),
            (0.001, 0.001),
            (0.0004, 0.001),
        ] {
            assert_eq!(digits(certainty), rounded);
        }
        assert_eq!([Some(0.3), Some(0.5), Some(0.95), Some(0.99), None].map(band), [0, 1, 2, 3, 4]);
    }
}
