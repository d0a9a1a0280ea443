//! A move ended where no one saw it: a later move accounts for it.
//!
//! A square shows the first piece of two plies only if a scan falls between them. Where the reply captures at once,
//! or the same hand moves on at once, the square never reads right after the first move. Looked for only when no
//! cheap explanation is left; when what follows is known, `foreseen_landing` does better.

use super::{Expansion, Proposer, legal::complete_moves};
use crate::{
    reconstruct::{
        costs::Deviation,
        hypothesis::Hypothesis,
        limits,
        observe::{BoardState, event::Event},
    },
    rules::{Candidate, Colour, Game, Squares, bit, squares},
};

/// See the module.
pub struct UnseenLandings;

impl<G: Game> Proposer<G> for UnseenLandings {
    fn propose(&self, expansion: &mut Expansion<G>, parent: &Hypothesis<G>, event: &Event) {
        if event.seen
            && !expansion.lookahead.is_known()
            && parent.rank() <= expansion.best + limits::UNSEEN_WITHIN
            && parent.mismatched.count_ones() >= 2
        {
            first_moves(expansion, parent, event, None, limits::HIDDEN);
        }
    }
}

/// Squares that the side to move has left, and that the other side has.
fn left_by_each<G: Game>(hypothesis: &Hypothesis<G>, state: &BoardState) -> (Squares, Squares) {
    let turn = hypothesis.node.game.turn();
    let (mut mine, mut theirs) = (0, 0);
    for square in squares(hypothesis.mismatched) {
        let (stands, expected) = (state.code(square), hypothesis.expected(square));
        match Colour::of(expected) {
            Some(colour) if Colour::of(stands) == Some(colour) => {}
            Some(colour) if colour == turn => mine |= bit(square),
            Some(_) => theirs |= bit(square),
            None => {}
        }
    }
    (mine, theirs)
}

/// How a square that never showed the piece which landed there may have come to read otherwise.
struct Since {
    /// The reply captured it there: at once, or (`recaptured`) after a capture of the same kind.
    captured: bool,
    recaptured: bool,
    /// It went on from there.
    went_on: bool,
}

/// The first of two or three moves: all its squares read right but the one it landed on. `on` is that square when it
/// is known.
fn first_moves<G: Game>(
    expansion: &mut Expansion<G>,
    parent: &Hypothesis<G>,
    event: &Event,
    on: Option<u8>,
    hidden: usize,
) {
    let (mine, theirs) = left_by_each(parent, &expansion.state);
    if mine == 0 || theirs == 0 {
        return;
    }
    for (number, first) in parent.moves().iter().enumerate() {
        if bit(first.from) & mine == 0
            || on.is_some_and(|on| on != first.to)
            || !landed_unseen(parent, first, &expansion.state)
        {
            continue;
        }
        let Some(since) = since(parent, number, event, hidden, &expansion.state) else { continue };
        let mut between = parent.apply_move(number, event, &expansion.state);
        if expansion.is_hopeless(between.cost()) {
            continue;
        }
        if expansion.state.code(first.to) != between.expected(first.to) {
            between.mismatched |= bit(first.to);
        }
        if since.captured {
            captured(expansion, &between, first, event);
        }
        if since.recaptured {
            let mut between = between.clone();
            between.charge_times(Deviation::UnseenRecapture, 1.0);
            first_moves(expansion, &between, event, Some(first.to), hidden - 1);
        }
        if since.went_on {
            for (deviation, times) in assumed(parent, number, first).into_iter().skip(1) {
                between.charge_times(deviation, times);
            }
            went_on(expansion, &between, first, event);
        }
    }
}

/// How the square of the move of this number may have come to read as it does; none if in no way. Most such moves
/// leave nothing that could follow: a look at the position is cheaper than the move.
fn since<G: Game>(
    parent: &Hypothesis<G>,
    number: usize,
    event: &Event,
    hidden: usize,
    state: &BoardState,
) -> Option<Since> {
    let first = &parent.moves()[number];
    let turn = parent.node.game.turn();
    let stands = state.code(first.to);
    let vanished = stands == 0 && first.vanishes_when_captured;
    let captured = vanished || Colour::of(stands) == Some(turn.other());
    let recaptured = Colour::of(stands) == Some(turn) && hidden > 1;
    let went_on = stands == 0 && event.new != 0 && stands_elsewhere(parent, first, state);
    let mismatched = parent.mismatched | bit(first.to);
    let followed = |takes: bool| {
        let to = match takes {
            true if vanished => !0,
            true => bit(first.to),
            false => !bit(first.to),
        };
        let standing = parent.captured_standing;
        parent.may_have_moved(turn.other(), mismatched | standing, !0, to, state)
            && parent.position.after(number).moves().iter().any(|second| {
                (second.changed & bit(first.to) != 0) == takes
                    && may_complete(parent, second, mismatched, state)
            })
    };
    let since =
        Since { captured: captured && followed(true), recaptured, went_on: went_on && followed(false) };
    (since.captured || since.recaptured || since.went_on).then_some(since)
}

/// Whether a move may be complete on this board, some moves after `parent`, when `mismatched` holds at least the
/// squares that are mismatched then.
fn may_complete<G: Game>(
    parent: &Hypothesis<G>,
    candidate: &Candidate<G::Move>,
    mismatched: Squares,
    state: &BoardState,
) -> bool {
    candidate.changed & !candidate.captured_standing & !mismatched & !parent.captured_standing == 0
        && candidate.changes().all(|(at, code)| {
            state.code(at) == code
                || candidate.captured_standing & bit(at) != 0
                || parent.unexplained.iter().any(|e| e.square == at && e.old == code)
        })
}

/// All squares of a move read right but the one it ended on.
fn landed_unseen<G: Game>(parent: &Hypothesis<G>, first: &Candidate<G::Move>, state: &BoardState) -> bool {
    let seen = first.changed & !bit(first.to);
    seen & !parent.mismatched == 0
        && first.changes().all(|(at, code)| match at == first.to {
            true => state.code(at) != code,
            false => parent.read_right(at, code, state),
        })
}

/// Whether the moving piece stands on a square where this hypothesis does not expect it, on its way to where it
/// ended or from there.
fn stands_elsewhere<G: Game>(parent: &Hypothesis<G>, first: &Candidate<G::Move>, state: &BoardState) -> bool {
    let code = first.code_at(first.to).unwrap_or(first.piece);
    squares(parent.mismatched & !bit(first.to)).any(|at| {
        let on_its_way = first.transit & bit(at) != 0 || G::may_go(code, first.to, code, at);
        state.code(at) == code && on_its_way
    })
}

/// The deviations in which the piece of the move of this number landed where nobody saw it and went on from there:
/// likelier where a player would put it, and where the reply had little choice.
pub fn assumed<G: Game>(
    parent: &Hypothesis<G>,
    number: usize,
    first: &Candidate<G::Move>,
) -> [(Deviation, f32); 3] {
    let after = parent.position.after(number);
    let replies = after.moves().len().max(1) as f32;
    let en_prise = if after.game.en_prise(first.to) { 1.0 } else { 0.0 };
    [(Deviation::UnseenWentOn, 1.0), (Deviation::EnPrise, en_prise), (Deviation::Choice, replies.ln())]
}

/// The reply captured where the first move had landed.
fn captured<G: Game>(
    expansion: &mut Expansion<G>,
    between: &Hypothesis<G>,
    first: &Candidate<G::Move>,
    event: &Event,
) {
    for (number, second) in between.moves().iter().enumerate() {
        if second.changed & bit(first.to) != 0 && between.is_complete(second, &expansion.state) {
            let mut child = between.apply_move(number, event, &expansion.state);
            child.charge_move(&[(Deviation::UnseenRecapture, 1.0)]);
            if first.vanishes_when_captured && second.to != first.to {
                child.charge_move(&[(Deviation::UnseenEnPassant, 1.0)]);
            }
            keep_with_next(expansion, child, event);
        }
    }
}

/// The same piece went on after the reply.
fn went_on<G: Game>(
    expansion: &mut Expansion<G>,
    between: &Hypothesis<G>,
    first: &Candidate<G::Move>,
    event: &Event,
) {
    let price = Deviation::UnseenWentOn.price();
    if expansion.is_hopeless(between.cost() + price) {
        return;
    }
    let turn = between.node.game.turn().other();
    for (number, second) in between.moves().iter().enumerate() {
        let state = &expansion.state;
        if second.changed & bit(first.to) != 0 || !between.is_complete(second, state) {
            continue;
        }
        let goes_on = |third: &Candidate<G::Move>| {
            third.from == first.to && may_complete(between, third, between.mismatched, state)
        };
        let completes = second.changed & bit(event.square) != 0;
        if !completes && !between.position.after(number).moves().iter().any(goes_on) {
            continue;
        }
        let mut after = between.apply_move(number, event, state);
        if expansion.is_hopeless(after.cost() + price) {
            continue;
        }
        let further = after.may_have_moved(turn, after.mismatched, bit(first.to), !0, state);
        for (number, third) in after.moves().iter().enumerate().filter(|_| further) {
            if third.from == first.to && after.is_complete(third, &expansion.state) {
                let mut child = after.apply_move(number, event, &expansion.state);
                child.charge_move(&[(Deviation::UnseenWentOn, 1.0)]);
                keep_with_next(expansion, child, event);
            }
        }
        if completes {
            after.charge_move(&[(Deviation::UnseenWentOn, 1.0)]);
            expansion.children.push(after);
        }
    }
}

/// Keeps a hypothesis that was found, and those in which it goes on by a move that is complete too.
fn keep_with_next<G: Game>(expansion: &mut Expansion<G>, child: Box<Hypothesis<G>>, event: &Event) {
    if !expansion.is_hopeless(child.cost()) {
        complete_moves(expansion, &child, event, !0, 1);
        expansion.children.push(child);
    }
}
