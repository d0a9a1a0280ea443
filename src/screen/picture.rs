//! The whole picture: a heading, the strip of findings, the boards, a line of keys.

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style};

use super::{
    diagram::{blank, columns, cut, text, text_right},
    grid::{self, Drawn, Shape},
    hall::{Hall, Name},
    help,
    large::Sheet,
    list,
    look::Look,
    players::called_all,
    view::View,
    words,
};
use crate::{
    health::Trouble,
    record::{Time, Zone},
};

/// The parts of the picture besides the hall itself.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The source in a few words: the name of a journal.
    pub source: String,
    /// The time of the picture.
    pub now: Time,
    /// The time zone of displayed times.
    pub zone: Zone,
    /// Figures and colours.
    pub look: Look,
    /// The pace of a replay, in a few words, or nothing.
    pub pace: String,
    /// The last message to the user, or nothing.
    pub said: String,
    /// Whether there are keys.
    pub keys: bool,
}

/// On a screen of this height the strip of findings has three lines.
const HIGH: u16 = 40;

/// The height of a picture without keys, with this many lines for boards.
pub fn height(lines: usize) -> u16 {
    let low = lines.max(3) + 2;
    let high = if low >= usize::from(HIGH) { low + 2 } else { low };
    high.min(2000) as u16
}

/// Draws the hall in this view.
pub fn picture(cells: &mut Buffer, hall: &Hall, view: &mut View, scene: &Scene) {
    let area = *cells.area();
    if area.width < 20 || area.height < 5 {
        text(cells, area.x, area.y, "too small", area.width, Style::new());
        return;
    }
    heading(cells, hall, scene);
    let strip = if area.height >= HIGH { 3 } else { 1 };
    let troubles: Vec<_> = hall.boards().map(|(name, _)| hall.trouble(name, scene.now)).collect();
    trouble(cells, Rect::new(area.x, area.y + 1, area.width, strip), hall, &troubles, scene);
    let foot = u16::from(scene.keys);
    let middle = Rect::new(area.x, area.y + 1 + strip, area.width, area.height - 1 - strip - foot);
    boards(cells, middle, hall, &troubles, view, scene);
    if scene.keys {
        keys(cells, area, view, scene);
    }
    if view.help {
        help::draw(cells, scene.look);
    }
}

fn heading(cells: &mut Buffer, hall: &Hall, scene: &Scene) {
    let area = *cells.area();
    let playing = hall.boards().filter(|(_, board)| board.in_play()).count();
    let count = hall.boards().len();
    let boards = match count {
        1 => "1 board".to_owned(),
        count => format!("{count} boards"),
    };
    let time = scene.zone.date_and_time(scene.now);
    let gap = if scene.pace.is_empty() { "" } else { "  " };
    let right = format!("{}{gap}{time}", scene.pace);
    let style = scene.look.frame();
    blank(cells, Rect { height: 1, ..area }, style);
    let room = area.width.saturating_sub(right.chars().count() as u16 + 3);
    let left = format!("{boards}, {playing} in play  {}", words::plain(&scene.source));
    text(cells, area.x + 1, area.y, &cut(&left, usize::from(room), scene.look), room, style);
    text_right(cells, area.x, area.y, &right, area.width - 1, style);
}

/// All findings as text, the gravest first: one that many boards have alike, such as a missing port, is shown once for
/// all of them.
fn findings(hall: &Hall, troubles: &[Vec<Trouble>], scene: &Scene) -> Vec<String> {
    let of_boards = hall.boards().zip(troubles);
    let mut all: Vec<(&Trouble, &Name)> = of_boards
        .flat_map(|((name, _), troubles)| troubles.iter().map(move |trouble| (trouble, name)))
        .collect();
    all.sort_by(|(a, a_name), (b, b_name)| (a.kind, a_name).cmp(&(b.kind, b_name)));
    let mut groups: Vec<(&Trouble, Vec<&Name>)> = Vec::new();
    for (trouble, name) in all {
        let alike = |(known, names): &&mut (&Trouble, Vec<&Name>)| *known == trouble && names[0].0 == name.0;
        match groups.iter_mut().find(alike) {
            Some((_, names)) => names.push(name),
            None => groups.push((trouble, vec![name])),
        }
    }
    let with_line = hall.has_lines();
    let of_boards = groups
        .iter()
        .map(|(trouble, names)| format!("{} {}", called_all(names, with_line, scene.look), trouble.words));
    let silent = hall
        .silent_since(scene.now)
        .map(|since| format!("nothing recorded {}", words::lasting(since, scene.now, hall.zone())));
    silent.into_iter().chain(of_boards).collect()
}

/// The findings; those without room are counted.
fn trouble(cells: &mut Buffer, area: Rect, hall: &Hall, troubles: &[Vec<Trouble>], scene: &Scene) {
    let all = findings(hall, troubles, scene);
    let (mut x, mut row, mut shown) = (0, 0, 0);
    for words in &all {
        let wide = columns(words).min(1000) as u16 + 3;
        let last = row + 1 == area.height;
        // The last line needs room for the number of the others.
        let more = if last && shown + 1 < all.len() { 10 } else { 0 };
        if x > 0 && x + wide + more > area.width {
            if last {
                break;
            }
            (x, row) = (0, row + 1);
        }
        let room = area.width.saturating_sub(x + 1 + more);
        text(
            cells,
            area.x + x + 1,
            area.y + row,
            &cut(words, usize::from(room), scene.look),
            room,
            scene.look.trouble(),
        );
        x += wide;
        shown += 1;
    }
    if shown < all.len() {
        let more = format!("+{} more", all.len() - shown);
        text(
            cells,
            area.x + (x + 1).min(area.width.saturating_sub(9)),
            area.y + row,
            &more,
            9,
            scene.look.trouble(),
        );
    }
}

fn boards(
    cells: &mut Buffer,
    area: Rect,
    hall: &Hall,
    troubles: &[Vec<Trouble>],
    view: &mut View,
    scene: &Scene,
) {
    let count = hall.boards().len();
    if count == 0 {
        text(cells, area.x + 1, area.y + 1, "No board has said anything yet.", area.width - 1, Style::new());
        return;
    }
    if view.large
        && let Some(chosen) = view.chosen(hall)
    {
        let sheet = Sheet { hall, view, now: scene.now, zone: &scene.zone, look: scene.look };
        sheet.draw(cells, area, chosen);
        return;
    }
    // Without keys no board is selected.
    let chosen = if scene.keys { view.place(hall) } else { usize::MAX };
    let drawn = Drawn { now: scene.now, flipped: view.flipped, look: scene.look, chosen, troubles };
    match Shape::of(count, area) {
        Some(shape) => {
            view.shape = (shape.columns, shape.rows);
            grid::draw(cells, area, hall, shape, &drawn);
        }
        None => {
            let rows = usize::from(area.height);
            view.shape = (1, rows);
            let place = view.place(hall);
            view.top =
                view.top.min(place).max((place + 1).saturating_sub(rows)).min(count.saturating_sub(rows));
            list::draw(cells, area, hall, view.top, &drawn);
        }
    }
}

fn keys(cells: &mut Buffer, area: Rect, view: &View, scene: &Scene) {
    let y = area.bottom() - 1;
    let style = scene.look.frame();
    blank(cells, Rect { y, height: 1, ..area }, style);
    let hint = match (&view.search, &view.missing, view.held, view.large) {
        (Some(typed), Some(_), ..) => format!("/{typed}_   no board has this in its names"),
        (Some(typed), ..) => format!("/{typed}_"),
        (_, Some(missing), ..) => format!("no board has {} in its names", words::plain(missing)),
        (.., true, _) => "held: space lets it go".to_owned(),
        (.., true) => {
            "arrows: moves, boards   Enter back   f flip   space hold   ? keys   q leave".to_owned()
        }
        _ => "arrows choose   Enter open   / find   f flip   space hold   ? keys   q leave".to_owned(),
    };
    text(cells, area.x + 1, y, &hint, area.width - 1, style);
    if !scene.said.is_empty() && view.search.is_none() {
        let said = words::plain(&scene.said);
        blank(cells, Rect { y, height: 1, ..area }, style);
        text(
            cells,
            area.x + 1,
            y,
            &cut(&said, usize::from(area.width - 2), scene.look),
            area.width - 2,
            style,
        );
    }
}
