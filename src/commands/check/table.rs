//! What `check` finds, as text: a table of the boards, and under it the findings.

use anstyle::{AnsiColor, Style};

use crate::{
    format::plain,
    health::BoardSummary,
    record::{Finding, Zone},
    stdio::{self, coloured},
};

/// The head of the table.
const HEAD: [&str; 9] =
    ["board", "version", "games", "changes", "asked", "answers", "line use", "silent", "faults"];

/// The indentation of lines that continue the one above, in columns: the width of an address.
const INDENT: usize = 7;

/// The boards in figures, and the findings; on a terminal, wrapped to its width.
pub fn table(boards: &[BoardSummary], findings: &[Finding], zone: &Zone) -> String {
    laid_out(boards, findings, zone, room(), stdio::failed() == 0)
}

/// A finding with its advice.
pub fn finding(finding: &Finding, zone: &Zone) -> String {
    finding_in(finding, zone, room())
}

/// The number of columns of the terminal; without one the text is not wrapped.
fn room() -> usize {
    stdio::window().map_or(usize::MAX, |(columns, _)| usize::from(columns))
}

/// The table and the findings in this many columns. `all` is false when some of the input could not be read.
fn laid_out(boards: &[BoardSummary], findings: &[Finding], zone: &Zone, room: usize, all: bool) -> String {
    if boards.is_empty() && findings.is_empty() {
        return "no records of boards: nothing to report\n".into();
    }
    let of_boards = boards.iter().filter(|board| board.board.is_some() || board.changes > 0);
    let mut rows: Vec<[String; 9]> = vec![HEAD.map(str::to_owned)];
    rows.extend(of_boards.map(row));
    let widths: Vec<usize> =
        (0..HEAD.len()).map(|n| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0)).collect();
    let mut text: String = rows.iter().map(|row| row_in(row, &widths, room)).collect();
    text.push('\n');
    match (findings, all) {
        ([], true) => text.push_str("nothing needs a hand\n"),
        ([], false) => text.push_str("nothing needs a hand in what could be read\n"),
        (findings, _) => {
            without_alternatives(findings).for_each(|found| text.push_str(&finding_in(found, zone, room)))
        }
    }
    text
}

/// The findings, where of several candidates for one dead square only the first is listed.
fn without_alternatives(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    let same = |one: &Finding, other: &Finding| {
        (one.board, &one.line, &one.one_of, &one.detail)
            == (other.board, &other.line, &other.one_of, &other.detail)
    };
    let again = move |at: usize| {
        let found = &findings[at];
        !found.one_of.is_empty() && findings[..at].iter().any(|earlier| same(earlier, found))
    };
    (0..findings.len()).filter(move |&at| !again(at)).map(|at| &findings[at])
}

/// A row of the table. Columns that do not fit are in the next line, for all boards the same.
fn row_in(row: &[String; 9], widths: &[usize], room: usize) -> String {
    let (mut text, mut used) = (String::new(), 0);
    for (n, (cell, &width)) in row.iter().zip(widths).enumerate() {
        let gap = if n == 0 { 0 } else { 2 };
        if used > INDENT && used + gap + width > room {
            text.truncate(text.trim_end().len());
            text.push_str(&format!("\n{:INDENT$}", ""));
            used = INDENT;
        } else {
            text.push_str(&" ".repeat(gap));
            used += gap;
        }
        match n {
            8 => text.push_str(cell),
            _ => text.push_str(&format!("{cell:>width$}")),
        }
        used += width;
    }
    let last = text.rfind('\n').map_or(0, |end| end + 1);
    let whole = text[..last].to_owned() + &wrapped(text[last..].trim_end(), room);
    whole + "\n"
}

/// Wraps a text to this many columns, between words. Escape sequences of styles have no width.
fn wrapped(text: &str, room: usize) -> String {
    let (mut lines, mut used) = (String::new(), 0);
    for (n, word) in text.split(' ').enumerate() {
        let wide = width(word);
        if used > INDENT && used + 1 + wide > room {
            lines.push_str(&format!("\n{:INDENT$}", ""));
            used = INDENT;
        } else if n > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += wide;
    }
    lines
}

/// The number of columns of a word.
fn width(word: &str) -> usize {
    let mut styled = false;
    let shown = word.chars().filter(|&c| {
        let (was, begins) = (styled, c == '\x1b');
        styled = begins || styled && c != 'm';
        !was && !begins
    });
    shown.count()
}

/// A finding with its advice in this many columns.
fn finding_in(finding: &Finding, zone: &Zone, room: usize) -> String {
    let bad = coloured(Style::new().fg_color(Some(AnsiColor::Red.into())));
    let dim = coloured(Style::new().dimmed());
    let name = name(finding.line.as_deref(), finding.board);
    let since =
        finding.since.map_or(String::new(), |since| format!(" (since {})", zone.date_and_time(since)));
    let (detail, advice) = (plain(&finding.detail), &finding.advice);
    let found = wrapped(&format!("{name}  {bad}{detail}{bad:#}{dim}{since}{dim:#}"), room);
    let advice = wrapped(&format!("{:INDENT$}{advice}", ""), room);
    format!("{found}\n{advice}\n")
}

fn row(board: &BoardSummary) -> [String; 9] {
    let (asked, missed, spoilt) = board.asked;
    let ms = |seconds: f64| (seconds * 1000.0).round();
    let lost = match missed.saturating_add(spoilt) {
        0 => String::new(),
        lost => format!(", {lost} lost"),
    };
    let (silences, longest) = board.silences;
    let none = || "-".to_owned();
    [
        name(board.line.as_deref(), board.board),
        board.version.as_deref().map_or_else(none, |version| plain(version).into_owned()),
        board.games.to_string(),
        board.changes.to_string(),
        if asked > 0 { format!("{asked}{lost}") } else { none() },
        board.answers.map_or_else(none, |(median, worst)| format!("{} ms, worst {}", ms(median), ms(worst))),
        if asked > 0 { format!("{:.1} %", board.line_use * 100.0) } else { none() },
        if silences > 0 { format!("{silences}, {longest:.0} s") } else { none() },
        if board.faults.is_empty() { none() } else { board.faults.join(", ") },
    ]
}

/// A board, or a line.
fn name(line: Option<&str>, board: Option<u16>) -> String {
    match (line.map(plain), board) {
        (Some(line), Some(board)) => format!("{line} {board:>5}"),
        (Some(line), None) => format!("{line}  line"),
        (None, Some(board)) => format!("{board:>5}"),
        (None, None) => " line".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{FindingKind, Time};

    fn board() -> BoardSummary {
        BoardSummary {
            line: None,
            board: Some(1027),
            version: Some("1.6".into()),
            games: 1,
            changes: 212,
            moved: None,
            asked: (3000, 12, 1),
            answers: Some((0.0121, 0.250)),
            line_use: 0.12,
            faults: vec!["checksum 12".into(), "framing 3".into(), "timeout 1".into()],
            silences: (2, 40.0),
            resets: 0,
        }
    }

    fn found() -> Finding {
        Finding {
            kind: FindingKind::DeadSquare,
            line: None,
            board: Some(1027),
            square: None,
            one_of: Vec::new(),
            since: Some(Time(0)),
            count: 1,
            detail: "e4 no longer reports a piece, though two games were played".into(),
            advice: "put a piece on e4 and see in `boardbus dump --follow` whether the square goes".into(),
        }
    }

    #[test]
    fn lines_end_between_words_where_the_terminal_ends() {
        let lay = |room| laid_out(&[board()], &[found()], &Zone::default(), room, true);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let whole = lay(usize::MAX);
        assert_eq!(whole.lines().count(), 5, "{whole}");
        for room in [80, 60, 40] {
            let text = lay(room);
            assert!(text.lines().all(|line| line.chars().count() <= room), "{room}:\n{text}");
            let mut expected = words(&whole);
            let mut parted = words(&text);
            // Columns of the head are above theirs.
            expected.sort();
            parted.sort();
            assert_eq!(parted, expected);
        }
        // Two candidates for one dead square: two findings, one line.
        let [e3, e4] = ["e3", "e4"].map(|square| square.parse().unwrap());
        let one_of = |square| Finding { square: Some(square), one_of: vec![e4, e3], ..found() };
        let both = laid_out(&[board()], &[one_of(e3), one_of(e4)], &Zone::default(), usize::MAX, true);
        assert_eq!(both, whole);
        // Colours take no columns.
        let styled = "1027 \x1b[31mfive six\x1b[0m";
        assert_eq!(wrapped(styled, 13), styled);
        assert_eq!(wrapped(styled, 12), "1027 \x1b[31mfive\n       six\x1b[0m");
    }

    #[test]
    fn incomplete_readings_do_not_claim_healthy_boards() {
        let lay = |boards: &[BoardSummary], all| laid_out(boards, &[], &Zone::default(), 80, all);
        assert!(lay(&[board()], true).ends_with("\nnothing needs a hand\n"));
        assert!(lay(&[board()], false).ends_with("\nnothing needs a hand in what could be read\n"));
        for all in [true, false] {
            assert_eq!(lay(&[], all), "no records of boards: nothing to report\n");
        }
    }
}
