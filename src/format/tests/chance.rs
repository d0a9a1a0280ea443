//! Random numbers, the same each time, for tests that generate their input.

/// A generator with a seed other than 0 (xorshift).
pub struct Chance(pub u64);

impl Chance {
    /// A number below this one.
    pub fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % many as u64) as usize
    }

    /// Shuffles these.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        (1..all.len()).rev().for_each(|at| all.swap(at, self.below(at + 1)));
    }
}
