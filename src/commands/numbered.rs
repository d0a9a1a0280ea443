//! The numbers of what `reconstruct` tells.

use std::{collections::HashMap, sync::Arc};

use sha2::{Digest, Sha256};

use crate::{
    error::Result,
    record::{GameRecord, Stream},
    stdio::Output,
};

/// Standard output, with the records of each line numbered in a run of their own.
///
/// What becomes of a line hangs on its board records alone, so its run has its name from the first of theirs: wherever and
/// however often they are reconstructed, a record has the same number, and who has it already drops it. What is only
/// told because the input ended, a longer input would tell otherwise; that is another run. A line whose run
/// nobody named is not numbered.
///
/// An arbiter's word that does not come in the order of the records may be known sooner the next time, and everything be
/// told otherwise: from there on it is another run too.
pub(super) struct Numbered {
    out: Output,
    lines: HashMap<Option<Arc<str>>, Run>,
    /// What was ruled beside the records of a line.
    ruled: HashMap<Option<Arc<str>>, Mark>,
    ended: bool,
}

/// The run of a line.
#[derive(Default)]
struct Run {
    /// The first run of its board records.
    of: String,
    /// How many records it has.
    count: u64,
    /// How many it had when the input ended, once one was told after that.
    ended_at: Option<u64>,
}

/// What was ruled, as a part of a run's name: the same words have the same mark in every version of the program.
#[derive(Default)]
struct Mark(Sha256);

impl Mark {
    const BEGIN: &str = "-ruled-";

    fn add(&mut self, ruling: &GameRecord) {
        self.0.update(serde_json::to_vec(ruling).unwrap_or_default());
    }

    /// The name of a run with this mark, in place of the one it may have.
    fn on(&self, run: &str) -> String {
        let first = run.split(Mark::BEGIN).next().unwrap_or_default();
        let digest = self.0.clone().finalize();
        digest
            .iter()
            .take(8)
            .fold(format!("{first}{}", Mark::BEGIN), |name, byte| format!("{name}{byte:02x}"))
    }
}

impl Numbered {
    /// Nothing told yet.
    pub fn new(out: Output) -> Numbered {
        Numbered { out, lines: HashMap::new(), ruled: HashMap::new(), ended: false }
    }

    /// A source of board records begins.
    pub fn stream(&mut self, stream: &Stream) {
        let ruled = self.ruled.get(&stream.line).filter(|_| !stream.run.is_empty());
        let name = ruled.map_or_else(|| stream.run.clone(), |mark| mark.on(&stream.run));
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

    /// What comes now is only told because the input ended.
    pub fn input_ended(&mut self) {
        self.ended = true;
    }

    /// Tells a record.
    pub fn record(&mut self, mut record: GameRecord) -> Result<()> {
        let Some(run) = self.lines.get_mut(&record.line).filter(|run| !run.of.is_empty()) else {
            return self.out.record(&record);
        };
        let of = Stream::games_of(&run.of);
        let begins = match (self.ended, run.ended_at) {
            (false, _) => (run.count == 0).then_some(of),
            (true, Some(_)) => None,
            (true, None) => {
                let count = std::mem::take(&mut run.count);
                run.ended_at = Some(count);
                Some(Stream::ended(&of, count))
            }
        };
        run.count += 1;
        record.seq = Some(run.count);
        if let Some(run) = begins {
            self.out.record(&Stream::of_run(run, record.line.clone()))?;
        }
        self.out.record(&record)
    }

    /// Writes out what is in hand.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}
