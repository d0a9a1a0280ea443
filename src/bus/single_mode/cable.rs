//! Commands out, answers in: the board may speak at any time, so an answer is looked for among what it tells unasked.

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

/// How long a board may be silent before it answers: milliseconds by cable, more by Bluetooth.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long a message that has begun may stall.
const STALL: Duration = Duration::from_millis(500);
/// However much a board tells unasked, an answer comes within this; the whole log takes 8.3 s.
const LONGEST: Duration = Duration::from_secs(3);
const LONGEST_LOG: Duration = Duration::from_secs(15);
/// Signals are looked at so often.
const PIECE: Duration = Duration::from_millis(100);
/// No board says so much at a time; what is more comes from something else, and is not kept.
const MOST: usize = 4096;
/// The number of a board that says nothing of itself.
const NUMBER: u16 = 1;
/// Drivers leave boards so long after a command that has no answer.
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
    /// What the message says; none for bytes that are none.
    pub fn message(&self) -> Option<Result<Message<'_>, BadMessage>> {
        match self {
            Incoming::Message(id, data) => Some(Message::decode(&Frame { id: *id, address: None, data })),
            Incoming::Fault(_) => None,
        }
    }
}

/// What came of a command.
#[derive(Debug, Default)]
pub struct Reply {
    /// What the board said before it answered, or instead.
    pub before: Vec<Incoming>,
    /// The data of the answer, if it came.
    pub answer: Option<Vec<u8>>,
}

/// A board alone on its cable.
pub struct Cable<L> {
    /// The link under it.
    pub link: L,
    decoder: Decoder,
    heard: VecDeque<Incoming>,
    /// When the last byte came.
    last: Duration,
    /// Who answered last.
    known: Option<FoundBoard>,
}

/// What a board has said of itself so far, in whichever order.
#[derive(Debug, Default)]
struct Card {
    /// It said anything.
    is_there: bool,
    /// Its bus address.
    address: Option<u16>,
    version: Option<String>,
    /// Its serial number; the long one is better.
    serial: Option<String>,
    is_long: bool,
}

impl Card {
    fn take(&mut self, id: u8, data: &[u8]) {
        // What it sends unasked may be left of somebody else's questions.
        self.is_there |= matches!(id, 0x86 | 0x90 | 0x91 | 0x93 | 0xa2);
        match (id, data) {
            // Address 0 is that of all boards; one byte is no address.
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

    /// Forgets what was heard so far: the link has been opened anew, or the board is spoken to from the beginning.
    pub fn forget(&mut self) -> Result<(), Gone> {
        self.link.drain(&mut Vec::new())?;
        self.decoder = Decoder::new(Mode::Single);
        self.heard.clear();
        Ok(())
    }

    /// Sends a command of one byte and leaves the board time for it.
    pub fn send_and_wait(&mut self, command: SingleCommand) -> Result<(), Gone> {
        self.send(command)?;
        self.listen(self.link.now() + AFTER)
    }

    fn send(&mut self, command: SingleCommand) -> Result<(), Gone> {
        let mut bytes = Vec::new();
        command.encode(&[], &mut bytes);
        self.link.send(&bytes)
    }

    /// The next thing that the board says; none when there was nothing until then, or a signal came.
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

    /// The same; `progress` hears how many bytes of how many are there.
    pub fn ask_with_progress(&mut self, command: SingleCommand, progress: Progress) -> Result<Reply, Gone> {
        self.send(command)?;
        let began = self.link.now();
        let is_log = command == SingleCommand::SendLog;
        let said = self.link.patience().unwrap_or_default();
        let limit = began + said + if is_log { LONGEST_LOG } else { LONGEST };
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
            if reply.before.len() >= MOST {
                return Ok(reply);
            }
            // A board that is in the middle of something else answers when it has said that.
            let until = (began.max(self.last) + PATIENCE.max(said)).min(limit);
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

    /// The data of the answer to a question that is asked a few times.
    pub fn ask_until_answered(&mut self, command: SingleCommand) -> Result<Option<Vec<u8>>, Gone> {
        retry::until_answered(retry::ALONE, || Ok(self.ask(command)?.answer))
    }

    /// Who is there; none when no board answers in single-board mode. Ends whatever mode the board was in.
    ///
    /// Boards differ in which questions they answer: those of which the serial number is no bus address may be silent to
    /// that for the address. A board is there when it answers any, or shows what stands on it. What comes late, or unasked,
    /// counts as well.
    pub fn greet(&mut self) -> Result<Option<FoundBoard>, Gone> {
        // A board in the middle of a message, its whole log perhaps, is let finish.
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
        // It may have been switched on behind these questions.
        if card.address.is_none() {
            self.ask_card(SingleCommand::SendAddress, 1, &mut card)?;
        }
        if card.version.is_none() {
            self.ask_card(SingleCommand::SendVersion, 1, &mut card)?;
        }
        self.ask_card(SingleCommand::SendSerial, 1, &mut card)?;
        // Where that is the bus address nothing is longer.
        if card.serial.as_deref().is_none_or(|serial| serial.parse::<u16>().ok() != card.address) {
            self.ask_card(SingleCommand::SendLongSerial, 1, &mut card)?;
        }
        let Card { address, version, serial, .. } = card;
        // A board that was found before keeps its number, whichever of its answers was lost this time.
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

    /// Asks until the answer is there; all that comes goes onto the card.
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

    /// Writes the start mark into the board's log, for which it has to know the bus; none if it does not.
    pub fn start(&mut self) -> Result<Option<BoardEvent>, Gone> {
        Ok(self.on_the_bus(BusCommand::SetStartGame)?.map(|_| answers::start_mark()))
    }

    /// Restarts the board, for which it has to know the bus; none if it does not.
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

    /// Listens until then; what comes is kept for [`next`](Cable::next).
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
            _ if heard.len() >= MOST => {}
            Ok(frame) => heard.push_back(Incoming::Message(frame.id, frame.data.to_vec())),
            // One tells as much as all that follow it.
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

    /// Speaks to the board in bus mode for one command to its own address, and back. None from a board that knows
    /// no bus; that is found out with a ping to address 0, no byte of which is a command of single-board mode.
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
        /// A ping to all is answered within 1100 ms, SET_START_GAME after 70.
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

    /// A line on which something talks without end, a hundred times as fast as any board.
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
    fn floods_take_little_memory_and_give_no_answer() {
        for pattern in [&[0x85][..], &[0x85, 0x00], &[0x8e, 0x00, 0x05, 0x10, 0x00], &[0x00], &[0x8f, 0x3e]] {
            let mut cable = Cable::new(Flood { now: Duration::ZERO, pattern });
            assert_eq!(cable.greet(), Ok(None), "{pattern:02x?}");
            let reply = cable.ask(SingleCommand::SendBoard).unwrap();
            assert_eq!(reply.answer, None);
            assert!(reply.before.len() <= 2 * MOST && cable.heard.len() <= MOST, "{pattern:02x?}");
            assert!(cable.link.now < Duration::from_secs(20));
        }
    }
}
