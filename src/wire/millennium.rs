//! Messages of Millennium boards with ChessLink, and of devices with the same protocol.
//!
//! A message is a letter, its data, and a checksum of two hex digits: the exclusive or of all codes before them. Codes have
//! 7 bits; the eighth is odd parity, which some boards do not send, so a message with a checksum is read without it. A message
//! has no start or end mark: its letter determines its length.
//!
//! A register of the board can switch the checksums off. Whether its messages then end before the checksum is not documented,
//! so both are read: two messages in a row, each with the letter of the next one directly after its data, show that the board
//! sends no checksums. A wrong checksum is never accepted. Without checksums, the eighth bits are the only protection.

use crate::record::{Piece, Placement};

/// `S`: asks for the position.
pub const SEND_POSITION: &[u8] = &[0xd3, 0xb5, 0xb3];
/// `V`: asks for the version of the firmware.
pub const SEND_VERSION: &[u8] = &[0xd6, 0xb5, 0xb6];
/// `R02`: asks for the register [`REPORTS`].
pub const READ_REPORTS: &[u8] = &[0x52, 0xb0, 0x32, 0xb5, 0xb0];
/// `W0203`: has the board report its position after each change. The setting is kept in the EEPROM.
pub const REPORT_CHANGES: &[u8] = &[0x57, 0xb0, 0x32, 0xb0, 0xb3, 0xb5, 0xb6];
/// The register that determines when the board reports without a question.
pub const REPORTS: u8 = 0x02;
/// The value of [`REPORTS`] with which the board reports after each change.
pub const ON_CHANGES: u8 = 0x03;

/// The most bytes in one `BadBytes`.
const LONGEST_RUN: usize = 128;
/// The letters that a square can have.
const SQUARES: &[u8] = b".PNBRQKpnbrqk";

/// A message of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// `s`: the pieces on the board, whose cable is on the right of White.
    Position(Placement),
    /// `v`: the version of the firmware, two bytes.
    Version([u8; 2]),
    /// `r`, `w`: the number of a register of the EEPROM and its value now.
    Register(u8, u8),
    /// `l`, `x`: a command for the lamps was executed.
    Lamps,
}

/// Bytes that are no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadBytes {
    /// The bytes, with their parity bits.
    pub bytes: Vec<u8>,
    /// Whether they contain a complete message with a wrong checksum.
    pub is_summed: bool,
}

/// Finds messages in bytes, in chunks of any size.
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    held: Vec<u8>,
    bad: Vec<u8>,
    is_summed: bool,
    /// The board sends no checksums.
    is_bare: bool,
    /// A message without a checksum and its bytes: it is accepted if the next one has none either.
    pending: Option<(Message, Vec<u8>)>,
}

impl Decoder {
    /// Takes bytes and passes each complete message, and bytes that are none, to `on`.
    pub fn push(&mut self, bytes: &[u8], mut on: impl FnMut(Result<Message, BadBytes>)) {
        self.held.extend_from_slice(bytes);
        let mut at = 0;
        while at < self.held.len() {
            match read(&self.held[at..], self.is_bare) {
                Read::Whole(length, message) => {
                    self.is_bare = false;
                    self.refuse_pending();
                    self.end_run(&mut on);
                    on(Ok(message));
                    at += length;
                }
                Read::Bare(length, message) => {
                    let bytes = self.held[at..at + length].to_vec();
                    at += length;
                    let first = self.pending.replace((message, bytes));
                    self.is_bare |= first.is_some();
                    if self.is_bare {
                        self.end_run(&mut on);
                        let second = self.pending.take();
                        first.into_iter().chain(second).for_each(|(message, _)| on(Ok(message)));
                    }
                }
                Read::More => break,
                Read::Not { is_summed } => {
                    self.refuse_pending();
                    self.is_summed |= is_summed;
                    self.bad.push(self.held[at]);
                    at += 1;
                    if self.bad.len() >= LONGEST_RUN {
                        self.end_run(&mut on);
                    }
                }
            }
        }
        self.held.drain(..at);
    }

    /// Counts the pending message as bad bytes.
    fn refuse_pending(&mut self) {
        self.bad.extend(self.pending.take().into_iter().flat_map(|(_, bytes)| bytes));
    }

    fn end_run(&mut self, on: &mut impl FnMut(Result<Message, BadBytes>)) {
        if !self.bad.is_empty() {
            let (bytes, is_summed) = (std::mem::take(&mut self.bad), std::mem::take(&mut self.is_summed));
            on(Err(BadBytes { bytes, is_summed }));
        }
    }
}

/// What some bytes begin with.
enum Read {
    /// A message with a right checksum, and its length in bytes.
    Whole(usize, Message),
    /// A message without a checksum, and its length in bytes.
    Bare(usize, Message),
    /// An incomplete message.
    More,
    /// No message.
    Not { is_summed: bool },
}

/// The length in bytes of a message with this letter, without its checksum; none if no message has this letter.
fn bare_length(letter: u8) -> Option<usize> {
    match letter {
        b's' => Some(65),
        b'v' | b'r' | b'w' => Some(5),
        b'l' | b'x' => Some(1),
        _ => None,
    }
}

/// Reads one message. `is_bare`: the board sends no checksums, so a message ends with its data.
fn read(bytes: &[u8], is_bare: bool) -> Read {
    let Some(sum_at) = bare_length(bytes[0] & 0x7f) else { return Read::Not { is_summed: false } };
    let codes: Vec<u8> = bytes.iter().take(sum_at + 2).map(|byte| byte & 0x7f).collect();
    let is_data = |&code: &u8| match codes[0] {
        b's' => SQUARES.contains(&code),
        _ => is_digit(code),
    };
    let data = &codes[1..sum_at.min(codes.len())];
    if !data.iter().all(is_data) {
        return Read::Not { is_summed: false };
    }
    let number = |at: usize| digit(codes[at]) << 4 | digit(codes[at + 1]);
    let message = || match codes[0] {
        b's' => Message::Position(placement(data)),
        b'v' => Message::Version([number(1), number(3)]),
        b'r' | b'w' => Message::Register(number(1), number(3)),
        _ => Message::Lamps,
    };
    if codes.len() < sum_at {
        return Read::More;
    }
    let is_bare = match codes.get(sum_at) {
        None => is_bare,
        // Of a single letter this shows nothing.
        Some(&next) => bare_length(next).is_some() && (is_bare || sum_at > 1),
    };
    match codes[sum_at..] {
        _ if is_bare && has_one_parity(&bytes[..sum_at]) => Read::Bare(sum_at, message()),
        [one, two] if is_digit(one) && is_digit(two) => {
            match codes[..sum_at].iter().fold(0, |sum, code| sum ^ code) == number(sum_at) {
                true => Read::Whole(sum_at + 2, message()),
                false => Read::Not { is_summed: true },
            }
        }
        [] => Read::More,
        [one] if is_digit(one) => Read::More,
        _ => Read::Not { is_summed: false },
    }
}

/// Whether the eighth bits of these bytes are of one kind: each odd parity, or each clear.
fn has_one_parity(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.count_ones() % 2 == 1) || bytes.iter().all(|&byte| byte < 0x80)
}

/// The placement of letters in the order h1 to a1, then each rank above.
fn placement(letters: &[u8]) -> Placement {
    let mut codes = [0; 64];
    for (code, &letter) in codes.iter_mut().rev().zip(letters) {
        *code = Piece::from_letter(letter).map_or(0, Piece::code);
    }
    Placement::from_codes(codes)
}

fn is_digit(code: u8) -> bool {
    matches!(code, b'0'..=b'9' | b'A'..=b'F')
}

fn digit(code: u8) -> u8 {
    char::from(code).to_digit(16).map_or(0, |digit| digit as u8)
}

/// Whether bytes that came without a question are from such a board: true if they contain a position with a right checksum,
/// none if they only contain a row of letters of squares.
pub fn is_heard(bytes: &[u8]) -> Option<bool> {
    const LETTERS: usize = 16;
    let mut is_whole = false;
    Decoder::default().push(bytes, |message| is_whole |= matches!(message, Ok(Message::Position(_))));
    let letters = |bytes: &[u8]| bytes.iter().all(|byte| SQUARES.contains(&(byte & 0x7f)));
    match is_whole {
        true => Some(true),
        false if bytes.windows(LETTERS).any(letters) => None,
        false => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a message, made as the makers' document defines it and without the code above.
    fn sent(text: &str) -> Vec<u8> {
        let sum = format!("{:02X}", text.bytes().fold(0, |sum, code| sum ^ code));
        let odd = |code: u8| if code.count_ones().is_multiple_of(2) { code + 128 } else { code };
        text.bytes().chain(sum.bytes()).map(odd).collect()
    }

    const START: &str = "sRNBKQBNRPPPPPPPP................................pppppppprnbkqbnr";

    fn messages(pieces: &[&[u8]]) -> Vec<Result<Message, usize>> {
        let (mut decoder, mut all) = (Decoder::default(), Vec::new());
        for piece in pieces {
            decoder.push(piece, |message| all.push(message.map_err(|bad| bad.bytes.len())));
        }
        all
    }

    #[test]
    fn commands_are_encoded_as_in_the_makers_document() {
        for (text, bytes) in
            [("S", SEND_POSITION), ("V", SEND_VERSION), ("R02", READ_REPORTS), ("W0203", REPORT_CHANGES)]
        {
            assert_eq!(sent(text), bytes, "{text}");
        }
    }

    #[test]
    fn messages_are_read_in_chunks_of_any_size() {
        let start = Ok(Message::Position(Placement::start()));
        let bytes =
            [sent(START), sent("v0104"), sent("r0203"), sent("w0200"), sent("x"), sent(START)].concat();
        let want = [
            start.clone(),
            Ok(Message::Version([1, 4])),
            Ok(Message::Register(2, 3)),
            Ok(Message::Register(2, 0)),
            Ok(Message::Lamps),
            start,
        ];
        for length in [1, 2, 7, 66, 500] {
            let pieces: Vec<&[u8]> = bytes.chunks(length).collect();
            assert_eq!(messages(&pieces), want, "{length}");
        }
    }

    #[test]
    fn missing_parity_is_accepted() {
        // eONE boards send no parity.
        let plain: Vec<u8> = sent(START).iter().map(|byte| byte & 0x7f).collect();
        assert_eq!(messages(&[&plain]), [Ok(Message::Position(Placement::start()))]);
    }

    /// A message of a board whose checksums are switched off.
    fn bare(text: &str) -> Vec<u8> {
        let mut bytes = sent(text);
        bytes.truncate(text.len());
        bytes
    }

    #[test]
    fn two_messages_without_checksums_show_such_a_board() {
        let moved = START.replacen("PPPPPPPP....", "PPPP.PPP....", 1);
        let other = Ok(Message::Position(Placement::from_codes({
            let mut codes = *Placement::start().codes();
            codes[51] = 0;
            codes
        })));
        let start = Ok(Message::Position(Placement::start()));
        let bytes = [bare("v0104"), bare(START), bare(&moved), bare("r0203"), bare(&moved)].concat();
        let want =
            [Ok(Message::Version([1, 4])), start.clone(), other.clone(), Ok(Message::Register(2, 3)), other];
        for length in [1, 2, 7, 65, 500] {
            let pieces: Vec<&[u8]> = bytes.chunks(length).collect();
            assert_eq!(messages(&pieces), want, "{length}");
            let plain: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
            assert_eq!(messages(&plain.chunks(length).collect::<Vec<_>>()), want, "without parity, {length}");
        }
        // One message shows nothing: its checksum may have been lost.
        let whole = sent(START);
        assert_eq!(messages(&[&whole, &bare(START), &whole]), [start.clone(), Err(65), start.clone()]);
        // A board that sends checksums again is read as before.
        let again = [bare(START), bare(START), whole.clone(), whole[..66].to_vec(), whole.clone()].concat();
        let want = [start.clone(), start.clone(), start.clone(), Err(66), start];
        assert_eq!(messages(&[&again]), want);
    }

    #[test]
    fn wrong_checksums_and_parity_give_no_position() {
        let mut wrong = sent(START);
        wrong[66] ^= 1;
        assert!(messages(&[&wrong.repeat(5)]).iter().all(Result::is_err));
        // Without checksums a white man becomes a black one by one bit.
        let good = bare(START);
        let mut flipped = good.clone();
        flipped[12] ^= 0x20;
        let all = messages(&[&good, &good, &flipped, &good]);
        let start = Ok(Message::Position(Placement::start()));
        assert_eq!(all, [start.clone(), start.clone(), Err(65), start]);
    }

    #[test]
    fn damaged_bytes_hide_no_message_after_them() {
        let whole = sent(START);
        let mut wrong = whole.clone();
        wrong[3] = b'Q';
        let lost = &whole[..40];
        for spoilt in [&wrong[..], lost, &whole[30..], b"rnbqkbnrSSssrBBBB12", &[0xff; 300]] {
            let all = messages(&[spoilt, &whole, &whole]);
            let good = all.iter().filter(|message| message.is_ok()).count();
            let bad: usize = all.iter().filter_map(|message| message.as_ref().err()).sum();
            assert_eq!((good, bad), (2, spoilt.len()), "{spoilt:x?}");
        }
    }

    #[test]
    fn unasked_bytes_of_a_board_are_recognised() {
        let whole = sent(START);
        assert_eq!(is_heard(&[&whole[40..], &whole].concat()), Some(true));
        assert_eq!(is_heard(&whole[20..]), None);
        assert_eq!(is_heard(&[&whole[40..65], &bare(START).repeat(3)].concat()), Some(true));
        assert_eq!(is_heard(&[bare(START), whole[..20].to_vec()].concat()), None);
        assert_eq!(is_heard(b"$GPRMC,123519,A,4807.038,N"), Some(false));
        assert_eq!(is_heard(&[0x86, 0x00, 0x43, 1, 2, 3]), Some(false));
    }
}
