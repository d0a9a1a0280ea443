//! Plays a recording on the screen at any speed.

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use ratatui_core::buffer::Buffer;

use super::feed::{Feed, Item, add_to};
use crate::{
    commands::terminal::Screen,
    error::{Done, Error, Result},
    record::{GameEvent, Time},
    screen::{Hall, Look, Name, Scene, View, Wish, picture},
    stdio,
};

/// The interval at which the picture is updated.
const PICTURE_INTERVAL: Duration = Duration::from_millis(50);
/// The longest pause without a change on the screen, in seconds; longer pauses of the recording are shortened.
const PAUSE_MAX_SECONDS: f64 = 5.0;

/// A recording that is being played.
struct Replay {
    /// The items of the recording, each with its time.
    events: Vec<(Time, Item)>,
    /// The places among them at which a move was played.
    moves: Vec<usize>,
    /// How many items the hall has.
    taken: usize,
    hall: Hall,
    now: Time,
    speed: f64,
    view: View,
}

/// Plays the recording until the user quits.
pub fn run(mut feed: Feed, look: Look, source: String, speed: f64) -> Result<Done> {
    let events = read(&mut feed)?;
    let Some(&(begins, _)) = events.first() else {
        return Ok(feed.done());
    };
    let mut screen = Screen::open()?;
    let view = View::of_a_recording();
    let (moves, hall) = (moves(&events), feed.new_hall());
    let mut replay = Replay { events, moves, taken: 0, hall, now: begins, speed, view };
    let shown = replay.play(&mut screen, &mut feed, look, &source);
    drop(screen);
    match shown {
        Ok(()) | Err(Error::ReaderGone) => Ok(feed.done()),
        Err(error) => Err(error),
    }
}

/// Reads all items of the recording.
fn read(feed: &mut Feed) -> Result<Vec<(Time, Item)>> {
    feed.begin()?;
    let files = feed.take_files();
    let mut reading = (feed, Vec::new());
    let inputs = reading.0.inputs(&files, false);
    stdio::lines(
        inputs,
        &mut reading,
        |_| Ok(None),
        |(feed, items), place, line| feed.items(place, line, items),
    )?;
    let (feed, mut items) = reading;
    feed.finish(&mut items);
    Ok(at_moments(items, feed.new_hall()))
}

/// Adds to each item its time, by a clock that may have been put back, as a hall reads it: a late record belongs to the
/// time at which it was published, and records before any time to the first time.
fn at_moments(items: Vec<Item>, mut hall: Hall) -> Vec<(Time, Item)> {
    let moment = |item: &Item| {
        match item {
            Item::Stream(stream) => hall.stream(stream),
            Item::Board(record) => hall.record_when(record),
            Item::Game(record) => hall.play_when(record),
        }
        hall.now()
    };
    let moments: Vec<Option<Time>> = items.iter().map(moment).collect();
    let first = moments.iter().find_map(|moment| *moment).unwrap_or(Time(0));
    moments.into_iter().map(|moment| moment.unwrap_or(first)).zip(items).collect()
}

/// The places at which a move was played. A move that is published again, with its clock or certainty, is not counted.
fn moves(events: &[(Time, Item)]) -> Vec<usize> {
    let mut published: HashMap<Name, BTreeMap<u32, Option<&String>>> = HashMap::new();
    let mut moves = Vec::new();
    for (at, (_, item)) in events.iter().enumerate() {
        let Item::Game(record) = item else { continue };
        let published = published.entry((record.line.clone(), record.board)).or_default();
        match &record.event {
            GameEvent::Game(_) => published.clear(),
            GameEvent::Takeback(takeback) => published.retain(|ply, _| *ply <= takeback.ply),
            GameEvent::Move(m) => {
                let (ply, name) = (m.ply.unwrap_or(0), m.uci.as_ref().or(m.notation.as_ref()));
                if name.is_none() || published.get(&ply) != Some(&name) {
                    published.retain(|other, _| *other < ply);
                    published.insert(ply, name);
                    moves.push(at);
                }
            }
            _ => {}
        }
    }
    moves
}

/// Adds an item that was read to a hall.
fn add_again(hall: &mut Hall, item: &Item) {
    // Records that do not fit were reported when the recording was read.
    let _ = add_to(hall, item.clone());
}

impl Replay {
    fn play(&mut self, screen: &mut Screen, feed: &mut Feed, look: Look, source: &str) -> Result<()> {
        let mut last = Instant::now();
        loop {
            feed.look_at_names().into_iter().for_each(|dress| self.hall.dress_again(dress));
            for key in screen.keys(PICTURE_INTERVAL)? {
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
            let pace = match (self.taken == self.events.len(), self.view.held) {
                (true, _) => "the end".to_owned(),
                (_, true) => "held".to_owned(),
                _ => format!("x{}", (self.speed * 100.0).round() / 100.0),
            };
            let said = stdio::last_held_word().unwrap_or_default();
            let (source, zone) = (source.to_owned(), feed.zone.clone());
            let scene = Scene { source, now: self.now, zone, look, pace, said, keys: true };
            let mut cells = Buffer::empty(screen.size());
            picture(&mut cells, &self.hall, &mut self.view, &scene);
            if screen.is_ready() {
                screen.draw(cells)?;
            }
        }
    }

    /// Advances the recording by this many seconds.
    fn advance(&mut self, seconds: f64) {
        let mut now = self.now.after(seconds);
        if let Some((next, _)) = self.events.get(self.taken) {
            // For example a night between two rounds.
            let pause = PAUSE_MAX_SECONDS * self.speed.max(1.0);
            if now.seconds_until(*next) > pause {
                now = next.after(-pause);
            }
        } else {
            now = self.now;
        }
        self.now = now;
        while let Some(&(time, _)) = self.events.get(self.taken).filter(|(time, _)| *time <= self.now) {
            let is_put_back = self.taken > 0 && time < self.events[self.taken - 1].0;
            if is_put_back {
                self.now = time;
            }
            self.add_next();
        }
        if let (true, Some((last, _))) = (self.taken == self.events.len(), self.events.last()) {
            self.now = *last;
        }
    }

    fn add_next(&mut self) {
        add_again(&mut self.hall, &self.events[self.taken].1);
        self.taken += 1;
    }

    /// The place of the last item before this first move at which its board had the position of the game's beginning,
    /// which is mostly published later.
    fn set_up(&self, first: usize, feed: &Feed) -> usize {
        let Item::Game(played) = &self.events[first].1 else { return first };
        let name = (played.line.clone(), played.board);
        let mut hall = feed.new_hall();
        (0..=first).for_each(|at| add_again(&mut hall, &self.events[at].1));
        let Some(game) = hall.board(&name).and_then(|board| board.game.clone()) else { return first };
        let mut hall = feed.new_hall();
        let stands = (0..first).filter(|&at| {
            add_again(&mut hall, &self.events[at].1);
            hall.board(&name).is_some_and(|board| board.stands_as_begins(&game))
        });
        stands.last().map_or(first, |at| at + 1)
    }

    /// Steps to the move before, or the next one: of the selected board, else of any.
    fn step(&mut self, by: i32, feed: &Feed) {
        let only = self.view.chosen(&self.hall).map(|(name, _)| name.clone()).filter(|_| self.view.large);
        let wanted = |at: &&usize| match &self.events[**at].1 {
            Item::Game(record) => {
                only.as_ref().is_none_or(|only| *only == (record.line.clone(), record.board))
            }
            _ => false,
        };
        let mut moves = self.moves.iter().filter(wanted);
        let to = if by > 0 {
            moves.find(|at| **at >= self.taken).map(|at| at + 1)
        } else {
            let mut before = moves.clone().rev().skip_while(|at| **at >= self.taken);
            before.next();
            let first = moves.next();
            before.next().map(|at| at + 1).or_else(|| Some(self.set_up(*first?, feed).min(self.taken)))
        };
        let Some(to) = to else { return };
        if to < self.taken {
            (self.hall, self.taken) = (feed.new_hall(), 0);
        }
        while self.taken < to {
            self.add_next();
        }
        self.now = self.events[self.taken.saturating_sub(1)].0;
        self.view.held = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        format::pgn::Dress,
        record::{Record, parse},
    };

    #[test]
    fn put_back_clocks_continue_replays_by_new_times() {
        let at = |time: &str| format!("2026-11-22T{time}.000Z").parse::<Time>().unwrap();
        let quiet = |time: &&str| {
            let line = format!("{{\"type\":\"quiet\",\"time\":\"{}\",\"board\":1025}}", at(time));
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            Item::Board(record)
        };
        let items = ["10:00:00", "10:00:10", "09:00:12", "09:00:20"].iter().map(quiet).collect();
        let hall = || Hall::new(Dress::default());
        let events = at_moments(items, hall());
        let (moves, now, view) = (Vec::new(), events[0].0, View::of_a_recording());
        let mut replay = Replay { events, moves, taken: 0, hall: hall(), now, speed: 2.0, view };
        let mut after = |seconds: f64| {
            replay.advance(seconds);
            (replay.taken, replay.now)
        };
        assert_eq!(after(6.0), (1, at("10:00:06")));
        assert_eq!(after(4.0), (3, at("09:00:12")));
        assert_eq!(after(7.0), (3, at("09:00:19")));
        assert_eq!(after(1.0), (4, at("09:00:20")));
    }
}
