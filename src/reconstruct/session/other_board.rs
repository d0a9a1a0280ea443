//! What another board asks of the game in play on this one, where a game goes on elsewhere: whether this stands as that does, and
//! that it goes on there.

use super::Session;
use crate::{
    reconstruct::{any_game::AnyGame, update::Update},
    record::{BoardEvent, Change, Placement, Time},
};

impl Session {
    /// How the board stands by what it says now, where that is the position of a game; and whether the game in play explains it.
    /// Beside a game in play changes are of that, until the board rests.
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

    /// Whether another board on which this stands may go on with the game in play, and if so whether it is turned to this one:
    /// it stands as this does, or as the game was told to stand, with a move of it begun. Where the start position stands, that
    /// is put aside.
    pub fn goes_on_from(&self, stands: &Placement) -> Option<bool> {
        let game = self.game.as_ref().filter(|game| game.plies() > 0)?;
        [(*stands, false), (stands.turned(), true)].into_iter().find_map(|(here, turned)| {
            let is_so = here == self.board && !here.is_start() || game.stands_as_told(&self.seen(&here));
            is_so.then_some(turned)
        })
    }

    /// The game in play goes on from what stands on another board.
    pub fn go_on(&mut self, stands: &Placement, time: Option<Time>, updates: &mut Vec<Update>) {
        self.listing = None;
        if *stands == self.board {
            return;
        }
        let seen = self.seen(stands);
        match &mut self.game {
            Some(game) if game.stands_as_told(&seen) => {
                self.board = *stands;
                game.go_on_as_told(&seen, time);
            }
            _ => self.position(stands, time, updates),
        }
    }
}
