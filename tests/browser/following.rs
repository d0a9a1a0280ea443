//! A game that is being played while its page is open.

use serde_json::json;

use crate::{
    browser::{Page, page},
    site::{OTHER, Server, Site, game, live, moves, other, record},
};

/// A page over http that follows a game with two plies so far.
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
fn follower_sees_each_new_move() {
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
fn new_moves_do_not_change_the_position_under_study() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    page.keys(&["ArrowLeft"]);
    assert_eq!((page.eval(IS_LISTENING), page.eval(NEWS)), (false.into(), "Follow the game".into()));
    site.feed(&moves(1025, 3..=4));
    page.wait(&format!("({NEWS}) === 'Follow the game (2 new: 2... Nc6)'"));
    assert_eq!((page.current().as_str(), page.seen_on("e4")), ("e4", vec!["wp".into(), "last".into()]));
    // Neither steps, even to the last move, nor the link of a move end this.
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
fn withdrawal_of_the_current_move_is_shown() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    page.keys(&["ArrowLeft", "ArrowRight"]);
    assert_eq!((page.current().as_str(), page.eval(IS_LISTENING)), ("e5", false.into()));
    site.feed(&[other(1025, "takeback", "\"ply\":1")]);
    page.wait_text(".notice", "Taken back: 1... e5");
    assert_eq!((page.current().as_str(), page.eval(IS_LISTENING)), ("e4", false.into()));
    assert_eq!(page.seen_on("e7"), ["bp"]);
    assert_eq!(page.text("[role=status]"), "Taken back: 1... e5");
    // A step of the visitor removes the message.
    page.keys(&["Home"]);
    page.wait_text(".notice", "");
    page.is_silent();
}

#[test]
fn correction_of_an_earlier_move_reaches_a_later_position() {
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
fn takeback_does_not_disturb_an_earlier_position() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    page.keys(&["ArrowLeft"]);
    site.feed(&[other(1025, "takeback", "\"ply\":1")]);
    page.wait("document.querySelectorAll('.moves .move').length === 1");
    assert_eq!((page.current().as_str(), page.text(".notice")), ("e4", String::new()));
    page.is_silent();
}

#[test]
fn pain_20_returning_server_needs_no_reload() {
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
fn folder_opened_without_a_server_is_followed() {
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
fn hidden_tab_stops_polling_until_it_is_visible() {
    let Some((mut page, _site, server)) = followed() else { return };
    let hide = |hidden: bool| {
        format!(
            "Object.defineProperty(document, 'hidden', {{configurable: true, get: () => {hidden}}}); \
             document.dispatchEvent(new Event('visibilitychange'))"
        )
    };
    page.eval(&hide(true));
    // One answer may be on its way; then ten refreshes pass without a request.
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
fn running_clock_uses_the_time_of_the_server() {
    // Two plies at 10:00:10 and 10:00:20, each leaving 290 seconds; the server's time is 10:00:25.
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
fn clocks_stop_when_the_game_is_over() {
    let end = other(1025, "end", r#""result":"1-0","reason":"flag""#);
    let Some((mut page, _site, server)) = timed(2, 25, &[end]) else { return };
    for name in ["game-1025-1.html", "index.html"] {
        page.open(&server.url(name));
        page.wait_text(".clock.white", "4:50");
        page.eval("later(60000)");
        // Longer than the interval at which clocks are redrawn.
        page.eval("new Promise(done => setTimeout(done, 300))");
        assert_eq!(page.text(".clock.white"), "4:50");
    }
    page.open(&server.url("game-1025-1.html"));
    assert_eq!(page.text(".ending"), "1–0 (flag)");
    page.is_silent();
}

/// Whether a clock runs, and its colour beside the page's grey.
fn stands_grey(page: &mut Page, clock: &str) -> bool {
    let grey = "(() => { const probe = document.createElement('p'); probe.className = 'number'; document.body.append(probe); \
                const {color} = getComputedStyle(probe); probe.remove(); return color; })()";
    let stands = format!(
        "(({{dataset, ...clock}}, style) => dataset.running === 'false' && style.color === {grey} && \
         style.backgroundColor === 'rgba(0, 0, 0, 0)')(document.querySelector('{clock}'), getComputedStyle(document.querySelector('{clock}')))"
    );
    page.eval(&stands) == true
}

#[test]
fn clocks_stop_in_grey_when_the_data_is_old() {
    let Some((mut page, _site, server)) = timed(2, 25, &[]) else { return };
    for name in ["game-1025-1.html", "index.html"] {
        page.open(&server.url(name));
        page.wait("document.querySelector('.clock.white').dataset.running === 'true'");
        assert!(!stands_grey(&mut page, ".clock.white"), "{name}");
        page.eval("later(240000)");
        page.wait("document.querySelector('.clock.white').textContent.startsWith('0:4')");
        assert_eq!(page.eval("document.querySelector('.clock.white').dataset.running"), "true", "{name}");
        // From here on only the last reported state is certain.
        page.eval("later(60000)");
        page.wait("document.querySelector('.clock.white').dataset.running === 'false'");
        assert_eq!(page.text(".clock.white"), "4:50");
        for clock in [".clock.white", ".clock.black"] {
            assert!(stands_grey(&mut page, clock), "{name} {clock}");
        }
    }
    page.is_silent();
}

#[test]
fn silent_line_stops_while_another_plays_on() {
    let (Some(mut page), mut site) = (page(), live(&["--refresh", "1h"])) else { return };
    let on = |line: &str, records: Vec<String>| -> Vec<String> {
        records
            .iter()
            .map(|record| record.replace("\"board\"", &format!("\"line\":\"{line}\",\"board\"")))
            .collect()
    };
    let played = [vec![game(1025)], moves(1025, 1..=2)].concat();
    // The other hall has gone on for seven minutes.
    let late = moves(1025, 2..=2)[0].replace("10:00:20", "10:07:20");
    let other = [vec![game(1025)], moves(1025, 1..=1), vec![late]].concat();
    site.feed(&[on("hall-1", played), on("hall-2", other)].concat());
    site.holds("live.json", "[\"hall-2-1025-1\",3,");
    let server = Server::start(site.path(), 450);
    page.open(&server.url("index.html"));
    let runs = "[...document.querySelectorAll('.clock.white')].map(clock => clock.dataset.running).join()";
    page.wait(&format!("({runs}) === 'false,true'"));
    page.open(&server.url("game-hall-1-1025-1.html"));
    page.wait_text(".age", "Last news 7 minutes ago.");
    page.wait(&format!("({runs}) === 'false'"));
    page.open(&server.url("game-hall-2-1025-1.html"));
    page.wait(&format!("({runs}) === 'true'"));
    assert_eq!(page.text(".age"), "");
    page.is_silent();
}

#[test]
fn clocks_stop_when_the_round_is_over() {
    let end = other(1025, "end", r#""result":"*","reason":"input-end""#);
    let Some((mut page, _site, server)) = timed(2, 25, &[end]) else { return };
    for name in ["game-1025-1.html", "index.html"] {
        page.open(&server.url(name));
        page.wait_text(".clock.white", "4:50");
        page.eval("later(60000)");
        page.eval("new Promise(done => setTimeout(done, 300))");
        assert_eq!(page.text(".clock.white"), "4:50");
        assert!(stands_grey(&mut page, ".clock.white"), "{name}");
    }
    page.is_silent();
}

#[test]
fn doubt_opens_by_tap_or_key_and_stays_open() {
    let Some((mut page, mut site, _server)) = followed() else { return };
    let sure = r#""certainty":0.62,"alternatives":[{"san":"Nf3","uci":"g1f3","certainty":0.38}],"seconds""#;
    site.feed(&[moves(1025, 3..=3)[0].replace("\"seconds\"", sure)]);
    page.wait("document.querySelector('details.doubt')");
    page.click("details.doubt summary");
    assert_eq!(page.eval("document.querySelector('details.doubt').open"), true);
    assert!(page.text("details.doubt").contains("Bc4 62 %, Nf3 38 %"));
    page.eval("document.querySelector('details.doubt summary').focus()");
    site.feed(&moves(1025, 4..=4));
    page.wait("document.querySelectorAll('.moves .move').length === 4");
    let stays = "[document.querySelector('details.doubt').open, document.activeElement.tagName]";
    assert_eq!(page.eval(stays), json!([true, "SUMMARY"]));
    // The space bar, which otherwise plays the game, activates the mark here.
    for is_open in [false, true] {
        page.keys(&[" "]);
        page.wait(&format!("document.querySelector('details.doubt').open === {is_open}"));
    }
    assert_eq!(page.eval("document.querySelector('.play').ariaPressed"), "false");
    page.is_silent();
}

#[test]
fn age_of_the_data_is_shown() {
    let Some((mut page, _site, server)) = timed(2, 25, &[]) else { return };
    page.open(&server.url("game-1025-1.html"));
    page.wait_text(".age", "");
    page.eval("later(300000)");
    page.wait_text(".age", "Last news 5 minutes ago.");
    page.eval("later(3 * 3600000)");
    page.wait_text(".age", "Last news 3 hours ago.");
    // Beyond a day no hours are shown.
    page.call("Emulation.setTimezoneOverride", json!({"timezoneId": "Europe/Berlin"}));
    page.eval("later(24 * 3600000)");
    page.wait_text(".age", "Last news Nov 21 2026 11:00.");
    page.is_silent();
}
