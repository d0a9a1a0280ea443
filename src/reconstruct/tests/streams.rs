//! Several boards, lines and runs in one stream, and publication at the end of each game only.

use std::sync::Arc;

use super::{
    BoardRecord, GameRecord, OPENING, Options, Reconstructor, START, endings::WHITE_WINS, games_of,
    games_so_far, records, word, words,
};
use crate::record::Stream;

/// The published records, each word with its board and, if any, its line.
fn by_board(published: &[GameRecord]) -> String {
    let words = published.iter().map(|record| {
        let line = record.line.as_deref().unwrap_or_default();
        format!("{line}{}:{}", record.board.unwrap(), word(&record.event))
    });
    words.collect::<Vec<_>>().join(" ")
}

// Users' pain: one bad game spoils the file (daylen/stockfish-mac#88); stale boards cannot be removed (lila#11388).
#[test]
fn a_stuck_board_delays_no_other() {
    let illegal = format!("={START} @begin . +4 {OPENING} -f1 Bf4 L80 +2 .");
    let other = format!("b2: ={START} @begin . +2 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . +2 . -g1 Nf3 L88 +2 .");
    // No more records come from the first board: the time of the second one counts for both.
    let published = games_so_far(&records(&format!("{illegal} {other}")), Options::default());
    assert_eq!(by_board(&published), "1:game 1:e4 1:e5 1:Nf3 1:Nc6 2:game 2:e4 2:e5 1:!illegal 2:Nf3");
}

/// The records with a line and sequence numbers, as their source writes them.
fn numbered(line: Option<&str>, stream: &str) -> Vec<BoardRecord> {
    let mut records = records(stream);
    for (record, seq) in records.iter_mut().zip(1..) {
        (record.line, record.seq) = (line.map(Arc::from), Some(seq));
    }
    records
}

/// The records published for some runs of sources: the line and the name of each, and its records.
fn runs(runs: &[(Option<&str>, &str, &[BoardRecord])]) -> Vec<GameRecord> {
    let mut published = Vec::new();
    let mut publish = |record| {
        published.push(record);
        Ok::<(), ()>(())
    };
    let mut games = Reconstructor::new(Options::default());
    for (line, run, records) in runs {
        let stream = Stream {
            records: 1,
            program: String::new(),
            run: (*run).into(),
            line: line.map(Arc::from),
            zone: None,
        };
        games.stream(&stream, &mut publish).unwrap();
        for record in *records {
            games.record(record, &mut publish).unwrap();
        }
    }
    games.finish(&mut publish).unwrap();
    published
}

#[test]
fn a_repeated_journal_gives_each_game_once() {
    let stream = numbered(None, &format!("={START} @begin . +4 {OPENING}"));
    let once = games_of(&stream, Default::default());
    let twice = [stream.clone(), stream.clone()].concat();
    assert_eq!(games_of(&twice, Default::default()), once);
    let run = (None, "a", &*stream);
    assert_eq!(runs(&[run, run]), once);
}

#[test]
fn a_new_run_numbers_from_one() {
    let first = numbered(None, &format!("={START} @begin . +4 -e2 Pe4 L90 +2 ."));
    let second = numbered(None, "+20 -e7 pe5 R90 +2 . +2 -g1 Nf3 L88 +2 .");
    let game = "game e4 e5 Nf3 [* input-end]";
    assert_eq!(words(&runs(&[(None, "a", &first), (None, "b", &second)])), game);
    // Repeated records of an earlier run are still recognised.
    assert_eq!(words(&runs(&[(None, "a", &first), (None, "b", &second), (None, "a", &first)])), game);
}

#[test]
fn boards_are_identified_by_line_and_address() {
    let king = numbered(Some("A"), &format!("={START} @begin . +4 -e2 Pe4 L90 +2 ."));
    let queen = numbered(Some("B"), &format!("={START} @begin . +4 -d2 Pd4 L90 +2 ."));
    let published = runs(&[(Some("A"), "a", &king), (Some("B"), "a", &queen)]);
    assert_eq!(by_board(&published), "A1:game A1:e4 B1:game B1:d4 A1:[* input-end] B1:[* input-end]");
}

#[test]
fn final_publishes_only_the_final_moves() {
    let options = || Options { final_only: true, ..Options::default() };
    let withdrawn =
        format!("={START} @begin . +4 -e2 Pe4 +2 . +6 . -e4 Pe2 -d2 Pd4 L90 +2 . -d7 pd5 R80 +2 .");
    let published = games_of(&records(&withdrawn), options());
    assert_eq!(words(&published), "game d4 d5 [* input-end]");
    // Each game when the next has begun, not before: until then play may go on.
    let so_far = |stream: &str| words(&games_so_far(&records(stream), options()));
    let first = format!("={START} @begin . +4 {OPENING} {WHITE_WINS}");
    assert_eq!(so_far(&format!("{first} +2 . +60 .")), "");
    let second = format!("{first} +2 . +60 ={START} @begin . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .");
    assert_eq!(so_far(&second), "game e4 e5 Nf3 Nc6 [1-0 kings]");
    let drawn = format!("{second} 1/2-1/2h4");
    assert_eq!(so_far(&drawn), "game e4 e5 Nf3 Nc6 [1-0 kings]");
    assert_eq!(
        words(&games_of(&records(&drawn), options())),
        "game e4 e5 Nf3 Nc6 [1-0 kings] game d4 d5 [1/2-1/2 result-piece]"
    );
}
