//! `boardbus from-start`: a board's own log since its start mark.

use super::{
    discover::ranges,
    line::{Boards, LineArgs},
};
use crate::{
    bus::once,
    error::{Done, Result},
    progress, stdio, stop,
};

/// A board's own log since its start mark
///
/// Boards forget nothing by it, and what is still pending for `watch` is not in it. A log grows by some 10 bytes a
/// ply; 4 kB take 4 s on the wire. Without --board all boards are looked for first.
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
        let boards = talk.boards(self.board.as_ref())?;
        let mut missing = Vec::new();
        for board in boards {
            if stop::requested().is_some() {
                return Ok(Done::Yes);
            }
            let bar = progress::bytes(0, &format!("board {board}"));
            let history = once::history(&mut talk.line, board, "from-start", &mut |have, of| {
                bar.set_length(of as u64);
                bar.set_position(have as u64);
            });
            bar.finish_and_clear();
            match history.map_err(|gone| talk.gone(gone))? {
                Some(events) => events.into_iter().try_for_each(|event| talk.tell(board, event))?,
                None => missing.push(board),
            }
        }
        if missing.is_empty() || stop::requested().is_some() {
            return Ok(Done::Yes);
        }
        stdio::say(format_args!("{}: no log from {}", talk.port(), ranges(&missing)));
        Ok(Done::No)
    }
}
