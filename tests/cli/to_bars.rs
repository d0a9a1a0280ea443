//! `boardbus to-bars`.

use super::program::run;

const START: &str = "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6";

const START_MATRIX: &str = "[[9,2,9,2,9,2,9,2],[2,9,2,9,2,9,2,9],[9,2,9,2,9,2,9,2],[0,9,0,9,0,9,0,9],\
                            [9,0,9,0,9,0,9,0],[1,9,1,9,1,9,1,9],[9,1,9,1,9,1,9,1],[1,9,1,9,1,9,1,9]]";

fn begin(board: u16, game: u32) -> String {
    format!(r#"{{"type":"game","board":{board},"game":{game},"rules":"russian","fen":"{START}"}}"#) + "\n"
}

/// A ply of a board's first game.
fn ply(board: u16, ply: u32, path: &[&str]) -> String {
    let path = path.join(r#"",""#);
    format!(r#"{{"type":"move","board":{board},"game":1,"ply":{ply},"path":["{path}"]}}"#) + "\n"
}

fn go(line: &str) -> &str {
    line.split_once(r#""go":"#).unwrap().1.strip_suffix('}').unwrap()
}

#[test]
fn datasheet_games_go_to_bars_and_back_unchanged() {
    let pdn = "1. g3-f4 d6-e5 2. f4:d6 e7:c5 3. c3-b4 f8-e7 4. b4:d6:f8 d8-e7 5. f8:d6 c7:e5";
    let (records, _, _) = run(&["from-pdn"], pdn);
    let (bars, stderr, code) = run(&["to-bars"], records);
    let expected = format!(
        "{{\"area_monitor\":{START_MATRIX},\"go\":[[156,145],[223,234],[145,10234,123],[214,10123,232],\
         [152,141],[205,214],[141,10232,123,10214,1105],[203,214],[1105,10214,1123],[212,11123,234]]}}\n"
    );
    assert_eq!((bars.as_str(), stderr.as_str(), code), (expected.as_str(), "", 0));
    let (records, _, code) = run(&["from-bars"], bars);
    assert_eq!(code, 0);
    let (text, _, _) = run(&["to-pdn"], records);
    assert!(text.contains("4. b4:f8 d8-e7 5. f8:d6 c7:e5 *"), "{text}");
}

#[test]
fn a_man_crowned_during_a_capture_continues_as_king() {
    let game = |fen: &str, path: &str| {
        let path = path.replace(':', r#"",""#);
        format!(
            "{{\"type\":\"game\",\"game\":1,\"rules\":\"russian\",\"fen\":\"{fen}\"}}\n\
             {{\"type\":\"move\",\"game\":1,\"ply\":1,\"path\":[\"{path}\"]}}\n"
        )
    };
    let numbers = |fen: &str, path: &str| go(run(&["to-bars"], game(fen, path)).0.trim_end()).to_owned();
    assert_eq!(numbers("B:Wc3,Kf2:Bg3", "g3:e1:a5"), "[[256,11165,1274,10152,1230]]");
    assert_eq!(numbers("W:WKb8:Bc7,Kf2", "b8:g3:e1"), "[[1101,10212,1156,11265,1174]]");
    assert_eq!(numbers("W:Wc7:Bh6", "c7:b8"), "[[112,1101]]");
}

#[test]
fn moves_are_written_one_late_and_the_last_finally() {
    let records = [begin(1, 1), ply(1, 1, &["g3", "f4"]), ply(1, 2, &["d6", "e5"])].concat();
    let (lines, stderr, code) = run(&["to-bars", "--moves"], records);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((lines.len(), stderr.as_str(), code), (2, "", 0));
    assert_eq!(lines[0], format!(r#"{{"area_monitor":{START_MATRIX},"go":[156,145]}}"#));
    assert_eq!(go(lines[1]), "[223,234]");
    assert!(lines[1].contains("[9,0,9,0,9,1,9,0],[1,9,1,9,1,9,0,9]"), "the position before the move");
}

#[test]
fn withdrawn_written_moves_are_followed_by_corrected_matrices() {
    let records = [
        begin(1, 1),
        ply(1, 1, &["g3", "f4"]),
        ply(1, 2, &["d6", "e5"]),
        ply(1, 3, &["f4", "d6"]),
        // The second ply has been written, the third has not.
        "{\"type\":\"takeback\",\"board\":1,\"game\":1,\"ply\":1}\n".into(),
        ply(1, 2, &["f6", "g5"]),
        ply(1, 3, &["f4", "e5"]),
    ]
    .concat();
    let (lines, _, code) = run(&["to-bars", "--moves"], records);
    let moves: Vec<&str> = lines.lines().map(go).collect();
    assert_eq!((moves, code), (vec!["[156,145]", "[223,234]", "[225,236]", "[145,134]"], 0));
    let boards: Vec<&str> = lines.lines().map(|line| line.split_once(r#","go""#).unwrap().0).collect();
    assert_eq!(boards[1], boards[2], "the move in between is gone");
}

#[test]
fn replaced_moves_count_and_legal_later_ones_stay() {
    let records = [
        begin(1, 1),
        ply(1, 1, &["g3", "f4"]),
        ply(1, 2, &["d6", "e5"]),
        ply(1, 1, &["g3", "h4"]),
        begin(1, 2),
    ]
    .concat();
    let (lines, stderr, code) = run(&["to-bars"], records);
    assert_eq!(lines.lines().map(go).collect::<Vec<_>>(), ["[[156,147],[223,234]]", "[]"]);
    assert_eq!((stderr.as_str(), code), ("", 0));
}

#[test]
fn games_of_chess_are_refused_and_others_written() {
    let chess = "{\"type\":\"game\",\"board\":7,\"game\":1,\"rules\":\"chess\",\"fen\":\"-\"}\n\
                 {\"type\":\"move\",\"board\":7,\"game\":1,\"ply\":1,\"san\":\"e4\"}\n";
    let records = [chess.to_owned(), begin(1, 1), ply(1, 1, &["g3", "f4"])].concat();
    let (lines, stderr, code) = run(&["to-bars"], records);
    assert_eq!(lines.lines().map(go).collect::<Vec<_>>(), ["[[156,145]]"]);
    assert_eq!(
        stderr,
        "boardbus to-bars: standard input:1: board 7, game 1: it is a game of chess, not of Russian draughts; \
         it is left out\nboardbus to-bars: 1 bad record skipped\n"
    );
    assert_eq!(code, 4);
}

#[test]
fn illegal_moves_are_reported_and_end_the_written_game() {
    let records = [begin(1, 1), ply(1, 1, &["g3", "f4"]), ply(1, 2, &["d6", "d5"]), ply(1, 3, &["f4", "g5"])];
    let (lines, stderr, code) = run(&["to-bars"], records.concat());
    assert_eq!((go(lines.trim_end()), code), ("[[156,145]]", 4));
    let first = stderr.lines().next().unwrap();
    let line = "boardbus to-bars: standard input:3: board 1, game 1: ply 2: `d5` is a light square; it and what \
                follows is left out";
    assert_eq!(first, line);
    let (lines, _, code) = run(&["to-bars", "--strict"], records.concat());
    // The end of the reading, not of what was read.
    assert_eq!((go(lines.trim_end()), code), ("[[156,145]]", 4));
}

#[test]
fn board_games_are_kept_in_files_and_moves_delayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").display().to_string();
    let records = [begin(2, 1), begin(1, 1), ply(2, 1, &["c3", "d4"]), ply(1, 1, &["g3", "f4"])].concat();
    assert_eq!(run(&["to-bars", "--output", &path], records), (String::new(), String::new(), 0));
    let kept = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        kept.lines().map(go).collect::<Vec<_>>(),
        ["[[156,145]]", "[[152,143]]"],
        "in the order of the boards"
    );
    let at =
        |time: &str, record: String| record.replace("\"board\"", &format!("\"time\":\"{time}\",\"board\""));
    let (then, never) = ("2020-01-01T10:00:00.000Z", "2500-01-01T10:00:00.000Z");
    let moves = [
        at(then, begin(1, 1)),
        at(then, ply(1, 1, &["g3", "f4"])),
        at(then, ply(1, 2, &["d6", "e5"])),
        at(never, ply(1, 3, &["f4", "d6"])),
    ]
    .concat();
    let (lines, said, code) = run(&["to-bars", "--moves", "--delay", "1h"], moves);
    assert_eq!(
        (lines.lines().map(go).collect::<Vec<_>>(), said.as_str(), code),
        (vec!["[156,145]", "[223,234]"], "", 0)
    );
    let (lines, said, _) = run(&["to-bars", "--delay", "1h"], at(never, begin(1, 1)));
    assert_eq!(lines, "");
    assert!(said.contains("nothing is written: --delay holds everything back"), "{said}");
}
