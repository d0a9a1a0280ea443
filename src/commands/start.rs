//! `boardbus start`: write the start mark into boards, read full clock times.

use super::{arguments::Boards, discover::ranges, line::LineArgs};
use crate::{
    bus::marks,
    error::{Done, Result},
    record::BoardEvent,
    stdio, stop,
};

/// Write the start mark into boards, and read the clocks' full times
///
/// The mark begins a board's log of the game anew, so give it when the pieces are set up. `watch` does the same by
/// itself. Without --board all boards are looked for first, which takes some seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus start --port /dev/ttyUSB0
  boardbus start --port /dev/ttyUSB0 --board 1025,1030-1032")]
pub struct Start {
    #[command(flatten)]
    line: LineArgs,

    /// Only these boards: 1025-1060,2054
    #[arg(short, long, visible_alias = "boards", value_name = "LIST")]
    board: Option<Boards>,
}

impl Start {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut talk = self.line.talk()?;
        let boards = talk.boards(self.board.as_ref().map(|boards| &boards.0[..]))?;
        let (mut started, mut missing) = (Vec::new(), Vec::new());
        for board in boards {
            if stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            let Some(mark) = talk.start(board)? else {
                missing.push(board);
                continue;
            };
            talk.tell(board, mark)?;
            started.push(board);
            let position = talk.position(board)?;
            if let Some(BoardEvent::Position(position)) = position {
                if !marks::is_start(&position.placement) {
                    stdio::say(format_args!(
                        "board {board} does not stand in a start position: {}",
                        position.placement
                    ));
                }
                talk.tell(board, BoardEvent::Position(position))?;
            }
        }
        let none = started.is_empty();
        for board in started {
            if stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            let clock = talk.clock(board)?;
            clock.into_iter().try_for_each(|clock| talk.tell(board, clock))?;
        }
        if missing.is_empty() {
            return Ok(if none { Done::No } else { Done::Yes });
        }
        let why =
            if talk.is_single() { "no start mark from a board that knows no bus" } else { "no answer from" };
        stdio::say(format_args!("{}: {why} {}", talk.port(), ranges(&missing)));
        Ok(Done::No)
    }
}
