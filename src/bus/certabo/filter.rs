//! Which chip stands on a square: what most of the last dumps saw there. Sensors see chips where none is, and miss some.

use std::collections::VecDeque;

use crate::{
    record::{Chip, Readings, Square},
    wire::certabo::Squares,
};

/// So many dumps decide what stands on a square.
const DECIDE: usize = 3;
/// A chip is steady on a square by so many dumps: the drivers of others learn chips from seven or more.
const STEADY: usize = 7;
/// What was set aside is reported after so many dumps, a minute's.
const REPORT_AFTER: u32 = 240;

/// What the last dumps saw.
pub struct Filter {
    /// The last dumps, the newest last.
    dumps: VecDeque<Squares>,
    stands: Squares,
    /// What was set aside since it was reported, and how often on which square.
    aside: Readings,
    on_squares: [u32; 64],
}

impl Default for Filter {
    fn default() -> Filter {
        let (aside, on_squares) = (Readings::default(), [0; 64]);
        Filter { dumps: VecDeque::new(), stands: [None; 64], aside, on_squares }
    }
}

impl Filter {
    /// Takes a dump; what stands by now, once there are enough of them.
    pub fn take(&mut self, squares: &Squares) -> Option<Squares> {
        if self.dumps.len() == STEADY {
            self.dumps.pop_front();
        }
        self.dumps.push_back(*squares);
        self.aside.reports += 1;
        let first = self.dumps.len().checked_sub(DECIDE)?;
        for field in 0..64 {
            let [before, between, now] = [0, 1, 2].map(|n| self.dumps[first + n][field]);
            // Where all three differ, what stood there stands.
            if now == before || now == between {
                self.stands[field] = now;
            } else if before == between {
                self.stands[field] = before;
            }
            if between != before && between != now {
                let is_ghost = between.is_some() && self.stands[field].is_none();
                self.aside.ghosts += u32::from(is_ghost);
                self.aside.missed += u32::from(!is_ghost);
                self.on_squares[field] += 1;
            }
        }
        Some(self.stands)
    }

    /// Whether most of many dumps saw this on a square.
    pub fn is_steady(&self, field: usize, chip: Option<Chip>) -> bool {
        let saw = self.dumps.iter().filter(|dump| dump[field] == chip).count();
        self.dumps.len() == STEADY && saw > STEADY / 2
    }

    /// What was set aside in a minute, if it was anything.
    pub fn due(&mut self) -> Option<Readings> {
        if self.aside.reports < REPORT_AFTER {
            return None;
        }
        let readings = std::mem::take(&mut self.aside);
        let on_squares = std::mem::replace(&mut self.on_squares, [0; 64]);
        let worst = Square::all().zip(on_squares).max_by_key(|&(square, times)| (times, 63 - square.field()));
        let square = worst.map(|(square, _)| square);
        (readings.ghosts + readings.missed > 0).then_some(Readings { square, ..readings })
    }

    /// Dumps that come from now on are not compared with those before.
    pub fn forget(&mut self) {
        self.dumps.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHIP: Option<Chip> = Some(Chip([3, 0, 84, 1, 2]));

    /// What stands on a8 after each of these dumps of it.
    fn stands(dumps: &[Option<Chip>]) -> (Vec<Option<Option<Chip>>>, Filter) {
        let mut filter = Filter::default();
        let mut squares = [None; 64];
        let mut after = |&chip: &Option<Chip>| {
            squares[0] = chip;
            filter.take(&squares).map(|stands| stands[0])
        };
        (dumps.iter().map(&mut after).collect(), filter)
    }

    #[test]
    fn ghosts_and_missed_pieces_change_nothing_and_are_counted() {
        let ghost = |n| Some(Chip([9, 8, 7, 6, n]));
        let (seen, filter) = stands(&[None, None, ghost(1), ghost(2), None, None, None]);
        assert!(seen[2..].iter().all(|seen| *seen == Some(None)), "{seen:?}");
        assert_eq!((filter.aside.ghosts, filter.aside.missed), (2, 0));
        let (seen, filter) = stands(&[CHIP, CHIP, None, CHIP, CHIP, ghost(1), CHIP]);
        assert_eq!(seen[..2], [None, None], "two dumps decide nothing");
        assert!(seen[2..].iter().all(|seen| *seen == Some(CHIP)), "{seen:?}");
        assert_eq!((filter.aside.ghosts, filter.aside.missed), (0, 2));
    }

    #[test]
    fn a_move_shows_with_its_second_dump() {
        let (seen, filter) = stands(&[None, None, None, CHIP, CHIP, None, None]);
        assert_eq!(seen[3..], [Some(None), Some(CHIP), Some(CHIP), Some(None)]);
        assert_eq!((filter.aside.ghosts, filter.aside.missed), (0, 0));
    }

    #[test]
    fn dropped_reports_are_recorded_each_minute_with_square() {
        let mut filter = Filter::default();
        for n in 0..REPORT_AFTER {
            assert_eq!(filter.due(), None);
            let mut squares = [None; 64];
            squares[52] = CHIP.filter(|_| n % 10 == 5);
            filter.take(&squares);
        }
        let readings = filter.due().unwrap();
        assert_eq!((readings.reports, readings.ghosts, readings.missed), (240, 24, 0));
        assert_eq!(readings.square.unwrap().text(), "e2");
        assert_eq!(filter.due(), None);
    }
}
