//! Messages on standard error about a watched port that goes away and comes back. The records report it for each board,
//! for those who read them later; these messages are for whoever reads the terminal or the log of the service.

use crate::{
    bus::Gone,
    record::{BoardEvent, BoardRecord, LinkState},
    stdio::Seldom,
};

/// Messages about one port, at most one a minute for a port that comes and goes.
pub struct PortWords {
    port: String,
    /// How it went away, while it is away.
    away: Option<Gone>,
    gone: Seldom,
    back: Seldom,
}

impl PortWords {
    /// Nothing has been reported of this port.
    pub fn about(port: &str) -> PortWords {
        PortWords { port: port.into(), away: None, gone: Seldom::default(), back: Seldom::default() }
    }

    /// Reports that it went away. A port that goes away again in the same way, without an answer of a board in between,
    /// counts as away all the time.
    pub fn gone(&mut self, gone: &Gone) {
        if self.away.as_ref() != Some(gone) {
            self.gone.say(format_args!("{} {gone}: it is waited for", self.port));
            self.away = Some(gone.clone());
        }
    }

    /// Takes a record of a board on it: the first answer means that the port is back, which is reported.
    pub fn take(&mut self, record: &BoardRecord) {
        let answers = match &record.event {
            BoardEvent::Board(_) => true,
            BoardEvent::Found(link) => link.reason == LinkState::PORT_CLOSED,
            _ => false,
        };
        if answers && self.away.take().is_some() {
            self.back.say(format_args!("{} is back", self.port));
        }
    }
}
