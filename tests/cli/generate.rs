//! The generated files: what is committed is fresh, the pages are clean roff, the completions complete.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use assert_cmd::cargo::cargo_bin_cmd;
use boardbus::record::{Record, parse};

#[path = "../generate/files.rs"]
pub(super) mod generated;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Files of a folder by name, without sub-folders.
fn files(dir: &Path) -> BTreeMap<String, String> {
    fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn committed_pages() -> BTreeMap<String, String> {
    let mut pages = files(&Path::new(ROOT).join("man"));
    pages.retain(|name, _| name.ends_with(".1"));
    pages
}

fn all_pages() -> Vec<PathBuf> {
    let dir = Path::new(ROOT).join("man");
    let by_hand = ["boardbus-records.5", "boardbus-round.7"].map(str::to_owned);
    let names = committed_pages().into_keys().chain(by_hand);
    let of_scripts = files(&dir.join("scripts")).into_keys().map(|name| dir.join("scripts").join(name));
    names.map(|name| dir.join(name)).chain(of_scripts).collect()
}

/// Runs a program that a machine may lack; none when it does, and standard error says that it was skipped.
fn run(program: &str, args: &[&str]) -> Option<std::process::Output> {
    match Command::new(program).args(args).current_dir(ROOT).env("LC_ALL", "C.UTF-8").output() {
        Ok(output) => Some(output),
        Err(_) => {
            eprintln!("skipped: {program} is not installed");
            None
        }
    }
}

fn section<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let text = page.split_once(&format!("\n.SH {name}\n"))?.1;
    Some(text.split("\n.SH ").next().unwrap_or(text))
}

#[test]
fn committed_pages_and_completions_are_fresh() {
    let generated = generated::generated();
    let mut committed = BTreeMap::new();
    committed.extend(committed_pages().into_iter().map(|(name, text)| (format!("man/{name}"), text)));
    let completions = files(&Path::new(ROOT).join("completions")).into_iter();
    committed.extend(completions.map(|(name, text)| (format!("completions/{name}"), text)));
    let names: BTreeSet<&String> = generated.keys().chain(committed.keys()).collect();
    let stale: Vec<_> =
        names.into_iter().filter(|&name| generated.get(name) != committed.get(name)).collect();
    assert!(
        generated.len() > 20 && stale.is_empty(),
        "stale: {stale:?}; run `cargo run --example generate` and commit"
    );
}

#[test]
fn commands_in_help_have_a_page_with_all_sections() {
    let help = cargo_bin_cmd!().arg("--help").assert().success();
    let help = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Usage:"))
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .collect();
    assert!(commands.contains(&"watch"), "{commands:?}");
    let pages = committed_pages();
    assert_eq!(pages.len(), commands.len() + 1, "one a command and boardbus.1: {:?}", pages.keys());
    for command in commands {
        let page = &pages[&format!("boardbus-{command}.1")];
        for name in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"] {
            assert!(section(page, name).is_some_and(|text| !text.trim().is_empty()), "{command}: {name}");
        }
        assert!(!page.contains("\n.SH EXTRA"), "{command}: clap_mangen's EXTRA");
    }
}

#[test]
fn help_lists_every_command_once_in_a_group() {
    let help = cargo_bin_cmd!().arg("--help").assert().success();
    let help = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
    for command in generated::program().get_subcommands() {
        let (name, about) = (command.get_name(), command.get_about().unwrap().to_string());
        let lines = help.lines().filter(|line| {
            line.strip_prefix("  ")
                .and_then(|line| line.strip_prefix(name))
                .is_some_and(|l| l.starts_with("  "))
        });
        let lines: Vec<&str> = lines.collect();
        assert!(matches!(lines[..], [line] if line.ends_with(&about)), "{name}: {lines:?}");
    }
    // A template is not wrapped: its lines fit a terminal as they are.
    let too_long: Vec<&str> =
        help.lines().take_while(|line| *line != "Options:").filter(|line| line.len() > 80).collect();
    assert!(too_long.is_empty(), "{too_long:?}");
}

/// What ends a command is of its own kind: one that opens no port has no trouble with one, one that looks for no board misses
/// none.
#[test]
fn pages_list_only_exit_codes_of_their_command() {
    let (boards, waits): (&[&str], &[&str]) =
        (&["discover", "dump", "from-start", "reset", "start"], &["show", "watch"]);
    let servers = ["publish", "subscribe"];
    for (name, page) in committed_pages() {
        let Some(command) = name.strip_prefix("boardbus-").and_then(|name| name.strip_suffix(".1")) else {
            continue;
        };
        let text = section(&page, "EXIT STATUS").unwrap();
        let codes: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix(".B ")).filter(|c| c.len() == 1).collect();
        let expected: &[&str] = match command {
            "evaluate" => &["0", "2", "3", "4", "5"],
            "check" | "to-results" => &["0", "1", "2", "4", "5"],
            "schema" => &["0", "2", "5"],
            _ if boards.contains(&command) => &["0", "1", "2", "3", "5"],
            _ if waits.contains(&command) || servers.contains(&command) => &["0", "2", "3", "4", "5"],
            _ => &["0", "2", "4", "5"],
        };
        assert_eq!(codes, expected, "{command}");
        let opens = boards.contains(&command) || waits.contains(&command);
        assert_eq!(text.contains("serial port"), opens, "{command}");
        assert_eq!(text.contains("server"), servers.contains(&command), "{command}");
        assert_eq!(text.contains("missing"), boards.contains(&command), "{command}");
        assert!(text.matches("needs a hand").count() == usize::from(command == "check"), "{command}");
    }
}

#[test]
fn hand_written_notes_are_all_on_their_pages() {
    let pages = committed_pages();
    for (name, notes) in files(&Path::new(ROOT).join("man/notes")) {
        let command = name.strip_suffix(".roff").unwrap_or_else(|| panic!("man/notes/{name}: not a .roff"));
        let page =
            pages.get(&format!("boardbus-{command}.1")).unwrap_or_else(|| panic!("{name}: no such command"));
        // Characters beyond ASCII become escapes.
        for line in notes.lines().filter(|line| line.is_ascii()) {
            let there = page.lines().any(|other| other == line);
            assert!(there, "man/notes/{name}: `{line}` is not on its page: see NOTES in generate/manual.rs");
        }
        assert!(notes.starts_with(".SH ") && notes.ends_with('\n'), "man/notes/{name}: whole sections only");
    }
}

#[test]
fn pages_are_dated_as_the_changelog() {
    let changelog = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    let newest = changelog.lines().find(|line| line.starts_with("## ")).unwrap();
    let date = &newest[newest.len() - 10..];
    assert!(date.bytes().enumerate().all(|(i, b)| if i == 4 || i == 7 {
        b == b'-'
    } else {
        b.is_ascii_digit()
    }));
    for page in all_pages() {
        let text = fs::read_to_string(&page).unwrap();
        let title = text.lines().find(|line| line.starts_with(".TH ")).unwrap();
        assert_eq!(title.split(' ').nth(3), Some(date), "{}: {title}", page.display());
    }
}

#[test]
fn pages_are_clean_roff() {
    for page in all_pages() {
        let path = page.to_str().unwrap();
        if let Some(output) = run("groff", &["-ww", "-man", "-Tutf8", "-z", path]) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && said.is_empty(), "{said}");
        }
        if let Some(output) = run("mandoc", &["-Tlint", "-Werror", path]) {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{said}");
        }
    }
}

#[test]
fn the_examples_of_the_records_page_are_records() {
    let page = fs::read_to_string(Path::new(ROOT).join("man/boardbus-records.5")).unwrap();
    let lines: Vec<String> = page
        .split("\n.EX\n")
        .skip(1)
        .flat_map(|block| block.split("\n.EE").next().unwrap().lines())
        .filter(|line| line.starts_with('{'))
        .map(|line| line.replace("\\-", "-"))
        .collect();
    assert!(lines.len() >= 8, "{lines:#?}");
    for line in lines {
        let record = parse(line.as_bytes()).unwrap_or_else(|e| panic!("{line}: {e}"));
        let written = match &record {
            Record::Stream(stream) => serde_json::to_value(stream),
            Record::Board(record) => serde_json::to_value(record),
            Record::Game(record) => serde_json::to_value(record),
            Record::Other => panic!("not a type we know: {line}"),
        };
        // Written again it has the same fields: none that we would ignore.
        assert_eq!(written.unwrap(), serde_json::from_str::<serde_json::Value>(&line).unwrap());
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let complete = |words: &[&str]| -> Vec<String> {
        let script = r#"
            source completions/boardbus.bash
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            _boardbus "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\n' "${COMPREPLY[@]}""#;
        let output = run("bash", &[&["--norc", "-c", script, "bash"], words].concat()).expect("bash");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    };
    assert_eq!(complete(&["boardbus", "wat"]), ["watch"]);
    assert_eq!(complete(&["boardbus", "from-p"]), ["from-pgn", "from-pdn"]);
    assert_eq!(complete(&["boardbus", "watch", "--qui"]), ["--quiet"]);
    // Nothing of ours: so bash completes files.
    for words in [
        &["boardbus", "reconstruct", ""][..],
        &["boardbus", "reconstruct", "rou"],
        &["boardbus", "to-pgn", "a.jsonl", ""],
    ] {
        assert_eq!(complete(words), [""], "{words:?}");
    }
    assert_eq!(complete(&["boardbus", "reconstruct", "--show", ""]), ["early", "usual", "sure"]);
    assert!(complete(&["boardbus", "reconstruct", "-"]).contains(&"--final".to_owned()));
    assert!(complete(&["boardbus", "discover", ""]).contains(&"--port".to_owned()), "it takes no files");
}

#[test]
fn zsh_and_fish_take_their_completions() {
    if let Some(output) = run("zsh", &["-n", "completions/_boardbus"]) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    if let Some(output) = run("fish", &["-c", "source completions/boardbus.fish; complete -C 'boardbus wat'"])
    {
        let offered = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(offered.starts_with("watch\t"), "{offered}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn help_that_cannot_be_written_is_exit_5() {
    for argument in ["--help", "--version", "help"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        let output = command.arg(argument).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{argument}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.starts_with("boardbus: standard output: "), "{errors}");
    }
}
