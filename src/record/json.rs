//! Reads a line of JSON as a record of a known type, with errors that name the wrong field.

use std::{borrow::Cow, fmt, marker::PhantomData, sync::Arc};

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
    game::{GameEvent, GameRecord},
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
    /// A type that this version does not recognise, to be ignored.
    Other,
}

/// Why a line is no record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// It is not JSON, or a field is missing or wrong.
    #[error("not a record: {}", without_line(.0))]
    Json(#[from] serde_json::Error),
    /// The stream follows a later contract: reading on would misread it.
    #[error("records of version {0}, this program knows {VERSION}: use a newer boardbus")]
    Version(u32),
}

/// The error without its line number, which would always be 1.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// The type of a record.
#[derive(Deserialize)]
#[serde(expecting = "an object with a type")]
struct Kind<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

/// The type of a record. Our records begin with it; others may have it anywhere.
pub(super) fn type_of(line: &[u8]) -> Result<Cow<'_, str>, serde_json::Error> {
    let first = line.strip_prefix(br#"{"type":""#).and_then(|rest| rest.split(|&b| b == b'"').next());
    match first.and_then(|kind| str::from_utf8(kind).ok()).filter(|kind| !kind.contains('\\')) {
        Some(kind) => Ok(kind.into()),
        None => serde_json::from_slice(line).map(|kind: Kind<'_>| kind.r#type),
    }
}

/// The fields common to all records.
#[derive(Default)]
struct Head<'a> {
    r#type: Option<IgnoredAny>,
    time: Option<Time>,
    line: Option<Text<'a>>,
    board: Option<u16>,
    game: Option<u32>,
    seq: Option<u64>,
}

/// The fields of a record; those of the head are stored there, and the others belong to its type.
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

/// Reads a field that may occur only once.
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

/// Reads a record of a known type: its head, and its other fields.
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

/// A board record whose fields are those of `E`.
pub(super) fn board<'de, E: Deserialize<'de>>(
    line: &'de [u8],
    event: fn(E) -> BoardEvent,
) -> Result<Record, BadRecord> {
    let (Head { time, line, board, seq, .. }, read) = read(line)?;
    Ok(Record::Board(BoardRecord { time, line: name(line), board, seq, event: event(read) }))
}

/// A game record whose fields are those of `E`.
pub(super) fn game<'de, E: Deserialize<'de>>(
    line: &'de [u8],
    event: fn(E) -> GameEvent,
) -> Result<Record, BadRecord> {
    let (Head { time, line, board, game, seq, .. }, read) = read(line)?;
    let event = event(read);
    let game = game.ok_or_else(|| missing("game"))?;
    match &event {
        GameEvent::Move(m) if m.ply.is_none() => Err(missing("ply")),
        _ => Ok(Record::Game(GameRecord { time, line: name(line), board, game, event, seq })),
    }
}

/// The record that a source begins with, unless it follows a later contract.
pub(super) fn stream(line: &[u8]) -> Result<Stream, BadRecord> {
    match read::<Stream>(line)? {
        (_, stream) if stream.records > VERSION => Err(BadRecord::Version(stream.records)),
        (head, stream) => Ok(Stream { line: name(head.line), ..stream }),
    }
}

/// Reads a record that is ignored here, only to check that it is one.
pub(super) fn passed_over(line: &[u8]) -> Result<Record, BadRecord> {
    Ok(read::<IgnoredAny>(line).map(|_| Record::Other)?)
}

/// The line of a record and its number in its run, whatever its other fields.
pub(super) fn line_and_seq(line: &[u8]) -> Result<(Option<Cow<'_, str>>, Option<u64>), BadRecord> {
    let (Head { line, seq, .. }, _) = read::<IgnoredAny>(line)?;
    Ok((line.map(|Text(line)| line), seq))
}

fn name(line: Option<Text<'_>>) -> Option<Arc<str>> {
    line.map(|Text(line)| line.into())
}

fn missing(field: &str) -> BadRecord {
    serde_json::Error::custom(format_args!("missing field `{field}`")).into()
}
