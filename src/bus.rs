//! The master of a line, a bus of boards or one board alone: opens the port, finds the boards, asks them in turn, and
//! loses nothing they said.
//!
//! Commands call this room; of the others it knows `wire`, `capture` and `record`.
//!
//! # The wire in a few minutes
//!
//! **A bus is a question and its answer.** All boards hear the same two wires; each has an address and speaks when it
//! is asked, a few milliseconds later (on a network more: [`answer_time`](bus_mode::answer_time)). A board holds a single
//! command, so nothing is sent before the answer to the last one is there or its time is up: pipelining would spoil both.
//! An answer has a checksum of seven bits, no number and
//! no word of what was asked, so one that comes after its time must not pass for that of the next command
//! ([`exchange`](bus_mode::exchange) sets it aside).
//!
//! **SEND_CHANGES forgets.** A board writes every change into a log in its EEPROM, and the command brings what was
//! added since it was last sent. It is the board that remembers how far that was: once it has answered it considers
//! the packet delivered, whether the answer arrived or not. Every poll is such a command, since it is short when
//! nothing moved; so this room's first rule is that it is never sent while an earlier packet is in doubt, or the
//! second would push out the only copy of the first. [`Fetch`](bus_mode::polled_board::Fetch) has a state for each
//! thing that may have to be fetched first, and one single state in which SEND_CHANGES is sent.
//!
//! **A packet is unconfirmed** from the moment SEND_CHANGES leaves until what it brought is published. What heals which
//! loss:
//!
//! * *The answer was spoilt, or did not come.* REPEAT_CHANGES brings the last packet unchanged, as often as one likes.
//!   But where nothing came the board may never have heard the command: then the last packet is the one before, and
//!   publishing it would tell the same twice. A packet other than the last is the missing one; the same bytes are the
//!   old one, unless they could happen again (a piece lifted and put back). [`recovery`](bus_mode::recovery) tells
//!   them apart.
//! * *That cannot be told*, or a reset of the board (power-up and watchdog stand in its log) took the last packet. Then
//!   SEND_FROM_START brings the log since the start mark, but for what SEND_CHANGES has still to fetch. The
//!   [`tracker`] keeps everything it was told since that mark, so the two can be compared: what the log has beyond it
//!   was missed and is published as if it had just come; where they differ earlier, the whole log is published as a
//!   `history`.
//! * *Nobody noticed that something was lost*: another program on the line fetched changes, a board logged nothing, one
//!   packet in some thousands on a bad line passes its checksum with a wrong square. A dump (SEND_BRD) shows what
//!   stands there now, not how it came about, and is never wrong for long. It is taken when there is a doubt and the
//!   pieces rest, now and then without one, and counts when an empty poll behind it shows that nothing moved meanwhile.
//!   One that disagrees brings the log; where the log does not explain it, the next dump is believed and published
//!   ([`PositionCheck`](bus_mode::polled_board::PositionCheck)).
//! * *The board never answers one of these questions*: nothing says what a board does that has nothing to repeat. One that
//!   answers pings and was asked in vain in three visits in a row (in nine, where its log comes spoilt) is not asked again:
//!   then the log must do for the packet, and the position for the log. For a position it is asked again after two minutes.
//! * *A long answer on a bad line is spoilt every time*: copies of it are laid side by side, byte by byte.
//!
//! **A start mark** (SET_START_GAME) writes a mark and the list of all pieces into the log. It is what SEND_FROM_START
//! counts from: without it a board's log has no beginning that both sides know, and cannot heal anything. So a watch
//! writes it when a board stands in a start position, at rest, and is in no game ([`marks`] says why that never hides a
//! move), and a board whose game was begun by somebody else is read from its log at first sight.
//!
//! **The journal** ([`journal`]) makes the same promise across a crash. A board forgets a packet when it is asked for
//! the next one; so it is asked again only when the records of the packet before are safe on disk
//! ([`RecordSink::safe`](watch::RecordSink::safe)). A watch that was killed finds at most one packet of each board
//! unpublished, and that one REPEAT_CHANGES still brings (or else the log): the first question about its changes in a new
//! run, compared with the journal's end.
//!
//! **A board is lost** after three visits in a row without a whole answer; one or two are noise. That is published
//! once, and the board is asked less and less often, but for ever: what it logs meanwhile it keeps, so a board that
//! comes back tells it all. A port that goes away loses every board on it at once. How often what is tried again
//! stands in [`retry`].
//!
//! **Who is there?** Every board answers a broadcast ping at a random moment within 1.1 s, and answers that overlap
//! spoil each other. So boards that were found are told to ignore the next ping, and the rest are pinged again, until
//! two rounds bring nothing that is not explained. What can be read of a collision is a guess, and counts when that
//! address answers a ping of its own ([`discovery`](bus_mode::discovery)). While boards are in play they are silenced
//! one by one between polls, and only the ping itself keeps them waiting.
//!
//! **A board alone** on its cable is another thing: it tells of itself, without address and checksum, and remembers
//! nothing of what it told. A dump at rest shows whether anything was missed, and its log, all of it, is searched for
//! the part that belongs to the game in play ([`single_mode`]).
//!
//! # The files
//!
//! What any make of board needs, from the cable upwards:
//!
//! * [`link`]: what a line can do (send, receive until a time); [`port`] is the real one, [`capture`] keeps its bytes,
//!   [`ending`] ends what is done on it, and the tests of this room have fakes whose time is simulated.
//! * [`retry`]: how often, and after how long.
//! * [`watch`]: what a line that is watched offers, where its records go, when it ends.
//! * [`tracker`]: what was published of a board, and so what stands on it; [`marks`]: when its start mark is due;
//!   [`followed_board`] has both, and whether it answers. [`journal`] keeps what was published, [`recall`] goes on from
//!   what an earlier run kept.
//! * [`answers`]: what the data of answers say.
//! * [`driver`]: what a make of board must offer; [`detect`]: which makes there are, and which of them is on a line;
//!   [`listen`]: what that is, before a byte is written.
//!
//! The makes: [`bus_mode`] and [`single_mode`] of DGT's boards; [`millennium`], [`chessnut`] and [`certabo`], for which
//! [`whole_positions`] has all that boards share that report whole positions.

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

// The words that every make of board uses.
pub use driver::{Answered, Driver, FoundBoard, Progress, Recalled, ReportSearch, SearchEvent};
pub use link::{Gone, Interrupted, Link};
pub use watch::{FirstSearch, RecordSink, Watch, WatchSettings};
