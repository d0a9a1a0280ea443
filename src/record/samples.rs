//! Records made from the schema, for tests of readers and writers: a field that is added to a type is included.

use serde_json::{Map, Value, json};

use super::{VERSION, schema::schema_of_records, table::RecordType};

/// The fields of a record, the type left out.
pub type Fields = Map<String, Value>;

/// The schema, with its description of each type.
pub struct Samples {
    root: Value,
}

impl Samples {
    pub fn new() -> Samples {
        Samples { root: schema_of_records() }
    }

    /// The names of the types in the schema.
    pub fn types(&self) -> Vec<String> {
        let ways = self.root["anyOf"].as_array().unwrap().iter().flat_map(|way| self.ways(way));
        ways.map(|way| way["properties"]["type"]["const"].as_str().unwrap().to_owned()).collect()
    }

    /// A value for each field of this type, in the order of the schema; and the required ones alone.
    pub fn of(&self, of: RecordType) -> (Fields, Fields) {
        let ways = self.root["anyOf"].as_array().unwrap().iter().flat_map(|way| self.ways(way));
        let way = ways.into_iter().find(|way| way["properties"]["type"]["const"] == of.name()).unwrap();
        let mut all = Fields::new();
        let mut required = Vec::new();
        for part in [&way, self.resolved(&way)] {
            let fields = part["properties"].as_object().into_iter().flatten();
            all.extend(fields.map(|(name, schema)| (name.clone(), self.value(name, schema))));
            required.extend(part["required"].as_array().into_iter().flatten().cloned());
        }
        all.remove("type");
        let needed = all.clone().into_iter().filter(|(name, _)| required.contains(&name.as_str().into()));
        let needed = needed.collect();
        (all, needed)
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(path) => self.root.pointer(path.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    /// The alternatives of a part of the schema.
    fn ways(&self, schema: &Value) -> Vec<Value> {
        let part = self.resolved(schema);
        part["oneOf"].as_array().cloned().unwrap_or_else(|| vec![part.clone()])
    }

    /// A value other than the default.
    fn value(&self, name: &str, schema: &Value) -> Value {
        let given = match schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            Some("Time") => Some(json!("2026-11-21T10:00:07.412Z")),
            Some("Square") => Some(json!("e4")),
            Some("Placement") => Some(json!("8/8/8/4k3/8/8/8/8")),
            Some("Chips") => Some(json!({ "0300540203": "Q" })),
            Some("Seconds") => Some(json!(59.5)),
            _ => None,
        };
        let of_text = || match name {
            "fen" => json!("8/8/8/8/8/8/8/K1k5 w - - 0 1"),
            "uci" => json!("e2e4"),
            "san" => json!("e4"),
            "notation" => json!("c3:e5"),
            _ => json!("x"),
        };
        given.unwrap_or_else(|| {
            let schema = self.resolved(schema);
            let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
            let first = |word: &str| schema[word].as_array().map(|ways| ways[0].clone());
            match kind {
                _ if schema.get("const").is_some() => schema["const"].clone(),
                _ if first("enum").is_some() => first("enum").unwrap(),
                _ if first("oneOf").is_some() => self.value(name, &first("oneOf").unwrap()),
                _ if first("anyOf").is_some() => self.value(name, &first("anyOf").unwrap()),
                Some("string") => of_text(),
                Some("integer") if name == "records" => json!(VERSION),
                Some("integer") => json!(7),
                Some("number") => json!(0.25),
                Some("boolean") => json!(true),
                Some("array") if schema.get("prefixItems").is_some() => schema["prefixItems"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|item| self.value("", item))
                    .collect(),
                Some("array") => json!([self.value("", &schema["items"])]),
                Some("object") if schema.get("properties").is_some() => {
                    let fields = schema["properties"].as_object().unwrap();
                    // Variations consist of moves, which have variations.
                    let fields = fields.iter().filter(|(name, _)| *name != "variations");
                    Value::Object(
                        fields.map(|(name, schema)| (name.clone(), self.value(name, schema))).collect(),
                    )
                }
                Some("object") => json!({ "x": "y" }),
                _ => panic!("no value for `{name}`, of which the schema says {schema}"),
            }
        })
    }
}
