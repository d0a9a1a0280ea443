//! Arbitrary records of boards in any order: the games published of them can be played.

use std::{collections::HashMap, convert::Infallible};

use boardbus::{
    format::{game::Game as Folded, games::Games, pgn::Style},
    reconstruct::{Options, Reconstructor},
    record::{
        BoardEvent, BoardPosition, BoardRecord, Change, Clock, ClockSide, EndReason, GameEvent, GameRecord,
        History, LinkState, Mark, MarkKind, Move, Piece, Placement, Press, Rules, Seconds, Side, Square,
        Stream, Time,
    },
    rules::{Game, chess::ChessGame, russian::RussianGame},
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};

use super::{bytes::Bytes, record::game_record_reads_as_written};

/// The most steps of an attack, which bounds its time.
const MOST_STEPS: usize = 160;
/// Milliseconds that may pass before the next record.
const STEPS: [i64; 8] = [0, 50, 200, 1000, 4000, 30_000, 3_600_000, -5000];
const MARKS: [MarkKind; 9] = [
    MarkKind::PowerUp,
    MarkKind::Watchdog,
    MarkKind::Start,
    MarkKind::Begin,
    MarkKind::BeginRotated,
    MarkKind::FourRows,
    MarkKind::Empty,
    MarkKind::Downloaded,
    MarkKind::End,
];

/// Reconstructs games from arbitrary records.
pub fn reconstruct(data: &[u8]) {
    let mut input = Bytes::new(data);
    let how = input.byte();
    let options = Options {
        final_only: how & 1 != 0,
        explain: how & 2 != 0,
        settle: f64::from(how >> 6),
        rules: [None, None, Some(Rules::Chess), Some(Rules::Russian)][usize::from(how >> 2 & 3)],
        continued: if how & 16 != 0 { vec![(1025, 1026)] } else { vec![] },
        ..Options::default()
    };
    let (mut reconstructor, mut hall) = (Reconstructor::new(options), Hall::new());
    let mut judge = Judge::default();
    for _ in 0..MOST_STEPS {
        if input.is_empty() {
            break;
        }
        for event in hall.step(&mut input) {
            let published = |record| judge.published(record);
            match event {
                Item::Stream(stream) => reconstructor.stream(&stream, published),
                Item::Record(record) => reconstructor.record(&record, published),
            }
            .expect("publishing cannot fail");
        }
    }
    reconstructor.finish(|record| judge.published(record)).expect("publishing cannot fail");
    judge.done();
}

enum Item {
    Stream(Stream),
    Record(BoardRecord),
}

/// The game on a board.
enum Played {
    Chess(ChessGame),
    Russian(RussianGame),
}

struct Hall {
    now: i64,
    seq: u64,
    boards: Vec<(u16, Played)>,
}

impl Hall {
    fn new() -> Hall {
        let boards = vec![
            (1025, Played::Chess(ChessGame::start())),
            (1026, Played::Chess(ChessGame::start())),
            (1027, Played::Russian(RussianGame::start())),
        ];
        Hall { now: 1_795_255_200_000, seq: 0, boards }
    }

    /// The next input: mostly a legal move, as a board may report it.
    fn step(&mut self, input: &mut Bytes<'_>) -> Vec<Item> {
        let (what, which) = (input.byte(), input.byte());
        self.now += STEPS[usize::from(which >> 5)];
        let (address, played) = &mut self.boards[usize::from(which & 0x1f) % 3];
        let address = *address;
        let events = match what {
            0..=159 => played.play(input),
            160..=175 => {
                let (square, code) = (input.byte() & 0x3f, input.byte());
                vec![change(square, code & 0xf, (code & 0x10 != 0).then_some(code & 0x20 != 0))]
            }
            176..=183 => vec![press(input)],
            184..=195 => vec![BoardEvent::Quiet {}],
            196..=207 => {
                vec![BoardEvent::Mark(Mark { mark: MARKS[input.below(9)], listing: input.byte() & 1 == 1 })]
            }
            208..=215 => vec![position(played.placement(), None)],
            216..=219 => {
                let codes = std::array::from_fn(|_| input.byte() & 0xf);
                vec![position(&Placement::from_codes(codes), Piece::from_code(input.byte() & 0xf))]
            }
            220..=223 => {
                *played = played.restarted(input.byte());
                vec![
                    BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: false }),
                    position(played.placement(), None),
                ]
            }
            224..=231 => {
                let history = History {
                    reason: "attack".into(),
                    count: input.below(40) as u64,
                    complete: what & 1 == 0,
                };
                vec![BoardEvent::History(history)]
            }
            232..=239 => vec![clock(input)],
            240..=243 => vec![BoardEvent::Lost(LinkState { reason: "timeout".into() })],
            244..=247 => vec![BoardEvent::Found(LinkState { reason: String::new() })],
            248..=251 => {
                let run = format!("{}", input.byte());
                return vec![Item::Stream(Stream { run, ..Stream::begin(Time(self.now), None) })];
            }
            _ => vec![],
        };
        let record = |event| {
            self.seq += 1;
            let time = (what != 252).then_some(Time(self.now));
            Item::Record(BoardRecord { seq: Some(self.seq), ..BoardRecord::new(time, Some(address), event) })
        };
        events.into_iter().map(record).collect()
    }
}

impl Played {
    fn placement(&self) -> &Placement {
        match self {
            Played::Chess(game) => game.placement(),
            Played::Russian(game) => game.placement(),
        }
    }

    fn play(&mut self, input: &mut Bytes<'_>) -> Vec<BoardEvent> {
        match self {
            Played::Chess(game) => played(game, input),
            Played::Russian(game) => played(game, input),
        }
    }

    fn restarted(&self, which: u8) -> Played {
        match self {
            Played::Chess(_) if which & 1 == 0 => Played::Chess(ChessGame::start()),
            Played::Chess(_) => {
                let fen = "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w GCgc - 0 1";
                Played::Chess(ChessGame::from_fen(fen).expect("one of Chess960's"))
            }
            Played::Russian(_) => Played::Russian(RussianGame::start()),
        }
    }
}

/// A legal move as a board may report it: in another order, with a square missing or an additional one on its way.
fn played<G: Game>(game: &mut G, input: &mut Bytes<'_>) -> Vec<BoardEvent> {
    let moves = game.moves();
    if moves.is_empty() {
        return vec![BoardEvent::Quiet {}];
    }
    let candidate = &moves[input.below(moves.len().min(256))];
    let how = input.byte();
    let mut changes: Vec<(u8, u8)> = candidate.changes().collect();
    changes.sort_by_key(|&(field, code)| (code != 0, field));
    if how & 1 != 0 {
        changes.reverse();
    }
    if how & 0xc == 0xc {
        changes.remove(usize::from(how >> 4) % changes.len().max(1));
    }
    if how & 0x32 == 0x32
        && let Some(on_the_way) = boardbus::rules::squares(candidate.transit).next()
    {
        changes.insert(changes.len() / 2, (on_the_way, candidate.piece));
        changes.push((on_the_way, 0));
    }
    let mut events: Vec<BoardEvent> =
        changes.into_iter().map(|(field, code)| change(field, code, None)).collect();
    if how & 0x40 != 0 {
        events.push(press(input));
    }
    if how & 0x80 != 0 {
        events.push(BoardEvent::Quiet {});
    }
    *game = game.after(candidate);
    events
}

fn change(field: u8, code: u8, quick: Option<bool>) -> BoardEvent {
    let square = Square::from_field(field & 0x3f).expect("below 64");
    BoardEvent::Change(Change { square, piece: Piece::from_code(code), quick })
}

fn press(input: &mut Bytes<'_>) -> BoardEvent {
    let how = input.byte();
    let side = if how & 1 == 0 { Side::Left } else { Side::Right };
    BoardEvent::Press(Press { side, seconds: Seconds(f64::from(how >> 1) * 60.0) })
}

fn clock(input: &mut Bytes<'_>) -> BoardEvent {
    let how = input.byte();
    let side = |seconds: u8| Some(ClockSide { seconds: Seconds(seconds.into()), flag: seconds == 0 });
    BoardEvent::Clock(Clock {
        connected: how & 1 == 0,
        left: side(input.byte()),
        right: side(input.byte()),
        running: Some(how & 2 == 0),
        turn: Some(if how & 4 == 0 { Side::Left } else { Side::Right }),
        low_battery: None,
    })
}

fn position(placement: &Placement, result: Option<Piece>) -> BoardEvent {
    BoardEvent::Position(BoardPosition { placement: *placement, result: result.and_then(Piece::outcome) })
}

/// Checks published records against the rules of the game and the rules for records.
#[derive(Default)]
struct Judge {
    games: Games,
    /// All published records, for messages.
    text: String,
    closed: HashMap<(Option<u16>, u32), EndReason>,
    /// The last game of each board with a move.
    last: HashMap<Option<u16>, u32>,
}

impl Judge {
    fn published(&mut self, record: GameRecord) -> Result<(), Infallible> {
        self.text += &serde_json::to_string(&record).expect("writing to memory cannot fail");
        self.text.push('\n');
        game_record_reads_as_written(&record);
        let key = (record.board, record.game);
        let last = self.last.entry(record.board).or_default();
        // Further play withdraws an end until another game has begun, and a settled end is published again.
        let goes_on = match &record.event {
            GameEvent::Move(_) | GameEvent::Takeback(_) => {
                *last <= record.game && self.closed.remove(&key).is_some()
            }
            GameEvent::End(end) => end.settled && self.closed.get(&key) == Some(&end.reason),
            _ => false,
        };
        if matches!(record.event, GameEvent::Move(_)) {
            *last = record.game.max(*last);
        }
        if let Some(reason) = self.closed.get(&key).filter(|_| !goes_on) {
            panic!("closed by {reason:?}, and then {record:?}:\n{}", self.text);
        }
        match &record.event {
            GameEvent::End(end) if end.reason != EndReason::InputEnd => {
                _ = self.closed.insert(key, end.reason)
            }
            _ => {}
        }
        self.games
            .apply(record)
            .unwrap_or_else(|problem| panic!("a published record does not follow: {problem}\n{}", self.text));
        Ok(())
    }

    /// Checks that each game at last can be played and written.
    fn done(&self) {
        for (_, game) in self.games.in_order() {
            if game.start.rules != Rules::Russian {
                can_be_played(game);
                Style::default().write(&mut Vec::new(), game);
            }
        }
    }
}

/// Plays a game of chess again with an independent library.
fn can_be_played(game: &Folded) {
    let mode =
        if game.start.rules == Rules::Chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let fen: Fen = game.start.fen.parse().expect("a FEN");
    let mut position: Option<Chess> = Some(fen.into_position(mode).expect("a position"));
    for m in &game.moves {
        let Move { ply, san, uci, fen, .. } = m;
        let there = |_| fen.parse::<Fen>().ok()?.into_position(mode).ok();
        let (Some(before), Some(uci)) = (position.take(), uci.as_deref().filter(|uci| *uci != "0000")) else {
            // If no move explains the position, a ply may have no record, and the game continues from the position of the next.
            position = Some(fen).filter(|fen| !fen.is_empty()).and_then(there);
            continue;
        };
        let uci: UciMove = uci.parse().unwrap_or_else(|e| panic!("{m:?}: {e}"));
        let legal = uci.to_move(&before).unwrap_or_else(|e| panic!("{ply:?} {san:?} {e}: {game:?}"));
        let after = before.play(legal).expect("a legal move");
        assert_eq!(&Fen::from_position(&after, EnPassantMode::Legal).to_string(), fen, "{ply:?} {san:?}");
        position = Some(after);
    }
}
