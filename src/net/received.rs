//! The records that a subscriber has of each line: repeated ones are dropped, gaps detected.

use std::{collections::HashMap, sync::Arc};

use super::{
    place::Place,
    subscriber::{Arrived, Carried},
};
use crate::record::{Stream, label};

/// The state of all lines.
#[derive(Debug, Default)]
pub struct Received {
    lines: HashMap<Arc<str>, LineReceived>,
    /// The sequence up to which messages of all lines were read.
    all: u64,
    /// The number of changes to another run.
    runs: u64,
}

/// The state of a line.
#[derive(Debug, Default)]
struct LineReceived {
    /// The last place of each run.
    runs: HashMap<Arc<str>, Place>,
    /// The run that was written last.
    now: Option<Arc<str>>,
    /// The sequence of the last message of this line; 0 before the first.
    sequence: u64,
}

/// The result of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NewRecords {
    /// The new records, to be written.
    pub text: Vec<u8>,
    /// The messages of this line between these two sequences are missing.
    pub gap: Option<(u64, u64)>,
}

impl Received {
    /// Reads a record of the journal, which was written before.
    pub fn recall(&mut self, text: &[u8]) {
        let Ok(label) = label(text) else { return };
        let name = label.line.as_deref().unwrap_or_default();
        if !self.lines.contains_key(name) {
            self.lines.insert(name.into(), LineReceived::default());
        }
        let Some(line) = self.lines.get_mut(name) else { return };
        if let Some(run) = label.run {
            let run: Arc<str> = run.into();
            line.runs.entry(run.clone()).or_default();
            line.now = Some(run);
        } else if let Some(last) = line.now.as_ref().and_then(|run| line.runs.get_mut(run)) {
            *last = last.next(label.seq).max(*last);
        }
    }

    /// Reads the sequence of a line's message that was written before.
    pub fn recall_sequence(&mut self, line: &str, sequence: u64) {
        self.lines.entry(line.into()).or_default().sequence = sequence;
    }

    /// The messages of all lines were read up to this sequence.
    pub fn recall_all(&mut self, sequence: u64) {
        self.all = sequence;
    }

    /// The server's stream was created again: its sequences start again.
    pub fn restart(&mut self) {
        self.all = 0;
        self.lines.values_mut().for_each(|line| line.sequence = 0);
    }

    /// The number of changes to another run: while it is the same, so is the result of `standing`.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The stream record of the current run of each line: a new journal begins with them.
    pub fn standing(&self) -> impl Iterator<Item = Stream> {
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_unstable_by(|a, b| a.0.cmp(b.0));
        let named = |(name, line): (&Arc<str>, &LineReceived)| {
            Some(Stream::of_run(
                line.now.as_ref()?.to_string(),
                Some(name.clone()).filter(|name| !name.is_empty()),
            ))
        };
        lines.into_iter().filter_map(named)
    }

    /// Reads a message; returns what is new in it.
    pub fn take(&mut self, message: &Arrived) -> NewRecords {
        let line = self.lines.entry(message.line.clone()).or_default();
        let read = std::mem::replace(&mut line.sequence, message.sequence).max(self.all);
        let Some(carried) = &message.carried else { return NewRecords::default() };
        let gap = (carried.before > read).then_some((read, carried.before));
        let known = line.runs.get(&carried.run).copied();
        let mut text = Vec::new();
        match known {
            Some(known) if carried.last <= known => {}
            Some(known) if carried.first <= known => new_records(carried, known, &mut text),
            _ => text.extend_from_slice(&carried.text),
        }
        if text.is_empty() {
            return NewRecords { text, gap };
        }
        line.runs.insert(carried.run.clone(), carried.last);
        let begins_run = known.is_none() && carried.first == Place::default();
        if !begins_run && line.now.as_ref() != Some(&carried.run) {
            let stream = Stream::of_run(carried.run.to_string(), Some(message.line.clone()));
            let mut begun = serde_json::to_vec(&stream).unwrap_or_default();
            begun.push(b'\n');
            text.splice(..0, begun);
        }
        if line.now.as_ref() != Some(&carried.run) {
            line.now = Some(carried.run.clone());
            self.runs += 1;
        }
        NewRecords { text, gap }
    }
}

/// Appends the records of a message after a place.
fn new_records(carried: &Carried, known: Place, to: &mut Vec<u8>) {
    let mut place = None;
    for record in carried.text.split_inclusive(|&byte| byte == b'\n') {
        let Ok(label) = label(record) else { continue };
        let next = place.map_or(carried.first, |place: Place| place.next(label.seq));
        place = Some(next);
        if next > known {
            to.extend_from_slice(record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(sequence: u64, before: u64, run: &str, numbers: &[u64]) -> Arrived {
        let stream = format!("{{\"type\":\"stream\",\"line\":\"x\",\"run\":\"{run}\"}}\n");
        let text: String = numbers
            .iter()
            .map(|&seq| {
                if seq == 0 {
                    stream.clone()
                } else {
                    format!("{{\"type\":\"quiet\",\"line\":\"x\",\"seq\":{seq}}}\n")
                }
            })
            .collect();
        let place = |at: Option<&u64>| Place { seq: *at.unwrap(), part: 0 };
        let carried = Carried {
            run: run.into(),
            first: place(numbers.first()),
            last: place(numbers.last()),
            before,
            text: text.into(),
        };
        Arrived { line: "x".into(), sequence, stored: String::new(), carried: Some(carried) }
    }

    /// The numbers of the new records, streams as the names of their runs; and the gap.
    fn new_in(received: &mut Received, message: &Arrived) -> (String, Option<(u64, u64)>) {
        let NewRecords { text, gap } = received.take(message);
        let mut words = Vec::new();
        for record in text.split(|&byte| byte == b'\n').filter(|record| !record.is_empty()) {
            let label = label(record).unwrap();
            words.push(label.run.unwrap_or_else(|| label.seq.unwrap().to_string()));
        }
        (words.join(" "), gap)
    }

    #[test]
    fn repeated_records_are_dropped_by_run_and_number() {
        let mut received = Received::default();
        assert_eq!(new_in(&mut received, &message(3, 0, "a", &[0, 1, 2])), ("a 1 2".into(), None));
        assert_eq!(new_in(&mut received, &message(4, 3, "a", &[0, 1, 2])), (String::new(), None));
        assert_eq!(new_in(&mut received, &message(5, 4, "a", &[2, 3])), ("3".into(), None));
        assert_eq!(new_in(&mut received, &message(6, 5, "b", &[0, 1])), ("b 1".into(), None));
        // An old journal, published again with new records at its end: its run is written.
        assert_eq!(new_in(&mut received, &message(9, 6, "a", &[0, 1, 2, 3])), (String::new(), None));
        assert_eq!(new_in(&mut received, &message(12, 9, "a", &[3, 4])), ("a 4".into(), None));
        assert_eq!(new_in(&mut received, &message(13, 12, "b", &[2])), ("b 2".into(), None));
    }

    #[test]
    fn a_missing_message_is_detected() {
        let mut received = Received::default();
        assert_eq!(new_in(&mut received, &message(7, 4, "a", &[5])), ("a 5".into(), Some((0, 4))));
        assert_eq!(new_in(&mut received, &message(9, 8, "a", &[9])), ("9".into(), Some((7, 8))));
        // A server that lost its last messages numbers new ones from there.
        assert_eq!(new_in(&mut received, &message(8, 7, "a", &[9])), (String::new(), None));
    }

    #[test]
    fn a_foreign_message_leaves_no_gap() {
        let mut received = Received::default();
        assert_eq!(new_in(&mut received, &message(3, 0, "a", &[0, 1])), ("a 1".into(), None));
        let foreign = Arrived { line: "x".into(), sequence: 4, stored: String::new(), carried: None };
        assert_eq!(new_in(&mut received, &foreign), (String::new(), None));
        assert_eq!(new_in(&mut received, &message(5, 4, "a", &[2])), ("2".into(), None));
        assert_eq!(new_in(&mut received, &message(7, 6, "a", &[4])), ("4".into(), Some((5, 6))));
    }

    #[test]
    fn messages_of_unread_lines_are_not_missing() {
        let mut received = Received::default();
        received.recall_all(20);
        assert_eq!(new_in(&mut received, &message(21, 18, "a", &[5])), ("a 5".into(), None));
        assert_eq!(new_in(&mut received, &message(30, 25, "a", &[6])), ("6".into(), Some((21, 25))));
        // In another stream the sequences differ: messages that it lacks are missing too.
        received.restart();
        assert_eq!(new_in(&mut received, &message(5, 4, "a", &[9])), ("9".into(), Some((0, 4))));
    }

    #[test]
    fn a_new_journal_begins_with_current_runs() {
        let mut received = Received::default();
        new_in(&mut received, &message(1, 0, "a", &[0, 1]));
        let before = received.runs();
        new_in(&mut received, &message(2, 1, "a", &[2]));
        assert_eq!(received.runs(), before);
        new_in(&mut received, &message(3, 2, "b", &[0]));
        assert_ne!(received.runs(), before);
        let standing: Vec<_> = received.standing().map(|stream| (stream.run, stream.line)).collect();
        assert_eq!(standing, [("b".to_owned(), Some("x".into()))]);
    }

    #[test]
    fn records_of_the_journal_are_recognised() {
        let mut received = Received::default();
        for line in [
            r#"{"type":"stream","line":"x","run":"a"}"#,
            r#"{"type":"quiet","line":"x","seq":1}"#,
            r#"{"type":"ruling","line":"x"}"#,
            r#"{"type":"stream","line":"y","run":"a"}"#,
            r#"{"type":"quiet","line":"y","seq":7}"#,
        ] {
            received.recall(line.as_bytes());
        }
        received.recall_sequence("x", 4);
        assert_eq!(new_in(&mut received, &message(5, 4, "a", &[1, 2])), ("2".into(), None));
    }
}
