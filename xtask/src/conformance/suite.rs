//! The official conformance suite, in two versions. It speaks HTTP only.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{report::Report, start_http};
use crate::{install, paths, process};

const LIMIT: Duration = Duration::from_secs(600);

pub(crate) fn run(binary: &Path, version: &str, selection: &[&str]) -> Result<Option<Report>> {
    let name = format!("conformance {version} {}", selection.join(" "));
    let installed = install::node().and_then(|node| Ok((node, install::conformance(version)?)));
    let Some((node, script)) = install::or_notice(&name, installed)? else { return Ok(None) };

    let results = paths::target().join("conformance").join(selection.join("").replace("--", ""));
    if results.exists() {
        fs::remove_dir_all(&results)?;
    }
    let (server, url) = start_http(binary, &["--test-fixtures"])?;
    let mut suite = Command::new(node);
    suite.arg(script).args(["server", "--url", &url]).args(selection).arg("-o").arg(&results);
    let said = process::capture(&mut suite, LIMIT)?;

    let mut report = Report::default();
    read_results(&results, &mut report)
        .with_context(|| format!("{}\n{}", said.tail(), server.stderr_tail()))?;
    cross_check(&said, &mut report);
    mark_unscored(&said.stdout, &mut report);
    Ok(Some(report))
}

/// Each scenario left a folder with a `checks.json`.
fn read_results(results: &Path, report: &mut Report) -> Result<()> {
    let mut scenarios: Vec<_> = fs::read_dir(results)
        .with_context(|| format!("no results in {}", results.display()))?
        .collect::<std::io::Result<_>>()?;
    scenarios.sort_by_key(fs::DirEntry::file_name);
    for scenario in scenarios {
        let text = fs::read_to_string(scenario.path().join("checks.json"))?;
        let checks: Value = serde_json::from_str(&text)?;
        let name = scenario_name(&scenario.file_name().to_string_lossy());
        for check in checks.as_array().context("checks.json holds no array")? {
            read_check(&name, check, report);
        }
    }
    Ok(())
}

fn read_check(scenario: &str, check: &Value, report: &mut Report) {
    let text = |key: &str| check[key].as_str().unwrap_or_default();
    let name = format!("{scenario}/{}", text("id"));
    let error =
        if text("errorMessage").is_empty() { text("description") } else { text("errorMessage") };
    match text("status") {
        "SUCCESS" => report.pass(),
        "FAILURE" => report.fail(name, error),
        "WARNING" => report.warn(name, error),
        _ => {} // INFO and SKIPPED are no verdict.
    }
}

/// `server-ping-2026-11-15T14-47-00-399Z` is the scenario `ping`.
fn scenario_name(folder: &str) -> String {
    const TIMESTAMP: usize = "-2026-11-15T14-47-00-399Z".len();
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    name.get(..name.len().saturating_sub(TIMESTAMP)).unwrap_or(name).to_owned()
}

/// The suite's own total and exit code guard against results we failed to read.
fn cross_check(said: &process::Captured, report: &mut Report) {
    let total = said.stdout.lines().rev().find(|line| line.starts_with("Total: "));
    let counted = format!("Total: {} passed, {} failed", report.passed, report.failures.len());
    if total != Some(counted.as_str()) {
        let total = total.unwrap_or("no total");
        report.fail("total", format!("the suite says {total:?}, its files say {counted:?}"));
    }
    if !said.status.success() && report.failures.is_empty() {
        report.fail("exit code", format!("{}:\n{}", said.status, said.tail()));
    }
}

/// Extensions and pending scenarios do not count for the suite. They do for us, but say so.
fn mark_unscored(output: &str, report: &mut Report) {
    let Some((_, list)) = output.split_once("Not scored for ") else { return };
    let unscored: Vec<&str> =
        list.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    for finding in &mut report.failures {
        let scenario = finding.name.split('/').next().unwrap_or_default();
        if unscored.contains(&scenario) {
            finding.name.push_str(" (not scored)");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_scenarios() {
        assert_eq!(
            scenario_name("server-tools-call-image-2026-11-15T14-47-00-399Z"),
            "tools-call-image"
        );
        assert_eq!(scenario_name("odd"), "");
    }

    #[test]
    fn reads_verdicts() {
        let mut report = Report::default();
        let checks = r#"[{"id":"a","status":"SUCCESS"},{"id":"b","status":"INFO"},
            {"id":"c","status":"FAILURE","errorMessage":"no"},{"id":"d","status":"WARNING","description":"hm"}]"#;
        let checks: Value = serde_json::from_str(checks).expect("valid JSON");
        for check in checks.as_array().expect("an array") {
            read_check("s", check, &mut report);
        }
        assert_eq!(report.summary(), "1 checks passed, 1 failed, 1 warnings");
        assert_eq!(report.findings(), "  FAILED s/c: no\n  warning s/d: hm\n");
    }
}
