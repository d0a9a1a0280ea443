//! Divides the boards of a long journal among threads: reconstructing games takes most of the time, and each board can
//! be reconstructed by itself.
//!
//! The number of shares is the same on every machine, and a board's address decides its share, so that the same journal
//! has the same findings everywhere.

use std::{
    panic,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use super::hall::{Hall, Item};
use crate::{
    health::Health,
    reconstruct::Options,
    record::{BoardName, Zone},
};

/// The number of shares: few enough boards for each that their state stays in the processor's cache.
const SHARES: usize = 64;
/// The number of threads, each with the same number of shares.
const THREADS: usize = 8;
/// How many records of a share are passed on at a time.
const BATCH_ITEMS: usize = 128;
/// How many such batches may wait for each thread.
const WAITING_BATCHES: usize = 32;

/// The health of boards, and the boards that were played on without a game.
type Checked = (Health, Vec<BoardName>);

/// The boards, divided into shares.
pub struct Shares {
    /// The items of each share that were not passed on yet.
    next: Vec<Vec<Item>>,
    checking: Vec<Checking>,
    has_games: bool,
}

/// A thread that checks some of the shares.
struct Checking {
    /// Takes the items of one of its shares, with the number of that share.
    to: SyncSender<(usize, Vec<Item>)>,
    done: JoinHandle<Checked>,
}

impl Checking {
    fn new(options: &Options, zone: &Zone) -> Checking {
        let (to, from) = sync_channel::<(usize, Vec<Item>)>(WAITING_BATCHES);
        let (options, zone) = (options.clone(), zone.clone());
        let done = thread::spawn(move || {
            let mut halls: Vec<Hall> =
                (0..SHARES / THREADS).map(|_| Hall::new(Some(options.clone()), zone.clone())).collect();
            from.into_iter().for_each(|(share, items)| halls[share].add_all(items));
            all(halls.into_iter().map(|mut hall| {
                let without_game = hall.without_game();
                hall.finish();
                (hall.health, without_game)
            }))
        });
        Checking { to, done }
    }
}

/// Merges the health of several sets of boards.
fn all(checked: impl Iterator<Item = Checked>) -> Checked {
    let (health, without): (Vec<Health>, Vec<_>) = checked.unzip();
    (health.into_iter().reduce(Health::and).unwrap_or_default(), without.concat())
}

impl Shares {
    /// Nothing read yet; games are reconstructed by these options.
    pub fn new(options: &Options, zone: &Zone) -> Shares {
        let checking = (0..THREADS).map(|_| Checking::new(options, zone)).collect();
        Shares { next: vec![Vec::new(); SHARES], checking, has_games: false }
    }

    /// Whether the input has games of its own.
    pub fn has_games(&self) -> bool {
        self.has_games
    }

    /// Adds an item of the input.
    pub fn add(&mut self, item: Item) {
        let board = match &item {
            Item::Board(record) => record.board,
            Item::Game(record) => {
                if !record.event.is_ruling() && !std::mem::replace(&mut self.has_games, true) {
                    self.add_to_all(&Item::HasGames);
                }
                record.board
            }
            Item::Stream(_) | Item::HasGames => return self.add_to_all(&item),
        };
        self.add_to(usize::from(board.unwrap_or(0)) % SHARES, item);
    }

    fn add_to_all(&mut self, item: &Item) {
        (0..SHARES).for_each(|share| self.add_to(share, item.clone()));
    }

    fn add_to(&mut self, share: usize, item: Item) {
        self.next[share].push(item);
        if self.next[share].len() >= BATCH_ITEMS {
            self.hand_over(share);
        }
    }

    fn hand_over(&mut self, share: usize) {
        // The next batch mostly becomes as long.
        let next = std::mem::replace(&mut self.next[share], Vec::with_capacity(BATCH_ITEMS));
        // Sending fails only when the thread has panicked, which `finish` finds.
        let _ = self.checking[share % THREADS].to.send((share / THREADS, next));
    }

    /// The health of all boards.
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
