//! The user's own parts of pages: words, a logo, links.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::format::words::plain;

/// The words of the pages, in English and German.
const GERMAN: &str = include_str!("../../../scripts/de.words");

/// The words, logo and links of pages.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Look {
    /// The language, as HTML names it; none for English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Other words for the English ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, String>,
    /// Where the logo is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo: Option<String>,
    /// Names and addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(String, String)>,
}

impl Look {
    /// Pages in English.
    pub fn english() -> Look {
        Look::default()
    }

    /// Pages in German.
    pub fn german() -> Look {
        Look::of(GERMAN).map_or_else(|_| Look::default(), |(look, _)| look)
    }

    /// Pages in the words of a file: each line has an English text, a `=` and its replacement. Returns notes to report
    /// too.
    ///
    /// # Errors
    /// The first line that is not such a line.
    pub fn of(file: &str) -> Result<(Look, Vec<String>), String> {
        let known: BTreeMap<&str, ()> = pairs(GERMAN).map(|(_, english, _)| (english, ())).collect();
        let (mut look, mut notes) = (Look::default(), Vec::new());
        let file = file.strip_prefix('\u{feff}').unwrap_or(file);
        let is_none = |line: &&str| !line.contains('=');
        if let Some((at, line)) = lines(file).find(|(_, line)| is_none(line)) {
            return Err(format!("{at}: `{}` is no line `English = other word`", plain(line)));
        }
        for (at, english, own) in pairs(file) {
            let (english, own) = (&*plain(english), &*plain(own));
            let filled = |text: &str| text.matches('$').count();
            if english == "lang" {
                if !is_language(own) {
                    return Err(format!("{at}: `{own}` is no language as HTML names them: `fr`, `pt-BR`"));
                }
                look.lang = Some(own.to_owned());
            } else if !known.contains_key(english) {
                notes.push(format!("{at}: the pages have no words `{english}`: they are not used"));
            } else if filled(english) != filled(own) {
                return Err(format!("{at}: `{own}` has not as many `$` as `{english}`"));
            } else {
                look.words.insert(english.to_owned(), own.to_owned());
            }
        }
        Ok((look, notes))
    }

    /// A text in the words of the pages, with each `$` replaced by one of these.
    pub fn text(&self, english: &str, parts: &[&str]) -> String {
        let text = self.words.get(english).map_or(english, |own| own);
        let mut pieces = text.split('$');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for (at, piece) in pieces.enumerate() {
            filled += parts.get(at).unwrap_or(&"");
            filled += piece;
        }
        filled
    }

    /// The language of the pages.
    pub fn lang(&self) -> &str {
        self.lang.as_deref().unwrap_or("en")
    }

    /// Whether a line is blank or a comment.
    pub fn is_plain(&self) -> bool {
        let Look { lang, words, logo, links } = self;
        lang.is_none() && words.is_empty() && logo.is_none() && links.is_empty()
    }
}

fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let first = parts.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(is_part)
}

/// The other lines, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// English words and their replacements, with the number of the line.
fn pairs(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let pairs =
        lines(text).filter_map(|(at, line)| line.split_once('=').map(|(english, own)| (at, english, own)));
    pairs.map(|(at, english, own)| (at, english.trim(), own.trim()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        format::{html::nags, words::of_end},
        record::{AnomalyKind, EndReason},
    };

    /// The text after each of these words to the end of the text, where the word is not part of a longer one.
    fn behind<'a>(text: &'a str, begin: &'a str, end: char) -> impl Iterator<Item = &'a str> {
        let is_whole = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let places = text.match_indices(begin).map(|(at, _)| at).filter(move |at| is_whole(at));
        places.filter_map(move |at| text[at + begin.len()..].split(end).next())
    }

    #[test]
    fn each_word_of_the_pages_is_in_the_table() {
        let known: BTreeSet<&str> = pairs(GERMAN).map(|(_, english, _)| english).collect();
        let (script, view) = (include_str!("page.js"), include_str!("view.html"));
        let mut used: BTreeSet<&str> = behind(script, "t('", '\'').collect();
        for attribute in ["title=\"", "aria-label=\"", "placeholder=\""] {
            used.extend(behind(view, attribute, '"'));
        }
        used.extend(
            view.split('>')
                .filter_map(|part| part.split_once('<'))
                .map(|(text, _)| text.trim())
                .filter(|text| text.len() > 2),
        );
        used.extend(nags::meanings());
        let ends = [
            EndReason::Kings,
            EndReason::ResultPiece,
            EndReason::Checkmate,
            EndReason::Stalemate,
            EndReason::NoMoves,
            EndReason::Flag,
        ];
        used.extend(ends.into_iter().filter_map(of_end));
        used.extend(
            [AnomalyKind::Illegal, AnomalyKind::Unexplained, AnomalyKind::Gap, AnomalyKind::Unreadable]
                .map(AnomalyKind::name),
        );
        let missing: Vec<_> =
            used.difference(&known).filter(|text| text.contains(|c: char| c.is_alphabetic())).collect();
        assert!(used.len() > 80 && missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn german_words_have_the_same_places_once() {
        let (look, notes) = Look::of(GERMAN).unwrap();
        assert_eq!((look.lang(), notes), ("de", Vec::<String>::new()));
        let count = pairs(GERMAN).filter(|(_, english, _)| *english != "lang").count();
        assert_eq!(look.words.len(), count);
    }

    #[test]
    fn files_of_words_are_read_up_to_errors() {
        let (look, notes) =
            Look::of("\u{feff}lang = fr\n# non\n\n White = Blancs \nBoard $=Échiquier $\nx = y\n").unwrap();
        assert_eq!((look.lang(), look.text("White", &[])), ("fr", "Blancs".into()));
        assert_eq!(
            (look.text("Board $", &["7"]), look.text("Black", &[])),
            ("Échiquier 7".into(), "Black".into())
        );
        assert_eq!(notes, ["6: the pages have no words `x`: they are not used"]);
        assert_eq!(
            Look::of("White = a\nBlack\n").unwrap_err(),
            "2: `Black` is no line `English = other word`"
        );
        assert_eq!(Look::of("Board $ = x").unwrap_err(), "1: `x` has not as many `$` as `Board $`");
        assert!(Look::of("lang = \"><script>").is_err());
        let (look, _) = Look::of("White = a\u{1b}b\u{202e}").unwrap();
        assert!(!look.text("White", &[]).contains('\u{1b}'));
    }
}
