//! A ply as in a page: the JSON of its record, which mostly passes without being parsed.

use std::fmt;

use memchr::memmem;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, MapAccess, Visitor},
};

use super::{inert, json};
use crate::{
    format::{
        game::Kept,
        openings::{self, Opening},
        pgn::{QuickPly, fen_in},
    },
    record::{Move, Seconds, Time},
};

/// A ply of a game that is shown.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Ply {
    /// The move's JSON without its braces; empty for a ply without a record.
    fields: Box<[u8]>,
    /// The mover's clock after it.
    pub seconds: Option<Seconds>,
    /// Its doubt.
    pub doubt: Doubt,
}

/// How doubtful a ply is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// It is certain.
    #[default]
    None,
    /// Another move is possible, which concerns only an arbiter: in fast games that is so for nearly every ply.
    Slight,
    /// It is doubtful: it bridges a gap in the data, or another move fits nearly as well.
    Plain,
}

/// Below this certainty a move is slightly doubtful; above it only its own mark shows its probability.
const CERTAIN: f64 = 0.99;
/// Below this certainty it is doubtful for everybody; the script of the pages has the same limit.
const LIKELY: f64 = 0.9;

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

fn doubt(guess: bool, certainty: Option<f64>) -> Doubt {
    match certainty {
        _ if guess => Doubt::Plain,
        Some(certainty) if certainty < LIKELY => Doubt::Plain,
        Some(certainty) if certainty < CERTAIN => Doubt::Slight,
        _ => Doubt::None,
    }
}

impl Kept for Ply {
    fn keep(mut m: Move, time: Option<Time>) -> Ply {
        // For the development of the reconstruction, not for spectators.
        m.explain = None;
        let (seconds, doubt) = (m.seconds, doubt(m.guess, m.certainty));
        let text = match time {
            Some(Time(time)) => json(&Timed { m: &m, time: Some(time) }),
            None => json(&m),
        };
        Ply { fields: text[1..text.len() - 1].into(), seconds, doubt }
    }

    fn is_guess(&self) -> bool {
        self.doubt == Doubt::Plain
    }

    fn opening(&self) -> Option<Opening> {
        openings::of(fen_in(&self.fields))
    }

    fn passed_on(line: &[u8]) -> Option<(u32, u32, Ply)> {
        let rest = line.strip_prefix(b"{\"type\":\"move\",\"game\":")?;
        let fields = &rest[memchr::memchr(b',', rest)? + 1..];
        if !fields.starts_with(b"\"ply\":") || !line.ends_with(b"}") {
            return None;
        }
        let ply: OfFile = serde_json::from_slice(line).ok().filter(|ply: &OfFile| ply.ply > 0)?;
        let fields = inert(fields[..fields.len() - 1].to_vec()).into();
        Some((ply.game, ply.ply, Ply { fields, seconds: ply.seconds, doubt: Doubt::None }))
    }
}

/// The part of a ply's line that is needed. The whole line is checked, because a page shows it unchanged.
#[derive(Default)]
struct OfFile {
    game: u32,
    ply: u32,
    seconds: Option<Seconds>,
}

impl<'de> Deserialize<'de> for OfFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OfFile, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = OfFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<OfFile, M::Error> {
                let (mut ply, mut has_fen) = (OfFile::default(), false);
                while let Some(name) = map.next_key::<&str>()? {
                    match name {
                        "game" => ply.game = map.next_value()?,
                        "ply" => ply.ply = map.next_value()?,
                        "seconds" => ply.seconds = map.next_value()?,
                        "elapsed" => _ = map.next_value::<Option<Seconds>>()?,
                        "fen" => has_fen = map.next_value::<Text>()?.is_something,
                        "type" | "san" | "uci" | "comment" | "comment_before" | "comment_after" => {
                            _ = map.next_value::<Text>()?;
                        }
                        "nags" => _ = map.next_value::<Vec<u8>>()?,
                        "variations" => _ = map.next_value::<Vec<Vec<OfFile>>>()?,
                        other => return Err(M::Error::unknown_field(other, &[])),
                    }
                }
                // A move without its position is reported.
                if has_fen { Ok(ply) } else { Err(M::Error::missing_field("fen")) }
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// A string that is checked and not kept.
struct Text {
    is_something: bool,
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text { is_something: !text.is_empty() })
            }
        }
        deserializer.deserialize_str(Any)
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
        Ply { fields, seconds: quick.seconds, doubt: Doubt::None }
    }
}

impl Ply {
    /// The ply as one line of text, for a file.
    pub fn fields(&self) -> &[u8] {
        &self.fields
    }

    /// The ply in such a line.
    pub fn of_fields(fields: &[u8]) -> Ply {
        let mut ply = Ply { fields: fields.into(), ..Ply::default() };
        if let Some(OnlyKept { seconds, guess, certainty }) = ply.read() {
            (ply.seconds, ply.doubt) = (seconds, doubt(guess, certainty));
        }
        ply
    }

    /// Writes it as a JSON object, as the ply of this number.
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

    /// Its move.
    pub fn to_move(&self) -> Move {
        self.read().unwrap_or_default()
    }

    /// The time of its record.
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
        record::{GameEvent, GameRecord, Record, RecordType, parse, samples::Samples},
    };

    #[test]
    fn passed_plies_equal_the_plies_read() {
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
    fn annotated_plies_are_passed_as_if_parsed() {
        let line = br#"{"type":"move","game":12,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x w","seconds":1.5,"nags":[1,14],"comment":"a \u003c \"b\"\n<","variations":[[{"san":"d4","uci":"d2d4","fen":"y","comment_before":"c"},{"san":"d5","uci":"d7d5","fen":"z"}]]}"#;
        let Ok(Record::Game(record)) = parse(line) else { panic!("a game record") };
        let GameEvent::Move(m) = record.event else { panic!("a move") };
        let (game, number, ply) = Ply::passed_on(line).unwrap();
        assert_eq!((game, number, ply.seconds, ply.doubt), (12, 3, Some(Seconds(1.5)), Doubt::None));
        assert_eq!(ply.to_move(), *m);
        assert_eq!(ply.nags().collect::<Vec<_>>(), [1, 14]);
        assert!(!ply.fields().contains(&b'<'));
    }

    #[test]
    fn odd_lines_are_left_to_the_general_reader() {
        let good = r#"{"type":"move","game":1,"ply":3,"san":"Nf3","uci":"g1f3","fen":"x","comment":"a"}"#;
        assert!(Ply::passed_on(good.as_bytes()).is_some());
        for (good_part, bad) in [
            ("\"fen\":\"x\"", "\"fen\":\"\""),
            ("\"comment\":\"a\"", "\"variations\":[[{\"san\":\"e4\"}]]"),
            ("\"comment\":\"a\"", "\"guess\":true"),
            ("\"comment\":\"a\"", "\"certainty\":0.5"),
            ("\"comment\":\"a\"", "\"comment\":5"),
            ("\"comment\":\"a\"", "\"comment\":\"a"),
            ("\"comment\":\"a\"", "\"nags\":[300]"),
            ("\"ply\":3", "\"ply\":0"),
            ("\"game\"", "\"board\":7,\"game\""),
        ] {
            let bad = good.replace(good_part, bad);
            assert_ne!(bad, good);
            assert!(Ply::passed_on(bad.as_bytes()).is_none(), "{bad}");
        }
    }

    // Fields that only `reconstruct` writes, and those of draughts, which readers of files write with the captured
    // pieces.
    const NOT_OF_FILES: [&str; 8] =
        ["notation", "path", "captured", "guess", "claim", "certainty", "alternatives", "explain"];

    #[test]
    fn all_fields_of_file_moves_are_passed_on() {
        let (fields, _) = Samples::new().of(RecordType::Move);
        assert!(NOT_OF_FILES.iter().all(|name| fields.contains_key(*name)));
        for (name, value) in fields {
            // A move of a variation has no ply.
            let value =
                if name == "variations" { serde_json::json!([[{ "san": "d4", "fen": "y" }]]) } else { value };
            let mut record = serde_json::json!({ "san": "Nf3", "fen": "x", "ply": 3 });
            record[&name] = value;
            let fields = record.as_object().unwrap().clone();
            let rest: Vec<_> = fields.iter().filter(|(name, _)| *name != "ply").collect();
            let rest: String = rest.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
            let line = format!("{{\"type\":\"move\",\"game\":1,\"ply\":{}{rest}}}", record["ply"]);
            let passed = Ply::passed_on(line.as_bytes());
            assert_eq!(passed.is_some(), !NOT_OF_FILES.contains(&&*name), "{line}");
            let Ok(Record::Game(GameRecord { event: GameEvent::Move(m), .. })) = parse(line.as_bytes())
            else {
                panic!("{line}")
            };
            assert!(passed.is_none_or(|(_, _, ply)| ply.to_move() == *m), "{line}");
        }
    }

    #[test]
    fn plies_without_records_are_numbers() {
        let mut text = Vec::new();
        Ply::default().write(&mut text, 7);
        assert_eq!(text, br#"{"ply":7}"#);
    }
}
