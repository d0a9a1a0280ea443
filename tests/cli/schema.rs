//! `boardbus schema`, and whatever any command writes held beside it: what it says today, strictly, and what it said in an
//! earlier version, by which programs of others may read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::LazyLock,
};

use serde_json::Value;

use super::program::{command, of, output_of, records};

/// Records that an earlier version wrote, and its schema.
const EARLIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/earlier");

/// As this program prints it.
static TODAY: LazyLock<Schema> = LazyLock::new(|| {
    let output = command("schema").output().unwrap();
    Schema::new(serde_json::from_slice(&output.stdout).unwrap())
});

/// As an earlier one did.
static YESTERDAY: LazyLock<Schema> =
    LazyLock::new(|| Schema::new(serde_json::from_str(&earlier("schema.json")).unwrap()));

fn earlier(name: &str) -> String {
    let path = PathBuf::from(EARLIER).join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Holds that a record is one of the schema, no field more, and that readers of an earlier version are not misled: a result that
/// they do not know they refuse, and have none.
pub fn holds(record: &Value) {
    if let Err(problem) = TODAY.strict(&TODAY.root, record) {
        panic!("no record of the schema: {problem}\n{record}");
    }
    let mut as_then = record.clone();
    if let Some("0-0" | "1/2-0" | "0-1/2") = record["result"].as_str() {
        as_then["result"] = "*".into();
    }
    if YESTERDAY.types.contains_key(record["type"].as_str().unwrap())
        && let Err(problem) = YESTERDAY.check(&YESTERDAY.root, &as_then)
    {
        panic!("an earlier version would not read it: {problem}\n{record}");
    }
}

/// A JSON Schema, as far as ours goes: what it does not know it refuses.
struct Schema {
    root: Value,
    /// The types of records that it has, each with the fields of its own.
    types: BTreeMap<String, Known>,
}

/// The fields that a schema says something of.
type Known = BTreeSet<String>;

impl Schema {
    fn new(root: Value) -> Schema {
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
        Schema { root, types }
    }

    /// A value that has no field of which the schema says nothing.
    fn strict(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let known = self.check(schema, value)?;
        let unknown = value.as_object().into_iter().flatten().find(|(name, _)| !known.contains(*name));
        unknown.map_or(Ok(()), |(name, _)| Err(format!("it says nothing of `{name}`")))
    }

    /// Whether a value is what a schema says; the fields it says something of.
    fn check(&self, schema: &Value, value: &Value) -> Result<Known, String> {
        let Value::Object(words) = schema else {
            return if *schema == Value::Bool(true) {
                Ok(Known::new())
            } else {
                Err("nothing can be here".into())
            };
        };
        let mut known = Known::new();
        for (word, says) in words {
            let holds = match (word.as_str(), says) {
                ("$defs" | "$schema" | "title" | "description" | "format" | "default", _) => true,
                ("$ref", Value::String(path)) => {
                    let there = self.root.pointer(path.strip_prefix('#').unwrap()).unwrap();
                    known.extend(self.check(there, value)?);
                    true
                }
                ("items", says) => {
                    let items = value.as_array().into_iter().flatten();
                    items.into_iter().try_for_each(|item| self.strict(says, item))?;
                    true
                }
                ("prefixItems", Value::Array(all)) => {
                    let items = value.as_array().into_iter().flatten();
                    all.iter().zip(items).try_for_each(|(says, item)| self.strict(says, item))?;
                    true
                }
                ("properties", Value::Object(properties)) => {
                    for (name, says) in properties {
                        known.insert(name.clone());
                        if let Some(field) = value.get(name) {
                            self.field(says, field).map_err(|problem| format!("{name}: {problem}"))?;
                        }
                    }
                    true
                }
                ("additionalProperties", says) => {
                    for (name, field) in value.as_object().into_iter().flatten() {
                        known.insert(name.clone());
                        self.field(says, field).map_err(|problem| format!("{name}: {problem}"))?;
                    }
                    true
                }
                ("oneOf" | "anyOf", Value::Array(ways)) => {
                    let tried: Vec<_> = ways.iter().map(|way| self.check(way, value)).collect();
                    let fit: Vec<_> = tried.iter().flatten().collect();
                    if fit.is_empty() || word == "oneOf" && fit.len() > 1 {
                        return Err(format!("{} of {} ways fit: {tried:?}", fit.len(), ways.len()));
                    }
                    fit.into_iter().for_each(|names| known.extend(names.iter().cloned()));
                    true
                }
                _ => is_so(word, says, value),
            };
            if !holds {
                return Err(format!("{word} is {says}, and there is {value}"));
            }
        }
        Ok(known)
    }

    /// A field: of today's schema nothing in it may be unknown.
    fn field(&self, schema: &Value, value: &Value) -> Result<(), String> {
        if std::ptr::eq(self, &*YESTERDAY) {
            self.check(schema, value).map(|_| ())
        } else {
            self.strict(schema, value)
        }
    }
}

/// Whether what a word of a schema says of a value alone is so.
fn is_so(word: &str, says: &Value, value: &Value) -> bool {
    match (word, says) {
        ("type", Value::String(kind)) => is_a(kind, value),
        ("type", Value::Array(kinds)) => kinds.iter().any(|kind| is_a(kind.as_str().unwrap(), value)),
        ("const", says) => says == value,
        ("enum", Value::Array(values)) => values.contains(value),
        ("minimum", says) => value.as_f64() >= says.as_f64(),
        ("maximum", says) => value.as_f64() <= says.as_f64(),
        ("pattern", Value::String(pattern)) => {
            regex_lite::Regex::new(pattern).unwrap().is_match(value.as_str().unwrap_or_default())
        }
        ("required", Value::Array(names)) => {
            names.iter().all(|name| value.get(name.as_str().unwrap()).is_some())
        }
        ("minItems", says) => value.as_array().map(Vec::len) >= says.as_u64().map(|n| n as usize),
        ("maxItems", says) => value.as_array().map(Vec::len) <= says.as_u64().map(|n| n as usize),
        _ => panic!("the test does not know what `{word}` of a schema means"),
    }
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        _ => panic!("the test does not know the type `{kind}` of a schema"),
    }
}

#[test]
fn the_schema_is_that_of_every_record_of_the_manual() {
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
        let own: Known = fields.difference(&head).cloned().collect();
        let said: Known = described[kind].difference(&head).cloned().collect();
        assert_eq!(own, said, "{kind}");
    }
}

/// The fields that the manual describes of each type: the tags of its section, but for those of what a field holds.
fn fields_of_manual(manual: &str) -> BTreeMap<String, Known> {
    let mut all: BTreeMap<String, Known> = BTreeMap::new();
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
fn what_is_no_record_is_not_held_for_one() {
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
        let said = TODAY.strict(&TODAY.root, &serde_json::from_str(line).unwrap());
        assert!(said.as_ref().is_err_and(|said| said.contains(problem)), "{line}: {said:?}");
    }
}

#[test]
fn journals_of_an_earlier_version_are_read_as_they_were_then() {
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
