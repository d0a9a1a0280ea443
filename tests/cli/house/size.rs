//! How large a file and a function may be.

use std::path::Path;

use super::source::{ROOT, Token, all_rust_files, closing, files_below, name, read, tokens};

/// The greatest number of lines of a file.
const FILE: usize = 600;
/// The greatest number of lines of a function, from its `fn` to its closing brace.
const FUNCTION: usize = 70;
/// What begins the line of a comment that says why a function is longer.
const REASON: &str = "Lines:";

/// A function with a body.
struct Function {
    name: String,
    /// The line of its `fn`, from 1.
    line: usize,
    lines: usize,
}

/// The functions that source has, those within others too.
fn functions(source: &str) -> Vec<Function> {
    let tokens = tokens(source);
    let body = |at: usize| {
        let mut end = at;
        loop {
            match tokens.get(end).map(|token| token.text.as_str()) {
                Some("{") => return Some(closing(&tokens, end)),
                // No body: of a trait, or a type `fn(…)`.
                None | Some(";" | "}" | ")" | "=") => return None,
                Some("(" | "[") => end = closing(&tokens, end) + 1,
                _ => end += 1,
            }
        }
    };
    let is_word = |token: &Token| token.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| **token == "fn") {
        if let Some(called) = tokens.get(at + 1).filter(|next| is_word(next))
            && let Some(end) = body(at + 2)
        {
            let lines = tokens[end].line - token.line + 1;
            found.push(Function { name: called.text.clone(), line: token.line, lines });
        }
    }
    found
}

/// Whether the comment right above a line, its attributes apart, says why a function is long.
fn has_reason(source: &str, line: usize) -> bool {
    let above: Vec<&str> = source.lines().take(line - 1).map(str::trim).collect();
    above
        .iter()
        .rev()
        .take_while(|text| text.starts_with("//") || text.starts_with("#[") || text.ends_with(")]"))
        .filter_map(|text| text.trim_start_matches('/').trim().strip_prefix(REASON))
        .any(|reason| reason.split_whitespace().count() >= 3)
}

/// The functions of source that are too long without a reason, with their lines.
fn too_long(source: &str) -> Vec<(String, usize)> {
    functions(source)
        .into_iter()
        .filter(|f| f.lines > FUNCTION && !has_reason(source, f.line))
        .map(|f| (f.name, f.lines))
        .collect()
}

#[test]
fn functions_are_measured_from_their_signature_to_their_closing_brace() {
    let source = "fn a(x: [u8; 3]) -> u8 {\n  fn b(\n) {\n  }\n  '{'\n}\ntrait T { fn c(); fn d() {\n} }\n\
                  type F = fn(u8) -> u8;\nconst fn e<const N: usize>() -> [u8; N]\nwhere\n  u8: Copy,\n{\n}";
    let found: Vec<String> = functions(source).iter().map(|f| format!("{} {}", f.name, f.lines)).collect();
    assert_eq!(found, ["a 6", "b 3", "d 2", "e 5"]);
}

#[test]
fn a_function_that_is_too_long_is_found_unless_its_comment_says_why() {
    let of = |above: &str, lines: usize| format!("{above}fn a() {{{}}}", "\n".repeat(lines - 1));
    assert_eq!(too_long(&of("", FUNCTION)), []);
    let long = || vec![("a".to_owned(), FUNCTION + 1)];
    assert_eq!(too_long(&of("", FUNCTION + 1)), long());
    assert_eq!(too_long(&of("/// What it does.\n/// Lines: an arm for each message.\n", FUNCTION + 1)), []);
    assert_eq!(too_long(&of("// Lines: an arm for each message.\n#[inline]\n", FUNCTION + 1)), []);
    assert_eq!(too_long(&of("/// Lines:\n", FUNCTION + 1)), long());
    assert_eq!(too_long(&of("// Lines: an arm for each message.\n\n", FUNCTION + 1)), long());
    assert_eq!(too_long(&of("// Has many lines: too many.\n", FUNCTION + 1)), long());
}

#[test]
fn no_function_is_too_long_to_be_read_at_once() {
    let long: Vec<(String, String, usize)> = all_rust_files()
        .flat_map(|path| {
            too_long(&read(&path)).into_iter().map(move |(function, lines)| (name(&path), function, lines))
        })
        .collect();
    assert!(
        long.is_empty(),
        "longer than {FUNCTION} lines: split, or say why above (`{REASON} …`): {long:#?}"
    );
}

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

#[test]
fn contributors_are_told_the_same_numbers() {
    let told =
        read(&Path::new(ROOT).join("CONTRIBUTING.md")).split_whitespace().collect::<Vec<_>>().join(" ");
    for said in
        [format!("At most {FILE} lines, and {FUNCTION} a function"), format!("begins with `{REASON}`")]
    {
        assert!(told.contains(&said), "CONTRIBUTING.md does not say: {said}");
    }
}
