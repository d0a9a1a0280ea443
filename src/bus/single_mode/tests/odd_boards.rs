//! Boards alone that do not answer every question, or answer in an unusual way.

use super::*;
use crate::bus::answers;

/// A board with an address of `address_bytes` and these serial numbers, the short and the long one.
fn board(address_bytes: usize, serials: [&'static str; 2]) -> LoneBoard {
    let mut board = LoneBoard::new();
    (board.address_bytes, board.serials) = (address_bytes, serials);
    board
}

#[test]
fn without_an_address_the_serial_number_is_used() {
    for (address_bytes, serials, number, serial) in [
        (2, ["01025 1.0", ""], 1025, Some("01025")),
        (2, ["", "3000147740"], 1025, Some("3000147740")),
        (0, ["", "3000147740"], 7740, Some("3000147740")),
        (1, ["47740", "3000147740"], 7740, Some("3000147740")),
        (0, ["20336", ""], 336, Some("20336")),
        (0, ["12001", ""], 12001, Some("12001")),
        (0, ["", ""], 1, None),
        (1, ["", ""], 1, None),
    ] {
        let mut driver = Box::new(BoardAlone::new(board(address_bytes, serials)));
        let found = driver.find(&[], &mut |_| Ok(())).unwrap();
        let found: Vec<_> = found.iter().map(|found| (found.board, found.serial.as_deref())).collect();
        assert_eq!(found, [(number, serial)], "{address_bytes} {serials:?}");
        const NAMED: &str = "3000147740";
        let named = answers::number_of_serial(NAMED).unwrap();
        let meant = match serial {
            Some(NAMED) => Some(number),
            Some(_) => None,
            // It may be this board.
            None => Some(named),
        };
        assert_eq!(driver.meant(named, Some(NAMED)), Ok(meant));
        assert!(driver.position(number).unwrap().is_some());
    }
}

#[test]
fn boards_of_every_kind_are_watched() {
    for (address_bytes, serials, number) in
        [(0, ["", "3000147740"], 7740), (1, ["45539", ""], 5539), (0, ["", ""], 1)]
    {
        let mut board = board(address_bytes, serials);
        board.log.clear();
        // Bytes from before the watch: a version, a change, the end of a dump.
        board.stale = vec![0, 0, 1, 0x93, 0, 5, 9, 9, 0x8e, 0, 5, 0, 0];
        board.moves(10.0, 0x34, 0x24, 1);
        let (_, records) = follow(board, SETTINGS, 20.0, None);
        let of_board: Vec<_> = records.iter().map(|record| (record.board, record.event.kind())).collect();
        let changes = of_board.iter().filter(|&&record| record == (Some(number), "change")).count();
        assert_eq!(changes, 2, "{of_board:?}");
        assert!(
            of_board.iter().all(|&(board, kind)| board == Some(number) && kind != "lost"),
            "{of_board:?}"
        );
    }
}

#[test]
fn a_board_that_senses_only_occupied_squares_is_refused() {
    let mut pegasus = board(0, ["01234", ""]);
    for code in &mut pegasus.fields {
        *code = u8::from(*code > 0);
    }
    let mut reported = Vec::new();
    let mut driver = Box::new(BoardAlone::new(pegasus));
    let found = driver.find(&[], &mut |event| {
        reported.push(format!("{event:?}"));
        Ok(())
    });
    assert_eq!(found.unwrap(), []);
    assert!(reported[0].contains("senses where pieces stand and not which"), "{reported:?}");
}

#[test]
fn a_board_switched_on_during_the_greeting_has_its_number() {
    // It is switched on between the question for its address and the last question.
    for after in (0..30).map(|tenths| f64::from(tenths) / 10.0) {
        let mut board = board(2, ["02054", ""]);
        board.address = 1025;
        board.script.push_back((Duration::ZERO, Action::Power(false)));
        board.script.push_back((Duration::from_secs_f64(after), Action::Power(true)));
        let (_, records) = follow(board, SETTINGS, 12.0, None);
        // Records before its first answer have no number.
        let mut numbers: Vec<u16> = records.iter().filter_map(|record| record.board).collect();
        numbers.dedup();
        assert_eq!(numbers, [1025], "{after}");
    }
}
