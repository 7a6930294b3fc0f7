//! `[protect]` of a project, and files that version control made read-only, through every way to write.

use std::process::Output;

use scenewright_fixture::{Folder, copy, sample};
use serde_json::{Value, json};

use super::{command, stderr, stdout};

/// A copy of the Unity sample that protects its prefabs.
fn project() -> Folder {
    let folder = Folder::empty();
    copy(&sample("unity"), folder.root());
    folder.write("scenewright.toml", "[protect]\npaths = [\"Assets/Prefabs\"]\n");
    folder
}

fn call(folder: &Folder, tool: &str, arguments: Value) -> Output {
    let mut call = command(folder.root());
    call.args(["call", tool, "--allow-writes", "--json"]).arg(arguments.to_string());
    call.output().unwrap()
}

/// The error of a call, which changes nothing.
fn refused(folder: &Folder, tool: &str, arguments: Value) -> Value {
    let lantern = || std::fs::read(folder.path("Assets/Prefabs/Lantern.prefab")).unwrap();
    let before = lantern();
    let output = call(folder, tool, arguments);
    assert_eq!(output.status.code(), Some(1), "{tool}: {}", stdout(&output));
    assert_eq!(lantern(), before, "{tool}");
    let error: Value = serde_json::from_str(&stderr(&output)).unwrap();
    error["error"].clone()
}

#[test]
fn no_tool_changes_what_the_project_protects() {
    let folder = project();
    let prefab = "Assets/Prefabs/Lantern.prefab";
    let edit = json!({ "path": prefab, "changes": [
        { "op": "set", "object": "Lantern/Flame", "component": "Light", "field": "intensity", "value": 9 }] });
    let batch = json!({ "operations": [
        { "tool": "project.writeFile", "arguments": { "path": "Assets/new.txt", "content": "x" } },
        { "tool": "unity.edit", "arguments": edit },
    ] });
    let dry = json!({ "path": prefab, "changes": edit["changes"], "dryRun": true });
    let at = json!({ "assetPath": prefab, "references": "leave" });
    for (tool, arguments) in [
        ("unity.edit", edit),
        ("unity.edit", dry),
        ("asset.delete", at),
        ("asset.move", json!({ "assetPath": prefab, "newPath": "Assets/Lantern.prefab" })),
        ("project.writeFile", json!({ "path": "Assets/Prefabs/new.txt", "content": "x" })),
        ("project.batch", batch),
    ] {
        let error = refused(&folder, tool, arguments);
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains(
                "is protected by `Assets/Prefabs` in [protect] paths of scenewright.toml"
            ),
            "{tool}: {error}"
        );
    }
    assert!(!folder.path("Assets/new.txt").exists(), "a batch writes all or nothing");
    let own = json!({ "path": "scenewright.toml", "content": "" });
    let error = refused(&folder, "project.writeFile", own);
    assert!(error["message"].as_str().unwrap().contains("it says what is protected"), "{error}");

    let free = json!({ "path": "Assets/new.txt", "content": "x" });
    assert_eq!(call(&folder, "project.writeFile", free).status.code(), Some(0));
}

/// As Perforce, Unity Version Control with locks, and Subversion with `svn:needs-lock` leave files.
#[test]
fn a_read_only_file_is_to_be_checked_out() {
    let folder = Folder::empty();
    copy(&sample("unity"), folder.root());
    let file = folder.path("Assets/Prefabs/Lantern.prefab");
    let mut permissions = std::fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions).unwrap();
    let edit = json!({ "path": "Assets/Prefabs/Lantern.prefab", "dryRun": true, "changes": [
        { "op": "set", "object": "Lantern/Flame", "component": "Light", "field": "intensity", "value": 9 }] });
    let error = refused(&folder, "unity.edit", edit);
    assert_eq!(error["message"], "Assets/Prefabs/Lantern.prefab is read-only");
    assert!(error["hint"].as_str().unwrap().contains("check it out"), "{error}");
}
