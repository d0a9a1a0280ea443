//! The hall: every board that was ever heard of, in an order that never changes.

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

/// The line of a hall is told of once a minute at least. See [`Hall::silent_since`].
const SILENT: f64 = 120.0;
/// What a board says may be told of out of its order, but not by so many seconds: a clock was put back.
const PUT_BACK: f64 = 5.0;

/// A hall as it stands.
#[derive(Clone, Default)]
pub struct Hall {
    boards: BTreeMap<Name, Board>,
    health: Health,
    seen: Seen,
    dress: Dress,
    /// Where times in words are told for.
    zone: Zone,
    /// The latest time in the records of each line, by its machine's clock.
    latest: BTreeMap<Option<Arc<str>>, Time>,
    /// How much has been heard: as long as it is the same, so is the hall.
    revision: u64,
}

impl Hall {
    /// Nobody is there yet; `dress` knows who plays where.
    pub fn new(dress: Dress) -> Hall {
        Hall { dress, ..Hall::default() }
    }

    /// The same, which tells times in words as they are there; otherwise they are UTC.
    pub fn told_in(self, zone: Zone) -> Hall {
        Hall { health: self.health.with_zone(zone.clone()), zone, ..self }
    }

    /// Somebody else plays by now, or elsewhere, as this dress knows.
    pub fn dress_anew(&mut self, dress: Dress) {
        self.revision += 1;
        for (name, board) in &mut self.boards {
            board.seats = seats(&dress, name);
            board.game.iter_mut().for_each(|game| dress.put_on(game, board.earlier));
        }
        self.dress = dress;
    }

    /// Where times in words are told for.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// A source begins.
    pub fn stream(&mut self, stream: &Stream) {
        self.seen.stream(stream);
        self.health.stream(stream);
    }

    /// What a board reported, or the link to it. What was heard before is not heard again.
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

    /// Takes of a record no more than when it was: for whoever asks for moments alone.
    pub fn record_when(&mut self, record: &BoardRecord) {
        if self.seen.again(record) {
            return;
        }
        self.time_passes(record);
        if let Some(board) = self.board_of(record) {
            board.heard = record.time.or(board.heard);
        }
    }

    /// Whose record it is.
    fn board_of(&mut self, record: &BoardRecord) -> Option<&mut Board> {
        let name = (record.line.clone(), record.board);
        // A line's own faults are of no board; those of a board alone on its cable are its own.
        let of_line = match record.event {
            BoardEvent::Fault(_) => !self.boards.contains_key(&name),
            _ => self.boards.keys().any(|other| other.0 == name.0 && other.1.is_some()),
        };
        let is_of_board = record.board.is_some() || !of_line;
        is_of_board.then(|| board_named(&mut self.boards, &self.dress, name))
    }

    /// The clock of a line's machine goes on, or was put back: what its boards said before they have said by then.
    fn time_passes(&mut self, record: &BoardRecord) {
        let Some(time) = record.time else { return };
        let board = self.boards.get(&(record.line.clone(), record.board));
        let before = board.and_then(|board| board.heard);
        if before.is_some_and(|before| time.seconds_until(before) > PUT_BACK) {
            let from = self.latest.insert(record.line.clone(), time);
            let of_line = self.boards.iter_mut().filter(|(name, _)| name.0 == record.line);
            of_line.for_each(|(_, board)| board.clock_is_put_back(from, time));
        } else {
            self.hears(&record.line, time);
        }
    }

    fn hears(&mut self, line: &Option<Arc<str>>, time: Time) {
        match self.latest.get_mut(line) {
            Some(latest) => *latest = time.max(*latest),
            None => drop(self.latest.insert(line.clone(), time)),
        }
    }

    /// What was played.
    ///
    /// # Errors
    /// What is wrong with a record that cannot be.
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

    /// Takes of what was played no more than when it was.
    pub fn play_when(&mut self, record: &GameRecord) {
        // A move is told late: by the time of its board's own records the clock may have been put back since.
        let board = self.boards.get(&(record.line.clone(), record.board));
        let is_heard = board.is_some_and(|board| board.heard.is_some());
        if let Some(time) = record.time.filter(|_| !is_heard) {
            self.hears(&record.line, time);
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

    /// Since when nothing was heard of any board, where a recording would have told of some: it has stopped.
    pub fn silent_since(&self, now: Time) -> Option<Time> {
        let is_told = self.boards.values().any(|board| board.mode() == Some(Mode::Bus));
        self.now().filter(|latest| is_told && latest.seconds_until(now) >= SILENT)
    }

    /// Grows with all that is heard.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What is wrong with a board at a moment, the gravest first.
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
            // Whether anything moved meanwhile nobody knows.
            all.retain(|trouble| trouble.kind != FindingKind::NoChange);
            let words = format!("not heard {}", words::lasting(heard, now, &self.zone));
            more.push(Trouble { kind: FindingKind::Silent, words });
        }
        all.extend(more);
        all.sort_by_key(|trouble| trouble.kind);
        all
    }

    /// Whether boards of several lines are here, so that an address alone names none.
    pub fn has_lines(&self) -> bool {
        self.boards.keys().any(|name| name.0.is_some())
    }
}

/// The board of this name; new if nobody has heard of it. Who sits there is known before they play.
fn board_named<'a>(boards: &'a mut BTreeMap<Name, Board>, dress: &Dress, name: Name) -> &'a mut Board {
    let new = |name: &Name| Board { seats: seats(dress, name), ..Board::default() };
    boards.entry(name).or_insert_with_key(new)
}

/// Who sits at a board before they play.
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

    /// A hall that heard these.
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
    fn a_fault_without_an_address_makes_no_board_and_is_one_of_a_board_alone() {
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
    fn a_move_that_is_told_after_the_clock_was_put_back_is_not_of_now() {
        let hall = hall(&[
            r#"{"type":"quiet","time":"2026-11-22T10:00:00.000Z","board":1025}"#,
            r#"{"type":"quiet","time":"2026-11-22T09:00:08.000Z","board":1025}"#,
            r#"{"type":"game","time":"2026-11-22T09:59:00.000Z","board":1025,"game":1,"rules":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#,
        ]);
        assert_eq!(hall.now(), Some("2026-11-22T09:00:08.000Z".parse().unwrap()));
    }
}
