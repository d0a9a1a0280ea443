//! What `from-bars` and `from-pdn` share: lines in, records out, notes and complaints to people.

use super::Input;
use crate::{
    error::{Done, Result},
    format::russian::Told,
    stdio::{self, Output},
    stop,
};

/// Feeds `read` each line of the input, and `None` at the end of each file; writes what it tells.
pub(super) fn run(input: &Input, mut read: impl FnMut(Option<&[u8]>) -> Vec<Told>) -> Result<Done> {
    let mut bad = input.bad();
    let mut out = Output::stdout();
    // A file at a time, so that nothing of one runs over into the next; no file at all is standard input.
    let mut sources: Vec<&[_]> = input.files.chunks(1).collect();
    if sources.is_empty() {
        sources.push(&[]);
    }
    for source in sources {
        let mut last = String::new();
        let mut tell = |out: &mut Output, place: &str, told: Vec<Told>| {
            told.into_iter().try_for_each(|told| match told {
                Told::Record(record) => out.record(&record),
                Told::Note(note) => {
                    stdio::say(format_args!("{place}: {note}"));
                    Ok(())
                }
                Told::Bad(problem) => bad.report(place, problem),
            })
        };
        stdio::each_line(source, &mut out, |out, place, line| {
            last = place.to_string();
            tell(out, &last, read(Some(line)))
        })?;
        tell(&mut out, &last, read(None))?;
        if stop::requested().is_some() {
            break;
        }
    }
    out.flush()?;
    Ok(bad.done("part"))
}
