//! Which steps a change can affect: those that read a path that changed. A path that no step names affects them all,
//! so that a new folder is never forgotten.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::step::Step;
use super::steps::STEPS;
use crate::{paths, process};

const LIMIT: Duration = Duration::from_secs(60);
/// What no step reads.
const READ_BY_NONE: [&str; 3] = [".github/", ".gitignore", ".gitattributes"];

/// The steps that what changed since a revision can affect, committed or not.
pub(super) fn steps_since(revision: &str) -> Result<Vec<&'static str>> {
    let base = git(&["merge-base", revision, "HEAD"])?;
    let tracked = git(&["diff", "--name-only", base.trim()])?;
    let untracked = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(affected(tracked.lines().chain(untracked.lines())))
}

fn affected<'a>(changed: impl Iterator<Item = &'a str>) -> Vec<&'static str> {
    let changed: Vec<&str> =
        changed.filter(|path| !READ_BY_NONE.iter().any(|prefix| holds(prefix, path))).collect();
    let is_known = |path: &&str| STEPS.iter().any(|step| reads(step, path));
    if !changed.iter().all(is_known) {
        return STEPS.map(|step| step.name).to_vec();
    }
    let is_affected = |step: &&Step| changed.iter().any(|path| reads(step, path));
    STEPS.iter().filter(is_affected).map(|step| step.name).collect()
}

fn reads(step: &Step, path: &str) -> bool {
    step.reads.iter().copied().flatten().any(|prefix| holds(prefix, path))
}

/// Whether a path is the file, or below the folder.
fn holds(prefix: &str, path: &str) -> bool {
    path == prefix || prefix.ends_with('/') && path.starts_with(prefix)
}

fn git(args: &[&str]) -> Result<String> {
    let mut git = Command::new("git");
    let said = process::capture(git.args(args).current_dir(paths::root()), LIMIT)?;
    ensure!(said.status.success(), "git {}: {}", args.join(" "), said.tail());
    Ok(said.stdout)
}

#[cfg(test)]
mod tests {
    use super::affected;

    fn of(paths: &[&str]) -> Vec<&'static str> {
        affected(paths.iter().copied())
    }

    #[test]
    fn a_page_does_not_start_an_engine() {
        let steps = of(&["docs/merge.md"]);
        assert!(steps.contains(&"book") && steps.contains(&"tests"), "{steps:?}");
        assert!(!steps.contains(&"engine") && !steps.contains(&"faults"), "{steps:?}");
    }

    #[test]
    fn a_tool_affects_all_that_run_the_program() {
        let steps = of(&["crates/tools-unity/src/go/find.rs"]);
        for name in ["build", "tests", "conformance", "engine", "live", "faults"] {
            assert!(steps.contains(&name), "{name}: {steps:?}");
        }
        assert!(!steps.contains(&"scripts") && !steps.contains(&"book"), "{steps:?}");
    }

    #[test]
    fn what_no_step_names_affects_them_all() {
        assert_eq!(of(&["docs/merge.md", "new_folder/file"]).len(), super::STEPS.len());
        assert!(of(&[".github/workflows/ci.yml"]).is_empty() && of(&[]).is_empty());
    }
}
