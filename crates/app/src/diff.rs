//! `scenewright diff`: what changed in scenes and settings, by object and field.

use std::cell::OnceCell;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use scenewright_merge::diff::{Change, diff};
use scenewright_merge::history::{self, Range};
use scenewright_merge::render::{self, FileDiff, Tone};
use scenewright_merge::{MAX_BYTES, Refusal, read_file};
use scenewright_toolkit::workspace::canonical;
use scenewright_tools_common::differences::Files;
use serde_json::{Value, json};

use crate::cli::{Diff, DiffFormat};
use crate::term::{self, Style};
use crate::workspace;

/// So many files that a change reaches are in JSON.
const MAX_REACHED: usize = 100;

/// Show the differences.
pub fn run(options: &Diff) -> Result<ExitCode> {
    let known = Known::default();
    let files = match two_files(options) {
        Some((old, new)) => vec![of_files(options, old, new, &known)?],
        None => of_repository(options, &known)?,
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

fn of_files(options: &Diff, old: &Path, new: &Path, known: &Known) -> Result<FileDiff> {
    let name = options.name.as_deref().unwrap_or(if new.as_os_str() == "-" { old } else { new });
    let differences = diff(name, &read(old)?, &read(new)?, &|guid| known.name(guid));
    Ok(FileDiff {
        path: name.display().to_string(),
        old_path: None,
        change: Change::Changed,
        differences: Ok(differences.map_err(|reason| {
            anyhow::anyhow!("{} and {}: {reason}", old.display(), new.display())
        })?),
        reach: None,
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let mut input = io::stdin().lock().take(MAX_BYTES as u64 + 1);
        input.read_to_end(&mut bytes).context("standard input")?;
        if bytes.len() > MAX_BYTES {
            bail!("standard input: {}", Refusal::TooLarge(bytes.len() >> 20));
        }
        return Ok(bytes);
    }
    read_file(path).with_context(|| format!("{}", path.display()))
}

fn of_repository(options: &Diff, known: &Known) -> Result<Vec<FileDiff>> {
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
    // How much changed needs neither names nor what it reaches.
    let is_short = options.stat && options.format == DiffFormat::Text;
    let name = |guid: &str| if is_short { None } else { known.name(guid) };
    let mut files = history::changed(&folder, &range, &paths, &name)?;
    if !is_short {
        files.iter_mut().for_each(|file| known.add_reach(&folder, file));
    }
    Ok(files)
}

/// The project that the current folder is in, opened when something is asked of it. Differences can be
/// told without one.
#[derive(Default)]
struct Known(OnceCell<Option<(PathBuf, Files)>>);

impl Known {
    /// Where it is, and its files.
    fn project(&self) -> Option<&(PathBuf, Files)> {
        let open = || {
            let folder = canonical(&std::env::current_dir().ok()?).ok()?;
            let workspace = workspace::open_root(workspace::root_above(&folder)?).ok()?;
            let project = workspace.candidates(None).next()?;
            Some((project.root.clone(), Files::of(project)))
        };
        self.0.get_or_init(open).as_ref()
    }

    fn name(&self, guid: &str) -> Option<String> {
        self.project()?.1.name(guid)
    }

    fn add_reach(&self, folder: &Path, file: &mut FileDiff) {
        let is_held =
            Path::new(&file.path).extension().is_some_and(|e| e == "prefab" || e == "tscn");
        let Some((root, files)) = is_held.then(|| self.project()).flatten() else { return };
        let Ok(whole) = canonical(&folder.join(&file.path)) else { return };
        let Ok(path) = whole.strip_prefix(root) else { return };
        let path = path.to_string_lossy().replace('\\', "/");
        files.add_reach(&path, file);
    }
}

fn as_json(files: &[FileDiff]) -> Value {
    let files = files.iter().map(|file| {
        let mut value = json!({ "path": file.path, "change": file.change });
        if let Some(was) = &file.old_path {
            value["oldPath"] = json!(was);
        }
        if let Some(reach) = &file.reach {
            let first: Vec<_> = reach.files.iter().take(MAX_REACHED).collect();
            let truncated = reach.truncated || first.len() < reach.files.len();
            value["reach"] =
                json!({ "count": reach.files.len(), "files": first, "truncated": truncated });
        }
        match &file.differences {
            Ok(differences) => value["differences"] = json!(differences),
            Err(reason) => value["reason"] = json!(reason),
        }
        value
    });
    json!({ "files": files.collect::<Vec<Value>>() })
}
