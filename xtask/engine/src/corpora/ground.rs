//! The projects of a folder, each copied and imported once, and who in them needs which file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};

use crate::judge::Engine;
use crate::sandbox::{Sandbox, visit};

/// Projects lie this deep in a folder of them.
const MAX_DEPTH: usize = 6;

/// A project that is being judged.
pub(super) struct Ground {
    /// Its folder, from the one that was given.
    pub(super) name: String,
    /// The copy that tools and engine work in.
    pub(super) copy: Sandbox,
    /// The same, never touched.
    pub(super) pristine: Sandbox,
    /// Every file by its path, with its text where it is one of Godot's.
    texts: BTreeMap<String, Option<String>>,
}

/// Folders below `dir` that are projects of Godot 4.
pub(super) fn projects(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![(dir.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let settings = folder.join("project.godot");
        if settings.is_file() {
            let text = fs::read_to_string(&settings).unwrap_or_default();
            // Other forms are those of Godot 3, which this engine does not read.
            if text.contains("config_version=5") {
                found.push(folder);
            }
            continue;
        }
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            if entry.file_type()?.is_dir() && depth < MAX_DEPTH {
                open.push((entry.path(), depth + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Ground {
    /// Copy a project below `folder` and let the engine import it, unless that was done before.
    pub(super) fn prepare(
        engine: &Engine,
        dir: &Path,
        project: &Path,
        folder: &Path,
    ) -> Result<Ground> {
        let local = project.strip_prefix(dir).unwrap_or(project).to_string_lossy();
        let name = if local.is_empty() { "project".to_owned() } else { local.replace('\\', "/") };
        let folder = folder.join(name.replace('/', "+"));
        let stamp = folder.join("stamp");
        let now = stamp_of(project)?;
        if fs::read_to_string(&stamp).ok().as_ref() != Some(&now) {
            let _ = fs::remove_dir_all(&folder);
            let pristine = Sandbox::of(project, &folder.join("pristine"))?;
            // An import that fails leaves what it could do; the survey tells the rest.
            let _ = engine.import(&pristine);
            fs::write(stamp, now)?;
        }
        let pristine = Sandbox::at(&folder.join("pristine"));
        let _ = fs::remove_dir_all(folder.join("copy"));
        let copy = pristine.copy_to(&folder.join("copy"))?;
        let mut texts = BTreeMap::new();
        visit(&pristine.root(), |path, local| {
            if !local.starts_with(".godot/") && !local.starts_with(".git/") {
                texts.insert(local.to_owned(), text_of(path, local));
            }
            Ok(())
        })?;
        Ok(Ground { name, copy, pristine, texts })
    }

    /// The files with one of these endings, from the root.
    pub(super) fn files(&self, endings: &[&str]) -> Vec<String> {
        let ends = |path: &&String| endings.iter().any(|ending| path.ends_with(ending));
        self.texts.keys().filter(ends).filter(|path| self.is_seen(path)).cloned().collect()
    }

    /// The engine does not look into folders with such a file.
    fn is_seen(&self, path: &str) -> bool {
        let mut folders = Path::new(path).ancestors().skip(1);
        !folders.any(|folder| {
            let mark = folder.join(".gdignore").to_string_lossy().replace('\\', "/");
            self.texts.contains_key(&mark)
        })
    }

    /// Every other file of the project that is in such a state.
    pub(super) fn has(&self, path: &str) -> bool {
        self.texts.contains_key(path)
    }

    /// The scenes and resources that need one of these files, directly or through others.
    pub(super) fn users(&self, files: &[String]) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        let mut open: Vec<String> = files.to_vec();
        while let Some(file) = open.pop() {
            let names = self.names(&file);
            for (path, text) in &self.texts {
                let is_scene = path.ends_with(".tscn") || path.ends_with(".tres");
                let Some(text) = text.as_ref().filter(|_| is_scene) else { continue };
                if names.iter().any(|name| text.contains(name)) && found.insert(path.clone()) {
                    open.push(path.clone());
                }
            }
        }
        found
    }

    /// What others call a file by.
    fn names(&self, path: &str) -> Vec<String> {
        let names = [format!("res://{path}")].into_iter().chain(self.uid(path));
        names.map(|name| format!("\"{name}\"")).collect()
    }

    /// Whether the engine keeps a class of this script by its name.
    pub(super) fn names_class(&self, path: &str) -> bool {
        let text = self.texts.get(path).and_then(|text| text.as_ref());
        text.is_some_and(|text| path.ends_with(".gd") && text.contains("class_name "))
    }

    /// The uid of a file, as it or a file beside it says.
    pub(super) fn uid(&self, path: &str) -> Option<String> {
        let own = self.texts.get(path).and_then(|text| text.as_ref());
        let beside = [".uid", ".import"].map(|ending| {
            self.texts.get(&format!("{path}{ending}")).and_then(|text| text.as_ref())
        });
        let own = own.filter(|text| text.starts_with("[gd_"));
        own.into_iter().chain(beside.into_iter().flatten()).find_map(|text| {
            let head: String = text.lines().take(12).collect::<Vec<_>>().join("\n");
            let uid = &head[head.find("uid://")?..];
            let is_part = |c: &char| c.is_alphanumeric() || ":/".contains(*c);
            Some(uid.chars().take_while(is_part).collect())
        })
    }
}

fn text_of(path: &Path, local: &str) -> Option<String> {
    let is_text = [".tscn", ".tres", ".gd", ".uid", ".import", ".godot", ".cfg", ".gdshader"]
        .iter()
        .any(|ending| local.ends_with(ending));
    is_text.then(|| fs::read_to_string(path).ok()).flatten()
}

/// Changes when a file of the project does.
fn stamp_of(project: &Path) -> Result<String> {
    let (mut files, mut bytes, mut newest) = (0, 0, 0);
    visit(project, |path, _| {
        let about = fs::metadata(path)?;
        files += 1;
        bytes += about.len();
        let changed = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        newest = newest.max(changed.as_secs());
        Ok(())
    })?;
    Ok(format!("{files} files, {bytes} bytes, {newest}"))
}
