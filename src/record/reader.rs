//! A line of JSON to a record, with an error that says which field is wrong.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fmt,
    marker::PhantomData,
    sync::Arc,
};

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor,
        value::{CowStrDeserializer, MapAccessDeserializer},
    },
};

use super::{
    Stream, VERSION,
    board::{BoardEvent, BoardRecord},
    by_line::ByLine,
    game::{GameEvent, GameRecord},
    quick,
    value::{Text, Time},
};

/// A record of either layer.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A source begins.
    Stream(Stream),
    /// What a board reported.
    Board(BoardRecord),
    /// What was played.
    Game(GameRecord),
    /// A type that this version does not know, to be ignored.
    Other,
}

/// Why a line is no record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// It is not JSON, or a field is missing or wrong.
    #[error("not a record: {}", without_line(.0))]
    Json(#[from] serde_json::Error),
    /// The stream follows a later contract: going on would misread it.
    #[error("records of version {0}, this program knows {VERSION}: use a newer boardbus")]
    Version(u32),
}

/// The error of a line that is the only one its parser saw: the number of that line would mislead.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// What a record is.
#[derive(Deserialize)]
#[serde(expecting = "an object with a type")]
struct Kind<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

impl Kind<'_> {
    /// The kind of a record. Ours begin with it; elsewhere it may stand anywhere.
    fn of(line: &[u8]) -> Result<Cow<'_, str>, serde_json::Error> {
        let first = line.strip_prefix(br#"{"type":""#).and_then(|rest| rest.split(|&b| b == b'"').next());
        match first.and_then(|kind| str::from_utf8(kind).ok()).filter(|kind| !kind.contains('\\')) {
            Some(kind) => Ok(kind.into()),
            None => serde_json::from_slice(line).map(|kind: Kind<'_>| kind.r#type),
        }
    }
}

/// What all records have.
#[derive(Default)]
struct Head<'a> {
    r#type: Option<IgnoredAny>,
    time: Option<Time>,
    line: Option<Text<'a>>,
    board: Option<u16>,
    game: Option<u32>,
    seq: Option<u64>,
}

/// The fields of a record; those of the head are put there, and the rest is what the record of its type has.
struct Fields<'h, 'de, M> {
    map: M,
    head: &'h mut Head<'de>,
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for Fields<'_, 'de, M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, M::Error> {
        while let Some(Text(key)) = self.map.next_key::<Text<'de>>()? {
            match &*key {
                "type" => once(&mut self.map, &mut self.head.r#type, "type")?,
                "time" => once(&mut self.map, &mut self.head.time, "time")?,
                "line" => once(&mut self.map, &mut self.head.line, "line")?,
                "board" => once(&mut self.map, &mut self.head.board, "board")?,
                "game" => once(&mut self.map, &mut self.head.game, "game")?,
                "seq" => once(&mut self.map, &mut self.head.seq, "seq")?,
                _ => return seed.deserialize(CowStrDeserializer::new(key)).map(Some),
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, M::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Reads a field that may not come again.
fn once<'de, T: Deserialize<'de>, M: MapAccess<'de>>(
    map: &mut M,
    field: &mut Option<T>,
    name: &'static str,
) -> Result<(), M::Error> {
    if field.is_some() {
        return Err(M::Error::duplicate_field(name));
    }
    *field = map.next_value()?;
    Ok(())
}

/// Reads a record of a known type: its head, and what else there is.
struct Whole<'de, E>(Head<'de>, PhantomData<E>);

impl<'de, E: Deserialize<'de>> Visitor<'de> for Whole<'de, E> {
    type Value = (Head<'de>, E);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a type")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, map: M) -> Result<Self::Value, M::Error> {
        let event = E::deserialize(MapAccessDeserializer::new(Fields { map, head: &mut self.0 }))?;
        Ok((self.0, event))
    }
}

fn read<'de, E: Deserialize<'de>>(line: &'de [u8]) -> Result<(Head<'de>, E), serde_json::Error> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let read = json.deserialize_map(Whole(Head::default(), PhantomData))?;
    json.end().map(|()| read)
}

fn board<'de, E: Deserialize<'de>>(line: &'de [u8], event: fn(E) -> BoardEvent) -> Result<Record, BadRecord> {
    let (Head { time, line, board, seq, .. }, read) = read(line)?;
    Ok(Record::Board(BoardRecord { time, line: name(line), board, seq, event: event(read) }))
}

fn game<'de, E: Deserialize<'de>>(line: &'de [u8], event: fn(E) -> GameEvent) -> Result<Record, BadRecord> {
    let (Head { time, line, board, game, seq, .. }, read) = read(line)?;
    let event = event(read);
    let game = game.ok_or_else(|| missing("game"))?;
    match &event {
        GameEvent::Move(m) if m.ply.is_none() => Err(missing("ply")),
        _ => Ok(Record::Game(GameRecord { time, line: name(line), board, game, event, seq })),
    }
}

/// Reads one line.
pub fn parse(line: &[u8]) -> Result<Record, BadRecord> {
    match quick::read(line) {
        Some(record) => Ok(Record::Board(record)),
        None => parse_any(line),
    }
}

/// The same, however it is written.
fn parse_any(line: &[u8]) -> Result<Record, BadRecord> {
    match &*Kind::of(line)? {
        "change" => board(line, BoardEvent::Change),
        "press" => board(line, BoardEvent::Press),
        "quiet" => board(line, |_: IgnoredAny| BoardEvent::Quiet {}),
        "clock" => board(line, BoardEvent::Clock),
        "position" => board(line, BoardEvent::Position),
        "mark" => board(line, BoardEvent::Mark),
        "history" => board(line, BoardEvent::History),
        "board" => board(line, BoardEvent::Board),
        "lost" => board(line, BoardEvent::Lost),
        "found" => board(line, BoardEvent::Found),
        "fault" => board(line, BoardEvent::Fault),
        "answers" => board(line, BoardEvent::Answers),
        "move" => game(line, GameEvent::Move),
        "game" => game(line, GameEvent::Game),
        "takeback" => game(line, GameEvent::Takeback),
        "anomaly" => game(line, GameEvent::Anomaly),
        "end" => game(line, GameEvent::End),
        "ruling" => game(line, |ruling| GameEvent::Ruling(Box::new(ruling))),
        "stream" => match read::<Stream>(line)? {
            (_, stream) if stream.records > VERSION => Err(BadRecord::Version(stream.records)),
            (head, stream) => Ok(Record::Stream(Stream { line: name(head.line), ..stream })),
        },
        _ => Ok(read::<IgnoredAny>(line).map(|_| Record::Other)?),
    }
}

/// What a transport must know of a record, whatever else is in it.
#[derive(Debug)]
pub struct Label<'a> {
    /// Of which kind it is.
    pub kind: LabelKind,
    /// The name of its line.
    pub line: Option<Cow<'a, str>>,
    /// Its number in its run.
    pub seq: Option<u64>,
}

/// Kinds of records, as a transport tells them apart.
#[derive(Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// A source begins.
    Stream {
        /// The name of the run; empty for none.
        run: String,
    },
    /// Of the layer of what was played.
    Game,
    /// Of the layer of what boards report, or of a type that this version does not know.
    Board,
    /// What a journal of `subscribe` says of itself.
    Delivery,
}

/// Reads of a line what a transport must know. Whether a record has what its type asks for is left to those who use it.
pub fn label(line: &[u8]) -> Result<Label<'_>, BadRecord> {
    let (head, kind) = match &*Kind::of(line)? {
        "stream" => match read::<Stream>(line)? {
            (_, stream) if stream.records > VERSION => return Err(BadRecord::Version(stream.records)),
            (head, stream) => (head, LabelKind::Stream { run: stream.run }),
        },
        "move" | "game" | "takeback" | "anomaly" | "end" => (read::<IgnoredAny>(line)?.0, LabelKind::Game),
        "delivery" => (read::<IgnoredAny>(line)?.0, LabelKind::Delivery),
        _ => (read::<IgnoredAny>(line)?.0, LabelKind::Board),
    };
    Ok(Label { kind, line: head.line.map(|Text(line)| line), seq: head.seq })
}

fn name(line: Option<Text<'_>>) -> Option<Arc<str>> {
    line.map(|Text(line)| line.into())
}

fn missing(field: &str) -> BadRecord {
    serde_json::Error::custom(format_args!("missing field `{field}`")).into()
}

/// Knows the records it has seen, by line, run and `seq`, so that a journal printed twice or a transport that
/// delivers at least once does no harm. Memory is bounded by the number of runs and of holes in their numbers.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Where in `seen` each run of each line is.
    runs: HashMap<(Option<Arc<str>>, String), usize>,
    /// The run that each line is in now.
    now: ByLine<usize>,
    seen: Vec<Numbers>,
    mixed: bool,
}

impl Seen {
    /// A source begins; what follows on its line belongs to its run.
    pub fn stream(&mut self, stream: &Stream) {
        let fresh = self.seen.len();
        let at = *self.runs.entry((stream.line.clone(), stream.run.clone())).or_insert(fresh);
        if at == fresh {
            self.seen.push(Numbers::default());
        }
        let line = self.now.number(&stream.line, || at);
        self.now[line] = at;
    }

    /// Whether this record came before. A record without `seq` never did, nor one that is younger than all that came:
    /// then two sources count in one stream.
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
    /// The time of the youngest record that came.
    latest: Option<Time>,
}

impl Numbers {
    /// Adds a number; false when it was there.
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
    fn what_is_read_by_its_shape_is_what_any_reader_of_json_makes_of_it() {
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
        let read = |line: &[u8]| quick::read(line).map(Record::Board);
        for line in lines {
            let whole = parse_any(line.as_bytes()).unwrap();
            assert_eq!(read(line.as_bytes()).as_ref(), Some(&whole), "{line}");
            assert_eq!(read(format!("{line}\n").as_bytes()), Some(whole), "{line}");
            // Nothing that is wrong, or says something else, is read: each byte is another, left out or there twice.
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
    fn a_time_of_our_shape_is_the_time_that_any_reader_of_times_makes_of_it() {
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
    fn a_time_is_written_as_any_writer_of_times_writes_it() {
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
    fn the_type_may_stand_anywhere_and_be_written_in_any_way() {
        let quiet = BoardRecord::new(None, Some(3), BoardEvent::Quiet {});
        for line in [r#"{"board":3,"type":"quiet"}"#, r#"{ "type" : "qui\u0065t", "board":3}"#] {
            assert_eq!(parse(line.as_bytes()).unwrap(), Record::Board(quiet.clone()), "{line}");
        }
    }

    #[test]
    fn a_record_seen_before_is_known_by_line_run_and_seq() {
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
    fn numbers_in_any_order_cost_the_same() {
        let quiet = |seq, time| BoardRecord {
            seq: Some(seq),
            ..BoardRecord::new(Some(Time(time)), Some(1), BoardEvent::Quiet {})
        };
        let mut seen = Seen::default();
        // Every other number downwards: each is a range of its own, and would be moved by each that comes.
        let numbers = || (0..400_000u64).rev().map(|n| 2 * n);
        assert!(numbers().all(|n| !seen.again(&quiet(n, 0))));
        assert!(numbers().all(|n| seen.again(&quiet(n, 0))));
        assert!(numbers().all(|n| !seen.again(&quiet(n + 1, 0))));
        assert_eq!(seen.seen[0].ranges.len(), 1);
        assert!(!seen.again(&quiet(u64::MAX, 0)) && seen.again(&quiet(u64::MAX, 0)));
    }

    #[test]
    fn two_sources_that_count_in_one_stream_are_both_heard() {
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
