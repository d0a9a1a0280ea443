//! Attacks `fen`: `scripts/fuzz fen`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::fen::fen(data));
