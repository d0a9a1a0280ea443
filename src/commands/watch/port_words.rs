//! What a person is told of a port that goes away and comes back while it is watched. For `watch`: its records say it of each
//! board, and who reads them later; this says it to whoever looks at the terminal, or at what a service said.

use std::path::Path;

use crate::{
    record::{BoardEvent, BoardRecord, LinkState},
    stdio::Seldom,
};

/// Of one port. One that comes and goes all day is spoken of once a minute.
pub struct PortWords {
    port: String,
    away: bool,
    gone: Seldom,
    back: Seldom,
}

impl PortWords {
    /// Nothing has been said of this port.
    pub fn about(port: &Path) -> PortWords {
        let port = port.display().to_string();
        PortWords { port, away: false, gone: Seldom::default(), back: Seldom::default() }
    }

    /// Takes what a board on it told. All its boards are lost with it; the first that is found again says that it is back.
    pub fn take(&mut self, record: &BoardRecord) {
        let is_of_port = |link: &LinkState| link.reason == LinkState::PORT_CLOSED;
        match &record.event {
            BoardEvent::Lost(link) if is_of_port(link) && !self.away => {
                self.away = true;
                self.gone.say(format_args!("{} went away: it is waited for", self.port));
            }
            BoardEvent::Found(link) if is_of_port(link) && self.away => {
                self.away = false;
                self.back.say(format_args!("{} is back", self.port));
            }
            _ => {}
        }
    }
}
