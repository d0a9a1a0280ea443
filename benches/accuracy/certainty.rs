//! How the certainty of published moves compares with how often they are right: the calibration of `certainty` and the fit of the
//! temperatures in `reconstruct::certainty`.
//!
//! Each ply counts twice: with the certainty with which it was first published (withdrawn moves too), and with the last one of
//! the final game.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    error::Error,
    sync::{Arc, Mutex},
};

use boardbus::{
    reconstruct::{self, Reconstructor},
    record::{GameEvent, GameRecord, Move},
    sim::planned_game::PlannedGame,
};

use super::{Options, driver::PlayedHall, hands_and_clock, rows};

const NAMES: [&str; 5] = ["< 0.5", "0.5-0.9", "0.9-0.99", "0.99-0.9999", "> 0.9999"];

/// A published move: its certainty, its lead, and whether it was right.
#[derive(Debug, Clone, Copy)]
struct PublishedMove {
    certainty: Option<f64>,
    lead: Option<f64>,
    right: bool,
}

/// The published moves of many plies.
#[derive(Debug, Default)]
struct PublishedMoves {
    first: Vec<PublishedMove>,
    last: Vec<PublishedMove>,
}

/// Plays the games and prints how certain moves were, how often they were right, and the temperatures that would fit best.
pub fn print(games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let (games, rows) = (rows::games(games, options), rows::of(options));
    let all: Vec<Mutex<PublishedMoves>> = rows.iter().map(|_| Mutex::default()).collect();
    rows::play(&games, &rows, options.seeds, options, |row, hall| {
        let moves = published_moves(hall);
        let mut sum = all[row].lock().expect("no other hall failed");
        sum.first.extend(moves.first);
        sum.last.extend(moves.last);
    });
    for ((hands, clock), moves) in rows.into_iter().zip(all) {
        let moves = moves.into_inner()?;
        println!("\n{}", hands_and_clock(hands, clock));
        for (name, moves) in [("first", &moves.first), ("last", &moves.last)] {
            bands(name, moves);
            fit(moves);
        }
    }
    Ok(())
}

/// The published moves of the games of a hall.
fn published_moves(hall: &PlayedHall) -> PublishedMoves {
    let mut published: BTreeMap<u16, Vec<GameRecord>> = BTreeMap::new();
    let options = reconstruct::Options { explain: true, ..reconstruct::Options::default() };
    let mut reconstructor = Reconstructor::new(options);
    let mut publish = |record: GameRecord| {
        published.entry(record.board.unwrap_or(0)).or_default().push(record);
        Ok::<(), Infallible>(())
    };
    for record in &hall.records {
        let Ok(()) = reconstructor.record(record, &mut publish);
    }
    let Ok(()) = reconstructor.finish(&mut publish);
    let mut all = PublishedMoves::default();
    for board in &hall.boards {
        let mut stands: BTreeMap<u32, (String, PublishedMove)> = BTreeMap::new();
        for record in published.remove(&board.address).into_iter().flatten().filter(|record| record.game == 1)
        {
            match record.event {
                GameEvent::Takeback(back) => stands.retain(|&ply, _| ply <= back.ply),
                GameEvent::Move(m) => {
                    let ply = m.ply.unwrap_or(1);
                    let Move { certainty, uci, notation, explain, .. } = *m;
                    let name = uci.or(notation).unwrap_or_default();
                    let right =
                        board.game.plies.get(ply as usize - 1).is_some_and(|played| played.name == name);
                    let last =
                        PublishedMove { certainty, lead: explain.and_then(|explain| explain.lead), right };
                    if stands.get(&ply).is_none_or(|(known, _)| *known != name) {
                        all.first.push(last);
                    }
                    stands.insert(ply, (name, last));
                }
                _ => {}
            }
        }
        all.last.extend(stands.into_values().map(|(_, last)| last));
    }
    all
}

/// Prints how many moves each band of certainty has, and how many of them were right.
fn bands(name: &str, moves: &[PublishedMove]) {
    let band = |one: &PublishedMove| {
        let edges = [0.5, 0.9, 0.99, 0.9999];
        one.certainty.map_or(4, |certainty| edges.iter().filter(|&&edge| certainty >= edge).count())
    };
    for (at, text) in NAMES.iter().enumerate() {
        let of: Vec<&PublishedMove> = moves.iter().filter(|one| band(one) == at).collect();
        let right = of.iter().filter(|one| one.right).count();
        let sum: f64 = of.iter().map(|one| one.certainty.unwrap_or(1.0)).sum();
        let part = |sum: f64| 100.0 * sum / of.len().max(1) as f64;
        println!(
            "{name:<6} {text:<12} {:>9} moves {:>8.3} % certain {:>8.3} % right {:>6} wrong",
            of.len(),
            part(sum),
            part(right as f64),
            of.len() - right
        );
    }
}

/// Prints the temperature and rest that explain best which moves were right, and how often by lead they were wrong.
fn fit(moves: &[PublishedMove]) {
    let loss = |temperature: f64, rest: f64| -> f64 {
        let loss = |one: &PublishedMove| {
            let other = one.lead.map_or(0.0, |lead| (-lead.max(0.0) / temperature).exp());
            let sure = (1.0 - rest) / (1.0 + other);
            -(if one.right { sure } else { 1.0 - sure }).ln()
        };
        moves.iter().map(loss).sum()
    };
    let temperatures = (1..40).map(|n| 0.05 * f64::from(n));
    let rests = [1e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3];
    let grid = temperatures.flat_map(|t| rests.map(|rest| (t, rest)));
    if let Some((t, rest)) = grid.min_by(|a, b| loss(a.0, a.1).total_cmp(&loss(b.0, b.1))) {
        println!("       best fit: temperature {t:.2}, rest {rest}");
    }
    let edges = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 99.0];
    print!("       lead:");
    for pair in edges.windows(2) {
        let of: Vec<_> =
            moves.iter().filter(|t| t.lead.is_some_and(|l| l >= pair[0] && l < pair[1])).collect();
        print!(" {}+ {}/{}", pair[0], of.iter().filter(|one| !one.right).count(), of.len());
    }
    let none: Vec<_> = moves.iter().filter(|one| one.lead.is_none()).collect();
    println!(" none {}/{}", none.iter().filter(|one| !one.right).count(), none.len());
}
