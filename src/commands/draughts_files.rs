//! What `from-bars` and `from-pdn` share: lines in, records out, notes and complaints to people.

use super::input::Input;
use crate::{
    error::{Done, Result},
    format::russian::ReadItem,
    stdio::{self, Output},
    stop,
};

/// Feeds `read` each line of the input with its place, and `None` at the end of each file; writes what comes of it.
pub(super) fn read(
    input: &Input,
    mut read: impl FnMut(Option<(&str, &[u8])>) -> Vec<ReadItem>,
) -> Result<Done> {
    let mut bad = input.bad();
    let mut out = Output::stdout();
    // A file at a time, so that nothing of one runs over into the next; no file at all is standard input.
    let mut sources: Vec<&[_]> = input.files.chunks(1).collect();
    if sources.is_empty() {
        sources.push(&[]);
    }
    for source in sources {
        let mut last = String::new();
        let mut write = |out: &mut Output, place: &str, items: Vec<ReadItem>| {
            items.into_iter().try_for_each(|item| match item {
                ReadItem::Record(record) => out.record(&record),
                ReadItem::Note(note) => {
                    stdio::say(format_args!("{place}: {note}"));
                    Ok(())
                }
                ReadItem::Bad(problem) => bad.report(place, problem),
            })
        };
        stdio::each_line(source, &mut out, |out, place, line| {
            last = place.to_string();
            // Some old machines end lines with CR alone.
            line.split(|&b| b == b'\r').try_for_each(|line| write(out, &last, read(Some((&last, line)))))
        })?;
        write(&mut out, &last, read(None))?;
        if stop::requested().is_some() {
            break;
        }
    }
    out.flush()?;
    Ok(bad.done("part"))
}
