//! The record that the server has last of a line, looked for in what is read: publishing goes on behind it.

use std::{collections::HashMap, sync::Arc};

use super::{
    chunk::Chunk,
    place::{Place, is_newer},
};

/// So much is put by at most before it is published, whatever may come.
const PUT_BY: usize = 64 << 20;

/// What to do with records that were read.
#[derive(Debug, Default)]
pub struct Finding {
    /// What the server has last, while it is looked for.
    target: Option<Target>,
    /// How far each run was read: what is read again is dropped.
    read: HashMap<Arc<str>, Place>,
    /// The run that what is read began with.
    first: Option<Arc<str>>,
    /// Put by: published if the target is not there.
    put_by: Vec<Chunk>,
    put_by_bytes: usize,
    /// What is read begins behind what the server has, with records between: the last there and the first here.
    behind: Option<(u64, u64)>,
}

#[derive(Debug)]
struct Target {
    run: Arc<str>,
    place: Place,
    /// Its run was met.
    met: bool,
    /// The first number of its run that was read.
    begun: Option<u64>,
    /// A run that seems to have begun later was met before it.
    passed: bool,
    /// What is read may be published though the target is not in it.
    take_over: bool,
}

/// The server has something that is not in what is read, which is no newer.
#[derive(Debug, PartialEq, Eq)]
pub struct Older;

impl Finding {
    /// Looks for this record from now on.
    pub fn look_for(&mut self, run: Arc<str>, place: Place, take_over: bool) {
        self.target = Some(Target { run, place, met: false, begun: None, passed: false, take_over });
    }

    /// Whether something is still looked for.
    pub fn is_looking(&self) -> bool {
        self.target.is_some()
    }

    /// Whether what was read shows that the target is not there, unless a clock was put right: then a run that began later
    /// can seem older.
    pub fn has_passed(&self) -> bool {
        self.target.as_ref().is_some_and(|target| target.passed)
    }

    /// Whether something was read, and not what is looked for.
    pub fn has_begun_in_vain(&self) -> bool {
        self.first.is_some() && self.target.as_ref().is_some_and(|target| !target.met)
    }

    /// Where what is read begins behind what the server has last of its run, the numbers of both: said once.
    pub fn begins_behind(&mut self) -> Option<(u64, u64)> {
        self.behind.take()
    }

    /// How far a run was read.
    pub fn read(&self, run: &str) -> Option<Place> {
        self.read.get(run).copied()
    }

    /// Takes what was read next; brings what is to be published.
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
            // The record of a stream has no number: where a journal that was begun in the midst of a run begins shows later.
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
        // What follows the target's run was never published.
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

    /// Nothing more is there to read for now: what began later than the target is not waited with.
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

    /// All that there is was read.
    ///
    /// # Errors
    /// [`Older`] when the target is not there, and what was read is no newer.
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

    /// What is published of these chunks when the server has that record last, and whether the end says that it is older.
    fn published(target: (&str, u64), take_over: bool, chunks: &[Chunk]) -> (String, bool) {
        let mut finding = Finding::default();
        finding.look_for(target.0.into(), Place { seq: target.1, part: 0 }, take_over);
        let mut told = String::new();
        let mut tell = |chunks: Vec<Chunk>| {
            for chunk in chunks {
                told += &format!(
                    "{}:{} ",
                    chunk.run,
                    str::from_utf8(&chunk.text).unwrap().trim().replace('\n', ",")
                );
            }
        };
        for chunk in chunks {
            tell(finding.take(chunk.clone()));
        }
        let older = finding.all_read().map(&mut tell).is_err();
        (told, older)
    }

    #[test]
    fn it_goes_on_behind_the_record_that_the_server_has_last() {
        let journal = [chunk(OLD, &[0, 1]), chunk(MID, &[0, 1, 2, 3]), chunk(NEW, &[0, 1])];
        let told = |seq| published((MID, seq), false, &journal);
        assert_eq!(told(2), (format!("{MID}:3 {NEW}:0,1 "), false));
        assert_eq!(told(3), (format!("{NEW}:0,1 "), false));
        // The power went before the journal was on the disk: what follows is new all the same.
        assert_eq!(told(9), (format!("{NEW}:0,1 "), false));
        assert_eq!(published((NEW, 1), false, &journal), (String::new(), false));
    }

    #[test]
    fn a_new_journal_is_published_from_its_beginning_and_an_older_one_is_refused() {
        assert_eq!(published((OLD, 7), false, &[chunk(MID, &[0, 1])]), (format!("{MID}:0,1 "), false));
        for journal in
            [&[chunk(OLD, &[0, 1])][..], &[chunk(MID, &[0, 1])], &[chunk(OLD, &[0]), chunk(NEW, &[0])]]
        {
            assert_eq!(published((MID, 2), false, journal), (String::new(), true), "{journal:?}");
        }
        // Names that say nothing of their time may be older.
        assert!(published(("b", 1), false, &[chunk("a", &[0])]).1);
        // A journal that is still empty may become anything.
        assert_eq!(published((MID, 2), false, &[]), (String::new(), false));
    }

    #[test]
    fn a_line_that_is_taken_over_is_published_from_its_beginning_unless_it_was_already() {
        let journal = [chunk(OLD, &[0, 1]), chunk(OLD, &[2])];
        assert_eq!(published((MID, 2), true, &journal), (format!("{OLD}:0,1 {OLD}:2 "), false));
        assert_eq!(published((OLD, 1), true, &journal), (format!("{OLD}:2 "), false));
        let passed = [chunk(OLD, &[0]), chunk(NEW, &[0])];
        assert_eq!(published((MID, 2), true, &passed), (format!("{OLD}:0 {NEW}:0 "), false));
    }

    #[test]
    fn a_clock_that_was_put_right_between_two_runs_hides_nothing() {
        // The second run began before the first, by its name.
        let journal = [chunk(OLD, &[0]), chunk(NEW, &[0, 1]), chunk(MID, &[0, 1])];
        assert_eq!(published((MID, 0), false, &journal), (format!("{MID}:1 "), false));
        assert_eq!(published((MID, 0), false, &journal[1..]), (format!("{MID}:1 "), false));
        assert_eq!(published((NEW, 0), false, &journal), (format!("{NEW}:1 {MID}:0,1 "), false));
    }

    #[test]
    fn a_new_journal_is_not_waited_with_where_its_end_is_never_known() {
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
    fn what_is_read_twice_is_published_once() {
        let journal = [chunk(MID, &[0, 1]), chunk(NEW, &[0]), chunk(MID, &[0, 1, 2]), chunk(NEW, &[0])];
        assert_eq!(published((MID, 1), false, &journal), (format!("{NEW}:0 {MID}:2 "), false));
    }
}
