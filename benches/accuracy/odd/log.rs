//! Row 4: data is lost on the line, and the complete log of the board arrives some plies later.

use super::scene::{BOARD, Cell, Day, Scene};
use boardbus::{
    record::{BoardEvent, BoardRecord, Change, History, Mark, MarkKind, Piece, Placement, Square, Time},
    sim::{planned_game::PlannedGame, random::Random, round::Ending},
};

/// The fewest plies before the loss.
const BEFORE: usize = 2;
/// The most plies between the loss and the log.
pub const LATER: usize = 12;
/// With how many seeds a first move that is slid is sought.
const SEEDS: u64 = 40;

/// What is lost.
#[derive(Debug, Clone, Copy)]
enum Lost {
    /// A change.
    Change,
    /// All data of one poll.
    Packet,
    /// No record, but a square is misread.
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

/// Data is lost, and the whole log comes later.
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

/// When an event at this time was reported: the first change since.
pub fn reported(records: &[BoardRecord], at: Time) -> Option<Time> {
    let since = |record: &&BoardRecord| {
        record.time.is_some_and(|time| time >= at) && matches!(record.event, BoardEvent::Change(_))
    };
    records.iter().find(since)?.time
}

/// The board's log up to a time, as it is reported then.
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

/// Removes something that was reported after the one time, up to the other.
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
            let is_lost = |event: &BoardEvent| matches!(event, BoardEvent::Change(_) | BoardEvent::Press(_));
            records.retain(|record| record.time != time || !is_lost(&record.event));
        }
        Lost::Misread => {
            if let BoardEvent::Change(change) = &mut records[at].event {
                // One bit of the square is wrong.
                let field = change.square.field() ^ (1 << random.below(6));
                change.square = Square::from_field(field)?;
            }
        }
    }
    Some(())
}
