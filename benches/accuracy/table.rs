//! The table of single games: the score of each method for each kind of hands, with clocks and without.

use std::{
    error::Error,
    sync::{Arc, Mutex},
};

use boardbus::{
    reconstruct::{Options as Product, Width},
    sim::planned_game::PlannedGame,
};

use super::{
    Options,
    driver::{Score, reconstruct},
    hands_and_clock, rows, successor,
};

/// Boardbus, boardbus with a wider search if requested, and the yardstick.
const METHODS: [&str; 3] = ["boardbus", "wider", "successor"];

/// The game played in a hall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Chess.
    Chess,
    /// Russian draughts.
    Draughts,
}

/// Plays the games and prints the scores.
pub fn print(kind: Kind, games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let (games, rows) = (rows::games(games, options), rows::of(options));
    let scores: Vec<[Mutex<Score>; 3]> = rows.iter().map(|_| Default::default()).collect();
    let yardstick = if kind == Kind::Chess { successor::chess } else { successor::draughts };
    rows::play(&games, &rows, options.seeds, options, |row, hall| {
        let product = |width: Width| {
            let options = Product { width, show: options.show, ..Product::default() };
            hall.score(|hall, published| reconstruct(options, hall, published))
        };
        let own = [product(Width::default()), options.width().map(product).unwrap_or_default()];
        for (sum, score) in scores[row].iter().zip(own.into_iter().chain([hall.score(yardstick)])) {
            sum.lock().expect("no other hall failed").add(score);
        }
    });
    print!("hands   clock method      games  exact  exact%     plies    right%  wrong/1000 ");
    println!("   95% s    99% s   median    95% s  landing fl.median    floor     rec/s");
    for ((hands, clock), scores) in rows.into_iter().zip(scores) {
        let row = hands_and_clock(hands, clock);
        for (method, score) in METHODS.into_iter().zip(scores) {
            let score = score.into_inner()?;
            if score.games > 0 {
                println!("{row} {method:<9} {score}");
            }
        }
    }
    Ok(())
}
