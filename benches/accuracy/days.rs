//! Days on one board: round after round with all that happens in between; and games ended by kings put in the centre. A day is
//! exact if just its games are published, each with its moves and result.

use std::{
    convert::Infallible,
    error::Error,
    sync::{Arc, Mutex},
};

use super::{
    Options,
    driver::{EVERY, polling},
    hands_and_clock, parallel,
};
use boardbus::{
    reconstruct::{self, Reconstructor},
    record::{BoardRecord, GameEvent, GameRecord, Outcome},
    rules::{Game as _, chess::ChessGame},
    sim::{
        planned_game::PlannedGame,
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        random::Random,
        round::{Ending, PowerCut, Round},
    },
};

/// Plays the requested days and games ended by kings, and prints the results.
pub fn print(games: &[Arc<PlannedGame>], options: &Options) -> Result<(), Box<dyn Error>> {
    let ended: Vec<Arc<PlannedGame>> = games.iter().filter(|game| game.result.is_some()).cloned().collect();
    let (mated, unmated): (Vec<_>, Vec<_>) = ended.into_iter().partition(|game| is_mate(game));
    if mated.is_empty() || unmated.len() < 4 {
        return Err("days take four games with a result and one that ends in mate".into());
    }
    println!("hands   clock what     played  exact");
    for &hands in &options.hands {
        for clock in [true, false] {
            let day = |n: usize| day(n, options.seed, &mated, &unmated);
            let kings = |n: usize| vec![ended_by_kings(n, &unmated)];
            report(options, (hands, clock), "days", options.days.unwrap_or(0), &day)?;
            report(options, (hands, clock), "kings", options.kings.unwrap_or(0), &kings)?;
        }
    }
    Ok(())
}

/// Plays `count` boards and prints how many were published exactly, and the flaws on standard error.
fn report(
    options: &Options,
    (hands, clock): (Hands, bool),
    what: &str,
    count: usize,
    rounds: &(dyn Fn(usize) -> Vec<Round> + Sync),
) -> Result<(), Box<dyn Error>> {
    if count == 0 {
        return Ok(());
    }
    let flaws =
        flaws(options, what, count, &|n, seed| judge(&rounds(n), hands, &polling(EVERY, clock, seed)))?;
    println!("{} {what:<7} {count:>7} {:>6}", hands_and_clock(hands, clock), count - flaws.len());
    for (n, flaw) in flaws {
        eprintln!("{what} {n}: {flaw}");
    }
    Ok(())
}

/// Judges `count` boards, each by its number and its seed; returns the flaws with the numbers of their boards.
pub fn flaws(
    options: &Options,
    what: &str,
    count: usize,
    judge: &(dyn Fn(usize, u64) -> Result<(), String> + Sync),
) -> Result<Vec<(usize, String)>, Box<dyn Error>> {
    let flaws: Mutex<Vec<(usize, String)>> = Mutex::default();
    parallel::each(
        options.jobs,
        what,
        &(0..count).collect::<Vec<_>>(),
        |_| 1,
        |&n| {
            let seed = options.seed.wrapping_add(n as u64);
            if let Err(flaw) = judge(n, seed) {
                flaws.lock().expect("no other board failed").push((n, flaw));
            }
        },
    );
    let mut flaws = flaws.into_inner()?;
    flaws.sort();
    Ok(flaws)
}

/// Whether the last move of a game is mate.
pub fn is_mate(game: &PlannedGame) -> bool {
    let Some(mut position) = ChessGame::from_placement(&game.start) else { return false };
    for ply in &game.plies {
        let moves = position.moves();
        let same = moves.iter().find(|c| position.describe(&c.mv).uci.as_deref() == Some(&*ply.name));
        match same {
            Some(candidate) => position = position.after(candidate),
            None => return false,
        }
    }
    position.ending().is_some_and(|(_, result)| result.is_some_and(|result| result != Outcome::Draw))
}

/// Five rounds in random order: three ended by kings, one by a result piece, one by mate; three analysed afterwards, two on the
/// board turned round, one with a power cut.
fn day(n: usize, seed: u64, mated: &[Arc<PlannedGame>], unmated: &[Arc<PlannedGame>]) -> Vec<Round> {
    let mut random = Random::part(seed, n as u64 | 1 << 40);
    let mut endings = [Ending::Kings, Ending::Kings, Ending::Kings, Ending::Piece, Ending::None];
    random.shuffle(&mut endings);
    let mut analysed = [true, true, true, false, false];
    random.shuffle(&mut analysed);
    let turned = 1 + random.below(3);
    let cut = random.below(5);
    let mut rounds: Vec<Round> = Vec::new();
    for (round, &ending) in endings.iter().enumerate() {
        let games = if ending == Ending::None { mated } else { unmated };
        let game = games[random.below(games.len())].clone();
        let rotated = (turned..turned + 2).contains(&round);
        let power_cut = (round == cut).then(|| PowerCut::Brief(0.2 + 0.6 * random.unit()));
        rounds.push(Round { rotated, analysis: analysed[round], power_cut, ..Round::new(game, ending) });
    }
    rounds
}

fn ended_by_kings(n: usize, games: &[Arc<PlannedGame>]) -> Round {
    Round::new(games[n % games.len()].clone(), Ending::Kings)
}

/// Compares what is published of one board with what was played there.
pub fn judge(rounds: &[Round], hands: Hands, polling: &Polling) -> Result<(), String> {
    let records = PolledHall::new(&[1025], rounds, &hands.profile(), polling);
    let published = published(records);
    for (n, round) in rounds.iter().enumerate() {
        let Some(game) = published.get(n) else {
            return Err(format!("game {} of {} is missing", n + 1, rounds.len()));
        };
        let played = round.game.plies.iter().map(|ply| &*ply.name);
        let same =
            played.clone().zip(&game.moves).take_while(|(played, published)| played == published).count();
        let (of, got) = (round.game.plies.len(), game.moves.len());
        if same < of.max(got) {
            let at = |moves: Vec<&str>| {
                moves[same.min(moves.len())..].iter().take(4).copied().collect::<Vec<_>>().join(" ")
            };
            let (played, published) = (at(played.collect()), at(game.moves.iter().map(|m| &**m).collect()));
            return Err(format!(
                "game {}, {:?}: from ply {} of {of} `{played}` was played, `{published}` published ({got} plies)",
                n + 1,
                round.ending,
                same + 1
            ));
        }
        if game.result != round.game.result {
            return Err(format!(
                "game {}, {:?}: the result is {:?}, published {:?}",
                n + 1,
                round.ending,
                round.game.result,
                game.result
            ));
        }
    }
    if published.len() > rounds.len() {
        Err(format!("{} games too many", published.len() - rounds.len()))
    } else {
        Ok(())
    }
}

/// A game as it was published at last.
#[derive(Default)]
struct PublishedGame {
    moves: Vec<String>,
    result: Option<Outcome>,
}

/// The games published of a board.
fn published(records: impl Iterator<Item = BoardRecord>) -> Vec<PublishedGame> {
    let mut games: Vec<PublishedGame> = Vec::new();
    let mut publish = |record: GameRecord| {
        let n = record.game as usize;
        if games.len() < n {
            games.resize_with(n, PublishedGame::default);
        }
        let game = &mut games[n - 1];
        match record.event {
            GameEvent::Move(m) => {
                let ply = m.ply.unwrap_or(0).saturating_sub(1) as usize;
                game.moves.resize(ply.max(game.moves.len()), "?".to_owned());
                let name = m.uci.unwrap_or_default();
                match game.moves.get_mut(ply) {
                    Some(published) => *published = name,
                    // Play went on, so the end is withdrawn.
                    None => {
                        game.result = None;
                        game.moves.push(name);
                    }
                }
            }
            GameEvent::Takeback(back) => {
                game.result = None;
                game.moves.truncate(back.ply as usize);
            }
            GameEvent::End(end) => game.result = end.result,
            _ => {}
        }
        Ok::<(), Infallible>(())
    };
    let mut reconstructor = Reconstructor::new(reconstruct::Options::default());
    for record in records {
        let Ok(()) = reconstructor.record(&record, &mut publish);
    }
    let Ok(()) = reconstructor.finish(publish);
    games
}
