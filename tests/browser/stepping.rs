//! Moving through a game: keys, mouse, links.

use serde_json::json;

use crate::{
    browser::{Page, page},
    site::{Site, single},
};

/// Variations three deep.
const DEEP: &str = r#"[White "Amber"]
[Black "Birch"]
[Result "*"]

1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4 (3. Bb5 g6 (3... e6) 4. O-O) 3... cxd4) 3. d4) (1... e6) 2. Nf3 Nc6 *
"#;

fn deep() -> Option<(Page, Site)> {
    let (mut page, site) = (page()?, single("from-pgn", DEEP));
    page.open(&site.file("index.html"));
    Some((page, site))
}

#[test]
fn arrows_home_and_end_step_through_the_game() {
    let Some((mut page, _site)) = deep() else { return };
    assert_eq!(page.current(), "");
    page.keys(&["ArrowRight", "ArrowRight", "ArrowRight"]);
    assert_eq!(page.current(), "Nf3");
    assert_eq!(page.seen_on("f3"), ["wn", "last"]);
    assert_eq!(page.seen_on("g1"), ["last"]);
    page.keys(&["ArrowLeft"]);
    assert_eq!(page.current(), "e5");
    assert_eq!(page.seen_on("g1"), ["wn"]);
    page.keys(&["End"]);
    assert_eq!(page.current(), "Nc6");
    // There is nothing after the last move.
    page.keys(&["ArrowRight"]);
    assert_eq!(page.current(), "Nc6");
    page.keys(&["Home"]);
    assert_eq!(page.current(), "");
    assert_eq!(page.seen_on("e2"), ["wp"]);
    page.is_silent();
}

#[test]
fn down_enters_nested_variations_and_up_leaves_them() {
    let Some((mut page, _site)) = deep() else { return };
    let steps = [
        ("ArrowRight", "e4"),
        ("ArrowRight", "e5"),
        ("ArrowDown", "c5"),
        ("ArrowRight", "Nf3"),
        ("ArrowRight", "d6"),
        ("ArrowDown", "Nc6"),
        ("ArrowRight", "d4"),
        ("ArrowDown", "Bb5"),
        ("ArrowRight", "g6"),
        ("ArrowDown", "e6"),
        ("ArrowUp", "g6"),
        ("ArrowRight", "O-O"),
        ("ArrowUp", "Bb5"),
        ("ArrowUp", "d4"),
        ("ArrowUp", "Nc6"),
        ("ArrowUp", "d6"),
        ("ArrowUp", "c5"),
        ("ArrowDown", "e6"),
        ("ArrowUp", "c5"),
        ("ArrowUp", "e5"),
    ];
    for (nth, (key, expected)) in steps.into_iter().enumerate() {
        page.keys(&[key]);
        assert_eq!(page.current(), expected, "step {nth}");
        if nth == 11 {
            assert_eq!(
                (page.seen_on("g1"), page.seen_on("g6")),
                (vec!["wk".into(), "last".into()], vec!["bp".into()])
            );
        }
    }
    // Back from the first move of a variation is the position in which it began.
    page.keys(&["ArrowDown", "ArrowLeft"]);
    assert_eq!(page.current(), "e4");
    page.is_silent();
}

#[test]
fn click_on_a_move_adds_to_history() {
    let Some((mut page, _site)) = deep() else { return };
    page.click(".moves > .cell > .move");
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'e4'");
    // 3. Bb5 in the variation of the variation.
    page.click(".variation .variation .variation .move");
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'Bb5'");
    assert_eq!(page.eval("location.hash"), "#game-1/2-1-3-1-2-1-1");
    page.travel("back");
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'e4'");
    page.is_silent();
}

#[test]
fn link_with_a_fragment_shows_its_position() {
    let Some((mut page, site)) = deep() else { return };
    page.open(&site.file("index.html#game-1/2-1-3-1-2-1-2-1-1"));
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'e6'");
    assert_eq!(page.seen_on("b5"), ["wb"]);
    // A fragment that names no move shows the start.
    page.open(&site.file("index.html?again#game-1/2-9-9"));
    assert_eq!((page.current(), page.seen_on("e2")), (String::new(), vec!["wp".into()]));
    page.is_silent();
}

#[test]
fn key_step_updates_the_address() {
    let Some((mut page, _site)) = deep() else { return };
    page.keys(&["ArrowRight", "ArrowRight", "ArrowDown"]);
    page.wait("location.hash === '#game-1/2-1-1'");
    page.is_silent();
}

#[test]
fn link_clicked_right_after_a_step_is_followed() {
    let Some((mut page, _site)) = deep() else { return };
    // The address of a step is written a moment later. The worst moment is between the browser's own handling of a click and the
    // event that reports it.
    page.eval(
        "(() => { const waiting = new Map(), forget = clearTimeout; let last = 1e9; \
         window.setTimeout = then => { waiting.set(++last, then); return last; }; \
         window.clearTimeout = which => { waiting.delete(which); forget(which); }; \
         document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true})); \
         const link = document.querySelectorAll('.variation .move')[1]; \
         link.addEventListener('click', event => event.preventDefault()); \
         link.click(); \
         location.hash = link.hash; \
         waiting.forEach(then => then()); })()",
    );
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'Nf3'");
    assert_eq!(page.eval("location.hash"), "#game-1/2-1-2");
    page.is_silent();
}

#[test]
fn taps_on_board_halves_and_swipes_step() {
    let Some((mut page, _site)) = deep() else { return };
    page.click_at(".desk .board", 0.9, 0.5);
    page.click_at(".desk .board", 0.6, 0.1);
    assert_eq!(page.current(), "e5");
    page.click_at(".desk .board", 0.1, 0.9);
    assert_eq!(page.current(), "e4");
    page.drag(".desk .board", (0.4, 0.5), (0.2, 0.5));
    assert_eq!(page.current(), "e5");
    page.drag(".desk .board", (0.6, 0.5), (0.9, 0.5));
    assert_eq!(page.current(), "e4");
    page.is_silent();
}

#[test]
fn f_turns_the_board_and_back() {
    let Some((mut page, _site)) = deep() else { return };
    page.keys(&["ArrowRight", "f"]);
    // With White above, e4 is where d5 usually is.
    assert_eq!(page.seen_on("d5"), ["wp", "last"]);
    assert_eq!(page.seen_on("d8"), ["wk"]);
    let order = "['.player.white', '.player.black', '.frame'].sort((one, other) => \
                 document.querySelector(one).getBoundingClientRect().top - document.querySelector(other).getBoundingClientRect().top).join()";
    assert_eq!(page.eval(order), ".player.white,.frame,.player.black");
    page.keys(&["f"]);
    assert_eq!(page.seen_on("e4"), ["wp", "last"]);
    assert_eq!(page.eval(order), ".player.black,.frame,.player.white");
    page.is_silent();
}

#[test]
fn space_plays_the_game_and_a_step_stops_it() {
    let Some((mut page, _site)) = deep() else { return };
    page.keys(&[" "]);
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'e5'");
    assert_eq!(page.eval("document.querySelector('[aria-pressed=true]') !== null"), true);
    page.keys(&["Home"]);
    assert_eq!(page.eval("document.querySelector('[aria-pressed=true]') === null"), true);
    page.keys(&["End", "ArrowLeft", " "]);
    // At the end it stops by itself.
    page.wait("document.querySelector('.move[aria-current]')?.textContent === 'Nc6'");
    page.wait("document.querySelector('[aria-pressed=true]') === null");
    page.is_silent();
}

#[test]
fn list_of_games_keeps_its_search_after_a_visit() {
    let Some(mut page) = page() else { return };
    let game = |white: &str, black: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n")
    };
    let text: String = (1..=450).map(|nth| game(&format!("Amber {nth}"), "Birch")).collect();
    let site = single("from-pgn", &(text + &game("Cedar", "Dogwood")));
    page.open(&site.file("index.html"));
    assert_eq!(page.text(".games tr"), "1Amber 1Birch1–0B001");
    page.click("input");
    page.call("Input.insertText", json!({"text": "dogw CEDAR"}));
    page.wait("document.querySelectorAll('.games tr').length === 1");
    page.click(".games .white a");
    page.wait("document.querySelector('h1').textContent === 'Cedar – Dogwood'");
    assert_eq!(page.eval("location.hash"), "#game-451");
    page.click(".back");
    page.wait("document.querySelectorAll('.games tr').length === 1");
    // Without a search all can be reached: rows are added as needed.
    page.eval(
        "(() => { const input = document.querySelector('input'); input.value = ''; input.oninput(); })()",
    );
    page.wait(
        "scrollTo(0, document.body.scrollHeight), document.querySelectorAll('.games tr').length === 451",
    );
    page.is_silent();
}

#[test]
fn position_can_be_copied_as_fen() {
    let Some((mut page, _site)) = deep() else { return };
    page.keys(&["ArrowRight"]);
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(page.eval("document.querySelector('.fen input').value"), fen);
    page.eval("document.addEventListener('copy', () => { window.taken = String(getSelection()) || document.activeElement.value; })");
    page.click(".fen button");
    page.wait(&format!("window.taken === '{fen}'"));
    page.is_silent();
}
