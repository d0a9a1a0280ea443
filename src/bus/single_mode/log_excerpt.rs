//! Finds the part of a board's whole log that belongs to the game in play.
//!
//! The ring holds several days. The part begins where the game began: at a start mark, or where the board itself marked a
//! start position. If there are several such marks, the published changes decide.

use crate::{
    record::{BoardEvent, Change, MarkKind, Piece, Placement, Square},
    wire::{eeprom::torn_entries, records},
};

/// A change, as published and as logged.
pub type SquareChange = (Square, Option<Piece>);

/// The part of a log that belongs to the game in play.
#[derive(Debug, PartialEq)]
pub struct LogExcerpt {
    /// Its records, in order.
    pub events: Vec<BoardEvent>,
    /// Whether it begins where the game began.
    pub complete: bool,
    /// The position at its end; none if no entry of the log determines a position.
    pub placement: Option<Placement>,
}

/// The part of a log that belongs to the game in play, whose changes published so far are `published`, in order.
pub fn read(log: &[u8], published: &[SquareChange]) -> LogExcerpt {
    let mut events: Vec<BoardEvent> = torn_entries(log).filter_map(records::entry).collect();
    let begins = events.iter().enumerate().filter(|(_, event)| begins(event)).map(|(at, _)| at);
    // The latest of those that agree best with the published changes.
    let best = begins.max_by_key(|&at| (agreement(&events[at..], published), at));
    if let Some(at) = best {
        events.drain(..at);
    }
    let placement = placement(&events);
    LogExcerpt { events, complete: best.is_some(), placement }
}

/// Whether a game may begin after this entry.
fn begins(event: &BoardEvent) -> bool {
    use MarkKind::{Begin, BeginRotated, Start};
    matches!(event, BoardEvent::Mark(mark) if matches!(mark.mark, Start | Begin | BeginRotated))
}

/// How many changes of the log in a row were published, in that order. A log has fewer changes than were published, since a
/// board overwrites the last entry of a field that changes rapidly.
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

/// The position after these entries, if they determine one.
fn placement(events: &[BoardEvent]) -> Option<Placement> {
    let mut placement = None;
    for event in events {
        match event {
            BoardEvent::Mark(mark) if mark.listing => placement = Some(Placement::EMPTY),
            BoardEvent::Mark(mark) => placement = mark.mark.stands().or(placement),
            BoardEvent::Change(change) => {
                if let Some(placement) = &mut placement {
                    placement.set(change.square, change.piece);
                }
            }
            _ => {}
        }
    }
    placement
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
    fn an_excerpt_begins_where_the_game_in_play_began() {
        let log = [&[0x30, 0x7f, 0x6f][..], &E4, &[0x6f], &E4, &E5].concat();
        let excerpt = read(&log, &[]);
        assert_eq!((excerpt.events.len(), excerpt.complete), (5, true));
        assert_eq!(excerpt.placement.unwrap().to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
    }

    #[test]
    fn the_excerpt_begins_at_the_game_that_was_published() {
        let log = [&[0x6f][..], &E4, &E5, &NF3, &[0x6f], &E4].concat();
        let published = [step("e2", ""), step("e4", "P"), step("e7", ""), step("e5", "p")];
        assert_eq!(read(&log, &published).events.len(), 1 + 6 + 1 + 2);
        assert_eq!(read(&log, &published[..2]).events.len(), 1 + 2);
    }

    #[test]
    fn overwritten_entries_do_not_hide_the_game() {
        // The knight was lifted and put back twice; the log has only the last of it.
        let log = [&[0x6f][..], &E4, &[0x40, 0x3e, 0x43, 0x3e], &E5, &[0x6f], &NF3].concat();
        let g1 = [step("g1", ""), step("g1", "N")];
        let published = [&[step("e2", ""), step("e4", "P")][..], &g1, &g1, &[step("e7", "")]].concat();
        assert_eq!(read(&log, &published).events.len(), 1 + 2 + 2 + 2 + 1 + 2);
    }

    #[test]
    fn the_list_after_a_start_mark_is_no_play() {
        let list = [0x45, 0x3c, 0x4b, 0x04];
        let log = [&[0x7b][..], &list, &[0x40, 0x3c, 0x45, 0x3b], &[0x7b], &list].concat();
        let published = [step("e1", ""), step("d1", "K")];
        let excerpt = read(&log, &published);
        assert_eq!(excerpt.events.len(), 1 + 2 + 2 + 1 + 2);
        assert_eq!(excerpt.placement.unwrap().to_string(), "4k3/8/8/8/8/8/8/4K3");
    }

    #[test]
    fn an_excerpt_without_a_start_is_not_complete() {
        let excerpt = read(&[0x30, 0x40, 0x34, 0x41, 0x24], &[]);
        // The first two bytes may be the end of a time.
        assert_eq!((excerpt.events.len(), excerpt.complete, excerpt.placement), (1, false, None));
    }
}
