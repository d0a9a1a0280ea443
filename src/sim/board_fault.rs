//! The faults of boards: `--fault KIND=BOARD[:SQUARE]`.
//!
//! Faults of squares and pieces change the touches of hands before the scanner samples them, in a
//! [`SimulatedDay`](super::simulated_day::SimulatedDay). Other faults are of the electronics, and are simulated where the
//! board's reports are made.

use std::str::FromStr;

use super::{Micros, SECOND, gesture::Touch, random::Random, seconds};
use crate::record::{Piece, Placement, Square};

/// Seconds between two drop-outs of a weak piece.
const APART: (f64, f64) = (4.0, 24.0);
/// Seconds between two drop-outs on a square with a bad contact; boards overwrite entries of such a field.
const FLICKERS: (f64, f64) = (1.5, 9.0);
/// Seconds for which a bad contact loses a piece: less than a scan takes, so that some drop-outs are not seen.
const CONTACT: (f64, f64) = (0.1, 0.24);
/// Seconds for which a weak piece is not seen.
const WEAK: (f64, f64) = (0.6, 3.0);
/// How often a board that restarts does so in a game.
const RESETS: u32 = 3;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ailment {
    /// A piece there is never seen.
    DeadSquare(Square),
    /// A piece there is not seen after the first game.
    DyingSquare(Square),
    /// A piece there drops out repeatedly.
    Flicker(Square),
    /// The piece that begins its games there drops out on any square.
    WeakPiece(Square),
    /// Answers come late.
    Slow,
    /// It restarts.
    Reset,
    /// Another board has its address.
    Twin,
    /// Its electronics answer in an unusual way.
    Odd(Oddity),
}

/// An unusual way in which a board answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// In single-board mode it does not answer the question for its bus address, and has a serial number of ten digits, the
    /// last of which are that address.
    NoAddress,
    /// The same, but it answers that question with one byte.
    ShortAddress,
    /// Entries of its log are cut across two answers.
    CutEntries,
    /// In single-board mode messages that were left in its buffer come before its first answer.
    StaleFrames,
    /// In single-board mode answers come late and in another order than the commands.
    AnyOrder,
    /// In single-board mode it sends a log with the end mark alone.
    EmptyLog,
}

/// The faults of a board that have no square.
const OF_BOARDS: [(&str, Ailment); 9] = [
    ("slow", Ailment::Slow),
    ("reset", Ailment::Reset),
    ("twin", Ailment::Twin),
    ("no-address", Ailment::Odd(Oddity::NoAddress)),
    ("short-address", Ailment::Odd(Oddity::ShortAddress)),
    ("cut-entries", Ailment::Odd(Oddity::CutEntries)),
    ("stale-frames", Ailment::Odd(Oddity::StaleFrames)),
    ("any-order", Ailment::Odd(Oddity::AnyOrder)),
    ("empty-log", Ailment::Odd(Oddity::EmptyLog)),
];

type OfSquare = fn(Square) -> Ailment;

/// The faults of a square, or of the piece on it.
const OF_SQUARES: [(&str, OfSquare); 4] = [
    ("dead-square", Ailment::DeadSquare),
    ("dying-square", Ailment::DyingSquare),
    ("flicker", Ailment::Flicker),
    ("weak-piece", Ailment::WeakPiece),
];

/// A fault of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardFault {
    /// The board's address.
    pub board: u16,
    /// The kind of fault.
    pub ailment: Ailment,
}

impl FromStr for BoardFault {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardFault, String> {
        let (kind, whose) = text.split_once('=').ok_or("not KIND=BOARD or KIND=BOARD:SQUARE")?;
        let (board, square) = match whose.split_once(':') {
            Some((board, square)) => (board, Some(square)),
            None => (whose, None),
        };
        let board = board.parse().ok().filter(|board| (1..1 << 14).contains(board));
        let board = board.ok_or_else(|| format!("`{whose}` does not begin with a board's address"))?;
        let square: Option<Square> =
            square.map(str::parse).transpose().map_err(|e| format!("`{text}`: {e}"))?;
        let of_square = OF_SQUARES.iter().find(|(name, _)| *name == kind).map(|(_, ailment)| ailment);
        let of_board = OF_BOARDS.iter().find(|(name, _)| *name == kind).map(|(_, ailment)| *ailment);
        let ailment = match (of_square, of_board, square) {
            (Some(ailment), _, Some(square)) => ailment(square),
            (_, Some(ailment), None) => ailment,
            (Some(_), _, None) => return Err(format!("{kind} wants a square: {kind}={board}:e4")),
            (_, Some(_), Some(_)) => return Err(format!("{kind} is of a board, not of a square")),
            (None, None, _) => {
                let names =
                    OF_SQUARES.iter().map(|(name, _)| *name).chain(OF_BOARDS.iter().map(|(name, _)| *name));
                return Err(format!("`{kind}` is none of {}", names.collect::<Vec<_>>().join(", ")));
            }
        };
        Ok(BoardFault { board, ailment })
    }
}

/// The faults of one board.
#[derive(Debug, Clone, Default)]
pub struct Ailments(Vec<Ailment>);

/// A part of a board's day, with one game.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// The position when it begins.
    pub stands: Placement,
    /// When it begins,
    pub from: Micros,
    /// when the pieces are set up for the game in it,
    pub ready: Micros,
    /// and when it ends.
    pub until: Micros,
}

impl Ailments {
    /// The faults of this board.
    pub fn of(faults: &[BoardFault], board: u16) -> Ailments {
        let own = faults.iter().filter(|fault| fault.board == board);
        Ailments(own.map(|fault| fault.ailment).collect())
    }

    /// Whether its answers come late.
    pub fn is_slow(&self) -> bool {
        self.0.contains(&Ailment::Slow)
    }

    /// The unusual ways in which it answers.
    pub fn oddities(&self) -> Vec<Oddity> {
        let odd = |ailment: &Ailment| if let Ailment::Odd(oddity) = ailment { Some(*oddity) } else { None };
        self.0.iter().filter_map(odd).collect()
    }

    /// Whether another board has its address.
    pub fn has_twin(&self) -> bool {
        self.0.contains(&Ailment::Twin)
    }

    /// How often it restarts in a game.
    pub fn resets(&self) -> u32 {
        if self.0.contains(&Ailment::Reset) { RESETS } else { 0 }
    }

    /// The position that the board sees, if this is the real one.
    pub fn seen(&self, stands: &Placement) -> Placement {
        let mut seen = *stands;
        for ailment in &self.0 {
            if let Ailment::DeadSquare(square) = *ailment {
                seen.set(square, None);
            }
        }
        seen
    }

    /// The touches that the sensors see, made from the real ones in a part of the day, in order of time; and how often a
    /// piece was not seen.
    pub fn disturb(
        &self,
        mut touches: Vec<Touch>,
        stretch: &Stretch,
        random: &mut Random,
    ) -> (Vec<Touch>, usize) {
        let mut unseen = 0;
        for ailment in &self.0 {
            let gaps = match *ailment {
                Ailment::DeadSquare(square) => {
                    unseen += stays_on(square, &touches, stretch).len();
                    touches.retain(|touch| touch.square != square);
                    continue;
                }
                // In the first game of the day the square is sound.
                Ailment::DyingSquare(_) if stretch.from == 0 => continue,
                Ailment::DyingSquare(square) => {
                    unseen += stays_on(square, &touches, stretch).len();
                    touches.retain(|touch| touch.square != square);
                    if stretch.stands.get(square).is_some() {
                        touches.insert(0, Touch { at: stretch.from, square, piece: None });
                    }
                    continue;
                }
                Ailment::Flicker(square) => {
                    gaps(&stays_on(square, &touches, stretch), FLICKERS, CONTACT, random)
                }
                Ailment::WeakPiece(home) => gaps(&stays_of(home, &touches, stretch), APART, WEAK, random),
                Ailment::Slow | Ailment::Reset | Ailment::Twin | Ailment::Odd(_) => continue,
            };
            unseen += gaps.len() / 2;
            touches.extend(gaps);
            touches.sort_by_key(|touch| touch.at);
        }
        (touches, unseen)
    }
}

/// A square, a piece on it, and the times between which it is there.
type Stay = (Square, Piece, Micros, Micros);

/// The stays of pieces on a square.
fn stays_on(square: Square, touches: &[Touch], stretch: &Stretch) -> Vec<Stay> {
    let (mut stays, mut stands) = (Vec::new(), (stretch.from, stretch.stands.get(square)));
    for touch in touches.iter().filter(|touch| touch.square == square) {
        let (since, piece) = std::mem::replace(&mut stands, (touch.at, touch.piece));
        stays.extend(piece.map(|piece| (square, piece, since, touch.at)));
    }
    stays.extend(stands.1.map(|piece| (square, piece, stands.0, stretch.until)));
    stays
}

/// The stays of the piece that is on this square when the pieces are set up, until it is captured.
fn stays_of(home: Square, touches: &[Touch], stretch: &Stretch) -> Vec<Stay> {
    let (before, after) = touches.split_at(touches.partition_point(|touch| touch.at <= stretch.ready));
    let mut board = stretch.stands;
    before.iter().for_each(|touch| board.set(touch.square, touch.piece));
    let Some(piece) = board.get(home) else { return Vec::new() };
    let (mut stays, mut stands) = (Vec::new(), Some((home, stretch.ready)));
    for touch in after {
        match stands {
            Some((square, since)) if touch.square == square && touch.piece != Some(piece) => {
                stays.push((square, piece, since, touch.at));
                stands = None;
            }
            // While it is in a hand, the next piece of its kind that is put down is taken for it.
            None if touch.piece == Some(piece) => stands = Some((touch.square, touch.at)),
            // Another piece of its kind was lifted: so this one was captured.
            None if board.get(touch.square) == Some(piece) => return stays,
            _ => {}
        }
        board.set(touch.square, touch.piece);
    }
    stays.extend(stands.map(|(square, since)| (square, piece, since, stretch.until)));
    stays
}

/// Drop-outs of the piece in these stays: `apart` and `long` are the ranges of seconds between them and of their length.
fn gaps(stays: &[Stay], apart: (f64, f64), long: (f64, f64), random: &mut Random) -> Vec<Touch> {
    let mut gaps = Vec::new();
    for &(square, piece, since, until) in stays {
        let mut at = since + seconds(random.between(apart));
        loop {
            let back = at + seconds(random.between(long));
            // The piece is not moved during a drop-out.
            if back + SECOND / 2 >= until {
                break;
            }
            gaps.push(Touch { at, square, piece: None });
            gaps.push(Touch { at: back, square, piece: Some(piece) });
            at = back + seconds(random.between(apart));
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ailments(text: &str) -> Ailments {
        let fault: BoardFault = text.parse().unwrap();
        Ailments::of(&[fault], 1027)
    }

    fn stretch() -> Stretch {
        Stretch { stands: Placement::start(), from: 0, ready: 0, until: 1000 * SECOND }
    }

    fn touch(at: Micros, square: &str, piece: Option<u8>) -> Touch {
        Touch { at: at * SECOND, square: square.parse().unwrap(), piece: piece.and_then(Piece::from_letter) }
    }

    #[test]
    fn faults_are_read_and_wrong_ones_are_explained() {
        let fault: BoardFault = "flicker=1027:e4".parse().unwrap();
        let e4 = "e4".parse().unwrap();
        assert_eq!(fault, BoardFault { board: 1027, ailment: Ailment::Flicker(e4) });
        assert_eq!("twin=1".parse(), Ok(BoardFault { board: 1, ailment: Ailment::Twin }));
        let wrong = |text: &str| text.parse::<BoardFault>().unwrap_err();
        assert!(wrong("flicker=1027").contains("flicker=1027:e4"));
        assert!(wrong("slow=1027:e4").contains("not of a square"));
        assert!(wrong("tired=1027").contains("dead-square, dying-square, flicker"));
        assert!(wrong("slow=20000").contains("address") && wrong("slow").contains("KIND=BOARD"));
        assert!(wrong("dead-square=1027:e9").contains("not a square"));
    }

    #[test]
    fn a_piece_on_a_dead_square_is_not_seen() {
        let dead = ailments("dead-square=1027:e4");
        let hands = vec![touch(1, "e2", None), touch(2, "e4", Some(b'P'))];
        let seen = dead.disturb(hands, &stretch(), &mut Random::new(1));
        assert_eq!(seen, (vec![touch(1, "e2", None)], 1));
        let dead = ailments("dead-square=1027:e2");
        assert_eq!(dead.seen(&Placement::start()).count(), 31);
    }

    #[test]
    fn a_square_flickers_while_a_piece_stands_on_it() {
        let flickers = ailments("flicker=1027:e2");
        let (seen, unseen) = flickers.disturb(vec![touch(500, "e2", None)], &stretch(), &mut Random::new(1));
        assert_eq!(seen.len(), 2 * unseen + 1);
        assert!(seen.len() > 50 && seen.iter().all(|touch| touch.at <= 500 * SECOND));
        assert!(seen.is_sorted_by_key(|touch| touch.at));
        assert!(seen.iter().zip(seen.iter().skip(1)).all(|(a, b)| a.piece.is_some() != b.piece.is_some()));
    }

    #[test]
    fn a_weak_piece_drops_out_on_any_square() {
        let weak = ailments("weak-piece=1027:g1");
        let hands = vec![touch(300, "g1", None), touch(301, "f3", Some(b'N')), touch(600, "f3", None)];
        let (seen, _) = weak.disturb(hands, &stretch(), &mut Random::new(1));
        let on = |square: &str| seen.iter().filter(|touch| touch.square.text() == square).count();
        assert!(on("g1") > 20 && on("f3") > 20 && on("g1") + on("f3") == seen.len());
        assert!(seen.iter().all(|touch| touch.at <= 600 * SECOND));
    }

    #[test]
    fn after_its_capture_a_weak_piece_causes_no_dropouts() {
        let weak = ailments("weak-piece=1027:e2");
        let hands = vec![
            touch(100, "e2", None),
            touch(101, "e4", Some(b'P')),
            touch(200, "e4", None),
            touch(201, "d5", None),
            touch(202, "e4", Some(b'p')),
            touch(300, "d2", None),
            touch(301, "d3", Some(b'P')),
        ];
        let (seen, _) = weak.disturb(hands, &stretch(), &mut Random::new(1));
        let after: Vec<&Touch> = seen.iter().filter(|touch| touch.at > 202 * SECOND).collect();
        assert_eq!(after.len(), 2, "{after:?}");
    }
}
