//! The table of records: each type by its name, with its layer and the way to read a line of it. To add a type, add a
//! row.
//!
//! From it follow parsing, reading by shape, the label for a transport, the names under which records are written, and
//! the schema; [`Layer`] decides on which subject `publish` sends a record. A row of a board or a game stands for the
//! variant of [`BoardEvent`] or [`GameEvent`] of the same name: each needs the other.

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::IgnoredAny;

#[cfg(test)]
use super::{Stream, delivery::Delivery, finding::Finding};
use super::{
    board::{BoardEvent, BoardRecord},
    game::{GameEvent, GameRecord},
    json::{self, BadRecord, Record},
    quick::Shape,
    quick_write::{self, Writer},
};

/// The layer of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// Board records.
    Board,
    /// Game records.
    Game,
    /// Records that may be in either layer, and belong to that of their run.
    Either,
    /// Records about the stream itself, or about a board's health.
    Neither,
}

macro_rules! records {
    (
        boards { $($board:ident $board_name:literal, $board_event:expr, $shape:expr, $board_writer:expr;)* }
        games { $($game:ident $game_name:literal, $layer:ident, $game_event:expr, $game_writer:expr;)* }
        others { $($other:ident $other_name:literal, $of:ty, $read:expr;)* }
    ) => {
        /// The types of records.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum RecordType {
            $(#[doc = concat!("`", $board_name, "`, of the layer of boards.")] $board,)*
            $(#[doc = concat!("`", $game_name, "`, of the layer of games.")] $game,)*
            $(#[doc = concat!("`", $other_name, "`, of neither layer.")] $other,)*
        }

        impl RecordType {
            /// All types, in the order of the table.
            #[cfg(test)]
            pub(super) const ALL: &[RecordType] =
                &[$(RecordType::$board,)* $(RecordType::$game,)* $(RecordType::$other,)*];

            /// The type of this name; none for one that this version does not recognise.
            pub fn of(name: &str) -> Option<RecordType> {
                match name {
                    $($board_name => Some(RecordType::$board),)*
                    $($game_name => Some(RecordType::$game),)*
                    $($other_name => Some(RecordType::$other),)*
                    _ => None,
                }
            }

            /// Its name, the `type` of its records.
            pub fn name(self) -> &'static str {
                match self {
                    $(RecordType::$board => $board_name,)*
                    $(RecordType::$game => $game_name,)*
                    $(RecordType::$other => $other_name,)*
                }
            }

            /// The layer of its records.
            pub fn layer(self) -> Layer {
                match self {
                    $(RecordType::$board => Layer::Board,)*
                    $(RecordType::$game => Layer::$layer,)*
                    $(RecordType::$other => Layer::Neither,)*
                }
            }

            /// Reads a line of this type, in any form of JSON.
            pub(super) fn read(self, line: &[u8]) -> Result<Record, BadRecord> {
                match self {
                    $(RecordType::$board => json::board(line, $board_event),)*
                    $(RecordType::$game => json::game(line, $game_event),)*
                    $(RecordType::$other => $read(line),)*
                }
            }

            /// Reads the fields of a line as this program writes it; none where such lines are rare.
            pub(super) fn shape(self) -> Option<Shape> {
                match self {
                    $(RecordType::$board => $shape,)*
                    _ => None,
                }
            }

            /// Writes a board record faster than serialising does; none where such records are rare.
            pub(super) fn board_writer(self) -> Option<Writer<BoardRecord>> {
                match self {
                    $(RecordType::$board => $board_writer,)*
                    _ => None,
                }
            }

            /// The same for a game record.
            pub(super) fn game_writer(self) -> Option<Writer<GameRecord>> {
                match self {
                    $(RecordType::$game => $game_writer,)*
                    _ => None,
                }
            }
        }

        impl BoardEvent {
            /// The type of its record.
            pub fn record_type(&self) -> RecordType {
                match self { $(BoardEvent::$board { .. } => RecordType::$board,)* }
            }
        }

        impl GameEvent {
            /// The type of its record.
            pub fn record_type(&self) -> RecordType {
                match self { $(GameEvent::$game { .. } => RecordType::$game,)* }
            }
        }

        /// The schemas of the types of neither layer.
        #[cfg(test)]
        pub(super) fn schemas_of_others(generator: &mut SchemaGenerator) -> Vec<(RecordType, Schema)> {
            vec![$((RecordType::$other, <$of>::json_schema(generator)),)*]
        }
    };
}

records! {
    // Type, its event, how a line of its usual shape is read, and how it is written quickly.
    boards {
        Change "change", BoardEvent::Change, Some(|rest| rest.change()), Some(quick_write::change);
        Press "press", BoardEvent::Press, Some(|rest| rest.press()), None;
        Clock "clock", BoardEvent::Clock, Some(|rest| rest.clock()), None;
        Quiet "quiet", |_: IgnoredAny| BoardEvent::Quiet {}, Some(|rest| rest.quiet()), None;
        Answers "answers", BoardEvent::Answers, Some(|rest| rest.answers()), None;
        Board "board", BoardEvent::Board, None, None;
        Position "position", BoardEvent::Position, None, None;
        Mark "mark", BoardEvent::Mark, None, None;
        History "history", BoardEvent::History, None, None;
        Lost "lost", BoardEvent::Lost, None, None;
        Found "found", BoardEvent::Found, None, None;
        Fault "fault", BoardEvent::Fault, None, None;
        Calibration "calibration", BoardEvent::Calibration, None, None;
        Readings "readings", BoardEvent::Readings, None, None;
    }
    // Type, layer, its event, and how it is written quickly.
    games {
        Game "game", Game, GameEvent::Game, None;
        Move "move", Game, GameEvent::Move, Some(quick_write::mv);
        Takeback "takeback", Game, GameEvent::Takeback, None;
        Anomaly "anomaly", Game, GameEvent::Anomaly, None;
        End "end", Game, GameEvent::End, None;
        Evaluation "evaluation", Game, |evaluation| GameEvent::Evaluation(Box::new(evaluation)), None;
        // Arbiters add it to journals of boards, and `reconstruct` repeats it among the games.
        Ruling "ruling", Either, |ruling| GameEvent::Ruling(Box::new(ruling)), None;
    }
    // Type, what it is, and how it is read.
    others {
        Stream "stream", Stream, |line| json::stream(line).map(Record::Stream);
        Delivery "delivery", Delivery, json::passed_over;
        Finding "finding", Finding, json::passed_over;
    }
}

impl BoardEvent {
    /// The record's `type`.
    pub fn kind(&self) -> &'static str {
        self.record_type().name()
    }
}

impl GameEvent {
    /// The record's `type`.
    pub fn kind(&self) -> &'static str {
        self.record_type().name()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::record::{
        label, parse, quick,
        samples::{Fields, Samples},
    };

    /// A line of a type with these fields, as our sources write it except for the order of the fields.
    fn line(of: RecordType, fields: &Fields) -> String {
        let mut record =
            json!({ "type": of.name(), "time": "2026-11-21T10:00:07.412Z", "line": "hall-1", "board": 9 });
        if of.layer() != Layer::Board {
            record["game"] = json!(1);
        }
        record["seq"] = json!(3);
        record.as_object_mut().unwrap().extend(fields.clone());
        record.to_string()
    }

    /// The line parsed and serialised again; none where it is refused, or is of a type that readers skip.
    fn written(line: &str) -> Option<Value> {
        let text = match parse(line.as_bytes()).ok()? {
            Record::Board(record) => serde_json::to_string(&record),
            Record::Game(record) => serde_json::to_string(&record),
            Record::Stream(stream) => serde_json::to_string(&stream),
            Record::Other => return None,
        };
        serde_json::from_str(&text.ok()?).ok()
    }

    #[test]
    fn the_schema_has_the_types_of_the_table() {
        let mut of_schema = Samples::new().types();
        let mut of_table: Vec<_> = RecordType::ALL.iter().map(|of| of.name().to_owned()).collect();
        of_schema.sort();
        of_table.sort();
        assert_eq!(of_table, of_schema);
    }

    #[test]
    fn each_field_of_the_schema_is_read_and_written() {
        let samples = Samples::new();
        let company = |name: &str, value: Value| Fields::from_iter([(name.to_owned(), value)]);
        // A ruling has one subject, a game begins with a position, and an evaluation has one score.
        let companies = [
            Fields::new(),
            company("withdraw", json!(true)),
            company("result", json!("0-0")),
            company("ply", json!(7)),
            company("cp", json!(7)),
            company("fen", json!("8/8/8/8/8/8/8/K1k5 w - - 0 1")),
        ];
        let mut read = 0;
        for &of in
            RecordType::ALL.iter().filter(|of| **of != RecordType::Delivery && **of != RecordType::Finding)
        {
            let (all, needed) = samples.of(of);
            for (name, value) in all {
                let is_kept = companies.iter().any(|company| {
                    let mut fields = needed.clone();
                    fields.extend(company.clone());
                    fields.insert(name.clone(), value.clone());
                    written(&line(of, &fields)).is_some_and(|record| record[&name] == value)
                });
                assert!(is_kept, "{name} of {of:?}: {value}");
                read += 1;
            }
        }
        assert!(read > 60, "{read} fields");
    }

    #[test]
    fn shapes_read_all_and_fewest_fields() {
        let samples = Samples::new();
        for &of in RecordType::ALL {
            let Some(shape) = of.shape() else { continue };
            let (all, needed) = samples.of(of);
            for fields in [all, needed] {
                let whole = of.read(line(of, &fields).as_bytes()).unwrap();
                let Record::Board(record) = &whole else { panic!("{of:?}") };
                let usual = serde_json::to_string(record).unwrap();
                let read = quick::read(usual.as_bytes(), |name| (name == of.name()).then_some(shape));
                assert_eq!(read.as_ref(), Some(record), "{usual}");
                assert!(fields.keys().all(|name| usual.contains(&format!("\"{name}\":"))), "{usual}");
            }
        }
    }

    #[test]
    fn quick_writers_write_all_and_fewest_fields() {
        let samples = Samples::new();
        let mut quick = 0;
        for &of in RecordType::ALL {
            let Some(write) = of.board_writer() else { continue };
            let (all, needed) = samples.of(of);
            for fields in [all, needed] {
                let Record::Board(record) = of.read(line(of, &fields).as_bytes()).unwrap() else {
                    panic!("{of:?}")
                };
                let nameless =
                    BoardRecord { time: None, line: None, board: None, seq: None, ..record.clone() };
                for record in [record, nameless] {
                    let mut written = Vec::new();
                    assert!(write(&record, &mut written).is_some(), "{record:?}");
                    assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&record).unwrap());
                    quick += 1;
                }
            }
        }
        assert!(quick > 0);
    }

    #[test]
    fn a_transport_reads_the_layer_of_each_type() {
        for (text, layer, run) in [
            (r#"{"type":"change","line":"a","seq":1}"#, Layer::Board, None),
            (r#"{"type":"takeback","line":"a","seq":1}"#, Layer::Game, None),
            (r#"{"type":"ruling","line":"a","seq":1}"#, Layer::Either, None),
            (r#"{"type":"battery","line":"a","seq":1}"#, Layer::Either, None),
            (r#"{"type":"delivery","line":"a","seq":1}"#, Layer::Neither, None),
            (r#"{"type":"stream","line":"a","seq":1,"run":"r-games"}"#, Layer::Neither, Some("r-games")),
        ] {
            let label = label(text.as_bytes()).unwrap();
            assert_eq!((label.layer, label.run.as_deref()), (layer, run), "{text}");
            assert_eq!((label.line.as_deref(), label.seq), (Some("a"), Some(1)), "{text}");
        }
    }
}
