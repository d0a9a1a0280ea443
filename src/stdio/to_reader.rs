//! Writes bytes to a reader that may not read: a signal ends the wait for it.

use std::{
    io::{self, IoSlice, Write},
    os::fd::AsFd,
};

use rustix::{
    fs::FileType,
    io::{Errno, ReadWriteFlags, pwritev2, retry_on_intr, write},
    pipe::{fcntl_getpipe_size, fcntl_setpipe_size},
};

use crate::stop;

/// A writable descriptor accepts this many bytes at once, whoever reads (PIPE_BUF of Linux).
const AT_ONCE: usize = 4096;
/// The capacity of a pipe to a slower reader: with the 64 kB of Linux two commands wait for each other in turn instead
/// of working side by side, and `from-pgn | to-pgn` of games with comments takes up to 1.8 times as long.
const ROOM: usize = 256 * 1024;

/// A descriptor for writing, without a buffer.
pub struct ToReader<F> {
    fd: F,
    /// A regular file accepts everything and needs no reader.
    is_file: bool,
    /// The system can be asked to accept what fits without waiting: for pipes Linux 6.4 and later.
    takes_what_fits: bool,
}

impl<F: AsFd> ToReader<F> {
    /// Writes to this descriptor.
    pub fn new(fd: F) -> ToReader<F> {
        let kind = rustix::fs::fstat(&fd).ok().map(|stat| FileType::from_raw_mode(stat.st_mode));
        if kind == Some(FileType::Fifo) && fcntl_getpipe_size(&fd).is_ok_and(|room| room < ROOM) {
            // Where the system has no more for this user, the capacity stays as it is.
            let _ = fcntl_setpipe_size(&fd, ROOM);
        }
        ToReader { fd, is_file: kind == Some(FileType::RegularFile), takes_what_fits: true }
    }
}

impl<F: AsFd> Write for ToReader<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_file {
            return Ok(retry_on_intr(|| write(&self.fd, bytes))?);
        }
        while self.takes_what_fits {
            // This offset stands for the current position of the descriptor.
            match pwritev2(&self.fd, &[IoSlice::new(bytes)], u64::MAX, ReadWriteFlags::NOWAIT) {
                Ok(taken) => return Ok(taken),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => stop::until_writable(self.fd.as_fd())?,
                // Terminals, and older systems; a plain write reports any other error.
                Err(_) => self.takes_what_fits = false,
            }
        }
        stop::until_writable(self.fd.as_fd())?;
        Ok(retry_on_intr(|| write(&self.fd, &bytes[..bytes.len().min(AT_ONCE)]))?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Read, thread};

    use super::*;

    #[test]
    fn a_slow_reader_gets_every_byte_in_order() {
        for takes_what_fits in [true, false] {
            let (mut reader, writer) = io::pipe().unwrap();
            let mut writer = ToReader { takes_what_fits, ..ToReader::new(writer) };
            let bytes: Vec<u8> = (0..500_000u32).map(|n| (n / 251) as u8 ^ n as u8).collect();
            let sent = bytes.clone();
            let writing = thread::spawn(move || writer.write_all(&sent));
            let (mut got, mut piece) = (Vec::new(), [0; 777]);
            while let n @ 1.. = reader.read(&mut piece).unwrap() {
                got.extend_from_slice(&piece[..n]);
            }
            writing.join().unwrap().unwrap();
            assert!(got == bytes, "{takes_what_fits}");
        }
    }

    #[test]
    fn a_pipes_reader_may_lag_by_several_blocks() {
        let (_reader, writer) = io::pipe().unwrap();
        assert!(fcntl_getpipe_size(ToReader::new(writer).fd).unwrap() >= ROOM);
    }

    #[test]
    fn a_gone_reader_is_an_error() {
        for takes_what_fits in [true, false] {
            let (reader, writer) = io::pipe().unwrap();
            drop(reader);
            let mut writer = ToReader { takes_what_fits, ..ToReader::new(writer) };
            assert_eq!(writer.write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        }
    }
}
