//! What a screen reader is given.

use std::time::Instant;

use serde_json::{Value, json};

use crate::{
    browser::{DEADLINE, Page, page},
    site::{Server, game, live, moves, other, single},
};

/// The role and name of every node of the accessibility tree.
fn nodes(page: &mut Page) -> Vec<(String, String)> {
    page.call("Accessibility.enable", json!({}));
    let tree = page.call("Accessibility.getFullAXTree", json!({}));
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] == false);
    nodes.map(|node| (text(&node["role"]), text(&node["name"]))).collect()
}

#[test]
fn position_is_a_table_and_moves_are_links() {
    let Some(mut page) = page() else { return };
    let site =
        single("from-pgn", "[White \"Amber\"]\n[Black \"Birch\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5) *\n");
    page.open(&site.file("index.html"));
    page.keys(&["ArrowRight"]);
    // The browser adds the content of a variation once it has been searched for on the screen.
    let mut nodes = nodes(&mut page);
    let begun = Instant::now();
    while !nodes.iter().any(|(_, name)| name == "c5") && begun.elapsed() < DEADLINE {
        nodes = self::nodes(&mut page);
    }
    let has = |role: &str, name: &str| nodes.iter().any(|(r, n)| r == role && n == name);
    assert!(has("heading", "Amber – Birch"), "{nodes:?}");
    assert!(has("image", "Position after 1. e4"), "{nodes:?}");
    assert!(has("table", "Position") && has("columnheader", "e") && has("rowheader", "4"), "{nodes:?}");
    let cells = |name: &str| nodes.iter().filter(|(role, n)| role == "cell" && n == name).count();
    assert_eq!((cells("white pawn"), cells("black knight"), cells("white king")), (8, 2, 1));
    for name in ["e4", "e5", "c5"] {
        assert!(has("link", name), "{name}: {nodes:?}");
    }
    for name in ["Start", "Back", "Play", "Forward", "End", "Turn the board"] {
        assert!(has("button", name), "{name}: {nodes:?}");
    }
    assert!(has("textbox", "FEN"));
    let row = "[...document.querySelectorAll('.unseen tr')[5].children].map(cell => cell.textContent)";
    assert_eq!(page.eval(row), json!(["4", "", "", "", "", "white pawn", "", "", ""]));
    page.is_silent();
}

#[test]
fn followers_read_each_move_and_browsing_visitors_none() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    site.feed(&[vec![game(1025)], moves(1025, 1..=2)].concat());
    site.holds("game-1025-1.html", "e7e5");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("game-1025-1.html"));
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    assert_eq!(page.eval("document.querySelector('[role=status]').getAttribute('aria-live')"), "polite");
    assert_eq!(page.text("[role=status]"), "");
    site.feed(&moves(1025, 3..=3));
    page.wait_text("[role=status]", "White, move 2: bishop c4, clock 4:40");
    page.keys(&["ArrowLeft"]);
    site.feed(&moves(1025, 4..=4));
    page.wait("document.querySelectorAll('.moves .move').length === 4");
    assert_eq!(page.text("[role=status]"), "White, move 2: bishop c4, clock 4:40");
    page.keys(&["End"]);
    site.feed(&[other(1025, "end", r#""result":"1-0","reason":"flag""#)]);
    page.wait_text("[role=status]", "1–0 (flag)");
    page.is_silent();
}
