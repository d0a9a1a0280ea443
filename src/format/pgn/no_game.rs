//! Text that is no PGN game at all, such as a letter.

use super::{
    lexer::{self, Lexer, Token},
    word,
};

/// The beginning of a text that is no game: it has no tag, and no word that could belong to a game.
pub(super) fn no_game(text: &[u8]) -> Option<(usize, &[u8])> {
    let mut lexer = Lexer::new(text);
    let mut first = None;
    while let Some((at, token)) = lexer.next() {
        match token {
            Token::Comment(..) | Token::Nag(_) | Token::LooseTag(..) => {}
            Token::Tag(..) => return None,
            Token::Word(word) if word::is_of_a_game(word) => return None,
            // A broken tag means nothing for the text after it.
            Token::Stray(stray) if lexer::like_a_tag(stray) => {}
            _ => {
                first.get_or_insert(at);
                break;
            }
        }
        first.get_or_insert(at);
    }
    let first = first.unwrap_or(0);
    let begin = text[first..].split(|&b| b == b'\n').next().unwrap_or_default();
    Some((first, &begin[..begin.len().min(60)]))
}
