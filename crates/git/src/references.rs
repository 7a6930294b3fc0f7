//! The names of commits, read by us and written anew.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::plain::{self, refused};

/// More names than any real repository has.
const MOST_NAMES: usize = 1_000_000;
/// Folders in folders.
const MOST_DEPTH: usize = 64;
/// The list of names that git packs.
const MOST_BYTES: u64 = 256 << 20;

/// What a name stands for.
enum Target {
    Commit(String),
    /// Another name.
    Name(String),
}

/// All names of a repository.
#[derive(Default)]
pub(crate) struct References(BTreeMap<String, Target>);

impl References {
    /// Reads the names that work trees share, then those of one alone.
    pub(crate) fn read(common: &Path, git_dir: &Path) -> io::Result<References> {
        let mut read = References::default();
        read.packed(&common.join("packed-refs"))?;
        read.folder(&common.join("refs"), "refs", 0)?;
        if git_dir != common {
            read.folder(&git_dir.join("refs"), "refs", 0)?;
        }
        Ok(read)
    }

    fn packed(&mut self, file: &Path) -> io::Result<()> {
        let bytes = plain::read(file, MOST_BYTES)?.unwrap_or_default();
        for line in String::from_utf8_lossy(&bytes).lines() {
            // What begins with `#` is a heading, with `^` what the tag before it stands for.
            let Some((id, name)) = line.split_once(' ').filter(|(id, _)| is_id(id)) else {
                continue;
            };
            self.add(name, Target::Commit(id.to_owned()), file)?;
        }
        Ok(())
    }

    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) -> io::Result<()> {
        if depth > MOST_DEPTH {
            return Err(refused(folder, "is too deep for names of commits"));
        }
        match fs::symlink_metadata(folder) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(refused(folder, "is no folder; names elsewhere are not followed")),
            Err(why) => return Err(why),
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // Git makes no name that is no text.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let whole = format!("{prefix}/{name}");
            if entry.file_type()?.is_dir() {
                self.folder(&entry.path(), &whole, depth + 1)?;
            } else if !name.ends_with(".lock")
                && let Some(text) = plain::line(&entry.path())?
            {
                match text.strip_prefix("ref: ") {
                    Some(other) if is_name(other) => {
                        self.add(&whole, Target::Name(other.to_owned()), folder)?;
                    }
                    None if is_id(text.trim_end()) => {
                        self.add(&whole, Target::Commit(text.trim_end().to_owned()), folder)?;
                    }
                    // An interrupted git leaves empty ones; it names them itself.
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: &str, target: Target, place: &Path) -> io::Result<()> {
        // A replacement shows another object in the place of the one that was asked for.
        if !is_name(name) || name.starts_with("refs/replace/") {
            return Ok(());
        }
        self.0.insert(name.to_owned(), target);
        match self.0.len() > MOST_NAMES {
            true => Err(refused(place, "has too many names of commits")),
            false => Ok(()),
        }
    }

    /// The list of names as git packs it, and those that stand for others, each with its file's content.
    pub(crate) fn written(&self) -> (String, Vec<(&str, String)>) {
        let mut packed = "# pack-refs with: sorted \n".to_owned();
        let mut files = Vec::new();
        for (name, target) in &self.0 {
            match target {
                Target::Commit(id) => packed += &format!("{id} {name}\n"),
                Target::Name(other) => files.push((name.as_str(), format!("ref: {other}\n"))),
            }
        }
        (packed, files)
    }
}

/// Whether git can have made a name: it is used as a path, too.
pub(crate) fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && !part.ends_with('.')
            && !part.ends_with(".lock")
    };
    let is_bad = |letter: char| letter.is_ascii_control() || r#" ~^:?*[\"<>|"#.contains(letter);
    name.starts_with("refs/")
        && !name.contains("..")
        && !name.contains(is_bad)
        && name.len() < 4096
        && name.split('/').all(is_part)
}

/// Whether a text is the id of an object.
pub(crate) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leads_out_of_its_folder() {
        for name in ["refs/heads/main", "refs/remotes/origin/HEAD", "refs/heads/größer/a-b_c"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "HEAD",
            "refs/../config",
            "refs/heads/../../x",
            "refs//x",
            "refs/.x",
            "refs/a.lock",
            "refs/a\\b",
            "refs/a:b",
            "refs/a\nb",
            "refs/",
            "/refs/x",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
