//! A game in PGN's export format: seven tag roster, movetext in lines under 80 columns.
//!
//! Whatever a game holds, the movetext stays readable: what is no move becomes a comment.

use std::fmt::Write;

use super::tags::tag_pairs;
use crate::{
    format::game::Game,
    record::{Anomaly, Move, Rules, Seconds},
};

/// No line of movetext is longer, but for a word that is itself.
const WIDTH: usize = 79;

/// What may be chosen about the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Write `[%emt …]`, the time used, where it is known.
    pub elapsed: bool,
}

impl Style {
    /// Writes a game and the blank line behind it. Draughts have no PGN: of them nothing is written.
    pub fn write(self, out: &mut Vec<u8>, game: &Game) {
        if game.start.rules == Rules::Russian {
            return;
        }
        let result = game.end.as_ref().and_then(|end| end.result).map_or("*", |outcome| outcome.text());
        for (name, value) in tag_pairs(game, result) {
            tag(out, name, value);
        }
        out.push(b'\n');
        let mut text = Text { out, column: 0, glue: String::new(), number: String::new(), style: self };
        movetext(&mut text, game);
        text.word(result);
        out.extend_from_slice(b"\n\n");
    }
}

fn tag(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    for byte in value.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            // A tag is one line; control characters have no business in it.
            0..32 => out.push(b' '),
            _ => out.push(byte),
        }
    }
    out.extend_from_slice(b"\"]\n");
}

fn movetext(text: &mut Text<'_>, game: &Game) {
    let mut about: Vec<&Anomaly> = game.anomalies.iter().collect();
    about.sort_by_key(|anomaly| anomaly.ply);
    let mut about = about.into_iter().peekable();
    let mut before: Vec<String> = game.start.comment.iter().cloned().collect();
    while let Some(anomaly) = about.next_if(|anomaly| anomaly.ply == 0) {
        before.push(remark(anomaly));
    }
    text.comment(&before.join(" "));
    let first = game.first_half_move();
    let readable = game.moves.iter().take_while(|m| m.san.as_deref().is_some_and(is_san)).count();
    let mut fresh = true;
    for (at, m) in game.moves[..readable].iter().enumerate() {
        let mut notes = Vec::new();
        if m.guess {
            notes.push("guess: a gap in what the board told is bridged here".to_owned());
        }
        while let Some(anomaly) = about.next_if(|anomaly| anomaly.ply as usize <= at + 1) {
            notes.push(remark(anomaly));
        }
        fresh = one_move(text, m, first + at as u64, fresh, &notes);
    }
    // Behind a hole nothing can be replayed: a comment, not moves.
    let mut rest: Vec<String> = Vec::new();
    if readable < game.moves.len() {
        let known = game.moves[readable..].iter().enumerate().filter_map(|(at, m)| {
            let ply = readable + at + 1;
            Some(format!("{ply}: {}", m.san.as_ref()?))
        });
        let known: Vec<String> = known.collect();
        rest.push(format!("gap: ply {} is missing; told were {}", readable + 1, known.join(", ")));
    }
    rest.extend(about.map(remark));
    text.comment(&rest.join(" "));
}

/// Writes a move with all that belongs to it; true when the next move must repeat its number.
fn one_move(text: &mut Text<'_>, m: &Move, half: u64, fresh: bool, notes: &[String]) -> bool {
    let (number, black) = (half / 2 + 1, half % 2 == 1);
    if !black || fresh || m.comment_before.is_some() {
        text.number(number, if black { "..." } else { "." });
    }
    if let Some(comment) = &m.comment_before {
        text.comment(comment);
    }
    text.word(m.san.as_deref().unwrap_or("--"));
    for nag in &m.nags {
        text.word(&format!("${nag}"));
    }
    let elapsed = m.elapsed.filter(|_| text.style.elapsed);
    let mut fresh = false;
    // Behind no variation it is one comment with that behind the move.
    let (joined, after) = match &m.comment_after {
        after if m.variations.is_empty() => (after.as_deref(), None),
        after => (None, after.as_deref()),
    };
    let clock = |name: &str, seconds: Option<Seconds>| Some(format!("[%{name} {}]", clock(seconds?)));
    let parts = [clock("clk", m.seconds), clock("emt", elapsed), m.comment.clone()];
    let notes = notes.iter().cloned().chain(joined.map(str::to_owned));
    let parts: Vec<String> = parts.into_iter().flatten().chain(notes).collect();
    if !parts.is_empty() {
        text.comment(&parts.join(" "));
        fresh = true;
    }
    for variation in &m.variations {
        text.glue.push('(');
        let mut first = true;
        for (at, m) in variation.iter().enumerate() {
            first = one_move(text, m, half + at as u64, first, &[]);
        }
        text.close(")");
        fresh = true;
    }
    if let Some(after) = after {
        text.comment(after);
        fresh = true;
    }
    fresh
}

/// An anomaly in words.
fn remark(anomaly: &Anomaly) -> String {
    let kind = anomaly.kind.name();
    let placement = anomaly.placement.map(|placement| format!(" ({placement})")).unwrap_or_default();
    let colon = if anomaly.detail.is_empty() { "" } else { ": " };
    // What is quoted commands nothing: a clock in it would be read as that of the move before.
    let detail = anomaly.detail.replace("[%", "[ %");
    format!("{kind}{colon}{detail}{placement}")
}

/// `h:mm:ss`, with tenths and less only where the source has them.
pub(super) fn clock(Seconds(seconds): Seconds) -> String {
    let millis = (seconds.max(0.0) * 1000.0).round() as u64;
    let (whole, fraction) = (millis / 1000, millis % 1000);
    let mut text = format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    if fraction > 0 {
        let digits = format!(".{fraction:03}");
        text.push_str(digits.trim_end_matches('0'));
    }
    text
}

/// Whether a text can stand as a move: letters, digits and the signs of SAN.
fn is_san(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+#=-".contains(&b))
}

/// Words in lines.
struct Text<'a> {
    out: &'a mut Vec<u8>,
    column: usize,
    /// Stands before the next word without a space.
    glue: String,
    /// The last number, a buffer.
    number: String,
    style: Style,
}

impl Text<'_> {
    /// The number of a move, with its dots.
    fn number(&mut self, number: u64, dots: &str) {
        let mut text = std::mem::take(&mut self.number);
        text.clear();
        let _ = write!(text, "{number}{dots}");
        self.word(&text);
        self.number = text;
    }

    fn word(&mut self, word: &str) {
        let width = self.glue.chars().count() + word.chars().count();
        if self.column > 0 {
            if self.column + 1 + width > WIDTH {
                self.out.push(b'\n');
                self.column = 0;
            } else {
                self.out.push(b' ');
                self.column += 1;
            }
        }
        self.out.extend_from_slice(self.glue.as_bytes());
        self.out.extend_from_slice(word.as_bytes());
        self.glue.clear();
        self.column += width;
    }

    /// Ends a variation or a comment, in the line of its last word where that has room.
    fn close(&mut self, sign: &str) {
        if self.column + 1 > WIDTH {
            self.out.push(b'\n');
            self.column = 0;
        }
        self.out.extend_from_slice(sign.as_bytes());
        self.column += 1;
    }

    /// A comment in braces; one that holds a closing brace goes behind semicolons, to the end of the line.
    fn comment(&mut self, comment: &str) {
        if comment.contains('}') {
            return self.line_comment(comment);
        }
        let words = words(comment);
        if words.is_empty() {
            return;
        }
        self.glue.push('{');
        for word in words {
            self.word(word);
        }
        self.close("}");
    }

    fn line_comment(&mut self, comment: &str) {
        self.glue.push(';');
        let mut words = words(comment).into_iter().peekable();
        while let Some(word) = words.next() {
            self.word(word);
            if let Some(next) = words.peek()
                && self.column + 1 + next.chars().count() > WIDTH
            {
                self.out.push(b'\n');
                self.column = 0;
                self.glue.push(';');
            }
        }
        self.out.push(b'\n');
        self.column = 0;
    }
}

/// The words of a comment: a command in brackets is one, and a word that a reader at the begin of a line would
/// take for an escape hangs on the one before it.
fn words(comment: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = comment.trim_start();
    while !rest.is_empty() {
        let command = rest.strip_prefix("[%").and_then(|command| command.find(']'));
        let mut end = command.map_or(0, |at| at + 3);
        loop {
            end += rest[end..].find(char::is_whitespace).unwrap_or(rest.len() - end);
            let next = rest[end..].trim_start();
            if !next.starts_with('%') {
                break;
            }
            end = rest.len() - next.len();
        }
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}
