//! Measures the time from a change on a board to the game in the PGN file on disk, for a hall of boards in play on one line at
//! true speed: `cargo bench --bench latency [-- --minutes N --boards N --hands HANDS --speed FACTOR]`.
//!
//! Plays `scripts/demo-games.pgn` on a simulated line through `watch | reconstruct | to-pgn --output`, keeps the boards' logs
//! with their times, and reads the file as its readers do. With a clock a move is published when it was pressed, so the change
//! that completes it is its press, or its last square if the board logs that later. Exits with 1 unless 99 % of the moves are
//! in the file within one poll round and a second of that.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use boardbus::{
    capture::{self, Direction},
    record::{self, BoardEvent, GameEvent, Placement, Record, Time},
};
use rustix::process::{Pid, Signal, kill_process};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo-games.pgn");
/// Between two reads of the file.
const LOOK: Duration = Duration::from_millis(5);
/// Moves of the last seconds may not be in the file yet.
const TAIL: i64 = 15_000;
/// Up to this long after the press that ended its move a square may be logged: two scans.
const SCANS: f64 = 500.0;

type Outcome<T> = Result<T, Box<dyn Error>>;
/// A board and a ply of its game.
type Ply = (u16, u32);

struct Options {
    minutes: u64,
    boards: usize,
    hands: String,
    speed: f64,
}

fn options() -> Outcome<Options> {
    let mut options = Options { minutes: 5, boards: 64, hands: "classic".into(), speed: 1.0 };
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} wants a value"))?;
        match name.as_str() {
            "--minutes" => options.minutes = value.parse()?,
            "--boards" => options.boards = value.parse()?,
            "--hands" => options.hands = value,
            "--speed" => options.speed = value.parse()?,
            _ => return Err(format!("no such option: {name}").into()),
        }
    }
    Ok(options)
}

fn boardbus(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
    command.args(arguments);
    command
}

/// The results of a run.
struct Run {
    /// The time at 0 on the simulator's clock, less the time of that moment in its records.
    offset: i64,
    /// The move of each ply, and when it was published.
    published: BTreeMap<Ply, (String, Time)>,
    filed: BTreeMap<Ply, Time>,
    /// The placement after each ply.
    placements: BTreeMap<Ply, Placement>,
    ended: Time,
}

/// Plays for the requested time; the files of the run are in `folder`.
fn play(options: &Options, folder: &Path) -> Outcome<Run> {
    let at = |name: &str| folder.join(name).display().to_string();
    let (line, pgn, games) = (at("line"), at("games.pgn"), at("played.pgn"));
    let demo = fs::read_to_string(GAMES)?;
    fs::write(&games, vec![demo; options.boards.div_ceil(8)].join("\n"))?;
    let (boards, speed) = (options.boards.to_string(), options.speed.to_string());
    let opening = Time::now();
    let (hands, truth) = (&options.hands[..], &at("truth.jsonl")[..]);
    let mut simulate = boardbus(&["simulate", "--link", &line, "--pgn", &games, "--boards", &boards])
        .args(["--hands", hands, "--speed", &speed, "--forever", "--truth", truth])
        .args(["--opening", &opening.to_string()])
        .stderr(Stdio::piped())
        .spawn()?;
    // The simulator reports where its line is when its clock begins to run.
    let mut lines = BufReader::new(simulate.stderr.take().ok_or("no standard error")?).lines();
    let begins = lines.next().ok_or("the simulator has gone")??;
    let offset = Time::now().0 - opening.0;
    if !begins.contains(&line) {
        return Err(begins.into());
    }
    thread::spawn(move || lines.map_while(Result::ok).for_each(|line| eprintln!("{line}")));

    let (journal, traffic) = (at("journal.jsonl"), at("capture.txt"));
    let mut watch = boardbus(&["watch", "--port", &line, "--journal", &journal, "--capture", &traffic])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut reconstruct = boardbus(&["--quiet", "reconstruct"])
        .stdin(watch.stdout.take().ok_or("no pipe")?)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut to_pgn = boardbus(&["--quiet", "to-pgn", "--output", &pgn]).stdin(Stdio::piped()).spawn()?;

    let mut moves = BufReader::new(reconstruct.stdout.take().ok_or("no pipe")?);
    let mut out = to_pgn.stdin.take().ok_or("no pipe")?;
    let reader = thread::spawn(move || {
        let (mut published, mut placements, mut line) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        while moves.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let now = Time::now();
            if out.write_all(&line).is_err() {
                break;
            }
            note(&line, now, &mut published, &mut placements);
            line.clear();
        }
        (published, placements)
    });
    let stop = Arc::new(AtomicBool::new(false));
    let filing = thread::spawn({
        let stop = stop.clone();
        move || follow(Path::new(&pgn), &stop)
    });
    let end = Instant::now() + Duration::from_secs(options.minutes * 60);
    run_until(end, [("simulate", &mut simulate), ("watch", &mut watch)])?;
    let ended = Time::now();
    interrupt(&watch)?;
    watch.wait()?;
    reconstruct.wait()?;
    let (published, placements) = reader.join().map_err(|_| "the moves were not read")?;
    to_pgn.wait()?;
    stop.store(true, Ordering::Relaxed);
    let filed = filing.join().map_err(|_| "the file was not read")?;
    interrupt(&simulate)?;
    simulate.wait()?;
    Ok(Run { offset, published, filed, placements, ended })
}

/// Lets these programs run until `end`; an error if one ends before.
fn run_until(end: Instant, mut programs: [(&str, &mut Child); 2]) -> Outcome<()> {
    while Instant::now() < end {
        thread::sleep(Duration::from_secs(1));
        for (name, child) in &mut programs {
            if let Some(status) = child.try_wait()? {
                return Err(format!("{name} ended: {status}").into());
            }
        }
    }
    Ok(())
}

fn interrupt(child: &Child) -> Outcome<()> {
    let pid = Pid::from_raw(i32::try_from(child.id())?).ok_or("no process")?;
    Ok(kill_process(pid, Signal::INT)?)
}

/// Takes a record of `reconstruct` that was read at `now`.
fn note(
    line: &[u8],
    now: Time,
    published: &mut BTreeMap<Ply, (String, Time)>,
    placements: &mut BTreeMap<Ply, Placement>,
) {
    let Ok(Record::Game(game)) = record::parse(line) else { return };
    let (Some(board), 1) = (game.board, game.game) else { return };
    match game.event {
        GameEvent::Takeback(back) => published.retain(|ply, _| ply.0 != board || ply.1 <= back.ply),
        GameEvent::Move(mv) => {
            let (Some(number), Some(san)) = (mv.ply, mv.san) else { return };
            let ply = (board, number);
            if published.get(&ply).is_none_or(|(before, _)| *before != san) {
                published.insert(ply, (san, now));
            }
            if let Some(placement) = mv.fen.split(' ').next().and_then(|text| text.parse().ok()) {
                placements.insert(ply, placement);
            }
        }
        _ => {}
    }
}

/// Reads the file until it is stopped; returns when each move that is in it at last was first read.
fn follow(path: &Path, stop: &AtomicBool) -> BTreeMap<Ply, Time> {
    let mut filed: BTreeMap<Ply, (String, Time)> = BTreeMap::new();
    let mut before = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        thread::sleep(LOOK);
        // The file is renamed into its place, so it is complete.
        let Ok(text) = fs::read(path) else { continue };
        if text == before {
            continue;
        }
        let now = Time::now();
        let mut stands = BTreeMap::new();
        for (ply, san) in moves(&String::from_utf8_lossy(&text)) {
            let since = filed.get(&ply).filter(|(same, _)| *same == san).map_or(now, |(_, since)| *since);
            stands.insert(ply, (san, since));
        }
        (filed, before) = (stands, text);
    }
    filed.into_iter().map(|(ply, (_, since))| (ply, since)).collect()
}

/// The moves of a PGN file of ours: no variations, the board in its tag.
fn moves(pgn: &str) -> Vec<(Ply, String)> {
    let (mut moves, mut board, mut ply, mut commented) = (Vec::new(), 0, 0, false);
    for line in pgn.lines() {
        if let Some(value) = line.strip_prefix("[Board \"") {
            (board, ply) = (value.trim_end_matches("\"]").parse().unwrap_or(0), 0);
        } else if !line.starts_with('[') {
            for word in line.split(' ').filter(|word| !word.is_empty()) {
                commented |= word.starts_with('{');
                if !commented && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    ply += 1;
                    moves.push(((board, ply), word.to_owned()));
                }
                commented &= !word.ends_with('}');
            }
        }
    }
    moves
}

/// The entries of each board's log in a file of records, with their times.
fn entries(path: &Path) -> Outcome<BTreeMap<u16, Vec<(Time, BoardEvent)>>> {
    let mut boards: BTreeMap<u16, Vec<_>> = BTreeMap::new();
    for line in fs::read_to_string(path)?.lines() {
        if let Ok(Record::Board(record)) = record::parse(line.as_bytes())
            && let (Some(time), Some(board)) = (record.time, record.board)
            && matches!(record.event, BoardEvent::Change(_) | BoardEvent::Press(_) | BoardEvent::Mark(_))
        {
            boards.entry(board).or_default().push((time, record.event));
        }
    }
    Ok(boards)
}

/// Milliseconds between two polls of the same board, from `since` on.
fn rounds(path: &Path, since: Time) -> Outcome<Vec<i64>> {
    let (mut rounds, mut bytes, mut last) = (Vec::new(), Vec::new(), BTreeMap::new());
    for line in fs::read_to_string(path)?.lines() {
        let Ok(Some(traffic)) = capture::parse(line.as_bytes(), &mut bytes) else { continue };
        // SEND_CHANGES.
        if let (Direction::ToBoards, &[0x83, high, low, _], Some(time)) =
            (traffic.direction, &bytes[..], traffic.time)
            && time >= since
        {
            rounds.extend(last.insert((high, low), time).map(|before: Time| time.0 - before.0));
        }
    }
    Ok(rounds)
}

/// What was measured of the moves, in milliseconds.
#[derive(Default)]
struct Measured {
    landed_to_file: Vec<i64>,
    changed_to_record: Vec<i64>,
    record_to_published: Vec<i64>,
    published_to_file: Vec<i64>,
    changed_to_file: Vec<i64>,
    /// The same, including moves made while other boards were still waiting for their start marks.
    all_changed_to_file: Vec<i64>,
    slow: Vec<(i64, String)>,
    missing: usize,
}

fn measure(run: &Run, options: &Options, folder: &Path) -> Outcome<(Measured, Time)> {
    let (truth, journal) = (entries(&folder.join("truth.jsonl"))?, entries(&folder.join("journal.jsonl"))?);
    let late = (SCANS / options.speed) as i64;
    let mut measured = Measured::default();
    // The hall is in play once the last board has had its first move.
    let is_press = |entry: &&(Time, BoardEvent)| matches!(entry.1, BoardEvent::Press(_));
    let firsts = truth.values().map(|logged| logged.iter().find(is_press).map(|(time, _)| *time));
    let begun = firsts.collect::<Option<Vec<_>>>().and_then(|firsts| firsts.into_iter().max());
    let begun = Time(begun.ok_or("a board has not begun: play for longer")?.0 + run.offset);
    for (&board, logged) in &truth {
        let received = journal.get(&board).ok_or("a board is missing from the journal")?;
        let presses: Vec<usize> =
            (0..logged.len()).filter(|&at| matches!(logged[at].1, BoardEvent::Press(_))).collect();
        let time = |at: usize| Time(logged[at].0.0 + run.offset);
        let (mut before, mut from) = (Placement::start(), 0);
        for (number, &press) in (1..).zip(&presses) {
            let ply = (board, number);
            if time(press).0 > run.ended.0 - TAIL {
                break;
            }
            let (Some(after), Some((san, published)), Some(filed)) =
                (run.placements.get(&ply), run.published.get(&ply), run.filed.get(&ply))
            else {
                measured.missing += 1;
                break;
            };
            let lands = |at: &usize| match &logged[*at].1 {
                BoardEvent::Change(change) => {
                    let stands = after.get(change.square);
                    stands.is_some() && stands == change.piece && before.get(change.square) != stands
                }
                _ => false,
            };
            let until = logged.partition_point(|(time, _)| time.0 <= logged[press].0.0 + late);
            let landing = (from..until).rfind(lands).unwrap_or(press);
            let last = landing.max(press);
            let record = received.get(last).ok_or("a board's entry is missing from the journal")?.0;
            let took = filed.0 - time(last).0;
            measured.all_changed_to_file.push(took);
            (before, from) = (*after, press);
            if time(last) < begun {
                continue;
            }
            measured.landed_to_file.push(filed.0 - time(landing).0);
            measured.changed_to_record.push(record.0 - time(last).0);
            measured.record_to_published.push(published.0 - record.0);
            measured.published_to_file.push(filed.0 - published.0);
            measured.changed_to_file.push(took);
            let which =
                format!("{board} {number} {san}: {record}, published {} ms later", published.0 - record.0);
            measured.slow.push((took, which));
        }
    }
    measured.slow.sort_by_key(|(took, _)| -took);
    Ok((measured, begun))
}

/// The value below which this part of them lies.
fn quantile(values: &[i64], part: f64) -> i64 {
    let mut sorted = values.to_vec();
    sorted.sort();
    let at = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(at.max(1) - 1).copied().unwrap_or(0)
}

fn row(what: &str, values: &[i64]) {
    let [median, most, nearly_all, last] =
        [0.5, 0.95, 0.99, 1.0].map(|part| quantile(values, part) as f64 / 1000.0);
    println!("{what:44}{median:8.2}{most:8.2}{nearly_all:8.2}{last:8.2}");
}

fn main() -> Outcome<ExitCode> {
    let options = options()?;
    let folder = std::env::temp_dir().join(format!("boardbus-latency.{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let run = play(&options, &folder)?;
    let (measured, begun) = measure(&run, &options, &folder)?;
    let rounds = rounds(&folder.join("capture.txt"), begun)?;
    let Options { boards, hands, speed, minutes } = &options;
    let moves = measured.changed_to_file.len();
    println!("{boards} boards, {hands} hands at speed {speed}, {minutes} minutes: {moves} moves\n");
    println!("{:44}{:>8}{:>8}{:>8}{:>8}", "seconds", "median", "95 %", "99 %", "most");
    row("from one poll of a board to the next", &rounds);
    row("from the landing to the file", &measured.landed_to_file);
    row("from the completing change to its record", &measured.changed_to_record);
    row("from there to the move", &measured.record_to_published);
    row("from there to the file", &measured.published_to_file);
    row("from the completing change to the file", &measured.changed_to_file);
    row("the same, the start of the round included", &measured.all_changed_to_file);
    for (took, which) in measured.slow.iter().take(5) {
        println!("slow: {:.2} s: {which}", *took as f64 / 1000.0);
    }
    let allowed = quantile(&rounds, 0.5) + 1000;
    let took = quantile(&measured.changed_to_file, 0.99);
    let holds = moves > 0 && measured.missing == 0 && took <= allowed;
    println!(
        "\n99 % within {took} ms; one poll round and a second are {allowed} ms; {} not in the file",
        measured.missing
    );
    if holds {
        fs::remove_dir_all(&folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    println!("the run is left in {}", folder.display());
    Ok(ExitCode::FAILURE)
}
