//! A ply as a screen keeps it: only what is written and drawn, since a hall has thousands of them.

use super::words;
use crate::{
    format::game::{self, Kept},
    record::{Move, Square, Time},
};

/// A move less certain than this is marked.
const SURE: f64 = 0.99;

/// A game as a screen keeps it.
pub type Game = game::Game<Ply>;

/// The data kept of a ply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ply {
    /// The move in its usual notation; empty where unknown.
    name: Box<str>,
    /// For a doubtful move: its certainty and its alternatives, as text.
    pub unsure: Option<Box<str>>,
    /// The expected position after it: the first field of a FEN, or a whole position of draughts.
    pub stands: Box<str>,
    /// The squares that it left and reached, a bit each.
    pub moved: u64,
    guess: bool,
}

impl Kept for Ply {
    fn keep(m: Move, _: Option<Time>) -> Ply {
        let name = words::plain(m.san.as_ref().or(m.notation.as_ref()).map_or("", |name| name)).into();
        let doubtful = m.guess || m.certainty.is_some_and(|certainty| certainty < SURE);
        let unsure = doubtful.then(|| alternatives(&m).into());
        let stands = m.fen.split(' ').next().unwrap_or("").into();
        Ply { name, unsure, stands, moved: moved(&m), guess: m.guess }
    }

    fn is_guess(&self) -> bool {
        self.guess
    }
}

impl Ply {
    /// The move in its usual notation.
    pub fn name(&self) -> &str {
        if self.name.is_empty() { "--" } else { &self.name }
    }

    /// The sign after the name of a doubtful move.
    pub fn doubt(&self) -> &'static str {
        if self.unsure.is_some() { "(?)" } else { "" }
    }
}

/// The certainty and alternatives of a doubtful move: `97 %, or Nf3 3 %`.
fn alternatives(m: &Move) -> String {
    // A doubtful move is not displayed with 100 %; a decimal number may be stored as slightly less than its text.
    let percent = |certainty: f64| format!("{:.0} %", (certainty * 100.0 + 1e-6).floor());
    let mut text = m.certainty.map_or("bridges a gap".to_owned(), percent);
    for other in m.alternatives.iter().take(3) {
        let name = other.san.as_ref().or(other.notation.as_ref()).or(other.uci.as_ref());
        let name = words::plain(name.map_or("?", |name| name));
        text.push_str(&format!(", or {name} {}", percent(other.certainty)));
    }
    text
}

fn moved(m: &Move) -> u64 {
    let bit = |name: &str| name.parse().map_or(0, |square: Square| 1u64 << square.field());
    match &m.uci {
        Some(uci) if uci.is_ascii() && uci.len() >= 4 => bit(&uci[..2]) | bit(&uci[2..4]),
        _ => m.path.iter().fold(0, |squares, name| squares | bit(name)),
    }
}

/// The number before a ply, counted from 0: `12.` or `12...`.
pub fn number(game: &Game, ply: usize) -> String {
    let half_moves = game.first_half_move() + ply as u64;
    let dots = if half_moves.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", half_moves / 2 + 1)
}

/// The last `count` plies of a game: `12.Nf3 Nc6 13.Bb5`.
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
        text.push_str(m.name());
        text.push_str(m.doubt());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameEvent, Record, parse};

    fn ply(json: &str) -> Ply {
        let Ok(Record::Game(record)) = parse(json.as_bytes()) else { panic!("{json}") };
        let GameEvent::Move(m) = record.event else { panic!("{json}") };
        Ply::keep(*m, None)
    }

    #[test]
    fn only_doubtful_moves_are_marked() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
        let ply_with = |more: &str| {
            ply(&format!(
                r#"{{"type":"move","board":1,"game":1,"ply":1,"san":"Nf3","uci":"g1f3","fen":"{fen}"{more}}}"#
            ))
        };
        let sure = ply_with(r#","certainty":0.995"#);
        assert_eq!((sure.name(), sure.doubt(), sure.unsure.as_deref()), ("Nf3", "", None));
        let other = r#","certainty":0.62,"alternatives":[{"uci":"g1h3","san":"Nh3","certainty":0.38}]"#;
        let doubtful = ply_with(other);
        assert_eq!((doubtful.doubt(), doubtful.unsure.as_deref()), ("(?)", Some("62 %, or Nh3 38 %")));
        let guessed = ply_with(r#","guess":true"#);
        assert_eq!((guessed.doubt(), guessed.unsure.as_deref()), ("(?)", Some("bridges a gap")));
        assert_eq!(ply_with(r#","guess":true,"certainty":0.998"#).unsure.as_deref(), Some("99 %"));
        // g1 is field 62, f3 field 45.
        assert_eq!(
            (guessed.moved, &*guessed.stands),
            (1 << 62 | 1 << 45, "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R")
        );
    }
}
