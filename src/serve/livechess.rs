//! The calls of LiveChess's interface, and the messages that answer them.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{hall::EClock, json::compact};
use crate::record::Time;

/// A client's call.
#[derive(Debug, PartialEq)]
pub enum Call {
    /// All boards.
    EBoards,
    /// All devices to which boards are connected.
    Sources,
    /// Subscribe to a board, under a number of the client's choice.
    Subscribe { feed: Value, serial: String },
    /// End a feed.
    Unsubscribe { feed: Value },
    /// The game on the board of a feed begins, or continues, from this position.
    Setup { feed: Value, fen: String },
    /// Show the board of a feed turned, or not.
    Flip { feed: Value, flip: bool },
}

/// Reads a message: its id for the answer, and the call or the error in it.
pub fn read(text: &[u8]) -> (Value, Result<Call, String>) {
    let message: Map<String, Value> = match serde_json::from_slice(text) {
        Ok(message) => message,
        Err(e) => return (Value::Null, Err(format!("not an object of JSON: {e}"))),
    };
    let id = message.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default();
    let call = call(&message).and_then(|call| match id {
        Value::Null => Err("a message without an `id`".into()),
        _ => Ok(call),
    });
    (id, call)
}

/// Ids are numbers; a text is accepted and returned as one.
fn is_id(id: &Value) -> bool {
    id.is_number() || id.as_str().is_some_and(|text| text.len() <= 64)
}

fn call(message: &Map<String, Value>) -> Result<Call, String> {
    let param = message.get("param").unwrap_or(&Value::Null);
    match message.get("call").and_then(Value::as_str) {
        Some("eboards") => Ok(Call::EBoards),
        Some("sources") => Ok(Call::Sources),
        Some("subscribe") => {
            let feed = param.get("feed").and_then(Value::as_str).unwrap_or_default();
            if feed != "eboardevent" {
                return Err(format!("unknown feed {feed}"));
            }
            let serial = match param.get("param").and_then(|param| param.get("serialnr")) {
                Some(Value::String(serial)) => serial.clone(),
                Some(Value::Number(serial)) => serial.to_string(),
                _ => return Err("no `serialnr` of an eboard".into()),
            };
            Ok(Call::Subscribe { feed: feed_id(param)?, serial })
        }
        Some("unsubscribe") => Ok(Call::Unsubscribe { feed: feed_id(param)? }),
        Some("call") => method(param),
        Some(other) => Err(format!("unknown call {other}")),
        None => Err("a message without a `call`".into()),
    }
}

fn feed_id(param: &Value) -> Result<Value, String> {
    let id = param.get("id").filter(|id| is_id(id));
    id.cloned().ok_or_else(|| "no `id` of a feed".into())
}

fn method(param: &Value) -> Result<Call, String> {
    let feed = feed_id(param)?;
    let argument = |name: &str| param.get("param").and_then(|param| param.get(name));
    // Some clients send a flip as a setup, or its value as `fen`.
    let flip = argument("flip").or_else(|| argument("fen")).and_then(Value::as_bool);
    match (param.get("method").and_then(Value::as_str), flip) {
        (Some("setup" | "flip"), Some(flip)) => Ok(Call::Flip { feed, flip }),
        (Some("setup"), None) => match argument("fen").and_then(Value::as_str) {
            Some(fen) => Ok(Call::Setup { feed, fen: fen.to_owned() }),
            None => Err("a setup without a `fen`".into()),
        },
        (Some("flip"), None) => Err("a flip without `flip`".into()),
        (Some("unsubscribe"), _) => Ok(Call::Unsubscribe { feed }),
        (Some(other), _) => Err(format!("unknown method {other}")),
        (None, _) => Err("a call without a `method`".into()),
    }
}

/// A message: exactly these four fields.
#[derive(Serialize)]
struct Message<'a, P> {
    response: &'static str,
    id: &'a Value,
    param: P,
    time: i64,
}

/// The answer to a call.
pub fn answer(id: &Value, param: impl Serialize, now: Time) -> String {
    compact(&Message { response: "call", id, param, time: now.0 })
}

/// The answer to a call with an error.
pub fn error(id: &Value, message: &str, now: Time) -> String {
    /// The fields of LiveChess's error.
    #[derive(Serialize)]
    struct Problem<'a> {
        message: &'a str,
        stacktrace: &'a str,
    }
    compact(&Message { response: "error", id, param: Problem { message, stacktrace: "" }, time: now.0 })
}

/// The content of a feed's message about its board, without the id of the feed.
#[derive(Debug, Serialize)]
pub struct FeedBoard<'a> {
    pub serialnr: &'a str,
    pub flipped: bool,
    pub board: String,
    /// Left out where it has not changed; null where there is no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Option<EClock>>,
    #[serde(flatten)]
    pub game: Option<FeedGame<'a>>,
}

/// The game that the client has set up.
#[derive(Debug, Serialize)]
pub struct FeedGame<'a> {
    pub start: &'a str,
    pub san: &'a [String],
    #[serde(rename = "match")]
    pub matches: bool,
}

/// The message of a feed with this content; the id of the feed is JSON.
pub fn feed(id: &str, content: &str, now: Time) -> String {
    format!("{{\"response\":\"feed\",\"id\":{id},\"param\":{content},\"time\":{}}}", now.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> (Value, Result<Call, String>) {
        super::read(text.as_bytes())
    }

    #[test]
    fn calls_are_read_as_clients_send_them() {
        let feed = || json!(1);
        let cases = [
            (r#"{"id":1,"call":"eboards"}"#, Call::EBoards),
            (r#"{"id":48617,"call":"eboards","param":null}"#, Call::EBoards),
            (r#"{"param":{},"call":"eboards","id":10}"#, Call::EBoards),
            (r#"{"id":0,"param":null,"call":"sources"}"#, Call::Sources),
            (
                r#"{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"23946"}}}"#,
                Call::Subscribe { feed: feed(), serial: "23946".into() },
            ),
            (r#"{"id":3,"call":"unsubscribe","param":{"id":1}}"#, Call::Unsubscribe { feed: feed() }),
            (
                r#"{"id":3,"call":"call","param":{"id":1,"method":"unsubscribe"}}"#,
                Call::Unsubscribe { feed: feed() },
            ),
            (
                r#"{"id":3,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"8/8"}}}"#,
                Call::Setup { feed: feed(), fen: "8/8".into() },
            ),
            (
                r#"{"id":3,"call":"call","param":{"id":1,"method":"flip","param":{"flip":true}}}"#,
                Call::Flip { feed: feed(), flip: true },
            ),
            (
                r#"{"id":3,"call":"call","param":{"id":1,"method":"setup","param":{"flip":false}}}"#,
                Call::Flip { feed: feed(), flip: false },
            ),
            (
                r#"{"id":3,"call":"call","param":{"id":1,"method":"flip","param":{"fen":true}}}"#,
                Call::Flip { feed: feed(), flip: true },
            ),
        ];
        for (text, call) in cases {
            assert_eq!(read(text).1, Ok(call), "{text}");
        }
        assert_eq!(read(cases_id()).0, json!(0));
    }

    fn cases_id() -> &'static str {
        r#"{"id":0,"call":"eboards"}"#
    }

    #[test]
    fn invalid_calls_are_errors_under_their_id() {
        let cases = [
            (r#"{"id":7,"call":"subscribe","param":{"feed":"liveviewer","id":1}}"#, json!(7)),
            (r#"{"id":1,"call":"subscribe","param":{"feed":"eboardevent"}}"#, json!(1)),
            (r#"{"id":8,"call":"subscribe","param":{"feed":23946,"id":1}}"#, json!(8)),
            (r#"{"id":8,"call":"feed"}"#, json!(8)),
            (r#"{"id":9}"#, json!(9)),
            (r#"{"call":"eboards"}"#, Value::Null),
            (r#"{"id":[1],"call":"eboards"}"#, Value::Null),
            ("[]", Value::Null),
            ("", Value::Null),
            ("{\"id\":1e999}", Value::Null),
        ];
        for (text, id) in cases {
            let (read_id, call) = read(text);
            assert!(call.is_err() && read_id == id, "{text}: {read_id} {call:?}");
        }
    }
}
