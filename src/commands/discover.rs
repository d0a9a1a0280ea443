//! `boardbus discover`: find the boards on a line.

use super::{arguments::Boards, line::LineArgs, people};
use crate::{
    error::{Done, Result},
    format::ranges,
    stop,
};

/// Find the boards on a line
///
/// Pings collide when many boards answer at once, so those found are silenced and the rest pinged again, until two
/// rounds in a row bring nothing new: 3 s for a few boards, 15 to 20 s for a hundred. Each board is reported when it
/// has answered a ping of its own. An address that two boards have is named, exit code 1. Boards lose no data by it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus discover --port /dev/ttyUSB0
  boardbus discover --port /dev/ttyUSB0 --expect 1025-1060,2054 || echo 'a board is missing'")]
pub struct Discover {
    #[command(flatten)]
    line: LineArgs,

    /// Boards that must be there, asked first: 1025-1060,2054; those missing are named, exit code 1
    #[arg(long, value_name = "LIST")]
    expect: Option<Boards>,
}

impl Discover {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let (port, mut answers, make) = self.line.begin()?;
        let Boards(expected) = self.expect.unwrap_or_default();
        if answers.text {
            answers.out.text(format!("{}\n{}", answers.port, people::HEAD))?;
        }
        let (_, found) = answers.discover(port, make, &expected, true)?;
        if stop::requested().is_some() {
            return Ok(Done::Yes);
        }
        if answers.text {
            let plural = if found.len() == 1 { "" } else { "s" };
            let list = ranges(&found).replace(", ", ",");
            let list = if found.is_empty() { String::new() } else { format!(": {list}") };
            answers.out.text(format!("{} board{plural}{list}\n", found.len()))?;
        }
        let missing: Vec<u16> = expected.into_iter().filter(|board| !found.contains(board)).collect();
        if missing.is_empty() {
            return Ok(if found.is_empty() || !answers.twice.is_empty() { Done::No } else { Done::Yes });
        }
        answers.say(format_args!("no answer from {}", ranges(&missing)));
        Ok(Done::No)
    }
}
