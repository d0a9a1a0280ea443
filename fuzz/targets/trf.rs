//! Attacks `trf`: `scripts/fuzz trf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::people::trf(data));
