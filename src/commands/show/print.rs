//! One picture of a hall as text.

use ratatui_core::{buffer::Buffer, layout::Rect};

use super::feed::Feed;
use crate::{
    commands::terminal,
    error::{Done, Result},
    record::Time,
    screen::{Look, Scene, View, height, picture, span},
    stdio::{self, Output},
};

/// How wide it is where nobody says.
const WIDTH: u16 = 80;
/// Up to so many boards have diagrams where no screen limits them.
const DIAGRAMS: usize = 8;

/// How old the picture is, in seconds, that is said to be so: of a round that has been over for a day nobody asks how it goes.
const OLD: std::ops::Range<f64> = 60.0..86_400.0;

/// Reads all there is, prints the picture, and ends.
pub fn run(mut feed: Feed, look: Look, source: String) -> Result<Done> {
    feed.begin_at_the_end()?;
    let files = feed.take_files();
    let inputs = feed.inputs(&files, false);
    stdio::lines(inputs, &mut feed, |_| Ok(None), Feed::line)?;
    let mut heard = Vec::new();
    feed.finish(&mut heard);
    heard.into_iter().try_for_each(|heard| feed.hear("the end", heard))?;
    let boards = feed.hall.boards().len();
    let area = match terminal::window() {
        // A terminal scrolls what is printed: no board is left out for its height.
        Some(area) => Rect { height: area.height.max(height(boards)), ..area },
        None => {
            let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
            let width: u16 = columns.filter(|columns| (40..=1000).contains(columns)).unwrap_or(WIDTH);
            let abreast = usize::from(width / 20);
            let rows = if boards <= DIAGRAMS { 11 * boards.div_ceil(abreast) } else { boards };
            Rect::new(0, 0, width, height(rows))
        }
    };
    let now = feed.hall.now().unwrap_or_else(Time::now);
    let (pace, said, zone) = (age(now), String::new(), feed.zone());
    let scene = Scene { source, now, zone, look, pace, said, keys: false };
    let mut cells = Buffer::empty(area);
    picture(&mut cells, &feed.hall, &mut View::default(), &scene);
    let mut out = Output::stdout();
    out.text(terminal::text(&cells, stdio::colour()))?;
    out.flush()?;
    Ok(feed.done())
}

/// How long ago it was so, in words: nothing came since, and what is recorded may have ended without a word.
fn age(now: Time) -> String {
    let seconds = now.seconds_until(Time::now());
    if OLD.contains(&seconds) { format!("{} ago", span(seconds)) } else { String::new() }
}
