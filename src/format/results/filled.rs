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
