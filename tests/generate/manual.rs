//! The man pages: what the definition of a command has, and around it the hand-written sections (`man/notes/`).

use clap_mangen::{Man, roff};

/// What the exit codes mean, each in a paragraph of its own, and what a signal does. A paragraph that begins with the names
/// of commands, in a comment, is of their pages; the others are of those that have none of their own for that code.
const EXIT_STATUS: &str = include_str!("../../man/exit-status.roff");

/// The codes of commands that do not have them all.
const NO_PORT: &[&str] = &["0", "2", "4", "5"];
const PORT: &[&str] = &["0", "1", "2", "3", "5"];
const WAITING: &[&str] = &["0", "2", "3", "4", "5"];

/// Of each command its name, its hand-written sections (RECORDS, FILES, NOTES, EXAMPLES, as they apply) and its codes.
const COMMANDS: &[(&str, &str, &[&str])] = &{
    macro_rules! with_notes {
        ($($name:literal: $codes:expr,)*) => {
            [$(($name, include_str!(concat!("../../man/notes/", $name, ".roff")), $codes)),*]
        };
    }
    with_notes! {
        "check": &["0", "1", "2", "4", "5"],
        "decode": NO_PORT,
        "discover": PORT,
        "dump": PORT,
        "evaluate": WAITING,
        "from-bars": NO_PORT,
        "from-pdn": NO_PORT,
        "from-pgn": NO_PORT,
        "from-start": PORT,
        "publish": WAITING,
        "reconstruct": NO_PORT,
        "reset": PORT,
        "schema": &["0", "2", "5"],
        "serve": NO_PORT,
        "show": &["0", "2", "3", "4", "5"],
        "simulate": NO_PORT,
        "start": PORT,
        "subscribe": WAITING,
        "to-bars": NO_PORT,
        "to-html": NO_PORT,
        "to-pdn": NO_PORT,
        "to-pgn": NO_PORT,
        "to-results": &["0", "1", "2", "4", "5"],
        "watch": WAITING,
    }
};

const CHANGELOG: &str = include_str!("../../CHANGELOG.md");

/// File name and text of the page of the program and of each of its commands.
pub fn pages(program: &clap::Command) -> Vec<(String, String)> {
    // Completions offer `boardbus help`; a page of it would be empty.
    let mut program = program.clone().disable_help_subcommand(true).subcommand_help_heading("COMMANDS");
    program.build();
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    std::iter::once(&program)
        .chain(program.get_subcommands())
        .map(|command| {
            let name = page_name(command);
            (format!("{name}.1"), page(command, &name, &names))
        })
        .collect()
}

fn page_name(command: &clap::Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_owned()
}

fn page(command: &clap::Command, name: &str, all: &[&str]) -> String {
    let man = Man::new(with_usage(command))
        .title(name.to_uppercase())
        .date(date())
        .source(concat!("boardbus ", env!("CARGO_PKG_VERSION")))
        .manual("boardbus manual");
    let mut page = String::from(
        ".\\\" Written by `cargo run --example generate`: change src/commands/ or man/notes/.\n",
    );
    let mut add = |section: &dyn Fn(&Man, &mut dyn std::io::Write) -> std::io::Result<()>| {
        let mut text = Vec::new();
        section(&man, &mut text).expect("a vector takes every write");
        let text = String::from_utf8_lossy(&text);
        // Every section brings the definition of the apostrophe along; the first one is enough.
        let known = page.contains(".TH ");
        page.extend(text.lines().filter(|line| !(known && is_preamble(line))).flat_map(|line| [line, "\n"]));
    };
    add(&|man, out| man.render_title(out));
    add(&|man, out| man.render_name_section(out));
    add(&|man, out| man.render_synopsis_section(out));
    add(&|man, out| man.render_description_section(out));
    add(&|man, out| man.render_options_section(out));
    if command.has_subcommands() {
        add(&|man, out| man.render_subcommands_section(out));
    }
    let notes = notes(command.get_name());
    page.push_str(notes);
    if !notes.contains(".SH EXAMPLES") {
        page.push_str(&examples(command));
    }
    page.push_str(&exit_status(command));
    page.push_str(&environment(command));
    page.push_str(&see_also(command, all));
    ascii(&page)
}

/// Characters beyond ASCII as roff's escapes: not every roff reads UTF-8.
fn ascii(page: &str) -> String {
    page.chars().fold(String::with_capacity(page.len()), |mut text, c| {
        match c.is_ascii() {
            true => text.push(c),
            false => text.extend(format!("\\[u{:04X}]", c as u32).chars()),
        }
        text
    })
}

/// The command with the short synopsis of `--help`; clap_mangen's own would list every option.
fn with_usage(command: &clap::Command) -> clap::Command {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage:").unwrap_or(&usage).trim().to_owned();
    command.clone().override_usage(usage)
}

fn is_preamble(line: &str) -> bool {
    line.starts_with(".ie \\n(.g .ds Aq") || line.starts_with(".el .ds Aq")
}

fn notes(command: &str) -> &'static str {
    COMMANDS.iter().find(|(name, ..)| *name == command).map_or("", |(_, text, _)| text)
}

/// The codes with which a command may end.
fn exit_status(command: &clap::Command) -> String {
    let codes = COMMANDS.iter().find(|(name, ..)| *name == command.get_name()).map(|(.., codes)| *codes);
    let strict = command.get_arguments().any(|argument| argument.get_long() == Some("strict"));
    let (paragraphs, signals) = EXIT_STATUS.split_once(".PP\n").unwrap_or((EXIT_STATUS, ""));
    let mut paragraphs = paragraphs.split(".TP\n");
    let mut section = paragraphs.next().unwrap_or_default().to_owned();
    let meanings: Vec<(Option<&str>, &str, &str)> = paragraphs
        .map(|paragraph| {
            let (names, text) = match paragraph.strip_prefix(".\\\" ").and_then(|rest| rest.split_once('\n'))
            {
                Some((names, text)) => (Some(names), text),
                None => (None, paragraph),
            };
            (names, text.lines().next().unwrap_or_default().trim_start_matches(".B "), text)
        })
        .collect();
    let is_named = |names: &str| names.split(' ').any(|name| name == command.get_name());
    for (names, code, text) in &meanings {
        let own =
            |(names, other, _): &(Option<&str>, &str, &str)| other == code && names.is_some_and(is_named);
        let is_of_page = names.map_or_else(|| !meanings.iter().any(own), is_named);
        if !is_of_page || codes.is_some_and(|codes| !codes.contains(code)) {
            continue;
        }
        // Pages leave out what an option does that their command lacks.
        let plain = text.split("With\n").next().filter(|_| codes.is_some() && !strict);
        section.push_str(".TP\n");
        section.push_str(plain.unwrap_or(text));
    }
    section + ".PP\n" + signals
}

/// The examples of `--help`, for a command whose notes have none.
fn examples(command: &clap::Command) -> String {
    let Some(text) = command.get_after_long_help().or(command.get_after_help()) else { return String::new() };
    let mut section = roff::Roff::new();
    section.control("SH", ["EXAMPLES"]).control("EX", []);
    let text = text.to_string();
    let is_heading = |line: &&str| line.starts_with("Example");
    for line in text.lines().skip_while(|line| !is_heading(line)).filter(|line| !is_heading(line)) {
        section.text([roff::roman(line)]);
    }
    section.control("EE", []).to_roff()
}

/// The variables that an option of the command reads, and those that govern colour.
fn environment(command: &clap::Command) -> String {
    let mut section = roff::Roff::new();
    section.control("SH", ["ENVIRONMENT"]);
    for option in command.get_arguments() {
        if let (Some(variable), Some(long)) = (option.get_env(), option.get_long()) {
            let variable = variable.to_string_lossy().into_owned();
            section.control("TP", []).text([roff::bold(variable)]);
            section.text([roff::roman("Stands in for "), roff::bold(format!("--{long}")), roff::roman(".")]);
        }
    }
    section.control("TP", []).text([roff::bold("NO_COLOR")]);
    section.text([roff::roman(
        "Not empty: no colour, on a terminal either. Into a pipe or a file none is ever written.",
    )]);
    section.to_roff()
}

fn see_also(command: &clap::Command, all: &[&str]) -> String {
    let mut pages: Vec<String> = all
        .iter()
        .filter(|name| **name != command.get_name())
        .map(|name| format!(".BR boardbus\\-{} (1)", name.replace('-', "\\-")))
        .collect();
    if !command.has_subcommands() {
        pages.insert(0, ".BR boardbus (1)".into());
    }
    if command.has_subcommands() {
        let scripts = ["case", "export\\-round", "push\\-lichess", "rule"];
        pages.extend(scripts.map(|name| format!(".BR boardbus\\-{name} (1)")));
    }
    pages.extend([".BR boardbus\\-records (5)".into(), ".BR boardbus\\-round (7)".into()]);
    format!(".SH SEE ALSO\n{}\n", pages.join(",\n"))
}

/// The date of the newest section of the changelog: today's would make a page stale overnight.
fn date() -> &'static str {
    CHANGELOG
        .lines()
        .filter_map(|line| line.strip_prefix("## ")?.rsplit_once(" - "))
        .map(|(_, date)| date.trim())
        .next()
        .unwrap_or_default()
}
