//! The end of a game's text: open comments and variations, the result, and words that are a result only there.
//!
//! Circle: the text there is read like all of a game, by [`GameReader`].

use super::{GameReader, MOST_FLAWS};
use crate::{
    format::pgn::{
        comment,
        ending::{self, Decided, LastWord},
        lexer::{Lexer, Token},
        sink::Sink,
    },
    record::{AnomalyKind, End, Outcome},
};

impl<S: Sink> GameReader<'_, S> {
    pub(super) fn finish(mut self) {
        let to_end = self.game.text.len();
        self.report_strays();
        if self.open.is_empty() {
            self.begin(to_end);
        }
        self.report_full(to_end);
        if self.open.len() > 1 {
            let problem = format!("before {} a variation is not closed", self.line().place());
            self.unreadable(to_end, problem);
            self.result = self.loose.take();
        }
        while self.open.len() > 1 {
            self.close_variation(to_end, to_end);
        }
        let main = self.line();
        let broken = main.broken.take();
        if let Some(waiting) = main.waiting.take() {
            main.numbered = false;
            match main.played {
                0 => comment::add(&mut self.start.comment, &waiting),
                _ => self.last_move().into_iter().for_each(|m| _ = comment::note(m, &waiting)),
            }
        }
        let whole = broken.is_none();
        if let Some(broken) = broken {
            let to = self.result_at.filter(|&at| at >= broken.at).unwrap_or(to_end);
            self.report_broken(broken, to, "");
        }
        let end = self.decided();
        if whole {
            self.doubt_king(end.result.map_or("*", Outcome::text));
        }
        if self.flaw_count > MOST_FLAWS {
            let more = self.flaw_count - MOST_FLAWS;
            self.flaw_count = 0;
            self.unreadable(to_end, format!("{more} more places cannot be read"));
        }
        self.flush();
        self.sink.end(end);
    }

    /// The last move may be a king that shows the result.
    fn doubt_king(&mut self, result: &str) {
        let unpressed = self.last.seconds.is_none() && self.clocks == [false, true];
        let (san, fen) = (self.last_names.san(), self.last_names.fen());
        if self.held && ending::may_be_a_sign(result, san, fen, unpressed) {
            let san = String::from_utf8_lossy(san).into_owned();
            let problem = format!("{san}, the last move, may be the king that shows {result} and no move");
            self.flaw(self.game.text.len(), AnomalyKind::Unexplained, problem, String::new());
        }
    }

    fn decided(&mut self) -> End {
        let Decided { end, problem } = ending::decide(&self.start.tags, self.result.unwrap_or("*"));
        if let Some((behind, problem)) = problem {
            self.unreadable(self.result_at.filter(|_| behind).unwrap_or(0), problem);
        }
        end
    }

    /// The meaning of a word of the game that is a move or a sign elsewhere, when only comments follow it.
    #[cold]
    #[inline(never)]
    pub(super) fn last_word(&self, at: usize, word: &[u8]) -> Option<LastWord> {
        if !matches!(word, [b'0' | b'+' | b'-', ..]) || self.open.len() > 1 {
            return None;
        }
        let said = ending::last_word(&self.start.tags, word)?;
        let mut behind = Lexer::new(&self.game.text[at + word.len()..]);
        let is_last =
            std::iter::from_fn(|| behind.next()).all(|(_, token)| matches!(token, Token::Comment(..)));
        is_last.then_some(said)
    }
}
