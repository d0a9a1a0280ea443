//! Standings on pages, and the front page of an event.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::program::{command, run};

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Games of a round, as PGN: White, Black, result.
fn round(number: u32, games: &[(&str, &str, &str)]) -> String {
    let game = |(white, black, result): &(&str, &str, &str)| {
        format!(
            "[Event \"City Open\"]\n[Round \"{number}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
        )
    };
    games.iter().map(game).collect()
}

fn pages(folder: &Path, name: &str, pgn: &str, args: &[&str]) {
    let site = folder.join(name);
    let records = run(&["from-pgn"], pgn).0;
    command("to-html")
        .arg("-o")
        .arg(site)
        .arg("--event-page")
        .arg(folder)
        .args(args)
        .write_stdin(records)
        .assert()
        .success();
}

#[test]
fn a_front_page_lists_the_rounds_and_who_leads() {
    let folder = tempfile::tempdir().unwrap();
    pages(folder.path(), "r10", &round(10, &[("Bob", "Ann", "*"), ("Cid", "Dan", "1/2-1/2")]), &[]);
    pages(folder.path(), "r9", &round(9, &[("Ann", "Cid", "1-0"), ("Dan", "Bob", "1/2-1/2")]), &[]);
    fs::create_dir(folder.path().join("photos")).unwrap();
    let event = read_json(&folder.path().join("event.json"));
    assert_eq!(event["title"], "City Open");
    assert_eq!(event["rounds"], json!([["Round 9", "r9/index.html", 0], ["Round 10", "r10/index.html", 1]]));
    // Equal points share a place, and a game in play counts for nobody.
    let names = event["standings"].as_array().unwrap().iter().map(|row| json!([row[0], row[2], row[5]]));
    let expected = json!([[1, "Ann", "1"], [1, "Dan", "1"], [3, "Bob", "½"], [3, "Cid", "½"]]);
    assert_eq!(Value::Array(names.collect()), expected);
    assert!(fs::read_to_string(folder.path().join("index.html")).unwrap().contains("data-kind=\"event\""));
    assert!(folder.path().join("page.js").exists());
    // Results that are hidden are in no file of the folder.
    pages(folder.path(), "r9", &round(9, &[("Ann", "Cid", "1-0")]), &["--hide-results"]);
    assert!(!fs::read_to_string(folder.path().join("r9/results.json")).unwrap().contains("1-0"));
}

#[test]
fn a_front_page_has_the_standings_of_teams() {
    let folder = tempfile::tempdir().unwrap();
    let team = |player: &str| {
        ["Riga", "Riga", "Oslo", "Oslo", "Bonn", "Bonn", "Turin", "Turin"]
            [player[1..].parse::<usize>().unwrap()]
    };
    let of_teams = |number, games: &[(&str, &str, &str)]| -> String {
        let tagged = |game: &(&str, &str, &str)| {
            let teams =
                format!("[WhiteTeam \"{}\"]\n[BlackTeam \"{}\"]\n[Result", team(game.0), team(game.1));
            round(number, &[*game]).replace("[Result", &teams)
        };
        games.iter().map(tagged).collect()
    };
    let first =
        [("p0", "p2", "1-0"), ("p3", "p1", "1/2-1/2"), ("p4", "p6", "1/2-1/2"), ("p7", "p5", "1/2-1/2")];
    pages(folder.path(), "r1", &of_teams(1, &first), &[]);
    let event = || read_json(&folder.path().join("event.json"));
    assert_eq!(
        event()["teams"],
        json!([[1, "Riga", 2, "1½"], [2, "Bonn", 1, "1"], [2, "Turin", 1, "1"], [4, "Oslo", 0, "½"]])
    );
    // The match of Riga and Bonn is not over: its finished game counts for board points alone.
    let second = [("p4", "p0", "1-0"), ("p1", "p5", "*"), ("p2", "p6", "1-0"), ("p7", "p3", "1/2-1/2")];
    pages(folder.path(), "r2", &of_teams(2, &second), &[]);
    assert_eq!(
        event()["teams"],
        json!([[1, "Oslo", 2, "2"], [2, "Riga", 2, "1½"], [3, "Bonn", 1, "2"], [4, "Turin", 1, "1½"]])
    );
    // Players of one team met several others: this is no event of teams.
    pages(folder.path(), "r3", &of_teams(3, &[("p0", "p2", "1-0"), ("p1", "p4", "1-0")]), &[]);
    assert_eq!(event()["teams"], json!(null));
}

#[test]
fn foreign_pages_are_no_front_pages() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<p>The club").unwrap();
    let site = folder.path().join("r1");
    let output =
        command("to-html").arg("-o").arg(&site).arg("--event-page").arg(folder.path()).assert().code(2);
    let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(said.contains("is no front page of an event"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("index.html")).unwrap(), "<p>The club");
    command("to-html").arg("--event-page").arg(folder.path()).assert().code(2);
}

#[test]
fn standings_follow_from_report_and_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let line = |rank: u32, name: &str, points: &str, rounds: &str| {
        format!(
            "001 {rank:>4} m    {name:<33} 2000 NOR {rank:>11} {:>10} {points:>4} {rank:>4}{rounds}\n",
            "1990/11/30"
        )
    };
    let report = [
        line(1, "Amber,Ann", "1.0", "     3 w 1     2 b  "),
        line(2, "Birch,Bob", "1.0", "     4 b 1     1 w  "),
        line(3, "Cedar,Cid", "0.0", "     1 b 0     4 b  "),
        line(4, "Dogwood,Dan", "0.0", "     2 w 0     3 w  "),
    ];
    let trf = folder.path().join("open.trf");
    fs::write(&trf, report.concat()).unwrap();
    let begin = |board: u16| {
        format!(
            "{{\"type\":\"game\",\"time\":\"2026-11-21T10:00:00.000Z\",\"board\":{board},\"game\":1,\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}}\n"
        )
    };
    let end = "{\"type\":\"end\",\"board\":1,\"game\":1,\"result\":\"0-1\",\"reason\":\"kings\"}\n";
    let records = begin(1) + &begin(2) + end;
    let standings = |args: &[&str]| {
        let site = folder.path().join(format!("site{}", args.len()));
        let trf = trf.to_str().unwrap();
        let with = ["--trf", trf, "--round", "2"];
        command("to-html")
            .arg("-o")
            .arg(&site)
            .args(with)
            .args(args)
            .write_stdin(&*records)
            .assert()
            .success();
        let file = site.join("standings.json");
        file.exists().then(|| read_json(&file)["rows"].clone())
    };
    // Birch has White at table 1; the other game is in play.
    assert_eq!(
        standings(&[]),
        Some(json!([
            [1, "", "Amber, Ann", "NOR", "2000", "2"],
            [2, "", "Birch, Bob", "NOR", "2000", "1"],
            [3, "", "Cedar, Cid", "NOR", "2000", "0"],
            [3, "", "Dogwood, Dan", "NOR", "2000", "0"]
        ]))
    );
    assert_eq!(standings(&["--hide-results"]), None);
}
