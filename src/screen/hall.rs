//! The hall: every board with a record, in an order that never changes.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    board::{Board, UNHEARD},
    ply::{self, Game},
    stand, words,
};
pub use crate::record::BoardName as Name;
use crate::{
    format::pgn::Dress,
    health::{Health, Trouble},
    record::{
        BoardEvent, BoardRecord, FindingKind, GameRecord, GameStart, Mode, Rules, Seen, Stream, Tags, Time,
        Zone,
    },
};

/// A hall has a record at least once a minute. See [`Hall::silent_since`].
const SILENT: f64 = 120.0;
/// Records of a board may be out of order by less than this, in seconds; otherwise a clock was put back.
const PUT_BACK: f64 = 5.0;

/// The state of a hall.
#[derive(Clone, Default)]
pub struct Hall {
    boards: BTreeMap<Name, Board>,
    health: Health,
    seen: Seen,
    dress: Dress,
    /// The time zone of displayed times.
    zone: Zone,
    /// The latest time in the records of each line, by its machine's clock.
    latest: BTreeMap<Option<Arc<str>>, Time>,
    /// Counts the changes of the hall.
    revision: u64,
}

impl Hall {
    /// A hall without boards; `dress` has the names of the players.
    pub fn new(dress: Dress) -> Hall {
        Hall { dress, ..Hall::default() }
    }

    /// The same with times displayed in this zone; otherwise they are in UTC.
    pub fn told_in(self, zone: Zone) -> Hall {
        Hall { health: self.health.with_zone(zone.clone()), zone, ..self }
    }

    /// The names of the players have changed.
    pub fn dress_again(&mut self, dress: Dress) {
        self.revision += 1;
        for (name, board) in &mut self.boards {
            board.seats = seats(&dress, name);
            board.game.iter_mut().for_each(|game| dress.put_on(game, board.earlier));
        }
        self.dress = dress;
    }

    /// The time zone of displayed times.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// A source begins.
    pub fn stream(&mut self, stream: &Stream) {
        self.seen.stream(stream);
        self.health.stream(stream);
    }

    /// Reads a board record, unless it was read before.
    pub fn record(&mut self, record: &BoardRecord) {
        if self.seen.again(record) {
            return;
        }
        self.time_passes(record);
        self.revision += 1;
        self.health.board(record);
        if let Some(board) = self.board_of(record) {
            board.record(record);
        }
    }

    /// Reads only the time of a record.
    pub fn record_when(&mut self, record: &BoardRecord) {
        if self.seen.again(record) {
            return;
        }
        self.time_passes(record);
        if let Some(board) = self.board_of(record) {
            board.heard = record.time.or(board.heard);
        }
    }

    /// The board of a record.
    fn board_of(&mut self, record: &BoardRecord) -> Option<&mut Board> {
        let name = (record.line.clone(), record.board);
        // Faults of a line belong to no board; those of a board alone on its cable are its own.
        let of_line = match record.event {
            BoardEvent::Fault(_) => !self.boards.contains_key(&name),
            _ => self.boards.keys().any(|other| other.0 == name.0 && other.1.is_some()),
        };
        let is_of_board = record.board.is_some() || !of_line;
        is_of_board.then(|| board_named(&mut self.boards, &self.dress, name))
    }

    /// The clock of a line's machine goes on, or was put back: earlier records of its boards count as of then.
    fn time_passes(&mut self, record: &BoardRecord) {
        let Some(time) = record.time else { return };
        let board = self.boards.get(&(record.line.clone(), record.board));
        let before = board.and_then(|board| board.heard);
        if before.is_some_and(|before| time.seconds_until(before) > PUT_BACK) {
            let from = self.latest.insert(record.line.clone(), time);
            let of_line = self.boards.iter_mut().filter(|(name, _)| name.0 == record.line);
            of_line.for_each(|(_, board)| board.clock_is_put_back(from, time));
        } else {
            self.note_time(&record.line, time);
        }
    }

    fn note_time(&mut self, line: &Option<Arc<str>>, time: Time) {
        match self.latest.get_mut(line) {
            Some(latest) => *latest = time.max(*latest),
            None => drop(self.latest.insert(line.clone(), time)),
        }
    }

    /// Reads a game record.
    ///
    /// # Errors
    /// What is wrong with an impossible record.
    pub fn play(&mut self, record: GameRecord) -> Result<(), String> {
        self.play_when(&record);
        self.revision += 1;
        self.health.game(&record);
        let name = (record.line.clone(), record.board);
        let board = board_named(&mut self.boards, &self.dress, name);
        if board.play(record)?
            && let Board { game: Some(game), earlier, .. } = board
        {
            self.dress.put_on(game, *earlier);
        }
        Ok(())
    }

    /// Reads only the time of a game record.
    pub fn play_when(&mut self, record: &GameRecord) {
        // A move is published late: by the time of its board's own records the clock may have been put back since.
        let board = self.boards.get(&(record.line.clone(), record.board));
        let is_heard = board.is_some_and(|board| board.heard.is_some());
        if let Some(time) = record.time.filter(|_| !is_heard) {
            self.note_time(&record.line, time);
        }
    }

    /// The boards in the order of their names.
    pub fn boards(&self) -> impl ExactSizeIterator<Item = (&Name, &Board)> + Clone {
        self.boards.iter()
    }

    /// The board of this name.
    pub fn board(&self, name: &Name) -> Option<&Board> {
        self.boards.get(name)
    }

    /// The latest time in the records, whose clock may have been put back since.
    pub fn now(&self) -> Option<Time> {
        self.latest.values().copied().max()
    }

    /// The time since when no board has a record, though a recording would have had one: it has stopped.
    pub fn silent_since(&self, now: Time) -> Option<Time> {
        let is_reported = self.boards.values().any(|board| board.mode() == Some(Mode::Bus));
        self.now().filter(|latest| is_reported && latest.seconds_until(now) >= SILENT)
    }

    /// Grows with every change of the hall.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The findings of a board at a time, the gravest first.
    pub fn trouble(&self, name: &Name, now: Time) -> Vec<Trouble> {
        let mut all = self.health.trouble(name, now);
        let Some(board) = self.boards.get(name).filter(|board| board.in_play()) else { return all };
        let says = |all: &[Trouble], kind| all.iter().any(|trouble| trouble.kind == kind);
        let mut more = Vec::new();
        let gone_on = board.game.as_ref().and_then(|game| Some((game, stand::gone_on_otherwise(game)?)));
        if let (Some((game, behind)), false) = (gone_on, says(&all, FindingKind::Mismatch)) {
            let behind = if behind == 0 { "the start".to_owned() } else { ply::last_moves(game, behind, 1) };
            let words = format!("board does not match the game since {behind}");
            more.push(Trouble { kind: FindingKind::Mismatch, words });
        }
        let unheard =
            self.now().and_then(|latest| board.unheard(latest)).filter(|seconds| *seconds >= UNHEARD);
        if let (Some(_), Some(heard), false) = (unheard, board.heard, says(&all, FindingKind::Silent)) {
            // Whether any square changed meanwhile is unknown.
            all.retain(|trouble| trouble.kind != FindingKind::NoChange);
            let words = format!("not heard {}", words::lasting(heard, now, &self.zone));
            more.push(Trouble { kind: FindingKind::Silent, words });
        }
        all.extend(more);
        all.sort_by_key(|trouble| trouble.kind);
        all
    }

    /// Whether there are boards of several lines, so that an address alone is ambiguous.
    pub fn has_lines(&self) -> bool {
        self.boards.keys().any(|name| name.0.is_some())
    }
}

/// The board of this name, which is added if it is new. Its players are known before they play.
fn board_named<'a>(boards: &'a mut BTreeMap<Name, Board>, dress: &Dress, name: Name) -> &'a mut Board {
    let new = |name: &Name| Board { seats: seats(dress, name), ..Board::default() };
    boards.entry(name).or_insert_with_key(new)
}

/// The players at a board before they play.
fn seats(dress: &Dress, name: &Name) -> Tags {
    let start = GameStart {
        rules: Rules::Chess,
        fen: String::new(),
        rotated: false,
        tags: Tags::default(),
        comment: None,
        zone: None,
    };
    let mut game = Game::begin(name.clone(), 1, None, start);
    dress.put_on(&mut game, 0);
    game.start.tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, parse};

    /// A hall that has read these records.
    fn hall(lines: &[&str]) -> Hall {
        let mut hall = Hall::default();
        for line in lines {
            match parse(line.as_bytes()) {
                Ok(Record::Board(record)) => hall.record(&record),
                Ok(Record::Game(record)) => hall.play(record).unwrap(),
                _ => panic!("{line}"),
            }
        }
        hall
    }

    #[test]
    fn a_fault_without_address_makes_no_board() {
        let fault = r#"{"type":"fault","kind":"framing","detail":"stray bytes","bytes":"00ff"}"#;
        assert_eq!(hall(&[fault]).boards().len(), 0);
        assert_eq!(hall(&[fault, r#"{"type":"quiet","board":1025}"#]).boards().len(), 1);
        let alone = hall(&[r#"{"type":"board","mode":"single"}"#, fault]);
        let faults: Vec<u64> = alone.boards().map(|(_, board)| board.faults.iter().sum()).collect();
        assert_eq!(faults, [1]);
        // Beside a bus.
        let lines =
            hall(&[r#"{"type":"quiet","line":"bus","board":1025}"#, r#"{"type":"quiet","line":"desk"}"#]);
        assert_eq!(lines.boards().len(), 2);
    }

    #[test]
    fn moves_reported_after_put_back_clocks_are_not_new() {
        let hall = hall(&[
            r#"{"type":"quiet","time":"2026-11-22T10:00:00.000Z","board":1025}"#,
            r#"{"type":"quiet","time":"2026-11-22T09:00:08.000Z","board":1025}"#,
            r#"{"type":"game","time":"2026-11-22T09:59:00.000Z","board":1025,"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#,
        ]);
        assert_eq!(hall.now(), Some("2026-11-22T09:00:08.000Z".parse().unwrap()));
    }
}
