//! One picture of a hall as text.

use ratatui_core::{buffer::Buffer, layout::Rect};

use super::{feed::Feed, moment::moment};
use crate::{
    commands::terminal,
    error::{Done, Result},
    screen::{Look, Scene, View, ago, height, picture},
    stdio::{self, Output},
};

/// The width where no terminal gives one.
const WIDTH: u16 = 80;
/// Up to this many boards have diagrams where no screen limits them.
const DIAGRAMS: usize = 8;

/// From this age on, in seconds, the time of the last record is printed.
const OLD_SECONDS: f64 = 60.0;

/// Reads the whole input, prints the picture, and ends.
pub fn run(mut feed: Feed, look: Look, source: String) -> Result<Done> {
    feed.begin_at_the_end()?;
    let files = feed.take_files();
    let inputs = feed.inputs(&files, false);
    stdio::lines(inputs, &mut feed, |_| Ok(None), Feed::line)?;
    let mut items = Vec::new();
    feed.finish(&mut items);
    items.into_iter().try_for_each(|item| feed.add("the end", item))?;
    feed.look_at_names_last();
    picture_of(&feed, look, source)?;
    Ok(feed.done())
}

/// Prints the current state of the hall.
pub fn picture_of(feed: &Feed, look: Look, source: String) -> Result<()> {
    let boards = feed.hall.boards().len();
    let area = match terminal::window() {
        // A terminal scrolls printed text, so no board is left out for its height.
        Some(area) => Rect { height: area.height.max(height(boards)), ..area },
        None => {
            let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
            let width: u16 = columns.filter(|columns| (40..=1000).contains(columns)).unwrap_or(WIDTH);
            let abreast = usize::from(width / 20);
            let rows = if boards <= DIAGRAMS { 11 * boards.div_ceil(abreast) } else { boards };
            Rect::new(0, 0, width, height(rows))
        }
    };
    let latest = feed.hall.now();
    let now = moment(latest);
    // Without new records, the recording may have ended.
    let last = latest.filter(|latest| latest.seconds_until(now) >= OLD_SECONDS);
    let pace = last.map_or(String::new(), |last| format!("last record {}", ago(last, now, &feed.zone)));
    let (said, zone) = (String::new(), feed.zone.clone());
    let scene = Scene { source, now, zone, look, pace, said, keys: false };
    let mut cells = Buffer::empty(area);
    picture(&mut cells, &feed.hall, &mut View::default(), &scene);
    let mut out = Output::stdout();
    out.text(terminal::text(&cells, stdio::colour()))?;
    out.flush()
}
