//! How soon every board has its turn, on a free line and on a full one.

use super::*;

#[test]
fn a_round_takes_little_more_than_its_bytes() {
    let settings = WatchSettings { start_marks: false, ..SETTINGS };
    let (bus, _) = watch(FakeBus::new(1025..1089, 3), settings, 90.0).into_parts();
    let late = bus.sent.iter().filter(|(at, _)| *at > seconds(30.0));
    let polls = late.filter(|(_, command)| command[0] == 0x83).count();
    let round = 60.0 * 64.0 / polls as f64;
    // 10 bytes and a latency of 2.5 ms on average.
    let least = 64.0 * (10.0 * BYTE.as_secs_f64() + 0.0025);
    println!("a round of 64 idle boards: {round:.3} s, {:.3} of the least", round / least);
    assert!(round < 1.15 * least, "{round} against {least}");
}

#[test]
fn sixty_four_boards_in_play_fill_the_line() {
    let mut bus = FakeBus::new(1025..1089, 5);
    let mut random = Random::new(6);
    for board in &mut bus.boards {
        play(board, &mut random, 60.0, 300.0, 4.0);
    }
    let settings = WatchSettings { seconds: Some(seconds(120.0)), ..SETTINGS };
    let addresses: Vec<u16> = (1025..1089).collect();
    let mut watch = Poller::new(bus, Kept::default(), settings, BTreeMap::new());
    watch.find(&addresses, true).unwrap();
    watch.run().unwrap();
    let used = watch.line.link.used;
    watch.settings.seconds = Some(seconds(240.0));
    watch.run().unwrap();
    let share = (watch.line.link.used - used).as_secs_f64() / 120.0;
    println!("the line carries bytes or waits for a board's own latency {:.1} % of the time", share * 100.0);
    assert!(share > 0.9, "{share}");
}

#[test]
fn sixty_four_boards_get_their_start_marks_soon() {
    let addresses: Vec<u16> = (1025..1089).collect();
    let mut watch =
        Poller::new(FakeBus::new(addresses.clone(), 4), Kept::default(), SETTINGS, BTreeMap::new());
    watch.find(&addresses, false).unwrap();
    let found = watch.now();
    watch.settings.seconds = Some(found + seconds(35.0));
    watch.run().unwrap();
    let (bus, Kept(records)) = watch.into_parts();
    assert!(bus.boards.iter().all(|board| board.start.is_some()));
    let marks = records.iter().filter(|record| record.event.kind() == "mark");
    let last = marks.filter_map(|record| record.time).max().unwrap();
    println!(
        "the last of 64 start marks {:.1} s after the search",
        last.0 as f64 / 1000.0 - found.as_secs_f64()
    );
}

#[test]
fn a_board_is_polled_again_soon_after_a_report() {
    // Sixty-four long games: a move in twenty seconds on each board.
    let (bus, Kept(records)) = watch(full_line(5, 20.0, 200.0, 20.0), QUIET, 200.0).into_parts();
    let (mut next_polls, mut rounds) = (Vec::new(), Vec::new());
    for board in &bus.boards {
        let address = [(board.address >> 7) as u8, (board.address & 0x7f) as u8];
        let polls =
            bus.sent.iter().filter(|(at, c)| c[0] == 0x83 && c[1..3] == address && *at > seconds(60.0));
        let polls: Vec<i64> = polls.map(|(at, _)| at.as_millis() as i64).collect();
        rounds.extend(polls.windows(2).map(|pair| pair[1] - pair[0]));
        let reports = records
            .iter()
            .filter(|r| r.board == Some(board.address) && !["quiet", "answers"].contains(&r.event.kind()));
        for at in reports.filter_map(|record| record.time).filter(|at| at.0 > 60_000) {
            next_polls.extend(polls.iter().find(|&&poll| poll >= at.0).map(|poll| poll - at.0));
        }
    }
    let quantile = |of: &mut Vec<i64>, part: f64| {
        of.sort();
        of[((of.len() - 1) as f64 * part) as usize]
    };
    let (next_poll, round) = (quantile(&mut next_polls, 0.99), quantile(&mut rounds, 0.99));
    println!("99 % of the next polls within {next_poll} ms, of the rounds within {round} ms");
    // A change must be in a game on disk within a round and a second: half of the second is left for other delays.
    assert!(next_polls.len() > 1000 && next_poll < 500, "{next_poll}");
    // A few boards with both kings in the centre are polled less often, as after a game.
    assert!(round < 1250 && *rounds.last().unwrap() < 2500, "{round}, {:?}", rounds.last());
}

#[test]
fn a_board_at_rest_is_polled_beside_busy_ones() {
    let mut bus = FakeBus::new(1025..1089, 8);
    let mut random = Random::new(9);
    for board in &mut bus.boards {
        marked(board);
    }
    for board in &mut bus.boards[1..] {
        play(board, &mut random, 20.0, 200.0, 0.3);
    }
    let (bus, _) = watch(bus, QUIET, 200.0).into_parts();
    let asked = bus.sent.iter().filter(|(at, c)| *at > seconds(60.0) && c[..3] == [0x83, 0x08, 0x01]);
    let times: Vec<Duration> = asked.map(|(at, _)| *at).collect();
    let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    println!("a board at rest is asked within {longest:?}");
    // On a full line boards at rest are polled half as often as the others.
    assert!(times.len() > 25 && longest < seconds(6.0), "{longest:?}");
}

#[test]
fn start_marks_hardly_delay_boards_in_play() {
    let addresses: Vec<u16> = (1025..1089).collect();
    let mut bus = FakeBus::new(addresses.clone(), 4);
    let mut random = Random::new(5);
    let mut moved = Vec::new();
    for board in &mut bus.boards[..8] {
        // From before the first start mark to after the last.
        play(board, &mut random, 8.0, 40.0, 2.0);
        let moves = board.script.iter().filter(|(_, action)| matches!(action, Action::Field(..)));
        moved.push(moves.map(|(at, _)| *at).collect::<Vec<Duration>>());
    }
    let Kept(records) = watch(bus, SETTINGS, 50.0).into_parts().1;
    let mut delays = Vec::new();
    for (board, moved) in (1025..).zip(moved) {
        let changes = records.iter().filter(|r| r.board == Some(board) && r.event.kind() == "change");
        let times: Vec<Duration> =
            changes.map(|record| Duration::from_millis(record.time.unwrap().0 as u64)).collect();
        let own = &times[times.len() - moved.len()..];
        delays.extend(own.iter().zip(moved).map(|(published, moved)| published.saturating_sub(moved)));
    }
    delays.sort();
    println!(
        "published after {:?} at most, half of them after {:?}",
        delays[delays.len() - 1],
        delays[delays.len() / 2]
    );
    // The first move after a start mark waits longest: the board counts as at rest until then.
    assert!(delays[delays.len() - 1] < seconds(3.0));
}
