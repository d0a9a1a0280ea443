//! Runs the attacks of `fuzz/` on the committed inputs, so that a fault found once does not return.

use std::{fs, path::Path};

#[path = "../../fuzz/src/lib.rs"]
mod attacks;

/// The inputs of a folder, with their names.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut inputs: Vec<(String, Vec<u8>)> = files
        .map(|file| file.unwrap().path())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect();
    inputs.sort();
    inputs
}

#[test]
fn attacks_withstand_every_committed_input() {
    for (name, attack) in attacks::ATTACKS {
        let inputs = corpus(name);
        assert!(inputs.len() >= 3, "{name}: a corpus of {}", inputs.len());
        for (path, input) in inputs {
            // The path is on standard error, which a failing test shows, before the message.
            eprintln!("{path}");
            attack(&input);
        }
    }
}
