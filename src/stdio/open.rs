//! Files and standard input, opened to be read.

use std::{
    fs::File,
    io::{self, IsTerminal},
    os::{fd::AsFd, unix::fs::MetadataExt},
    path::Path,
};

use super::say;
use crate::{
    error::{Error, Result},
    stop,
};

/// Opens a file, or standard input for `-`; if that is a terminal the user is informed that input is awaited. Returns
/// the name for messages too.
pub fn open(path: &Path) -> Result<(String, File)> {
    let name = super::name_of(path);
    if path.as_os_str() != "-" {
        let file = stop::open(path, File::options().read(true)).map_err(|e| Error::io(&name, e))?;
        if is_our_output(&file) {
            return Err(Error::Usage(format!("{name} is read and written to at once: name another file")));
        }
        return Ok((name, file));
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        say("reading from the terminal; give a file name or a pipe, or end with Ctrl-D");
    }
    let fd = stdin.as_fd().try_clone_to_owned().map_err(|e| Error::io(&name, e))?;
    Ok((name, fd.into()))
}

/// Whether standard output goes into this very file: reading it would never end.
fn is_our_output(file: &File) -> bool {
    let output = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    match (file.metadata(), output.and_then(|output| output.metadata())) {
        (Ok(file), Ok(output)) => file.is_file() && (file.dev(), file.ino()) == (output.dev(), output.ino()),
        _ => false,
    }
}
