//! Fields by the names of C# and of files, and overrides inside of instances.

use expect_test::expect;
use serde_json::{Value, json};

use super::{MAIN, check};

#[test]
fn fields_are_set_by_the_names_of_c_sharp_and_of_files() {
    let set = |object: &str, component: Value, field: &str, value: Value| json!([{ "op": "set", "object": object, "component": component, "field": field, "value": value }]);
    let light = |field: &str, value: Value| set("Directional Light", json!("Light"), field, value);
    check(
        MAIN,
        light("intensity", json!(2.5)),
        expect![[r#"
        -  m_Intensity: 0.4
        +  m_Intensity: 2.5
    "#]],
    );
    check(
        MAIN,
        light("m_Shadows.m_Strength", json!(0.25)),
        expect![[r#"
        -    m_Strength: 1
        +    m_Strength: 0.25
    "#]],
    );
    check(
        MAIN,
        light("shadows", json!("Hard")),
        expect![[r#"
        -    m_Type: 2
        +    m_Type: 1
    "#]],
    );
    check(
        MAIN,
        light("color", json!("#ff8000")),
        expect![[r#"
        -  m_Color: {r: 0.62, g: 0.7, b: 1, a: 1}
        +  m_Color: {r: 1, g: 0.5019608, b: 0, a: 1}
    "#]],
    );
    check(
        MAIN,
        set("Player", Value::Null, "tag", json!("Untagged")),
        expect![[r#"
        -  m_TagString: Player
        +  m_TagString: Untagged
    "#]],
    );
    check(
        MAIN,
        set("Player", Value::Null, "m_IsActive", json!(false)),
        expect![[r#"
        -  m_IsActive: 1
        +  m_IsActive: 0
    "#]],
    );
    check(
        MAIN,
        set("Player", json!("Transform"), "localPosition", json!({ "y": 3 })),
        expect![[r#"
            -  m_LocalPosition: {x: 0, y: 0, z: -4}
            +  m_LocalPosition: {x: 0, y: 3, z: -4}
        "#]],
    );
    check(
        MAIN,
        set("Player", json!("PlayerController"), "moveSpeed", json!(7)),
        expect![[r#"
        -  moveSpeed: 5.5
        +  moveSpeed: 7
    "#]],
    );
}

#[test]
fn inside_an_instance_a_value_becomes_an_override_and_its_prefabs_value_takes_it_away() {
    let set = |field: &str, value: Value| json!({ "op": "set", "object": "Lanterns/Gate Lantern", "component": "Transform", "field": field, "value": value });
    check(
        MAIN,
        json!([set("m_LocalScale", json!([2, 2, 2]))]),
        expect![[r#"
            +      propertyPath: m_LocalScale.x
            +      value: 2
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalScale.y
            +      value: 2
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalScale.z
            +      value: 2
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        "#]],
    );
    check(
        MAIN,
        json!([set("m_LocalScale", json!([2, 2, 2])), set("m_LocalScale", json!([0.3, 0.4, 0.3]))]),
        expect![[r#""#]],
    );
    check(
        MAIN,
        json!([{ "op": "set", "object": "Lanterns/Gate Lantern/Flame", "component": "Light", "field": "range", "value": 12 }]),
        expect![[r#"
            +    - target: {fileID: 8251994606675419957, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_Range
            +      value: 12
            +      objectReference: {fileID: 0}
        "#]],
    );
}
