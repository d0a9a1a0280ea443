//! Reads records, delays them where this was asked for, and passes them to the thread that serves them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::SyncSender,
    },
    time::Duration,
};

use crate::{
    commands::{
        incoming::Delayed,
        numbered::Numbers,
        show::{Feed, Item as Read},
    },
    error::{Done, Error, Result},
    format::pgn::Dress,
    record::Time,
    serve::{Item, Waker},
    stdio::{self, Place},
    stop::{self, Wake},
};

/// The run of the game records that are reconstructed here: they come in another order than those of `reconstruct`.
const RUN: &str = "serve";

/// Reads the input for the server.
pub struct Reader {
    feed: Feed,
    numbers: Numbers,
    held: Delayed<Item>,
    sender: SyncSender<Item>,
    waker: Waker,
    /// Whether records are being read.
    reading: Arc<AtomicBool>,
    /// All existing input has been read: clients get the present when they connect.
    is_open: bool,
}

impl Reader {
    /// Nothing is read yet.
    pub fn new(
        feed: Feed,
        dress: Dress,
        delay: Option<Duration>,
        (sender, waker, reading): (SyncSender<Item>, Waker, Arc<AtomicBool>),
    ) -> Result<Reader> {
        let mut reader = Reader {
            feed,
            numbers: Numbers::new(RUN),
            held: Delayed::new(delay),
            sender,
            waker,
            reading,
            is_open: false,
        };
        reader.hand_over(Item::Dress(dress))?;
        Ok(reader)
    }

    /// Reads until a signal comes; after the end of the input, serving continues.
    pub fn run(mut self, follow: bool) -> Result<Done> {
        self.feed.begin()?;
        let files = self.feed.take_files();
        let inputs = self.feed.inputs(&files, follow).to_be_left_at_once();
        let read = stdio::lines(inputs, &mut self, Reader::idle, Reader::line);
        let read = read.and_then(|()| if stop::requested().is_some() { Ok(()) } else { self.stay() });
        let closed = self.hand_over(Item::Close);
        match read {
            // The serving thread has ended, and reports why.
            Err(Error::Stopped) => Ok(Done::Yes),
            read => read.and(closed.or(Ok(()))).map(|()| self.feed.done_reading()),
        }
    }

    /// Ends the input, and keeps serving what was read.
    fn stay(&mut self) -> Result<()> {
        let mut items = Vec::new();
        self.numbers.input_ended();
        self.feed.finish(&mut items);
        items.into_iter().try_for_each(|item| self.take(item))?;
        let mut ended = false;
        loop {
            let next = self.idle()?;
            if self.held.is_empty() && !ended {
                ended = true;
                stdio::say("the input has ended: what was read is served until a signal comes");
                self.hand_over(Item::End)?;
            }
            let wait = next.unwrap_or(Duration::from_secs(1));
            if stop::wait(None, Some(wait)).map_err(|e| Error::io("standard input", e))? == Wake::Stopped {
                return Ok(());
            }
        }
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.reading.store(false, Ordering::Release);
        let dress = self.feed.look_at_names();
        dress.map_or(Ok(()), |dress| self.hand_over(Item::Dress(dress)))?;
        let (due, next) = self.held.release();
        due.into_iter().try_for_each(|item| self.hand_over(item))?;
        if !std::mem::replace(&mut self.is_open, true) {
            self.hand_over(Item::Open)?;
        }
        Ok(next.into_iter().chain(self.feed.next_look()).min())
    }

    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        self.reading.store(true, Ordering::Release);
        let mut items = Vec::new();
        self.feed.items(place, line, &mut items)?;
        items.into_iter().try_for_each(|item| self.take(item))
    }

    fn take(&mut self, read: Read) -> Result<()> {
        match read {
            Read::Stream(stream) => {
                self.numbers.stream(&stream);
                self.hold(stream.line.clone(), None, Item::Stream(stream))
            }
            Read::Board(mut record) => {
                // Where the source had no clock, the record gets the current time.
                let time = *record.time.get_or_insert_with(Time::now);
                self.hold(record.line.clone(), Some(time), Item::Board(record))
            }
            Read::Game(mut record) => {
                let (line, time) = (record.line.clone(), record.time);
                if let Some(stream) = self.numbers.number(&mut record) {
                    self.hold(line.clone(), time, Item::Games(stream))?;
                }
                self.hold(line, time, Item::Game(record))
            }
        }
    }

    /// Passes on what is due; the rest is delayed, in the order of its line.
    fn hold(&mut self, line: Option<Arc<str>>, time: Option<Time>, item: Item) -> Result<()> {
        let due = self.held.pass((line, None), time, item);
        due.map_or(Ok(()), |item| self.hand_over(item))
    }

    /// # Errors
    /// [`Error::Stopped`] where the serving thread has ended.
    fn hand_over(&mut self, item: Item) -> Result<()> {
        let handed = self.sender.send(item).map_err(|_| Error::Stopped);
        self.waker.wake();
        handed
    }
}
