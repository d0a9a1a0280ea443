//! Boards as people see them: side by side, each on its grid with its clock above it.

use std::env;

use anstyle::{AnsiColor, Style};

use crate::{
    commands::people::clock_words,
    record::{Clock, Placement, Square},
    stdio::{self, coloured},
};

/// How wide a board is on its grid, and without one where there is no room for it.
const GRID: usize = 36;
const PLAIN: usize = 28;
/// How many lines it has, with its head and the line below it.
const GRID_LINES: usize = 21;
const PLAIN_LINES: usize = 11;
/// Between two boards.
const GAP: &str = "   ";
/// What a terminal has that does not say.
const USUAL: (usize, usize) = (80, 24);

/// A board to be drawn.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// Its address.
    pub board: u16,
    /// What stands on it.
    pub stands: Placement,
    /// Its clock.
    pub clock: Option<Clock>,
    /// Squares that changed last, to be marked.
    pub changed: Vec<Square>,
    /// A line below it.
    pub below: String,
}

/// The width and the height of the terminal on standard output; COLUMNS and LINES say it where there is none.
pub fn room() -> (usize, usize) {
    let said = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok()).filter(|n| *n > 0);
    match stdio::window() {
        Some((columns, rows)) => (columns.into(), rows.into()),
        None => (said("COLUMNS").unwrap_or(USUAL.0), said("LINES").unwrap_or(USUAL.1)),
    }
}

/// How many boards on their grids have room side by side.
pub fn side_by_side(width: usize) -> usize {
    ((width + GAP.len()) / (GRID + GAP.len())).max(1)
}

/// Boards side by side, in as many rows as they need; without their grids where a terminal of this `height` has no room
/// for all of them otherwise.
pub fn drawing(boards: &[Drawn], width: usize, height: Option<usize>) -> String {
    let rows = boards.len().div_ceil(side_by_side(width));
    let grid = height.is_none_or(|height| rows * GRID_LINES < height);
    let (wide, each) = if grid { (GRID, side_by_side(width)) } else { (PLAIN, side_by_side_plain(width)) };
    let mut text = String::new();
    for row in boards.chunks(each) {
        let blocks: Vec<Vec<(String, usize)>> = row.iter().map(|board| block(board, grid)).collect();
        for n in 0..blocks.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for (at, block) in blocks.iter().enumerate() {
                let (part, shown) = block.get(n).cloned().unwrap_or_default();
                line.push_str(&part);
                if at + 1 < blocks.len() {
                    line.push_str(&" ".repeat(wide.saturating_sub(shown)));
                    line.push_str(GAP);
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// How many boards a terminal has room for at most, and for a line below them.
pub fn most(width: usize, height: usize) -> usize {
    (height.saturating_sub(2) / PLAIN_LINES).max(1) * side_by_side_plain(width)
}

fn side_by_side_plain(width: usize) -> usize {
    ((width + GAP.len()) / (PLAIN + GAP.len())).max(1)
}

/// The lines of a board, each with its width as it is shown.
fn block(board: &Drawn, grid: bool) -> Vec<(String, usize)> {
    let dim = coloured(Style::new().dimmed());
    let clock = board.clock.as_ref().map(clock_words);
    let mut lines = vec![format!("board {}", board.board), clock.unwrap_or_default()];
    if !grid {
        // Of the clock what has room beside the address: its times.
        let words =
            lines[1].strip_prefix("clock ").unwrap_or(&lines[1]).split(',').next().unwrap_or_default();
        lines = vec![format!("{}  {words}", board.board).trim_end().to_owned()];
    }
    let wide = if grid { GRID } else { PLAIN };
    let mut lines: Vec<(String, usize)> = lines.iter().map(|line| cut(line, wide)).collect();
    let squares: Vec<Square> = Square::all().collect();
    let rule = |[left, middle, right]: [&str; 3]| {
        let rule = format!("  {left}{}{right}", ["───"; 8].join(middle));
        (format!("{dim}{rule}{dim:#}"), GRID - 1)
    };
    for (row, squares) in squares.chunks(8).enumerate() {
        let cells: Vec<String> = squares.iter().map(|&square| cell(board, square, grid)).collect();
        if grid {
            lines.push(rule(if row == 0 { ["┌", "┬", "┐"] } else { ["├", "┼", "┤"] }));
            let bar = format!("{dim}│{dim:#}");
            lines.push((format!("{dim}{}{dim:#} {bar}{}{bar}", 8 - row, cells.join(&bar)), GRID - 1));
        } else {
            lines.push((format!("  {dim}{}{dim:#} {}", 8 - row, cells.concat()), PLAIN));
        }
    }
    if grid {
        lines.push(rule(["└", "┴", "┘"]));
        lines.push((format!("{dim}    a   b   c   d   e   f   g   h{dim:#}"), GRID - 3));
    } else {
        lines.push((format!("{dim}     a  b  c  d  e  f  g  h{dim:#}"), PLAIN - 1));
    }
    lines.push(cut(&board.below, wide));
    lines
}

/// A line as it has room, and how wide it is.
fn cut(line: &str, wide: usize) -> (String, usize) {
    match line.chars().count() {
        length if length <= wide => (line.to_owned(), length),
        _ => (line.chars().take(wide - 1).chain(['…']).collect(), wide),
    }
}

/// What stands on a square, three signs wide; one that changed last stands in brackets.
fn cell(board: &Drawn, square: Square, grid: bool) -> String {
    let piece = board.stands.get(square).and_then(|piece| piece.letter());
    let style = match piece {
        Some(letter) if letter.is_ascii_uppercase() => Style::new().bold(),
        Some(_) => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
        None => Style::new().dimmed(),
    };
    let letter = piece.unwrap_or(if grid { ' ' } else { '.' });
    if board.changed.contains(&square) {
        let style = coloured(Style::new().invert());
        return format!("{style}[{letter}]{style:#}");
    }
    let style = coloured(style);
    format!(" {style}{letter}{style:#} ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ClockSide, Seconds};

    fn drawn(board: u16, changed: &[&str]) -> Drawn {
        let stands = "r3k2r/8/8/8/4P3/8/8/R3K2R".parse().unwrap();
        let changed = changed.iter().map(|square| square.parse().unwrap()).collect();
        Drawn { board, stands, clock: Some(Clock::default()), changed, below: String::new() }
    }

    #[test]
    fn a_board_is_drawn_on_its_grid_and_what_changed_in_brackets() {
        let text = drawing(&[drawn(1025, &["e2", "e4"])], 80, None);
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
    fn boards_lie_side_by_side_as_the_terminal_has_room() {
        let three = [drawn(1, &[]), drawn(2, &[]), drawn(3, &[])];
        let heads = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.contains("board")).map(str::to_owned).collect()
        };
        let text = drawing(&three, 80, None);
        assert_eq!(
            heads(&text),
            [format!("board 1{}board 2", " ".repeat(GRID - 7 + 3)), "board 3".to_owned()]
        );
        assert_eq!(heads(&drawing(&three, 200, None)).len(), 1);
        assert_eq!(heads(&drawing(&three, 20, None)).len(), 3);
        assert!(text.lines().all(|line| line.chars().count() <= 80));
    }

    #[test]
    fn as_many_boards_as_are_said_to_have_room_have_it() {
        let side = Some(ClockSide { seconds: Seconds(180.0), flag: true });
        let clock = Clock { left: side, right: side, low_battery: Some(true), ..Clock::default() };
        let below = "b8 empty, c6 n, d7 empty, e7 empty, …".to_owned();
        let of = |board: u16| Drawn {
            clock: Some(clock.clone()),
            below: below.clone(),
            ..drawn(1000 + board, &["e2"])
        };
        let boards: Vec<Drawn> = (0..200_u16).map(of).collect();
        for (width, height) in [(80, 24), (200, 60), (40, 13), (31, 50), (120, 35)] {
            let most = most(width, height);
            let text = drawing(&boards[..most], width, Some(height));
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            let lines = |count: usize| drawing(&boards[..count], width, Some(height)).lines().count();
            assert!(lines(most) + 1 < height, "{width}x{height}: {most}");
            assert!(lines(most + 1) + 1 >= height, "{width}x{height}: {most}");
        }
    }

    #[test]
    fn where_the_grids_have_no_room_the_boards_are_plain() {
        let text = drawing(&[drawn(1, &["e2"])], 80, Some(20));
        assert!(text.lines().count() < 20 && !text.contains('│'));
        assert!(text.contains("  8  r  .  .  .  k  .  .  r") && text.contains("[.]"), "{text}");
    }
}
