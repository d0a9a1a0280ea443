//! Writes every byte on a line, in both directions, to a file, in the format of [`capture`](crate::capture).

use std::{
    fs::File,
    io::{BufWriter, Read, Write},
    path::Path,
};

use crate::{
    capture::{Direction, HEADER, Traffic},
    error::{Error, Result},
    record::Time,
    stop,
};

/// Bytes with shorter pauses than this share a line of the file.
const TOGETHER_MILLISECONDS: i64 = 50;

/// The longest time from the first to the last bytes of a line: a line has one time, and some boards send without a pause.
const LINE_MAX_MILLISECONDS: i64 = 100;

/// The most bytes of a line; the longest answer, the ring of a board, has 8 kB.
const LINE_MAX_BYTES: usize = 1 << 14;

/// A file of captured bytes.
pub struct Capture {
    file: BufWriter<Box<dyn Write + Send>>,
    name: String,
    /// The line that has begun.
    open: Option<OpenLine>,
    bytes: Vec<u8>,
    /// Reports the first write error.
    complain: Option<Complain>,
}

/// A line that has begun.
#[derive(Clone, Copy)]
struct OpenLine {
    direction: Direction,
    first: Time,
    last: Time,
}

/// Writes a message for the user.
pub type Complain = Box<dyn FnOnce(String) + Send>;

impl Capture {
    /// Opens a capture file for appending, or creates it.
    ///
    /// # Errors
    /// [`Error::Usage`] if the file is no capture but a journal, for example; [`Error::Io`] if it cannot be opened.
    pub fn append(path: &Path, complain: Complain) -> Result<Capture> {
        let file = stop::open(path, File::options().append(true).create(true));
        let mut file = file.map_err(|e| Error::io(path.display(), e))?;
        match file.metadata() {
            Ok(data) if data.len() == 0 => {
                writeln!(file, "{HEADER}").map_err(|e| Error::io(path.display(), e))?;
            }
            Ok(data) if data.is_file() && !is_capture(path) => {
                let path = path.display();
                return Err(Error::Usage(format!("{path} is no capture: give --capture a file of its own")));
            }
            _ => {}
        }
        Ok(Capture::to(Box::new(file), path.display().to_string(), complain))
    }

    fn to(file: Box<dyn Write + Send>, name: String, complain: Complain) -> Capture {
        let complain = Some(complain);
        Capture { file: BufWriter::new(file), name, open: None, bytes: Vec::new(), complain }
    }

    /// Writes bytes. An error, such as a full disk, is reported once and does not end the work on the line.
    pub fn keep(&mut self, time: Time, direction: Direction, bytes: &[u8]) {
        let continues = |line: &OpenLine| {
            line.direction == direction
                && time.0 - line.last.0 <= TOGETHER_MILLISECONDS
                && time.0 - line.first.0 <= LINE_MAX_MILLISECONDS
        };
        if self.bytes.len() >= LINE_MAX_BYTES || !self.open.as_ref().is_some_and(continues) {
            self.end_line();
        }
        let first = self.open.map_or(time, |line| line.first);
        self.open = Some(OpenLine { direction, first, last: time });
        self.bytes.extend_from_slice(bytes);
    }

    fn end_line(&mut self) {
        let Some(OpenLine { direction, last, .. }) = self.open.take() else { return };
        let line = format!("{}\n", Traffic { time: Some(last), direction }.with(&self.bytes));
        self.bytes.clear();
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        if let Err(error) = written
            && let Some(complain) = self.complain.take()
        {
            complain(format!("{}: {error}: the capture is not whole", self.name));
        }
    }
}

/// Whether a file begins with the header of captures.
fn is_capture(path: &Path) -> bool {
    let mut head = vec![0; HEADER.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == HEADER.as_bytes()
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.end_line();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_flood_is_written_while_it_continues() {
        let kept = Kept::default();
        let mut capture = Capture::to(Box::new(kept.clone()), "capture".into(), Box::new(|_| ()));
        for n in 0..1000 {
            capture.keep(Time(n), Direction::FromBoards, &[0x85; 512]);
            assert!(capture.bytes.len() <= LINE_MAX_BYTES + 512);
        }
        assert!(kept.0.lock().unwrap().len() > 3 * 480 * 1000);
    }

    // A Millennium board sends 67 bytes every 41 ms.
    #[test]
    fn bytes_without_pauses_have_their_times() {
        let kept = Kept::default();
        let mut capture = Capture::to(Box::new(kept.clone()), "capture".into(), Box::new(|_| ()));
        for n in 0..100 {
            capture.keep(Time(41 * n), Direction::FromBoards, &[0x73; 67]);
        }
        drop(capture);
        let lines = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let times: Vec<i64> = lines.lines().map(|line| line[..24].parse::<Time>().unwrap().0).collect();
        assert!(times.len() > 30 && times.windows(2).all(|pair| pair[1] - pair[0] <= 150), "{times:?}");
        assert_eq!(lines.matches(" 73").count(), 6700);
    }

    #[test]
    fn bytes_that_follow_closely_share_a_line() {
        let kept = Kept::default();
        let mut capture = Capture::to(Box::new(kept.clone()), "capture".into(), Box::new(|_| ()));
        capture.keep(Time(0), Direction::ToBoards, &[0x87, 0x08, 0x01, 0x10]);
        capture.keep(Time(8), Direction::FromBoards, &[0x87, 0x00]);
        capture.keep(Time(50), Direction::FromBoards, &[0x06]);
        capture.keep(Time(1000), Direction::FromBoards, &[0x08]);
        drop(capture);
        assert_eq!(
            String::from_utf8(kept.0.lock().unwrap().clone()).unwrap(),
            "1970-01-01T00:00:00.000Z > 87 08 01 10\n\
             1970-01-01T00:00:00.050Z < 87 00 06\n\
             1970-01-01T00:00:01.000Z < 08\n"
        );
    }
}
