//! The numbers of what `reconstruct` tells.

use std::{collections::HashMap, sync::Arc};

use sha2::{Digest, Sha256};

use crate::{
    error::Result,
    record::{GameRecord, Stream},
    stdio::Output,
};

/// The numbers of what is told of each line, in a run of its own.
///
/// What becomes of a line hangs on its board records alone, so its run has its name from the first of theirs: wherever and
/// however often they are reconstructed, a record has the same number, and who has it already drops it. What is only
/// told because the input ended, a longer input would tell otherwise; that is another run. A line whose run
/// nobody named is not numbered.
///
/// An arbiter's word that does not come in the order of the records may be known sooner the next time, and everything be
/// told otherwise: from there on it is another run too.
pub(super) struct Numbers {
    lines: HashMap<Option<Arc<str>>, Run>,
    /// What was ruled beside the records of a line.
    ruled: HashMap<Option<Arc<str>>, Mark>,
    ended: bool,
    /// What is told is counted and not written.
    withheld: bool,
    /// What a run's name has in it where options have everything told in another way.
    otherwise: String,
}

/// Standard output, with the records of each line numbered.
pub(super) struct Numbered {
    out: Output,
    pub numbers: Numbers,
}

/// The run of a line.
#[derive(Default)]
struct Run {
    /// The first run of its board records.
    of: String,
    /// Its beginning was written.
    begun: bool,
    /// How many records it has.
    count: u64,
    /// How many it had when the input ended, once one was told after that.
    ended_at: Option<u64>,
}

/// What was ruled, as a part of a run's name: the same words have the same mark in every version of the program.
#[derive(Default)]
struct Mark(Sha256);

impl Mark {
    fn add(&mut self, ruling: &GameRecord) {
        self.0.update(serde_json::to_vec(ruling).unwrap_or_default());
    }

    fn text(&self) -> String {
        self.0.clone().finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name of a run with this mark, in place of the one it may have.
    fn on(&self, run: &str) -> String {
        let first = run.split(Stream::RULED).next().unwrap_or_default();
        format!("{first}{}{}", Stream::RULED, self.text())
    }
}

impl Numbers {
    /// Nothing told yet. `otherwise` are the options by which the same records are told in another way or order: that is
    /// another run; empty for none.
    pub fn new(otherwise: &str) -> Numbers {
        let mark = Mark(Sha256::new_with_prefix(otherwise)).text();
        let otherwise = if otherwise.is_empty() { String::new() } else { format!("-as-{mark}") };
        Numbers { lines: HashMap::new(), ruled: HashMap::new(), ended: false, withheld: false, otherwise }
    }

    /// A source of board records begins.
    pub fn stream(&mut self, stream: &Stream) {
        let name = if stream.run.is_empty() {
            String::new()
        } else {
            let run = format!("{}{}", stream.run, self.otherwise);
            self.ruled.get(&stream.line).map_or_else(|| run.clone(), |mark| mark.on(&run))
        };
        let of = || Run { of: name, ..Run::default() };
        self.lines.entry(stream.line.clone()).or_insert_with(of);
    }

    /// An arbiter's word came beside the records.
    pub fn ruled(&mut self, ruling: &GameRecord) {
        let mark = self.ruled.entry(ruling.line.clone()).or_default();
        mark.add(ruling);
        if let Some(run) = self.lines.get_mut(&ruling.line).filter(|run| !run.of.is_empty()) {
            let after = if run.count > 0 { format!("-after-{}", run.count) } else { String::new() };
            *run = Run { of: format!("{}{after}", mark.on(&run.of)), ..Run::default() };
        }
    }

    /// Whether what comes from now on gets its numbers and is not written: as long as what was there is read, where only what is
    /// new is wanted.
    pub fn withhold(&mut self, withheld: bool) {
        self.withheld = withheld;
    }

    /// What comes now is only told because the input ended.
    pub fn input_ended(&mut self) {
        self.ended = true;
    }

    /// Gives a record its number; the record that is to be told before it, where its run begins.
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
    /// Nothing told yet; see [`Numbers::new`].
    pub fn new(out: Output, otherwise: &str) -> Numbered {
        Numbered { out, numbers: Numbers::new(otherwise) }
    }

    /// Tells a record.
    pub fn record(&mut self, mut record: GameRecord) -> Result<()> {
        let begins = self.numbers.number(&mut record);
        if self.numbers.withheld {
            return Ok(());
        }
        begins.map_or(Ok(()), |stream| self.out.record(&stream))?;
        self.out.line(|line| record.write(line))
    }

    /// Writes out what is in hand.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}
