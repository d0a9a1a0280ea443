//! How large a file may be. Clippy limits functions (`clippy.toml`).

use std::path::Path;

use super::source::{ROOT, all_rust_files, files_below, name, read};

/// The greatest number of lines of a file.
const FILE: usize = 600;

/// The files of the project that are read by people as code: Rust and scripts.
fn code_files() -> Vec<(String, String)> {
    let scripts = files_below(&Path::new(ROOT).join("scripts")).into_iter();
    let scripts = scripts.map(|path| (name(&path), read(&path))).filter(|(_, text)| text.starts_with("#!"));
    all_rust_files().map(|path| (name(&path), read(&path))).chain(scripts).collect()
}

/// The files that have too many lines.
fn too_large(files: &[(String, String)]) -> Vec<&str> {
    files.iter().filter(|(_, text)| text.lines().count() > FILE).map(|(name, _)| &**name).collect()
}

#[test]
fn a_file_that_is_too_large_is_found() {
    let file = |lines: usize| ("a.rs".to_owned(), "\n".repeat(lines));
    assert_eq!(too_large(&[file(FILE)]), [""; 0]);
    assert_eq!(too_large(&[file(FILE + 1)]), ["a.rs"]);
}

#[test]
fn no_file_is_too_large() {
    let files = code_files();
    assert!(files.iter().any(|(name, _)| name == "scripts/test"), "scripts are read, too");
    let large = too_large(&files);
    assert!(large.is_empty(), "more than {FILE} lines: split by subject: {large:?}");
}
