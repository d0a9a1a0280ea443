//! Boards on the desk: watches a line, and shows its boards as they answer.

use std::{
    io::Write,
    os::unix::net::UnixStream,
    path::Path,
    sync::mpsc::{SyncSender, TryRecvError, sync_channel},
    thread,
    time::Duration,
};

use super::{feed::Feed, live::Live, print};
use crate::{
    bus::{
        Gone, Link, RecordSink, WatchSettings,
        detect::{self, WatchPlan},
        ending::Ending,
        link::Levels,
        port::Port,
        recall::Recall,
    },
    commands::{
        arguments::Named,
        open_line::{Answers, Line},
        port_words::PortWords,
    },
    error::{Done, Error, Result},
    record::{BoardRecord, Chips, Stream, Time},
    screen::Look,
};

/// The interval at which the picture is checked when no record and no key comes.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// How many batches of records may wait for the screen.
const WAITING_BATCHES: usize = 1024;
/// The interval of searches for boards that were switched on since.
const REDISCOVER: Duration = Duration::from_secs(30);

/// The plan for watching the line.
pub fn plan(make: Option<&str>, boards: Option<Named>) -> WatchPlan {
    let only = boards.is_some();
    WatchPlan {
        make: make.map(Into::into),
        last: None,
        expected: boards.unwrap_or_default().boards,
        only,
        settings: WatchSettings {
            // No games are played on these boards.
            configure: false,
            start_marks: false,
            rediscover: (!only).then_some(REDISCOVER),
            give_up: None,
            seconds: None,
        },
    }
}

/// Sends records from the line to the screen.
struct ToScreen {
    to: SyncSender<Vec<BoardRecord>>,
    /// Wakes the screen when there are records: a user who lifts a piece waits for its square to change.
    bell: UnixStream,
    number: u64,
    words: PortWords,
}

impl RecordSink for ToScreen {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        records.iter().for_each(|record| self.words.take(record));
        self.to.send(records).map_err(|_| Error::ReaderGone)?;
        // A full bell was rung already.
        let _ = self.bell.write(&[0]);
        self.number += 1;
        Ok(self.number)
    }

    fn safe(&self, _: u64) -> bool {
        true
    }

    fn wanted(&self) -> bool {
        true
    }

    fn port_gone(&mut self, gone: &Gone) {
        self.words.gone(gone);
    }
}

/// The line at this port, and the pieces whose chips are known.
pub fn line(path: &Path, patience: Option<Duration>, levels: Option<Levels>, chips: Chips) -> Result<Line> {
    let port = Port::closed(path, patience, None).with_lines(levels).with_pieces(chips);
    Ok(Ending::new(port.opened()?, None))
}

/// Asks the boards for their positions, and prints one picture.
pub fn once(
    line: Line,
    make: Option<&str>,
    boards: Option<Named>,
    mut feed: Feed,
    look: Look,
    source: String,
) -> Result<Done> {
    // As text: no records are written.
    let answers = Answers::begin(&line, None, true)?;
    let mut line = answers.open(line, make, boards.as_ref())?;
    feed.hall.stream(&Stream::begin(Time::now(), None));
    let mut items = Vec::new();
    let missing = line.each(|line, board| {
        let Some(position) = line.ask(|driver| driver.position(board))? else { return Ok(false) };
        let clock = line.ask(|driver| driver.clock(board))?;
        for event in [position].into_iter().chain(clock) {
            feed.board(BoardRecord::new(Some(Time::now()), Some(board), event), &mut items);
        }
        Ok(true)
    })?;
    items.into_iter().try_for_each(|item| feed.add("the line", item))?;
    print::picture_of(&feed, look, source)?;
    Ok(line.done("no answer from", &missing))
}

/// Watches the line and shows it until the user quits.
pub fn run(line: Line, plan: WatchPlan, mut live: Live) -> Result<Done> {
    let (to, from) = sync_channel(WAITING_BATCHES);
    let (bell, rung) = UnixStream::pair().map_err(|e| Error::io("the terminal", e))?;
    bell.set_nonblocking(true).map_err(|e| Error::io("the terminal", e))?;
    live.screen.woken_by(rung)?;
    let watching = thread::spawn(move || {
        let recalled = Recall::default().line_named(None);
        let words = PortWords::about(line.name());
        detect::watch(line, &mut ToScreen { to, bell, number: 0, words }, plan, recalled, &mut |_| ())
    });
    live.feed.hall.stream(&Stream::begin(Time::now(), None));
    live.of_a_desk();
    let mut wait = CHECK_INTERVAL;
    loop {
        match from.try_recv() {
            Ok(records) => {
                records.into_iter().try_for_each(|record| live.board(record))?;
                // The picture is drawn before the next wait.
                wait = Duration::ZERO;
            }
            Err(TryRecvError::Empty) => match live.look(std::mem::replace(&mut wait, CHECK_INTERVAL)) {
                Ok(()) => {}
                // The process ends with the line still open: waiting for a search to end would delay the user.
                Err(Error::ReaderGone) => return Ok(Done::Yes),
                Err(error) => return Err(error),
            },
            Err(TryRecvError::Disconnected) => {
                drop(live);
                return match watching.join() {
                    Ok(ended) => ended.map(|()| Done::Yes),
                    Err(panic) => std::panic::resume_unwind(panic),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn screens_are_woken_when_there_are_records() {
        let (to, from) = sync_channel(1);
        let (bell, mut rung) = UnixStream::pair().unwrap();
        let mut line = ToScreen { to, bell, number: 0, words: PortWords::about("desk") };
        assert_eq!(line.put(Vec::new()).unwrap(), 1);
        // Otherwise this would wait for ever.
        rung.read_exact(&mut [0]).unwrap();
        assert!(from.try_recv().is_ok());
    }
}
