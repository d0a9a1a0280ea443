//! The games to be played, from PGN and PDN files. Used by this bench and by the test that holds the floor.

use std::{convert::Infallible, error::Error, fs, path::Path, sync::Arc};

use boardbus::{
    format::{
        pdn,
        pgn::{self, Cutter},
        russian,
    },
    record::{GameEvent, GameRecord, Placement, Rules},
    rules::russian::sets::Set,
    sim::planned_game::{
        PlannedGame,
        chess::ChessPlanner,
        russian::{Figures, RussianPlanner},
    },
};

/// Adds the games of a PGN or PDN file that have moves and begin in a start position. Those of PDN are to be played with these
/// figures.
pub fn read(file: &Path, figures: Figures, games: &mut Vec<Arc<PlannedGame>>) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(file).map_err(|problem| format!("{}: {problem}", file.display()))?;
    match file.extension().is_some_and(|extension| extension == "pdn") {
        true => read_pdn(&bytes, figures, games),
        false => read_pgn(&bytes, games),
    }
}

/// Adds each game up to the first move that cannot be played.
fn read_pgn(bytes: &[u8], games: &mut Vec<Arc<PlannedGame>>) -> Result<(), Box<dyn Error>> {
    let mut cutter = Cutter::default();
    for block in [bytes, &[]] {
        cutter.push(block, |text| {
            games.extend(game(&pgn::records(text, "", 1)).map(Arc::new));
            Ok::<(), Infallible>(())
        })?;
    }
    Ok(())
}

fn read_pdn(bytes: &[u8], figures: Figures, games: &mut Vec<Arc<PlannedGame>>) -> Result<(), Box<dyn Error>> {
    let mut reader = pdn::Reader::new(None);
    let mut items: Vec<russian::ReadItem> =
        bytes.split(|b| *b == b'\n').flat_map(|line| reader.line("", line)).collect();
    items.extend(reader.end());
    let mut planner = None;
    for item in items {
        let russian::ReadItem::Record(record) = item else { continue };
        match (record.event, &mut planner) {
            (GameEvent::Game(start), _) => {
                planner = Some(RussianPlanner::new(start.fen.parse()?, figures));
            }
            (GameEvent::Move(m), Some(planner)) => planner.play(&m.path, m.seconds.map(|s| s.0))?,
            (GameEvent::End(_), _) => {
                let game = planner.take().map(|planner| planner.finish(None, None));
                let from_start =
                    |game: &PlannedGame| Set::of_start(&game.start).is_some() && !game.plies.is_empty();
                games.extend(game.filter(from_start).map(Arc::new));
            }
            _ => {}
        }
    }
    Ok(())
}

fn game(records: &[GameRecord]) -> Option<PlannedGame> {
    let (GameEvent::Game(start), plies) = records.split_first().map(|(first, rest)| (&first.event, rest))?
    else {
        return None;
    };
    let mut planner = ChessPlanner::new(Some(&start.fen)).ok()?;
    if start.rules == Rules::Chess960 {
        planner = planner.chess960();
    }
    for record in plies {
        let GameEvent::Move(m) = &record.event else { continue };
        if planner.play_uci(m.uci.as_deref()?.as_bytes(), m.seconds.map(|s| s.0)).is_err() {
            break;
        }
    }
    let result = records.iter().find_map(|record| match &record.event {
        GameEvent::End(end) => end.result,
        _ => None,
    });
    let game = planner.finish(result, None, false);
    let known = game.start == Placement::start() || game.start.is_start_of_chess960();
    (known && game.fen.contains(" w KQkq ") && !game.plies.is_empty()).then_some(game)
}
