//! Who may know whom, and who may look at the clock.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::source::{ROOT, Token, module, name, read, rust_files, stand, tokens, tokens_of_code};

/// Each room and those it may know, as the map in ARCHITECTURE.md has it; a room always knows itself. None for `commands`,
/// which may know all.
fn may_know() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let named = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let map = read(&Path::new(ROOT).join("ARCHITECTURE.md"));
    let rows = map.lines().filter(|line| line.starts_with("| `src/"));
    rows.flat_map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let may = (cells[3].trim() != "all").then(|| named(cells[3]).into_iter().collect());
        let path = named(cells[1]).concat();
        let path = path.trim_start_matches("src/").trim_end_matches(['/']).trim_end_matches(".rs");
        let rooms = path.trim_matches(['{', '}']).split(',').map(str::to_owned).collect::<Vec<_>>();
        rooms.into_iter().map(move |room| (room, may.clone()))
    })
    .collect()
}

/// Rooms that are pure: no files, ports, threads or time of their own. Time comes from records.
const PURE: &[&str] = &["screen", "wire", "capture", "reconstruct", "format", "health", "rules", "draughts"];

/// The rooms that the source of a module names, by `crate::…` or by enough of `super::…`.
fn rooms_named(source: &str, module: &[String]) -> BTreeSet<String> {
    let tokens = tokens(source);
    let is = |at: usize, what: &[&str]| stand(&tokens, at, what);
    let mut rooms = BTreeSet::new();
    // Inline modules, each with the depth of braces at which it began.
    let (mut depth, mut inline) = (0, Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text.as_str() {
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
fn first_names(tokens: &[Token]) -> Vec<String> {
    let Some(first) = tokens.first() else { return Vec::new() };
    if *first != "{" {
        return vec![first.text.clone()];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if depth == 1 && ["{", ","].contains(&tokens[at - 1].text.as_str()) => {
                names.push(token.text.clone())
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

#[test]
fn path_reader_finds_exactly_the_used_paths() {
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
fn rooms_use_only_rooms_below() {
    let (mut wrong, may_know) = (Vec::new(), may_know());
    for path in rust_files("src") {
        let module = module(&path);
        let Some(room) = module.first().filter(|room| *room != "main") else { continue };
        let may = may_know.get(room).unwrap_or_else(|| panic!("a room that is not on the map: {room}"));
        let Some(may) = may else { continue };
        let named = rooms_named(&read(&path), &module);
        for known in named.iter().filter(|known| *known != room && !may.contains(*known)) {
            wrong.push(format!("{} knows {known}", name(&path)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn map_and_library_have_the_same_rooms() {
    let library = read(&Path::new(ROOT).join("src/lib.rs"));
    let rooms: BTreeSet<&str> =
        library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let map = may_know();
    assert_eq!(rooms, map.keys().map(String::as_str).collect());
    let known = map.values().flatten().flatten();
    known.for_each(|room| assert!(map.contains_key(room), "the map lets {room} be known, which is none"));
    assert!(map["record"].as_ref().is_some_and(BTreeSet::is_empty) && map["commands"].is_none());
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
            assert!(!forbidden.contains(&token.text.as_str()), "{} uses {}", name(&path), token.text);
        }
        let now = tokens.windows(4).any(|window| window == ["Time", ":", ":", "now"]);
        assert!(!now, "{}: time comes from records, not from Time::now", name(&path));
    }
}

#[test]
fn wire_needs_the_standard_library_and_nothing_else() {
    let manifest = read(&Path::new(ROOT).join("Cargo.toml"));
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let crates: Vec<String> =
        section.lines().filter_map(|l| Some(l.split_once('=')?.0.trim().replace('-', "_"))).collect();
    assert!(crates.contains(&"serde_json".to_owned()), "{crates:?}");
    for path in rust_files("src").into_iter().filter(|p| module(p).first().is_some_and(|room| room == "wire"))
    {
        for window in tokens_of_code(&path).windows(3) {
            let foreign = window[1..] == [":", ":"] && crates.contains(&window[0].text);
            assert!(!foreign, "{} uses {}", name(&path), window[0].text);
        }
    }
}
