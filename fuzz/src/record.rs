//! Lines of records: a record is written and read again unchanged.

use boardbus::record::{BoardRecord, GameRecord, Record, Stream, parse};

/// Reads any text as a record.
pub fn record(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        if let Ok(record) = parse(line) {
            reads_as_written(&record);
        }
    }
}

/// Asserts that a record is read as it was written.
pub fn reads_as_written(record: &Record) {
    let Some(line) = line(record) else { return };
    let read = parse(&line).unwrap_or_else(|e| panic!("{}: {e}", String::from_utf8_lossy(&line)));
    let again = self::line(&read).expect("a record that can be written");
    // A number with more digits than a float holds may be read as a neighbouring one.
    let digits = line.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).max();
    if digits <= Some(15) && !line.windows(2).any(|pair| pair == b"e+") {
        assert_eq!(String::from_utf8_lossy(&line), String::from_utf8_lossy(&again));
    }
}

/// Asserts this of a record of a board.
pub fn board_record_reads_as_written(record: &BoardRecord) {
    reads_as_written(&Record::Board(record.clone()));
}

/// Asserts this of a record of a game.
pub fn game_record_reads_as_written(record: &GameRecord) {
    reads_as_written(&Record::Game(record.clone()));
}

fn line(record: &Record) -> Option<Vec<u8>> {
    let line = match record {
        Record::Stream(stream) => serde_json::to_vec::<Stream>(stream),
        Record::Board(record) => serde_json::to_vec(record),
        Record::Game(record) => serde_json::to_vec(record),
        _ => return None,
    };
    Some(line.expect("writing to memory cannot fail"))
}
