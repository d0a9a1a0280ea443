//! The line of a game as hashes, one after each ply: how a game is known again when a board's log tells it once more.

use std::rc::Rc;

use super::{limits, tree::node::Node};
use crate::rules::Game;

/// See the module.
#[derive(Debug)]
pub struct GameLine(Vec<u64>);

impl GameLine {
    /// The game that ends here.
    pub fn of<G: Game>(last: &Rc<Node<G>>) -> GameLine {
        let moves = last.walk_back().take_while(|node| node.ply > 0);
        let mut hashes: Vec<u64> = moves.map(|node| node.line_hash).collect();
        hashes.reverse();
        GameLine(hashes)
    }

    /// How many plies it has.
    pub fn plies(&self) -> u32 {
        self.0.len() as u32
    }

    /// How many plies from the start it has in common with the game that comes to that position.
    pub fn common<G: Game>(&self, node: &Rc<Node<G>>) -> u32 {
        let is_here =
            |node: &&Rc<Node<G>>| node.ply == 0 || self.0.get(node.ply as usize - 1) == Some(&node.line_hash);
        node.walk_back().find(is_here).map_or(0, |node| node.ply)
    }

    /// Whether a log, which knows of no rests, has this game as `logged`.
    pub fn is_logged_as(&self, logged: &GameLine) -> bool {
        let plies = self.0.len();
        let common = self.0.iter().zip(&logged.0).take_while(|(a, b)| a == b).count();
        let all = common > 0 && common == plies;
        (all || (common >= limits::SAME_GAME_LONG && common + limits::SAME_GAME_MISSING >= plies))
            && logged.0.len() <= plies + limits::SAME_GAME_FURTHER
    }
}
