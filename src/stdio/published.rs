//! A file that others read while it is written anew again and again: they find it whole, always.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use crate::error::{Error, Result};

/// A file that is replaced, never written into: temporary file, fsync, rename.
pub struct Published {
    path: PathBuf,
    /// What the file holds, when it was we who wrote or read it.
    content: Option<Vec<u8>>,
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
        Ok(Published { path, content: None })
    }

    /// Makes the file hold this. What it holds already is not written again.
    pub fn publish(&mut self, content: &[u8]) -> Result<()> {
        if self.content.is_none() {
            self.content = fs::read(&self.path).ok();
        }
        if self.content.as_deref() == Some(content) {
            return Ok(());
        }
        let failed = |e| Error::io(self.path.display(), e);
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        // Hidden and of another ending, so that nobody who looks for the file's kind takes it.
        let temporary = folder.join(format!(".{name}.{}.tmp", std::process::id()));
        let written = File::create(&temporary).and_then(|mut file| {
            if let Ok(old) = fs::metadata(&self.path) {
                file.set_permissions(old.permissions())?;
            }
            file.write_all(content)?;
            file.sync_all()?;
            fs::rename(&temporary, &self.path)
        });
        if let Err(e) = written {
            let _ = fs::remove_file(&temporary);
            return Err(failed(e));
        }
        self.content = Some(content.to_vec());
        Ok(())
    }
}
