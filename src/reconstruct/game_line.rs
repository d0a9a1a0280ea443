//! The line of a game: a hash after each ply, by which a game is recognised when a board's log contains it again.

use std::rc::Rc;

use super::{limits, tree::node::Node};
use crate::rules::Game;

/// See the module.
#[derive(Debug)]
pub struct GameLine(Vec<u64>);

impl GameLine {
    /// The line of the game that ends here.
    pub fn of<G: Game>(last: &Rc<Node<G>>) -> GameLine {
        let moves = last.walk_back().take_while(|node| node.ply > 0);
        let mut hashes: Vec<u64> = moves.map(|node| node.line_hash).collect();
        hashes.reverse();
        GameLine(hashes)
    }

    /// The number of its plies.
    pub fn plies(&self) -> u32 {
        self.0.len() as u32
    }

    /// The number of plies that it shares, from the start, with the game that leads to this position.
    pub fn common<G: Game>(&self, node: &Rc<Node<G>>) -> u32 {
        let is_here =
            |node: &&Rc<Node<G>>| node.ply == 0 || self.0.get(node.ply as usize - 1) == Some(&node.line_hash);
        node.walk_back().find(is_here).map_or(0, |node| node.ply)
    }

    /// Whether `logged` is this game as read from a log, which has no rests.
    pub fn is_logged_as(&self, logged: &GameLine) -> bool {
        let plies = self.0.len();
        let common = self.0.iter().zip(&logged.0).take_while(|(a, b)| a == b).count();
        let all = common > 0 && common == plies;
        (all || (common >= limits::SAME_GAME_PLIES && common + limits::SAME_GAME_MAX_MISSING >= plies))
            && logged.0.len() <= plies + limits::SAME_GAME_PLIES
    }
}
