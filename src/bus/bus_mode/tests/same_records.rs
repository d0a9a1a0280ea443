//! Whole watches whose every record and command can be kept, so that two versions can be compared to the byte.
//!
//! With `BOARDBUS_KEEP_WATCHES` naming a folder each watch leaves `NAME.jsonl`, its records, and `NAME.sent`, the
//! commands with their times; a version with the same behaviour leaves the same files. Without it some watches run twice:
//! their records must depend on the seed only.

use std::{fmt::Write, path::Path};

use super::{restart::Mortal, *};
use crate::bus::{
    recall::Recall,
    single_mode::{
        fake_board::{Action as Does, LoneBoard},
        tests::stood,
        watcher::Watcher,
    },
};

/// The output of a watch: its records as lines, and the commands that it sent.
type Trace = (String, String);

pub(super) fn lines(records: &[BoardRecord]) -> String {
    records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect()
}

fn trace(watch: FakeWatch) -> Trace {
    let (bus, Kept(records)) = watch.into_parts();
    let mut sent = String::new();
    for (at, command) in &bus.sent {
        writeln!(sent, "{} {command:02x?}", at.as_nanos()).unwrap();
    }
    (lines(&records), sent)
}

/// Games on this number of boards, with this chance of noise in a byte.
pub(super) fn games(boards: u16, seed: u64, noise: f64, until: f64) -> FakeBus {
    let mut bus = FakeBus::new(1025..1025 + boards, seed);
    bus.noise = noise;
    let mut random = Random::new(seed + 40);
    for board in &mut bus.boards {
        play(board, &mut random, 12.0, until, 3.0);
    }
    bus
}

fn spoilt(name: &str) -> Trace {
    let mut bus = games(8, 3, 0.0, 90.0);
    let mut settings = SETTINGS;
    let span = |from, to| Some((seconds(from), seconds(to)));
    let at = |board: &mut FakeBoard, time, action| {
        board.script.push_back((seconds(time), action));
        board.script.make_contiguous().sort_by_key(|&(at, _)| at);
    };
    match name {
        "drops" => bus.dropped = 0.03,
        "drops-and-noise" => (bus.dropped, bus.noise) = (0.02, 0.002),
        "answers-lost" => bus.answers_lost = span(30.0, 38.0),
        "commands-lost" => bus.commands_lost = span(30.0, 31.0),
        "commands-lost-shortly" => bus.commands_lost = span(40.0, 40.1),
        "watchdogs" => bus.boards.iter_mut().for_each(|board| at(board, 40.0, Action::Watchdog)),
        "reset-in-silence" => {
            bus.answers_lost = span(40.0, 41.0);
            bus.boards.iter_mut().for_each(|board| at(board, 40.9, Action::Watchdog));
        }
        "power" => {
            at(&mut bus.boards[0], 30.0, Action::Power(false));
            at(&mut bus.boards[0], 60.0, Action::Power(true));
            at(&mut bus.boards[1], 50.0, Action::Power(false));
        }
        "unplugged" => bus.unplugged = span(30.0, 45.0),
        "unplugged-at-first" => bus.unplugged = span(0.0, 5.0),
        "fetched-by-others" => {
            bus.other_host = Some(seconds(30.0));
            bus.boards.iter_mut().for_each(|board| at(board, 50.0, Action::Fetched));
        }
        "probes" => bus.probes = (20..80).map(|at| seconds(at.into())).collect(),
        "fell-into-single" => bus.boards.iter_mut().for_each(|board| at(board, 33.0, Action::Single)),
        "marks-of-others" => bus.boards.iter_mut().for_each(|board| at(board, 33.0, Action::Mark)),
        "wrong-checksums" => bus.boards[2].wrong_checksums = true,
        "large" => bus.boards[2].large = true,
        "silent-marks" => bus.marks_without_list = true,
        "no-marks" => settings = QUIET,
        "deaf-after-mark" => bus.command_lost_after = Some(0x85),
        "late-process" => bus.host_delayed = Some((seconds(0.3), seconds(0.2))),
        "old-version" => bus.boards[2].version = None,
        "never-silent" => bus.never_silent = true,
        "begun" => {
            for board in &mut bus.boards {
                marked(board);
                board.fields[0x34] = 0;
                board.log.extend([0x40, 0x34]);
            }
        }
        name => panic!("no such watch: {name}"),
    }
    let until = if name == "never-silent" { 20.0 } else { 110.0 };
    trace(watch(bus, settings, until))
}

const SPOILT: [&str; 23] = [
    "drops",
    "drops-and-noise",
    "answers-lost",
    "commands-lost",
    "commands-lost-shortly",
    "watchdogs",
    "reset-in-silence",
    "power",
    "unplugged",
    "unplugged-at-first",
    "fetched-by-others",
    "probes",
    "fell-into-single",
    "marks-of-others",
    "wrong-checksums",
    "large",
    "silent-marks",
    "no-marks",
    "deaf-after-mark",
    "late-process",
    "old-version",
    "never-silent",
    "begun",
];

/// Boards that come and go on a line that is searched repeatedly, for all boards or for others than those expected.
fn searched(boards: u16, noise: f64, stranger_after_pings: bool, seed: u64) -> Trace {
    let mut bus = games(boards, seed, noise, 180.0);
    bus.stranger_after_pings = stranger_after_pings;
    for late in bus.boards.iter_mut().step_by(3) {
        late.powered = false;
        late.script.push_front((seconds(50.0), Action::Power(true)));
    }
    let settings =
        WatchSettings { rediscover: Some(seconds(60.0)), seconds: Some(seconds(200.0)), ..SETTINGS };
    let mut watch = Poller::new(bus, Kept::default(), settings, BTreeMap::new());
    watch.find(&[1026, 1027, 3000], false).unwrap();
    watch.run().unwrap();
    trace(watch)
}

fn killed(seed: u64, noise: f64) -> Trace {
    let mut bus = games(8, seed, noise, 150.0);
    let mut journal: Vec<BoardRecord> = Vec::new();
    for life in 0..=8 {
        let mut recall = Recall::default();
        journal.iter().for_each(|record| recall.record(crate::record::Record::Board(record.clone())));
        let settings = WatchSettings { seconds: Some(seconds(180.0)), ..SETTINGS };
        let batches = if life < 8 { 60 } else { usize::MAX };
        let mut watch = Poller::new(bus, Mortal(Vec::new(), batches), settings, recall.line_named(None));
        let _ = watch.find(&[1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032], true).and_then(|_| watch.run());
        let published;
        (bus, Mortal(published, _)) = watch.into_parts();
        journal.extend(published);
    }
    (lines(&journal), String::new())
}

/// A board alone on its cable.
fn alone(name: &str) -> Trace {
    let mut desk = LoneBoard::new();
    desk.has_bus_mode = name.contains("bus");
    let mut random = Random::new(name.len() as u64);
    let mut fields = START;
    let mut at = 5.0;
    while at < 150.0 {
        at += 1.0 + random.below(4000) as f64 / 1000.0;
        let (from, to) = (random.below(64) as usize, random.below(64) as u8);
        let piece = std::mem::replace(&mut fields[from], 0);
        if piece != 0 {
            desk.moves(at, from as u8, to, piece);
            fields[to as usize] = piece;
            let tens = (at as u8 % 6) << 4;
            desk.script.push_back((
                seconds(at + 0.7),
                Does::Clock([0, 5, tens, 0, 5, 0x20, if piece < 7 { 0x13 } else { 0x09 }]),
            ));
        }
        if name.contains("unheard") && random.chance(0.3) {
            fields[to as usize] = 0;
            desk.script.push_back((seconds(at + 0.8), Does::Unheard(to, 0)));
        }
        if name.contains("unlogged") && random.chance(0.1) {
            fields[to as usize] = 0;
            desk.script.push_back((seconds(at + 0.8), Does::Unlogged(to, 0)));
        }
    }
    if name.contains("unplugged") {
        desk.unplugged = [(30.0, 45.0), (60.0, 61.0)].map(|(from, to)| (seconds(from), seconds(to))).into();
    }
    if name.contains("power") {
        desk.script.push_back((seconds(40.0), Does::Power(false)));
        desk.script.push_back((seconds(70.0), Does::Power(true)));
    }
    if name.contains("absent") {
        desk.script.push_back((seconds(0.0), Does::Power(false)));
        desk.script.push_back((seconds(20.0), Does::Power(true)));
    }
    if name.contains("slow") {
        desk.held_back = seconds(0.4);
    }
    if name.contains("spoilt") {
        desk.spoil_log = Some((0, 40));
    }
    desk.large = name.contains("large");
    desk.script.make_contiguous().sort_by_key(|&(at, _)| at);
    if name.contains("begun") {
        desk.pause_until(20.0);
    }
    let settings =
        WatchSettings { start_marks: name.contains("bus"), seconds: Some(seconds(180.0)), ..SETTINGS };
    let recalled = name.contains("recalled").then(crate::record::Placement::start);
    let mut watcher = Watcher::new(desk, Kept::default(), settings, stood(recalled));
    watcher.run().unwrap();
    let (desk, Kept(records)) = watcher.into_parts();
    (lines(&records), format!("{:02x?}\n", desk.asked))
}

const ALONE: [&str; 14] = [
    "plain",
    "bus",
    "unheard",
    "unlogged",
    "unplugged",
    "unplugged-bus",
    "power",
    "power-bus",
    "absent",
    "slow-unheard",
    "spoilt-begun",
    "large",
    "recalled-begun",
    "begun-bus-unheard-unplugged",
];

#[test]
fn a_repeated_watch_gives_the_same_bytes() {
    let all = std::env::var_os("BOARDBUS_KEEP_WATCHES");
    let keep = |name: &str, (records, sent): Trace| {
        let Some(folder) = all.as_deref().map(Path::new) else { return };
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join(name).with_extension("jsonl"), records).unwrap();
        std::fs::write(folder.join(name).with_extension("sent"), sent).unwrap();
    };
    if all.is_none() {
        assert_eq!(spoilt("drops-and-noise"), spoilt("drops-and-noise"));
        assert_eq!(killed(2, 0.001), killed(2, 0.001));
        assert_eq!(alone("begun-bus-unheard-unplugged"), alone("begun-bus-unheard-unplugged"));
        return;
    }
    for boards in [1, 8, 64] {
        for noise in [0.0, 0.001, 0.01] {
            for seed in 1..=3 {
                let until = if boards == 64 { 60.0 } else { 120.0 };
                let bus = games(boards, seed, noise, until);
                let name = format!("games-{boards}-boards-noise-{}-seed-{seed}", noise * 1000.0);
                keep(&name, trace(watch(bus, SETTINGS, until + 20.0)));
            }
        }
    }
    SPOILT.iter().for_each(|name| keep(name, spoilt(name)));
    for (boards, noise, stranger_after_pings, seed) in [
        (6, 0.0, false, 1),
        (6, 0.001, false, 2),
        (40, 0.0, false, 3),
        (40, 0.001, false, 4),
        (12, 0.0, true, 5),
        (12, 0.01, true, 6),
    ] {
        keep(&format!("searched-{boards}-{seed}"), searched(boards, noise, stranger_after_pings, seed));
    }
    for (seed, noise) in [(1, 0.0), (2, 0.001), (3, 0.01)] {
        keep(&format!("killed-{seed}"), killed(seed, noise));
    }
    ALONE.iter().for_each(|name| keep(&format!("alone-{name}"), alone(name)));
}
