//! Simulated halls with one fault or none, and whether the findings match. Used by the bench `health` and by the test that
//! runs a small part of it.

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
/// Rounds of a day, by default.
pub const ROUNDS: usize = 3;
/// A faulty square or piece must have been observed, on average, for at least this many plies a game.
const MIN_PLIES: usize = 8;

/// Seconds between two checks during a day.
const CHECK_EVERY_SECONDS: f64 = 300.0;

/// Drop-outs per day up to which a piece cannot be distinguished from one that hands adjust in blitz. A scan sees three in four
/// of them.
const HIDDEN_DROP_OUTS: usize = 5;

/// The kinds of fault, as `--fault` names them.
pub const KINDS: [&str; 7] =
    ["dead-square", "dying-square", "flicker", "weak-piece", "slow", "reset", "twin"];

/// How a day is played and checked.
#[derive(Clone, Copy)]
pub struct Day {
    /// Whose hands play.
    pub hands: Hands,
    /// With clocks.
    pub clock: bool,
    /// With game records.
    pub with_games: bool,
    /// The number of rounds.
    pub rounds: usize,
}

impl Day {
    /// A usual day.
    pub fn of(hands: Hands) -> Day {
        Day { hands, clock: true, with_games: true, rounds: ROUNDS }
    }
}

/// A fault of one kind, determined by a seed, and the day on which it occurs.
pub struct FaultyDay {
    /// The fault.
    pub fault: BoardFault,
    /// The finding expected.
    pub kind: FindingKind,
    /// The square expected.
    pub square: Option<Square>,
    day: Day,
    rounds: Vec<Round>,
    seed: u64,
}

/// The findings of a day.
pub struct Checked {
    /// Findings at its end.
    pub found: Vec<Finding>,
    /// Findings during the day that were gone at its end.
    pub meanwhile: Vec<Finding>,
    /// How often the fault hid a piece.
    pub unseen: usize,
}

/// The findings of a day on which nothing is wrong.
pub fn healthy(games: &[Arc<PlannedGame>], day: &Day, seed: u64) -> Checked {
    check(&rounds(games, day.rounds, seed), day, Vec::new(), seed)
}

impl FaultyDay {
    /// A fault of this kind on one board of a hall, on a square that pieces visit in its games.
    pub fn new(games: &[Arc<PlannedGame>], kind: &str, day: &Day, seed: u64) -> FaultyDay {
        let mut random = Random::part(seed, 1 << 50);
        let rounds = rounds(games, day.rounds, seed);
        let n = random.below(BOARDS);
        let board = 1025 + n as u16;
        let own: Vec<&PlannedGame> =
            rounds.iter().skip(n).step_by(BOARDS).map(|round| &*round.game).collect();
        let mut any = |squares: Vec<Square>| *random.pick(&squares).expect("pieces stand on squares");
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

    /// The findings of this day.
    pub fn check(&self) -> Checked {
        check(&self.rounds, &self.day, vec![self.fault], self.seed)
    }

    /// Whether the fault showed: a bad contact does so only while a piece stands there.
    pub fn is_shown(&self, checked: &Checked) -> bool {
        match self.fault.ailment {
            Ailment::Flicker(_) | Ailment::WeakPiece(_) => checked.unseen > HIDDEN_DROP_OUTS,
            Ailment::DeadSquare(_)
            | Ailment::DyingSquare(_)
            | Ailment::Slow
            | Ailment::Reset
            | Ailment::Twin
            | Ailment::Odd(_) => true,
        }
    }

    /// For each game the pieces that stood on the faulty square, with their plies.
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

    /// Findings of faults in other boards, squares and pieces, which have none.
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

/// Whether a finding blames the hardware rather than the play.
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

/// The findings of a day in this hall.
fn check(rounds: &[Round], day: &Day, faults: Vec<BoardFault>, seed: u64) -> Checked {
    let Day { hands, clock, with_games, .. } = *day;
    let addresses: Vec<u16> = (1025..).take(BOARDS).collect();
    let opening = Time(1_767_261_600_000);
    let polling = Polling { opening, every: 2.0, clock, clock_every: 20.0, answers: true, faults, seed };
    let (mut health, mut games) = (Health::new(), Reconstructor::new(Options::default()));
    let mut hall = PolledHall::new(&addresses, rounds, &hands.profile(), &polling);
    let (mut meanwhile, mut checked) = (Vec::new(), opening);
    for record in hall.by_ref() {
        if let Some(time) = record.time.filter(|time| checked.seconds_until(*time) >= CHECK_EVERY_SECONDS) {
            checked = time;
            note(&mut meanwhile, health.findings());
        }
        health.board(&record);
        if !with_games {
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

/// Adds the findings that are new.
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

/// The pieces that stood on a square in a game, the `n`-th of its board.
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
    let words = |(from, to)| format!("game {n}: {} from ply {from} to {to}", letter(from));
    stays.into_iter().map(words).collect()
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

/// Squares on which pieces landed in these games and stood for some plies.
fn visited(games: &[&PlannedGame]) -> Vec<Square> {
    let stood = |square: &Square| {
        let on = |placement: &Placement| usize::from(placement.get(*square).is_some());
        let each = |game: &&PlannedGame| game.plies.iter().map(|ply| on(&ply.after)).sum::<usize>();
        let came = games.iter().any(|game| game.plies.iter().any(|ply| ply.to == *square));
        came && games.iter().map(each).sum::<usize>() >= MIN_PLIES * games.len()
    };
    Square::all().filter(stood).collect()
}

/// Squares of the start whose pieces survive for long in each of these games.
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
            game.start.get(*home).is_some() && lived.count() >= game.plies.len().min(4 * MIN_PLIES)
        })
    };
    Square::all().filter(lives).collect()
}
