//! Which resources of a Godot project are no longer as they were.

use std::collections::BTreeSet;

use scenewright_godot::{ChangeKind, FileKind, Index};

use super::PREFIX;
use crate::base::GodotProject;

/// What happened to the resources of a project.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The URIs of resources that changed, sorted.
    pub uris: Vec<String>,
    /// Whether the list of resources is another one.
    pub list: bool,
}

/// Scenes that are looked at for what a change of one of them changes.
const MAX_USERS: usize = 1000;

/// Tell what the changes of a project change that its index has learnt of; nothing when no index has
/// been opened, so that there is nothing to compare with. `since` is the generation of the store that
/// was told last, 1 at first; it becomes the current one.
pub fn changed(godot: &GodotProject, since: &mut u64) -> Option<Changed> {
    let store = godot.open_store()?;
    let index = store.index();
    let found = store.changes_since(*since);
    *since = found.now;
    let mut uris = BTreeSet::new();
    for change in &found.changes {
        uris.extend(uris_of(&change.path));
        if FileKind::of_path(&change.path) == FileKind::Scene {
            uris.extend(scenes_with(&index, &change.path).iter().flat_map(|path| tree_uris(path)));
        }
    }
    let list = found.changes.iter().any(|change| change.kind != ChangeKind::Modified);
    Some(Changed { uris: uris.into_iter().collect(), list })
}

/// The scenes that have nodes of a scene, by instance or inheritance, however far.
fn scenes_with(index: &Index, path: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop().filter(|_| found.len() < MAX_USERS) {
        let users = index.users(&path).filter(|(user, _)| user.kind == FileKind::Scene);
        for user in users.map(|(user, _)| &user.path) {
            if found.insert(user.clone()) {
                open.push(user.clone());
            }
        }
    }
    found
}

/// The URIs of what a file shows in.
fn uris_of(path: &str) -> Vec<String> {
    let lists = |names: &[&str]| names.iter().map(|name| format!("{PREFIX}{name}")).collect();
    match FileKind::of_path(path) {
        FileKind::Scene => {
            [spellings("scene", path, ""), tree_uris(path), lists(&["scenes"])].concat()
        }
        FileKind::Script | FileKind::CSharp => {
            [spellings("script", path, ""), lists(&["scripts", "script/errors"])].concat()
        }
        FileKind::Resource => lists(&["resources", "assets"]),
        FileKind::Other | FileKind::Shader => lists(&["assets"]),
        FileKind::Settings if path == "project.godot" => {
            lists(&["project/info", "project/settings", "system/version"])
        }
        FileKind::Settings if path == "export_presets.cfg" => lists(&["export/presets"]),
        _ => Vec::new(),
    }
}

fn tree_uris(path: &str) -> Vec<String> {
    spellings("scene", path, "/tree")
}

/// A template that is filled by the book has its slashes escaped; people write them as they are.
fn spellings(form: &str, path: &str, tail: &str) -> Vec<String> {
    let escaped = path.replace('%', "%25").replace('/', "%2F").replace(' ', "%20");
    let mut uris = vec![format!("{PREFIX}{form}/{path}{tail}")];
    if escaped != path {
        uris.push(format!("{PREFIX}{form}/{escaped}{tail}"));
    }
    uris
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::first;
    use crate::testing::{self, GodotSample};

    #[test]
    fn a_change_shows_in_the_file_its_lists_and_the_scenes_around_it() {
        let sample = GodotSample::<testing::None>::new();
        let workspace = sample.runner().workspace();
        let (_, godot) = first(&workspace).unwrap();
        let refresh = |godot: &GodotProject, since: &mut u64| {
            godot.open_store().map(|store| store.rebuild());
            changed(godot, since)
        };
        let mut since = 1;
        assert_eq!(refresh(godot, &mut since), None);
        godot.store();
        assert_eq!(refresh(godot, &mut since), Some(Changed::default()));
        sample.write(
            "scenes/coin.tscn",
            "[gd_scene format=3]\n\n[node name=\"Coin\" type=\"Area2D\"]\n",
        );
        let changed = refresh(godot, &mut since).unwrap();
        assert_eq!(
            changed.uris,
            [
                "godot://scene/scenes%2Fcoin.tscn",
                "godot://scene/scenes%2Fcoin.tscn/tree",
                "godot://scene/scenes%2Fmain.tscn/tree",
                "godot://scene/scenes/coin.tscn",
                "godot://scene/scenes/coin.tscn/tree",
                "godot://scene/scenes/main.tscn/tree",
                "godot://scenes",
            ]
        );
        assert!(!changed.list);
        sample.write("new.gd", "extends Node\n");
        let changed = refresh(godot, &mut since).unwrap();
        assert_eq!(
            changed.uris,
            ["godot://script/errors", "godot://script/new.gd", "godot://scripts"]
        );
        assert!(changed.list);
        assert_eq!(refresh(godot, &mut since), Some(Changed::default()));
    }
}
