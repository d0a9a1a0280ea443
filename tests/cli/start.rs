//! `boardbus start`.

use predicates::prelude::*;

use super::{
    hall::{Hall, logged, silent},
    program::{of, records},
};

#[test]
fn boards_get_marks_and_report_positions_and_times() {
    let hall = Hall::open(&["--boards", "2"]);
    let out = hall.command("start").args(["--board", "1025-1026"]).assert();
    let out = out.success().stderr(silent()).get_output().stdout.clone();
    let records = records(&out);
    let kinds: Vec<&str> = records.iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["stream", "mark", "position", "mark", "position", "clock", "clock"]);
    for mark in of(&records, "mark") {
        assert_eq!(mark["mark"], "start");
        assert!(mark.get("listing").is_none());
    }
    assert!(of(&records, "clock").iter().all(|clock| clock["left"] == clock["right"]));
    let truth = hall.close();
    for board in [1025, 1026] {
        assert!(logged(&truth, board).contains(&r#"{"listing":true,"mark":"start","type":"mark"}"#.into()));
    }
}

#[test]
fn silent_boards_are_reported_with_exit_1() {
    let hall = Hall::open(&["--boards", "1", "--wire-speed", "0"]);
    let out = hall.command("start").args(["--board", "1025,1026"]).assert();
    out.code(1).stderr(predicate::str::ends_with("no answer from 1026\n"));
}
