//! What becomes of a pairing program's file.

use std::collections::BTreeSet;

/// A file with results, and which were left out of it, each in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// What the pairing program takes.
    pub text: String,
    /// What a person has to type, or to look at.
    pub left: Vec<String>,
    /// The tables that have a result in it.
    pub has: BTreeSet<u16>,
}

/// The lines of a text with their ends, which are LF, CR LF or CR as for whoever reads pairings.
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
