//! The text of a game to what was played: tags, moves by the rules, annotations, variations.
//!
//! Nothing is lost in silence. What cannot be read becomes an anomaly that quotes it; behind the first move
//! that cannot be read no more moves of that line are, for nobody knows the position any more.

use memchr::memchr_iter;
use shakmaty::{Bitboard, CastlingMode, Chess, Position};

use super::{
    GameText, comment,
    fen::{FenText, Ranks},
    glyph,
    legal::{self, Refused},
    lexer::{self, Lexer, Token},
    san::{self, Asked, San16},
    short::Short,
    start::{self, Begin},
};
use crate::record::{AnomalyKind, End, EndReason, GameStart, Line, Move, Rules, Tags};

/// Variations deeper than this are quoted, not read: records nest as JSON, whose readers have limits.
const DEEPEST: usize = 40;

/// The names of a ply, ASCII.
#[derive(Debug, Default)]
pub struct Names {
    /// The move in SAN; `--` for a null move.
    pub san: San16,
    /// The move in UCI, as records have it.
    pub uci: Short<8>,
    /// The position after it.
    pub fen: FenText,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The line it stands in, from 1, in the whole source.
    pub line: u64,
    /// The last good ply before it.
    pub ply: u32,
    /// Its class.
    pub kind: AnomalyKind,
    /// The move it stands at and what is wrong.
    pub problem: String,
    /// What was left unread because of it; often nothing.
    pub unread: String,
}

/// Takes what is read of a game: one start, plies and troubles as they come, one end.
pub trait Sink {
    /// The game begins.
    fn game(&mut self, start: &GameStart);
    /// A ply of the main line. Its names stand in `names`, all else in `m`.
    fn ply(&mut self, names: &Names, m: &Move);
    /// Something could not be read.
    fn trouble(&mut self, trouble: Trouble);
    /// The game is over.
    fn end(&mut self, end: End);
    /// The text is no game at all: no start and no end.
    fn no_game(&mut self, line: u64, begin: &str);
}

/// Bytes that we made ourselves, as the text they are.
pub(super) fn text(ascii: &[u8]) -> String {
    String::from_utf8_lossy(ascii).into_owned()
}

/// Reads one game.
pub fn read(game: GameText<'_>, sink: &mut impl Sink) {
    let mut lines = Lines { line: game.line, at: 0 };
    if let Some((at, begin)) = no_game(game.text) {
        return sink.no_game(lines.of(game.text, at), &lexer::decode(begin));
    }
    let start = GameStart {
        rules: Rules::Chess,
        fen: String::new(),
        rotated: false,
        tags: Tags::default(),
        comment: None,
    };
    let mut reading = Reading {
        game,
        lines,
        sink,
        start,
        told: false,
        names: Default::default(),
        last_names: 0,
        loose: None,
        last: Move::default(),
        pending: false,
        annotated: false,
        mode: CastlingMode::Standard,
        branches: Vec::new(),
        late: Vec::new(),
        result: None,
        result_at: None,
        nested: 0,
    };
    let mut lexer = Lexer::new(game.text);
    while let Some((at, token)) = lexer.next() {
        reading.token(at, token, lexer.at());
    }
    reading.finish();
}

/// Tells the line in the source that a byte of a game is in. What was counted is not counted again: a text can
/// have something wrong at every byte.
struct Lines {
    line: u64,
    at: usize,
}

impl Lines {
    fn of(&mut self, text: &[u8], at: usize) -> u64 {
        let between = &text[at.min(self.at)..at.max(self.at)];
        let lines = memchr_iter(b'\n', between).count() as u64;
        self.line = if at < self.at { self.line - lines } else { self.line + lines };
        self.at = at;
        self.line
    }
}

/// Where and how a text begins that is no game: no tag, and no word that could be of a game.
fn no_game(text: &[u8]) -> Option<(usize, &[u8])> {
    let mut lexer = Lexer::new(text);
    let mut first = 0;
    while let Some((at, token)) = lexer.next() {
        first = at;
        match token {
            Token::Comment(..) => {}
            Token::Tag(..) => return None,
            Token::Word(word) => {
                let rest = &word[number(word)..];
                if rest.is_empty() || lexer::result(rest).is_some() || san::parse(rest).is_some() {
                    return None;
                }
                break;
            }
            _ => break,
        }
    }
    let begin = text[first..].split(|&b| b == b'\n').next().unwrap_or_default();
    Some((first, &begin[..begin.len().min(60)]))
}

/// The length of the number that a word begins with: digits and dots.
fn number(word: &[u8]) -> usize {
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits;
    loop {
        match word[end..] {
            [b'.', ..] => end += 1,
            [0xe2, 0x80, 0xa6, ..] => end += 3, // …
            _ => break,
        }
    }
    match word.get(end) {
        _ if end > digits => end,
        // `12` alone, or a dot forgotten: `12e4`, `12Nf3`. Not `0-0`, not `0000`.
        None if word != b"0000" => digits,
        Some(b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O') => digits,
        _ => 0,
    }
}

/// A comment on a move, its clocks taken out; behind variations it has a place of its own.
fn note(m: &mut Move, text: &str) {
    let rest = comment::take_clocks(text, m);
    comment::add(if m.variations.is_empty() { &mut m.comment } else { &mut m.comment_after }, &rest);
}

/// A line of moves: the game, or a variation.
struct Branch {
    /// Before its last move.
    before: Chess,
    now: Chess,
    /// Who gives check now.
    checkers: Bitboard,
    ranks: Ranks,
    /// The moves of a variation; those of the game go to the sink one by one.
    moves: Line,
    played: u32,
    /// A comment that waits for the move it stands before.
    waiting: Option<String>,
    /// The number of the next move has been read.
    numbered: bool,
    /// Where the first thing stands that could not be read, and why.
    broken: Option<(usize, AnomalyKind, String)>,
}

impl Branch {
    fn new(pos: Chess) -> Branch {
        Branch {
            ranks: Ranks::new(&pos),
            checkers: pos.checkers(),
            before: pos.clone(),
            now: pos,
            moves: Line::new(),
            played: 0,
            waiting: None,
            numbered: false,
            broken: None,
        }
    }

    /// The move that comes next, in words.
    fn place(&self) -> String {
        let dots = if self.now.turn().is_white() { "." } else { "..." };
        format!("move {}{dots}", self.now.fullmoves())
    }
}

struct Reading<'a, S> {
    game: GameText<'a>,
    lines: Lines,
    sink: &'a mut S,
    start: GameStart,
    /// The sink knows of the start.
    told: bool,
    /// Of the last ply of the game, at `last_names`; the others are of a ply that is being read, or the last of any
    /// variation. They change places by their number: they are large.
    names: [Names; 2],
    last_names: usize,
    /// A result in a variation, the very last token so far.
    loose: Option<&'static str>,
    /// The last ply of the game, which what follows may still annotate. It is kept in its place: most plies
    /// have nothing in it, and it is large.
    last: Move,
    /// The sink does not know of it yet.
    pending: bool,
    /// Something is in it.
    annotated: bool,
    mode: CastlingMode,
    /// The game and the variations that are open, innermost last; empty among the tags.
    branches: Vec<Branch>,
    /// What waits for the last ply to go out first.
    late: Vec<Trouble>,
    result: Option<&'static str>,
    result_at: Option<usize>,
    /// Variations that are open inside of what is left unread.
    nested: u32,
}

impl<S: Sink> Reading<'_, S> {
    fn token(&mut self, at: usize, token: Token<'_>, end: usize) {
        if self.branches.is_empty() {
            match token {
                Token::Tag(name, value) => return self.tag(at, name, value),
                Token::Stray(..) => return self.stray(at, end),
                Token::Comment(text, closed) => {
                    comment::add(&mut self.start.comment, &lexer::decode(text));
                    return self.closed(at, closed);
                }
                _ => self.begin(at),
            }
        }
        if let Some(result) = self.loose.take() {
            self.annotate(result);
        }
        if self.branch().broken.is_some() {
            return self.skip(at, token, end);
        }
        match token {
            Token::Comment(text, closed) => {
                self.annotate(&lexer::decode(text));
                self.closed(at, closed);
            }
            Token::Nag(digits) => match text(digits).parse() {
                Ok(nag) => self.nag(at, end, nag),
                Err(_) => self.stray(at, end),
            },
            Token::Open => self.open(at),
            Token::Close => self.close(at, end),
            Token::Word(word) => self.word(at, word),
            Token::Tag(..) | Token::Stray(..) => self.stray(at, end),
        }
    }

    fn branch(&mut self) -> &mut Branch {
        self.branches.last_mut().expect("the main line is there once the tags are over")
    }

    /// The last move of the innermost open line.
    fn last_move(&mut self) -> Option<&mut Move> {
        match &mut self.branches[..] {
            [.., branch] if branch.played == 0 => None,
            [_] => {
                self.annotated = true;
                Some(&mut self.last)
            }
            [.., branch] => branch.moves.last_mut(),
            [] => None,
        }
    }

    fn tag(&mut self, at: usize, name: &[u8], value: &[u8]) {
        let (name, value) = (lexer::decode(name), lexer::decode(&lexer::unescape(value)));
        match self.start.tags.get(&name) {
            Some(old) if *old != value => {
                let problem = format!("a second tag {name} \"{value}\" is left out");
                self.trouble(at, AnomalyKind::Unreadable, problem, String::new());
            }
            Some(_) => {}
            None => self.start.tags.0.push((name, value)),
        }
    }

    /// The tags are over.
    fn begin(&mut self, at: usize) {
        let begin = Begin::of(&self.start.tags);
        self.mode = begin.pos.castles().mode();
        self.start.rules = begin.rules;
        self.start.fen = begin.fen;
        let mut branch = Branch::new(begin.pos);
        branch.broken = begin.problem.map(|problem| (at, AnomalyKind::Unreadable, problem));
        self.branches.push(branch);
    }

    /// Everything that is known goes to the sink: the start, the last ply, what was wrong since.
    fn flush(&mut self) {
        if !self.told {
            self.told = true;
            self.sink.game(&self.start);
        }
        if std::mem::take(&mut self.pending) {
            self.sink.ply(&self.names[self.last_names], &self.last);
        }
        if !self.late.is_empty() {
            self.late.drain(..).for_each(|trouble| self.sink.trouble(trouble));
        }
    }

    fn trouble(&mut self, at: usize, kind: AnomalyKind, problem: String, unread: String) {
        let ply = self.branches.first().map_or(0, |main| main.played);
        self.late.push(Trouble { line: self.lines.of(self.game.text, at), ply, kind, problem, unread });
    }

    /// Signs that have no meaning where they stand; the moves go on.
    fn stray(&mut self, at: usize, end: usize) {
        let place = self.branches.last().map_or("the tags".to_owned(), Branch::place);
        let problem = format!("at {place} \"{}\" has no meaning", self.quote(at, end));
        self.trouble(at, AnomalyKind::Unreadable, problem, String::new());
    }

    /// A piece of the text in one line.
    fn quote(&self, from: usize, to: usize) -> String {
        let mut quote = None;
        comment::add(&mut quote, &lexer::decode(&self.game.text[from..to]));
        quote.unwrap_or_default()
    }

    fn closed(&mut self, at: usize, closed: bool) {
        if !closed {
            let place = self.branches.last().map_or("the tags".to_owned(), Branch::place);
            let problem =
                format!("at {place} a comment begins that is not closed: it takes all the rest of the game");
            self.trouble(at, AnomalyKind::Unreadable, problem, String::new());
        }
    }

    fn annotate(&mut self, text: &str) {
        let branch = self.branch();
        if branch.numbered || branch.played == 0 {
            return comment::add(&mut branch.waiting, text);
        }
        if let Some(m) = self.last_move() {
            note(m, text);
        }
    }

    fn nag(&mut self, at: usize, end: usize, nag: u8) {
        match self.last_move() {
            Some(m) if m.nags.contains(&nag) => {}
            Some(m) => m.nags.push(nag),
            None => self.stray(at, end),
        }
    }

    fn word(&mut self, at: usize, word: &[u8]) {
        let mut used = 0;
        while used < word.len() {
            let (here, rest) = (at + used, &word[used..]);
            // Most words begin with a letter and are moves; no result, number or glyph is spelt like one.
            if rest[0].is_ascii_alphabetic()
                && let Some((asked, length)) = san::parse(rest)
            {
                self.play(here, asked, &rest[..length]);
                if self.branch().broken.is_some() {
                    return;
                }
                used += length;
                continue;
            }
            if let Some(result) = lexer::result(rest) {
                return self.result(here, result);
            }
            used += match number(rest) {
                0 => {
                    if let Some((nag, length)) = glyph::at_begin(rest) {
                        match nag {
                            Some(nag) => self.nag(here, here + length, nag),
                            // A sign of check and the like says what the position says.
                            None if self.last_move().is_some() => {}
                            None => self.stray(here, here + length),
                        }
                        length
                    } else if let Some((asked, length)) = san::parse(rest) {
                        self.play(here, asked, &rest[..length]);
                        length
                    } else {
                        let branch = self.branch();
                        let problem = format!("{} \"{}\" is no move", branch.place(), lexer::decode(rest));
                        branch.broken = Some((here, AnomalyKind::Unreadable, problem));
                        0
                    }
                }
                length => {
                    self.branch().numbered = true;
                    length
                }
            };
            if self.branch().broken.is_some() {
                return;
            }
        }
    }

    fn play(&mut self, at: usize, asked: Asked, name: &[u8]) {
        let is_main = self.branches.len() == 1;
        let Some(branch) = self.branches.last_mut() else { return };
        // The last ply of the game keeps its names until this one is known to be a move: a comment that waits
        // for one that is none is on the last ply.
        let names = &mut self.names[1 - self.last_names];
        names.san.clear();
        names.uci.clear();
        names.fen.clear();
        let played = match asked {
            Asked::Null => start::passed(&branch.now).ok_or(Refused::Illegal).map(|pos| {
                branch.before = std::mem::replace(&mut branch.now, pos);
                branch.checkers = branch.now.checkers();
                names.san.extend(b"--");
                names.uci.extend(b"0000");
            }),
            _ => legal::resolve(&branch.now, branch.checkers, asked, &mut names.san).map(|m| {
                legal::push_uci(m, self.mode, &mut names.uci);
                branch.before.clone_from(&branch.now);
                branch.now.play_unchecked(m);
                branch.checkers = legal::checkers_after(m, &branch.now);
                branch.ranks.play(m, branch.before.turn());
                legal::push_check(&branch.now, branch.checkers, &mut names.san);
            }),
        };
        if let Err(refused) = played {
            let what = match refused {
                Refused::Illegal => "illegal",
                Refused::Ambiguous => "ambiguous",
            };
            let problem = format!("{} {} is {what}", branch.place(), lexer::decode(name));
            branch.broken = Some((at, AnomalyKind::Illegal, problem));
            return;
        }
        branch.ranks.push_fen(&branch.now, &mut names.fen);
        branch.played += 1;
        branch.numbered = false;
        let comment_before = branch.waiting.take();
        if is_main {
            self.flush();
            self.last_names = 1 - self.last_names;
            self.pending = true;
            if comment_before.is_some() || std::mem::take(&mut self.annotated) {
                self.annotated = comment_before.is_some();
                self.last = Move { comment_before, ..Move::default() };
            }
        } else {
            branch.moves.push(Move {
                san: Some(text(names.san.as_bytes())),
                uci: Some(text(names.uci.as_bytes())),
                fen: text(names.fen.as_bytes()),
                comment_before,
                ..Move::default()
            });
        }
    }

    fn result(&mut self, at: usize, result: &'static str) {
        if self.branches.len() > 1 {
            self.branch().numbered = false;
            self.loose = Some(result);
            return;
        }
        match self.result {
            None => {
                self.result = Some(result);
                self.result_at = Some(at);
            }
            Some(first) if first != result => {
                let problem = format!("a second result, {result}, is left out");
                self.trouble(at, AnomalyKind::Unreadable, problem, String::new());
            }
            Some(_) => {}
        }
    }

    fn open(&mut self, at: usize) {
        let deep = self.branches.len() > DEEPEST;
        let parent = self.branch();
        let mut branch = Branch::new(parent.before.clone());
        let problem = if parent.played == 0 {
            Some("a variation before the first move")
        } else if deep {
            Some("variations nest too deep")
        } else {
            None
        };
        if let Some(problem) = problem {
            let problem = format!("at {} {problem}", parent.place());
            branch.broken = Some((at + 1, AnomalyKind::Unreadable, problem));
        }
        parent.numbered = false;
        self.branches.push(branch);
    }

    fn close(&mut self, at: usize, end: usize) {
        if self.branches.len() == 1 {
            return self.stray(at, end);
        }
        let Some(mut branch) = self.branches.pop() else { return };
        if let Some((from, kind, problem)) = branch.broken.take() {
            let unread = self.quote(from, at);
            self.trouble(from, kind, format!("in a variation, {problem}"), unread);
        }
        let Some(parent) = self.last_move() else { return };
        if let Some(waiting) = branch.waiting.take() {
            match branch.moves.last_mut() {
                Some(m) => note(m, &waiting),
                None => note(parent, &waiting),
            }
        }
        if !branch.moves.is_empty() {
            parent.variations.push(branch.moves);
        }
    }

    /// A token behind one that could not be read: only brackets and the result still count.
    fn skip(&mut self, at: usize, token: Token<'_>, end: usize) {
        let is_main = self.branches.len() == 1;
        if let Token::Word(word) = token
            && is_main
            && self.nested == 0
            && let Some(result) = lexer::result(word)
        {
            return self.result(at, result);
        }
        if is_main {
            // Then it is not the result that ends what is unread.
            self.result_at = None;
        }
        match token {
            Token::Open => self.nested += 1,
            Token::Close if self.nested > 0 => self.nested -= 1,
            Token::Close if !is_main => self.close(at, end),
            _ => {}
        }
    }

    fn finish(mut self) {
        let end = self.game.text.len();
        if self.branches.is_empty() {
            self.begin(end);
        }
        if self.branches.len() > 1 {
            let problem = format!("before {} a variation is not closed", self.branch().place());
            self.trouble(end, AnomalyKind::Unreadable, problem, String::new());
            self.result = self.loose.take();
        }
        while self.branches.len() > 1 {
            self.close(end, end);
        }
        let main = self.branch();
        let broken = main.broken.take();
        if let Some(waiting) = main.waiting.take() {
            main.numbered = false;
            match main.played {
                0 => comment::add(&mut self.start.comment, &waiting),
                _ => self.annotate(&waiting),
            }
        }
        if let Some((from, kind, problem)) = broken {
            let to = self.result_at.filter(|&at| at >= from).unwrap_or(end);
            let unread = self.quote(from, to);
            // Of a variant's game without a move nothing is lost.
            if !unread.is_empty() {
                self.trouble(from, kind, problem, unread);
            }
        }
        let result = self.final_result();
        self.flush();
        self.sink.end(End { result: result.parse().ok(), reason: EndReason::Tag });
    }

    /// The result of the tag, or else that behind the moves.
    fn final_result(&mut self) -> &'static str {
        let behind = self.result.unwrap_or("*");
        let Some(tag) = self.start.tags.get("Result") else { return behind };
        match lexer::result(tag.trim().as_bytes()) {
            Some("*") => behind,
            Some(result) => {
                if behind != "*" && behind != result {
                    let problem = format!("the tag says {result}, the moves end with {behind}");
                    let at = self.result_at.unwrap_or(0);
                    self.trouble(at, AnomalyKind::Unreadable, problem, String::new());
                }
                result
            }
            None => {
                if !["", "?", "-"].contains(&tag.trim()) {
                    let problem = format!("the tag Result \"{tag}\" is no result");
                    self.trouble(0, AnomalyKind::Unreadable, problem, String::new());
                }
                behind
            }
        }
    }
}
