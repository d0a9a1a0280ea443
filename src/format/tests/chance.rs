//! Numbers by chance, for tests of readers that make their input: the same each time.

/// From a seed that is not 0 (xorshift).
pub struct Chance(pub u64);

impl Chance {
    /// A number below this one.
    pub fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % many as u64) as usize
    }

    /// Puts these into any order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        (1..all.len()).rev().for_each(|at| all.swap(at, self.below(at + 1)));
    }
}
