//! Whether `check` finds what is wrong and nothing else: simulated halls with one fault each, and healthy days.
//!
//!     cargo bench --bench health -- GAMES.pgn [--seeds 100] [--days 100] [--hands classic,rapid,blitz]
//!
//! For each kind of fault and of hands: how many were named with board and square, and how many findings said that
//! something else is broken. Then, of healthy days, all that was found.

#[path = "../accuracy/games.rs"]
mod games;
mod halls;
#[path = "../accuracy/parallel.rs"]
mod parallel;

use std::{error::Error, path::PathBuf, sync::Mutex};

use boardbus::sim::{planned_game::russian::Figures, profile::Hands};
use clap::Parser;
use halls::{FaultyDay, KINDS};

/// Whether `check` finds what is wrong and nothing else
#[derive(Debug, Parser)]
struct Options {
    /// PGN and PDN files
    files: Vec<PathBuf>,
    /// Halls of each kind of fault
    #[arg(long, default_value = "100")]
    seeds: u64,
    /// Healthy days
    #[arg(long, default_value = "100")]
    days: u64,
    /// Whose hands play
    #[arg(long, value_enum, value_delimiter = ',', default_value = "classic,rapid,blitz")]
    hands: Vec<Hands>,
    /// No clocks
    #[arg(long)]
    no_clock: bool,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut found = Vec::new();
    for file in &options.files {
        match file.extension().is_some_and(|extension| extension == "pdn") {
            true => games::read_pdn(file, Figures::Disks, &mut found)?,
            false => games::read(file, &mut found)?,
        }
    }
    if found.is_empty() {
        println!("health: give PGN or PDN files: cargo bench --bench health -- GAMES.pgn");
        return Ok(());
    }
    let clock = !options.no_clock;
    for &hands in &options.hands {
        for kind in KINDS {
            let counts = Mutex::new((0, 0));
            let seeds: Vec<u64> = (1..=options.seeds).collect();
            parallel::each(
                None,
                kind,
                &seeds,
                |_| 1,
                |&seed| {
                    let day = FaultyDay::new(&found, kind, seed);
                    let findings = day.check(hands, clock);
                    let others = day.others(&findings).len();
                    if !day.is_named(&findings) || others > 0 {
                        eprintln!("{hands:?} {kind} seed {seed}: {:?}: {findings:#?}", day.fault);
                    }
                    let mut counts = counts.lock().expect("no other hall failed");
                    *counts = (counts.0 + u64::from(day.is_named(&findings)), counts.1 + others);
                },
            );
            let (named, others) = counts.into_inner()?;
            println!("{hands:?} {kind:<12} {named:>4} of {} named, {others} beside them", options.seeds);
        }
        let counts = Mutex::new((0, 0));
        let days: Vec<u64> = (1..=options.days).map(|day| 1_000_000 + day).collect();
        parallel::each(
            None,
            "days",
            &days,
            |_| 1,
            |&seed| {
                let findings = halls::healthy(&found, hands, clock, seed);
                let broken = findings.iter().filter(|finding| halls::is_of_hardware(finding)).count();
                findings.iter().for_each(|finding| {
                    eprintln!(
                        "{hands:?} day {seed}: {:?} {:?} {}",
                        finding.kind, finding.board, finding.detail
                    );
                });
                let mut counts = counts.lock().expect("no other hall failed");
                *counts = (counts.0 + broken, counts.1 + findings.len() - broken);
            },
        );
        let (broken, played) = counts.into_inner()?;
        println!(
            "{hands:?} healthy days  {}: {broken} findings of what is broken, {played} of what was played",
            options.days
        );
    }
    Ok(())
}
