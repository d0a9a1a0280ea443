//! Parses the keys in a terminal's input, which may come in parts.

use std::time::{Duration, Instant};

use crate::screen::Key;

/// The keys that quit in every state, also during a search, which takes letters for its own.
pub const QUIT: [Key; 2] = [Key::Escape, Key::Letter('q')];

/// How long the rest of a key is waited for, also on a slow line: Escape sends the byte with which other keys begin.
const KEY_PATIENCE: Duration = Duration::from_millis(100);
/// No key sends more bytes than this.
const KEY_BYTES_MAX: usize = 32;

/// The input of a terminal that is not parsed yet.
#[derive(Default)]
pub struct Typed {
    /// The beginning of a key.
    begun: Vec<u8>,
    /// When the last part of it came.
    since: Option<Instant>,
}

impl Typed {
    /// Adds input; returns the keys that are complete.
    pub fn more(&mut self, bytes: &[u8], now: Instant) -> Vec<Key> {
        self.begun.extend_from_slice(bytes);
        let rest = self.begun.split_off(self.begun.len() - begun(&self.begun));
        let whole = std::mem::replace(&mut self.begun, rest);
        self.since = (!self.begun.is_empty()).then_some(now);
        keys(&whole)
    }

    /// Returns the keys begun, when the rest of them did not come in time.
    pub fn no_more(&mut self, now: Instant) -> Vec<Key> {
        match self.patience(now) {
            Some(Duration::ZERO) => {
                self.since = None;
                keys(&std::mem::take(&mut self.begun))
            }
            _ => Vec::new(),
        }
    }

    /// How much longer the rest of a key is waited for; none where no key was begun.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        let waited = now.saturating_duration_since(self.since?);
        Some(KEY_PATIENCE.saturating_sub(waited))
    }
}

/// The number of bytes at the end that begin an incomplete key, or a letter of several bytes.
fn begun(bytes: &[u8]) -> usize {
    let last = &bytes[bytes.len().saturating_sub(KEY_BYTES_MAX)..];
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

/// The keys in a terminal's input, taken as complete.
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
            // An unused key: skipped up to its last letter.
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
            // Ctrl-C where it is not a signal, and Ctrl-\, which is not one here.
            '\x03' | '\x1c' => keys.extend(QUIT),
            letter if !letter.is_control() => keys.push(Key::Letter(letter)),
            _ => {}
        }
        rest = &rest[first.len_utf8()..];
    }
    keys
}

/// The escape sequences of keys that are not letters.
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
    fn keys_are_recognised_in_all_encodings() {
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
            // Half the time has passed.
            keys.extend(typed.no_more(now + KEY_PATIENCE / 2));
            keys.extend(typed.more(second, now + KEY_PATIENCE / 2));
            assert_eq!(keys, expected, "{at}");
            assert_eq!(typed.patience(now), None);
        }
    }

    #[test]
    fn escape_is_a_key_without_further_bytes() {
        let (mut typed, now) = (Typed::default(), Instant::now());
        assert_eq!(typed.more(b"\x1b", now), []);
        assert_eq!(typed.patience(now), Some(KEY_PATIENCE));
        assert_eq!(typed.no_more(now + KEY_PATIENCE / 2), []);
        assert_eq!(typed.no_more(now + KEY_PATIENCE), [Key::Escape]);
        assert_eq!(typed.no_more(now + KEY_PATIENCE * 2), []);
        // The next byte cannot continue the key.
        assert_eq!(typed.more(b"\x1bq", now), [Key::Escape, Key::Letter('q')]);
        // Of invalid input no more is kept than a key may have.
        typed.more(&[b"\x1b[" as &[u8], &[b'1'; 300]].concat(), now);
        assert_eq!(typed.patience(now), None);
    }
}
