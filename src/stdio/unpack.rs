//! Input packed by gzip, recognised by its first bytes and unpacked while it is read; and text in UTF-16, converted to
//! UTF-8.
//!
//! Files are read in blocks, and a followed one grows: so bytes are pushed in here, and the unpacked ones are passed on
//! at once. Consecutive members are one file, as for gzip; zeros after the last are padding.

use std::io::{ErrorKind, Write};

use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE};
use flate2::write::GzDecoder;

use super::{TakeBytes, fail};
use crate::error::{Error, Result};

/// The beginning of gzip data, packed as usual by DEFLATE.
const MAGIC: &[u8] = b"\x1f\x8b\x08";
/// The beginnings of other files that cannot be read: what they are, and what converts them to plain text.
const OTHERS: [(&[u8], &str, &str); 5] = [
    (b"\xfd7zXZ\0", "packed by xz", "xzcat"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", "zstdcat"),
    (b"BZh", "packed by bzip2", "bzcat"),
    (b"PK\x03\x04", "a zip archive (a spreadsheet is one: save it as CSV)", "unzip -p"),
    (b"7z\xbc\xaf", "a 7z archive", "7z x -so"),
];
/// The beginnings of text in UTF-16: noise may begin with its mark, but does not continue with a record, a tag or a
/// comment.
const WIDE: [(&[u8], &Encoding); 6] = [
    (b"\xff\xfe{\0", UTF_16LE),
    (b"\xff\xfe[\0", UTF_16LE),
    (b"\xff\xfe%\0", UTF_16LE),
    (b"\xfe\xff\0{", UTF_16BE),
    (b"\xfe\xff\0[", UTF_16BE),
    (b"\xfe\xff\0%", UTF_16BE),
];
const BREAKS_OFF: &str = "the packed data breaks off here: what was whole is read";
const DAMAGED: &str = "the packed data is damaged here: what stands before it is read";
const WRONG_SUM: &str =
    "the packed data is damaged, for its checksum is wrong: what is read of it may be wrong too";
/// The number of bytes unpacked at a time: DEFLATE makes up to a thousand times as much of it.
const BITE: usize = 4096;

/// All beginnings that identify a file.
fn known() -> impl Iterator<Item = &'static [u8]> {
    let others = OTHERS.iter().map(|(begins, ..)| *begins);
    std::iter::once(MAGIC).chain(others).chain(WIDE.iter().map(|(begins, _)| *begins))
}

/// Unpacks a file, or passes it on unchanged.
#[derive(Default)]
pub struct Unpacker {
    form: Form,
    /// Problems are reported by another reader.
    silent: bool,
}

#[derive(Default)]
enum Form {
    /// The first bytes of what begins like packed data.
    #[default]
    Unknown,
    Begun(Vec<u8>),
    Plain,
    /// In UTF-16.
    Wide(Box<Decoder>),
    /// In a member,
    Member(Box<GzDecoder<Vec<u8>>>),
    /// or after one.
    Behind,
    /// Damaged, which was reported.
    Damaged,
}

impl Unpacker {
    /// One that reports problems, or leaves that to another reading of the same file.
    pub fn saying(says: bool) -> Unpacker {
        Unpacker { silent: !says, ..Unpacker::default() }
    }

    /// Takes bytes of the file `name`; `f` gets their content. Damage is reported, and what follows it skipped.
    pub fn push(&mut self, name: &str, bytes: &[u8], f: TakeBytes<'_>) -> Result<()> {
        match &mut self.form {
            Form::Plain => f(bytes),
            Form::Damaged => Ok(()),
            Form::Wide(decoder) => f(narrow(decoder, bytes, false).as_bytes()),
            Form::Member(_) | Form::Behind => {
                bytes.chunks(BITE).try_for_each(|bite| self.unpack(name, bite, f))
            }
            Form::Unknown if bytes.first().is_some_and(|first| known().all(|begins| begins[0] != *first)) => {
                self.form = Form::Plain;
                f(bytes)
            }
            Form::Unknown => {
                self.form = Form::Begun(Vec::new());
                self.push(name, bytes, f)
            }
            Form::Begun(begin) => {
                begin.extend_from_slice(bytes);
                let begin = std::mem::take(begin);
                if begin.starts_with(MAGIC) {
                    self.form = Form::Behind;
                } else if let Some((_, encoding)) = WIDE.iter().find(|(begins, _)| begin.starts_with(begins))
                {
                    self.form = Form::Wide(Box::new(encoding.new_decoder_with_bom_removal()));
                } else if let Some((_, is, by)) = OTHERS.iter().find(|(begins, ..)| begin.starts_with(begins))
                {
                    self.form = Form::Damaged;
                    self.fail(
                        name,
                        &format!(
                            "is {is}, which is not read here: unpack it first, {by} FILE | boardbus ..."
                        ),
                    );
                } else if known().any(|begins| begins.starts_with(&begin)) {
                    self.form = Form::Begun(begin);
                    return Ok(());
                } else {
                    self.form = Form::Plain;
                }
                self.push(name, &begin, f)
            }
        }
    }

    /// The file has ended: `f` gets the held back bytes, and an incomplete member is reported.
    pub fn end(&mut self, name: &str, f: TakeBytes<'_>) -> Result<()> {
        match std::mem::take(&mut self.form) {
            Form::Begun(begin) if !begin.is_empty() => f(&begin),
            Form::Wide(mut decoder) => {
                let rest = narrow(&mut decoder, &[], true);
                if rest.is_empty() { Ok(()) } else { f(rest.as_bytes()) }
            }
            Form::Member(mut member) => {
                if let Err(error) = member.try_finish() {
                    // A wrong checksum and one that is cut off give the same error; only a complete one accepts no more
                    // bytes.
                    let is_whole =
                        error.kind() != ErrorKind::UnexpectedEof && matches!(member.write(&[0]), Ok(0));
                    self.fail(name, if is_whole { WRONG_SUM } else { BREAKS_OFF });
                }
                let rest = member.get_ref();
                if rest.is_empty() { Ok(()) } else { f(rest) }
            }
            _ => Ok(()),
        }
    }

    fn fail(&self, name: &str, what: &str) {
        if !self.silent {
            fail(&Error::Data(format!("{name}: {what}")));
        }
    }

    /// Whether the file is packed: offsets in it are none in its content.
    pub fn is_packed(&self) -> bool {
        !matches!(self.form, Form::Unknown | Form::Begun(_) | Form::Plain)
    }

    fn unpack(&mut self, name: &str, mut bytes: &[u8], f: TakeBytes<'_>) -> Result<()> {
        while !bytes.is_empty() {
            match &mut self.form {
                Form::Behind => {
                    let padding = bytes.iter().take_while(|byte| **byte == 0).count();
                    bytes = &bytes[padding..];
                    if !bytes.is_empty() {
                        self.form = Form::Member(Box::new(GzDecoder::new(Vec::new())));
                    }
                }
                Form::Member(member) => {
                    let written = member.write(bytes);
                    // The content is wanted now, not with the next block.
                    let flushed = member.flush();
                    let unpacked = std::mem::take(member.get_mut());
                    let ended = matches!(written, Ok(0)).then(|| member.try_finish());
                    let read = if unpacked.is_empty() { Ok(()) } else { f(&unpacked) };
                    match (written.and_then(|n| flushed.map(|()| n)), ended) {
                        (Ok(0), Some(Ok(()))) => self.form = Form::Behind,
                        (Ok(n), None) => bytes = &bytes[n..],
                        (ended, _) => {
                            self.form = Form::Damaged;
                            self.fail(name, if ended.is_ok() { WRONG_SUM } else { DAMAGED });
                        }
                    }
                    read?;
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }
}

/// The next bytes of text in UTF-16, as UTF-8.
fn narrow(decoder: &mut Decoder, bytes: &[u8], last: bool) -> String {
    let most = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(4 * bytes.len() + 16);
    let mut text = String::with_capacity(most);
    let _ = decoder.decode_to_string(bytes, &mut text, last);
    text
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read,
        process::{Command, Stdio},
    };

    use super::*;

    /// The output of a program for some input.
    fn run(program: &str, args: &[&str], input: &[u8]) -> Vec<u8> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let mut out = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
        child.wait().unwrap();
        writer.join().unwrap();
        out
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        run("gzip", &["-c"], text)
    }

    fn unpack(packed: &[u8], at_once: usize) -> Vec<u8> {
        let (mut unpacker, mut out) = (Unpacker::default(), Vec::new());
        let mut take = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        packed.chunks(at_once).for_each(|bytes| unpacker.push("file", bytes, &mut take).unwrap());
        unpacker.end("file", &mut take).unwrap();
        out
    }

    fn text() -> Vec<u8> {
        (0..2000)
            .flat_map(|n: u32| format!("{{\"n\":{}}}\n", n.wrapping_mul(2_654_435_761)).into_bytes())
            .collect()
    }

    #[test]
    fn consecutive_members_are_one_file() {
        let packed =
            [gzip(b"one\n"), gzip(b""), gzip(&text()), vec![0; 700], gzip(b"three\n"), vec![0; 9]].concat();
        let expected = [b"one\n", &text()[..], b"three\n"].concat();
        for at_once in [1, 2, 3, 7, 100, 4096, 65536] {
            assert!(unpack(&packed, at_once) == expected, "{at_once}");
        }
    }

    #[test]
    fn unpacked_input_is_unchanged() {
        for plain in [&b""[..], b"\x1f", b"\x1f\x8b", b"\x1f\x8b\x07abc", b"{}\n", b"\x1f\x1f\x8b\x08"] {
            for at_once in [1, 2, 100] {
                assert_eq!(unpack(plain, at_once), plain);
            }
        }
    }

    #[test]
    fn other_packed_formats_are_reported() {
        let begins: [&[u8]; 4] =
            [b"\xfd7zXZ\0\0\x04", b"\x28\xb5\x2f\xfd\x04", b"BZh91AY&SY", b"PK\x03\x04\x14\0"];
        for packed in begins.map(|begin| [begin, &text()].concat()) {
            for at_once in [1, 3, 4096] {
                assert_eq!(unpack(&packed, at_once), b"");
            }
        }
        for noise in [&b"\xff\xfe\x8e\0"[..], b"BZ", b"PK", b"Black", b"\xfd7"] {
            assert_eq!(unpack(noise, 1), noise);
        }
    }

    #[test]
    fn utf_16_text_becomes_utf_8() {
        let text = "[White \"Šimek 😀\"]\n";
        let marked = |mark: u16, order: fn(u16) -> [u8; 2]| {
            std::iter::once(mark).chain(text.encode_utf16()).flat_map(order).collect::<Vec<u8>>()
        };
        for bytes in [marked(0xfeff, u16::to_le_bytes), marked(0xfeff, u16::to_be_bytes)] {
            for at_once in [1, 2, 3, 5, 100] {
                assert_eq!(String::from_utf8(unpack(&bytes, at_once)).unwrap(), text);
            }
        }
    }

    #[test]
    fn a_truncated_file_is_read_as_far_as_possible() {
        let packed = gzip(&text());
        for length in
            (0..packed.len()).step_by(97).chain([packed.len() - 1, packed.len() - 8, packed.len() - 9])
        {
            let ours = unpack(&packed[..length], 500);
            let theirs =
                if length < 3 { packed[..length].to_vec() } else { run("gzip", &["-dc"], &packed[..length]) };
            assert!(text().starts_with(&ours) || length < 3, "{length}");
            assert!(ours.len() >= theirs.len(), "{length}: {} of {}", ours.len(), theirs.len());
        }
    }

    #[test]
    fn bytes_before_damage_are_read() {
        let mut packed = [gzip(b"whole\n"), gzip(&text())].concat();
        let middle = packed.len() / 2;
        packed[middle..middle + 20].fill(0xff);
        let ours = unpack(&packed, 1000);
        assert!(ours.starts_with(b"whole\n") && ours.len() > 100, "{}", ours.len());
        let (whole, rest) = (gzip(b"whole\n"), b"and rubbish");
        assert_eq!(unpack(&[&whole[..], rest].concat(), 5), b"whole\n");
    }
}
