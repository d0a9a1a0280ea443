//! Games with odd events that occur in real rounds, one kind for each row. A board is exact if just its games are published, each
//! with its moves and result and whatever else its row requires.
//!
//! Plies, results and lines follow from the seed, so each cell of the table plays the same games.

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
/// The fewest plies of a game that has room for odd events.
const PLIES: usize = 18;
/// How many plies are cut from a game of draughts, so that it is not over.
const CUT_PLIES: usize = 4;
/// How many games are tried for a day whose odd event needs a place in the game.
const TRIES: usize = 24;

/// The rows that are played with draughts, too.
const DRAUGHTS: [u8; 4] = [4, 5, 7, 8];

/// The games of one kind.
struct Games {
    /// Games without mate, in which odd events can occur.
    odd: Vec<Arc<PlannedGame>>,
    /// Games that end in mate.
    mated: Vec<Arc<PlannedGame>>,
    /// The games are of draughts.
    draughts: bool,
}

/// The results of the days of a cell.
#[derive(Default)]
struct Fared {
    played: usize,
    flaws: Vec<(usize, Flaw)>,
}

/// Plays `count` games for each cell and prints how many were published exactly.
pub fn print(kinds: [&[Arc<PlannedGame>]; 2], options: &Options, count: usize) -> Result<(), Box<dyn Error>> {
    let [chess, draughts] = kinds.map(|games| games.iter().filter(|game| game.plies.len() >= PLIES));
    let ended = chess.filter(|game| game.result.is_some()).cloned();
    let (mated, odd) = ended.partition(|game| is_mate(game));
    // Files of draughts with playable games have no results; without its last plies a game is undecided.
    let drawn = draughts.map(|game| {
        let plies = game.plies[..game.plies.len() - CUT_PLIES].to_vec();
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

/// Plays the games of one kind and prints the results.
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

/// Plays and judges the days of a cell.
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

/// The `n`-th of `count` days, played with the first of some games that has a place for the odd event.
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

/// Writes the records and the truth into a folder.
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
