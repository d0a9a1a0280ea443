//! One command, one answer: a board on a bus holds a single command, so nothing is sent before the answer to
//! the last one is there or its time is up.
//!
//! The wait for the first byte is short and every byte renews it, so that an answer may take seconds: a log of
//! 4 kB takes four. How short it is depends on the line ([`answer_time`](super::answer_time)), and everything that depends
//! on an answer's way waits as much longer.
//!
//! An answer behind its time must not pass for that of a later command. It is known by its board, which was silent
//! ([`AnswerTime::came_late`]); and where a board answers after it was silent, it is not known which question that
//! answers, so that the line is left alone until the answer to the last must have come.

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

/// How long an answer that has begun may stall. A board never does; an adapter, or a host that is busy elsewhere,
/// now and then.
const STALL: Duration = Duration::from_millis(200);
/// SET_START_GAME is answered when the log is written, some 70 ms later than others; a full EEPROM may take more.
const START_MORE: Duration = Duration::from_millis(170);
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
/// An answer takes so much longer than the one before it at most, where the line is the same.
const JITTER: Duration = Duration::from_millis(20);

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
    answer_time: AnswerTime,
    /// When the first byte of the answer came.
    heard: Duration,
    /// How long the last answer took to begin, if it came whole.
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
            heard: Duration::ZERO,
            took: None,
        }
    }

    /// How long answers usually take, if this line is no cable.
    pub fn slow(&self) -> Option<Duration> {
        self.answer_time.slow()
    }

    /// How long the last answer took to begin; none where none came whole.
    pub fn took(&self) -> Option<Duration> {
        self.took
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
        let before = self.stray.len();
        self.link.drain(&mut self.stray)?;
        self.sort_out(before)?;
        self.link.send(&command.encode(board))?;
        // From here on: a process that had to wait for its turn to send has not waited for the board.
        let sent = self.link.now();
        let answer = self.exchange(command, board, sent, progress)?;
        let took = self.heard.saturating_sub(sent + BYTE * 5);
        self.took = matches!(answer, Answer::Whole(_)).then_some(took);
        match answer {
            Answer::Silence => self.answer_time.silent(board, sent),
            Answer::Whole(_) => match self.answer_time.answers_again(board, sent) {
                Some((count, first)) => self.hear_out(board, count, first, sent)?,
                None => self.answer_time.took(took),
            },
            Answer::Garbled(_) => {}
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

    /// After a silence an answer has come, now, which may be that to any of so many earlier questions, of which the first
    /// was asked then; the last was asked at `sent`. Waits for those that may still come, and learns what they say of
    /// the line.
    fn hear_out(&mut self, board: u16, count: u32, first: Duration, sent: Duration) -> Result<(), Gone> {
        let (heard, at_most) = (self.heard, self.heard - first);
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
        // With another answer behind it this one was to an earlier question.
        let asked = if came > 0 { first } else { sent };
        self.answer_time.took(heard.saturating_sub(asked + BYTE * 5));
        Ok(())
    }

    /// Where nobody has answered yet on this line: waits whether somebody does who needs longer than a cable. Whether so.
    pub fn is_slow_after_all(&mut self) -> Result<bool, Gone> {
        let until = self.link.now() + self.answer_time.more_for_all();
        while !self.answer_time.is_known() && self.link.now() < until && stop::requested().is_none() {
            self.idle(until)?;
        }
        Ok(self.answer_time.is_known())
    }

    /// Whether anybody has answered on this line, so that it is known how long that takes.
    pub fn is_known(&self) -> bool {
        self.answer_time.is_known()
    }

    /// Takes answers that came too late out of what is stray from there on; one that has begun is heard to its end.
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
        // A wait that is over is still a look at what has come, so that a process that was kept from its work takes no
        // answer for none.
        while self.buffer.len() < FLOOD && self.link.receive(&mut self.buffer, until)? > 0 {
            let now = self.link.now();
            if read == 0 {
                self.heard = now;
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
        let more = self.answer_time.more_for_all();
        self.listen(began + BYTE * 10 + PING_SPREAD + PING_GRACE + more, SETTLE)?;
        Ok(std::mem::take(&mut self.buffer))
    }

    /// Waits until `until` without a command to send; what comes is stray.
    pub fn idle(&mut self, until: Duration) -> Result<(), Gone> {
        let before = self.stray.len();
        self.link.receive(&mut self.stray, until)?;
        self.sort_out(before)
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
    fn missing_boards_are_silence_after_the_time_out() {
        let mut line = line(FakeBus::new([1025], 1));
        assert_eq!(line.ask(BusCommand::Ping, 1026), Ok(Answer::Silence));
        assert!(line.link.now < Duration::from_millis(90));
    }

    #[test]
    fn answers_are_received_by_late_processes() {
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
    fn answers_to_broadcasts_are_received_by_late_processes() {
        let mut bus = FakeBus::new([1025], 1);
        bus.host_delayed = Some((Duration::ZERO, Duration::from_secs(3)));
        assert_eq!(line(bus).ping_all().unwrap(), [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    }

    #[test]
    fn damaged_answers_cost_little_and_keep_their_bytes() {
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
    fn unrequested_bytes_are_set_aside() {
        let mut bus = FakeBus::new([1025], 1);
        bus.stranger_after_pings = true;
        let mut line = line(bus);
        line.link.send(&BusCommand::Ping.encode(BROADCAST)).unwrap();
        line.link.pause(Duration::from_secs(2));
        assert_eq!(line.ask(BusCommand::SendVersion, 1025), Ok(Answer::Whole(vec![1, 6])));
        assert_eq!(line.stray()[..4], [0xdf, 0x0d, 0x12, 0x03]);
    }

    #[test]
    fn lines_that_never_pause_end_the_wait() {
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
    fn lost_lines_are_reported() {
        let mut bus = FakeBus::new([1025], 1);
        bus.unplugged = Some((Duration::ZERO, Duration::from_secs(1)));
        assert_eq!(line(bus).ask(BusCommand::Ping, 1025), Err(Gone("unplugged".into())));
    }
}
