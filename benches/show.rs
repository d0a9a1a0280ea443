//! Measures the cost of `show --follow` beside a recording, and how soon a change is on the screen:
//! `cargo bench --bench show -- GAMES.pgn [--seconds N] [--boards N] [--hands HANDS]`, or `-- --beside JOURNAL`.
//!
//! Simulated hands have been playing for some minutes. Their records are appended to a journal at the very time that the records
//! have, and `show` follows it in a terminal of the bench, once for each size. Printed are the share of a core, the most memory,
//! the bytes per second written to the terminal, and the time from a record until the terminal shows it. These records are
//! presses of clocks on boards with a line on the screen, the last one of each player, as the next press or reading of the clock
//! replaces an earlier one. If that took half a second or longer it counts as shown only then, otherwise not at all.
//!
//! With `--beside` the journal is a real recording by another program and is only read.

#[path = "accuracy/games.rs"]
mod games;

use std::{
    collections::BTreeMap,
    error::Error,
    fs::{self, File},
    io::{Read, Seek, SeekFrom, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use boardbus::{
    record::{BoardEvent, BoardRecord, Press, Record, Side, Stream, Time, parse},
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
/// Seconds between two polls of a board on a full line.
const EVERY: f64 = 1.5;
/// Games that each board plays, one after the other.
const ROUNDS: usize = 4;
/// How often a journal written by another program is read.
const LOOK: Duration = Duration::from_millis(2);

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The cost of `show --follow` beside a recording
#[derive(Debug, Parser)]
struct Options {
    /// PGN and PDN files
    files: Vec<PathBuf>,
    /// Seconds of measurement for each size
    #[arg(long, default_value = "60")]
    seconds: u64,
    /// Seconds of play before the measurement begins
    #[arg(long, default_value = "240")]
    before: u64,
    /// Read this journal, which is being recorded, instead of playing
    #[arg(long, value_name = "JOURNAL")]
    beside: Option<PathBuf>,
    /// Boards of the hall
    #[arg(long, default_value = "64")]
    boards: usize,
    /// The hands that play
    #[arg(long, value_enum, default_value = "blitz")]
    hands: Hands,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// A press that is replaced this soon, before it is on the screen, cannot have been seen and does not count.
const SOON: Duration = Duration::from_millis(500);

/// A press that is awaited.
struct Awaited {
    /// The seconds on the clock when it was stopped,
    seconds: u64,
    /// and the time.
    since: Instant,
}

impl Awaited {
    /// Whether a clock with this reading shows the press.
    fn is_shown(&self, shown: Option<u64>) -> bool {
        shown == Some(self.seconds)
    }
}

/// The contents of a terminal, and what was written to it.
struct Shown {
    screen: vt100::Parser,
    bytes: usize,
    /// The last press of each side of each board that is not on the screen yet.
    awaited: BTreeMap<(u16, usize), Awaited>,
    /// Seconds from a record to the screen.
    took: Vec<f64>,
    /// Presses of boards without a line.
    elsewhere: usize,
}

impl Shown {
    fn new((rows, columns): (u16, u16)) -> Shown {
        let screen = vt100::Parser::new(rows, columns, 0);
        Shown { screen, bytes: 0, awaited: BTreeMap::new(), took: Vec::new(), elsewhere: 0 }
    }

    /// The line of a board, if it has one.
    fn line(&self, board: u16) -> Option<String> {
        let (begins, columns) = (format!("{board} "), self.screen.screen().size().1);
        self.screen.screen().rows(0, columns).skip(2).find(|row| row.starts_with(&begins))
    }

    /// What the clock of a side of a board shows, if the board has a line.
    fn clock(&self, (board, side): (u16, usize)) -> Option<u64> {
        let line = self.line(board)?;
        line.split([' ', '*']).filter_map(seconds).nth(side)
    }

    /// Awaits a press.
    fn wait_for(&mut self, board: u16, press: &Press) {
        if self.line(board).is_none() {
            self.elsewhere += 1;
            return;
        }
        let key = (board, usize::from(press.side == Side::Right));
        // From then on the other clock runs and shows something else.
        (0..2).for_each(|side| self.give_up((board, side)));
        let (seconds, since) = (press.seconds.0.max(0.0) as u64, Instant::now());
        // A reading that is on the screen already proves nothing.
        if self.clock(key) != Some(seconds) {
            self.awaited.insert(key, Awaited { seconds, since });
        }
    }

    /// Another record replaces the awaited press.
    fn give_up(&mut self, key: (u16, usize)) {
        let late = self.awaited.remove(&key).map(|awaited| awaited.since.elapsed());
        self.took.extend(late.filter(|late| *late >= SOON).map(|late| late.as_secs_f64()));
    }

    /// Takes what was written and looks for the awaited presses.
    fn take(&mut self, written: &[u8]) {
        self.bytes += written.len();
        self.screen.process(written);
        let now = Instant::now();
        let mut awaited = std::mem::take(&mut self.awaited);
        awaited.retain(|key, awaited| {
            let is_there = awaited.is_shown(self.clock(*key));
            if is_there {
                self.took.push((now - awaited.since).as_secs_f64());
            }
            !is_there
        });
        self.awaited = awaited;
    }
}

/// The seconds of a clock's reading: `1:29:44`, `3:05`; none if the word is none.
fn seconds(word: &str) -> Option<u64> {
    let parts: Option<Vec<u64>> = word.split(':').map(|part| part.parse().ok()).collect();
    match parts?[..] {
        [minutes, seconds] => Some(60 * minutes + seconds),
        [hours, minutes, seconds] => Some(3600 * hours + 60 * minutes + seconds),
        _ => None,
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

/// Seconds of processor time so far, and the peak of memory in megabytes.
fn costs(child: &Child) -> Outcome<(f64, f64)> {
    let of = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
    let stat = of("stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).ok_or("no times");
    let status = of("status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let most: f64 = most.ok_or("no memory")?.parse()?;
    // Every Linux counts hundredths of a second.
    Ok(((ticks(11)? + ticks(12)?) / 100.0, most / 1024.0))
}

/// The hall, which has been playing for some minutes.
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

/// `show` on a terminal of one size, the output, and the cost.
struct Measured<'a> {
    options: &'a Options,
    size: (u16, u16),
    child: Child,
    _terminal: OwnedFd,
    shown: Arc<Mutex<Shown>>,
    began: Instant,
    /// Processor time, bytes and moment at the start of the measurement, which leaves out the costs of starting.
    from: Option<(f64, usize, Instant)>,
}

impl Measured<'_> {
    fn begin<'a>(options: &'a Options, journal: &Path, size: (u16, u16)) -> Outcome<Measured<'a>> {
        let (child, mut master, terminal) = open(journal, size)?;
        let shown = Arc::new(Mutex::new(Shown::new(size)));
        thread::spawn({
            let shown = shown.clone();
            move || {
                let mut block = [0; 65536];
                while let Ok(n @ 1..) = master.read(&mut block) {
                    lock(&shown).take(&block[..n]);
                }
            }
        });
        Ok(Measured { options, size, child, _terminal: terminal, shown, began: Instant::now(), from: None })
    }

    /// Waits a little; returns whether the requested time is over.
    fn is_over(&mut self) -> Outcome<bool> {
        let passed = self.began.elapsed().as_secs();
        if passed >= 5 && self.from.is_none() {
            let mut shown = lock(&self.shown);
            shown.took.clear();
            self.from = Some((costs(&self.child)?.0, shown.bytes, Instant::now()));
        }
        Ok(passed > self.options.seconds + 5)
    }

    fn take(&self, record: &BoardRecord) {
        match (&record.event, record.board) {
            (BoardEvent::Press(press), Some(board)) => lock(&self.shown).wait_for(board, press),
            (BoardEvent::Clock(_), Some(board)) => {
                (0..2).for_each(|side| lock(&self.shown).give_up((board, side)));
            }
            _ => {}
        }
    }

    fn end(mut self) -> Outcome<()> {
        let (cpu, bytes, since) = self.from.ok_or("it was over before anything was measured")?;
        let (now, memory) = costs(&self.child)?;
        let seconds = since.elapsed().as_secs_f64();
        self.child.kill()?;
        self.child.wait()?;
        let mut shown = lock(&self.shown);
        // A press that is still missing took at least until now.
        let late: Vec<f64> = shown.awaited.values().map(|it| it.since.elapsed().as_secs_f64()).collect();
        shown.took.extend(late);
        shown.took.sort_by(f64::total_cmp);
        let took = &shown.took;
        let part = |part: f64| {
            took.get(((took.len() as f64 * part) as usize).min(took.len().saturating_sub(1)))
                .map_or(f64::NAN, |seconds| seconds * 1000.0)
        };
        println!(
            "{}x{}: {:.1} % of a core, {memory:.1} MB, {:.1} kB/s; on the screen after {:.0} ms (median), {:.0} ms (99 %), \
             {:.0} ms (worst), of {} presses on {} lines ({} on none)",
            self.size.1,
            self.size.0,
            (now - cpu) / seconds * 100.0,
            (shown.bytes - bytes) as f64 / seconds / 1000.0,
            part(0.5),
            part(0.99),
            part(1.0),
            took.len(),
            (0..u16::MAX).filter(|board| shown.line(*board).is_some()).count(),
            shown.elsewhere
        );
        Ok(())
    }
}

/// Shows a simulated hall for the requested time on a terminal of this size and prints the cost.
fn play(options: &Options, games: &[Arc<PlannedGame>], size: (u16, u16), journal: &Path) -> Outcome<()> {
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
    let mut measured = Measured::begin(options, journal, size)?;
    for record in records {
        let due = record.time.map_or(0.0, |time| Time::now().seconds_until(time));
        thread::sleep(Duration::from_secs_f64(due.max(0.0)));
        if measured.is_over()? {
            return measured.end();
        }
        // A record in the file may be on the screen at once.
        measured.take(&record);
        file.write_all(&line(&record)?)?;
    }
    Err("the games were over before it was: give more games".into())
}

/// The same for a hall that another program records.
fn look(options: &Options, size: (u16, u16), journal: &Path) -> Outcome<()> {
    let mut measured = Measured::begin(options, journal, size)?;
    let mut file = File::open(journal)?;
    file.seek(SeekFrom::End(0))?;
    let mut text = Vec::new();
    while !measured.is_over()? {
        if file.read_to_end(&mut text)? == 0 {
            thread::sleep(LOOK);
        }
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in text.drain(..whole).as_slice().split(|byte| *byte == b'\n') {
            if let Ok(Record::Board(record)) = parse(line) {
                measured.take(&record);
            }
        }
    }
    measured.end()
}

fn main() -> Outcome<()> {
    let options = Options::parse();
    if let Some(journal) = &options.beside {
        return SIZES.iter().try_for_each(|&size| look(&options, size, journal));
    }
    let mut found = Vec::new();
    for file in &options.files {
        games::read(file, Figures::Disks, &mut found)?;
    }
    if found.is_empty() {
        println!("show: give PGN files: cargo bench --bench show -- GAMES.pgn");
        return Ok(());
    }
    let journal = std::env::temp_dir().join(format!("boardbus-show.{}.jsonl", std::process::id()));
    let shown = SIZES.iter().try_for_each(|&size| play(&options, &found, size, &journal));
    fs::remove_file(&journal)?;
    shown
}
