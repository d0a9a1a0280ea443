//! A game in PGN's export format: seven tag roster, movetext in lines under 80 columns.
//!
//! The movetext stays readable for every game: text that is no move becomes a comment.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    eval,
    fen::{digits, push_number},
    judge::{Judged, judge},
    lexer,
    ply::{Write, Written},
    san,
    short::Letters,
    tags::tag_pairs,
};
use crate::{
    format::{
        game::Game,
        words::{plain, remark},
    },
    record::{Anomaly, Evaluation, Move, Seconds},
};

/// The greatest length of a line of movetext, except for a longer word.
const WIDTH: usize = 79;

/// The options of the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Write `[%emt …]`, the time used, where there is one.
    pub elapsed: bool,
    /// Leave out the comments on anomalies and guesses.
    pub no_anomalies: bool,
    /// Judge moves by the evaluations before and after them.
    pub judge: bool,
    /// Write a comment on a doubtful move of a board: its certainty and its alternatives.
    pub doubts: bool,
    /// Write the opening in tags, where the game has none.
    pub openings: bool,
}

impl Style {
    /// Writes a game and a blank line after it. Draughts have no PGN: nothing is written.
    pub fn write(self, out: &mut Vec<u8>, game: &Game<impl Write>) {
        if !game.start.rules.has_pgn() {
            return;
        }
        let result = game.end.as_ref().and_then(|end| end.result).map_or("*", |outcome| outcome.text());
        let openings = if self.openings { game.opening_tags() } else { Vec::new() };
        let is_new = |name: &str| !openings.iter().any(|(other, _)| *other == name);
        let pairs = tag_pairs(game, result).into_iter().filter(|(name, _)| is_new(name));
        for (name, value) in pairs.chain(openings.iter().copied()) {
            tag(out, name, value);
        }
        out.push(b'\n');
        let mut text =
            Text { out, column: 0, glue: String::new(), space: None, buffer: String::new(), style: self };
        movetext(&mut text, game);
        // After moves other readers take `0-0` for castling, and have no sign for half a point to one side.
        text.word(if matches!(result, "1-0" | "0-1" | "1/2-1/2") { result } else { "*" });
        out.extend_from_slice(b"\n\n");
    }
}

fn tag(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    // A tag is one line without control characters.
    for byte in plain(value).bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            _ => out.push(byte),
        }
    }
    out.extend_from_slice(b"\"]\n");
}

fn movetext(text: &mut Text<'_>, game: &Game<impl Write>) {
    let mut about: Vec<&Anomaly> = game.anomalies.iter().filter(|_| !text.style.no_anomalies).collect();
    about.sort_by_key(|anomaly| anomaly.ply);
    let mut notes = Notes { about, ..Notes::of(&game.moves) };
    if !text.style.no_anomalies {
        notes.gap = gap(&game.moves, notes.known);
    }
    // Players of a game in play must not see evaluations.
    if !game.is_of_board() || game.is_over() {
        notes.evaluations = Some(&game.evaluations);
        if text.style.judge {
            notes.judged = judge(game);
        }
    }
    line(text, &game.moves, game.first_half_move(), game.start.comment.as_deref(), &notes);
}

/// The notes on a line besides its moves.
struct Notes<'a> {
    /// In the order of the plies.
    about: Vec<&'a Anomaly>,
    /// The number of moves written: after a gap nothing can be replayed, and notes on later moves follow the last.
    known: usize,
    /// A note on the moves that are not written.
    gap: Option<String>,
    /// An engine's evaluations of the positions after plies.
    evaluations: Option<&'a BTreeMap<u32, Evaluation>>,
    /// The plies that lost much.
    judged: BTreeMap<usize, Judged>,
}

impl Notes<'_> {
    fn of(moves: &[impl Write]) -> Notes<'static> {
        let known = moves
            .iter()
            .take_while(|m| m.bare().map(|san| &**san).or_else(|| m.written().san).is_some_and(is_san))
            .count();
        let (about, gap, evaluations, judged) = Default::default();
        Notes { about, known, gap, evaluations, judged }
    }

    /// The evaluation after a ply, unless it is a bound, which readers would take for an exact one.
    fn evaluation(&self, ply: usize) -> Option<&Evaluation> {
        self.evaluations?.get(&(ply as u32)).filter(|evaluation| evaluation.bound.is_none())
    }

    /// Adds the notes on a ply to a comment, except those that it contains already: boardbus wrote that comment, and
    /// reads it again.
    fn add_to(&self, ply: usize, comment: &mut String) {
        let of = |anomaly: &Anomaly| (anomaly.ply as usize).min(self.known);
        let from = self.about.partition_point(|anomaly| of(anomaly) < ply);
        for anomaly in self.about[from..].iter().take_while(|anomaly| of(anomaly) == ply) {
            let note = remark(anomaly);
            if !comment.contains(&note) {
                add(comment, &note);
            }
        }
        if let Some(gap) = self.gap.as_ref().filter(|_| ply == self.known) {
            add(comment, gap);
        }
    }
}

/// The note on the moves after a gap.
fn gap(moves: &[impl Write], known: usize) -> Option<String> {
    let later = moves.get(known..).filter(|rest| !rest.is_empty())?.iter().enumerate();
    let later = later.filter_map(|(at, m)| {
        Some(format!("{}: {}", known + at + 1, String::from_utf8_lossy(m.written().san?)))
    });
    let later: Vec<String> = later.collect();
    Some(format!("gap: ply {} is missing; recorded after it: {}", known + 1, later.join(", ")))
}

/// Writes a line of moves, a game or a variation. A comment before a move is written before its number, where every
/// reader finds it: after the move before, or at the beginning of the line. `half` counts from White's first move.
fn line(text: &mut Text<'_>, moves: &[impl Write], half: u64, opening: Option<&str>, notes: &Notes<'_>) {
    let moves = &moves[..notes.known];
    let before = |at: usize| {
        let m = moves.get(at).filter(|m| m.bare().is_none())?;
        m.written().rest.comment_before.as_deref()
    };
    let mut comment = text.begin_comment();
    [opening, before(0)].into_iter().flatten().for_each(|part| add(&mut comment, part));
    notes.add_to(0, &mut comment);
    text.comment(comment);
    let mut fresh = true;
    // A ply with nothing but its move needs no note, unless its neighbours do.
    let silent = |at: usize| {
        notes.about.is_empty()
            && before(at + 1).is_none()
            && notes.evaluation(at + 1).is_none()
            && (at + 1 < moves.len() || notes.gap.is_none())
    };
    for (at, m) in moves.iter().enumerate() {
        let half = half + at as u64;
        if half.is_multiple_of(2) || fresh {
            text.number(half);
        }
        if let Some(san) = m.bare().filter(|_| silent(at)) {
            text.short(san.letters());
            fresh = false;
            continue;
        }
        let Written { san, seconds, elapsed, rest: m } = m.written();
        let san = san.unwrap_or(b"--");
        text.room(san.len());
        text.out.extend_from_slice(san);
        let judged = notes.judged.get(&(at + 1));
        judged.map(|judged| &judged.nag).into_iter().chain(&m.nags).for_each(|nag| text.nag(*nag));
        let mut comment = text.begin_comment();
        if let Some(evaluation) = notes.evaluation(at + 1) {
            add(&mut comment, &eval::command(evaluation));
        }
        if let Some(seconds) = seconds {
            add_clock(&mut comment, "clk", seconds);
        }
        if let Some(elapsed) = elapsed.filter(|_| text.style.elapsed) {
            add_clock(&mut comment, "emt", elapsed);
        }
        judged.iter().for_each(|judged| add(&mut comment, &judged.words));
        m.comment.iter().for_each(|part| add(&mut comment, part));
        if m.guess && !text.style.no_anomalies {
            add(&mut comment, "guess: bridges a gap in the board's data");
        }
        if text.style.doubts && m.certainty.is_some_and(|certainty| certainty < DOUBTFUL) {
            add(&mut comment, &doubt(m));
        }
        notes.add_to(at + 1, &mut comment);
        // Without variations all notes are one comment.
        let mut comment = if m.variations.is_empty() { comment } else { text.variations(m, half, comment) };
        fresh = !m.variations.is_empty();
        m.comment_after.iter().for_each(|part| add(&mut comment, part));
        if let Some(next) = before(at + 1) {
            // A clock in it belongs to no move, but would be read as this move's; so would an evaluation.
            let next = next.replace("[%clk", "[ %clk").replace("[%emt", "[ %emt");
            add(&mut comment, &next.replace("[%eval", "[ %eval"));
        }
        fresh |= text.comment(comment);
    }
}

/// Below this certainty a move is doubtful.
const DOUBTFUL: f64 = 0.99;

/// The certainty of a move and its alternatives, as text.
fn doubt(m: &Move) -> String {
    let percent = |certainty: f64| format!("{:.0} %", (certainty * 100.0).floor());
    let mut words = format!("doubtful: {}", m.certainty.map_or(String::new(), percent));
    for (nth, other) in m.alternatives.iter().enumerate() {
        words.push_str(if nth == 0 { "; or " } else { ", " });
        words.push_str(&plain(other.san.as_deref().unwrap_or("--")));
        words.push(' ');
        words.push_str(&percent(other.certainty));
    }
    words
}

/// Adds a part to a comment.
fn add(comment: &mut String, part: &str) {
    if !comment.is_empty() {
        comment.push(' ');
    }
    comment.push_str(part);
}

fn add_clock(comment: &mut String, name: &str, time: Seconds) {
    add(comment, "[%");
    let _ = write!(comment, "{name} {}]", clock(time));
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

/// Whether a text can be written as a move: one in SAN, or a null move.
fn is_san(text: &[u8]) -> bool {
    let mut text = text;
    while let [begin @ .., b'+' | b'#'] = text {
        text = begin;
    }
    match text {
        // A quick test for most moves.
        [b'a'..=b'h', b'1'..=b'8']
        | [b'K' | b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'1'..=b'8']
        | [b'K' | b'Q' | b'R' | b'B' | b'N' | b'a'..=b'h', b'x', b'a'..=b'h', b'1'..=b'8']
        | b"--" => true,
        _ => text.is_ascii() && san::is_move(text),
    }
}

/// Words in lines.
struct Text<'a> {
    out: &'a mut Vec<u8>,
    column: usize,
    /// Written before the next word without a space.
    glue: String,
    /// Where the space before the last word of the line is.
    space: Option<usize>,
    /// For comments.
    buffer: String,
    style: Style,
}

impl Text<'_> {
    /// The number of a ply's move, with its dots; plies are counted from White's first, 0.
    fn number(&mut self, half: u64) {
        let number = u32::try_from(half / 2 + 1).unwrap_or(u32::MAX);
        if half.is_multiple_of(2)
            && let Some(([a, b, c], length)) = digits(number)
        {
            let dotted = u32::from_le_bytes([a, b, c, 0]) | (u32::from(b'.') << (8 * length));
            return self.short((dotted.into(), length + 1));
        }
        let dots: &[u8] = if half.is_multiple_of(2) { b"." } else { b"..." };
        let digits = if number < 10 { 1 } else { number.ilog10() as usize + 1 };
        self.room(digits + dots.len());
        push_number(self.out, number);
        self.out.extend_from_slice(dots);
    }

    fn nag(&mut self, nag: u8) {
        self.word(&format!("${nag}"));
    }

    /// An empty text, to be returned with [`Text::comment`].
    fn begin_comment(&mut self) -> String {
        let mut text = std::mem::take(&mut self.buffer);
        text.clear();
        text
    }

    fn word(&mut self, word: &str) {
        self.room(columns(word));
        self.out.extend_from_slice(word.as_bytes());
    }

    /// Adds a word of up to 15 letters, the first in the lowest byte: most words of most games. The space before it is
    /// written with it.
    #[inline(always)]
    fn short(&mut self, (letters, length): (u128, u8)) {
        let width = usize::from(length);
        if self.column == 0 || !self.glue.is_empty() {
            self.room(width);
            return self.out.put_first(length, letters.to_le_bytes());
        }
        let fits = self.column + 1 + width <= WIDTH;
        let space = if fits { b' ' } else { b'\n' };
        self.space = fits.then_some(self.out.len());
        self.column = if fits { self.column + 1 + width } else { width };
        self.out.put_first(length + 1, ((letters << 8) | u128::from(space)).to_le_bytes());
    }

    /// Begins a word of this many columns, with the text joined to it, in a new line where this one has no room.
    fn room(&mut self, width: usize) {
        let glued = !self.glue.is_empty();
        let width = if glued { columns(&self.glue) + width } else { width };
        if self.column > 0 {
            self.space = None;
            if self.column + 1 + width > WIDTH {
                self.out.push(b'\n');
                self.column = 0;
            } else {
                self.space = Some(self.out.len());
                self.out.push(b' ');
                self.column += 1;
            }
        }
        if glued {
            self.out.extend_from_slice(self.glue.as_bytes());
            self.glue.clear();
        }
        self.column += width;
    }

    /// Ends a variation or a comment, always directly after its last word: some readers do not find the end of a
    /// variation at the beginning of a line. Where the line has no room for it, the word goes to the next line with it.
    fn close(&mut self, sign: &str) {
        if self.column + 1 > WIDTH
            && let Some(at) = self.space.take()
        {
            self.out[at] = b'\n';
            self.column = self.out[at + 1..].iter().filter(|&&b| b & 0xc0 != 0x80).count();
        }
        self.out.extend_from_slice(sign.as_bytes());
        self.column += 1;
    }

    /// Writes the variations of a move after its comment; returns the comment after them.
    fn variations(&mut self, m: &Move, half: u64, comment: String) -> String {
        self.comment(comment);
        for variation in &m.variations {
            let notes = Notes::of(variation);
            if notes.known > 0 {
                self.glue.push('(');
                line(self, variation, half, None, &notes);
                self.close(")");
            }
        }
        self.begin_comment()
    }

    /// A comment in braces, unless it is empty. A closing brace within one cannot be written.
    fn comment(&mut self, mut comment: String) -> bool {
        if comment.is_empty() {
            self.buffer = comment;
            return false;
        }
        if comment.bytes().any(|b| b == b'}' || b < 0x20 || b == 0x7f || b == 0xc2) {
            comment = plain(&comment).replace('}', ")");
        }
        let words = words(&comment);
        let any = !words.is_empty();
        if any {
            self.glue.push('{');
            for word in words {
                self.word(word);
            }
            self.close("}");
        }
        self.buffer = comment;
        any
    }
}

/// The number of columns of a text.
fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// The words of a comment: a command in brackets is one, and a word that a reader would take for an escape at the
/// beginning of a line is joined to the one before it. A word of signs without width is left out: a line of it would be
/// blank.
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
        if !lexer::is_blank(&rest.as_bytes()[..end]) {
            words.push(&rest[..end]);
        }
        rest = rest[end..].trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn no_line_of_a_comment_can_be_blank() {
        assert_eq!(words("a \u{feff} \u{200b}\u{feff} b [%x y] c %d"), ["a", "b", "[%x y]", "c %d"]);
        assert_eq!(words("\u{feff} \u{200d}"), [""; 0]);
    }
}
