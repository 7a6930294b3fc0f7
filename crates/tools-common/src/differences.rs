//! What a project knows that differences of its files do not tell by themselves: the names of assets,
//! and where a change of a prefab or scene arrives. For the tool and for the command line.

use std::sync::Arc;

use scenewright_merge::diff::Change;
use scenewright_merge::reach::{of_godot, of_unity};
use scenewright_merge::render::FileDiff;
use scenewright_toolkit::Project;
use scenewright_tools_godot::GodotProject;
use scenewright_tools_unity::UnityProject;
use scenewright_unity::Guid;

/// The files of a project at one moment. Each look at a project that is not watched reads all its folders
/// again, so that one look has to do for all names of a difference.
pub enum Files {
    /// Of Unity.
    Unity(Arc<scenewright_unity::index::Index>),
    /// Of Godot.
    Godot(Arc<scenewright_godot::Index>),
    /// Of an engine that has no such files.
    Other,
}

impl Files {
    /// The files of a project as they are now.
    pub fn of(project: &Project) -> Self {
        if let Some(unity) = project.of::<UnityProject>() {
            return Self::Unity(unity.view().0);
        }
        project.of::<GodotProject>().map_or(Self::Other, |godot| Self::Godot(godot.index()))
    }

    /// The name of an asset of a Unity project.
    pub fn name(&self, guid: &str) -> Option<String> {
        let Self::Unity(index) = self else { return None };
        let asset = index.by_guid(Guid::parse(guid.as_bytes())?)?;
        Some(asset.name().to_owned())
    }

    /// Adds where the changes of a file arrive. The path is that in the project.
    pub fn add_reach(&self, path: &str, file: &mut FileDiff) {
        let Ok(differences) = &file.differences else { return };
        if file.change != Change::Changed || differences.is_empty() {
            return;
        }
        let reach = match self {
            Self::Unity(index) => of_unity(index, path, differences),
            Self::Godot(index) => of_godot(index, path, differences),
            Self::Other => None,
        };
        file.reach = reach.filter(|reach| !reach.files.is_empty());
    }
}
