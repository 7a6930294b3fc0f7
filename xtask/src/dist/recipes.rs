//! The recipes for CI, run here as their hosts run them: on a project in a folder of a repository, in
//! which a change takes a script away. The program comes from the packages that were just made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::facts::{Facts, NAME, Target};
use crate::process::{self, Captured};
use crate::schemas::{Form, Judge};
use crate::{install, paths};

const LIMIT: Duration = Duration::from_secs(300);
/// What the change takes away, and who misses it.
const SCRIPT: &str = "my game/Assets/Scripts/Collectible.cs";
const MISSES: &str = "my game/Assets/Prefabs/Room.prefab";

/// Whether they are what their hosts can read.
pub(super) fn judge(judge: &Judge) -> Result<()> {
    let root = paths::root();
    for workflow in ["ci.yml", "release.yml"] {
        let file = root.join(".github/workflows").join(workflow);
        judge.judge(Form::GithubWorkflow, &file, ("runs-on:", "runs-of:"))?;
    }
    judge.judge(
        Form::GithubAction,
        &root.join("action.yml"),
        ("using: composite", "using: magic"),
    )?;
    judge.judge(
        Form::GitlabPipeline,
        &root.join("ci/gitlab.yml"),
        ("when: always", "when: perhaps"),
    )
}

pub(super) fn run(
    facts: &Facts,
    target: &Target,
    packages: &Path,
    folder: &Path,
    judge: &Judge,
) -> Result<()> {
    let npm = |name: &str| packages.join("npm").join(name).to_string_lossy().into_owned();
    let version = &facts.version;
    let package = [
        npm(&format!("{NAME}-{version}.tgz")),
        npm(&format!("{NAME}-{}-{version}.tgz", target.npm)),
    ];
    let recipe = Recipe { judge, package: package.join(" "), folder: folder.to_owned() };
    recipe.action().context("the action")?;
    recipe.pipeline().context("the pipeline")?;
    match install::or_notice("the hook", install::pre_commit())? {
        Some(python) => hook(&python, packages, folder).context("the hook"),
        None => Ok(()),
    }
}

struct Recipe<'a> {
    judge: &'a Judge,
    package: String,
    folder: PathBuf,
}

impl Recipe<'_> {
    fn action(&self) -> Result<()> {
        let clone = repository(&self.folder.join("action"))?;
        let temp = self.folder.join("action/temp");
        let (output, summary) = (temp.join("output"), temp.join("summary"));
        fs::create_dir_all(&temp)?;
        fs::write(&output, "")?;
        let run = |values: &[&str]| {
            let mut command = self.command("action", "action.yml", &clone);
            command.env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary);
            command.arg(format!("package={}", self.package));
            command.arg(format!("runner.temp={}", temp.display()));
            command.arg(format!("github.action_path={}", paths::root().display()));
            process::capture(command.args(values), LIMIT)
        };
        let remark = format!("::error file={MISSES},line=");
        let clean = run(&["github.base_ref="])?;
        ensure!(clean.status.success() && !clean.stdout.contains("::error"), "{}", clean.tail());
        break_project(&clone)?;
        let broken = run(&["github.base_ref=main"])?;
        let is_told = broken.status.code() == Some(1) && broken.stdout.contains(&remark);
        ensure!(is_told, "{}{}", broken.stdout, broken.stderr);
        let sarif = clone.join("scenewright.sarif");
        self.judge.judge(Form::Sarif, &sarif, ("\"level\": \"error\"", "\"level\": \"grave\""))?;
        let report: Value = serde_json::from_slice(&fs::read(&sarif)?)?;
        let place = &report["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap_or_default();
        ensure!(uri.starts_with("my%20game/Assets/"), "the report names {uri}");
        let (output, summary) = (fs::read_to_string(&output)?, fs::read_to_string(&summary)?);
        ensure!(output.contains("sarif=scenewright.sarif"), "outputs: {output}");
        ensure!(summary.contains("missing-script"), "summary: {summary}");
        // What is accepted is not told again.
        let program = temp.join("scenewright/node_modules/.bin/scenewright");
        let mut accept = Command::new(program);
        accept.args(["check", "--project", "my game", "--write-baseline", "accepted.json"]);
        install::quietly(accept.current_dir(&clone))?;
        let accepted = run(&["github.base_ref=", "baseline=accepted.json"])?;
        ensure!(accepted.status.success(), "{}{}", accepted.stdout, accepted.stderr);
        // A place that is not there is neither clean nor broken.
        let lost = run(&["github.base_ref=", "project=nowhere"])?;
        ensure!(lost.status.code() == Some(2), "{}{}", lost.stdout, lost.stderr);
        println!(
            "the action remarks on {MISSES}, uploads what its schema takes, and knows a baseline"
        );
        Ok(())
    }

    fn pipeline(&self) -> Result<()> {
        let clone = repository(&self.folder.join("gitlab"))?;
        let run = |values: &[&str]| {
            let mut command = self.command("gitlab", "ci/gitlab.yml", &clone);
            command.arg(format!("SCENEWRIGHT_PACKAGE={}", self.package));
            process::capture(command.args(values), LIMIT)
        };
        let clean = run(&[])?;
        ensure!(clean.status.success(), "{}{}", clean.stdout, clean.stderr);
        break_project(&clone)?;
        let broken = run(&["CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main"])?;
        ensure!(broken.status.code() == Some(1), "{}{}", broken.stdout, broken.stderr);
        let report = clone.join("gl-code-quality-report.json");
        ensure!(fs::read_to_string(&report)?.contains(MISSES), "the report has no {MISSES}");
        self.judge.judge(Form::GitlabQuality, &report, ("\"major\"", "\"grave\""))?;
        ensure!(clone.join("scenewright-junit.xml").is_file(), "there is no report of tests");
        println!("the pipeline reports {MISSES}");
        Ok(())
    }

    fn command(&self, kind: &str, recipe: &str, clone: &Path) -> Command {
        let mut command = Command::new(self.judge.python());
        command.arg(paths::asset("run_recipe.py")).arg(kind);
        command.arg(paths::root().join(recipe)).arg(clone).env("npm_config_offline", "true");
        command
    }
}

/// Commits with the hook installed: one that breaks the project is refused, one that does not is taken.
fn hook(python: &Path, packages: &Path, folder: &Path) -> Result<()> {
    let hooks = folder.join("hook/hooks");
    fs::create_dir_all(&hooks)?;
    for name in [".pre-commit-hooks.yaml", "pyproject.toml"] {
        fs::copy(paths::root().join(name), hooks.join(name))?;
    }
    git(&hooks, &["init", "-q"])?;
    commit(&hooks)?;
    let revision = git(&hooks, &["rev-parse", "HEAD"])?;
    let clone = repository(&folder.join("hook"))?;
    let config = format!(
        "repos:\n- repo: {}\n  rev: {}\n  hooks:\n  - id: scenewright\n",
        serde_json::to_string(&hooks)?,
        revision.trim()
    );
    fs::write(clone.join(".pre-commit-config.yaml"), config)?;
    commit(&clone)?;
    let try_commit = || -> Result<Captured> {
        git(&clone, &["add", "--all"])?;
        let mut run = Command::new(python);
        run.args(["-m", "pre_commit", "run", "--color", "never"]).current_dir(&clone);
        run.env("PRE_COMMIT_HOME", folder.join("hook/home"));
        run.env("PIP_FIND_LINKS", packages.join("wheels"));
        process::capture(&mut run, LIMIT)
    };
    fs::write(clone.join("README.md"), "A game.\n")?;
    let fine = try_commit()?;
    ensure!(
        fine.status.success() && fine.stdout.contains("Passed"),
        "{}{}",
        fine.stdout,
        fine.stderr
    );
    fs::remove_file(clone.join(SCRIPT))?;
    let broken = try_commit()?;
    let is_told = broken.stdout.contains("Failed") && broken.stdout.contains("missing-script");
    ensure!(!broken.status.success() && is_told, "{}{}", broken.stdout, broken.stderr);
    println!("the hook lets a change pass and holds the one that takes a script away");
    Ok(())
}

/// A clone of a repository with a project in a folder of it.
fn repository(folder: &Path) -> Result<PathBuf> {
    let (origin, clone) = (folder.join("origin"), folder.join("clone"));
    copy(&paths::root().join("samples/unity"), &origin.join("my game"))?;
    git(&origin, &["init", "-q", "--initial-branch", "main"])?;
    commit(&origin)?;
    // By the protocol and without history, as hosts do it.
    let origin = format!("file://{}", origin.display());
    git(folder, &["clone", "-q", "--depth", "1", &origin, &clone.to_string_lossy()])?;
    Ok(clone)
}

fn break_project(clone: &Path) -> Result<()> {
    fs::remove_file(clone.join(SCRIPT))?;
    commit(clone)
}

fn commit(folder: &Path) -> Result<()> {
    git(folder, &["add", "--all"])?;
    let person =
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    git(folder, &[&person[..], &["commit", "-q", "--no-verify", "-m", "change"]].concat()).map(drop)
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    let mut command = Command::new("git");
    let said = process::capture(command.args(args).current_dir(folder), LIMIT)?;
    ensure!(said.status.success(), "git {}: {}", args.join(" "), said.tail());
    Ok(said.stdout)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().context("an entry has a name")?);
        match path.is_dir() {
            true => copy(&path, &to)?,
            false => drop(fs::copy(&path, to)?),
        }
    }
    Ok(())
}
