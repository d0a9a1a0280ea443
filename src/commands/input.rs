//! What the filters share: the files they read, their records, and how bad input is treated.

use std::path::PathBuf;

use clap::Args;

use crate::{
    error::{Done, Error, Result},
    format::ranges,
    record::{BadRecord, BoardName, Record, parse},
    stdio::{self, Bad, Inputs, Place},
    stop,
};

/// Where a filter reads from, and how it treats bad input.
#[derive(Debug, Args)]
pub(super) struct Input {
    /// Files to read; none, or `-`, is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// At the end of each file wait for more, until a signal comes. A file that does not exist yet is waited for; a
    /// file that was begun again at its path, or shortened, is read from its beginning
    #[arg(long)]
    pub follow: bool,

    /// Stop at the first bad input instead of skipping it
    #[arg(long)]
    pub strict: bool,
}

impl Input {
    /// Reads no files.
    pub fn none() -> Input {
        Input { files: Vec::new(), follow: false, strict: false }
    }

    /// The files to read.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs::of(&self.files).following(self.follow)
    }

    /// A counter of bad input that is as strict as the user asked.
    pub fn bad(&self) -> Bad {
        Bad::new(self.strict)
    }

    /// Records of a layer, read as strictly as the user asked.
    pub fn records(&self, wanted: Layer) -> Records {
        Records { bad: self.bad(), wanted, follow: self.follow, board: 0, game: 0, games_file: None }
    }
}

/// The two layers of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// Records of boards.
    Board,
    /// Records of games.
    Game,
    /// Both, in their order.
    Any,
}

/// The problem with a file of another format that begins with a record; none when it does not.
pub(super) fn of_records(beginning: &[u8]) -> Option<&'static str> {
    let begins = beginning.trim_ascii_start().starts_with(b"{\"type\":\"");
    begins.then_some("a file of records: they need no reader, a writer such as to-pgn takes them")
}

/// Reports boards that were played on without a game, those of each line together.
pub(super) fn report_without_game(boards: &[BoardName]) {
    for of_line in boards.chunk_by(|(line, _), (other, _)| line == other) {
        let line = of_line[0].0.as_ref().map_or_else(String::new, |line| format!("{line}: "));
        let named: Vec<u16> = of_line.iter().filter_map(|(_, board)| *board).collect();
        let of_boards =
            if named.is_empty() { String::new() } else { format!(" of boards {}", ranges(&named)) };
        stdio::say(format_args!(
            "{line}changes{of_boards}, but no game: they never stood in a start position here; is the beginning missing? (with --midgame the rest is a game)"
        ));
    }
}

/// Reports an empty input.
pub(super) fn report_if_nothing(what: &str, read: u64, bad: &Bad) {
    if read == 0 && bad.count() == 0 {
        stdio::say(format_args!("no {what} in the input: nothing to do"));
    }
}

/// Reads records, counts them, and reports bad ones.
#[derive(Debug)]
pub(super) struct Records {
    bad: Bad,
    /// The layer that the command can use.
    wanted: Layer,
    /// Followed files may begin or end in the middle of a record.
    follow: bool,
    /// The number of records of each layer.
    board: u64,
    game: u64,
    /// The name of a file that holds games as text instead of records.
    games_file: Option<String>,
}

impl Records {
    /// The record in a line of the input; none when it is bad, which is reported. A stream of a later version of the
    /// records ends the reading, since later records would be misread.
    pub fn record(&mut self, place: Place<'_>, line: &[u8]) -> Result<Option<Record>> {
        match parse(line) {
            Ok(record) => {
                match record {
                    Record::Board(_) => self.board += 1,
                    Record::Game(ref record) if !record.event.is_ruling() => self.game += 1,
                    Record::Game(_) | Record::Stream(_) | Record::Other => {}
                }
                Ok(Some(record))
            }
            Err(error @ BadRecord::Version(_)) => Err(Error::Data(format!("{place}: {error}"))),
            Err(_) if self.games_file.as_deref() == Some(place.file) => Ok(None),
            Err(_) if is_tag(line) => {
                self.games_file = Some(place.file.to_owned());
                let what = "a file of games, not records: read PGN with from-pgn, PDN with from-pdn";
                self.bad.report(place, what).map(|()| None)
            }
            // The writer was stopped in the middle of this line.
            Err(_) if self.follow && stop::requested().is_some() => Ok(None),
            Err(_) if self.follow && place.line == 1 && !line.starts_with(b"{") => {
                stdio::say(format_args!("{place}: begins in the middle of a record, which is left out"));
                Ok(None)
            }
            Err(error) => self.bad.report(place, error).map(|()| None),
        }
    }

    /// Reports a problem with a record, and continues unless strict.
    pub fn report(&mut self, place: impl std::fmt::Display, problem: impl std::fmt::Display) -> Result<()> {
        self.bad.report(place, problem)
    }

    /// Reports a problem with a record that is used all the same, unless strict.
    pub fn report_taken(
        &mut self,
        place: impl std::fmt::Display,
        problem: impl std::fmt::Display,
    ) -> Result<()> {
        self.bad.report_taken(place, problem)
    }

    /// The number of records of boards.
    pub fn of_boards(&self) -> u64 {
        self.board
    }

    /// Whether there were no records, good or bad.
    pub fn is_empty(&self) -> bool {
        self.board == 0 && self.game == 0 && self.bad.count() == 0
    }

    /// The result, with a message where the records were of a layer that the command cannot use.
    pub fn done(&self) -> Done {
        match (self.wanted, self.board, self.game) {
            _ if self.is_empty() => stdio::say("no records in the input: nothing to do"),
            (Layer::Board, 0, 1..) => {
                stdio::say(
                    "only game records in the input: they are reconstructed already, a writer such as to-pgn reads them",
                );
            }
            (Layer::Game, 1.., 0) => {
                stdio::say("only board records in the input: put `boardbus reconstruct` in between");
            }
            _ => {}
        }
        self.bad.done("record")
    }
}

/// Whether a line is the tag of a game, as in PGN and PDN: `[Event "?"]`.
fn is_tag(line: &[u8]) -> bool {
    let Some(inside) = line.trim_ascii().strip_prefix(b"[") else { return false };
    let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && inside[name..].trim_ascii_start().starts_with(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_recognised_from_a_list() {
        assert!([r#"[Event "?"]"#, r#" [White"a"] "#].iter().all(|line| is_tag(line.as_bytes())));
        assert!(!["[]", "[1,2]", r#"["a","b"]"#, "[", "e4"].iter().any(|line| is_tag(line.as_bytes())));
    }
}
