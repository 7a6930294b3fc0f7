//! Objects of any class in the fields of a component.

use expect_test::expect;
use serde_json::{Value, json};

/// A component with a field for objects of any class, and two such classes.
const ARMED: &str = "\
//- ProjectSettings/ProjectVersion.txt
m_EditorVersion: 2022.3.20f1
//- Assets/Armed.cs
using UnityEngine;
namespace Fight {
    public interface IWeapon {}
    [System.Serializable] public class Sword : IWeapon { public int damage = 5; public Vector3 grip; }
    public class Armed : MonoBehaviour { [SerializeReference] public IWeapon weapon; [SerializeReference] public IWeapon[] spare; }
}
//- Assets/Armed.cs.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/S.unity
%YAML 1.1
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  - component: {fileID: 3}
  m_Name: Knight
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_Father: {fileID: 0}
--- !u!114 &3
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
  weapon:
    rid: -2
  spare: []
  references:
    version: 2
    RefIds:
    - rid: -2
      type: {class: , ns: , asm: }
//- Assets/S.unity.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
";

#[test]
fn objects_of_any_class_are_made_in_the_table_of_their_owner() {
    let edit = |change: Value| {
        let input = json!({ "path": "Assets/S.unity", "changes": [change], "dryRun": true });
        crate::testing::call_project(ARMED, "unity.edit", input)
    };
    let diff = |change: Value| {
        let output = edit(change).unwrap_or_else(|error| panic!("{error:?}")).output;
        let diff = output["changes"][0]["diff"].as_str().unwrap().to_owned();
        let lines = diff.lines().skip(2).filter(|line| line.starts_with(['+', '-']));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let sword = json!({ "type": "Fight.Sword", "value": { "damage": 9 } });
    let set = json!({ "op": "set", "object": "Knight", "component": "Armed", "field": "weapon", "value": sword });
    expect![[r#"
        -    rid: -2
        +    rid: 4394030442122280026
        +    - rid: 4394030442122280026
        +      type: {class: Sword, ns: Fight, asm: Assembly-CSharp}
        +      data:
        +        damage: 9
        +        grip: {x: 0, y: 0, z: 0}
    "#]]
    .assert_eq(&diff(set));
    let insert = json!({ "op": "insertItem", "object": "Knight", "component": "Armed", "field": "spare", "value": sword });
    expect![[r#"
        -  spare: []
        +  spare:
        +  - rid: 4394030442122280026
        +    - rid: 4394030442122280026
        +      type: {class: Sword, ns: Fight, asm: Assembly-CSharp}
        +      data:
        +        damage: 9
        +        grip: {x: 0, y: 0, z: 0}
    "#]]
    .assert_eq(&diff(insert));
    let axe = json!({ "op": "set", "object": "Knight", "component": "Armed", "field": "weapon", "value": { "type": "Axe" } });
    let error = edit(axe).unwrap_err();
    expect![
        "change 1 (set): weapon of Armed of Knight: no source of the project declares a class Axe"
    ]
    .assert_eq(&error.message);
}

#[test]
fn a_class_that_the_field_does_not_take_is_refused() {
    let refused = |class: &str| {
        let change = json!({ "op": "set", "object": "Knight", "component": "Armed", "field": "weapon", "value": { "type": class } });
        let input = json!({ "path": "Assets/S.unity", "changes": [change], "dryRun": true });
        let more = "public interface IWeapon {} public struct Stone : IWeapon {} public class Cup {}\n\
                    public class Blade : Sword {} ";
        let project = ARMED.replace("public interface IWeapon {}", more);
        let done = crate::testing::call_project(&project, "unity.edit", input);
        done.err().map(|error| error.message.split("Knight: ").last().unwrap().to_owned())
    };
    assert_eq!(refused("Cup").as_deref(), Some("the field takes a Fight.IWeapon, and Cup is none"));
    let plain = "and the field takes objects of plain classes";
    assert_eq!(refused("Stone"), Some(format!("Stone is a structure, {plain}")));
    assert_eq!(refused("Armed"), Some(format!("Armed is a class of Unity objects, {plain}")));
    assert_eq!(refused("Blade"), None);
}
