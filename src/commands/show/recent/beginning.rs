//! Where the last game of a board began that wrote no mark: when its pieces last stood at home.
//!
//! Its records are followed from the beginning of the file, squares alone, for what it showed then stands nowhere in one record.

use std::{collections::HashMap, fs::File, io};

use super::lines::{board_of, whole_lines};
use crate::{
    record::{
        self, BoardEvent, BoardPosition, BoardRecord, CHESS_MEN, DRAUGHTS_HOME, Placement, Record, Time,
    },
    screen::Name,
};

/// Some pieces may be missing of a start, one on a dead square say,
const MISSING: u32 = 4;
/// if pieces were away from so many squares since the last one: an exchange in the opening leaves fewer.
const AWAY: u32 = 10;

/// From where on a board is heard.
pub struct Beginning {
    /// The byte at which its first line begins.
    pub at: u64,
    /// What stood there, to be told before it; none where its records say it.
    pub stood: Option<BoardRecord>,
}

/// Where each board is heard from, as far as that is known.
pub type Begun = HashMap<Name, Option<Beginning>>;

/// When and where pieces stood at home.
#[derive(Clone, Copy)]
struct Home {
    time: Option<Time>,
    /// Where the record ends that says so.
    at: u64,
    stands: Placement,
}

/// A board that is followed.
struct Followed {
    /// Where its first record begins.
    first: u64,
    /// What stands; none before it said so.
    stands: Option<Placement>,
    /// The last two times; of each when most of them stood there.
    home: [Option<Home>; 2],
    /// They have stood there since.
    is_home: bool,
    /// From how many squares they were away since.
    away: u32,
}

impl Followed {
    fn new(first: u64) -> Followed {
        Followed { first, stands: None, home: [None; 2], is_home: false, away: u32::MAX }
    }

    /// Takes a record that ends at a byte.
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
            elsewhere == 0 && (missing == 0 || missing <= MISSING && (self.is_home || self.away >= AWAY));
        let home = Home { time: record.time, at, stands };
        match &mut self.home[0] {
            // The first piece that is lifted leaves all others at home.
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

    /// From where on it is heard.
    fn beginning(self, (line, board): &Name) -> Beginning {
        // Where nothing was played since, the game before is what there is to see.
        let [last, before] = self.home;
        let Some(Home { time, at, stands: placement }) = (if self.is_home { before } else { last }) else {
            return Beginning { at: self.first, stood: None };
        };
        let event = BoardEvent::Position(BoardPosition { placement, result: None });
        let stood = BoardRecord { line: line.clone(), ..BoardRecord::new(time, *board, event) };
        Beginning { at, stood: Some(stood) }
    }
}

/// How many pieces stand elsewhere than those of a game at its start, and on how many of its squares none does: of the game of
/// which that is less.
fn from_home(stands: &Placement) -> [u32; 2] {
    let occupied = stands.occupied();
    let of = |home: u64| [occupied & !home, home & !occupied].map(u64::count_ones);
    let [chess, draughts] = [CHESS_MEN, DRAUGHTS_HOME].map(of);
    if chess[0] + chess[1] <= draughts[0] + draughts[1] { chess } else { draughts }
}

/// Follows the boards of which nobody knows yet where they began, up to the `end` of the file.
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

    /// From where a board is heard, by the number of the record, that stood so first; then squares changed: `-c3`, `+Pd4`.
    fn heard_from(stood: &str, changes: &str) -> u64 {
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
    fn it_is_heard_from_where_its_pieces_stood_at_home_last_and_all_of_them_did() {
        assert_eq!(heard_from(CHESS, "-e2 +Pe4 -e7 +pe5"), 1);
        // Twenty changes later they are set up again.
        let again = format!("{AWAY} {BACK} -e2 +Pe4");
        assert_eq!(heard_from(CHESS, &again), 21);
        // But for one whose square is dead.
        let without = format!("{AWAY} {} -e2 +Pe4", BACK.strip_suffix(" +Pb2").unwrap());
        assert_eq!(heard_from(CHESS, &without), 20);
    }

    #[test]
    fn an_exchange_in_the_opening_is_no_start() {
        // Two men were exchanged: those that are left stand where men begin.
        assert_eq!(heard_from(DRAUGHTS, "-c3 +Pd4 -c7 -d4 -e3 +Pc3 -b6"), 1);
    }

    #[test]
    fn where_nothing_was_played_since_it_is_heard_from_the_game_before() {
        let set_up = format!("-e2 +Pe4 {AWAY} {BACK} -e4 +Pe2");
        assert_eq!(heard_from(CHESS, &set_up), 1);
        assert_eq!(heard_from(CHESS, &format!("{set_up} -d2 +Pd4")), 25);
    }

    #[test]
    fn a_board_that_never_stood_at_home_is_heard_from_its_first_record() {
        assert_eq!(heard_from("4k3/8/8/8/8/8/8/4K3", "-e1 +Ke2"), 0);
    }
}
