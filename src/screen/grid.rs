//! The hall as diagrams, a cell for each board.

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style};

use super::{
    board::Board,
    diagram::{Diagram, blank, columns, cut, text, text_right},
    hall::{Hall, Name},
    look::Look,
    players::{Player, called, players},
    ply, stand, words,
};
use crate::{health::Trouble, record::Time};

/// The arrangement of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of cells side by side,
    pub columns: usize,
    /// and one above the other.
    pub rows: usize,
    /// The rows of a square.
    scale: u16,
}

impl Shape {
    /// The least width and height of a cell: name, Black, eight ranks, White.
    fn cell(scale: u16) -> (u16, u16) {
        (16 * scale + 4, 8 * scale + 3)
    }

    /// The largest diagrams with which all boards fit; none where none fit.
    pub fn of(boards: usize, area: Rect) -> Option<Shape> {
        let fits = |scale: u16| {
            let (wide, high) = Shape::cell(scale);
            let (columns, rows) = (usize::from(area.width / wide), usize::from(area.height / high));
            if boards == 0 || columns * rows < boards {
                return None;
            }
            // As few columns as the rows allow, since names then have more room; but no wider than they need.
            let roomy = usize::from(area.width / (wide + WIDER)).min(columns);
            let columns = boards.div_ceil(rows).max(roomy.min(boards));
            Some(Shape { columns, rows: boards.div_ceil(columns), scale })
        };
        [2, 1].into_iter().find_map(fits)
    }
}

/// Less room than this is not used for text.
const WORDS: usize = 9;
/// Cells grow by this many columns where there is room.
const WIDER: u16 = 10;

/// How all boards are drawn.
pub struct Drawn<'a> {
    /// The time of the picture.
    pub now: Time,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// Figures and colours.
    pub look: Look,
    /// The selected board.
    pub chosen: usize,
    /// The findings of each board.
    pub troubles: &'a [Vec<Trouble>],
}

/// Draws every board.
pub fn draw(cells: &mut Buffer, area: Rect, hall: &Hall, shape: Shape, drawn: &Drawn<'_>) {
    let (abreast, (least, high)) = (shape.columns, Shape::cell(shape.scale));
    let wide = (area.width / abreast as u16).min(least + WIDER);
    for (at, (name, board)) in hall.boards().enumerate() {
        let (row, column) = ((at / abreast) as u16, (at % abreast) as u16);
        let place = Rect::new(area.x + column * wide, area.y + row * high, wide - 1, high);
        cell(cells, (place, shape.scale), hall, (name, board), drawn, at);
    }
}

fn cell(
    cells: &mut Buffer,
    (area, scale): (Rect, u16),
    hall: &Hall,
    (name, board): (&Name, &Board),
    drawn: &Drawn<'_>,
    at: usize,
) {
    let (look, chosen) = (drawn.look, at == drawn.chosen);
    let Rect { x, y, width, height } = area;
    let title = called(name, hall.has_lines(), look);
    let style = if chosen { look.chosen() } else { look.strong() };
    if chosen {
        blank(cells, Rect::new(x, y, width, 1), style);
    }
    text(cells, x, y, &title, width, style);
    let used = columns(&title) as u16 + 1;
    let room = width.saturating_sub(used);
    let over = |how: Style| if chosen { style } else { how };
    let last = last_word(board);
    let left = usize::from(room).saturating_sub(columns(&last) + 2);
    // The strip has the full text; here as much as fits beside the move.
    match drawn.troubles[at].first() {
        Some(trouble) if left >= WORDS || last.is_empty() => {
            text(cells, x + used, y, &cut(&trouble.words, left, look), room, over(look.trouble()));
            text_right(cells, x + used, y, &last, room, over(look.faint()));
        }
        Some(_) => {
            text(cells, x + used - 1, y, "!", 1, over(look.trouble()));
            text_right(cells, x + used, y, &cut(&last, usize::from(room), look), room, over(look.trouble()));
        }
        None => {
            text_right(cells, x + used, y, &cut(&last, usize::from(room), look), room, over(look.faint()))
        }
    }
    let [white, black] = players(board, Some(drawn.now));
    let [above, below] = if drawn.flipped { [white, black] } else { [black, white] };
    player(cells, x, y + 1, width, &above, look);
    player(cells, x, y + height - 1, width, &below, look);
    let squares = board.stands.map(|stands| stand::standing(&stands, board.game.as_ref()));
    let game = board.game.as_ref();
    let expected = game.and_then(|game| stand::expected(game, game.moves.len()));
    // A board whose position was not read yet is drawn as its game has it.
    let shown = squares.as_ref().or(expected.as_ref());
    let moved = game.map_or(0, |game| stand::moved(game, game.moves.len()));
    let diagram = Diagram { squares: shown, moved, wrong: 0, flipped: drawn.flipped, scale };
    diagram.draw(cells, x, y + 2, look);
}

/// The text of a board without findings: its last move, and the result.
fn last_word(board: &Board) -> String {
    let Some(game) = &board.game else { return "no game yet".into() };
    let all = game.moves.len();
    let last = if all == 0 { "set up".into() } else { ply::last_moves(game, all, 1) };
    if game.is_void() {
        return format!("{last} no game");
    }
    match game.end.as_ref().and_then(|end| end.result) {
        Some(result) => format!("{last} {}", words::result(Some(result))),
        None => last,
    }
}

fn player(cells: &mut Buffer, x: u16, y: u16, width: u16, player: &Player, look: Look) {
    let clock = player.clock.chars().count() as u16;
    let name = cut(&player.name, usize::from(width.saturating_sub(clock + 1)), look);
    text(cells, x, y, &name, width, Style::new());
    text_right(cells, x, y, &player.clock, width, clock_style(player, look));
    if player.runs && !look.colour && width > clock {
        text(cells, x + width - clock - 1, y, "*", 1, look.strong());
    }
}

/// The style of a clock, which shows whether it runs.
pub fn clock_style(player: &Player, look: Look) -> Style {
    match (player.fallen, player.runs) {
        (true, _) => look.trouble(),
        (_, true) => look.strong(),
        _ => look.faint(),
    }
}
