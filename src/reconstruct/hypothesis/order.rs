//! What order and time say about a move: whether one hand, one clock and one scanner could have made it so.
//!
//! The board gives no times but lower bounds: [`Event::rests`] counts the times that it surely rested over
//! 250 ms, and a scan of all squares takes no longer than that. For `apply_move`, which charges what is found here.

use arrayvec::ArrayVec;

use super::{Hypothesis, presses::Press};
use crate::{
    reconstruct::{
        costs::{Deviation, WENT_ON_AFTER_A_REPLY, WENT_ON_AFTER_A_WHILE, WENT_ON_PRESSED, WENT_ON_TIMELESS},
        limits,
        observe::{BoardState, event::Event, hand::Hand},
    },
    rules::{Candidate, Game, bit},
};

impl<G: Game> Hypothesis<G> {
    /// What was seen of the hand that made this move.
    pub(super) fn hand(&self, candidate: &Candidate<G::Move>) -> Hand {
        let lifts = |e: &&Event| e.seen && e.square == candidate.from && e.old == candidate.piece;
        let lands =
            |e: &&Event| e.seen && e.square == candidate.to && candidate.code_at(e.square) == Some(e.new);
        Hand {
            lift: self.unexplained.iter().rev().find(lifts).copied(),
            landing: self.unexplained.iter().find(lands).copied(),
        }
    }

    /// How often a move's piece left or landed before that of the move before did, how often long before, and whether
    /// it left before its own side's last move had landed: but for the order of the scan hands do not do that.
    pub(super) fn out_of_order(&self, hand: &Hand) -> [(Deviation, f32); 3] {
        let node = &self.node;
        let (mut inverted, mut slow, mut own) = (0.0, 0.0, 0.0);
        for (now, before, landings) in [(hand.lift, node.hand.lift, 0), (hand.landing, node.hand.landing, 1)]
        {
            if let (Some(now), Some(before)) = (now, before)
                && now.index < before.index
            {
                inverted += 1.0;
                // A piece may be lifted twice, and lands where it stays but once.
                let polled_apart = landings > 0 && now.stamp.is_before(before.stamp, limits::POLLED_APART);
                if now.rests + landings < before.rests || polled_apart {
                    slow += 1.0;
                }
            }
        }
        let own_landing = node.parent.as_ref().and_then(|own| own.hand.landing);
        if let (Some(landing), Some(lift)) = (own_landing, hand.lift)
            && lift.index < landing.index
        {
            own += 1.0;
        }
        [(Deviation::Inverted, inverted), (Deviation::InvertedSlow, slow), (Deviation::OwnOverlap, own)]
    }

    /// Whether the piece that came to a square with this change stood there longer than one that passes: until it
    /// left, or until now.
    pub(super) fn stood(&self, came: &Event, now: &Event) -> bool {
        let left = self.unexplained.iter().find(|e| e.index > came.index && e.square == came.square);
        left.unwrap_or(now).rests > came.rests
    }

    /// Whether the clock was pressed long before the move was seen: a scan shows what stands.
    pub(super) fn was_pressed_long_before(&self, candidate: &Candidate<G::Move>, press: &Press) -> bool {
        let mut landed: ArrayVec<u8, 16> = ArrayVec::new();
        for e in &self.unexplained {
            if candidate.code_at(e.square) == Some(e.new) && !landed.contains(&e.square) {
                if e.rests > press.rests + 1 {
                    return true;
                }
                landed.push(e.square);
            }
        }
        false
    }

    /// Whether this press was over long before the piece of its move was lifted, for the last time: it was for an illegal move,
    /// say, that was taken back, or sent one back.
    pub(super) fn was_for_nothing(&self, hand: &Hand, press: &Press) -> bool {
        hand.lift.is_some_and(|lift| {
            lift.index > press.index
                && (lift.rests > press.rests + 1
                    || press.stamp.is_before(lift.stamp, limits::PRESSED_FOR_NOTHING))
        })
    }

    /// How much of a price it is that the piece which its side moved last moves on along its way: it may rather have
    /// been one move with a stop, unless there was time between. `first` is this move's first change.
    pub(super) fn went_on(&self, candidate: &Candidate<G::Move>, first: &Event, state: &BoardState) -> f32 {
        let Some(own) = self.node.parent.as_ref().filter(|own| own.mv.is_some()) else { return 0.0 };
        // It may rather have gone at once from beside the way of that move.
        let beyond = own.came_by.map_or(0, |from| G::beyond(from, own.to));
        let on_its_way = || (own.onward() | beyond) & bit(candidate.to) != 0;
        if own.to != candidate.from || own.seen_at_rest.get() || !on_its_way() {
            return 0.0;
        }
        // Hands hardly let go, press, are replied to and take the piece again while one scan finds it there.
        if own.hand.landing.is_some_and(|landing| first.is_a_scan_after(&landing)) {
            return 1.0;
        }
        // A press says that it was a move; a reply that was over by then does, though less surely.
        let over = self.node.hand.landing.is_some_and(|landing| landing.index < first.index);
        let pressed = match self.pressed(own.ply) {
            Some(_) => WENT_ON_PRESSED,
            // Where no time was ever told nothing says that there was hardly any.
            None if over && state.is_timeless() => WENT_ON_TIMELESS,
            None if over => WENT_ON_AFTER_A_REPLY,
            None => 1.0,
        };
        match first.rests.saturating_sub(own.completed_by.rests) {
            0 | 1 => pressed,
            2 | 3 => WENT_ON_AFTER_A_WHILE * pressed,
            _ => 0.0,
        }
    }
}
