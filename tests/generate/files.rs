//! The generated files, each with its text.

use std::collections::BTreeMap;

use boardbus::commands::Cli;
use clap::CommandFactory;

#[path = "completions.rs"]
mod completions;
#[path = "manual.rs"]
mod manual;

/// The text of each generated file by its path below the root of the project, `man/boardbus.1`.
pub fn generated() -> BTreeMap<String, String> {
    let program = Cli::command();
    let pages = manual::pages(&program).into_iter().map(|(name, text)| (format!("man/{name}"), text));
    let completions = completions::all(&program);
    pages.chain(completions.into_iter().map(|(name, text)| (format!("completions/{name}"), text))).collect()
}
