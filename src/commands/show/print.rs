//! One picture of a hall as text.

use ratatui_core::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::Color,
};

use super::{feed::Feed, terminal};
use crate::{
    error::{Done, Result},
    record::Time,
    screen::{Look, Scene, View, height, picture},
    stdio::{self, Output},
};

/// How wide it is where nobody says.
const WIDTH: u16 = 80;
/// Up to so many boards have diagrams where no screen limits them.
const DIAGRAMS: usize = 8;

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
    let (pace, said, zone) = (String::new(), String::new(), feed.zone());
    let scene = Scene { source, now, zone, look, pace, said, keys: false };
    let mut cells = Buffer::empty(area);
    picture(&mut cells, &feed.hall, &mut View::default(), &scene);
    let mut out = Output::stdout();
    out.text(text(&cells, stdio::colour()))?;
    out.flush()?;
    Ok(feed.done())
}

/// The picture in lines, without what is blank at their ends and below.
fn text(cells: &Buffer, styled: bool) -> String {
    let area = cells.area();
    let mut lines = Vec::new();
    for y in area.top()..area.bottom() {
        let row: Vec<_> = (area.left()..area.right()).filter_map(|x| cells.cell((x, y))).collect();
        let is_blank = |cell: &Cell| cell.symbol() == " " && (!styled || cell.bg == Color::Reset);
        let end = row.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        let (mut line, mut style) = (String::new(), None);
        for cell in &row[..end] {
            if styled && style != Some(cell.style()) {
                style = Some(cell.style());
                line.push_str(&terminal::rendition(cell.style()));
            }
            line.push_str(cell.symbol());
        }
        if styled && style.is_some() {
            line.push_str("\x1b[0m");
        }
        lines.push(line);
    }
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[..end].iter().map(|line| format!("{line}\n")).collect()
}
