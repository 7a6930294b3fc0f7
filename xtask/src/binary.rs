//! The release binary under test.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{paths, process};

const BUILD_LIMIT: Duration = Duration::from_secs(3600);

/// Build what is stale and return the path of `scenewright`.
pub(crate) fn release() -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("SCENEWRIGHT_BIN") {
        return std::path::absolute(given).context("SCENEWRIGHT_BIN");
    }
    build_release()?;
    let name = format!("scenewright{}", std::env::consts::EXE_SUFFIX);
    let binary = paths::target().join("release").join(name);
    if !binary.is_file() {
        bail!("the release build left no {}", binary.display());
    }
    Ok(binary)
}

pub(crate) fn build_release() -> Result<()> {
    process::run(process::cargo().args(["build", "--release", "--bin", "scenewright"]), BUILD_LIMIT)
}

/// `scenewright serve ARGS` on the bundled sample: started where there is no project to find.
pub(crate) fn serve(binary: &std::path::Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.arg("serve").args(args).current_dir(paths::target());
    command
}
