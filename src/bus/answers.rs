//! What the data of answers say where both modes have the same.

use super::driver::Verdict;
use crate::{
    record::{BoardEvent, BoardPosition, Fault, FaultKind, Mark, MarkKind, Mode},
    wire::{clock::ClockMessage, frame::Decoder, message::Message, records},
};

/// Whether bytes that came unasked are messages of boards in this mode: whole ones, with little else behind the first. What
/// comes before it may be the end of another.
pub fn heard(bytes: &[u8], mode: Mode) -> Verdict {
    let (mut good, mut bad, mut refused, mut decoder) = (0, 0, false, Decoder::new(mode));
    decoder.push(bytes, |item| match item {
        Ok(frame) if Message::decode(&frame).is_ok() => {
            good += frame.length();
            refused |= is_occupancy(frame.data);
        }
        Ok(frame) if good > 0 => bad += frame.length(),
        Err(rubbish) if good > 0 => bad += rubbish.bytes.len(),
        _ => {}
    });
    match good {
        _ if refused => Verdict::Refused(OCCUPANCY),
        0 => Verdict::No,
        _ if bad * 4 > good => Verdict::No,
        _ => Verdict::Yes,
    }
}

/// The number of a board by its serial number: that number where it could be a bus address, otherwise its last four digits
/// (10000 where these are zeros).
pub fn number_of_serial(serial: &str) -> Option<u16> {
    let digits: String = serial.chars().filter(char::is_ascii_digit).collect();
    let last_four = |digits: &str| digits.get(digits.len().saturating_sub(4)..)?.parse().ok();
    match digits.parse::<u16>() {
        Ok(0) => None,
        Ok(number @ ..=16_383) => Some(number),
        _ => last_four(&digits).map(|number: u16| if number == 0 { 10_000 } else { number }),
    }
}

/// What stands on a board by the data of a dump; none from a board of 100 squares, or one that senses no pieces.
pub fn dump(data: &[u8]) -> Option<BoardPosition> {
    if is_occupancy(data) {
        return None;
    }
    match records::position(data.try_into().ok()?) {
        BoardEvent::Position(position) => Some(position),
        _ => None,
    }
}

/// What a board that senses no pieces is, and why it is not recorded.
pub const OCCUPANCY: &str = "a board that senses where pieces stand and not which (a DGT Pegasus, say): it is not recorded, since \
    a capture, a promotion or a piece set up elsewhere cannot be read from it";

/// Whether a dump is of a board that senses no pieces: all squares are empty or 01, which is a white pawn elsewhere, and
/// there are more of these than pawns.
pub fn is_occupancy(data: &[u8]) -> bool {
    let taken = data.iter().filter(|&&code| code == 1).count();
    data.len() == 64 && data.iter().all(|&code| code <= 1) && taken > 8
}

/// The fault that a dump is of no chess board.
pub fn no_dump(data: &[u8]) -> BoardEvent {
    if is_occupancy(data) {
        return fault(FaultKind::Corrupt, OCCUPANCY);
    }
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
