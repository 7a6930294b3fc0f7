//! Instances of prefabs made, reverted and copied.

use expect_test::expect;
use serde_json::json;

use super::{MAIN, check};
use crate::testing::{bench, findings, portrait};

#[test]
fn instances_are_made_and_reverted() {
    check(
        MAIN,
        json!([{ "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Player", "name": "Coin", "position": [1, 0, 0] }]),
        expect![[r#"
            +--- !u!1001 &697311294
            +PrefabInstance:
            +  m_ObjectHideFlags: 0
            +  serializedVersion: 2
            +  m_Modification:
            +    serializedVersion: 3
            +    m_TransformParent: {fileID: 1540250449}
            +    m_Modifications:
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.x
            +      value: 1
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.y
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.z
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalRotation.w
            +      value: 1
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalRotation.x
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalRotation.y
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalRotation.z
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalEulerAnglesHint.x
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalEulerAnglesHint.y
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalEulerAnglesHint.z
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_Name
            +      value: Coin
            +      objectReference: {fileID: 0}
            +    m_RemovedComponents: []
            +    m_RemovedGameObjects: []
            +    m_AddedGameObjects: []
            +    m_AddedComponents: []
            +  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +--- !u!4 &697311295 stripped
            +Transform:
            +  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +  m_PrefabInstance: {fileID: 697311294}
            +  m_PrefabAsset: {fileID: 0}
            +  - {fileID: 697311295}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "revert", "object": "Player/Hand/Hand Lantern" }]),
        expect![[r#"
            -    - target: {fileID: 222837617576246371, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            -      propertyPath: m_Enabled
            -      value: 0
            -      objectReference: {fileID: 0}
        "#]],
    );
}

#[test]
fn objects_inside_an_instance_are_copied_as_objects_added_to_it() {
    let cellar = "Assets/Scenes/Cellar.unity";
    let site = bench();
    let before = std::fs::read(site.path(cellar)).unwrap();
    for (object, copy) in [
        ("Storage Room/Key", "Storage Room/Key (1)"),
        ("Storage Room/GoldenLantern", "Storage Room/GoldenLantern (1)"),
        ("Storage Room/GoldenLantern/Flame", "Storage Room/GoldenLantern/Flame (1)"),
    ] {
        let (shown, found) = (portrait(&site, cellar), findings(&site));
        let change = json!({ "op": "duplicate", "object": object });
        let input = json!({ "path": cellar, "changes": [change] });
        let output = site.call("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(output["results"][0]["object"], copy);
        let now = portrait(&site, cellar);
        // Everything that was there is there as it was, and the copy has what the object has.
        let is_of = |line: &&String, path: &str| {
            let rest = line.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
                && **line != path
        };
        let copied: Vec<&String> = now.iter().filter(|line| is_of(line, copy)).collect();
        let originals: Vec<&String> = shown.iter().filter(|line| is_of(line, object)).collect();
        assert_eq!(copied.len(), originals.len(), "{object}");
        for (copied, original) in copied.iter().zip(&originals) {
            let expected = original.replace(object, copy);
            let is_name = original.contains(" m_Name ");
            assert!(is_name || **copied == expected || copied == original, "{copied}: {original}");
        }
        let others: Vec<&String> = now.iter().filter(|line| !line.starts_with(copy)).collect();
        assert_eq!(others, shown.iter().collect::<Vec<_>>(), "{object}");
        let new: Vec<_> = findings(&site).difference(&found).cloned().collect();
        assert!(new.is_empty(), "{object}: {new:?}");
        site.undo();
    }
    assert_eq!(std::fs::read(site.path(cellar)).unwrap(), before);
}

#[test]
fn instances_are_copied_with_what_was_added_to_them() {
    let cellar = "Assets/Scenes/Cellar.unity";
    let site = bench();
    let changes = json!([
        { "op": "create", "parent": "Storage Room/GoldenLantern/Flame", "name": "Moth", "components": ["BoxCollider"] },
        { "op": "addComponent", "object": "Storage Room/Key", "component": "AudioSource" },
        { "op": "duplicate", "object": "Storage Room", "name": "Other Room" },
    ]);
    site.call("unity.edit", json!({ "path": cellar, "changes": changes })).unwrap();
    let now = portrait(&site, cellar);
    let part = |root: &str| -> Vec<String> {
        let lines = now.iter().filter(|line| line.starts_with(root));
        lines.map(|line| line.replace(root, "")).filter(|line| !line.contains("m_Name")).collect()
    };
    let has = |start: &str, end: &str| {
        now.iter().any(|line| line.starts_with(start) && line.ends_with(end))
    };
    assert!(has("Other Room/GoldenLantern/Flame/Moth", ":BoxCollider"));
    assert!(has("Other Room/Key", ":AudioSource"));
    assert_eq!(part("Other Room"), part("Storage Room"));
}

#[test]
fn an_instance_is_named_by_its_own_id_too() {
    let site = bench();
    let rename = |object: &str| {
        let change = json!({ "op": "rename", "object": object, "name": "Beacon" });
        site.call("unity.edit", json!({ "path": MAIN, "changes": [change], "dryRun": true }))
    };
    let by_instance = rename("#1188969389").unwrap();
    let root = by_instance["results"][0]["fileID"].as_i64().unwrap();
    assert_eq!(rename(&format!("#{root}")).unwrap()["changes"], by_instance["changes"]);
    assert!(rename("#1188969388").is_err(), "no instance has this id");
}

#[test]
fn what_an_instance_took_out_is_reverted_too() {
    let cellar = "Assets/Scenes/Cellar.unity";
    let site = bench();
    let before = std::fs::read_to_string(site.path(cellar)).unwrap();
    let edit = |change: serde_json::Value| {
        let input = json!({ "path": cellar, "changes": [change] });
        site.call("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"))
    };
    let text = || std::fs::read_to_string(site.path(cellar)).unwrap();
    // An object by its name, and all that is not there in an instance.
    for reverted in ["Storage Room/Key", "Storage Room"] {
        edit(json!({ "op": "delete", "object": "Storage Room/Key" }));
        assert_ne!(text(), before);
        let output = edit(json!({ "op": "revert", "object": reverted }));
        assert!(!text().contains("m_RemovedGameObjects:\n"), "{output}");
        assert!(portrait(&site, cellar).iter().any(|line| line == "Storage Room/Key"), "{output}");
        std::fs::write(site.path(cellar), &before).unwrap();
    }
    for revert in [json!("Collectible"), serde_json::Value::Null] {
        edit(
            json!({ "op": "removeComponent", "object": "Storage Room/Key", "component": "Collectible" }),
        );
        edit(json!({ "op": "revert", "object": "Storage Room/Key", "component": revert }));
        assert!(!text().contains("m_RemovedComponents:\n"), "{}", text());
        std::fs::write(site.path(cellar), &before).unwrap();
    }
}
