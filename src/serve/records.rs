//! The feed of records: those of boards and of games, as JSON lines, from now on or after the records that a client has.
//!
//! The last records are kept for clients that come back, up to a number of bytes; older ones are in the journal. The
//! records of a line come in the same order after a restart, while those of several lines are mixed in another way: a
//! client continues after its last record of each line.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use tungstenite::Utf8Bytes;

use super::{
    feeds::Outbox,
    json::compact,
    routes::{all_asked, asked},
};
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
    /// Those after the record with this number of each of these runs; 0 is its beginning.
    after: Vec<(String, u64)>,
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
        let boards = boards.collect::<Result<_, _>>()?;
        let numbers = all_asked(query, "seq");
        let numbers = numbers.map(|seq| seq.parse().map_err(|_| format!("seq {seq} is no number")));
        let (runs, numbers) =
            (all_asked(query, "run").collect::<Vec<_>>(), numbers.collect::<Result<Vec<_>, _>>()?);
        if runs.len() != numbers.len() {
            return Err(
                "`run` and `seq` go together: those of the last record of a line that you have".into()
            );
        }
        Ok(Wanted { boards, after: runs.into_iter().zip(numbers).collect() })
    }

    fn has(&self, board: Option<u16>) -> bool {
        self.boards.is_empty() || board.is_none_or(|board| self.boards.contains(&board))
    }
}

/// A record that is kept.
struct Kept {
    /// The number of its layer.
    layer: usize,
    run: Arc<str>,
    seq: Option<u64>,
    /// None for records about a whole line.
    board: Option<u16>,
    /// It is the stream record of its run.
    begins: bool,
    text: Utf8Bytes,
}

/// The records of the boards of a line, or those of its games.
struct Layer {
    line: Option<Arc<str>>,
    of_games: bool,
    /// The current run.
    run: Arc<str>,
}

/// A run of a source.
struct Run {
    layer: usize,
    /// The number of its first record.
    began: u64,
    /// Its stream record.
    text: Utf8Bytes,
}

/// For each layer the number of the first record that a client wants. Records are counted from the first one, kept or
/// not.
pub type Starts = Vec<u64>;

/// A client of the feed.
struct Follower {
    client: u64,
    wanted: Wanted,
    starts: Starts,
    /// The number of the next record to send, while it catches up.
    next: Option<u64>,
}

/// The feed of records.
#[derive(Default)]
pub struct Records {
    kept: VecDeque<Kept>,
    bytes: usize,
    layers: Vec<Layer>,
    runs: HashMap<Arc<str>, Run>,
    /// The number of records that came before those that are kept.
    gone_by: u64,
    followers: Vec<Follower>,
}

impl Records {
    /// Adds a stream record, of boards or of games.
    pub fn stream(&mut self, stream: &Stream, out: &mut Outbox) {
        let run: Arc<str> = stream.run.as_str().into();
        let text = Utf8Bytes::from(compact(stream));
        let layer = self.layer(&stream.line, Stream::is_of_games(&stream.run));
        self.layers[layer].run = run.clone();
        let began = self.end();
        // A run that comes again keeps its first beginning.
        self.runs.entry(run.clone()).or_insert_with(|| Run { layer, began, text: text.clone() });
        self.add(Kept { layer, run, seq: None, board: None, begins: true, text }, out);
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
        let layer = self.layer(&line, of_game);
        let run = self.layers[layer].run.clone();
        self.add(Kept { layer, run, seq, board, begins: false, text: text.into() }, out);
    }

    /// The number of a layer, which is added if it is new.
    fn layer(&mut self, line: &Option<Arc<str>>, of_games: bool) -> usize {
        let known = self.layers.iter().position(|layer| layer.line == *line && layer.of_games == of_games);
        known.unwrap_or_else(|| {
            self.layers.push(Layer { line: line.clone(), of_games, run: Arc::default() });
            self.layers.len() - 1
        })
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

    /// The number of the next record.
    fn end(&self) -> u64 {
        self.gone_by + self.kept.len() as u64
    }

    /// The kept records with their numbers.
    fn numbered(&self) -> impl DoubleEndedIterator<Item = (u64, &Kept)> + ExactSizeIterator {
        let first = self.gone_by;
        self.kept.iter().enumerate().map(move |(at, kept)| (first + at as u64, kept))
    }

    /// The first record of each layer that a client wants. If it has records of the boards of a line or of its games
    /// alone, both go on from there; lines of which it has none begin with the first record that is kept.
    ///
    /// # Errors
    /// When a record that it has is no longer kept.
    pub fn find(&self, wanted: &Wanted) -> Result<Starts, String> {
        if wanted.after.is_empty() {
            return Ok(vec![self.end(); self.layers.len()]);
        }
        let mut own: Vec<Option<u64>> = vec![None; self.layers.len()];
        for (run, seq) in &wanted.after {
            let is_it = |kept: &Kept| *kept.run == **run && kept.seq == Some(*seq);
            let known = self.runs.get(&**run);
            let after = match seq {
                0 => known.map(|run| run.began).filter(|&began| began >= self.gone_by),
                _ => self.numbered().rfind(|(_, kept)| is_it(kept)).map(|(at, _)| at + 1),
            };
            let (Some(run), Some(after)) = (known, after) else {
                return Err(format!(
                    "record {seq} of run {run} is not kept here: ask without run and seq, and read what is missing in the journal"
                ));
            };
            own[run.layer] = own[run.layer].max(Some(after));
        }
        let beside = |layer: &Layer| {
            let of_line = self.layers.iter().zip(&own).filter(|(other, _)| other.line == layer.line);
            of_line.filter_map(|(_, start)| *start).max()
        };
        let start = |(layer, own): (&Layer, &Option<u64>)| own.or_else(|| beside(layer)).unwrap_or(0);
        Ok(self.layers.iter().zip(&own).map(start).collect())
    }

    /// Adds a client, which gets the records from the places that [`Records::find`] has found, after the stream records
    /// to which they belong.
    pub fn follow(&mut self, client: u64, wanted: Wanted, starts: Starts, out: &mut Outbox) {
        let mut firsts: Vec<Option<&Kept>> = self.layers.iter().map(|_| None).collect();
        let (mut first, mut next) = (None, None);
        for (at, kept) in self.numbered().filter(|(at, kept)| *at >= starts[kept.layer]) {
            firsts[kept.layer].get_or_insert(kept);
            first.get_or_insert(&kept.run);
            next.get_or_insert(at);
            if firsts.iter().all(Option::is_some) {
                break;
            }
        }
        // Those of boards before those of games, and last that of the first record.
        let begun = self.layers.iter().zip(&firsts).filter_map(|(layer, first)| match first {
            Some(kept) if kept.begins => None,
            Some(kept) => Some(&kept.run),
            None => Some(&layer.run),
        });
        let mut begun: Vec<_> = begun.collect();
        begun.sort_by_key(|run| (Some(*run) == first, Stream::is_of_games(run), run.to_string()));
        let streams = begun.into_iter().filter_map(|run| self.runs.get(run));
        out.extend(streams.map(|run| (client, run.text.clone())));
        self.followers.push(Follower { client, wanted, starts, next });
    }

    /// The clients that are catching up.
    pub fn behind(&self) -> impl Iterator<Item = u64> {
        self.followers.iter().filter(|follower| follower.next.is_some()).map(|follower| follower.client)
    }

    /// Sends a client the next part of the kept records. Returns false when the client has gone, or was so slow that
    /// its next record is no longer kept.
    pub fn catch_up(&mut self, client: u64, out: &mut Outbox) -> bool {
        let end = self.end();
        let Some(follower) = self.followers.iter_mut().find(|follower| follower.client == client) else {
            return false;
        };
        let Some(mut next) = follower.next else { return true };
        let Some(from) = next.checked_sub(self.gone_by) else { return false };
        let mut bytes = 0;
        for kept in self.kept.iter().skip(from as usize) {
            // Layers that came since begin after all that was kept then.
            let is_new = follower.starts.get(kept.layer).is_none_or(|&start| next >= start);
            next += 1;
            if is_new && follower.wanted.has(kept.board) {
                bytes += kept.text.len();
                out.push((client, kept.text.clone()));
            }
            if bytes >= BATCH_BYTES {
                break;
            }
        }
        follower.next = Some(next).filter(|&next| next < end);
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

    /// All that a client gets that follows so, stream records by their runs.
    fn followed(records: &mut Records, query: &str) -> Vec<String> {
        let (wanted, mut out) = (Wanted::of(query).unwrap(), Outbox::new());
        let starts = records.find(&wanted).unwrap();
        records.follow(1, wanted, starts, &mut out);
        assert!(records.catch_up(1, &mut out));
        records.remove_client(1);
        let run = |text: &str| serde_json::from_str::<Stream>(text).ok().map(|stream| stream.run);
        out.iter().map(|(_, text)| run(text).unwrap_or_else(|| text.to_string())).collect()
    }

    #[test]
    fn clients_continue_on_each_line_after_a_restart() {
        let (mut records, mut out) = (Records::default(), Outbox::new());
        // Files are read one after the other, while the client had records of both lines by turns.
        for (line, last) in [("n", 5), ("s", 4)] {
            let name: Option<Arc<str>> = Some(line.into());
            records.stream(&Stream::of_run(line.into(), name.clone()), &mut out);
            for seq in 1..=last {
                records.record((name.clone(), Some(7)), false, Some(seq), format!("{line}{seq}"), &mut out);
            }
        }
        assert_eq!(followed(&mut records, "run=s&seq=3&run=n&seq=3"), ["s", "n", "n4", "n5", "s4"]);
        assert_eq!(followed(&mut records, "run=n&seq=3"), ["n", "n4", "n5", "s", "s1", "s2", "s3", "s4"]);
        assert_eq!(followed(&mut records, ""), ["n", "s"]);
        assert!(Wanted::of("run=n&seq=3&run=s").is_err());
    }

    #[test]
    fn records_follow_the_stream_record_of_their_run() {
        let (mut records, mut out) = (Records::default(), Outbox::new());
        for run in ["a", "b"] {
            records.stream(&stream(run), &mut out);
            for seq in 1..=3 {
                records.record((None, Some(7)), false, Some(seq), format!("{run}{seq}"), &mut out);
            }
        }
        assert_eq!(followed(&mut records, "run=a&seq=2"), ["a", "a3", "b", "b1", "b2", "b3"]);
        assert_eq!(followed(&mut records, "run=a&seq=3"), ["b", "b1", "b2", "b3"]);
        assert_eq!(followed(&mut records, "run=a&seq=2&run=b&seq=1"), ["b", "b2", "b3"]);
        assert_eq!(followed(&mut records, "run=b&seq=3"), ["b"]);
        let whole = ["a", "a1", "a2", "a3", "b", "b1", "b2", "b3"];
        assert_eq!(followed(&mut records, "run=a&seq=0"), whole);
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
