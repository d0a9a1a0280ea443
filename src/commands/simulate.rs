//! `boardbus simulate`: a virtual line of boards on which games are played.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::ValueEnum as _;

use super::{
    arguments::{Boards, boards_each_once, span, span_above_0},
    outputs::{OF_SIMULATE, refuse_all_but_truth},
};
use crate::{
    error::{Done, Error, Result},
    format::ranges,
    progress,
    record::{BoardEvent, BoardRecord, Fault, FaultKind, Stream, Time},
    sim::{
        board_fault::{Ailment, BoardFault},
        line_setup::{LineSetup, LineSpeech},
        planned_game::{PlannedGame, russian::Figures},
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        pty,
        round::{Ending, Habits, Round},
        shared_line::{LineFaults, SharedLine},
        simulated_board::StartOfPlay,
    },
    stdio::{Bad, Output, say},
    stop,
    wire::{message::Version, records},
};

mod games;

/// More boards than this play only when their number or addresses are given.
const BOARDS_MAX: usize = 64;

/// A virtual line of boards on which games are played
///
/// Opens a pseudo-terminal on which boards answer as on a bus of 9600 baud, while simulated players play the games on
/// them; with --records, prints board records as if the boards were polled, and opens no pseudo-terminal.
///
/// Games without moves are left out. Of N boards the first plays the first game, game N+1, game 2N+1 and so on, the
/// second the second game, game N+2, …; between two games the pieces are set up by hand. All chance follows from the
/// seed: --records prints the same bytes for the same command.
///
/// On the pseudo-terminal the boards begin in their start positions. Play begins on a board some seconds after a start
/// mark was written into it (--start, --start-delay, --start-timeout). The command ends by itself when all games have
/// been played and read, or by a signal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus simulate --pgn games.pgn --link /tmp/hall --boards 8 --speed 40
  boardbus simulate --pgn games.pgn --link /tmp/hall --hands blitz --noise 0.001 --drop 0.005 --power-cuts 2
  boardbus simulate --pgn games.pgn --records | boardbus reconstruct | boardbus to-pgn
  boardbus simulate --pgn games.pgn --records --hands rapid --seed 7 --no-clock --boards 1
  boardbus simulate --pdn games.pdn --records --set pawns | boardbus reconstruct | boardbus to-pdn")]
pub struct Simulate {
    /// The games of chess to play, in file order; - is standard input
    #[arg(long, value_name = "FILE", required_unless_present = "pdn")]
    pgn: Vec<PathBuf>,

    /// The games of Russian draughts to play, after those of chess; - is standard input
    #[arg(long, value_name = "FILE")]
    pdn: Vec<PathBuf>,

    /// What draughts are played with
    #[arg(long, value_enum, default_value = "disks", requires = "pdn")]
    set: Figures,

    /// How the players handle the pieces
    #[arg(long, value_enum, default_value = "classic")]
    hands: Hands,

    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// How many boards, with addresses from 1025 on [default: one a game, up to 64]
    #[arg(long, value_name = "N", conflicts_with = "address")]
    boards: Option<usize>,

    /// The boards' addresses: 1025-1032,2054
    #[arg(long, value_name = "LIST", value_parser = boards_each_once)]
    address: Option<Boards>,

    /// No clock beside the boards
    #[arg(long)]
    no_clock: bool,

    /// How the result is shown on the board after the last move
    #[arg(long, value_enum, default_value = "none")]
    ending: Ending,

    /// The probability that a board is turned round for a game: 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0", value_parser = probability)]
    rotated: f64,

    /// The probability that the players analyse their game on the board after it: 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0", value_parser = probability)]
    analysis: f64,

    /// How often a board loses its power for some seconds in the middle of a game; on a line, of its first game
    #[arg(long, value_name = "N", default_value = "0")]
    power_cuts: u32,

    /// A fault of a board: dead-square, dying-square (dead after its first game), flicker or weak-piece with the square
    /// (weak-piece: where the piece begins its games), slow, reset, twin (another board has its address) or cut-entries (of
    /// its log, across two answers); of a board alone no-address or short-address (ten digits of a serial number instead of
    /// a bus address), stale-frames (from before, at its first answer), any-order (of late answers) or empty-log; may be
    /// repeated
    #[arg(long = "fault", value_name = "KIND=BOARD[:SQUARE]")]
    faults: Vec<BoardFault>,

    /// Stop at the first game that cannot be played
    #[arg(long)]
    strict: bool,

    /// Time of the opening of the hall, in --records and --truth
    #[arg(long, value_name = "MOMENT", default_value = "2026-01-01T10:00:00Z")]
    opening: Time,

    /// Print board records as if the boards were polled, and open no port
    #[arg(long)]
    records: bool,

    /// With --records: the time between two polls of a board: 500ms, 2s; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "2", value_parser = span_above_0)]
    poll: Duration,

    /// With --records: the time between two readings of a clock: 20s, 1.5m; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "20", value_parser = span_above_0)]
    clock_every: Duration,

    #[command(flatten)]
    wired: Wired,
}

/// The options that only a line has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of the line")]
struct Wired {
    /// Make a symbolic link to the pseudo-terminal; it is removed when the command ends
    #[arg(long, value_name = "PATH", conflicts_with = "records")]
    link: Option<PathBuf>,

    /// How many times faster than in life the players and the clocks are; the wire keeps its speed
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = positive)]
    speed: f64,

    /// The make of the boards, or for DGT boards the mode in which they are polled
    #[arg(long, visible_alias = "make", value_enum, default_value = "bus")]
    mode: LineSpeech,

    /// Bits a second on the wire, ten a byte [default: those of the make]; 0: bytes take no time and boards answer at once
    #[arg(long, value_name = "BAUD")]
    wire_speed: Option<u32>,

    /// For boards of makes other than DGT: the probability that a square is misread in a report: 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0", value_parser = probability)]
    ghosts: f64,

    /// When play begins on a board
    #[arg(long, value_enum, default_value = "mark")]
    start: When,

    /// The time from the start mark to the beginning of play: 3s, 1.5m; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "3", value_parser = span)]
    start_delay: Duration,

    /// When play begins on a board that got no start mark: 90s, 1.5m; a bare number is seconds [default: it waits]
    #[arg(long, value_name = "TIME", value_parser = span)]
    start_timeout: Option<Duration>,

    /// The probability that a byte is damaged, in either direction: 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0", value_parser = probability)]
    noise: f64,

    /// The probability that a board's reply is lost although it obeyed the command: 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0", value_parser = probability)]
    drop: f64,

    /// How often a board's watchdog resets it while nothing moves on it
    #[arg(long, value_name = "N", default_value = "0")]
    watchdogs: u32,

    /// Pull the adapter out at this time, for this long: 60:20, 1.5m:500ms; a bare number is seconds
    #[arg(long, value_name = "AT:FOR", value_parser = unplug)]
    unplug: Vec<Unplug>,

    /// The boards' firmware [default: 1.6; 1.4 for makes other than DGT]
    #[arg(long, value_name = "VERSION", value_parser = version)]
    firmware: Option<Version>,

    /// Write everything the boards log as board records, to compare a host's records with, into a new file or that of
    /// an earlier run; a `fault` without a board is a time at which this machine was too busy to keep the line's time
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,

    /// How long to stay when everything has been played and read: 5s, 1.5m; a bare number is seconds
    #[arg(long, value_name = "TIME", default_value = "5", value_parser = span)]
    exit_after: Duration,

    /// Stay until a signal comes
    #[arg(long, conflicts_with = "exit_after")]
    forever: bool,
}

/// When play begins on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum When {
    /// When a start mark has been written into it, or a board with a cable of its own was asked for its changes
    Mark,
    /// Immediately
    Now,
}

/// A time from the start, and a duration.
#[derive(Debug, Clone, Copy)]
struct Unplug(Duration, Duration);

impl Simulate {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut bad = Bad::new(self.strict);
        let mut games = games::read_pgn(&self.pgn, &mut bad)?;
        games.extend(games::read_pdn(&self.pdn, self.set, &mut bad)?);
        let addresses = self.addresses(games.len())?;
        if let Some(fault) = self.faults.iter().find(|fault| !addresses.contains(&fault.board)) {
            return Err(Error::Usage(format!("--fault: no board has the address {}", fault.board)));
        }
        let begins_without =
            |square| !games.is_empty() && games.iter().all(|game| game.start.get(square).is_none());
        for fault in &self.faults {
            if let Ailment::WeakPiece(square) = fault.ailment
                && begins_without(square)
            {
                return Err(Error::Usage(format!("--fault: no piece begins its games on {square}")));
            }
            let plays_on = |at: usize| addresses[at] == fault.board && at + addresses.len() < games.len();
            if matches!(fault.ailment, Ailment::DyingSquare(_)) && !(0..addresses.len()).any(plays_on) {
                let board = fault.board;
                return Err(Error::Usage(format!(
                    "--fault: a square dies after a board's first game, and board {board} plays no second: give more games, or fewer --boards"
                )));
            }
        }
        if let Some(idle) = addresses.get(games.len()..).filter(|idle| !idle.is_empty()) {
            let (games, plural) = (games.len(), if games.len() == 1 { "" } else { "s" });
            let (boards, more) = (addresses.len(), if addresses.len() == 1 { "" } else { "s" });
            say(format_args!("{games} game{plural} for {boards} board{more}: none for {}", ranges(idle)));
        }
        if self.records {
            self.print(&addresses, games)?
        } else {
            self.serve(&addresses, games)?
        }
        Ok(bad.done("place"))
    }

    fn rounds(&self, games: Vec<Arc<PlannedGame>>) -> Vec<Round> {
        let habits = Habits {
            ending: self.ending,
            rotated: self.rotated,
            analysis: self.analysis,
            power_cuts: if self.records { self.power_cuts } else { 0 },
            seed: self.seed,
        };
        habits.rounds(games)
    }

    fn print(&self, addresses: &[u16], games: Vec<Arc<PlannedGame>>) -> Result<()> {
        let polling = Polling {
            opening: self.opening,
            every: self.poll.as_secs_f64(),
            clock: !self.no_clock,
            clock_every: self.clock_every.as_secs_f64(),
            answers: true,
            faults: self.faults.clone(),
            seed: self.seed,
        };
        let mut out = Output::stdout();
        out.record(&self.stream())?;
        for record in PolledHall::new(addresses, &self.rounds(games), &self.hands.profile(), &polling) {
            out.record(&record)?;
            if stop::requested().is_some() {
                break;
            }
        }
        out.flush()
    }

    fn serve(&self, addresses: &[u16], games: Vec<Arc<PlannedGame>>) -> Result<()> {
        let wired = &self.wired;
        let start = StartOfPlay {
            delay: time(wired.start_delay),
            at_latest: match wired.start {
                When::Now => Some(0),
                When::Mark => wired.start_timeout.map(time),
            },
        };
        let setup = LineSetup {
            profile: self.hands.profile(),
            clock: !self.no_clock,
            speed: wired.speed,
            baud: wired.wire_speed.unwrap_or(wired.mode.baud()),
            version: wired.firmware.unwrap_or(wired.mode.firmware()),
            speech: wired.mode,
            ghosts: wired.ghosts,
            start,
            faults: LineFaults { noise: wired.noise, drop: wired.drop },
            board_faults: self.faults.clone(),
            power_cuts: self.power_cuts,
            watchdogs: wired.watchdogs,
            seed: self.seed,
        };
        let mut line = setup.line(addresses, &self.rounds(games));
        if let Some(truth) = &wired.truth {
            refuse_all_but_truth(truth)?;
        }
        let mut truth = wired.truth.as_deref().map(Output::create).transpose()?;
        if let Some(truth) = &mut truth {
            truth.record(&self.stream())?;
        }
        let bar = progress::bar(line.progress(0).of as u64, "plies");
        let unplug: Vec<(u64, u64)> =
            wired.unplug.iter().map(|&Unplug(at, long)| (time(at), time(at + long))).collect();
        let boards = addresses.len();
        let plural = if boards == 1 { "" } else { "s" };
        let (mut times_late, mut latest) = (0, 0);
        pty::serve(
            &mut line,
            wired.link.as_deref(),
            &unplug,
            |outlet| say(format_args!("{boards} board{plural} on {}", outlet.name().display())),
            |line, now, late| {
                if let Some(late) = late {
                    (times_late, latest) = (times_late + 1, late.max(latest));
                }
                if let Some(truth) = &mut truth {
                    self.write_truth(truth, line)?;
                    late.map_or(Ok(()), |late| truth.record(&self.lag_record(now, late)))?;
                }
                let state = line.progress(now);
                bar.set_position(state.plies as u64);
                let ends = state.over.is_some_and(|over| now >= over.saturating_add(time(wired.exit_after)));
                Ok(ends && !wired.forever)
            },
        )?;
        bar.finish_and_clear();
        if let Some(truth) = &mut truth {
            self.write_truth(truth, &mut line)?;
            truth.flush()?;
        }
        if times_late > 0 {
            let latest = latest / 1000;
            say(format_args!(
                "this machine kept the line waiting {times_late} times, up to {latest} ms, which a host takes for faults"
            ));
        }
        Ok(())
    }

    /// The record that this machine was too busy to advance the line in time.
    fn lag_record(&self, now: u64, late: u64) -> BoardRecord {
        let detail = format!("this machine kept the line waiting for {} ms", late / 1000);
        let fault = BoardEvent::Fault(Fault { kind: FaultKind::Timeout, detail, bytes: None });
        BoardRecord::new(Some(self.record_time(now)), None, fault)
    }

    /// A time of the line, as in records.
    fn record_time(&self, now: u64) -> Time {
        Time(self.opening.0 + (now / 1000) as i64)
    }

    /// Writes what the boards have logged since the last call.
    fn write_truth(&self, truth: &mut Output, line: &mut SharedLine) -> Result<()> {
        for electronics in line.boards.iter_mut().map(|board| &mut board.electronics) {
            let address = electronics.address();
            for logged in electronics.take_logged() {
                if let Some(event) = records::entry(logged.entry) {
                    let time = self.record_time(logged.at);
                    truth.record(&BoardRecord::new(Some(time), Some(address), event))?;
                }
            }
        }
        Ok(())
    }

    /// The stream record; its run is named after the seed, so that the same command writes the same bytes.
    fn stream(&self) -> Stream {
        Stream::of_run(format!("{OF_SIMULATE}{}", self.seed), None)
    }

    fn addresses(&self, games: usize) -> Result<Vec<u16>> {
        let alone = self.wired.mode != LineSpeech::Bus;
        if alone
            && (self.boards.is_some_and(|n| n != 1) || self.address.as_ref().is_some_and(|a| a.0.len() != 1))
        {
            let mode = self.wired.mode.to_possible_value();
            let mode = mode.as_ref().map_or("", |mode| mode.get_name());
            return Err(Error::Usage(format!("--mode {mode}: one board has the cable for itself")));
        }
        if let Some(Boards(list)) = &self.address {
            return Ok(list.clone());
        }
        let count = self.boards.unwrap_or(if alone { 1 } else { games.clamp(1, BOARDS_MAX) });
        if count == 0 || count > 0x3fff - 1024 {
            return Err(Error::Usage("--boards: from 1 to 15359".into()));
        }
        Ok((1025..=(1024 + count) as u16).collect())
    }
}

/// A duration in the line's time.
fn time(span: Duration) -> u64 {
    crate::sim::seconds(span.as_secs_f64())
}

fn positive(text: &str) -> Result<f64, String> {
    not_negative(text).ok().filter(|number| *number > 0.0).ok_or_else(|| "not a number above 0".into())
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("not a number from 0 on".into()),
    }
}

fn probability(text: &str) -> Result<f64, String> {
    not_negative(text).ok().filter(|number| *number <= 1.0).ok_or_else(|| "not a number from 0 to 1".into())
}

fn unplug(text: &str) -> Result<Unplug, String> {
    let (at, long) = text.split_once(':').ok_or("not two times such as 60:20 or 1m:500ms")?;
    Ok(Unplug(span(at)?, span(long)?))
}

fn version(text: &str) -> Result<Version, String> {
    let wrong = || "not two numbers below 128 such as 1.6".to_owned();
    let (main, sub) = text.split_once('.').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u8>().ok().filter(|n| *n < 128).ok_or_else(wrong);
    Ok(Version { main: number(main)?, sub: number(sub)? })
}
