//! Attacks `pairings`: `scripts/fuzz pairings`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::people::pairings(data));
