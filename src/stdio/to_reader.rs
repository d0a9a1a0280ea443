//! Bytes for a reader that may not read: a signal ends the wait for it.

use std::{
    io::{self, Write},
    os::fd::AsFd,
};

use rustix::{fs::FileType, io::retry_on_intr};

use crate::stop;

/// A pipe that can be written to takes so many bytes at once, whoever reads it (PIPE_BUF of Linux).
const AT_ONCE: usize = 4096;

/// A descriptor that is written to, without a buffer.
pub struct ToReader<F> {
    fd: F,
    /// A plain file takes everything and needs nobody who reads.
    is_file: bool,
}

impl<F: AsFd> ToReader<F> {
    /// Writes to this.
    pub fn new(fd: F) -> ToReader<F> {
        let is_file =
            rustix::fs::fstat(&fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_file());
        ToReader { fd, is_file }
    }
}

impl<F: AsFd> Write for ToReader<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut bytes = bytes;
        if !self.is_file {
            stop::until_writable(self.fd.as_fd())?;
            bytes = &bytes[..bytes.len().min(AT_ONCE)];
        }
        Ok(retry_on_intr(|| rustix::io::write(&self.fd, bytes))?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
