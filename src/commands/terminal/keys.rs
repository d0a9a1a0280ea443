//! The keys in what a terminal sends, which may come in parts.

use std::time::{Duration, Instant};

use crate::screen::Key;

/// What leaves from wherever the keys are heard: behind a search, too, which takes a letter for its own.
pub const QUIT: [Key; 2] = [Key::Escape, Key::Letter('q')];

/// So long after a part of a key the next is waited for, over a slow line too: Escape sends what other keys begin with.
const PATIENCE: Duration = Duration::from_millis(100);
/// No key sends more than so many bytes.
const LONGEST: usize = 32;

/// What a terminal has sent.
#[derive(Default)]
pub struct Typed {
    /// The beginning of a key.
    begun: Vec<u8>,
    /// When the last part of it came.
    since: Option<Instant>,
}

impl Typed {
    /// Takes what was sent; the keys that are whole by now.
    pub fn more(&mut self, bytes: &[u8], now: Instant) -> Vec<Key> {
        self.begun.extend_from_slice(bytes);
        let rest = self.begun.split_off(self.begun.len() - begun(&self.begun));
        let whole = std::mem::replace(&mut self.begun, rest);
        self.since = (!self.begun.is_empty()).then_some(now);
        keys(&whole)
    }

    /// Nothing more has come by now: what was begun long enough ago is all there is of it.
    pub fn no_more(&mut self, now: Instant) -> Vec<Key> {
        match self.patience(now) {
            Some(Duration::ZERO) => {
                self.since = None;
                keys(&std::mem::take(&mut self.begun))
            }
            _ => Vec::new(),
        }
    }

    /// For how long the rest of a key that was begun is still waited for; none where none was.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        let waited = now.saturating_duration_since(self.since?);
        Some(PATIENCE.saturating_sub(waited))
    }
}

/// With so many bytes at its end something begins that is not whole yet: a key, or a letter of several bytes.
fn begun(bytes: &[u8]) -> usize {
    let last = &bytes[bytes.len().saturating_sub(LONGEST)..];
    if let Some(escape) = last.iter().rposition(|&byte| byte == b'\x1b') {
        let is_begun = match &last[escape + 1..] {
            [] => true,
            [b'[' | b'O', rest @ ..] => !rest.iter().any(|byte| byte.is_ascii_alphabetic() || *byte == b'~'),
            _ => false,
        };
        if is_begun {
            return last.len() - escape;
        }
    }
    let letter = last.utf8_chunks().last();
    letter.map_or(0, |chunk| match std::str::from_utf8(chunk.invalid()) {
        Err(error) if error.error_len().is_none() => chunk.invalid().len(),
        _ => 0,
    })
}

/// The keys in what a terminal sent, as if nothing came behind it.
fn keys(bytes: &[u8]) -> Vec<Key> {
    let text = String::from_utf8_lossy(bytes);
    let mut keys = Vec::new();
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let known = SEQUENCES.iter().find_map(|(text, key)| Some((*key, rest.strip_prefix(text)?)));
        if let Some((key, behind)) = known {
            keys.push(key);
            rest = behind;
            continue;
        }
        if let Some(unknown) = rest.strip_prefix("\x1b[").or_else(|| rest.strip_prefix("\x1bO")) {
            // A key that nothing is done with: up to its last letter.
            let end = unknown
                .find(|c: char| c.is_ascii_alphabetic() || c == '~')
                .map_or(unknown.len(), |at| at + 1);
            rest = &unknown[end..];
            continue;
        }
        match first {
            '\r' | '\n' => keys.push(Key::Enter),
            '\x1b' => keys.push(Key::Escape),
            '\x7f' | '\x08' => keys.push(Key::Backspace),
            // Ctrl-C where it is no signal, and Ctrl-\, which here is none.
            '\x03' | '\x1c' => keys.extend(QUIT),
            letter if !letter.is_control() => keys.push(Key::Letter(letter)),
            _ => {}
        }
        rest = &rest[first.len_utf8()..];
    }
    keys
}

/// What terminals send for keys that are no letters.
const SEQUENCES: [(&str, Key); 16] = [
    ("\x1b[A", Key::Up),
    ("\x1b[B", Key::Down),
    ("\x1b[C", Key::Right),
    ("\x1b[D", Key::Left),
    ("\x1bOA", Key::Up),
    ("\x1bOB", Key::Down),
    ("\x1bOC", Key::Right),
    ("\x1bOD", Key::Left),
    ("\x1b[5~", Key::PageUp),
    ("\x1b[6~", Key::PageDown),
    ("\x1b[H", Key::Home),
    ("\x1b[F", Key::End),
    ("\x1bOH", Key::Home),
    ("\x1bOF", Key::End),
    ("\x1b[1~", Key::Home),
    ("\x1b[4~", Key::End),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_however_terminals_send_them() {
        use Key::*;
        let sent = b"q\x1b[A\x1bOB\x1b[15~/\x1b\r\x7f\xc3\xa9";
        let expected = [Letter('q'), Up, Down, Letter('/'), Escape, Enter, Backspace, Letter('\u{e9}')];
        assert_eq!(keys(sent), expected);
    }

    #[test]
    fn a_key_that_comes_in_parts_is_one_key() {
        use Key::*;
        let (sent, now) = ("ab\x1b[A\x1bOB\x1b[5~/\x1b[15~\u{e9}\r", Instant::now());
        let expected = [Letter('a'), Letter('b'), Up, Down, PageUp, Letter('/'), Letter('\u{e9}'), Enter];
        for at in 0..=sent.len() {
            let (mut typed, (first, second)) = (Typed::default(), sent.as_bytes().split_at(at));
            let mut keys = typed.more(first, now);
            // Not yet.
            keys.extend(typed.no_more(now + PATIENCE / 2));
            keys.extend(typed.more(second, now + PATIENCE / 2));
            assert_eq!(keys, expected, "{at}");
            assert_eq!(typed.patience(now), None);
        }
    }

    #[test]
    fn escape_is_a_key_when_nothing_comes_behind_it() {
        let (mut typed, now) = (Typed::default(), Instant::now());
        assert_eq!(typed.more(b"\x1b", now), []);
        assert_eq!(typed.patience(now), Some(PATIENCE));
        assert_eq!(typed.no_more(now + PATIENCE / 2), []);
        assert_eq!(typed.no_more(now + PATIENCE), [Key::Escape]);
        assert_eq!(typed.no_more(now + PATIENCE * 2), []);
        // Or what is no part of a key.
        assert_eq!(typed.more(b"\x1bq", now), [Key::Escape, Key::Letter('q')]);
        // Of rubbish no more is kept than a key may have.
        typed.more(&[b"\x1b[" as &[u8], &[b'1'; 300]].concat(), now);
        assert_eq!(typed.patience(now), None);
    }
}
