//! Records and times in a few words.

pub use crate::format::plain;
use crate::record::{BoardEvent, CalibrationReason, ClockSide, Outcome, Side, Time, Zone};

/// A time on a clock: `1:29:44`, under an hour `29:44`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A duration: `40 s`, `12 min`, `3 h 05`.
pub fn span(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", seconds / 60),
        _ => format!("{} h {:02}", seconds / 3600, seconds / 60 % 60),
    }
}

/// The duration of a state: `for 40 s`, beyond a day `since 2026-11-21`.
pub fn lasting(since: Time, now: Time, zone: &Zone) -> String {
    zone.lasting(since, now, |seconds| format!("for {}", span(seconds)))
}

/// The time since an event: `40 s ago`, beyond a day `2026-11-21`.
pub fn ago(time: Time, now: Time, zone: &Zone) -> String {
    zone.long_ago(time, now).unwrap_or_else(|| format!("{} ago", span(time.seconds_until(now))))
}

/// A result in the form of PGN.
pub fn result(result: Option<Outcome>) -> &'static str {
    result.map_or("*", Outcome::text)
}

/// A board record as text.
pub fn record(event: &BoardEvent) -> String {
    match event {
        BoardEvent::Board(found) => match &found.version {
            Some(version) => format!("board, version {}", plain(version)),
            None => "board".into(),
        },
        BoardEvent::Position(position) => format!("position {}", position.placement),
        BoardEvent::Change(change) => {
            let quick = if change.quick == Some(true) { ", quick" } else { "" };
            let piece = change.piece.map_or("empty", |piece| piece.text());
            format!("{} {piece}{quick}", change.square)
        }
        BoardEvent::Quiet {} => "rests".into(),
        BoardEvent::Press(press) => format!("press {} {}", side(press.side), clock(press.seconds.0)),
        BoardEvent::Clock(reading) if !reading.connected => "no clock".into(),
        BoardEvent::Clock(reading) => {
            let shown = |side: Option<ClockSide>| side.map_or("?".into(), |side| clock(side.seconds.0));
            // A screen of 80 columns has room for this, and not for the side in words.
            let turn = reading.turn.filter(|_| reading.running == Some(true));
            let (left, right, state) = match turn {
                Some(Side::Left) => ("*", "", ""),
                Some(Side::Right) => ("", "*", ""),
                None => ("", "", ", halted"),
            };
            let battery = if reading.low_battery == Some(true) { ", battery low" } else { "" };
            format!("clock {}{left} {}{right}{state}{battery}", shown(reading.left), shown(reading.right))
        }
        BoardEvent::Mark(mark) => match serde_json::to_value(mark.mark) {
            Ok(serde_json::Value::String(name)) => format!("mark {name}"),
            _ => "mark".into(),
        },
        BoardEvent::History(history) => format!("its log follows: {} records", history.count),
        BoardEvent::Lost(state) => format!("lost: {}", plain(&state.reason)),
        BoardEvent::Found(state) => format!("found: {}", plain(&state.reason)),
        BoardEvent::Fault(fault) => format!("fault, {}: {}", fault.kind.name(), plain(&fault.detail)),
        BoardEvent::Calibration(calibration) => match calibration.reason {
            Some(CalibrationReason::Unknown) => "a piece that is not known".into(),
            _ => format!("{} chips are known", calibration.chips.0.len()),
        },
        BoardEvent::Readings(readings) => format!("{} ghosts, {} missed", readings.ghosts, readings.missed),
        BoardEvent::Answers(answers) => {
            let missed = answers.missed.saturating_add(answers.spoilt);
            format!(
                "{} answers in {:.0} ms, {missed} missed",
                answers.asked,
                answers.median_seconds.0 * 1000.0
            )
        }
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_fits_half_a_small_screen() {
        let of = |rest: &str| {
            let sides = r#""connected":true,"left":{"seconds":5148},"right":{"seconds":5041}"#;
            let line = format!(r#"{{"type":"clock","board":1,{sides},{rest}}}"#);
            let Ok(crate::record::Record::Board(board)) = crate::record::parse(line.as_bytes()) else {
                panic!("{line}")
            };
            record(&board.event)
        };
        assert_eq!(of(r#""running":true,"turn":"left""#), "clock 1:25:48* 1:24:01");
        assert_eq!(of(r#""running":true,"turn":"right""#), "clock 1:25:48 1:24:01*");
        let halted = of(r#""running":false,"turn":"right","low_battery":true"#);
        assert_eq!(halted, "clock 1:25:48 1:24:01, halted, battery low");
    }

    #[test]
    fn times_and_durations_have_the_usual_form() {
        assert_eq!([clock(59.9), clock(3600.0), clock(-3.0)], ["0:59", "1:00:00", "0:00"]);
        assert_eq!([span(40.4), span(99.0), span(100.0), span(7500.0)], ["40 s", "99 s", "1 min", "2 h 05"]);
    }
}
