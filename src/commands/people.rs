//! Records as text, one line each.

mod games;
mod published;
mod words;

use std::{sync::LazyLock, time::Duration};

use anstyle::{AnsiColor, Style};

use crate::{
    record::{
        self, Answers, BoardEvent, BoardRecord, Calibration, CalibrationReason, Chip, Clock, ClockSide,
        MarkKind, Record, Seconds, Side, Zone,
    },
    stdio::coloured,
};
use published::Published;
use words::hours;

/// The local time zone; read once, since that reads files.
static HERE: LazyLock<Zone> = LazyLock::new(Zone::here);

/// Turns JSON lines into text, each with a line end; empty for records without text.
pub fn shown() -> impl FnMut(&[u8]) -> String + Send {
    let mut published = Published::default();
    move |json| match record::parse(json) {
        Ok(Record::Board(record)) => line(&record),
        Ok(Record::Game(record)) => {
            let text = games::line(&record);
            if published.is_news(&record, &text) { text } else { String::new() }
        }
        _ => String::new(),
    }
}

/// A record as one line.
pub fn line(record: &BoardRecord) -> String {
    line_in(&HERE, record)
}

fn line_in(zone: &Zone, record: &BoardRecord) -> String {
    let time = record.time.map(|time| zone.time_of_day(time)).unwrap_or_default();
    let board = record.board.map_or(String::new(), |board| board.to_string());
    let line = record.line.as_deref().map_or(String::new(), |line| format!("{line} "));
    let (style, text) = (style(&record.event), words(&record.event));
    format!("{time}  {line}{board:>5}  {style}{text}{style:#}\n")
}

/// A board that answers, as a row of a table.
pub fn row(board: u16, version: Option<&str>) -> String {
    format!("{board:>5}  {}\n", version.unwrap_or("≤1.2"))
}

/// The head of that table.
pub const HEAD: &str = "board  version\n";

fn words(event: &BoardEvent) -> String {
    match event {
        BoardEvent::Board(found) => match &found.version {
            Some(version) => format!("answers, version {version}"),
            None => "answers".into(),
        },
        BoardEvent::Position(position) => match position.result {
            Some(result) => format!("stands {}, result {result}", position.placement),
            None => format!("stands {}", position.placement),
        },
        BoardEvent::Change(change) => match change.piece {
            Some(piece) => format!("{} {piece}", change.square),
            None => format!("{} empty", change.square),
        },
        BoardEvent::Quiet {} => "rests".into(),
        BoardEvent::Press(press) => {
            let side = if press.side == Side::Left { "left" } else { "right" };
            format!("{side} pressed, {}", hours(press.seconds.0))
        }
        BoardEvent::Clock(clock) => clock_words(clock),
        BoardEvent::Mark(mark) => mark_words(mark.mark).into(),
        BoardEvent::History(history) => {
            let start = if history.complete { "" } else { ", without its start mark" };
            format!("the log since the start mark: {} entries{start} ({})", history.count, history.reason)
        }
        BoardEvent::Lost(link) => format!("does not answer ({})", link.reason),
        BoardEvent::Found(link) => format!("answers again ({})", link.reason),
        BoardEvent::Fault(fault) => match &fault.bytes {
            Some(bytes) => format!("fault: {}: {bytes}", fault.detail),
            None => format!("fault: {}", fault.detail),
        },
        BoardEvent::Answers(answers) => answers_words(answers),
        BoardEvent::Calibration(calibration) => calibration_words(calibration),
        BoardEvent::Readings(readings) => format!(
            "in {} reports {} ghosts and {} missed pieces, set aside",
            readings.reports, readings.ghosts, readings.missed
        ),
    }
}

fn calibration_words(calibration: &Calibration) -> String {
    let chips = &calibration.chips.0;
    match calibration.reason {
        Some(CalibrationReason::Unknown) => {
            let names: Vec<String> = chips.keys().map(Chip::to_string).collect();
            format!("a piece that is not known: chip {}", names.join(", "))
        }
        Some(CalibrationReason::StartPosition) => {
            format!("{} chips named by the start position", chips.len())
        }
        Some(CalibrationReason::Given) | None => format!("{} chips are known", chips.len()),
    }
}

fn answers_words(answers: &Answers) -> String {
    let ms = |seconds: Seconds| (seconds.0 * 1000.0).round();
    let (median, worst) = (ms(answers.median_seconds), ms(answers.worst_seconds));
    format!(
        "asked {} times, {} without an answer, {} spoilt; answers took {median} ms, up to {worst}",
        answers.asked, answers.missed, answers.spoilt
    )
}

fn style(event: &BoardEvent) -> Style {
    let colour = |colour: AnsiColor| coloured(Style::new().fg_color(Some(colour.into())));
    match event {
        BoardEvent::Lost(_) | BoardEvent::Fault(_) => colour(AnsiColor::Red),
        BoardEvent::Found(_) | BoardEvent::Board(_) => colour(AnsiColor::Green),
        BoardEvent::Mark(_) | BoardEvent::History(_) => colour(AnsiColor::Yellow),
        BoardEvent::Quiet {} | BoardEvent::Answers(_) | BoardEvent::Readings(_) => {
            coloured(Style::new().dimmed())
        }
        _ => Style::new(),
    }
}

fn mark_words(mark: MarkKind) -> &'static str {
    match mark {
        MarkKind::PowerUp => "was switched on, and lists its pieces",
        MarkKind::Watchdog => "was reset by its watchdog",
        MarkKind::Start => "start mark",
        MarkKind::Begin => "stands in the start position",
        MarkKind::BeginRotated => "stands in the start position, turned",
        MarkKind::FourRows => "stands in four full rows",
        MarkKind::Empty => "is empty",
        MarkKind::Downloaded => "log sent",
        MarkKind::End => "end of the log",
    }
}

/// The text of a clock's display.
pub fn clock_words(clock: &Clock) -> String {
    let (Some(left), Some(right)) = (&clock.left, &clock.right) else { return "no clock".into() };
    let shown = |reading: &ClockSide, at: Side| {
        let turn = if clock.turn == Some(at) && clock.running == Some(true) { "*" } else { "" };
        let flag = if reading.flag { " (flag)" } else { "" };
        format!("{}{turn}{flag}", hours(reading.seconds.0))
    };
    let state = if clock.running == Some(true) { "" } else { ", stopped" };
    let low = if clock.low_battery == Some(true) { ", battery low" } else { "" };
    format!("clock {} / {}{state}{low}", shown(left, Side::Left), shown(right, Side::Right))
}

/// The warning that answers take long on a line, with the effect on its boards.
pub fn slow_line(answers: Duration, boards: usize) -> String {
    /// The duration of a poll on a cable: ten bytes, and the board's own latency.
    const POLL: Duration = Duration::from_millis(15);
    let round = |poll: Duration| (poll * boards.max(1) as u32).as_secs_f64();
    let (plural, ms) = (if boards == 1 { "" } else { "s" }, answers.as_millis());
    format!(
        "answers take {ms} ms on this line, 4 on a cable: to ask {boards} board{plural} once takes {:.1} s instead of {:.1} s",
        round(POLL + answers),
        round(POLL)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{self, Record};

    fn read(json: &str) -> BoardRecord {
        match record::parse(json.as_bytes()).unwrap() {
            Record::Board(record) => record,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_record_is_a_line() {
        for (json, text) in [
            (
                r#"{"type":"change","time":"2026-11-21T10:00:07.412Z","board":1025,"square":"e4","piece":"P"}"#,
                "11:00:07 CET   1025  e4 P\n",
            ),
            (
                r#"{"type":"press","board":3,"side":"left","seconds":5393}"#,
                "      3  left pressed, 1:29:53\n",
            ),
            (
                concat!(
                    r#"{"type":"clock","line":"hall-2","board":3,"connected":true,"left":{"seconds":60},"#,
                    r#""right":{"seconds":0,"flag":true},"running":true,"turn":"left"}"#
                ),
                "  hall-2     3  clock 0:01:00* / 0:00:00 (flag)\n",
            ),
        ] {
            assert_eq!(line_in(&Zone::named("Europe/Berlin").unwrap(), &read(json)), text);
        }
    }
}
