//! Finds the record that the server has last of a line in the input: publishing continues after it.

use std::{collections::HashMap, sync::Arc};

use super::{
    chunk::Chunk,
    place::{Place, is_newer},
};

/// The most that is held back before it is published in any case, in bytes.
const PUT_BY: usize = 64 << 20;

/// The state of the search in the input of a line.
#[derive(Debug, Default)]
pub struct Finding {
    /// The record that the server has last, while it is looked for.
    target: Option<Target>,
    /// The last place read of each run: repeated records are dropped.
    read: HashMap<Arc<str>, Place>,
    /// The run with which the input began.
    first: Option<Arc<str>>,
    /// Chunks held back: published if the target is not found.
    put_by: Vec<Chunk>,
    put_by_bytes: usize,
    /// The input begins after the last record that the server has, with records missing between: the last number there
    /// and the first here.
    behind: Option<(u64, u64)>,
}

#[derive(Debug)]
struct Target {
    run: Arc<str>,
    place: Place,
    /// Its run was found.
    met: bool,
    /// The first number of its run in the input.
    begun: Option<u64>,
    /// A run that seems to be later was found before it.
    passed: bool,
    /// The input may be published without the target.
    take_over: bool,
}

/// The server has a record that is not in the input, and the input is no newer.
#[derive(Debug, PartialEq, Eq)]
pub struct Older;

impl Finding {
    /// Looks for this record from now on.
    pub fn look_for(&mut self, run: Arc<str>, place: Place, take_over: bool) {
        self.target = Some(Target { run, place, met: false, begun: None, passed: false, take_over });
    }

    /// Whether a record is still looked for.
    pub fn is_looking(&self) -> bool {
        self.target.is_some()
    }

    /// Whether the input shows that the target is not there, unless a clock was corrected: then a later run can seem
    /// older.
    pub fn has_passed(&self) -> bool {
        self.target.as_ref().is_some_and(|target| target.passed)
    }

    /// Whether there was input without the target.
    pub fn has_begun_in_vain(&self) -> bool {
        self.first.is_some() && self.target.as_ref().is_some_and(|target| !target.met)
    }

    /// Where the input begins after the last record of its run on the server, the numbers of both: returned once.
    pub fn begins_behind(&mut self) -> Option<(u64, u64)> {
        self.behind.take()
    }

    /// The last place read of a run.
    pub fn read(&self, run: &str) -> Option<Place> {
        self.read.get(run).copied()
    }

    /// Takes the next chunk; returns the chunks to publish.
    pub fn take(&mut self, chunk: Chunk) -> Vec<Chunk> {
        let run = chunk.run.clone();
        let last = chunk.last();
        let chunk = match self.read.get(&run) {
            Some(&read) => chunk.behind(read),
            None => Some(chunk),
        };
        let Some(chunk) = chunk else { return Vec::new() };
        self.read.insert(run.clone(), last);
        let first = self.first.get_or_insert_with(|| run.clone());
        let Some(target) = &mut self.target else { return vec![chunk] };
        if run == target.run {
            // The stream record has no number: where a journal begun within a run begins is found out later.
            let number = chunk.records.iter().map(|record| record.0.seq).find(|&seq| seq > 0);
            if let (None, Some(first)) = (target.begun, number) {
                target.begun = Some(first);
                self.behind = (first > target.place.seq + 1).then_some((target.place.seq, first));
            }
            target.met = true;
            (self.put_by, self.put_by_bytes) = Default::default();
            let (reached, behind) = (last >= target.place, chunk.behind(target.place));
            if reached {
                self.target = None;
            }
            return behind.into_iter().collect();
        }
        // Runs after the target's were never published.
        if target.met {
            self.target = None;
            return vec![chunk];
        }
        target.passed |= is_newer(&run, &target.run);
        if target.take_over || is_newer(first, &target.run) {
            self.put_by_bytes += chunk.text.len();
            self.put_by.push(chunk);
        }
        if self.put_by_bytes > PUT_BY { self.not_there() } else { Vec::new() }
    }

    /// The input pauses: runs later than the target are not held back any longer.
    pub fn pause(&mut self) -> Vec<Chunk> {
        match (&self.target, &self.first) {
            (Some(target), Some(first))
                if !target.met && (target.take_over || is_newer(first, &target.run)) =>
            {
                self.not_there()
            }
            _ => Vec::new(),
        }
    }

    /// The input has ended.
    ///
    /// # Errors
    /// [`Older`] when the target was not found, and the input is no newer.
    pub fn all_read(&mut self) -> Result<Vec<Chunk>, Older> {
        match (&self.target, &self.first) {
            (Some(target), Some(first)) if target.take_over || is_newer(first, &target.run) => {
                Ok(self.not_there())
            }
            (Some(_), Some(_)) => Err(Older),
            _ => Ok(Vec::new()),
        }
    }

    fn not_there(&mut self) -> Vec<Chunk> {
        self.target = None;
        self.put_by_bytes = 0;
        std::mem::take(&mut self.put_by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "20261121T090000-1";
    const MID: &str = "20261121T100000-1";
    const NEW: &str = "20261121T110000-1";

    fn chunk(run: &str, numbers: &[u64]) -> Chunk {
        let mut text = Vec::new();
        let records = numbers.iter().map(|&seq| {
            text.extend(format!("{seq}\n").bytes());
            (Place { seq, part: 0 }, text.len())
        });
        let records = records.collect();
        Chunk { line: "x".into(), run: run.into(), text: text.into(), records }
    }

    /// The chunks that are published when the server has that record last, and whether the end reports an older input.
    fn published(target: (&str, u64), take_over: bool, chunks: &[Chunk]) -> (String, bool) {
        let mut finding = Finding::default();
        finding.look_for(target.0.into(), Place { seq: target.1, part: 0 }, take_over);
        let mut text = String::new();
        let mut add = |chunks: Vec<Chunk>| {
            for chunk in chunks {
                text += &format!(
                    "{}:{} ",
                    chunk.run,
                    str::from_utf8(&chunk.text).unwrap().trim().replace('\n', ",")
                );
            }
        };
        for chunk in chunks {
            add(finding.take(chunk.clone()));
        }
        let older = finding.all_read().map(&mut add).is_err();
        (text, older)
    }

    #[test]
    fn publishing_continues_after_the_servers_last_record() {
        let journal = [chunk(OLD, &[0, 1]), chunk(MID, &[0, 1, 2, 3]), chunk(NEW, &[0, 1])];
        let after = |seq| published((MID, seq), false, &journal);
        assert_eq!(after(2), (format!("{MID}:3 {NEW}:0,1 "), false));
        assert_eq!(after(3), (format!("{NEW}:0,1 "), false));
        // The power failed before the journal was on disk: the following records are new.
        assert_eq!(after(9), (format!("{NEW}:0,1 "), false));
        assert_eq!(published((NEW, 1), false, &journal), (String::new(), false));
    }

    #[test]
    fn an_older_journal_is_refused() {
        assert_eq!(published((OLD, 7), false, &[chunk(MID, &[0, 1])]), (format!("{MID}:0,1 "), false));
        for journal in
            [&[chunk(OLD, &[0, 1])][..], &[chunk(MID, &[0, 1])], &[chunk(OLD, &[0]), chunk(NEW, &[0])]]
        {
            assert_eq!(published((MID, 2), false, journal), (String::new(), true), "{journal:?}");
        }
        // Names without a time may be older.
        assert!(published(("b", 1), false, &[chunk("a", &[0])]).1);
        // An empty journal may become anything.
        assert_eq!(published((MID, 2), false, &[]), (String::new(), false));
    }

    #[test]
    fn a_line_taken_over_is_published_once() {
        let journal = [chunk(OLD, &[0, 1]), chunk(OLD, &[2])];
        assert_eq!(published((MID, 2), true, &journal), (format!("{OLD}:0,1 {OLD}:2 "), false));
        assert_eq!(published((OLD, 1), true, &journal), (format!("{OLD}:2 "), false));
        let passed = [chunk(OLD, &[0]), chunk(NEW, &[0])];
        assert_eq!(published((MID, 2), true, &passed), (format!("{OLD}:0 {NEW}:0 "), false));
    }

    #[test]
    fn a_corrected_clock_hides_no_run() {
        // By its name the second run began before the first.
        let journal = [chunk(OLD, &[0]), chunk(NEW, &[0, 1]), chunk(MID, &[0, 1])];
        assert_eq!(published((MID, 0), false, &journal), (format!("{MID}:1 "), false));
        assert_eq!(published((MID, 0), false, &journal[1..]), (format!("{MID}:1 "), false));
        assert_eq!(published((NEW, 0), false, &journal), (format!("{NEW}:1 {MID}:0,1 "), false));
    }

    #[test]
    fn a_pipe_is_published_without_its_end() {
        let mut finding = Finding::default();
        finding.look_for(OLD.into(), Place { seq: 7, part: 0 }, false);
        assert!(finding.take(chunk(MID, &[0, 1])).is_empty());
        assert!(finding.has_passed());
        assert_eq!(finding.pause().len(), 1);
        assert!(!finding.is_looking());
        assert_eq!(finding.take(chunk(MID, &[2])).len(), 1);
        finding.look_for(NEW.into(), Place { seq: 7, part: 0 }, false);
        assert!(
            finding.take(chunk(OLD, &[0])).is_empty() && finding.pause().is_empty() && !finding.has_passed()
        );
    }

    #[test]
    fn repeated_input_is_published_once() {
        let journal = [chunk(MID, &[0, 1]), chunk(NEW, &[0]), chunk(MID, &[0, 1, 2]), chunk(NEW, &[0])];
        assert_eq!(published((MID, 1), false, &journal), (format!("{NEW}:0 {MID}:2 "), false));
    }
}
