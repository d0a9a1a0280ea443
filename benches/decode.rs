//! Measures how fast the bytes of a bus become records in memory on one core, compared to merely adding up the bytes.
//! `cargo bench --bench decode [-- MEGABYTES]`.

use std::{
    hint::black_box,
    iter,
    time::{Duration, Instant},
};

use boardbus::{
    record::{BoardEvent, BoardRecord, MarkKind, Mode, Placement, Side, Time},
    wire::{
        clock::{ClockMessage, Dial, Reading},
        eeprom::Entry,
        frame::{Decoder, checksum},
        message::{Message, Version},
        records::Recorder,
    },
};

/// What the input holds, to check that nothing is lost.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    changes: u64,
    presses: u64,
    positions: u64,
    clocks: u64,
    boards: u64,
    marks: u64,
    others: u64,
}

/// The traffic of a polled hall: mostly idle boards, some changes, presses and clocks, few dumps and pings.
fn hall(size: usize) -> (Vec<u8>, Counts) {
    let mut bytes = Vec::with_capacity(size + 128);
    let mut counts = Counts::default();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let mut roll = |sides: u64| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        dice % sides
    };
    let start = Placement::start();
    let mut log = Vec::new();
    while bytes.len() < size {
        let board = Some(1025 + roll(64) as u16);
        match roll(100) {
            0 => {
                Message::Board(start.codes()).encode(board, &mut bytes);
                counts.positions += 1;
            }
            1 => {
                Message::Ping.encode(board, &mut bytes);
                counts.boards += 1;
            }
            2 => {
                Message::Version(Some(Version { main: 1, sub: 6 })).encode(board, &mut bytes);
                counts.boards += 1;
            }
            3..20 => {
                let reading = Reading {
                    left: Dial::showing(roll(36000) as u16),
                    right: Dial::showing(roll(36000) as u16),
                    running: true,
                    turn: if roll(2) == 0 { Side::Left } else { Side::Right },
                    low_battery: false,
                };
                Message::Clock(ClockMessage::Reading(reading)).encode(board, &mut bytes);
                counts.clocks += 1;
            }
            20..50 => {
                log.clear();
                for _ in 0..2 + roll(5) {
                    let (field, piece) = (roll(64) as u8, roll(13) as u8);
                    Entry::Change { field, piece, quick: roll(4) == 0 }.encode(&mut log);
                    counts.changes += 1;
                }
                if roll(2) == 0 {
                    Entry::Time { side: Side::Left, seconds: roll(36000) as u16 }.encode(&mut log);
                    counts.presses += 1;
                }
                if roll(50) == 0 {
                    Entry::Mark(MarkKind::Begin).encode(&mut log);
                    counts.marks += 1;
                }
                Message::Changes(&log).encode(board, &mut bytes);
            }
            _ => {
                Message::Changes(&[]).encode(board, &mut bytes);
            }
        }
    }
    (bytes, counts)
}

fn count(counts: &mut Counts, event: &BoardEvent) {
    *match event {
        BoardEvent::Change(_) => &mut counts.changes,
        BoardEvent::Press(_) => &mut counts.presses,
        BoardEvent::Position(_) => &mut counts.positions,
        BoardEvent::Clock(_) => &mut counts.clocks,
        BoardEvent::Board(_) => &mut counts.boards,
        BoardEvent::Mark(_) => &mut counts.marks,
        // How often a board comes to rest is random.
        BoardEvent::Quiet {} => return,
        _ => &mut counts.others,
    } += 1;
}

/// Decodes in blocks, as files are read; all records of a block are in memory together.
fn decode(bytes: &[u8], mut each: impl FnMut(&[BoardRecord])) -> u64 {
    let mut decoder = Decoder::new(Mode::Bus);
    let mut recorder = Recorder::new(Mode::Bus);
    let mut records = Vec::new();
    let mut total = 0;
    for block in bytes.chunks(64 * 1024) {
        records.clear();
        decoder.push(block, |event| {
            let frame = event.expect("a clean line");
            recorder.record(&frame, None, |board, event| {
                // Unlike `push`, `extend` reserves room first and so builds the record in its place.
                records.extend(iter::once_with(|| BoardRecord::new(Some(Time(0)), board, event)));
            });
        });
        total += records.len() as u64;
        each(black_box(&records));
    }
    decoder.finish(|event| panic!("{event:?}"));
    total
}

/// The best of many short runs, which shows the work itself rather than other load of the machine.
fn best(mut work: impl FnMut()) -> Duration {
    let timed = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    (0..400).map(timed).min().unwrap_or_default()
}

fn main() {
    let megabytes = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(32);
    let (bytes, expected) = hall(megabytes * 1_000_000);

    let mut found = Counts::default();
    let total = decode(&bytes, |records| records.iter().for_each(|record| count(&mut found, &record.event)));
    assert_eq!(found, expected, "records were lost or made up");

    let (sample, _) = hall(500_000);
    let records = decode(&sample, |_| {});
    let decoding = best(|| {
        black_box(decode(black_box(&sample), |_| {}));
    });
    let adding = best(|| {
        black_box(sample.chunks(64 * 1024).fold(0, |sum, block| sum ^ checksum(black_box(block))));
    });
    let speed = |time: Duration| sample.len() as f64 / 1e6 / time.as_secs_f64();
    println!("bytes of a bus        {:9.1} MB, {total} records, none lost", bytes.len() as f64 / 1e6);
    println!("bytes to records      {:9.0} MB/s", speed(decoding));
    println!("records               {:9.1} million/s", records as f64 / 1e6 / decoding.as_secs_f64());
    println!("adding the bytes up   {:9.0} MB/s", speed(adding));
    println!("ratio to adding up    {:9.3}", speed(decoding) / speed(adding));
}
