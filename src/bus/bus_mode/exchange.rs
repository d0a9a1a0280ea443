//! Sends a command and receives its answer. A board on a bus stores a single command, so nothing is sent before the answer
//! to the last command has come or its time is up.
//!
//! The wait for the first byte is short, and every byte extends it, so that an answer may take seconds: a log of 4 kB takes
//! four. The wait depends on the line ([`answer_time`](super::answer_time)); on a slow line all other waits grow by as much.
//!
//! A late answer must not be taken for that of a later command. It is recognised by its board, which did not answer in time
//! before ([`AnswerTime::came_late`]). When such a board answers its next command, that may also be the late answer, so
//! nothing is sent until the answer to the last command must have come.

use std::time::Duration;

use super::answer_time::AnswerTime;
use crate::{
    bus::{Answered, Gone, Link, Progress, link::BYTE, retry},
    record::Mode,
    stop,
    wire::{
        command::{BROADCAST, BusCommand},
        frame::{BadBytes, Decoder, Frame},
    },
};

/// The longest pause within an answer. Boards do not pause, but adapters and busy hosts may.
const STALL: Duration = Duration::from_millis(200);
/// SET_START_GAME is answered after the log is written, some 70 ms later than others; a full EEPROM may take longer.
const START_MORE: Duration = Duration::from_millis(170);
/// After a damaged answer nothing is sent until no byte has come for this long; an adapter with a slow latency timer
/// delivers its bytes every 16 ms.
const SETTLE: Duration = Duration::from_millis(20);
/// Boards answer a broadcast ping at a random moment within this time.
const PING_SPREAD: Duration = Duration::from_millis(1100);
/// The latency of boards, adapter and busy host, in addition to [`PING_SPREAD`].
const PING_GRACE: Duration = Duration::from_millis(60);
/// The longest wait for a log on a line that is never silent because another device sends; the whole ring of a board takes
/// 8.3 s.
const LONGEST_LOG: Duration = Duration::from_secs(10);
/// The same for any other answer.
const LONGEST: Duration = Duration::from_millis(500);
/// More bytes than any answer has, or all answers to a broadcast ping together: the line is flooded.
const FLOOD_BYTES: usize = 1 << 14;
/// A signal ends the wait for an answer of which more bytes than this are missing: over a quarter of a second.
const SIGNAL_LEAVES_BYTES: usize = 256;
/// The most by which the times of two answers on the same line differ.
const JITTER: Duration = Duration::from_millis(20);

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The data of the answer, without head, address and checksum.
    Whole(Vec<u8>),
    /// Bytes came, but no whole answer.
    Garbled(Vec<u8>),
    /// Nothing came.
    Silence,
}

/// A line with one exchange at a time.
pub struct BusLine<L> {
    /// The link that carries it.
    pub link: L,
    buffer: Vec<u8>,
    stray: Vec<u8>,
    answer_time: AnswerTime,
    /// When the first byte of the answer came.
    began: Duration,
    /// The time from the last command to the first byte of its answer, if that came whole.
    took: Option<Duration>,
}

impl<L: Link> BusLine<L> {
    /// A line on this link.
    pub fn new(link: L) -> BusLine<L> {
        let answer_time = AnswerTime::new(link.patience());
        BusLine {
            link,
            buffer: Vec::new(),
            stray: Vec::new(),
            answer_time,
            began: Duration::ZERO,
            took: None,
        }
    }

    /// The usual time of answers, if this line is slower than a cable.
    pub fn slow(&self) -> Option<Duration> {
        self.answer_time.slow()
    }

    /// The time from the last command to the first byte of its answer; none if no whole answer came.
    pub fn took(&self) -> Option<Duration> {
        self.took
    }

    /// Takes the bytes that answered no command since the last call.
    pub fn stray(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.stray)
    }

    /// Sends a command to a board and waits for its answer. A signal ends the wait only if the board can send the answer
    /// again.
    pub fn ask(&mut self, command: BusCommand, board: u16) -> Result<Answer, Gone> {
        self.ask_with_progress(command, board, &mut |_, _| ())
    }

    /// The same; `progress` receives how many bytes have come, and of how many.
    pub fn ask_with_progress(
        &mut self,
        command: BusCommand,
        board: u16,
        progress: Progress,
    ) -> Result<Answer, Gone> {
        // Bytes since the last exchange are no answer to this command.
        let before = self.stray.len();
        self.link.drain(&mut self.stray)?;
        self.sort_out(before)?;
        self.link.send(&command.encode(board))?;
        // Measured from here: the time that the process waited to send is not the board's.
        let sent = self.link.now();
        let answer = self.exchange(command, board, sent, progress)?;
        let took = self.began.saturating_sub(sent + BYTE * 5);
        self.took = matches!(answer, Answer::Whole(_)).then_some(took);
        match answer {
            Answer::Silence => self.answer_time.silent(board, sent),
            Answer::Whole(_) => match self.answer_time.answers_again(board, sent) {
                Some((count, first)) => self.await_late_answers(board, count, first, sent)?,
                None => self.answer_time.took(took),
            },
            Answer::Garbled(_) => {}
        }
        Ok(answer)
    }

    /// The data of the answer to a command that is sent up to `tries` times; none if no whole answer came.
    pub fn ask_until_whole(&mut self, command: BusCommand, board: u16, tries: usize) -> Answered<Vec<u8>> {
        retry::until_answered(tries, || {
            Ok(match self.ask(command, board)? {
                Answer::Whole(data) => Some(data),
                Answer::Garbled(_) | Answer::Silence => None,
            })
        })
    }

    /// Called when a board has answered that missed `count` answers before, the first of which was to a command sent at
    /// `first`; the last command was sent at `sent`. Waits for the other answers, and measures the time of this one.
    fn await_late_answers(
        &mut self,
        board: u16,
        count: u32,
        first: Duration,
        sent: Duration,
    ) -> Result<(), Gone> {
        let (began, at_most) = (self.began, self.began - first);
        let mut decoder = Decoder::new(Mode::Bus);
        let mut came = 0;
        self.buffer.clear();
        while came < count && self.link.now() < sent + at_most + JITTER {
            let read = self.buffer.len();
            if self.link.receive(&mut self.buffer, sent + at_most + JITTER)? > 0 {
                decoder.push(&self.buffer[read..], |frame| {
                    came += u32::from(matches!(frame, Ok(frame) if frame.address == Some(board)));
                });
            }
        }
        // If another answer followed, this one was to an earlier command.
        let asked = if came > 0 { first } else { sent };
        self.answer_time.took(began.saturating_sub(asked + BYTE * 5));
        Ok(())
    }

    /// If no board has answered on this line yet, waits for an answer that takes longer than on a cable. Returns whether
    /// the time of answers is known now.
    pub fn is_slow_after_all(&mut self) -> Result<bool, Gone> {
        let until = self.link.now() + self.answer_time.more_for_all();
        while !self.answer_time.is_known() && self.link.now() < until && stop::requested().is_none() {
            self.idle(until)?;
        }
        Ok(self.answer_time.is_known())
    }

    /// Whether the time of answers on this line is known.
    pub fn is_known(&self) -> bool {
        self.answer_time.is_known()
    }

    /// Removes late answers from the stray bytes after this index; waits for the end of one that is incomplete.
    fn sort_out(&mut self, from: usize) -> Result<(), Gone> {
        if from == self.stray.len() || !self.answer_time.is_any_overdue() {
            return Ok(());
        }
        let limit = self.link.now() + LONGEST;
        while self.link.now() < limit && self.link.receive(&mut self.stray, self.link.now() + SETTLE)? > 0 {}
        let bytes = self.stray.split_off(from);
        let now = self.link.now();
        let (stray, answer_time) = (&mut self.stray, &mut self.answer_time);
        let mut keep = |frame: Result<Frame<'_>, BadBytes<'_>>| match frame {
            Ok(frame) if frame.address.is_some_and(|board| answer_time.came_late(board, now)) => {}
            Ok(frame) => frame.encode(stray),
            Err(bad) => stray.extend(bad.bytes),
        };
        let mut decoder = Decoder::new(Mode::Bus);
        decoder.push(&bytes, &mut keep);
        decoder.finish(&mut keep);
        Ok(())
    }

    fn exchange(
        &mut self,
        command: BusCommand,
        board: u16,
        sent: Duration,
        progress: Progress,
    ) -> Result<Answer, Gone> {
        let more = self.answer_time.more();
        let consumes = matches!(command, BusCommand::SendChanges | BusCommand::RepeatChanges);
        let is_log = consumes || command == BusCommand::SendFromStart;
        let limit = sent + more + if is_log { LONGEST_LOG } else { LONGEST };
        let writes = if command == BusCommand::SetStartGame { START_MORE } else { Duration::ZERO };
        let mut until = sent + BYTE * 4 + self.answer_time.patience() + writes;
        let mut decoder = Decoder::new(Mode::Bus);
        let mut answer = None;
        let mut spoilt = false;
        let mut read = 0;
        self.buffer.clear();
        // `receive` returns bytes that have come even after `until`, so a delayed process does not miss an answer.
        while self.buffer.len() < FLOOD_BYTES && self.link.receive(&mut self.buffer, until)? > 0 {
            let now = self.link.now();
            if read == 0 {
                self.began = now;
            }
            let (stray, answer_time) = (&mut self.stray, &mut self.answer_time);
            decoder.push(&self.buffer[read..], |frame| match frame {
                Ok(frame) if frame.address == Some(board) && command.expects(frame.id) => {
                    answer = Some(frame.data.to_vec());
                }
                Ok(frame) if frame.address.is_some_and(|board| answer_time.came_late(board, now)) => {}
                // An answer to another program on the line.
                Ok(frame) => frame.encode(stray),
                Err(_) => spoilt = true,
            });
            read = self.buffer.len();
            if let Some(data) = answer {
                return Ok(Answer::Whole(data));
            }
            let missing = decoder.missing();
            if missing > 0 {
                progress(decoder.held(), decoder.held() + missing);
                until = until.max(now + STALL + more);
            } else if spoilt {
                until = now + SETTLE;
            } else {
                until = until.max(now + SETTLE);
            }
            until = until.min(limit);
            // A signal must not lose changes that the board has discarded. A short answer is awaited too, since without it
            // a fault would be published.
            if !consumes && decoder.missing() > SIGNAL_LEAVES_BYTES && stop::requested().is_some() {
                break;
            }
        }
        if self.buffer.is_empty() { Ok(Answer::Silence) } else { Ok(Answer::Garbled(self.buffer.clone())) }
    }

    /// Pings all boards and returns all bytes that come, collisions included.
    pub fn ping_all(&mut self) -> Result<Vec<u8>, Gone> {
        self.link.drain(&mut self.stray)?;
        let began = self.link.now();
        self.link.send(&BusCommand::Ping.encode(BROADCAST))?;
        let more = self.answer_time.more_for_all();
        self.listen(began + BYTE * 10 + PING_SPREAD + PING_GRACE + more, SETTLE)?;
        Ok(std::mem::take(&mut self.buffer))
    }

    /// Waits until `until` without sending; bytes that come are stray.
    pub fn idle(&mut self, until: Duration) -> Result<(), Gone> {
        let before = self.stray.len();
        self.link.receive(&mut self.stray, until)?;
        self.sort_out(before)
    }

    /// Collects bytes until `until`, and then until none came for `quiet`; a signal ends it.
    fn listen(&mut self, until: Duration, quiet: Duration) -> Result<(), Gone> {
        const PIECE: Duration = Duration::from_millis(100);
        self.buffer.clear();
        let limit = until + LONGEST;
        let mut until = until;
        while stop::requested().is_none() && self.buffer.len() < FLOOD_BYTES {
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
    fn an_absent_board_is_silence_after_the_time_out() {
        let mut line = line(FakeBus::new([1025], 1));
        assert_eq!(line.ask(BusCommand::Ping, 1026), Ok(Answer::Silence));
        assert!(line.link.now < Duration::from_millis(90));
    }

    #[test]
    fn a_delayed_process_still_reads_the_answer() {
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
    fn a_delayed_process_still_reads_answers_to_a_broadcast() {
        let mut bus = FakeBus::new([1025], 1);
        bus.host_delayed = Some((Duration::ZERO, Duration::from_secs(3)));
        assert_eq!(line(bus).ping_all().unwrap(), [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    }

    #[test]
    fn a_damaged_answer_is_returned_after_a_short_wait() {
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
    fn unasked_bytes_are_set_aside() {
        let mut bus = FakeBus::new([1025], 1);
        bus.stranger_after_pings = true;
        let mut line = line(bus);
        line.link.send(&BusCommand::Ping.encode(BROADCAST)).unwrap();
        line.link.pause(Duration::from_secs(2));
        assert_eq!(line.ask(BusCommand::SendVersion, 1025), Ok(Answer::Whole(vec![1, 6])));
        assert_eq!(line.stray()[..4], [0xdf, 0x0d, 0x12, 0x03]);
    }

    #[test]
    fn waits_end_on_a_line_that_is_never_silent() {
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
    fn asking_on_a_line_that_is_gone_fails() {
        let mut bus = FakeBus::new([1025], 1);
        bus.unplugged = Some((Duration::ZERO, Duration::from_secs(1)));
        assert_eq!(line(bus).ask(BusCommand::Ping, 1025), Err(Gone("unplugged".into())));
    }
}
