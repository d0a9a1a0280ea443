//! Pairings that change while commands run: another roster is taken, a bad one is reported and changes nothing.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use super::{hall::wait, terminal::Terminal};

/// The records of two games that begin on this board, the first of which is over.
fn games(board: u16) -> String {
    let record = |kind: &str, game: u32, minute: u32, rest: &str| {
        format!(
            "{{\"type\":\"{kind}\",\"time\":\"2026-11-21T10:{minute:02}:00.000Z\",\"board\":{board},\"game\":{game},{rest}}}\n"
        )
    };
    let start = "\"rules\":\"chess\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    let e4 = "\"ply\":1,\"san\":\"e4\",\"uci\":\"e2e4\",\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"";
    [
        record("game", 1, 0, start),
        record("move", 1, 1, e4),
        record("end", 1, 2, "\"result\":\"1-0\",\"reason\":\"kings\""),
        record("game", 2, 3, start),
        record("move", 2, 4, e4),
    ]
    .concat()
}

/// A writer that reads from a pipe, and a roster beside its output.
struct Writing {
    folder: tempfile::TempDir,
    child: Child,
}

impl Writing {
    /// It has written this of two boards, by this roster.
    fn new(args: &[&str], roster: &str) -> Writing {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("players.csv"), roster).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardbus"));
        command.args(args).args(["--roster", "players.csv"]).current_dir(folder.path());
        command.stdin(Stdio::piped()).stderr(File::create(folder.path().join("said")).unwrap());
        let mut child = command.spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all((games(1025) + &games(1026)).as_bytes()).unwrap();
        Writing { folder, child }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A file holds all of this, and none of that.
    fn shows(&self, name: &str, what: &[&str], not: &[&str]) {
        wait(|| {
            let text = self.read(name);
            what.iter().all(|what| text.contains(what)) && !not.iter().any(|what| text.contains(what))
        });
    }

    fn says(&self, what: &str) {
        wait(|| self.read("said").contains(what));
    }

    /// Puts another roster in the place of this one, as careful programs do.
    fn renames(&self, roster: &str) {
        fs::write(self.path("new"), roster).unwrap();
        fs::rename(self.path("new"), self.path("players.csv")).unwrap();
    }

    /// The input ends: the exit code, and what was said.
    fn ends(&mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        let code = self.child.wait().unwrap().code();
        (code, self.read("said"))
    }
}

const ROSTER: &str = "board,table,white,black\n1025,1,Tal,Botvinnik\n1026,2,Euwe,Aljechin\n";

/// The GameIds that stand in a text, in its order.
fn ids(pgn: &str) -> Vec<&str> {
    pgn.lines().filter(|line| line.starts_with("[GameId ")).collect()
}

#[test]
fn tables_without_a_game_follow_a_roster_too() {
    let args = ["to-pgn", "--round", "3", "--event", "Open", "-o", "games.pgn"];
    let mut writing =
        Writing::new(&args, &format!("{ROSTER}1027,3,Fischer,Spasski\n1028,4,Keres,Bronstein\n"));
    writing.shows(
        "games.pgn",
        &["Tal", "Fischer", "Keres", "GameId \"open.3.2\"", "GameId \"open.3.3\""],
        &[],
    );
    // Another player, a table that is not played, one that is added.
    writing.renames(&format!("{ROSTER}1027,3,Karpov,Spasski\n1029,5,Smyslov,Stein\n"));
    writing.shows("games.pgn", &["Karpov", "Smyslov", "GameId \"open.3.5\""], &["Fischer", "Keres"]);
    let ids = ["open.3.1", "open.3.2", "open.3.3", "open.3.5", "open.3.1-2", "open.3.2-2"];
    let ids = ids.map(|id| format!("[GameId \"{id}\"]"));
    assert_eq!(self::ids(&writing.read("games.pgn")), ids);
    assert_eq!(writing.ends().0, Some(0));
}

#[test]
fn a_table_with_an_occupied_id_gets_another() {
    let args = ["to-pgn", "--round", "3", "--event", "Open", "-o", "games.pgn"];
    let mut writing = Writing::new(&args, &format!("{ROSTER}1027,3,Fischer,Spasski\n"));
    writing.shows("games.pgn", &["Fischer", "GameId \"open.3.3\""], &[]);
    // The addresses of two tables were exchanged, which is found when one has begun.
    writing.renames(
        "board,table,white,black\n1025,1,Tal,Botvinnik\n1026,3,Fischer,Spasski\n1027,2,Euwe,Aljechin\n",
    );
    writing.shows("games.pgn", &["[Board \"2\"]\n[GameId"], &["GameId \"open.3.3\""]);
    let first = ["open.3.1", "open.3.2", "open.3.2-3"];
    let second = ["open.3.1-2", "open.3.2-2"];
    let lines = |ids: &[&str]| ids.iter().map(|id| format!("[GameId \"{id}\"]")).collect::<Vec<_>>();
    let expected = lines(&[&first[..], &second].concat());
    assert_eq!(ids(&writing.read("games.pgn")), expected);
    writing.child.stdin.as_mut().unwrap().write_all(games(1027).as_bytes()).unwrap();
    writing.shows(
        "games.pgn",
        &["open.3.2-3", "[Date \"2026.11.21\"]\n[Round \"3\"]\n[White \"Euwe\"]"],
        &[],
    );
    wait(|| ids(&writing.read("games.pgn")).len() == 6);
    assert_eq!(ids(&writing.read("games.pgn"))[..3], lines(&first));
    assert_eq!(writing.ends().0, Some(0));
}

#[test]
fn pgn_follows_rosters_and_keeps_the_last_good() {
    let mut writing = Writing::new(&["to-pgn", "--round", "3", "-o", "games.pgn"], ROSTER);
    writing.shows("games.pgn", &["Tal", "Euwe", "GameId \"1026-20261121T100300"], &[]);
    let before = writing.read("games.pgn");
    writing.renames("board,white,black,white_elo\n1025,Tal,Botvinnik,2700\n1026,Petrosjan,Aljechin,\n");
    writing.shows(
        "games.pgn",
        &["Petrosjan", "[WhiteElo \"2700\"]", "[Board \"1026\"]"],
        &["Euwe", "[Board \"2\"]"],
    );
    let after = writing.read("games.pgn");
    assert_eq!(ids(&before), ids(&after));
    assert_eq!(ids(&after).len(), 4);
    // Half written, with a board twice, without a heading, empty, gone: the names stay, and each is reported once.
    for (bad, said) in [
        (
            "board,white,black\n1025,Tal,Botvinnik\n1026,Pe",
            "players.csv:3: 2 fields under a header of 3; the names read",
        ),
        (
            "board,white,black\n1025,Tal,Botvinnik\n1026,Petrosjan,Alj",
            "players.csv: its last line has no end",
        ),
        (
            "board,white,black\n1025,A,B\n1025,C,D\n",
            "players.csv:3: board 1025 stands in line 2 already; the",
        ),
        ("board,white\n1025,A\n", "players.csv:1: no heading `black`"),
        ("", "players.csv:1: no board stands here"),
    ] {
        // In place, as other programs do.
        fs::write(writing.path("players.csv"), bad).unwrap();
        writing.says(said);
    }
    fs::remove_file(writing.path("players.csv")).unwrap();
    writing.says("players.csv: No such file or directory (os error 2); the names read before stay");
    assert_eq!(writing.read("games.pgn"), after);
    // A link that leads elsewhere from now on.
    fs::write(writing.path("round4.csv"), "board,white,black\n1026,Keres,Smyslov\n1099,A,B\n").unwrap();
    symlink("round4.csv", writing.path("players.csv")).unwrap();
    writing.shows("games.pgn", &["Keres", "[White \"?\"]"], &["Petrosjan", "Tal"]);
    assert_eq!(ids(&writing.read("games.pgn")), ids(&before));
    let (code, said) = writing.ends();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("; the names read before stay").count(), 6, "{said}");
    assert_eq!(said.matches("players.csv was read again, for it has changed").count(), 2, "{said}");
    assert!(said.contains("there are games and no names of 1025, names and no game of 1099: is"), "{said}");
    assert_eq!(
        said.matches(": games that are over on 1026 have other players now, both of them: if").count(),
        1,
        "{said}"
    );
}

#[test]
fn a_roster_counts_as_it_is_at_the_end() {
    let mut writing = Writing::new(&["to-pgn", "-o", "games.pgn"], "board,white,black\n1025,Tal\n");
    writing.says("players.csv:2: 2 fields under a header of 3; no name is taken from it");
    writing.shows("games.pgn", &["[White \"?\"]"], &["Tal"]);
    writing.renames(ROSTER);
    let (code, said) = writing.ends();
    assert_eq!((code, said.lines().count()), (Some(0), 2), "{said}");
    writing.shows("games.pgn", &["Tal", "Euwe"], &["\"?\"]\n[Result"]);

    let mut writing = Writing::new(&["to-pgn", "-o", "games.pgn"], ROSTER);
    writing.shows("games.pgn", &["Tal"], &[]);
    writing.renames("board,white,black\n1025,A,B,C\n");
    let (code, said) = writing.ends();
    assert_eq!((code, said.lines().count()), (Some(4), 1), "{said}");
    writing.shows("games.pgn", &["Tal"], &["\"A\""]);
}

#[test]
fn moved_games_leave_no_file_at_their_old_place() {
    let mut writing =
        Writing::new(&["to-pgn", "--split", "web"], "board,round,table,white,black\n1025,3,1,Tal,Keres\n");
    writing.shows("web/round-3/game-1.pgn", &["Tal", "Round \"3\"", "GameId \"1025-20261121T100300"], &[]);
    let before = writing.read("web/round-3/game-1.pgn");
    let files = || {
        let rounds = fs::read_dir(writing.path("web")).unwrap().map(|round| round.unwrap().path());
        let mut files: Vec<String> = rounds
            .flat_map(|round| fs::read_dir(round).unwrap())
            .map(|file| {
                file.unwrap().path().strip_prefix(writing.folder.path()).unwrap().display().to_string()
            })
            .filter(|file| !file.ends_with(".tmp"))
            .collect();
        files.sort();
        files
    };
    writing.renames("board,round,table,white,black\n1025,3,7,Tal,Keres\n");
    wait(|| !files().contains(&"web/round-3/game-1.pgn".to_owned()));
    writing.shows("web/round-3/game-7.pgn", &["Tal", "[Board \"7\"]"], &[]);
    assert_eq!(ids(&before), ids(&writing.read("web/round-3/game-7.pgn")));
    writing.renames("board,round,table,white,black\n1025,4,7,Tal,Keres\n1026,4,1,A,B\n");
    let both = ["web/round-4/game-1.pgn", "web/round-4/game-7.pgn", "web/round-4/games.pgn"];
    wait(|| files() == both);
    assert_eq!(writing.ends().0, Some(0));
}

#[test]
fn a_roster_from_a_pipe_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "{} to-pgn --roster <(printf 'board,white,black\\n1025,Tal,Keres\\n') -o games.pgn games.jsonl",
        env!("CARGO_BIN_EXE_boardbus")
    );
    fs::write(folder.path().join("games.jsonl"), games(1025)).unwrap();
    let done = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert_eq!((done.status.code(), &*done.stderr), (Some(0), &b""[..]));
    assert!(fs::read_to_string(folder.path().join("games.pgn")).unwrap().contains("Keres"));
}

/// What a file of the site holds.
fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn pages_follow_rosters_including_finished_games() {
    let args = ["to-html", "--event", "Open", "--delay", "1s", "-o", "pages"];
    let mut writing =
        Writing::new(&args, "board,round,white,black\n1025,3,Tal,Botvinnik\n1026,3,Euwe,Aljechin\n");
    writing.shows("pages/index.html", &["Tal", "Euwe", "Open, round 3"], &[]);
    // The last of a site's files to be written.
    let version = |writing: &Writing| {
        let live = serde_json::from_str::<Value>(&writing.read("pages/live.json")).ok()?;
        live["version"].as_u64()
    };
    wait(|| version(&writing).is_some());
    let pages = ["1025-1", "1025-2", "1026-1", "1026-2"].map(|id| format!("pages/game-{id}"));
    let of = |writing: &Writing| {
        pages.each_ref().map(|page| {
            let game = json(&writing.path(&format!("{page}.json")));
            let tag =
                |name: &str| game["tags"].as_array().unwrap().iter().find(|tag| tag[0] == name).cloned();
            (tag("GameId"), game["version"].as_u64(), game["moves"].as_array().unwrap().len())
        })
    };
    let before = of(&writing);
    let before_change = version(&writing);
    writing.renames("board,round,white,black\n1025,4,Tal,Botvinnik\n1026,4,Petrosjan,Aljechin\n");
    writing.shows("pages/index.html", &["Tal", "Petrosjan", "Open, round 4"], &["Euwe", "round 3"]);
    for page in &pages[2..] {
        writing.shows(&format!("{page}.html"), &["Petrosjan"], &["Euwe"]);
    }
    writing.shows("pages/games.pgn", &["Petrosjan"], &["Euwe"]);
    wait(|| version(&writing) > before_change);
    let after = of(&writing);
    for ((id, version, moves), (id_now, version_now, moves_now)) in before.into_iter().zip(after) {
        assert!(id.is_some() && version_now > version, "{version_now:?}");
        assert_eq!((id, moves, 1), (id_now, moves_now, moves));
    }
    assert_eq!(writing.ends().0, Some(0));
    writing.shows("pages/games.pgn", &["Petrosjan", "1. e4 1-0"], &["Euwe"]);
}

#[test]
fn a_screen_follows_a_roster() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).display().to_string()
    };
    let (records, roster) = (path("games.jsonl", &games(1025)), path("players.csv", ROSTER));
    for more in [&["--follow"][..], &["--speed", "1000"], &[]] {
        path("players.csv", ROSTER);
        let args = [&["show", &records, "--roster", &roster], more].concat();
        let mut terminal = Terminal::open(&args, (24, 80), false);
        terminal.shows(&["Tal", "Botvinnik"]);
        path("players.csv", &ROSTER.replace("Botvinnik", "Smyslov"));
        terminal.until("other names", |text| text.contains("Smyslov") && !text.contains("Botvinnik"));
        terminal.press("q");
    }
}
