//! The record that a journal of `subscribe` has besides the published records: its event, and how far that was read.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The event of a journal from here on, or how far a line of it was read.
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
    /// When the server created the event's stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The lines that are read; left out for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The line that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Arc<str>>,
    /// The sequence number of the last message of the line in the journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// When the server stored that message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
}
