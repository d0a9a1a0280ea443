//! Reads the text of a game: tags, moves by the rules, annotations, variations.
//!
//! Nothing is dropped silently. Text that cannot be read becomes an anomaly that quotes it; after the first unreadable
//! move of a line no more moves of that line are read, since the position is unknown.
//!
//! Circle: a game's tags and its end are steps of reading it, and subjects of their own.
//!
//! # Why this does not use pgn-reader
//!
//! Tried with pgn-reader 0.29: all of this file over its `Visitor` instead of our [`Lexer`]. The speed would do: 0.92
//! of ours on games without comments, the same on games with many. But a visitor only gets what pgn-reader understands,
//! and no places:
//!
//! * Dropped silently: moves in other spellings (`b8Q`, `e2e4`, `♘f3`, `e:d5`, `exd6e.p.`), words that are no moves,
//!   comments after semicolons, stray brackets, signs (`+-`, `⩲`, `N`), `$256`, a result `1/2`. The game continues from a
//!   wrong position. Of 9680 games of the trial, 32 came out wrong.
//! * Without a place: no line for a message, no text to quote as unread, no number of a move before a comment, which
//!   shows that the comment belongs to the next move.
//! * Given up: tags cut at an inner quote (`"Club "Victory""`), and everything after an unclosed comment.
//!
//! A guard that detects dropped text has to examine every byte, so it is a lexer; and the text it finds has to be read
//! too.
//! Both would be needed besides pgn-reader (0.82 and 0.90 of the speed), and no line here would go. So pgn-reader is
//! the second opinion instead: `tests/pgn` compares the two over generated games and checks each case of the list
//! above, `cargo bench --bench second_opinion` compares files.

mod end;
mod tag;

use super::{
    bounds::{self, Room},
    claims::Claims,
    comment,
    cutter::GameText,
    ending::LastWord,
    eval,
    flaw::{Flaw, LineCounter, unless_quoted},
    legal::Refused,
    lexer::{self, Lexer, Token},
    line::{Broken, Names, OpenLine},
    no_game::no_game,
    san::MoveText,
    sink::Sink,
    start::Begin,
    word::{self, Part, whole_move},
};
use crate::{
    format::{
        text::Letters,
        words::{self, is_long, short},
    },
    record::{AnomalyKind, GameStart, Move, Rules, TagPlaces, Tags},
};

/// Variations deeper than this are quoted, not read: records nest as JSON, whose readers have limits.
const DEEPEST: usize = 40;

/// Up to this many flaws of a game are reported one by one, the others counted: text that is no PGN has one at every
/// word.
const MOST_FLAWS: usize = 50;

/// Most games have no more tags than this.
const USUAL_TAGS: usize = 16;

/// Reads one game; `number` is its name in messages.
pub fn read(game: GameText<'_>, number: u32, sink: &mut impl Sink) {
    read_in(game, number, Letters::default(), sink);
}

/// Reads one game whose words are in these letters.
pub(super) fn read_in(game: GameText<'_>, number: u32, letters: Letters, sink: &mut impl Sink) {
    let mut lines = LineCounter::new(game.line);
    if let Some((at, begin)) = no_game(game.text) {
        return sink.no_game(lines.of(game.text, at), &lexer::decode(begin, letters));
    }
    let start = GameStart {
        rules: Rules::Chess,
        fen: String::new(),
        rotated: false,
        zone: None,
        tags: Tags(Vec::with_capacity(USUAL_TAGS)),
        comment: None,
    };
    let mut reader = GameReader {
        game,
        number,
        letters,
        lines,
        sink,
        start,
        places: TagPlaces::default(),
        claims: Claims::default(),
        started: false,
        names: Box::new(Names::of(number)),
        last: Move::default(),
        last_names: Box::new(Names::of(number)),
        held: false,
        clocks: [false; 2],
        doubted: false,
        unquoted: false,
        annotated: false,
        loose: None,
        open: Vec::new(),
        flaws: Vec::new(),
        flaw_count: 0,
        astray: None,
        result: None,
        result_at: None,
        nested: 0,
        room: Room::default(),
        full: None,
    };
    let mut lexer = Lexer::new(game.text);
    while let Some((at, token)) = lexer.next() {
        reader.token(at, token, lexer.at());
    }
    reader.finish();
}

struct GameReader<'a, S> {
    game: GameText<'a>,
    number: u32,
    letters: Letters,
    lines: LineCounter,
    sink: &'a mut S,
    start: GameStart,
    places: TagPlaces,
    claims: Claims,
    /// The sink has the start of the game.
    started: bool,
    /// The names of the ply being read.
    names: Box<Names>,
    /// The last ply of the game, which the following text may still annotate. It is not moved: it is large, and mostly
    /// empty.
    last: Move,
    last_names: Box<Names>,
    /// The sink does not have the last ply yet.
    held: bool,
    /// Whether one of the earlier plies had no clock, and whether one had.
    clocks: [bool; 2],
    /// An ambiguous clock was reported.
    doubted: bool,
    /// A tag without quotes was reported.
    unquoted: bool,
    /// The last ply has annotations.
    annotated: bool,
    /// A result in a variation, the very last token so far.
    loose: Option<&'static str>,
    /// The game and the variations that are open, innermost last; empty among the tags.
    open: Vec<OpenLine>,
    /// Flaws that wait for the last ply to be written first.
    flaws: Vec<Flaw>,
    /// The number of flaws.
    flaw_count: usize,
    /// The range of signs without a meaning: adjacent ones belong to the same flaw.
    astray: Option<(usize, usize)>,
    /// The result after the moves.
    result: Option<&'static str>,
    /// Its place, unless more unread text follows.
    result_at: Option<usize>,
    /// The number of open variations within unread text.
    nested: u32,
    /// The room left in the present record.
    room: Room,
    /// The place from which on it was full: up to the next move of the game the text is left unread.
    full: Option<usize>,
}

impl<S: Sink> GameReader<'_, S> {
    fn token(&mut self, at: usize, token: Token<'_>, end: usize) {
        if self.astray.is_some() && !matches!(token, Token::Stray(..)) {
            self.report_strays();
        }
        if self.open.is_empty() {
            match token {
                Token::Tag(name, value) => return self.tag(at, name, value),
                Token::LooseTag(name, value) => return self.loose_tag(at, name, value),
                Token::Stray(..) => return self.stray(at, end),
                Token::Comment(text, closed) => {
                    let text = lexer::decode(text, self.letters);
                    if self.room.take(text.len()) {
                        comment::add(&mut self.start.comment, &text);
                    } else {
                        self.too_long("among the tags", at, text.into_owned());
                    }
                    return self.closed(at, closed);
                }
                _ => self.begin(at),
            }
        }
        if self.full.is_some() && self.is_behind_full(at, token, end) {
            return;
        }
        if let Some(result) = self.loose.take() {
            self.annotate(at, result);
        }
        if self.line().broken.is_some() {
            return self.skip(at, token, end);
        }
        match token {
            Token::Comment(text, closed) => {
                self.annotate(at, &lexer::decode(text, self.letters));
                self.closed(at, closed);
            }
            Token::Nag(digits) => match lexer::decode(digits, self.letters).parse() {
                Ok(nag) => self.nag(nag),
                Err(_) => self.stray(at, end),
            },
            Token::Open => self.open_variation(at, end),
            Token::Close => self.close_variation(at, end),
            Token::Word(word) => self.word(at, word),
            Token::Tag(..) | Token::LooseTag(..) | Token::Stray(..) => self.stray(at, end),
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

    /// The tags are over.
    fn begin(&mut self, at: usize) {
        let begin = Begin::of(&self.start.tags);
        self.start.rules = begin.rules;
        self.start.fen = begin.fen;
        let mut line = OpenLine::new(begin.pos);
        self.claims.take(line.standing(), line.reversible());
        self.room.begin(0);
        line.broken = begin.problem.map(|problem| Broken::unreadable(at, at, problem));
        self.open.push(line);
        if let Some(guess) = begin.guess {
            self.unreadable(at, guess);
        }
    }

    /// Passes everything read so far to the sink: the start, the last ply, the flaws since.
    fn flush(&mut self) {
        if !self.started {
            self.started = true;
            self.sink.game(&self.start);
        }
        if std::mem::take(&mut self.held) {
            self.clocks[usize::from(self.last.seconds.is_some())] = true;
            let evaluation = if self.annotated { eval::take(&mut self.last) } else { None };
            self.sink.ply(&self.last_names, self.annotated.then_some(&self.last));
            if let Some((score, depth)) = evaluation {
                self.sink.evaluation(score, depth);
            }
        }
        if !self.flaws.is_empty() {
            std::mem::take(&mut self.flaws).into_iter().for_each(|flaw| self.sink.flaw(flaw));
        }
    }

    fn flaw(&mut self, at: usize, kind: AnomalyKind, problem: String, unread: String) {
        let message = problem.clone();
        self.flaw_with(at, kind, problem, unread, &message);
    }

    /// A flaw with another text for the user than in the record.
    fn flaw_with(&mut self, at: usize, kind: AnomalyKind, problem: String, unread: String, message: &str) {
        self.flaw_count += 1;
        if self.flaw_count > MOST_FLAWS {
            return;
        }
        let ply = self.open.first().map_or(0, |main| main.played);
        let line = self.lines.of(self.game.text, at);
        let message = format!("{}: {message}", words::game(self.number, &self.start.tags));
        for (nth, unread) in bounds::pieces(&unread).enumerate() {
            let problem = format!("{}{problem}", if nth == 0 { "" } else { "more of: " });
            let (unread, message) = (unread.to_owned(), message.clone());
            self.flaws.push(Flaw { line, ply, kind, problem, unread, message });
        }
    }

    /// Reports something that was read and that a person should check.
    fn doubt(&mut self, at: usize, problem: &str) {
        let line = self.lines.of(self.game.text, at);
        self.sink.doubt(line, format!("{}: {problem}", words::game(self.number, &self.start.tags)));
    }

    fn too_long(&mut self, place: &str, at: usize, unread: String) {
        let problem = format!("{place} more text stands than a record holds");
        self.flaw(at, AnomalyKind::Unreadable, problem, unread);
    }

    /// Whether a token comes after the record of the ply was full: it is left unread, but a move of the game or its
    /// result is read again.
    fn is_behind_full(&mut self, at: usize, token: Token<'_>, end: usize) -> bool {
        let is_main = self.open.len() == 1;
        match token {
            Token::Word(_) if is_main && self.nested == 0 => {
                self.report_full(at);
                return false;
            }
            Token::Open => self.nested += 1,
            Token::Close if self.nested > 0 => self.nested -= 1,
            Token::Close if !is_main => self.close_variation(at, end),
            _ => {}
        }
        true
    }

    fn report_full(&mut self, to: usize) {
        let Some(from) = self.full.take() else { return };
        let place = self.open.first().map_or_else(String::new, OpenLine::place);
        self.too_long(&format!("before {place}"), from, self.quote(from, to));
    }

    fn unreadable(&mut self, at: usize, problem: String) {
        self.flaw(at, AnomalyKind::Unreadable, problem, String::new());
    }

    /// Signs without a meaning here; the moves continue.
    fn stray(&mut self, at: usize, end: usize) {
        match &mut self.astray {
            Some((_, last)) if lexer::is_blank(&self.game.text[*last..at]) => *last = end,
            _ => {
                self.report_strays();
                self.astray = Some((at, end));
            }
        }
    }

    fn report_strays(&mut self) {
        let Some((at, end)) = self.astray.take() else { return };
        let place = self.open.last().map_or("the tags".to_owned(), OpenLine::place);
        let quote = self.quote(at, end);
        let problem = format!("at {place} \"{}\" has no meaning", short(&quote));
        self.flaw(at, AnomalyKind::Unreadable, problem, unless_quoted(quote));
    }

    /// A piece of the text as one line.
    fn quote(&self, from: usize, to: usize) -> String {
        let mut quote = None;
        comment::add(&mut quote, &lexer::decode(&self.game.text[from.min(to)..to], self.letters));
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

    fn annotate(&mut self, at: usize, text: &str) {
        if !self.room.take(text.len()) {
            self.full.get_or_insert(at);
            return;
        }
        let line = self.line();
        if line.numbered || line.played == 0 {
            return comment::add(&mut line.waiting, text);
        }
        let kept = self.last_move().is_none_or(|m| comment::note(m, text));
        if kept
            && !self.doubted
            && let Some(clock) = comment::doubtful(text)
        {
            self.doubted = true;
            let problem = format!("\"{clock}\" stays a comment: it may begin with hours or with minutes");
            self.doubt(at, &problem);
        }
    }

    /// A sign: for the move before it, or at the beginning of a line for the one after it ($142, better is).
    fn nag(&mut self, nag: u8) {
        self.room.take(0);
        let line = self.line();
        let nags = match line.played {
            0 => &mut line.nags,
            _ => match self.last_move() {
                Some(m) => &mut m.nags,
                None => return,
            },
        };
        if !nags.contains(&nag) {
            nags.push(nag);
        }
    }

    fn word(&mut self, at: usize, word: &[u8]) {
        if matches!(word, [b'0' | b'+' | b'-', ..])
            && let Some(LastWord::Result(result)) = self.last_word(at, word)
            // After a number `0-0` is castling.
            && !self.line().numbered
        {
            return self.result(at, result);
        }
        let mut used = 0;
        while used < word.len() && self.line().broken.is_none() {
            let (here, rest) = (at + used, &word[used..]);
            let Some((part, length)) = word::first(rest) else {
                let name = lexer::decode(rest, self.letters);
                let line = self.line();
                let problem = format!("{} \"{}\" is no move", line.place(), short(&name));
                // The quote of a long word is cut.
                let end = if is_long(&name) { here } else { at + word.len() };
                line.broken = Some(Broken::unreadable(here, end, problem));
                return;
            };
            match part {
                Part::Number => self.line().numbered = true,
                Part::Move(asked) => self.play(here, asked, rest, length),
                Part::Result(result) => self.result(here, result),
                Part::Nag(nag) => self.nag(nag),
                Part::Sign if self.line().played > 0 => {}
                Part::Sign => self.stray(here, here + length),
            }
            used += length;
        }
    }

    fn play(&mut self, at: usize, asked: MoveText, word: &[u8], length: usize) {
        let is_main = self.open.len() == 1;
        let Some(line) = self.open.last_mut() else { return };
        // The last ply of the game keeps its names until this word is certain to be a move: a comment before other text
        // belongs to the last ply.
        match line.play(asked, &mut self.names) {
            Ok(()) if is_main => {
                let claim = self.claims.take(line.standing(), line.reversible());
                let waited = line.waited();
                let before = waited.as_ref().and_then(|m| m.comment_before.as_ref());
                self.room.begin(before.map_or(0, String::len));
                self.flush();
                std::mem::swap(&mut self.names, &mut self.last_names);
                self.held = true;
                let annotated = claim.is_some() || waited.is_some();
                if annotated || self.annotated {
                    self.annotated = annotated;
                    self.last = waited.unwrap_or_default();
                    self.last.claim = claim.map(str::to_owned);
                }
            }
            Ok(()) => {
                // With its signs.
                let written = self.names.fields().len() + 4 * line.nags.len();
                line.keep(&self.names);
                if !self.room.take(written / 2) {
                    self.full.get_or_insert(at + length);
                }
            }
            Err(refused) => self.refuse(at, word, length, refused),
        }
    }

    /// A word for a move that cannot be played: it breaks the line, unless it is the result.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, at: usize, word: &[u8], length: usize, refused: Refused) {
        if let Some(LastWord::Open(result) | LastWord::Result(result)) = self.last_word(at, word) {
            return self.result(at, result);
        }
        let name = whole_move(word, length);
        let (end, name, number) = (at + name.len(), lexer::decode(name, self.letters), self.line().number());
        let (problem, message) = match refused {
            Refused::Illegal(why) => {
                (format!("{number} {name} ({why})"), format!("move {number} {name} is illegal ({why})"))
            }
            Refused::Ambiguous => {
                (format!("{number} {name} is ambiguous"), format!("move {number} {name} is ambiguous"))
            }
        };
        let (kind, message) = (AnomalyKind::Illegal, Some(message));
        self.line().broken = Some(Broken { at, end, kind, problem, message });
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

    fn open_variation(&mut self, at: usize, end: usize) {
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
        line.broken =
            problem.map(|problem| Broken::unreadable(at, end, format!("at {} {problem}", parent.place())));
        parent.numbered = false;
        self.open.push(line);
    }

    fn close_variation(&mut self, at: usize, end: usize) {
        if self.open.len() == 1 {
            return self.stray(at, end);
        }
        let Some(mut line) = self.open.pop() else { return };
        if let Some(broken) = line.broken.take() {
            self.report_broken(broken, at, "in a variation, ");
            line.nags.clear();
        }
        let Some(parent) = self.last_move() else { return };
        if let Some(waiting) = line.waiting.take() {
            match line.moves.last_mut() {
                Some(m) => _ = comment::note(m, &waiting),
                None => _ = comment::note(parent, &waiting),
            }
        }
        if line.moves.is_empty() {
            // Signs alone in brackets belong to the move before them, as in books.
            line.nags.retain(|nag| !parent.nags.contains(nag));
            parent.nags.append(&mut line.nags);
        } else {
            // Most variations are short, and there may be very many.
            line.moves.shrink_to_fit();
            parent.variations.push(line.moves);
        }
    }

    /// Reports what ended a line, and the text up to `to` that was left unread because of it.
    fn report_broken(&mut self, broken: Broken, to: usize, place: &str) {
        let Broken { at, end, kind, problem, message } = broken;
        let unread = self.quote(end, to);
        let message = format!("{place}{}", message.as_deref().unwrap_or(&problem));
        self.flaw_with(at, kind, format!("{place}{problem}"), unread, &message);
    }

    /// A token after an unreadable one: only brackets and the result still count.
    fn skip(&mut self, at: usize, token: Token<'_>, end: usize) {
        let is_main = self.open.len() == 1;
        if let Token::Word(word) = token
            && is_main
            && self.nested == 0
            && let Some(result) = word::result(word).or_else(|| match self.last_word(at, word) {
                Some(LastWord::Result(result)) => Some(result),
                _ => None,
            })
        {
            return self.result(at, result);
        }
        if is_main {
            // Then the result does not end the unread text.
            self.result_at = None;
        }
        match token {
            Token::Open => self.nested += 1,
            Token::Close if self.nested > 0 => self.nested -= 1,
            Token::Close if !is_main => self.close_variation(at, end),
            _ => {}
        }
    }
}
