//! The markup of the pages: little more than the data, and places for the script to fill.

use std::sync::LazyLock;

use super::{Look, SCRIPT, STYLE, hash, json};
use crate::format::words::plain;

/// What the pages of a site may load: files beside them.
const SITE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                    connect-src 'self'; base-uri 'none'; form-action 'none'";

/// The beginning of a page without other files; its games follow, one by one.
pub fn single_begin(look: &Look) -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash::source(SCRIPT),
        hash::source(STYLE)
    );
    let (head, no_script) = (head(&policy, &look.text("Games", &[]), look), no_script(look));
    format!(
        "{head}<style>{STYLE}</style>\n</head>\n<body>\n<main id=\"page\" data-kind=\"single\">{no_script}</main>\n{VIEW}"
    )
}

/// The end of such a page, with the overview.
pub fn single_end(index: &[u8], look: &Look) -> Vec<u8> {
    let mut text = [data("index", index), look_data(look)].concat();
    text.extend_from_slice(format!("<script>{SCRIPT}</script>\n</body>\n</html>\n").as_bytes());
    text
}

/// The data of a game in a page.
pub fn game(id: &str, json: &[u8]) -> Vec<u8> {
    data(&format!("game-{id}"), json)
}

/// The overview of a site.
pub fn index(title: &str, index: &[u8], look: &Look) -> Vec<u8> {
    site(title, "data-kind=\"index\"", &[data("index", index)], look)
}

/// The front page of an event, with the name of the data that it polls.
pub fn event(title: &str, event: &[u8], look: &Look) -> Vec<u8> {
    site(title, "data-kind=\"event\"", &[data("event", event)], look)
}

/// The page of one game of a site: its data, and the polled data about this game.
pub fn of_game(title: &str, id: &str, json: &[u8], live: &[u8], look: &Look) -> Vec<u8> {
    let kind = format!("data-kind=\"game\" data-id=\"{}\"", escaped(id));
    site(title, &kind, &[game(id, json), data("live", live)], look)
}

/// The places that the script fills with a game.
const VIEW: &str = include_str!("view.html");

/// The text where no script runs.
fn no_script(look: &Look) -> String {
    let text = look.text("These pages show games by a script, which this browser does not run.", &[]);
    format!("<noscript><p>{}</p></noscript>", escaped(&text))
}

/// The user's own parts of the page, where there are any.
fn look_data(look: &Look) -> Vec<u8> {
    if look.is_plain() { Vec::new() } else { data("look", &json(look)) }
}

fn site(title: &str, kind: &str, data: &[Vec<u8>], look: &Look) -> Vec<u8> {
    let (head, no_script) = (head(SITE, title, look), no_script(look));
    // The addresses have hashes, so that a browser does not use cached files of an earlier program.
    static LINKS: LazyLock<String> = LazyLock::new(|| {
        let (style, script) = (hash::short(STYLE), hash::short(SCRIPT));
        format!(
            "<link rel=\"stylesheet\" href=\"page.css?{style}\">\n<script src=\"page.js?{script}\" defer></script>\n"
        )
    });
    let mut text =
        format!("{head}{}</head>\n<body>\n<main id=\"page\" {kind}>{no_script}</main>\n{VIEW}", *LINKS)
            .into_bytes();
    text.extend(data.concat());
    text.extend(look_data(look));
    text.extend_from_slice(b"</body>\n</html>\n");
    text
}

fn head(policy: &str, title: &str, look: &Look) -> String {
    let (title, lang) = (escaped(title), escaped(look.lang()));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n"
    )
}

/// JSON that has been made inert, as an element of the page.
fn data(id: &str, json: &[u8]) -> Vec<u8> {
    let id = escaped(id);
    [format!("<script type=\"application/json\" id=\"{id}\">").as_bytes(), json, b"</script>\n"].concat()
}

fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
