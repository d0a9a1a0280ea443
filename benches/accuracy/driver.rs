//! Plays games in a hall of polled boards and compares what a method publishes with what was played. Used by the tables of
//! this bench and by the test that holds the floor of the accuracy.
//!
//! `PlayedHall::play(games, …)` makes the records; `.score(reconstruct)` judges boardbus, or any other method.

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use boardbus::{
    reconstruct::{Options, Reconstructor},
    record::{BoardEvent, BoardRecord, GameEvent, GameRecord, Time},
    sim::{
        planned_game::PlannedGame,
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        round::{Ending, Round},
    },
};

/// Boards in a hall, with one game each. The reconstruction of a board also takes the time from records of the others.
pub const BOARDS: usize = 64;
/// The number of addresses. Further games reuse them from the first one on, with another seed.
const ADDRESSES: usize = 8192;
/// The delay of a ply that was never published correctly.
const NEVER: i64 = i64::MAX;

/// Seconds from one poll of a board to the next, by default.
pub const EVERY: f64 = 2.0;

/// Boards polled every `every` seconds, their clocks every twenty, from an arbitrary day on.
pub fn polling(every: f64, clock: bool, seed: u64) -> Polling {
    let opening = Time(1_767_261_600_000);
    Polling { opening, every, clock, clock_every: 20.0, answers: false, faults: Vec::new(), seed }
}

/// What a method published, each record with the time of the board record that caused it.
pub type Published = Vec<(Time, GameRecord)>;

/// A game in a hall.
pub struct OnBoard {
    /// The address of its board.
    pub address: u16,
    /// The game.
    pub game: Arc<PlannedGame>,
    landed: Vec<Landed>,
}

/// The times of a ply's landing, in milliseconds.
struct Landed {
    /// The landing itself.
    at: i64,
    /// The first change that the board reported at or after it.
    reported: i64,
    /// When that change and the press of the ply had been reported.
    complete: i64,
}

/// A hall in which each board has one game, played and polled to its end.
pub struct PlayedHall {
    /// The records of the boards, by time.
    pub records: Vec<BoardRecord>,
    /// The boards, in the order of the games.
    pub boards: Vec<OnBoard>,
}

impl PlayedHall {
    /// Plays these games with these hands. `first` is the number of the first of them among all games. The same arguments give
    /// the same records.
    pub fn play(
        games: &[Arc<PlannedGame>],
        first: usize,
        (hands, clock): (Hands, bool),
        every: f64,
        seed: u64,
    ) -> PlayedHall {
        let addresses: Vec<u16> =
            (first..).take(games.len()).map(|n| (1025 + n % ADDRESSES) as u16).collect();
        let rounds: Vec<Round> = games.iter().map(|game| Round::new(game.clone(), Ending::None)).collect();
        let polling = polling(every, clock, seed.wrapping_add((first / ADDRESSES) as u64));
        let mut hall = PolledHall::new(&addresses, &rounds, &hands.profile(), &polling);
        let records: Vec<BoardRecord> = hall.by_ref().collect();
        let on_board = |(&address, game): (&u16, &Arc<PlannedGame>)| OnBoard {
            address,
            game: game.clone(),
            landed: landed(address, &hall, &records),
        };
        let boards = addresses.iter().zip(games).map(on_board).collect();
        PlayedHall { records, boards }
    }

    /// The score of a method on the records of this hall.
    pub fn score(&self, method: impl FnOnce(&PlayedHall, &mut Published)) -> Score {
        let mut published = Published::new();
        let begin = Instant::now();
        method(self, &mut published);
        let mut score = Score { records: self.records.len(), spent: begin.elapsed(), ..Score::default() };
        for board in &self.boards {
            let own = published.iter().filter(|(_, record)| record.board == Some(board.address));
            score.add(judge(&board.game, &board.landed, own));
        }
        score
    }
}

/// Boardbus as a method: what `boardbus reconstruct` publishes with these options.
pub fn reconstruct(options: Options, hall: &PlayedHall, published: &mut Published) {
    let mut reconstructor = Reconstructor::new(options);
    let mut now = Time::default();
    let mut publish = |now, record| {
        published.push((now, record));
        Ok::<(), Infallible>(())
    };
    for record in &hall.records {
        now = record.time.unwrap_or(now);
        let Ok(()) = reconstructor.record(record, |game| publish(now, game));
    }
    let Ok(()) = reconstructor.finish(|game| publish(now, game));
}

/// When the plies on a board landed.
fn landed(board: u16, hall: &PolledHall, records: &[BoardRecord]) -> Vec<Landed> {
    let times = |is: fn(&BoardEvent) -> bool| -> Vec<i64> {
        let own = records.iter().filter(|record| record.board == Some(board) && is(&record.event));
        own.filter_map(|record| Some(record.time?.0)).collect()
    };
    let changes = times(|event| matches!(event, BoardEvent::Change(_)));
    let presses = times(|event| matches!(event, BoardEvent::Press(_)));
    let first = |times: &[i64], at: i64| *times.get(times.partition_point(|&time| time < at)).unwrap_or(&at);
    let landings = hall.landings().filter(|landing| landing.board == board);
    let landed = landings.map(|landing| {
        let (at, reported) = (landing.time.0, first(&changes, landing.time.0));
        let complete = landing.pressed.map_or(reported, |pressed| reported.max(first(&presses, pressed.0)));
        Landed { at, reported, complete }
    });
    landed.collect()
}

/// Compares what was published of a board with its only game.
fn judge<'a>(
    played: &PlannedGame,
    landed: &[Landed],
    published: impl Iterator<Item = &'a (Time, GameRecord)>,
) -> Score {
    let mut last: HashMap<(u32, u32), &str> = HashMap::new();
    let mut stand: BTreeMap<u32, u32> = BTreeMap::new();
    let mut delays = vec![[NEVER; 2]; played.plies.len()];
    let mut wrong = 0;
    for (now, record) in published {
        let stands = stand.entry(record.game).or_default();
        match &record.event {
            GameEvent::Takeback(back) => *stands = back.ply.min(*stands),
            GameEvent::Move(m) => {
                let name = m.uci.as_deref().or(m.notation.as_deref());
                let (Some(ply), Some(name)) = (m.ply, name) else { continue };
                *stands = ply.max(*stands);
                if last.insert((record.game, ply), name) == Some(name) {
                    continue;
                }
                let n = (ply as usize).wrapping_sub(1);
                if record.game == 1 && played.plies.get(n).is_some_and(|ply| ply.name == name) {
                    if delays[n][0] == NEVER {
                        delays[n] = [now.0 - landed[n].reported, now.0 - landed[n].at];
                    }
                } else {
                    wrong += 1;
                }
            }
            _ => {}
        }
    }
    let stands = stand.get(&1).copied().unwrap_or(0);
    let same = played.plies.iter().zip(1..=stands).filter(|(ply, n)| last.get(&(1, *n)) == Some(&&*ply.name));
    let (plies, right) = (played.plies.len(), same.count());
    let exact = (right == plies && stands as usize == plies && stand.len() == 1) as usize;
    let floors = landed.iter().map(|landed| landed.complete - landed.at).collect();
    Score { games: 1, exact, plies, right, wrong, delays, floors, ..Score::default() }
}

/// The score of a method.
#[derive(Debug, Default)]
pub struct Score {
    /// Games played.
    pub games: usize,
    /// Games published from the first to the last move as they were played, and nothing else.
    pub exact: usize,
    /// Plies played.
    pub plies: usize,
    /// Plies whose last published move is the one played.
    pub right: usize,
    /// Published moves that were not played; repeated unchanged they count once.
    pub wrong: usize,
    /// For each ply the delays in milliseconds, from the record of its landing and from the landing itself.
    delays: Vec<[i64; 2]>,
    /// The delay, from the landing, of an observer who has the game and waits for the records of landing and press.
    floors: Vec<i64>,
    records: usize,
    spent: Duration,
}

impl Score {
    /// Adds the score of another hall or board.
    pub fn add(&mut self, other: Score) {
        self.games += other.games;
        self.exact += other.exact;
        self.plies += other.plies;
        self.right += other.right;
        self.wrong += other.wrong;
        self.delays.extend(other.delays);
        self.floors.extend(other.floors);
        self.records += other.records;
        self.spent += other.spent;
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Score { games, exact, plies, right, wrong, .. } = *self;
        let of = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        // Percentiles of the delays, in seconds.
        let percentiles = |mut delays: Vec<i64>| {
            delays.sort_unstable();
            [50, 95, 99].map(|percent| match delays.get((delays.len() * percent).div_ceil(100).max(1) - 1) {
                Some(&NEVER) | None => "never".to_owned(),
                Some(&delay) => format!("{:.2}", delay as f64 / 1000.0),
            })
        };
        let of_both = |from: usize| percentiles(self.delays.iter().map(|both| both[from]).collect());
        let ([_, p95, p99], [median, of95, landing]) = (of_both(0), of_both(1));
        let [floor_median, _, floor] = percentiles(self.floors.clone());
        let speed = self.records as f64 / self.spent.as_secs_f64().max(1e-9);
        let (percent, per_ply) = (100.0 * of(exact, games), 100.0 * of(right, plies));
        write!(
            f,
            "{games:>7} {exact:>6} {percent:>7.2} {plies:>9} {per_ply:>9.4} {:>11.3} ",
            1000.0 * of(wrong, plies)
        )?;
        write!(
            f,
            "{p95:>8} {p99:>8} {median:>8} {of95:>8} {landing:>8} {floor_median:>8} {floor:>8} {speed:>9.0}"
        )
    }
}
