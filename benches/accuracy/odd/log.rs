//! Row 4: something is lost on the line, and the board's own log arrives whole some plies later.

use super::scene::{BOARD, Cell, Day, Scene};
use boardbus::{
    record::{BoardEvent, BoardRecord, Change, History, Mark, MarkKind, Piece, Placement, Square, Time},
    sim::{planned_game::PlannedGame, random::Random, round::Ending},
};

/// Something is lost behind so many plies at least.
const BEFORE: usize = 2;
/// The log arrives so many plies later at most.
pub const LATER: usize = 12;
/// With so many seeds a first move is looked for that is slid.
const SEEDS: u64 = 40;

/// What is lost.
#[derive(Debug, Clone, Copy)]
enum Lost {
    /// A change.
    Change,
    /// All that came with one poll.
    Packet,
    /// Nothing: a square is misread.
    Misread,
}

/// The cells of this row.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    let lost = [
        ("a change lost", Lost::Change),
        ("a packet lost", Lost::Packet),
        ("a square misread", Lost::Misread),
    ];
    for slid in [false, true] {
        for (name, lost) in lost {
            for clock in [true, false] {
                let name = if slid { format!("{name}, slid") } else { name.to_owned() };
                cells.push(Cell::new(4, name, clock, move |scene| late_log(scene, lost, slid)));
            }
        }
    }
    cells
}

/// Something is lost, and the whole log comes later.
fn late_log(scene: &mut Scene<'_>, lost: Lost, slid: bool) -> Option<Day> {
    let game = PlannedGame::clone(&scene.game);
    let round = scene.round(game, Ending::Kings);
    let seed = scene.seed;
    let mut day = (0..SEEDS).find_map(|n| {
        scene.seed = seed.wrapping_add(n << 32);
        let day = scene.play(std::slice::from_ref(&round));
        (!slid || is_slid(&day)).then_some(day)
    })?;
    let ply = scene.any_ply(BEFORE, LATER + 2)?;
    let later = 1 + scene.random.below(LATER);
    let (after, landed, due) = (day.landed(ply)?, day.landed(ply + 1)?, day.landed(ply + 1 + later)?);
    let log = log(&day.records, reported(&day.records, due)?);
    let until = reported(&day.records, landed)?;
    lose(&mut day.records, lost, (after, until), &mut scene.random)?;
    day.insert(log);
    Some(day)
}

/// Whether the first move was seen on more squares than its own two.
fn is_slid(day: &Day) -> bool {
    let until = day.landed(2);
    let changes = day.records.iter().filter(|record| matches!(record.event, BoardEvent::Change(_)));
    let landed = day.landed(1).and_then(|at| reported(&day.records, at));
    changes.take_while(|record| record.time < until && record.time <= landed).count() > 2
}

/// When what happened at a moment was reported: the first change since.
pub fn reported(records: &[BoardRecord], at: Time) -> Option<Time> {
    let since = |record: &&BoardRecord| {
        record.time.is_some_and(|time| time >= at) && matches!(record.event, BoardEvent::Change(_))
    };
    records.iter().find(since)?.time
}

/// The board's log up to a moment, as it is reported then.
pub fn log(records: &[BoardRecord], until: Time) -> Vec<BoardRecord> {
    let first = records.iter().find_map(|record| match &record.event {
        BoardEvent::Position(position) => Some(position.placement),
        _ => None,
    });
    let listed =
        |square: Square, piece: Option<Piece>| BoardEvent::Change(Change { square, piece, quick: None });
    let stands = first.unwrap_or(Placement::EMPTY);
    let mut events = vec![BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: true })];
    events.extend(
        Square::all()
            .rev()
            .filter(|square| stands.get(*square).is_some())
            .map(|square| listed(square, stands.get(square))),
    );
    let logged = records.iter().take_while(|record| record.time <= Some(until));
    events.extend(logged.filter_map(|record| match &record.event {
        event @ (BoardEvent::Change(_) | BoardEvent::Press(_)) => Some(event.clone()),
        _ => None,
    }));
    let count = events.len() as u64;
    let history = BoardEvent::History(History { reason: "position".into(), count, complete: true });
    let record = |event| BoardRecord::new(Some(until), Some(BOARD), event);
    std::iter::once(history).chain(events).map(record).collect()
}

/// Loses something of what was reported behind the one moment, up to the other.
fn lose(
    records: &mut Vec<BoardRecord>,
    lost: Lost,
    (after, until): (Time, Time),
    random: &mut Random,
) -> Option<()> {
    let is_change = |record: &BoardRecord| matches!(record.event, BoardEvent::Change(_));
    let between: Vec<usize> = (0..records.len())
        .filter(|&n| is_change(&records[n]))
        .filter(|&n| records[n].time > Some(after) && records[n].time <= Some(until))
        .collect();
    let &at = random.pick(&between)?;
    match lost {
        Lost::Change => {
            records.remove(at);
        }
        Lost::Packet => {
            let time = records[at].time;
            let told = |event: &BoardEvent| matches!(event, BoardEvent::Change(_) | BoardEvent::Press(_));
            records.retain(|record| record.time != time || !told(&record.event));
        }
        Lost::Misread => {
            if let BoardEvent::Change(change) = &mut records[at].event {
                // A bit of the square is wrong.
                let field = change.square.field() ^ (1 << random.below(6));
                change.square = Square::from_field(field)?;
            }
        }
    }
    Some(())
}
