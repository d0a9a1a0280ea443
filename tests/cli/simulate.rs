//! `boardbus simulate`.

use std::collections::BTreeMap;

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;

use super::{
    hall::{Hall, wait},
    program::{self, of, output_of},
};

const PGN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/simulate.pgn");

fn records(args: &[&str]) -> Vec<serde_json::Value> {
    program::records(output_of(&[&["simulate", "--pgn", PGN, "--records"], args].concat(), ""))
}

#[test]
fn equal_seeds_print_equal_bytes() {
    let run = |seed: &str| {
        output_of(&["simulate", "--pgn", PGN, "--records", "--hands", "blitz", "--seed", seed], "")
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn games_with_moves_get_a_board_each() {
    let records = records(&[]);
    assert_eq!(records[0]["type"], "stream");
    let boards: Vec<u64> = of(&records, "board").iter().map(|r| r["board"].as_u64().unwrap()).collect();
    assert_eq!(boards, [1025, 1026, 1027]);
    let begins = of(&records, "mark");
    assert_eq!(begins.iter().map(|r| r["mark"].as_str().unwrap()).collect::<Vec<_>>(), ["begin"; 3]);
}

#[test]
fn more_games_than_boards_follow_with_begin_marks() {
    let records = records(&["--address", "2054", "--hands", "clean"]);
    assert!(records[1..].iter().all(|record| record["board"] == 2054));
    let begins = of(&records, "mark").iter().filter(|r| r["mark"] == "begin").count();
    assert_eq!(begins, 3);
}

#[test]
fn records_are_in_order_and_share_poll_times() {
    let records = records(&["--hands", "rapid", "--poll", "2"]);
    let times: Vec<&str> = records[1..].iter().map(|r| r["time"].as_str().unwrap()).collect();
    assert!(times.is_sorted());
    // Three boards share each two seconds, and no board is polled at any other time.
    let mut phases: BTreeMap<u64, std::collections::BTreeSet<u64>> = BTreeMap::new();
    for record in &records[1..] {
        let time: &str = record["time"].as_str().unwrap();
        let millis =
            (time[17..19].parse::<u64>().unwrap() * 1000 + time[20..23].parse::<u64>().unwrap()) % 2000;
        phases.entry(record["board"].as_u64().unwrap()).or_default().insert(millis);
    }
    assert_eq!(phases.values().map(|phases| phases.len()).collect::<Vec<_>>(), [1, 1, 1]);
}

#[test]
fn presses_give_the_clock_times_of_the_game() {
    let records = records(&["--boards", "3", "--hands", "clean"]);
    let presses: Vec<u64> = of(&records, "press")
        .iter()
        .filter(|r| r["board"] == 1027)
        .map(|r| r["seconds"].as_u64().unwrap())
        .collect();
    assert_eq!(presses, [300, 298, 299, 290, 295, 291, 291]);
    assert!(of(&self::records(&["--no-clock"]), "press").is_empty());
}

#[test]
fn unplayable_moves_are_reported_and_the_rest_played() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.pgn");
    std::fs::write(&path, "1. e4 Ke4 2. d4 *\n\n1. d4 d5 *\n").unwrap();
    let mut simulate = cargo_bin_cmd!();
    simulate.args(["simulate", "--records", "--pgn"]).arg(&path);
    let assert = simulate.assert().code(4);
    let said = predicate::str::contains("bad.pgn:1: game 1: ").and(predicate::str::contains("Ke4"));
    let said = said.and(predicate::str::ends_with("1 bad place skipped\n"));
    let boards = predicate::str::contains("\"board\":1025").and(predicate::str::contains("\"board\":1026"));
    assert.stderr(said).stdout(boards);
}

#[test]
fn a_promotion_without_its_sign_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("club.pgn");
    let game = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. a8Q+ Kh7 1-0\n";
    std::fs::write(&path, game).unwrap();
    let out = cargo_bin_cmd!().args(["simulate", "--records", "--pgn"]).arg(&path).assert().success();
    let out = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    assert!(out.contains(r#""square":"a8","piece":"Q""#) && out.contains(r#""square":"h7","piece":"k""#));
}

#[test]
fn missing_files_are_errors_of_reading() {
    let mut simulate = cargo_bin_cmd!();
    simulate.args(["simulate", "--records", "--pgn", "/nowhere/games.pgn"]);
    simulate.assert().code(5).stdout("").stderr(predicate::str::contains("/nowhere/games.pgn"));
}

#[test]
fn addresses_out_of_range_are_refused() {
    for list in ["0", "16384", "7-5", "1025,1025", "x"] {
        cargo_bin_cmd!().args(["simulate", "--pgn", PGN, "--address", list]).assert().code(2).stdout("");
    }
}

#[test]
fn a_time_has_a_unit_or_is_seconds() {
    let seconds = records(&["--hands", "rapid", "--poll", "1.5", "--clock-every", "30"]);
    let units = records(&["--hands", "rapid", "--poll", "1500ms", "--clock-every", "0.5m"]);
    assert_eq!(seconds, units);
    for times in ["60", "60:x", "x:60"] {
        let mut simulate = cargo_bin_cmd!();
        simulate.args(["simulate", "--pgn", PGN, "--unplug", times]).assert().code(2).stdout("");
    }
}

/// A simulator of the games on a pseudo-terminal.
fn on_a_line(args: &[&str]) -> Hall {
    Hall::simulate(&[&["--pgn", PGN], args].concat())
}

fn connect(hall: &Hall) -> Box<dyn serialport::SerialPort> {
    let port = serialport::new(hall.port().to_str().unwrap(), 9600);
    port.timeout(std::time::Duration::from_secs(10)).open().unwrap()
}

/// Sends a command and reads so many bytes.
fn ask(port: &mut dyn serialport::SerialPort, command: &[u8], length: usize) -> Vec<u8> {
    std::io::Write::write_all(port, command).unwrap();
    let mut reply = vec![0; length];
    std::io::Read::read_exact(port, &mut reply).unwrap();
    reply
}

#[test]
fn pseudo_terminals_answer_as_a_bus() {
    let hall = on_a_line(&["--address", "1025,2054"]);
    let mut port = connect(&hall);
    assert_eq!(ask(&mut *port, &[0x87, 0x08, 0x01, 0x10], 6), [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    assert_eq!(ask(&mut *port, &[0x8b, 0x08, 0x01, 0x14], 8), [0x89, 0, 8, 0x08, 0x01, 0x01, 0x06, 0x21]);
    let dump = ask(&mut *port, &[0x82, 0x10, 0x06, 0x18], 70);
    assert_eq!(dump[..13], [0x83, 0x00, 0x46, 0x10, 0x06, 8, 9, 10, 12, 11, 10, 9, 8]);
    // All boards answer a ping to address 0, in any order.
    let mut pings = ask(&mut *port, &[0x87, 0x00, 0x00, 0x07], 12);
    if pings[3] == 0x10 {
        pings.rotate_left(6);
    }
    let whole = [0x87, 0x00, 0x06, 0x08, 0x01, 0x16, 0x87, 0x00, 0x06, 0x10, 0x06, 0x23];
    assert_eq!(pings, whole);
}

#[test]
fn signals_end_the_line_and_remove_its_link() {
    use std::os::unix::process::ExitStatusExt;
    let mut hall = on_a_line(&[]);
    hall.signal(rustix::process::Signal::INT);
    assert_eq!(hall.simulate.wait().unwrap().signal(), Some(2));
    assert!(!hall.port().is_symlink());
    let said = std::fs::read_to_string(hall.file("simulate.stderr")).unwrap();
    assert_eq!(said, format!("boardbus simulate: 3 boards on {}\n", hall.port().display()));
}

#[test]
fn killed_clients_release_the_port() {
    let hall = on_a_line(&["--boards", "1"]);
    for _ in 0..3 {
        let mut port = connect(&hall);
        assert_eq!(ask(&mut *port, &[0x87, 0x08, 0x01, 0x10], 6).len(), 6);
        // As a killed client would: the exclusive use is left on the terminal.
        drop(port);
        let raw = std::fs::File::options().read(true).write(true).open(hall.port()).unwrap();
        rustix::termios::ioctl_tiocexcl(&raw).unwrap();
        drop(raw);
        let port = serialport::new(hall.port().to_str().unwrap(), 9600);
        wait(|| port.clone().open().is_ok());
    }
}

#[test]
fn the_simulated_line_ends_after_all_records_are_read() {
    let args = ["--boards", "1", "--start", "now", "--speed", "4000", "--wire-speed", "0"];
    let mut hall = on_a_line(&[&args[..], &["--truth", "truth.jsonl", "--exit-after", "1"]].concat());
    let mut log = Vec::new();
    {
        let mut port = connect(&hall);
        while hall.simulate.try_wait().unwrap().is_none() {
            // The line may end between the question and the answer: what then fails is no failure.
            let Ok(()) = std::io::Write::write_all(&mut port, &[0x83, 0x08, 0x01, 0x0c]) else { break };
            let mut header = [0; 5];
            let Ok(()) = std::io::Read::read_exact(&mut port, &mut header) else { break };
            let length = usize::from(header[1]) << 7 | usize::from(header[2]);
            let mut rest = vec![0; length - 5];
            let Ok(()) = std::io::Read::read_exact(&mut port, &mut rest) else { break };
            log.extend_from_slice(&rest[..length - 6]);
        }
    }
    assert!(hall.simulate.wait().unwrap().success());
    let truth = hall.truth();
    let logged = &truth[1..];
    // Each change is two bytes, each press three, each mark one; a power-up has three more.
    let bytes = logged.iter().map(|record| match record["type"].as_str().unwrap() {
        "change" => 2,
        "press" => 3,
        "mark" => 1,
        // This machine was busy elsewhere and kept the line waiting.
        "fault" if record["board"].is_null() => 0,
        other => panic!("{other}"),
    });
    assert_eq!(bytes.sum::<usize>() + 3, log.len());
    let begins = of(logged, "mark").iter().filter(|mark| mark["mark"] == "begin").count();
    assert_eq!(begins, 3);
}

/// What stands on a board's squares at the end of its records.
fn last_position(records: &[serde_json::Value], board: u64) -> BTreeMap<String, String> {
    let mut stands = BTreeMap::new();
    for record in records.iter().filter(|record| record["board"] == board) {
        let square = || record["square"].as_str().unwrap().to_owned();
        match record["type"].as_str().unwrap() {
            "position" => {
                let placement: boardbus::record::Placement =
                    record["placement"].as_str().unwrap().parse().unwrap();
                let pieces = boardbus::record::Square::all()
                    .filter_map(|s| Some((s.to_string(), placement.get(s)?.to_string())));
                stands = pieces.collect();
            }
            "mark" if record["listing"] == true => stands.clear(),
            "change" => match record["piece"].as_str() {
                Some(piece) => drop(stands.insert(square(), piece.to_owned())),
                None => drop(stands.remove(&square())),
            },
            _ => {}
        }
    }
    stands
}

#[test]
fn turned_boards_report_own_squares_and_swapped_presses() {
    let records = records(&["--rotated", "1", "--hands", "clean", "--boards", "3"]);
    let own: Vec<serde_json::Value> = records.iter().filter(|r| r["board"] == 1026).cloned().collect();
    assert_eq!(of(&own, "mark")[0]["mark"], "begin-rotated");
    let first: Vec<&str> = of(&own, "change")[..2].iter().map(|r| r["square"].as_str().unwrap()).collect();
    assert_eq!(first, ["d7", "d5"], "e2 and e4, turned");
    assert_eq!(of(&own, "press")[0]["side"], "right");
}

#[test]
fn power_loss_gives_a_listing_on_return() {
    let whole = records(&["--boards", "3"]);
    let cut = records(&["--boards", "3", "--power-cuts", "1"]);
    let losses = of(&cut, "lost");
    assert_eq!(losses.len(), 1);
    let board = losses[0]["board"].as_u64().unwrap();
    let own: Vec<serde_json::Value> = cut.iter().filter(|r| r["board"] == board).cloned().collect();
    let at = own.iter().position(|r| r["type"] == "lost").unwrap();
    assert_eq!(
        (own[at + 1]["type"].as_str(), own[at + 2]["mark"].as_str()),
        (Some("found"), Some("power-up"))
    );
    assert_eq!(own[at + 2]["listing"], true);
    assert_eq!(last_position(&cut, board), last_position(&whole, board));
}

#[test]
fn kings_in_the_centre_end_games_on_request() {
    let records = records(&["--boards", "3", "--ending", "kings"]);
    for (board, kings) in [(1025, ["e4", "d5"]), (1026, ["d4", "e5"]), (1027, ["e4", "d5"])] {
        let stands = last_position(&records, board);
        let mut on = kings.map(|square| stands.get(square).cloned().unwrap_or_default());
        on.sort();
        assert_eq!(on, ["K", "k"], "board {board}");
    }
}

#[test]
fn boards_without_a_game_are_named() {
    let games = ["simulate", "--records", "--pgn", PGN];
    for (boards, says) in [
        (["--boards", "6"], "boardbus simulate: 3 games for 6 boards: none for 1028-1030\n"),
        (["--address", "7,9,8,11"], "boardbus simulate: 3 games for 4 boards: none for 11\n"),
        (["--boards", "3"], ""),
    ] {
        let (_, said, code) = program::run(&[&games[..], &boards].concat(), "");
        assert_eq!((&*said, code), (says, 0));
    }
}

#[test]
fn draughts_are_played_without_games_of_chess() {
    let pdn = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/draughts.pdn");
    let mut simulate = std::process::Command::new(env!("CARGO_BIN_EXE_boardbus"));
    simulate.args(["simulate", "--records", "--pdn", pdn]);
    simulate.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let mut simulate = simulate.spawn().unwrap();
    // Its standard input stays open.
    wait(|| simulate.try_wait().unwrap().is_some());
    assert_eq!(simulate.wait().unwrap().code(), Some(0));
}
