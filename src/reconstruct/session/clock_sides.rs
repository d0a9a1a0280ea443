//! The player at each side of a clock, unless it stands the other way round: its sides are not turned with the board.

use crate::{
    record::{Clock, Side},
    rules::Colour,
};

/// The player at this side, beside a board that is turned by 180° or not.
pub fn player_at(side: Side, rotated: bool) -> Colour {
    if (side == Side::Left) != rotated { Colour::White } else { Colour::Black }
}

/// The seconds that the clock shows for each player.
pub fn seconds_shown(clock: &Clock, rotated: bool) -> [Option<f64>; 2] {
    let left = player_at(Side::Left, rotated);
    let mut shows = [None; 2];
    shows[left.index()] = clock.left.map(|left| left.seconds.0);
    shows[left.other().index()] = clock.right.map(|right| right.seconds.0);
    shows
}
