//! Reports about connections on standard error: for each address and reason one line immediately, then a count each
//! minute.
//!
//! Otherwise anybody who can connect could fill a log.

use std::{
    collections::BTreeMap,
    fmt,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant},
};

/// Events within this time after a report are counted.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);
/// The greatest number of pairs of address and reason that are counted separately; all others share one count.
const COUNTS_MAX: usize = 1000;

/// The reason of a report, without text that a client can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A request was for a host that is not this one, or came from a page that is not welcome, or without the token.
    Host,
    Origin,
    Token,
    /// A request was answered with this status.
    Status(u16),
    /// There were too many connections.
    Full,
    /// A connection was ended: its messages were too long, or no WebSocket's; it did not read, or was silent.
    TooLong,
    Protocol,
    NotReading,
    Silent,
}

/// A reason, and the sentence about it.
pub type Why = (Reason, String);

/// The events of an address and reason since the last report.
struct Since {
    reported: Instant,
    more: u64,
    last: String,
}

/// The counts of all addresses and reasons.
#[derive(Default)]
pub struct Reports(BTreeMap<Option<(IpAddr, Reason)>, Since>);

impl Reports {
    /// The line to report immediately about this connection, if there is one.
    pub fn line(
        &mut self,
        now: Instant,
        (from, reason): (SocketAddr, Reason),
        why: impl fmt::Display,
    ) -> Option<String> {
        let key = Some((from.ip(), reason));
        let key = key.filter(|_| self.0.len() < COUNTS_MAX || self.0.contains_key(&key));
        let line = format!("{from} {why}");
        if let Some(since) = self.0.get_mut(&key) {
            (since.more, since.last) = (since.more + 1, line);
            return None;
        }
        self.0.insert(key, Since { reported: now, more: 0, last: String::new() });
        Some(line)
    }

    /// The counts that are due: events within a minute after a report.
    pub fn due(&mut self, now: Instant) -> Vec<String> {
        self.take(|since| now.saturating_duration_since(since.reported) >= REPORT_INTERVAL, now)
    }

    /// The counts that are not due yet.
    pub fn rest(&mut self, now: Instant) -> Vec<String> {
        self.take(|_| true, now)
    }

    fn take(&mut self, is_due: impl Fn(&Since) -> bool, now: Instant) -> Vec<String> {
        let mut lines = Vec::new();
        self.0.retain(|key, since| {
            if !is_due(since) {
                return true;
            }
            if since.more == 0 {
                return false;
            }
            let whose = key.map_or("other addresses".to_owned(), |(from, _)| from.to_string());
            lines.push(format!("{whose}: {} more within a minute, the last: {}", since.more, since.last));
            *since = Since { reported: now, more: 0, last: String::new() };
            true
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn repeated_refusals_of_an_address_are_counted() {
        let (mut reports, began) = (Reports::default(), Instant::now());
        let after = |seconds| began + Duration::from_secs(seconds);
        let (one, other) = (address("127.0.0.1:7"), address("[::1]:7"));
        let refused = |from| (from, Reason::Host);
        assert_eq!(reports.line(began, refused(one), "first"), Some("127.0.0.1:7 first".into()));
        assert_eq!(reports.line(after(1), refused(other), "first"), Some("[::1]:7 first".into()));
        assert_eq!(reports.line(after(1), (one, Reason::Silent), "ended"), Some("127.0.0.1:7 ended".into()));
        for second in 2..=50 {
            assert_eq!(reports.line(after(second), refused(address("127.0.0.1:8")), second), None);
        }
        assert_eq!(reports.due(after(59)), [""; 0]);
        assert_eq!(reports.due(after(60)), ["127.0.0.1: 49 more within a minute, the last: 127.0.0.1:8 50"]);
        // After a minute without events the next is reported immediately.
        assert_eq!(reports.line(after(61), refused(one), "x"), None);
        assert_eq!(reports.due(after(120)), ["127.0.0.1: 1 more within a minute, the last: 127.0.0.1:7 x"]);
        assert_eq!(reports.due(after(180)), [""; 0]);
        assert!(reports.line(after(181), refused(one), "x").is_some());
    }

    #[test]
    fn many_addresses_share_a_count() {
        let (mut reports, now) = (Reports::default(), Instant::now());
        let from = |n: u16| SocketAddr::from(([10, 0, (n >> 8) as u8, n as u8], 7));
        let lines = (0..3000).filter_map(|n| reports.line(now, (from(n), Reason::Full), "x"));
        assert_eq!(lines.count(), COUNTS_MAX + 1);
        let rest = reports.rest(now);
        assert_eq!(rest, ["other addresses: 1999 more within a minute, the last: 10.0.11.183:7 x"]);
    }
}
