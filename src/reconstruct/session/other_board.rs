//! Handover between boards: whether another board shows the position of the game in play on this one, and its
//! continuation there.

use super::Session;
use crate::{
    reconstruct::{any_game::AnyGame, update::Update},
    record::{BoardEvent, Change, Placement, Time},
};

impl Session {
    /// The position of the board after this record, where that may be the position of a game; and whether the game in
    /// play explains it. During a game changes belong to that game until the board rests.
    pub fn settles(&self, event: &BoardEvent) -> Option<(Placement, bool)> {
        let listed = self.listing.filter(|_| !self.continues_listing(event)).map(|listing| listing.pieces);
        let game = self.game.as_ref().filter(|_| !self.is_joining());
        let stands = match event {
            BoardEvent::Position(position) => position.placement,
            BoardEvent::Change(_) if game.is_some() || self.listing.is_some() && listed.is_none() => {
                return None;
            }
            BoardEvent::Change(Change { square, piece, .. }) => {
                let mut stands = listed.unwrap_or(self.board);
                stands.set(*square, *piece);
                stands
            }
            BoardEvent::Quiet {} => listed.unwrap_or(self.board),
            _ => listed?,
        };
        let explained = stands == self.board && game.is_some_and(AnyGame::explains_position);
        Some((stands, explained))
    }

    /// Whether the game in play may continue on another board with this position, and whether that board is turned
    /// relative to this one. Its position must be this board's, which must be no start, or the published one, perhaps
    /// with a move begun.
    pub fn continues_from(&self, stands: &Placement) -> Option<bool> {
        let game = self.game.as_ref().filter(|game| game.plies() > 0)?;
        [(*stands, false), (stands.turned(), true)].into_iter().find_map(|(here, turned)| {
            let is_so = here == self.board && !here.is_start() || game.stands_as_published(&self.seen(&here));
            is_so.then_some(turned)
        })
    }

    /// The game in play continues from this position of another board.
    pub fn continue_at(&mut self, stands: &Placement, time: Option<Time>, updates: &mut Vec<Update>) {
        self.listing = None;
        if *stands == self.board {
            return;
        }
        let seen = self.seen(stands);
        match &mut self.game {
            Some(game) if game.stands_as_published(&seen) => {
                self.board = *stands;
                game.continue_as_published(&seen, time);
            }
            _ => self.position(stands, time, updates),
        }
    }
}
