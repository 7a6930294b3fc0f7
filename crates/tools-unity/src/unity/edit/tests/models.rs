//! Parts of models: no text has their objects, and a file knows those that it says something of.

use expect_test::expect;
use serde_json::{Value, json};

use crate::testing::{bench_on, lines_of};

/// An instance of a model: its root, the transform of that, a renderer that is referred to, and one of
/// which only an override is known.
const TREE: &str = r#"
//- Assets/Tree.fbx
Kaydara
//- Assets/Tree.fbx.meta
guid: 0123456789abcdef0123456789abcdef
//- Assets/Main.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1001 &500
PrefabInstance:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: 0}
    m_Modifications:
    - target: {fileID: -8679921383154817045, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_LocalPosition.x
      value: 3
      objectReference: {fileID: 0}
    - target: {fileID: -4216859302048453862, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_LocalScale.x
      value: 2
      objectReference: {fileID: 0}
    - target: {fileID: 919132149155446097, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_Name
      value: Oak
      objectReference: {fileID: 0}
    m_RemovedComponents: []
    m_RemovedGameObjects: []
    m_AddedGameObjects: []
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}
--- !u!23 &501 stripped
MeshRenderer:
  m_CorrespondingSourceObject: {fileID: -1504981713932161579, guid: 0123456789abcdef0123456789abcdef, type: 3}
  m_PrefabInstance: {fileID: 500}
  m_PrefabAsset: {fileID: 0}
--- !u!1660057539 &9223372036854775807
SceneRoots:
  m_Roots:
  - {fileID: 500}
//- Assets/Main.unity.meta
guid: 1123456789abcdef0123456789abcdef
"#;

/// The lines that a value changes, or why it cannot be set.
fn set(component: Value, field: &str, value: Value) -> String {
    let change = json!({ "op": "set", "object": "Oak", "component": component, "field": field, "value": value });
    let input = json!({ "path": "Assets/Main.unity", "changes": [change] });
    match bench_on(TREE).call("unity.edit", input) {
        Ok(output) => lines_of(output["changes"][0]["diff"].as_str().unwrap_or_default()),
        Err(error) => format!("{}; {}\n", error.message, error.hint.unwrap_or_default()),
    }
}

#[test]
fn parts_that_the_file_knows_take_values() {
    expect![[r#"
        Assets/Main.unity
        +    - target: {fileID: 919132149155446097, guid: 0123456789abcdef0123456789abcdef, type: 3}
        +      propertyPath: m_IsActive
        +      value: 0
        +      objectReference: {fileID: 0}
    "#]]
    .assert_eq(&set(Value::Null, "m_IsActive", json!(false)));
    expect![[r#"
        Assets/Main.unity
        +    - target: {fileID: -1504981713932161579, guid: 0123456789abcdef0123456789abcdef, type: 3}
        +      propertyPath: m_CastShadows
        +      value: 0
        +      objectReference: {fileID: 0}
    "#]].assert_eq(&set(json!("MeshRenderer"), "m_CastShadows", json!("Off")));
    expect![[r#"
        Assets/Main.unity
        +    - target: {fileID: -8679921383154817045, guid: 0123456789abcdef0123456789abcdef, type: 3}
        +      propertyPath: m_LocalPosition.y
        +      value: 1.5
        +      objectReference: {fileID: 0}
    "#]].assert_eq(&set(
        json!("#-8679921383154817045"),
        "m_LocalPosition.y",
        json!(1.5),
    ));
}

#[test]
fn parts_that_it_does_not_know_are_refused_with_those_it_does() {
    expect![[r#"
        change 1 (set): Oak cannot be looked into: the source is a model, whose objects only the importer knows; the file does not know Light in it; name one as component: #-8679921383154817045 (Transform: m_LocalPosition); #-4216859302048453862 (Transform: m_LocalScale); #919132149155446097 (GameObject: m_Name); #-1504981713932161579 (MeshRenderer)
    "#]].assert_eq(&set(json!("Light"), "m_Intensity", json!(2)));
    expect![[r#"
        change 1 (set): Oak cannot be looked into: the source is a model, whose objects only the importer knows; the file knows 2 Transform in it; name one as component: #-8679921383154817045 (Transform: m_LocalPosition); #-4216859302048453862 (Transform: m_LocalScale); #919132149155446097 (GameObject: m_Name); #-1504981713932161579 (MeshRenderer)
    "#]].assert_eq(&set(json!("Transform"), "m_LocalPosition.y", json!(2)));
    expect![[r#"
        change 1 (set): Oak cannot be looked into: the source is a model, whose objects only the importer knows; the file does not know #77 in it; name one as component: #-8679921383154817045 (Transform: m_LocalPosition); #-4216859302048453862 (Transform: m_LocalScale); #919132149155446097 (GameObject: m_Name); #-1504981713932161579 (MeshRenderer)
    "#]].assert_eq(&set(json!("#77"), "m_Enabled", json!(false)));
}

/// A prefab that is a variant of a model, and an instance of it.
fn variant() -> String {
    let guid = "2123456789abcdef0123456789abcdef";
    let entry = |target: i64, guid: &str, path: &str, value: &str| {
        format!(
            "    - target: {{fileID: {target}, guid: {guid}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"
        )
    };
    let model = "0123456789abcdef0123456789abcdef";
    let (object, transform) = (919132149155446097, -8679921383154817045);
    let place =
        [("Position.x", "3"), ("Position.y", "0"), ("Position.z", "0")].into_iter().chain([
            ("Rotation.w", "1"),
            ("Rotation.x", "0"),
            ("Rotation.y", "0"),
            ("Rotation.z", "0"),
        ]);
    let mut list: String = place
        .map(|(path, value)| entry(transform, model, &format!("m_Local{path}"), value))
        .collect();
    list += &entry(object, model, "m_Name", "Oak");
    format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n//- Assets/Tree.fbx\nKaydara\n//- Assets/Tree.fbx.meta\nguid: {model}\n//- Assets/Oak.prefab\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &500\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:\n{list}    m_RemovedComponents: []\n    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {model}, type: 3}}\n//- Assets/Oak.prefab.meta\nguid: {guid}\n//- Assets/Main.unity\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n  m_Roots: []\n//- Assets/Main.unity.meta\nguid: 1123456789abcdef0123456789abcdef\n"
    )
}

#[test]
fn variants_of_models_are_instantiated_and_deleted() {
    let site = bench_on(&variant());
    let edit = |change: Value| {
        let input = json!({ "path": "Assets/Main.unity", "changes": [change] });
        site.call("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"))
    };
    let before = std::fs::read_to_string(site.path("Assets/Main.unity")).unwrap();
    edit(json!({ "op": "instantiate", "prefab": "Assets/Oak.prefab", "name": "Elm" }));
    let after = std::fs::read_to_string(site.path("Assets/Main.unity")).unwrap();
    let told: Vec<&str> = after.lines().filter(|line| line.contains("target:")).collect();
    let ids: std::collections::BTreeSet<&str> =
        told.iter().filter_map(|line| line.split([':', ',']).nth(2)).collect();
    // What the variant calls the model's root and its transform.
    let by_rule = |inner: i64| format!(" {}", (500 ^ inner) & i64::MAX);
    let expected = [by_rule(919132149155446097), by_rule(-8679921383154817045)];
    assert_eq!(ids, expected.iter().map(String::as_str).collect(), "{after}");
    assert!(after.contains("propertyPath: m_LocalPosition.x\n      value: 3\n"), "{after}");
    assert!(after.contains("propertyPath: m_LocalRotation.w\n      value: 1\n"), "{after}");
    edit(json!({ "op": "delete", "object": "Elm" }));
    assert_eq!(std::fs::read_to_string(site.path("Assets/Main.unity")).unwrap(), before);
}

#[test]
fn what_only_the_model_has_is_asked_for() {
    let unplaced = variant().replace("m_LocalRotation.y", "m_LocalScale.y");
    let site = bench_on(&unplaced);
    let edit = |change: Value| json!({ "path": "Assets/Main.unity", "changes": [change] });
    let oak = json!({ "op": "instantiate", "prefab": "Assets/Oak.prefab" });
    expect!["change 1 (instantiate): the rotation of Assets/Oak.prefab only Unity's importer knows; give rotation"].assert_eq(&site.error("unity.edit", edit(oak.clone())));
    let mut turned = oak;
    turned["rotation"] = json!([0, 90, 0]);
    site.call("unity.edit", edit(turned)).unwrap();
}

/// Models by the ids that their metas give to the root, in both manners.
#[test]
fn models_are_instantiated_where_they_are_told_to_be() {
    let old = "guid: 0123456789abcdef0123456789abcdef\nModelImporter:\n  fileIDToRecycleName:\n    100000: Chest\n    100002: //RootNode\n    400000: Chest\n    400006: //RootNode\n";
    let new = "guid: 0123456789abcdef0123456789abcdef\nModelImporter:\n  internalIDToNameTable: []\n  meshes:\n    fileIdsGeneration: 2\n";
    let untold = "guid: 0123456789abcdef0123456789abcdef\nModelImporter:\n  meshes:\n    lODScreenPercentages: []\n";
    let place = |meta: &str, change: Value| {
        let site = bench_on(&variant());
        std::fs::write(site.path("Assets/Tree.fbx.meta"), meta).unwrap();
        let input = json!({ "path": "Assets/Main.unity", "changes": [change] });
        match site.call("unity.edit", input) {
            Ok(_) => std::fs::read_to_string(site.path("Assets/Main.unity")).unwrap(),
            Err(error) => error.to_string(),
        }
    };
    let bare = json!({ "op": "instantiate", "prefab": "Assets/Tree.fbx" });
    let mut placed = bare.clone();
    placed["position"] = json!([1, 2, 3]);
    placed["rotation"] = json!([0, 0, 0]);
    let told = [place(new, bare), place(untold, placed.clone())];
    expect![[r#"
        change 1 (instantiate): the position and rotation of Assets/Tree.fbx only Unity's importer knows
        Try: give position and rotation
        change 1 (instantiate): the .meta of Assets/Tree.fbx does not tell the model's root
        Try: open the project in Unity once, which writes it"#]].assert_eq(&told.join("\n"));
    let targets = |text: &str| {
        let ids = text.lines().filter(|line| line.contains("target:"));
        let ids = ids.filter_map(|line| line.split([':', ',']).nth(2)?.trim().parse().ok());
        ids.collect::<std::collections::BTreeSet<i64>>()
    };
    assert_eq!(targets(&place(old, placed.clone())), [100002, 400006].into());
    let hashed = place(new, placed);
    assert_eq!(targets(&hashed), [919132149155446097, -8679921383154817045].into());
    let named = "propertyPath: m_Name\n      value: Tree\n";
    assert!(hashed.contains(named) && hashed.contains("m_LocalPosition.z\n      value: 3\n"));
}

/// The lines that changes of the tree come to, or why they are refused.
fn changed(changes: Value) -> String {
    let input = json!({ "path": "Assets/Main.unity", "changes": changes });
    match bench_on(TREE).call("unity.edit", input) {
        Ok(output) => lines_of(output["changes"][0]["diff"].as_str().unwrap_or_default()),
        Err(error) => format!("{}; {}\n", error.message, error.hint.unwrap_or_default()),
    }
}

#[test]
fn what_is_added_to_a_model_takes_values_and_goes_again() {
    let add = json!({ "op": "addComponent", "object": "Oak", "component": "BoxCollider" });
    let set = |field: &str, value: Value| json!({ "op": "set", "object": "Oak", "component": "BoxCollider", "field": field, "value": value });
    let added = changed(json!([add, set("m_IsTrigger", json!(true))]));
    assert!(added.contains("+  m_IsTrigger: 1\n") && added.contains("+    m_AddedComponents:\n"));
    assert!(added.contains("addedObject: {fileID: "), "{added}");
    let stands = "+GameObject:\n+  m_CorrespondingSourceObject: {fileID: 919132149155446097, ";
    assert!(added.contains(stands), "{added}");
    let remove = json!({ "op": "removeComponent", "object": "Oak", "component": "BoxCollider" });
    let gone = changed(json!([add, remove]));
    assert!(!gone.contains("BoxCollider") && !gone.contains("addedObject"), "{gone}");
    expect![[r#"
        change 1 (addComponent): whether Oak has a MeshRenderer only the importer of its model knows; add it in the editor
    "#]].assert_eq(&changed(json!([{ "op": "addComponent", "object": "Oak", "component": "MeshRenderer" }])));
}

#[test]
fn what_a_model_has_is_taken_out_and_reverted_as_far_as_the_file_knows_it() {
    let remove = |component: &str| json!([{ "op": "removeComponent", "object": "Oak", "component": component }]);
    expect![[r#"
        Assets/Main.unity
        -    m_RemovedComponents: []
        +    m_RemovedComponents:
        +    - {fileID: -1504981713932161579, guid: 0123456789abcdef0123456789abcdef, type: 3}
        ---- !u!23 &501 stripped
        -MeshRenderer:
        -  m_CorrespondingSourceObject: {fileID: -1504981713932161579, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -  m_PrefabInstance: {fileID: 500}
        -  m_PrefabAsset: {fileID: 0}
    "#]]
    .assert_eq(&changed(remove("MeshRenderer")));
    expect![[r#"
        change 1 (removeComponent): Oak cannot be looked into: the source is a model, whose objects only the importer knows; the file does not know Light in it; name one as component: #-8679921383154817045 (Transform: m_LocalPosition); #-4216859302048453862 (Transform: m_LocalScale); #919132149155446097 (GameObject: m_Name); #-1504981713932161579 (MeshRenderer)
    "#]].assert_eq(&changed(remove("Light")));
    expect![[r#"
        change 1 (removeComponent): #-4216859302048453862 is no component that can be removed; nothing was changed
    "#]].assert_eq(&changed(remove("#-4216859302048453862")));
    let revert = |more: Value| {
        let mut change = json!({ "op": "revert", "object": "Oak" });
        change.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        changed(json!([change]))
    };
    // Where an instance is and what it is called stays.
    expect![""].assert_eq(&revert(json!({})));
    expect![[r#"
        Assets/Main.unity
        -    - target: {fileID: -4216859302048453862, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -      propertyPath: m_LocalScale.x
        -      value: 2
        -      objectReference: {fileID: 0}
    "#]].assert_eq(&revert(json!({ "component": "#-4216859302048453862" })));
}

#[test]
fn an_id_that_no_file_has_is_nothing_in_a_model() {
    let known = (500 ^ 919132149155446097_i64) & i64::MAX;
    for id in ["#500".to_owned(), format!("#{known}")] {
        let renamed = changed(json!([{ "op": "rename", "object": id, "name": "Elm" }]));
        assert!(renamed.contains("+      value: Elm"), "{renamed}");
    }
    for change in [
        json!({ "op": "delete", "object": "#77" }),
        json!({ "op": "rename", "object": "#77", "name": "Elm" }),
        json!({ "op": "set", "object": "#77", "field": "m_IsActive", "value": false }),
        json!({ "op": "revert", "object": "#77" }),
        json!({ "op": "addComponent", "object": "#77", "component": "BoxCollider" }),
        json!({ "op": "create", "parent": "#77", "name": "Nest" }),
    ] {
        let said = changed(json!([change]));
        assert!(said.contains("there is no object #77 in the file"), "{change}: {said}");
    }
}

/// A prefab of a model with two objects added to it, and an instance of that.
fn around_a_model() -> String {
    let guid = "2123456789abcdef0123456789abcdef";
    let model = "0123456789abcdef0123456789abcdef";
    let (object, transform) = (919132149155446097_i64, -8679921383154817045_i64);
    let added = |id: i64, name: &str| {
        format!(
            "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {own}}}\n  m_Name: {name}\n--- !u!4 &{own}\nTransform:\n  serializedVersion: 2\n  m_GameObject: {{fileID: {id}}}\n  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  m_Children: []\n  m_Father: {{fileID: 31}}\n",
            own = id + 1
        )
    };
    let hung = |id: i64| {
        format!(
            "    - targetCorrespondingSourceObject: {{fileID: {transform}, guid: {model}, type: 3}}\n      insertIndex: -1\n      addedObject: {{fileID: {id}}}\n"
        )
    };
    let name = |target: i64, guid: &str| {
        format!(
            "    - target: {{fileID: {target}, guid: {guid}, type: 3}}\n      propertyPath: m_Name\n      value: Tank\n      objectReference: {{fileID: 0}}\n"
        )
    };
    let outer = (30 ^ object) & i64::MAX;
    let head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
    format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n//- Assets/Tank.fbx\nKaydara\n//- Assets/Tank.fbx.meta\nguid: {model}\n//- Assets/Tank.prefab\n{head}{}{}--- !u!1001 &30\nPrefabInstance:\n  serializedVersion: 2\n  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:\n{}    m_RemovedComponents: []\n    m_RemovedGameObjects: []\n    m_AddedGameObjects:\n{}{}    m_AddedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {model}, type: 3}}\n--- !u!4 &31 stripped\nTransform:\n  m_CorrespondingSourceObject: {{fileID: {transform}, guid: {model}, type: 3}}\n  m_PrefabInstance: {{fileID: 30}}\n  m_PrefabAsset: {{fileID: 0}}\n//- Assets/Tank.prefab.meta\nguid: {guid}\n//- Assets/Main.unity\n{head}--- !u!1001 &500\nPrefabInstance:\n  serializedVersion: 2\n  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:\n{}    m_RemovedComponents: []\n    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_Roots:\n  - {{fileID: 500}}\n//- Assets/Main.unity.meta\nguid: 1123456789abcdef0123456789abcdef\n",
        added(10, "Mount"),
        added(20, "Seat"),
        name(object, model),
        hung(11),
        hung(21),
        name(outer, guid),
    )
}

#[test]
fn what_hangs_in_a_model_is_duplicated_beside_itself() {
    for name in ["Mount", "Seat"] {
        let site = bench_on(&around_a_model());
        let duplicate = json!({ "op": "duplicate", "object": format!("Tank/{name}") });
        let input = json!({ "path": "Assets/Main.unity", "changes": [duplicate] });
        site.call("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
        let after = std::fs::read_to_string(site.path("Assets/Main.unity")).unwrap();
        assert!(after.contains("--- !u!1001 &500\n"), "{after}");
        assert_eq!(after.matches("PrefabInstance:\n").count(), 1, "{after}");
        assert_eq!(after.matches("addedObject: ").count(), 1, "{after}");
        assert!(after.contains(&format!("  m_Name: {name} (1)\n")), "{after}");
    }
}
