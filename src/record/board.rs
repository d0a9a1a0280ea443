//! Board records: what a board, or the link to it, reported.

use std::sync::Arc;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{
    calibration::Calibration,
    value::{Outcome, Piece, Placement, Seconds, Side, Square, Time},
};

/// A board record: an event with the fields common to all records.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardRecord {
    /// When the host received it; none where the source had no clock.
    pub time: Option<Time>,
    /// The name a source was given for its line.
    pub line: Option<Arc<str>>,
    /// The 14-bit bus address; none where unknown: then the stream is of one board.
    pub board: Option<u16>,
    /// The record's number in its run, from 1; only `watch` gives one.
    pub seq: Option<u64>,
    /// What happened.
    pub event: BoardEvent,
}

impl BoardRecord {
    /// An event of a board at a time, with no other fields.
    pub fn new(time: Option<Time>, board: Option<u16>, event: BoardEvent) -> BoardRecord {
        BoardRecord { time, line: None, board, seq: None, event }
    }
}

/// The event of a board record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(!untagged, tag = "type", rename_all = "lowercase"))]
pub enum BoardEvent {
    /// An answering board.
    Board(BoardFound),
    /// The current position.
    Position(BoardPosition),
    /// A square changed.
    Change(Change),
    /// The first empty poll at least one scan of the sensors (0.25 s) after the last change: the pieces rest. If that
    /// is within 1.5 s of the change, also the first empty poll after these 1.5 s: the pieces have settled.
    Quiet {},
    /// A side's clock was halted.
    Press(Press),
    /// The state of the clock.
    Clock(Clock),
    /// A mark in the board's log.
    Mark(Mark),
    /// The board's own log since its start mark follows.
    History(History),
    /// The board cannot be reached any more.
    Lost(LinkState),
    /// The board can be reached again.
    Found(LinkState),
    /// A diagnosis of the link, never data.
    Fault(Fault),
    /// How the board's answers came.
    Answers(Answers),
    /// Which pieces the chips are in that the board reports.
    Calibration(Calibration),
    /// What was set aside of what the board reported.
    Readings(Readings),
}

/// A board is identified by its line and its address.
pub type BoardName = (Option<Arc<str>>, Option<u16>);

impl BoardEvent {
    /// Whether a board reports this only in answer to a question. A journal that is begun again repeats the other state
    /// of each board, even of lost ones.
    pub fn is_of_now(&self) -> bool {
        matches!(self, BoardEvent::Change(_) | BoardEvent::Quiet {} | BoardEvent::Press(_))
    }

    /// Whether the log of a board contains such events.
    pub fn is_logged(&self) -> bool {
        matches!(self, BoardEvent::Change(_) | BoardEvent::Press(_) | BoardEvent::Mark(_))
    }
}

/// The protocol of a board, which depends on its maker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One of many on a bus.
    Bus,
    /// Alone on its cable.
    Single,
    /// A board of another make than DGT, which records call by its [`Make`].
    #[serde(skip)]
    Other(Make),
}

impl Mode {
    /// A board of Millennium's.
    pub const MILLENNIUM: Mode = Mode::Other(Make::Millennium);
    /// A board of Chessnut's.
    pub const CHESSNUT: Mode = Mode::Other(Make::Chessnut);
    /// A board of Certabo's.
    pub const CERTABO: Mode = Mode::Other(Make::Certabo);
}

/// Who made a board that is not of DGT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Make {
    /// Millennium, or a board that speaks the language of its ChessLink.
    Millennium,
    /// Chessnut.
    Chessnut,
    /// Certabo.
    Certabo,
}

/// An answering board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct BoardFound {
    /// The port it answers on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// The protocol of a board of DGT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Who made it, where that is not DGT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub make: Option<Make>,
    /// "1.6"; boards of version 1.2 and older do not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The serial number, as a board alone sends it: "3000147740".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
}

impl BoardFound {
    /// A board with this protocol.
    pub fn new(port: Option<String>, mode: Option<Mode>, version: Option<String>) -> BoardFound {
        match mode {
            Some(Mode::Other(make)) => {
                BoardFound { port, mode: None, make: Some(make), version, serial: None }
            }
            mode => BoardFound { port, mode, make: None, version, serial: None },
        }
    }

    /// The protocol of the board, of any maker.
    pub fn spoken(&self) -> Option<Mode> {
        self.make.map(Mode::Other).or(self.mode)
    }
}

/// A board dump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct BoardPosition {
    /// Field 0 as a8, as the board stands.
    pub placement: Placement,
    /// The result that a result piece on the board announces; its square is empty in `placement`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
}

/// A square changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Change {
    /// The board's own square.
    pub square: Square,
    /// What stands there now; `null` when the square became empty.
    #[serde(deserialize_with = "present")]
    pub piece: Option<Piece>,
    /// The board reports that under 250 ms passed since its last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quick: Option<bool>,
}

/// Makes a field that may be `null` one that may not be missing.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Piece>, D::Error> {
    Option::deserialize(deserializer)
}

/// A side's clock was halted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Press {
    /// The side just halted.
    pub side: Side,
    /// What its clock shows, increment included.
    pub seconds: Seconds,
}

/// One side of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ClockSide {
    /// What it shows.
    pub seconds: Seconds,
    /// Its flag has fallen.
    #[serde(default)]
    pub flag: bool,
}

/// The clock as it stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Clock {
    /// Whether there is a clock; without one the rest is left out.
    pub connected: bool,
    /// The left screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<ClockSide>,
    /// The right screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<ClockSide>,
    /// Whether it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<bool>,
    /// Whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Side>,
    /// Its battery is low.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_battery: Option<bool>,
}

/// A mark in the board's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Mark {
    /// Which one.
    pub mark: MarkKind,
    /// True when the board's list of its pieces follows as changes, onto an empty board.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listing: bool,
}

/// The one-byte codes of the log that mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    /// 6a: the board was switched on.
    PowerUp,
    /// 7c: the board's watchdog reset it.
    Watchdog,
    /// 7b: the start mark.
    Start,
    /// 6f: the start position of chess appeared.
    Begin,
    /// 7a: the same, board turned.
    BeginRotated,
    /// 6c: four full rows in another order.
    FourRows,
    /// 6d: no piece is left.
    Empty,
    /// 6e: the log was sent.
    Downloaded,
    /// 6b: the end of the log.
    End,
}

/// The size in bytes of the ring that a board keeps its log in. An entry takes a byte or more, so no [`History`] has
/// more records.
pub const RING: usize = 0x1f00;

/// The board's own log since its start mark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct History {
    /// Why it was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// How many records of this board follow and belong to it.
    pub count: u64,
    /// Whether the start mark was still in the log.
    pub complete: bool,
}

/// The link to a board broke or came back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct LinkState {
    /// `timeout`, `port-closed`, …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl LinkState {
    /// The reason of a board that is lost with its port.
    pub const PORT_CLOSED: &str = "port-closed";
}

/// What was wrong on the link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Fault {
    /// The class of the trouble.
    pub kind: FaultKind,
    /// The trouble in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The bytes in question, in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
}

impl Fault {
    /// The beginning of the detail of a fault where two boards have the same address.
    pub const TWO_BOARDS: &'static str = "two boards have this address";
}

/// How a board on a bus answered since the previous such record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Answers {
    /// The number of questions to the board.
    pub asked: u32,
    /// The number of questions without any answer.
    #[serde(default)]
    pub missed: u32,
    /// The number of questions whose answers were damaged.
    #[serde(default)]
    pub spoilt: u32,
    /// The median time until an answer began.
    pub median_seconds: Seconds,
    /// The longest time until an answer began.
    pub worst_seconds: Seconds,
    /// How long the line was busy with these questions and answers.
    pub line_seconds: Seconds,
    /// The length of the period.
    pub seconds: Seconds,
}

/// What was set aside since this was last reported, on a board of which single reports cannot be believed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Readings {
    /// Reports of the board.
    pub reports: u32,
    /// Pieces seen in one report on a square that was empty before and after it.
    #[serde(default)]
    pub ghosts: u32,
    /// Pieces missed in one report on a square where they stood before and after it.
    #[serde(default)]
    pub missed: u32,
    /// The square with most of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<Square>,
}

/// Classes of trouble on the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A frame whose checksum is wrong.
    Checksum,
    /// Bytes that are no frame.
    Framing,
    /// No answer in time.
    Timeout,
    /// A whole frame whose content cannot be.
    Corrupt,
    /// Records that a transport could not deliver.
    Gap,
}

impl FaultKind {
    /// All of them, in their order.
    pub const ALL: [FaultKind; 5] =
        [FaultKind::Checksum, FaultKind::Framing, FaultKind::Timeout, FaultKind::Corrupt, FaultKind::Gap];

    /// As the records name it.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Checksum => "checksum",
            FaultKind::Framing => "framing",
            FaultKind::Timeout => "timeout",
            FaultKind::Corrupt => "corrupt",
            FaultKind::Gap => "gap",
        }
    }
}
