//! `boardbus discover`: find the boards on a line.

use super::{arguments::Named, line::LineArgs, people};
use crate::{
    error::{Done, Result},
    format::ranges,
    stop,
};

/// Find the boards on a line
///
/// Pings collide when many boards answer at the same time, so the boards found are silenced and the rest pinged
/// again, until two rounds in a row find no new board: 3 s for a few boards, 15 to 20 s for a hundred. Each board is
/// reported when it has answered a ping of its own. An address that two boards have is reported (exit code 1). The
/// search deletes nothing in a board.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus discover --port /dev/ttyUSB0
  boardbus discover --port /dev/ttyUSB0 --expect 1025-1060,2054 || echo 'a board is missing'")]
pub struct Discover {
    #[command(flatten)]
    line: LineArgs,

    /// Boards that must be there, asked first: 1025-1060,2054, or serial numbers above 16383; those missing are named, exit
    /// code 1
    #[arg(long, value_name = "LIST")]
    expect: Option<Named>,
}

impl Discover {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let (port, mut answers, make) = self.line.begin()?;
        let expected = self.expect.unwrap_or_default();
        if answers.text {
            answers.out.text(format!("{}\n{}", answers.port, people::HEAD))?;
        }
        let (mut driver, found) = answers.discover(port, make, &expected.boards, true)?;
        if stop::requested().is_some() {
            return Ok(Done::Yes);
        }
        if answers.text {
            let plural = if found.len() == 1 { "" } else { "s" };
            let list = ranges(&found).replace(", ", ",");
            let list = if found.is_empty() { String::new() } else { format!(": {list}") };
            answers.out.text(format!("{} board{plural}{list}\n", found.len()))?;
        }
        let mut missing = Vec::new();
        for &board in &expected.boards {
            let meant = match found.is_empty() {
                true => None,
                false => answers.asked(driver.meant(board, expected.serial(board)))?,
            };
            if meant.is_none_or(|meant| !found.contains(&meant)) {
                missing.push(board);
            }
        }
        if missing.is_empty() {
            return Ok(if found.is_empty() || !answers.twice.is_empty() { Done::No } else { Done::Yes });
        }
        answers.report(format_args!("no answer from {}", expected.list(&missing)));
        Ok(Done::No)
    }
}
