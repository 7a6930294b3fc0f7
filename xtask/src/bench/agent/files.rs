//! The files of a task's project, read in the plainest way: what checks say must not come from the
//! readers that they check.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

pub(crate) struct Files {
    root: PathBuf,
}

impl Files {
    pub(crate) fn new(root: PathBuf) -> Files {
        Files { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn text(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).with_context(|| path.to_owned())
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> Result<()> {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().context("a file is in a folder")?)?;
        fs::write(file, content).with_context(|| path.to_owned())
    }

    pub(crate) fn remove(&self, path: &str) -> Result<()> {
        fs::remove_file(self.root.join(path)).with_context(|| path.to_owned())
    }

    /// Change a text that is there, all of its places; they are so many.
    pub(crate) fn replace(&self, path: &str, old: &str, new: &str) -> Result<usize> {
        let text = self.text(path)?;
        let count = text.matches(old).count();
        ensure!(count > 0, "{path} has no {old:?}");
        self.write(path, text.replace(old, new))?;
        Ok(count)
    }

    /// A file has all of these texts.
    pub(crate) fn has(&self, path: &str, parts: &[&str]) -> Result<()> {
        has_all(&self.text(path)?, parts).with_context(|| path.to_owned())
    }

    /// A file has none of these texts.
    pub(crate) fn lacks(&self, path: &str, parts: &[&str]) -> Result<()> {
        let text = self.text(path)?;
        match parts.iter().find(|part| text.contains(**part)) {
            Some(part) => bail!("{path} has {part:?}"),
            None => Ok(()),
        }
    }

    /// The whole section of a file of Godot whose first line has all of these parts.
    pub(crate) fn section(&self, path: &str, header: &[&str]) -> Result<String> {
        let text = self.text(path)?;
        let found = sections(&text, "[").find(|section| {
            let first = section.lines().next().unwrap_or_default();
            header.iter().all(|part| first.contains(part))
        });
        found.map(str::to_owned).with_context(|| format!("{path} has no section with {header:?}"))
    }

    /// The whole object of a file of Unity that has all of these texts.
    pub(crate) fn object(&self, path: &str, parts: &[&str]) -> Result<String> {
        let text = self.text(path)?;
        let found = sections(&text, "--- !u!")
            .find(|object| parts.iter().all(|part| object.contains(part)));
        found.map(str::to_owned).with_context(|| format!("{path} has no object with {parts:?}"))
    }

    /// The guid that a meta file says.
    pub(crate) fn guid(&self, asset: &str) -> Result<String> {
        let meta = self.text(&format!("{asset}.meta"))?;
        let guid = meta.lines().find_map(|line| line.strip_prefix("guid: "));
        guid.map(|guid| guid.trim().to_owned()).with_context(|| format!("{asset} has no guid"))
    }

    /// The files with this in them, by their paths, and how often they have it.
    pub(crate) fn with_text(&self, text: &str) -> Result<BTreeMap<String, usize>> {
        let mut found = BTreeMap::new();
        for (path, content) in self.all()? {
            let count = String::from_utf8_lossy(&content).matches(text).count();
            if count > 0 {
                found.insert(path, count);
            }
        }
        Ok(found)
    }

    /// The lines of files with this ending that have a text where `has` wants it, as `path:line`.
    pub(crate) fn lines(
        &self,
        ending: &str,
        text: &str,
        has: impl Fn(&str, &str) -> bool,
    ) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for (path, content) in self.all()?.into_iter().filter(|(path, _)| path.ends_with(ending)) {
            let content = String::from_utf8_lossy(&content);
            let lines = (1..).zip(content.lines()).filter(|(_, line)| has(line, text));
            found.extend(lines.map(|(number, _)| format!("{path}:{number}")));
        }
        Ok(found)
    }

    /// Every file of the project with its bytes; what the server keeps for itself is left out.
    pub(crate) fn all(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut open = vec![self.root.clone()];
        let mut found = BTreeMap::new();
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(&self.root)?.to_string_lossy().replace('\\', "/");
                match path.is_dir() {
                    true if name == ".scenewright" || name == ".godot" => {}
                    true => open.push(path),
                    false => drop(found.insert(name, fs::read(&path)?)),
                }
            }
        }
        Ok(found)
    }
}

/// A text has all of these.
pub(crate) fn has_all(text: &str, parts: &[&str]) -> Result<()> {
    match parts.iter().find(|part| !text.contains(**part)) {
        Some(part) => bail!("there is no {part:?}"),
        None => Ok(()),
    }
}

/// The parts of a text that begin with lines that begin so.
fn sections<'t>(text: &'t str, begin: &str) -> impl Iterator<Item = &'t str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(begin) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| &text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_headers() {
        let text = "; head\n[a]\nx=1\n\n[b c]\ny=[\n2]\n";
        let found: Vec<&str> = sections(text, "[").collect();
        assert_eq!(found, ["[a]\nx=1\n\n", "[b c]\ny=[\n2]\n"]);
    }

    #[test]
    fn what_is_not_there_is_told() {
        assert!(has_all("ab", &["a", "b"]).is_ok());
        assert_eq!(
            has_all("ab", &["a", "c"]).map_err(|e| e.to_string()),
            Err("there is no \"c\"".into())
        );
    }
}
