//! A stream of bytes cut into the texts of games: the one place that decides where a game begins and ends.
//!
//! A game ends with its result (comments and further results after it are still its own), with a tag after movetext, or
//! with a blank line and a tag. The last holds even inside a comment or a variation that was not closed, so that one
//! bad game cannot swallow its neighbours.
//!
//! Lines end with LF, with CR LF, or, in old files, with CR: that alone is converted to LF here, so that no later step
//! has to check.

use memchr::{memchr, memchr_iter};

use super::{lexer, word};
use crate::format::words::all;

/// The names of up to this many tags of a game are kept: the next game repeats one of them among its first.
const NAMES: usize = 64;

/// A game with more text is no game (16 MiB): it is cut, which bounds the memory for any file.
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
    /// After a result.
    Over,
}

/// Cuts games out of its input, block by block.
#[derive(Debug)]
pub struct Cutter {
    /// The incomplete game, up to the last byte.
    held: Vec<u8>,
    /// The number of CR at the end, after which LF may follow.
    returns: usize,
    /// The line that `held` begins with.
    line: u64,
    /// The end of the next line, or how far none was found.
    line_end: Result<usize, usize>,
    state: State,
}

/// The state of the text between the beginning of the game and `next`, always the beginning of a line.
#[derive(Debug, Default)]
struct State {
    next: usize,
    section: Section,
    comment: bool,
    depth: u32,
    blank: bool,
    /// The beginning of a tag that the line before did not end, and whether a blank line comes before it.
    open_tag: Option<(usize, bool)>,
    /// The positions of the names of the tags.
    names: Vec<(usize, usize)>,
}

impl Default for Cutter {
    fn default() -> Cutter {
        Cutter { held: Vec::new(), returns: 0, line: 1, line_end: Err(0), state: State::default() }
    }
}

impl Cutter {
    /// Takes the next bytes, none at the end of the stream; passes each complete game to `f`. After the end it starts
    /// again.
    pub fn push<E>(
        &mut self,
        bytes: &[u8],
        mut f: impl FnMut(GameText<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.hold(bytes);
        let mut begin = 0;
        loop {
            let from = begin + self.state.next;
            let end = match self.line_end(from) {
                Some(end) => end,
                // At the end of the stream the last line needs no line end, nor does a line too long for readers of
                // lines.
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
            // A game that begins with a broken tag begins in the line before.
            if begin < from {
                self.line_end = Err(begin);
            }
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

    /// Takes the next bytes, with each CR without its LF as LF. Several before one LF end one line: files that were
    /// converted twice have them.
    fn hold(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if rest.is_empty() {
            self.held.extend(std::iter::repeat_n(b'\n', std::mem::take(&mut self.returns)));
        }
        while let Some(first) = rest.first() {
            if self.returns > 0 {
                if *first == b'\r' {
                    self.returns += 1;
                    rest = &rest[1..];
                    continue;
                }
                let sign = if *first == b'\n' { b'\r' } else { b'\n' };
                self.held.extend(std::iter::repeat_n(sign, std::mem::take(&mut self.returns)));
            }
            let alone = memchr_iter(b'\r', rest).find(|at| rest.get(at + 1) != Some(&b'\n'));
            self.returns = usize::from(alone.is_some());
            let end = alone.unwrap_or(rest.len());
            self.held.extend_from_slice(&rest[..end]);
            rest = &rest[end + self.returns..];
        }
    }

    /// The end of the line that begins at `from`, if it is complete. No byte is checked twice.
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
    /// Examines the line of `length` bytes at `next`; returns the beginning of the next game, if it is in that line.
    fn line(&mut self, text: &[u8], length: usize) -> Option<usize> {
        let from = self.next;
        let end = from + length;
        let line = &text[from..end];
        let blank = std::mem::replace(&mut self.blank, lexer::is_blank(line));
        let escaped = line.strip_prefix(lexer::BOM).unwrap_or(line).starts_with(b"%");
        let open_tag = self.open_tag.take();
        if self.blank || (escaped && !self.comment) {
            // After it a variation of the finished game is not continued.
            if self.section == Section::Over {
                self.depth = 0;
            }
            self.next = end;
            return None;
        }
        if self.section == Section::Moves && !self.comment && open_tag.is_none() && is_moves(line) {
            self.next = end;
            return None;
        }
        let mut at = from;
        while let length @ 1.. = lexer::space(&text[at..end]) {
            at += length;
        }
        let mut tag_at = at;
        let mut blank = blank;
        if let Some((begin, was_blank)) = open_tag
            && let Some((.., length)) = lexer::tag(&text[begin..end])
            && begin + length > from
        {
            (tag_at, blank) = (begin, was_blank);
        }
        let mut tokens_at = if self.comment { at } else { tag_at };
        if text[..end].get(tag_at) == Some(&b'[')
            && (blank || !self.comment)
            && let Some((name, _, length)) = lexer::tag(&text[tag_at..end])
        {
            if self.begins_game(text, name, blank) {
                return Some(tag_at);
            }
            self.take_tag(text, name);
            tokens_at = tag_at + length;
        } else if text[..end].get(tag_at) == Some(&b'[')
            && !self.comment
            && let Some(tag) = lexer::loose_tag(&text[tag_at..end])
        {
            // A bracket without quotes may contain anything.
            let may_begin = tag.quoted || (blank && tag.name.eq_ignore_ascii_case(b"Event"));
            if may_begin && self.begins_game(text, tag.name, blank) {
                return Some(tag_at);
            }
            if self.section == Section::Tags {
                self.take_tag(text, tag.name);
            }
        }
        // In a comment no game begins, except after a blank line, wherever the comment ends.
        let may_open = tokens_at <= at && text[at] == b'[' && (blank || !self.comment);
        let next_game = self.tokens(text, tokens_at, end);
        if may_open && lexer::opens_tag(&text[at..end]) {
            self.open_tag = Some((at, blank));
        }
        self.next = end;
        next_game
    }

    /// Takes a tag of this game, whose name is in the text.
    fn take_tag(&mut self, text: &[u8], name: &[u8]) {
        if matches!(self.section, Section::Nothing | Section::Tags) {
            self.section = Section::Tags;
            let begin = name_offset(text, name);
            if self.names.len() < NAMES {
                self.names.push((begin, begin + name.len()));
            }
        }
    }

    /// Examines the text between two positions of a line; returns the beginning of the next game, if there is one.
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
                b' ' | b'\r' | b'\n' => at += 1,
                b'{' => {
                    self.comment = true;
                    // A comment before the tags is part of their game.
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
                        self.take_tag(text, name);
                        at += length;
                    }
                    None => break,
                },
                // A numbered sign after a result begins no game.
                b'$' => at += 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
                b'}' | b']' | b'"' => at += 1,
                _ if lexer::space(rest) > 0 => at += lexer::space(rest),
                _ => {
                    let length = lexer::word(rest);
                    let result = word::result(&rest[..length]).is_some();
                    let is_over = self.section == Section::Over && self.depth == 0;
                    if is_over && !result && !is_glyph(&rest[..length]) {
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

    /// Whether a tag at the beginning of a line is the first of another game.
    fn begins_game(&self, text: &[u8], name: &[u8], blank: bool) -> bool {
        match self.section {
            _ if self.comment => true,
            Section::Nothing => false,
            Section::Moves | Section::Over => true,
            // A blank line among the tags of one game is common, and so is a game without moves.
            Section::Tags => {
                let known = |name: &[u8]| {
                    self.names.iter().any(|&(from, to)| text[from..to].eq_ignore_ascii_case(name))
                };
                let event = name.eq_ignore_ascii_case(b"Event");
                (event && known(name)) || (blank && (event || known(name)))
            }
        }
    }
}

/// Whether a line has nothing but moves and their numbers: no sign that opens or closes anything, no result. Most lines
/// are of that kind, and are checked in blocks; the others word by word.
fn is_moves(line: &[u8]) -> bool {
    let in_moves = |b: u8| {
        b.is_ascii_alphanumeric()
            | (b'+'..=b'.').contains(&b)
            | (b == b' ')
            | (b == b'=')
            | (b == b'#')
            | (b == b'\n')
            | (b == b'\r')
    };
    // `1-0`, `0-1` or castling with zeros; `0.5-0.5`, `O-1`, `1 - 0`.
    let in_result = |at: usize| match (at.checked_sub(1).map(|before| line[before]), line.get(at + 1)) {
        (Some(b'0' | b'1'), _) | (Some(b'5'), Some(b'0' | b'1' | b'.')) | (Some(b'O'), Some(b'1')) => true,
        (Some(b' '), behind) => behind != Some(&b'-'),
        _ => false,
    };
    all(line, in_moves) && !memchr_iter(b'-', line).any(in_result)
}

/// The position in a text of a name found in it.
fn name_offset(text: &[u8], name: &[u8]) -> usize {
    name.as_ptr().addr() - text.as_ptr().addr()
}

/// Whether a word after a result still belongs to the game: `!`, `+-` and the like.
fn is_glyph(word: &[u8]) -> bool {
    !word.iter().any(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The lines and texts of the games in these blocks.
    fn cut(blocks: &[&str]) -> Vec<(u64, String)> {
        let (mut cutter, mut games) = (Cutter::default(), Vec::new());
        let mut take = |game: GameText<'_>| {
            games.push((game.line, String::from_utf8(game.text.to_vec()).unwrap()));
            Ok::<(), ()>(())
        };
        blocks.iter().chain([&""]).for_each(|block| cutter.push(block.as_bytes(), &mut take).unwrap());
        games
    }

    #[test]
    fn cr_alone_ends_a_line_in_any_block() {
        for returns in ["\r", "\r\n", "\r\r\n", "\n"] {
            let text = ["[Event \"a\"]", "", "%x 1-0", "1. e4 ; 1-0", "e5 1-0", "", "[Event \"b\"]", "", "*"]
                .join(returns);
            for at in 1..text.len() {
                let games = cut(&[&text[..at], &text[at..]]);
                assert_eq!(
                    games.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
                    [1, 7],
                    "{returns:?} {at}"
                );
            }
        }
    }

    #[test]
    fn a_tag_over_two_lines_may_begin_a_game() {
        let text = "[Event \"a\nb\"]\n[White \"w\nx\"]\n\n1. e4 1-0\n[Event \"c\nd\"]\n\n1. d4 *\n";
        for at in 1..text.len() {
            let games = cut(&[&text[..at], &text[at..]]);
            assert_eq!(games.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 7], "{at}: {games:?}");
        }
    }

    proptest! {
        #[test]
        fn skipped_lines_change_nothing(
            line in prop::collection::vec(
                prop::sample::select(vec![
                    "1.", "12...", "e4", "Nbxd7+", "O-O", "0-0", "O-O-O#", "e8=Q", "e2-e4", "1-0", "0-1", "1/2-1/2", "1:0",
                    "*", "1-0.", "0.5-0.5", "1 - 0", "O-1", "--", "Z0", "{", "}", ";", "(", ")", "[", "]", "$1", "!?", "%", "½", "\u{a0}", "-0", "a",
                ]),
                0..9,
            ),
            glue in prop::sample::select(vec![" ", "", "\r"]),
        ) {
            let line = line.join(glue) + "\n";
            if is_moves(line.as_bytes()) {
                let mut state = State { section: Section::Moves, ..State::default() };
                prop_assert_eq!(state.tokens(line.as_bytes(), 0, line.len()), None);
                prop_assert_eq!((state.section, state.comment, state.depth), (Section::Moves, false, 0));
            }
        }
    }

    #[test]
    fn lines_of_moves_are_not_read_word_by_word() {
        assert!(is_moves(b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. e8=Q+ d6# --\r\n"));
        for line in [
            "1. e4 1-0\n",
            "e4 e5 0-1\n",
            "1. e4 *\n",
            "1. e4 {a\n",
            "1. e4 (\n",
            "e4 \u{bd}\n",
            "e4 ;\n",
            "1/2\n",
        ] {
            assert!(!is_moves(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_variation_after_the_result_belongs_to_its_game() {
        assert_eq!(cut(&["1. e4 e5 1-0 (1... c5 2. Nf3) {x} 1. d4 *"]).len(), 2);
        assert_eq!(cut(&["1. e4 e5 1-0 (1... c5\n\n1. d4 *"]).len(), 2, "one that is not closed");
        assert_eq!(cut(&["1. e4 e5 1-0 $18 {x}\n1. d4 *"]).len(), 2, "a sign by its number");
    }

    #[test]
    fn a_tag_within_a_comment_begins_no_game() {
        assert_eq!(cut(&["1. e4 {unread: [F\n[Variant \"x} 1... e5\ny\"] 2. d4 *\n"]).len(), 1);
        let open = cut(&["1. e4 {never closed\n\n[Event \"x\ny\"]\n\n1. d4 *\n"]);
        assert_eq!(
            open.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
            [1, 3],
            "behind a blank line one does"
        );
    }

    #[test]
    fn broken_tags_do_not_join_the_next_game() {
        let texts = cut(&["[ECO \"C20\"]\n[PlyCount \"9\"]\n\n[Event \"b\"]\n[ECO \"A00\"]\n\n1. d4 *\n"]);
        assert_eq!(texts.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 4]);
    }

    #[test]
    fn text_without_line_ends_is_cut_into_games() {
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
