//! A stream of bytes cut into the texts of games: the one place that decides where a game begins and ends.
//!
//! A game ends with its result (comments and further results behind it are still its own), with a tag behind
//! movetext, or with a blank line and a tag. The last holds even inside a comment or a variation that somebody
//! forgot to close, so that one bad game cannot swallow its neighbours.

use memchr::{memchr, memchr_iter};

use super::{lexer, word};

/// A game of more text is no game (16 MiB): it is cut, and so what a file can make us hold is bounded.
const LONGEST: usize = 16 << 20;

/// The bytes of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameText<'a> {
    /// The line it begins in, from 1.
    pub line: u64,
    /// From its first tag or word to where the next game begins.
    pub text: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Section {
    #[default]
    Nothing,
    Tags,
    Moves,
    /// Behind a result.
    Over,
}

/// Cuts games out of what it is given, block by block.
#[derive(Debug)]
pub struct Cutter {
    /// The game that is not whole yet, up to the last byte given.
    held: Vec<u8>,
    /// The line that `held` begins with.
    line: u64,
    /// The end of the line that is to be looked at next, or how far none was found.
    line_end: Result<usize, usize>,
    state: State,
}

/// What is known of the text between the begin of the game and `next`, always the begin of a line.
#[derive(Debug, Default)]
struct State {
    next: usize,
    section: Section,
    comment: bool,
    depth: u32,
    blank: bool,
    /// Where the names of the tags stand.
    names: Vec<(usize, usize)>,
}

impl Default for Cutter {
    fn default() -> Cutter {
        Cutter { held: Vec::new(), line: 1, line_end: Err(0), state: State::default() }
    }
}

impl Cutter {
    /// Takes the next bytes, none at the end of the stream; gives each game that is whole to `f`. Behind the
    /// end it begins anew.
    pub fn push<E>(
        &mut self,
        bytes: &[u8],
        mut f: impl FnMut(GameText<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.held.extend_from_slice(bytes);
        let mut begin = 0;
        loop {
            let from = begin + self.state.next;
            let end = match self.line_end(from) {
                Some(end) => end,
                // Without more to come the last line needs no end, nor does one that no reader of lines would hold.
                None if from < self.held.len() && (bytes.is_empty() || self.held.len() - begin > LONGEST) => {
                    self.held.len()
                }
                None => break,
            };
            let text = &self.held[begin..];
            let cut = match self.state.line(text, end - from) {
                None if self.state.next > LONGEST => Some(self.state.next),
                cut => cut,
            };
            let Some(cut) = cut else { continue };
            let (lines, blank) = (count_lines(&text[..cut]), self.state.blank);
            if !text[..cut].trim_ascii().is_empty() {
                f(GameText { line: self.line, text: &text[..cut] })?;
            }
            self.line += lines;
            begin += cut;
            self.state = State { blank, ..State::default() };
        }
        self.line_end = match self.line_end {
            Ok(end) => Ok(end.saturating_sub(begin)),
            Err(seen) => Err(seen.saturating_sub(begin)),
        };
        self.held.drain(..begin);
        if bytes.is_empty() {
            if !self.held.trim_ascii().is_empty() {
                f(GameText { line: self.line, text: &self.held })?;
            }
            *self = Cutter::default();
        }
        Ok(())
    }

    /// Where the line ends that begins at `from`, when it does. No byte is asked twice.
    fn line_end(&mut self, from: usize) -> Option<usize> {
        let seen = match self.line_end {
            Ok(end) if end > from => return Some(end),
            Ok(end) | Err(end) => end.max(from),
        };
        self.line_end = match memchr(b'\n', &self.held[seen..]) {
            Some(at) => Ok(seen + at + 1),
            None => Err(self.held.len()),
        };
        self.line_end.ok()
    }
}

fn count_lines(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}

impl State {
    /// Looks at the line of `length` bytes at `next`; gives where the next game begins, if it is in that line.
    fn line(&mut self, text: &[u8], length: usize) -> Option<usize> {
        let from = self.next;
        let end = from + length;
        let line = &text[from..end];
        let blank = std::mem::replace(&mut self.blank, line.trim_ascii().is_empty());
        let escaped = line.strip_prefix(lexer::BOM).unwrap_or(line).starts_with(b"%");
        if self.blank || (escaped && !self.comment) {
            self.next = end;
            return None;
        }
        let mut at = from + line.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if text[at..].starts_with(lexer::BOM) {
            at += lexer::BOM.len();
        }
        if text[..end].get(at) == Some(&b'[')
            && (blank || !self.comment)
            && let Some((name, ..)) = lexer::tag(&text[at..end])
            && self.begins_game(text, name, blank)
        {
            return Some(at);
        }
        let next_game = self.tokens(text, at, end);
        self.next = end;
        next_game
    }

    /// Looks at what stands between two places of a line; gives where the next game begins, if it does there.
    fn tokens(&mut self, text: &[u8], mut at: usize, end: usize) -> Option<usize> {
        while at < end {
            let rest = &text[at..end];
            if self.comment {
                match memchr(b'}', rest) {
                    Some(close) => at += close + 1,
                    None => break,
                }
                self.comment = false;
                continue;
            }
            match rest[0] {
                b if b.is_ascii_whitespace() => at += 1,
                b'{' => {
                    self.comment = true;
                    // A comment in front of the tags is part of their game.
                    if self.section == Section::Tags {
                        self.section = Section::Moves;
                    }
                    at += 1;
                }
                b';' => break,
                b'(' => {
                    self.depth += 1;
                    at += 1;
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    at += 1;
                }
                b'[' => match lexer::tag(rest) {
                    Some(_) if self.section == Section::Over => return Some(at),
                    Some((name, _, length)) => {
                        if matches!(self.section, Section::Nothing | Section::Tags) {
                            self.section = Section::Tags;
                            let begin = at + name_offset(rest, name);
                            self.names.push((begin, begin + name.len()));
                        }
                        at += length;
                    }
                    None => break,
                },
                b'$' | b'}' | b']' | b'"' => at += 1,
                _ => {
                    let length = lexer::word(rest);
                    let result = word::result(&rest[..length]).is_some();
                    if self.section == Section::Over && !result && !is_glyph(&rest[..length]) {
                        return Some(at);
                    }
                    if result && self.depth == 0 {
                        self.section = Section::Over;
                    } else if self.section != Section::Over {
                        self.section = Section::Moves;
                    }
                    at += length;
                }
            }
        }
        None
    }

    /// Whether a tag at the begin of a line is the first of another game.
    fn begins_game(&self, text: &[u8], name: &[u8], blank: bool) -> bool {
        match self.section {
            _ if self.comment => true,
            Section::Nothing => false,
            Section::Moves | Section::Over => true,
            // A blank line among the tags of one game is common, a game without moves too.
            Section::Tags => {
                let known = |name: &[u8]| self.names.iter().any(|&(from, to)| &text[from..to] == name);
                let begun =
                    || ["Site", "Date", "Round", "White", "Black"].iter().any(|n| known(n.as_bytes()));
                let event = name == b"Event";
                (event && known(name)) || (blank && (known(name) || (event && begun())))
            }
        }
    }
}

/// Where a name found in a text stands in it.
fn name_offset(text: &[u8], name: &[u8]) -> usize {
    name.as_ptr().addr() - text.as_ptr().addr()
}

/// Whether a word behind a result still speaks of the game: `!`, `+-` and their like.
fn is_glyph(word: &[u8]) -> bool {
    !word.iter().any(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_ends_of_lines_is_cut_into_its_games_and_never_held_whole() {
        let filler = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(2000);
        let (mut cutter, mut games, mut most) = (Cutter::default(), 0, 0);
        let mut take = |game: GameText<'_>| {
            assert!(game.text.starts_with(b"[Event \"x\"]") && game.text.trim_ascii().ends_with(b" 1-0"));
            games += 1;
            Ok::<(), ()>(())
        };
        let text = format!("[Event \"x\"] {filler} 1-0 ");
        let whole = 2 * LONGEST / text.len();
        for _ in 0..whole {
            cutter.push(text.as_bytes(), &mut take).unwrap();
            most = most.max(cutter.held.len());
        }
        cutter.push(&[], &mut take).unwrap();
        assert_eq!(games, whole);
        assert!(most <= LONGEST + text.len());
    }
}
