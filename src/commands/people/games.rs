//! Game records as text, one line each.

use anstyle::{AnsiColor, Style};

use super::words::hours;
use crate::{
    record::{Bound, EndReason, Evaluation, GameEvent, GameRecord, GameStart, Move, Rules, Tags, ply_number},
    stdio::coloured,
};

/// A record as one line: `1025  23. Qxb5  1:29:44`.
pub(super) fn line(record: &GameRecord) -> String {
    let line = record.line.as_deref().map_or(String::new(), |line| format!("{line} "));
    let whose = record.board.map_or_else(|| format!("game {}", record.game), |board| board.to_string());
    let (style, text) = (style(&record.event), words(record));
    // Control characters in a file must not reach the terminal.
    let plain = |text: &str| text.replace(char::is_control, " ");
    format!("{}{whose:>5}  {style}{}{style:#}\n", plain(&line), plain(&text))
}

fn words(record: &GameRecord) -> String {
    match &record.event {
        GameEvent::Game(start) => begins(record, start),
        GameEvent::Move(m) => played(m),
        GameEvent::Takeback(back) if back.ply == 0 => "taken back to the start position".into(),
        GameEvent::Takeback(back) => format!("taken back to {}", ply_number(back.ply, back.ply % 2 == 1)),
        GameEvent::Anomaly(anomaly) => {
            let detail = if anomaly.detail.is_empty() { "" } else { ": " };
            format!("{}{detail}{}", anomaly.kind.name(), anomaly.detail)
        }
        GameEvent::End(end) => {
            let result = end.result.map_or("*", |outcome| outcome.text());
            let reason = match end.reason {
                EndReason::Tag => String::new(),
                reason => format!(" ({})", spelt(&reason)),
            };
            format!("{result}{reason}")
        }
        GameEvent::Ruling(ruling) => format!("ruling: {}", ruling.words()),
        GameEvent::Evaluation(evaluation) => evaluated(evaluation),
    }
}

/// A value as the records spell it.
fn spelt(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_value(value).ok();
    text.and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
}

fn begins(record: &GameRecord, start: &GameStart) -> String {
    let number = if record.board.is_some() { format!("game {}: ", record.game) } else { String::new() };
    let rules = match start.rules {
        Rules::Russian => "Russian draughts".into(),
        rules => spelt(&rules),
    };
    let turned = if start.rotated { ", the board stands turned" } else { "" };
    format!("{number}{rules}{turned}{}", players(&start.tags))
}

fn players(tags: &Tags) -> String {
    let name = |name: &str| tags.get(name).filter(|name| !["", "?"].contains(name)).unwrap_or("?");
    match (name("White"), name("Black")) {
        ("?", "?") => String::new(),
        (white, black) => format!(", {white} - {black}"),
    }
}

fn played(m: &Move) -> String {
    let name = m.san.as_deref().or(m.notation.as_deref()).unwrap_or("?");
    let mut text = format!("{} {name}", m.number());
    if let Some(seconds) = m.seconds {
        text.push_str(&format!("  {}", hours(seconds.0)));
    }
    if m.guess {
        text.push_str("  (guess)");
    }
    if let Some(certainty) = doubt(m) {
        text.push_str(&format!("  ({:.0} % sure)", certainty * 100.0));
    }
    text
}

fn evaluated(evaluation: &Evaluation) -> String {
    let bound = match evaluation.bound {
        None => "",
        Some(Bound::Lower) => "at least ",
        Some(Bound::Upper) => "at most ",
    };
    let depth = evaluation.depth.map_or(String::new(), |depth| format!(", depth {depth}"));
    format!("evaluation after ply {}: {bound}{}{depth}", evaluation.ply, evaluation.score.text())
}

/// The probability of a move where others fit nearly as well: from this limit on the records list them.
fn doubt(m: &Move) -> Option<f64> {
    m.certainty.filter(|certainty| *certainty < 0.99)
}

fn style(event: &GameEvent) -> Style {
    let colour = |colour: AnsiColor| coloured(Style::new().fg_color(Some(colour.into())));
    match event {
        GameEvent::Anomaly(_) => colour(AnsiColor::Red),
        GameEvent::Takeback(_) | GameEvent::Ruling(_) => colour(AnsiColor::Yellow),
        GameEvent::Move(m) if m.guess || doubt(m).is_some() => colour(AnsiColor::Yellow),
        GameEvent::End(_) => colour(AnsiColor::Green),
        GameEvent::Game(_) => coloured(Style::new().bold()),
        GameEvent::Move(_) | GameEvent::Evaluation(_) => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::people::shown;

    #[test]
    fn games_are_printed_in_lines() {
        let of = |rest: &str| shown()(format!("{{\"board\":1025,\"game\":1,{rest}}}").as_bytes());
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let game = of(&format!(r#""type":"game","rules":"chess","fen":"{start}","rotated":true"#));
        assert_eq!(game, " 1025  game 1: chess, the board stands turned\n");
        let white = r#""type":"move","ply":45,"san":"Qxb5","uci":"b3b5","fen":"8/8/8/8/8/8/8/8 b - - 0 23","seconds":5384"#;
        assert_eq!(of(white), " 1025  23. Qxb5  1:29:44\n");
        let black = r#""type":"move","ply":46,"san":"Kd7","uci":"e8d7","fen":"8/8/8/8/8/8/8/8 w - - 0 24","guess":true"#;
        assert_eq!(of(black), " 1025  23... Kd7  (guess)\n");
        let doubted = black.replace("\"guess\":true", "\"certainty\":0.874");
        assert_eq!(of(&doubted), " 1025  23... Kd7  (87 % sure)\n");
        assert_eq!(of(&doubted.replace("0.874", "0.9949")), " 1025  23... Kd7\n");
        assert_eq!(of(r#""type":"takeback","ply":44"#), " 1025  taken back to 22...\n");
        assert_eq!(
            of(r#""type":"anomaly","ply":44,"kind":"illegal","detail":"Ke4""#),
            " 1025  illegal: Ke4\n"
        );
        assert_eq!(of(r#""type":"end","result":"1-0","reason":"checkmate""#), " 1025  1-0 (checkmate)\n");
    }

    #[test]
    fn repeated_moves_are_printed_only_with_other_text() {
        let mut shown = shown();
        let mut of = |rest: &str| shown(format!("{{\"board\":1025,\"game\":1,\"type\":{rest}}}").as_bytes());
        let e4 =
            r#""move","ply":1,"san":"e4","uci":"e2e4","fen":"8/8/8/8/8/8/8/8 b - - 0 1","certainty":0.9994"#;
        let e5 = r#""move","ply":2,"san":"e5","uci":"e7e5","fen":"8/8/8/8/8/8/8/8 w - - 0 2""#;
        assert_eq!((of(e4), of(e5)), (" 1025  1. e4\n".into(), " 1025  1... e5\n".into()));
        assert_eq!(of(&e4.replace(r#","certainty":0.9994"#, "")), "");
        assert_eq!(of(&format!("{e4},\"seconds\":5400")), " 1025  1. e4  1:30:00\n");
        assert_eq!(of(r#""takeback","ply":1"#), " 1025  taken back to 1.\n");
        assert_eq!(of(e5), " 1025  1... e5\n");
        // Another board, and the next game on this one.
        assert_eq!(shown(format!("{{\"board\":7,\"game\":1,\"type\":{e5}}}").as_bytes()), "    7  1... e5\n");
        assert_eq!(
            shown(format!("{{\"board\":1025,\"game\":2,\"type\":{e5}}}").as_bytes()),
            " 1025  1... e5\n"
        );
    }

    #[test]
    fn draughts_begun_by_black_and_files_have_numbers() {
        let of = |rest: &str| shown()(format!("{{\"game\":7,{rest}}}").as_bytes());
        let tags = r#""tags":{"White":"A\u001b[31m","Black":"B"}"#;
        let game = of(&format!(r#""type":"game","rules":"russian","fen":"B:Wa1:Bh8",{tags}"#));
        assert_eq!(game, "game 7  Russian draughts, A [31m - B\n");
        let black = r#""type":"move","ply":1,"notation":"h8-g7","fen":"W:Wa1:Bg7""#;
        assert_eq!(of(black), "game 7  1... h8-g7\n");
        let white = r#""type":"move","ply":2,"notation":"a1-b2","fen":"B:Wb2:Bg7""#;
        assert_eq!(of(white), "game 7  2. a1-b2\n");
    }
}
