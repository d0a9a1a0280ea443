//! Reports of Chessnut boards (Air, Pro, Go), over USB or Bluetooth.
//!
//! A report is an id, the length of its data in bytes, and the data; USB devices pad it with zeros. It has no checksum.

use crate::record::{Piece, Placement};

/// Has the board report its position several times a second, until it is switched off.
pub const REPORT_POSITIONS: &[u8] = &[0x21, 0x01, 0x00];
/// Asks for the version of the firmware.
pub const SEND_VERSION: &[u8] = &[0x27, 0x01, 0x01];

/// Asks for the state of the battery.
pub const SEND_BATTERY: &[u8] = &[0x29, 0x01, 0x00];

const POSITION: u8 = 0x01;
const BATTERY: u8 = 0x2a;
const VERSION: u8 = 0x28;
/// Ids of other reports: the answer to a command, stored games, and reports that only the model Move sends.
const OTHERS: [u8; 4] = [0x23, 0x32, 0x37, 0x41];
/// Bytes of a position, two squares each.
const SQUARES: usize = 32;
/// The letters of the pieces, by their codes.
const LETTERS: &[u8; 13] = b".qkbpnRPrBNQK";

/// A report of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// The pieces on the board.
    Position(Placement),
    /// The version of the firmware.
    Version(String),
    /// A position without squares: the board is switched off.
    NoPosition,
    /// The state of the battery.
    Battery,
    /// Anything else.
    Other,
}

/// Bytes that are no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadBytes(pub Vec<u8>);

/// Reads reports. A device returns one report for each read, so each chunk of bytes begins with one; a recording may be cut
/// anywhere.
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    held: Vec<u8>,
    joins_pieces: bool,
}

impl Decoder {
    /// A decoder of bytes that may be cut anywhere.
    pub fn of_stream() -> Decoder {
        Decoder { joins_pieces: true, ..Decoder::default() }
    }

    /// Drops an incomplete report.
    pub fn forget(&mut self) {
        self.held.clear();
    }

    /// Takes a chunk of bytes and passes each complete report, and bytes that are none, to `on`.
    pub fn push(&mut self, bytes: &[u8], mut on: impl FnMut(Result<Report, BadBytes>)) {
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(bytes);
        let (mut rest, mut bad) = (&held[..], Vec::new());
        let end_run = |bad: &mut Vec<u8>, on: &mut dyn FnMut(_)| {
            if !bad.is_empty() {
                on(Err(BadBytes(std::mem::take(bad))));
            }
        };
        while let Some((&id, after)) = rest.split_first() {
            let length = after.first().map(|&length| usize::from(length));
            let whole = length.map(|length| after.get(1..=length));
            match (id, whole) {
                // Padding.
                (0, _) => rest = after,
                (_, Some(Some(data))) if is_known(id, data.len()) => {
                    end_run(&mut bad, &mut on);
                    on(read(id, data).ok_or_else(|| BadBytes([&[id, data.len() as u8], data].concat())));
                    rest = &after[1 + data.len()..];
                }
                (_, None | Some(None)) if self.joins_pieces && is_known(id, length.unwrap_or(0)) => break,
                _ => {
                    bad.push(id);
                    rest = after;
                }
            }
        }
        end_run(&mut bad, &mut on);
        if self.joins_pieces {
            self.held = rest.to_vec();
        }
    }
}

/// Whether there are reports with this id and length.
fn is_known(id: u8, length: usize) -> bool {
    (matches!(id, POSITION | VERSION | BATTERY) || OTHERS.contains(&id)) && length < 2 * SQUARES
}

/// Reads a report; none if a square has a code that no piece has.
fn read(id: u8, data: &[u8]) -> Option<Report> {
    match (id, data.first_chunk::<SQUARES>()) {
        (POSITION, Some(squares)) => placement(squares).map(Report::Position),
        (VERSION, _) => {
            let text: String = data
                .iter()
                .skip(1)
                .take_while(|byte| byte.is_ascii_graphic())
                .map(|&byte| char::from(byte))
                .collect();
            Some(Report::Version(text))
        }
        (POSITION, None) => Some(Report::NoPosition),
        (BATTERY, _) => Some(Report::Battery),
        _ => Some(Report::Other),
    }
}

/// The placement of squares in the order h8 to a8, then each rank below, the first of two squares in the low half of a byte.
fn placement(squares: &[u8; SQUARES]) -> Option<Placement> {
    let mut codes = [0; 64];
    for (n, &byte) in squares.iter().enumerate() {
        for (half, code) in [byte & 15, byte >> 4].into_iter().enumerate() {
            let nth = 2 * n + half;
            let letter = *LETTERS.get(usize::from(code))?;
            codes[nth / 8 * 8 + 7 - nth % 8] = Piece::from_letter(letter).map_or(0, Piece::code);
        }
    }
    Some(Placement::from_codes(codes))
}

/// Whether bytes that came without a question are from such a board: whether they contain a report with a position.
pub fn is_heard(bytes: &[u8]) -> bool {
    let mut has_position = false;
    Decoder::default().push(bytes, |report| has_position |= matches!(report, Ok(Report::Position(_))));
    has_position
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start position of the makers, and e2-e4 on it.
    const START: [u8; 32] = [
        0x58, 0x23, 0x31, 0x85, 0x44, 0x44, 0x44, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x77,
        0x77, 0x77, 0x77, 0xa6, 0xc9, 0x9b, 0x6a,
    ];

    fn usb(squares: [u8; 32]) -> Vec<u8> {
        let mut report = [&[0x01, 0x3d][..], &squares, &[0x34, 0x12]].concat();
        report.resize(65, 0);
        report
    }

    fn reports(decoder: &mut Decoder, pieces: &[&[u8]]) -> Vec<Result<Report, usize>> {
        let mut all = Vec::new();
        for piece in pieces {
            decoder.push(piece, |report| all.push(report.map_err(|bad| bad.0.len())));
        }
        all
    }

    #[test]
    fn positions_are_read_from_usb_and_bluetooth() {
        let mut squares = START;
        // Rank 4 begins with the 17th byte: h4 and g4, f4 and e4.
        (squares[17], squares[25]) = (0x70, 0x07);
        let after: Placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".parse().unwrap();
        let bluetooth = [&[0x01, 0x24][..], &START, &[0x34, 0x12, 0, 0]].concat();
        let got = reports(&mut Decoder::default(), &[&usb(START), &bluetooth, &usb(squares)]);
        let start = Ok(Report::Position(Placement::start()));
        assert_eq!(got, [start.clone(), start, Ok(Report::Position(after))]);
    }

    #[test]
    fn versions_and_other_reports_are_distinguished() {
        let version = b"\x28\x0e\x01CNCA101_V103\0";
        let got = reports(&mut Decoder::default(), &[version, &[0x2a, 2, 0x4d, 1], &[1, 0], &[1, 2, 0, 0]]);
        let version = Ok(Report::Version("CNCA101_V103".into()));
        assert_eq!(got, [version, Ok(Report::Battery), Ok(Report::NoPosition), Ok(Report::NoPosition)]);
    }

    #[test]
    fn an_unknown_piece_code_makes_the_report_bad() {
        let mut squares = START;
        squares[9] = 0xd0;
        assert_eq!(reports(&mut Decoder::default(), &[&usb(squares)]), [Err(63)]);
    }

    #[test]
    fn a_recording_is_read_in_chunks_of_any_size() {
        let bytes = [usb(START), usb(START), vec![0x2a, 2, 0x4d, 1], usb(START)].concat();
        for length in [1, 3, 64, 1000] {
            let pieces: Vec<&[u8]> = bytes.chunks(length).collect();
            let got = reports(&mut Decoder::of_stream(), &pieces);
            assert_eq!(got.len(), 4, "{length}");
            assert!(got.iter().all(Result::is_ok));
        }
        // An incomplete report of a device is not joined with the next one.
        let got = reports(&mut Decoder::default(), &[&usb(START)[..20], &usb(START)]);
        assert_eq!(got.last(), Some(&Ok(Report::Position(Placement::start()))));
    }

    #[test]
    fn bytes_of_other_devices_are_not_recognised() {
        assert!(is_heard(&usb(START)));
        assert!(!is_heard(&[1, 0]) && !is_heard(b"$GPRMC,123519,A") && !is_heard(&[0xff; 70]));
    }
}
