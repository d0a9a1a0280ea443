//! Turns messages of boards into board records, for the master of a bus, a single board, a simulator that skips the wire,
//! and `decode`.

use std::{borrow::Cow, collections::BTreeMap, fmt::Write, time::Duration};

use super::{
    clock::{ClockMessage, Dial, Reading},
    eeprom::{self, CutEntries, Entry, entries, torn_entries},
    frame::{self, Damage, Frame},
    message::{self, Message},
};
use crate::record::{
    self, BoardEvent, BoardFound, BoardPosition, Change, Clock, FaultKind, History, Mark, MarkKind, Mode,
    Outcome, Piece, Placement, Press, Seconds, Side, Square, Time,
};

/// The time in which a board reads all its sensors once. A square without a change for longer has its final piece.
pub const SCAN: Duration = Duration::from_millis(250);

/// The time after which a position without changes is taken as intended: a hand that pauses in a move continues sooner.
/// If `quiet` was published earlier than this, it is published a second time.
pub const SETTLED: Duration = Duration::from_millis(1500);

/// The position in a dump of 64 piece codes. Result pieces become its `result`; if two of them disagree there is none.
pub fn position(codes: &[u8; 64]) -> BoardEvent {
    let mut result: Option<Outcome> = None;
    let mut agreed = true;
    for outcome in codes.iter().filter_map(|&code| Piece::from_code(code)?.outcome()) {
        agreed &= result.is_none_or(|result| result == outcome);
        result = Some(outcome);
    }
    BoardEvent::Position(BoardPosition {
        placement: Placement::from_codes(*codes),
        result: result.filter(|_| agreed),
    })
}

/// The change of a field, 0 to 63; none for others. Code 0 empties it. `quick`: less than 250 ms after the change before.
#[inline]
pub fn change(field: u8, piece: u8, quick: bool) -> Option<BoardEvent> {
    Some(BoardEvent::Change(square_change(Square::from_field(field)?, piece, quick)))
}

#[inline]
fn square_change(square: Square, piece: u8, quick: bool) -> Change {
    Change { square, piece: Piece::from_code(piece), quick: quick.then_some(true) }
}

/// The record of a mark; `listing` if a list of all pieces follows it.
pub fn mark(mark: MarkKind) -> BoardEvent {
    let listing = matches!(mark, MarkKind::PowerUp | MarkKind::Watchdog | MarkKind::Start);
    BoardEvent::Mark(Mark { mark, listing })
}

/// The record of a clock message; none for acknowledgements and empty messages.
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
        ClockMessage::Absent => Clock::default(),
        ClockMessage::Ack(_) | ClockMessage::Empty => return None,
    };
    Some(BoardEvent::Clock(clock))
}

fn dial(dial: Dial) -> record::ClockSide {
    record::ClockSide { seconds: Seconds(dial.seconds.into()), flag: dial.blocked || dial.fallen }
}

/// The record of an entry of the log; none for entries without a meaning here.
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
        Entry::Debug | Entry::NewAddress(_) | Entry::Reserved(_) => None,
        Entry::Bad(bytes) => Some(no_entry(bytes)),
    }
}

/// The records of a packet of changes. Some boards end every packet with the end code, an empty one too; it is left out,
/// since it only matters in a log of the whole ring.
pub fn packet(data: &[u8]) -> impl Iterator<Item = BoardEvent> {
    entries(data).filter_map(packet_entry)
}

#[inline]
fn packet_entry(logged: Entry<'_>) -> Option<BoardEvent> {
    if logged == Entry::Mark(MarkKind::End) { None } else { entry(logged) }
}

/// Passes a `history` and the records of a log to `on`.
///
/// A log of the whole ring is `torn`: it may begin in the middle of an entry, and the marks of a start position count as
/// start marks. So may any other log that does not begin with its start mark: the ring was overwritten.
pub fn history(log: &[u8], torn: bool, reason: &str, mut on: impl FnMut(BoardEvent)) {
    let start = Entry::Mark(MarkKind::Start);
    let whole = entries(log).next().is_none_or(|first| first == start);
    let logged = if whole && !torn { entries(log) } else { torn_entries(log) };
    // A board alone on its cable may never get a start mark from a host; it marks by itself where a game can begin.
    let begins = |entry| match entry {
        Entry::Mark(MarkKind::Begin | MarkKind::BeginRotated) => torn,
        entry => entry == start,
    };
    let complete = logged.clone().any(begins);
    let is_kept = |logged: &Entry| torn || *logged != Entry::Mark(MarkKind::End);
    let records = logged.filter(is_kept).filter_map(entry);
    on(BoardEvent::History(History {
        reason: reason.into(),
        count: records.clone().count() as u64,
        complete,
    }));
    records.for_each(on);
}

/// The fault of bytes that are no frame.
pub fn fault(fault: &frame::BadBytes<'_>) -> BoardEvent {
    let bytes = fault.bytes;
    let detail = match (fault.damage, bytes.len()) {
        (Damage::Checksum, length) => format!("a frame of {length} bytes with a wrong checksum"),
        (Damage::Length, _) => "a header with a length that no frame has".into(),
        (Damage::CutShort, 1) => "a frame that ends after one byte".into(),
        (Damage::CutShort, length) if bytes[1] & 0x80 != 0 => {
            format!("{length} bytes that each begin a frame")
        }
        (Damage::CutShort, length) => format!("a frame that ends after {length} bytes"),
        (Damage::Stray, 1) => "a byte outside any frame".into(),
        (Damage::Stray, length) => format!("{length} bytes outside any frame"),
    };
    let checksum = fault.damage == Damage::Checksum;
    let kind = if checksum { FaultKind::Checksum } else { FaultKind::Framing };
    BoardEvent::Fault(record::Fault { kind, detail, bytes: Some(hex(bytes)) })
}

fn corrupt(detail: impl Into<String>, bytes: &[u8]) -> BoardEvent {
    let bytes = (!bytes.is_empty()).then(|| hex(bytes));
    BoardEvent::Fault(record::Fault { kind: FaultKind::Corrupt, detail: detail.into(), bytes })
}

fn no_entry(bytes: &[u8]) -> BoardEvent {
    corrupt("no entry of a log", bytes)
}

fn no_square(field: u8) -> String {
    format!("field {field} is on no board of 64 squares")
}

/// The most bytes that a fault quotes; more do not help a diagnosis.
const QUOTED_MAX_BYTES: usize = 128;

/// Bytes in hexadecimal digits: `85 00 06`; after the first 128 an ellipsis.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(3 * bytes.len().min(QUOTED_MAX_BYTES + 1));
    for (n, byte) in bytes.iter().take(QUOTED_MAX_BYTES).enumerate() {
        let space = if n > 0 { " " } else { "" };
        let _ = write!(text, "{space}{byte:02x}");
    }
    if bytes.len() > QUOTED_MAX_BYTES {
        text.push_str(" …");
    }
    text
}

/// Detects presses of the clock in single-board mode, where no log is read: a press turns the lever.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lever {
    /// Whose turn the last reading shows, and whether the clock ran.
    last: Option<(Side, bool)>,
}

impl Lever {
    /// Takes the next clock message and returns a `press` if the lever has turned on a running clock.
    ///
    /// The time of the press includes the increment, which is in the message that shows the turn.
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

/// Whether `quiet` was published since the last change of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It was not.
    Unpublished,
    /// It was, before the position counted as settled: it is to be published a second time.
    PublishedEarly,
    /// It was, or the board never reported a change.
    Published,
}

/// The times of the last reports of a board.
#[derive(Debug, Clone, Copy)]
struct LastReports {
    anything: Time,
    change: Option<Time>,
}

/// Makes board records of the frames of one line.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// By bus address: whether `quiet` was published. Empty in single-board mode.
    rests: Vec<Rest>,
    /// By bus address: the times of the last reports, of boards whose frames came with times.
    last_reports: BTreeMap<u16, LastReports>,
    /// By address: the entry that the last packet of a board began.
    cut: BTreeMap<Option<u16>, CutEntries>,
    /// The address that a board alone on its line reported.
    address: Option<u16>,
    lever: Lever,
}

impl Recorder {
    /// A recorder for a line in this mode.
    pub fn new(mode: Mode) -> Recorder {
        let boards = if mode == Mode::Bus { 1 << 14 } else { 0 };
        Recorder {
            rests: vec![Rest::Published; boards],
            last_reports: BTreeMap::new(),
            cut: BTreeMap::new(),
            address: None,
            lever: Lever::default(),
        }
    }

    /// Passes the records of a frame to `on`, with the board's address if known. `time`: when it was received, if known.
    pub fn record(
        &mut self,
        frame: &Frame<'_>,
        time: Option<Time>,
        mut on: impl FnMut(Option<u16>, BoardEvent),
    ) {
        let board = frame.address.or(self.address);
        let mode = if frame.address.is_some() { Mode::Bus } else { Mode::Single };
        let found = |version: Option<String>| BoardFound::new(None, Some(mode), version);
        let on_board = &mut |event| on(board, event);
        match Message::decode(frame) {
            Ok(Message::Changes(log)) => self.changes(board, time, log, on_board),
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
            Ok(Message::FromStart(log)) => {
                self.cut.remove(&board);
                history(&self.whole_entries(board, log), false, "from-start", on_board);
            }
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
            Ok(Message::Serial(text) | Message::LongSerial(text)) => {
                on_board(BoardEvent::Board(BoardFound { serial: message::serial(text), ..found(None) }));
            }
            Ok(
                Message::HardwareVersion(_)
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

    /// Passes faults for entries that were begun and never completed, at the end of the input.
    pub fn finish(&mut self, mut on: impl FnMut(Option<u16>, BoardEvent)) {
        for (board, cut) in std::mem::take(&mut self.cut) {
            on(board, no_entry(cut.begun()));
        }
    }

    /// The complete entries of a board's packet, with the beginning of the first from its last packet.
    #[inline]
    fn whole_entries<'a>(&mut self, board: Option<u16>, packet: &'a [u8]) -> Cow<'a, [u8]> {
        // Fast path: most boards never cut an entry.
        if self.cut.is_empty() && eeprom::cut_off(packet) == 0 {
            return Cow::Borrowed(packet);
        }
        let cut = self.cut.entry(board).or_default();
        let log = cut.join(packet);
        if cut.begun().is_empty() {
            self.cut.remove(&board);
        }
        log
    }

    #[inline]
    fn changes(
        &mut self,
        board: Option<u16>,
        time: Option<Time>,
        log: &[u8],
        on: &mut impl FnMut(BoardEvent),
    ) {
        let log = self.whole_entries(board, log);
        // The beginning of an entry shows that the pieces move.
        let (mut reported, mut moved) = (self.cut.contains_key(&board), false);
        for logged in entries(&log) {
            // Fast path: nearly all entries are changes; built directly in the call, their records are not copied.
            if let Entry::Change { field, piece, quick } = logged
                && let Some(square) = Square::from_field(field)
            {
                (reported, moved) = (true, true);
                on(BoardEvent::Change(square_change(square, piece, quick)));
            } else if let Some(event) = packet_entry(logged) {
                reported = true;
                on(event);
            }
        }
        let Some(board) = board else { return };
        let Some(rest) = self.rests.get_mut(usize::from(board)) else { return };
        if moved {
            *rest = Rest::Unpublished;
        }
        if reported {
            if let Some(anything) = time {
                let before = self.last_reports.get(&board).and_then(|last| last.change);
                let change = if moved { time } else { before };
                self.last_reports.insert(board, LastReports { anything, change });
            }
            return;
        }
        if *rest == Rest::Published {
            return;
        }
        let last = self.last_reports.get(&board);
        let passed = |since: Option<Time>, wait: Duration| {
            since.zip(time).is_none_or(|(since, now)| since.seconds_until(now) >= wait.as_secs_f64())
        };
        let settled = passed(last.and_then(|last| last.change), SETTLED);
        // Less than a scan after the last change a move may still be under way.
        if *rest == Rest::Unpublished && !passed(last.map(|last| last.anything), SCAN)
            || *rest == Rest::PublishedEarly && !settled
        {
            return;
        }
        *rest = if settled { Rest::Published } else { Rest::PublishedEarly };
        on(BoardEvent::Quiet {});
    }
}

#[cfg(test)]
mod tests;
