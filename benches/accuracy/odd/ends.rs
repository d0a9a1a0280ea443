//! Rows 1, 2, 3 and 7: a result shown while the game still goes on, and games that are analysed or played through again, after
//! their end or before.

use super::{
    scene::{Cell, Day, Scene},
    ways::planner,
};
use boardbus::{
    record::Outcome,
    rules::{Game as _, chess::ChessGame},
    sim::{
        planned_game::{PlannedGame, chess::ChessPlanner},
        random::Random,
        round::{Ending, Incident, Interruption, Line, Round, Study},
    },
};

/// Seconds for which a false result is shown.
const SHOWN: (f64, f64) = (2.0, 300.0);
/// Seconds of analysis after a game.
const STUDIED: (f64, f64) = (60.0, 1200.0);
/// Seconds of a long analysis while the clock runs.
const LONG: (f64, f64) = (300.0, 900.0);
/// The fewest plies before and after a false result.
const PLIES_AROUND: (usize, usize) = (10, 7);
/// The least time on a clock before an interruption during which it runs on, in seconds.
const LEFT: f64 = 600.0;
/// In how many positions of a game lines are tried, and how many in each.
const FORKS: (usize, usize) = (6, 8);

/// What follows an analysed game.
#[derive(Debug, Clone, Copy)]
pub enum Then {
    /// Kings show the result.
    Kings,
    /// The pieces are set up.
    SetUp,
    /// The next game is played.
    NextGame,
    /// Nothing follows.
    Nothing,
}

/// All of these with their names.
pub const THEN: [(&str, Then); 4] = [
    ("kings", Then::Kings),
    ("set-up", Then::SetUp),
    ("next game", Then::NextGame),
    ("nothing", Then::Nothing),
];

/// How long the players analyse while the clock runs.
#[derive(Debug, Clone, Copy)]
enum AnalysisLength {
    OneBack,
    ThreeLines,
    Long,
}

/// The cells of these rows.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (ending, name) in [(Ending::Kings, "kings"), (Ending::Piece, "piece")] {
        for (stops, clock, how) in
            [(false, true, ", clock runs"), (true, true, ", clock stopped"), (false, false, "")]
        {
            let make = move |scene: &mut Scene<'_>| Some(no_end(scene, ending, stops));
            cells.push(Cell::new(1, format!("{name}{how}"), clock, make));
        }
    }
    for clock in [true, false] {
        cells.push(Cell::new(1, "mate withdrawn", clock, mate_withdrawn));
    }
    cells.push(Cell::new(1, "flag, time added", true, time_added));
    for (ending, name) in [(Ending::Kings, "kings, studied"), (Ending::None, "studied")] {
        for clock in [true, false] {
            cells.push(Cell::new(2, name, clock, move |scene| Some(studied(scene, ending))));
        }
    }
    let length = [
        ("one back", AnalysisLength::OneBack),
        ("three lines", AnalysisLength::ThreeLines),
        ("long", AnalysisLength::Long),
    ];
    for (name, length) in length {
        for (after, then) in THEN {
            let make = move |scene: &mut Scene<'_>| Some(analysed(scene, length, then));
            cells.push(Cell::new(3, format!("{name}, {after}"), true, make));
        }
    }
    for (name, ending) in [("kings", Some(Ending::Kings)), ("piece", Some(Ending::Piece)), ("goes on", None)]
    {
        for clock in [true, false] {
            let make = move |scene: &mut Scene<'_>| played_through(scene, ending);
            cells.push(Cell::new(7, format!("played through, {name}"), clock, make));
        }
    }
    cells
}

/// A false result.
fn no_end(scene: &mut Scene<'_>, ending: Ending, stops_clock: bool) -> Day {
    let runs = scene.clock && !stops_clock;
    let interruption =
        Interruption { stops_clock, ..interruption(ending, runs, &scene.game, &mut scene.random) };
    let round = Round { interruption: Some(interruption), ..Round::new(scene.game.clone(), Ending::Kings) };
    scene.play(&[round])
}

/// A move that mates is played, pressed and withdrawn, and another one is played.
fn mate_withdrawn(scene: &mut Scene<'_>) -> Option<Day> {
    let mated = scene.random.pick(scene.mated)?.clone();
    let (mate, before) = mated.plies.split_last()?;
    let (mut planner, mut position) = (planner(&mated)?, ChessGame::from_placement(&mated.start)?);
    for ply in before {
        play(&ply.name, ply.seconds, &mut planner, &mut position);
    }
    for n in 0..PLIES_AROUND.1 + 1 + scene.random.below(8) {
        let moves = position.moves();
        let names = moves.iter().filter(|candidate| position.after(candidate).ending().is_none());
        let names: Vec<String> = names.filter_map(|it| position.describe(&it.mv).uci).collect();
        let name = scene.random.pick(&names).filter(|name| n > 0 || **name != mate.name)?.clone();
        play(&name, None, &mut planner, &mut position);
    }
    let game = planner.finish(mated.result, mated.control, false);
    let incident = Incident::Withdrawn(Box::new(mate.clone()), shown(&mut scene.random));
    let interruption = Interruption { ply: before.len(), incident, stops_clock: true, puts_back: true };
    let round = scene.round(game, Ending::Kings);
    Some(scene.play(&[Round { interruption: Some(interruption), ..round }]))
}

/// A flag falls, the clock is stopped, and the player is given more time.
fn time_added(scene: &mut Scene<'_>) -> Option<Day> {
    let ply = scene.any_ply(PLIES_AROUND.0, PLIES_AROUND.1)?;
    let mut game = PlannedGame::clone(&scene.game);
    game.plies[ply - 2].seconds = Some(scene.random.between((2.0, 40.0)).floor());
    let incident = Incident::TimeAdded(scene.random.between((300.0, 3600.0)).floor());
    let interruption = Interruption { ply, incident, stops_clock: true, puts_back: true };
    let round = scene.round(game, Ending::Kings);
    Some(scene.play(&[Round { interruption: Some(interruption), ..round }]))
}

/// For how many seconds a false result is shown: short times are as frequent as long ones.
fn shown(random: &mut Random) -> f64 {
    random.between((SHOWN.0.ln(), SHOWN.1.ln())).exp()
}

/// The game ends and is shown in this way, and the players try lines; after every other one the next game follows.
fn studied(scene: &mut Scene<'_>, ending: Ending) -> Day {
    // If nothing is shown, the board has no result.
    let result = scene.game.result.filter(|_| ending != Ending::None);
    let over = PlannedGame { result, ..PlannedGame::clone(&scene.game) };
    let study = Study { lines: lines(&scene.game, &mut scene.random), lasts: scene.random.between(STUDIED) };
    let mut rounds = vec![Round { study: Some(study), ..Round::new(over.into(), ending) }];
    if scene.random.chance(0.5) {
        rounds.extend(scene.next());
    }
    scene.play(&rounds)
}

/// The last ply is played, and the players analyse the game while the clock runs.
fn analysed(scene: &mut Scene<'_>, length: AnalysisLength, then: Then) -> Day {
    let (game, random) = (&scene.game, &mut scene.random);
    let last = game.plies.len();
    let study = match length {
        AnalysisLength::OneBack => {
            let plies = random.below(4);
            let mut found = lines_from(game, &[last - 1], 1, plies, random);
            // If no ply is tried, the last one is only taken back.
            if found.is_empty() {
                found.push(Line { from: last - 1, plies: Vec::new() });
            }
            Study { lines: found, lasts: LONG.1 }
        }
        AnalysisLength::ThreeLines => {
            let from = last - 1 - random.below(6);
            Study { lines: lines_from(game, &[from], 3, 6, random), lasts: LONG.1 }
        }
        AnalysisLength::Long => Study { lines: lines(game, random), lasts: random.between(LONG) },
    };
    let interruption = Interruption {
        ply: last,
        incident: Incident::Studied(study),
        stops_clock: false,
        puts_back: scene.random.chance(0.5),
    };
    let ending = if matches!(then, Then::Kings) { Ending::Kings } else { Ending::None };
    let result = scene.game.result.filter(|_| ending == Ending::Kings);
    let game = PlannedGame { result, ..PlannedGame::clone(&scene.game) };
    let mut round = Round { interruption: Some(interruption), ..scene.round(game, ending) };
    if matches!(then, Then::SetUp) {
        round.set_up_next = scene.next().map(|next| next.start());
    }
    let mut rounds = vec![round];
    if matches!(then, Then::NextGame) {
        rounds.extend(scene.next());
    }
    scene.play(&rounds)
}

/// An arbiter plays the game through again while the clock is stopped, and the result is shown or play goes on.
fn played_through(scene: &mut Scene<'_>, ending: Option<Ending>) -> Option<Day> {
    let (first, after) = PLIES_AROUND;
    let ply = if ending.is_some() { scene.game.plies.len() } else { scene.any_ply(first, after)? };
    let interruption =
        Interruption { ply, incident: Incident::PlayedThrough, stops_clock: true, puts_back: true };
    let game = PlannedGame::clone(&scene.game);
    let round = scene.round(game, ending.unwrap_or(Ending::Kings));
    Some(scene.play(&[Round { interruption: Some(interruption), ..round }]))
}

/// A false result after any ply that fits; if the clock runs on, after one with enough time on it.
fn interruption(ending: Ending, runs: bool, game: &PlannedGame, random: &mut Random) -> Interruption {
    let (first, after) = PLIES_AROUND;
    let has_time = |ply: usize| game.plies[ply - 2].seconds.is_none_or(|seconds| seconds >= LEFT);
    let plies: Vec<usize> =
        (first..=game.plies.len() - after).filter(|&ply| !runs || has_time(ply)).collect();
    let results = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw];
    let ply = random.pick(&plies).copied().unwrap_or(first);
    let result = results[random.below(3)];
    let incident = Incident::Shown { ending, result, lasts: shown(random) };
    Interruption { ply, incident, stops_clock: false, puts_back: true }
}

/// Lines of one to six plies from the last position and from earlier ones.
fn lines(game: &PlannedGame, random: &mut Random) -> Vec<Line> {
    let last = game.plies.len();
    let mut forks: Vec<usize> = (1..FORKS.0).map(|_| last - 1 - random.below(last.min(30))).collect();
    forks.push(last);
    forks.sort_unstable();
    lines_from(game, &forks, FORKS.1, 6, random)
}

/// Several lines from each of these positions, made of moves of the game and others.
fn lines_from(
    game: &PlannedGame,
    forks: &[usize],
    each: usize,
    longest: usize,
    random: &mut Random,
) -> Vec<Line> {
    let (Some(mut planner), Some(mut position)) = (planner(game), ChessGame::from_placement(&game.start))
    else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for from in 0..=game.plies.len() {
        for _ in forks.iter().filter(|&&fork| fork == from) {
            let one = |_| line(game, from, longest, planner.clone(), position.clone(), random);
            lines.extend((0..each).map(one));
        }
        if let Some(ply) = game.plies.get(from) {
            play(&ply.name, None, &mut planner, &mut position);
        }
    }
    lines.retain(|line| !line.plies.is_empty());
    random.shuffle(&mut lines);
    lines
}

/// A line from this position.
fn line(
    game: &PlannedGame,
    from: usize,
    longest: usize,
    mut planner: ChessPlanner,
    mut position: ChessGame,
    random: &mut Random,
) -> Line {
    let mut in_game = true;
    let length = if longest == 0 { 0 } else { 1 + random.below(longest) };
    for n in from..from + length {
        let played = game.plies.get(n).filter(|_| in_game).map(|ply| ply.name.clone());
        let moves: Vec<String> =
            position.moves().iter().filter_map(|candidate| position.describe(&candidate.mv).uci).collect();
        let any = random.pick(&moves).cloned();
        let same = random.chance(0.5).then(|| played.clone()).flatten();
        let Some(name) = same.or(any) else { break };
        in_game &= played.as_ref() == Some(&name);
        play(&name, None, &mut planner, &mut position);
    }
    Line { from, plies: planner.finish(None, None, false).plies.split_off(from) }
}

/// Plays a move in the planner and the position.
fn play(name: &str, seconds: Option<f64>, planner: &mut ChessPlanner, position: &mut ChessGame) {
    let moves = position.moves();
    let same = moves.iter().find(|candidate| position.describe(&candidate.mv).uci.as_deref() == Some(name));
    if let Some(candidate) = same
        && planner.play_uci(name.as_bytes(), seconds).is_ok()
    {
        *position = position.after(candidate);
    }
}
