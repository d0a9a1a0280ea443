//! Attacks `record`: `scripts/fuzz record`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::record::record(data));
