//! The explanation of a published move: its charges and the next explanation, where the user asks for it.

use std::rc::Rc;

use crate::{
    reconstruct::{backtrack::Search, costs::Charge, tree::node::Node},
    record::Explain,
    rules::Game,
};

/// The charges of a move on the best line, and its best rival; none where charges are not itemised.
pub fn explain<G: Game>(node: &Rc<Node<G>>, search: &Search<G>) -> Option<Box<Explain>> {
    if !search.best().account().is_itemised() {
        return None;
    }
    let charge = |charge: &Charge| (charge.deviation.row().name.into(), hundredths(charge.cost));
    let rival = search.rival(node.ply);
    let runner_up = rival.and_then(|rival| rival.node.at(node.ply)).and_then(|other| {
        let described = other.parent.as_ref()?.game.describe(other.mv.as_ref()?);
        described.uci.or(described.notation)
    });
    Some(Box::new(Explain {
        charges: node.charges.iter().map(charge).collect(),
        runner_up,
        lead: rival.map(|rival| hundredths(rival.rank() - search.best().rank())),
    }))
}

/// A cost rounded to two digits: no price has more.
fn hundredths(cost: f32) -> f64 {
    (f64::from(cost) * 100.0).round() / 100.0
}
