//! Lines of records of either layer as `show` and `check` read them: every picture can be drawn and every finding written.

use boardbus::{
    format::pgn::Dress,
    health::Health,
    record::{Record, Time, Zone, parse},
    screen::{Hall, Key, Look, Scene, View, picture},
};
use ratatui_core::{buffer::Buffer, layout::Rect};

/// The sizes of a picture: a small screen, a large one, and one without room.
const SIZES: [(u16, u16); 3] = [(80, 24), (200, 60), (21, 6)];

/// Reads records as `show` and `check` do.
pub fn hall(data: &[u8]) {
    let (mut hall, mut health) = (Hall::new(Dress::default()), Health::with_games());
    for line in data.split(|&byte| byte == b'\n') {
        match parse(line) {
            Ok(Record::Stream(stream)) => {
                hall.stream(&stream);
                health.stream(&stream);
            }
            Ok(Record::Board(record)) => {
                hall.record(&record);
                health.board(&record);
            }
            Ok(Record::Game(record)) => {
                health.game(&record);
                // An impossible record is reported and left out.
                let _ = hall.play(record);
            }
            _ => {}
        }
    }
    for finding in health.findings() {
        assert!(!finding.advice.is_empty() && !finding.detail.is_empty(), "{finding:?}");
    }
    health.summaries();
    let now = hall.now().unwrap_or(Time(0));
    let look = Look { ascii: false, colour: true };
    let scene = Scene {
        source: "attack".into(),
        now,
        zone: Zone::default(),
        look,
        pace: String::new(),
        said: String::new(),
        keys: true,
    };
    for (width, height) in SIZES {
        let mut view = View::default();
        // All boards, and one of them.
        for key in [Key::Right, Key::Enter] {
            view.key(key, &hall);
            let mut cells = Buffer::empty(Rect::new(0, 0, width, height));
            picture(&mut cells, &hall, &mut view, &scene);
        }
    }
}
