//! Instances of prefabs made, reverted and copied.

use expect_test::expect;
use serde_json::json;

use super::{MAIN, check};

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
