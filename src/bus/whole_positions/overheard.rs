//! Makes the records of a board that reports whole positions from the bytes in a capture. For `decode`.

use super::{
    follower::{Follower, SILENT},
    protocol::{Protocol, Said},
};
use crate::record::{BoardRecord, Time};

/// Follows a captured board.
pub struct OverheardReports {
    protocol: Box<dyn Protocol>,
    follower: Follower,
    said: Vec<Said>,
    /// The time of the last report. Without times in the capture, it is counted by the make's interval of reports.
    reported: Option<Time>,
}

impl OverheardReports {
    /// Follows a board with this protocol.
    pub fn new(protocol: impl Protocol) -> OverheardReports {
        let protocol = Box::new(protocol);
        OverheardReports { protocol, follower: Follower::default(), said: Vec::new(), reported: None }
    }

    /// Takes bytes that came at `time`, if that is known, and returns their records.
    pub fn push(&mut self, bytes: &[u8], time: Option<Time>) -> Vec<BoardRecord> {
        self.protocol.take(bytes, &mut self.said);
        for said in self.said.drain(..) {
            let every = self.protocol.reports_every().as_secs_f64();
            let counted = self.reported.map_or(Time(0), |reported| reported.after(every));
            let now = time.unwrap_or(counted);
            if matches!(said, Said::Position(_)) {
                let silence = self.reported.map_or(0.0, |reported| reported.seconds_until(now));
                if silence >= SILENT.as_secs_f64() {
                    self.follower.missed();
                }
                self.reported = Some(now);
            }
            self.follower.take(said, now);
        }
        let mut records = self.follower.followed.take_out();
        if time.is_none() {
            records.iter_mut().for_each(|record| record.time = None);
        }
        records
    }
}
