//! Reads board records in the form in which this program writes them: nearly every line of a journal is a change, a
//! press, a clock, a quiet poll or a report of answers, and this takes a fifth of the time of the general parser.
//!
//! The reader falls back to the general parser for everything else: anything written in another way (in another order,
//! with a space, an escape, an exponent, or with an error) is not read here.

use super::{
    board::{Answers, BoardEvent, BoardRecord, Change, Clock, ClockSide, Press},
    value::{Piece, Seconds, Side, Square, Time},
};

/// Reads the fields of one type, without the fields common to all records.
pub(super) type Shape = fn(&mut Rest<'_>) -> Option<BoardEvent>;

/// Reads a line of a type that has a shape.
pub(super) fn read(line: &[u8], shape_of: impl Fn(&str) -> Option<Shape>) -> Option<BoardRecord> {
    let mut rest = Rest(line);
    rest.expect(br#"{"type":""#)?;
    let event = shape_of(str::from_utf8(rest.text()?).ok()?)?;
    let time = if rest.eat(br#","time":""#) { Some(rest.time()?) } else { None };
    let name = if rest.eat(br#","line":""#) { Some(str::from_utf8(rest.text()?).ok()?.into()) } else { None };
    let board = if rest.eat(br#","board":"#) { Some(rest.number()?.try_into().ok()?) } else { None };
    let event = event(&mut rest)?;
    let seq = if rest.eat(br#","seq":"#) { Some(rest.number()?) } else { None };
    matches!(rest.0, b"}" | b"}\n").then_some(BoardRecord { time, line: name, board, seq, event })
}

/// The rest of a line.
pub(super) struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Removes this text if it comes next; returns whether it did. Each text has its own length, which the compiler can
    /// compare in place.
    #[inline(always)]
    fn eat(&mut self, text: &[u8]) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    #[inline(always)]
    fn expect(&mut self, text: &[u8]) -> Option<()> {
        self.eat(text).then_some(())
    }

    /// The rest of a string of ASCII without escapes.
    fn text(&mut self) -> Option<&'a [u8]> {
        let plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'\\' && byte != b'"';
        let length = self.0.iter().position(|&byte| !plain(byte))?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest.strip_prefix(b"\"")?;
        Some(text)
    }

    /// The digits that come next.
    fn digits(&mut self) -> &'a [u8] {
        let length = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(length);
        self.0 = rest;
        digits
    }

    /// A whole number that a float can represent exactly.
    fn number(&mut self) -> Option<u64> {
        let digits = self.digits();
        let whole = !matches!(self.0.first(), Some(b'.' | b'e' | b'E'));
        (is_canonical(digits) && whole && digits.len() <= 15).then(|| value(digits))
    }

    fn truth(&mut self) -> Option<bool> {
        if self.eat(b"true") { Some(true) } else { self.expect(b"false").map(|()| false) }
    }

    /// A number with or without a fraction, with so few digits that a float represents them as one whole number
    /// exactly: divided by a power of ten, which is exact too, it gives the nearest float.
    fn seconds(&mut self) -> Option<Seconds> {
        let whole = self.digits();
        let fraction = if self.eat(b".") { Some(self.digits()) } else { None };
        let part = fraction.unwrap_or_default();
        let exponent = matches!(self.0.first(), Some(b'.' | b'e' | b'E'));
        if !is_canonical(whole) || fraction == Some(b"") || exponent || whole.len() + part.len() > 15 {
            return None;
        }
        let scale = 10_u64.pow(part.len() as u32);
        Some(Seconds((value(whole) * scale + value(part)) as f64 / scale as f64))
    }

    fn side(&mut self) -> Option<Side> {
        match self.text()? {
            b"left" => Some(Side::Left),
            b"right" => Some(Side::Right),
            _ => None,
        }
    }

    fn time(&mut self) -> Option<Time> {
        let (time, rest) = self.0.split_at_checked(Time::SHAPE.len())?;
        self.0 = rest.strip_prefix(b"\"")?;
        Time::of_text(time)
    }

    pub(super) fn quiet(&mut self) -> Option<BoardEvent> {
        Some(BoardEvent::Quiet {})
    }

    pub(super) fn change(&mut self) -> Option<BoardEvent> {
        self.expect(br#","square":""#)?;
        let square = Square::of_text(self.text()?)?;
        self.expect(br#","piece":"#)?;
        let piece: Option<Piece> = match self.eat(b"null") {
            true => None,
            false => {
                self.expect(b"\"")?;
                Some(Piece::of_text(self.text()?)?)
            }
        };
        let quick = if self.eat(br#","quick":"#) { Some(self.truth()?) } else { None };
        Some(BoardEvent::Change(Change { square, piece, quick }))
    }

    pub(super) fn answers(&mut self) -> Option<BoardEvent> {
        self.expect(br#","asked":"#)?;
        let asked = self.number()?.try_into().ok()?;
        self.expect(br#","missed":"#)?;
        let missed = self.number()?.try_into().ok()?;
        self.expect(br#","spoilt":"#)?;
        let spoilt = self.number()?.try_into().ok()?;
        self.expect(br#","median_seconds":"#)?;
        let median_seconds = self.seconds()?;
        self.expect(br#","worst_seconds":"#)?;
        let worst_seconds = self.seconds()?;
        self.expect(br#","line_seconds":"#)?;
        let line_seconds = self.seconds()?;
        self.expect(br#","seconds":"#)?;
        let seconds = self.seconds()?;
        Some(BoardEvent::Answers(Answers {
            asked,
            missed,
            spoilt,
            median_seconds,
            worst_seconds,
            line_seconds,
            seconds,
        }))
    }

    pub(super) fn press(&mut self) -> Option<BoardEvent> {
        self.expect(br#","side":""#)?;
        let side = self.side()?;
        self.expect(br#","seconds":"#)?;
        Some(BoardEvent::Press(Press { side, seconds: self.seconds()? }))
    }

    pub(super) fn clock(&mut self) -> Option<BoardEvent> {
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

/// Whether a JSON number can begin with these digits.
fn is_canonical(digits: &[u8]) -> bool {
    matches!(digits, [_] | [b'1'..=b'9', ..])
}

fn value(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0'))
}
