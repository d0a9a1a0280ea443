//! PGN as people and programs leave it at its edges: results that are no wins, forfeits, stale rights, odd tags and clocks.

use serde_json::{Value, json};

use super::program::{of, output_of, records, run};

/// The records of a text, what was said, the exit code.
fn read(pgn: impl Into<Vec<u8>>) -> (Vec<Value>, String, i32) {
    let (output, said, code) = run(&["from-pgn"], pgn);
    (records(output), said, code)
}

/// What is written of a text, and that it is written so again.
fn written(pgn: &str) -> String {
    let once = |pgn: &str| output_of(&["to-pgn"], run(&["from-pgn"], pgn).0);
    let first = once(pgn);
    assert_eq!(once(&first), first, "the second time");
    first
}

fn sans(records: &[Value]) -> Vec<&str> {
    of(records, "move").into_iter().map(|record| record["san"].as_str().unwrap()).collect()
}

#[test]
fn odd_results_are_read_without_invented_moves() {
    for (movetext, tag, result, plies) in [
        ("0-0", "0-0", "0-0", 0),
        ("1. e4 e5 1/2-0", "1/2-0", "1/2-0", 2),
        ("1. e4 e5 0–½", "", "0-1/2", 2),
        // Castling would be legal.
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0", "0-0", "0-0", 6),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0 {A phone rang.}", "0-0", "0-0", 6),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 0-0", "0-0", "0-0", 8),
        // It is not.
        ("1. e4 e5 2. Nf3 Nc6 0-0", "?", "0-0", 4),
        ("1. e4 e5 2. Nf3 Nc6 0-0", "", "0-0", 4),
        // The tag says otherwise, or nothing, and castling is legal, or it stands behind a number.
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0", "*", "*", 7),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0", "1-0", "1-0", 7),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0", "0-0", "0-0", 7),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0 Nc6 0-0", "0-0", "0-0", 8),
    ] {
        let pgn = format!("[Event \"x\"]\n[Result \"{tag}\"]\n\n{movetext}\n\n[Event \"y\"]\n\n1. d4 *\n");
        let (records, said, code) = read(pgn.clone());
        assert_eq!((said.as_str(), code), ("", 0), "{movetext}, {tag}");
        assert_eq!(of(&records, "end")[0]["result"], result, "{movetext}, {tag}");
        assert_eq!(sans(&records).len(), plies + 1, "{movetext}, {tag}");
        // Behind moves other readers take it for castling.
        let pgn = written(&pgn);
        let shown = if matches!(result, "1-0") { "1-0" } else { "*" };
        let games: Vec<&str> = pgn.split_inclusive("\n\n").collect();
        assert!(games[0].contains(&format!("[Result \"{result}\"]\n")), "{pgn}");
        assert!(games[1].ends_with(&format!("{shown}\n\n")), "{pgn}");
    }
    let (records, ..) = read("[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 h6 0-0 h5 *\n");
    assert_eq!(sans(&records), ["e4", "e5", "Nf3", "Nc6", "Bc4", "h6", "O-O", "h5"]);
}

#[test]
fn forfeits_are_results_without_play() {
    for (tag, movetext, result) in [
        ("+/-", "*", "1-0"),
        ("+/-", "+/-", "1-0"),
        ("-:+", "0-1", "0-1"),
        ("1-0F", "1-0", "1-0"),
        ("1-0", "1-0F", "1-0"),
        ("-/-", "0-0", "0-0"),
        ("1-0F", "1. e4 1-0", "1-0"),
    ] {
        let pgn = format!("[Result \"{tag}\"]\n\n{movetext}\n");
        let (records, said, code) = read(pgn.clone());
        let end = of(&records, "end")[0];
        assert_eq!((said.as_str(), code), ("", 0), "{tag} {movetext}");
        assert_eq!((&end["result"], &end["forfeit"]), (&json!(result), &json!(true)), "{tag} {movetext}");
        let pgn = written(&pgn);
        assert!(pgn.contains(&format!("[Result \"{result}\"]\n")), "{pgn}");
        assert!(pgn.contains("[Termination \"forfeit\"]\n"), "{pgn}");
        let (records, ..) = read(pgn);
        assert_eq!(of(&records, "end")[0]["forfeit"], true, "{tag} {movetext}");
    }
    // A sign of a move is none: White stands better.
    let (records, ..) = read("[Result \"1-0\"]\n\n1. e4 +/- 1-0\n");
    assert_eq!(
        (&of(&records, "end")[0]["forfeit"], &of(&records, "move")[0]["nags"]),
        (&Value::Null, &json!([16]))
    );
}

#[test]
fn odd_draughts_results_return_and_are_on_pages() {
    for (result, forfeit) in [("0-0", false), ("1/2-0", false), ("0-1/2", false), ("1-0", true)] {
        let tag = if forfeit { "1-0F" } else { result };
        let pdn = format!("[Event \"x\"]\n[Result \"{tag}\"]\n\n1. c3-d4 {result}\n");
        let game = run(&["from-pdn"], pdn).0;
        let end = of(&records(game.clone()), "end")[0].clone();
        assert_eq!((&end["result"], end["forfeit"] == true), (&json!(result), forfeit));
        for options in [&["to-pdn"][..], &["to-pdn", "--points"]] {
            let again = output_of(options, game.clone());
            let read = run(&["from-pdn"], again.clone()).0;
            let end = of(&records(read), "end")[0].clone();
            assert_eq!((&end["result"], end["forfeit"] == true), (&json!(result), forfeit), "{again}");
        }
        let page = output_of(&["to-html"], game);
        let shown = if forfeit { json!([result, "forfeit"]) } else { json!([result]) };
        assert!(page.contains(&format!("\"ending\":{shown}")), "{result}");
    }
}

#[test]
fn left_over_rights_make_no_chess960() {
    for (fen, rights, moves) in [
        // A king has castled, and the rights of both sides stay.
        ("rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 6 5", "KQ", "5. O-O d6"),
        ("r3kbnr/ppp2ppp/2nqb3/3pp3/3PP3/2NQB3/PPP2PPP/2KR1BNR b KQkq - 6 7", "kq", "7... O-O-O 8. a3"),
        // Both have castled, short and long, alike or not.
        ("1r4k1/5pp1/8/8/8/8/5PP1/2R3K1 w Qq - 0 1", "-", "1. Rc8+ Rxc8"),
        ("r1bq1rk1/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQ1RK1 w KQkq - 0 1", "-", "1. Qe2 Qe7"),
        ("r1bq1rk1/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQ1RK1 w Qq - 0 1", "-", "1. Qe2 Qe7"),
        ("2kr3r/8/8/8/8/8/8/2KR3R w Kk - 0 1", "-", "1. Rxd8+ Rxd8"),
        // A rook is gone, or has moved.
        ("rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PP1/RNBQK3 w KQkq - 6 5", "Qkq", "5. d3 O-O"),
        ("r3k2r/6p1/8/8/8/8/8/R3K1R1 w KQkq - 0 1", "Qkq", "1. O-O-O O-O"),
    ] {
        let pgn = written(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n"));
        let (records, said, code) = read(pgn.clone());
        assert_eq!((said.as_str(), code), ("", 0), "{fen}");
        let game = of(&records, "game")[0];
        assert_eq!(game["rules"], "chess", "{fen}");
        assert_eq!(game["fen"].as_str().unwrap().split(' ').nth(2), Some(rights), "{fen}");
        assert!(!pgn.contains("Variant") && pgn.contains(&format!(" {rights} - ")), "{pgn}");
        assert!(pgn.ends_with(&format!("{moves} *\n\n")), "{pgn}");
    }
    // What may have been one is one, with files for rights and without.
    for (fen, rights) in [
        ("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1", "KQkq"),
        ("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1", "KQkq"),
        ("r1k2r2/8/8/8/8/8/8/R1K2R2 w FAfa - 0 1", "KQkq"),
        // A rook nearer the edge: the letters would name that one.
        ("rk2r1r1/8/8/8/8/8/8/RK2R1R1 w EAea - 0 1", "EQeq"),
    ] {
        let pgn = written(&format!("[FEN \"{fen}\"]\n\n*\n"));
        assert!(pgn.contains("[Variant \"Chess960\"]\n"), "{pgn}");
        assert!(pgn.contains(&format!(" w {rights} - 0 1\"]\n")), "{pgn}");
    }
    let (records, ..) = read("[Variant \"Freestyle Chess\"]\n\n1. e4 *\n");
    assert_eq!(of(&records, "game")[0]["rules"], "chess960");
}

#[test]
fn fens_are_read_with_any_counters() {
    for (numbers, quoted) in [("hmvc 1; fmvn 7;", true), ("- 1", true), ("3 0", false), ("", false)] {
        let pgn = format!("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - {numbers}\"]\n\n1... Kd7 2. O-O *\n");
        let (records, said, code) = read(pgn.clone());
        assert_eq!(sans(&records), ["Kd7", "O-O"], "{numbers}");
        assert_eq!(
            (code, said.contains("the numbers behind the position")),
            (4 * i32::from(quoted), quoted),
            "{said}"
        );
        let fen = if quoted { "0 1" } else { numbers };
        assert!(
            written(&pgn).contains(&format!("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - {fen}\"]\n")),
            "{numbers}"
        );
    }
}

#[test]
fn names_of_tags_may_have_any_capitals() {
    let start = "qrknnbbr/pppppppp/8/8/8/8/PPPPPPPP/QRKNNBBR w KQkq - 0 1";
    let pgn = written(&format!(
        "[EVENT \"a\"]\n[Fen \"{start}\"]\n[variant \"Chess960\"]\n[result \"1-0\"]\n[whiteElo \"2000\"]\n\n1. Nd3 *\n[event \"b\"]\n\n*\n"
    ));
    assert_eq!(pgn.matches("FEN \"").count() + pgn.matches("Fen \"").count(), 1, "{pgn}");
    for tag in [
        "[Event \"a\"]",
        &format!("[FEN \"{start}\"]"),
        "[Variant \"Chess960\"]",
        "[Result \"1-0\"]",
        "[whiteElo \"2000\"]",
        "[Event \"b\"]",
    ] {
        assert!(pgn.contains(&format!("{tag}\n")), "{tag} {pgn}");
    }
}

#[test]
fn a_null_move_has_many_names() {
    for name in ["--", "<>", "@@@@", "Z0", "0000", "null"] {
        let (records, said, code) = read(format!("1. e4 e5 2. {name} Nc6 *\n"));
        assert_eq!((said.as_str(), code), ("", 0), "{name}");
        assert_eq!(sans(&records), ["e4", "e5", "--", "Nc6"], "{name}");
    }
}

#[test]
fn clocks_are_read_where_they_have_one_meaning_only() {
    let (records, said, code) =
        read("1. e4 {0:04:57} e5 {[%clk 1:30]} 2. Nf3 {[%emt 0.5]} Nc6 {[%clk 0:58]} *\n");
    let moves = of(&records, "move");
    assert_eq!(moves[0]["seconds"], 297.0);
    assert_eq!((&moves[1]["seconds"], &moves[1]["comment"]), (&Value::Null, &json!("[%clk 1:30]")));
    assert_eq!(moves[2]["elapsed"], 0.5);
    // Once for a game, and nothing of it is lost.
    assert_eq!(
        (said.matches("stays a comment").count(), code, of(&records, "anomaly").len()),
        (1, 0, 0),
        "{said}"
    );
}

#[test]
fn tags_with_other_or_no_quotes_are_reported() {
    let game = "[Event “smart”]\n[White „Alder, Ann“] [Black «Birch’s, Bob»]\n[ECO 'C20']\n[WhiteElo 2100]\n\n1. e4 1-0\n";
    let (records, said, code) = read(format!("{game}\n{game}"));
    let games = of(&records, "game");
    let tags = json!({"Event": "smart", "White": "Alder, Ann", "Black": "Birch’s, Bob", "ECO": "C20", "WhiteElo": "2100"});
    assert_eq!(games.iter().map(|game| &game["tags"]).collect::<Vec<_>>(), [&tags, &tags]);
    assert_eq!((said.matches("plain quotes").count(), code), (2, 0), "{said}");
    // What is no tag is none: in the moves, and where it cannot be known which name was meant.
    let (records, said, code) =
        read("[Event \"x\"]\n[White Elo \"2000\"]\n\n1. e4 e5\n[Diagram here]\n2. d4 *\n");
    assert_eq!(of(&records, "game")[0]["tags"], json!({"Event": "x"}));
    assert_eq!((sans(&records), code), (vec!["e4", "e5", "d4"], 4), "{said}");
}

#[test]
fn tags_refused_by_lichess_are_written_and_reported_once() {
    let game = run(
        &["from-pgn"],
        "[Event \"x\"]\n[My_Tag \"a\"]\n[Team2 \"b\"]\n\n*\n[Event \"y\"]\n[My_Tag \"c\"]\n\n*\n",
    )
    .0;
    let (pgn, said, code) = run(&["to-pgn"], game);
    assert!(
        ["[My_Tag \"a\"]", "[Team2 \"b\"]", "[My_Tag \"c\"]"].iter().all(|tag| pgn.contains(tag)),
        "{pgn}"
    );
    assert_eq!((said.lines().count(), said.matches("Lichess refuses").count(), code), (2, 2, 0), "{said}");
    let record = "{\"type\":\"game\",\"board\":7,\"game\":1,\"rules\":\"chess\",\"fen\":\"8/8/8/8/8/8/8/K1k5 w - - 0 1\"}\n";
    let (_, said, _) = run(&["to-pgn", "--tag", "Arb_1=x"], record);
    assert!(said.contains("the tag Arb1 is written, but Lichess refuses"), "{said}");
}
