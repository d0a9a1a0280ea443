//! Measures whether `check` finds all that is wrong and nothing else, in simulated halls with one fault each and on healthy days.
//!
//!     cargo bench --bench health -- GAMES.pgn [--first 1] [--seeds 100] [--days 100] [--hands classic,rapid,blitz]
//!         [--faults dead-square,…] [--rounds 3] [--no-clock] [--no-games]
//!
//! Printed for each kind of fault and hands: how many faults were named with board and square, and how many findings blamed
//! something else. A fault that hides a piece no more often than hands lift one cannot be detected; such faults are counted
//! apart. A dead square is one to which a piece came at least once. For healthy days all findings are counted.

#[path = "../accuracy/games.rs"]
mod games;
mod halls;
#[path = "../accuracy/parallel.rs"]
mod parallel;

use std::{
    error::Error,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use boardbus::{
    record::Finding,
    sim::{
        planned_game::{PlannedGame, russian::Figures},
        profile::Hands,
    },
};
use clap::Parser;
use halls::{Day, FaultyDay, KINDS};

/// Whether `check` finds what is wrong and nothing else
#[derive(Debug, Parser)]
struct Options {
    /// PGN and PDN files
    files: Vec<PathBuf>,
    /// Halls of each kind of fault
    #[arg(long, default_value = "100")]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value = "1")]
    first: u64,
    /// Healthy days
    #[arg(long, default_value = "100")]
    days: u64,
    /// Whose hands play
    #[arg(long, value_enum, value_delimiter = ',', default_value = "classic,rapid,blitz")]
    hands: Vec<Hands>,
    /// Kinds of fault
    #[arg(long, value_delimiter = ',', default_values = KINDS)]
    faults: Vec<String>,
    /// No clocks
    #[arg(long)]
    no_clock: bool,
    /// Without game records
    #[arg(long)]
    no_games: bool,
    /// Rounds of a day
    #[arg(long, default_value_t = halls::ROUNDS)]
    rounds: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    fn day(&self, hands: Hands) -> Day {
        Day { clock: !self.no_clock, with_games: !self.no_games, rounds: self.rounds, ..Day::of(hands) }
    }
}

type Outcome = Result<(), Box<dyn Error>>;

/// The results for the halls with one kind of fault.
#[derive(Default)]
struct Counts {
    /// Faults that showed.
    shown: usize,
    /// How many of these were named.
    named: usize,
    /// Faults that did not show.
    hidden: usize,
    /// How many of these were named.
    named_hidden: usize,
    /// Findings that blamed something else.
    others: usize,
}

fn in_words(finding: &Finding) -> String {
    let Finding { kind, board, square, count, detail, .. } = finding;
    let square = square.map_or("-".to_owned(), |square| square.to_string());
    format!("{} {board:?} {square}, {count}: {detail}", kind.name())
}

fn main() -> Outcome {
    let options = Options::parse();
    let mut found = Vec::new();
    for file in &options.files {
        games::read(file, Figures::Disks, &mut found)?;
    }
    if found.is_empty() {
        println!("health: give PGN or PDN files: cargo bench --bench health -- GAMES.pgn");
        return Ok(());
    }
    for &hands in &options.hands {
        for kind in options.faults.iter().filter(|_| options.seeds > 0) {
            faulty(&options, &found, hands, kind)?;
        }
        if options.days > 0 {
            healthy(&options, &found, hands)?;
        }
    }
    Ok(())
}

/// Checks halls with one fault of this kind each.
fn faulty(options: &Options, games: &[Arc<PlannedGame>], hands: Hands, kind: &str) -> Outcome {
    let counts = Mutex::new(Counts::default());
    let seeds: Vec<u64> = (options.first..).take(options.seeds as usize).collect();
    let each = |&seed: &u64| {
        let day = FaultyDay::new(games, kind, &options.day(hands), seed);
        let checked = day.check();
        let found = &checked.found;
        let (is_named, is_shown) = (day.is_named(found), day.is_shown(&checked));
        let others = day.others(found);
        if !is_named && is_shown || !others.is_empty() {
            let (fault, unseen) = (day.fault, checked.unseen);
            let named = if is_named { "named" } else { "not named" };
            eprintln!("{hands:?} {kind} seed {seed}: {fault:?}, {unseen} times unseen, {named}");
            found.iter().for_each(|finding| eprintln!("    {}", in_words(finding)));
            day.stood().iter().for_each(|stood| eprintln!("    {stood}"));
        }
        let mut counts = counts.lock().expect("no other hall failed");
        counts.others += others.len();
        *(if is_shown { &mut counts.shown } else { &mut counts.hidden }) += 1;
        *(if is_shown { &mut counts.named } else { &mut counts.named_hidden }) += usize::from(is_named);
    };
    parallel::each(None, kind, &seeds, |_| 1, each);
    let Counts { shown, named, hidden, named_hidden, others } =
        counts.into_inner().map_err(|_| "a hall failed")?;
    print!("{hands:?} {kind:<12} {named:>4} of {shown:>3} named, {others} other findings");
    match hidden {
        0 => println!(),
        _ => println!("; {named_hidden} of {hidden} that showed no more often than hands"),
    }
    Ok(())
}

/// Checks days on which nothing is wrong.
fn healthy(options: &Options, games: &[Arc<PlannedGame>], hands: Hands) -> Outcome {
    let counts = Mutex::new((0, 0, 0));
    let days: Vec<u64> = (options.first..).take(options.days as usize).map(|day| 1_000_000 + day).collect();
    let each = |&seed: &u64| {
        let checked = halls::healthy(games, &options.day(hands), seed);
        let broken =
            |findings: &[Finding]| findings.iter().filter(|finding| halls::is_of_hardware(finding)).count();
        checked.found.iter().for_each(|finding| eprintln!("{hands:?} day {seed}: {}", in_words(finding)));
        checked
            .meanwhile
            .iter()
            .for_each(|finding| eprintln!("{hands:?} day {seed}, meanwhile: {}", in_words(finding)));
        let (end, meanwhile) = (broken(&checked.found), broken(&checked.meanwhile));
        let mut counts = counts.lock().expect("no other hall failed");
        *counts = (counts.0 + end, counts.1 + meanwhile, counts.2 + checked.found.len() - end);
    };
    parallel::each(None, "days", &days, |_| 1, each);
    let (broken, meanwhile, played) = counts.into_inner().map_err(|_| "a hall failed")?;
    println!(
        "{hands:?} healthy days  {}: {broken} findings of faults, {meanwhile} more meanwhile, {played} of play",
        options.days
    );
    Ok(())
}
