//! The games that were published otherwise than played, each with the first ply that differs and the costs of both. The cost of
//! the played game results from the same records with all its moves ruled. If it is higher than that of the published game, no
//! wider search would find it: the prices, which reflect how often hands deviate, make another game more likely. `--beam N`
//! tests this with a wider search over the same records.

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Arc, Mutex},
};

use boardbus::{reconstruct::Width, sim::planned_game::PlannedGame};

use super::{
    Options,
    driver::{OnBoard, PlayedHall},
    final_plies::{self, Ply},
    hands_and_clock, rows,
};

/// How the played games compare with those published.
#[derive(Default)]
struct Count {
    games: usize,
    wrong: usize,
    /// Games of which the played one costs more.
    dearer: usize,
    /// Games of which both cost the same.
    alike: usize,
    /// Games of which the played one costs less.
    cheaper: usize,
    /// Games whose records contradict what was played.
    contradicted: usize,
    /// Games that the wider search publishes as played.
    found: usize,
    /// Games that the wider search publishes as the usual one does.
    the_same: usize,
}

/// Plays the games and prints those published otherwise and, for each row, how the costs compare.
pub fn print(games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let games = rows::games(games, options);
    let rows = rows::of(options);
    let counts: Vec<Mutex<Count>> = rows.iter().map(|_| Mutex::default()).collect();
    rows::play(&games, &rows, options.seeds, options, |row, hall| {
        let published = final_plies::of_hall(hall, None);
        for board in &hall.boards {
            let plies = published.get(&board.address).map_or(&[][..], |plies| plies);
            let is_same = plies.iter().map(|(name, _)| name).eq(board.game.plies.iter().map(|ply| &ply.name));
            let mut counts = counts[row].lock().expect("no other hall failed");
            counts.games += 1;
            if !is_same {
                compare(hall, board, plies, &mut counts);
                if let Some(width) = options.width() {
                    search_wider(hall, board, plies, width, &mut counts);
                }
            }
        }
    });
    for (&(hands, clock), count) in rows.iter().zip(counts) {
        let Count { games, wrong, dearer, alike, cheaper, contradicted, found, the_same } =
            count.into_inner().map_err(|_| "a hall failed")?;
        println!(
            "{} {wrong} of {games} games published otherwise; the played one costs more in {dearer}, as much in {alike}, less in \
             {cheaper}; the records contradict it in {contradicted}",
            hands_and_clock(hands, clock)
        );
        if let Some(width) = options.width() {
            println!(
                "    a beam of {}: {found} of them as played, {the_same} as published before, {} otherwise",
                width.beam,
                wrong - found - the_same
            );
        }
    }
    Ok(())
}

/// Compares the game that a wider search publishes with the played one and the one published before.
fn search_wider(hall: &PlayedHall, board: &OnBoard, published: &[Ply], width: Width, count: &mut Count) {
    let wider = final_plies::of_board(hall, board, width);
    let names = || wider.iter().map(|(name, _)| name);
    let found = names().eq(board.game.plies.iter().map(|ply| &ply.name));
    let the_same = !found && names().eq(published.iter().map(|(name, _)| name));
    count.found += usize::from(found);
    count.the_same += usize::from(the_same);
    let cost = |plies: &[Ply]| plies.iter().flat_map(|(_, e)| &e.charges).map(|(_, cost)| cost).sum::<f64>();
    let what = if found {
        "as played"
    } else if the_same {
        "as published before"
    } else {
        "otherwise"
    };
    println!(
        "    {}: a beam of {} publishes it {what}; {:+.2}",
        board.address,
        width.beam,
        cost(&wider) - cost(published)
    );
}

fn compare(hall: &PlayedHall, board: &OnBoard, published: &[Ply], count: &mut Count) {
    let played = final_plies::of_hall(hall, Some(board)).remove(&board.address).unwrap_or_default();
    let names: Vec<&str> = board.game.plies.iter().map(|ply| &*ply.name).collect();
    let same = published.iter().zip(&names).take_while(|((published, _), name)| published == *name).count();
    let charges = |plies: &[Ply]| -> BTreeMap<String, f64> {
        let mut sums = BTreeMap::new();
        for (name, cost) in plies.iter().flat_map(|(_, explain)| &explain.charges) {
            *sums.entry(name.to_string()).or_insert(0.0) += cost;
        }
        sums
    };
    let (own, other) = (charges(&played), charges(published));
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
    let published_names: Vec<&str> = published.iter().map(|(name, _)| &**name).collect();
    println!(
        "{} from ply {} of {}: played {}; published {} ({} plies); {more:+.2}",
        board.address,
        same + 1,
        names.len(),
        at(&names),
        at(&published_names),
        published.len()
    );
    let names = own.keys().chain(other.keys().filter(|name| !own.contains_key(*name)));
    let differ = names.filter_map(|name| {
        let [a, b] = [&own, &other].map(|of| of.get(name).copied().unwrap_or(0.0));
        ((a - b).abs() > 0.01).then(|| format!("{name} {a:.1}/{b:.1}"))
    });
    println!("    played/published: {}", differ.collect::<Vec<_>>().join(", "));
}
