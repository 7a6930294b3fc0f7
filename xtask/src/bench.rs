//! `cargo xtask bench`: speed and size, next to a peer measured in the same run where there is one.

pub(crate) mod agent;
pub(crate) mod call;
mod explorer;
mod godot;
pub(crate) mod http;
mod large;
mod merge;
pub(crate) mod pipe;
mod protocol;
mod samples;
mod search;
pub(crate) mod table;
mod touched;
mod unity;
pub(crate) mod usage;

use anyhow::{Result, bail};

use crate::process;

pub(crate) fn run(args: &[&str]) -> Result<()> {
    // Its time does not count.
    if let ["agent", options @ ..] = args {
        return agent::run(options);
    }
    if let ["merge", "--cases", _] = args {
        return merge::run(&args[1..]);
    }
    if cfg!(debug_assertions) {
        return process::optimised(&[&["bench"], args].concat());
    }
    match args {
        ["protocol", options @ ..] => protocol::run(options),
        ["unity", options @ ..] => unity::run(options),
        ["godot", options @ ..] => godot::run(options),
        ["explorer", options @ ..] => explorer::run(options),
        ["search", options @ ..] => search::run(options),
        ["merge", options @ ..] => merge::run(options),
        ["live", options @ ..] => crate::live::measure::run(options),
        _ => bail!(
            "usage: cargo xtask bench protocol|unity|godot|explorer|search|merge|live|agent [--out FILE]"
        ),
    }
}
