//! `boardbus from-pgn`.

use assert_cmd::Command;
use serde_json::Value;

use super::program::{command, output_of, records, run};

fn from_pgn() -> Command {
    command("from-pgn")
}

/// The records of a text, without that of the stream; the messages; the exit code.
fn read(pgn: impl Into<Vec<u8>>) -> (Vec<Value>, String, i32) {
    let (output, said, code) = run(&["from-pgn"], pgn);
    let mut records = records(output);
    assert_eq!(records.remove(0)["type"], "stream");
    (records, said, code)
}

/// The moves of all games, a `/` between them, anomalies as `!`.
fn sans(pgn: impl Into<Vec<u8>>) -> String {
    let (records, ..) = read(pgn);
    let words = records.iter().filter_map(|record| match record["type"].as_str().unwrap() {
        "move" => Some(record["san"].as_str().unwrap().to_owned()),
        "anomaly" => Some("!".to_owned()),
        "end" => Some(format!("{} /", record["result"].as_str().unwrap())),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What comes of a text written again.
fn rewrite(pgn: &[u8]) -> String {
    let (records, ..) = run(&["from-pgn"], pgn);
    output_of(&["to-pgn"], records)
}

#[test]
fn games_become_a_record_with_tags_and_move_records() {
    let (records, errors, code) = read(
        "[Event \"Hall\"]\n[White \"A \\\"B\\\"\"]\n[Result \"0-1\"]\n\n{Off we go} 1. f3 $6 {[%clk 0:10:00] hm} e5 2. g4?? Qh4# 0-1\n",
    );
    assert_eq!((errors.as_str(), code), ("", 0));
    let expected = r##"[
        {"type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         "tags":{"Event":"Hall","White":"A \"B\"","Result":"0-1"},"comment":"Off we go"},
        {"type":"move","game":1,"ply":1,"san":"f3","uci":"f2f3","nags":[6],"seconds":600,"comment":"hm",
         "fen":"rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1"},
        {"type":"move","game":1,"ply":2,"san":"e5","uci":"e7e5",
         "fen":"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"},
        {"type":"move","game":1,"ply":3,"san":"g4","uci":"g2g4","nags":[4],
         "fen":"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"},
        {"type":"move","game":1,"ply":4,"san":"Qh4#","uci":"d8h4",
         "fen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"},
        {"type":"end","game":1,"result":"0-1","reason":"tag"}]"##;
    assert_eq!(Value::Array(records), serde_json::from_str::<Value>(expected).unwrap());
}

#[test]
fn promotions_are_read_however_they_are_written() {
    // The first is what pgn-reader 0.29 drops without a word.
    for promotion in ["b8Q+", "b8=Q+", "b8(Q)+", "b8/Q+", "b8q", "b7b8q", "b7-b8=Q"] {
        let pgn = format!("[FEN \"8/1P5k/8/8/8/8/8/K6r w - - 0 1\"]\n\n1. {promotion} *");
        assert_eq!(sans(pgn), "! * /", "White is in check: {promotion}");
        let pgn = format!("[FEN \"8/1P5k/8/8/8/8/r7/1K6 w - - 0 1\"]\n\n1. Kxa2 Kh8 2. {promotion} Kh7 *");
        assert_eq!(sans(pgn), "Kxa2 Kh8 b8=Q+ Kh7 * /", "{promotion}");
    }
    assert_eq!(sans("[FEN \"8/1P5k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. b8 *"), "! * /");
}

// Users' pain: one bad game spoils the file (daylen/stockfish-mac#88).
#[test]
fn pain_4_one_bad_game_spoils_no_other() {
    let pgn = "[Event \"1\"]\n\n1. e4 e5 2. Ke3 Ke6 {hm} 1-0\n\n[Event \"2\"]\n\n1. d4 {never closed\n\n\
               [Event \"3\"]\n\n1. c4 (1. b4 0-1\n\n[Event \"4\"]\n\n1. Nf3 1/2-1/2\n";
    assert_eq!(sans(pgn), "e4 e5 ! 1-0 / d4 ! * / c4 ! 0-1 / Nf3 1/2-1/2 /");
    let (records, errors, code) = read(pgn);
    assert_eq!(code, 4);
    assert_eq!(
        errors.lines().next(),
        Some(
            "boardbus from-pgn: standard input:3: game 1: move 2. Ke3 is illegal (no such piece can go there)"
        )
    );
    let anomaly = records.iter().find(|r| r["type"] == "anomaly").unwrap();
    assert_eq!(anomaly["detail"], "2. Ke3 (no such piece can go there)");
    assert_eq!((&anomaly["unread"], &anomaly["source"]), (&"Ke6 {hm}".into(), &"standard input:3".into()));
}

// Users' pain: PGN of LiveChess breaks viewers (pgn-viewer#269).
#[test]
fn comments_of_livechess_wrapped_and_doubled_are_clocks() {
    let (records, errors, code) = read(
        "[ePGN \"0.1;DGT LiveChess/2.2.5\"]\n[Event \"x\"]\n[Result \"*\"]\n\n1. e4 {[%clk\n00:15:19]} {[%emt 00:00:02]} e5 {[%emt\n00:00:03]} *\n",
    );
    assert_eq!((errors.as_str(), code), ("", 0));
    assert_eq!((&records[1]["seconds"], &records[1]["elapsed"]), (&919.into(), &2.into()));
    assert_eq!((&records[2]["seconds"], &records[2]["elapsed"]), (&Value::Null, &3.into()));
    assert!(records[1].get("comment").is_none() && records[2].get("comment").is_none());
    assert_eq!(records[0]["tags"]["ePGN"], "0.1;DGT LiveChess/2.2.5");
}

#[test]
fn what_is_out_there_is_read() {
    for (pgn, expected) in [
        ("1. e4 e5 1-0 1-0\n\n1. d4 1/2-1/2", "e4 e5 1-0 / d4 1/2-1/2 /"),
        ("[White \"a\"]\n1.e4 e5\n[White \"b\"]\n1.d4 *", "e4 e5 * / d4 * /"),
        ("[White \"a\"]\n[Result \"1-0\"]\n\n[White \"b\"]\n", "1-0 / * /"),
        ("[White \"a\"]\n\n[Black \"b\"]\n\n1. e4 *", "e4 * /"),
        ("\u{feff}%an escape\r\n[White \"a\"]\r\n\r\n1. e4 e5\r\n*\r\n", "e4 e5 * /"),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 *", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O * /"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. *", "e4 a6 e5 d5 exd6 * /"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 *", "e4 a6 e5 d5 exd6 cxd6 * /"),
        ("1. e2-e4 e7e5 2. Ng1f3 Nb8xc6 *", "e4 e5 Nf3 Nc6 * /"),
        ("1. e4 -- 2. Z0 e5 *", "e4 -- -- e5 * /"),
        ("1.e4e5 *", "! * /"),
        ("1.e4 ... e5 2 Nf3 Nc6 *", "e4 e5 Nf3 Nc6 * /"),
        ("[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 3 40\"]\n\n40... e1=N 41. Ka2 *", "e1=N Ka2 * /"),
        ("1. e4+ ch e5 mate *", "e4 e5 * /"),
        ("1. ♘f3 ♞f6 *", "Nf3 Nf6 * /"),
    ] {
        assert_eq!(sans(pgn), expected, "{pgn}");
    }
    let (records, ..) = read(b"[White \"J\xf6rg\"]\n\n1. e4 {gr\xfc\xdfe} *".to_vec());
    assert_eq!((&records[0]["tags"]["White"], &records[1]["comment"]), (&"Jörg".into(), &"grüße".into()));
}

// Users' pain: Chess960 without its position before move 1 (lila#14641).
#[test]
fn chess960_is_read_with_either_kind_of_castling_rights() {
    let start = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w";
    for (rights, variant) in [("FCfc", "Chess960"), ("KQkq", "Fischerandom"), ("FCfc", "")] {
        let pgn = format!(
            "[Variant \"{variant}\"]\n[FEN \"{start} {rights} - 0 1\"]\n\n1. g3 g6 2. Qg2 Qg7 3. Kf1 *\n\n\
             [Variant \"{variant}\"]\n[FEN \"{start} {rights} - 0 1\"]\n\n1. g3 g6 2. Qg2 Qg7 3. O-O *\n"
        );
        let (records, errors, _) = read(pgn.clone());
        assert!(errors.contains("move 3. Kf1 is illegal"), "{errors}");
        assert_eq!(records[0]["rules"], "chess960");
        assert_eq!(records[0]["fen"], format!("{start} KQkq - 0 1"));
        let castling = records.iter().find(|r| r["san"] == "O-O").unwrap();
        assert_eq!(castling["uci"], "e1f1");
        assert_eq!(castling["fen"], "bnrbkr1n/ppppppqp/6p1/8/8/6P1/PPPPPPQP/BNRB1RKN b kq - 3 3");
    }
}

#[test]
fn variations_nest_and_are_held_to_the_rules() {
    let (records, errors, code) =
        read("1. e4 (1. d4 d5 (1... Nf6 $1 {b}) 2. c4 {c}) (1. Ke2) {d} 1... e5 2. Nf3 *");
    assert_eq!(code, 4);
    assert!(errors.contains("in a variation, move 1. Ke2 is illegal"), "{errors}");
    let e4 = &records[1];
    assert_eq!(e4["comment_after"], "d");
    assert_eq!(e4["variations"].as_array().unwrap().len(), 1);
    let d4 = &e4["variations"][0];
    assert_eq!([&d4[0]["san"], &d4[1]["san"], &d4[2]["san"]], ["d4", "d5", "c4"]);
    assert_eq!(d4[1]["variations"][0][0]["uci"], "g8f6");
    assert_eq!(d4[1]["variations"][0][0]["nags"], serde_json::json!([1]));
    assert_eq!(d4[2]["fen"], "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2");
    assert!(d4[0].get("ply").is_none());
    assert_eq!(records[4]["san"], "Nf3");
}

#[test]
fn files_that_are_no_pgn_get_one_message() {
    let (records, errors, code) = read("hello world\nthis * is * not * chess\n");
    assert_eq!((records.len(), code), (0, 4));
    assert_eq!(
        errors,
        "boardbus from-pgn: standard input:1: this is no PGN: \"hello world\"\n\
         boardbus from-pgn: 1 bad place skipped\n"
    );
    from_pgn().arg("no-such-file.pgn").assert().code(5).stderr(predicates::str::contains("no-such-file.pgn"));
}

#[test]
fn strict_stops_at_the_first_bad_place() {
    let assert = from_pgn().arg("--strict").write_stdin("1. e5 *\n1. d4 *\n").assert().code(4);
    let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(
        errors,
        "boardbus from-pgn: standard input:1: game 1: move 1. e5 is illegal (no pawn can go there)\n"
    );
}

#[test]
fn rewritten_games_are_complete_and_stable() {
    let pgn = "[Event \"a\"]\n[Site \"C:\\\\x\"]\n[Date \"2026.11.21\"]\n[Round \"1.2\"]\n[White \"b\"]\n\
        [Black \"c\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
        {Start [%eval 0.1]} 1. e4! {[%clk 0:01:00] good [%cal Ge2e4]} ({better} 1. d4 $14 {x} 1... d5 \
        ( 1... Nf6 2. c4 ) 2. {so} c4) {behind} 1... e5 $1 $18 ; brace } here\n2. Nf3 {[%clk 0:00:59.5]} \
        {[%emt 0:00:01]} 2. ... Nc6 1-0\n";
    let first = rewrite(pgn.as_bytes());
    assert_eq!(
        first,
        "[Event \"a\"]\n[Site \"C:\\\\x\"]\n[Date \"2026.11.21\"]\n[Round \"1.2\"]\n[White \"b\"]\n\
         [Black \"c\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
         {Start [%eval 0.1]} 1. e4 $1 {[%clk 0:01:00] good [%cal Ge2e4]} ({better} 1. d4\n\
         $14 {x} 1... d5 (1... Nf6 2. c4) {so} 2. c4) {behind} 1... e5 $1 $18 {brace )\n\
         here} 2. Nf3 {[%clk 0:00:59.5] [%emt 0:00:01]} 2... Nc6 1-0\n\n"
    );
    assert_eq!(rewrite(first.as_bytes()), first);
    assert!(first.lines().all(|line| line.len() < 80));
}

#[test]
fn more_cores_give_the_same_records_in_order() {
    let mut pgn = String::new();
    for game in 0..3000 {
        pgn.push_str(&format!("[Event \"{game}\"]\n\n1. e4 {{{game}}} e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n"));
        if game % 500 == 7 {
            pgn.push_str("[Event \"bad\"]\n\n1. e4 e4 *\n\n");
        }
    }
    let run = |jobs: &str| from_pgn().args(["--jobs", jobs]).write_stdin(pgn.clone()).output().unwrap();
    let one = run("1");
    assert_eq!(String::from_utf8(one.stdout.clone()).unwrap().lines().count(), 1 + 3000 * 8 + 6 * 4);
    for jobs in ["2", "5"] {
        let more = run(jobs);
        assert!(more.stdout == one.stdout && more.stderr == one.stderr, "{jobs}");
    }
    from_pgn().args(["--jobs", "0"]).assert().code(2);
}

// Users' pain: false king moves at the end (lila#11783).
#[test]
fn a_king_centred_for_the_result_is_no_move() {
    let (records, errors, code) = read(
        "[Result \"0-1\"]\n\n1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:01]} 2. Nf3 Nc6 3. Kd4 {[%clk 0:09:00]} Kd5 0-1\n",
    );
    assert_eq!(code, 4);
    assert!(errors.contains("move 3. Kd4 is illegal"), "{errors}");
    assert_eq!(records.iter().filter(|r| r["type"] == "move").count(), 4);
    assert_eq!(records.last().unwrap()["result"], "0-1");
}

// Users' pain: clocks vanish because some moves have none (lila#15037).
#[test]
fn pain_7_moves_without_clocks_leave_other_clocks() {
    let (records, errors, _) = read("1. e4 {[%clk 0:10:00]} e5 2. Nf3 {no clock} Nc6 {[%clk 0:09:59]} *\n");
    assert_eq!(errors, "");
    let clocks: Vec<&Value> = records.iter().filter(|r| r["type"] == "move").map(|r| &r["seconds"]).collect();
    assert_eq!(clocks, [&Value::from(600), &Value::Null, &Value::Null, &Value::from(599)]);
    assert!(
        rewrite(b"1. e4 {[%clk 0:10:00]} e5 2. Nf3 {no clock} Nc6 {[%clk 0:09:59]} *\n")
            .ends_with("1. e4 {[%clk 0:10:00]} 1... e5 2. Nf3 {no clock} 2... Nc6 {[%clk 0:09:59]} *\n\n")
    );
}

#[test]
fn packed_files_get_advice_and_spoil_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let packed = path("a.pgn.bz2", b"BZh9\x00 1. e4 * \n e5 *\n");
    let plain = path("b.pgn", b"1. d4 *\n");
    let assert = from_pgn().arg(&packed).arg(&plain).assert().code(4);
    let output = assert.get_output();
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    let first = format!("boardbus from-pgn: {}: is packed by bzip2", packed.display());
    assert!(errors.starts_with(&first) && errors.contains("bzcat FILE | boardbus"), "{errors}");
    let records = String::from_utf8(output.stdout.clone()).unwrap();
    let games: Vec<&str> = records.lines().filter(|line| line.contains("\"san\"")).collect();
    assert!(games.len() == 1 && games[0].contains("\"d4\""), "{records}");
}

#[test]
fn impossible_clock_times_stay_in_their_comment() {
    let (records, ..) = read("1. e4 {[%clk 99:99:99]} e5 {[%clk 0:00:60]} *\n");
    assert_eq!((&records[1]["seconds"], &records[1]["comment"]), (&Value::Null, &"[%clk 99:99:99]".into()));
    let again = rewrite(b"1. e4 {[%clk 99:99:99]} e5 {[%clk 0:00:60]} *\n");
    assert!(again.ends_with("1. e4 {[%clk 99:99:99]} 1... e5 {[%clk 0:00:60]} *\n\n"), "{again}");
}

#[test]
fn text_after_broken_off_games_is_reported() {
    let (records, ..) = read("1. e4 e4 1-0 {adjourned} ; later\n");
    let anomaly = records.iter().find(|r| r["type"] == "anomaly").unwrap();
    assert_eq!(anomaly["detail"], "1... e4 (no pawn can go there)");
    assert_eq!(anomaly["unread"], "1-0 {adjourned} ; later");
    assert_eq!(records.last().unwrap()["result"], "1-0");
}

#[test]
fn threads_that_cannot_be_had_are_done_without() {
    let games = "1. e4 e5 2. Nf3 *\n\n".repeat(200);
    let expected = output_of(&["from-pgn"], games.as_str());
    // Each thread wants 100 MB of address space for its stack: some nine of 256 can be had, and half of that is left over
    // for everything else.
    let program = env!("CARGO_BIN_EXE_boardbus");
    let script = format!("ulimit -v 1000000; exec '{program}' from-pgn --jobs 256");
    let mut shell = assert_cmd::Command::new("sh");
    let out = shell
        .env("RUST_MIN_STACK", "100000000")
        .env("MALLOC_ARENA_MAX", "1")
        .args(["-c", &script])
        .write_stdin(games)
        .assert()
        .success();
    assert_eq!(String::from_utf8_lossy(&out.get_output().stdout), expected);
}
