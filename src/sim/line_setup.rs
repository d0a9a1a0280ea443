//! Sets up a hall on a line: a board for every address, its share of the rounds, and the requested faults.
//!
//! For the command `simulate` and for tests; everything else of a line is in
//! [`SharedLine`](super::shared_line::SharedLine).

use super::{
    POWER_CUT,
    board_fault::{Ailments, BoardFault},
    certabo::Certabo,
    chessnut::Chessnut,
    firmware::Firmware,
    millennium::Millennium,
    profile::Profile,
    random::Random,
    reporting_board::{ReportingBoard, Speech},
    round::Round,
    seconds,
    shared_line::{LineFaults, SharedLine},
    simulated_board::{Mishap, SimulatedBoard, StartOfPlay},
    simulated_day::SimulatedDay,
};
use crate::{record::Placement, wire::message::Version};

/// The protocol of the boards of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LineSpeech {
    /// Many on a bus; one of them alone knows single-board mode as well
    Bus,
    /// One board with a cable of its own, USB or Bluetooth, that knows no bus
    Single,
    /// A board of Millennium's with ChessLink
    Millennium,
    /// A board of Chessnut's; the link is a socket that stands for its hidraw device
    Chessnut,
    /// A board of Certabo's, which sends the chips of its pieces
    Certabo,
}

impl LineSpeech {
    /// The [`Speech`] of a make that reports whole positions; none of DGT boards.
    fn reports(self, version: Version, ghosts: f64) -> Option<Box<dyn Speech>> {
        match self {
            LineSpeech::Bus | LineSpeech::Single => None,
            LineSpeech::Millennium => Some(Box::new(Millennium::new([version.main, version.sub]))),
            LineSpeech::Chessnut => Some(Box::<Chessnut>::default()),
            LineSpeech::Certabo => Some(Box::new(Certabo::new(ghosts))),
        }
    }

    /// The speed of the make; 0 for a device with separate reports.
    pub fn baud(self) -> u32 {
        let reports = self.reports(self.firmware(), 0.0);
        reports.map_or(9600, |speech| speech.baud())
    }

    /// The usual firmware version of the make.
    pub fn firmware(self) -> Version {
        let is_dgt = matches!(self, LineSpeech::Bus | LineSpeech::Single);
        Version { main: 1, sub: if is_dgt { 6 } else { 4 } }
    }
}

/// The properties of a hall on a line.
#[derive(Debug, Clone)]
pub struct LineSetup {
    /// Whose hands play.
    pub profile: Profile,
    /// Whether there are clocks.
    pub clock: bool,
    /// How many times faster than in reality hands move and clocks run.
    pub speed: f64,
    /// Bits a second on the wire; 0: bytes take no time, and boards answer without latency.
    pub baud: u32,
    /// The boards' firmware.
    pub version: Version,
    /// Their protocol. All but boards on a bus are alone on their line: there should be one.
    pub speech: LineSpeech,
    /// The chance that a square is misread in a report, on boards that report whole positions.
    pub ghosts: f64,
    /// When play begins.
    pub start: StartOfPlay,
    /// The faults of the line.
    pub faults: LineFaults,
    /// The faults of boards.
    pub board_faults: Vec<BoardFault>,
    /// How often a board loses its power for some seconds, all boards together.
    pub power_cuts: u32,
    /// How often a board's watchdog resets it while nothing moves.
    pub watchdogs: u32,
    /// The random seed.
    pub seed: u64,
}

impl LineSetup {
    /// A line whose board `i` has address `addresses[i]` and plays the rounds `i`, `i + N`, `i + 2N`, … of N boards.
    pub fn line(&self, addresses: &[u16], rounds: &[Round]) -> SharedLine {
        // Parts of the seed above all addresses, which are 14 bits.
        let part = |n: u64| Random::part(self.seed, 1 << 20 | n);
        let mut mishaps = self.mishaps(addresses.len(), &mut part(0));
        let mut boards: Vec<SimulatedBoard> = Vec::new();
        for (n, &address) in addresses.iter().enumerate() {
            let own: Vec<Round> = rounds.iter().skip(n).step_by(addresses.len().max(1)).cloned().collect();
            let ailments = Ailments::of(&self.board_faults, address);
            let mut mishaps = std::mem::take(&mut mishaps[n]);
            let mut chance = part(1 << 18 | u64::from(address));
            let reset =
                |_| (chance.between((0.1, 0.9)), Mishap::PowerCut(seconds(chance.between(POWER_CUT))));
            mishaps.extend((0..ailments.resets()).map(reset));
            let chances = [Random::part(self.seed, address.into()), part(1 << 16 | u64::from(address))];
            boards.push(self.board(address, own, &ailments, mishaps, chances));
            if ailments.has_twin() {
                // The second board has no games, and its latencies are others.
                let chances = [17, 19].map(|bit| part(1 << bit | u64::from(address)));
                boards.push(self.board(address, Vec::new(), &Ailments::default(), Vec::new(), chances));
            }
        }
        SharedLine::new(boards, self.baud, self.faults, part(1)).of_speed(self.speech.baud())
    }

    /// One board of the line, with chance for its day and for its electronics.
    fn board(
        &self,
        address: u16,
        own: Vec<Round>,
        ailments: &Ailments,
        mishaps: Vec<(f64, Mishap)>,
        [chance, electronics]: [Random; 2],
    ) -> SimulatedBoard {
        let stands = own.first().map_or(Placement::start(), Round::start);
        let speech = self.speech.reports(self.version, self.ghosts);
        let clock = self.clock && speech.is_none();
        let mut day = SimulatedDay::new(self.profile.clone(), clock, stands, chance).with(ailments.clone());
        let seen = ailments.seen(&stands);
        if let Some(speech) = speech {
            day = day.scanning(speech.scan());
            // On a board that reads chips, its speech simulates misread squares.
            let ghosts = if self.speech == LineSpeech::Certabo { 0.0 } else { self.ghosts };
            let board = ReportingBoard::new(address, speech, ghosts, *seen.codes(), electronics);
            return SimulatedBoard::new(Box::new(board), day, own, self.speed, self.start, mishaps);
        }
        let mut firmware = Firmware::new(address, self.version, *seen.codes(), electronics);
        if self.speech == LineSpeech::Single {
            firmware = firmware.without_bus();
        }
        firmware = firmware.with(ailments.oddities());
        if self.baud == 0 {
            firmware = firmware.without_latency();
        }
        if ailments.is_slow() {
            firmware = firmware.slow();
        }
        SimulatedBoard::new(Box::new(firmware), day, own, self.speed, self.start, mishaps)
    }

    /// The mishaps of each board, each with the fraction of its first round at which it happens.
    fn mishaps(&self, boards: usize, random: &mut Random) -> Vec<Vec<(f64, Mishap)>> {
        let mut mishaps = vec![Vec::new(); boards];
        for n in 0..self.power_cuts + self.watchdogs {
            let mishap = if n < self.power_cuts {
                Mishap::PowerCut(seconds(random.between(POWER_CUT)))
            } else {
                Mishap::Watchdog
            };
            let fraction = random.between((0.1, 0.9));
            if let Some(own) = mishaps.get_mut(random.below(boards)) {
                own.push((fraction, mishap));
            }
        }
        mishaps
    }
}
