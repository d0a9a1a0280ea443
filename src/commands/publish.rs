//! `boardbus publish`: records of a hall to a server.

use std::path::PathBuf;

use super::server::{self, ServerArgs};
#[cfg(not(feature = "nats"))]
use crate::error::{Done, Result};

/// Publish the records of a hall on a server
///
/// Reads board records from a journal or from standard input, and publishes each line's on a subject of its own. The
/// journal is the buffer: on start, and after each break of the network, it asks the server which record it has last, and
/// continues after that.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  boardbus watch --port /dev/ttyUSB0 --line hall-2 --journal hall2.jsonl | boardbus publish --server nats://office:4222 --event open2026
  boardbus publish --server nats://office:4222 --event open2026 --line hall-2 --follow hall2.jsonl")]
pub struct Publish {
    /// The journal to read; without it, or as -, standard input
    #[arg(value_name = "JOURNAL")]
    journal: Option<PathBuf>,

    /// Wait for more at the end of the journal, until a signal comes
    #[arg(long, requires = "journal")]
    follow: bool,

    #[command(flatten)]
    server: ServerArgs,

    /// The line of records without a line name
    #[arg(long, value_name = "NAME", value_parser = server::name)]
    line: Option<String>,

    /// Publish game records, as reconstruct writes them, instead of board records
    #[arg(long)]
    games: bool,

    /// Continue a line that moved to this machine: publish from the beginning, although the server has records of it
    /// that are not here
    #[arg(long)]
    take_over: bool,
}

#[cfg(not(feature = "nats"))]
impl Publish {
    /// Runs the command.
    pub fn run(self) -> Result<Done> {
        let Publish { journal: _, follow: _, server: _, line: _, games: _, take_over: _ } = self;
        Err(server::not_built())
    }
}

#[cfg(feature = "nats")]
mod published {
    use std::{collections::HashMap, path::PathBuf, thread, time::Duration};

    use super::Publish;
    use crate::{
        error::{Done, Error, Result},
        net::{self, Chunk, Chunks, Feed, Published, Publishing},
        record::{BadRecord, Layer, Stream, Time, label},
        stdio::{self, Bad, Inputs, Place},
        stop,
    };

    /// How many bytes of standard input may wait for the server: a pipe that is not read stops the watch that writes
    /// it. This is some three hours of 64 boards with three records a second each.
    const PIPE_BYTES_MAX: usize = 256 << 20;
    /// The interval at which the publisher is informed that no record has come.
    const IDLE_INTERVAL: Duration = Duration::from_secs(1);
    /// How many bytes of a file may wait: it can be read again.
    const FILE_BYTES_MAX: usize = 8 << 20;

    impl Publish {
        /// Runs the command.
        pub fn run(self) -> Result<Done> {
            let server = self.server.server()?;
            let files: Vec<PathBuf> = self.journal.iter().cloned().collect();
            let rereadable = self.journal.as_ref().is_some_and(|path| path.is_file() || self.follow);
            let source =
                self.journal.as_ref().map_or_else(|| "standard input".into(), |path| stdio::name_of(path));
            let writer = Stream::begin(Time::now(), None).run;
            loop {
                let (feed, fed) = net::feed(if rereadable { FILE_BYTES_MAX } else { PIPE_BYTES_MAX });
                let reading = Reading {
                    chunks: Chunks::new(self.line.clone()),
                    feed,
                    bad: Bad::new(false),
                    games: self.games,
                    follow: self.follow,
                    line: self.line.clone(),
                    runs: HashMap::new(),
                    wanted: 0,
                    others: 0,
                };
                let to_read = files.clone();
                let reader = thread::spawn(move || reading.all(&to_read));
                let publishing = Publishing {
                    server: server.clone(),
                    event: self.server.event(self.games),
                    writer: writer.clone(),
                    take_over: self.take_over,
                    rereadable,
                    source: source.clone(),
                };
                match net::publish(publishing, fed)? {
                    Published::All => {
                        return reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    }
                    Published::ReadAgain => stdio::say(format_args!(
                        "the server lost what it had stored: {source} is read again from its beginning"
                    )),
                }
            }
        }
    }

    /// What the records of a run are.
    #[derive(Debug, Clone, Copy, Default)]
    struct Run {
        /// Records of games, not of boards.
        of_games: bool,
        /// Published only because the input ended: a longer input has other records.
        is_ended: bool,
    }

    /// Reads records and passes them to the publisher.
    struct Reading {
        chunks: Chunks,
        feed: Feed,
        bad: Bad,
        games: bool,
        follow: bool,
        /// The line of records without one.
        line: Option<String>,
        /// The current run of each line.
        runs: HashMap<String, Run>,
        wanted: u64,
        others: u64,
    }

    impl Reading {
        fn all(mut self, files: &[PathBuf]) -> Result<Done> {
            let inputs = Inputs::of(files).following(self.follow);
            let read = stdio::lines(inputs, &mut self, Reading::idle, Reading::line);
            match read.and_then(|()| self.hand_over()) {
                // The publisher has ended, and reports why.
                Ok(()) | Err(Error::ReaderGone) => {}
                Err(error) => return Err(error),
            }
            if self.wanted == 0 && self.others > 0 {
                stdio::say(if self.games {
                    "only board records in the input: put `boardbus reconstruct` in between, or leave --games out"
                } else {
                    "only game records in the input: --games publishes them"
                });
            }
            Ok(self.bad.done("record"))
        }

        fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
            let label = match label(line) {
                Ok(label) => label,
                Err(error @ BadRecord::Version(_)) => return Err(Error::Data(format!("{place}: {error}"))),
                // The writer was stopped in the middle of this line.
                Err(_) if self.follow && stop::requested().is_some() => return Ok(()),
                Err(error) => return self.bad.report(place, error),
            };
            let name = label.line.as_deref().or(self.line.as_deref()).unwrap_or_default();
            let begun = label.run.as_deref();
            let begun =
                begun.map(|run| Run { of_games: Stream::is_of_games(run), is_ended: Stream::is_ended(run) });
            if let Some(run) = begun {
                self.runs.insert(name.to_owned(), run);
            }
            let run = self.runs.get(name).copied().unwrap_or_default();
            let of_games = match label.layer {
                Layer::Board => false,
                Layer::Game => true,
                Layer::Either => run.of_games,
                Layer::Neither if begun.is_some() => run.of_games,
                // Progress and findings are not published.
                Layer::Neither => return Ok(()),
            };
            if of_games != self.games {
                self.others += u64::from(begun.is_none());
                return Ok(());
            }
            if run.is_ended {
                return Ok(());
            }
            self.wanted += u64::from(begun.is_none());
            match self.chunks.record(line, &label) {
                Ok(Some(chunk)) => self.give(chunk),
                Ok(None) => Ok(()),
                Err(why) => self.bad.report(place, why),
            }
        }

        /// All input so far was read. A journal that ends here without the server's last record is not the one that was
        /// published.
        fn idle(&mut self) -> Result<Option<Duration>> {
            self.hand_over()?;
            // A line that still looks for the server's last record has to get this report again.
            if self.feed.pause(self.follow) { Ok(Some(IDLE_INTERVAL)) } else { Err(Error::ReaderGone) }
        }

        fn give(&self, chunk: Chunk) -> Result<()> {
            if self.feed.chunk(chunk) { Ok(()) } else { Err(Error::ReaderGone) }
        }

        fn hand_over(&mut self) -> Result<()> {
            let rest: Vec<Chunk> = self.chunks.rest().collect();
            rest.into_iter().try_for_each(|chunk| self.give(chunk))
        }
    }
}
