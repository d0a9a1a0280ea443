//! A recording on the screen, as fast as somebody likes.

use std::time::{Duration, Instant};

use ratatui_core::buffer::Buffer;

use super::{
    feed::{Feed, Heard, hear},
    terminal::Screen,
};
use crate::{
    error::{Done, Error, Result},
    record::{GameEvent, Time},
    screen::{Hall, Look, Scene, View, Wish, picture},
    stdio,
};

/// How often the picture is looked after.
const TICK: Duration = Duration::from_millis(50);
/// So long nothing happens on the screen, in seconds; what is longer in the recording is passed over.
const LONGEST_PAUSE: f64 = 5.0;

/// A recording that is played.
struct Replay {
    /// What was heard, each with its moment.
    events: Vec<(Time, Heard)>,
    /// So many have been heard.
    heard: usize,
    hall: Hall,
    now: Time,
    speed: f64,
    view: View,
}

/// Plays what is read until somebody leaves.
pub fn run(mut feed: Feed, look: Look, source: String, speed: f64) -> Result<Done> {
    let events = read(&mut feed)?;
    let Some(&(begins, _)) = events.iter().find(|(time, _)| time.0 > 0).or(events.first()) else {
        return Ok(feed.done());
    };
    let mut screen = Screen::open()?;
    let view = View::of_a_recording();
    let mut replay = Replay { events, heard: 0, hall: feed.new_hall(), now: begins, speed, view };
    let shown = replay.play(&mut screen, &feed, look, &source);
    drop(screen);
    match shown {
        Ok(()) | Err(Error::ReaderGone) => Ok(feed.done()),
        Err(error) => Err(error),
    }
}

/// All that the hall will hear.
fn read(feed: &mut Feed) -> Result<Vec<(Time, Heard)>> {
    feed.begin()?;
    let files = feed.take_files();
    let mut reading = (feed, Vec::new());
    let inputs = reading.0.inputs(&files, false);
    stdio::lines(
        inputs,
        &mut reading,
        |_| Ok(None),
        |(feed, heard), place, line| feed.heard(place, line, heard),
    )?;
    let (feed, mut heard) = reading;
    feed.finish(&mut heard);
    let mut latest = Time(0);
    let timed = heard.into_iter().map(|heard| {
        let time = match &heard {
            Heard::Stream(_) => None,
            Heard::Board(record) => record.time,
            Heard::Game(record) => record.time,
        };
        // What is told late belongs to the moment at which it was told.
        latest = time.map_or(latest, |time| time.max(latest));
        (latest, heard)
    });
    Ok(timed.collect())
}

impl Replay {
    fn play(&mut self, screen: &mut Screen, feed: &Feed, look: Look, source: &str) -> Result<()> {
        let mut last = Instant::now();
        loop {
            for key in screen.keys(TICK)? {
                match self.view.key(key, &self.hall) {
                    Wish::Quit => return Ok(()),
                    Wish::Step(by) => self.step(by, feed),
                    Wish::Speed(factor) => self.speed = (self.speed * factor).clamp(0.01, 10_000.0),
                    Wish::None => {}
                }
            }
            let passed = last.elapsed().as_secs_f64();
            last = Instant::now();
            if !self.view.held {
                self.advance(passed * self.speed);
            }
            let pace = match (self.heard == self.events.len(), self.view.held) {
                (true, _) => "the end".to_owned(),
                (_, true) => "held".to_owned(),
                _ => format!("x{}", (self.speed * 100.0).round() / 100.0),
            };
            let said = stdio::last_held_word().unwrap_or_default();
            let (source, zone) = (source.to_owned(), feed.zone());
            let scene = Scene { source, now: self.now, zone, look, pace, said, keys: true };
            let mut cells = Buffer::empty(screen.size());
            picture(&mut cells, &self.hall, &mut self.view, &scene);
            if screen.is_ready() {
                screen.draw(cells)?;
            }
        }
    }

    /// So many seconds of the recording go by.
    fn advance(&mut self, seconds: f64) {
        let mut now = self.now.after(seconds);
        if let Some((next, _)) = self.events.get(self.heard) {
            // A night between two rounds.
            let pause = LONGEST_PAUSE * self.speed.max(1.0);
            if now.seconds_until(*next) > pause {
                now = next.after(-pause);
            }
        } else {
            now = self.now;
        }
        self.now = now;
        while self.events.get(self.heard).is_some_and(|(time, _)| *time <= now) {
            self.hear_next();
        }
        if let (true, Some((last, _))) = (self.heard == self.events.len(), self.events.last()) {
            self.now = *last;
        }
    }

    fn hear_next(&mut self) {
        // What cannot be was said when the recording was read.
        let _ = hear(&mut self.hall, self.events[self.heard].1.clone());
        self.heard += 1;
    }

    /// To the move before, or the next: of the board that is looked at alone, else of any.
    fn step(&mut self, by: i32, feed: &Feed) {
        let only = self.view.chosen(&self.hall).map(|(name, _)| name.clone()).filter(|_| self.view.large);
        let is_move = |(_, heard): &(Time, Heard)| match heard {
            Heard::Game(record) => {
                let name = (record.line.clone(), record.board);
                matches!(record.event, GameEvent::Move(_)) && only.as_ref().is_none_or(|only| *only == name)
            }
            _ => false,
        };
        let to = if by > 0 {
            self.events[self.heard..].iter().position(is_move).map(|at| self.heard + at + 1)
        } else {
            let mut before = (0..self.heard).rev().filter(|&at| is_move(&self.events[at]));
            before.next();
            Some(before.next().map_or(0, |at| at + 1))
        };
        let Some(to) = to else { return };
        if to < self.heard {
            (self.hall, self.heard) = (feed.new_hall(), 0);
        }
        while self.heard < to {
            self.hear_next();
        }
        self.now = self.events[self.heard.saturating_sub(1)].0;
        self.view.held = true;
    }
}
