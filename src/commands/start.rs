//! `boardbus start`: write the start mark into boards, read full clock times.

use super::line::BoardArgs;
use crate::{
    error::{Done, Result},
    record::BoardEvent,
    stdio, stop,
};

/// Write the start mark into boards, and read the clocks' full times
///
/// The mark begins a new log of the game in the board, so write it when the pieces are set up. `watch` does the same by
/// itself. Without --board all boards are looked for first, which takes some seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus start --port /dev/ttyUSB0
  boardbus start --port /dev/ttyUSB0 --board 1025,1030-1032")]
pub struct Start {
    #[command(flatten)]
    boards: BoardArgs,
}

impl Start {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut line = self.boards.open()?;
        let mut started = Vec::new();
        let missing = line.each(|line, board| {
            let Some(mark) = line.ask(|driver| driver.start(board))? else { return Ok(false) };
            line.answers.write(board, mark)?;
            started.push(board);
            let position = line.ask(|driver| driver.position(board))?;
            if let Some(BoardEvent::Position(position)) = position {
                if !position.placement.is_start() {
                    stdio::say(format_args!(
                        "board {board} does not stand in a start position: {}",
                        position.placement
                    ));
                }
                line.answers.write(board, BoardEvent::Position(position))?;
            }
            Ok(true)
        })?;
        for board in started {
            if stop::requested().is_some() {
                break;
            }
            let clock = line.ask(|driver| driver.clock(board))?;
            clock.into_iter().try_for_each(|clock| line.answers.write(board, clock))?;
        }
        Ok(line.done(line.driver.no_start_message(), &missing))
    }
}
