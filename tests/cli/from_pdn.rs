//! `boardbus from-pdn`.

use serde_json::{Value, json};

use super::program::{self, run};

fn records(args: &[&str], input: impl Into<Vec<u8>>) -> Vec<Value> {
    program::records(run(&[&["from-pdn"], args].concat(), input).0)
}

/// The moves of all games, and each end.
fn moves(records: &[Value]) -> String {
    let told = records.iter().filter_map(|record| match record["type"].as_str() {
        Some("move") => record["notation"].as_str(),
        Some("end") => record["result"].as_str(),
        _ => None,
    });
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_forms_found_in_the_wild_are_read_alike() {
    let demo = "g3-f4 d6-e5 f4:d6 e7:c5 1-0";
    for text in [
        "1. g3-f4 d6-e5 2. f4:d6 e7:c5 1-0",
        "1.g3-f4 d6-e5 2.f4xd6 e7xc5 2-0",
        "[Result \"1-0\"]\n1. g3f4 d6e5\r\n2. f4*d6! e7×c5(?) *",
        "[GameType \"25\"]\n[FEN \"W:W21-32:B1-12.\"]\n1. 24-19 10-15 2. 19x10 7x14 2-0",
        "[GameType \"25,W,8,8,N0,0\"]\n1. 12-15 22-19 2. 15x22 27x18 1-0",
    ] {
        assert_eq!(moves(&records(&[], text)), demo, "{text}");
    }
    let turned = "1. 12-15 22-19 2. 15x22 27x18 1-0";
    assert_eq!(moves(&records(&["--numbering", "a1"], turned)), demo);
}

#[test]
fn moves_have_their_path_captures_and_position() {
    let text = "[FEN \"W:Wb4:Bc5,e7\"]\n1. b4:f8 *";
    let expected = json!({
        "type": "move", "game": 1, "ply": 1, "notation": "b4:d6:f8", "path": ["b4", "d6", "f8"],
        "captured": ["c5", "e7"], "fen": "B:WKf8:B"
    });
    let records = records(&[], text);
    assert_eq!(records[1], expected);
    assert_eq!(records[2], json!({"type": "end", "game": 1, "result": "1-0", "reason": "no-moves"}));
}

#[test]
fn open_capture_paths_are_guessed_with_nearest_landings() {
    let fen = "[FEN \"W:WKb8,c1:Bd6,e3,Kg3,b2,d2,Ka1,Ke1\"]\n";
    let open = &records(&[], format!("{fen}1. b8:h2 *"))[1];
    assert_eq!((&open["notation"], &open["guess"]), (&json!("b8:e5:h2"), &json!(true)));
    let fixed = &records(&[], format!("{fen}1. b8:f4:h2 *"))[1];
    assert_eq!((&fixed["notation"], &fixed["guess"]), (&json!("b8:f4:h2"), &Value::Null));
}

#[test]
fn clocks_glyphs_comments_and_variations_come_along() {
    let text = "{Intro} 1. g3-f4! {[%clock w0:09:58 B0:10:00] good\nmove} (1. c3-d4 {alt} d6-c5 (1... f6-g5) \
                2. b2-c3) {after} d6-e5 $2 *";
    let records = records(&[], text);
    assert_eq!(records[0]["comment"], json!("Intro"));
    let first = &records[1];
    assert_eq!((&first["nags"], &first["seconds"]), (&json!([1]), &json!(598)));
    assert_eq!((&first["comment"], &first["comment_after"]), (&json!("good move"), &json!("after")));
    let variation = &first["variations"][0];
    assert_eq!((&variation[0]["notation"], &variation[0]["comment"]), (&json!("c3-d4"), &json!("alt")));
    assert_eq!(variation[1]["variations"][0][0]["notation"], json!("f6-g5"));
    assert_eq!(variation[2]["notation"], json!("b2-c3"));
    assert_eq!(records[2]["nags"], json!([2]));
}

#[test]
fn names_in_windows_1251_and_utf_8_are_read() {
    let mut text = "[Event \"Клуб\"]\n".as_bytes().to_vec();
    // "Медков"
    text.extend(b"[White \"\xcc\xe5\xe4\xea\xee\xe2\"]\n1. c3-d4 *\n");
    let tags = &records(&[], text)[0]["tags"];
    assert_eq!(*tags, json!({"Event": "Клуб", "White": "Медков"}));
}

#[test]
fn games_are_parted_by_results_or_tags_and_counted() {
    let text =
        "1. c3-d4 1-0 1. c3-b4 0-1\n[Event \"a\"]\n1. a3-b4\n[Event \"b\"]\n[Event \"c\"]\n1. e3-f4 1/2-1/2";
    let records = records(&[], text);
    assert_eq!(moves(&records), "c3-d4 1-0 c3-b4 0-1 a3-b4 * * e3-f4 1/2-1/2");
    let games: Vec<&Value> = records.iter().filter(|r| r["type"] == "game").map(|r| &r["game"]).collect();
    assert_eq!(games, [&json!(1), &json!(2), &json!(3), &json!(4), &json!(5)]);
}

#[test]
fn bad_moves_are_reported_and_end_their_line() {
    let text = "[Event \"a\"]\n1. c3-d4 d6-c5 2. a1-b2 d4:b6 (2. a3-b4) 1-1\n\n1. c3-d4 *";
    let (_, stderr, code) = run(&["from-pdn"], text);
    let said = "boardbus from-pdn: standard input:2: game 1, ply 3: `a1-b2` is not legal; it and what follows is \
                left out\nboardbus from-pdn: 1 bad part skipped\n";
    assert_eq!((stderr.as_str(), code), (said, 4));
    let records = records(&[], text);
    assert_eq!(moves(&records), "c3-d4 d6-c5 1/2-1/2 c3-d4 *");
    let anomaly = json!({
        "type": "anomaly", "game": 1, "ply": 2, "kind": "illegal", "detail": "`a1-b2` is not legal",
        "unread": "d4:b6 (a3-b4)", "source": "standard input:2"
    });
    assert_eq!(records[3], anomaly);
}

#[test]
fn positions_inside_a_game_begin_their_own_game() {
    let text = "[White \"w\"]\n/FEN \"W:Wc3:Bh8\"/ 1. c3-b4 /FEN \"B:Wa5:Bh8,g3\"/ 1... g3-h2 0-1";
    let records = records(&[], text);
    assert_eq!(records[0]["fen"], "W:Wc3:Bh8");
    assert_eq!(records[3]["fen"], "B:Wa5:Bh8,g3");
    assert_eq!(records[3]["tags"], json!({"White": "w"}));
    assert_eq!(moves(&records), "c3-b4 * g3-h2 0-1");
    assert_eq!(records[2]["reason"], "new-game");
}

#[test]
fn other_draughts_are_left_out() {
    let text = "[GameType \"20\"]\n1. 32-28 19-23 2-0\n[GameType \"25\"]\n1. c3-d4 *";
    let (_, stderr, code) = run(&["from-pdn"], text);
    assert!(stderr.contains("game 1: GameType 20 is not Russian draughts (25); it is left out"), "{stderr}");
    assert_eq!((moves(&records(&[], text)).as_str(), code), ("c3-d4 *", 4));
}

#[test]
fn claimable_draws_are_reported_and_the_game_continues() {
    let round = "b8-a7 g1-h2 a7-b8 h2-g1 ";
    let text = format!("[FEN \"W:WKb8,a3:BKg1,h6\"]\n{} *", round.repeat(3));
    let claims: Vec<Value> = records(&[], text).into_iter().map(|record| record["claim"].clone()).collect();
    assert_eq!(claims.iter().position(|claim| *claim == "threefold"), Some(8));
    assert_eq!(claims.len(), 14);
}

#[test]
fn variations_too_deep_for_json_are_reported_and_quoted() {
    let game = |depth: usize| {
        let open = "(c3-b4 ".repeat(depth);
        format!("[White \"W\"]\n[Black \"B\"]\n[Round \"2\"]\n1. c3-d4 {open}{} d6-c5 *\n", ")".repeat(depth))
    };
    let (output, stderr, code) = run(&["from-pdn"], game(40));
    assert_eq!((stderr.as_str(), code), ("", 0));
    let written = program::output_of(&["to-pdn"], output);
    assert_eq!(written.matches("c3-b4").count(), 40);
    let (output, stderr, code) = run(&["from-pdn"], game(42));
    assert_eq!(code, 4);
    assert!(
        stderr.starts_with(
            "boardbus from-pdn: standard input:4: game 1, W - B, round 2: variations nest too deep"
        ),
        "{stderr}"
    );
    let records = program::records(output);
    let anomaly = records.iter().find(|record| record["type"] == "anomaly").unwrap();
    assert_eq!(anomaly["detail"], "in a variation, variations nest too deep");
    assert_eq!(
        (&anomaly["unread"], &anomaly["source"]),
        (&json!("c3-b4 (c3-b4)"), &json!("standard input:4"))
    );
    assert_eq!(moves(&records), "c3-d4 d6-c5 *");
}

#[test]
fn unreadable_variations_are_quoted_and_unclosed_ones_kept() {
    let (output, stderr, code) = run(&["from-pdn"], "1. c3-d4 (1. a1-b2 d6-c5 {x}) (1. c3-b4 d6-c5 *\n");
    assert_eq!(code, 4);
    assert!(stderr.contains("game 1: a variation is not closed"), "{stderr}");
    let records = program::records(output);
    assert_eq!(records[1]["variations"][0][1]["notation"], "d6-c5");
    assert_eq!(records[2]["detail"], "in a variation, `a1-b2` is not legal");
    assert_eq!((&records[2]["unread"], &records[2]["ply"]), (&json!("d6-c5 {x}"), &json!(1)));
}

#[test]
fn cr_line_ends_and_control_characters_are_accepted() {
    let text = "[White \"a\u{1b}[2J\u{9b}b\"]\r% c\r1. c3-d4 {x\u{7}y} d6-c5 ; 1-0\r2. b2-c3 *\r";
    let records = records(&[], text);
    assert_eq!(moves(&records), "c3-d4 d6-c5 b2-c3 *");
    assert_eq!(records[0]["tags"]["White"], "a [2J b");
    assert_eq!(records[1]["comment"], "x y");
}
