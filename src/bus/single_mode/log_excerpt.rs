//! What the whole log of a board says of the game in play.
//!
//! The ring holds days. What counts begins where the present game began: at a start mark, or where the board noted
//! that the start position stands. Which of several that was follows from what was published since.

use crate::{
    record::{BoardEvent, Change, MarkKind, Piece, Placement, Square},
    wire::{eeprom::torn_entries, records},
};

/// A change, as published and as logged.
pub type SquareChange = (Square, Option<Piece>);

/// The part of a log that belongs to the game in play.
#[derive(Debug, PartialEq)]
pub struct LogExcerpt {
    /// What it says, in order.
    pub events: Vec<BoardEvent>,
    /// It begins where the game began.
    pub complete: bool,
    /// What stands at its end; none where the log does not say how the board stood at any time.
    pub placement: Option<Placement>,
}

/// The part of a log that belongs to the game of which `published` are the changes published so far, in order.
pub fn read(log: &[u8], published: &[SquareChange]) -> LogExcerpt {
    let mut events: Vec<BoardEvent> = torn_entries(log).filter_map(records::entry).collect();
    let begins = events.iter().enumerate().filter(|(_, event)| begins(event)).map(|(at, _)| at);
    // The latest of those that agree best with what was published.
    let best = begins.max_by_key(|&at| (agreement(&events[at..], published), at));
    if let Some(at) = best {
        events.drain(..at);
    }
    let placement = stands(&events);
    LogExcerpt { events, complete: best.is_some(), placement }
}

/// Whether a game may begin behind this entry.
fn begins(event: &BoardEvent) -> bool {
    use MarkKind::{Begin, BeginRotated, Start};
    matches!(event, BoardEvent::Mark(mark) if matches!(mark.mark, Start | Begin | BeginRotated))
}

/// How many changes of the log in a row were published, in that order. A log has fewer than were published: a board writes over
/// the last entry of a field that flickers.
fn agreement(log: &[BoardEvent], published: &[SquareChange]) -> usize {
    let mut published = published.iter();
    moves(log).take_while(|change| published.any(|published| published == change)).count()
}

/// The changes of a log without its lists of pieces.
fn moves(log: &[BoardEvent]) -> impl Iterator<Item = SquareChange> + '_ {
    let mut listed = None;
    log.iter().filter_map(move |event| match event {
        BoardEvent::Mark(mark) if mark.listing => {
            listed = Some(Placement::EMPTY);
            None
        }
        BoardEvent::Change(Change { square, piece, .. }) => {
            if let Some(list) = &mut listed
                && piece.is_some()
                && list.get(*square).is_none()
            {
                list.set(*square, *piece);
                return None;
            }
            listed = None;
            Some((*square, *piece))
        }
        _ => None,
    })
}

/// What stands after these entries, as far as they say.
fn stands(events: &[BoardEvent]) -> Option<Placement> {
    let mut stands = None;
    for event in events {
        match event {
            BoardEvent::Mark(mark) if mark.listing => stands = Some(Placement::EMPTY),
            BoardEvent::Mark(mark) => stands = mark.mark.stands().or(stands),
            BoardEvent::Change(change) => {
                if let Some(placement) = &mut stands {
                    placement.set(change.square, change.piece);
                }
            }
            _ => {}
        }
    }
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    /// e2e4, e7e5, g1f3 as entries of a log.
    const E4: [u8; 4] = [0x40, 0x34, 0x41, 0x24];
    const E5: [u8; 4] = [0x40, 0x0c, 0x47, 0x1c];
    const NF3: [u8; 4] = [0x40, 0x3e, 0x43, 0x2d];

    fn step(square: &str, piece: &str) -> SquareChange {
        (square.parse().unwrap(), (!piece.is_empty()).then(|| piece.parse().unwrap()))
    }

    #[test]
    fn an_excerpt_begins_where_the_present_game_began() {
        let log = [&[0x30, 0x7f, 0x6f][..], &E4, &[0x6f], &E4, &E5].concat();
        let excerpt = read(&log, &[]);
        assert_eq!((excerpt.events.len(), excerpt.complete), (5, true));
        assert_eq!(excerpt.placement.unwrap().to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
    }

    #[test]
    fn published_games_are_preferred_with_their_later_moves() {
        let log = [&[0x6f][..], &E4, &E5, &NF3, &[0x6f], &E4].concat();
        let told = [step("e2", ""), step("e4", "P"), step("e7", ""), step("e5", "p")];
        assert_eq!(read(&log, &told).events.len(), 1 + 6 + 1 + 2);
        assert_eq!(read(&log, &told[..2]).events.len(), 1 + 2);
    }

    #[test]
    fn overwritten_entries_do_not_hide_the_game() {
        // The knight was lifted and put back twice; the log has only the last of it.
        let log = [&[0x6f][..], &E4, &[0x40, 0x3e, 0x43, 0x3e], &E5, &[0x6f], &NF3].concat();
        let g1 = [step("g1", ""), step("g1", "N")];
        let told = [&[step("e2", ""), step("e4", "P")][..], &g1, &g1, &[step("e7", "")]].concat();
        assert_eq!(read(&log, &told).events.len(), 1 + 2 + 2 + 2 + 1 + 2);
    }

    #[test]
    fn lists_after_start_marks_are_no_play() {
        let list = [0x45, 0x3c, 0x4b, 0x04];
        let log = [&[0x7b][..], &list, &[0x40, 0x3c, 0x45, 0x3b], &[0x7b], &list].concat();
        let told = [step("e1", ""), step("d1", "K")];
        let excerpt = read(&log, &told);
        assert_eq!(excerpt.events.len(), 1 + 2 + 2 + 1 + 2);
        assert_eq!(excerpt.placement.unwrap().to_string(), "4k3/8/8/8/8/8/8/4K3");
    }

    #[test]
    fn logs_without_a_beginning_are_not_complete() {
        let excerpt = read(&[0x30, 0x40, 0x34, 0x41, 0x24], &[]);
        // The first two bytes may be the end of a time.
        assert_eq!((excerpt.events.len(), excerpt.complete, excerpt.placement), (1, false, None));
    }
}
