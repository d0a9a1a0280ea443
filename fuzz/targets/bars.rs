//! Attacks `bars`: `scripts/fuzz bars`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::draughts::bars(data));
