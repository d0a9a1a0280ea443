//! One engine process, from start to end. Each step has a time limit.

use std::{
    env, fmt, fs,
    io::{self, Read, Write},
    os::{fd::AsFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group, setpriority_process};

use super::{
    position::Position,
    uci::{Aim, Info, Limit, Offered, Said, read},
};
use crate::{
    record::{Bound, Evaluation},
    stop::{self, Wake},
};

/// The folder of Debian's engines, which is not in the PATH of a service.
const GAMES: &str = "/usr/games";
/// The time limit for an engine to identify itself.
const TO_BEGIN: Duration = Duration::from_secs(10);
/// The time limit for an engine to clear or allocate its hash memory.
const TO_BE_READY: Duration = Duration::from_secs(30);
/// The longest time without output while an engine evaluates.
const SILENCE: Duration = Duration::from_secs(15);
/// The time limit for one evaluation, whatever was asked for.
const LONGEST: Duration = Duration::from_secs(600);
/// The time that an evaluation may exceed its limit.
const LATE: Duration = Duration::from_secs(1);
/// The time limit for the best move after `stop`.
const TO_STOP: Duration = Duration::from_secs(2);
/// An engine that is stopped earlier than this may not have begun.
const TOO_SOON: Duration = Duration::from_millis(10);
/// An engine that ignores its limit of nodes is stopped at this many times the limit.
const TOO_MANY: u64 = 2;
/// The time limit for an engine to end after `quit`.
const TO_QUIT: Duration = Duration::from_millis(500);
/// The interval at which the caller is asked whether to continue.
const LOOK: Duration = Duration::from_millis(20);
/// The longest name of an engine; it is a part of each evaluation.
const LONGEST_NAME: usize = 80;
/// The longest line of an engine, in bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// The nice value of engines that yield to other programs.
const NICE: i32 = 10;

/// The program of an engine, with its arguments.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<String>,
}

impl Program {
    /// Finds a program by its name and arguments; none where there is no such file in the PATH or in the folder of
    /// games.
    pub fn find(words: &str) -> Option<Program> {
        let whole = Path::new(words);
        if words.contains('/') && whole.is_file() {
            return Some(Program { path: whole.to_owned(), arguments: Vec::new() });
        }
        let mut words = words.split_ascii_whitespace();
        let name = words.next()?;
        let path = if name.contains('/') {
            Some(PathBuf::from(name)).filter(|path| path.is_file())
        } else {
            let folders = env::var_os("PATH").unwrap_or_default();
            let folders = env::split_paths(&folders).chain([PathBuf::from(GAMES)]);
            folders.map(|folder| folder.join(name)).find(|path| is_program(path))
        };
        Some(Program { path: path?, arguments: words.map(str::to_owned).collect() })
    }
}

impl Program {
    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The settings of engines.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The engine.
    pub program: Program,
    /// The size of the hash of each engine, in megabytes.
    pub hash: i64,
    /// Further options, by name and value.
    pub options: Vec<(String, String)>,
    /// Whether the hash is cleared before each position.
    pub afresh: bool,
    /// Whether other programs have priority.
    pub nice: bool,
}

/// Why an engine failed.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It could not be started.
    NoStart(io::Error),
    /// It did not identify itself.
    NoUci,
    /// It ended before it was ready.
    EndedAtOnce,
    /// It ended.
    Ended,
    /// It did not answer in time.
    Silent,
    /// Its answer is impossible.
    Nonsense,
    /// Its answer is not needed any more.
    Left,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoStart(error) => write!(f, "cannot be started: {error}"),
            Trouble::NoUci => f.write_str("is no UCI engine: it does not answer `uci` with `uciok`"),
            Trouble::EndedAtOnce => f.write_str("ends as soon as it is started"),
            Trouble::Ended => f.write_str("ended by itself"),
            Trouble::Silent => f.write_str("did not answer in time"),
            Trouble::Nonsense => f.write_str("answered nonsense"),
            Trouble::Left => f.write_str("is needed no more"),
        }
    }
}

/// Whether an engine should continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// It should continue.
    GoOn,
    /// It should return its result so far.
    Stop,
    /// Its answer is not needed.
    Leave,
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines,
    name: Arc<str>,
    offers: Vec<Offered>,
    /// It was set to Chess960.
    plays_960: bool,
    afresh: bool,
    /// Options given by the user that the engine does not have.
    pub unknown: Vec<String>,
}

impl Engine {
    /// Starts an engine and waits until it is ready.
    pub fn start(settings: &Settings, ask: &mut dyn FnMut() -> Ask) -> Result<Engine, Trouble> {
        let Settings { program, afresh, nice, .. } = settings;
        let mut child = Command::new(&program.path)
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // It does not get signals of the terminal, and the processes that it starts end with it.
            .process_group(0)
            .spawn()
            .map_err(Trouble::NoStart)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let name = program.name().into();
        let mut engine = Engine {
            child,
            stdin,
            lines: Lines::of(stdout),
            name,
            offers: Vec::new(),
            plays_960: false,
            afresh: *afresh,
            unknown: Vec::new(),
        };
        if *nice {
            // Without permission for this the engine runs all the same.
            _ = setpriority_process(Some(engine.pid()), NICE);
        }
        match engine.begin(settings, ask) {
            Ok(()) => Ok(engine),
            Err(Trouble::Ended) => Err(Trouble::EndedAtOnce),
            Err(trouble) => Err(trouble),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    fn begin(&mut self, settings: &Settings, ask: &mut dyn FnMut() -> Ask) -> Result<(), Trouble> {
        self.send("uci\n")?;
        let until = Instant::now() + TO_BEGIN;
        loop {
            let line = match self.lines.next(until, ask) {
                Err(Trouble::Silent | Trouble::Nonsense) => return Err(Trouble::NoUci),
                other => other?,
            };
            match read(&line) {
                Said::Name(name) if !name.is_empty() => {
                    self.name = name.chars().take(LONGEST_NAME).collect::<String>().into();
                }
                Said::Option(offered) => self.offers.push(offered),
                Said::UciOk => break,
                _ => {}
            }
        }
        for (name, value) in [("Threads", "1"), ("Number of Threads", "1"), ("OwnBook", "false")] {
            self.set(name, value)?;
        }
        self.set("Hash", &settings.hash.to_string())?;
        for (name, value) in &settings.options {
            if !self.set(name, value)? {
                self.unknown.push(name.clone());
            }
        }
        self.ready(ask)
    }

    /// Sets an option, if the engine has it, under the engine's own name and within its limits: an engine may misread
    /// other values.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, Trouble> {
        let Some(offered) = self.offers.iter().find(|offered| offered.name.eq_ignore_ascii_case(name)) else {
            return Ok(false);
        };
        let value = match (offered.range, value.parse::<i64>()) {
            (Some((min, max)), Ok(number)) => number.clamp(min, max).to_string(),
            _ => value.to_owned(),
        };
        let text = format!("setoption name {} value {value}\n", offered.name);
        self.send(&text).map(|()| true)
    }

    fn send(&mut self, text: &str) -> Result<(), Trouble> {
        let stdin = self.stdin.as_mut().ok_or(Trouble::Ended)?;
        stdin.write_all(text.as_bytes()).map_err(|_| Trouble::Ended)
    }

    /// Waits until it has processed all input. Remaining output for an earlier position ends with that.
    fn ready(&mut self, ask: &mut dyn FnMut() -> Ask) -> Result<(), Trouble> {
        self.send("isready\n")?;
        let until = Instant::now() + TO_BE_READY;
        while read(&self.lines.next(until, ask)?) != Said::ReadyOk {}
        Ok(())
    }

    /// Whether it can evaluate this position.
    pub fn can(&self, position: &Position) -> bool {
        let has_960 = || self.offers.iter().any(|offered| offered.name.eq_ignore_ascii_case("UCI_Chess960"));
        !position.needs_960() || has_960()
    }

    /// Evaluates a position; none without a result. `ask` is called regularly and returns whether the engine should
    /// continue.
    pub fn evaluate(
        &mut self,
        position: &Position,
        limit: Limit,
        ask: &mut dyn FnMut() -> Ask,
    ) -> Result<Option<Evaluation>, Trouble> {
        if position.needs_960() != self.plays_960 {
            self.plays_960 = position.needs_960();
            self.set("UCI_Chess960", if self.plays_960 { "true" } else { "false" })?;
        }
        if self.afresh {
            self.send("ucinewgame\n")?;
        }
        self.ready(&mut || if ask() == Ask::Leave { Ask::Leave } else { Ask::GoOn })?;
        self.send(&format!("position fen {}\ngo {}\n", position.fen(), limit.aim))?;
        let mut heard = Heard::of(position);
        let watch = Watch::over(limit);
        let best = self.listen(&mut heard, watch, ask)?;
        heard.judge(&best, &self.name)
    }

    /// Reads output until the engine gives its move.
    fn listen(
        &mut self,
        heard: &mut Heard<'_>,
        mut watch: Watch,
        ask: &mut dyn FnMut() -> Ask,
    ) -> Result<String, Trouble> {
        loop {
            let (until, has_score) = (watch.until(), heard.has_score());
            let may_stop = watch.stopped.is_none() && has_score;
            let line = self.lines.next(until, &mut || match ask() {
                Ask::Stop if !(may_stop && watch.may_stop()) => Ask::GoOn,
                asked => asked,
            });
            match line {
                Err(Trouble::Silent) if watch.stopped.is_none() => {
                    self.send("stop\n")?;
                    watch.stopped = Some(Instant::now());
                }
                line => match read(&line?) {
                    Said::Best(best) => return Ok(best.to_owned()),
                    Said::Info(info) => {
                        if info.works {
                            watch.heard = Instant::now();
                        }
                        let too_many = watch.is_too_many(info.nodes);
                        heard.info(&info);
                        if too_many && watch.stopped.is_none() && heard.has_score() {
                            self.send("stop\n")?;
                            watch.stopped = Some(Instant::now());
                        }
                    }
                    _ => {}
                },
            }
        }
    }

    /// Kills the engine's process group and reaps it.
    fn kill(&mut self) {
        // It was not waited for yet: the process id is still its own.
        _ = kill_process_group(self.pid(), Signal::KILL);
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        _ = self.send("quit\n");
        self.stdin = None;
        let until = Instant::now() + TO_QUIT;
        // Its output ends with the process.
        while stop::requested().is_none() && self.lines.next(until, &mut || Ask::GoOn).is_ok() {}
        self.kill();
    }
}

/// The time limits of an evaluation.
#[derive(Debug)]
struct Watch {
    begun: Instant,
    limit: Limit,
    /// The time of its last output.
    heard: Instant,
    stopped: Option<Instant>,
}

impl Watch {
    fn over(limit: Limit) -> Watch {
        let now = Instant::now();
        Watch { begun: now, limit, heard: now, stopped: None }
    }

    /// The time limit for the next line.
    fn until(&self) -> Instant {
        if let Some(stopped) = self.stopped {
            return stopped + TO_STOP;
        }
        let ends = match (self.limit.aim, self.limit.at_most) {
            (Aim::Time(time), _) => Some(self.begun + time + LATE),
            (_, at_most) => at_most.map(|time| self.begun + time),
        };
        let silent = match self.limit.aim {
            Aim::Time(_) => None,
            Aim::Nodes(_) | Aim::Depth(_) => Some(self.heard + SILENCE),
        };
        let longest = if silent.is_some() { Some(self.begun + LONGEST) } else { None };
        [ends, silent, longest].into_iter().flatten().min().unwrap_or(self.heard + SILENCE)
    }

    fn may_stop(&self) -> bool {
        self.begun.elapsed() >= TOO_SOON
    }

    fn is_too_many(&self, nodes: Option<u64>) -> bool {
        match self.limit.aim {
            Aim::Nodes(most) => nodes.is_some_and(|nodes| nodes / TOO_MANY > most) && self.may_stop(),
            Aim::Depth(_) | Aim::Time(_) => false,
        }
    }
}

/// The engine's output for a position.
#[derive(Debug)]
struct Heard<'p> {
    position: &'p Position,
    exact: Option<Evaluation>,
    bound: Option<Evaluation>,
    /// The number of nodes in its last line that contains one.
    nodes: Option<u64>,
    /// Whether it had a line that cannot be played.
    is_odd: bool,
}

impl<'p> Heard<'p> {
    fn of(position: &'p Position) -> Heard<'p> {
        Heard { position, exact: None, bound: None, nodes: None, is_odd: false }
    }

    fn has_score(&self) -> bool {
        self.exact.is_some() || self.bound.is_some()
    }

    /// Reads an info line: the last one holds.
    fn info(&mut self, info: &Info<'_>) {
        self.nodes = info.nodes.or(self.nodes);
        let (Some(score), None | Some(1)) = (info.score, info.multipv) else { return };
        let pv = self.position.line(info.pv.iter().copied());
        if pv.is_empty() {
            self.is_odd |= !info.pv.is_empty();
            // Some engines give bounds without a line.
            if info.bound.is_none() || !info.pv.is_empty() {
                return;
            }
        }
        let is_whites = self.position.is_whites();
        let score = if is_whites { score } else { score.reversed() };
        let bound = info.bound.map(|bound| match bound {
            bound if is_whites => bound,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        });
        let (depth, nodes) = (info.depth, self.nodes);
        let evaluation = Evaluation { ply: 0, score, bound, depth, nodes, pv, engine: None };
        *(if bound.is_some() { &mut self.bound } else { &mut self.exact }) = Some(evaluation);
    }

    /// The result of the evaluation, after the engine's move.
    fn judge(self, best: &str, name: &Arc<str>) -> Result<Option<Evaluation>, Trouble> {
        // Written by engines that have no move.
        let is_none = ["(none)", "0000", "NULL", "a1a1", ""].contains(&best);
        if !is_none && !self.position.allows(best) {
            return Err(Trouble::Nonsense);
        }
        match self.exact.or(self.bound) {
            None if self.is_odd => Err(Trouble::Nonsense),
            None => Ok(None),
            Some(evaluation) => Ok(Some(Evaluation { engine: Some(name.to_string()), ..evaluation })),
        }
    }
}

/// Reads the lines that an engine prints.
#[derive(Debug)]
struct Lines {
    from: Option<ChildStdout>,
    /// The bytes that were read and not returned yet, and their start.
    held: Vec<u8>,
    begins: usize,
}

impl Lines {
    fn of(from: Option<ChildStdout>) -> Lines {
        Lines { from, held: Vec::new(), begins: 0 }
    }

    /// The next line. Returns [`Trouble::Silent`] as well when the engine is to return its result so far.
    fn next(&mut self, until: Instant, ask: &mut dyn FnMut() -> Ask) -> Result<String, Trouble> {
        let mut searched = self.begins;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.held[searched..]) {
                // An engine that prints without end is not waited for either; its line is read when there is more time.
                if Instant::now() > until {
                    return Err(Trouble::Silent);
                }
                let line = String::from_utf8_lossy(&self.held[self.begins..searched + at]).into_owned();
                self.begins = searched + at + 1;
                return Ok(line);
            }
            self.held.drain(..self.begins);
            self.begins = 0;
            searched = self.held.len();
            if searched > LONGEST_LINE {
                return Err(Trouble::Nonsense);
            }
            self.more(until, ask)?;
        }
    }

    /// Reads more output.
    fn more(&mut self, until: Instant, ask: &mut dyn FnMut() -> Ask) -> Result<(), Trouble> {
        let from = self.from.as_mut().ok_or(Trouble::Ended)?;
        loop {
            match ask() {
                Ask::GoOn => {}
                Ask::Stop => return Err(Trouble::Silent),
                Ask::Leave => return Err(Trouble::Left),
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Trouble::Silent);
            }
            match stop::wait(Some(from.as_fd()), Some(left.min(LOOK))) {
                Ok(Wake::TimedOut) => {}
                Ok(Wake::Stopped) => return Err(Trouble::Left),
                Err(_) => return Err(Trouble::Ended),
                Ok(Wake::Readable) => {
                    let mut block = [0; 4096];
                    return match from.read(&mut block) {
                        Ok(n) if n > 0 => {
                            self.held.extend_from_slice(&block[..n]);
                            Ok(())
                        }
                        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(()),
                        _ => Err(Trouble::Ended),
                    };
                }
            }
        }
    }
}
