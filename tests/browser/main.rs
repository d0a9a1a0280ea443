//! The pages of `to-html` in a real browser, Debian's `chromium-headless-shell`.
//!
//! `browser` controls it, `site` makes pages and serves them; the rest are the tests. Without the browser they print SKIPPED and
//! check nothing. Every wait is for a condition.

mod boards;
mod browser;
mod content;
mod following;
mod screen_reader;
mod site;
mod spectating;
mod stepping;
mod visiting;
