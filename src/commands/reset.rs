//! `boardbus reset`: restart boards, and end the bus mode of one.

use std::{
    io::{BufRead, IsTerminal},
    time::{Duration, Instant},
};

use super::{
    arguments::Named,
    line::LineArgs,
    open_line::{Answers, Line, OpenLine},
};
use crate::{
    bus::FoundBoard,
    error::{Done, Error, Result},
    format::ranges,
    record::{BoardEvent, MarkKind},
    stdio, stop,
};

/// A restarting board stops answering at once and answers again some seconds later. A board that does not answer within
/// this time is given up.
const RESTART_MAX: Duration = Duration::from_secs(20);
/// How long a board gets to begin its restart before it is asked.
const RESTART_BEGINS: Duration = Duration::from_millis(500);
/// In seconds: a board that answers within this time has not restarted.
const NO_RESTART_SECONDS: f64 = 1.0;
/// The interval at which a board is asked whether it is back.
const ASK_INTERVAL: Duration = Duration::from_millis(250);

/// Restart boards
///
/// Sends the command that has the effect of switching off and on, waits for each board to come back, and reports how
/// long that took and whether its log and its start mark are kept. Do so between games: changes on a board while it
/// restarts are not in its log.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus reset --port /dev/ttyUSB0 --board 1025,1030-1032
  boardbus reset --port /dev/ttyUSB0 --all
  boardbus reset --port /dev/ttyUSB0 --board 1025 --end-bus-mode")]
pub struct Reset {
    #[command(flatten)]
    line: LineArgs,

    /// These boards: 1025-1060,2054; a number above 16383 is the serial number of a board alone
    #[arg(short, long, visible_alias = "boards", value_name = "LIST", required_unless_present = "all")]
    board: Option<Named>,

    /// All boards of the line, also those that do not answer
    #[arg(long, conflicts_with_all = ["board", "end_bus_mode"])]
    all: bool,

    /// With --all: do not ask first
    #[arg(long)]
    yes: bool,

    /// Instead of a restart, end the bus mode of the only board on its line: it then answers as a board alone does,
    /// until it restarts
    #[arg(long)]
    end_bus_mode: bool,
}

/// The state of a board before it restarts.
struct Before {
    board: u16,
    /// Its log since the start mark, if it sends it.
    log: Option<Vec<BoardEvent>>,
}

impl Reset {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        if self.end_bus_mode {
            return self.end_bus_mode();
        }
        let (port, answers, make) = self.line.begin()?;
        if self.all && !self.yes {
            ask_first(&answers.port)?;
        }
        let mut line = answers.open(port, make, self.board.as_ref())?;
        if line.answers.is_foreign {
            return Ok(Done::No);
        }
        if !self.all {
            let missing = line.each(|line, board| {
                let before = look(line, board)?;
                if line.ask(|driver| driver.restart(Some(board)))?.is_none() {
                    line.answers.report(format_args!(
                        "board {board} ignores resets, as boards without bus mode do: switch it off and on"
                    ));
                    return Ok(false);
                }
                is_back(line, &before, Instant::now())
            })?;
            return Ok(line.done("not restarted:", &missing));
        }
        let mut all = Vec::new();
        line.each(|line, board| {
            all.push(look(line, board)?);
            Ok(true)
        })?;
        if stop::requested().is_some() {
            return Ok(Done::Yes);
        }
        if line.ask(|driver| driver.restart(None))?.is_none() {
            line.answers.report("all boards ignore resets: switch them off and on");
            return Ok(Done::No);
        }
        let began = Instant::now();
        let mut missing = Vec::new();
        for before in &all {
            if !is_back(&mut line, before, began)? {
                missing.push(before.board);
            }
        }
        self.newcomers(line, &all, &missing)
    }

    /// Searches for boards that did not answer before all were restarted.
    fn newcomers(&self, line: OpenLine, all: &[Before], missing: &[u16]) -> Result<Done> {
        if stop::requested().is_some() {
            return Ok(Done::Yes);
        }
        let OpenLine { mut answers, driver, .. } = line;
        let known: Vec<u16> = all.iter().map(|before| before.board).collect();
        let (_, found) = answers.discover(driver.into_link(), Some("bus"), &known, false)?;
        for &board in found.iter().filter(|board| !known.contains(board)) {
            report(&mut answers, board, "answers, and did not before")?;
        }
        if !missing.is_empty() {
            answers.report(format_args!("not back: {}: switch them off and on", ranges(missing)));
        }
        Ok(if found.is_empty() || !missing.is_empty() { Done::No } else { Done::Yes })
    }

    /// Ends the bus mode of the only board on its line.
    fn end_bus_mode(&self) -> Result<Done> {
        let (port, mut answers, make) = self.line.begin()?;
        let (mut driver, found) = answers.discover(port, make, &[], false)?;
        let named = self.board.as_ref().map(|named| &named.boards[..]).unwrap_or_default();
        let (&[board], true) = (&found[..], answers.twice.is_empty()) else {
            if !found.is_empty() {
                answers.report(format_args!(
                    "{} boards are on this line: out of bus mode they would all talk at once; nothing was sent",
                    found.len()
                ));
            }
            return Ok(Done::No);
        };
        if named != [board] {
            answers.report(format_args!("the board on this line is {board}: nothing was sent"));
            return Ok(Done::No);
        }
        if answers.asked(driver.end_bus_mode(board))?.is_none() {
            answers.report("the board on this line is in no bus mode: nothing was sent");
            return Ok(Done::No);
        }
        let link: Line = driver.into_link();
        let mut alone = answers.discover(link, Some("single"), &[], false)?.0;
        if !alone.answers(&[]) {
            return Ok(Done::No);
        }
        report(&mut answers, board, "answers as a board alone does, until it restarts: --mode single")?;
        Ok(Done::Yes)
    }
}

/// Asks the user to confirm that all boards restart.
fn ask_first(port: &str) -> Result<()> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::Usage("--all restarts every board of the line: give --yes as well".into()));
    }
    stdio::say(format_args!("{port}: restart every board of this line? Type yes"));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.map_err(|error| Error::io("standard input", error))?;
    if answer.trim() == "yes" { Ok(()) } else { Err(Error::Usage("nothing was restarted".into())) }
}

/// Reads the log of a board before it restarts; a board that hangs does not send it.
fn look(line: &mut OpenLine, board: u16) -> Result<Before> {
    let answers = line.driver.answers(&[board]);
    let log = match answers {
        true => line.ask(|driver| driver.history(board, "reset", &mut |_, _| ()))?,
        false => None,
    };
    Ok(Before { board, log })
}

/// Waits for a board to come back, and reports it.
fn is_back(line: &mut OpenLine, before: &Before, began: Instant) -> Result<bool> {
    let board = before.board;
    let mut wait = RESTART_BEGINS.saturating_sub(began.elapsed());
    loop {
        stop::wait(None, Some(wait)).map_err(|error| Error::io("signals", error))?;
        wait = ASK_INTERVAL;
        if stop::requested().is_some() || began.elapsed() > RESTART_MAX {
            return Ok(false);
        }
        if line.driver.answers(&[board]) {
            break;
        }
    }
    let took = began.elapsed().as_secs_f64();
    let after = line.ask(|driver| driver.history(board, "reset", &mut |_, _| ()))?;
    let what = kept(before.log.as_deref(), after.as_deref());
    let how =
        if took < NO_RESTART_SECONDS { "answers at once, as if it had not restarted" } else { "is back" };
    report(&mut line.answers, board, &format!("{how} after {took:.1} s: {what}"))?;
    Ok(true)
}

/// What happened to a board's log and its start mark.
fn kept(before: Option<&[BoardEvent]>, after: Option<&[BoardEvent]>) -> &'static str {
    let is = |wanted: MarkKind| move |event: &&BoardEvent| matches!(event, BoardEvent::Mark(mark) if mark.mark == wanted);
    let logged =
        |log: &[BoardEvent]| log.iter().filter(|event| event.is_logged()).cloned().collect::<Vec<_>>();
    let Some(after) = after.map(logged) else { return "it does not send its log" };
    let is_marked = after.iter().any(|event| is(MarkKind::Start)(&event));
    let Some(before) = before.map(logged) else {
        return if is_marked { "its log has a start mark" } else { "its log has no start mark" };
    };
    let was_marked = before.iter().any(|event| is(MarkKind::Start)(&event));
    match (after.starts_with(&before), was_marked, is_marked) {
        (_, false, false) => "it had no start mark, and has none",
        (true, _, true) => "its log and its start mark are kept",
        (false, _, true) => "its start mark is kept, its log is another",
        (_, true, false) => "its log since the start mark is gone",
    }
}

/// Writes that a board answers: a record, or a sentence.
fn report(answers: &mut Answers, board: u16, what: &str) -> Result<()> {
    if answers.text {
        return answers.out.text(format!("board {board} {what}\n"));
    }
    stdio::say(format_args!("board {board} {what}"));
    answers.write_found(&FoundBoard { board, version: None, mode: None, serial: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Mark, MarkKind};

    #[test]
    fn what_became_of_a_log_is_reported() {
        let mark = |mark| BoardEvent::Mark(Mark { mark, listing: false });
        let start = [mark(MarkKind::Start), mark(MarkKind::Begin)];
        let restarted = [&start[..], &[mark(MarkKind::PowerUp)]].concat();
        for (before, after, is) in [
            (Some(&start[..]), Some(&restarted[..]), "its log and its start mark are kept"),
            (Some(&start), Some(&[]), "its log since the start mark is gone"),
            (Some(&start), Some(&start[..1]), "its start mark is kept, its log is another"),
            (Some(&[]), Some(&[]), "it had no start mark, and has none"),
            (None, Some(&restarted), "its log has a start mark"),
            (None, Some(&[]), "its log has no start mark"),
            (Some(&start), None, "it does not send its log"),
        ] {
            assert_eq!(kept(before, after), is);
        }
    }
}
