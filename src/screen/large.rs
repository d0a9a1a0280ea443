//! One board alone: its position beside the expected one, its moves, its records, and its state.

use ratatui_core::{buffer::Buffer, layout::Rect, style::Style};

use super::{
    board::Board,
    diagram::{Diagram, columns, cut, text, text_right, wrapped},
    grid::clock_style,
    hall::{Hall, Name},
    look::Look,
    players::{Player, called, players},
    ply, stand,
    view::View,
    words,
};
use crate::record::{FaultKind, Make, Mode, Time, Zone};

/// The picture of a board alone.
pub struct Sheet<'a> {
    /// The hall of the board.
    pub hall: &'a Hall,
    /// The user's view.
    pub view: &'a View,
    /// The time of the picture.
    pub now: Time,
    /// The time zone of displayed times.
    pub zone: &'a Zone,
    /// Figures and colours.
    pub look: Look,
}

impl Sheet<'_> {
    /// Draws it.
    pub fn draw(&self, cells: &mut Buffer, area: Rect, (name, board): (&Name, &Board)) {
        let scale = if area.width >= 120 && area.height >= 40 { 2 } else { 1 };
        let (wide, high) = (16 * scale + 2, 8 * scale + 4);
        let next = area.x + wide + 2;
        self.boards(cells, area, scale, (name, board));
        let right = next + wide + 2;
        let beside = Rect::new(right, area.y, area.right().saturating_sub(right), high);
        self.moves(cells, beside, board);
        let below = Rect::new(area.x, area.y + high, area.width, area.height.saturating_sub(high));
        let half = (right - area.x - 1).min(below.width);
        self.facts(cells, Rect { width: half, ..below }, (name, board));
        let rest = Rect { x: right, width: beside.width, ..below };
        self.said(cells, rest, board);
    }

    /// The two diagrams with the players above and below.
    fn boards(&self, cells: &mut Buffer, area: Rect, scale: u16, (name, board): (&Name, &Board)) {
        let (look, flipped) = (self.look, self.view.flipped);
        let game = board.game.as_ref();
        let plies = game.map_or(0, |game| self.view.plies.unwrap_or(usize::MAX).min(game.moves.len()));
        let expected = game.and_then(|game| stand::expected(game, plies));
        let squares = board.stands.map(|stands| stand::standing(&stands, game));
        let moved = game.map_or(0, |game| stand::moved(game, plies));
        let wrong = match (&squares, &expected, self.view.plies) {
            (Some(squares), Some(expected), None) => stand::differing(squares, expected),
            _ => 0,
        };
        let wide = 16 * scale + 2;
        let called = called(name, self.hall.has_lines(), look);
        let title = format!("board {called}");
        // The address is shown in any case.
        let title = if columns(&title) > usize::from(wide - 2) { called } else { title };
        let after = match (game, plies) {
            (None, _) => "no game yet".to_owned(),
            (Some(_), 0) => "the game begins".to_owned(),
            (Some(game), plies) => format!("after {}", ply::last_moves(game, plies, 1)),
        };
        for (x, title, squares, moved) in
            [(area.x, title, &squares, 0), (area.x + wide + 2, after, &expected, moved)]
        {
            text(cells, x + 2, area.y, &cut(&title, usize::from(wide - 2), look), wide - 2, look.strong());
            let diagram = Diagram { squares: squares.as_ref(), moved, wrong, flipped, scale };
            diagram.draw_named(cells, x, area.y + 2, look);
        }
        let [white, black] = players(board, Some(self.now));
        let [above, below] = if flipped { [white, black] } else { [black, white] };
        let whole = 2 * wide;
        self.player(cells, area.x + 2, area.y + 1, whole, &above);
        self.player(cells, area.x + 2, area.y + 3 + 8 * scale, whole, &below);
    }

    fn player(&self, cells: &mut Buffer, x: u16, y: u16, width: u16, player: &Player) {
        let name = if player.name.is_empty() { "" } else { &player.name };
        text(cells, x, y, &cut(name, usize::from(width.saturating_sub(9)), self.look), width, Style::new());
        let mark = if player.runs && !self.look.colour { "*" } else { "" };
        let clock = format!("{mark}{}", player.clock);
        text_right(cells, x, y, &clock, width, clock_style(player, self.look));
    }

    /// The moves of the game, the last of them at the end of the room.
    fn moves(&self, cells: &mut Buffer, area: Rect, board: &Board) {
        let look = self.look;
        let Some(game) = &board.game else { return };
        let plies = self.view.plies.unwrap_or(usize::MAX).min(game.moves.len());
        let mut heading = format!("game {}", board.earlier + 1);
        if let Some(end) = game.end.as_ref().filter(|end| end.result.is_some()) {
            heading.push_str(&format!(", {}", words::result(end.result)));
        }
        if game.start.rotated {
            heading.push_str(", board turned");
        }
        text(cells, area.x, area.y, &cut(&heading, usize::from(area.width), look), area.width, look.strong());
        let mut lines: Vec<String> = vec![String::new()];
        for ply in 0..plies {
            let word = ply::last_moves(game, ply + 1, 1);
            // Black's move needs its number only at the beginning of a line.
            let word = if ply > 0 && word.contains("...") && lines.last().is_some_and(|line| !line.is_empty())
            {
                word.rsplit("...").next().unwrap_or(&word).to_owned()
            } else {
                word
            };
            let line = lines.len() - 1;
            let room = usize::from(area.width);
            if !lines[line].is_empty() && lines[line].chars().count() + word.chars().count() + 1 > room {
                lines.push(ply::last_moves(game, ply + 1, 1));
            } else {
                let space = if lines[line].is_empty() { "" } else { " " };
                lines[line].push_str(&format!("{space}{word}"));
            }
        }
        let doubts: Vec<String> = (0..plies)
            .filter_map(|at| {
                let why = game.moves[at].unsure.as_ref()?;
                Some(format!("{}: {why}", ply::last_moves(game, at + 1, 1)))
            })
            .collect();
        let doubted = doubts.iter().skip(doubts.len().saturating_sub(2));
        let anomaly = game
            .anomalies
            .last()
            .map(|anomaly| format!("{}: {}", anomaly.kind.name(), words::plain(&anomaly.detail)));
        let ruled = game.rulings.iter().map(|ruling| format!("ruled: {}", words::plain(&ruling.words())));
        let ruled = ruled.skip(game.rulings.len().saturating_sub(2));
        let notes = doubted.cloned().chain(anomaly).chain(ruled).map(|note| (note, look.trouble())).collect();
        let below = area.height.saturating_sub(1).saturating_sub(lines.len().min(1000) as u16);
        let notes = spread(notes, Rect { height: below, ..area }, look);
        let room = usize::from(area.height.saturating_sub(1)).saturating_sub(notes.len());
        let skipped = lines.len().saturating_sub(room);
        let mut y = area.y + 1;
        for line in lines.iter().skip(skipped) {
            text(cells, area.x, y, line, area.width, Style::new());
            y += 1;
        }
        for (note, style) in notes {
            text(cells, area.x, y, &note, area.width, style);
            y += 1;
        }
    }

    /// The findings, and the state of the board.
    fn facts(&self, cells: &mut Buffer, area: Rect, (name, board): (&Name, &Board)) {
        let look = self.look;
        let mut lines: Vec<(String, Style)> = Vec::new();
        for trouble in self.hall.trouble(name, self.now) {
            lines.push((trouble.words, look.trouble()));
        }
        if lines.is_empty() {
            lines.push(("nothing is wrong".into(), Style::new()));
        }
        let ago = |time: Option<Time>| time.map_or("-".into(), |time| words::ago(time, self.now, self.zone));
        lines.push((format!("heard {}, moved {}", ago(board.heard), ago(board.moved)), Style::new()));
        let clock = match (board.clock.connected, board.clock.low_battery) {
            (Some(false), _) => "no clock",
            (_, true) => "clock, its battery low",
            (Some(true), _) => "clock connected",
            (None, _) => "nothing said of a clock",
        };
        let version = board.found.as_ref().and_then(|found| found.version.as_deref());
        let mode = match board.mode() {
            Some(Mode::Bus) => "on a bus",
            Some(Mode::Single) => "alone on its cable",
            Some(Mode::Other(Make::Millennium)) => "by Millennium",
            Some(Mode::Other(Make::Chessnut)) => "by Chessnut",
            Some(Mode::Other(Make::Certabo)) => "by Certabo",
            None => "",
        };
        let version =
            version.map_or("version unknown".into(), |version| format!("version {}", words::plain(version)));
        lines.push((format!("{clock}; {version} {mode}"), look.faint()));
        if let Some(port) = board.found.as_ref().and_then(|found| found.port.as_deref()) {
            lines.push((format!("port {}", words::plain(port)), look.faint()));
        }
        if let Some(answers) = &board.answers {
            let (median, worst) = (answers.median_seconds.0 * 1000.0, answers.worst_seconds.0 * 1000.0);
            let (missed, asked) = (answers.missed.saturating_add(answers.spoilt), answers.asked);
            // Findings are placed where a small screen does not cut them off.
            let text = match missed {
                0 => format!("answers in {median:.0} ms, the slowest {worst:.0} ms"),
                _ => format!("{missed} of {asked} answers missed; {median:.0} to {worst:.0} ms"),
            };
            lines.push((text, look.faint()));
        }
        let faults = FaultKind::ALL.iter().zip(board.faults).filter(|(_, count)| *count > 0);
        let faults: Vec<String> = faults.map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        if !faults.is_empty() {
            lines.push((format!("faults: {}", faults.join(", ")), look.faint()));
        }
        let rows = spread(lines, area, look);
        for (row, (line, style)) in rows.into_iter().enumerate().take(usize::from(area.height)) {
            text(cells, area.x, area.y + row as u16, &line, area.width, style);
        }
    }

    /// The last records, the newest at the bottom.
    fn said(&self, cells: &mut Buffer, area: Rect, board: &Board) {
        let skipped = board.said.len().saturating_sub(usize::from(area.height));
        for (row, (time, what)) in board.said.iter().skip(skipped).enumerate() {
            let y = area.y + row as u16;
            let time = time.map_or(String::new(), |time| self.zone.hour(time));
            text(cells, area.x, y, &time, 8, self.look.faint());
            let room = area.width.saturating_sub(9);
            text(cells, area.x + 9, y, &cut(what, usize::from(room), self.look), room, Style::new());
        }
    }
}

/// Lines in an area; lines longer than its width take as many of its rows as are left, the first lines before the
/// others.
fn spread(lines: Vec<(String, Style)>, area: Rect, look: Look) -> Vec<(String, Style)> {
    let mut free = usize::from(area.height).saturating_sub(lines.len());
    let rows = lines.into_iter().flat_map(|(line, style)| {
        let rows = wrapped(&line, usize::from(area.width), 1 + free, look);
        free = (free + 1).saturating_sub(rows.len());
        rows.into_iter().map(move |row| (row, style))
    });
    rows.collect()
}
