//! A file without a name for data that need not be in memory: the moves of finished games.

use std::{
    fmt::Debug,
    fs::{self, File},
    io,
    os::unix::fs::FileExt,
    path::Path,
    sync::Arc,
};

use crate::format::{games::Away, html::Ply};

/// The file, which is deleted already and exists while it is open.
pub struct SpillFile {
    file: Arc<File>,
    end: u64,
}

/// A part of the file.
#[derive(Debug, Clone)]
pub struct Piece {
    file: Arc<File>,
    at: u64,
    length: usize,
}

impl SpillFile {
    /// Creates the file in a folder; it disappears when this process ends, however that happens.
    pub fn new(dir: &Path) -> io::Result<SpillFile> {
        let path = dir.join(format!(".games.{}.spill.tmp", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        fs::remove_file(path)?;
        Ok(SpillFile { file: Arc::new(file), end: 0 })
    }

    /// Appends data; returns the part that holds it.
    pub fn put(&mut self, bytes: &[u8]) -> io::Result<Piece> {
        self.file.write_all_at(bytes, self.end)?;
        let piece = Piece { file: Arc::clone(&self.file), at: self.end, length: bytes.len() };
        self.end += bytes.len() as u64;
        Ok(piece)
    }

    /// Appends the plies of a game.
    pub fn put_plies(&mut self, plies: &[Ply]) -> io::Result<Box<dyn Away<Ply>>> {
        let mut text = Vec::new();
        for ply in plies {
            text.extend_from_slice(ply.fields());
            text.push(b'\n');
        }
        Ok(Box::new(Plies(self.put(&text)?)))
    }
}

impl Piece {
    /// Reads the part.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.length];
        self.file.read_exact_at(&mut bytes, self.at)?;
        Ok(bytes)
    }
}

#[derive(Debug)]
struct Plies(Piece);

impl Away<Ply> for Plies {
    fn bring_back(&self) -> io::Result<Vec<Ply>> {
        let text = self.0.read()?;
        let lines = text.strip_suffix(b"\n").into_iter().flat_map(|text| text.split(|&b| b == b'\n'));
        Ok(lines.map(Ply::of_fields).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        format::game::Kept,
        record::{Move, Seconds, Time},
    };

    #[test]
    fn plies_come_back_as_they_went() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = SpillFile::new(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a file that is to be seen");
        let e4 =
            Move { ply: Some(1), san: Some("e4".into()), seconds: Some(Seconds(9.5)), ..Move::default() };
        let e5 = Move { guess: true, comment: Some("two\nlines <".into()), ..Move::default() };
        let plies = [Ply::keep(e4, Some(Time(7))), Ply::default(), Ply::keep(e5, None)];
        let (first, none) = (spill.put_plies(&plies).unwrap(), spill.put_plies(&[]).unwrap());
        let second = spill.put_plies(&plies[..2]).unwrap();
        assert_eq!(first.bring_back().unwrap(), plies);
        assert_eq!(none.bring_back().unwrap(), []);
        assert_eq!(second.bring_back().unwrap(), plies[..2]);
    }
}
