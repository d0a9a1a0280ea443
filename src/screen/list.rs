//! The hall as lines, one for each board, where there is no room for diagrams.

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style};

use super::{
    diagram::{self, blank, cut, text, text_right},
    grid::{Drawn, clock_style},
    hall::Hall,
    players::{called, players},
    ply::{self, Game},
    words,
};
use crate::record::Time;

/// The columns of a clock under a hundred hours, and of the sign that it runs.
const CLOCK: u16 = 9;

/// The columns of the list, for a width.
struct Columns {
    names: u16,
    moves: u16,
    clocks: u16,
    rest: u16,
}

impl Columns {
    fn of(width: u16, address: u16) -> Columns {
        let names = address + 1;
        let free = width.saturating_sub(names + 2 * CLOCK + 2);
        // Names, moves, findings: the rest of the width in fixed parts, of which names need most.
        let (for_names, for_moves) = (free * 2 / 5, (free * 3 / 10).min(40));
        let moves = names + for_names + 1;
        let clocks = moves + for_moves + 1;
        Columns { names, moves, clocks, rest: clocks + 2 * CLOCK + 1 }
    }
}

/// Draws the rows from number `top` on.
pub fn draw(cells: &mut Buffer, area: Rect, hall: &Hall, top: usize, drawn: &Drawn<'_>) {
    let with_line = hall.has_lines();
    let look = drawn.look;
    let addresses = hall.boards().map(|(name, _)| diagram::columns(&called(name, with_line, look)));
    let columns = Columns::of(area.width, addresses.max().unwrap_or(4) as u16);
    for (row, (at, (name, board))) in
        hall.boards().enumerate().skip(top).take(usize::from(area.height)).enumerate()
    {
        let y = area.y + row as u16;
        let chosen = at == drawn.chosen;
        let over = |style: Style| if chosen { look.chosen() } else { style };
        if chosen {
            blank(cells, Rect::new(area.x, y, area.width, 1), look.chosen());
        }
        text(cells, area.x, y, &called(name, with_line, look), columns.names, over(look.strong()));
        let [white, black] = players(board, Some(drawn.now));
        let room = columns.moves.saturating_sub(columns.names + 1);
        let names = match (&*white.name, &*black.name) {
            ("", "") => String::new(),
            (white, black) => format!("{white} {} {black}", look.dash()),
        };
        text(
            cells,
            area.x + columns.names,
            y,
            &cut(&names, usize::from(room), look),
            room,
            over(Style::new()),
        );
        let room = columns.clocks.saturating_sub(columns.moves + 1);
        let moves = match &board.game {
            None => "no game yet".to_owned(),
            Some(game) => last_that_fit(game, usize::from(room)),
        };
        text(
            cells,
            area.x + columns.moves,
            y,
            &cut(&moves, usize::from(room), look),
            room,
            over(Style::new()),
        );
        for (side, player) in [white, black].iter().enumerate() {
            let x = area.x + columns.clocks + CLOCK * side as u16;
            text_right(cells, x, y, &player.clock, CLOCK - 1, over(clock_style(player, look)));
            if player.runs && !look.colour {
                text(cells, x + CLOCK - 1, y, "*", 1, over(look.strong()));
            }
        }
        let rest = area.width.saturating_sub(columns.rest);
        let result = board.game.as_ref().and_then(|game| game.end.as_ref()?.result);
        let (says, style) = match (drawn.troubles[at].first(), result) {
            (Some(trouble), _) => (trouble.words.clone(), look.trouble()),
            (None, _) if board.game.as_ref().is_some_and(|game| game.is_void()) => {
                ("no game".to_owned(), look.strong())
            }
            (None, Some(result)) => (words::result(Some(result)).to_owned(), look.strong()),
            (None, None) => (age(board.moved, hall, drawn), look.faint()),
        };
        text(cells, area.x + columns.rest, y, &cut(&says, usize::from(rest), look), rest, over(style));
    }
}

/// As many of the last moves as fit.
fn last_that_fit(game: &Game, room: usize) -> String {
    let all = game.moves.len();
    let fits = |count: &usize| ply::last_moves(game, all, *count).chars().count() <= room;
    let count = (1..=8).take_while(fits).last().unwrap_or(1);
    if all == 0 { "set up".into() } else { ply::last_moves(game, all, count) }
}

/// How long no square has changed.
fn age(moved: Option<Time>, hall: &Hall, drawn: &Drawn<'_>) -> String {
    let long = moved.filter(|moved| moved.seconds_until(drawn.now) >= 60.0);
    long.map_or(String::new(), |moved| hall.zone().lasting(moved, drawn.now, words::span))
}
