//! The scripts of the project, as far as they can be run in a moment.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn install(arguments: &[String]) -> std::process::Output {
    // From another folder: the script finds its own.
    let dir = tempfile::tempdir().unwrap();
    let script = Path::new(ROOT).join("scripts/install");
    Command::new(script).args(arguments).current_dir(dir.path()).output().unwrap()
}

#[test]
fn install_uses_destdir_and_prefix() {
    let dir = tempfile::tempdir().unwrap();
    let destdir = format!("DESTDIR={}", dir.path().display());
    let program = format!("program={}", env!("CARGO_BIN_EXE_boardbus"));
    let output = install(&[destdir, "prefix=/opt/chess".into(), program]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let root = dir.path().join("opt/chess");
    let mode = |file: &str| {
        let path = root.join(file);
        fs::metadata(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).permissions().mode() & 0o777
    };
    for program in
        ["boardbus", "boardbus-case", "boardbus-export-round", "boardbus-push-lichess", "boardbus-rule"]
    {
        assert_eq!(mode(&format!("bin/{program}")), 0o755, "{program}");
    }
    for file in [
        "share/man/man1/boardbus.1",
        "share/man/man1/boardbus-watch.1",
        "share/man/man1/boardbus-case.1",
        "share/man/man5/boardbus-records.5",
        "share/man/man7/boardbus-round.7",
        "share/bash-completion/completions/boardbus",
        "share/zsh/site-functions/_boardbus",
        "share/fish/vendor_completions.d/boardbus.fish",
        "share/boardbus/event.conf",
        "lib/systemd/system/boardbus-export@.timer",
        "lib/systemd/system/boardbus-watch@.service",
        "lib/udev/rules.d/61-boardbus.rules",
        "lib/sysusers.d/boardbus.conf",
        "share/doc/boardbus/LICENSE",
    ] {
        assert_eq!(mode(file), 0o644, "{file}");
    }
    let version = Command::new(root.join("bin/boardbus")).arg("--version").output().unwrap();
    assert_eq!(version.stdout, format!("boardbus {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn adapters_are_named_after_their_complete_attributes() {
    // udev takes the rules of all folders in the order of their names; 60-serial.rules of systemd reads serial numbers and
    // sockets of adapters, and 77-mm-… of ModemManager is the first to look at what it is to keep away from.
    let names =
        fs::read_dir(Path::new(ROOT).join("scripts")).unwrap().map(|entry| entry.unwrap().file_name());
    let rules: Vec<String> =
        names.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".rules")).collect();
    assert_eq!(rules.len(), 1, "{rules:?}");
    assert!(("60-serial.rules".."77-mm-").contains(&rules[0].as_str()), "{rules:?}");
}

/// The rule of udev that the manual has for two adapters with the same serial number.
fn rule_of_the_manual() -> String {
    let page = fs::read_to_string(Path::new(ROOT).join("man/boardbus-watch.1")).unwrap();
    let rule =
        page.lines().find(|line| line.starts_with("SUBSYSTEM==\"tty\", ENV{ID_PATH_TAG}")).expect(&page);
    rule.replace("\\fI", "").replace("\\fR", "").replace("\\-", "-") + "\n"
}

/// The message for a hidraw device without permission names this section.
#[test]
fn the_manual_has_the_rule_for_hidraw_devices() {
    let page = fs::read_to_string(Path::new(ROOT).join("man/boardbus-watch.1")).unwrap();
    let (_, files) = page.split_once("\n.SH FILES\n").unwrap();
    let files = files.split("\n.SH ").next().unwrap();
    let manual = files.lines().find(|line| line.starts_with("SUBSYSTEM==\"hidraw\"")).expect(files);
    let installed = fs::read_to_string(Path::new(ROOT).join("scripts/61-boardbus.rules")).unwrap();
    let grants = |line: &&str| line.starts_with("SUBSYSTEM==\"hidraw\"") && line.contains("GROUP=");
    let installed = installed.lines().find(grants).unwrap();
    for part in manual.split(", ") {
        assert!(installed.split(", ").any(|other| other == part), "{part}: {installed}");
    }
}

#[test]
fn udev_accepts_the_rules_of_package_and_manual() {
    // The command is as new as systemd 254.
    let help = Command::new("udevadm").arg("--help").output();
    if !help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("verify")) {
        eprintln!(
            "SKIPPED: no udevadm here has the command verify (on Debian 13 and later: apt-get install udev)"
        );
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let halls = dir.path().join("62-halls.rules");
    fs::write(&halls, rule_of_the_manual()).unwrap();
    for rules in [Path::new(ROOT).join("scripts/61-boardbus.rules"), halls] {
        let verified = Command::new("udevadm").arg("verify").arg(&rules).output().unwrap();
        let said = [verified.stdout, verified.stderr].concat();
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&said));
    }
}

#[test]
fn systemd_understands_the_units() {
    let dir = tempfile::tempdir().unwrap();
    let prefix = format!("prefix={}", dir.path().display());
    let output = install(&[prefix, format!("program={}", env!("CARGO_BIN_EXE_boardbus"))]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let installed = |unit: &str| dir.path().join("lib/systemd/system").join(unit);
    for unit in [
        "boardbus-watch@.service",
        "boardbus-export@.service",
        "boardbus-export@.timer",
        "boardbus-page@.service",
        "boardbus-push@.service",
        "boardbus-results@.service",
        "boardbus-serve@.service",
    ] {
        let instance = installed(&unit.replace('@', "@A50285BI"));
        fs::copy(installed(unit), &instance).unwrap();
        let Ok(verified) =
            Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&instance).output()
        else {
            eprintln!("SKIPPED: systemd-analyze is not installed (on Debian: apt-get install systemd)");
            return;
        };
        let said = String::from_utf8_lossy(&verified.stderr);
        assert!(verified.status.success() && !said.contains("boardbus"), "{unit}: {said}");
    }
}

#[test]
fn prefix_installs_find_their_program_without_path() {
    let dir = tempfile::tempdir().unwrap();
    let prefix = format!("prefix={}", dir.path().join("chess").display());
    let output = install(&[prefix, format!("program={}", env!("CARGO_BIN_EXE_boardbus"))]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let script = dir.path().join("chess/bin/boardbus-export-round");
    // The unit names that very script.
    let unit = dir.path().join("chess/lib/systemd/system/boardbus-export@.service");
    let unit = fs::read_to_string(unit).unwrap();
    assert!(unit.contains(&format!("\nExecStart={} ${{JOURNAL}} ", script.display())), "{unit}");
    let journal = dir.path().join("round.jsonl");
    let records = Command::new(env!("CARGO_BIN_EXE_boardbus"))
        .args(["simulate", "--records", "--boards", "1", "--pgn"])
        .arg(Path::new(ROOT).join("scripts/demo-games.pgn"))
        .output()
        .unwrap();
    fs::write(&journal, records.stdout).unwrap();
    // As cron and systemd would run it.
    let output = Command::new(&script)
        .args([&journal, &dir.path().join("games.pgn")])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(fs::read_to_string(dir.path().join("games.pgn")).unwrap().starts_with("[Event "));
}

/// All files below a folder that have something in them, by their paths in it.
fn files_below(folder: &Path) -> Vec<(String, String)> {
    let output = Command::new("find").arg(folder).args(["-type", "f"]).output().unwrap();
    let paths = String::from_utf8(output.stdout).unwrap();
    let read = |path: &str| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    paths.lines().map(|path| (path.replace(folder.to_str().unwrap(), ""), read(path))).collect()
}

#[test]
fn help_pages_and_units_name_their_install_prefix() {
    let dir = tempfile::tempdir().unwrap();
    let destdir = format!("DESTDIR={}", dir.path().display());
    let program = format!("program={}", env!("CARGO_BIN_EXE_boardbus"));
    assert!(install(&[destdir, "prefix=/opt/chess-club".into(), program]).status.success());
    let mut named = 0;
    for (path, text) in files_below(dir.path()).iter().filter(|(path, _)| !path.ends_with("bin/boardbus")) {
        assert!(!text.contains("/usr/local"), "{path}");
        named += usize::from(text.contains("/opt/chess-club/") || text.contains("/opt/chess\\-club/"));
    }
    // Units, their sample, pages and the help of a script.
    assert!(named >= 8, "{named}");
}

#[test]
fn uninstall_removes_installed_files_only_with_a_report() {
    let dir = tempfile::tempdir().unwrap();
    let destdir = format!("DESTDIR={}", dir.path().display());
    let arguments = [destdir, "prefix=/usr".into(), format!("program={}", env!("CARGO_BIN_EXE_boardbus"))];
    let output = install(&arguments);
    let said = String::from_utf8(output.stdout).unwrap();
    let installed = files_below(dir.path());
    assert!(installed.len() > 40, "{said}");
    for (path, _) in &installed {
        let (folder, name) = path.rsplit_once('/').unwrap();
        let line = format!("{}{folder}: ", dir.path().display());
        let line = said.lines().find(|told| told.starts_with(&line));
        assert!(line.is_some_and(|line| line.split(' ').any(|told| told == name)), "{path}: {said}");
    }
    let journal = dir.path().join("var/lib/boardbus/A1.jsonl");
    fs::create_dir_all(journal.parent().unwrap()).unwrap();
    fs::write(&journal, "{}\n").unwrap();
    fs::write(dir.path().join("usr/share/man/man1/other.1"), "").unwrap();
    let output = install(&[&["uninstall".into()], &arguments[..]].concat());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("Journals in /var/lib/boardbus"), "{said}");
    let left: Vec<String> = files_below(dir.path()).into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, ["/usr/share/man/man1/other.1", "/var/lib/boardbus/A1.jsonl"]);
}

#[test]
fn install_refuses_unknown_options_and_missing_programs() {
    let output = install(&["--prefix".into()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--prefix"));
    let output = install(&["program=/nowhere/boardbus".into()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cargo build --release --locked"));
}

#[test]
fn scripts_run_as_in_the_readme() {
    let scripts =
        ["demo", "install", "test", "package", "boardbus-export-round", "boardbus-push-lichess", "soak"]
            .map(|name| format!("scripts/{name}"));
    for script in scripts.into_iter().chain([".ci/run".to_owned()]) {
        let file = fs::metadata(Path::new(ROOT).join(&script)).unwrap_or_else(|e| panic!("{script}: {e}"));
        assert_eq!(file.permissions().mode() & 0o111, 0o111, "{script} is not executable");
    }
}

/// The exit code and the output of a comparison of the program with another.
fn compare_builds(other: &Path, only: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    let mut script = Command::new(Path::new(ROOT).join("scripts/compare-builds"));
    script.arg(env!("CARGO_BIN_EXE_boardbus")).arg(other).args(["--only", only]).env("TMPDIR", dir.path());
    let output = script.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn compare_builds_finds_no_difference_to_itself() {
    let program = Path::new(env!("CARGO_BIN_EXE_boardbus"));
    let (code, said) = compare_builds(program, "^(clean-clock-1|decode/.*hex)/");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.ends_with(" streams, 47 comparisons, 0 differences\n"), "{said}");
    let streams: u32 = said.split(' ').next().unwrap().parse().unwrap();
    assert!(streams >= 40, "{said}");
}

#[test]
fn compare_builds_lists_different_output_messages_and_codes() {
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("other");
    let spoilt = r#"#!/bin/sh
        case "$*" in
        *--final*) 'PROGRAM' "$@"; exit 5 ;;
        *--settle*) echo more >&2; exec 'PROGRAM' "$@" ;;
        *) 'PROGRAM' "$@" | sed 's/"san":"e4"/"san":"e3"/' ;;
        esac
    "#;
    fs::write(&other, spoilt.replace("PROGRAM", env!("CARGO_BIN_EXE_boardbus"))).unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, said) = compare_builds(&other, "^clean-clock-1/(live|final|settle)$");
    assert_eq!(code, Some(1), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    for (line, begin) in lines.iter().zip([
        "clean-clock-1/final: exit-code: boardbus -q reconstruct --final ",
        "clean-clock-1/live: output: boardbus -q reconstruct ",
        "clean-clock-1/settle: messages: boardbus -q reconstruct --settle ",
    ]) {
        assert!(line.starts_with(begin), "{said}");
    }
    assert!(lines[3].ends_with(" streams, 3 comparisons, 3 differences"), "{said}");
}

#[test]
fn compare_builds_compares_records_of_two_checkouts() {
    let dir = tempfile::tempdir().unwrap();
    // Stands for cargo: leaves as a watch what the checkout holds.
    let cargo = dir.path().join("cargo");
    fs::write(&cargo, "#!/bin/sh\nif [ -f said ]; then cp said \"$BOARDBUS_KEEP_WATCHES/a.jsonl\"; fi\n")
        .unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let checkout = |name: &str, said: Option<&str>| {
        let folder = dir.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("Cargo.toml"), "").unwrap();
        said.inspect(|said| fs::write(folder.join("said"), said).unwrap());
        folder
    };
    let [one, same, other, silent] =
        [("one", Some("e4")), ("same", Some("e4")), ("other", Some("e5")), ("silent", None)]
            .map(|(name, said)| checkout(name, said));
    let compare = |new: &Path| {
        let mut script = Command::new(Path::new(ROOT).join("scripts/compare-builds"));
        script.arg("--watch").args([&one, new]).env("TMPDIR", dir.path());
        let path = format!("{}:{}", dir.path().display(), std::env::var("PATH").unwrap());
        let output = script.env("PATH", path).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(compare(&same), (Some(0), "1 files of watches, 0 differences\n".into()));
    let (code, said) = compare(&other);
    assert_eq!(code, Some(1));
    assert!(
        said.starts_with("watch/a.jsonl: diff ") && said.ends_with("\n1 files of watches, 1 differences\n")
    );
    assert_eq!(compare(&silent), (Some(3), String::new()));
}
