//! `scripts/boardbus-export-round`, as cron runs it on a journal that grows.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
    time::SystemTime,
};

use jiff::{SignedDuration, Timestamp};

const PROGRAM: &str = env!("CARGO_BIN_EXE_boardbus");
const GAME: &str = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 \
                    5. O-O Nxe4 6. d4 b5 7. Bb3 d5 8. dxe5 Be6 9. c3 Bc5 10. Nbd2 O-O 1-0\n\n";

/// The records of two boards on which a game is played from then on.
fn journal(opening: Timestamp) -> String {
    let mut process = Command::new(PROGRAM)
        .args(["simulate", "--records", "--hands", "clean", "--ending", "kings", "--pgn", "-", "--opening"])
        .arg(opening.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(GAME.repeat(2).as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn export(folder: &Path, args: &[&str]) -> Output {
    Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
        .args(["round3.jsonl", "games.pgn", "--round", "3"])
        .args(args)
        .current_dir(folder)
        .env("BOARDBUS", PROGRAM)
        .output()
        .unwrap()
}

/// The file and when it was written.
fn games(folder: &Path) -> (String, SystemTime) {
    let path = folder.join("games.pgn");
    (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap())
}

/// The tags of all games but for their results.
fn tags(pgn: &str) -> Vec<&str> {
    pgn.lines()
        .filter(|l| l.starts_with('[') && !l.starts_with("[Result") && !l.starts_with("[Term"))
        .collect()
}

#[test]
fn a_journal_that_grows_is_exported_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let whole = journal("2026-11-21T10:00:00Z".parse().unwrap());
    let path = folder.path().join("round3.jsonl");
    let mut plies = 0;
    let mut known = Vec::new();
    for tenth in 3..=10 {
        // As it is on the disk at any moment: a record may have been written in part.
        let end = if tenth == 10 { whole.len() } else { whole.len() * tenth / 10 };
        fs::write(&path, &whole[..end]).unwrap();
        let torn = !whole[..end].ends_with('\n');
        let output = export(folder.path(), &[]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(if torn { 4 } else { 0 }), "{errors}");
        let (pgn, written) = games(folder.path());
        let now = pgn.matches("[%clk").count();
        assert!(now >= plies, "{now} plies after {plies}");
        assert!(known.iter().eq(tags(&pgn).iter().take(known.len())), "{known:?} became {pgn}");
        plies = now;
        known = tags(&pgn).into_iter().map(str::to_owned).collect();
        // A run that finds nothing new leaves the file alone.
        export(folder.path(), &[]);
        assert_eq!(games(folder.path()), (pgn, written));
    }
    let (pgn, _) = games(folder.path());
    assert_eq!(
        (pgn.matches("[Result \"1-0\"]").count(), pgn.matches("[Round \"3\"]").count()),
        (2, 2),
        "{pgn}"
    );
    assert_eq!(plies, 2 * 20);
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["games.pgn", "round3.jsonl"]);
}

// Users' pain: a delay that is not kept (lila#14254).
#[test]
fn export_runs_write_due_results_and_the_next_continue() {
    let folder = tempfile::tempdir().unwrap();
    let delay = SignedDuration::from_mins(15);
    // The hall opened so long ago that about half of the moves are due.
    let whole = journal(Timestamp::now() - delay - SignedDuration::from_mins(10));
    fs::write(folder.path().join("round3.jsonl"), &whole).unwrap();
    let told =
        Command::new(PROGRAM).args(["reconstruct", "round3.jsonl"]).current_dir(folder.path()).output();
    let told = String::from_utf8(told.unwrap().stdout).unwrap();
    let due_at = |now: Timestamp| {
        let mut plies = std::collections::BTreeSet::new();
        for line in told.lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            if record["type"] == "move"
                && record["time"].as_str().unwrap().parse::<Timestamp>().unwrap() <= now - delay
            {
                plies.insert((record["board"].as_u64(), record["ply"].as_u64()));
            }
        }
        plies.len()
    };
    let before = Timestamp::now();
    let output = export(folder.path(), &["--delay", "15m"]);
    let after = Timestamp::now();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (pgn, _) = games(folder.path());
    let moves = records(&pgn);
    assert!((due_at(before)..=due_at(after)).contains(&moves), "{moves} of {}", due_at(after));
    assert!(0 < moves && moves < 2 * 20, "{moves}: neither none nor all");
    // Later, or with a shorter delay, the same file goes on with the same games.
    let known: Vec<String> = tags(&pgn).into_iter().map(str::to_owned).collect();
    assert!(export(folder.path(), &["--delay", "1s"]).status.success());
    let (pgn, _) = games(folder.path());
    assert!(records(&pgn) > moves);
    assert_eq!(tags(&pgn)[..known.len()], known);
}

/// The plies that from-pgn reads.
fn records(pgn: &str) -> usize {
    let output =
        assert_cmd::cargo::cargo_bin_cmd!("boardbus").arg("from-pgn").write_stdin(pgn).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().matches("\"type\":\"move\"").count()
}

#[test]
fn runs_beside_another_run_leave_it_the_work() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("round3.jsonl"), journal("2026-11-21T10:00:00Z".parse().unwrap())).unwrap();
    let lock = fs::File::create(folder.path().join(".games.pgn.lock")).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    assert_eq!(export(folder.path(), &[]).status.code(), Some(75));
    assert!(!folder.path().join("games.pgn").exists());
    assert!(folder.path().join(".games.pgn.lock").exists(), "it is the other run's");
    drop(lock);
    assert_eq!(export(folder.path(), &[]).status.code(), Some(0));
    assert!(folder.path().join("games.pgn").exists());
}

#[test]
fn a_run_without_journal_fails_and_keeps_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("round3.jsonl"), folder.path().join("away"));
    let whole = journal("2026-11-21T10:00:00Z".parse().unwrap());
    let half = whole[..whole.len() / 2].rfind('\n').unwrap() + 1;
    fs::write(&path, &whole[..half]).unwrap();
    assert_eq!(export(folder.path(), &[]).status.code(), Some(0));
    let before = games(folder.path());
    fs::rename(&path, &away).unwrap();
    let output = export(folder.path(), &[]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{errors}");
    assert!(errors.contains("round3.jsonl") && errors.contains("boardbus watch --journal"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(games(folder.path()), before);
    fs::write(&path, &whole).unwrap();
    assert_eq!(export(folder.path(), &[]).status.code(), Some(0));
    assert!(records(&games(folder.path()).0) > records(&before.0));
}

#[test]
fn missing_folders_get_advice_to_make_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("round3.jsonl"), "").unwrap();
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
        .args(["round3.jsonl", "www/games.pgn"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{errors}");
    assert!(errors.contains("no folder www") && errors.contains("make it"), "{errors}");
}

#[test]
fn runs_whose_lock_was_removed_take_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("round3.jsonl"), "").unwrap();
    // The run before ends between the opening of its lock here and the locking.
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let flock = "#!/bin/sh\necho >>asked\n[ -e gone ] || { : >gone; rm .games.pgn.lock; }\nPATH=${PATH#*:} exec flock \"$@\"\n";
    fs::write(bin.join("flock"), flock).unwrap();
    fs::set_permissions(bin.join("flock"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = folder.path().join("looks");
    fs::write(&program, "#!/bin/sh\nflock --nonblock .games.pgn.lock true && echo free >>free\ntrue\n")
        .unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
        .args(["round3.jsonl", "games.pgn"])
        .current_dir(folder.path())
        .env("BOARDBUS", &program)
        .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Twice by the script, and once by each of the two programs that it runs.
    assert_eq!(fs::read_to_string(folder.path().join("asked")).unwrap().lines().count(), 4);
    assert!(!folder.path().join("free").exists(), "nobody held the lock that stands there");
    assert!(!folder.path().join(".games.pgn.lock").exists());
}

#[test]
fn wrong_rosters_leave_earlier_names_in_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("round3.jsonl"), journal("2026-11-21T10:00:00Z".parse().unwrap())).unwrap();
    let run = || {
        let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
            .args(["round3.jsonl", "games.pgn", "--roster", "players.csv", "--round=3"])
            .current_dir(folder.path())
            .env("BOARDBUS", PROGRAM)
            .env("XDG_STATE_HOME", path("state"))
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap(), games(folder.path()).0)
    };
    // None was ever right: no names.
    fs::write(path("players.csv"), "board,white\n1025,A\n").unwrap();
    let (code, said, pgn) = run();
    assert_eq!((code, said.lines().count()), (Some(4), 1), "{said}");
    assert_eq!(pgn.matches("[White \"?\"]").count(), 2, "{pgn}");
    fs::write(path("players.csv"), "board,white,black\n1025,Tal,Keres\n1026,Euwe,Flohr\n").unwrap();
    let (code, said, named) = run();
    assert_eq!((code, &*said), (Some(0), ""));
    assert!(named.contains("Tal") && named.contains("Flohr"), "{named}");
    for (wrong, why) in [
        (
            Some("board,white,black\n1025,Tal,Keres\n1025,Euwe,Flohr\n"),
            "to-pgn: players.csv:3: board 1025 stands in line 2",
        ),
        (
            Some("board,white,black\n1025,Tal,Keres\n1026,Euwe,Fl"),
            "export-round: players.csv: its last line has no end",
        ),
        (None, "to-pgn: players.csv: No such file or directory"),
    ] {
        match wrong {
            Some(wrong) => fs::write(path("players.csv"), wrong).unwrap(),
            None => fs::remove_file(path("players.csv")).unwrap(),
        }
        let (code, said, pgn) = run();
        assert_eq!((code, said.lines().count()), (Some(4), 1), "{said}");
        assert!(said.contains(why) && said.contains("; the names stay that it had at "), "{said}");
        assert_eq!(pgn, named, "{why}");
    }
    fs::write(path("players.csv"), "board,white,black\n1025,Tal,Keres\n1026,Euwe,Smyslov\n").unwrap();
    let (code, said, pgn) = run();
    assert_eq!((code, &*said, pgn), (Some(0), "", named.replace("Flohr", "Smyslov")));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("round3.jsonl"), "").unwrap();
    let run = |output: &str, tmp: &str| {
        let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
            .args(["round3.jsonl", output])
            .current_dir(folder.path())
            .env("BOARDBUS", PROGRAM)
            .env("TMPDIR", tmp)
            .output()
            .unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    // Not even root makes files there.
    let (said, code) = run("/proc/games.pgn", "/tmp");
    assert_eq!((said.lines().count(), code), (1, Some(5)), "{said}");
    assert!(said.starts_with("boardbus-export-round: cannot write in the folder /proc ("), "{said}");
    let (said, code) = run("games.pgn", "/proc");
    assert_eq!((said.lines().count(), code), (1, Some(5)), "{said}");
    assert!(said.starts_with("boardbus-export-round: no room for what is read in /proc ("), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no lock is left");
}

#[test]
fn locks_end_with_their_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("round3.jsonl"), "").unwrap();
    // A program that hangs, and says that it has begun.
    let program = path("hangs");
    fs::write(&program, format!("#!/bin/sh\n: >'{}'\nexec sleep 60\n", path("begun").display())).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
        .args(["round3.jsonl", "games.pgn"])
        .current_dir(folder.path())
        .env("BOARDBUS", &program)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    super::hall::wait(|| path("begun").exists());
    let lock = fs::File::open(path(".games.pgn.lock")).unwrap();
    let take = || rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    assert!(take().is_err(), "it holds the lock while it works");
    script.kill().unwrap();
    script.wait().unwrap();
    take().unwrap();
}

#[test]
fn journals_are_not_replaced_and_odd_names_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let run = |journal: &str, output: &str| {
        Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/boardbus-export-round"))
            .args([journal, output])
            .current_dir(folder.path())
            .env("BOARDBUS", PROGRAM)
            .env("TMPDIR", folder.path().join("t'm $p\" x"))
            .output()
            .unwrap()
    };
    let whole = journal("2026-11-21T10:00:00Z".parse().unwrap());
    let odd = "a 'b' \"c\" $d.jsonl";
    fs::create_dir(folder.path().join("t'm $p\" x")).unwrap();
    fs::write(folder.path().join(odd), &whole).unwrap();
    std::os::unix::fs::symlink(odd, folder.path().join("link")).unwrap();
    for output in [odd, "link"] {
        let refused = run(odd, output);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            String::from_utf8(refused.stderr).unwrap().contains("is the journal, which would be replaced")
        );
    }
    assert_eq!(fs::read_to_string(folder.path().join(odd)).unwrap(), whole);
    let output = run(odd, "-x 'y' $z.pgn");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(folder.path().join("-x 'y' $z.pgn")).unwrap().contains("1. e4"));
    assert_eq!(fs::read_dir(folder.path().join("t'm $p\" x")).unwrap().count(), 0);
}

#[test]
fn wrong_pairings_leave_the_file_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("round3.jsonl", &journal("2026-11-21T10:00:00Z".parse().unwrap()));
    write("p.txt", "Nr;Name;EloInt;Nachname;Vorname\n1;A;1;A;\n2;B;1;B;\n3;C;1;C;\n4;D;1;D;\n");
    let draw = "Runde;Brett;NrW;NrS;ErgW;ErgS;Kontumaz;Erg\n3;1;1;2;0;0;;0:0\n3;2;3;4;0;0;;0:0\n";
    write("d.txt", draw);
    let pairings = ["--pairings", "p.txt", "d.txt", "--boards", "1025-1026"];
    let output = export(folder.path(), &pairings);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let before = games(folder.path());
    assert!(before.0.contains("[White \"C\"]\n[Black \"D\"]"), "{}", before.0);
    write("d.txt", &draw.replace("3;4", "3;7"));
    let output = export(folder.path(), &pairings);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("d.txt:3: starting number 7 is not among the players"), "{said}");
    assert!(said.contains("games.pgn is left as it is"), "{said}");
    assert_eq!(games(folder.path()), before);
}

#[test]
fn results_are_exported_when_pieces_are_put_away() {
    let folder = tempfile::tempdir().unwrap();
    let now = Timestamp::now();
    let record = |seconds: i64, rest: &str| {
        let time = now - SignedDuration::from_secs(seconds);
        format!("{{\"time\":\"{time:.3}\",\"board\":1025,{rest}}}\n")
    };
    let change = |seconds, square: &str, piece: &str| {
        record(seconds, &format!(r#""type":"change","square":"{square}","piece":{piece}"#))
    };
    let start = r#""type":"position","placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR""#;
    let rests = |seconds| record(seconds, r#""type":"quiet""#);
    // 1. e4, and kings on e4 and d5, where White has won.
    let mut journal = record(200, start)
        + &change(100, "e2", "null")
        + &change(100, "e4", "\"P\"")
        + &rests(95)
        + &change(40, "e4", "null")
        + &change(40, "e1", "null")
        + &change(40, "e4", "\"K\"")
        + &change(38, "e8", "null")
        + &change(38, "d5", "\"k\"")
        + &rests(35)
        + &rests(15);
    let exported = |journal: &str| {
        fs::write(folder.path().join("round3.jsonl"), journal).unwrap();
        let output = export(folder.path(), &["--results", "settled"]);
        assert!(output.status.success(), "{output:?}");
        games(folder.path()).0
    };
    assert!(exported(&journal).contains("1. e4 *"));
    for file in 'a'..='h' {
        journal += &[1, 2, 8].map(|rank| change(10, &format!("{file}{rank}"), "null")).concat();
    }
    journal += &rests(5);
    assert!(exported(&journal).contains("1. e4 1-0"));
}
