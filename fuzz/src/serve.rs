//! Input of clients of `serve` (requests, WebSocket frames, calls) while boards report.

use std::io::Cursor;

use boardbus::{
    record::{BoardEvent, BoardPosition, BoardRecord, Change, Piece, Placement, Square, Time},
    serve::{Desk, Outbox, Route, View, limits, read_request},
};
use serde_json::Value;
use tungstenite::{Message, WebSocket, protocol::Role};

use super::bytes::Bytes;

/// Takes messages from the input: one byte chooses the kind, a second the length.
pub fn serve(data: &[u8]) {
    let mut input = Bytes::new(data);
    let (mut desk, mut out, mut now) = (Desk::default(), Outbox::new(), Time(1_700_000_000_000));
    let position = BoardEvent::Position(BoardPosition { placement: Placement::start(), result: None });
    desk.record(&BoardRecord::new(Some(now), Some(1025), position), now, &mut out);
    while !input.is_empty() {
        match input.below(5) {
            0 => {
                let length = input.below(2000);
                request(input.take(length));
            }
            1 => {
                let length = input.below(2000);
                frames(input.take(length), &mut desk, now, &mut out);
            }
            2 => {
                let length = input.below(500);
                call(input.take(length), &mut desk, now, &mut out);
            }
            3 => {
                now = Time(now.0 + input.below(3000) as i64);
                let (Some(square), piece) =
                    (Square::from_field(input.byte() % 64), Piece::from_code(input.byte()))
                else {
                    continue;
                };
                let event = BoardEvent::Change(Change { square, piece, quick: None });
                desk.record(&BoardRecord::new(Some(now), Some(1025), event), now, &mut out);
            }
            _ => {
                now = Time(now.0 + input.below(10_000) as i64);
                desk.record(&BoardRecord::new(Some(now), Some(1025), BoardEvent::Quiet {}), now, &mut out);
                desk.check(now, &mut out);
            }
        }
        for (_, text) in out.drain(..) {
            let message: Value = serde_json::from_str(&text).expect("each message is JSON");
            assert_eq!(message.as_object().map(|fields| fields.len()), Some(4), "{text}");
        }
    }
    desk.remove_client(1);
}

fn request(bytes: &[u8]) {
    if let Ok(Some(request)) = read_request(bytes) {
        assert!(request.length <= bytes.len());
        Route::of(&request.path, None);
    }
}

fn frames(bytes: &[u8], desk: &mut Desk, now: Time, out: &mut Outbox) {
    let stream = Cursor::new(Vec::new());
    let mut socket = WebSocket::from_partially_read(stream, bytes.to_vec(), Role::Server, Some(limits()));
    while let Ok(message) = socket.read() {
        if let Message::Text(text) = message {
            call(text.as_bytes(), desk, now, out);
        }
    }
}

/// Asserts that each call has one answer, which comes first.
fn call(text: &[u8], desk: &mut Desk, now: Time, out: &mut Outbox) {
    let before = out.len();
    desk.call(1, &View::All, text, now, out);
    let answers = out[before..].iter().filter(|(_, text)| !text.starts_with("{\"response\":\"feed\""));
    assert_eq!(answers.count(), 1);
    assert!(!out[before].1.starts_with("{\"response\":\"feed\""));
}
