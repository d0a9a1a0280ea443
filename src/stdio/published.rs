//! A file that others read while it is written anew again and again: they find it whole, always.

use std::{
    fs::{self, File},
    hash::{DefaultHasher, Hasher},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::error::{Error, Result};

/// Servers tell two versions of a file apart by its size and the second in which it was written.
const APART: Duration = Duration::from_secs(1);

/// A file that is replaced, never written into: temporary file, fsync, rename. Each version is at least a second
/// younger than the one before it.
pub struct Published {
    path: PathBuf,
    /// The hash of what the file holds, when it was we who wrote or read it.
    holds: Option<u64>,
    /// What was appended.
    begin: Option<BufWriter<File>>,
    /// What was published after something was appended.
    end: Vec<u8>,
    /// It need not be safe on the disk before the next thing is done.
    passing: bool,
}

impl Published {
    /// A file to publish; nothing is written yet. A path that is there and no regular file is refused: it
    /// would be replaced.
    pub fn new(path: PathBuf) -> Result<Published> {
        // A link is followed, so that it is its target that is replaced.
        let path = fs::canonicalize(&path).unwrap_or(path);
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            let path = path.display();
            return Err(Error::Usage(format!(
                "{path} is no regular file and would be replaced: name another"
            )));
        }
        Ok(Published { path, holds: None, begin: None, end: Vec::new(), passing: false })
    }

    /// The same for a file of many that change all the time and can be made again: it is whole at every moment, but not
    /// forced onto the disk.
    pub fn passing(path: PathBuf) -> Result<Published> {
        let mut file = Published::new(path)?;
        file.passing = true;
        Ok(file)
    }

    /// Adds to what comes before everything published, for content of any size: it goes to the disk at once,
    /// into the file only with [`Published::finish`], and until then nothing else does.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let temporary = self.beside("begin.tmp");
        let failed = |e| Error::io(self.path.display(), e);
        let file = match &mut self.begin {
            Some(file) => file,
            none => none.insert(BufWriter::with_capacity(1 << 16, File::create(&temporary).map_err(failed)?)),
        };
        file.write_all(bytes).map_err(failed)
    }

    /// Puts what was appended in its place, with what was published last behind it.
    pub fn finish(&mut self) -> Result<()> {
        let Some(mut file) = self.begin.take() else { return Ok(()) };
        let temporary = self.beside("begin.tmp");
        let written = file
            .write_all(&self.end)
            .and_then(|()| file.flush())
            .and_then(|()| self.replace(file.get_ref(), &temporary));
        written.map_err(|e| self.failed(&temporary, e))
    }

    /// Makes the file hold this. What it holds already is not written again.
    pub fn publish(&mut self, content: &[u8]) -> Result<()> {
        if self.begin.is_some() {
            content.clone_into(&mut self.end);
            return Ok(());
        }
        if self.holds.is_none() {
            self.holds = fs::read(&self.path).ok().as_deref().map(hash);
        }
        let hash = Some(hash(content));
        if self.holds == hash {
            return Ok(());
        }
        let temporary = self.beside("tmp");
        let written = File::create(&temporary).and_then(|mut file| {
            file.write_all(content)?;
            self.replace(&file, &temporary)
        });
        written.map_err(|e| self.failed(&temporary, e))?;
        self.holds = hash;
        Ok(())
    }

    /// A name in the same folder, hidden and of another ending, so that nobody who looks for the file's kind
    /// takes it; of this process, so that two never write into one.
    fn beside(&self, ending: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!(".{name}.{}.{ending}", std::process::id()))
    }

    fn replace(&self, file: &File, temporary: &Path) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.path) {
            file.set_permissions(old.permissions())?;
            // Said in so many words: the system's own stamps lag behind its clock by some milliseconds.
            file.set_modified(SystemTime::now().max(old.modified()? + APART))?;
        }
        if !self.passing {
            file.sync_all()?;
        }
        fs::rename(temporary, &self.path)
    }

    fn failed(&self, temporary: &Path, e: io::Error) -> Error {
        let _ = fs::remove_file(temporary);
        Error::io(self.path.display(), e)
    }
}

/// Two contents of one hash are one in 2^64.
fn hash(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

impl Drop for Published {
    fn drop(&mut self) {
        if self.begin.take().is_some() {
            let _ = fs::remove_file(self.beside("begin.tmp"));
        }
    }
}
