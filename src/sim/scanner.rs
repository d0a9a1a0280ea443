//! The scanner of a board: it samples the squares one by one; a full scan takes 200 to 250 ms.
//!
//! So a moving piece can be seen on both squares or on none, a visit shorter than a scan can be missed, and a captured
//! piece can change into its captor without an empty square between.

use super::{Micros, gesture::Touch, random::Random};
use crate::record::{Piece, Placement, Square};

/// Two changes closer than this make the second one `quick`.
const QUICK: Micros = 250_000;

/// The scanner of one board.
#[derive(Debug, Clone)]
pub struct Scanner {
    /// The time of a full scan.
    pub scan: Micros,
    phase: Micros,
    /// The last sample of each square, result pieces included, which a [`Placement`] cannot hold.
    pub(super) known: [Option<Piece>; 64],
    last: Option<Micros>,
}

/// A square that the board found changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareChange {
    /// When the square was sampled.
    pub at: Micros,
    /// Which square.
    pub square: Square,
    /// The piece there now.
    pub piece: Option<Piece>,
    /// Less than 250 ms since the board's last change.
    pub quick: bool,
}

impl Scanner {
    /// A scanner whose last samples are these pieces.
    pub fn new(known: Placement, random: &mut Random) -> Scanner {
        let scan = 200_000 + random.below(50_000) as Micros;
        Scanner {
            scan,
            phase: random.below(scan as usize) as Micros,
            known: known.codes().map(Piece::from_code),
            last: None,
        }
    }

    /// The same scanner with another time of a full scan.
    pub fn of(scan: Micros, scanner: Scanner) -> Scanner {
        Scanner { scan, phase: scanner.phase % scan.max(1), ..scanner }
    }

    /// The changes that the board sees of these touches (in order of time, none before those of an earlier call).
    pub fn watch(&mut self, touches: &[Touch]) -> Vec<SquareChange> {
        // Only the sample after a touch can find a change, so not all scans are simulated.
        let mut samples: Vec<(Micros, Square, Option<Piece>)> =
            touches.iter().map(|touch| (self.sample(touch), touch.square, touch.piece)).collect();
        // A stable sort, so that the last of several touches before one sample counts.
        samples.sort_by_key(|&(at, square, _)| (at, square));
        let mut changes = Vec::new();
        for (n, &(at, square, piece)) in samples.iter().enumerate() {
            let overtaken = samples.get(n + 1).is_some_and(|next| (next.0, next.1) == (at, square));
            if overtaken || self.known[square.field() as usize] == piece {
                continue;
            }
            self.known[square.field() as usize] = piece;
            let quick = self.last.is_some_and(|last| at - last < QUICK);
            self.last = Some(at);
            changes.push(SquareChange { at, square, piece, quick });
        }
        changes
    }

    /// When the square of a touch is sampled next.
    fn sample(&self, touch: &Touch) -> Micros {
        let offset = (self.phase + self.scan * touch.square.field() as Micros / 64) % self.scan;
        offset + touch.at.saturating_sub(offset).div_ceil(self.scan) * self.scan
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::SECOND;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn touch(at: Micros, name: &str, piece: Option<u8>) -> Touch {
        Touch { at, square: square(name), piece: piece.and_then(Piece::from_letter) }
    }

    /// A scanner of 200 ms in field order that begins when the hall opens.
    fn scanner() -> Scanner {
        Scanner {
            scan: 200_000,
            phase: 0,
            known: Placement::start().codes().map(Piece::from_code),
            last: None,
        }
    }

    fn written(changes: &[SquareChange]) -> Vec<String> {
        let piece = |p: Option<Piece>| p.map_or("-".into(), |p| p.to_string());
        changes
            .iter()
            .map(|s| format!("{} {}{} at {}", s.square, piece(s.piece), if s.quick { "!" } else { "" }, s.at))
            .collect()
    }

    #[test]
    fn a_piece_may_be_seen_on_both_squares() {
        // e4 (field 36) is sampled at 112.5 ms of each scan, e2 (field 52) at 162.5.
        let changes = scanner().watch(&[touch(1_000_000, "e2", None), touch(1_100_000, "e4", Some(b'P'))]);
        assert_eq!(written(&changes), ["e4 P at 1112500", "e2 -! at 1162500"]);
    }

    #[test]
    fn a_visit_between_two_samples_is_missed() {
        let visit = [touch(1_000_000, "e3", Some(b'P')), touch(1_100_000, "e3", None)];
        assert_eq!(written(&scanner().watch(&visit)), [] as [String; 0]);
    }

    #[test]
    fn a_capture_need_not_show_an_empty_square() {
        let capture = [touch(1_000_000, "d7", None), touch(1_010_000, "d7", Some(b'Q'))];
        assert_eq!(written(&scanner().watch(&capture)), ["d7 Q at 1034375"]);
    }

    #[test]
    fn only_changes_within_250_ms_are_quick() {
        let touches =
            [touch(SECOND, "a8", None), touch(SECOND + 1, "b8", None), touch(SECOND + 400_000, "c8", None)];
        assert_eq!(
            written(&scanner().watch(&touches)),
            ["a8 - at 1000000", "b8 -! at 1003125", "c8 - at 1406250"]
        );
    }
}
