//! Projects of every engine, found in folders.

use std::sync::Arc;

use scenewright_fixture::Folder;
use scenewright_toolkit::workspace::Places;
use scenewright_toolkit::{Kept, Project, Workspace};
use scenewright_tools::ENGINES;

const UNITY: &str = "ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n";
const GODOT: &str = "project.godot\nconfig_version=5\n";

fn ids(workspace: &Workspace) -> Vec<String> {
    let show = |p: &Arc<Project>| format!("{} {}", p.id, p.engine.name());
    workspace.projects().iter().map(show).collect()
}

#[test]
fn a_folder_opens_the_projects_at_any_depth_in_it() {
    let folder = Folder::files(&format!(
        "//- clients/one/game/{UNITY}\n//- clients/two/game/{UNITY}//- tools/level/{GODOT}\n\
         //- clients/one/game/Assets/demo/{GODOT}//- node_modules/a/{GODOT}//- .git/b/{GODOT}\n\
         //- Library/PackageCache/c/{UNITY}//- other/game/{GODOT}//- notes.txt\nnothing"
    ));
    let workspace = Workspace::open(ENGINES, &[folder.path("")], Kept::default()).unwrap();
    assert_eq!(
        ids(&workspace),
        ["game unity", "two-game unity", "other-game godot", "level godot"]
    );
    assert!(workspace.named("two-game").unwrap().root.ends_with("two/game"));
    let near = |path: &str| {
        let places = Places { here: Some(folder.path(path)), ..Places::default() };
        ids(&Workspace::find(ENGINES, places, Kept::default()).unwrap())
    };
    assert_eq!(near("clients/one"), ["game unity"]);
    assert!(near("").is_empty(), "a working folder is not searched in depth");
}

#[test]
fn a_broken_project_does_not_hide_the_others() {
    let folder = Folder::files(&format!(
        "//- a/ProjectSettings/ProjectVersion.txt\nnothing\n//- b/{UNITY}//- c/d/x.txt\n"
    ));
    let workspace = Workspace::open(ENGINES, &[folder.path("")], Kept::default()).unwrap();
    assert_eq!(ids(&workspace), ["b unity"]);
    let error =
        Workspace::open(ENGINES, &[folder.path("a")], Kept::default()).unwrap_err().to_string();
    assert!(error.contains("ProjectVersion.txt") && error.contains("m_EditorVersion"), "{error}");
    let error =
        Workspace::open(ENGINES, &[folder.path("c")], Kept::default()).unwrap_err().to_string();
    assert!(error.ends_with("no project was found in the folders below it"), "{error}");
}
