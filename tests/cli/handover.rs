//! `boardbus reconstruct --continue`: a game that goes on on another board.

use super::program::{of, records, run};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";

/// What boards say.
#[derive(Default)]
struct Hall(Vec<String>);

impl Hall {
    fn says(&mut self, board: u16, what: &str) {
        self.0.push(format!("{{\"board\":{board},{what}}}"));
    }

    fn position(&mut self, board: u16, placement: &str) {
        self.says(board, &format!(r#""type":"position","placement":"{placement}""#));
    }

    fn change(&mut self, board: u16, square: &str, piece: &str) {
        let piece = if piece.is_empty() { "null".to_owned() } else { format!("\"{piece}\"") };
        self.says(board, &format!(r#""type":"change","square":"{square}","piece":{piece}"#));
    }

    fn play(&mut self, board: u16, from: &str, to: &str, piece: &str, side: &str) {
        self.change(board, from, "");
        self.change(board, to, piece);
        self.says(board, &format!(r#""type":"press","side":"{side}","seconds":90"#));
        self.says(board, r#""type":"quiet""#);
    }

    /// The pieces of a placement, one by one, put onto the board or taken off it.
    fn each(&mut self, board: u16, stood: &str, takes_off: bool) {
        for (rank, row) in (1..=8).rev().zip(stood.split('/')) {
            let mut file = b'a';
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(empty) => file += empty as u8,
                    None => {
                        let piece = if takes_off { String::new() } else { c.to_string() };
                        self.change(board, &format!("{}{rank}", file as char), &piece);
                        file += 1;
                    }
                }
            }
        }
        self.says(board, r#""type":"quiet""#);
    }

    /// A board is brought with its pieces in the box, and these are set up as they stood.
    fn set_up(&mut self, board: u16, stood: &str) {
        self.position(board, "8/8/8/8/8/8/8/8");
        self.each(board, stood, false);
    }

    /// 1. e4 e5 on this board, then it is gone, and 2. Nf3 Nc6 on the spare.
    fn moved_to_the_spare() -> Hall {
        let mut hall = Hall::default();
        hall.position(3540, START);
        hall.play(3540, "e2", "e4", "P", "left");
        hall.play(3540, "e7", "e5", "p", "right");
        hall.says(3540, r#""type":"lost","reason":"timeout""#);
        hall.set_up(8044, E4_E5);
        hall.play(8044, "g1", "f3", "N", "left");
        hall.play(8044, "b8", "c6", "n", "right");
        hall
    }

    /// The moves that are told, all of one game of the first board, and what is said.
    fn told(&self, continued: &[&str]) -> (Vec<String>, String) {
        let options = continued.iter().flat_map(|&pair| ["--continue", pair]);
        let args: Vec<&str> = std::iter::once("reconstruct").chain(options).collect();
        let (out, err, code) = run(&args, self.0.join("\n") + "\n");
        assert_eq!(code, 0);
        let told = records(&out);
        assert!(told.iter().all(|record| record["board"] == 3540), "{out}");
        assert_eq!(of(&told, "game").len(), 1, "{out}");
        let moves = of(&told, "move");
        (moves.into_iter().map(|ply| ply["san"].as_str().unwrap().to_owned()).collect(), err)
    }
}

#[test]
fn pain_9_games_continue_on_the_replacing_board() {
    let mut hall = Hall::moved_to_the_spare();
    let (moves, said) = hall.told(&["3540=8044"]);
    assert_eq!((moves.join(" ").as_str(), said.as_str()), ("e4 e5 Nf3 Nc6", ""));
    // The spare breaks too: a third board, which stands the wrong way round, takes its place.
    hall.set_up(77, "R1BKQBNR/PPP1PPPP/2N5/3P4/3p4/5n2/ppp1pppp/rnbkqb1r");
    // Bc4 and Nf6, as a board says them that is turned by half.
    hall.play(77, "c8", "f5", "B", "left");
    hall.play(77, "b1", "c3", "n", "right");
    let (moves, said) = hall.told(&["3540=8044", "8044=77"]);
    assert_eq!((moves.join(" ").as_str(), said.as_str()), ("e4 e5 Nf3 Nc6 Bc4 Nf6", ""));
}

#[test]
fn replacing_boards_without_the_position_are_reported() {
    let input = Hall::moved_to_the_spare().0.join("\n") + "\n";
    let (_, said, code) = run(&["reconstruct", "--continue", "3540=1111"], input);
    assert_eq!(code, 0);
    assert!(said.contains("board 1111 never stood as board 3540 did in its game"), "{said}");
}

#[test]
fn pain_9_moved_games_come_back_to_their_board() {
    let stands = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    for turned in [false, true] {
        let mut hall = Hall::moved_to_the_spare();
        hall.says(3540, r#""type":"found""#);
        hall.position(3540, E4_E5);
        hall.each(3540, E4_E5, true);
        // What still stands there, or is put up on the way, is not the game: only what stands as the spare does is.
        let (moves, said) = hall.told(&["3540=8044", "8044=3540"]);
        assert_eq!(moves.join(" "), "e4 e5 Nf3 Nc6");
        assert!(said.contains("board 3540 never stood as board 8044 did in its game"), "{said}");
        if turned {
            let placement: String = stands.chars().rev().collect();
            hall.each(3540, &placement, false);
            hall.play(3540, "c8", "f5", "B", "left");
            hall.play(3540, "b1", "c3", "n", "right");
        } else {
            hall.each(3540, stands, false);
            hall.play(3540, "f1", "c4", "B", "left");
            hall.play(3540, "g8", "f6", "n", "right");
        }
        // What becomes of the spare is nobody's game.
        hall.each(8044, stands, true);
        let (moves, said) = hall.told(&["3540=8044", "8044=3540"]);
        assert_eq!((moves.join(" ").as_str(), said.as_str()), ("e4 e5 Nf3 Nc6 Bc4 Nf6", ""), "{turned}");
    }
}

#[test]
fn touches_on_the_left_board_do_not_return_games() {
    let mut hall = Hall::moved_to_the_spare();
    // Both players go back to where they moved, and the old board still stands so.
    hall.change(8044, "c6", "");
    hall.change(8044, "b8", "n");
    hall.change(8044, "f3", "");
    hall.change(8044, "g1", "N");
    hall.says(8044, r#""type":"quiet""#);
    hall.position(3540, E4_E5);
    hall.play(8044, "f1", "c4", "B", "left");
    hall.play(8044, "g8", "f6", "n", "right");
    let (moves, _) = hall.told(&["3540=8044", "8044=3540"]);
    assert_eq!(&moves[moves.len() - 2..], ["Bc4", "Nf6"]);
}

#[test]
fn new_games_on_replaced_boards_are_reported() {
    let mut hall = Hall::moved_to_the_spare();
    hall.each(3540, E4_E5, true);
    hall.each(3540, START, false);
    // A piece that is put right is no game.
    hall.change(3540, "d2", "");
    hall.change(3540, "d2", "P");
    assert_eq!(hall.told(&["3540=8044"]).1, "");
    hall.play(3540, "d2", "d4", "P", "left");
    let (moves, said) = hall.told(&["3540=8044"]);
    assert_eq!(moves.join(" "), "e4 e5 Nf3 Nc6");
    assert!(
        said.contains(
            "pieces were moved on board 3540 from a start position after board 8044 took its place"
        ),
        "{said}"
    );
}

#[test]
fn pieces_moved_to_spare_boards_make_no_game() {
    let at = |seconds: u32, what: &str| {
        format!(r#"{what},"time":"2026-11-21T10:{:02}:{:02}Z""#, seconds / 60, seconds % 60)
    };
    let mut hall = Hall::default();
    for board in [3540, 8044] {
        hall.says(board, &at(0, &format!(r#""type":"position","placement":"{START}""#)));
    }
    let mut play = |board, moves: &[(&str, &str, &str)], from: u32, clock: bool| {
        for (n, (left, to, piece)) in (0..).zip(moves) {
            let (now, side) = (from + 10 * n, ["left", "right"][n as usize % 2]);
            hall.says(board, &at(now, &format!(r#""type":"change","square":"{left}","piece":null"#)));
            hall.says(board, &at(now, &format!(r#""type":"change","square":"{to}","piece":"{piece}""#)));
            if clock {
                hall.says(board, &at(now, &format!(r#""type":"press","side":"{side}","seconds":90"#)));
            }
            hall.says(board, &at(now + 4, r#""type":"quiet""#));
        }
        if board == 3540 {
            hall.says(3540, &at(60, r#""type":"lost","reason":"timeout""#));
        }
    };
    let begun = [("e2", "e4", "P"), ("e7", "e5", "p"), ("g1", "f3", "N"), ("b8", "c6", "n")];
    play(3540, &begun, 10, true);
    // In the order of the game, by chance.
    play(8044, &begun, 100, false);
    play(8044, &[("f1", "c4", "B"), ("g8", "f6", "n")], 200, true);
    let input = hall.0.join("\n") + "\n";
    for args in [&["--final"][..], &[]] {
        let is_final = !args.is_empty();
        let args = [&["reconstruct", "--continue", "3540=8044"], args].concat();
        let (out, said, code) = run(&args, input.clone());
        assert_eq!((said.as_str(), code), ("", 0));
        let told = records(&out);
        // A move is told again when it is surer.
        let moves = of(&told, "move").into_iter().filter(|ply| ply["board"] == 3540);
        let moves = moves.map(|ply| (ply["ply"].as_u64(), ply["san"].as_str().unwrap()));
        let moves: Vec<&str> = moves.collect::<std::collections::BTreeMap<_, _>>().into_values().collect();
        assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6"]);
        let of_spare = told.iter().filter(|record| record["board"] == 8044 && record["type"] != "move");
        let kinds: Vec<&str> = of_spare.map(|record| record["type"].as_str().unwrap()).collect();
        let taken_back: &[&str] = if is_final { &[] } else { &["game", "takeback", "end"] };
        assert_eq!(kinds, taken_back, "{out}");
    }
}

/// After 1. d4 d5 2. c4, and after 1. e4 e5 2. Nf3.
const QUEENS: &str = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR";
const KINGS: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

/// Boards 1 and 2.
struct Two(Hall);

impl Two {
    fn begun() -> Two {
        let mut hall = Hall::default();
        for board in [1, 2] {
            hall.position(board, START);
        }
        hall.play(1, "e2", "e4", "P", "left");
        hall.play(1, "e7", "e5", "p", "right");
        hall.play(1, "g1", "f3", "N", "left");
        hall.play(2, "d2", "d4", "P", "left");
        hall.play(2, "d7", "d5", "p", "right");
        hall.play(2, "c2", "c4", "P", "left");
        Two(hall)
    }

    fn lost(&mut self) {
        for board in [1, 2] {
            self.0.says(board, r#""type":"lost","reason":"timeout""#);
        }
    }

    /// A board is back, and stands so.
    fn back(&mut self, board: u16, placement: &str) {
        self.0.says(board, r#""type":"found""#);
        self.0.position(board, placement);
    }

    fn told(&self, args: &[&str]) -> ([String; 2], String) {
        let args = [&["reconstruct"], args].concat();
        let (out, err, code) = run(&args, self.0.0.join("\n") + "\n");
        assert_eq!(code, 0);
        let told = records(&out);
        assert!(of(&told, "takeback").is_empty() && of(&told, "anomaly").is_empty(), "{out}");
        let moves = [1, 2].map(|board| {
            let of_board = of(&told, "move").into_iter().filter(|ply| ply["board"] == board);
            let words: Vec<&str> = of_board.map(|ply| ply["san"].as_str().unwrap()).collect();
            words.join(" ")
        });
        (moves, err)
    }
}

const BOTH: [&str; 4] = ["--continue", "1=2", "--continue", "2=1"];
const EXCHANGED: &str = "boards 2 and 1 were exchanged for each other in the midst of their games";

#[test]
fn pain_9_exchanged_boards_continue_each_others_games() {
    let turned = |placement: &str| placement.chars().rev().collect::<String>();
    for (args, is_turned) in [(&BOTH[..], false), (&[], false), (&BOTH, true), (&[], true)] {
        let mut two = Two::begun();
        two.lost();
        two.back(2, &if is_turned { turned(KINGS) } else { KINGS.to_owned() });
        // What it says before the other is back is not told of the wrong game either.
        if is_turned {
            two.0.play(2, "g1", "f3", "n", "right");
        } else {
            two.0.play(2, "b8", "c6", "n", "right");
        }
        two.back(1, QUEENS);
        two.0.play(1, "c7", "c6", "p", "right");
        let (moves, said) = two.told(args);
        assert_eq!(moves, ["e4 e5 Nf3 Nc6", "d4 d5 c4 c6"], "{args:?}");
        assert_eq!(said.contains(EXCHANGED), args.is_empty(), "{said}");
        if is_turned {
            continue;
        }
        // They are put back in their places.
        two.lost();
        two.back(1, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R");
        two.back(2, "rnbqkbnr/pp2pppp/2p5/3p4/2PP4/8/PP2PPPP/RNBQKBNR");
        two.0.play(1, "f1", "c4", "B", "left");
        two.0.play(2, "b1", "c3", "N", "left");
        let (moves, _) = two.told(&[]);
        assert_eq!(moves, ["e4 e5 Nf3 Nc6 Bc4", "d4 d5 c4 c6 Nc3"]);
    }
}

#[test]
fn a_returning_board_with_another_position_was_not_exchanged() {
    // 1. e4 e5 2. Nf3 on the first; on the second 1. e4 e5, and 2. Nf3 while it is lost.
    let mut hall = Hall::default();
    for board in [1, 2] {
        hall.position(board, START);
        hall.play(board, "e2", "e4", "P", "left");
        hall.play(board, "e7", "e5", "p", "right");
    }
    hall.play(1, "g1", "f3", "N", "left");
    let mut two = Two(hall);
    two.lost();
    two.back(2, KINGS);
    two.0.play(2, "g8", "f6", "n", "right");
    two.back(1, KINGS);
    two.0.play(1, "b8", "c6", "n", "right");
    for args in [&BOTH[..], &[]] {
        let (moves, said) = two.told(args);
        assert_eq!(moves, ["e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nf6"], "{args:?}");
        assert!(!said.contains("exchanged"), "{said}");
    }
}
