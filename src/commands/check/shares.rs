//! The boards of a long journal shared out, for games are made of one board's records at a time and take most of the time.
//!
//! There are as many shares on every machine, and a board's share follows from its address, so that the same journal has
//! the same findings everywhere.

use std::{
    panic,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use super::hall::{Hall, Heard};
use crate::{
    health::Health,
    reconstruct::Options,
    record::{BoardName, Zone},
};

/// So many shares: in one of a board or two all that is known of them stays near the processor while its records come.
const SHARES: usize = 64;
/// So many check them, each the same number of shares.
const CHECKING: usize = 8;
/// So many records of a share are handed over at a time,
const AT_ONCE: usize = 128;
/// and so many times may wait for each who checks.
const WAITING: usize = 32;

/// The health of boards, and which of them were played on without a game.
type Checked = (Health, Vec<BoardName>);

/// Boards shared out.
pub struct Shares {
    /// What was heard of each and is not handed over.
    next: Vec<Vec<Heard>>,
    checking: Vec<Checking>,
    told: bool,
}

/// Who checks some of the shares.
struct Checking {
    /// Which of its shares was heard of, and what.
    to: SyncSender<(usize, Vec<Heard>)>,
    done: JoinHandle<Checked>,
}

impl Checking {
    fn new(options: &Options, zone: &Zone) -> Checking {
        let (to, from) = sync_channel::<(usize, Vec<Heard>)>(WAITING);
        let (options, zone) = (options.clone(), zone.clone());
        let done = thread::spawn(move || {
            let mut halls: Vec<Hall> =
                (0..SHARES / CHECKING).map(|_| Hall::new(Some(options.clone()), zone.clone())).collect();
            from.into_iter().for_each(|(share, heard)| halls[share].hear_all(heard));
            all(halls.into_iter().map(|mut hall| {
                let without_game = hall.without_game();
                hall.finish();
                (hall.health, without_game)
            }))
        });
        Checking { to, done }
    }
}

/// The health of these boards and those.
fn all(checked: impl Iterator<Item = Checked>) -> Checked {
    let (health, without): (Vec<Health>, Vec<_>) = checked.unzip();
    (health.into_iter().reduce(Health::and).unwrap_or_default(), without.concat())
}

impl Shares {
    /// Nothing heard yet; games are made by these options.
    pub fn new(options: &Options, zone: &Zone) -> Shares {
        let checking = (0..CHECKING).map(|_| Checking::new(options, zone)).collect();
        Shares { next: vec![Vec::new(); SHARES], checking, told: false }
    }

    /// Whether the input tells of games itself.
    pub fn are_told(&self) -> bool {
        self.told
    }

    /// Takes what is heard.
    pub fn hear(&mut self, heard: Heard) {
        let board = match &heard {
            Heard::Board(record) => record.board,
            Heard::Game(record) => {
                if !record.event.is_ruling() && !std::mem::replace(&mut self.told, true) {
                    self.all_hear(&Heard::GamesAreTold);
                }
                record.board
            }
            Heard::Stream(_) | Heard::GamesAreTold => return self.all_hear(&heard),
        };
        self.hear_of(usize::from(board.unwrap_or(0)) % SHARES, heard);
    }

    fn all_hear(&mut self, heard: &Heard) {
        (0..SHARES).for_each(|share| self.hear_of(share, heard.clone()));
    }

    fn hear_of(&mut self, share: usize, heard: Heard) {
        self.next[share].push(heard);
        if self.next[share].len() >= AT_ONCE {
            self.hand_over(share);
        }
    }

    fn hand_over(&mut self, share: usize) {
        // There will be as many more, mostly.
        let next = std::mem::replace(&mut self.next[share], Vec::with_capacity(AT_ONCE));
        // Where nobody listens any more the thread has broken, which is seen at the end.
        let _ = self.checking[share % CHECKING].to.send((share / CHECKING, next));
    }

    /// All that is known of the boards.
    pub fn finish(mut self) -> Checked {
        (0..SHARES).for_each(|share| self.hand_over(share));
        let (to, done): (Vec<_>, Vec<_>) =
            self.checking.into_iter().map(|Checking { to, done }| (to, done)).unzip();
        drop(to);
        let done =
            done.into_iter().map(|done| done.join().unwrap_or_else(|broken| panic::resume_unwind(broken)));
        let (health, mut without) = all(done);
        without.sort();
        (health, without)
    }
}
