//! The records of a board alone from the bytes that were kept of it, and when its pieces rested. For `decode`.
//!
//! The rule is that of a watch ([`rest`](super::rest)): the pieces rest when a dump agrees with all changes before it and comes
//! long enough after the last of them. Where no dump was asked for, in the capture of another program say, times have to do.
//! Where there are no times a dump was asked for late enough, and the seconds of a running clock are the time.

use std::time::Duration;

use super::rest::{REST, Rest};
use crate::{
    record::{BoardEvent, Clock, Mode, Placement, Seconds, Side, Time},
    wire::{
        frame::Frame,
        records::{Recorder, SCAN},
    },
};

/// By times alone the pieces rest so much later: the dump that a watch asks for has come by then.
const UNASKED: Duration = SCAN;

/// The first second of a clock ends at any time after a change, and a board passes each on up to one second late.
const CLOCK_LATE: Duration = Duration::from_secs(2);

/// Follows a board alone that was captured.
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
    /// Hands on the records of a frame that came at a time, where that is known; each with the board's address, where that is
    /// known, and its own time.
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
            let (news, rests) = follower.take(&event, time);
            if news || !follower.asked {
                on(board, time, event);
            }
            if rests {
                quiet(&mut on, board, time);
            }
        });
    }

    /// A host asked something: its side is captured too, and a dump becomes a record as in a watch, when it brings news.
    pub fn asked(&mut self) {
        self.follower.asked = true;
    }

    /// Bytes came that are no frame: a change may have been lost with them.
    pub fn spoilt(&mut self) {
        self.follower.doubt = true;
    }
}

/// Out of the way of all other records, which are many.
#[cold]
#[inline(never)]
fn quiet(on: &mut impl FnMut(Option<u16>, Option<Time>, BoardEvent), board: Option<u16>, time: Option<Time>) {
    on(board, time, BoardEvent::Quiet {});
}

/// What is known of the board.
#[derive(Debug, Default)]
struct Follower {
    /// What stands on it.
    stands: Option<Placement>,
    rest: Rest,
    /// Its pieces moved, and no `quiet` was written since.
    due: bool,
    /// Some time has passed since they moved.
    still: bool,
    /// When they moved, as records have it.
    moved: Option<Time>,
    /// Changes may be missing since the last dump.
    doubt: bool,
    /// What the host asked is there too.
    asked: bool,
    /// A start mark was written since the last dump: the next one says where the game begins.
    marked: bool,
    /// What comes is of the board's log.
    in_log: bool,
    /// How much time is known to have passed, and until when.
    now: Duration,
    heard: Option<Time>,
    /// The side to move, and what its running clock showed.
    clock: Option<(Side, Seconds)>,
}

impl Follower {
    /// Something came at this time. Where the host's clock was set back no time has passed.
    #[inline]
    fn pass(&mut self, time: Option<Time>) {
        if let Some((before, now)) = self.heard.zip(time) {
            self.later(now.0.saturating_sub(before.0));
        }
        self.heard = time.or(self.heard);
    }

    /// So many milliseconds have passed, if that is more than none.
    fn later(&mut self, milliseconds: i64) {
        if milliseconds > 0 {
            self.now += Duration::from_millis(milliseconds.unsigned_abs());
            self.still = true;
        }
    }

    /// Whether the pieces rested before the board sent this unasked, though no dump shows it; and when, if that is known.
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

    /// Without times what a running clock counts down has passed.
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

    /// Takes what the board sent. Whether it is news, and whether it shows that the pieces rest.
    #[inline]
    fn take(&mut self, event: &BoardEvent, time: Option<Time>) -> (bool, bool) {
        match event {
            BoardEvent::Change(change) if !self.in_log => {
                if let Some(stands) = &mut self.stands {
                    stands.set(change.square, change.piece);
                }
                self.moves(time);
            }
            BoardEvent::Position(position) => {
                self.doubt = false;
                if self.stands.replace(position.placement) == Some(position.placement) {
                    // A dump without a time was asked for late enough.
                    let rested = time.is_none() || self.rest.has_begun(self.now);
                    let news = std::mem::take(&mut self.marked);
                    return (news, rested && std::mem::take(&mut self.due));
                }
                self.marked = false;
                self.moves(time);
            }
            BoardEvent::Mark(_) if !self.in_log => self.marked = true,
            // The next dump is what the log leads to.
            BoardEvent::History(_) => (self.in_log, self.stands) = (true, None),
            // Who greets the board anew may have heard nothing of it for a while.
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

    /// A dump of the start position without this field, and with a white pawn on that.
    fn dump(gone: Option<usize>, there: Option<usize>) -> Vec<u8> {
        let mut codes = START;
        gone.into_iter().for_each(|field| codes[field] = 0);
        there.into_iter().for_each(|field| codes[field] = 1);
        codes.to_vec()
    }

    const FIELD: u8 = 0x8e;
    const DUMP: u8 = 0x86;
    const CLOCK: u8 = 0x8d;

    /// What is told of frames that come at these times (milliseconds), with the times.
    fn told(asked: bool, frames: &[(Option<i64>, u8, Vec<u8>)]) -> Vec<String> {
        let mut board = OverheardBoard::default();
        let mut told = Vec::new();
        if asked {
            board.asked();
        }
        for (time, id, data) in frames {
            let frame = Frame { id: *id, address: None, data };
            board.record(&frame, time.map(Time), |_, time, event| {
                told.push(format!("{} {}", event.kind(), time.map_or(-1, |time| time.0)));
            });
        }
        told
    }

    /// e2 to e4, as its fields change.
    fn e4(lifted: Option<i64>, landed: Option<i64>) -> [(Option<i64>, u8, Vec<u8>); 2] {
        [(lifted, FIELD, vec![0x34, 0]), (landed, FIELD, vec![0x24, 1])]
    }

    #[test]
    fn matching_dumps_one_second_after_changes_give_rests() {
        let [lifted, landed] = e4(Some(5000), Some(5500));
        let stands = |at| (Some(at), DUMP, dump(Some(0x34), Some(0x24)));
        let frames =
            [(Some(0), DUMP, dump(None, None)), (Some(1100), DUMP, dump(None, None)), lifted, landed];
        let frames = [&frames[..], &[stands(6400), stands(6600), stands(9000)]].concat();
        assert_eq!(
            told(true, &frames),
            ["position 0", "quiet 1100", "change 5000", "change 5500", "quiet 6600"]
        );
        // One that does not agree brings news, and they rest a second later.
        let frames = [&frames[..3], &[stands(6600), stands(7700)]].concat();
        assert_eq!(
            told(true, &frames),
            ["position 0", "quiet 1100", "change 5000", "position 6600", "quiet 7700"]
        );
    }

    #[test]
    fn times_show_rests_where_no_dump_is_asked() {
        let [lifted, landed] = e4(Some(5000), Some(5500));
        let next = |at| (Some(at), FIELD, vec![0x0c, 0]);
        let begun = [(Some(0), DUMP, dump(None, None)), lifted, landed];
        let frames = [&begun[..], &[next(6749)]].concat();
        assert_eq!(
            told(false, &frames),
            ["position 0", "quiet 1250", "change 5000", "change 5500", "change 6749"]
        );
        let frames = [&begun[..], &[next(60_000)]].concat();
        assert_eq!(told(false, &frames)[4..], ["quiet 6750", "change 60000"]);
        // A clock that was set back says nothing of what passed.
        let frames = [&begun[..], &[next(2000)]].concat();
        assert_eq!(told(false, &frames)[4..], ["change 2000"]);
    }

    #[test]
    fn damaged_bytes_count_as_changes_until_dumps_agree() {
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
    fn without_times_clock_seconds_make_answers_late() {
        let [lifted, landed] = e4(None, None);
        let stands = (None, DUMP, dump(Some(0x34), Some(0x24)));
        let begun = [(None, DUMP, dump(None, None)), lifted, landed];
        let frames = [&begun[..], &[stands.clone(), stands]].concat();
        let rested = ["position -1", "change -1", "change -1", "position -1", "quiet -1", "position -1"];
        assert_eq!(told(false, &frames), rested);
        // The right side's seconds, which are bytes 3 to 5; of a clock that stands they say nothing.
        let second = |shows: u8, status: u8| (None, CLOCK, vec![0, 0x10, shows, 0, 0x10, 0, status]);
        let passed = |seconds: &[u8], status: u8| {
            let clock: Vec<_> = seconds.iter().map(|&shows| second(shows, status)).collect();
            let told = told(false, &[&begun[..], &clock].concat());
            told.iter().filter(|told| told.starts_with("quiet")).count()
        };
        assert_eq!(passed(&[0x59, 0x58, 0x57, 0x56], 0x13), 0);
        assert_eq!(passed(&[0x59, 0x58, 0x57, 0x56, 0x55, 0x54], 0x13), 1);
        assert_eq!(passed(&[0x59, 0x58, 0x57, 0x56, 0x55, 0x54], 0x12), 0);
    }

    #[test]
    fn logs_are_no_changes_and_dumps_match_them() {
        let frames = [
            (Some(0), DUMP, dump(None, None)),
            (Some(2000), 0x8f, vec![0x6f, 0x40, 0x34, 0x41, 0x24, 0x6b]),
            (Some(9000), DUMP, dump(None, None)),
            (Some(11_000), DUMP, dump(None, None)),
        ];
        let told = told(true, &frames);
        assert_eq!(told[told.len() - 2..], ["position 9000", "quiet 11000"]);
        assert!(!told[..told.len() - 2].iter().any(|told| told.starts_with("quiet")), "{told:?}");
    }
}
