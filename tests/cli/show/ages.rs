//! How old `boardbus show` says that things are: by the clock on the wall, where what is read may be recorded still.

use std::fs;

use boardbus::record::Time;

use super::super::{program::output_of, terminal::Terminal};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A time so many seconds ago, as records have it.
fn ago(seconds: f64) -> String {
    serde_json::to_string(&Time::now().after(-seconds)).unwrap().trim_matches('"').to_owned()
}

/// The same as a screen says it that is told in UTC.
fn date(time: &str) -> &str {
    &time[..10]
}

fn record(board: u16, time: &str, event: &str) -> String {
    format!("{{\"board\":{board},\"time\":\"{time}\",{event}}}\n")
}

/// A board on a bus that answers.
fn board(board: u16, time: &str) -> String {
    record(board, time, r#""type":"board","mode":"bus","version":"1.6""#)
        + &record(board, time, &format!(r#""type":"position","placement":"{START}""#))
}

const LOST: &str = r#""type":"lost","reason":"port-closed""#;

fn once(journal: impl Into<Vec<u8>>) -> String {
    output_of(&["show", "--once", "--ascii", "--timezone", "UTC"], journal)
}

// Users' pain: nobody sees that the recording has died.
#[test]
fn recordings_without_new_records_show_that() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    let recorded = |time: &str| {
        fs::write(&path, board(1025, time)).unwrap();
        let args = ["show", "--follow", "--timezone", "UTC", path.to_str().unwrap()];
        Terminal::open(&args, (24, 80), true)
    };
    recorded(&ago(250.0)).shows(&["1 board", "nothing recorded for 4 min", "q leave"]);
    // Nobody counts back from 55 hours.
    let long_ago = ago(200_000.0);
    let said = format!("nothing recorded since {}", date(&long_ago));
    recorded(&long_ago).shows(&["1 board", &said, "q leave"]);
    let text = recorded(&ago(30.0)).shows(&["1 board", "q leave"]);
    assert!(!text.contains("nothing recorded"), "{text}");
}

#[test]
fn pictures_show_their_age_unless_new_or_old() {
    let head = |seconds: f64| {
        let text = once(record(1025, &ago(seconds), r#""type":"quiet""#));
        text.lines().next().unwrap().to_owned()
    };
    for (seconds, said) in [(30.0, None), (725.0, Some("last record 12 min ago")), (100_000.0, None)] {
        let head = head(seconds);
        assert_eq!(head.contains("ago"), said.is_some(), "{head}");
        assert!(head.contains(said.unwrap_or("1 board")), "{head}");
    }
}

#[test]
fn pictures_show_since_when_a_silent_line_is_lost() {
    let (began, lost) = (ago(1400.0), ago(1330.0));
    let all = board(1025, &began) + &board(1026, &began);
    let lost = record(1025, &lost, LOST) + &record(1026, &lost, LOST);
    let text = once(all + &lost);
    assert!(text.contains("1025-1026 port lost 22 min"), "{text}");
    assert!(text.contains("nothing recorded for 22 min"), "{text}");
    // And a screen on which nothing more comes.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    fs::write(&path, board(1025, &began) + &lost).unwrap();
    let mut terminal = Terminal::open(&["show", path.to_str().unwrap()], (24, 80), true);
    terminal.shows(&["port lost 22 min", "q leave"]);
}

#[test]
fn beyond_a_day_a_date_stands_for_hours() {
    let (began, lost, heard) = (ago(112_000.0), ago(111_600.0), ago(600.0));
    let journal = board(1025, &began)
        + &board(1026, &began)
        + &record(1025, &lost, LOST)
        + &record(1026, &heard, r#""type":"quiet""#);
    let text = once(&*journal);
    let said = format!("1025 port lost since {}", date(&lost));
    assert!(text.contains(&said), "{said}\n{text}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.jsonl");
    fs::write(&path, journal).unwrap();
    let args = ["show", "--timezone", "UTC", path.to_str().unwrap()];
    let mut terminal = Terminal::open(&args, (24, 120), true);
    terminal.shows(&[&said, "q leave"]);
    terminal.press("\r");
    terminal.shows(&[&format!("heard {}", date(&lost)), "Enter back"]);
}

#[test]
fn losses_at_old_recording_ends_have_no_duration() {
    let (began, lost) = (ago(112_000.0), ago(111_600.0));
    let text = once(board(1025, &began) + &record(1025, &lost, LOST));
    assert!(text.contains("1025 port lost") && !text.contains("0 s"), "{text}");
}
