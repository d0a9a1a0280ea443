//! The beginning of a board's last game where no mark was written: the last time its pieces were in a start position.
//!
//! The board's records are followed from the beginning of the file, squares only, since no single record has its
//! position at that time.

use std::{collections::HashMap, fs::File, io};

use super::lines::{board_of, whole_lines};
use crate::{
    record::{
        self, BoardEvent, BoardPosition, BoardRecord, CHESS_MEN, DRAUGHTS_HOME, Placement, Record, Time,
    },
    screen::Name,
};

/// Up to this many pieces may be missing from a start position, for example on a dead square,
const MISSING_MAX: u32 = 4;
/// if pieces were away from this many squares since the last start position: exchanges in the opening leave fewer.
const AWAY: u32 = 10;

/// Where the records of a board are read from.
pub struct Beginning {
    /// The byte at which its first record begins.
    pub at: u64,
    /// The position there, to be added before its records; none where these have it.
    pub stood: Option<BoardRecord>,
}

/// The beginning of each board, where it is known.
pub type Begun = HashMap<Name, Option<Beginning>>;

/// A time at which the pieces were in a start position.
#[derive(Clone, Copy)]
struct Home {
    time: Option<Time>,
    /// The end of the record after which they were.
    at: u64,
    stands: Placement,
}

/// A board whose records are followed.
struct Followed {
    /// Where its first record begins.
    first: u64,
    /// Its position; none before its records have one.
    stands: Option<Placement>,
    /// The last two such times; of each the moment with the most pieces in their places.
    home: [Option<Home>; 2],
    /// The pieces are in a start position since then.
    is_home: bool,
    /// The greatest number of squares from which they were away since.
    away: u32,
}

impl Followed {
    fn new(first: u64) -> Followed {
        Followed { first, stands: None, home: [None; 2], is_home: false, away: u32::MAX }
    }

    /// Adds a record that ends at this byte.
    fn record(&mut self, record: &BoardRecord, at: u64) {
        match &record.event {
            BoardEvent::Position(position) => self.stands = Some(position.placement),
            BoardEvent::Mark(mark) if mark.listing => self.stands = Some(Placement::EMPTY),
            BoardEvent::Change(change) => {
                let Some(stands) = &mut self.stands else { return };
                stands.set(change.square, change.piece);
            }
            _ => return,
        }
        let Some(stands) = self.stands else { return };
        let [elsewhere, missing] = from_home(&stands);
        let is_home =
            elsewhere == 0 && (missing == 0 || missing <= MISSING_MAX && (self.is_home || self.away >= AWAY));
        let home = Home { time: record.time, at, stands };
        match &mut self.home[0] {
            // After the first piece is lifted all others are still in their places.
            Some(known) if is_home && self.is_home => {
                if stands.count() >= known.stands.count() {
                    *known = home;
                }
            }
            _ if is_home => {
                self.home = [Some(home), self.home[0]];
                self.away = 0;
            }
            _ => self.away = self.away.max(elsewhere + missing),
        }
        self.is_home = is_home;
    }

    /// The place from which its records are read.
    fn beginning(self, (line, board): &Name) -> Beginning {
        // Where nothing was played since the last start position, the game before it is shown.
        let [last, before] = self.home;
        let Some(Home { time, at, stands: placement }) = (if self.is_home { before } else { last }) else {
            return Beginning { at: self.first, stood: None };
        };
        let event = BoardEvent::Position(BoardPosition { placement, result: None });
        let stood = BoardRecord { line: line.clone(), ..BoardRecord::new(time, *board, event) };
        Beginning { at, stood: Some(stood) }
    }
}

/// The number of pieces on other squares than those of a start position, and the number of its squares without a piece;
/// for chess or draughts, whichever is closer.
fn from_home(stands: &Placement) -> [u32; 2] {
    let occupied = stands.occupied();
    let of = |home: u64| [occupied & !home, home & !occupied].map(u64::count_ones);
    let [chess, draughts] = [CHESS_MEN, DRAUGHTS_HOME].map(of);
    if chess[0] + chess[1] <= draughts[0] + draughts[1] { chess } else { draughts }
}

/// Follows the boards without a known beginning, up to the `end` of the file.
pub fn follow(file: &File, end: u64, begun: &mut Begun) -> io::Result<()> {
    if begun.values().all(Option::is_some) {
        return Ok(());
    }
    let mut followed: HashMap<Name, Followed> = HashMap::new();
    whole_lines(file, end, |mut at, block| {
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            let (first, ends) = (at, at + line.len() as u64);
            at = ends;
            let Some(name) = board_of(line).filter(|name| begun.get(name).is_some_and(Option::is_none))
            else {
                continue;
            };
            if let Ok(Record::Board(record)) = record::parse(line.trim_ascii_end()) {
                followed.entry(name).or_insert_with(|| Followed::new(first)).record(&record, ends);
            }
        }
    })?;
    for (name, board) in followed {
        let beginning = board.beginning(&name);
        begun.insert(name, Some(beginning));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Change, Piece, Square};

    /// The number of the record from which a board is read, if it has this position first and then these changes:
    /// `-c3`, `+Pd4`.
    fn read_from(stood: &str, changes: &str) -> u64 {
        let position = BoardPosition { placement: stood.parse().unwrap(), result: None };
        let mut board = Followed::new(0);
        board.record(&BoardRecord::new(None, None, BoardEvent::Position(position)), 1);
        for (number, word) in (2..).zip(changes.split_whitespace()) {
            let (how, square) = word.split_at(word.len() - 2);
            let square: Square = square.parse().unwrap();
            let piece = how.strip_prefix('+').map(|piece| piece.parse::<Piece>().unwrap());
            let change = BoardEvent::Change(Change { square, piece, quick: None });
            board.record(&BoardRecord::new(None, None, change), number);
        }
        board.beginning(&(None, None)).at
    }

    const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const DRAUGHTS: &str = "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1";
    /// Ten pieces leave the board and come back.
    const AWAY: &str = "-a1 -b1 -c1 -d1 -e1 -f1 -g1 -h1 -a2 -b2";
    const BACK: &str = "+Ra1 +Nb1 +Bc1 +Qd1 +Ke1 +Bf1 +Ng1 +Rh1 +Pa2 +Pb2";

    #[test]
    fn boards_are_read_from_their_last_full_home_position() {
        assert_eq!(read_from(CHESS, "-e2 +Pe4 -e7 +pe5"), 1);
        // Twenty changes later the pieces are set up again.
        let again = format!("{AWAY} {BACK} -e2 +Pe4");
        assert_eq!(read_from(CHESS, &again), 21);
        // Without the piece on a dead square.
        let without = format!("{AWAY} {} -e2 +Pe4", BACK.strip_suffix(" +Pb2").unwrap());
        assert_eq!(read_from(CHESS, &without), 20);
    }

    #[test]
    fn an_exchange_in_the_opening_is_no_start() {
        // Two men were exchanged: all that are left are on squares of the start position.
        assert_eq!(read_from(DRAUGHTS, "-c3 +Pd4 -c7 -d4 -e3 +Pc3 -b6"), 1);
    }

    #[test]
    fn boards_without_play_are_read_from_earlier_games() {
        let set_up = format!("-e2 +Pe4 {AWAY} {BACK} -e4 +Pe2");
        assert_eq!(read_from(CHESS, &set_up), 1);
        assert_eq!(read_from(CHESS, &format!("{set_up} -d2 +Pd4")), 25);
    }

    #[test]
    fn boards_never_at_home_are_read_from_their_beginning() {
        assert_eq!(read_from("4k3/8/8/8/8/8/8/4K3", "-e1 +Ke2"), 0);
    }
}
