//! A board drawn into cells.

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style, text::Span};

use super::{look::Look, stand::Squares};

/// A position to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Diagram<'a> {
    /// What stands, from a8 to h1; none where nobody knows.
    pub squares: Option<&'a Squares>,
    /// Squares of the last move, a bit each.
    pub moved: u64,
    /// Squares that are marked as wrong.
    pub wrong: u64,
    /// Black is below.
    pub flipped: bool,
    /// So many rows a square has; it is twice as wide.
    pub scale: u16,
}

impl Diagram<'_> {
    /// Draws it from this cell on to the right and down.
    pub fn draw(&self, cells: &mut Buffer, x: u16, y: u16, look: Look) {
        for at in 0..64u16 {
            let (row, column) = (at / 8, at % 8);
            let field = usize::from(if self.flipped { 63 - at } else { at });
            let (dark, bit) = ((row + column) % 2 == 1, 1u64 << field);
            let man = self.squares.and_then(|squares| squares[field]);
            let (moved, wrong) = (self.moved & bit != 0, self.wrong & bit != 0);
            let style = look.square(dark, man.is_some_and(|man| man.white), moved, wrong);
            let sign = if self.squares.is_some() { look.sign(man, dark) } else { '?' };
            let (x, y) = (x + column * 2 * self.scale, y + row * self.scale);
            blank(cells, Rect::new(x, y, 2 * self.scale, self.scale), style);
            let (x, y) = (x + self.scale - 1, y + (self.scale - 1) / 2);
            if let Some(cell) = cells.cell_mut((x, y)) {
                cell.set_char(sign);
            }
            if let Some(cell) = cells.cell_mut((x + 1, y)).filter(|_| wrong && !look.colour) {
                cell.set_char('!');
            }
        }
    }

    /// Draws the names of files and ranks too, on the left and below; the squares are at the right of `x` by two.
    pub fn draw_named(&self, cells: &mut Buffer, x: u16, y: u16, look: Look) {
        for n in 0..8u16 {
            let (rank, file) = if self.flipped { (1 + n, 7 - n) } else { (8 - n, n) };
            let middle = (self.scale - 1) / 2;
            text(cells, x, y + n * self.scale + middle, &rank.to_string(), 1, look.faint());
            let file = char::from(b'a' + file as u8).to_string();
            text(
                cells,
                x + 2 + n * 2 * self.scale + self.scale - 1,
                y + 8 * self.scale,
                &file,
                1,
                look.faint(),
            );
        }
        self.draw(cells, x + 2, y, look);
    }
}

/// Leaves nothing there but the ground.
pub fn blank(cells: &mut Buffer, area: Rect, style: Style) {
    let area = area.intersection(*cells.area());
    for cell in area.positions() {
        if let Some(cell) = cells.cell_mut(cell) {
            cell.set_symbol(" ").set_style(style);
        }
    }
}

/// Writes text that is cut where its room ends; cells outside the picture take none.
pub fn text(cells: &mut Buffer, x: u16, y: u16, text: &str, width: u16, style: Style) {
    let area = *cells.area();
    if y < area.bottom() && x < area.right() {
        cells.set_stringn(x, y, text, usize::from(width.min(area.right() - x)), style);
    }
}

/// The same at the right end of its room.
pub fn text_right(cells: &mut Buffer, x: u16, y: u16, what: &str, width: u16, style: Style) {
    let long = (columns(what) as u16).min(width);
    text(cells, x + width - long, y, what, long, style);
}

/// A text cut to so many columns, with a sign that there is more.
pub fn cut(what: &str, width: usize, look: Look) -> String {
    if columns(what) <= width {
        return what.to_owned();
    }
    first_columns(what.chars(), width.saturating_sub(1)).into_iter().chain([look.more()]).collect()
}

/// A text in up to so many rows, broken between its words, the last of them cut with a sign that there is more.
pub fn wrapped(what: &str, width: usize, rows: usize, look: Look) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in what.split(' ') {
        let is_last = lines.len() >= rows;
        match lines.last_mut().filter(|line| is_last || columns(line) + 1 + columns(word) <= width) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| cut(line, width, look)).collect()
}

/// The first letters, as many as so many columns have room for.
pub fn first_columns(letters: impl Iterator<Item = char>, mut room: usize) -> Vec<char> {
    let fits = |letter: &char| {
        let wide = columns(letter.encode_utf8(&mut [0; 4]));
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    letters.take_while(fits).collect()
}

/// How many columns a text takes: a Chinese letter takes two, an accent behind its letter none.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { Span::raw(text).width() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_over_as_many_rows_as_there_are() {
        let wrapped =
            |rows: usize| wrapped("no legal move explains e4", 13, rows, Look { ascii: true, colour: false });
        assert_eq!(wrapped(1), ["no legal mov~"]);
        assert_eq!(wrapped(2), ["no legal move", "explains e4"]);
        assert_eq!(wrapped(3), wrapped(2));
    }

    #[test]
    fn names_are_cut_by_the_columns_they_take() {
        let look = Look { ascii: false, colour: false };
        let cut = |name: &str, width: usize| cut(name, width, look);
        // Chinese letters take two columns each, an accent behind its letter none.
        assert_eq!(cut("Ding \u{4e01}\u{7acb}\u{4eba}", 11), "Ding \u{4e01}\u{7acb}\u{4eba}");
        assert_eq!(cut("Ding \u{4e01}\u{7acb}\u{4eba}", 10), "Ding \u{4e01}\u{7acb}…");
        assert_eq!(cut("Ding \u{4e01}\u{7acb}\u{4eba}", 9), "Ding \u{4e01}…");
        assert_eq!(cut("Ae\u{301}a", 3), "Ae\u{301}a");
        assert_eq!(cut("Anand", 4), "Ana…");
    }
}
