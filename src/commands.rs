//! A file for each command: its arguments, its help, its wiring; no domain logic.

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    error::{Done, Result},
    progress,
};

mod arguments;
mod decode;
mod discover;
mod draughts_files;
mod dump;
mod from_bars;
mod from_pdn;
mod from_pgn;
mod from_start;
mod generate;
mod input;
mod line;
mod open_line;
mod people;
mod reconstruct;
mod simulate;
mod start;
mod to_bars;
mod to_pdn;
mod to_pgn;
mod watch;

/// Reads electronic chess and draughts boards and writes the games that were played
#[derive(Debug, Parser)]
#[command(name = "boardbus", version, arg_required_else_help = true, disable_help_subcommand = false)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    /// No progress on standard error
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Discover(discover::Discover),
    Dump(dump::Dump),
    Start(start::Start),
    Watch(watch::Watch),
    FromStart(from_start::FromStart),
    Decode(decode::Decode),
    Simulate(simulate::Simulate),
    Reconstruct(reconstruct::Reconstruct),
    FromPgn(from_pgn::FromPgn),
    FromBars(from_bars::FromBars),
    FromPdn(from_pdn::FromPdn),
    ToPgn(to_pgn::ToPgn),
    ToBars(to_bars::ToBars),
    ToPdn(to_pdn::ToPdn),
    #[command(hide = true)]
    Generate(generate::Generate),
}

impl Cli {
    /// The name of the command, as the user typed it.
    pub fn name(&self) -> &'static str {
        match self.command {
            Command::Discover(_) => "discover",
            Command::Dump(_) => "dump",
            Command::Start(_) => "start",
            Command::Watch(_) => "watch",
            Command::FromStart(_) => "from-start",
            Command::Decode(_) => "decode",
            Command::Simulate(_) => "simulate",
            Command::Reconstruct(_) => "reconstruct",
            Command::FromPgn(_) => "from-pgn",
            Command::FromBars(_) => "from-bars",
            Command::FromPdn(_) => "from-pdn",
            Command::ToPgn(_) => "to-pgn",
            Command::ToBars(_) => "to-bars",
            Command::ToPdn(_) => "to-pdn",
            Command::Generate(_) => "generate",
        }
    }

    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        if self.quiet {
            progress::silence();
        }
        match self.command {
            Command::Discover(command) => command.run(),
            Command::Dump(command) => command.run(),
            Command::Start(command) => command.run(),
            Command::Watch(command) => command.run(),
            Command::FromStart(command) => command.run(),
            Command::Decode(command) => command.run(),
            Command::Simulate(command) => command.run(),
            Command::Reconstruct(command) => command.run(),
            Command::FromPgn(command) => command.run(),
            Command::FromBars(command) => command.run(),
            Command::FromPdn(command) => command.run(),
            Command::ToPgn(command) => command.run(),
            Command::ToBars(command) => command.run(),
            Command::ToPdn(command) => command.run(),
            Command::Generate(command) => command.run(&Cli::command()),
        }
    }
}
