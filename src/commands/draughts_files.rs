//! Files of draughts read line by line: records to standard output, notes and errors to standard error.

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    input::{Input, of_records, report_if_nothing},
    letters::{FileLetters, pieces},
};
use crate::{
    error::{Done, Result},
    format::russian::ReadItem,
    record::{GameEvent, GameRecord},
    stdio::{self, Bad, Inputs, Output, Place},
    stop,
};

/// Passes each line of the input with its place, and `None` at the end of each file, to a reader that `new` makes, and
/// writes the items it returns. Without `letters` lines are passed as they are, else in UTF-8.
pub(super) fn read<R>(
    input: &Input,
    letters: Option<FileLetters>,
    out: Output,
    new: impl Fn() -> R,
) -> Result<Done>
where
    R: FnMut(Option<(&str, &[u8])>) -> Vec<ReadItem>,
{
    let mut writer = Writer { bad: input.bad(), letters, out, read: 0, other: String::new() };
    if input.follow {
        follow(input, new, &mut writer)?
    } else {
        one_by_one(input, new(), &mut writer)?
    }
    writer.out.flush()?;
    report_if_nothing("games", writer.read, &writer.bad);
    Ok(writer.bad.done("part"))
}

/// Reads one file at a time, so that no game continues into the next file.
fn one_by_one<R>(input: &Input, mut read: R, writer: &mut Writer) -> Result<()>
where
    R: FnMut(Option<(&str, &[u8])>) -> Vec<ReadItem>,
{
    // No file at all is standard input.
    let mut sources: Vec<&[_]> = input.files.chunks(1).collect();
    if sources.is_empty() {
        sources.push(&[]);
    }
    for source in sources {
        let mut last = String::new();
        stdio::lines(Inputs::of(source), writer, Writer::idle, |writer, place, line| {
            last = place.to_string();
            if writer.is_of_records(place, line)? {
                return Ok(());
            }
            let line = writer.utf_8(place, line);
            pieces(&line).try_for_each(|line| writer.write(&last, read(Some((&last, line))), Writer::record))
        })?;
        writer.write(&last, read(None), Writer::record)?;
        if stop::requested().is_some() {
            break;
        }
    }
    Ok(())
}

/// Reads all files at the same time, each with a reader of its own.
fn follow<R>(input: &Input, new: impl Fn() -> R, writer: &mut Writer) -> Result<()>
where
    R: FnMut(Option<(&str, &[u8])>) -> Vec<ReadItem>,
{
    let mut files: BTreeMap<String, (R, Followed)> = BTreeMap::new();
    let whole = input.inputs().count() > 1;
    let mut games = 0;
    stdio::lines(input.inputs().ends_with_reader(true), writer, Writer::idle, |writer, place, line| {
        if writer.is_of_records(place, line)? {
            return Ok(());
        }
        let (read, file) = files
            .entry(place.file.to_owned())
            .or_insert_with(|| (new(), Followed { whole, ..Followed::default() }));
        if place.line <= file.line {
            // Another file has this name now, or the same file begins again.
            let at = std::mem::take(&mut file.place);
            writer.write(&at, read(None), |writer, record| file.record(writer, record, &mut games))?;
        }
        let at = place.to_string();
        let line = writer.utf_8(place, line);
        for line in pieces(&line) {
            let items = read(Some((&at, line)));
            writer.write(&at, items, |writer, record| file.record(writer, record, &mut games))?;
        }
        (file.line, file.place) = (place.line, at);
        Ok(())
    })?;
    for (read, file) in files.values_mut() {
        let at = std::mem::take(&mut file.place);
        writer.write(&at, read(None), |writer, record| file.record(writer, record, &mut games))?;
        file.pass_on(writer, &mut games)?;
    }
    Ok(())
}

/// A file that is followed: its games are numbered together with those of the other files.
#[derive(Default)]
struct Followed {
    /// The number of its last line, for messages.
    line: u64,
    place: String,
    /// With several files, a game is passed on when it is over, since readers of the records expect one game at a time.
    whole: bool,
    held: Vec<GameRecord>,
    /// The number of its game in this run.
    game: u32,
}

impl Followed {
    fn record(&mut self, writer: &mut Writer, mut record: GameRecord, games: &mut u32) -> Result<()> {
        let (begins, ends) =
            (matches!(record.event, GameEvent::Game(_)), matches!(record.event, GameEvent::End(_)));
        if self.whole {
            self.held.push(record);
            return if ends { self.pass_on(writer, games) } else { Ok(()) };
        }
        if begins {
            *games += 1;
            self.game = *games;
        }
        record.game = self.game;
        writer.record(record)
    }

    /// Passes on the game that was buffered.
    fn pass_on(&mut self, writer: &mut Writer, games: &mut u32) -> Result<()> {
        *games += u32::from(!self.held.is_empty());
        self.held.drain(..).try_for_each(|record| writer.record(GameRecord { game: *games, ..record }))
    }
}

/// Writes the records, and messages to people.
struct Writer {
    bad: Bad,
    letters: Option<FileLetters>,
    out: Output,
    /// The number of records read.
    read: u64,
    /// The name of a file that holds something else, once this was reported.
    other: String,
}

impl Writer {
    /// Whether a line belongs to a file of records, which is reported once.
    fn is_of_records(&mut self, place: Place<'_>, line: &[u8]) -> Result<bool> {
        if place.line == 1 {
            self.other.clear();
            if let Some(what) = of_records(line) {
                self.bad.report(place, format_args!("this is no draughts but {what}"))?;
                place.file.clone_into(&mut self.other);
            }
        }
        Ok(self.other == place.file)
    }

    /// A line in UTF-8, if its encoding matters.
    fn utf_8<'a>(&mut self, place: Place<'_>, line: &'a [u8]) -> Cow<'a, [u8]> {
        let Some(letters) = &mut self.letters else { return line.into() };
        letters.utf_8(place.file, line)
    }

    fn idle(&mut self) -> Result<Option<std::time::Duration>> {
        self.out.flush().map(|()| None)
    }

    fn record(&mut self, record: GameRecord) -> Result<()> {
        self.read += 1;
        self.out.record(&record)
    }

    fn write(
        &mut self,
        place: &str,
        items: Vec<ReadItem>,
        mut record: impl FnMut(&mut Writer, GameRecord) -> Result<()>,
    ) -> Result<()> {
        items.into_iter().try_for_each(|item| match item {
            ReadItem::Record(game_record) => record(self, *game_record),
            ReadItem::Note(note) => {
                stdio::say(format_args!("{place}: {note}"));
                Ok(())
            }
            ReadItem::Bad(problem) => self.bad.report(place, problem),
        })
    }
}
