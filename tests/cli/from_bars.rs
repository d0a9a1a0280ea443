//! `boardbus from-bars`.

use super::program::{records, run};

/// What was read: the moves of each game; and what was said, with the exit code.
fn read(args: &[&str], input: &str) -> (Vec<String>, String, i32) {
    let (output, stderr, code) = run(&[&["from-bars"], args].concat(), input);
    let mut games: Vec<String> = Vec::new();
    for record in records(output) {
        match record["type"].as_str().unwrap() {
            "game" => games.push(String::new()),
            "move" => {
                let game = games.last_mut().unwrap();
                let space = if game.is_empty() { "" } else { " " };
                game.push_str(&format!("{space}{}", record["notation"].as_str().unwrap()));
            }
            "takeback" => games.last_mut().unwrap().push_str(&format!(" <{}>", record["ply"])),
            _ => {}
        }
    }
    let said = stderr.lines().map(|line| line.trim_start_matches("boardbus from-bars: standard input:"));
    (games, said.collect::<Vec<_>>().join("\n"), code)
}

/// White kings f6 and e5, black men b6, b4, d4, a3, g3.
const FORK: &str = "[[9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9],[9,2,9,0,9,11,9,0],[0,9,0,9,11,9,0,9],\
                    [9,2,9,2,9,0,9,0],[2,9,0,9,0,9,2,9],[9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9]]";

#[test]
fn lists_tuples_moves_and_padded_numbers_are_read() {
    let demo = "g3-f4 d6-e5 f4:d6";
    for text in [
        "[[156,145],[223,234],[145,10234,123]]",
        "([156,145],[223,234],[145,10234,123])",
        "go = [(156, 145), (223, 234), (145, 10234, 123)]  # as Python prints it",
        "[[00156,00145],[\"00223\",'00234'],[0000145,10234,123]]",
        "[156, 145]\n\n[223, 234]\n[145, 10234, 123]\n",
        "{\"go\": [[156, 145],\n  [223, 234],\n  [145, 10234, 123]]}",
    ] {
        assert_eq!(read(&[], text), (vec![demo.to_owned()], String::new(), 0), "{text}");
    }
}

#[test]
fn matrices_give_positions_and_first_numbers_the_turn() {
    let path = "[[1134,10243,1152,10241,1130,10221,1112,10256,1167]]";
    for text in [
        format!("{{\"area_monitor\":{FORK},\"go\":{path}}}"),
        format!("area_monitor = {FORK}\ngo = {path}"),
        format!("function({FORK}, {path})"),
        format!("[[{FORK},{path}]]"),
        format!("{FORK}\n{path}"),
    ] {
        assert_eq!(read(&[], &text), (vec!["e5:c3:a5:c7:h2".to_owned()], String::new(), 0), "{text}");
    }
    let black = format!("{{\"area_monitor\":{FORK},\"go\":[[230,10241,252]]}}");
    let (_, said, code) = read(&[], &black);
    assert_eq!(code, 4);
    assert!(
        said.starts_with("1: game 1, move 1, number 1: a5 is empty; it and what follows is left out"),
        "{said}"
    );
}

#[test]
fn faults_have_their_game_move_and_number() {
    let said = |go: &str| {
        let (_, said, code) = read(&[], go);
        assert_eq!(code, 4, "{go}");
        let first = said.lines().next().unwrap().to_owned();
        let first = first.strip_prefix("1: game 1, ").unwrap().to_owned();
        first.strip_suffix("; it and what follows is left out").unwrap().to_owned()
    };
    let second = |numbers: &str| said(&format!("[[156,145],[{numbers}]]"));
    assert_eq!(second("223"), "move 2, 1 numbers: a move has two, a capture an odd count from three");
    assert_eq!(second("223,234,245,256").split(':').next(), Some("move 2, 4 numbers"));
    assert_eq!(second("223,999999"), "move 2, number 2: `999999` has more than five digits");
    assert_eq!(
        second("223,20234"),
        "move 2, number 2: `20234` begins with neither 0 (mover) nor 1 (captured)"
    );
    assert_eq!(
        second("2223,234"),
        "move 2, number 1: `2223` has neither 0 (man) nor 1 (king) for its second digit of five"
    );
    assert_eq!(
        second("323,234"),
        "move 2, number 1: `323` has neither 1 (white) nor 2 (black) for its third digit of five"
    );
    assert_eq!(second("223,288"), "move 2, number 2: `288` names a square off the board");
    assert_eq!(second("223,233"), "move 2, number 2: `233` names a light square");
    assert_eq!(second("223,x"), "move 2, number 2: `x` is no number");
    assert_eq!(second("10223,234"), "move 2, number 1: 10223 is not the mover");
    assert_eq!(second("223,234,245"), "move 2, number 2: 234 is not a captured piece, which begins with 1");
    assert_eq!(second("234,243"), "move 2, number 1: e5 is empty");
    assert_eq!(second("123,234"), "move 2, number 1: 123 is a white man on d6, where a black man is");
    assert_eq!(second("152,143"), "move 2, number 1: it is black's turn");
    assert_eq!(second("223,1234"), "move 2, number 2: 1234 is a black king on e5, where a black man is");
    assert_eq!(second("223,10214,205"), "move 2, number 2: black's own piece on e7 is captured");
    assert_eq!(second("223,10145,234"), "move 2, number 3: f4 does not lie between d6 and e5");
    assert_eq!(second("223,243"), "move 2, `d6:d4` is not legal");
}

#[test]
fn captures_are_mandatory_to_their_end() {
    let demo = "[156,145],[223,234]";
    let (games, said, code) = read(&[], &format!("[{demo},[152,141]]"));
    assert_eq!((games[0].as_str(), code), ("g3-f4 d6-e5", 4));
    assert!(said.contains("move 3, `c3:b4` is not legal: a capture is compulsory (f4:d6)"), "{said}");
    let rest = "[145,10234,123],[214,10123,232],[152,141],[205,214],[141,10232,123]";
    let (_, said, _) = read(&[], &format!("[{demo},{rest}]"));
    assert!(said.contains("move 7, `b4:d6` is not legal: the capture goes on (b4:d6:f8)"), "{said}");
}

#[test]
fn a_piece_cannot_be_captured_twice() {
    // A white king on d4 between black men cannot jump back over e5.
    let matrix = "[[9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9],[9,0,9,0,9,0,9,0],[0,9,0,9,2,9,0,9],\
                  [9,0,9,11,9,0,9,0],[0,9,0,9,0,9,0,9],[9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9]]";
    let go = "[[1143,10234,1125,10234,1143]]";
    let (_, said, code) = read(&[], &format!("{{\"area_monitor\":{matrix},\"go\":{go}}}"));
    assert!(said.contains("number 4: the piece on e5 is captured twice"), "{said}");
    assert_eq!(code, 4);
}

#[test]
fn lenient_corrects_wrong_colours_and_ranks_with_a_report() {
    let go = "[[256,145],[1223,234],[145,11134,123]]";
    let (games, said, code) = read(&["--lenient"], go);
    assert_eq!((games[0].as_str(), code), ("g3-f4 d6-e5 f4:d6", 0));
    let notes = "1: game 1, move 1, number 1: 256 is a black man on g3, mended to a white man\n\
                 1: game 1, move 2, number 1: 1223 is a black king on d6, mended to a black man\n\
                 1: game 1, move 3, number 2: 11134 is a white king on e5, mended to a black man";
    assert_eq!(said, notes);
    // A man on the last rank is a king, and strict reading wants it said.
    let crowned = "{\"area_monitor\":[[9,0,9,0,9,0,9,0],[0,9,1,9,0,9,0,9],[9,0,9,0,9,0,9,2],[0,9,0,9,0,9,0,9],\
                   [9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9],[9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9]],\"go\":[[112,101]]}";
    let (games, said, code) = read(&["--lenient"], crowned);
    assert_eq!((games[0].as_str(), code), ("c7-b8", 0), "{said}");
    let (_, said, code) = read(&[], crowned);
    assert!(said.contains("number 2: 101 is a white man on b8, where a white king is"), "{said}");
    assert_eq!(code, 4);
    assert_eq!(read(&["--lenient"], "[[156,10145]]").2, 4, "other digits are not mended");
}

#[test]
fn a_bad_matrix_is_named_by_its_cell() {
    let with = |from: &str, to: &str| {
        let matrix = FORK.replacen(from, to, 1);
        let (_, said, code) = read(&[], &format!("{{\"area_monitor\":{matrix},\"go\":[]}}"));
        assert_eq!(code, 4);
        said.lines().next().unwrap().to_owned()
    };
    assert_eq!(with("[[9", "[[3"), "1: area_monitor[0][0] is `3`, not 0, 1, 2, 9, 11 or 12");
    assert_eq!(
        with("[[9", "[[0"),
        "1: game 1, area_monitor: [0][0] is 0 on a light square, which is always 9"
    );
    assert_eq!(
        with("[[9,0", "[[9,9"),
        "1: game 1, area_monitor: [0][1] is 9 on a dark square, which is never 9"
    );
    assert_eq!(
        with("[[9,0", "[[9,1"),
        "1: game 1, area_monitor: a white man cannot stand on b8: it would be a king there"
    );
    assert_eq!(with("[[9,0,", "[[9,"), "1: area_monitor is not eight rows of eight numbers");
}

#[test]
fn one_bad_line_costs_no_other() {
    let good = "{\"go\":[[156,145]]}";
    let text = format!("{good}\n{{\"go\":[[156,\n{good}\nhello\n{good}\n]\n{good}\n");
    let (games, said, code) = read(&[], &text);
    assert_eq!(games, vec!["g3-f4"; 4]);
    assert_eq!(
        said,
        "3: `{\"go\":[[156,`: a bracket is not closed\n4: `hello`: this is not BARS\n\
         6: `]`: `]` is out of place\nboardbus from-bars: 3 bad parts skipped"
    );
    assert_eq!(code, 4);
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(read(&[], &deep).1.contains("lists in lists without end"));
}

#[test]
fn a_list_that_is_not_closed_costs_no_other() {
    let good = "[[156,145]]";
    let start = "[[9,2,9,2,9,2,9,2],[2,9,2,9,2,9,2,9],[9,2,9,2,9,2,9,2],[0,9,0,9,0,9,0,9],\
                 [9,0,9,0,9,0,9,0],[1,9,1,9,1,9,1,9],[9,1,9,1,9,1,9,1],[1,9,1,9,1,9,1,9]]";
    // Unclosed in each of the shapes that a game, a move, a matrix and an array of objects have.
    for (bad, whole) in [
        ("[[156,145],[223,234]\n", good.to_owned()),
        ("[[156,145],[223,\n", good.to_owned()),
        ("[156,\n", good.to_owned()),
        ("[\n  [156,145],\n  [223,234]\n", "[\n  [156,145]\n]".into()),
        ("[[156,145],[223,234]  ", good.to_owned()),
        ("game_1 = [[156,145]\n", format!("game_2 = {good}")),
        ("[[156,145],\n", format!("{{\"go\":{good}}}")),
        ("[[156,145],\n", format!("area_monitor = {start}\ngo = {good}")),
    ] {
        let text = format!("{good}\n{bad}{whole}\n{whole}\n");
        let (games, said, code) = read(&[], &text);
        let alone = read(&[], &format!("{good}\n{whole}\n{whole}\n"));
        assert_eq!((games, code), (alone.0, 4), "{text}\n{said}");
        assert_eq!((alone.2, said.matches("a bracket is not closed").count()), (0, 1), "{text}\n{said}");
    }
    // Of an array of objects those that are whole.
    let array = "[\n  {\"go\":[[156,145]]},\n  {\"go\":[[156,\n  {\"go\":[[156,145]]}\n]\n";
    let (games, said, code) = read(&[], array);
    assert_eq!((games.as_slice(), code), (&["g3-f4".to_owned()][..], 4), "{said}");
}

#[test]
fn single_moves_make_one_game_with_withdrawals() {
    let begin = "{\"type\":\"game\",\"game\":1,\"rules\":\"russian\",\"fen\":\"W:W21-32:B1-12\"}\n";
    let ply = |ply: u32, text: &str| {
        format!("{{\"type\":\"move\",\"game\":1,\"ply\":{ply},\"notation\":\"{text}\"}}\n")
    };
    let records = [
        begin.to_owned(),
        ply(1, "g3-f4"),
        ply(2, "d6-e5"),
        ply(3, "f4:d6"),
        "{\"type\":\"takeback\",\"game\":1,\"ply\":1}\n".into(),
        ply(2, "f6-g5"),
        ply(3, "f4-e5"),
        begin.replace("\"game\":1", "\"game\":2"),
    ]
    .concat();
    let (bars, _, _) = run(&["to-bars", "--moves"], records);
    let (games, said, code) = read(&[], &(bars.clone() + &bars));
    let game = "g3-f4 d6-e5 <1> f6-g5 f4-e5".to_owned();
    assert_eq!((games, said.as_str(), code), (vec![game.clone(), game], "", 0));
}

#[test]
fn who_cannot_move_has_lost() {
    // White h4 and a3 are shut in after Black's e7-f6.
    let matrix = "[[9,0,9,0,9,0,9,0],[0,9,0,9,2,9,0,9],[9,0,9,0,9,0,9,0],[0,9,2,9,0,9,2,9],\
                  [9,2,9,0,9,0,9,1],[1,9,0,9,0,9,0,9],[9,0,9,0,9,0,9,0],[0,9,0,9,0,9,0,9]]";
    let (records, _, _) = run(&["from-bars"], format!("{{\"area_monitor\":{matrix},\"go\":[[214,225]]}}"));
    let end = records.lines().last().unwrap();
    assert_eq!(end, r#"{"type":"end","game":1,"result":"0-1","reason":"no-moves"}"#);
}

#[test]
fn unclosed_brackets_cost_linear_time() {
    // A megabyte of them on one line, of which each was compared with all others, or moved along with all that follow.
    for (bracket, parts) in [("[", 1), ("{\"a\":", 200_000), ("[[156, 145], ", 80_000)] {
        let (games, said, code) = read(&[], &format!("{}\n", bracket.repeat((1 << 20) / bracket.len())));
        assert!(games.is_empty() && said.contains("a bracket is not closed"), "{said}");
        let counted = said.lines().last().and_then(|line| line.split(' ').find_map(|word| word.parse().ok()));
        assert!(counted >= Some(parts), "{said}");
        assert_eq!(code, 4);
    }
}
