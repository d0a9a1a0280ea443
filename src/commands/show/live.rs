//! The current state of the hall, on the screen.

use std::time::{Duration, Instant};

use ratatui_core::buffer::Buffer;

use super::{feed::Feed, moment::moment};
use crate::{
    commands::terminal::Screen,
    error::{Done, Error, Result},
    record::{BoardRecord, Time},
    screen::{Hall, Look, Scene, View, Wish, picture},
    stdio::{self, Place},
};

/// The interval at which keys are read while records come.
const KEY_INTERVAL: Duration = Duration::from_millis(50);
/// The minimum time between two pictures of a hall.
const PICTURE_INTERVAL: Duration = Duration::from_millis(200);
/// The minimum time between two pictures of boards on a desk, where a user lifts a piece and waits for its square to
/// change.
const DESK_PICTURE_INTERVAL: Duration = Duration::from_millis(20);
/// How many records are read between two checks for keys.
const BATCH_RECORDS: u32 = 500;
/// How long the last message stays.
const MESSAGE_TIME: Duration = Duration::from_secs(10);
/// In seconds: where a new record is no older than this, the clocks of the machines agree.
const SAME_CLOCK_SECONDS: f64 = 5.0;

/// The hall, the screen, and the state of the display.
pub struct Live {
    pub feed: Feed,
    pub screen: Screen,
    look: Look,
    source: String,
    pub view: View,
    moment: Moment,
    /// The hall of a picture that is held, and its time; records are read meanwhile all the same.
    held: Option<(Hall, Time)>,
    drawn: Option<Drawn>,
    /// The minimum time between two pictures.
    interval: Duration,
    said: Option<(String, Instant)>,
    lines: u32,
}

/// The state of the picture on the screen.
struct Drawn {
    at: Instant,
    revision: u64,
    second: i64,
}

/// The time that is shown.
struct Moment {
    /// The input has ended.
    over: bool,
    /// All existing input has been read: further records are new.
    read: bool,
    /// By how many seconds the clock of the records' writer is behind that of this machine.
    behind: f64,
}

impl Moment {
    fn now(&self, latest: Option<Time>) -> Time {
        match latest {
            latest if self.over => moment(latest),
            Some(latest) if !self.read => latest,
            _ => Time::now().after(-self.behind),
        }
    }

    /// A record with this time has come.
    fn record_came(&mut self, time: Option<Time>) {
        if let (true, Some(time)) = (self.read, time) {
            let age = time.seconds_until(Time::now());
            self.behind = if age.abs() < SAME_CLOCK_SECONDS { 0.0 } else { age };
        }
    }
}

impl Live {
    /// Nothing is shown yet.
    pub fn new(feed: Feed, screen: Screen, look: Look, source: String) -> Live {
        let moment = Moment { over: false, read: false, behind: 0.0 };
        let view = View::default();
        let (held, drawn, said) = (None, None, None);
        let interval = PICTURE_INTERVAL;
        Live { feed, screen, look, source, view, moment, held, drawn, interval, said, lines: 0 }
    }

    /// Shows the input until the user quits.
    pub fn run(mut self, follow: bool) -> Result<Done> {
        let shown = self.read(follow);
        let Live { feed, screen, .. } = self;
        drop(screen);
        match shown {
            Ok(()) | Err(Error::ReaderGone) => Ok(feed.done()),
            Err(error) => Err(error),
        }
    }

    fn read(&mut self, follow: bool) -> Result<()> {
        self.feed.begin_at_the_end()?;
        let files = self.feed.take_files();
        let inputs = self.feed.inputs(&files, follow).to_be_left_at_once();
        stdio::lines(inputs, self, Live::idle, Live::line)?;
        let mut items = Vec::new();
        self.feed.finish(&mut items);
        items.into_iter().try_for_each(|item| self.feed.add("the end", item))?;
        self.moment.over = true;
        loop {
            self.look(KEY_INTERVAL)?;
        }
    }

    fn idle(&mut self) -> Result<Option<Duration>> {
        self.moment.read = true;
        self.look(Duration::ZERO).map(|()| Some(KEY_INTERVAL))
    }

    fn line(&mut self, place: Place<'_>, line: &[u8]) -> Result<()> {
        self.feed.line(place, line)?;
        self.moment.record_came(self.feed.hall.now());
        self.lines += 1;
        if self.lines.is_multiple_of(BATCH_RECORDS) { self.look(Duration::ZERO) } else { Ok(()) }
    }

    /// Adds a record of a board that does not come from a file.
    pub fn board(&mut self, record: BoardRecord) -> Result<()> {
        let mut items = Vec::new();
        self.feed.board(record, &mut items);
        items.into_iter().try_for_each(|item| self.feed.add("the line", item))
    }

    /// Nothing is read from files: records are new and shown immediately.
    pub fn of_a_desk(&mut self) {
        (self.moment.read, self.interval) = (true, DESK_PICTURE_INTERVAL);
    }

    /// Takes the keys that come within this time, and draws what is new.
    ///
    /// # Errors
    /// [`Error::ReaderGone`] when the user quits.
    pub fn look(&mut self, wait: Duration) -> Result<()> {
        self.feed.look_at_names();
        let keys = self.screen.keys(wait)?;
        let pressed = !keys.is_empty();
        for key in keys {
            let hall = self.held.as_ref().map_or(&self.feed.hall, |(hall, _)| hall);
            if self.view.key(key, hall) == Wish::Quit {
                return Err(Error::ReaderGone);
            }
            self.hold();
        }
        if let Some(word) = stdio::last_held_word() {
            self.said = Some((word, Instant::now()));
        }
        self.said.take_if(|(_, since)| since.elapsed() > MESSAGE_TIME);
        let (hall, now) = match &self.held {
            Some((hall, held)) => (hall, *held),
            None => (&self.feed.hall, self.moment.now(self.feed.hall.now())),
        };
        let revision = hall.revision();
        let second = now.0.div_euclid(1000);
        let area = self.screen.size();
        let due = self.drawn.as_ref().is_none_or(|drawn| {
            (drawn.revision, drawn.second) != (revision, second) && drawn.at.elapsed() >= self.interval
        });
        if !due && !pressed && !self.screen.is_resized(area) {
            return Ok(());
        }
        if !self.screen.is_ready() {
            // When the screen is ready again, everything that changed meanwhile is drawn.
            self.drawn = None;
            return Ok(());
        }
        let scene = Scene {
            source: self.source.clone(),
            now,
            zone: self.feed.zone.clone(),
            look: self.look,
            pace: String::new(),
            said: self.said.as_ref().map_or(String::new(), |(word, _)| word.clone()),
            keys: true,
        };
        let mut cells = Buffer::empty(area);
        picture(&mut cells, hall, &mut self.view, &scene);
        self.drawn = Some(Drawn { at: Instant::now(), revision, second });
        self.screen.draw(cells)
    }

    /// Keeps the current hall when the picture is held, and drops it when the picture is released.
    fn hold(&mut self) {
        if !self.view.held {
            self.held = None;
        } else if self.held.is_none() {
            let hall = self.feed.hall.clone();
            let now = self.moment.now(hall.now());
            self.held = Some((hall, now));
        }
    }
}
