//! What is on a port of which nobody knows that yet: it is listened to before a byte is written.
//!
//! Boards of some makes speak by themselves, and take what is sent to boards of another make for commands; and what is no
//! board at all must not be written to. So a port is listened to at each speed that a make has, the first make's first.
//! What is silent at one speed is silent at all: bits at another speed still make bytes. Each window is long enough for
//! what speaks once a second; DTR and RTS are low meanwhile.

use std::time::Duration;

use super::{
    Gone, Link,
    driver::{Heard, Make, Verdict},
    link::{Levels, PortSetup},
};

/// How long a port is listened to at one speed.
const WINDOW: Duration = Duration::from_millis(1200);
/// How long where what came may be of a make.
const LONGER: Duration = Duration::from_millis(3000);
/// No more bytes are looked at in one window.
const MOST: usize = 1 << 14;
/// So few bytes at the beginning, with silence behind them, come of the opening.
const OPENING: usize = 16;

/// Listens for boards of these makes.
///
/// # Errors
/// When the port went away.
pub fn listen<L: Link>(link: &mut L, makes: &[Make<L>]) -> Result<Heard, Gone> {
    let mut speeds = Vec::new();
    for make in makes {
        if !speeds.contains(&make.port.setup.baud) {
            speeds.push(make.port.setup.baud);
        }
    }
    let (mut text, mut first, mut last) = (None, 0, 0);
    for (n, baud) in speeds.into_iter().enumerate() {
        link.set_up(PortSetup { baud, lines: Levels::Low })?;
        let (bytes, heard) = window(link, makes)?;
        match heard {
            Some(heard) => return Ok(heard),
            None if n == 0 && bytes.len() <= 1 => return Ok(Heard::Silence),
            None => text = text.or_else(|| words(&bytes)),
        }
        first = if n == 0 { bytes.len() } else { first };
        last = bytes.len();
    }
    Ok(match text {
        Some(text) => Heard::Text(text),
        None if first <= OPENING && last <= 1 => Heard::Silence,
        None => Heard::OtherSpeed,
    })
}

/// What comes in one window, and what a make recognises in it.
fn window<L: Link>(link: &mut L, makes: &[Make<L>]) -> Result<(Vec<u8>, Option<Heard>), Gone> {
    let (began, mut bytes) = (link.now(), Vec::new());
    let mut until = began + WINDOW;
    while bytes.len() < MOST && link.receive(&mut bytes, until)? > 0 {
        until = began + WINDOW;
        for (n, make) in makes.iter().enumerate() {
            match (make.port.heard)(&bytes) {
                Verdict::Yes => return Ok((bytes, Some(Heard::Make(n, make.title)))),
                Verdict::Refused(why) => return Ok((bytes, Some(Heard::Refused(why)))),
                Verdict::Maybe => until = began + LONGER,
                Verdict::No => {}
            }
        }
        if link.now() >= until {
            break;
        }
    }
    Ok((bytes, None))
}

/// The beginning of text; none where the bytes are none.
fn words(bytes: &[u8]) -> Option<String> {
    let is_text = |byte: &&u8| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | b'\t');
    // The first of them may have been cut.
    let text = bytes.iter().filter(is_text).count();
    if bytes.len() < 2 || text * 10 < bytes.len() * 9 {
        return None;
    }
    let printed: String = bytes.iter().filter(is_text).map(|&byte| char::from(byte)).collect();
    let line = printed.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().take(40).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bus::{
            Recalled, SearchEvent, WatchSettings,
            bus_mode::tests::{Kept, SETTINGS},
            detect::{self, WatchPlan},
            link::UsbId,
        },
        error::Result,
        record::{Mode, Time},
    };

    const NMEA: &[u8] = b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n";

    /// What speaks every so often at one speed, and is rubbish at another.
    struct Speaker {
        now: Duration,
        baud: u32,
        speed: u32,
        every: Duration,
        says: Vec<u8>,
        next: Duration,
        left: usize,
        setups: Vec<PortSetup>,
        usb: Option<UsbId>,
        /// What it may be sent, and was.
        takes: bool,
        sent: Vec<u8>,
    }

    impl Speaker {
        fn new(speed: u32, every_ms: u64, says: &[u8]) -> Speaker {
            let every = Duration::from_millis(every_ms);
            Speaker {
                now: Duration::ZERO,
                baud: 9600,
                speed,
                every,
                says: says.to_vec(),
                next: every,
                left: usize::MAX,
                setups: Vec::new(),
                usb: None,
                takes: false,
                sent: Vec::new(),
            }
        }

        /// What is silent, and is this USB device.
        fn silent(usb: UsbId, takes: bool) -> Speaker {
            Speaker { left: 0, usb: Some(usb), takes, ..Speaker::new(9600, 100, &[]) }
        }
    }

    impl Link for Speaker {
        fn now(&self) -> Duration {
            self.now
        }

        fn time(&self) -> Time {
            Time(0)
        }

        fn heard(&self) -> Time {
            Time(0)
        }

        fn name(&self) -> &str {
            "speaker"
        }

        fn set_up(&mut self, setup: PortSetup) -> Result<(), Gone> {
            self.baud = setup.baud;
            self.setups.push(setup);
            Ok(())
        }

        fn usb_id(&self) -> Option<UsbId> {
            self.usb
        }

        fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
            assert!(self.takes, "nothing is sent to what speaks, or may be a board that takes nothing");
            self.sent.extend_from_slice(bytes);
            Ok(())
        }

        fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
            if self.next > until || self.left == 0 {
                self.now = self.now.max(until);
                return Ok(0);
            }
            self.left -= 1;
            self.now = self.now.max(self.next);
            self.next += self.every;
            let garbled = |byte: &u8| byte.wrapping_mul(157) | 0x80;
            match self.baud == self.speed {
                true => into.extend_from_slice(&self.says),
                false => into.extend(self.says.iter().map(garbled)),
            }
            Ok(self.says.len())
        }

        fn pause(&mut self, until: Duration) {
            self.now = until;
        }

        fn reopen(&mut self) -> Result<()> {
            Ok(())
        }
    }

    /// The makes there are, and one that speaks at 38400 baud.
    fn makes() -> Vec<Make<Speaker>> {
        let mut makes = detect::makes();
        let mut other = detect::makes::<Speaker>().swap_remove(0);
        other.title = "a board of the tests";
        other.port.setup.baud = 38400;
        other.port.asks = false;
        other.port.heard = |bytes| match bytes {
            [b'o', ..] => Verdict::Refused("a board that senses no pieces"),
            [b't', _, b't', ..] => Verdict::Yes,
            [b't', ..] => Verdict::Maybe,
            _ => Verdict::No,
        };
        makes.push(other);
        makes
    }

    fn heard(mut speaker: Speaker) -> Heard {
        let heard = listen(&mut speaker, &makes()).unwrap();
        assert!(speaker.now < Duration::from_secs(5), "{:?}", speaker.now);
        assert!(speaker.setups.iter().all(|setup| setup.lines == Levels::Low));
        heard
    }

    #[test]
    fn what_speaks_is_named_within_five_seconds() {
        // A piece lifted and the clock of a board alone; an answer of a bus to another host.
        let other = detect::makes::<Speaker>().len();
        let (clock, bus) = ([0x8d, 0, 10, 0x20, 3, 2, 0x20, 3, 2, 8], [0x85, 0, 6, 8, 1, 0x14]);
        for (speaker, is) in [
            (Speaker::new(9600, 1000, &clock), Heard::Make(1, "a DGT board alone")),
            (Speaker::new(9600, 300, &[0x8e, 0, 5, 52, 0]), Heard::Make(1, "a DGT board alone")),
            (Speaker::new(9600, 200, &bus), Heard::Make(0, "DGT boards on a bus")),
            (Speaker::new(38400, 1000, b"t."), Heard::Make(other, "a board of the tests")),
            (Speaker::new(38400, 300, b"oo"), Heard::Refused("a board that senses no pieces")),
            (Speaker::new(38400, 300, b"xyz\r\n"), Heard::Text("xyz".into())),
            (Speaker::new(115_200, 300, b"xyz"), Heard::OtherSpeed),
        ] {
            let what = format!("{is:?}");
            assert_eq!(heard(speaker), is, "{what}");
        }
        let Heard::Text(text) = heard(Speaker::new(9600, 1000, NMEA)) else { panic!("no text") };
        assert!(text.starts_with("$GPRMC,123519"));
        // A modem that reports once, and bytes that came of the opening.
        let once = |says: &[u8]| Speaker { left: 1, ..Speaker::new(9600, 100, says) };
        assert_eq!(heard(once(b"\r\nOK\r\n")), Heard::Text("OK".into()));
        assert_eq!(heard(once(&[0, 0xff, 0x80])), Heard::Silence);
        assert_eq!(heard(once(&[])), Heard::Silence);
    }

    #[test]
    fn nothing_is_sent_to_a_stranger() {
        // Its link panics when something is sent.
        for stranger in [Speaker::new(9600, 1000, NMEA), Speaker::new(57_600, 50, &[0x35, 0xc2, 0x7e])] {
            let mut said = Vec::new();
            let (_, found) = detect::find(stranger, None, &[1025], &mut |event| {
                said.push(format!("{event:?}"));
                Ok(())
            })
            .unwrap_or_else(|_| panic!("the line is gone"));
            assert_eq!((found.len(), said.len()), (0, 1), "{said:?}");
        }
        let named = detect::driver_for(Speaker::new(9600, 1000, NMEA), None, &[1025]);
        assert!(named.is_err());
    }

    // 10c4:ea60 is the adapter in boards of Certabo's, which take any eight bytes for a command to their lamps.
    #[test]
    fn nothing_is_sent_to_a_silent_adapter_of_certabo_boards() {
        const CERTABO: UsbId = (0x10c4, 0xea60);
        let mut said = Vec::new();
        let (_, found) = detect::find(Speaker::silent(CERTABO, false), None, &[1025], &mut |event| {
            let SearchEvent::Heard(heard) = event else { panic!("{event:?}") };
            said.push(heard.to_string());
            Ok(())
        })
        .unwrap_or_else(|_| panic!("the line is gone"));
        assert!(found.is_empty());
        assert!(said[0].contains("a Certabo board") && said[0].contains("give --make"), "{said:?}");
        assert!(detect::driver_for(Speaker::silent(CERTABO, false), None, &[1025]).is_err());
        // A make that the user named is believed.
        let named = detect::driver_for(Speaker::silent(CERTABO, true), Some("single"), &[1025]);
        assert!(named.is_ok());
    }

    #[test]
    fn a_silent_recorded_certabo_board_is_sent_nothing() {
        let settings = WatchSettings { seconds: Some(Duration::from_secs(20)), ..SETTINGS };
        let last = Some(Mode::CERTABO);
        let plan = WatchPlan { make: None, last, expected: Vec::new(), only: false, settings };
        let (mut kept, mut said) = (Kept::default(), Vec::new());
        let silent = Speaker::silent((0x10c4, 0xea60), false);
        detect::watch(silent, &mut kept, plan, Recalled::new(), &mut |beginning| {
            said.push(format!("{beginning:?}"));
        })
        .unwrap();
        assert!(kept.0.is_empty());
        assert!(said.len() == 1 && said[0].contains("SilentBoard"), "{said:?}");
    }

    // What each adapter may be: FTDI's are DGT's and ChessLink's, the other two ids are those of DGT's own boards.
    #[test]
    fn silent_adapters_of_other_boards_are_asked_in_order() {
        for (usb, millennium) in [
            ((0x0403, 0x6001), true),
            ((0x1a86, 0x7523), true),
            ((0x067b, 0x2303), false),
            ((0x045b, 0x8111), false),
        ] {
            let (driver, _) = detect::find(Speaker::silent(usb, true), None, &[], &mut |_| Ok(()))
                .unwrap_or_else(|_| panic!("the line is gone"));
            let sent = driver.into_link().sent;
            let at = |question: &[u8]| sent.windows(question.len()).position(|bytes| bytes == question);
            // A ping to all boards of a bus, a question to a board alone, `S` with its odd parity.
            let (bus, single, whole) = (at(&[0x87, 0, 0, 7]), at(&[0x4d]), at(&[0xd3, 0xb5, 0xb3]));
            assert!(bus.is_some() && bus < single, "{usb:04x?}: {sent:02x?}");
            assert_eq!(whole.is_some(), millennium, "{usb:04x?}");
            assert!(whole.is_none() || single < whole, "{usb:04x?}");
        }
    }
}
