//! Checks that our reader of PGN agrees with an independent one: pgn-reader's visitor with the rules of shakmaty. For files of
//! your own: `cargo bench --bench second_opinion -- FOLDER_OR_FILE...`.

mod generator;
mod visitor;

use visitor::{Comments, Game, Line, difference, ours, theirs};

/// Moves the comments after semicolons, of four words each, out of a line.
fn take_semicolons(line: &mut Line, taken: &mut Vec<String>) {
    let take = |comments: &mut Comments, taken: &mut Vec<String>| {
        while let Some(at) = comments.words.iter().position(|word| word.starts_with("semicolon")) {
            taken.extend(comments.words.drain(at..at + 4));
        }
    };
    take(&mut line.comments, taken);
    for ply in &mut line.plies {
        take(&mut ply.comments, taken);
        ply.variations.iter_mut().for_each(|line| take_semicolons(line, taken));
        take(&mut ply.comments_after, taken);
    }
}

#[test]
fn generated_games_are_read_like_pgn_reader_does() {
    let mut counts = [0; 5];
    for seed in 0..500 {
        let game = generator::game(seed);
        let (mut ours, theirs) = (ours(game.text.as_bytes()), theirs(game.text.as_bytes()));
        let mut semicolon_comments = Vec::new();
        take_semicolons(&mut ours.line, &mut semicolon_comments);
        // A comment between two variations stands after both.
        semicolon_comments.sort();
        assert_eq!(semicolon_comments, game.semicolon_comments, "game {seed}: {}", game.text);
        assert_eq!(difference(&ours, &theirs), None, "game {seed}, ours and theirs: {}", game.text);
        assert_eq!((ours.flaws, &*ours.result), (0, game.result), "game {seed}: {}", game.text);
        let played: Vec<&str> = ours.line.plies.iter().map(|ply| &*ply.uci).collect();
        assert_eq!(played, game.moves, "game {seed}: {}", game.text);
        counts.iter_mut().zip(game.counts).for_each(|(sum, count)| *sum += count);
        counts[4] += semicolon_comments.len() / 4;
    }
    // Each of these must occur often enough for the comparison to mean something.
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// The tags, moves, NAGs and words of a game, `!` for every flaw, and the result.
fn summary(game: &Game) -> String {
    let tags =
        game.tags.iter().filter(|(name, _)| name != "FEN").map(|(name, value)| format!("[{name} {value}]"));
    let plies = game.line.plies.iter().map(|ply| {
        let nags: String = ply.nags.iter().map(|nag| format!("${nag}")).collect();
        let comments: String = ply.comments.words.iter().map(|word| format!("{{{word}}}")).collect();
        ply.san.clone() + &nags + &comments
    });
    let end =
        [["!"].repeat(game.flaws).concat(), game.result.clone()].into_iter().filter(|text| !text.is_empty());
    tags.chain(plies).chain(end).collect::<Vec<_>>().join(" ")
}

/// Shows why our reader is not built on the visitor. If a case fails because pgn-reader reports more, review the documentation
/// of `src/format/pgn/reader.rs`.
#[test]
fn text_that_pgn_reader_skips_is_read_or_reported() {
    let promotion = "[FEN \"8/1P5k/8/8/8/8/r7/1K6 w - - 0 1\"]\n\n1. Kxa2 Kh8 2.";
    for (text, expected, others) in [
        // Moves in other spellings; the game goes on at a wrong position or ends early.
        (&*format!("{promotion} b8Q+ *"), "Kxa2 Kh8 b8=Q+ *", "Kxa2 Kh8 *"),
        (&format!("{promotion} b8(Q)+ *"), "Kxa2 Kh8 b8=Q+ *", "Kxa2 Kh8 !! *"),
        ("1. e2e4 e7-e5 *", "e4 e5 *", "e4 *"),
        ("1. ♘f3 *", "Nf3 *", "*"),
        ("1. e4 d5 2. e:d5 *", "e4 d5 exd5 *", "e4 d5 *"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. *", "e4 a6 e5 d5 exd6 *", "e4 a6 e5 d5 *"),
        ("1. e4\u{c}e5 *", "e4 e5 *", "*"),
        // What is no move at all.
        ("1. e4 zz e5 *", "e4 ! *", "e4 e5 *"),
        ("1. e4 Kx *", "e4 ! *", "e4 *"),
        // Signs, NAGs and results.
        ("1. e4 +- e5 *", "e4$18 e5 *", "e4 e5 *"),
        ("1. e4⩲ *", "e4$14 *", "*"),
        ("1. e4 N *", "e4$146 *", "e4 *"),
        ("1. e4 $256 *", "e4 ! *", "e4 *"),
        ("1. e4 1/2", "e4 1/2-1/2", "e4 *"),
        // Comments, brackets and tags where they do not belong.
        ("1. e4 ;good\n e5 *", "e4{good} e5 *", "e4 e5 *"),
        ("1. e4 } ] e5 *", "e4 e5 ! *", "e4 e5 *"),
        ("1. e4 [White \"b\"] e5 *", "e4 e5 ! *", "e4 e5 *"),
        ("1. e4\n %x e5 *", "e4 ! *", "e4 e5 *"),
        ("[Event \"a \"b\" c\"]\n\n1. e4 *", "[Event a \"b\" c] e4 *", "[Event a ] e4 *"),
        ("[Site \"C:\\\"]\n\n1. e4 *", "[Site C:\\] e4 *", "[Site C:\"]] e4 *"),
    ] {
        let (ours, theirs) = (ours(text.as_bytes()), theirs(text.as_bytes()));
        assert_eq!((summary(&ours).as_str(), summary(&theirs).as_str()), (expected, others), "{text}");
        assert!(difference(&ours, &theirs).is_some(), "{text}");
    }
}
