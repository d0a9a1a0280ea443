//! Messages on a line's subject that no publisher of boardbus made.

use std::{fs, process::Stdio};

use super::server::{FIRST, SECOND, Server, end, of_line, run, until};

const HALL: [&str; 2] = ["--line", "x"];
const SUBJECT: &str = "boardbus.open.records.x";
/// As a publisher makes them, but for the last.
const DAMAGED: [&str; 3] = ["Boardbus-Run: 20261121T100000-1", "Boardbus-First: 11.0", "Boardbus-Last: none"];

/// Somebody else publishes on the line's subject.
fn foreign(server: &Server, headers: &[&str]) {
    let answer = server.ask_with(headers, SUBJECT, "hello");
    assert!(answer.contains("\"seq\":") && !answer.contains("\"error\""), "{answer}");
}

#[test]
fn lines_continue_after_foreign_messages_with_a_report() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=10)), (String::new(), 0));
    foreign(&server, &[]);
    let (said, code) = server.publish(&HALL, &run(FIRST, 1..=20));
    assert_eq!(code, 0, "{said}");
    let expected = format!(
        "message 2 on {SUBJECT} is not of boardbus (no header Boardbus-Run): going on behind it with what follows message 1\n"
    );
    assert!(said.ends_with(&expected) && said.lines().count() == 1, "{said}");
    // It is said no more where it stands before one of ours.
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=30)), (String::new(), 0));
    // Very many, and one that is damaged behind them; another line goes on meanwhile.
    (0..700).for_each(|_| foreign(&server, &["Somebody: else"]));
    assert_eq!(server.publish(&["--line", "y"], &run(FIRST, 1..=3)), (String::new(), 0));
    foreign(&server, &DAMAGED);
    let (said, code) = server.publish(&["--line", "x", "--take-over"], &run(FIRST, 1..=40));
    assert_eq!(code, 0, "{said}");
    let expected = format!(
        "message 706 on {SUBJECT} is not of boardbus (`none` in header Boardbus-Last), nor is what stands before it (700 \
         more): going on behind it with what follows message 4\n"
    );
    assert!(said.ends_with(&expected) && said.lines().count() == 1, "{said}");
    // The office has it all, and nothing is missing in it.
    assert_eq!(server.subscribe(&HALL, 41), of_line(&run(FIRST, 1..=40), "x"));
}

#[test]
fn lines_with_foreign_first_messages_are_published_completely() {
    let Some(server) = Server::start("") else { return };
    // The stream is made by the first publisher.
    assert_eq!(server.publish(&["--line", "y"], &run(FIRST, 1..=1)), (String::new(), 0));
    (0..2).for_each(|_| foreign(&server, &[]));
    let (said, code) = server.publish(&HALL, &run(FIRST, 1..=5));
    assert_eq!(code, 0, "{said}");
    let expected = "nor is what stands before it (1 more): none there is of boardbus, so line x is published from its \
                    beginning\n";
    assert!(said.ends_with(expected) && said.lines().count() == 1, "{said}");
    assert_eq!(server.subscribe(&HALL, 6), of_line(&run(FIRST, 1..=5), "x"));
    // An old journal is refused behind it as ever.
    foreign(&server, &[]);
    let (said, code) = server.publish(&HALL, &run("20261120T100000-1", 1..=5));
    assert!(code == 4 && said.contains("is it an old journal?"), "{said}");
    assert_eq!(server.publish(&HALL, &(run(FIRST, 1..=5) + &run(SECOND, 1..=2))).1, 0);
}

#[test]
fn foreign_messages_stop_neither_publisher_nor_subscriber() {
    let Some(mut server) = Server::start("") else { return };
    server.carries_one_by_one(9, |server, seq| match seq {
        3 | 4 => foreign(server, &[]),
        6 => (0..3).for_each(|_| foreign(server, &DAMAGED)),
        _ => {}
    });
    let office = fs::read_to_string(server.path("event.jsonl")).unwrap();
    assert!(!office.contains("\"gap\""), "{office}");
}

#[test]
fn subscribers_report_skipped_messages_once_across_restarts() {
    let Some(server) = Server::start("") else { return };
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=5)), (String::new(), 0));
    foreign(&server, &[]);
    let office = server.path("event.jsonl");
    let office = office.to_str().unwrap();
    let said = server.path("said");
    let begin = || {
        let mut command = server.command("subscribe", &["--journal", office]);
        command.stdout(Stdio::null()).stderr(fs::File::create(&said).unwrap()).spawn().unwrap()
    };
    let mut subscriber = begin();
    until(|| fs::read_to_string(office).unwrap_or_default().contains("\"sequence\":2,").then_some(()));
    end(&mut subscriber);
    let skipped = fs::read_to_string(&said).unwrap();
    let expected = format!("message 2 on {SUBJECT} is not of boardbus (no header Boardbus-Run): skipped\n");
    assert!(skipped.ends_with(&expected) && skipped.lines().count() == 1, "{skipped}");
    let mut subscriber = begin();
    assert_eq!(server.publish(&HALL, &run(FIRST, 1..=6)).1, 0);
    until(|| fs::read_to_string(office).unwrap().contains("\"seq\":6").then_some(()));
    end(&mut subscriber);
    assert_eq!(fs::read_to_string(&said).unwrap(), "");
    assert!(!fs::read_to_string(office).unwrap().contains("\"gap\""));
}
