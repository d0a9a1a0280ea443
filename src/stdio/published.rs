//! A file that others read while it is written anew again and again: they find it whole, always.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::error::{Error, Result};

/// A file that is replaced, never written into: temporary file, fsync, rename.
pub struct Published {
    path: PathBuf,
    /// What the file holds, when it was we who wrote or read it.
    content: Option<Vec<u8>>,
    /// What was appended.
    begin: Option<BufWriter<File>>,
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
        Ok(Published { path, content: None, begin: None })
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
            .write_all(self.content.as_deref().unwrap_or_default())
            .and_then(|()| file.flush())
            .and_then(|()| self.replace(file.get_ref(), &temporary));
        written.map_err(|e| self.failed(&temporary, e))
    }

    /// Makes the file hold this. What it holds already is not written again.
    pub fn publish(&mut self, content: &[u8]) -> Result<()> {
        if self.begin.is_some() {
            self.content = Some(content.to_vec());
            return Ok(());
        }
        if self.content.is_none() {
            self.content = fs::read(&self.path).ok();
        }
        if self.content.as_deref() == Some(content) {
            return Ok(());
        }
        let temporary = self.beside("tmp");
        let written = File::create(&temporary).and_then(|mut file| {
            file.write_all(content)?;
            self.replace(&file, &temporary)
        });
        written.map_err(|e| self.failed(&temporary, e))?;
        self.content = Some(content.to_vec());
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
        }
        file.sync_all()?;
        fs::rename(temporary, &self.path)
    }

    fn failed(&self, temporary: &Path, e: io::Error) -> Error {
        let _ = fs::remove_file(temporary);
        Error::io(self.path.display(), e)
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        if self.begin.take().is_some() {
            let _ = fs::remove_file(self.beside("begin.tmp"));
        }
    }
}
