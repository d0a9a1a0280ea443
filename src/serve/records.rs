//! The feed of records: those of boards and of games, as JSON lines, from now on or after a record that a client has.
//!
//! The last records are kept for clients that come back, up to a number of bytes; older ones are in the journal.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use tungstenite::Utf8Bytes;

use super::{feeds::Outbox, json::compact, routes::asked};
use crate::record::{BoardName, Stream};

/// How many bytes of records are kept.
const KEPT_BYTES_MAX: usize = 12 << 20;
/// How many bytes are sent at once to a client that catches up.
const BATCH_BYTES: usize = 128 << 10;
/// The memory for a record besides its text, in bytes.
const RECORD_OVERHEAD_BYTES: usize = 96;

/// The records that a client wants.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Those of these boards; all where none is listed.
    boards: Vec<u16>,
    /// Those after the record with this number of a run; 0 is its beginning.
    behind: Option<(String, u64)>,
}

impl Wanted {
    /// The records that a query asks for.
    ///
    /// # Errors
    /// The problem with the query.
    pub fn of(query: &str) -> Result<Wanted, String> {
        let boards = asked(query, "board").unwrap_or_default();
        let boards = boards.split(',').filter(|board| !board.is_empty());
        let boards = boards.map(|board| board.parse().map_err(|_| format!("board {board} is no address")));
        let behind = match (asked(query, "run"), asked(query, "seq")) {
            (Some(run), Some(seq)) => {
                Some((run, seq.parse().map_err(|_| format!("seq {seq} is no number"))?))
            }
            (None, None) => None,
            _ => return Err("`run` and `seq` go together: those of the last record that you have".into()),
        };
        Ok(Wanted { boards: boards.collect::<Result<_, _>>()?, behind })
    }

    fn has(&self, board: Option<u16>) -> bool {
        self.boards.is_empty() || board.is_none_or(|board| self.boards.contains(&board))
    }
}

/// A record that is kept.
struct Kept {
    run: Arc<str>,
    seq: Option<u64>,
    /// None for records about a whole line.
    board: Option<u16>,
    text: Utf8Bytes,
}

/// A line, and whether these are the records of its games.
type Layer = (Option<Arc<str>>, bool);
/// The name of a run, and its stream record.
type Run = (Arc<str>, Utf8Bytes);

/// A client of the feed.
struct Follower {
    client: u64,
    wanted: Wanted,
    /// The number of the next record to send, while it catches up.
    next: Option<u64>,
}

/// The feed of records.
#[derive(Default)]
pub struct Records {
    kept: VecDeque<Kept>,
    bytes: usize,
    /// The current runs of each line, of boards and of games, with their stream records.
    runs: HashMap<Layer, Run>,
    /// The number of records that came before those that are kept.
    gone_by: u64,
    /// Where each run began, in the same numbers as `gone_by`.
    began: HashMap<Arc<str>, u64>,
    followers: Vec<Follower>,
}

impl Records {
    /// Adds a stream record, of boards or of games.
    pub fn stream(&mut self, stream: &Stream, out: &mut Outbox) {
        let run: Arc<str> = stream.run.as_str().into();
        let text = Utf8Bytes::from(compact(stream));
        let of_games = Stream::is_of_games(&stream.run);
        self.began.entry(run.clone()).or_insert(self.gone_by + self.kept.len() as u64);
        self.runs.insert((stream.line.clone(), of_games), (run.clone(), text.clone()));
        self.add(Kept { run, seq: None, board: None, text }, out);
    }

    /// Adds a record as a line.
    pub fn record(
        &mut self,
        name: BoardName,
        of_game: bool,
        seq: Option<u64>,
        text: String,
        out: &mut Outbox,
    ) {
        let (line, board) = name;
        let run = self.runs.get(&(line, of_game)).map(|(run, _)| run.clone());
        self.add(Kept { run: run.unwrap_or_default(), seq, board, text: text.into() }, out);
    }

    fn add(&mut self, kept: Kept, out: &mut Outbox) {
        let wants = |follower: &&Follower| follower.next.is_none() && follower.wanted.has(kept.board);
        let wants = self.followers.iter().filter(wants);
        out.extend(wants.map(|follower| (follower.client, kept.text.clone())));
        self.bytes += kept.text.len() + RECORD_OVERHEAD_BYTES;
        self.kept.push_back(kept);
        while self.bytes > KEPT_BYTES_MAX {
            let Some(old) = self.kept.pop_front() else { return };
            self.bytes -= old.text.len() + RECORD_OVERHEAD_BYTES;
            self.gone_by += 1;
        }
    }

    /// The number of the first record that a client wants.
    ///
    /// # Errors
    /// When it is no longer kept.
    pub fn find(&self, wanted: &Wanted) -> Result<usize, String> {
        let Some((run, seq)) = &wanted.behind else { return Ok(self.kept.len()) };
        let is_it = |kept: &Kept| *kept.run == **run && kept.seq == Some(*seq);
        let found = match seq {
            0 => {
                self.began.get(&**run).and_then(|began| began.checked_sub(self.gone_by)).map(|at| at as usize)
            }
            _ => self.kept.iter().rposition(is_it),
        };
        let found = found.map(|at| at + 1);
        found.ok_or_else(|| format!("record {seq} of run {run} is not kept here: ask without run and seq, and read what is missing in the journal"))
    }

    /// Adds a client, which gets the records from a place that was found by [`Records::catch_up`].
    pub fn follow(&mut self, client: u64, wanted: Wanted, from: usize, out: &mut Outbox) {
        let mut begins: Vec<&Run> = self.runs.values().collect();
        // Stream records: those of boards before those of games, and last that of the run of the first record.
        let run = from.checked_sub(1).filter(|_| wanted.behind.is_some()).map(|at| &self.kept[at].run);
        begins.sort_by_key(|(of, _)| (Some(of) == run, Stream::is_of_games(of), of.clone()));
        out.extend(begins.into_iter().map(|(_, text)| (client, text.clone())));
        let next = Some(self.gone_by + from as u64).filter(|_| from < self.kept.len());
        self.followers.push(Follower { client, wanted, next });
    }

    /// The clients that are catching up.
    pub fn behind(&self) -> impl Iterator<Item = u64> {
        self.followers.iter().filter(|follower| follower.next.is_some()).map(|follower| follower.client)
    }

    /// Sends a client the next part of the kept records. Returns false when the client has gone, or was so slow that
    /// its next record is no longer kept.
    pub fn catch_up(&mut self, client: u64, out: &mut Outbox) -> bool {
        let Some(follower) = self.followers.iter_mut().find(|follower| follower.client == client) else {
            return false;
        };
        let Some(next) = follower.next else { return true };
        let Some(from) = next.checked_sub(self.gone_by) else { return false };
        let mut bytes = 0;
        let mut sent = 0;
        for kept in self.kept.iter().skip(from as usize) {
            sent += 1;
            if follower.wanted.has(kept.board) {
                bytes += kept.text.len();
                out.push((client, kept.text.clone()));
            }
            if bytes >= BATCH_BYTES {
                break;
            }
        }
        follower.next = Some(next + sent).filter(|next| *next < self.gone_by + self.kept.len() as u64);
        true
    }

    /// Removes a client.
    pub fn remove_client(&mut self, client: u64) {
        self.followers.retain(|follower| follower.client != client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(run: &str) -> Stream {
        Stream::of_run(run.into(), None)
    }

    fn texts(out: Outbox) -> Vec<String> {
        out.into_iter().map(|(_, text)| text.to_string()).filter(|text| !text.contains("stream")).collect()
    }

    #[test]
    fn clients_continue_after_their_last_record() {
        let (mut records, mut out) = (Records::default(), Outbox::new());
        records.stream(&stream("a"), &mut out);
        records.stream(&stream("a-games"), &mut out);
        for (seq, board) in [(1, 7), (2, 8), (3, 7)] {
            records.record((None, Some(board)), false, Some(seq), format!("b{seq}"), &mut out);
            records.record((None, Some(board)), true, Some(seq), format!("g{seq}"), &mut out);
        }
        assert!(out.is_empty());
        let follow = |records: &mut Records, query: &str| {
            let (wanted, mut out) = (Wanted::of(query).unwrap(), Outbox::new());
            let from = records.find(&wanted)?;
            records.follow(1, wanted, from, &mut out);
            assert!(records.catch_up(1, &mut out));
            assert_eq!(records.behind().count(), 0);
            records.remove_client(1);
            Ok::<_, String>(texts(out))
        };
        assert_eq!(follow(&mut records, "").unwrap(), [""; 0]);
        assert_eq!(follow(&mut records, "run=a&seq=2").unwrap(), ["g2", "b3", "g3"]);
        assert_eq!(follow(&mut records, "run=a-games&seq=1&board=7").unwrap(), ["b3", "g3"]);
        assert_eq!(follow(&mut records, "run=a&seq=0&board=8").unwrap(), ["b2", "g2"]);
        // The games began after the boards, before any record of either. A run that comes again keeps its first
        // beginning.
        records.stream(&stream("a"), &mut out);
        for query in ["run=a&seq=0", "run=a-games&seq=0"] {
            assert_eq!(follow(&mut records, query).unwrap(), ["b1", "g1", "b2", "g2", "b3", "g3"]);
        }
        assert!(follow(&mut records, "run=b&seq=0").is_err());
        assert!(follow(&mut records, "run=b&seq=2").is_err() && follow(&mut records, "run=a&seq=4").is_err());
        assert!(
            Wanted::of("run=a").is_err()
                && Wanted::of("board=x").is_err()
                && Wanted::of("run=a&seq=x").is_err()
        );
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let (mut records, mut out) = (Records::default(), Outbox::new());
        records.stream(&stream("a"), &mut out);
        for seq in 1..=30 {
            records.record((None, Some(7)), false, Some(seq), "x".repeat(1 << 20), &mut out);
        }
        assert!(records.bytes <= KEPT_BYTES_MAX && records.kept.len() == 11);
        let find = |seq| records.find(&Wanted::of(&format!("run=a&seq={seq}")).unwrap());
        assert!(find(0).is_err() && find(1).is_err() && find(25).is_ok());
    }
}
