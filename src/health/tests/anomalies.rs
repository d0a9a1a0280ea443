//! Anomalies: the players' doing, or the board's.

use super::{CLOCK, LEFT, START, hear, heard};
use crate::{
    health::Health,
    record::{Finding, FindingKind},
};

#[test]
fn anomalies_that_nothing_explains_ask_for_a_look_at_the_board_when_they_are_many() {
    let game = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
    let odd = [
        r#""type":"anomaly","game":1,"ply":0,"kind":"unexplained","detail":"no legal move explains e4""#,
        r#""type":"anomaly","game":1,"ply":0,"kind":"unexplained","detail":"no legal move explains e5""#,
    ];
    let told = |count: usize, games: usize| {
        let mut told = vec![(0.0, START), (0.0, game), (0.0, CLOCK), (0.0, "-e2"), (0.0, "+Pe5")];
        for n in 0..count {
            told.push((60.0 * n as f64, odd[n % 2]));
            told.push((60.0 * n as f64, LEFT));
            told.extend((1..games).map(|_| (60.0 * n as f64, game)));
        }
        told.push((600.0, "."));
        let found = heard(&told).findings();
        // Nothing else is played there.
        let others = [FindingKind::Mismatch, FindingKind::NoChange];
        let found: Vec<&Finding> = found.iter().filter(|found| !others.contains(&found.kind)).collect();
        assert_eq!(found.iter().map(|found| found.kind).collect::<Vec<_>>(), [FindingKind::Anomaly]);
        (found[0].detail.clone(), found[0].advice.clone())
    };
    let (one, two, many) = (told(1, 1), told(2, 1), told(6, 1));
    assert_eq!(one.0, "behind the start, no legal move explains e4");
    assert_eq!(two.0, "twice, the last behind the start, no legal move explains e5");
    assert_eq!(many.0, "6 times, the last behind the start, no legal move explains e5");
    assert!(one.1.contains("score sheets") && two.1.contains("score sheets"));
    assert!(many.1.contains("dump --follow"), "{}", many.1);
    // Of as many in ever so many games each may be the players'.
    let (few, many) = (told(6, 4), told(6, 3));
    assert!(few.1.contains("score sheets") && many.1.contains("dump --follow"));
}

#[test]
fn without_a_clock_anomalies_of_several_games_ask_for_a_look_at_the_board() {
    let begins = |game: usize| {
        format!(
            r#""type":"game","game":{game},"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#
        )
    };
    let odd = |game: usize, square: usize| {
        format!(
            r#""type":"anomaly","game":{game},"ply":0,"kind":"unexplained","detail":"no legal move explains e{square}""#
        )
    };
    // So many anomalies in each of so many games.
    let found = |games: usize, of_each: usize| {
        let mut health = Health::default();
        for game in 1..=games {
            let from = 1000.0 * game as f64;
            hear(&mut health, &[(from, START), (from, &begins(game)), (from, "-e2"), (from, "+Pe5")]);
            (0..of_each).for_each(|n| hear(&mut health, &[(from + 60.0 * n as f64, &odd(game, 1 + n))]));
        }
        let found = health.findings().into_iter().find(|found| found.kind == FindingKind::Anomaly);
        found.map(|found| found.advice.contains("replace the board"))
    };
    // Behind one game they look at it.
    assert_eq!(found(1, 8), None);
    assert_eq!(found(2, 6), None);
    assert_eq!((found(3, 3), found(6, 1)), (Some(true), Some(true)));
}
