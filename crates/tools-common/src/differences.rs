//! What a project knows that differences of its files do not tell by themselves: the names of assets,
//! and where a change of a prefab or scene arrives. For the tool and for the command line.

use scenewright_merge::diff::Change;
use scenewright_merge::reach::{of_godot, of_unity};
use scenewright_merge::render::FileDiff;
use scenewright_toolkit::Project;
use scenewright_tools_godot::GodotProject;
use scenewright_tools_unity::UnityProject;
use scenewright_unity::Guid;

/// The name of an asset of a Unity project.
pub fn asset_name(project: &Project, guid: &str) -> Option<String> {
    let unity = project.of::<UnityProject>()?;
    let (index, _) = unity.view();
    let asset = index.by_guid(Guid::parse(guid.as_bytes())?)?;
    Some(asset.name().to_owned())
}

/// Adds where the changes of a file arrive, by the files that the project has now. The path is that in the
/// project.
pub fn add_reach(project: &Project, path: &str, file: &mut FileDiff) {
    let Ok(differences) = &file.differences else { return };
    if file.change != Change::Changed || differences.is_empty() {
        return;
    }
    let godot = |godot: &GodotProject| of_godot(&godot.index(), path, differences);
    let unity = |unity: &UnityProject| of_unity(&unity.view().0, path, differences);
    let reach = match project.of::<GodotProject>() {
        Some(project) => godot(project),
        None => project.of::<UnityProject>().and_then(unity),
    };
    file.reach = reach.filter(|reach| !reach.files.is_empty());
}
