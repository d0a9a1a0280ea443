//! Clocks are read as often as the free line allows, those of boards in play most often.

use super::*;

/// For each of these boards the longest time in seconds between two reads of its clock, after the first half minute.
fn gaps(bus: &FakeBus, boards: std::ops::Range<u16>) -> Vec<f64> {
    let of = |board: u16| {
        let asked = bus.sent.iter().filter(|(at, c)| {
            *at > seconds(30.0) && c[0] == 0x81 && u16::from(c[1]) << 7 | u16::from(c[2]) == board
        });
        let times: Vec<f64> = asked.map(|(at, _)| at.as_secs_f64()).collect();
        times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    };
    boards.map(of).collect()
}

#[test]
fn clocks_in_play_are_read_every_second() {
    // Clocks of boards at rest are read every minute.
    let mut bus = FakeBus::new(1025..1028, 3);
    let mut random = Random::new(4);
    bus.boards.iter_mut().for_each(marked);
    for board in &mut bus.boards[..2] {
        play(board, &mut random, 10.0, 300.0, 4.0);
    }
    let (bus, _) = watch(bus, QUIET, 300.0).into_parts();
    for gap in gaps(&bus, 1025..1027) {
        assert!((1.0..1.3).contains(&gap), "{gap}");
    }
    for gap in gaps(&bus, 1027..1028) {
        assert!((60.0..61.0).contains(&gap), "{gap}");
    }
}

#[test]
fn clocks_at_rest_are_read_beside_many_in_play() {
    let mut bus = FakeBus::new(1025..1065, 3);
    let mut random = Random::new(4);
    bus.boards.iter_mut().for_each(marked);
    for board in &mut bus.boards[..20] {
        play(board, &mut random, 10.0, 900.0, 4.0);
    }
    let (bus, _) = watch(bus, QUIET, 900.0).into_parts();
    let longest = |boards| gaps(&bus, boards).into_iter().fold(0.0, f64::max);
    let (in_play, at_rest) = (longest(1025..1045), longest(1045..1065));
    println!("clocks in play within {in_play:.1} s, of boards at rest within {at_rest:.1} s");
    assert!(in_play < 5.0, "{in_play}");
    assert!((60.0..300.0).contains(&at_rest), "{at_rest}");
}

#[test]
fn on_a_full_line_every_clock_is_read_between_polls() {
    let (bus, _) = watch(full_line(3, 10.0, 300.0, 1.0), QUIET, 300.0).into_parts();
    let longest = gaps(&bus, 1025..1089).into_iter().fold(0.0, f64::max);
    let count = |command: u8| bus.sent.iter().filter(|(_, sent)| sent[0] == command).count();
    println!("each clock within {longest:.1} s; {} polls, {} clocks", count(0x83), count(0x81));
    assert!(longest > 0.0 && longest < 60.0, "{longest}");
    assert!(count(0x83) > 7 * count(0x81));
}
