//! What arbiters ruled, before and after the board told of it.

use super::*;
use crate::record::{Record, TakebackReason, parse};

/// Four plies with the clock on, and a fifth.
const PLAYED: &str = "@begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
const ON: &str = "+2 -f1 Bb5 L86 +2 . +2 -a7 pa6 R86 +2 . +2 .";

fn ruling(game: u32, fields: &str) -> GameRecord {
    let line = format!(r#"{{"type":"ruling","board":1,"game":{game},{fields}}}"#);
    let Record::Game(record) = parse(line.as_bytes()).unwrap() else { panic!("{line}") };
    record
}

/// What is published when rulings come in the middle of a stream, and which of them could not be held.
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

/// The same in words, where all could be held.
fn told(before: &str, rulings: &[GameRecord], after: &str) -> String {
    let (published, refused) = ruled(before, rulings, after);
    assert_eq!(refused, []);
    words(&published)
}

#[test]
fn a_ruled_move_takes_the_place_of_what_the_board_showed_and_play_goes_on_from_there() {
    let played = format!("={START} {PLAYED}");
    let ruling = [ruling(1, r#""ply":3,"uci":"b1c3""#)];
    assert_eq!(
        told(&played, &ruling, ON),
        "game e4 e5 Nf3 Nc6 <2 Nc3 (b1c3 at ply 3) Nc6 Bb5 a6 [* input-end]"
    );
    // Known before, the other move is never told.
    assert_eq!(
        told("", &ruling, &format!("{played} {ON}")),
        "game e4 e5 Nc3 (b1c3 at ply 3) Nc6 Bb5 a6 [* input-end]"
    );
}

#[test]
fn a_game_that_is_ruled_while_the_flag_of_the_one_before_is_down_goes_on() {
    let before = format!("={START} @begin . +4 flagR +4 ={START} . +4");
    let lost = format!("={START} @begin . +4 {OPENING} flagR +4 ={START} . +4");
    let next = "-d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . flagR +2 .";
    let on = "+40 . -c2 Pc4 L80 +2 . -e7 pe6 R80 +2 .";
    for (begins, game) in [(before, 1), (lost, 2)] {
        let told = told(&format!("{begins} {next}"), &[ruling(game, r#""ply":2,"san":"d6""#)], on);
        assert!(told.ends_with("game d4 d5 <1 d6 (d6 at ply 2) c4 e6 [* input-end]"), "{told}");
    }
}

// Users' pain: one wrong move loses the game behind it.
#[test]
fn what_is_ruled_before_it_is_played_and_cannot_be_is_refused_and_takes_nothing_away() {
    let played = format!("={START} {PLAYED} {ON}");
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
fn what_is_put_right_on_the_board_afterwards_is_no_move() {
    let put_right = "+2 -f3 +1 Ng1 -b1 Nc3 +2 . +2 -f1 Bb5 L86 +2 . +2 .";
    let ruling = [ruling(1, r#""ply":3,"san":"Nc3""#)];
    let told = told(&format!("={START} {PLAYED}"), &ruling, put_right);
    assert!(told.ends_with("Nc3 (Nc3 at ply 3) Nc6 Bb5 [* input-end]"), "{told}");
}

#[test]
fn a_ruling_that_the_board_agrees_with_changes_nothing() {
    let played = format!("={START} {PLAYED}");
    assert_eq!(
        told(&played, &[ruling(1, r#""ply":3,"san":"Nf3!""#)], ON),
        "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"
    );
}

#[test]
fn the_last_ruling_holds_and_one_that_is_withdrawn_does_not() {
    let played = format!("={START} {PLAYED}");
    let first = ruling(1, r#""ply":3,"uci":"b1c3""#);
    let last = ruling(1, r#""ply":3,"uci":"b1a3""#);
    let stands = |rulings: &[GameRecord]| final_moves(&ruled(&played, rulings, ON).0);
    assert!(stands(&[first.clone(), last])[0].starts_with("e4 e5 Na3 "));
    let withdrawn = told(&played, &[first, ruling(1, r#""ply":3,"withdraw":true"#)], ON);
    assert!(withdrawn.ends_with("<2 Nf3 Nc6 Bb5 a6 [* input-end]"), "{withdrawn}");
}

#[test]
fn a_ruling_that_nothing_on_the_board_leads_to_does_not_hold() {
    let played = format!("={START} {PLAYED}");
    let (published, refused) = ruled(&played, &[ruling(1, r#""ply":3,"uci":"a1a8""#)], ON);
    assert_eq!(refused, [Refused::Impossible]);
    assert_eq!(words(&published), "game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]");
}

#[test]
fn a_move_can_be_ruled_however_long_the_clock_was_told_of_since() {
    // With few boards on a line it is read once a second: these are five hours.
    let thinks = "+1 clock ".repeat(18_000);
    let told = told(&format!("={START} {PLAYED} {thinks}"), &[ruling(1, r#""ply":3,"uci":"b1c3""#)], ON);
    assert_eq!(told, "game e4 e5 Nf3 Nc6 <2 Nc3 (b1c3 at ply 3) Nc6 Bb5 a6 [* input-end]");
}

#[test]
fn an_illegal_move_is_put_right_by_a_ruling() {
    // The king steps two squares; ruled is one, and then it is put there.
    let illegal = format!("={START} {PLAYED} +2 -e1 Ke3 L86 +2 . +12 .");
    let told =
        told(&illegal, &[ruling(1, r#""ply":5,"uci":"e1e2""#)], "+5 -e3 Ke2 +2 . +2 -a7 pa6 R86 +2 . +2 .");
    assert!(told.ends_with("Ke2 (e1e2 at ply 5) a6 [* input-end]"), "{told}");
}

#[test]
fn a_ruled_position_stands_and_play_goes_on_from_it() {
    // A pawn that fell from the board is back.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";
    let ruling = [ruling(1, &format!(r#""ply":5,"fen":"{fen}""#))];
    let played = format!("={START} {PLAYED} +2 -d2 Pd3 L86 +2 .");
    let told = told(&played, &ruling, "+2 -d3 Pd4 +2 . +2 -a7 pa6 R86 +2 . +2 .");
    assert!(told.ends_with(" a6 [* input-end]") && told.contains("<4 d4 "), "{told}");
}

#[test]
fn a_ruled_result_ends_the_game_in_play_and_replaces_that_of_one_that_ends_otherwise() {
    let played = format!("={START} {PLAYED}");
    let result = [ruling(1, r#""result":"1-0""#)];
    let told_now = told(&played, &result, ON);
    assert!(told_now.starts_with("game e4 e5 Nf3 Nc6 (1-0) [1-0 result-piece]"), "{told_now}");
    let next = format!("{ON} ={START} . +4 .");
    assert_eq!(
        told("", &result, &format!("{played} {next}")),
        "game e4 e5 Nf3 Nc6 Bb5 a6 (1-0) [1-0 new-game]"
    );
    // A closed game needs no reconstruction for it.
    let closed = told(&format!("{played} {next}"), &result, "");
    assert!(closed.ends_with("a6 [* new-game] (1-0) [1-0 result-piece]"), "{closed}");
}

#[test]
fn a_ruling_that_cannot_be_gives_way_to_the_one_before_it() {
    let rulings = [ruling(1, r#""ply":3,"san":"Nc3""#), ruling(1, r#""ply":3,"uci":"a1a8""#)];
    let told = told("", &rulings, &format!("={START} {PLAYED} {ON}"));
    assert!(told.contains("e4 e5 Nc3"), "{told}");
}

#[test]
fn a_game_that_never_was_is_withdrawn_and_the_next_keeps_its_number() {
    let played = format!("={START} {PLAYED}");
    let void = [ruling(1, r#""void":true"#)];
    let next = format!("{ON} ={START} . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . +2 .");
    let (published, refused) = ruled(&played, &void, &next);
    assert_eq!(refused, []);
    assert_eq!(words(&published), "game e4 e5 Nf3 Nc6 <0 [* new-game] (no game) game d4 d5 [* input-end]");
    let reasons = published.iter().filter_map(|record| match &record.event {
        GameEvent::Takeback(back) => back.reason,
        _ => None,
    });
    assert_eq!(reasons.collect::<Vec<_>>(), [TakebackReason::Ruled]);
    assert_eq!(published.last().unwrap().game, 2);
    // Ruled before it was played it is told of as well, for those who count the games of a board.
    let before = told("", &void, &format!("{played} {next}"));
    assert_eq!(before, "game (no game) [* new-game] game d4 d5 [* input-end]");
    // And taken back.
    let withdrawn = told(&played, &[void[0].clone(), ruling(1, r#""withdraw":true"#)], ON);
    assert!(withdrawn.ends_with("(no game) game e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"), "{withdrawn}");
}

#[test]
fn of_a_closed_game_whose_records_are_gone_no_move_can_be_ruled() {
    let played = format!("={START} {PLAYED} ={START} . +4 .");
    assert_eq!(ruled(&played, &[ruling(1, r#""ply":3,"uci":"b1c3""#)], "").1, [Refused::Closed]);
}

#[test]
fn a_ruling_tells_which_of_several_ways_led_through_a_gap() {
    // Both knights may have gone first.
    let gap = "=r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R";
    let stream = format!("={START} @begin . +4 . {gap} +2 . +2 . +12 . +40 .");
    let open = told(&stream, &[], "");
    assert!(open.contains("!gap"), "{open}");
    let rulings = [ruling(1, r#""ply":1,"san":"Nf3""#), ruling(1, r#""ply":2,"san":"Nf6""#)];
    let told = told("", &rulings, &stream);
    assert!(told.contains("game Nf3 Nf6 ?Nc3 ?Nc6"), "{told}");
}

#[test]
fn the_last_ply_of_a_game_stays_as_it_was_ruled_though_the_pieces_are_set_up_after_it() {
    let played = without_clock(&format!("={START} {PLAYED}"));
    let next = without_clock(&format!("={START} @begin . +4 -d2 Pd4 +2 . +9 . -d7 pd5 +2 . +9 ."));
    // What was played, and what was not.
    for (san, as_told) in [("Nc6", "Nc6"), ("a6", "a6 (a6 at ply 4)")] {
        let told =
            told("", &[ruling(1, &format!(r#""ply":4,"san":"{san}""#))], &format!("{played} +9 . {next}"));
        assert_eq!(told, format!("game e4 e5 Nf3 {as_told} [* new-game] game d4 d5 [* input-end]"));
    }
}

#[test]
fn a_move_that_was_overruled_is_not_told_behind_it() {
    let played = without_clock(&format!("={START} {PLAYED}"));
    let told = told("", &[ruling(1, r#""ply":3,"san":"Nc3""#)], &format!("{played} +30 ."));
    assert_eq!(told, "game e4 e5 Nc3 (Nc3 at ply 3) Nc6 [* input-end]");
}

#[test]
fn a_result_that_is_ruled_right_behind_a_move_keeps_it_and_no_result_ends_nothing() {
    let last = format!("={START} @begin . +4 -e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88");
    let looked_at = "+20 -b8 nc6 R80 +2 . +9 .";
    assert_eq!(
        told(&last, &[ruling(1, r#""result":"1-0""#)], looked_at),
        "game e4 e5 Nf3 (1-0) [1-0 result-piece]"
    );
    let adjourned = told(&last, &[ruling(1, r#""result":"*""#)], looked_at);
    assert_eq!(adjourned, "game e4 e5 Nf3 Nc6 (*) [* input-end]");
}

#[test]
fn a_game_that_is_over_is_ruled_and_that_is_withdrawn_until_the_next_begins() {
    let kings = "+5 -e4 -e1 Ke4 -e8 kd5 +2 . +20 .";
    let over = format!("={START} {PLAYED} {kings}");
    let moves = "game e4 e5 Nf3 Nc6 [1-0 kings]";
    let lost = ruling(1, r#""result":"0-1""#);
    // No play takes a ruled result back.
    let goes_on = format!("+20 -e4 Ke1 -d5 ke8 Pe4 +2 . {ON}");
    assert_eq!(told(&over, &[], &goes_on), format!("{moves} Bb5 a6 [* input-end]"));
    assert_eq!(
        told(&over, std::slice::from_ref(&lost), &goes_on),
        format!("{moves} (0-1) [0-1 result-piece]")
    );
    // What was ruled is withdrawn: the end stands that the board showed.
    let withdrawn = ruling(1, r#""withdraw":true"#);
    let none = "(that nothing is ruled of the game as a whole)";
    for (first, words) in [(lost, "(0-1) [0-1 result-piece]"), (ruling(1, r#""void":true"#), "(no game)")] {
        let told_then = told(&over, &[first.clone(), withdrawn.clone()], "");
        assert_eq!(told_then, format!("{moves} {words} {none} [1-0 kings]"));
        // Behind the next game what was shown is known no more.
        let next = format!("{over} ={START} . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 . +2 .");
        let (_, refused) = ruled(&next, &[first, withdrawn.clone()], "");
        assert_eq!(refused.len(), 1);
    }
}
