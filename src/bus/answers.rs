//! Decodes the data of answers, for both modes.

use super::driver::Verdict;
use crate::{
    record::{BoardEvent, BoardPosition, Fault, FaultKind, Mark, MarkKind, Mode},
    wire::{clock::ClockMessage, eeprom::CutEntries, frame::Decoder, message::Message, records},
};

/// Whether bytes that came without a command are messages of boards in this mode: whole messages, with few other bytes after
/// the first. Bytes before it may be the end of another message.
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

/// The number of a board by its serial number: the serial number itself if it could be a bus address, otherwise its last
/// four digits (10000 if these are zeros).
pub fn number_of_serial(serial: &str) -> Option<u16> {
    let digits: String = serial.chars().filter(char::is_ascii_digit).collect();
    let last_four = |digits: &str| digits.get(digits.len().saturating_sub(4)..)?.parse().ok();
    match digits.parse::<u16>() {
        Ok(0) => None,
        Ok(number @ ..=16_383) => Some(number),
        _ => last_four(&digits).map(|number: u16| if number == 0 { 10_000 } else { number }),
    }
}

/// The position in the data of a dump; none from a board of 100 squares, or one that senses only occupied squares.
pub fn dump(data: &[u8]) -> Option<BoardPosition> {
    if is_occupancy(data) {
        return None;
    }
    match records::position(data.try_into().ok()?) {
        BoardEvent::Position(position) => Some(position),
        _ => None,
    }
}

/// The message about a board that senses only occupied squares, with the reason why it is not recorded.
pub const OCCUPANCY: &str = "a board that senses where pieces stand and not which (a DGT Pegasus, say): it is not recorded, since \
    a capture, a promotion or a piece set up elsewhere cannot be read from it";

/// Whether a dump is from a board that senses only occupied squares: all codes are 00 or 01, on other boards a white pawn,
/// and there are more than eight 01.
pub fn is_occupancy(data: &[u8]) -> bool {
    let taken = data.iter().filter(|&&code| code == 1).count();
    data.len() == 64 && data.iter().all(|&code| code <= 1) && taken > 8
}

/// The fault for a dump that cannot be recorded.
pub fn no_dump(data: &[u8]) -> BoardEvent {
    if is_occupancy(data) {
        return fault(FaultKind::Corrupt, OCCUPANCY);
    }
    fault(FaultKind::Corrupt, format!("a dump of {} squares: records hold 64", data.len()))
}

/// A clock message; none if the data are invalid.
pub fn clock(data: &[u8]) -> Option<ClockMessage> {
    ClockMessage::decode(data.try_into().ok()?)
}

/// A version, such as "1.6"; none from boards of version 1.2 and older, which do not report it.
pub fn version(data: &[u8]) -> Option<String> {
    match data {
        [main, sub] => Some(format!("{main}.{sub}")),
        _ => None,
    }
}

/// The record of a start mark without a list of pieces after it.
pub fn start_mark() -> BoardEvent {
    BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false })
}

/// The records of a board's log: a `history` and its entries. The rest of an entry that is cut at its end is in the next packet.
pub fn history(log: &[u8], torn: bool, reason: &str) -> Vec<BoardEvent> {
    let mut events = Vec::new();
    records::history(&CutEntries::default().join(log), torn, reason, |event| events.push(event));
    events
}

/// A fault without bytes.
pub fn fault(kind: FaultKind, detail: impl Into<String>) -> BoardEvent {
    BoardEvent::Fault(Fault { kind, detail: detail.into(), bytes: None })
}
