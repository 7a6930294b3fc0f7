//! The files of a Unity project that several tools read: which are imported, and their guids.

use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::beneath;
use scenewright_toolkit::{Cx, Project, files};
use scenewright_unity::{Guid, scan_guid};

use crate::base::UnityProject;

/// Where the editor puts what it fetched; often absent.
pub const PACKAGE_CACHE: &str = "Library/PackageCache";
/// The folders that hold the project's own assets.
pub const OWN: [&str; 2] = ["Assets", "Packages"];

/// A file that Unity imports.
pub struct Imported {
    /// Where it is on disk.
    pub path: PathBuf,
    /// How it is named: from the project's root, with `/`.
    pub name: String,
}

/// The Unity project behind `project`, or an error that says that `what` is Unity's.
pub fn unity<'p>(
    project: &'p Project,
    what: &str,
) -> Result<&'p scenewright_unity::Project, ToolError> {
    match project.of::<UnityProject>() {
        Some(unity) => Ok(&unity.settings),
        None => Err(ToolError::new(
            ErrorKind::EngineError,
            format!("{what}: {} is a Godot project and has none", project.id),
        )
        .hint("name a Unity project with `project`; mcp_health lists the open ones")),
    }
}

/// The imported files below these folders whose names end in one of `endings`, sorted by name
/// within each folder.
pub fn imported(
    cx: &Cx,
    project: &Project,
    folders: &[&str],
    endings: &[&str],
) -> Result<Vec<Imported>, ToolError> {
    let mut found = Vec::new();
    for folder in folders {
        let start = project.root.join(folder);
        files::walk(cx, project, &start, folder, &mut |path, name| {
            if endings.iter().any(|ending| name.ends_with(ending)) && is_imported(name) {
                found.push(Imported { path: path.to_owned(), name: name.to_owned() });
            }
            Ok(true)
        })?;
    }
    Ok(found)
}

/// The bytes of such a file, as they will be where it waits in a batch.
pub fn read(cx: &Cx, project: &Project, file: &Imported) -> std::io::Result<Vec<u8>> {
    files::read(cx, project, &file.path, &file.name)
}

/// Unity passes over folders that end in `~`, such as the samples of packages.
fn is_imported(name: &str) -> bool {
    !name.split('/').any(|part| part.ends_with('~') || part.eq_ignore_ascii_case("cvs"))
}

/// The guid in the meta of a file of a project.
pub fn guid_of(project: &Project, path: &Path) -> Option<Guid> {
    let mut meta = path.as_os_str().to_owned();
    meta.push(".meta");
    scan_guid(&beneath::read(&project.root, Path::new(&meta)).ok()?)
}
