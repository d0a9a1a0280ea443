//! Halls with one fault, and halls with none: whether what is found is what was put there. For the bench `health` and for
//! the test that holds a slice of it.

use std::{convert::Infallible, sync::Arc};

use boardbus::{
    health::Health,
    reconstruct::{Options, Reconstructor},
    record::{Finding, FindingKind, Piece, Placement, Square, Time},
    sim::{
        board_fault::{Ailment, BoardFault},
        planned_game::PlannedGame,
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        random::Random,
        round::{Ending, Round},
    },
};

/// Boards of a hall.
const BOARDS: usize = 4;
/// Rounds of its day, if nothing else is asked for.
pub const ROUNDS: usize = 3;
/// A square or a piece that is to be found stood unmoved, or with others coming and going, for so many plies at least.
const STOOD: usize = 8;

/// Whoever looks at a hall in play does so at any time: the bench does once in so many seconds.
const LOOK_EVERY: f64 = 300.0;

/// A piece that drops out no more often than this in a whole day, of which a scan sees three in four, does so as seldom as
/// hands lift one in some days of blitz: nothing in the records tells them apart.
const AS_HANDS_DO: usize = 5;

/// The kinds of fault, as `--fault` names them.
pub const KINDS: [&str; 7] =
    ["dead-square", "dying-square", "flicker", "weak-piece", "slow", "reset", "twin"];

/// How a day is played, and looked at.
#[derive(Clone, Copy)]
pub struct Day {
    /// Whose hands play.
    pub hands: Hands,
    /// With clocks.
    pub clock: bool,
    /// The games are told of.
    pub told: bool,
    /// So many rounds.
    pub rounds: usize,
}

impl Day {
    /// One as most are.
    pub fn of(hands: Hands) -> Day {
        Day { hands, clock: true, told: true, rounds: ROUNDS }
    }
}

/// The fault of this kind with this seed, and the day it falls on.
pub struct FaultyDay {
    /// What is wrong.
    pub fault: BoardFault,
    /// What must be found,
    pub kind: FindingKind,
    /// and where.
    pub square: Option<Square>,
    day: Day,
    rounds: Vec<Round>,
    seed: u64,
}

/// What came of a day.
pub struct Checked {
    /// What is found of it.
    pub found: Vec<Finding>,
    /// What was found in the middle of it, and no more at its end.
    pub meanwhile: Vec<Finding>,
    /// How often the fault kept something from being seen.
    pub unseen: usize,
}

/// A day in which nothing is wrong.
pub fn healthy(games: &[Arc<PlannedGame>], day: &Day, seed: u64) -> Checked {
    check(&rounds(games, day.rounds, seed), day, Vec::new(), seed)
}

impl FaultyDay {
    /// A fault of a kind on one board of a hall, where games bring pieces.
    pub fn new(games: &[Arc<PlannedGame>], kind: &str, day: &Day, seed: u64) -> FaultyDay {
        let mut random = Random::part(seed, 1 << 50);
        let rounds = rounds(games, day.rounds, seed);
        let n = random.below(BOARDS);
        let board = 1025 + n as u16;
        let own: Vec<&PlannedGame> =
            rounds.iter().skip(n).step_by(BOARDS).map(|round| &*round.game).collect();
        let mut any = |squares: Vec<Square>| *random.pick(&squares).expect("pieces stand somewhere");
        let (ailment, found, square) = match kind {
            "dead-square" => {
                let square = any(came_to(&own));
                (Ailment::DeadSquare(square), FindingKind::DeadSquare, Some(square))
            }
            "dying-square" => {
                let square = any(came_to_each(&own[1..]));
                (Ailment::DyingSquare(square), FindingKind::DeadSquare, Some(square))
            }
            "flicker" => {
                let square = any(visited(&own));
                (Ailment::Flicker(square), FindingKind::Flicker, Some(square))
            }
            "weak-piece" => {
                let square = any(long_lived(&own));
                (Ailment::WeakPiece(square), FindingKind::WeakPiece, Some(square))
            }
            "slow" => (Ailment::Slow, FindingKind::Slow, None),
            "reset" => (Ailment::Reset, FindingKind::Reset, None),
            _ => (Ailment::Twin, FindingKind::Twin, None),
        };
        FaultyDay { fault: BoardFault { board, ailment }, kind: found, square, day: *day, rounds, seed }
    }

    /// What is found of it.
    pub fn check(&self) -> Checked {
        check(&self.rounds, &self.day, vec![self.fault], self.seed)
    }

    /// Whether the fault showed itself: a bad contact does so only while a piece stands there.
    pub fn is_shown(&self, checked: &Checked) -> bool {
        match self.fault.ailment {
            Ailment::Flicker(_) | Ailment::WeakPiece(_) => checked.unseen > AS_HANDS_DO,
            Ailment::DeadSquare(_)
            | Ailment::DyingSquare(_)
            | Ailment::Slow
            | Ailment::Reset
            | Ailment::Twin => true,
        }
    }

    /// Which pieces stood on the square of the fault in the games, for how many plies each.
    pub fn stood(&self) -> Vec<String> {
        let board = usize::from(self.fault.board) - 1025;
        let own = self.rounds.iter().skip(board).step_by(BOARDS).enumerate();
        own.flat_map(|(n, round)| stays(&round.game, n, self.square)).collect()
    }

    /// Whether the fault is named with its board and square.
    pub fn is_named(&self, found: &[Finding]) -> bool {
        let named = |finding: &&Finding| {
            finding.kind == self.kind
                && finding.board == Some(self.fault.board)
                && finding.square == self.square
        };
        found.iter().any(|finding| named(&finding))
    }

    /// Other findings of boards, squares and pieces: that something else is broken, which nothing is.
    pub fn others<'a>(&self, found: &'a [Finding]) -> Vec<&'a Finding> {
        found
            .iter()
            .filter(|finding| is_of_hardware(finding))
            .filter(|finding| {
                (finding.kind, finding.board, finding.square)
                    != (self.kind, Some(self.fault.board), self.square)
            })
            .collect()
    }
}

/// Whether a finding says that something is broken, and not what was played.
pub fn is_of_hardware(finding: &Finding) -> bool {
    !matches!(
        finding.kind,
        FindingKind::Anomaly
            | FindingKind::Guess
            | FindingKind::Doubt
            | FindingKind::Mismatch
            | FindingKind::NoGame
    )
}

fn rounds(games: &[Arc<PlannedGame>], rounds: usize, seed: u64) -> Vec<Round> {
    let mut random = Random::part(seed, 1 << 51);
    let endings = [Ending::Kings, Ending::Kings, Ending::None, Ending::Piece];
    let round = |_| {
        let game = games[random.below(games.len())].clone();
        let ending = endings[random.below(endings.len())];
        Round { analysis: random.chance(0.3), ..Round::new(game, ending) }
    };
    (0..BOARDS * rounds).map(round).collect()
}

/// What is found of a day in this hall.
fn check(rounds: &[Round], day: &Day, faults: Vec<BoardFault>, seed: u64) -> Checked {
    let Day { hands, clock, told, .. } = *day;
    let addresses: Vec<u16> = (1025..).take(BOARDS).collect();
    let opening = Time(1_767_261_600_000);
    let polling = Polling { opening, every: 2.0, clock, clock_every: 20.0, answers: true, faults, seed };
    let (mut health, mut games) = (Health::new(), Reconstructor::new(Options::default()));
    let mut hall = PolledHall::new(&addresses, rounds, &hands.profile(), &polling);
    let (mut meanwhile, mut looked) = (Vec::new(), opening);
    for record in hall.by_ref() {
        if let Some(time) = record.time.filter(|time| looked.seconds_until(*time) >= LOOK_EVERY) {
            looked = time;
            note(&mut meanwhile, health.findings());
        }
        health.board(&record);
        if !told {
            continue;
        }
        let Ok(()) = games.record(&record, |game| {
            health.game(&game);
            Ok::<(), Infallible>(())
        });
    }
    let found = health.findings();
    meanwhile.retain(|finding| !found.iter().any(|later| is_same(finding, later)));
    Checked { found, meanwhile, unseen: hall.unseen() }
}

/// Keeps the findings that are not known yet.
fn note(known: &mut Vec<Finding>, found: Vec<Finding>) {
    for finding in found {
        if !known.iter().any(|known| is_same(known, &finding)) {
            known.push(finding);
        }
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    (one.kind, one.board, one.square) == (other.kind, other.board, other.square)
}

/// Which pieces stood on a square in a game, the `n`-th of its board.
fn stays(game: &PlannedGame, n: usize, square: Option<Square>) -> Vec<String> {
    let at = |ply: usize| square.and_then(|square| game.after(ply).get(square));
    let mut stays: Vec<(usize, usize)> = Vec::new();
    for ply in 1..=game.plies.len() {
        match stays.last_mut() {
            Some(last) if last.1 + 1 == ply && at(ply) == at(last.0) => last.1 = ply,
            _ if at(ply).is_some() => stays.push((ply, ply)),
            _ => {}
        }
    }
    let letter = |ply| at(ply).and_then(Piece::letter).map_or('?', char::from);
    let told = |(from, to)| format!("game {n}: {} from ply {from} to {to}", letter(from));
    stays.into_iter().map(told).collect()
}

/// Squares to which pieces came in these games.
fn came_to(games: &[&PlannedGame]) -> Vec<Square> {
    let came = |square: &Square| games.iter().any(|game| game.plies.iter().any(|ply| ply.to == *square));
    Square::all().filter(came).collect()
}

/// Squares to which pieces came in each of these games.
fn came_to_each(games: &[&PlannedGame]) -> Vec<Square> {
    let came = |square: &Square| games.iter().all(|game| game.plies.iter().any(|ply| ply.to == *square));
    let squares: Vec<Square> = Square::all().filter(came).collect();
    if squares.is_empty() { came_to(games) } else { squares }
}

/// Squares on which pieces of these games came down and stood for some plies; a square of the start counts if a piece
/// left it when a game had gone on for some plies.
fn visited(games: &[&PlannedGame]) -> Vec<Square> {
    let stood = |square: &Square| {
        let on = |placement: &Placement| usize::from(placement.get(*square).is_some());
        let each = |game: &&PlannedGame| game.plies.iter().map(|ply| on(&ply.after)).sum::<usize>();
        let came = games.iter().any(|game| game.plies.iter().any(|ply| ply.to == *square));
        came && games.iter().map(each).sum::<usize>() >= STOOD * games.len()
    };
    Square::all().filter(stood).collect()
}

/// Squares whose pieces live long in each of these games.
fn long_lived(games: &[&PlannedGame]) -> Vec<Square> {
    let lives = |home: &Square| {
        games.iter().all(|game| {
            let mut at = *home;
            let lived = game.plies.iter().take_while(|ply| {
                if ply.victim == Some(at) {
                    return false;
                }
                if ply.from == at {
                    at = ply.to;
                } else if let Some((from, to)) = ply.rook
                    && from == at
                {
                    at = to;
                }
                true
            });
            game.start.get(*home).is_some() && lived.count() >= game.plies.len().min(4 * STOOD)
        })
    };
    Square::all().filter(lives).collect()
}
