//! A file of pairings, and its kind, which follows from its content.

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name in messages.
    pub name: String,
    /// Its text; each line ends in LF.
    pub text: String,
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Swiss-Manager's players.
    Players,
    /// Swiss-Manager's boards.
    Draw,
    /// Vega's boards.
    SortedPairs,
    /// Vega's cross table.
    CrossTable,
    /// A tournament report.
    Report,
    /// Games without moves.
    Pgn,
}

impl File {
    /// A message about a line.
    pub(super) fn at(&self, line: usize, problem: impl std::fmt::Display) -> String {
        format!("{}:{line}: {problem}", self.name)
    }

    /// The kind of the file.
    pub(super) fn kind(&self) -> Result<Kind, String> {
        let first = self.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let columns: Vec<&str> = first.split(';').map(str::trim).collect();
        let begins = |code: &str| self.text.lines().any(|line| line.starts_with(code));
        let is_cross_table = || {
            let heading = |line: &str| line.trim_start().starts_with("Cross Table at round ");
            self.text.lines().take(10).any(heading)
        };
        if columns.contains(&"NrW") && columns.contains(&"NrS") {
            Ok(Kind::Draw)
        } else if columns.contains(&"Nr") && columns.contains(&"Name") {
            Ok(Kind::Players)
        } else if first.contains(": Pairing of round ") {
            Ok(Kind::SortedPairs)
        } else if first.starts_with('[') {
            Ok(Kind::Pgn)
        } else if begins("001 ") {
            Ok(Kind::Report)
        } else if is_cross_table() {
            Ok(Kind::CrossTable)
        } else {
            let kinds = "a tournament report (TRF), Swiss-Manager's Spielerdaten or Spielerauslosung, Vega's SortedPairs.txt, PGN";
            Err(self.at(1, format_args!("no pairings are known by this beginning: {kinds}")))
        }
    }
}
