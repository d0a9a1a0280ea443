//! `boardbus from-start`: a board's own log since its start mark.

use super::line::BoardArgs;
use crate::{
    error::{Done, Result},
    progress,
    record::BoardEvent,
};

/// A board's own log since its start mark
///
/// Reading deletes nothing in a board. Changes that `watch` has not fetched yet are not in the log. A log grows by
/// some 10 bytes a ply; 4 kB take 4 s on the wire. Without --board all boards are looked for first. For a board alone
/// on its cable this is the whole log, which takes 8 s.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus from-start --port /dev/ttyUSB0 --board 1025 | boardbus reconstruct | boardbus to-pgn")]
pub struct FromStart {
    #[command(flatten)]
    boards: BoardArgs,
}

impl FromStart {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut line = self.boards.open()?;
        let missing = line.each(|line, board| {
            let bar = progress::bytes(0, &format!("board {board}"));
            let mut show = |have, of| {
                bar.set_length(of as u64);
                bar.set_position(have as u64);
            };
            let history = line.ask(|driver| driver.history(board, "from-start", &mut show));
            bar.finish_and_clear();
            let Some(events) = history? else { return Ok(false) };
            if !events.iter().any(|event| matches!(event, BoardEvent::Change(_) | BoardEvent::Press(_))) {
                line.answers
                    .report(format_args!(
                    "the log of board {board} is empty: no start mark was written, or nothing has stood on it since"
                ));
            }
            events.into_iter().try_for_each(|event| line.answers.write(board, event))?;
            Ok(true)
        })?;
        Ok(line.done("no log from", &missing))
    }
}
