//! Measures how soon `serve` publishes moves finally, and how many are wrong: `cargo bench --bench certain -- GAMES.pgn...`.
//!
//! Simulated hands play each game without a clock on a board of its own, polled as `watch` polls; a client sets the start
//! position up and follows. Printed are how many games came complete, how many moves were published otherwise than played (only
//! the first of each game counts, as nothing after it is right), and the time from the landing of the piece: median, 95 %, 99 %.

#[path = "accuracy/games.rs"]
mod games;

use std::{error::Error, path::PathBuf, time::Duration};

use boardbus::{
    record::{CHESS_START, Time},
    rules::{Game, chess::ChessGame},
    serve::{Desk, Outbox, View},
    sim::{
        planned_game::{PlannedGame, russian::Figures},
        polled_board::Polling,
        polled_hall::PolledHall,
        profile::Hands,
        round::{Ending, Round},
    },
};
use clap::Parser;
use serde_json::Value;

/// How soon `serve` publishes moves finally, and how many are wrong
#[derive(Debug, Parser)]
struct Options {
    /// PGN files
    files: Vec<PathBuf>,
    /// Play this many games, evenly picked
    #[arg(long, default_value = "200")]
    games: usize,
    /// The hands that play
    #[arg(long, value_enum, value_delimiter = ',', default_value = "clean,classic,rapid,blitz,real")]
    hands: Vec<Hands>,
    /// Seconds from one poll of a board to the next
    #[arg(long, value_delimiter = ',', default_value = "0.3")]
    poll: Vec<f64>,
    /// For this many seconds at least a move has stood before it is published, as --certain-after of `serve`
    #[arg(long, default_value = "0")]
    certain_after: f64,
    /// Seed of all random choices
    #[arg(long, default_value = "1")]
    seed: u64,
    /// How the result is shown after the last ply; a move that is published of it is wrong
    #[arg(long, value_enum, default_value = "none")]
    ending: Ending,
    /// Print each move that was published otherwise
    #[arg(long)]
    wrong: bool,
    /// Print which move was published later than so many seconds after its landing
    #[arg(long)]
    late: Option<f64>,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// The results of the games.
#[derive(Default)]
struct Score {
    games: usize,
    whole: usize,
    plies: usize,
    right: usize,
    wrong: Vec<String>,
    took: Vec<f64>,
    /// For this many seconds at least a move has stood before it is published.
    certain_after: f64,
    /// Later than so many seconds a move is late.
    late_from: f64,
    late: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.files.is_empty() {
        println!("certain: give PGN files: cargo bench --bench certain -- GAMES.pgn...");
        return Ok(());
    }
    let mut games = Vec::new();
    options.files.iter().try_for_each(|file| games::read(file, Figures::default(), &mut games))?;
    let step = (games.len() / options.games.max(1)).max(1);
    let games: Vec<_> = games.into_iter().step_by(step).take(options.games).collect();
    println!("hands    poll  games whole  plies  right  wrong  median   95 %   99 %");
    for (&hands, &every) in
        options.hands.iter().flat_map(|hands| options.poll.iter().map(move |every| (hands, every)))
    {
        let late_from = options.late.unwrap_or(f64::INFINITY);
        let mut score = Score { late_from, certain_after: options.certain_after, ..Score::default() };
        for (nth, game) in (0..).zip(&games) {
            let round = Round::new(game.clone(), options.ending);
            play(round, hands, every, options.seed + nth, &mut score)?;
        }
        score.took.sort_by(f64::total_cmp);
        let at = |part: f64| {
            score.took.get((score.took.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN)
        };
        let name = format!("{hands:?}").to_lowercase();
        println!(
            "{name:8} {every:4} {:6} {:5} {:6} {:6} {:6} {:7.2} {:6.2} {:6.2}",
            score.games,
            score.whole,
            score.plies,
            score.right,
            score.wrong.len(),
            at(0.5),
            at(0.95),
            at(0.99)
        );
        if options.wrong {
            score.wrong.iter().for_each(|wrong| println!("  {wrong}"));
        }
        score.late.iter().for_each(|late| println!("  {late}"));
    }
    Ok(())
}

/// Plays a game and follows it.
fn play(round: Round, hands: Hands, every: f64, seed: u64, score: &mut Score) -> Result<(), Box<dyn Error>> {
    let opening = Time(1_700_000_000_000);
    let polling =
        Polling { opening, every, clock: false, clock_every: 20.0, answers: true, faults: Vec::new(), seed };
    let game = round.game.clone();
    let mut hall = PolledHall::new(&[1025], &[round], &hands.profile(), &polling);
    let mut desk = Desk::new(score.certain_after, Duration::ZERO);
    let (mut out, mut published) = (Outbox::new(), Vec::new());
    let (mut is_set_up, mut now) = (false, opening);
    for record in hall.by_ref() {
        let time = record.time.unwrap_or(now);
        while let Some(wait) = desk.check(now, &mut out).filter(|wait| now.0 + wait <= time.0) {
            collect(&mut out, now, &mut published);
            now = Time(now.0 + wait);
        }
        collect(&mut out, now, &mut published);
        now = time;
        desk.record(&record, now, &mut out);
        if !is_set_up && matches!(record.event, boardbus::record::BoardEvent::Position(_)) {
            is_set_up = true;
            let set_up = format!(
                r#"{{"id":3,"call":"call","param":{{"id":1,"method":"setup","param":{{"fen":"{CHESS_START}"}}}}}}"#
            );
            let calls = [
                r#"{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"1025"}}}"#,
                &set_up,
            ];
            calls.iter().for_each(|call| desk.call(1, &View::All, call.as_bytes(), now, &mut out));
        }
    }
    for _ in 0..200 {
        now = Time(now.0 + 50);
        desk.check(now, &mut out);
        collect(&mut out, now, &mut published);
    }
    let landings: Vec<Time> = hall.landings().map(|landing| landing.time).collect();
    judge(&game, &landings, &published, score)
}

/// Keeps each published move with its time.
fn collect(out: &mut Outbox, now: Time, published: &mut Vec<(String, Time)>) {
    for (_, text) in out.drain(..) {
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        for san in message["param"]["san"].as_array().into_iter().flatten().skip(published.len()) {
            published.push((san.as_str().unwrap_or_default().to_owned(), now));
        }
    }
}

fn judge(
    game: &PlannedGame,
    landings: &[Time],
    published: &[(String, Time)],
    score: &mut Score,
) -> Result<(), Box<dyn Error>> {
    let plies = game.plies.len();
    (score.games, score.plies) = (score.games + 1, score.plies + plies);
    let mut position = ChessGame::start();
    for (ply, (san, time)) in (1..).zip(published) {
        let moves = position.moves();
        let played = moves.iter().find(|c| position.describe(&c.mv).san.as_deref() == Some(san));
        let played = played.ok_or_else(|| format!("{san} is not legal"))?;
        let before = position.clone();
        position = position.after(played);
        if ply > plies || position.fen().split(' ').next() != Some(&game.after(ply).to_string()) {
            score.wrong.push(format!(
                "ply {ply}: {san} in {} (then {})",
                before.fen(),
                game.after(ply.min(plies))
            ));
            return Ok(());
        }
        score.right += 1;
        let took = landings[ply - 1].seconds_until(*time);
        if took > score.late_from {
            score.late.push(format!("ply {ply}: {san} in {} after {took:.2} s", before.fen()));
        }
        score.took.push(took);
    }
    score.whole += usize::from(published.len() == plies);
    Ok(())
}
