//! `boardbus dump`: the position and the clock of boards now.

use super::{arguments::Boards, discover::ranges, line::LineArgs, people};
use crate::{
    error::{Done, Result},
    record::BoardEvent,
    stdio, stop,
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
        let mut talk = self.line.talk()?;
        let boards = talk.boards(self.board.as_ref().map(|boards| &boards.0[..]))?;
        let (none, mut missing) = (boards.is_empty(), Vec::new());
        for board in boards {
            if stop::requested().is_some() {
                break;
            }
            let position = talk.position(board)?;
            let Some(position) = position else {
                missing.push(board);
                continue;
            };
            let clock = talk.clock(board)?;
            match (&position, talk.is_text()) {
                (BoardEvent::Position(stands), true) => {
                    let clock = clock.as_ref().and_then(|clock| match clock {
                        BoardEvent::Clock(clock) => Some(clock),
                        _ => None,
                    });
                    talk.out.text(people::diagram(board, &stands.placement, clock))?;
                }
                _ => {
                    talk.tell(board, position)?;
                    clock.into_iter().try_for_each(|clock| talk.tell(board, clock))?;
                }
            }
        }
        if stop::requested().is_some() || missing.is_empty() {
            return Ok(if none { Done::No } else { Done::Yes });
        }
        stdio::say(format_args!("{}: no answer from {}", talk.port(), ranges(&missing)));
        Ok(Done::No)
    }
}
