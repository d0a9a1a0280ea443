//! A game of PGN as two readers understand it: ours, and a visitor of pgn-reader with the rules of shakmaty.
//!
//! What pgn-reader does not report is left out of both: positions of words and signs, comments after semicolons, and whether a
//! comment precedes or follows the number of the next move. Games with a flaw for one of the two cannot be compared.

use std::ops::ControlFlow;

use boardbus::{
    format::pgn::{self, GameText},
    record::{AnomalyKind, GameEvent, Move, Score},
};
use pgn_reader::{KnownOutcome, Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, fen::Fen, uci::UciMove,
};

/// A game, as far as both readers report it.
#[derive(Debug, Default, PartialEq)]
pub struct Game {
    pub tags: Vec<(String, String)>,
    pub line: Line,
    pub result: String,
    /// How many things could not be read.
    pub flaws: usize,
}

/// A line of moves, and the comments before the first.
#[derive(Debug, Default, PartialEq)]
pub struct Line {
    pub comments: Comments,
    pub plies: Vec<Ply>,
}

#[derive(Debug, Default, PartialEq)]
pub struct Ply {
    pub san: String,
    pub uci: String,
    pub fen: String,
    pub nags: Vec<u8>,
    /// Comments between the ply and its variations.
    pub comments: Comments,
    pub variations: Vec<Line>,
    /// Comments between its variations and the next move.
    pub comments_after: Comments,
}

/// Comments: their words, and separately their clocks and evaluations, in thousandths of a second and of a pawn.
#[derive(Debug, Default, PartialEq)]
pub struct Comments {
    pub words: Vec<String>,
    clocks: Vec<(&'static str, u64)>,
}

impl Comments {
    fn add(&mut self, text: &str) {
        let (mut kept, mut rest) = (String::new(), text);
        while let Some(at) = rest.find("[%") {
            kept.push_str(&rest[..at]);
            rest = &rest[at..];
            let end = rest.find(']').map_or(rest.len(), |end| end + 1);
            match command(&rest[..end]) {
                Some(clock) => self.clock(clock),
                None => kept.push_str(&rest[..end]),
            }
            rest = &rest[end..];
        }
        self.words.extend((kept + rest).split_ascii_whitespace().map(str::to_owned));
    }

    fn clock(&mut self, clock: (&'static str, u64)) {
        self.clocks.push(clock);
        self.clocks.sort_unstable();
    }

    fn append(&mut self, other: Comments) {
        self.words.extend(other.words);
        other.clocks.into_iter().for_each(|clock| self.clock(clock));
    }
}

/// `[%clk 1:02:03.4]`, `[%eval 0.3]`
fn command(text: &str) -> Option<(&'static str, u64)> {
    let mut words = text.strip_prefix("[%")?.strip_suffix(']')?.split_ascii_whitespace();
    if let ["eval", pawns] = words.clone().collect::<Vec<_>>()[..] {
        return pawns.parse().ok().map(|pawns: f64| ("eval", (pawns * 1000.0).round() as u64));
    }
    let name = ["clk", "emt"].into_iter().find(|name| words.clone().next() == Some(name))?;
    let time = words.nth(1)?;
    let (time, decimals) = time.split_once('.').unwrap_or((time, "0"));
    let parts: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes @ 0..60, seconds @ 0..60] = parts[..] else { return None };
    let decimals: u64 = format!("{decimals:0<3}").parse().ok().filter(|&decimals| decimals < 1000)?;
    Some((name, ((hours * 60 + minutes) * 60 + seconds) * 1000 + decimals))
}

impl Ply {
    /// The comments to which the next text belongs.
    fn here(&mut self) -> &mut Comments {
        if self.variations.is_empty() { &mut self.comments } else { &mut self.comments_after }
    }

    /// Attributes clocks and evaluations to the ply, as our records do not keep their places among its comments.
    fn done(&mut self) {
        let clocks = std::mem::take(&mut self.comments_after.clocks);
        clocks.into_iter().for_each(|clock| self.comments.clock(clock));
        self.variations.iter_mut().for_each(Line::done);
    }
}

impl Line {
    fn here(&mut self) -> &mut Comments {
        match self.plies.last_mut() {
            Some(ply) => ply.here(),
            None => &mut self.comments,
        }
    }

    fn done(&mut self) {
        self.plies.iter_mut().for_each(Ply::done);
    }

    fn add(&mut self, m: &Move) {
        if let Some(text) = &m.comment_before {
            self.here().add(text);
        }
        let mut ply = Ply {
            san: m.san.clone().unwrap_or_default(),
            uci: m.uci.clone().unwrap_or_default(),
            fen: m.fen.clone(),
            nags: m.nags.clone(),
            ..Ply::default()
        };
        for (name, time) in [("clk", m.seconds), ("emt", m.elapsed)] {
            if let Some(time) = time {
                ply.comments.clock((name, (time.0 * 1000.0).round() as u64));
            }
        }
        ply.comments.add(m.comment.as_deref().unwrap_or_default());
        ply.comments_after.add(m.comment_after.as_deref().unwrap_or_default());
        for moves in &m.variations {
            let mut line = Line::default();
            moves.iter().for_each(|m| line.add(m));
            ply.variations.push(line);
        }
        self.plies.push(ply);
    }
}

/// The game as our reader understands it.
pub fn ours(text: &[u8]) -> Game {
    let mut game = Game::default();
    for record in pgn::records(GameText { line: 1, text }, "a file", 1) {
        match record.event {
            GameEvent::Game(start) => {
                game.tags = start.tags.0;
                game.line.comments.add(start.comment.as_deref().unwrap_or_default());
            }
            GameEvent::Move(m) => game.line.add(&m),
            GameEvent::Evaluation(of) => {
                let Score::Cp(cp) = of.score else { panic!("{of:?}") };
                game.line.plies[of.ply as usize - 1].comments.clock(("eval", cp as u64 * 10));
            }
            GameEvent::End(end) => game.result = end.result.map_or("*".to_owned(), |r| r.to_string()),
            // Only our reader marks a king's last step that may be meant as a sign as doubtful.
            GameEvent::Anomaly(anomaly) if anomaly.kind == AnomalyKind::Unexplained => {}
            _ => game.flaws += 1,
        }
    }
    game.line.done();
    game
}

/// The game as pgn-reader and shakmaty understand it.
pub fn theirs(text: &[u8]) -> Game {
    let mut second = Second::default();
    let mut reader = Reader::new(text);
    // A blank line ends a game for pgn-reader; here all text belongs to one game.
    loop {
        match reader.read_game(&mut second) {
            Ok(Some(())) => {}
            Ok(None) => break,
            Err(_) => second.game.flaws += 1,
        }
    }
    second.finish()
}

#[derive(Default)]
struct Second {
    game: Game,
    /// The open main line and variations, innermost last.
    open: Vec<Open>,
    comment: Vec<u8>,
    outcome: Option<String>,
}

struct Open {
    line: Line,
    before: Chess,
    now: Chess,
    /// A move could not be played, so what follows is skipped.
    broken: bool,
}

impl Open {
    fn new(pos: Chess) -> Open {
        Open { line: Line::default(), before: pos.clone(), now: pos, broken: false }
    }
}

/// The position that the tags set up.
fn start(tags: &[(String, String)]) -> Option<Chess> {
    let tag = |name: &str| tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
    let variant = tag("Variant").unwrap_or_default().to_lowercase();
    let fischer = variant.contains("960") || variant.contains("fische");
    if !fischer && !["", "standard", "chess", "from position"].contains(&&*variant) {
        return None;
    }
    let Some(fen) = tag("FEN") else { return (!fischer).then(Chess::default) };
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let mode = if fischer { CastlingMode::Chess960 } else { CastlingMode::detect(&setup) };
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The text as UTF-8, or else as Latin-1.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

impl Second {
    fn innermost(&mut self) -> Option<&mut Open> {
        self.open.last_mut().filter(|open| !open.broken)
    }

    fn comments(&mut self, text: &str) {
        match self.open.last_mut() {
            Some(open) if open.broken => {}
            Some(open) => open.line.here().add(text),
            None => self.game.line.comments.add(text),
        }
    }

    fn play(&mut self, san: SanPlus) -> Option<()> {
        let open = self.innermost()?;
        let m = san.san.to_move(&open.now).ok()?;
        let uci = UciMove::from_move(m, open.now.castles().mode()).to_string();
        open.before = open.now.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut open.now, m).to_string();
        let fen = Fen::from_position(&open.now, EnPassantMode::Legal).to_string();
        open.line.plies.push(Ply { san, uci, fen, ..Ply::default() });
        Some(())
    }

    fn close(&mut self) {
        let Some(Open { line, .. }) = self.open.pop() else { return };
        let Some(parent) = self.open.last_mut().and_then(|open| open.line.plies.last_mut()) else { return };
        if line.plies.is_empty() {
            parent.here().append(line.comments);
        } else {
            parent.variations.push(line);
        }
    }

    fn finish(mut self) -> Game {
        while self.open.len() > 1 {
            self.game.flaws += 1;
            self.close();
        }
        if let Some(main) = self.open.pop() {
            self.game.line.plies = main.line.plies;
            self.game.line.comments.append(main.line.comments);
        }
        let tag = self.game.tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
        let known = |result: &String| ["1-0", "0-1", "1/2-1/2"].contains(&&**result);
        self.game.result = tag.filter(known).or(self.outcome).unwrap_or("*".to_owned());
        self.game.line.done();
        self.game
    }
}

impl Visitor for Second {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.game.tags.push((decode(name), decode(&value.decode())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        if self.open.is_empty() {
            let pos = start(&self.game.tags);
            self.game.flaws += usize::from(pos.is_none());
            self.open.push(Open { broken: pos.is_none(), ..Open::new(pos.unwrap_or_default()) });
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        if self.play(san).is_none() {
            self.game.flaws += 1;
            self.open.iter_mut().rev().take(1).for_each(|open| open.broken = true);
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        match self.innermost().and_then(|open| open.line.plies.last_mut()) {
            Some(ply) if ply.nags.contains(&nag.0) => {}
            Some(ply) => ply.nags.push(nag.0),
            None => self.game.flaws += 1,
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        let text = decode(&std::mem::take(&mut self.comment));
        self.comments(&text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        let Some(parent) = self.open.last() else { return ControlFlow::Continue(Skip(false)) };
        let broken = parent.broken || parent.line.plies.is_empty();
        let line = Open { broken, ..Open::new(parent.before.clone()) };
        self.game.flaws += usize::from(broken);
        self.open.push(line);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if self.open.len() > 1 {
            self.close();
        } else {
            self.game.flaws += 1;
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        let result = match outcome {
            Outcome::Known(KnownOutcome::Draw) => "1/2-1/2",
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => "1-0",
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => "0-1",
            Outcome::Unknown => "*",
        };
        if self.open.len() > 1 {
            self.comments(result);
        } else {
            self.outcome.get_or_insert(result.to_owned());
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// The first line in which two games differ, as in ours and in theirs; none if they are the same.
pub fn difference(ours: &Game, theirs: &Game) -> Option<(String, String)> {
    let (ours, theirs) = (format!("{ours:#?}"), format!("{theirs:#?}"));
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (one, two) if one == two => {}
            (one, two) => {
                let text = |line: Option<&str>| line.unwrap_or("nothing").trim().to_owned();
                return Some((text(one), text(two)));
            }
        }
    }
}
