//! Instances of models as wholes, beside other objects: moved, copied, named, counted.

use serde_json::{Value, json};

use crate::testing::{Site, bench_on, portrait};

const SCENE: &str = "Assets/Main.unity";
const MODEL: &str = "0123456789abcdef0123456789abcdef";

/// An object with its transform, of id `id + 1`.
fn object(id: i64, name: &str, children: &[i64], father: i64, number: usize) -> String {
    let listed: String = children.iter().map(|id| format!("\n  - {{fileID: {id}}}")).collect();
    let listed = if children.is_empty() { " []".to_owned() } else { listed };
    format!(
        "--- !u!1 &{id}\nGameObject:\n  m_ObjectHideFlags: 0\n  m_Component:\n  - component: {{fileID: {transform}}}\n  m_Layer: 0\n  m_Name: {name}\n  m_TagString: Untagged\n  m_IsActive: 1\n--- !u!4 &{transform}\nTransform:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {id}}}\n  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}\n  m_LocalPosition: {{x: 1, y: 0, z: 0}}\n  m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_Children:{listed}\n  m_Father: {{fileID: {father}}}\n  m_RootOrder: {number}\n  m_LocalEulerAnglesHint: {{x: 0, y: 0, z: 0}}\n",
        transform = id + 1
    )
}

/// An instance of the model; its transform is of id `id + 1`.
fn model(id: i64, name: &str, father: i64, number: usize) -> String {
    let (object, transform) = (919132149155446097_i64, -8679921383154817045_i64);
    let entry = |target: i64, path: &str, value: &str| {
        format!(
            "    - target: {{fileID: {target}, guid: {MODEL}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"
        )
    };
    let mut list = entry(object, "m_Name", name);
    list += &entry(transform, "m_RootOrder", &number.to_string());
    for (path, value) in [("Position.x", 2), ("Position.y", 0), ("Position.z", 0)] {
        list += &entry(transform, &format!("m_Local{path}"), &value.to_string());
    }
    for (path, value) in [("w", 1), ("x", 0), ("y", 0), ("z", 0)] {
        list += &entry(transform, &format!("m_LocalRotation.{path}"), &value.to_string());
    }
    let stands = match father {
        0 => String::new(),
        _ => format!(
            "--- !u!4 &{} stripped\nTransform:\n  m_CorrespondingSourceObject: {{fileID: {transform}, guid: {MODEL}, type: 3}}\n  m_PrefabInstance: {{fileID: {id}}}\n  m_PrefabAsset: {{fileID: 0}}\n",
            id + 1
        ),
    };
    format!(
        "--- !u!1001 &{id}\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n  m_Modification:\n    m_TransformParent: {{fileID: {father}}}\n    m_Modifications:\n{list}    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {MODEL}, type: 3}}\n{stands}"
    )
}

/// Light, Trees with two models and a bush, and a model as a root.
fn site() -> Site {
    let scene = [
        object(10, "Light", &[], 0, 0),
        object(20, "Trees", &[31, 41, 51], 0, 1),
        model(30, "Oak", 21, 0),
        model(40, "Elm", 21, 1),
        object(50, "Bush", &[], 21, 2),
        model(60, "Cup", 0, 2),
        object(70, "Last", &[], 0, 3),
    ];
    bench_on(&format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2021.3.6f1\n//- Assets/Tree.fbx\nKaydara\n//- Assets/Tree.fbx.meta\nguid: {MODEL}\n//- {SCENE}\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{}//- {SCENE}.meta\nguid: 1123456789abcdef0123456789abcdef\n",
        scene.concat()
    ))
}

fn edit(site: &Site, change: Value) {
    let input = json!({ "path": SCENE, "changes": [change] });
    site.call("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
}

/// The paths of the objects.
fn shown(site: &Site) -> Vec<String> {
    let lines = portrait(site, SCENE).into_iter();
    let objects = lines.filter(|line| !line.contains(" m_") && !line.contains(" 0:"));
    objects.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
}

/// The numbers of places, in the order of the file.
fn numbers(site: &Site) -> Vec<String> {
    let text = std::fs::read_to_string(site.path(SCENE)).unwrap();
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(number) = line.strip_prefix("  m_RootOrder: ") {
            found.push(number.to_owned());
        } else if line.ends_with("propertyPath: m_RootOrder") {
            let value = lines.next().and_then(|line| line.trim().strip_prefix("value: "));
            found.push(format!("model {}", value.unwrap_or_default()));
        }
    }
    found
}

#[test]
fn models_in_an_object_that_goes_are_lifted_with_its_other_children() {
    let site = site();
    let input = json!({ "scenePath": SCENE, "hierarchyPath": "Trees", "includeChildren": false });
    site.call("go.delete", input).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(shown(&site), ["Light", "Cup", "Last", "Oak", "Elm", "Bush"]);
    // They stay where they were in the world.
    let text = std::fs::read_to_string(site.path(SCENE)).unwrap();
    assert_eq!(text.matches("m_LocalPosition.x\n      value: 3\n").count(), 2, "{text}");
    assert_eq!(numbers(&site), ["0", "model 3", "model 4", "5", "model 1", "2"]);
}

#[test]
fn what_cannot_be_lifted_is_not_deleted() {
    let site = site();
    let text = std::fs::read_to_string(site.path(SCENE)).unwrap();
    // Of the source of this one nothing is there.
    let (before, oak) = text.split_once("--- !u!1001 &30").unwrap();
    let (oak, after) = oak.split_once("--- !u!1001 &40").unwrap();
    let oak = oak.replace(MODEL, "3123456789abcdef0123456789abcdef");
    let text = format!("{before}--- !u!1001 &30{oak}--- !u!1001 &40{after}");
    std::fs::write(site.path(SCENE), &text).unwrap();
    let input = json!({ "scenePath": SCENE, "hierarchyPath": "Trees", "includeChildren": false });
    let error = site.call("go.delete", input).unwrap_err();
    assert!(error.message.contains("cannot be looked into"), "{error:?}");
    assert_eq!(std::fs::read_to_string(site.path(SCENE)).unwrap(), text);
}

#[test]
fn roots_that_are_models_are_numbered_with_the_others() {
    let site = site();
    edit(&site, json!({ "op": "create", "name": "First", "index": 0 }));
    assert_eq!(
        shown(&site),
        ["First", "Light", "Trees", "Trees/Oak", "Trees/Elm", "Trees/Bush", "Cup", "Last"]
    );
    let first = ["0", "1", "2", "model 0", "model 1", "2", "model 3", "4"];
    let mut now = numbers(&site);
    now.sort_unstable();
    let mut first = first.map(str::to_owned).to_vec();
    first.sort_unstable();
    assert_eq!(now, first);
}

#[test]
fn instances_of_models_are_renamed_moved_and_duplicated_as_wholes() {
    let site = site();
    edit(&site, json!({ "op": "rename", "object": "Trees/Oak", "name": "Ash" }));
    edit(&site, json!({ "op": "duplicate", "object": "Trees/Ash" }));
    edit(
        &site,
        json!({ "op": "reparent", "object": "Trees/Elm", "parent": "", "keepWorld": false }),
    );
    edit(&site, json!({ "op": "reparent", "object": "Cup", "parent": "Light" }));
    edit(&site, json!({ "op": "set", "object": "Elm", "field": "m_IsActive", "value": false }));
    let expected =
        ["Light", "Light/Cup", "Trees", "Trees/Ash", "Trees/Ash (1)", "Trees/Bush", "Last", "Elm"];
    assert_eq!(shown(&site), expected);
    let mut now = numbers(&site);
    now.sort_unstable();
    assert_eq!(now, ["0", "1", "2", "2", "model 0", "model 0", "model 1", "model 3"]);
    let text = std::fs::read_to_string(site.path(SCENE)).unwrap();
    assert_eq!(text.matches("propertyPath: m_IsActive").count(), 1);
    assert_eq!(text.matches("m_LocalPosition.x\n      value: 1\n").count(), 1, "the cup: {text}");
}

#[test]
fn a_model_of_unknown_size_is_not_put_where_its_size_would_have_to_change() {
    let site = site();
    edit(
        &site,
        json!({ "op": "set", "object": "Light", "component": "Transform", "field": "localScale", "value": [2, 2, 2] }),
    );
    let change = json!({ "op": "reparent", "object": "Cup", "parent": "Light" });
    let error = site.call("unity.edit", json!({ "path": SCENE, "changes": [change] })).unwrap_err();
    assert!(error.message.contains("how large Cup is cannot be read"), "{error:?}");
}

#[test]
fn an_object_that_becomes_a_prefab_keeps_its_place_and_moves_nobody() {
    for (object, expected) in [("Trees/Bush", "2"), ("Light", "0"), ("Last", "3")] {
        let site = site();
        let (before, all) = (shown(&site), numbers(&site));
        let input = json!({ "scenePath": SCENE, "hierarchyPath": object, "prefabPath": "Assets/New.prefab" });
        site.call("prefab.create", input).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(shown(&site), before, "{object}");
        let (mut now, mut all) = (numbers(&site), all);
        let at = all.iter().position(|number| number == expected).unwrap();
        all[at] = format!("model {expected}");
        now.sort_unstable();
        all.sort_unstable();
        assert_eq!(now, all, "{object}");
    }
}
