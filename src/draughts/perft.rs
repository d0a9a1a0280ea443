//! Counts the leaves of the tree of moves: the field's own test of a move generator, and of its speed.

use super::{moves::Move, position::Position};

/// Which moves count as different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distinct {
    /// Those that lead to different positions: published tables call this "duplicates dropped".
    Results,
    /// Also those that capture the same men in another order.
    Orders,
    /// Also those that land on other squares on the way.
    Paths,
}

impl Distinct {
    fn same(self, a: &Move, b: &Move) -> bool {
        match self {
            Distinct::Results => a.same_result(b),
            Distinct::Orders => a.same_result(b) && a.captured().eq(b.captured()),
            Distinct::Paths => false,
        }
    }
}

/// The number of move sequences of `depth` plies from a position.
pub fn perft(position: &Position, depth: u32, distinct: Distinct) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 && !position.must_capture() {
        return position.quiet_count();
    }
    let mut count = 0;
    let mut longer: Vec<Move> = Vec::new();
    position.each_move(|m| {
        // Only captures of two or more can have twins.
        if m.captured().len() > 1 {
            if longer.iter().any(|other| distinct.same(m, other)) {
                return;
            }
            longer.push(*m);
        }
        count += if depth == 1 { 1 } else { perft(&position.play(m), depth - 1, distinct) };
    });
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(fen: &str, distinct: Distinct, depths: u32) -> Vec<u64> {
        let position: Position = fen.parse().unwrap();
        (1..=depths).map(|depth| perft(&position, depth, distinct)).collect()
    }

    /// Depth 8 is the first that shows whether a man crowned in a capture continues as a king, depth 5 the first that
    /// distinguishes Russian draughts from its relatives.
    #[test]
    fn the_start_position_has_the_published_counts() {
        let start = Position::start().to_string();
        assert_eq!(
            counts(&start, Distinct::Results, 9),
            [7, 49, 302, 1_469, 7_482, 37_986, 190_146, 929_899, 4_570_586]
        );
        assert_eq!(counts(&start, Distinct::Orders, 9)[7..], [929_905, 4_570_667]);
        assert_eq!(counts(&start, Distinct::Paths, 8)[7..], [929_905]);
    }

    #[test]
    fn positions_with_kings_have_the_known_counts() {
        let fork = "W:WKf6,Ke5:Bb6,b4,d4,a3,g3";
        assert_eq!(counts(fork, Distinct::Results, 6), [2, 7, 42, 177, 1_605, 6_835]);
        assert_eq!(counts(fork, Distinct::Paths, 6), [2, 7, 42, 177, 1_610, 6_849]);
        let twin = "W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1";
        assert_eq!(counts(twin, Distinct::Results, 6), [2, 21, 52, 486, 2_693, 23_590]);
        assert_eq!(counts(twin, Distinct::Paths, 6), [3, 25, 71, 684, 3_903, 34_628]);
        let hunt = "W:WKa1,Kc1,Ke1:BKh8";
        assert_eq!(counts(hunt, Distinct::Results, 6), [20, 99, 499, 1_374, 14_452, 110_222]);
    }
}
