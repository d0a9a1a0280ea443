//! The smallest streams that show what hands, boards and events do.
//!
//! A stream is written in words: `-e2` the square became empty, `Pe4` the piece stands there now, `L90` and `R90` a
//! press of that side with its seconds, `.` an empty poll (quiet), `+3` three seconds pass (a poll is two), `@begin` a
//! mark, `@start:` a mark with a listing, `=PLACEMENT` a position, `=PLACEMENT,1-0` one with a result piece, `lost` the
//! board does not answer any more, `clock` a clock that runs, `turnL` and `turnR` one that reports whose turn it is,
//! `stopped` one that is stopped, `unplugged` one that was removed, `flagL` and `flagR` a stopped one with that flag
//! down; `q` before a change marks it as quick. All is of board 1, and after `b2:` of board 2. The published records
//! are written: `e4` a move, `<1` a takeback to ply 1, `!illegal` an anomaly, `?e4` a guess, `[1-0 kings]` an end,
//! `game` a beginning.

mod again;
mod anomalies;
mod boards;
mod certainty;
mod dead_squares;
mod draughts;
mod endings;
mod events;
mod forfeit;
mod gaps;
mod hands;
mod joined;
mod late_landings;
mod logs;
mod misread;
mod missing_pieces;
mod over;
mod presses;
mod publishing;
mod rulings;
mod setting_up;
mod stopped;
mod streams;
mod takebacks;
mod timing;
mod unplugged;

use super::*;
use crate::record::{
    BoardEvent, BoardPosition, Change, Clock, ClockSide, EndReason, GameEvent, LinkState, Mark, MarkKind,
    Move, Outcome, Placement, Press, Seconds, Side,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// The start of Russian draughts with disks.
pub const DISKS: &str = "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1";
/// The first moves of a game with a clock: 1. e4 e5 2. Nf3 Nc6.
const OPENING: &str = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 . -b8 nc6 R88 +2 .";
/// The position after them.
const OPENED: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

/// The first of the moves that follow: 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7.
fn spanish(plies: usize) -> String {
    let moves =
        ["-f1 Bb5 L86", "-a7 pa6 R86", "-b5 Ba4 L84", "-g8 nf6 R84", "-e1 Kg1 -h1 Rf1 L82", "-f8 be7 R82"];
    moves[..plies].iter().map(|squares| format!("+3 {squares} +2 . ")).collect()
}

/// The records of a stream.
fn records(words: &str) -> Vec<BoardRecord> {
    let (mut time, mut board) = (1_000_000, 1);
    let mut records = Vec::new();
    for word in words.split_whitespace() {
        let mark = |mark, listing| BoardEvent::Mark(Mark { mark, listing });
        let press = |side, seconds: &str| {
            BoardEvent::Press(Press { side, seconds: Seconds(seconds.parse().expect("seconds")) })
        };
        let (quick, plain) = match word.strip_prefix('q') {
            Some(rest) if word.len() > 3 || rest.starts_with('-') => (Some(true), rest),
            _ => (None, word),
        };
        let event = if let Some(seconds) = word.strip_prefix('+') {
            time += (seconds.parse::<f64>().expect("seconds") * 1000.0) as i64;
            continue;
        } else if let Some(number) = word.strip_prefix('b').and_then(|rest| rest.strip_suffix(':')) {
            board = number.parse().expect("a board");
            continue;
        } else if word == "." {
            BoardEvent::Quiet {}
        } else if let "clock" | "stopped" | "flagL" | "flagR" = word {
            let side = |flag| Some(ClockSide { seconds: Seconds(if flag { 0.0 } else { 80.0 }), flag });
            BoardEvent::Clock(Clock {
                connected: true,
                left: side(word == "flagL"),
                right: side(word == "flagR"),
                running: Some(word == "clock"),
                turn: None,
                low_battery: None,
            })
        } else if let "turnL" | "turnR" = word {
            let side = Some(ClockSide { seconds: Seconds(80.0), flag: false });
            let turn = Some(if word == "turnL" { Side::Left } else { Side::Right });
            let (running, low_battery) = (Some(true), None);
            BoardEvent::Clock(Clock { connected: true, left: side, right: side, running, turn, low_battery })
        } else if word == "unplugged" {
            let (connected, turn, low_battery) = (false, None, None);
            BoardEvent::Clock(Clock { connected, left: None, right: None, running: None, turn, low_battery })
        } else if word == "lost" {
            BoardEvent::Lost(LinkState { reason: "timeout".into() })
        } else if let Some(placement) = word.strip_prefix('=') {
            let (placement, result) = match placement.split_once(',') {
                Some((placement, result)) => (placement, Some(result.parse().expect("a result"))),
                None => (placement, None),
            };
            BoardEvent::Position(BoardPosition { placement: placement.parse().expect("a placement"), result })
        } else if let Some(name) = word.strip_prefix('@') {
            let (name, listing) = name.strip_suffix(':').map_or((name, false), |name| (name, true));
            mark(serde_json::from_value::<MarkKind>(name.into()).expect("a mark"), listing)
        } else if let Some(seconds) = word.strip_prefix('L') {
            press(Side::Left, seconds)
        } else if let Some(seconds) = word.strip_prefix('R').filter(|s| s.parse::<f64>().is_ok()) {
            press(Side::Right, seconds)
        } else {
            let (piece, square) = plain.split_at(plain.len() - 2);
            let piece = if piece == "-" { None } else { Some(piece.parse().expect("a piece")) };
            BoardEvent::Change(Change { square: square.parse().expect("a square"), piece, quick })
        };
        records.push(BoardRecord::new(Some(Time(time)), Some(board), event));
    }
    records
}

fn word(event: &GameEvent) -> String {
    match event {
        GameEvent::Game(_) => "game".into(),
        GameEvent::Move(m) => {
            format!(
                "{}{}",
                if m.guess { "?" } else { "" },
                m.san.as_deref().or(m.notation.as_deref()).unwrap_or("-")
            )
        }
        GameEvent::Takeback(back) => format!("<{}", back.ply),
        GameEvent::Anomaly(a) => format!("!{}", serde_json::to_value(a.kind).unwrap().as_str().unwrap()),
        GameEvent::End(end) => {
            let reason = serde_json::to_value(end.reason).unwrap();
            format!("[{} {}]", end.result.map_or("*", Outcome::text), reason.as_str().unwrap())
        }
        GameEvent::Ruling(ruling) => format!("({})", ruling.words()),
        GameEvent::Evaluation(of) => format!("={}", of.score.text()),
    }
}

fn games_of(records: &[BoardRecord], options: Options) -> Vec<GameRecord> {
    let mut published = Vec::new();
    let mut games = Reconstructor::new(options);
    let mut publish = |record| {
        published.push(record);
        Ok::<(), ()>(())
    };
    for record in records {
        games.record(record, &mut publish).unwrap();
    }
    games.finish(&mut publish).unwrap();
    published
}

/// The same before the end of the input.
fn games_so_far(records: &[BoardRecord], options: Options) -> Vec<GameRecord> {
    let mut published = Vec::new();
    let mut games = Reconstructor::new(options);
    for record in records {
        let publish = |record| {
            published.push(record);
            Ok::<(), ()>(())
        };
        games.record(record, publish).unwrap();
    }
    published
}

/// Options for games that start from this position.
fn from_fen(fen: &str) -> Options {
    Options { start: Some(Start::from_fen(fen).unwrap()), ..Options::default() }
}

/// The games of a stream on a board that shows this position, from which they start.
fn games_from(fen: &str, stream: &str) -> Vec<GameRecord> {
    let placement = fen.split(' ').next().expect("a placement");
    games_of(&records(&format!("={placement} {stream}")), from_fen(fen))
}

/// A stream without its clock: the board rests where a press was.
fn without_clock(stream: &str) -> String {
    let press = |word: &str| word.strip_prefix(['L', 'R']).is_some_and(|s| s.parse::<f64>().is_ok());
    let words: Vec<_> = stream.split_whitespace().map(|word| if press(word) { "." } else { word }).collect();
    words.join(" ")
}

/// The published records, without moves and ends repeated only for their certainty.
fn without_repeats(records: &[GameRecord]) -> Vec<&GameRecord> {
    let mut published: Vec<(Option<u16>, u32, Move)> = Vec::new();
    let mut once = Vec::new();
    for record in records {
        match &record.event {
            GameEvent::Move(m) => {
                let plain =
                    Move { certainty: None, alternatives: Vec::new(), explain: None, ..(**m).clone() };
                let known = (record.board, record.game, plain);
                if published.contains(&known) {
                    continue;
                }
                published.push(known);
            }
            GameEvent::Takeback(back) => published.retain(|(_, _, m)| m.ply <= Some(back.ply)),
            GameEvent::Game(_) => published.retain(|(board, ..)| *board != record.board),
            GameEvent::End(end) if end.settled && stands_ended(&once, record) => continue,
            _ => {}
        }
        once.push(record);
    }
    once
}

/// Whether the last published record of the game of `of` is its end.
fn stands_ended(published: &[&GameRecord], of: &GameRecord) -> bool {
    let same = |record: &&&GameRecord| (record.board, record.game) == (of.board, of.game);
    published.iter().rev().find(same).is_some_and(|record| record.event.kind() == "end")
}

/// The published records, in words.
fn words(records: &[GameRecord]) -> String {
    without_repeats(records).iter().map(|record| word(&record.event)).collect::<Vec<_>>().join(" ")
}

/// The records published before the end of the input, in words.
fn published_so_far(stream: &str) -> String {
    words(&games_so_far(&records(stream), Options::default()))
}

/// All published records, in words and in order.
fn published(stream: &str) -> String {
    words(&games_of(&records(stream), Options::default()))
}

/// The final moves and the end of every game; a repeated move record replaces the first.
fn games(stream: &str) -> Vec<String> {
    final_moves(&games_of(&records(stream), Options::default()))
}

fn final_moves(records: &[GameRecord]) -> Vec<String> {
    let mut games: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for record in records {
        if games.len() < record.game as usize {
            games.resize(record.game as usize, Default::default());
        }
        let (moves, rest) = &mut games[record.game as usize - 1];
        match &record.event {
            GameEvent::Game(_) => {}
            GameEvent::Move(m) => {
                let at = m.ply.unwrap() as usize - 1;
                // Play that continues takes back an end.
                rest.retain(|word: &String| at < moves.len() || !word.starts_with('['));
                moves.resize(moves.len().max(at + 1), "-".into());
                moves[at] = word(&record.event);
            }
            GameEvent::Takeback(back) => {
                rest.retain(|word| !word.starts_with('['));
                moves.truncate(back.ply as usize);
            }
            // The same again.
            GameEvent::End(end) if end.settled && rest.last().is_some_and(|last| last.starts_with('[')) => {}
            event => rest.push(word(event)),
        }
    }
    games.into_iter().map(|(moves, rest)| [moves, rest].concat().join(" ")).collect()
}

/// The only game of a stream that begins with the start position, with its final moves.
fn game(stream: &str) -> String {
    let games = games(&format!("={START} @begin . +4 {stream} +2 . +10 ."));
    assert_eq!(games.len(), 1, "{games:?}");
    games[0].strip_suffix(" [* input-end]").unwrap_or(&games[0]).to_owned()
}

#[test]
fn the_manual_example_gives_its_game_and_move() {
    let stream = format!("={START} @begin +7.412 -e2 Pe4 +1.989 L5393");
    assert_eq!(published(&stream), "game e4 [* input-end]");
    let games = games_of(&records(&stream), Options::default());
    let GameEvent::Move(first) = &games[1].event else { panic!("{games:?}") };
    assert_eq!((first.ply, first.uci.as_deref()), (Some(1), Some("e2e4")));
    assert_eq!(first.fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(first.seconds, Some(Seconds(5393.0)));
    assert_eq!(games[1].time, Some(Time(1_007_412)));
    assert!(matches!(&games[2].event, GameEvent::End(end) if end.reason == EndReason::InputEnd));
}
