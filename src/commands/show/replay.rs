//! A recording on the screen, as fast as somebody likes.

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use ratatui_core::buffer::Buffer;

use super::feed::{Feed, Heard, hear};
use crate::{
    commands::terminal::Screen,
    error::{Done, Error, Result},
    record::{GameEvent, Time},
    screen::{Hall, Look, Name, Scene, View, Wish, picture},
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
    /// At which of them a move was played.
    moves: Vec<usize>,
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
    let Some(&(begins, _)) = events.first() else {
        return Ok(feed.done());
    };
    let mut screen = Screen::open()?;
    let view = View::of_a_recording();
    let (moves, hall) = (moves(&events), feed.new_hall());
    let mut replay = Replay { events, moves, heard: 0, hall, now: begins, speed, view };
    let shown = replay.play(&mut screen, &mut feed, look, &source);
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
    Ok(at_moments(heard, feed.new_hall()))
}

/// Each with its moment: what is told late belongs to that at which it was told, by a clock that may have been put back, as a
/// hall hears it; what is told before any time to the first.
fn at_moments(heard: Vec<Heard>, mut hall: Hall) -> Vec<(Time, Heard)> {
    let moment = |heard: &Heard| {
        match heard {
            Heard::Stream(stream) => hall.stream(stream),
            Heard::Board(record) => hall.record_when(record),
            Heard::Game(record) => hall.play_when(record),
        }
        hall.now()
    };
    let moments: Vec<Option<Time>> = heard.iter().map(moment).collect();
    let first = moments.iter().find_map(|moment| *moment).unwrap_or(Time(0));
    moments.into_iter().map(|moment| moment.unwrap_or(first)).zip(heard).collect()
}

/// At which places a move was played. One that is told again, with its clock or as sure as it is by now, was played before.
fn moves(events: &[(Time, Heard)]) -> Vec<usize> {
    let mut told: HashMap<Name, BTreeMap<u32, Option<&String>>> = HashMap::new();
    let mut moves = Vec::new();
    for (at, (_, heard)) in events.iter().enumerate() {
        let Heard::Game(record) = heard else { continue };
        let told = told.entry((record.line.clone(), record.board)).or_default();
        match &record.event {
            GameEvent::Game(_) => told.clear(),
            GameEvent::Takeback(takeback) => told.retain(|ply, _| *ply <= takeback.ply),
            GameEvent::Move(m) => {
                let (ply, name) = (m.ply.unwrap_or(0), m.uci.as_ref().or(m.notation.as_ref()));
                if name.is_none() || told.get(&ply) != Some(&name) {
                    told.retain(|other, _| *other < ply);
                    told.insert(ply, name);
                    moves.push(at);
                }
            }
            _ => {}
        }
    }
    moves
}

/// Lets a hall hear what was read.
fn hear_again(hall: &mut Hall, heard: &Heard) {
    // What cannot be was said when the recording was read.
    let _ = hear(hall, heard.clone());
}

impl Replay {
    fn play(&mut self, screen: &mut Screen, feed: &mut Feed, look: Look, source: &str) -> Result<()> {
        let mut last = Instant::now();
        loop {
            feed.look_at_names().into_iter().for_each(|dress| self.hall.dress_anew(dress));
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
            let (source, zone) = (source.to_owned(), feed.zone.clone());
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
        while let Some(&(time, _)) = self.events.get(self.heard).filter(|(time, _)| *time <= self.now) {
            let is_put_back = self.heard > 0 && time < self.events[self.heard - 1].0;
            if is_put_back {
                self.now = time;
            }
            self.hear_next();
        }
        if let (true, Some((last, _))) = (self.heard == self.events.len(), self.events.last()) {
            self.now = *last;
        }
    }

    fn hear_next(&mut self) {
        hear_again(&mut self.hall, &self.events[self.heard].1);
        self.heard += 1;
    }

    /// Up to where is heard what was there before this first move: as long as its board stood as the game begins, which mostly
    /// is told later.
    fn set_up(&self, first: usize, feed: &Feed) -> usize {
        let Heard::Game(played) = &self.events[first].1 else { return first };
        let name = (played.line.clone(), played.board);
        let mut hall = feed.new_hall();
        (0..=first).for_each(|at| hear_again(&mut hall, &self.events[at].1));
        let Some(game) = hall.board(&name).and_then(|board| board.game.clone()) else { return first };
        let mut hall = feed.new_hall();
        let stands = (0..first).filter(|&at| {
            hear_again(&mut hall, &self.events[at].1);
            hall.board(&name).is_some_and(|board| board.stands_as_begins(&game))
        });
        stands.last().map_or(first, |at| at + 1)
    }

    /// To the move before, or the next: of the board that is looked at alone, else of any.
    fn step(&mut self, by: i32, feed: &Feed) {
        let only = self.view.chosen(&self.hall).map(|(name, _)| name.clone()).filter(|_| self.view.large);
        let wanted = |at: &&usize| match &self.events[**at].1 {
            Heard::Game(record) => {
                only.as_ref().is_none_or(|only| *only == (record.line.clone(), record.board))
            }
            _ => false,
        };
        let mut moves = self.moves.iter().filter(wanted);
        let to = if by > 0 {
            moves.find(|at| **at >= self.heard).map(|at| at + 1)
        } else {
            let mut before = moves.clone().rev().skip_while(|at| **at >= self.heard);
            before.next();
            let first = moves.next();
            before.next().map(|at| at + 1).or_else(|| Some(self.set_up(*first?, feed).min(self.heard)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        format::pgn::Dress,
        record::{Record, parse},
    };

    #[test]
    fn where_the_clock_was_put_back_it_goes_on_at_its_pace_by_the_new_time() {
        let at = |time: &str| format!("2026-11-22T{time}.000Z").parse::<Time>().unwrap();
        let quiet = |time: &&str| {
            let line = format!("{{\"type\":\"quiet\",\"time\":\"{}\",\"board\":1025}}", at(time));
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            Heard::Board(record)
        };
        let heard = ["10:00:00", "10:00:10", "09:00:12", "09:00:20"].iter().map(quiet).collect();
        let hall = || Hall::new(Dress::default());
        let events = at_moments(heard, hall());
        let (moves, now, view) = (Vec::new(), events[0].0, View::of_a_recording());
        let mut replay = Replay { events, moves, heard: 0, hall: hall(), now, speed: 2.0, view };
        let mut after = |seconds: f64| {
            replay.advance(seconds);
            (replay.heard, replay.now)
        };
        assert_eq!(after(6.0), (1, at("10:00:06")));
        assert_eq!(after(4.0), (3, at("09:00:12")));
        assert_eq!(after(7.0), (3, at("09:00:19")));
        assert_eq!(after(1.0), (4, at("09:00:20")));
    }
}
