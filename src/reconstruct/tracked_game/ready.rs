//! When a move can be published: what speaks for it, in one struct, and the rules that weigh it.
//!
//! Pure: the publisher gathers the evidence of one move on the best line and does as this says. A move waits until it
//! cannot reasonably be a stop on the way to another square, nor a piece that is set up for the next game, and no longer.

use crate::reconstruct::limits;

/// What is known of a move on the best line when it is asked whether it can be published.
#[derive(Debug, Clone, Copy)]
pub struct Evidence {
    /// A clock is in use.
    pub clock: bool,
    /// By how much the best line leads all explanations that do not have this move.
    pub lead: f32,
    /// By how much it leads those of them that have another move in its place: the rest have nothing for it yet, which a look
    /// at the board decides.
    pub over_others: f32,
    /// What that must come to.
    pub sure_of_others: f32,
    /// By how much it leads those of these that may be meant to stand as they do, and what that must come to.
    pub over_meant: f32,
    pub sure_of_meant: f32,
    /// Seconds since the move was completed, if the board answers and times are known.
    pub age: Option<f64>,
    /// The best line goes on; with a clock in use that reply was pressed, or something behind it, for pieces that are set up
    /// again reply to each other.
    pub replied: bool,
    /// The mover pressed the clock.
    pub pressed: bool,
    /// The board was looked at since the press, or need not be: the piece was first seen there after it, or can go no
    /// further.
    pub looked_at: bool,
    /// The board rests; without a clock, its piece stood from one poll to a later one.
    pub settled: bool,
    /// From this move on the pieces of all moves go home: it may be the first that is set up for the next game.
    pub homeward: bool,
    /// The best explanation explains all that stands on the board; where its piece stood from one poll to a later one without a
    /// clock, all pieces of the mover's that came anywhere since.
    pub explained: bool,
    /// It is the last move and the board contradicts it: it may have been put back, and the press been for another.
    pub contradicted: bool,
    /// The best line has its piece go on from there in a later move that nobody has pressed: it may have been on its way, and
    /// both be one move, to which the other side replied early.
    pub goes_on: bool,
}

/// What the evidence of a move says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It can be published.
    Ready,
    /// It can be if it ends the game by the rules: who mates need not press.
    ReadyIfMate,
    /// It has to wait.
    Wait,
}

/// Whether a move of which this is known can be published. The first rule that applies decides.
pub fn verdict(evidence: &Evidence) -> Verdict {
    use Verdict::{Ready, ReadyIfMate, Wait};
    let &Evidence { clock, lead, homeward, .. } = evidence;
    let waited = |seconds| evidence.age.is_some_and(|age| age >= seconds);
    let latest = if clock && homeward { limits::PUBLISH_LATEST_AT_HOME } else { limits::PUBLISH_LATEST };
    // Pieces that are set up for the next game reply to each other.
    let reply_counts = !homeward || (!clock && waited(limits::PUBLISH_LATEST));
    match *evidence {
        Evidence { clock: true, goes_on: true, .. } if !waited(limits::PUBLISH_LATEST_AT_HOME) => Wait,
        Evidence { replied: true, contradicted: false, .. }
            if lead >= limits::SURE_WHEN_REPLIED && reply_counts =>
        {
            Ready
        }
        Evidence { explained: true, .. } if lead > 0.0 && waited(latest) => Ready,
        _ if lead <= 0.0
            || evidence.over_others < evidence.sure_of_others
            || evidence.over_meant < evidence.sure_of_meant =>
        {
            Wait
        }
        Evidence { clock: false, settled: true, explained: true, homeward: false, .. } => Ready,
        Evidence { clock: false, .. } => Wait,
        // What the board contradicts may have been put back: the press was for another move.
        Evidence { pressed: true, contradicted: true, .. } => Wait,
        // Who sets up the pieces may clear the clock meanwhile.
        Evidence { pressed: true, homeward: true, explained: false, .. } => Wait,
        Evidence { pressed: true, looked_at: true, .. } => Ready,
        Evidence { pressed: false, settled: true, explained: true, homeward: false, .. } => ReadyIfMate,
        _ => Wait,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Evidence,
        Verdict::{self, Ready, ReadyIfMate, Wait},
        limits, verdict,
    };
    use crate::reconstruct::costs::Deviation;

    /// A move a second old that nothing confirms and nothing rivals, on a board that explains itself and does not rest.
    const PLAYED: Evidence = Evidence {
        clock: true,
        lead: f32::INFINITY,
        over_others: f32::INFINITY,
        sure_of_others: limits::SURE,
        over_meant: f32::INFINITY,
        sure_of_meant: limits::SURE_OF_MEANT,
        age: Some(1.0),
        replied: false,
        pressed: false,
        looked_at: false,
        settled: false,
        homeward: false,
        explained: true,
        contradicted: false,
        goes_on: false,
    };
    /// The same, pressed and looked at since.
    const PRESSED: Evidence = Evidence { pressed: true, looked_at: true, ..PLAYED };
    /// The same without a clock, at rest.
    const RESTING: Evidence = Evidence { clock: false, settled: true, ..PLAYED };

    fn assert_all(expected: Verdict, moves: &[Evidence]) {
        for evidence in moves {
            assert_eq!(verdict(evidence), expected, "{evidence:?}");
        }
    }

    #[test]
    fn a_pressed_move_is_ready_when_the_board_was_looked_at_since() {
        assert_all(
            Ready,
            &[PRESSED, Evidence { settled: true, ..PRESSED }, Evidence { age: None, ..PRESSED }],
        );
        // Some squares that have nothing to do with it may still be mismatched: the reply has begun.
        assert_all(Ready, &[Evidence { explained: false, ..PRESSED }]);
        assert_all(Wait, &[Evidence { looked_at: false, ..PRESSED }]);
    }

    #[test]
    fn a_move_with_a_likely_rival_waits_for_more_than_its_press_or_a_rest() {
        for close in [0.0, limits::SURE - 0.1] {
            let other = |evidence| Evidence { lead: close, over_others: close, ..evidence };
            assert_all(Wait, &[other(PRESSED), other(RESTING)]);
        }
        // Who has nothing for it yet is no rival when the board was looked at; but it must be the best.
        assert_all(Ready, &[Evidence { lead: 0.1, ..PRESSED }, Evidence { lead: 0.1, ..RESTING }]);
        assert_all(Wait, &[Evidence { lead: 0.0, ..PRESSED }, Evidence { lead: 0.0, ..RESTING }]);
    }

    #[test]
    fn a_move_beside_which_another_may_stand_waits_for_its_reply() {
        let close = limits::SURE_OF_MEANT - 0.1;
        assert_all(
            Wait,
            &[Evidence { over_meant: close, ..PRESSED }, Evidence { over_meant: close, ..RESTING }],
        );
        assert_all(Ready, &[Evidence { over_meant: close, replied: true, ..PRESSED }]);
        assert_all(Wait, &[Evidence { contradicted: true, replied: true, ..PRESSED }]);
    }

    #[test]
    fn what_waits_without_rivals_waits_beside_them() {
        let ages = [None, Some(1.0), Some(limits::PUBLISH_LATEST), Some(limits::PUBLISH_LATEST_AT_HOME)];
        let close = [0.0, limits::SURE - 0.1, limits::SURE_OF_MEANT, limits::SURE_WHEN_REPLIED];
        for (facts, age) in (0..512_u32).flat_map(|facts| ages.map(|age| (facts, age))) {
            let is = |fact: u32| facts >> fact & 1 != 0;
            let alone = Evidence {
                clock: is(0),
                replied: is(1),
                pressed: is(2),
                looked_at: is(3),
                settled: is(4),
                homeward: is(5),
                explained: is(6),
                contradicted: is(7),
                goes_on: is(8),
                age,
                ..PLAYED
            };
            for lead in close {
                let beside = Evidence { lead, over_others: lead, over_meant: lead, ..alone };
                assert!(verdict(&alone) != Wait || verdict(&beside) == Wait, "{beside:?}");
            }
        }
    }

    #[test]
    fn a_rival_that_is_dearer_by_a_stop_on_the_way_is_not_alive() {
        // Sums of costs differ in their last bits.
        let stop = (12.35 + Deviation::Stood.price()) - 12.35 - f32::EPSILON;
        assert_all(Ready, &[Evidence { over_meant: stop, ..PRESSED }]);
    }

    #[test]
    fn a_move_that_the_board_contradicts_is_not_what_was_pressed() {
        assert_all(Wait, &[Evidence { contradicted: true, explained: false, ..PRESSED }]);
    }

    #[test]
    fn a_press_while_pieces_go_home_counts_only_if_the_board_explains_itself() {
        assert_all(Ready, &[Evidence { homeward: true, ..PRESSED }]);
        assert_all(Wait, &[Evidence { homeward: true, explained: false, ..PRESSED }]);
    }

    #[test]
    fn with_a_clock_in_use_a_move_that_rests_unpressed_waits_unless_it_mates() {
        let resting = Evidence { clock: true, ..RESTING };
        assert_all(ReadyIfMate, &[resting]);
        assert_all(Wait, &[PLAYED, Evidence { explained: false, ..resting }]);
        assert_all(Wait, &[Evidence { homeward: true, ..resting }, Evidence { over_others: 0.5, ..resting }]);
    }

    #[test]
    fn without_a_clock_a_move_is_ready_when_the_board_rests_on_it() {
        assert_all(Ready, &[RESTING]);
        assert_all(Wait, &[Evidence { settled: false, ..RESTING }, Evidence { explained: false, ..RESTING }]);
        // The first piece that is set up for the next game rests, too.
        assert_all(Wait, &[Evidence { homeward: true, ..RESTING }]);
    }

    #[test]
    fn a_move_whose_piece_goes_on_unpressed_may_be_part_of_a_longer_one() {
        let goes_on = |evidence| Evidence { goes_on: true, ..evidence };
        let replied = Evidence { replied: true, ..PRESSED };
        let waited = Evidence { age: Some(limits::PUBLISH_LATEST), ..PRESSED };
        assert_all(Ready, &[replied, waited]);
        assert_all(Wait, &[goes_on(PRESSED), goes_on(replied), goes_on(waited)]);
        // Without a clock nobody presses anything, and nothing waits for ever.
        let long = Evidence { age: Some(limits::PUBLISH_LATEST_AT_HOME), ..PRESSED };
        assert_all(Ready, &[goes_on(RESTING), goes_on(long)]);
    }

    #[test]
    fn a_reply_makes_a_move_ready_that_leads_well() {
        let replied = Evidence { replied: true, explained: false, ..PLAYED };
        assert_all(Ready, &[replied, Evidence { clock: false, ..replied }]);
        assert_all(Ready, &[Evidence { lead: limits::SURE_WHEN_REPLIED, ..replied }]);
        assert_all(Wait, &[Evidence { lead: limits::SURE_WHEN_REPLIED - 0.1, ..replied }]);
    }

    #[test]
    fn pieces_that_go_home_reply_to_each_other() {
        let replied = Evidence { replied: true, homeward: true, explained: false, ..PLAYED };
        let waited = Some(limits::PUBLISH_LATEST);
        assert_all(
            Wait,
            &[replied, Evidence { clock: false, ..replied }, Evidence { age: waited, ..replied }],
        );
        assert_all(Ready, &[Evidence { clock: false, age: waited, ..replied }]);
    }

    #[test]
    fn what_is_likeliest_waits_no_longer_than_the_latest() {
        let hardly = Evidence { lead: 0.1, ..PLAYED };
        let after = |age, evidence| Evidence { age: Some(age), ..evidence };
        assert_all(Wait, &[after(limits::PUBLISH_LATEST - 0.1, hardly)]);
        assert_all(Ready, &[after(limits::PUBLISH_LATEST, hardly)]);
        // Not what nothing tells apart, nor on a board that shows something else.
        let long = after(limits::PUBLISH_LATEST, hardly);
        assert_all(Wait, &[Evidence { lead: 0.0, ..long }, Evidence { explained: false, ..long }]);
        // Nobody knows how long it is where times are missing.
        assert_all(Wait, &[Evidence { age: None, ..long }]);
    }

    #[test]
    fn a_piece_that_went_home_unpressed_waits_longer_with_a_clock_than_without() {
        let home = |clock, age| Evidence { homeward: true, clock, age: Some(age), ..PLAYED };
        assert_all(
            Wait,
            &[home(true, limits::PUBLISH_LATEST), home(true, limits::PUBLISH_LATEST_AT_HOME - 0.1)],
        );
        assert_all(Ready, &[home(true, limits::PUBLISH_LATEST_AT_HOME), home(false, limits::PUBLISH_LATEST)]);
    }
}
