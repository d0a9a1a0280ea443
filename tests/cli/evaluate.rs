//! `boardbus evaluate`, with engines that are scripts: what is expected of each they print themselves.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    hall::wait,
    program::{of, output_of, records, run},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const C5: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

/// An engine: a script that answers as engines do, but to `go` with these lines, of which `$fen` is the position asked for.
/// What it is sent stands in its log.
struct Engine {
    folder: TempDir,
}

impl Engine {
    fn new(go: &str) -> Engine {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            r#"#!/bin/sh
echo $$ >> {0}/processes
while read -r line; do
    echo "$line" >> {0}/log
    case "$line" in
    uci) echo "Stub by nobody"
         echo "id name Stub 1"
         echo "option name Threads type spin default 4 min 1 max 8"
         echo "option name hAsH type spin default 16 min 4 max 1024"
         echo "option name OwnBook type check default true"
         echo "option name Style type string default <empty>"
         echo "uciok";;
    isready) echo "readyok";;
    position*) fen=${{line#position fen }};;
    go*) {go};;
    quit) exit 0;;
    esac
done
"#,
            folder.path().display()
        );
        let path = folder.path().join("engine");
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Engine { folder }
    }

    /// One that has a score and a line for each of the positions of these tests, and says of others that a1a2 is best.
    fn good() -> Engine {
        Engine::new(
            r#"case "$fen" in
            *"4P3/8/PPPP1PPP/RNBQKBNR b"*) score="cp 30"; move=e7e5;;
            *"4p3/4P3/8/PPPP1PPP/RNBQKBNR w"*) score="cp 25"; move=g1f3;;
            *"2p5/4P3/8/PPPP1PPP/RNBQKBNR w"*) score="mate 7"; move=g1f3;;
            *) score="cp 9"; move=a1a2;;
            esac
            echo "info depth 3 score cp 999 upperbound nodes 7 pv $move"
            echo "info depth 4 score $score nodes 77 pv $move a1a2"
            echo "info nodes 99 time 1"
            echo "bestmove $move""#,
        )
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("engine")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// How often a position was asked for.
    fn asked(&self) -> usize {
        self.log().matches("go ").count()
    }

    fn run(&self, args: &[&str], input: &str) -> (Vec<Value>, String, i32) {
        let engine = self.path().display().to_string();
        let (out, said, code) = run(&[&["evaluate", "--engine", &engine], args].concat(), input);
        (records(out), said, code)
    }

    /// Waits until all of its processes have ended; a zombie whose parent has not waited for it has ended too.
    fn wait_until_gone(&self) {
        let processes = fs::read_to_string(self.folder.path().join("processes")).unwrap_or_default();
        let runs = |process: &str| {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit(") ").next().is_some_and(|stat| !stat.is_empty() && !stat.starts_with('Z'))
        };
        wait(|| !processes.lines().any(runs));
    }
}

fn game(head: &str) -> String {
    format!("{{\"type\":\"game\",{head}\"game\":1,\"rules\":\"chess\",\"fen\":\"{START}\"}}\n")
}

fn mv(head: &str, ply: u32, san: &str, fen: &str) -> String {
    format!("{{\"type\":\"move\",{head}\"game\":1,\"ply\":{ply},\"san\":\"{san}\",\"fen\":\"{fen}\"}}\n")
}

/// A game of a file: 1. e4 e5.
fn of_file() -> String {
    [game(""), mv("", 1, "e4", E4), mv("", 2, "e5", E5)].concat()
}

fn kinds(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["type"].as_str().unwrap()).collect()
}

#[test]
fn evaluations_follow_moves_from_whites_side() {
    let engine = Engine::good();
    let (all, said, code) = engine.run(&["--nodes", "50"], &of_file());
    assert_eq!((&*said, code), ("", 0));
    assert_eq!(kinds(&all), ["game", "move", "evaluation", "move", "evaluation"]);
    // Of Black's move 30 is good for Black; the line ends where it cannot be played.
    let first = json!({ "type": "evaluation", "game": 1, "ply": 1, "cp": -30, "depth": 4, "nodes": 77,
        "pv": ["e7e5"], "engine": "Stub 1" });
    assert_eq!(all[2], first);
    assert_eq!((&all[4]["cp"], &all[4]["ply"]), (&json!(25), &json!(2)));
    let log = engine.log();
    assert!(log.contains(&format!("ucinewgame\nisready\nposition fen {E4}\ngo nodes 50\n")), "{log}");
    engine.wait_until_gone();
}

#[test]
fn engine_options_are_set_by_name_within_limits() {
    let engine = Engine::good();
    let args = ["--hash", "100000", "--option", "style = Bold", "--option", "Depth=3", "--movetime", "70"];
    let (_, said, code) = engine.run(&args, &of_file());
    assert!(said.contains("Stub 1 has no option \"Depth\"") && said.lines().count() == 1, "{said}");
    let log = engine.log();
    for line in
        ["name Threads value 1", "name hAsH value 1024", "name OwnBook value false", "name Style value Bold"]
    {
        assert!(log.contains(&format!("setoption {line}\n")), "{line}: {log}");
    }
    assert!(log.contains("go movetime 70\n") && code == 0);
}

#[test]
fn evaluating_files_is_repeatable_and_asks_once_per_position() {
    let input: String = (0..20).map(|_| of_file()).collect();
    let outputs = ["1", "3"].map(|engines| {
        let engine = Engine::good();
        let path = engine.path().display().to_string();
        let out = output_of(&["evaluate", "--engine", &path, "--engines", engines], &*input);
        assert_eq!(engine.asked(), 2, "two positions");
        out
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(of(&records(&outputs[0]), "evaluation").len(), 40);
}

#[test]
fn what_has_no_evaluation_passes_as_it_is() {
    let engine = Engine::good();
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let draughts = "{\"type\":\"game\",\"game\":2,\"rules\":\"russian\",\"fen\":\"W:Wa1:Bh8\"}\n";
    let stream = "{\"type\":\"stream\",\"records\":1}\n";
    let older = "{\"type\":\"evaluation\",\"game\":1,\"ply\":1,\"cp\":7}\n";
    let input = [&game(""), older, &mv("", 1, "Qh4#", mate), stream, draughts].concat();
    let (all, said, code) = engine.run(&[], &input);
    assert_eq!((&*said, code), ("", 0));
    assert_eq!(kinds(&all), ["game", "move", "stream", "game"], "the engine's takes the place of the older");
    assert_eq!(engine.asked(), 0);
}

#[test]
fn records_pass_without_an_engine_and_exit_3() {
    let none = run(&["evaluate", "--engine", "no-such-engine"], of_file());
    assert_eq!((&*none.0, none.2), (&*of_file(), 3));
    assert!(none.1.starts_with("boardbus evaluate: no engine no-such-engine"), "{}", none.1);
    // What it prints instead of an answer has no end.
    let engine = Engine::good();
    fs::write(engine.path(), "#!/bin/sh\nyes | tr -d '\\n'\n").unwrap();
    let path = engine.path().display().to_string();
    for (engine, why) in [(&*path, "engine is no UCI engine"), ("/bin/false", "false ends as soon as")] {
        let (out, said, code) = run(&["evaluate", "--engines", "2", "--engine", engine], of_file());
        assert_eq!((&*out, code), (&*of_file(), 3), "{said}");
        assert!(said.contains(why) && said.lines().count() == 2, "{said}");
    }
}

#[test]
fn engines_with_nonsense_are_reported_and_positions_skipped() {
    for go in ["echo 'info depth 3 score cp 5 pv e2e4'; echo 'bestmove e2e4'", "echo 'bestmove what'"] {
        let nonsense = format!(
            "case \"$fen\" in *' b '*) {go};; *) echo 'info depth 3 score cp 5 pv g1f3'; echo 'bestmove g1f3';; esac"
        );
        let engine = Engine::new(&nonsense);
        let (all, said, code) = engine.run(&["--engines", "1"], &of_file());
        assert_eq!(kinds(&all), ["game", "move", "move", "evaluation"], "{go}");
        assert!(
            said.contains(&format!("answered nonsense at {E4}, which is left out; it is started again")),
            "{said}"
        );
        assert!(said.contains("1 position was left out") && code == 4, "{said}");
        engine.wait_until_gone();
    }
    let engine = Engine::new("echo 'bestmove (none)'");
    let (all, said, code) = engine.run(&["--engines", "1"], &of_file());
    assert_eq!((kinds(&all), code), (vec!["game", "move", "move"], 4));
    assert!(said.contains(&format!("Stub 1 gave no score for {E4}")), "{said}");
}

#[test]
fn a_position_that_ends_engines_is_tried_twice() {
    let engine = Engine::new(
        "case \"$fen\" in *' b '*) exit 1;; *) echo 'info score cp 5 pv g1f3'; echo 'bestmove g1f3';; esac",
    );
    let (all, said, code) = engine.run(&["--engines", "1"], &of_file());
    assert_eq!(kinds(&all), ["game", "move", "move", "evaluation"]);
    assert!(said.contains("which is asked for once more") && said.contains("which is left out"), "{said}");
    assert_eq!((said.lines().count(), code), (3, 4), "{said}");
}

#[test]
fn engines_that_do_not_answer_are_abandoned() {
    // It takes no notice of `stop` either, has a child of its own, and stays when its input ends.
    let engine = Engine::new("sleep 1000 & echo $! >> $(dirname $0)/processes; wait");
    let input = [game(""), mv("", 1, "e4", E4)].concat();
    let (all, said, code) = engine.run(&["--movetime", "10"], &input);
    assert_eq!((kinds(&all), code), (vec!["game", "move"], 4));
    assert!(said.contains("did not answer in time") && said.contains("left out"), "{said}");
    engine.wait_until_gone();
}

#[test]
fn engines_that_ignore_limits_are_stopped() {
    let engine = Engine::new(
        "sleep 0.1; echo 'info depth 5 score cp 5 nodes 300 pv e7e5'; read -r line; echo \"$line\" >> $(dirname $0)/log
         echo 'info depth 6 score cp 6 nodes 400 pv e7e5'; echo 'bestmove e7e5'",
    );
    let input = [game(""), mv("", 1, "e4", E4)].concat();
    let (all, said, code) = engine.run(&["--nodes", "100"], &input);
    assert_eq!((&*said, code, &all[2]["cp"], &all[2]["depth"]), ("", 0, &json!(-6), &json!(6)));
    assert!(engine.log().contains("go nodes 100\nstop\n"), "{}", engine.log());
}

#[test]
fn engines_that_move_without_a_score_are_asked_again() {
    let engine = Engine::new(
        "[ $(grep -c '^go ' $(dirname $0)/log) = 1 ] || echo 'info depth 5 score cp 5 nodes 30 pv e7e5'; echo 'bestmove e7e5'",
    );
    let input = [game(""), mv("", 1, "e4", E4)].concat();
    let (all, said, code) = engine.run(&[], &input);
    assert_eq!((&*said, code, &all[2]["cp"]), ("", 0, &json!(-5)));
    assert_eq!(engine.asked(), 2);
}

#[test]
fn equal_addresses_on_two_lines_are_two_boards() {
    let engine = Engine::good();
    let other = HEAD.replace("\"a\"", "\"b\"");
    let end = |head| format!("{{\"type\":\"end\",{head}\"game\":1,\"result\":\"*\",\"reason\":\"kings\"}}\n");
    let parts =
        [game(HEAD), game(&other), mv(HEAD, 1, "e4", E4), mv(&other, 1, "e4", E4), mv(&other, 2, "c5", C5)];
    let mut live = Live::new(&engine, &[]);
    live.send(&(parts.concat() + &end(HEAD) + &end(&other)));
    drop(live.child.stdin.take());
    let all: Vec<Value> =
        live.lines.by_ref().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let mut found: Vec<String> = of(&all, "evaluation")
        .iter()
        .map(|record| format!("{} {} {}{}", record["line"], record["ply"], record["cp"], record["mate"]))
        .collect();
    found.sort();
    found.dedup();
    assert_eq!(found, ["\"a\" 1 -30null", "\"b\" 1 -30null", "\"b\" 2 null7"]);
}

#[test]
fn what_an_engine_prints_without_end_is_nonsense() {
    let engine = Engine::new("yes | tr -d '\\n'");
    let input = [game(""), mv("", 1, "e4", E4)].concat();
    let (all, said, code) = engine.run(&["--movetime", "1000"], &input);
    assert_eq!((kinds(&all), code), (vec!["game", "move"], 4));
    assert!(said.contains("answered nonsense"), "{said}");
    engine.wait_until_gone();
}

/// A run that is fed line by line.
struct Live {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Live {
    fn new(engine: &Engine, args: &[&str]) -> Live {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardbus"))
            .args(["evaluate", "--engine", &engine.path().display().to_string()])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Live { child, lines }
    }

    fn send(&mut self, lines: &str) {
        self.child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }

    /// Type, ply and score of what comes next.
    fn brief(&mut self) -> String {
        let next = self.next();
        let score = if next["mate"].is_null() { &next["cp"] } else { &next["mate"] };
        let part = |value: &Value| if value.is_null() { String::new() } else { format!(" {value}") };
        format!("{}{}{}", next["type"].as_str().unwrap(), part(&next["ply"]), part(score))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

const HEAD: &str = "\"time\":\"2026-11-21T10:00:07.412Z\",\"line\":\"a\",\"board\":9,";

#[test]
fn moves_of_boards_pass_while_an_engine_thinks() {
    let engine = Engine::new("sleep 1000");
    let mut live = Live::new(&engine, &[]);
    live.send(&game(HEAD));
    assert_eq!(live.brief(), "game");
    live.send(&mv(HEAD, 1, "e4", E4));
    assert_eq!(live.brief(), "move 1");
    live.send(&mv(HEAD, 2, "e5", E5));
    assert_eq!(live.brief(), "move 2");
    // A signal ends both, and leaves no process.
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&live.child),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    let begun = Instant::now();
    assert!(live.lines.next().is_none());
    live.child.wait().unwrap();
    engine.wait_until_gone();
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn evaluations_of_boards_have_the_time_of_their_move() {
    let engine = Engine::good();
    let mut live = Live::new(&engine, &["--depth", "4", "--engines", "1"]);
    live.send(&(game(HEAD) + &mv(HEAD, 1, "e4", E4)));
    assert_eq!((live.brief(), live.brief()), ("game".into(), "move 1".into()));
    let first = live.next();
    assert_eq!(
        (&first["time"], &first["line"], &first["board"], &first["game"], &first["cp"]),
        (&json!("2026-11-21T10:00:07.412Z"), &json!("a"), &json!(9), &json!(1), &json!(-30))
    );
    // It was a first look; then it is evaluated as far as was asked for.
    assert_eq!(live.brief(), "evaluation 1 -30");
    // The same move once more, surer: its evaluation stands behind it at once.
    live.send(&mv(HEAD, 1, "e4", E4));
    assert_eq!((live.brief(), live.brief()), ("move 1".into(), "evaluation 1 -30".into()));
    // Another board has the same position.
    let other = HEAD.replace('9', "10");
    live.send(&(game(&other) + &mv(&other, 1, "e4", E4)));
    assert_eq!(
        (live.brief(), live.brief(), live.brief()),
        ("game".into(), "move 1".into(), "evaluation 1 -30".into())
    );
    assert_eq!(engine.log().matches(&format!("position fen {E4}")).count(), 2);
    assert!(engine.log().contains("go movetime 100\n") && engine.log().contains("go depth 4\n"));
    assert!(!engine.log().contains("ucinewgame"), "what is known of other positions is kept");
}

#[test]
fn a_position_that_is_withdrawn_gets_no_evaluation() {
    // It thinks about the position of the first move until it is stopped, which it takes no notice of for some lines.
    let engine = Engine::new(
        "case \"$fen\" in
         */3P4/*' b '*) echo 'info depth 3 score cp 7 pv e7e5'; echo 'bestmove e7e5';;
         *' b '*) echo 'info depth 1 score cp 1 pv e7e5'; while read -r line && [ \"$line\" != stop ]; do :; done;
                  echo 'info depth 2 score cp 2 pv e7e5'; echo 'bestmove e7e5';;
         *) echo 'info depth 3 score cp 5 pv g1f3'; echo 'bestmove g1f3';;
         esac",
    );
    let mut live = Live::new(&engine, &["--engines", "1", "--movetime", "100000"]);
    live.send(&(game(HEAD) + &mv(HEAD, 1, "e4", E4)));
    live.send(&format!("{{\"type\":\"takeback\",{HEAD}\"game\":1,\"ply\":0}}\n"));
    live.send(&(mv(HEAD, 1, "d4", E4.replace("4P3/8/PPPP1PPP", "3P4/8/PPP1PPPP").as_str())));
    live.send(&mv(HEAD, 2, "c5", C5));
    // The position that replaced it is evaluated too if the engine ends before the next move is read.
    let mut records = Vec::new();
    while records.last().is_none_or(|last| last != "evaluation 2 5") {
        records.push(live.brief());
    }
    records.retain(|record| record != "evaluation 1 -7");
    assert_eq!(records, ["game", "move 1", "takeback 0", "move 1", "move 2", "evaluation 2 5"]);
}

#[test]
fn all_positions_are_evaluated_at_pipe_end() {
    let engine = Engine::good();
    let end = format!("{{\"type\":\"end\",{HEAD}\"game\":1,\"result\":\"*\",\"reason\":\"input-end\"}}\n");
    let input = [game(HEAD), mv(HEAD, 1, "e4", E4), mv(HEAD, 2, "c5", C5), end].concat();
    let path = engine.path().display().to_string();
    let mut child = Live::new(&engine, &[]);
    child.send(&input);
    drop(child.child.stdin.take());
    let all: Vec<Value> =
        child.lines.by_ref().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let last = |ply: u32| all.iter().rfind(|record| record["type"] == "evaluation" && record["ply"] == ply);
    assert_eq!((&last(1).unwrap()["cp"], &last(2).unwrap()["mate"]), (&json!(-30), &json!(7)), "{path}");
    // The engine may answer before the second move is read.
    let passed = kinds(&all).into_iter().filter(|kind| *kind != "evaluation");
    assert_eq!(passed.collect::<Vec<_>>(), ["game", "move", "move", "end"]);
    assert_eq!(child.child.wait().unwrap().code(), Some(0));
    engine.wait_until_gone();
}

#[test]
fn evaluate_ends_with_its_reader_during_a_search() {
    let engine = Engine::new("while :; do echo info nodes 1; sleep 1; done");
    let file = engine.folder.path().join("games.jsonl");
    fs::write(&file, of_file()).unwrap();
    for is_file in [true, false] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.args(["evaluate", "--depth", "40", "--engine", &engine.path().display().to_string()]);
        command.args(is_file.then_some(&file)).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Beside a file it is not read; else it stays open.
        let mut pipe = child.stdin.take().unwrap();
        if !is_file {
            pipe.write_all(of_file().as_bytes()).unwrap();
        }
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first: Vec<String> = lines.by_ref().take(2).map(|line| line.unwrap()).collect();
        assert!(first[0].contains("game") && first[1].contains("e4"), "{first:?}");
        drop(lines);
        wait(|| child.try_wait().unwrap().is_some());
        assert_eq!(child.wait().unwrap().code(), Some(0), "of a file: {is_file}");
        engine.wait_until_gone();
        drop(pipe);
    }
}
