//! A game has one life: whoever reads game records understands the same of what is played, ended, ruled and resumed.
//!
//! The streams are written by hand; what is true of each follows from `man boardbus-records`.

use std::fs;

use super::program::{output_of, run};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PLIES: [&str; 4] = [
    r#""san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#,
    r#""san":"e5","uci":"e7e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2""#,
    r#""san":"Nf3","uci":"g1f3","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2""#,
    r#""san":"Nc6","uci":"b8c6","fen":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3""#,
];
const DRAUGHTS: &str = "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6";
const PATHS: [&str; 4] = ["g3\",\"f4", "f6\",\"g5", "f4\",\"e5", "d6\",\"f4"];

/// What is told in a stream, and the games that there are then: their moves and results as PGN ends them. In short: `b2` the
/// second game begins, `3` the third ply, `<1` a takeback to the first, `=1-0` kings show a result, `n` the next game has ended
/// it, `i` the input has, `?` an anomaly behind the second ply, `r1-0` a result is ruled, `v` that there is no game, `w` that is
/// withdrawn; `/2` in front of what follows: of the second game.
const STREAMS: [(&str, &[&str]); 24] = [
    // Kings that were no end, and what takes no end back.
    ("b1 1 2 =1-0 3 4", &["1. e4 e5 2. Nf3 Nc6 *"]),
    ("b1 1 2 =1-0 3 4 =1/2-1/2", &["1. e4 e5 2. Nf3 Nc6 1/2-1/2"]),
    ("b1 1 2 =1-0 <1", &["1. e4 *"]),
    ("b1 1 2 =1-0 ? 2", &["1. e4 e5 1-0"]),
    ("b1 1 2 =1-0 <1 2 =1-0", &["1. e4 e5 1-0"]),
    ("b1 1 2 i 3", &["1. e4 e5 2. Nf3 *"]),
    // Rulings on a game that is over.
    ("b1 1 =1-0 r0-1", &["1. e4 0-1"]),
    ("b1 1 =1-0 r0-1 =0-1 2", &["1. e4 e5 0-1"]),
    ("b1 1 =1-0 r0-1 r1/2-1/2", &["1. e4 1/2-1/2"]),
    ("b1 1 =1-0 r0-1 w", &["1. e4 1-0"]),
    ("b1 1 =1-0 r*", &["1. e4 *"]),
    ("b1 1 r0-1", &["1. e4 0-1"]),
    ("b1 1 =1-0 v", &[]),
    ("b1 1 =1-0 v 2", &[]),
    ("b1 1 =1-0 v w", &["1. e4 1-0"]),
    ("b1 1 =1-0 v b2 1 =0-1", &["1. e4 0-1"]),
    // Rulings on the first of two games, and on the second.
    ("b1 1 =1-0 b2 1 /1 r0-1", &["1. e4 0-1", "1. e4 *"]),
    ("b1 1 =1-0 b2 1 r0-1", &["1. e4 1-0", "1. e4 0-1"]),
    // What nothing came of makes nothing final.
    ("b1 1 =1-0 b2 1 <0 n /1 2 3", &["1. e4 e5 2. Nf3 *"]),
    ("b1 1 =1-0 b2 1 v /1 2 3 =0-1", &["1. e4 e5 2. Nf3 0-1"]),
    ("b1 1 =1-0 b2 1 v", &["1. e4 1-0"]),
    ("b1 1 =1-0 b2 1 v w", &["1. e4 1-0", "1. e4 *"]),
    ("b1 1 =1-0 b2 /1 2 /2 1 2", &["1. e4 e5 *", "1. e4 e5 *"]),
    ("b1 1 =1-0 b2 1 2 v /1 r0-1 =0-1", &["1. e4 0-1"]),
];

/// The records that a stream in short stands for.
fn records(short: &str, russian: bool) -> String {
    let (mut game, mut text) = ("1".to_owned(), String::new());
    for (second, word) in short.split(' ').enumerate() {
        let (first, rest) = word.split_at(1);
        let start = if russian { ("russian", DRAUGHTS) } else { ("chess", START) };
        let said = match first {
            "/" => {
                rest.clone_into(&mut game);
                continue;
            }
            "b" => {
                rest.clone_into(&mut game);
                format!(r#""type":"game","rules":"{}","fen":"{}""#, start.0, start.1)
            }
            "<" => format!(r#""type":"takeback","ply":{rest}"#),
            "=" => format!(r#""type":"end","result":"{rest}","reason":"kings""#),
            "n" => r#""type":"end","result":"*","reason":"new-game""#.into(),
            "i" => r#""type":"end","result":"*","reason":"input-end""#.into(),
            "?" => r#""type":"anomaly","ply":2,"kind":"illegal","detail":"Ke4""#.into(),
            "r" => format!(r#""type":"ruling","result":"{rest}""#),
            "v" => r#""type":"ruling","void":true"#.into(),
            "w" => r#""type":"ruling","withdraw":true"#.into(),
            ply => {
                let at = ply.parse::<usize>().unwrap() - 1;
                let path = format!(r#""path":["{}"]"#, PATHS[at]);
                format!(r#""type":"move","ply":{ply},{}"#, if russian { &path } else { PLIES[at] })
            }
        };
        let time = format!("2026-11-21T10:00:{second:02}.000Z");
        text += &format!("{{\"time\":\"{time}\",\"board\":1025,\"game\":{game},{said}}}\n");
    }
    text
}

/// The last word of a game, its result, and how many words before it are moves.
fn plies_and_result(game: &str) -> (usize, &str) {
    let (moves, result) = game.rsplit_once(' ').unwrap();
    (moves.split(' ').filter(|word| !word.ends_with('.')).count(), result)
}

#[test]
fn pgn_has_the_games_as_the_records_leave_them() {
    for (short, games) in STREAMS {
        for results in ["at-once", "settled"] {
            let pgn = output_of(&["to-pgn", "--no-anomalies", "--results", results], records(short, false));
            let told: Vec<String> = pgn
                .split("\n\n")
                .filter(|part| !part.is_empty() && !part.starts_with('['))
                .map(|moves| moves.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            assert_eq!(told, games, "{short}");
        }
    }
}

#[test]
fn pages_have_the_same_games() {
    for (short, games) in STREAMS {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().to_str().unwrap();
        run(&["to-html", "--output", site], records(short, false));
        let live: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.path().join("live.json")).unwrap()).unwrap();
        // Of each board the last game that is one: its plies and its result, empty in play.
        let shown: Vec<(u64, &str)> = live["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| (game[2].as_u64().unwrap(), game[6].as_str().unwrap()))
            .collect();
        let last: Vec<(u64, &str)> = games
            .last()
            .map(|game| plies_and_result(game))
            .map(|(plies, result)| (plies as u64, result))
            .into_iter()
            .collect();
        let same = shown.iter().zip(&last).all(|(a, b)| {
            let open = b.1 == "*" && ["", "*"].contains(&a.1);
            a.0 == b.0 && (a.1 == b.1 || open)
        });
        assert!(same && shown.len() == last.len(), "{short}: {shown:?} {last:?}");
    }
}

#[test]
fn a_screen_shows_the_last_of_them() {
    for (short, games) in STREAMS {
        let (screen, _, _) = run(&["show", "--once"], records(short, false));
        let Some(last) = games.last() else {
            assert!(screen.contains("no game"), "{short}: {screen}");
            continue;
        };
        let (moves, result) = last.rsplit_once(' ').unwrap();
        let mv = moves.rsplit_once(' ').unwrap().1;
        let line = screen.lines().find(|line| line.starts_with("1025")).unwrap();
        assert!(line.contains(mv) && !line.contains("no game"), "{short}: {line}");
        for other in ["1-0", "0-1", "1/2-1/2"] {
            assert_eq!(line.contains(other), other == result, "{short}: {line}");
        }
    }
}

#[test]
fn as_many_games_are_counted() {
    for (short, games) in STREAMS {
        let (_, said, _) = run(&["to-pgn", "--summary"], records(short, false));
        let of = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let results = games.iter().filter(|game| !game.ends_with('*')).count();
        let counts = format!("{}, {}", of(games.len(), "game"), of(results, "result"));
        assert!(said.contains(&counts), "{short}: {said}");
    }
}

#[test]
fn the_health_of_a_board_counts_as_many() {
    for (short, games) in STREAMS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.jsonl");
        fs::write(&file, records(short, false)).unwrap();
        let (table, _, _) = run(&["check", "--format", "text", file.to_str().unwrap()], "");
        let count = table.lines().nth(1).unwrap().split_whitespace().nth(2).unwrap();
        assert_eq!(count, games.len().to_string(), "{short}: {table}");
    }
}

#[test]
fn draughts_are_written_as_pdn_and_bars() {
    for (short, games) in STREAMS {
        let expected: Vec<usize> = games.iter().map(|game| plies_and_result(game).0).collect();
        let pdn = output_of(&["to-pdn", "--no-anomalies"], records(short, true));
        let results: Vec<&str> = pdn
            .split("\n\n")
            .filter(|part| !part.is_empty() && !part.starts_with('['))
            .filter_map(|moves| moves.split_whitespace().last())
            .collect();
        let wanted: Vec<&str> = games.iter().map(|game| plies_and_result(game).1).collect();
        assert_eq!(results, wanted, "{short}: {pdn}");
        // What was written of a game can be taken back no more: the first is written with the first move of the second.
        if short.contains("/1 2 3") {
            continue;
        }
        let (bars, said, code) = run(&["to-bars"], records(short, true));
        let plies = |line: &str| line.split_once(r#""go":"#).unwrap().1.matches("],[").count() + 1;
        assert_eq!((bars.lines().map(plies).collect::<Vec<_>>(), code), (expected, 0), "{short}: {said}");
    }
}

#[test]
fn start_positions_at_rest_finish_no_draughts_game() {
    let (bars, said, code) = run(&["to-bars"], records("b1 1 =1-0 b2 /1 2 3", true));
    let first = bars.lines().next().unwrap();
    assert!(first.ends_with(r#""go":[[156,145],[225,236],[145,134]]}"#), "{bars}");
    assert_eq!((said.as_str(), code), ("", 0));
}

#[test]
fn a_game_in_play_is_one_for_all_readers() {
    let found = r#"{"type":"position","time":"2026-11-21T10:00:00.000Z","board":1025,"placement":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"}"#;
    let mut journal = found.to_owned() + "\n";
    let plies = [("f1", "b5", "B"), ("a7", "a6", "p"), ("b5", "a4", "B"), ("g8", "f6", "n")];
    for (minute, (from, to, piece)) in plies.into_iter().enumerate() {
        let changes = [(from, "null".to_owned()), (to, format!("\"{piece}\""))];
        for (square, piece) in changes {
            journal += &format!(
                "{{\"type\":\"change\",\"time\":\"2026-11-21T10:0{minute}:30.000Z\",\"board\":1025,\"square\":\"{square}\",\"piece\":{piece}}}\n"
            );
        }
        let rests = format!("\"time\":\"2026-11-21T10:0{minute}:34.000Z\",\"board\":1025");
        journal += &format!("{{\"type\":\"quiet\",{rests}}}\n");
    }
    let games = output_of(&["reconstruct", "--midgame"], journal.as_str());
    assert!(games.contains("\"san\":\"Nf6\""), "{games}");
    let screen = output_of(&["show", "--once", "--midgame"], journal.as_str());
    assert!(screen.contains("2...Nf6") && screen.contains("1 in play"), "{screen}");
    let table = output_of(&["check", "--format", "text", "--midgame"], journal.as_str());
    let games = |table: &str| table.lines().nth(1).unwrap().split_whitespace().nth(2).unwrap().to_owned();
    assert_eq!(games(&table), "1", "{table}");
    // Without it there is none, which each reports with what to do.
    for command in [&["reconstruct"][..], &["show", "--once"], &["check", "--format", "text"]] {
        let (told, said, _) = run(command, journal.as_str());
        assert!(!told.contains("Nf6") && said.contains("--midgame"), "{said}");
    }
    assert_eq!(run(&["check", "--no-games", "--midgame"], journal.as_str()).2, 2);
}
