//! Attacks `hall`: `scripts/fuzz hall`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::hall::hall(data));
