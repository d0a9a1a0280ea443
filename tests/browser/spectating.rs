//! What spectators look for: who stands better, which opening, who plays and who won.

use std::fs;

use serde_json::json;

use crate::{
    browser::page,
    site::{OTHER, Server, event, folder, game, live, moves, other, record, single},
};

/// An engine's evaluation after a ply.
fn thought(board: u16, ply: u32, what: &str) -> String {
    other(board, "evaluation", &format!(r#""ply":{ply},{what},"depth":18,"engine":"Fish 1""#))
}

/// White's share of the bar.
const SHARE: &str = "getComputedStyle(document.querySelector('.bar')).getPropertyValue('--share')";
/// Whether the bar is shown.
const SHOWN: &str = "getComputedStyle(document.querySelector('.bar')).display";

#[test]
fn evaluation_is_shown_and_its_switch_remembered() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    let thoughts = [
        thought(1025, 1, r#""cp":0,"pv":["e7e5","g1f3"]"#),
        thought(1025, 2, r#""cp":31,"bound":"lower""#),
        thought(1025, 3, r#""mate":-3"#),
    ];
    site.feed(
        &[vec![game(1025), game(1026)], moves(1025, 1..=4), thoughts.to_vec(), moves(1026, 1..=1)].concat(),
    );
    site.holds("live.json", "\"1026-1\",2,");
    site.holds("game-1025-1.json", "#-3");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("game-1025-1.html"));
    page.eval("document.querySelector('.best').open = true");
    page.keys(&["Home", "ArrowRight"]);
    let seen =
        format!("['.score', '.pv'].map(part => document.querySelector(part).textContent).concat({SHARE})");
    page.wait(&format!("({seen}).join() === '0.00,1... e5 2. Nf3,50%'"));
    assert_eq!(page.eval("document.querySelector('.score').title"), "Fish 1, depth 18");
    page.keys(&["ArrowRight"]);
    // Chances as on Lichess: 0.5 + 0.5 * (2 / (1 + exp(-0.00368208 * 31)) - 1).
    let height = page.eval(&format!("parseFloat({SHARE})")).as_f64().unwrap();
    assert_eq!((page.text(".score"), (height * 100.0).round()), ("≥+0.31".into(), 5285.0));
    assert_eq!(page.eval("document.querySelector('.best').hidden"), true);
    // The graph is a slider.
    page.eval(
        "(() => { const slider = document.querySelector('.slider'); slider.value = 3; slider.oninput(); })()",
    );
    assert_eq!((page.text(".score"), page.text(".move[aria-current]")), ("#-3".into(), "Bc4".into()));
    assert_eq!(page.eval(SHARE), "0%");
    assert_eq!(page.eval("document.querySelector('.slider').ariaValueText"), "2. Bc4, #-3");
    assert_eq!(page.eval("document.querySelector('polygon').getAttribute('points').split(' ').length"), 6);
    // The last ply and the other board have no evaluation.
    page.keys(&["End"]);
    assert_eq!(
        (page.text(".score"), page.eval("document.querySelector('.bar').classList.contains('stale')")),
        (String::new(), json!(true))
    );
    site.feed(&[thought(1025, 4, r#""cp":-120"#)]);
    page.wait_text(".score", "-1.20");
    page.open(&server.url("game-1026-1.html"));
    assert_eq!(
        (page.eval(SHOWN), page.eval("document.querySelector('.toggle').hidden")),
        (json!("none"), json!(true))
    );
    page.open(&server.url("index.html"));
    page.wait_text(".card .score-text", "-1.20");
    assert_eq!(page.eval(SHOWN), "block");
    page.click(".toggle");
    page.open(&server.url("game-1025-1.html"));
    assert_eq!(page.eval(SHOWN), "none");
    assert_eq!(page.eval("getComputedStyle(document.querySelector('polygon')).display"), "none");
    page.click(".toggle");
    assert_eq!(page.eval(SHOWN), "block");
    page.is_silent();
}

// Users' pain: an evaluation that belonged to a move that was corrected later (lila 20597).
#[test]
fn corrected_move_loses_its_evaluation() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    site.feed(&[vec![game(1025)], moves(1025, 1..=3), vec![thought(1025, 3, r#""cp":95"#)]].concat());
    site.holds("game-1025-1.html", "95");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("game-1025-1.html"));
    page.wait_text(".score", "+0.95");
    site.feed(&[record(1025, 3, OTHER)]);
    page.wait_text(".move[aria-current]", "Nf3");
    assert_eq!(page.text(".score"), "");
    page.is_silent();
}

#[test]
fn unnamed_player_is_shown_by_board_and_table() {
    let Some(mut page) = page() else { return };
    let roster = tempfile::NamedTempFile::new().unwrap();
    let names = "board,table,white,white_elo,white_title,black,black_fed\n1025,3,Amber,2700,GM,Birch,NOR\n";
    fs::write(&roster, names).unwrap();
    let mut site = live(&["--roster", roster.path().to_str().unwrap()]);
    let end = other(1025, "end", r#""result":"1/2-1/2","reason":"kings""#);
    site.feed(&[&[game(1025), game(1029)], &moves(1025, 1..=2)[..], &[end]].concat());
    site.holds("live.json", "1/2-1/2");
    page.open(&site.file("index.html"));
    let cards = page
        .eval("[...document.querySelectorAll('.card')].map(card => card.innerText.split(/\\s+/).join(' '))");
    assert_eq!(cards, json!(["½ Birch NOR 4:50 ½ GM Amber 2700 4:50 Table 3 1... e5 ½–½", "Board 1029"]));
    // On one line.
    let lines = "document.querySelector('.card p b').getClientRects().length";
    assert_eq!(page.eval(lines), 1);
    for (name, title) in [("1025", "Table 3: Amber – Birch, ½–½"), ("1029", "Board 1029")] {
        let file = format!("game-{name}-1.html");
        // The title before the script runs is the same.
        assert!(
            fs::read_to_string(site.path().join(&file)).unwrap().contains(&format!("<title>{title}</title>"))
        );
        page.open(&site.file(&file));
        assert_eq!(page.eval("document.title"), title);
    }
    assert_eq!((page.text("h1"), page.text(".player.black .name")), ("Board 1029".into(), "Black".into()));
    assert_eq!(page.eval("document.querySelector('.earlier').href.endsWith('game-1025-1.html')"), true);
    page.is_silent();
}

#[test]
fn unknown_parts_of_a_date_are_left_out() {
    let Some(mut page) = page() else { return };
    let game = |date: &str| {
        format!(
            "[Date \"{date}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 0-1\n\n"
        )
    };
    let site = single("from-pgn", &["1852.??.??", "????.??.??", "1852.07.??"].map(game).concat());
    page.open(&site.file("index.html"));
    let dates = "[...document.querySelectorAll('.games .date')].map(date => date.textContent)";
    assert_eq!(page.eval(dates), json!(["1852", "", "1852.07"]));
    page.open(&site.file("index.html#game-1"));
    page.wait("document.querySelector('.tags')?.textContent.includes('1852')");
    assert_eq!(page.eval("document.body.innerText.includes('?')"), false);
    assert_eq!(page.text(".opening"), "C65 Ruy Lopez: Berlin Defense");
    assert_eq!(page.eval("document.querySelector('.won .name').textContent"), "B");
    assert_eq!(page.eval("document.querySelector('.next').hash"), "#game-2");
    let lichess = "document.querySelector('.analyse').href";
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
    assert_eq!(page.eval(lichess), format!("https://lichess.org/analysis/standard/{fen}"));
    page.is_silent();
}

#[test]
fn squares_are_whole_pixels_and_an_embedded_game_fits() {
    let Some(mut page) = page() else { return };
    let site = folder(
        "[White \"Amber\"]\n[Black \"Birch\"]\n[Result \"*\"]\n\n1. e4 {Why?} e5 2. Nf3 (2. f4 exf4) Nc6 *\n",
    );
    let width = "document.querySelector('.desk .board').getBoundingClientRect().width % 8";
    for (wide, high) in [(390, 844), (1283, 801), (1920, 1080)] {
        page.size(wide, high);
        page.open(&site.file("game-1.html"));
        assert_eq!(page.eval(width), json!(0), "{wide} by {high}");
    }
    for (wide, high) in [(600, 420), (380, 560), (320, 500), (900, 700)] {
        page.size(wide, high);
        page.open(&site.file("game-1.html?embed"));
        let fits = "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth \
                    && document.querySelector('.controls').getBoundingClientRect().bottom <= innerHeight";
        assert_eq!(page.eval(fits), true, "{wide} by {high}");
        assert_eq!(page.eval(width), json!(0), "{wide} by {high}");
    }
    page.is_silent();
}

#[test]
fn team_matches_show_their_results_so_far() {
    let Some(mut page) = page() else { return };
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"a\"]\n[Black \"b\"]\n[WhiteTeam \"{white}\"]\n[BlackTeam \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
        )
    };
    let games = [
        ("Oslo", "Riga", "1/2-1/2"),
        ("Riga", "Oslo", "1-0"),
        ("Turin", "Bonn", "1-0"),
        ("Bonn", "Turin", "*"),
    ];
    let site = folder(&games.map(|(white, black, result)| game(white, black, result)).concat());
    page.open(&site.file("index.html"));
    let matches = "[...document.querySelectorAll('.match')].map(match => match.textContent)";
    assert_eq!(page.eval(matches), json!(["Oslo ½ – 1½ Riga", "Turin 1 – 0 Bonn"]));
    page.is_silent();
}

#[test]
fn pages_are_german_with_logo_and_links() {
    let Some(mut page) = page() else { return };
    let logo = tempfile::NamedTempFile::new().unwrap();
    fs::write(
        &logo,
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20' onload='window.evil=1'/>",
    )
    .unwrap();
    let mut site = live(&[
        "--words",
        "de",
        "--logo",
        logo.path().to_str().unwrap(),
        "--link",
        "Verein=https://club.example/",
    ]);
    let end = other(1025, "end", r#""result":"1-0","reason":"checkmate""#);
    site.feed(&[&[game(1025)], &moves(1025, 1..=2)[..], &[end]].concat());
    site.holds("live.json", "1-0");
    page.open(&site.file("index.html"));
    assert_eq!(page.eval("document.querySelector('input').placeholder"), "Suchen");
    assert_eq!(page.text(".card .black .name"), "Brett 1025");
    page.open(&site.file("game-1025-1.html"));
    assert_eq!((page.text(".ending"), page.text(".back")), ("1–0 (matt)".into(), "Alle Partien".into()));
    assert_eq!(page.eval("document.querySelector('[data-key=ArrowRight]').ariaLabel"), "Vor");
    assert_eq!(page.eval("document.querySelector('td#e4').textContent"), "weißer Bauer");
    assert_eq!(
        page.eval(
            "[...document.querySelectorAll('.links a')].map(link => link.textContent + link.href).join()"
        ),
        "Vereinhttps://club.example/"
    );
    page.wait("document.querySelector('.logo').naturalWidth === 40");
    assert_eq!(page.eval("window.evil === undefined"), true);
    page.is_silent();
}

#[test]
fn long_words_stay_within_narrow_pages() {
    let Some(mut page) = page() else { return };
    let word = "x".repeat(60);
    let game = |board: u32, result: &str| {
        let people = format!("[White \"{board}{word}\"]\n[Black \"{word}{board}\"]\n");
        let teams = format!("[WhiteTeam \"{word} A\"]\n[BlackTeam \"{word} B\"]\n");
        let event = format!("[Event \"{word}\"]\n[Round \"1\"]\n[Board \"{board}\"]\n");
        format!("{event}{people}{teams}[Result \"{result}\"]\n\n1. e4 {result}\n\n")
    };
    let games = game(1, "1-0") + &game(2, "1/2-1/2");
    let site = event(&games, &["--link", &format!("{word}=https://x.example")]);
    page.size(320, 640);
    for file in ["r1/index.html", "r1/game-1.html", "index.html"] {
        page.open(&site.file(file));
        assert_eq!(page.eval("document.documentElement.scrollWidth"), 320, "{file}");
    }
    let captions = "[...document.querySelectorAll('.standings caption')].map(each => each.textContent)";
    assert_eq!(page.eval(captions), json!(["Teams", "Standings"]));
    let rows = "[...document.querySelector('.standings').rows].map(row => [...row.cells].map(cell => cell.textContent).join('|'))";
    let expected =
        ["|Team|Match points|Board points".to_owned(), format!("1|{word} A|2|1½"), format!("2|{word} B|0|½")];
    assert_eq!(page.eval(rows), json!(expected));
    page.is_silent();
}
