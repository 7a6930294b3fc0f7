//! The binary under test.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{paths, process};

const BUILD_LIMIT: Duration = Duration::from_secs(3600);

/// Build what is stale and return the path of the program that the tests build and run.
pub fn tested() -> Result<PathBuf> {
    built("dev")
}

/// The same as people build it.
pub(crate) fn release() -> Result<PathBuf> {
    built("release")
}

/// The same as people download it, which is what numbers are told of.
pub(crate) fn dist() -> Result<PathBuf> {
    built("dist")
}

fn built(profile: &str) -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("SCENEWRIGHT_BIN") {
        return std::path::absolute(given).context("SCENEWRIGHT_BIN");
    }
    build(profile)?;
    let name = format!("scenewright{}", std::env::consts::EXE_SUFFIX);
    // The one profile whose folder has another name.
    let folder = if profile == "dev" { "debug" } else { profile };
    let binary = paths::target().join(folder).join(name);
    if !binary.is_file() {
        bail!("the {profile} build left no {}", binary.display());
    }
    Ok(binary)
}

fn build(profile: &str) -> Result<()> {
    let build = ["build", "--profile", profile, "--bin", "scenewright"];
    process::run(process::cargo().args(build), BUILD_LIMIT)
}

/// `scenewright serve ARGS`, started where there is no project to find: over HTTP it has the samples. The
/// tasks look into the data of answers, which a model does not get.
pub(crate) fn serve(binary: &std::path::Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.args(["serve", "--structured"]).args(args).current_dir(paths::target());
    command
}
