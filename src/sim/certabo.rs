//! The [`Speech`] of a Certabo board: it sends the number of the chip on each square as text, all the time, and accepts any
//! eight bytes as a command for its lights. Its sensors see chips where there are none, and miss some.

use super::{
    Micros,
    random::Random,
    reporting_board::{Answer, Reports, Speech},
};

/// The time of a dump; real boards send 3 to 5 a second.
const DUMP: Micros = 300_000;
/// So many dumps after it was first seen, a piece is a new one from the box.
const FROM_BOX: u8 = 3;
/// Bytes of a command for lights.
const LIGHTS: usize = 8;

type Chip = [u8; 5];

/// The state of such a board, with the chips of the pieces on and beside it.
#[derive(Debug)]
pub struct Certabo {
    /// The chance that a square is misread in a dump.
    ghosts: f64,
    /// The position of the last dump, in piece codes of DGT.
    stood: [u8; 64],
    /// The chips of the last dump.
    chips: [Chip; 64],
    /// By square: for how many dumps its piece has had no chip. The simulated scanner may see one piece on two squares, so a
    /// piece gets a new chip only later.
    waits: [u8; 64],
    /// Chips of pieces that were lifted, with their piece codes.
    beside: Vec<(u8, Chip)>,
    /// The number of chips so far.
    made: u16,
    /// The number of bytes for the lights so far.
    lights: usize,
}

impl Certabo {
    /// A board whose squares are misread with this chance.
    pub fn new(ghosts: f64) -> Certabo {
        Certabo {
            ghosts,
            stood: [0; 64],
            chips: [Chip::default(); 64],
            waits: [0; 64],
            beside: Vec::new(),
            made: 0,
            lights: 0,
        }
    }

    /// Moves the chips with their pieces.
    fn follow(&mut self, stands: &[u8; 64]) {
        let is_first = self.made == 0;
        for at in (0..64).filter(|&at| stands[at] != self.stood[at]) {
            let chip = std::mem::take(&mut self.chips[at]);
            if chip != Chip::default() {
                self.beside.push((self.stood[at], chip));
            }
            self.waits[at] = 0;
        }
        for at in (0..64).filter(|&at| stands[at] != 0) {
            if self.chips[at] != Chip::default() {
                continue;
            }
            self.waits[at] += 1;
            if let Some(n) = self.beside.iter().rposition(|&(beside, _)| beside == stands[at]) {
                self.chips[at] = self.beside.remove(n).1;
            } else if is_first || self.waits[at] > FROM_BOX {
                self.made += 1;
                let [high, low] = self.made.wrapping_mul(40_503).to_be_bytes();
                self.chips[at] = [3, 0, 84, high, low];
            }
        }
        self.stood = *stands;
    }
}

impl Speech for Certabo {
    fn baud(&self) -> u32 {
        38_400
    }

    fn scan(&self) -> Micros {
        DUMP
    }

    fn reports(&self) -> Reports {
        Reports::Every(DUMP)
    }

    fn report(&mut self, _: Micros, stands: &[u8; 64], random: &mut Random) -> Vec<u8> {
        self.follow(stands);
        let mut text = String::from(":");
        for mut chip in self.chips {
            if self.ghosts > 0.0 && random.chance(self.ghosts) {
                let ghost = random.bits().to_be_bytes();
                chip = if chip == [0; 5] {
                    [ghost[0] | 1, ghost[1] | 1, ghost[2], ghost[3], ghost[4]]
                } else {
                    [0; 5]
                };
            }
            chip.iter().for_each(|number| text.push_str(&format!("{number} ")));
        }
        text.push_str("\r\n");
        text.into_bytes()
    }

    fn hear(&mut self, _: u8) -> Option<Answer> {
        self.lights += 1;
        (self.lights.is_multiple_of(LIGHTS)).then(|| Answer::Bytes(b"L\r\n".to_vec()))
    }

    fn switched_on(&mut self) {
        self.lights = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Piece, Placement};

    /// The numbers of a dump.
    fn numbers(dump: &[u8]) -> Vec<u8> {
        let text = String::from_utf8(dump.to_vec()).unwrap();
        let text = text.strip_prefix(':').unwrap().strip_suffix(" \r\n").unwrap();
        text.split(' ').map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn dumps_have_a_chip_for_each_piece_from_a8() {
        let mut board = Certabo::new(0.0);
        let dump = board.report(0, Placement::start().codes(), &mut Random::new(1));
        let numbers = numbers(&dump);
        assert_eq!(numbers.len(), 320);
        assert!(numbers[80..240].iter().all(|&number| number == 0));
        let mut chips: Vec<&[u8]> = numbers.chunks(5).filter(|chip| chip.iter().any(|&n| n != 0)).collect();
        chips.sort_unstable();
        chips.dedup();
        assert_eq!(chips.len(), 32);
    }

    // The maker's program and certabo-lichess read a dump up to its end of line, and cut off a colon and three characters.
    #[test]
    fn a_dump_is_one_line() {
        let dump = Certabo::new(0.0).report(0, Placement::start().codes(), &mut Random::new(1));
        assert_eq!(dump.iter().position(|&byte| byte == b'\n'), Some(dump.len() - 1));
        let text = std::str::from_utf8(&dump[1..dump.len() - 3]).unwrap();
        assert_eq!(text.split(' ').count(), 320);
    }

    #[test]
    fn a_chip_moves_with_its_piece() {
        let mut board = Certabo::new(0.0);
        let mut stands = *Placement::start().codes();
        let mut random = Random::new(1);
        let pawn = numbers(&board.report(0, &stands, &mut random))[5 * 52..][..5].to_vec();
        (stands[52], stands[36]) = (0, 1);
        assert_eq!(numbers(&board.report(1, &stands, &mut random))[5 * 36..][..5], pawn[..]);
        let queen: Piece = "Q".parse().unwrap();
        (stands[36], stands[4]) = (0, queen.code());
        assert_eq!(
            numbers(&board.report(2, &stands, &mut random))[20..25],
            [0; 5],
            "it may be one on two squares"
        );
        let dump = (0..3).map(|_| numbers(&board.report(2, &stands, &mut random))).last().unwrap();
        assert!(dump[20..25] != [0; 5] && dump[20..25] != dump[5 * 59..][..5] && dump[20..25] != pawn[..]);
    }

    #[test]
    fn ghosts_appear_and_pieces_are_missed() {
        let mut board = Certabo::new(0.1);
        let mut random = Random::new(1);
        let stands = Placement::start();
        let (mut ghosts, mut missed) = (0, 0);
        for _ in 0..20 {
            for (chip, &code) in
                numbers(&board.report(0, stands.codes(), &mut random)).chunks(5).zip(stands.codes())
            {
                let is_seen = chip.iter().any(|&number| number != 0);
                ghosts += usize::from(is_seen && code == 0);
                missed += usize::from(!is_seen && code != 0);
            }
        }
        assert!(ghosts > 20 && missed > 20, "{ghosts}, {missed}");
        let answers = (0..16).filter_map(|byte| board.hear(byte)).count();
        assert_eq!(answers, 2);
    }
}
