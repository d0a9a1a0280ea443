//! `boardbus dump`: the position and the clock of boards now.

use super::{arguments::Boards, discover::ranges, line::LineArgs, people};
use crate::{
    error::{Done, Result},
    record::BoardEvent,
    stop,
};

/// The position and the clock of boards now
///
/// Boards forget nothing by it. Without --board all boards are looked for first, which takes some seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus dump --port /dev/ttyUSB0 --board 1025
  boardbus dump --port /dev/ttyUSB0 --format json | jq -r .placement")]
pub struct Dump {
    #[command(flatten)]
    line: LineArgs,

    /// Only these boards: 1025-1060,2054
    #[arg(short, long, visible_alias = "boards", value_name = "LIST")]
    board: Option<Boards>,
}

impl Dump {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut line = self.line.open(self.board.as_ref())?;
        let mut missing = Vec::new();
        for board in line.boards.clone() {
            if stop::requested().is_some() {
                break;
            }
            let Some(position) = line.ask(|driver| driver.position(board))? else {
                missing.push(board);
                continue;
            };
            let clock = line.ask(|driver| driver.clock(board))?;
            match (&position, line.answers.is_text()) {
                (BoardEvent::Position(stands), true) => {
                    let clock = clock.as_ref().and_then(|clock| match clock {
                        BoardEvent::Clock(clock) => Some(clock),
                        _ => None,
                    });
                    line.answers.out.text(people::diagram(board, &stands.placement, clock))?;
                }
                _ => {
                    line.answers.write(board, position)?;
                    clock.into_iter().try_for_each(|clock| line.answers.write(board, clock))?;
                }
            }
        }
        if stop::requested().is_some() || missing.is_empty() {
            return Ok(if line.boards.is_empty() { Done::No } else { Done::Yes });
        }
        line.answers.say(format_args!("no answer from {}", ranges(&missing)));
        Ok(Done::No)
    }
}
