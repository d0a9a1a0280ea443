//! The present of a long journal, found from its end: each board's records are read from the beginning of its last
//! game.
//!
//! The current state of a hall does not need all rounds of a journal. Going back from the end of the file, this finds
//! for each board the last record with which a game begins: a mark after which the board lists its pieces, that of the
//! start position, or that position. (A board that was reset in a game lists its pieces too, from which alone no game
//! can be reconstructed.) Boards without such a record, because a square of theirs is dead or nobody wrote marks, are
//! [followed](beginning) from the beginning of the file. Then the file is read from the earliest of these places, and
//! for each board the records from its own place.

mod beginning;
mod lines;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    os::unix::fs::FileExt,
    path::Path,
};

use memchr::memmem;

use self::{
    beginning::{Beginning, Begun},
    lines::{BOARD, LINE, STEP_BYTES, address, board_of, line_at, whole_lines},
};
use crate::{
    error::{Error, Result},
    record::{self, BoardEvent, BoardRecord, MarkKind, Record},
    stdio::{self, Place},
    stop,
};

/// A journal shorter than this, in bytes, is read from its beginning.
const SHORT_BYTES: u64 = 8 << 20;
/// Text in the records that are searched for.
const MARKED: [&[u8]; 4] = [
    b"\"mark\":\"start\"",
    b"\"mark\":\"begin",
    b"\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"",
    b"\"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr\"",
];
/// Text in the records of sources and of boards.
const ABOUT_BOARDS: [&[u8]; 2] = [b"\"type\":\"stream\"", b"\"type\":\"board\""];

/// A place in the file: a byte, and a line number.
type At = (u64, u64);

/// Reads the present of a journal; returns how far the file was read. 0: nothing was read, and the file has to be read
/// from its beginning.
pub fn read(path: &Path, take: &mut impl FnMut(Place<'_>, &[u8]) -> Result<()>) -> Result<u64> {
    if path.as_os_str() == "-" || !path.is_file() {
        return Ok(0);
    }
    let failed = |e: io::Error| Error::io(path.display(), e);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut first = [0];
    if length < SHORT_BYTES || file.read_exact_at(&mut first, 0).is_err() || first != *b"{" {
        // Packed, or no journal of ours.
        return Ok(0);
    }
    let Roll { mut begun, records, blocks } = roll(&file, length).map_err(failed)?;
    // Without records of boards it is another kind of file.
    if !records.iter().any(|(_, line)| memmem::find(line, ABOUT_BOARDS[1]).is_some()) {
        return Ok(0);
    }
    let end = search(&file, length, &mut begun).map_err(failed)?;
    beginning::follow(&file, end, &mut begun).map_err(failed)?;
    let from = begun.values().flatten().map(|beginning| beginning.at).min().unwrap_or(end);
    let name = stdio::name_of(path);
    for ((_, number), line) in records.iter().filter(|((at, _), _)| *at < from) {
        take(Place { file: &name, line: *number }, line)?;
    }
    let mut number = lines_before(&file, &blocks, from).map_err(failed)?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    reader.seek(SeekFrom::Start(from)).map_err(failed)?;
    let (mut reader, mut at, mut line) = (reader.take(end - from), from, Vec::new());
    loop {
        line.clear();
        let n = reader.read_until(b'\n', &mut line).map_err(failed)? as u64;
        if n == 0 || stop::requested().is_some() {
            break;
        }
        number += 1;
        let place = Place { file: &name, line: number };
        // A record without a board is for all boards.
        let begins = board_of(&line).and_then(|name| begun.get_mut(&name)).and_then(Option::as_mut);
        let wanted = begins.as_ref().is_none_or(|beginning| at >= beginning.at);
        if let Some(stood) = begins.filter(|_| wanted).and_then(|beginning| beginning.stood.take()) {
            take(place, &written(&stood)?)?;
        }
        // The records about a board itself come before its game.
        let is_taken = wanted || memmem::find(&line, ABOUT_BOARDS[1]).is_some();
        if is_taken && line.ends_with(b"\n") {
            take(place, &line[..line.len() - 1])?;
        }
        at += n;
    }
    // Boards with pieces in a start position and no record since.
    for stood in begun.values_mut().flatten().filter_map(|beginning| beginning.stood.take()) {
        take(Place { file: &name, line: number }, &written(&stood)?)?;
    }
    Ok(at)
}

/// A record as a line.
fn written(record: &BoardRecord) -> Result<Vec<u8>> {
    serde_json::to_vec(record).map_err(|e| Error::io("a record", e.into()))
}

/// The boards and sources of the whole file.
#[derive(Default)]
struct Roll {
    /// The boards, without the beginnings of their games.
    begun: Begun,
    /// The records of sources and of boards, with their places.
    records: Vec<(At, Vec<u8>)>,
    /// The beginning of each block that was read: its byte, and the number of lines before it.
    blocks: Vec<At>,
}

/// Finds the boards of a file by the names in its records.
fn roll(file: &File, length: u64) -> io::Result<Roll> {
    let mut roll = Roll::default();
    let mut number = 0;
    let [board, line] = [BOARD, LINE].map(memmem::Finder::new);
    let finders = ABOUT_BOARDS.map(memmem::Finder::new);
    // Where lines have no names, the address identifies a board, so each address is read only once.
    let mut known = vec![false; usize::from(u16::MAX) + 1];
    whole_lines(file, length, |at, block| {
        roll.blocks.push((at, number));
        let with_names = line.find(block).is_some();
        for place in board.find_iter(block) {
            let address = address(&block[place + BOARD.len()..]);
            if let Some(address) = address
                && (with_names || !std::mem::replace(&mut known[usize::from(address)], true))
                && let Some(name) = board_of(line_at(block, place).1)
            {
                roll.begun.entry(name).or_insert(None);
            }
        }
        let mut counted = 0;
        let mut places: Vec<usize> = finders.iter().flat_map(|finder| finder.find_iter(block)).collect();
        places.sort_unstable();
        for place in places {
            let (begins, line) = line_at(block, place);
            number += memchr::memchr_iter(b'\n', &block[counted..begins]).count() as u64;
            counted = begins;
            roll.records.push(((at + begins as u64, number + 1), line.to_vec()));
        }
        number += memchr::memchr_iter(b'\n', &block[counted..]).count() as u64;
    })?;
    Ok(roll)
}

/// The number of lines before a place, which is in one of these blocks.
fn lines_before(file: &File, blocks: &[At], place: u64) -> io::Result<u64> {
    let block = blocks.partition_point(|&(begins, _)| begins <= place).checked_sub(1);
    let (begins, lines) = block.map_or((0, 0), |block| blocks[block]);
    let mut before = vec![0; (place - begins) as usize];
    file.read_exact_at(&mut before, begins)?;
    Ok(lines + memchr::memchr_iter(b'\n', &before).count() as u64)
}

/// Goes back through the file until the beginning of every board is found; returns where its last whole line ends.
fn search(file: &File, length: u64, begun: &mut Begun) -> io::Result<u64> {
    let (mut to, mut end) = (length, None);
    let mut block = Vec::new();
    while to > 0 && stop::requested().is_none() {
        let from = to.saturating_sub(STEP_BYTES);
        block.resize((to - from) as usize, 0);
        file.read_exact_at(&mut block, from)?;
        // The line that begins before this block is searched with the block before.
        let first =
            if from == 0 { 0 } else { memchr::memchr(b'\n', &block).map_or(block.len(), |at| at + 1) };
        let last = end.map_or_else(|| memchr::memrchr(b'\n', &block).map_or(0, |at| at + 1), |_| block.len());
        if end.is_none() && last > 0 {
            end = Some(from + last as u64);
        }
        let mut places: Vec<usize> = MARKED
            .iter()
            .flat_map(|what| memmem::find_iter(&block[first.min(last)..last], what).map(|at| at + first))
            .collect();
        places.sort_unstable();
        for place in places.into_iter().rev() {
            let (begins, line) = line_at(&block, place);
            if let Ok(Record::Board(record)) = record::parse(line)
                && gives_position(&record.event)
            {
                let known = begun.entry((record.line, record.board)).or_default();
                known.get_or_insert(Beginning { at: from + begins as u64, stood: None });
            }
        }
        if begun.values().all(Option::is_some) {
            break;
        }
        // The line that began before this block is complete in the next one.
        to = if from == 0 { 0 } else { from + first as u64 };
        if first == block.len() {
            break;
        }
    }
    Ok(end.unwrap_or(0))
}

/// Whether a record with which a game begins gives the position, together with those after it.
fn gives_position(event: &BoardEvent) -> bool {
    match event {
        BoardEvent::Position(_) => true,
        BoardEvent::Mark(mark) => {
            mark.listing || matches!(mark.mark, MarkKind::Begin | MarkKind::BeginRotated)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn last_beginnings_of_boards_are_found() {
        let mut text = String::new();
        let mut at = [0; 2];
        for round in 0..3 {
            for board in [0, 1] {
                // The second board's last game began before the first one's.
                if round < 2 || board == 0 {
                    at[board] = text.len() as u64;
                    text.push_str(&format!(
                        "{{\"type\":\"mark\",\"board\":{board},\"mark\":\"start\",\"listing\":true}}\n"
                    ));
                }
                for n in 0..20_000 {
                    text.push_str(&format!("{{\"type\":\"change\",\"board\":{board},\"square\":\"e2\",\"piece\":null,\"seq\":{n}}}\n"));
                }
            }
        }
        let whole = text.len() as u64;
        text.push_str("{\"type\":\"cha");
        let mut file = tempfile::tempfile().unwrap();
        io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let name = |board| (None, Some(board));
        let mut begun = HashMap::from([(name(0), None), (name(1), None)]);
        assert_eq!(search(&file, text.len() as u64, &mut begun).unwrap(), whole);
        let begins = |board| begun[&name(board)].as_ref().map(|beginning| beginning.at);
        assert_eq!((begins(0), begins(1)), (Some(at[0]), Some(at[1])));
    }
}
