//! What `check` says of a project, beside what the engine says.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use xtask::process;

use super::ground::Ground;
use super::survey::{Answer, Visit, survey};
use crate::cases::Programs;
use crate::judge::Engine;

const LIMIT: Duration = Duration::from_secs(120);

/// A finding, and whether the engine agrees.
pub(super) struct Judged {
    pub(super) severity: String,
    pub(super) rule: String,
    pub(super) text: String,
    /// Nothing where the engine cannot tell.
    pub(super) holds: Option<bool>,
}

pub(super) fn judge(
    ground: &Ground,
    before: &Answer,
    engine: &Engine,
    programs: &Programs,
) -> Result<Vec<Judged>> {
    let mut command = Command::new(&programs.scenewright);
    command.args(["check", "--format", "json", "--fail-on", "never", "--project"]);
    command.arg(ground.copy.root());
    let said = process::capture(ground.copy.at_home(&mut command), LIMIT)?;
    let report: Value = serde_json::from_str(&said.stdout)
        .with_context(|| format!("check says {}", said.tail()))?;
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let visit = Visit { findings: Some(findings.clone()), ..Visit::default() };
    let answer = survey(engine, &ground.copy, &[visit])?.remove(&0).unwrap_or_default();
    let judged = findings.into_iter().enumerate().map(|(at, finding)| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let holds = answer.findings.get(at).copied().flatten();
        let place = format!("{}:{} {}", text("file"), finding["line"], text("object"));
        Judged {
            severity: text("severity"),
            rule: text("rule"),
            text: format!("{} {place} {}", text("rule"), text("message")),
            holds: holds.or_else(|| by_complaint(&finding, before)),
        }
    });
    Ok(judged.collect())
}

/// A file that does not load, or about which the engine complains, is not found wrong for nothing.
fn by_complaint(finding: &Value, before: &Answer) -> Option<bool> {
    let file = format!("res://{}", finding["file"].as_str()?);
    if finding["rule"] == "godot-syntax" {
        return Some(before.scenes.get(&file).is_none_or(|seen| !seen.loads));
    }
    None
}
