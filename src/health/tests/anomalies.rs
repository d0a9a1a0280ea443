//! Anomalies, caused by the players or by the board.

use super::{feed, health_of};
use crate::{
    health::Health,
    record::{Finding, FindingKind},
};

#[test]
fn many_unexplained_anomalies_blame_the_board() {
    let odd = [
        r#""type":"anomaly","game":1,"ply":0,"kind":"unexplained","detail":"no legal move explains e4""#,
        r#""type":"anomaly","game":1,"ply":0,"kind":"unexplained","detail":"no legal move explains e5""#,
    ];
    let records = |count: usize, games: usize| {
        let mut records = vec![(0.0, "start"), (0.0, "game"), (0.0, "clock"), (0.0, "-e2"), (0.0, "+Pe5")];
        for n in 0..count {
            records.push((60.0 * n as f64, odd[n % 2]));
            records.push((60.0 * n as f64, "L"));
            records.extend((1..games).map(|_| (60.0 * n as f64, "game")));
        }
        records.push((600.0, "."));
        let found = health_of(&records).findings();
        // The game has no other moves.
        let others = [FindingKind::Mismatch, FindingKind::NoChange];
        let found: Vec<&Finding> = found.iter().filter(|found| !others.contains(&found.kind)).collect();
        assert_eq!(found.iter().map(|found| found.kind).collect::<Vec<_>>(), [FindingKind::Anomaly]);
        (found[0].detail.clone(), found[0].advice.clone())
    };
    let (one, two, many) = (records(1, 1), records(2, 1), records(6, 1));
    assert_eq!(one.0, "after the start, no legal move explains e4");
    assert_eq!(two.0, "twice, the last after the start, no legal move explains e5");
    assert_eq!(many.0, "6 times, the last after the start, no legal move explains e5");
    assert!(one.1.contains("score sheets") && two.1.contains("score sheets"));
    assert!(many.1.contains("dump --follow"), "{}", many.1);
    // Spread over more games they may be the players'.
    let (few, many) = (records(6, 4), records(6, 3));
    assert!(few.1.contains("score sheets") && many.1.contains("dump --follow"));
}

#[test]
fn anomalies_of_several_clockless_games_blame_the_board() {
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
    // `of_each` anomalies in each of the games.
    let found = |games: usize, of_each: usize| {
        let mut health = Health::default();
        for game in 1..=games {
            let from = 1000.0 * game as f64;
            feed(&mut health, &[(from, "start"), (from, &begins(game)), (from, "-e2"), (from, "+Pe5")]);
            (0..of_each).for_each(|n| feed(&mut health, &[(from + 60.0 * n as f64, &odd(game, 1 + n))]));
        }
        let found = health.findings().into_iter().find(|found| found.kind == FindingKind::Anomaly);
        found.map(|found| found.advice.contains("replace the board"))
    };
    // After one game they may come of analysis.
    assert_eq!(found(1, 8), None);
    assert_eq!(found(2, 6), None);
    assert_eq!((found(3, 3), found(6, 1)), (Some(true), Some(true)));
}
