//! When a move can be published: the evidence for it, in one struct, and the rules that weigh it.
//!
//! Pure: the publisher gathers the evidence of one move on the best line and applies the verdict. A move waits until it
//! cannot reasonably be a stop on the way to another square, nor a piece that is set up for the next game, and no
//! longer.

use crate::reconstruct::limits;

/// The evidence for a move on the best line.
#[derive(Debug, Clone, Copy)]
pub struct Evidence {
    /// A clock is in use.
    pub clock: bool,
    /// The lead of the best line over all explanations without this move.
    pub lead: f32,
    /// Its lead over those with another move at this ply. (The remaining ones have none yet: a later poll decides.)
    pub over_others: f32,
    /// The lead `over_others` that is required.
    pub sure_of_others: f32,
    /// Its lead over those of the latter whose position the board may be meant to show, and the lead that is required.
    pub over_meant: f32,
    pub sure_of_meant: f32,
    /// The seconds since the move was completed, if the board answers and times are known.
    pub age: Option<f64>,
    /// The best line goes on; with a clock in use the reply or a later move was pressed, since pieces that are set up
    /// again seem to reply to each other.
    pub replied: bool,
    /// The mover pressed the clock.
    pub pressed: bool,
    /// The board was read since the press, or need not be: the piece was first seen there after the press, or can go no
    /// further.
    pub position_read: bool,
    /// The board rests; without a clock, the piece stood from one poll to a later one.
    pub settled: bool,
    /// From this move on the pieces of all moves return to their start squares: it may be the first that is set up for
    /// the next game.
    pub homeward: bool,
    /// The best explanation explains the whole board; where the piece stood from one poll to a later one without a
    /// clock, it explains all pieces of the mover that came anywhere since.
    pub explained: bool,
    /// It is the last move and the board contradicts it: it may have been put back, and the press belong to another
    /// one.
    pub contradicted: bool,
    /// In the best line its piece goes on in a later move that was not pressed: both may be one move, to which the
    /// other side replied early.
    pub moves_on: bool,
}

/// The result of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It can be published.
    Ready,
    /// It can be published if it ends the game by the rules: a player who mates need not press.
    ReadyIfMate,
    /// It has to wait.
    Wait,
}

/// Whether a move with this evidence can be published. The first rule that applies decides.
pub fn verdict(evidence: &Evidence) -> Verdict {
    use Verdict::{Ready, ReadyIfMate, Wait};
    let &Evidence { clock, lead, homeward, .. } = evidence;
    let waited = |seconds| evidence.age.is_some_and(|age| age >= seconds);
    let latest =
        if clock && homeward { limits::CONTINUED_WITHIN_SECONDS } else { limits::PUBLISH_LATEST_SECONDS };
    // Pieces that are set up for the next game seem to reply to each other.
    let reply_counts = !homeward || (!clock && waited(limits::PUBLISH_LATEST_SECONDS));
    match *evidence {
        Evidence { clock: true, moves_on: true, .. } if !waited(limits::CONTINUED_WITHIN_SECONDS) => Wait,
        Evidence { replied: true, contradicted: false, .. } if lead >= limits::LEAD && reply_counts => Ready,
        Evidence { explained: true, .. } if lead > 0.0 && waited(latest) => Ready,
        _ if lead <= 0.0
            || evidence.over_others < evidence.sure_of_others
            || evidence.over_meant < evidence.sure_of_meant =>
        {
            Wait
        }
        Evidence { clock: false, settled: true, explained: true, homeward: false, .. } => Ready,
        Evidence { clock: false, .. } => Wait,
        // The contradicted move may have been put back, and the press belong to another one.
        Evidence { pressed: true, contradicted: true, .. } => Wait,
        // A player who sets up the pieces may clear the clock meanwhile.
        Evidence { pressed: true, homeward: true, explained: false, .. } => Wait,
        Evidence { pressed: true, position_read: true, .. } => Ready,
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

    /// A move one second old without confirmation or rivals, on an explained board that does not rest.
    const PLAYED: Evidence = Evidence {
        clock: true,
        lead: f32::INFINITY,
        over_others: f32::INFINITY,
        sure_of_others: limits::LEAD_AT_PRESS,
        over_meant: f32::INFINITY,
        sure_of_meant: limits::LEAD,
        age: Some(1.0),
        replied: false,
        pressed: false,
        position_read: false,
        settled: false,
        homeward: false,
        explained: true,
        contradicted: false,
        moves_on: false,
    };
    /// The same, pressed, and read since.
    const PRESSED: Evidence = Evidence { pressed: true, position_read: true, ..PLAYED };
    /// The same without a clock, at rest.
    const RESTING: Evidence = Evidence { clock: false, settled: true, ..PLAYED };

    fn assert_all(expected: Verdict, moves: &[Evidence]) {
        for evidence in moves {
            assert_eq!(verdict(evidence), expected, "{evidence:?}");
        }
    }

    #[test]
    fn a_pressed_move_is_ready_after_a_poll() {
        assert_all(
            Ready,
            &[PRESSED, Evidence { settled: true, ..PRESSED }, Evidence { age: None, ..PRESSED }],
        );
        // Some squares of other pieces may be mismatched: the reply has begun.
        assert_all(Ready, &[Evidence { explained: false, ..PRESSED }]);
        assert_all(Wait, &[Evidence { position_read: false, ..PRESSED }]);
    }

    #[test]
    fn a_move_with_a_likely_rival_waits() {
        for close in [0.0, limits::LEAD_AT_PRESS - 0.1] {
            let other = |evidence| Evidence { lead: close, over_others: close, ..evidence };
            assert_all(Wait, &[other(PRESSED), other(RESTING)]);
        }
        // An explanation without a move there is no rival once the board was read; but this move must be the best.
        assert_all(Ready, &[Evidence { lead: 0.1, ..PRESSED }, Evidence { lead: 0.1, ..RESTING }]);
        assert_all(Wait, &[Evidence { lead: 0.0, ..PRESSED }, Evidence { lead: 0.0, ..RESTING }]);
    }

    #[test]
    fn a_move_with_a_possible_rival_awaits_its_reply() {
        let close = limits::LEAD - 0.1;
        assert_all(
            Wait,
            &[Evidence { over_meant: close, ..PRESSED }, Evidence { over_meant: close, ..RESTING }],
        );
        assert_all(Ready, &[Evidence { over_meant: close, replied: true, ..PRESSED }]);
        assert_all(Wait, &[Evidence { contradicted: true, replied: true, ..PRESSED }]);
    }

    #[test]
    fn a_waiting_move_waits_with_rivals_too() {
        let ages =
            [None, Some(1.0), Some(limits::PUBLISH_LATEST_SECONDS), Some(limits::CONTINUED_WITHIN_SECONDS)];
        let close = [0.0, limits::LEAD_AT_PRESS - 0.1, limits::LEAD];
        for (facts, age) in (0..512_u32).flat_map(|facts| ages.map(|age| (facts, age))) {
            let is = |fact: u32| facts >> fact & 1 != 0;
            let alone = Evidence {
                clock: is(0),
                replied: is(1),
                pressed: is(2),
                position_read: is(3),
                settled: is(4),
                homeward: is(5),
                explained: is(6),
                contradicted: is(7),
                moves_on: is(8),
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
    fn a_rival_with_a_charged_stop_is_ignored() {
        // Sums of costs differ in their last bits.
        let stop = (12.35 + Deviation::Stood.price()) - 12.35 - f32::EPSILON;
        assert_all(Ready, &[Evidence { over_meant: stop, ..PRESSED }]);
    }

    #[test]
    fn a_contradicted_move_waits() {
        assert_all(Wait, &[Evidence { contradicted: true, explained: false, ..PRESSED }]);
    }

    #[test]
    fn a_press_while_setting_up_needs_an_explained_board() {
        assert_all(Ready, &[Evidence { homeward: true, ..PRESSED }]);
        assert_all(Wait, &[Evidence { homeward: true, explained: false, ..PRESSED }]);
    }

    #[test]
    fn an_unpressed_move_waits_unless_it_mates() {
        let resting = Evidence { clock: true, ..RESTING };
        assert_all(ReadyIfMate, &[resting]);
        assert_all(Wait, &[PLAYED, Evidence { explained: false, ..resting }]);
        assert_all(Wait, &[Evidence { homeward: true, ..resting }, Evidence { over_others: 0.5, ..resting }]);
    }

    #[test]
    fn without_clock_a_resting_move_is_ready() {
        assert_all(Ready, &[RESTING]);
        assert_all(Wait, &[Evidence { settled: false, ..RESTING }, Evidence { explained: false, ..RESTING }]);
        // The first piece that is set up for the next game rests, too.
        assert_all(Wait, &[Evidence { homeward: true, ..RESTING }]);
    }

    #[test]
    fn a_piece_moving_on_unpressed_waits() {
        let moves_on = |evidence| Evidence { moves_on: true, ..evidence };
        let replied = Evidence { replied: true, ..PRESSED };
        let waited = Evidence { age: Some(limits::PUBLISH_LATEST_SECONDS), ..PRESSED };
        assert_all(Ready, &[replied, waited]);
        assert_all(Wait, &[moves_on(PRESSED), moves_on(replied), moves_on(waited)]);
        // Without a clock nobody presses anything, and nothing waits for ever.
        let long = Evidence { age: Some(limits::CONTINUED_WITHIN_SECONDS), ..PRESSED };
        assert_all(Ready, &[moves_on(RESTING), moves_on(long)]);
    }

    #[test]
    fn a_reply_makes_a_move_ready_that_leads_well() {
        let replied = Evidence { replied: true, explained: false, ..PLAYED };
        assert_all(Ready, &[replied, Evidence { clock: false, ..replied }]);
        assert_all(Ready, &[Evidence { lead: limits::LEAD, ..replied }]);
        assert_all(Wait, &[Evidence { lead: limits::LEAD - 0.1, ..replied }]);
    }

    #[test]
    fn pieces_that_go_home_reply_to_each_other() {
        let replied = Evidence { replied: true, homeward: true, explained: false, ..PLAYED };
        let waited = Some(limits::PUBLISH_LATEST_SECONDS);
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
        assert_all(Wait, &[after(limits::PUBLISH_LATEST_SECONDS - 0.1, hardly)]);
        assert_all(Ready, &[after(limits::PUBLISH_LATEST_SECONDS, hardly)]);
        // Not moves that nothing distinguishes, nor on a board that shows something else.
        let long = after(limits::PUBLISH_LATEST_SECONDS, hardly);
        assert_all(Wait, &[Evidence { lead: 0.0, ..long }, Evidence { explained: false, ..long }]);
        // Nobody knows how long it is where times are missing.
        assert_all(Wait, &[Evidence { age: None, ..long }]);
    }

    #[test]
    fn a_piece_home_waits_longer_with_clock() {
        let home = |clock, age| Evidence { homeward: true, clock, age: Some(age), ..PLAYED };
        assert_all(
            Wait,
            &[home(true, limits::PUBLISH_LATEST_SECONDS), home(true, limits::CONTINUED_WITHIN_SECONDS - 0.1)],
        );
        assert_all(
            Ready,
            &[home(true, limits::CONTINUED_WITHIN_SECONDS), home(false, limits::PUBLISH_LATEST_SECONDS)],
        );
    }
}
