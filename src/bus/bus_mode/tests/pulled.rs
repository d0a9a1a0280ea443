//! The adapter is pulled out in every state of the protocol, in simulated time: no logged entry is lost. With
//! BOARDBUS_TIMES=10 at every single command.

use std::{collections::BTreeMap, time::Duration};

use super::{
    super::fake_bus::{Action, FakeBus, Random},
    Kept, SETTINGS, WatchSettings, logged, play, published, seconds, watch,
};
use crate::bus::link::BYTE;

/// A watch that sends all of its commands: with start marks and searches.
const ALL: WatchSettings = WatchSettings { rediscover: Some(Duration::from_secs(15)), ..SETTINGS };
/// When the hall closes.
const END: f64 = 60.0;

/// Two boards on which pieces move, one of which the watchdog resets.
fn hall() -> FakeBus {
    let mut bus = FakeBus::new([1025, 1026], 3);
    let mut random = Random::new(4);
    for board in &mut bus.boards {
        play(board, &mut random, 6.0, 40.0, 3.0);
    }
    bus.boards[1].script.push_back((seconds(44.0), Action::Watchdog));
    bus
}

/// The commands of an undisturbed watch, with their times; only the first answer with changes is damaged.
fn commands() -> Vec<(Duration, u8)> {
    let mut bus = hall();
    bus.spoil_first_changes = true;
    let (bus, _) = watch(bus, ALL, END).into_parts();
    bus.sent.iter().map(|(at, command)| (*at, command[0])).collect()
}

#[test]
fn an_adapter_pulled_during_any_exchange_loses_nothing() {
    let thorough = std::env::var("BOARDBUS_TIMES").map_or(1, |times| times.parse().unwrap());
    let commands = commands();
    let (mut of_kind, mut pulled) = (BTreeMap::new(), 0);
    for (n, &(at, command)) in commands.iter().enumerate() {
        let next = commands.get(n + 1).map_or(at + seconds(0.1), |(next, _)| *next);
        let seen: &mut u32 = of_kind.entry(command).or_default();
        *seen += 1;
        // The first command of each kind: every few bytes of it and its answer. Some of the others: at its beginning, at its
        // end and at its answer.
        let most = match *seen {
            1 => 8 * thorough,
            n if n % 40 < 2 * thorough => 3,
            _ => 0,
        };
        let between = next.saturating_sub(at).min(BYTE * 100);
        for part in 0..most {
            let out = at + between * part / most;
            let mut bus = hall();
            bus.spoil_first_changes = true;
            bus.unplugged = Some((out, out + seconds(2.0)));
            let (bus, Kept(records)) = watch(bus, ALL, END).into_parts();
            pulled += 1;
            for board in &bus.boards {
                assert_eq!(board.pending, board.log.len(), "{command:02x}, out at {out:?}");
                assert_eq!(
                    published(&records, board.address),
                    logged(board),
                    "{command:02x}, out at {out:?}"
                );
            }
        }
    }
    let kinds: Vec<u8> = of_kind.into_keys().collect();
    assert!(
        [0x82, 0x83, 0x84, 0x85, 0x87, 0x8a, 0x8b].iter().all(|kind| kinds.contains(kind)),
        "{kinds:02x?}"
    );
    println!("pulled {pulled} times, in the midst of {kinds:02x?}");
}
