//! The line: transfers bytes at its speed, with collisions of boards, noise and lost replies.
//!
//! Pure: the caller passes the time. Host and boards have a wire each, so they never collide with each other; the boards
//! share theirs.

use std::collections::{BTreeMap, VecDeque};

use super::{Micros, SECOND, random::Random, simulated_board::SimulatedBoard};

/// The host receives a long message in pieces of this many microseconds.
const PIECE: Micros = 5_000;

/// The faults of a line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LineFaults {
    /// The chance that a byte in either direction is damaged.
    pub noise: f64,
    /// The chance that a reply is not sent, although the command was executed.
    pub drop: f64,
}

/// The progress of the games on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineProgress {
    /// Plies landed.
    pub plies: usize,
    /// Plies landed and to come.
    pub of: usize,
    /// When everything had been played and read by the host; none before.
    pub over: Option<Micros>,
}

/// Boards on one line.
#[derive(Debug)]
pub struct SharedLine {
    /// The boards.
    pub boards: Vec<SimulatedBoard>,
    /// The time of a byte; 0: no time.
    byte_time: Micros,
    /// The speed of the make.
    speed: u32,
    /// The speed of the host, if it is another.
    host_speed: Option<u32>,
    /// The fraction of a byte that remains after conversion to another speed.
    garbled: f64,
    /// Reports that wait to be read, if boards send separate reports.
    reports: Option<VecDeque<Vec<u8>>>,
    faults: LineFaults,
    random: Random,
    /// Bytes of the host on their way, with the times of their arrival.
    to_boards: VecDeque<(Micros, u8)>,
    /// Bytes of boards on their way, by the time at which each begins, its board and its number.
    to_host: BTreeMap<(Micros, usize, usize), u8>,
    /// When each board ends sending.
    sending: Vec<Micros>,
    /// Counts bytes that begin at the same moment on an unpaced line.
    sent: usize,
}

impl SharedLine {
    /// A line of `baud` bits a second (10 bits a byte); 0: bytes take no time.
    pub fn new(boards: Vec<SimulatedBoard>, baud: u32, faults: LineFaults, random: Random) -> SharedLine {
        let byte_time = match baud {
            0 => 0,
            _ => 10 * SECOND / Micros::from(baud),
        };
        let sending = vec![0; boards.len()];
        SharedLine {
            boards,
            byte_time,
            speed: 9600,
            host_speed: None,
            garbled: 0.0,
            reports: None,
            faults,
            random,
            to_boards: VecDeque::new(),
            to_host: BTreeMap::new(),
            sending,
            sent: 0,
        }
    }

    /// The same line with boards of this speed, 0 for devices with separate reports. Bytes that a host reads or sends at
    /// another speed are garbled.
    pub fn of_speed(mut self, speed: u32) -> SharedLine {
        self.speed = speed;
        self.reports = (speed == 0).then(VecDeque::new);
        self
    }

    /// The speed of the boards; 0 for devices with separate reports.
    pub fn speed(&self) -> u32 {
        self.speed
    }

    /// Notes that a host is present, and the speed of its end, if it has one.
    pub fn host_reads_at(&mut self, speed: Option<u32>) {
        self.host_speed = speed.filter(|&speed| speed != self.speed);
        if self.host_speed.is_none() {
            self.boards.iter_mut().for_each(|board| board.electronics.is_read());
        }
    }

    /// Takes the next report.
    pub fn next_report(&mut self) -> Option<Vec<u8>> {
        self.reports.as_mut()?.pop_front()
    }

    /// The bytes that an end with another speed receives: random ones, more or fewer.
    fn garble(&mut self, bytes: Vec<u8>, from: u32, to: u32) -> Vec<u8> {
        let mut seen = Vec::new();
        for _ in bytes {
            self.garbled += f64::from(to) / f64::from(from.max(1));
            while self.garbled >= 1.0 {
                self.garbled -= 1.0;
                seen.push(self.random.bits() as u8);
            }
        }
        seen
    }

    /// The progress of the games.
    pub fn progress(&self, now: Micros) -> LineProgress {
        let over = self
            .boards
            .iter()
            .map(SimulatedBoard::finished_at)
            .try_fold(0, |last, over| Some(last.max(over?)));
        LineProgress {
            plies: self.boards.iter().map(|board| board.plies_landed(now)).sum(),
            of: self.boards.iter().map(SimulatedBoard::plies_in_all).sum(),
            over,
        }
    }

    /// Puts bytes of the host on the line.
    pub fn host_sends(&mut self, now: Micros, bytes: &[u8]) {
        let bytes = match self.host_speed {
            Some(speed) => self.garble(bytes.to_vec(), speed, self.speed),
            None => bytes.to_vec(),
        };
        for byte in bytes {
            let begun = self.to_boards.back().map_or(now, |(arrived, _)| now.max(*arrived));
            for byte in spoil(&mut self.random, self.faults.noise, byte) {
                self.to_boards.push_back((begun + self.byte_time, byte));
            }
        }
    }

    /// Drops all bytes on the line, because the host's end is pulled out.
    pub fn unplug(&mut self) {
        self.to_boards.clear();
        self.to_host.clear();
        self.reports.iter_mut().for_each(VecDeque::clear);
        self.boards.iter_mut().for_each(|board| board.electronics.unplugged());
    }

    /// The time of the next event.
    pub fn next_at(&self) -> Option<Micros> {
        let command = self.to_boards.front().map(|(at, _)| *at);
        let boards = self.boards.iter().filter_map(SimulatedBoard::next_at).min();
        // In pieces, but never before the first byte, with all bytes that overlap it, has arrived.
        let reply = self
            .first_on_the_wire()
            .zip(self.to_host.last_key_value())
            .map(|(first, (last, _))| (last.0 + self.byte_time).min(first.begun + PIECE).max(first.end));
        [command, boards, reply].into_iter().flatten().min()
    }

    /// Simulates up to `now`, and returns the bytes that the host receives.
    pub fn step(&mut self, now: Micros) -> Vec<u8> {
        loop {
            let boards = self.boards.iter().filter_map(SimulatedBoard::next_at).min();
            let command = self.to_boards.front().map(|(at, _)| *at);
            let Some(at) = [boards, command].into_iter().flatten().min().filter(|at| *at <= now) else {
                break;
            };
            if command == Some(at)
                && let Some((_, byte)) = self.to_boards.pop_front()
            {
                for board in &mut self.boards {
                    board.receive(at, &[byte]);
                }
            }
            for n in 0..self.boards.len() {
                if self.boards[n].next_at().is_some_and(|next| next <= at) {
                    self.boards[n].advance(at);
                    self.transmit(n, at);
                }
            }
        }
        let bytes = self.arrived(now);
        match self.host_speed {
            Some(speed) => self.garble(bytes, self.speed, speed),
            None => bytes,
        }
    }

    /// Puts the messages of a board on the line.
    fn transmit(&mut self, n: usize, now: Micros) {
        while let Some(reply) = self.boards[n].send(now) {
            if self.random.chance(self.faults.drop) {
                continue;
            }
            if let Some(reports) = &mut self.reports {
                let noise = self.faults.noise;
                let spoilt = reply.bytes.into_iter().flat_map(|byte| spoil(&mut self.random, noise, byte));
                reports.push_back(spoilt.collect());
                continue;
            }
            let mut at = reply.at.max(self.sending[n]);
            for byte in reply.bytes {
                self.to_host.insert((at, n, self.sent), byte);
                self.sent += 1;
                at += self.byte_time;
            }
            self.sending[n] = at;
        }
    }

    /// The next byte on the wire with all that overlap it.
    fn first_on_the_wire(&self) -> Option<Tangle> {
        let (&(begun, board, _), &byte) = self.to_host.first_key_value()?;
        let mut tangle = Tangle { begun, end: begun + self.byte_time, bytes: 1, alone: Some(byte) };
        // If bytes take no time, they overlap when two boards send at the same moment.
        let at_once = self.byte_time == 0
            && self.to_host.range((begun, board + 1, 0)..(begun + 1, 0, 0)).next().is_some();
        for &(next, other, _) in self.to_host.keys().skip(1) {
            if next >= tangle.end && !(at_once && next == begun) {
                break;
            }
            tangle.end = next + self.byte_time;
            tangle.bytes += 1;
            tangle.alone = tangle.alone.filter(|_| other == board);
        }
        Some(tangle)
    }

    /// Takes the bytes that have arrived; bytes that overlap garble each other.
    fn arrived(&mut self, now: Micros) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Some(tangle) = self.first_on_the_wire().filter(|tangle| tangle.end <= now) {
            for _ in 0..tangle.bytes {
                self.to_host.pop_first();
            }
            match tangle.alone {
                Some(byte) => bytes.extend(spoil(&mut self.random, self.faults.noise, byte)),
                None => {
                    // The host receives as many random bytes as fit into the time.
                    let seen = match self.byte_time {
                        0 => tangle.bytes as u64,
                        time => (tangle.end - tangle.begun) / time,
                    };
                    bytes.extend((0..seen).map(|_| self.random.bits() as u8));
                }
            }
        }
        bytes
    }
}

/// Bytes that overlap on the line; usually there is only one.
#[derive(Debug, Clone, Copy)]
struct Tangle {
    begun: Micros,
    end: Micros,
    bytes: usize,
    /// The byte, if no other overlaps it.
    alone: Option<u8>,
}

/// A byte after noise: usually unchanged; otherwise one bit is wrong, or it is lost, or another byte follows it.
fn spoil(random: &mut Random, noise: f64, byte: u8) -> Vec<u8> {
    if noise <= 0.0 || !random.chance(noise) {
        return vec![byte];
    }
    match random.weighted(&[0.8, 0.1, 0.1]) {
        0 => vec![byte ^ 1 << random.below(8)],
        1 => Vec::new(),
        _ => vec![byte, random.bits() as u8],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        sim::{
            line_setup::{LineSetup, LineSpeech},
            planned_game::chess,
            profile::Hands,
            round::{Ending, Round},
            simulated_board::StartOfPlay,
        },
        wire::{
            command::BusCommand,
            eeprom::entries,
            frame::{Decoder, Frame, checksum},
            message::{Message, Version},
        },
    };

    /// A byte of 9600 baud.
    const BYTE: Micros = 1041;

    fn setup() -> LineSetup {
        LineSetup {
            profile: Hands::Classic.profile(),
            clock: true,
            speed: 100.0,
            baud: 9600,
            version: Version { main: 1, sub: 6 },
            speech: LineSpeech::Bus,
            ghosts: 0.0,
            start: StartOfPlay { delay: SECOND, at_latest: None },
            faults: LineFaults::default(),
            board_faults: Vec::new(),
            power_cuts: 0,
            watchdogs: 0,
            seed: 1,
        }
    }

    fn rounds() -> Vec<Round> {
        let sans = "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6 Be3 Bg4 Nbd2 Qd7 c3 O-O-O";
        let sans: Vec<&str> = sans.split(' ').collect();
        let game = Arc::new(chess::tests::planned(None, &sans, None).unwrap());
        vec![Round::new(game, Ending::None); 3]
    }

    fn line(setup: &LineSetup, boards: u16) -> SharedLine {
        setup.line(&(1025..1025 + boards).collect::<Vec<_>>(), &rounds())
    }

    /// Simulates the line to `until`. Returns the bytes that the host receives, each piece with its time.
    fn run(line: &mut SharedLine, until: Micros) -> Vec<(Micros, Vec<u8>)> {
        let mut got = Vec::new();
        while let Some(at) = line.next_at().filter(|at| *at <= until) {
            let bytes = line.step(at);
            if !bytes.is_empty() {
                got.push((at, bytes));
            }
        }
        got
    }

    fn ask(line: &mut SharedLine, now: Micros, command: BusCommand, address: u16) -> Vec<u8> {
        line.host_sends(now, &command.encode(address));
        run(line, now + SECOND / 2).into_iter().flat_map(|(_, bytes)| bytes).collect()
    }

    fn log_of(packet: &[u8]) -> Vec<u8> {
        let mut log = Vec::new();
        Decoder::new(crate::record::Mode::Bus).push(packet, |frame| {
            if let Ok(Frame { id: 0x85, data, .. }) = frame {
                log.extend_from_slice(data);
            }
        });
        log
    }

    #[test]
    fn bytes_take_time_in_both_directions() {
        let mut line = line(&setup(), 1);
        line.host_sends(0, &BusCommand::SendBoard.encode(1025));
        let got = run(&mut line, SECOND);
        let (first, last) = (got[0].0, got.last().unwrap().0);
        // Four bytes to the board, a latency of at least 1 ms, then 70 bytes in pieces of 5 ms.
        assert!((4 * BYTE + 1_000..=4 * BYTE + 20_000 + PIECE).contains(&first), "{first}");
        assert!((74 * BYTE + 1_000..=74 * BYTE + 20_000).contains(&last), "{last}");
        assert_eq!(got.iter().map(|(_, bytes)| bytes.len()).sum::<usize>(), 70);
        assert!(got.len() >= 10, "a host that waits for the first byte must not wait for the last");
    }

    #[test]
    fn unpaced_lines_answer_immediately() {
        let mut line = line(&LineSetup { baud: 0, ..setup() }, 1);
        line.host_sends(7, &BusCommand::Ping.encode(1025));
        assert_eq!(line.step(7), [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    }

    #[test]
    fn simultaneous_answers_are_garbled_on_an_unpaced_line() {
        let twin = vec!["twin=1026".parse().unwrap()];
        let mut line = line(&LineSetup { baud: 0, board_faults: twin, ..setup() }, 2);
        for n in 0..20 {
            let of_one = ask(&mut line, 2 * n * SECOND, BusCommand::Ping, 1025);
            assert_eq!(of_one, [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
            let of_two = ask(&mut line, (2 * n + 1) * SECOND, BusCommand::Ping, 1026);
            let mut whole = 0;
            Decoder::new(crate::record::Mode::Bus).push(&of_two, |frame| whole += u32::from(frame.is_ok()));
            assert!(!of_two.is_empty() && whole == 0, "{of_two:x?}");
        }
    }

    #[test]
    fn only_replies_that_overlap_are_garbled() {
        let mut whole = 0;
        let mut garbled = 0;
        for seed in 0..20 {
            let mut line = line(&LineSetup { seed, ..setup() }, 24);
            line.host_sends(0, &BusCommand::Ping.encode(0));
            let bytes: Vec<u8> = run(&mut line, 2 * SECOND).into_iter().flat_map(|(_, b)| b).collect();
            Decoder::new(crate::record::Mode::Bus).push(&bytes, |frame| match frame {
                Ok(frame) => {
                    let address = frame.address.unwrap();
                    assert!((1025..1049).contains(&address), "{address} is on no board");
                    whole += 1;
                }
                Err(_) => garbled += 1,
            });
        }
        // 24 replies of 6.25 ms in 1100 ms: each stays clear of the others with (1 - 12.5/1100)^23, 77 %.
        let rate = f64::from(whole) / 480.0;
        assert!((0.68..0.86).contains(&rate), "{rate}");
        assert!(garbled > 0);
    }

    #[test]
    fn noise_damages_the_requested_share_of_bytes() {
        let faults = LineFaults { noise: 0.01, ..LineFaults::default() };
        let mut line = line(&LineSetup { faults, ..setup() }, 1);
        let dumps = 300;
        let right = (0..dumps)
            .filter(|n| {
                let packet = ask(&mut line, n * SECOND, BusCommand::SendBoard, 1025);
                packet.len() == 70 && checksum(&packet[..69]) == packet[69]
            })
            .count();
        // 74 bytes, each right with 99 %: 48 %.
        assert!((115..175).contains(&right), "{right}");
    }

    #[test]
    fn a_command_with_a_dropped_reply_was_executed() {
        let faults = LineFaults { drop: 1.0, ..LineFaults::default() };
        let mut line = line(&LineSetup { faults, ..setup() }, 1);
        assert!(ask(&mut line, 0, BusCommand::SendChanges, 1025).is_empty());
        line.faults.drop = 0.0;
        assert_eq!(ask(&mut line, SECOND, BusCommand::SendChanges, 1025), [0x85, 0, 6, 8, 1, 0x14]);
        let again = ask(&mut line, 2 * SECOND, BusCommand::RepeatChanges, 1025);
        assert_eq!(again.len(), 6, "the repeated packet is that of the last command, which was empty");
    }

    #[test]
    fn play_lasts_from_the_start_mark_to_the_last_read() {
        let mut line = line(&setup(), 3);
        run(&mut line, 20 * SECOND);
        assert_eq!(line.progress(20 * SECOND).plies, 0, "nobody has written a start mark");
        for n in 0..3 {
            ask(&mut line, (20 + n) * SECOND, BusCommand::SetStartGame, 1025 + n as u16);
        }
        run(&mut line, 200 * SECOND);
        let progress = line.progress(200 * SECOND);
        assert_eq!((progress.plies, progress.of, progress.over), (48, 48, None), "nothing is read yet");
        let mut heard = 0;
        for n in 0..3 {
            let packet = ask(&mut line, (200 + n) * SECOND, BusCommand::SendChanges, 1025 + n as u16);
            heard += entries(&log_of(&packet)).count();
        }
        assert!(heard > 3 * 16 * 2, "{heard}");
        assert!(line.progress(203 * SECOND).over.is_some());
    }

    #[test]
    fn without_a_mark_play_begins_at_the_latest_time() {
        let start = StartOfPlay { delay: SECOND, at_latest: Some(5 * SECOND) };
        let mut line = line(&LineSetup { start, ..setup() }, 1);
        run(&mut line, 5 * SECOND - 1);
        assert_eq!(line.progress(5 * SECOND - 1).plies, 0);
        run(&mut line, 100 * SECOND);
        assert_eq!(line.progress(100 * SECOND).plies, 48, "one board plays all three games");
    }

    #[test]
    fn power_cuts_and_watchdogs_cause_a_new_list() {
        let at_once = StartOfPlay { delay: 0, at_latest: Some(0) };
        let listings = |setup: &LineSetup| {
            let mut line = line(setup, 1);
            let mut log = Vec::new();
            for n in 0..400 {
                log.extend(log_of(&ask(&mut line, n * SECOND / 2, BusCommand::SendChanges, 1025)));
            }
            let powered = log.windows(4).filter(|bytes| *bytes == [0x7f, 0x7f, 0x7f, 0x6a]).count();
            (powered, *line.boards[0].electronics.stands())
        };
        let last = *rounds()[0].game.last().codes();
        let setup = LineSetup { start: at_once, ..setup() };
        assert_eq!(listings(&setup), (1, last));
        assert_eq!(listings(&LineSetup { power_cuts: 1, ..setup.clone() }), (2, last));
        assert_eq!(listings(&LineSetup { watchdogs: 1, ..setup.clone() }), (2, last));
    }

    #[test]
    fn a_host_reads_each_logged_entry_once() {
        let at_once = StartOfPlay { delay: 0, at_latest: Some(0) };
        let mut line = line(&LineSetup { start: at_once, profile: Hands::Blitz.profile(), ..setup() }, 1);
        let mut read = Vec::new();
        let mut logged = Vec::new();
        for n in 0..200 {
            read.extend(log_of(&ask(&mut line, n * SECOND / 2, BusCommand::SendChanges, 1025)));
            logged.extend(line.boards[0].electronics.take_logged());
        }
        let logged: Vec<_> = logged.iter().map(|logged| logged.entry).collect();
        assert_eq!(entries(&read).collect::<Vec<_>>(), logged);
        assert!(logged.len() > 33 + 32);
    }

    #[test]
    fn an_unplugged_line_loses_its_bytes() {
        let mut line = line(&setup(), 1);
        line.host_sends(0, &BusCommand::SendBoard.encode(1025));
        line.step(30_000);
        line.unplug();
        assert!(run(&mut line, SECOND).is_empty());
        let packet = ask(&mut line, 2 * SECOND, BusCommand::Ping, 1025);
        let mut ping = Vec::new();
        Message::Ping.encode(Some(1025), &mut ping);
        assert_eq!(packet, ping);
    }
}
