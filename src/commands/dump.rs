//! `boardbus dump`: the current position and clock of boards, once or continuously.

mod drawing;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use ratatui_core::{buffer::Buffer, layout::Rect};

use super::{
    line::BoardArgs,
    open_line::OpenLine,
    terminal::{self, Screen},
};
use crate::{
    error::{Done, Error, Result},
    record::{BoardEvent, Clock, Placement, Square},
    screen::{Key, Look, cut, text},
    stdio, stop,
};
use drawing::{Drawn, abreast, drawing, most, picture, width};

/// The interval of readings of a clock: its board reads it once a second.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);
/// The minimum time between two rounds of questions, on a line that answers immediately.
const ROUND_MIN_INTERVAL: Duration = Duration::from_millis(20);

/// The position and the clock of boards now
///
/// Reading deletes nothing in a board. Without --board all boards are looked for first, which takes some seconds. As
/// text the boards are drawn side by side, as many as fit on the terminal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus dump --port /dev/ttyUSB0 --board 1025
  boardbus dump --port /dev/ttyUSB0 --board 1025 --follow
  boardbus dump --port /dev/ttyUSB0 --format json | jq -r '.placement // empty'")]
pub struct Dump {
    #[command(flatten)]
    boards: BoardArgs,

    /// Ask again and again, and show every change at once (a lifted piece disappears from its square); Ctrl-C or q
    /// ends it
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
        let each = abreast(width());
        let mut row = Vec::new();
        let missing = line.each(|line, board| {
            let Some(position) = line.ask(|driver| driver.position(board))? else { return Ok(false) };
            let clock = line.ask(|driver| driver.clock(board))?;
            if let (BoardEvent::Position(stands), true) = (&position, line.answers.text) {
                let (stands, clock) = (stands.placement, clock.and_then(clock_of));
                row.push(Drawn { board, stands, clock, changed: Vec::new(), below: String::new() });
                if row.len() == each {
                    line.answers.out.text(lines(&std::mem::take(&mut row)))?;
                }
            } else {
                line.answers.write(board, position)?;
                clock.into_iter().try_for_each(|clock| line.answers.write(board, clock))?;
            }
            Ok(true)
        })?;
        line.answers.out.text(lines(&row))?;
        Ok(line.done("no answer from", &missing))
    }
}

fn clock_of(event: BoardEvent) -> Option<Clock> {
    match event {
        BoardEvent::Clock(clock) => Some(clock),
        _ => None,
    }
}

/// Boards that are asked repeatedly.
#[derive(Default)]
struct Following {
    drawn: BTreeMap<u16, Drawn>,
    /// When the clock of each board was last read.
    clocks: BTreeMap<u16, Instant>,
    silent: Vec<u16>,
    /// All boards, the one that changed last first.
    latest: Vec<u16>,
    /// The terminal, from the first picture on; none where the output is no terminal.
    screen: Option<Screen>,
    /// The picture on it is out of date.
    is_old: bool,
    /// A key to quit was pressed.
    left: bool,
}

impl Following {
    /// Runs until a signal or a key ends it. The last picture stays on the terminal.
    fn run(mut self, line: &mut OpenLine) -> Result<Done> {
        let ended = self.follow(line);
        if let Some(screen) = self.screen.take() {
            let picture = self.picture(screen.size());
            drop(screen);
            line.answers.out.text(terminal::text(&picture, stdio::colour()))?;
        }
        ended
    }

    fn follow(&mut self, line: &mut OpenLine) -> Result<Done> {
        loop {
            let began = Instant::now();
            let missing =
                line.each(|line, board| Ok(self.is_left(Duration::ZERO)? || self.ask(line, board)?))?;
            if self.left || stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            self.report_missing(line, missing);
            if self.drawn.is_empty() && !self.silent.is_empty() || line.is_empty() {
                return Ok(line.done("no answer from", &self.silent));
            }
            self.draw()?;
            let rest = ROUND_MIN_INTERVAL.saturating_sub(began.elapsed());
            if self.screen.is_none() {
                stop::wait(None, Some(rest)).map_err(|e| Error::io("waiting", e))?;
            } else if self.is_left(rest)? {
                return Ok(Done::Yes);
            }
        }
    }

    /// Whether a key or a signal ends it, within this time. Called before each board too, since boards that do not
    /// answer take time.
    fn is_left(&mut self, within: Duration) -> Result<bool> {
        let Some(screen) = self.screen.as_mut().filter(|_| !self.left) else { return Ok(self.left) };
        self.left = match screen.keys(within) {
            Ok(keys) => keys.contains(&Key::Letter('q')) || keys.contains(&Key::Escape),
            Err(Error::Stopped) => true,
            Err(error) => return Err(error),
        };
        Ok(self.left)
    }

    /// Asks one board, and shows what is new. Returns whether it answered.
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
            self.show(line)?;
        } else if is_new {
            line.answers.write(board, BoardEvent::Position(position))?;
        }
        self.read_clock(line, board)?;
        Ok(true)
    }

    fn read_clock(&mut self, line: &mut OpenLine, board: u16) -> Result<()> {
        if self.clocks.get(&board).is_some_and(|read| read.elapsed() < CLOCK_INTERVAL) {
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
            _ if line.answers.text => self.show(line),
            Some(clock) => line.answers.write(board, BoardEvent::Clock(clock)),
            None => Ok(()),
        }
    }

    /// Shows the current state of all boards: on the terminal, or as text below the earlier text where the terminal
    /// cannot be drawn on.
    fn show(&mut self, line: &mut OpenLine) -> Result<()> {
        if self.screen.is_none() && stdio::person_reads() && stdio::draws() {
            self.screen = Screen::open().ok();
        }
        if self.screen.is_none() {
            let boards: Vec<Drawn> = self.drawn.values().cloned().collect();
            return line.answers.out.text(lines(&boards));
        }
        self.is_old = true;
        self.draw()
    }

    /// Draws the changes, or everything where the terminal has another size.
    fn draw(&mut self) -> Result<()> {
        let Some(screen) = &self.screen else { return Ok(()) };
        let area = screen.size();
        if !(self.is_old || screen.is_resized(area)) || !screen.is_ready() {
            return Ok(());
        }
        let picture = self.picture(area);
        self.is_old = false;
        self.screen.as_mut().map_or(Ok(()), |screen| screen.draw(picture))
    }

    /// A picture of all boards, or where they do not fit of those that changed last, with messages below.
    fn picture(&self, area: Rect) -> Buffer {
        let shown: BTreeSet<u16> = self.latest.iter().take(most(area)).copied().collect();
        let boards: Vec<Drawn> =
            self.drawn.values().filter(|drawn| shown.contains(&drawn.board)).cloned().collect();
        let look = look();
        let mut cells = picture(&boards, area, look);
        let mut words = Vec::new();
        if boards.len() < self.drawn.len() {
            words.push(format!("{} of {} boards, which changed last", boards.len(), self.drawn.len()));
        }
        if !self.silent.is_empty() {
            words.push(format!("no answer from {}", list(&self.silent)));
        }
        let last = area.height.saturating_sub(1);
        text(
            &mut cells,
            0,
            last,
            &cut(&words.join("; "), area.width.into(), look),
            area.width,
            look.strong(),
        );
        cells
    }

    /// Reports once which boards do not answer, and which answer again.
    fn report_missing(&mut self, line: &OpenLine, missing: Vec<u16>) {
        let new: Vec<u16> = missing.iter().filter(|board| !self.silent.contains(board)).copied().collect();
        if self.screen.is_none() && !new.is_empty() && !self.drawn.is_empty() {
            line.answers.report(format_args!("no answer from {}", list(&new)));
        }
        self.is_old |= self.silent != missing;
        self.silent = missing;
    }
}

fn list(boards: &[u16]) -> String {
    boards.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
}

/// Boards on their grids, as text.
fn lines(boards: &[Drawn]) -> String {
    terminal::text(&drawing(boards, width(), look()), stdio::colour())
}

/// The style of the drawing.
fn look() -> Look {
    Look { ascii: stdio::plain_signs(), colour: stdio::colour() }
}

/// The last changes, in words.
fn words(stands: &Placement, changed: &[Square]) -> String {
    let word = |&square: &Square| match stands.get(square) {
        Some(piece) => format!("{square} {piece}"),
        None => format!("{square} empty"),
    };
    let mut words: Vec<String> = changed.iter().take(4).map(word).collect();
    if changed.len() > words.len() {
        words.push(look().more().to_string());
    }
    words.join(", ")
}
