//! The worst time and memory per record: boards on which nobody plays chess, and many boards that restart at once.
//!
//! The cases consist of generated changes, as no simulated hands behave so: a sensor that flickers for an hour during a game,
//! children who push pieces about for a day, a hall whose boards lose their power together. Times are those of one call of the
//! reconstructor, accurate on an idle machine only. Memory is the growth of the process, divided by the number of boards.

use std::{
    convert::Infallible,
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use boardbus::{
    reconstruct::{Options, Reconstructor},
    record::{
        BoardEvent, BoardPosition, BoardRecord, Change, Mark, MarkKind, Piece, Placement, Press, Seconds,
        Side, Square, Time,
    },
    sim::{planned_game::PlannedGame, profile::Hands, random::Random},
};

use super::driver::{EVERY, PlayedHall};

/// Boards of a case.
const BOARDS: u16 = 64;
/// Milliseconds between two polls.
const POLL: i64 = 2000;

/// Plays the cases and prints what their records cost.
pub fn print(games: &[Arc<PlannedGame>], seed: u64) {
    println!("case                boards   records   median us  99.9 % ms  worst ms  kB a board");
    report("flicker, 1 h", 1, flicker(1, 3600, seed));
    report("flicker, 64 boards", BOARDS, flicker(BOARDS, 600, seed));
    report("children, 1 day", 1, children(1, 24 * 3600, seed));
    report("children, 64 boards", BOARDS, children(BOARDS, 3600, seed));
    if !games.is_empty() {
        report("restart, 64 boards", BOARDS, restart(games, seed));
    }
}

fn report(case: &str, boards: u16, records: Vec<BoardRecord>) {
    let before = resident();
    let mut reconstructor = Reconstructor::new(Options::default());
    let mut times: Vec<Duration> = Vec::with_capacity(records.len());
    let mut most = before;
    for (n, record) in records.iter().enumerate() {
        let begin = Instant::now();
        let Ok(()) = reconstructor.record(record, |_| Ok::<(), Infallible>(()));
        times.push(begin.elapsed());
        if n % 4096 == 0 {
            most = most.max(resident());
        }
    }
    most = most.max(resident());
    times.sort_unstable();
    let at = |part: f64| {
        times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default().as_secs_f64()
    };
    let worst = times.last().copied().unwrap_or_default().as_secs_f64();
    println!(
        "{case:<20} {boards:>5} {:>9} {:>11.1} {:>10.3} {:>9.2} {:>11}",
        times.len(),
        at(0.5) * 1e6,
        at(0.999) * 1e3,
        worst * 1e3,
        most.saturating_sub(before) / 1024 / u64::from(boards)
    );
}

/// The resident memory of the process in bytes; 0 if unknown.
fn resident() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// The records of a case.
struct Records {
    records: Vec<BoardRecord>,
    now: i64,
}

impl Records {
    fn new() -> Records {
        Records { records: Vec::new(), now: 1_767_261_600_000 }
    }

    fn add(&mut self, board: u16, event: BoardEvent) {
        self.records.push(BoardRecord::new(Some(Time(self.now)), Some(board), event));
    }

    fn stand(&mut self, board: u16, placement: Placement) {
        self.add(board, BoardEvent::Position(BoardPosition { placement, result: None }));
    }

    fn change(&mut self, board: u16, square: Square, piece: Option<Piece>, quick: bool) {
        self.add(board, BoardEvent::Change(Change { square, piece, quick: quick.then_some(true) }));
    }
}

/// From the usual start b6 of every board flickers for this many seconds, with a few moves of the pawn, while clocks are pressed.
fn flicker(boards: u16, seconds: i64, seed: u64) -> Vec<BoardRecord> {
    let (mut case, mut random) = (Records::new(), Random::part(seed, 7));
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let pawn = |letter| Piece::from_letter(letter);
    for board in 0..boards {
        case.stand(board, Placement::start());
    }
    for _ in 0..seconds * 1000 / POLL {
        case.now += POLL;
        for board in 0..boards {
            for _ in 0..random.below(9) {
                let piece = if random.chance(0.5) { None } else { pawn(b'p') };
                case.change(board, square("b6"), piece, random.chance(0.5));
                case.change(
                    board,
                    square("b7"),
                    pawn(b'p').filter(|_| random.chance(0.5)),
                    random.chance(0.8),
                );
            }
            if random.chance(0.05) {
                let side = if random.chance(0.5) { Side::Left } else { Side::Right };
                case.add(board, BoardEvent::Press(Press { side, seconds: Seconds(300.0) }));
            }
        }
    }
    case.records
}

/// The pieces of every board are pushed, taken, put down and set up again for this many seconds.
fn children(boards: u16, seconds: i64, seed: u64) -> Vec<BoardRecord> {
    let (mut case, mut random) = (Records::new(), Random::part(seed, 8));
    let mut stands: Vec<(Placement, Vec<Piece>)> =
        (0..boards).map(|_| (Placement::start(), Vec::new())).collect();
    for board in 0..boards {
        case.stand(board, Placement::start());
    }
    for _ in 0..seconds * 1000 / POLL {
        case.now += POLL;
        for (board, (placement, held)) in (0..boards).zip(&mut stands) {
            for _ in 0..random.below(5) {
                let squares: Vec<Square> = Square::all().collect();
                let at = squares[random.below(64)];
                let quick = random.chance(0.3);
                match (placement.get(at), held.pop()) {
                    (Some(piece), last) => {
                        held.extend(last);
                        held.push(piece);
                        placement.set(at, None);
                        case.change(board, at, None, quick);
                    }
                    (None, Some(piece)) => {
                        placement.set(at, Some(piece));
                        case.change(board, at, Some(piece), quick);
                    }
                    (None, None) => {}
                }
            }
            // The pieces are set up.
            if random.chance(0.002) {
                (*placement, *held) = (Placement::start(), Vec::new());
                case.stand(board, Placement::start());
            } else if random.chance(0.1) {
                case.add(board, BoardEvent::Quiet {});
            }
        }
    }
    case.records
}

/// Games in play whose boards lose their power at once; each lists its pieces and goes on.
fn restart(games: &[Arc<PlannedGame>], seed: u64) -> Vec<BoardRecord> {
    let own: Vec<Arc<PlannedGame>> = games.iter().cycle().take(usize::from(BOARDS)).cloned().collect();
    let hall = PlayedHall::play(&own, 0, (Hands::Blitz, true), EVERY, seed);
    let mut case = Records::new();
    let half = hall.records.len() / 2;
    let mut stands = vec![Placement::start(); usize::from(BOARDS)];
    for (n, record) in hall.records.into_iter().enumerate() {
        let board = record.board.unwrap_or_default();
        let at = usize::from(board - hall.boards[0].address);
        case.now = record.time.map_or(case.now, |time| time.0);
        if let BoardEvent::Change(change) = &record.event {
            stands[at].set(change.square, change.piece);
        }
        case.records.push(record);
        if n == half {
            for (board, placement) in (hall.boards[0].address..).zip(&stands) {
                case.add(board, BoardEvent::Mark(Mark { mark: MarkKind::PowerUp, listing: true }));
                let pieces = Square::all().filter_map(|square| Some((square, placement.get(square)?)));
                for (square, piece) in pieces.collect::<Vec<_>>() {
                    case.change(board, square, Some(piece), false);
                }
                case.stand(board, *placement);
            }
        }
    }
    case.records
}
