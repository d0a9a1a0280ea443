//! The list of makes of board, and which of them is on a line. A new make is an entry in [`makes`].
//!
//! An unknown port is [listened](super::listen) to first. Only a silent port is sent commands, in the order of the list. The
//! commands of later makes may disturb boards of the first, so they are sent only if no board of the first was found.

use std::{cell::Cell, time::Duration};

use super::{
    Driver, FirstSearch, FoundBoard, Gone, Interrupted, Link, Recalled, RecordSink, ReportSearch,
    SearchEvent, WatchSettings, answers,
    bus_mode::exchange::BusLine,
    certabo::{self, Certabo},
    chessnut::{self, Chessnut},
    driver::{Heard, Make, PortNeeds},
    link::{Levels, LinkKind, PortSetup},
    listen::listen,
    millennium::{self, Millennium},
    single_mode::BoardAlone,
    watch::{Watch, is_over},
    whole_positions::ReportingBoard,
};
use crate::{
    error::{Error, Result},
    record::Mode,
    stop,
};

/// All makes, in the order in which a line is searched for them.
pub fn makes<L: Link>() -> Vec<Make<L>> {
    let dgt = |lines, heard| PortNeeds {
        setup: PortSetup { baud: 9600, lines },
        kind: LinkKind::Stream,
        usb: &[],
        asks: true,
        heard,
    };
    vec![
        Make {
            name: "bus",
            mode: Some(Mode::Bus),
            title: "DGT boards on a bus",
            port: dgt(Levels::Low, |bytes| answers::heard(bytes, Mode::Bus)),
            open: |link| Box::new(BusLine::new(link)),
        },
        Make {
            name: "single",
            mode: Some(Mode::Single),
            title: "a DGT board alone",
            port: dgt(Levels::High, |bytes| answers::heard(bytes, Mode::Single)),
            open: |link| Box::new(BoardAlone::new(link)),
        },
        Make {
            name: "millennium",
            mode: Some(Mode::MILLENNIUM),
            title: "a Millennium board",
            port: PortNeeds {
                setup: PortSetup { baud: 38400, lines: Levels::Low },
                kind: LinkKind::Stream,
                // ChessLink's own adapter, and those of ESP32 boards with the same protocol.
                usb: &[(0x0403, Some(0x6001)), (0x10c4, None), (0x1a86, None)],
                asks: true,
                heard: millennium::heard,
            },
            open: |link| Box::new(ReportingBoard::new(link, Millennium::default())),
        },
        Make {
            name: "chessnut",
            mode: Some(Mode::CHESSNUT),
            title: "a Chessnut board",
            port: PortNeeds {
                setup: PortSetup { baud: 9600, lines: Levels::Low },
                kind: LinkKind::Reports,
                usb: &[(0x2d80, None)],
                asks: true,
                heard: chessnut::heard,
            },
            open: |link| Box::new(ReportingBoard::new(link, Chessnut::default())),
        },
        Make {
            name: "certabo",
            mode: Some(Mode::CERTABO),
            title: "a Certabo board",
            port: PortNeeds {
                setup: PortSetup { baud: 38_400, lines: Levels::Low },
                kind: LinkKind::Stream,
                usb: &[(0x10c4, Some(0xea60))],
                asks: false,
                heard: certabo::heard,
            },
            open: |link| {
                let protocol = Certabo::new(link.pieces());
                Box::new(ReportingBoard::new(link, protocol))
            },
        },
    ]
}

/// The make with this name; without a name all makes.
fn named<L: Link>(name: Option<&str>) -> Vec<Make<L>> {
    makes().into_iter().filter(|make| name.is_none_or(|name| make.name == name)).collect()
}

/// Opens the driver of a make, on a port that is set up for it. If the port went away, the driver's first command fails.
fn open<L: Link>(make: &Make<L>, mut link: L) -> Box<dyn Driver<L>> {
    let _ = link.set_up(make.port.setup);
    (make.open)(link)
}

/// Keeps the makes that may be on this port and may be asked for their boards. A make that the user named is kept
/// without listening, if it is read from a port of this kind. Afterwards the device on the port counts as identified.
///
/// # Errors
/// The port went away.
fn narrow<L: Link>(link: &mut L, makes: &mut Vec<Make<L>>, is_named: bool) -> Result<Heard, Gone> {
    let heard = narrowed(link, makes, is_named)?;
    link.settle();
    Ok(heard)
}

fn narrowed<L: Link>(link: &mut L, makes: &mut Vec<Make<L>>, is_named: bool) -> Result<Heard, Gone> {
    let usb = link.usb_id();
    let fits = |(vendor, product): &(u16, Option<u16>), id: (u16, u16)| {
        *vendor == id.0 && product.is_none_or(|product| product == id.1)
    };
    makes.retain(|make| {
        let may_be = usb.is_none_or(|id| make.port.usb.iter().any(|device| fits(device, id)));
        make.port.kind == link.kind() && (is_named || make.port.usb.is_empty() || may_be)
    });
    if makes.is_empty() {
        return Ok(Heard::NoMake);
    }
    if is_named {
        return Ok(Heard::Silence);
    }
    let heard = listen(link, makes)?;
    let is_its_adapter = |make: &&Make<L>| !make.port.asks && usb.is_some() && !make.port.usb.is_empty();
    match heard {
        Heard::Silence => {
            if let Some(title) = makes.iter().find(is_its_adapter).map(|make| make.title) {
                makes.clear();
                return Ok(Heard::SilentBoard(title));
            }
            makes.retain(|make| make.port.asks);
        }
        Heard::Make(at, _) => *makes = vec![makes.swap_remove(at)],
        _ => makes.clear(),
    }
    Ok(heard)
}

/// The wait before the next search if no board answered.
const NOBODY: Duration = Duration::from_secs(5);

/// The driver of the boards that were found, and the boards.
pub type Searched<L> = (Box<dyn Driver<L>>, Vec<FoundBoard>);

/// Searches a line for boards of the make with this name, or of any make. Returns the boards of the first make that has any,
/// with their driver.
pub fn find<L: Link>(
    mut link: L,
    make: Option<&str>,
    expected: &[u16],
    report: ReportSearch,
) -> Result<Searched<L>, Interrupted> {
    let mut candidates = named(make);
    let heard = narrow(&mut link, &mut candidates, make.is_some())?;
    if heard != Heard::Silence {
        report(SearchEvent::Heard(&heard))?;
    }
    let Some(first) = candidates.first() else {
        // No board was found, so this driver will not be used.
        return Ok(((makes()[0].open)(link), Vec::new()));
    };
    let mut driver = open(first, link);
    // Two boards with one address are not among those found, but commands for other makes would disturb them.
    let two = Cell::new(false);
    let mut report = |event: SearchEvent<'_>| {
        two.set(two.get() || matches!(event, SearchEvent::Twice(_)));
        report(event)
    };
    let mut found = driver.find(expected, &mut report)?;
    for make in &candidates[1..] {
        if found.is_empty() && !two.get() && stop::requested().is_none() {
            driver = open(make, driver.into_link());
            found = driver.find(expected, &mut report)?;
        }
    }
    Ok((driver, found))
}

/// The driver for boards that the user named: that of the make with this name, or of the first make whose boards answer.
///
/// # Errors
/// [`Error::Port`] if the device on the port is of none of these makes.
pub fn driver_for<L: Link>(
    mut link: L,
    make: Option<&str>,
    boards: &[u16],
) -> Result<Box<dyn Driver<L>>, Interrupted> {
    let mut candidates = named(make);
    let heard = narrow(&mut link, &mut candidates, make.is_some())?;
    let Some(first) = candidates.first() else { return Err(Error::port(link.name(), heard).into()) };
    let asked = if candidates.len() == 1 { &[] } else { &candidates[..] };
    let answers = first_to_answer(link, asked, boards);
    Ok(answers.map_or_else(|link| open(first, link), |(driver, _)| driver))
}

/// The driver of the first of these makes whose boards answer at once, and its name; the link, if none does.
fn first_to_answer<L: Link>(
    mut link: L,
    makes: &[Make<L>],
    expected: &[u16],
) -> Result<(Box<dyn Driver<L>>, &'static str), L> {
    for make in makes {
        let mut driver = open(make, link);
        if driver.answers(expected) {
            return Ok((driver, make.name));
        }
        link = driver.into_link();
        if stop::requested().is_some() {
            break;
        }
    }
    Err(link)
}

/// Which boards to watch, and how.
#[derive(Debug, Clone)]
pub struct WatchPlan {
    /// The name of their make; none: it is detected.
    pub make: Option<String>,
    /// The mode of the line in an earlier run.
    pub last: Option<Mode>,
    /// The expected boards.
    pub expected: Vec<u16>,
    /// Whether only those are watched.
    pub only: bool,
    /// When to write marks, to search, and to end.
    pub settings: WatchSettings,
}

/// A report about the beginning of a watch.
#[derive(Debug)]
pub enum Beginning {
    /// No board answers yet: the line is searched repeatedly.
    Nobody,
    /// The port sends bytes without a command. If they are of no make, it is listened to repeatedly.
    Heard(Heard),
    /// From here on boards are watched; the result of the search, if it is to be reported.
    Watching(Option<FirstSearch>),
}

/// Watches a line until the watch is over. `recalled`: the state of its boards from the records of earlier runs.
pub fn watch<L: Link>(
    link: L,
    sink: &mut dyn RecordSink,
    plan: WatchPlan,
    mut recalled: Recalled,
    report: &mut dyn FnMut(Beginning),
) -> Result<()> {
    let WatchPlan { make, last, mut expected, only, settings } = plan;
    let mut is_known = make.is_some() || makes::<L>().iter().any(|make| last.is_some() && make.mode == last);
    let must_be_there = expected.clone();
    expected.extend(recalled.keys().filter(|board| !expected.contains(board)).copied().collect::<Vec<_>>());
    let (mut candidates, mut reported, mut is_first) = (Vec::new(), Heard::Silence, true);
    let mut driver: Result<(Box<dyn Driver<L>>, &'static str), L> = Err(link);
    loop {
        let ((opened, name), sure) = match driver {
            Ok(driver) => (driver, true),
            Err(mut link) => {
                candidates = named(make.as_deref());
                // If the port went away, the driver's first command fails.
                let heard = narrow(&mut link, &mut candidates, is_known).unwrap_or(Heard::Silence);
                if heard != reported {
                    reported = heard.clone();
                    report(Beginning::Heard(heard));
                }
                let Some(first) = candidates.first() else {
                    link.pause(link.now() + NOBODY);
                    if is_over(&settings, link.now(), sink) {
                        return Ok(());
                    }
                    driver = Err(link);
                    continue;
                };
                let asked = if is_first { asked_first(&candidates, last, &must_be_there) } else { &[] };
                is_first = false;
                let was_another = last.is_some() && last != first.mode;
                match first_to_answer(link, asked, &must_be_there) {
                    Ok(driver) => (driver, true),
                    // The make of the journal does not answer: other makes are asked only where the port is silent.
                    Err(link) if make.is_none() && is_known && was_another => {
                        is_known = false;
                        driver = Err(link);
                        continue;
                    }
                    Err(link) => ((open(first, link), first.name), candidates.len() == 1),
                }
            }
        };
        sink.begins(opened.is_alone());
        let mut watch = opened.watch(settings.clone(), &mut *sink, std::mem::take(&mut recalled));
        let search = watch.find(&expected, only)?;
        let over = watch.is_over();
        let nobody =
            search.as_ref().is_some_and(|search| search.found + search.missing.len() + search.shared == 0);
        if sure || over || !nobody {
            let worth_a_word = |search: &FirstSearch| {
                !over && (!search.missing.is_empty() || !only || search.slow.is_some())
            };
            report(Beginning::Watching(search.filter(worth_a_word)));
            watch_same_device(&mut *watch, name, make.is_some())?;
            if watch.is_over() {
                return Ok(());
            }
            // Another device is on the port now: the state of the earlier boards does not apply to it.
            is_known = make.is_some();
            driver = Err(watch.into_link());
            continue;
        }
        driver = first_to_answer(watch.into_link(), &candidates[1..], &[]);
        if let Err(link) = &mut driver {
            report(Beginning::Nobody);
            link.pause(link.now() + NOBODY);
        }
    }
}

/// Watches until the watch is over, or another make is on the port after it came back. Another device is listened to
/// before anything is sent; a silent one counts as the same make, if it may be that.
fn watch_same_device<L: Link>(watch: &mut dyn Watch<L>, name: &str, is_named: bool) -> Result<()> {
    loop {
        watch.run()?;
        if watch.is_over() {
            return Ok(());
        }
        let mut candidates = named(None);
        let link = watch.parts().0;
        let heard = match narrow(link, &mut candidates, is_named) {
            Ok(heard) => heard,
            Err(gone) => {
                watch.recover(gone.into())?;
                continue;
            }
        };
        let port = named::<L>(Some(name)).first().map(|make| make.port);
        // A make that is never asked may be silent for a while; nothing is sent meanwhile.
        let waits = heard == Heard::Silence && port.is_some_and(|port| !port.asks);
        if !waits && candidates.iter().all(|make| make.name != name) {
            return Ok(());
        }
        if let Some(Err(gone)) = port.map(|port| link.set_up(port.setup)) {
            watch.recover(gone.into())?;
        }
    }
}

/// The makes that are asked before the first one searches. If the user named none: the make of an earlier run, unless
/// that is the first anyway; otherwise, if boards are expected, each make in turn.
fn asked_first<'a, L>(makes: &'a [Make<L>], last: Option<Mode>, must_be_there: &[u16]) -> &'a [Make<L>] {
    let earlier = makes[1..].iter().position(|make| last.is_some() && make.mode == last);
    match earlier {
        _ if makes.len() == 1 => &[],
        Some(at) => &makes[at + 1..at + 2],
        None if must_be_there.is_empty() => &[],
        None => makes,
    }
}

#[cfg(test)]
mod another_device;

#[cfg(test)]
pub(super) mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::*;
    use crate::{
        bus::{
            bus_mode::{
                fake_bus::FakeBus,
                tests::{Kept, SETTINGS},
            },
            link::Gone,
            single_mode::fake_board::{Action, LoneBoard},
        },
        record::Time,
    };

    /// A link that a test can examine while it is used.
    pub struct Shared<L>(pub Rc<RefCell<L>>);

    impl<L: Link> Link for Shared<L> {
        fn now(&self) -> Duration {
            self.0.borrow().now()
        }

        fn time(&self) -> Time {
            self.0.borrow().time()
        }

        fn heard(&self) -> Time {
            self.0.borrow().heard()
        }

        fn name(&self) -> &str {
            "shared"
        }

        fn is_another_device(&self) -> bool {
            self.0.borrow().is_another_device()
        }

        fn settle(&mut self) {
            self.0.borrow_mut().settle();
        }

        fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
            // The fake bus accepts only commands of four bytes, since others would end the bus mode.
            self.0.borrow_mut().send(bytes)
        }

        fn receive(&mut self, into: &mut Vec<u8>, until: Duration) -> Result<usize, Gone> {
            self.0.borrow_mut().receive(into, until)
        }

        fn pause(&mut self, until: Duration) {
            self.0.borrow_mut().pause(until)
        }

        fn reopen(&mut self) -> Result<()> {
            self.0.borrow_mut().reopen()
        }
    }

    /// The reports of the beginning of a watch of half a minute, the kinds of its first records, and the line afterwards.
    fn watched<L: Link>(
        link: L,
        make: Option<&str>,
        last: Option<Mode>,
        expected: &[u16],
    ) -> (Vec<String>, Vec<&'static str>, Rc<RefCell<L>>) {
        let link = Rc::new(RefCell::new(link));
        let (mut kept, mut said) = (Kept::default(), Vec::new());
        let settings = WatchSettings { seconds: Some(Duration::from_secs(30)), ..SETTINGS };
        let (make, expected) = (make.map(Into::into), expected.to_vec());
        let plan = WatchPlan { make, last, expected, only: false, settings };
        watch(Shared(link.clone()), &mut kept, plan, Recalled::new(), &mut |beginning| {
            said.push(match beginning {
                Beginning::Nobody => "nobody".into(),
                Beginning::Heard(heard) => format!("heard {heard}"),
                Beginning::Watching(None) => "watching".into(),
                Beginning::Watching(Some(search)) => format!("{} and not {:?}", search.found, search.missing),
            });
        })
        .unwrap();
        let kinds = kept.0.iter().take(2).map(|record| record.event.kind()).collect();
        (said, kinds, link)
    }

    #[test]
    fn a_bus_is_found_without_other_commands() {
        for (last, expected) in [(None, &[][..]), (None, &[1026]), (Some(Mode::Bus), &[1026])] {
            // This line accepts only commands of the bus.
            let (said, kinds, _) = watched(FakeBus::new([1025, 1026], 1), None, last, expected);
            assert_eq!((&said[..], &kinds[..]), (&["2 and not []".to_owned()][..], &["board", "board"][..]));
        }
    }

    #[test]
    fn missing_expected_boards_are_named() {
        let (said, _, _) = watched(FakeBus::new([1025], 1), Some("bus"), None, &[1025, 3000]);
        assert_eq!(said, ["1 and not [3000]"]);
    }

    #[test]
    fn a_board_alone_is_found_where_no_bus_answers() {
        for (make, last, expected) in [
            (None, None, &[][..]),
            (None, None, &[1025]),
            (None, Some(Mode::Single), &[]),
            (Some("single"), None, &[]),
        ] {
            let mut board = LoneBoard::new();
            board.has_bus_mode = false;
            let (said, kinds, board) = watched(board, make, last, expected);
            assert_eq!((&said[..], &kinds[..]), (&["watching".to_owned()][..], &["board", "position"][..]));
            assert!(board.borrow().asked.contains(&0x4b));
        }
    }

    #[test]
    fn two_boards_with_one_address_are_no_empty_line() {
        // This line accepts only commands of the bus.
        let mut twice = Vec::new();
        let (_, found) = find(FakeBus::new([1026, 1026], 1), None, &[], &mut |event| {
            twice.extend(if let SearchEvent::Twice(board) = event { Some(board) } else { None });
            Ok(())
        })
        .unwrap_or_else(|_| panic!("the line is gone"));
        assert_eq!((found, twice), (vec![], vec![1026]));
        let (said, kinds, _) = watched(FakeBus::new([1026, 1026], 1), None, None, &[]);
        assert_eq!((&said[..], &kinds[..1]), (&["0 and not []".to_owned()][..], &["fault"][..]));
    }

    #[test]
    fn an_empty_line_is_searched_until_a_board_answers() {
        let mut board = LoneBoard::new();
        board.script.push_back((Duration::ZERO, Action::Power(false)));
        board.script.push_back((Duration::from_secs(12), Action::Power(true)));
        let (said, kinds, _) = watched(board, None, None, &[]);
        assert_eq!(
            (&said[..1], &said[said.len() - 1..]),
            (&["nobody".to_owned()][..], &["watching".into()][..])
        );
        assert_eq!(kinds, ["board", "position"]);
    }

    #[test]
    fn named_boards_get_the_driver_of_their_make() {
        let board = Rc::new(RefCell::new(LoneBoard::new()));
        let mut driver = driver_for(Shared(board), None, &[1025]).unwrap_or_else(|_| panic!("gone"));
        assert!(driver.position(1025).unwrap().is_some() && driver.position(1026).unwrap().is_none());
        let bus = Rc::new(RefCell::new(FakeBus::new([1025, 1026], 1)));
        let mut driver = driver_for(Shared(bus), None, &[1026]).unwrap_or_else(|_| panic!("gone"));
        assert!(driver.position(1025).unwrap().is_some());
    }
}
