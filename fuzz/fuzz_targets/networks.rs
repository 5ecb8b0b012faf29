#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hexmate::fuzzing::networks(data));
