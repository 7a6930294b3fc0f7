//! `scenewright diff`: what changed in scenes and settings, by object and field.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use scenewright_merge::diff::{Change, diff};
use scenewright_merge::history::{self, Range};
use scenewright_merge::render::{self, FileDiff, Tone};
use serde_json::{Value, json};

use crate::cli::{Diff, DiffFormat};
use crate::term::{self, Style};

/// Show the differences.
pub fn run(options: &Diff) -> Result<ExitCode> {
    let files = match two_files(options) {
        Some((old, new)) => vec![of_files(options, old, new)?],
        None => of_repository(options)?,
    };
    let differs = files.iter().any(|file| match &file.differences {
        Ok(differences) => !differences.is_empty(),
        Err(_) => true,
    });
    let colours = term::Paint::stdout();
    let paint = |tone: Tone, text: &str| match tone {
        Tone::File => colours.paint(Style::Bold, text),
        Tone::Added => colours.paint(Style::Green, text),
        Tone::Removed => colours.paint(Style::Red, text),
        Tone::Changed => colours.paint(Style::Yellow, text),
        Tone::Quiet => colours.paint(Style::Dim, text),
    };
    match options.format {
        DiffFormat::Json => term::json(&as_json(&files)),
        DiffFormat::Markdown => term::raw(render::markdown(&files).as_bytes()),
        DiffFormat::Html => term::raw(render::html(&files).as_bytes()),
        DiffFormat::Text if options.stat => term::raw(render::stat(&files, &paint).as_bytes()),
        DiffFormat::Text => term::raw(render::tree(&files, &paint, options.all).as_bytes()),
    }
    Ok(ExitCode::from(u8::from(options.exit_code && differs)))
}

/// Two files of the disk, or one and standard input; when no revision is named.
fn two_files(options: &Diff) -> Option<(&Path, &Path)> {
    let has_revision = options.from.is_some() || options.to.is_some() || options.staged;
    let [old, new] = options.paths.as_slice() else { return None };
    let is_file = |path: &Path| path.as_os_str() == "-" || path.is_file();
    (!has_revision && is_file(old) && is_file(new)).then_some((old, new))
}

fn of_files(options: &Diff, old: &Path, new: &Path) -> Result<FileDiff> {
    let name = options.name.as_deref().unwrap_or(if new.as_os_str() == "-" { old } else { new });
    let differences = diff(name, &read(old)?, &read(new)?, &|_| None);
    Ok(FileDiff {
        path: name.display().to_string(),
        old_path: None,
        change: Change::Changed,
        differences: Ok(differences.map_err(|reason| {
            anyhow::anyhow!("{} and {}: {reason}", old.display(), new.display())
        })?),
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| format!("{}", path.display()))
}

fn of_repository(options: &Diff) -> Result<Vec<FileDiff>> {
    let folder = std::env::current_dir()?;
    let range =
        Range { from: options.from.clone(), to: options.to.clone(), staged: options.staged };
    let mut paths = Vec::new();
    for path in &options.paths {
        paths.push(path.to_str().context("a path is no text")?.to_owned());
    }
    let missing = |path: &&PathBuf| options.from.is_none() && !path.exists();
    if let Some(path) = options.paths.iter().find(missing) {
        bail!("{} is not there", path.display());
    }
    Ok(history::changed(&folder, &range, &paths, &|_| None)?)
}

fn as_json(files: &[FileDiff]) -> Value {
    let files = files.iter().map(|file| {
        let mut value = json!({ "path": file.path, "change": file.change });
        if let Some(was) = &file.old_path {
            value["oldPath"] = json!(was);
        }
        match &file.differences {
            Ok(differences) => value["differences"] = json!(differences),
            Err(reason) => value["reason"] = json!(reason),
        }
        value
    });
    json!({ "files": files.collect::<Vec<Value>>() })
}
