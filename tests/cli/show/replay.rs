//! `boardbus show --speed`: a recording that is played.

use std::fs;

use super::{super::terminal::Terminal, JOURNAL, journal};

#[test]
fn recordings_begin_with_the_set_up_positions() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--speed", "0.01", "--ascii", &journal], (24, 80), false);
    terminal.shows(&["x0.01", "3 boards"]);
    terminal.press(">");
    terminal.shows(&["1.e4"]);
    // Once more leads nowhere.
    for _ in 0..2 {
        terminal.press("<");
        let text = terminal.until("set up", |text| text.contains("held") && !text.contains("1.e4"));
        assert!(text.contains("3 boards") && text.contains("2026-11-22 11:00:02"), "{text}");
        assert_eq!(text.matches("P P P P P P P P").count(), 3, "{text}");
    }
    terminal.press(">");
    terminal.shows(&["1.e4"]);
}

#[test]
fn recordings_with_put_back_clocks_continue_by_new_times() {
    let (folder, ..) = journal();
    let path = folder.path().join("put-back.jsonl");
    // From the second move on.
    let (before, behind) =
        JOURNAL.split_at(JOURNAL.find("{\"type\":\"change\",\"time\":\"2026-11-22T10:00:15").unwrap());
    let behind: String = behind
        .lines()
        .filter(|line| line.contains("\"board\":1025"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&path, before.to_owned() + &behind.replace("T10:00:1", "T09:00:1")).unwrap();
    let path = path.to_str().unwrap();
    let mut terminal = Terminal::open(&["show", "--speed", "0.01", "--ascii", path], (24, 80), false);
    terminal.shows(&["x0.01"]);
    terminal.press(">");
    terminal.shows(&["1.e4", "11:00:07"]);
    terminal.press(">");
    let text = terminal.shows(&["1...c5", "10:00:17"]);
    // White's clock ran from 1:29:55 on as long as is known.
    assert!(!text.contains("nothing recorded") && text.contains("1:29:5"), "{text}");
}
