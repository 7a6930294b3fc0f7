//! `cargo xtask docs`: the generated documents, from the tool list.

use std::time::Duration;

use anyhow::Result;

use crate::process;

pub(crate) fn run() -> Result<()> {
    let mut command = process::cargo();
    command.args(["test", "-p", "scenewright-tools", "docs"]).env("UPDATE_DOCS", "1");
    process::run(&mut command, Duration::from_secs(1800))
}
