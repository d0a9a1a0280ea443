//! The legal ways from one position to another, which limit the certainty of a bridge over unseen plies.

use std::collections::HashMap;

use boardbus::{
    record::Placement,
    sim::planned_game::{PlannedGame, chess::ChessPlanner},
};
use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position as _, fen::Fen, uci::UciMove};

/// Ways are counted up to this number; of more each has at most this share.
const MOST: usize = 1000;
/// Positions visited before counting is given up.
const PATIENCE: usize = 3_000_000;

/// The ways of the shortest possible length of the right parity.
#[derive(Debug, Clone)]
pub struct Ways {
    /// Their length in plies.
    pub plies: usize,
    /// How many there are; one more than the limit if there are more.
    pub count: usize,
    /// For each ply, how many ways have which move there.
    having: Vec<HashMap<String, usize>>,
}

impl Ways {
    /// The ways around `plies` plies of a game after ply `after`; none if counting takes too long.
    pub fn past(game: &PlannedGame, after: usize, plies: usize) -> Option<Ways> {
        let from = position(game, after)?;
        let to = position(game, after + plies)?.board().clone();
        let mut visited = 0;
        for length in (plies % 2..=plies).step_by(2) {
            let mut search = Search { to: &to, path: Vec::new(), ways: Vec::new(), visited };
            if !search.go(&from, length) {
                return None;
            }
            visited = search.visited;
            if !search.ways.is_empty() {
                let mut having = vec![HashMap::new(); length];
                for way in &search.ways {
                    for (names, mv) in having.iter_mut().zip(way) {
                        let name = UciMove::from_move(*mv, castling(game)).to_string();
                        *names.entry(name).or_insert(0) += 1;
                    }
                }
                return Some(Ways { plies: length, count: search.ways.len(), having });
            }
        }
        None
    }

    /// The share of the ways that have this move at this ply.
    pub fn share(&self, ply: usize, name: &str) -> f64 {
        if self.count > MOST {
            return 1.0 / MOST as f64;
        }
        let having = self.having.get(ply).and_then(|names| names.get(name)).copied().unwrap_or(0);
        having as f64 / self.count as f64
    }
}

/// The position after this many plies.
pub fn position(game: &PlannedGame, plies: usize) -> Option<Chess> {
    let fen = Fen::from_ascii(game.fen.as_bytes()).ok()?;
    let mut position: Chess = fen.into_position(castling(game)).ok()?;
    for ply in game.plies.get(..plies)? {
        let played = UciMove::from_ascii(ply.name.as_bytes()).ok()?.to_move(&position).ok()?;
        position.play_unchecked(played);
    }
    Some(position)
}

/// How a game castles: as in Chess960 unless it begins from the usual start.
pub fn castling(game: &PlannedGame) -> CastlingMode {
    match game.start.is_start_of_chess960() && game.start != Placement::start() {
        true => CastlingMode::Chess960,
        false => CastlingMode::Standard,
    }
}

/// Plans moves from the start of a game of chess.
pub fn planner(game: &PlannedGame) -> Option<ChessPlanner> {
    let planner = ChessPlanner::new(Some(&game.fen)).ok()?;
    Some(if castling(game) == CastlingMode::Chess960 { planner.chess960() } else { planner })
}

struct Search<'a> {
    to: &'a Board,
    path: Vec<Move>,
    ways: Vec<Vec<Move>>,
    visited: usize,
}

impl Search<'_> {
    /// Finds all ways of this many plies; false if that takes too long.
    fn go(&mut self, position: &Chess, plies: usize) -> bool {
        self.visited += 1;
        if plies == 0 {
            if position.board() == self.to {
                self.ways.push(self.path.clone());
            }
            return true;
        }
        if self.visited > PATIENCE {
            return false;
        }
        if !self.can_arrive(position, plies) {
            return true;
        }
        for mv in position.legal_moves() {
            if self.ways.len() > MOST {
                return true;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.path.push(mv);
            let in_time = self.go(&next, plies - 1);
            self.path.pop();
            if !in_time {
                return false;
            }
        }
        true
    }

    /// Whether each side has enough moves left to bring the missing pieces to their squares: one piece a move, two by castling.
    fn can_arrive(&self, position: &Chess, plies: usize) -> bool {
        let mut missing = [0; 2];
        for color in Color::ALL {
            for square in self.to.by_color(color) {
                if self.to.piece_at(square) != position.board().piece_at(square) {
                    missing[usize::from(color.is_black())] += 1;
                }
            }
        }
        let mine = plies.div_ceil(2);
        let has = if position.turn().is_white() { [mine, plies - mine] } else { [plies - mine, mine] };
        let castles = Color::ALL.map(|color| usize::from(position.castles().has_color(color)));
        (0..2).all(|n| missing[n] == 0 || has[n] > 0 && missing[n] <= has[n] + castles[n])
    }
}
