//! Two hundred rounds made by chance for each program that takes results back: what is written is read again by a script that knows
//! nothing of boardbus.

use std::{collections::BTreeMap, process::Command};

use boardbus::sim::random::Random;

use super::{Files, begun, end, of};

const SURNAMES: [&str; 6] = ["Müller", "Núñez", "Smith", "Åström", "Łuczak", "van den Berg"];
const ROUND: u32 = 3;

/// What is to stand in the file: by the numbers of White and Black the signs of both, nothing where it is open.
type Expected = BTreeMap<String, String>;

/// A round: its boards by the starting numbers, who has a bye, what the boards told, what was ruled, and what is to come of it.
struct Made {
    names: Vec<(String, String)>,
    boards: Vec<(usize, usize)>,
    bye: Option<usize>,
    records: String,
    rulings: String,
    expected: Expected,
}

fn made(chance: &mut Random, nth: usize, by_number: bool) -> Made {
    let most = if nth.is_multiple_of(40) { 299 } else { 24 };
    let boards = 2 + chance.below(most);
    let has_bye = chance.below(2) == 0;
    let many = 2 * boards + usize::from(has_bye);
    let name = |chance: &mut Random, at: usize| {
        let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
        (format!("{}{}{}", SURNAMES[chance.below(6)], letter(at / 26), letter(at)), "Jörg".to_owned())
    };
    let names = (0..many).map(|at| name(chance, at)).collect();
    let mut order: Vec<usize> = (1..=many).collect();
    (1..many).rev().for_each(|at| order.swap(at, chance.below(at + 1)));
    let bye = if has_bye { order.pop() } else { None };
    let mut boards: Vec<(usize, usize)> = order.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    if by_number {
        boards.sort_by_key(|&(white, black)| white.min(black));
    }
    let (mut records, mut rulings, mut expected) = (String::new(), String::new(), Expected::new());
    for (at, (white, black)) in boards.iter().enumerate() {
        let board = at as u16 + 1;
        let played = |rest: &str| begun(board, 1, 0) + &of(board, 1, 30, rest);
        let (told, signs) = match chance.below(9) {
            0..=1 => (played(&end("1-0", "kings")), "10"),
            2 => (played(&end("0-1", "result-piece")), "01"),
            3 => (played(&end("1/2-1/2", "kings")), "=="),
            4 => (played(r#""type":"ruling","result":"0-1","note":"both agree""#), "01"),
            5 => {
                let (result, signs) = [("1-0", "+-"), ("0-1", "-+"), ("0-0", "--")][chance.below(3)];
                rulings +=
                    &of(board, 1, 5, &format!(r#""type":"ruling","result":"{result}","forfeit":true"#));
                (String::new(), signs)
            }
            6 => (begun(board, 1, 0), ""),
            7 => (played(&end("0-1", "flag")), ""),
            _ => (String::new(), ""),
        };
        records += &told;
        expected.insert(format!("{white}-{black}"), signs.to_owned());
    }
    Made { names, boards, bye, records, rulings, expected }
}

fn swiss_manager(made: &Made, files: &Files) -> Vec<&'static str> {
    let head = "Nr;Name;Titel;EloNat;EloInt;Fed;Klub;FideIdent;Pkt;Rang;Nachname;Vorname";
    let mut players = head.to_owned() + "\r\n";
    for (at, (surname, given)) in made.names.iter().enumerate() {
        let number = at + 1;
        players += &format!("{number};{surname} {given};;0;2000;GER;;0;½;{number};{surname};{given}\r\n");
    }
    let row = |board: usize, white: usize, black: i64| {
        format!("{ROUND};{board};0;0;{white};{black};0;0;;0:0;0;;\r\n")
    };
    let rows = made.boards.iter().enumerate().map(|(at, &(white, black))| row(at + 1, white, black as i64));
    let bye = made.bye.map(|bye| row(made.boards.len() + 1, bye, -1)).unwrap_or_default();
    files.write("p.txt", &players);
    files.write("d.txt", &(super::HEAD.to_owned() + &rows.collect::<String>() + &bye));
    vec!["--pairings", "p.txt", "d.txt"]
}

/// Lines of players, each with what stands behind the rank in a round of the file.
fn report(
    made: &Made,
    by_bytes: bool,
    names: impl Fn(usize) -> String,
    of_round: impl Fn(usize) -> String,
) -> String {
    let line = |at: usize| {
        let number = at + 1;
        let name = names(at);
        let name = if by_bytes {
            format!("{name}{}", " ".repeat(33usize.saturating_sub(name.len())))
        } else {
            format!("{name:<33}")
        };
        // Nobody has points, so that the tables stand by the numbers.
        let text = format!(
            "001 {number:>4} m    {name} 2000 GER {:>11} 1990        0.0 {number:>4}  {}",
            0,
            of_round(at)
        );
        text.trim_end().to_owned() + "\n"
    };
    "012 Cup\n142 5\n".to_owned() + &(0..made.names.len()).map(line).collect::<String>()
}

const AWAY: &str = "0000 - Z  0000 - Z";

fn trf(made: &Made, files: &Files) -> Vec<&'static str> {
    let of_round = |at: usize| {
        let number = at + 1;
        let paired = made.boards.iter().find_map(|&(white, black)| match number {
            _ if white == number => Some(format!("{black:>4} w")),
            _ if black == number => Some(format!("{white:>4} b")),
            _ => None,
        });
        format!("{AWAY}  {}", paired.unwrap_or_else(|| "0000 - U".into()))
    };
    let name = |at: usize| format!("{},{}", made.names[at].0, made.names[at].1);
    files.write("o.trf", &report(made, false, name, of_round));
    vec!["--pairings", "o.trf"]
}

fn vega(made: &Made, files: &Files) -> Vec<&'static str> {
    let name = |number: usize| format!("{}, {}", made.names[number - 1].0, made.names[number - 1].1);
    let line = |own: &str, colour: &str, other: &str, board: usize| {
        format!("{own:<22}plays with {colour} VS         {other:<22} in board {board:>4}\n")
    };
    let mut list = "Cup: Pairing of round 3 sorted by name\n\n=====\n".to_owned();
    for (at, &(white, black)) in made.boards.iter().enumerate() {
        list += &line(&name(white), "white", &name(black), at + 1);
        list += &line(&name(black), "black", &name(white), at + 1);
    }
    if let Some(bye) = made.bye {
        let board = made.boards.len() + 1;
        list += &(line(&name(bye), "white", "BYE", board) + &line("BYE", "black", &name(bye), board));
    }
    files.write("SortedPairs.txt", &list);
    let squashed = |at: usize| {
        let (surname, given) = &made.names[at];
        format!("{surname}{given}").replace(' ', "")
    };
    files.write("engine26.trf", &report(made, true, squashed, |_| AWAY.into()));
    vec!["--pairings", "SortedPairs.txt", "engine26.trf"]
}

#[test]
fn written_files_are_read_by_other_programs() {
    if Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: python3 is not installed (on Debian: apt-get install python3)");
    }
    let mut chance = Random::new(20_261_128);
    for (program, write) in [
        ("swiss-manager", swiss_manager as fn(&Made, &Files) -> Vec<&'static str>),
        ("trf", trf),
        ("vega", vega),
    ] {
        let files = Files::new();
        let (mut wanted, mut names) = (Vec::new(), Vec::new());
        for nth in 0..200 {
            // A report has no numbers of boards: nobody has points, so the best by number sits at table 1.
            let made = made(&mut chance, nth, program == "trf");
            let mut arguments = write(&made, &files);
            files.write("rulings.jsonl", &made.rulings);
            arguments.extend(["--round", "3", "--rulings", "rulings.jsonl"]);
            let (output, said, code) = files.results(&arguments, &made.records);
            let is_open = made.expected.values().any(String::is_empty);
            assert_eq!(code, i32::from(is_open), "{program} {nth}: {said}");
            names.push(format!("{nth}.out"));
            files.write(&names[nth], &output);
            wanted.push(made.expected);
        }
        let mut python = Command::new("python3");
        python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/read-results.py")).arg("3");
        let read = python.args(names.iter().map(|name| files.path(name))).output().unwrap();
        assert!(read.status.success(), "{program}: {}", String::from_utf8_lossy(&read.stderr));
        let read = String::from_utf8(read.stdout).unwrap();
        let found: Vec<Expected> = read.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (nth, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert_eq!(found, wanted, "{program} {nth}");
        }
        assert_eq!(found.len(), 200, "{program}");
    }
}
