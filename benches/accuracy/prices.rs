//! How often each deviation is charged on the true path, beside its price: the evidence for the table of prices.
//!
//! The charges of a game published as it was played show how hands, scanners and clocks deviated. Rare deviations are expensive:
//! the last column is the price that follows from the frequency with the first hands, minus the logarithm of the probability
//! per ply.

use std::{
    collections::HashMap,
    error::Error,
    sync::{Arc, Mutex},
};

use boardbus::{
    reconstruct::PRICES,
    sim::{planned_game::PlannedGame, profile::Hands},
};
use clap::ValueEnum;

use super::{Options, driver::PlayedHall, final_plies, rows};

/// Charges counted over games.
#[derive(Debug, Default)]
struct Count {
    games: usize,
    plies: usize,
    charged: HashMap<String, usize>,
}

/// Plays the games and prints the table, with clocks and without.
pub fn print(games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let games = rows::games(games, options);
    for clock in [true, false] {
        let rows: Vec<rows::Row> = options.hands.iter().map(|&hands| (hands, clock)).collect();
        let counts: Vec<Mutex<Count>> = options.hands.iter().map(|_| Default::default()).collect();
        rows::play(&games, &rows, options.seeds, options, |row, hall| {
            count_charges(hall, &mut counts[row].lock().expect("no other hall failed"));
        });
        let counts: Vec<Count> = counts.into_iter().map(Mutex::into_inner).collect::<Result<_, _>>()?;
        print_table(clock, &options.hands, &counts);
    }
    Ok(())
}

/// Adds the charges of the games of a hall that were published as they were played.
fn count_charges(hall: &PlayedHall, count: &mut Count) {
    let moves = final_plies::of_hall(hall, None);
    for board in &hall.boards {
        let line = moves.get(&board.address).map_or(&[][..], |line| line);
        let same = line.iter().map(|(name, _)| name).eq(board.game.plies.iter().map(|ply| &ply.name));
        if same {
            count.games += 1;
            count.plies += line.len();
            for (name, _) in line.iter().flat_map(|(_, explain)| &explain.charges) {
                *count.charged.entry(name.to_string()).or_default() += 1;
            }
        }
    }
}

fn print_table(clock: bool, hands: &[Hands], counts: &[Count]) {
    println!(
        "\n{} clocks: charges per thousand plies of the true path",
        if clock { "With" } else { "Without" }
    );
    print!("{:<20} {:>5} {:<8}", "deviation", "price", "cause");
    for hands in hands {
        print!(
            " {:>8}",
            hands.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
        );
    }
    println!(" {:>8}", "-ln");
    for row in PRICES {
        print!("{:<20} {:>5} {:<8}", row.name, row.cost, format!("{:?}", row.cause));
        let often =
            |count: &Count| *count.charged.get(row.name).unwrap_or(&0) as f64 / count.plies.max(1) as f64;
        for count in counts {
            print!(" {:>8.2}", 1000.0 * often(count));
        }
        let first = counts.first().map_or(0.0, often);
        println!(" {:>8}", if first > 0.0 { format!("{:.2}", -first.ln()) } else { "-".to_owned() });
    }
    let games: usize = counts.iter().map(|count| count.games).sum();
    let plies: usize = counts.iter().map(|count| count.plies).sum();
    println!("{games} games published as played, {plies} plies");
}
