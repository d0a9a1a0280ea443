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
mod pieces;
mod port_words;
mod publish;
mod ready;
mod reconstruct;
mod reopened;
mod reset;
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
#[command(help_template = help_template())]
#[command(after_help = "\
`boardbus COMMAND --help` has every option; `man boardbus-round` records and publishes a round.

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

/// Makes the enum of the commands, the groups of the help and the dispatch from one list.
macro_rules! commands {
    ($($group:literal: $($command:ident $name:literal in $file:ident;)*)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($($command($file::$command),)*)*
        }

        /// The groups of the help, each with the names of its commands.
        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$($name),*])),*];

        impl Cli {
            /// The name of the command, as the user typed it.
            pub fn name(&self) -> &'static str {
                match self.command {
                    $($(Command::$command(_) => $name,)*)*
                }
            }

            /// Runs the command.
            pub fn run(self) -> Result<Done> {
                if self.quiet {
                    progress::silence();
                }
                match self.command {
                    $($(Command::$command(command) => command.run(),)*)*
                }
            }
        }
    };
}

commands! {
    "Boards":
    Discover "discover" in discover;
    Dump "dump" in dump;
    Start "start" in start;
    Reset "reset" in reset;
    Watch "watch" in watch;
    FromStart "from-start" in from_start;

    "What was played":
    Reconstruct "reconstruct" in reconstruct;
    Evaluate "evaluate" in evaluate;

    "The hall while it plays":
    Show "show" in show;
    Check "check" in check;
    Serve "serve" in serve;

    "Files of games":
    FromPgn "from-pgn" in from_pgn;
    FromBars "from-bars" in from_bars;
    FromPdn "from-pdn" in from_pdn;
    ToPgn "to-pgn" in to_pgn;
    ToBars "to-bars" in to_bars;
    ToPdn "to-pdn" in to_pdn;
    ToHtml "to-html" in to_html;
    ToResults "to-results" in to_results;

    "Several halls":
    Publish "publish" in publish;
    Subscribe "subscribe" in subscribe;

    "Without boards":
    Simulate "simulate" in simulate;
    Decode "decode" in decode;
    Schema "schema" in schema;
}

/// The help of the program: clap groups options, but not commands.
fn help_template() -> String {
    let program = Command::augment_subcommands(clap::Command::new("boardbus"));
    let about = |name: &str| program.find_subcommand(name).and_then(clap::Command::get_about);
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or(0);
    let styles = clap::builder::Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut template = String::from("{about-with-newline}\n{usage-heading} {usage}\n\n");
    for (group, names) in GROUPS {
        template += &format!("{header}{group}:{header:#}\n");
        for name in *names {
            let about = about(name).map(ToString::to_string).unwrap_or_default();
            template += &format!("  {literal}{name:width$}{literal:#}  {about}\n");
        }
        template.push('\n');
    }
    template + &format!("{header}Options:{header:#}\n{{options}}{{after-help}}")
}
