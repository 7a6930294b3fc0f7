//! What a run takes beside the values that are counted. It is a program of its own, because what it
//! measures is what the whole process took at its largest, which only Linux tells.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

use std::time::Duration;

use scenewright_console::{Limits, eval};
use scenewright_world::World;

/// The most bytes that this process has held.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn a_text_that_does_not_fit_is_never_made() {
    let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
    let before = peak();
    for source in [
        "var s = new string('x', 1024); while (true) s = s + s;",
        "var s = new string('x', 1024); while (true) s += s;",
    ] {
        let error = eval(&mut World::default(), source, &limits).unwrap_err();
        assert!(error.to_string().contains("the code holds values of more than"), "{error}");
    }
    // A text that fits is copied once on its way into its place.
    let taken = peak() - before;
    assert!(taken < 2 * limits.memory, "{taken} bytes");
}
