//! The toolkit built without a network: `cargo test --locked --test without_network`.
#![cfg(not(feature = "nats"))]

use assert_cmd::cargo::cargo_bin_cmd;

#[test]
fn network_commands_without_the_feature_give_advice() {
    for name in ["publish", "subscribe"] {
        let mut command = cargo_bin_cmd!("boardbus");
        let output = command
            .args([name, "--server", "nats://office:4222", "--event", "open"])
            .assert()
            .code(2)
            .stdout("");
        let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(said.contains("built without a network") && said.contains("--features nats"), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
}

#[test]
fn other_commands_need_no_network() {
    let pgn = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let games = cargo_bin_cmd!("boardbus").arg("from-pgn").write_stdin(pgn).assert().success();
    let records = games.get_output().stdout.clone();
    let written = cargo_bin_cmd!("boardbus").arg("to-pgn").write_stdin(records).assert().success();
    let written = String::from_utf8(written.get_output().stdout.clone()).unwrap();
    assert!(written.contains("\n1. e4 e5 1-0\n"), "{written}");
}

#[test]
fn help_of_the_network_commands_needs_no_network() {
    for name in ["publish", "subscribe"] {
        let output = cargo_bin_cmd!("boardbus").args([name, "--help"]).assert().success();
        assert!(String::from_utf8_lossy(&output.get_output().stdout).contains("--server"));
    }
}
