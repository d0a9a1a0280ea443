//! Sends commands to a board alone and receives its messages. The board may send at any time, so an answer is searched for
//! among other messages.

use std::{collections::VecDeque, time::Duration};

use crate::{
    bus::{FoundBoard, Gone, Link, Progress, answers, retry},
    record::{BoardEvent, Mode},
    stop,
    wire::{
        command::{BROADCAST, BusCommand, SingleCommand},
        frame::{Decoder, Frame, join14},
        message::{self, BadMessage, Message},
        records,
    },
};

/// The longest pause before an answer: a board answers within milliseconds by cable, later by Bluetooth.
const PATIENCE: Duration = Duration::from_millis(500);
/// The longest pause within a message.
const STALL: Duration = Duration::from_millis(500);
/// The longest wait for an answer while other messages come.
const LONGEST: Duration = Duration::from_secs(3);
/// The same for the log, which takes 8.3 s.
const LONGEST_LOG: Duration = Duration::from_secs(15);
/// The longest single wait, after which signals are checked.
const PIECE: Duration = Duration::from_millis(100);
/// The most messages that are kept: no board sends more at a time, so the rest is noise.
const HELD_MAX: usize = 4096;
/// The number of a board that reports neither address nor serial number.
const NUMBER: u16 = 1;
/// The wait after a command that has no answer, as drivers of other programs do it.
const AFTER: Duration = Duration::from_millis(100);

/// A message of the board, or bytes that are none.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// A message: its id and data.
    Message(u8, Vec<u8>),
    /// Bytes that are none, as a record.
    Fault(BoardEvent),
}

impl Incoming {
    /// The decoded message; none for bytes that are no message.
    pub fn message(&self) -> Option<Result<Message<'_>, BadMessage>> {
        match self {
            Incoming::Message(id, data) => Some(Message::decode(&Frame { id: *id, address: None, data })),
            Incoming::Fault(_) => None,
        }
    }
}

/// The result of a command.
#[derive(Debug, Default)]
pub struct Reply {
    /// The messages that came before the answer, or instead of it.
    pub before: Vec<Incoming>,
    /// The data of the answer, if it came.
    pub answer: Option<Vec<u8>>,
}

/// A board alone on its cable.
pub struct Cable<L> {
    /// The link that carries it.
    pub link: L,
    decoder: Decoder,
    heard: VecDeque<Incoming>,
    /// When the last byte came.
    last: Duration,
    /// The board that answered the last greeting.
    known: Option<FoundBoard>,
}

/// The identity of a board, as far as it was received, in any order.
#[derive(Debug, Default)]
struct Card {
    /// A message came that answers a question.
    is_there: bool,
    /// Its bus address.
    address: Option<u16>,
    version: Option<String>,
    /// Its serial number, the long one if the board sent it.
    serial: Option<String>,
    is_long: bool,
}

impl Card {
    fn take(&mut self, id: u8, data: &[u8]) {
        // Other messages may be updates that another program requested.
        self.is_there |= matches!(id, 0x86 | 0x90 | 0x91 | 0x93 | 0xa2);
        match (id, data) {
            // Address 0 means all boards; a single byte is not an address here.
            (0x90, &[high, low]) => self.address = Some(join14(high, low)).filter(|&address| address > 0),
            (0x93, _) => self.version = answers::version(data).or(self.version.take()),
            (0x91, _) if !self.is_long => self.serial = message::serial(data),
            (0xa2, _) => (self.serial, self.is_long) = (message::serial(data), true),
            _ => {}
        }
    }
}

impl<L: Link> Cable<L> {
    /// The board at the other end of this link.
    pub fn new(link: L) -> Cable<L> {
        let last = link.now();
        Cable { link, decoder: Decoder::new(Mode::Single), heard: VecDeque::new(), last, known: None }
    }

    /// Drops all messages so far, because the link was opened again or the board was reset.
    pub fn forget(&mut self) -> Result<(), Gone> {
        self.link.drain(&mut Vec::new())?;
        self.decoder = Decoder::new(Mode::Single);
        self.heard.clear();
        Ok(())
    }

    /// Sends a command of one byte and waits [`AFTER`].
    pub fn send_and_wait(&mut self, command: SingleCommand) -> Result<(), Gone> {
        self.send(command)?;
        self.listen(self.link.now() + AFTER)
    }

    fn send(&mut self, command: SingleCommand) -> Result<(), Gone> {
        let mut bytes = Vec::new();
        command.encode(&[], &mut bytes);
        self.link.send(&bytes)
    }

    /// The next message; none if none came until `until`, or a signal came.
    pub fn next(&mut self, until: Duration) -> Result<Option<Incoming>, Gone> {
        loop {
            if let Some(incoming) = self.heard.pop_front() {
                return Ok(Some(incoming));
            }
            if self.link.now() >= until || stop::requested().is_some() {
                return Ok(None);
            }
            self.receive(until.min(self.link.now() + PIECE))?;
        }
    }

    /// Sends a command and waits for its answer.
    pub fn ask(&mut self, command: SingleCommand) -> Result<Reply, Gone> {
        self.ask_with_progress(command, &mut |_, _| ())
    }

    /// The same; `progress` receives how many bytes have come, and of how many.
    pub fn ask_with_progress(&mut self, command: SingleCommand, progress: Progress) -> Result<Reply, Gone> {
        self.send(command)?;
        let began = self.link.now();
        let is_log = command == SingleCommand::SendLog;
        let set = self.link.patience().unwrap_or_default();
        let limit = began + set + if is_log { LONGEST_LOG } else { LONGEST };
        let mut reply = Reply::default();
        loop {
            while let Some(incoming) = self.heard.pop_front() {
                match incoming {
                    Incoming::Message(id, data) if command.replies().contains(&id) => {
                        reply.answer = Some(data);
                        return Ok(reply);
                    }
                    incoming => reply.before.push(incoming),
                }
            }
            if reply.before.len() >= HELD_MAX {
                return Ok(reply);
            }
            // A board that is sending another message answers after that.
            let until = (began.max(self.last) + PATIENCE.max(set)).min(limit);
            let now = self.link.now();
            if now >= until || stop::requested().is_some() {
                return Ok(reply);
            }
            self.receive(until.min(now + PIECE))?;
            let missing = self.decoder.missing();
            if is_log && missing > 0 {
                progress(self.decoder.held(), self.decoder.held() + missing);
            }
        }
    }

    /// The data of the answer to a command that is sent up to [`retry::ALONE`] times.
    pub fn ask_until_answered(&mut self, command: SingleCommand) -> Result<Option<Vec<u8>>, Gone> {
        retry::until_answered(retry::ALONE, || Ok(self.ask(command)?.answer))
    }

    /// Identifies the board; none if no board answers in single-board mode. Ends any mode in which the board was.
    ///
    /// Boards differ in the questions that they answer: those whose serial number is no bus address may not answer the one for
    /// the address. A board is present if it answers any, or sends its position. Late answers count as well.
    pub fn greet(&mut self) -> Result<Option<FoundBoard>, Gone> {
        // The wait lets the board finish a message in progress.
        self.send_and_wait(SingleCommand::Reset)?;
        self.forget()?;
        let mut card = Card::default();
        self.ask_card(SingleCommand::SendAddress, retry::ALONE, &mut card)?;
        let tries = if card.is_there { retry::ALONE } else { 1 };
        self.ask_card(SingleCommand::SendVersion, tries, &mut card)?;
        if !card.is_there {
            self.ask_card(SingleCommand::SendBoard, 1, &mut card)?;
        }
        if !card.is_there {
            return Ok(None);
        }
        // The board may have been switched on after the first questions.
        if card.address.is_none() {
            self.ask_card(SingleCommand::SendAddress, 1, &mut card)?;
        }
        if card.version.is_none() {
            self.ask_card(SingleCommand::SendVersion, 1, &mut card)?;
        }
        self.ask_card(SingleCommand::SendSerial, 1, &mut card)?;
        // A serial number equal to the bus address has no longer form.
        if card.serial.as_deref().is_none_or(|serial| serial.parse::<u16>().ok() != card.address) {
            self.ask_card(SingleCommand::SendLongSerial, 1, &mut card)?;
        }
        let Card { address, version, serial, .. } = card;
        // A board that was found before keeps its number, even if an answer was lost this time.
        let before = self.known.as_ref().filter(|known| serial.is_none() || known.serial == serial);
        let board = self
            .link
            .number(serial.as_deref())
            .or(address)
            .or(before.map(|known| known.board))
            .or_else(|| answers::number_of_serial(serial.as_deref()?))
            .unwrap_or(NUMBER);
        let found = FoundBoard { board, version, mode: Some(Mode::Single), serial };
        self.known = Some(found.clone());
        Ok(Some(found))
    }

    /// Sends a command up to `tries` times, and puts all messages that come on the card.
    fn ask_card(&mut self, command: SingleCommand, tries: usize, card: &mut Card) -> Result<(), Gone> {
        retry::until_answered(tries, || {
            let reply = self.ask(command)?;
            for incoming in &reply.before {
                if let Incoming::Message(id, data) = incoming {
                    card.take(*id, data);
                }
            }
            let id = command.replies()[0];
            Ok(reply.answer.map(|data| card.take(id, &data)))
        })
        .map(|_| ())
    }

    /// Writes the start mark into the board's log; none if the board has no bus mode.
    pub fn start(&mut self) -> Result<Option<BoardEvent>, Gone> {
        Ok(self.on_the_bus(BusCommand::SetStartGame)?.map(|_| answers::start_mark()))
    }

    /// Restarts the board; none if it has no bus mode.
    pub fn restart(&mut self) -> Result<Option<()>, Gone> {
        self.send_and_wait(SingleCommand::ToBusMode)?;
        let Some((address, _)) = self.bus_answer(BusCommand::Ping, BROADCAST)? else {
            self.send_and_wait(SingleCommand::Reset)?;
            self.forget()?;
            return Ok(None);
        };
        self.link.send(&BusCommand::Reset.encode(address))?;
        Ok(Some(()))
    }

    /// Receives until `until`; messages are kept for [`next`](Cable::next).
    fn listen(&mut self, until: Duration) -> Result<(), Gone> {
        while self.link.now() < until && stop::requested().is_none() {
            self.receive(until.min(self.link.now() + PIECE))?;
        }
        Ok(())
    }

    fn receive(&mut self, until: Duration) -> Result<(), Gone> {
        let mut bytes = Vec::new();
        let Cable { link, decoder, heard, last, .. } = self;
        let came = link.receive(&mut bytes, until)? > 0;
        let now = link.now();
        let mut keep = |frame: Result<Frame<'_>, crate::wire::frame::BadBytes<'_>>| match frame {
            _ if heard.len() >= HELD_MAX => {}
            Ok(frame) => heard.push_back(Incoming::Message(frame.id, frame.data.to_vec())),
            // One fault is enough for a run of them.
            Err(_) if matches!(heard.back(), Some(Incoming::Fault(_))) => {}
            Err(bad) => heard.push_back(Incoming::Fault(records::fault(&bad))),
        };
        if came {
            *last = now;
            decoder.push(&bytes, &mut keep);
        } else if decoder.held() > 0 && now.saturating_sub(*last) >= STALL {
            decoder.finish(&mut keep);
        }
        Ok(())
    }

    /// Switches the board to bus mode for one command to its own address, and back. None from a board without a bus mode:
    /// it does not answer a ping to address 0, no byte of which is a command of single-board mode.
    fn on_the_bus(&mut self, command: BusCommand) -> Result<Option<Vec<u8>>, Gone> {
        self.send_and_wait(SingleCommand::ToBusMode)?;
        let mut answer = None;
        if let Some((address, _)) = self.bus_answer(BusCommand::Ping, BROADCAST)? {
            answer = self.bus_answer(command, address)?.map(|(_, data)| data);
        }
        self.send_and_wait(SingleCommand::Reset)?;
        self.forget()?;
        Ok(answer)
    }

    /// Address and data of the first answer to a command in bus mode.
    fn bus_answer(&mut self, command: BusCommand, board: u16) -> Result<Option<(u16, Vec<u8>)>, Gone> {
        /// A broadcast ping is answered within 1100 ms, SET_START_GAME after 70 ms.
        const PATIENCE: Duration = Duration::from_millis(1300);
        self.link.send(&command.encode(board))?;
        let until = self.link.now() + PATIENCE + self.link.patience().unwrap_or_default();
        let mut decoder = Decoder::new(Mode::Bus);
        let mut answer = None;
        while answer.is_none() && self.link.now() < until && stop::requested().is_none() {
            let mut bytes = Vec::new();
            let piece = until.min(self.link.now() + PIECE);
            self.link.receive(&mut bytes, piece)?;
            decoder.push(&bytes, |frame| {
                if let Ok(Frame { id, address: Some(address), data }) = frame
                    && command.expects(id)
                    && (board == BROADCAST || board == address)
                {
                    answer.get_or_insert((address, data.to_vec()));
                }
            });
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::Result, record::Time};

    /// A line with endless bytes, a hundred times as fast as from any board.
    struct Flood {
        now: Duration,
        pattern: &'static [u8],
    }

    impl Link for Flood {
        fn now(&self) -> Duration {
            self.now
        }

        fn time(&self) -> Time {
            Time(0)
        }

        fn heard(&self) -> Time {
            self.time()
        }

        fn name(&self) -> &str {
            "flood"
        }

        fn send(&mut self, _: &[u8]) -> Result<(), Gone> {
            Ok(())
        }

        fn receive(&mut self, into: &mut Vec<u8>, _: Duration) -> Result<usize, Gone> {
            self.now += Duration::from_millis(5);
            into.extend(self.pattern.iter().cycle().take(512));
            Ok(512)
        }

        fn pause(&mut self, until: Duration) {
            self.now = until;
        }

        fn reopen(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_flooded_line_gives_no_answer_and_takes_little_memory() {
        for pattern in [&[0x85][..], &[0x85, 0x00], &[0x8e, 0x00, 0x05, 0x10, 0x00], &[0x00], &[0x8f, 0x3e]] {
            let mut cable = Cable::new(Flood { now: Duration::ZERO, pattern });
            assert_eq!(cable.greet(), Ok(None), "{pattern:02x?}");
            let reply = cable.ask(SingleCommand::SendBoard).unwrap();
            assert_eq!(reply.answer, None);
            assert!(reply.before.len() <= 2 * HELD_MAX && cable.heard.len() <= HELD_MAX, "{pattern:02x?}");
            assert!(cable.link.now < Duration::from_secs(20));
        }
    }
}
