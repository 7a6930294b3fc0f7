//! Exports: a preset, a file, and the engine's word that is checked.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use scenewright_contract::{ErrorKind, ToolError, suggest};

use super::templates;
use crate::base::{Godot, places};

/// An export that was asked for.
pub struct Export<'a> {
    /// The name of the preset.
    pub preset: &'a str,
    /// The file, as the caller names it.
    pub output: &'a str,
    /// What the engine is told: `--export-release`.
    pub flag: &'a str,
    /// How long it may take.
    pub timeout: Duration,
    /// Only see whether it could be done.
    pub dry_run: bool,
}

/// What came of it.
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// Its size; none when it was only tried.
    pub bytes: Option<u64>,
    /// The version of the engine.
    pub engine: String,
}

/// Export the project.
#[expect(
    clippy::disallowed_methods,
    reason = "an export goes where the caller says; its folder is made"
)]
pub fn export(godot: &Godot<'_>, wanted: &Export<'_>) -> Result<Exported, ToolError> {
    check_preset(godot, wanted.preset)?;
    let path = places::find_file(godot, wanted.output)?;
    let program = godot.program()?;
    let version = program.version.clone();
    let templates = templates::check(godot, &program, wanted);
    if wanted.dry_run {
        if let Err(missing) = templates {
            godot.cx.diagnose(missing.text());
        }
        return Ok(Exported { path, bytes: None, engine: version });
    }
    templates?;
    // The engine imports what it exports, and saves some of it anew.
    let trial = godot.trial()?;
    let before = stamp(&path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| {
            ToolError::failed(format!("{} cannot be made: {error}", folder.display()))
        })?;
    }
    let mut command = program.headless(trial.path());
    command.arg(wanted.flag).arg(wanted.preset).arg(&path);
    let finished = godot.run_told(&program, command, wanted.timeout)?;
    if let Some(store) = godot.godot.open_store() {
        store.rebuild();
    }
    let after = stamp(&path);
    match after {
        Some((_, bytes)) if finished.is_success() && bytes > 0 && after != before => {
            let errors = finished.errors();
            if let Some(first) = errors.first() {
                godot.cx.diagnose(format!(
                    "the engine made the file and reported {} errors; the first: {}",
                    errors.len(),
                    first.text
                ));
            }
            Ok(Exported { path, bytes: Some(bytes), engine: version })
        }
        _ => {
            let words = format!("{}\n{}", finished.stdout, finished.stderr);
            let hint = match words.contains("export template") {
                true => "install the export templates of this version in the editor",
                false => {
                    "list_export_presets shows the presets; the editor's export dialog says more"
                }
            };
            let made = if after == before { "made no new file" } else { "did not finish" };
            Err(ToolError::failed(format!(
                "Godot {} and {made}:\n{}",
                finished.how(),
                finished.last_words(12)
            ))
            .hint(hint))
        }
    }
}

fn stamp(path: &std::path::Path) -> Option<(Option<SystemTime>, u64)> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((meta.modified().ok(), meta.len()))
}

fn check_preset(godot: &Godot<'_>, wanted: &str) -> Result<(), ToolError> {
    let facts = godot.godot.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
    let names: Vec<&str> = facts.export_presets.iter().map(|preset| &*preset.name).collect();
    if names.contains(&wanted) {
        return Ok(());
    }
    let otherwise = match names.is_empty() {
        true => "the project has no export_presets.cfg: the editor makes it".to_owned(),
        false => format!("the presets are {}", names.join(", ")),
    };
    Err(ToolError::new(ErrorKind::BadArguments, format!("there is no export preset '{wanted}'"))
        .hint(suggest::did_you_mean(wanted, names.iter().copied(), &otherwise)))
}
