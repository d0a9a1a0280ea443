//! What a person is told of a port that goes away and comes back while it is watched. Its records say it of each board, and
//! to who reads them later; this says it to whoever looks at the terminal, or at what a service said.

use crate::{
    bus::Gone,
    record::{BoardEvent, BoardRecord, LinkState},
    stdio::Seldom,
};

/// Of one port. One that comes and goes all day is spoken of once a minute.
pub struct PortWords {
    port: String,
    /// How it went away, while it is away.
    away: Option<Gone>,
    gone: Seldom,
    back: Seldom,
}

impl PortWords {
    /// Nothing has been said of this port.
    pub fn about(port: &str) -> PortWords {
        PortWords { port: port.into(), away: None, gone: Seldom::default(), back: Seldom::default() }
    }

    /// It went away. One that does so again and again in the same way, and no board answers meanwhile, is away all the time.
    pub fn gone(&mut self, gone: &Gone) {
        if self.away.as_ref() != Some(gone) {
            self.gone.say(format_args!("{} {gone}: it is waited for", self.port));
            self.away = Some(gone.clone());
        }
    }

    /// Takes what a board on it told: the first that answers says that it is back.
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
