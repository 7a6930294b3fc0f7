//! The folder of console scripts: what may be read and written in it, and nothing outside.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::Cx;
use schemars::JsonSchema;
use serde::Serialize;

use super::cards::timestamp;
use crate::world::{InWorld, THERE};

/// The largest script that is written or shown whole.
pub(crate) const MAX_BYTES: usize = 256 * 1024;
/// The script that runs at the start, and the same while it is switched off.
pub(crate) const STARTUP: [&str; 2] = ["startup.cs", "startup.disabled.cs"];

/// A script in the folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ScriptCard {
    /// The file's name.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) path: String,
}

/// A script with its text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ScriptFile {
    /// The file's name.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) path: String,
    /// Its text, without a byte order mark; at most 256 KB of it.
    pub(crate) content: String,
    /// How large the file is.
    pub(crate) size_bytes: u64,
    /// When it was last written.
    pub(crate) last_modified_utc: String,
    /// Whether the text was cut.
    pub(crate) truncated: bool,
}

/// The folder of console scripts.
pub(crate) fn folder(cx: &Cx) -> Result<PathBuf, ToolError> {
    cx.holder().config().scripts().ok_or_else(|| {
        ToolError::new(ErrorKind::NotReady, "NotReady: no Scripts folder is set")
            .hint("start the server with --explorer-home and a folder for it")
    })
}

/// The file that `path` means inside `folder`, which must not be left by any way.
pub(crate) fn resolve(folder: &Path, path: &str) -> Result<PathBuf, ToolError> {
    let bad = |message: &str| ToolError::new(ErrorKind::BadArguments, message).detail("path", path);
    let text = path.trim().replace('\\', "/");
    if text.is_empty() {
        return Err(bad("path is required"));
    }
    if !text.to_lowercase().ends_with(".cs") {
        return Err(bad("Only .cs files are allowed"));
    }
    let outside = || {
        bad("path must stay inside the Scripts folder")
            .hint("use a name such as test.cs, or a path below the folder")
    };
    let given = Path::new(&text);
    let relative = if given.is_absolute() {
        given.strip_prefix(folder).map_err(|_| outside())?
    } else {
        given
    };
    let file = folder.join(without_dots(relative).ok_or_else(outside)?);
    // A link on the way may lead anywhere, so what is there is asked where it really is.
    let real = file.ancestors().find_map(|place| place.canonicalize().ok());
    let home = folder.ancestors().find_map(|place| place.canonicalize().ok());
    let is_inside = match (real, home) {
        (Some(real), Some(home)) if folder.exists() => real.starts_with(&home),
        _ => true,
    };
    let is_link = fs::symlink_metadata(&file).is_ok_and(|found| found.is_symlink());
    if !is_inside || (is_link && file.canonicalize().is_err()) {
        return Err(outside());
    }
    Ok(file)
}

/// A relative path without `.` and `..`; none when it leads out of where it begins.
fn without_dots(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) if !name.to_string_lossy().contains([':', '\0']) => {
                plain.push(name);
            }
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            _ => return None,
        }
    }
    Some(plain)
}

/// The scripts directly in the folder, by name.
pub(crate) fn list(folder: &Path) -> Vec<ScriptCard> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut cards: Vec<ScriptCard> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| ScriptCard {
            name: entry.file_name().to_string_lossy().into_owned(),
            path: entry.path().display().to_string(),
        })
        .filter(|card| card.name.to_lowercase().ends_with(".cs"))
        .collect();
    cards.sort_by(|a, b| a.name.cmp(&b.name));
    cards
}

/// There is none; those that are there, the nearest first.
fn no_script(file: &Path) -> ToolError {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let there = file.parent().map(list).unwrap_or_default();
    let names = there.iter().map(|card| card.name.as_str());
    let hint = suggest::did_you_mean(&name, names, "WriteConsoleScript makes scripts");
    let names: Vec<&str> = there.iter().map(|card| card.name.as_str()).collect();
    ToolError::new(ErrorKind::EngineError, "Not found")
        .hint(format!("there is no script {name}; {hint}"))
        .detail(THERE, names)
}

/// Read a script.
pub(crate) fn read(file: &Path) -> Result<ScriptFile, ToolError> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => no_script(file),
        _ => ToolError::new(ErrorKind::ToolFailed, error.to_string()),
    };
    let found = fs::metadata(file).map_err(failed)?;
    if !found.is_file() {
        return Err(no_script(file));
    }
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64;
    fs::File::open(file).and_then(|f| f.take(most).read_to_end(&mut bytes)).map_err(failed)?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let modified = found.modified().ok().and_then(|time| {
        let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    });
    Ok(ScriptFile {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        path: file.display().to_string(),
        content: String::from_utf8_lossy(text).into_owned(),
        size_bytes: found.len(),
        last_modified_utc: timestamp(modified.unwrap_or(0)),
        truncated: found.len() > most,
    })
}

/// Write a script: UTF-8 without a byte order mark, whole or not at all.
pub(crate) fn write(file: &Path, content: &str) -> Result<(), ToolError> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    if content.len() > MAX_BYTES {
        let message = format!("Content too large; max {MAX_BYTES} bytes");
        return Err(ToolError::new(ErrorKind::BadArguments, message));
    }
    let failed = |error: std::io::Error| ToolError::new(ErrorKind::ToolFailed, error.to_string());
    scenewright_text::write_whole(file, content).map_err(failed)?;
    match fs::read(file) {
        Ok(bytes) if bytes == content.as_bytes() => Ok(()),
        _ => Err(ToolError::new(ErrorKind::ToolFailed, "the file does not read back as written")),
    }
}

/// Delete a script.
#[expect(
    clippy::disallowed_methods,
    reason = "scripts lie in the folder of the interface, not in the project"
)]
pub(crate) fn delete(file: &Path) -> Result<(), ToolError> {
    fs::remove_file(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => no_script(file),
        _ => ToolError::new(ErrorKind::ToolFailed, error.to_string()),
    })
}
