//! A game that was read as game records: as values, or directly as their lines of JSON.

use std::io::Write;

use super::{
    cutter::GameText,
    flaw::Flaw,
    line::{END, Names},
    reader,
    sink::Sink,
};
use crate::{
    format::{text::Letters, words::all},
    record::{Anomaly, AnomalyKind, End, Evaluation, GameEvent, GameRecord, GameStart, Move, Score},
};

/// The records of a game; `file` and `number` identify it in anomalies. None when the text is no game.
pub fn records(game: GameText<'_>, file: &str, number: u32) -> Vec<GameRecord> {
    let mut values = Values { file, number, ply: 0, records: Vec::new() };
    reader::read(game, number, &mut values);
    values.records
}

impl Flaw {
    fn anomaly(self, file: &str) -> Anomaly {
        let unread = Some(self.unread).filter(|unread| !unread.is_empty());
        let source = Some(format!("{file}:{}", self.line));
        Anomaly { unread, source, ..Anomaly::new(self.ply, self.kind, self.problem) }
    }
}

/// A file's evaluation of the position after a ply, by an unknown engine.
fn evaluation(ply: u32, score: Score, depth: Option<u32>) -> GameEvent {
    let (bound, nodes, pv, engine) = Default::default();
    GameEvent::Evaluation(Box::new(Evaluation { ply, score, bound, depth, nodes, pv, engine }))
}

struct Values<'a> {
    file: &'a str,
    number: u32,
    ply: u32,
    records: Vec<GameRecord>,
}

impl Values<'_> {
    fn push(&mut self, event: GameEvent) {
        self.records.push(GameRecord::read_from_file(self.number, event));
    }
}

impl Sink for Values<'_> {
    fn game(&mut self, start: &GameStart) {
        self.push(GameEvent::Game(start.clone()));
    }

    fn ply(&mut self, names: &Names, rest: Option<&Move>) {
        self.ply += 1;
        let m = rest.cloned().unwrap_or_default();
        self.push(GameEvent::Move(Box::new(names.name(Move { ply: Some(self.ply), ..m }))));
    }

    fn evaluation(&mut self, score: Score, depth: Option<u32>) {
        self.push(evaluation(self.ply, score, depth));
    }

    fn flaw(&mut self, flaw: Flaw) {
        let anomaly = flaw.anomaly(self.file);
        self.push(GameEvent::Anomaly(anomaly));
    }

    fn end(&mut self, end: End) {
        self.push(GameEvent::End(end));
    }

    fn no_game(&mut self, _: u64, _: &str) {}
}

/// A report to the user about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The line it is about.
    pub line: u64,
    /// The problem there.
    pub problem: String,
    /// Its severity.
    pub kind: ReportKind,
}

/// The consequence of a reported problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// The text was read unchanged, and looks wrong.
    Doubt,
    /// Something was left out, or guessed.
    Bad,
    /// The text there is no game at all.
    NoGame,
}

/// Writes games as lines of JSON, with the same result as serialising the records, with which `from-pgn` would take 3.3
/// times as long (1.8 times for games with many comments).
#[derive(Debug, Default)]
pub struct Json {
    page: Vec<u8>,
    reports: Vec<Report>,
    file: String,
    letters: Letters,
    number: u32,
    ply: u32,
}

impl Json {
    /// Empties the text, for games of this file in this encoding.
    pub fn begin_in(&mut self, file: &str, letters: Letters) {
        self.letters = letters;
        self.begin(file);
    }

    /// Empties the text, for games of this file.
    pub fn begin(&mut self, file: &str) {
        self.page.clear();
        self.reports.clear();
        self.file.clear();
        self.file.push_str(file);
    }

    /// The lines so far.
    pub fn lines(&self) -> &[u8] {
        &self.page
    }

    /// The reports so far, in order.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// The file that the games are of.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Reads a game and writes its records.
    pub fn read(&mut self, game: GameText<'_>, number: u32) {
        (self.number, self.ply) = (number, 0);
        reader::read_in(game, number, self.letters, self);
    }

    fn record(&mut self, event: GameEvent) {
        self.json(&GameRecord::read_from_file(self.number, event));
        self.page.push(b'\n');
    }

    fn json(&mut self, value: &impl serde::Serialize) {
        // Writing to memory does not fail, here and below, and all keys of the records are strings.
        let _ = serde_json::to_writer(&mut self.page, value);
    }

    fn field(&mut self, name: &str, value: Option<&impl serde::Serialize>) {
        if let Some(value) = value {
            self.name(name);
            self.json(value);
        }
    }

    /// The same for words, most of which need no escapes in JSON.
    fn words(&mut self, name: &str, words: Option<&String>) {
        if let Some(words) = words {
            self.name(name);
            self.quoted(words);
        }
    }

    /// The fields of a move after its names.
    fn rest(&mut self, m: &Move) {
        self.field("seconds", m.seconds.as_ref());
        self.field("elapsed", m.elapsed.as_ref());
        self.field("claim", m.claim.as_ref());
        self.field("nags", Some(&m.nags).filter(|nags| !nags.is_empty()));
        self.words("comment_before", m.comment_before.as_ref());
        self.words("comment", m.comment.as_ref());
        self.words("comment_after", m.comment_after.as_ref());
        if !m.variations.is_empty() {
            self.name("variations");
            self.list(&m.variations, |json, variation| json.list(variation, Json::whole));
        }
    }

    /// A move of a variation. Its names are ours, and need no escapes in JSON.
    fn whole(&mut self, m: &Move) {
        let names = [m.san.as_deref().unwrap_or_default(), m.uci.as_deref().unwrap_or_default(), &m.fen];
        for (begin, name) in ["{\"san\":\"", "\",\"uci\":\"", "\",\"fen\":\""].into_iter().zip(names) {
            self.page.extend_from_slice(begin.as_bytes());
            self.page.extend_from_slice(name.as_bytes());
        }
        self.page.push(b'"');
        self.rest(m);
        self.page.push(b'}');
    }

    fn list<T>(&mut self, values: &[T], each: impl Fn(&mut Json, &T)) {
        for (nth, value) in values.iter().enumerate() {
            self.page.push(if nth == 0 { b'[' } else { b',' });
            each(self, value);
        }
        self.page.push(b']');
    }

    /// Words as JSON has them.
    fn quoted(&mut self, words: &str) {
        if all(words.as_bytes(), |byte| (byte >= b' ') & (byte != b'"') & (byte != b'\\')) {
            self.page.push(b'"');
            self.page.extend_from_slice(words.as_bytes());
            self.page.push(b'"');
        } else {
            self.json(&words);
        }
    }

    fn name(&mut self, name: &str) {
        for part in [",\"", name, "\":"] {
            self.page.extend_from_slice(part.as_bytes());
        }
    }
}

impl Sink for Json {
    fn game(&mut self, start: &GameStart) {
        // A game from a file has no turned board and no time zone.
        let GameStart { rules, fen, rotated: _, zone: _, tags, comment } = start;
        let _ = write!(self.page, "{{\"type\":\"game\",\"game\":{}", self.number);
        self.field("rules", Some(rules));
        self.words("fen", Some(fen).filter(|fen| !fen.is_empty()));
        for (nth, (name, value)) in tags.0.iter().enumerate() {
            // A name has no characters that need an escape.
            for part in [if nth == 0 { ",\"tags\":{\"" } else { ",\"" }, name, "\":"] {
                self.page.extend_from_slice(part.as_bytes());
            }
            self.quoted(value);
        }
        if !tags.is_empty() {
            self.page.push(b'}');
        }
        self.words("comment", comment.as_ref());
        self.page.extend_from_slice(b"}\n");
    }

    fn ply(&mut self, names: &Names, rest: Option<&Move>) {
        self.ply += 1;
        names.line().add_to::<192>(&mut self.page);
        if let Some(m) = rest {
            self.page.truncate(self.page.len() - END.len());
            self.rest(m);
            self.page.extend_from_slice(END);
        }
    }

    fn evaluation(&mut self, score: Score, depth: Option<u32>) {
        self.record(evaluation(self.ply, score, depth));
    }

    fn flaw(&mut self, flaw: Flaw) {
        let mut flaw = flaw;
        let problem = std::mem::take(&mut flaw.message);
        let kind = if flaw.kind == AnomalyKind::Unexplained { ReportKind::Doubt } else { ReportKind::Bad };
        self.reports.push(Report { line: flaw.line, problem, kind });
        let anomaly = flaw.anomaly(&self.file);
        self.record(GameEvent::Anomaly(anomaly));
    }

    fn doubt(&mut self, line: u64, problem: String) {
        self.reports.push(Report { line, problem, kind: ReportKind::Doubt });
    }

    fn end(&mut self, end: End) {
        self.record(GameEvent::End(end));
    }

    fn no_game(&mut self, line: u64, begin: &str) {
        let problem = format!("this is no PGN: \"{}\"", begin.escape_debug());
        self.reports.push(Report { line, problem, kind: ReportKind::NoGame });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n{start} 1. e4! {[%clk 0:01:00.5] x [%eval 0.5] \"y\"} \
        (1. d4 $2 {[%emt 0:00:02]} 1... d5 (1... Nf6) {after}) 1... e5 2. {before} Nf3 Nf6 3. -- zz 1-0";

    #[test]
    fn lines_agree_with_serialised_records() {
        let game = GameText { line: 7, text: GAME.as_bytes() };
        let lines: Vec<String> =
            records(game, "a.pgn", 3).iter().map(|record| serde_json::to_string(record).unwrap()).collect();
        let mut json = Json::default();
        json.begin("a.pgn");
        json.read(game, 3);
        assert_eq!(std::str::from_utf8(json.lines()).unwrap().lines().collect::<Vec<_>>(), lines);
        assert_eq!(lines.len(), 1 + 5 + 1 + 1 + 1);
        assert_eq!(lines[2], r#"{"type":"evaluation","game":3,"ply":1,"cp":50}"#);
        assert_eq!(json.reports.len(), 1);
        assert_eq!(
            (json.reports[0].line, &*json.reports[0].problem),
            (9, "game 3: move 3... \"zz\" is no move")
        );
    }
}
