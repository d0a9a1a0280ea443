//! Plain words (`CONTRIBUTING.md`): a word that usually hides who does what.

use std::{fs, path::Path};

use super::source::{ROOT, files_below};

/// The forms of the word. "Publish", "report", "write" and "return" have a subject and an object.
const FORMS: [&str; 4] = ["told", "tell", "tells", "telling"];
/// The greatest number of them in the sources, the manual pages and README. Lower it with every change that removes
/// some; the goal is 150.
const LIMIT: usize = 358;

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
