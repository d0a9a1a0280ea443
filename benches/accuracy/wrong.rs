//! The games that were not told as they were played, each beside the game that was: from which ply on they differ, and what
//! both cost. The game that was played is what the same records make when all its moves are ruled. Where it costs more than
//! what was told, no wider search finds it: by the prices, which say how often hands do what, something else is likelier. With
//! `--beam N` that is put to the proof: such a search goes through the same records.

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Arc, Mutex},
};

use boardbus::{reconstruct::Width, sim::planned_game::PlannedGame};

use super::{
    Options,
    driver::{OnBoard, PlayedHall},
    hands_and_clock, rows, told,
    told::Ply,
};

/// How the played games compare with those that were told instead.
#[derive(Default)]
struct Count {
    games: usize,
    wrong: usize,
    /// Those of which the played one costs more, as much, or less, and those in which the records cannot show it: a ruling
    /// contradicts them.
    dearer: usize,
    alike: usize,
    cheaper: usize,
    contradicted: usize,
    /// Those that the wider search tells as they were played, and those that it tells as they were told.
    found: usize,
    the_same: usize,
}

/// Plays the games, and prints those that were told wrongly and, for each row, how their costs compare.
pub fn print(games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let games = rows::games(games, options);
    let rows = rows::of(options);
    let counts: Vec<Mutex<Count>> = rows.iter().map(|_| Mutex::default()).collect();
    rows::play(&games, &rows, options.seeds, options, |row, hall| {
        let told = told::last_told(hall, None);
        for board in &hall.boards {
            let told = told.get(&board.address).map_or(&[][..], |told| told);
            let is_told = told.iter().map(|(name, _)| name).eq(board.game.plies.iter().map(|ply| &ply.name));
            let mut counts = counts[row].lock().expect("no other hall failed");
            counts.games += 1;
            if !is_told {
                compare(hall, board, told, &mut counts);
                if let Some(width) = options.width() {
                    search_wider(hall, board, told, width, &mut counts);
                }
            }
        }
    });
    for (&(hands, clock), count) in rows.iter().zip(counts) {
        let Count { games, wrong, dearer, alike, cheaper, contradicted, found, the_same } =
            count.into_inner().map_err(|_| "a hall failed")?;
        println!(
            "{} {wrong} of {games} games told otherwise; what was played costs more in {dearer}, as much in {alike}, less in \
             {cheaper}; the records contradict it in {contradicted}",
            hands_and_clock(hands, clock)
        );
        if let Some(width) = options.width() {
            println!(
                "    a beam of {}: {found} of them as they were played, {the_same} as they were told, {} otherwise",
                width.beam,
                wrong - found - the_same
            );
        }
    }
    Ok(())
}

/// What a wider search makes of a game that was told otherwise than it was played.
fn search_wider(hall: &PlayedHall, board: &OnBoard, told: &[Ply], width: Width, count: &mut Count) {
    let wider = told::last_told_of(hall, board, width);
    let names = || wider.iter().map(|(name, _)| name);
    let found = names().eq(board.game.plies.iter().map(|ply| &ply.name));
    let the_same = !found && names().eq(told.iter().map(|(name, _)| name));
    count.found += usize::from(found);
    count.the_same += usize::from(the_same);
    let cost = |plies: &[Ply]| plies.iter().flat_map(|(_, e)| &e.charges).map(|(_, cost)| cost).sum::<f64>();
    let what = if found {
        "as played"
    } else if the_same {
        "as told"
    } else {
        "otherwise"
    };
    println!(
        "    {}: a beam of {} tells it {what}; {:+.2}",
        board.address,
        width.beam,
        cost(&wider) - cost(told)
    );
}

fn compare(hall: &PlayedHall, board: &OnBoard, told: &[Ply], count: &mut Count) {
    let played = told::last_told(hall, Some(board)).remove(&board.address).unwrap_or_default();
    let names: Vec<&str> = board.game.plies.iter().map(|ply| &*ply.name).collect();
    let same = told.iter().zip(&names).take_while(|((told, _), name)| told == *name).count();
    let charges = |plies: &[Ply]| -> BTreeMap<String, f64> {
        let mut sums = BTreeMap::new();
        for (name, cost) in plies.iter().flat_map(|(_, explain)| &explain.charges) {
            *sums.entry(name.to_string()).or_insert(0.0) += cost;
        }
        sums
    };
    let (own, other) = (charges(&played), charges(told));
    let sum = |of: &BTreeMap<String, f64>| of.values().sum::<f64>();
    let more = sum(&own) - sum(&other);
    count.wrong += 1;
    *match more {
        _ if own.contains_key("ruled-otherwise") || played.len() < names.len() => &mut count.contradicted,
        more if more > 0.05 => &mut count.dearer,
        more if more < -0.05 => &mut count.cheaper,
        _ => &mut count.alike,
    } += 1;
    let at = |plies: &[&str]| plies.iter().skip(same).take(6).copied().collect::<Vec<_>>().join(" ");
    let told_names: Vec<&str> = told.iter().map(|(name, _)| &**name).collect();
    println!(
        "{} from ply {} of {}: played {}; told {} ({} plies); {more:+.2}",
        board.address,
        same + 1,
        names.len(),
        at(&names),
        at(&told_names),
        told.len()
    );
    let names = own.keys().chain(other.keys().filter(|name| !own.contains_key(*name)));
    let differ = names.filter_map(|name| {
        let [a, b] = [&own, &other].map(|of| of.get(name).copied().unwrap_or(0.0));
        ((a - b).abs() > 0.01).then(|| format!("{name} {a:.1}/{b:.1}"))
    });
    println!("    played/told: {}", differ.collect::<Vec<_>>().join(", "));
}
