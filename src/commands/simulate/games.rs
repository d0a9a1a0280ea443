//! Reads the games of PGN and PDN files for simulated players.

use std::{
    fs::{self, File},
    path::PathBuf,
    sync::Arc,
};

use crate::{
    error::{Error, Result},
    format::{
        pdn,
        pgn::{self, Cutter, Flaw, Names, Sink},
        russian::ReadItem,
    },
    record::{AnomalyKind, End, GameEvent, GameRecord, GameStart, Move, Rules},
    sim::planned_game::{
        PlannedGame,
        chess::ChessPlanner,
        russian::{Figures, RussianPlanner},
    },
    stdio::{self, Bad, Inputs, Output, Place},
};

/// Refuses files that do not exist, since the hall would have fewer games than intended. Pipes are not opened for this
/// test, since their writer would take the close for the end.
fn all_there(files: &[PathBuf]) -> Result<()> {
    for file in files.iter().filter(|file| file.as_os_str() != "-") {
        let data = fs::metadata(file).map_err(|e| Error::io(file.display(), e))?;
        if data.is_file() {
            File::open(file).map_err(|e| Error::io(file.display(), e))?;
        }
    }
    Ok(())
}

/// Reads the games of PDN files that have moves, to be played with these figures. An unplayable move is reported and
/// ends its game.
pub fn read_pdn(files: &[PathBuf], figures: Figures, bad: &mut Bad) -> Result<Vec<Arc<PlannedGame>>> {
    all_there(files)?;
    let mut games = Vec::new();
    let mut nothing = Output::stdout();
    // One file at a time, so that no game continues into the next file.
    for file in files.chunks(1) {
        let mut reader = pdn::Reader::new(None);
        let mut making = None;
        let mut last = String::new();
        let mut take = |place: &str, items: Vec<ReadItem>| {
            items.into_iter().try_for_each(|item| match item {
                ReadItem::Record(record) => {
                    let done = play(&mut making, *record, figures);
                    done.map(|game| games.extend(game.map(Arc::new))).or_else(|e| bad.report(place, e))
                }
                ReadItem::Note(_) => Ok(()),
                ReadItem::Bad(problem) => bad.report(place, problem),
            })
        };
        stdio::each_line(Inputs::of(file), &mut nothing, |_, place, line| {
            last = place.to_string();
            take(&last, reader.line(&last, line))
        })?;
        take(&last, reader.end())?;
    }
    Ok(games)
}

/// Adds a record of a game of draughts; returns the game when it ends and has moves.
fn play(
    making: &mut Option<(RussianPlanner, Option<(f64, f64)>)>,
    record: GameRecord,
    figures: Figures,
) -> Result<Option<PlannedGame>, String> {
    match record.event {
        GameEvent::Game(start) => {
            let position = start.fen.parse().map_err(|e| format!("{}: {e}", start.fen))?;
            let control = start.tags.get("TimeControl").and_then(control);
            *making = Some((RussianPlanner::new(position, figures), control));
        }
        GameEvent::Move(m) => {
            if let Some((planner, _)) = making {
                planner.play(&m.path, m.seconds.map(|seconds| seconds.0))?;
            }
        }
        GameEvent::End(end) => {
            let game = making.take().map(|(planner, control)| planner.finish(end.result, control));
            return Ok(game.filter(|game| !game.plies.is_empty()));
        }
        GameEvent::Takeback(_) | GameEvent::Anomaly(_) | GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {}
    }
    Ok(None)
}

/// Reads the games of PGN files that have moves. An unplayable move is reported and ends its game.
pub fn read_pgn(files: &[PathBuf], bad: &mut Bad) -> Result<Vec<Arc<PlannedGame>>> {
    all_there(files)?;
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let mut games = Vec::new();
    let mut cutter = Cutter::default();
    let mut number = 0;
    stdio::each_block(
        Inputs::of(files),
        || Ok(()),
        |piece| {
            cutter.push(piece.bytes, |text| {
                number += 1;
                let mut making = Making { line: text.line, number, ..Making::default() };
                pgn::read(text, number, &mut making);
                for (line, problem) in making.troubles {
                    bad.report(Place { file: piece.file, line }, problem)?;
                }
                games.extend(making.game.filter(|game| !game.plies.is_empty()).map(Arc::new));
                Ok(())
            })
        },
    )?;
    Ok(games)
}

/// A game while it is read.
#[derive(Default)]
struct Making {
    line: u64,
    number: u32,
    planner: Option<ChessPlanner>,
    control: Option<(f64, f64)>,
    flag: bool,
    game: Option<PlannedGame>,
    troubles: Vec<(u64, String)>,
    /// A move could not be played on a board: the rest is left out.
    stuck: bool,
}

impl Making {
    fn trouble(&mut self, line: u64, problem: &str) {
        self.troubles.push((line, format!("game {}: {problem}", self.number)));
    }
}

impl Sink for Making {
    fn game(&mut self, start: &GameStart) {
        self.control = start.tags.get("TimeControl").and_then(control);
        self.flag = start.tags.get("Termination") == Some("Time forfeit");
        match ChessPlanner::new(Some(&start.fen)) {
            Ok(planner) if start.rules == Rules::Chess960 => self.planner = Some(planner.chess960()),
            Ok(planner) => self.planner = Some(planner),
            // The reader reports games of other rules.
            Err(_) if start.rules == Rules::Other => {}
            Err(problem) => self.trouble(self.line, &problem),
        }
    }

    fn ply(&mut self, names: &Names, rest: Option<&Move>) {
        let Some(planner) = self.planner.as_mut().filter(|_| !self.stuck) else { return };
        if let Err(problem) =
            planner.play_uci(names.uci(), rest.and_then(|m| m.seconds).map(|seconds| seconds.0))
        {
            self.stuck = true;
            self.trouble(self.line, &format!("{problem}; played up to there"));
        }
    }

    fn flaw(&mut self, flaw: Flaw) {
        // A flaw that leaves the moves playable is not reported.
        if flaw.kind != AnomalyKind::Unexplained {
            self.troubles.push((flaw.line, flaw.message));
        }
    }

    fn end(&mut self, end: End) {
        let planner = self.planner.take();
        self.game = planner.map(|planner| planner.finish(end.result, self.control, self.flag));
    }

    fn no_game(&mut self, line: u64, begin: &str) {
        self.trouble(line, &format!("no game: `{begin}`"));
    }
}

/// Base and increment of a `TimeControl` such as `300+3` or `5400+30:1800+30`; the first period counts.
fn control(text: &str) -> Option<(f64, f64)> {
    let period = text.split(':').next()?;
    let period = period.rsplit('/').next()?;
    let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
    Some((base.parse().ok()?, increment.parse().ok()?))
}
