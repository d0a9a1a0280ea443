//! Rulings before and after the board reported the moves.

use super::*;
use crate::record::{Record, TakebackReason, parse};

fn ruling(game: u32, fields: &str) -> GameRecord {
    let line = format!(r#"{{"type":"ruling","board":1,"game":{game},{fields}}}"#);
    let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
    record
}

/// The records published when rulings come within a stream, and the rulings that could not be applied.
fn ruled(before: &str, rulings: &[GameRecord], after: &str) -> (Vec<GameRecord>, Vec<Refused>) {
    let mut published = Vec::new();
    let mut games = Reconstructor::new(Options::default());
    let mut publish = |record| {
        published.push(record);
        Ok::<(), ()>(())
    };
    let all = records(&format!("{before} {after}"));
    let (first, rest) = all.split_at(records(before).len());
    first.iter().for_each(|record| games.record(record, &mut publish).unwrap());
    let refused = rulings.iter().filter_map(|record| games.ruling(record, &mut publish).unwrap()).collect();
    rest.iter().for_each(|record| games.record(record, &mut publish).unwrap());
    games.finish(&mut publish).unwrap();
    (published, refused)
}

/// The same in words, where all could be applied.
fn published_with(before: &str, rulings: &[GameRecord], after: &str) -> String {
    let (published, refused) = ruled(before, rulings, after);
    assert_eq!(refused, []);
    words(&published)
}

#[test]
fn play_continues_from_a_ruled_move() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING}");
    let ruling = [ruling(1, r#""ply":3,"uci":"b1c3""#)];
    assert_eq!(
        published_with(&played, &ruling, &on),
        "game e4 e5 Nf3 Nc6 <2 Nc3 (b1c3 at ply 3) Nc6 Bb5 a6 [* input-end]"
    );
    // Given before, the other move is never published.
    assert_eq!(
        published_with("", &ruling, &format!("{played} {on}")),
        "game e4 e5 Nc3 (b1c3 at ply 3) Nc6 Bb5 a6 [* input-end]"
    );
}

#[test]
fn a_ruling_beside_an_old_flag_ends_nothing() {
    let before = format!("={START} @begin . +4 flagR +4 ={START} . +4");
    let lost = format!("={START} @begin . +4 {OPENING} flagR +4 ={START} . +4");
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . flagR +2 .";
    let on = "+40 . -c2 Pc4 L80 +2 . -e7 pe6 R80 +2 .";
    for (begins, game) in [(before, 1), (lost, 2)] {
        let output =
            published_with(&format!("{begins} {next}"), &[ruling(game, r#""ply":2,"san":"d6""#)], on);
        assert!(output.ends_with("game d4 d5 <1 d6 (d6 at ply 2) c4 e6 [* input-end]"), "{output}");
    }
}

// Users' pain: one wrong move loses the game behind it.
#[test]
fn an_impossible_early_ruling_is_refused() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING} {on}");
    let heard = records(&played);
    for fields in [
        r#""ply":3,"uci":"a1a8""#,
        r#""ply":4,"san":"Nf3""#,
        r#""ply":5,"san":"0-0""#,
        r#""ply":1,"fen":"8/8/8/8/8/8/8/8""#,
        r#""ply":3,"fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 2""#,
        r#""ply":77,"san":"e4""#,
    ] {
        let mut games = Reconstructor::new(Options::default());
        let mut published = Vec::new();
        let mut publish = |record| {
            published.push(record);
            Ok::<(), ()>(())
        };
        let word = ruling(1, fields);
        assert_eq!(games.ruling(&word, &mut publish), Ok(None));
        heard.iter().for_each(|record| games.record(record, &mut publish).unwrap());
        games.finish(&mut publish).unwrap();
        assert_eq!(final_moves(&published), ["e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"], "{fields}");
        let refused: Vec<_> = games.take_refused().into_iter().map(|(record, _)| record.event).collect();
        assert_eq!(refused, [word.event], "{fields}");
    }
    // There is no second game.
    let mut games = Reconstructor::new(Options::default());
    assert_eq!(games.ruling(&ruling(2, r#""void":true"#), |_| Ok::<(), ()>(())), Ok(None));
    heard.iter().for_each(|record| games.record(record, |_| Ok::<(), ()>(())).unwrap());
    games.finish(|_| Ok::<(), ()>(())).unwrap();
    assert_eq!(games.take_refused().into_iter().map(|(_, why)| why).collect::<Vec<_>>(), [Refused::NoGame]);
}

#[test]
fn correcting_the_board_after_a_ruling_is_no_move() {
    let put_right = "+2 -f3 +1 Ng1 -b1 Nc3 +2 . +2 -f1 Bb5 L86 +2 . +2 .";
    let ruling = [ruling(1, r#""ply":3,"san":"Nc3""#)];
    let output = published_with(&format!("={START} @begin . +4 {OPENING}"), &ruling, put_right);
    assert!(output.ends_with("Nc3 (Nc3 at ply 3) Nc6 Bb5 [* input-end]"), "{output}");
}

#[test]
fn a_ruling_equal_to_the_board_changes_nothing() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING}");
    assert_eq!(
        published_with(&played, &[ruling(1, r#""ply":3,"san":"Nf3!""#)], &on),
        "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"
    );
}

#[test]
fn the_last_ruling_that_remains_holds() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING}");
    let first = ruling(1, r#""ply":3,"uci":"b1c3""#);
    let last = ruling(1, r#""ply":3,"uci":"b1a3""#);
    let stands = |rulings: &[GameRecord]| final_moves(&ruled(&played, rulings, &on).0);
    assert!(stands(&[first.clone(), last])[0].starts_with("e4 e5 Na3 "));
    let withdrawn = published_with(&played, &[first, ruling(1, r#""ply":3,"withdraw":true"#)], &on);
    assert!(withdrawn.ends_with("<2 Nf3 Nc6 Bb5 a6 [* input-end]"), "{withdrawn}");
}

#[test]
fn a_ruling_without_an_explanation_is_refused() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING}");
    let (published, refused) = ruled(&played, &[ruling(1, r#""ply":3,"uci":"a1a8""#)], &on);
    assert_eq!(refused, [Refused::Impossible]);
    assert_eq!(words(&published), "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]");
}

#[test]
fn a_ruling_works_after_hours_of_clock_readings() {
    let on = spanish(2);
    // With few boards on a line it is read once a second: these are five hours.
    let thinks = "+1 clock ".repeat(18_000);
    let output = published_with(
        &format!("={START} @begin . +4 {OPENING} {thinks}"),
        &[ruling(1, r#""ply":3,"uci":"b1c3""#)],
        &on,
    );
    assert_eq!(output, "game e4 e5 Nf3 Nc6 <2 Nc3 (b1c3 at ply 3) Nc6 Bb5 a6 [* input-end]");
}

#[test]
fn a_ruling_corrects_an_illegal_move() {
    // The king steps two squares; ruled is one, and then it is put there.
    let illegal = format!("={START} @begin . +4 {OPENING} +2 -e1 Ke3 L86 +2 . +12 .");
    let output = published_with(
        &illegal,
        &[ruling(1, r#""ply":5,"uci":"e1e2""#)],
        "+5 -e3 Ke2 +2 . +2 -a7 pa6 R86 +2 . +2 .",
    );
    assert!(output.ends_with("Ke2 (e1e2 at ply 5) a6 [* input-end]"), "{output}");
}

#[test]
fn play_continues_from_a_ruled_position() {
    // A pawn that fell from the board is back.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";
    let ruling = [ruling(1, &format!(r#""ply":5,"fen":"{fen}""#))];
    let played = format!("={START} @begin . +4 {OPENING} +2 -d2 Pd3 L86 +2 .");
    let output = published_with(&played, &ruling, "+2 -d3 Pd4 +2 . +2 -a7 pa6 R86 +2 . +2 .");
    assert!(output.ends_with(" a6 [* input-end]") && output.contains("<4 d4 "), "{output}");
}

#[test]
fn a_ruled_result_ends_the_game() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING}");
    let result = [ruling(1, r#""result":"1-0""#)];
    let now = published_with(&played, &result, &on);
    assert!(now.starts_with("game e4 e5 Nf3 Nc6 (1-0) [1-0 result-piece]"), "{now}");
    let next = format!("{on} ={START} . +4 .");
    assert_eq!(
        published_with("", &result, &format!("{played} {next}")),
        "game e4 e5 Nf3 Nc6 Bb5 a6 (1-0) [1-0 new-game]"
    );
    // A closed game needs no reconstruction for it.
    let closed = published_with(&format!("{played} {next}"), &result, "");
    assert!(closed.ends_with("a6 [* new-game] (1-0) [1-0 result-piece]"), "{closed}");
}

#[test]
fn an_impossible_ruling_restores_the_previous_one() {
    let on = spanish(2);
    let rulings = [ruling(1, r#""ply":3,"san":"Nc3""#), ruling(1, r#""ply":3,"uci":"a1a8""#)];
    let output = published_with("", &rulings, &format!("={START} @begin . +4 {OPENING} {on}"));
    assert!(output.contains("e4 e5 Nc3"), "{output}");
}

#[test]
fn a_void_game_leaves_later_numbers_unchanged() {
    let on = spanish(2);
    let played = format!("={START} @begin . +4 {OPENING}");
    let void = [ruling(1, r#""void":true"#)];
    let next = format!("{on} ={START} . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . +2 .");
    let (published, refused) = ruled(&played, &void, &next);
    assert_eq!(refused, []);
    assert_eq!(words(&published), "game e4 e5 Nf3 Nc6 <0 [* new-game] (no game) game d4 d5 [* input-end]");
    let reasons = published.iter().filter_map(|record| match &record.event {
        GameEvent::Takeback(back) => back.reason,
        _ => None,
    });
    assert_eq!(reasons.collect::<Vec<_>>(), [TakebackReason::Ruled]);
    assert_eq!(published.last().unwrap().game, 2);
    // Ruled before it was played it is published as well, for readers who count the games of a board.
    let before = published_with("", &void, &format!("{played} {next}"));
    assert_eq!(before, "game (no game) [* new-game] game d4 d5 [* input-end]");
    // And withdrawn.
    let withdrawn = published_with(&played, &[void[0].clone(), ruling(1, r#""withdraw":true"#)], &on);
    assert!(withdrawn.ends_with("(no game) game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"), "{withdrawn}");
}

#[test]
fn no_move_of_a_closed_game_can_be_ruled() {
    let played = format!("={START} @begin . +4 {OPENING} ={START} . +4 .");
    assert_eq!(ruled(&played, &[ruling(1, r#""ply":3,"uci":"b1c3""#)], "").1, [Refused::Closed]);
}

#[test]
fn a_ruling_selects_the_way_through_a_gap() {
    // Either knight may have gone first.
    let gap = "=r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R";
    let stream = format!("={START} @begin . +4 . {gap} +2 . +2 . +12 . +40 .");
    let open = published_with(&stream, &[], "");
    assert!(open.contains("!gap"), "{open}");
    let rulings = [ruling(1, r#""ply":1,"san":"Nf3""#), ruling(1, r#""ply":2,"san":"Nf6""#)];
    let output = published_with("", &rulings, &stream);
    assert!(output.contains("game Nf3 Nf6 ?Nc3 ?Nc6"), "{output}");
}

#[test]
fn a_ruled_last_ply_survives_setting_up() {
    let played = without_clock(&format!("={START} @begin . +4 {OPENING}"));
    let next = without_clock(&format!("={START} @begin . +4 -d2 Pd4 +2 . +9 . -d7 pd5 +2 . +9 ."));
    // What was played, and what was not.
    for (san, as_published) in [("Nc6", "Nc6"), ("a6", "a6 (a6 at ply 4)")] {
        let output = published_with(
            "",
            &[ruling(1, &format!(r#""ply":4,"san":"{san}""#))],
            &format!("{played} +9 . {next}"),
        );
        assert_eq!(output, format!("game e4 e5 Nf3 {as_published} [* new-game] game d4 d5 [* input-end]"));
    }
}

#[test]
fn an_overruled_move_is_not_published_later() {
    let played = without_clock(&format!("={START} @begin . +4 {OPENING}"));
    let output = published_with("", &[ruling(1, r#""ply":3,"san":"Nc3""#)], &format!("{played} +30 ."));
    assert_eq!(output, "game e4 e5 Nc3 (Nc3 at ply 3) Nc6 [* input-end]");
}

#[test]
fn a_result_ruled_after_a_move_keeps_it() {
    let last = format!("={START} @begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88");
    let looked_at = "+20 -b8 nc6 R80 +2 . +9 .";
    assert_eq!(
        published_with(&last, &[ruling(1, r#""result":"1-0""#)], looked_at),
        "game e4 e5 Nf3 (1-0) [1-0 result-piece]"
    );
    let adjourned = published_with(&last, &[ruling(1, r#""result":"*""#)], looked_at);
    assert_eq!(adjourned, "game e4 e5 Nf3 Nc6 (*) [* input-end]");
}

#[test]
fn a_finished_game_can_be_ruled_until_the_next() {
    let on = spanish(2);
    let kings = "+5 -e4 -e1 Ke4 -e8 kd5 +2 . +20 .";
    let over = format!("={START} @begin . +4 {OPENING} {kings}");
    let moves = "game e4 e5 Nf3 Nc6 [1-0 kings]";
    let lost = ruling(1, r#""result":"0-1""#);
    // No play takes a ruled result back.
    let goes_on = format!("+20 -e4 Ke1 -d5 ke8 Pe4 +2 . {on}");
    assert_eq!(published_with(&over, &[], &goes_on), format!("{moves} Bb5 a6 [* input-end]"));
    assert_eq!(
        published_with(&over, std::slice::from_ref(&lost), &goes_on),
        format!("{moves} (0-1) [0-1 result-piece]")
    );
    // A withdrawn ruling restores the end that the board showed.
    let withdrawn = ruling(1, r#""withdraw":true"#);
    let none = "(that nothing is ruled of the game as a whole)";
    for (first, words) in [(lost, "(0-1) [0-1 result-piece]"), (ruling(1, r#""void":true"#), "(no game)")] {
        let then = published_with(&over, &[first.clone(), withdrawn.clone()], "");
        assert_eq!(then, format!("{moves} {words} {none} [1-0 kings]"));
        // After the next game the shown result is not kept any more.
        let next = format!("{over} ={START} . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . +2 .");
        let (_, refused) = ruled(&next, &[first, withdrawn.clone()], "");
        assert_eq!(refused.len(), 1);
    }
}
