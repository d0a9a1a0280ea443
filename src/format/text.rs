//! The text of users' files: the encoding of its bytes, and its line ends (LF, CR LF or CR alone).
//!
//! A whole file is read by [`decode`], a file that is read in parts word by word with [`Letters`].
//!
//! UTF-8 and UTF-16 are certain. Any other encoding is guessed from the whole file, among those in which spreadsheets
//! and pairing programs save; the guess is reported with some of the names, so that a person can check it.

use std::borrow::Cow;

use encoding_rs::{
    Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254,
};

/// The encodings for guesses. Latin-1 differs from Windows-1252 only in control characters, which names do not have.
const GUESSED: [&Encoding; 4] = [WINDOWS_1252, WINDOWS_1250, WINDOWS_1251, WINDOWS_1254];
/// How many words are quoted with a guess.
const QUOTED: usize = 5;

/// The text in some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text, without a byte order mark; each line ends in LF.
    pub text: String,
    /// What to report about it, where the encoding was guessed, or is not the one asked for.
    pub guess: Option<String>,
}

/// The encoding of this name, as the web names them (`windows-1250`, `latin1`, `cp1251`).
///
/// # Errors
/// Returns a message when there is no such encoding.
pub fn encoding(name: &str) -> Result<&'static Encoding, String> {
    let known = Encoding::for_label_no_replacement(name.trim().as_bytes());
    known.ok_or_else(|| "not an encoding such as windows-1250 or latin1".into())
}

/// Reads bytes in the encoding asked for, or in the one that they show.
pub fn decode(bytes: &[u8], asked: Option<&'static Encoding>) -> Text {
    let marked = || Encoding::for_bom(bytes).map(|(marked, _)| marked);
    let utf_8 = || str::from_utf8(bytes).is_ok().then_some(UTF_8);
    let certain = asked.or_else(marked).or_else(|| utf_16_without_mark(bytes)).or_else(utf_8);
    let guessed = || Letters::guessed(bytes, None);
    let (Letters { encoding, .. }, guess) =
        certain.map_or_else(guessed, |encoding| (Letters::asked(encoding), None));
    let (text, _, is_lossy) = encoding.decode(bytes);
    let misfit =
        is_lossy.then(|| format!("it is not in {}: --encoding names another, or none", encoding.name()));
    Text { text: text.replace("\r\n", "\n").replace('\r', "\n"), guess: guess.or(misfit) }
}

/// The encoding of the words of a file that is read in parts.
#[derive(Debug, Clone, Copy)]
pub struct Letters {
    encoding: &'static Encoding,
    /// The user asked for it: words are not tried as UTF-8 first.
    asked: bool,
}

impl Default for Letters {
    fn default() -> Letters {
        Letters { encoding: WINDOWS_1252, asked: false }
    }
}

impl Letters {
    /// The encoding that the user asked for.
    pub fn asked(encoding: &'static Encoding) -> Letters {
        Letters { encoding, asked: true }
    }

    /// The likely encoding of a file with these parts that are not UTF-8, the country of most such files being a hint;
    /// and a report of it, with some words, in brackets the letters that differ in the next likely encoding.
    pub fn guessed(parts: &[u8], country: Option<&'static str>) -> (Letters, Option<String>) {
        let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
        detector.feed(parts, true);
        let guessed = detector.guess(country.map(str::as_bytes), chardetng::Utf8Detection::Deny);
        let guessed = GUESSED.into_iter().find(|encoding| *encoding == guessed).unwrap_or(WINDOWS_1252);
        let letter = |byte: &u8| {
            let read =
                |encoding: &'static Encoding| encoding.decode_without_bom_handling(&[*byte]).0.into_owned();
            let text = read(guessed);
            if GUESSED.into_iter().all(|other| read(other) == text) { text } else { format!("[{text}]") }
        };
        let mut quoted: Vec<String> = Vec::new();
        for word in parts.split(|byte| b" \t\r\n,;\"{}()[]".contains(byte)).filter(|word| !word.is_ascii()) {
            let word = word.iter().map(letter).collect();
            if quoted.len() < QUOTED && !quoted.contains(&word) {
                quoted.push(word);
            }
        }
        let (name, words) = (guessed.name().to_lowercase(), quoted.join(", "));
        let report = format!(
            "it is no UTF-8: read as {name}, as in {words}; where that is wrong, --encoding names another"
        );
        (Letters { encoding: guessed, asked: false }, Some(report))
    }

    /// A word, or a line: a file may have UTF-8 besides another encoding. Bytes without a letter become U+FFFD.
    #[inline]
    pub fn read(self, bytes: &[u8]) -> Cow<'_, str> {
        match str::from_utf8(bytes) {
            Ok(text) if !self.asked || bytes.is_ascii() => Cow::Borrowed(text),
            _ => self.decode(bytes),
        }
    }

    #[cold]
    fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        // These stand for bytes that the encoding does not have.
        let is_unassigned = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
        self.encoding.decode_without_bom_handling(bytes).0.replace(is_unassigned, "\u{fffd}").into()
    }
}

/// Whether it is UTF-16: in text that is mostly Latin every other byte is zero, as in no other encoding.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0), zeros(1)) {
        (0, odd) if 4 * odd > bytes.len() => Some(UTF_16LE),
        (even, 0) if 4 * even > bytes.len() => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> String {
        decode(bytes, None).text
    }

    #[test]
    fn text_with_marks_or_utf_8_is_certain() {
        let names = "board,white\n1,Ås Šimek";
        let wide = |order: fn(u16) -> [u8; 2]| names.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark.to_vec(), bytes].concat();
        for bytes in [
            names.as_bytes().to_vec(),
            marked(b"\xef\xbb\xbf", names.into()),
            marked(b"\xff\xfe", wide(u16::to_le_bytes)),
            marked(b"\xfe\xff", wide(u16::to_be_bytes)),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
        ] {
            assert_eq!(decode(&bytes, None), Text { text: names.into(), guess: None });
        }
        assert_eq!(read(b""), "");
    }

    #[test]
    fn lines_end_in_any_of_three_ways() {
        assert_eq!(read(b"a\nb\r\nc\rd\r\n\r\ne"), "a\nb\nc\nd\n\ne");
    }

    #[test]
    fn other_text_is_guessed_and_quoted() {
        // As Python encodes them.
        let western =
            b"board,white,black\n1,O\x92Brien,M\xfcller\n2,Mart\xednez Mu\xf1oz,Fran\xe7ois Lef\xe8vre\n";
        let Text { text, guess } = decode(western, None);
        assert_eq!(text, "board,white,black\n1,O’Brien,Müller\n2,Martínez Muñoz,François Lefèvre\n");
        let guess = guess.unwrap();
        let quoted = "windows-1252, as in O’Brien, M[ü]ller, Mart[í]nez, Mu[ñ]oz, Fran[ç]ois; ";
        assert!(guess.contains(quoted), "{guess}");
        let russian = b"board,white\n1,\xc8\xe2\xe0\xed\xee\xe2\n2,\xcf\xe5\xf2\xf0\xee\xe2\n";
        assert_eq!(read(russian), "board,white\n1,Иванов\n2,Петров\n");
        let asked = encoding("windows-1250").ok();
        assert_eq!(decode(b"\xc8\xed\x9ekov\xe1", asked), Text { text: "Čížková".into(), guess: None });
        assert!(encoding("klingon").is_err());
    }
}
