//! The clock message: seven bytes of two times and a status, or an acknowledgement.
//!
//! The makers' headers contradict each other on D3 and D4 of the status; this file follows recordings of real boards. Whose
//! turn it is comes from the lever (D1), on which all headers agree.

use crate::record::Side;

/// The content of a clock message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockMessage {
    /// Both times and the state.
    Reading(Reading),
    /// No clock is connected.
    Absent,
    /// The clock answers a command, or reports a button or that it is ready.
    Ack(Ack),
    /// All seven bytes are zero, without a meaning; some boards send it after a clock command.
    Empty,
}

/// The times and the state of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The left display, seen from the front: White's on a board that is not turned.
    pub left: Dial,
    /// The right display.
    pub right: Dial,
    /// Whether it runs.
    pub running: bool,
    /// Whose turn it is, by the lever.
    pub turn: Side,
    /// Whether its battery is low.
    pub low_battery: bool,
}

/// One side of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dial {
    /// The displayed time in seconds: 0 to 35999 (9:59:59).
    pub seconds: u16,
    /// Its flag has fallen and the clock is blocked at zero (D4).
    pub blocked: bool,
    /// Its flag has fallen and is shown; the clock may continue to run (D6).
    pub fallen: bool,
    /// The indicator of time per move is on, for increment or delay (D5).
    pub per_move: bool,
}

/// An acknowledgement. `[0]` is 10 for success and 40 for an error; `[1]` is the command, or with bit 7 an event of the
/// clock: 81 ready, 88 a button (in `[3]`), 8a mode, 90 wrong mode for the command.
pub type Ack = [u8; 4];

const ACK: u8 = 0x0a;
const RUNNING: u8 = 0x01;
const LEVER_RIGHT: u8 = 0x02;
const LOW_BATTERY: u8 = 0x04;
const LEFT_TO_MOVE: u8 = 0x08;
const RIGHT_TO_MOVE: u8 = 0x10;
const ABSENT: u8 = 0x20;

impl ClockMessage {
    /// Reads the data of a clock message of either mode; none if a time is impossible.
    pub fn decode(data: &[u8; 7]) -> Option<ClockMessage> {
        let &[b3, b4, b5, b6, b7, b8, status] = data;
        if data == &[0; 7] {
            return Some(ClockMessage::Empty);
        }
        if b3 & 0x0f == ACK || b6 & 0x0f == ACK {
            return Some(ClockMessage::Ack([
                b4 & 0x7f | b6 << 3 & 0x80,
                b5 & 0x7f | b6 << 2 & 0x80,
                b7 & 0x7f | b3 << 3 & 0x80,
                b8 & 0x7f | b3 << 2 & 0x80,
            ]));
        }
        if status & ABSENT != 0 {
            return Some(ClockMessage::Absent);
        }
        Some(ClockMessage::Reading(Reading {
            left: Dial::decode(b6, b7, b8)?,
            right: Dial::decode(b3, b4, b5)?,
            running: status & RUNNING != 0,
            turn: if status & LEVER_RIGHT != 0 { Side::Right } else { Side::Left },
            low_battery: status & LOW_BATTERY != 0,
        }))
    }

    /// The data of the message.
    pub fn encode(&self) -> [u8; 7] {
        match *self {
            ClockMessage::Reading(Reading { left, right, running, turn, low_battery }) => {
                let [b3, b4, b5] = right.encode();
                let [b6, b7, b8] = left.encode();
                let turn = match turn {
                    Side::Left => LEFT_TO_MOVE,
                    Side::Right => RIGHT_TO_MOVE | LEVER_RIGHT,
                };
                let status = turn | (u8::from(running) * RUNNING) | (u8::from(low_battery) * LOW_BATTERY);
                [b3, b4, b5, b6, b7, b8, status]
            }
            ClockMessage::Absent => [0, 0, 0, 0, 0, 0, ABSENT],
            ClockMessage::Ack([a0, a1, a2, a3]) => [
                ACK | (a2 & 0x80) >> 3 | (a3 & 0x80) >> 2,
                a0 & 0x7f,
                a1 & 0x7f,
                ACK | (a0 & 0x80) >> 3 | (a1 & 0x80) >> 2,
                a2 & 0x7f,
                a3 & 0x7f,
                0,
            ],
            ClockMessage::Empty => [0; 7],
        }
    }
}

impl Dial {
    /// A dial that shows these seconds, at most 9:59:59, and no flag.
    pub fn showing(seconds: u16) -> Dial {
        Dial { seconds: seconds.min(LONGEST), ..Dial::default() }
    }

    fn decode(hours: u8, minutes: u8, seconds: u8) -> Option<Dial> {
        Some(Dial {
            seconds: from_digits([hours & 0x0f, minutes, seconds])?,
            blocked: hours & 0x10 != 0,
            per_move: hours & 0x20 != 0,
            fallen: hours & 0x40 != 0,
        })
    }

    fn encode(self) -> [u8; 3] {
        let [hours, minutes, seconds] = to_digits(self.seconds);
        let flags = u8::from(self.blocked) << 4 | u8::from(self.per_move) << 5 | u8::from(self.fallen) << 6;
        [hours | flags, minutes, seconds]
    }
}

/// The longest time on a display, 9:59:59, in seconds.
const LONGEST: u16 = 35999;

/// Converts hours, and minutes and seconds in binary coded decimal, to seconds; none if there is no such time.
pub(super) fn from_digits([hours, minutes, seconds]: [u8; 3]) -> Option<u16> {
    let sixty = |byte: u8| {
        let (tens, units) = (byte >> 4, byte & 0x0f);
        (tens < 6 && units < 10).then(|| u16::from(tens) * 10 + u16::from(units))
    };
    (hours < 10).then_some(u16::from(hours) * 3600 + sixty(minutes)? * 60 + sixty(seconds)?)
}

/// Converts seconds, at most 9:59:59, to hours, and minutes and seconds in binary coded decimal.
pub(super) fn to_digits(seconds: u16) -> [u8; 3] {
    let seconds = seconds.min(LONGEST);
    let decimal = |n: u16| (((n / 10) << 4) | (n % 10)) as u8;
    [(seconds / 3600) as u8, decimal(seconds / 60 % 60), decimal(seconds % 60)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reading(data: [u8; 7]) -> Reading {
        match ClockMessage::decode(&data) {
            Some(ClockMessage::Reading(reading)) => reading,
            other => panic!("{other:?}"),
        }
    }

    /// From recordings of two real boards.
    #[test]
    fn recorded_messages_show_whose_clock_runs() {
        let both = Dial { seconds: 182, per_move: true, ..Dial::default() };
        let left = reading([0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x09]);
        let stopped = reading([0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08]);
        let right = reading([0x20, 0x02, 0x59, 0x20, 0x03, 0x01, 0x13]);
        assert_eq!(
            left,
            Reading { left: both, right: both, running: true, turn: Side::Left, low_battery: false }
        );
        assert_eq!(stopped, Reading { running: false, ..left });
        assert_eq!(
            (right.turn, right.running, right.right.seconds, right.left.seconds),
            (Side::Right, true, 179, 181)
        );
        assert_eq!(reading([0x20, 0x01, 0x46, 0x20, 0x01, 0x49, 0x12]).turn, Side::Right);
    }

    #[test]
    fn a_fallen_flag_is_read() {
        let end = reading([0x30, 0x00, 0x00, 0x20, 0x00, 0x16, 0x12]);
        assert_eq!(end.right, Dial { seconds: 0, blocked: true, fallen: false, per_move: true });
        assert_eq!((end.left.seconds, end.left.blocked, end.running), (16, false, false));
        assert!(reading([0x40, 0x00, 0x00, 0x00, 0x00, 0x16, 0x13]).right.fallen);
        assert!(reading([0x00, 0x00, 0x00, 0x00, 0x00, 0x16, 0x04]).low_battery);
    }

    /// Acknowledgements as drivers of real boards log them.
    #[test]
    fn acknowledgements_are_not_read_as_times() {
        let version = [0x0a, 0x10, 0x09, 0x0a, 0x20, 0x00, 0x00];
        assert_eq!(ClockMessage::decode(&version), Some(ClockMessage::Ack([16, 9, 32, 0])));
        let button = [0x0a, 0x10, 0x08, 0x4a, 0x00, 0x31, 0x00];
        assert_eq!(ClockMessage::decode(&button), Some(ClockMessage::Ack([16, 8, 0, 49])));
        let ready = [0x0a, 0x10, 0x01, 0x2a, 0x00, 0x00, 0x00];
        assert_eq!(ClockMessage::decode(&ready), Some(ClockMessage::Ack([16, 0x81, 0, 0])));
    }

    #[test]
    fn zeros_are_empty_and_d5_means_no_clock() {
        assert_eq!(ClockMessage::decode(&[0; 7]), Some(ClockMessage::Empty));
        assert_eq!(ClockMessage::decode(&[0, 0, 0, 0, 0, 0, 0x20]), Some(ClockMessage::Absent));
        assert_eq!(ClockMessage::decode(&[0x0f, 0x7f, 0, 0, 0, 0, 0x20]), Some(ClockMessage::Absent));
    }

    #[test]
    fn impossible_times_are_refused() {
        for (at, byte) in
            [(0, 0x0b), (0, 0x2c), (3, 0x0f), (1, 0x60), (1, 0x0a), (2, 0x5f), (4, 0x7f), (5, 0x1a)]
        {
            let mut data = [0x20, 0x05, 0x05, 0x20, 0x05, 0x04, 0x09];
            data[at] = byte;
            assert_eq!(ClockMessage::decode(&data), None, "{data:02x?}");
        }
    }

    proptest! {
        #[test]
        fn a_clock_message_is_decoded_as_it_was_encoded(
            seconds in [0..36000u16, 0..36000],
            flags in any::<[bool; 9]>(),
            ack in any::<[u8; 4]>(),
        ) {
            let dial = |n: usize| Dial {
                seconds: seconds[n],
                blocked: flags[n],
                fallen: flags[n + 2],
                per_move: flags[n + 4],
            };
            let reading = ClockMessage::Reading(Reading {
                left: dial(0),
                right: dial(1),
                running: flags[6],
                turn: if flags[7] { Side::Left } else { Side::Right },
                low_battery: flags[8],
            });
            for message in [reading, ClockMessage::Ack(ack), ClockMessage::Absent, ClockMessage::Empty] {
                let data = message.encode();
                prop_assert!(data.iter().all(|byte| *byte < 0x80));
                prop_assert_eq!(ClockMessage::decode(&data), Some(message));
            }
        }

        #[test]
        fn any_seven_bytes_are_read_or_refused(data in any::<[u8; 7]>()) {
            if let Some(ClockMessage::Reading(reading)) = ClockMessage::decode(&data) {
                prop_assert!(reading.left.seconds < 36000 && reading.right.seconds < 36000);
            }
        }
    }
}
