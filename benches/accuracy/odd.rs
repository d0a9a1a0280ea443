//! Games with something odd around their end: a result that is shown while the game still goes on, and lines that the
//! players try when it is over. Exact is a board of which just its games are published, each with its moves and its result.
//!
//! Which ply, which result, which lines: all follow from the seed, so each cell of the table plays the same games.

use std::{error::Error, sync::Arc};

use super::{
    Options,
    days::{flaws, is_mate, judge},
    driver::polling,
    hands_and_clock,
};
use boardbus::{
    record::{Outcome, Placement},
    rules::{Game as _, chess::ChessGame},
    sim::{
        planned_game::{PlannedGame, chess::ChessPlanner},
        random::Random,
        round::{Ending, Interruption, Line, Round, Study},
    },
};

/// Seconds between two polls of a board.
const POLLS: [f64; 2] = [1.0, 2.0];
/// The seconds for which a result that is none is shown.
const SHOWN: (f64, f64) = (2.0, 300.0);
/// The seconds for which players look at a game that is over.
const STUDIED: (f64, f64) = (60.0, 1200.0);
/// A result that is none comes behind so many plies, and so many follow it.
const PLIES_AROUND: (usize, usize) = (10, 7);
/// A clock that runs on in an interruption shows at least so many seconds before it.
const LEFT: f64 = 600.0;
/// Places from which lines are tried in a game, and how many each.
const FORKS: (usize, usize) = (6, 8);

/// What is odd about a game.
#[derive(Debug, Clone, Copy)]
enum Odd {
    /// This shows a result, and the game goes on; whether the clock is stopped meanwhile.
    NoEnd(Ending, bool),
    /// The game ends, shown like this, and the players try lines.
    Studied(Ending),
}

/// Each with its name and whether there is a clock.
const CELLS: [(&str, Odd, bool); 10] = [
    ("kings, clock runs", Odd::NoEnd(Ending::Kings, false), true),
    ("kings, clock stopped", Odd::NoEnd(Ending::Kings, true), true),
    ("kings", Odd::NoEnd(Ending::Kings, false), false),
    ("piece, clock runs", Odd::NoEnd(Ending::Piece, false), true),
    ("piece, clock stopped", Odd::NoEnd(Ending::Piece, true), true),
    ("piece", Odd::NoEnd(Ending::Piece, false), false),
    ("kings, studied", Odd::Studied(Ending::Kings), true),
    ("kings, studied", Odd::Studied(Ending::Kings), false),
    ("studied", Odd::Studied(Ending::None), true),
    ("studied", Odd::Studied(Ending::None), false),
];

/// Plays so many games for each cell and prints how many were published exactly.
pub fn print(games: &[Arc<PlannedGame>], options: &Options, count: usize) -> Result<(), Box<dyn Error>> {
    let (least_before, least_after) = PLIES_AROUND;
    let fits = |game: &&Arc<PlannedGame>| {
        game.result.is_some()
            && game.start == Placement::start()
            && game.plies.len() > least_before + least_after
            && !is_mate(game)
    };
    let games: Vec<Arc<PlannedGame>> = games.iter().filter(fits).cloned().collect();
    if games.is_empty() {
        return Err("this takes games of chess with 18 plies and a result".into());
    }
    println!("hands   clock poll what                    games  exact       %");
    for &hands in &options.hands {
        for (what, odd, clock) in CELLS {
            for poll in POLLS {
                let judged = |n: usize, seed: u64| {
                    let game = &games[n * games.len() / count % games.len()];
                    let rounds = rounds(odd, clock, game, &games, &mut Random::part(seed, 1 << 41));
                    judge(&rounds, hands, &polling(poll, clock, seed))
                };
                let flaws = flaws(options, what, count, &judged)?;
                let exact = count - flaws.len();
                println!(
                    "{} {poll:>4} {what:<22} {count:>6} {exact:>6} {:>7.2}",
                    hands_and_clock(hands, clock),
                    100.0 * exact as f64 / count.max(1) as f64
                );
                for (n, flaw) in flaws {
                    eprintln!("{what} {n}: {flaw}");
                }
            }
        }
    }
    Ok(())
}

/// The game with what is odd about it, and, for every other one that is studied, the next game on the board.
fn rounds(
    odd: Odd,
    clock: bool,
    game: &Arc<PlannedGame>,
    games: &[Arc<PlannedGame>],
    random: &mut Random,
) -> Vec<Round> {
    match odd {
        Odd::NoEnd(ending, stops_clock) => {
            let interruption = interruption(ending, clock && !stops_clock, game, random);
            let interruption = Interruption { stops_clock, ..interruption };
            vec![Round { interruption: Some(interruption), ..Round::new(game.clone(), Ending::Kings) }]
        }
        Odd::Studied(ending) => {
            // Where nothing is shown, the board has no result.
            let result = game.result.filter(|_| ending != Ending::None);
            let over = Arc::new(PlannedGame { result, ..PlannedGame::clone(game) });
            let study = Study { lines: lines(game, random), lasts: random.between(STUDIED) };
            let mut rounds = vec![Round { study: Some(study), ..Round::new(over, ending) }];
            if random.chance(0.5) {
                rounds.extend(random.pick(games).map(|next| Round::new(next.clone(), Ending::Kings)));
            }
            rounds
        }
    }
}

/// A result that is none, at any ply that fits; where the clock runs on, at one at which it has the time.
fn interruption(ending: Ending, runs: bool, game: &PlannedGame, random: &mut Random) -> Interruption {
    let (first, after) = PLIES_AROUND;
    let has_time = |ply: usize| game.plies[ply - 2].seconds.is_none_or(|seconds| seconds >= LEFT);
    let plies: Vec<usize> =
        (first..=game.plies.len() - after).filter(|&ply| !runs || has_time(ply)).collect();
    let results = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw];
    Interruption {
        ply: random.pick(&plies).copied().unwrap_or(first),
        ending,
        result: results[random.below(3)],
        // As many short ones as long ones.
        lasts: random.between((SHOWN.0.ln(), SHOWN.1.ln())).exp(),
        stops_clock: false,
    }
}

/// Lines of one to six plies from the last position, and from earlier ones: moves of the game, and any others.
fn lines(game: &PlannedGame, random: &mut Random) -> Vec<Line> {
    let last = game.plies.len();
    let mut forks: Vec<usize> = (1..FORKS.0).map(|_| last - 1 - random.below(last.min(30))).collect();
    forks.push(last);
    forks.sort_unstable();
    let (Ok(mut planner), Some(mut position)) =
        (ChessPlanner::new(None), ChessGame::from_placement(&game.start))
    else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for from in 0..=last {
        for _ in forks.iter().filter(|&&fork| fork == from) {
            lines.extend((0..FORKS.1).map(|_| line(game, from, planner.clone(), position.clone(), random)));
        }
        if let Some(ply) = game.plies.get(from) {
            play(&ply.name, &mut planner, &mut position);
        }
    }
    lines.retain(|line| !line.plies.is_empty());
    random.shuffle(&mut lines);
    lines
}

/// A line from here.
fn line(
    game: &PlannedGame,
    from: usize,
    mut planner: ChessPlanner,
    mut position: ChessGame,
    random: &mut Random,
) -> Line {
    let mut in_game = true;
    for n in from..from + 1 + random.below(6) {
        let played = game.plies.get(n).filter(|_| in_game).map(|ply| ply.name.clone());
        let moves: Vec<String> =
            position.moves().iter().filter_map(|candidate| position.describe(&candidate.mv).uci).collect();
        let any = random.pick(&moves).cloned();
        let same = random.chance(0.5).then(|| played.clone()).flatten();
        let Some(name) = same.or(any) else { break };
        in_game &= played.as_ref() == Some(&name);
        play(&name, &mut planner, &mut position);
    }
    Line { from, plies: planner.finish(None, None, false).plies.split_off(from) }
}

/// Plays a move in both.
fn play(name: &str, planner: &mut ChessPlanner, position: &mut ChessGame) {
    let moves = position.moves();
    let same = moves.iter().find(|candidate| position.describe(&candidate.mv).uci.as_deref() == Some(name));
    if let Some(candidate) = same
        && planner.play_uci(name.as_bytes(), None).is_ok()
    {
        *position = position.after(candidate);
    }
}
