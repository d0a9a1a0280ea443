//! Finds the boards of a line: answers to broadcast pings collide, so boards found are silenced and the rest pinged again.
//!
//! Every board answers a broadcast ping once, at a random moment within 1100 ms, and answers that overlap damage each
//! other. An address read from them, with or without its checksum, is only a guess: it counts when it answers a ping of its
//! own. The rounds end when two in a row bring neither a new board nor a byte that the boards found do not explain.
//!
//! A board answers once in a round, so an address that answers twice may be that of two boards. It may also be that of one
//! board whose answer to an earlier command came late, or which sends everything twice. Pings to the address distinguish
//! them: two boards answer at the same time and mostly damage each other's answers, the answers of one board come whole. So
//! an address whose first answer was damaged is not silenced in its first round, in case it is that of two boards.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::exchange::{Answer, BusLine};
use crate::{
    bus::{FoundBoard, Gone, Interrupted, Link, ReportSearch, SearchEvent, answers, retry},
    error::Error,
    record::Mode,
    stop,
    wire::{
        command::BusCommand,
        frame::{checksum, join14},
    },
};

/// Rounds in a row, without a new board and without unexplained bytes, that end a search.
const QUIET_ROUNDS: usize = 2;
/// Rounds in a row, without a new board but with unexplained bytes, that end a search: a line with noise is never quiet.
const NOISY_ROUNDS: usize = 8;
/// The same during a watch, in which the boards wait meanwhile.
const NOISY_ROUNDS_IN_PLAY: usize = 2;

/// Pings to an address that show whether two boards have it: about every second answer of two boards is damaged.
const TWO_BOARDS_PINGS: usize = 8;
/// The time of an answer and its repetition, with the pause between them.
const REPEATED_ANSWER: Duration = Duration::from_millis(30);

/// Counts the rounds of a search and decides when it ends.
#[derive(Debug)]
pub struct Rounds {
    noisy_max: usize,
    quiet: usize,
    noisy: usize,
    count: usize,
}

impl Rounds {
    /// The rounds of a search for all boards.
    pub fn of_all() -> Rounds {
        Rounds { noisy_max: NOISY_ROUNDS, quiet: 0, noisy: 0, count: 0 }
    }

    /// The rounds of a search for boards that may have come since the last: one quiet round ends it.
    pub fn of_new() -> Rounds {
        Rounds { noisy_max: NOISY_ROUNDS_IN_PLAY, quiet: QUIET_ROUNDS - 1, ..Rounds::of_all() }
    }

    /// Counts and reports a round that brought `new` boards and `odd` unexplained bytes. Returns whether it was the last.
    fn ends(&mut self, new: usize, odd: usize, report: ReportSearch) -> Result<bool, Error> {
        self.count += 1;
        report(SearchEvent::Round(self.count, odd))?;
        (self.quiet, self.noisy) = match (new, odd) {
            (0, 0) => (self.quiet + 1, self.noisy),
            (0, _) => (0, self.noisy + 1),
            _ => (0, 0),
        };
        if self.quiet >= QUIET_ROUNDS {
            return Ok(true);
        }
        let ends = self.noisy >= self.noisy_max;
        if ends {
            report(SearchEvent::Unsettled(odd))?;
        }
        Ok(ends)
    }
}

/// A search of a line for boards.
pub struct Search<'a, L> {
    /// The boards found so far.
    pub found: Vec<FoundBoard>,
    line: &'a mut BusLine<L>,
    report: ReportSearch<'a>,
    /// Boards that are not reported again.
    known: BTreeSet<u16>,
    /// Addresses that are not silenced before the next round.
    doubtful: BTreeSet<u16>,
    /// Addresses that two boards have.
    twice: BTreeSet<u16>,
}

impl<'a, L: Link> Search<'a, L> {
    /// A search for boards other than those `known`, which are not reported.
    pub fn new(
        line: &'a mut BusLine<L>,
        known: impl IntoIterator<Item = u16>,
        report: ReportSearch<'a>,
    ) -> Search<'a, L> {
        let (doubtful, twice) = Default::default();
        Search { found: Vec::new(), line, report, known: known.into_iter().collect(), doubtful, twice }
    }

    /// How many addresses two boards have.
    pub fn shared(&self) -> usize {
        self.twice.len()
    }

    /// Finds all boards: first those expected, then the others by broadcast pings.
    pub fn all(&mut self, expected: &[u16]) -> Result<(), Interrupted> {
        self.look(expected)?;
        let mut rounds = Rounds::of_all();
        while stop::requested().is_none() {
            self.silence()?;
            if self.round(&mut rounds)? {
                break;
            }
        }
        Ok(())
    }

    /// Pings these addresses and reports boards that answer. Returns how many are new. If the line then proves to be slow,
    /// the silent addresses are pinged again.
    pub fn look(&mut self, addresses: &[u16]) -> Result<usize, Interrupted> {
        let known = self.line.is_known();
        let new = self.ping(addresses)?;
        let again =
            !known && !addresses.is_empty() && self.line.is_slow_after_all()? && self.line.slow().is_some();
        Ok(new + if again { self.ping(addresses)? } else { 0 })
    }

    fn ping(&mut self, addresses: &[u16]) -> Result<usize, Interrupted> {
        let mut new = 0;
        for &board in addresses {
            if stop::requested().is_some() {
                break;
            }
            if board != 0 && !self.known.contains(&board) && self.answers(board)? {
                self.known.insert(board);
                let version = self.line.ask_until_whole(BusCommand::SendVersion, board, retry::DISCOVERY)?;
                let version = version.and_then(|data| answers::version(&data));
                let found = FoundBoard { board, version, mode: Some(Mode::Bus), serial: None };
                (self.report)(SearchEvent::Found(&found))?;
                self.found.push(found);
                new += 1;
            }
        }
        Ok(new)
    }

    /// Whether a board answers a ping of its own.
    fn answers(&mut self, board: u16) -> Result<bool, Gone> {
        for _ in 0..retry::DISCOVERY {
            match self.line.ask(BusCommand::Ping, board)? {
                Answer::Whole(_) => return Ok(true),
                Answer::Garbled(_) => {
                    self.doubtful.insert(board);
                }
                Answer::Silence => {}
            }
            if stop::requested().is_some() {
                break;
            }
        }
        Ok(false)
    }

    /// Whether an address that answered twice in a round is that of two boards.
    fn is_of_two(&mut self, board: u16) -> Result<bool, Gone> {
        for _ in 0..TWO_BOARDS_PINGS {
            // Waits for a repeated answer, which would overlap the next one.
            let quiet = self.line.link.now() + REPEATED_ANSWER;
            while self.line.link.now() < quiet && stop::requested().is_none() {
                self.line.idle(quiet)?;
            }
            if let Answer::Garbled(_) = self.line.ask(BusCommand::Ping, board)? {
                return Ok(true);
            }
            if stop::requested().is_some() {
                break;
            }
        }
        Ok(false)
    }

    /// Silences all known boards, except doubtful ones.
    fn silence(&mut self) -> Result<(), Gone> {
        let doubtful = std::mem::take(&mut self.doubtful);
        for &board in self.known.difference(&doubtful) {
            if stop::requested().is_some() {
                break;
            }
            self.line.ask_until_whole(BusCommand::IgnoreNextPing, board, retry::DISCOVERY)?;
        }
        Ok(())
    }

    /// One round: a broadcast ping. Known boards were silenced before; if one was not, or was reset since, its answer is
    /// ignored. Returns whether the round was the last.
    pub fn round(&mut self, rounds: &mut Rounds) -> Result<bool, Interrupted> {
        let replies = PingReplies::read(&self.line.ping_all()?);
        for (&board, _) in replies.whole.iter().filter(|(_, count)| **count > 1) {
            if !self.twice.contains(&board) && self.is_of_two(board)? {
                self.twice.insert(board);
                (self.report)(SearchEvent::Twice(board))?;
            }
        }
        let new = self.look(&replies.guesses)?;
        let explained = self.known.union(&self.twice).copied().collect();
        Ok(rounds.ends(new, replies.unexplained(&explained), self.report)?)
    }
}

/// The answers to a broadcast ping.
#[derive(Debug)]
struct PingReplies {
    /// Addresses that may have answered.
    guesses: Vec<u16>,
    /// How many whole answers came from each address.
    whole: BTreeMap<u16, usize>,
    /// For each byte, the address of the whole answer to which it belongs.
    explained: Vec<Option<u16>>,
}

impl PingReplies {
    /// Reads `87 00 06 hi lo checksum` at any place, whole or with its beginning or its end damaged.
    fn read(bytes: &[u8]) -> PingReplies {
        let (mut guesses, mut whole) = (BTreeSet::new(), BTreeMap::new());
        let mut explained = vec![None; bytes.len()];
        for at in 0..bytes.len() {
            let (high, low) = match bytes[at..] {
                [0x87, 0, 6, high, low, sum, ..] if is_answer(high, low, sum) => {
                    explained[at..at + 6].fill(Some(join14(high, low)));
                    *whole.entry(join14(high, low)).or_default() += 1;
                    (high, low)
                }
                [0x87, 0, 6, high, low, ..] if (high | low) < 0x80 => (high, low),
                [6, high, low, sum, ..] if is_answer(high, low, sum) => (high, low),
                _ => continue,
            };
            guesses.insert(join14(high, low));
        }
        guesses.remove(&0);
        PingReplies { guesses: guesses.into_iter().collect(), whole, explained }
    }

    /// How many bytes do not belong to a whole answer of a known board.
    fn unexplained(&self, known: &BTreeSet<u16>) -> usize {
        self.explained.iter().filter(|board| board.is_none_or(|board| !known.contains(&board))).count()
    }
}

/// Whether these bytes are the address and the checksum of an answer to a ping.
fn is_answer(high: u8, low: u8, sum: u8) -> bool {
    (high | low) < 0x80 && checksum(&[0x87, 0, 6, high, low]) == sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::bus_mode::fake_bus::FakeBus;

    fn find(bus: FakeBus, expected: &[u16]) -> (Vec<u16>, FakeBus, bool) {
        let mut line = BusLine::new(bus);
        let mut unsettled = false;
        let mut report = |step: SearchEvent| {
            unsettled |= matches!(step, SearchEvent::Unsettled(_));
            Ok(())
        };
        let mut search = Search::new(&mut line, [], &mut report);
        search.all(expected).unwrap();
        let mut found: Vec<u16> = search.found.iter().map(|f| f.board).collect();
        found.sort();
        (found, line.link, unsettled)
    }

    #[test]
    fn addresses_are_guessed_from_damaged_answers() {
        let whole = [0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
        let replies = PingReplies::read(&whole);
        assert_eq!(replies.guesses, [1025]);
        assert_eq!(replies.unexplained(&BTreeSet::from([1025])), 0);
        assert_eq!(replies.unexplained(&BTreeSet::new()), 6);
        // The tail of board 2054 is spoilt, then the head of 1025.
        let replies = PingReplies::read(&[0x87, 0x00, 0x06, 0x10, 0x06, 0xb7, 0x10, 0x06, 0x08, 0x01, 0x16]);
        assert_eq!(replies.guesses, [1025, 2054]);
        assert_eq!(replies.unexplained(&BTreeSet::from([1025, 2054])), 11);
    }

    #[test]
    fn all_of_32_and_of_100_boards_are_found() {
        for (count, most) in [(32u16, 8), (100, 12)] {
            for seed in 0..200 {
                let mut numbers = crate::bus::bus_mode::fake_bus::Random::new(seed + 1000);
                let mut addresses = BTreeSet::new();
                while addresses.len() < count.into() {
                    addresses.insert(1 + numbers.below(16383) as u16);
                }
                let bus = FakeBus::new(addresses.iter().copied(), seed);
                let (found, bus, unsettled) = find(bus, &[]);
                assert_eq!(found, addresses.into_iter().collect::<Vec<_>>(), "seed {seed}");
                assert!(bus.broadcasts <= most, "{count} boards, seed {seed}: {}", bus.broadcasts);
                assert!(!unsettled);
            }
        }
    }

    /// The addresses that answer twice, and whether the search settled.
    fn twice(bus: FakeBus) -> (Vec<u16>, bool) {
        let (mut twice, mut settled) = (Vec::new(), true);
        let mut report = |step: SearchEvent| {
            match step {
                SearchEvent::Twice(board) => twice.push(board),
                SearchEvent::Unsettled(_) => settled = false,
                _ => {}
            }
            Ok(())
        };
        let mut line = BusLine::new(bus);
        Search::new(&mut line, [], &mut report).all(&[]).unwrap();
        (twice, settled)
    }

    #[test]
    fn two_boards_with_one_address_are_reported_as_two() {
        for count in [2, 12, 64] {
            for seed in 0..40 {
                let mut bus = FakeBus::new((1025..1025 + count).chain([1026]), seed);
                assert_eq!(twice(bus), (vec![1026], true), "{count} boards, seed {seed}");
                bus = FakeBus::new(1025..1025 + count, seed);
                (bus.noise, bus.dropped) = (0.001, 0.005);
                assert!(twice(bus).0.is_empty(), "{count} boards and noise, seed {seed}");
            }
        }
    }

    #[test]
    fn a_board_with_repeated_or_late_answers_is_one() {
        for count in [1, 2, 12] {
            for seed in 0..40 {
                let mut bus = FakeBus::new(1025..1025 + count, seed);
                bus.boards[0].repeats_answers = true;
                assert!(twice(bus).0.is_empty(), "{count} boards, seed {seed}");
                bus = FakeBus::new(1025..1025 + count, seed);
                bus.late = Some((60, 140));
                assert!(twice(bus).0.is_empty(), "{count} late boards, seed {seed}");
            }
        }
    }

    #[test]
    fn boards_are_found_despite_noise_and_lost_answers() {
        for seed in 0..50 {
            let mut bus = FakeBus::new(1025..1057, seed);
            (bus.noise, bus.dropped) = (0.001, 0.005);
            let (found, _, _) = find(bus, &[]);
            assert_eq!(found, (1025..1057).collect::<Vec<_>>(), "seed {seed}");
        }
    }

    #[test]
    fn a_board_in_single_mode_is_found() {
        let mut bus = FakeBus::new([1025, 2054], 1);
        bus.boards[1].single = true;
        assert_eq!(find(bus, &[]).0, [1025, 2054]);
    }

    #[test]
    fn boards_silenced_by_another_program_are_found() {
        let mut bus = FakeBus::new(1025..1057, 1);
        for board in &mut bus.boards {
            board.silenced = true;
        }
        assert_eq!(find(bus, &[]).0, (1025..1057).collect::<Vec<_>>());
    }

    #[test]
    fn an_address_that_answers_no_own_ping_is_ignored() {
        let mut bus = FakeBus::new([1025], 1);
        // The address in its answers can be read, and their checksums are wrong.
        bus.boards[0].wrong_checksums = true;
        let (found, bus, _) = find(bus, &[]);
        assert!(found.is_empty());
        assert!(bus.boards[0].asked.contains(&0x87) && !bus.boards[0].asked.contains(&0x8b));
    }

    #[test]
    fn boards_are_reported_at_once_and_two_quiet_rounds_end() {
        let mut steps = Vec::new();
        let mut line = BusLine::new(FakeBus::new([1025], 1));
        let mut report = |step: SearchEvent| {
            steps.push(match step {
                SearchEvent::Found(found) => format!("found {}", found.board),
                SearchEvent::Round(round, odd) => format!("round {round}: {odd}"),
                SearchEvent::Twice(board) => format!("{board} twice"),
                SearchEvent::Heard(_) | SearchEvent::Unsettled(_) => "unsettled".into(),
            });
            Ok(())
        };
        Search::new(&mut line, [], &mut report).all(&[]).unwrap();
        assert_eq!(steps, ["found 1025", "round 1: 0", "round 2: 0", "round 3: 0"]);
        assert_eq!(line.link.broadcasts, 3);
    }

    #[test]
    fn silencing_is_repeated_until_it_is_confirmed() {
        let mut bus = FakeBus::new([1025], 1);
        // After the answers to the broadcast, the ping and the question for its version.
        bus.spoilt_answers = vec![3];
        let (_, bus, _) = find(bus, &[]);
        assert_eq!(bus.boards[0].asked, [0x87, 0x8b, 0x8a, 0x8a, 0x8a]);
        assert_eq!(bus.broadcasts, 3);
    }

    #[test]
    fn expected_boards_are_pinged_before_any_broadcast() {
        let (found, bus, _) = find(FakeBus::new([1025, 2054], 1), &[2054]);
        assert_eq!(found, [1025, 2054]);
        assert_eq!(bus.sent[0].1, [0x87, 0x10, 0x06, 0x1d]);
        assert_eq!(bus.sent[1].1, [0x8b, 0x10, 0x06, 0x21]);
    }

    #[test]
    fn expected_boards_are_found_even_without_a_version() {
        // Boards up to version 1.2 do not report their version.
        let mut bus = FakeBus::new([1025, 2054], 1);
        bus.boards[1].version = None;
        let mut line = BusLine::new(bus);
        let mut report = |_: SearchEvent| Ok(());
        let mut search = Search::new(&mut line, [], &mut report);
        assert_eq!(search.look(&[2054, 3000, 1025]).unwrap(), 2);
        let version = |board, version: Option<&str>| FoundBoard {
            serial: None,
            board,
            version: version.map(Into::into),
            mode: Some(Mode::Bus),
        };
        assert_eq!(search.found, [version(2054, None), version(1025, Some("1.6"))]);
    }

    #[test]
    fn a_search_on_a_noisy_line_ends_unsettled() {
        let mut bus = FakeBus::new([1025], 1);
        bus.stranger_after_pings = true;
        let (found, _, unsettled) = find(bus, &[]);
        assert_eq!(found, [1025]);
        assert!(unsettled);
    }
}
