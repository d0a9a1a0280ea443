//! The summary at the end, in one line: games, results, guesses, anomalies, files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;

use super::numbered::Numbered;
use crate::{
    error::Result,
    format::game::{Game, Kept},
    progress,
    record::{GameEvent, GameRecord, Ruled},
};

/// How many guesses are listed.
const LISTED_GUESSES_MAX: usize = 10;

/// Whether a summary is wanted.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct SummaryArgs {
    /// Print one line at the end with the result, as on a terminal
    #[arg(long)]
    pub summary: bool,
}

impl SummaryArgs {
    /// Whether it was asked for, or standard error is a terminal.
    pub fn is_wanted(self) -> bool {
        self.summary || progress::is_shown()
    }
}

/// The counts.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Summary {
    games: usize,
    results: usize,
    anomalies: usize,
    guesses: usize,
    /// The places of the first guesses.
    named: Vec<String>,
    files: String,
}

impl Summary {
    /// Adds a game in its current state.
    pub fn add<P: Kept>(&mut self, game: &Game<P>) {
        let guesses = game.moves.iter().zip(1..).filter(|(m, _)| m.is_guess()).map(|(_, ply)| ply);
        let result = game.end.as_ref().is_some_and(|end| end.result.is_some());
        self.count(game.key.1, game.number, result, game.anomalies.len(), guesses);
    }

    fn count(
        &mut self,
        board: Option<u16>,
        number: u32,
        result: bool,
        anomalies: usize,
        guesses: impl Iterator<Item = u32>,
    ) {
        self.games += 1;
        self.results += usize::from(result);
        self.anomalies += anomalies;
        for ply in guesses {
            self.guesses += 1;
            if self.named.len() < LISTED_GUESSES_MAX {
                self.named.push(match (board, number) {
                    (Some(board), 1) => format!("{board} ply {ply}"),
                    (Some(board), number) => format!("{board} game {number} ply {ply}"),
                    (None, number) => format!("game {number} ply {ply}"),
                });
            }
        }
    }

    /// Adds these files with their sizes, if they are regular files.
    pub fn with_files(mut self, what: &str, files: &[PathBuf]) -> Summary {
        self.files.extend(files.iter().map(|file| name_and_size(what, file)));
        self
    }
}

/// A name and a size to append to a line about a file, if it is a regular file.
pub(super) fn name_and_size(what: &str, file: &Path) -> String {
    let size = fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|data| data.len());
    size.map_or_else(String::new, |size| format!(", {what}{} {}", name(file), bytes(size)))
}

fn name(file: &Path) -> String {
    file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn bytes(count: u64) -> String {
    match count {
        0..1000 => format!("{count} bytes"),
        1000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        write!(f, "{}, ", count(self.games, "game", "games"))?;
        write!(f, "{}, ", count(self.results, "result", "results"))?;
        write!(f, "{}", count(self.guesses, "guess", "guesses"))?;
        if !self.named.is_empty() {
            let more = if self.guesses > LISTED_GUESSES_MAX { ", …" } else { "" };
            write!(f, " ({}{more})", self.named.join(", "))?;
        }
        write!(f, ", {}{}", count(self.anomalies, "anomaly", "anomalies"), self.files)
    }
}

/// Writes game records, and counts each game's guesses, anomalies and result, with all corrections.
pub(super) struct CountedOutput {
    out: Numbered,
    /// Whether any game was published.
    any: bool,
    /// None where no summary is wanted: there may be many games.
    games: Option<BTreeMap<Name, GameCounts>>,
}

/// Line, board and number of a game.
type Name = (Option<Arc<str>>, Option<u16>, u32);

#[derive(Debug, Default)]
struct GameCounts {
    /// An arbiter ruled that there was no such game.
    void: bool,
    result: bool,
    guesses: BTreeSet<u32>,
    anomalies: Vec<u32>,
}

impl CountedOutput {
    /// Nothing published yet.
    pub fn new(out: Numbered, summary: SummaryArgs) -> CountedOutput {
        CountedOutput { out, any: false, games: summary.is_wanted().then(BTreeMap::new) }
    }

    /// Whether no game was published.
    pub fn is_empty(&self) -> bool {
        !self.any
    }

    /// Writes a record, and counts it.
    pub fn record(&mut self, record: GameRecord) -> Result<()> {
        self.count(&record);
        self.out.record(record)
    }

    /// The output that numbers the records.
    pub fn numbered(&mut self) -> &mut Numbered {
        &mut self.out
    }

    /// Writes out the buffered records.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }

    fn count(&mut self, record: &GameRecord) {
        self.any = true;
        let Some(games) = &mut self.games else { return };
        let counts = games.entry((record.line.clone(), record.board, record.game)).or_default();
        match &record.event {
            GameEvent::Move(m) => {
                let ply = m.ply.unwrap_or_default();
                if m.guess {
                    counts.guesses.insert(ply)
                } else {
                    counts.guesses.remove(&ply)
                };
            }
            GameEvent::Takeback(back) => {
                counts.guesses.retain(|ply| *ply <= back.ply);
                counts.anomalies.retain(|ply| *ply <= back.ply);
            }
            GameEvent::Anomaly(anomaly) => counts.anomalies.push(anomaly.ply),
            GameEvent::End(end) => counts.result = end.result.is_some(),
            // Of several rulings on the game as a whole the last one holds.
            GameEvent::Ruling(ruling) if ruling.ply.is_none() => counts.void = ruling.ruled == Ruled::Void,
            GameEvent::Game(_) | GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {}
        }
    }

    /// The counts, where they are wanted.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for ((_, board, number), counts) in self.games.iter().flatten().filter(|(_, counts)| !counts.void) {
            let guesses = counts.guesses.iter().copied();
            summary.count(*board, *number, counts.result, counts.anomalies.len(), guesses);
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        record::{Record, parse},
        stdio::Output,
    };

    #[test]
    fn what_was_corrected_is_not_counted() {
        let wanted = SummaryArgs { summary: true };
        let mut output = CountedOutput::new(Numbered::new(Output::stdout(), ""), wanted);
        let (mut add, start) = (
            |rest: &str| {
                let line = format!("{{\"type\":{rest}}}");
                let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
                output.count(&record);
            },
            r#""rules":"chess","fen":"8/8/8/8/8/8/8/8 w - - 0 1""#,
        );
        let ply = |board: u16, ply: u32, rest: &str| {
            format!(r#""move","board":{board},"game":1,"ply":{ply},"san":"e4","uci":"e2e4","fen":"x"{rest}"#)
        };
        add(&format!(r#""game","board":1027,"game":1,{start}"#));
        add(&format!(r#""game","board":1030,"game":1,{start}"#));
        add(&ply(1027, 40, r#","guess":true"#));
        add(&ply(1027, 40, ""));
        add(&ply(1027, 41, r#","guess":true"#));
        add(&ply(1030, 12, r#","guess":true"#));
        add(&ply(1030, 13, r#","guess":true"#));
        add(r#""anomaly","board":1030,"game":1,"ply":13,"kind":"gap","detail":"x""#);
        add(r#""takeback","board":1030,"game":1,"ply":12"#);
        add(r#""end","board":1027,"game":1,"result":"1-0","reason":"kings""#);
        add(r#""end","board":1030,"game":1,"result":"*","reason":"input-end""#);
        let text = output.summary().to_string();
        assert_eq!(text, "2 games, 1 result, 2 guesses (1027 ply 41, 1030 ply 12), 0 anomalies");
    }

    #[test]
    fn void_games_count_again_after_a_withdrawal() {
        let mut output =
            CountedOutput::new(Numbered::new(Output::stdout(), ""), SummaryArgs { summary: true });
        let mut games_behind = |line: &str| {
            let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
            output.count(&record);
            output.summary().games
        };
        let ruling = |what: &str| format!(r#"{{"type":"ruling","board":7,"game":1,{what}}}"#);
        let end = r#"{"type":"end","board":7,"game":1,"result":"1-0","reason":"kings"}"#;
        assert_eq!(games_behind(end), 1);
        assert_eq!(games_behind(&ruling(r#""void":true"#)), 0);
        assert_eq!(games_behind(&ruling(r#""ply":3,"withdraw":true"#)), 0);
        assert_eq!(games_behind(&ruling(r#""withdraw":true"#)), 1);
    }

    #[test]
    fn sizes_have_usual_units() {
        let text = [7, 1_200, 1_234_567, 5_000_000_000].map(bytes);
        assert_eq!(text, ["7 bytes", "1.2 kB", "1.2 MB", "5.0 GB"]);
    }
}
