//! Russian draughts from files: BARS and PDN, read, written and read again.

use boardbus::{
    draughts::Numbering,
    format::{
        bars,
        pdn::{self, Style},
        russian::{Game, Games, ReadItem},
    },
    record::{GameEvent, GameRecord},
};

use super::{
    bytes::{Bytes, text},
    record::game_record_reads_as_written,
};

/// Pieces of PDN, valid and invalid.
const WORDS: &[&str] = &[
    "1.",
    "c3-d4",
    "f6-g5",
    "22-18",
    "9-13",
    "b2-c3",
    "g5xe3",
    "f2:d4",
    "a1:c3:e5",
    "11x18x25",
    "1...",
    "(",
    ")",
    "{",
    "}",
    "{x}",
    "{[%clk w0:10:00 b0:09:59]}",
    "{[%emt 0:00:02]}",
    "$2",
    "!",
    "?",
    "*",
    "2-0",
    "1-1",
    "0-2",
    "0-0",
    "1-0",
    "1/2-1/2",
    "[Event \"x\"]\n",
    "[GameType \"25\"]\n",
    "[GameType \"25,W,8,8,A0,0\"]\n",
    "[GameType \"25,W,8,8,N2,0\"]\n",
    "[GameType \"20\"]\n",
    "[FEN \"W:Wa1,c1,Kh8:Bb8,f8\"]\n",
    "[FEN \"B:W18,K22:B1-12\"]\n",
    "[Result \"2-0\"]\n",
    "\n",
    "\"",
    "[",
    "]",
    ";x\n",
    "%x\n",
    "\r\n",
    "/FEN \"W:Wc3:Bd4\"/",
    "NF.?",
    "c3",
    "-",
    "x",
    ":",
    "d4-c5",
    "h6-g5",
    "e3-f4",
    "b6-a5",
    "[Setup",
    "--",
    "é",
];

/// Reads any text as PDN.
pub fn pdn(data: &[u8]) {
    let text = text(data, WORDS);
    let numbering = text.len().is_multiple_of(5).then_some(Numbering::B8);
    let styles = [
        Style::default(),
        Style { numeric: true, crosses: true, points: true, elapsed: true, no_anomalies: false },
    ];
    for style in styles {
        let read = games(read_pdn(numbering, &text));
        let written: String = read.iter().map(|game| style.text(game)).collect();
        let again = games(read_pdn(None, written.as_bytes()));
        assert_eq!(moves(&read), moves(&again), "{written}");
    }
}

fn read_pdn(numbering: Option<Numbering>, text: &[u8]) -> Vec<ReadItem> {
    let mut reader = pdn::Reader::new(numbering);
    let mut items = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        items.extend(reader.line("x.pdn:1", line));
    }
    items.extend(reader.end());
    items
}

/// Reads any text as BARS.
pub fn bars(data: &[u8]) {
    let mut input = Bytes::new(data);
    let lenient = input.byte() & 1 == 1;
    let read = games(read_bars(lenient, &String::from_utf8_lossy(input.rest())));
    let mut written = String::new();
    for game in &read {
        let go: Vec<_> = game.plies.iter().map(|ply| bars::numbers(&ply.before, &ply.m)).collect();
        let game = bars::Written { area_monitor: bars::matrix(&game.position), go };
        written += &serde_json::to_string(&game).expect("writing to memory cannot fail");
        written.push('\n');
    }
    let again = games(read_bars(false, &written));
    // Only a first move shows whose turn it was, so a game without moves loses that.
    let played =
        |games: &[Game]| moves(games).into_iter().filter(|(_, plies)| !plies.is_empty()).collect::<Vec<_>>();
    assert_eq!((read.len(), played(&read)), (again.len(), played(&again)), "{written}");
}

fn read_bars(lenient: bool, text: &str) -> Vec<ReadItem> {
    let mut reader = bars::Reader::new(lenient);
    let mut items = Vec::new();
    for line in text.split_inclusive('\n') {
        items.extend(reader.line("x.jsonl:1", line));
    }
    items.extend(reader.end());
    items
}

/// The games of the items.
fn games(items: Vec<ReadItem>) -> Vec<Game> {
    let (mut games, mut done) = (Games::default(), Vec::new());
    for item in items {
        let ReadItem::Record(record) = item else { continue };
        game_record_reads_as_written(&record);
        let record: GameRecord = *record;
        let is_start = matches!(record.event, GameEvent::Game(_));
        let applied = games.apply(record.clone());
        done.extend(applied.closed);
        if let Err(problem) = applied.game {
            panic!("the record does not follow: {problem}: {record:?}, a start: {is_start}");
        }
    }
    done.extend(games.rest());
    done
}

/// The start and the moves of each game.
fn moves(games: &[Game]) -> Vec<(String, Vec<String>)> {
    let of = |game: &Game| {
        (game.position.to_string(), game.plies.iter().filter_map(|ply| ply.record.notation.clone()).collect())
    };
    games.iter().map(of).collect()
}
