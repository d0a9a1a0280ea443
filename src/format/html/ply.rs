//! A ply as a page gets it: its record's own JSON, so that what is only passed on is not understood on the way.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::{inert, json};
use crate::{
    format::{game::Kept, pgn::QuickPly},
    record::{Move, Seconds, Time},
};

/// A ply of a game that is shown.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Ply {
    /// The move's JSON without its braces; empty for a ply that no record told.
    fields: Box<[u8]>,
    /// The mover's clock after it.
    pub seconds: Option<Seconds>,
    /// Nobody should take it for certain: a gap in the data was bridged, or another move fits nearly as well.
    pub doubt: bool,
}

/// Below this certainty a move is doubtful; above it only its own mark says how likely it is.
const CERTAIN: f64 = 0.99;

#[derive(Serialize)]
struct Timed<'a> {
    #[serde(flatten)]
    m: &'a Move,
    /// Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
}

#[derive(Deserialize)]
struct OnlyTime {
    time: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OnlyKept {
    seconds: Option<Seconds>,
    guess: bool,
    certainty: Option<f64>,
}

fn is_doubtful(guess: bool, certainty: Option<f64>) -> bool {
    guess || certainty.is_some_and(|certainty| certainty < CERTAIN)
}

impl Kept for Ply {
    fn keep(mut m: Move, time: Option<Time>) -> Ply {
        // For whoever improves the reconstruction, not for spectators.
        m.explain = None;
        let (seconds, doubt) = (m.seconds, is_doubtful(m.guess, m.certainty));
        let text = match time {
            Some(Time(time)) => json(&Timed { m: &m, time: Some(time) }),
            None => json(&m),
        };
        Ply { fields: text[1..text.len() - 1].into(), seconds, doubt }
    }

    fn is_guess(&self) -> bool {
        self.doubt
    }
}

impl From<QuickPly<'_>> for Ply {
    fn from(quick: QuickPly<'_>) -> Ply {
        let fields = &quick.fields[..quick.fields.len() - 1];
        let fields = if memchr::memchr(b'<', fields).is_none() {
            fields.into()
        } else {
            inert(fields.to_vec()).into()
        };
        Ply { fields, seconds: quick.seconds, doubt: false }
    }
}

impl Ply {
    /// What it is made of, as one line of text.
    pub fn fields(&self) -> &[u8] {
        &self.fields
    }

    /// The ply that is made of this.
    pub fn of_fields(fields: &[u8]) -> Ply {
        let mut ply = Ply { fields: fields.into(), ..Ply::default() };
        if let Some(OnlyKept { seconds, guess, certainty }) = ply.read() {
            (ply.seconds, ply.doubt) = (seconds, is_doubtful(guess, certainty));
        }
        ply
    }

    /// Writes it as the object it is, as the ply of this number.
    pub fn write(&self, out: &mut Vec<u8>, number: usize) {
        out.push(b'{');
        if self.fields.is_empty() {
            out.extend_from_slice(format!("\"ply\":{number}").as_bytes());
        }
        out.extend_from_slice(&self.fields);
        out.push(b'}');
    }

    /// PGN's numeric annotation glyphs at it and in its variations.
    pub fn nags(&self) -> impl Iterator<Item = u8> {
        // Within a string the quotes would be escaped.
        const NAME: &[u8] = b"\"nags\":[";
        let lists = memmem::find_iter(&self.fields, NAME).map(|at| &self.fields[at + NAME.len()..]);
        let numbers = |list: &'_ [u8]| {
            let end = memchr::memchr(b']', list).unwrap_or(0);
            let text = String::from_utf8_lossy(&list[..end]).into_owned();
            text.split(',').filter_map(|number| number.parse().ok()).collect::<Vec<u8>>()
        };
        lists.flat_map(numbers)
    }

    /// The move it is made of.
    pub fn to_move(&self) -> Move {
        self.read().unwrap_or_default()
    }

    /// When its record came.
    pub fn time(&self) -> Option<Time> {
        self.read::<OnlyTime>()?.time.map(Time)
    }

    fn read<T: for<'de> Deserialize<'de>>(&self) -> Option<T> {
        let mut text = Vec::with_capacity(self.fields.len() + 2);
        self.write(&mut text, 0);
        serde_json::from_slice(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        format::pgn,
        record::{GameEvent, Record, parse},
    };

    #[test]
    fn a_ply_that_is_passed_on_is_the_ply_that_was_read() {
        let line = br#"{"type":"move","game":12,"ply":3,"san":"N<3","uci":"g1f3","fen":"x w","seconds":59}"#;
        let Ok(Record::Game(record)) = parse(line) else { panic!("a game record") };
        let GameEvent::Move(m) = record.event else { panic!("a move") };
        let passed = Ply::from(pgn::quick(line).unwrap());
        assert_eq!(passed, Ply::keep(*m.clone(), None));
        assert_eq!(passed.to_move(), *m);
        assert_eq!(passed.time(), None);
        assert_eq!(Ply::keep(*m, Some(Time(5))).time(), Some(Time(5)));
    }

    #[test]
    fn a_ply_that_nobody_told_is_a_number() {
        let mut text = Vec::new();
        Ply::default().write(&mut text, 7);
        assert_eq!(text, br#"{"ply":7}"#);
    }
}
