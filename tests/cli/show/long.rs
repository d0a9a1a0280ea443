//! `boardbus show` of a journal of which only the present is read.

use std::{fmt::Write, fs};

use super::super::program::output_of;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// The pawn of a7 stands on a square that is dead.
const DEAD: &str = "rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A journal as it grows.
#[derive(Default)]
struct Journal {
    text: String,
    /// Milliseconds since ten o'clock, and records.
    time: u64,
    records: u32,
}

impl Journal {
    fn record(&mut self, board: u16, kind: &str, rest: &str) {
        let (time, seq) = (self.time, self.records + 1);
        let (hour, minute, second) = (10 + time / 3_600_000, time / 60_000 % 60, time / 1000 % 60);
        writeln!(
            self.text,
            "{{\"type\":\"{kind}\",\"time\":\"2026-11-22T{hour}:{minute:02}:{second:02}.{:03}Z\",\"board\":{board}{rest},\"seq\":{seq}}}",
            time % 1000
        )
        .unwrap();
        (self.time, self.records) = (time + 100, seq);
    }

    /// A board is found, and this stands on it.
    fn found(&mut self, board: u16, placement: &str) {
        self.record(board, "board", r#","mode":"bus","version":"1.6""#);
        self.record(board, "position", &format!(",\"placement\":\"{placement}\""));
    }

    /// Moves, each of a piece from a square to another; the clock is pressed behind each.
    fn moves(&mut self, board: u16, moves: &[(&str, &str, &str)]) {
        for (ply, (piece, from, to)) in moves.iter().enumerate() {
            self.time += 5000;
            self.record(board, "change", &format!(",\"square\":\"{from}\",\"piece\":null"));
            self.record(board, "change", &format!(",\"square\":\"{to}\",\"piece\":\"{piece}\""));
            self.time += 400;
            self.record(board, "quiet", "");
            let side = ["left", "right"][ply % 2];
            self.record(board, "press", &format!(",\"side\":\"{side}\",\"seconds\":{}", 5390 - 5 * ply));
        }
    }

    /// Boards rest until the journal has grown by so many bytes.
    fn rest(&mut self, boards: &[u16], bytes: usize) {
        let until = self.text.len() + bytes;
        for board in boards.iter().cycle() {
            if self.text.len() >= until {
                return;
            }
            self.record(*board, "quiet", "");
            // Blanks make the journal long, and the test short.
            self.text.insert_str(self.text.len() - 1, &" ".repeat(900));
        }
    }
}

// A board whose start nobody marked, for a square of it is dead; one that was heard late; one that was lost early.
#[test]
fn boards_of_long_journals_match_a_full_reading() {
    let opening = [("P", "e2", "e4"), ("p", "e7", "e5"), ("N", "g1", "f3"), ("n", "b8", "c6")];
    let other = [("P", "d2", "d4"), ("p", "d7", "d5"), ("P", "c2", "c4")];
    let mut journal = Journal::default();
    journal.text.push_str("{\"type\":\"stream\",\"records\":1,\"run\":\"a\"}\n");
    journal.found(1025, START);
    journal.record(1025, "mark", ",\"mark\":\"begin\"");
    journal.found(1026, DEAD);
    journal.found(1027, START);
    journal.moves(1027, &other[..1]);
    journal.record(1027, "lost", ",\"reason\":\"timeout\"");
    journal.moves(1026, &opening);
    journal.rest(&[1025, 1026], 2 << 20);
    journal.found(1028, START);
    journal.moves(1028, &other);
    journal.rest(&[1025, 1026, 1028], 7 << 20);
    journal.moves(1025, &opening[..3]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.jsonl");
    fs::write(&path, &journal.text).unwrap();
    let path = path.to_str().unwrap();
    let present = output_of(&["show", "--once", "--ascii", path], "");
    let all = output_of(&["show", "--once", "--ascii"], journal.text);
    let without_source = |text: &str, source: &str| text.replacen(source, "", 1);
    let (present, all) = (without_source(&present, path), without_source(&all, "standard input"));
    let lines = |text: &str| {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(lines(&present), lines(&all), "{present}\n{all}");
    for what in ["4 boards", "2...Nc6", "2.Nf3", "2.c4", "1.d4", "r . b q k b n r"] {
        assert!(present.contains(what), "{what}: {present}");
    }
}
