//! Objects that come, go and move.

use expect_test::expect;
use serde_json::json;

use super::{MAIN, check};
use crate::testing::{Site, bench};

#[test]
fn objects_come_go_and_move() {
    check(
        MAIN,
        json!([{ "op": "create", "parent": "Player", "name": "Marker", "components": ["BoxCollider"], "position": [0, 1, 0] }]),
        expect![[r#"
            +--- !u!1 &280921319
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 280921320}
            +  - component: {fileID: 280921321}
            +  m_Layer: 0
            +  m_Name: Marker
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &280921320
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 280921319}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: 0, y: 1, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 1540250449}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
            +--- !u!65 &280921321
            +BoxCollider:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 280921319}
            +  m_Material: {fileID: 0}
            +  m_IncludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_ExcludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_LayerOverridePriority: 0
            +  m_IsTrigger: 0
            +  m_ProvidesContacts: 0
            +  m_Enabled: 1
            +  serializedVersion: 3
            +  m_Size: {x: 1, y: 1, z: 1}
            +  m_Center: {x: 0, y: 0, z: 0}
            +  - {fileID: 280921320}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "delete", "object": "Player/Hand" }]),
        expect![[r#"
        ---- !u!4 &112104677 stripped
        -Transform:
        -  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -  m_PrefabInstance: {fileID: 1188969389}
        -  m_PrefabAsset: {fileID: 0}
        ---- !u!1 &590947768
        -GameObject:
        -  m_ObjectHideFlags: 0
        -  m_CorrespondingSourceObject: {fileID: 0}
        -  m_PrefabInstance: {fileID: 0}
        -  m_PrefabAsset: {fileID: 0}
        -  serializedVersion: 6
        -  m_Component:
        -  - component: {fileID: 590947769}
        -  m_Layer: 0
        -  m_Name: Hand
        -  m_TagString: Untagged
        -  m_Icon: {fileID: 0}
        -  m_NavMeshLayer: 0
        -  m_StaticEditorFlags: 0
        -  m_IsActive: 1
        ---- !u!4 &590947769
        -Transform:
        -  m_ObjectHideFlags: 0
        -  m_CorrespondingSourceObject: {fileID: 0}
        -  m_PrefabInstance: {fileID: 0}
        -  m_PrefabAsset: {fileID: 0}
        -  m_GameObject: {fileID: 590947768}
        -  serializedVersion: 2
        -  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
        -  m_LocalPosition: {x: 0.45, y: 1.1, z: 0.3}
        -  m_LocalScale: {x: 1, y: 1, z: 1}
        -  m_ConstrainProportionsScale: 0
        -  m_Children:
        -  - {fileID: 112104677}
        -  m_Father: {fileID: 1540250449}
        -  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
        ---- !u!1001 &1188969389
        -PrefabInstance:
        -  m_ObjectHideFlags: 0
        -  serializedVersion: 2
        -  m_Modification:
        -    serializedVersion: 3
        -    m_TransformParent: {fileID: 590947769}
        -    m_Modifications:
        -    - target: {fileID: 222837617576246371, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_Enabled
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalPosition.x
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalPosition.y
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalPosition.z
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.w
        -      value: 1
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.x
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.y
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.z
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalEulerAnglesHint.x
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalEulerAnglesHint.y
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalEulerAnglesHint.z
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_Name
        -      value: Hand Lantern
        -      objectReference: {fileID: 0}
        -    m_RemovedComponents: []
        -    m_RemovedGameObjects: []
        -    m_AddedGameObjects: []
        -    m_AddedComponents: []
        -  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -  m_Children:
        -  - {fileID: 590947769}
        +  m_Children: []
        -  heldLantern: {fileID: 1985487171}
        +  heldLantern: {fileID: 0}
        ---- !u!114 &1985487171 stripped
        -MonoBehaviour:
        -  m_CorrespondingSourceObject: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -  m_PrefabInstance: {fileID: 1188969389}
        -  m_PrefabAsset: {fileID: 0}
        -  m_GameObject: {fileID: 0}
        -  m_Enabled: 1
        -  m_EditorHideFlags: 0
        -  m_Script: {fileID: 11500000, guid: e8d507bb07412d2524db5bc85fdbd39a, type: 3}
        -  m_Name: 
        -  m_EditorClassIdentifier: 
    "#]],
    );
    check(
        MAIN,
        json!([{ "op": "rename", "object": "Player/Hand", "name": "Paw: left" }]),
        expect![[r#"
            -  m_Name: Hand
            +  m_Name: 'Paw: left'
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "reparent", "object": "Player/Hand", "parent": "", "index": 0 }]),
        expect![[r#"
            -  m_LocalPosition: {x: 0.45, y: 1.1, z: 0.3}
            +  m_LocalPosition: {x: 0.45, y: 1.1, z: -3.7}
            -  m_Father: {fileID: 1540250449}
            +  m_Father: {fileID: 0}
            -  m_Children:
            -  - {fileID: 590947769}
            +  m_Children: []
            +  - {fileID: 590947769}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "duplicate", "object": "Directional Light" }]),
        expect![[r#"
            +--- !u!1 &90721177
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 90721178}
            +  - component: {fileID: 90721179}
            +  m_Layer: 0
            +  m_Name: Directional Light (1)
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &90721178
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 90721177}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0.40821788, y: -0.23456968, z: 0.10938163, w: 0.8754261}
            +  m_LocalPosition: {x: 0, y: 3, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 0}
            +  m_LocalEulerAnglesHint: {x: 50, y: -30, z: 0}
            +--- !u!108 &90721179
            +Light:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 90721177}
            +  m_Enabled: 1
            +  serializedVersion: 10
            +  m_Type: 1
            +  m_Shape: 0
            +  m_Color: {r: 0.62, g: 0.7, b: 1, a: 1}
            +  m_Intensity: 0.4
            +  m_Range: 10
            +  m_SpotAngle: 30
            +  m_InnerSpotAngle: 21.80208
            +  m_CookieSize: 10
            +  m_Shadows:
            +    m_Type: 2
            +    m_Resolution: -1
            +    m_CustomResolution: -1
            +    m_Strength: 1
            +    m_Bias: 0.05
            +    m_NormalBias: 0.4
            +    m_NearPlane: 0.2
            +    m_CullingMatrixOverride:
            +      e00: 1
            +      e01: 0
            +      e02: 0
            +      e03: 0
            +      e10: 0
            +      e11: 1
            +      e12: 0
            +      e13: 0
            +      e20: 0
            +      e21: 0
            +      e22: 1
            +      e23: 0
            +      e30: 0
            +      e31: 0
            +      e32: 0
            +      e33: 1
            +    m_UseCullingMatrixOverride: 0
            +  m_Cookie: {fileID: 0}
            +  m_DrawHalo: 0
            +  m_Flare: {fileID: 0}
            +  m_RenderMode: 0
            +  m_CullingMask:
            +    serializedVersion: 2
            +    m_Bits: 4294967295
            +  m_RenderingLayerMask: 1
            +  m_Lightmapping: 4
            +  m_LightShadowCasterMode: 0
            +  m_AreaSize: {x: 1, y: 1}
            +  m_BounceIntensity: 1
            +  m_ColorTemperature: 6570
            +  m_UseColorTemperature: 0
            +  m_BoundingSphereOverride: {x: 0, y: 0, z: 0, w: 0}
            +  m_UseBoundingSphereOverride: 0
            +  m_UseViewFrustumForShadowCasterCull: 1
            +  m_ForceVisible: 0
            +  m_ShadowRadius: 0
            +  m_ShadowAngle: 0
            +  - {fileID: 90721178}
        "#]],
    );
}

/// The root of a canvas that follows the screen has a size of zero in the file.
#[test]
fn in_a_canvas_sizes_stay_and_rectangles_are_placed_by_their_anchors() {
    let site = bench();
    let path = "Assets/Scenes/Main.unity";
    let zeros = |site: &Site| {
        let text = std::fs::read_to_string(site.path(path)).unwrap();
        (text.matches("m_LocalScale: {x: 0, y: 0, z: 0}").count(), text)
    };
    let (before, _) = zeros(&site);
    assert!(before > 0);
    let changes = json!([
        { "op": "create", "parent": "UI", "name": "Panel", "components": ["Image"] },
        { "op": "reparent", "object": "UI/Start Button", "parent": "UI/Panel" },
        { "op": "set", "object": "UI/Panel", "component": "RectTransform", "field": "localPosition", "value": [10, 20, 5] },
    ]);
    let done = site.call("unity.edit", json!({ "path": path, "changes": changes })).unwrap();
    assert!(done["results"][1]["remarks"][0].as_str().unwrap().contains("anchored"), "{done}");
    let (after, text) = zeros(&site);
    assert_eq!(after, before);
    assert!(text.contains("  m_AnchoredPosition: {x: 10, y: 20}\n"), "{done}");
    assert!(text.contains("  m_LocalPosition: {x: 0, y: 0, z: 5}\n"), "{done}");
    let stretched = json!([
        { "op": "set", "object": "UI/Panel", "component": "RectTransform", "field": "anchorMin", "value": [0, 0] },
        { "op": "set", "object": "UI/Panel", "component": "RectTransform", "field": "position", "value": [1, 2, 3] },
    ]);
    let said = site.error("unity.edit", json!({ "path": path, "changes": stretched }));
    expect!["change 2 (set): where UI/Panel is follows from its anchors and its parent's size; set anchoredPosition, offsetMin or offsetMax; localPosition.z is its depth"]
        .assert_eq(&said);
}

/// A merge can leave a root out of `SceneRoots`. Unity shows it behind the listed ones, and a root that comes later stands
/// before it.
#[test]
fn a_root_that_the_list_leaves_out_stays_behind_new_ones() {
    let site = bench();
    let path = "Assets/Scenes/Main.unity";
    let text = std::fs::read_to_string(site.path(path)).unwrap();
    let hidden = "--- !u!1 &9000000\nGameObject:\n  m_Component:\n  - component: {fileID: 9000001}\n  m_Name: Hidden\n\
                  --- !u!4 &9000001\nTransform:\n  m_GameObject: {fileID: 9000000}\n  m_Children: []\n  m_Father: {fileID: 0}\n";
    std::fs::write(site.path(path), format!("{text}{hidden}")).unwrap();
    let changes = json!([
        { "op": "reparent", "object": "Player/Hand", "parent": "" },
        { "op": "create", "name": "New" },
        { "op": "rename", "object": "New", "name": "Newer" },
    ]);
    let done = site.call("unity.edit", json!({ "path": path, "changes": changes })).unwrap();
    assert_eq!(done["results"][2]["object"], "Newer", "{done}");
    let roots =
        site.call("scene.hierarchy.dump", json!({ "scenePath": path, "depth": 0 })).unwrap();
    let names =
        roots["rootObjects"].as_array().unwrap().iter().map(|root| root["name"].as_str().unwrap());
    let names: Vec<&str> = names.collect();
    assert!(names.ends_with(&["Hand", "Newer", "Hidden"]), "{names:?}");
}
