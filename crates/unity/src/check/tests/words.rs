//! What findings say: names that people know, and ids that outlast them.

use super::*;

const LAMP: u32 = 0xd0000002;
const BASE: u32 = 0xb0000001;

/// An instance of a prefab whose lamp is gone: a script was added to it, and refers to its light.
fn lamp_is_gone() -> String {
    let added = format!(
        "--- !u!1 &200 stripped\nGameObject:\n  m_CorrespondingSourceObject: {{fileID: 77, guid: {base}, type: 3}}\n  m_PrefabInstance: {{fileID: 100}}\n\
         --- !u!108 &300 stripped\nLight:\n  m_CorrespondingSourceObject: {{fileID: 78, guid: {base}, type: 3}}\n  m_PrefabInstance: {{fileID: 100}}\n\
         --- !u!114 &400\nMonoBehaviour:\n  m_GameObject: {{fileID: 200}}\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n  lights:\n  - {{fileID: 300}}\n",
        base = guid(BASE),
        script = guid(LAMP),
    );
    let scene = format!("{}\n{added}", instance(BASE, " []"));
    [
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Door.cs", DOOR, DOOR_CS),
        file("Lamp.cs", LAMP, "public class Lamp : MonoBehaviour {}"),
        file("Room.prefab", 0xa0000001, &scene),
    ]
    .concat()
}

#[test]
fn what_is_gone_is_called_by_script_class_and_prefab() {
    check(
        &lamp_is_gone(),
        expect![[r#"
            BrokenHierarchy Assets/Room.prefab:17 [Base] Lamp was added to an object of Base that is gone
            BrokenReference Assets/Room.prefab:22 [Base/…] Lamp.lights[0] is missing: Base no longer has that Light
        "#]],
    );
}

#[test]
fn findings_have_ids_that_outlast_words() {
    let dir = Folder::unity(&lamp_is_gone());
    let report = run(&Store::open(dir.root(), None));
    let ids: Vec<_> = report.findings.iter().map(|found| (found.id.0, found.to.0)).collect();
    assert_eq!(ids, [(400, 77), (400, 300)]);
}

#[test]
fn a_part_of_an_asset_is_named() {
    let states = format!(
        "--- !u!91 &1\nAnimatorController:\n  m_Name: C\n--- !u!1102 &2\nAnimatorState:\n  m_Name: Run\n  m_Motion: {{fileID: 7400000, guid: {}, type: 2}}\n",
        guid(0xdead)
    );
    check(
        &file("C.controller", 0xa0000001, &states),
        expect![[r#"
            BrokenReference Assets/C.controller:7 [Run] AnimatorState.m_Motion is missing: no asset has the guid abc0000000000000000000000000dead
        "#]],
    );
}
