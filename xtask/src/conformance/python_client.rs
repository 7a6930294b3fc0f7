//! The official Python client, in each protocol mode over stdio and HTTP.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{report::Report, start_http};
use crate::server::Server;
use crate::{explorer, install, paths, process};

const LIMIT: Duration = Duration::from_secs(300);

pub(crate) fn run(binary: &Path) -> Result<Option<Report>> {
    let installed = install::or_notice("Python mcp 2.3 client", install::python())?;
    let Some(python) = installed else { return Ok(None) };
    let (server, url) = start_http(binary, &[])?;
    let mut client = Command::new(python);
    client.arg(paths::asset("client_checks.py")).arg(&url).arg(binary);
    client.args(["serve", "--stdio", "--structured", "--project"]).arg(explorer::sample());
    run_script(&mut client, &server).map(Some)
}

/// Run a client that prints its checks, one JSON object a line.
pub(super) fn run_script(client: &mut Command, server: &Server) -> Result<Report> {
    let said = process::capture(client.current_dir(paths::target()), LIMIT)?;
    if !said.status.success() {
        bail!("the client script ended with {}:\n{}", said.status, said.tail());
    }
    let mut report = Report::default();
    for line in said.stdout.lines() {
        let check: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        let name = check["name"].as_str().context("a check has a name")?;
        match check["error"].as_str() {
            None => report.pass(),
            Some(error) => report.fail(name, error),
        }
    }
    if !report.failures.is_empty() && !server.stderr_tail().is_empty() {
        eprintln!("the HTTP server's last lines:\n{}", server.stderr_tail());
    }
    Ok(report)
}
