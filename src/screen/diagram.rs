//! A board drawn into cells.

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style, text::Span};

use super::{look::Look, stand::Squares};

/// A position to draw.
#[derive(Debug, Clone, Copy)]
pub struct Diagram<'a> {
    /// The pieces from a8 to h1; none where unknown.
    pub squares: Option<&'a Squares>,
    /// The squares of the last move, a bit each.
    pub moved: u64,
    /// The squares marked as wrong, a bit each.
    pub wrong: u64,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// The rows of a square; it is twice as many columns wide.
    pub scale: u16,
}

impl Diagram<'_> {
    /// Draws it with this cell as its upper left corner.
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

    /// Draws it with the names of files and ranks, on the left and below; the squares begin two columns to the right of
    /// `x`.
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

/// Clears an area.
pub fn blank(cells: &mut Buffer, area: Rect, style: Style) {
    let area = area.intersection(*cells.area());
    for cell in area.positions() {
        if let Some(cell) = cells.cell_mut(cell) {
            cell.set_symbol(" ").set_style(style);
        }
    }
}

/// Writes text, cut at the end of its room; cells outside the picture are skipped.
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

/// A text cut to this many columns, with a sign where it is cut.
pub fn cut(what: &str, width: usize, look: Look) -> String {
    if columns(what) <= width {
        return what.to_owned();
    }
    first_columns(what.chars(), width.saturating_sub(1)).into_iter().chain([look.more()]).collect()
}

/// A text in up to this many rows, broken between words, the last row cut with a sign where necessary.
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

/// The first letters, as many as fit into this many columns.
pub fn first_columns(letters: impl Iterator<Item = char>, mut room: usize) -> Vec<char> {
    let fits = |letter: &char| {
        let wide = columns(letter.encode_utf8(&mut [0; 4]));
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    letters.take_while(fits).collect()
}

/// The columns of a text: a Chinese letter takes two, an accent after its letter none.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { Span::raw(text).width() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_into_the_given_rows() {
        let wrapped =
            |rows: usize| wrapped("no legal move explains e4", 13, rows, Look { ascii: true, colour: false });
        assert_eq!(wrapped(1), ["no legal mov~"]);
        assert_eq!(wrapped(2), ["no legal move", "explains e4"]);
        assert_eq!(wrapped(3), wrapped(2));
    }

    #[test]
    fn names_are_cut_by_their_columns() {
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
