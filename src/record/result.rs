//! A result that may be open, `*`, as records write it.

use serde::{Deserialize, Deserializer, Serializer, de::Error};

use super::value::Outcome;

/// Writes a result; none is `*`.
pub fn serialize<S: Serializer>(result: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(result.map_or("*", Outcome::text))
}

/// Reads a result; `*` is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.as_str() {
        "*" => Ok(None),
        _ => text.parse().map(Some).map_err(|e| D::Error::custom(format_args!("`{text}` is {e} or *"))),
    }
}
