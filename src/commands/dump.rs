//! `boardbus dump`: the position and the clock of boards now, or from now on.

mod drawing;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use super::{line::BoardArgs, open_line::OpenLine};
use crate::{
    error::{Done, Error, Result},
    record::{BoardEvent, Clock, Placement, Square},
    stdio, stop,
};
use drawing::{Drawn, drawing, most, room, side_by_side};

/// A clock is read by its board once a second.
const CLOCK: Duration = Duration::from_secs(1);
/// On a line that answers at once nobody asks more often than this.
const SOONEST: Duration = Duration::from_millis(20);

/// The position and the clock of boards now
///
/// Boards forget nothing by it. Without --board all boards are looked for first, which takes some seconds. People get the boards
/// drawn side by side, as many as the terminal has room for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus dump --port /dev/ttyUSB0 --board 1025
  boardbus dump --port /dev/ttyUSB0 --board 1025 --follow
  boardbus dump --port /dev/ttyUSB0 --format json | jq -r '.placement // empty'")]
pub struct Dump {
    #[command(flatten)]
    boards: BoardArgs,

    /// Ask again and again, and show every change at once: lift a piece, see the square go; Ctrl-C ends it
    #[arg(short, long)]
    follow: bool,
}

impl Dump {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut line = self.boards.open()?;
        if self.follow {
            return Following::default().run(&mut line);
        }
        let each = side_by_side(room().0);
        let mut row = Vec::new();
        let missing = line.each(|line, board| {
            let Some(position) = line.ask(|driver| driver.position(board))? else { return Ok(false) };
            let clock = line.ask(|driver| driver.clock(board))?;
            if let (BoardEvent::Position(stands), true) = (&position, line.answers.text) {
                let (stands, clock) = (stands.placement, clock.and_then(clock_of));
                row.push(Drawn { board, stands, clock, changed: Vec::new(), below: String::new() });
                if row.len() == each {
                    line.answers.out.text(drawing(&std::mem::take(&mut row), room().0, None))?;
                }
            } else {
                line.answers.write(board, position)?;
                clock.into_iter().try_for_each(|clock| line.answers.write(board, clock))?;
            }
            Ok(true)
        })?;
        line.answers.out.text(drawing(&row, room().0, None))?;
        Ok(line.done("no answer from", &missing))
    }
}

fn clock_of(event: BoardEvent) -> Option<Clock> {
    match event {
        BoardEvent::Clock(clock) => Some(clock),
        _ => None,
    }
}

/// Boards that are asked again and again.
#[derive(Default)]
struct Following {
    drawn: BTreeMap<u16, Drawn>,
    /// When the clocks were read.
    clocks: BTreeMap<u16, Instant>,
    silent: Vec<u16>,
    /// All of them, the one that changed last first.
    latest: Vec<u16>,
    /// How many lines of the terminal the last drawing took, and how large it was.
    lines: usize,
    room: (usize, usize),
}

impl Following {
    /// Until a signal comes.
    fn run(mut self, line: &mut OpenLine) -> Result<Done> {
        loop {
            let began = Instant::now();
            let missing = line.each(|line, board| self.ask(line, board))?;
            if stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            self.say_missing(line, missing);
            if line.answers.text && stdio::person_reads() && !self.drawn.is_empty() && room() != self.room {
                self.draw(line)?;
            }
            if self.drawn.is_empty() && !self.silent.is_empty() || line.is_empty() {
                return Ok(line.done("no answer from", &self.silent));
            }
            let rest = SOONEST.saturating_sub(began.elapsed());
            stop::wait(None, Some(rest)).map_err(|e| Error::io("waiting", e))?;
        }
    }

    /// Asks one board, and shows what is new. Whether it answered.
    fn ask(&mut self, line: &mut OpenLine, board: u16) -> Result<bool> {
        let Some(BoardEvent::Position(position)) = line.ask(|driver| driver.position(board))? else {
            return Ok(false);
        };
        let before = self.drawn.get(&board);
        let changes = before.map(|before| before.stands.differing(&position.placement).collect::<Vec<_>>());
        let is_new = changes.as_ref().is_none_or(|changes| !changes.is_empty());
        let changed = match changes {
            Some(changes) if changes.is_empty() => before.map_or(Vec::new(), |before| before.changed.clone()),
            changes => changes.unwrap_or_default(),
        };
        let below = match changed.is_empty() {
            true => String::new(),
            false => words(&position.placement, &changed),
        };
        let clock = before.and_then(|before| before.clock.clone());
        let stands = position.placement;
        match self.latest.iter().position(|known| *known == board) {
            Some(at) if is_new => self.latest[..=at].rotate_right(1),
            Some(_) => {}
            None => self.latest.push(board),
        }
        self.drawn.insert(board, Drawn { board, stands, clock, changed, below });
        if is_new && line.answers.text {
            self.draw(line)?;
        } else if is_new {
            line.answers.write(board, BoardEvent::Position(position))?;
        }
        self.read_clock(line, board)?;
        Ok(true)
    }

    fn read_clock(&mut self, line: &mut OpenLine, board: u16) -> Result<()> {
        if self.clocks.get(&board).is_some_and(|read| read.elapsed() < CLOCK) {
            return Ok(());
        }
        self.clocks.insert(board, Instant::now());
        let clock = line.ask(|driver| driver.clock(board))?.and_then(clock_of);
        let Some(drawn) = self.drawn.get_mut(&board).filter(|drawn| clock.is_some() && drawn.clock != clock)
        else {
            return Ok(());
        };
        drawn.clock.clone_from(&clock);
        match clock {
            _ if line.answers.text => self.draw(line),
            Some(clock) => line.answers.write(board, BoardEvent::Clock(clock)),
            None => Ok(()),
        }
    }

    /// Draws all boards, on a terminal in the place of the last drawing, and where it has no room for all those that changed
    /// last.
    fn draw(&mut self, line: &mut OpenLine) -> Result<()> {
        let (width, height) = room();
        let terminal = stdio::person_reads();
        let most = if terminal { most(width, height) } else { self.drawn.len() };
        let shown: BTreeSet<u16> = self.latest.iter().take(most).copied().collect();
        let boards: Vec<Drawn> =
            self.drawn.values().filter(|drawn| shown.contains(&drawn.board)).cloned().collect();
        let mut drawn = drawing(&boards, width, terminal.then_some(height));
        if terminal && boards.len() < self.drawn.len() {
            let note = format!("{} of {} boards, which changed last", boards.len(), self.drawn.len());
            drawn.extend(note.chars().take(width - 1).chain(['\n']));
        }
        if terminal {
            // The cursor stands below. What was there is written over: erased, it would go into what can be scrolled back.
            drawn =
                drawn.lines().take(height.saturating_sub(1)).map(|line| format!("{line}\x1b[K\n")).collect();
        }
        // Lines that were drawn for another width lie elsewhere now.
        let resized = std::mem::replace(&mut self.room, (width, height)) != (width, height);
        let back = match self.lines {
            n if terminal && n > 0 && resized => "\x1b[H\x1b[2J".to_owned(),
            n if terminal && n > 0 => format!("\x1b[{n}A"),
            _ => String::new(),
        };
        self.lines = drawn.lines().count();
        let below = if terminal { "\x1b[J" } else { "" };
        line.answers.out.text(back + &drawn + below)
    }

    /// Says once which boards do not answer, and which do again.
    fn say_missing(&mut self, line: &OpenLine, missing: Vec<u16>) {
        let new: Vec<String> =
            missing.iter().filter(|board| !self.silent.contains(board)).map(u16::to_string).collect();
        if !new.is_empty() && !self.drawn.is_empty() {
            line.answers.say(format_args!("no answer from {}", new.join(", ")));
            self.lines = 0;
        }
        self.silent = missing;
    }
}

/// What changed last, in words.
fn words(stands: &Placement, changed: &[Square]) -> String {
    let word = |&square: &Square| match stands.get(square) {
        Some(piece) => format!("{square} {piece}"),
        None => format!("{square} empty"),
    };
    let mut words: Vec<String> = changed.iter().take(4).map(word).collect();
    if changed.len() > words.len() {
        words.push("…".to_owned());
    }
    words.join(", ")
}
