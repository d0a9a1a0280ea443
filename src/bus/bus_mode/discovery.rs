//! Which boards there are: broadcast pings collide, so those found are silenced and the rest pinged again.
//!
//! Every board answers a broadcast ping once, at a random moment within 1100 ms, and answers that overlap spoil
//! each other. What can be read of them, an address with or without its checksum, is only a guess: an address
//! counts when it answered a ping of its own. The rounds end when two in a row bring neither a new board nor a
//! byte that no board found explains.
//!
//! A board answers once in a round, so an address that answers twice may be that of two boards. It may also be that of one
//! whose answer to an earlier question came late, or that says everything twice. What tells them apart is a ping of their
//! own: two boards answer it at once and spoil each other's answers more often than not, one board spoils nothing. So
//! neither is believed to be silenced when it was spoilt at first.

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

/// Rounds in a row without anything new and without anything that cannot be explained.
const QUIET_ROUNDS: usize = 2;
/// A line with other noise than boards never gets quiet: so many rounds with noise and nothing new are enough
/// then; during a watch fewer, since the boards wait meanwhile.
const FRUITLESS: usize = 8;
const FRUITLESS_IN_PLAY: usize = 2;

/// So many pings of their own show that two boards share an address: of each answer in two or so something is spoilt.
const PINGS_OF_TWO: usize = 8;
/// An answer and its repetition, with what lies between them.
const HEARD_OUT: Duration = Duration::from_millis(30);

/// When a search has seen enough rounds.
#[derive(Debug)]
pub struct Rounds {
    fruitless: usize,
    quiet: usize,
    in_vain: usize,
    count: usize,
}

impl Rounds {
    /// Of a search for all boards.
    pub fn of_all() -> Rounds {
        Rounds { fruitless: FRUITLESS, quiet: 0, in_vain: 0, count: 0 }
    }

    /// Of a search for boards that may have come since the last: one quiet round says that there are none.
    pub fn of_new() -> Rounds {
        Rounds { fruitless: FRUITLESS_IN_PLAY, quiet: QUIET_ROUNDS - 1, ..Rounds::of_all() }
    }

    /// Counts and reports a round that brought so many new boards and so many bytes that nobody can explain. Whether
    /// it was the last.
    fn ends(&mut self, new: usize, odd: usize, report: ReportSearch) -> Result<bool, Error> {
        self.count += 1;
        report(SearchEvent::Round(self.count, odd))?;
        (self.quiet, self.in_vain) = match (new, odd) {
            (0, 0) => (self.quiet + 1, self.in_vain),
            (0, _) => (0, self.in_vain + 1),
            _ => (0, 0),
        };
        if self.quiet >= QUIET_ROUNDS {
            return Ok(true);
        }
        let ends = self.in_vain >= self.fruitless;
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
    /// Those that are no news.
    known: BTreeSet<u16>,
    /// Those of them that are not silenced before the next round.
    doubtful: BTreeSet<u16>,
    /// Addresses of two boards each.
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

    /// How many addresses are those of two boards.
    pub fn shared(&self) -> usize {
        self.twice.len()
    }

    /// Finds all boards: first those expected, then by broadcast, those known silenced.
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

    /// Looks for boards at these addresses and nowhere else: each is pinged, those that answer are reported. How many
    /// are new. Where the line turns out to be slow only then, those that were silent are asked again.
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
        for _ in 0..PINGS_OF_TWO {
            // What is said twice is heard out: or else it would be in the way of the next answer.
            let quiet = self.line.link.now() + HEARD_OUT;
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

    /// Silences whom it knows.
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

    /// One round: pings all. Those known were silenced before, as far as they could be; one that was not, or has been
    /// reset since, answers and is no news. Whether the round was the last.
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

/// What a broadcast ping brought.
#[derive(Debug)]
struct PingReplies {
    /// Addresses that may have answered.
    guesses: Vec<u16>,
    /// How many whole answers came from each address.
    whole: BTreeMap<u16, usize>,
    /// For each byte, the address whose answer it would belong to.
    explained: Vec<Option<u16>>,
}

impl PingReplies {
    /// Reads `87 00 06 hi lo checksum` wherever it stands, whole or with its head or its tail spoilt.
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

    /// How many bytes are no answer of a known board.
    fn unexplained(&self, known: &BTreeSet<u16>) -> usize {
        self.explained.iter().filter(|board| board.is_none_or(|board| !known.contains(&board))).count()
    }
}

/// Whether these are address and checksum of an answer to a ping.
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
    fn a_collision_is_read_as_far_as_it_goes() {
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
    fn searches_find_exactly_32_and_100_boards() {
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
    fn two_boards_with_one_address_are_reported() {
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
    fn boards_with_repeated_or_late_answers_are_one() {
        for count in [1, 2, 12] {
            for seed in 0..40 {
                let mut bus = FakeBus::new(1025..1025 + count, seed);
                bus.boards[0].says_twice = true;
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
    fn boards_in_single_mode_are_found_after_a_command() {
        let mut bus = FakeBus::new([1025, 2054], 1);
        bus.boards[1].single = true;
        assert_eq!(find(bus, &[]).0, [1025, 2054]);
    }

    #[test]
    fn boards_silenced_by_another_host_are_found() {
        let mut bus = FakeBus::new(1025..1057, 1);
        for board in &mut bus.boards {
            board.silenced = true;
        }
        assert_eq!(find(bus, &[]).0, (1025..1057).collect::<Vec<_>>());
    }

    #[test]
    fn addresses_without_answers_to_their_ping_are_no_boards() {
        let mut bus = FakeBus::new([1025], 1);
        // The address in its answers can be read, and their checksums are wrong.
        bus.boards[0].wrong_checksums = true;
        let (found, bus, _) = find(bus, &[]);
        assert!(found.is_empty());
        assert!(bus.boards[0].asked.contains(&0x87) && !bus.boards[0].asked.contains(&0x8b));
    }

    #[test]
    fn found_boards_are_silenced_and_quiet_ends_searches() {
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
    fn unconfirmed_silencing_is_sent_again() {
        let mut bus = FakeBus::new([1025], 1);
        // After the answers to the broadcast, the ping and the question for its version.
        bus.spoilt_answers = vec![3];
        let (_, bus, _) = find(bus, &[]);
        assert_eq!(bus.boards[0].asked, [0x87, 0x8b, 0x8a, 0x8a, 0x8a]);
        assert_eq!(bus.broadcasts, 3);
    }

    #[test]
    fn boards_that_are_expected_are_asked_before_any_broadcast() {
        let (found, bus, _) = find(FakeBus::new([1025, 2054], 1), &[2054]);
        assert_eq!(found, [1025, 2054]);
        assert_eq!(bus.sent[0].1, [0x87, 0x10, 0x06, 0x1d]);
        assert_eq!(bus.sent[1].1, [0x8b, 0x10, 0x06, 0x21]);
    }

    #[test]
    fn expected_boards_of_old_versions_are_found() {
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
    fn searches_without_quiet_end_with_a_report() {
        let mut bus = FakeBus::new([1025], 1);
        bus.stranger_after_pings = true;
        let (found, _, unsettled) = find(bus, &[]);
        assert_eq!(found, [1025]);
        assert!(unsettled);
    }
}
