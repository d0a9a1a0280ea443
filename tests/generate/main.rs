//! Writes the man pages and completions, from the definitions of the arguments: `cargo run --example generate`.
//!
//! For those who work on boardbus. The output is committed; `tests/cli/generate.rs` holds that it is fresh.

use std::{env, fs, path::PathBuf, process::ExitCode};

mod files;

fn main() -> ExitCode {
    let dir = env::args_os().nth(1).map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    for (name, text) in files::generated() {
        let path = dir.join(name);
        let folder = path.parent().unwrap_or(&dir);
        if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)) {
            eprintln!("generate: {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
