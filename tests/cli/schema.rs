//! `boardbus schema`, and what the commands write validated by it: strictly by the schema of today, and by that of an earlier
//! version, by which programs of others may read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::LazyLock,
};

use jsonschema::Validator;
use serde_json::Value;

use super::program::{command, of, output_of, records};

/// Records that an earlier version wrote, and its schema.
const EARLIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/earlier");

/// As this program prints it.
static TODAY: LazyLock<Schema> = LazyLock::new(|| {
    let output = command("schema").output().unwrap();
    Schema::strict(serde_json::from_slice(&output.stdout).unwrap())
});

/// As an earlier one did.
static YESTERDAY: LazyLock<Schema> =
    LazyLock::new(|| Schema::new(&serde_json::from_str(&earlier("schema.json")).unwrap()));

fn earlier(name: &str) -> String {
    let path = PathBuf::from(EARLIER).join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Panics unless a record is one of the schema without a further field, and a reader of an earlier version would read it too:
/// results and pieces that such a reader does not recognise it refuses, so these count as none.
pub fn holds(record: &Value) {
    if let Err(problem) = TODAY.validator.validate(record) {
        panic!("no record of the schema: {problem}\n{record}");
    }
    let mut as_then = record.clone();
    if let Some("0-0" | "1/2-0" | "0-1/2") = record["result"].as_str() {
        as_then["result"] = "*".into();
    }
    for field in ["piece", "placement"] {
        if let Some(text) = record[field].as_str() {
            as_then[field] = text.replace('?', "P").into();
        }
    }
    if YESTERDAY.types.contains_key(record["type"].as_str().unwrap())
        && let Err(problem) = YESTERDAY.validator.validate(&as_then)
    {
        panic!("an earlier version would not read it: {problem}\n{record}");
    }
}

/// A JSON Schema of the records.
struct Schema {
    validator: Validator,
    /// The types of records that it has, each with the fields of its own.
    types: BTreeMap<String, Fields>,
}

/// Names of fields.
type Fields = BTreeSet<String>;

impl Schema {
    fn new(root: &Value) -> Schema {
        let resolved = |schema: &Value| match schema["$ref"].as_str() {
            Some(path) => root.pointer(path.strip_prefix('#').unwrap()).unwrap().clone(),
            None => schema.clone(),
        };
        let mut types = BTreeMap::new();
        for part in root["anyOf"].as_array().unwrap().iter().map(resolved) {
            for way in part["oneOf"].as_array().unwrap_or(&vec![part.clone()]) {
                let parts = [way.clone(), resolved(way)];
                let fields = parts.iter().filter_map(|part| part["properties"].as_object());
                let names = fields.flat_map(|fields| fields.keys().cloned()).collect();
                types.insert(way["properties"]["type"]["const"].as_str().unwrap().to_owned(), names);
            }
        }
        Schema { validator: jsonschema::validator_for(root).unwrap(), types }
    }

    /// A schema that refuses every field it does not describe, in the record and in each object within.
    fn strict(mut root: Value) -> Schema {
        fn close_fields(schema: &mut Value) {
            let Value::Object(words) = schema else { return };
            for (word, inner) in words {
                match (word.as_str(), inner) {
                    ("properties", Value::Object(fields)) => fields.values_mut().for_each(close),
                    ("items", field) => close(field),
                    ("prefixItems", Value::Array(fields)) => fields.iter_mut().for_each(close),
                    ("oneOf" | "anyOf", Value::Array(ways)) => ways.iter_mut().for_each(close_fields),
                    ("$defs", Value::Object(parts)) => parts.values_mut().for_each(close_fields),
                    _ => {}
                }
            }
        }
        fn close(schema: &mut Value) {
            close_fields(schema);
            if let Value::Object(words) = schema {
                words.insert("unevaluatedProperties".into(), false.into());
            }
        }
        close(&mut root);
        Schema::new(&root)
    }
}

#[test]
fn schema_covers_every_record_of_the_manual() {
    let printed = output_of(&["schema"], "");
    let schema: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let manual = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/boardbus-records.5")).unwrap();
    let described = fields_of_manual(&manual);
    let all = &TODAY.types;
    assert!(all.len() > 20, "{all:?}");
    assert_eq!(all.keys().collect::<Vec<_>>(), described.keys().collect::<Vec<_>>());
    for (kind, fields) in all {
        let head = ["type", "time", "line", "board", "game", "seq"].map(str::to_owned).into();
        let own: Fields = fields.difference(&head).cloned().collect();
        let said: Fields = described[kind].difference(&head).cloned().collect();
        assert_eq!(own, said, "{kind}");
    }
}

/// The fields that the manual describes of each type: the tags of its section, but for those of what a field holds.
fn fields_of_manual(manual: &str) -> BTreeMap<String, Fields> {
    let mut all: BTreeMap<String, Fields> = BTreeMap::new();
    let (mut kinds, mut depth) = (Vec::new(), 0);
    let mut lines = manual.lines();
    while let Some(line) = lines.next() {
        match line.split_once(' ').unwrap_or((line, "")) {
            (".SS" | ".SH", heading) => {
                kinds = heading.to_lowercase().split(", ").map(str::to_owned).collect();
                // A section may be of one record or of a whole layer.
                kinds.retain(|kind| TODAY.types.contains_key(kind));
                kinds.iter().for_each(|kind| _ = all.entry(kind.clone()).or_default());
            }
            (".RS", _) => depth += 1,
            (".RE", _) => depth -= 1,
            (".TP", _) if depth == 0 => {
                let tag = lines.next().unwrap().split_once(' ').unwrap().1;
                let names = tag.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
                for kind in &kinds {
                    let fields = all.get_mut(kind).unwrap();
                    fields.extend(names.iter().map(|name| (*name).to_owned()));
                }
            }
            _ => {}
        }
    }
    all
}

#[test]
fn other_lines_do_not_fit_the_schema() {
    for (line, problem) in [
        (r#"{"type":"change","square":"e9","piece":null}"#, "e9"),
        (r#"{"type":"change","square":"e2"}"#, "piece"),
        (r#"{"type":"change","square":"e2","piece":"X"}"#, "X"),
        (r#"{"type":"quiet","board":70000}"#, "70000"),
        (r#"{"type":"quiet","board":null}"#, "null"),
        (r#"{"type":"quiet","time":"2026-11-21 10:00"}"#, "2026"),
        (r#"{"type":"quiet","colour":"red"}"#, "colour"),
        (r#"{"type":"move","ply":1}"#, "game"),
        (r#"{"type":"end","game":1,"result":"1:0","reason":"tag"}"#, "1:0"),
    ] {
        let record: Value = serde_json::from_str(line).unwrap();
        assert!(!TODAY.validator.is_valid(&record), "{line}: {problem}");
    }
}

#[test]
fn earlier_journals_are_read_unchanged() {
    for name in ["board.jsonl", "alone.jsonl", "draughts.jsonl"] {
        let (journal, games) = (earlier(name), earlier(&format!("games-{name}")));
        records(&journal).iter().chain(&records(&games)).for_each(holds);
        let played = records(output_of(&["reconstruct"], journal));
        assert_eq!(told(&played), told(&records(&games)), "{name}");
    }
    let moves =
        |file: &str| file.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n");
    for (writer, name, file) in
        [("to-pgn", "board.jsonl", "board.pgn"), ("to-pdn", "draughts.jsonl", "draughts.pdn")]
    {
        let written = output_of(&[writer], earlier(&format!("games-{name}")));
        assert_eq!(moves(&written), moves(&earlier(file)));
    }
}

/// The last word for each ply of each game, and how it ended.
fn told(records: &[Value]) -> BTreeMap<String, String> {
    let key = |record: &Value| format!("{} {} {}", record["board"], record["game"], record["ply"]);
    let moves = of(records, "move")
        .into_iter()
        .map(|m| (key(m), format!("{}{}{}", m["san"], m["notation"], m["seconds"])));
    moves.chain(of(records, "end").into_iter().map(|end| (key(end), end["result"].to_string()))).collect()
}
