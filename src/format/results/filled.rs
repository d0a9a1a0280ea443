//! The result of filling a pairing program's file.

use std::collections::BTreeSet;

/// A file with results, and those that were left out of it, each in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// The text for the pairing program.
    pub text: String,
    /// The results that a person has to type or to check.
    pub left: Vec<String>,
    /// The tables that have a result in it.
    pub has: BTreeSet<u16>,
}

/// The lines of a text with their ends, LF, CR LF or CR, as in reading pairings.
pub(super) fn whole_lines(text: &str) -> Vec<&str> {
    let (mut lines, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(['\r', '\n']) {
        let end = at + if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        let (line, behind) = rest.split_at(end);
        lines.push(line);
        rest = behind;
    }
    lines.extend((!rest.is_empty()).then_some(rest));
    lines
}
