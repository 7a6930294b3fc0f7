//! Tasks in Godot projects.

mod changes;
mod everyday;
mod live;
mod questions;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::files::Files;
use super::projects::Project;
use super::task::Task;
use crate::{godot as engine, process};

const ENGINE_LIMIT: Duration = Duration::from_secs(120);

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = everyday::tasks();
    tasks.extend(questions::tasks());
    tasks.extend(changes::tasks());
    tasks.extend(live::tasks());
    tasks
}

/// Let the engine import a copy of the sample, as opening it in the editor does.
pub(super) fn import(godot: &Path) -> Result<Files> {
    let files = Project::Godot.make("imported")?;
    let mut command = engine::headless(godot);
    command.arg("--path").arg(files.root()).arg("--import");
    let said = process::capture(&mut command, ENGINE_LIMIT)?;
    ensure!(said.status.success(), "the import: {}", said.tail());
    Ok(files)
}

/// A real engine loads a scene and runs it for a moment without a word of error.
fn runs(files: &Files, godot: &Path, scene: &str) -> Result<()> {
    let mut command = engine::headless(godot);
    command.arg("--path").arg(files.root()).args(["--quit-after", "3", scene]);
    let said = process::capture(&mut command, ENGINE_LIMIT)?;
    let is_error = said.stderr.lines().any(|line| line.contains("ERROR"));
    ensure!(said.status.success() && !is_error, "{scene} in Godot: {}", said.tail());
    Ok(())
}
