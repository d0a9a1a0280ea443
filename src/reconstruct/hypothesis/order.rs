//! Deviations of a move in order and time: whether one hand, one clock and one scanner could have made it so.
//!
//! The board gives lower bounds on times only: [`Event::rests`] counts intervals of more than 250 ms, and a scan of all
//! squares takes no longer than that. `apply_move` charges what is found here.

use arrayvec::ArrayVec;

use super::{Hypothesis, presses::Press};
use crate::{
    reconstruct::{
        costs::{Deviation, WENT_ON_AFTER_A_REPLY, WENT_ON_PRESSED, WENT_ON_TIMELESS},
        limits,
        observe::{BoardState, event::Event, hand::Hand},
    },
    rules::{Candidate, Game, bit},
};

impl<G: Game> Hypothesis<G> {
    /// The changes that show the hand that made this move.
    pub(super) fn hand(&self, candidate: &Candidate<G::Move>) -> Hand {
        let lifts = |e: &&Event| e.seen && e.square == candidate.from && e.old == candidate.piece;
        let lands =
            |e: &&Event| e.seen && e.square == candidate.to && candidate.code_at(e.square) == Some(e.new);
        Hand {
            lift: self.unexplained.iter().rev().find(lifts).copied(),
            landing: self.unexplained.iter().find(lands).copied(),
        }
    }

    /// How often the piece left or landed before that of the previous move did, how often long before, and whether it
    /// left before its own side's last move had landed. The order of a scan explains that, the order of hands does not.
    pub(super) fn out_of_order(&self, hand: &Hand) -> [(Deviation, f32); 3] {
        let node = &self.node;
        let (mut inverted, mut slow, mut own) = (0.0, 0.0, 0.0);
        for (now, before, landings) in [(hand.lift, node.hand.lift, 0), (hand.landing, node.hand.landing, 1)]
        {
            if let (Some(now), Some(before)) = (now, before)
                && now.index < before.index
            {
                inverted += 1.0;
                // A piece may be lifted twice, but lands only once where it stays.
                let polled_apart =
                    landings > 0 && now.stamp.is_before(before.stamp, limits::POLLED_APART_SECONDS);
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

    /// Whether the piece that came with this change stood there longer than a passing one: until it left, or until now.
    pub(super) fn stood(&self, came: &Event, now: &Event) -> bool {
        let left = self.unexplained.iter().find(|e| e.index > came.index && e.square == came.square);
        left.unwrap_or(now).rests > came.rests
    }

    /// Whether the clock was pressed long before the move was seen: a scan would have found the move at once.
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

    /// Whether the clock was pressed long before the last lift of the moving piece: that press belongs to an illegal
    /// move that was taken back, for example.
    pub(super) fn was_for_nothing(&self, hand: &Hand, press: &Press) -> bool {
        hand.lift.is_some_and(|lift| {
            lift.index > press.index
                && (lift.rests > press.rests + 1
                    || press.stamp.is_before(lift.stamp, limits::POLLED_WITHIN_SECONDS))
        })
    }

    /// The part of the price of [`Deviation::WentOn`] to charge: the piece which its side moved last goes on along its
    /// way, so both may be one move with a stop, unless there was time between. `first` is the first change of this
    /// move.
    pub(super) fn went_on(&self, candidate: &Candidate<G::Move>, first: &Event, state: &BoardState) -> f32 {
        let Some(own) = self.node.parent.as_ref().filter(|own| own.mv.is_some()) else { return 0.0 };
        // It may also have gone directly from a square beside the way of that move.
        let beyond = own.last_detour.map_or(0, |from| G::beyond(from, own.to));
        let on_its_way = || (own.onward() | beyond) & bit(candidate.to) != 0;
        if own.to != candidate.from || own.seen_at_rest.get() || !on_its_way() {
            return 0.0;
        }
        // Hands hardly let go, press, wait for the reply and lift the piece again within one scan.
        if own.hand.landing.is_some_and(|landing| first.is_a_scan_after(&landing)) {
            return 1.0;
        }
        // A press is evidence of two moves; a completed reply is weaker evidence.
        let over = self.node.hand.landing.is_some_and(|landing| landing.index < first.index);
        let pressed = match self.pressed(own.ply) {
            Some(_) => WENT_ON_PRESSED,
            // Without any measure of time a short time is not shown.
            None if over && state.is_timeless() => WENT_ON_TIMELESS,
            None if over => WENT_ON_AFTER_A_REPLY,
            None => 1.0,
        };
        match first.rests.saturating_sub(own.completed_by.rests) {
            0 | 1 => pressed,
            2 | 3 => WENT_ON_AFTER_A_REPLY * pressed,
            _ => 0.0,
        }
    }
}
