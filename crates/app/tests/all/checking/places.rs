//! Where a check looks: paths in every spelling, projects deep in a repository, addons and packages that
//! have no project around them.

use super::*;

const GODOT: &str = "\
//- project.godot
config_version=5
//- maps/cave/cave.tscn
[gd_scene format=3]
[ext_resource type=\"PackedScene\" path=\"res://maps/gone.tscn\" id=\"1\"]
[node name=\"Cave\" type=\"Node2D\"]
[node name=\"Gone\" parent=\".\" instance=ExtResource(\"1\")]
//- maps/town.tscn
[gd_scene format=3]
[node name=\"Town\" type=\"Node2D\"]
";

fn json(folder: &Path, args: &[&str]) -> (Vec<String>, String) {
    files(&check(folder, &[args, &["--format", "json"]].concat()))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn paths_are_taken_as_every_tool_takes_them() {
    let folder = Folder::files(GODOT);
    for path in ["maps/cave", "./maps/cave", "res://maps/cave", "maps/cave/**", "**/cave.tscn"] {
        assert_eq!(json(folder.root(), &[path]).0, ["maps/cave/cave.tscn"], "{path}");
    }
    assert_eq!(json(folder.root(), &["res://maps/town.tscn"]).0, [""; 0]);
    assert_eq!(json(&folder.path("maps"), &["cave"]).0, ["maps/cave/cave.tscn"]);
    assert_eq!(json(&folder.path("maps"), &["*.tscn"]).0, [""; 0]);
    for wrong in ["nowhere", "maps/*.scn", "../x", "res://maps/cav"] {
        let output = check(folder.root(), &[wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    let near = said(&check(folder.root(), &["res://maps/cav"]));
    assert!(near.contains("res://maps/cav is not there"), "{near}");
    assert!(near.contains("did you mean maps/cave?"), "{near}");
}

#[test]
fn the_tool_says_so_when_a_path_leads_to_nothing() {
    let folder = Folder::files(GODOT);
    let call = |path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
        let arguments = serde_json::json!({ "paths": [path] }).to_string();
        command.current_dir(folder.root()).args(["call", "project_check", "--json", &arguments]);
        command.env("XDG_CACHE_HOME", folder.path("cache")).env("HOME", folder.root());
        command.output().unwrap()
    };
    for path in ["maps/cave", "res://maps/cave", "maps/cave/*.tscn", "./maps/cave"] {
        let answer: Value = serde_json::from_slice(&call(path).stdout).unwrap();
        assert_eq!(answer["errors"], 1, "{path}: {answer:#}");
    }
    for path in ["nonexistent/folder", "../x", "maps/*.scn", ".godot"] {
        let output = call(path);
        assert_eq!(output.status.code(), Some(1), "{path}: {}", text(&output));
    }
}

#[test]
fn a_repository_of_projects_is_checked_whole() {
    let folder = Folder::empty();
    for (name, text) in scenewright_fixture::files(GODOT) {
        folder.write(&format!("near/{name}"), text);
        folder.write(&format!("a/b/c/deep/{name}"), text);
    }
    let near = check(folder.root(), &["--format", "json"]);
    assert_eq!(files(&near).0, ["maps/cave/cave.tscn"]);
    assert!(
        said(&near).contains("1 more project deeper in this folder; --project ."),
        "{}",
        said(&near)
    );
    let both = ["deep/maps/cave/cave.tscn", "near/maps/cave/cave.tscn"];
    assert_eq!(json(folder.root(), &["--project", "."]).0, both);
    std::fs::create_dir(folder.path(".git")).unwrap();
    let whole = check(folder.root(), &["--format", "json"]);
    assert_eq!((files(&whole).0, said(&whole)), (both.map(str::to_owned).to_vec(), String::new()));
    // A path is about its own project alone.
    assert_eq!(json(folder.root(), &["a/b"]).0, ["maps/cave/cave.tscn"]);
}

/// An addon that needs a file of its own that is gone, one of the project around it, and classes that
/// only that has.
const ADDON: &str = "\
//- addons/dialog/plugin.cfg
[plugin]
name=\"Dialog\"
script=\"plugin.gd\"
//- addons/dialog/plugin.gd
@tool
extends EditorPlugin
const OWN = preload(\"res://addons/dialog/gone.gd\")
const THEIRS = preload(\"res://game/player.gd\")
//- addons/dialog/box.tscn
[gd_scene format=3]
[ext_resource type=\"Script\" path=\"res://addons/dialog/box.gd\" id=\"1\"]
[node name=\"Box\" type=\"Node2D\"]
script = ExtResource(\"1\")
//- addons/dialog/box.gd
extends GameBox
";

#[test]
fn an_addon_is_checked_without_a_project() {
    let folder = Folder::files(ADDON);
    let output = check(folder.root(), &["--format", "json"]);
    assert_eq!(files(&output), (vec!["addons/dialog/plugin.gd".to_owned()], "error".to_owned()));
    let report = text(&output);
    assert!(report.contains("addons/dialog/gone.gd"), "{report}");
    assert!(report.contains("this is an addon without a project around it"), "{report}");
    assert!(report.contains("1 reference leads to a file that a project"), "{report}");
    assert!(!report.contains("\"vendored\""), "it is the repository's own: {report}");
    // What only a project around it would tell is a remark.
    let all = json(folder.root(), &["--all"]).0;
    assert_eq!(all, ["addons/dialog/box.gd", "addons/dialog/plugin.gd", "addons/dialog/plugin.gd"]);
    // From inside it is the same.
    assert_eq!(json(&folder.path("addons/dialog"), &[]).0, ["addons/dialog/plugin.gd"]);
    folder.write("addons/dialog/gone.gd", "extends Node\n");
    assert_eq!(check(folder.root(), &["--fail-on", "warning"]).status.code(), Some(0));
    std::fs::remove_file(folder.path("addons/dialog/plugin.gd")).unwrap();
    assert_eq!(json(folder.root(), &[]).0, ["addons/dialog/plugin.cfg"]);
}

#[test]
fn an_addon_that_is_a_repository_itself_knows_its_place() {
    let folder = Folder::empty();
    for (name, text) in scenewright_fixture::files(ADDON) {
        folder.write(name.strip_prefix("addons/dialog/").unwrap(), text);
    }
    let report = text(&check(folder.root(), &["--format", "json"]));
    assert_eq!(json(folder.root(), &[]).0, ["plugin.gd"], "{report}");
    assert!(report.contains("res://addons/dialog/gone.gd"), "{report}");
}

const PACKAGE: &str = "\
//- package.json
{ \"name\": \"com.example.doors\", \"version\": \"1.0.0\", \"unity\": \"2021.3\" }
//- package.json.meta
guid: abc00000000000000000000000000001
//- Runtime.meta
guid: abc00000000000000000000000000002
folderAsset: yes
//- Runtime/Door.cs
public class Door : UnityEngine.MonoBehaviour { public UnityEngine.Object part; }
//- Runtime/Door.cs.meta
guid: abc00000000000000000000000000003
//- Runtime/Door.asset
%YAML 1.1
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: abc00000000000000000000000000003, type: 3}
  m_Name: Door
  part: {fileID: 11400000, guid: abc0000000000000000000000000dead, type: 2}
  other: {fileID: 7}
//- Runtime/Door.asset.meta
guid: abc00000000000000000000000000004
NativeFormatImporter:
//- README.md
Doors.
//- Samples~/One.cs
class One {}
";

#[test]
fn a_package_is_checked_without_a_project() {
    let folder = Folder::files(PACKAGE);
    let output = check(folder.root(), &["--format", "json"]);
    // What is outside of the package is not judged: only the object that its own file lacks.
    assert_eq!(files(&output).0, ["README.md", "Runtime/Door.asset"], "{}", text(&output));
    let report = text(&output);
    assert!(report.contains("Door.other is missing: the object is not in the file"), "{report}");
    assert!(!report.contains("Door.part"), "{report}");
    assert!(report.contains("this is a package without a project around it"), "{report}");
    // Our own files beside it are no assets of it.
    assert_eq!(check(folder.root(), &["--write-baseline"]).status.code(), Some(0));
    assert_eq!(json(folder.root(), &[]).0, [""; 0]);
    // Packages of other programs are none.
    folder.write("package.json", "{ \"name\": \"doors\", \"version\": \"1.0.0\" }");
    assert_eq!(check(folder.root(), &[]).status.code(), Some(2));
}

#[test]
fn a_script_of_a_package_that_is_not_here_is_told_once() {
    let object = |id: u32, name: &str| {
        format!(
            "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {id}1}}\n  - component: {{fileID: {id}2}}\n  m_Name: {name}\n\
             --- !u!4 &{id}1\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n\
             --- !u!114 &{id}2\nMonoBehaviour:\n  m_GameObject: {{fileID: {id}}}\n  m_Script: {{fileID: 11500000, guid: abc0000000000000000000000000dead, type: 3}}\n  m_Name: \n  health: 3\n  speed: 1\n"
        )
    };
    let folder = Folder::files(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n//- Packages/manifest.json\n{\"dependencies\": {\"com.example.tools\": \"1.0.0\"}}\n",
    );
    for (file, names) in [("A", ["Orc", "Elf"]), ("B", ["Bat", "Cat"])] {
        let objects: String = (1..).zip(names).map(|(id, name)| object(id, name)).collect();
        folder.write(&format!("Assets/{file}.unity"), format!("%YAML 1.1\n{objects}"));
        folder.write(
            &format!("Assets/{file}.unity.meta"),
            format!("guid: abc0000000000000000000000000000{file}\n"),
        );
    }
    let output = check(folder.root(), &["--each"]);
    let told = text(&output);
    let wanted = "no script has the guid abc0000000000000000000000000dead; it may be in com.example.tools, which is not here; saved fields: health, speed; in 4 places of 2 files (Orc, Elf, Bat and 1 more)";
    assert!(told.contains(wanted), "{told}");
    assert_eq!(told.matches("unknown-script]").count(), 1, "{told}");
    // A part of the project tells of its own places.
    assert!(
        text(&check(folder.root(), &["Assets/B.unity"]))
            .contains("in 2 places of 1 file (Bat, Cat)")
    );
}

#[test]
fn code_of_others_comes_last() {
    let folder = Folder::files(GODOT);
    let cave = folder.read("maps/cave/cave.tscn");
    folder.write("addons/a/one.tscn", cave.replace("gone", "lost"));
    folder.write("addons/a/two.tscn", cave.replace("gone", "lost"));
    let told = text(&check(folder.root(), &[]));
    let (own, others) = told.split_once("\nIn addons, plugins and packages:\n").unwrap();
    assert!(
        own.starts_with("error maps/cave/cave.tscn:2: `res://maps/gone.tscn` is not there"),
        "{told}"
    );
    assert!(
        others.contains("addons/a/one.tscn") && others.contains("2 times in 2 files"),
        "{told}"
    );
}

#[test]
fn one_conflict_marker_alone_is_told() {
    let folder = Folder::files(PROJECT);
    let text = folder.read("Assets/A/One.mat");
    for marker in ["<<<<<<< HEAD", "=======", ">>>>>>> other"] {
        folder.write(
            "Assets/A/One.mat",
            text.replace("Material:\n", &format!("Material:\n{marker}\n")),
        );
        let output = super::text(&check(folder.root(), &["Assets/A"]));
        assert!(output.contains("[merge-conflict]"), "{marker}: {output}");
    }
    let godot = Folder::files(GODOT);
    let scene = godot.read("maps/town.tscn");
    godot.write("maps/town.tscn", scene.replace("[node", "<<<<<<< HEAD\n[node"));
    assert_eq!(check(godot.root(), &["maps/town.tscn"]).status.code(), Some(1));
}
