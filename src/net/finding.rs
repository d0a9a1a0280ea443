//! The record that the server has last of a line, looked for in what is read: publishing goes on behind it.

use std::{collections::HashMap, sync::Arc};

use super::{
    chunk::Chunk,
    place::{Place, is_newer},
};

/// What to do with records that were read.
#[derive(Debug, Default)]
pub struct Finding {
    /// What the server has last, while it is looked for.
    target: Option<Target>,
    /// How far each run was read: what is read again is dropped.
    read: HashMap<Arc<str>, Place>,
    /// The run that what is read began with.
    first: Option<Arc<str>>,
    /// Put by for a line that is taken over: published if the target is not there.
    put_by: Vec<Chunk>,
}

#[derive(Debug)]
struct Target {
    run: Arc<str>,
    place: Place,
    /// Its run was met.
    met: bool,
    /// What is read may be published though the target is not in it.
    take_over: bool,
}

/// The server has something that is not in what is read, which is no newer.
#[derive(Debug, PartialEq, Eq)]
pub struct Older;

impl Finding {
    /// Looks for this record from now on.
    pub fn look_for(&mut self, run: Arc<str>, place: Place, take_over: bool) {
        self.target = Some(Target { run, place, met: false, take_over });
    }

    /// How far a run was read.
    pub fn read(&self, run: &str) -> Option<Place> {
        self.read.get(run).copied()
    }

    /// Takes what was read next; brings what is to be published.
    ///
    /// # Errors
    /// [`Older`] when it shows that the target is not there.
    pub fn take(&mut self, chunk: Chunk) -> Result<Vec<Chunk>, Older> {
        let run = chunk.run.clone();
        let last = chunk.last();
        let chunk = match self.read.get(&run) {
            Some(&read) => chunk.behind(read),
            None => Some(chunk),
        };
        let Some(chunk) = chunk else { return Ok(Vec::new()) };
        self.read.insert(run.clone(), last);
        let first = self.first.get_or_insert_with(|| run.clone()).clone();
        let Some(target) = &mut self.target else { return Ok(vec![chunk]) };
        if run == target.run {
            target.met = true;
            self.put_by.clear();
            let (reached, behind) = (last >= target.place, chunk.behind(target.place));
            if reached {
                self.target = None;
            }
            return Ok(behind.into_iter().collect());
        }
        // What follows the target's run was never published, nor is anything of a journal that began later.
        if target.met || is_newer(&first, &target.run) {
            self.target = None;
            return Ok(vec![chunk]);
        }
        let passed = is_newer(&run, &target.run);
        match (target.take_over, passed) {
            (true, _) => self.put_by.push(chunk),
            (false, true) => return Err(Older),
            (false, false) => {}
        }
        if passed { Ok(self.not_there()) } else { Ok(Vec::new()) }
    }

    /// All that there is was read.
    ///
    /// # Errors
    /// [`Older`] when the target is not there.
    pub fn all_read(&mut self) -> Result<Vec<Chunk>, Older> {
        match &self.target {
            Some(target) if self.first.is_some() && target.take_over => Ok(self.not_there()),
            Some(_) if self.first.is_some() => Err(Older),
            _ => Ok(Vec::new()),
        }
    }

    fn not_there(&mut self) -> Vec<Chunk> {
        self.target = None;
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
            match finding.take(chunk.clone()) {
                Ok(chunks) => tell(chunks),
                Err(Older) => return (told, true),
            }
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
    fn what_is_read_twice_is_published_once() {
        let journal = [chunk(MID, &[0, 1]), chunk(NEW, &[0]), chunk(MID, &[0, 1, 2]), chunk(NEW, &[0])];
        assert_eq!(published((MID, 1), false, &journal), (format!("{NEW}:0 {MID}:2 "), false));
    }
}
