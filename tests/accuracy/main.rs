//! The floor under the accuracy of the reconstruction: how many games must be published as they were played, and how many plies
//! may be published wrong on the way.
//!
//! Simulated hands play the games of `tests/data/self-play.pgn` and `.pdn`, each four times, on halls of boards that are polled
//! every two seconds. The driver is that of the bench `accuracy`, and the same seeds give the same records everywhere. The
//! figures are exactly what the reconstruction reaches, so a change that improves it raises them, and a change of a price shows
//! its cost here at once. `scripts/accuracy` measures real games.
//!
//! The games were played by a program of ours against itself, which searched two plies and chose at random among moves of
//! about equal value.

#[path = "../../benches/accuracy/driver.rs"]
mod driver;
#[path = "../../benches/accuracy/games.rs"]
mod games;
#[path = "../../benches/health/halls.rs"]
mod halls;

use std::{path::Path, sync::Arc};

use boardbus::{
    reconstruct::Options,
    sim::{
        planned_game::{PlannedGame, russian::Figures},
        profile::Hands,
    },
};
use driver::{BOARDS, EVERY, PlayedHall, Score, reconstruct};

/// How many seeds each game is played with.
const SEEDS: u64 = 4;

/// What must be reached.
struct Floor {
    /// At least this many games published from the first to the last move as they were played, and nothing else.
    exact: usize,
    /// At least this many plies whose last published move is the one played.
    right: usize,
    /// At most this many plies published wrong, if only for a moment.
    wrong: usize,
}

fn chess() -> Vec<Arc<PlannedGame>> {
    let mut found = Vec::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/self-play.pgn");
    games::read(&file, Figures::Disks, &mut found).unwrap();
    assert_eq!(found.len(), 24);
    found
}

fn draughts() -> Vec<Arc<PlannedGame>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/self-play.pdn");
    let mut found = Vec::new();
    games::read(&file, Figures::Disks, &mut found).unwrap();
    assert_eq!(found.len(), 12);
    found
}

/// Plays the games with these hands and fails if the score is below the floor.
fn hold(games: &[Arc<PlannedGame>], hands: Hands, clock: bool, floor: &Floor) {
    let mut score = Score::default();
    for seed in 1..=SEEDS {
        for first in (0..games.len()).step_by(BOARDS) {
            let own = &games[first..games.len().min(first + BOARDS)];
            score.add(
                PlayedHall::play(own, first, (hands, clock), EVERY, seed)
                    .score(|hall, published| reconstruct(Options::default(), hall, published)),
            );
        }
    }
    let Floor { exact, right, wrong } = *floor;
    assert!(
        score.exact >= exact && score.right >= right && score.wrong <= wrong,
        "{hands:?} hands, clock: {clock}: {} of {} games exact (floor {exact}), {} of {} plies right (floor {right}), \
         {} published wrong (at most {wrong})\n\
         games, exact, %, plies, right %, wrong/1000, 95 % s, 99 % s, median, landing, floors, rec/s: {score}",
        score.exact,
        score.games,
        score.right,
        score.plies,
        score.wrong,
    );
}

#[test]
fn games_by_clean_hands_reach_the_floor() {
    hold(&chess(), Hands::Clean, true, &Floor { exact: 96, right: 10604, wrong: 0 });
    hold(&chess(), Hands::Clean, false, &Floor { exact: 96, right: 10604, wrong: 0 });
}

#[test]
fn games_by_classic_hands_reach_the_floor() {
    hold(&chess(), Hands::Classic, true, &Floor { exact: 96, right: 10604, wrong: 1 });
    hold(&chess(), Hands::Classic, false, &Floor { exact: 96, right: 10604, wrong: 0 });
}

#[test]
fn games_by_rapid_hands_reach_the_floor() {
    hold(&chess(), Hands::Rapid, true, &Floor { exact: 96, right: 10604, wrong: 0 });
    hold(&chess(), Hands::Rapid, false, &Floor { exact: 96, right: 10604, wrong: 13 });
}

#[test]
fn blitz_with_a_clock_reaches_the_floor() {
    hold(&chess(), Hands::Blitz, true, &Floor { exact: 95, right: 10602, wrong: 5 });
}

#[test]
fn blitz_without_a_clock_reaches_the_floor() {
    hold(&chess(), Hands::Blitz, false, &Floor { exact: 94, right: 10598, wrong: 26 });
}

/// Hands as in recordings of real boards.
#[test]
fn games_by_real_hands_reach_the_floor() {
    hold(&chess(), Hands::Real, true, &Floor { exact: 96, right: 10604, wrong: 4 });
}

#[test]
fn draughts_reach_the_floor() {
    let all = |wrong| Floor { exact: 48, right: 3304, wrong };
    for (hands, with_clock) in [(Hands::Clean, 0), (Hands::Classic, 1), (Hands::Rapid, 0)] {
        hold(&draughts(), hands, true, &all(with_clock));
        hold(&draughts(), hands, false, &all(0));
    }
    hold(&draughts(), Hands::Blitz, true, &Floor { exact: 47, right: 3303, wrong: 4 });
    hold(&draughts(), Hands::Blitz, false, &Floor { exact: 47, right: 3303, wrong: 4 });
}

#[test]
fn faults_of_boards_are_named_with_their_squares() {
    let games = chess();
    for (hands, seed) in [(Hands::Classic, 1), (Hands::Rapid, 2), (Hands::Blitz, 2)] {
        for kind in halls::KINDS.into_iter().filter(|kind| *kind != "dying-square") {
            let day = halls::FaultyDay::new(&games, kind, &halls::Day::of(hands), seed);
            let checked = day.check();
            let (found, fault, unseen) = (&checked.found, day.fault, checked.unseen);
            // A day on which nothing flickers more often than hands cause would prove nothing.
            assert!(
                day.is_shown(&checked),
                "{hands:?} {kind}, seed {seed}: {fault:?}, {unseen} times: take another"
            );
            let stood = day.stood();
            assert!(day.is_named(found), "{hands:?} {kind}, seed {seed}: {fault:?}, {stood:?}: {found:#?}");
            assert!(day.others(found).is_empty(), "{hands:?} {kind}, seed {seed}: {fault:?}: {found:#?}");
        }
    }
}

/// A square that dies shows only after two games, by more evidence than healthy boards ever have: one in six has less.
#[test]
fn squares_dying_after_one_game_are_mostly_named() {
    let games = chess();
    for hands in [Hands::Classic, Hands::Rapid, Hands::Blitz] {
        let named = (1..=30).filter(|seed| {
            let day = halls::FaultyDay::new(&games, "dying-square", &halls::Day::of(hands), *seed);
            day.is_named(&day.check().found)
        });
        let named = named.count();
        assert!(named >= 21, "{hands:?}: {named}");
    }
}

#[test]
fn healthy_boards_have_no_findings_of_hardware() {
    let games = chess();
    for (hands, seed) in [(Hands::Classic, 11), (Hands::Rapid, 12), (Hands::Blitz, 13)] {
        let checked = halls::healthy(&games, &halls::Day::of(hands), seed);
        let mut found = checked.found.iter().chain(&checked.meanwhile);
        assert!(
            !found.any(halls::is_of_hardware),
            "{hands:?}: {:#?}, {:#?}",
            checked.found,
            checked.meanwhile
        );
    }
}
