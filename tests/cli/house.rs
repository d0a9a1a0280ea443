//! The house keeps its own rules.
//!
//! `rooms`: who may know whom; `circles`: which files of a room know each other; `size`: how large a file may be;
//! `words`: plain words; here: what no file may hold. The lints of Cargo.toml hold the rest. `source` reads the project
//! for all of them.

mod circles;
mod rooms;
mod size;
mod source;
mod words;

use std::{fs, path::Path};

use source::{ROOT, all_rust_files, files_below, name, read};

#[test]
fn files_begin_with_their_purpose() {
    for path in all_rust_files() {
        assert!(read(&path).starts_with("//! "), "{} has no module doc", name(&path));
    }
}

#[test]
fn no_folder_is_held_together_by_a_mod_rs() {
    for path in all_rust_files() {
        assert!(path.file_name().unwrap() != "mod.rs", "{}", name(&path));
    }
}

#[test]
fn files_name_no_path_of_their_machine() {
    // Put together here, or this file would name them.
    let paths =
        [["/wo", "rk/"], ["../sha", "red"], ["/ro", "ot/"], ["/ho", "me/"]].map(|parts| parts.concat());
    let mut looked_at = 0;
    for path in files_below(Path::new(ROOT)) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        looked_at += 1;
        for (number, line) in text.lines().enumerate() {
            let found = paths.iter().find(|p| line.contains(p.as_str()));
            assert!(found.is_none(), "{}:{}: {line}", name(&path), number + 1);
        }
    }
    assert!(looked_at > 50, "{looked_at} files");
}
