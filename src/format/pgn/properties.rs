//! Properties for any text: nothing panics, nothing depends on how the bytes arrive, and written games are read again
//! unchanged.

use proptest::prelude::*;

use super::{Cutter, GameText, Json, ReportKind, Style, records};
use crate::{
    format::game::Game,
    record::{GameEvent, Record, parse},
};

/// Parts of PGN, and some other text.
fn pgn() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "e4",
        "e5",
        "Nf3",
        "Nc6",
        "Bb5",
        "a6",
        "d4",
        "d5",
        "exd5",
        "Qxd5",
        "O-O",
        "0-0-0",
        "--",
        "b8Q+",
        "e4e5",
        "1.",
        "1...",
        "2",
        "..",
        "!",
        "?!",
        "$3",
        "$",
        "$999",
        "+-",
        "N",
        "e.p.",
        "(",
        ")",
        "{",
        "}",
        "{x}",
        "{[%clk 0:01:00]}",
        "{[%emt\n0:00:02]}",
        "{[%clk",
        "]",
        "[",
        "\"",
        ";",
        "; a } b\n",
        "%",
        "\n%x\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "½-½",
        "[Event \"x\"]\n",
        "[White \"a \\\"b\\\"\"]\n",
        "[Event \"un",
        "[Result \"1-0\"]\n",
        "[FEN \"8/8/8/8/8/8/8/K6k b - - 0 1\"]\n",
        "[FEN \"?\"]",
        "[Variant \"Chess960\"]\n",
        "\u{feff}",
        "♘c3",
        "é",
        "[%x]",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.join(" "))
}

/// The texts of the games, and the line of each.
fn cut(text: &[u8], blocks: &[usize]) -> Vec<(u64, Vec<u8>)> {
    let (mut cutter, mut games, mut rest) = (Cutter::default(), Vec::new(), text);
    let mut take = |game: GameText<'_>| {
        games.push((game.line, game.text.to_vec()));
        Ok::<(), ()>(())
    };
    for length in blocks.iter().copied().cycle().take(if blocks.is_empty() { 0 } else { text.len() }) {
        let (block, tail) = rest.split_at(length.clamp(1, rest.len().max(1)).min(rest.len()));
        if !block.is_empty() {
            cutter.push(block, &mut take).unwrap();
        }
        rest = tail;
    }
    if !rest.is_empty() {
        cutter.push(rest, &mut take).unwrap();
    }
    cutter.push(&[], &mut take).unwrap();
    games
}

fn lines(text: &[u8]) -> Vec<u8> {
    let mut json = Json::default();
    json.begin("x.pgn");
    for (number, (line, text)) in cut(text, &[]).iter().enumerate() {
        json.read(GameText { line: *line, text }, number as u32 + 1);
    }
    json.lines().to_vec()
}

/// The PGN that to-pgn writes for records.
fn written(records: &[u8]) -> Vec<u8> {
    let (mut out, mut game) = (Vec::new(), None::<Game>);
    let style = Style { elapsed: true, ..Style::default() };
    for line in records.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        let Record::Game(record) = parse(line).unwrap() else { panic!("a game record") };
        match record.event.clone() {
            GameEvent::Game(start) => {
                game.iter().for_each(|game| style.write(&mut out, game));
                game = Some(Game::new(&record, start));
            }
            event => game.as_mut().unwrap().apply(event, None).unwrap(),
        }
    }
    game.iter().for_each(|game| style.write(&mut out, game));
    out
}

/// All the reports on a text; none when a part of it is no game, of which only the beginning is quoted.
fn said(text: &[u8]) -> Option<String> {
    let mut json = Json::default();
    json.begin("x.pgn");
    for (number, (line, text)) in cut(text, &[]).iter().enumerate() {
        json.read(GameText { line: *line, text }, number as u32 + 1);
    }
    let is_no_game = json.reports().iter().any(|report| report.kind == ReportKind::NoGame);
    (!is_no_game).then(|| String::from_utf8_lossy(json.lines()).into_owned())
}

#[test]
fn a_long_sign_is_reported_completely() {
    for length in 55..70 {
        let (stray, word) = ("]".repeat(length), "x".repeat(length));
        for (text, lost) in [(format!("1. {stray} e4"), &stray), (format!("1. e4 {word} e5"), &word)] {
            let said = said(format!("[Event \"x\"]\n{text}").as_bytes()).unwrap();
            assert!(said.contains(lost.as_str()), "{text}: {said}");
        }
    }
}

proptest! {
    #[test]
    fn no_word_comment_or_sign_is_dropped_silently(
        before in pgn(),
        after in pgn(),
        mark in prop::sample::select(vec!["QQ77", "Nh9", "{QQ77}", ";QQ77\n", "b8=QQ77", "[QQ77 x]\n", "7-7"]),
    ) {
        // A line that an escape hides at its beginning does not count.
        let text = format!("[Event \"x\"]\n{before} {mark} {after}").replace('%', "");
        let word = mark.trim_matches(['{', '}', ';', '\n', '[']);
        let word = word.trim_end_matches(" x]").trim_start_matches("b8=");
        let Some(said) = said(text.as_bytes()) else { return Ok(()) };
        prop_assert!(said.contains(word), "{}\n{}", text, said);
    }

    #[test]
    fn the_blocks_in_which_bytes_arrive_do_not_matter(
        text in pgn(),
        blocks in prop::collection::vec(1usize..9, 1..20),
    ) {
        prop_assert_eq!(cut(text.as_bytes(), &[]), cut(text.as_bytes(), &blocks));
    }

    #[test]
    fn every_byte_is_in_the_text_of_a_game(text in pgn()) {
        let texts: Vec<u8> = cut(text.as_bytes(), &[]).into_iter().flat_map(|(_, text)| text).collect();
        let visible = |text: &[u8]| text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect::<Vec<u8>>();
        prop_assert_eq!(visible(&texts), visible(text.as_bytes()));
    }

    #[test]
    fn any_bytes_are_read_to_records_or_refused(text in prop::collection::vec(any::<u8>(), 0..300)) {
        for (line, text) in cut(&text, &[]) {
            records(GameText { line, text: &text }, "x", 1);
        }
    }

    #[test]
    fn quick_lines_survive_writing_and_reading(text in pgn()) {
        let games = cut(text.as_bytes(), &[]);
        let mut values = Vec::new();
        for (number, (line, text)) in games.iter().enumerate() {
            for record in records(GameText { line: *line, text }, "x.pgn", number as u32 + 1) {
                serde_json::to_writer(&mut values, &record).unwrap();
                values.push(b'\n');
            }
        }
        let lines = lines(text.as_bytes());
        prop_assert_eq!(String::from_utf8_lossy(&lines), String::from_utf8_lossy(&values));
        let first = written(&lines);
        let second = written(&self::lines(&first));
        prop_assert_eq!(String::from_utf8_lossy(&first), String::from_utf8_lossy(&second));
        let third = written(&self::lines(&second));
        prop_assert!(second == third);
    }
}
