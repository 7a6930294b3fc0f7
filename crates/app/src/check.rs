//! `scenewright check`: what is wrong with a project, for people and for CI.

mod baseline;
mod report;

use std::process::ExitCode;

use anyhow::{Context, Result};
use scenewright_contract::Cancel;
use scenewright_contract::finding::{Finding, Severity};
use scenewright_toolkit::workspace::Steps;

use crate::cli::{Check, FailOn, Format};
use crate::term::{Paint, Progress, line, note};
use crate::workspace;
use baseline::Baseline;
use report::Summary;

/// Check every open project; 0 when clean, 1 with findings, 2 when it could not run.
pub fn run(options: Check) -> Result<ExitCode> {
    let workspace = workspace::open_own(&options.projects)?;
    let (mut findings, mut notes, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for project in workspace.projects() {
        let progress = Progress::new(&format!("checking {}", project.id));
        let show = |done, total| progress.show(done, total);
        let steps = Steps { progress: &show, cancel: &Cancel::default() };
        let report = project.engine.check(&steps);
        progress.clear();
        let mut report = report.map_err(|error| anyhow::anyhow!("{}", error.text()))?;
        if workspace.projects().len() > 1 {
            // Several projects in one report: each file says whose it is.
            report.findings.iter_mut().for_each(|f| f.file = format!("{}/{}", project.id, f.file));
        }
        findings.append(&mut report.findings);
        notes.append(&mut report.notes);
        names.push(project.id.to_string());
    }
    if let Some(path) = &options.write_baseline {
        Baseline::of(&findings).write(path)?;
        note(&format!("{} findings are accepted in {}", findings.len(), path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let baseline = options.baseline.as_deref().map(Baseline::read).transpose()?;
    let (mut findings, accepted) = baseline.unwrap_or_default().subtract(findings);
    if !options.all {
        findings.retain(|finding| finding.severity > Severity::Info);
    }
    let summary = Summary { project: &names.join(", "), accepted, notes: &notes };
    publish(&options, &findings, &summary)?;
    Ok(ExitCode::from(u8::from(fails(&findings, options.fail_on))))
}

#[expect(clippy::disallowed_methods, reason = "the report goes where the user says")]
fn publish(options: &Check, findings: &[Finding], summary: &Summary<'_>) -> Result<()> {
    let paint = if options.output.is_some() { Paint::never() } else { Paint::stdout() };
    let text = match options.format {
        Format::Text => report::text(findings, summary, paint),
        Format::Json => report::json(findings, summary),
        Format::Sarif => report::sarif(findings),
        Format::Junit => report::junit(findings, summary),
        Format::Github => report::github(findings),
    };
    match &options.output {
        Some(path) => std::fs::write(path, text + "\n")
            .with_context(|| format!("the report {} cannot be written", path.display())),
        None => {
            line(&text);
            Ok(())
        }
    }
}

fn fails(findings: &[Finding], fail_on: FailOn) -> bool {
    let worst = findings.iter().map(|finding| finding.severity).max();
    match fail_on {
        FailOn::Error => worst == Some(Severity::Error),
        FailOn::Warning => worst >= Some(Severity::Warning),
        FailOn::Never => false,
    }
}
