//! What lines for people are made of: spans of time as clocks show them.

/// `1:29:53`
pub(super) fn hours(seconds: f64) -> String {
    let all = seconds.max(0.0) as u64;
    format!("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60)
}
