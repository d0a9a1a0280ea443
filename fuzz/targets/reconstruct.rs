//! Attacks `reconstruct`: `scripts/fuzz reconstruct`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::reconstruct::reconstruct(data));
