//! The last move was withdrawn: its squares read again as before it, or its piece is lifted again to be put elsewhere,
//! before its press or after the other side has pressed back.

use super::{Expansion, Proposer};
use crate::{
    reconstruct::{
        costs::Deviation,
        hypothesis::Hypothesis,
        limits,
        observe::{BoardState, event::Event},
    },
    rules::{Colour, Game, bit, set_of, squares},
};

/// See the module.
pub struct Withdrawals;

impl<G: Game> Proposer<G> for Withdrawals {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        if let Some(withdrawn) = without_last_move(parent, event, &expansion.state) {
            // The move played instead may be complete: one poll reports both, in the order of its scan. Without presses
            // a piece that went back comes to rest, and is handled then.
            let taken_up = withdrawn.mismatched & parent.node.changed != 0;
            if expansion.state.clock_in_use() || taken_up {
                expansion.complete(&withdrawn, event, !0, limits::CHAIN_MAX_MOVES);
            }
            expansion.add(withdrawn);
        }
    }
}

/// The hypothesis without its last move, if the board shows the squares of that move as before it, or its piece was
/// just lifted from where it had rested. A move that was pressed and stood is withdrawn only if the side to move has
/// pressed back, or the whole board reads as before it.
fn without_last_move<G: Game>(
    parent: &Hypothesis<G>,
    event: &Event,
    state: &BoardState,
) -> Option<Box<Hypothesis<G>>> {
    let node = &parent.node;
    if node.changed & parent.mismatched == 0 {
        return None;
    }
    let elsewhere = went_elsewhere(parent, state);
    let to_move = node.game.turn();
    let press = pressed_for(parent, elsewhere);
    let pressed = press == PressedFor::LastMove;
    let pressed_back = pressed && parent.presses.is_ahead(to_move);
    // A final move goes back by agreement, and then completely.
    let meant = pressed && node.seen_at_rest.get() && !pressed_back;
    let agreed = || state.clock_in_use() && parent.mismatched & !node.changed == 0;
    if meant && !agreed() {
        return None;
    }
    let before = node.parent.as_ref()?;
    let codes = before.game.placement().codes();
    let differing = set_of(squares(node.changed).filter(|&at| state.code(at) != codes[at as usize]));
    if meant && differing != 0 {
        return None;
    }
    let mover = before.game.turn();
    let moved = squares(node.changed).find(|&at| Colour::of(codes[at as usize]) == Some(mover));
    // A piece from a dead square was only seen to land.
    let landed = node.landed_code();
    let piece = moved.map_or(landed, |at| codes[at as usize]);
    let lifted = if differing == 0 {
        None
    } else {
        let up = is_up(parent, event, elsewhere, state);
        // Before the board rested, the hypothesis without this move is still in the beam; after other changes it is a
        // takeback or a setting up.
        let fresh = event.index <= node.completed_by.index + limits::FRESH_CHANGES;
        // A mover who was given the move back may put the piece at once where it is to go.
        let open = pressed_back || !pressed && node.seen_at_rest.get();
        // A capture of several men may rest wherever it turns.
        let whole = !G::CAPTURES_BY_JUMPING;
        Some(moved.filter(|_| up && whole && fresh && open)?)
    };
    let deviation = if pressed { Deviation::WithdrawnPressed } else { Deviation::Withdrawn };
    let mut account = parent.account().clone();
    account.charge(deviation);
    if press == PressedFor::MoveInstead {
        account.charge(Deviation::PressFirst);
    }
    let mut withdrawn = parent.back_at(before.clone(), account);
    withdrawn.mismatched = parent.mismatched & !node.changed | differing;
    let its_own = |e: &Event| e.new == piece || e.new == 0 && e.old == piece;
    // A man that it had captured is put back; any other piece there is that of the reply.
    let replied = |e: &Event| differing & bit(e.square) != 0 && Colour::of(e.new) == Some(to_move);
    let others = |e: &&Event| !its_own(e) && (node.changed & bit(e.square) == 0 || replied(e));
    withdrawn.unexplained.extend(parent.unexplained.iter().filter(others).copied());
    // As if it had been put back and lifted again.
    let again = |from| Event { square: from, old: piece, ..*event };
    withdrawn.unexplained.extend(lifted.map(again));
    withdrawn.taken_up = lifted.map(|from| (from, node.to));
    withdrawn.awaits_press |= meant;
    if pressed_back {
        // Neither press belongs to a move.
        withdrawn.presses.void(mover, node.ply);
        withdrawn.presses.void(to_move, node.ply + 1);
    } else {
        withdrawn.presses.count_press(mover);
    }
    Some(withdrawn)
}

/// The change with which the piece of the last move, which has left the square where that ended, came to where it is
/// now.
fn went_elsewhere<'a, G: Game>(parent: &'a Hypothesis<G>, state: &BoardState) -> Option<&'a Event> {
    let node = &parent.node;
    let landed = node.landed_code();
    let there = state.code(node.to);
    // The reply may have gone at once to where the move ended; without presses this may as well be a capture there.
    let replied = state.clock_in_use() && Colour::of(there) == Some(node.game.turn());
    if there != 0 && !replied {
        return None;
    }
    let stands = |e: &&Event| {
        e.new == landed && state.code(e.square) == landed && parent.mismatched & bit(e.square) != 0
    };
    parent.unexplained.iter().rev().find(stands)
}

/// What the press after the last move, if any, was for.
#[derive(PartialEq)]
enum PressedFor {
    /// Nobody has pressed for the last move: there is no press, or it came after its piece had landed elsewhere.
    Nothing,
    LastMove,
    /// One poll reported the press and the piece's landing elsewhere: it belongs to the move played instead.
    MoveInstead,
}

/// See [`PressedFor`]. `elsewhere`: the change with which the piece of the last move came to where it is now.
fn pressed_for<G: Game>(parent: &Hypothesis<G>, elsewhere: Option<&Event>) -> PressedFor {
    let Some(press) = parent.pressed(parent.node.ply) else { return PressedFor::Nothing };
    let Some(landing) = elsewhere else { return PressedFor::LastMove };
    if press.index >= landing.index {
        PressedFor::Nothing
    } else if press.stamp.is_before(landing.stamp, limits::POLLED_APART_SECONDS) {
        PressedFor::LastMove
    } else {
        PressedFor::MoveInstead
    }
}

/// Whether the piece of the last move was lifted with this change.
fn is_up<G: Game>(
    parent: &Hypothesis<G>,
    event: &Event,
    elsewhere: Option<&Event>,
    state: &BoardState,
) -> bool {
    let to = parent.node.to;
    let landed = parent.node.landed_code();
    // Kings go to the centre when the game is over, and without a clock nothing shows whether the last move was meant.
    let may_signal = !state.clock_in_use() && G::announces(landed);
    match elsewhere {
        Some(landing) if may_signal && G::ANNOUNCED_ON & bit(landing.square) != 0 => false,
        Some(landing) => event.square == to || event.index == landing.index,
        None => event.square == to && event.old == landed && event.new == 0 && !may_signal,
    }
}
