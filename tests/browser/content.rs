//! The content of a page of a game.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use crate::{
    browser::{Page, page},
    site::{Site, folder, game, live, moves, other, single},
};

fn shown(reader: &str, text: &str) -> Option<(Page, Site)> {
    let (mut page, site) = (page()?, single(reader, text));
    page.open(&site.file("index.html"));
    Some((page, site))
}

#[test]
fn text_that_looks_like_markup_is_shown_literally() {
    let evil = "</script><img src=x onerror='window.evil=1'><script>window.evil=1</script>&amp;";
    let text = format!(
        "[Event \"{evil}\"]\n[White \"{evil}\"]\n[Black \"<b>B</b>\"]\n[WhiteTitle \"<i>\"]\n[Site \"<!--\"]\n[Result \"*\"]\n\n\
         {{{evil}}} 1. e4 {{{evil} <!--}} (1. d4 {{{evil}}}) *\n\n"
    );
    let Some((mut page, site)) = shown("from-pgn", &text.repeat(2)) else { return };
    assert_eq!(page.text(".games .white"), evil);
    page.open(&site.file("index.html#game-1"));
    assert_eq!(page.text(".player.white .name"), evil);
    assert_eq!(page.text(".player.white .title"), "<i>");
    assert_eq!(page.text("h1"), format!("{evil} – <b>B</b>"));
    assert_eq!(page.text(".moves > .comment"), evil);
    assert_eq!(page.text(".variation .comment"), evil);
    assert!(page.text(".tags").contains("Site<!--"));
    let folder = folder(&text);
    for name in ["index.html", "game-1.html"] {
        page.open(&folder.file(name));
        assert_eq!(page.text(".player.white .name"), evil);
        assert_eq!(
            page.eval("[window.evil === undefined, document.querySelector('main img') === null]"),
            json!([true, true])
        );
    }
    page.is_silent();
}

#[test]
fn pain_3_first_illegal_move_is_named() {
    let Some((mut page, _site)) = shown("from-pgn", "[Result \"*\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n") else {
        return;
    };
    let shown = page.text(".moves > .anomaly");
    assert!(shown.contains("2. Ke3") && shown.contains("illegal"), "{shown}");
    assert!(page.text(".doubts").starts_with("Not certain: 1"));
    // It follows the last legal move.
    assert_eq!(page.eval("document.querySelector('.anomaly').previousElementSibling.textContent"), "e5");
    page.is_silent();
}

#[test]
fn pain_14_chess960_castling_shows_where_both_pieces_land() {
    let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1k6/8/8/8/8/8/8/RK5R w HA - 0 1\"]\n[Result \"*\"]\n\n1. O-O-O (1. O-O) *\n";
    let Some((mut page, _site)) = shown("from-pgn", text) else { return };
    page.keys(&["ArrowRight"]);
    assert_eq!(
        (page.seen_on("c1"), page.seen_on("d1")),
        (vec!["wk".into(), "last".into()], vec!["wr".into()])
    );
    assert_eq!((page.seen_on("b1"), page.seen_on("a1")), (vec!["last".into()], vec![]));
    page.keys(&["ArrowDown"]);
    assert_eq!(
        (page.seen_on("g1"), page.seen_on("f1")),
        (vec!["wk".into(), "last".into()], vec!["wr".into()])
    );
    assert_eq!((page.seen_on("b1"), page.seen_on("h1")), (vec!["last".into()], vec![]));
    page.is_silent();
}

#[test]
fn capture_of_four_men_shows_path_and_captured_men() {
    let text =
        "[GameType \"25\"]\n[SetUp \"1\"]\n[FEN \"W:Wc1:Bd2,f4,f6,d6,Kh8\"]\n[Result \"*\"]\n\n1. c1:c5 *\n";
    let Some((mut page, _site)) = shown("from-pdn", text) else { return };
    assert_eq!(
        (page.seen_on("c1"), page.seen_on("h8"), page.seen_on("d6")),
        (vec!["wm".into()], vec!["bd".into()], vec!["bm".into()])
    );
    page.keys(&["ArrowRight"]);
    assert_eq!(page.current(), "c1:e3:g5:e7:c5");
    assert_eq!(page.seen_on("c5"), ["wm", "last"]);
    for square in ["c1", "e3", "g5", "e7"] {
        assert_eq!(page.seen_on(square), ["last"], "{square}");
    }
    for square in ["d2", "f4", "f6", "d6"] {
        assert_eq!(page.seen_on(square), ["taken"], "{square}");
    }
    page.is_silent();
}

#[test]
fn moves_are_numbered_as_in_print() {
    let text = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 12\"]\n[Result \"*\"]\n\n\
                {Before.} 12... Kd7 13. e4 {Good.} Kd6 (13... Ke6 14. Kd2 Ke5) 14. Kd2 $1 Kc5 *\n";
    let Some((mut page, _site)) = shown("from-pgn", text) else { return };
    assert_eq!(
        page.text(".moves"),
        "Before. 12... Kd7 13. e4 Good. 13... Kd6 13... Ke6 14. Kd2 Ke5 14. Kd2! Kc5"
    );
    assert_eq!(page.eval("document.querySelector('.nag').title"), "good move");
    page.is_silent();
}

#[test]
fn null_moves_and_games_without_moves_are_shown() {
    let Some((mut page, _site)) = shown("from-pgn", "[Result \"*\"]\n\n1. e4 (1. -- e5) *\n") else { return };
    page.keys(&["ArrowRight", "ArrowDown"]);
    assert_eq!((page.current(), page.seen_on("e2")), ("--".into(), vec!["wp".into()]));
    page.keys(&["ArrowRight"]);
    assert_eq!(page.seen_on("e5"), ["bp", "last"]);
    page.is_silent();
    drop(page);
    let Some((mut page, _site)) = shown("from-pgn", "[White \"Amber\"]\n[Result \"1-0\"]\n\n1-0\n") else {
        return;
    };
    page.keys(&["ArrowRight", "End", "ArrowDown", "f", " "]);
    assert_eq!(
        (page.text(".moves"), page.text(".ending"), page.current()),
        (String::new(), "1–0".into(), String::new())
    );
    page.is_silent();
}

#[test]
fn clocks_show_the_times_of_the_current_move() {
    let text = "[Result \"*\"]\n\n1. e4 {[%clk 1:30:00]} e5 {[%clk 1:29:00]} 2. Nf3 {[%clk 1:28:30]} *\n";
    let Some((mut page, _site)) = shown("from-pgn", text) else { return };
    let mut clocks = |keys: &[&str]| {
        page.keys(keys);
        (page.text(".clock.white"), page.text(".clock.black"))
    };
    assert_eq!(clocks(&["ArrowRight"]), ("1:30:00".into(), String::new()));
    assert_eq!(clocks(&["ArrowRight"]), ("1:30:00".into(), "1:29:00".into()));
    assert_eq!(clocks(&["ArrowRight"]), ("1:28:30".into(), "1:29:00".into()));
    assert_eq!(clocks(&["ArrowLeft"]), ("1:30:00".into(), "1:29:00".into()));
    page.is_silent();
}

#[test]
fn pain_7_missing_clock_keeps_the_last_time() {
    let text =
        "[Result \"*\"]\n\n1. e4 {[%clk 1:30:00]} e5 {[%clk 1:29:00]} 2. Nf3 Nc6 3. Bb5 {[%clk 1:20:00]} *\n";
    let Some((mut page, _site)) = shown("from-pgn", text) else { return };
    page.keys(&["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]);
    assert_eq!((page.text(".clock.white"), page.text(".clock.black")), ("1:30:00".into(), "1:29:00".into()));
    page.keys(&["ArrowRight"]);
    assert_eq!((page.text(".clock.white"), page.text(".clock.black")), ("1:20:00".into(), "1:29:00".into()));
    page.is_silent();
}

#[test]
fn pain_24_squares_and_arrows_are_drawn() {
    // Commands from two comments, one of them broken at the end of a line.
    let text = "[Result \"*\"]\n\n{[%csl Gd4][%cal Rg1f3] Look. [%cal\nYa1a8,Gb1c3]} 1. e4 {[%csl Re5]} {[%cal Bd8h4]} e5 *\n";
    let Some((mut page, _site)) = shown("from-pgn", text) else { return };
    assert_eq!(page.text(".moves"), "Look. 1. e4 e5");
    assert_eq!(page.seen_on("d4"), ["shape G"]);
    assert_eq!(
        (page.seen_on("a1"), page.seen_on("a5")),
        (vec!["shape Y arrow".into(), "wr".into()], vec!["shape Y arrow".into()])
    );
    // The arrows of knights are straight.
    assert_eq!(
        (page.seen_on("f3"), page.seen_on("c3")),
        (vec!["shape R arrow".into()], vec!["shape G arrow".into()])
    );
    page.keys(&["ArrowRight"]);
    assert_eq!(
        (page.seen_on("d4"), page.seen_on("a5"), page.seen_on("e5")),
        (vec![], vec![], vec!["shape R".into()])
    );
    assert_eq!((page.seen_on("g5"), page.seen_on("h3")), (vec!["shape B arrow".into()], vec![]));
    page.keys(&["f"]);
    // With White above, g5 is where b4 usually is.
    assert_eq!(
        (page.seen_on("b4"), page.seen_on("d4")),
        (vec!["shape B arrow".into()], vec!["shape R".into()])
    );
    page.keys(&["ArrowRight"]);
    assert_eq!(page.eval("document.querySelector('.shape') === null"), true);
    page.is_silent();
}

#[test]
fn anomaly_shows_the_position_of_the_board() {
    let Some(mut page) = page() else { return };
    let mut site = live(&[]);
    let of_chess =
        r#""ply":1,"kind":"unexplained","placement":"8/8/8/4k3/3K4/8/8/8","detail":"a rook vanished""#;
    let draughts = game(1026).replace("\"chess\"", "\"russian\"");
    let draughts = draughts.replace("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "W:Wc3:Bf6");
    let of_draughts = r#""ply":0,"kind":"illegal","placement":"8/8/5p2/8/8/2P5/8/8""#;
    site.feed(
        &[
            &[game(1025)],
            &moves(1025, 1..=2)[..],
            &[other(1025, "anomaly", of_chess), draughts, other(1026, "anomaly", of_draughts)],
        ]
        .concat(),
    );
    site.holds("live.json", "1026-1");
    site.holds("game-1026-1.html", "illegal");
    for (name, expected, pieces) in [
        ("game-1025-1.html", "unexplained: a rook vanished", json!([["bk", 4, 3], ["wk", 3, 4]])),
        ("game-1026-1.html", "illegal", json!([["bm", 5, 2], ["wm", 2, 5]])),
    ] {
        page.open(&site.file(name));
        assert_eq!(page.text(".moves > .anomaly"), expected);
        page.click(".anomaly summary");
        let places = "(() => { const board = document.querySelector('.anomaly .board').getBoundingClientRect(); \
                      return [...document.querySelectorAll('.anomaly .board b')].map(man => { const box = man.getBoundingClientRect(); \
                      return [man.className, Math.round(8 * (box.left - board.left) / board.width), Math.round(8 * (box.top - board.top) / board.height)]; }); })()";
        page.wait("document.querySelector('.anomaly .board').offsetHeight > 100");
        assert_eq!(page.eval(places), pieces);
    }
    page.is_silent();
}

#[test]
fn position_is_drawn_before_the_moves_are_listed() {
    let Some(mut page) = page() else { return };
    // The content at the first frame that has a board.
    let look = "requestAnimationFrame(function look() { const count = name => document.querySelectorAll(name).length; \
                if (!count('.desk .board b')) return requestAnimationFrame(look); \
                window.first = [count('.desk .board b'), count('.name'), count('.move')]; })";
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": look}));
    let site = single("from-pgn", "[White \"Amber\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5) *\n");
    page.open(&site.file("index.html#game-1/2-1-1"));
    assert_eq!(page.eval("window.first"), json!([32, 2, 0]));
    assert_eq!(page.current(), "c5");
    page.is_silent();
}

#[test]
fn pain_2_guesses_and_claims_are_marked() {
    let Some(mut page) = page() else { return };
    let mut site = live(&[]);
    let guess =
        moves(1025, 1..=1)[0].replace("\"seconds\"", "\"guess\":true,\"claim\":\"threefold\",\"seconds\"");
    site.feed(&[game(1025), guess, other(1025, "anomaly", r#""ply":1,"kind":"gap","detail":"<b>lost</b>""#)]);
    site.holds("game-1025-1.html", "lost");
    page.open(&site.file("game-1025-1.html"));
    assert_eq!(page.text(".cell"), "e4guessthreefold can be claimed4:50");
    assert_eq!(page.text(".moves > .anomaly"), "gap: <b>lost</b>");
    page.open(&site.file("index.html"));
    assert_eq!(page.text(".card p"), "1. e4?");
    page.is_silent();
}

#[test]
fn probabilities_of_a_move_and_its_alternatives_are_shown() {
    let Some(mut page) = page() else { return };
    let mut site = live(&[]);
    let likely = |ply: usize, rest: &str| {
        moves(1025, ply..=ply)[0].replace("\"seconds\"", &format!("{rest},\"seconds\""))
    };
    let first = likely(
        1,
        r#""certainty":0.8725,"alternatives":[{"san":"e3","uci":"e2e3","certainty":0.12},{"san":"d4","uci":"d2d4","certainty":0.005}]"#,
    );
    let second = likely(2, r#""certainty":0.9998"#);
    site.feed(&[
        game(1025),
        first,
        second,
        moves(1025, 3..=3)[0].clone(),
        game(1026),
        likely(1, r#""certainty":0.999"#).replace("1025", "1026"),
    ]);
    site.holds("live.json", "[\"1026-1\",2,");
    let doubts =
        "[...document.querySelectorAll('.cell')].map(cell => cell.querySelector('.doubt')?.innerText ?? '')";
    let marks = "[...document.querySelectorAll('.card')].map(card => card.querySelector('.doubt')?.textContent ?? '')";
    page.open(&site.file("game-1025-1.html"));
    assert_eq!(page.eval(doubts), json!(["87 %", "", ""]));
    assert_eq!(page.text(".doubts"), "Not certain: 1, marked in the moves.");
    page.open(&site.file("index.html"));
    assert_eq!(page.eval(marks), json!(["?", ""]));
    // The arbiter's view shows all of them, and stays on when he opens another page.
    page.open(&site.file("index.html?arbiter"));
    assert_eq!(page.eval(marks), json!(["?", ""]));
    page.click(".card");
    page.wait("document.querySelectorAll('.cell').length === 3");
    assert_eq!(page.eval(doubts), json!(["e4 87.25 %, e3 12 %, d4 0.5 %", "e5 99.98 %", ""]));
    // A nearly certain move is marked at its place only.
    assert_eq!(page.text(".doubts"), "Not certain: 1, marked in the moves.");
    page.click(".back");
    page.wait("document.querySelector('.card') && location.search === '?arbiter'");
    page.is_silent();
}

#[test]
fn spectators_see_no_doubt_above_nine_in_ten() {
    let Some(mut page) = page() else { return };
    let mut site = live(&[]);
    let likely = |board: u16, ply: usize, certainty: &str| {
        moves(board, ply..=ply)[0].replace("\"seconds\"", &format!("\"certainty\":{certainty},\"seconds\""))
    };
    let first = [game(1025), likely(1025, 1, "0.95"), likely(1025, 2, "0.9"), likely(1025, 3, "0.8999")];
    site.feed(&[&first[..], &[game(1026), likely(1026, 1, "0.95")]].concat());
    site.holds("live.json", "[\"1026-1\",2,");
    let doubts =
        "[...document.querySelectorAll('.cell')].map(cell => cell.querySelector('.doubt')?.innerText ?? '')";
    let marks = "[...document.querySelectorAll('.card')].map(card => card.querySelector('.doubt')?.textContent ?? '')";
    for (query, expected, count, boards) in [
        ("", json!(["", "", "90 %"]), 1, json!(["?", ""])),
        ("?arbiter", json!(["e4 95 %", "e5 90 %", "Bc4 89.99 %"]), 3, json!(["?", "?"])),
    ] {
        page.open(&site.file(&format!("game-1025-1.html{query}")));
        assert_eq!(page.eval(doubts), expected);
        assert_eq!(page.text(".doubts"), format!("Not certain: {count}, marked in the moves."));
        page.open(&site.file(&format!("index.html{query}")));
        assert_eq!(page.eval(marks), boards);
    }
    page.is_silent();
}

#[test]
fn nothing_is_wider_than_320_pixels() {
    let Some(mut page) = page() else { return };
    let text = "[White \"A name of more than thirty letters\"]\n[Black \"Birch\"]\n[WhiteTitle \"GM\"]\n[WhiteElo \"2500\"]\n\
                [Event \"An event with a long name, and nothing-to-break-it-at-in-all-of-its-second-half\"]\n[Result \"*\"]\n\n\
                1. e4 {[%clk 1:30:00] A_comment_without_any_place_to_break_the_line_at_all} e5 (1... c5 (1... e6 (1... c6))) *\n\n";
    let (site, list) = (folder(text), single("from-pgn", &text.repeat(3)));
    page.size(320, 640);
    for url in [
        site.file("index.html"),
        site.file("game-1.html"),
        list.file("index.html"),
        list.file("index.html?1#game-2"),
    ] {
        page.open(&url);
        assert_eq!(page.eval("document.documentElement.scrollWidth"), 320, "{url}");
    }
    page.open(&site.file("game-1.html?embed"));
    assert_eq!(page.eval("getComputedStyle(document.querySelector('header')).display"), "none");
    assert_eq!(page.eval("getComputedStyle(document.querySelector('.about')).display"), "none");
    assert_eq!(page.eval("document.querySelector('.desk .board').offsetWidth > 200"), true);
    page.is_silent();
}

#[test]
fn print_has_diagram_and_notation() {
    let Some((mut page, _site)) = shown("from-pgn", "[Result \"*\"]\n\n1. e4 e5 {Well.} 2. Nf3 *\n") else {
        return;
    };
    page.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    assert_eq!(
        page.eval(
            "document.querySelector('.controls').offsetHeight + document.querySelector('.fen').offsetHeight"
        ),
        0
    );
    // The moves run on like text.
    let lines = "new Set([...document.querySelectorAll('.moves .move')].map(move => move.getBoundingClientRect().top)).size";
    assert_eq!(page.eval(lines), 1);
    assert_eq!(page.eval("getComputedStyle(document.querySelector('.board')).printColorAdjust"), "exact");
    page.is_silent();
}

#[test]
fn reduced_motion_is_respected() {
    let Some((mut page, _site)) = shown("from-pgn", "[Result \"*\"]\n\n1. e4 *\n") else { return };
    let duration = "getComputedStyle(document.querySelector('.desk .board b')).transitionDuration";
    assert_ne!(page.eval(duration), "0s");
    page.call(
        "Emulation.setEmulatedMedia",
        json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}),
    );
    assert_eq!(page.eval(duration), "0s");
    page.is_silent();
}

#[test]
fn pain_16_text_of_a_game_can_be_saved() {
    let Some(mut page) = page() else { return };
    let site = folder("[White \"Amber\"]\n[Result \"*\"]\n\n1. e4 *\n");
    page.open(&site.file("game-1.html"));
    // What a click would save, without saving it.
    page.eval("document.addEventListener('click', event => event.preventDefault())");
    page.click(".downloads a:nth-child(2)");
    let found = page.eval("(({download, href}) => [download, href.split(':')[0]])(document.querySelector('.downloads a:nth-child(2)'))");
    assert_eq!(found, json!(["1.pgn", "blob"]));
    // A page that needs nothing beside itself has no file of all games.
    let alone = single("from-pgn", "[White \"Amber\"]\n[Result \"*\"]\n\n1. e4 *\n");
    page.open(&alone.file("index.html"));
    page.eval("document.addEventListener('click', event => event.preventDefault())");
    page.click(".downloads a");
    let found = page.eval(
        "(({download, href}) => [download, href.split(':')[0], JSON.parse(document.getElementById('game-1').textContent).pgn.includes('1. e4 *')])
           (document.querySelector('.downloads a:only-child'))",
    );
    assert_eq!(found, json!(["1.pgn", "blob", true]));
    page.is_silent();
}

#[test]
fn script_style_and_skeleton_stay_small() {
    let all = concat!(
        include_str!("../../src/format/html/page.js"),
        include_str!("../../src/format/html/page.css"),
        include_str!("../../src/format/html/view.html")
    );
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(all.as_bytes()).unwrap();
    let packed = packed.finish().unwrap().len();
    assert!(packed < 24_000, "{packed} bytes");
}
