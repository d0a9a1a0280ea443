//! The recipes of `boardbus-round(7)`, run by the shell as they stand there, so that none grows old.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{
    hall,
    program::{is_asleep, output_of, records, run},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// What is played on boards 1025 and 1026.
const GAMES: &str = "[White \"Morphy, Paul\"]\n[Black \"Duke\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 1-0\n\n\
                     [White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Result \"*\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 *\n";
const PLAYED: [(u16, &str); 2] =
    [(1025, "1. e4 e5 2. Nf3 d6 3. d4 Bg4"), (1026, "1. e4 e5 2. f4 exf4 3. Bc4")];

/// The guide to a round as its readers see it: roff's escapes resolved, its requests left in.
fn guide() -> String {
    let page = fs::read_to_string(Path::new(ROOT).join("man/boardbus-round.7")).unwrap();
    let escapes = [("\\-", "-"), ("\\(aq", "'"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(ga", "`")];
    let escapes = escapes.into_iter().chain([("\\[u2026]", "…"), ("\\fB", ""), ("\\fR", ""), ("\\e", "\\")]);
    escapes.fold(page, |page, (escape, character)| page.replace(escape, character))
}

/// The lines of shell after the paragraph of the guide that begins so.
fn recipe(introduction: &str) -> String {
    let guide = guide();
    let (_, after) =
        guide.split_once(&format!("\n{introduction}")).unwrap_or_else(|| panic!("{introduction}"));
    let (_, lines) = after.split_once("\n.EX\n").unwrap();
    lines.split("\n.EE\n").next().unwrap().to_owned()
}

/// Whether jq is there; that it is not is said.
fn has_jq() -> bool {
    let there = Command::new("jq").arg("--version").output().is_ok();
    if !there {
        eprintln!("SKIPPED: jq is not installed (on Debian: apt-get install jq)");
    }
    there
}

/// A folder with the journal of a round, in which `boardbus watch` tells what stands there, for it has no boards.
struct Hall(tempfile::TempDir);

impl Hall {
    fn new() -> Hall {
        let hall = Hall(tempfile::tempdir().unwrap());
        fs::write(hall.path("games.pgn"), GAMES).unwrap();
        let games = hall.path("games.pgn").display().to_string();
        let told = output_of(
            &["simulate", "--pgn", &games, "--records", "--hands", "clean", "--ending", "kings"],
            "",
        );
        fs::write(hall.path("round3.jsonl"), told).unwrap();
        fs::create_dir(hall.path("bin")).unwrap();
        let program = env!("CARGO_BIN_EXE_boardbus");
        let script = format!(
            "#!/bin/sh\ncase $1 in watch) exec cat round3.jsonl ;; *) exec '{program}' \"$@\" ;; esac\n"
        );
        fs::write(hall.path("bin/boardbus"), script).unwrap();
        fs::set_permissions(hall.path("bin/boardbus"), fs::Permissions::from_mode(0o755)).unwrap();
        hall
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn bash(&self, recipe: &str) -> Command {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-uo", "pipefail", "-c", recipe]).current_dir(self.0.path()).env("PATH", path);
        bash
    }

    /// A recipe that goes on for ever, with what it prints in a file that it goes on with when it is started again.
    fn start(&self, recipe: &str) -> Running {
        let printed = File::options().append(true).create(true).open(self.path("printed")).unwrap();
        let mut bash = self.bash(recipe);
        Running(bash.process_group(0).stdin(Stdio::null()).stdout(printed).spawn().unwrap())
    }

    /// What bash says to a recipe; it ends well and complains of nothing.
    fn run(&self, recipe: &str) -> String {
        let output = self.bash(recipe).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.is_empty(), "{recipe}\n{said}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// All of a recipe that goes on for ever.
struct Running(Child);

impl Running {
    /// Whether its program has read all there was, and waits for more.
    fn has_read(&self) -> bool {
        let program = Path::new(env!("CARGO_BIN_EXE_boardbus")).canonicalize().unwrap();
        let group = self.0.id().to_string();
        let is_of_group = |pid: i32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // Behind the name: the state, the parent, the group.
            stat.rsplit(") ").next().and_then(|stat| stat.split(' ').nth(2)) == Some(&group)
        };
        let is_program = |pid: i32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program);
        let names = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
        let mut processes = names.filter_map(|name| name.to_str()?.parse::<i32>().ok());
        processes.any(|pid| is_program(pid) && is_of_group(pid) && is_asleep(pid) && is_asleep(pid))
    }

    /// Ends all of it as nothing can mind it.
    fn kill(self) {}
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}

/// The moves that stand in PGN, without its tags, clocks and results.
fn moves(pgn: &str) -> Vec<String> {
    let games = pgn.split("[Event ").skip(1);
    let text = |game: &str| {
        let (_, text) = game.split_once("\n\n").unwrap();
        let mut words: Vec<&str> = Vec::new();
        let mut comment = false;
        for word in text.split_whitespace() {
            comment |= word.starts_with('{');
            if !comment && !["1-0", "*"].contains(&word) && !word.ends_with("...") {
                words.push(word);
            }
            comment &= !word.ends_with('}');
        }
        words.join(" ")
    };
    games.map(text).collect()
}

#[test]
fn faults_are_tried_without_boards_including_dying_squares() {
    let tried = recipe("Most of these can be tried without boards");
    let (tried, checked) = tried.split_once(" | boardbus check ").unwrap();
    let tried = tried.strip_prefix("boardbus simulate ").unwrap();
    let tried: Vec<&str> = tried.split_whitespace().collect();
    for fault in ["flicker=1027:e4", "dying-square=1027:e4"] {
        let of_this =
            |word: &&str| if word.starts_with("flicker=") { fault.into() } else { (*word).to_owned() };
        let mut simulate = assert_cmd::cargo::cargo_bin_cmd!("boardbus");
        simulate.arg("simulate").args(tried.iter().map(of_this)).current_dir(ROOT);
        let told = simulate.assert().success().get_output().stdout.clone();
        let (found, said, _) = run(&[&["check"], &checked.split(' ').collect::<Vec<_>>()[..]].concat(), told);
        // Below the table a finding has the board's number and, behind two blanks, what is wrong with it.
        let of_board = |line: &str| line.strip_prefix(" 1027  ").is_some_and(|what| !what.starts_with(' '));
        assert!(found.lines().any(of_board) && said.is_empty(), "{fault}: {said}{found}");
    }
}

#[test]
fn moves_are_passed_to_a_command_during_the_round() {
    if !has_jq() {
        return;
    }
    let hall = Hall::new();
    fs::remove_file(hall.path("games.pgn")).unwrap();
    let said = hall.run(&recipe("Something of your own at each move"));
    for (board, played) in PLAYED {
        let played = played.split(' ').filter(|word| !word.ends_with('.'));
        let expected: Vec<String> =
            (1..).zip(played).map(|(ply, san)| format!("board {board}, ply {ply}: {san}")).collect();
        let of_board = format!("board {board},");
        let mut told: Vec<&str> = Vec::new();
        // A ply is told again with its clock.
        said.lines().filter(|line| line.starts_with(&of_board)).for_each(|line| {
            if !told.contains(&line) {
                told.push(line);
            }
        });
        assert_eq!(told, expected, "{said}");
    }
    assert_eq!(moves(&hall.read("games.pgn")), PLAYED.map(|(_, moves)| moves), "written beside it");
}

#[test]
fn ended_pipe_branches_leave_the_others_running() {
    if !has_jq() {
        return;
    }
    let hall = Hall::new();
    // More than a pipe holds: what nobody reads is noticed.
    let games = fs::read_to_string(Path::new(ROOT).join("scripts/demo-games.pgn")).unwrap() + "\n";
    fs::write(hall.path("games.pgn"), games.repeat(9)).unwrap();
    let games = hall.path("games.pgn").display().to_string();
    let told = output_of(&["simulate", "--pgn", &games, "--records", "--hands", "clean"], "");
    fs::write(hall.path("round3.jsonl"), told).unwrap();
    let recipe = recipe("Something of your own at each move");
    let whole = hall.run(&recipe);
    assert!(whole.len() > 3 << 15, "{}", whole.len());
    let program = fs::read_to_string(hall.path("bin/boardbus")).unwrap();
    fs::write(hall.path("bin/boardbus"), program.replace("case $1 in", "case $1 in to-pgn) exit 0 ;;"))
        .unwrap();
    assert!(hall.run(&recipe) == whole, "it ended with the branch that writes games.pgn");
}

#[test]
fn results_are_written_while_the_round_is_played() {
    let hall = Hall::new();
    let players = "Nr;Name;EloInt;Nachname;Vorname\n1;A;1;A;\n2;B;1;B;\n3;C;1;C;\n4;D;1;D;\n";
    let draw = "Runde;Brett;NrW;NrS;ErgW;ErgS;Kontumaz;Erg\n3;1;1;2;0;0;;0:0\n3;2;3;4;0;0;;0:0\n";
    fs::write(hall.path("Spielerdaten.txt"), players).unwrap();
    fs::write(hall.path("Spielerauslosung.txt"), draw).unwrap();
    let running = hall.start(&recipe("After each result, while the round is played"));
    hall::wait(|| fs::read_to_string(hall.path("results.txt")).is_ok_and(|text| text == draw));
    let mut rulings = File::options().append(true).open(hall.path("rulings.jsonl")).unwrap();
    let mut rule = |board: u16, result: &str| {
        let ruled = format!("{{\"type\":\"ruling\",\"board\":{board},\"game\":1,\"result\":\"{result}\"}}\n");
        rulings.write_all(ruled.as_bytes()).unwrap();
    };
    rule(1025, "1-0");
    let first = draw.replace("1;2;0;0;;0:0", "1;2;1;0;;1:0");
    hall::wait(|| hall.read("results.txt") == first);
    rule(1026, "0-1");
    let second = first.replace("3;4;0;0;;0:0", "3;4;0;1;;0:1");
    hall::wait(|| hall.read("results.txt") == second);
    running.kill();
}

#[test]
fn recommended_pipes_survive_the_end_of_a_branch() {
    let folders = ["man", "man/notes", "man/scripts", "scripts"]
        .map(|folder| fs::read_dir(Path::new(ROOT).join(folder)).unwrap());
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut found = 0;
    for file in files.chain([Path::new(ROOT).join("README.md")]).filter(|file| file.is_file()) {
        let text = fs::read_to_string(&file).unwrap_or_default().replace("\\-", "-");
        for line in text.lines() {
            for (at, _) in line.match_indices("tee ") {
                let options = line[at + 4..].split_whitespace().next().unwrap_or_default();
                // A pipe of boardbus, or a branch: what is no pipe of ours may end as it likes.
                if line[at..].contains(">(") || line[at..].contains("jsonl") {
                    found += 1;
                    assert!(options.starts_with('-') && options.contains('p'), "{}: {line}", file.display());
                }
            }
        }
    }
    assert!(found >= 5, "{found}");
}

/// What the recipes print of each `move` record in what is told of a journal, but of those that are only told because it ended.
fn handed_over(journal: &str) -> Vec<String> {
    let mut run = String::new();
    let mut lines = Vec::new();
    for record in records(output_of(&["reconstruct"], journal)) {
        match record["type"].as_str() {
            Some("stream") => run = record["run"].as_str().unwrap().to_owned(),
            Some("move") if !run.contains("-ended-") => {
                lines.push(format!(
                    "board {}, ply {}: {}",
                    record["board"],
                    record["ply"],
                    record["san"].as_str().unwrap()
                ));
            }
            _ => {}
        }
    }
    lines
}

/// A round whose journal grows while a recipe is killed and started again.
struct Growing {
    hall: Hall,
    whole: String,
    /// What a recipe is started with, goes on with, finds when it is started again, and goes on with then: so many bytes.
    parts: [usize; 4],
}

impl Growing {
    fn new() -> Growing {
        let hall = Hall::new();
        let whole = hall.read("round3.jsonl");
        let lines: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
        let parts = [lines.len() * 3 / 8, lines.len() * 5 / 8, lines.len() * 6 / 8, lines.len()]
            .map(|n| lines[n - 1]);
        let of = parts.map(|part| handed_over(&whole[..part]).len());
        assert!(0 < of[0] && of.is_sorted_by(|a, b| a < b), "{of:?}: something new each time");
        fs::write(hall.path("round3.jsonl"), &whole[..parts[0]]).unwrap();
        Growing { hall, whole, parts }
    }

    /// The journal grows by this part.
    fn grow(&self, part: usize) {
        let mut journal = File::options().append(true).open(self.hall.path("round3.jsonl")).unwrap();
        journal.write_all(&self.whole.as_bytes()[self.parts[part - 1]..self.parts[part]]).unwrap();
    }

    /// What is handed over of the journal as far as this part.
    fn as_far_as(&self, part: usize) -> Vec<String> {
        handed_over(&self.whole[..self.parts[part]])
    }

    /// Waits until so much has been printed, and noted where the recipe does so.
    fn printed(&self, lines: usize) {
        let noted = |name: &str| fs::read_to_string(self.hall.path(name)).unwrap_or_default();
        hall::wait(|| noted("printed").lines().count() >= lines && !self.hall.path("handled.new").exists());
    }
}

#[test]
fn a_restarted_recipe_with_new_passes_only_later_records() {
    if !has_jq() {
        return;
    }
    let round = Growing::new();
    let recipe = recipe("When that line is started again");
    let mut expected = Vec::new();
    for (found, added) in [(0, 1), (2, 3)] {
        let running = round.hall.start(&recipe);
        hall::wait(|| running.has_read());
        round.grow(added);
        expected.extend(round.as_far_as(added).split_off(round.as_far_as(found).len()));
        round.printed(expected.len());
        running.kill();
        if added == 1 {
            round.grow(2);
        }
    }
    assert_eq!(round.hall.read("printed").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn recipes_that_note_progress_handle_records_exactly_once() {
    if !has_jq() {
        return;
    }
    let round = Growing::new();
    let recipe = recipe("Moves that were recorded while that line did not run");
    let running = round.hall.start(&recipe);
    round.printed(round.as_far_as(0).len());
    round.grow(1);
    round.printed(round.as_far_as(1).len());
    running.kill();
    // Played between the two.
    round.grow(2);
    let running = round.hall.start(&recipe);
    round.printed(round.as_far_as(2).len());
    round.grow(3);
    round.printed(round.as_far_as(3).len());
    running.kill();
    assert_eq!(round.hall.read("printed").lines().collect::<Vec<_>>(), round.as_far_as(3));
}

#[test]
fn games_of_one_board_or_player_are_extracted() {
    if !has_jq() {
        return;
    }
    let hall = Hall::new();
    assert_eq!(moves(&hall.run(&recipe("One board's game:"))), [PLAYED[0].1]);
    let pgn = hall.run(&recipe("The games of one player, whole"));
    assert!(pgn.contains("[White \"Morphy, Paul\"]") && pgn.contains("Bg4 1-0"), "{pgn}");
    assert_eq!(moves(&pgn), [PLAYED[0].1]);
}

#[test]
fn files_of_games_are_joined_and_split() {
    if !has_jq() {
        return;
    }
    let hall = Hall::new();
    fs::write(hall.path("round1.pgn"), GAMES).unwrap();
    fs::write(hall.path("round2.pgn"), "1. c4 *\n").unwrap();
    hall.run(&recipe("Files of games joined, and a file for each game"));
    assert_eq!(moves(&hall.read("all.pgn")), [PLAYED[0].1, PLAYED[1].1, "1. c4"]);
    for (board, played) in PLAYED {
        for name in [format!("rounds/round-1/game-{board}.pgn"), format!("board-{board}.pgn")] {
            assert_eq!(moves(&hall.read(&name)), [played], "{name}");
        }
    }
}

/// What the examples of the pages pipe into jq, by command.
fn examples_with_jq() -> Vec<(String, String)> {
    let pages = fs::read_dir(Path::new(ROOT).join("man")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "1"));
    let mut examples = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page)
            .unwrap()
            .replace("\\-", "-")
            .replace("\\(aq", "'")
            .replace("\\(dq", "\"");
        for line in text.lines() {
            if let Some((program, filter)) = line.split_once(" | jq ") {
                let command = program.split_whitespace().nth(1).unwrap().to_owned();
                examples.push((command, format!("jq {filter}")));
            }
        }
    }
    examples
}

#[test]
fn jq_examples_print_values_without_null() {
    if !has_jq() {
        return;
    }
    let round = Hall::new();
    let journal = round.path("round3.jsonl").display().to_string();
    let line = hall::Hall::open(&["--boards", "2", "--wire-speed", "0"]);
    let of_line = |command: &str| {
        let output = line.command(command).args(["--format", "json"]).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let mut seen = Vec::new();
    for (command, filter) in examples_with_jq() {
        let records = match &*command {
            "discover" | "dump" => of_line(&command),
            "from-pgn" => output_of(&["from-pgn"], GAMES),
            "reconstruct" => output_of(&["reconstruct", "--final", &journal], ""),
            "check" => {
                r#"{"type":"finding","kind":"dead-square","board":1027,"square":"e4","count":1,"advice":"a"}"#
                    .into()
            }
            "schema" => output_of(&["schema"], ""),
            other => panic!("{other}: an example with jq of which this test knows no records"),
        };
        fs::write(round.path("records"), records).unwrap();
        let printed = round.run(&format!("{filter} < records"));
        assert!(!printed.trim().is_empty() && !printed.contains("null"), "{command} | {filter}: {printed}");
        seen.push(command);
    }
    for command in ["discover", "dump", "from-pgn", "reconstruct", "check"] {
        assert!(seen.iter().any(|known| known == command), "{command}: {seen:?}");
    }
}
