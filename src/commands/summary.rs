//! What came of it all, in one line at the end: games, results, guesses, anomalies, files.

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

/// So many guesses are named.
const NAMED: usize = 10;

/// Whether a summary is wanted.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct SummaryArgs {
    /// Print one line at the end with the result, as on a terminal
    #[arg(long)]
    pub summary: bool,
}

impl SummaryArgs {
    /// Asked for, or there is a person to read it.
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
    /// Where the first of them stand.
    named: Vec<String>,
    files: String,
}

impl Summary {
    /// A game as it stands.
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
            if self.named.len() < NAMED {
                self.named.push(match (board, number) {
                    (Some(board), 1) => format!("{board} ply {ply}"),
                    (Some(board), number) => format!("{board} game {number} ply {ply}"),
                    (None, number) => format!("game {number} ply {ply}"),
                });
            }
        }
    }

    /// Names these files and their sizes too, as far as they are files.
    pub fn with_files(mut self, what: &str, files: &[PathBuf]) -> Summary {
        self.files.extend(files.iter().map(|file| name_and_size(what, file)));
        self
    }
}

/// What goes on a line that has ended, of a file: its name and its size, as far as it is one.
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
            let more = if self.guesses > NAMED { ", …" } else { "" };
            write!(f, " ({}{more})", self.named.join(", "))?;
        }
        write!(f, ", {}{}", count(self.anomalies, "anomaly", "anomalies"), self.files)
    }
}

/// Where games are told, and what was told of each, as far as it is counted, with all that was corrected.
pub(super) struct Telling {
    out: Numbered,
    /// Whether any game was told.
    any: bool,
    /// None where nobody asks: there may be very many.
    games: Option<BTreeMap<Name, Told>>,
}

/// Line, board and number of a game.
type Name = (Option<Arc<str>>, Option<u16>, u32);

#[derive(Debug, Default)]
struct Told {
    /// An arbiter ruled that there never was such a game.
    void: bool,
    result: bool,
    guesses: BTreeSet<u32>,
    anomalies: Vec<u32>,
}

impl Telling {
    /// Nothing has been told.
    pub fn new(out: Numbered, summary: SummaryArgs) -> Telling {
        Telling { out, any: false, games: summary.is_wanted().then(BTreeMap::new) }
    }

    /// Whether no game was told.
    pub fn is_empty(&self) -> bool {
        !self.any
    }

    /// Writes a record, and keeps of it what is counted.
    pub fn record(&mut self, record: GameRecord) -> Result<()> {
        self.count(&record);
        self.out.record(record)
    }

    /// Where what is told gets its numbers.
    pub fn numbered(&mut self) -> &mut Numbered {
        &mut self.out
    }

    /// Writes out what is in hand.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }

    fn count(&mut self, record: &GameRecord) {
        self.any = true;
        let Some(games) = &mut self.games else { return };
        let told = games.entry((record.line.clone(), record.board, record.game)).or_default();
        match &record.event {
            GameEvent::Move(m) => {
                let ply = m.ply.unwrap_or_default();
                if m.guess {
                    told.guesses.insert(ply)
                } else {
                    told.guesses.remove(&ply)
                };
            }
            GameEvent::Takeback(back) => {
                told.guesses.retain(|ply| *ply <= back.ply);
                told.anomalies.retain(|ply| *ply <= back.ply);
            }
            GameEvent::Anomaly(anomaly) => told.anomalies.push(anomaly.ply),
            GameEvent::End(end) => told.result = end.result.is_some(),
            // Of several words on the game as a whole the last one holds.
            GameEvent::Ruling(ruling) if ruling.ply.is_none() => told.void = ruling.ruled == Ruled::Void,
            GameEvent::Game(_) | GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {}
        }
    }

    /// The counts, where they are wanted.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for ((_, board, number), told) in self.games.iter().flatten().filter(|(_, told)| !told.void) {
            let guesses = told.guesses.iter().copied();
            summary.count(*board, *number, told.result, told.anomalies.len(), guesses);
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
        let mut telling = Telling::new(Numbered::new(Output::stdout(), ""), wanted);
        let (mut tell, start) = (
            |rest: &str| {
                let line = format!("{{\"type\":{rest}}}");
                let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
                telling.count(&record);
            },
            r#""rules":"chess","fen":"8/8/8/8/8/8/8/8 w - - 0 1""#,
        );
        let ply = |board: u16, ply: u32, rest: &str| {
            format!(r#""move","board":{board},"game":1,"ply":{ply},"san":"e4","uci":"e2e4","fen":"x"{rest}"#)
        };
        tell(&format!(r#""game","board":1027,"game":1,{start}"#));
        tell(&format!(r#""game","board":1030,"game":1,{start}"#));
        tell(&ply(1027, 40, r#","guess":true"#));
        tell(&ply(1027, 40, ""));
        tell(&ply(1027, 41, r#","guess":true"#));
        tell(&ply(1030, 12, r#","guess":true"#));
        tell(&ply(1030, 13, r#","guess":true"#));
        tell(r#""anomaly","board":1030,"game":1,"ply":13,"kind":"gap","detail":"x""#);
        tell(r#""takeback","board":1030,"game":1,"ply":12"#);
        tell(r#""end","board":1027,"game":1,"result":"1-0","reason":"kings""#);
        tell(r#""end","board":1030,"game":1,"result":"*","reason":"input-end""#);
        let said = telling.summary().to_string();
        assert_eq!(said, "2 games, 1 result, 2 guesses (1027 ply 41, 1030 ply 12), 0 anomalies");
    }

    #[test]
    fn a_game_that_never_was_is_not_counted_until_that_is_withdrawn() {
        let mut telling = Telling::new(Numbered::new(Output::stdout(), ""), SummaryArgs { summary: true });
        let mut games_behind = |line: &str| {
            let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
            telling.count(&record);
            telling.summary().games
        };
        let ruling = |what: &str| format!(r#"{{"type":"ruling","board":7,"game":1,{what}}}"#);
        let end = r#"{"type":"end","board":7,"game":1,"result":"1-0","reason":"kings"}"#;
        assert_eq!(games_behind(end), 1);
        assert_eq!(games_behind(&ruling(r#""void":true"#)), 0);
        assert_eq!(games_behind(&ruling(r#""ply":3,"withdraw":true"#)), 0);
        assert_eq!(games_behind(&ruling(r#""withdraw":true"#)), 1);
    }

    #[test]
    fn sizes_are_said_as_people_say_them() {
        let said = [7, 1_200, 1_234_567, 5_000_000_000].map(bytes);
        assert_eq!(said, ["7 bytes", "1.2 kB", "1.2 MB", "5.0 GB"]);
    }
}
