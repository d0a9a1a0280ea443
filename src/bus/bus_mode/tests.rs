//! Whole watches of a simulated hall: every entry that its boards logged must be published, in order, once.

use std::{collections::BTreeMap, time::Duration};

use super::{
    fake_bus::{Action, FakeBoard, FakeBus, Random, START},
    poll::Poller,
};
use crate::{
    bus::{
        link::BYTE,
        watch::{RecordSink, Watch as _, WatchSettings},
    },
    error::Result,
    record::{BoardEvent, BoardRecord, Change, MarkKind, Press, Side},
};

mod clocks;
mod fairness;
mod odd_boards;
mod overheard;
mod precious;
mod pulled;
mod questions;
mod rediscovery;
mod restart;
mod same_records;
mod settled;
mod slow_lines;
mod turns;

/// Keeps all records.
#[derive(Default)]
pub(in crate::bus) struct Kept(pub Vec<BoardRecord>);

impl RecordSink for Kept {
    fn put(&mut self, records: Vec<BoardRecord>) -> Result<u64> {
        self.0.extend(records);
        Ok(self.0.len() as u64)
    }

    fn safe(&self, _: u64) -> bool {
        true
    }

    fn wanted(&self) -> bool {
        true
    }
}

type FakeWatch = Poller<FakeBus, Kept>;

pub(in crate::bus) const SETTINGS: WatchSettings =
    WatchSettings { configure: false, start_marks: true, rediscover: None, give_up: None, seconds: None };
const QUIET: WatchSettings = WatchSettings { start_marks: false, ..SETTINGS };

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// Watches the hall's boards until this time.
fn watch(bus: FakeBus, settings: WatchSettings, until: f64) -> FakeWatch {
    let addresses: Vec<u16> = bus.boards.iter().map(|board| board.address).collect();
    let settings = WatchSettings { seconds: Some(seconds(until)), ..settings };
    let mut watch = Poller::new(bus, Kept::default(), settings, BTreeMap::new());
    watch.find(&addresses, true).unwrap();
    watch.run().unwrap();
    watch
}

fn kinds(records: &[BoardRecord], board: u16) -> Vec<&'static str> {
    let own = records.iter().filter(|record| record.board == Some(board)).map(|record| record.event.kind());
    // `answers` records come once a minute, independent of play.
    own.filter(|kind| *kind != "answers").collect()
}

/// What was published of this board's log since its last start mark, as bytes of that log; a complete `history` replaces
/// what came before it.
fn published(records: &[BoardRecord], board: u16) -> Vec<u8> {
    let mut log: Vec<u8> = Vec::new();
    for record in records.iter().filter(|record| record.board == Some(board)) {
        match &record.event {
            BoardEvent::History(history) if history.complete => log.clear(),
            BoardEvent::Change(Change { square, piece, quick }) => {
                let quick = u8::from(*quick == Some(true)) << 4;
                log.extend([0x40 | quick | piece.map_or(0, |p| p.code()), square.field()]);
            }
            BoardEvent::Press(Press { side, seconds }) => {
                let n = seconds.0 as u32;
                let bcd = |n: u32| (n / 10 * 16 + n % 10) as u8;
                let side = if *side == Side::Left { 0x70 } else { 0x60 };
                log.extend([side | (n / 3600) as u8, bcd(n / 60 % 60), bcd(n % 60)]);
            }
            BoardEvent::Mark(mark) => match mark.mark {
                MarkKind::Start => log = vec![0x7b],
                MarkKind::PowerUp => log.extend([0x7f, 0x7f, 0x7f, 0x6a]),
                MarkKind::Watchdog => log.push(0x7c),
                _ => {}
            },
            _ => {}
        }
    }
    log
}

/// The entries that a board logged since its last start mark and sent.
fn logged(board: &FakeBoard) -> &[u8] {
    &board.log[board.start.unwrap_or(0)..board.pending]
}

/// Moves of random pieces to random fields, some only touched; most with a press.
fn play(board: &mut FakeBoard, random: &mut Random, from: f64, until: f64, every: f64) {
    let mut fields = START;
    for (_, action) in &board.script {
        if let Action::Field(field, code) = action {
            fields[*field as usize] = *code;
        }
    }
    let (mut at, mut clock, mut side) = (from, 5400u32, 0x70);
    loop {
        at += every * (0.3 + random.below(1400) as f64 / 1000.0);
        if at >= until {
            return;
        }
        let from = loop {
            let field = random.below(64) as usize;
            if fields[field] != 0 {
                break field;
            }
        };
        let to = if random.chance(0.2) { from } else { random.below(64) as usize };
        let piece = std::mem::replace(&mut fields[from], 0);
        fields[to] = piece;
        board.script.push_back((seconds(at), Action::Field(from as u8, 0)));
        board.script.push_back((seconds(at + 0.3), Action::Field(to as u8, piece)));
        at += 0.5;
        if random.chance(0.8) {
            clock = clock.saturating_sub(1);
            let bcd = |n: u32| (n / 10 * 16 + n % 10) as u8;
            let press = vec![side | (clock / 3600) as u8, bcd(clock / 60 % 60), bcd(clock % 60)];
            board.script.push_back((seconds(at), Action::Log(press)));
            side ^= 0x10;
        }
    }
}

fn is_unplugged(record: &BoardRecord) -> bool {
    matches!(&record.event, BoardEvent::Found(link) if link.reason == "port-closed")
}

fn faults(records: &[BoardRecord]) -> usize {
    records.iter().filter(|record| record.event.kind() == "fault").count()
}

#[test]
fn a_board_at_rest_is_introduced_and_marked() {
    let watch = watch(FakeBus::new([1025], 1), SETTINGS, 20.0);
    let (bus, Kept(records)) = watch.into_parts();
    let kinds = kinds(&records, 1025);
    assert_eq!(kinds[..3], ["board", "position", "clock"]);
    assert_eq!(kinds[3], "mark");
    assert!(kinds[4..36].iter().all(|&kind| kind == "change"));
    // After the list, and when the position has settled.
    assert_eq!(kinds[36..], ["quiet", "quiet"]);
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    let line = serde_json::to_string(&records[3]).unwrap();
    assert!(line.contains(r#""mark":"start","listing":true"#), "{line}");
}

#[test]
fn a_lost_command_after_a_mark_repeats_nothing() {
    let mut bus = FakeBus::new([1025], 1);
    bus.command_lost_after = Some(0x85);
    let (bus, Kept(records)) = watch(bus, SETTINGS, 20.0).into_parts();
    assert_eq!(bus.command_lost_after, None);
    assert_eq!(kinds(&records, 1025).iter().filter(|&&kind| kind == "mark").count(), 1);
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
}

#[test]
fn a_start_mark_is_published_without_a_list() {
    let mut bus = FakeBus::new([1025], 1);
    bus.marks_without_list = true;
    let (_, Kept(records)) = watch(bus, SETTINGS, 20.0).into_parts();
    let kinds = kinds(&records, 1025);
    let mark = kinds.iter().position(|&kind| kind == "mark").unwrap();
    assert_eq!(kinds[mark..mark + 2], ["mark", "position"]);
    let line = serde_json::to_string(&records.iter().find(|r| r.event.kind() == "mark").unwrap()).unwrap();
    assert!(line.contains(r#""mark":"start"}"#), "{line}");
    assert_eq!(kinds.iter().filter(|&&kind| kind == "mark").count(), 1);
}

#[test]
fn without_start_marks_none_is_written() {
    let settings = WatchSettings { start_marks: false, ..SETTINGS };
    let (bus, Kept(records)) = watch(FakeBus::new([1025], 1), settings, 20.0).into_parts();
    assert_eq!(bus.boards[0].start, None);
    assert!(!kinds(&records, 1025).contains(&"mark"));
}

#[test]
fn a_game_in_play_is_read_from_the_log() {
    let mut bus = FakeBus::new([1025], 1);
    let board = &mut bus.boards[0];
    board.log = vec![0x7b];
    board.start = Some(0);
    for (field, &code) in START.iter().enumerate().filter(|(_, code)| **code != 0) {
        board.log.extend([0x40 | code, field as u8]);
    }
    board.log.extend([0x40, 0x34, 0x41, 0x24]);
    board.pending = board.log.len();
    board.fields[0x34] = 0;
    board.fields[0x24] = 1;
    board.moves(0x0c, 0x1c, 7, Duration::ZERO);
    let (bus, Kept(records)) = watch(bus, SETTINGS, 30.0).into_parts();
    assert_eq!(bus.boards[0].start, Some(0));
    let kinds = kinds(&records, 1025);
    assert_eq!(kinds[..3], ["board", "history", "mark"]);
    assert_eq!(kinds.iter().filter(|&&kind| kind == "change").count(), 32 + 4);
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert_eq!(faults(&records), 0);
}

#[test]
fn a_hall_is_published_without_loss_or_fault() {
    let mut bus = FakeBus::new(1025..1089, 5);
    let mut random = Random::new(6);
    for board in &mut bus.boards {
        play(board, &mut random, 60.0, 300.0, 4.0);
    }
    let (bus, Kept(records)) = watch(bus, SETTINGS, 310.0).into_parts();
    assert_eq!(faults(&records), 0);
    for board in &bus.boards {
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
        assert!(!kinds(&records, board.address).contains(&"history"), "board {}", board.address);
    }
}

#[test]
fn noise_resets_and_an_unplugged_adapter_lose_nothing() {
    for seed in 0..3 {
        let mut bus = FakeBus::new(1025..1089, seed);
        (bus.noise, bus.dropped) = (0.001, 0.005);
        bus.unplugged = Some((seconds(300.0), seconds(320.0)));
        let mut random = Random::new(seed + 100);
        for (n, board) in bus.boards.iter_mut().enumerate() {
            play(board, &mut random, 60.0, 400.0, 3.0);
            if n % 8 == 0 {
                board.script.push_back((seconds(410.0), Action::Watchdog));
            }
            play(board, &mut random, 420.0, 840.0, 3.0);
        }
        let (bus, Kept(records)) = watch(bus, SETTINGS, 960.0).into_parts();
        for board in &bus.boards {
            assert_eq!(board.pending, board.log.len());
            assert_eq!(
                published(&records, board.address),
                logged(board),
                "seed {seed}, board {}",
                board.address
            );
        }
        // Every board is back within a few rounds, though each has twenty seconds of play to send.
        let found = records.iter().filter(|record| record.event.kind() == "found" && is_unplugged(record));
        let last = found.filter_map(|record| record.time).max().unwrap();
        assert!(last.0 < 335_000, "seed {seed}: the last board was found at {last}");
        let histories = records.iter().filter(|record| record.event.kind() == "history").count();
        println!(
            "seed {seed}: {} records, {} faults, {histories} histories",
            records.len(),
            faults(&records)
        );
    }
}

/// Sixty-four boards with start marks, on each of which a piece is moved every `every` seconds in this time.
fn full_line(seed: u64, from: f64, until: f64, every: f64) -> FakeBus {
    let mut bus = FakeBus::new(1025..1089, seed);
    let mut random = Random::new(seed + 1);
    for board in &mut bus.boards {
        marked(board);
        play(board, &mut random, from, until, every);
    }
    bus
}

/// Sets a board's log to the start mark and the list of its pieces, all of it fetched.
fn marked(board: &mut FakeBoard) {
    board.log = vec![0x7b];
    board.start = Some(0);
    board.log.extend(START.iter().zip(0..).filter(|(code, _)| **code != 0).flat_map(|(c, f)| [0x40 | c, f]));
    board.pending = board.log.len();
}

#[test]
fn a_board_that_lost_its_power_is_found_again() {
    let mut bus = FakeBus::new([1025, 1026], 1);
    let board = &mut bus.boards[0];
    play(board, &mut Random::new(1), 10.0, 30.0, 2.0);
    board.script.push_back((seconds(31.0), Action::Power(false)));
    // A move while the board has no power.
    board.script.push_back((seconds(33.0), Action::Field(0x08, 0)));
    board.script.push_back((seconds(41.0), Action::Power(true)));
    let (bus, Kept(records)) = watch(bus, SETTINGS, 90.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    let kinds = kinds(&records, 1025);
    let lost = kinds.iter().position(|&kind| kind == "lost").unwrap();
    assert_eq!(kinds[lost + 1..lost + 3], ["found", "mark"]);
    assert_eq!(kinds.iter().filter(|&&kind| kind == "lost").count(), 1);
    assert!(!kinds.contains(&"position") || !kinds[lost..].contains(&"position"));
}

#[test]
fn a_packet_lost_in_a_reset_is_recovered() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    let settings = WatchSettings { start_marks: false, ..SETTINGS };
    // One move, whose packet does not arrive, and a reset before it can be repeated.
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    bus.answers_lost = Some((seconds(5.0), seconds(6.0)));
    bus.boards[0].script.push_back((seconds(5.9), Action::Watchdog));
    let (bus, Kept(records)) = watch(bus, settings, 30.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    let history = records.iter().rfind(|record| record.event.kind() == "history").unwrap();
    assert!(serde_json::to_string(history).unwrap().contains(r#""reason":"reset","count":"#));
}

#[test]
fn a_touched_piece_is_published_once_after_any_loss() {
    for deaf in [false, true] {
        let mut bus = FakeBus::new([1025], 1);
        marked(&mut bus.boards[0]);
        bus.boards[0].moves(0x3e, 0x3e, 3, seconds(5.0));
        bus.boards[0].moves(0x3e, 0x3e, 3, seconds(6.0));
        if deaf {
            bus.commands_lost = Some((seconds(5.5), seconds(5.7)));
        } else {
            bus.answers_lost = Some((seconds(5.95), seconds(6.1)));
        }
        let settings = WatchSettings { start_marks: false, ..SETTINGS };
        let (bus, Kept(records)) = watch(bus, settings, 30.0).into_parts();
        assert_eq!(published(&records, 1025), logged(&bus.boards[0]), "deaf {deaf}");
    }
}

#[test]
fn a_dump_that_the_log_does_not_explain_is_published() {
    // A field changes and the board never logs it.
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].fields[0x34] = 0;
    let settings = WatchSettings { start_marks: false, ..SETTINGS };
    let (_, Kept(records)) = watch(bus, settings, 30.0).into_parts();
    let positions: Vec<_> = records.iter().filter(|record| record.event.kind() == "position").collect();
    assert_eq!(positions.len(), 1);
    let line = serde_json::to_string(positions[0]).unwrap();
    assert!(line.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"), "{line}");
}

#[test]
fn a_dump_of_100_squares_is_refused_once() {
    let mut bus = FakeBus::new([1025], 1);
    bus.boards[0].large = true;
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    let (bus, Kept(records)) = watch(bus, SETTINGS, 30.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    let faults: Vec<_> = records.iter().filter(|record| record.event.kind() == "fault").collect();
    assert!(serde_json::to_string(faults[0]).unwrap().contains("a dump of 100 squares: records hold 64"));
    assert!(faults.len() <= 2, "{faults:?}");
}

#[test]
fn an_overwritten_log_gives_an_incomplete_history() {
    let mut bus = FakeBus::new([1025], 1);
    let board = &mut bus.boards[0];
    // The start mark was overwritten. The log begins in the middle of a time, and then pieces leave and return.
    board.log =
        [vec![0x59, 0x30], [0x40, 0x34, 0x41, 0x34].repeat(500), vec![0x40, 0x34, 0x41, 0x24]].concat();
    board.start = Some(0);
    board.pending = board.log.len();
    (board.fields[0x34], board.fields[0x24]) = (0, 1);
    let (_, Kept(records)) = watch(bus, SETTINGS, 30.0).into_parts();
    let history = records.iter().find(|record| record.event.kind() == "history").unwrap();
    let line = serde_json::to_string(history).unwrap();
    assert!(line.contains(r#""reason":"watch-begins","count":1002,"complete":false"#), "{line}");
    let position = records.iter().find(|record| record.event.kind() == "position").unwrap();
    assert!(
        serde_json::to_string(position).unwrap().contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")
    );
    assert_eq!(faults(&records), 0);
}

#[test]
fn an_expected_board_is_lost_until_it_answers() {
    let mut bus = FakeBus::new([1025], 1);
    bus.boards[0].powered = false;
    bus.boards[0].script.push_back((seconds(30.0), Action::Power(true)));
    let (_, Kept(records)) = watch(bus, SETTINGS, 60.0).into_parts();
    assert_eq!(kinds(&records, 1025)[..3], ["lost", "found", "mark"]);
}

#[test]
fn pieces_rest_after_a_scan_without_changes() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    // The next scan, in which the pawn is on another field.
    bus.boards[0].moves(0x24, 0x1c, 1, seconds(5.2));
    let (_, Kept(records)) = watch(bus, QUIET, 10.0).into_parts();
    let kinds = kinds(&records, 1025);
    assert_eq!(kinds[kinds.len() - 6..], ["change", "change", "change", "change", "quiet", "quiet"]);
    let at = |back: usize| records[records.len() - 1 - back].time.unwrap().0;
    // After 250 ms, and not later than the second poll of a free line.
    assert!((250..=320).contains(&(at(1) - at(2))), "{}", at(1) - at(2));
}

#[test]
fn probes_of_another_make_cause_only_faults() {
    let mut bus = FakeBus::new(1025..1033, 2);
    let mut random = Random::new(3);
    for board in &mut bus.boards {
        play(board, &mut random, 10.0, 100.0, 3.0);
    }
    bus.probes = (20..80).map(|at| seconds(at.into())).collect();
    let (bus, Kept(records)) = watch(bus, SETTINGS, 130.0).into_parts();
    assert!(bus.probes.is_empty() && faults(&records) > 0);
    for board in &bus.boards {
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
    }
}

#[test]
fn changes_fetched_by_another_program_are_read_from_the_log() {
    let mut bus = FakeBus::new([1025], 1);
    marked(&mut bus.boards[0]);
    bus.boards[0].moves(0x34, 0x24, 1, seconds(5.0));
    bus.other_host = Some(seconds(5.0));
    let settings = WatchSettings { start_marks: false, ..SETTINGS };
    let (bus, Kept(records)) = watch(bus, settings, 30.0).into_parts();
    assert_eq!(published(&records, 1025), logged(&bus.boards[0]));
    assert!(logged(&bus.boards[0]).ends_with(&[0x40, 0x34, 0x41, 0x24]));
    let stray = records.iter().find(|record| record.event.kind() == "fault").unwrap();
    assert!(serde_json::to_string(stray).unwrap().contains("bytes that no board was asked for"));
}

// Users' pain: fast play loses the software (picochess#267).
#[test]
fn pain_6_fast_play_on_full_lines_loses_nothing() {
    // Three times as fast as blitz: a change on each board every half second, more than the line carries.
    let mut bus = FakeBus::new(1025..1089, 8);
    let mut random = Random::new(9);
    for board in &mut bus.boards {
        play(board, &mut random, 60.0, 360.0, 0.7);
    }
    let (bus, Kept(records)) = watch(bus, SETTINGS, 500.0).into_parts();
    assert_eq!(faults(&records), 0);
    for board in &bus.boards {
        assert_eq!(board.pending, board.log.len());
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
    }
}

// Users' pain: stale boards cannot be removed (lila#11388).
#[test]
fn pain_18_a_lost_board_hinders_no_other() {
    let mut bus = FakeBus::new(1025..1033, 4);
    let mut random = Random::new(5);
    for board in &mut bus.boards {
        play(board, &mut random, 20.0, 120.0, 3.0);
    }
    bus.boards[0].script.clear();
    bus.boards[0].script.push_back((seconds(15.0), Action::Power(false)));
    let (bus, Kept(records)) = watch(bus, SETTINGS, 130.0).into_parts();
    for board in &bus.boards[1..] {
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
    }
    assert_eq!(kinds(&records, 1025).iter().filter(|&&kind| kind == "lost").count(), 1);
    let asked = bus.sent.iter().filter(|(at, command)| *at > seconds(60.0) && command[1..3] == [0x08, 0x01]);
    // It is pinged every eight seconds without end, for 80 ms of the line each time.
    assert!((6..=12).contains(&asked.count()));
}

// Users' pain: hardware faults (picochess#49).
#[test]
fn pain_22_a_faulty_board_does_not_stop_the_others() {
    let mut bus = FakeBus::new(1025..1033, 4);
    let mut random = Random::new(5);
    for board in &mut bus.boards {
        play(board, &mut random, 20.0, 120.0, 3.0);
    }
    bus.boards[3].wrong_checksums = true;
    let (bus, Kept(records)) = watch(bus, SETTINGS, 130.0).into_parts();
    for board in bus.boards.iter().filter(|board| board.address != 1028) {
        assert_eq!(published(&records, board.address), logged(board), "board {}", board.address);
    }
    let accused = records.iter().filter(|record| record.event.kind() == "fault").map(|record| record.board);
    assert_eq!(accused.collect::<std::collections::BTreeSet<_>>(), [Some(1028)].into());
}
