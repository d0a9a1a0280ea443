//! Passes records from the poller of a port to the writer, and checks that a number on a line belongs to one board.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::SyncSender,
    },
};

use super::{expected::Expected, writer::Batch};
use crate::{
    bus::{Gone, RecordSink},
    commands::port_words::PortWords,
    error::{Error, Result},
    record::{BoardEvent, BoardName, BoardRecord},
};

/// The port of each board of a line: a number belongs to one board.
#[derive(Debug, Default)]
pub(super) struct Owners(Mutex<BTreeMap<BoardName, Owner>>);

/// The port that a board is on.
#[derive(Debug)]
struct Owner {
    port: Arc<str>,
    is_lost: bool,
}

impl Owners {
    /// Adds a record of a port. A board that is lost may be found on another port.
    ///
    /// # Errors
    /// When its number belongs to a board on another port.
    fn take(&self, port: &Arc<str>, line: &Option<Arc<str>>, record: &BoardRecord) -> Result<()> {
        let Some(board) = record.board else { return Ok(()) };
        let name: BoardName = (line.clone(), record.board);
        let is_lost = matches!(record.event, BoardEvent::Lost(_));
        let mut owners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(owner) = owners.get_mut(&name) else {
            owners.insert(name, Owner { port: port.clone(), is_lost });
            return Ok(());
        };
        if owner.port != *port && !owner.is_lost {
            let problem = format!(
                "the number {board} is that of the board on {}: give this one another, --name {port}=NUMBER",
                owner.port
            );
            return Err(Error::port(port, problem));
        }
        *owner = Owner { port: port.clone(), is_lost: is_lost || owner.is_lost && !is_back(&record.event) };
        Ok(())
    }
}

fn is_back(event: &BoardEvent) -> bool {
    matches!(event, BoardEvent::Board(_) | BoardEvent::Found(_))
}

/// The names of the lines of a port's boards.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    /// The line of a bus.
    pub bus: Option<Arc<str>>,
    /// The line of a board alone, which several ports may share.
    pub alone: Option<Arc<str>>,
}

/// Passes records from the poller of a port to the writer.
pub(super) struct ToWriter {
    /// The number of the port.
    pub port: usize,
    /// Its name.
    pub name: Arc<str>,
    /// The possible lines of its boards.
    pub lines: Lines,
    /// The line of its boards.
    pub line: Option<Arc<str>>,
    /// The boards to which the numbers belong.
    pub owners: Arc<Owners>,
    /// The boards that must be on any of the ports.
    pub expected: Option<Arc<Expected>>,
    /// Its board is alone.
    pub is_alone: bool,
    /// The messages about the port.
    pub words: PortWords,
    /// The number of the last batch.
    pub number: u64,
    /// The writer.
    pub to: SyncSender<Batch>,
    /// The number of the last batch that is written safely.
    pub safe: Arc<AtomicU64>,
    /// No more records are wanted.
    pub ended: Arc<AtomicBool>,
    /// The journal cannot be written at the moment.
    pub stuck: Arc<AtomicBool>,
}

impl RecordSink for ToWriter {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        records.iter().try_for_each(|record| self.owners.take(&self.name, &self.line, record))?;
        if let Some(expected) = &self.expected {
            records.iter().for_each(|record| expected.take(self.port, self.is_alone, record));
        }
        self.number += 1;
        records.iter().for_each(|record| self.words.take(record));
        let batch = Batch { port: self.port, line: self.line.clone(), number: self.number, records };
        // Sent even after standard output is closed: the journal still needs what the boards have deleted.
        self.to.send(batch).map_err(|_| Error::ReaderGone)?;
        if self.ended.load(Ordering::Relaxed) { Err(Error::ReaderGone) } else { Ok(self.number) }
    }

    fn safe(&self, number: u64) -> bool {
        self.safe.load(Ordering::Acquire) >= number
    }

    fn wanted(&self) -> bool {
        !self.ended.load(Ordering::Relaxed)
    }

    fn takes(&self) -> bool {
        !self.stuck.load(Ordering::Relaxed)
    }

    fn begins(&mut self, is_alone: bool) {
        self.is_alone = is_alone;
        self.line = if is_alone { self.lines.alone.clone() } else { self.lines.bus.clone() };
    }

    fn port_gone(&mut self, gone: &Gone) {
        self.words.gone(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::LinkState;

    #[test]
    fn numbers_belong_to_one_board_of_a_line() {
        let owners = Owners::default();
        let (one, two): (Arc<str>, Arc<str>) = ("/dev/one".into(), "/dev/two".into());
        let link = || LinkState { reason: "timeout".into() };
        let (lost, found) = (BoardEvent::Lost(link()), BoardEvent::Found(link()));
        let take = |port, line: Option<&str>, event: &BoardEvent| {
            let taken =
                owners.take(port, &line.map(Into::into), &BoardRecord::new(None, Some(7), event.clone()));
            taken.map_err(|error| error.to_string())
        };
        assert_eq!(take(&one, None, &found), Ok(()));
        let refused = "/dev/two: the number 7 is that of the board on /dev/one: give this one another, \
                       --name /dev/two=NUMBER";
        assert_eq!(take(&two, None, &found), Err(refused.to_owned()));
        assert_eq!(take(&two, Some("other line"), &found), Ok(()));
        // The board was unplugged, and plugged in at another port.
        assert_eq!(take(&one, None, &lost), Ok(()));
        assert_eq!(take(&two, None, &found), Ok(()));
        assert!(take(&one, None, &found).is_err());
    }
}
