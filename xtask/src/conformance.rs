//! `cargo xtask conformance`: other people's tests and clients against the release binary.

mod explorer;
mod inspector;
mod python_client;
mod report;
mod suite;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::{binary, server::Server};
use report::Report;

/// A part returns `None` when it was skipped, with a notice, for want of a component.
type Run = fn(&Path) -> Result<Option<Report>>;

const PARTS: [(&str, Run); 9] = [
    ("suite-0.1.16", |binary| suite::run(binary, "0.1.16", &["--suite", "all"])),
    ("suite-2025-11-25", |binary| {
        suite::run(binary, "0.2.0-alpha.12", &["--requirements", "2025-11-25"])
    }),
    ("suite-2026-07-28", |binary| {
        suite::run(binary, "0.2.0-alpha.12", &["--requirements", "2026-07-28"])
    }),
    ("python-client", python_client::run),
    ("inspector", inspector::run),
    ("explorer-http", explorer::plain_http),
    ("explorer-python", explorer::python),
    ("explorer-typescript", explorer::typescript),
    ("explorer-inspector", explorer::inspector),
];

/// Longer than any part takes; a server that outlives it is ended.
const SERVER_LIMIT: Duration = Duration::from_secs(900);

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let parts: Vec<_> = match args {
        [] => PARTS.iter().collect(),
        ["--only", name] => PARTS.iter().filter(|(part, _)| part == name).collect(),
        _ => bail!("usage: cargo xtask conformance [--only NAME]"),
    };
    if parts.is_empty() {
        let names: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
        bail!("no such part; there are {}", names.join(", "));
    }
    let binary = binary::tested()?;
    let failed: Vec<&str> =
        parts.iter().filter(|(name, run)| !run_part(name, *run, &binary)).map(|p| p.0).collect();
    if !failed.is_empty() {
        bail!("conformance failed: {}", failed.join(", "));
    }
    Ok(())
}

fn run_part(name: &str, run: Run, binary: &Path) -> bool {
    let started = Instant::now();
    let outcome = run(binary);
    let seconds = started.elapsed().as_secs_f64();
    match outcome {
        Ok(Some(report)) => {
            println!("{name}: {} in {seconds:.1} s", report.summary());
            print!("{}", report.findings());
            report.is_clean()
        }
        Ok(None) => {
            println!("{name}: skipped");
            true
        }
        Err(error) => {
            println!("{name}: could not run: {error:#}");
            false
        }
    }
}

/// An HTTP server of the binary, with its MCP endpoint.
fn start_http(binary: &Path, extra: &[&str]) -> Result<(Server, String)> {
    let args = [&["--http", "127.0.0.1:0"], extra].concat();
    let mut command = binary::serve(binary, &args);
    let server =
        Server::start(command.arg("--project").arg(crate::explorer::sample()), SERVER_LIMIT)?;
    let url = server.mcp_url()?;
    Ok((server, url))
}
