//! Records, moves and times in a few words.

use crate::{
    format::game::Game,
    record::{BoardEvent, ClockSide, FaultKind, Move, Outcome, Side, Time},
};

/// A move less certain than this is marked.
const SURE: f64 = 0.99;

/// Text of others without control characters, which could steer a terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A time on a clock: `1:29:44`, below an hour `29:44`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// How long something is: `40 s`, `12 min`, `3 h 05`.
pub fn span(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", seconds / 60),
        _ => format!("{} h {:02}", seconds / 3600, seconds / 60 % 60),
    }
}

/// The time of day: `15:04:12`.
pub fn hour(time: Time) -> String {
    time.to_string().get(11..19).unwrap_or("").to_owned()
}

/// A move as the field writes it.
pub fn move_name(m: &Move) -> String {
    plain(m.san.as_ref().or(m.notation.as_ref()).map_or("--", |name| name))
}

/// The number in front of a ply, from 0: `12.` or `12...`.
pub fn number(game: &Game, ply: usize) -> String {
    let half_moves = game.first_half_move() + ply as u64;
    let dots = if half_moves.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", half_moves / 2 + 1)
}

/// The last so many plies of a game: `12.Nf3 Nc6 13.Bb5`.
pub fn last_moves(game: &Game, until: usize, count: usize) -> String {
    let from = until.saturating_sub(count);
    let mut text = String::new();
    for (ply, m) in game.moves.iter().enumerate().take(until).skip(from) {
        if !text.is_empty() {
            text.push(' ');
        }
        let whites = (game.first_half_move() + ply as u64).is_multiple_of(2);
        if whites || ply == from {
            text.push_str(&number(game, ply));
        }
        text.push_str(&move_name(m));
        text.push_str(doubt(m));
    }
    text
}

/// How a move is marked that may not be what was played.
pub fn doubt(m: &Move) -> &'static str {
    if m.guess || m.certainty.is_some_and(|certainty| certainty < SURE) { "(?)" } else { "" }
}

/// What else a doubtful move may have been, in words: `97 %, or Nf3 3 %`.
pub fn alternatives(m: &Move) -> String {
    let percent = |certainty: f64| format!("{:.0} %", certainty * 100.0);
    let mut text = m.certainty.map_or("bridges a gap".to_owned(), percent);
    for other in m.alternatives.iter().take(3) {
        let name = other.san.as_ref().or(other.notation.as_ref()).or(other.uci.as_ref());
        text.push_str(&format!(", or {} {}", plain(name.map_or("?", |name| name)), percent(other.certainty)));
    }
    text
}

/// A result as PGN has it.
pub fn result(result: Option<Outcome>) -> &'static str {
    result.map_or("*", Outcome::text)
}

/// What a board said.
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
        BoardEvent::Clock(told) if !told.connected => "no clock".into(),
        BoardEvent::Clock(told) => {
            let shown = |side: Option<ClockSide>| side.map_or("?".into(), |side| clock(side.seconds.0));
            let running = match (told.running, told.turn) {
                (Some(true), Some(turn)) => format!(", {} runs", side(turn)),
                _ => ", halted".into(),
            };
            let battery = if told.low_battery == Some(true) { ", battery low" } else { "" };
            format!("clock {} {}{running}{battery}", shown(told.left), shown(told.right))
        }
        BoardEvent::Mark(mark) => match serde_json::to_value(mark.mark) {
            Ok(serde_json::Value::String(name)) => format!("mark {name}"),
            _ => "mark".into(),
        },
        BoardEvent::History(history) => format!("its log follows: {} records", history.count),
        BoardEvent::Lost(state) => format!("lost: {}", plain(&state.reason)),
        BoardEvent::Found(state) => format!("found: {}", plain(&state.reason)),
        BoardEvent::Fault(fault) => format!("fault, {}: {}", fault_kind(fault.kind), plain(&fault.detail)),
        BoardEvent::Answers(answers) => {
            let missed = answers.missed + answers.spoilt;
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

/// A class of faults.
pub fn fault_kind(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Checksum => "checksum",
        FaultKind::Framing => "framing",
        FaultKind::Timeout => "timeout",
        FaultKind::Corrupt => "corrupt",
        FaultKind::Gap => "gap",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_clocks_and_people_say_them() {
        assert_eq!([clock(59.9), clock(3600.0), clock(-3.0)], ["0:59", "1:00:00", "0:00"]);
        assert_eq!([span(40.4), span(99.0), span(100.0), span(7500.0)], ["40 s", "99 s", "1 min", "2 h 05"]);
    }
}
