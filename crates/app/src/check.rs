//! `scenewright check`: what is wrong with a project, for people and for CI.

mod baseline;
mod git;
mod past;
mod place;
mod report;
mod since;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use scenewright_contract::Cancel;
use scenewright_contract::finding::{Finding, Rule, Severity};
use scenewright_toolkit::selection::{self, Selection};
use scenewright_toolkit::workspace::{Project, Report, Steps};
use scenewright_tools::ENGINES;

use crate::cli::{Check, FailOn, Format};
use crate::term::{self, Paint, Progress, line, note};
use crate::workspace;
use baseline::{Accepted, Checked};
use report::{Known, Summary};
use since::Judged;

/// Check every open project; 0 when clean, 1 with findings, 2 when it could not run.
pub fn run(options: Check) -> Result<ExitCode> {
    if let Some(rule) = &options.explain {
        return explain(rule);
    }
    let workspace = workspace::open_to_check(&options)?;
    let selections = select(workspace.projects(), &options)?;
    let baseline = Accepted::of(&options)?;
    let (mut findings, mut notes, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut accepted, mut to_accept) = (0, Vec::new());
    let places = place::of(workspace.projects());
    let mut known = Known::of(options.changed_since.as_deref(), options.merge.as_deref());
    for ((project, place), selection) in workspace.projects().iter().zip(&places).zip(&selections) {
        // No path is about this one.
        let Some(selection) = selection else { continue };
        let judged = judge(project, selection, &options)?;
        known.iter_mut().for_each(|known| known.count += judged.known);
        names.push(project.id.to_string());
        let report = judged.report;
        let mut checked = Checked { project, prefix: place.prefix(), selection, report };
        if options.write_baseline.is_some() {
            to_accept.push(checked);
            continue;
        }
        let is_whole = selection.is_whole() && known.is_none();
        accepted += baseline.apply(&mut checked, is_whole)?;
        let Report { findings: mut new, notes: mut said, .. } = checked.report;
        new.iter_mut().for_each(|finding| place.name(finding));
        findings.append(&mut new);
        notes.append(&mut said);
    }
    if let Some(path) = &options.write_baseline {
        baseline::write(path.as_deref(), &to_accept)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !options.all {
        findings.retain(|finding| finding.severity > Severity::Info);
    }
    let summary = Summary { project: &names.join(", "), accepted, known, notes: &notes };
    if matches!(options.format, Format::Sarif | Format::Github | Format::Gitlab) {
        findings.iter_mut().for_each(|finding| place::from_repository(finding, &places));
    }
    publish(&options, &findings, &summary)?;
    Ok(ExitCode::from(u8::from(fails(&findings, options.fail_on))))
}

/// What is asked about each project; nothing about one that no path leads to.
fn select(projects: &[Arc<Project>], options: &Check) -> Result<Vec<Option<Selection>>> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    let paths = options.paths.iter().map(|path| path.to_string_lossy().into_owned());
    let paths: Vec<String> = paths.collect();
    Selection::of(projects, Some(&here), &paths, &options.exclude).map_err(since::said)
}

/// What is wrong; with a revision or a merge, what that is answerable for.
fn judge(project: &Project, selection: &Selection, options: &Check) -> Result<Judged> {
    if let Some(merge) = &options.merge {
        return since::merge(project, selection, merge, &|project| judged(project, selection));
    }
    let report = judged(project, selection)?;
    match &options.changed_since {
        Some(revision) => since::revision(project, selection, report, revision),
        None => Ok(Judged { report, known: 0 }),
    }
}

/// What is wrong with a project, with a word about how far it is.
pub(crate) fn judged(project: &Project, selection: &Selection) -> Result<Report> {
    let progress = Progress::new(&format!("checking {}", project.id));
    let show = |done, total| progress.show(done, total);
    let steps = Steps { progress: &show, cancel: &Cancel::default() };
    let report = selection::check(project, selection, &steps);
    progress.clear();
    report.map_err(since::said)
}

/// Tells what a rule looks for, or which rules there are.
fn explain(wanted: &str) -> Result<ExitCode> {
    let rules: Vec<&Rule> = ENGINES.iter().flat_map(|engine| (engine.rules)()).collect();
    if wanted.is_empty() {
        for rule in rules {
            line(&format!("{:<28} {:<8} {}", rule.id, rule.severity.as_str(), rule.title));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let Some(rule) = rules.iter().find(|rule| rule.id == wanted) else {
        let error = selection::unknown_rule(wanted, &rules);
        anyhow::bail!("{}", error.text());
    };
    line(&format!(
        "{} ({})\n{}\n\n{}\n\n{}",
        rule.id,
        rule.severity.as_str(),
        rule.title,
        rule.about,
        rule.help
    ));
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::disallowed_methods, reason = "the report goes where the user says")]
fn publish(options: &Check, findings: &[Finding], summary: &Summary<'_>) -> Result<()> {
    let write = |out: &mut dyn Write, paint| write_report(out, options, findings, summary, paint);
    let Some(path) = &options.output else {
        term::written(|out| write(out, Paint::stdout()));
        return Ok(());
    };
    let to_file = || {
        let mut file = BufWriter::new(File::create(path)?);
        write(&mut file, Paint::never())?;
        file.flush()
    };
    to_file().with_context(|| format!("the report {} cannot be written", path.display()))?;
    // An exit code alone does not tell what became of it.
    note(&format!("{}; see {}", report::counted(findings), path.display()));
    Ok(())
}

fn write_report(
    out: &mut dyn Write,
    options: &Check,
    findings: &[Finding],
    summary: &Summary<'_>,
    paint: Paint,
) -> io::Result<()> {
    let text = match options.format {
        Format::Text if options.each => report::each(findings, summary, paint),
        Format::Text => report::text(findings, summary, paint),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &report::json(findings, summary))?;
            String::new()
        }
        Format::Sarif => report::sarif(findings),
        Format::Junit => report::junit(findings, summary),
        Format::Github => report::github(findings),
        Format::Gitlab => report::gitlab(findings),
    };
    writeln!(out, "{text}")
}

fn fails(findings: &[Finding], fail_on: FailOn) -> bool {
    let worst = findings.iter().map(|finding| finding.severity).max();
    match fail_on {
        FailOn::Error => worst == Some(Severity::Error),
        FailOn::Warning => worst >= Some(Severity::Warning),
        FailOn::Never => false,
    }
}
