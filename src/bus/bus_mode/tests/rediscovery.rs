//! Boards that are switched on during a round are found, and those in play hardly wait for the search.

use super::*;

const EVERY: WatchSettings =
    WatchSettings { start_marks: false, rediscover: Some(Duration::from_secs(300)), ..SETTINGS };

/// Sixty-four boards in play, a move on each every few seconds.
fn busy() -> FakeBus {
    full_line(5, 5.0, 400.0, 5.0)
}

/// Watches the boards that answer at the beginning.
fn begin(bus: FakeBus, settings: WatchSettings) -> FakeWatch {
    let mut watch = Poller::new(bus, Kept::default(), settings, BTreeMap::new());
    let on = watch.line.link.boards.iter().filter(|board| board.powered);
    let on: Vec<u16> = on.map(|board| board.address).collect();
    watch.find(&on, true).unwrap();
    watch
}

fn run_until(watch: &mut FakeWatch, until: f64) {
    watch.settings.seconds = Some(seconds(until));
    watch.run().unwrap();
}

/// Polls until this number of boards were silenced.
fn until_silenced(watch: &mut FakeWatch, boards: usize) {
    while times(&watch.line.link, 0x8a).len() < boards {
        watch.step().unwrap();
    }
}

fn times(bus: &FakeBus, command: u8) -> Vec<Duration> {
    bus.sent.iter().filter(|(_, sent)| sent[0] == command).map(|(at, _)| *at).collect()
}

fn broadcasts(bus: &FakeBus) -> Vec<Duration> {
    bus.sent.iter().filter(|(_, sent)| sent[..3] == [0x87, 0, 0]).map(|(at, _)| *at).collect()
}

/// The longest time without a poll.
fn longest_gap(bus: &FakeBus) -> Duration {
    let polls: Vec<Duration> = times(bus, 0x83).into_iter().filter(|at| *at > seconds(10.0)).collect();
    polls.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
}

fn nothing_is_lost(bus: &FakeBus, records: &[BoardRecord]) {
    for board in &bus.boards {
        assert_eq!(published(records, board.address), logged(board), "board {}", board.address);
    }
}

#[test]
fn a_search_delays_boards_in_play_only_for_its_ping() {
    let mut watch = begin(busy(), EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    let pinged = broadcasts(&bus);
    println!("longest gap {:?}, broadcast at {pinged:?}", longest_gap(&bus));
    // At least every five minutes.
    assert!(pinged.len() == 1 && pinged[0] > seconds(295.0) && pinged[0] < seconds(302.0), "{pinged:?}");
    assert!(longest_gap(&bus) < seconds(1.25), "{:?}", longest_gap(&bus));
    // Answers come within 1100 ms, and no board is polled meanwhile.
    let after = bus.sent.iter().map(|(at, _)| *at).find(|at| *at > pinged[0]).unwrap();
    assert!(after >= pinged[0] + seconds(1.1));
    // Each board was silenced once, and others were polled between two of them.
    let silenced = times(&bus, 0x8a);
    assert_eq!(silenced.len(), 64);
    assert!(silenced.windows(2).all(|pair| pair[1] - pair[0] > seconds(0.08)));
    assert_eq!(faults(&records), 0);
    nothing_is_lost(&bus, &records);
}

#[test]
fn a_board_switched_on_during_a_round_is_watched() {
    let mut bus = busy();
    let late = &mut bus.boards[40];
    (late.powered, late.log, late.start, late.pending) = (false, Vec::new(), None, 0);
    late.script.clear();
    late.script.push_back((seconds(60.0), Action::Power(true)));
    play(late, &mut Random::new(9), 310.0, 400.0, 3.0);
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    let found = records.iter().find(|record| record.board == Some(1065)).unwrap();
    assert_eq!(found.event.kind(), "board");
    assert!(found.time.unwrap().0 < 303_000, "{:?}", found.time);
    assert!(longest_gap(&bus) < seconds(1.35), "{:?}", longest_gap(&bus));
    assert_eq!(faults(&records), 0);
    nothing_is_lost(&bus, &records);
}

#[test]
fn a_quiet_hall_is_searched_early() {
    let mut bus = FakeBus::new([1025, 1026], 1);
    bus.boards[1].powered = false;
    bus.boards[1].script.push_back((seconds(60.0), Action::Power(true)));
    let mut watch = begin(bus, WatchSettings { start_marks: true, ..EVERY });
    run_until(&mut watch, 260.0);
    let (bus, Kept(records)) = watch.into_parts();
    assert_eq!(kinds(&records, 1026)[0], "board");
    assert_eq!(published(&records, 1026), logged(&bus.boards[1]));
    assert_eq!(faults(&records), 0);
}

#[test]
fn boards_are_polled_between_the_rounds_of_a_search() {
    // Many boards are switched on at the same time.
    let mut bus = busy();
    for late in &mut bus.boards[32..] {
        (late.powered, late.log, late.start, late.pending) = (false, Vec::new(), None, 0);
        late.script.clear();
        late.script.push_back((seconds(60.0), Action::Power(true)));
    }
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    let pinged = broadcasts(&bus);
    println!("longest gap {:?}, {} broadcasts", longest_gap(&bus), pinged.len());
    // Two quiet rounds end the search, since answers may have overlapped.
    assert!((3..=8).contains(&pinged.len()), "{pinged:?}");
    for pair in pinged.windows(2) {
        let polls = times(&bus, 0x83).into_iter().filter(|at| (pair[0]..pair[1]).contains(at));
        assert!(polls.count() > 100);
    }
    let boards: Vec<u16> =
        records.iter().filter(|r| r.event.kind() == "board").filter_map(|r| r.board).collect();
    assert_eq!(boards.len(), 64);
    nothing_is_lost(&bus, &records);
}

#[test]
fn answers_of_known_boards_are_not_reported() {
    for forgetful in [1, 8] {
        let mut watch = begin(busy(), EVERY);
        run_until(&mut watch, 200.0);
        until_silenced(&mut watch, 64);
        for board in &mut watch.line.link.boards[..forgetful] {
            board.silenced = false;
        }
        run_until(&mut watch, 420.0);
        let (bus, Kept(records)) = watch.into_parts();
        // If answers overlapped, a board may have been missed, so up to two more rounds follow.
        assert!(broadcasts(&bus).len() <= if forgetful == 1 { 1 } else { 3 });
        assert_eq!(records.iter().filter(|record| record.event.kind() == "board").count(), 64);
        assert_eq!(faults(&records), 0);
        nothing_is_lost(&bus, &records);
    }
}

#[test]
fn a_board_reset_during_silencing_is_silenced_again() {
    let mut bus = busy();
    bus.boards[0].script.clear();
    bus.boards[0].script.push_back((seconds(297.0), Action::Watchdog));
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    assert_eq!(bus.boards[0].asked.iter().filter(|&&command| command == 0x8a).count(), 2);
    assert_eq!(bus.boards[1].asked.iter().filter(|&&command| command == 0x8a).count(), 1);
    assert_eq!(broadcasts(&bus).len(), 1);
    nothing_is_lost(&bus, &records);
}

#[test]
fn a_lost_board_does_not_delay_the_search() {
    let mut bus = busy();
    bus.boards[7].script.clear();
    bus.boards[7].script.push_back((seconds(100.0), Action::Power(false)));
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    assert_eq!(times(&bus, 0x8a).len(), 63);
    let pinged = broadcasts(&bus);
    assert!(pinged.len() == 1 && pinged[0] < seconds(302.0), "{pinged:?}");
    nothing_is_lost(&bus, &records);
}

#[test]
fn an_adapter_pulled_out_delays_the_search() {
    let mut bus = busy();
    bus.unplugged = Some((seconds(297.0), seconds(310.0)));
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    let pinged = broadcasts(&bus);
    assert!(pinged.len() == 1 && pinged[0] > seconds(320.0) && pinged[0] < seconds(340.0), "{pinged:?}");
    // Polls of boards with logged changes come between, and all boards are silenced again.
    let before = times(&bus, 0x8a).into_iter().filter(|at| *at > seconds(310.0));
    assert_eq!(before.count(), 64);
    nothing_is_lost(&bus, &records);
}

#[test]
fn a_noisy_line_is_searched_twice_and_reported() {
    let mut bus = busy();
    bus.stranger_after_pings = true;
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let (bus, Kept(records)) = watch.into_parts();
    assert_eq!(broadcasts(&bus).len(), 2);
    assert!(longest_gap(&bus) < seconds(1.25), "{:?}", longest_gap(&bus));
    let fault = records.iter().find(|record| record.event.kind() == "fault").unwrap();
    assert!(
        serde_json::to_string(fault)
            .unwrap()
            .contains("4 bytes after a broadcast ping are no board's answer")
    );
    nothing_is_lost(&bus, &records);
}

#[test]
fn a_second_board_with_the_same_address_is_a_fault() {
    let mut bus = busy();
    let mut twin = FakeBoard::new(1025);
    twin.powered = false;
    twin.script.push_back((seconds(60.0), Action::Power(true)));
    bus.boards.push(twin);
    let mut watch = begin(bus, EVERY);
    run_until(&mut watch, 420.0);
    let Kept(records) = watch.into_parts().1;
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    let named = lines.iter().filter(|line| line.contains("two boards have this address")).collect::<Vec<_>>();
    assert!(named.len() == 1 && named[0].contains(r#""board":1025"#), "{named:?}");
}
