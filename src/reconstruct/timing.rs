//! What order and time say about a move: whether one hand, one clock and one scanner could have made it so.
//!
//! The board gives no times but lower bounds: [`Event::rests`] counts the times that it surely rested over
//! 250 ms, and a scan of all squares takes no longer than that.

use arrayvec::ArrayVec;

use super::{
    costs,
    event::Event,
    hypothesis::{Hypothesis, Press},
};
use crate::rules::{Candidate, Game, bit};

/// What was seen of the hand that made a move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hand {
    /// The moving piece was seen to have left its square.
    pub lift: Option<Event>,
    /// It was first seen where the move ends.
    pub landing: Option<Event>,
}

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

    /// What it costs that a move's piece left or landed before that of the move before did, or that it left
    /// before its own side's last move had landed: but for the order of the scan hands do not do that.
    pub(super) fn out_of_order(&self, hand: &Hand) -> f32 {
        let node = &self.node;
        let mut cost = 0.0;
        for (now, before, late) in [(hand.lift, node.hand.lift, 0), (hand.landing, node.hand.landing, 1)] {
            if let (Some(now), Some(before)) = (now, before)
                && now.index < before.index
            {
                cost += costs::INVERTED;
                if now.rests + late < before.rests {
                    cost += costs::INVERTED_SLOW;
                }
            }
        }
        let own = node.parent.as_ref().and_then(|own| own.hand.landing);
        if let (Some(own), Some(lift)) = (own, hand.lift)
            && lift.index < own.index
        {
            cost += costs::OWN_OVERLAP;
        }
        cost
    }

    /// Whether the piece that came to a square with this change stood there longer than one that passes: until it
    /// left, or until now.
    pub(super) fn stood(&self, came: &Event, now: &Event) -> bool {
        let left = self.unexplained.iter().find(|e| e.index > came.index && e.square == came.square);
        left.unwrap_or(now).rests > came.rests
    }

    /// What it costs that the clock was pressed long before the move was seen: a scan shows what stands.
    pub(super) fn long_pressed(&self, candidate: &Candidate<G::Move>, press: &Press) -> f32 {
        let mut landed: ArrayVec<u8, 16> = ArrayVec::new();
        for e in &self.unexplained {
            if candidate.code_at(e.square) == Some(e.new) && !landed.contains(&e.square) {
                if e.rests > press.rests + 1 {
                    return costs::LONG_PRESSED;
                }
                landed.push(e.square);
            }
        }
        0.0
    }

    /// What it costs that the piece which its side moved last moves on along its way: it may rather have been
    /// one move with a stop, unless there was time between. `first` is this move's first change.
    pub(super) fn went_on(&self, candidate: &Candidate<G::Move>, first: &Event) -> f32 {
        let Some(own) = self.node.parent.as_ref().filter(|own| own.mv.is_some()) else { return 0.0 };
        if own.to != candidate.from || own.onward & bit(candidate.to) == 0 || own.seen_at_rest.get() {
            return 0.0;
        }
        // A press says that it was a move.
        let pressed = if self.pressed(own.ply).is_some() { costs::WENT_ON_PRESSED } else { 1.0 };
        match first.rests.saturating_sub(own.completed_by.rests) {
            0 | 1 => costs::WENT_ON * pressed,
            2 | 3 => costs::WENT_ON / 2.0 * pressed,
            _ => 0.0,
        }
    }
}
