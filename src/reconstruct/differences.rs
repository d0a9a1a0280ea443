//! A game that was reconstructed again: the updates that turn what was published before into the new result.
//!
//! Used by the tracked board after a ruling, and by the command when it has read its files again.

use super::update::{FinalMoves, Update};
use crate::record::{GameEvent, GameRecord, Move, Takeback, TakebackReason, Time};

/// The records to publish at `now` to turn the game published as `before` into `after`.
pub fn records(before: Vec<GameRecord>, after: Vec<GameRecord>, now: Option<Time>) -> Vec<GameRecord> {
    let Some(game) = before.first().or(after.first()).cloned() else { return Vec::new() };
    let begun = before.iter().any(|record| matches!(record.event, GameEvent::Game(_)));
    let stands = final_moves(before);
    let published =
        PublishedGame { game: game.game, begun, moves: stands.moves().map(|(mv, _)| mv.clone()).collect() };
    let found: Vec<Update> = after.into_iter().map(update).collect();
    let mut updates = Vec::new();
    published.updates_to(now, &found, &mut updates);
    updates.into_iter().map(|Update { time, event, .. }| GameRecord { time, event, ..game.clone() }).collect()
}

/// The number of plies that remain of a game with these records.
pub fn plies(records: &[GameRecord]) -> u32 {
    let stands = final_moves(records.to_vec());
    stands.moves().filter_map(|(mv, _)| mv.ply).last().unwrap_or(0)
}

fn final_moves(records: Vec<GameRecord>) -> FinalMoves {
    let mut stands = FinalMoves::default();
    records.into_iter().for_each(|record| stands.add(update(record)));
    stands
}

fn update(record: GameRecord) -> Update {
    Update { game: record.game, time: record.time, event: record.event }
}

/// What was published of a game and remains.
pub struct PublishedGame {
    /// The number of the game.
    pub game: u32,
    /// Whether its beginning was published, and it was not void.
    pub begun: bool,
    /// Its remaining moves.
    pub moves: Vec<Move>,
}

impl PublishedGame {
    /// The updates that turn it into the game `found`.
    pub fn updates_to(&self, now: Option<Time>, found: &[Update], updates: &mut Vec<Update>) {
        let mut stands = FinalMoves::default();
        found.iter().filter(|update| update.game == self.game).for_each(|update| stands.add(update.clone()));
        let same =
            self.moves.iter().zip(stands.moves()).take_while(|(old, (new, _))| is_same(old, new)).count();
        let last = self.moves[..same].last().map_or(0, |mv| mv.ply.unwrap_or_default());
        let mut of_game = |event, time| updates.push(Update { game: self.game, time, event });
        let mut back = (same < self.moves.len())
            .then_some(GameEvent::Takeback(Takeback::to(last, TakebackReason::Ruled)));
        let mut moves = 0;
        for Update { time, event, .. } in stands.into_updates() {
            match &event {
                GameEvent::Game(_) if self.begun => continue,
                GameEvent::Move(mv) => {
                    moves += 1;
                    if moves <= same && self.moves[moves - 1] == **mv {
                        continue;
                    }
                }
                GameEvent::Anomaly(anomaly) if self.begun && anomaly.ply <= last => continue,
                _ => {}
            }
            let beyond = match event {
                GameEvent::Game(_) => false,
                GameEvent::Move(_) => moves > same,
                _ => moves >= same,
            };
            if beyond && let Some(back) = back.take() {
                of_game(back, now);
            }
            of_game(event, time);
        }
        if let Some(back) = back {
            of_game(back, now);
        }
    }
}

fn is_same(old: &Move, new: &Move) -> bool {
    (old.ply, &old.uci, &old.path, &old.fen) == (new.ply, &new.uci, &new.path, &new.fen)
}
