//! The MCP Inspector's command line, in both protocol eras over stdio and HTTP.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{report::Report, start_http};
use crate::{explorer, install, paths, process};

/// What the Inspector calls the versions with a handshake, and those without.
pub(super) const ERAS: [&str; 2] = ["legacy", "modern"];
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn run(binary: &Path) -> Result<Option<Report>> {
    let Some(inspector) = Inspector::install()? else { return Ok(None) };
    let (_server, url) = start_http(binary, &[])?;

    let mut report = Report::default();
    let binary = binary.to_string_lossy();
    let sample = explorer::sample();
    let project = sample.to_string_lossy();
    let stdio = [&*binary, "serve", "--stdio", "--structured", "--project", &*project];
    let http = ["--server-url", &url, "--transport", "http"];
    for era in ERAS {
        for (transport, target) in [("stdio", &stdio[..]), ("http", &http[..])] {
            let label = format!("{era}/{transport}");
            let ask = |request: &[&str]| inspector.ask(era, target, request);
            report.record(
                &format!("{label} tools/list"),
                ask(&["tools/list", "--strict"]).and_then(lists_tools),
            );
            let info = ["tools/call", "--tool-name", "project_info"];
            report.record(&format!("{label} project_info"), ask(&info).and_then(agrees));
            let search =
                ["tools/call", "--tool-name", "tools_search", "--tool-arg", "query=project"];
            report.record(&format!("{label} tools_search"), ask(&search).and_then(agrees));
        }
    }
    Ok(Some(report))
}

pub(super) struct Inspector {
    node: PathBuf,
    script: PathBuf,
    /// It keeps a catalog of servers in the home folder; not in the user's.
    home: PathBuf,
}

impl Inspector {
    /// Nothing, with a notice, where it cannot be had.
    pub(super) fn install() -> Result<Option<Inspector>> {
        let installed = install::node().and_then(|node| Ok((node, install::inspector()?)));
        let Some((node, script)) = install::or_notice("MCP Inspector 2.12", installed)? else {
            return Ok(None);
        };
        let home = paths::target().join("conformance").join("inspector-home");
        fs::create_dir_all(&home)?;
        Ok(Some(Inspector { node, script, home }))
    }

    /// The result of one request to the server that `target` says.
    pub(super) fn ask(&self, era: &str, target: &[&str], request: &[&str]) -> Result<Value> {
        let mut command = Command::new(&self.node);
        command.arg(&self.script).args(["--cli", "--protocol-era", era, "--format", "json"]);
        // The target comes before the method: `--tool-arg` takes all words that follow.
        command.args(target).arg("--method").args(request);
        command.env("HOME", &self.home).env("USERPROFILE", &self.home);
        let said = process::capture(command.current_dir(paths::target()), LIMIT)?;
        match said.status.code() {
            Some(0) => {}
            Some(6) => bail!("tool schema problems (exit 6):\n{}", said.stderr.trim()),
            _ => bail!("{}:\n{}", said.status, said.tail()),
        }
        let answer: Value = serde_json::from_str(&said.stdout)
            .with_context(|| format!("no JSON on stdout: {:?}", said.stdout))?;
        Ok(answer["result"].clone())
    }
}

fn lists_tools(result: Value) -> Result<()> {
    let tools = result["tools"].as_array().context("no tools in the answer")?;
    ensure!(!tools.is_empty(), "the tool list is empty");
    Ok(())
}

/// The data is structured, and the text block beside it no longer than that.
fn agrees(result: Value) -> Result<()> {
    let structured = &result["structuredContent"];
    ensure!(structured.is_object(), "no structuredContent in {result}");
    let text = result["content"][0]["text"].as_str().context("the first block is no text")?;
    let most = structured.to_string().len().max(300);
    ensure!(!text.is_empty() && text.len() <= most, "text block {text} beside {structured}");
    Ok(())
}
