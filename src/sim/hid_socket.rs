//! A socket in place of a hidraw device: one packet for each report, in both directions, for one host at a time.

use std::{
    fs,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::fs::FileTypeExt,
    },
    path::{Path, PathBuf},
};

use rustix::{
    io::Errno,
    net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, accept_with, bind, listen, socket_with},
};

use crate::error::{Error, Result};

/// The socket, and the host that reads it.
#[derive(Debug)]
pub struct HidSocket {
    listening: OwnedFd,
    host: Option<OwnedFd>,
    path: PathBuf,
}

impl HidSocket {
    /// Listens at this path. An existing socket is replaced, any other file is not.
    pub fn open(path: &Path) -> Result<HidSocket> {
        if fs::symlink_metadata(path).is_ok_and(|there| there.file_type().is_socket()) {
            fs::remove_file(path).map_err(|e| Error::io(path.display(), e))?;
        }
        let listening = listening(path).map_err(|e| Error::io(path.display(), e.into()))?;
        Ok(HidSocket { listening, host: None, path: path.to_owned() })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a host reads it. A second host waits until the first has gone.
    pub fn is_read(&mut self) -> bool {
        if self.host.is_none() {
            let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
            self.host = accept_with(&self.listening, flags).ok();
        }
        self.host.is_some()
    }

    /// Sends a report; it is lost if no host takes it.
    pub fn write(&mut self, report: &[u8]) {
        let Some(host) = &self.host else { return };
        let sent = rustix::net::send(host, report, rustix::net::SendFlags::NOSIGNAL);
        if sent.is_err_and(|e| e != Errno::AGAIN && e != Errno::INTR) {
            self.host = None;
        }
    }

    /// The reports that the host has sent.
    pub fn read(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 512];
        while let Some(host) = &self.host {
            match rustix::io::read(host, &mut buffer) {
                Ok(0) => self.host = None,
                Ok(n) => bytes.extend_from_slice(&buffer[..n]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.host = None,
            }
        }
        bytes
    }

    /// The descriptor to wait on.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.host.as_ref().unwrap_or(&self.listening).as_fd()
    }
}

impl Drop for HidSocket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn listening(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    bind(&socket, &SocketAddrUnix::new(path)?)?;
    listen(&socket, 1)?;
    Ok(socket)
}
