//! The driver of all that measures the reconstruction: games are played in a hall of polled boards, a method makes
//! games of the records, and what it published is held against what was played. For the tables of this bench and for
//! the test that holds the floor of the accuracy.
//!
//! `PlayedHall::play(games, …)` has the records; `.score(reconstruct)` judges the product, or any other method.

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

/// Boards in a hall, a game on each: a board also learns from the records of the others how time goes by.
pub const BOARDS: usize = 64;
/// More games than there are addresses begin anew, with other hands.
const ADDRESSES: usize = 8192;
/// The delay of a ply that was never published rightly.
const NEVER: i64 = i64::MAX;

/// From one poll of a board to the next, unless something else is asked for.
pub const EVERY: f64 = 2.0;

/// Boards polled `every` so many seconds, their clocks every twenty, from a day on that makes no difference.
pub fn polling(every: f64, clock: bool, seed: u64) -> Polling {
    let opening = Time(1_767_261_600_000);
    Polling { opening, every, clock, clock_every: 20.0, answers: false, faults: Vec::new(), seed }
}

/// What a method published, each record with the time of the board record that made it do so.
pub type Published = Vec<(Time, GameRecord)>;

/// A game in a hall: on which board it is played, and when its plies landed.
pub struct OnBoard {
    /// Its address.
    pub address: u16,
    /// What is played on it.
    pub game: Arc<PlannedGame>,
    landed: Vec<Landed>,
}

/// When a ply landed, in milliseconds.
struct Landed {
    /// Its landing.
    at: i64,
    /// The first change that the board told at or after it.
    told: i64,
    /// When who knows the game would have shown it: that change and its press are told.
    shown: i64,
}

/// A hall in which each board has one game, played and polled to its end.
pub struct PlayedHall {
    /// What the polled boards told, in order of time.
    pub records: Vec<BoardRecord>,
    /// The boards, in the order of the games.
    pub boards: Vec<OnBoard>,
}

impl PlayedHall {
    /// Plays these games, which begin with the `first` of all that are measured, with these hands. The same arguments
    /// give the same records.
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

    /// How a method fares with the records of this hall.
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

/// The product as a method: what `boardbus reconstruct` publishes of a hall's records, given these options.
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
    let first = |told: &[i64], at: i64| *told.get(told.partition_point(|&time| time < at)).unwrap_or(&at);
    let landings = hall.landings().filter(|landing| landing.board == board);
    let landed = landings.map(|landing| {
        let (at, told) = (landing.time.0, first(&changes, landing.time.0));
        let shown = landing.pressed.map_or(told, |pressed| told.max(first(&presses, pressed.0)));
        Landed { at, told, shown }
    });
    landed.collect()
}

/// Holds what was published of a board, on which one game was played, against the game.
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
                        delays[n] = [now.0 - landed[n].told, now.0 - landed[n].at];
                    }
                } else {
                    wrong += 1;
                }
            }
            _ => {}
        }
    }
    let stands = stand.get(&1).copied().unwrap_or(0);
    let rightly =
        played.plies.iter().zip(1..=stands).filter(|(ply, n)| last.get(&(1, *n)) == Some(&&*ply.name));
    let (plies, right) = (played.plies.len(), rightly.count());
    let exact = (right == plies && stands as usize == plies && stand.len() == 1) as usize;
    let floors = landed.iter().map(|landed| landed.shown - landed.at).collect();
    Score { games: 1, exact, plies, right, wrong, delays, floors, ..Score::default() }
}

/// How a method fared.
#[derive(Debug, Default)]
pub struct Score {
    /// Games played.
    pub games: usize,
    /// Of them published from the first to the last move as they were played, and nothing else.
    pub exact: usize,
    /// Plies played.
    pub plies: usize,
    /// Of them those whose last word is the move played.
    pub right: usize,
    /// Moves published that were not played; published again unchanged they count once.
    pub wrong: usize,
    /// Of each ply, in milliseconds, from the landing's record and from the landing itself.
    delays: Vec<[i64; 2]>,
    /// The same, from the landing itself, of who knows the game and shows a move when its landing and its press are told.
    floors: Vec<i64>,
    records: usize,
    spent: Duration,
}

impl Score {
    /// Adds another hall's, or another board's.
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
        // The smallest delay that so many in a hundred do not exceed.
        let late = |mut delays: Vec<i64>| {
            delays.sort_unstable();
            [50, 95, 99].map(|percent| match delays.get((delays.len() * percent).div_ceil(100).max(1) - 1) {
                Some(&NEVER) | None => "never".to_owned(),
                Some(&delay) => format!("{:.2}", delay as f64 / 1000.0),
            })
        };
        let of_both = |from: usize| late(self.delays.iter().map(|both| both[from]).collect());
        let ([_, p95, p99], [median, of95, landing]) = (of_both(0), of_both(1));
        let [floor_median, _, floor] = late(self.floors.clone());
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
