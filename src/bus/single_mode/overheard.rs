//! Makes the records of a board alone from the bytes in a capture, and finds when its pieces rested. For `decode`.
//!
//! The rule is that of a watch ([`rest`](super::rest)): the pieces rest when a dump agrees with all changes before it and comes
//! long enough after the last of them. Without dumps, as in the capture of another program, the times of messages decide. In
//! a capture without times every dump counts as late enough, and the seconds of a running clock are the time.

use std::time::Duration;

use super::rest::{REST, Rest};
use crate::{
    record::{BoardEvent, Clock, Mode, Placement, Seconds, Side, Time},
    wire::{
        frame::Frame,
        records::{Recorder, SCAN},
    },
};

/// The additional time after which pieces rest by times alone: within it the dump of a watch would have come.
const UNASKED: Duration = SCAN;

/// The additional time where a clock is the only time: its first second may end right after a change, and the board sends
/// each second up to one second late.
const CLOCK_LATE: Duration = Duration::from_secs(2);

/// Follows a captured board in single-board mode.
#[derive(Debug)]
pub struct OverheardBoard {
    recorder: Recorder,
    follower: Follower,
}

impl Default for OverheardBoard {
    fn default() -> OverheardBoard {
        OverheardBoard { recorder: Recorder::new(Mode::Single), follower: Follower::default() }
    }
}

impl OverheardBoard {
    /// Passes the records of a frame to `on`, each with the board's address, if it is known, and its own time. `time` is when
    /// the frame came, if that is known.
    pub fn record(
        &mut self,
        frame: &Frame<'_>,
        time: Option<Time>,
        mut on: impl FnMut(Option<u16>, Option<Time>, BoardEvent),
    ) {
        let OverheardBoard { recorder, follower } = self;
        follower.pass(time);
        follower.in_log = false;
        recorder.record(frame, time, |board, event| {
            if let Some(rested) = follower.rests_before(&event, time) {
                quiet(&mut on, board, rested);
            }
            let (is_new, rests) = follower.take(&event, time);
            if is_new || !follower.asked {
                on(board, time, event);
            }
            if rests {
                quiet(&mut on, board, time);
            }
        });
    }

    /// Passes the faults that are due at the end of the capture.
    pub fn finish(&mut self, on: impl FnMut(Option<u16>, BoardEvent)) {
        self.recorder.finish(on);
    }

    /// Notes that the capture has commands of a host. From then on a dump becomes a record only if it is new, as in a watch.
    pub fn asked(&mut self) {
        self.follower.asked = true;
    }

    /// Notes bytes that are no frame: a change may have been lost with them.
    pub fn spoilt(&mut self) {
        self.follower.doubt = true;
    }
}

/// Passes a `quiet`. Kept out of the hot path of the other records.
#[cold]
#[inline(never)]
fn quiet(on: &mut impl FnMut(Option<u16>, Option<Time>, BoardEvent), board: Option<u16>, time: Option<Time>) {
    on(board, time, BoardEvent::Quiet {});
}

/// The state of the board.
#[derive(Debug, Default)]
struct Follower {
    /// Its position.
    placement: Option<Placement>,
    rest: Rest,
    /// Its pieces moved, and no `quiet` was written since.
    due: bool,
    /// Some time has passed since they moved.
    still: bool,
    /// The time of the last change, in records.
    moved: Option<Time>,
    /// Changes may be missing since the last dump.
    doubt: bool,
    /// The capture has commands of a host.
    asked: bool,
    /// A start mark was written since the last dump, so the next dump is recorded: the game begins there.
    marked: bool,
    /// The events are entries of the board's log.
    in_log: bool,
    /// The time that has passed so far.
    now: Duration,
    /// The time of the last frame.
    heard: Option<Time>,
    /// The side to move, and the time on its running clock.
    clock: Option<(Side, Seconds)>,
}

impl Follower {
    /// Advances the time to that of a frame. If the host's clock was set back, no time has passed.
    #[inline]
    fn pass(&mut self, time: Option<Time>) {
        if let Some((before, now)) = self.heard.zip(time) {
            self.later(now.0.saturating_sub(before.0));
        }
        self.heard = time.or(self.heard);
    }

    /// Adds time that has passed, if it is positive.
    fn later(&mut self, milliseconds: i64) {
        if milliseconds > 0 {
            self.now += Duration::from_millis(milliseconds.unsigned_abs());
            self.still = true;
        }
    }

    /// Whether the pieces rested before this event by times alone, and since when, if the capture has times.
    #[inline]
    fn rests_before(&mut self, event: &BoardEvent, time: Option<Time>) -> Option<Option<Time>> {
        match event {
            BoardEvent::Change(_) | BoardEvent::Press(_) => {}
            BoardEvent::Clock(clock) if time.is_none() => self.count_seconds(clock),
            BoardEvent::Clock(_) => {}
            _ => return None,
        }
        if !self.due || !self.still || self.doubt || self.in_log {
            return None;
        }
        let late = if time.is_some() { Duration::ZERO } else { CLOCK_LATE };
        if self.now < self.rest.begins() + UNASKED + late {
            return None;
        }
        self.due = false;
        let rested = self.moved.map(|moved| moved.after((REST + UNASKED).as_secs_f64()));
        Some(rested.min(time))
    }

    /// In a capture without times, adds the seconds that a running clock has counted down.
    fn count_seconds(&mut self, clock: &Clock) {
        let turn = clock.turn.filter(|_| clock.running == Some(true));
        let shows = turn.and_then(|turn| {
            let side = if turn == Side::Left { &clock.left } else { &clock.right };
            side.as_ref().map(|side| (turn, side.seconds))
        });
        if let (Some((before, from)), Some((now, to))) = (std::mem::replace(&mut self.clock, shows), shows)
            && before == now
        {
            self.later((1000.0 * (from.0 - to.0)) as i64);
        }
    }

    /// Applies an event. Returns whether it is new, and whether it shows that the pieces rest.
    #[inline]
    fn take(&mut self, event: &BoardEvent, time: Option<Time>) -> (bool, bool) {
        match event {
            BoardEvent::Change(change) if !self.in_log => {
                if let Some(placement) = &mut self.placement {
                    placement.set(change.square, change.piece);
                }
                self.moves(time);
            }
            BoardEvent::Position(position) => {
                self.doubt = false;
                if self.placement.replace(position.placement) == Some(position.placement) {
                    // A dump without a time counts as late enough.
                    let rested = time.is_none() || self.rest.has_begun(self.now);
                    let is_new = std::mem::take(&mut self.marked);
                    return (is_new, rested && std::mem::take(&mut self.due));
                }
                self.marked = false;
                self.moves(time);
            }
            BoardEvent::Mark(_) if !self.in_log => self.marked = true,
            // The next dump shows the position after the log.
            BoardEvent::History(_) => (self.in_log, self.placement) = (true, None),
            // A host that identifies the board again may have missed changes before.
            BoardEvent::Board(_) | BoardEvent::Fault(_) => self.doubt = true,
            _ => {}
        }
        (true, false)
    }

    #[inline]
    fn moves(&mut self, time: Option<Time>) {
        (self.rest, self.due, self.still, self.moved) = (Rest::since(self.now), true, false, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::bus_mode::fake_bus::START;

    /// A dump of the start position with the field `gone` empty, and a white pawn on the field `there`.
    fn dump(gone: Option<usize>, there: Option<usize>) -> Vec<u8> {
        let mut codes = START;
        gone.into_iter().for_each(|field| codes[field] = 0);
        there.into_iter().for_each(|field| codes[field] = 1);
        codes.to_vec()
    }

    const FIELD: u8 = 0x8e;
    const DUMP: u8 = 0x86;
    const CLOCK: u8 = 0x8d;

    /// The records of frames that come at these times (milliseconds): their kinds and times.
    fn recorded(asked: bool, frames: &[(Option<i64>, u8, Vec<u8>)]) -> Vec<String> {
        let mut board = OverheardBoard::default();
        let mut records = Vec::new();
        if asked {
            board.asked();
        }
        for (time, id, data) in frames {
            let frame = Frame { id: *id, address: None, data };
            board.record(&frame, time.map(Time), |_, time, event| {
                records.push(format!("{} {}", event.kind(), time.map_or(-1, |time| time.0)));
            });
        }
        records
    }

    /// The two changes of the move e2 to e4.
    fn e4(lifted: Option<i64>, landed: Option<i64>) -> [(Option<i64>, u8, Vec<u8>); 2] {
        [(lifted, FIELD, vec![0x34, 0]), (landed, FIELD, vec![0x24, 1])]
    }

    #[test]
    fn a_dump_a_second_after_the_last_change_confirms_rest() {
        let [lifted, landed] = e4(Some(5000), Some(5500));
        let stands = |at| (Some(at), DUMP, dump(Some(0x34), Some(0x24)));
        let frames =
            [(Some(0), DUMP, dump(None, None)), (Some(1100), DUMP, dump(None, None)), lifted, landed];
        let frames = [&frames[..], &[stands(6400), stands(6600), stands(9000)]].concat();
        assert_eq!(
            recorded(true, &frames),
            ["position 0", "quiet 1100", "change 5000", "change 5500", "quiet 6600"]
        );
        // A dump that does not agree is recorded, and the pieces rest a second later.
        let frames = [&frames[..3], &[stands(6600), stands(7700)]].concat();
        assert_eq!(
            recorded(true, &frames),
            ["position 0", "quiet 1100", "change 5000", "position 6600", "quiet 7700"]
        );
    }

    #[test]
    fn without_dumps_the_times_show_rest() {
        let [lifted, landed] = e4(Some(5000), Some(5500));
        let next = |at| (Some(at), FIELD, vec![0x0c, 0]);
        let begun = [(Some(0), DUMP, dump(None, None)), lifted, landed];
        let frames = [&begun[..], &[next(6749)]].concat();
        assert_eq!(
            recorded(false, &frames),
            ["position 0", "quiet 1250", "change 5000", "change 5500", "change 6749"]
        );
        let frames = [&begun[..], &[next(60_000)]].concat();
        assert_eq!(recorded(false, &frames)[4..], ["quiet 6750", "change 60000"]);
        // After the clock was set back no time has passed.
        let frames = [&begun[..], &[next(2000)]].concat();
        assert_eq!(recorded(false, &frames)[4..], ["change 2000"]);
    }

    #[test]
    fn after_damaged_bytes_only_a_dump_shows_rest() {
        let mut board = OverheardBoard::default();
        let mut kinds = Vec::new();
        let mut take = |board: &mut OverheardBoard, at, id, data: &[u8]| {
            let frame = Frame { id, address: None, data };
            board.record(&frame, Some(Time(at)), |_, _, event| kinds.push(event.kind()));
        };
        take(&mut board, 0, FIELD, &[0x34, 0]);
        board.spoilt();
        take(&mut board, 5000, FIELD, &[0x0c, 0]);
        take(&mut board, 6000, DUMP, &dump(Some(0x34), Some(0x24)));
        take(&mut board, 9000, FIELD, &[0x1c, 7]);
        assert_eq!(kinds, ["change", "change", "position", "quiet", "change"]);
    }

    #[test]
    fn without_times_dumps_and_clocks_show_rest() {
        let [lifted, landed] = e4(None, None);
        let stands = (None, DUMP, dump(Some(0x34), Some(0x24)));
        let begun = [(None, DUMP, dump(None, None)), lifted, landed];
        let frames = [&begun[..], &[stands.clone(), stands]].concat();
        let rested = ["position -1", "change -1", "change -1", "position -1", "quiet -1", "position -1"];
        assert_eq!(recorded(false, &frames), rested);
        // The right side's time is in bytes 3 to 5; a stopped clock shows no passing time.
        let second = |shows: u8, status: u8| (None, CLOCK, vec![0, 0x10, shows, 0, 0x10, 0, status]);
        let passed = |seconds: &[u8], status: u8| {
            let clock: Vec<_> = seconds.iter().map(|&shows| second(shows, status)).collect();
            let records = recorded(false, &[&begun[..], &clock].concat());
            records.iter().filter(|record| record.starts_with("quiet")).count()
        };
        assert_eq!(passed(&[0x59, 0x58, 0x57, 0x56], 0x13), 0);
        assert_eq!(passed(&[0x59, 0x58, 0x57, 0x56, 0x55, 0x54], 0x13), 1);
        assert_eq!(passed(&[0x59, 0x58, 0x57, 0x56, 0x55, 0x54], 0x12), 0);
    }

    #[test]
    fn a_log_shows_no_rest() {
        let frames = [
            (Some(0), DUMP, dump(None, None)),
            (Some(2000), 0x8f, vec![0x6f, 0x40, 0x34, 0x41, 0x24, 0x6b]),
            (Some(9000), DUMP, dump(None, None)),
            (Some(11_000), DUMP, dump(None, None)),
        ];
        let records = recorded(true, &frames);
        let (before, last) = records.split_at(records.len() - 2);
        assert_eq!(last, ["position 9000", "quiet 11000"]);
        assert!(!before.iter().any(|record| record.starts_with("quiet")), "{records:?}");
    }
}
