//! Attacks `roster`: `scripts/fuzz roster`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::people::roster(data));
