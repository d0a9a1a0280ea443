//! The table of single games: for each kind of hands, with clocks and without, how each method fares.

use std::{
    error::Error,
    sync::{Arc, Mutex},
};

use boardbus::sim::{planned_game::PlannedGame, profile::Hands};

use super::{
    Options,
    driver::{BOARDS, PlayedHall, Score, reconstruct},
    hands_and_clock, parallel, successor,
};

const METHODS: [&str; 2] = ["boardbus", "successor"];

/// What is played in a hall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Chess.
    Chess,
    /// Russian draughts.
    Draughts,
}

/// Plays the games and prints how they fared.
pub fn print(kind: Kind, games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let all = games.len();
    let count = options.games.unwrap_or(all).min(all);
    let games: Vec<Arc<PlannedGame>> = (0..count).map(|n| games[n * all / count].clone()).collect();

    let rows: Vec<(Hands, bool)> =
        options.hands.iter().flat_map(|&hands| [(hands, true), (hands, false)]).collect();
    let halls: Vec<(usize, usize, u64)> = (0..rows.len())
        .flat_map(|row| (0..count).step_by(BOARDS).map(move |first| (row, first)))
        .flat_map(|(row, first)| (0..options.seeds).map(move |n| (row, first, n)))
        .collect();
    let own = |first: usize| &games[first..count.min(first + BOARDS)];
    let scores: Vec<[Mutex<Score>; 2]> = rows.iter().map(|_| Default::default()).collect();
    parallel::each(
        options.jobs,
        "games",
        &halls,
        |hall| own(hall.1).len(),
        |&(row, first, n)| {
            let (hands, clock) = rows[row];
            let hall = PlayedHall::play(own(first), first, hands, clock, options.seed.wrapping_add(n));
            let yardstick = if kind == Kind::Chess { successor::chess } else { successor::draughts };
            for (sum, score) in scores[row].iter().zip([hall.score(reconstruct), hall.score(yardstick)]) {
                sum.lock().expect("no other hall failed").add(score);
            }
        },
    );
    print!("hands   clock method      games  exact  exact%     plies    right%  wrong/1000 ");
    println!("   95% s    99% s  landing     rec/s");
    for ((hands, clock), scores) in rows.into_iter().zip(scores) {
        let row = hands_and_clock(hands, clock);
        for (method, score) in METHODS.into_iter().zip(scores) {
            let score = score.into_inner()?;
            println!("{row} {method:<9} {score}");
        }
    }
    Ok(())
}
