//! Instances unpacked: the file shows what it showed, and the prefab is not in it any more.

use std::fs;

use expect_test::expect;
use serde_json::json;

use crate::testing::{Site, bench, bench_on, call_sample, findings, lines_of, portrait};

const CELLAR: &str = "Assets/Scenes/Cellar.unity";
const ROOM: &str = "f755b277b36ec092bed9651617f3a926";
const LANTERN: &str = "bf59e81e2be283390722a0ddca6f8102";

/// Unpack an instance: what is shown stays, the check finds nothing new, undo brings every byte back.
/// Returns the file.
fn unpack(site: &Site, scene: &str, object: &str, completely: bool) -> String {
    let text = || fs::read_to_string(site.path(scene)).unwrap();
    let (bytes, shown, found) = (text(), portrait(site, scene), findings(site));
    let input = json!({ "scenePath": scene, "hierarchyPath": object, "completely": completely });
    let output = site.call("prefab.unpack", input).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(output["remarks"], json!(null), "{object}");
    let after = text();
    assert_ne!(after, bytes);
    let now = portrait(site, scene);
    assert_eq!(shown.iter().zip(&now).find(|(was, is)| was != is), None, "{object}");
    assert_eq!(shown.len(), now.len(), "{object}");
    let new: Vec<_> = findings(site).difference(&found).cloned().collect();
    assert!(new.is_empty(), "{object}: {new:?}");
    site.undo();
    assert_eq!(text(), bytes);
    after
}

#[test]
fn every_instance_of_the_sample_shows_the_same_unpacked() {
    let all = [
        (CELLAR, "Storage Room"),
        ("Assets/Scenes/Main.unity", "Lanterns/Gate Lantern"),
        ("Assets/Scenes/Main.unity", "Player/Hand/Hand Lantern"),
        ("Assets/Prefabs/Room.prefab", "Room/GoldenLantern"),
        ("Assets/Prefabs/Room.prefab", "Room/Wall Lantern"),
        ("Assets/Prefabs/GoldenLantern.prefab", "GoldenLantern"),
    ];
    let site = bench();
    for (scene, object) in all {
        for completely in [false, true] {
            unpack(&site, scene, object, completely);
        }
    }
}

#[test]
fn prefabs_in_the_prefab_stay_instances_unless_all_are_unpacked() {
    let site = bench();
    let before = fs::read_to_string(site.path(CELLAR)).unwrap();
    assert!(before.contains(ROOM) && !before.contains("PrefabInstance: {fileID: 1}"));
    let outer = unpack(&site, CELLAR, "Storage Room", false);
    assert!(!outer.contains(ROOM));
    assert_eq!(outer.matches("--- !u!1001 ").count(), 2);
    let all = unpack(&site, CELLAR, "Storage Room", true);
    assert!(!all.contains(ROOM) && !all.contains(LANTERN));
    assert_eq!(all.matches("--- !u!1001 ").count(), 0);
    assert_eq!(all.matches(" stripped\n").count(), 0);
}

#[test]
fn the_portrait_tells_a_changed_value_and_another_order() {
    let site = bench();
    let shown = portrait(&site, CELLAR);
    let set = json!({ "path": CELLAR, "changes": [{ "op": "set", "object": "Storage Room/Key", "component": "Collectible", "field": "value", "value": 4 }] });
    site.call("unity.edit", set).unwrap();
    assert_ne!(portrait(&site, CELLAR), shown);
}

/// A prefab with a child, an instance of it with an added component, a moved child, a removed
/// component, a reference from outside, and an added child.
const LAMP: &str = r#"
//- Assets/Lamp.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &100
GameObject:
  m_Component:
  - component: {fileID: 101}
  m_Name: Lamp
  m_IsActive: 1
--- !u!4 &101
Transform:
  m_GameObject: {fileID: 100}
  m_LocalPosition: {x: 0, y: 0, z: 0}
  m_Children:
  - {fileID: 111}
  m_Father: {fileID: 0}
--- !u!1 &110
GameObject:
  m_Component:
  - component: {fileID: 111}
  - component: {fileID: 112}
  - component: {fileID: 113}
  m_Name: Bulb
  m_IsActive: 1
--- !u!4 &111
Transform:
  m_GameObject: {fileID: 110}
  m_LocalPosition: {x: 0, y: 1, z: 0}
  m_Children: []
  m_Father: {fileID: 101}
--- !u!108 &112
Light:
  m_GameObject: {fileID: 110}
  m_Enabled: 1
  m_Intensity: 1
--- !u!65 &113
BoxCollider:
  m_GameObject: {fileID: 110}
  m_Enabled: 1
//- Assets/Lamp.prefab.meta
guid: 0123456789abcdef0123456789abcdef
//- Assets/Main.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1001 &500
PrefabInstance:
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: 0}
    m_Modifications:
    - target: {fileID: 100, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_Name
      value: Street Lamp
      objectReference: {fileID: 0}
    - target: {fileID: 112, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_Intensity
      value: 2.5
      objectReference: {fileID: 0}
    m_RemovedComponents:
    - {fileID: 113, guid: 0123456789abcdef0123456789abcdef, type: 3}
    m_RemovedGameObjects: []
    m_AddedGameObjects:
    - targetCorrespondingSourceObject: {fileID: 111, guid: 0123456789abcdef0123456789abcdef, type: 3}
      insertIndex: -1
      addedObject: {fileID: 701}
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}
--- !u!4 &501 stripped
Transform:
  m_CorrespondingSourceObject: {fileID: 111, guid: 0123456789abcdef0123456789abcdef, type: 3}
  m_PrefabInstance: {fileID: 500}
  m_PrefabAsset: {fileID: 0}
--- !u!1 &700
GameObject:
  m_Component:
  - component: {fileID: 701}
  m_Name: Moth
  m_IsActive: 1
--- !u!4 &701
Transform:
  m_GameObject: {fileID: 700}
  m_Children: []
  m_Father: {fileID: 501}
--- !u!1660057539 &9223372036854775807
SceneRoots:
  m_Roots:
  - {fileID: 500}
//- Assets/Main.unity.meta
guid: 1123456789abcdef0123456789abcdef
"#;

#[test]
fn what_was_added_removed_and_changed_is_in_the_objects() {
    let site = bench_on(LAMP);
    let shown = portrait(&site, "Assets/Main.unity");
    let input = json!({ "scenePath": "Assets/Main.unity", "hierarchyPath": "Street Lamp" });
    let output = site.call("prefab.unpack", input).unwrap();
    assert_eq!(portrait(&site, "Assets/Main.unity"), shown);
    let diff = output["changes"][0]["diff"].as_str().unwrap();
    expect![[r#"
        Assets/Main.unity
        ---- !u!1001 &500
        -PrefabInstance:
        -  m_Modification:
        -    serializedVersion: 3
        -    m_TransformParent: {fileID: 0}
        -    m_Modifications:
        -    - target: {fileID: 100, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -      propertyPath: m_Name
        -      value: Street Lamp
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 112, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -      propertyPath: m_Intensity
        -      value: 2.5
        -      objectReference: {fileID: 0}
        -    m_RemovedComponents:
        -    - {fileID: 113, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -    m_RemovedGameObjects: []
        -    m_AddedGameObjects:
        -    - targetCorrespondingSourceObject: {fileID: 111, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -      insertIndex: -1
        -      addedObject: {fileID: 701}
        -    m_AddedComponents: []
        -  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}
        ---- !u!4 &501 stripped
        +--- !u!4 &501
        -  m_CorrespondingSourceObject: {fileID: 111, guid: 0123456789abcdef0123456789abcdef, type: 3}
        -  m_PrefabInstance: {fileID: 500}
        -  m_PrefabAsset: {fileID: 0}
        +  m_GameObject: {fileID: 838300058}
        +  m_LocalPosition: {x: 0, y: 1, z: 0}
        +  m_Children:
        +  - {fileID: 701}
        +  m_Father: {fileID: 838300057}
        +--- !u!1 &838300056
        +GameObject:
        +  m_Component:
        +  - component: {fileID: 838300057}
        +  m_Name: Street Lamp
        +  m_IsActive: 1
        +--- !u!4 &838300057
        +Transform:
        +  m_GameObject: {fileID: 838300056}
        +  m_LocalPosition: {x: 0, y: 0, z: 0}
        +  m_Children:
        +  - {fileID: 501}
        +  m_Father: {fileID: 0}
        +--- !u!1 &838300058
        +GameObject:
        +  m_Component:
        +  - component: {fileID: 501}
        +  - component: {fileID: 838300059}
        +  m_Name: Bulb
        +  m_IsActive: 1
        +--- !u!108 &838300059
        +Light:
        +  m_GameObject: {fileID: 838300058}
        +  m_Enabled: 1
        +  m_Intensity: 2.5
        -  - {fileID: 500}
        +  - {fileID: 838300057}
    "#]].assert_eq(&lines_of(diff));
}

#[test]
fn what_cannot_be_unpacked_is_told() {
    let refused = |object: &str| {
        let input = json!({ "scenePath": CELLAR, "hierarchyPath": object, "dryRun": true });
        let error = call_sample("prefab.unpack", input).map(|outcome| outcome.output).unwrap_err();
        format!("{}; {}\n", error.message, error.hint.unwrap_or_default())
    };
    let all = ["Storage Room/Key", "Storage Room/GoldenLantern", "Storage Rom"];
    expect![[r#"
        Storage Room/Key is inside of the instance Storage Room; unpack Storage Room, which is the instance that this file has
        Storage Room/GoldenLantern is inside of the instance Storage Room; unpack Storage Room, which is the instance that this file has
        there is no object Storage Rom in the file; did you mean Storage Room?
    "#]].assert_eq(&all.map(refused).concat());
    let site =
        bench_on(&LAMP.replace("guid: 0123", "guid: 9999").replacen("guid: 9999", "guid: 0123", 1));
    let input = json!({ "scenePath": "Assets/Main.unity", "hierarchyPath": "Street Lamp" });
    let error = site.call("prefab.unpack", input).unwrap_err();
    expect!["Street Lamp cannot be unpacked: the source prefab is missing"]
        .assert_eq(&error.message);
}

/// A prefab with a lamp in it, of which it says things that the lamp does not have.
const POLE: &str = r#"
//- Assets/Pole.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &200
GameObject:
  m_Component:
  - component: {fileID: 201}
  m_Name: Pole
  m_IsActive: 1
--- !u!4 &201
Transform:
  m_GameObject: {fileID: 200}
  m_Children:
  - {fileID: 251}
  m_Father: {fileID: 0}
--- !u!1001 &250
PrefabInstance:
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: 201}
    m_Modifications:
    - target: {fileID: 998, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_Intensity
      value: 7
      objectReference: {fileID: 0}
    - target: {fileID: 112, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_Intensity
      value: 8
      objectReference: {fileID: 0}
    m_RemovedComponents:
    - {fileID: 999, guid: 0123456789abcdef0123456789abcdef, type: 3}
    m_RemovedGameObjects: []
    m_AddedGameObjects: []
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}
--- !u!4 &251 stripped
Transform:
  m_CorrespondingSourceObject: {fileID: 101, guid: 0123456789abcdef0123456789abcdef, type: 3}
  m_PrefabInstance: {fileID: 250}
  m_PrefabAsset: {fileID: 0}
//- Assets/Pole.prefab.meta
guid: 2123456789abcdef0123456789abcdef
//- Assets/Street.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1001 &600
PrefabInstance:
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: 0}
    m_Modifications: []
    m_RemovedComponents: []
    m_RemovedGameObjects: []
    m_AddedGameObjects: []
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: 2123456789abcdef0123456789abcdef, type: 3}
--- !u!1660057539 &9223372036854775807
SceneRoots:
  m_Roots:
  - {fileID: 600}
//- Assets/Street.unity.meta
guid: 3123456789abcdef0123456789abcdef
"#;

#[test]
fn what_a_prefab_says_of_things_that_are_gone_does_not_come_along() {
    let street = "Assets/Street.unity";
    let site = bench_on(&format!("{}{}", LAMP.trim_end(), POLE));
    let shown = portrait(&site, street);
    assert!(shown.iter().any(|line| line.ends_with("m_Intensity = 8")), "{shown:#?}");
    let input = json!({ "scenePath": street, "hierarchyPath": "Pole" });
    site.call("prefab.unpack", input).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(portrait(&site, street), shown);
    let after = fs::read_to_string(site.path(street)).unwrap();
    assert!(after.contains("fileID: 112,"), "{after}");
    assert!(!after.contains("fileID: 998,") && !after.contains("fileID: 999,"), "{after}");
}
