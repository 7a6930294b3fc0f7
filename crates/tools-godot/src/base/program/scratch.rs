//! A folder of our own for what the engine writes before it goes through the door.

#![expect(
    clippy::disallowed_methods,
    reason = "a temporary folder of our own, outside every project"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use scenewright_contract::ToolError;
use scenewright_text::temporary::Temporary;

/// A new folder that is removed in the end.
#[derive(Debug)]
pub struct Scratch(Temporary);

impl Scratch {
    /// A folder that nobody else knows the name of.
    pub fn new() -> Result<Self, ToolError> {
        Temporary::new().map(Self).map_err(|error| not_made(&error))
    }

    /// A file in a folder that stays when the server ends, for what somebody is to find later. There
    /// is one such folder for each run, so a file of the same name is replaced.
    pub fn keep(name: &str, content: &[u8]) -> Result<PathBuf, ToolError> {
        static KEPT: Mutex<Option<PathBuf>> = Mutex::new(None);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody may have tidied up meanwhile.
        let folder = match kept.take().filter(|folder| folder.is_dir()) {
            Some(folder) => folder,
            None => folder_to_keep().map_err(|error| not_made(&error))?,
        };
        write(kept.insert(folder), name, content)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Put a file into it, in folders as need be.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, ToolError> {
        write(self.path(), name, content)
    }

    /// The files in it by their names with `/`, sorted, hidden ones left out.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let mut waiting = vec![(self.path().to_owned(), String::new(), 0)];
        while let Some((folder, name, depth)) = waiting.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.filter_map(Result::ok) {
                let own = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else { continue };
                if own.starts_with('.') {
                    continue;
                }
                let full = if name.is_empty() { own } else { format!("{name}/{own}") };
                if kind.is_dir() && depth < 64 {
                    waiting.push((entry.path(), full, depth + 1));
                } else if kind.is_file() {
                    files.push(full);
                }
            }
        }
        files.sort();
        files
    }
}

fn not_made(error: &dyn std::fmt::Display) -> ToolError {
    ToolError::failed(format!("no temporary folder can be made: {error}"))
}

fn folder_to_keep() -> std::io::Result<PathBuf> {
    let base = std::env::temp_dir();
    let base = scenewright_toolkit::workspace::canonical(&base).unwrap_or(base);
    let folder = base.join(format!("scenewright-{}", scenewright_text::random_name()?));
    scenewright_text::private::make_folder(&folder).map(|()| folder)
}

fn write(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, ToolError> {
    let path = folder.join(name);
    let folder = path.parent().unwrap_or(folder);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, content));
    written.map_err(|error| {
        ToolError::failed(format!("{} cannot be written: {error}", path.display()))
    })?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_replaced_and_comes_back_when_it_was_tidied_up() {
        let path = Scratch::keep("a.txt", b"x").unwrap();
        assert_eq!(Scratch::keep("a.txt", b"y").unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"y");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        let path = Scratch::keep("a.txt", b"z").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"z");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn it_is_gone_in_the_end() {
        let scratch = Scratch::new().unwrap();
        scratch.write("b/c.txt", b"x").unwrap();
        scratch.write("a.txt", b"y").unwrap();
        scratch.write(".godot/z", b"").unwrap();
        assert_eq!(scratch.files(), ["a.txt", "b/c.txt"]);
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }
}
