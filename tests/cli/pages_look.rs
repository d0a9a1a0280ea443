//! Words, logo and links of the user's own on the pages of `boardbus to-html`.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::program::{command, output_of, run};

/// The data of a page that stands in the element of this name.
fn element(page: &str, id: &str) -> Value {
    let begin = format!("<script type=\"application/json\" id=\"{id}\">");
    let at = page.find(&begin).map(|at| at + begin.len());
    let text = at.and_then(|at| page[at..].split("</script>").next());
    text.map_or(Value::Null, |text| serde_json::from_str(text).unwrap())
}

fn games() -> String {
    run(&["from-pgn"], "[Event \"Open\"]\n[Round \"3\"]\n[Board \"7\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n").0
}

#[test]
fn pages_are_english_german_or_in_given_words() {
    let page = |args: &[&str]| output_of(&[&["to-html"], args].concat(), games());
    let english = page(&[]);
    assert!(english.contains("<html lang=\"en\">") && element(&english, "look").is_null());
    assert_eq!(element(&english, "index")["title"], "Open, round 3");
    let german = page(&["--words", "de"]);
    assert!(german.contains("<html lang=\"de\">") && german.contains("<title>Partien</title>"));
    assert_eq!(element(&german, "index")["title"], "Open, Runde 3");
    assert_eq!(element(&german, "look")["words"]["Search"], "Suchen");
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("fr.words");
    fs::write(
        &words,
        "lang = fr\n$, round $ = $, ronde $\nSearch = </script><b>Chercher\nSerach = Chercher\n",
    )
    .unwrap();
    let output = command("to-html").arg("--words").arg(&words).write_stdin(games()).assert().success();
    let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert_eq!(
        said,
        format!(
            "boardbus to-html: {}:4: the pages have no words `Serach`: they are not used\n",
            words.display()
        )
    );
    let french = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(french.contains("<html lang=\"fr\">") && !french.contains("</script><b>"));
    assert_eq!(element(&french, "index")["title"], "Open, ronde 3");
    assert_eq!(
        element(&french, "look"),
        json!({"lang": "fr", "words": {"$, round $": "$, ronde $", "Search": "</script><b>Chercher"}})
    );
}

#[test]
fn invalid_words_are_refused_before_any_output() {
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("words");
    let large = "# large\n".repeat(1 << 14);
    for (text, because) in [
        ("White = W\nTable $ = Bord\n", ":2: `Bord` has not as many `$` as `Table $`\n"),
        ("White\n", ":1: `White` is no line `English = other word`\n"),
        (&large, " has more than 64 kB, which is the most, since every page carries it\n"),
    ] {
        fs::write(&words, text).unwrap();
        let site = folder.path().join("site");
        let output =
            command("to-html").arg("--words").arg(&words).arg("-o").arg(&site).assert().code(2).stdout("");
        let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert_eq!(said, format!("boardbus to-html: {}{because}", words.display()));
        assert!(!site.exists());
    }
}

#[test]
fn a_logo_and_links_are_on_every_page() {
    let folder = tempfile::tempdir().unwrap();
    let (logo, site) = (folder.path().join("club.png"), folder.path().join("site"));
    // The signature of PNG (RFC 2083).
    let png = b"\x89PNG\r\n\x1a\n and so on";
    fs::write(&logo, png).unwrap();
    let with = |args: &[&str]| {
        let links = ["--link", "Club=https://club.example/?a=b", "--link", "Results=results.html"];
        command("to-html")
            .arg("--logo")
            .arg(&logo)
            .args(links)
            .args(args)
            .write_stdin(games())
            .assert()
            .success()
    };
    let links = json!([["Club", "https://club.example/?a=b"], ["Results", "results.html"]]);
    with(&["-o", site.to_str().unwrap()]);
    assert_eq!(fs::read(site.join("logo.png")).unwrap(), png);
    for name in ["index.html", "game-1.html"] {
        let page = fs::read_to_string(site.join(name)).unwrap();
        assert_eq!(element(&page, "look"), json!({"logo": "logo.png", "links": links}));
    }
    let single = String::from_utf8(with(&[]).get_output().stdout.clone()).unwrap();
    let look = element(&single, "look");
    assert_eq!(
        (&look["logo"], &look["links"]),
        (&json!("data:image/png;base64,iVBORw0KGgogYW5kIHNvIG9u"), &links)
    );
    fs::write(&logo, "no picture").unwrap();
    // The second has no end.
    for logo in [&*logo, Path::new("/dev/zero")] {
        command("to-html").arg("--logo").arg(logo).assert().code(2);
    }
}

#[test]
fn links_that_would_run_something_are_refused() {
    for address in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "",
    ] {
        command("to-html").args(["--link", &format!("Club={address}")]).assert().code(2);
    }
    for address in ["https://a.example", "mailto:a@b.example", "/results", "../index.html", "#x:y", "?a=b:c"]
    {
        command("to-html")
            .args(["--link", &format!("Club={address}")])
            .write_stdin(games())
            .assert()
            .success();
    }
}
