//! `boardbus dump`: the position and the clock of boards now.

use super::{line::BoardArgs, people};
use crate::{
    error::{Done, Result},
    record::BoardEvent,
};

/// The position and the clock of boards now
///
/// Boards forget nothing by it. Without --board all boards are looked for first, which takes some seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus dump --port /dev/ttyUSB0 --board 1025
  boardbus dump --port /dev/ttyUSB0 --format json | jq -r '.placement // empty'")]
pub struct Dump {
    #[command(flatten)]
    boards: BoardArgs,
}

impl Dump {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut line = self.boards.open()?;
        let missing = line.each(|line, board| {
            let Some(position) = line.ask(|driver| driver.position(board))? else { return Ok(false) };
            let clock = line.ask(|driver| driver.clock(board))?;
            if let (BoardEvent::Position(stands), true) = (&position, line.answers.text) {
                let clock = clock.as_ref().and_then(|clock| match clock {
                    BoardEvent::Clock(clock) => Some(clock),
                    _ => None,
                });
                line.answers.out.text(people::diagram(board, &stands.placement, clock))?;
            } else {
                line.answers.write(board, position)?;
                clock.into_iter().try_for_each(|clock| line.answers.write(board, clock))?;
            }
            Ok(true)
        })?;
        Ok(line.done("no answer from", &missing))
    }
}
