//! Bytes that answer no command: from another program on the line, from a probe for another make, or late answers.

use std::time::Duration;

use crate::{
    record::{BoardEvent, Fault, FaultKind, Mode},
    wire::{
        command::BusCommand,
        frame::{Decoder, Frame},
        records::hex,
    },
};

/// Stray bytes within this time make one fault.
const TOGETHER: Duration = Duration::from_secs(1);

/// The most bytes that are kept for the fault.
const KEPT_MAX_BYTES: usize = 256;

/// Collects stray bytes, and finds the messages in them.
pub struct StrayBytes {
    /// The first bytes, up to [`KEPT_MAX_BYTES`].
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
    /// Takes bytes that came now. Returns the boards that sent changes to another program, and have discarded them.
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
            self.bytes.extend(bytes.iter().take(KEPT_MAX_BYTES.saturating_sub(self.bytes.len())));
        }
        boards
    }

    /// The fault to publish, if one is due.
    pub fn fault(&mut self, now: Duration) -> Option<BoardEvent> {
        self.since.take_if(|since| now >= *since + TOGETHER)?;
        let (bytes, count) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.count));
        let detail = format!("{count} bytes that no board was asked for");
        Some(BoardEvent::Fault(Fault { kind: FaultKind::Framing, detail, bytes: Some(hex(&bytes)) }))
    }
}
