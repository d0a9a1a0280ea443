//! What lines for people are made of: colours where there are any, spans of time as clocks show them.

use anstyle::Style;

use crate::stdio;

/// A style, or none where colours are not wanted.
pub(super) fn coloured(style: Style) -> Style {
    if stdio::colour() { style } else { Style::new() }
}

/// `1:29:53`
pub(super) fn hours(seconds: f64) -> String {
    let all = seconds.max(0.0) as u64;
    format!("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60)
}
