//! Every byte on a line, both ways, with times, in lines that a person can read and `boardbus decode` reads back:
//!
//! ```text
//! 2026-11-21T10:00:00.123Z > 83 08 01 0c
//! 2026-11-21T10:00:00.135Z < 85 00 06 08 01 14
//! ```
//!
//! `>` is what we said, `<` what came; bytes that follow each other closely share a line.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use crate::{
    error::{Error, Result},
    record::Time,
};

/// Bytes that came within this time, in milliseconds, share a line.
const TOGETHER: i64 = 50;

/// Which way bytes went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From us.
    ToBoards,
    /// To us.
    FromBoards,
}

/// A file of captured bytes.
pub struct Capture {
    file: BufWriter<Box<dyn Write + Send>>,
    name: String,
    /// The line that has begun: when, which way, and the time of its last byte.
    open: Option<(Time, Way, Time)>,
    bytes: Vec<u8>,
    /// Whom to tell, once, that the capture is not whole.
    complain: Option<Complain>,
}

/// Takes a line for a person.
pub type Complain = Box<dyn FnOnce(String) + Send>;

impl Capture {
    /// Appends to a file, or begins it.
    pub fn append(path: &Path, complain: Complain) -> Result<Capture> {
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(|e| Error::io(path.display(), e))?;
        Ok(Capture::to(Box::new(file), path.display().to_string(), complain))
    }

    fn to(file: Box<dyn Write + Send>, name: String, complain: Complain) -> Capture {
        let complain = Some(complain);
        Capture { file: BufWriter::new(file), name, open: None, bytes: Vec::new(), complain }
    }

    /// Keeps bytes. A disk that is full is told once; the work on the line goes on.
    pub fn keep(&mut self, time: Time, way: Way, bytes: &[u8]) {
        let goes_on = |(_, same, last): (Time, Way, Time)| same == way && time.0 - last.0 <= TOGETHER;
        if !self.open.is_some_and(goes_on) {
            self.end_line();
        }
        let (began, ..) = *self.open.get_or_insert((time, way, time));
        self.open = Some((began, way, time));
        self.bytes.extend_from_slice(bytes);
    }

    fn end_line(&mut self) {
        let Some((time, way, _)) = self.open.take() else { return };
        let sign = if way == Way::ToBoards { '>' } else { '<' };
        let mut line = format!("{time} {sign}");
        for byte in self.bytes.drain(..) {
            line.push_str(&format!(" {byte:02x}"));
        }
        line.push('\n');
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        if let Err(error) = written
            && let Some(complain) = self.complain.take()
        {
            complain(format!("{}: {error}: the capture is not whole", self.name));
        }
    }
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
    fn bytes_that_follow_closely_share_a_line() {
        let kept = Kept::default();
        let mut capture = Capture::to(Box::new(kept.clone()), "capture".into(), Box::new(|_| ()));
        capture.keep(Time(0), Way::ToBoards, &[0x87, 0x08, 0x01, 0x10]);
        capture.keep(Time(8), Way::FromBoards, &[0x87, 0x00]);
        capture.keep(Time(50), Way::FromBoards, &[0x06]);
        capture.keep(Time(1000), Way::FromBoards, &[0x08]);
        drop(capture);
        assert_eq!(
            String::from_utf8(kept.0.lock().unwrap().clone()).unwrap(),
            "1970-01-01T00:00:00.000Z > 87 08 01 10\n\
             1970-01-01T00:00:00.008Z < 87 00 06\n\
             1970-01-01T00:00:01.000Z < 08\n"
        );
    }
}
