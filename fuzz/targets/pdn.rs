//! Attacks `pdn`: `scripts/fuzz pdn`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::draughts::pdn(data));
