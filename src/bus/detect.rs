//! The makes of board there are, and which of them is on a line. A new make is a line in [`makes`].
//!
//! Nobody can see from a line what is on it: it is asked, in the order of the list. The first make is the one for which
//! nothing has to speak; what a later one sends may disturb its boards, so that is sent only when it found none.

use std::{cell::Cell, time::Duration};

use super::{
    Driver, FirstSearch, FoundBoard, Interrupted, Link, Recalled, RecordSink, ReportSearch, SearchEvent,
    WatchSettings, bus_mode::exchange::BusLine, driver::Make, single_mode::BoardAlone,
};
use crate::{error::Result, record::Mode, stop};

/// All makes, in the order in which a line is asked for them.
pub fn makes<L: Link>() -> Vec<Make<L>> {
    vec![
        Make { name: "bus", mode: Some(Mode::Bus), open: |link| Box::new(BusLine::new(link)) },
        Make { name: "single", mode: Some(Mode::Single), open: |link| Box::new(BoardAlone::new(link)) },
    ]
}

/// The make with this name, or without one all of them.
fn candidates<L: Link>(name: Option<&str>) -> Vec<Make<L>> {
    makes().into_iter().filter(|make| name.is_none_or(|name| make.name == name)).collect()
}

/// How long to wait before boards are looked for again where none answered.
const NOBODY: Duration = Duration::from_secs(5);

/// The driver of the boards that were found, and those.
pub type Searched<L> = (Box<dyn Driver<L>>, Vec<FoundBoard>);

/// Searches a line for boards of the make with this name, or of any: the driver, and those of the first make that is
/// there.
pub fn find<L: Link>(
    link: L,
    make: Option<&str>,
    expected: &[u16],
    report: ReportSearch,
) -> Result<Searched<L>, Interrupted> {
    let makes = candidates(make);
    let mut driver = (makes[0].open)(link);
    // Two boards that share their address answer for none, and what another make is asked would disturb them.
    let two = Cell::new(false);
    let mut report = |event: SearchEvent<'_>| {
        two.set(two.get() || matches!(event, SearchEvent::Twice(_)));
        report(event)
    };
    let mut found = driver.find(expected, &mut report)?;
    for make in &makes[1..] {
        if found.is_empty() && !two.get() && stop::requested().is_none() {
            driver = (make.open)(driver.into_link());
            found = driver.find(expected, &mut report)?;
        }
    }
    Ok((driver, found))
}

/// The driver for boards that were named: that of the make with this name, or of the first whose boards answer.
pub fn driver_for<L: Link>(link: L, make: Option<&str>, boards: &[u16]) -> Box<dyn Driver<L>> {
    let makes = candidates(make);
    let asked = if makes.len() == 1 { &[] } else { &makes[..] };
    first_to_answer(link, asked, boards).unwrap_or_else(|link| (makes[0].open)(link))
}

/// The driver of the first of these makes whose boards answer at once; the link, if none does.
fn first_to_answer<L: Link>(
    mut link: L,
    makes: &[Make<L>],
    expected: &[u16],
) -> Result<Box<dyn Driver<L>>, L> {
    for make in makes {
        let mut driver = (make.open)(link);
        if driver.answers(expected) {
            return Ok(driver);
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
    /// The name of their make; none: to be found out.
    pub make: Option<String>,
    /// What the line was when an earlier run watched it.
    pub last: Option<Mode>,
    /// Boards that must be there.
    pub expected: Vec<u16>,
    /// No others are wanted.
    pub only: bool,
    /// When to write marks, to search, and to end.
    pub settings: WatchSettings,
}

/// What is worth saying of a watch that begins.
#[derive(Debug)]
pub enum Beginning {
    /// Nobody answers yet: the line is searched again and again.
    Nobody,
    /// From here on boards are watched; what the search found, if there was one worth a word.
    Watching(Option<FirstSearch>),
}

/// Watches a line until it is over. `recalled` is what earlier runs published of its boards.
pub fn watch<L: Link>(
    link: L,
    sink: &mut dyn RecordSink,
    plan: WatchPlan,
    mut recalled: Recalled,
    report: &mut dyn FnMut(Beginning),
) -> Result<()> {
    let WatchPlan { make, last, mut expected, only, settings } = plan;
    let makes = candidates(make.as_deref());
    // Without a word from the user a line is what it was, if that is not the first make anyway; otherwise boards that
    // must be there show what it is.
    let earlier = makes[1..].iter().position(|make| last.is_some() && make.mode == last);
    let asked = match earlier {
        _ if makes.len() == 1 => &[],
        Some(at) => &makes[at + 1..at + 2],
        None if expected.is_empty() => &[],
        None => &makes[..],
    };
    let mut driver = first_to_answer(link, asked, &expected);
    expected.extend(recalled.keys().filter(|board| !expected.contains(board)).copied().collect::<Vec<_>>());
    loop {
        let sure = makes.len() == 1 || driver.is_ok();
        let opened = driver.unwrap_or_else(|link| (makes[0].open)(link));
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
            return watch.run();
        }
        driver = first_to_answer(watch.into_link(), &makes[1..], &[]);
        if let Err(link) = &mut driver {
            report(Beginning::Nobody);
            link.pause(link.now() + NOBODY);
        }
    }
}

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

    /// A link that a test looks at from outside.
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

        fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
            // The fake bus takes commands of four bytes and no others, as no board on a bus may be sent any.
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

    /// What a watch of half a minute says of its beginning, the kinds of its first records, and what it left of the
    /// line.
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
                Beginning::Watching(None) => "watching".into(),
                Beginning::Watching(Some(search)) => format!("{} and not {:?}", search.found, search.missing),
            });
        })
        .unwrap();
        let kinds = kept.0.iter().take(2).map(|record| record.event.kind()).collect();
        (said, kinds, link)
    }

    #[test]
    fn a_bus_is_found_without_a_byte_that_would_end_its_mode() {
        for (last, expected) in [(None, &[][..]), (None, &[1026]), (Some(Mode::Bus), &[1026])] {
            // This line takes commands of the bus and no others.
            let (said, kinds, _) = watched(FakeBus::new([1025, 1026], 1), None, last, expected);
            assert_eq!((&said[..], &kinds[..]), (&["2 and not []".to_owned()][..], &["board", "board"][..]));
        }
    }

    #[test]
    fn boards_that_must_be_there_and_are_not_are_named_and_waited_for() {
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
            board.knows_bus = false;
            let (said, kinds, board) = watched(board, make, last, expected);
            assert_eq!((&said[..], &kinds[..]), (&["watching".to_owned()][..], &["board", "position"][..]));
            assert!(board.borrow().asked.contains(&0x4b));
        }
    }

    #[test]
    fn two_boards_with_one_address_are_no_line_with_nobody_on_it() {
        // This line takes commands of the bus and no others.
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
    fn a_line_with_nobody_on_it_is_searched_until_somebody_comes() {
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
    fn boards_that_were_named_are_asked_as_what_they_are() {
        let board = Rc::new(RefCell::new(LoneBoard::new()));
        let mut driver = driver_for(Shared(board), None, &[1025]);
        assert!(driver.position(1025).unwrap().is_some() && driver.position(1026).unwrap().is_none());
        let bus = Rc::new(RefCell::new(FakeBus::new([1025, 1026], 1)));
        let mut driver = driver_for(Shared(bus), None, &[1026]);
        assert!(driver.position(1025).unwrap().is_some());
    }
}
