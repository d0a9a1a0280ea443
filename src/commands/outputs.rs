//! Files that are written and may be somebody's already: refused before anything is lost.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use crate::{
    error::{Error, Result},
    record::{Record, parse},
};

/// Whose a file is shows at its beginning; of a journal that was damaged there, soon behind it.
const BEGINNING: u64 = 1 << 16;
/// What files begin with that gzip packed.
const PACKED: &[u8] = &[0x1f, 0x8b];
/// How the runs of `simulate` are named: what begins with one can be made again.
pub(super) const OF_SIMULATE: &str = "simulate-";

/// Refuses to have games written over records: a journal is the evidence, and its name is soon given twice in a pipe.
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

/// Refuses to have the truth of a simulated line written over anything but such a truth.
///
/// # Errors
/// [`Error::Usage`] when the file holds anything else.
pub(super) fn refuse_all_but_truth(output: &Path) -> Result<()> {
    let mut first = Vec::new();
    // From memory: nothing fails.
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

/// How a file on a disk begins; nothing where there is none. What cannot be read is said when it is written.
fn beginning(path: &Path) -> Vec<u8> {
    let mut beginning = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        let _ = BufReader::new(file).take(BEGINNING).read_to_end(&mut beginning);
    }
    beginning
}
