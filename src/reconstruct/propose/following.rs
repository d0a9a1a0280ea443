//! Later changes that show an unseen landing: known only during a replay.

use arrayvec::ArrayVec;

use super::Expansion;
use crate::{
    reconstruct::{
        hypothesis::Hypothesis,
        limits,
        observe::{BoardState, lookahead::Lookahead},
        tree::position::Position,
    },
    rules::{Candidate, Colour, Game, Squares, bit, set_of, squares},
};

/// A position before the move, the board, the later observations, and the mismatched squares.
pub struct Following<'a, G: Game> {
    position: &'a Position<G>,
    state: &'a BoardState,
    lookahead: &'a Lookahead,
    mismatched: Squares,
    replying: &'a Replying,
}

/// The pieces of the other side that have left their squares or soon will, with those squares.
pub type Replying = ArrayVec<(u8, u8), { limits::REPLYING_PIECES }>;

/// The pieces that may reply to the next move.
pub fn replying<G: Game>(expansion: &Expansion<G>, parent: &Hypothesis<G>) -> Replying {
    let Expansion { state, lookahead, .. } = expansion;
    let other = Some(parent.node.game.turn().other());
    let gone = squares(parent.mismatched).map(|at| (at, parent.expected(at)));
    let gone = gone.filter(|&(at, code)| state.code(at) != code).chain(lookahead.leaving());
    gone.filter(|&(_, code)| Colour::of(code) == other).take(limits::REPLYING_PIECES).collect()
}

impl<'a, G: Game> Following<'a, G> {
    /// What may follow a move after `parent`.
    pub fn new(
        expansion: &'a Expansion<G>,
        parent: &'a Hypothesis<G>,
        replying: &'a Replying,
    ) -> Following<'a, G> {
        let Expansion { state, lookahead, .. } = expansion;
        Following { position: &parent.position, state, lookahead, mismatched: parent.mismatched, replying }
    }

    /// Whether, after an unseen first move, a reply and the next move of the same piece, which stands at `at`, will be
    /// seen.
    pub fn is_shown(&self, first: &Candidate<G::Move>, at: u8, code: u8) -> bool {
        self.is_shown_in(self.position, first, at, code)
    }

    /// The same for a move in another position.
    fn is_shown_in(&self, position: &Position<G>, first: &Candidate<G::Move>, at: u8, code: u8) -> bool {
        let Following { state, lookahead, mismatched, .. } = *self;
        let other = position.game.turn().other();
        let [comes, leaves] = lookahead.of_side(other);
        let promoted = |to: u8| (1..=12).any(|becomes| becomes != code && G::may_go(code, at, becomes, to));
        let may_go = |&to: &u8| G::may_go(code, at, code, to);
        let landings = lookahead.landings_of(code);
        // The piece may capture where it is captured at once: what stands there leaves, and another of its side comes.
        // And it may be promoted and captured at once.
        let retaken = set_of(squares(comes & leaves).filter(may_go));
        let promotes = G::may_promote(code, at);
        let taken = retaken | set_of(squares(comes).filter(|&to| promotes && promoted(to)));
        if taken == 0 && !squares(landings).any(|to| may_go(&to)) {
            return false;
        }
        // The squares where a piece of the other side comes or has come.
        let shows = (comes | mismatched & state.pieces(other)) & !bit(at);
        let after = position.after(first);
        let shown = |mv: &Candidate<G::Move>, code: u8| {
            lookahead.lands(mv.to, code) || (mismatched & bit(mv.to) != 0 && state.code(mv.to) == code)
        };
        // Only a piece that has left its square, or soon will, has replied.
        let gone = squares(mismatched).filter(|&at| Colour::of(position.code(at)) == Some(other));
        let replies = after.moves_between(set_of(gone) | leaves | after.game.dead(), shows);
        let replies =
            replies.filter(|second| shown(second, second.code_at(second.to).unwrap_or(second.piece)));
        let stands = squares(mismatched).filter(|&at| state.code(at) == code);
        let goes = landings | taken | set_of(stands);
        // The next positions are not kept: most are used only once.
        let mut replies = replies.take(limits::REPLIES_TRIED);
        replies.any(|second| after.game.after(&second).can_go(at, goes))
    }

    /// Whether the reply captures the piece where the first move ended, and was not seen to land either: it stands
    /// where one of its kind stood before, goes on at once, or captures en passant. Returns whether it does the last.
    pub fn retakes(&self, first: &Candidate<G::Move>) -> Option<bool> {
        let Following { state, lookahead, .. } = *self;
        if G::CAPTURES_BY_JUMPING {
            return None;
        }
        let to = first.to;
        let stands = state.code(to);
        let vacated = || stands == 0 || lookahead.leaving().any(|(at, _)| at == to);
        let goes_on =
            |code: u8| lookahead.soon().any(|(at, landing)| landing == code && G::may_go(code, to, code, at));
        let may_retake = |&&(at, code): &&(u8, u8)| {
            let en_passant = first.vanishes_when_captured && at.abs_diff(to) == 1;
            let there = at != to && G::may_go(code, at, code, to);
            en_passant || (there && ((first.capture && stands == code) || (goes_on(code) && vacated())))
        };
        let from = set_of(self.replying.iter().filter(may_retake).map(|&(at, _)| at));
        if from == 0 {
            return None;
        }
        // The next position is not kept: most are used only once.
        let after = Position::new(self.position.game.after(first));
        let takes = |second: &Candidate<G::Move>| {
            let code = second.code_at(second.to).unwrap_or(second.piece);
            if second.to != to {
                return lookahead.lands(second.to, code) || lookahead.is_taken(second.to, code);
            }
            stands == code || self.is_shown_in(&after, second, to, code)
        };
        let mut seconds = after.moves_from(from).filter(|second| second.changed & bit(to) != 0);
        seconds.find(takes).map(|second| second.to != to)
    }
}
