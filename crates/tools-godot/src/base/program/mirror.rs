//! A copy of a project that the engine may change, kept like the project.
//!
//! An editor that opens a project imports it, gives files uids and saves some of them in the manner
//! of its own version. In a copy that is nobody's loss.

#![expect(
    clippy::disallowed_methods,
    reason = "a temporary folder of our own, outside every project"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::beneath::{self, Entry, Kind};

use super::Scratch;
use crate::base::Godot;

/// A larger project is not copied.
const MAX_BYTES: u64 = 8 << 30;
/// Neither is one with more files.
const MAX_FILES: usize = 200_000;
/// Folders nest less deep.
const MAX_DEPTH: usize = 64;
/// What no engine needs: histories, our own journal, what an editor remembers of its windows.
const LEFT_OUT: [&str; 5] = [".git", ".scenewright", ".godot/editor", ".godot/mono", ".import"];

/// A copy, and what was copied.
#[derive(Debug)]
pub struct Mirror {
    scratch: Scratch,
    files: Files,
}

/// Size and time of each file by its path from the root.
type Files = BTreeMap<String, (u64, SystemTime)>;

/// What was new in the project since the copy was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum News {
    /// Nothing.
    None,
    /// What is in some scripts. An engine that runs reads them again.
    Scripts,
    /// More than an engine that runs would notice.
    Files,
}

impl Mirror {
    /// Copy a project.
    pub fn new(godot: &Godot<'_>) -> Result<Self, ToolError> {
        let mut mirror = Self { scratch: Scratch::new()?, files: Files::new() };
        mirror.update(godot)?;
        Ok(mirror)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Make the copy like the project again; what the engine made for itself stays.
    pub fn update(&mut self, godot: &Godot<'_>) -> Result<News, ToolError> {
        let root = &godot.project.root;
        let now = files(root)?;
        let mut news = News::None;
        for (name, stamp) in &now {
            let before = self.files.get(name);
            if before == Some(stamp) {
                continue;
            }
            godot.cx.check_cancelled()?;
            // What the engine keeps for itself is its own in the copy, once it is there.
            if before.is_none() || !name.starts_with(".godot/") {
                let declares = before.is_none()
                    || self.class_of(self.path(), name) != self.class_of(root, name);
                self.copy(root, name, stamp.1)?;
                let is_script = name.ends_with(".gd") && !declares;
                news = news.max(if is_script { News::Scripts } else { News::Files });
            }
        }
        for name in self.files.keys().filter(|name| !now.contains_key(*name)) {
            if !name.starts_with(".godot/") {
                let _ = fs::remove_file(self.path().join(name));
                news = News::Files;
            }
        }
        self.files = now;
        Ok(news)
    }

    /// What a script declares that others know it by.
    fn class_of(&self, root: &Path, name: &str) -> Option<(Option<String>, Option<String>)> {
        let text = beneath::read_to_string(root, &root.join(name))
            .ok()
            .filter(|_| name.ends_with(".gd"))?;
        let script = scenewright_godot::Script::parse(&text);
        Some((script.class_name, script.base))
    }

    fn copy(&self, root: &Path, name: &str, modified: SystemTime) -> Result<(), ToolError> {
        let (from, to) = (root.join(name), self.path().join(name));
        let copied = || -> std::io::Result<()> {
            fs::create_dir_all(to.parent().unwrap_or(self.path()))?;
            if to.exists() {
                fs::remove_file(&to)?;
            }
            let mut original = beneath::open(root, &from)?;
            let mut file = fs::File::create_new(&to)?;
            std::io::copy(&mut original, &mut file)?;
            file.set_permissions(original.metadata()?.permissions())?;
            // By its time the engine knows what it imported already.
            file.set_modified(modified)
        };
        match copied() {
            // It was removed while we looked.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(ToolError::failed(format!("{name} cannot be copied: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}

/// Every file of a project that an engine may need. Links are not followed.
fn files(root: &Path) -> Result<Files, ToolError> {
    let mut files = Files::new();
    let mut bytes = 0;
    let mut open: Vec<(PathBuf, String, usize)> = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = open.pop() {
        let entries = beneath::list(root, &folder).map_err(|error| {
            ToolError::failed(format!("{} cannot be read: {error}", folder.display()))
        })?;
        for Entry { name: own, kind } in entries {
            let path = folder.join(&own);
            // A name that is no text is none that the engine could open.
            let Ok(own) = own.into_string() else { continue };
            let name = format!("{prefix}{own}");
            if LEFT_OUT.contains(&&*name) {
                continue;
            }
            if kind == Kind::Folder && depth < MAX_DEPTH {
                open.push((path, format!("{name}/"), depth + 1));
            } else if kind == Kind::File
                && let Ok(meta) = path.symlink_metadata()
            {
                bytes += meta.len();
                files.insert(name, (meta.len(), meta.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
            }
            if bytes > MAX_BYTES || files.len() > MAX_FILES {
                return Err(ToolError::new(
                    ErrorKind::NotReady,
                    "the project is too large to be copied for a headless editor",
                )
                .hint("open it in the Godot editor: its servers are used then"));
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use scenewright_contract::{Call, JsonMap, Limits};
    use scenewright_toolkit::Cx;

    use super::*;
    use crate::base::InGodot;
    use crate::testing::{self, runner};

    type GodotSample = testing::GodotSample<testing::None>;

    #[test]
    fn the_copy_follows_the_project_and_never_the_other_way() {
        let sample = GodotSample::new();
        sample.write(".git/HEAD", "x");
        sample.write(".godot/imported/a.ctex", "x");
        sample.write(".godot/editor/windows.cfg", "x");
        let runner = runner(&sample.path(""), &[], false);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        let godot = cx.godot(None).unwrap();
        let mut mirror = Mirror::new(&godot).unwrap();
        let copy = mirror.path().to_owned();
        assert!(copy.join("icon.svg").is_file() && copy.join(".godot/imported/a.ctex").is_file());
        assert!(!copy.join(".git").exists() && !copy.join(".godot/editor").exists());
        // What the engine makes in the copy stays, and stays there.
        fs::write(copy.join("new.uid"), "x").unwrap();
        assert_eq!(mirror.update(&godot).unwrap(), News::None);
        assert!(copy.join("new.uid").is_file() && !sample.path("new.uid").exists());
        let player = sample.read("scripts/player.gd");
        sample.write("scripts/player.gd", &format!("{player}\n# more\n"));
        assert_eq!(mirror.update(&godot).unwrap(), News::Scripts);
        assert!(fs::read_to_string(copy.join("scripts/player.gd")).unwrap().contains("# more"));
        sample.write("scripts/player.gd", &player.replace("class_name Player", "class_name Pl"));
        assert_eq!(mirror.update(&godot).unwrap(), News::Files);
        fs::remove_file(sample.path("scenes/coin.tscn")).unwrap();
        assert_eq!(mirror.update(&godot).unwrap(), News::Files);
        assert!(!copy.join("scenes/coin.tscn").exists());
        drop(mirror);
        assert!(!copy.exists());
    }
}
