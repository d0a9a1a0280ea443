//! `boardbus dump`.

use predicates::prelude::*;

use super::{
    hall::Hall,
    program::{of, records},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn position_and_clock_of_every_board_without_a_list() {
    let hall = Hall::open(&["--boards", "3", "--wire-speed", "0"]);
    let out = hall.command("dump").assert().success().stderr("").get_output().stdout.clone();
    let records = records(&out);
    let positions = of(&records, "position");
    let boards: Vec<u64> = positions.iter().map(|record| record["board"].as_u64().unwrap()).collect();
    assert_eq!(boards, [1025, 1026, 1027]);
    assert!(positions.iter().all(|record| record["placement"] == START));
    assert!(of(&records, "clock").iter().all(|record| record["connected"] == true));
    assert_eq!(of(&records, "clock").len(), 3);
}

#[test]
fn only_the_boards_asked_for_and_exit_1_for_those_that_do_not_answer() {
    let hall = Hall::open(&["--boards", "3", "--no-clock"]);
    let out = hall.command("dump").args(["--board", "1026,3000"]).assert().code(1);
    let out = out.stderr(predicate::str::ends_with("no answer from 3000\n"));
    let records = records(&out.get_output().stdout);
    assert_eq!(records.len(), 3);
    assert_eq!((&records[1]["board"], &records[1]["type"]), (&1026.into(), &"position".into()));
    assert_eq!((&records[2]["board"], &records[2]["connected"]), (&1026.into(), &false.into()));
}

#[test]
fn people_get_a_drawing() {
    let hall = Hall::open(&["--boards", "1", "--no-clock", "--wire-speed", "0"]);
    let drawing = "\
board 1025   no clock
  8  r n b q k b n r
  7  p p p p p p p p
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . . . . . .
  3  . . . . . . . .
  2  P P P P P P P P
  1  R N B Q K B N R
     a b c d e f g h
";
    let out = hall.command("dump").args(["--board", "1025", "--format", "text"]).assert();
    out.success().stdout(drawing).stderr("");
}

#[test]
fn a_line_without_boards_says_what_to_look_at() {
    let hall = Hall::open(&["--boards", "1", "--noise", "1"]);
    let out = hall.command("dump").args(["--board", "1025"]).assert();
    out.code(1).stderr(predicate::str::ends_with("no answer from 1025\n"));
}

#[test]
fn a_list_that_is_none_is_a_usage_error() {
    let hall = Hall::open(&["--boards", "1"]);
    let out = hall.command("dump").args(["--board", "1030-1025"]).assert();
    out.code(2).stdout("").stderr(predicate::str::contains("`1030-1025` begins above its end"));
}
