//! `boardbus reconstruct`.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

use assert_cmd::cargo_bin;

use super::program::{on_a_terminal, records, run};

const START: &str =
    r#"{"type":"position","board":1,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#;
const E4: &str = r#"{"type":"change","board":1,"square":"e2","piece":null}
{"type":"change","board":1,"square":"e4","piece":"P"}
{"type":"press","board":1,"side":"left","seconds":90}"#;
const E5: &str = r#"{"type":"change","board":1,"square":"e7","piece":null}
{"type":"change","board":1,"square":"e5","piece":"p"}
{"type":"press","board":1,"side":"right","seconds":90}"#;

/// Runs `boardbus reconstruct ARGS` on an input: standard output, standard error, exit code.
fn reconstruct(args: &[&str], input: &str) -> (String, String, i32) {
    run(&[&["reconstruct"], args].concat(), input)
}

/// Starts `boardbus reconstruct` with a pipe at every end.
fn spawn() -> Child {
    let mut command = Command::new(cargo_bin!("boardbus"));
    command.arg("reconstruct").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The SAN of the moves in records.
fn moves(output: &str) -> Vec<String> {
    records(output).iter().filter_map(|record| Some(record["san"].as_str()?.to_owned())).collect()
}

#[test]
fn bad_lines_are_reported_with_their_place_and_skipped() {
    let (out, err, code) =
        reconstruct(&[], &format!("{START}\n{E4}\ne2e4\n{{\"type\":\"change\",\"square\":\"e7\"}}\n{E5}\n"));
    assert_eq!((code, moves(&out)), (4, vec!["e4".into(), "e5".into()]));
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 3, "{err}");
    assert!(lines[0].starts_with("boardbus reconstruct: standard input:5: not a record: "), "{err}");
    assert!(
        lines[1].starts_with("boardbus reconstruct: standard input:6: not a record: missing field `piece`"),
        "{err}"
    );
    assert_eq!(lines[2], "boardbus reconstruct: 2 bad records skipped");
}

#[test]
fn strict_stops_at_bad_lines_and_keeps_earlier_output() {
    let (out, err, code) = reconstruct(&["--strict"], &format!("{START}\n{E4}\nnonsense\n{E5}\n"));
    assert_eq!((code, moves(&out)), (4, vec!["e4".into()]));
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains("standard input:5: "), "{err}");
}

#[test]
fn later_record_versions_end_the_reading() {
    let (out, err, code) =
        reconstruct(&[], &format!("{START}\n{E4}\n{{\"type\":\"stream\",\"records\":2}}\n{E5}\n"));
    assert_eq!((code, moves(&out)), (4, vec!["e4".into()]));
    assert_eq!(
        err,
        "boardbus reconstruct: standard input:5: records of version 2, this program knows 1: use a newer boardbus\n"
    );
}

#[test]
fn missing_files_are_reported_and_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("a"), format!("{START}\n{E4}\n")).unwrap();
    std::fs::write(path("b"), format!("{E5}\n")).unwrap();
    let (out, err, code) = reconstruct(&[&path("a"), &path("none"), &path("b")], "");
    assert_eq!((code, moves(&out)), (5, vec!["e4".into(), "e5".into()]));
    assert_eq!(
        err,
        format!("boardbus reconstruct: {}: No such file or directory (os error 2)\n", path("none"))
    );
}

#[test]
fn input_forges_no_lines_and_steers_no_terminal() {
    let (_, err, _) = reconstruct(
        &[],
        "{\"type\":\"change\",\"square\":\"a\\nboardbus: faked\\u001b[31m\",\"piece\":null}\n",
    );
    assert_eq!(err.lines().count(), 2, "{err}");
    assert!(!err.contains('\u{1b}'), "{err:?}");
}

#[test]
fn byte_order_marks_are_skipped_before_the_first_record() {
    let (out, err, code) = reconstruct(&[], &format!("\u{feff}{START}\n{E4}\n"));
    assert_eq!((code, moves(&out), &*err), (0, vec!["e4".into()], ""));
}

#[test]
fn consequences_of_a_record_are_printed_before_the_next() {
    let mut child = spawn();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(input, "{START}\n{E4}").unwrap();
    // The input stays open: these lines come, or this test waits for ever.
    assert!(output.next().unwrap().unwrap().contains(r#""type":"game""#));
    assert!(output.next().unwrap().unwrap().contains(r#""san":"e4""#));
    writeln!(input, "{E5}").unwrap();
    assert!(output.next().unwrap().unwrap().contains(r#""san":"e5""#));
    drop(input);
    assert!(output.next().unwrap().unwrap().contains(r#""reason":"input-end""#));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_has_gone_ends_it_quietly() {
    let mut child = spawn();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{START}\n{E4}").unwrap();
    drop(input);
    let out = child.wait_with_output().unwrap();
    assert_eq!((out.status.code(), &*out.stderr), (Some(0), &b""[..]));
}

#[test]
fn signals_end_the_command_after_buffered_writes() {
    use std::os::unix::process::ExitStatusExt;
    let mut child = spawn();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(input, "{START}\n{E4}").unwrap();
    output.next().unwrap().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let rest: Vec<_> = output.map(Result::unwrap).collect();
    assert!(rest[0].contains(r#""san":"e4""#) && rest[1].contains(r#""type":"end""#), "{rest:?}");
    assert_eq!(child.wait().unwrap().signal(), Some(2));
}

#[test]
fn games_start_from_the_given_position_only() {
    let fen = "4k3/pppp4/8/8/8/8/4PPPP/4K3 b - - 0 1";
    let endgame = r#"{"type":"position","board":1,"placement":"4k3/pppp4/8/8/8/8/4PPPP/4K3"}
{"type":"change","board":1,"square":"d7","piece":null}
{"type":"change","board":1,"square":"d5","piece":"p"}
{"type":"press","board":1,"side":"right","seconds":90}"#;
    let (out, err, code) = reconstruct(&["--fen", fen], &format!("{START}\n{E4}\n{endgame}\n"));
    assert_eq!((code, moves(&out), &*err), (0, vec!["d5".into()], ""));
    let games: Vec<_> = out.lines().filter(|line| line.contains(r#""type":"game""#)).collect();
    assert_eq!(games.len(), 1, "{out}");
    assert!(games[0].contains(fen), "{out}");
}

#[test]
fn the_settle_time_takes_units_and_defaults_to_seconds() {
    // A pawn rests for two seconds on its way.
    let changes = [(1, "e2", "null"), (1, "e3", "\"P\""), (4, "e3", "null"), (4, "e4", "\"P\"")];
    let mut input = format!("{START}\n");
    for (second, square, piece) in changes {
        input += &format!(
            r#"{{"type":"change","time":"2026-11-21T10:00:0{second}Z","board":1,"square":"{square}","piece":{piece}}}
{{"type":"clock","time":"2026-11-21T10:00:0{}Z","board":1,"connected":false}}
"#,
            second + 2
        );
    }
    let told = |settle| moves(&reconstruct(&["--settle", settle], &input).0);
    assert_eq!(told("500ms"), ["e3", "e4"]);
    assert_eq!(told("0.5"), ["e3", "e4"]);
    assert_eq!(told("0.5m"), ["e4"]);
    assert_eq!(reconstruct(&["--settle", "soon"], &input).2, 2);
}

#[test]
fn explain_gives_charges_and_runner_up_of_each_move() {
    // Seen on e3 on its way to e4: e3 is the runner-up, and would leave two changes unexplained.
    let mut input = START.to_owned() + "\n";
    for (square, piece) in [("e2", "null"), ("e3", r#""P""#), ("e3", "null"), ("e4", r#""P""#)] {
        input += &format!(r#"{{"type":"change","board":1,"square":"{square}","piece":{piece}}}"#);
        input += "\n";
    }
    input += r#"{"type":"press","board":1,"side":"left","seconds":60}"#;
    input += "\n{\"type\":\"quiet\",\"board\":1}\n";
    assert!(!reconstruct(&[], &input).0.contains("explain"), "only where it is asked for");
    let (out, ..) = reconstruct(&["--explain"], &input);
    let told = records(&out);
    let first = told.iter().find(|record| record["type"] == "move").expect("a move");
    let transit = serde_json::json!(["transit", 0.05]);
    let explain = serde_json::json!({"charges": [transit, transit], "runner_up": "e2e3", "lead": 1.3});
    assert_eq!((first["uci"].as_str(), &first["explain"]), (Some("e2e4"), &explain));
}

/// Two journals of one time, each of a line of its own whose board has the same address.
pub fn two_lines(folder: &std::path::Path) -> [String; 2] {
    let journal = |name: &str, run: &str, white: &str| {
        let stream = format!(r#"{{"type":"stream","records":1,"run":"{run}"}}"#);
        let at = |second: u32, rest: &str| {
            format!(r#"{{"time":"2026-11-21T10:00:{second:02}.000Z","board":1,"seq":{second},{rest}}}"#)
        };
        let start = r#""type":"position","placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR""#;
        let change =
            |square: &str, piece: &str| format!(r#""type":"change","square":"{square}","piece":{piece}"#);
        let lines = [
            stream,
            at(1, start),
            at(10, &change(&format!("{white}2"), "null")),
            at(11, &change(&format!("{white}4"), "\"P\"")),
            at(12, r#""type":"press","side":"left","seconds":90"#),
            at(15, r#""type":"quiet""#),
        ];
        let path = folder.join(name).display().to_string();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        path
    };
    [journal("hall1.jsonl", "a", "e"), journal("hall2.jsonl", "b", "d")]
}

#[test]
fn pain_9_two_lines_without_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = two_lines(folder.path());
    let (out, err, code) = reconstruct(&[&one, &two], "");
    assert_eq!((out.as_str(), code), ("", 2));
    let remedy = format!("--line hall-1={one} --line hall-2={two}\n");
    assert!(err.contains("both report board 1 at the same time") && err.ends_with(&remedy), "{err}");
    let (out, err, code) = reconstruct(&["--line", &format!("a={one}"), "--line", &format!("b={two}")], "");
    assert_eq!((err.as_str(), code), ("", 0));
    let played = records(&out);
    let of_line = |line: &str| {
        let moves = played.iter().filter(|record| record["line"] == line && record["type"] == "move");
        moves.map(|record| record["san"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((of_line("a"), of_line("b")), (vec!["e4".to_owned()], vec!["d4".to_owned()]));
    // Joined, the same can only be said.
    let both = [one.clone(), two].map(|path| std::fs::read_to_string(path).unwrap()).concat();
    let (_, err, code) = reconstruct(&[], &both);
    assert_eq!(code, 0);
    assert!(err.contains("if journals of two lines are joined here") && err.lines().count() == 1, "{err}");
    // The same journal twice is one.
    assert_eq!(reconstruct(&[&one, &one], "").1, "");
}

#[test]
fn journals_of_one_run_are_read_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read_to_string(&two_lines(folder.path())[0]).unwrap();
    let (stream, records_of_run) = whole.split_once('\n').unwrap();
    let records_of_run: Vec<&str> = records_of_run.lines().collect();
    // Kept within one second, these names sort otherwise than they were begun.
    let parts = [("j.T1.jsonl", 0..2), ("j.T1-2.jsonl", 2..3), ("j.jsonl", 3..5)].map(|(name, range)| {
        let path = folder.path().join(name).display().to_string();
        std::fs::write(&path, format!("{stream}\n{}\n", records_of_run[range].join("\n"))).unwrap();
        path
    });
    let [one, two, three] = parts.each_ref().map(String::as_str);
    for order in [[one, two, three], [two, one, three], [three, two, one], [three, one, two]] {
        for named in [false, true] {
            let named_files = order.map(|file| format!("hall={file}"));
            let options = named_files.iter().flat_map(|file| ["--line", file]);
            let options: Vec<&str> = if named { options.collect() } else { order.to_vec() };
            let (out, err, code) = reconstruct(&options, "");
            assert_eq!((err.as_str(), code), ("", 0));
            let moves: Vec<_> = records(&out).into_iter().filter(|record| record["type"] == "move").collect();
            assert_eq!(moves.iter().map(|m| &m["san"]).collect::<Vec<_>>(), ["e4"], "{order:?}");
        }
    }
}

/// The records of a run: those between its stream record and the next.
fn run_of<'a>(told: &'a [serde_json::Value], run: &str) -> Vec<&'a serde_json::Value> {
    let begin = told.iter().position(|record| record["run"] == run).unwrap_or_else(|| panic!("{run}"));
    told[begin + 1..].iter().take_while(|record| record["type"] != "stream").collect()
}

#[test]
fn records_keep_run_and_numbers_between_readings() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = two_lines(folder.path());
    let alone = records(reconstruct(&["--line", &format!("hall-1={one}")], "").0);
    let both = [format!("hall-2={two}"), format!("hall-1={one}")];
    let both = records(reconstruct(&["--line", &both[0], "--line", &both[1]], "").0);
    for (told, run) in [(&alone, "a-games"), (&both, "a-games"), (&both, "b-games")] {
        let numbers: Vec<_> =
            run_of(told, run).iter().map(|record| record["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [1, 2], "{told:?}");
    }
    assert_eq!(run_of(&alone, "a-games"), run_of(&both, "a-games"));
    // What is told only because the input ended is another run: a longer input tells otherwise.
    let whole = std::fs::read_to_string(&one).unwrap();
    let mut longer = whole.replace("}\n", ",\"line\":\"hall-1\"}\n");
    let shorter = longer.clone();
    for (second, square, piece) in [(20, "e7", "null"), (21, "e5", "\"p\"")] {
        longer += &format!(
            "{{\"time\":\"2026-11-21T10:00:{second}.000Z\",\"board\":1,\"seq\":{second},\"type\":\"change\",             \"square\":\"{square}\",\"piece\":{piece},\"line\":\"hall-1\"}}\n"
        );
    }
    longer += "{\"type\":\"quiet\",\"time\":\"2026-11-21T10:00:40.000Z\",\"board\":1,\"seq\":40,\"line\":\"hall-1\"}\n";
    let (shorter, longer) =
        (records(reconstruct(&["-"], &shorter).0), records(reconstruct(&["-"], &longer).0));
    let (few, more) = (run_of(&shorter, "a-games"), run_of(&longer, "a-games"));
    assert_eq!((few[..].as_ref(), more.len() > 2), (&more[..2], true), "{longer:?}");
    assert_eq!(run_of(&shorter, "a-games-ended-2")[0]["seq"], 1);
    assert_eq!(run_of(&longer, &format!("a-games-ended-{}", more.len()))[0]["type"], "end");
}

#[test]
fn wrong_clocks_in_one_hall_leave_other_halls_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = two_lines(folder.path());
    let read = |path: &str, line: &str| {
        std::fs::read_to_string(path).unwrap().replace("}\n", &format!(",\"line\":\"{line}\"}}\n"))
    };
    let (one, two) = (read(&one, "hall-1"), read(&two, "hall-2").replace("T10:", "T11:"));
    // The halls' records come by turns, as they do live.
    let mixed: String = one.lines().zip(two.lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    let of = |input: &str| {
        let mut told = records(reconstruct(&["-"], input).0);
        told.retain(|record| record["line"] == "hall-1");
        told
    };
    assert_eq!(of(&mixed), of(&one));
    assert!(of(&one).len() > 3);
}

#[test]
fn pain_12_empty_results_give_a_reason() {
    let game = r#"{"type":"game","board":1,"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#;
    let said = |input: &str| reconstruct(&[], input);
    let line = |said: &str| format!("boardbus reconstruct: {said}\n");
    assert_eq!(said("").1, line("no records in the input: nothing to do"));
    let already =
        "only game records in the input: they are reconstructed already, a writer such as to-pgn reads them";
    assert_eq!(said(&format!("{game}\n")).1, line(already));
    let beginning = "changes of boards 1, but no game: they never stood in a start position here; is the beginning missing? (with --midgame the rest is a game)";
    assert_eq!(said(&format!("{E4}\n")).1, line(beginning));
    let pgn = "[Event \"?\"]\n[White \"a\"]\n\n1. e4 e5 *\n\n".repeat(300);
    let (out, err, code) = said(&pgn);
    assert_eq!((out.as_str(), code, err.lines().count()), ("", 4, 2), "{err}");
    assert!(err.contains("standard input:1: a file of games, not records: read PGN with from-pgn"), "{err}");
}

#[test]
fn errors_that_repeat_are_counted() {
    let (out, err, code) = reconstruct(&[], &format!("{START}\n{}{E4}\n", "nonsense\n".repeat(5000)));
    assert_eq!((code, moves(&out)), (4, vec!["e4".into()]));
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines.len(), 12, "{err}");
    assert!(
        lines[10].contains("4990 more of these are not shown, the last: standard input:5001: not a record"),
        "{err}"
    );
    assert_eq!(lines[11], "boardbus reconstruct: 5000 bad records skipped");
}

#[test]
fn the_zone_of_a_line_comes_with_its_games() {
    let of = |line: &str, zone: &str| {
        let stream = format!(r#"{{"type":"stream","records":1,"run":"{line}","line":"{line}"{zone}}}"#);
        let start = START.replace("\"board\"", &format!("\"line\":\"{line}\",\"board\""));
        format!("{stream}\n{start}\n{}\n", E4.replace("\"board\"", &format!("\"line\":\"{line}\",\"board\"")))
    };
    let input = of("a", ",\"zone\":\"America/New_York\"") + &of("b", "");
    for args in [&[][..], &["--final"]] {
        let (out, _, _) = reconstruct(args, &input);
        let games: Vec<_> = records(&out).into_iter().filter(|record| record["type"] == "game").collect();
        let zones: Vec<_> = games.iter().map(|game| (game["line"].as_str(), game["zone"].as_str())).collect();
        assert_eq!(zones, [(Some("a"), Some("America/New_York")), (Some("b"), None)], "{out}");
    }
}

#[test]
fn text_has_moves_and_a_summary_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("round3.jsonl");
    std::fs::write(&journal, format!("{START}\n{E4}\n{E5}\n")).unwrap();
    let path = journal.to_str().unwrap();
    let (out, err, code) = run(&["reconstruct", "--format", "text", "--summary", path], "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines,
        ["    1  game 1: chess", "    1  1. e4  0:01:30", "    1  1... e5  0:01:30", "    1  * (input-end)"]
    );
    let said = "boardbus reconstruct: 1 game, 0 results, 0 guesses, 0 anomalies, journal round3.jsonl ";
    assert!(err.starts_with(said) && err.ends_with(" bytes\n"), "{err}");
    assert_eq!(code, 0);
    // Into a pipe, unless asked for, records and no word.
    let (out, err, _) = run(&["reconstruct", path], "");
    assert!(out.starts_with('{') && err.is_empty(), "{out}{err}");
}

#[test]
fn errors_are_coloured_on_terminals_unless_no_color() {
    let pgn = "1. e4 e9 *\n";
    let shown = |no_color: &str| {
        let command = format!("printf '%s' '{pgn}' | {} from-pgn", env!("CARGO_BIN_EXE_boardbus"));
        on_a_terminal(&command, &[("NO_COLOR", no_color)])
    };
    let (Some((colour, _)), Some((plain, _))) = (shown(""), shown("1")) else { return };
    assert!(colour.contains("\u{1b}[31munreadable") && colour.contains("1. e4"), "{colour}");
    assert!(plain.contains("unreadable") && !plain.contains("\u{1b}[31m"), "{plain}");
}

#[test]
fn clocks_put_back_in_play_do_not_delay_rests() {
    const SANS: [&str; 8] = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "d3", "d6"];
    let moves = [
        ("e2", "e4", 'P'),
        ("e7", "e5", 'p'),
        ("g1", "f3", 'N'),
        ("b8", "c6", 'n'),
        ("f1", "c4", 'B'),
        ("f8", "c5", 'b'),
        ("d2", "d3", 'P'),
        ("d7", "d6", 'p'),
    ];
    let told = |set: i64| {
        let mut now: jiff::Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let mut lines = vec![START.replace("\"board\":1", &format!("\"time\":\"{now:.3}\",\"board\":1"))];
        for (ply, (from, to, piece)) in moves.iter().enumerate() {
            now += jiff::SignedDuration::from_secs(10 + if ply == 3 { set } else { 0 });
            let mut tell = |now: jiff::Timestamp, event: String| {
                lines.push(format!("{{{event},\"time\":\"{now:.3}\",\"board\":1}}"));
            };
            tell(now, format!("\"type\":\"change\",\"square\":\"{from}\",\"piece\":null"));
            tell(now, format!("\"type\":\"change\",\"square\":\"{to}\",\"piece\":\"{piece}\""));
            let side = ["left", "right"][ply % 2];
            tell(now, format!("\"type\":\"press\",\"side\":\"{side}\",\"seconds\":90"));
            for _ in 0..5 {
                now += jiff::SignedDuration::from_secs(2);
                tell(now, "\"type\":\"quiet\"".into());
            }
        }
        let (out, said, code) = run(&["reconstruct"], lines.join("\n"));
        assert_eq!((said.as_str(), code), ("", 0));
        records(out)
    };
    for set in [0, -25, -40, -3600, -86_400] {
        let told = told(set);
        assert!(
            told.iter().all(|record| !["anomaly", "takeback"].contains(&record["type"].as_str().unwrap())),
            "{set}"
        );
        let mut names: Vec<_> =
            told.iter().filter_map(|record| Some((record["ply"].as_u64()?, &record["san"]))).collect();
        names.sort_by_key(|(ply, _)| *ply);
        names.dedup();
        assert_eq!(names.iter().map(|(_, san)| *san).collect::<Vec<_>>(), SANS, "{set}");
        assert!(
            told.iter().filter(|record| record["type"] == "move").all(|record| record["seconds"] == 90),
            "{set}"
        );
    }
    // Their times are those of the records.
    let last = told(-3600).into_iter().rfind(|record| record["ply"] == 8).unwrap();
    assert_eq!(last["time"], "2026-11-21T09:02:30.000Z");
}
