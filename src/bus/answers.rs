//! What the data of answers say where both modes have the same.

use super::driver::Verdict;
use crate::{
    record::{BoardEvent, BoardPosition, Fault, FaultKind, Mark, MarkKind, Mode},
    wire::{clock::ClockMessage, frame::Decoder, message::Message, records},
};

/// Whether bytes that came unasked are messages of boards in this mode: whole ones, with little else behind the first. What
/// comes before it may be the end of another.
pub fn heard(bytes: &[u8], mode: Mode) -> Verdict {
    let (mut good, mut bad, mut decoder) = (0, 0, Decoder::new(mode));
    decoder.push(bytes, |item| match item {
        Ok(frame) if Message::decode(&frame).is_ok() => good += frame.length(),
        Ok(frame) if good > 0 => bad += frame.length(),
        Err(rubbish) if good > 0 => bad += rubbish.bytes.len(),
        _ => {}
    });
    match good {
        0 => Verdict::No,
        _ if bad * 4 > good => Verdict::No,
        _ => Verdict::Yes,
    }
}

/// What stands on a board by the data of a dump; none from a board of 100 squares.
pub fn dump(data: &[u8]) -> Option<BoardPosition> {
    match records::position(data.try_into().ok()?) {
        BoardEvent::Position(position) => Some(position),
        _ => None,
    }
}

/// The fault that a dump is of no chess board.
pub fn no_dump(data: &[u8]) -> BoardEvent {
    fault(FaultKind::Corrupt, format!("a dump of {} squares: records hold 64", data.len()))
}

/// A clock message; none where the data are none.
pub fn clock(data: &[u8]) -> Option<ClockMessage> {
    ClockMessage::decode(data.try_into().ok()?)
}

/// "1.6"; boards of version 1.2 and older do not say.
pub fn version(data: &[u8]) -> Option<String> {
    match data {
        [main, sub] => Some(format!("{main}.{sub}")),
        _ => None,
    }
}

/// The start mark, where a board's list of pieces does not follow.
pub fn start_mark() -> BoardEvent {
    BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false })
}

/// What a board's log says: a `history` and what belongs to it.
pub fn history(log: &[u8], torn: bool, reason: &str) -> Vec<BoardEvent> {
    let mut events = Vec::new();
    records::history(log, torn, reason, |event| events.push(event));
    events
}

/// A diagnosis without bytes.
pub fn fault(kind: FaultKind, detail: impl Into<String>) -> BoardEvent {
    BoardEvent::Fault(Fault { kind, detail: detail.into(), bytes: None })
}
