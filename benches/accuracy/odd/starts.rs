//! Rows 10 and 11: a piece that is missing at the start, and games forfeited by an absent player.

use super::{
    judge::Truth,
    scene::{BOARD, Cell, Day, Scene, seen},
};
use boardbus::{
    record::{BoardEvent, BoardRecord, Outcome, Placement, Square, Time},
    sim::{
        board_fault::{Ailment, BoardFault},
        planned_game::{PlannedGame, chess::ChessPlanner},
        polled_board::Polling,
        round::{Ending, Incident, Interruption, Round},
    },
};

/// The fewest plies of a game without one of its pieces.
const PLIES: usize = 20;
/// Seconds for which kings stand in the centre after a forfeit.
const FORFEIT: (f64, f64) = (16.0, 300.0);

/// The cells of these rows.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for clock in [true, false] {
        cells.push(Cell::new(10, "a piece missing", clock, |scene| missing(scene, false)));
        cells.push(Cell::new(10, "a piece missing, second game", clock, |scene| missing(scene, true)));
        cells.push(Cell::new(10, "a dead square", clock, dead_square));
    }
    for (name, stops, clock) in
        [(", clock runs", false, true), (", clock stopped", true, true), ("", false, false)]
    {
        for (after, next) in [("", false), (", next game", true)] {
            let make = move |scene: &mut Scene<'_>| Some(forfeit(scene, stops, next));
            cells.push(Cell::new(11, format!("forfeit{name}{after}"), clock, make));
        }
    }
    cells
}

/// A piece is not on the board when the game begins; the game lasts until it would be needed.
fn missing(scene: &mut Scene<'_>, second: bool) -> Option<Day> {
    // The castling rights are only simple if kings and rooks stand at home.
    let start = scene.game.start;
    if start != Placement::start() {
        return None;
    }
    let mut squares: Vec<Square> = Square::all().filter(|&square| start.get(square).is_some()).collect();
    scene.random.shuffle(&mut squares);
    let game = squares.into_iter().find_map(|square| without(&scene.game, square))?;
    let start = game.start;
    let odd = scene.round(game, Ending::Kings);
    let mut rounds = vec![odd];
    if second {
        rounds.insert(0, scene.next()?);
    }
    let mut day = scene.play(&rounds);
    let truth = day.truths[0].last_mut()?;
    (truth.start, truth.or_finding) = (Some(start), true);
    Some(day)
}

/// The game without the piece on a square, up to where that is needed; none if this is too short.
fn without(game: &PlannedGame, square: Square) -> Option<PlannedGame> {
    let mut start = game.start;
    start.set(square, None);
    let rights: String = [("K", "h1"), ("Q", "a1"), ("k", "h8"), ("q", "a8")]
        .into_iter()
        .filter(|(_, rook)| *rook != square.text())
        .map(|(right, _)| right)
        .collect();
    let mut planner = ChessPlanner::new(Some(&format!("{start} w {rights} - 0 1"))).ok()?;
    for ply in &game.plies {
        let needs = ply.from == square || ply.to == square || ply.victim == Some(square);
        if needs || planner.play_uci(ply.name.as_bytes(), ply.seconds).is_err() {
            break;
        }
    }
    let game = planner.finish(game.result, game.control, false);
    (game.plies.len() >= PLIES).then_some(game)
}

/// All pieces stand, and one of them is never seen on its first square.
fn dead_square(scene: &mut Scene<'_>) -> Option<Day> {
    let game = PlannedGame::clone(&scene.game);
    let round = scene.round(game, Ending::Kings);
    let start = seen(scene.game.start, &round);
    let squares: Vec<Square> = Square::all().filter(|&square| start.get(square).is_some()).collect();
    let square = *scene.random.pick(&squares)?;
    let faults = vec![BoardFault { board: BOARD, ailment: Ailment::DeadSquare(square) }];
    let day = scene.play_polled(&[round], &Polling { faults, ..scene.polling() });
    Some(day.with_first(|truth| Truth { or_finding: true, ..truth }))
}

/// The start stands, nobody moves, and the kings show who lost by absence.
fn forfeit(scene: &mut Scene<'_>, stops_clock: bool, next: bool) -> Day {
    let start = scene.game.start;
    let result = if scene.random.chance(0.5) { Outcome::WhiteWins } else { Outcome::BlackWins };
    let game = PlannedGame { plies: Vec::new(), ..PlannedGame::clone(&scene.game) };
    let incident = Incident::Shown { ending: Ending::Kings, result, lasts: scene.random.between(FORFEIT) };
    let interruption = Interruption { ply: 0, incident, stops_clock, puts_back: false };
    let round = scene.round(PlannedGame { result: Some(result), ..game }, Ending::None);
    let mut rounds = vec![Round { interruption: Some(interruption), ..round }];
    if next {
        rounds.extend(scene.next());
    }
    let mut day = scene.play(&rounds);
    if let Some(ended) = day.records.last().and_then(|last| last.time) {
        // Another board of the hall is still polled.
        let later = Time(ended.0 + (FORFEIT.1 * 1000.0) as i64);
        day.records.push(BoardRecord::new(Some(later), Some(BOARD + 1), BoardEvent::Quiet {}));
    }
    day.with_first(|truth| Truth { start: Some(start), result: Some(result), ..truth })
}
