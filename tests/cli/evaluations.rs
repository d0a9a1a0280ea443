//! Evaluations in PGN, `[%eval …]`: read, written, and moves judged by them.

use serde_json::{Value, json};

use super::program::{movetext, of, output_of, records};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// As Lichess exports a game.
const LICHESS: &str = "1. e4 { [%eval 0.2] [%clk 0:05:00] } 1... g5 { [%eval 1.85] } 2. d4 { [%eval 1.5] good } 2... f6 \
    { [%eval #1] } 3. a3 { [%eval 0.0] } ( 3. b3 { [%eval 9.9] } ) 3... e6 { [%eval -0.31,12] } *\n";

fn rewrite(args: &[&str], pgn: &str) -> String {
    output_of(&[&["to-pgn"], args].concat(), output_of(&["from-pgn"], pgn))
}

#[test]
fn evaluations_of_files_follow_their_moves() {
    let all = records(output_of(&["from-pgn"], LICHESS));
    let found: Vec<&Value> = of(&all, "evaluation");
    let expected = [
        json!({ "type": "evaluation", "game": 1, "ply": 1, "cp": 20 }),
        json!({ "type": "evaluation", "game": 1, "ply": 2, "cp": 185 }),
        json!({ "type": "evaluation", "game": 1, "ply": 3, "cp": 150 }),
        json!({ "type": "evaluation", "game": 1, "ply": 4, "mate": 1 }),
        json!({ "type": "evaluation", "game": 1, "ply": 5, "cp": 0 }),
        json!({ "type": "evaluation", "game": 1, "ply": 6, "cp": -31, "depth": 12 }),
    ];
    assert_eq!(found, expected.iter().collect::<Vec<_>>());
    let kinds: Vec<&str> = all.iter().filter_map(|record| record["type"].as_str()).collect();
    assert_eq!(kinds[1..6], ["game", "move", "evaluation", "move", "evaluation"]);
    let moves = of(&all, "move");
    assert_eq!((&moves[0]["seconds"], &moves[0]["comment"]), (&json!(300), &Value::Null));
    assert_eq!(moves[2]["comment"], "good");
}

#[test]
fn evaluations_of_files_are_written_as_they_were_read() {
    let expected = "1. e4 {[%eval 0.2] [%clk 0:05:00]} 1... g5 {[%eval 1.85]} 2. d4 {[%eval 1.5]\n\
        good} 2... f6 {[%eval #1]} 3. a3 {[%eval 0.0]} (3. b3 {[%eval 9.9]}) 3... e6\n\
        {[%eval -0.31,12]} *";
    let first = rewrite(&[], LICHESS);
    assert_eq!(movetext(&first), expected);
    assert_eq!(rewrite(&[], &first), first);
    // What stands before a move is of no move, and behind the one before it it would be that one's.
    let before = rewrite(&[], "1. e4 { a } e5 2. { [%eval 0.3] } Nf3 *");
    assert_eq!(movetext(&before), "1. e4 {a} 1... e5 {[ %eval 0.3]} 2. Nf3 *");
}

#[test]
fn moves_that_lost_much_are_judged_once() {
    // By python Black's chances fall by 0.29 and 0.73, White's by 1; what was better is not known, for files have no lines.
    let judged = rewrite(&["--judge"], LICHESS);
    assert_eq!(
        movetext(&judged).replace('\n', " "),
        "1. e4 {[%eval 0.2] [%clk 0:05:00]} 1... g5 $2 {[%eval 1.85] Mistake (0.20 to 1.85).} 2. d4 {[%eval 1.5] good} \
         2... f6 $4 {[%eval #1] Blunder (1.50 to #1).} 3. a3 $4 {[%eval 0.0] Blunder (#1 to 0.00).} \
         (3. b3 {[%eval 9.9]}) 3... e6 {[%eval -0.31,12]} *"
    );
    assert_eq!(rewrite(&["--judge"], &judged), judged, "what is judged already is left alone");
}

fn of_board(what: &str) -> String {
    format!("{{\"time\":\"2026-11-21T10:00:07.412Z\",\"board\":9,\"game\":1,{what}}}\n")
}

/// 1. e4 a6, which the engine thinks little of, on a board.
fn played() -> String {
    let mv = |ply, san, fen| of_board(&format!(r#""type":"move","ply":{ply},"san":"{san}","fen":"{fen}""#));
    [
        of_board(&format!(r#""type":"game","rules":"chess","fen":"{START}""#)),
        mv(1, "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        of_board(r#""type":"evaluation","ply":1,"cp":20,"depth":18,"pv":["e7e5","g1f3"],"engine":"x""#),
        mv(2, "a6", "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        of_board(r#""type":"evaluation","ply":2,"cp":140,"depth":18,"pv":["d2d4"],"engine":"x""#),
    ]
    .concat()
}

#[test]
fn evaluations_of_boards_are_written_after_the_game() {
    let end = of_board(r#""type":"end","result":"1-0","reason":"kings""#);
    assert_eq!(movetext(&output_of(&["to-pgn", "--judge"], played())), "1. e4 a6 *");
    assert_eq!(
        movetext(&output_of(&["to-pgn", "--judge"], played() + &end)).replace('\n', " "),
        "1. e4 {[%eval 0.2]} 1... a6 $2 {[%eval 1.4] Mistake (0.20 to 1.40). e5 was best.} 1-0"
    );
}

#[test]
fn bounds_are_not_written_as_exact_scores() {
    let bound = of_board(r#""type":"evaluation","ply":2,"cp":140,"bound":"lower","depth":18"#);
    let end = of_board(r#""type":"end","result":"1-0","reason":"kings""#);
    assert_eq!(
        movetext(&output_of(&["to-pgn"], [played(), bound, end].concat())),
        "1. e4 {[%eval 0.2]} 1... a6 1-0"
    );
}

#[test]
fn withdrawn_moves_withdraw_evaluations_also_with_a_delay() {
    let end = of_board(r#""type":"end","result":"*","reason":"kings""#);
    let back = of_board(r#""type":"takeback","ply":1"#);
    let b6 = of_board(r#""type":"move","ply":2,"san":"b6","fen":"x""#);
    let replaced = [played(), back, b6, end.clone()].concat();
    assert_eq!(movetext(&output_of(&["to-pgn"], replaced)), "1. e4 {[%eval 0.2]} 1... b6 *");
    // An evaluation that comes behind the end withdraws it not.
    let late = of_board(r#""type":"evaluation","ply":2,"mate":-7"#);
    let text = output_of(&["to-pgn"], [played(), end, late].concat());
    assert_eq!(movetext(&text), "1. e4 {[%eval 0.2]} 1... a6 {[%eval #-7]} *");
    let delayed = super::program::run(&["to-pgn", "--delay", "1000000h"], played());
    assert!(!delayed.0.contains("eval"), "{}", delayed.0);
}
