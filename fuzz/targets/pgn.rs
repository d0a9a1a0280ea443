//! Attacks `pgn`: `scripts/fuzz pgn`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::pgn::pgn(data));
