//! Text of others in our output, and our text about it: without control characters, remarks on anomalies, names of
//! games in messages. For all formats.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use crate::record::{Anomaly, BoardName, EndReason, Tags};

/// Quotes are cut to this many characters in messages.
const LONGEST: usize = 60;

/// Text without control characters, which could control a terminal or end a line: they become spaces.
pub fn plain(text: &str) -> Cow<'_, str> {
    // 0xc2 begins the UTF-8 of those from U+0080 on.
    if all(text.as_bytes(), |b| (b >= 0x20) & (b != 0x7f) & (b != 0xc2))
        || !text.chars().any(char::is_control)
    {
        return Cow::Borrowed(text);
    }
    if memchr::memchr(0xc2, text.as_bytes()).is_some() {
        return Cow::Owned(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect());
    }
    // Only those of ASCII, the line ends in most comments: each becomes a space.
    let plain = text.bytes().map(|b| if b < 0x20 || b == 0x7f { b' ' } else { b }).collect();
    Cow::Owned(String::from_utf8(plain).unwrap_or_default())
}

/// The end of a game in words; none where only its file or the next game shows it.
pub fn of_end(reason: EndReason) -> Option<&'static str> {
    match reason {
        EndReason::Kings => Some("kings"),
        EndReason::ResultPiece => Some("result piece"),
        EndReason::Checkmate => Some("checkmate"),
        EndReason::Stalemate => Some("stalemate"),
        EndReason::NoMoves => Some("no moves"),
        EndReason::Flag => Some("flag"),
        EndReason::NewGame | EndReason::InputEnd | EndReason::Tag => None,
    }
}

/// Addresses of boards in the form that `--board` reads: `1025-1027, 2054`.
pub fn ranges(boards: &[u16]) -> String {
    let mut boards = boards.to_vec();
    boards.sort_unstable();
    let mut parts: Vec<(u16, u16)> = Vec::new();
    for board in boards {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == board => *last = board,
            _ => parts.push((board, board)),
        }
    }
    let part = |&(first, last): &(u16, u16)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The addresses of boards with the names of their lines: `1025-1028 of line hall-2`, without a name where there is
/// none.
pub fn boards_of(boards: &BTreeSet<BoardName>) -> String {
    let mut of_lines: BTreeMap<Option<&str>, Vec<u16>> = BTreeMap::new();
    for (line, board) in boards {
        of_lines.entry(line.as_deref()).or_default().extend(board);
    }
    let words = |(line, boards): (&Option<&str>, &Vec<u16>)| match line {
        Some(line) => format!("{} of line {line}", ranges(boards)),
        None => ranges(boards),
    };
    of_lines.iter().map(words).collect::<Vec<_>>().join("; ")
}

/// Whether `is` holds for all bytes. They are checked in blocks, which a processor does at once if `is` has no
/// branches.
pub(super) fn all(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    let Some(last) = bytes.last_chunk::<16>() else {
        return bytes.iter().fold(true, |all, &byte| all & is(byte));
    };
    let mut others = [0; 16];
    let (mut block, mut rest) = (last, bytes);
    loop {
        for (other, &byte) in others.iter_mut().zip(block) {
            *other |= u8::from(!is(byte));
        }
        match rest.split_first_chunk() {
            Some((next, behind)) => (block, rest) = (next, behind),
            None => return others.into_iter().fold(0, |any, other| any | other) == 0,
        }
    }
}

/// The beginning of a text, for a quote.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

/// Whether [`short`] cuts a text.
pub(super) fn is_long(text: &str) -> bool {
    matches!(short(text), Cow::Owned(_))
}

/// The name of a game in messages: its number, and its players and round where they are known.
pub(super) fn game(number: u32, tags: &Tags) -> String {
    let known = |name: &str| tags.get(name).map(str::trim).filter(|value| !["", "?", "-"].contains(value));
    let mut name = format!("game {number}");
    if let (Some(white), Some(black)) = (known("White"), known("Black")) {
        name.push_str(&format!(", {} - {}", short(white), short(black)));
    }
    if let Some(round) = known("Round") {
        name.push_str(&format!(", round {}", short(round)));
    }
    name
}

/// The text of an anomaly in a file: it ends no comment and contains no command.
pub(super) fn remark(anomaly: &Anomaly) -> String {
    let unread = anomaly.unread.as_deref().map(without_clocks).unwrap_or_default();
    let mut text = anomaly.kind.name().to_owned();
    for (before, part) in [(": ", &*anomaly.detail), ("; unread: ", &unread)] {
        if !part.is_empty() {
            text.push_str(before);
            text.push_str(part);
        }
    }
    if let Some(placement) = anomaly.placement {
        text.push_str(&format!(" ({placement})"));
    }
    // A quoted clock command would be read as the clock of the move before.
    let text = text.replace("[%", "[ %").replace('{', "(").replace('}', ")");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Unread text without its clocks, which belong to moves that are not there.
fn without_clocks(unread: &str) -> String {
    let mut kept = String::with_capacity(unread.len());
    let mut rest = unread;
    while let Some(at) = rest.find("[%") {
        let (before, command) = rest.split_at(at);
        kept.push_str(before);
        let is_clock = command.starts_with("[%clk ") || command.starts_with("[%emt ");
        let end = command.find(']').filter(|_| is_clock).map_or(2, |end| end + 1);
        if !is_clock {
            kept.push_str("[%");
        }
        rest = &command[end..];
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ").replace("{ }", "").replace("{}", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::AnomalyKind;

    #[test]
    fn control_characters_become_spaces() {
        assert_eq!(plain("a\u{1b}[2Jb\u{7}\u{0}\u{7f}\u{9b}c\nd"), "a [2Jb    c d");
        for text in ["Jörg ½–½", "a\u{a0}b"] {
            assert!(matches!(plain(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn boards_are_named_in_ranges() {
        assert_eq!(ranges(&[1030, 1025, 1027, 1026]), "1025-1027, 1030");
    }

    #[test]
    fn names_of_games_have_their_known_data() {
        let mut tags = Tags::default();
        tags.set("White", "?");
        tags.set("Round", "1.2");
        assert_eq!(game(3, &tags), "game 3, round 1.2");
        tags.set("White", "Larsen, B");
        tags.set("Black", "T".repeat(99));
        assert_eq!(game(3, &tags), format!("game 3, Larsen, B - {}…, round 1.2", "T".repeat(60)));
    }

    #[test]
    fn a_remark_is_safe_in_a_comment() {
        let unread = Some("{[%clk 0:01:02]} Kd5 { [%emt 0:00:01] } {a} [%eval 1] }".to_owned());
        let anomaly = Anomaly { unread, ..Anomaly::new(1, AnomalyKind::Illegal, "44. Ke4") };
        assert_eq!(remark(&anomaly), "illegal: 44. Ke4; unread: Kd5 (a) [ %eval 1] )");
        let alone =
            Anomaly { unread: Some("{[%clk 0:01:02]}".into()), source: Some("x:1".into()), ..anomaly };
        assert_eq!(remark(&alone), "illegal: 44. Ke4");
    }
}
