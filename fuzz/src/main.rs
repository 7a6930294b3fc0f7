//! All fuzz targets in one program, so that the libraries are linked once; `SCENEWRIGHT_FUZZ_TARGET` names the one to run.
#![no_main]

mod targets;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<targets::Run> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let run = TARGET.get_or_init(|| {
        let name = std::env::var("SCENEWRIGHT_FUZZ_TARGET").unwrap_or_default();
        targets::find(&name).unwrap_or_else(|| {
            panic!("SCENEWRIGHT_FUZZ_TARGET is `{name}`; it takes one of {}", targets::names())
        })
    });
    run(bytes);
});
