//! A file that others read while it is written again and again: they always find it complete.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs::{self, File},
    hash::{DefaultHasher, Hasher},
    io::{self, BufWriter, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, SystemTime},
};

use rustix::process::{Pid, test_kill_process};

use crate::error::{Error, Result};

/// Servers distinguish two versions of a file by its size and the second of its modification.
const APART: Duration = Duration::from_secs(1);

/// A file that is replaced, never written into: temporary file, fsync, rename. Each version is at least a second
/// younger than the previous one.
pub struct Published {
    path: PathBuf,
    /// The hash of the content, if it was written or read here.
    holds: Option<u64>,
    /// The file with that content: it is another one when another program wrote or removed it.
    stamp: Option<Stamp>,
    /// The appended part.
    begin: Option<(BufWriter<File>, PathBuf)>,
    /// The part published after the appended one.
    end: Vec<u8>,
    /// It need not be safe on disk before the next step.
    passing: bool,
}

/// Distinguishes a file from one that was replaced or modified since.
type Stamp = (u64, u64, u64, SystemTime);

/// A temporary file with the number of a running process belongs to another run when it is this old.
const LEFT_OVER: Duration = Duration::from_secs(24 * 3600);
/// A chain of more links than this leads nowhere.
const LINKS: usize = 40;

impl Published {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file to publish; nothing is written yet, but temporary files of killed runs are removed. An existing path that
    /// is no regular file is refused, since it would be replaced.
    pub fn new(path: PathBuf) -> Result<Published> {
        if is_device(&path) {
            let path = path.display();
            return Err(Error::Usage(format!(
                "{path} is no file that could be replaced: leave the option out for standard output, or name a file"
            )));
        }
        // A link is followed, so that its target is replaced.
        let path = fs::canonicalize(&path).unwrap_or(path);
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            let path = path.display();
            return Err(Error::Usage(format!(
                "{path} is no regular file and would be replaced: name another"
            )));
        }
        let published =
            Published { path, holds: None, stamp: None, begin: None, end: Vec::new(), passing: false };
        published.remove_left_over();
        Ok(published)
    }

    /// The same for one of many files that change all the time and can be made again: it is always complete, but not
    /// forced onto the disk.
    pub fn passing(path: PathBuf) -> Result<Published> {
        let mut file = Published::new(path)?;
        file.passing = true;
        Ok(file)
    }

    /// Adds to the part before everything published, for content of any size: it is written to disk at once, but into
    /// the file only by [`Published::finish`], and until then nothing else is.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if self.begin.is_none() {
            let (file, temporary) = self.temporary("begin.tmp").map_err(|e| self.error(e))?;
            self.begin = Some((BufWriter::with_capacity(1 << 16, file), temporary));
        }
        let Some((file, _)) = &mut self.begin else { return Ok(()) };
        file.write_all(bytes).map_err(|e| Error::io(self.path.display(), e))
    }

    /// Moves the appended part into place, followed by what was published last.
    pub fn finish(&mut self) -> Result<()> {
        let Some((mut file, temporary)) = self.begin.take() else { return Ok(()) };
        let written = file
            .write_all(&self.end)
            .and_then(|()| file.flush())
            .and_then(|()| self.replace(file.get_ref(), &temporary));
        written.map_err(|e| self.failed(&temporary, e))
    }

    /// Sets the content of the file. The same content is not written again, unless another program changed the file
    /// meanwhile. Empty content never replaces other content: that of an earlier run is worth more.
    pub fn publish(&mut self, content: &[u8]) -> Result<()> {
        if self.begin.is_some() {
            content.clone_into(&mut self.end);
            return Ok(());
        }
        let stands = self.stamp_now();
        if self.holds.is_none() || stands.is_none() || stands != self.stamp {
            self.holds = fs::read(&self.path).ok().as_deref().map(hash);
            self.stamp = stands;
        }
        let hash = hash(content);
        if self.holds.is_some_and(|holds| holds == hash || content.is_empty()) {
            return Ok(());
        }
        let (mut file, temporary) = self.temporary("tmp").map_err(|e| self.error(e))?;
        let written = file.write_all(content).and_then(|()| self.replace(&file, &temporary));
        written.map_err(|e| self.failed(&temporary, e))?;
        self.holds = Some(hash);
        self.stamp = self.stamp_now();
        Ok(())
    }

    /// A handle by which the file written here can be recognised; none before the first write.
    pub fn written(&self) -> Option<Written> {
        self.stamp.map(Written)
    }

    fn stamp_now(&self) -> Option<Stamp> {
        stamp(&self.path)
    }

    /// A new file in the same folder, hidden and with another ending, so that it is not taken for a file of the same
    /// kind; it contains the number of this process, so that two processes never share one. An existing file or link is
    /// not followed.
    fn temporary(&self, ending: &str) -> io::Result<(File, PathBuf)> {
        let mut begin = self.beside();
        begin.push(std::process::id().to_string());
        let mut number = 0;
        loop {
            let mut name = begin.clone();
            let again = if number == 0 { String::new() } else { format!(".{number}") };
            name.push(format!("{again}.{ending}"));
            let path = self.path.with_file_name(name);
            match File::options().write(true).create_new(true).open(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
                opened => return opened.map(|file| (file, path)),
            }
        }
    }

    /// The common beginning of the names of its temporary files; the number of their process follows.
    fn beside(&self) -> OsString {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(".");
        name
    }

    /// Removes the temporary files of killed runs.
    fn remove_left_over(&self) {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // A folder with thousands of files is searched once.
        static FOUND: Mutex<Option<HashMap<PathBuf, Vec<OsString>>>> = Mutex::new(None);
        let Ok(mut found) = FOUND.lock() else { return };
        let all = found.get_or_insert_default().entry(folder.to_owned()).or_insert_with(|| left_over(folder));
        let begin = self.beside();
        all.retain(|name| {
            let ours = name.as_encoded_bytes().strip_prefix(begin.as_encoded_bytes());
            // After the name comes a number, or it is another file whose name begins alike.
            let ours = ours.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit));
            if ours {
                // For a link as for a file the name is removed.
                let _ = fs::remove_file(folder.join(name));
            }
            !ours
        });
    }

    fn replace(&self, file: &File, temporary: &Path) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.path) {
            file.set_permissions(old.permissions())?;
            // Set explicitly: the system's own times lag behind its clock by some milliseconds.
            file.set_modified(SystemTime::now().max(old.modified()? + APART))?;
        }
        if !self.passing {
            file.sync_all()?;
        }
        fs::rename(temporary, &self.path)
    }

    fn failed(&self, temporary: &Path, e: io::Error) -> Error {
        let _ = fs::remove_file(temporary);
        self.error(e)
    }

    fn error(&self, e: io::Error) -> Error {
        Error::io(self.path.display(), e)
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        if let Some((_, temporary)) = self.begin.take() {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Identifies a file that was written.
#[derive(Debug, Clone, Copy)]
pub struct Written(Stamp);

impl Written {
    /// Whether it is unchanged.
    pub fn stands(self, path: &Path) -> bool {
        stamp(path) == Some(self.0)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino(), found.len(), found.modified().ok()?))
}

/// The chance of two contents with the same hash is one in 2^64.
fn hash(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

/// The names in a folder like those of temporary files, `.NAME.PROCESS.tmp`, whose processes have ended.
fn left_over(folder: &Path) -> Vec<OsString> {
    let is_left = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Some(name) = name.strip_suffix(".tmp") else { return false };
        let name = name.strip_suffix(".begin").unwrap_or(name);
        // After the process there may be another number.
        let number = |name: &str| {
            name.rsplit_once('.').and_then(|(rest, n)| Some((rest.len(), n.parse::<i32>().ok()?)))
        };
        let Some((rest, last)) = number(name) else { return false };
        let process = number(&name[..rest]).map_or(last, |(_, process)| process);
        let old = || {
            let written = entry.metadata().and_then(|found| found.modified()).ok();
            written.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > LEFT_OVER)
        };
        name.starts_with('.') && (is_gone(process) || old())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(is_left).map(|entry| entry.file_name()).collect()
}

/// Whether no process has this number.
fn is_gone(process: i32) -> bool {
    Pid::from_raw(process).is_none_or(|process| test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

/// Whether a path, or a link on its way, is in the system's own folders: names of standard output there lead to a file
/// of the shell, which would be replaced.
fn is_device(path: &Path) -> bool {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if path.starts_with("/dev") && !path.starts_with("/dev/shm") || path.starts_with("/proc") {
            return true;
        }
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("/")).join(target),
            Err(_) => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn pain_10_a_file_changed_by_others_is_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut file = Published::new(path.clone()).unwrap();
        let meddle: [&dyn Fn(); 4] = [
            &|| fs::remove_file(&path).unwrap(),
            &|| fs::write(&path, "").unwrap(),
            &|| fs::write(&path, "1. e4").unwrap(),
            &|| fs::write(&path, "1. d4 d5 *").unwrap(),
        ];
        for meddle in meddle {
            file.publish(b"1. e4 e5 *").unwrap();
            meddle();
            file.publish(b"1. e4 e5 *").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 e5 *");
        }
        let written = fs::metadata(&path).unwrap();
        file.publish(b"1. e4 e5 *").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().ino(), written.ino(), "written though nothing was new");
    }

    #[test]
    fn empty_content_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "1. e4 *").unwrap();
        Published::new(path.clone()).unwrap().publish(b"").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 *");
    }

    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("games.pgn"), folder.path().join("victim"));
        fs::write(&victim, "somebody's").unwrap();
        let mut file = Published::new(path.clone()).unwrap();
        for ending in ["tmp", "begin.tmp"] {
            let planted = folder.path().join(format!(".games.pgn.{}.{ending}", std::process::id()));
            std::os::unix::fs::symlink(&victim, planted).unwrap();
        }
        file.publish(b"1. e4 *").unwrap();
        file.append(b"1. d4 *").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "somebody's");
        assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
    }

    #[test]
    fn only_files_of_killed_runs_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        // No process has the first two numbers; the third one runs, the fourth belongs to another file.
        let own = std::process::id();
        let names_before = [
            ".games.pgn.2147483646.tmp".to_owned(),
            ".games.pgn.2147483646.1.begin.tmp".to_owned(),
            format!(".games.pgn.{own}.tmp"),
            ".other.pgn.2147483646.tmp".to_owned(),
            ".games.pgn.lock".to_owned(),
            ".games.pgn.2026.bak".to_owned(),
        ];
        for name in &names_before {
            fs::write(folder.path().join(name), "").unwrap();
        }
        Published::new(path).unwrap();
        let mut left = names_before[2..].to_vec();
        left.sort();
        assert_eq!(names(folder.path()), left);
    }

    #[test]
    fn names_of_standard_output_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("games.pgn");
        std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
        for path in [link, "/dev/stdout".into(), "/dev/fd/1".into(), "/proc/self/fd/1".into()] {
            let error = Published::new(path).err().unwrap().to_string();
            assert!(error.contains("leave the option out"), "{error}");
        }
    }
}
