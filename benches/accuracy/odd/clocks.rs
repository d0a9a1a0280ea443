//! Rows 5 and 12: a clock that is lost during a game, and a flag that falls before kings show the result.

use super::{
    ends::{THEN, Then},
    judge::Truth,
    scene::{Cell, Day, Scene},
    ways::planner,
};
use boardbus::{
    record::{EndReason, Outcome, Placement},
    sim::{
        planned_game::{FromTo, PlannedGame, chess::ChessPlanner},
        round::{ClockLoss, Ending, LostClock, Round},
    },
};

/// The fewest plies before and after the loss of the clock.
const PLIES_AROUND: (usize, usize) = (4, 10);
/// Seconds left to the loser when the last turn begins.
const LEFT: (f64, f64) = (2.0, 30.0);
/// Seconds per side of a game that ends with the fall of a flag.
const BASE: f64 = 5400.0;

/// What follows the loss.
#[derive(Debug, Clone, Copy)]
enum After {
    /// The rest of the game, and this.
    Then(Then),
    /// The rest of the game, and the board is cleared.
    Cleared,
    /// A position that is repeated in the game.
    Repeated,
}

/// The cells of these rows.
pub fn cells() -> Vec<Cell> {
    let lost = [
        ("unplugged", LostClock::Unplugged),
        ("dead", LostClock::Dead),
        ("taken away", LostClock::TakenAway),
    ];
    let mut after: Vec<(&str, After)> = THEN.iter().map(|&(name, then)| (name, After::Then(then))).collect();
    after.extend([("cleared", After::Cleared), ("repeated", After::Repeated)]);
    let mut cells = Vec::new();
    for (name, how) in lost {
        for &(then, after) in &after {
            let make = move |scene: &mut Scene<'_>| without_clock(scene, how, after);
            cells.push(Cell::new(5, format!("{name}, {then}"), true, make));
        }
    }
    cells.push(Cell::new(12, "flag, kings", true, flag_falls));
    cells
}

/// The clock is lost during the game, which is played out without it.
fn without_clock(scene: &mut Scene<'_>, how: LostClock, after: After) -> Option<Day> {
    let ply = scene.any_ply(PLIES_AROUND.0, PLIES_AROUND.1)?;
    let kings = matches!(after, After::Then(Then::Kings) | After::Repeated);
    let (ending, result) = if kings { (Ending::Kings, scene.game.result) } else { (Ending::None, None) };
    let game = match after {
        After::Repeated => repeating(scene, ply + 1)?,
        _ => PlannedGame::clone(&scene.game),
    };
    let set_up_next = match after {
        After::Then(Then::SetUp) => scene.next().map(|next| next.start()),
        After::Cleared => Some(Placement::EMPTY),
        _ => None,
    };
    let round = scene.round(PlannedGame { result, ..game }, ending);
    let mut rounds = vec![Round { clock_loss: Some(ClockLoss { ply, how }), set_up_next, ..round }];
    if matches!(after, After::Then(Then::NextGame)) {
        rounds.extend(scene.next());
    }
    Some(scene.play(&rounds))
}

/// The game with pieces that go to and fro, once or twice, at any ply after `from`.
fn repeating(scene: &mut Scene<'_>, from: usize) -> Option<PlannedGame> {
    let game = &scene.game;
    let at = from + scene.random.below(game.plies.len().checked_sub(from + 1)?);
    let mut planner = planner(game)?;
    for ply in &game.plies[..at] {
        planner.play_uci(ply.name.as_bytes(), ply.seconds).ok()?;
    }
    let name = |(a, b): FromTo| format!("{a}{b}");
    let repeats = 1 + scene.random.below(2);
    let found = game.plies[at].quiet_alternatives.iter().find_map(|&one| {
        let mut tried = planner.clone();
        tried.play_uci(name(one).as_bytes(), None).ok()?;
        let reply = tried.clone().finish(None, None, false).plies.pop()?;
        let replies = replies(&tried);
        replies.into_iter().find_map(|other| {
            let mut circle = planner.clone();
            for _ in 0..repeats {
                for step in [one, other, (one.1, one.0), (other.1, other.0)] {
                    circle.play_uci(name(step).as_bytes(), None).ok()?;
                }
            }
            let stands = circle.clone().finish(None, None, false).last();
            (stands == game.after(at) && reply.rook.is_none()).then_some(circle)
        })
    });
    planner = found?;
    for ply in &game.plies[at..] {
        planner.play_uci(ply.name.as_bytes(), ply.seconds).ok()?;
    }
    Some(planner.finish(game.result, game.control, false))
}

/// Quiet replies in the planner's position.
fn replies(planner: &ChessPlanner) -> Vec<FromTo> {
    let game = planner.clone().finish(None, None, false);
    let Some(position) = super::ways::position(&game, game.plies.len()) else { return Vec::new() };
    let square = |of: shakmaty::Square| of.to_string().parse().ok();
    shakmaty::Position::legal_moves(&position)
        .into_iter()
        .filter(|mv| !mv.is_capture() && !mv.is_castle() && mv.role() != shakmaty::Role::Pawn)
        .filter_map(|mv| Some((square(mv.from()?)?, square(mv.to())?)))
        .collect()
}

/// The flag of the side to move falls, the clock stops, and kings show the result.
fn flag_falls(scene: &mut Scene<'_>) -> Option<Day> {
    let mut game = PlannedGame::clone(&scene.game);
    let white_to_move = !game.plies.last()?.white;
    let left = scene.random.between(LEFT);
    let of = game.plies.len() as f64;
    for (n, ply) in game.plies.iter_mut().enumerate() {
        let loses = ply.white == white_to_move;
        let part = (n + 2).min(of as usize) as f64 / of;
        let end = if loses { left } else { BASE / 3.0 };
        ply.seconds = Some((BASE - (BASE - end) * part).floor());
    }
    let result = if white_to_move { Outcome::BlackWins } else { Outcome::WhiteWins };
    game = PlannedGame { result: Some(result), control: Some((BASE, 0.0)), flag: true, ..game };
    let round = scene.round(game, Ending::Kings);
    let day = scene.play(&[round]);
    Some(day.with_first(|truth| Truth { reason: Some(EndReason::Flag), ..truth }))
}
