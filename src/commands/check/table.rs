//! What `check` finds, as people read it: a table of the boards, and under it what needs a hand.

use anstyle::{AnsiColor, Style};

use crate::{
    format::plain,
    health::BoardSummary,
    record::{Finding, Zone},
    stdio::coloured,
};

/// The head of the table.
const HEAD: [&str; 9] =
    ["board", "version", "games", "changes", "asked", "answers", "line use", "silent", "faults"];

/// The boards in figures, and the findings.
pub fn table(boards: &[BoardSummary], findings: &[Finding], zone: &Zone) -> String {
    let of_boards = boards.iter().filter(|board| board.board.is_some() || board.changes > 0);
    let mut rows: Vec<[String; 9]> = vec![HEAD.map(str::to_owned)];
    rows.extend(of_boards.map(row));
    let widths: Vec<usize> =
        (0..HEAD.len()).map(|n| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(n, (cell, width))| match n {
            8 => cell.clone(),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text.push('\n');
    if findings.is_empty() {
        text.push_str("nothing needs a hand\n");
    }
    findings.iter().for_each(|found| text.push_str(&finding(found, zone)));
    text
}

/// A finding and what to do.
pub fn finding(finding: &Finding, zone: &Zone) -> String {
    let bad = coloured(Style::new().fg_color(Some(AnsiColor::Red.into())));
    let dim = coloured(Style::new().dimmed());
    let name = name(finding.line.as_deref(), finding.board);
    let since =
        finding.since.map_or(String::new(), |since| format!(" (since {})", zone.date_and_time(since)));
    let (detail, advice) = (plain(&finding.detail), &finding.advice);
    format!("{name}  {bad}{detail}{bad:#}{dim}{since}{dim:#}\n       {advice}\n")
}

fn row(board: &BoardSummary) -> [String; 9] {
    let (asked, missed, spoilt) = board.asked;
    let ms = |seconds: f64| (seconds * 1000.0).round();
    let lost = match missed + spoilt {
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
