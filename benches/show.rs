//! What `show --follow` costs beside a recording, and how soon a change is on the screen:
//! `cargo bench --bench show -- GAMES.pgn [--seconds N] [--boards N] [--hands HANDS]`.
//!
//! Simulated hands have been playing for some minutes; what boards report is appended to a journal at the very time that
//! its records say, and `show` follows it in a terminal of our own, once for each size. Printed are the share of a core,
//! the most memory, what was written to the terminal a second, and the time from a record (a press of a clock, on the boards
//! that have a line on the screen) until the terminal shows what it says.

#[path = "accuracy/games.rs"]
mod games;

use std::{
    error::Error,
    fs::{self, File},
    io::{Read, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use boardbus::{
    record::{BoardEvent, BoardRecord, Stream, Time},
    sim::{
        planned_game::{PlannedGame, russian::Figures},
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        round::{Ending, Round},
    },
};
use clap::Parser;
use rustix::{
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

/// Rows and columns.
const SIZES: [(u16, u16); 2] = [(24, 80), (60, 200)];
/// Between two polls of a board on a full line, in seconds.
const EVERY: f64 = 1.5;
/// Games that each board plays, one after another.
const ROUNDS: usize = 4;
/// What is not on the screen after so long never was to be seen: its board had no line.
const GIVEN_UP: Duration = Duration::from_secs(5);

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What `show --follow` costs beside a recording
#[derive(Debug, Parser)]
struct Options {
    /// PGN and PDN files
    files: Vec<PathBuf>,
    /// How long it is looked at, for each size
    #[arg(long, default_value = "60")]
    seconds: u64,
    /// How long they have been playing when it begins, in seconds
    #[arg(long, default_value = "240")]
    before: u64,
    /// Boards of the hall
    #[arg(long, default_value = "64")]
    boards: usize,
    /// Whose hands play
    #[arg(long, value_enum, default_value = "blitz")]
    hands: Hands,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// What is waited for: the board, what its clock will show, and since when.
type Awaited = (u16, String, Instant);

/// What a terminal shows, and what it was sent.
struct Shown {
    screen: vt100::Parser,
    bytes: usize,
    awaited: Vec<Awaited>,
    /// Seconds from a record to the screen.
    took: Vec<f64>,
}

impl Shown {
    /// Takes what was written, and looks for what is waited for.
    fn take(&mut self, written: &[u8], columns: u16) {
        self.bytes += written.len();
        self.screen.process(written);
        let rows: Vec<String> = self.screen.screen().rows(0, columns).collect();
        let now = Instant::now();
        let (took, awaited) = (&mut self.took, &mut self.awaited);
        awaited.retain(|(board, text, since)| {
            let begins = board.to_string();
            let is_there = rows.iter().any(|row| row.starts_with(&begins) && row.contains(text.as_str()));
            if is_there {
                took.push((now - *since).as_secs_f64());
            }
            !is_there && now - *since < GIVEN_UP
        });
    }
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `boardbus show` on a terminal of this size.
fn open(journal: &Path, (rows, columns): (u16, u16)) -> Outcome<(Child, File, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let slave = ioctl_tiocgptpeer(&master, flags)?;
    tcsetwinsize(&slave, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(["show", "--follow"]).arg(journal).env("TERM", "xterm-256color").env_remove("NO_COLOR");
    let end = || slave.try_clone().map(Stdio::from);
    let child = command.stdin(end()?).stdout(end()?).spawn()?;
    Ok((child, master.into(), slave))
}

/// Seconds of processor time so far, and the most memory in megabytes.
fn costs(child: &Child) -> Outcome<(f64, f64)> {
    let of = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
    let stat = of("stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).ok_or("no times");
    let status = of("status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let most: f64 = most.ok_or("no memory")?.parse()?;
    // Of a hundred to the second, on every Linux.
    Ok(((ticks(11)? + ticks(12)?) / 100.0, most / 1024.0))
}

/// What a clock shows, as people write it.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The hall from some minutes ago on.
fn hall(options: &Options, games: &[Arc<PlannedGame>]) -> PolledHall {
    let addresses: Vec<u16> = (1025..).take(options.boards).collect();
    let rounds: Vec<Round> = (0..options.boards * ROUNDS)
        .map(|n| Round::new(games[n % games.len()].clone(), Ending::Kings))
        .collect();
    let opening = Time::now().after(-(options.before as f64));
    let polling = Polling {
        opening,
        every: EVERY,
        clock: true,
        clock_every: 20.0,
        answers: true,
        faults: Vec::new(),
        seed: 1,
    };
    PolledHall::new(&addresses, &rounds, &options.hands.profile(), &polling)
}

fn line(record: &BoardRecord) -> Outcome<Vec<u8>> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(line)
}

/// Has a hall shown for as long as is asked, on a terminal of this size, and prints what that cost.
fn show(options: &Options, games: &[Arc<PlannedGame>], size: (u16, u16), journal: &Path) -> Outcome<()> {
    let mut file = File::create(journal)?;
    serde_json::to_writer(&mut file, &Stream::begin(Time::now(), None))?;
    file.write_all(b"\n")?;
    let mut records = hall(options, games).peekable();
    let mut early = Vec::new();
    let began = Time::now();
    while let Some(record) = records.next_if(|record| record.time < Some(began)) {
        early.extend(line(&record)?);
    }
    file.write_all(&early)?;
    let (mut child, mut master, _terminal) = open(journal, size)?;
    let screen = vt100::Parser::new(size.0, size.1, 0);
    let shown = Shown { screen, bytes: 0, awaited: Vec::new(), took: Vec::new() };
    let shown = Arc::new(Mutex::new(shown));
    thread::spawn({
        let shown = shown.clone();
        move || {
            let mut block = [0; 65536];
            while let Ok(n @ 1..) = master.read(&mut block) {
                lock(&shown).take(&block[..n], size.1);
            }
        }
    });
    // The beginning costs what it costs once.
    let (mut before, mut measured) = (None, None);
    for record in records {
        let now = Time::now();
        let due = record.time.map_or(0.0, |time| now.seconds_until(time));
        thread::sleep(Duration::from_secs_f64(due.max(0.0)));
        let passed = began.seconds_until(Time::now());
        if passed > 5.0 && before.is_none() {
            before = Some((costs(&child)?.0, lock(&shown).bytes, Instant::now()));
        }
        if passed > (options.seconds + 5) as f64 {
            measured = before;
            break;
        }
        if let (BoardEvent::Press(press), Some(board)) = (&record.event, record.board) {
            lock(&shown).awaited.push((board, clock(press.seconds.0), Instant::now()));
        }
        file.write_all(&line(&record)?)?;
    }
    let (cpu, bytes, since) = measured.ok_or("the games were over before it was: give more games")?;
    let (now, memory) = costs(&child)?;
    let seconds = since.elapsed().as_secs_f64();
    let (share, rate) =
        ((now - cpu) / seconds * 100.0, (lock(&shown).bytes - bytes) as f64 / seconds / 1000.0);
    child.kill()?;
    child.wait()?;
    let mut took = std::mem::take(&mut lock(&shown).took);
    took.sort_by(f64::total_cmp);
    let part = |part: f64| took.get(((took.len() as f64 * part) as usize).min(took.len().saturating_sub(1)));
    let ms = |seconds: Option<&f64>| seconds.map_or(f64::NAN, |seconds| seconds * 1000.0);
    println!(
        "{}x{}: {share:.1} % of a core, {memory:.1} MB, {rate:.1} kB/s; on the screen after {:.0} ms (median), {:.0} ms \
         (99 %), {:.0} ms (worst), of {} presses",
        size.1,
        size.0,
        ms(part(0.5)),
        ms(part(0.99)),
        ms(took.last()),
        took.len()
    );
    Ok(())
}

fn main() -> Outcome<()> {
    let options = Options::parse();
    let mut found = Vec::new();
    for file in &options.files {
        games::read(file, Figures::Disks, &mut found)?;
    }
    if found.is_empty() {
        println!("show: give PGN files: cargo bench --bench show -- GAMES.pgn");
        return Ok(());
    }
    let journal = std::env::temp_dir().join(format!("boardbus-show.{}.jsonl", std::process::id()));
    let shown = SIZES.iter().try_for_each(|&size| show(&options, &found, size, &journal));
    fs::remove_file(&journal)?;
    shown
}
