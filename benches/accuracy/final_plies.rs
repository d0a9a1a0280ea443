//! The plies of games as they were last published, with their charges: the evidence for prices and for wrong games.

use std::{collections::HashMap, convert::Infallible};

use boardbus::{
    reconstruct::{Options, Reconstructor, Width},
    record::{BoardEvent, BoardRecord, Explain, GameEvent, GameRecord, Ruled, Ruling},
};

use super::driver::{OnBoard, PlayedHall};

/// A ply as it was last published: the move, and its charges.
pub type Ply = (String, Explain);

/// The plies of each board's only game. On the board `ruled` an arbiter has ruled all moves as they were played.
pub fn of_hall(hall: &PlayedHall, ruled: Option<&OnBoard>) -> HashMap<u16, Vec<Ply>> {
    of_records(&hall.records, Width::default(), ruled)
}

/// The plies of one board with a search of this width. Records of other boards only advance the time.
pub fn of_board(hall: &PlayedHall, board: &OnBoard, width: Width) -> Vec<Ply> {
    let own = |record: &&BoardRecord| {
        record.board == Some(board.address) || !matches!(record.event, BoardEvent::Change(_))
    };
    of_records(hall.records.iter().filter(own), width, None).remove(&board.address).unwrap_or_default()
}

fn of_records<'a>(
    records: impl IntoIterator<Item = &'a BoardRecord>,
    width: Width,
    ruled: Option<&OnBoard>,
) -> HashMap<u16, Vec<Ply>> {
    let mut reconstructor = Reconstructor::new(Options { explain: true, width, ..Options::default() });
    let mut plies: HashMap<u16, Vec<Ply>> = HashMap::new();
    let mut publish = |record: GameRecord| {
        let line = plies.entry(record.board.unwrap_or(0)).or_default();
        match record.event {
            GameEvent::Takeback(back) => line.truncate(back.ply as usize),
            GameEvent::Move(mv) => {
                let at = mv.ply.unwrap_or(1) as usize - 1;
                let explain = mv.explain.map_or_else(Explain::default, |explain| *explain);
                let played = (mv.uci.or(mv.notation).unwrap_or_default(), explain);
                // A ply is published again when its clock time is read.
                if at < line.len() { line[at] = played } else { line.push(played) }
            }
            _ => {}
        }
        Ok::<(), Infallible>(())
    };
    if let Some(board) = ruled {
        for (number, ply) in (1..).zip(&board.game.plies) {
            let ruling = Ruling { ply: Some(number), ruled: Ruled::Uci(ply.name.clone()), note: None };
            let event = GameEvent::Ruling(Box::new(ruling));
            let record = GameRecord { board: Some(board.address), ..GameRecord::read_from_file(1, event) };
            let Ok(_) = reconstructor.ruling(&record, &mut publish);
        }
    }
    for record in records {
        let Ok(()) = reconstructor.record(record, &mut publish);
    }
    let Ok(()) = reconstructor.finish(&mut publish);
    plies
}
