//! PGN as it is found, through `from-pgn` and `to-pgn`, to PGN that every reader takes.

use serde_json::{Value, json};

use super::program::{command, movetext, of, output_of, records, run};

/// The records of a text, what was said, the exit code.
fn read(pgn: impl Into<Vec<u8>>) -> (Vec<Value>, String, i32) {
    let (output, said, code) = run(&["from-pgn"], pgn);
    (records(output), said, code)
}

/// What is written of a text, and that it is written so again.
fn written(pgn: impl Into<Vec<u8>>) -> String {
    let once = |pgn: Vec<u8>| output_of(&["to-pgn"], run(&["from-pgn"], pgn).0);
    let first = once(pgn.into());
    assert_eq!(once(first.clone().into_bytes()), first, "the second time");
    first
}

/// The movetext that is written of one.
fn moves(pgn: &str) -> String {
    movetext(&written(pgn)).replace('\n', " ")
}

#[test]
fn a_comment_before_a_move_stands_before_its_number() {
    for (pgn, expected) in [
        ("1. e4 e5 ({Better is} 1... c5) *", "1. e4 e5 ({Better is} 1... c5) *"),
        ("1. e4 e5 (1... {Better is} c5) *", "1. e4 e5 ({Better is} 1... c5) *"),
        ("{a} 1. {b} e4 *", "{a b} 1. e4 *"),
        ("1. {b} e4 e5 *", "{b} 1. e4 e5 *"),
        ("1. e4 {a} 1... {b} e5 *", "1. e4 {a b} 1... e5 *"),
        ("1. e4 (1. d4) {a} 1... {b} e5 *", "1. e4 (1. d4) {a b} 1... e5 *"),
        // A clock in it is of no move.
        ("1. e4 1... {[%clk 0:01:00]} e5 *", "1. e4 {[ %clk 0:01:00]} 1... e5 *"),
    ] {
        assert_eq!(moves(pgn), expected, "{pgn}");
    }
}

#[test]
fn pain_24_anomalies_break_no_comment() {
    let pgn =
        "[Result \"0-1\"]\n\n1. e4 {[%clk 0:10:00]} e5 {[%clk 0:09:00]} 2. Kd4 {[%clk 0:08:00]} Kd5 } 0-1\n";
    let text = movetext(&written(pgn)).replace('\n', " ");
    assert_eq!(
        text,
        "1. e4 {[%clk 0:10:00]} 1... e5 {[%clk 0:09:00] illegal: 2. Kd4 (no such piece can go there); unread: Kd5 )} 0-1"
    );
    let (records, ..) = run(&["from-pgn"], pgn);
    let plain = output_of(&["to-pgn", "--no-anomalies"], records.clone());
    assert!(plain.ends_with("\n1. e4 {[%clk 0:10:00]} 1... e5 {[%clk 0:09:00]} 0-1\n\n"), "{plain}");
    let anomaly = of(&self::records(records), "anomaly")[0].clone();
    assert_eq!(anomaly["source"], "standard input:3");
}

#[test]
fn pain_24_moves_have_one_comment_in_braces() {
    let text = written("1. e4 {[%clk 0:01:00]} {[%emt 0:00:02]} ; a } b\n{c} e5 *\n");
    assert_eq!(movetext(&text), "1. e4 {[%clk 0:01:00] [%emt 0:00:02] a ) b c} 1... e5 *");
}

#[test]
fn lines_do_not_begin_with_closing_brackets() {
    for length in 1..160 {
        let text = written(format!(
            "1. e4 {{{}}} (1. d4 (1. c4 {{{}}}) (1. Nf3)) e5 *",
            "x ".repeat(length / 2) + "y",
            "z ".repeat(length % 7)
        ));
        assert!(text.lines().all(|line| !line.starts_with([')', '}']) && line.len() < 80), "{text}");
    }
}

#[test]
fn signs_at_line_beginnings_belong_to_first_moves() {
    for (pgn, expected) in [
        ("1. e4 e5 ($142 1... b5) *", "1. e4 e5 (1... b5 $142) *"),
        ("1. e4 e5 (1... $142 b5 $1) *", "1. e4 e5 (1... b5 $142 $1) *"),
        ("1. e4 e5 (⌓ {x} 1... b5) *", "1. e4 e5 ({x} 1... b5 $142) *"),
        ("$220 1. e4 +- e5 N 2. Nf3 D Nc6 ⇆ -/+ *", "1. e4 $220 $18 e5 $146 2. Nf3 $220 Nc6 $132 $17 *"),
        ("1. e4+− e5−+ 2. Nf3 ∞ *", "1. e4 $18 e5 $19 2. Nf3 $13 *"),
    ] {
        assert_eq!(moves(pgn), expected, "{pgn}");
        assert_eq!(read(pgn).1, "", "{pgn}");
    }
}

#[test]
fn files_are_read_as_any_person_would() {
    for (pgn, expected) in [
        ("1. e4 e5 1-0 (1... c5 2. Nf3)\n", "1. e4 e5 (1... c5 2. Nf3) 1-0"),
        ("1.\u{a0}e4\u{a0}e5\u{202f}2.\u{a0}Nf3 1–0", "1. e4 e5 2. Nf3 1-0"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O Nf6 1:0", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0"),
        ("1. e2–e4 e7−e5 ½–½", "1. e4 e5 1/2-1/2"),
        ("1. e4 e5\u{1a}", "1. e4 e5 *"),
    ] {
        assert_eq!(moves(pgn), expected, "{pgn}");
        assert_eq!(read(pgn).1, "", "{pgn}");
    }
    let latin = b"[White \"a\xa0b\"]\n\n1.\xa0e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O\x96O *".to_vec();
    assert!(written(latin).ends_with("\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n"));
    let broken = written("[Event \"A long\nname\"]\n[White \"w\"]\n\n1. e4 1-0\n");
    assert!(broken.starts_with("[Event \"A long name\"]\n") && broken.contains("[White \"w\"]"), "{broken}");
}

#[test]
fn cr_lines_are_counted_and_end_escapes() {
    let (records, said, code) =
        read("[White \"w\"]\r\r% 1. d4\r1. e4 ; c5\re5\r2. Ke5 *\r\r[White \"x\"]\r\r1. c4 *\r");
    assert_eq!(code, 4);
    assert!(
        said.starts_with("boardbus from-pgn: standard input:6: game 1: move 2. Ke5 is illegal"),
        "{said}"
    );
    let sans: Vec<&Value> = of(&records, "move").into_iter().map(|m| &m["san"]).collect();
    assert_eq!(sans, ["e4", "e5", "c4"]);
}

#[test]
fn unknown_rules_are_reported_and_not_replaced_by_chess() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (tags, fen, plies, anomaly) in [
        ("[FEN \"rubbish\"]", "\"rubbish\"", 0, Some("FEN \"rubbish\" cannot be read")),
        ("[Variant \"Crazyhouse\"]", "null", 0, Some("the rules of Crazyhouse are not known here")),
        (
            "[Variant \"Atomic\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
            "\"8/8/8/8/8/8/8/8 w - - 0 1\"",
            0,
            Some("the rules of Atomic"),
        ),
        ("[Variant \"Beetle\"]", &format!("\"{start}\""), 2, Some("the variant Beetle is not known here")),
        ("[Variant \"Three-check\"]", &format!("\"{start}\""), 2, None),
    ] {
        for movetext in ["1. e4 e5 *", "*"] {
            let pgn = format!("{tags}\n\n{movetext}\n");
            let (records, _, code) = read(pgn.clone());
            let game = of(&records, "game")[0];
            assert_eq!(
                (game["rules"].as_str(), game["fen"].to_string()),
                (Some("other"), fen.to_owned()),
                "{tags}"
            );
            let told = of(&records, "anomaly");
            assert_eq!(
                told.first().map(|told| told["detail"].as_str().unwrap()).is_some(),
                anomaly.is_some(),
                "{tags}"
            );
            for (told, anomaly) in told.iter().zip(anomaly) {
                assert!(told["detail"].as_str().unwrap().starts_with(anomaly), "{told}");
            }
            assert_eq!(code, if anomaly.is_some() { 4 } else { 0 });
            assert_eq!(of(&records, "move").len(), if movetext == "*" { 0 } else { plies }, "{tags}");
            written(pgn);
        }
    }
}

#[test]
fn claimable_draws_are_reported_as_in_draughts() {
    let round = "Nf3 Nf6 Ng1 Ng8 ".repeat(2);
    let (records, ..) = read(format!("{round} 1/2-1/2\n"));
    let claims: Vec<&Value> = of(&records, "move").into_iter().map(|m| &m["claim"]).collect();
    assert_eq!(claims.len(), 8);
    assert_eq!((claims[6], claims[7]), (&Value::Null, &json!("threefold")));
    // The same pieces with other rights to castle are another position.
    let (records, ..) = read("1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. Rg1 Rg8 5. Rh1 Rh8 6. Rg1 Rg8 *");
    let claims: Vec<&Value> = of(&records, "move").into_iter().map(|m| &m["claim"]).collect();
    assert_eq!(claims.iter().position(|claim| **claim == "threefold"), Some(11), "{claims:?}");
    let (records, ..) = read("[FEN \"8/8/8/8/4k3/8/8/K6R w - - 98 90\"]\n\n90. Rh2 Ke5 91. Rh8 Ke4 *");
    let claims: Vec<&Value> = of(&records, "move").into_iter().map(|m| &m["claim"]).collect();
    assert_eq!(claims, [&Value::Null, &json!("fifty-moves"), &json!("fifty-moves"), &json!("fifty-moves")]);
}

#[test]
fn messages_name_players_round_and_the_illegality() {
    let tags = "[Round \"1.2\"]\n[White \"Larsen, B\"]\n[Black \"Tal, M\"]\n\n";
    let (_, said, _) = read(format!("{tags}1. e4 e5 2. Qh5 g6 3. Qxe5+ d6 *"));
    assert!(
        said.starts_with(
            "boardbus from-pgn: standard input:5: game 1, Larsen, B - Tal, M, round 1.2: move 3... d6 is illegal \
             (leaves the king in check)\n"
        ),
        "{said}"
    );
}

#[test]
fn pain_1_a_last_king_move_may_signal() {
    let fen = "[FEN \"8/8/3k4/8/8/3K4/8/8 w - - 0 1\"]\n";
    let clock = "{[%clk 0:01:00]}";
    for (result, moves, mv, doubted) in [
        // The loser's, whose turn it was.
        ("0-1", "1. Kd4".to_owned(), "Kd4", true),
        ("1-0", "1. Kc3 Ke5 2. Kc4 Kd6 3. Kc3 Kd5".into(), "Kd5", true),
        ("0-1", "1. Ke4".into(), "Ke4", false),
        // The winner's, and one before a draw, are moves: there kings go in the end.
        ("1-0", "1. Ke4".into(), "Ke4", false),
        ("1/2-1/2", "1. Kd4".into(), "Kd4", false),
        ("*", "1. Ke4".into(), "Ke4", false),
        // Unless nobody pressed the clock behind them, and behind all others somebody did.
        ("1-0", format!("1. Kc3 {clock} Kc6 {clock} 2. Kd3 {clock} Kd6 {clock} 3. Ke4"), "Ke4", true),
        ("1/2-1/2", format!("1. Kc3 {clock} Kc6 {clock} 2. Kd4"), "Kd4", true),
        ("1/2-1/2", format!("1. Kc3 {clock} Kc6 {clock} 2. Kd4 {clock}"), "Kd4", false),
        ("1/2-1/2", format!("1. Kc3 {clock} Kc6 2. Kd4"), "Kd4", false),
    ] {
        let pgn = format!("[Result \"{result}\"]\n{fen}\n{moves} {result}\n");
        let (records, said, code) = read(pgn.clone());
        assert_eq!((of(&records, "move").is_empty(), code), (false, 0));
        assert_eq!(!of(&records, "anomaly").is_empty(), doubted, "{pgn}");
        assert_eq!(
            said.contains(&format!("{mv}, the last move, may be the king that shows {result}")),
            doubted,
            "{said}"
        );
        written(pgn);
    }
}

#[test]
fn results_in_place_of_moves_do_not_split_games() {
    let game = "{\"type\":\"game\",\"game\":1,\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}\n";
    for san in ["1-0", "0-1", "*", "e4 e5", "[x]", "$1", "1", "", "--e4", "e4+x"] {
        let ply = |ply: u32, san: &str| {
            format!("{{\"type\":\"move\",\"game\":1,\"ply\":{ply},\"san\":\"{san}\"}}\n")
        };
        let pgn = output_of(&["to-pgn"], [game, &ply(1, "e4"), &ply(2, san), &ply(3, "Nf3")].concat());
        let expected = format!("1. e4 {{gap: ply 2 is missing; recorded after it: 2: {san}, 3: Nf3}} *");
        assert_eq!(movetext(&pgn).replace('\n', " "), expected, "{san}");
        // In a variation too.
        let variation = format!(
            "{{\"type\":\"move\",\"game\":1,\"ply\":1,\"san\":\"e4\",\"variations\":[[{{\"san\":\"d4\"}},{{\"san\":\"{san}\"}}],[{{\"san\":\"{san}\"}}],[]]}}\n"
        );
        let pgn = output_of(&["to-pgn"], [game, &variation].concat());
        assert_eq!(movetext(&pgn), "1. e4 (1. d4) *", "{san}");
    }
}

#[test]
fn no_control_character_gets_through_in_either_direction() {
    let evil = "a\u{1b}]0;x\u{7}b\u{0}c\u{7f}d\u{9b}2Je";
    let pgn = format!("[White \"{evil}\"]\n[Black \"{evil}\"]\n\n{{{evil}}} 1. e4 {{{evil}}} {evil} e5 *\n");
    let (output, said, _) = run(&["from-pgn"], pgn);
    let clean = |text: &str| text.chars().all(|c| c == '\n' || !c.is_control());
    assert!(clean(&output) && clean(&said), "{output}{said}");
    let names = serde_json::to_string(evil).unwrap();
    let record = format!(
        "{{\"type\":\"game\",\"game\":1,\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\
         \"tags\":{{\"White\":{names}}},\"comment\":{names}}}\n\
         {{\"type\":\"move\",\"game\":1,\"ply\":1,\"san\":\"e4\",\"comment\":{names},\"comment_before\":{names}}}\n\
         {{\"type\":\"anomaly\",\"game\":1,\"ply\":1,\"kind\":\"gap\",\"detail\":{names}}}\n"
    );
    let written = output_of(&["to-pgn"], record.clone());
    assert!(clean(&written) && written.contains("a ]0;x b c d 2Je"), "{written}");
    // Into pages too, from where somebody takes names and comments: raw, and as JSON spells it.
    for record in [record.clone(), record.replace("\u{7f}", "\\u007f").replace("\u{9b}", "\\u009B")] {
        let (page, ..) = run(&["to-html"], record);
        let data = page.split("<script type=\"application/json\"").skip(1);
        let data = data.map(|data| data.split_once("</script>").unwrap().0).collect::<String>();
        assert!(clean(&data) && data.contains("a ]0;x b c d 2Je"), "{data}");
        assert!(!data.contains("\\u00"), "{data}");
        let title = page.split("<title>").nth(1).and_then(|page| page.split("</title>").next()).unwrap();
        assert!(clean(title), "{title}");
    }
}

#[test]
fn problems_at_every_byte_are_reported_once_and_counted() {
    let (records, said, code) = read(format!(
        "[White \"w\"]\n\n1. e4 {} e5 {} 2. Nf3 *\n",
        "} ".repeat(50_000),
        "} {x} ".repeat(1000)
    ));
    assert_eq!(code, 4);
    let told = of(&records, "anomaly");
    assert_eq!(told.len(), 51);
    assert_eq!(told[0]["unread"].as_str().map(str::len), Some(2 * 50_000 - 1));
    assert_eq!(told[50]["detail"], "951 more places cannot be read");
    assert!(said.len() < 10_000, "{}", said.len());
    assert_eq!(of(&records, "move").len(), 3);
}

#[test]
fn tags_by_tens_of_thousands_take_linear_time() {
    // Looked through one by one they would be compared 800 million times in each command: minutes in a debug build.
    let tags: String = (0..40_000).map(|n| format!("[TagNumber{n} \"{n}\"]\n")).collect();
    let (output, said, code) = run(&["from-pgn"], format!("{tags}[TagNumber7 \"other\"]\n\n1. e4 *\n"));
    assert_eq!(code, 4);
    assert!(said.contains("a second tag TagNumber7 \"other\" is left out"), "{said}");
    // Of those that Lichess would refuse not all are named.
    let (written, said, _) = run(&["to-pgn"], output);
    assert!(said.lines().count() <= 20, "{said}");
    assert!(written.contains("[TagNumber39999 \"39999\"]\n"));
}

#[test]
fn a_line_longer_than_any_record_is_skipped() {
    let game = "{\"type\":\"game\",\"game\":1,\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}\n";
    let ply = "{\"type\":\"move\",\"game\":1,\"ply\":1,\"san\":\"e4\"}\n";
    let (pgn, said, code) = run(&["to-pgn"], game.to_owned() + &"x".repeat((16 << 20) + 99) + "\n" + ply);
    assert_eq!(code, 4);
    assert_eq!(
        said,
        "boardbus to-pgn: standard input:2: a line of over 16 MiB is no record: it is skipped\n"
    );
    assert_eq!(movetext(&pgn), "1. e4 *");
}

#[test]
fn gaps_in_ply_numbers_are_bounded() {
    let game = "{\"type\":\"game\",\"game\":1,\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}\n";
    let ply = |ply: u32| format!("{{\"type\":\"move\",\"game\":1,\"ply\":{ply},\"san\":\"e4\"}}\n");
    let (_, said, code) = run(&["to-pgn"], game.to_owned() + &ply(1) + &ply(501) + &ply(601) + &ply(702));
    assert_eq!(code, 4);
    assert!(said.contains("standard input:5: ply 702 cannot follow ply 601"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
}

#[test]
fn only_finished_games_are_written_on_request() {
    let (records, ..) = run(&["from-pgn"], "1. e4 1-0\n\n1. d4 *\n\n1. c4 1/2-1/2\n");
    let pgn = output_of(&["to-pgn", "--finished"], records);
    assert!(pgn.contains("1. e4 1-0") && pgn.contains("1. c4 1/2-1/2") && !pgn.contains("d4"), "{pgn}");
    let board = |board: u32, end: &str| {
        format!(
            "{{\"type\":\"game\",\"board\":{board},\"game\":1,\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}}\n\
             {{\"type\":\"end\",\"board\":{board},\"game\":1,\"result\":\"*\",\"reason\":\"{end}\"}}\n"
        )
    };
    let records = board(7, "input-end") + &board(8, "new-game");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let args = ["to-pgn", "--finished", "-o", path.to_str().unwrap()];
    for (args, written) in [(&args[..2], None), (&args[..], Some(&path))] {
        let mut pgn = output_of(args, records.clone());
        if let Some(path) = written {
            pgn = std::fs::read_to_string(path).unwrap();
        }
        assert!(pgn.contains("[Board \"8\"]") && !pgn.contains("[Board \"7\"]"), "{pgn}");
    }
}

#[test]
fn bracketed_signs_belong_to_the_move_before() {
    for (pgn, expected) in [
        ("1. e4 ($5) e5 ($1 $14) *", "1. e4 $5 e5 $1 $14 *"),
        ("1. e4 e5 (?!) 2. Nf3 *", "1. e4 e5 $6 2. Nf3 *"),
        ("1. e4 $1 ($1 {best}) e5 *", "1. e4 $1 {best} 1... e5 *"),
        ("1. e4 ($5 1. d4) e5 *", "1. e4 (1. d4 $5) 1... e5 *"),
    ] {
        assert_eq!((moves(pgn).as_str(), read(pgn).1.as_str()), (expected, ""), "{pgn}");
    }
}

#[test]
fn results_are_recognised_in_any_spelling() {
    for (written, result) in [
        ("0.5-0.5", "1/2-1/2"),
        ("0,5:0,5", "1/2-1/2"),
        (".5-.5", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("½ – ½", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("1 - 0", "1-0"),
        ("0\u{a0}–\u{a0}1", "0-1"),
        ("1-O", "1-0"),
        ("O-1", "0-1"),
        ("1-0.", "1-0"),
    ] {
        // A game follows: the result has to end its own.
        let (records, said, code) = read(format!("1. e4 e5 2. Nf3 Nc6 {written}\n1. d4 *\n"));
        assert_eq!((said.as_str(), code), ("", 0), "{written}");
        let ends: Vec<&Value> = of(&records, "end").into_iter().map(|end| &end["result"]).collect();
        assert_eq!(ends, [result, "*"], "{written}");
        let (records, said, _) = read(format!("[Result \"{written}\"]\n\n1. e4 e5\n"));
        assert_eq!((said.as_str(), &of(&records, "end")[0]["result"]), ("", &json!(result)), "{written}");
    }
    assert_eq!(
        moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 0-1"),
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 0-1"
    );
}

#[test]
fn pain_4_unclosed_first_tags_lose_no_game() {
    for broken in ["[Event \"x", "[Event \"x\"", "[Event", "[Event \"x]"] {
        for between in ["\n", "\n[White \"A\"]\n[Black \"B\"]\n\n", "\n\n"] {
            let (records, said, code) =
                read(format!("{broken}{between}1. e4 e5 1-0\n\n[Event \"y\"]\n\n1. d4 *\n"));
            assert_eq!(code, 4, "{broken}{between}");
            assert!(
                said.contains(&format!("input:1: game 1: at the tags \"{broken}\" has no meaning"))
                    || said.contains("input:1: game 1, A - B: at the tags"),
                "{said}"
            );
            let sans: Vec<&Value> = of(&records, "move").into_iter().map(|m| &m["san"]).collect();
            assert_eq!(sans, ["e4", "e5", "d4"], "{broken}{between}");
            assert_eq!(of(&records, "end")[0]["result"], "1-0", "{broken}{between}");
        }
    }
    for no_game in ["[section]\nkey=1\n", "[\n  {\"a\": 1}\n]\n", "[Unit]\nDescription=x\n"] {
        assert!(read(no_game).1.contains("input:1: this is no PGN"), "{no_game}");
    }
}

#[test]
fn records_stay_within_reader_limits_and_complete() {
    // Some 16 bytes of text become 100 of JSON; quotes take two.
    let variations = "(1. d4 {a} d5) ".repeat(75_000);
    let quotes = "\"".repeat(3_700_000);
    let tag = "\\\"".repeat(3_700_000);
    for (what, pgn, least) in [
        ("variations", format!("1. e4 {variations} e5 2. Nf3 *\n"), 30_000),
        (
            "one variation",
            format!("1. e4 (1. d4 {} ) e5 2. Nf3 *\n", "Nf6 Nf3 Ng8 Ng1 ".repeat(35_000)),
            30_000,
        ),
        (
            "nests",
            format!(
                "1. e4 {} e5 2. Nf3 *\n",
                format!("{}{}", "(d4 ".repeat(39), ")".repeat(39)).repeat(3600)
            ),
            30_000,
        ),
        ("a comment", format!("1. e4 {{{quotes}}} e5 2. Nf3 *\n"), 0),
        ("a comment in a variation", format!("1. e4 (1. d4 {{{quotes}}}) e5 2. Nf3 *\n"), 0),
        ("a comment before the moves", format!("{{{quotes}}} 1. e4 e5 2. Nf3 *\n"), 0),
        ("a comment among the tags", format!("{{{quotes}}}\n[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n"), 0),
        ("a tag", format!("[Event \"{tag}\"]\n\n1. e4 e5 2. Nf3 *\n"), 0),
        ("what is unread", format!("1. e4 e5 2. Nf3 zz {quotes}\n"), 0),
    ] {
        // Its lines are too long for a reader of any JSON in a debug build.
        let output = command("from-pgn").write_stdin(pgn.clone()).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{what}");
        let out = String::from_utf8(output.stdout).unwrap();
        let longest = out.lines().map(str::len).max().unwrap();
        assert!(longest < 16 << 20, "{what}: {longest}");
        let plies =
            out.lines().filter_map(|line| line.strip_prefix("{\"type\":\"move\",\"game\":1,\"ply\":"));
        let sans: Vec<&str> = plies.map(|line| line.split('"').nth(3).unwrap()).collect();
        assert_eq!(sans, ["e4", "e5", "Nf3"], "{what}");
        // What is not in its place is in the anomalies, sign by sign.
        let signs = |text: &str| text.bytes().filter(|b| b"dN\"".contains(b)).count();
        let quoted = |line: &str| {
            let (_, behind) = line.split_once("\"unread\":\"")?;
            Some(signs(behind.rsplit_once("\",\"source\"").map_or(behind, |(unread, _)| unread)))
        };
        let unread: usize = out.lines().filter_map(quoted).sum();
        let kept = out.matches("\"san\":").count();
        assert!(kept > least, "{what}: {kept}");
        if what.contains("comment") || what.contains("unread") {
            assert_eq!(unread, 3_700_000, "{what}");
        }
        if what.contains("ariation") && !what.contains("comment") {
            // The game's own moves begin with neither letter but Nf3.
            assert_eq!(unread + kept - 3, signs(&pgn) - 1, "{what}");
        }
    }
}

#[test]
fn openings_are_named_by_position_despite_transpositions() {
    let of = |moves: &str, args: &[&str]| {
        let read = run(&["from-pgn"], format!("[Result \"*\"]\n\n{moves} *\n")).0;
        let pgn = output_of(&[&["to-pgn"], args].concat(), read);
        let tags =
            pgn.lines().filter(|line| ["[ECO", "[Ope", "[Var"].iter().any(|begin| line.starts_with(begin)));
        tags.map(str::to_owned).collect::<Vec<_>>()
    };
    let berlin = ["[ECO \"C65\"]", "[Opening \"Ruy Lopez\"]", "[Variation \"Berlin Defense\"]"];
    // What is played behind the last position with a name changes nothing.
    for moves in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6",
        "1. e4 Nc6 2. Nf3 Nf6 3. Bb5 e5",
        "1. e4 {[%clk 0:59:00]} e5 2. Nf3 Nc6 3. Bb5 Nf6 4. Qe2 h5 5. h3 Rh6 6. Rh2 a5",
    ] {
        assert_eq!(of(moves, &["--openings"]), berlin, "{moves}");
        assert_eq!(of(moves, &[]), [""; 0]);
    }
    assert_eq!(of("", &["--openings"]), [""; 0]);
    // As lichess-org/chess-openings has it, where a pawn may be taken in passing.
    assert_eq!(
        of("1. e4 e6 2. d4 d5 3. e5 c5", &["--openings"])[..2],
        ["[ECO \"C02\"]", "[Opening \"French Defense\"]"]
    );
}

#[test]
fn openings_in_files_stay() {
    let pgn = "[ECO \"C67\"]\n[Opening \"Spanisch\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 *\n";
    let read = run(&["from-pgn"], pgn).0;
    let named = output_of(&["to-pgn", "--openings"], read);
    assert!(
        named.contains("[ECO \"C67\"]\n[Opening \"Spanisch\"]\n") && !named.contains("Variation"),
        "{named}"
    );
}
