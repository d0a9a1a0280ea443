//! `boardbus to-pgn`.

use assert_cmd::Command;

use super::program::{command, movetext, output_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn to_pgn() -> Command {
    command("to-pgn")
}

/// A game of a board that begins at ten o'clock.
fn begin(board: u16) -> String {
    format!(
        "{{\"type\":\"game\",\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{board},\"game\":1,\
         \"rules\":\"chess\",\"fen\":\"{START}\"}}\n"
    )
}

/// A record of a board's first game.
fn of(board: u16, kind: &str, rest: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"board\":{board},\"game\":1,{rest}}}\n")
}

fn ply(board: u16, ply: u32, san: &str, seconds: u32) -> String {
    of(board, "move", &format!("\"ply\":{ply},\"san\":\"{san}\",\"seconds\":{seconds}"))
}

#[test]
fn played_games_have_roster_tags_clocks_and_result() {
    let records = [
        begin(1025),
        ply(1025, 1, "f3", 5393),
        ply(1025, 2, "e5", 5399),
        ply(1025, 3, "g4", 59),
        ply(1025, 4, "Qh4#", 3600),
        of(1025, "end", "\"result\":\"0-1\",\"reason\":\"checkmate\""),
    ]
    .concat();
    let output = to_pgn().write_stdin(records).assert().success().stderr("");
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let names: Vec<&str> =
        pgn.lines().take(7).map(|line| line.strip_prefix('[').unwrap().split(' ').next().unwrap()).collect();
    assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
    assert!(pgn.contains("[Result \"0-1\"]\n"), "{pgn}");
    assert_eq!(
        movetext(&pgn),
        "1. f3 {[%clk 1:29:53]} 1... e5 {[%clk 1:29:59]} 2. g4 {[%clk 0:00:59]} 2...\n\
         Qh4# {[%clk 1:00:00]} 0-1"
    );
}

#[test]
fn moves_are_replaced_withdrawn_and_continued_after_input() {
    let records = [
        begin(1),
        ply(1, 1, "e4", 60),
        ply(1, 2, "d5", 60),
        ply(1, 3, "exd5", 60),
        of(1, "takeback", "\"ply\":1"),
        ply(1, 2, "e5", 50),
        of(1, "end", "\"result\":\"*\",\"reason\":\"input-end\""),
        ply(1, 1, "d4", 59),
    ]
    .concat();
    let output = to_pgn().write_stdin(records).assert().success().stderr("");
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert_eq!(movetext(&pgn), "1. d4 {[%clk 0:00:59]} 1... e5 {[%clk 0:00:50]} *");
}

// Users' pain: an illegal move that was played blocks everything after it (broadcaster#63).
#[test]
fn pain_3_unreadable_moves_become_comments() {
    let records = [
        begin(1),
        of(1, "move", "\"ply\":1,\"san\":\"e4\",\"guess\":true"),
        of(1, "anomaly", "\"ply\":1,\"kind\":\"illegal\",\"detail\":\"e7 to e4 {1}\""),
        of(1, "move", "\"ply\":2,\"san\":\"e5\""),
    ]
    .concat();
    let output = to_pgn().write_stdin(records).assert().success().stderr("");
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert_eq!(
        movetext(&pgn),
        "1. e4 {guess: bridges a gap in the board's data illegal: e7 to e4 (1)} 1... e5\n*"
    );
}

#[test]
fn bad_records_are_reported_and_their_neighbours_kept() {
    let records = [begin(1), ply(1, 1, "e4", 1), "{\"type\":\"mo\n".into(), ply(1, 2, "e5", 1)].concat();
    let assert = to_pgn().write_stdin(records.clone()).assert().code(4);
    let output = assert.get_output();
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(errors.starts_with("boardbus to-pgn: standard input:3: not a record"), "{errors}");
    assert!(errors.ends_with("boardbus to-pgn: 1 bad record skipped\n"), "{errors}");
    assert!(String::from_utf8(output.stdout.clone()).unwrap().contains("1... e5"));
    let strict = to_pgn().arg("--strict").write_stdin(records).assert().code(4);
    let written = String::from_utf8(strict.get_output().stdout.clone()).unwrap();
    assert!(written.contains("1. e4") && !written.contains("e5"), "{written}");
}

#[test]
fn the_boards_stand_in_the_order_of_their_addresses() {
    let records = [begin(30), begin(4), ply(30, 1, "e4", 1), ply(4, 1, "d4", 1)].concat();
    let output = to_pgn().write_stdin(records).assert().success();
    let pgn = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(pgn.find("1. d4").unwrap() < pgn.find("1. e4").unwrap());
}

#[test]
fn files_are_replaced_completely_with_the_last_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "something old").unwrap();
    let records = [begin(1), ply(1, 1, "e4", 1)].concat();
    to_pgn().arg("--output").arg(&path).write_stdin(records).assert().success().stdout("").stderr("");
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert_eq!(movetext(&pgn), "1. e4 {[%clk 0:00:01]} *");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing temporary is left");
}

/// Runs with arguments; gives standard output.
fn run(args: &[&str], records: String) -> String {
    output_of(&[&["to-pgn"], args].concat(), records)
}

/// The tags of a game, without those that nobody knows.
fn tags(pgn: &str) -> Vec<&str> {
    let tags = pgn.split("\n\n").next().unwrap().lines();
    tags.filter(|line| !line.contains("\"?")).collect()
}

// Users' pain: boards put into another order in mid-round (lila#14739);
// a list of games that has changed is mismatched (lila#7677).
#[test]
fn pain_23_tags_stay_the_same_after_a_restart() {
    let all = [
        begin(7),
        ply(7, 1, "e4", 9),
        of(7, "end", "\"result\":\"*\",\"reason\":\"input-end\""),
        ply(7, 2, "e5", 8),
        of(7, "end", "\"result\":\"1-0\",\"reason\":\"kings\""),
    ];
    let roster = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(roster.path(), "board,table,white,black,white fide id\n7,3,\"Larsen, B\",Tal,1\n")
        .unwrap();
    let args = ["--round", "2", "--tag", "Event=Hall", "--roster", roster.path().to_str().unwrap()];
    for known in 1..all.len() {
        let pgn = run(&args, all[..known].concat());
        assert_eq!(
            tags(&pgn),
            [
                "[Event \"Hall\"]",
                "[Date \"2026.11.21\"]",
                "[Round \"2\"]",
                "[White \"Larsen, B\"]",
                "[Black \"Tal\"]",
                "[Result \"*\"]",
                "[Board \"3\"]",
                "[UTCDate \"2026.11.21\"]",
                "[UTCTime \"10:00:00\"]",
                "[WhiteFideId \"1\"]",
                "[GameId \"hall.2.3\"]",
            ]
        );
    }
    let over = run(&args, all.concat());
    let ended = tags(&over);
    assert_eq!((ended[5], ended.last()), ("[Result \"1-0\"]", Some(&"[Termination \"normal\"]")));
}

// Users' pain: names, titles and FIDE IDs are missing (lila#15549); a round that is taken for a board (lila#14829).
#[test]
fn unknown_games_have_honest_tags_and_their_own_board() {
    let pgn = run(&[], begin(1025));
    assert_eq!(
        pgn,
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.21\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
         [Result \"*\"]\n[Board \"1025\"]\n[UTCDate \"2026.11.21\"]\n[UTCTime \"10:00:00\"]\n\
         [GameId \"1025-20261121T100000\"]\n\n*\n\n"
    );
}

// Users' pain: only `games.pgn`, or only `game-N.pgn` (broadcaster#40).
#[test]
fn pain_11_livechess_folders_hold_single_and_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let records = [
        begin(12),
        begin(11),
        of(11, "move", "\"ply\":1,\"san\":\"e4\",\"seconds\":5400,\"elapsed\":3"),
        of(11, "move", "\"ply\":2,\"san\":\"e5\",\"seconds\":5390"),
        of(11, "move", "\"ply\":3,\"san\":\"Nf3\",\"elapsed\":7"),
        of(12, "move", "\"ply\":1,\"san\":\"d4\""),
        of(12, "end", "\"result\":\"1/2-1/2\",\"reason\":\"kings\""),
    ]
    .concat();
    let args = ["--split", dir, "--livechess", dir, "--round", "3", "--tag", "Event=Hall"];
    assert_eq!(run(&args, records.clone()), "");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let json = |name: &str| serde_json::from_str::<serde_json::Value>(&read(name)).unwrap();
    assert_eq!(read("round-3/games.pgn"), read("round-3/game-11.pgn") + &read("round-3/game-12.pgn"));
    assert!(read("round-3/game-12.pgn").ends_with("\n1. d4 1/2-1/2\n\n"));
    // Those files are counted from 1, whatever the boards are called.
    let game = json("round-3/game-1.json");
    assert_eq!(game["moves"], serde_json::json!(["e4 5400+3", "e5 5390", "Nf3 +7"]));
    assert_eq!((&game["live"], &game["chess960"], &game["result"]), (&true.into(), &518.into(), &().into()));
    assert_eq!(game["firstMove"], 1795255200000_i64);
    assert_eq!((&game["clock"]["white"], &game["clock"]["run"]), (&5400.into(), &false.into()));
    assert_eq!(json("round-3/game-2.json")["result"], "DRAW");
    let index = json("round-3/index.json");
    assert_eq!(index["pairings"][1]["result"], "1/2-1/2");
    assert_eq!((&index["pairings"][0]["live"], &index["date"]), (&true.into(), &"2026-11-21".into()));
    let tournament = json("tournament.json");
    assert_eq!(tournament["rounds"][2], serde_json::json!({"count": 2, "live": 1}));
    assert_eq!(
        (&tournament["name"], &tournament["eboards"]),
        (&"Hall".into(), &serde_json::json!(["11", "12"]))
    );
    let before = read("round-3/games.pgn");
    run(&args, records);
    assert_eq!(read("round-3/games.pgn"), before);
}

#[test]
fn federations_in_three_columns_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("roster");
    let (dir, path) = (folder.path().to_str().unwrap(), roster.to_str().unwrap());
    for column in ["fed", "Federation", "country"] {
        let text = format!("board,white,white_{column},black,Black {column}\n11,Tal,LAT,Smyslov,URS\n");
        std::fs::write(&roster, text).unwrap();
        assert_eq!(run(&["--livechess", dir, "--round", "3", "--roster", path], begin(11)), "");
        let index = std::fs::read_to_string(folder.path().join("round-3/index.json")).unwrap();
        let index = serde_json::from_str::<serde_json::Value>(&index).unwrap();
        let of = |colour: &str| index["pairings"][0][colour]["federation"].clone();
        assert_eq!((of("white"), of("black")), ("LAT".into(), "URS".into()), "{column}");
        let pgn = run(&["--roster", path], begin(11));
        assert!(pgn.contains("[WhiteFederation \"LAT\"]\n[BlackFederation \"URS\"]"), "{column}: {pgn}");
    }
}

// Users' pain: a delay that is not kept (lila#14254).
#[test]
fn pain_15_delays_hold_moves_clocks_and_results() {
    let now = jiff::Timestamp::now();
    let at = |seconds: i64| (now - jiff::SignedDuration::from_secs(seconds)).to_string();
    let timed = |kind: &str, ago: i64, rest: &str| {
        format!("{{\"type\":\"{kind}\",\"time\":\"{}\",\"board\":1,\"game\":1,{rest}}}\n", at(ago))
    };
    let records = [
        timed("game", 4000, &format!("\"rules\":\"chess\",\"fen\":\"{START}\"")),
        timed("move", 3000, "\"ply\":1,\"san\":\"e4\",\"seconds\":7"),
        timed("move", 1000, "\"ply\":2,\"san\":\"e5\",\"seconds\":6"),
        // Told late: not before the one in front of it.
        timed("move", 2500, "\"ply\":3,\"san\":\"Nf3\""),
        timed("end", 10, "\"result\":\"1-0\",\"reason\":\"kings\""),
    ]
    .concat();
    let moves = |delay: &str| movetext(&run(&["--delay", delay], records.clone())).to_owned();
    assert_eq!(moves("30m"), "1. e4 {[%clk 0:00:07]} *");
    assert_eq!(moves("0.5h"), moves("30m"));
    assert_eq!(moves("900"), "1. e4 {[%clk 0:00:07]} 1... e5 {[%clk 0:00:06]} 2. Nf3 *");
    assert_eq!(moves("1s"), "1. e4 {[%clk 0:00:07]} 1... e5 {[%clk 0:00:06]} 2. Nf3 1-0");
    let held = to_pgn()
        .env("TZ", "UTC")
        .args(["--delay", "2h"])
        .write_stdin(records.clone())
        .assert()
        .success()
        .stdout("");
    let errors = String::from_utf8(held.get_output().stderr.clone()).unwrap();
    // The first record is of 4000 s ago: due two hours after that.
    let due = now + jiff::SignedDuration::from_secs(7200 - 4000);
    let told = "boardbus to-pgn: nothing is written: --delay holds everything back, the first until ";
    assert_eq!(errors, format!("{told}{}\n", due.strftime("%Y-%m-%d %H:%M:%S UTC")));
    to_pgn().args(["--delay", "soon"]).assert().code(2);
}

#[test]
fn a_report_of_the_tournament_seats_the_players() {
    let report = tempfile::NamedTempFile::new().unwrap();
    let line = |rank: u32, name: &str, rounds: &str| {
        format!("001 {rank:>4} m    {name:<33} 2000 NOR {:>11} 1990/11/30  0.0 {rank:>4}  {rounds}\n", 99)
    };
    let text = ["012 Open\n".into(), line(1, "One, A", "   2 b"), line(2, "Two, B", "   1 w")].concat();
    std::fs::write(report.path(), text).unwrap();
    let path = report.path().to_str().unwrap();
    let pgn = run(&["--trf", path, "--round", "1", "--boards", "30-31"], begin(30));
    assert!(pgn.contains("[White \"Two, B\"]\n[Black \"One, A\"]") && pgn.contains("[Board \"1\"]"), "{pgn}");
    to_pgn().args(["--trf", path, "--boards", "30"]).assert().code(2);
    for list in ["0", "31-30", "30,30", "30-"] {
        to_pgn().args(["--trf", path, "--round", "1", "--boards", list]).assert().code(2).stdout("");
    }
    let assert =
        to_pgn().args(["--trf", path, "--round", "9", "--boards", "30"]).write_stdin(begin(30)).assert();
    assert
        .code(4)
        .stderr(predicates::str::ends_with(
            "round 9: no pairings: save the report again once it is paired; no name is taken from it\n",
        ))
        .stdout(predicates::str::contains("[White \"?\"]\n[Black \"?\"]"));
}

#[test]
fn a_folder_or_a_device_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    to_pgn().arg("-o").arg(folder.path()).write_stdin("").assert().code(2);
    to_pgn().args(["-o", "/dev/null"]).write_stdin("").assert().code(2);
}

// Users' pain: Chess960 without its position before move 1 (lila#14641).
#[test]
fn pain_14_chess960_and_set_ups_show_before_moves() {
    let fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1";
    let record = begin(1).replace(START, fen).replace("\"chess\"", "\"chess960\"");
    let pgn = run(&[], record);
    let expected = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    assert!(pgn.contains(&expected), "{pgn}");
    let fen = "4k3/8/8/8/8/8/4p3/K7 b - - 3 40";
    let pgn = run(&[], [begin(1).replace(START, fen), of(1, "move", "\"ply\":1,\"san\":\"e1=N\"")].concat());
    assert!(pgn.contains(&format!("[FEN \"{fen}\"]")), "{pgn}");
    assert_eq!(movetext(&pgn), "40... e1=N *");
}

#[test]
fn live_files_are_complete_for_every_reader() {
    use std::io::Write;
    const BOARDS: u16 = 50;
    const SHUFFLE: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin!("boardbus"))
        .args(["to-pgn", "--output"])
        .arg(&path)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = process.stdin.take().unwrap();
    let (mut versions, mut plies) = (0, 0);
    // Writes on in pieces while the file is read: each piece only when the one before can be seen.
    for number in 1..=20 {
        for board in 1..=BOARDS {
            if number == 1 {
                pipe.write_all(begin(board).as_bytes()).unwrap();
            }
            let record = ply(board, number, SHUFFLE[(number as usize - 1) % 4], 60);
            pipe.write_all(record.as_bytes()).unwrap();
        }
        let limit = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while plies < number as usize * usize::from(BOARDS) {
            assert!(std::time::Instant::now() < limit, "{plies} plies to be seen of move {number}");
            let Ok(pgn) = std::fs::read_to_string(&path) else { continue };
            let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
            assert!(games.iter().all(|game| game.ends_with("*\n\n")), "{pgn}");
            assert!(games.len() == usize::from(BOARDS) || number == 1);
            let seen = pgn.matches("[%clk").count();
            assert!(seen >= plies);
            versions += usize::from(seen > plies);
            plies = seen;
        }
    }
    drop(pipe);
    assert!(process.wait().unwrap().success());
    assert!(versions >= 20, "{versions}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn games_are_written_when_signals_end_the_command() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin!("boardbus"))
        .args(["to-pgn", "--emt", "--output"])
        .arg(&path)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = process.stdin.take().unwrap();
    pipe.write_all(begin(1).as_bytes()).unwrap();
    pipe.write_all(of(1, "move", "\"ply\":1,\"san\":\"e4\",\"elapsed\":61").as_bytes()).unwrap();
    let limit = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !path.exists() {
        assert!(std::time::Instant::now() < limit);
    }
    let pid = rustix::process::Pid::from_child(&process);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let status = process.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2));
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert_eq!(movetext(&pgn), "1. e4 {[%emt 0:01:01]} *");
}

#[test]
fn delayed_records_are_written_on_time_without_new_input() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin!("boardbus"))
        .args(["to-pgn", "--delay", "1h", "--output"])
        .arg(&path)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = process.stdin.take().unwrap();
    // The move is due three seconds from now, the result in an hour: by their own times.
    let due = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(3);
    let hour = jiff::SignedDuration::from_hours(1);
    let stamp = |record: String, time: jiff::Timestamp| {
        record.replace("{\"type\"", &format!("{{\"time\":\"{time:.3}\",\"type\""))
    };
    let records = [
        begin(1).replace("\"2026-11-21T10:00:00.000Z\"", &format!("\"{}\"", due - 2 * hour)),
        stamp(ply(1, 1, "e4", 60), due - hour),
        stamp(of(1, "end", "\"result\":\"1-0\",\"reason\":\"kings\""), due),
    ];
    pipe.write_all(records.concat().as_bytes()).unwrap();
    let limit = due + jiff::SignedDuration::from_secs(60);
    loop {
        let pgn = std::fs::read_to_string(&path).unwrap_or_default();
        // Read before the clock is: what is seen early is early.
        let now = jiff::Timestamp::now();
        if pgn.contains("1. e4") {
            assert!(now >= due, "told {} before it was due", due - now);
            assert_eq!(movetext(&pgn), "1. e4 {[%clk 0:01:00]} *");
            break;
        }
        assert!(now < limit, "never told: {pgn}");
    }
    drop(pipe);
    assert!(process.wait().unwrap().success());
    assert_eq!(movetext(&std::fs::read_to_string(&path).unwrap()), "1. e4 {[%clk 0:01:00]} *");
}

#[test]
fn unfit_tag_names_are_left_out_and_reported() {
    let record = begin(1).replace("\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":1,", "").replace(
        "\"rules\"",
        "\"tags\":{\"A B \\\"x\\\"]\":\"1\",\"\":\"2\",\"É\":\"3\",\"X_+#=:-9\":\"4\"},\"rules\"",
    );
    let assert = to_pgn().write_stdin(record).assert().code(4);
    let output = assert.get_output();
    let pgn = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(tags(&pgn), ["[Result \"*\"]", "[X_+#=:-9 \"4\"]"]);
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(errors.contains("standard input:1: \"A B \"x\"]\" cannot be the name of a tag"), "{errors}");
    assert!(errors.ends_with("boardbus to-pgn: 3 bad records skipped\n"), "{errors}");
    for given in ["A B]=x", "=x", "É=x", "FEN=x", "Event"] {
        to_pgn().args(["--tag", given]).write_stdin("").assert().code(2);
    }
}

// Users' pain: a clock seems to hit zero at move 40 (lila#19227).
#[test]
fn pain_8_added_time_at_the_control_is_published() {
    let records = [begin(1), ply(1, 1, "e4", 3), ply(1, 2, "e5", 9), ply(1, 3, "Nf3", 3601)].concat();
    let pgn = run(&[], records.clone());
    assert_eq!(movetext(&pgn), "1. e4 {[%clk 0:00:03]} 1... e5 {[%clk 0:00:09]} 2. Nf3 {[%clk 1:00:01]} *");
    // A clock in the tags would change with every move, and a broadcast server would take it for another game.
    assert!(!pgn.contains("Clock \""), "{pgn}");
    let given = run(&["--tag", "WhiteClock=1:30:00"], records);
    assert!(given.contains("[WhiteClock \"1:30:00\"]"), "{given}");
}

#[test]
fn lines_are_not_broken_inside_commands() {
    for length in 1..160 {
        let comment = format!(
            "{} [%eval 0.3,12 a b] [%cal  Ge2e4,Rd1d8] (x) y",
            "x ".repeat(length / 2) + &"z".repeat(length % 2)
        );
        let record =
            of(1, "move", &format!("\"ply\":1,\"san\":\"e4\",\"seconds\":59,\"comment\":\"{comment}\""));
        let pgn = run(&[], [begin(1), record].concat());
        for command in ["[%clk 0:00:59]", "[%eval 0.3,12 a b]", "[%cal  Ge2e4,Rd1d8]"] {
            assert!(pgn.contains(command), "{pgn}");
        }
        assert!(pgn.lines().all(|line| line.len() < 80), "{pgn}");
    }
}

#[test]
fn ends_of_games_use_the_standard_words() {
    for (reason, result, expected) in [
        ("checkmate", "1-0", Some("normal")),
        ("result-piece", "1/2-1/2", Some("normal")),
        ("flag", "0-1", Some("time forfeit")),
        ("new-game", "*", Some("unterminated")),
        // A longer input takes it back: nothing is said that would change.
        ("input-end", "*", None),
    ] {
        let end = of(1, "end", &format!("\"result\":\"{result}\",\"reason\":\"{reason}\""));
        let pgn = run(&[], [begin(1), end].concat());
        assert!(
            pgn.contains(&format!("[Result \"{result}\"]\n")) && pgn.ends_with(&format!("{result}\n\n")),
            "{pgn}"
        );
        let expected = expected.map(|word| format!("[Termination \"{word}\"]"));
        assert_eq!(tags(&pgn).into_iter().find(|tag| tag.starts_with("[Term")), expected.as_deref(), "{pgn}");
    }
}

#[test]
fn moves_after_stream_gaps_are_reported_not_played() {
    let records = [begin(1), ply(1, 1, "e4", 9), ply(1, 3, "Nf3", 8), ply(1, 4, "Nc6", 7)].concat();
    let pgn = run(&[], records);
    assert_eq!(
        movetext(&pgn),
        "1. e4 {[%clk 0:00:09] gap: ply 2 is missing; recorded after it: 3: Nf3, 4: Nc6}\n*"
    );
}

#[test]
fn file_names_contain_line_board_and_time() {
    let hall = |record: String| record.replace("{\"type\"", "{\"line\":\"hall-2\",\"type\"");
    let second = begin(4).replace("\"game\":1", "\"game\":2").replace("T10:", "T14:");
    let before = [begin(30), hall(begin(30)), begin(4)].concat();
    let ids = |records: String| -> Vec<String> {
        let pgn = run(&["--tag", "Event=a", "--tag", "Site=b"], records);
        assert_eq!(pgn.matches("[Event \"a\"]\n[Site \"b\"]\n").count(), pgn.matches("[GameId").count());
        pgn.lines().filter(|line| line.starts_with("[GameId")).map(str::to_owned).collect()
    };
    let first = ids(before.clone());
    let expected = ["4-20261121T100000", "30-20261121T100000", "hall-2-30-20261121T100000"];
    assert_eq!(first, expected.map(|id| format!("[GameId \"{id}\"]")));
    let both = ids(before + &second);
    assert_eq!((&both[..3], both[3].as_str()), (&first[..], "[GameId \"4-20261121T140000\"]"));
}

/// Users' pain: a game of this evening is dated tomorrow, and lands in another round.
#[test]
fn dates_are_local_to_the_place() {
    let evening = begin(7).replace("2026-11-21T10:00", "2026-11-22T01:30");
    let in_zone = |zone: &str| evening.replace("\"rules\"", &format!("\"zone\":\"{zone}\",\"rules\""));
    let dates = |args: &[&str], records: &str| {
        let pgn = output_of(&[&["to-pgn"], args].concat(), records);
        assert_eq!(pgn, output_of(&[&["to-pgn"], args].concat(), records));
        assert!(pgn.contains("[UTCDate \"2026.11.22\"]\n[UTCTime \"01:30:00\"]"), "{pgn}");
        pgn.lines().find(|line| line.starts_with("[Date ")).unwrap().to_owned()
    };
    let (today, tomorrow) = ("[Date \"2026.11.21\"]", "[Date \"2026.11.22\"]");
    assert_eq!(dates(&[], &in_zone("America/New_York")), today);
    assert_eq!(dates(&[], &in_zone("Europe/Berlin")), tomorrow);
    assert_eq!(dates(&[], &evening), tomorrow);
    assert_eq!(dates(&["--timezone", "America/New_York"], &evening), today);
    assert_eq!(dates(&["--timezone", "UTC"], &in_zone("America/New_York")), tomorrow);
    to_pgn().args(["--timezone", "Hall/Two"]).assert().code(2);
    let unknown = to_pgn().write_stdin(in_zone("Hall/Two")).assert().code(4);
    let said = String::from_utf8(unknown.get_output().stderr.clone()).unwrap();
    assert!(
        said.contains("standard input:1: no time zone is called \"Hall/Two\": the date is that of UTC"),
        "{said}"
    );
    // Where it is given, what the records say is not asked, and nothing is wrong.
    assert_eq!(dates(&["--timezone", "America/New_York"], &in_zone("Hall/Two")), today);
}

#[test]
fn invalid_zones_are_reported_once_for_all_games() {
    let game =
        |board: u16, zone: &str| begin(board).replace("\"rules\"", &format!("\"zone\":\"{zone}\",\"rules\""));
    let hall: String =
        (1..=30).map(|board| game(board, "Hall/Two")).chain([game(31, "Hall/Three")]).collect();
    let assert = to_pgn().write_stdin(hall).assert().code(4);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let complaints: Vec<&str> = said.lines().filter(|line| line.contains("time zone")).collect();
    assert_eq!(complaints.len(), 2, "{said}");
    // All of them are written: nothing was skipped.
    let written = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!((written.matches("[UTCDate ").count(), said.lines().count()), (31, 2), "{said}");
}

#[test]
fn certainty_and_alternatives_are_written_only_on_request() {
    let sure =
        |ply: u32, san: &str, rest: &str| of(1, "move", &format!("\"ply\":{ply},\"san\":\"{san}\"{rest}"));
    let alternatives =
        r#","alternatives":[{"san":"Ng3","uci":"e2g3","certainty":0.31},{"uci":"e2c3","certainty":0.02}]"#;
    let records = [
        begin(1),
        sure(1, "e4", ""),
        sure(2, "e5", ",\"certainty\":0.9956"),
        sure(3, "Ne2", &format!(",\"certainty\":0.62{alternatives}")),
        sure(4, "Nc6", ",\"certainty\":0.989"),
        of(1, "end", "\"result\":null,\"reason\":\"new-game\""),
    ]
    .concat()
    .replace("null", "\"*\"");
    assert_eq!(movetext(&run(&[], records.clone())), "1. e4 e5 2. Ne2 Nc6 *");
    assert_eq!(
        movetext(&run(&["--doubts"], records)),
        "1. e4 e5 2. Ne2 {doubtful: 62 %; or Ng3 31 %, -- 2 %} 2... Nc6 {doubtful: 98 %}\n*"
    );
}
