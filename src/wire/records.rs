//! What boards say, as board records: the one place for the master of a bus, a single board, a simulator that
//! skips the wire, and `decode`.

use std::fmt::Write;

use super::{
    clock::{ClockMessage, Dial, Reading},
    eeprom::{Entry, entries, torn_entries},
    frame::{self, Frame, Trouble, join14},
    message::Message,
};
use crate::record::{
    self, BoardEvent, BoardFound, Change, Clock, FaultKind, History, Mark, MarkKind, Mode, Outcome, Piece,
    Placement, Position, Press, Seconds, Side, Square,
};

/// A dump of 64 piece codes. Result pieces leave their squares; two that disagree announce nothing.
pub fn position(codes: &[u8; 64]) -> BoardEvent {
    let mut result: Option<Outcome> = None;
    let mut agreed = true;
    for outcome in codes.iter().filter_map(|&code| Piece::from_code(code)?.outcome()) {
        agreed &= result.is_none_or(|result| result == outcome);
        result = Some(outcome);
    }
    BoardEvent::Position(Position {
        placement: Placement::from_codes(*codes),
        result: result.filter(|_| agreed),
    })
}

/// A change of a square, field 0 to 63; none for other fields. Code 0 empties it. `quick` where a board says so.
#[inline]
pub fn change(field: u8, piece: u8, quick: bool) -> Option<BoardEvent> {
    Some(BoardEvent::Change(Change {
        square: Square::from_field(field)?,
        piece: Piece::from_code(piece),
        quick: quick.then_some(true),
    }))
}

/// A mark, with what is known of the list of pieces behind it.
pub fn mark(mark: MarkKind) -> BoardEvent {
    let listing = matches!(mark, MarkKind::PowerUp | MarkKind::Watchdog | MarkKind::Start);
    BoardEvent::Mark(Mark { mark, listing })
}

/// What a clock message says; acknowledgements and empty messages say nothing.
pub fn clock(message: ClockMessage) -> Option<BoardEvent> {
    let clock = match message {
        ClockMessage::Reading(reading) => Clock {
            connected: true,
            left: Some(dial(reading.left)),
            right: Some(dial(reading.right)),
            running: Some(reading.running),
            turn: Some(reading.turn),
            low_battery: Some(reading.low_battery),
        },
        ClockMessage::Absent => {
            Clock { connected: false, left: None, right: None, running: None, turn: None, low_battery: None }
        }
        ClockMessage::Ack(_) | ClockMessage::Empty => return None,
    };
    Some(BoardEvent::Clock(clock))
}

fn dial(dial: Dial) -> record::Reading {
    record::Reading { seconds: Seconds(dial.seconds.into()), flag: dial.blocked || dial.fallen }
}

/// What an entry of the log says; those without a meaning say nothing.
#[inline]
pub fn entry(logged: Entry<'_>) -> Option<BoardEvent> {
    match logged {
        Entry::Change { field, piece, quick } => {
            change(field, piece, quick).or_else(|| Some(corrupt(no_square(field), &[])))
        }
        Entry::Time { side, seconds } => {
            Some(BoardEvent::Press(Press { side, seconds: Seconds(seconds.into()) }))
        }
        Entry::Mark(kind) => Some(mark(kind)),
        Entry::Debug | Entry::Reserved(_) => None,
        Entry::Bad(bytes) => Some(corrupt("no entry of a log", bytes)),
    }
}

/// What a log says since its start mark: a `history` and the records that belong to it.
///
/// `torn` is a log of the whole ring, which may begin anywhere; without it the log should begin with the
/// start mark, and if it does not the ring has been overwritten and may begin anywhere too.
pub fn history(log: &[u8], torn: bool, reason: &str, mut on: impl FnMut(BoardEvent)) {
    let start = Entry::Mark(MarkKind::Start);
    let whole = entries(log).next().is_none_or(|first| first == start);
    let logged = if whole && !torn { entries(log) } else { torn_entries(log) };
    let complete = logged.clone().any(|entry| entry == start);
    let records = logged.filter_map(entry);
    on(BoardEvent::History(History {
        reason: reason.into(),
        count: records.clone().count() as u64,
        complete,
    }));
    records.for_each(on);
}

/// Bytes that were no frame.
pub fn fault(fault: &frame::Fault<'_>) -> BoardEvent {
    let bytes = fault.bytes;
    let (kind, detail) = match fault.trouble {
        Trouble::Checksum => {
            (FaultKind::Checksum, format!("a frame of {} bytes with a wrong checksum", bytes.len()))
        }
        Trouble::Length => (FaultKind::Framing, "a header with a length that no frame has".into()),
        Trouble::CutShort => (FaultKind::Framing, format!("a frame that ends after {} bytes", bytes.len())),
        Trouble::Stray => (FaultKind::Framing, format!("{} bytes outside any frame", bytes.len())),
    };
    BoardEvent::Fault(record::Fault { kind, detail, bytes: Some(hex(bytes)) })
}

/// The address that a bus frame of a fault claims: a hint for a person, since any byte of it may be wrong.
pub fn claimed_address(fault: &frame::Fault<'_>) -> Option<u16> {
    match (fault.trouble, fault.bytes) {
        (Trouble::Checksum, &[_, _, _, high, low, ..]) => Some(join14(high, low)),
        _ => None,
    }
}

fn corrupt(detail: impl Into<String>, bytes: &[u8]) -> BoardEvent {
    let bytes = (!bytes.is_empty()).then(|| hex(bytes));
    BoardEvent::Fault(record::Fault { kind: FaultKind::Corrupt, detail: detail.into(), bytes })
}

fn no_square(field: u8) -> String {
    format!("field {field} is on no board of 64 squares")
}

/// So many bytes say enough in a diagnosis.
const SHOWN: usize = 128;

/// Bytes as people read them: `85 00 06`; after the first 128 an ellipsis.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(3 * bytes.len().min(SHOWN + 1));
    for (n, byte) in bytes.iter().take(SHOWN).enumerate() {
        let space = if n > 0 { " " } else { "" };
        let _ = write!(text, "{space}{byte:02x}");
    }
    if bytes.len() > SHOWN {
        text.push_str(" …");
    }
    text
}

/// Works out in single-board mode, where no log is read, when a side pressed its clock: the lever turned.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lever {
    last: Option<(Side, bool)>,
}

impl Lever {
    /// Takes the next clock message; a `press` when the lever has turned on a running clock.
    ///
    /// The message that shows the turn already has the increment.
    pub fn turn(&mut self, message: ClockMessage) -> Option<BoardEvent> {
        let ClockMessage::Reading(Reading { left, right, running, turn, .. }) = message else {
            if message == ClockMessage::Absent {
                self.last = None;
            }
            return None;
        };
        let (side, ran) = self.last.replace((turn, running))?;
        if side == turn || !(ran || running) {
            return None;
        }
        let halted = if side == Side::Left { left } else { right };
        Some(BoardEvent::Press(Press { side, seconds: Seconds(halted.seconds.into()) }))
    }
}

/// Tells what the frames of one line say.
#[derive(Debug, Clone)]
pub struct Teller {
    /// By bus address: whether the board has changed since it was last `quiet`. Empty in single-board mode.
    changed: Vec<bool>,
    /// What a board alone says of its address.
    address: Option<u16>,
    lever: Lever,
}

impl Teller {
    /// For a line in this mode.
    pub fn new(mode: Mode) -> Teller {
        let boards = if mode == Mode::Bus { 1 << 14 } else { 0 };
        Teller { changed: vec![false; boards], address: None, lever: Lever::default() }
    }

    /// Hands on the records of a frame, each with the board's address where it is known.
    pub fn tell(&mut self, frame: &Frame<'_>, mut on: impl FnMut(Option<u16>, BoardEvent)) {
        let board = frame.address.or(self.address);
        let mode = if frame.address.is_some() { Mode::Bus } else { Mode::Single };
        let found = |version: Option<String>| BoardFound { port: None, mode: Some(mode), version };
        let on_board = &mut |event| on(board, event);
        match Message::decode(frame) {
            Ok(Message::Changes(log)) => self.changes(board, log, on_board),
            Ok(Message::Field(field, piece)) => {
                on_board(change(field, piece, false).unwrap_or_else(|| corrupt(no_square(field), &[])));
            }
            Ok(Message::Clock(message)) => {
                if mode == Mode::Single {
                    self.lever.turn(message).into_iter().for_each(&mut *on_board);
                }
                clock(message).into_iter().for_each(on_board);
            }
            Ok(Message::Board(codes)) => on_board(position(codes)),
            Ok(Message::FromStart(log)) => history(log, false, "from-start", on_board),
            Ok(Message::Log(log)) => history(log, true, "log", on_board),
            Ok(Message::Ping) => on_board(BoardEvent::Board(found(None))),
            Ok(Message::Version(version)) => {
                on_board(BoardEvent::Board(found(version.map(|version| version.to_string()))));
            }
            Ok(Message::StartWritten) => {
                on_board(BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false }));
            }
            Ok(Message::Address(address)) => {
                self.address = Some(address);
                on(self.address, BoardEvent::Board(found(None)));
            }
            Ok(Message::Board100(_) | Message::BlackSquares(_) | Message::WhiteSquares(_)) => {
                on_board(corrupt("a dump of a board of 100 squares: records hold 64", frame.data));
            }
            Ok(
                Message::HardwareVersion(_)
                | Message::Serial(_)
                | Message::LongSerial(_)
                | Message::Trademark(_)
                | Message::Battery(_)
                | Message::I2cClock(_)
                | Message::Stats(_)
                | Message::Config(_),
            ) => {}
            Err(bad) => {
                let mut bytes = Vec::with_capacity(frame.length());
                frame.encode(&mut bytes);
                on_board(corrupt(bad.to_string(), &bytes));
            }
        }
    }

    #[inline]
    fn changes(&mut self, board: Option<u16>, log: &[u8], on: &mut impl FnMut(BoardEvent)) {
        let (mut told, mut moved) = (false, false);
        entries(log).filter_map(entry).for_each(|event| {
            told = true;
            moved |= matches!(event, BoardEvent::Change(_));
            on(event);
        });
        let Some(changed) = board.and_then(|board| self.changed.get_mut(usize::from(board))) else { return };
        *changed |= moved;
        if *changed && !told {
            *changed = false;
            on(BoardEvent::Quiet {});
        }
    }
}
