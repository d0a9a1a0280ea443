//! The rows of a table (kinds of hands, with clocks and without) and the halls that are played for each, spread over the cores.

use std::sync::Arc;

use boardbus::sim::{planned_game::PlannedGame, profile::Hands};

use super::{
    Options,
    driver::{BOARDS, PlayedHall},
    parallel,
};

/// The hands, and whether there are clocks.
pub type Row = (Hands, bool);

/// Each kind of hands, with clocks and without.
pub fn of(options: &Options) -> Vec<Row> {
    options.hands.iter().flat_map(|&hands| [(hands, true), (hands, false)]).collect()
}

/// The requested number of games, evenly picked.
pub fn games(all: &[Arc<PlannedGame>], options: &Options) -> Vec<Arc<PlannedGame>> {
    let count = options.games.unwrap_or(all.len()).min(all.len());
    (0..count).map(|n| all[n * all.len() / count].clone()).collect()
}

/// Plays the games for each row with `seeds` seeds and passes each hall on with the number of its row.
pub fn play(
    games: &[Arc<PlannedGame>],
    rows: &[Row],
    seeds: u64,
    options: &Options,
    take: impl Fn(usize, &PlayedHall) + Sync,
) {
    let halls: Vec<(usize, usize, u64)> = (0..rows.len())
        .flat_map(|row| (0..games.len()).step_by(BOARDS).map(move |first| (row, first)))
        .flat_map(|(row, first)| (0..seeds).map(move |n| (row, first, n)))
        .collect();
    let own = |first: usize| &games[first..games.len().min(first + BOARDS)];
    parallel::each(
        options.jobs,
        "games",
        &halls,
        |hall| own(hall.1).len(),
        |&(row, first, n)| {
            let seed = options.seed.wrapping_add(n);
            take(row, &PlayedHall::play(own(first), first, rows[row], options.poll, seed));
        },
    );
}
