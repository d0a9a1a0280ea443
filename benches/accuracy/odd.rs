//! Games with something odd about them, row by row: what happens in real rounds beside the moves. Exact is a board of
//! which just its games are published, each with its moves and its result, and with what else its row asks for.
//!
//! Which ply, which result, which lines: all follow from the seed, so each cell of the table plays the same games.

mod clocks;
mod ends;
mod judge;
mod log;
mod mishaps;
mod power;
mod scene;
mod starts;
mod ways;

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use super::{Options, days::is_mate, hands_and_clock, parallel};
use boardbus::{
    record::Outcome,
    sim::{planned_game::PlannedGame, profile::Hands, random::Random},
};
use judge::{Flaw, judge};
use scene::{Cell, Day, Scene};

/// Seconds between two polls of a board.
const POLLS: [f64; 2] = [1.0, 2.0];
/// Games of fewer plies have no room for anything.
const PLIES: usize = 18;
/// So many plies before its end a game of draughts is not over.
const LAST: usize = 4;
/// A game that has no place for what is odd is replaced by another, so often.
const TRIES: usize = 24;

/// The rows that games of draughts are played for.
const DRAUGHTS: [u8; 4] = [4, 5, 7, 8];

/// The games of one kind.
struct Games {
    /// Those in which something can be odd: they end without mate.
    odd: Vec<Arc<PlannedGame>>,
    /// Those that end in mate.
    mated: Vec<Arc<PlannedGame>>,
    /// Whether they are of draughts.
    draughts: bool,
}

/// How the days of a cell fared.
#[derive(Default)]
struct Fared {
    played: usize,
    flaws: Vec<(usize, Flaw)>,
}

/// Plays so many games for each cell and prints how many were published exactly.
pub fn print(kinds: [&[Arc<PlannedGame>]; 2], options: &Options, count: usize) -> Result<(), Box<dyn Error>> {
    let [chess, draughts] = kinds.map(|games| games.iter().filter(|game| game.plies.len() >= PLIES));
    let ended = chess.filter(|game| game.result.is_some()).cloned();
    let (mated, odd) = ended.partition(|game| is_mate(game));
    // Files of draughts that can be played say no results: without their last plies nobody has won yet.
    let drawn = draughts.map(|game| {
        let plies = game.plies[..game.plies.len() - LAST].to_vec();
        Arc::new(PlannedGame { plies, result: Some(Outcome::Draw), ..PlannedGame::clone(game) })
    });
    let kinds = [
        Games { odd, mated, draughts: false },
        Games { odd: drawn.collect(), mated: Vec::new(), draughts: true },
    ];
    if kinds.iter().all(|games| games.odd.is_empty()) {
        return Err("this takes games with 18 plies and a result".into());
    }
    if let Some(folder) = &options.journals {
        fs::create_dir_all(folder)?;
    }
    let cells =
        [ends::cells(), log::cells(), clocks::cells(), power::cells(), mishaps::cells(), starts::cells()];
    let mut cells: Vec<Cell> = cells.into_iter().flatten().collect();
    cells.retain(|cell| options.row.is_empty() || options.row.contains(&cell.row));
    cells.sort_by_key(|cell| cell.row);
    println!("row hands   clock poll what                           games  exact       %  silent");
    for games in kinds.iter().filter(|games| !games.odd.is_empty()) {
        cells.retain(|cell| !games.draughts || DRAUGHTS.contains(&cell.row));
        print_rows(&cells, games, options, count)?;
    }
    Ok(())
}

/// Plays the games of one kind and prints how they fared.
fn print_rows(cells: &[Cell], games: &Games, options: &Options, count: usize) -> Result<(), Box<dyn Error>> {
    let kind = if games.draughts { "draughts: " } else { "" };
    for rows in cells.chunk_by(|one, other| one.row == other.row) {
        let mut sums = Fared::default();
        for &hands in &options.hands {
            for (cell, poll) in rows.iter().flat_map(|cell| POLLS.map(|poll| (cell, poll))) {
                let fared = play(cell, (hands, poll), games, options, count)?;
                if fared.played == 0 {
                    continue;
                }
                let head = format!(
                    "{:>3} {} {poll:>4} {:<30}",
                    cell.row,
                    hands_and_clock(hands, cell.clock),
                    cell.what
                );
                println!("{head} {fared}");
                for (n, flaw) in &fared.flaws {
                    eprintln!(
                        "{}, {hands:?}, clock {}, poll {poll}, {n}: {}: {}",
                        cell.what, cell.clock, flaw.kind, flaw.detail
                    );
                }
                sums.played += fared.played;
                sums.flaws.extend(fared.flaws);
            }
        }
        println!("{:>3} {:<49} {sums}", rows[0].row, format!("{kind}in all"));
    }
    Ok(())
}

/// Has the days of a cell played and judged.
fn play(
    cell: &Cell,
    (hands, poll): (Hands, f64),
    games: &Games,
    options: &Options,
    count: usize,
) -> Result<Fared, Box<dyn Error>> {
    let fared = Mutex::new(Fared::default());
    parallel::each(
        options.jobs,
        &cell.what,
        &(0..count).collect::<Vec<_>>(),
        |_| 1,
        |&n| {
            let Some(day) = day(cell, (hands, poll), games, options, (n, count)) else { return };
            let judged = judge(&day.records, &day.truths);
            let mut fared = fared.lock().expect("no other board failed");
            fared.played += 1;
            if let Err(flaw) = judged {
                if let Some(folder) = &options.journals {
                    let name = format!("{}-{}-{hands:?}-{}-{poll}-{n}", cell.row, cell.what, cell.clock);
                    let name = name.to_lowercase().replace([' ', ','], "_");
                    write(folder, &name, &day, &flaw).expect("a folder that can be written");
                }
                fared.flaws.push((n, flaw));
            }
        },
    );
    let mut fared = fared.into_inner()?;
    fared.flaws.sort();
    Ok(fared)
}

/// The `n`-th day of `count`, with the first of some games that has a place for what is odd.
fn day(
    cell: &Cell,
    (hands, poll): (Hands, f64),
    games: &Games,
    options: &Options,
    (n, count): (usize, usize),
) -> Option<Day> {
    let seed = options.seed.wrapping_add(n as u64);
    (0..TRIES).find_map(|next| {
        let Games { odd, mated, draughts } = games;
        let game = odd[(n * odd.len() / count + next) % odd.len()].clone();
        let random = Random::part(seed, 1 << 41 | u64::from(cell.row.saturating_sub(2)));
        let (clock, draughts) = (cell.clock, *draughts);
        (cell.make)(&mut Scene { game, games: odd, mated, draughts, clock, hands, poll, seed, random })
    })
}

/// Writes what was reported, and what is true, into a folder.
fn write(folder: &Path, name: &str, day: &Day, flaw: &Flaw) -> Result<(), Box<dyn Error>> {
    let mut journal = Vec::new();
    for record in &day.records {
        record.write(&mut journal)?;
        journal.push(b'\n');
    }
    fs::write(folder.join(format!("{name}.jsonl")), journal)?;
    let mut text = format!("{}: {}\n", flaw.kind, flaw.detail);
    for truth in &day.truths {
        for game in truth {
            text += &format!("\n{:?} {:?}\n{}\n", game.start, game.result, game.moves.join(" "));
            text += &game.gap.as_ref().map_or(String::new(), |gap| format!("{gap:?}\n"));
        }
    }
    Ok(fs::write(folder.join(format!("{name}.txt")), text)?)
}

impl std::fmt::Display for Fared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exact = self.played - self.flaws.len();
        let part = 100.0 * exact as f64 / self.played.max(1) as f64;
        let silent = self.flaws.iter().filter(|(_, flaw)| flaw.silent).count();
        write!(f, "{:>6} {exact:>6} {part:>7.2} {silent:>7}", self.played)?;
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        self.flaws.iter().for_each(|(_, flaw)| *kinds.entry(flaw.kind).or_insert(0) += 1);
        kinds.iter().try_for_each(|(kind, count)| write!(f, "  {kind} {count}"))
    }
}
