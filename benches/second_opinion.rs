//! Compares our reader of PGN with pgn-reader's visitor and the rules of shakmaty on files:
//! `cargo bench --bench second_opinion -- FOLDER_OR_FILE...` prints for each file how many games are the same, cannot be
//! compared or differ, and where the first one differs. `tests/pgn` has the comparison and its exceptions.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use boardbus::format::pgn::Cutter;

#[path = "../tests/pgn/visitor.rs"]
mod visitor;

/// The PGN files of a folder and those below it.
fn files(path: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    entries.retain(|entry| entry.is_dir() || entry.extension().is_some_and(|e| e == "pgn"));
    entries.sort();
    let below = entries.iter().map(|entry| files(entry)).collect::<Result<Vec<_>, _>>()?;
    Ok(below.concat())
}

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if paths.is_empty() {
        println!(
            "second_opinion: give folders or files: cargo bench --bench second_opinion -- FOLDER_OR_FILE..."
        );
    }
    let mut sums = [0; 3];
    for path in &paths {
        for file in files(Path::new(path))? {
            // Counts of games that are the same, have flaws, and differ.
            let mut counts = [0; 3];
            let mut first = None;
            let (mut cutter, text) = (Cutter::default(), fs::read(&file)?);
            for block in [&text[..], &[]] {
                cutter.push(block, |game| {
                    let (ours, theirs) = (visitor::ours(game.text), visitor::theirs(game.text));
                    let difference = visitor::difference(&ours, &theirs);
                    if ours.flaws + theirs.flaws > 0 {
                        counts[1] += 1;
                    } else if let Some((one, two)) = difference {
                        counts[2] += 1;
                        first.get_or_insert(format!("line {}: {one} | {two}", game.line));
                    } else {
                        counts[0] += 1;
                    }
                    Ok::<(), std::convert::Infallible>(())
                })?;
            }
            let [same, flawed, differ] = counts;
            println!("{}: {same} the same, {flawed} with flaws, {differ} differ", file.display());
            first.iter().for_each(|first| println!("    {first}"));
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    let [same, flawed, differ] = sums;
    println!("{same} games the same, {flawed} with flaws, {differ} differ");
    Ok(())
}
