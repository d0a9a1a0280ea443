//! Drawings of boards: side by side, each on its grid with its clock above it.

use std::env;

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style};

use crate::{
    commands::people::clock_words,
    record::{Clock, Placement, Square},
    screen::{Look, cut, text},
    stdio,
};

/// The width of a board on its grid, and without a grid where there is no room for it.
const GRID: u16 = 36;
const PLAIN: u16 = 28;
/// The height of a board, with its head and the line below it.
const GRID_LINES: u16 = 21;
const PLAIN_LINES: u16 = 11;
/// Between two boards.
const GAP: u16 = 3;
/// The size of a terminal that does not report one.
const USUAL: (u16, u16) = (80, 24);

/// A board to draw.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// Its address.
    pub board: u16,
    /// Its position.
    pub stands: Placement,
    /// Its clock.
    pub clock: Option<Clock>,
    /// The squares that changed last, which are marked.
    pub changed: Vec<Square>,
    /// A line below it.
    pub below: String,
}

/// The width of the terminal on standard output, else that in COLUMNS.
pub fn width() -> u16 {
    let said = || env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    stdio::window().map(|(columns, _)| columns).or_else(said).unwrap_or(USUAL.0)
}

/// Boards side by side, on their grids, in as many rows as they need.
pub fn drawing(boards: &[Drawn], width: u16, look: Look) -> Buffer {
    let abreast = side_by_side(width, GRID);
    let rows = boards.len().div_ceil(usize::from(abreast)) as u16;
    let mut cells = Buffer::empty(Rect::new(0, 0, width.max(GRID), rows * GRID_LINES));
    let room = cells.area;
    draw(&mut cells, room, boards, true, look);
    cells
}

/// Boards in a picture of this size, without their grids where they do not fit otherwise. The last line stays free.
pub fn picture(boards: &[Drawn], area: Rect, look: Look) -> Buffer {
    let mut cells = Buffer::empty(area);
    let rows = boards.len().div_ceil(usize::from(side_by_side(area.width, GRID)));
    let grid = area.width >= GRID && rows * usize::from(GRID_LINES) < usize::from(area.height);
    let room = Rect { height: area.height.saturating_sub(1), ..area };
    draw(&mut cells, room, boards, grid, look);
    cells
}

/// The greatest number of boards for which a picture of this size has room, with a line below them.
pub fn most(area: Rect) -> usize {
    let rows = (area.height.saturating_sub(1) / PLAIN_LINES).max(1);
    usize::from(rows * side_by_side(area.width, PLAIN))
}

/// The number of boards on their grids that fit side by side.
pub fn abreast(width: u16) -> usize {
    side_by_side(width, GRID).into()
}

fn side_by_side(width: u16, wide: u16) -> u16 {
    ((width + GAP) / (wide + GAP)).max(1)
}

fn draw(cells: &mut Buffer, area: Rect, boards: &[Drawn], grid: bool, look: Look) {
    let (wide, high) = if grid { (GRID, GRID_LINES) } else { (PLAIN, PLAIN_LINES) };
    let abreast = side_by_side(area.width, wide);
    for (n, board) in (0..).zip(boards) {
        let (x, y) = (n % abreast * (wide + GAP), n / abreast * high);
        let room = Rect::new(x, y, wide, high).intersection(area);
        Block { cells, room, look }.draw(board, grid);
    }
}

/// The place of one board.
struct Block<'a> {
    cells: &'a mut Buffer,
    room: Rect,
    look: Look,
}

impl Block<'_> {
    /// Writes text from a column of its line on, cut at its right edge.
    fn put(&mut self, line: u16, column: u16, what: &str, style: Style) {
        if line < self.room.height && column < self.room.width {
            text(self.cells, self.room.x + column, self.room.y + line, what, self.room.width - column, style);
        }
    }

    /// Writes a whole line, shortened where there is no room.
    fn line(&mut self, line: u16, what: &str) {
        self.put(line, 0, &cut(what, self.room.width.into(), self.look), Style::new());
    }

    fn draw(&mut self, board: &Drawn, grid: bool) {
        let clock = board.clock.as_ref().map(clock_words).unwrap_or_default();
        let lines = if grid { self.on_its_grid(board, &clock) } else { self.plain(board, &clock) };
        self.line(lines, &board.below);
    }

    /// Draws it with its grid; returns the number of lines.
    fn on_its_grid(&mut self, board: &Drawn, clock: &str) -> u16 {
        self.line(0, &format!("board {}", board.board));
        self.line(1, clock);
        let ascii = self.look.ascii;
        let bar = if ascii { "|" } else { "│" };
        let rule = |[left, middle, right]: [&str; 3]| match ascii {
            true => format!("+{}+", ["---"; 8].join("+")),
            false => format!("{left}{}{right}", ["───"; 8].join(middle)),
        };
        for (row, squares) in rows().enumerate() {
            let line = 2 + 2 * row as u16;
            self.put(
                line,
                2,
                &rule(if row == 0 { ["┌", "┬", "┐"] } else { ["├", "┼", "┤"] }),
                self.look.faint(),
            );
            self.put(line + 1, 0, &format!("{} {bar}", 8 - row), self.look.faint());
            for (column, square) in (0..).zip(squares) {
                self.square(line + 1, 3 + 4 * column, board, square, ' ');
                self.put(line + 1, 6 + 4 * column, bar, self.look.faint());
            }
        }
        self.put(18, 2, &rule(["└", "┴", "┘"]), self.look.faint());
        self.put(19, 4, "a   b   c   d   e   f   g   h", self.look.faint());
        20
    }

    /// Draws it without its grid; returns the number of lines.
    fn plain(&mut self, board: &Drawn, clock: &str) -> u16 {
        // Beside the address there is room for the times of the clock only.
        let times = clock.strip_prefix("clock ").unwrap_or(clock).split(',').next().unwrap_or_default();
        self.line(0, &format!("{}  {times}", board.board));
        for (row, squares) in rows().enumerate() {
            let line = 1 + row as u16;
            self.put(line, 2, &(8 - row).to_string(), self.look.faint());
            for (column, square) in (0..).zip(squares) {
                self.square(line, 4 + 3 * column, board, square, '.');
            }
        }
        self.put(9, 5, "a  b  c  d  e  f  g  h", self.look.faint());
        10
    }

    /// Writes the piece on a square, three columns wide; one that changed last is in brackets.
    fn square(&mut self, line: u16, column: u16, board: &Drawn, square: Square, empty: char) {
        let piece = board.stands.get(square).and_then(|piece| piece.letter());
        let letter = piece.unwrap_or(empty);
        if board.changed.contains(&square) {
            return self.put(line, column, &format!("[{letter}]"), self.look.chosen());
        }
        let style = match piece {
            Some(letter) if letter.is_ascii_uppercase() => self.look.strong(),
            Some(_) => self.look.black(),
            None => self.look.faint(),
        };
        self.put(line, column + 1, letter.encode_utf8(&mut [0; 4]), style);
    }
}

/// The squares from above, row by row.
fn rows() -> impl Iterator<Item = Vec<Square>> {
    let squares: Vec<Square> = Square::all().collect();
    (0..8).map(move |row| squares[8 * row..][..8].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        commands::terminal::text as lines,
        record::{ClockSide, Seconds},
    };

    const LOOK: Look = Look { ascii: false, colour: false };

    fn drawn(board: u16, changed: &[&str]) -> Drawn {
        let stands = "r3k2r/8/8/8/4P3/8/8/R3K2R".parse().unwrap();
        let changed = changed.iter().map(|square| square.parse().unwrap()).collect();
        Drawn { board, stands, clock: Some(Clock::default()), changed, below: String::new() }
    }

    #[test]
    fn boards_are_drawn_on_grids_with_changes_in_brackets() {
        let text = lines(&drawing(&[drawn(1025, &["e2", "e4"])], 80, LOOK), false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..5],
            [
                "board 1025",
                "no clock",
                "  ┌───┬───┬───┬───┬───┬───┬───┬───┐",
                "8 │ r │   │   │   │ k │   │   │ r │",
                "  ├───┼───┼───┼───┼───┼───┼───┼───┤",
            ]
        );
        assert_eq!(lines[11], "4 │   │   │   │   │[P]│   │   │   │");
        assert_eq!(lines[15], "2 │   │   │   │   │[ ]│   │   │   │");
        assert_eq!(
            lines[18..20],
            ["  └───┴───┴───┴───┴───┴───┴───┴───┘", "    a   b   c   d   e   f   g   h"]
        );
    }

    #[test]
    fn boards_are_side_by_side_as_they_fit() {
        let three = [drawn(1, &[]), drawn(2, &[]), drawn(3, &[])];
        let heads = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.contains("board")).map(str::to_owned).collect()
        };
        let text = |width: u16| lines(&drawing(&three, width, LOOK), false);
        assert_eq!(
            heads(&text(80)),
            [format!("board 1{}board 2", " ".repeat(usize::from(GRID - 7 + 3))), "board 3".to_owned()]
        );
        assert_eq!(heads(&text(200)).len(), 1);
        assert_eq!(heads(&text(20)).len(), 3);
        assert!(text(80).lines().all(|line| line.chars().count() <= 80));
    }

    #[test]
    fn screens_have_room_for_the_stated_boards() {
        let side = Some(ClockSide { seconds: Seconds(180.0), flag: true });
        let clock = Clock { left: side, right: side, low_battery: Some(true), ..Clock::default() };
        let below = "b8 empty, c6 n, d7 empty, e7 empty, …".to_owned();
        let of = |board: u16| Drawn {
            clock: Some(clock.clone()),
            below: below.clone(),
            ..drawn(1000 + board, &["e2"])
        };
        let boards: Vec<Drawn> = (0..200_u16).map(of).collect();
        for (width, height) in [(80, 24), (200, 60), (40, 13), (31, 50), (120, 35), (28, 12)] {
            let area = Rect::new(0, 0, width, height);
            let text = |count: usize| lines(&picture(&boards[..count], area, LOOK), false);
            let most = most(area);
            // All boards have their last lines, and one line below is left; with one more board they would not.
            let all = text(most);
            assert_eq!(all.matches("b8 empty").count(), most, "{width}x{height}: {all}");
            assert!(all.lines().count() < usize::from(height), "{width}x{height}: {all}");
            let more = text(most + 1);
            let fits = more.lines().count() < usize::from(height) && more.matches("b8 empty").count() > most;
            assert!(!fits, "{width}x{height}: {more}");
        }
    }

    #[test]
    fn boards_without_room_for_grids_are_plain() {
        let text = lines(&picture(&[drawn(1, &["e2"])], Rect::new(0, 0, 80, 20), LOOK), false);
        assert!(text.lines().count() < 20 && !text.contains('│'));
        assert!(text.contains("  8  r  .  .  .  k  .  .  r") && text.contains("[.]"), "{text}");
    }

    #[test]
    fn terminals_of_any_size_get_what_fits() {
        for (width, height) in [(1, 1), (5, 3), (27, 11), (35, 22), (80, 2), (1000, 2)] {
            let area = Rect::new(0, 0, width, height);
            let boards = vec![drawn(1025, &["e2"]); most(area)];
            assert_eq!(*picture(&boards, area, LOOK).area(), area);
        }
    }
}
