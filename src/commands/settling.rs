//! Delays ends of games that may be withdrawn: with `--results settled` a game stays open until its end has stood for a
//! minute. Lichess never reopens a round after its last game has ended.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use crate::{
    format::{game::Key, ranges},
    record::{End, GameEvent, GameRecord, Ruled, Time},
    stdio,
};

/// An end has settled this long after it was published.
const SETTLE_TIME: Duration = Duration::from_secs(60);

/// When the result of a board's game is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Results {
    /// With its end
    #[default]
    AtOnce,
    /// A minute after its end, or as soon as that is final: pieces or clock were put away, a flag fell, it was ruled,
    /// the next game began
    Settled,
}

/// The ends that have not settled.
pub(super) struct Settling {
    /// The time from an end until it is written; none where it is written immediately.
    wait: Option<Duration>,
    /// The last end of each board that has not settled, and when it will.
    ends: BTreeMap<Key, (Time, GameRecord)>,
    /// The games whose results an arbiter ruled.
    ruled: BTreeSet<(Key, u32)>,
    /// The number of the last game of each board, and of its plies.
    plies: BTreeMap<Key, (u32, u32)>,
}

impl Settling {
    /// For records that are passed on when they are this old.
    pub fn new(results: Results, delay: Option<Duration>) -> Settling {
        let wait =
            (results == Results::Settled).then(|| SETTLE_TIME.saturating_add(delay.unwrap_or_default()));
        Settling { wait, ends: BTreeMap::new(), ruled: BTreeSet::new(), plies: BTreeMap::new() }
    }

    /// The records to write for this one: not an end that has not settled yet; before the first move of a game, the end
    /// of the game before it.
    pub fn pass(&mut self, record: GameRecord) -> [Option<GameRecord>; 2] {
        match self.wait {
            None => [None, Some(record)],
            Some(wait) => self.pass_at(record, wait, Time::now()),
        }
    }

    fn pass_at(&mut self, record: GameRecord, wait: Duration, now: Time) -> [Option<GameRecord>; 2] {
        let key = (record.line.clone(), record.board);
        let held = self.ends.get(&key).map(|(_, end)| end.game.cmp(&record.game));
        let continues = self.continues(&key, &record);
        match (&record.event, held) {
            // Another game has begun, or a stream begins again and numbers its games from 1.
            (GameEvent::Move(_), Some(Ordering::Less)) | (GameEvent::Game(_), Some(Ordering::Equal)) => {
                return [self.ends.remove(&key).map(|(_, end)| end), Some(record)];
            }
            (GameEvent::Move(_) | GameEvent::Takeback(_), Some(Ordering::Equal)) if continues => {
                self.ends.remove(&key);
            }
            // A repeated end replaces the earlier one.
            (GameEvent::End(_), Some(Ordering::Equal)) => {
                self.ends.remove(&key);
            }
            (GameEvent::Ruling(ruling), _) if ruling.ply.is_none() => {
                match ruling.ruled {
                    Ruled::Result { .. } => self.ruled.insert((key, record.game)),
                    _ => self.ruled.remove(&(key, record.game)),
                };
                return [None, Some(record)];
            }
            _ => {}
        }
        let may_be_withdrawn = matches!(&record.event, GameEvent::End(end) if end.may_be_withdrawn());
        let is_ruled = self.ruled.contains(&(key.clone(), record.game));
        // A record cannot be from the future: a clock that is ahead must not delay it.
        let due = record.time.map(|time| Time(time.min(now).0.saturating_add(wait.as_millis() as i64)));
        match due {
            Some(due) if due > now && !is_ruled && may_be_withdrawn => {
                let other = self.ends.insert(key, (due, record));
                [None, other.map(|(_, end)| end)]
            }
            _ => [None, Some(record)],
        }
    }

    /// Counts the plies of a record's game. Returns whether the record continues play and does not repeat a known ply.
    fn continues(&mut self, key: &Key, record: &GameRecord) -> bool {
        let plies = match &record.event {
            GameEvent::Game(_) => 0,
            GameEvent::Move(m) => m.ply.unwrap_or(0),
            GameEvent::Takeback(back) => back.ply,
            _ => return false,
        };
        let is_move = matches!(record.event, GameEvent::Move(_));
        let known = self.plies.entry(key.clone()).or_default();
        let same = known.0 == record.game;
        if same && (if is_move { plies <= known.1 } else { plies >= known.1 && plies > 0 }) {
            return false;
        }
        *known = (record.game, plies);
        true
    }

    /// The ends that have settled, and the time until the next one has.
    pub fn release(&mut self) -> (Vec<GameRecord>, Option<Duration>) {
        if self.ends.is_empty() { (Vec::new(), None) } else { self.release_at(Time::now()) }
    }

    fn release_at(&mut self, now: Time) -> (Vec<GameRecord>, Option<Duration>) {
        let due: Vec<Key> =
            self.ends.iter().filter(|(_, (due, _))| *due <= now).map(|(key, _)| key.clone()).collect();
        let due = due.iter().filter_map(|key| self.ends.remove(key)).map(|(_, end)| end).collect();
        let next = self.ends.values().map(|(due, _)| due.0.saturating_sub(now.0)).min();
        (due, next.map(|left| Duration::from_millis(left.max(1) as u64)))
    }

    /// The ends that have not settled, with their games.
    pub fn unsettled(&self) -> impl Iterator<Item = ((Key, u32), &End)> {
        self.ends.iter().filter_map(|(key, (_, record))| match &record.event {
            GameEvent::End(end) => Some(((key.clone(), record.game), end)),
            _ => None,
        })
    }

    /// Reports the games that are written without the result that their boards showed.
    pub fn report_open(&self) {
        let boards: BTreeSet<u16> = self.ends.keys().filter_map(|(_, board)| *board).collect();
        let boards: Vec<u16> = boards.into_iter().collect();
        if !boards.is_empty() {
            stdio::say(format_args!(
                "the ends of the games on {} have not settled: these are written as in play; run this again in a minute",
                ranges(&boards)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, parse};

    const WAIT: Duration = Duration::from_secs(60);

    fn record(second: i64, game: u32, event: &str) -> GameRecord {
        let text = format!("{{\"board\":1025,\"game\":{game},{event}}}");
        match parse(text.as_bytes()) {
            Ok(Record::Game(record)) => GameRecord { time: Some(Time(second * 1000)), ..record },
            other => panic!("{text}: {other:?}"),
        }
    }

    const KINGS: &str = r#""type":"end","result":"1-0","reason":"kings""#;
    const SETTLED: &str = r#""type":"end","result":"1-0","reason":"kings","settled":true"#;
    const DRAWN: &str = r#""type":"end","result":"1/2-1/2","reason":"kings""#;
    const FLAG: &str = r#""type":"end","result":"1-0","reason":"flag""#;
    const BY_THE_NEXT: &str = r#""type":"end","result":"*","reason":"new-game""#;
    const GAME: &str = r#""type":"game","rules":"chess","fen":"x""#;
    const MOVE: &str = r#""type":"move","ply":3,"san":"e4","uci":"e2e4","fen":"x""#;
    const NEXT: &str = r#""type":"move","ply":4,"san":"e5","uci":"e7e5","fen":"x""#;
    const TAKEBACK: &str = r#""type":"takeback","ply":2"#;
    const ANOMALY: &str = r#""type":"anomaly","ply":2,"kind":"illegal""#;
    const RULED: &str = r#""type":"ruling","result":"0-1""#;

    /// The records written, each with the second at which it is written, if these come at their seconds and time passes
    /// until the last.
    fn written(records: &[(i64, u32, &str)], until: i64) -> Vec<(i64, u32, &'static str)> {
        let mut settling = Settling::new(Results::Settled, None);
        let mut out = Vec::new();
        let mut records = records.iter().peekable();
        for second in 0..=until {
            let (due, next) = settling.release_at(Time(second * 1000));
            out.extend(due.into_iter().map(|record| (second, record.game, record.event.kind())));
            assert!(next.is_none_or(|next| next <= WAIT && !next.is_zero()));
            while let Some((_, game, event)) = records.next_if(|(at, ..)| *at == second) {
                let passed = settling.pass_at(record(second, *game, event), WAIT, Time(second * 1000));
                out.extend(
                    passed.into_iter().flatten().map(|record| (second, record.game, record.event.kind())),
                );
            }
        }
        out
    }

    #[test]
    fn ends_are_written_after_one_minute() {
        assert_eq!(written(&[(5, 1, MOVE), (10, 1, KINGS)], 200), [(5, 1, "move"), (70, 1, "end")]);
        assert_eq!(written(&[(10, 1, KINGS)], 69), []);
        // An anomaly changes no end; a different end replaces it and has to stand for a minute from then on.
        assert_eq!(
            written(&[(10, 1, KINGS), (20, 1, ANOMALY), (30, 1, DRAWN)], 200),
            [(20, 1, "anomaly"), (90, 1, "end")]
        );
    }

    #[test]
    fn ends_before_more_play_are_never_written() {
        assert_eq!(written(&[(10, 1, KINGS), (40, 1, MOVE)], 200), [(40, 1, "move")]);
        assert_eq!(written(&[(10, 1, KINGS), (40, 1, TAKEBACK)], 200), [(40, 1, "takeback")]);
        assert_eq!(
            written(&[(5, 1, MOVE), (10, 1, KINGS), (40, 1, NEXT)], 200),
            [(5, 1, "move"), (40, 1, "move")]
        );
        // A correction after an end repeats the end.
        assert_eq!(
            written(&[(10, 1, KINGS), (40, 1, TAKEBACK), (40, 1, MOVE), (40, 1, KINGS)], 200),
            [(40, 1, "takeback"), (40, 1, "move"), (100, 1, "end")]
        );
    }

    #[test]
    fn repeating_records_withdraw_no_end() {
        assert_eq!(
            written(&[(5, 1, MOVE), (10, 1, KINGS), (40, 1, MOVE)], 200),
            [(5, 1, "move"), (40, 1, "move"), (70, 1, "end")]
        );
    }

    #[test]
    fn final_ends_are_written_immediately() {
        assert_eq!(written(&[(10, 1, FLAG)], 10), [(10, 1, "end")]);
        assert_eq!(written(&[(10, 1, BY_THE_NEXT)], 10), [(10, 1, "end")]);
        assert_eq!(written(&[(10, 1, KINGS), (20, 1, SETTLED)], 200), [(20, 1, "end")]);
        assert_eq!(
            written(&[(10, 1, RULED), (10, 1, KINGS), (90, 2, KINGS)], 200),
            [(10, 1, "ruling"), (10, 1, "end"), (150, 2, "end")]
        );
        // A ruling comes before the end has settled.
        assert_eq!(
            written(&[(10, 1, KINGS), (20, 1, RULED), (20, 1, KINGS)], 200),
            [(20, 1, "ruling"), (20, 1, "end")]
        );
        assert_eq!(
            written(&[(10, 1, KINGS), (30, 2, GAME), (31, 2, MOVE)], 200),
            [(30, 2, "game"), (31, 1, "end"), (31, 2, "move")]
        );
        // A game record without a move begins no game.
        assert_eq!(
            written(&[(10, 1, KINGS), (30, 2, GAME), (40, 1, MOVE)], 200),
            [(30, 2, "game"), (40, 1, "move")]
        );
    }

    #[test]
    fn old_ends_are_written_immediately() {
        let mut settling = Settling::new(Results::Settled, None);
        let mut passed = |now: i64| {
            let [none, end] = settling.pass_at(record(10, 1, KINGS), WAIT, Time(now * 1000));
            assert!(none.is_none());
            end.is_some()
        };
        assert!(passed(70) && !passed(69));
        // A clock that is ahead: the record counts as arrived now.
        assert!(!passed(5));
        assert_eq!(settling.release_at(Time(64_999)).0.len(), 0);
        assert_eq!(settling.release_at(Time(65_000)).0.len(), 1);
    }

    #[test]
    fn delayed_records_settle_one_minute_after_the_delay() {
        let delay = Duration::from_secs(900);
        assert_eq!(Settling::new(Results::Settled, Some(delay)).wait, Some(delay + WAIT));
        assert_eq!(Settling::new(Results::AtOnce, Some(delay)).wait, None);
    }
}
