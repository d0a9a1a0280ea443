//! A record as the line it is: what all records carry, around what happened.

use std::sync::Arc;

use serde::Serialize;

use super::value::Time;

/// The fields of a record of either layer, in the order of the contract; what a record has not got is left out.
#[derive(Serialize)]
pub(super) struct Written<'a, E> {
    pub r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: &'a Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    #[serde(flatten)]
    pub event: &'a E,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
}
