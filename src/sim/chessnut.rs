//! The [`Speech`] of a Chessnut board (Air, Pro, Go) on its USB cable, a HID device: reports of 32 bytes of squares.

use super::{
    Micros, SECOND,
    random::Random,
    reporting_board::{Answer, Reports, Speech},
};

/// The codes of the makers by DGT's piece codes: empty 0, then q k b p n R P r B N Q K.
const CODES: [u8; 13] = [0, 7, 6, 10, 9, 12, 11, 4, 8, 5, 3, 2, 1];
/// The time between reports, with or without changes.
const EVERY: Micros = 200_000;
/// Bytes of a report.
const REPORT: usize = 64;

/// The state of such a board.
#[derive(Debug, Default)]
pub struct Chessnut {
    /// The incomplete command.
    command: Vec<u8>,
    /// Whether reports were requested since it was switched on.
    reports: bool,
}

impl Chessnut {
    fn execute(&mut self) -> Option<Answer> {
        let command = std::mem::take(&mut self.command);
        match command[..] {
            [0x21, _, 0x00] => self.reports = true,
            [0x21, _, 0x01] => self.reports = false,
            [0x27, _, kind] => {
                let text: &[u8] = if kind == 0 { b"CNCA101_V103\0" } else { b"CNAIRP_00_240516\0" };
                return Some(answer(0x28, &[&[kind], text].concat()));
            }
            [0x29, _, 0x00] => return Some(answer(0x2a, &[100, 0])),
            // Commands for lamps, sounds and stored games are not used here.
            _ => {}
        }
        None
    }
}

impl Speech for Chessnut {
    fn baud(&self) -> u32 {
        0
    }

    fn scan(&self) -> Micros {
        EVERY / 2
    }

    fn reports(&self) -> Reports {
        if self.reports { Reports::Every(EVERY) } else { Reports::Asked }
    }

    fn report(&mut self, now: Micros, stands: &[u8; 64], _: &mut Random) -> Vec<u8> {
        let code = |square: usize| CODES.get(usize::from(stands[square])).copied().unwrap_or(0);
        // From h8 to a8, then each rank below; the first of two squares in the low half.
        let square = |n: usize| 8 * (n / 8) + 7 - n % 8;
        let squares = (0..32).map(|n| code(square(2 * n)) | code(square(2 * n + 1)) << 4);
        let uptime = (now / SECOND) as u16;
        let mut report: Vec<u8> = [0x01, 0x3d].into_iter().chain(squares).collect();
        report.extend(uptime.to_le_bytes());
        report.resize(REPORT, 0);
        report
    }

    fn hear(&mut self, byte: u8) -> Option<Answer> {
        // A report of a host may be padded with zeros.
        if self.command.is_empty() && byte == 0 {
            return None;
        }
        self.command.push(byte);
        let length = self.command.get(1).map(|&length| 2 + usize::from(length));
        if length == Some(self.command.len()) { self.execute() } else { None }
    }

    fn switched_on(&mut self) {
        *self = Chessnut::default();
    }

    fn off_report(&self) -> Option<(Vec<u8>, Micros)> {
        Some((vec![0x01, 0x00], EVERY))
    }
}

fn answer(id: u8, data: &[u8]) -> Answer {
    let mut report = [&[id, data.len() as u8], data].concat();
    report.resize(REPORT, 0);
    Answer::Bytes(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Placement;

    #[test]
    fn start_position_is_that_of_the_makers() {
        let report = Chessnut::default().report(0, Placement::start().codes(), &mut Random::new(1));
        let black = [0x58, 0x23, 0x31, 0x85, 0x44, 0x44, 0x44, 0x44];
        let white = [0x77, 0x77, 0x77, 0x77, 0xa6, 0xc9, 0x9b, 0x6a];
        assert_eq!(report[..34], [&[0x01, 0x3d][..], &black, &[0; 16], &white].concat());
    }

    #[test]
    fn it_reports_from_the_command_on() {
        let mut board = Chessnut::default();
        assert_eq!(board.reports(), Reports::Asked);
        for byte in [0x21, 0x01, 0x00, 0x00, 0x00] {
            assert_eq!(board.hear(byte), None);
        }
        assert_eq!(board.reports(), Reports::Every(200_000));
        let answers: Vec<Answer> = [0x27, 0x01, 0x01].iter().filter_map(|&byte| board.hear(byte)).collect();
        let [Answer::Bytes(version)] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!(version[..20], *b"\x28\x12\x01CNAIRP_00_240516\0");
        board.switched_on();
        assert_eq!(board.reports(), Reports::Asked);
    }
}
