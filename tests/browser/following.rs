//! A game that is played while its page is open.

use serde_json::json;

use crate::{
    browser::{Page, page},
    site::{OTHER, Server, Site, game, live, moves, other, record},
};

/// A page that follows a game of which two plies are played, over http.
fn followed() -> Option<(Page, Site, Server)> {
    let (mut page, mut site) = (page()?, live(&["--refresh", "50ms"]));
    site.feed(&[vec![game(1025)], moves(1025, 1..=2)].concat());
    site.holds("game-1025-1.html", "e7e5");
    let server = Server::start(site.path(), 60);
    page.open(&server.url("game-1025-1.html"));
    page.wait("document.querySelectorAll('.moves .move').length === 2");
    Some((page, site, server))
}

const IS_LISTENING: &str = "document.body.dataset.state === 'listen'";
const NEWS: &str =
    "document.querySelector('.follow').hidden ? '' : document.querySelector('.follow').textContent";

#[test]
fn who_listens_sees_each_new_move() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    assert_eq!(
        (page.current().as_str(), page.eval(IS_LISTENING), page.eval(NEWS)),
        ("e5", true.into(), "".into())
    );
    site.feed(&moves(1025, 3..=4));
    page.wait("document.querySelector('.move[aria-current]').textContent === 'Nc6'");
    assert_eq!(
        (page.seen_on("c6"), page.seen_on("c4")),
        (vec!["bn".into(), "last".into()], vec!["wb".into()])
    );
    assert_eq!(page.eval(IS_LISTENING), true);
    page.is_silent();
}

#[test]
fn nobody_is_taken_away_from_the_position_he_looks_at() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    page.keys(&["ArrowLeft"]);
    assert_eq!((page.eval(IS_LISTENING), page.eval(NEWS)), (false.into(), "Follow the game".into()));
    site.feed(&moves(1025, 3..=4));
    page.wait(&format!("({NEWS}) === 'Follow the game (2 new: 2... Nc6)'"));
    assert_eq!((page.current().as_str(), page.seen_on("e4")), ("e4", vec!["wp".into(), "last".into()]));
    // Neither steps, not even to the last move, nor a move's link end it.
    page.keys(&["ArrowRight", "ArrowRight", "ArrowRight"]);
    assert_eq!((page.current().as_str(), page.eval(IS_LISTENING)), ("Nc6", false.into()));
    page.keys(&["Home"]);
    page.click(".follow");
    assert_eq!(
        (page.current().as_str(), page.eval(IS_LISTENING), page.eval(NEWS)),
        ("Nc6", true.into(), "".into())
    );
    page.keys(&["ArrowLeft", "End"]);
    assert_eq!((page.current().as_str(), page.eval(IS_LISTENING)), ("Nc6", true.into()));
    page.is_silent();
}

#[test]
fn who_looks_at_a_withdrawn_move_is_told() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    page.keys(&["ArrowLeft", "ArrowRight"]);
    assert_eq!((page.current().as_str(), page.eval(IS_LISTENING)), ("e5", false.into()));
    site.feed(&[other(1025, "takeback", "\"ply\":1")]);
    page.wait_text(".notice", "Taken back: 1... e5");
    assert_eq!((page.current().as_str(), page.eval(IS_LISTENING)), ("e4", false.into()));
    assert_eq!(page.seen_on("e7"), ["bp"]);
    assert_eq!(page.text("[role=status]"), "Taken back: 1... e5");
    // A step is the visitor's answer to it.
    page.keys(&["Home"]);
    page.wait_text(".notice", "");
    page.is_silent();
}

#[test]
fn a_correction_of_an_earlier_move_reaches_who_looks_at_a_later_one() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    site.feed(&moves(1025, 3..=4));
    page.wait("document.querySelectorAll('.moves .move').length === 4");
    page.keys(&["ArrowLeft", "ArrowRight"]);
    site.feed(&[record(1025, 3, OTHER)]);
    page.wait_text(".notice", "Corrected: 2. Bc4 is now 2. Nf3");
    assert_eq!(page.eval("[...document.querySelectorAll('.move')].map(move => move.textContent)[2]"), "Nf3");
    page.is_silent();
}

#[test]
fn who_looks_at_an_earlier_move_is_left_alone_by_a_takeback() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    page.keys(&["ArrowLeft"]);
    site.feed(&[other(1025, "takeback", "\"ply\":1")]);
    page.wait("document.querySelectorAll('.moves .move').length === 1");
    assert_eq!((page.current().as_str(), page.text(".notice")), ("e4", String::new()));
    page.is_silent();
}

#[test]
fn pain_20_a_server_that_was_away_is_found_again_without_a_reload() {
    let Some((mut page, mut site, mut server)) = followed() else { return };
    page.eval("window.stayed = true");
    page.is_silent();
    server.stop();
    page.wait("document.querySelector('.age').textContent.startsWith('No answer for')");
    site.feed(&moves(1025, 3..=3));
    site.holds("live.json", "[\"1025-1\",4,");
    server.resume();
    page.wait("document.querySelector('.move[aria-current]').textContent === 'Bc4'");
    page.wait_text(".age", "");
    assert_eq!(page.eval("window.stayed"), true);
}

#[test]
fn a_folder_opened_without_a_server_follows_too() {
    let Some(mut page) = page() else { return };
    let mut site = live(&["--refresh", "50ms"]);
    site.feed(&[vec![game(1025)], moves(1025, 1..=2)].concat());
    site.holds("live.js", "[\"1025-1\",3,");
    for (name, count) in [
        ("game-1025-1.html", "document.querySelectorAll('.moves .move').length"),
        ("index.html", "+document.querySelector('.card .san').textContent[0] + 1"),
    ] {
        page.open(&site.file(name));
        page.wait(&format!("{count} >= 2"));
    }
    page.open(&site.file("game-1025-1.html"));
    site.feed(&moves(1025, 3..=4));
    page.wait("document.querySelector('.move[aria-current]').textContent === 'Nc6'");
    page.is_silent();
}

#[test]
fn a_hidden_tab_stops_asking_and_asks_when_it_is_seen_again() {
    let Some((mut page, _site, server)) = followed() else { return };
    let hide = |hidden: bool| {
        format!(
            "Object.defineProperty(document, 'hidden', {{configurable: true, get: () => {hidden}}}); \
             document.dispatchEvent(new Event('visibilitychange'))"
        )
    };
    page.eval(&hide(true));
    // One answer may be on its way; then ten refreshes without a question.
    page.eval("new Promise(done => setTimeout(done, 200))");
    let before = server.polls();
    page.eval("new Promise(done => setTimeout(done, 500))");
    assert_eq!(server.polls(), before);
    page.eval(&hide(false));
    while server.polls() < before + 3 {
        page.eval("new Promise(done => setTimeout(done, 20))");
    }
    page.is_silent();
}

/// A page whose clock can be moved on by `window.later(milliseconds)`; it polls once.
fn timed(plies: usize, seconds: i64, rest: &[String]) -> Option<(Page, Site, Server)> {
    let (mut page, mut site) = (page()?, live(&["--refresh", "1h"]));
    site.feed(&[&[game(1025)], &moves(1025, 1..=plies)[..], rest].concat());
    site.holds("live.json", &format!("[\"1025-1\",{},", plies + 1 + rest.len()));
    let clock = "{ const real = Date.now; let ahead = 0; Date.now = () => real() + ahead; window.later = ms => { ahead += ms; }; }";
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": clock}));
    let server = Server::start(site.path(), seconds);
    Some((page, site, server))
}

#[test]
fn the_clock_of_who_is_to_move_runs_by_the_time_of_the_server() {
    // Two plies at 10:00:10 and 10:00:20, each leaving 290 seconds; the server says 10:00:25.
    let Some((mut page, _site, server)) = timed(2, 25, &[]) else { return };
    page.open(&server.url("game-1025-1.html"));
    page.wait("['4:45', '4:44'].includes(document.querySelector('.clock.white').textContent)");
    assert_eq!(page.text(".clock.black"), "4:50");
    assert_eq!(page.eval("document.querySelector('.clock.white').dataset.running"), "true");
    page.eval("later(60000)");
    page.wait("['3:45', '3:44', '3:43'].includes(document.querySelector('.clock.white').textContent)");
    assert_eq!(page.text(".clock.black"), "4:50");
    // At an earlier move no clock runs.
    page.keys(&["ArrowLeft"]);
    page.wait_text(".clock.white", "4:50");
    assert_eq!(page.eval("document.querySelector('[data-running=true]') === null"), true);
    page.open(&server.url("index.html"));
    page.wait("['4:45', '4:44', '4:43'].includes(document.querySelector('.card .clock.white').textContent)");
    page.is_silent();
}

#[test]
fn clocks_stand_when_the_game_is_over() {
    let end = other(1025, "end", r#""result":"1-0","reason":"flag""#);
    let Some((mut page, _site, server)) = timed(2, 25, &[end]) else { return };
    for name in ["game-1025-1.html", "index.html"] {
        page.open(&server.url(name));
        page.wait_text(".clock.white", "4:50");
        page.eval("later(60000)");
        // Longer than the clocks take to be written anew.
        page.eval("new Promise(done => setTimeout(done, 300))");
        assert_eq!(page.text(".clock.white"), "4:50");
    }
    page.open(&server.url("game-1025-1.html"));
    assert_eq!(page.text(".ending"), "1-0 (flag)");
    page.is_silent();
}

#[test]
fn the_page_says_how_old_its_news_are() {
    let Some((mut page, _site, server)) = timed(2, 25, &[]) else { return };
    page.open(&server.url("game-1025-1.html"));
    page.wait_text(".age", "");
    page.eval("later(300000)");
    page.wait_text(".age", "Last news 5 minutes ago.");
    page.eval("later(3 * 3600000)");
    page.wait_text(".age", "Last news 3 hours ago.");
    page.is_silent();
}
