//! The line: bytes take their time, boards talk over each other, noise and lost replies do their harm.
//!
//! Pure: the caller says what time it is. Host and boards have a wire each, so they never collide with each other;
//! the boards share theirs.

use std::collections::{BTreeMap, VecDeque};

use super::{Instant, SECOND, random::Random, seat::Seat};

/// While a long message is on the wire the host gets it in pieces of so many microseconds.
const PIECE: Instant = 5_000;

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Faults {
    /// How likely a byte, either way, is spoilt.
    pub noise: f64,
    /// How likely a reply is not sent at all, the command obeyed.
    pub drop: f64,
}

/// Boards on one line.
#[derive(Debug)]
pub struct Line {
    seats: Vec<Seat>,
    /// How long a byte takes; 0: no time.
    byte: Instant,
    faults: Faults,
    random: Random,
    /// Bytes of the host on their way, with the times of their arrival.
    heard: VecDeque<(Instant, u8)>,
    /// Bytes of boards on their way: when each began, and which seat sends it.
    air: BTreeMap<(Instant, usize, usize), u8>,
    /// Until when each seat is sending.
    sending: Vec<Instant>,
    /// Counts bytes that begin at the same moment on an unpaced line.
    sent: usize,
}

impl Line {
    /// A line of `baud` bits a second (10 bits a byte), 0 for a line that takes no time.
    pub fn new(seats: Vec<Seat>, baud: u32, faults: Faults, random: Random) -> Line {
        let byte = match baud {
            0 => 0,
            _ => 10 * SECOND / Instant::from(baud),
        };
        let sending = vec![0; seats.len()];
        Line { seats, byte, faults, random, heard: VecDeque::new(), air: BTreeMap::new(), sending, sent: 0 }
    }

    /// The boards and their tables.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The boards and their tables, for what is logged to be taken.
    pub fn seats_mut(&mut self) -> &mut [Seat] {
        &mut self.seats
    }

    /// The host sends bytes.
    pub fn hear(&mut self, now: Instant, bytes: &[u8]) {
        for &byte in bytes {
            let begun = self.heard.back().map_or(now, |(arrived, _)| now.max(*arrived));
            for byte in spoil(&mut self.random, self.faults.noise, byte) {
                self.heard.push_back((begun + self.byte, byte));
            }
        }
    }

    /// The host's end is pulled out: what is on the wire is lost.
    pub fn cut(&mut self) {
        self.heard.clear();
        self.air.clear();
    }

    /// When something happens next.
    pub fn next(&self) -> Option<Instant> {
        let heard = self.heard.front().map(|(at, _)| *at);
        let seats = self.seats.iter().filter_map(Seat::next).min();
        let air = match (self.air.first_key_value(), self.air.last_key_value()) {
            (Some((first, _)), Some((last, _))) => {
                Some((last.0 + self.byte).min(first.0 + PIECE.max(self.byte)))
            }
            _ => None,
        };
        [heard, seats, air].into_iter().flatten().min()
    }

    /// Everything that happens up to `now`; what the host receives of it.
    pub fn step(&mut self, now: Instant) -> Vec<u8> {
        loop {
            let seats = self.seats.iter().filter_map(Seat::next).min();
            let heard = self.heard.front().map(|(at, _)| *at);
            let Some(at) = [seats, heard].into_iter().flatten().min().filter(|at| *at <= now) else { break };
            if heard == Some(at)
                && let Some((_, byte)) = self.heard.pop_front()
            {
                for seat in &mut self.seats {
                    seat.hear(at, &[byte]);
                }
            }
            for n in 0..self.seats.len() {
                if self.seats[n].next().is_some_and(|next| next <= at) {
                    self.seats[n].wake(at);
                    self.collect(n, at);
                }
            }
        }
        self.receive(now)
    }

    /// Puts what a seat says on the wire.
    fn collect(&mut self, n: usize, now: Instant) {
        while let Some(reply) = self.seats[n].say(now) {
            if self.random.chance(self.faults.drop) {
                continue;
            }
            let mut at = reply.at.max(self.sending[n]);
            for byte in reply.bytes {
                self.air.insert((at, n, self.sent), byte);
                self.sent += 1;
                at += self.byte;
            }
            self.sending[n] = at;
        }
    }

    /// Takes off the wire what has arrived whole; bytes that overlap garble each other.
    fn receive(&mut self, now: Instant) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Some((&(begun, seat, _), &byte)) = self.air.first_key_value() {
            let mut end = begun + self.byte;
            let mut together = 1;
            let mut alone = true;
            for &(next, other, _) in self.air.keys().skip(1) {
                if next >= end {
                    break;
                }
                alone &= other == seat;
                end = next + self.byte;
                together += 1;
            }
            if end > now {
                break;
            }
            for _ in 0..together {
                self.air.pop_first();
            }
            if alone {
                bytes.extend(spoil(&mut self.random, self.faults.noise, byte));
            } else {
                // The host sees as many bytes as fit, and each is something else.
                let seen = (end - begun) / self.byte.max(1);
                bytes.extend((0..seen).map(|_| self.random.bits() as u8));
            }
        }
        bytes
    }
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
