//! How exactly played games are found again: simulated hands play the games of PGN and PDN files, halls of boards are
//! polled every two seconds, and what is told is held against what was played, for the product and for a
//! yardstick, the legal-successor method of the open-source boards. `scripts/accuracy` runs it.

mod days;
mod games;

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    error::Error,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use boardbus::{
    progress,
    reconstruct::{self, Reconstructor},
    record::{BoardEvent, BoardRecord, GameEvent, GameRecord, Move, Placement, Takeback, Time},
    rules::{
        self, Candidate,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
    sim::{
        planned_game::{PlannedGame, russian::Figures},
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        round::{Ending, Round},
    },
};
use clap::{Parser, ValueEnum};

/// Boards in a hall, a game on each: a board also learns from the records of the others how time goes by.
const BOARDS: usize = 16;
/// More games than there are addresses begin anew, with other hands.
const ADDRESSES: usize = 8192;
/// The delay of a ply that was never told rightly.
const NEVER: i64 = i64::MAX;
const METHODS: [&str; 2] = ["boardbus", "successor"];

/// How exactly played games are found again
///
/// Simulated hands play the games of PGN and PDN files on boards polled every 2 s; one game a board, 16 boards
/// a hall, chess and draughts each in halls of their own. For each kind of hands, with clocks and without, one row for boardbus and one for the
/// legal-successor method: a move as soon as the board shows it. The same seed gives the same table, but for
/// the speed.
#[derive(Debug, Parser)]
#[command(
    name = "accuracy",
    after_help = "\
Columns:
  exact     games told from the first to the last move as they were played, and nothing else
  right     plies whose last word is the move played
  wrong     moves told that were not played, a thousand plies; told again unchanged they count once
  95%, 99%  seconds from the record of a landing (the first change since) until its move was rightly told
  landing   the 99 % from the landing itself, which is up to a poll longer
  rec/s     board records taken in per second on one core, without JSON; fair on an idle machine only"
)]
struct Options {
    /// PGN and PDN files, and folders whose *.pgn and *.pdn are played; games from other positions than a start
    /// are left out
    paths: Vec<PathBuf>,

    /// Whose hands play
    #[arg(long, value_enum, value_delimiter = ',', default_value = "clean,classic,rapid,blitz")]
    hands: Vec<Hands>,

    /// Play so many games, evenly picked [default: all]
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    /// What all chance follows from
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Play each game so many times, with a seed of its own each
    #[arg(long, value_name = "N", default_value = "1")]
    seeds: u64,

    /// Instead of single games: so many days of five rounds on one board
    #[arg(long, value_name = "N")]
    days: Option<usize>,

    /// Instead of single games: so many games, each ended by kings put in the centre
    #[arg(long, value_name = "N")]
    kings: Option<usize>,

    /// What draughts are played with
    #[arg(long, value_enum, default_value = "disks")]
    set: Figures,

    /// Halls played at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.paths.is_empty() {
        println!("accuracy: give PGN or PDN files or folders of them: scripts/accuracy FOLDER_OR_FILE...");
        return Ok(());
    }
    let (mut chess, mut draughts) = (Vec::new(), Vec::new());
    for path in &options.paths {
        for file in games::files(path)? {
            if games::is(&file, "pdn") {
                games::read_pdn(&file, options.set, &mut draughts)?;
            } else {
                games::read(&file, &mut chess)?;
            }
        }
    }
    if options.days.is_some() || options.kings.is_some() {
        return days::table(&chess, &options);
    }
    let both = !chess.is_empty() && !draughts.is_empty();
    for (kind, games) in [(Kind::Chess, chess), (Kind::Draughts, draughts)] {
        if both {
            println!("{kind:?}");
        }
        if !games.is_empty() {
            table(kind, &games, &options)?;
        }
    }
    Ok(())
}

/// What is played in a hall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Chess,
    Draughts,
}

/// Plays the games and prints how they fared.
fn table(kind: Kind, games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let all = games.len();
    let count = options.games.unwrap_or(all).min(all);
    let games: Vec<Arc<PlannedGame>> = (0..count).map(|n| games[n * all / count].clone()).collect();

    let rows: Vec<(Hands, bool)> =
        options.hands.iter().flat_map(|&hands| [(hands, true), (hands, false)]).collect();
    let halls: Vec<(usize, usize, u64)> = (0..rows.len())
        .flat_map(|row| (0..count).step_by(BOARDS).map(move |first| (row, first)))
        .flat_map(|(row, first)| (0..options.seeds).map(move |n| (row, first, n)))
        .collect();
    let scores: Vec<[Mutex<Score>; 2]> = rows.iter().map(|_| Default::default()).collect();
    let bar = progress::bar((count * rows.len()) as u64 * options.seeds, "games");
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..options.jobs.unwrap_or(cores).max(1) {
            scope.spawn(|| {
                while let Some(&(row, first, n)) = halls.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let own = &games[first..count.min(first + BOARDS)];
                    let seed = options.seed.wrapping_add(n);
                    for (sum, score) in scores[row].iter().zip(play(kind, rows[row], own, first, seed)) {
                        sum.lock().expect("no other hall failed").add(score);
                    }
                    bar.inc(own.len() as u64);
                }
            });
        }
    });
    bar.finish_and_clear();
    print!("hands   clock method      games  exact  exact%     plies    right%  wrong/1000 ");
    println!("   95% s    99% s  landing     rec/s");
    for ((hands, clock), scores) in rows.into_iter().zip(scores) {
        let value = hands.to_possible_value();
        let hands = value.as_ref().map_or("", |value| value.get_name());
        for (method, score) in METHODS.into_iter().zip(scores) {
            let score = score.into_inner()?;
            println!("{hands:<7} {:<5} {method:<9} {score}", if clock { "yes" } else { "no" });
        }
    }
    Ok(())
}

/// What each method tells of a hall in which these games, from the `first` of all on, are played.
fn play(
    kind: Kind,
    (hands, clock): (Hands, bool),
    games: &[Arc<PlannedGame>],
    first: usize,
    seed: u64,
) -> [Score; 2] {
    let addresses: Vec<u16> = (first..).take(games.len()).map(|n| (1025 + n % ADDRESSES) as u16).collect();
    let rounds: Vec<Round> = games.iter().map(|game| Round::new(game.clone(), Ending::None)).collect();
    let polling = Polling {
        opening: Time(1_767_261_600_000),
        every: 2.0,
        clock,
        clock_every: 20.0,
        seed: seed.wrapping_add((first / ADDRESSES) as u64),
    };
    let mut hall = PolledHall::new(&addresses, &rounds, &hands.profile(), &polling);
    let records: Vec<BoardRecord> = hall.by_ref().collect();
    let score = |tell: &dyn Fn(&mut Told)| {
        let mut told = Vec::new();
        let begin = Instant::now();
        tell(&mut told);
        let mut score = Score { records: records.len(), spent: begin.elapsed(), ..Score::default() };
        for (board, game) in addresses.iter().zip(games) {
            let own = told.iter().filter(|(_, record)| record.board == Some(*board));
            score.add(judge(game, &landed(*board, &hall, &records), own));
        }
        score
    };
    let boardbus = |told: &mut Told| {
        let mut games = Reconstructor::new(reconstruct::Options::default());
        let mut now = Time::default();
        let mut tell = |now, game| {
            told.push((now, game));
            Ok::<(), Infallible>(())
        };
        for record in &records {
            now = record.time.unwrap_or(now);
            let Ok(()) = games.record(record, |game| tell(now, game));
        }
        let Ok(()) = games.finish(|game| tell(now, game));
    };
    let boards = || addresses.iter().copied().zip(games);
    let successor = |told: &mut Told| match kind {
        Kind::Chess => {
            let start = |game: &PlannedGame| {
                Some(Successor::new(ChessGame::from_placement(&game.start)?, game, None))
            };
            let all = boards().filter_map(|(board, game)| Some((board, start(game)?)));
            yardstick(all.collect(), &records, told);
        }
        Kind::Draughts => {
            let start =
                |game: &PlannedGame| Successor::new(RussianGame::start(), game, Set::of_start(&game.start));
            yardstick(boards().map(|(board, game)| (board, start(game))).collect(), &records, told);
        }
    };
    [score(&boardbus), score(&successor)]
}

/// What the yardstick tells of these boards.
fn yardstick<G: rules::Game>(
    mut boards: HashMap<u16, Successor<G>>,
    records: &[BoardRecord],
    told: &mut Told,
) {
    for record in records {
        if let (Some(board), Some(now)) = (record.board, record.time)
            && let Some(method) = boards.get_mut(&board)
        {
            let tell = |event| {
                let record = GameRecord { time: None, line: None, board: Some(board), game: 1, event };
                told.push((now, record));
            };
            method.take(&record.event, tell);
        }
    }
}

/// What was told, and at which record's time.
type Told = Vec<(Time, GameRecord)>;

/// Of each ply on a board, in milliseconds: the first change at or after its landing, and its landing.
fn landed(board: u16, hall: &PolledHall, records: &[BoardRecord]) -> Vec<[i64; 2]> {
    let own = records.iter().filter(|r| r.board == Some(board) && matches!(r.event, BoardEvent::Change(_)));
    let changes: Vec<i64> = own.filter_map(|record| Some(record.time?.0)).collect();
    let landings = hall.landings().filter(|landing| landing.board == board).map(|landing| landing.time.0);
    landings.map(|at| [*changes.get(changes.partition_point(|&t| t < at)).unwrap_or(&at), at]).collect()
}

/// Holds what was told of a board, on which one game was played, against the game.
fn judge<'a>(
    played: &PlannedGame,
    landed: &[[i64; 2]],
    told: impl Iterator<Item = &'a (Time, GameRecord)>,
) -> Score {
    let mut last: HashMap<(u32, u32), &str> = HashMap::new();
    let mut stand: BTreeMap<u32, u32> = BTreeMap::new();
    let mut delays = vec![[NEVER; 2]; played.plies.len()];
    let mut wrong = 0;
    for (now, record) in told {
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
                        delays[n] = landed[n].map(|from| now.0 - from);
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
    Score { games: 1, exact, plies, right, wrong, delays, ..Score::default() }
}

/// How a method fared.
#[derive(Debug, Default)]
struct Score {
    games: usize,
    exact: usize,
    plies: usize,
    right: usize,
    wrong: usize,
    /// Of each ply, in milliseconds, from the landing's record and from the landing itself.
    delays: Vec<[i64; 2]>,
    records: usize,
    spent: Duration,
}

impl Score {
    fn add(&mut self, other: Score) {
        self.games += other.games;
        self.exact += other.exact;
        self.plies += other.plies;
        self.right += other.right;
        self.wrong += other.wrong;
        self.delays.extend(other.delays);
        self.records += other.records;
        self.spent += other.spent;
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Score { games, exact, plies, right, wrong, .. } = *self;
        let of = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        // The smallest delay that so many in a hundred do not exceed.
        let late = |from: usize, percent: usize| {
            let mut delays: Vec<i64> = self.delays.iter().map(|both| both[from]).collect();
            delays.sort_unstable();
            match delays.get((delays.len() * percent).div_ceil(100).max(1) - 1) {
                Some(&NEVER) | None => "never".to_owned(),
                Some(&delay) => format!("{:.2}", delay as f64 / 1000.0),
            }
        };
        let [p95, p99, landing] = [(0, 95), (0, 99), (1, 99)].map(|(from, percent)| late(from, percent));
        let speed = self.records as f64 / self.spent.as_secs_f64().max(1e-9);
        let (percent, per_ply) = (100.0 * of(exact, games), 100.0 * of(right, plies));
        write!(
            f,
            "{games:>7} {exact:>6} {percent:>7.2} {plies:>9} {per_ply:>9.4} {:>11.3} ",
            1000.0 * of(wrong, plies)
        )?;
        write!(f, "{p95:>8} {p99:>8} {landing:>8} {speed:>9.0}")
    }
}

/// The yardstick: a move as soon as the board equals a legal successor of the position, of the one before it
/// (a slide goes on) or of an older one (a takeback).
struct Successor<G: rules::Game> {
    board: Placement,
    /// What stands for the men of draughts.
    set: Option<Set>,
    /// The positions of the game, the last one on top, with what their legal moves lead to.
    positions: Vec<(G, Vec<Next<G>>)>,
}

/// A legal move and what stands after it.
type Next<G> = (Placement, Candidate<<G as rules::Game>::Move>);

impl<G: rules::Game> Successor<G> {
    fn new(start: G, played: &PlannedGame, set: Option<Set>) -> Successor<G> {
        let mut method = Successor { board: played.start, set, positions: Vec::new() };
        method.push(start);
        method
    }

    fn push(&mut self, game: G) {
        let next = game.moves().into_iter().map(|mv| (*game.after(&mv).placement(), mv)).collect();
        self.positions.push((game, next));
    }

    fn take(&mut self, event: &BoardEvent, mut tell: impl FnMut(GameEvent)) {
        match event {
            BoardEvent::Change(change) => self.board.set(change.square, change.piece),
            BoardEvent::Position(position) => self.board = position.placement,
            _ => return,
        }
        let board = self.set.map_or(self.board, |set| set.read_all(&self.board));
        if self.positions.last().is_some_and(|(game, _)| *game.placement() == board) {
            return;
        }
        let found = self.positions.iter().enumerate().rev().find_map(|(ply, (game, next))| {
            let (_, mv) = next.iter().find(|(placement, _)| *placement == board)?;
            Some((ply, game.after(mv), game.describe(&mv.mv)))
        });
        if let Some((ply, after, told)) = found {
            if ply + 1 < self.positions.len() {
                self.positions.truncate(ply + 1);
                tell(GameEvent::Takeback(Takeback { ply: ply as u32 }));
            }
            self.push(after);
            tell(GameEvent::Move(Box::new(Move { ply: Some(ply as u32 + 1), ..told })));
        } else if *self.positions[0].0.placement() == board {
            self.positions.truncate(1);
            tell(GameEvent::Takeback(Takeback { ply: 0 }));
        }
    }
}
