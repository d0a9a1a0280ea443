//! What was told of games at last, with what it was charged with: the evidence for prices, and for what was told wrongly.

use std::{collections::HashMap, convert::Infallible};

use boardbus::{
    reconstruct::{Options, Reconstructor, Width},
    record::{BoardEvent, BoardRecord, Explain, GameEvent, GameRecord, Ruled, Ruling},
};

use super::driver::{OnBoard, PlayedHall};

/// A ply as it was told last: the move, and what it was charged with.
pub type Ply = (String, Explain);

/// The plies of each board's only game as they were told last; on the board `ruled` an arbiter has ruled all that was played.
pub fn last_told(hall: &PlayedHall, ruled: Option<&OnBoard>) -> HashMap<u16, Vec<Ply>> {
    told_of(&hall.records, Width::default(), ruled)
}

/// The plies of one board of a hall as a search of this width tells them; of the others it hears only how time goes by.
pub fn last_told_of(hall: &PlayedHall, board: &OnBoard, width: Width) -> Vec<Ply> {
    let own = |record: &&BoardRecord| {
        record.board == Some(board.address) || !matches!(record.event, BoardEvent::Change(_))
    };
    told_of(hall.records.iter().filter(own), width, None).remove(&board.address).unwrap_or_default()
}

fn told_of<'a>(
    records: impl IntoIterator<Item = &'a BoardRecord>,
    width: Width,
    ruled: Option<&OnBoard>,
) -> HashMap<u16, Vec<Ply>> {
    let mut reconstructor = Reconstructor::new(Options { explain: true, width, ..Options::default() });
    let mut told: HashMap<u16, Vec<Ply>> = HashMap::new();
    let mut publish = |record: GameRecord| {
        let line = told.entry(record.board.unwrap_or(0)).or_default();
        match record.event {
            GameEvent::Takeback(back) => line.truncate(back.ply as usize),
            GameEvent::Move(mv) => {
                let at = mv.ply.unwrap_or(1) as usize - 1;
                let explain = mv.explain.map_or_else(Explain::default, |explain| *explain);
                let played = (mv.uci.or(mv.notation).unwrap_or_default(), explain);
                // The same ply again: its clock time became known.
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
    told
}
