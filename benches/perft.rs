//! Perft of Russian draughts from the start position: checks the count, tells the speed on one core.
//!
//! `cargo bench --bench perft` runs to depth 12; `cargo bench --bench perft -- 10` to another depth.

use std::{process::ExitCode, time::Instant};

use boardbus::draughts::{Distinct, Position, perft};

/// Published counts from depth 1, duplicates dropped.
const KNOWN: [u64; 13] = [
    7,
    49,
    302,
    1_469,
    7_482,
    37_986,
    190_146,
    929_899,
    4_570_586,
    22_444_032,
    110_917_189,
    544_770_444,
    2_673_979_569,
];

fn main() -> ExitCode {
    // Cargo adds `--bench`; a number is the depth.
    let depth = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(12);
    let mut right = true;
    for (depth, known) in (1..=depth).zip(KNOWN) {
        let begun = Instant::now();
        let nodes = perft(&Position::start(), depth, Distinct::Results);
        let seconds = begun.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds / 1e6;
        let verdict = if nodes == known { "right" } else { "WRONG" };
        println!("depth {depth:2} {nodes:13} nodes {seconds:8.3} s {speed:7.1} Mnodes/s {verdict}");
        right &= nodes == known;
    }
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
