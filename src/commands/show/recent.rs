//! The present of a long journal, found from its end: each board is heard from where its game began on.
//!
//! A journal of many rounds need not be read to know how the hall stands now. Looked for, from the end of the file back,
//! is for each board the last record with which a game begins: a start mark, behind which the board lists its pieces, or a
//! start position. (A board that was reset in a game lists them too: of that alone no game can be made.) Which boards there are is said at the beginning of the file, where they were found; with the last of
//! them the search is over. From the earliest of these places on the file is read, and of each board what stands behind
//! its own.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    os::unix::fs::FileExt,
    path::Path,
};

use memchr::memmem;

use crate::{
    error::{Error, Result},
    record::{self, BoardEvent, Record},
    screen::Name,
    stdio::{self, Place},
    stop,
};

/// A shorter journal is simply read.
const SHORT: u64 = 8 << 20;
/// The boards of a hall are found within so many bytes of the beginning.
const HEAD: usize = 1 << 20;
/// So much is looked at at a time.
const STEP: u64 = 4 << 20;
/// What stands in the records that are looked for.
const MARKED: [&[u8]; 4] = [
    b"\"mark\":\"start\"",
    b"\"mark\":\"begin",
    b"\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"",
    b"\"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr\"",
];

/// Reads the present of a journal; gives how far was read. 0: nothing was, the file is to be read as any.
pub fn read(path: &Path, take: &mut impl FnMut(Place<'_>, &[u8]) -> Result<()>) -> Result<u64> {
    if path.as_os_str() == "-" || !path.is_file() {
        return Ok(0);
    }
    let failed = |e: io::Error| Error::io(path.display(), e);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length < SHORT {
        return Ok(0);
    }
    let mut head = vec![0; HEAD];
    file.read_exact_at(&mut head, 0).map_err(failed)?;
    if !head.starts_with(b"{") {
        // Packed, or no journal of ours.
        return Ok(0);
    }
    let name = stdio::name_of(path);
    let mut begun: HashMap<Name, Option<u64>> = HashMap::new();
    let whole = memchr::memrchr(b'\n', &head).map_or(0, |at| at + 1);
    for (number, line) in head[..whole].split(|&byte| byte == b'\n').enumerate() {
        let tells = [&b"\"type\":\"stream\""[..], b"\"type\":\"board\""];
        if tells.iter().any(|what| memmem::find(line, what).is_some()) {
            take(Place { file: &name, line: number as u64 + 1 }, line)?;
            begun.extend(board_of(line).map(|name| (name, None)));
        }
    }
    // Without a word of who is there nobody knows when all are found.
    if begun.is_empty() {
        return Ok(0);
    }
    let end = search(&file, length, &mut begun).map_err(failed)?;
    // A board that told nothing of the kind: what it said last.
    let late = end.saturating_sub(STEP);
    let from = begun.values().map(|at| at.unwrap_or(late)).min().unwrap_or(late);
    let mut reader = BufReader::with_capacity(1 << 18, file);
    reader.seek(SeekFrom::Start(from)).map_err(failed)?;
    let (mut reader, mut at, mut line) = (reader.take(end - from), from, Vec::new());
    loop {
        line.clear();
        let n = reader.read_until(b'\n', &mut line).map_err(failed)? as u64;
        if n == 0 || stop::requested().is_some() {
            return Ok(at);
        }
        let wanted = match board_of(&line) {
            Some(name) => at >= begun.get(&name).copied().flatten().unwrap_or(late),
            None => memmem::find(&line, b"\"type\":\"stream\"").is_some(),
        };
        // A place in the middle of a file has no number of a line that anybody would count.
        if wanted && line.ends_with(b"\n") {
            take(Place { file: &name, line: at }, &line[..line.len() - 1])?;
        }
        at += n;
    }
}

/// Goes back through the file until every board's beginning is known; gives where its last whole line ends.
fn search(file: &File, length: u64, begun: &mut HashMap<Name, Option<u64>>) -> io::Result<u64> {
    let (mut to, mut end) = (length, None);
    let mut block = Vec::new();
    while to > 0 && stop::requested().is_none() {
        let from = to.saturating_sub(STEP);
        block.resize((to - from) as usize, 0);
        file.read_exact_at(&mut block, from)?;
        // The line that begins before this block is looked at with the block before.
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
            let begins = memchr::memrchr(b'\n', &block[..place]).map_or(0, |at| at + 1);
            let ends = memchr::memchr(b'\n', &block[place..]).map_or(block.len(), |at| place + at);
            if let Ok(Record::Board(record)) = record::parse(&block[begins..ends])
                && matches!(record.event, BoardEvent::Mark(_) | BoardEvent::Position(_))
            {
                let known = begun.entry((record.line, record.board)).or_default();
                *known = known.or(Some(from + begins as u64));
            }
        }
        if begun.values().all(Option::is_some) {
            break;
        }
        // The line that was begun before is whole with the next block.
        to = if from == 0 { 0 } else { from + first as u64 };
        if first == block.len() {
            break;
        }
    }
    Ok(end.unwrap_or(0))
}

/// Whose record a line is, without reading it all.
fn board_of(line: &[u8]) -> Option<Name> {
    let value = |name: &[u8]| {
        let at = memmem::find(line, name)? + name.len();
        Some(&line[at..])
    };
    let digits = value(b"\"board\":")?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    let board = std::str::from_utf8(&digits[..end]).ok()?.parse().ok()?;
    let named = value(b"\"line\":\"").and_then(|text| {
        let end = memchr::memchr(b'"', text)?;
        std::str::from_utf8(&text[..end]).ok().map(Into::into)
    });
    Some((named, Some(board)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_whose_it_is() {
        let of = |line: &str| board_of(line.as_bytes());
        assert_eq!(of(r#"{"type":"quiet","board":1027,"seq":3}"#), Some((None, Some(1027))));
        assert_eq!(of(r#"{"type":"quiet","line":"b","board":7}"#), Some((Some("b".into()), Some(7))));
        assert_eq!(of(r#"{"type":"stream","records":1}"#), None);
    }

    #[test]
    fn the_last_beginning_of_each_board_is_found_whatever_stands_around_it() {
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
        assert_eq!((begun[&name(0)], begun[&name(1)]), (Some(at[0]), Some(at[1])));
    }
}
