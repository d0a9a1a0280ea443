//! `boardbus check`, and the faults of `simulate` that it is held to.

use serde_json::{Value, json};

use super::{
    hall::Hall,
    program::{command, of, output_of, records, run},
    reconstruct::two_lines,
};

const PGN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo-games.pgn");

/// The records of a hall of two boards with these faults.
pub fn journal(faults: &[&str]) -> Vec<u8> {
    let mut simulate = command("simulate");
    simulate.args(["--records", "--boards", "2", "--seed", "3", "--ending", "kings", "--pgn", PGN]);
    faults.iter().for_each(|fault| _ = simulate.args(["--fault", fault]));
    simulate.assert().success().stderr("").get_output().stdout.clone()
}

/// What is found, and the exit code.
fn check(journal: &[u8], args: &[&str]) -> (Vec<Value>, i32) {
    let (out, said, code) = run(&[&["check"], args].concat(), journal);
    assert_eq!(said, "");
    (records(out), code)
}

fn names(found: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    found.iter().map(|f| format!("{} {} {}", text(&f["kind"]), f["board"], text(&f["square"]))).collect()
}

#[test]
fn healthy_halls_have_no_findings_and_exit_0() {
    let journal = journal(&[]);
    assert_eq!(check(&journal, &[]), (vec![], 0));
    let (table, _, code) = run(&["check", "--format", "text"], journal);
    assert_eq!(code, 0);
    assert!(
        table.starts_with("board  version  games") && table.ends_with("\nnothing needs a hand\n"),
        "{table}"
    );
    assert!(table.contains("\n 1026      1.6"), "{table}");
}

#[test]
fn empty_readings_do_not_claim_healthy_boards() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [missing, empty, good] = ["missing", "empty", "good"].map(path);
    std::fs::write(&empty, "").unwrap();
    std::fs::write(&good, journal(&[])).unwrap();
    let nothing = "no records of boards: nothing to report\n";
    for (file, code) in [(&missing, 5), (&path(""), 5), (&empty, 0)] {
        let (table, said, got) = run(&["check", "--format", "text", file], "");
        assert!(table == nothing && got == code && !said.is_empty(), "{got}: {table}{said}");
    }
    let (table, _, code) = run(&["check", "--format", "text", &good, &missing], "");
    assert!(code == 5 && table.ends_with("\nnothing needs a hand in what could be read\n"), "{table}");
}

#[test]
fn pain_22_faults_have_square_advice_and_exit_1() {
    for (fault, found) in [
        ("dead-square=1026:d2", "dead-square 1026 d2"),
        ("flicker=1025:e4", "flicker 1025 e4"),
        ("weak-piece=1026:g8", "weak-piece 1026 g8"),
        ("slow=1025", "slow 1025 -"),
        ("reset=1026", "reset 1026 -"),
        ("twin=1025", "twin 1025 -"),
    ] {
        let (findings, code) = check(&journal(&[fault]), &[]);
        assert!(code == 1 && names(&findings).contains(&found.to_owned()), "{fault}: {findings:#?}");
        for finding in &findings {
            assert!(finding["type"] == "finding" && finding["count"].as_u64().unwrap() > 0, "{finding}");
            let advice = finding["advice"].as_str().unwrap();
            assert!(advice.ends_with('.') && advice.matches(". ").count() == 0, "{advice}");
        }
    }
}

#[test]
fn without_games_boards_are_judged_all_the_same() {
    let journal = journal(&["flicker=1025:e4", "dead-square=1026:d2"]);
    let (found, code) = check(&journal, &["--no-games"]);
    assert_eq!((names(&found), code), (vec!["dead-square 1026 d2".into(), "flicker 1025 e4".into()], 1));
}

#[test]
fn games_in_the_input_are_not_reconstructed_again() {
    let journal = journal(&["dead-square=1026:d2"]);
    let games = run(&["reconstruct"], journal.clone()).0;
    let (both, code) = check(&[journal.clone(), games.into_bytes()].concat(), &[]);
    assert_eq!((names(&both), code), (vec!["dead-square 1026 d2".into()], 1));
}

/// A game that is seen, and the board's log of it, which has the next game as well and breaks off in that.
fn a_log_that_breaks_off() -> String {
    const FIRST: [(&str, &str, &str); 3] = [("e2", "e4", "P"), ("e7", "e5", "p"), ("g1", "f3", "N")];
    const NEXT: [(&str, &str, &str); 3] = [("d2", "d4", "P"), ("d7", "d5", "p"), ("c2", "c4", "P")];
    let change = |square: &str, piece: Value| json!({ "type": "change", "square": square, "piece": piece });
    let moved = |from: &str, to: &str, piece: &str| [change(from, Value::Null), change(to, json!(piece))];
    let played = |(from, to, piece): (&str, &str, &str)| {
        let side = if piece == piece.to_uppercase() { "left" } else { "right" };
        let press = json!({ "type": "press", "side": side, "seconds": 300 });
        moved(from, to, piece).into_iter().chain([press])
    };
    let seen = FIRST.into_iter().flat_map(|m| played(m).chain([json!({ "type": "quiet" })]));
    let men = (b'a'..=b'h').zip("rnbqkbnr".chars()).flat_map(|(file, piece)| {
        let at = |rank: char| format!("{}{rank}", char::from(file));
        let upper = piece.to_ascii_uppercase().to_string();
        [(at('8'), piece.to_string()), (at('7'), "p".into()), (at('2'), "P".into()), (at('1'), upper)]
    });
    let listed = men.map(|(square, piece)| change(&square, json!(piece)));
    let set_up = FIRST.into_iter().rev().flat_map(|(from, to, piece)| moved(to, from, piece));
    let begins = || [json!({ "type": "mark", "mark": "begin" })];
    let log = [json!({ "type": "mark", "mark": "start", "listing": true })]
        .into_iter()
        .chain(listed)
        .chain(begins());
    let log = log.chain(FIRST.into_iter().flat_map(played)).chain(set_up).chain(begins());
    let log: Vec<Value> = log.chain(NEXT.into_iter().flat_map(played)).collect();
    let placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let clock = json!({ "type": "clock", "connected": true, "left": { "seconds": 300 }, "right": { "seconds": 300 }, "running": true, "turn": "left" });
    let before = [json!({ "type": "position", "placement": placement }), clock];
    let announced =
        json!({ "type": "history", "reason": "position", "count": log.len() + 5, "complete": true });
    let all = before.into_iter().chain(seen).chain([announced]).chain(log).enumerate();
    let lines = all.map(|(n, mut record)| {
        record["time"] = json!(format!("2026-11-21T10:{:02}:{:02}.000Z", n / 12, n % 12 * 5));
        record["seq"] = json!(n + 1);
        record["board"] = json!(7);
        format!("{record}\n")
    });
    std::iter::once("{\"type\":\"stream\",\"records\":1,\"run\":\"a\"}\n".to_owned()).chain(lines).collect()
}

#[test]
fn checked_games_equal_reconstructed_games_with_cut_logs() {
    let cut = a_log_that_breaks_off();
    let another = "{\"type\":\"stream\",\"records\":1,\"run\":\"b\"}\n{\"type\":\"lost\",\"board\":7,\"reason\":\"timeout\",\"seq\":1,\"time\":\"2026-11-21T11:00:00.000Z\"}\n";
    for journal in [cut.clone(), cut + another] {
        assert_eq!(of(&records(output_of(&["reconstruct"], journal.clone())), "game").len(), 2);
        for options in [&[][..], &["--follow"]] {
            let (table, _, _) = run(&[&["check", "--format", "text"], options].concat(), journal.clone());
            let rows = table.lines().skip_while(|line| !line.starts_with("board  version  games"));
            let games = rows.skip(1).map(|row| row.split_whitespace().nth(2).unwrap_or_default()).next();
            assert_eq!(games, Some("2"), "{options:?}: {table}");
        }
    }
}

#[test]
fn games_alone_are_checked_without_a_word() {
    let (games, _, _) = run(&["reconstruct"], journal(&[]));
    assert_eq!(names(&check(games.as_bytes(), &[]).0), [""; 0]);
}

#[test]
fn bad_lines_are_reported_and_the_rest_is_checked() {
    let journal = [&journal(&["twin=1025"])[..], b"{\"type\":\"cha"].concat();
    let (out, said, code) = run(&["check"], journal);
    assert_eq!((names(&records(out)), code), (vec!["twin 1025 -".into()], 4));
    assert!(said.ends_with("1 bad record skipped\n"), "{said}");
}

#[test]
fn followed_journals_report_each_finding_immediately() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("round.jsonl");
    std::fs::write(&file, journal(&["flicker=1025:e4"])).unwrap();
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_boardbus"));
    check.args(["check", "--follow", "--format", "json"]).arg(&file).stdout(std::process::Stdio::piped());
    let mut check = check.spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(check.stdout.take().unwrap()));
    // Nobody has asked it to end.
    let first = records(lines.next().unwrap().unwrap());
    assert_eq!(names(&first), ["flicker 1025 e4"]);
    let _ = check.kill();
    let _ = check.wait();
}

#[test]
fn text_has_one_table_and_advice_for_findings() {
    let (text, _, code) = run(&["check", "--format", "text"], journal(&["flicker=1025:e4"]));
    assert_eq!(code, 1);
    let at = text.find(" 1025  e4 flickers, ").unwrap_or_else(|| panic!("{text}"));
    assert!(text[at..].contains("\n       Centre the piece on the square"), "{text}");
    assert!(!text.contains('\x1b'));
}

#[test]
fn text_has_local_times_and_records_have_utc() {
    let journal =
        r#"{"type":"fault","time":"2026-11-22T10:00:30.000Z","board":1025,"kind":"checksum","detail":"x"}
"#
        .repeat(9);
    let told = |format: &str| {
        let mut check = command("check");
        check.args(["--format", format]).env("TZ", "Europe/Berlin").write_stdin(journal.clone());
        String::from_utf8(check.assert().code(1).get_output().stdout.clone()).unwrap()
    };
    let text = told("text");
    assert!(text.contains("9 checksum (9 at 11:00 CET)"), "{text}");
    assert!(text.contains("(since 2026-11-22 11:00:30 CET)"), "{text}");
    let record = records(told("json")).remove(0);
    assert_eq!(record["since"], "2026-11-22T10:00:30.000Z");
    assert_eq!(record["detail"], "9 checksum (9 at 10:00 UTC)");
}

#[test]
fn two_boards_with_one_address_are_reported_at_speed() {
    let hall = Hall::open(&["--boards", "2", "--no-clock", "--fault", "twin=1025"]);
    let mut watch = hall.spawn("watch", &[]);
    let is_twin = |record: &Value| record["detail"].as_str().is_some_and(|text| text.contains("two boards"));
    let mut told = watch.until(is_twin);
    watch.signal(rustix::process::Signal::TERM);
    told.extend(watch.rest());
    let journal: String = told.iter().map(|record| format!("{record}\n")).collect();
    let (found, code) = check(journal.as_bytes(), &[]);
    assert_eq!((names(&found), code), (vec!["twin 1025 -".into()], 1));
}

#[test]
fn faults_that_cannot_be_are_usage_errors() {
    for (fault, says) in [
        ("dead-square=1025", "dead-square=1025:e4"),
        ("slow=1025:e4", "not of a square"),
        ("flicker=2000:e4", "no board has the address 2000"),
        ("weak-piece=1025:e4", "no piece begins its games on e4"),
    ] {
        let (_, said, code) =
            run(&["simulate", "--records", "--boards", "1", "--pgn", PGN, "--fault", fault], "");
        assert!(code == 2 && said.contains(says), "{said}");
    }
    // A board a game, as it is by itself.
    let dies = "dying-square=1026:e4";
    let (_, said, code) = run(&["simulate", "--records", "--pgn", PGN, "--fault", dies], "");
    assert!(code == 2 && said.contains("board 1026 plays no second"), "{said}");
}

#[test]
fn the_kinds_of_findings_stand_in_the_manual() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/boardbus-check.1")).unwrap();
    for kind in boardbus::record::FindingKind::ALL {
        let name = kind.name().replace('-', "\\-");
        assert!(page.contains(&format!("\n\\fB{name}\\fR\n")), "{name}");
    }
}

#[test]
fn a_dead_square_shows_nothing_on_a_line_either() {
    let faults = ["--fault", "dead-square=1025:e2"];
    let hall = Hall::open(&[&["--boards", "1", "--no-clock", "--wire-speed", "0"][..], &faults].concat());
    let out = hall.command("dump").args(["--board", "1025"]).assert().success().get_output().stdout.clone();
    let told = records(&out);
    let stands = &of(&told, "position")[0]["placement"];
    assert_eq!(*stands, "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
}

#[test]
fn what_a_board_calls_itself_steers_no_terminal() {
    let board =
        r#"{"type":"board","line":"a\u001bb","board":7,"version":"1\u001b]0;x\u0007\u009b","mode":"bus"}"#;
    let lost = r#"{"type":"lost","line":"a\u001bb","board":7,"reason":"gone\u001b[2J"}"#;
    let (out, _, _) = run(&["check", "--format", "text"], format!("{board}\n{lost}\n"));
    assert!(out.contains("a b") && !out.chars().any(|c| c.is_control() && c != '\n'), "{out:?}");
}

#[test]
fn pain_9_two_lines_without_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = two_lines(folder.path());
    for command in [&["check"][..], &["check", "--no-games"], &["show", "--once"]] {
        let (out, said, code) = run(&[command, &[&one[..], &two]].concat(), "");
        assert_eq!((out.as_str(), code), ("", 2), "{command:?}");
        let remedy = format!("--line hall-1={one} --line hall-2={two}\n");
        assert!(said.contains("both report board 1 at the same time") && said.ends_with(&remedy), "{said}");
    }
    let lines = [format!("a={one}"), format!("b={two}")];
    let named = ["check", "--format", "text", "--line", &lines[0], "--line", &lines[1]];
    let (table, said, code) = run(&named, "");
    assert_eq!((said.as_str(), code), ("", 0));
    let boards =
        ["a", "b"].map(|line| table.lines().filter(|row| row.starts_with(&format!("{line} "))).count());
    assert_eq!(boards, [1, 1], "{table}");
}
