//! Numbers the records that `reconstruct` publishes.

use std::{collections::HashMap, sync::Arc};

use sha2::{Digest, Sha256};

use crate::{
    error::Result,
    record::{GameRecord, Stream},
    stdio::Output,
};

/// Numbers the records of each line, in a run of its own.
///
/// The game records of a line follow from its board records alone, so its run is named after the run of the first of
/// these. A record has the same number wherever and however often it is reconstructed, and a receiver drops those it
/// already has. Records that are published only because the input ended belong to another run: with a longer input they
/// would be different. A line whose run has no name is not numbered.
///
/// An arbiter's ruling that is read apart from the board records may be read earlier the next time, with other records
/// before it: from there on it is another run, too.
pub(super) struct Numbers {
    lines: HashMap<Option<Arc<str>>, Run>,
    /// The rulings for a line that were read apart from its records.
    ruled: HashMap<Option<Arc<str>>, Mark>,
    ended: bool,
    /// Records are counted and not written.
    withheld: bool,
    /// The part of a run's name for options that change the records; empty for none.
    options: String,
}

/// Standard output, with the records of each line numbered.
pub(super) struct Numbered {
    out: Output,
    pub numbers: Numbers,
}

/// The run of a line.
#[derive(Default)]
struct Run {
    /// The name of the first run of its board records, as changed by options and rulings.
    of: String,
    /// Its stream record was written.
    begun: bool,
    /// The number of its records.
    count: u64,
    /// How many records it had when the input ended, once one was published after that.
    ended_at: Option<u64>,
}

/// A part of a run's name that identifies rulings: the same text has the same mark in every version of the program.
#[derive(Default)]
struct Mark(Sha256);

impl Mark {
    fn add(&mut self, ruling: &GameRecord) {
        self.0.update(serde_json::to_vec(ruling).unwrap_or_default());
    }

    fn text(&self) -> String {
        self.0.clone().finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name of a run with this mark, in place of its earlier mark.
    fn on(&self, run: &str) -> String {
        let first = run.split(Stream::RULED).next().unwrap_or_default();
        format!("{first}{}{}", Stream::RULED, self.text())
    }
}

impl Numbers {
    /// Nothing published yet. `options` are the options by which the same records give others, or another order,
    /// which is another run; empty for none.
    pub fn new(options: &str) -> Numbers {
        let mark = Mark(Sha256::new_with_prefix(options)).text();
        let options = if options.is_empty() { String::new() } else { format!("-as-{mark}") };
        Numbers { lines: HashMap::new(), ruled: HashMap::new(), ended: false, withheld: false, options }
    }

    /// A source of board records begins.
    pub fn stream(&mut self, stream: &Stream) {
        let name = if stream.run.is_empty() {
            String::new()
        } else {
            let run = format!("{}{}", stream.run, self.options);
            self.ruled.get(&stream.line).map_or_else(|| run.clone(), |mark| mark.on(&run))
        };
        let of = || Run { of: name, ..Run::default() };
        self.lines.entry(stream.line.clone()).or_insert_with(of);
    }

    /// Adds a ruling that was read apart from the records.
    pub fn ruled(&mut self, ruling: &GameRecord) {
        let mark = self.ruled.entry(ruling.line.clone()).or_default();
        mark.add(ruling);
        if let Some(run) = self.lines.get_mut(&ruling.line).filter(|run| !run.of.is_empty()) {
            let after = if run.count > 0 { format!("-after-{}", run.count) } else { String::new() };
            *run = Run { of: format!("{}{after}", mark.on(&run.of)), ..Run::default() };
        }
    }

    /// Whether the following records are numbered and not written: while existing records are read, where only new ones
    /// are wanted.
    pub fn withhold(&mut self, withheld: bool) {
        self.withheld = withheld;
    }

    /// The following records are published only because the input ended.
    pub fn input_ended(&mut self) {
        self.ended = true;
    }

    /// Numbers a record; returns the stream record that has to be written before it, where its run begins.
    pub fn number(&mut self, record: &mut GameRecord) -> Option<Stream> {
        let run = self.lines.get_mut(&record.line).filter(|run| !run.of.is_empty())?;
        let of = Stream::games_of(&run.of);
        let begins = match (self.ended, run.ended_at) {
            (false, _) => (!run.begun).then_some(of),
            (true, Some(_)) => None,
            (true, None) => {
                let count = std::mem::take(&mut run.count);
                run.ended_at = Some(count);
                Some(Stream::ended(&of, count))
            }
        };
        run.count += 1;
        record.seq = Some(run.count);
        run.begun |= !self.withheld;
        begins.filter(|_| !self.withheld).map(|run| Stream::of_run(run, record.line.clone()))
    }
}

impl Numbered {
    /// Nothing published yet; see [`Numbers::new`].
    pub fn new(out: Output, options: &str) -> Numbered {
        Numbered { out, numbers: Numbers::new(options) }
    }

    /// Publishes a record.
    pub fn record(&mut self, mut record: GameRecord) -> Result<()> {
        let begins = self.numbers.number(&mut record);
        if self.numbers.withheld {
            return Ok(());
        }
        begins.map_or(Ok(()), |stream| self.out.record(&stream))?;
        self.out.line(|line| record.write(line))
    }

    /// Writes out the buffered records.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}
