//! The players at a board, and their clocks.

use super::{
    board::Board,
    diagram::{columns, first_columns},
    hall::Name,
    look::Look,
    words,
};
use crate::{
    format::ranges,
    record::{Side, Time},
};

/// One side of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// The player's name, or empty.
    pub name: String,
    /// The time on the player's clock, or empty.
    pub clock: String,
    /// Whether it runs.
    pub runs: bool,
    /// Whether its flag has fallen.
    pub fallen: bool,
}

/// The name of a board: `1027`, or with its line `hall-2/1027`.
pub fn called(name: &Name, with_line: bool, look: Look) -> String {
    let address = name.1.map_or("board".to_owned(), |board| board.to_string());
    on_line(name, with_line, address, look)
}

/// The name of several boards of one line: `hall-1/1025-1032`.
pub fn called_all(names: &[&Name], with_line: bool, look: Look) -> String {
    let boards: Option<Vec<u16>> = names.iter().map(|name| name.1).collect();
    match (boards, names) {
        (Some(boards), [first, _, ..]) => on_line(first, with_line, ranges(&boards), look),
        (_, names) => names.iter().map(|name| called(name, with_line, look)).collect::<Vec<_>>().join(", "),
    }
}

fn on_line(name: &Name, with_line: bool, who: String, look: Look) -> String {
    match name.0.as_deref().filter(|_| with_line) {
        Some(line) => format!("{}/{who}", short(&words::plain(line), look)),
        None => who,
    }
}

/// The name of a line in so few columns that the address after it is visible: a line without a name has that of its
/// port, which is long and most specific in its last part, such as the serial number of an adapter.
fn short(line: &str, look: Look) -> String {
    const COLUMNS: usize = 10;
    if columns(line) <= COLUMNS {
        return line.to_owned();
    }
    let device = line.trim_end_matches('/').rsplit('/').next().unwrap_or(line);
    let adapter = device.split_once("-if").filter(|(name, _)| name.starts_with("usb-"));
    let last = adapter.and_then(|(name, _)| name.rsplit('_').next()).unwrap_or(device);
    if columns(last) <= COLUMNS {
        return last.to_owned();
    }
    let begin = first_columns(last.chars(), COLUMNS / 2 - 1);
    let end = first_columns(last.chars().rev(), COLUMNS / 2);
    begin.into_iter().chain([look.more()]).chain(end.into_iter().rev()).collect()
}

/// White and Black on a board at a time.
pub fn players(board: &Board, now: Option<Time>) -> [Player; 2] {
    let turned = board.game.as_ref().is_some_and(|game| game.start.rotated);
    // Seen from the front of the clock White is on the left, where the board is not turned.
    let sides = if turned { [Side::Right, Side::Left] } else { [Side::Left, Side::Right] };
    let known = now.map(|now| board.clock_time(now));
    let player = |tag: &str, side: Side| {
        let name = board.tags().get(tag).unwrap_or("");
        Player {
            name: if name == "?" { String::new() } else { words::plain(name).into_owned() },
            clock: board.clock.shown(side, known).map_or(String::new(), words::clock),
            runs: board.clock.runs() == Some(side) && known == now && board.lost.is_none(),
            fallen: board.clock.has_fallen(side),
        }
    };
    [player("White", sides[0]), player("Black", sides[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, parse};

    #[test]
    fn a_clock_stops_when_its_board_is_silent() {
        let shown = |mode: &str| {
            let mut board = Board::default();
            for rest in [
                format!(r#""board","mode":"{mode}""#),
                r#""press","side":"left","seconds":900"#.to_owned(),
                r#""clock","connected":true,"left":{"seconds":900},"right":{"seconds":900},"running":true,"turn":"right""#.to_owned(),
            ] {
                let line = format!(r#"{{"time":"2026-11-22T10:00:00Z","board":1,"type":{rest}}}"#);
                let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
                board.record(&record);
            }
            let at = |time: &str| {
                let [_, black] = players(&board, Some(time.parse().unwrap()));
                (black.clock, black.runs)
            };
            [at("2026-11-22T10:04:00Z"), at("2026-11-22T10:10:00Z")]
        };
        assert_eq!(shown("bus"), [("11:00".to_owned(), true), ("10:00".to_owned(), false)]);
        // A board alone on its cable sends nothing while no piece moves.
        assert_eq!(shown("single"), [("11:00".to_owned(), true), ("5:00".to_owned(), true)]);
    }

    #[test]
    fn a_lost_boards_clock_stops_until_found() {
        let mut board = Board::default();
        let mut shown = |rest: &str, at: &str| {
            let line = format!(r#"{{"board":1,"type":{rest}}}"#);
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            board.record(&record);
            let [_, black] = players(&board, Some(at.parse().unwrap()));
            (black.clock, black.runs)
        };
        shown(
            r#""clock","time":"2026-11-22T10:00:00Z","connected":true,"left":{"seconds":900},"right":{"seconds":900},"running":true,"turn":"right""#,
            "2026-11-22T10:00:00Z",
        );
        let lost = r#""lost","time":"2026-11-22T10:01:00Z","reason":"timeout""#;
        // Also for a board alone on its cable, of which nothing else shows that it is gone.
        assert_eq!(shown(lost, "2026-11-22T10:01:00Z"), ("14:00".to_owned(), false));
        assert_eq!(shown(lost, "2026-11-22T10:03:00Z"), ("14:00".to_owned(), false));
        let found = r#""found","time":"2026-11-22T10:03:10Z","reason":"answers""#;
        assert_eq!(shown(found, "2026-11-22T10:03:10Z"), ("11:50".to_owned(), true));
    }

    fn look(ascii: bool) -> Look {
        Look { ascii, colour: false }
    }

    #[test]
    fn a_port_as_line_name_is_shortened() {
        for (line, expected) in [
            ("hall-1", "hall-1/1025"),
            ("/dev/ttyUSB0", "ttyUSB0/1025"),
            ("/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10KZP5X-if00-port0", "A10KZP5X/1025"),
            ("tcp://hall-server.club.example:2000", "hall…:2000/1025"),
            ("The great hall, left side", "The … side/1025"),
            // Chinese letters take two columns each.
            ("大厅一层", "大厅一层/1025"),
            ("大厅一层左侧", "大厅…左侧/1025"),
        ] {
            assert_eq!(called(&(Some(line.into()), Some(1025)), true, look(false)), expected);
        }
    }

    #[test]
    fn a_short_name_is_ascii_on_request() {
        let name = (Some("The great hall, left side".into()), Some(1025));
        assert_eq!(called(&name, true, look(true)), "The ~ side/1025");
        assert_eq!(
            called_all(&[&name, &(name.0.clone(), Some(1026))], true, look(true)),
            "The ~ side/1025-1026"
        );
    }
}
