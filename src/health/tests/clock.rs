//! Clocks that go away, and boards behind them.

use super::{FindingKind, Health, LEFT, hear, hear_of, kinds};

const STANDARD: &str = "prnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const RUNS: &str = r#""type":"clock","connected":true,"running":true,"turn":"left""#;
const STANDS: &str = r#""type":"clock","connected":true,"running":false,"turn":"left""#;
const AWAY: &str = r#""type":"clock","connected":false"#;
const LOST: &str = r#""type":"lost","reason":"timeout""#;
const GAME: &str = r#""type":"game","game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;
const E4: &str = r#""type":"move","game":1,"ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1","seconds":5400"#;
const E5: &str = r#""type":"move","game":1,"ply":2,"san":"e5","uci":"e7e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2""#;
const NEXT: &str = r#""type":"game","game":2,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1""#;

/// What is found when all this has come behind 1.e4 beside a clock that runs.
fn found(then: &[(f64, &str)]) -> Vec<FindingKind> {
    let mut health = Health::new();
    hear(
        &mut health,
        &[(0.0, STANDARD), (1.0, GAME), (2.0, RUNS), (10.0, "-e2"), (10.0, "+Pe4"), (11.0, E4)],
    );
    hear(&mut health, then);
    kinds(&health.findings()).into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn a_clock_went_away_in_a_game_if_that_goes_on() {
    let away = [FindingKind::ClockDisconnected];
    let played = [(60.0, AWAY), (90.0, "-e7"), (90.0, "+pe5"), (91.0, E5)];
    let plugged_in = [(60.0, AWAY), (80.0, RUNS)];
    assert_eq!([found(&played), found(&plugged_in)], [away, away]);
    // It stood when it was read last, and was started since, as presses say.
    let started = |press: &'static str| [&[(30.0, STANDS), (59.0, press)], &played[..]].concat();
    assert_eq!([found(&started(LEFT)), found(&started("."))], [&away[..], &[]]);
}

#[test]
fn a_clock_that_is_switched_off_when_its_game_is_over_was_not_away_in_it() {
    // It has the time of its move.
    let told_again = (11.0, E4);
    let next_begins = [(60.0, AWAY), told_again, (200.0, NEXT), (210.0, RUNS)];
    let nothing_more = [(60.0, AWAY), told_again, (200.0, LOST)];
    assert_eq!(found(&next_begins), []);
    assert_eq!(found(&nothing_more), []);
}

#[test]
fn a_board_that_is_packed_up_behind_its_clock_was_not_silent_in_a_game() {
    let packed =
        [(60.0, STANDS), (300.0, AWAY), (600.0, LOST), (1800.0, r#""type":"found","reason":"timeout""#)];
    assert_eq!(found(&packed), []);
    // Who plays on without a clock is in a game.
    let mut played_on = packed.to_vec();
    played_on.splice(2..2, [(400.0, "-e7"), (400.0, "+pe5"), (401.0, E5)]);
    assert_eq!(found(&played_on), [FindingKind::Silent]);
}

#[test]
fn a_game_that_is_played_without_the_clock_of_the_one_before_is_one() {
    // Nobody tells of games.
    let mut health = Health::new();
    hear(
        &mut health,
        &[(0.0, STANDARD), (2.0, RUNS), (10.0, "-e2"), (10.0, "+Pe4"), (60.0, STANDS), (300.0, AWAY)],
    );
    hear(
        &mut health,
        &[(400.0, "-e4"), (400.0, "+Pe2"), (410.0, "."), (500.0, "-d2"), (501.0, "+Pd4"), (600.0, LOST)],
    );
    assert_eq!(kinds(&health.findings()), [(FindingKind::Silent, None)]);
}

#[test]
fn a_board_without_a_clock_that_is_packed_up_behind_a_few_moves_was_not_silent_in_a_game() {
    let steps = [["-g1", "+Nf3"], ["-g8", "+nf6"], ["-f3", "+Ng1"], ["-f6", "+ng8"]];
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let lost_behind = |plies: usize, still: f64| {
        let mut health = Health::new();
        hear(&mut health, &[(0.0, STANDARD), (1.0, GAME)]);
        for (n, [lifted, landed]) in steps.iter().cycle().take(plies).enumerate() {
            let (second, ply) = (10.0 * (n + 1) as f64, n + 1);
            let told = format!(r#""type":"move","game":1,"ply":{ply},"san":"N","fen":"{fen}""#);
            hear(&mut health, &[(second, lifted), (second, landed), (second + 1.0, &told)]);
        }
        hear(&mut health, &[(10.0 * plies as f64 + still, LOST)]);
        kinds(&health.findings()).into_iter().filter(|(kind, _)| *kind == FindingKind::Silent).count()
    };
    assert_eq!([lost_behind(3, 60.0), lost_behind(4, 60.0), lost_behind(4, 700.0)], [0, 1, 0]);
}

// The last boards of a round are packed up one after the other, some of them soon behind their last move.
#[test]
fn a_board_without_a_clock_that_goes_when_nobody_plays_any_more_was_not_silent_in_a_game() {
    let lost_at_300 = |moved: f64, others_moved: &[f64]| {
        let mut health = Health::new();
        for board in [1025, 1026] {
            hear_of(board, &mut health, &[(0.0, STANDARD)]);
        }
        for &second in others_moved {
            hear_of(1026, &mut health, &[(second, "-d2"), (second, "+Pd4")]);
        }
        hear(&mut health, &[(moved, "-e2"), (moved, "+Pe4"), (300.0, LOST)]);
        hear_of(1026, &mut health, &[(900.0, ".")]);
        kinds(&health.findings()).into_iter().filter(|(kind, _)| *kind == FindingKind::Silent).count()
    };
    assert_eq!(lost_at_300(100.0, &[200.0]), 0);
    // The others play on; it was itself the last in play; it is alone.
    assert_eq!(
        [lost_at_300(100.0, &[200.0, 400.0]), lost_at_300(250.0, &[200.0]), lost_at_300(250.0, &[])],
        [1; 3]
    );
}

// At the end of a game that was looked at its last moves are told again.
#[test]
fn moves_that_are_told_again_behind_a_restart_were_not_played_behind_it() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let told = |ply: u32| format!(r#""type":"move","game":1,"ply":{ply},"san":"N","fen":"{fen}""#);
    let resets = |played: f64| {
        let mut health = Health::new();
        hear(&mut health, &[(0.0, STANDARD), (1.0, GAME), (10.0, "-g1"), (10.0, "+Nf3"), (11.0, &told(1))]);
        hear(&mut health, &[(60.0, LOST), (400.0, r#""type":"found","reason":"timeout""#)]);
        hear(&mut health, &[(400.0, r#""type":"mark","mark":"power-up""#)]);
        for ply in 2..8 {
            hear(&mut health, &[(played + f64::from(ply), &told(ply))]);
        }
        kinds(&health.findings()).into_iter().filter(|(kind, _)| *kind == FindingKind::Reset).count()
    };
    assert_eq!([resets(20.0), resets(500.0)], [0, 1]);
}
