//! `boardbus from-start`: a board's own log since its start mark.

use super::{arguments::Boards, discover::ranges, line::LineArgs};
use crate::{
    error::{Done, Result},
    progress, stdio, stop,
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
        let mut talk = self.line.talk()?;
        let boards = talk.boards(self.board.as_ref().map(|boards| &boards.0[..]))?;
        let (none, mut missing) = (boards.is_empty(), Vec::new());
        for board in boards {
            if stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            let bar = progress::bytes(0, &format!("board {board}"));
            let history = talk.history(board, "from-start", &mut |have, of| {
                bar.set_length(of as u64);
                bar.set_position(have as u64);
            });
            bar.finish_and_clear();
            match history? {
                Some(events) => events.into_iter().try_for_each(|event| talk.tell(board, event))?,
                None => missing.push(board),
            }
        }
        if stop::requested().is_some() || missing.is_empty() {
            return Ok(if none { Done::No } else { Done::Yes });
        }
        stdio::say(format_args!("{}: no log from {}", talk.port(), ranges(&missing)));
        Ok(Done::No)
    }
}
