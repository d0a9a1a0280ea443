//! Attacks `capture`: `scripts/fuzz capture`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::wire::capture(data));
