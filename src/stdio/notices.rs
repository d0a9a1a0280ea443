//! Notices of the system that a followed file has changed: the next poll then comes at once.
//!
//! Files are polled ten times a second in any case, since not every file system reports every change (NFS, sshfs and
//! shared folders of containers report local ones only), and not every system has notices, or any left.

use std::{io, path::Path, time::Duration};

#[cfg(target_os = "linux")]
use rustix::{
    fd::{AsFd, OwnedFd},
    fs::inotify::{self, CreateFlags, WatchFlags},
};

use crate::stop;

/// The watched files.
#[derive(Default)]
pub(super) struct Notices {
    /// None before the first file, and where there are no notices.
    #[cfg(target_os = "linux")]
    from: Option<OwnedFd>,
}

/// The handle of a watched file.
pub(super) struct Asked(#[cfg(target_os = "linux")] i32);

#[cfg(target_os = "linux")]
impl Notices {
    /// Watches the file that is at this path now, instead of the previous one. None where that is not possible.
    pub fn of(&mut self, path: &Path, before: Option<Asked>) -> Option<Asked> {
        if self.from.is_none() {
            self.from = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok();
        }
        let from = self.from.as_ref()?;
        if let Some(Asked(before)) = before {
            // The watch is already gone if its file is.
            let _ = inotify::remove_watch(from, before);
        }
        inotify::add_watch(from, path, WatchFlags::MODIFY).ok().map(Asked)
    }

    /// Waits until there is a notice, a signal comes, or the time is over.
    pub fn wait(&self, limit: Duration) -> io::Result<()> {
        let Some(from) = &self.from else { return stop::wait(None, Some(limit)).map(drop) };
        stop::wait(Some(from.as_fd()), Some(limit))?;
        // The file of the notice does not matter: all are polled.
        let mut words = [0; 4096];
        while rustix::io::read(from, &mut words).is_ok_and(|bytes| bytes > 0) {}
        Ok(())
    }
}

#[cfg(not(target_os = "linux"))]
impl Notices {
    /// There are no notices here.
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
    fn writing_to_the_current_file_ends_the_wait() {
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
        // A notice is not repeated, and there is none for the old file.
        old.write_all(b"x").unwrap();
        let begun = Instant::now();
        notices.wait(Duration::from_millis(30)).unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(30));
    }
}
