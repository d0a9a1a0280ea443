//! The pages of `to-html` in a real browser, Debian's `chromium-headless-shell`.
//!
//! `browser` drives it, `site` makes pages and serves them; the rest are the tests. Where the browser is not installed
//! they say SKIPPED and look at nothing. Every wait is for a condition.

mod boards;
mod browser;
mod content;
mod following;
mod hearing;
mod site;
mod stepping;
mod thinking;
mod visiting;
