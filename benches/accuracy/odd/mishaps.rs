//! Rows 8 and 13: a board that is shaken, a king that is captured after an illegal move, a king that is set down beside the
//! board.

use super::scene::{Cell, Day, Scene};
use boardbus::{
    record::{Placement, Square},
    sim::{
        planned_game::{FromTo, PlannedGame},
        round::{Ending, Incident, Interruption, Round},
    },
};
use shakmaty::{Bitboard, Board, Color, Role};

/// The fewest plies before and after a mishap.
const PLIES_AROUND: (usize, usize) = (8, 8);
/// Seconds for which a king stands beside the board before it is put back.
const BESIDE: (f64, f64) = (3.0, 60.0);

/// The cells of these rows.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, least, most) in [("2 to 4 pieces fall", 2, 4), ("5 to 12 pieces fall", 5, 12)] {
        let make = move |scene: &mut Scene<'_>| shaken(scene, least, most);
        cells.push(Cell::new(8, name, true, make));
    }
    for clock in [true, false] {
        for (name, goes_on) in [("king taken", false), ("king taken, put back", true)] {
            cells.push(Cell::new(13, name, clock, move |scene| king_taken(scene, goes_on)));
        }
        for (name, goes_on) in [("king beside", false), ("king beside, put back", true)] {
            cells.push(Cell::new(13, name, clock, move |scene| king_beside(scene, goes_on)));
        }
    }
    cells
}

/// Pieces fall and are put back while the clock runs.
fn shaken(scene: &mut Scene<'_>, least: usize, most: usize) -> Option<Day> {
    let ply = scene.any_ply(PLIES_AROUND.0, PLIES_AROUND.1)?;
    let pieces = least + scene.random.below(most + 1 - least);
    let incident = Incident::Shaken(pieces);
    let interruption = Interruption { ply, incident, stops_clock: false, puts_back: true };
    let round = scene.round(PlannedGame::clone(&scene.game), Ending::Kings);
    Some(scene.play(&[Round { interruption: Some(interruption), ..round }]))
}

/// A move leaves the king in check, and it is captured. The game is over without a result shown; or the clock is stopped, the
/// pieces are put back, and another move is made.
fn king_taken(scene: &mut Scene<'_>, goes_on: bool) -> Option<Day> {
    let last = (scene.game.plies.len() + 1).checked_sub(PLIES_AROUND.1)?;
    let mut plies: Vec<usize> = (PLIES_AROUND.0..last).collect();
    scene.random.shuffle(&mut plies);
    let (ply, ways) = plies.into_iter().find_map(|ply| {
        let ways = takings(&scene.game.after(ply), scene.game.plies[ply].white);
        (!ways.is_empty()).then_some((ply, ways))
    })?;
    let &(illegal, by) = scene.random.pick(&ways)?;
    let incident = Incident::KingTaken { illegal, by };
    let interruption = Interruption { ply, incident, stops_clock: true, puts_back: goes_on };
    Some(ended_by(scene, interruption, goes_on))
}

/// A king is set down beside the board: its player resigns without another sign; or it is put back.
fn king_beside(scene: &mut Scene<'_>, goes_on: bool) -> Option<Day> {
    let ply = scene.any_ply(PLIES_AROUND.0, PLIES_AROUND.1)?;
    let white = if goes_on { scene.random.chance(0.5) } else { scene.game.plies[ply].white };
    let incident = Incident::KingBeside { white, lasts: scene.random.between(BESIDE) };
    let interruption = Interruption { ply, incident, stops_clock: false, puts_back: goes_on };
    Some(ended_by(scene, interruption, goes_on))
}

/// A day on which the game goes on after this interruption or ends with it; after every other one the next game follows.
fn ended_by(scene: &mut Scene<'_>, interruption: Interruption, goes_on: bool) -> Day {
    let (game, ending) = if goes_on {
        (PlannedGame::clone(&scene.game), Ending::Kings)
    } else {
        (scene.first(interruption.ply), Ending::None)
    };
    let round = Round { interruption: Some(interruption), ..scene.round(game, ending) };
    let mut rounds = vec![round];
    if !goes_on && scene.random.chance(0.5) {
        rounds.extend(scene.next());
    }
    scene.play(&rounds)
}

/// The moves of this side to empty squares after which its king can be captured, and from which square.
fn takings(stands: &Placement, white: bool) -> Vec<(FromTo, Square)> {
    let Ok(board) = Board::from_ascii_board_fen(stands.to_string().as_bytes()) else { return Vec::new() };
    let color = Color::from_white(white);
    let mut found = Vec::new();
    for from in board.by_color(color) & !board.by_role(Role::Pawn) {
        for to in board.attacks_from(from) & !board.occupied() {
            let mut after = board.clone();
            let Some(piece) = after.remove_piece_at(from) else { continue };
            after.set_piece_at(to, piece);
            let taker: Option<shakmaty::Square> = after
                .king_of(color)
                .map(|king| after.attacks_to(king, !color, after.occupied()))
                .and_then(Bitboard::first);
            found.extend(taker.map(|by| ((square(from), square(to)), square(by))));
        }
    }
    found
}

fn square(of: shakmaty::Square) -> Square {
    of.to_string().parse().expect("both libraries name squares alike")
}
