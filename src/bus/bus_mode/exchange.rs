//! One command, one answer: a board on a bus holds a single command, so nothing is sent before the answer to
//! the last one is there or its time is up.
//!
//! The wait for the first byte is short and every byte renews it, so that an answer may take seconds: a log of
//! 4 kB takes four.

use std::time::Duration;

use crate::{
    bus::{Answered, Gone, Link, Progress, link::BYTE, retry},
    record::Mode,
    stop,
    wire::{
        command::{BROADCAST, BusCommand},
        frame::Decoder,
    },
};

/// How long a board may take to begin its answer: the makers' own time-out.
pub const PATIENCE: Duration = Duration::from_millis(80);
/// How long an answer that has begun may stall. A board never does; an adapter, or a host that is busy elsewhere,
/// now and then.
const STALL: Duration = Duration::from_millis(200);
/// SET_START_GAME is answered when the log is written, after some 70 ms.
const START_PATIENCE: Duration = Duration::from_millis(250);
/// After a frame with a wrong checksum the line is left alone until nothing more comes for this long; an adapter
/// with a lazy latency timer brings its bytes every 16 ms.
const SETTLE: Duration = Duration::from_millis(20);
/// Boards answer a broadcast ping at a random moment within 1100 ms; the rest is their own latency, the adapter
/// and a host that is busy elsewhere.
const PING_SPREAD: Duration = Duration::from_millis(1100);
const PING_GRACE: Duration = Duration::from_millis(60);
/// A line that never falls silent, because something else talks on it, is not waited for longer than this; a
/// whole ring of a board's log takes 8.3 s.
const LONGEST_LOG: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_millis(500);
/// No answer has more bytes, nor have those of a whole hall: something floods the line.
const FLOOD: usize = 1 << 14;
/// A signal does not wait for an answer of which so many bytes are still to come: over a quarter of a second.
const WORTH_LEAVING: usize = 256;
/// After a silence two answers may be on their way; the second follows the first so closely.
const SECOND_ANSWER: Duration = Duration::from_millis(40);

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The data of the answer, without head, address and checksum.
    Whole(Vec<u8>),
    /// Bytes came, and the answer was not among them whole.
    Garbled(Vec<u8>),
    /// Nothing came.
    Silence,
}

/// A line with one exchange at a time.
pub struct BusLine<L> {
    /// The link under it.
    pub link: L,
    buffer: Vec<u8>,
    stray: Vec<u8>,
    /// The board that was silent last: its answer may still come.
    overdue: Option<u16>,
}

impl<L: Link> BusLine<L> {
    /// A line on this link.
    pub fn new(link: L) -> BusLine<L> {
        BusLine { link, buffer: Vec::new(), stray: Vec::new(), overdue: None }
    }

    /// Bytes that came when nobody was asked, since this was last called.
    pub fn stray(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.stray)
    }

    /// Sends a command to a board and waits for its answer. A signal ends the wait only where the board will
    /// tell the same again.
    pub fn ask(&mut self, command: BusCommand, board: u16) -> Result<Answer, Gone> {
        self.ask_with_progress(command, board, &mut |_, _| ())
    }

    /// The same; `progress` hears how many bytes of how many are there.
    pub fn ask_with_progress(
        &mut self,
        command: BusCommand,
        board: u16,
        progress: Progress,
    ) -> Result<Answer, Gone> {
        // What came since the last exchange answers nothing.
        self.link.drain(&mut self.stray)?;
        let answer = self.exchange(command, board, progress)?;
        let was_overdue = self.overdue.replace(board) == Some(board);
        match answer {
            Answer::Silence => {}
            // Two answers may now be on their way, and the second must not pass for that of a later command.
            Answer::Whole(_) if was_overdue => {
                self.overdue = None;
                self.listen(self.link.now() + SECOND_ANSWER, SETTLE)?;
            }
            _ => self.overdue = None,
        }
        Ok(answer)
    }

    /// The data of an answer to a question that is asked so many times; none when none came whole.
    pub fn ask_until_whole(&mut self, command: BusCommand, board: u16, tries: usize) -> Answered<Vec<u8>> {
        retry::until_answered(tries, || {
            Ok(match self.ask(command, board)? {
                Answer::Whole(data) => Some(data),
                Answer::Garbled(_) | Answer::Silence => None,
            })
        })
    }

    fn exchange(&mut self, command: BusCommand, board: u16, progress: Progress) -> Result<Answer, Gone> {
        self.link.send(&command.encode(board))?;
        // From here on: a process that had to wait for its turn to send has not waited for the board.
        let sent = self.link.now();
        let consumes = matches!(command, BusCommand::SendChanges | BusCommand::RepeatChanges);
        let is_log = consumes || command == BusCommand::SendFromStart;
        let limit = sent + if is_log { LONGEST_LOG } else { LONGEST };
        let patience = if command == BusCommand::SetStartGame { START_PATIENCE } else { PATIENCE };
        let mut until = sent + BYTE * 4 + patience;
        let mut decoder = Decoder::new(Mode::Bus);
        let mut answer = None;
        let mut spoilt = false;
        let mut read = 0;
        self.buffer.clear();
        // A wait that is over is still a look at what has come, so that a process that was kept from its work takes no
        // answer for none.
        while self.buffer.len() < FLOOD && self.link.receive(&mut self.buffer, until)? > 0 {
            let stray = &mut self.stray;
            decoder.push(&self.buffer[read..], |frame| match frame {
                Ok(frame) if frame.address == Some(board) && command.expects(frame.id) => {
                    answer = Some(frame.data.to_vec());
                }
                // A late answer to us, or one to another program on the line.
                Ok(frame) => frame.encode(stray),
                Err(_) => spoilt = true,
            });
            read = self.buffer.len();
            if let Some(data) = answer {
                return Ok(Answer::Whole(data));
            }
            let now = self.link.now();
            let missing = decoder.missing();
            if missing > 0 {
                progress(decoder.held(), decoder.held() + missing);
                until = until.max(now + STALL);
            } else if spoilt {
                until = now + SETTLE;
            } else {
                until = until.max(now + SETTLE);
            }
            until = until.min(limit);
            // What a board told and forgot must not be lost to a signal, and a short answer is here at once: to
            // leave it would look like a fault of the line.
            if !consumes && decoder.missing() > WORTH_LEAVING && stop::requested().is_some() {
                break;
            }
        }
        if self.buffer.is_empty() { Ok(Answer::Silence) } else { Ok(Answer::Garbled(self.buffer.clone())) }
    }

    /// Pings all boards at once and brings everything that comes, collisions and all.
    pub fn ping_all(&mut self) -> Result<Vec<u8>, Gone> {
        self.link.drain(&mut self.stray)?;
        let began = self.link.now();
        self.link.send(&BusCommand::Ping.encode(BROADCAST))?;
        self.listen(began + BYTE * 10 + PING_SPREAD + PING_GRACE, SETTLE)?;
        Ok(std::mem::take(&mut self.buffer))
    }

    /// Waits until `until` without a command to send; what comes is stray.
    pub fn idle(&mut self, until: Duration) -> Result<(), Gone> {
        self.link.receive(&mut self.stray, until).map(|_| ())
    }

    /// Collects until `until`, and then until nothing came for `quiet`; a signal ends it.
    fn listen(&mut self, until: Duration, quiet: Duration) -> Result<(), Gone> {
        const PIECE: Duration = Duration::from_millis(100);
        self.buffer.clear();
        let limit = until + LONGEST;
        let mut until = until;
        while stop::requested().is_none() && self.buffer.len() < FLOOD {
            let piece = until.min(limit).min(self.link.now() + PIECE);
            if self.link.receive(&mut self.buffer, piece)? > 0 {
                until = until.max(self.link.now() + quiet);
            } else if self.link.now() >= until.min(limit) {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::bus_mode::fake_bus::{Action, FakeBus};

    fn line(bus: FakeBus) -> BusLine<FakeBus> {
        BusLine::new(bus)
    }

    #[test]
    fn a_whole_answer_ends_the_wait() {
        let mut line = line(FakeBus::new([1025], 1));
        assert_eq!(line.ask(BusCommand::Ping, 1025), Ok(Answer::Whole(vec![])));
        // 4 bytes out, 6 back, and the board's latency of 1 to 4 ms.
        assert!((11.0..15.0).contains(&(line.link.now.as_secs_f64() * 1000.0)));
        assert_eq!(line.ask(BusCommand::SendVersion, 1025), Ok(Answer::Whole(vec![1, 6])));
    }

    #[test]
    fn nobody_there_is_silence_after_the_time_out() {
        let mut line = line(FakeBus::new([1025], 1));
        assert_eq!(line.ask(BusCommand::Ping, 1026), Ok(Answer::Silence));
        assert!(line.link.now < Duration::from_millis(90));
    }

    #[test]
    fn an_answer_is_heard_however_late_the_process_comes_to_listen() {
        for command in [BusCommand::Ping, BusCommand::SendChanges, BusCommand::SendBoard] {
            for kept in [50, 90, 700] {
                let kept = Duration::from_millis(kept);
                let mut before = FakeBus::new([1025], 1);
                before.host_delayed = Some((kept, Duration::ZERO));
                let mut after = FakeBus::new([1025], 1);
                after.host_delayed = Some((Duration::ZERO, kept));
                for bus in [before, after] {
                    let answer = line(bus).ask(command, 1025).unwrap();
                    assert!(matches!(answer, Answer::Whole(_)), "{command:?} after {kept:?}: {answer:?}");
                }
            }
        }
    }

    #[test]
    fn answers_to_all_are_heard_however_late_the_process_comes_to_listen() {
        let mut bus = FakeBus::new([1025], 1);
        bus.host_delayed = Some((Duration::ZERO, Duration::from_secs(3)));
        assert_eq!(line(bus).ping_all().unwrap(), [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    }

    #[test]
    fn a_spoilt_answer_costs_little_and_brings_its_bytes() {
        let mut bus = FakeBus::new([1025], 1);
        bus.spoilt_answers = vec![0];
        let mut line = line(bus);
        let spoilt = vec![0x87, 0x00, 0x06, 0x08, 0x01, 0x17];
        assert_eq!(line.ask(BusCommand::Ping, 1025), Ok(Answer::Garbled(spoilt)));
        assert!(line.link.now < Duration::from_millis(40));
    }

    #[test]
    fn an_answer_may_take_seconds() {
        let mut bus = FakeBus::new([1025], 1);
        let log = [0x40, 0x34].repeat(2000);
        bus.boards[0].script.push_back((Duration::ZERO, Action::Log(log.clone())));
        let mut line = line(bus);
        let mut steps = 0;
        let answer = line.ask_with_progress(BusCommand::SendChanges, 1025, &mut |have, of| {
            assert!(have < of && of <= 4006);
            steps += 1;
        });
        assert_eq!(answer, Ok(Answer::Whole(log)));
        assert!(steps > 3000 && line.link.now > Duration::from_secs(4));
    }

    #[test]
    fn bytes_that_nobody_asked_for_are_set_aside() {
        let mut bus = FakeBus::new([1025], 1);
        bus.stranger_after_pings = true;
        let mut line = line(bus);
        line.link.send(&BusCommand::Ping.encode(BROADCAST)).unwrap();
        line.link.pause(Duration::from_secs(2));
        assert_eq!(line.ask(BusCommand::SendVersion, 1025), Ok(Answer::Whole(vec![1, 6])));
        assert_eq!(line.stray()[..4], [0xdf, 0x0d, 0x12, 0x03]);
    }

    #[test]
    fn a_line_that_never_falls_silent_is_not_waited_for_for_ever() {
        let mut bus = FakeBus::new([1025], 1);
        bus.never_silent = true;
        let mut line = line(bus);
        assert!(matches!(line.ask(BusCommand::Ping, 1025), Ok(Answer::Garbled(_))));
        assert!(line.link.now < Duration::from_secs(1));
        assert!(matches!(line.ask(BusCommand::SendChanges, 1025), Ok(Answer::Garbled(_))));
        line.ping_all().unwrap();
        assert!(line.link.now < Duration::from_secs(15));
    }

    #[test]
    fn a_line_that_is_gone_says_so() {
        let mut bus = FakeBus::new([1025], 1);
        bus.unplugged = Some((Duration::ZERO, Duration::from_secs(1)));
        assert_eq!(line(bus).ask(BusCommand::Ping, 1025), Err(Gone("unplugged".into())));
    }
}
