//! `boardbus to-pdn`.

use super::program::{movetext, run};

/// A game from a FEN, with these moves given by their paths.
fn game(fen: &str, paths: &[&str]) -> String {
    let begin = format!("{{\"type\":\"game\",\"game\":1,\"rules\":\"russian\",\"fen\":\"{fen}\"}}\n");
    let moves = paths.iter().enumerate().map(|(n, path)| {
        let path = path.replace(':', r#"",""#);
        format!("{{\"type\":\"move\",\"game\":1,\"ply\":{},\"path\":[\"{path}\"]}}\n", n + 1)
    });
    begin + &moves.collect::<String>()
}

/// A file with everything in it that a game can hold.
const FULL: &str = "[Event \"Club \\\"Rook\\\"\"]\n[Date \"2026.11.21\"]\n[White \"Ёлкина\"]\n[Black \"B. Black\"]\n\
                    [Result \"1-0\"]\n[GameType \"25,W,8,8,A0,0\"]\n[TimeControl \"600+5\"]\n\n\
                    {An introduction} 1. g3-f4 $1 {[%clk 0:09:58] good} (1. c3-d4 {known}\n\
                    1... d6-c5 (1... f6-g5) 2. b2-c3) {behind it} 1... d6-e5 $2 2. f4:d6\n\
                    {[%clk 0:09:50.5]} 2... e7:c5 3. c3-b4 f8-e7 4. b4:f8 1-0\n\n";

#[test]
fn written_games_are_complete_and_stable() {
    let (records, stderr, code) = run(&["from-pdn"], FULL);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let (pdn, stderr, code) = run(&["to-pdn"], records.clone());
    assert_eq!((pdn.as_str(), stderr.as_str(), code), (FULL, "", 0));
    assert_eq!(run(&["from-pdn"], pdn).0, records);
}

#[test]
fn captures_are_short_where_unambiguous_and_whole_otherwise() {
    let fork = "W:WKf6,Ke5:Bb6,b4,d4,a3,g3";
    let text = |fen: &str, path: &str| movetext(&run(&["to-pdn"], game(fen, &[path])).0).to_owned();
    assert_eq!(text(fork, "e5:c3:a5:c7:h2"), "1. e5:c3:a5:c7:h2 *");
    assert_eq!(text(fork, "e5:h2"), "1. e5:h2 *");
    let twin = "W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1";
    assert_eq!(text(twin, "b8:e5:h2"), "1. b8:h2 *");
    assert_eq!(text(twin, "b8:f4:h2"), "1. b8:f4:h2 *", "landing farther off than has to be");
}

#[test]
fn black_may_begin_and_options_change_the_notation() {
    let game = game("B:Wb6,b4:Bc7,Kg1", &["c7:a5:c3"]);
    let end = "{\"type\":\"end\",\"game\":1,\"result\":\"0-1\",\"reason\":\"no-moves\"}\n";
    let (pdn, _, _) = run(&["to-pdn"], game.clone() + end);
    let tags = "[Result \"0-1\"]\n[GameType \"25,W,8,8,A0,0\"]\n[FEN \"B:Wb6,b4:Bc7,Kg1\"]\n";
    assert_eq!(pdn, format!("{tags}\n1... c7:c3 0-1\n\n"));
    let (pdn, _, _) = run(&["to-pdn", "--numeric", "--x", "--points"], game + end);
    let tags = "[Result \"0-2\"]\n[GameType \"25,W,8,8,N2,0\"]\n[FEN \"B:Wb6,b4:Bc7,Kg1\"]\n";
    assert_eq!(pdn, format!("{tags}\n1... 6x22 0-2\n\n"));
    let (records, _, _) = run(&["from-pdn"], pdn);
    assert!(records.contains(r#""path":["c7","a5","c3"],"captured":["b6","b4"]"#), "{records}");
}

#[test]
fn what_an_arbiter_should_look_at_becomes_a_comment() {
    let start = "W:W21-32:B1-12";
    let anomaly = "{\"type\":\"anomaly\",\"game\":1,\"ply\":1,\"kind\":\"illegal\",\"detail\":\"d6-d5\"}\n";
    let text = game(start, &["g3:f4", "d6:e5"]) + anomaly;
    assert_eq!(movetext(&run(&["to-pdn"], text).0), "1. g3-f4 {illegal: d6-d5} 1... d6-e5 *");
}

#[test]
fn the_time_used_is_written_when_asked_for() {
    let (records, _, _) = run(&["from-pdn"], "1. g3-f4 {[%clk 0:09:58][%emt 0:00:07]} *");
    let text = |args: &[&str]| movetext(&run(args, records.clone()).0).to_owned();
    assert_eq!(text(&["to-pdn"]), "1. g3-f4 {[%clk 0:09:58]} *");
    assert_eq!(text(&["to-pdn", "--emt"]), "1. g3-f4 {[%clk 0:09:58] [%emt 0:00:07]} *");
}

/// A board's game that began at ten, with these moves by their paths.
fn of_board(board: u16, paths: &[&str]) -> String {
    let of = format!("\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{board},\"game\":1");
    game("W:W21-32:B1-12", paths).replace("\"game\":1", &of)
}

#[test]
fn files_of_boards_have_names_tags_and_a_round() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("r.csv"), "board,table,white,black\n7,1,A. White,B. Black\n").unwrap();
    let (file, roster) = (path("games.pdn"), path("r.csv"));
    let records = of_board(8, &["c3:d4"]) + &of_board(7, &["g3:f4", "d6:e5"]);
    let args =
        ["to-pdn", "-o", &file, "--roster", &roster, "--tag", "Site=Hall", "--round", "3", "--event", "Open"];
    assert_eq!(run(&args, records.clone()), (String::new(), String::new(), 0));
    let tags = |rest: &str| {
        format!(
            "[Event \"Open\"]\n[Site \"Hall\"]\n[Date \"2026.11.21\"]\n[Round \"3\"]\n{rest}[GameType \"25,W,8,8,A0,0\"]\n"
        )
    };
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept.starts_with(&tags("[White \"A. White\"]\n[Black \"B. Black\"]\n[Result \"*\"]\n")),
        "{kept}"
    );
    assert!(kept.contains("[Board \"1\"]\n") && kept.contains("\n1. g3-f4 d6-e5 *\n"), "{kept}");
    assert!(kept.contains(&tags("[Result \"*\"]\n")) && kept.ends_with("\n1. c3-d4 *\n\n"), "{kept}");
    // The same on standard output, and in a file for each game; nothing that is not known is written.
    assert_eq!(run(&[&["to-pdn"], &args[3..]].concat(), records.clone()).0, kept);
    let split = path("web");
    run(&["to-pdn", "--split", &split], records.clone());
    let one = std::fs::read_to_string(folder.path().join("web/round-1/game-8.pdn")).unwrap();
    assert!(one.contains("1. c3-d4 *") && !one.contains('?'), "{one}");
    let all = std::fs::read_to_string(folder.path().join("web/round-1/games.pdn")).unwrap();
    assert!(all.contains("1. c3-d4 *") && all.contains("1. g3-f4"), "{all}");
    // What was written is read again.
    let (read, said, code) = run(&["from-pdn"], kept);
    assert_eq!((said.as_str(), code, read.matches("\"type\":\"game\"").count()), ("", 0, 2));
}

#[test]
fn unsettled_and_unfinished_games_are_delayed() {
    let never = of_board(7, &["g3:f4"]).replace("2026", "2500");
    let (out, said, code) = run(&["to-pdn", "--delay", "15m"], never);
    assert_eq!((out.as_str(), code), ("", 0));
    assert!(said.contains("nothing is written: --delay holds everything back"), "{said}");
    let end = "{\"type\":\"end\",\"board\":7,\"game\":1,\"result\":\"1-0\",\"reason\":\"flag\"}\n";
    let records = of_board(8, &["c3:d4"]) + &of_board(7, &["g3:f4"]) + end;
    assert_eq!(movetext(&run(&["to-pdn", "--finished"], records).0), "1. g3-f4 1-0");
}

#[test]
fn anomalies_and_guesses_are_left_out_when_asked_for() {
    let anomaly = "{\"type\":\"anomaly\",\"game\":1,\"ply\":1,\"kind\":\"illegal\",\"detail\":\"d6-d5\"}\n";
    let text = game("W:W21-32:B1-12", &["g3:f4", "d6:e5"]) + anomaly;
    assert_eq!(movetext(&run(&["to-pdn", "--no-anomalies"], text).0), "1. g3-f4 d6-e5 *");
}

#[test]
fn impossible_moves_are_reported_and_end_the_written_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn").display().to_string();
    let records = of_board(7, &["g3:f4", "d6:d5", "f4:g5"]) + &of_board(8, &["c3:d4"]);
    for args in [&["to-pdn"][..], &["to-pdn", "-o", &path]] {
        let (_, said, code) = run(args, records.clone());
        let first = "boardbus to-pdn: board 7, game 1: ply 2: `d5` is a light square; it and what follows is left out";
        assert_eq!((said.lines().next().unwrap(), code), (first, 4));
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept.contains("1. g3-f4 *") && kept.contains("1. c3-d4 *"), "{kept}");
    let hole = game("W:W21-32:B1-12", &["g3:f4", "d6:e5"]).replace("\"ply\":1", "\"ply\":3");
    let (_, said, code) = run(&["to-pdn"], hole);
    assert!(said.contains("game 1: ply 1 is missing; what follows is left out") && code == 4, "{said}");
}

#[test]
fn a_game_of_chess_is_refused() {
    let chess = "{\"type\":\"game\",\"game\":1,\"rules\":\"chess\",\"fen\":\"-\"}\n";
    let (pdn, stderr, code) = run(&["to-pdn"], chess);
    assert_eq!((pdn.as_str(), code), ("", 4));
    assert!(
        stderr.contains("standard input:1: a game of chess, not of Russian draughts, has no PDN here"),
        "{stderr}"
    );
}

#[test]
fn tag_names_that_forge_others_are_reported_and_dropped() {
    let forged = r#"{"type":"game","game":1,"rules":"russian","fen":"W:Wa1:Bh8","tags":{"White":"A","X \"y\"]\n[Result":"2-0"}}"#;
    let (file, said, code) = run(&["to-pdn"], format!("{forged}\n"));
    assert!(said.contains("cannot be the name of a tag") && code == 4, "{said}");
    assert!(file.contains("[White \"A\"]") && !file.contains("2-0"), "{file}");
}

/// The processor time that `to-pdn` takes for this many boards in play, in seconds: the best of three runs.
fn used_for(boards: u32) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("hall.jsonl");
    let record = |board: u32, rest: &str| {
        format!("{{\"line\":\"l{}\",\"board\":{},\"game\":1,{rest}}}\n", board / 60_000, board % 60_000 + 1)
    };
    let begin = r#""type":"game","rules":"russian","fen":"W:W21-32:B1-12""#;
    let ply = r#""type":"move","ply":1,"path":["c3","d4"]"#;
    let records: String =
        [begin, ply].iter().flat_map(|rest| (0..boards).map(move |board| record(board, rest))).collect();
    std::fs::write(&journal, records).unwrap();
    let script = "TIMEFORMAT=%U; time \"$0\" to-pdn \"$1\" | grep -c c3-d4";
    let run = || {
        let mut bash = std::process::Command::new("bash");
        let output =
            bash.args(["-c", script, env!("CARGO_BIN_EXE_boardbus")]).arg(&journal).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{boards}\n"));
        String::from_utf8(output.stderr).unwrap().trim().parse::<f64>().unwrap()
    };
    (0..3).map(|_| run()).fold(f64::INFINITY, f64::min)
}

#[test]
fn boards_by_tens_of_thousands_cost_constant_time_each() {
    let (few, many) = (used_for(5_000), used_for(20_000));
    // Four times as many; were each looked for among all, sixteen times as much.
    assert!(many < 8.0 * few.max(0.01), "{many} s, and for a quarter {few} s");
}
