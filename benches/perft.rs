//! Perft of Russian draughts from the start position: checks the counts and prints the speed on one core.
//!
//! `cargo bench --bench perft` runs to depth 12; `cargo bench --bench perft -- 10` to another depth. With a
//! folder, `cargo bench --bench perft -- FOLDER`, it checks the rules and BARS with the cases in there.

use std::{fs, path::Path, process::ExitCode, time::Instant};

use boardbus::{
    draughts::{Distinct, Found, Move, Numbering, Position, perft},
    format::bars,
};
use serde_json::{Value, json};

/// Published counts from depth 1, without duplicates.
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
    // Cargo adds `--bench`; a number is the depth, a path a folder of cases.
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let right = match args.next().map(|arg| arg.parse().map_err(|_| arg)) {
        Some(Err(folder)) => cases(Path::new(&folder)),
        Some(Ok(depth)) => speed(depth),
        None => speed(12),
    };
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn speed(depth: u32) -> bool {
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
    right
}

/// Checks the engine with the cases of a folder: `perft_positions.json` (counts by depth),
/// `rules_cases.json` (legal moves, as text and BARS) and `bars_vectors.json` (games with their matrices).
fn cases(folder: &Path) -> bool {
    let read = |name: &str| -> Vec<Value> {
        let text = fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    let mut wrong = 0;
    let mut same = |what: String, ours: Value, theirs: &Value| {
        if ours != *theirs {
            println!("WRONG {what}: {ours} and not {theirs}");
            wrong += 1;
        }
    };
    let [mut counts, mut legal, mut plies, mut matrices] = [0; 4];
    for case in read("perft_positions.json") {
        let fen = case["fen"].as_str().unwrap_or_default();
        let position: Position = fen.parse().expect("a FEN");
        for (name, distinct) in
            [("result", Distinct::Results), ("order", Distinct::Orders), ("path", Distinct::Paths)]
        {
            let depths = case[name].as_array().map_or(0, Vec::len) as u32;
            let ours: Vec<u64> = (1..=depths).map(|depth| perft(&position, depth, distinct)).collect();
            counts += ours.len();
            same(format!("{fen} {name}"), json!(ours), &case[name]);
        }
    }
    for case in read("rules_cases.json") {
        let fen = case["fen"].as_str().unwrap_or_default();
        let position: Position = fen.parse().expect("a FEN");
        let sorted = |mut list: Vec<Value>| {
            list.sort_by_key(Value::to_string);
            json!(list)
        };
        let in_words = |m: &Move| {
            let after = position.play(m).to_string();
            json!({"text": m.to_string(), "bars": bars::numbers(&position, m), "after": after})
        };
        let ours: Vec<Value> = position.legal_moves().iter().map(in_words).collect();
        legal += ours.len();
        same(fen.into(), sorted(ours), &sorted(case["legal"].as_array().cloned().unwrap_or_default()));
        same(fen.into(), json!(bars::matrix(&position)), &case["matrix"]);
        let ours: Vec<u64> = (1..=4).map(|depth| perft(&position, depth, Distinct::Results)).collect();
        counts += ours.len();
        same(format!("{fen} result"), json!(ours), &case["perft_result"]);
    }
    for (n, game) in read("bars_vectors.json").iter().enumerate() {
        let mut position = Position::start();
        same(format!("game {n} start"), json!(bars::matrix(&position)), &game["start"]);
        for (ply, text) in game["moves"].as_array().into_iter().flatten().enumerate() {
            let what = format!("game {n} ply {}", ply + 1);
            match position.read_move(text.as_str().unwrap_or_default(), Numbering::B8) {
                Ok(Found { m, .. }) => {
                    same(what.clone(), json!(bars::numbers(&position, &m)), &game["go"][ply]);
                    same(what.clone(), json!(m.to_string()), text);
                    position = position.play(&m);
                }
                Err(e) => same(what.clone(), json!(e.to_string()), text),
            }
            plies += 1;
            if let Some(after) = game["after_each"].get(ply) {
                same(what, json!(bars::matrix(&position)), after);
                matrices += 1;
            }
        }
        same(format!("game {n} end"), json!(bars::matrix(&position)), &game["final"]);
        same(format!("game {n} end"), json!(position.to_string()), &game["final_fen"]);
    }
    println!("{counts} perft counts, {legal} legal moves, {plies} plies, {matrices} matrices: {wrong} wrong");
    wrong == 0
}
