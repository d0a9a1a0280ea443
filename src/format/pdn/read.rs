//! PDN to game records: every move is checked, clock times are taken out of the comments, variations belong to their
//! moves.

use super::{
    Ending, clock,
    lexer::{Lexer, Token},
};
use crate::{
    draughts::{BadMove, Numbering, Position},
    format::{
        pgn,
        russian::{GameRecorder, ReadItem, describe},
        words,
    },
    record::{Anomaly, AnomalyKind, EndReason, GameEvent, GameRecord, Move, Outcome, TagPlaces, Tags},
};

/// Variations deeper than this are quoted, not read: records nest as JSON, whose readers have limits.
const DEEPEST: usize = 40;

/// Tags that the records hold in fields of their own.
const OWN: [&str; 3] = ["GameType", "FEN", "SetUp"];

/// Reads PDN line by line.
#[derive(Debug, Default)]
pub struct Reader {
    /// The numbering, if the user chose one.
    numbering: Option<Numbering>,
    lexer: Lexer,
    /// The place of the current line.
    source: String,
    /// Games begun in this run.
    games: u32,
    tags: Tags,
    places: TagPlaces,
    /// A comment before the tags, or before a position.
    intro: Option<String>,
    game: Option<Game>,
    items: Vec<ReadItem>,
}

/// A game being read.
#[derive(Debug)]
struct Game {
    /// None when the game as a whole was refused.
    recorder: Option<GameRecorder>,
    /// The record of the beginning, until the first move: comments before it belong there.
    begun: Option<GameRecord>,
    tags: Tags,
    numbering: Numbering,
    /// The main line, and the variations that are open.
    lines: Vec<Line>,
    /// Anomalies to be recorded after the last move.
    anomalies: Vec<Anomaly>,
}

/// A line of moves.
#[derive(Debug)]
struct Line {
    /// Its position.
    now: Position,
    /// Its position before the last move.
    before: Position,
    /// Its moves; of the main line only the last, the others have been recorded.
    moves: Vec<Move>,
    comment_before: Option<String>,
    /// A variation of the last move was read.
    varied: bool,
    /// A move could not be read; the later ones are quoted.
    broken: Option<Broken>,
}

/// The unread part of a line.
#[derive(Debug)]
struct Broken {
    anomaly: Anomaly,
    /// The text after it.
    unread: String,
    /// Parentheses that are open in that.
    nested: u32,
}

impl Broken {
    fn new(source: &str, kind: AnomalyKind, problem: impl Into<String>) -> Broken {
        // The ply is that of the main line, which is set when the anomaly is recorded.
        let anomaly = Anomaly { source: Some(source.to_owned()), ..Anomaly::new(0, kind, problem) };
        Broken { anomaly, unread: String::new(), nested: 0 }
    }

    /// Takes a token after it; returns false for the parenthesis that closes the line.
    fn take(&mut self, token: &Token, main: bool) -> bool {
        match token {
            Token::Open => self.nested += 1,
            Token::Close if self.nested > 0 => self.nested -= 1,
            Token::Close if !main => return false,
            _ => {}
        }
        let text = token.text();
        if !self.unread.is_empty() && !self.unread.ends_with('(') && ![")", ""].contains(&&*text) {
            self.unread.push(' ');
        }
        self.unread.push_str(&text);
        true
    }

    fn anomaly(self, ply: u32) -> Anomaly {
        Anomaly { ply, unread: Some(self.unread).filter(|unread| !unread.is_empty()), ..self.anomaly }
    }
}

impl Line {
    fn new(at: Position) -> Line {
        Line { now: at, before: at, moves: Vec::new(), comment_before: None, varied: false, broken: None }
    }

    /// A comment: after a move it belongs to that move, with its clock times; before all moves to the beginning, where
    /// there is one, or to the next move.
    fn comment(&mut self, comment: &str, begun: Option<&mut GameEvent>) {
        let mover = self.before.turn();
        if let Some(last) = self.moves.last_mut() {
            let read = clock::read(comment, mover);
            last.seconds = read.seconds.or(last.seconds);
            last.elapsed = read.elapsed.or(last.elapsed);
            let place = if self.varied { &mut last.comment_after } else { &mut last.comment };
            return clock::add(place, &read.text.unwrap_or_default());
        }
        let place = match begun {
            Some(GameEvent::Game(start)) => &mut start.comment,
            _ => &mut self.comment_before,
        };
        clock::add(place, comment);
    }
}

impl Reader {
    /// With a `numbering` numbers are read by it, whatever the GameType has.
    pub fn new(numbering: Option<Numbering>) -> Reader {
        Reader { numbering, ..Reader::default() }
    }

    /// Reads a line, whose place is `source`; returns the items that are complete.
    pub fn line(&mut self, source: &str, line: &[u8]) -> Vec<ReadItem> {
        source.clone_into(&mut self.source);
        for token in self.lexer.line(line) {
            self.token(token);
        }
        std::mem::take(&mut self.items)
    }

    /// The source has ended: the remaining items.
    pub fn end(&mut self) -> Vec<ReadItem> {
        if let Some(token) = self.lexer.end() {
            self.token(token);
        }
        if self.game.is_some() || !self.tags.is_empty() {
            self.finish(Ending::Open);
        }
        std::mem::take(&mut self.items)
    }

    fn token(&mut self, token: Token) {
        match token {
            Token::Tag(name, value) => {
                match self.game.take_if(|game| game.tags.is_empty() && game.begun.is_some()) {
                    Some(game) => self.back_to_tags(game),
                    None if self.game.is_some() => self.finish(Ending::Open),
                    None => {}
                }
                // A game without movetext: the next one's tags follow directly.
                if name == "Event" && self.tags.get("Event").is_some() {
                    self.finish(Ending::Open);
                }
                match self.places.find(&self.tags, &name) {
                    Some(at) => self.tags.0[at].1 = value,
                    None => self.tags.0.push((name, value)),
                }
            }
            // A result that ends nothing.
            Token::End(_) if self.game.is_none() && self.tags.is_empty() => {}
            Token::End(ending) => self.finish(ending),
            Token::Wrong(problem) => {
                let game = self.games + u32::from(self.game.is_none());
                self.items.push(ReadItem::Bad(format!("game {game}: {problem}")));
            }
            token => {
                let mut game = self.game.take().unwrap_or_else(|| self.begin(None));
                match token {
                    Token::Setup(text) => game = self.set_up(game, &text),
                    token => game.token(token, &self.source, self.games, &mut self.items),
                }
                self.game = Some(game);
            }
        }
    }

    /// Drops a game that has no move yet: only its comment stays.
    fn back_to_tags(&mut self, game: Game) {
        self.games -= 1;
        self.places = TagPlaces::default();
        self.tags = game.tags;
        self.intro = game.begun.and_then(|record| match record.event {
            GameEvent::Game(start) => start.comment,
            _ => None,
        });
    }

    /// Begins a game by the tags that have been read, or at a position before its moves.
    fn begin(&mut self, position: Option<Position>) -> Game {
        self.games += 1;
        self.places = TagPlaces::default();
        let mut tags = std::mem::take(&mut self.tags);
        let intro = self.intro.take();
        let kind = tags.get("GameType").unwrap_or("25");
        let numbering = self.numbering.or_else(|| numbering(kind)).unwrap_or_default();
        let start = match (position, tags.get("FEN")) {
            _ if kind.split(',').next().map(str::trim) != Some("25") => {
                Err(format!("GameType {kind} is not Russian draughts (25)"))
            }
            (Some(position), _) => Ok(position),
            (None, None) => Ok(Position::start()),
            (None, Some(fen)) => Position::from_fen(fen, numbering).map_err(|e| format!("FEN `{fen}`: {e}")),
        };
        tags.0.retain(|(name, _)| !OWN.contains(&name.as_str()));
        let (recorder, begun, at) = match start {
            Ok(position) => {
                let (recorder, begun) = GameRecorder::begin(self.games, position, tags.clone(), intro);
                (Some(recorder), Some(begun), position)
            }
            Err(problem) => {
                let problem = format!("{}: {problem}; it is left out", words::game(self.games, &tags));
                self.items.push(ReadItem::Bad(problem));
                (None, None, Position::start())
            }
        };
        Game { recorder, begun, tags, numbering, lines: vec![Line::new(at)], anomalies: Vec::new() }
    }

    /// A position in the middle of the text: before the moves the game begins there, later it continues as a game of
    /// its own, since the records of one game are moves without a break.
    fn set_up(&mut self, mut game: Game, text: &str) -> Game {
        if game.recorder.is_none() {
            return game;
        }
        let name = words::game(self.games, &game.tags);
        if let [_, .., variation] = &mut game.lines[..] {
            let problem = "a position set up in a variation";
            variation.broken = Some(Broken::new(&self.source, AnomalyKind::Unreadable, problem));
            self.items.push(ReadItem::Bad(format!("{name}: {problem}; the rest of it is left out")));
            return game;
        }
        let fen = text.strip_prefix("FEN").unwrap_or(text).trim().trim_matches('"');
        let position = match Position::from_fen(fen, game.numbering) {
            Ok(position) => position,
            Err(e) => {
                let problem = format!("`/{text}/`: {e}");
                self.items.push(ReadItem::Bad(format!("{name}: {problem}; what follows is left out")));
                game.lines[0].broken = Some(Broken::new(&self.source, AnomalyKind::Unreadable, problem));
                return game;
            }
        };
        if game.begun.is_some() {
            self.back_to_tags(game);
        } else {
            self.tags = game.tags.clone();
            game.finish(None, EndReason::NewGame, &name, &mut self.items);
            let note = format!("{name} continues from another position as game {}", self.games + 1);
            self.items.push(ReadItem::Note(note));
        }
        self.begin(Some(position))
    }

    /// Ends the game, one without moves included.
    fn finish(&mut self, ending: Ending) {
        let game = self.game.take().unwrap_or_else(|| self.begin(None));
        let tag = game
            .tags
            .get("Result")
            .and_then(|tag| Ending::read(tag).or_else(|| pgn::ending::of_table(tag).map(Ending::Decided)));
        let given = match (ending, tag) {
            (Ending::Open, Some(Ending::Decided(outcome))) | (Ending::Decided(outcome), _) => Some(outcome),
            _ => None,
        };
        if let (Ending::Decided(outcome), Some(Ending::Decided(other))) = (ending, tag)
            && outcome != other
        {
            let name = words::game(self.games, &game.tags);
            self.items.push(ReadItem::Note(format!(
                "{name}: its tag says {other}, its moves end with {outcome}, which is taken"
            )));
        }
        let name = words::game(self.games, &game.tags);
        game.finish(given, EndReason::Tag, &name, &mut self.items);
    }
}

impl Game {
    fn token(&mut self, token: Token, source: &str, number: u32, items: &mut Vec<ReadItem>) {
        let depth = self.lines.len();
        let main = depth == 1;
        let Game { recorder: Some(recorder), begun, tags, numbering, lines, anomalies } = self else {
            return;
        };
        let Some(line) = lines.last_mut() else { return };
        if let Some(broken) = &mut line.broken
            && broken.take(&token, main)
        {
            return;
        }
        match token {
            Token::Open => {
                let mut variation = Line::new(line.before);
                let problem = match () {
                    () if line.moves.is_empty() => Some("a variation before the first move"),
                    () if depth > DEEPEST => Some("variations nest too deep"),
                    () => None,
                };
                if let Some(problem) = problem {
                    variation.broken = Some(Broken::new(source, AnomalyKind::Unreadable, problem));
                    let problem = format!("{}: {problem}; it is left out", words::game(number, tags));
                    items.push(ReadItem::Bad(problem));
                }
                lines.push(variation);
            }
            Token::Close if main => {
                items.push(ReadItem::Bad(format!("{}: `)` closes nothing", words::game(number, tags))));
            }
            Token::Close => self.close_variation(),
            Token::Nag(nag) => line.moves.last_mut().into_iter().for_each(|last| last.nags.push(nag)),
            Token::Comment(comment) => {
                let begun = begun.as_mut().filter(|_| main).map(|record| &mut record.event);
                line.comment(&comment, begun);
            }
            Token::Move(text) => match line.now.read_move(&text, *numbering) {
                Ok(found) => {
                    let played = if main {
                        record_last(recorder, begun, line, anomalies, items);
                        recorder.play(&found.m)
                    } else {
                        describe(&line.now, &found.m)
                    };
                    let comment_before = line.comment_before.take();
                    line.moves.push(Move { guess: !found.certain, comment_before, ..played });
                    (line.before, line.now) = (line.now, line.now.play(&found.m));
                    line.varied = false;
                }
                Err(problem) => {
                    line.broken = Some(refuse(recorder, main, &problem, source, tags, items));
                    if main {
                        record_last(recorder, begun, line, anomalies, items);
                    }
                }
            },
            Token::Tag(..) | Token::Setup(_) | Token::End(_) | Token::Wrong(_) => {}
        }
    }

    fn close_variation(&mut self) {
        let Some(variation) = self.lines.pop() else { return };
        if let (Some(broken), Some(recorder)) = (variation.broken, &self.recorder) {
            let mut anomaly = broken.anomaly(recorder.ply());
            anomaly.detail.insert_str(0, "in a variation, ");
            self.anomalies.push(anomaly);
        }
        if let Some(line) = self.lines.last_mut()
            && let Some(last) = line.moves.last_mut()
            && !variation.moves.is_empty()
        {
            last.variations.push(variation.moves);
            line.varied = true;
        }
    }

    fn finish(mut self, given: Option<Outcome>, reason: EndReason, name: &str, items: &mut Vec<ReadItem>) {
        if self.recorder.is_some() && self.lines.len() > 1 {
            items.push(ReadItem::Bad(format!("{name}: a variation is not closed")));
        }
        while self.lines.len() > 1 {
            self.close_variation();
        }
        let Some(recorder) = &self.recorder else { return };
        if let Some(broken) = self.lines[0].broken.take() {
            self.anomalies.push(broken.anomaly(recorder.ply()));
        }
        record_last(recorder, &mut self.begun, &mut self.lines[0], &mut self.anomalies, items);
        let forfeit = given.is_some() && pgn::ending::is_forfeit(&self.tags);
        items.push(recorder.end(given, reason, forfeit).into());
    }
}

/// Records the beginning and the last move of the main line, now that everything about them has been read.
fn record_last(
    recorder: &GameRecorder,
    begun: &mut Option<GameRecord>,
    main: &mut Line,
    anomalies: &mut Vec<Anomaly>,
    items: &mut Vec<ReadItem>,
) {
    items.extend(begun.take().map(ReadItem::from));
    items.extend(main.moves.drain(..).map(|m| recorder.record(GameEvent::Move(Box::new(m))).into()));
    items.extend(anomalies.drain(..).map(|anomaly| recorder.record(GameEvent::Anomaly(anomaly)).into()));
}

/// Reports that the next move could not be read; it is recorded with all text after it.
fn refuse(
    recorder: &GameRecorder,
    main: bool,
    problem: &BadMove,
    source: &str,
    tags: &Tags,
    items: &mut Vec<ReadItem>,
) -> Broken {
    let (game, ply) = (words::game(recorder.game(), tags), recorder.ply());
    items.push(ReadItem::Bad(match main {
        true => format!("{game}, ply {}: {problem}; it and what follows is left out", ply + 1),
        false => format!("{game}, a variation at ply {ply}: {problem}; its rest is left out"),
    }));
    let kind = match problem {
        BadMove::Unreadable(_) => AnomalyKind::Unreadable,
        _ => AnomalyKind::Illegal,
    };
    Broken::new(source, kind, problem.to_string())
}

/// The corner that a GameType like `25,W,8,8,N2,0` names for square 1; none when it is algebraic.
fn numbering(kind: &str) -> Option<Numbering> {
    match kind.split(',').nth(4)?.trim() {
        "N0" => Some(Numbering::A1),
        "N1" => Some(Numbering::G1),
        "N2" => Some(Numbering::B8),
        "N3" => Some(Numbering::H8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        // Whatever a file contains, the records are in the order of games: beginning, plies, end.
        #[test]
        fn any_text_gives_complete_games(
            lines in prop::collection::vec(
                prop::collection::vec(
                    prop_oneof![
                        prop::sample::select(vec![
                            "1.", "c3-d4", "d6-c5", "b2-c3", "f6-e5", "c3:d4", "22-18", "(", ")", "{", "}", "a b",
                            "$1", "!?", "*", "1-0", "0-0", "[Event \"x\"]", "[FEN \"W:Wa3:Bh8\"]", "[GameType \"20\"]",
                            "/FEN \"B:Wa3:Bh8\"/", "/", "[", "]", "\"", "[%clk 1:00]", "%", "\u{feff}", "é",
                        ]).prop_map(String::from),
                        ".{0,6}",
                    ],
                    0..12,
                ),
                0..8,
            )
        ) {
            let mut reader = Reader::new(None);
            let mut items: Vec<ReadItem> = lines.iter().flat_map(|words| reader.line("x:1", words.join(" ").as_bytes())).collect();
            items.extend(reader.end());
            let mut plies = None;
            for item in items {
                let ReadItem::Record(record) = item else { continue };
                match record.event {
                    GameEvent::Game(_) => {
                        prop_assert_eq!(plies, None);
                        plies = Some(0);
                    }
                    GameEvent::Move(m) => {
                        plies = plies.map(|n| n + 1);
                        prop_assert_eq!(m.ply, plies);
                    }
                    GameEvent::Anomaly(_) => prop_assert!(plies.is_some()),
                    GameEvent::End(_) => prop_assert!(plies.take().is_some()),
                    GameEvent::Takeback(_) | GameEvent::Ruling(_) | GameEvent::Evaluation(_) => {
                        prop_assert!(false, "no reader of PDN takes back")
                    }
                }
            }
            prop_assert_eq!(plies, None);
        }
    }
}
