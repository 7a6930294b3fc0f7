//! A folder that is a Unity project: its version, and where its settings are.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::edit::Habits;
use crate::file::{self, Content};
use crate::{Facts, facts};

/// One Unity project, as its settings files describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The folder that holds `Assets` and `ProjectSettings`, as it was given.
    pub root: PathBuf,
    /// The editor that last saved the project.
    pub version: EditorVersion,
}

impl Project {
    /// True when `dir` looks like a Unity project root.
    pub fn is_root(dir: &Path) -> bool {
        dir.join(VERSION_FILE).is_file()
            || (dir.join("Assets").is_dir() && dir.join("ProjectSettings").is_dir())
    }

    /// True when `dir` is a package for Unity and no project is around it in the same folder.
    pub fn is_package(dir: &Path) -> bool {
        !Project::is_root(dir) && package_release(dir).is_some()
    }

    /// Opens the project whose root folder is `root`, or the package there: then the version is the
    /// oldest that the package is made for.
    pub fn open(root: &Path) -> Result<Project, ProjectError> {
        let path = root.join(VERSION_FILE);
        if !Project::is_root(root)
            && let Some(text) = package_release(root)
        {
            return Ok(Project {
                root: root.into(),
                version: EditorVersion { text, revision: None },
            });
        }
        match file::read_inside(root, &path)? {
            Content::Absent => Err(ProjectError::NoVersionFile { root: root.into() }),
            Content::LfsPointer => Err(ProjectError::LfsPointer { path }),
            Content::Bytes(bytes) => match EditorVersion::parse(&file::text(&bytes)) {
                Some(version) => Ok(Project { root: root.into(), version }),
                None => Err(ProjectError::NoVersion { path }),
            },
        }
    }

    /// How the editor of the project writes its files.
    pub fn habits(&self) -> Habits {
        let settings = file::read_inside(&self.root, &self.root.join(EDITOR));
        let folds = match settings {
            // Versions that know no such setting have long references go on in the next line.
            Ok(Content::Bytes(bytes)) => {
                Some(memmem::find(&bytes, b"m_SerializeInlineMappingsOnOneLine: 1").is_none())
            }
            _ => None,
        };
        Habits { release: self.version.release(), folds }
    }

    /// The headline facts of the project, read from disk at each call.
    pub fn facts(&self) -> Result<Facts, ProjectError> {
        facts::read(self)
    }

    /// The scenes of the build, without the other facts, some of which are far to seek.
    pub fn scenes_in_build(&self) -> Result<Vec<crate::BuildScene>, ProjectError> {
        facts::read_scenes_in_build(self)
    }

    /// Files whose change changes the facts, whether they exist now or not.
    pub fn settings_files(&self) -> Vec<PathBuf> {
        [VERSION_FILE, PLAYER, GRAPHICS, QUALITY, EDITOR, BUILD, MANIFEST]
            .iter()
            .map(|name| self.root.join(name))
            .collect()
    }
}

/// The release of Unity that the package in a folder asks for. Packages of other programs ask for none.
fn package_release(dir: &Path) -> Option<String> {
    let Ok(Content::Bytes(bytes)) = file::read_inside(dir, &dir.join(PACKAGE)) else { return None };
    let package: serde_json::Value = serde_json::from_str(&file::text(&bytes)).ok()?;
    let has_name = package["name"].as_str().is_some_and(|name| !name.is_empty());
    package["unity"].as_str().filter(|_| has_name).map(str::to_owned)
}

/// What every package has.
pub(crate) const PACKAGE: &str = "package.json";
pub(crate) const VERSION_FILE: &str = "ProjectSettings/ProjectVersion.txt";
pub(crate) const PLAYER: &str = "ProjectSettings/ProjectSettings.asset";
pub(crate) const GRAPHICS: &str = "ProjectSettings/GraphicsSettings.asset";
pub(crate) const QUALITY: &str = "ProjectSettings/QualitySettings.asset";
pub(crate) const EDITOR: &str = "ProjectSettings/EditorSettings.asset";
pub(crate) const BUILD: &str = "ProjectSettings/EditorBuildSettings.asset";
pub(crate) const MANIFEST: &str = "Packages/manifest.json";

/// A Unity editor version, such as `2022.3.20f1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorVersion {
    /// The version as Unity writes it.
    pub text: String,
    /// The revision of the editor's source, when the project names it (2019.1 and later).
    pub revision: Option<String>,
}

impl EditorVersion {
    /// Reads the content of a `ProjectVersion.txt`; nothing when it names no version.
    pub fn parse(content: &str) -> Option<EditorVersion> {
        let value = |key: &str| {
            let mut lines = content.lines().filter_map(|line| line.split_once(':'));
            let (_, value) = lines.find(|(name, _)| name.trim() == key)?;
            Some(value.trim()).filter(|value| !value.is_empty())
        };
        let with_revision = value("m_EditorVersionWithRevision");
        let revision = with_revision
            .and_then(|text| text.split_once('('))
            .and_then(|(_, rest)| rest.split_once(')'))
            .map(|(revision, _)| revision.to_owned());
        Some(EditorVersion { text: value("m_EditorVersion")?.to_owned(), revision })
    }

    /// The first two numbers, `(2022, 3)` for `2022.3.20f1`.
    pub fn release(&self) -> Option<(u32, u32)> {
        let mut parts = self.text.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }
}

impl fmt::Display for EditorVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a folder could not be read as a Unity project.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    // The first three words are a published text that clients know.
    /// The folder has no `ProjectSettings/ProjectVersion.txt`.
    #[error(
        "ProjectVersion.txt not found in {}; give the folder that holds Assets and \
         ProjectSettings, or open the project once in Unity to write the file",
        .root.join("ProjectSettings").display()
    )]
    NoVersionFile {
        /// The folder that was asked for.
        root: PathBuf,
    },
    /// `ProjectVersion.txt` names no version.
    #[error(
        "{} has no `m_EditorVersion: …` line; restore the file or open the project once in Unity",
        .path.display()
    )]
    NoVersion {
        /// The file that was read.
        path: PathBuf,
    },
    /// `ProjectVersion.txt` is not checked out.
    #[error("{} is a Git LFS pointer, not the file itself; run `git lfs pull`", .path.display())]
    LfsPointer {
        /// The file that was read.
        path: PathBuf,
    },
    /// A settings file is larger than any real one.
    #[error(
        "{} has {size} bytes, and settings files of more than {} bytes are not read; check \
         that it is the file Unity wrote",
        .path.display(),
        file::MAX_BYTES
    )]
    TooLarge {
        /// The file that was refused.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
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
    use expect_test::{Expect, expect};
    use scenewright_fixture::Folder;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let dir = Folder::files(text);
        let result = match Project::open(dir.root()) {
            Ok(project) => format!("{:?}", project.version),
            Err(error) => dir.hide(&error.to_string()),
        };
        expected.assert_eq(&result);
    }

    #[test]
    fn reads_version_and_revision() {
        check(
            "//- ProjectSettings/ProjectVersion.txt\n\
             m_EditorVersion: 2022.3.20f1\n\
             m_EditorVersionWithRevision: 2022.3.20f1 (61c2feb0970d)\n",
            expect![[r#"EditorVersion { text: "2022.3.20f1", revision: Some("61c2feb0970d") }"#]],
        );
    }

    #[test]
    fn how_long_references_are_written_is_a_setting() {
        let folds = |settings: &str| {
            let version = "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n";
            let dir = Folder::files(&format!("{version}{settings}"));
            Project::open(dir.root()).unwrap().habits().folds
        };
        let editor = "//- ProjectSettings/EditorSettings.asset\nEditorSettings:\n";
        let on_one_line = format!("{editor}  m_SerializeInlineMappingsOnOneLine: 1\n");
        assert_eq!(folds(&on_one_line), Some(false));
        assert_eq!(folds(&on_one_line.replace(": 1", ": 0")), Some(true));
        assert_eq!(folds(editor), Some(true));
        assert_eq!(folds(""), None);
    }

    #[test]
    fn reads_a_file_with_bom_and_crlf_and_no_revision() {
        check(
            "//- ProjectSettings/ProjectVersion.txt\n\u{feff}m_EditorVersion: 5.6.7f1\r\n",
            expect![[r#"EditorVersion { text: "5.6.7f1", revision: None }"#]],
        );
    }

    #[test]
    fn says_what_is_missing() {
        check(
            "//- Assets/a.txt\n",
            expect![
                "ProjectVersion.txt not found in DIR/ProjectSettings; give the folder that holds Assets and ProjectSettings, or open the project once in Unity to write the file"
            ],
        );
        check(
            "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: \n",
            expect![
                "DIR/ProjectSettings/ProjectVersion.txt has no `m_EditorVersion: …` line; restore the file or open the project once in Unity"
            ],
        );
        check(
            "//- ProjectSettings/ProjectVersion.txt\nversion https://git-lfs.github.com/spec/v1\n",
            expect![
                "DIR/ProjectSettings/ProjectVersion.txt is a Git LFS pointer, not the file itself; run `git lfs pull`"
            ],
        );
        check(
            "//- ProjectSettings/ProjectVersion.txt/folder.txt\n",
            expect![
                "cannot read DIR/ProjectSettings/ProjectVersion.txt: it is a folder, not a file; check that it is a readable file"
            ],
        );
    }

    #[test]
    fn knows_a_root() {
        let is_root = |text| Project::is_root(Folder::files(text).root());
        assert!(is_root("//- ProjectSettings/ProjectVersion.txt\n"));
        assert!(is_root("//- Assets/a.txt\n//- ProjectSettings/b.txt\n"));
        assert!(!is_root("//- Assets/a.txt\n"));
    }

    #[test]
    fn takes_the_release_from_the_version() {
        let release = |text: &str| EditorVersion { text: text.into(), revision: None }.release();
        assert_eq!(release("6000.0.52f1"), Some((6000, 0)));
        assert_eq!(release("2022"), None);
        assert_eq!(release("x.y"), None);
    }
}
