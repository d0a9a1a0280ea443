//! The records of many polled boards in order of time, for `simulate --records` and for measurements.

use super::{
    polled_board::{PlyLanding, PolledBoard, Polling},
    profile::Profile,
    round::Round,
};
use crate::record::BoardRecord;

/// The records of many boards in order of time.
#[derive(Debug, Clone)]
pub struct PolledHall {
    /// Each board with its next record.
    boards: Vec<(PolledBoard, Option<BoardRecord>)>,
}

impl PolledHall {
    /// A hall whose board `i` has address `addresses[i]` and plays the rounds `i`, `i + N`, `i + 2N`, … of N boards.
    pub fn new(addresses: &[u16], rounds: &[Round], profile: &Profile, polling: &Polling) -> PolledHall {
        let of = addresses.len();
        let boards = addresses.iter().enumerate().map(|(n, &address)| {
            let own = rounds.iter().skip(n).step_by(of.max(1)).cloned();
            let mut board = PolledBoard::new(address, (n, of), profile.clone(), polling.clone(), own);
            let first = board.next();
            (board, first)
        });
        PolledHall { boards: boards.collect() }
    }

    /// When the plies of all rounds begun so far landed, board by board, for measurements.
    pub fn landings(&self) -> impl Iterator<Item = &PlyLanding> {
        self.boards.iter().flat_map(|(board, _)| board.landings())
    }

    /// How often a piece on a board of the hall was not seen so far, because of a fault: the evidence from which `health` can
    /// detect it.
    pub fn unseen(&self) -> usize {
        self.boards.iter().map(|(board, _)| board.unseen()).sum()
    }
}

impl Iterator for PolledHall {
    type Item = BoardRecord;

    fn next(&mut self) -> Option<BoardRecord> {
        let times =
            self.boards.iter().enumerate().filter_map(|(n, (_, next))| Some((next.as_ref()?.time, n)));
        let (time, n) = times.min()?;
        // A board whose games are over is polled as long as others play.
        let mut over = self.boards.iter_mut().filter(|(_, next)| next.is_none());
        if let Some(answers) = over.find_map(|(board, _)| board.answers_when_over(time?)) {
            return Some(answers);
        }
        let (board, next) = &mut self.boards[n];
        std::mem::replace(next, board.next())
    }
}
