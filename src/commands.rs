//! A file for each command: its arguments, its help, its wiring; no domain logic.

use clap::{Parser, Subcommand};

use crate::{
    error::{Done, Result},
    progress,
};

mod arguments;
mod check;
mod decode;
mod discover;
mod draughts_files;
mod dump;
mod earlier;
mod evaluate;
mod from_bars;
mod from_pdn;
mod from_pgn;
mod from_start;
mod game_files;
mod incoming;
mod input;
mod letters;
mod line;
mod names;
mod numbered;
mod open_line;
mod outputs;
mod pairings;
mod people;
mod port_words;
mod publish;
mod ready;
mod reconstruct;
mod reopened;
mod rulings;
mod schema;
mod serve;
mod server;
mod settling;
mod show;
mod simulate;
mod sources;
mod start;
mod subscribe;
mod summary;
mod terminal;
mod to_bars;
mod to_html;
mod to_pdn;
mod to_pgn;
mod to_results;
mod watch;

/// Reads electronic chess and draughts boards and writes the games that were played
#[derive(Debug, Parser)]
#[command(name = "boardbus", version, arg_required_else_help = true, disable_help_subcommand = false)]
#[command(after_help = "\
Examples:
  boardbus watch --port /dev/ttyUSB0 --journal round3.jsonl | boardbus reconstruct | boardbus to-pgn --output games.pgn
  boardbus reconstruct round3.jsonl | boardbus to-pgn --output games.pgn")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    /// No progress on standard error
    #[arg(short, long, global = true)]
    quiet: bool,
}

/// Makes of one list what is asked for by each: the commands, their names, and which file runs them.
macro_rules! commands {
    ($($command:ident $name:literal in $file:ident;)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($command($file::$command),)*
        }

        impl Cli {
            /// The name of the command, as the user typed it.
            pub fn name(&self) -> &'static str {
                match self.command {
                    $(Command::$command(_) => $name,)*
                }
            }

            /// Runs the command.
            pub fn run(self) -> Result<Done> {
                if self.quiet {
                    progress::silence();
                }
                match self.command {
                    $(Command::$command(command) => command.run(),)*
                }
            }
        }
    };
}

commands! {
    Discover "discover" in discover;
    Dump "dump" in dump;
    Start "start" in start;
    Watch "watch" in watch;
    FromStart "from-start" in from_start;
    Decode "decode" in decode;
    Simulate "simulate" in simulate;
    Reconstruct "reconstruct" in reconstruct;
    Check "check" in check;
    Evaluate "evaluate" in evaluate;
    Publish "publish" in publish;
    Subscribe "subscribe" in subscribe;
    FromPgn "from-pgn" in from_pgn;
    FromBars "from-bars" in from_bars;
    FromPdn "from-pdn" in from_pdn;
    ToPgn "to-pgn" in to_pgn;
    ToBars "to-bars" in to_bars;
    ToPdn "to-pdn" in to_pdn;
    ToHtml "to-html" in to_html;
    ToResults "to-results" in to_results;
    Schema "schema" in schema;
    Show "show" in show;
    Serve "serve" in serve;
}
