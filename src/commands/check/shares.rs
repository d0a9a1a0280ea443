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
    record::{BoardName, Zone},
};

/// So many shares.
const SHARES: usize = 8;
/// So many records are handed over at a time,
const AT_ONCE: usize = 512;
/// and so many times may wait.
const WAITING: usize = 8;

/// The health of boards, and which of them were played on without a game.
type Checked = (Health, Vec<BoardName>);

/// Boards shared out.
pub struct Shares {
    shares: Vec<Share>,
    told: bool,
}

/// Some of the boards, and who checks them.
struct Share {
    next: Vec<Heard>,
    to: SyncSender<Vec<Heard>>,
    checking: JoinHandle<Checked>,
}

impl Shares {
    /// Nothing heard yet.
    pub fn new(zone: &Zone) -> Shares {
        let share = |_| {
            let (to, from) = sync_channel::<Vec<Heard>>(WAITING);
            let zone = zone.clone();
            let checking = thread::spawn(move || {
                let mut hall = Hall::new(true, zone);
                from.into_iter().flatten().for_each(|heard| hall.hear(heard));
                let without_game = hall.without_game();
                (hall.health, without_game)
            });
            Share { next: Vec::new(), to, checking }
        };
        Shares { shares: (0..SHARES).map(share).collect(), told: false }
    }

    /// Takes what is heard.
    pub fn hear(&mut self, heard: Heard) {
        let board = match &heard {
            Heard::Board(record) => record.board,
            Heard::Game(record) => {
                if !record.event.is_ruling() && !std::mem::replace(&mut self.told, true) {
                    self.all(&Heard::GamesAreTold);
                }
                record.board
            }
            Heard::Stream(_) | Heard::GamesAreTold => return self.all(&heard),
        };
        self.shares[usize::from(board.unwrap_or(0)) % SHARES].hear(heard);
    }

    fn all(&mut self, heard: &Heard) {
        self.shares.iter_mut().for_each(|share| share.hear(heard.clone()));
    }

    /// All that is known of the boards.
    pub fn finish(self) -> Checked {
        let mut all = Vec::new();
        for mut share in self.shares {
            share.hand_over();
            drop(share.to);
            all.push(share.checking.join().unwrap_or_else(|broken| panic::resume_unwind(broken)));
        }
        let (health, without): (Vec<Health>, Vec<_>) = all.into_iter().unzip();
        let mut without = without.concat();
        without.sort();
        (health.into_iter().reduce(Health::and).unwrap_or_default(), without)
    }
}

impl Share {
    fn hear(&mut self, heard: Heard) {
        self.next.push(heard);
        if self.next.len() >= AT_ONCE {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        // Where nobody listens any more the thread has broken, which is seen at the end.
        let _ = self.to.send(std::mem::take(&mut self.next));
    }
}
