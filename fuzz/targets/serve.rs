//! Attacks `serve`: `scripts/fuzz serve`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::serve::serve(data));
