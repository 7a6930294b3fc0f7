//! Which baseline a check goes by: the one of each project, or one that was named for all; and writing
//! it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use scenewright_text::counted;
use scenewright_toolkit::baseline::{self, Baseline};
use scenewright_toolkit::selection::{self, Selection};
use scenewright_toolkit::workspace::{Project, Report};

use super::since::said;
use crate::cli::Check;
use crate::term::note;

/// What is accepted.
pub(super) enum Accepted {
    /// Nothing.
    Nothing,
    /// What the baseline of each project says.
    Own,
    /// What a file says that was named; it may be about several projects.
    Named(PathBuf, Baseline),
}

/// What a check of one project came to.
pub(super) struct Checked<'a> {
    pub(super) project: &'a Project,
    /// What stands before its files where there are several projects.
    pub(super) prefix: &'a str,
    pub(super) selection: &'a Selection,
    pub(super) report: Report,
}

impl Accepted {
    pub(super) fn of(options: &Check) -> Result<Accepted> {
        if options.no_baseline || options.write_baseline.is_some() {
            return Ok(Accepted::Nothing);
        }
        let Some(path) = &options.baseline else { return Ok(Accepted::Own) };
        let text = std::fs::read(path)
            .with_context(|| format!("the baseline {} cannot be read", path.display()))?;
        let baseline = Baseline::parse(&text, &path.display().to_string()).map_err(said)?;
        Ok(Accepted::Named(path.clone(), baseline))
    }

    /// Takes what is accepted out of what was found, and counts it. What is not needed is noted when
    /// the check was about all of the project.
    pub(super) fn apply(&self, checked: &mut Checked<'_>, is_whole: bool) -> Result<usize> {
        let Checked { project, prefix, report, .. } = checked;
        let config = selection::config(&project.root).map_err(said)?;
        match self {
            Accepted::Nothing => Ok(0),
            Accepted::Own => {
                let baseline = baseline::of_project(&project.root, &config).map_err(said)?;
                let name = is_whole.then(|| baseline::name(&config));
                Ok(baseline.map_or(0, |baseline| baseline.apply(project, report, name)))
            }
            Accepted::Named(path, baseline) => {
                let name = path.display().to_string();
                let name = is_whole.then_some(name.as_str());
                Ok(baseline.within(prefix).apply(project, report, name))
            }
        }
    }
}

/// Accepts what was found: in the file that was named, or in that of each project.
pub(super) fn write(named: Option<&Path>, checked: &[Checked<'_>]) -> Result<()> {
    if let Some(named) = named {
        let all: Vec<_> = checked.iter().collect();
        let mut baseline = left_alone(named, &all, &|one| one.prefix)?;
        for one in checked {
            baseline = baseline.and(accepted(one).below(one.prefix));
        }
        return write_file(named, &baseline);
    }
    let mut is_any = false;
    for one in checked {
        let config = selection::config(&one.project.root).map_err(said)?;
        let path = one.project.root.join(baseline::name(&config));
        let before = left_alone(&path, &[one], &|_| "")?;
        let baseline = before.and(accepted(one));
        // A project without findings needs no file; one that has a file gets an empty one.
        if !baseline.is_empty() || path.exists() {
            is_any = true;
            write_file(&path, &baseline)?;
        }
    }
    if !is_any {
        note("there is nothing to accept, so that no baseline was written");
    }
    Ok(())
}

/// What a team accepts of what was found in a project.
pub(crate) fn accepted(checked: &Checked<'_>) -> Baseline {
    Baseline::to_accept(&checked.report.findings, checked.project)
}

/// The entries that a file has and that this check tells nothing of: of files that were not asked about
/// or that are not here.
fn left_alone<'c>(
    path: &Path,
    checked: &[&'c Checked<'_>],
    prefix_of: &dyn Fn(&'c Checked<'_>) -> &'c str,
) -> Result<Baseline> {
    let is_part = checked.iter().any(|one| !one.selection.is_whole());
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Baseline::default()),
        Err(error) => {
            return Err(error).with_context(|| format!("{} cannot be read", path.display()));
        }
    };
    let mut baseline = match Baseline::parse(&text, &path.display().to_string()) {
        Ok(baseline) => baseline,
        Err(error) if is_part => return Err(said(error)),
        // All of it is written again.
        Err(_) => return Ok(Baseline::default()),
    };
    baseline.retain(|file| {
        let is_judged = |one: &&'c Checked<'_>| {
            let Some(file) = file.strip_prefix(prefix_of(one)) else { return false };
            let is_absent = one.report.absent.iter().any(|absent| **absent == *file);
            one.selection.takes(file) && !is_absent
        };
        if file.is_empty() { is_part } else { !checked.iter().any(is_judged) }
    });
    Ok(baseline)
}

fn write_file(path: &Path, baseline: &Baseline) -> Result<()> {
    scenewright_text::write_whole(path, baseline.to_text())
        .with_context(|| format!("the baseline {} cannot be written", path.display()))?;
    note(&format!("{} accepted in {}", counted(baseline.count(), "finding"), path.display()));
    Ok(())
}
