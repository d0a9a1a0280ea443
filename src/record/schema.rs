//! The schema of the records, JSON Schema 2020-12, made from the types and their docs where a derive can.
//!
//! Only tests compile this file: the program prints the committed `man/boardbus.schema.json`, and the test below
//! compares that text with the types. The schema describes what this program writes. Readers accept more:
//! `boardbus-records(5)` lists what may be left out, and readers skip types and fields that they do not recognise.

use std::borrow::Cow;

use schemars::{
    JsonSchema, Schema, SchemaGenerator,
    generate::SchemaSettings,
    json_schema,
    transform::{Transform, transform_subschemas},
};
use serde_json::{Map, Value, json};

use super::{
    VERSION,
    board::{BoardEvent, BoardRecord},
    calibration::Chips,
    game::{GameEvent, GameRecord, Tags},
    table::schemas_of_others,
    value::{Outcome, Piece, Placement, Seconds, Square, Time},
    written::Written,
};

/// The schema of a record of any type.
pub fn schema_of_records() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(WithoutNull);
    let mut schema = settings.into_generator().into_root_schema_for::<Any>();
    schema.insert("title".into(), format!("A record of boardbus, version {VERSION} of the contract").into());
    schema.insert("description".into(), "One line of JSON. See boardbus-records(5).".into());
    schema.to_value()
}

/// A record of any type that this program writes.
enum Any {}

impl JsonSchema for Any {
    fn schema_name() -> Cow<'static, str> {
        "Record".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let layers = [generator.subschema_for::<BoardRecord>(), generator.subschema_for::<GameRecord>()];
        let others = schemas_of_others(generator).into_iter().map(|(of, schema)| tagged(schema, of.name()));
        let all: Vec<Schema> = layers.into_iter().chain(others).collect();
        json_schema!({ "anyOf": all })
    }
}

/// The schema of a record that is a structure of its own, with its type.
fn tagged(mut schema: Schema, kind: &str) -> Schema {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("type".into(), json!({ "const": kind, "type": "string" }));
    }
    require(&mut schema, "type");
    schema
}

/// Unknown values are left out: a field that may be missing is never null.
#[derive(Debug, Clone)]
struct WithoutNull;

impl Transform for WithoutNull {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let required: Vec<Value> =
            schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
        for (name, property) in properties {
            if !required.iter().any(|required| required == name)
                && let Some(property) = property.as_object_mut()
            {
                without_null(property);
            }
        }
    }
}

fn without_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            property.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(ways)) = property.get_mut("anyOf") {
        ways.retain(|way| way.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = &ways[..] {
            let only = only.clone();
            property.remove("anyOf");
            property.extend(only);
        }
    }
}

/// The schema of a record with events of this kind.
fn record<E: JsonSchema + 'static>(generator: &mut SchemaGenerator) -> Schema {
    Written::<'static, E>::json_schema(generator)
}

impl JsonSchema for BoardRecord {
    fn schema_name() -> Cow<'static, str> {
        "BoardRecord".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = record::<BoardEvent>(generator);
        schema.insert("description".into(), "What a board, or the link to it, reported.".into());
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.remove("game");
        }
        schema
    }
}

impl JsonSchema for GameRecord {
    fn schema_name() -> Cow<'static, str> {
        "GameRecord".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = record::<GameEvent>(generator);
        schema.insert("description".into(), "What was played.".into());
        require(&mut schema, "game");
        schema
    }
}

/// Adds a field common to all records to the required ones.
fn require(schema: &mut Schema, field: &str) {
    match schema.get_mut("required").and_then(Value::as_array_mut) {
        Some(required) => required.push(field.into()),
        None => _ = schema.insert("required".into(), vec![field].into()),
    }
}

/// A result, or `*` where it is open.
pub(super) fn result_or_open(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*"] })
}

/// Values that are written as text, each with its schema.
macro_rules! as_text {
    ($($name:ident: $schema:tt,)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

as_text! {
    Time: {
        "type": "string",
        "format": "date-time",
        "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$",
        "description": "RFC 3339, UTC, milliseconds.",
    },
    Square: {
        "type": "string",
        "pattern": "^[a-h][1-8]$",
        "description": "A square by the board's own numbering, a1 to h8.",
    },
    Piece: {
        "type": "string",
        "enum": ["P", "R", "N", "B", "K", "Q", "p", "r", "n", "b", "k", "q", "?", "1-0", "0-1", "1/2-1/2"],
        "description": "A FEN letter, `?` for a piece that its board cannot name, or the result that a result piece announces.",
    },
    Outcome: {
        "type": "string",
        "enum": ["1-0", "0-1", "1/2-1/2"],
        "description": "A result that a piece announces.",
    },
    Placement: {
        "type": "string",
        "pattern": "^([1-8PRNBKQprnbkq?]{1,8}/){7}[1-8PRNBKQprnbkq?]{1,8}$",
        "description": "What stands on the squares: the first part of a FEN, field 0 as a8; `?` is a piece that its board cannot name.",
    },
    Chips: {
        "type": "object",
        "additionalProperties": { "type": "string" },
        "description": "The letter of the piece for each chip, by the ten hex digits of its number; `?` for one that is not named yet.",
    },
    Seconds: {
        "type": "number",
        "description": "Seconds, with a fraction where the source has one.",
    },
    Tags: {
        "type": "object",
        "additionalProperties": { "type": "string" },
        "description": "Tags by their names, in the order of the file.",
    },
}

/// With `BOARDBUS_RENEW` set this writes the committed text instead: `BOARDBUS_RENEW=1 cargo test --lib schema`.
#[test]
fn committed_schema_is_that_of_the_types() {
    let text = format!("{:#}\n", schema_of_records());
    if std::env::var_os("BOARDBUS_RENEW").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/man/boardbus.schema.json");
        return std::fs::write(path, text).unwrap();
    }
    assert!(text == super::SCHEMA, "stale: run `BOARDBUS_RENEW=1 cargo test --lib schema` and commit");
}
