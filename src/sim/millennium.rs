//! The [`Speech`] of a Millennium board with ChessLink: 7-bit codes with odd parity in bit 7, and a checksum after each
//! message, unless bit 0 of register 00 switches the checksums off. The makers' document does not specify what remains then:
//! this board neither expects nor sends any.

use super::{
    Micros,
    random::Random,
    reporting_board::{Answer, Reports, Speech},
};

/// Letters by DGT's piece codes.
const LETTERS: &[u8; 13] = b".PRNBKQprnbkq";
/// The unit of the register of the scan time.
const SCAN_UNIT: Micros = 2_048;
/// The unit of the register of timed reports.
const TIME_UNIT: Micros = 4_096;
/// The time for which it sends nothing after a reset.
const RESET: Micros = 3_000_000;

/// The state of such a board.
#[derive(Debug)]
pub struct Millennium {
    /// The incomplete command, without parity.
    command: Vec<u8>,
    /// The registers of the EEPROM, which keeps them without power.
    registers: [u8; 256],
    version: [u8; 2],
}

impl Millennium {
    /// A board in its factory state, with this firmware.
    pub fn new(version: [u8; 2]) -> Millennium {
        let mut registers = [0; 256];
        (registers[1], registers[4]) = (20, 14);
        Millennium { command: Vec::new(), registers, version }
    }

    fn is_summed(&self) -> bool {
        self.registers[0] & 1 == 0
    }

    /// A text with its checksum, if this board sends any, each byte with odd parity.
    fn message(&self, text: &[u8]) -> Vec<u8> {
        let mut message = message(text);
        message.truncate(if self.is_summed() { message.len() } else { text.len() });
        message
    }

    fn execute(&mut self) -> Option<Answer> {
        let command = std::mem::take(&mut self.command);
        let sum_digits = if self.is_summed() { 2 } else { 0 };
        let (text, sum) = command.split_at(command.len() - sum_digits);
        if self.is_summed() && sum != digits(sum_of(text)) {
            return None;
        }
        let number = |at: usize| {
            let digits = std::str::from_utf8(text.get(at..at + 2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        };
        Some(match text[0] {
            b'S' => Answer::Report,
            b'V' => {
                let [main, sub] = self.version.map(digits);
                Answer::Bytes(self.message(&[&b"v"[..], &main, &sub].concat()))
            }
            b'T' => Answer::Silence(RESET),
            b'R' => {
                let at = number(1)?;
                let value = digits(self.registers[usize::from(at)]);
                Answer::Bytes(self.message(&[&b"r"[..], &digits(at), &value].concat()))
            }
            b'W' => {
                let (at, value) = (number(1)?, number(3)?);
                self.registers[usize::from(at)] = value;
                Answer::Bytes(self.message(&[&b"w"[..], &digits(at), &digits(value)].concat()))
            }
            letter => Answer::Bytes(self.message(&[letter.to_ascii_lowercase()])),
        })
    }
}

impl Speech for Millennium {
    fn baud(&self) -> u32 {
        38_400
    }

    fn scan(&self) -> Micros {
        let units = if self.registers[1] < 15 { 20 } else { self.registers[1] };
        Micros::from(units) * SCAN_UNIT
    }

    fn reports(&self) -> Reports {
        match self.registers[2] {
            0 => Reports::Every(self.scan()),
            2 => Reports::Every((Micros::from(self.registers[3]) * TIME_UNIT).max(self.scan())),
            3 => Reports::Changes(0),
            held @ 4..=7 => Reports::Changes(self.scan() * Micros::from(held - 2)),
            _ => Reports::Asked,
        }
    }

    fn report(&mut self, _: Micros, stands: &[u8; 64], _: &mut Random) -> Vec<u8> {
        // From h1 to a1, then each rank above.
        let letter = |code: u8| LETTERS.get(usize::from(code)).copied().unwrap_or(b'.');
        let squares = (0..64).map(|n| letter(stands[63 - n]));
        let text: Vec<u8> = [b's'].into_iter().chain(squares).collect();
        self.message(&text)
    }

    fn hear(&mut self, byte: u8) -> Option<Answer> {
        let code = byte & 0x7f;
        // A command with a damaged byte is neither executed nor answered.
        if byte.count_ones().is_multiple_of(2) {
            self.command.clear();
            return None;
        }
        self.command.push(code);
        let length = match self.command[0] {
            b'S' | b'V' | b'T' | b'X' => 1,
            b'R' => 3,
            b'W' => 5,
            b'L' => 165,
            _ => {
                self.command.clear();
                return None;
            }
        };
        let length = if self.is_summed() { length + 2 } else { length };
        if self.command.len() == length { self.execute() } else { None }
    }

    fn switched_on(&mut self) {
        self.command.clear();
    }
}

/// The checksum of these codes.
fn sum_of(text: &[u8]) -> u8 {
    text.iter().fold(0, |sum, &code| sum ^ code)
}

/// Two upper-case hex digits.
fn digits(value: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [DIGITS[usize::from(value >> 4)], DIGITS[usize::from(value & 15)]]
}

/// A text with its checksum, each byte with odd parity.
fn message(text: &[u8]) -> Vec<u8> {
    let sum = digits(sum_of(text));
    let odd = |&code: &u8| if code.count_ones().is_multiple_of(2) { code | 0x80 } else { code };
    text.iter().chain(&sum).map(odd).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Placement;

    fn answers(board: &mut Millennium, bytes: &[u8]) -> Vec<Answer> {
        bytes.iter().filter_map(|&byte| board.hear(byte)).collect()
    }

    #[test]
    fn commands_are_answered_with_parity_and_sum() {
        let mut board = Millennium::new([1, 4]);
        // `V56` goes over the wire as d6 b5 b6, in the log of python-mchess.
        let [Answer::Bytes(answer)] = &answers(&mut board, &[0xd6, 0xb5, 0xb6])[..] else { panic!() };
        assert!(answer.iter().all(|byte| byte.count_ones() % 2 == 1));
        let text: Vec<u8> = answer.iter().map(|byte| byte & 0x7f).collect();
        // 'v' ^ '0' ^ '1' ^ '0' ^ '4' is 73.
        assert_eq!(text, b"v010473");
        assert_eq!(answers(&mut board, &message(b"S")), [Answer::Report]);
        assert!(answers(&mut board, &[0xd6, 0xb5, 0xb5]).is_empty(), "a wrong sum");
        assert!(answers(&mut board, &[0x56, 0xb5, 0xb6]).is_empty(), "a wrong parity");
    }

    // "The block parity [...] can be disabled to enable easier testing with a terminal emulator", by register 00.
    #[test]
    fn checksums_are_switched_off_by_a_register() {
        let mut board = Millennium::new([1, 4]);
        assert_eq!(answers(&mut board, &message(b"W0001")), [Answer::Bytes(message(b"w0001")[..5].to_vec())]);
        // The digits of a checksum that is sent all the same are no commands.
        assert_eq!(answers(&mut board, &[0xd3, 0xb5, 0xb3]), [Answer::Report]);
        assert_eq!(board.report(0, Placement::start().codes(), &mut Random::new(1)).len(), 65);
        let version = Answer::Bytes(message(b"v0104")[..5].to_vec());
        assert_eq!(answers(&mut board, &[0xd6]), [version]);
        answers(&mut board, &message(b"W0000")[..5]);
        assert_eq!(board.report(0, Placement::start().codes(), &mut Random::new(1)).len(), 67);
    }

    #[test]
    fn reports_go_from_h1_to_a8() {
        let mut board = Millennium::new([1, 4]);
        let report = board.report(0, Placement::start().codes(), &mut Random::new(1));
        let text: Vec<u8> = report.iter().map(|byte| byte & 0x7f).collect();
        let empty = [b'.'; 32];
        let want = [&b"sRNBKQBNRPPPPPPPP"[..], &empty, b"pppppppprnbkqbnr"].concat();
        assert_eq!((&text[..65], text.len()), (&want[..], 67));
    }

    #[test]
    fn registers_change_when_it_reports() {
        let mut board = Millennium::new([1, 4]);
        assert_eq!(board.reports(), Reports::Every(40_960));
        assert_eq!(answers(&mut board, &message(b"W0203")).len(), 1);
        board.switched_on();
        assert_eq!(board.reports(), Reports::Changes(0));
        let [Answer::Bytes(read)] = &answers(&mut board, &message(b"R02"))[..] else { panic!() };
        assert_eq!(read.iter().map(|byte| byte & 0x7f).take(5).collect::<Vec<u8>>(), b"r0203");
        answers(&mut board, &message(b"W0205"));
        assert_eq!(board.reports(), Reports::Changes(3 * 40_960));
        answers(&mut board, &message(b"W0201"));
        assert_eq!(board.reports(), Reports::Asked);
    }
}
