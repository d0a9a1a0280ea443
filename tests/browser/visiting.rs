//! Unusual visits and servers: old links, long sleeps, games that begin again, outdated answers.

use std::fs;

use serde_json::json;

use crate::{
    browser::{Page, page},
    site::{Server, Site, game, live, moves, next, other},
};

/// A page over http, of a game with two plies so far or of the overview.
fn visited(name: &str) -> Option<(Page, Site, Server)> {
    let (mut page, mut site) = (page()?, live(&["--refresh", "50ms"]));
    site.feed(&[vec![game(1025)], moves(1025, 1..=2)].concat());
    site.holds("live.json", "[\"1025-1\",3,");
    site.holds("game-1025-1.html", "e7e5");
    let server = Server::start(site.path(), 60);
    page.open(&server.url(name));
    Some((page, site, server))
}

fn hide(hidden: bool) -> String {
    format!(
        "Object.defineProperty(document, 'hidden', {{configurable: true, get: () => {hidden}}}); \
         document.dispatchEvent(new Event('visibilitychange'))"
    )
}

const CARDS: &str = "[...document.querySelectorAll('.card')].map(card => /game-(.*).html/.exec(card.href)[1] + \
                     (card.querySelector('p b')?.textContent ?? '')).join()";

fn end(result: &str) -> String {
    other(1025, "end", &format!(r#""result":"{result}","reason":"kings""#))
}

#[test]
fn link_to_a_withdrawn_move_reports_it() {
    let Some((mut page, mut site, server)) = visited("game-1025-1.html#game-1025-1/2") else { return };
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'e5'");
    assert_eq!(page.eval("document.body.dataset.state"), "custom");
    site.feed(&[other(1025, "takeback", "\"ply\":1")]);
    page.wait_text(".notice", "Taken back: 1... e5");
    // Links opened later: to the withdrawn move, and to one after it.
    page.open(&server.url("game-1025-1.html?friend#game-1025-1/2"));
    page.wait_text(".notice", "Taken back: 1... e5");
    page.open(&server.url("game-1025-1.html?other#game-1025-1/4"));
    page.wait_text(".notice", "The move of this link is not in the game.");
    assert_eq!((page.current().as_str(), page.eval("document.body.dataset.state")), ("e4", json!("listen")));
    page.is_silent();
}

#[test]
fn link_to_a_newer_move_leads_there() {
    let Some((mut page, mut site, server)) = visited("index.html") else { return };
    site.feed(&moves(1025, 3..=4));
    site.holds("game-1025-1.json", "b8c6");
    site.holds("live.json", "[\"1025-1\",5,");
    // The page itself is rarely written and still has two plies.
    assert!(!fs::read_to_string(site.path().join("game-1025-1.html")).unwrap().contains("f1c4"));
    page.open(&server.url("game-1025-1.html#game-1025-1/3"));
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'Bc4'");
    page.wait("location.hash === '#game-1025-1/3'");
    assert_eq!(
        (page.text(".notice"), page.eval("document.body.dataset.state")),
        (String::new(), json!("custom"))
    );
    page.is_silent();
}

#[test]
fn back_and_forward_retrace_steps_and_keep_following() {
    let Some((mut page, mut site, _server)) = visited("game-1025-1.html") else { return };
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    page.wait("location.hash === '#game-1025-1'");
    page.click(".moves > .cell > .move");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'e4'");
    page.travel("back");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'e5'");
    // The visitor was following where he came from.
    assert_eq!(page.eval("document.body.dataset.state"), "listen");
    page.travel("forward");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'e4'");
    assert_eq!(page.eval("document.body.dataset.state"), "custom");
    site.feed(&moves(1025, 3..=3));
    page.wait("document.querySelectorAll('.moves .move').length === 3");
    assert_eq!(page.current(), "e4");
    page.is_silent();
}

#[test]
fn two_windows_on_one_game_are_independent() {
    let Some((mut page, mut site, server)) = visited("game-1025-1.html") else { return };
    let frame = |id| {
        format!("<iframe id=\"{id}\" src=\"game-1025-1.html?embed\" width=\"400\" height=\"700\"></iframe>")
    };
    let host = format!("<!DOCTYPE html><title>A club</title>{}{}", frame("one"), frame("other"));
    fs::write(site.path().join("club.html"), host).unwrap();
    page.call("Page.navigate", json!({"url": server.url("club.html")}));
    let current = |id| {
        format!(
            "document.getElementById('{id}')?.contentDocument.querySelector('.move[aria-current]')?.textContent"
        )
    };
    page.wait(&format!("{} === 'e5' && {} === 'e5'", current("one"), current("other")));
    page.eval("document.getElementById('one').contentDocument.querySelector('[data-key=ArrowLeft]').click()");
    site.feed(&moves(1025, 3..=3));
    page.wait(&format!("{} === 'Bc4' && {} === 'e4'", current("other"), current("one")));
    let follow = "document.getElementById('one').contentDocument.querySelector('.follow').textContent";
    page.wait(&format!("{follow} === 'Follow the game (1 new: 2. Bc4)'"));
    page.is_silent();
}

#[test]
fn visited_position_keeps_its_address_in_a_slow_browser() {
    let Some((mut page, _site, server)) = visited("game-1025-1.html") else { return };
    // What the page does a moment after a step is delayed until after the change of the address.
    let slow = "{ const held = new Map(), [later, forget] = [setTimeout, clearTimeout]; let last = 1e9; \
        window.setTimeout = (what, wait) => wait === 200 ? (held.set(++last, what), last) : later(what, wait); \
        window.clearTimeout = id => held.delete(id) || forget(id); \
        addEventListener('hashchange', () => { held.forEach(what => what()); held.clear(); }); }";
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": slow}));
    page.open(&server.url("game-1025-1.html?slow"));
    page.click(".moves > .cell > .move");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'e4'");
    page.travel("back");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'e5'");
    page.travel("forward");
    page.wait("document.querySelector('.move[aria-current]').textContent === 'e4'");
    assert_eq!(page.eval("location.hash"), "#game-1025-1/1");
    page.is_silent();
}

#[test]
fn follower_is_led_to_the_next_game() {
    let Some((mut page, mut site, _server)) = visited("game-1025-1.html?embed") else { return };
    assert_eq!(page.eval("document.querySelector('.later').hidden"), true);
    site.feed(&[end("1-0"), next(&game(1025)), next(&moves(1025, 1..=1)[0])]);
    page.wait("!document.querySelector('.later').hidden");
    page.wait_text(".ending", "1–0 (kings)");
    assert_eq!(page.current(), "e5");
    page.click(".later");
    page.wait(
        "location.pathname === '/game-1025-2.html' && document.querySelectorAll('.moves .move').length === 1",
    );
    assert_eq!(
        page.eval("[document.body.className, document.querySelector('.later').hidden]"),
        json!(["embed", true])
    );
    // A game before the last is corrected, too.
    page.travel("back");
    page.wait("location.pathname === '/game-1025-1.html' && document.querySelector('.ending')?.textContent === '1–0 (kings)'");
    site.feed(&[end("1/2-1/2")]);
    page.wait_text(".ending", "½–½ (kings)");
    page.is_silent();
}

#[test]
fn phone_that_slept_through_two_games_shows_them() {
    let Some((mut page, mut site, server)) = visited("index.html") else { return };
    page.wait(&format!("({CARDS}) === '1025-1'"));
    page.eval(&hide(true));
    page.eval("new Promise(done => setTimeout(done, 200))");
    let polls = server.polls();
    let third = game(1025).replace("\"game\":1", "\"game\":3").replace("T10:00:00", "T10:50:00");
    site.feed(&[end("1-0"), next(&game(1025)), next(&end("0-1")), third]);
    site.holds("live.json", "1025-3");
    assert_eq!(server.polls(), polls);
    page.eval(&hide(false));
    page.wait(&format!("({CARDS}) === '1025-3,1025-11–0,1025-20–1'"));
    page.is_silent();
}

#[test]
fn outdated_answers_take_nothing_back() {
    let Some((mut page, mut site, server)) = visited("game-1025-1.html") else { return };
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    let outdated = tempfile::tempdir().unwrap();
    for name in ["live.json", "past.json", "game-1025-1.json"] {
        fs::copy(site.path().join(name), outdated.path().join(name)).unwrap();
    }
    site.feed(&moves(1025, 3..=4));
    page.wait("document.querySelector('.move[aria-current]').textContent === 'Nc6'");
    page.eval(
        "{ window.least = 4; new MutationObserver(() => { least = Math.min(least, document.querySelectorAll('.moves .move').length); }) \
         .observe(document.querySelector('.moves'), {childList: true}); }",
    );
    // One of two mirrors is outdated.
    for _ in 0..3 {
        let polls = server.polls();
        server.serve(outdated.path());
        while server.polls() == polls {
            page.eval("new Promise(done => setTimeout(done, 5))");
        }
        server.serve(site.path());
        let polls = server.polls();
        while server.polls() < polls + 2 {
            page.eval("new Promise(done => setTimeout(done, 5))");
        }
    }
    assert_eq!(
        (page.eval("least"), page.text(".notice"), page.text(".age")),
        (json!(4), String::new(), String::new())
    );
    // If the outdated state stays, it is taken as the new one.
    server.serve(outdated.path());
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    page.is_silent();
}

#[test]
fn game_ruled_void_is_marked_where_it_is_open() {
    let Some((mut page, mut site, _server)) = visited("game-1025-1.html") else { return };
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    site.feed(&[game(1026), other(1025, "ruling", r#""void":true"#)]);
    page.wait_text(".ending", "There was no such game.");
    assert_eq!(page.eval("document.querySelector('[data-running=true]') === null"), true);
    page.is_silent();
}

#[test]
fn ruling_is_shown_at_its_move() {
    let Some((mut page, mut site, _server)) = visited("game-1025-1.html") else { return };
    site.feed(&[other(1025, "ruling", r#""ply":1,"san":"e4","note":"<b>both</b> agree""#)]);
    page.wait_text(".moves > .ruling", "ruling: <b>both</b> agree");
    let before =
        "document.querySelector('.ruling').previousElementSibling.querySelector('.move').textContent";
    assert_eq!(page.eval(before), "e4");
    site.feed(&[other(1025, "ruling", r#""result":"1-0""#), end("1-0")]);
    page.wait_text(".ending", "1–0 (ruled)");
    assert_eq!(page.text(".moves > .ruling:last-child"), "ruling: 1-0");
    assert_eq!(page.text(".doubts"), "");
    page.is_silent();
}

#[test]
fn pages_poll_more_often_while_data_arrives() {
    let Some(mut page) = page() else { return };
    let clock = "{ const real = setTimeout; window.pauses = []; \
                 window.setTimeout = (then, pause) => { if ([200, 100, 90, 20].includes(pause)) pauses.push(pause); return real(then, pause); }; }";
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": clock}));
    let mut site = live(&["--refresh", "200ms"]);
    site.feed(&[game(1025)]);
    site.holds("live.json", "1025-1");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("index.html"));
    page.wait("pauses.at(-1) === 200");
    page.eval("pauses = []");
    site.feed(&moves(1025, 1..=1));
    // Shortly before the next write can be, shortly after it, three more times, and then as rarely as before.
    page.wait("pauses.join().includes('90,20,100,100,100,200')");
    page.is_silent();
}
