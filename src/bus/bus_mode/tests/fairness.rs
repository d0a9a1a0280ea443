//! Every board gets its turn: measures how long a board waits once its turn has come, in rounds. A wait of three rounds means
//! that no other board was asked more than three times meanwhile.

use super::*;
use crate::bus::bus_mode::polled_board::{Fetch, PolledBoard};

/// The properties of a hall.
#[derive(Debug, Clone, Copy)]
struct Hall {
    boards: u16,
    /// How many of them are in play; as many have finished, and the others are set up.
    in_play: usize,
    noise: f64,
    late: Option<(u64, u64)>,
}

/// For each kind of board its longest wait, in rounds and in seconds.
#[derive(Debug, Default)]
struct Waits {
    /// Boards that are new or have an unconfirmed packet.
    owing: (usize, f64),
    in_play: (usize, f64),
    /// Boards that wait for their log.
    log: (usize, f64),
    others: (usize, f64),
    /// The time in seconds after which all boards were introduced.
    introduced: f64,
    /// The number of polls of a board in play, and of one that was not.
    asked: [usize; 2],
}

impl Waits {
    fn note(&mut self, kind: Kind, rounds: usize, took: Duration) {
        let (most, longest) = match kind {
            Kind::Owing => &mut self.owing,
            Kind::InPlay => &mut self.in_play,
            Kind::Log => &mut self.log,
            Kind::Other => &mut self.others,
        };
        (*most, *longest) = ((*most).max(rounds), longest.max(took.as_secs_f64()));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Owing,
    InPlay,
    Log,
    Other,
}

impl Kind {
    fn of(board: &PolledBoard, now: Duration) -> Kind {
        match board.fetch {
            _ if board.fetch.is_long() => Kind::Log,
            Fetch::Introduction { .. } | Fetch::UnconfirmedPacket(_) => Kind::Owing,
            _ if board.plays(now) => Kind::InPlay,
            _ => Kind::Other,
        }
    }
}

/// A waiting board: since when, its kind, and how often each other board was asked since.
type Waiting = Option<(Duration, Kind, Vec<usize>)>;

fn hall(Hall { boards, in_play, noise, late }: Hall, seed: u64) -> FakeBus {
    let mut bus = FakeBus::new(1025..1025 + boards, seed);
    (bus.noise, bus.late) = (noise, late);
    let mut random = Random::new(seed + 1);
    for (n, board) in bus.boards.iter_mut().enumerate() {
        marked(board);
        if n < 2 * in_play {
            // Blitz; the second half of them stopped a moment ago.
            let until = if n < in_play { 400.0 } else { 40.0 };
            play(board, &mut random, 0.0, until, 2.5);
        }
    }
    bus
}

/// Watches a hall and measures, step by step, who waits for whom.
fn measure(like: Hall, until: f64) -> Waits {
    let bus = hall(like, 11);
    let addresses: Vec<u16> = bus.boards.iter().map(|board| board.address).collect();
    let settings = WatchSettings { seconds: Some(seconds(until)), ..SETTINGS };
    let mut watch = Poller::new(bus, Kept::default(), settings, BTreeMap::new());
    watch.find(&addresses, true).unwrap();
    let (mut waits, began) = (Waits::default(), watch.now());
    let mut waiting: Vec<Waiting> = vec![None; addresses.len()];
    while !watch.is_over() {
        let now = watch.now();
        for (board, waiting) in watch.boards.iter().zip(&mut waiting) {
            let kind = Kind::of(board, now);
            if board.turn_comes(now) > now || waiting.as_ref().is_some_and(|&(_, then, _)| then != kind) {
                *waiting = None;
            }
            if board.turn_comes(now) <= now {
                waiting.get_or_insert_with(|| (now, kind, vec![0; addresses.len()]));
            }
        }
        let before: Vec<Duration> = watch.boards.iter().map(|board| board.turn.asked).collect();
        let was_log: Vec<bool> = watch.boards.iter().map(|board| board.fetch.is_long()).collect();
        watch.step().unwrap();
        let Some(asked) = watch.boards.iter().zip(&before).position(|(b, before)| b.turn.asked > *before)
        else {
            continue;
        };
        if let Some((since, kind, others)) = waiting[asked].take() {
            waits.note(kind, others.into_iter().max().unwrap_or(0), now - since);
        }
        // For a board that waits for its log only other logs count, since other boards are polled between two logs.
        for (_, kind, others) in waiting.iter_mut().flatten() {
            others[asked] += usize::from(*kind != Kind::Log || was_log[asked]);
        }
        if now > seconds(100.0) {
            waits.asked[usize::from(asked >= like.in_play)] += 1;
        }
        if watch.boards.iter().any(|board| matches!(board.fetch, Fetch::Introduction { .. })) {
            waits.introduced = (watch.now() - began).as_secs_f64();
        }
    }
    // Boards that still wait at the end.
    for (since, kind, others) in waiting.into_iter().flatten() {
        waits.note(kind, others.into_iter().max().unwrap_or(0), watch.now() - since);
    }
    waits.asked[0] /= like.in_play;
    waits.asked[1] /= addresses.len() - like.in_play;
    waits
}

#[test]
fn no_board_waits_for_more_than_three_rounds() {
    for (boards, in_play) in [(12, 4), (64, 24), (100, 40)] {
        for noise in [0.0, 0.001, 0.01] {
            for late in [None, Some((20, 40)), Some((60, 90))] {
                let hall = Hall { boards, in_play, noise, late };
                let waits = measure(hall, 200.0);
                println!("{hall:?}: {waits:?}");
                assert!(waits.owing.0 <= 3 && waits.in_play.0 <= 3, "{hall:?}: {waits:?}");
                assert!(waits.others.0 <= 3 && waits.log.0 <= 3, "{hall:?}: {waits:?}");
                // Answers after the time-out are another matter.
                let answers_in_time = late.is_none_or(|(_, below)| below < 60);
                let most = 0.5 * f64::from(boards);
                assert!(waits.introduced < most || !answers_in_time, "{hall:?}: {waits:?}");
            }
        }
    }
}

#[test]
fn on_a_full_line_boards_in_play_are_polled_most() {
    for late in [None, Some((20, 40))] {
        let waits = measure(Hall { boards: 100, in_play: 30, noise: 0.001, late }, 200.0);
        println!("{late:?}: {waits:?}");
        let [in_play, others] = waits.asked;
        assert!(in_play * 4 > others * 5, "{in_play} against {others}");
    }
}

/// How long each board waits for its start mark after it is set up, and the longest wait of a board in play for its turn
/// meanwhile, in seconds. The pieces are set up within `spread` seconds; if none, before the watch begins.
fn marks(boards: u16, in_play: usize, spread: Option<f64>) -> (Vec<f64>, f64) {
    let mut bus = FakeBus::new(1025..1025 + boards, 4);
    let mut random = Random::new(5);
    let mut ready = vec![0.0; usize::from(boards)];
    for (n, board) in bus.boards.iter_mut().enumerate() {
        marked(board);
        let Some(spread) = spread else { continue };
        play(board, &mut random, 0.0, if n < in_play { 200.0 } else { 60.0 }, 4.0);
        if n >= in_play {
            let mut fields = START;
            for (_, action) in &board.script {
                if let Action::Field(field, code) = action {
                    fields[usize::from(*field)] = *code;
                }
            }
            ready[n] = 70.0 + spread * random.below(1000) as f64 / 1000.0;
            let moved = (0..).zip(fields).zip(START).filter(|((_, stands), code)| stands != code);
            let set_up = moved.map(|((field, _), code)| (seconds(ready[n]), Action::Field(field, code)));
            board.script.extend(set_up.collect::<Vec<_>>());
        }
    }
    let (bus, _) = watch(bus, SETTINGS, 200.0).into_parts();
    let asked = |board: &FakeBoard, command: Option<u8>| -> Vec<f64> {
        let address = [(board.address >> 7) as u8, (board.address & 0x7f) as u8];
        let of = bus.sent.iter().filter(|(_, c)| c[1..3] == address && command.is_none_or(|it| it == c[0]));
        of.map(|(at, _)| at.as_secs_f64()).collect()
    };
    let waits = bus.boards.iter().zip(&ready).skip(in_play).map(|(board, ready)| {
        asked(board, Some(0x85)).into_iter().find(|at| at > ready).unwrap_or(f64::INFINITY) - ready
    });
    let gap = |board| {
        let times = asked(board, None);
        let late = times.windows(2).filter(|pair| pair[0] > 70.0 && pair[1] < 150.0);
        late.map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    };
    (waits.collect(), bus.boards[..in_play].iter().map(gap).fold(0.0, f64::max))
}

#[test]
fn a_hundred_boards_get_their_marks_within_forty_seconds() {
    for (in_play, spread) in [(0, None), (0, Some(30.0)), (10, Some(30.0)), (20, Some(30.0))] {
        let (marks, gap) = marks(100, in_play, spread);
        let last = marks.iter().copied().fold(0.0, f64::max);
        println!("{in_play} in play: marks within {last:.1} s, boards in play waited {gap:.2} s");
        assert!(last < 40.0 && gap < 5.0, "{last} {gap}");
    }
}
