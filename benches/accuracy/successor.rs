//! The yardstick: the legal-successor method of the open-source boards.

use std::collections::HashMap;

use boardbus::{
    record::{BoardEvent, GameEvent, GameRecord, Move, Placement, Takeback},
    rules::{
        self, Candidate,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
    },
    sim::planned_game::PlannedGame,
};

use super::driver::{PlayedHall, Published};

/// What the yardstick publishes of a hall of chess.
pub fn chess(hall: &PlayedHall, published: &mut Published) {
    let boards = hall.boards.iter().filter_map(|board| {
        let start = ChessGame::from_placement(&board.game.start)?;
        Some((board.address, Successor::new(start, &board.game, None)))
    });
    publish(boards.collect(), hall, published);
}

/// What the yardstick publishes of a hall of draughts.
pub fn draughts(hall: &PlayedHall, published: &mut Published) {
    let boards = hall.boards.iter().map(|board| {
        let set = Set::of_start(&board.game.start);
        (board.address, Successor::new(RussianGame::start(), &board.game, set))
    });
    publish(boards.collect(), hall, published);
}

fn publish<G: rules::Game>(
    mut boards: HashMap<u16, Successor<G>>,
    hall: &PlayedHall,
    published: &mut Published,
) {
    for record in &hall.records {
        if let (Some(board), Some(now)) = (record.board, record.time)
            && let Some(method) = boards.get_mut(&board)
        {
            method.see(&record.event, |event| {
                let record = GameRecord { board: Some(board), ..GameRecord::read_from_file(1, event) };
                published.push((now, record));
            });
        }
    }
}

/// Publishes a move as soon as the board matches a legal successor of the position, of the one before it (the piece slides on)
/// or of an older one (a takeback).
struct Successor<G: rules::Game> {
    board: Placement,
    /// The set of pieces that represents the men of draughts.
    set: Option<Set>,
    /// The positions of the game, the last one on top, each with the placements after its legal moves.
    positions: Vec<(G, Vec<Next<G>>)>,
}

/// A legal move and the placement after it.
type Next<G> = (Placement, Candidate<<G as rules::Game>::Move>);

impl<G: rules::Game> Successor<G> {
    fn new(start: G, played: &PlannedGame, set: Option<Set>) -> Successor<G> {
        let mut method = Successor { board: played.start, set, positions: Vec::new() };
        method.push(start);
        method
    }

    fn push(&mut self, game: G) {
        let next = game.moves().into_iter().map(|mv| (*game.after(&mv).placement(), mv)).collect();
        self.positions.push((game, next));
    }

    fn see(&mut self, event: &BoardEvent, mut publish: impl FnMut(GameEvent)) {
        match event {
            BoardEvent::Change(change) => self.board.set(change.square, change.piece),
            BoardEvent::Position(position) => self.board = position.placement,
            _ => return,
        }
        let board = self.set.map_or(self.board, |set| set.read_all(&self.board));
        if self.positions.last().is_some_and(|(game, _)| *game.placement() == board) {
            return;
        }
        let found = self.positions.iter().enumerate().rev().find_map(|(ply, (game, next))| {
            let (_, mv) = next.iter().find(|(placement, _)| *placement == board)?;
            Some((ply, game.after(mv), game.describe(&mv.mv)))
        });
        if let Some((ply, after, described)) = found {
            if ply + 1 < self.positions.len() {
                self.positions.truncate(ply + 1);
                publish(GameEvent::Takeback(Takeback { ply: ply as u32, reason: None }));
            }
            self.push(after);
            publish(GameEvent::Move(Box::new(Move { ply: Some(ply as u32 + 1), ..described })));
        } else if *self.positions[0].0.placement() == board {
            self.positions.truncate(1);
            publish(GameEvent::Takeback(Takeback { ply: 0, reason: None }));
        }
    }
}
