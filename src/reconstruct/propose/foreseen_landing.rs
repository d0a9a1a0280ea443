//! An unseen landing that later changes show: another piece comes there, or the piece goes on from there. Later changes
//! are known only during a replay.
//!
//! The piece was lifted, or seen on its way, and then never again; or a king castled and its rook was not seen to. The
//! later move may itself have been unseen ([`following`](super::following)).

use super::{
    Expansion, Proposer,
    following::{Following, Replying, replying},
    unseen_landing::assumed,
};
use crate::{
    reconstruct::{
        costs::{Deviation, price_of},
        hypothesis::Hypothesis,
        observe::event::Event,
    },
    rules::{Candidate, Colour, Game, Squares, bit, set_of, squares},
};

/// See the module.
pub struct ForeseenLandings;

impl<G: Game> Proposer<G> for ForeseenLandings {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        if !event.seen || expansion.lookahead.left == 0 {
            return;
        }
        let turn = parent.node.game.turn();
        let own = |code: u8| Colour::of(code) == Some(turn);
        let passed = event.new == 0 && own(event.old) && parent.expected(event.square) != event.old;
        if passed {
            // A slide whose way was seen: the piece is looked for when it leaves the last square on its way.
            let stands = |at: u8| parent.expected(at) != event.old && expansion.state.code(at) == event.old;
            if squares(parent.mismatched).any(stands) {
                return;
            }
            let from = squares(parent.mismatched).filter(|&at| parent.expected(at) == event.old);
            propose_from(expansion, parent, event, set_of(from), bit(event.square));
        } else {
            propose_from(expansion, parent, event, bit(event.square), 0);
        }
        castle(expansion, parent, event);
    }
}

/// The same for the hypotheses just found, and for those found from them.
pub fn propose_from_children<G: Game>(expansion: &mut Expansion<G>, event: &Event) {
    if expansion.lookahead.left == 0 {
        return;
    }
    let mut found = std::mem::take(&mut expansion.children);
    let mut at = 0;
    while at < found.len() {
        propose_from(expansion, &found[at], event, !0, 0);
        found.append(&mut expansion.children);
        at += 1;
    }
    expansion.children = found;
}

/// Adds the hypotheses in which a piece of the side to move that has left one of the squares `left` has landed unseen,
/// and passed the squares `over`.
fn propose_from<G: Game>(
    expansion: &mut Expansion<G>,
    parent: &Hypothesis<G>,
    event: &Event,
    left: Squares,
    over: Squares,
) {
    let left = left & parent.mismatched;
    let least = Deviation::UnseenRecapture.price().min(Deviation::UnseenWentOn.price());
    if expansion.lookahead.left == 0 || left == 0 || expansion.is_hopeless(parent.cost() + least) {
        return;
    }
    // Cheap check first, which excludes most positions: without a missing piece no moves need to be computed.
    let gone = expansion.left_by_mover(parent, left);
    if gone == 0 {
        return;
    }
    let replying = replying(expansion, parent);
    for first in parent.position.moves_from(gone) {
        let (from, to) = (bit(first.from), bit(first.to));
        let state = &expansion.state;
        let others = |(at, code): (u8, u8)| bit(at) & (from | to) != 0 || parent.read_right(at, code, state);
        if parent.position.game.dead() & to != 0
            || over & !first.transit != 0
            || first.changed & !(from | to) & !parent.mismatched != 0
            || !first.changes().all(others)
        {
            continue;
        }
        let code = first.code_at(first.to).unwrap_or(first.piece);
        let is_taken = expansion.lookahead.is_taken(first.to, code);
        let follows = Following::new(expansion, parent, &replying);
        let Some(charges) = landing_charges(&follows, is_taken, parent, &first, code) else {
            continue;
        };
        let cost = price_of(&charges);
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
        expansion.add(child);
    }
}

/// The deviations to charge for an unseen landing; none where no later change shows it.
fn landing_charges<G: Game>(
    follows: &Following<G>,
    is_taken: bool,
    parent: &Hypothesis<G>,
    first: &Candidate<G::Move>,
    code: u8,
) -> Option<[(Deviation, f32); 3]> {
    // En passant costs half where the reply is seen: a landing hidden by the capture is charged for its order, too.
    let taken = |in_passing: bool| {
        let times = if in_passing { 0.5 } else { 0.0 };
        [(Deviation::UnseenRecapture, 1.0), (Deviation::UnseenEnPassant, times), (Deviation::EnPrise, 0.0)]
    };
    if is_taken {
        Some(taken(false))
    } else if follows.is_shown(first, first.to, code) {
        Some(assumed(parent, first))
    } else {
        follows.retakes(first).map(taken)
    }
}

/// Adds the hypotheses in which a king has castled, as the last change shows, and its rook has left its new square
/// unseen.
fn castle<G: Game>(expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
    let turn = parent.node.game.turn();
    let own = |code: u8| Colour::of(code) == Some(turn);
    let gone = |&at: &u8| own(parent.expected(at)) && parent.expected(at) != expansion.state.code(at);
    let price = Deviation::UnseenWentOn.price();
    if parent.position.game.may_castle() == 0
        || squares(parent.mismatched).filter(gone).count() < 2
        || expansion.is_hopeless(parent.cost() + price)
    {
        return;
    }
    for castling in parent.position.castles().filter(|c| c.changed & bit(event.square) != 0) {
        let rook = castling.placed.iter().find(|&&(at, _)| at != castling.to);
        let Some(&(at, code)) = rook else { continue };
        let state = &expansion.state;
        let right = |(square, code): (u8, u8)| square == at || state.code(square) == code;
        if state.code(at) == code
            || !castling.changes().all(right)
            || !Following::new(expansion, parent, &Replying::new()).is_shown(&castling, at, code)
        {
            continue;
        }
        expansion.lookahead.left = expansion.lookahead.left.saturating_sub(1);
        let Some(mut child) = expansion.played(parent, &castling, event, price) else { continue };
        child.charge_move(&[(Deviation::UnseenWentOn, 1.0)]);
        child.mismatched |= bit(at);
        expansion.add(child);
    }
}
