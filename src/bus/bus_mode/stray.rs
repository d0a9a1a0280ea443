//! Bytes that came when nobody was asked: another program on the line, another make's probe, or an answer too late.

use std::time::Duration;

use crate::{
    record::{BoardEvent, Fault, FaultKind, Mode},
    wire::{
        command::BusCommand,
        frame::{Decoder, Frame},
        records::hex,
    },
};

/// Those of this time are published together.
const TOGETHER: Duration = Duration::from_secs(1);

/// So many of them are kept to be shown.
const SHOWN: usize = 256;

/// Bytes that nobody was asked for, and the messages in them.
pub struct StrayBytes {
    /// The first of them.
    bytes: Vec<u8>,
    count: usize,
    since: Option<Duration>,
    decoder: Decoder,
}

impl Default for StrayBytes {
    fn default() -> StrayBytes {
        StrayBytes { bytes: Vec::new(), count: 0, since: None, decoder: Decoder::new(Mode::Bus) }
    }
}

impl StrayBytes {
    /// Takes bytes that came now. Brings the boards that told changes to somebody else, and have forgotten them.
    pub fn add(&mut self, bytes: &[u8], now: Duration) -> Vec<u16> {
        let mut boards = Vec::new();
        if !bytes.is_empty() {
            self.decoder.push(bytes, |frame| {
                if let Ok(Frame { id, address: Some(address), data: [_, ..] }) = frame
                    && BusCommand::SendChanges.expects(id)
                {
                    boards.push(address);
                }
            });
            self.since.get_or_insert(now);
            self.count += bytes.len();
            self.bytes.extend(bytes.iter().take(SHOWN.saturating_sub(self.bytes.len())));
        }
        boards
    }

    /// The fault to publish, when it is time for one.
    pub fn fault(&mut self, now: Duration) -> Option<BoardEvent> {
        self.since.take_if(|since| now >= *since + TOGETHER)?;
        let (bytes, count) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.count));
        let detail = format!("{count} bytes that no board was asked for");
        Some(BoardEvent::Fault(Fault { kind: FaultKind::Framing, detail, bytes: Some(hex(&bytes)) }))
    }
}
