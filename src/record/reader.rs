//! Reads a line of JSON as a record, or only what a transport needs of it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::{
    Stream, VERSION,
    board::BoardRecord,
    by_line::ByLine,
    json::{self, BadRecord, Record},
    quick,
    table::{Layer, RecordType},
    value::Time,
};

/// Reads one line.
pub fn parse(line: &[u8]) -> Result<Record, BadRecord> {
    match quick::read(line, |name| RecordType::of(name)?.shape()) {
        Some(record) => Ok(Record::Board(record)),
        None => parse_any(line),
    }
}

/// The same, in any form of JSON.
fn parse_any(line: &[u8]) -> Result<Record, BadRecord> {
    match RecordType::of(&json::type_of(line)?) {
        Some(known) => known.read(line),
        None => json::passed_over(line),
    }
}

/// The parts of a record that a transport needs, whatever its other fields.
#[derive(Debug)]
pub struct Label<'a> {
    /// The layer of the record; [`Layer::Either`] for a type that this version does not recognise.
    pub layer: Layer,
    /// The name of the run that it begins, empty for none; only a stream has one.
    pub run: Option<String>,
    /// The name of its line.
    pub line: Option<Cow<'a, str>>,
    /// Its number in its run.
    pub seq: Option<u64>,
}

/// Reads the parts of a line that a transport needs. Whether a record is complete is checked by its readers.
pub fn label(line: &[u8]) -> Result<Label<'_>, BadRecord> {
    let known = RecordType::of(&json::type_of(line)?);
    let run = match known {
        Some(RecordType::Stream) => Some(json::stream(line)?.run),
        _ => None,
    };
    let (line, seq) = json::line_and_seq(line)?;
    Ok(Label { layer: known.map_or(Layer::Either, RecordType::layer), run, line, seq })
}

/// Recognises records that it has seen, by line, run and `seq`, so that a journal printed twice or a transport that
/// delivers at least once does no harm. Memory is bounded by the number of runs and of gaps in their numbers.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The index in `seen` of each run of each line.
    runs: HashMap<(Option<Arc<str>>, String), usize>,
    /// The current run of each line.
    now: ByLine<usize>,
    seen: Vec<Numbers>,
    mixed: bool,
}

impl Seen {
    /// A source begins; the following records of its line belong to its run.
    pub fn stream(&mut self, stream: &Stream) {
        let fresh = self.seen.len();
        let at = *self.runs.entry((stream.line.clone(), stream.run.clone())).or_insert(fresh);
        if at == fresh {
            self.seen.push(Numbers::default());
        }
        let line = self.now.number(&stream.line, || at);
        self.now[line] = at;
    }

    /// Whether this record came before. A record without `seq` never did, nor one with a later time than all before:
    /// then two sources number their records in one stream.
    pub fn again(&mut self, record: &BoardRecord) -> bool {
        let Some(seq) = record.seq else { return false };
        if self.now.find(&record.line).is_none() {
            self.stream(&Stream {
                records: VERSION,
                program: String::new(),
                run: String::new(),
                line: record.line.clone(),
                zone: None,
            });
        }
        let Some(line) = self.now.find(&record.line) else { return false };
        let numbers = &mut self.seen[self.now[line]];
        let younger = record.time > numbers.latest;
        numbers.latest = numbers.latest.max(record.time);
        if numbers.insert(seq) {
            return false;
        }
        self.mixed |= younger;
        !younger
    }

    /// Whether a record had the number of an older one.
    pub fn is_mixed(&self) -> bool {
        self.mixed
    }
}

/// A set of numbers that come mostly in order: disjoint, closed ranges, by their beginnings.
#[derive(Debug, Clone, Default)]
struct Numbers {
    ranges: BTreeMap<u64, u64>,
    /// The latest time of a record.
    latest: Option<Time>,
}

impl Numbers {
    /// Adds a number; returns false when it was there.
    fn insert(&mut self, n: u64) -> bool {
        let before = self.ranges.range_mut(..=n).next_back();
        let before = before.map(|(&from, to)| (from, to));
        let next = n.checked_add(1);
        let begin = match before {
            Some((_, to)) if n <= *to => return false,
            Some((from, to)) if *to + 1 == n => {
                *to = n;
                from
            }
            _ => {
                self.ranges.insert(n, n);
                n
            }
        };
        if let Some(end) = next.and_then(|next| self.ranges.remove(&next)) {
            self.ranges.insert(begin, end);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{BoardEvent, GameEvent, Takeback, TakebackReason};

    fn error(line: &str) -> String {
        parse(line.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn the_contracts_example_reads_and_writes() {
        let lines = [
            r#"{"type":"position","time":"2026-11-21T10:00:00.000Z","board":1025,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","seq":1}"#,
            r#"{"type":"mark","time":"2026-11-21T10:00:00.000Z","board":1025,"mark":"begin","seq":2}"#,
            r#"{"type":"change","time":"2026-11-21T10:00:07.412Z","board":1025,"square":"e2","piece":null,"seq":3}"#,
            r#"{"type":"change","time":"2026-11-21T10:00:07.412Z","board":1025,"square":"e4","piece":"P","seq":4}"#,
            r#"{"type":"press","time":"2026-11-21T10:00:09.401Z","board":1025,"side":"left","seconds":5393,"seq":5}"#,
            r#"{"type":"quiet","board":1025}"#,
            r#"{"type":"clock","board":3,"connected":true,"left":{"seconds":5399,"flag":false},"right":{"seconds":0.5,"flag":true},"running":true,"turn":"left","low_battery":false}"#,
            r#"{"type":"end","board":1025,"game":1,"result":"*","reason":"input-end"}"#,
            r#"{"type":"takeback","line":"hall-2","board":1025,"game":1,"ply":3}"#,
            r#"{"type":"takeback","board":1025,"game":1,"ply":3,"reason":"looked-at"}"#,
        ];
        for line in lines {
            let written = match parse(line.as_bytes()).unwrap() {
                Record::Board(record) => serde_json::to_string(&record).unwrap(),
                Record::Game(record) => serde_json::to_string(&record).unwrap(),
                other => panic!("{other:?}"),
            };
            assert_eq!(written, line);
        }
    }

    #[test]
    fn a_takeback_with_an_unknown_reason_is_read() {
        let line = br#"{"type":"takeback","board":1025,"game":1,"ply":3,"reason":"by-the-clock"}"#;
        let Ok(Record::Game(record)) = parse(line) else { panic!("not read") };
        assert_eq!(record.event, GameEvent::Takeback(Takeback::to(3, TakebackReason::Other)));
    }

    #[test]
    fn reading_by_shape_agrees_with_parsing() {
        let lines = [
            r#"{"type":"change","time":"2026-11-21T10:00:07.412Z","line":"hall-1","board":1025,"square":"e2","piece":null,"seq":3}"#,
            r#"{"type":"change","time":"2024-02-29T23:59:59.999Z","board":1025,"square":"h8","piece":"P","quick":true,"seq":10}"#,
            r#"{"type":"change","square":"a1","piece":"1/2-1/2","quick":false}"#,
            r#"{"type":"press","time":"1999-12-31T10:00:09.001Z","board":9,"side":"left","seconds":5393,"seq":5}"#,
            r#"{"type":"quiet","time":"2100-03-01T00:00:00.000Z","board":65535}"#,
            r#"{"type":"clock","board":3,"connected":true,"left":{"seconds":5399,"flag":false},"right":{"seconds":0,"flag":true},"running":true,"turn":"left","low_battery":false}"#,
            r#"{"type":"clock","board":3,"connected":false}"#,
            r#"{"type":"press","line":"B","board":9,"side":"right","seconds":59.999999999999,"seq":5}"#,
            r#"{"type":"answers","board":1025,"asked":30,"missed":0,"spoilt":1,"median_seconds":0.003,"worst_seconds":1.25,"line_seconds":0.39,"seconds":60}"#,
        ];
        let read = |line: &[u8]| quick::read(line, |name| RecordType::of(name)?.shape()).map(Record::Board);
        for line in lines {
            let whole = parse_any(line.as_bytes()).unwrap();
            assert_eq!(read(line.as_bytes()).as_ref(), Some(&whole), "{line}");
            assert_eq!(read(format!("{line}\n").as_bytes()), Some(whole), "{line}");
            // A line with an error, or with other content, is not read: each byte is changed, removed or doubled.
            for at in 0..line.len() {
                let bytes = line.as_bytes();
                let other = |with: &[u8]| [&bytes[..at], with, &bytes[at + 1..]].concat();
                let mut spoilt: Vec<Vec<u8>> =
                    b"0123456789:.-+eEZtnaPx\"\\ ,{}\n\x0c\xc3".iter().map(|&byte| other(&[byte])).collect();
                spoilt.extend([other(b""), other(&[bytes[at]; 2]), bytes[..at].to_vec()]);
                for line in spoilt {
                    if let Some(record) = read(&line) {
                        let text = String::from_utf8_lossy(&line);
                        assert_eq!(parse_any(&line).ok(), Some(record), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn quick_times_agree_with_parsed_times() {
        let jiff =
            |text: &str| text.parse::<jiff::Timestamp>().ok().map(|stamp| Time(stamp.as_millisecond()));
        for year in [1970, 1971, 1972, 1999, 2000, 2023, 2024, 2026, 2100, 2400, 9998] {
            for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
                let text = format!("{year}-{month:02}-{day:02}T23:59:58.765Z");
                assert_eq!(Time::of_text(text.as_bytes()), jiff(&text), "{text}");
            }
        }
        for text in ["2026-11-21T24:00:00.000Z", "2026-11-21T10:60:00.000Z", "2026-11-21T10:00:61.000Z"] {
            assert_eq!(Time::of_text(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn quick_times_agree_with_formatted_times() {
        let jiff = |time: i64| format!("{:.3}", jiff::Timestamp::from_millisecond(time).unwrap());
        let day = 86_400_000;
        // Days of 400 years, the first and the last millisecond of each, and years of more digits and of fewer.
        let days = (-146_097 / 2..146_097 / 2)
            .step_by(11)
            .chain([-800_000, -719_529, -360_000, -354_285, 2_932_000]);
        for time in days.flat_map(|n| [n * day, n * day + 45_296_789, (n + 1) * day - 1]) {
            assert_eq!(Time(time).to_string(), jiff(time));
        }
        assert_eq!(Time(i64::MIN).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Time(i64::MAX).to_string(), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn an_error_names_the_field() {
        assert!(error(r#"{"type":"change","square":"e2"}"#).contains("missing field `piece`"));
        assert!(error(r#"{"type":"change","square":"e9","piece":null}"#).contains("`e9` is not a square"));
        assert!(error(r#"{"type":"move","game":1,"san":"e4"}"#).contains("missing field `ply`"));
        assert!(error(r#"{"type":"move","ply":1,"san":"e4"}"#).contains("missing field `game`"));
        assert!(error(r#"{"board":1}"#).contains("missing field `type`"));
        assert!(error(r#"{"type":"quiet","board":3,"board":4}"#).contains("duplicate field `board`"));
        assert!(error(r#"{"type":"quiet","type":"quiet"}"#).contains("duplicate field `type`"));
        assert!(error(r#"["quiet"]"#).contains("expected an object with a type"));
        assert!(error("e2e4").contains("not a record"));
        assert!(error(r#"{"type":"stream","records":2}"#).contains("version 2"));
    }

    #[test]
    fn unknown_types_and_fields_are_ignored() {
        assert_eq!(parse(br#"{"type":"battery","board":1,"percent":3}"#).unwrap(), Record::Other);
        assert!(matches!(parse(br#"{"type":"quiet","mood":"good"}"#).unwrap(), Record::Board(_)));
        let stream =
            Stream { records: 1, program: String::new(), run: String::new(), line: None, zone: None };
        assert_eq!(parse(br#"{"type":"stream"}"#).unwrap(), Record::Stream(stream));
    }

    #[test]
    fn the_type_may_be_anywhere_in_any_form() {
        let quiet = BoardRecord::new(None, Some(3), BoardEvent::Quiet {});
        for line in [r#"{"board":3,"type":"quiet"}"#, r#"{ "type" : "qui\u0065t", "board":3}"#] {
            assert_eq!(parse(line.as_bytes()).unwrap(), Record::Board(quiet.clone()), "{line}");
        }
    }

    #[test]
    fn repeated_records_are_recognised_by_line_run_and_seq() {
        let stream = |run: &str| Stream {
            records: 1,
            program: String::new(),
            run: run.into(),
            line: None,
            zone: None,
        };
        let record =
            |seq| BoardRecord { time: None, line: None, board: Some(1), seq, event: BoardEvent::Quiet {} };
        let mut seen = Seen::default();
        seen.stream(&stream("a"));
        assert!(![1, 2, 4, 3].map(|n| seen.again(&record(Some(n)))).contains(&true));
        assert!([3, 1, 4, 2].map(|n| seen.again(&record(Some(n)))).iter().all(|&again| again));
        assert!(!seen.again(&record(None)) && !seen.again(&record(None)));
        seen.stream(&stream("b"));
        assert!(!seen.again(&record(Some(1))));
        seen.stream(&stream("a"));
        assert!(seen.again(&record(Some(1))) && !seen.again(&record(Some(5))));
    }

    #[test]
    fn sequence_numbers_in_any_order_cost_the_same() {
        let quiet = |seq, time| BoardRecord {
            seq: Some(seq),
            ..BoardRecord::new(Some(Time(time)), Some(1), BoardEvent::Quiet {})
        };
        let mut seen = Seen::default();
        // Every other number downwards: each is a range of its own, and each new one would move all others.
        let numbers = || (0..400_000u64).rev().map(|n| 2 * n);
        assert!(numbers().all(|n| !seen.again(&quiet(n, 0))));
        assert!(numbers().all(|n| seen.again(&quiet(n, 0))));
        assert!(numbers().all(|n| !seen.again(&quiet(n + 1, 0))));
        assert_eq!(seen.seen[0].ranges.len(), 1);
        assert!(!seen.again(&quiet(u64::MAX, 0)) && seen.again(&quiet(u64::MAX, 0)));
    }

    #[test]
    fn two_numbering_sources_in_one_stream_are_read() {
        let quiet = |seq, time| BoardRecord {
            seq: Some(seq),
            ..BoardRecord::new(Some(Time(time)), Some(1), BoardEvent::Quiet {})
        };
        let mut seen = Seen::default();
        assert!(
            ![(1, 10), (2, 20), (1, 30), (2, 40)]
                .map(|(seq, time)| seen.again(&quiet(seq, time)))
                .contains(&true)
        );
        assert!(seen.is_mixed() && seen.again(&quiet(2, 20)));
    }
}
