//! Turns messages of boards into board records, for the master of a bus, a single board, a simulator that skips the wire,
//! and `decode`.

use std::{collections::BTreeMap, fmt::Write, time::Duration};

use super::{
    clock::{ClockMessage, Dial, Reading},
    eeprom::{Entry, entries, torn_entries},
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
        Entry::Bad(bytes) => Some(corrupt("no entry of a log", bytes)),
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

    #[inline]
    fn changes(
        &mut self,
        board: Option<u16>,
        time: Option<Time>,
        log: &[u8],
        on: &mut impl FnMut(BoardEvent),
    ) {
        let (mut reported, mut moved) = (false, false);
        for logged in entries(log) {
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
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::{record::BoardRecord, wire::frame::Decoder};

    /// The records of these bytes as JSON lines without quotes, so that tests hold to the contract, not to our types.
    fn records(mode: Mode, bytes: &[u8]) -> Vec<String> {
        let mut recorder = Recorder::new(mode);
        let mut lines = Vec::new();
        let mut write = |board, event| {
            let record = BoardRecord::new(None, board, event);
            lines.push(serde_json::to_string(&record).expect("a record").replace('"', ""));
        };
        let mut decoder = Decoder::new(mode);
        decoder.push(bytes, |event| match event {
            Ok(frame) => recorder.record(&frame, None, &mut write),
            Err(bad) => write(None, fault(&bad)),
        });
        decoder.finish(|event| {
            if let Err(bad) = event {
                write(None, fault(&bad));
            }
        });
        lines
    }

    fn bus(messages: &[Message<'_>]) -> Vec<String> {
        let mut bytes = Vec::new();
        assert!(messages.iter().all(|message| message.encode(Some(1025), &mut bytes)));
        records(Mode::Bus, &bytes)
    }

    #[test]
    fn a_move_and_a_press_are_recorded_and_then_quiet() {
        let log = [0x40, 0x34, 0x51, 0x24, 0x70, 0x59, 0x58];
        let idle = Message::Changes(&[]);
        assert_eq!(
            bus(&[idle, Message::Changes(&log), idle, idle, Message::Changes(&log[4..]), idle]),
            [
                "{type:change,board:1025,square:e2,piece:null}",
                "{type:change,board:1025,square:e4,piece:P,quick:true}",
                "{type:press,board:1025,side:left,seconds:3598}",
                "{type:quiet,board:1025}",
                "{type:press,board:1025,side:left,seconds:3598}",
            ]
        );
    }

    #[test]
    fn quiet_is_published_after_a_scan_without_changes() {
        let mut recorder = Recorder::new(Mode::Bus);
        let mut published = Vec::new();
        let packets =
            [(0, &[0x40, 0x34][..]), (65, &[]), (130, &[0x41, 0x24]), (379, &[]), (380, &[]), (900, &[])];
        for (at, log) in packets {
            let frame = Frame { id: 0x85, address: Some(1025), data: log };
            recorder.record(&frame, Some(Time(at)), |_, event| published.push((at, event.kind())));
        }
        assert_eq!(published, [(0, "change"), (130, "change"), (380, "quiet")]);
    }

    #[test]
    fn early_quiet_is_published_a_second_time() {
        let quiet_times = |packets: &[(i64, &[u8])]| {
            let (mut recorder, mut published) = (Recorder::new(Mode::Bus), Vec::new());
            for &(at, data) in packets {
                let frame = Frame { id: 0x85, address: Some(1025), data };
                recorder.record(&frame, Some(Time(at)), |_, event| published.push((at, event.kind())));
            }
            published.retain(|(_, kind)| *kind == "quiet");
            published.into_iter().map(|(at, _)| at).collect::<Vec<_>>()
        };
        let (lift, press) = (&[0x40, 0x34][..], &[0x70, 0x59, 0x58][..]);
        assert_eq!(quiet_times(&[(0, lift), (300, &[]), (1499, &[]), (1500, &[]), (9000, &[])]), [300, 1500]);
        // Polled slowly, the board gets one record only. A press does not delay the second record, a change does.
        assert_eq!(quiet_times(&[(0, lift), (1500, &[]), (3000, &[])]), [1500]);
        assert_eq!(quiet_times(&[(0, lift), (300, &[]), (600, press), (900, &[]), (1500, &[])]), [300, 1500]);
        assert_eq!(
            quiet_times(&[(0, lift), (300, &[]), (1400, lift), (1700, &[]), (2899, &[])]),
            [300, 1700]
        );
    }

    #[test]
    fn marks_state_whether_a_list_of_pieces_follows() {
        assert_eq!(
            bus(&[Message::Changes(&[
                0x7c, 0x7f, 0x7f, 0x7f, 0x6a, 0x7b, 0x6f, 0x7a, 0x6c, 0x6d, 0x6e, 0x6b
            ])]),
            [
                "{type:mark,board:1025,mark:watchdog,listing:true}",
                "{type:mark,board:1025,mark:power-up,listing:true}",
                "{type:mark,board:1025,mark:start,listing:true}",
                "{type:mark,board:1025,mark:begin}",
                "{type:mark,board:1025,mark:begin-rotated}",
                "{type:mark,board:1025,mark:four-rows}",
                "{type:mark,board:1025,mark:empty}",
                "{type:mark,board:1025,mark:downloaded}",
            ]
        );
    }

    #[test]
    fn a_packet_of_only_the_end_code_is_empty() {
        let (end, e4) = (Message::Changes(&[0x6b]), Message::Changes(&[0x41, 0x24, 0x7e, 0x48, 0x01, 0x6b]));
        assert_eq!(
            bus(&[end, e4, end, end, Message::FromStart(&[0x7b, 0x6b])]),
            [
                "{type:change,board:1025,square:e4,piece:P}",
                "{type:quiet,board:1025}",
                "{type:history,board:1025,reason:from-start,count:1,complete:true}",
                "{type:mark,board:1025,mark:start,listing:true}",
            ]
        );
    }

    #[test]
    fn a_history_has_the_count_of_its_records() {
        assert_eq!(
            bus(&[Message::FromStart(&[0x7f, 0x7b, 0x42, 0x38, 0x7e, 0x48, 0x01, 0x40, 0x38, 0x7d])]),
            [
                "{type:history,board:1025,reason:from-start,count:3,complete:true}",
                "{type:mark,board:1025,mark:start,listing:true}",
                "{type:change,board:1025,square:a1,piece:R}",
                "{type:change,board:1025,square:a1,piece:null}",
            ]
        );
    }

    #[test]
    fn an_overwritten_log_begins_with_its_first_whole_entry() {
        assert_eq!(
            bus(&[Message::FromStart(&[0x03, 0x59, 0x40, 0x3c])]),
            [
                "{type:history,board:1025,reason:from-start,count:1,complete:false}",
                "{type:change,board:1025,square:e1,piece:null}",
            ]
        );
        assert_eq!(
            bus(&[Message::FromStart(&[])]),
            ["{type:history,board:1025,reason:from-start,count:0,complete:false}"]
        );
    }

    #[test]
    fn a_result_piece_becomes_the_result_of_the_position() {
        let mut codes = [0; 64];
        (codes[27], codes[4]) = (0x0e, 0x0b);
        assert_eq!(
            bus(&[Message::Board(&codes), Message::Changes(&[0x4d, 0x1b])]),
            [
                "{type:position,board:1025,placement:4k3/8/8/8/8/8/8/8,result:1-0}",
                "{type:change,board:1025,square:d5,piece:1/2-1/2}",
            ]
        );
        codes[28] = 0x0f;
        assert_eq!(
            bus(&[Message::Board(&codes)]),
            ["{type:position,board:1025,placement:4k3/8/8/8/8/8/8/8}"]
        );
    }

    #[test]
    fn answers_of_boards_are_recorded_with_their_content() {
        let version = super::super::message::Version { main: 1, sub: 6 };
        assert_eq!(
            bus(&[
                Message::Ping,
                Message::Version(Some(version)),
                Message::Version(None),
                Message::StartWritten
            ]),
            [
                "{type:board,board:1025,mode:bus}",
                "{type:board,board:1025,mode:bus,version:1.6}",
                "{type:board,board:1025,mode:bus}",
                "{type:mark,board:1025,mark:start}",
            ]
        );
    }

    /// The bytes of a real board: the message in which the lever has turned already includes the increment.
    #[test]
    fn in_single_mode_a_turned_lever_is_a_press() {
        let bytes = [
            0x90, 0x00, 0x05, 0x08, 0x01, //
            0x8d, 0x00, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x02, 0x59, 0x09, //
            0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0x00, 0x00, // an acknowledgement
            0x8d, 0x00, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13, //
            0x8d, 0x00, 0x0a, 0x20, 0x03, 0x01, 0x20, 0x03, 0x01, 0x12, // stopped
            0x8d, 0x00, 0x0a, 0x20, 0x03, 0x01, 0x20, 0x03, 0x01, 0x08, // turned while it is stopped
            0x8d, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, // pulled out
        ];
        let clock = |left, right, running, turn| {
            format!(
                "{{type:clock,board:1025,connected:true,left:{{seconds:{left},flag:false}},\
                 right:{{seconds:{right},flag:false}},running:{running},turn:{turn},low_battery:false}}"
            )
        };
        assert_eq!(
            records(Mode::Single, &bytes),
            [
                "{type:board,board:1025,mode:single}".to_owned(),
                clock(179, 182, true, "left"),
                "{type:press,board:1025,side:left,seconds:181}".to_owned(),
                clock(181, 182, true, "right"),
                clock(181, 181, false, "right"),
                clock(181, 181, false, "left"),
                "{type:clock,board:1025,connected:false}".to_owned(),
            ]
        );
    }

    #[test]
    fn impossible_bytes_become_a_fault_that_quotes_them() {
        assert_eq!(
            records(Mode::Bus, &[0x85, 0x00, 0x06, 0x08, 0x01, 0x15]),
            [
                "{type:fault,kind:checksum,detail:a frame of 6 bytes with a wrong checksum,bytes:85 00 06 08 01 15}"
            ]
        );
        assert_eq!(
            records(Mode::Single, &[0x8d, 0x00, 0x0a, 0x2c, 0x08, 0x08, 0x20, 0x00, 0x00, 0x09]),
            ["{type:fault,kind:corrupt,detail:a clock reading that cannot be: hours above 9, or no decimal \
              digits below 60,bytes:8d 00 0a 2c 08 08 20 00 00 09}"]
        );
        assert_eq!(
            bus(&[Message::Changes(&[0x41, 0x60, 0x70, 0x59])]),
            [
                "{type:fault,board:1025,kind:corrupt,detail:field 96 is on no board of 64 squares}",
                "{type:fault,board:1025,kind:corrupt,detail:no entry of a log,bytes:70 59}",
            ]
        );
        assert_eq!(records(Mode::Bus, &[0x11; 300])[0].matches("11 ").count(), 128);
    }

    proptest! {
        #[test]
        fn any_bytes_are_recorded_and_histories_count_their_records(bytes in vec(any::<u8>(), 0..400)) {
            let single = records(Mode::Single, &bytes);
            prop_assert!(single.len() <= bytes.len());
            let log: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
            let published = bus(&[Message::FromStart(&log)]);
            let count = format!("count:{},", published.len() - 1);
            prop_assert!(published[0].contains(&count), "{:?}", published);
        }
    }
}
