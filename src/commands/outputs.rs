//! Refuses output files that hold somebody's data, before anything is lost.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use crate::{
    error::{Error, Result},
    record::{Record, parse},
};

/// How many bytes show what a file is, also a journal that is damaged at its beginning.
const BEGINNING_BYTES: u64 = 1 << 16;
/// The first bytes of a gzip file.
const PACKED: &[u8] = &[0x1f, 0x8b];
/// The beginning of the names of runs of `simulate`, whose records can be made again.
pub(super) const OF_SIMULATE: &str = "simulate-";

/// Refuses to write games over records: a journal is the evidence, and its name is easily given twice in a pipe.
///
/// # Errors
/// [`Error::Usage`] when the file holds records.
pub(super) fn refuse_records(output: &Path) -> Result<()> {
    let beginning = beginning(output);
    let is_record = |line: &[u8]| matches!(parse(line), Ok(record) if !matches!(record, Record::Other));
    let held = if beginning.starts_with(PACKED) {
        "is packed"
    } else if beginning.split(|&byte| byte == b'\n').any(is_record) {
        "holds records"
    } else {
        return Ok(());
    };
    Err(Error::Usage(format!("{} {held} and would be replaced: name another file", output.display())))
}

/// Refuses to write the truth of a simulated line over anything but an earlier truth.
///
/// # Errors
/// [`Error::Usage`] when the file holds anything else.
pub(super) fn refuse_all_but_truth(output: &Path) -> Result<()> {
    let mut first = Vec::new();
    // Reading from memory does not fail.
    let _ = beginning(output).as_slice().read_until(b'\n', &mut first);
    match parse(&first) {
        _ if first.is_empty() => Ok(()),
        Ok(Record::Stream(stream)) if stream.run.starts_with(OF_SIMULATE) => Ok(()),
        _ => Err(Error::Usage(format!(
            "{} holds no truth of an earlier run and would be replaced: give --truth a file of its own",
            output.display()
        ))),
    }
}

/// The first bytes of a file on a disk; empty where there is none. The later writing reports a file that cannot be
/// read.
fn beginning(path: &Path) -> Vec<u8> {
    let mut beginning = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        let _ = BufReader::new(file).take(BEGINNING_BYTES).read_to_end(&mut beginning);
    }
    beginning
}
