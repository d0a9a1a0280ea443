//! `boardbus show`, on a terminal and into pipes.

mod ages;
mod desk;
mod halls;
mod leaving;
mod long;
mod replay;

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    thread,
    time::Instant,
};

use rustix::{fs::OFlags, pty::ptsname};

use super::{
    hall::{DEADLINE, Hall},
    program::{output_of, run},
    terminal::Terminal,
};

/// A journal of three boards: a game, one that is over, and one that was lost.
const JOURNAL: &str = r#"{"type":"stream","records":1,"run":"a"}
{"type":"board","time":"2026-11-22T10:00:00.000Z","board":1025,"port":"/dev/ttyUSB0","mode":"bus","version":"1.6","seq":1}
{"type":"board","time":"2026-11-22T10:00:00.000Z","board":1026,"mode":"bus","seq":2}
{"type":"board","time":"2026-11-22T10:00:00.000Z","board":1027,"mode":"bus","seq":3}
{"type":"position","time":"2026-11-22T10:00:01.000Z","board":1025,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","seq":4}
{"type":"position","time":"2026-11-22T10:00:01.000Z","board":1026,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","seq":5}
{"type":"position","time":"2026-11-22T10:00:01.000Z","board":1027,"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","seq":6}
{"type":"clock","time":"2026-11-22T10:00:02.000Z","board":1025,"connected":true,"left":{"seconds":5400},"right":{"seconds":5400},"running":true,"turn":"left","seq":7}
{"type":"change","time":"2026-11-22T10:00:05.000Z","board":1025,"square":"e2","piece":null,"seq":8}
{"type":"change","time":"2026-11-22T10:00:06.000Z","board":1025,"square":"e4","piece":"P","seq":9}
{"type":"press","time":"2026-11-22T10:00:07.000Z","board":1025,"side":"left","seconds":5395,"seq":10}
{"type":"change","time":"2026-11-22T10:00:15.000Z","board":1025,"square":"c7","piece":null,"seq":11}
{"type":"change","time":"2026-11-22T10:00:16.000Z","board":1025,"square":"c5","piece":"p","seq":12}
{"type":"press","time":"2026-11-22T10:00:17.000Z","board":1025,"side":"right","seconds":5390,"seq":13}
{"type":"change","time":"2026-11-22T10:00:18.000Z","board":1026,"square":"d2","piece":null,"seq":14}
{"type":"change","time":"2026-11-22T10:00:19.000Z","board":1026,"square":"d4","piece":"P","seq":15}
{"type":"press","time":"2026-11-22T10:00:20.000Z","board":1026,"side":"left","seconds":600,"seq":16}
{"type":"lost","time":"2026-11-22T10:00:30.000Z","board":1027,"reason":"timeout","seq":17}
{"type":"quiet","time":"2026-11-22T10:01:10.000Z","board":1026,"seq":18}
"#;

const ROSTER: &str = "board,white,black\n1025,\"Euwe, M\",\"Lasker, Em\"\n1026,Tal,Bot\n1027,Anand,Short\n";

/// A folder with that journal and a roster.
fn journal() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let (journal, roster) = (path("round.jsonl", JOURNAL), path("roster.csv", ROSTER));
    (folder, journal, roster)
}

#[test]
fn small_screens_have_diagrams_of_few_boards() {
    let (_folder, journal, roster) = journal();
    let mut terminal = Terminal::open(&["show", &journal, "--roster", &roster], (24, 80), true);
    let text = terminal.shows(&["Lasker, Em", "Euwe, M", "1...c5", "1027 lost 40 s", "q leave"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("3 boards") && lines[0].contains("2026-11-22 11:01:10 CET"), "{text}");
    // White has run since 10:00:17 from 1:29:55.
    assert!(text.contains("1:29:02") && text.contains("1:29:50"), "{text}");
    let start = lines.iter().position(|line| line.contains('♜')).unwrap();
    let rank = |line: &str| line.chars().take(16).filter(|c| *c != ' ').collect::<String>();
    assert_eq!(rank(lines[start]), "♜♞♝♛♚♝♞♜");
    assert_eq!(rank(lines[start + 1]), "♟♟♟♟♟♟♟");
    assert!(terminal.bytes.windows(5).any(|window| window == b"48;5;"), "squares are shaded");
}

#[test]
fn times_are_those_of_the_place_that_is_named() {
    let (_folder, journal, _) = journal();
    let args = ["show", &journal, "--timezone", "America/New_York"];
    let mut terminal = Terminal::open(&args, (24, 80), true);
    terminal.shows(&["2026-11-22 05:01:10 EST", "q leave"]);
    // The records of a board too.
    terminal.press("\r");
    terminal.shows(&["05:00:17 press right 1:29:50"]);
    // Else those of whoever looks, not of whoever recorded; the help says so.
    let help = output_of(&["show", "--help"], "");
    assert!(help.contains("[default: that of this machine]"), "{help}");
}

/// What was made of the journal, with a move of which it is not sure.
fn doubtful_games() -> String {
    let games = output_of(&["reconstruct"], JOURNAL);
    let doubt = |line: &str| {
        let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
        if record["san"] == "c5" {
            record["certainty"] = 0.71.into();
            record["alternatives"] = serde_json::json!([{ "uci": "c7c6", "san": "c6", "certainty": 0.29 }]);
        }
        format!("{record}\n")
    };
    games.lines().map(doubt).collect()
}

#[test]
fn doubtful_moves_are_marked_and_show_alternatives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(&path, doubtful_games()).unwrap();
    let mut terminal = Terminal::open(&["show", path.to_str().unwrap()], (24, 80), true);
    terminal.shows(&["1...c5(?)"]);
    terminal.press("\r");
    terminal.shows(&["1.e4 c5(?)", "1...c5(?): 71 %, or c6 29 %"]);
}

#[test]
fn rulings_are_shown_including_finished_games() {
    let (_folder, journal, _) = journal();
    let rule = |ruling: &str| {
        let line = format!("{{\"type\":\"ruling\",\"board\":{ruling}}}\n");
        File::options().append(true).open(&journal).unwrap().write_all(line.as_bytes()).unwrap();
    };
    rule("1025,\"game\":1,\"ply\":2,\"uci\":\"c7c6\"");
    rule("1026,\"game\":1,\"void\":true");
    let rests = "{\"type\":\"quiet\",\"time\":\"2026-11-22T10:01:11.000Z\",\"board\":1025,\"seq\":19}\n";
    File::options().append(true).open(&journal).unwrap().write_all(rests.as_bytes()).unwrap();
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    let text = terminal.shows(&["1...c6", "1 in play"]);
    assert!(!text.contains("1.d4"), "{text}");
    terminal.press("\r");
    terminal.shows(&["1.e4 c6", "ruled: c7c6 at ply 2"]);
    // While it is shown.
    rule("1025,\"game\":1,\"result\":\"1/2-1/2\"");
    terminal.shows(&["game 1, 1/2-1/2"]);
}

#[test]
fn large_and_tiny_screens_show_the_same_boards() {
    let (_folder, journal, roster) = journal();
    let mut large = Terminal::open(&["show", &journal, "--roster", &roster], (60, 200), true);
    let text = large.shows(&["Euwe, M", "Tal", "Anand", "1.d4", "lost 40 s"]);
    assert!(text.contains('♜') && text.lines().count() > 10, "{text}");
    // No room for diagrams: a line for each board.
    let mut tiny = Terminal::open(&["show", &journal, "--roster", &roster], (9, 79), true);
    let text = tiny.shows(&["1025", "1026", "1027", "Euwe, M – Lasker, Em", "lost 40 s"]);
    assert!(!text.contains('♜'), "{text}");
}

#[test]
fn many_boards_have_sorted_lines_that_scroll() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.jsonl");
    let boards = (1025..1089).rev().map(|board| {
        format!("{{\"type\":\"position\",\"time\":\"2026-11-22T10:00:01.000Z\",\"board\":{board},\"placement\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"}}\n")
    });
    fs::write(&path, boards.collect::<String>()).unwrap();
    let mut terminal = Terminal::open(&["show", path.to_str().unwrap()], (24, 80), true);
    let text = terminal.shows(&["64 boards", "1025", "1045"]);
    assert!(!text.contains("1046"), "{text}");
    // To the last one.
    terminal.press("\x1b[F");
    let text = terminal.shows(&["1088", "1068"]);
    assert!(!text.contains("1067"), "{text}");
    terminal.press("/1050\r");
    terminal.shows(&["1050"]);
    // What nobody is called.
    terminal.press("/zz");
    terminal.shows(&["/zz_   no board has this in its names"]);
    terminal.press("\r");
    terminal.shows(&[" no board has zz in its names"]);
    terminal.press("\x1b");
    terminal.shows(&["q leave"]);
}

#[test]
fn keys_choose_open_find_flip_explain_and_leave() {
    let (_folder, journal, roster) = journal();
    let mut terminal = Terminal::open(&["show", &journal, "--roster", &roster], (24, 80), true);
    terminal.shows(&["Euwe, M", "q leave"]);
    terminal.press("\r");
    // The board beside what should stand there, its moves, its records, its version and port.
    let text =
        terminal.shows(&["board 1025", "after 1...c5", "1.e4 c5", "press right 1:29:50", "version 1.6"]);
    assert!(text.contains("/dev/ttyUSB0") && text.contains("nothing is wrong"), "{text}");
    // Through its moves.
    terminal.press("\x1b[D");
    terminal.shows(&["after 1.e4"]);
    terminal.press("\x1b[D");
    terminal.shows(&["the game begins"]);
    terminal.press("\x1b[F");
    terminal.shows(&["after 1...c5"]);
    // Black below: the first rank is at the top.
    terminal.press("f");
    terminal.until("flipped", |text| text.lines().nth(4).is_some_and(|line| line.starts_with('1')));
    // The next board, and back to all of them.
    terminal.press("\x1b[B");
    terminal.shows(&["board 1026"]);
    terminal.press("\x1b");
    terminal.shows(&["1025", "Enter open"]);
    terminal.press("?");
    terminal.shows(&["hold the picture", "leave"]);
    terminal.press(" ");
    terminal.until("the help is gone", |text| !text.contains("hold the picture"));
    terminal.press("/anand\r\r");
    terminal.shows(&["board 1027", "lost 40 s"]);
    terminal.press("q");
    assert!(terminal.ended().success());
}

#[test]
fn missed_answers_of_an_open_board_fit_small_screens() {
    let (_folder, journal, _) = journal();
    let answers = r#"{"type":"answers","time":"2026-11-22T10:01:00.000Z","board":1025,"asked":3000,"missed":12,"spoilt":1,"median_seconds":0.003,"worst_seconds":0.019,"line_seconds":9,"seconds":60,"seq":19}"#;
    File::options()
        .append(true)
        .open(&journal)
        .unwrap()
        .write_all(format!("{answers}\n").as_bytes())
        .unwrap();
    let mut terminal = Terminal::open(&["show", &journal], (24, 80), true);
    terminal.shows(&["1025", "q leave"]);
    terminal.press("\r");
    terminal.shows(&["13 of 3000 answers missed; 3 to 19 ms"]);
}

#[test]
fn resized_screens_are_drawn_again() {
    let (_folder, journal, roster) = journal();
    let mut terminal = Terminal::open(&["show", &journal, "--roster", &roster], (24, 80), true);
    terminal.shows(&["♜", "q leave"]);
    terminal.resize(8, 100);
    terminal.until("lines", |text| text.contains("Euwe, M – Lasker, Em") && !text.contains('♜'));
    terminal.resize(60, 200);
    terminal.until("diagrams", |text| text.contains('♜') && text.lines().count() > 50);
}

/// What somebody else writes over a picture.
const WALL: &[u8] = b"\x1b[2;1HBroadcast message: the coffee is ready\n";

#[test]
fn ctrl_l_redraws_over_foreign_text() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", &journal], (24, 80), true);
    let before = terminal.shows(&["1027 lost", "q leave"]);
    rustix::io::write(&terminal.slave, WALL).unwrap();
    terminal.shows(&["coffee"]);
    terminal.press("\x0c");
    terminal.until("the same as before", |text| text == before);
}

#[test]
fn plain_terminals_get_one_picture_as_text() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open_as("dumb", &["show", &journal], (24, 80), true);
    terminal.shows(&["1...c5", "1027 lost 40 s"]);
    while terminal.child.try_wait().unwrap().is_none() {
        terminal.wait();
    }
    terminal.read();
    assert!(!terminal.bytes.contains(&0x1b), "{:?}", String::from_utf8_lossy(&terminal.bytes));
}

#[test]
fn plain_output_has_the_same_content() {
    let (_folder, journal, roster) = journal();
    let args = ["show", &journal, "--roster", &roster, "--ascii"];
    let mut terminal = Terminal::open(&args, (24, 80), false);
    let text = terminal.shows(&["Lasker, Em", "1...c5", "1027 lost 40 s", "r n b q k b n r"]);
    assert!(text.is_ascii(), "{text}");
    let bytes = String::from_utf8_lossy(&terminal.bytes).into_owned();
    assert!(!bytes.contains("8;5;"), "{bytes:?}");
}

// Users' pain: the state of the connection is unclear (picochess#150).
#[test]
fn pain_20_lost_boards_stay_with_their_time() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    // That was long ago by the clock on the wall.
    terminal.until("lost", |text| text.contains("1027 lost") && text.contains('♜'));
    let found = "{\"type\":\"found\",\"board\":1027,\"seq\":30}\n";
    File::options().append(true).open(&journal).unwrap().write_all(found.as_bytes()).unwrap();
    terminal.until("found", |text| text.contains("1027") && !text.contains("1027 lost"));
}

#[test]
fn what_is_recorded_is_shown_while_it_is_recorded() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    terminal.shows(&["1...c5"]);
    let move_ = "{\"type\":\"change\",\"board\":1025,\"square\":\"g1\",\"piece\":null,\"seq\":21}\n\
         {\"type\":\"change\",\"board\":1025,\"square\":\"f3\",\"piece\":\"N\",\"seq\":22}\n\
         {\"type\":\"press\",\"board\":1025,\"side\":\"left\",\"seconds\":5380,\"seq\":23}\n";
    File::options().append(true).open(&journal).unwrap().write_all(move_.as_bytes()).unwrap();
    terminal.shows(&["2.Nf3"]);
    // A board that was never heard of before.
    let new = "{\"type\":\"board\",\"board\":1099,\"seq\":24}\n";
    File::options().append(true).open(&journal).unwrap().write_all(new.as_bytes()).unwrap();
    terminal.shows(&["4 boards", "1099"]);
}

#[test]
fn a_held_picture_stays_until_it_is_let_go() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    terminal.shows(&["3 boards"]);
    terminal.press(" ");
    terminal.shows(&["held"]);
    let new = "{\"type\":\"board\",\"board\":1099,\"seq\":24}\n";
    File::options().append(true).open(&journal).unwrap().write_all(new.as_bytes()).unwrap();
    terminal.press(" ");
    terminal.until("it goes on", |text| text.contains("1099") && !text.contains("held"));
}

#[test]
fn a_paused_screen_keeps_its_moment() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    terminal.shows(&["3 boards"]);
    terminal.press(" ");
    terminal.shows(&["held"]);
    let add = |text: &str| {
        File::options().append(true).open(&journal).unwrap().write_all(text.as_bytes()).unwrap();
    };
    add("{\"type\":\"board\",\"board\":1099,\"seq\":24}\n");
    // It is known that it was read when the screen that is not held shows it.
    let mut other = Terminal::open(&["show", "--follow", &journal], (24, 80), true);
    other.shows(&["4 boards"]);
    terminal.resize(60, 200);
    let text = terminal.until("drawn anew", |text| text.lines().count() > 50 && text.contains("held"));
    assert!(text.contains("3 boards") && !text.contains("1099"), "{text}");
    terminal.press("\r");
    let text = terminal.shows(&["1...c5", "held", "/dev/ttyUSB0"]);
    assert!(!text.contains("1099"), "{text}");
    terminal.press("\x1b ");
    terminal.until("it goes on", |text| text.contains("4 boards") && !text.contains("held"));
}

#[test]
fn pictures_a_slow_line_missed_are_drawn_later() {
    let (_folder, journal, _) = journal();
    // Nothing more comes: what is not drawn for the key is drawn for nothing else.
    let mut terminal = Terminal::open(&["show", &journal], (24, 80), true);
    terminal.shows(&["3 boards", "q leave"]);
    let name = ptsname(&terminal.master, Vec::new()).unwrap();
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let mut line = File::options().write(true).custom_flags(flags).open(name.to_str().unwrap()).unwrap();
    // Terminals do nothing with these.
    while line.write(&[0; 256]).is_ok() {}
    // So many characters it has read, as the system counts them.
    let io = format!("/proc/{}/io", terminal.child.id());
    let read = || fs::read_to_string(&io).unwrap().lines().next().unwrap().to_owned();
    let (before, began) = (read(), Instant::now());
    terminal.press("?");
    while read() == before {
        assert!(began.elapsed() < DEADLINE, "{before}");
        thread::yield_now();
    }
    terminal.shows(&["hold the picture"]);
    terminal.press(" q");
    assert!(terminal.ended().success());
}

#[test]
fn recordings_are_played_held_and_stepped_by_moves() {
    let (_folder, journal, _) = journal();
    let mut terminal = Terminal::open(&["show", "--speed", "0.01", &journal], (24, 80), true);
    terminal.shows(&["x0.01", "3 boards"]);
    terminal.press(">");
    terminal.shows(&["1.e4", "held"]);
    terminal.press(">");
    terminal.shows(&["1...c5"]);
    terminal.press("<");
    terminal.until("back", |text| text.contains("1.e4") && !text.contains("1...c5"));
    terminal.press(" ");
    terminal.press("+++++++++++++++++++");
    terminal.shows(&["the end", "1027 lost 40 s", "1.d4"]);
    terminal.press("q");
    assert!(terminal.ended().success());
}

#[test]
fn repeated_moves_with_clocks_count_once_in_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let games = output_of(&["reconstruct"], JOURNAL);
    let twice = |line: &str| match line.contains("\"san\":\"e4\"") {
        true => format!("{line}\n{}\n", line.replace("\"san\"", "\"guess\":true,\"san\"")),
        false => format!("{line}\n"),
    };
    fs::write(&path, games.lines().map(twice).collect::<String>()).unwrap();
    let mut terminal = Terminal::open(&["show", "--speed", "0.01", path.to_str().unwrap()], (24, 80), true);
    terminal.shows(&["x0.01"]);
    terminal.press(">");
    terminal.until("a move", |text| text.contains("1.e4") && !text.contains("1.e4(?)"));
    terminal.press(">");
    terminal.shows(&["1...c5"]);
    terminal.press("<");
    terminal.until("back", |text| text.contains("1.e4") && !text.contains("1...c5"));
    terminal.press("q");
    assert!(terminal.ended().success());
}

#[test]
fn into_a_pipe_it_is_one_picture_of_text() {
    let (_folder, journal, roster) = journal();
    let args = ["show", &journal, "--roster", &roster, "--ascii"];
    let text = output_of(&args, "");
    assert!(!text.contains('\x1b'), "{text:?}");
    for what in ["3 boards", "Euwe, M", "1...c5", "1027 lost 40 s", "r n b q k b n r", "*1:29:02"] {
        assert!(text.contains(what), "{what}\n{text}");
    }
    assert_eq!(output_of(&[&args[..], &["--once"]].concat(), ""), text);
    // From standard input too, and the same.
    let piped = output_of(&["show", "--roster", &roster, "--ascii"], JOURNAL);
    assert_eq!(piped.lines().skip(1).collect::<Vec<_>>(), text.lines().skip(1).collect::<Vec<_>>());
    assert!(text.lines().all(|line| line.chars().count() <= 80 && !line.ends_with(' ')), "{text}");
}

/// A simulated hall of chess boards up to a time on 2026-01-01, with records more, in their place.
fn simulated(ending: &str, until: &str, more: &[&str]) -> String {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo-games.pgn");
    let records = output_of(&["simulate", "--pgn", games, "--records", "--ending", ending], "");
    let time =
        |line: &str| line.split("\"time\":\"").nth(1).map_or(String::new(), |rest| rest[11..23].to_owned());
    let mut lines: Vec<&str> =
        records.lines().filter(|line| *time(line) <= *until).chain(more.to_vec()).collect();
    lines.sort_by_key(|line| time(line));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_board_mismatches_after_an_unexplained_position() {
    let changed = |square: &str, piece: &str| {
        format!(
            r#"{{"type":"change","time":"2026-01-01T10:09:10.000Z","board":1027,"square":"{square}","piece":{piece}}}"#
        )
    };
    let says = "board does not match the game since";
    let shown = |more: &[&str]| output_of(&["show", "--ascii"], simulated("kings", "10:20:00.000", more));
    let text = shown(&[&changed("a7", "null"), &changed("a4", r#""p""#)]);
    assert!(text.contains(&format!("1027 {says} 9.Be2")), "{text}");
    assert!(!shown(&[]).contains(says));
    // Where a piece is not seen any more the game goes on with it.
    let text = shown(&[&changed("a8", "null")]);
    assert!(text.contains("1027 a8 no longer reports a piece") && !text.contains(says), "{text}");
}

#[test]
fn silent_boards_are_reported_while_others_answer() {
    let records = simulated("none", "10:40:00.000", &[]);
    let gone = |line: &&str| {
        let late = line.split("\"time\":\"").nth(1).is_some_and(|time| &time[11..16] >= "10:05");
        !(line.contains("\"board\":1027") && late)
    };
    let records: String = records.lines().filter(gone).map(|line| format!("{line}\n")).collect();
    let text = output_of(&["show", "--ascii"], records);
    assert!(text.contains("1027 not heard for 35 min"), "{text}");
    assert!(!text.contains("no change"), "{text}");
}

#[test]
fn draughts_are_shown_too() {
    let folder = tempfile::tempdir().unwrap();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/draughts.pdn");
    let records = output_of(&["simulate", "--records", "--pdn", games, "--boards", "1"], "");
    let path = folder.path().join("draughts.jsonl");
    fs::write(&path, records).unwrap();
    let text = output_of(&["show", "--ascii", path.to_str().unwrap()], "");
    assert!(text.contains(" o") || text.contains(" O") || text.contains('D'), "{text}");
    assert!(text.contains(':') || text.contains('-'), "{text}");
}

/// Rounds of old, in which nothing is left of the present, and then the round of now, in a journal that is not read from its
/// beginning.
fn long_journal() -> String {
    let head: String = JOURNAL.lines().take(4).map(|line| format!("{line}\n")).collect();
    // Blank lines are none of anybody's.
    let mut journal = head + &format!("{}\n", " ".repeat(1000)).repeat(9000);
    for n in 0..80_000 {
        journal.push_str(&format!(
            "{{\"type\":\"quiet\",\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{},\"seq\":{}}}\n",
            1025 + n % 3,
            100 + n
        ));
    }
    journal + &JOURNAL.replace("\"run\":\"a\"", "\"run\":\"b\"")
}

#[test]
fn long_journals_show_the_same_present_as_full_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.jsonl");
    let journal = long_journal() + &JOURNAL.lines().last().unwrap()[..30];
    fs::write(&path, &journal).unwrap();
    let path = path.display().to_string();
    let (ours, _, _) = run(&["show", "--ascii", &path], "");
    let (all, _, _) = run(&["show", "--ascii"], journal);
    let below = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(below(&ours), below(&all));
    assert!(ours.contains("1...c5") && ours.contains("lost 40 s"), "{ours}");
}

#[test]
fn a_replaced_long_journal_is_read_from_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.jsonl");
    fs::write(&path, long_journal()).unwrap();
    let mut terminal = Terminal::open(&["show", "--follow", path.to_str().unwrap()], (24, 80), true);
    terminal.shows(&["3 boards", "1...c5"]);
    let new =
        "{\"type\":\"stream\",\"records\":1,\"run\":\"c\"}\n{\"type\":\"board\",\"board\":1099,\"seq\":1}\n";
    fs::write(&path, new).unwrap();
    terminal.shows(&["4 boards", "1099"]);
}

#[test]
fn impossible_records_are_reported() {
    let (_, err, code) = run(&["show", "--speed", "0", "x"], "");
    assert!(code == 2 && err.contains("0.01 to 10000"), "{err}");
    let (_, err, code) = run(&["show", "not-there.jsonl"], "");
    assert!(code == 5 && err.contains("not-there.jsonl"), "{err}");
}

#[test]
fn shared_findings_of_boards_are_reported_once() {
    let board = |address: u16| {
        let of = format!(r#""board":{address},"time":"2026-11-22T10:00:0"#);
        let lost = match address {
            1030 => String::new(),
            _ => format!("{{\"type\":\"lost\",{of}9.000Z\",\"reason\":\"port-closed\"}}\n"),
        };
        format!("{{\"type\":\"board\",{of}0.000Z\",\"mode\":\"bus\"}}\n{lost}")
    };
    let journal: String = (1025..=1032).map(board).collect();
    let end = r#"{"type":"quiet","board":1030,"time":"2026-11-22T10:00:49.000Z"}"#;
    let text = output_of(&["show", "--once"], journal + end);
    assert_eq!(text.lines().nth(1).unwrap().trim(), "1025-1029, 1031-1032 port lost 40 s");
}
