//! How sure a move is: what the explanations cost, as probabilities.
//!
//! Costs are meant as logarithms of probabilities, but prices were set by what explains played games best, so that a lead
//! says more or less than it costs: how much is the **temperature**. And what no explanation of the search has may still have
//! been played: that is the **rest**, which falls with the time that the players take. Both are fitted by
//! `scripts/accuracy FOLDER --certainty`, which plays games and counts how often a move that was told with some lead was
//! wrong; the man page of `reconstruct` says how it came out.
//!
//! For the publisher. A move is told again only when its certainty has come into another of the [`BANDS`].

use std::rc::Rc;

use super::{backtrack::Search, hypothesis::Hypothesis, tree::node::Node};
use crate::{
    record::{Alternative, Move},
    rules::Game,
};

/// Where one band of certainty ends and the next begins.
pub const BANDS: [f64; 4] = [0.5, 0.9, 0.99, 0.9999];
/// Below this the alternatives are told.
const WITH_ALTERNATIVES: f64 = 0.99;
/// No more than so many are, and none that is less likely.
const ALTERNATIVES: usize = 3;
const LEAST: f64 = 0.005;

/// So many units of cost make another explanation e times less likely: with a clock in use, whose presses tell more than
/// they are paid for, and without one.
const TEMPERATURE: [f64; 2] = [0.17, 0.3];
/// The same for games that differ in what nobody saw and led to the same position, or in which square is dead that a piece
/// went to: hardly anything will ever tell them apart.
const OF_MERGED: f64 = 0.9;
/// An explanation that has nothing for the ply yet will have to pay for what explains it.
const STILL_TO_PAY: f64 = 4.0;
/// How likely it is that something was played that no explanation has, for a move that took a second; the slower the
/// hands, the less, by this power of the seconds.
const REST: f64 = 0.016;
const REST_FALLS: f64 = 1.5;
/// No hands are so fast that more is missed.
const REST_AT_MOST: f64 = 0.005;
/// What is left of that when the game has gone on from the move.
const CONFIRMED: f64 = 0.1;
/// What is so many temperatures dearer than the best changes no digit that is told.
const NOTHING: f64 = 25.0;
/// The pace is that of so many plies.
const PACE: u32 = 8;

/// How sure a move is, and what else it may have been.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Certainty {
    /// How likely it is to be what was played; none above the highest of the [`BANDS`].
    pub certainty: Option<f64>,
    /// What fits nearly as well, the likeliest first.
    pub alternatives: Vec<Alternative>,
}

/// What the explanations make of a move, before it is told.
pub struct Weighed<'a, G: Game> {
    node: &'a Rc<Node<G>>,
    /// How likely it is.
    sure: f64,
    /// The other moves that may have been played at its ply, and how likely each is.
    others: Vec<(&'a Rc<Node<G>>, f64)>,
    /// All explanations that count have its very game: so they have that of every move before it.
    pub agreed: bool,
}

impl<'a, G: Game> Weighed<'a, G> {
    /// The move that led to this node; `rest` is its [`rest`], which stays what it is.
    pub fn of(node: &'a Rc<Node<G>>, rest: f64, search: &'a Search<G>) -> Weighed<'a, G> {
        let best = search.best();
        if search.rulings().speak_of(node.ply) {
            return Weighed { node, sure: 1.0, others: Vec::new(), agreed: false };
        }
        let temperature = temperature(search);
        let (lowest, best_dead) = (f64::from(best.rank()), best.node.game.dead());
        let (mut own, mut all) = (0.0, 0.0);
        let mut others: Vec<(&Rc<Node<G>>, f64)> = Vec::new();
        let mut agreed = true;
        let mut count = |at: Option<&'a Rc<Node<G>>>, weight: f64| {
            all += weight;
            match at {
                // Games that differ before may have the same move here.
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
        // They come in the order of their ranks.
        let dearer = |hypothesis: &Hypothesis<G>| f64::from(hypothesis.rank()) - lowest;
        // Only beside squares that are taken for dead may others be.
        let hottest = if best_dead == 0 { temperature } else { OF_MERGED };
        let counts = |hypothesis: &&Hypothesis<G>| dearer(hypothesis) <= NOTHING * hottest;
        for hypothesis in search.sound().take_while(counts) {
            let dearer = dearer(hypothesis);
            let at = hypothesis.node.at(node.ply);
            let to_pay = if at.is_none() && dearer > 0.0 { STILL_TO_PAY } else { 0.0 };
            let dead = hypothesis.node.game.dead();
            let on_another_square = dead & !best_dead != 0 && best_dead & !dead != 0;
            let temperature = if on_another_square { OF_MERGED } else { temperature };
            let weight = (-(dearer + to_pay) / temperature).exp();
            let here = at.map(|at| at.line_hash);
            agreed &= here == Some(node.line_hash);
            count(at, weight);
            for merged in hypothesis.merged() {
                let other = merged.node.at(node.ply);
                // It may have ended before, and differ before that.
                agreed &= other.is_some_and(|other| Some(other.line_hash) == here);
                if other.is_some_and(|other| Some(other.line_hash) != here) {
                    count(other, weight * (-f64::from(merged.dearer) / OF_MERGED).exp());
                }
            }
        }
        others.iter_mut().for_each(|(_, weight)| *weight /= all);
        Weighed { node, sure: own / all * sure(rest, node, search), others, agreed }
    }

    /// The same of a move before one of which all explanations that count have the very game.
    pub fn before_agreed(node: &'a Rc<Node<G>>, rest: f64, search: &'a Search<G>) -> Weighed<'a, G> {
        let ruled = search.rulings().speak_of(node.ply);
        let sure = if ruled { 1.0 } else { sure(rest, node, search) };
        Weighed { node, sure, others: Vec::new(), agreed: true }
    }

    /// As it is told; nothing above the highest of the [`BANDS`].
    fn certainty(&self) -> Option<f64> {
        (self.sure <= BANDS[3]).then(|| digits(self.sure))
    }

    /// Which of the bands it is in, 0 to 4.
    pub fn band(&self) -> usize {
        band(self.certainty())
    }

    /// How sure it is told to be.
    pub fn tell(mut self) -> Certainty {
        let wanted = if self.sure < WITH_ALTERNATIVES { ALTERNATIVES } else { 0 };
        self.others.sort_by(|a, b| b.1.total_cmp(&a.1));
        let others = self.others.iter();
        let alternatives = others.filter_map(|(other, weight)| alternative(self.node, other, *weight));
        Certainty { certainty: self.certainty(), alternatives: alternatives.take(wanted).collect() }
    }
}

/// How sure a move is by now that all explanations have: no surer than its share of the ways through a gap, and without what is
/// left of its [`rest`].
fn sure<G: Game>(rest: f64, node: &Node<G>, search: &Search<G>) -> f64 {
    let confirmed = search.best().node.ply > node.ply + 1;
    (1.0 - rest * if confirmed { CONFIRMED } else { 1.0 }).min(f64::from(node.share))
}

fn temperature<G: Game>(search: &Search<G>) -> f64 {
    TEMPERATURE[usize::from(!search.state().clock_in_use())]
}

/// Which of the bands a certainty is in that was told, 0 to 4.
pub fn band(certainty: Option<f64>) -> usize {
    certainty.map_or(BANDS.len(), |certainty| BANDS.iter().filter(|&&from| certainty >= from).count())
}

/// How likely it is that something else was played than any explanation has: fast hands leave more unseen.
pub fn rest<G: Game>(node: &Rc<Node<G>>) -> f64 {
    let plies = node.ply.min(PACE);
    let began = node.at(node.ply - plies).and_then(|earlier| earlier.completed_by.stamp.time());
    let spent = began.zip(node.completed_by.stamp.time()).map(|(from, to)| from.seconds_until(to));
    let pace = spent.map_or(1.0, |spent| spent.max(0.0) / f64::from(plies.max(1)));
    (REST / pace.max(0.1).powf(REST_FALLS)).min(REST_AT_MOST)
}

/// Another move than that of the node in the same position.
fn alternative<G: Game>(node: &Node<G>, other: &Node<G>, certainty: f64) -> Option<Alternative> {
    let (before, parent) = (node.parent.as_ref()?, other.parent.as_ref()?);
    if before.line_hash != parent.line_hash || certainty < LEAST {
        return None;
    }
    let Move { san, uci, notation, .. } = parent.game.describe(other.mv.as_ref()?);
    Some(Alternative { san, uci, notation, certainty: digits(certainty) })
}

/// Two to four digits, never more than there is: what is below a band stays below it.
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
    fn what_is_told_stays_in_its_band() {
        for (certainty, told) in [
            (0.98999, 0.989),
            (0.8999, 0.89),
            (0.99989, 0.9998),
            (0.4999, 0.49),
            (0.001, 0.001),
            (0.0004, 0.001),
        ] {
            assert_eq!(digits(certainty), told);
        }
        assert_eq!([Some(0.3), Some(0.5), Some(0.95), Some(0.99), None].map(band), [0, 1, 2, 3, 4]);
    }
}
