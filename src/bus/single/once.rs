//! Single questions to a board alone on its cable. Each is asked a few times.

use super::cable::Cable;
use crate::{
    bus::{
        discovery::Found,
        link::{Gone, Link},
    },
    record::{BoardEvent, Mark, MarkKind, Mode},
    stop,
    wire::{
        clock::ClockMessage,
        command::{BusCommand, SingleCommand},
        frame::join14,
        records,
    },
};

/// How often a question is asked.
const TRIES: usize = 3;

/// Who is there; none when no board answers in single-board mode. Ends whatever mode the board was in.
pub fn greet<L: Link>(cable: &mut Cable<L>) -> Result<Option<Found>, Gone> {
    // A board in the middle of a message, its whole log perhaps, is let finish.
    cable.tell(SingleCommand::Reset)?;
    cable.forget()?;
    let Some(address) = ask(cable, SingleCommand::SendAddress)? else { return Ok(None) };
    let [high, low] = address[..] else { return Ok(None) };
    let version = ask(cable, SingleCommand::SendVersion)?;
    let version = version.and_then(|data| match data[..] {
        [main, sub] => Some(format!("{main}.{sub}")),
        _ => None,
    });
    Ok(Some(Found { board: join14(high, low), version, mode: Mode::Single }))
}

/// What stands on the board now; none without an answer, or from a board of 100 squares.
pub fn position<L: Link>(cable: &mut Cable<L>) -> Result<Option<BoardEvent>, Gone> {
    let data = ask(cable, SingleCommand::SendBoard)?;
    Ok(data.and_then(|data| <[u8; 64]>::try_from(data).ok()).map(|codes| records::position(&codes)))
}

/// What the clock shows, up to a second ago.
pub fn clock<L: Link>(cable: &mut Cable<L>) -> Result<Option<BoardEvent>, Gone> {
    let data = ask(cable, SingleCommand::SendClock)?;
    let message =
        data.and_then(|data| <[u8; 7]>::try_from(data).ok()).map(|data| ClockMessage::decode(&data));
    Ok(message.and_then(|message| records::clock(message.ok()?)))
}

/// Writes the start mark into the board's log, for which it has to know the bus; none if it does not.
pub fn start<L: Link>(cable: &mut Cable<L>) -> Result<Option<BoardEvent>, Gone> {
    let written = cable.on_the_bus(BusCommand::SetStartGame)?;
    Ok(written.map(|_| BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false })))
}

/// The board's whole log: a `history` and what belongs to it; none when it did not arrive whole. `progress` hears
/// how many bytes of how many are there.
pub fn history<L: Link>(
    cable: &mut Cable<L>,
    reason: &str,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<Vec<BoardEvent>>, Gone> {
    for _ in 0..TRIES {
        if let Some(log) = cable.ask_telling(SingleCommand::SendLog, progress)?.answer {
            let mut events = Vec::new();
            records::history(&log, true, reason, |event| events.push(event));
            return Ok(Some(events));
        }
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(None)
}

fn ask<L: Link>(cable: &mut Cable<L>, command: SingleCommand) -> Result<Option<Vec<u8>>, Gone> {
    for _ in 0..TRIES {
        if let Some(data) = cable.ask(command)?.answer {
            return Ok(Some(data));
        }
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(None)
}
