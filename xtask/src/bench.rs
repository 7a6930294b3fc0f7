//! `cargo xtask bench`: speed and size, always next to a peer measured in the same run.

mod call;
mod godot;
mod http;
mod pipe;
mod protocol;
mod samples;
mod table;
mod unity;
mod usage;

use std::time::Duration;

use anyhow::{Result, bail};

use crate::process;

const LIMIT: Duration = Duration::from_secs(3600);

pub(crate) fn run(args: &[&str]) -> Result<()> {
    // An unoptimised load generator would measure itself.
    if cfg!(debug_assertions) {
        let xtask = ["run", "--quiet", "--release", "--package", "xtask", "--", "bench"];
        return process::run(process::cargo().args(xtask).args(args), LIMIT);
    }
    match args {
        ["protocol", options @ ..] => protocol::run(options),
        ["unity", options @ ..] => unity::run(options),
        ["godot", options @ ..] => godot::run(options),
        _ => bail!("usage: cargo xtask bench protocol|unity|godot [--out FILE]"),
    }
}
