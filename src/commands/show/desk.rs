//! Boards on the desk: a line is watched, and shown as it answers.

use std::{
    io::Write,
    os::unix::net::UnixStream,
    path::Path,
    sync::mpsc::{SyncSender, TryRecvError, sync_channel},
    thread,
    time::Duration,
};

use super::live::Live;
use crate::{
    bus::{
        Link, RecordSink, WatchSettings,
        detect::{self, WatchPlan},
        ending::Ending,
        port::Port,
        recall::Recall,
    },
    commands::arguments::Boards,
    error::{Done, Error, Result},
    record::{BoardRecord, Stream, Time},
};

/// How often it is looked whether the picture has grown old without a record or a key.
const TICK: Duration = Duration::from_millis(20);
/// Records that may wait for the screen.
const WAITING: usize = 1024;
/// Boards that were switched on since are looked for so often.
const REDISCOVER: Duration = Duration::from_secs(30);

/// What is watched.
pub fn plan(make: Option<&str>, boards: Option<Boards>) -> WatchPlan {
    let only = boards.is_some();
    WatchPlan {
        make: make.map(Into::into),
        last: None,
        expected: boards.unwrap_or_default().0,
        only,
        settings: WatchSettings {
            // Nobody plays on it.
            start_marks: false,
            rediscover: (!only).then_some(REDISCOVER),
            give_up: None,
            seconds: None,
        },
    }
}

/// The way from the line to the screen.
struct ToScreen {
    to: SyncSender<Vec<BoardRecord>>,
    /// Rung when there are records: whoever lifts a piece waits for its square to go.
    bell: UnixStream,
    number: u64,
}

impl RecordSink for ToScreen {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        self.to.send(records).map_err(|_| Error::ReaderGone)?;
        // One that is full was rung often enough.
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
}

/// Watches the line and shows it until somebody leaves.
pub fn run(path: &Path, patience: Option<Duration>, plan: WatchPlan, mut live: Live) -> Result<Done> {
    let mut port = Port::closed(path, patience, None);
    port.reopen()?;
    let (to, from) = sync_channel(WAITING);
    let (bell, rung) = UnixStream::pair().map_err(|e| Error::io("the terminal", e))?;
    bell.set_nonblocking(true).map_err(|e| Error::io("the terminal", e))?;
    live.screen.woken_by(rung)?;
    let line = Ending::new(port, None);
    let watching = thread::spawn(move || {
        let recalled = Recall::default().line_named(None).0;
        detect::watch(line, &mut ToScreen { to, bell, number: 0 }, plan, recalled, &mut |_| ())
    });
    live.feed.hall.stream(&Stream::begin(Time::now(), None));
    live.of_a_desk();
    let mut wait = TICK;
    loop {
        match from.try_recv() {
            Ok(records) => {
                records.into_iter().try_for_each(|record| live.board(record))?;
                // It is drawn before anything is waited for.
                wait = Duration::ZERO;
            }
            Err(TryRecvError::Empty) => match live.look(std::mem::replace(&mut wait, TICK)) {
                Ok(()) => {}
                // The line is let go with the process: a search that goes on must keep nobody waiting.
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
    fn the_screen_is_told_of_records_when_they_are_there() {
        let (to, from) = sync_channel(1);
        let (bell, mut rung) = UnixStream::pair().unwrap();
        let mut line = ToScreen { to, bell, number: 0 };
        assert_eq!(line.put(Vec::new()).unwrap(), 1);
        // It would wait for ever.
        rung.read_exact(&mut [0]).unwrap();
        assert!(from.try_recv().is_ok());
    }
}
