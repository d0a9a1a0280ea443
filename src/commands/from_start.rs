//! `boardbus from-start`: a board's own log since its start mark.

use super::{arguments::Boards, discover::ranges, line::LineArgs};
use crate::{
    error::{Done, Result},
    progress, stop,
};

/// A board's own log since its start mark
///
/// Boards forget nothing by it, and what is still pending for `watch` is not in it. A log grows by some 10 bytes a
/// ply; 4 kB take 4 s on the wire. Without --board all boards are looked for first. Of a board alone on its cable it
/// is the whole log, which takes 8 s.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus from-start --port /dev/ttyUSB0 --board 1025 | boardbus reconstruct | boardbus to-pgn")]
pub struct FromStart {
    #[command(flatten)]
    line: LineArgs,

    /// Only these boards: 1025-1060,2054
    #[arg(short, long, visible_alias = "boards", value_name = "LIST")]
    board: Option<Boards>,
}

impl FromStart {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let mut line = self.line.open(self.board.as_ref())?;
        let mut missing = Vec::new();
        for board in line.boards.clone() {
            if stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            let bar = progress::bytes(0, &format!("board {board}"));
            let mut show = |have, of| {
                bar.set_length(of as u64);
                bar.set_position(have as u64);
            };
            let history = line.ask(|driver| driver.history(board, "from-start", &mut show));
            bar.finish_and_clear();
            match history? {
                Some(events) => events.into_iter().try_for_each(|event| line.answers.write(board, event))?,
                None => missing.push(board),
            }
        }
        if stop::requested().is_some() || missing.is_empty() {
            return Ok(if line.boards.is_empty() { Done::No } else { Done::Yes });
        }
        line.answers.say(format_args!("no log from {}", ranges(&missing)));
        Ok(Done::No)
    }
}
