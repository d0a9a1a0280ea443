//! Single questions, for commands that ask and end. Each is asked a few times; none makes a board forget.

use super::{
    exchange::{Answer, Line},
    link::{Gone, Link},
    recovery::{Copies, whole},
};
use crate::{
    record::{BoardEvent, Mark, MarkKind},
    stop,
    wire::{clock::ClockMessage, command::BusCommand, records},
};

/// How often a short question is asked,
const TRIES: usize = 4;
/// and one with a long answer, which noise spoils more easily.
const LONG_TRIES: usize = 9;

/// The data of an answer; none when there was none whole.
pub(super) fn ask<L: Link>(
    line: &mut Line<L>,
    command: BusCommand,
    board: u16,
    tries: usize,
) -> Result<Option<Vec<u8>>, Gone> {
    for _ in 0..tries {
        if let Answer::Whole(data) = line.ask(command, board)? {
            return Ok(Some(data));
        }
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(None)
}

/// Whether a board answers.
pub fn answers<L: Link>(line: &mut Line<L>, board: u16) -> Result<bool, Gone> {
    Ok(ask(line, BusCommand::Ping, board, TRIES)?.is_some())
}

/// What stands on a board now; none without an answer, or from a board of 100 squares.
pub fn position<L: Link>(line: &mut Line<L>, board: u16) -> Result<Option<BoardEvent>, Gone> {
    let data = ask(line, BusCommand::SendBoard, board, TRIES)?;
    Ok(data.and_then(|data| <[u8; 64]>::try_from(data).ok()).map(|codes| records::position(&codes)))
}

/// What the clock of a board shows, up to a second ago.
pub fn clock<L: Link>(line: &mut Line<L>, board: u16) -> Result<Option<BoardEvent>, Gone> {
    let data = ask(line, BusCommand::SendClock, board, TRIES)?;
    let message =
        data.and_then(|data| <[u8; 7]>::try_from(data).ok()).map(|data| ClockMessage::decode(&data));
    Ok(message.and_then(|message| records::clock(message.ok()?)))
}

/// Writes the start mark into a board's log. The list of pieces behind it comes with its next changes, which
/// are left to whoever watches.
pub fn start<L: Link>(line: &mut Line<L>, board: u16) -> Result<Option<BoardEvent>, Gone> {
    let written = ask(line, BusCommand::SetStartGame, board, TRIES)?;
    Ok(written.map(|_| BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false })))
}

/// A board's log since its start mark: a `history` and what belongs to it; none when it did not arrive whole.
/// `progress` hears how many bytes of how many are there.
pub fn history<L: Link>(
    line: &mut Line<L>,
    board: u16,
    reason: &str,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<Vec<BoardEvent>>, Gone> {
    let mut copies = Copies::default();
    for _ in 0..LONG_TRIES {
        let log = match line.ask_telling(BusCommand::SendFromStart, board, progress)? {
            Answer::Whole(log) => Some(log),
            Answer::Garbled(bytes) => {
                copies.add(bytes);
                whole(&copies, board, BusCommand::SendFromStart)
            }
            Answer::Silence
                if copies.count() == 0 && ask(line, BusCommand::Ping, board, TRIES)?.is_none() =>
            {
                break;
            }
            Answer::Silence => None,
        };
        if let Some(log) = log {
            let mut events = Vec::new();
            records::history(&log, false, reason, |event| events.push(event));
            return Ok(Some(events));
        }
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::hall::{Action, Hall};
    use std::time::Duration;

    #[test]
    fn a_board_is_asked_without_forgetting_anything() {
        let mut hall = Hall::new([1025], 1);
        hall.boards[0].clock = [0x20, 0x05, 0x05, 0x20, 0x05, 0x04, 0x09];
        hall.spoil = vec![0, 2];
        let mut line = Line::new(hall);
        let text = |event: Option<BoardEvent>| serde_json::to_string(&event).unwrap();
        assert_eq!(
            text(position(&mut line, 1025).unwrap()),
            r#"{"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#
        );
        assert_eq!(
            text(clock(&mut line, 1025).unwrap()),
            concat!(
                r#"{"connected":true,"left":{"seconds":304,"flag":false},"right":{"seconds":305,"flag":false},"#,
                r#""running":true,"turn":"left","low_battery":false}"#
            )
        );
        assert!(start(&mut line, 1025).unwrap().is_some());
        assert_eq!(position(&mut line, 1026).unwrap(), None);
        assert_eq!(history(&mut line, 1026, "asked", &mut |_, _| ()).unwrap(), None);
        let board = &line.link.boards[0];
        assert!(!board.asked.contains(&0x83) && board.start.is_some());
    }

    #[test]
    fn a_long_log_arrives_whole_over_a_line_that_spoils_every_copy() {
        let mut hall = Hall::new([1025], 7);
        hall.noise = 0.001;
        let board = &mut hall.boards[0];
        let moves: Vec<u8> =
            (0..1000u16).flat_map(|n| [0x41, (n % 64) as u8, 0x40, (n % 63) as u8]).collect();
        board.log = [vec![0x7b], moves.clone()].concat();
        (board.start, board.pending) = (Some(0), board.log.len());
        board.script.push_back((Duration::ZERO, Action::Log(vec![0x40, 0x01])));
        let events = history(&mut Line::new(hall), 1025, "asked", &mut |_, _| ()).unwrap().unwrap();
        assert_eq!(events.len(), 1 + 1 + 2000);
        let head = serde_json::to_string(&events[0]).unwrap();
        assert_eq!(head, r#"{"reason":"asked","count":2001,"complete":true}"#);
    }
}
