//! Spans of time on the command line: one syntax in every option of every command, said in its help.

use std::process::Command;

use boardbus::commands::Cli;
use clap::CommandFactory;

/// What takes a span, and what does otherwise: a pair of them.
const SPAN: &str = "TIME";
const PAIR: &str = "AT:FOR";

#[test]
fn spans_of_time_take_units_and_default_to_seconds() {
    let mut options = Vec::new();
    for command in Cli::command().get_subcommands() {
        for option in command.get_arguments() {
            let Some(long) = option.get_long() else { continue };
            let name = option.get_value_names().map_or("", |names| names[0].as_str());
            let help =
                option.get_long_help().or(option.get_help()).map(ToString::to_string).unwrap_or_default();
            let is_span = [SPAN, PAIR].contains(&name);
            let (of, says) = (command.get_name(), help.contains("a bare number is seconds"));
            assert_eq!(is_span, says, "{of} --{long}: {help}");
            if is_span {
                options.push((of.to_owned(), long.to_owned(), name == PAIR));
            }
        }
    }
    for wanted in ["watch --give-up", "reconstruct --settle", "to-pgn --delay", "dump --patience"] {
        let is_there = |(of, long, _): &(String, String, bool)| format!("{of} --{long}").starts_with(wanted);
        assert!(options.iter().any(is_there), "{wanted}");
    }
    for (of, long, pair) in &options {
        // Values are read before the help is given.
        let takes = |span: &str| {
            let value = if *pair { format!("{span}:{span}") } else { span.to_owned() };
            let out = Command::new(env!("CARGO_BIN_EXE_boardbus"))
                .args([of.as_str(), &format!("--{long}={value}"), "--help"])
                .output()
                .unwrap();
            (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
        };
        for span in ["500ms", "90s", "1.5m", "2h", "7", "0.5"] {
            assert_eq!(takes(span).0, Some(0), "{of} --{long} {span}");
        }
        for span in ["soon", "5d", "1 s", "-1", "", "1:30"] {
            let (code, said) = takes(span);
            assert_eq!(code, Some(2), "{of} --{long} {span}");
            assert!(said.contains("a bare number is seconds") || *pair, "{of} --{long} {span}: {said}");
        }
    }
}
