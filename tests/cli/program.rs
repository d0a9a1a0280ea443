//! The program run as its users run it, and what it printed taken apart: for the tests of all commands.

use std::{fs, io::ErrorKind, process};

use assert_cmd::{Command, cargo::cargo_bin_cmd};
use serde_json::Value;

use super::schema;

/// A command, to be given its arguments and its input.
pub fn command(name: &str) -> Command {
    let mut command = cargo_bin_cmd!("boardbus");
    command.arg(name);
    command
}

/// Runs the program: standard output, standard error, exit code.
pub fn run(args: &[&str], input: impl Into<Vec<u8>>) -> (String, String, i32) {
    let output = cargo_bin_cmd!("boardbus").args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"{\"type\":\""));
    lines.for_each(|line| schema::holds(&serde_json::from_slice(line).unwrap()));
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// Standard output of a run that ends well and has nothing to say.
pub fn output_of(args: &[&str], input: impl Into<Vec<u8>>) -> String {
    let (output, said, code) = run(args, input);
    assert_eq!((&*said, code), ("", 0), "{args:?}");
    output
}

/// The records in some output, each held beside the schema.
pub fn records(output: impl AsRef<[u8]>) -> Vec<Value> {
    let lines = output.as_ref().split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let records: Vec<Value> = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
    records.iter().filter(|record| record.get("type").is_some()).for_each(schema::holds);
    records
}

/// The records of a type.
pub fn of<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == kind).collect()
}

/// Whether a command waits for something.
pub fn asleep(child: &process::Child) -> bool {
    is_asleep(child.id() as i32)
}

/// Whether the process of this number does.
pub fn is_asleep(process: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|stat| stat.starts_with('S'))
}

/// What stands between the tags and the end of the only game of a PGN or PDN file.
pub fn movetext(file: &str) -> &str {
    file.split_once("\n\n").unwrap().1.trim_end()
}

/// What a terminal shows of a command of the shell, with its exit code. Without the program that makes one there is nothing
/// to look at, and that is said.
pub fn on_a_terminal(command: &str, environment: &[(&str, &str)]) -> Option<(String, i32)> {
    let mut script = process::Command::new("script");
    script.args(["-qec", command, "/dev/null"]).env("TERM", "xterm").envs(environment.iter().copied());
    match script.output() {
        Ok(out) => Some((String::from_utf8_lossy(&out.stdout).into_owned(), out.status.code().unwrap())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("SKIPPED: script is not installed (on Debian: apt-get install bsdutils)");
            None
        }
        Err(error) => panic!("script: {error}"),
    }
}
