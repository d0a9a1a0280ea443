//! Progress on standard error, for people only: nothing is drawn when standard error is not a terminal.

use std::{sync::LazyLock, time::Duration};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Draws nothing from now on (`--quiet`).
pub fn silence() {
    BARS.set_draw_target(indicatif::ProgressDrawTarget::hidden());
}

/// A bar of `length` steps with a few words in front.
pub fn bar(length: u64, label: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}").expect("a valid template");
    BARS.add(ProgressBar::new(length).with_style(style).with_prefix(label.to_owned()))
}

/// A bar of `length` bytes with a few words in front.
pub fn bytes(length: u64, label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {bytes}/{total_bytes} {msg}")
        .expect("a valid template");
    BARS.add(ProgressBar::new(length).with_style(style).with_prefix(label.to_owned()))
}

/// Something that goes on for a time nobody knows.
pub fn spinner(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {prefix} {msg}").expect("a valid template");
    let spinner = BARS.add(ProgressBar::new_spinner().with_style(style).with_prefix(label.to_owned()));
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

/// A line that says how something goes, with the time since it began; what is too long for the terminal is cut off.
pub fn status() -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed_precise}  {wide_msg}").expect("a valid template");
    let status = BARS.add(ProgressBar::new_spinner().with_style(style));
    status.enable_steady_tick(Duration::from_secs(1));
    status
}

/// Whether a person sees any of it.
pub fn is_shown() -> bool {
    !BARS.is_hidden()
}

/// Runs `f` with the bars out of the way, so that a line on standard error stays whole.
pub fn aside<T>(f: impl FnOnce() -> T) -> T {
    BARS.suspend(f)
}
