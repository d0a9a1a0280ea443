//! Who is first, without any engine: the tests take jobs and give answers themselves.

use super::*;
use crate::record::{Record, Score, parse};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position of its own for each number, by where the kings and a pawn stand.
fn fen(nth: u32) -> String {
    format!("4k3/8/8/8/8/8/P7/4K3 w - - {nth} 60")
}

fn record(board: u16, game: u32, rest: &str) -> (String, GameRecord) {
    let line = format!("{{\"board\":{board},\"game\":{game},{rest}}}");
    match parse(line.as_bytes()) {
        Ok(Record::Game(record)) => (line, record),
        other => panic!("{line}: {other:?}"),
    }
}

struct Hall(Live);

impl Hall {
    fn new() -> Hall {
        let usual = Limit::of(Aim::Nodes(5));
        Hall(Live::new(Plan::new(None, usual, 1)))
    }

    fn report(&mut self, board: u16, game: u32, rest: &str) -> &mut Hall {
        let (line, record) = record(board, game, rest);
        self.0.line(line.as_bytes(), Some(&record));
        self
    }

    fn begin(&mut self, board: u16, game: u32) -> &mut Hall {
        self.report(board, game, &format!("\"type\":\"game\",\"rules\":\"chess\",\"fen\":\"{START}\""))
    }

    fn play(&mut self, board: u16, game: u32, ply: u32, position: u32) -> &mut Hall {
        self.report(board, game, &format!("\"type\":\"move\",\"ply\":{ply},\"fen\":\"{}\"", fen(position)))
    }

    /// The next position to evaluate and how far; it is answered at once with this depth.
    fn next(&mut self, depth: u32) -> Option<(u32, String)> {
        let job = self.0.next()?;
        let asked = (number(&job), job.limit.aim.to_string());
        self.0.store(job, Outcome::Found(found(depth)));
        Some(asked)
    }

    /// Which evaluations have come since this was asked last: board, ply and depth.
    fn came(&mut self) -> Vec<(u16, u32, u32)> {
        let ready = String::from_utf8(self.0.take()).unwrap();
        let records = ready.lines().map(|line| match parse(line.as_bytes()) {
            Ok(Record::Game(record)) => record,
            other => panic!("{other:?}"),
        });
        let of = |record: GameRecord| match record.event {
            GameEvent::Evaluation(of) => Some((record.board.unwrap(), of.ply, of.depth.unwrap())),
            _ => None,
        };
        records.filter_map(of).collect()
    }
}

fn number(job: &Job) -> u32 {
    job.position.fen().split(' ').nth(4).unwrap().parse().unwrap()
}

fn found(depth: u32) -> Evaluation {
    let (bound, nodes, engine) = Default::default();
    Evaluation { ply: 0, score: Score::Cp(1), bound, depth: Some(depth), nodes, pv: Vec::new(), engine }
}

fn asked(number: u32, aim: &str) -> Option<(u32, String)> {
    Some((number, aim.to_owned()))
}

#[test]
fn newest_positions_come_first_and_finished_games_last() {
    let mut hall = Hall::new();
    hall.begin(1, 1).play(1, 1, 1, 11).play(1, 1, 2, 12).report(
        1,
        1,
        r#""type":"end","result":"*","reason":"kings""#,
    );
    hall.begin(2, 1).play(2, 1, 1, 21).play(2, 1, 2, 22);
    hall.begin(3, 1).play(3, 1, 1, 31);
    assert_eq!(hall.next(9), asked(22, "movetime 100"));
    assert_eq!(hall.next(9), asked(31, "movetime 100"));
    assert_eq!(hall.next(18), asked(22, "depth 18"));
    // A newer one comes before what is looked at deeper.
    hall.play(3, 1, 2, 32);
    assert_eq!(hall.next(9), asked(32, "movetime 100"));
    assert_eq!(hall.next(18), asked(32, "depth 18"));
    assert_eq!(hall.next(22), asked(22, "depth 22"));
    assert_eq!(hall.next(22), asked(32, "depth 22"));
    assert_eq!(hall.next(15), asked(21, "nodes 5"));
    assert_eq!(hall.next(15), asked(11, "nodes 5"));
    assert_eq!(hall.next(15), asked(12, "nodes 5"));
    assert_eq!(hall.next(15), None);
    assert!(!hall.0.waits());
    // What had no more than a first look is evaluated as far as all others when its game is over.
    hall.report(3, 1, r#""type":"end","result":"*","reason":"kings""#);
    assert_eq!((hall.next(15), hall.next(15)), (asked(31, "nodes 5"), None));
}

#[test]
fn where_many_wait_the_first_look_is_shorter() {
    let mut hall = Hall::new();
    for board in 1..=64 {
        hall.begin(board, 1).play(board, 1, 1, board.into());
    }
    let (_, first) = hall.next(9).unwrap();
    assert_eq!(first, "movetime 40");
    let rest: Vec<_> = std::iter::from_fn(|| hall.next(9)).take(63).collect();
    assert_eq!(rest.last(), asked(64, "movetime 100").as_ref());
}

#[test]
fn known_positions_are_evaluated_for_all_boards() {
    let mut hall = Hall::new();
    hall.begin(1, 1).play(1, 1, 1, 7).begin(2, 1).play(2, 1, 1, 7);
    assert_eq!(hall.next(9), asked(7, "movetime 100"));
    assert_eq!(hall.came(), [(1, 1, 9), (2, 1, 9)]);
    hall.begin(3, 1).play(3, 1, 1, 7);
    assert_eq!(hall.came(), [(3, 1, 9)]);
    assert_eq!(hall.next(18), asked(7, "depth 18"));
    assert_eq!(hall.came(), [(1, 1, 18), (2, 1, 18), (3, 1, 18)]);
}

#[test]
fn what_is_withdrawn_is_neither_evaluated_nor_written() {
    let mut hall = Hall::new();
    hall.begin(1, 1).play(1, 1, 1, 11).play(1, 1, 2, 12);
    let job = hall.0.next().unwrap();
    assert_eq!(number(&job), 12);
    assert!(!hall.0.ends_early(job.id));
    hall.report(1, 1, r#""type":"takeback","ply":1"#);
    assert!(hall.0.ends_early(job.id), "nobody wants it any more");
    hall.came();
    hall.0.store(job, Outcome::Found(found(5)));
    assert_eq!(hall.came(), []);
    // The position before is the newest again.
    assert_eq!(hall.next(9), asked(11, "movetime 100"));
    assert_eq!(hall.came(), [(1, 1, 9)]);
    // Another move takes its place: that is a position of its own.
    hall.play(1, 1, 1, 13);
    assert_eq!(hall.came(), []);
    assert_eq!(hall.next(9), asked(13, "movetime 100"));
    hall.report(1, 1, r#""type":"ruling","void":true"#);
    assert_eq!(hall.next(9), None, "there never was such a game");
}

#[test]
fn deeper_searches_end_early_for_newer_positions_with_results() {
    let mut hall = Hall::new();
    hall.begin(1, 1).play(1, 1, 1, 11);
    hall.next(9);
    let deeper = hall.0.next().unwrap();
    assert!(!hall.0.ends_early(deeper.id));
    hall.begin(2, 1).play(2, 1, 1, 21);
    assert!(hall.0.ends_early(deeper.id));
    hall.came();
    hall.0.store(deeper, Outcome::Found(found(14)));
    assert_eq!(hall.came(), [(1, 1, 14)]);
    assert_eq!(hall.next(9), asked(21, "movetime 100"));
    // It is not done with: the same look comes again, and a worse answer takes no better one's place.
    assert_eq!(hall.next(12), asked(11, "depth 18"));
    assert_eq!(hall.came(), [(2, 1, 9)]);
}

#[test]
fn failing_engines_skip_positions_and_delay_nothing() {
    let mut hall = Hall::new();
    hall.begin(1, 1).play(1, 1, 1, 11).play(1, 1, 2, 12);
    let job = hall.0.next().unwrap();
    hall.0.store(job, Outcome::NotAsked);
    let job = hall.0.next().unwrap();
    assert_eq!(number(&job), 12);
    hall.0.store(job, Outcome::LeftOut);
    assert_eq!(hall.next(9), asked(11, "nodes 5"));
    hall.play(1, 1, 3, 13);
    hall.0.give_up();
    assert!(hall.0.next().is_none() && !hall.0.waits());
    hall.came();
    let (line, mv) = record(1, 1, r#""type":"move","ply":4,"fen":"x""#);
    hall.0.line(line.as_bytes(), Some(&mv));
    assert_eq!(String::from_utf8(hall.0.take()).unwrap(), line + "\n");
}

#[test]
fn old_games_are_forgotten_except_their_rules() {
    let mut hall = Hall::new();
    hall.begin(1, 1).play(1, 1, 1, 11).play(1, 1, 2, 12).begin(1, 2);
    while hall.next(15).is_some() {}
    assert!(hall.0.games[&((None, Some(1)), 1)].plies.is_empty());
    hall.came();
    // A ruling has it published once more.
    hall.play(1, 1, 2, 12).play(1, 1, 3, 13);
    assert_eq!(hall.came(), [(1, 2, 15)]);
    assert_eq!(hall.next(15), asked(13, "nodes 5"));
}
