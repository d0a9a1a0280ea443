//! A board's own log, told again: what of it is new.

use super::{Options, Update, limits, session::Session};
use crate::record::{BoardEvent, BoardRecord, GameEvent, History};

/// A log that is coming in.
pub struct Replay {
    left: u64,
    complete: bool,
    records: Vec<BoardRecord>,
}

impl Replay {
    /// A log of as many records as its announcement says; none when it says none.
    pub fn begin(history: &History) -> Option<Replay> {
        let left = history.count.min(limits::LOG_RECORDS);
        (left > 0).then(|| Replay { left, complete: history.complete, records: Vec::new() })
    }
}

/// A game by the hashes of its line after each ply.
pub struct Lines(pub Vec<u64>);

impl Lines {
    /// Whether a log, which knows of no rests, tells this game as `other`.
    fn is_told_as(&self, other: &Lines) -> bool {
        let (plies, others) = (self.0.len(), other.0.len());
        let common = self.0.iter().zip(&other.0).take_while(|(a, b)| a == b).count();
        let all = common > 0 && common == plies;
        (all || (common >= limits::SAME_GAME_LONG && common + limits::SAME_GAME_MISSING >= plies))
            && others <= plies + limits::SAME_GAME_FURTHER
    }
}

impl Session {
    /// Takes a record that belongs to a log; false when none is coming in.
    pub(super) fn replayed(
        &mut self,
        record: &BoardRecord,
        options: &Options,
        updates: &mut Vec<Update>,
    ) -> bool {
        let Some(mut replay) = self.replay.take() else { return false };
        if !matches!(record.event, BoardEvent::Change(_) | BoardEvent::Press(_) | BoardEvent::Mark(_)) {
            // A log holds nothing else: this one was cut short.
            self.join(replay, options, updates);
            return false;
        }
        replay.left -= 1;
        replay.records.push(record.clone());
        if replay.left == 0 {
            self.join(replay, options, updates)
        } else {
            self.replay = Some(replay)
        }
        true
    }

    /// The log is in, or will not come in whole.
    pub(super) fn join(&mut self, replay: Replay, options: &Options, updates: &mut Vec<Update>) {
        if replay.complete && replay.left == 0 {
            self.join_whole(&replay.records, options, updates);
        } else {
            self.join_tail(&replay.records, options, updates);
        }
    }

    /// A log from its start mark tells everything: it replaces what was made out without it.
    fn join_whole(&mut self, records: &[BoardRecord], options: &Options, updates: &mut Vec<Update>) {
        let mut again = Session::new();
        let mut told = Vec::new();
        for record in records {
            again.record(record, options, &mut told);
        }
        again.finish_listing(options, &mut told);
        self.adopt_board(&again);
        // Games that the log closed: those already told are skipped, the one in play is completed.
        let first = again.games - again.closed.len() as u32 + 1;
        for (number, lines) in (first..).zip(std::mem::take(&mut again.closed)) {
            if self.closed.iter().any(|closed| closed.is_told_as(&lines)) {
                continue;
            }
            let game = told.iter().filter(|t| t.game == number);
            let end = game.clone().rev().find_map(|t| match &t.event {
                GameEvent::End(end) => Some(end.clone()),
                _ => None,
            });
            if let (Some(play), Some(end)) = (self.play.take(), end)
                && !play.untouched()
            {
                self.games += 1;
                play.complete_from(game.clone(), end, updates);
            } else {
                self.games += 1;
                let number = self.games;
                updates.extend(game.cloned().map(|t| Update { game: number, ..t }));
            }
            self.remember(lines);
        }
        match (again.play.take(), &mut self.play) {
            (Some(new), Some(old)) => old.replace(new, updates),
            // The last game over: its log knows of no rests, and cannot tell that it ended.
            (Some(new), None) if self.closed.back().is_some_and(|last| last.is_told_as(&new.lines())) => {}
            (Some(mut new), none) => {
                new.tell_again(self.games + 1, updates);
                *none = Some(new);
            }
            (None, _) => {}
        }
        self.tick(records.last().and_then(|r| r.time), options, updates);
    }

    /// A log without its beginning: what of it comes after the changes already seen is new.
    fn join_tail(&mut self, records: &[BoardRecord], options: &Options, updates: &mut Vec<Update>) {
        let changes: Vec<_> = records
            .iter()
            .enumerate()
            .filter_map(|(at, record)| match &record.event {
                BoardEvent::Change(change) => Some((at, (change.square, change.piece))),
                _ => None,
            })
            .collect();
        let seen: Vec<_> = self.recent.iter().copied().collect();
        let joint = (0..changes.len()).rev().find(|&end| {
            let run = seen.len().min(end + 1);
            run >= limits::LOG_JOINT
                && (0..run).all(|back| changes[end - back].1 == seen[seen.len() - 1 - back])
        });
        // Without a joint nothing is known to be new; the position that follows will tell what is missing.
        let Some(end) = joint else { return };
        let mut heard = std::mem::take(&mut self.pressed).into_iter().map(BoardEvent::Press).peekable();
        let new = records[changes[end].0 + 1..]
            .iter()
            .skip_while(|record| heard.next_if_eq(&record.event).is_some());
        for record in new {
            self.record(record, options, updates);
        }
    }
}
