//! A piece landed where no one saw it, and what follows shows where: another piece comes there, or it goes on from
//! there. Only where what follows is known, which is when the search goes back and looks again.

use super::{Expansion, Proposer, unseen_landing::assumed};
use crate::{
    reconstruct::{costs::Deviation, hypothesis::Hypothesis, limits, observe::event::Event},
    rules::{Candidate, Colour, Game, Squares, bit, set_of, squares},
};

/// See the module.
pub struct ForeseenLandings;

impl<G: Game> Proposer<G> for ForeseenLandings {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        if event.seen {
            propose_from(expansion, parent, event, bit(event.square));
        }
    }
}

/// The same for the hypotheses just found, and for those found from them.
pub fn propose_from_children<G: Game>(expansion: &mut Expansion<G>, event: &Event) {
    if expansion.lookahead.left == 0 {
        return;
    }
    let mut found = std::mem::take(&mut expansion.children);
    for hypothesis in &mut found {
        hypothesis.update_rank();
        expansion.cost_limit = expansion.cost_limit.min(hypothesis.rank() + expansion.margin);
    }
    let mut at = 0;
    while at < found.len() {
        propose_from(expansion, &found[at], event, !0);
        found.append(&mut expansion.children);
        at += 1;
    }
    expansion.children = found;
}

/// Adds the hypotheses in which a piece of the side to move that has left one of the squares `left` has landed where
/// no one saw it.
fn propose_from<G: Game>(expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event, left: Squares) {
    let left = left & parent.mismatched;
    let least = Deviation::UnseenRecapture.price().min(Deviation::UnseenWentOn.price());
    if expansion.lookahead.left == 0 || left == 0 || expansion.is_hopeless(parent.cost() + least) {
        return;
    }
    let turn = parent.node.game.turn();
    let own = |code: u8| Colour::of(code) == Some(turn);
    // Of most positions this tells, far sooner than their moves, that no piece is gone.
    let gone = squares(left).any(|at| own(parent.expected(at)) && !own(expansion.state.code(at)));
    if !gone {
        return;
    }
    for first in parent.position.moves_from(left) {
        let (from, to) = (bit(first.from), bit(first.to));
        let state = &expansion.state;
        let others = |(at, code): (u8, u8)| bit(at) & (from | to) != 0 || parent.read_right(at, code, state);
        if parent.position.game.dead() & to != 0
            || own(state.code(first.from))
            || first.changed & !(from | to) & !parent.mismatched != 0
            || !first.changes().all(others)
        {
            continue;
        }
        let code = first.code_at(first.to).unwrap_or(first.piece);
        let charges = if expansion.lookahead.is_taken(first.to, code) {
            [(Deviation::UnseenRecapture, 1.0), (Deviation::Choice, 0.0), (Deviation::EnPrise, 0.0)]
        } else if goes_on(expansion, parent, &first, code) {
            assumed(parent, &first)
        } else {
            continue;
        };
        let cost: f32 = charges.iter().map(|&(deviation, times)| deviation.price() * times).sum();
        if expansion.is_hopeless(parent.cost() + cost) {
            continue;
        }
        expansion.lookahead.left = expansion.lookahead.left.saturating_sub(1);
        let Some(mut child) = expansion.played(parent, &first, event, cost) else { continue };
        child.charge_move(&charges);
        if expansion.is_hopeless(child.cost()) {
            continue;
        }
        if expansion.state.code(first.to) != code {
            child.mismatched |= to;
        }
        expansion.complete(&child, event, !0, 1);
        expansion.children.push(child);
    }
}

/// Whether, after an unseen first move, a reply and the next move of the same piece will be seen.
fn goes_on<G: Game>(
    expansion: &Expansion<G>,
    parent: &Hypothesis<G>,
    first: &Candidate<G::Move>,
    code: u8,
) -> bool {
    let Expansion { state, lookahead, .. } = expansion;
    if !lookahead.soon().any(|(at, landing)| landing == code && G::may_go(code, first.to, code, at)) {
        return false;
    }
    // Where a piece of the other side comes or has come.
    let reply = |code: u8| Colour::of(code) == Some(parent.node.game.turn().other());
    let comes = lookahead.soon().filter(|&(_, landing)| reply(landing)).map(|(at, _)| at);
    let came = squares(parent.mismatched).filter(|&at| reply(state.code(at)));
    let shows = set_of(comes.chain(came)) & !bit(first.to);
    let after = parent.position.after(first);
    let shown = |mv: &Candidate<G::Move>, code: u8| {
        lookahead.lands(mv.to, code) || (parent.mismatched & bit(mv.to) != 0 && state.code(mv.to) == code)
    };
    let replies = after.moves_to(shows);
    let replies = replies.filter(|second| shown(second, second.code_at(second.to).unwrap_or(second.piece)));
    let landings = lookahead.soon().filter(|&(_, landing)| landing == code);
    let stands = squares(parent.mismatched).filter(|&at| state.code(at) == code);
    let goes = set_of(landings.map(|(at, _)| at).chain(stands));
    // Not kept with the position: of most nothing else is ever asked.
    let mut replies = replies.take(limits::REPLIES);
    replies.any(|second| after.game.after(&second).can_go(first.to, goes))
}
