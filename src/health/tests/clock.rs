//! Clocks that are disconnected, and boards that are put away with them.

use super::{FindingKind, Health, feed, feed_board, kinds};

/// The findings after 1.e4 beside a running clock and these records.
fn found(then: &[(f64, &str)]) -> Vec<FindingKind> {
    let mut health = Health::new();
    feed(
        &mut health,
        &[(0.0, "start"), (1.0, "game"), (2.0, "clock"), (10.0, "-e2"), (10.0, "+Pe4"), (11.0, "e4 pressed")],
    );
    feed(&mut health, then);
    kinds(&health.findings()).into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn clock_disconnected_during_play_is_found() {
    let away = [FindingKind::ClockDisconnected];
    let played = [(60.0, "unplugged"), (90.0, "-e7"), (90.0, "+pe5"), (91.0, "e5")];
    let plugged_in = [(60.0, "unplugged"), (80.0, "clock")];
    assert_eq!([found(&played), found(&plugged_in)], [away, away]);
    // It was stopped at the last reading; a press shows that it was started since.
    let started = |press: &'static str| [&[(30.0, "stopped"), (59.0, press)], &played[..]].concat();
    assert_eq!([found(&started("L")), found(&started("."))], [&away[..], &[]]);
}

#[test]
fn clock_switched_off_after_its_game_is_ignored() {
    // The repeated move has its original time.
    let repeated = (11.0, "e4 pressed");
    let next_begins = [(60.0, "unplugged"), repeated, (200.0, "game 2"), (210.0, "clock")];
    let nothing_more = [(60.0, "unplugged"), repeated, (200.0, "lost")];
    assert_eq!(found(&next_begins), []);
    assert_eq!(found(&nothing_more), []);
}

#[test]
fn board_packed_up_after_its_clock_was_not_silent() {
    let packed = [(60.0, "stopped"), (300.0, "unplugged"), (600.0, "lost"), (1800.0, "found")];
    assert_eq!(found(&packed), []);
    // Play that continues without a clock is a game.
    let mut played_on = packed.to_vec();
    played_on.splice(2..2, [(400.0, "-e7"), (400.0, "+pe5"), (401.0, "e5")]);
    assert_eq!(found(&played_on), [FindingKind::Silent]);
}

#[test]
fn next_game_may_be_played_without_the_clock() {
    // There are no game records.
    let mut health = Health::new();
    feed(
        &mut health,
        &[
            (0.0, "start"),
            (2.0, "clock"),
            (10.0, "-e2"),
            (10.0, "+Pe4"),
            (60.0, "stopped"),
            (300.0, "unplugged"),
        ],
    );
    feed(
        &mut health,
        &[(400.0, "-e4"), (400.0, "+Pe2"), (410.0, "."), (500.0, "-d2"), (501.0, "+Pd4"), (600.0, "lost")],
    );
    assert_eq!(kinds(&health.findings()), [(FindingKind::Silent, None)]);
}

#[test]
fn board_packed_up_after_few_moves_was_not_silent() {
    let steps = [["-g1", "+Nf3"], ["-g8", "+nf6"], ["-f3", "+Ng1"], ["-f6", "+ng8"]];
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let lost_behind = |plies: usize, still: f64| {
        let mut health = Health::new();
        feed(&mut health, &[(0.0, "start"), (1.0, "game")]);
        for (n, [lifted, landed]) in steps.iter().cycle().take(plies).enumerate() {
            let (second, ply) = (10.0 * (n + 1) as f64, n + 1);
            let records = format!(r#""type":"move","game":1,"ply":{ply},"san":"N","fen":"{fen}""#);
            feed(&mut health, &[(second, lifted), (second, landed), (second + 1.0, &records)]);
        }
        feed(&mut health, &[(10.0 * plies as f64 + still, "lost")]);
        kinds(&health.findings()).into_iter().filter(|(kind, _)| *kind == FindingKind::Silent).count()
    };
    assert_eq!([lost_behind(3, 60.0), lost_behind(4, 60.0), lost_behind(4, 700.0)], [0, 1, 0]);
}

// The last boards of a round are packed up one after the other, some soon after their last move.
#[test]
fn board_lost_after_the_last_game_was_not_silent() {
    let lost_at_300 = |moved: f64, others_moved: &[f64]| {
        let mut health = Health::new();
        for board in [1025, 1026] {
            feed_board(board, &mut health, &[(0.0, "start")]);
        }
        for &second in others_moved {
            feed_board(1026, &mut health, &[(second, "-d2"), (second, "+Pd4")]);
        }
        feed(&mut health, &[(moved, "-e2"), (moved, "+Pe4"), (300.0, "lost")]);
        feed_board(1026, &mut health, &[(900.0, ".")]);
        kinds(&health.findings()).into_iter().filter(|(kind, _)| *kind == FindingKind::Silent).count()
    };
    assert_eq!(lost_at_300(100.0, &[200.0]), 0);
    // The others play on; it was the last in play; it is alone.
    assert_eq!(
        [lost_at_300(100.0, &[200.0, 400.0]), lost_at_300(250.0, &[200.0]), lost_at_300(250.0, &[])],
        [1; 3]
    );
}

// At the end of analysis the last moves of the game are reported again.
#[test]
fn moves_repeated_after_a_restart_were_played_before_it() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let records = |ply: u32| format!(r#""type":"move","game":1,"ply":{ply},"san":"N","fen":"{fen}""#);
    let resets = |played: f64| {
        let mut health = Health::new();
        feed(
            &mut health,
            &[(0.0, "start"), (1.0, "game"), (10.0, "-g1"), (10.0, "+Nf3"), (11.0, &records(1))],
        );
        feed(&mut health, &[(60.0, "lost"), (400.0, "found")]);
        feed(&mut health, &[(400.0, "power-up")]);
        for ply in 2..8 {
            feed(&mut health, &[(played + f64::from(ply), &records(ply))]);
        }
        kinds(&health.findings()).into_iter().filter(|(kind, _)| *kind == FindingKind::Reset).count()
    };
    assert_eq!([resets(20.0), resets(500.0)], [0, 1]);
}
