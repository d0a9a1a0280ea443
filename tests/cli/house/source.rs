//! Reads the project as text: its files, the modules they are, the words of their code.

use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Rust files below a folder of the project.
pub fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = files_below(&Path::new(ROOT).join(folder))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    found.sort();
    found
}

/// All Rust files: the program, its tests, its benches.
pub fn all_rust_files() -> impl Iterator<Item = PathBuf> {
    ["src", "tests", "benches", "fuzz/src", "fuzz/targets"].into_iter().flat_map(rust_files)
}

/// Every file below a folder, as a checkout has them.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let skipped = [".git", "target"];
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !skipped.contains(&path.file_name().unwrap().to_str().unwrap()))
        .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] })
        .collect()
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A file's path in the project.
pub fn name(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap().display().to_string()
}

/// The module a file of `src` is: `src/wire/frame.rs` is `wire`, `frame`; `src/lib.rs` is none.
pub fn module(path: &Path) -> Vec<String> {
    let path = path.strip_prefix(ROOT).unwrap().strip_prefix("src").unwrap().with_extension("");
    let parts: Vec<String> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if parts == ["lib"] { Vec::new() } else { parts }
}

/// A word of Rust source, or a sign of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    /// From 1.
    pub line: usize,
}

impl PartialEq<&str> for Token {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

/// The words and signs of Rust source. Comments, strings, characters and numbers are left out.
pub fn tokens(source: &str) -> Vec<Token> {
    fn flatten(stream: TokenStream, out: &mut Vec<Token>) {
        for tree in stream {
            let line = tree.span().start().line;
            match tree {
                TokenTree::Ident(word) => out.push(Token { text: word.to_string(), line }),
                TokenTree::Punct(sign) => out.push(Token { text: sign.to_string(), line }),
                TokenTree::Literal(_) => {}
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    out.push(Token { text: open.into(), line });
                    flatten(group.stream(), out);
                    out.push(Token { text: close.into(), line: group.span_close().end().line });
                }
            }
        }
    }
    let mut tokens = Vec::new();
    flatten(TokenStream::from_str(source).expect("Rust source"), &mut tokens);
    tokens
}

/// Whether these words stand at a place.
pub fn stand(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at..at + words.len()).is_some_and(|found| found.iter().zip(words).all(|(t, w)| t == w))
}

/// Where the bracket that opens at `at` closes, or what is opened next.
pub fn closing(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return i;
        }
    }
    tokens.len() - 1
}

/// The tokens without those of items that are built for tests only, and the modules of tests that are files.
pub fn code(tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    const FOR_TESTS: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut code, mut test_files) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if !stand(&tokens, at, &FOR_TESTS) {
            code.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let begin = at + FOR_TESTS.len();
        // An item ends with its braces or, where it has none, with a semicolon.
        let mut end = begin;
        while tokens[end] != ";" && tokens[end] != "{" && end + 1 < tokens.len() {
            end = if tokens[end] == "(" || tokens[end] == "[" { closing(&tokens, end) } else { end } + 1;
        }
        if let Some(module) = tokens[begin..end].iter().position(|token| *token == "mod")
            && tokens[end] == ";"
        {
            test_files.push(tokens[begin + module + 1].text.clone());
        }
        // A `use` of a group has braces and a semicolon.
        let group = tokens[begin..end].iter().any(|token| *token == "use") && tokens[end] == "{";
        at = if tokens[end] == "{" { closing(&tokens, end) } else { end } + 1;
        if group {
            at += 1;
        }
    }
    (code, test_files)
}

/// The tokens of a file outside its tests.
pub fn tokens_of_code(path: &Path) -> Vec<Token> {
    code(tokens(&read(path))).0
}

#[test]
fn code_reader_leaves_out_test_code() {
    let source = r##"
        //! Words of a comment.
        #[cfg(test)] mod fakes;
        #[cfg(test)] pub(crate) mod inline { fn hidden() { "{" } }
        #[cfg(test)] use a::{b, c};
        #[cfg(test)] fn hidden(x: [u8; 4]) -> u8 { '"' }
        #[cfg(unix)] mod system;
        fn seen() { let text = r#"mod "{" "#; 'a' }
        #[cfg(test)] mod tests { fn hidden() {} }
    "##;
    let (code, tests) = code(tokens(source));
    let words: Vec<&str> = code.iter().map(|t| t.text.as_str()).filter(|t| t.len() > 2).collect();
    assert_eq!(words.join(" "), "doc cfg unix mod system seen let text");
    assert_eq!(tests, ["fakes"]);
}
