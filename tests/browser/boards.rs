//! The boards of an event: the overview, and the wall of a hall.

use std::fs;

use serde_json::json;

use crate::{
    browser::page,
    site::{Server, folder, game, live, moves, other},
};

#[test]
fn overview_follows_every_board() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    site.feed(&[vec![game(1025), game(1026)], moves(1025, 1..=2)].concat());
    site.holds("live.json", "[\"1025-1\",3,");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("index.html"));
    page.wait_text(".card:nth-child(1) .san", "1... e5");
    assert_eq!(page.eval("document.querySelectorAll('.card').length"), 2);
    page.wait("document.querySelectorAll('.card')[1].querySelectorAll('.board b').length === 32");
    site.feed(&moves(1026, 1..=3));
    page.wait_text(".card:nth-child(2) .san", "2. Bc4");
    // A board that begins later comes too.
    site.feed(&[game(1027)]);
    page.wait("document.querySelectorAll('.card').length === 3");
    page.wait("document.querySelectorAll('.card')[2].querySelectorAll('.board b').length === 32");
    site.feed(&[other(1025, "end", r#""result":"0-1","reason":"kings""#)]);
    page.wait_text(".card:nth-child(1) p b", "0–1");
    assert_eq!(
        page.eval("document.querySelector('.card.over').href === new URL('game-1025-1.html', location).href"),
        true
    );
    page.click(".card:nth-child(2)");
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'Bc4'");
    page.is_silent();
}

#[test]
fn pain_9_boards_keep_their_places() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    site.feed(&[game(1027), game(1025)]);
    site.holds("live.json", "1027-1");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("index.html"));
    let order =
        "[...document.querySelectorAll('.card')].map(card => /game-(.*).html/.exec(card.href)[1]).join()";
    assert_eq!(page.eval(order), "1025-1,1027-1");
    let second = game(1025).replace("\"game\":1", "\"game\":2");
    site.feed(&[other(1025, "end", r#""result":"0-1","reason":"kings""#), second, game(1026)]);
    page.wait("document.querySelectorAll('.card').length === 4");
    // Boards are ordered by address, and after them come earlier games.
    assert_eq!(page.eval(order), "1025-2,1026-1,1027-1,1025-1");
    page.is_silent();
}

#[test]
fn overview_is_searched_by_names_and_addresses() {
    let Some(mut page) = page() else { return };
    let roster = tempfile::NamedTempFile::new().unwrap();
    fs::write(&roster, "board,white,black\n1025,Amber,Birch\n1026,Cedar,Birch\n1030,Ämber,Birch\n").unwrap();
    let mut site = live(&["--refresh", "50ms", "--roster", roster.path().to_str().unwrap()]);
    site.feed(&[game(1025), game(1026), game(1030)]);
    site.holds("live.json", "1030-1");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("index.html"));
    let shown = "[...document.querySelectorAll('.card .white .name')].map(name => name.textContent).join()";
    for (text, expected) in
        [("birch CED", "Cedar"), ("1030", "Ämber"), ("ämber", "Ämber"), ("x", ""), ("102", "Amber,Cedar")]
    {
        page.eval("document.querySelector('header input').value = ''");
        page.click("header input");
        page.call("Input.insertText", json!({"text": text}));
        page.wait(&format!("({shown}) === '{expected}'"));
    }
    // New moves do not bring back a game that was filtered out.
    site.feed(&[moves(1025, 1..=1), moves(1030, 1..=1)].concat());
    page.wait_text(".card .san", "1. e4");
    assert_eq!(page.eval(shown), "Amber,Cedar");
    page.is_silent();
}

#[test]
fn hidden_results_appear_nowhere() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--hide-results"]);
    let end = other(1025, "end", r#""result":"0-1","reason":"kings""#);
    site.feed(&[&[game(1025)], &moves(1025, 1..=2)[..], &[end]].concat());
    site.holds("live.json", "\"*\"");
    for (name, selector, expected) in
        [("index.html", ".card p b", "over"), ("game-1025-1.html", ".ending", "The game is over")]
    {
        page.open(&site.file(name));
        assert_eq!(page.text(selector), expected);
        assert_eq!(page.eval("document.documentElement.outerHTML.match(/0[-–]1/)"), json!(null));
    }
    page.is_silent();
}

#[test]
fn wall_shows_current_games_of_boards_without_a_table() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    site.feed(&[game(1025), game(1026), game(1030)]);
    site.holds("live.json", "1030-1");
    let walls = [
        ("wall=2", "1025-1,1026-1"),
        ("wall=8&boards=2-3", "1026-1,1030-1"),
        ("wall=8&boards=1026", "1026-1"),
    ];
    let shown =
        "[...document.querySelectorAll('.card')].map(card => /game-(.*).html/.exec(card.href)[1]).join()";
    for (wall, expected) in walls {
        page.open(&site.file(&format!("index.html?{wall}")));
        assert_eq!(page.eval(shown), expected, "{wall}");
    }
    // The next game on a board takes its place, even one with the number of another.
    let again = game(1026).replace("10:00:00", "10:30:00");
    site.feed(&[other(1026, "end", r#""result":"0-1","reason":"kings""#), again]);
    page.wait(&format!("({shown}) === '1026-1.2'"));
    page.is_silent();
}

#[test]
fn wall_shows_the_requested_boards_on_one_screen() {
    let Some(mut page) = page() else { return };
    let text: String = (1..=12)
        .map(|nth| format!("[White \"Amber {nth}\"]\n[Board \"{nth}\"]\n[Result \"*\"]\n\n1. e4 *\n\n"))
        .collect();
    let site = folder(&text);
    for (width, height) in [(1280, 800), (1920, 1080), (600, 1000)] {
        page.size(width, height);
        page.open(&site.file("index.html?wall=8&boards=3-9,12"));
        let names = page.eval(
            "[...document.querySelectorAll('.player.white .name')].map(name => name.textContent).join()",
        );
        assert_eq!(names, "Amber 3,Amber 4,Amber 5,Amber 6,Amber 7,Amber 8,Amber 9,Amber 12");
        let fits = "[...document.querySelectorAll('.card')].every(card => { const box = card.getBoundingClientRect(); \
                    return box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })";
        assert_eq!(page.eval(fits), true, "{width} by {height}");
        page.wait("[...document.querySelectorAll('.card .board')].every(board => board.querySelectorAll('b').length === 32)");
    }
    page.is_silent();
}
