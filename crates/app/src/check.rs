//! `scenewright check`: what is wrong with a project, for people and for CI.

mod baseline;
mod git;
mod past;
mod place;
mod report;
mod since;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use scenewright_contract::Cancel;
use scenewright_contract::finding::{Finding, Rule, Severity};
use scenewright_toolkit::selection::{self, Selection};
use scenewright_toolkit::workspace::{Project, Report, Steps, canonical};
use scenewright_tools::ENGINES;

use crate::cli::{Check, FailOn, Format};
use crate::term::{self, Paint, Progress, line, note};
use crate::workspace;
use baseline::Baseline;
use report::{Known, Summary};
use since::Judged;

/// Check every open project; 0 when clean, 1 with findings, 2 when it could not run.
pub fn run(mut options: Check) -> Result<ExitCode> {
    if let Some(rule) = &options.explain {
        return explain(rule);
    }
    let asked = take_paths(&mut options)?;
    let workspace = workspace::open_own(&options.projects)?;
    let (mut findings, mut notes, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let places = place::of(workspace.projects());
    let mut known = Known::of(options.changed_since.as_deref(), options.merge.as_deref());
    for (project, place) in workspace.projects().iter().zip(&places) {
        let mut judged = judge(project, &select(project, &asked, &options), &options)?;
        judged.new.iter_mut().for_each(|finding| place.name(finding));
        findings.append(&mut judged.new);
        notes.append(&mut judged.notes);
        known.iter_mut().for_each(|known| known.count += judged.known);
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
    let summary = Summary { project: &names.join(", "), accepted, known, notes: &notes };
    if matches!(options.format, Format::Sarif | Format::Github | Format::Gitlab) {
        findings.iter_mut().for_each(|finding| place::from_repository(finding, &places));
    }
    publish(&options, &findings, &summary)?;
    Ok(ExitCode::from(u8::from(fails(&findings, options.fail_on))))
}

/// The paths that were asked for, absolute. Those outside of the projects named name theirs.
fn take_paths(options: &mut Check) -> Result<Vec<PathBuf>> {
    let mut asked = Vec::new();
    for path in &options.paths {
        let path = canonical(path).with_context(|| format!("{} is not there", path.display()))?;
        if options.projects.folders.is_empty() && !options.projects.sample {
            let root = workspace::root_above(&path);
            let root = root.with_context(|| format!("{} is in no project", path.display()))?;
            asked.push((path.clone(), Some(root.to_owned())));
        } else {
            asked.push((path, None));
        }
    }
    let mut roots: Vec<PathBuf> = asked.iter().filter_map(|(_, root)| root.clone()).collect();
    roots.sort();
    roots.dedup();
    options.projects.folders.append(&mut roots);
    Ok(asked.into_iter().map(|(path, _)| path).collect())
}

fn select(project: &Project, asked: &[PathBuf], options: &Check) -> Selection {
    let inside = asked.iter().filter_map(|path| path.strip_prefix(&project.root).ok());
    let paths: Vec<String> = inside.map(|path| path.to_string_lossy().replace('\\', "/")).collect();
    Selection { paths, exclude: options.exclude.clone() }
}

/// What is wrong; with a revision or a merge, what that is answerable for.
fn judge(project: &Project, selection: &Selection, options: &Check) -> Result<Judged> {
    if let Some(merge) = &options.merge {
        return since::merge(project, selection, merge, &|project| judged(project, selection));
    }
    let report = judged(project, selection)?;
    match &options.changed_since {
        Some(revision) => since::revision(project, selection, report, revision),
        None => Ok(Judged { new: report.findings, known: 0, notes: report.notes }),
    }
}

/// What is wrong with a project, with a word about how far it is.
fn judged(project: &Project, selection: &Selection) -> Result<Report> {
    let progress = Progress::new(&format!("checking {}", project.id));
    let show = |done, total| progress.show(done, total);
    let steps = Steps { progress: &show, cancel: &Cancel::default() };
    let report = selection::check(project, selection, &steps);
    progress.clear();
    report.map_err(|error| anyhow::anyhow!("{}", error.text()))
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
