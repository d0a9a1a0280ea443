//! Restores the state of boards from a journal, from which a new run continues.
//!
//! Used at the start of a watch, and for the first records of a new journal that begins during a round.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Recalled, followed_board::FollowedBoard};
use crate::record::{
    BoardEvent, BoardFound, BoardPosition, BoardRecord, Calibration, CalibrationReason, Chips, LinkState,
    Mode, Record, Time,
};

/// Restores the state of boards from the records of a journal.
#[derive(Default)]
pub struct Recall {
    lines: BTreeMap<Option<Arc<str>>, RecalledLine>,
}

/// The state of one line.
#[derive(Default)]
struct RecalledLine {
    /// The mode of the board that answered last on each port; none: a port that the journal does not name.
    modes: BTreeMap<Option<String>, Mode>,
    boards: Recalled,
    /// The last `board` record of each board.
    found: BTreeMap<u16, BoardFound>,
    /// Lost boards, with the reason.
    lost: BTreeMap<u16, LinkState>,
    /// The known chips of boards that report chips.
    chips: BTreeMap<u16, Chips>,
    /// Incomplete histories, by board.
    open: BTreeMap<u16, Open>,
}

/// An incomplete history.
struct Open {
    /// The number of records that are still to come.
    left: u64,
    /// The records that came.
    events: Vec<BoardEvent>,
}

impl Recall {
    /// Takes a record of a journal; ignores records without a board.
    pub fn record(&mut self, record: Record) {
        if let Record::Board(BoardRecord { line, board: Some(address), event, .. }) = record {
            self.lines.entry(line).or_default().event(address, event);
        }
    }

    /// Takes the boards of the line with this name.
    pub fn line_named(&mut self, line: Option<&str>) -> Recalled {
        let Some(line) = self.lines.get_mut(&line.map(Into::into)) else { return Default::default() };
        let RecalledLine { boards, open, .. } = line;
        // After an incomplete history the published state is unknown: the board's own log will be fetched.
        boards.extend(std::mem::take(open).into_keys().map(|board| (board, FollowedBoard::new(board))));
        std::mem::take(boards)
    }

    /// The same for the boards of the line that answered on this port, where several ports share the line, or did.
    pub fn boards_on(&mut self, line: Option<&str>, port: &str) -> Recalled {
        let Some(line) = self.lines.get_mut(&line.map(Into::into)) else { return Default::default() };
        let mut recalled = Recalled::new();
        for (&board, _) in line.found.iter().filter(|(_, found)| found.port.as_deref() == Some(port)) {
            let known = line.boards.remove(&board).unwrap_or_else(|| FollowedBoard::new(board));
            let known = if line.open.remove(&board).is_some() { FollowedBoard::new(board) } else { known };
            recalled.insert(board, known);
        }
        recalled
    }

    /// The mode of the board of the line that answered last on this port. A port may have another name than when it was
    /// recorded: its mode is unknown then.
    pub fn mode_on(&self, line: Option<&str>, port: &str) -> Option<Mode> {
        let modes = &self.lines.get(&line.map(Into::into))?.modes;
        modes.get(&Some(port.to_owned())).or_else(|| modes.get(&None)).copied()
    }

    /// Whether boards alone of the line answered on more than one port.
    pub fn had_several_ports(&self, line: Option<&str>) -> bool {
        let found = self.lines.get(&line.map(Into::into)).into_iter().flat_map(|line| line.found.values());
        let alone = found.filter(|found| found.spoken() != Some(Mode::Bus));
        alone.filter_map(|found| found.port.as_deref()).collect::<BTreeSet<_>>().len() > 1
    }

    /// The known chips of all boards: a chip is in one piece, which may move from board to board.
    pub fn chips(&self) -> Chips {
        let mut all = Chips::default();
        self.lines.values().flat_map(|line| line.chips.values()).for_each(|chips| all.learn(chips));
        all
    }

    /// The state of the boards of this line as records of this time: that they answered, their positions, and which are lost.
    /// A journal that begins during a round begins with these records.
    pub fn standing(&self, line: Option<&str>, time: Time) -> Vec<BoardRecord> {
        let Some(line) = self.lines.get(&line.map(Into::into)) else { return Vec::new() };
        let of = |(&board, followed): (&u16, &FollowedBoard)| {
            let found = line.found.get(&board).cloned().map(BoardEvent::Board);
            let placement = followed.tracker.placement().copied();
            let stands =
                placement.map(|placement| BoardEvent::Position(BoardPosition { placement, result: None }));
            let chips = line.chips.get(&board).cloned();
            let chips = chips.map(|chips| {
                BoardEvent::Calibration(Calibration { chips, reason: Some(CalibrationReason::Given) })
            });
            let lost = line.lost.get(&board).cloned().map(BoardEvent::Lost);
            [found, stands, chips, lost]
                .into_iter()
                .flatten()
                .map(move |event| BoardRecord::new(Some(time), Some(board), event))
        };
        line.boards.iter().flat_map(of).collect()
    }
}

impl RecalledLine {
    fn event(&mut self, address: u16, event: BoardEvent) {
        if let BoardEvent::Board(found) = &event {
            self.modes.extend(found.spoken().map(|mode| (found.port.clone(), mode)));
            self.found.insert(address, found.clone());
        }
        match &event {
            BoardEvent::Lost(link) => _ = self.lost.insert(address, link.clone()),
            BoardEvent::Board(_) | BoardEvent::Found(_) => _ = self.lost.remove(&address),
            _ => {}
        }
        let board = self.boards.entry(address).or_insert_with(|| FollowedBoard::new(address));
        if let Some(open) = self.open.get_mut(&address) {
            open.events.push(event);
            open.left -= 1;
            if open.left == 0 {
                board.replace(&open.events);
                self.open.remove(&address);
            }
            return;
        }
        match event {
            BoardEvent::History(history) if history.count > 0 => {
                self.open.insert(address, Open { left: history.count, events: Vec::new() });
            }
            BoardEvent::Change(_) | BoardEvent::Press(_) | BoardEvent::Mark(_) => board.apply(&[event]),
            BoardEvent::Position(position) => board.set_placement(position.placement),
            BoardEvent::Quiet {} => board.list_ended(),
            BoardEvent::Calibration(calibration) => {
                self.chips.entry(address).or_default().learn(&calibration.chips);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    #[test]
    fn ports_that_share_a_line_recall_their_own_boards() {
        let mut recall = Recall::default();
        for line in [
            r#"{"type":"board","board":1025,"port":"/dev/one","mode":"single","seq":1}"#,
            r#"{"type":"board","board":1026,"port":"/dev/two","mode":"bus","seq":2}"#,
            r#"{"type":"board","board":1027,"port":"/dev/three","mode":"single","seq":3}"#,
            r#"{"type":"board","board":3,"port":"/dev/three","make":"certabo","seq":4}"#,
        ] {
            recall.record(record::parse(line.as_bytes()).unwrap());
        }
        let mut on =
            |port| (recall.boards_on(None, port).into_keys().collect::<Vec<_>>(), recall.mode_on(None, port));
        assert_eq!(on("/dev/one"), (vec![1025], Some(Mode::Single)));
        assert_eq!(on("/dev/three"), (vec![3, 1027], Some(Mode::CERTABO)));
        assert_eq!(on("/dev/four"), (vec![], None));
    }

    #[test]
    fn a_journal_recalls_position_and_history_of_each_board() {
        let mut recall = Recall::default();
        for line in [
            r#"{"type":"stream","records":1,"run":"a"}"#,
            r#"{"type":"mark","board":1025,"mark":"start","listing":true,"seq":1}"#,
            r#"{"type":"change","board":1025,"square":"e1","piece":"K","seq":2}"#,
            r#"{"type":"quiet","board":1025,"seq":3}"#,
            r#"{"type":"history","board":1026,"reason":"lost","count":2,"complete":true}"#,
            r#"{"type":"change","board":1025,"square":"e1","piece":null,"seq":4}"#,
            r#"{"type":"mark","board":1026,"mark":"start","listing":true}"#,
            r#"{"type":"change","board":1026,"square":"e8","piece":"k"}"#,
            r#"{"type":"change","line":"b","board":1025,"square":"e1","piece":"K"}"#,
            "half a lin",
        ] {
            if let Ok(record) = record::parse(line.as_bytes()) {
                recall.record(record);
            }
        }
        let boards = recall.line_named(None);
        let stands = |board: u16| boards[&board].tracker.placement().unwrap().to_string();
        assert_eq!(stands(1025), "8/8/8/8/8/8/8/8");
        assert_eq!(stands(1026), "4k3/8/8/8/8/8/8/8");
        assert!(boards[&1025].tracker.has_start());
        assert_eq!(recall.line_named(Some("b")).len(), 1);
        assert!(recall.line_named(Some("c")).is_empty());
    }

    #[test]
    fn a_new_journal_begins_with_the_known_chips() {
        let mut recall = Recall::default();
        for line in [
            r#"{"type":"board","board":1,"mode":"single","make":"certabo"}"#,
            r#"{"type":"calibration","board":1,"chips":{"0300540203":"?","0300540204":"K"},"reason":"start-position"}"#,
            r#"{"type":"calibration","board":1,"chips":{"0300540203":"Q"}}"#,
        ] {
            recall.record(record::parse(line.as_bytes()).unwrap());
        }
        let standing = recall.standing(None, Time(0));
        let BoardEvent::Calibration(calibration) = &standing[1].event else { panic!("{standing:?}") };
        assert_eq!((calibration.chips.0.len(), calibration.reason), (2, Some(CalibrationReason::Given)));
        assert_eq!(recall.chips(), calibration.chips);
        assert_eq!(recall.chips().piece("0300540203".parse().unwrap()).text(), "Q");
    }

    #[test]
    fn a_new_journal_begins_with_the_lost_boards() {
        let mut recall = Recall::default();
        for line in [
            r#"{"type":"board","board":1025,"version":"1.8"}"#,
            r#"{"type":"board","board":1026,"version":"1.8"}"#,
            r#"{"type":"lost","board":1025,"reason":"timeout"}"#,
            r#"{"type":"lost","board":1026,"reason":"timeout"}"#,
            r#"{"type":"found","board":1026}"#,
            r#"{"type":"lost","board":1027,"reason":"no answer"}"#,
        ] {
            recall.record(record::parse(line.as_bytes()).unwrap());
        }
        let records = recall.standing(None, Time(0));
        let records: Vec<_> =
            records.iter().map(|record| (record.board.unwrap(), record.event.kind())).collect();
        assert_eq!(records, [(1025, "board"), (1025, "lost"), (1026, "board"), (1027, "lost")]);
    }
}
