//! PGN: cut into games, read, written and read again.

use boardbus::{
    format::{
        game::Game,
        pgn::{Cutter, GameText, Json, Style, records},
    },
    record::{GameEvent, Record, parse},
};

use super::bytes::text;

/// Pieces of PGN, valid and invalid.
const WORDS: &[&str] = &[
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
    "b8=Q+",
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
    "{[%eval 0.3][%csl Ra1]}",
    "]",
    "[",
    "\"",
    ";",
    "; a } b\n",
    "\n%x\n",
    "\n",
    "\n\n",
    "\r\n",
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
    "[SetUp \"1\"]\n",
    "[FEN \"bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w GCgc - 0 1\"]\n",
    "[Variant \"Chess960\"]\n",
    "\u{feff}",
    "♘c3",
    "é",
    "[%x]",
    "Nh3",
    "Bc4",
    "Ke2",
    "Rxa8",
    "cxd8=N#",
    "0000",
    "Z0",
    "1-0 ff",
];

/// Reads any text as PGN.
pub fn pgn(data: &[u8]) {
    let text = text(data, WORDS);
    let block = 1 + text.len() % 7;
    let games = cut(&text, text.len().max(1));
    assert_eq!(games, cut(&text, block), "the result depends on the blocks in which bytes arrive");
    let (first, values) = (lines(&games), values(&games));
    assert_eq!(
        String::from_utf8_lossy(&first),
        String::from_utf8_lossy(&values),
        "the lines differ from the records"
    );
    let written = self::written(&first);
    let again = self::written(&lines(&cut(&written, written.len().max(1))));
    assert_eq!(
        String::from_utf8_lossy(&written),
        String::from_utf8_lossy(&again),
        "the written text is read differently"
    );
}

/// The text of each game, and the line on which it begins.
fn cut(text: &[u8], block: usize) -> Vec<(u64, Vec<u8>)> {
    let (mut cutter, mut games) = (Cutter::default(), Vec::new());
    let mut take = |game: GameText<'_>| {
        games.push((game.line, game.text.to_vec()));
        Ok::<(), ()>(())
    };
    text.chunks(block)
        .chain([&[][..]])
        .for_each(|block| cutter.push(block, &mut take).expect("taking a text cannot fail"));
    games
}

fn lines(games: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut json = Json::default();
    json.begin("x.pgn");
    for ((line, text), number) in games.iter().zip(1..) {
        json.read(GameText { line: *line, text }, number);
    }
    json.lines().to_vec()
}

fn values(games: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut values = Vec::new();
    for ((line, text), number) in games.iter().zip(1..) {
        for record in records(GameText { line: *line, text }, "x.pgn", number) {
            serde_json::to_writer(&mut values, &record).expect("writing to memory cannot fail");
            values.push(b'\n');
        }
    }
    values
}

/// What `to-pgn` writes for these records.
fn written(records: &[u8]) -> Vec<u8> {
    let (mut out, mut game) = (Vec::new(), None::<Game>);
    let style = Style { elapsed: true, ..Style::default() };
    for line in records.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let Ok(Record::Game(record)) = parse(line) else {
            panic!("no record of a game: {}", String::from_utf8_lossy(line))
        };
        match record.event.clone() {
            GameEvent::Game(start) => {
                game.iter().for_each(|game| style.write(&mut out, game));
                game = Some(Game::new(&record, start));
            }
            event => game.as_mut().expect("a game begins").apply(event, None).expect("it follows"),
        }
    }
    game.iter().for_each(|game| style.write(&mut out, game));
    out
}
