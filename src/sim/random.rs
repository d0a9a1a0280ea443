//! Random numbers from a seed: splitmix64 (Steele, Lea, Flood 2014), so that a run can be repeated byte for byte.

/// A source of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A source with this seed; different seeds give independent sequences.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed);
        random.0 = random.bits() ^ 0x5bd1_e995_9d1b_54a5;
        random
    }

    /// An independent source for part `n` of the same run.
    pub fn part(seed: u64, n: u64) -> Random {
        let mut random = Random::new(seed);
        Random::new(random.bits() ^ n.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `n`; 0 for none.
    pub fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// A number between the two.
    pub fn between(&mut self, (low, high): (f64, f64)) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// An index, each with the probability of its weight.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut rest = self.unit() * weights.iter().sum::<f64>();
        let reaches = |weight: &f64| {
            rest -= weight;
            rest < 0.0
        };
        weights.iter().position(reaches).unwrap_or(weights.len().saturating_sub(1))
    }

    /// A log-normal number around `median`, as thinking times are distributed.
    pub fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        // The sum of twelve uniform numbers is nearly normal, and the same on every machine.
        let normal = (0..12).map(|_| self.unit()).sum::<f64>() - 6.0;
        median * (sigma * normal).exp()
    }

    /// One of these items; none if there are none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// Puts these items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for n in (1..items.len()).rev() {
            items.swap(n, self.below(n + 1));
        }
    }
}
