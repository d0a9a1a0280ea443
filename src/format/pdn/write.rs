//! A game as PDN 3.0: tags, movetext in lines under 80 columns, a result.

use super::{GAME_TYPE, GAME_TYPE_NUMERIC, clock};
use crate::{
    draughts::{Colour, Move, Numbering, Position},
    format::{
        pgn::ending::FORFEIT,
        russian::{Game, Ply, resolve},
        words::{plain, remark},
    },
    record::{self, Anomaly, Outcome},
};

/// The greatest length of a line of movetext, except for a longer word.
const WIDTH: usize = 79;

/// The tags that come first.
const FIRST: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Tags that follow from each game.
const MADE: [&str; 4] = ["Result", "GameType", "FEN", "SetUp"];

/// The options of the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Squares by number, 1 = b8, instead of by name.
    pub numeric: bool,
    /// `x` for captures instead of `:`.
    pub crosses: bool,
    /// Results as 2-0, 1-1 and 0-2.
    pub points: bool,
    /// Write `[%emt …]`, the time used, where there is one.
    pub elapsed: bool,
    /// Leave out the comments on anomalies and guesses.
    pub no_anomalies: bool,
}

impl Style {
    /// Writes a game and a blank line after it.
    pub fn text(self, game: &Game) -> String {
        let mut out = String::new();
        let result = self.result(game);
        let given = &game.start.tags;
        let mut tag = |name: &str, value: &str| {
            // PDN leaves out unknown values.
            if !value.is_empty() {
                let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
                out.push_str(&format!("[{name} \"{value}\"]\n"));
            }
        };
        for name in FIRST {
            tag(name, given.get(name).unwrap_or_default());
        }
        tag("Result", result);
        tag("GameType", if self.numeric { GAME_TYPE_NUMERIC } else { GAME_TYPE });
        if game.position != Position::start() {
            tag("FEN", &game.position.to_string());
        }
        for (name, value) in &given.0 {
            if !FIRST.contains(&name.as_str()) && !MADE.contains(&name.as_str()) {
                tag(name, value);
            }
        }
        if game.end.as_ref().is_some_and(|end| end.forfeit) && given.get("Termination").is_none() {
            tag("Termination", FORFEIT);
        }
        let mut text = Text { out, column: 0 };
        text.out.push('\n');
        self.movetext(&mut text, game);
        text.word(result);
        text.out.push_str("\n\n");
        text.out
    }

    fn result(self, game: &Game) -> &'static str {
        let outcome = game.end.as_ref().and_then(|end| end.result);
        match (outcome, self.points) {
            (Some(Outcome::WhiteWins), true) => "2-0",
            (Some(Outcome::BlackWins), true) => "0-2",
            (Some(Outcome::Draw), true) => "1-1",
            // The other results have no form in points that differs from these.
            (Some(outcome), _) => outcome.text(),
            (None, _) => "*",
        }
    }

    fn movetext(self, text: &mut Text, game: &Game) {
        let mut about: Vec<&Anomaly> = game.anomalies.iter().filter(|_| !self.no_anomalies).collect();
        about.sort_by_key(|anomaly| anomaly.ply);
        let mut about = about.into_iter().peekable();
        text.comment(game.start.comment.as_deref());
        while let Some(anomaly) = about.next_if(|anomaly| anomaly.ply == 0) {
            text.comment(Some(&remark(anomaly)));
        }
        let mut fresh = true;
        for (n, ply) in game.plies.iter().enumerate() {
            let Ply { before, m, record } = ply;
            fresh = self.one_move(text, before, m, record, half(&game.position, n), fresh);
            // A reader of files marks a path that the text leaves open; a board's guess bridges a gap.
            if record.guess && !self.no_anomalies && (game.board.is_some() || game.time.is_some()) {
                text.comment(Some("guess: bridges a gap in the board's data"));
                fresh = true;
            }
            while let Some(anomaly) = about.next_if(|anomaly| anomaly.ply as usize <= n + 1) {
                text.comment(Some(&remark(anomaly)));
                fresh = true;
            }
        }
        about.for_each(|anomaly| text.comment(Some(&remark(anomaly))));
    }

    /// Writes a move with its glyphs, comments and variations; returns whether the next move has to repeat its number.
    fn one_move(
        self,
        text: &mut Text,
        before: &Position,
        m: &Move,
        record: &record::Move,
        half: usize,
        fresh: bool,
    ) -> bool {
        let number = half / 2 + 1;
        text.comment(record.comment_before.as_deref());
        let number = if half.is_multiple_of(2) {
            format!("{number}. ")
        } else if fresh || record.comment_before.is_some() {
            format!("{number}... ")
        } else {
            String::new()
        };
        // One word, so that no line ends with a number.
        text.word(&(number + &self.notation(before, m)));
        for nag in &record.nags {
            text.word(&format!("${nag}"));
        }
        let mut behind = Vec::new();
        behind.extend(record.seconds.map(|s| format!("[%clk {}]", clock::write(s))));
        behind.extend(record.elapsed.filter(|_| self.elapsed).map(|s| format!("[%emt {}]", clock::write(s))));
        behind.extend(record.comment.clone());
        text.comment((!behind.is_empty()).then(|| behind.join(" ")).as_deref());
        for variation in &record.variations {
            self.variation(text, *before, variation, half);
        }
        text.comment(record.comment_after.as_deref());
        !behind.is_empty() || !record.variations.is_empty()
    }

    fn variation(self, text: &mut Text, mut position: Position, moves: &[record::Move], half: usize) {
        text.word("(");
        let mut fresh = true;
        for (n, record) in moves.iter().enumerate() {
            // Readers check variations, so this does not happen.
            let Ok(found) = resolve(&position, record) else { break };
            fresh = self.one_move(text, &position, &found.m, record, half + n, fresh);
            position = position.play(&found.m);
        }
        text.close();
    }

    fn notation(self, before: &Position, m: &Move) -> String {
        let separator = match (m.is_capture(), self.crosses) {
            (false, _) => "-",
            (true, false) => ":",
            (true, true) => "x",
        };
        let squares = before.shortest(m).into_iter().map(|square| match self.numeric {
            true => square.number(Numbering::B8).to_string(),
            false => square.to_string(),
        });
        squares.collect::<Vec<_>>().join(separator)
    }
}

/// Half-moves from White's first move to the n-th ply of a game.
fn half(start: &Position, n: usize) -> usize {
    n + usize::from(start.turn() == Colour::Black)
}

/// Movetext, broken at spaces.
struct Text {
    out: String,
    column: usize,
}

impl Text {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && !self.out.ends_with('(') {
            // At the beginning of a line it would end its comment.
            let full = self.column + 1 + length > WIDTH && !word.starts_with("[Event");
            self.out.push(if full { '\n' } else { ' ' });
            self.column = if full { 0 } else { self.column + 1 };
        }
        self.out.push_str(word);
        self.column += length;
    }

    fn comment(&mut self, comment: Option<&str>) {
        let Some(comment) = comment else { return };
        // A brace within a comment cannot be written.
        let comment = format!("{{{}}}", plain(comment).replace('}', ")"));
        let mut words = comment.split_whitespace();
        while let Some(word) = words.next() {
            let mut word = word.to_owned();
            // Some readers do not find a command that continues over a line end.
            while word.contains("[%") && !word.contains(']') {
                let Some(next) = words.next() else { break };
                word = word + " " + next;
            }
            self.word(&word);
        }
    }

    fn close(&mut self) {
        self.out.push(')');
        self.column += 1;
    }
}
