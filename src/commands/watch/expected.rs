//! Boards that must be there: on which port, and where that is open, which of them are on none.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use crate::{
    bus::answers::number_of_serial,
    commands::arguments::Named,
    error::{Error, Result},
    record::{BoardEvent, BoardRecord},
    stdio,
};

/// Whether there are as many lists of boards as ports; of boards that are expected one may be for all.
///
/// # Errors
/// [`Error::Usage`] where there are not.
pub(super) fn check(board: &[Named], expect: &[Named], ports: usize) -> Result<()> {
    let fits = |lists: &[Named]| lists.is_empty() || lists.len() == ports;
    match (fits(board), fits(expect) || expect.len() == 1) {
        (true, true) => Ok(()),
        (false, _) => Err(Error::Usage(format!(
            "{} --board and {ports} {}: give it once for each port, in their order",
            board.len(),
            if ports == 1 { "port" } else { "ports" }
        ))),
        (true, false) => Err(Error::Usage(format!(
            "{} --expect and {ports} {}: give it once for each port, in their order, or once for all",
            expect.len(),
            if ports == 1 { "port" } else { "ports" }
        ))),
    }
}

/// Boards of which each must be on one of several ports.
#[derive(Debug)]
pub(super) struct Expected {
    named: Named,
    seen: Mutex<Seen>,
}

/// What came so far.
#[derive(Debug)]
struct Seen {
    /// The ports that were not searched yet.
    ports: BTreeSet<usize>,
    boards: BTreeSet<u16>,
}

impl Expected {
    /// These boards, on ports numbered from 0.
    pub fn new(named: Named, ports: usize) -> Expected {
        Expected { named, seen: Mutex::new(Seen { ports: (0..ports).collect(), boards: BTreeSet::new() }) }
    }

    /// Reads a record of a port. A port with a board alone counts as searched when that board is found.
    pub fn take(&self, port: usize, is_alone: bool, record: &BoardRecord) {
        let BoardEvent::Board(board) = &record.event else { return };
        let serial = board.serial.as_deref().and_then(number_of_serial);
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .boards
            .extend(record.board.into_iter().chain(serial));
        if is_alone {
            self.searched(port);
        }
    }

    /// A port was searched once. After the last one, the boards that are on no port are reported.
    pub fn searched(&self, port: usize) {
        if let Some(missing) = self.missing(port) {
            stdio::say(format_args!("no answer from {missing} on any port: waiting for them"));
        }
    }

    fn missing(&self, port: usize) -> Option<String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_last = seen.ports.remove(&port) && seen.ports.is_empty();
        let missing: Vec<u16> =
            self.named.boards.iter().copied().filter(|board| !seen.boards.contains(board)).collect();
        (is_last && !missing.is_empty()).then(|| self.named.list(&missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::BoardFound;

    fn lists(lists: &[&str]) -> Vec<Named> {
        lists.iter().map(|list| list.parse().unwrap()).collect()
    }

    #[test]
    fn lists_of_boards_are_as_many_as_ports() {
        for (board, expect, ports) in [
            (&[][..], &[][..], 3),
            (&["1025"], &[], 1),
            (&["1025", "1026-1028"], &[], 2),
            (&[], &["1025", "1026"], 2),
            (&[], &["1025,1026"], 2),
        ] {
            assert!(check(&lists(board), &lists(expect), ports).is_ok(), "{board:?} {expect:?}");
        }
        let refused = |board: &[&str], expect: &[&str], ports| {
            check(&lists(board), &lists(expect), ports).unwrap_err().to_string()
        };
        assert!(refused(&["1025"], &[], 2).starts_with("1 --board and 2 ports"));
        assert!(refused(&["1025", "1026"], &[], 1).starts_with("2 --board and 1 port:"));
        assert!(refused(&[], &["1025", "1026"], 3).ends_with("or once for all"));
    }

    #[test]
    fn boards_on_no_port_are_named_after_the_last_search() {
        let expected = Expected::new("1025-1027,3000147740".parse().unwrap(), 3);
        let found = |board, serial: Option<&str>| {
            let found = BoardFound { serial: serial.map(Into::into), ..BoardFound::new(None, None, None) };
            BoardRecord::new(None, Some(board), BoardEvent::Board(found))
        };
        expected.take(0, false, &found(1026, None));
        assert_eq!(expected.missing(0), None);
        // The number of a board alone is its address; the user named its serial number.
        expected.take(1, true, &found(9, Some("3000147740")));
        assert_eq!(expected.missing(1), None, "it was searched with its board");
        assert_eq!(expected.missing(2).as_deref(), Some("1025, 1027"));
        assert_eq!(expected.missing(2), None, "it is reported once");
    }
}
