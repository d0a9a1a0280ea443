//! The text of a game to what was played: tags, moves by the rules, annotations, variations.
//!
//! Nothing is lost in silence. What cannot be read becomes an anomaly that quotes it; behind the first move
//! that cannot be read no more moves of that line are, for nobody knows the position any more.
//!
//! # Why this does not stand on pgn-reader
//!
//! Tried with pgn-reader 0.29: all of this file over its `Visitor` instead of our [`Lexer`]. Speed is no reason
//! against it: 0.92 of ours on games without comments, as fast on games with many. But a visitor hears of what
//! pgn-reader understands and of nothing else, nor where it stands:
//!
//! * Left out without a word: moves in other spellings (`b8Q`, `e2e4`, `♘f3`, `e:d5`, `exd6e.p.`), words that are
//!   no moves, comments behind semicolons, stray brackets, signs (`+-`, `⩲`, `N`), `$256`, a result `1/2`. The game
//!   goes on from a position that nobody had. Of 9680 games that it was tried with, 32 came out otherwise.
//! * Told without a place: no line for a message, no text to quote as unread, no number of a move before a comment,
//!   by which that is of the next move.
//! * Given up: tags cut at a quote inside (`"Club "Victory""`), and all that follows a comment without its end.
//!
//! A guard that sees what is left out has to look at every byte, so it is a lexer; and what it finds has to be read
//! too. Both would stay beside pgn-reader (0.82 and 0.90 of the speed), and no line here would go. So it is the
//! second opinion instead: `tests/pgn` compares the two over generated games and holds each case of the list above,
//! `cargo bench --bench second_opinion` over files.

use memchr::memchr_iter;

use super::{
    comment,
    cutter::GameText,
    legal::Refused,
    lexer::{self, Lexer, Token},
    line::{Broken, Names, OpenLine},
    san::MoveText,
    start::Begin,
    word::{self, Part},
};
use crate::record::{AnomalyKind, End, EndReason, GameStart, Move, Rules, Tags};

/// Variations deeper than this are quoted, not read: records nest as JSON, whose readers have limits.
const DEEPEST: usize = 40;

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
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

/// Takes what is read of a game: one start, plies and flaws as they come, one end.
pub trait Sink {
    /// The game begins.
    fn game(&mut self, start: &GameStart);
    /// A ply of the main line. Its names stand in `names`, all else in `m`.
    fn ply(&mut self, names: &Names, m: &Move);
    /// Something could not be read.
    fn flaw(&mut self, flaw: Flaw);
    /// The game is over.
    fn end(&mut self, end: End);
    /// The text is no game at all: no start and no end.
    fn no_game(&mut self, line: u64, begin: &str);
}

/// Reads one game.
pub fn read(game: GameText<'_>, sink: &mut impl Sink) {
    let mut lines = LineCounter { line: game.line, at: 0 };
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
    let mut reader = GameReader {
        game,
        lines,
        sink,
        start,
        started: false,
        names: Names::default(),
        last: Move::default(),
        last_names: Names::default(),
        held: false,
        annotated: false,
        loose: None,
        open: Vec::new(),
        flaws: Vec::new(),
        result: None,
        result_at: None,
        nested: 0,
    };
    let mut lexer = Lexer::new(game.text);
    while let Some((at, token)) = lexer.next() {
        reader.token(at, token, lexer.at());
    }
    reader.finish();
}

/// Tells the line in the source that a byte of a game is in. What was counted is not counted again: a text can
/// have something wrong at every byte.
struct LineCounter {
    line: u64,
    at: usize,
}

impl LineCounter {
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
            Token::Word(word) if word::is_of_a_game(word) => return None,
            _ => break,
        }
    }
    let begin = text[first..].split(|&b| b == b'\n').next().unwrap_or_default();
    Some((first, &begin[..begin.len().min(60)]))
}

/// A comment on a move, its clocks taken out; behind variations it has a place of its own.
fn note(m: &mut Move, text: &str) {
    let rest = comment::take_clocks(text, m);
    comment::add(if m.variations.is_empty() { &mut m.comment } else { &mut m.comment_after }, &rest);
}

struct GameReader<'a, S> {
    game: GameText<'a>,
    lines: LineCounter,
    sink: &'a mut S,
    start: GameStart,
    /// The sink has the start.
    started: bool,
    /// Of the ply that is being read.
    names: Names,
    /// The last ply of the game, which what follows may still annotate. It stays in its place: it is large, and
    /// most plies have nothing in it.
    last: Move,
    last_names: Names,
    /// The sink does not have it yet.
    held: bool,
    /// Something is in it.
    annotated: bool,
    /// A result in a variation, the very last token so far.
    loose: Option<&'static str>,
    /// The game and the variations that are open, innermost last; empty among the tags.
    open: Vec<OpenLine>,
    /// What waits for the last ply to go out first.
    flaws: Vec<Flaw>,
    /// The result behind the moves.
    result: Option<&'static str>,
    /// Where it stands, unless more that is unread follows.
    result_at: Option<usize>,
    /// Variations that are open inside of what is left unread.
    nested: u32,
}

impl<S: Sink> GameReader<'_, S> {
    fn token(&mut self, at: usize, token: Token<'_>, end: usize) {
        if self.open.is_empty() {
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
        if self.line().broken.is_some() {
            return self.skip(at, token, end);
        }
        match token {
            Token::Comment(text, closed) => {
                self.annotate(&lexer::decode(text));
                self.closed(at, closed);
            }
            Token::Nag(digits) => match lexer::decode(digits).parse() {
                Ok(nag) => self.nag(at, end, nag),
                Err(_) => self.stray(at, end),
            },
            Token::Open => self.open_variation(at),
            Token::Close => self.close_variation(at, end),
            Token::Word(word) => self.word(at, word),
            Token::Tag(..) | Token::Stray(..) => self.stray(at, end),
        }
    }

    /// The innermost open line.
    fn line(&mut self) -> &mut OpenLine {
        self.open.last_mut().expect("the main line is there once the tags are over")
    }

    /// The last move of the innermost open line.
    fn last_move(&mut self) -> Option<&mut Move> {
        match &mut self.open[..] {
            [_] => {
                self.annotated = true;
                self.held.then_some(&mut self.last)
            }
            [.., line] => line.moves.last_mut(),
            [] => None,
        }
    }

    fn tag(&mut self, at: usize, name: &[u8], value: &[u8]) {
        let (name, value) = (lexer::decode(name), lexer::decode(&lexer::unescape(value)));
        match self.start.tags.get(&name) {
            Some(old) if *old != value => {
                self.unreadable(at, format!("a second tag {name} \"{value}\" is left out"));
            }
            Some(_) => {}
            None => self.start.tags.0.push((name, value)),
        }
    }

    /// The tags are over.
    fn begin(&mut self, at: usize) {
        let begin = Begin::of(&self.start.tags);
        self.start.rules = begin.rules;
        self.start.fen = begin.fen;
        let mut line = OpenLine::new(begin.pos);
        line.broken = begin.problem.map(|problem| Broken { at, kind: AnomalyKind::Unreadable, problem });
        self.open.push(line);
    }

    /// Everything that is known goes to the sink: the start, the last ply, what was wrong since.
    fn flush(&mut self) {
        if !self.started {
            self.started = true;
            self.sink.game(&self.start);
        }
        if std::mem::take(&mut self.held) {
            self.sink.ply(&self.last_names, &self.last);
        }
        self.flaws.drain(..).for_each(|flaw| self.sink.flaw(flaw));
    }

    fn flaw(&mut self, at: usize, kind: AnomalyKind, problem: String, unread: String) {
        let ply = self.open.first().map_or(0, |main| main.played);
        self.flaws.push(Flaw { line: self.lines.of(self.game.text, at), ply, kind, problem, unread });
    }

    fn unreadable(&mut self, at: usize, problem: String) {
        self.flaw(at, AnomalyKind::Unreadable, problem, String::new());
    }

    /// Signs that have no meaning where they stand; the moves go on.
    fn stray(&mut self, at: usize, end: usize) {
        let place = self.open.last().map_or("the tags".to_owned(), OpenLine::place);
        self.unreadable(at, format!("at {place} \"{}\" has no meaning", self.quote(at, end)));
    }

    /// A piece of the text in one line.
    fn quote(&self, from: usize, to: usize) -> String {
        let mut quote = None;
        comment::add(&mut quote, &lexer::decode(&self.game.text[from..to]));
        quote.unwrap_or_default()
    }

    fn closed(&mut self, at: usize, closed: bool) {
        if !closed {
            let place = self.open.last().map_or("the tags".to_owned(), OpenLine::place);
            let problem =
                format!("at {place} a comment begins that is not closed: it takes all the rest of the game");
            self.unreadable(at, problem);
        }
    }

    fn annotate(&mut self, text: &str) {
        let line = self.line();
        if line.numbered || line.played == 0 {
            return comment::add(&mut line.waiting, text);
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
        while used < word.len() && self.line().broken.is_none() {
            let (here, rest) = (at + used, &word[used..]);
            let Some((part, length)) = word::first(rest) else {
                let line = self.line();
                let problem = format!("{} \"{}\" is no move", line.place(), lexer::decode(rest));
                line.broken = Some(Broken { at: here, kind: AnomalyKind::Unreadable, problem });
                return;
            };
            match part {
                Part::Number => self.line().numbered = true,
                Part::Move(asked) => self.play(here, asked, &rest[..length]),
                Part::Result(result) => self.result(here, result),
                Part::Nag(nag) => self.nag(here, here + length, nag),
                Part::Sign if self.last_move().is_some() => {}
                Part::Sign => self.stray(here, here + length),
            }
            used += length;
        }
    }

    fn play(&mut self, at: usize, asked: MoveText, name: &[u8]) {
        let is_main = self.open.len() == 1;
        let Some(line) = self.open.last_mut() else { return };
        // The last ply of the game keeps its names until this one is known to be a move: a comment that waits
        // for one that is none is on the last ply.
        match line.play(asked, &mut self.names) {
            Ok(comment_before) if is_main => {
                self.flush();
                std::mem::swap(&mut self.names, &mut self.last_names);
                self.held = true;
                if comment_before.is_some() || std::mem::take(&mut self.annotated) {
                    self.annotated = comment_before.is_some();
                    self.last = Move { comment_before, ..Move::default() };
                }
            }
            Ok(comment_before) => line.keep(&self.names, comment_before),
            Err(refused) => {
                let what = match refused {
                    Refused::Illegal => "illegal",
                    Refused::Ambiguous => "ambiguous",
                };
                let problem = format!("{} {} is {what}", line.place(), lexer::decode(name));
                line.broken = Some(Broken { at, kind: AnomalyKind::Illegal, problem });
            }
        }
    }

    fn result(&mut self, at: usize, result: &'static str) {
        if self.open.len() > 1 {
            self.line().numbered = false;
            self.loose = Some(result);
            return;
        }
        if self.result.is_none() {
            (self.result, self.result_at) = (Some(result), Some(at));
        } else if self.result != Some(result) {
            self.unreadable(at, format!("a second result, {result}, is left out"));
        }
    }

    fn open_variation(&mut self, at: usize) {
        let deep = self.open.len() > DEEPEST;
        let parent = self.line();
        let mut line = OpenLine::new(parent.before.clone());
        let problem = if parent.played == 0 {
            Some("a variation before the first move")
        } else if deep {
            Some("variations nest too deep")
        } else {
            None
        };
        line.broken = problem.map(|problem| Broken {
            at: at + 1,
            kind: AnomalyKind::Unreadable,
            problem: format!("at {} {problem}", parent.place()),
        });
        parent.numbered = false;
        self.open.push(line);
    }

    fn close_variation(&mut self, at: usize, end: usize) {
        if self.open.len() == 1 {
            return self.stray(at, end);
        }
        let Some(mut line) = self.open.pop() else { return };
        if let Some(Broken { at: from, kind, problem }) = line.broken.take() {
            let unread = self.quote(from, at);
            self.flaw(from, kind, format!("in a variation, {problem}"), unread);
        }
        let Some(parent) = self.last_move() else { return };
        if let Some(waiting) = line.waiting.take() {
            match line.moves.last_mut() {
                Some(m) => note(m, &waiting),
                None => note(parent, &waiting),
            }
        }
        if !line.moves.is_empty() {
            parent.variations.push(line.moves);
        }
    }

    /// A token behind one that could not be read: only brackets and the result still count.
    fn skip(&mut self, at: usize, token: Token<'_>, end: usize) {
        let is_main = self.open.len() == 1;
        if let Token::Word(word) = token
            && is_main
            && self.nested == 0
            && let Some(result) = word::result(word)
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
            Token::Close if !is_main => self.close_variation(at, end),
            _ => {}
        }
    }

    fn finish(mut self) {
        let end = self.game.text.len();
        if self.open.is_empty() {
            self.begin(end);
        }
        if self.open.len() > 1 {
            let problem = format!("before {} a variation is not closed", self.line().place());
            self.unreadable(end, problem);
            self.result = self.loose.take();
        }
        while self.open.len() > 1 {
            self.close_variation(end, end);
        }
        let main = self.line();
        let broken = main.broken.take();
        if let Some(waiting) = main.waiting.take() {
            main.numbered = false;
            match main.played {
                0 => comment::add(&mut self.start.comment, &waiting),
                _ => self.annotate(&waiting),
            }
        }
        if let Some(Broken { at: from, kind, problem }) = broken {
            let to = self.result_at.filter(|&at| at >= from).unwrap_or(end);
            let unread = self.quote(from, to);
            // Of a variant's game without a move nothing is lost.
            if !unread.is_empty() {
                self.flaw(from, kind, problem, unread);
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
        match word::result(tag.trim().as_bytes()) {
            Some("*") => behind,
            Some(result) => {
                if behind != "*" && behind != result {
                    let at = self.result_at.unwrap_or(0);
                    self.unreadable(at, format!("the tag says {result}, the moves end with {behind}"));
                }
                result
            }
            None => {
                if !["", "?", "-"].contains(&tag.trim()) {
                    self.unreadable(0, format!("the tag Result \"{tag}\" is no result"));
                }
                behind
            }
        }
    }
}
