//! When a start mark is due: a board that stands in a start position, at rest, and is not in a game.
//!
//! The mark begins the board's log anew, so writing it into a game in progress would hide its first moves. What
//! keeps them: the board must be back in its start position after more than two pieces had left it (the same
//! hysteresis as the board's own begin mark; knights out and home again are no new game), and stand still. A
//! position one move old is no start position, and so never marked. At the beginning nothing is known of the
//! board, and one that stands in its start position loses nothing by a mark.

use std::time::Duration;

use crate::record::{Placement, Square};

/// The codes of the kings.
const WHITE_KING: u8 = 5;
const BLACK_KING: u8 = 11;

/// How long the pieces must have rested.
const REST: Duration = Duration::from_secs(2);
/// And how many times in a row the board must have had nothing to tell.
const EMPTY_POLLS: u32 = 2;
/// So many pieces may leave the marked position and come back to the same game.
const STRAYED: usize = 2;

/// What decides on the next start mark of one board.
#[derive(Debug, Clone, Default)]
pub struct NextMark {
    /// The start position that was marked; none when the next one deserves a mark.
    marked: Option<Placement>,
    /// Since when the pieces rest.
    resting: Option<Duration>,
    empty_polls: u32,
    /// The board stands ready for its mark.
    due: bool,
}

impl NextMark {
    /// A piece moved; the pieces stand so now.
    pub fn moved(&mut self, placement: &Placement) {
        (self.resting, self.empty_polls, self.due) = (None, 0, false);
        if self.marked.is_some_and(|marked| strayed(&marked, placement) > STRAYED) {
            self.marked = None;
        }
    }

    /// A dump showed then what still stands, as the board had nothing to tell since.
    pub fn stood_since(&mut self, then: Duration) {
        (self.resting, self.empty_polls) = (Some(then), 1);
    }

    /// The board had nothing to tell. Whether a mark is due now.
    pub fn rested(&mut self, now: Duration, placement: &Placement) -> bool {
        let since = *self.resting.get_or_insert(now);
        self.empty_polls += 1;
        self.due = self.empty_polls >= EMPTY_POLLS && now - since >= REST && self.wants(placement);
        self.due
    }

    /// Whether a mark was due when the board was asked last.
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// Whether this position will get a mark if it stays.
    pub fn wants(&self, placement: &Placement) -> bool {
        self.marked.is_none() && placement.is_start()
    }

    /// The start mark is in the board's log, with this position. Of any other than a start position nothing can stray: the
    /// next start position deserves a mark.
    pub fn written(&mut self, placement: Placement) {
        (self.marked, self.due) = (placement.is_start().then_some(placement), false);
    }
}

/// How many pieces of one position are gone or others in the next.
fn strayed(from: &Placement, to: &Placement) -> usize {
    Square::all().filter(|&s| from.get(s).is_some() && from.get(s) != to.get(s)).count()
}

/// Whether no game is in play that stands so: it is set up, put away, or ended by both kings in the centre, which is how
/// players signal a result.
pub fn is_between_games(placement: &Placement) -> bool {
    const CENTRE: [u8; 4] = [27, 28, 35, 36];
    let stands = |king| CENTRE.iter().any(|&field| placement.codes()[usize::from(field)] == king);
    let over = [WHITE_KING, BLACK_KING].into_iter().all(stands);
    over || *placement == Placement::EMPTY || placement.is_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn placement(fen: &str) -> Placement {
        fen.parse().unwrap()
    }

    #[test]
    fn start_positions_of_all_games_are_recognised() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR",
            "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1",
            "1P1P1P1P/P1P1P1P1/1P1P1P1P/8/8/B1B1B1B1/1B1B1B1B/B1B1B1B1",
            "1p1p1p1p/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1",
            "1n1b1p1p/p1p1p1p1/1p1p1b1n/8/8/N1B1P1P1/1P1P1P1P/P1P1B1N1",
        ] {
            assert!(placement(fen).is_start(), "{fen}");
        }
        for fen in [
            "8/8/8/8/8/8/8/8",
            "1P1P1P1P/P1P1P1P1/1P1P1P1P/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
            "krbqbnnr/pppppppp/8/8/8/8/PPPPPPPP/KRBQBNNR",
            "rnkqrnbb/pppppppp/8/8/8/8/PPPPPPPP/RBKQRNNB",
        ] {
            assert!(!placement(fen).is_start(), "{fen}");
        }
    }

    #[test]
    fn unfinished_games_are_distinguished_from_games_in_play() {
        for fen in [
            "8/8/8/8/8/8/8/8",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "8/5ppp/8/3k4/4K3/8/5PPP/8",
            "8/5ppp/8/3Kk3/8/8/5PPP/8",
        ] {
            assert!(is_between_games(&placement(fen)), "{fen}");
        }
        for fen in ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "8/5ppp/8/3k4/8/3K4/5PPP/8"] {
            assert!(!is_between_games(&placement(fen)), "{fen}");
        }
    }

    #[test]
    fn a_mark_is_due_after_some_rest_and_once() {
        let mut next = NextMark::default();
        let start = Placement::start();
        assert!(!next.rested(at(0), &start));
        assert!(!next.rested(at(1), &start));
        assert!(next.rested(at(2), &start));
        next.written(start);
        assert!(!next.rested(at(9), &start));
    }

    #[test]
    fn a_game_that_has_begun_is_never_marked() {
        let mut next = NextMark::default();
        for n in 0..100 {
            assert!(!next.rested(at(n), &placement("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")));
        }
    }

    #[test]
    fn returning_knights_begin_no_game_and_set_ups_do() {
        let start = Placement::start();
        let mut next = NextMark::default();
        next.written(start);
        next.moved(&placement("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R"));
        next.moved(&start);
        assert!((0..9).all(|n| !next.rested(at(n), &start)));
        next.moved(&placement("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"));
        next.moved(&start);
        assert!(!next.rested(at(10), &start) && !next.rested(at(11), &start));
        assert!(next.rested(at(12), &start));
    }

    #[test]
    fn touched_pieces_restart_the_rest() {
        let start = Placement::start();
        let mut next = NextMark::default();
        assert!(!next.rested(at(0), &start));
        next.moved(&placement("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"));
        next.moved(&start);
        assert!(!next.rested(at(3), &start));
        assert!(!next.rested(at(4), &start));
        assert!(next.rested(at(5), &start));
    }
}
