//! Lines of records for transport: cut into chunks of one line and one run, each record with its place.

use std::{collections::HashMap, sync::Arc};

use bytes::{Bytes, BytesMut};

use super::place::Place;
use crate::record::{Label, is_plain_name};

/// A chunk is complete at this size in bytes.
const LARGE: usize = 64 << 10;
/// The longest name of a run, which travels in a header, in bytes.
const LONGEST_RUN: usize = 200;
/// The longest record: what a server accepts as one message, less its headers, in bytes.
const LONGEST_RECORD: usize = 1_000_000;

/// Records of one line and one run, in order.
#[derive(Debug, Clone)]
pub struct Chunk {
    /// The line.
    pub line: Arc<str>,
    /// The run.
    pub run: Arc<str>,
    /// The records, each a line of JSON with its line end.
    pub text: Bytes,
    /// The place of each record, and its end in the text; never empty.
    pub records: Vec<(Place, usize)>,
}

impl Chunk {
    /// The place of the first record.
    pub fn first(&self) -> Place {
        self.records.first().map_or(Place::default(), |record| record.0)
    }

    /// The place of the last record.
    pub fn last(&self) -> Place {
        self.records.last().map_or(Place::default(), |record| record.0)
    }

    /// The part of it after a place; none if there is none.
    pub fn behind(mut self, place: Place) -> Option<Chunk> {
        let known = self.records.partition_point(|record| record.0 <= place);
        if known > 0 {
            let cut = self.records[known - 1].1;
            self.text = self.text.slice(cut..);
            self.records.drain(..known);
            self.records.iter_mut().for_each(|record| record.1 -= cut);
        }
        (!self.records.is_empty()).then_some(self)
    }

    /// Its first records, at least one, up to this many bytes; and the rest.
    pub fn cut(mut self, size: usize) -> (Chunk, Option<Chunk>) {
        let fits = self.records.partition_point(|record| record.1 <= size).max(1);
        if fits >= self.records.len() {
            return (self, None);
        }
        let rest = self.clone().behind(self.records[fits - 1].0);
        self.records.truncate(fits);
        self.text.truncate(self.records[fits - 1].1);
        (self, rest)
    }

    /// Joins chunks of one run.
    pub fn joined(chunks: Vec<Chunk>) -> Option<Chunk> {
        let mut chunks = chunks.into_iter();
        let mut whole = chunks.next()?;
        let rest = chunks.as_slice();
        if rest.is_empty() {
            return Some(whole);
        }
        let size = whole.text.len() + rest.iter().map(|chunk| chunk.text.len()).sum::<usize>();
        let mut text = BytesMut::with_capacity(size);
        text.extend_from_slice(&whole.text);
        for chunk in chunks {
            let begin = text.len();
            whole.records.extend(chunk.records.iter().map(|&(place, end)| (place, begin + end)));
            text.extend_from_slice(&chunk.text);
        }
        whole.text = text.freeze();
        Some(whole)
    }
}

/// Makes chunks of lines of input.
pub struct Chunks {
    /// The name for records without a line.
    name: Option<String>,
    lines: HashMap<String, Gathered>,
    /// The size of the text in all of them, in bytes.
    size: usize,
}

/// The text collected for a line.
struct Gathered {
    line: Arc<str>,
    /// The current run of its records; none before its first stream record.
    run: Option<Arc<str>>,
    /// The following records belong to a run without a usable name.
    is_lost: bool,
    last: Place,
    text: Vec<u8>,
    records: Vec<(Place, usize)>,
}

impl Gathered {
    fn chunk(&mut self) -> Option<Chunk> {
        let run = self.run.clone()?;
        let records = std::mem::take(&mut self.records);
        let text = std::mem::take(&mut self.text).into();
        (!records.is_empty()).then(|| Chunk { line: self.line.clone(), run, text, records })
    }
}

impl Chunks {
    /// No input yet; records without a line get this name.
    pub fn new(name: Option<String>) -> Chunks {
        Chunks { name, lines: HashMap::new(), size: 0 }
    }

    /// Adds a record. Returns a chunk when one is complete.
    ///
    /// # Errors
    /// Why this record cannot be transported.
    pub fn record(&mut self, text: &[u8], label: &Label<'_>) -> Result<Option<Chunk>, String> {
        let named = label.line.as_deref();
        let name = named.or(self.name.as_deref()).ok_or("a record without a line: name it with --line")?;
        if !is_plain_name(name) {
            return Err(format!(
                "line `{name}` cannot be carried: a name has letters, digits, - and _ only, 100 at most (watch --line)"
            ));
        }
        if text.len() > LONGEST_RECORD {
            return Err("a record of over 1 MB cannot be carried".into());
        }
        if !self.lines.contains_key(name) {
            let line = name.into();
            let (last, text, records) = Default::default();
            let new = Gathered { line, run: None, is_lost: false, last, text, records };
            self.lines.insert(name.to_owned(), new);
        }
        let Some(line) = self.lines.get_mut(name) else { return Ok(None) };
        let mut full = None;
        if let Some(run) = &label.run {
            let is_fit = !run.is_empty() && run.len() <= LONGEST_RUN && run.trim() == run;
            // The following records belong to no known run, least of all to the previous one.
            line.is_lost = !is_fit || run.chars().any(char::is_control);
            if line.is_lost {
                return Err("a stream without the name of a run: only what watch, simulate and reconstruct number is carried"
                    .into());
            }
            full = line.chunk();
            line.run = Some(run.as_str().into());
            line.last = Place::default();
        } else {
            if line.run.is_none() || line.is_lost {
                return Err("a record before any stream record of its line: nobody knows its run".into());
            }
            let next = line.last.next(label.seq);
            if next <= line.last {
                return Err(
                    "its number is no higher than that of the record before it: two sources in one stream?"
                        .into(),
                );
            }
            line.last = next;
        }
        let begin = line.text.len();
        push_with_line(&mut line.text, text, named.is_none().then_some(name));
        line.records.push((line.last, line.text.len()));
        self.size += line.text.len() - begin;
        if let Some(full) = &full {
            self.size = self.size.saturating_sub(full.text.len());
        } else if line.text.len() >= LARGE {
            full = line.chunk();
            self.size = self.size.saturating_sub(full.as_ref().map_or(0, |full| full.text.len()));
        }
        Ok(full)
    }

    /// All collected chunks, at a pause of the input.
    pub fn rest(&mut self) -> impl Iterator<Item = Chunk> {
        let lines = if std::mem::take(&mut self.size) == 0 { None } else { Some(self.lines.values_mut()) };
        lines.into_iter().flatten().filter_map(Gathered::chunk)
    }
}

/// Appends a record as a line, with the name of its line if it has none: after the type, where our own records have it.
fn push_with_line(to: &mut Vec<u8>, record: &[u8], name: Option<&str>) {
    let record = record.trim_ascii();
    let Some(name) = name else {
        to.extend_from_slice(record);
        to.push(b'\n');
        return;
    };
    let field = format!("\"line\":\"{name}\"");
    let behind_type = record.strip_prefix(b"{\"type\":\"").and_then(|rest| {
        let end = rest.iter().position(|&byte| byte == b'"' || byte == b'\\')?;
        (rest[end] == b'"').then_some(record.len() - rest.len() + end + 1)
    });
    let (before, behind) = record.split_at(behind_type.unwrap_or(1));
    to.extend_from_slice(before);
    if behind_type.is_some() {
        to.push(b',');
        to.extend_from_slice(field.as_bytes());
    } else {
        to.extend_from_slice(field.as_bytes());
        if behind.trim_ascii_start().first() != Some(&b'}') {
            to.push(b',');
        }
    }
    to.extend_from_slice(behind);
    to.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::label;

    fn chunks(name: Option<&str>, lines: &[&str]) -> Vec<Chunk> {
        let mut gathering = Chunks::new(name.map(str::to_owned));
        let mut chunks = Vec::new();
        for line in lines {
            let line = line.as_bytes();
            chunks.extend(gathering.record(line, &label(line).unwrap()).unwrap());
        }
        chunks.extend(gathering.rest());
        chunks
    }

    const STREAM: &str = r#"{"type":"stream","records":1,"run":"a"}"#;

    #[test]
    fn records_without_a_line_get_its_name() {
        let lines =
            [STREAM, r#"{"type":"quiet","board":1,"seq":1}"#, r#"{"board":1,"type":"quiet","seq":2}"#];
        let chunk = &chunks(Some("b"), &lines)[0];
        let expected = "{\"type\":\"stream\",\"line\":\"b\",\"records\":1,\"run\":\"a\"}\n\
                    {\"type\":\"quiet\",\"line\":\"b\",\"board\":1,\"seq\":1}\n\
                    {\"line\":\"b\",\"board\":1,\"type\":\"quiet\",\"seq\":2}\n";
        assert_eq!(chunk.text, expected.as_bytes());
        assert!(expected.lines().all(|line| label(line.as_bytes()).unwrap().line.as_deref() == Some("b")));
        assert_eq!((chunk.first(), chunk.last()), (Place::default(), Place { seq: 2, part: 0 }));
    }

    #[test]
    fn each_line_and_run_has_its_own_chunk() {
        let of = |line: &str, rest: &str| format!(r#"{{"type":{rest},"line":"{line}"}}"#);
        let lines = [
            of("x", r#""stream","run":"a""#),
            of("y", r#""stream","run":"a""#),
            of("x", r#""quiet","seq":1"#),
            of("y", r#""quiet","seq":2"#),
            of("x", r#""ruling""#),
            of("x", r#""stream","run":"b""#),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut found: Vec<_> = chunks(None, &lines)
            .iter()
            .map(|chunk| format!("{} {} {} {}", chunk.line, chunk.run, chunk.first(), chunk.last()))
            .collect();
        found.sort();
        assert_eq!(found, ["x a 0.0 1.1", "x b 0.0 0.0", "y a 0.0 2.0"]);
    }

    #[test]
    fn records_that_cannot_travel_are_refused() {
        let refused = |name: Option<&str>, line: &str| {
            let mut chunks = Chunks::new(name.map(str::to_owned));
            chunks.record(line.as_bytes(), &label(line.as_bytes()).unwrap()).unwrap_err()
        };
        assert!(refused(None, STREAM).contains("--line"));
        assert!(refused(Some("/dev/ttyUSB0"), STREAM).contains("`/dev/ttyUSB0` cannot be carried"));
        assert!(refused(Some("x"), r#"{"type":"quiet","seq":1}"#).contains("before any stream"));
        assert!(refused(Some("x"), r#"{"type":"stream"}"#).contains("without the name of a run"));
        assert!(refused(Some("x"), r#"{"type":"stream","run":"a\r\nNats-Msg-Id: x"}"#).contains("run"));
        assert!(refused(Some("x"), r#"{"type":"stream","run":" a "}"#).contains("run"));
    }

    #[test]
    fn a_stream_without_run_ends_the_previous_run() {
        let mut gathering = Chunks::new(Some("x".into()));
        let mut take =
            |line: &str| gathering.record(line.as_bytes(), &label(line.as_bytes()).unwrap()).is_ok();
        assert!(take(STREAM) && take(r#"{"type":"quiet","seq":1}"#));
        assert!(!take(r#"{"type":"stream"}"#) && !take(r#"{"type":"quiet","seq":2}"#));
        assert!(take(r#"{"type":"stream","run":"b"}"#) && take(r#"{"type":"quiet","seq":1}"#));
        let runs: Vec<_> =
            gathering.rest().map(|chunk| (chunk.run.to_string(), chunk.records.len())).collect();
        assert_eq!(runs, [("b".into(), 2)]);
    }

    #[test]
    fn a_chunk_is_cut_and_joined() {
        let quiet = |seq: u64| format!(r#"{{"type":"quiet","line":"b","seq":{seq}}}"#);
        let lines = [STREAM.to_owned(), quiet(1), quiet(2), quiet(3)];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let whole = chunks(Some("b"), &lines).remove(0);
        let behind = whole.clone().behind(Place { seq: 1, part: 5 }).unwrap();
        assert_eq!(behind.text, format!("{}\n{}\n", quiet(2), quiet(3)).as_bytes());
        assert!(whole.clone().behind(whole.last()).is_none());
        let (one, rest) = whole.clone().cut(1);
        assert_eq!((one.records.len(), rest.as_ref().unwrap().first()), (1, Place { seq: 1, part: 0 }));
        assert_eq!(Chunk::joined(vec![one, rest.unwrap()]).unwrap().text, whole.text);
        assert!(whole.clone().cut(whole.text.len()).1.is_none());
        let twice = Chunk::joined(vec![behind.clone(), behind.clone()]).unwrap();
        assert_eq!(twice.text, [&behind.text[..], &behind.text].concat());
        assert_eq!(twice.records[3], (Place { seq: 3, part: 0 }, twice.text.len()));
    }
}
