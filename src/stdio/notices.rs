//! Word from the system that a file which is followed has changed: the next look at it then comes at once.
//!
//! No more than that. Files are looked at all the same, ten times a second, for not every file system gives word of every
//! change (NFS, sshfs and what containers share know of those made here), and not every system has some, or some left.

use std::{io, path::Path, time::Duration};

#[cfg(target_os = "linux")]
use rustix::{
    fd::{AsFd, OwnedFd},
    fs::inotify::{self, CreateFlags, WatchFlags},
};

use crate::stop;

/// What is asked for word of.
#[derive(Default)]
pub(super) struct Notices {
    /// None before the first file, and where there is no such word.
    #[cfg(target_os = "linux")]
    from: Option<OwnedFd>,
}

/// By which word of a file is given up again.
pub(super) struct Asked(#[cfg(target_os = "linux")] i32);

#[cfg(target_os = "linux")]
impl Notices {
    /// Asks for word of the file that is at this path now, instead of the one that was there before. None where there is
    /// none to be had.
    pub fn of(&mut self, path: &Path, before: Option<Asked>) -> Option<Asked> {
        if self.from.is_none() {
            self.from = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok();
        }
        let from = self.from.as_ref()?;
        if let Some(Asked(before)) = before {
            // It is gone already if its file is.
            let _ = inotify::remove_watch(from, before);
        }
        inotify::add_watch(from, path, WatchFlags::MODIFY).ok().map(Asked)
    }

    /// Waits until there is word, a signal comes, or the time is over.
    pub fn wait(&self, limit: Duration) -> io::Result<()> {
        let Some(from) = &self.from else { return stop::wait(None, Some(limit)).map(drop) };
        stop::wait(Some(from.as_fd()), Some(limit))?;
        // Of which file it is does not matter: all are looked at.
        let mut words = [0; 4096];
        while rustix::io::read(from, &mut words).is_ok_and(|bytes| bytes > 0) {}
        Ok(())
    }
}

#[cfg(not(target_os = "linux"))]
impl Notices {
    /// There is none to be had here.
    pub fn of(&mut self, _: &Path, _: Option<Asked>) -> Option<Asked> {
        None
    }

    /// Waits until a signal comes, or the time is over.
    pub fn wait(&self, limit: Duration) -> io::Result<()> {
        stop::wait(None, Some(limit)).map(drop)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{fs::File, io::Write, time::Instant};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn who_waits_is_woken_by_what_is_written_to_the_file_that_is_there_now() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut notices = Notices::default();
        assert!(notices.of(&path, None).is_none(), "a file that is not there");
        let mut old = File::create(&path).unwrap();
        let asked = notices.of(&path, None);
        std::fs::rename(&path, folder.path().join("old")).unwrap();
        let mut new = File::create(&path).unwrap();
        assert!(notices.of(&path, asked).is_some());
        let begun = Instant::now();
        new.write_all(b"x").unwrap();
        notices.wait(LONG).unwrap();
        assert!(begun.elapsed() < LONG);
        // What was said is not said again, and of the old file nothing is.
        old.write_all(b"x").unwrap();
        let begun = Instant::now();
        notices.wait(Duration::from_millis(30)).unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(30));
    }
}
