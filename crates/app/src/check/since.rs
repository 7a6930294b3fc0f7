//! What of the findings is new: since a revision, or by a merge.
//!
//! The project of that time is checked as it was, and what it had already is taken away. What was only
//! renamed or moved since is known by the differences, so that it is not new either.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use scenewright_contract::ToolError;
use scenewright_contract::finding::Finding;
use scenewright_git::Repository;
use scenewright_merge::history::{self, Range};
use scenewright_merge::render::FileDiff;
use scenewright_toolkit::baseline::{Baseline, Files};
use scenewright_toolkit::selection::{self, Selection};
use scenewright_toolkit::workspace::{Project, Report};

use super::git::changed_since;
use super::past::{Past, unknown};

/// What is new, and what is not.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What was not there before, and what could not be told.
    pub(super) report: Report,
    /// How many were: in files that changed, or in the parents of a merge.
    pub(super) known: usize,
}

/// An error of a tool for people.
pub(super) fn said(error: ToolError) -> anyhow::Error {
    anyhow::anyhow!("{}", error.text())
}

/// What is new since a revision. What was there before counts where files were changed since.
pub(super) fn revision(
    project: &Project,
    selection: &Selection,
    mut report: Report,
    since: &str,
) -> Result<Judged> {
    let repository = Repository::of(&project.root)?;
    let changed = changed_since(&repository, &project.root, since)?;
    if report.findings.is_empty() {
        return Ok(Judged { report, known: 0 });
    }
    let touched = |findings: &[Finding]| {
        findings.iter().filter(|finding| selection::is_touched(finding, &changed)).count()
    };
    let all = touched(&report.findings);
    let known = match super::git::has_commit(&repository, &project.root, since) {
        _ if changed.is_empty() => {
            report.findings.clear();
            return Ok(Judged { report, known: 0 });
        }
        true => before(project, selection, since, None, &mut report.notes)?,
        // Before the first commit everything is new.
        false => Baseline::default(),
    };
    report.findings = known.subtract(report.findings, project).new;
    let known = all.saturating_sub(touched(&report.findings));
    Ok(Judged { report, known })
}

/// A merge: its parents, and the commit that is judged; the work tree when the merge is under way.
struct Merge {
    parents: Vec<String>,
    result: Option<String>,
}

/// What a merge broke: what its result has and none of its parents.
pub(super) fn merge(
    project: &Project,
    selection: &Selection,
    revision: &str,
    check: &dyn Fn(&Project) -> Result<Report>,
) -> Result<Judged> {
    let Merge { parents, result } = find_merge(project, revision)?;
    let past;
    let opened;
    let mut report = match result.as_deref().filter(|commit| !is_checked_out(project, commit)) {
        None => check(project)?,
        Some(commit) => {
            past = Past::of(&project.root, project.engine.layout(), commit)?;
            opened = past.open()?.context("the merge has no project in this folder")?;
            opened.projects().first().map(|then| check(then)).context("one folder was opened")??
        }
    };
    let mut known = Baseline::default();
    if !report.findings.is_empty() {
        for parent in &parents {
            let had = before(project, selection, parent, result.as_deref(), &mut report.notes)?;
            known = known.or(had);
        }
    }
    let left = known.subtract(report.findings, project);
    Ok(Judged { report: Report { findings: left.new, ..report }, known: left.accepted })
}

fn find_merge(project: &Project, revision: &str) -> Result<Merge> {
    let repository = Repository::of(&project.root)?;
    let ask = |args: &[&str]| -> Result<Vec<String>> {
        let said = repository.ask(&project.root, args)?;
        Ok(String::from_utf8_lossy(&said).split_whitespace().map(str::to_owned).collect())
    };
    let named = if revision.is_empty() { "HEAD" } else { revision };
    if revision.starts_with('-') {
        bail!("{revision:?} is no revision; --merge takes a commit");
    }
    if revision.is_empty()
        && let Ok(other) = ask(&["rev-parse", "--verify", "--quiet", "MERGE_HEAD"])
    {
        let mut parents = ask(&["rev-parse", "HEAD"])?;
        parents.extend(other);
        return Ok(Merge { parents, result: None });
    }
    let mut commits = ask(&["rev-list", "--parents", "-n", "1", named, "--"])
        .with_context(|| unknown(named))?
        .into_iter();
    let result = commits.next();
    let parents: Vec<String> = commits.collect();
    if parents.len() < 2 {
        bail!("{named} is no merge: git knows {} parent of it", parents.len());
    }
    Ok(Merge { parents, result })
}

/// Whether the files of the project are those of a commit.
fn is_checked_out(project: &Project, commit: &str) -> bool {
    let changed = |repository: Repository| changed_since(&repository, &project.root, commit).ok();
    Repository::of(&project.root).ok().and_then(changed).is_some_and(|changed| changed.is_empty())
}

/// What a revision had, under the names that files and objects have now.
fn before(
    project: &Project,
    selection: &Selection,
    revision: &str,
    now: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Baseline> {
    let past = Past::of(&project.root, project.engine.layout(), revision)?;
    if past.pointers > 0 {
        notes.push(format!(
            "{} changed files are pointers of Git LFS at {revision}: what they had there cannot be known",
            past.pointers
        ));
    }
    let Some(opened) = past.open()? else { return Ok(Baseline::default()) };
    let Some(then) = opened.projects().first() else { return Ok(Baseline::default()) };
    let mut findings = super::judged(then, selection)?.findings;
    if findings.is_empty() {
        return Ok(Baseline::default());
    }
    // What files are known by is asked under the names that they had.
    let ids: HashMap<Arc<str>, Option<String>> = findings
        .iter()
        .map(|finding| (finding.file.clone(), then.engine.identity(&finding.file)))
        .collect();
    let range =
        Range { from: Some(revision.to_owned()), to: now.map(str::to_owned), staged: false };
    let files = history::changed(&project.root, &range, &[], &|_| None)?;
    let renamed = rename(&mut findings, &files);
    let known = Known { ids, renamed, project };
    Ok(Baseline::of(&findings, &known))
}

/// What files of a revision are known by, under the names that they have now.
struct Known<'a> {
    ids: HashMap<Arc<str>, Option<String>>,
    /// The old name of each that has a new one.
    renamed: HashMap<Arc<str>, Arc<str>>,
    project: &'a Project,
}

impl Files for Known<'_> {
    fn identity(&self, path: &str) -> Option<String> {
        let old = self.renamed.get(path).map_or(path, |old| old);
        self.ids.get(old).cloned().flatten()
    }

    fn has(&self, path: &str) -> bool {
        self.project.has(path)
    }
}

/// Gives findings the names that their files and objects have now; the old name of each such file.
fn rename(findings: &mut [Finding], files: &[FileDiff]) -> HashMap<Arc<str>, Arc<str>> {
    let mut renamed = HashMap::new();
    let by_old: HashMap<&str, &FileDiff> =
        files.iter().map(|file| (file.old_path.as_deref().unwrap_or(&file.path), file)).collect();
    for finding in findings {
        let Some(file) = by_old.get(&*finding.file) else { continue };
        let now: Arc<str> = file.path.as_str().into();
        if now != finding.file {
            renamed.insert(now.clone(), std::mem::replace(&mut finding.file, now));
        }
        let (Some(object), Ok(differences)) = (&mut finding.object, &file.differences) else {
            continue;
        };
        let moved = differences.objects.iter().filter_map(|change| {
            let was = change.moved_from.as_deref()?;
            let rest = object.strip_prefix(was)?;
            let is_below = change.part.is_empty() && (rest.is_empty() || rest.starts_with('/'));
            is_below.then(|| (was.len(), format!("{}{rest}", change.place)))
        });
        // What is nearest knows best: an object may be moved together with what it was in.
        if let Some((_, place)) = moved.max_by_key(|(length, _)| *length) {
            *object = place.into();
        }
    }
    renamed
}
