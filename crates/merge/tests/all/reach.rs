//! Where a change of a prefab or scene arrives, and where something else is said.

use std::path::Path;

use scenewright_fixture::Folder;
use scenewright_merge::diff::diff;
use scenewright_merge::reach::{Reach, of_godot, of_unity};
use scenewright_merge::render::reach_lines;

const LAMP: &str = "1111111111111111111111111111111a";
const ROOM: &str = "1111111111111111111111111111111b";

fn lamp(layer: u32, y: u32) -> String {
    format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {{fileID: 101}}\n  m_Layer: {layer}\n  m_Name: Lamp\n--- !u!4 &101\nTransform:\n  m_GameObject: {{fileID: 100}}\n  m_LocalPosition: {{x: 0, y: {y}, z: 0}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n"
    )
}

/// A file with an instance of a prefab that overrides these properties.
fn holder(id: i64, source: &str, overrides: &[(i64, &str)]) -> String {
    let entries: String = overrides
        .iter()
        .map(|(target, path)| {
            format!("    - target: {{fileID: {target}, guid: {source}, type: 3}}\n      propertyPath: {path}\n      value: 9\n      objectReference: {{fileID: 0}}\n")
        })
        .collect();
    let list = if entries.is_empty() { " []\n".to_owned() } else { format!("\n{entries}") };
    format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &{id}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:{list}    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {source}, type: 3}}\n"
    )
}

/// Where the change from one lamp to another arrives, in a project with these files.
fn reach(files: &[(&str, String)], old: &str, new: &str) -> Reach {
    let folder = Folder::unity("");
    for (number, (path, text)) in files.iter().enumerate() {
        folder.write(path, text);
        folder.write(
            &format!("{path}.meta"),
            format!("guid: 2222222222222222222222222222222{number}\n"),
        );
    }
    folder.write("Assets/Lamp.prefab", new);
    folder.write("Assets/Lamp.prefab.meta", format!("guid: {LAMP}\n"));
    let is_room = |path: &&(&str, String)| path.0 == "Assets/Room.prefab";
    if files.iter().any(|file| is_room(&file)) {
        folder.write("Assets/Room.prefab.meta", format!("guid: {ROOM}\n"));
    }
    let index = scenewright_unity::index::Index::build(folder.root(), None, &()).unwrap();
    let path = "Assets/Lamp.prefab";
    let differences = diff(Path::new(path), old.as_bytes(), new.as_bytes(), &|_| None).unwrap();
    of_unity(&index, path, &differences).unwrap()
}

#[test]
fn a_change_of_a_prefab_reaches_scenes_through_other_prefabs() {
    let files = [
        ("Assets/A.unity", holder(7, LAMP, &[])),
        ("Assets/Room.prefab", holder(50, LAMP, &[])),
        ("Assets/B.unity", holder(8, ROOM, &[])),
        ("Assets/C.unity", lamp(0, 0)),
    ];
    let reach = reach(&files, &lamp(0, 1), &lamp(5, 1));
    assert_eq!(
        reach_lines(&reach, false),
        ["reaches 3 files: Assets/A.unity, Assets/B.unity, Assets/Room.prefab"]
    );
}

#[test]
fn what_instances_override_does_not_show_there() {
    // In the room the lamp's object has another id: that of the instance and its own, by exclusive or.
    let inner = 50 ^ 100;
    let files = [
        ("Assets/A.unity", holder(7, LAMP, &[(100, "m_Layer")])),
        ("Assets/Room.prefab", holder(50, LAMP, &[])),
        ("Assets/B.unity", holder(8, ROOM, &[(inner, "m_Layer")])),
        ("Assets/C.unity", holder(8, ROOM, &[(inner, "m_Name")])),
    ];
    let one = reach(&files, &lamp(0, 1), &lamp(5, 1));
    assert_eq!(
        reach_lines(&one, false),
        [
            "reaches 2 files: Assets/C.unity, Assets/Room.prefab",
            "does not show in, for all of it is overridden there: Assets/A.unity, Assets/B.unity"
        ]
    );
    // With a second change each file is reached, without what it overrides.
    let two = reach(&files, &lamp(0, 1), &lamp(5, 2));
    assert!(two.files.iter().all(|file| file.arrives), "{two:?}");
    assert_eq!(
        reach_lines(&two, false)[1],
        "overridden in: Assets/A.unity (Lamp m_Layer), Assets/B.unity (Lamp m_Layer)"
    );
}

#[test]
fn of_a_vector_the_parts_count_that_changed() {
    let overriding = |part: &str| [("Assets/A.unity", holder(7, LAMP, &[(101, part)]))];
    let arrives = |part: &str| reach(&overriding(part), &lamp(0, 1), &lamp(0, 2)).files[0].arrives;
    assert!(!arrives("m_LocalPosition.y"));
    assert!(arrives("m_LocalPosition.x"));
}

#[test]
fn a_prefab_that_holds_itself_comes_to_an_end() {
    let files = [("Assets/Room.prefab", holder(50, LAMP, &[]) + &tail(ROOM))];
    assert_eq!(reach(&files, &lamp(0, 1), &lamp(5, 1)).files.len(), 1);
}

fn tail(source: &str) -> String {
    let whole = holder(51, source, &[]);
    whole[whole.find("---").unwrap()..].to_owned()
}

const DOOR: &str = "[gd_scene format=3]\n\n[node name=\"Door\" type=\"Node2D\"]\nrotation = 0.0\n\n[node name=\"Knob\" type=\"Node2D\" parent=\".\"]\nrotation = 1.0\n";

fn instancing(path: &str, root: bool, rest: &str) -> String {
    let node = match root {
        true => "[node name=\"Other\" instance=ExtResource(\"1\")]\n".to_owned(),
        false => "[node name=\"Main\" type=\"Node2D\"]\n\n[node name=\"It\" parent=\".\" instance=ExtResource(\"1\")]\n".to_owned(),
    };
    format!(
        "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{path}\" id=\"1\"]\n\n{node}{rest}"
    )
}

#[test]
fn a_change_of_a_scene_reaches_those_that_instance_or_inherit_it() {
    let folder = Folder::empty();
    folder.write("project.godot", "config_version=5\n");
    let new = DOOR.replace("rotation = 1.0", "rotation = 2.0");
    folder.write("door.tscn", &new);
    folder.write("inherits.tscn", instancing("door.tscn", true, ""));
    folder.write("holds.tscn", instancing("inherits.tscn", false, ""));
    folder.write(
        "other.tscn",
        instancing(
            "door.tscn",
            false,
            "\n[node name=\"Knob\" parent=\"It\"]\nrotation = 3.0\n\n[editable path=\"It\"]\n",
        ),
    );
    folder.write("none.tscn", DOOR);
    let index = scenewright_godot::Index::build(folder.root(), None);
    let differences = diff(Path::new("door.tscn"), DOOR.as_bytes(), new.as_bytes(), &|_| None);
    let reach = of_godot(&index, "door.tscn", &differences.unwrap()).unwrap();
    assert_eq!(
        reach_lines(&reach, false),
        [
            "reaches 2 files: holds.tscn, inherits.tscn",
            "does not show in, for all of it is overridden there: other.tscn"
        ]
    );
}
