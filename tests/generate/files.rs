//! The generated files, each with its text.

use std::collections::BTreeMap;

use boardbus::commands::Cli;
use clap::CommandFactory;

#[path = "completions.rs"]
mod completions;
#[path = "manual.rs"]
mod manual;

/// The program with its commands, as their arguments define it.
pub fn program() -> clap::Command {
    Cli::command()
}

/// The text of each generated file by its path below the root of the project, `man/boardbus.1`.
pub fn generated() -> BTreeMap<String, String> {
    let program = program();
    let pages = manual::pages(&program).into_iter().map(|(name, text)| (format!("man/{name}"), text));
    let completions = completions::all(&program);
    pages.chain(completions.into_iter().map(|(name, text)| (format!("completions/{name}"), text))).collect()
}
