//! Bad input: reported with its place and skipped, and counted where reports repeat.

use std::{collections::BTreeMap, fmt};

use super::say;
use crate::error::{Done, Error, Result};

/// Up to this many reports of a kind are shown, the others counted,
const SHOWN: u64 = 10;
/// and up to this many of all kinds.
const SHOWN_IN_ALL: u64 = 200;
/// Reports are cut to this many characters, since quoted input may have any length.
const LONGEST: usize = 1000;

/// Counts and reports bad input: skipped by default, an error with `--strict`. Of reports that differ only in quoted
/// text or numbers the first ten are shown.
#[derive(Debug, Default)]
pub struct Bad {
    strict: bool,
    count: u64,
    /// The number of those that were accepted all the same.
    taken: u64,
    shown: u64,
    /// By their common text.
    kinds: BTreeMap<String, Kind>,
}

/// Reports of a kind.
#[derive(Debug, Default)]
struct Kind {
    count: u64,
    hidden: u64,
    last: String,
}

impl Bad {
    /// With `strict` the first report is an error.
    pub fn new(strict: bool) -> Bad {
        Bad { strict, ..Bad::default() }
    }

    /// Reports a problem at `place` and continues, unless strict.
    pub fn report(&mut self, place: impl fmt::Display, problem: impl fmt::Display) -> Result<()> {
        let problem = shortened(problem.to_string());
        if self.strict {
            return Err(Error::Data(format!("{place}: {problem}")));
        }
        self.count += 1;
        let mut kind = kind(&problem);
        if self.kinds.len() as u64 > SHOWN_IN_ALL && !self.kinds.contains_key(&kind) {
            kind = String::new();
        }
        let kind = self.kinds.entry(kind).or_default();
        kind.count += 1;
        if kind.count <= SHOWN && self.shown < SHOWN_IN_ALL {
            self.shown += 1;
            say(format_args!("{place}: {problem}"));
        } else {
            kind.hidden += 1;
            kind.last = format!("{place}: {problem}");
        }
        Ok(())
    }

    /// Reports a problem at `place` with input that is accepted all the same, unless strict.
    pub fn report_taken(&mut self, place: impl fmt::Display, problem: impl fmt::Display) -> Result<()> {
        self.report(place, problem)?;
        self.taken += 1;
        Ok(())
    }

    /// The number of reports.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the last lines and returns the result: `what` is the name of the things counted, in the singular
    /// ("record").
    pub fn done(&self, what: &str) -> Done {
        if self.count == 0 {
            return Done::Yes;
        }
        for Kind { hidden, last, .. } in self.kinds.values().filter(|kind| kind.hidden > 0) {
            let (them, are) = if *hidden == 1 { ("1", "is") } else { (&*hidden.to_string(), "are") };
            say(format_args!("{them} more of these {are} not shown, the last: {last}"));
        }
        match self.count - self.taken {
            0 => {}
            1 => say(format_args!("1 bad {what} skipped")),
            skipped => say(format_args!("{skipped} bad {what}s skipped")),
        }
        Done::BadData
    }
}

fn shortened(mut problem: String) -> String {
    if let Some((end, _)) = problem.char_indices().nth(LONGEST) {
        problem.truncate(end);
        problem.push('…');
    }
    problem
}

/// The common text of reports of one kind, without numbers and quoted text.
fn kind(problem: &str) -> String {
    let mut kind = String::new();
    let mut quoted: Option<char> = None;
    for c in problem.chars() {
        match quoted {
            Some(end) if c == end => quoted = None,
            Some(_) => {}
            None if c == '`' || c == '"' => quoted = Some(c),
            None if c.is_ascii_digit() => {}
            None => kind.push(c),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_differing_in_numbers_are_one_kind() {
        assert_eq!(kind("`e9` is not a square at column 3"), kind("`z` is not a square at column 17"));
        assert_eq!(kind("\"a b\" cannot be a name"), kind("\"\" cannot be a name"));
        assert_ne!(kind("missing field `piece`"), kind("unknown field `piece`"));
    }

    #[test]
    fn ten_reports_of_a_kind_are_shown() {
        let mut bad = Bad::new(false);
        for line in 0..1000 {
            bad.report(line, "not a record").unwrap();
            bad.report(line, "x".repeat(line)).unwrap();
        }
        assert_eq!((bad.count, bad.kinds["not a record"].hidden), (2000, 990));
        assert!(bad.shown <= SHOWN_IN_ALL && bad.kinds.len() as u64 <= SHOWN_IN_ALL + 2);
        assert_eq!(bad.kinds.values().map(|kind| kind.hidden).sum::<u64>() + bad.shown, 2000);
    }
}
