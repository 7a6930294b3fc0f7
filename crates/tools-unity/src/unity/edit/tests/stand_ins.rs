//! What stands in a file for parts of its instances, when those go or nothing needs them.

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::testing::{call_writing, lines_of};

/// A prefab with a body in its arm, and a scene with an instance of it; what holds is tied to the body.
fn project() -> Folder {
    let head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
    let object = |id: i64, name: &str, more: &str, father: i64, children: &str| {
        format!(
            "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {transform}}}\n{more}  m_Name: {name}\n--- !u!4 &{transform}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_Children:{children}\n  m_Father: {{fileID: {father}}}\n",
            transform = id + 1
        )
    };
    let prefab = [
        object(100, "Robot", "", 0, "\n  - {fileID: 201}"),
        object(200, "Arm", "  - component: {fileID: 202}\n", 101, " []"),
        "--- !u!54 &202\nRigidbody:\n  m_GameObject: {fileID: 200}\n  m_Mass: 1\n".to_owned(),
    ]
    .concat();
    let guid = "2123456789abcdef0123456789abcdef";
    let scene = [
        object(10, "Holder", "  - component: {fileID: 12}\n", 0, " []"),
        "--- !u!138 &12\nFixedJoint:\n  m_GameObject: {fileID: 10}\n  m_ConnectedBody: {fileID: 40}\n".to_owned(),
        format!("--- !u!1001 &30\nPrefabInstance:\n  serializedVersion: 3\n  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications: []\n    m_RemovedComponents: []\n    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"),
        format!("--- !u!54 &40 stripped\nRigidbody:\n  m_CorrespondingSourceObject: {{fileID: 202, guid: {guid}, type: 3}}\n  m_PrefabInstance: {{fileID: 30}}\n  m_PrefabAsset: {{fileID: 0}}\n"),
        "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n  m_Roots:\n  - {fileID: 11}\n  - {fileID: 30}\n".to_owned(),
    ]
    .concat();
    Folder::unity(&format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 6000.0.30f1\n//- Assets/Main.unity\n{head}{scene}//- Assets/Main.unity.meta\nguid: 1123456789abcdef0123456789abcdef\n//- Assets/Robot.prefab\n{head}{prefab}//- Assets/Robot.prefab.meta\nguid: {guid}\n"
    ))
}

fn check(changes: Value, expected: Expect) {
    let input = json!({ "path": "Assets/Main.unity", "changes": changes });
    expected.assert_eq(&match call_writing(&project(), "unity.edit", input) {
        Ok(outcome) => {
            let diff = outcome.output["changes"][0]["diff"].as_str().unwrap_or_default();
            let remarks = &outcome.output["results"];
            let remarks = remarks
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|one| Some(format!("{}\n", one.get("remarks")?)));
            format!("{}{}", lines_of(diff), remarks.collect::<String>())
        }
        Err(error) => format!("{}; {}\n", error.message, error.hint.unwrap_or_default()),
    });
}

#[test]
fn what_refers_to_a_part_of_an_instance_that_goes_is_cleared_and_told() {
    check(
        json!([{ "op": "delete", "object": "Robot/Arm" }]),
        expect![[r#"
            Assets/Main.unity
            -  m_ConnectedBody: {fileID: 40}
            +  m_ConnectedBody: {fileID: 0}
            -    m_RemovedGameObjects: []
            +    m_RemovedGameObjects:
            +    - {fileID: 200, guid: 2123456789abcdef0123456789abcdef, type: 3}
            ---- !u!54 &40 stripped
            -Rigidbody:
            -  m_CorrespondingSourceObject: {fileID: 202, guid: 2123456789abcdef0123456789abcdef, type: 3}
            -  m_PrefabInstance: {fileID: 30}
            -  m_PrefabAsset: {fileID: 0}
            ["1 reference to it was cleared: Holder FixedJoint.m_ConnectedBody"]
        "#]],
    );
    check(
        json!([{ "op": "removeComponent", "object": "Robot/Arm", "component": "Rigidbody" }]),
        expect![[r#"
            Assets/Main.unity
            -  m_ConnectedBody: {fileID: 40}
            +  m_ConnectedBody: {fileID: 0}
            -    m_RemovedComponents: []
            +    m_RemovedComponents:
            +    - {fileID: 202, guid: 2123456789abcdef0123456789abcdef, type: 3}
            ---- !u!54 &40 stripped
            -Rigidbody:
            -  m_CorrespondingSourceObject: {fileID: 202, guid: 2123456789abcdef0123456789abcdef, type: 3}
            -  m_PrefabInstance: {fileID: 30}
            -  m_PrefabAsset: {fileID: 0}
            ["1 reference to it was cleared: Holder FixedJoint.m_ConnectedBody"]
        "#]],
    );
    check(
        json!([{ "op": "delete", "object": "Robot/Arm", "references": "refuse" }]),
        expect![[r#"
            change 1 (delete): Robot/Arm is referred to in 1 place: Holder FixedJoint.m_ConnectedBody; clear those first, or leave out references: refuse
        "#]],
    );
}

#[test]
fn what_came_into_an_instance_and_went_leaves_nothing() {
    let create = json!({ "op": "create", "parent": "Robot/Arm", "name": "Lamp" });
    let delete = json!({ "op": "delete", "object": "Robot/Arm/Lamp" });
    check(json!([create, delete]), expect![""]);
    let add = json!({ "op": "addComponent", "object": "Robot", "component": "Light" });
    let remove = json!({ "op": "removeComponent", "object": "Robot", "component": "Light" });
    check(json!([add, remove]), expect![""]);
    let out = json!({ "op": "reparent", "object": "Robot/Arm/Lamp", "parent": "Holder", "keepWorld": false });
    check(json!([create, out, { "op": "delete", "object": "Holder/Lamp" }]), expect![""]);
    // What something still refers to stays.
    let add = json!({ "op": "addComponent", "object": "Robot/Arm", "component": "Light" });
    let remove = json!({ "op": "removeComponent", "object": "Robot/Arm", "component": "Light" });
    check(json!([add, remove]), expect![""]);
}
