//! The list of keys, on the screen.

use ratatui_core::{buffer::Buffer, layout::Rect};

use super::{
    diagram::{blank, text},
    look::Look,
};

const KEYS: [(&str, &str); 15] = [
    ("arrows", "choose a board"),
    ("Page up, Page down", "a screen back, on"),
    ("Home, End", "the first board, the last"),
    ("Enter", "open the board, and close it"),
    ("left, right", "in an open board: go through its moves"),
    ("Home, End", "in an open board: to the first move, the last"),
    ("up, down", "in an open board: the board before, the next"),
    ("/", "find a name or an address: type, then Enter"),
    ("f", "flip: Black below"),
    ("space", "hold the picture, and let it go"),
    ("< >", "of a recording: to the move before, the next"),
    ("+ -", "of a recording: faster, slower"),
    ("Ctrl-L", "draw it anew, when somebody else wrote on it"),
    ("?", "this"),
    ("q, Ctrl-C", "leave"),
];

/// Draws it over the picture.
pub fn draw(cells: &mut Buffer, look: Look) {
    let area = *cells.area();
    let (wide, high) = (70.min(area.width), (KEYS.len() as u16 + 4).min(area.height));
    let (x, y) = (area.x + (area.width - wide) / 2, area.y + (area.height - high) / 2);
    blank(cells, Rect::new(x, y, wide, high), look.frame());
    text(cells, x + 2, y + 1, "Keys", wide - 2, look.frame().patch(look.strong()));
    for (row, (key, does)) in KEYS.iter().enumerate().take(usize::from(high.saturating_sub(3))) {
        let y = y + 2 + row as u16;
        text(cells, x + 2, y, key, 20, look.frame().patch(look.strong()));
        text(cells, x + 22, y, does, wide.saturating_sub(24), look.frame());
    }
}
