//! The encoding of files of games that are not UTF-8: the one asked for, or a guess from the whole file, which is
//! reported.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    path::PathBuf,
};

use clap::Args;

use crate::{
    format::text::{self, Letters},
    stdio::{self, Inputs},
};

/// How many bytes of text that is not UTF-8 a guess uses: more do not make it better.
const GUESS_MAX_BYTES: usize = 1 << 20;

/// The option for the encoding.
#[derive(Debug, Default, Args)]
pub(super) struct LettersArgs {
    /// The encoding: windows-1250, windows-1251, latin1, … [default: UTF-8 or UTF-16, else guessed]
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

/// Reads the name of an encoding with one byte, or a few, for each letter.
fn encoding(name: &str) -> Result<&'static encoding_rs::Encoding, String> {
    match text::encoding(name)? {
        encoding if encoding.is_ascii_compatible() => Ok(encoding),
        _ => Err("none that boardbus reads; UTF-16 needs no name".into()),
    }
}

/// The parts of a line that is divided by CR alone, the line ends of old machines.
pub(super) fn pieces(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b'\r')
}

impl LettersArgs {
    /// The encodings of these files; the country that most of this kind of file come from is a hint for the guess.
    pub fn of(self, files: &[PathBuf], country: Option<&'static str>) -> FileLetters {
        FileLetters {
            asked: self.encoding.map(Letters::asked),
            files: files.to_owned(),
            country,
            known: HashMap::new(),
        }
    }
}

/// The encoding of each file.
pub(super) struct FileLetters {
    /// The encoding asked for; it holds for every file.
    pub asked: Option<Letters>,
    files: Vec<PathBuf>,
    country: Option<&'static str>,
    known: HashMap<String, Letters>,
}

impl FileLetters {
    /// A line of a file, in UTF-8.
    pub fn utf_8<'a>(&mut self, file: &str, line: &'a [u8]) -> Cow<'a, [u8]> {
        if self.asked.is_none() && str::from_utf8(line).is_ok() {
            return line.into();
        }
        match self.of(file, line).read(line) {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        }
    }

    /// The encoding of a file whose first bytes that are not UTF-8 are these: guessed from the whole file where it can
    /// be read twice, else from these bytes.
    pub fn of(&mut self, file: &str, bytes: &[u8]) -> Letters {
        if let Some(letters) = self.asked.or_else(|| self.known.get(file).copied()) {
            return letters;
        }
        let mut parts = Parts::default();
        if let Some(path) = self.files.iter().find(|path| stdio::name_of(path) == file)
            && path.metadata().is_ok_and(|data| data.is_file())
        {
            let one = [path.clone()];
            // Errors are reported when the file is read for its games.
            let _ = stdio::lines(
                Inputs::of(&one).in_silence(),
                &mut parts,
                |_| Ok(None),
                |parts, _, line| {
                    parts.add(line);
                    Ok(())
                },
            );
        }
        if parts.bytes.is_empty() {
            parts.add(bytes);
        }
        let (letters, guess) = Letters::guessed(&parts.bytes, self.country);
        guess.iter().for_each(|guess| stdio::say(format_args!("{file}: {guess}")));
        self.known.insert(file.to_owned(), letters);
        letters
    }
}

/// The lines of a file that are not UTF-8, each once, since a name may occur in thousands of games.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
    seen: HashSet<Vec<u8>>,
}

impl Parts {
    fn add(&mut self, bytes: &[u8]) {
        for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
            if self.bytes.len() < GUESS_MAX_BYTES
                && str::from_utf8(line).is_err()
                && self.seen.insert(line.to_owned())
            {
                self.bytes.extend_from_slice(line);
                self.bytes.push(b'\n');
            }
        }
    }
}
