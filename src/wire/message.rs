//! Messages, which a board sends to a host, in either mode.

use std::fmt;

use super::{
    clock::ClockMessage,
    frame::{Frame, join14, split14},
};
use crate::record::Mode;

/// The content of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// A dump of 64 squares, field 0 (a8) first: piece codes.
    Board(&'a [u8; 64]),
    /// A dump of a board of 100 squares.
    Board100(&'a [u8; 100]),
    /// A dump of the 50 black squares of such a board.
    BlackSquares(&'a [u8; 50]),
    /// A dump of its 50 white squares.
    WhiteSquares(&'a [u8; 50]),
    /// The clock.
    Clock(ClockMessage),
    /// A square changed: its field number and the code of the piece there now.
    Field(u8, u8),
    /// Entries of the log since the last such message (`wire::eeprom` reads them).
    Changes(&'a [u8]),
    /// The log since its start mark, without entries that are pending for `Changes`.
    FromStart(&'a [u8]),
    /// The whole log.
    Log(&'a [u8]),
    /// A board is present.
    Ping,
    /// The start mark is written.
    StartWritten,
    /// The version; boards up to 1.2 do not send it on the bus.
    Version(Option<Version>),
    /// The version of the hardware. Newer firmware.
    HardwareVersion(Version),
    /// The bus address.
    Address(u16),
    /// The serial number: five digits, or "01025 1.0".
    Serial(&'a [u8]),
    /// The long serial number: ten characters.
    LongSerial(&'a [u8]),
    /// Text.
    Trademark(&'a [u8]),
    /// State of the battery: charge in percent, then times and status where the board sends them.
    Battery(&'a [u8]),
    /// The I²C clock; its format is not known. Newer firmware.
    I2cClock(&'a [u8]),
    /// Statistics; their format is not known. Newer firmware.
    Stats(&'a [u8]),
    /// Configuration; its format is not known. Newer firmware.
    Config(&'a [u8]),
}

/// A version of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number in front of the dot.
    pub main: u8,
    /// The number after it.
    pub sub: u8,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.main, self.sub)
    }
}

/// A serial number as text: its first word of printable ASCII; none if there is no such word. Some boards append a version:
/// "01025 1.0".
pub fn serial(data: &[u8]) -> Option<String> {
    let text: String = data.iter().map(|&byte| char::from(byte)).collect();
    let word = text.split(|sign: char| !sign.is_ascii_graphic()).find(|word| !word.is_empty())?;
    Some(word.to_owned())
}

/// Why a complete frame is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadMessage {
    /// No message of this mode has this id.
    Id(u8),
    /// The message with this id never has this length.
    Length {
        /// Its id.
        id: u8,
        /// Bytes of data.
        length: usize,
    },
    /// A code above 0f in a dump.
    Piece,
    /// An impossible time.
    Time,
}

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadMessage::Id(id) => write!(f, "no message has the id {id:02x}"),
            BadMessage::Length { id, length } => write!(f, "a message {id:02x} with {length} bytes of data"),
            BadMessage::Piece => f.write_str("a dump with a code that no piece has"),
            BadMessage::Time => {
                f.write_str("a clock reading that cannot be: hours above 9, or no decimal digits below 60")
            }
        }
    }
}

impl std::error::Error for BadMessage {}

impl<'a> Message<'a> {
    /// Reads a frame. A frame with an address is a message of bus mode, any other of single-board mode.
    #[inline(always)]
    pub fn decode(frame: &Frame<'a>) -> Result<Message<'a>, BadMessage> {
        let data = frame.data;
        let length = || BadMessage::Length { id: frame.id, length: data.len() };
        let mode = if frame.address.is_some() { Mode::Bus } else { Mode::Single };
        Ok(match (mode, frame.id) {
            (Mode::Bus, 0x85 | 0x8b) => Message::Changes(data),
            (Mode::Bus, 0x83) | (Mode::Single, 0x86) => match (data.try_into(), data.try_into()) {
                (Ok(codes), _) => Message::Board(pieces(codes)?),
                (_, Ok(codes)) => Message::Board100(pieces(codes)?),
                _ => return Err(length()),
            },
            (Mode::Bus, 0x84) | (Mode::Single, 0x8d) => {
                let data = data.try_into().map_err(|_| length())?;
                Message::Clock(ClockMessage::decode(data).ok_or(BadMessage::Time)?)
            }
            (Mode::Bus, 0x86) => Message::FromStart(data),
            (Mode::Bus, 0x87) if data.is_empty() => Message::Ping,
            (Mode::Bus, 0x88) if data.is_empty() => Message::StartWritten,
            (Mode::Bus, 0x89) if data.is_empty() => Message::Version(None),
            (Mode::Bus, 0x89) | (Mode::Single, 0x93) => {
                Message::Version(Some(version(data).ok_or_else(length)?))
            }
            (Mode::Bus, 0x8a) | (Mode::Single, 0x94) => {
                Message::BlackSquares(pieces(data.try_into().map_err(|_| length())?)?)
            }
            (Mode::Single, 0x95) => Message::WhiteSquares(pieces(data.try_into().map_err(|_| length())?)?),
            (Mode::Bus, 0x8c) | (Mode::Single, 0x96) => {
                Message::HardwareVersion(version(data).ok_or_else(length)?)
            }
            (Mode::Single, 0x8e) => match *data {
                // Newer headers mention a flag in the upper bits; the code of the piece has four bits.
                [field, piece] => Message::Field(field, piece & 0x0f),
                _ => return Err(length()),
            },
            (Mode::Single, 0x8f) => Message::Log(data),
            (Mode::Single, 0x90) => match *data {
                [high, low] => Message::Address(join14(high, low)),
                // In an old header the address has one byte.
                [number] => Message::Address(u16::from(number)),
                _ => return Err(length()),
            },
            (Mode::Bus, 0xb0) | (Mode::Single, 0x91) => Message::Serial(data),
            (Mode::Single, 0xa2) => Message::LongSerial(data),
            (Mode::Bus, 0xb4) | (Mode::Single, 0x92) => Message::Trademark(data),
            (Mode::Bus, 0xb5) | (Mode::Single, 0xa0) => Message::Battery(data),
            (Mode::Bus, 0xb1) | (Mode::Single, 0xa3) => Message::I2cClock(data),
            (Mode::Bus, 0xb2) => Message::Stats(data),
            (Mode::Bus, 0xb3) => Message::Config(data),
            (Mode::Bus, 0x87 | 0x88) => return Err(length()),
            (_, id) => return Err(BadMessage::Id(id)),
        })
    }

    /// Appends the bytes of the message, from the board with this address or, without one, in single-board mode. Returns
    /// whether that mode has such a message; if not, nothing is appended.
    pub fn encode(&self, address: Option<u16>, out: &mut Vec<u8>) -> bool {
        // The ids on a bus and in single-board mode; 0 if the mode has no such message.
        let (bus, single, data): (u8, u8, &[u8]) = match *self {
            Message::Board(codes) => (0x83, 0x86, codes),
            Message::Board100(codes) => (0x83, 0x86, codes),
            Message::BlackSquares(codes) => (0x8a, 0x94, codes),
            Message::WhiteSquares(codes) => (0, 0x95, codes),
            Message::Clock(clock) => (0x84, 0x8d, &clock.encode()),
            Message::Field(field, piece) => (0, 0x8e, &[field, piece]),
            Message::Changes(data) => (0x85, 0, data),
            Message::FromStart(data) => (0x86, 0, data),
            Message::Log(data) => (0, 0x8f, data),
            Message::Ping => (0x87, 0, &[]),
            Message::StartWritten => (0x88, 0, &[]),
            Message::Version(None) => (0x89, 0, &[]),
            Message::Version(Some(version)) => (0x89, 0x93, &[version.main, version.sub]),
            Message::HardwareVersion(version) => (0x8c, 0x96, &[version.main, version.sub]),
            Message::Address(address) => (0, 0x90, &split14(address)),
            Message::Serial(data) => (0xb0, 0x91, data),
            Message::LongSerial(data) => (0, 0xa2, data),
            Message::Trademark(data) => (0xb4, 0x92, data),
            Message::Battery(data) => (0xb5, 0xa0, data),
            Message::I2cClock(data) => (0xb1, 0xa3, data),
            Message::Stats(data) => (0xb2, 0, data),
            Message::Config(data) => (0xb3, 0, data),
        };
        let id = if address.is_some() { bus } else { single };
        if id != 0 {
            Frame { id, address, data }.encode(out);
        }
        id != 0
    }
}

fn pieces<const N: usize>(codes: &[u8; N]) -> Result<&[u8; N], BadMessage> {
    if codes.iter().fold(0, |all, &code| all | code) < 0x10 { Ok(codes) } else { Err(BadMessage::Piece) }
}

fn version(data: &[u8]) -> Option<Version> {
    match *data {
        [main, sub] => Some(Version { main, sub }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::wire::{clock::Dial, frame::Decoder};

    /// Applies `f` to each message in these bytes, or to the reason why it is none.
    fn read<T>(mode: Mode, bytes: &[u8], mut f: impl FnMut(Result<Message<'_>, BadMessage>) -> T) -> Vec<T> {
        let mut all = Vec::new();
        Decoder::new(mode).push(bytes, |event| all.push(f(Message::decode(&event.expect("a frame")))));
        all
    }

    #[test]
    fn versions_and_addresses_are_read_as_documented() {
        let bytes = [0x89, 0x00, 0x08, 0x08, 0x01, 0x01, 0x06, 0x21, 0x89, 0x00, 0x06, 0x08, 0x01, 0x18];
        let versions = read(Mode::Bus, &bytes, |message| match message {
            Ok(Message::Version(version)) => version.map(|version| version.to_string()),
            other => panic!("{other:?}"),
        });
        assert_eq!(versions, [Some("1.6".into()), None]);
        let bytes = [0x90, 0x00, 0x05, 0x08, 0x01];
        assert_eq!(read(Mode::Single, &bytes, |m| m == Ok(Message::Address(1025))), [true]);
    }

    #[test]
    fn serial_numbers_have_two_lengths() {
        let short = [&[0x91, 0x00, 0x08], &b"01025"[..]].concat();
        let long = [&[0x91, 0x00, 0x0c], &b"01025 1.0"[..]].concat();
        assert_eq!(read(Mode::Single, &short, |m| m == Ok(Message::Serial(b"01025"))), [true]);
        assert_eq!(read(Mode::Single, &long, |m| m == Ok(Message::Serial(b"01025 1.0"))), [true]);
    }

    #[test]
    fn the_mode_decides_whether_86_is_a_dump_or_log() {
        let dump = [&[0x86, 0x00, 0x43][..], &[0x01; 64]].concat();
        assert_eq!(read(Mode::Single, &dump, |m| m == Ok(Message::Board(&[1; 64]))), [true]);
        let mut log = Vec::new();
        assert!(Message::FromStart(&[0x7b]).encode(Some(1025), &mut log));
        assert_eq!(log[0], 0x86);
        assert_eq!(read(Mode::Bus, &log, |m| m == Ok(Message::FromStart(&[0x7b]))), [true]);
    }

    #[test]
    fn dumps_of_large_boards_are_distinguished() {
        for (id, data, expected) in [
            (0x86, vec![1; 100], Message::Board100(&[1; 100])),
            (0x94, vec![4; 50], Message::BlackSquares(&[4; 50])),
            (0x95, vec![7; 50], Message::WhiteSquares(&[7; 50])),
        ] {
            assert_eq!(Message::decode(&Frame { id, address: None, data: &data }), Ok(expected));
        }
        let on_bus = Frame { id: 0x8a, address: Some(1), data: &[1; 50] };
        assert_eq!(Message::decode(&on_bus), Ok(Message::BlackSquares(&[1; 50])));
    }

    #[test]
    fn frames_that_are_no_message_give_the_reason() {
        let single = |id, data| Message::decode(&Frame { id, address: None, data });
        assert_eq!(single(0xdf, &[]), Err(BadMessage::Id(0xdf)));
        assert_eq!(single(0x86, &[0; 63]), Err(BadMessage::Length { id: 0x86, length: 63 }));
        assert_eq!(single(0x86, &[0x10; 64]), Err(BadMessage::Piece));
        assert_eq!(single(0x8d, &[0x0c, 0, 0, 0, 0, 0, 0x01]), Err(BadMessage::Time));
        assert_eq!(single(0x8e, &[0x24, 0x11]), Ok(Message::Field(0x24, 0x01)));
        let ping = Frame { id: 0x87, address: Some(1), data: &[0] };
        assert_eq!(Message::decode(&ping), Err(BadMessage::Length { id: 0x87, length: 1 }));
    }

    proptest! {
        #[test]
        fn every_message_is_read_as_written_in_its_modes(
            codes in vec(0..0x10u8, 100),
            data in vec(0..0x80u8, 0..60),
            numbers in any::<[u8; 2]>(),
            seconds in 0..36000u16,
            address in 0..1u16 << 14,
        ) {
            let [main, sub] = numbers.map(|number| number & 0x7f);
            let version = Version { main, sub };
            let clock = ClockMessage::decode(&{
                let reading = super::super::clock::Reading {
                    left: Dial::showing(seconds),
                    right: Dial::showing(35999 - seconds),
                    running: true,
                    turn: crate::record::Side::Right,
                    low_battery: false,
                };
                ClockMessage::Reading(reading).encode()
            }).expect("a reading");
            let half = codes[..50].try_into().expect("50 codes");
            let both = [
                Message::Board(codes[..64].try_into().expect("64 codes")),
                Message::Board100(codes[..].try_into().expect("100 codes")),
                Message::BlackSquares(half),
                Message::Clock(clock),
                Message::Version(Some(version)),
                Message::HardwareVersion(version),
                Message::Serial(&data),
                Message::Trademark(&data),
                Message::Battery(&data),
                Message::I2cClock(&data),
            ];
            let bus = [
                Message::Changes(&data),
                Message::FromStart(&data),
                Message::Ping,
                Message::StartWritten,
                Message::Version(None),
                Message::Stats(&data),
                Message::Config(&data),
            ];
            let single = [
                Message::WhiteSquares(half),
                Message::Field(main, sub & 0x0f),
                Message::Log(&data),
                Message::Address(address),
                Message::LongSerial(&data),
            ];
            let cases = [(true, true, &both[..]), (true, false, &bus), (false, true, &single)];
            for (on_bus, alone, messages) in cases {
                for message in messages {
                    for (mode, has) in [(Mode::Bus, on_bus), (Mode::Single, alone)] {
                        let address = (mode == Mode::Bus).then_some(address);
                        let mut bytes = Vec::new();
                        prop_assert_eq!(message.encode(address, &mut bytes), has);
                        let same = read(mode, &bytes, |read| read.as_ref() == Ok(message));
                        prop_assert_eq!(same, vec![true; usize::from(has)]);
                    }
                }
            }
        }
    }
}
