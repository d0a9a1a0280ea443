//! README: short, complete where it lists, and with nothing that is not there.

use std::{fs, path::Path};

use super::generate::generated;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn readme_is_short_and_its_pictures_are_small() {
    assert!(read("README.md").lines().count() <= 180);
    let sizes: Vec<u64> = fs::read_dir(Path::new(ROOT).join("man/pictures"))
        .unwrap()
        .map(|picture| picture.unwrap().metadata().unwrap().len())
        .collect();
    assert!(sizes.len() == 2 && sizes.iter().sum::<u64>() <= 150_000, "{sizes:?}");
}

#[test]
fn links_of_the_documents_lead_to_files() {
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = read(name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(link.starts_with("https://") || Path::new(ROOT).join(link).exists(), "{name}: {link}");
        }
    }
}

#[test]
fn readme_lists_every_command_and_script_it_installs() {
    let readme = read("README.md");
    for command in generated::program().get_subcommands() {
        assert!(readme.contains(&format!("`{}`", command.get_name())), "{}", command.get_name());
    }
    for script in ["case", "export-round", "push-lichess", "rule"] {
        assert!(readme.contains(&format!("`boardbus-{script}`")), "boardbus-{script}");
    }
}

#[test]
fn documents_name_the_oldest_rust_that_cargo_accepts() {
    let version = env!("CARGO_PKG_RUST_VERSION");
    for name in ["README.md", "scripts/demo", "scripts/test"] {
        let text = read(name);
        let named: Vec<&str> = text
            .split("Rust 1.")
            .skip(1)
            .map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap())
            .collect();
        assert!(!named.is_empty(), "{name}");
        assert!(named.iter().all(|minor| format!("1.{minor}") == version), "{name}: {named:?}, {version}");
    }
}
