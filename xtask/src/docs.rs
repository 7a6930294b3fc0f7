//! `cargo xtask docs`: the generated documents, from the tool list, the tables of the console and what was seen
//! of clients.

use std::time::Duration;

use anyhow::Result;

use crate::{clients, process};

pub(crate) fn run() -> Result<()> {
    clients::write_page()?;
    let mut command = process::cargo();
    let packages = ["-p", "scenewright", "-p", "scenewright-console", "-p", "scenewright-tools"];
    command.arg("test").args(packages).arg("docs").env("UPDATE_DOCS", "1");
    process::run(&mut command, Duration::from_secs(1800))
}
