//! The journal of a watch: what was published is on disk before it is printed and before its board is asked again.
//!
//! A journal is the stream of records as it was printed. One that a killed run left may end in half a line; that
//! was neither printed nor, as far as its board knows, published, so it is cut off and asked for again.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::Arc,
};

use rustix::fs::{FlockOperation, flock};

use super::{Recalled, followed_board::FollowedBoard};
use crate::{
    error::{Error, Result},
    record::{self, BoardEvent, BoardFound, BoardRecord, Mode, Record},
};

/// No record is longer: 1 MiB.
const LONGEST_LINE: u64 = 1 << 20;

/// An open journal.
pub struct Journal {
    file: File,
    name: String,
}

impl Journal {
    /// Opens or begins a journal; `each` gets the whole lines that are in it, with their ends.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be read and written, or belongs to a watch that is going on; [`Error::Data`] when
    /// it is no journal.
    pub fn open(path: &Path, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<Journal> {
        let name = path.display().to_string();
        let failed = |error| Error::io(&name, error);
        let file = File::options().read(true).append(true).create(true).open(path).map_err(failed)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|e| {
            let busy = e == rustix::io::Errno::WOULDBLOCK;
            let e = if busy { std::io::Error::other("another watch writes to it") } else { e.into() };
            Error::io(&name, e)
        })?;
        let mut reader = BufReader::with_capacity(1 << 16, &file);
        let (mut line, mut whole, mut number) = (Vec::new(), 0, 0u64);
        loop {
            line.clear();
            let n = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed)?;
            if n == 0 {
                break;
            }
            number += 1;
            // What is no journal is somebody else's file: nothing is written to it, and nothing cut off.
            let of_a_game = || is_of_a_game(&line).then_some("a record of a game, not of a board");
            let foreign = if is_a_record(&line) { of_a_game() } else { Some("no record") };
            if let Some(what) = foreign {
                let what = format!("{name}:{number}: is {what}: give --journal a file of its own");
                return Err(Error::Data(what));
            }
            if !line.ends_with(b"\n") {
                break;
            }
            each(&line)?;
            whole += n as u64;
        }
        file.set_len(whole).map_err(failed)?;
        (&file).seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Journal { file, name })
    }

    /// The file, as messages name it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Appends whole lines; when this returns they are on disk.
    pub fn append(&mut self, lines: &[u8]) -> Result<()> {
        self.file
            .write_all(lines)
            .and_then(|()| self.file.sync_data())
            .map_err(|error| Error::io(&self.name, error))
    }
}

/// Whether a line of a file, or half a line at its end, is or was to be a record. Those that cannot be read are let
/// pass: a journal outlives what damages one of its lines.
fn is_a_record(line: &[u8]) -> bool {
    const BEGINS: &[u8] = b"{\"";
    let whole = line.ends_with(b"\n");
    let short = (line.len() as u64) < LONGEST_LINE;
    let blank = line.trim_ascii().is_empty();
    short && (blank || line.starts_with(BEGINS) || !whole && BEGINS.starts_with(line))
}

/// Whether a line is of what `reconstruct` tells, by its beginning: the type comes first.
fn is_of_a_game(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"{\"type\":\"").and_then(|rest| rest.split(|&byte| byte == b'"').next());
    matches!(name, Some(b"game" | b"move" | b"takeback" | b"anomaly" | b"end"))
}

/// Learns from a journal what its boards told.
#[derive(Default)]
pub struct Recall {
    lines: BTreeMap<Option<Arc<str>>, RecalledLine>,
}

/// What a journal says of one line.
#[derive(Default)]
struct RecalledLine {
    mode: Option<Mode>,
    boards: Recalled,
    /// Histories that have begun, by board.
    open: BTreeMap<u16, Open>,
}

/// A history that has begun.
struct Open {
    /// How many records are still to come.
    left: u64,
    /// Those that came.
    events: Vec<BoardEvent>,
}

impl Recall {
    /// Takes a line of a journal; what is no record of a board says nothing here.
    pub fn line(&mut self, line: &[u8]) {
        if let Ok(Record::Board(BoardRecord { line, board: Some(address), event, .. })) = record::parse(line)
        {
            self.lines.entry(line).or_default().event(address, event);
        }
    }

    /// The boards of the line with this name, and how they were spoken to. A history that a kill cut short has told
    /// what it told.
    pub fn line_named(&mut self, line: Option<&str>) -> (Recalled, Option<Mode>) {
        let Some(line) = self.lines.get_mut(&line.map(Into::into)) else { return Default::default() };
        let RecalledLine { mode, boards, open } = line;
        // Nobody knows now what was told: the board's own log will be.
        boards.extend(std::mem::take(open).into_keys().map(|board| (board, FollowedBoard::new(board))));
        (std::mem::take(boards), *mode)
    }
}

impl RecalledLine {
    fn event(&mut self, address: u16, event: BoardEvent) {
        if let BoardEvent::Board(BoardFound { mode: Some(mode), .. }) = event {
            self.mode = Some(mode);
        }
        let board = self.boards.entry(address).or_insert_with(|| FollowedBoard::new(address));
        if let Some(open) = self.open.get_mut(&address) {
            open.events.push(event);
            open.left -= 1;
            if open.left == 0 {
                board.learn_anew(&open.events);
                self.open.remove(&address);
            }
            return;
        }
        match event {
            BoardEvent::History(history) if history.count > 0 => {
                self.open.insert(address, Open { left: history.count, events: Vec::new() });
            }
            BoardEvent::Change(_) | BoardEvent::Press(_) | BoardEvent::Mark(_) => board.learn(&[event]),
            BoardEvent::Position(position) => board.stands(position.placement),
            BoardEvent::Quiet {} => board.list_ended(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_rest_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, "{\"type\":\"quiet\"}\n{\"type\":\"qui").unwrap();
        let mut lines = Vec::new();
        let mut journal = Journal::open(&path, |line| {
            lines.push(line.to_owned());
            Ok(())
        })
        .unwrap();
        assert_eq!(lines, [b"{\"type\":\"quiet\"}\n"]);
        journal.append(b"{\"type\":\"lost\"}\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"type\":\"quiet\"}\n{\"type\":\"lost\"}\n");
        let error = Journal::open(&path, |_| Ok(())).err().unwrap();
        assert!(error.to_string().ends_with("another watch writes to it"), "{error}");
    }

    #[test]
    fn a_file_of_games_is_no_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let games = "{\"type\":\"stream\",\"records\":1}\n{\"type\":\"game\",\"board\":1,\"game\":1}\n";
        std::fs::write(&path, games).unwrap();
        let error = Journal::open(&path, |_| Ok(())).err().unwrap().to_string();
        assert!(error.contains("games.jsonl:2: is a record of a game"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), games);
    }

    #[test]
    fn a_file_that_is_no_journal_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let games = "[Event \"Somebody's only copy\"]\n\n1. e4 e5 *".to_owned();
        let binary = "x".repeat(3 << 20);
        let long = format!("{{\"type\":\"quiet\"}}\n{{\"{}", "x".repeat(3 << 20));
        for (content, line) in [(games, 1), (binary, 1), (long, 2)] {
            std::fs::write(&path, &content).unwrap();
            let error = Journal::open(&path, |_| Ok(())).err().unwrap();
            assert!(
                error
                    .to_string()
                    .ends_with(&format!("games.pgn:{line}: is no record: give --journal a file of its own"))
            );
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn a_journal_recalls_position_and_story_of_each_board() {
        let mut recall = Recall::default();
        for line in [
            r#"{"type":"stream","records":1,"run":"a"}"#,
            r#"{"type":"mark","board":1025,"mark":"start","listing":true,"seq":1}"#,
            r#"{"type":"change","board":1025,"square":"e1","piece":"K","seq":2}"#,
            r#"{"type":"quiet","board":1025,"seq":3}"#,
            r#"{"type":"history","board":1026,"reason":"lost","count":2,"complete":true}"#,
            r#"{"type":"change","board":1025,"square":"e1","piece":null,"seq":4}"#,
            r#"{"type":"mark","board":1026,"mark":"start","listing":true}"#,
            r#"{"type":"change","board":1026,"square":"e8","piece":"k"}"#,
            r#"{"type":"change","line":"b","board":1025,"square":"e1","piece":"K"}"#,
            "half a lin",
        ] {
            recall.line(line.as_bytes());
        }
        let boards = recall.line_named(None).0;
        let stands = |board: u16| boards[&board].tracker.placement().unwrap().to_string();
        assert_eq!(stands(1025), "8/8/8/8/8/8/8/8");
        assert_eq!(stands(1026), "4k3/8/8/8/8/8/8/8");
        assert!(boards[&1025].tracker.knows_start());
        assert_eq!(recall.line_named(Some("b")).0.len(), 1);
        assert!(recall.line_named(Some("c")).0.is_empty());
    }
}
