//! What `boardbus show` says of many boards, of their lines, and of one alone.

use std::fs;

use super::super::{program::output_of, terminal::Terminal};

/// Boards that play, of a line of this name.
fn boards(line: &str, addresses: impl IntoIterator<Item = u16>) -> String {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let of = |board: u16| {
        let of = format!(r#""time":"2026-11-22T10:00:01.000Z","line":"{line}","board":{board}"#);
        let clock = r#""connected":true,"left":{"seconds":359999},"right":{"seconds":35999},"running":true,"turn":"left""#;
        format!(
            "{{\"type\":\"position\",{of},\"placement\":\"{start}\"}}\n{{\"type\":\"clock\",{of},{clock}}}\n"
        )
    };
    addresses.into_iter().map(of).collect()
}

#[test]
fn addresses_are_read_after_any_line_name() {
    for line in ["大厅一层左侧", "The great hall, left side"] {
        // As diagrams, and as lines.
        for last in [1026, 1064] {
            let text = output_of(&["show", "--once"], boards(line, 1025..=last));
            for board in [1025, last] {
                assert!(text.contains(&format!("/{board} ")), "{text}");
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.jsonl");
    fs::write(&path, boards("大厅一层左侧", 1025..=1026)).unwrap();
    let mut terminal = Terminal::open(&["show", path.to_str().unwrap()], (24, 80), true);
    terminal.shows(&["q leave"]);
    terminal.press("\r");
    terminal.shows(&["/1025", "Enter back"]);
}

#[test]
fn plain_letters_are_used_without_other_signs() {
    let text = output_of(&["show", "--once", "--ascii"], boards("The great hall, left side", 1025..=1064));
    assert!(text.is_ascii() && text.contains("The ~ side/1064"), "{text}");
}

#[test]
fn clocks_of_many_hours_are_read_completely() {
    let text = output_of(&["show", "--once"], boards("a", 1025..=1064));
    assert!(text.contains("99:59:59") && text.contains(" 9:59:59"), "{text}");
}

#[test]
fn open_boards_show_the_rest_in_free_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let of = r#""time":"2026-11-22T10:00:01.000Z","board":1025"#;
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let games = [
        format!(r#"{{"type":"game",{of},"game":1,"rules":"chess","fen":"{fen}"}}"#),
        format!(
            r#"{{"type":"anomaly",{of},"game":1,"ply":0,"kind":"unexplained","detail":"no legal move explains e4, e5"}}"#
        ),
    ];
    fs::write(&path, games.join("\n") + "\n").unwrap();
    let mut terminal = Terminal::open(&["show", path.to_str().unwrap()], (24, 80), true);
    terminal.shows(&["q leave"]);
    terminal.press("\r");
    terminal.until("two rows", |text| {
        let says = |column: usize, what: &str| {
            text.lines().any(|line| line.chars().skip(column).collect::<String>().starts_with(what))
        };
        says(0, "e4, e5  ") && says(40, "unexplained: no legal move explains e4,") && says(40, "e5")
    });
}
