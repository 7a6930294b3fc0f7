//! Assets of Unity that come, move and go: the index follows at once, a batch makes one change of
//! several, and undo brings everything back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::Settings;
use scenewright_toolkit::testing::Bench;
use scenewright_tools::{new_runner, open};
use serde_json::{Value, json};

struct UnitySample {
    folder: Folder,
    bench: Bench,
}

impl UnitySample {
    fn new() -> Self {
        let folder = Folder::copy_of(&sample("unity"));
        let settings = Settings { allow_writes: true, ..Settings::default() };
        let bench = Bench(new_runner(open(&[folder.path("")]).unwrap(), settings, None, &[]));
        Self { folder, bench }
    }

    fn call(&self, tool: &str, arguments: Value) -> Value {
        self.bench.call(tool, arguments).unwrap()
    }

    /// Every file with its content, and every folder.
    fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        let mut tree = BTreeMap::new();
        walk(&self.folder.path("Assets"), &mut tree);
        walk(&self.folder.path("ProjectSettings"), &mut tree);
        walk(&self.folder.path("Packages"), &mut tree);
        tree
    }
}

fn walk(folder: &Path, tree: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            tree.insert(format!("{name}/"), Vec::new());
            walk(&path, tree);
        } else {
            tree.insert(name, fs::read(&path).unwrap());
        }
    }
}

#[test]
fn the_index_follows_what_moved() {
    let unity = UnitySample::new();
    let used = |path: &str| {
        unity.call("asset.usages", json!({ "assetPath": path, "includeObjects": false }))["totalUsages"].clone()
    };
    let before = used("Assets/Materials/Stone.mat");
    unity.call(
        "asset.move",
        json!({ "path": "Assets/Materials", "newPath": "Assets/Art/Surfaces" }),
    );
    assert_eq!(used("Assets/Art/Surfaces/Stone.mat"), before);
    let gone = json!({ "assetPath": "Assets/Materials/Stone.mat" });
    assert_ne!(
        unity.bench.call("asset.info", gone).ok().map(|info| info["path"].clone()),
        Some(json!("Assets/Materials/Stone.mat"))
    );
    let copy = unity.call("asset.duplicate", json!({ "path": "Assets/Art/Surfaces/Stone.mat" }));
    let info = unity.call("asset.info", json!({ "guid": copy["guid"] }));
    assert_eq!(info["path"], "Assets/Art/Surfaces/Stone 1.mat");
}

#[test]
fn everything_comes_back() {
    let unity = UnitySample::new();
    let before = unity.tree();
    let steps = [
        ("asset.move", json!({ "path": "Assets/Scenes", "newPath": "Assets/Levels/All" })),
        (
            "asset.move",
            json!({ "path": "Assets/Data/LanternSettings.asset", "newPath": "Assets/Settings.asset" }),
        ),
        ("asset.duplicate", json!({ "path": "Assets/Prefabs" })),
        ("asset.delete", json!({ "path": "Assets/Prefabs", "references": "leave" })),
        ("asset.createFolder", json!({ "path": "Assets/A/B/C" })),
        ("script.create", json!({ "path": "Assets/A/B/Door.cs" })),
        ("project.writeFile", json!({ "path": "Assets/D/notes.txt", "content": "x" })),
        ("unityPackages.add", json!({ "name": "com.unity.cinemachine", "version": "2.9.7" })),
        ("project.policy.fix", json!({ "policies": { "naming": { "Material": "^M_" } } })),
    ];
    for (tool, arguments) in &steps {
        let written = unity.call(tool, arguments.clone());
        assert!(written["undo"].is_u64() || written["undo"].is_string(), "{tool}: {written}");
    }
    assert_ne!(differing(&before, &unity.tree()), Vec::<&String>::new());
    for (tool, _) in steps.iter().rev() {
        let undone = unity.call("project.undoLast", json!({}));
        assert_eq!(undone["tool"], *tool);
    }
    assert_eq!(differing(&before, &unity.tree()), Vec::<&String>::new());
}

/// What is not the same in two trees.
fn differing<'t>(
    one: &'t BTreeMap<String, Vec<u8>>,
    two: &'t BTreeMap<String, Vec<u8>>,
) -> Vec<&'t String> {
    one.keys().chain(two.keys()).filter(|key| one.get(*key) != two.get(*key)).collect()
}

#[test]
fn a_batch_moves_what_it_made() {
    let unity = UnitySample::new();
    let before = unity.tree();
    let operations = json!([
        { "tool": "asset.createFolder", "args": { "path": "Assets/Empty" } },
        { "tool": "project.writeFile", "args": { "path": "Assets/New/a.txt", "content": "a" } },
        { "tool": "asset.move", "args": { "path": "Assets/New", "newPath": "Assets/Empty/Inner" } },
        { "tool": "asset.move", "args": { "path": "Assets/Materials", "newPath": "Assets/Empty/Materials" } },
        { "tool": "asset.info", "args": { "assetPath": "Assets/Empty/Materials/Stone.mat" } },
    ]);
    unity.call("batch_operations", json!({ "operations": operations }));
    assert_eq!(unity.folder.read("Assets/Empty/Inner/a.txt"), "a");
    assert!(unity.folder.path("Assets/Empty/Inner/a.txt.meta").exists());
    assert!(unity.folder.path("Assets/Empty/Inner.meta").exists());
    assert!(unity.folder.path("Assets/Empty/Materials/Stone.mat").exists());
    assert!(
        !unity.folder.path("Assets/Materials").exists()
            && !unity.folder.path("Assets/New").exists()
    );
    assert!(!unity.folder.path("Assets/New.meta").exists());
    unity.call("project.undoLast", json!({}));
    assert_eq!(differing(&before, &unity.tree()), Vec::<&String>::new());
    let empty = json!([{ "tool": "asset.createFolder", "args": { "path": "Assets/Alone" } }]);
    unity.call("batch_operations", json!({ "operations": empty }));
    assert!(
        unity.folder.path("Assets/Alone").is_dir()
            && unity.folder.path("Assets/Alone.meta").exists()
    );
}
