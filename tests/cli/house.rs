//! The house keeps its own rules: who may know whom, who may look at the clock, how large a file may be.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Each room and those it may know. `commands` may know all; a room always knows itself.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("bus", &["wire", "capture", "record", "error", "stop"]),
    ("sim", &["wire", "rules", "draughts", "record", "error", "stop"]),
    ("reconstruct", &["rules", "draughts", "record"]),
    ("format", &["rules", "draughts", "record"]),
    ("rules", &["draughts", "record"]),
    ("wire", &["record"]),
    ("capture", &["record"]),
    ("draughts", &["record"]),
    ("record", &[]),
    ("stdio", &["error", "progress", "stop"]),
    ("error", &[]),
    ("stop", &[]),
    ("progress", &[]),
];

/// Rooms that are pure: no files, ports, threads or time of their own. Time comes from records.
const PURE: &[&str] = &["wire", "capture", "reconstruct", "format", "rules", "draughts"];

/// Rust files below a folder of the project.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(Path::new(ROOT).join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                rust_files(path.strip_prefix(ROOT).unwrap().to_str().unwrap())
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap().display().to_string()
}

/// The module a file of `src` is: `src/wire/frame.rs` is `wire`, `frame`.
fn module(path: &Path) -> Vec<String> {
    let path = path.strip_prefix(ROOT).unwrap().strip_prefix("src").unwrap().with_extension("");
    let parts: Vec<String> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if parts == ["lib"] { Vec::new() } else { parts }
}

/// The tokens of Rust source that matter here: words, and signs one by one. Comments, strings and characters
/// are left out.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let cut = |rest: &str, end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            cut(rest, "\n")
        } else if rest.starts_with("/*") {
            cut(rest, "*/")
        } else if let Some(raw) = raw_string(rest) {
            raw
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            character(rest)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The tokens of a file outside its tests; none for a file of tests.
fn tokens_of_code(path: &Path) -> Vec<String> {
    if path.ends_with("tests.rs") {
        return Vec::new();
    }
    let mut tokens = tokens(&fs::read_to_string(path).unwrap());
    let begin = tokens.windows(3).position(|window| window == ["mod", "tests", "{"]);
    if let Some(begin) = begin {
        // Tests stand last in a file.
        tokens.truncate(begin);
    }
    tokens
}

/// Length of a raw string that begins here.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let begin = rest.len() - after.len() + hashes + 1;
    rest[begin..].find(&end).map(|at| begin + at + end.len())
}

/// Length of what stands between two quotes that begin here.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    rest.len()
}

/// Length of a character, or of the quote of a lifetime or label.
fn character(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(rest, '\''),
        _ => 1,
    }
}

/// The rooms that the source of a module names, by `crate::…` or by enough of `super::…`.
fn rooms_named(source: &str, module: &[String]) -> BTreeSet<String> {
    let tokens = tokens(source);
    let is = |at: usize, what: &[&str]| {
        what.iter().enumerate().all(|(i, sign)| tokens.get(at + i).is_some_and(|token| token == sign))
    };
    let mut rooms = BTreeSet::new();
    // Inline modules, each with the depth of braces at which it began.
    let (mut depth, mut inline) = (0, Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "mod" if is(at + 2, &["{"]) => inline.push(depth),
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.pop_if(|begun| *begun == depth);
            }
            "crate" if is(at + 1, &[":", ":"]) => rooms.extend(first_names(&tokens[at + 3..])),
            "super" if !(at > 0 && tokens[at - 1] == ":") => {
                let mut ups = 1;
                while is(at + 3 * ups, &["super"]) {
                    ups += 1;
                }
                if ups == module.len() + inline.len() {
                    rooms.extend(first_names(&tokens[at + 3 * ups..]));
                }
            }
            _ => {}
        }
        at += 1;
    }
    rooms
}

/// The first segment, or segments, of what stands after `crate::`.
fn first_names(tokens: &[String]) -> Vec<String> {
    let Some(first) = tokens.first() else { return Vec::new() };
    if first != "{" {
        return vec![first.clone()];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if depth == 1 && ["{", ","].contains(&tokens[at - 1].as_str()) => names.push(token.clone()),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

#[test]
fn the_reader_of_paths_finds_what_is_named_and_nothing_else() {
    let source = r##"
        //! use crate::comment;
        use crate::{a, b::{c, d}, e as f};
        pub(crate) fn g<'x>(h: &'x str) -> crate::i::J { "crate::text"; r#"crate::"raw""#; '"'; '\''; super::k() }
        mod tests { use super::*; use super::super::l; }
        use super::m;
    "##;
    let found = |module: &[&str]| {
        let module: Vec<String> = module.iter().map(|part| part.to_string()).collect();
        rooms_named(source, &module).into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(&["room", "file"]), "a b e i");
    assert_eq!(found(&["room"]), "a b e i k l m");
}

#[test]
fn every_room_knows_only_those_below_it() {
    let mut wrong = Vec::new();
    for path in rust_files("src") {
        let module = module(&path);
        let Some(room) = module.first().filter(|room| !["commands", "main"].contains(&room.as_str())) else {
            continue;
        };
        let (_, may) = MAY_KNOW
            .iter()
            .find(|(name, _)| name == room)
            .unwrap_or_else(|| panic!("a room that no rule is made for: {room}"));
        let named = rooms_named(&fs::read_to_string(&path).unwrap(), &module);
        for known in named.iter().filter(|known| *known != room && !may.contains(&known.as_str())) {
            wrong.push(format!("{} knows {known}", name(&path)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_list_of_rooms_is_that_of_the_library() {
    let library = fs::read_to_string(Path::new(ROOT).join("src/lib.rs")).unwrap();
    let rooms: BTreeSet<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .filter(|room| *room != "commands")
        .collect();
    assert_eq!(rooms, MAY_KNOW.iter().map(|(room, _)| *room).collect());
}

#[test]
fn pure_rooms_have_no_input_output_or_time() {
    let forbidden =
        ["Instant", "SystemTime", "fs", "net", "stdin", "stdout", "stderr", "println", "eprintln"];
    for path in rust_files("src") {
        let module = module(&path);
        if !module.first().is_some_and(|room| PURE.contains(&room.as_str())) {
            continue;
        }
        let tokens = tokens_of_code(&path);
        for token in &tokens {
            assert!(!forbidden.contains(&token.as_str()), "{} uses {token}", name(&path));
        }
        let now = tokens.windows(4).any(|window| window == ["Time", ":", ":", "now"]);
        assert!(!now, "{}: time comes from records, not from Time::now", name(&path));
    }
}

#[test]
fn wire_needs_the_standard_library_and_nothing_else() {
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let crates: Vec<String> =
        section.lines().filter_map(|l| Some(l.split_once('=')?.0.trim().replace('-', "_"))).collect();
    assert!(crates.contains(&"serde_json".to_owned()), "{crates:?}");
    for path in rust_files("src").into_iter().filter(|p| module(p).first().is_some_and(|room| room == "wire"))
    {
        for window in tokens_of_code(&path).windows(3) {
            let foreign = window[1..] == [":", ":"] && crates.contains(&window[0]);
            assert!(!foreign, "{} uses {}", name(&path), window[0]);
        }
    }
}

#[test]
fn every_file_says_what_it_is_for_and_has_at_most_700_lines() {
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} has no module doc", name(&path));
        let lines = text.lines().count();
        assert!(lines <= 700, "{} has {lines} lines: split it by subject", name(&path));
    }
}

#[test]
fn no_folder_is_held_together_by_a_mod_rs() {
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        assert!(path.file_name().unwrap() != "mod.rs", "{}", name(&path));
    }
}

#[test]
fn there_is_no_unsafe_code_no_silenced_warning_and_no_stub() {
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let tokens = tokens(&fs::read_to_string(&path).unwrap());
        for word in ["unsafe", "todo", "unimplemented", "dbg"] {
            assert!(!tokens.iter().any(|token| token == word), "{} uses {word}", name(&path));
        }
        let silenced = tokens
            .windows(3)
            .any(|w| w[0] == "[" && ["allow", "expect"].contains(&w[1].as_str()) && w[2] == "(");
        assert!(!silenced, "{} silences a warning", name(&path));
    }
}

/// Every text file of the project, as a checkout has them.
fn project_files(dir: &Path) -> Vec<PathBuf> {
    let skipped = [".git", "target"];
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !skipped.contains(&path.file_name().unwrap().to_str().unwrap()))
        .flat_map(|path| if path.is_dir() { project_files(&path) } else { vec![path] })
        .collect()
}

#[test]
fn no_file_names_a_path_of_the_machine_it_was_written_on() {
    // Put together here, or this file would name them.
    let paths =
        [["/wo", "rk/"], ["../sha", "red"], ["/ro", "ot/"], ["/ho", "me/"]].map(|parts| parts.concat());
    let mut looked_at = 0;
    for path in project_files(Path::new(ROOT)) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        looked_at += 1;
        for (number, line) in text.lines().enumerate() {
            let found = paths.iter().find(|p| line.contains(p.as_str()));
            assert!(found.is_none(), "{}:{}: {line}", name(&path), number + 1);
        }
    }
    assert!(looked_at > 50, "{looked_at} files");
}
