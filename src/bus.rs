//! The master of a line, a bus of boards or one board alone: opens the port, finds the boards, polls them in turn, and
//! loses no change that they report.
//!
//! Commands call this room; it uses `wire`, `capture` and `record`.
//!
//! # The wire in a few minutes
//!
//! **On a bus the host asks and a board answers.** All boards share two wires; each has an address and answers a command
//! to it after a few milliseconds (later on a network: [`answer_time`](bus_mode::answer_time)). A board stores a single
//! command, so the host sends nothing before the answer to the last command has come or its time is up: a second command
//! would destroy both. An answer has a checksum of seven bits, but neither a number nor a reference to its command, so a
//! late answer must not be taken for that of the next command ([`exchange`](bus_mode::exchange) sets it aside).
//!
//! **SEND_CHANGES can be sent only once for each packet.** A board writes every change into a log in its EEPROM, and the
//! command fetches the entries since it was last sent. The board keeps the count: once it has answered, it considers the
//! packet delivered, whether the answer arrived or not. Every poll is such a command, since its answer is short when
//! nothing moved. So this room's first rule is that the command is never sent while an earlier packet is in doubt, or the
//! second packet would replace the only copy of the first. [`Fetch`](bus_mode::polled_board::Fetch) has a state for each
//! thing that may have to be fetched first, and a single state in which SEND_CHANGES is sent.
//!
//! **A packet is unconfirmed** from the moment SEND_CHANGES is sent until its records are published. How each kind of loss
//! is repaired:
//!
//! * *The answer was damaged, or did not come.* REPEAT_CHANGES fetches the last packet unchanged, any number of times.
//!   But where no answer came, the board may never have received the command: then the last packet is the one before,
//!   which must not be published twice. A packet that differs from the last one is the missing one; an equal packet is
//!   the old one, unless its changes could happen again (a piece lifted and put back).
//!   [`recovery`](bus_mode::recovery) distinguishes them.
//! * *They cannot be distinguished*, or a reset of the board (power-up and watchdog are marks in its log) deleted the last
//!   packet. Then SEND_FROM_START fetches the log since the start mark, without the entries that SEND_CHANGES will still
//!   fetch. The [`tracker`] keeps all entries published since that mark. Entries that the log has after those were missed
//!   and are published as if they had just come; if the two differ earlier, the whole log is published as a `history`.
//! * *A loss was not noticed*: another program on the line fetched changes, a board logged nothing, or a packet passed its
//!   checksum with a wrong square, as one in some thousands does on a bad line. A dump (SEND_BRD) shows the position now
//!   but not how it arose, and a damaged dump is soon replaced by the next. It is requested when the position is in doubt
//!   and the pieces rest, and at long intervals without a doubt; it counts when an empty poll after it shows that nothing
//!   moved meanwhile. If a dump disagrees with the published changes, the log is fetched; if the log does not explain it,
//!   the next dump is accepted and published ([`PositionCheck`](bus_mode::polled_board::PositionCheck)).
//! * *The board never answers one of these commands*: no document defines what a board does that has nothing to repeat. A
//!   board that answers pings, but not the command in three visits in a row (nine, where its log comes damaged), is not
//!   sent it again: the log then replaces the packet, and the position the log. The position itself is requested again
//!   after two minutes.
//! * *A long answer on a bad line is damaged every time*: its copies are compared byte by byte and the majority is taken.
//!
//! **A start mark** (SET_START_GAME) writes a mark and the list of all pieces into the log. SEND_FROM_START returns the log
//! from there on; without a mark the log has no beginning that the host can find, and cannot repair a loss. So a watch
//! writes one when a board is in a start position, at rest, and in no game ([`marks`] explains why that never hides a
//! move), and reads the log of a board whose game began before the watch.
//!
//! **The journal** ([`journal`]) prevents losses by a crash. A board discards a packet when it is asked for the next one;
//! so it is asked again only when the records of the packet before are safe on disk
//! ([`RecordSink::safe`](watch::RecordSink::safe)). After a killed watch at most one packet of each board is unpublished.
//! The first command about changes in a new run is REPEAT_CHANGES, which fetches that packet (or else the log does), and
//! the packet is compared with the end of the journal.
//!
//! **A board is lost** after three visits in a row without a whole answer; one or two are noise. The loss is published
//! once, and the board is asked at growing intervals, without end. It logs its changes meanwhile, so after it is found
//! again none are missing. When a port goes away, all boards on it are lost. The numbers of tries are in [`retry`].
//!
//! **Discovery.** Every board answers a broadcast ping at a random moment within 1.1 s, and answers that overlap damage
//! each other. So boards that were found are asked to ignore the next ping, and the rest are pinged again, until two rounds
//! bring nothing unexplained. An address read from a collision is a guess; it counts when it answers a ping of its own
//! ([`discovery`](bus_mode::discovery)). While boards are in play they are silenced one by one between polls, and only the
//! broadcast ping itself delays them.
//!
//! **A board alone** on its cable works differently: it reports its changes unasked, without address and checksum, and
//! cannot repeat them. A dump at rest shows whether any were missed, and its whole log is searched for the part that
//! belongs to the game in play ([`single_mode`]).
//!
//! # The files
//!
//! For every make of board, from the cable upwards:
//!
//! * [`link`]: the operations of a line (send, receive until a time); [`port`] implements it for real ports, [`capture`]
//!   writes its bytes to a file, [`ending`] ends work on it, and the tests of this room have fakes with simulated time.
//! * [`retry`]: numbers of tries, and the waits between them.
//! * [`watch`]: the operations of a watched line, the sink of its records, and the end of a watch.
//! * [`tracker`]: the published entries of a board and the position that follows from them; [`marks`]: when its start mark
//!   is due; [`followed_board`] combines both with whether the board answers. [`journal`] stores the published records,
//!   [`recall`] continues from the journal of an earlier run.
//! * [`answers`]: decodes the data of answers.
//! * [`driver`]: what a make of board must implement; [`detect`]: the list of makes, and which of them is on a line;
//!   [`listen`]: recognises a make before anything is sent.
//!
//! The makes: [`bus_mode`] and [`single_mode`] for DGT boards; [`millennium`], [`chessnut`] and [`certabo`], which share
//! [`whole_positions`].

pub mod answers;
pub mod bus_mode;
pub mod capture;
pub mod certabo;
pub mod chessnut;
pub mod detect;
pub mod driver;
pub mod ending;
pub mod followed_board;
pub mod journal;
pub mod link;
pub mod listen;
pub mod marks;
pub mod millennium;
pub mod port;
pub mod recall;
pub mod retry;
pub mod single_mode;
pub mod tracker;
pub mod watch;
pub mod whole_positions;

// The types that every make of board uses.
pub use driver::{Answered, Driver, FoundBoard, Progress, Recalled, ReportSearch, SearchEvent};
pub use link::{Gone, Interrupted, Link};
pub use watch::{FirstSearch, RecordSink, Watch, WatchSettings};
