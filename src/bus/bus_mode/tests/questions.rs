//! Single questions to a board on a bus: none of them makes it discard changes.

use super::*;
use crate::bus::{bus_mode::exchange::BusLine, driver::Driver as _};

#[test]
fn questions_discard_no_changes() {
    let mut bus = FakeBus::new([1025], 1);
    bus.boards[0].clock = [0x20, 0x05, 0x05, 0x20, 0x05, 0x04, 0x09];
    bus.spoilt_answers = vec![0, 2];
    let mut line = BusLine::new(bus);
    let text = |event: Option<BoardEvent>| serde_json::to_string(&event).unwrap();
    assert_eq!(
        text(line.position(1025).unwrap()),
        r#"{"placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#
    );
    assert_eq!(
        text(line.clock(1025).unwrap()),
        concat!(
            r#"{"connected":true,"left":{"seconds":304,"flag":false},"right":{"seconds":305,"flag":false},"#,
            r#""running":true,"turn":"left","low_battery":false}"#
        )
    );
    assert!(line.start(1025).unwrap().is_some());
    assert_eq!(line.position(1026).unwrap(), None);
    assert_eq!(line.history(1026, "asked", &mut |_, _| ()).unwrap(), None);
    let board = &line.link.boards[0];
    assert!(!board.asked.contains(&0x83) && board.start.is_some());
}

#[test]
fn a_long_log_is_restored_from_damaged_copies() {
    let mut bus = FakeBus::new([1025], 7);
    bus.noise = 0.001;
    let board = &mut bus.boards[0];
    let moves: Vec<u8> = (0..1000u16).flat_map(|n| [0x41, (n % 64) as u8, 0x40, (n % 63) as u8]).collect();
    board.log = [vec![0x7b], moves.clone()].concat();
    (board.start, board.pending) = (Some(0), board.log.len());
    board.script.push_back((Duration::ZERO, Action::Log(vec![0x40, 0x01])));
    let events = BusLine::new(bus).history(1025, "asked", &mut |_, _| ()).unwrap().unwrap();
    assert_eq!(events.len(), 1 + 1 + 2000);
    let head = serde_json::to_string(&events[0]).unwrap();
    assert_eq!(head, r#"{"reason":"asked","count":2001,"complete":true}"#);
}
