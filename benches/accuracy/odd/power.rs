//! Rows 6, 9 and 14: a power cut that hides a few plies or many, and a board that is found on the line during a game.

use super::{
    judge::{BRIDGED_PLIES, Gap, Truth},
    log::{LATER, log, reported},
    scene::{Cell, Day, Scene},
    ways::{Ways, position},
};
use boardbus::{
    record::BoardEvent,
    sim::{
        planned_game::PlannedGame,
        round::{Ending, PowerCut, Round},
    },
};
use shakmaty::Position as _;

/// The fewest plies before and after a power cut.
const PLIES_AROUND: (usize, usize) = (6, 8);
/// The fewest plies after it if the board must rest long enough for it.
const FOLLOW: usize = 4;

/// The cells of these rows.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for plies in 1..=7 {
        for clock in [true, false] {
            cells.push(Cell::new(6, format!("{plies} hidden"), clock, move |scene| hidden(scene, plies)));
        }
    }
    for plies in [9, 13, 20] {
        for clock in [true, false] {
            cells.push(Cell::new(14, format!("{plies} hidden"), clock, move |scene| hidden(scene, plies)));
        }
    }
    for plies in [1, 4, 20] {
        for clock in [true, false] {
            let make = move |scene: &mut Scene<'_>| switched_on(scene, plies);
            cells.push(Cell::new(9, format!("switched on after {plies}"), clock, make));
            let make = move |scene: &mut Scene<'_>| with_log(scene, plies);
            cells.push(Cell::new(9, format!("found after {plies}, then its log"), clock, make));
        }
    }
    cells
}

/// The board has no power while this many plies are played.
fn hidden(scene: &mut Scene<'_>, plies: usize) -> Option<Day> {
    let (least_before, least_after) = PLIES_AROUND;
    let after = scene.any_ply(least_before, plies + least_after)?;
    let game = PlannedGame::clone(&scene.game);
    let round = scene.round(game, Ending::Kings);
    let day = scene.play(&[Round { power_cut: Some(PowerCut::Hiding { after, plies }), ..round }]);
    let time = |is: fn(&BoardEvent) -> bool| day.records.iter().find(|it| is(&it.event))?.time;
    let lost = time(|event| matches!(event, BoardEvent::Lost(_)))?;
    let found = time(|event| matches!(event, BoardEvent::Found(_)))?;
    let after = day.plies_at(lost);
    let plies = day.plies_at(found) - after;
    // Some plies follow, so that all that can be seen is seen.
    if after + plies + FOLLOW > scene.game.plies.len() {
        return None;
    }
    let gap = Gap {
        after,
        plies,
        ways: (plies <= BRIDGED_PLIES).then(|| Ways::past(&scene.game, after, plies)).flatten(),
        to: scene.game.after(after + plies),
    };
    Some(day.with_first(|truth| Truth { gap: Some(gap), ..truth }))
}

/// The board is found after this many plies, and its complete log is reported some plies later.
fn with_log(scene: &mut Scene<'_>, plies: usize) -> Option<Day> {
    let round = scene.round(PlannedGame::clone(&scene.game), Ending::Kings);
    // The same hands, polled from the beginning: what the board logs.
    let logged = scene.play(std::slice::from_ref(&round));
    let mut day = scene.play(&[Round { found_after: plies, ..round }]);
    let later = plies + 1 + scene.random.below(LATER);
    let due = reported(&day.records, day.landed(later)?)?;
    day.insert(log(&logged.records, due));
    Some(day)
}

/// The board is switched on, or found, after this many plies.
fn switched_on(scene: &mut Scene<'_>, plies: usize) -> Option<Day> {
    let game = PlannedGame::clone(&scene.game);
    let round = scene.round(game, Ending::Kings);
    let mut day = scene.play(&[Round { found_after: plies, ..round }]);
    let plies = day.plies_at(day.records.first()?.time?);
    let stands = scene.game.after(plies);
    let whole = day.truths[0][0].clone();
    let rest = Truth {
        start: Some(stands),
        moves: whole.moves.get(plies..)?.to_vec(),
        // Without a clock a finding, not the game, shows that a game is on.
        or_finding: !scene.clock,
        ..whole.clone()
    };
    day.truths = vec![vec![rest]];
    let one_way = plies == 1 && {
        let start = position(&scene.game, 0)?;
        let to = position(&scene.game, 1)?;
        let leads = |mv| start.clone().play(mv).is_ok_and(|after| after.board() == to.board());
        start.legal_moves().into_iter().filter(|mv| leads(*mv)).count() == 1
    };
    if one_way {
        let gap = Gap { after: 0, plies, ways: Ways::past(&scene.game, 0, plies), to: stands };
        day.truths.push(vec![Truth { gap: Some(gap), or_finding: !scene.clock, ..whole }]);
    }
    Some(day)
}
