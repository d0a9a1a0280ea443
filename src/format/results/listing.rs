//! The results of a round for people and for scripts: CSV with a row for each table, and text for a terminal.

use std::collections::BTreeSet;

use super::verdict::{Line, Verdict};
use crate::format::words::plain;

/// The columns of CSV.
const COLUMNS: [&str; 12] = [
    "table",
    "board",
    "line",
    "game",
    "white",
    "black",
    "result",
    "reason",
    "plies",
    "certainty",
    "state",
    "note",
];

/// CSV: an uncertain result is left out.
pub fn csv(lines: &[Line], with_doubtful: bool) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for line in lines {
        let shown = line.verdict.shown(with_doubtful);
        let tag = |name: &str| line.seat.tag(name).unwrap_or_default().to_owned();
        let (state, note) = match &line.verdict {
            Verdict::Waiting => ("waiting", ""),
            Verdict::Playing => ("playing", ""),
            Verdict::Young(_) => ("just over", ""),
            Verdict::Sure(_) => ("over", ""),
            Verdict::Doubtful(_, why) => ("look", &why[..]),
        };
        let fields = [
            tag("Board"),
            line.seat.board.to_string(),
            line.line.clone().unwrap_or_default(),
            line.game.map_or(String::new(), |game| game.to_string()),
            tag("White"),
            tag("Black"),
            shown.map_or("", |shown| shown.text()).to_owned(),
            shown.map_or("", |shown| shown.reason).to_owned(),
            line.plies.to_string(),
            if line.plies == 0 { String::new() } else { format!("{:.4}", line.certainty) },
            state.to_owned(),
            note.to_owned(),
        ];
        text += &(fields.map(|field| quoted(&field)).join(",") + "\n");
    }
    text
}

fn quoted(field: &str) -> String {
    let field = plain(field);
    // A spreadsheet takes a text with such a beginning for a formula.
    let field = if field.starts_with(['=', '@']) { format!("'{field}") } else { field.into_owned() };
    if field.contains([',', '"', ';']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// A heading, with its tables.
type Group<'a> = (&'static str, Vec<&'a Line>);

/// The tables that are over, that have to be checked, and that are in play; and those with a result in the file of the
/// pairings.
fn groups<'a>(lines: &'a [Line], confirmed: &BTreeSet<u16>) -> Vec<Group<'a>> {
    let titles = [
        "Over",
        "Needs a look",
        "Just over: play may go on",
        "Still played",
        "Nobody has moved",
        "Confirmed: the pairings have a result",
    ];
    let group = |line: &Line| match line.verdict {
        _ if line.number().is_some_and(|table| confirmed.contains(&table)) => 5,
        Verdict::Sure(_) => 0,
        Verdict::Doubtful(..) => 1,
        Verdict::Young(_) => 2,
        Verdict::Playing => 3,
        Verdict::Waiting => 4,
    };
    let of = |at: usize| lines.iter().filter(|line| group(line) == at).collect::<Vec<_>>();
    let groups = titles.into_iter().enumerate().map(|(at, title)| (title, of(at)));
    groups.filter(|(_, lines)| !lines.is_empty()).collect()
}

/// Text for a terminal.
pub fn text(lines: &[Line], confirmed: &BTreeSet<u16>) -> String {
    let width = lines.iter().map(|line| who(line).chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, of_kind) in groups(lines, confirmed) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{title} ({})\n", of_kind.len());
        for line in of_kind {
            let row = format!("{:>5}  {:<width$}  {}", line.table(), who(line), words(line));
            text += &(row.trim_end().to_owned() + "\n");
        }
    }
    text
}

/// A page that reloads itself.
pub fn html(lines: &[Line], confirmed: &BTreeSet<u16>) -> String {
    let mut text = HEAD.to_owned();
    for (title, of_kind) in groups(lines, confirmed) {
        text += &format!("<h2>{title} ({})</h2>\n<table>\n", of_kind.len());
        for line in of_kind {
            let cells =
                [line.table(), who(line), words(line)].map(|cell| format!("<td>{}</td>", escaped(&cell)));
            text += &format!("<tr>{}</tr>\n", cells.concat());
        }
        text += "</table>\n";
    }
    text + "</html>\n"
}

/// The beginning of the page: nothing from other sites is loaded.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
    <meta http-equiv=\"refresh\" content=\"5\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
    <title>Results, not yet confirmed</title>\n\
    <style>body{font:1rem/1.4 sans-serif;margin:1rem}td{padding:.1rem .8rem .1rem 0;white-space:pre-wrap}</style>\n\
    <h1>Results, not yet confirmed</h1>\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn who(line: &Line) -> String {
    let tag = |name: &str| plain(line.seat.tag(name).unwrap_or("?")).into_owned();
    format!("{} - {}", tag("White"), tag("Black"))
}

fn words(line: &Line) -> String {
    let plies = format!("{} plies", line.plies);
    match &line.verdict {
        Verdict::Sure(shown) | Verdict::Young(shown) => {
            format!("{:<7}  {}, {plies}", shown.text(), shown.reason)
        }
        Verdict::Doubtful(Some(shown), why) => format!("{:<7}  {why}", shown.text()),
        Verdict::Doubtful(None, why) => format!("{:<7}  {why}", "*"),
        Verdict::Playing => plies,
        Verdict::Waiting => String::new(),
    }
}
