//! Attacks `master`: `scripts/fuzz master`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::master::master(data));
