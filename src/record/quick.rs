//! Board records as we write them ourselves, read by their shape: of a journal nearly every line is a change, a press, a
//! clock, a quiet poll, and these take a fifth of the time so.
//!
//! For the reader, which takes all other JSON. What is written otherwise in any way (in another order, with a space, an
//! escape, a fraction or something wrong) is not read here.

use super::{
    board::{BoardEvent, BoardRecord, Change, Clock, ClockSide, Press},
    value::{Piece, Seconds, Side, Square, Time},
};

/// Reads a line, if it is of such a shape.
pub(super) fn read(line: &[u8]) -> Option<BoardRecord> {
    let mut rest = Rest(line);
    rest.expect(br#"{"type":""#)?;
    let event = match rest.text()? {
        "change" => Rest::change,
        "press" => Rest::press,
        "clock" => Rest::clock,
        "quiet" => Rest::quiet,
        _ => return None,
    };
    let time = if rest.eat(br#","time":""#) { Some(rest.time()?) } else { None };
    let name = if rest.eat(br#","line":""#) { Some(rest.text()?.into()) } else { None };
    let board = if rest.eat(br#","board":"#) { Some(rest.number()?.try_into().ok()?) } else { None };
    let event = event(&mut rest)?;
    let seq = if rest.eat(br#","seq":"#) { Some(rest.number()?) } else { None };
    matches!(rest.0, b"}" | b"}\n").then_some(BoardRecord { time, line: name, board, seq, event })
}

/// What is left of a line.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Whether this comes next; then it is gone.
    fn eat(&mut self, text: &[u8]) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, text: &[u8]) -> Option<()> {
        self.eat(text).then_some(())
    }

    /// The rest of a string that needs no escape.
    fn text(&mut self) -> Option<&'a str> {
        let length = self.0.iter().position(|&byte| byte == b'"')?;
        let (text, rest) = (&self.0[..length], &self.0[length + 1..]);
        self.0 = rest;
        let plain = |&byte: &u8| (b' '..=b'~').contains(&byte) && byte != b'\\';
        text.iter().all(plain).then(|| str::from_utf8(text).ok())?
    }

    /// A whole number that a float can hold.
    fn number(&mut self) -> Option<u64> {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(length);
        let whole = !matches!(rest.first(), Some(b'.' | b'e' | b'E'));
        let canonical = matches!(digits, [_] | [b'1'..=b'9', ..]);
        self.0 = rest;
        (canonical && whole && length <= 15)
            .then(|| digits.iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0')))
    }

    fn truth(&mut self) -> Option<bool> {
        if self.eat(b"true") { Some(true) } else { self.expect(b"false").map(|()| false) }
    }

    fn seconds(&mut self) -> Option<Seconds> {
        Some(Seconds(self.number()? as f64))
    }

    fn side(&mut self) -> Option<Side> {
        match self.text()? {
            "left" => Some(Side::Left),
            "right" => Some(Side::Right),
            _ => None,
        }
    }

    fn time(&mut self) -> Option<Time> {
        Time::of_text(self.text()?.as_bytes())
    }

    fn quiet(&mut self) -> Option<BoardEvent> {
        Some(BoardEvent::Quiet {})
    }

    fn change(&mut self) -> Option<BoardEvent> {
        self.expect(br#","square":""#)?;
        let square: Square = self.text()?.parse().ok()?;
        self.expect(br#","piece":"#)?;
        let piece: Option<Piece> = match self.eat(b"null") {
            true => None,
            false => {
                self.expect(b"\"")?;
                Some(self.text()?.parse().ok()?)
            }
        };
        let quick = if self.eat(br#","quick":"#) { Some(self.truth()?) } else { None };
        Some(BoardEvent::Change(Change { square, piece, quick }))
    }

    fn press(&mut self) -> Option<BoardEvent> {
        self.expect(br#","side":""#)?;
        let side = self.side()?;
        self.expect(br#","seconds":"#)?;
        Some(BoardEvent::Press(Press { side, seconds: self.seconds()? }))
    }

    fn clock(&mut self) -> Option<BoardEvent> {
        self.expect(br#","connected":"#)?;
        let connected = self.truth()?;
        let left = if self.eat(br#","left":{"seconds":"#) { Some(self.clock_side()?) } else { None };
        let right = if self.eat(br#","right":{"seconds":"#) { Some(self.clock_side()?) } else { None };
        let running = if self.eat(br#","running":"#) { Some(self.truth()?) } else { None };
        let turn = if self.eat(br#","turn":""#) { Some(self.side()?) } else { None };
        let low_battery = if self.eat(br#","low_battery":"#) { Some(self.truth()?) } else { None };
        Some(BoardEvent::Clock(Clock { connected, left, right, running, turn, low_battery }))
    }

    fn clock_side(&mut self) -> Option<ClockSide> {
        let seconds = self.seconds()?;
        self.expect(br#","flag":"#)?;
        let flag = self.truth()?;
        self.expect(b"}")?;
        Some(ClockSide { seconds, flag })
    }
}
