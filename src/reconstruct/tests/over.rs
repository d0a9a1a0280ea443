//! Ends of games that later play takes back, and those that it does not.

use super::{
    OPENED, OPENING, START, endings::WHITE_WINS, game, games, games_so_far, records, spanish, without_clock,
    words,
};
use crate::{
    reconstruct::{Options, tests::games_of},
    record::{End, GameEvent, Outcome},
};

#[test]
fn pressed_play_takes_back_a_shown_result() {
    let two = spanish(2);
    for signal in
        [format!("{WHITE_WINS} +2 . +20 +5 . -e4 Ke1 -d5 ke8 Pe4 +2 ."), "1-0h5 +2 . +5 -h5 +2 .".to_owned()]
    {
        let over = format!("{OPENING} {signal}");
        assert_eq!(
            game(&over),
            "e4 e5 Nf3 Nc6 [1-0 kings]"
                .replace("kings", if signal.contains('K') { "kings" } else { "result-piece" })
        );
        assert_eq!(game(&format!("{over} {two}")), "e4 e5 Nf3 Nc6 Bb5 a6", "{signal}");
    }
}

#[test]
fn an_end_is_taken_back_within_its_game() {
    let two = spanish(2);
    let stream =
        format!("={START} @begin . +4 {OPENING} {WHITE_WINS} +2 . +20 +5 . -e4 Ke1 -d5 ke8 Pe4 +2 . {two}");
    let published = words(&games_of(&records(&stream), Options::default()));
    assert_eq!(published, "game e4 e5 Nf3 Nc6 [1-0 kings] Bb5 a6 [* input-end]");
}

#[test]
fn a_withdrawn_mate_ends_nothing() {
    let mate = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -f1 Bc4 L88 +2 -b8 nc6 R88 +2 -d1 Qh5 L80 +2 -g8 nf6 R80 +2 .";
    let taken = format!("{mate} +3 -f7 -h5 Qf7 L70 +2 . +20 .");
    assert_eq!(game(&taken), "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7# [1-0 checkmate]");
    let instead = "-f7 Qh5 pf7 +2 . +3 -f7 -c4 Bf7 L65 +2 . +4 -e8 ke7 R70 +2 .";
    assert_eq!(game(&format!("{taken} {instead}")), "e4 e5 Bc4 Nc6 Qh5 Nf6 Bxf7+ Ke7");
}

#[test]
fn time_added_after_a_flag_continues_play() {
    let fell = format!("{OPENING} flagR +31 . +2 .");
    assert_eq!(game(&fell), "e4 e5 Nf3 Nc6 [1-0 flag]");
    let goes_on = "stopped +30 . clock +4 -f1 Bb5 L80 +2 . +3 -a7 pa6 R1800 +2 .";
    assert_eq!(game(&format!("{fell} {goes_on}")), "e4 e5 Nf3 Nc6 Bb5 a6");
    // Boards set to report only changes report nothing before the next move.
    let silent = format!("{OPENING} flagR +200 -f1 Bb5 L80 +1 -a7 pa6 R1800 +2 .");
    assert_eq!(game(&silent), "e4 e5 Nf3 Nc6 Bb5 a6");
}

#[test]
fn without_clock_four_kept_plies_are_play() {
    let (two, four) = (spanish(2), spanish(4));
    let off = |stream: &str| {
        without_clock(&format!("{OPENING} {WHITE_WINS} +2 . +20 +5 . -e4 Ke1 -d5 ke8 Pe4 +2 . {stream}"))
    };
    let ended = "e4 e5 Nf3 Nc6 [1-0 kings]";
    assert_eq!(game(&off(&two)), ended, "two are none");
    assert_eq!(game(&off(&four)), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    let to_and_fro =
        "+3 -f1 Be2 +2 . +3 -f8 be7 +2 . +3 -e2 Bf1 +2 . +3 -e7 bf8 +2 . +3 -b1 Nc3 +2 . +3 -g8 nf6 +2 .";
    assert_eq!(game(&off(to_and_fro)), ended);
    // Players who take back analyse, be it after two plies or after four.
    let back =
        "+3 -a6 pa7 +2 . +3 -b5 Bf1 +2 . +3 -f1 Bc4 +2 . +3 -f8 bc5 +2 . +3 -c2 Pc3 +2 . +3 -g8 nf6 +2 .";
    assert_eq!(game(&off(&format!("{two} {back}"))), ended);
    let home = "+3 -f6 ng8 +2 . +3 -a4 Bb5 +2 . +3 -a6 pa7 +2 . +3 -b5 Bf1 +2 .";
    let other = "+4 -f1 Bc4 +2 . +3 -f8 bc5 +2 . +4 -c2 Pc3 +2 . +4 -g8 nf6 +2 .";
    assert_eq!(game(&off(&format!("{four} {home} {other}"))), ended);
    let back = "+3 -f6 ng8 +2 . +3 -a4 Bb5 +2 . +3 -b5 -c6 Bc6 +2 . +3 -d7 pc6 -c6 pc6 +2 .";
    assert_eq!(game(&off(&format!("{four} {back}"))), ended);
}

#[test]
fn analysis_beside_a_stopped_clock_keeps_the_end() {
    let four = spanish(4);
    let over = format!("clock {OPENING} {WHITE_WINS} +2 . stopped +20 +5 . -e4 Ke1 -d5 ke8 Pe4 +2 .");
    let tried = without_clock(&four);
    assert_eq!(game(&format!("{over} {tried} +5 stopped +2 .")), "e4 e5 Nf3 Nc6 [1-0 kings]");
}

#[test]
fn a_game_is_final_when_the_next_begins() {
    let (two, four) = (spanish(2), spanish(4));
    let first = format!("={START} @begin . +4 {OPENING} {WHITE_WINS} +2 . +20");
    let next = format!("={START} . +4 -d2 Pd4 L90 +2 . -d7 pd5 R90 +2 .");
    let again = games(&format!("{first} {next} +10 ={OPENED} +2 . {four}"));
    assert_eq!(again[0], "e4 e5 Nf3 Nc6 [1-0 kings]");
    // A start position alone begins nothing.
    let put_back = games(&format!("{first} ={START} . +10 ={OPENED} +2 . {two} +2 . +10 ."));
    assert_eq!(put_back, ["e4 e5 Nf3 Nc6 Bb5 a6 [* input-end]"]);
}

#[test]
fn pressed_moves_stay_where_no_rest_comes_between_them() {
    let played = "-e2 Pe4 L90 +2 . +20 -e7 pe5 R90 +2 . +20";
    let fast = "-g1 Nf3 L89 +0.4 -b8 nc6 R89 +0.4 -f1 Bb5 L88 +0.4 -a7 pa6 R88 +0.4";
    let kings = "-e1 Kd4 -e8 ke5 +2 . +9 . +9 .";
    let games = games(&format!("={START} @begin . clock +4 {played} {fast} {kings}"));
    assert_eq!(games[0], "e4 e5 Nf3 Nc6 Bb5 a6 [0-1 kings]");
}

#[test]
fn two_unpressed_last_moves_are_not_kept() {
    let played = "-e2 Pe4 L90 +2 . +20 -e7 pe5 R90 +2 . +20 -g1 Nf3 L88 +2 . +20 -b8 nc6 R88 +2 . +30";
    let tried = "-f1 Bb5 +2 . +4 -a7 pa6 +2 . +4 -b5 Ba4 +2 . +9";
    let kings = "-e1 Ke4 +2 -e8 ke5 +2 . +9 . +9 .";
    let games = games(&format!("={START} @begin . clock +4 {played} {tried} {kings}"));
    assert_eq!(games[0], "e4 e5 Nf3 Nc6 [1/2-1/2 kings]");
}

#[test]
fn a_clock_without_reports_during_play_is_removed() {
    let pressed = "-e2 Pe4 L90 +2 . +20 -e7 pe5 R90 +2 . +20 -g1 Nf3 L88 +2 . +20 -b8 nc6 R88 +2 . clock +20";
    let unpressed = "-f1 Bb5 +2 . +20 -a7 pa6 +2 . +20 -b5 Ba4 +2 . +20 -g8 nf6 +2 . +20 -d2 Pd3 +2 . +20";
    let games =
        games(&format!("={START} @begin . +4 {pressed} {unpressed} ={START} @begin . +9 . -d2 Pd4 L70 +2 ."));
    assert_eq!(games[0], "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d3 [* new-game]");
}

#[test]
fn an_end_settles_when_pieces_or_clock_go() {
    let settles = |behind: &str| {
        let stream = format!("={START} @begin clock . +4 {OPENING} {WHITE_WINS} +2 . +20 . {behind}");
        let published = games_so_far(&records(&stream), Options::default());
        let ends: Vec<_> = published.iter().filter(|record| record.event.kind() == "end").collect();
        let GameEvent::End(first) = &ends[0].event else { panic!("{ends:?}") };
        assert_eq!((first.result, first.settled), (Some(Outcome::WhiteWins), false), "{behind}");
        match &ends[1..] {
            [] => false,
            [again] => {
                assert_eq!(again.event, GameEvent::End(End { settled: true, ..first.clone() }), "{behind}");
                true
            }
            more => panic!("{more:?}"),
        }
    };
    // Hands that analyse the game, and a stopped clock.
    let captures = "-d5 ke8 -e4 Ke1 +2 . +5 -f3 -e5 Ne5 +2 . +5 -c6 -e5 ne5 +2 . stopped +5 .";
    assert!(!settles(captures));
    assert!(!settles("stopped +40 . +2 ."));
    assert!(settles("stopped +5 unplugged . +2 ."));
    let swept: String = ('a'..='h').map(|file| format!("-{file}1 -{file}2 -{file}8 ")).collect();
    assert!(settles(&format!("{swept} +2 .")));
    assert!(settles(&format!("={START} . +2 .")));
    // A flag settles an end at once, and after the next game has begun there is nothing left to settle.
    let fell = format!("={START} @begin clock . +4 {OPENING} flagR +31 . +2 . unplugged ={START} . +2 .");
    let published = games_so_far(&records(&fell), Options::default());
    assert_eq!(published.iter().filter(|record| record.event.kind() == "end").count(), 1);
}
