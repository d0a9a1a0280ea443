//! What a journal of `subscribe` holds beside the records that were published: of what event it is, and how far that was
//! read.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Of what event a journal is from here on, or how far a line of it was read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "type", rename = "delivery", default)]
pub struct Delivery {
    /// The event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// `records` or `games`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// When the server made the event's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The lines that are read; left out for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The line that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Arc<str>>,
    /// The sequence of the last message that is written of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// When the server stored that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
}
