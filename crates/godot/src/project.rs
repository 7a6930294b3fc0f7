//! A folder that is a Godot project, and its settings files.

use std::io;
use std::path::{Path, PathBuf};

use crate::{Facts, facts};

/// One Godot project, as its settings files describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The folder that holds `project.godot`, as it was given; `res://` is this folder.
    pub root: PathBuf,
}

impl Project {
    /// True when `dir` is a Godot project root.
    pub fn is_root(dir: &Path) -> bool {
        dir.join(SETTINGS).is_file()
    }

    /// True when `dir` holds addons, or is one, and no project: such a repository is made to be taken
    /// into projects.
    pub fn is_addon(dir: &Path) -> bool {
        if Project::is_root(dir) {
            return false;
        }
        let is_plugin = |dir: &Path| dir.join(PLUGIN).is_file();
        // The addon in its usual place belongs to the folder around.
        let is_in_place = dir.parent().is_some_and(|parent| parent.ends_with(ADDONS));
        let addons = dir.join(ADDONS).read_dir().into_iter().flatten().flatten();
        is_plugin(dir) && !is_in_place || addons.into_iter().any(|addon| is_plugin(&addon.path()))
    }

    /// Opens the project whose root folder is `root`, or the addon there.
    pub fn open(root: &Path) -> Result<Project, ProjectError> {
        if !Project::is_root(root) && !Project::is_addon(root) {
            return Err(ProjectError::NotFound { root: root.into() });
        }
        Ok(Project { root: root.into() })
    }

    /// The headline facts of the project, read from disk at each call. An addon has no settings that
    /// would tell any.
    pub fn facts(&self) -> Result<Facts, ProjectError> {
        facts::read(&self.root, Project::is_addon(&self.root).then(Vec::new))
    }

    /// The same with settings that are to be written.
    pub fn facts_with(&self, settings: Vec<u8>) -> Result<Facts, ProjectError> {
        facts::read(&self.root, Some(settings))
    }

    /// Files whose change changes the facts, whether they exist now or not.
    pub fn settings_files(&self) -> Vec<PathBuf> {
        [SETTINGS, OVERRIDE, PRESETS].iter().map(|name| self.root.join(name)).collect()
    }
}

/// What every addon with a plugin for the editor has.
pub(crate) const PLUGIN: &str = "plugin.cfg";
/// The folder of addons.
pub(crate) const ADDONS: &str = "addons";
pub(crate) const SETTINGS: &str = "project.godot";
pub(crate) const OVERRIDE: &str = "override.cfg";
pub(crate) const PRESETS: &str = "export_presets.cfg";

/// Why a folder could not be read as a Godot project.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The folder has no `project.godot`.
    #[error(
        "project.godot not found in {}; give the folder that holds it",
        .root.display()
    )]
    NotFound {
        /// The folder that was asked for.
        root: PathBuf,
    },
    /// A file is larger than any real one of its kind.
    #[error(
        "{} has {size} bytes, and such files of more than {limit} bytes are not read; check \
         that it is the file Godot wrote",
        .path.display()
    )]
    TooLarge {
        /// The file that was refused.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The most that is read.
        limit: u64,
    },
    /// The operating system refused a read.
    #[error("cannot read {}: {source}; check that it is a readable file", .path.display())]
    Read {
        /// The file that was asked for.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use expect_test::{Expect, expect};
    use scenewright_fixture::Folder;

    use super::*;
    use crate::file;

    fn check_error(error: &ProjectError, dir: &Folder, expected: Expect) {
        expected.assert_eq(&dir.hide(&error.to_string()));
    }

    #[test]
    fn says_what_is_missing() {
        let dir = Folder::files("//- scenes/a.tscn\n");
        assert!(!Project::is_root(dir.root()));
        let error = Project::open(dir.root()).unwrap_err();
        check_error(
            &error,
            &dir,
            expect!["project.godot not found in DIR; give the folder that holds it"],
        );
    }

    #[test]
    fn refuses_a_file_over_the_cap() {
        let dir = Folder::files("//- project.godot\n");
        let path = dir.path(SETTINGS);
        File::options().write(true).open(path).unwrap().set_len(file::MAX_SETTINGS + 1).unwrap();
        let error = Project::open(dir.root()).unwrap().facts().unwrap_err();
        check_error(
            &error,
            &dir,
            expect![
                "DIR/project.godot has 16777217 bytes, and such files of more than 16777216 bytes are not read; check that it is the file Godot wrote"
            ],
        );
    }

    #[test]
    fn a_folder_in_place_of_a_file_is_an_error() {
        let dir = Folder::files("//- project.godot\n//- export_presets.cfg/a.txt\n");
        let error = Project::open(dir.root()).unwrap().facts().unwrap_err();
        check_error(
            &error,
            &dir,
            expect![
                "cannot read DIR/export_presets.cfg: it is a folder, not a file; check that it is a readable file"
            ],
        );
    }

    #[test]
    fn lists_the_files_to_watch() {
        let dir = Folder::files("//- project.godot\n");
        let files = Project::open(dir.root()).unwrap().settings_files();
        let names: Vec<_> = files.iter().map(|path| path.file_name().unwrap()).collect();
        assert_eq!(names, ["project.godot", "override.cfg", "export_presets.cfg"]);
    }
}
