//! Parse, run, map the outcome to an exit code; nothing else.

use std::process::ExitCode;

use boardbus::{commands::Cli, stdio, stop};
use clap::Parser;

fn main() -> ExitCode {
    let cli = Cli::parse();
    stdio::name_command(cli.name());
    if let Err(e) = stop::install() {
        stdio::say(format_args!("cannot handle signals: {e}"));
        return ExitCode::from(5);
    }
    let code = match cli.run() {
        Ok(done) => done.exit_code().max(stdio::failed()),
        Err(error) => {
            if error.exit_code() != 0 {
                stdio::say(&error);
            }
            error.exit_code()
        }
    };
    match stop::requested() {
        Some(signal) => stop::end_by(signal),
        None => ExitCode::from(code),
    }
}
