//! Attacks `decode`: `scripts/fuzz decode`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::wire::decode(data));
