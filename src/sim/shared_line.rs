//! The line: bytes take their time, boards talk over each other, noise and lost replies do their harm.
//!
//! Pure: the caller says what time it is. Host and boards have a wire each, so they never collide with each other;
//! the boards share theirs.

use std::collections::{BTreeMap, VecDeque};

use super::{Micros, SECOND, random::Random, simulated_board::SimulatedBoard};

/// While a long message is on the wire the host gets it in pieces of so many microseconds.
const PIECE: Micros = 5_000;

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LineFaults {
    /// How likely a byte, either way, is spoilt.
    pub noise: f64,
    /// How likely a reply is not sent at all, the command obeyed.
    pub drop: f64,
}

/// How far the games on a line are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineProgress {
    /// Plies landed.
    pub plies: usize,
    /// Plies landed and to come.
    pub of: usize,
    /// Since when everything has been played and read by the host, if it has.
    pub over: Option<Micros>,
}

/// Boards on one line.
#[derive(Debug)]
pub struct SharedLine {
    /// The boards.
    pub boards: Vec<SimulatedBoard>,
    /// How long a byte takes; 0: no time.
    byte_time: Micros,
    /// The speed of the make, and that of the host where it is another.
    speed: u32,
    host_speed: Option<u32>,
    /// What is left of a byte that was read at another speed.
    garbled: f64,
    /// What boards send is reports with borders, and waits here.
    reports: Option<VecDeque<Vec<u8>>>,
    faults: LineFaults,
    random: Random,
    /// Bytes of the host on their way, with the times of their arrival.
    to_boards: VecDeque<(Micros, u8)>,
    /// Bytes of boards on their way: when each began, and which board sends it.
    to_host: BTreeMap<(Micros, usize, usize), u8>,
    /// Until when each board is sending.
    sending: Vec<Micros>,
    /// Counts bytes that begin at the same moment on an unpaced line.
    sent: usize,
}

impl SharedLine {
    /// A line of `baud` bits a second (10 bits a byte), 0 for a line that takes no time.
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

    /// The same line, whose boards speak at this speed, 0 for devices that carry reports whole: what a host reads or sends at
    /// another one is garbled.
    pub fn of_speed(mut self, speed: u32) -> SharedLine {
        self.speed = speed;
        self.reports = (speed == 0).then(VecDeque::new);
        self
    }

    /// The speed at which boards speak; 0 for devices that carry reports whole.
    pub fn speed(&self) -> u32 {
        self.speed
    }

    /// The host is there, and its end has this speed; none where it has none.
    pub fn host_reads_at(&mut self, speed: Option<u32>) {
        self.host_speed = speed.filter(|&speed| speed != self.speed);
        if self.host_speed.is_none() {
            self.boards.iter_mut().for_each(|board| board.electronics.is_read());
        }
    }

    /// The next report that a host gets whole.
    pub fn next_report(&mut self) -> Option<Vec<u8>> {
        self.reports.as_mut()?.pop_front()
    }

    /// Bytes as an end of another speed sees them: something else, and more or fewer.
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

    /// How far the games are.
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

    /// The host sends bytes.
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

    /// The host's end is pulled out: what is on the wire is lost.
    pub fn unplug(&mut self) {
        self.to_boards.clear();
        self.to_host.clear();
        self.reports.iter_mut().for_each(VecDeque::clear);
    }

    /// When something happens next.
    pub fn next_at(&self) -> Option<Micros> {
        let command = self.to_boards.front().map(|(at, _)| *at);
        let boards = self.boards.iter().filter_map(SimulatedBoard::next_at).min();
        // In pieces, but never before the first byte, or all that is tangled with it, is there.
        let reply = self
            .first_on_the_wire()
            .zip(self.to_host.last_key_value())
            .map(|(first, (last, _))| (last.0 + self.byte_time).min(first.begun + PIECE).max(first.end));
        [command, boards, reply].into_iter().flatten().min()
    }

    /// Everything that happens up to `now`; what the host receives of it.
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

    /// Puts what a board sends on the wire.
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
        // Where bytes take no time, they overlap when two boards send at the same moment.
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

    /// Takes off the wire what has arrived whole; bytes that overlap garble each other.
    fn arrived(&mut self, now: Micros) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Some(tangle) = self.first_on_the_wire().filter(|tangle| tangle.end <= now) {
            for _ in 0..tangle.bytes {
                self.to_host.pop_first();
            }
            match tangle.alone {
                Some(byte) => bytes.extend(spoil(&mut self.random, self.faults.noise, byte)),
                None => {
                    // The host sees as many bytes as fit, and each is something else.
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

/// Bytes that overlap on the wire; mostly there is one.
#[derive(Debug, Clone, Copy)]
struct Tangle {
    begun: Micros,
    end: Micros,
    bytes: usize,
    /// The byte, if nothing disturbs it.
    alone: Option<u8>,
}

/// A byte after the noise: mostly itself, else one bit is wrong, or it is lost, or there is one more.
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

    /// Lets the line go on to `until`; each piece of bytes with the time at which the host gets it.
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
    fn bytes_take_their_time_both_ways() {
        let mut line = line(&setup(), 1);
        line.host_sends(0, &BusCommand::SendBoard.encode(1025));
        let got = run(&mut line, SECOND);
        let (first, last) = (got[0].0, got.last().unwrap().0);
        // Four bytes there, at least a millisecond of thought, then 70 bytes, given on in pieces of 5 ms.
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
    fn simultaneous_answers_garble_each_other_without_byte_times() {
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
    fn overlapping_replies_garble_and_others_arrive() {
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
    fn noise_spoils_bytes_as_often_as_asked() {
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
    fn a_dropped_reply_was_obeyed() {
        let faults = LineFaults { drop: 1.0, ..LineFaults::default() };
        let mut line = line(&LineSetup { faults, ..setup() }, 1);
        assert!(ask(&mut line, 0, BusCommand::SendChanges, 1025).is_empty());
        line.faults.drop = 0.0;
        assert_eq!(ask(&mut line, SECOND, BusCommand::SendChanges, 1025), [0x85, 0, 6, 8, 1, 0x14]);
        let again = ask(&mut line, 2 * SECOND, BusCommand::RepeatChanges, 1025);
        assert_eq!(again.len(), 6, "the repeated packet is that of the last command, which was empty");
    }

    #[test]
    fn play_begins_after_marks_and_ends_after_reading() {
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
    fn missing_marks_begin_play_at_the_latest_time() {
        let start = StartOfPlay { delay: SECOND, at_latest: Some(5 * SECOND) };
        let mut line = line(&LineSetup { start, ..setup() }, 1);
        run(&mut line, 5 * SECOND - 1);
        assert_eq!(line.progress(5 * SECOND - 1).plies, 0);
        run(&mut line, 100 * SECOND);
        assert_eq!(line.progress(100 * SECOND).plies, 48, "one board plays all three games");
    }

    #[test]
    fn power_cuts_hide_moves_and_watchdogs_only_list_again() {
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
    fn hosts_read_logged_entries_in_order_once() {
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
    fn a_cut_line_loses_what_is_on_it() {
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
