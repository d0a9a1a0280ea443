//! Lines with late answers, as from a serial server on a network: found, measured, and read without a loss.

use super::*;
use crate::bus::bus_mode::{discovery::Search, exchange::BusLine};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A hall in play on a network with this delay in milliseconds; if `stalls`, one answer in a hundred stalls.
fn hall(boards: u16, delay: u64, stalls: bool, seed: u64) -> FakeBus {
    let mut bus = FakeBus::new(1025..1025 + boards, seed);
    bus.network = (ms(delay), if stalls { 0.01 } else { 0.0 }, ms(400));
    let mut random = Random::new(seed + 7);
    for board in &mut bus.boards {
        play(board, &mut random, 5.0, 100.0, 4.0);
    }
    bus
}

#[test]
fn a_line_with_late_answers_is_read_without_loss() {
    for delay in [0, 30, 70, 76, 90, 100, 250, 400, 700] {
        for stalls in [false, true] {
            for boards in [1, 6] {
                let watch = watch(hall(boards, delay, stalls, delay), SETTINGS, 140.0);
                let what = format!("{boards} boards, {delay} ms, stalls: {stalls}");
                let (bus, kept) = watch.into_parts();
                for board in &bus.boards {
                    assert_eq!(published(&kept.0, board.address), logged(board), "{what}");
                    assert_eq!(board.pending, board.log.len(), "{what}");
                    assert!(board.log.len() > 60, "{what}: {}", board.log.len());
                }
                let lost = kept.0.iter().filter(|record| matches!(record.event, BoardEvent::Lost(_))).count();
                assert_eq!(lost, 0, "{what}");
                let faults =
                    kept.0.iter().filter(|record| matches!(record.event, BoardEvent::Fault(_))).count();
                // Time-outs until the delay is measured, and of a command and its repetitions at each stall.
                let most = 12 + if stalls { bus.sent.len() / 100 * 5 } else { 0 };
                assert!(faults <= most, "{what}: {faults} faults");
            }
        }
    }
}

#[test]
fn a_line_that_becomes_slow_is_read_without_loss() {
    for delay in [60, 90, 150, 300] {
        let mut watch = Poller::new(hall(4, 0, false, delay), Kept::default(), SETTINGS, BTreeMap::new());
        watch.find(&[1025, 1026, 1027, 1028], true).unwrap();
        while watch.now() < seconds(140.0) {
            watch.step().unwrap();
            if watch.now() > seconds(30.0) {
                watch.line.link.network.0 = ms(delay);
            }
        }
        let (bus, kept) = watch.into_parts();
        for board in &bus.boards {
            assert_eq!(published(&kept.0, board.address), logged(board), "{delay} ms");
            assert_eq!(board.pending, board.log.len(), "{delay} ms");
        }
    }
}

#[test]
fn a_search_finds_all_boards_and_measures_the_delay() {
    for (delay, expected) in
        [(90, &[][..]), (90, &[1025, 1030, 1099]), (250, &[]), (250, &[1025]), (600, &[])]
    {
        let mut line = BusLine::new(hall(12, delay, false, 3));
        let mut report = |_: crate::bus::SearchEvent| Ok(());
        let mut search = Search::new(&mut line, [], &mut report);
        search.all(expected).unwrap();
        let mut found: Vec<u16> = search.found.iter().map(|found| found.board).collect();
        found.sort();
        assert_eq!(found, (1025..1037).collect::<Vec<_>>(), "{delay} ms");
        let slow = line.slow().unwrap();
        assert!((ms(delay)..ms(delay + 30)).contains(&slow), "{delay} ms: {slow:?}");
    }
    let mut line = BusLine::new(hall(12, 0, false, 3));
    Search::new(&mut line, [], &mut |_| Ok(())).all(&[]).unwrap();
    assert_eq!(line.slow(), None);
}

#[test]
fn a_user_s_time_out_holds_from_the_start() {
    for (set, answered) in [(300, true), (150, false)] {
        let mut bus = hall(1, 250, false, 1);
        bus.patience = Some(ms(set));
        let mut line = BusLine::new(bus);
        let answer = line.ask(crate::wire::command::BusCommand::Ping, 1025).unwrap();
        assert_eq!(matches!(answer, crate::bus::bus_mode::exchange::Answer::Whole(_)), answered);
    }
}
