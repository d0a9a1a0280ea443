//! `boardbus generate`: man pages and completions from the arguments' definitions.
//!
//! For those who work on boardbus or package it. The output is committed; `tests/cli/generate.rs` keeps it fresh.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use clap_complete::aot::{self, Shell};

use crate::error::{Done, Error, Result};

mod manual;

/// Write man pages and completions, from the definitions of the arguments
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cargo run -- generate all --dir .")]
pub struct Generate {
    /// What to write
    what: What,

    /// The folder in which `man/` and `completions/` are written
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// `man/boardbus.1` and a page for each command
    Man,
    /// `completions/` for bash, zsh and fish
    Completions,
    /// Both
    All,
}

impl Generate {
    /// Runs the command, for a program of this definition.
    pub fn run(self, program: &clap::Command) -> Result<Done> {
        let program = visible(program);
        if self.what != What::Completions {
            for (name, page) in manual::pages(&program) {
                write(&self.dir.join("man"), &name, page.as_bytes())?;
            }
        }
        if self.what != What::Man {
            for (shell, name) in
                [(Shell::Bash, "boardbus.bash"), (Shell::Zsh, "_boardbus"), (Shell::Fish, "boardbus.fish")]
            {
                let mut text = Vec::new();
                aot::generate(shell, &mut program.clone(), "boardbus", &mut text);
                if shell == Shell::Bash {
                    text = with_files(&text, &program).into_bytes();
                }
                write(&self.dir.join("completions"), name, &text)?;
            }
        }
        Ok(Done::Yes)
    }
}

/// The completions for bash, which offer nothing but options for the first word behind a command and for one that is empty:
/// where the command takes files, files; options begin with their dash.
fn with_files(text: &[u8], program: &clap::Command) -> String {
    let takes_files = |name: &str| {
        let command = program.find_subcommand(name.replace("__subcmd__", "-"));
        command.is_some_and(|command| command.get_positionals().next().is_some())
    };
    let mut here = false;
    let mut with_files = String::new();
    for line in String::from_utf8_lossy(text).lines() {
        if let Some(label) = line.trim().strip_suffix(')').filter(|label| label.starts_with("boardbus")) {
            here = label.strip_prefix("boardbus__subcmd__").is_some_and(takes_files);
        }
        let only_options = " || ${COMP_CWORD} -eq 2 ]]";
        // Behind the values of options; that of a word with its dash stands deeper.
        let for_any_word = "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )";
        with_files.push_str(&match line {
            // What the program does not offer the shell does: files.
            _ if here && line == for_any_word => "            COMPREPLY=()".to_owned(),
            _ if here => line.replace(only_options, " ]]"),
            _ => line.to_owned(),
        });
        with_files.push('\n');
    }
    with_files
}

/// The program without its hidden commands: clap_complete would offer them.
fn visible(program: &clap::Command) -> clap::Command {
    clap::Command::new("boardbus")
        .bin_name("boardbus")
        .version(env!("CARGO_PKG_VERSION"))
        .about(program.get_about().cloned().unwrap_or_default())
        .after_help(program.get_after_help().cloned().unwrap_or_default())
        .subcommand_required(true)
        .args(program.get_arguments())
        .subcommands(program.get_subcommands().filter(|command| !command.is_hide_set()))
}

fn write(dir: &Path, name: &str, text: &[u8]) -> Result<()> {
    let path = dir.join(name);
    fs::create_dir_all(dir)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| Error::io(path.display(), error))
}
