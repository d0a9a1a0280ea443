//! Plain words (`CONTRIBUTING.md`): a word that usually hides who does what, and names of tests.

use std::{fs, path::Path};

use super::source::{ROOT, all_rust_files, files_below, name, read};

/// The forms of the word. "Publish", "report", "write" and "return" have a subject and an object.
const FORMS: [&str; 4] = ["told", "tell", "tells", "telling"];
/// The greatest number of them in the sources, the manual pages and README. Lower it with every change that removes
/// some; the goal is 150.
const LIMIT: usize = 10;
/// The greatest number of words in the name of a test.
const NAME_WORDS_MAX: usize = 10;

/// How often the forms stand in a text as words of their own, in capitals or not.
fn count(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| FORMS.iter().any(|form| word.eq_ignore_ascii_case(form))).count()
}

/// The texts that count.
fn texts() -> Vec<String> {
    let root = Path::new(ROOT);
    let is_page = |path: &Path| path.extension().is_some_and(|e| e.len() == 1);
    let pages = fs::read_dir(root.join("man")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| is_page(path));
    let paths = files_below(&root.join("src")).into_iter().chain(pages).chain([root.join("README.md")]);
    paths.filter_map(|path| fs::read_to_string(path).ok()).collect()
}

#[test]
fn whole_words_are_counted() {
    assert_eq!(count("Told, tells: TELL-tale (telling)."), 4);
    assert_eq!(count("told_end toldest intelligent retell"), 0);
}

#[test]
fn words_that_hide_the_subject_become_fewer() {
    let texts = texts();
    assert!(texts.len() > 400, "{} files", texts.len());
    let found: usize = texts.iter().map(|text| count(text)).sum();
    assert!(
        found <= LIMIT,
        "{found} of {FORMS:?}, more than {LIMIT}: CONTRIBUTING.md (Plain words) has better ones"
    );
}

/// The names of the tests in a source.
fn test_names(source: &str) -> impl Iterator<Item = &str> {
    let after_attribute = source.split("#[test]").skip(1);
    after_attribute.filter_map(|text| text.split_once("fn ")?.1.split('(').next())
}

#[test]
fn test_names_are_found() {
    let source = "#[test]\nfn one() {}\nfn two() {}\n#[test]\n#[should_panic]\npub fn three_words_long() {}";
    assert_eq!(test_names(source).collect::<Vec<_>>(), ["one", "three_words_long"]);
}

#[test]
fn test_names_have_up_to_ten_words() {
    let mut long = Vec::new();
    for path in all_rust_files() {
        let source = read(&path);
        let names = test_names(&source).filter(|name| name.split('_').count() > NAME_WORDS_MAX);
        long.extend(names.map(|test| format!("{}: {test}", name(&path))));
    }
    assert_eq!(long, [""; 0], "CONTRIBUTING.md (Plain words): what happens, in fewer words");
}
