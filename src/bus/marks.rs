//! Decides when a start mark is due: the board is in a start position, at rest, and not in a game.
//!
//! The log for SEND_FROM_START begins at the last mark, so a mark in a game would hide the moves before it. Therefore a
//! board gets its next mark only after more than two pieces had left the marked position (the board's own begin mark has
//! the same hysteresis: knights that go out and home are no new game), and when the start position is at rest. A position
//! after a move is no start position, and so never marked. At the beginning of a watch a mark on a start position hides
//! nothing.

use std::time::Duration;

use crate::record::{Placement, Square};

/// The codes of the kings.
const WHITE_KING: u8 = 5;
const BLACK_KING: u8 = 11;

/// How long the pieces must have rested.
const REST: Duration = Duration::from_secs(2);
/// And the number of empty polls in a row.
const EMPTY_POLLS: u32 = 2;
/// The most pieces that may leave the marked position and return in the same game.
const MOVED_MAX_PIECES: usize = 2;

/// The state that decides on the next start mark of one board.
#[derive(Debug, Clone, Default)]
pub struct NextMark {
    /// The start position that was marked; none if the next start position gets a mark.
    marked: Option<Placement>,
    /// Since when the pieces rest.
    resting: Option<Duration>,
    empty_polls: u32,
    /// The mark is due.
    due: bool,
}

impl NextMark {
    /// Notes a change that led to this position.
    pub fn moved(&mut self, placement: &Placement) {
        (self.resting, self.empty_polls, self.due) = (None, 0, false);
        if self.marked.is_some_and(|marked| moved_pieces(&marked, placement) > MOVED_MAX_PIECES) {
            self.marked = None;
        }
    }

    /// Notes that a dump at this time showed the current position, and that the board reported no change since.
    pub fn stood_since(&mut self, then: Duration) {
        (self.resting, self.empty_polls) = (Some(then), 1);
    }

    /// Notes an empty poll. Returns whether a mark is due now.
    pub fn rested(&mut self, now: Duration, placement: &Placement) -> bool {
        let since = *self.resting.get_or_insert(now);
        self.empty_polls += 1;
        self.due = self.empty_polls >= EMPTY_POLLS && now - since >= REST && self.wants(placement);
        self.due
    }

    /// Whether a mark was due at the last empty poll.
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// Whether this position will get a mark if it stays.
    pub fn wants(&self, placement: &Placement) -> bool {
        self.marked.is_none() && placement.is_start()
    }

    /// Notes that the start mark is in the board's log, with this position. If that is no start position, the next start
    /// position gets another mark.
    pub fn written(&mut self, placement: Placement) {
        (self.marked, self.due) = (placement.is_start().then_some(placement), false);
    }
}

/// The number of pieces of `from` that are not on their squares in `to`.
fn moved_pieces(from: &Placement, to: &Placement) -> usize {
    Square::all().filter(|&s| from.get(s).is_some() && from.get(s) != to.get(s)).count()
}

/// Whether this is not the position of a game in play: it is a start position, an empty board, or has both kings in the
/// centre, by which players signal a result.
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
    fn positions_between_games_are_distinguished_from_games() {
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
    fn a_mark_is_due_once_after_a_rest() {
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
    fn only_a_board_set_up_again_gets_another_mark() {
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
    fn a_touched_piece_restarts_the_rest() {
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
