//! Files that `to-pgn` writes: which it refuses, which it leaves alone, and what it says when nothing comes of them.

use super::program::run;

#[test]
fn an_output_that_is_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").display().to_string();
    std::fs::write(&path, "{}\n").unwrap();
    let (out, err, code) = run(&["to-pgn", &path, "-o", &path], "");
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(err.ends_with("is read and would be replaced: name another file\n"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
    let (_, err, code) = run(&["to-pgn", "-o", "/dev/stdout"], "");
    assert_eq!(code, 2);
    assert!(err.contains("leave the option out for standard output"), "{err}");
}

#[test]
fn a_file_stays_as_it_is_when_there_is_no_game_of_chess_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "1. e4 *\n").unwrap();
    let draughts = r#"{"type":"game","board":1,"game":1,"rules":"russian","fen":"W:Wa1:Bh8"}"#;
    for input in ["", draughts] {
        run(&["to-pgn", "-o", path.to_str().unwrap()], input);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1. e4 *\n", "{input}");
    }
}

#[test]
fn a_record_of_another_century_holds_nothing_back() {
    let game = |time: &str, board: u16| {
        format!(
            r#"{{"type":"game","time":"{time}","board":{board},"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}}"#
        )
    };
    let mv = r#"{"type":"move","time":"2020-01-01T10:00:05.000Z","board":1,"game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}"#;
    // To the millisecond: nothing came later than now.
    let input = format!("{}\n{mv}\n", game("2099-01-01T10:00:00.000Z", 1));
    for delay in ["0", "15m"] {
        let (out, err, code) = run(&["to-pgn", "--delay", delay], input.as_str());
        assert_eq!((err.as_str(), code), ("", 0));
        assert!(out.contains("1. e4"), "{delay}: {out}");
    }
    // What is held back by a clock that is right is not let go by one that was put back.
    let now = jiff::Timestamp::now();
    let input = format!("{}\n{mv}\n", game(&format!("{now:.3}"), 1));
    let (out, err, code) = run(&["to-pgn", "--delay", "15m"], input.as_str());
    assert!(out.is_empty() && code == 0 && err.contains("--delay holds everything back"), "{out}{err}");
}

#[test]
fn pain_13_a_roster_that_fits_no_board_and_records_of_boards_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let roster = folder.path().join("roster.csv").display().to_string();
    std::fs::write(&roster, "board,white,black\n1,A,B\n2,C,D\n").unwrap();
    let game = r#"{"type":"game","board":1025,"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#;
    let (_, err, code) = run(&["to-pgn", "--roster", &roster], game);
    assert_eq!(code, 0);
    assert!(err.contains("no board of the roster (1-2) has a game: these are of 1025; "), "{err}");
    let (_, err, code) = run(&["to-pgn"], "{\"type\":\"quiet\",\"board\":1025}\n");
    assert_eq!(
        (err.as_str(), code),
        ("boardbus to-pgn: only board records in the input: put `boardbus reconstruct` in between\n", 0)
    );
}

#[test]
fn a_summary_counts_what_was_written_and_how_large_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn").display().to_string();
    let of = |kind: &str, rest: &str| format!("{{\"type\":\"{kind}\",\"board\":1027,\"game\":1,{rest}}}\n");
    let start = "\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    let records = [
        of("game", start),
        of("move", "\"ply\":1,\"san\":\"e4\",\"guess\":true"),
        of("anomaly", "\"ply\":1,\"kind\":\"gap\",\"detail\":\"x\""),
        of("end", "\"result\":\"1-0\",\"reason\":\"kings\""),
    ]
    .concat();
    let (_, err, code) = run(&["to-pgn", "--summary", "-o", &path], records.clone());
    let size = std::fs::metadata(&path).unwrap().len();
    let said = format!("1 game, 1 result, 1 guess (1027 ply 1), 1 anomaly, games.pgn {size} bytes");
    assert_eq!((err, code), (format!("boardbus to-pgn: {said}\n"), 0));
    assert_eq!(run(&["to-pgn", "-o", &path], records).1, "");
    let (_, err, _) =
        run(&["to-pgn", "--summary"], run(&["from-pgn"], "1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n").0);
    assert_eq!(err, "boardbus to-pgn: 2 games, 1 result, 0 guesses, 0 anomalies\n");
}
