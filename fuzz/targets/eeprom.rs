//! Attacks `eeprom`: `scripts/fuzz eeprom`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardbus_fuzz::wire::eeprom(data));
