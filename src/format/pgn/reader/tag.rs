//! The tags of a game: names in any capitals, values in any quotes, the first of repeated ones.
//!
//! Circle: the text there is read like all of a game, by [`GameReader`].

use super::GameReader;
use crate::{
    format::{
        pgn::{flaw::unless_quoted, lexer, sink::Sink},
        words::short,
    },
    record::AnomalyKind,
};

/// Tags that are looked up by their names.
const LOOKED_UP: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "SetUp",
    "FEN",
    "Variant",
    "Termination",
    "TimeControl",
];

/// The name of a tag, in any capitals.
fn usual_name(name: &[u8]) -> &[u8] {
    // Nearly all have the usual spelling, with a capital at the beginning of each word; FEN, SetUp and TimeControl have
    // more capitals.
    let is_usual = name.split_first().is_some_and(|(first, rest)| {
        first.is_ascii_uppercase() && !b"FST".contains(first) && rest.iter().all(u8::is_ascii_lowercase)
    });
    if is_usual || !matches!(name.len(), 3..=7 | 11) {
        return name;
    }
    LOOKED_UP
        .iter()
        .find(|usual| name.eq_ignore_ascii_case(usual.as_bytes()))
        .map_or(name, |usual| usual.as_bytes())
}

impl<S: Sink> GameReader<'_, S> {
    pub(super) fn tag(&mut self, at: usize, name: &[u8], value: &[u8]) {
        let unescaped = lexer::unescape(value);
        let value = lexer::decode(&unescaped, self.letters);
        // The lexer accepts only ASCII for a name.
        let name = str::from_utf8(usual_name(name)).unwrap_or_default();
        match self.places.find(&self.start.tags, name) {
            Some(old) if self.start.tags.0[old].1 != value => {
                let problem = format!("a second tag {} \"{}\" is left out", short(name), short(&value));
                self.flaw(at, AnomalyKind::Unreadable, problem, unless_quoted(value.into_owned()));
            }
            Some(_) => {}
            // The position has a field of its own too.
            None if self.room.take(if name == "FEN" {
                2 * value.len()
            } else {
                name.len() + value.len()
            }) =>
            {
                self.start.tags.0.push((name.to_owned(), value.into_owned()));
            }
            None => self.too_long(&format!("in the tag {}", short(name)), at, value.into_owned()),
        }
    }

    /// A tag whose value is in other quotes than plain ones, or in none.
    pub(super) fn loose_tag(&mut self, at: usize, name: &[u8], value: &[u8]) {
        if !std::mem::replace(&mut self.unquoted, true) {
            let (name, value) = (lexer::decode(name, self.letters), lexer::decode(value, self.letters));
            let problem = format!(
                "the value of the tag {}, {}, stands in no plain quotes (\"): it and others are read as they look",
                short(&name),
                short(&value)
            );
            self.doubt(at, &problem);
        }
        self.tag(at, name, value);
    }
}
